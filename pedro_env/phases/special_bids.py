"""Bids that are more than a number: when they are legal, and what they ask of the hand (RULES 3.1, 3.3, 7.16, 7.26)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from pedro_env.actions import FIRST_BID
from pedro_env.cards import NONE
from pedro_env.cardset import EMPTY
from pedro_env.state import State
from pedro_env.tables import Tables
from pedro_env.typing import BoolArray, IntArray, UInt64Array


def withhold(t: Tables, s: State, rows: IntArray, words: UInt64Array) -> None:
    """Take out of the legal words of a turn to bid the special bids that the seat may not make; higher ones are in."""
    for name, may_bid in _MAY_BID.items():
        bid = t.actions.bid_of(name)
        if bid != NONE:
            words[~may_bid(t, s, rows)] &= ~t.action_words[FIRST_BID + bid]


def nameable_suits(t: Tables, s: State, rows: IntArray) -> BoolArray:
    """``(k, 4)`` the suits that the declarer may name: after the bid 28-56 one that it was bid on."""
    suits = np.ones((len(rows), len(t.bid_needs)), np.bool_)
    if t.rules.bid_28_56:
        bound = s.contract[rows] == t.actions.bid_of("28-56")
        suits[bound] = _suits_held(t, s, rows[bound], s.declarer[rows[bound]])
    return suits


def must_raise_moon(t: Tables, s: State, rows: IntArray) -> BoolArray:
    """7.26: a moon that the partner bid with a negative score, while it stands."""
    declarer, seat = s.declarer[rows], s.to_act[rows]
    own = (s.contract[rows] == t.actions.bid_of("moon")) & (t.side_of[declarer] == t.side_of[seat])
    return own & (s.scores[rows, t.side_of[seat]] < 0)


def _never(t: Tables, s: State, rows: IntArray) -> BoolArray:
    return np.zeros(len(rows), np.bool_)


def _may_bid_28_56(t: Tables, s: State, rows: IntArray) -> BoolArray:
    """The dealer alone, over any bid (7.16); or any seat, over a bid in the dark alone (3.1)."""
    seat = s.to_act[rows]
    held = _suits_held(t, s, rows, seat).any(axis=1)
    if t.rules.bid_28_56_dealer_only:
        return held & (seat == s.dealer[rows])
    return held & (s.contract[rows] == t.actions.bid_of("dark"))


def _may_double_moon(t: Tables, s: State, rows: IntArray) -> BoolArray:
    """Over an opponent's moon (3.3)."""
    opponents = t.side_of[s.declarer[rows]] != t.side_of[s.to_act[rows]]
    return opponents & (s.contract[rows] == t.actions.bid_of("moon"))


def _suits_held(t: Tables, s: State, rows: IntArray, seats: IntArray) -> BoolArray:
    """``(k, 4)`` the suits of which a seat holds what the bid 28-56 needs."""
    return ~s.hand[rows, seats][:, None] & t.bid_needs == EMPTY


_MAY_BID: dict[str, Callable[[Tables, State, IntArray], BoolArray]] = {
    "dark": _never,
    "28-56": _may_bid_28_56,
    "double-moon": _may_double_moon,
}
"""Special bids that are not legal over every lower bid; ``dark`` has a phase of its own."""
