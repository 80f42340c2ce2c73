"""The only chance there is: who deals first and how the pack lies, as functions of seed, match and deal.

Both are integer hashes (SplitMix64's finalizer over a Weyl sequence), so that deal 7 of match 3 is the same in any
batch, order or process, on any machine and with any version of NumPy.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pedro_env.typing import FloatArray, Int64Array, IntArray, UInt8Array, UInt64Array

_WEYL = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_CARD_BITS = np.uint64(0x3F)

_PACK_STREAM = 0x7061636B
_DEALER_STREAM = 0x6465616C


def mix(x: UInt64Array) -> UInt64Array:
    """SplitMix64's finalizer: a bijection of 64-bit words in which every input bit stirs every output bit."""
    x = (x ^ (x >> np.uint64(30))) * _MIX_1
    x = (x ^ (x >> np.uint64(27))) * _MIX_2
    return x ^ (x >> np.uint64(31))


def key(seed: int, stream: int, parts: Sequence[IntArray | int]) -> UInt64Array:
    """A 64-bit hash of a seed, a stream's number and some integers; arrays broadcast."""
    state = mix(np.array([seed % 2**64], np.uint64)) + np.uint64(stream)
    for part in parts:
        state = mix(state * _WEYL + np.asarray(part).astype(np.uint64) + _WEYL)
    return state


def shuffled_packs(pack: Int64Array, seed: int, match: Int64Array, deal: IntArray) -> UInt8Array:
    """The packs of some deals, top card first: ``(n, cards)`` uint8.

    Each card draws 58 random bits and the pack is sorted by them, which makes every order equally likely.
    """
    base = key(seed, _PACK_STREAM, (match, deal))
    keys = mix(base[:, None] + np.arange(1, len(pack) + 1, dtype=np.uint64) * _WEYL)
    keys = (keys & ~_CARD_BITS) | pack.astype(np.uint64)
    keys.sort(axis=1)
    return (keys & _CARD_BITS).astype(np.uint8)


def first_dealers(seats: int, seed: int, match: Int64Array) -> Int64Array:
    """The first dealer of some matches: ``(n,)``."""
    return (key(seed, _DEALER_STREAM, (match,)) % np.uint64(seats)).astype(np.int64)


def same_cards(seed: Int64Array, match: Int64Array) -> Int64Array:
    """``(k,)`` the match of seed 0 that has the dealers and the packs of some seeds' matches.

    ``key`` mixes the seed and adds the match to a multiple of it, so another seed is another place at which
    the matches begin to count. One batch can so play matches of many seeds, and agents draw the same randomness.
    """
    start = mix(seed.astype(np.uint64)) * _WEYL
    return (start + match.astype(np.uint64)).astype(np.int64)


def uniform(seed: int, stream: int, parts: Sequence[IntArray | int]) -> FloatArray:
    """A hash of seed, stream and integers as numbers in [0, 1)."""
    return (key(seed, stream, parts) >> np.uint64(11)).astype(np.float64) * 2.0**-53
