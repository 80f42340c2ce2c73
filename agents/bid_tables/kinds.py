"""Kinds of hands: what a bidder looks at in the suit that it would name, read from the rules of the game.

A kind says which of the three highest trumps the hand holds, how many of the big trumps (those worth more points than
the point trumps are on average: the fives in ``pedro``) and how many trumps it has.
"""

from __future__ import annotations

import math

import numpy as np

from pedro_env.cards import N_CARDS, N_SUITS
from pedro_env.cardset import count, from_cards
from pedro_env.rules import Rules
from pedro_env.tables import tables_of
from pedro_env.typing import Int64Array, IntArray, UInt64Array

_NAMES = {"j": "off-jack", "f": "off-five", "X": "big joker", "x": "small joker"}
_TOPS = 3
_LENGTHS = 4


class Kinds:
    """The kinds of one game, numbered from 0: by highest trumps, then big trumps, then length."""

    def __init__(self, rules: Rules) -> None:
        t = tables_of(rules)
        order, points = rules.trump_order, dict(rules.points)
        strength = t.strength.reshape(N_SUITS, N_SUITS + 1, N_CARDS)[:, 0].astype(np.int64)
        high_to_low = np.argsort(-strength, axis=1)[:, : len(order)]
        big = [i for i, symbol in enumerate(order) if points.get(symbol, 0) * len(points) > rules.total_points]
        self.top_symbols = [order[i] for i in range(_TOPS)]
        self.big_symbols = [order[i] for i in big]
        self._trumps = t.trumps
        self._top_cards = np.array([[from_cards([card]) for card in row[:_TOPS]] for row in high_to_low], np.uint64)
        self._big_cards = np.array([from_cards(row[big].tolist()) for row in high_to_low], np.uint64)
        # From the number of trumps that a hand has in any one suit, rounded up: the suit that is named has as many.
        self.shortest = math.ceil(len(order) * rules.dealt / len(t.pack))
        self.shape = (2**_TOPS, len(big) + 1, _LENGTHS)
        self.n = math.prod(self.shape)

    def of(self, hands: UInt64Array, suits: IntArray) -> Int64Array:
        """``(k,)`` the kinds of hands ``(k,)``, as dealt, with suits ``(k,)`` as trumps."""
        tops = np.zeros(len(hands), np.int64)
        for cards in self._top_cards[suits].T:
            tops = 2 * tops + ((hands & cards) != 0)
        big = count(hands & self._big_cards[suits]).astype(np.int64)
        length = count(hands & self._trumps[suits]).astype(np.int64) - self.shortest
        return np.ravel_multi_index((tops, big, length.clip(0, _LENGTHS - 1)), self.shape)

    def heads(self) -> tuple[str, str, str]:
        """What ``parts`` gives, as headings of columns; the second is empty where no trump is big."""
        big = f"of {' '.join(self.big_symbols)}" if self.big_symbols else ""
        return " ".join(self.top_symbols), big, "trumps"

    def parts(self, kind: int) -> tuple[str, int, str]:
        """The highest trumps that a kind has, ``"A – Q"``; its big trumps, ``1``; its number of trumps, ``"5"``."""
        tops, big, length = (int(part) for part in np.unravel_index(kind, self.shape))
        held = [s if tops >> (_TOPS - 1 - i) & 1 else "–" for i, s in enumerate(self.top_symbols)]
        end = {0: "-", _LENGTHS - 1: "+"}.get(length, "")
        return " ".join(held), big, f"{self.shortest + length}{end}"

    def legend(self) -> str:
        """What the columns mean, in a sentence."""
        tops, _, _ = self.heads()
        words = [f"which of {tops} it holds"]
        if self.big_symbols:
            words.append(
                f"how many big trumps ({', '.join(_NAMES.get(symbol, symbol) for symbol in self.big_symbols)})"
            )
        low, high = self.shortest, self.shortest + _LENGTHS - 1
        return f"A kind of hand: {', '.join(words)}, how many trumps ({low}-: {low} or fewer, {high}+: {high} or more)."
