"""The upper tail of the F distribution, with NumPy's and Python's means alone."""

from __future__ import annotations

import math

_SMALLEST = 1e-300
_ACCURACY = 1e-14
_MOST_TERMS = 100_000
"""The fraction needs some √max(a, b) terms: enough for billions of pairs."""


def f_tail(x: float, above: int, below: int) -> float:
    """P(F > x) with so many degrees of freedom above and below (Abramowitz & Stegun 26.6.2)."""
    if x <= 0:
        return 1.0
    return _incomplete_beta(below / (below + above * x), below / 2, above / 2)


def _incomplete_beta(x: float, a: float, b: float) -> float:
    """The regularised incomplete beta function I_x(a, b), on the side of the mode where the fraction converges."""
    if x <= 0 or x >= 1:
        return float(x >= 1)
    weight = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)
    if x < (a + 1) / (a + b + 2):
        return math.exp(weight) * _beta_fraction(x, a, b) / a
    return 1 - math.exp(weight) * _beta_fraction(1 - x, b, a) / b


def _beta_fraction(x: float, a: float, b: float) -> float:
    """1/(1 + d1/(1 + d2/(1 + …))) of Abramowitz & Stegun 26.5.8, evaluated forwards (Lentz's method)."""
    value, upper, lower = 1.0, 1.0, 0.0
    for term in range(1, _MOST_TERMS):
        m = term // 2
        if term % 2:
            d = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        else:
            d = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        lower = 1 / _away_from_zero(1 + d * lower)
        upper = _away_from_zero(1 + d / upper)
        value *= upper * lower
        if abs(upper * lower - 1) < _ACCURACY:
            break
    return 1 / value


def _away_from_zero(value: float) -> float:
    return value if abs(value) > _SMALLEST else _SMALLEST
