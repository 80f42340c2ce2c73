"""Does the additive model fit, and do agents beat each other in a circle?

A cross table m is the sum of a transitive part r_i − r_j and a cyclic part, which are orthogonal (a Hodge
decomposition). The cyclic part is 0 where the sums round all triangles are, and the triangles through the first agent
are a basis of it. A sum that is not 0 need not be a circle in which everybody beats the next: agents may beat a weak
one by less, or by more, than differences add up to. So circles are looked for by themselves.
"""

from __future__ import annotations

from itertools import combinations
from typing import NamedTuple

import numpy as np

from agents import statistics
from agents.statistics import Estimate
from agents.tournament.scores import Scores
from agents.tournament.tails import f_tail
from pedro_env.typing import FloatArray

_RANK_TOLERANCE = 1e-10
"""Of a covariance matrix, as a share of its largest eigenvalue: identical agents have equal rows."""


class Fit(NamedTuple):
    """The test of the additive model, and how much of the table it explains."""

    statistic: float
    """Hotelling's T², the Wald statistic of the cyclic part."""
    freedom: tuple[int, int]
    """Of T² as F: dimensions of the cyclic part that vary, pairs less those."""
    p: float
    explained: float
    """The share of the table's sum of squares that the ratings explain."""


class Triangle(NamedTuple):
    """Three entrants in a direction, and a figure of them, with an interval for all triangles at once (Bonferroni)."""

    entrants: tuple[int, int, int]
    points: Estimate


def additive_fit(scores: Scores) -> Fit | None:
    """Test that all sums round a triangle are 0; None with two entrants, too few pairs, or no spread at all.

    The covariance is clustered by deal. Members of a group are taken as they are: the question is whether these
    agents beat each other in a circle. T² is referred to F, which allows for the covariance being estimated: exact
    for normal values, chi-square for many pairs.
    """
    if scores.entrants < 3:
        return None
    means = scores.means
    transitive = means.mean(axis=1)[:, None] - means.mean(axis=1)[None, :]
    total = float((means**2).sum())
    explained = float((transitive**2).sum()) / total if total else 1.0
    round_ = scores.by_pair @ _basis(scores).T  # (pairs, triangles)
    pairs = len(round_)
    if pairs <= round_.shape[1]:
        return None
    values, vectors = np.linalg.eigh(np.atleast_2d(np.cov(round_.T)))
    varies = values > _RANK_TOLERANCE * max(float(values[-1]), 0)
    dimensions = int(varies.sum())
    if dimensions == 0:
        return None
    along = vectors[:, varies].T @ round_.mean(axis=0)
    statistic = float(pairs * (along**2 / values[varies]).sum())
    freedom = (dimensions, pairs - dimensions)
    scaled = statistic * freedom[1] / (dimensions * (pairs - 1))
    return Fit(statistic, freedom, f_tail(scaled, *freedom), explained)


def largest_misfit(scores: Scores) -> Triangle | None:
    """The triangle with the largest sum m_ab + m_bc + m_ca, and that; None with two entrants."""
    if scores.entrants < 3:
        return None
    m = scores.means
    a, b, c = max(_directed(scores), key=lambda t: m[t[0], t[1]] + m[t[1], t[2]] + m[t[2], t[0]])
    return Triangle((a, b, c), scores.estimate(_triangle(scores, a, b, c), _level(scores)))


def strongest_circle(scores: Scores) -> Triangle | None:
    """The circle in which everybody beats the next by most, and by how much at the weakest place; None without any."""
    m = scores.means

    def steps(triangle: tuple[int, int, int]) -> list[tuple[float, int, int]]:
        a, b, c = triangle
        return [(m[x, y], x, y) for x, y in ((a, b), (b, c), (c, a))]

    best = max(_directed(scores), key=lambda triangle: min(steps(triangle)), default=None)
    if best is None:
        return None
    least, winner, loser = min(steps(best))
    return Triangle(best, scores.over(winner, loser, _level(scores))) if least > 0 else None


def _directed(scores: Scores) -> list[tuple[int, int, int]]:
    """Every three entrants, both ways round."""
    triples = combinations(range(scores.entrants), 3)
    return [triangle for a, b, c in triples for triangle in ((a, b, c), (a, c, b))]


def _level(scores: Scores) -> float:
    """The level of one interval of as many as there are triangles, so that 95% hold for all."""
    return 1 - (1 - statistics.LEVEL) / (len(_directed(scores)) / 2)


def _basis(scores: Scores) -> FloatArray:
    """``(triangles through the first entrant, pairings)``."""
    return np.array([_triangle(scores, 0, i, j) for i, j in combinations(range(1, scores.entrants), 2)])


def _triangle(scores: Scores, a: int, b: int, c: int) -> FloatArray:
    """The weights of a over b, b over c and c over a."""
    weights = np.zeros(len(scores.pairings))
    for one, other in ((a, b), (b, c), (c, a)):
        weights[scores.pairings.index((min(one, other), max(one, other)))] = 1 if one < other else -1
    return weights
