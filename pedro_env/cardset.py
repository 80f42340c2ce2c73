"""Sets of cards as ``uint64``: bit ``c`` is card ``c``. Arrays of sets of any shape; no word of any game."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from pedro_env.typing import BoolArray, IntArray, UInt64Array

EMPTY = np.uint64(0)
ONE = np.uint64(1)

BIT: UInt64Array = ONE << np.arange(64, dtype=np.uint64)
"""``BIT[c]`` is the set of card ``c`` alone."""


def from_cards(cards: Iterable[int]) -> np.uint64:
    """The set of some card numbers."""
    total = 0
    for card in cards:
        total |= 1 << card
    return np.uint64(total)


def to_cards(cards: np.uint64 | int) -> list[int]:
    """The card numbers of one set, ascending."""
    value = int(cards)
    return [card for card in range(64) if value >> card & 1]


def count(sets: UInt64Array) -> UInt64Array | np.ndarray:
    """The number of cards in each set (``uint8``)."""
    return np.bitwise_count(sets)


def lowest(sets: UInt64Array) -> IntArray:
    """The lowest card number in each set; 64 where it is empty."""
    return np.bitwise_count((sets & (~sets + ONE)) - ONE).astype(np.int64)


def nth(sets: UInt64Array, k: IntArray) -> IntArray:
    """The ``k``-th lowest card number of each set (``k`` from 0, less than the set's count)."""
    rest = sets
    k = k.astype(np.uint8)
    position = np.zeros(sets.shape, np.uint64)
    for width in (32, 16, 8, 4, 2, 1):
        shift = np.uint64(width)
        below = np.bitwise_count(rest & ((ONE << shift) - ONE))
        higher = k >= below
        k = k - below * higher
        step = higher * shift
        position += step
        rest = rest >> step
    return position.astype(np.int64)


def to_bool(sets: UInt64Array, width: int) -> BoolArray:
    """``(..., words)`` sets to a ``(..., width)`` table of booleans: bit ``b`` of word ``w`` is column ``64 w + b``."""
    return to_bits(sets, width).view(np.bool_)


def to_bits(sets: UInt64Array, width: int) -> np.ndarray:
    """As ``to_bool``, as ``uint8`` 0 and 1."""
    little_endian = np.ascontiguousarray(sets, dtype="<u8")
    return np.unpackbits(little_endian.view(np.uint8), axis=-1, count=width, bitorder="little")
