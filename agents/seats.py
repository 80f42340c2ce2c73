"""The order of the seats in an auction."""

from __future__ import annotations

from pedro_env.rules import Rules
from pedro_env.typing import IntArray


def auction_place(rules: Rules, dealer: IntArray, seat: IntArray) -> IntArray:
    """``(k,)`` when a seat is asked first in the auction: 0 eldest, … the last is the dealer."""
    step = -1 if rules.counter_clockwise else 1
    return (step * (seat.astype(int) - dealer) - 1) % rules.seats
