"""What a hand is worth with each suit as trumps: the points that its side can expect to take if it declares.

Before the draw a hand is known by the trumps that it holds. The weights of the features, by the seat's place after the
dealer (eldest first, the dealer, who robs, last), come from simulated deals (``agents.heuristic.estimate``).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from agents.heuristic.knowledge import Floats, values_of
from pedro_env.cards import N_CARDS, N_SUITS
from pedro_env.cardset import to_bool
from pedro_env.rules import STANDARD_TRUMPS, Rules
from pedro_env.tables import TRUMP_STRENGTH, tables_of
from pedro_env.typing import UInt64Array

_LIKE = {"j": "T", "X": "T", "x": "T"}
"""Trumps that ``pedro`` has not, and the card that they are counted as."""
_POINT_WORTH = 0.4
"""What a point more than in ``pedro`` on a card adds to the rating of its holder."""


@lru_cache(maxsize=256)
def _holding_tables(rules: Rules) -> tuple[Floats, Floats]:
    """``(54, 4 * 14)``: card to standard trump of each suit; ``(54, 4)``: points that ``pedro`` does not give it."""
    tables = tables_of(rules)
    standard = dict(Rules().points)
    scale = 14 / rules.total_points
    columns = np.zeros((N_CARDS, N_SUITS, len(STANDARD_TRUMPS)), np.float32)
    extra = np.zeros((N_CARDS, N_SUITS), np.float32)
    for suit in range(N_SUITS):
        strength = values_of(rules).strength[suit, 0].astype(int)
        high_to_low = np.argsort(-strength)[: (strength >= TRUMP_STRENGTH).sum()]
        for symbol, card in zip(rules.trump_order, high_to_low.tolist(), strict=True):
            like = _LIKE.get(symbol, symbol)
            columns[card, suit, STANDARD_TRUMPS.index(like)] = 1
            extra[card, suit] = _POINT_WORTH * (tables.points[suit, card] * scale - standard.get(symbol, 0))
    return columns.reshape(N_CARDS, -1), extra


def features(held: Floats) -> Iterator[tuple[str, Floats]]:
    """Name and value ``(m,)`` of what a holding ``(m, 14)`` of trumps, high to low, is judged by."""
    by_symbol = dict(zip(STANDARD_TRUMPS, held.T, strict=True))
    ace, king, queen, jack = (by_symbol[symbol] for symbol in "AKQJ")
    fives = by_symbol["5"] + by_symbol["f"]
    length = held.sum(axis=1)
    yield from by_symbol.items()
    for n in range(1, 9):
        yield f"{n} trumps", (length == n).astype(np.float32)
    yield "A and K", ace * king
    yield "A and Q", ace * queen
    yield "K and Q", king * queen
    yield "A, K and Q", ace * king * queen
    yield "A and J", ace * jack
    yield "K and J", king * jack
    yield "fives with A", fives * ace
    yield "fives with K", fives * king
    yield "fives with Q", fives * queen
    yield "both fives", (fives == 2).astype(np.float32)
    yield "fives, length", fives * length
    yield "A, K, Q, length", (ace + king + queen) * length
    yield "A, length", ace * length
    yield "2, length", by_symbol["2"] * length
    yield "no A, K, Q", (ace + king + queen == 0).astype(np.float32)
    yield "always", np.ones_like(length)


def suit_ratings(rules: Rules, hand: UInt64Array, place: np.ndarray, weights: Floats) -> Floats:
    """``(k, 4)`` points of 14 that the side of a seat takes if the seat names each suit.

    ``place`` ``(k,)``: 0 eldest … 3 dealer; ``weights`` ``(4, features)``.
    """
    held = holdings(rules, hand).reshape(-1, len(STANDARD_TRUMPS))
    by_place = weights[np.repeat(place, N_SUITS)]
    rating = np.zeros(len(held), np.float32)
    for i, (_, value) in enumerate(features(held)):
        rating += by_place[:, i] * value
    extra = to_bool(hand[:, None], N_CARDS).astype(np.float32) @ _holding_tables(rules)[1]
    return (rating.reshape(-1, N_SUITS) + extra).astype(np.float32)


def holdings(rules: Rules, hand: UInt64Array) -> Floats:
    """``(k, 4, 14)`` by suit and standard trump, high to low: 1 where the hand holds it."""
    cards = to_bool(hand[:, None], N_CARDS).astype(np.float32)
    return (cards @ _holding_tables(rules)[0]).reshape(-1, N_SUITS, len(STANDARD_TRUMPS))
