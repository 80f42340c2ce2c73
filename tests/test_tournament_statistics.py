"""Ratings, circles, groups and gaps of a tournament: closed forms, and how often intervals and tests are right."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import combinations

import numpy as np
import pytest

from agents import statistics
from agents.statistics import Estimate
from agents.tournament.crossplay import ITSELF, cross_play, cross_setups
from agents.tournament.cycles import additive_fit, largest_misfit, strongest_circle
from agents.tournament.entrants import Entrant
from agents.tournament.ratings import additive_ratings, win_ratings, win_share
from agents.tournament.scores import Scores, linearised
from agents.tournament.setups import Setup
from agents.tournament.tails import f_tail


def scores_of(table: np.ndarray) -> Scores:
    """Single agents with values ``(pairs, k, k)``, of which the part above the diagonal counts."""
    k = table.shape[1]
    return Scores([1] * k, {(i, j): table[:, i, j] for i, j in combinations(range(k), 2)})


def noisy(means: np.ndarray, pairs: int, rng: np.random.Generator) -> np.ndarray:
    """Values ``(pairs, k, k)`` with these means; the noise of a deal is shared by pairings and grows with its number of
    the row, so that neither independence nor equal variances would do."""
    k = len(means)
    common = rng.normal(0, 3, (pairs, 1, 1))
    own = rng.normal(0, 1 + np.arange(k), (pairs, k))
    luck = own[:, :, None] - own[:, None, :] + common + rng.normal(0, 1, (pairs, k, k))
    return means + luck


def differences(ratings: list[float]) -> np.ndarray:
    return np.subtract.outer(np.array(ratings), np.array(ratings))


ROCK_PAPER_SCISSORS = np.array([[0.0, -1, 1], [1, 0, -1], [-1, 1, 0]])


def holds(estimate: Estimate, truth: float) -> bool:
    assert estimate.low is not None
    assert estimate.high is not None
    return estimate.low <= truth <= estimate.high


# --- the additive model


def test_ratings_by_hand() -> None:
    """Two pairs of three agents: a over b +1 and +3, a over c +4 and +2, b over c +2 and 0.

    Rows' sums are a: 5, b: -1, c: -4; thirds of them are the ratings. A deal's values of a's rating are (1 + 4) / 3 and
    (3 + 2) / 3: no spread.
    """
    scores = Scores([1, 1, 1], {(0, 1): np.array([1.0, 3]), (0, 2): np.array([4.0, 2]), (1, 2): np.array([2.0, 0])})
    a, b, c = additive_ratings(scores)
    assert [a.mean, b.mean, c.mean] == pytest.approx([5 / 3, -1 / 3, -4 / 3])
    assert a.error == pytest.approx(0, abs=1e-12)
    assert b.error == pytest.approx(4 / 3 / 2)  # values (−1 + 2) / 3 and (−3 + 0) / 3 differ by 4/3
    assert [r.mean for r in additive_ratings(scores, anchor=2)] == pytest.approx([3, 1, 0])
    assert additive_ratings(scores, anchor=2)[2].high == pytest.approx(0, abs=1e-12)


def test_ratings_are_the_least_squares_solution() -> None:
    rng = np.random.default_rng(0)
    scores = scores_of(rng.normal(0, 5, (50, 5, 5)))
    design = np.zeros((len(scores.pairings), 5))
    for row, (i, j) in enumerate(scores.pairings):
        design[row, i], design[row, j] = 1, -1
    solution = np.linalg.lstsq(design, scores.by_pair.mean(axis=0), rcond=None)[0]  # of least norm: mean 0
    assert [rating.mean for rating in additive_ratings(scores)] == pytest.approx(solution.tolist())


def test_two_entrants_have_the_interval_of_their_pairing() -> None:
    values = np.random.default_rng(1).normal(1, 4, 40)
    scores = Scores([1, 1], {(0, 1): values})
    expected = statistics.mean_estimate(values)
    assert scores.over(0, 1).high == pytest.approx(expected.high)
    assert scores.over(1, 0).low == pytest.approx(-(expected.high or 0))
    assert additive_ratings(scores, anchor=1)[0].low == pytest.approx(expected.low)


def test_intervals_of_ratings_hold_the_truth_as_often_as_they_say() -> None:
    """Pairings share the luck of a deal: as if they were independent, the intervals would be wrong."""
    rng = np.random.default_rng(2)
    truth = [3.0, 1, 0, -4]
    inside = [
        [holds(rating, r) for rating, r in zip(additive_ratings(scores), truth, strict=True)]
        for scores in (scores_of(noisy(differences(truth), 30, rng)) for _ in range(500))
    ]
    shares = np.mean(inside, axis=0)
    assert (shares > 0.92).all(), shares
    assert (shares < 0.98).all(), shares


def test_linearised_values_have_the_mean_and_the_spread_of_the_ratio() -> None:
    rng = np.random.default_rng(3)
    totals, counts = rng.normal(5, 3, 30), rng.integers(5, 12, 30).astype(float)
    values = statistics.mean_estimate(linearised(totals, counts))
    ratio = statistics.ratio_estimate(totals, counts)
    assert values.mean == pytest.approx(ratio.mean)
    assert values.error == pytest.approx(ratio.error)
    assert linearised(totals, np.ones(30)).tolist() == totals.tolist()


# --- circles


def test_the_test_rejects_as_often_as_it_says_where_the_model_is_right() -> None:
    for pairs, k in ((200, 4), (20, 5)):  # 20 pairs and 6 dimensions: chi-square would reject in 20% of cases
        rng = np.random.default_rng(4)
        means = differences(list(range(k)))
        fits = [additive_fit(scores_of(noisy(means, pairs, rng))) for _ in range(600)]
        p = np.array([fit.p for fit in fits if fit is not None])
        assert len(p) == 600
        assert 0.03 < (p < 0.05).mean() < 0.075
        assert 0.44 < (p < 0.5).mean() < 0.56


def test_rock_paper_scissors_is_found() -> None:
    """A circle of ±1 among luck of ±4 is found nearly always with 400 pairs, and named."""
    rng = np.random.default_rng(5)
    found = named = 0
    for _ in range(100):
        scores = scores_of(noisy(ROCK_PAPER_SCISSORS, 400, rng))
        fit, circle = additive_fit(scores), strongest_circle(scores)
        found += fit is not None and fit.p < 0.05
        named += circle is not None and circle.entrants in ((0, 2, 1), (2, 1, 0), (1, 0, 2))
    assert found > 90
    assert named > 90


def test_rock_paper_scissors_by_hand() -> None:
    """Three equal ratings, nothing explained, and a sum of 3 round the circle."""
    table = ROCK_PAPER_SCISSORS + np.random.default_rng(6).normal(0, 1e-3, (20, 3, 3))
    scores = scores_of(table)
    assert [rating.mean for rating in additive_ratings(scores)] == pytest.approx([0, 0, 0], abs=1e-2)
    fit, misfit, circle = additive_fit(scores), largest_misfit(scores), strongest_circle(scores)
    assert fit is not None
    assert misfit is not None
    assert circle is not None
    assert fit.p < 1e-9
    assert fit.explained < 1e-5
    assert fit.freedom == (1, 19)
    assert misfit.points.mean == pytest.approx(3, abs=1e-2)
    assert circle.points.mean == pytest.approx(1, abs=1e-2)


def test_a_misfit_need_not_be_a_circle() -> None:
    """a beats b by 1 and c by 10, b beats c by 10 as well: ratings do not add up, but the order is clear."""
    means = np.array([[0.0, 1, 10], [-1, 0, 10], [-10, -10, 0]])
    scores = scores_of(noisy(means, 2000, np.random.default_rng(7)))
    fit, misfit = additive_fit(scores), largest_misfit(scores)
    assert fit is not None
    assert misfit is not None
    assert fit.p < 0.01
    assert misfit.points.mean == pytest.approx(1, abs=0.5)
    assert strongest_circle(scores) is None


def test_identical_agents_take_a_dimension_away() -> None:
    table = noisy(differences([2.0, 1, 0, 0]), 100, np.random.default_rng(8))
    table[:, 2, 3] = 0
    table[:, 0, 3], table[:, 1, 3] = table[:, 0, 2], table[:, 1, 2]
    fit = additive_fit(scores_of(table))
    assert fit is not None
    assert fit.freedom == (1, 99)


@pytest.mark.parametrize(("pairs", "k"), [(100, 2), (1, 3), (3, 5)])
def test_where_nothing_can_be_tested(pairs: int, k: int) -> None:
    rng = np.random.default_rng(9)
    assert additive_fit(scores_of(noisy(np.zeros((k, k)), pairs, rng))) is None
    assert additive_fit(scores_of(np.zeros((50, 3, 3)))) is None


@pytest.mark.parametrize(
    ("x", "above", "below", "p"),
    [
        (161.4476, 1, 1, 0.05),
        (3.3258, 5, 10, 0.05),
        (2.6802, 3, 120, 0.05),
        (3.1373, 10, 9, 0.05),
        (4.8491, 10, 10, 0.01),
    ],
)
def test_tails_of_f(x: float, above: int, below: int, p: float) -> None:
    """Against printed tables, and the other side of the distribution."""
    assert f_tail(x, above, below) == pytest.approx(p, rel=1e-4)
    assert f_tail(x, above, below) + f_tail(1 / x, below, above) == pytest.approx(1)


@pytest.mark.parametrize("freedom", [1, 2, 7, 30, 1999])
def test_tails_of_f_and_of_student(freedom: int) -> None:
    assert f_tail(statistics.quantile(freedom) ** 2, 1, freedom) == pytest.approx(0.05, rel=1e-9)
    assert f_tail(statistics.quantile(freedom, 0.999) ** 2, 1, freedom) == pytest.approx(0.001, rel=1e-9)


@pytest.mark.parametrize("x", [0.1, 1.0, 5.0, 40.0])
def test_tails_of_f_with_two_degrees_above_have_a_closed_form(x: float) -> None:
    for below in (3, 100, 5_000_000):
        assert f_tail(x, 2, below) == pytest.approx((1 + 2 * x / below) ** (-below / 2), rel=1e-6)
    assert f_tail(0.0, 2, 5) == 1


# --- Bradley and Terry


def wins_of(share: np.ndarray, pairs: int, rng: np.random.Generator) -> Scores:
    """Pairs of matches won with the probabilities ``(k, k)``, less a half."""
    return scores_of((rng.random((2, pairs, *share.shape)) < share).mean(axis=0) - 0.5)


def test_two_agents_have_the_log_odds_of_their_wins() -> None:
    """30 of 40 pairs won, none halved, and one pair halved that is added: odds 30.5 to 10.5."""
    values = np.array([0.5] * 30 + [-0.5] * 10)
    a, b = win_ratings(Scores([1, 1], {(0, 1): values}), anchor=1)
    assert a.strength.mean == pytest.approx(math.log(30.5 / 10.5))
    assert a.share.mean == pytest.approx(30.5 / 41)
    assert (b.strength.mean, b.strength.error) == (0, 0)
    p = 30.5 / 41
    error = statistics.mean_estimate(values).error
    assert a.strength.error == pytest.approx((error or 0) * 40 / 41 / (p * (1 - p)))  # the delta method


def test_strengths_solve_the_equations() -> None:
    """Each agent has won as much as its strength lets expect, the added pair included."""
    wins = wins_of(np.full((4, 4), 0.6), 50, np.random.default_rng(10))
    strength = [rating.strength.mean or 0 for rating in win_ratings(wins)]
    assert sum(strength) == pytest.approx(0, abs=1e-9)
    for i in range(4):
        expected = sum(win_share(strength[i] - strength[j]) - 0.5 for j in range(4) if j != i)
        assert expected == pytest.approx(wins.means[i].sum() * 50 / 51)


def test_an_agent_that_wins_everything_has_a_finite_strength() -> None:
    strong = win_ratings(scores_of(np.triu(np.full((100, 3, 3), 0.5), 1)))
    assert 4 < (strong[0].strength.mean or 0) < 10
    assert strong[0].share.mean is not None
    assert strong[0].share.mean < 1


def test_intervals_of_strengths_hold_the_truth_as_often_as_they_say() -> None:
    rng = np.random.default_rng(11)
    truth = np.array([0.8, 0.1, -0.9])
    share = 1 / (1 + np.exp(-np.subtract.outer(truth, truth)))
    inside = [
        [holds(rating.strength, s) and holds(rating.share, win_share(s)) for rating, s in zip(row, truth, strict=True)]
        for row in (win_ratings(wins_of(share, 300, rng)) for _ in range(250))
    ]
    shares = np.mean(inside, axis=0)
    assert (shares > 0.92).all(), shares
    assert (shares < 0.98).all(), shares


# --- groups


def test_a_group_is_the_mean_of_its_members() -> None:
    x, y = np.array([1.0, 2, 6]), np.array([3.0, 0, 0])
    scores = Scores([2, 1], {(0, 2): x, (1, 2): y})
    estimate = scores.over(0, 1)
    assert estimate.mean == 2
    deals = np.var([2.0, 1, 3], ddof=1) / 3
    members = np.var([3.0, 1], ddof=1) / 2  # the members' means
    assert estimate.error == pytest.approx(math.sqrt(deals + members))
    freedom = (deals + members) ** 2 / (deals**2 / 2 + members**2 / 1)
    half = statistics.quantile(int(freedom)) * math.sqrt(deals + members)
    assert estimate.high == pytest.approx(2 + half)


def test_members_that_play_alike_add_nothing_to_the_error() -> None:
    x = np.random.default_rng(12).normal(1, 3, 30)
    group = Scores([3, 1], {(0, 3): x, (1, 3): x, (2, 3): x}).over(0, 1)
    alone = statistics.mean_estimate(x)
    assert group.low == pytest.approx(alone.low)
    assert group.error == pytest.approx(alone.error)


def test_intervals_of_groups_hold_the_mean_of_their_kind() -> None:
    """Members differ by ±1 and are on the same deals; what is asked for is the mean of all such members."""
    rng = np.random.default_rng(13)
    inside = []
    deals_alone = []
    for _ in range(250):
        strength = np.concatenate([3 + rng.normal(0, 1, 4), rng.normal(0, 1, 3), [1.0]])
        luck = rng.normal(0, 4, (200, 8))
        values = {
            (a, b): strength[a] - strength[b] + luck[:, a] - luck[:, b] + rng.normal(0, 2, 200)
            for a, b in combinations(range(8), 2)
        }
        scores = Scores([4, 3, 1], values)
        inside.append(
            [holds(scores.over(0, 1), 3), holds(scores.over(0, 2), 2), holds(additive_ratings(scores)[1], -4 / 3)]
        )
        deals_alone.append(holds(statistics.mean_estimate(scores.by_pair[:, 0]), 3))
    shares = np.mean(inside, axis=0)
    assert (shares > 0.93).all(), shares
    assert (shares < 0.995).all(), shares
    assert np.mean(deals_alone) < 0.8  # deals alone would promise too much


# --- cross-play


def points_of(value: Callable[[str, str, str], float], rng: np.random.Generator, pairs: int = 40):
    """Points of each setup: a value and luck, the same for (a, b) and (b, a)."""
    luck = {}

    def points(setup: Setup) -> np.ndarray:
        first, second = sorted(setup[:2])
        key = (first, second, setup.against)
        return value(*key) + luck.setdefault(key, rng.normal(0, 2, pairs))

    return points


def test_partners_who_add_up_have_no_gap() -> None:
    entrants = [Entrant("a", ("1",)), Entrant("g", ("2", "3", "4"))]
    quiet = points_of(lambda a, b, r: float(a) + float(b), np.random.default_rng(14), 1)
    cross = cross_play(entrants, "r", lambda setup: np.repeat(quiet(setup), 30) * 0 + float(setup[0]) + float(setup[1]))
    assert cross.names == ["a", "g.1", "g.2", "g.3"]
    assert cross.everybody.gap.mean == 0
    assert (cross.everybody.own.mean, cross.everybody.mixed.mean) == (5, 5)
    (group,) = cross.groups
    # members 2, 3, 4 with points 2m: their mean has a variance of 4 · 1 / 3, whichever pairs it is over
    assert group.own.error == pytest.approx(math.sqrt(4 / 3))
    assert group.mixed.error == pytest.approx(math.sqrt(4 / 3))
    assert (group.gap.mean, group.gap.error) == (0, 0)


def test_conventions_show_as_a_gap() -> None:
    """Agents of one kind understand each other: 3 points more than in a mixed pair."""
    entrants = [Entrant(name, (name,)) for name in ("1", "2", "3")]
    points = points_of(lambda a, b, r: float(a) + float(b) + 3 * (a == b), np.random.default_rng(15), 2000)
    cross = cross_play(entrants, "r", points)
    assert holds(cross.everybody.gap, 3)
    for i, j in combinations(range(3), 2):
        assert cross.cells[i][j] == cross.cells[j][i]
        assert holds(cross.cells[i][j], i + j + 2)


def test_the_pairs_themselves_as_the_reference() -> None:
    entrants = [Entrant("1", ("1",)), Entrant("2", ("2",))]
    assert set(cross_setups(entrants, ITSELF)) == {Setup("1", "2", "1"), Setup("1", "2", "2")}
    cross = cross_play(entrants, ITSELF, lambda setup: np.full(10, 5.0 if setup.against == "1" else 1.0))
    assert cross.cells[0][1].mean == 3
    assert cross.cells[0][0].mean == 0
    assert cross.everybody.gap.mean == -3


def test_two_members_say_nothing_of_the_spread_of_a_gap() -> None:
    cross = cross_play(
        [Entrant("g", ("1", "2")), Entrant("a", ("3",))], "r", points_of(lambda *_: 1.0, np.random.default_rng(16))
    )
    assert cross.groups[0].gap.mean is not None
    assert cross.groups[0].gap.low is None
