"""Ratings: points a deal from an additive model, and Bradley and Terry's model of match wins."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from agents.statistics import Estimate
from agents.tournament.scores import Scores
from pedro_env.typing import FloatArray

_MOST_STEPS = 100
_LONGEST_STEP = 2.0
_ACCURACY = 1e-12


class WinRating(NamedTuple):
    """A rating on the logistic scale, and the share of matches it means against an agent rated 0."""

    strength: Estimate
    share: Estimate


def additive_ratings(scores: Scores, anchor: int | None = None) -> list[Estimate]:
    """Points a deal over the mean of all entrants (over ``anchor``, where there is one), for each entrant.

    The model is: mean difference of i over j = r_i − r_j. As every two entrants have met on the same deals, the least
    squares estimate with mean 0 is the mean of a row of the cross table, itself counted as 0: r_i = Σ_j m_ij / k.
    """
    weights = [_differences(scores, row) / scores.entrants for row in _contrasts(scores.entrants, anchor)]
    return [scores.estimate(w) for w in weights]


def win_ratings(wins: Scores, anchor: int | None = None) -> list[WinRating]:
    """Bradley and Terry's strengths s_i from shares of matches won: P(i beats j) = 1 / (1 + exp(s_j − s_i)).

    ``wins`` has the share that was won, less a half. To every pairing one pair is added in which both win one match, so
    that an agent that won all has a finite strength. Intervals are those of the estimating equations linearised at
    their solution, clustered by match number (a sandwich variance): the two tables of a pair, and the pairings
    of one match number, are not independent.
    """
    pairs = len(wins.by_pair)
    shrink = pairs / (pairs + 1)
    strength, information = _fit(wins.means * shrink)
    inverse = np.linalg.pinv(information, hermitian=True)
    ratings: list[WinRating] = []
    for row in _contrasts(wins.entrants, anchor):
        effect = wins.estimate(_differences(wins, row @ inverse) * shrink)
        ratings.append(_rating(float(row @ strength), effect))
    return ratings


def win_share(strength: float) -> float:
    """The share of matches won against an agent that is so much weaker."""
    return float(1 / (1 + np.exp(-strength)))


def _contrasts(entrants: int, anchor: int | None) -> FloatArray:
    """``(entrants, entrants)`` each rating as a sum of ratings with mean 0."""
    rows = np.eye(entrants)
    if anchor is not None:
        rows[:, anchor] -= 1
    return rows


def _differences(scores: Scores, row: FloatArray) -> FloatArray:
    """``(pairings,)`` the weights of the pairings in Σ_i row_i Σ_j m_ij."""
    return np.array([row[i] - row[j] for i, j in scores.pairings])


def _fit(excess: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Strengths with mean 0 for shares ``(k, k)`` less a half, and the information matrix, by Newton's method.

    The likelihood is concave and its maximum finite, as no share is 0 or 1. Steps are kept short, where the
    likelihood is far from a parabola.
    """
    strength = np.zeros(len(excess))
    for _ in range(_MOST_STEPS):
        gradient, information = _slope(excess, strength)
        step = np.linalg.pinv(information, hermitian=True) @ gradient
        strength = strength + step * min(1, _LONGEST_STEP / max(_ACCURACY, np.abs(step).max()))
        if np.abs(step).max() < _ACCURACY:
            break
    strength = strength - strength.mean()
    return strength, _slope(excess, strength)[1]


def _slope(excess: FloatArray, strength: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Gradient and information (its negative derivative) of the log likelihood."""
    expected = 1 / (1 + np.exp(strength[None, :] - strength[:, None]))
    np.fill_diagonal(expected, 0.5)
    variance = expected * (1 - expected)
    np.fill_diagonal(variance, 0)
    return (excess + 0.5 - expected).sum(axis=1), np.diag(variance.sum(axis=1)) - variance


def _rating(strength: float, effect: Estimate) -> WinRating:
    """The strength, with the error of its linearised effect."""
    if effect.mean is None or effect.low is None or effect.high is None:
        none = (None, None, effect.error, effect.pairs)
        return WinRating(Estimate(strength, *none), Estimate(win_share(strength), *none))
    low, high = strength + (effect.low - effect.mean), strength + (effect.high - effect.mean)
    share = win_share(strength)
    error = None if effect.error is None else effect.error * share * (1 - share)
    return WinRating(
        Estimate(strength, low, high, effect.error, effect.pairs),
        Estimate(share, win_share(low), win_share(high), error, effect.pairs),
    )
