"""Which cards a place may have held, and which cards a fate may befall: what follows for each card alone."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pedro_env.actions import Phase
from pedro_env.cards import N_CARDS, N_SUITS, NONE
from pedro_env.cardset import BIT, EMPTY, ONE, count, from_cards, to_bool
from pedro_env.rules import DropOut, Exchange, Follow, OpeningLead, Surplus
from pedro_env.typing import BoolArray, IntArray, UInt64Array
from pedro_env.worlds.places import DISCARDS, FILLS, Places

KEPT_TYPES = (Exchange.WIDOW, Exchange.SHED_AND_GIVE, Exchange.GIVE_FILL_AND_KEEP)
"""Exchanges in which a surplus of trumps wanders: every fate keeps its kind of card (see ``deal_anew``)."""
IN_EACH_TRICK = (Surplus.BURY_EACH_TRICK, Surplus.BURY_LOWEST_EACH_TRICK)
_ALL_PLAIN_GO = (Exchange.FILL, Exchange.ROB, Exchange.GIVE_FILL_AND_KEEP, Exchange.MIX, Exchange.WIDOW)


@dataclass(frozen=True)
class Limits:
    """Sets of cards and of kinds of fates, as words: ``(places in the pack, u)``."""

    fits_place: UInt64Array
    """The cards that may have come from there."""
    fits_fate: UInt64Array
    """The cards that what became of the card there may befall."""
    to_trump: UInt64Array
    """The kinds of fates (``Places.cat``) that a trump from there may have met."""
    to_plain: UInt64Array
    """And another card."""


def limits_of(p: Places) -> Limits:
    """What the rules and all that is public make certain of single cards."""
    fits_place, to_trump, to_plain = _of_places(p)
    return Limits(fits_place, _of_fates(p), to_trump, to_plain)


def _of_fates(p: Places) -> UInt64Array:
    """``Limits.fits_fate``."""
    t, s, rules, seats = p.t, p.s, p.t.rules, p.t.rules.seats
    robber = s.robber.astype(np.int64)
    shown = np.bitwise_or.reduce(s.shown, axis=1) | s.open | (s.called & _held_called(p))
    own_cards = s.hand[p.rows, p.looking] | s.laid_aside[p.rows, p.looking]
    known = shown | s.hand[p.rows, p.looking]
    if rules.rob_discards:  # what became of its own discards it does not know
        known |= own_cards & ~s.stock & ~np.bitwise_or.reduce(s.hand | s.shown, axis=1)
    else:
        known |= own_cards
    known |= np.where(robber == p.looking, s.stock, EMPTY)

    free = _hand_limits(p)
    fits = np.full(p.card.shape, from_cards(t.pack.tolist()))
    for seat in range(seats):
        in_hand = p.card & s.hand[:, seat] != EMPTY
        fits = np.where(in_hand, free[:, seat], fits)
        aside = (p.card & s.laid_aside[:, seat] != EMPTY) & ~in_hand & (p.kind == seats + seat)
        fits = np.where(aside & ~_trumps_laid_aside(p, seat), p.plain, fits)
        if rules.drop_out is DropOut.MAY_FOLD:  # who folds has no trump
            folded = (p.card & s.laid_aside[:, seat] != EMPTY) & (p.kind == seat)
            fits = np.where(folded, p.plain & free[:, seat], fits)
    if s.gave.shape[1]:
        fits = np.where(_changed_hands(p), fits & _same_sort(p), fits)
        for sets in (s.gave, s.received):  # which cards it gave and was given the seat knows, wherever they are
            own = sets[p.rows, p.looking]
            fits = np.where(p.card & own != EMPTY, fits & own, fits & ~own)
    if rules.discards_count:
        fits = np.where((p.kind == p.rest) & p.playing, p.plain, fits)
    return np.where(p.card & known != EMPTY, p.card, fits)


def _of_places(p: Places) -> tuple[UInt64Array, UInt64Array, UInt64Array]:
    """``Limits.fits_place``, ``to_trump`` and ``to_plain``."""
    t, s, rules, seats = p.t, p.s, p.t.rules, p.t.rules.seats
    robber = s.robber.astype(np.int64)
    own_zone = (p.zone == p.looking) | (p.zone == seats + p.looking)
    saw_rest = (p.zone == p.rest) & (robber == p.looking) & (not rules.rob_discards)
    laid = _laid_all_plain(p)
    fits = np.full(p.card.shape, from_cards(t.pack.tolist()))
    to_trump, to_plain = np.zeros_like(p.cat), np.zeros_like(p.cat)
    is_trump = p.card & p.trumps != EMPTY
    after_rob = np.full(len(p.rows), EMPTY)
    if rules.rob_discards:
        taken = (ONE << s.dealer.astype(np.uint64)) | (ONE << np.uint64(p.rest))
        after_rob = np.where(p.filled, taken, EMPTY)
    for seat in range(seats):
        mine = p.zone == seat
        keeps, lays = ONE << np.uint64(seat), ONE << np.uint64(seats + seat)
        gives = ONE << np.uint64(p.gave_first + seat)
        discards = _trumps_laid_aside(p, seat)
        plain_to = np.where(laid[:, seat], lays, keeps | lays)
        trump_to = keeps | lays | gives
        # How many of its cards were plain is public; or else the stock ran out and plain cards came back.
        certain = laid[:, seat] & ~discards
        certain |= laid[:, seat] & (mine & (p.card & p.plain != EMPTY) & (p.kind == seat)).any(axis=0)
        certain |= p.begun & (rules.exchange in KEPT_TYPES)
        fits = np.where(mine & certain, np.where(is_trump, p.trumps, p.plain), fits)
        plain_to = np.where(certain, keeps | lays, plain_to)
        of_others = np.where(s.dealer == seat, EMPTY, after_rob)
        if rules.rob_discards and rules.exchange is not Exchange.CHOOSE_AND_ROB:
            rest = ONE << np.uint64(p.rest)
            to_trump = np.where(mine, trump_to | of_others & ~rest, to_trump)
        else:
            to_trump = np.where(mine, trump_to | of_others, to_trump)
        to_plain = np.where(mine, plain_to | of_others, to_plain)
        drew = p.zone == seats + seat
        to_trump = np.where(drew, keeps, to_trump)
        to_plain = np.where(drew, keeps, to_plain)
    left = ONE << np.uint64(p.rest)
    took = np.where(robber == NONE, EMPTY, ONE << np.maximum(robber, 0).astype(np.uint64))
    laid_later = np.where(robber == NONE, EMPTY, ONE << (seats + np.maximum(robber, 0)).astype(np.uint64))
    in_rest = p.zone == p.rest
    trumps_stay = rules.exchange in (Exchange.FILL, Exchange.CHOOSE_AND_ROB)
    surplus = laid_later if rules.surplus in DISCARDS or rules.exchange in KEPT_TYPES else EMPTY
    to_trump = np.where(in_rest, took | surplus | (left if trumps_stay else EMPTY), to_trump)
    widow = laid_later if rules.exchange is Exchange.WIDOW else EMPTY
    to_plain = np.where(in_rest, took | left | widow, to_plain)
    if rules.exchange is Exchange.MIX:
        dealers = (p.zone == s.dealer) & p.filled
        to_plain = np.where(dealers, took | left, to_plain)
    nobody = p.zone == p.unseen
    unseen = ONE << np.uint64(p.unseen)
    to_trump, to_plain = np.where(nobody, unseen, to_trump), np.where(nobody, unseen, to_plain)
    fits = _of_28_56(p, fits)
    return np.where(own_zone | saw_rest, p.card, fits), to_trump, to_plain


def _held_called(p: Places) -> UInt64Array:
    """The called card while it is in its holder's hand: all know whose."""
    return np.where(p.s.partner != NONE, np.bitwise_or.reduce(p.s.hand, axis=1), EMPTY)


def _hand_limits(p: Places) -> UInt64Array:
    """``(u, seats)`` the cards that each seat may hold, for all that is public."""
    t, s, rules, seats = p.t, p.s, p.t.rules, p.t.rules.seats
    free = np.full((len(p.rows), seats), from_cards(t.pack.tolist()))
    voids = t.layout.mark("void")
    for suit in range(N_SUITS):
        shown = s.marks[:, :, 0] >> np.uint64(voids.start + suit) & ONE != EMPTY
        suit_cards = np.where(p.trump == NONE, EMPTY, t.suit_cards[p.trump, suit])
        free = np.where(shown, free & ~suit_cards[:, None], free)
    trumps, points = p.trumps[:, None], p.point_cards[:, None]
    if rules.follow is Follow.TRUMPS_ONLY:
        free = np.where(p.is_marked("out"), free & ~trumps, free)
    dealer = np.arange(seats) == s.dealer[:, None]  # the dealer may lay aside again after robbing
    before = (s.phase == Phase.DISCARD)[:, None] & (p.place_of < p.turn[:, None]) & ~dealer
    done = p.playing[:, None] | p.begun[:, None] & (before | (p.filled[:, None] & ~dealer))
    pool = np.stack(
        [(p.kind == seat).sum(axis=0) if not s.gave.shape[1] else _pool(p, seat) for seat in range(seats)],
        axis=1,
    )
    if rules.surplus is not Surplus.NONE and rules.exchange not in (Exchange.NONE, Exchange.WIDOW):
        chose = done if rules.exchange not in FILLS or rules.keep_plain else p.playing[:, None]
        free = np.where(chose & (pool > rules.hand), free & trumps, free)
    if rules.surplus in DISCARDS and not rules.rob_discards:
        free = _after_open_surplus(p, free)
    if rules.surplus in (Surplus.BURY_FIRST_TRICK, *IN_EACH_TRICK):
        buried = s.shown & s.open[:, None] & trumps
        two = np.where(p.trump == NONE, EMPTY, t.two[p.trump])[:, None]
        if rules.surplus is Surplus.BURY_LOWEST_EACH_TRICK:
            lower = _weaker_than(p, buried & ~points)
            free = free & ~(lower & trumps & ~points)
        else:
            free = np.where(buried & two != EMPTY, free & points, free)
    if rules.opening_lead is OpeningLead.TRUMP:
        free = _after_opening_lead(p, free)
    return free


def _pool(p: Places, seat: int) -> IntArray:
    return count(p.s.hand[:, seat] | p.s.shown[:, seat]).astype(np.int64)


def _after_open_surplus(p: Places, free: UInt64Array) -> UInt64Array:
    """Who has laid a trump aside face up holds trumps only; a point trump, only ones worth as much."""
    t, s, rules = p.t, p.s, p.t.rules
    laid = s.shown & s.open[:, None] & p.trumps[:, None]
    free = np.where(laid != EMPTY, free & p.trumps[:, None], free)
    if rules.surplus is Surplus.DISCARD:
        worth = t.points[np.maximum(p.trump, 0)]  # (u, cards)
        if rules.exchange is Exchange.SHED_AND_FOLD:  # the 2 goes first, whatever it is worth
            two = np.where(p.trump == NONE, EMPTY, t.two[p.trump])
            free = np.where(laid & two[:, None] != EMPTY, free & p.point_cards[:, None], free)
            laid = laid & ~two[:, None]
        most = (to_bool(laid[:, :, None], N_CARDS) * worth[:, None]).max(axis=2)  # (u, seats)
        enough = ((worth[:, None] >= most[:, :, None]) * BIT[:N_CARDS]).sum(axis=2, dtype=np.uint64)
        free = np.where(most > 0, free & enough, free)
    return free


def _weaker_than(p: Places, cards: UInt64Array) -> UInt64Array:
    """``(u, seats)`` the cards that the strongest of some trumps beats; none where there is none."""
    strength = p.t.strength[np.maximum(p.trump, 0) * (N_SUITS + 1)]  # (u, cards)
    most = (to_bool(cards[:, :, None], N_CARDS) * strength[:, None]).max(axis=2)
    return ((strength[:, None] < most[:, :, None]) * BIT[:N_CARDS]).sum(axis=2, dtype=np.uint64)


def _after_opening_lead(p: Places, free: UInt64Array) -> UInt64Array:
    """Who led a plain card to the first trick, where a trump must be led, has no trump."""
    s, seats = p.s, p.t.rules.seats
    first = s.trick_bits[:, 0] & ~np.bitwise_or.reduce(s.trick_bits[:, 1:], axis=1)
    first = np.where(s.trick == 0, s.in_trick, first)
    leader = s.declarer.astype(np.int64)
    for _ in range(seats - 1):  # a declarer who folded has not led
        leader = np.where(s.shown[p.rows, leader] & first == EMPTY, (leader + 1) % seats, leader)
    led = s.shown[p.rows, leader] & first & ~s.open
    plain = p.playing & (led != EMPTY) & (led & p.trumps == EMPTY)
    leads = np.arange(seats) == leader[:, None]
    return np.where(leads & plain[:, None], free & ~p.trumps[:, None], free)


def _trumps_laid_aside(p: Places, seat: int) -> BoolArray:
    """``(u,)`` whether a seat may have laid trumps aside face down."""
    rules = p.t.rules
    hidden_surplus = rules.surplus in DISCARDS and not (rules.surplus_face_up or rules.discard_face_up)
    by_choice = rules.exchange in (Exchange.CHOOSE_AND_ROB, Exchange.KITTY, Exchange.WIDOW)
    robbed = rules.rob_discards & (p.s.dealer != seat)
    return np.full(len(p.rows), by_choice or hidden_surplus) | robbed


def _laid_all_plain(p: Places) -> BoolArray:
    """``(u, seats)`` who has had to lay aside all its plain cards."""
    rules, s = p.t.rules, p.s
    if rules.exchange not in _ALL_PLAIN_GO or rules.keep_plain:
        return np.zeros((len(p.rows), rules.seats), np.bool_)
    laid = np.repeat(p.begun[:, None], rules.seats, axis=1)
    if rules.exchange is Exchange.ROB and (rules.rob_discards or rules.surplus in DISCARDS):  # each in its turn
        waiting = (s.phase == Phase.DISCARD) & ~p.filled
        laid &= ~(waiting[:, None] & (p.place_of > p.turn[:, None]))
    seats = np.arange(rules.seats)
    if rules.exchange is Exchange.MIX:
        laid &= seats != s.dealer[:, None]
    if rules.exchange is Exchange.WIDOW:
        laid &= seats != s.declarer[:, None]
    return laid


def _changed_hands(p: Places) -> BoolArray:
    """``(places, u)`` fates that keep their sort of card: see ``KEPT_TYPES``; and cards given and folded hands."""
    if p.t.rules.exchange in KEPT_TYPES:
        return np.broadcast_to(p.begun, p.card.shape)
    given = np.bitwise_or.reduce(p.s.gave, axis=1)
    out = p.is_marked("out")
    folded = np.bitwise_or.reduce(np.where(out, p.s.laid_aside, EMPTY), axis=1)
    return p.card & (given | folded) != EMPTY


def _same_sort(p: Places) -> UInt64Array:
    """Plain cards or trumps; where trumps have been given or laid aside face down, trumps worth the same."""
    t, s = p.t, p.s
    is_trump = p.card & p.trumps != EMPTY
    sort = np.where(is_trump, p.trumps, p.plain)
    moved = np.bitwise_or.reduce(np.concatenate([s.gave, s.laid_aside], axis=1), axis=1) & p.trumps != EMPTY
    if t.rules.exchange in KEPT_TYPES and moved.any():
        worth = t.points[np.maximum(p.trump, 0)]
        own = worth[p.rows, p.pack]  # (places, u)
        for value in np.unique(worth).tolist():
            cards = ((worth == value) * BIT[:N_CARDS]).sum(axis=1, dtype=np.uint64)
            sort = np.where(moved & is_trump & (own == value), sort & cards, sort)
    return sort


def _of_28_56(p: Places, fits: UInt64Array) -> UInt64Array:
    """Once the declarer has named the suit of its bid 28-56 its cards are known: nobody else was dealt them."""
    t, s, rules = p.t, p.s, p.t.rules
    if not (rules.bid_28_56 and rules.bid_28_56_needs):
        return fits
    bound = (s.contract == t.actions.bid_of("28-56")) & (p.trump != NONE)
    needed = np.where(bound, t.bid_needs[p.trump], EMPTY)
    fits = np.where(p.card & needed != EMPTY, p.card, fits & ~needed)
    return fits
