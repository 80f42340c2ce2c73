"""The vector environment: step by step what Gymnasium's ``SyncVectorEnv`` gives, in every autoreset mode."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, SyncVectorEnv, VectorEnv
from gymnasium.wrappers.vector import DictInfoToList, RecordEpisodeStatistics

from pedro_env import VARIANTS, IllegalAction, RulesError
from pedro_env.cards import NONE
from pedro_env.deals import first_dealers, same_cards, shuffled_packs, uniform
from pedro_env.gym import PedroEnv
from pedro_env.vector import PedroVectorEnv
from tests.learner import Attentive, Lowest, choose, end_deals_without_a_decision, equal

ID = "pedro_env/Pedro-v0"
MODES = list(AutoresetMode)
SETTINGS = [
    {"max_deals": 1},
    {"episode": "match", "max_deals": 2},
    {"variant": "oregon", "seat": (1, 3), "illegal_action": "terminate"},
    {"variant": "king-pedro", "seat": 2, "episode": "match", "max_deals": 3, "illegal_action": "terminate"},
    {"variant": "five-handed", "seat": 4},
    {"variant": "pedro-sancho", "seats": 7, "seat": 6, "opponents": Lowest()},
    {"opponents": {1: "agents.registry:heuristic-1", 2: Attentive()}},
]


def both(settings: dict[str, Any], mode: AutoresetMode, n: int = 6) -> tuple[SyncVectorEnv, PedroVectorEnv]:
    """Gymnasium's vector of single environments, and ours."""
    sync = SyncVectorEnv([lambda: PedroEnv(**settings)] * n, autoreset_mode=mode)
    return sync, PedroVectorEnv(n, autoreset_mode=mode, **settings)


def rows_of(observations: dict[str, np.ndarray]) -> list[dict[str, np.ndarray]]:
    return [
        {"observation": seen, "action_mask": mask}
        for seen, mask in zip(observations["observation"], observations["action_mask"], strict=True)
    ]


def actions_for(observations: dict[str, np.ndarray], number: int, illegal: bool = False) -> np.ndarray:
    """A choice for each environment; 0 where an episode is over; now and then what is not legal."""
    actions = [choose(row) if row["action_mask"].any() else 0 for row in rows_of(observations)]
    if illegal and number % 3 == 0:
        actions[number % len(actions)] = 10_000 if number % 2 else 0
    return np.array(actions)


def same_results(a: tuple[Any, ...], b: tuple[Any, ...], where: str) -> None:
    for name, one, other in zip(("obs", "reward", "terminated", "truncated", "info"), a, b, strict=True):
        equal(one, other, f"{where}, {name}")


# --- the comparison


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("settings", SETTINGS)
def test_step_by_step_as_sync_vector_env(settings: dict[str, Any], mode: AutoresetMode) -> None:
    sync, vector = both(settings, mode)
    begun = [envs.reset(seed=11) for envs in (sync, vector)]
    same_reset(begun[0], begun[1])
    observations, episodes = begun[0][0], 0
    for number in range(70):
        actions = actions_for(observations, number, settings.get("illegal_action") == "terminate")
        one, other = sync.step(actions), vector.step(actions)
        same_results(one, other, f"step {number}")
        assert vector.observation_space.contains(other[0])
        observations, ended = one[0], one[2] | one[3]
        episodes += int(ended.sum())
        if mode is AutoresetMode.DISABLED and ended.any():
            one, other = (envs.reset(options={"reset_mask": ended.copy()}) for envs in (sync, vector))
            same_reset(one, other)
            observations = one[0]
    assert episodes > (5 if "episode" in settings else 12)


def same_reset(one: tuple[Any, Any], other: tuple[Any, Any]) -> None:
    equal(one[0], other[0], "observations of reset")
    equal(one[1], other[1], "infos of reset")


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_variant_as_sync_vector_env(variant: str) -> None:
    sync, vector = both({"variant": variant}, AutoresetMode.SAME_STEP, n=3)
    observations, _ = sync.reset(seed=1)
    vector.reset(seed=1)
    for number in range(40):
        actions = actions_for(observations, number)
        one, other = sync.step(actions), vector.step(actions)
        same_results(one, other, f"step {number}")
        observations = one[0]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("episode", ["deal", "match"])
def test_episodes_without_a_decision_are_skipped_alike(mode: AutoresetMode, episode: str) -> None:
    sync, vector = both({"opponents": Lowest(), "episode": episode, "max_deals": 2}, mode)
    for env in (*sync.envs, vector):
        end_deals_without_a_decision(env)
    one, other = (envs.reset(seed=5) for envs in (sync, vector))
    same_reset(one, other)
    observations, matches = one[0], [one[1]["match"]]
    for number in range(60):
        actions = actions_for(observations, number)
        one, other = sync.step(actions), vector.step(actions)
        same_results(one, other, f"step {number}")
        observations, ended = one[0], one[2] | one[3]
        matches.append(one[4]["match"])
        if mode is AutoresetMode.DISABLED and ended.any():
            one, other = (envs.reset(options={"reset_mask": ended.copy()}) for envs in (sync, vector))
            same_reset(one, other)
            observations = one[0]
    assert (np.diff(matches, axis=0) > 1).any() == (episode == "deal")


def test_resets_as_sync_vector_env() -> None:
    sync, vector = both({}, AutoresetMode.NEXT_STEP, n=3)
    some = np.array([True, False, True])
    for arguments in (
        {"seed": 5},
        {},
        {"seed": [3, None, 8]},
        {"seed": [1, 2, 3], "options": {"match": 9}},
        {"options": {"reset_mask": some}},
        {"seed": 40, "options": {"reset_mask": some, "match": 2}},
        {"seed": 2**63 - 3},
    ):
        one, other = sync.reset(**copy.deepcopy(arguments)), vector.reset(**arguments)
        same_reset(one, other)
    actions = actions_for(one[0], 0)
    same_results(sync.step(actions), vector.step(actions), "the next step")


def test_without_a_seed_every_environment_has_its_own() -> None:
    infos = PedroVectorEnv(50).reset()[1]
    assert len(set(infos["seed"].tolist())) == 50
    assert not infos["match"].any()
    other = PedroVectorEnv(50).reset()[1]
    assert (infos["seed"] != other["seed"]).any()


# --- the ends of episodes


def test_next_step_ignores_the_action_of_an_environment_that_it_resets() -> None:
    envs = PedroVectorEnv(2)
    observations, _ = envs.reset(seed=1)
    while True:
        observations, rewards, terminations, _, infos = envs.step(actions_for(observations, 0))
        if terminations.any():
            break
    assert envs.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    row = int(terminations.argmax())
    assert not observations["action_mask"][row].any()
    assert infos["_points"].tolist() == terminations.tolist()
    actions = actions_for(observations, 0)
    actions[row] = 10**6
    observations, rewards, terminations, _, infos = envs.step(actions)
    assert (rewards[row], terminations[row], infos["match"][row]) == (0, False, 1)
    assert observations["action_mask"][row].any()


def test_disabled_wants_a_reset() -> None:
    envs = PedroVectorEnv(3, autoreset_mode="Disabled")
    observations, _ = envs.reset(seed=1)
    ended = np.zeros(3, np.bool_)
    while not ended.any():
        observations, _, terminations, truncations, _ = envs.step(actions_for(observations, 0))
        ended = terminations | truncations
    with pytest.raises(gymnasium.error.ResetNeeded, match=f"environment {ended.argmax()} has ended"):
        envs.step(actions_for(observations, 0))
    envs.reset(options={"reset_mask": ended})
    assert np.array_equal(envs.action_masks().any(axis=1), np.ones(3, np.bool_))


def test_what_was_handed_out_does_not_change() -> None:
    envs = PedroVectorEnv(4, autoreset_mode="SameStep")
    observations, infos = envs.reset(seed=1)
    kept = copy.deepcopy((observations, infos))
    for _ in range(15):
        result = envs.step(actions_for(observations, 0))
        assert not np.shares_memory(result[0]["action_mask"], result[4]["action_mask"])
        np.testing.assert_equal((observations, infos), kept)
        for array in result[0].values():
            array[0] = 0  # writing to them does no harm
        result[4]["action_mask"][0] = 0
        observations = {"observation": envs.batch.observe(), "action_mask": envs.action_masks().astype(np.int8)}
        infos, kept = {}, (copy.deepcopy(observations), {})


# --- seeds


def test_a_match_of_any_seed_has_the_cards_of_a_match_of_seed_0() -> None:
    rng = np.random.default_rng(1)
    for seed in (0, 1, 77, 2**40 + 3, 2**63 - 1):
        matches, deals = rng.integers(2**62, size=20), rng.integers(50, size=20)
        there = same_cards(np.full(20, seed), matches)
        pack = np.arange(52)
        np.testing.assert_array_equal(shuffled_packs(pack, seed, matches, deals), shuffled_packs(pack, 0, there, deals))
        np.testing.assert_array_equal(first_dealers(4, seed, matches), first_dealers(4, 0, there))
        np.testing.assert_array_equal(uniform(seed, 9, (matches, deals)), uniform(0, 9, (there, deals)))


# --- opponents


def test_opponents_decide_for_many_games_at_once_and_hear_of_their_deals() -> None:
    opponent = Attentive()
    envs = PedroVectorEnv(100, opponents=opponent, autoreset_mode="SameStep")
    observations, _ = envs.reset(seed=3)
    episodes = 100
    for number in range(20):
        observations, _, terminations, _, _ = envs.step(actions_for(observations, number))
        episodes += int(terminations.sum())
    assert len(opponent.begun) == episodes
    assert np.bincount(opponent.begun).min() > 1
    assert max(opponent.sizes) > 60
    assert len(opponent.sizes) < 20 * 15


# --- what Gymnasium makes of it


def test_make_vec() -> None:
    envs = gymnasium.make_vec(
        ID, 4, vectorization_mode="vector_entry_point", variant="oregon", autoreset_mode="SameStep"
    )
    assert isinstance(envs.unwrapped, PedroVectorEnv)
    assert isinstance(envs, VectorEnv)
    assert envs.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    assert PedroVectorEnv.metadata.get("autoreset_mode") is None
    assert envs.unwrapped.rules.variant == "oregon"
    assert envs.single_observation_space == PedroEnv("oregon").observation_space
    assert envs.observation_space["action_mask"].shape == (4, envs.single_action_space.n)
    assert envs.action_space.shape == (4,)
    sync = gymnasium.make_vec(ID, 2, vectorization_mode="sync", seat=2)
    assert sync.reset(seed=1)[1]["seat"].tolist() == [2, 2]
    again = gymnasium.make_vec(envs.spec)
    equal(envs.reset(seed=3)[0], again.reset(seed=3)[0])


def test_gymnasiums_wrappers() -> None:
    envs = DictInfoToList(RecordEpisodeStatistics(PedroVectorEnv(3)))
    observations, infos = envs.reset(seed=1)
    assert [info["seed"] for info in infos] == [1, 2, 3]
    totals = []
    for number in range(40):
        observations, rewards, terminations, _, infos = envs.step(actions_for(observations, number))
        totals += [(infos[row]["episode"]["r"], rewards[row]) for row in np.flatnonzero(terminations)]
    assert len(totals) > 5
    assert all(total == reward for total, reward in totals)


@pytest.mark.parametrize("mode", ["ansi", "rgb_array"])
def test_rendering(mode: str) -> None:
    if mode == "rgb_array":
        pytest.importorskip("pygame")
    envs = PedroVectorEnv(2, render_mode=mode)
    envs.reset(seed=1)
    single = PedroEnv(render_mode=mode)
    pictures = envs.render() or ()
    assert len(pictures) == 2
    for i, picture in enumerate(pictures):
        single.reset(seed=1 + i)
        assert np.array_equal(np.asarray(picture), np.asarray(single.render()))
    envs.close()
    with pytest.raises(ValueError, match="render_mode cannot be 'human' for many games"):
        PedroVectorEnv(2, render_mode="human")


# --- copies


@pytest.mark.parametrize("mode", MODES)
def test_copies_play_on_alike(mode: AutoresetMode) -> None:
    envs = PedroVectorEnv(5, autoreset_mode=mode, episode="match", max_deals=1)
    observations, _ = envs.reset(seed=1)
    for number in range(30):
        if number % 4 == 0:
            copies = [copy.deepcopy(envs), pickle.loads(pickle.dumps(envs))]
        actions = actions_for(observations, number)
        result = envs.step(actions)
        for other in copies:
            same_results(result, other.step(actions), f"step {number}")
        observations, ended = result[0], result[2] | result[3]
        if mode is AutoresetMode.DISABLED and ended.any():
            observations = envs.reset(options={"reset_mask": ended})[0]
            for other in copies:
                other.reset(options={"reset_mask": ended})


# --- mistakes


def test_an_illegal_action_raises_and_changes_nothing() -> None:
    envs = PedroVectorEnv(3)
    observations, _ = envs.reset(seed=1)
    actions = actions_for(observations, 0)
    wrong = actions.copy()
    wrong[1] = 3
    with pytest.raises(IllegalAction, match="environment 1, seat 0, phase bid: action 3"):
        envs.step(wrong)
    other = PedroVectorEnv(3)
    other.reset(seed=1)
    same_results(envs.step(actions), other.step(actions), "after the error")


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"num_envs": 0}, "num_envs cannot be 0"),
        ({"autoreset_mode": "Sometimes"}, "autoreset_mode cannot be 'Sometimes'; it is 'NextStep' or"),
        ({"variant": "cinch9"}, "unknown variant 'cinch9'"),
        ({"seat": (0, 1)}, "seat cannot be"),
    ],
)
def test_arguments_that_are_wrong(settings: dict[str, Any], message: str) -> None:
    with pytest.raises((ValueError, RulesError), match=message):
        PedroVectorEnv(**settings)


def test_calls_that_are_wrong() -> None:
    envs = PedroVectorEnv(2)
    with pytest.raises(gymnasium.error.ResetNeeded, match="before reset"):
        envs.step(np.zeros(2, np.int64))
    for arguments, message in (
        ({"seed": -1}, "seed cannot be -1"),
        ({"seed": 2**63 - 1}, "seed cannot be"),
        ({"seed": 1.5}, "seed cannot be 1.5"),
        ({"seed": [1, 2, 3]}, "seed cannot be 3 numbers; there are 2 environments"),
        ({"options": {"match": -1}}, r"options\['match'\] cannot be -1"),
        ({"options": {"reset_mask": np.array([0, 1])}}, r"options\['reset_mask'\] cannot be"),
        ({"options": {"dealer": 1}}, "options has no key 'dealer'; it has 'match', 'reset_mask'"),
        ({"options": {"reset_mask": np.array([False, False])}}, r"options\['reset_mask'\] cannot be"),
        ({"options": {"reset_mask": np.array([True])}}, "an array of 2 booleans"),
    ):
        with pytest.raises(ValueError, match=message):
            envs.reset(**arguments)
    envs.reset(seed=1)
    for actions in (np.zeros(3, np.int64), np.zeros(2), [None, None]):
        with pytest.raises(ValueError, match="they are 2 whole numbers"):
            envs.step(actions)
    assert NONE not in envs.reset(seed=1)[1]["seed"]
