"""The PettingZoo environment: PettingZoo's own tests, and what they leave out."""

from __future__ import annotations

import copy
import pickle
import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test

import pedro_env
from pedro_env import VARIANTS, IllegalAction, Phase, RulesError, make_rules, pedro_v0
from pedro_env.actions import PASS

# PettingZoo knows its own environments by name and spares them these two; everybody else gets them for any
# observation that is a dictionary.
DICTIONARY_OBSERVATION = [
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array:UserWarning:pettingzoo"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be:UserWarning:pettingzoo"),
]

SETTINGS = [
    ("pedro", {}),
    ("pedro", {"illegal_action": "terminate", "min_bid": 6, "slam": True}),
    ("oregon", {}),
    ("king-pedro", {}),
    ("five-handed", {}),
    ("pedro-sancho", {"seats": 7}),
]


def choose(env: pedro_env.raw_env, rng: random.Random) -> int:
    """A random legal action, from the mask."""
    return rng.choice(np.flatnonzero(env.observe(env.agent_selection)["action_mask"]).tolist())


def is_over(env: pedro_env.raw_env) -> bool:
    return any(env.terminations.values()) or any(env.truncations.values())


def play(env: pedro_env.raw_env, rng: random.Random) -> Iterator[str]:
    """Play on at random until the episode is over; yields the agent before each of its steps."""
    while not is_over(env):
        yield env.agent_selection
        env.step(choose(env, rng))


def play_out(env: pedro_env.raw_env, seed: int = 0) -> None:
    for _ in play(env, random.Random(seed)):
        pass


# --- PettingZoo's tests


@pytest.mark.parametrize(("variant", "options"), SETTINGS)
@pytest.mark.parametrize("episode", ["deal", "match"])
class TestPettingZoo:
    pytestmark = DICTIONARY_OBSERVATION

    def test_api(self, variant: str, options: dict, episode: str) -> None:
        api_test(pedro_env.env(variant, episode, **options), num_cycles=100)
        api_test(pedro_env.raw_env(variant, episode, **options), num_cycles=20)

    def test_seed(self, variant: str, options: dict, episode: str) -> None:
        seed_test(lambda: pedro_env.env(variant, episode, **options), num_cycles=50)


def test_the_module_and_its_metadata() -> None:
    env = pedro_v0.env(render_mode="ansi")
    assert str(env) == "pedro_v0"
    assert env.metadata["is_parallelizable"] is False
    assert env.metadata["render_modes"] == ["ansi", "human", "rgb_array"]
    assert pedro_v0.raw_env is pedro_env.raw_env


# --- observations and masks


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_mask_is_what_the_environment_accepts(variant: str) -> None:
    """Every action is tried on a copy, in states of every phase."""
    env, rng = pedro_env.raw_env(variant), random.Random(variant)
    for seed in range(2):
        env.reset(seed=seed)
        for agent in play(env, rng):
            if rng.random() < 0.8:
                continue
            mask = env.observe(agent)["action_mask"]
            for action in range(len(mask)):
                trial = copy.deepcopy(env)
                if mask[action]:
                    trial.step(action)
                else:
                    with pytest.raises(IllegalAction):
                        trial.step(action)
                    assert trial.agent_selection == agent
                    np.testing.assert_array_equal(
                        trial.observe(agent)["observation"], env.observe(agent)["observation"]
                    )


@pytest.mark.parametrize("variant", VARIANTS)
def test_observations_of_every_agent_at_every_step(variant: str) -> None:
    env = pedro_env.raw_env(variant)
    env.reset(seed=5)

    def look() -> None:
        for agent in env.possible_agents:
            observation = env.observe(agent)
            assert env.observation_space(agent).contains(observation)
            assert observation["observation"].dtype == np.uint8
            assert observation["action_mask"].dtype == env.infos[agent]["action_mask"].dtype == np.int8
            np.testing.assert_array_equal(observation["action_mask"], env.infos[agent]["action_mask"])
            is_to_act = agent == env.agent_selection and not is_over(env)
            assert observation["action_mask"].any() == is_to_act

    for _ in play(env, random.Random(1)):
        look()
    look()


def test_the_game_says_who_acts() -> None:
    env = pedro_env.raw_env()
    env.reset(seed=0)
    several_in_a_row, before = False, ""
    for seed in range(5):
        env.reset(seed=seed)
        for agent in play(env, random.Random(seed)):
            assert agent == f"player_{env.batch.to_act[0]}"
            several_in_a_row |= agent == before
            before = agent
    assert several_in_a_row


def test_what_was_handed_out_does_not_change() -> None:
    """Arrays are the caller's: writing to them does no harm, and later steps do not write to them."""
    env = pedro_env.raw_env()
    env.reset(seed=0)
    agent = env.agent_selection
    observation, info = env.observe(agent), env.infos[agent]
    kept = copy.deepcopy((observation, info))
    env.step(int(observation["action_mask"].argmax()))
    np.testing.assert_array_equal(observation["observation"], kept[0]["observation"])
    np.testing.assert_array_equal(info["action_mask"], kept[1]["action_mask"])
    agent = env.agent_selection
    right = env.observe(agent)["action_mask"].copy()
    for array in (*env.observe(agent).values(), env.infos[agent]["action_mask"]):
        array[:] = 1
    np.testing.assert_array_equal(env.observe(agent)["action_mask"], right)
    with pytest.raises(IllegalAction):
        env.step(0)


# --- the end


@pytest.mark.parametrize("make", [pedro_env.raw_env, pedro_env.env])
@pytest.mark.parametrize("seats", [4, 6])
def test_the_drain_of_dead_steps(make: Callable[..., pedro_env.raw_env], seats: int) -> None:
    env = make("pedro-sancho", seats=seats)
    env.reset(seed=2)
    rng = random.Random(0)
    for _ in range(1000):
        assert not any(env.rewards.values())
        assert not any(env._cumulative_rewards.values())
        env.step(choose(env, rng))
        if is_over(env):
            break
    assert all(env.terminations.values())
    assert env.rewards == env._cumulative_rewards
    expected, seen = dict(env.rewards), {}
    for agent in env.agent_iter():
        observation, reward, termination, truncation, info = env.last()
        assert termination
        assert not truncation
        assert not observation["action_mask"].any()
        assert not info["action_mask"].any()
        with pytest.raises(ValueError, match="only valid action is None"):
            env.step(PASS)
        seen[agent] = reward
        env.step(None)
        assert not any(env.rewards.values()), "each reward is read once"
    assert seen == expected
    assert list(seen) == env.possible_agents
    assert env.agents == []
    env.reset()
    assert env.agents == env.possible_agents


def test_a_reset_in_the_middle_of_the_drain() -> None:
    env = pedro_env.raw_env()
    env.reset(seed=1)
    play_out(env)
    env.step(None)
    env.reset(seed=1)
    assert env.agents == env.possible_agents
    play_out(env)
    drained = []
    for agent in env.agent_iter():
        drained.append(agent)
        env.step(None)
    assert drained == env.possible_agents


def test_no_step_without_an_episode() -> None:
    env = pedro_env.raw_env()
    with pytest.raises(ValueError, match="call reset"):
        env.step(PASS)
    env.reset(seed=0)
    play_out(env)
    for _ in env.agent_iter():
        env.step(None)
    with pytest.raises(ValueError, match="call reset"):
        env.step(None)


# --- rewards


@pytest.mark.parametrize(("variant", "options"), SETTINGS)
def test_rewards_of_a_deal(variant: str, options: dict) -> None:
    env = pedro_env.raw_env(variant, **options)
    for seed in range(5):
        env.reset(seed=seed)
        play_out(env, seed)
        info = env.infos["player_0"]
        change = [info["score_change"][side] for side in env.batch.tables.side_of]
        assert sum(env.rewards.values()) == pytest.approx(0)
        for seat, agent in enumerate(env.possible_agents):
            if env.rules.sides == 2:
                assert env.rewards[agent] == change[seat] - change[seat - 1]
            else:
                others = [value for other, value in enumerate(change) if other != seat]
                assert env.rewards[agent] == pytest.approx(change[seat] - np.mean(others))


def test_rewards_of_a_match() -> None:
    env = pedro_env.raw_env("pedro", "match", target=10)
    winners = set()
    for seed in range(8):
        env.reset(seed=seed)
        play_out(env, seed)
        info = env.infos["player_0"]
        if info["winner"] is None:  # cut off: random play mostly loses points
            continue
        winners.add(info["winner"])
        assert info["scores"][info["winner"]] >= 10
        assert all(env.terminations.values())
        assert not any(env.truncations.values())
        for seat, agent in enumerate(env.possible_agents):
            assert env.rewards[agent] == (1 if seat % 2 == info["winner"] else -1)
    assert winners == {0, 1}


def test_a_match_that_is_cut_off() -> None:
    env = pedro_env.raw_env("pedro", "match", max_deals=2)
    env.reset(seed=0)
    deals = set()
    for agent in play(env, random.Random(0)):
        deals.add(env.infos[agent]["deal"])
    assert deals == {0, 1}
    assert all(env.truncations.values())
    assert not any(env.terminations.values())
    assert env.infos["player_0"]["winner"] is None
    assert not any(env.rewards.values())
    for _ in env.agent_iter():
        env.step(None)
    assert env.agents == []


def test_max_deals_does_not_cut_off_a_deal() -> None:
    env = pedro_env.raw_env(max_deals=1)
    env.reset(seed=0)
    play_out(env)
    assert all(env.terminations.values())
    assert not any(env.truncations.values())


# --- redeals (RULES 3.4: king-pedro, where everybody may pass)


def test_a_redeal_ends_a_deal_episode() -> None:
    env = pedro_env.raw_env("king-pedro")
    env.reset(seed=0)
    for _ in range(4):
        assert "redeal" not in env.infos[env.agent_selection]
        env.step(PASS)
    assert all(env.terminations.values())
    assert not any(env.rewards.values())
    assert all(info["redeal"] is True for info in env.infos.values())
    env.reset(seed=0)
    play_out(env)
    assert env.infos["player_0"]["redeal"] is False


def test_a_redeal_in_a_match_is_followed_by_the_next_deal() -> None:
    env = pedro_env.raw_env("king-pedro", "match", max_deals=3)
    env.reset(seed=0)
    dealer = env.batch.state.dealer[0]
    for _ in range(4):
        env.step(PASS)
    assert not is_over(env)
    assert env.infos["player_0"]["deal"] == 1
    assert env.infos["player_0"]["scores"] == (0, 0)
    assert env.batch.state.dealer[0] == (dealer + 1) % 4
    for _ in range(8):
        env.step(PASS)
    assert all(env.truncations.values())
    assert env.infos["player_0"]["redeal"] is True


# --- seeds


def episode_of(env: pedro_env.raw_env) -> tuple[int, int, list[int]]:
    info = env.infos[env.agent_selection]
    return info["seed"], info["match"], env.batch.state.pack[0].tolist()


def test_an_unseeded_reset_goes_on_to_the_next_match() -> None:
    env, other = pedro_env.raw_env(), pedro_env.raw_env()
    env.reset(seed=7)
    episodes = [episode_of(env)]
    for _ in range(3):
        env.reset()
        episodes.append(episode_of(env))
    assert [episode[:2] for episode in episodes] == [(7, match) for match in range(4)]
    assert len({tuple(pack) for _, _, pack in episodes}) == 4
    other.reset(seed=7, options={"match": 2})
    assert episode_of(other) == episodes[2]
    env.reset(seed=7)
    assert episode_of(env) == episodes[0]


def test_the_first_seed_comes_from_the_system_and_is_told() -> None:
    env, other = pedro_env.raw_env(), pedro_env.raw_env()
    env.reset()
    other.reset()
    seed, match, _ = episode_of(env)
    assert match == 0
    assert episode_of(other)[0] != seed
    other.reset(seed=seed)
    assert episode_of(other) == episode_of(env)
    env.reset()
    assert episode_of(env)[:2] == (seed, 1)


def test_the_cards_do_not_depend_on_what_was_played() -> None:
    packs = []
    for play_seed in range(2):
        env = pedro_env.raw_env("pedro", "match", max_deals=3)
        env.reset(seed=np.int64(11))
        deals = {}
        for agent in play(env, random.Random(play_seed)):
            deals[env.infos[agent]["deal"]] = env.batch.state.pack[0].tolist()
        packs.append(deals)
    assert packs[0] == packs[1]
    assert len(packs[0]) == 3


def test_reset_keeps_the_configuration() -> None:
    env = pedro_env.raw_env("pedro", "match", "ansi", 7, "terminate", min_bid=6)
    rules = env.rules
    for seed in (3, None):
        env.reset(seed=seed)
        assert (env.episode, env.render_mode, env.illegal_action) == ("match", "ansi", "terminate")
        assert env.rules is rules
        assert env.rules == make_rules("pedro", {"min_bid": 6, "max_deals": 7})


# --- copies


@pytest.mark.parametrize("make", [pedro_env.raw_env, pedro_env.env])
@pytest.mark.parametrize("duplicate", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
@pytest.mark.parametrize("variant", ["pedro", "five-handed"])
def test_a_copy_in_every_phase_goes_on_alike(
    make: Callable[..., pedro_env.raw_env],
    duplicate: Callable[[pedro_env.raw_env], pedro_env.raw_env],
    variant: str,
) -> None:
    env = make(variant, "match", max_deals=2)
    phases: set[Phase] = set()
    for seed in range(8):
        env.reset(seed=seed)
        rng = random.Random(seed)
        while not is_over(env):
            phase = Phase(env.unwrapped.batch.phase[0])
            if phase not in phases:
                phases.add(phase)
                twin = duplicate(env)
                assert twin.agent_selection == env.agent_selection
                # The original plays on first: whatever the two shared would show.
                original = trace(duplicate(env), seed)
                assert trace(env, seed) == original == trace(twin, seed)
                env.reset(seed=seed)
                rng = random.Random(seed)
                for _ in range(rng.randrange(60)):
                    if not is_over(env):
                        env.step(choose(env, rng))
                continue
            env.step(choose(env, rng))
    assert phases >= {Phase.BID, Phase.TRUMP, Phase.PLAY}
    assert phases & {Phase.ROB, Phase.DISCARD}


def trace(env: pedro_env.raw_env, seed: int) -> list[object]:
    """Everything that happens from here to the end, and to the next two resets."""
    rng, events = random.Random(seed), []
    while not is_over(env):
        agent = env.agent_selection
        seen = [env.observe(other)["observation"].tobytes() for other in env.possible_agents]
        action = choose(env, rng)
        events.append((agent, seen, action))
        env.step(action)
    events.append((dict(env.rewards), env.infos["player_0"]["scores"]))
    for _ in range(2):
        env.reset()
        events.append(episode_of(env.unwrapped))
    return events


def test_a_copy_after_the_end() -> None:
    env = pedro_env.raw_env()
    env.reset(seed=0)
    play_out(env)
    env.step(None)
    twin = pickle.loads(pickle.dumps(env))
    assert twin.agents == env.agents == ["player_1", "player_2", "player_3"]
    assert [twin.last()[1] for _ in twin.agent_iter(1)] == [env.last()[1]]


# --- illegal actions


def test_an_illegal_action_is_explained() -> None:
    env = pedro_env.env()
    env.reset(seed=3)
    agent = env.agent_selection
    with pytest.raises(
        IllegalAction, match=rf"^{agent}, phase bid: action 5 \(7S\) is not legal; legal are pass, 7, 8"
    ):
        env.step(5)
    for action in (-1, 67, 10**30):
        with pytest.raises(IllegalAction, match=rf"{agent}.*{action}"):
            env.step(action)
    for action in (None, "7", 1.0, [3]):
        with pytest.raises(IllegalAction, match=rf"{agent}.*is not an action.*from 0 to 66"):
            env.step(action)
    assert env.agent_selection == agent
    env.step(PASS)
    assert env.agent_selection != agent


def test_an_illegal_card_names_the_rule() -> None:
    env = pedro_env.raw_env()
    for seed in range(20):
        env.reset(seed=seed)
        for _ in play(env, random.Random(seed)):
            state = env.batch.state
            seat = int(state.to_act[0])
            hand = [card for card in range(52) if int(state.hand[0, seat]) >> card & 1]
            illegal = [card for card in hand if not env.infos[env.agent_selection]["action_mask"][card]]
            if state.phase[0] == Phase.PLAY and state.led[0] >= 0 and illegal:
                with pytest.raises(IllegalAction, match=r"phase play: action \d+ .*was led.*RULES 2.9"):
                    env.step(illegal[0])
                return
    pytest.fail("no such position came up")


@pytest.mark.parametrize("make", [pedro_env.raw_env, pedro_env.env])
@pytest.mark.parametrize("action", [5, -1, 500, "nonsense"])
@pytest.mark.parametrize("steps", [0, 12])
def test_an_illegal_action_can_end_the_episode(
    make: Callable[..., pedro_env.raw_env], action: object, steps: int
) -> None:
    env = make(illegal_action="terminate")
    env.reset(seed=3)
    rng = random.Random(0)
    for _ in range(steps):
        env.step(choose(env, rng))
    if isinstance(action, int) and action == 5:
        action = int(env.observe(env.agent_selection)["action_mask"].argmin())
    offender = env.agent_selection
    env.step(action)
    assert all(env.terminations.values())
    assert all(env.truncations.values())
    assert env.rewards == {agent: -1.0 if agent == offender else 0.0 for agent in env.possible_agents}
    assert env.infos["player_0"]["illegal_action_by"] == offender
    rewards = {}
    for agent in env.agent_iter():
        observation, rewards[agent], *_ = env.last()
        assert not observation["action_mask"].any()
        env.step(None)
    assert rewards[offender] == sum(rewards.values()) == -1
    env.reset()
    assert env.infos["player_0"]["match"] == 1
    assert not is_over(env)


# --- arguments


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"variant": "pedor"}, RulesError, "unknown variant 'pedor'.*did you mean 'pedro'"),
        ({"variant": 3}, RulesError, "variant cannot be 3"),
        ({"episode": "game"}, ValueError, "episode cannot be 'game'; it is 'deal' or 'match'"),
        (
            {"render_mode": "svg"},
            ValueError,
            "render_mode cannot be 'svg'; it is None or 'ansi' or 'human' or 'rgb_array'",
        ),
        ({"illegal_action": True}, ValueError, "illegal_action cannot be True; it is 'raise' or 'terminate'"),
        ({"max_deals": 0}, RulesError, "'max_deals' cannot be 0; it is a whole number from 1"),
        ({"min_bidd": 6}, RulesError, "no option 'min_bidd'.*did you mean 'min_bid'"),
        ({"min_bid": 60}, RulesError, "'min_bid' cannot be 60; it is a whole number from 1 to 14"),
        ({"episodes": "match"}, RulesError, "no option 'episodes'.*did you mean 'episode'"),
        ({"slam": True, "scoring": "foster"}, RulesError, "contradicts"),
        ({"variant": "oregon", "min_bid": 6}, RulesError, "'oregon' has no option 'min_bid'.*tie"),
    ],
)
@pytest.mark.parametrize("make", [pedro_env.raw_env, pedro_env.env])
def test_bad_arguments(make: Callable[..., object], arguments: dict, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message) as caught:
        make(**arguments)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("seed", [1.5, "7", -1, 2**63])
def test_bad_seeds(seed: object) -> None:
    env = pedro_env.raw_env()
    with pytest.raises(ValueError, match="seed cannot be"):
        env.reset(seed=seed)
    with pytest.raises(ValueError, match=r"options\['match'\] cannot be"):
        env.reset(seed=0, options={"match": seed})


def test_an_agent_that_is_not_there() -> None:
    env = pedro_env.raw_env()
    env.reset(seed=0)
    with pytest.raises(ValueError, match="no agent 'player_4'; the agents are player_0, player_1"):
        env.observe("player_4")


# --- the package


def test_the_public_names() -> None:
    for name in pedro_env.__all__:
        assert getattr(pedro_env, name) is not None
        assert name in dir(pedro_env)
    with pytest.raises(AttributeError, match="nothing_like_it"):
        _ = pedro_env.nothing_like_it


def test_importing_the_package_imports_nothing_heavy() -> None:
    heavy = {"agents", "onnxruntime", "pettingzoo", "pygame", "torch"}
    program = f"import pedro_env, sys; print(*{heavy} & set(sys.modules))"
    root = Path(__file__).parents[1]
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=root)
    assert result.stdout.strip() == ""
