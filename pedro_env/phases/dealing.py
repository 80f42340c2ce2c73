"""Dealing cards into hands (RULES 2.3, 5, and the variants that deal more later)."""

from __future__ import annotations

import numpy as np

from pedro_env.cardset import BIT
from pedro_env.state import State
from pedro_env.tables import Tables
from pedro_env.typing import IntArray


def deal_hands(t: Tables, s: State, rows: IntArray) -> None:
    """Every seat's cards, and the kitty."""
    bits = BIT.take(s.pack[rows])
    seats = (s.dealer[rows][:, None] + np.arange(1, t.rules.seats + 1)) % t.rules.seats
    s.hand[rows[:, None], seats] = bits[:, t.deal_positions].sum(axis=-1)  # distinct bits: a sum of cards is their set
    if t.rules.kitty:
        kitty_start = t.deal_positions.size
        s.kitty[rows] = bits[:, kitty_start : kitty_start + t.rules.kitty].sum(axis=-1)
    s.stock_next[rows] = t.stock_start


def deal_widows(t: Tables, s: State, rows: IntArray, seats: IntArray) -> None:
    """3.2 monterey-widow: a seat sees its own four after its turn in the auction."""
    place = (seats - s.dealer[rows] - 1) % t.rules.seats
    cards = s.pack[rows[:, None], t.widow_positions[place]]
    s.hand[rows, seats] |= BIT[cards].sum(axis=-1)


def deal_after_trump(t: Tables, s: State, rows: IntArray) -> None:
    """3.4, 3.5: once trumps are named every seat, from eldest on, is dealt one more packet from the stock."""
    each, seats = t.rules.dealt_after_trump, t.rules.seats
    start = t.stock_start
    cards = BIT.take(s.pack[rows, start : start + seats * each]).reshape(len(rows), seats, each).sum(axis=-1)
    order = (s.dealer[rows][:, None] + np.arange(1, seats + 1)) % seats
    s.hand[rows[:, None], order] |= cards
    s.stock_next[rows] = start + seats * each
