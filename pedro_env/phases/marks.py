"""Writing into the public marks of seats (``Layout.marks``): flags, and counts kept as so many ones."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from pedro_env.cardset import ONE
from pedro_env.state import State
from pedro_env.tables import Tables
from pedro_env.typing import BoolArray, IntArray, UInt64Array

WORD = 64


def set_mark(t: Tables, s: State, rows: IntArray, seats: IntArray, name: str, value: UInt64Array | int = 1) -> None:
    """Set bits of a mark that lies within one word."""
    word, shift, _ = _place(t, name)
    s.marks[rows, seats, word] |= np.asarray(value, np.uint64) << shift


def clear_mark(t: Tables, s: State, rows: IntArray, seats: IntArray, name: str) -> None:
    """Clear a mark of one bit."""
    word, shift, _ = _place(t, name)
    s.marks[rows, seats, word] &= ~(ONE << shift)


def has_mark(t: Tables, s: State, rows: IntArray, name: str) -> BoolArray:
    """``(k, seats)`` a mark of one bit, of every seat."""
    word, shift, _ = _place(t, name)
    return (s.marks[rows, :, word] >> shift & ONE).astype(np.bool_)


def set_bid(t: Tables, s: State, rows: IntArray, seats: IntArray, bids: IntArray) -> None:
    """Mark the bids that seats have made."""
    s.marks[rows, seats] |= t.mark_bit.take(t.layout.mark("bid").start + bids, axis=0)


def has_bid(t: Tables, s: State, rows: IntArray, seats: IntArray, bid: int) -> BoolArray:
    """``(k,)`` whether a seat has made a bid."""
    word, shift = divmod(t.layout.mark("bid").start + bid, WORD)
    return (s.marks[rows, seats, word] >> np.uint64(shift) & ONE).astype(np.bool_)


def set_counts(t: Tables, s: State, rows: IntArray, name: str, counts: IntArray) -> None:
    """Write a count that was 0, for every seat: ``(k, seats)``."""
    word, shift, _ = _place(t, name)
    marks = s.marks.take(rows, axis=0)
    marks[:, :, word] |= t.thermometer.take(counts) << shift
    s.marks[rows] = marks


def add_count(t: Tables, s: State, rows: IntArray, seats: IntArray, name: str, more: IntArray) -> None:
    """Raise a count that is kept as so many ones; it stops at its width."""
    word, shift, width = _place(t, name)
    marks, place = s.marks.reshape(-1), (rows * t.rules.seats + seats) * t.layout.mark_words + word
    old = marks.take(place)
    number = np.bitwise_count(old >> shift & t.thermometer[width]) + more
    marks[place] = old | t.thermometer.take(np.minimum(number, width)) << shift


@lru_cache(maxsize=1024)
def _place(t: Tables, name: str) -> tuple[int, np.uint64, int]:
    """The word that a mark begins in, where in it, and how wide it is."""
    mark = t.layout.mark(name)
    word, shift = divmod(mark.start, WORD)
    return word, np.uint64(shift), mark.width


def mark_bits(t: Tables, s: State, rows: IntArray, seats: IntArray, name: str) -> UInt64Array:
    """``(k, width)`` zeros and ones: a mark bit by bit, wherever it lies."""
    mark = t.layout.mark(name)
    places = mark.start + np.arange(mark.width)
    words = s.marks[rows, seats][:, places // WORD]
    return words >> (places % WORD).astype(np.uint64) & ONE
