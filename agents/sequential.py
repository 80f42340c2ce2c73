"""When to stop playing: when an interval is narrow enough, or when one of two hypotheses has won.

A rule is given the pairs of one pairing, unit of work by unit, in order, and says when it has seen enough; so where
it stops does not depend on the number of processes. ``docs/statistics.md`` says what the rules cost, and how their
error rates were checked.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Literal, Protocol, TypeAlias

import numpy as np

from agents import statistics
from agents.statistics import Estimate
from pedro_env.typing import FloatArray

FIRST_LOOK = 200
"""Pairs before a rule may stop: of fewer, the spread is not known well enough."""

Measure: TypeAlias = Literal["points", "win_rate"]
"""Points a deal, or the share of matches won."""


class Rule(Protocol):
    """Says when a pairing has been played enough."""

    measure: Measure
    """Which values of a pair it looks at."""

    @property
    def pairs(self) -> int:
        """Pairs so far."""
        ...

    def add(self, totals: FloatArray, counts: FloatArray) -> bool:
        """Take the values of more pairs, ``(pairs,)`` each as for ``ratio_estimate``; whether they are enough."""
        ...

    def expected_pairs(self, most: int) -> int:
        """How many pairs it will be in all, as far as can be seen; at most ``most``."""
        ...


class RunningRatio:
    """``ratio_estimate`` of pairs that come bit by bit. It keeps sums: scores are small numbers, which it adds exactly.

    (An individual game's mean of some seats may be a third of a point: there, to some digits less than a float has.)
    """

    def __init__(self) -> None:
        self.pairs = 0
        self._sums = np.zeros(5)

    def add(self, totals: FloatArray, counts: FloatArray) -> None:
        """Add the values of some pairs, ``(pairs,)`` each."""
        y, n = totals, counts
        self.pairs += len(y)
        self._sums += (y.sum(), n.sum(), y @ y, y @ n, n @ n)

    def estimate(self) -> Estimate:
        """Of all pairs so far, of which there are two or more."""
        y, n, yy, yn, nn = self._sums.tolist()
        ratio = y / n
        squares = max(0.0, yy - 2 * ratio * yn + ratio * ratio * nn) / (n / self.pairs) ** 2
        return statistics.with_spread(ratio, squares, self.pairs)


class Until:
    """Stop when the half-width of the usual 95% interval is at most ``half_width`` (Chow and Robbins, 1965).

    The rule looks at the spread of the pairs and not at their mean, so the usual interval keeps its level.
    """

    def __init__(self, half_width: float, measure: Measure = "points") -> None:
        self.goal = half_width
        self.measure: Measure = measure
        self.reached = False
        self.half_width: float | None = None
        """That of all pairs so far."""
        self._seen = RunningRatio()

    @property
    def pairs(self) -> int:
        """Pairs so far."""
        return self._seen.pairs

    def add(self, totals: FloatArray, counts: FloatArray) -> bool:
        """As ``Rule.add``."""
        self._seen.add(totals, counts)
        if self.pairs < 2:
            return False
        estimate = self._seen.estimate()
        if self.measure == "win_rate":
            estimate = statistics.with_rate_interval(estimate)
        assert estimate.low is not None
        assert estimate.high is not None
        self.half_width = (estimate.high - estimate.low) / 2
        self.reached = self.half_width <= self.goal and self.pairs >= FIRST_LOOK
        return self.reached

    def expected_pairs(self, most: int) -> int:
        """As ``Rule.expected_pairs``: widths shrink with the root of the number of pairs."""
        if self.reached:
            return self.pairs
        if self.half_width is None:
            return most
        needed = math.ceil(self.pairs * (self.half_width / self.goal) ** 2)
        return min(most, max(FIRST_LOOK, needed))


class Sprt:
    """Decide whether a mean is ``h0`` or ``h1``: the generalised sequential probability ratio test for a normal mean.

    ``alpha`` is the error rate where the mean is ``h0`` (or beyond, seen from ``h1``), ``beta`` where it is ``h1`` (or
    beyond). The bounds are Wald's; that pairs come in units makes errors rarer, and the test a little longer.
    """

    def __init__(
        self, h0: float, h1: float, alpha: float = 0.05, beta: float = 0.05, measure: Measure = "points"
    ) -> None:
        self.h0, self.h1, self.alpha, self.beta = h0, h1, alpha, beta
        self.measure: Measure = measure
        self.lower, self.upper = math.log(beta / (1 - alpha)), math.log((1 - beta) / alpha)
        self.llr = 0.0
        """The logarithm of the likelihood ratio of ``h1`` to ``h0``, so far."""
        self._seen = RunningRatio()

    @property
    def pairs(self) -> int:
        """Pairs so far."""
        return self._seen.pairs

    @property
    def decision(self) -> Literal["h0", "h1"] | None:
        """The hypothesis that has won, so far."""
        if self.pairs < FIRST_LOOK or self.lower < self.llr < self.upper:
            return None
        return "h0" if self.llr < 0 else "h1"

    def add(self, totals: FloatArray, counts: FloatArray) -> bool:
        """As ``Rule.add``."""
        self._seen.add(totals, counts)
        if self.pairs >= 2:
            self.llr = log_likelihood_ratio(self._seen.estimate(), self.h0, self.h1)
        return self.decision is not None

    def expected_pairs(self, most: int) -> int:
        """As ``Rule.expected_pairs``: nobody knows before the decision."""
        return most if self.decision is None else self.pairs


def log_likelihood_ratio(estimate: Estimate, h0: float, h1: float) -> float:
    """log(likelihood of mean ``h1`` / of mean ``h0``) of normal values, each with the variance that fits it best.

    Those are s² + (mean − h)²; near the truth this is the textbook's pairs · (h1 − h0) · (mean − (h0 + h1) / 2) / s².
    The variance of the values is taken to be larger by (h1 − h0)² / pairs, as if one pair more had been off by that:
    so it is finite where all pairs are even.
    """
    assert estimate.mean is not None
    assert estimate.error is not None
    pairs = estimate.pairs
    spread = estimate.error**2 * (pairs - 1) + (h1 - h0) ** 2 / pairs
    return pairs / 2 * math.log((spread + (estimate.mean - h0) ** 2) / (spread + (estimate.mean - h1) ** 2))


NARROWEST_AT = 3000
"""Pairs at which an interval of ``anytime`` is narrowest, as a multiple of the usual one: 1.55 times."""

_BEST_MIXTURE = 8.21
"""Minimises the half-width below over pairs · ρ², at a level of 95%."""


def anytime(estimate: Estimate, lowest: float = -math.inf, highest: float = math.inf) -> Estimate:
    """An estimate with an interval that holds wherever one stops, whatever made one stop: a confidence sequence.

    The asymptotic one of Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas (Time-uniform central limit theory and
    asymptotic confidence sequences, 2024), after Robbins' normal mixture; cut off at what a mean can be.
    """
    if estimate.mean is None or estimate.error is None:
        return estimate
    spread = 1 + estimate.pairs * _BEST_MIXTURE / NARROWEST_AT
    log = math.log(math.sqrt(spread) / (1 - statistics.LEVEL))
    half = estimate.error * math.sqrt(2 * spread / (spread - 1) * log)
    return replace(estimate, low=max(lowest, estimate.mean - half), high=min(highest, estimate.mean + half))
