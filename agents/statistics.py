"""Means with 95% intervals from observations in pairs.

The two deals of a duplicate pair share a pack and a dealer, so they are not independent, but pairs are. Everything here
therefore takes one value a pair and lets the pairs speak for the spread (a cluster-robust variance with pairs as
clusters). The quantile is that of Student's t with (pairs − 1) degrees of freedom, from ``NORMAL_FROM`` on the normal.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from statistics import NormalDist

import numpy as np
from numpy.typing import ArrayLike

LEVEL = 0.95
NORMAL_FROM = 2000
"""Degrees of freedom from which the normal quantile is used: it differs by less than 0.1% there."""

_RESAMPLES_AT_A_TIME = 100

METHOD = "95% intervals: Student's t (normal from 2,000 pairs) on one value a pair"


@dataclass(frozen=True)
class Estimate:
    """A mean and its interval; ``low`` and ``high`` are None where one pair (or none) says nothing of the spread."""

    mean: float | None
    low: float | None
    high: float | None
    error: float | None
    """The standard error of the mean."""
    pairs: int

    def __str__(self) -> str:
        if self.mean is None:
            return "–"
        if self.low is None or self.high is None:
            return f"{self.mean:+.2f}"
        return f"{self.mean:+.2f} [{self.low:+.2f}, {self.high:+.2f}]"


def mean_estimate(values: ArrayLike) -> Estimate:
    """The mean of one value a pair, ``(pairs,)``."""
    x = np.asarray(values, np.float64)
    return ratio_estimate(x, np.ones(len(x)))


def ratio_estimate(totals: ArrayLike, counts: ArrayLike) -> Estimate:
    """``sum(totals) / sum(counts)``, both ``(pairs,)``: e.g. points a deal where pairs differ in the number of deals.

    The variance is that of the residuals ``totals − ratio × counts`` over pairs (the delta method; for equal counts
    exactly the variance of a mean).
    """
    y, n = np.asarray(totals, np.float64), np.asarray(counts, np.float64)
    pairs = len(y)
    if pairs == 0 or n.sum() == 0:
        return Estimate(None, None, None, None, pairs)
    ratio = float(y.sum() / n.sum())
    if pairs == 1:
        return Estimate(ratio, None, None, None, pairs)
    residuals = (y - ratio * n) / n.mean()
    return with_spread(ratio, float(residuals @ residuals), pairs)


def with_spread(mean: float, squares: float, pairs: int) -> Estimate:
    """A mean over two or more pairs with its interval, from the sum of the squares of their residuals."""
    error = math.sqrt(squares / (pairs - 1) / pairs)
    half = quantile(pairs - 1) * error
    return Estimate(mean, mean - half, mean + half, error, pairs)


def rate_estimate(values: ArrayLike) -> Estimate:
    """The mean of one value in [0, 1] a pair, with an interval that stays inside [0, 1].

    Wilson's interval with the number of observations that the pairs are worth, mean (1 − mean) / error²: near the
    ends, where the usual interval is too narrow (a hundred wins of a hundred do not prove a rate of exactly 1).
    """
    return with_rate_interval(mean_estimate(values))


def with_rate_interval(estimate: Estimate) -> Estimate:
    """The interval of ``rate_estimate`` in place of that of a mean of values in [0, 1]."""
    p, error, pairs = estimate.mean, estimate.error, estimate.pairs
    if p is None or error is None:
        return estimate
    z = quantile(pairs - 1)
    if error > 0:
        worth = p * (1 - p) / error**2
    elif p in (0.0, 1.0):
        worth = float(pairs)
    else:  # every pair is split evenly: there is no spread at all
        return estimate
    middle = (p + z * z / (2 * worth)) / (1 + z * z / worth)
    half = z / (1 + z * z / worth) * math.sqrt(p * (1 - p) / worth + z * z / (4 * worth * worth))
    return Estimate(p, max(0.0, middle - half), min(1.0, middle + half), error, pairs)


def control_coefficient(values: ArrayLike, covariate: ArrayLike) -> float:
    """The coefficient with which a covariate explains most of ``values``, ``(pairs,)`` both: covariance / variance.

    It is for ``controlled_estimate`` on *other* pairs: used on its own it would bias the mean and shorten the interval.
    """
    y, c = np.asarray(values, np.float64), np.asarray(covariate, np.float64)
    centred = c - c.mean()
    variance = float(centred @ centred)
    return float(centred @ y) / variance if variance else 0.0


def controlled_estimate(
    values: ArrayLike, covariate: ArrayLike, coefficient: float, expectation: float = 0.0
) -> Estimate:
    """The mean of one value a pair, less the luck that a covariate shows, ``(pairs,)`` both: a control variate.

    It has no bias where ``expectation`` is the covariate's true mean, *whatever the agents do*, and ``coefficient`` was
    fixed before these pairs were seen. Luck of the deal is no such covariate: a duplicate pair's is zero anyway.
    """
    c = np.asarray(covariate, np.float64)
    return mean_estimate(np.asarray(values, np.float64) - coefficient * (c - expectation))


def bootstrap_interval(
    totals: ArrayLike, counts: ArrayLike, resamples: int, rng: np.random.Generator
) -> tuple[float, float] | None:
    """The percentile interval of ``sum(totals) / sum(counts)``, pairs drawn anew with replacement; None where there
    are none.

    Of a resample only matters how often each distinct pair of values is in it, and that is multinomial: so its cost
    depends on how many distinct values there are (some 60 to 90 for single deals), not on how many pairs.
    """
    pairs = np.stack([np.asarray(totals, np.float64), np.asarray(counts, np.float64)], axis=1)
    if not pairs[:, 1].any():
        return None
    values, times = np.unique(pairs, axis=0, return_counts=True)
    ratios = np.empty(resamples)
    for start in range(0, resamples, _RESAMPLES_AT_A_TIME):
        part = ratios[start : start + _RESAMPLES_AT_A_TIME]
        total, count = (rng.multinomial(len(pairs), times / len(pairs), len(part)) @ values).T
        part[:] = total / count
    low, high = np.quantile(ratios, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return float(low), float(high)


@lru_cache(maxsize=NORMAL_FROM)
def quantile(freedom: int, level: float = LEVEL) -> float:
    """The two-sided quantile of Student's t, of the normal distribution from ``NORMAL_FROM`` degrees of freedom."""
    normal = NormalDist().inv_cdf((1 + level) / 2)
    if freedom >= NORMAL_FROM:
        return normal
    low, high = normal, 2 * normal
    while _inside(high, freedom) < level:
        high *= 2
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if _inside(middle, freedom) < level else (low, middle)
    return high


def _inside(t: float, freedom: int) -> float:
    """P(|T| < t) for a whole number of degrees of freedom (Abramowitz & Stegun 26.7.3, 26.7.4)."""
    angle = math.atan2(t, math.sqrt(freedom))
    cosine_squared = math.cos(angle) ** 2
    term = total = 1.0
    for i in range(2 + freedom % 2, freedom - 1, 2):
        term *= cosine_squared * (i - 1) / i
        total += term
    if freedom % 2 == 0:
        return math.sin(angle) * total
    more = math.sin(angle) * math.cos(angle) * total if freedom > 1 else 0.0
    return 2 / math.pi * (angle + more)
