"""Naming trumps (RULES 2.5)."""

from __future__ import annotations

import numpy as np

from pedro_env.actions import FIRST_SUIT, Phase
from pedro_env.cards import N_SUITS
from pedro_env.cardset import BIT, from_cards
from pedro_env.phases.special_bids import nameable_suits
from pedro_env.state import State
from pedro_env.tables import Tables
from pedro_env.typing import IntArray, UInt64Array

ALL_SUITS = from_cards(range(FIRST_SUIT, FIRST_SUIT + N_SUITS))


def begin(t: Tables, s: State, rows: IntArray) -> IntArray:
    """Ask the declarer; returns the rows in which its bid has named the suit already."""
    s.phase[rows] = Phase.TRUMP
    s.to_act[rows] = s.declarer[rows]
    if t.rules.bid_names_suit:
        s.trump[rows] = t.bid_suits[s.contract[rows]]
        return rows
    return rows[:0]


def legal(t: Tables, s: State, rows: IntArray) -> UInt64Array:
    """Any suit; after the bid 28-56 one that it was bid on."""
    words = np.zeros((len(rows), t.legal_words), np.uint64)
    words[:, 0] = ALL_SUITS
    if t.rules.bid_28_56:
        words[:, 0] = (nameable_suits(t, s, rows) * BIT[FIRST_SUIT : FIRST_SUIT + N_SUITS]).sum(axis=1)
    return words


def apply(t: Tables, s: State, rows: IntArray, action: IntArray) -> IntArray:
    """The suit is trumps."""
    s.trump[rows] = action - FIRST_SUIT
    return rows
