"""Writing into the public marks of seats (``Layout.marks``): flags, and counts kept as so many ones."""

from __future__ import annotations

import numpy as np

from pedro_env.cardset import ONE
from pedro_env.state import State
from pedro_env.tables import Tables
from pedro_env.typing import BoolArray, IntArray, UInt64Array

WORD = 64


def set_mark(t: Tables, s: State, rows: IntArray, seats: IntArray, name: str, value: UInt64Array | int = 1) -> None:
    """Set bits of a mark that lies within one word."""
    mark = t.layout.mark(name)
    word, shift = divmod(mark.start, WORD)
    s.marks[rows, seats, word] |= np.asarray(value, np.uint64) << np.uint64(shift)


def clear_mark(t: Tables, s: State, rows: IntArray, seats: IntArray, name: str) -> None:
    """Clear a mark of one bit."""
    mark = t.layout.mark(name)
    word, shift = divmod(mark.start, WORD)
    s.marks[rows, seats, word] &= ~(ONE << np.uint64(shift))


def has_mark(t: Tables, s: State, rows: IntArray, name: str) -> BoolArray:
    """``(k, seats)`` a mark of one bit, of every seat."""
    mark = t.layout.mark(name)
    word, shift = divmod(mark.start, WORD)
    return (s.marks[rows, :, word] >> np.uint64(shift) & ONE).astype(np.bool_)


def set_bid(t: Tables, s: State, rows: IntArray, seats: IntArray, bids: IntArray) -> None:
    """Mark the bids that seats have made."""
    s.marks[rows, seats] |= t.mark_bit[t.layout.mark("bid").start + bids]


def has_bid(t: Tables, s: State, rows: IntArray, seats: IntArray, bid: int) -> BoolArray:
    """``(k,)`` whether a seat has made a bid."""
    word, shift = divmod(t.layout.mark("bid").start + bid, WORD)
    return (s.marks[rows, seats, word] >> np.uint64(shift) & ONE).astype(np.bool_)


def set_counts(t: Tables, s: State, rows: IntArray, name: str, counts: IntArray) -> None:
    """Write a count that was 0, for every seat: ``(k, seats)``."""
    word, shift = divmod(t.layout.mark(name).start, WORD)
    s.marks[rows, :, word] |= t.thermometer.take(counts) << np.uint64(shift)


def add_count(t: Tables, s: State, rows: IntArray, seats: IntArray, name: str, more: IntArray) -> None:
    """Raise a count that is kept as so many ones; it stops at its width."""
    mark = t.layout.mark(name)
    word, shift = divmod(mark.start, WORD)
    field = t.thermometer[mark.width] << np.uint64(shift)
    old = np.bitwise_count(s.marks[rows, seats, word] & field)
    s.marks[rows, seats, word] |= t.thermometer[np.minimum(old + more, mark.width)] << np.uint64(shift)


def mark_bits(t: Tables, s: State, rows: IntArray, seats: IntArray, name: str) -> UInt64Array:
    """``(k, width)`` zeros and ones: a mark bit by bit, wherever it lies."""
    mark = t.layout.mark(name)
    places = mark.start + np.arange(mark.width)
    words = s.marks[rows, seats][:, places // WORD]
    return words >> (places % WORD).astype(np.uint64) & ONE
