"""Sets of cards as ``uint64``: bit ``c`` is card ``c``. Arrays of sets of any shape; no word of any game."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from pedro_env.typing import BoolArray, IntArray, UInt8Array, UInt64Array

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


def count(sets: UInt64Array) -> UInt8Array:
    """The number of cards in each set."""
    return np.bitwise_count(sets)


def nth(sets: UInt64Array, k: IntArray) -> IntArray:
    """The ``k``-th lowest card number of each set (``k`` from 0, less than the set's count).

    Bytes side by side: running counts of the eight bytes by one multiplication, the byte by comparing them all with
    ``k`` at once, the bit within it from a table.
    """
    sets = np.ascontiguousarray(sets)
    per_byte = np.bitwise_count(sets.view(np.uint8)).view(np.uint64)
    up_to = per_byte * _EACH_BYTE
    wanted = k.astype(np.uint64)
    shift = np.bitwise_count(((wanted * _EACH_BYTE | _HIGH_BITS) - up_to) & _HIGH_BITS).astype(np.uint64) << _THREE
    within = wanted - (up_to << _EIGHT >> shift & _BYTE)
    return (shift + _NTH_IN_BYTE.take(((sets >> shift & _BYTE) << _THREE) + within)).astype(np.int64)


_THREE, _EIGHT, _BYTE = np.uint64(3), np.uint64(8), np.uint64(0xFF)
_EACH_BYTE = np.uint64(0x0101010101010101)
_HIGH_BITS = np.uint64(0x8080808080808080)
_NTH_IN_BYTE = np.array(
    [([bit for bit in range(8) if byte >> bit & 1] + [0] * 8)[k] for byte in range(256) for k in range(8)], np.uint8
)
"""By ``8 * byte + k``: the ``k``-th lowest bit of a byte."""


def to_bool(sets: UInt64Array, width: int) -> BoolArray:
    """``(..., words)`` sets to a ``(..., width)`` table of booleans: bit ``b`` of word ``w`` is column ``64 w + b``."""
    return to_bits(sets, width).view(np.bool_)


def to_bits(sets: UInt64Array, width: int) -> UInt8Array:
    """As ``to_bool``, as ``uint8`` 0 and 1."""
    little_endian = np.ascontiguousarray(sets, dtype="<u8")
    count = None if width == 64 * sets.shape[-1] else width  # a count costs half as much again
    return np.unpackbits(little_endian.view(np.uint8), axis=-1, count=count, bitorder="little")
