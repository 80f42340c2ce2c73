"""Rules that end the play: intervals and tests keep their promises where one stops, and stop at the same pair."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import pytest

from agents import arena, statistics
from agents.arena import play_pairings
from agents.sequential import FIRST_LOOK, RunningRatio, Sprt, Until, anytime, log_likelihood_ratio
from pedro_env.variants import make_rules

PEDRO = make_rules("pedro")
RUNS, LOOK = 1000, 100
MISS = 3 * math.sqrt(0.05 * 0.95 / RUNS)
"""Three standard deviations of a share of 5% of all runs."""


def scores(mean: float, looks: int, seed: int) -> np.ndarray:
    """``(RUNS, looks, LOOK)`` scores of pairs like those of two players of a kind: halves, half of them 0, long tails.

    Their standard deviation is near 5 and their kurtosis 7, as with heuristic-2 against heuristic-1; the weights are
    tilted so that their mean is the one asked for.
    """
    values = np.arange(-40, 41) / 2
    weights = np.exp(-np.abs(values) / 5.6)
    weights /= weights.sum()
    weights = 0.5 * weights + 0.5 * (values == 0)
    low, high = -1.0, 1.0
    for _ in range(60):
        tilt = (low + high) / 2
        tilted = weights * np.exp(tilt * values)
        tilted /= tilted.sum()
        low, high = (tilt, high) if tilted @ values < mean else (low, tilt)
    return values[np.searchsorted(tilted.cumsum(), np.random.default_rng(seed).random((RUNS, looks, LOOK)) * 0.999999)]


def played(rule: Until | Sprt, looks: np.ndarray) -> np.ndarray:
    """The pairs that a rule has let be played, of one run's."""
    for number, look in enumerate(looks, 1):
        if rule.add(look, np.ones(LOOK)):
            return looks[:number].ravel()
    return looks.ravel()


def holds(estimate: statistics.Estimate, truth: float) -> bool:
    """Whether the truth is inside the interval."""
    assert estimate.low is not None
    assert estimate.high is not None
    return estimate.low <= truth <= estimate.high


# --- intervals


@pytest.mark.parametrize("truth", [0.0, 0.8])
def test_intervals_hold_the_truth_as_often_as_they_say(truth: float) -> None:
    """A fixed number of pairs: the interval by Student's t, and the bootstrap's."""
    runs = scores(truth, 3, seed=1).reshape(RUNS, -1)
    ones = np.ones(runs.shape[1])
    rng = np.random.default_rng(2)
    inside = sum(holds(statistics.mean_estimate(run), truth) for run in runs)
    assert abs(inside / RUNS - 0.95) < MISS
    few = runs[:400]
    ends = [statistics.bootstrap_interval(run, ones, 200, rng) for run in few]
    inside = sum(low <= truth <= high for low, high in filter(None, ends))
    assert abs(inside / len(few) - 0.95) < 3 * math.sqrt(0.05 * 0.95 / len(few)) + 0.005  # 200 resamples are few


@pytest.mark.parametrize("truth", [0.0, 0.8])
def test_an_interval_of_a_given_width_holds_the_truth_as_often(truth: float) -> None:
    goal = 0.4
    inside, pairs = 0, 0
    for run in scores(truth, 12, seed=3):
        rule = Until(goal)
        estimate = statistics.mean_estimate(played(rule, run))
        assert rule.reached
        assert rule.half_width == pytest.approx((estimate.high or 0) - (estimate.mean or 0))
        assert rule.half_width <= goal
        inside += holds(estimate, truth)
        pairs += rule.pairs
    assert abs(inside / RUNS - 0.95) < MISS
    assert 500 < pairs / RUNS < 800  # (1.96 · 5 / 0.4)² = 600, and half a look


def test_an_interval_for_any_time_holds_always_where_the_usual_one_does_not() -> None:
    """The worst way to stop: as soon as the interval leaves out the truth."""
    usual = at_any_time = 0
    for run in scores(0.5, 20, seed=4)[:500]:
        seen = RunningRatio()
        out: set[str] = set()
        for look in run:
            seen.add(look, np.ones(LOOK))
            estimate = seen.estimate()
            if seen.pairs >= FIRST_LOOK:
                if not holds(estimate, 0.5):
                    out.add("usual")
                if not holds(anytime(estimate), 0.5):
                    out.add("anytime")
        usual += "usual" in out
        at_any_time += "anytime" in out
    assert usual / 500 > 0.12
    assert at_any_time / 500 < 0.05


def test_an_interval_for_any_time_stays_within_what_is_possible() -> None:
    estimate = statistics.mean_estimate([0.0, 1.0, 1.0, 1.0])
    assert anytime(estimate, 0.0, 1.0).high == 1
    assert anytime(statistics.mean_estimate([1.0])) == statistics.mean_estimate([1.0])


# --- the test of two hypotheses


def outcomes(truth: float, h0: float, h1: float, looks: int = 30, seed: int = 5) -> tuple[float, float, float]:
    """How often each hypothesis is chosen, and how many pairs that takes on average."""
    rules = [Sprt(h0, h1) for _ in range(RUNS)]
    for rule, run in zip(rules, scores(truth, looks, seed), strict=True):
        played(rule, run)
    decisions = [rule.decision for rule in rules]
    return decisions.count("h0") / RUNS, decisions.count("h1") / RUNS, sum(rule.pairs for rule in rules) / RUNS


@pytest.mark.parametrize(("h0", "h1"), [(0.0, 1.0), (1.0, 0.2)])
def test_errors_are_as_rare_as_they_are_said_to_be(h0: float, h1: float) -> None:
    fixed = (2 * 1.645 * 5 / (h1 - h0)) ** 2
    """Pairs that a test with a fixed number would need for the same errors."""
    right, wrong, pairs = outcomes(h0, h0, h1)
    assert wrong < 0.05 + MISS / 3
    assert right + wrong == 1
    assert pairs < fixed + LOOK
    wrong, right, pairs = outcomes(h1, h0, h1)
    assert wrong < 0.05 + MISS / 3
    assert right + wrong == 1
    assert pairs < fixed + LOOK


def test_between_the_hypotheses_either_is_chosen() -> None:
    h0, h1, _ = outcomes(0.5, 0.0, 1.0)
    assert abs(h0 - 0.5) < 0.05
    assert abs(h1 - 0.5) < 0.05


def test_beyond_a_hypothesis_errors_are_rarer() -> None:
    assert outcomes(-1.0, 0.0, 1.0)[0] > 0.995


def test_a_bounded_test_may_remain_undecided() -> None:
    h0, h1, pairs = outcomes(0.5, 0.0, 1.0, looks=3)
    assert h0 + h1 < 0.7
    assert pairs <= 300


def test_smaller_error_rates_take_more_pairs() -> None:
    run = scores(0.8, 30, seed=6)[0]
    assert len(played(Sprt(0, 1, 0.001, 0.001), run)) > len(played(Sprt(0, 1), run))
    assert Sprt(0, 1, alpha=0.01, beta=0.2).upper == pytest.approx(math.log(0.8 / 0.01))
    assert Sprt(0, 1, alpha=0.01, beta=0.2).lower == pytest.approx(math.log(0.2 / 0.99))


def test_the_likelihood_ratio_by_hand() -> None:
    """Each hypothesis with the variance that fits it best, from the density of the normal distribution."""
    x = np.random.default_rng(7).normal(0.4, 3, 2000)

    def likelihood(mean: float) -> float:
        variance = float(((x - mean) ** 2).mean())
        return float((-0.5 * np.log(2 * np.pi * variance) - (x - mean) ** 2 / (2 * variance)).sum())

    estimate = statistics.mean_estimate(x)
    assert log_likelihood_ratio(estimate, 0, 1) == pytest.approx(likelihood(1) - likelihood(0), abs=0.01)
    assert log_likelihood_ratio(estimate, 1, 0) == pytest.approx(-log_likelihood_ratio(estimate, 0, 1))
    even = statistics.mean_estimate(np.zeros(500))  # no spread at all: decided, and finite
    assert -math.inf < log_likelihood_ratio(even, 0, 1) < -100
    assert log_likelihood_ratio(even, -1, 1) == 0


# --- the sums


def test_running_sums_agree_with_all_at_once() -> None:
    rng = np.random.default_rng(8)
    totals, counts = rng.integers(-60, 60, 700) / 2, rng.integers(4, 30, 700) / 2
    seen = RunningRatio()
    for part in np.array_split(np.arange(700), 9):
        seen.add(totals[part], counts[part])
    expected = statistics.ratio_estimate(totals, counts)
    got = seen.estimate()
    assert got.pairs == 700
    for name in ("mean", "low", "high", "error"):
        assert getattr(got, name) == pytest.approx(getattr(expected, name), rel=1e-12)


def test_pairs_that_will_be_needed() -> None:
    rule = Until(0.5)
    assert rule.expected_pairs(10_000) == 10_000
    rule.add(np.tile([-5.0, 5.0], 100), np.ones(200))
    assert rule.expected_pairs(10_000) == pytest.approx((1.96 * 5 / 0.5) ** 2, rel=0.02)
    assert rule.expected_pairs(300) == 300


def test_the_bootstrap_agrees_with_resampling_one_by_one() -> None:
    rng = np.random.default_rng(9)
    totals, counts = rng.integers(-8, 12, 60).astype(float), rng.integers(1, 4, 60).astype(float)
    low, high = statistics.bootstrap_interval(totals, counts, 20_000, np.random.default_rng(1)) or (0, 0)
    drawn = rng.integers(0, 60, (20_000, 60))
    ratios = totals[drawn].sum(axis=1) / counts[drawn].sum(axis=1)
    assert [low, high] == pytest.approx(np.quantile(ratios, [0.025, 0.975]).tolist(), abs=0.05)
    assert statistics.bootstrap_interval([], [], 100, rng) is None


# --- a control variate


@pytest.mark.parametrize("truth", [0.0, 0.8])
def test_a_control_variate_has_no_bias_and_narrower_intervals(truth: float) -> None:
    luck = np.random.default_rng(10).normal(0, 3, (RUNS, 300))
    values = scores(truth, 3, seed=11).reshape(RUNS, -1) + luck
    frozen = statistics.control_coefficient(values[0], luck[0])  # fitted on other pairs than those it is used on
    assert frozen == pytest.approx(1, abs=0.25)
    plain = [statistics.mean_estimate(run) for run in values[1:]]
    with_it = [statistics.controlled_estimate(*pair, frozen) for pair in zip(values[1:], luck[1:], strict=True)]
    errors = [(estimate.mean or 0) - truth for estimate in with_it]
    assert abs(np.mean(errors)) < 3 * np.std(errors) / math.sqrt(RUNS)
    assert abs(sum(holds(estimate, truth) for estimate in with_it) / (RUNS - 1) - 0.95) < MISS
    assert np.mean([e.error for e in with_it]) < 0.92 * np.mean([e.error for e in plain])  # type: ignore[arg-type]
    shifted = statistics.controlled_estimate(values[0], luck[0] + 2, frozen, expectation=2)
    assert shifted.mean == pytest.approx(statistics.controlled_estimate(values[0], luck[0], frozen).mean)


# --- where the play ends


@pytest.fixture(scope="module")
def whole() -> arena.Duel:
    """More pairs than the rules below take."""
    return arena.play_duplicate("morehead", "random", PEDRO, 500, seed=9)


def stopped(workers: int, *rules: Until | Sprt) -> Iterator[tuple[arena.Duel, Until | Sprt]]:
    """The two agents once for each rule, which ends it."""
    pairings = [("morehead", "random")] * len(rules)
    duels = play_pairings(pairings, PEDRO, 500, seed=9, workers=workers, stops=rules, unit=50)
    return zip(duels, rules, strict=True)


@pytest.mark.parametrize("workers", [1, 2])
def test_a_pairing_ends_at_the_same_pair_whatever_the_workers(workers: int, whole: arena.Duel) -> None:
    """After whole units, at the first that is enough; the next pairing goes on; the pairs are those of a longer one."""
    ended = zip(stopped(workers, Until(0.9), Sprt(0, 5), Until(0.1)), (250, 200, 500), strict=True)
    for (duel, rule), pairs in ended:
        assert (duel.pairs, rule.pairs) == (pairs, pairs)
        assert np.array_equal(duel.difference, whole.difference[:pairs])
        assert duel.tallies[0].deals == 2 * pairs


def test_a_rule_on_matches_won() -> None:
    rule = Until(0.03, "win_rate")
    (duel,) = play_pairings(
        [("morehead", "random")], make_rules("pedro", {"target": 20}), 400, episode="match", stops=[rule], unit=50
    )
    low, high = duel.win_rate.low, duel.win_rate.high
    assert low is not None
    assert high is not None
    assert rule.reached
    assert rule.half_width == pytest.approx((high - low) / 2)
    assert FIRST_LOOK <= duel.pairs < 400
