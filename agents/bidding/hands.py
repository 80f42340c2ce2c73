"""What a hand is known by in the auction: its best suit, and what it holds of it.

The *best suit* is the one of which the hand holds the most trumps, if it were named (an off-five or off-jack, and the
jokers, count); of equally many, the one with the higher trumps; of equal ones, the first in the order S H D C. Trumps,
points and single cards of a hand are those of its best suit. This is the one definition in all tables and pictures.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pedro_env.cards import N_CARDS, N_SUITS
from pedro_env.cardset import to_bool
from pedro_env.rules import Rules
from pedro_env.tables import TRUMP_STRENGTH, tables_of
from pedro_env.typing import BoolArray, Int64Array, UInt64Array

_NAMES = {"T": "10", "f": "off-5", "j": "off-J", "X": "joker", "x": "joker 2"}


class Hands(NamedTuple):
    """k hands."""

    suit: Int64Array
    """``(k,)`` the best suit."""
    trumps: Int64Array
    """``(k,)`` how many trumps."""
    points: Int64Array
    """``(k,)`` the points on them."""
    holds: BoolArray
    """``(k, trumps of a suit)`` which trumps, high to low as in ``Rules.trump_order``."""


def read_hands(rules: Rules, hand: UInt64Array) -> Hands:
    """What is known of some card sets ``(k,)``."""
    order = _trumps_high_to_low(rules)
    holds = to_bool(hand[:, None], N_CARDS)[:, order]  # (k, suits, trumps)
    trumps = holds.sum(axis=2)
    # A number whose first digit (in base 2) is the highest trump: higher cards are worth more than all lower ones.
    height = holds @ (1 << np.arange(order.shape[1])[::-1])
    suit = (trumps * (1 << order.shape[1]) + height).argmax(axis=1)
    rows = np.arange(len(hand))
    worth = tables_of(rules).points[np.arange(N_SUITS)[:, None], order]
    points = (holds * worth).sum(axis=2)
    return Hands(suit, trumps[rows, suit], points[rows, suit], holds[rows, suit])


def shown_trumps(rules: Rules) -> dict[str, int]:
    """The trumps that tables show, by what they are called: A, K, Q and those with points; their places high to low."""
    points = dict(rules.points)
    shown = [(place, s) for place, s in enumerate(rules.trump_order) if s in "AKQ" or points.get(s)]
    return {_NAMES.get(symbol, symbol): place for place, symbol in shown}


def _trumps_high_to_low(rules: Rules) -> Int64Array:
    """``(4, trumps of a suit)`` cards by suit."""
    strength = tables_of(rules).strength[5 * np.arange(N_SUITS)].astype(np.int64)
    number = int((strength[0] >= TRUMP_STRENGTH).sum())
    return np.argsort(-strength, axis=1, kind="stable")[:, :number]
