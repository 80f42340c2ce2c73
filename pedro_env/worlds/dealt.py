"""Worlds as the chain has dealt them, put together as states of games."""

from __future__ import annotations

import numpy as np

from pedro_env.cards import N_CARDS, NONE
from pedro_env.cardset import EMPTY, ONE
from pedro_env.state import State
from pedro_env.typing import IntArray, UInt64Array
from pedro_env.worlds.knowledge import Knowledge
from pedro_env.worlds.places import is_simple


class Dealt:
    """n worlds, of the games ``which`` of the knowledge.

    Arrays are ``(places, n)``, by fate, in the order of the knowledge: ``card`` has met the fate of the card that lay
    there in the original, ``place`` is where it came from, and ``cat`` the kind of that fate.
    """

    def __init__(self, k: Knowledge, which: IntArray, card: UInt64Array, place: IntArray, cat: UInt64Array) -> None:
        self.k, self.which, self.card, self.cat = k, which, card, cat
        self.place = place.astype(np.int64)
        self.code = k.code[:, which]

    def zones(self) -> IntArray:
        """``(places, n)`` where each card came from (``Places.zone``)."""
        return self.k.zone[self.place, self.which]

    def union(self, bit: int) -> UInt64Array:
        """``(n,)`` the cards whose code (``Places.code``) has a bit; all are distinct, so that a sum is a set."""
        return (self.card * (self.code >> np.uint64(bit) & ONE)).sum(axis=0, dtype=np.uint64)

    def state(self) -> State:
        """Copies of the games with other cards in hands, laid aside, given, in the stock, in the kitty and undealt."""
        k, card = self.k, self.card
        s = k.s.take(self.which)
        seats, gives = k.t.rules.seats, s.gave.shape[1]
        bit = 0
        for sets in (s.hand, s.laid_aside, *((s.gave, s.received) if gives else ())):
            for seat in range(seats):
                sets[:, seat] = self.union(bit)
                bit += 1
        s.stock[:] = self.union(bit)
        s.kitty[:] = self.union(bit + 1)
        zone = self.zones()
        if k.t.rules.rob_discards and not is_simple(k.t.rules):
            # Who laid a card aside goes on knowing it, whoever has it now.
            for seat in range(seats):
                dealt = np.where(zone == seat, card, EMPTY).sum(axis=0, dtype=np.uint64)
                aside = dealt & ~s.hand[:, seat] & ~s.shown[:, seat]
                s.laid_aside[:, seat] = np.where(
                    k.filled[self.which] & (s.dealer != seat), aside, s.laid_aside[:, seat]
                )
        position = k.position[self.place, self.which]
        self._lay_pack(s, zone, position)
        if k.t.rules.keeper:
            self._find_keeper(s)
        return s

    def _lay_pack(self, s: State, zone: IntArray, position: IntArray) -> None:
        """The pack that deals it. Where an order among cards matters it comes out right: of a seat's cards those that
        came back were dealt last; of the rest of the stock those that were taken lie on top."""
        kept = self.cat < ONE << np.uint64(self.k.t.rules.seats)
        late = np.where(zone == self.k.rest, ~kept, kept)
        base = zone * N_CARDS * 2
        cards = np.bitwise_count(self.card - ONE).T  # a single bit's number
        order = np.argsort((base + late * N_CARDS + position).T, axis=1)
        places = np.argsort((base + position).T, axis=1)
        rows = np.arange(len(cards))[:, None]
        s.pack[rows, position.T[rows, places]] = cards[rows, order]

    def _find_keeper(self, s: State) -> None:
        """RULES 7.6: the seat that held the 2 when the play began; one that was shown is known."""
        two = np.where(s.trump == NONE, EMPTY, self.k.t.kept_two[s.trump])
        holds = s.hand & two[:, None] != EMPTY
        shown = np.bitwise_or.reduce(s.shown, axis=1) & two != EMPTY
        keeper = np.where(holds.any(axis=1), holds.argmax(axis=1), NONE)
        s.keeper[:] = np.where((s.trick == NONE) | shown, s.keeper, keeper)
