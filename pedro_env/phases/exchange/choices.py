"""What a seat may choose from, as pure functions of the state, and how many cards it must choose at least.

Each is asked again after every card, so that "down to six" is what is left to do, not a count kept somewhere.
"""

from __future__ import annotations

import numpy as np

from pedro_env.cards import N_CARDS
from pedro_env.cardset import BIT, EMPTY, count, to_bool
from pedro_env.phases.exchange.moves import aside
from pedro_env.phases.exchange.steps import Cards, Choice, Seats
from pedro_env.state import State
from pedro_env.tables import Tables
from pedro_env.typing import IntArray, UInt64Array


def _exactly(number: IntArray, cards: UInt64Array) -> Choice:
    """So many of some cards (all of them, if there are fewer); no choice where the number is 0 or less."""
    return np.where(number > 0, cards, EMPTY), np.minimum(number, count(cards))


def _size(cards: UInt64Array) -> IntArray:
    return count(cards).astype(np.int64)


# --- a number that is fixed


def plain_down_to_hand(t: Tables, s: State, rows: IntArray, seats: IntArray) -> Choice:
    """Plain cards of its choice down to the size of a hand; with as many trumps, all of them."""
    hand = s.hand[rows, seats]
    return _exactly(_size(hand) - t.rules.hand, hand & t.plain[s.trump[rows]])


def surplus_without_points(t: Tables, s: State, rows: IntArray, seats: IntArray) -> Choice:
    """With more trumps than a hand: trumps without points, as far as they go."""
    trump = s.trump[rows]
    trumps = s.hand[rows, seats] & t.trumps[trump]
    return _exactly(_size(trumps) - t.rules.hand, trumps & ~t.point_cards[trump])


def least_valuable_surplus(t: Tables, s: State, rows: IntArray, seats: IntArray) -> Choice:
    """With more trumps than a hand: the least valuable; among equals the seat chooses (7.10)."""
    trump = s.trump[rows]
    trumps = s.hand[rows, seats] & t.trumps[trump]
    excess = _size(trumps) - t.rules.hand
    some = np.flatnonzero(excess > 0)
    held = to_bool(trumps[some, None], N_CARDS)
    worth = np.where(held, t.points[trump[some]], np.iinfo(np.int8).max)
    least = worth == worth.min(axis=1, keepdims=True)
    cards = np.zeros_like(trumps)
    cards[some] = ((held & least) * BIT[:N_CARDS]).sum(axis=1)
    return _exactly(excess, cards)


def any_surplus(t: Tables, s: State, rows: IntArray, seats: IntArray) -> Choice:
    """With more trumps than a hand: trumps of its choice, down to a hand."""
    trumps = s.hand[rows, seats] & t.trumps[s.trump[rows]]
    return _exactly(_size(trumps) - t.rules.hand, trumps)


def for_kitty(t: Tables, s: State, rows: IntArray, seats: IntArray) -> Choice:
    """3.4 lipton: as many as it took; never a point trump unless it has nothing else."""
    hand = s.hand[rows, seats]
    others = hand & ~t.point_cards[s.trump[rows]]
    return _exactly(_size(hand) - t.rules.hand, np.where(others == EMPTY, hand, others))


def from_stock(t: Tables, s: State, rows: IntArray, seats: IntArray) -> Choice:
    """RULES 2.8: cards of the stock up to a hand."""
    return _exactly(t.rules.hand - _size(s.hand[rows, seats]), s.stock[rows])


# --- a number that is free


def any_plain(t: Tables, s: State, rows: IntArray, seats: IntArray) -> Choice:
    """7.13 keep_plain: any plain cards; at most a hand may be kept."""
    hand = s.hand[rows, seats]
    return hand & t.plain[s.trump[rows]], _size(hand) - t.rules.hand


def any_trumps(t: Tables, s: State, rows: IntArray, seats: IntArray) -> Choice:
    """7.14 rob_discards: any trumps."""
    trumps = s.hand[rows, seats] & t.trumps[s.trump[rows]]
    return trumps, np.zeros(len(rows), np.int64)


def any_trumps_down_to_hand(t: Tables, s: State, rows: IntArray, seats: IntArray) -> Choice:
    """7.14 rob_discards with six at most: any trumps, until at most a hand is left."""
    hand = s.hand[rows, seats]
    return hand & t.trumps[s.trump[rows]], _size(hand) - t.rules.hand


def any_down_to_hand(t: Tables, s: State, rows: IntArray, seats: IntArray) -> Choice:
    """Any cards; at most a hand may be kept (3.1 nicaragua; 7.14 rob_discards with keep_plain)."""
    hand = s.hand[rows, seats]
    return hand, _size(hand) - t.rules.hand


def any_that_can_be_filled(t: Tables, s: State, rows: IntArray, seats: IntArray) -> Choice:
    """3.1 cinch: at least three, and no more than what the seats before have left in the stock can fill."""
    rules = t.rules
    dealt_over = rules.dealt - rules.hand
    stock = len(t.pack) - t.stock_start
    place = (seats - s.dealer[rows] - 1) % rules.seats
    for before in range(1, rules.seats):
        seat = (s.dealer[rows] + before) % rules.seats
        taken = _size(aside(s, rows, seat)) - dealt_over
        stock = stock - np.where(before <= place, taken, 0)
    laid_aside = _size(aside(s, rows, seats))
    cards = np.where(laid_aside < dealt_over + stock, s.hand[rows, seats], EMPTY)
    return cards, rules.min_discard - laid_aside


def slide(t: Tables, s: State, rows: IntArray, seats: IntArray) -> Choice:
    """3.3 tennessee: a declarer that had six trumps with the widow (7.26) slides any cards, its surplus of trumps at
    least, and keeps six."""
    trump = s.trump[rows]
    hand = s.hand[rows, seats]
    with_widow = (hand | s.gave[rows, seats]) & ~s.received[rows, seats]
    had = count(with_widow & t.trumps[trump])
    may = (had >= t.rules.hand) & (count(hand) > t.rules.hand)
    return np.where(may, hand, EMPTY), _size(hand & t.trumps[trump]) - t.rules.hand


# --- conditions


def if_gave(giver: Seats, cards: Cards) -> Cards:
    """A choice that comes up only where another seat has given cards away."""

    def choice(t: Tables, s: State, rows: IntArray, seats: IntArray) -> Choice:
        among, least = cards(t, s, rows, seats)
        return np.where(s.gave[rows, giver(t, s, rows)] != EMPTY, among, EMPTY), least

    return choice
