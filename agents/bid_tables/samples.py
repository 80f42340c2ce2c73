"""What simulated deals say of hands, and how their columns are numbered."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from agents.analyse.plain_bids import plain_bids
from pedro_env.rules import Rules
from pedro_env.tables import tables_of
from pedro_env.typing import Int16Array, Int64Array

PLAYER = "heuristic-1"
WAYS = ("open", "played")
"""How the cards are played: all cards open, best play of both sides; by ``PLAYER``."""
SEATS = ("dealer", "dealer's partner", "others")
"""Where a hand sits. The dealer's side gains by the dealer's robbing, where a dealer robs."""


class Samples(NamedTuple):
    """n deals; the seats are counted from the dealer: 0 dealer, 1 at its left …"""

    kind: Int16Array
    """``(n, 4)`` see ``Kinds``."""
    points: Int16Array
    """``(n, 4, ways)`` points of the seat's side where it declares."""
    gain: Int16Array
    """``(n, 4, ways, bids)`` what the seat's side scores more than the other at each bid (``bid_numbers``)."""
    passing: Int16Array
    """``(n, 4)`` the same, where the seat passes as long as it may; the others bid, and all play, as ``PLAYER``."""


def bid_numbers(rules: Rules) -> dict[int, int]:
    """The numbers that can be bid, ascending, and for each a bid; special bids are left out."""
    bids = tables_of(rules).actions.bids
    first: dict[int, int] = {}
    for bid in plain_bids(tables_of(rules))[0]:
        first.setdefault(bids[bid].number, bid)
    return dict(sorted(first.items()))


def seat_group(column: Int64Array) -> Int64Array:
    """Which of ``SEATS`` the columns of ``Samples`` are."""
    return np.where(column == 0, 0, np.where(column == 2, 1, 2))
