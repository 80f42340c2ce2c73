"""From the naming of trumps to the first lead: laying aside, filling, robbing (RULES 2.6–2.8 and the variants)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from pedro_env.actions import Phase
from pedro_env.cardset import BIT, EMPTY, count
from pedro_env.phases.marks import add_count, set_counts
from pedro_env.rules import Exchange
from pedro_env.state import State
from pedro_env.tables import Tables
from pedro_env.typing import IntArray, UInt8Array, UInt64Array


def begin(t: Tables, s: State, rows: IntArray) -> IntArray:
    """Do all that leaves no choice; returns the rows in which nothing is left to choose."""
    return _BEGIN[t.rules.exchange](t, s, rows)


def take_kitty(t: Tables, s: State, rows: IntArray) -> None:
    """The declarer takes the kitty."""
    declarer = s.declarer[rows]
    s.hand[rows, declarer] |= s.kitty[rows]
    s.kitty[rows] = EMPTY
    add_count(t, s, rows, declarer, "drawn", np.full(len(rows), t.rules.kitty))


def legal(t: Tables, s: State, rows: IntArray) -> UInt64Array:
    """The cards that the seat to act may take (rob) or lay aside (discard)."""
    words = np.zeros((len(rows), t.legal_words), np.uint64)
    plain = t.plain[s.trump[rows]]
    robbing = s.phase[rows] == Phase.ROB
    words[:, 0] = np.where(robbing, s.stock[rows], s.hand[rows, s.to_act[rows]] & plain)
    return words


def apply(t: Tables, s: State, rows: IntArray, action: IntArray) -> IntArray:
    """Move one card; returns the rows in which the exchange is over."""
    if Phase.DISCARD not in t.actions.phases:
        return _rob_one(t, s, rows, action)
    robbing = s.phase[rows] == Phase.ROB
    robbed = _rob_one(t, s, rows[robbing], action[robbing])
    shed = _shed_one(t, s, rows[~robbing], action[~robbing])
    return np.concatenate([robbed, shed])


# --- laying aside and filling


def _lay_aside_plain(t: Tables, s: State, rows: IntArray) -> None:
    """RULES 2.6: every seat lays aside all its plain cards, face down."""
    hands = s.hand[rows]
    plain = hands & t.plain[s.trump[rows]][:, None]
    s.laid_aside[rows] = plain
    s.hand[rows] = hands ^ plain
    set_counts(t, s, rows, "laid_aside", count(plain))


def _fill(t: Tables, s: State, rows: IntArray, seats: int) -> UInt64Array:
    """RULES 2.7: from eldest on, ``seats`` hands are filled from the top of the stock. Returns what is left of it."""
    stock = s.pack[rows, t.stock_start :]
    size = stock.shape[1]
    before = np.zeros((len(rows), size + 1), np.uint64)
    np.cumsum(BIT.take(stock), axis=1, out=before[:, 1:])  # distinct bits: a sum of cards is their set
    k = np.arange(len(rows))[:, None]
    order = (s.dealer[rows][:, None] + np.arange(1, seats + 1)) % t.rules.seats
    hands = s.hand[rows[:, None], order]
    need = np.maximum(t.rules.hand - count(hands).astype(np.int64), 0)
    end = np.minimum(need.cumsum(axis=1), size)
    cards_up_to = before[k, end]
    from_stock = cards_up_to.copy()
    from_stock[:, 1:] -= cards_up_to[:, :-1]
    s.hand[rows[:, None], order] = hands | from_stock
    drawn = np.zeros((len(rows), t.rules.seats), np.int64)
    drawn[k, order] = count(from_stock)
    set_counts(t, s, rows, "drawn", drawn)
    s.stock_next[rows] = t.stock_start + end[:, -1]
    if (end[:, -1] == size).any():
        short, place = np.nonzero(count(from_stock) < need)
        _take_back(t, s, rows[short], order[short, place])
    return before[:, -1] - cards_up_to[:, -1]


def _take_back(t: Tables, s: State, rows: IntArray, seats: IntArray) -> None:
    """RULES 2.7: the stock has run out; the last dealt of the plain cards laid aside come back."""
    from_eldest = (seats - s.dealer[rows] - 1) % t.rules.seats
    last_dealt_first = s.pack[rows[:, None], t.deal_positions[from_eldest, ::-1]]
    hand, laid_aside = s.hand[rows, seats], s.laid_aside[rows, seats]
    back = _first_of(last_dealt_first, laid_aside, t.rules.hand - count(hand).astype(np.int64))
    s.hand[rows, seats] = hand | back
    s.laid_aside[rows, seats] = laid_aside ^ back


def _first_of(cards: UInt8Array, among: UInt64Array, number: IntArray) -> UInt64Array:
    """The first ``number`` of some cards, in their order, that belong to a set: ``(k,)`` sets."""
    bits = BIT.take(cards)
    there = bits & among[:, None] != EMPTY
    return np.where(there & (there.cumsum(axis=1) <= number[:, None]), bits, EMPTY).sum(axis=1)


def _begin_none(t: Tables, s: State, rows: IntArray) -> IntArray:
    return rows


def _begin_fill(t: Tables, s: State, rows: IntArray) -> IntArray:
    """All plain cards go, every seat is filled (catch-five)."""
    _lay_aside_plain(t, s, rows)
    _fill(t, s, rows, t.rules.seats)
    return rows


# --- robbing


def _begin_rob(t: Tables, s: State, rows: IntArray) -> IntArray:
    """RULES 2.6–2.8: all plain cards go, three seats are filled, the dealer takes every trump that is left."""
    _lay_aside_plain(t, s, rows)
    stock = _fill(t, s, rows, t.rules.seats - 1)
    dealer = s.dealer[rows]
    trumps = stock & t.trumps[s.trump[rows]]
    hand = s.hand[rows, dealer] | trumps
    rest = stock ^ trumps
    need = np.maximum(t.rules.hand - count(hand).astype(np.int64), 0)
    there = count(rest)
    chosen = (need > 0) & (there > need)  # "no decision where the whole rest is needed or nothing is" (2.8)
    taken = np.where((need > 0) & ~chosen, rest, EMPTY)
    if t.rules.rob_top_plain:
        taken[chosen] = _first_of(s.pack[rows[chosen], t.stock_start :], rest[chosen], need[chosen])
        chosen[:] = False
    s.hand[rows, dealer] = hand | taken
    s.robber[rows] = dealer
    s.stock[rows] = rest ^ taken
    add_count(t, s, rows, dealer, "drawn", count(trumps | taken))
    short = there < need
    if short.any():
        _take_back(t, s, rows[short], dealer[short])
    choosing = rows[chosen]
    s.phase[choosing] = Phase.ROB
    s.to_act[choosing] = dealer[chosen]
    return rows[~chosen]


def _rob_one(t: Tables, s: State, rows: IntArray, card: IntArray) -> IntArray:
    seat, bit = s.to_act[rows], BIT[card]
    s.hand[rows, seat] |= bit
    s.stock[rows] ^= bit
    add_count(t, s, rows, seat, "drawn", np.ones(len(rows), np.int64))
    return rows[count(s.hand[rows, seat]) >= t.rules.hand]


# --- shedding


def _begin_shed(t: Tables, s: State, rows: IntArray) -> IntArray:
    """Every seat, from eldest on, lays aside plain cards of its choice down to the size of a hand."""
    return _shed_from(t, s, rows, np.zeros(len(rows), np.int64))


def _shed_from(t: Tables, s: State, rows: IntArray, offset: IntArray) -> IntArray:
    """Go on with the seat that is ``offset`` places from eldest; returns the rows in which all have shed."""
    for place in range(t.rules.seats):
        seat = (s.dealer[rows] + 1 + place) % t.rules.seats
        plain = s.hand[rows, seat] & t.plain[s.trump[rows]]
        surplus = count(s.hand[rows, seat]).astype(np.int64) - t.rules.hand
        due = (place >= offset) & (surplus > 0)
        whole = due & (count(plain) <= surplus)
        _lay_aside(t, s, rows[whole], seat[whole], plain[whole])
        choosing = due & ~whole
        s.phase[rows[choosing]] = Phase.DISCARD
        s.to_act[rows[choosing]] = seat[choosing]
        rows, offset = rows[~choosing], offset[~choosing]
    return rows


def _shed_one(t: Tables, s: State, rows: IntArray, card: IntArray) -> IntArray:
    seat = s.to_act[rows]
    _lay_aside(t, s, rows, seat, BIT[card])
    finished = count(s.hand[rows, seat]) <= t.rules.hand
    rows, seat = rows[finished], seat[finished]
    return _shed_from(t, s, rows, (seat - s.dealer[rows] - 1) % t.rules.seats + 1)


def _lay_aside(t: Tables, s: State, rows: IntArray, seats: IntArray, cards: UInt64Array) -> None:
    s.hand[rows, seats] ^= cards
    s.laid_aside[rows, seats] |= cards
    add_count(t, s, rows, seats, "laid_aside", count(cards))


_BEGIN: dict[Exchange, Callable[[Tables, State, IntArray], IntArray]] = {
    Exchange.NONE: _begin_none,
    Exchange.FILL: _begin_fill,
    Exchange.ROB: _begin_rob,
    Exchange.SHED: _begin_shed,
}
IMPLEMENTED = frozenset(_BEGIN)
