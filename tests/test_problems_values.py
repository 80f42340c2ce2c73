"""How problems are made: values that are known exactly, and the same problems again from the same seed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("numba")

from agents.problems.beliefs import believed_worlds, likelihood
from agents.problems.command import main
from agents.problems.make import Task, matters, of_skill, valued
from agents.problems.problem import load, positions
from agents.problems.sources import Source, sources
from agents.problems.values import Values, action_values, worth
from pedro_env.actions import Phase
from pedro_env.engine import Batch
from pedro_env.rules import Rules
from pedro_env.variants import make_rules
from pedro_env.worlds import deal_anew
from tests.support import do, one_game, stacked_pack

PEDRO = Rules()


def ending(bid: str, scores: tuple[int, int] = (0, 0)) -> tuple[Batch, list[int]]:
    """Two tricks before the end seat 0, the declarer, leads: it has the ace and a plain card, and everybody has seen
    that the seats 1 and 2 have no trumps left, so that the last one, the five, is with seat 3."""
    hands = {
        0: "AS KS QS JS TS 2H 3H 4H 6H",
        1: "5C 4S 7H 8H 9H TH JH QH KH",
        2: "3S 2S 2D 3D 4D 5D 6D 7D 8D",
        3: "9S 8S 7S 6S 5S 9D TD JD QD",
    }
    pack = stacked_pack(PEDRO, 3, hands)
    batch = one_game(PEDRO, pack, 3, scores)
    names = [bid, "pass", "pass", "pass", "S"]
    do(batch, names)
    while batch.phase[0] == Phase.ROB:
        names.append(batch.actions.names[int(batch.mask()[0].argmax())])
        do(batch, names[-1:])
    for trick in (("KS", "5C", "3S", "9S"), ("QS", "4S", "2S", "8S"), ("JS", "", "", "7S"), ("TS", "", "", "6S")):
        for name in trick:
            plain = int(batch.mask()[0].argmax())
            names.append(name or batch.actions.names[plain])
            do(batch, names[-1:])
    phases_ids = batch.actions.ids
    actions = [phases_ids[number < 4, name] for number, name in enumerate(names)]
    return batch, actions


def values_of(batch: Batch, actions: list[int], unit: str = "points") -> dict[str, float]:
    values = action_values(batch, actions, unit, 16, np.random.default_rng(1))  # type: ignore[arg-type]
    assert values is not None
    assert values.error == 0
    assert not values.errors.any()
    return dict(zip([batch.actions.names[a] for a in values.actions.tolist()], values.mean.tolist(), strict=True))


def test_an_ending_in_which_everything_is_known():
    """The ace catches the five: 14 points. The plain card lets it through: 9 to 5."""
    batch, actions = ending("7")
    values = values_of(batch, actions)
    assert values.pop("AS") == 14
    assert list(values.values()) == [9 - 5]


def test_a_bid_that_fails_is_subtracted():
    batch, actions = ending("10")
    values = values_of(batch, actions)
    assert values.pop("AS") == 14
    assert list(values.values()) == [-10 - 5]


def test_bidder_out_is_about_the_match():
    """RULES 2.12: made, the bid of 10 wins; set, seats 1 and 3 have 58 + 5 and win."""
    batch, actions = ending("10", (58, 58))
    values = values_of(batch, actions, "match")
    assert values.pop("AS") == 1
    assert list(values.values()) == [0]


def test_a_match_that_goes_on_is_worth_a_chance():
    batch, _ = ending("10", (58, 55))  # set: 48 to 60
    values = values_of(*ending("10", (58, 55)), "match")
    assert values.pop("AS") == 1
    (chance,) = values.values()
    assert 0 < chance < 0.5
    ended = batch.copy()
    ended.state.winner[0] = 1
    assert worth(ended, 0, "match")[0] == 0
    assert worth(ended, 1, "match")[0] == 1


# --- worlds


@pytest.mark.parametrize(("calls", "more"), [("9", 0.15), ("9 pass", 0.15), ("pass", -0.1)])
def test_worlds_are_likely_where_the_others_would_have_called_so(calls: str, more: float):
    """Who has bid 9 holds more aces and kings than one that may have anything; who has passed, fewer."""
    batch = Batch(PEDRO, 5, [3])
    first = int(batch.to_act[0])
    action = [batch.actions.parse(call, Phase.BID) for call in calls.split()]
    do(batch, calls)
    seat = int(batch.to_act[0])
    believed = believed_worlds(batch, action, 300, np.random.default_rng(2))
    assert believed is not None
    anything = deal_anew(batch, np.zeros(300, np.int64), seat, 2)
    likely = likelihood(anything, action, seat)
    assert (likely > 0).all()
    steps = np.log(likely) / np.log(0.3)
    np.testing.assert_allclose(steps, np.round(steps), atol=1e-9)  # 1 where it is just what would have been called
    assert likely.max() <= 1
    assert likelihood(believed, action, seat).mean() > likely.mean() + 0.1
    assert (aces_and_kings(believed, first) - aces_and_kings(anything, first)) * np.sign(more) > abs(more)


def aces_and_kings(worlds: Batch, seat: int) -> float:
    """How many a seat holds, on average."""
    high = np.uint64(sum(1 << (13 * suit + rank) for suit in range(4) for rank in (11, 12)))
    return float(np.bitwise_count(worlds.state.hand[:, seat] & high).mean())


def test_the_own_hand_is_the_same_in_all_worlds():
    source = sources(PEDRO, 1, "protecting a five", 0, 4)[0]
    worlds = believed_worlds(source.batch, source.actions, 20, np.random.default_rng(1))
    assert worlds is not None
    seat = int(source.batch.to_act[0])
    assert (worlds.state.hand[:, seat] == source.batch.state.hand[0, seat]).all()
    assert len(np.unique(worlds.state.hand[:, (seat + 1) % 4])) > 1


def test_an_error_says_how_far_a_loss_is_off():
    source = sources(PEDRO, 1, "protecting a five", 0, 4)[1]
    found = [valued(source, "points", 40, seed) for seed in range(12)]
    losses = np.array([one.mean[found[0].mean.argmax()] - one.mean for one in found if one and found[0]])
    errors = np.array([one.errors for one in found if one])
    assert len(losses) == 12
    spread, said = losses.std(axis=0, ddof=1), errors.mean(axis=0)
    assert (spread > 0).sum() >= 2
    assert (spread <= 2 * said + 0.05).all()
    assert (said <= 2 * spread + 0.05).all()


# --- making problems


def test_a_position_is_the_same_whatever_else_is_looked_at():
    """And its actions lead to it."""
    together = {int(s.batch.state.match[0]): s for s in sources(PEDRO, 4, "cinching", 0, 5)}
    for number in range(5):
        for alone in sources(PEDRO, 4, "cinching", number, 1):
            other = together.pop(int(alone.batch.state.match[0]))
            assert alone.actions == other.actions
            assert (alone.batch.observe() == other.batch.observe()).all()
            again, s = alone.batch.copy(), alone.batch.state
            again.set_position(0, s.pack[0].tolist(), int(s.dealer[0]), s.scores[0].tolist(), alone.actions)
            assert (alone.batch.observe() == again.observe()).all()
    assert not together


def test_the_same_seed_makes_the_same_problems():
    task = Task("pedro", {}, 11, "protecting a five", 1, 20, 20)
    problems = of_skill(task)
    assert len(problems) == 1
    assert problems == of_skill(task)
    assert problems != of_skill(task._replace(seed=12))


@pytest.mark.parametrize("skill", ["forced dealer", "cinching", "saving the two", "bidder out"])
def test_the_values_in_the_file_come_out_again(skill: str):
    """From other worlds, and so within the errors of both."""
    problem = next(problem for problem in load() if problem.skill == skill)
    batch = positions([problem])
    actions = [batch.actions.ids[(phase == "bid"), name] for phase, name in phases(problem.actions)]
    values = valued(Source(batch, actions), problem.unit, 60, seed=problem.seed + 1)  # type: ignore[arg-type]
    assert values is not None
    losses = values.mean[problem.losses.argmin()] - values.mean
    error = np.array(problem.errors) * np.sqrt(1 + problem.worlds / 60)
    slack = 0.05 if problem.unit == "match" else 0.25  # what hardly ever happens has an error of 0 in a few worlds
    assert (np.abs(losses - problem.losses) <= 5 * error + slack).all()


def phases(actions: list[str]) -> list[tuple[str, str]]:
    """(phase or something else, name): calls are passes and numbers, and nothing else is."""
    return [("bid" if name == "pass" or name.isdigit() else "", name) for name in actions]


def test_a_choice_matters_where_enough_lose_enough():
    def found(mean: list[float], errors: list[float], actions: list[int]) -> bool:
        return matters(Values(np.array(actions), np.array(mean), np.array(errors), 0.1), "points")

    assert found([5, 3, 3, 3], [0, 0.5, 0.5, 0.5], [0, 1, 2, 3])
    assert not found([5, 3, 3, 3], [0, 1.1, 1.1, 1.1], [0, 1, 2, 3])  # nobody knows
    assert not found([5, 5, 5, 5, 3], [0, 0, 0, 0, 0.1], [0, 1, 2, 3, 4])  # one of five
    assert not found([5, 4.9], [0, 0.001], [0, 1])  # little
    assert found([1, 0], [0, 0.1], [58, 59])
    assert not found([9, 0], [0, 0.1], [58, 59])  # a pass that tempts nobody to bid


def test_other_games_have_problems_too():
    source = sources(make_rules("cinch"), 1, "saving the two", 0, 3)[0]
    values = valued(source, "points", 10, 1)
    assert values is not None
    assert len(values.actions) == len(values.mean) > 1
    assert sources(make_rules("cinch"), 1, "bidder out", 0, 3) == []


def test_make_writes_the_same_file_again(tmp_path: Path):
    skills = ["forced dealer", "protecting a five"]
    texts: list[bytes] = []
    for name in ("a.jsonl", "b.jsonl"):
        arguments = ["make", "--out", str(tmp_path / name), "--skills", *skills, "--seed", "3", "--workers", "1"]
        assert main([*arguments, "--each", "1", "--worlds", "20", "--screening", "20"]) == 0
        texts.append((tmp_path / name).read_bytes())
    assert texts[0] == texts[1]
    assert [problem.skill for problem in load(tmp_path / "a.jsonl")] == skills


def test_games_that_the_solver_does_not_know_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert main(["make", "--out", str(tmp_path / "a.jsonl"), "--variant", "railroad"]) == 2
    assert "fixed partners" in capsys.readouterr().err
