"""The cards that may be played, and the trick as it would stand with each."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from agents.heuristic.knowledge import Knowledge, values_of
from pedro_env import cardset
from pedro_env.cardset import BIT
from pedro_env.typing import BoolArray, Int64Array, IntArray, UInt64Array
from pedro_env.views import Views


@dataclass(frozen=True, eq=False)
class Choice:
    """The cards to choose from, and the trick as it would stand with each; ``C`` cards at most."""

    card: IntArray
    """``(k, C)``"""
    there: BoolArray
    """``(k, C)`` False where a seat has fewer choices."""
    bit: UInt64Array
    """``(k, C)`` the set of the card alone."""
    over: UInt64Array
    """``(k, C)`` unseen cards that would beat the trick's best card."""
    takes: BoolArray
    """``(k, C)`` the card would be the best so far."""
    place: Int64Array
    """``(k,)`` cards in the trick."""


def choices(views: Views, known: Knowledge) -> Choice:
    """The legal cards one by one, and what each would do to the trick."""
    tables, values = views.tables, values_of(views.rules)
    count = cardset.count(views.legal_cards)
    most = int(count.max(initial=1))
    place = np.arange(most)
    there = place < count[:, None]
    pick = np.where(there, place, 0)
    card = cardset.nth(np.broadcast_to(views.legal_cards[:, None], pick.shape), pick)
    trump = views.trump.astype(np.int64)[:, None]
    rows = np.arange(len(count))
    played = cardset.count(views.in_trick).astype(np.int64)
    led = np.where(played[:, None] > 0, views.led[:, None], tables.suit_of[trump, card])
    strength = values.strength[trump, led + 1, card]
    winner = np.where(played > 0, views.trick_cards[rows, views.winning], card[:, 0])[:, None]
    takes = (played[:, None] == 0) | (strength > values.strength[trump, led + 1, winner])
    best = np.where(takes, card, winner)
    unseen = (known.unseen_trumps | known.unseen_plain)[:, None]
    over = values.beats[trump, led + 1, best] & unseen
    return Choice(card, there, BIT[card], over, takes, played)
