"""Means with 95% intervals from observations in pairs.

The two deals of a duplicate pair share a pack and a dealer, so they are not independent, but pairs are. Everything here
therefore takes one value a pair and lets the pairs speak for the spread (a cluster-robust variance with pairs as
clusters). The quantile is that of Student's t with (pairs − 1) degrees of freedom, from ``NORMAL_FROM`` on the normal.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import ArrayLike

LEVEL = 0.95
NORMAL_FROM = 2000
"""Degrees of freedom from which the normal quantile is used: it differs by less than 0.1% there."""

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
    error = math.sqrt(float(residuals @ residuals) / (pairs - 1) / pairs)
    half = quantile(pairs - 1) * error
    return Estimate(ratio, ratio - half, ratio + half, error, pairs)


def rate_estimate(values: ArrayLike) -> Estimate:
    """The mean of one value in [0, 1] a pair, with an interval that stays inside [0, 1].

    Wilson's interval with the number of observations that the pairs are worth, mean (1 − mean) / error²: near the
    ends, where the usual interval is too narrow (a hundred wins of a hundred do not prove a rate of exactly 1).
    """
    estimate = mean_estimate(values)
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
