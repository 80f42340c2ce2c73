"""What a seat can tell about the hidden cards from what everybody has seen: trumps out, and who may hold them.

In ``pedro`` every trump is in somebody's hand, and draws are public: a seat that drew ``d`` cards kept ``6 - d``
trumps. So a seat's least number of trumps is known, and what is left over lies among the cards that were drawn.

Shapes: ``k`` decisions, seats relative to the deciding one (1 left, 2 partner, 3 right of four).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pedro_env import cardset
from pedro_env.cards import N_CARDS, N_SUITS
from pedro_env.layout import stock_size
from pedro_env.rules import Exchange, Rules
from pedro_env.tables import tables_of
from pedro_env.typing import Int8Array, UInt64Array
from pedro_env.views import Views

Floats: TypeAlias = NDArray[np.floating[Any]]
"""Mostly ``float32``."""
PARTNER = 2


@dataclass(frozen=True, eq=False)
class Values:
    """Constant arrays that the player adds to ``Tables``; ``v`` = points scaled to a deal of 14."""

    strength: Int8Array
    """``(4, 5, 54)`` by trump, led + 1 and card: ``Tables.strength``."""
    beats: UInt64Array
    """``(4, 5, 54)`` by trump, led + 1 and card: the cards that win against it."""
    value: Floats
    """``(4, 54)`` ``v`` of a card for the side that wins the trick it lies in."""
    big: UInt64Array
    """``(4,)`` the cards worth a trick on their own: the fives in ``pedro``."""
    small: UInt64Array
    """``(4,)`` the other cards with points, without a 2 that its holder keeps."""
    top: UInt64Array
    """``(2, 4)`` the highest and second highest trump, as sets."""
    stock: int
    """Cards that nobody is dealt."""
    keeps_trumps: bool
    """Whether a seat draws exactly for the plain cards that it was dealt."""


@lru_cache(maxsize=256)
def values_of(rules: Rules) -> Values:
    """The constant arrays of a game (computed once)."""
    tables = tables_of(rules)
    table = tables.strength.reshape(N_SUITS, N_SUITS + 1, N_CARDS)
    value = (tables.trick_points[:, :N_CARDS] * (14 / rules.total_points)).astype(np.float32)
    beats = np.zeros((N_SUITS, N_SUITS + 1, N_CARDS), np.uint64)
    for trump, led in np.ndindex(N_SUITS, N_SUITS + 1):
        strength = table[trump, led]
        for card in tables.pack:
            beats[trump, led, card] = cardset.from_cards(np.flatnonzero(strength > strength[card]).tolist())
    return Values(
        strength=table,
        beats=beats,
        value=value,
        big=np.array([cardset.from_cards(np.flatnonzero(row >= 2.5).tolist()) for row in value], np.uint64),
        small=np.array(
            [cardset.from_cards(np.flatnonzero((row > 0) & (row < 2.5)).tolist()) for row in value], np.uint64
        ),
        top=np.array([[cardset.BIT[np.argsort(-table[t, 0].astype(int))[i]] for t in range(N_SUITS)] for i in (0, 1)]),
        stock=max(1, stock_size(rules)),
        keeps_trumps=rules.exchange in (Exchange.FILL, Exchange.ROB) and not (rules.keep_plain or rules.rob_discards),
    )


@dataclass(frozen=True, eq=False)
class Knowledge:
    """What the deciding seats know in the play."""

    trumps: UInt64Array
    """``(k,)`` the trumps."""
    unseen_trumps: UInt64Array
    """``(k,)`` the trumps that other seats may hold."""
    unseen_plain: UInt64Array
    """``(k,)`` the plain cards that other seats may hold."""
    expected: Floats
    """``(k, S)`` expected number of trumps in each other seat's hand."""
    chance: Floats
    """``(k, S)`` chance that a seat holds a given unseen trump."""
    plain_chance: Floats
    """``(k, S)`` chance that a seat holds a given unseen plain card."""


def know(views: Views) -> Knowledge:
    """Count trumps, draws and voids."""
    tables, values = views.tables, values_of(views.rules)
    trumps = tables.trumps[views.trump]
    plain = tables.plain[views.trump]
    seen = views.hand | views.laid_aside | views.stock | views.open | np.bitwise_or.reduce(views.shown, axis=1)
    unseen_trumps = trumps & ~seen
    unseen_plain = plain & ~seen
    expected = _expected_trumps(views, values, trumps, cardset.count(unseen_trumps).astype(np.float32))
    out = np.maximum(expected.sum(axis=1, keepdims=True), 1e-6)
    plain_cards = np.maximum(views.hand_size - expected, 0)
    plain_cards[:, 0] = 0
    plain_out = np.maximum(cardset.count(unseen_plain), 1)[:, None]
    return Knowledge(
        trumps=trumps,
        unseen_trumps=unseen_trumps,
        unseen_plain=unseen_plain,
        expected=expected,
        chance=np.minimum(expected / out, 1),
        plain_chance=np.minimum(plain_cards / plain_out, 1).astype(np.float32),
    )


def _expected_trumps(views: Views, values: Values, trumps: UInt64Array, out: Floats) -> Floats:
    """``(k, S)``: trumps that a seat must still hold, and its share of the others by the cards it drew."""
    size = views.hand_size.astype(np.float32)
    no_trump = (views.voids >> views.trump.astype(np.uint8)[:, None]) & 1 == 1
    no_trump[:, 0] = True
    size[no_trump] = 0
    known = np.zeros_like(size)
    if values.keeps_trumps:
        kept = views.rules.dealt - views.n_laid_aside
        played = cardset.count(views.shown & trumps[:, None]).astype(np.int8)
        known = np.clip(kept - played, 0, size).astype(np.float32)
    left = np.maximum(out - known.sum(axis=1), 0)[:, None]
    slots = size - known
    weight = slots * _robbers_weight(views, values)
    share = left * weight / np.maximum(weight.sum(axis=1, keepdims=True), 1e-6)
    over = np.maximum(share - slots, 0).sum(axis=1, keepdims=True)
    share = np.minimum(share, slots)
    room = slots - share
    share += over * room / np.maximum(room.sum(axis=1, keepdims=True), 1e-6)
    return known + np.minimum(share, slots)


def _robbers_weight(views: Views, values: Values) -> Floats:
    """``(k, S)``: a card drawn by the robber is a trump more often, since it chose from all that was left."""
    seats = np.arange(views.hand_size.shape[1])
    robs = views.dealer[:, None] == seats
    drawn = views.drawn.astype(np.float32)
    others = (drawn * ~robs).sum(axis=1, keepdims=True)
    rest = np.maximum(values.stock - others, drawn)
    return np.where(robs, rest / np.maximum(drawn, 1), 1).astype(np.float32)
