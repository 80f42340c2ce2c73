"""Where every card of a game came from, and what became of it.

A world is thought of as triples (place in the pack, card, fate). A fate is what became of a card: in a hand, laid
aside, given, left in the stock.
"""

from __future__ import annotations

import numpy as np

from pedro_env.actions import Phase
from pedro_env.cards import NONE
from pedro_env.cardset import BIT, EMPTY, ONE, count, from_cards
from pedro_env.phases.marks import has_mark
from pedro_env.rules import DropOut, Exchange, Rules, Surplus
from pedro_env.state import State
from pedro_env.tables import Tables
from pedro_env.typing import BoolArray, IntArray, UInt64Array

FILLS = (
    Exchange.FILL,
    Exchange.ROB,
    Exchange.CHOOSE_AND_ROB,
    Exchange.WIDOW,
    Exchange.GIVE_FILL_AND_KEEP,
    Exchange.MIX,
)
"""Exchanges in which hands are filled up from the stock."""
DISCARDS = (Surplus.DISCARD, Surplus.DISCARD_FOR_OPPONENTS)
"""What to do with a surplus of trumps: it is laid aside."""
_ALL = ~EMPTY


def is_simple(rules: Rules) -> bool:
    """Whether discards lie open and are robbed, so that only cards change places that are hidden now."""
    return rules.rob_discards and rules.discard_face_up


class Places:
    """The cards of u games by place in the pack, and the seat of each that is ``looking``.

    Arrays are ``(places in the pack, u)``.
    """

    def __init__(self, t: Tables, s: State, looking: IntArray) -> None:
        self.t, self.s, self.looking = t, s, looking
        seats, u = t.rules.seats, len(looking)
        self.rows = np.arange(u)
        self.trump = s.trump.astype(np.int64)
        named = self.trump != NONE
        whole = from_cards(t.pack.tolist())
        self.trumps = np.where(named, t.trumps[self.trump], EMPTY)
        self.plain = whole & ~self.trumps
        self.point_cards = np.where(named, t.point_cards[self.trump], EMPTY)
        self.begun = s.step != NONE
        self.playing = s.trick != NONE
        self.place_of = (np.arange(seats) - s.dealer[:, None] - 1) % seats  # (u, seats) from eldest
        self.turn = np.where(s.to_act == NONE, seats, self.place_of[self.rows, s.to_act])
        self.pack = s.pack.T.astype(np.int64)
        self.card = BIT[self.pack]
        self._find_zones()
        self._find_fates()

    def _find_zones(self) -> None:
        """``zone``: the seat whose own cards a place was dealt to (0 … S-1), drew it (S … 2S-1), 2S the rest of the
        stock after the fills, 2S+1 nobody yet."""
        t, s, rules = self.t, self.s, self.t.rules
        seats, u = rules.seats, len(self.rows)
        self.rest, self.unseen, self.gave_first = 2 * seats, 2 * seats + 1, 2 * seats + 2
        zone = np.full((len(t.pack), u), self.unseen, np.int64)
        seat_at = (s.dealer[:, None] + 1 + np.arange(seats)) % seats  # (u, seats) by place from eldest
        dealt = s.phase != Phase.DARK
        for place, positions in enumerate(t.deal_positions):
            zone[positions] = np.where(dealt, seat_at[:, place], self.unseen)
        held = np.bitwise_or.reduce(s.hand | s.laid_aside | s.shown, axis=1)
        for place, positions in enumerate(t.widow_positions):
            seen = self.card[positions] & held != EMPTY
            zone[positions] = np.where(seen, seat_at[:, place], self.unseen)
        if rules.kitty:
            first = t.deal_positions.size
            taken = (s.kitty == EMPTY) & (s.declarer != NONE) & dealt
            zone[first : first + rules.kitty] = np.where(taken, s.declarer, self.unseen)
        position = np.arange(len(t.pack))[:, None]
        if rules.dealt_after_trump:
            for place in range(seats):
                start = t.stock_start + place * rules.dealt_after_trump
                zone[start : start + rules.dealt_after_trump] = np.where(self.begun, seat_at[:, place], self.unseen)
        self.filled = np.zeros(u, np.bool_)
        if rules.exchange in FILLS:
            stocked = (s.robber != NONE) | (s.stock != EMPTY) | self.playing | (s.stock_next > t.stock_start)
            self.filled = self.begun & stocked
            drawn = self._counts("drawn")
            end = np.full(u, t.stock_start)
            for place in range(seats):
                seat = seat_at[:, place]
                fills = self.filled & self._is_filled(seat)
                more = np.where(fills, drawn[self.rows, seat], 0)
                there = (position >= end) & (position < end + more)
                zone = np.where(there, seats + seat, zone)
                end = end + more
            zone = np.where(self.filled & (position >= end), self.rest, zone)
        self.zone = zone

    def _is_filled(self, seat: IntArray) -> BoolArray:
        exchange = self.t.rules.exchange
        if exchange is Exchange.FILL:
            return np.ones(len(seat), np.bool_)
        return seat != (self.s.declarer if exchange is Exchange.WIDOW else self.s.dealer)

    def _counts(self, name: str) -> IntArray:
        """``(u, seats)`` a public count."""
        mark = self.t.layout.mark(name)
        word, shift = divmod(mark.start, 64)
        field = self.t.thermometer[mark.width] << np.uint64(shift)
        return count(self.s.marks[:, :, word] & field).astype(np.int64)

    def is_marked(self, name: str) -> BoolArray:
        """``(u, seats)`` a public mark of one bit; no where the variant has none."""
        if all(mark.name != name for mark in self.t.layout.marks):
            return np.zeros((len(self.rows), self.t.rules.seats), np.bool_)
        return has_mark(self.t, self.s, self.rows, name)

    def _find_fates(self) -> None:
        """``code``: the sets of ``_columns`` that a card is in, as bits; ``cat``: the kind of fate, as one bit.

        Kinds: kept by the seat that was dealt it or drew it (bit = seat; it may have given it away since), laid aside
        before the draw (S + seat), left in the stock (2S), with nobody yet (2S + 1), given before the draw
        (2S + 2 + seat).
        """
        s, rules, seats = self.s, self.t.rules, self.t.rules.seats
        code = np.zeros_like(self.card)
        for bit, column in enumerate(self._columns(s)):
            code |= (self.card & column != EMPTY).astype(np.uint64) << np.uint64(bit)
        self.code = code
        kind = np.full(self.card.shape, self.unseen)
        kind = np.where(self.card & s.stock != EMPTY, self.rest, kind)
        laid_first = s.open & (self.plain | np.where(rules.surplus in (*DISCARDS, Surplus.NONE), _ALL, EMPTY))
        for seat in range(seats):
            kept = s.hand[:, seat] | s.shown[:, seat]
            aside = s.laid_aside[:, seat] & ~kept
            if rules.rob_discards:
                others = np.bitwise_or.reduce(np.delete(s.hand | s.shown, seat, axis=1), axis=1) | s.stock
                aside = aside & ~others
            if rules.drop_out is DropOut.MAY_FOLD:  # folded cards were kept until then
                folded = (self.zone != seat) | (s.dealer == seat)
                kind = np.where((self.card & aside != EMPTY) & folded, seat, kind)
                first = (self.card & aside != EMPTY) & ~folded
                aside = np.where(first, self.card, EMPTY).sum(axis=0, dtype=np.uint64)
            if rules.discard_face_up:
                first = s.shown[:, seat] & laid_first
                aside, kept = aside | first, kept & ~first
            kind = np.where(self.card & kept != EMPTY, seat, kind)
            kind = np.where(self.card & aside != EMPTY, seats + seat, kind)
        if s.gave.shape[1]:  # the kind goes by the seat that had it first
            given = np.bitwise_or.reduce(s.gave, axis=1)
            first = np.where(self.zone < seats, self.zone, np.where(self.zone < 2 * seats, self.zone - seats, kind))
            first = np.where((self.zone == self.rest) & (s.robber != NONE), s.robber, first)
            early = self.gave_first if rules.exchange is Exchange.GIVE_FILL_AND_KEEP else 0  # before anybody drew
            kind = np.where(self.card & given != EMPTY, first + early, kind)
        self.kind = kind
        self.cat = ONE << kind.astype(np.uint64)

    @staticmethod
    def _columns(s: State) -> list[UInt64Array]:
        """The sets of which worlds have others."""
        by_seat = (s.hand, s.laid_aside, s.gave, s.received)
        return [*(sets[:, seat] for sets in by_seat for seat in range(sets.shape[1])), s.stock, s.kitty]
