"""The Markov chain that leads from a game as it stands to other consistent worlds."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import numpy as np

from pedro_env.cardset import EMPTY, to_bool
from pedro_env.deals import key, mix
from pedro_env.state import State
from pedro_env.typing import BoolArray, Int64Array, IntArray, UInt64Array
from pedro_env.worlds.conditions import ask, holds
from pedro_env.worlds.dealt import Dealt
from pedro_env.worlds.knowledge import Knowledge
from pedro_env.worlds.places import is_simple

ROUNDS = 32
"""Rounds of exchanges: most of them among the hidden hands, where the conditions are tight."""
SLOW = 3
"""So many times the rounds where most exchanges break a condition."""

_ALL = ~EMPTY
_ODD = 0x9E3779B97F4A7C15
"""Multiples of it, mixed, are independent words."""
_CARDS, _ROTATED, _PLACES, _CARDS_AGAIN, _FATES = range(5)
"""Kinds of exchanges."""


@lru_cache(maxsize=256)
def _orders(size: int, kind: int) -> Int64Array:
    """``(ROUNDS, size)`` the order in which places are paired: always the same, so that only the coins are chance."""
    return key(size, kind, (np.arange(ROUNDS)[:, None], np.arange(size))).argsort(axis=1)


class Chain:
    """n worlds being dealt; world i is of game ``which[i]`` of the knowledge, and ``keys[i]`` is all its randomness.

    Arrays are ``(places, n)``, by fate: whatever has met the fate of the card that lay there in the original.
    """

    def __init__(self, knowledge: Knowledge, which: IntArray, keys: UInt64Array) -> None:
        self.k, self.which, self.keys = knowledge, which, keys
        k = knowledge
        self.tossed = 0
        """Words of coins that each world has used."""
        self.card = np.ascontiguousarray(k.card[:, which])
        """The card that has met each fate."""
        self.place = np.repeat(np.arange(len(self.card), dtype=np.uint8)[:, None], len(which), axis=1)
        """And the place that it came from."""
        self.cat = np.ascontiguousarray(k.cat[:, which])
        self.fits_fate = np.ascontiguousarray(k.fits_fate[:, which])
        self.trumps = k.trumps[which]
        self.joint = k.joint.any[which]
        everywhere = np.arange(len(self.card))
        self.fits_place = self._fits_place(everywhere, everywhere)
        """The cards that may have come from a place and met a fate of the present kind."""
        self.fits = self.fits_place & self.fits_fate

    def dealt(self, hands: int, kept: int, free: int, careful: int) -> State:
        """Deal, and put the states together."""
        exchanges: list[tuple[IntArray, Callable[[IntArray, int], None]]] = [
            (_orders(hands, _CARDS), self._swap_cards),
            (_orders(hands, _ROTATED), self._rotate_cards),
            (self._by_kind(kept), self._swap_places),
            (_orders(hands, _CARDS_AGAIN), self._swap_cards),
            (_orders(free, _CARDS), self._swap_cards),
        ]
        if is_simple(self.k.t.rules):
            exchanges = [exchanges[0], exchanges[4]]
        elif self.k.swaps_fates:
            exchanges.append((_orders(free, _FATES), self._swap_fates))
        slow = bool(careful) or self.k.swaps_fates
        for number in range(ROUNDS * SLOW if slow else ROUNDS):
            for orders, exchange in exchanges:
                self._round(orders[number % ROUNDS], bool(careful), exchange)
        state = self._dealt(np.arange(len(self.which))).state()
        ask(self.k.t, state)
        return state

    def _dealt(self, worlds: IntArray) -> Dealt:
        """Some of the worlds."""
        return Dealt(self.k, self.which[worlds], self.card[:, worlds], self.place[:, worlds], self.cat[:, worlds])

    def _by_kind(self, size: int) -> Int64Array:
        """``(ROUNDS, size, n)`` the first places in random order, but by kind of fate: neighbours exchange places,
        and only cards with fates of one kind may. They count in the flat arrays of all worlds."""
        games, game = np.unique(self.which, return_inverse=True)
        rank = self.k.kind[:size, games] * size + _orders(size, _PLACES).argsort(axis=1)[:, :, None]
        order = rank.argsort(axis=1)
        order[1::2] = np.roll(order[1::2], 1, axis=1)  # other neighbours
        n = len(self.which)
        return order[:, :, game.reshape(-1)] * n + np.arange(n)

    # --- exchanges

    def _round(self, order: IntArray, careful: bool, exchange: Callable[[IntArray, int], None]) -> None:
        """One kind of exchange among some places; taken back in worlds where it breaks a joint condition."""
        if len(order) < 2:
            return
        if not careful:
            exchange(order, 1)
            return
        moving = (self.card, self.place, self.fits_place, self.fits)
        before = [values.copy() for values in moving]
        exchange(order, 3)
        broken = np.flatnonzero(self.joint)
        broken = broken[~holds(self._dealt(broken))]
        for now, then in zip(moving, before, strict=True):
            now[:, broken] = then[:, broken]

    def _coins(self, number: int, tosses: int) -> BoolArray:
        """``(number, n)``, each world's own: true with probability 1/2, or 1/8 after three tosses: then few exchanges
        are made at a time."""
        words = np.full(len(self.keys), _ALL)
        for _ in range(tosses):
            self.tossed += 1
            words &= mix(self.keys + np.uint64(self.tossed * _ODD % 2**64))
        return to_bool(words[:, None], number).T

    def _fits_place(self, a: IntArray, b: IntArray) -> UInt64Array:
        """The cards that may have come from the places of ``a`` and met fates of the kind of ``b``."""
        k, cat, place = self.k, self.cat[b], self.place[a].astype(np.int64)
        trumps = np.where(k.to_trump[place, self.which] & cat != EMPTY, self.trumps, EMPTY)
        others = np.where(k.to_plain[place, self.which] & cat != EMPTY, ~self.trumps, EMPTY)
        fits: UInt64Array = k.fits_place[place, self.which]
        return fits & (trumps | others)

    def _swap_cards(self, order: IntArray, tosses: int) -> None:
        """Two places, with their fates, exchange their cards."""
        half = len(order) // 2
        a, b = order[:half], order[half : 2 * half]
        card_a, card_b = self.card[a], self.card[b]
        ok = (self.fits[a] & card_b != EMPTY) & (self.fits[b] & card_a != EMPTY)
        ok &= self._coins(len(ok), tosses)
        change = (card_a ^ card_b) * ok
        self.card[a] = card_a ^ change
        self.card[b] = card_b ^ change

    def _rotate_cards(self, order: IntArray, tosses: int) -> None:
        """Three places pass their cards on: what no chain of swaps may reach.

        Either way round with the same probability: otherwise worlds that can be left but not reached so would be rare.
        """
        third = len(order) // 3
        places = [order[:third], order[third : 2 * third], order[2 * third : 3 * third]]
        cards = [self.card[place] for place in places]
        onwards = self._coins(third, 1)
        passed = [np.where(onwards, cards[i - 1], cards[(i + 1) % 3]) for i in range(3)]
        ok = self._coins(third, tosses)
        for i, place in enumerate(places):
            ok &= self.fits[place] & passed[i] != EMPTY
        for i, place in enumerate(places):
            self.card[place] = np.where(ok, passed[i], cards[i])

    def _swap_places(self, order: IntArray, tosses: int) -> None:
        """Two cards keep their fates, of one kind, and exchange the places that they came from."""
        half = len(order) // 2
        a, b = order[: 2 * half : 2], order[1 : 2 * half : 2]
        fits_place, fits_fate, place = self.fits_place.reshape(-1), self.fits_fate.reshape(-1), self.place.reshape(-1)
        card, cat = self.card.reshape(-1), self.cat.reshape(-1)
        place_a, place_b, fate_a, fate_b = fits_place[a], fits_place[b], fits_fate[a], fits_fate[b]
        fits_a, fits_b = place_b & fate_a, place_a & fate_b
        ok = (fits_a & card[a] != EMPTY) & (fits_b & card[b] != EMPTY)
        ok &= cat[a] == cat[b]
        ok &= self._coins(half, tosses)
        a, b = a[ok], b[ok]
        place[a], place[b] = place[b], place[a]
        fits_place[a], fits_place[b] = place_b[ok], place_a[ok]
        self.fits.reshape(-1)[a], self.fits.reshape(-1)[b] = fits_a[ok], fits_b[ok]

    def _swap_fates(self, order: IntArray, tosses: int) -> None:
        """Two cards keep their places and exchange their fates."""
        half = len(order) // 2
        a, b = order[:half], order[half : 2 * half]
        place_a, place_b = self._fits_place(b, a), self._fits_place(a, b)
        ok = place_b & self.fits_fate[b] & self.card[a] != EMPTY
        ok &= place_a & self.fits_fate[a] & self.card[b] != EMPTY
        ok &= self._coins(len(ok), tosses)
        for values in (self.card, self.place):
            self._swap(values, a, b, ok)
        for here, fits in ((a, place_a), (b, place_b)):
            self.fits_place[here] = np.where(ok, fits, self.fits_place[here])
            self.fits[here] = self.fits_place[here] & self.fits_fate[here]

    @staticmethod
    def _swap(values: np.ndarray, a: IntArray, b: IntArray, ok: BoolArray) -> None:
        first, second = values[a], values[b]
        change = (first ^ second) * ok
        values[a] = first ^ change
        values[b] = second ^ change
