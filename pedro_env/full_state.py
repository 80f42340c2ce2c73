"""The whole game in one vector, for centralised critics: all cards of all seats, and what is public once.

A row is seat 0's observation (its seats are then the table's seats, its sides the table's sides), and after it one
plane of cards for each thing that seat 0 does not see: the other seats' cards, stock, kitty and what is undealt. The
order of undealt cards is chance to come, not a fact of the game, and is left out. Every card is in at least one place,
and in ``docs/layouts.md`` the planes are printed from here, so that they cannot drift.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from pedro_env.cardset import from_cards, to_bits
from pedro_env.layout import Field, layout_of
from pedro_env.observation import observe
from pedro_env.rules import Rules
from pedro_env.state import State
from pedro_env.tables import Tables
from pedro_env.typing import IntArray, UInt8Array

_OF_A_SEAT = (
    ("hand", "cards in the hand of seat {}"),
    ("laid_aside", "cards that seat {} laid aside, face down"),
    ("gave", "cards that seat {} gave away"),
    ("received", "cards that seat {} was given"),
)
"""What a seat's own observation shows to it alone."""


@dataclass(frozen=True)
class FullLayout:
    """Where everything is in a variant's full state. Seats in names are the table's."""

    fields: tuple[Field, ...]
    hidden: tuple[Field, ...]
    """Those of ``fields`` that follow seat 0's observation: a 64-bit word each, which starts with the set of cards."""
    width: int
    """Columns of a full state: a multiple of 64. Columns of no field are always 0."""


@lru_cache(maxsize=256)
def full_layout(rules: Rules) -> FullLayout:
    """The layout of a game's full states."""
    layout = layout_of(rules)
    cards = layout.slices["hand"].stop - layout.slices["hand"].start
    names = [
        (f"{name}_{seat}", meaning.format(seat))
        for seat in range(1, rules.seats)
        for name, meaning in _OF_A_SEAT
        if name in layout.slices
    ]
    names += [
        ("stock_left", "cards of the stock that may be robbed or were left"),
        ("kitty", "cards set aside for the declarer"),
        ("undealt", "all other cards: nobody has been dealt them yet, or has seen them"),
    ]
    hidden = tuple(
        Field(name, layout.width + 64 * place, cards, "cards", meaning) for place, (name, meaning) in enumerate(names)
    )
    return FullLayout((*layout.fields, *hidden), hidden, layout.width + 64 * len(names))


def observe_all(t: Tables, s: State, rows: IntArray) -> UInt8Array:
    """The full states of some games: ``(k, width)`` uint8 zeros and ones, as ``full_layout`` says."""
    public = observe(t, s, rows, np.zeros(len(rows), np.int64))
    columns = [
        getattr(s, name)[rows, seat]
        for seat in range(1, t.rules.seats)
        for name, _ in _OF_A_SEAT
        if name in t.layout.slices
    ]
    placed = s.stock[rows] | s.kitty[rows] | s.open[rows]
    for sets in (s.hand, s.laid_aside, s.shown):
        placed |= np.bitwise_or.reduce(sets[rows], axis=1)
    columns += [s.stock[rows], s.kitty[rows], from_cards(t.pack.tolist()) & ~placed]
    planes = np.stack(columns, axis=1)
    return np.concatenate([public, to_bits(planes, 64 * planes.shape[1])], axis=1)
