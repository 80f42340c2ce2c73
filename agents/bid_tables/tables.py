"""From samples to figures: by seat and kind of hand, the chance to make each bid, and what it is expected to score."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from agents.bid_tables.kinds import Kinds
from agents.bid_tables.samples import SEATS, WAYS, Samples, bid_numbers, seat_group
from pedro_env.rules import Rules
from pedro_env.typing import FloatArray, Int64Array

DIGITS = {"make": 4, "gain": 2, "passing": 2}
"""After the point: tables are rounded when they are made, so that a file that is read again says the same."""


class Means(NamedTuple):
    """Means and their standard errors; NaN where there is nothing to say."""

    mean: FloatArray
    error: FloatArray


class BidTables(NamedTuple):
    """S = ``len(SEATS)``, K kinds, W = ``len(WAYS)``, B bids. A share or mean of no hands is NaN."""

    deals: int
    numbers: Int64Array
    """``(B,)`` the bids."""
    points: Int64Array
    """``(S, K, W, total + 1)`` hands by the points that their side takes."""
    make: Means
    """``(S, K, W, B)`` the chance to take as many points as was bid."""
    gain: Means
    """``(S, K, W, B)`` what the side scores more than the other, a deal, if the hand declares at that bid."""
    passing: Means
    """``(S, K)`` the same if the hand passes (``Samples.passing``)."""

    @property
    def hands(self) -> Int64Array:
        """``(S, K)``"""
        return self.points[:, :, 0].sum(axis=-1)

    def bid_up_to(self) -> Int64Array:
        """``(S, K, W)`` the highest bid at which declaring is expected to score more than passing; -1: none.

        Passing is played by ``heuristic-1`` either way.
        """
        gains = self.gain.mean > self.passing.mean[:, :, None, None]
        return np.where(gains, self.numbers, -1).max(axis=-1)


def tabulate(rules: Rules, samples: Samples) -> BidTables:
    """The tables of samples. The seats of a deal are one observation of their cell in the standard errors."""
    deal, column = (index.reshape(-1) for index in np.indices(samples.kind.shape))
    kinds = Kinds(rules).n
    cells = len(SEATS) * kinds
    cell = seat_group(column) * kinds + samples.kind[deal, column]
    points, gain = samples.points[deal, column].astype(np.int64), samples.gain[deal, column]
    numbers = np.array(list(bid_numbers(rules)))
    histogram = np.zeros((cells, len(WAYS), rules.total_points + 1), np.int64)
    for way in range(len(WAYS)):
        np.add.at(histogram[:, way], (cell, points[:, way]), 1)

    made = points[:, :, None] >= numbers
    passing = samples.passing[deal, column]
    values = np.concatenate([part.reshape(len(cell), -1) for part in (made, gain, passing)], axis=1, dtype=np.float64)
    mean, error = _means(cell, deal, values, cells, len(samples.kind))
    shape = (len(SEATS), kinds, len(WAYS), len(numbers))
    ends = np.cumsum([made[0].size, gain[0].size])
    parts = zip(np.split(mean, ends, axis=1), np.split(error, ends, axis=1), strict=True)
    make, gains, passed = (Means(*part) for part in parts)
    return BidTables(
        len(samples.kind),
        numbers,
        histogram.reshape(len(SEATS), kinds, len(WAYS), -1),
        _shaped(make, shape, DIGITS["make"]),
        _shaped(gains, shape, DIGITS["gain"]),
        _shaped(passed, shape[:2], DIGITS["passing"]),
    )


def _shaped(means: Means, shape: tuple[int, ...], digits: int) -> Means:
    return Means(*(part.reshape(shape).round(digits) for part in means))


def _means(cell: Int64Array, deal: Int64Array, values: FloatArray, cells: int, deals: int) -> Means:
    """``(cells, V)`` means of values ``(k, V)`` by cell, as ``statistics.ratio_estimate`` with deals as pairs."""
    order = np.lexsort((deal, cell))
    cell, deal, values = cell[order], deal[order], values[order]
    first = np.flatnonzero(np.diff(cell, prepend=-1) | np.diff(deal, prepend=-1))  # of one deal's hands in a cell
    counts = np.diff(first, append=len(cell))[:, None]
    totals = np.add.reduceat(values, first, axis=0)
    count = np.bincount(cell, minlength=cells)[:, None]
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = _by_cell(totals, cell[first], cells) / count
        squares = _by_cell((totals - counts * mean[cell[first]]) ** 2, cell[first], cells)
        error = np.sqrt(squares * deals / (deals - 1)) / count
    alone = np.bincount(cell[first], minlength=cells) < 2  # one deal says nothing of the spread
    error[alone] = np.nan
    return Means(mean, error)


def _by_cell(values: FloatArray, cell: Int64Array, cells: int) -> FloatArray:
    sums = np.zeros((cells, values.shape[1]))
    np.add.at(sums, cell, values)
    return sums
