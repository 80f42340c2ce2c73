"""What is certain for one seat of each game: the sets and conditions that its worlds must respect."""

from __future__ import annotations

import numpy as np

from pedro_env.cardset import EMPTY
from pedro_env.state import State
from pedro_env.tables import Tables
from pedro_env.typing import Int64Array, IntArray
from pedro_env.worlds.joint import joint_of
from pedro_env.worlds.limits import limits_of
from pedro_env.worlds.places import Places

_STEP = 4
"""Sizes are rounded up to a multiple of it."""


class Knowledge:
    """What u games' looking seats know. Arrays are ``(places in the pack, u)``, in an order that suits the chain:
    hands that the seat does not see come first, then shown cards that may have come from elsewhere, then all else that
    is hidden, then what is known.
    """

    def __init__(self, t: Tables, s: State, looking: IntArray) -> None:
        places = Places(t, s, looking)
        limits = limits_of(places)
        self.t, self.s = t, s
        self.trump, self.trumps, self.point_cards = places.trump, places.trumps, places.point_cards
        self.filled, self.rest = places.filled, places.rest
        self.joint = joint_of(places)
        self.swaps_fates = bool(s.gave.shape[1]) or t.rules.rob_discards
        """Whether cards of one place may have met different fates."""

        hidden = limits.fits_fate != places.card
        movable = limits.fits_place != places.card
        in_hand = places.card & np.bitwise_or.reduce(s.hand, axis=1) != EMPTY
        group = np.where(hidden & in_hand, 0, np.where(hidden, 2, np.where(movable, 1, 3)))
        ends = np.stack([(group <= g).sum(axis=0) for g in range(3)], axis=1)
        rounded = np.minimum(-(-ends // _STEP) * _STEP, len(group))  # so that more games have the same sizes
        self.sizes: Int64Array = np.concatenate([rounded, self.joint.any[:, None]], axis=1).astype(np.int64)
        """``(u, 4)`` how many places at the head of the order are in a hidden hand, or movable, or hidden (rounded up:
        what cannot move among them does not), and whether there are joint conditions."""
        # Within a group by seat from the looking one on, so that games of a kind have their seats at the same places.
        kind = places.kind
        seat = np.where(kind < t.rules.seats, (kind - looking) % t.rules.seats, kind)
        order = np.argsort(group * (kind.max(initial=0) + 1) + seat, axis=0, kind="stable")
        self.position = order
        """The place in the pack."""

        def ordered(values: np.ndarray) -> np.ndarray:
            return np.take_along_axis(values, order, axis=0)

        self.card, self.zone, self.kind = ordered(places.card), ordered(places.zone), ordered(kind)
        self.cat, self.code = ordered(places.cat), ordered(places.code)
        self.fits_fate, self.fits_place = ordered(limits.fits_fate), ordered(limits.fits_place)
        self.to_trump, self.to_plain = ordered(limits.to_trump), ordered(limits.to_plain)
