"""The Gymnasium environment: Gymnasium's own checks, the learner's seat, its opponents, the same games as elsewhere."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import pedro_env
from agents.random import RandomAgent
from pedro_env import VARIANTS, Batch, IllegalAction, Phase, make_rules
from pedro_env.gym import PedroEnv
from pedro_env.opponents import RandomLegal
from tests.learner import Attentive, Lowest, choose, end_deals_without_a_decision, equal

ID = "pedro_env/Pedro-v0"
SETTINGS = [
    {"variant": "pedro"},
    {"variant": "pedro", "episode": "match", "max_deals": 3},
    {"variant": "oregon", "seat": (1, 3)},
    {"variant": "king-pedro", "seat": 2, "episode": "match"},
    {"variant": "five-handed", "seat": 4},
    {"variant": "pedro-sancho", "seats": 7, "seat": [6]},
]


def steps(env: Any, observation: dict[str, Any], policy: Callable[..., int] = choose) -> Iterator[tuple[Any, ...]]:
    """Play on to the end of the episode; yields what each step returns."""
    ended = False
    while not ended:
        result = env.step(policy(observation))
        observation, ended = result[0], result[2] or result[3]
        yield result


# --- Gymnasium's view


@pytest.mark.parametrize("settings", SETTINGS)
def test_check_env(settings: dict[str, Any]) -> None:
    check_env(gymnasium.make(ID, illegal_action="terminate", **settings).unwrapped)


def run_python(program: str) -> str:
    root = Path(__file__).parents[1]
    command = [sys.executable, "-W", "error", "-c", program]
    result = subprocess.run(command, capture_output=True, text=True, cwd=root)
    assert result.returncode == 0, result.stderr
    return result.stdout.strip()


@pytest.mark.parametrize(
    "program",
    [
        "import pedro_env, gymnasium; gymnasium.make('pedro_env/Pedro-v0')",
        "import gymnasium, pedro_env; gymnasium.make('pedro_env/Pedro-v0')",
        "import gymnasium; gymnasium.make('pedro_env:pedro_env/Pedro-v0')",
        "import pedro_env, gymnasium; gymnasium.make('pedro_env:pedro_env/Pedro-v0')",
        "import pedro_env; pedro_env.env(); import gymnasium; gymnasium.make_vec('pedro_env/Pedro-v0', 2)",
    ],
)
def test_the_environment_is_registered_whatever_is_imported_first(program: str) -> None:
    run_python(program)


# --- observations, masks, rewards


@pytest.mark.parametrize("variant", VARIANTS)
def test_observations_masks_and_infos_at_every_step(variant: str) -> None:
    env = PedroEnv(variant, seat=1)
    for seed in range(3):
        observation, info = env.reset(seed=seed)
        for result in [(observation, 0.0, False, False, info), *steps(env, observation)]:
            observation, reward, terminated, truncated, info = result
            assert env.observation_space.contains(observation)
            assert observation["action_mask"].any() != terminated
            np.testing.assert_array_equal(observation["action_mask"], info["action_mask"])
            assert info["seat"] == 1
            assert info["scores"].dtype == np.int16
            assert not truncated
            assert reward == 0 or terminated
        assert terminated
        assert not env.action_masks().any()
        assert info["phase"] == "over"
        assert info["points"].shape == info["score_change"].shape == (env.rules.sides,)
        change = info["score_change"].tolist()
        side = env.batch.tables.side_of[1]
        others = [other for number, other in enumerate(change) if number != side]
        assert reward == pytest.approx(change[side] - sum(others) / len(others))


def test_the_observation_is_the_learners_and_the_mask_the_games() -> None:
    env = PedroEnv("pedro", seat=(1, 3))
    seats = set()
    for seed in range(3):
        observation, info = env.reset(seed=seed)
        for result in chain([(observation, 0, False, False, info)], steps(env, observation)):
            observation, _, over, _, info = result
            if not over:
                assert env.batch.to_act[0] == info["seat"]
                np.testing.assert_array_equal(env.batch.observe()[0], observation["observation"])
                np.testing.assert_array_equal(env.batch.mask()[0], observation["action_mask"])
                np.testing.assert_array_equal(env.batch.mask()[0], env.action_masks())
                assert env.action_masks().dtype == np.bool_
            seats.add(info["seat"])
    assert seats == {1, 3}


def test_a_match_goes_on_until_it_is_won_or_cut_off() -> None:
    ends = set()
    for seed in range(6):
        env = PedroEnv("pedro", "match", max_deals=8, opponents=Lowest())
        observation, _ = env.reset(seed=seed)
        *before, (_, reward, terminated, truncated, info) = steps(env, observation)
        assert {result[4]["deal"] for result in before} == set(range(info["deal"] + 1))
        assert all(result[1] == 0 for result in before)
        assert truncated != terminated
        assert reward == (0 if truncated else 1 if info["winner"] == 0 else -1)
        assert (info["winner"] == -1) == truncated
        ends.add(reward)
    assert len(ends) > 1


def test_what_was_handed_out_does_not_change() -> None:
    env = PedroEnv()
    observation, info = env.reset(seed=0)
    kept = copy.deepcopy((observation, info))
    action = choose(observation)
    env.step(action)
    np.testing.assert_equal((observation, info), kept)
    observation, info = env.reset(seed=0)
    observation["action_mask"][:] = 1
    np.testing.assert_array_equal(info["action_mask"], kept[1]["action_mask"])
    info["action_mask"][:] = 1
    np.testing.assert_array_equal(env.action_masks(), kept[0]["action_mask"])


# --- the same games through every door


def door_gym(settings: dict[str, Any], seed: int) -> list[Any]:
    env = gymnasium.make(ID, opponents=RandomLegal(), **settings)
    observation, info = env.reset(seed=seed)
    seen = []
    while True:
        action = choose(observation)
        seen.append((info["phase"], info["deal"], action, observation["observation"].tobytes()))
        observation, reward, terminated, truncated, info = env.step(action)
        if terminated or truncated:
            return [*seen, reward, terminated, info["scores"].tolist()]


def door_vector(settings: dict[str, Any], seed: int) -> list[Any]:
    """Environment 2 of four."""
    envs = gymnasium.make_vec(
        ID, 4, vectorization_mode="vector_entry_point", opponents=RandomLegal(), autoreset_mode="SameStep", **settings
    )
    observations, infos = envs.reset(seed=seed - 2)
    seen = []
    while True:
        rows = [{key: value[i] for key, value in observations.items()} for i in range(4)]
        actions = np.array([choose(row) for row in rows])
        seen.append((infos["phase"][2], infos["deal"][2], actions[2], rows[2]["observation"].tobytes()))
        observations, rewards, terminations, truncations, infos = envs.step(actions)
        if terminations[2] or truncations[2]:
            return [*seen, rewards[2], terminations[2], infos["final_info"]["scores"][2].tolist()]


def door_aec(settings: dict[str, Any], seed: int) -> list[Any]:
    settings = dict(settings)
    learner = settings.pop("seat", 0)
    env, opponent = pedro_env.raw_env(**settings), RandomLegal()
    env.reset(seed=seed)
    seen = []
    while not any(env.terminations.values()) and not any(env.truncations.values()):
        agent = env.agent_selection
        observation, info = env.observe(agent), env.infos[agent]
        if agent == f"player_{learner}":
            action = choose(observation)
            seen.append((info["phase"], info["deal"], action, observation["observation"].tobytes()))
        else:
            action = int(opponent.act(env.batch.views())[0])
        env.step(action)
    agent = f"player_{learner}"
    return [*seen, env.rewards[agent], env.terminations[agent], list(env.infos[agent]["scores"])]


def door_batch(settings: dict[str, Any], seed: int) -> list[Any]:
    settings = dict(settings)
    learner, whole_match = settings.pop("seat", 0), settings.pop("episode", "deal") == "match"
    batch = Batch(make_rules(settings.pop("variant"), settings), seed=seed)
    opponent, state, seen = RandomLegal(), batch.state, []
    while True:
        if batch.to_act[0] == learner:
            observation = {"observation": batch.observe()[0], "action_mask": batch.mask()[0].astype(np.int8)}
            action = choose(observation)
            phase = Phase(batch.phase[0]).word
            seen.append((phase, int(state.deal[0]), action, observation["observation"].tobytes()))
        else:
            action = int(opponent.act(batch.views())[0])
        batch.step(np.array([action]))
        if batch.over[0] and whole_match and not batch.match_over[0]:
            batch.next_deal(np.array([0]))
        elif batch.over[0]:
            break
    side, change = batch.tables.side_of[learner], state.score_change[0].astype(float)
    reward = change[side] - (change.sum() - change[side]) / (len(change) - 1)
    if whole_match:
        reward = 0 if state.winner[0] < 0 else 1 if state.winner[0] == side else -1
    return [*seen, reward, not (whole_match and state.truncated[0]), state.scores[0].tolist()]


@pytest.mark.parametrize("settings", [s for s in SETTINGS if isinstance(s.get("seat", 0), int)])
def test_the_same_seed_is_the_same_game_through_every_door(settings: dict[str, Any]) -> None:
    for seed in (2, 1234567):
        games = [door(settings, seed) for door in (door_batch, door_aec, door_gym, door_vector)]
        for game in games[1:]:
            assert game == games[0]


def test_reset_goes_on_to_the_next_match_and_options_name_one() -> None:
    env = PedroEnv()
    first = env.reset(seed=7)[0]["observation"]
    second, info = env.reset()
    assert (info["seed"], info["match"]) == (7, 1)
    assert (first != second["observation"]).any()
    again, info = env.reset(seed=7, options={"match": 1})
    assert (info["seed"], info["match"]) == (7, 1)
    np.testing.assert_array_equal(second["observation"], again["observation"])
    with pytest.raises(ValueError, match="seed cannot be -1"):
        PedroEnv().reset(seed=-1)


def test_an_episode_without_a_decision_is_skipped() -> None:
    env = PedroEnv(opponents=Lowest())
    end_deals_without_a_decision(env)
    matches, dealers = [], []
    for _ in range(20):
        observation, info = env.reset(seed=3) if not matches else env.reset()
        matches.append(info["match"])
        dealers.append(int(env.batch.state.dealer[0]))
        assert observation["action_mask"].any()
        *_, last = steps(env, observation)
        assert last[2]
    batch = Batch(env.rules, seed=3, matches=range(matches[-1] + 1))
    assert matches == np.flatnonzero(batch.state.dealer != 0).tolist()
    assert 0 not in dealers


def test_a_deal_without_a_decision_is_played_through_in_a_match() -> None:
    env = PedroEnv("pedro", "match", opponents=Lowest())
    end_deals_without_a_decision(env)
    dealt = []
    observation, info = env.reset(seed=2)
    for _, _, _, _, info in steps(env, observation):
        if info["phase"] != "over":
            dealt.append((info["deal"], int(env.batch.state.dealer[0])))
    assert 0 not in {dealer for _, dealer in dealt}
    assert len({deal for deal, _ in dealt}) < info["deal"]


# --- actions that are not legal, and calls out of order


def test_an_illegal_action_raises_or_terminates() -> None:
    env = PedroEnv()
    observation, _ = env.reset(seed=1)
    illegal = int(np.flatnonzero(observation["action_mask"] == 0)[0])
    with pytest.raises(IllegalAction, match=r"player_0, phase bid: action 0 .* is not legal"):
        env.step(illegal)
    env.step(choose(observation))  # nothing had changed

    env = PedroEnv(illegal_action="terminate", seat=2)
    env.reset(seed=1)
    observation, reward, terminated, truncated, info = env.step(99999)
    assert (reward, terminated, truncated, info["illegal_action_by"]) == (-1.0, True, False, "player_2")
    assert not observation["action_mask"].any()
    with pytest.raises(gymnasium.error.ResetNeeded, match="no episode is going on"):
        env.step(0)


def test_a_step_before_reset() -> None:
    with pytest.raises(gymnasium.error.ResetNeeded, match="call reset"):
        PedroEnv().step(0)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"variant": "cinch9"}, "unknown variant 'cinch9'"),
        ({"episode": "game"}, "episode cannot be 'game'; it is 'deal' or 'match'"),
        ({"illegal_action": "ignore"}, "illegal_action cannot be 'ignore'"),
        ({"render_mode": "text"}, "render_mode cannot be 'text'"),
        ({"max_deals": 0}, "'max_deals' cannot be 0"),
        ({"seat": 4}, "seat cannot be 4; seats are whole numbers from 0 to 3"),
        ({"seat": "side"}, "seat cannot be 'side'"),
        ({"seat": (0, 1)}, r"seat cannot be \(0, 1\); in this game it is a seat, or several seats of one side"),
        ({"seat": (0, 0)}, r"seat cannot be \(0, 0\)"),
        ({"seat": ()}, r"seat cannot be \(\)"),
        ({"variant": "five-handed", "seat": (0, 1)}, "in this game it is one seat: there are no sides"),
        ({"opponents": 3}, "opponents cannot be 3; it is None"),
        ({"opponents": "heuristic-1"}, "opponents cannot be 'heuristic-1'.*as 'agents.registry:heuristic-1'"),
        ({"opponents": "nowhere.at_all:x"}, "opponents 'nowhere.at_all:x': there is no module 'nowhere'"),
        ({"opponents": "agents.nothing:x"}, "opponents 'agents.nothing:x': there is no module 'agents.nothing'"),
        ({"opponents": "agents.random:x"}, "the module 'agents.random' has no make_agent"),
        ({"opponents": "agents.registry:nobody"}, "unknown agent 'nobody'"),
        ({"opponents": lambda rules: None}, "opponents: None is no agent"),
        ({"opponents": {0: None}}, "opponents: seat 0 is the learner's; the others are 1, 2, 3"),
        ({"opponents": {7: None}}, "seat cannot be 7"),
    ],
)
def test_arguments_that_are_wrong(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        PedroEnv(**settings)


def test_where_the_agents_are_not_importable() -> None:
    program = (
        "import sys; sys.modules['agents'] = None\n"
        "from pedro_env.gym import PedroEnv\n"
        "try: PedroEnv(opponents='agents.registry:random')\n"
        "except ValueError as error: print(error)"
    )
    message = run_python(program)
    assert message.startswith("opponents 'agents.registry:random': there is no module 'agents")
    assert "runs from a checkout" in message


# --- opponents


def trace(env: PedroEnv, seeds: range = range(3)) -> list[bytes]:
    """What the learner sees, decision by decision."""
    seen = []
    for seed in seeds:
        observation, _ = env.reset(seed=seed)
        seen.append(observation["observation"].tobytes())
        seen += [result[0]["observation"].tobytes() for result in steps(env, observation)]
    return seen


def test_the_forms_in_which_opponents_are_given() -> None:
    rules = make_rules("pedro")
    by_default = trace(PedroEnv())
    assert by_default == trace(PedroEnv(opponents=RandomAgent(rules)))
    assert by_default == trace(PedroEnv(opponents=RandomAgent))
    assert by_default == trace(PedroEnv(opponents="agents.registry:random"))
    assert by_default == trace(PedroEnv(opponents={2: lambda rules: RandomAgent(rules), 3: None}))
    lowest = trace(PedroEnv(opponents=Lowest))
    assert lowest == trace(PedroEnv(opponents=dict.fromkeys((1, 2, 3), Lowest())))
    assert lowest != by_default
    mixed = PedroEnv(opponents={1: "agents.registry:heuristic-1", 3: "agents.registry:heuristic-1"})
    assert [agent.name for agent in mixed.opponents.agents] == ["heuristic-1", "random"]
    assert trace(mixed) not in (lowest, by_default)


def test_each_opponent_plays_its_own_seats() -> None:
    class Noting(Lowest):
        def __init__(self) -> None:
            self.seats: set[int] = set()

        def act(self, views: pedro_env.Views) -> np.ndarray:
            self.seats |= set(views.seat.tolist())
            return super().act(views)

    a, b = Noting(), Noting()
    trace(PedroEnv(seat=1, opponents={0: a, 2: b, 3: a}))
    assert (a.seats, b.seats) == ({0, 3}, {2})


def test_an_opponent_that_sees_everything_gets_it_and_others_do_not() -> None:
    class Peeking(Lowest):
        def act(self, views: pedro_env.Views) -> np.ndarray:
            assert len(views.full_state.phase) == len(views)
            return super().act(views)

    env = PedroEnv(opponents=Peeking())
    with pytest.raises(RuntimeError, match="sees_everything"):
        trace(env)
    env.opponents.agents[0].sees_everything = True
    trace(env)


@pytest.mark.parametrize("illegal_action", ["raise", "terminate"])
def test_an_opponent_that_errs_is_named(illegal_action: str) -> None:
    class Wrong(Lowest):
        name = "wrong"
        answer = np.array([200])

        def act(self, views: pedro_env.Views) -> np.ndarray:
            return self.answer

    opponent = Wrong()
    env = PedroEnv(opponents=opponent, illegal_action=illegal_action, seat=1)
    with pytest.raises(IllegalAction, match="opponent 'wrong': row 0, seat 3, phase bid: action 200"):
        trace(env)
    for answer in (np.array([0, 1]), np.array([0.5])):
        opponent.answer = answer
        with pytest.raises(ValueError, match="'wrong' answered 1 decisions with an array of shape"):
            trace(env)


def test_opponents_are_told_of_every_deal_once() -> None:
    opponent = Attentive()
    env = PedroEnv("pedro", "match", max_deals=4, opponents=opponent)
    observation, _ = env.reset(seed=5)
    for _, _, _, _, info in steps(env, observation):
        assert len(opponent.begun) == info["deal"] + 1
    env.reset()
    assert len(opponent.begun) == info["deal"] + 2


# --- copies, rendering


@pytest.mark.parametrize("duplicate", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_copies_in_mid_deal_play_on_alike(duplicate: Callable[[PedroEnv], PedroEnv]) -> None:
    env, phases = PedroEnv("pedro", "match", max_deals=2, opponents=Lowest()), set()
    for seed in range(6):
        observation, _ = env.reset(seed=seed)
        results, copies = [], []
        for number, result in enumerate(steps(env, observation)):
            results.append(result)
            if number % 3 == 0 and not (result[2] or result[3]):
                phases.add(result[4]["phase"])
                copies.append((number + 1, result[0], duplicate(env)))
        for number, seen, other in copies:
            for got, wanted in zip(steps(other, seen), results[number:], strict=True):
                equal(got[0], wanted[0])
                assert got[1:4] == wanted[1:4]
                equal(got[4], wanted[4])
    assert {"bid", "trump", "rob", "play"} <= phases


def test_rendering() -> None:
    env = gymnasium.make(ID, render_mode="ansi")
    env.reset(seed=1)
    text = env.render()
    assert isinstance(text, str)
    assert "trump" in text.lower() or "bid" in text.lower()
    env.close()
