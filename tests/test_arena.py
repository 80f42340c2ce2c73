"""Duplicate evaluation: what is counted, that nothing depends on how the work is split, and the intervals."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

from agents import arena, statistics
from agents.arena import Duel, play_duplicate, play_pairings, play_unit
from agents.choice import count_legal, nth_legal
from agents.errors import AgentError
from agents.morehead import MoreheadAgent
from agents.random import RandomAgent
from pedro_env.actions import FIRST_BID, PASS, Phase
from pedro_env.agent import Agent
from pedro_env.engine import Batch
from pedro_env.record import replay
from pedro_env.rules import Rules
from pedro_env.typing import IntArray
from pedro_env.variants import make_rules
from pedro_env.views import HiddenInformation, Views

PEDRO = make_rules("pedro")


class Lowest:
    """Takes the lowest legal action, but passes where it can; notes what it is asked."""

    sees_everything = False

    def __init__(self, rules: Rules) -> None:
        self.name = "lowest"
        self.resets: list[int] = []
        self.seats: list[tuple[int, int]] = []

    def reset(self, games: IntArray) -> None:
        self.resets += games.tolist()

    def act(self, views: Views) -> IntArray:
        self.seats += list(zip(views.game.tolist(), views.seat.tolist(), strict=True))
        return np.where(views.mask[:, PASS], PASS, views.mask.argmax(axis=1))


class BidsSeven(Lowest):
    """As ``Lowest``, but bids the lowest number wherever nobody has bid."""

    def act(self, views: Views) -> IntArray:
        action = super().act(views)
        return np.where((views.phase == Phase.BID) & (views.contract < 0), FIRST_BID, action)


def same(a: Duel, b: Duel) -> bool:
    """Whether two results are the same to the last bit."""
    arrays = ("difference", "deals", "wins")
    return all(
        np.array_equal(getattr(a, name).view(np.int64), getattr(b, name).view(np.int64)) for name in arrays
    ) and (a.redeals, a.tallies, a.records) == (b.redeals, b.tallies, b.records)


def play_alone(
    a: Agent, b: Agent, rules: Rules, match: int, seed: int, whole_match: bool
) -> list[tuple[int, int, float]]:
    """One pair, table by table and deal by deal, in plain Python: (difference, deals, win) of A at each table."""
    tables = []
    for seats_of_a in ((0, 2), (1, 3)):
        batch = Batch(rules, seed, [match])
        difference = deals = 0
        while True:
            while not batch.over[0]:
                agent = a if int(batch.to_act[0]) in seats_of_a else b
                batch.step(agent.act(batch.views()))
            side = seats_of_a[0]
            difference += int(batch.state.score_change[0, side] - batch.state.score_change[0, 1 - side])
            deals += 1
            if not whole_match or batch.match_over[0]:
                break
            batch.next_deal(np.array([0]))
        winner = int(batch.state.winner[0])
        tables.append((difference, deals, 0.5 if winner < 0 else float(winner == side)))
    return tables


# --- what is counted


@pytest.mark.parametrize("episode", ["deal", "match"])
def test_agrees_with_one_table_at_a_time(episode: arena.Episode) -> None:
    rules = make_rules("pedro", {"target": 30})
    a, b = MoreheadAgent(rules), RandomAgent(rules)
    matches = np.arange(40, 46)
    duel = play_unit(a, b, rules, matches, seed=5, episode=episode)
    for pair, match in enumerate(matches.tolist()):
        for table, expected in enumerate(play_alone(a, b, rules, match, 5, episode == "match")):
            got = (duel.difference[pair, table], duel.deals[pair, table], duel.wins[pair, table])
            assert got == expected


def test_the_two_tables_of_a_pair_have_the_same_cards_and_exchanged_seats() -> None:
    a, b = Lowest(PEDRO), Lowest(PEDRO)
    duel = play_unit(a, b, PEDRO, np.arange(3), seed=1, record_options={})
    first, second = duel.records[::2], duel.records[1::2]
    assert [(r["match"], r["pack"], r["dealer"]) for r in first] == [
        (r["match"], r["pack"], r["dealer"]) for r in second
    ]
    assert {seat for game, seat in a.seats if game < 3} == {0, 2}
    assert {seat for game, seat in a.seats if game >= 3} == {1, 3}
    assert {seat for game, seat in b.seats if game < 3} == {1, 3}


def test_an_agent_against_itself_is_always_a_push() -> None:
    duel = play_duplicate("random", "random", PEDRO, 50, seed=2)
    assert duel.pushes == 50
    assert (duel.points.mean, duel.points.low, duel.points.high) == (0, 0, 0)
    assert duel.difference.any()  # single tables do differ: the pair is what is even


def test_exchanging_the_agents_changes_the_sign() -> None:
    ab = play_duplicate("morehead", "random", PEDRO, 60, seed=3)
    ba = play_duplicate("random", "morehead", PEDRO, 60, seed=3)
    assert np.array_equal(ab.difference, -ba.difference[:, ::-1])
    assert ab.points.mean == pytest.approx(-(ba.points.mean or 0))
    assert ab.tallies == ba.tallies[::-1]
    assert ab.pushes == ba.pushes


def test_matches_are_played_to_their_end() -> None:
    duel = play_duplicate("morehead", "random", PEDRO, 20, episode="match")
    assert set(np.unique(duel.wins)) <= {0.0, 1.0}
    assert duel.wins.mean() > 0.9
    assert duel.deals.min() > 1
    cut = play_duplicate("morehead", "random", make_rules("pedro", {"max_deals": 1}), 20, episode="match")
    assert (cut.wins == 0.5).all()
    assert (cut.deals == 1).all()


def test_a_redeal_counts_nothing() -> None:
    rules = make_rules("king-pedro")  # all four may pass
    passing = play_duplicate(Lowest, Lowest, rules, 5)
    assert (passing.redeals, passing.tallies[0].deals) == (10, 0)
    assert not passing.difference.any()
    assert passing.deals.sum() == 10
    assert passing.tallies[0].rates()["made"] is None


def test_bid_statistics_of_agents_whose_bids_are_known() -> None:
    """``BidsSeven`` is asked first at one table of a pair or the other, or forced: it and 7 are all there is."""
    a, b = play_duplicate(BidsSeven, Lowest, PEDRO, 30).tallies
    assert (a.deals, b.deals) == (60, 60)
    assert a.declared == 60
    assert a.bid_points == 7 * 60
    assert b.declared == b.bids == b.made == 0
    assert a.bids == 60  # once a deal: then 7 is bid
    assert sum(a.named) == 60
    assert a.points + b.points == 14 * 60  # RULES 2.12: all 14 points are in play


def test_bid_statistics_agree_with_the_records() -> None:
    records: list[dict] = []
    (duel,) = play_pairings([("morehead", "random")], PEDRO, 60, on_records=records.extend)
    assert duel.records == []
    made = points = turns = bids = 0
    for record in records:
        bid = max(int(s["action"]) for s in record["steps"] if s["phase"] == "bid" and s["action"] != "pass")
        declarer = next(s["seat"] for s in record["steps"] if s["phase"] == "bid" and s["action"] == str(bid))
        made += record["points"][declarer % 2] >= bid
        points += sum(record["points"][side] for side in (0, 1) if record["agents"][side] == "morehead")
        for step in record["steps"]:
            if step["phase"] == "bid" and record["agents"][step["seat"]] == "morehead":
                choice = "pass" in step["legal"] and len(step["legal"]) > 1
                turns += choice
                bids += choice and step["action"] != "pass"
        replay(record)
    a, b = duel.tallies
    assert len(records) == 120
    assert (a.points, a.turns, a.bids) == (points, turns, bids)
    assert a.made + b.made == made


def test_individual_players_are_compared_by_their_means() -> None:
    rules = make_rules("pedro-sancho", {"seats": 5})
    duel = play_unit(MoreheadAgent(rules), RandomAgent(rules), rules, np.arange(1), 0, record_options={})
    first, second = (record["score_change"] for record in duel.records)
    assert duel.difference[0, 0] == pytest.approx(np.mean(first[::2]) - np.mean(first[1::2]))
    assert duel.difference[0, 1] == pytest.approx(np.mean(second[1::2]) - np.mean(second[::2]))
    assert duel.tallies[0].sides == duel.tallies[1].sides == 5


# --- what an agent is given


def test_only_an_agent_that_says_so_sees_everything() -> None:
    class Peeks(Lowest):
        def act(self, views: Views) -> IntArray:
            assert views.full_state.hand.any()
            return super().act(views)

    class Declared(Peeks):
        sees_everything = True

    play_duplicate(Declared, Declared, PEDRO, 2)
    with pytest.raises(HiddenInformation):
        play_duplicate(Peeks, Lowest, PEDRO, 2)


class _Answers(RandomAgent):
    """Answers something that is no legal action."""

    def __init__(self, rules: Rules, answer: Callable[[Views], np.ndarray]) -> None:
        super().__init__(rules)
        self.answer = answer

    def act(self, views: Views) -> IntArray:
        return self.answer(views)


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (lambda views: views.mask.argmin(axis=1), r"random chose action \d+, which is not legal.*legal are"),
        (lambda views: np.full(len(views), -1), "random chose action -1, which is not legal"),
        (lambda views: np.full(len(views), 1000), "random chose action 1000, which is not legal"),
        (lambda views: views.mask.argmax(axis=1)[:-1], "with an array of shape"),
        (lambda views: views.mask.argmax(axis=1).astype(float), "and type float64"),
    ],
)
def test_an_agent_that_answers_wrongly_is_named(answer: Callable[[Views], np.ndarray], message: str) -> None:
    rules = make_rules("pedro")
    with pytest.raises(AgentError, match=message):
        play_unit(_Answers(rules, answer), RandomAgent(rules), rules, np.arange(5), seed=4)


def test_reset_is_called_for_every_deal() -> None:
    a, b = Lowest(PEDRO), Lowest(PEDRO)
    duel = play_unit(a, b, PEDRO, np.arange(4), seed=0, episode="match")
    assert np.bincount(a.resets).tolist() == np.concatenate([duel.deals[:, 0], duel.deals[:, 1]]).tolist()
    assert a.resets == b.resets


# --- independence of how the work is split


@pytest.fixture(scope="module")
def in_one_process() -> list[Duel]:
    return play_pairings([("morehead", "random"), ("random", "morehead")], PEDRO, 1100, seed=9)


def test_workers_do_not_change_a_bit(in_one_process: list[Duel]) -> None:
    in_two = play_pairings([("morehead", "random"), ("random", "morehead")], PEDRO, 1100, seed=9, workers=2)
    assert all(same(one, two) for one, two in zip(in_one_process, in_two, strict=True))


def test_a_short_evaluation_is_the_beginning_of_a_long_one(in_one_process: list[Duel]) -> None:
    short = play_duplicate("morehead", "random", PEDRO, 130, seed=9)
    assert np.array_equal(short.difference, in_one_process[0].difference[:130])


def test_another_seed_has_other_deals(in_one_process: list[Duel]) -> None:
    other = play_duplicate("morehead", "random", PEDRO, 130, seed=10)
    assert not np.array_equal(other.difference, in_one_process[0].difference[:130])


def _fails(rules: Rules) -> Agent:
    raise AgentError("no such luck")


def test_an_error_in_a_worker_is_raised_here() -> None:
    with pytest.raises(AgentError, match="no such luck"):
        play_duplicate(_fails, "random", PEDRO, arena.UNIT + 1, workers=2)


def test_progress_counts_every_pair() -> None:
    done: list[int] = []
    play_pairings([("random", "random")], PEDRO, arena.UNIT + 7, on_progress=done.append)
    assert done == [arena.UNIT, 7]


# --- choosing


def test_nth_legal_finds_every_action() -> None:
    rng = np.random.default_rng(0)
    table = rng.random((200, 130)) < 0.1
    table[:, 3] = True
    words = np.zeros((200, 3), np.uint64)
    for row, action in np.argwhere(table):
        words[row, action // 64] |= np.uint64(1 << int(action % 64))
    counts = count_legal(words)
    assert np.array_equal(counts, table.sum(axis=1))
    choices: list[Callable[[int], int]] = [lambda _: 0, lambda c: c - 1, lambda c: c // 2]
    for choose in choices:
        n = np.array([choose(int(count)) for count in counts])
        assert nth_legal(words, n).tolist() == [np.flatnonzero(row)[k] for row, k in zip(table, n, strict=True)]


# --- statistics


@pytest.mark.parametrize(
    ("freedom", "expected"),
    [(1, 12.7062), (2, 4.30265), (3, 3.18245), (4, 2.77645), (10, 2.22814), (30, 2.04227), (100, 1.98397)],
)
def test_quantiles_of_student(freedom: int, expected: float) -> None:
    """Against the printed tables of the distribution."""
    assert statistics.quantile(freedom) == pytest.approx(expected, abs=1e-5)


def test_the_normal_quantile_takes_over_smoothly() -> None:
    assert statistics.quantile(statistics.NORMAL_FROM) == pytest.approx(1.959964, abs=1e-6)
    assert statistics.quantile(statistics.NORMAL_FROM - 1) == pytest.approx(1.959964, rel=1e-3)


def test_mean_and_interval_by_hand() -> None:
    estimate = statistics.mean_estimate([1.0, 2.0, 6.0])
    error = math.sqrt(7.0 / 3)  # variance ((−2)² + (−1)² + 3²) / 2 = 7
    assert estimate.mean == 3
    assert estimate.error == pytest.approx(error)
    assert estimate.high == pytest.approx(3 + 4.30265 * error, abs=1e-4)
    assert estimate.low == pytest.approx(3 - 4.30265 * error, abs=1e-4)


def test_intervals_hold_the_truth_about_as_often_as_they_say() -> None:
    rng = np.random.default_rng(1)
    inside = sum(
        (e := statistics.mean_estimate(rng.normal(3, 5, 8))).low <= 3 <= e.high  # type: ignore[operator]
        for _ in range(2000)
    )
    assert 0.935 < inside / 2000 < 0.965


def test_the_interval_is_clustered_by_pair() -> None:
    """Two equal tables in every pair say no more than one of them: the interval must not shrink."""
    x = np.random.default_rng(2).normal(0, 5, 50)
    duel = play_duplicate("random", "random", PEDRO, 50)
    duel.difference[:] = x[:, None]
    expected = statistics.mean_estimate(x)
    assert duel.points.low == pytest.approx(expected.low)
    duel = play_duplicate("random", "random", PEDRO, 50)
    duel.difference[:] = np.stack([x, -x], axis=1)  # and two opposite ones are certain
    assert duel.points.high == pytest.approx(0)


def test_a_ratio_of_pairs_with_more_deals() -> None:
    """(10 + 2) points in (4 + 2) deals, residuals ±2 with a mean of 3 deals."""
    estimate = statistics.ratio_estimate([10.0, 2.0], [4.0, 2.0])
    assert estimate.mean == 2
    assert estimate.error == pytest.approx(math.sqrt(2 * (2 / 3) ** 2 / 2))


def test_one_pair_has_no_interval() -> None:
    assert statistics.mean_estimate([4.0]).low is None
    assert statistics.mean_estimate([]).mean is None


def test_rates_stay_between_0_and_1() -> None:
    won_all = statistics.rate_estimate(np.ones(100))
    assert won_all.high == 1
    assert 0.95 < won_all.low < 0.97  # type: ignore[operator]
    even = statistics.rate_estimate(np.full(100, 0.5))
    assert (even.low, even.high) == (0.5, 0.5)
    some = statistics.rate_estimate([0.0] * 50 + [1.0] * 50)
    assert some.low == pytest.approx(0.4035, abs=2e-3)
