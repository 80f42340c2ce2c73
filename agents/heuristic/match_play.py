"""What a score is worth: the chance to win the match, and what it changes in the auction when a side is close to it.

The chance comes from the match played on and on with the outcomes of simulated deals (bid, points of the bidding side):
each side bids in half of them. Far from the target a point is a point; close to it only the match counts: a side
that needs three points does not bid to take eight, and in a deal played bidder out the bid that is made wins.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from agents.heuristic.knowledge import Floats
from agents.heuristic.tables import Tables, load
from pedro_env.typing import FloatArray, Int64Array, IntArray
from pedro_env.views import Views

CLOSE = 14
"""Within so many points of the target the match is looked at."""
_BIDDER_OUT_WITHIN = 7
_LOWEST = -80
_ROUNDS = 40
_BELOW = 6
"""The lowest bid of the tables, less one."""


@lru_cache(maxsize=16)
def win_chance(target: int) -> FloatArray:
    """``(scores, scores)`` chance that a side wins, by its score and the other's, each from ``_LOWEST`` on."""
    outcomes = load().outcomes.astype(np.float64)
    bids, points, share = outcomes[:, 0].astype(int), outcomes[:, 1].astype(int), outcomes[:, 2]
    scores = np.arange(_LOWEST, target + 16)
    own, other = np.meshgrid(scores, scores, indexing="ij")
    chance: FloatArray = np.clip(0.5 + 0.01 * (own - other), 0, 1).astype(np.float64)
    bidder_out = (own >= target - _BIDDER_OUT_WITHIN) & (other >= target - _BIDDER_OUT_WITHIN)
    for _ in range(_ROUNDS):
        padded = _settled(chance, scores, target)
        total = np.zeros_like(chance)
        for bid, taken, weight in zip(bids, points, share, strict=True):
            made = taken >= bid
            change = taken if made else -bid
            after = _shifted(padded, change, 14 - taken)
            total += 0.5 * weight * (np.where(bidder_out, 1.0, after) if made else after)
            after = _shifted(padded, 14 - taken, change)
            total += 0.5 * weight * (np.where(bidder_out, 0.0, after) if made else after)
        chance = total
    return _settled(chance, scores, target)


def chance_at(target: int, own: IntArray, other: IntArray) -> FloatArray:
    """``(k,)`` the chance that a side wins at some scores, of which none has decided the match."""
    chance = win_chance(target)
    place, others = (np.clip(score.astype(np.int64) - _LOWEST, 0, len(chance) - 1) for score in (own, other))
    return chance[place, others]


def _settled(chance: FloatArray, scores: Int64Array, target: int) -> FloatArray:
    """With the scores that have decided the match."""
    out = scores >= target
    settled = chance.copy()
    settled[out[:, None] & ~out] = 1
    settled[~out[:, None] & out] = 0
    return settled


def _shifted(table: FloatArray, own: int, other: int) -> FloatArray:
    """The table as seen after both scores have changed, clipped to its edges."""
    place = np.arange(len(table))
    last = len(table) - 1
    return table[np.ix_(np.clip(place + own, 0, last), np.clip(place + other, 0, last))]


@lru_cache(maxsize=1)
def mean_points() -> tuple[float, float]:
    """Points of the bidding side, on average, when it makes its bid and when it does not."""
    bids, points, share = load().outcomes.astype(np.float64).T
    made = points >= bids
    return float((points * share)[made].sum() / share[made].sum()), float(
        (points * share)[~made].sum() / max(share[~made].sum(), 1e-9)
    )


@lru_cache(maxsize=16)
def chance_after(target: int) -> FloatArray:
    """``(levels, scores, scores)`` chance to win once a side has made its bid (level 0), or lost one of 7, 8, … (1 …).

    Scores before the deal, the bidding side's first; averages over the points that it takes.
    """
    chance = win_chance(target)
    outcomes = load().outcomes.astype(np.float64)
    bids, points, share = outcomes[:, 0].astype(int), outcomes[:, 1].astype(int), outcomes[:, 2]
    made = points >= bids
    after = np.zeros((load().auction.shape[1], *chance.shape))
    for taken, weight in zip(points[made], share[made] / share[made].sum(), strict=True):
        after[0] += weight * _shifted(chance, taken, 14 - taken)
    for taken, weight in zip(points[~made], share[~made] / max(share[~made].sum(), 1e-9), strict=True):
        for level in range(1, len(after)):
            after[level] += weight * _shifted(chance, -(level + _BELOW), 14 - taken)
    return after


def match_correction(views: Views, figure: Floats, tables: Tables, row: Int64Array) -> FloatArray | float:
    """What the match adds to the worth of a pass and each bid, ``(k, levels)`` in points."""
    target = views.rules.target
    close = views.scores.max(axis=1) >= target - CLOSE
    if not close.any():
        return 0.0
    rows = np.flatnonzero(close)
    levels = tables.auction.shape[1]
    branch = np.einsum("kf,bkaf->bka", figure[rows], tables.branches[:, row[rows]]).clip(0.001, 1)
    unheard_of = branch.sum(axis=0) < 0.5
    branch[:, unheard_of] = np.array([0.1, 0.9, 0, 0])[:, None]
    branch /= branch.sum(axis=0)
    chance, after = win_chance(target), chance_after(target)
    zero = -_LOWEST
    scale = 20 / (chance[zero + 10, zero] - chance[zero, zero + 10])
    own, other = (np.clip(views.scores[rows, side].astype(int) - _LOWEST, 0, len(chance) - 1) for side in (0, 1))
    standing = np.clip(views.contract_number[rows] - _BELOW, 1, levels - 1)
    ours = np.where(np.arange(levels) > 0, np.arange(levels), standing[:, None])
    theirs = np.broadcast_to(standing[:, None], ours.shape)
    out = views.bidder_out[rows][:, None]
    own, other = own[:, None], other[:, None]
    worth = (
        np.where(out, 1, after[0][own, other]),  # RULES 2.12: bidder out, a bid that is made wins
        after[ours, own, other],
        np.where(out, 0, 1 - after[0][other, own]),
        1 - after[theirs, other, own],
    )
    taken, short = mean_points()
    changes = (2 * taken - 14, -(ours + _BELOW) - (14 - short), 14 - 2 * taken, theirs + _BELOW + (14 - short))
    correction = np.zeros((len(row), levels))
    for share, after_it, change in zip(branch, worth, changes, strict=True):
        correction[rows] += share * (scale * after_it - change)
    return correction
