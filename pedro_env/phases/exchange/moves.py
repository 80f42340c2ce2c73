"""Cards on their way between hands, stock, kitty and what is laid aside."""

from __future__ import annotations

import numpy as np

from pedro_env.cardset import BIT, EMPTY, count
from pedro_env.phases.marks import add_count, set_counts, set_mark
from pedro_env.rules import Exchange
from pedro_env.state import State
from pedro_env.tables import Tables
from pedro_env.typing import IntArray, UInt8Array, UInt64Array

# --- one seat


def take_kitty(t: Tables, s: State, rows: IntArray) -> None:
    """The declarer takes the kitty."""
    declarer = s.declarer[rows]
    s.hand[rows, declarer] |= s.kitty[rows]
    s.kitty[rows] = EMPTY
    add_count(t, s, rows, declarer, "drawn", np.full(len(rows), t.rules.kitty))


def lay_aside(
    t: Tables, s: State, rows: IntArray, seats: IntArray, cards: UInt64Array, *, face_up: bool = False
) -> None:
    """Some cards leave a hand; face up, all see them."""
    s.hand[rows, seats] ^= cards
    if face_up:
        s.shown[rows, seats] |= cards
        s.open[rows] |= cards
    else:
        s.laid_aside[rows, seats] |= cards
    add_count(t, s, rows, seats, "laid_aside", count(cards))


def give(t: Tables, s: State, rows: IntArray, seats: IntArray, receivers: IntArray, cards: UInt64Array) -> None:
    """Some cards go from hand to hand."""
    s.hand[rows, seats] ^= cards
    s.hand[rows, receivers] |= cards
    s.gave[rows, seats] |= cards
    s.received[rows, receivers] |= cards
    add_count(t, s, rows, seats, "given", count(cards))


def fold(t: Tables, s: State, rows: IntArray, seats: IntArray) -> None:
    """A seat lays its hand aside, face down, and is out of the deal."""
    lay_aside(t, s, rows, seats, s.hand[rows, seats])
    set_mark(t, s, rows, seats, "out")


def take_from_stock(t: Tables, s: State, rows: IntArray, seats: IntArray, cards: UInt64Array) -> None:
    """A seat that robs takes some cards of the stock."""
    s.hand[rows, seats] |= cards
    s.stock[rows] ^= cards
    if t.rules.rob_discards and t.rules.discard_face_up:  # DECISIONS 8: all see what it takes of these
        s.robbed[rows] |= cards & s.open[rows]
        s.open[rows] &= ~cards
        s.shown[rows] &= ~cards[:, None]
    if t.rules.exchange is not Exchange.MIX:  # there the whole rest has been drawn, and what is kept of it is unseen
        add_count(t, s, rows, seats, "drawn", count(cards))


def aside(s: State, rows: IntArray, seats: IntArray) -> UInt64Array:
    """What a seat has laid aside, face down or up (before the play: nothing else is open then)."""
    return s.laid_aside[rows, seats] | (s.shown[rows, seats] & s.open[rows])


# --- laying aside and filling


def lay_aside_plain(t: Tables, s: State, rows: IntArray) -> None:
    """RULES 2.6: every seat lays aside all its plain cards."""
    hands = s.hand.take(rows, axis=0)
    plain = hands & t.plain[s.trump[rows]][:, None]
    s.hand[rows] = hands ^ plain
    if t.rules.discard_face_up:
        s.shown[rows] |= plain
        s.open[rows] |= np.bitwise_or.reduce(plain, axis=1)
    else:
        s.laid_aside[rows] = plain
    set_counts(t, s, rows, "laid_aside", count(plain))


def lay_aside_plain_of(t: Tables, s: State, rows: IntArray, seats: IntArray) -> None:
    """One seat lays aside all its plain cards."""
    plain = s.hand[rows, seats] & t.plain[s.trump[rows]]
    lay_aside(t, s, rows, seats, plain, face_up=t.rules.discard_face_up)


def fill(t: Tables, s: State, rows: IntArray, order: IntArray) -> None:
    """RULES 2.7: the hands of some seats, ``(k, m)`` in their order, are filled from the top of the stock."""
    stock = s.pack.take(rows, axis=0)[:, t.stock_start :]
    size = stock.shape[1]
    before = np.zeros((len(rows), size + 1), np.uint64)
    np.cumsum(BIT.take(stock), axis=1, out=before[:, 1:])  # distinct bits: a sum of cards is their set
    k = np.arange(len(rows))[:, None]
    all_hands, place = s.hand.reshape(-1), rows[:, None] * t.rules.seats + order
    hands = all_hands.take(place)
    need = np.maximum(t.rules.hand - count(hands).astype(np.int64), 0)
    end = np.minimum(need.cumsum(axis=1), size)
    cards_up_to = before[k, end]
    from_stock = cards_up_to.copy()
    from_stock[:, 1:] -= cards_up_to[:, :-1]
    all_hands[place] = hands | from_stock
    drawn = np.zeros((len(rows), t.rules.seats), np.int64)
    drawn[k, order] = count(from_stock)
    set_counts(t, s, rows, "drawn", drawn)
    s.stock_next[rows] = t.stock_start + end[:, -1]
    s.stock[rows] = before[:, -1] - cards_up_to[:, -1]
    if (end[:, -1] == size).any():
        short, place = np.nonzero(count(from_stock) < need)
        take_back(t, s, rows[short], order[short, place])


def take_back(t: Tables, s: State, rows: IntArray, seats: IntArray) -> None:
    """RULES 2.7: the stock has run out; the last dealt of the plain cards laid aside come back.

    Where the dealer robs what the others laid aside, their trumps do too when these are not enough (7.14).
    """
    _last_dealt_come_back(t, s, rows, seats, t.plain[s.trump[rows]])
    if t.rules.rob_discards:
        others = seats != s.dealer[rows]
        _last_dealt_come_back(t, s, rows[others], seats[others], t.trumps[s.trump[rows[others]]])


def _last_dealt_come_back(t: Tables, s: State, rows: IntArray, seats: IntArray, among: UInt64Array) -> None:
    from_eldest = (seats - s.dealer[rows] - 1) % t.rules.seats
    last_dealt_first = s.pack[rows[:, None], t.deal_positions[from_eldest, ::-1]]
    hand = s.hand[rows, seats]
    need = t.rules.hand - count(hand).astype(np.int64)
    back = first_of(last_dealt_first, aside(s, rows, seats) & among, need)
    s.hand[rows, seats] = hand | back
    s.laid_aside[rows, seats] &= ~back
    s.shown[rows, seats] &= ~back
    s.open[rows] &= ~back


def first_of(cards: UInt8Array, among: UInt64Array, number: IntArray) -> UInt64Array:
    """The first ``number`` of some cards, in their order, that belong to a set: ``(k,)`` sets."""
    bits = BIT.take(cards)
    there = bits & among[:, None] != EMPTY
    return np.where(there & (there.cumsum(axis=1) <= number[:, None]), bits, EMPTY).sum(axis=1)


def fill_others(t: Tables, s: State, rows: IntArray) -> None:
    """From eldest on, the dealer left out."""
    fill(t, s, rows, _from_eldest(t, s, rows)[:, :-1])


def fill_all(t: Tables, s: State, rows: IntArray) -> None:
    """From eldest on, the dealer last."""
    fill(t, s, rows, _from_eldest(t, s, rows))


def _from_eldest(t: Tables, s: State, rows: IntArray) -> IntArray:
    return (s.dealer[rows][:, None] + np.arange(1, t.rules.seats + 1)) % t.rules.seats


# --- what is left of the stock


def rob_trumps(t: Tables, s: State, rows: IntArray) -> None:
    """RULES 2.8: the dealer takes every trump that is left."""
    dealer = s.dealer[rows]
    s.robber[rows] = dealer
    take_from_stock(t, s, rows, dealer, s.stock[rows] & t.trumps[s.trump[rows]])


def rob_top_plain(t: Tables, s: State, rows: IntArray) -> None:
    """3.1 pidro: then the topmost plain cards, without choosing."""
    dealer = s.dealer[rows]
    need = t.rules.hand - count(s.hand[rows, dealer]).astype(np.int64)
    take_from_stock(t, s, rows, dealer, first_of(s.pack[rows, t.stock_start :], s.stock[rows], need))


def make_up_dealer(t: Tables, s: State, rows: IntArray) -> None:
    """RULES 2.8: a dealer whom the stock could not fill takes back what it laid aside."""
    dealer = s.dealer[rows]
    short = count(s.hand[rows, dealer]) < t.rules.hand
    if short.any():
        take_back(t, s, rows[short], dealer[short])


def see_stock(t: Tables, s: State, rows: IntArray) -> None:
    """A dealer who needs cards looks through the rest of the stock."""
    needy = rows[count(s.hand[rows, s.dealer[rows]]) < t.rules.hand]
    s.robber[needy] = s.dealer[needy]


def add_discards_to_stock(t: Tables, s: State, rows: IntArray) -> None:
    """The dealer robs what the others laid aside, too; who did goes on knowing it (``State.laid_aside``)."""
    for place in range(1, t.rules.seats):
        s.stock[rows] |= aside(s, rows, (s.dealer[rows] + place) % t.rules.seats)


def open_trumps_of_stock(t: Tables, s: State, rows: IntArray) -> None:
    """3.1 cinch: trumps left in the stock are laid open."""
    s.open[rows] |= s.stock[rows] & t.trumps[s.trump[rows]]


def mix_stock_with_hand(t: Tables, s: State, rows: IntArray) -> None:
    """3.4 isle-madame: the dealer mixes the rest of the stock with its hand, and keeps every trump."""
    dealer, plain = s.dealer[rows], t.plain[s.trump[rows]]
    add_count(t, s, rows, dealer, "drawn", count(s.stock[rows]))
    both = s.hand[rows, dealer] | s.stock[rows]
    s.robber[rows] = dealer
    s.hand[rows, dealer] = both & ~plain
    s.stock[rows] = both & plain


# --- 3.3 tennessee


def lay_aside_plain_of_all_but_declarer(t: Tables, s: State, rows: IntArray) -> None:
    """The declarer keeps its plain cards for now."""
    for place in range(1, t.rules.seats):
        lay_aside_plain_of(t, s, rows, (s.declarer[rows] + place) % t.rules.seats)


def fill_all_but_declarer(t: Tables, s: State, rows: IntArray) -> None:
    """From eldest on, the declarer left out."""
    order = _from_eldest(t, s, rows)
    others = order != s.declarer[rows][:, None]
    fill(t, s, rows, order[others].reshape(len(rows), -1))


def take_widow(t: Tables, s: State, rows: IntArray) -> None:
    """The declarer takes the whole rest of the stock."""
    declarer, widow = s.declarer[rows], s.stock[rows]
    s.hand[rows, declarer] |= widow
    s.stock[rows] = EMPTY
    s.robber[rows] = declarer
    add_count(t, s, rows, declarer, "drawn", count(widow))


# --- 3.4 king-pedro-ukrainian


def discard_the_two(t: Tables, s: State, rows: IntArray, seats: IntArray) -> None:
    """With more point trumps than a hand the 2 goes first, and counts for its holder's side (7.7)."""
    trump = s.trump[rows]
    hand = s.hand[rows, seats]
    goes = (count(hand & t.trumps[trump]) > t.rules.hand) & (hand & t.two[trump] != EMPTY)
    rows, seats = rows[goes], seats[goes]
    lay_aside(t, s, rows, seats, t.two[s.trump[rows]], face_up=t.rules.surplus_face_up)
    s.keeper[rows] = seats
