"""What a program of the exchange is made of: things that happen, cards to choose, a question."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from pedro_env.actions import Phase
from pedro_env.cards import N_CARDS
from pedro_env.cardset import BIT, EMPTY, count
from pedro_env.phases.exchange.moves import fold, give, lay_aside, take_from_stock
from pedro_env.phases.marks import has_mark, set_mark
from pedro_env.state import State
from pedro_env.tables import Tables
from pedro_env.typing import BoolArray, IntArray, UInt64Array

Seats = Callable[[Tables, State, IntArray], IntArray]
"""``(k,)`` the seat meant in each of some games."""
Choice = tuple[UInt64Array, IntArray]
"""``(k,)`` the cards to choose from, and how many must be chosen at least; with 0, none need be."""
Cards = Callable[[Tables, State, IntArray, IntArray], Choice]
"""What some seats may choose from, as the state stands: it is asked again after every card."""


class Step(Protocol):
    """One step of a program."""

    def begin(self, t: Tables, s: State, rows: IntArray) -> BoolArray:
        """Do what leaves no choice; ``(k,)`` whether somebody is asked."""
        ...

    def take(self, t: Tables, s: State, rows: IntArray, action: IntArray) -> None:
        """Apply the decisions of the seats asked; then the step begins again, unless ``state.step`` is raised."""
        ...


@dataclass(frozen=True)
class Do:
    """Something that happens without a choice."""

    what: Callable[[Tables, State, IntArray], None]

    def begin(self, t: Tables, s: State, rows: IntArray) -> BoolArray:
        """It happens, and nobody is asked."""
        self.what(t, s, rows)
        return np.zeros(len(rows), np.bool_)

    def take(self, t: Tables, s: State, rows: IntArray, action: IntArray) -> None:
        """Nobody was asked."""


@dataclass(frozen=True)
class Choose:
    """A seat chooses cards one by one; what can be done in only one way is done for it (RULES 6, 7.2).

    The phase says what becomes of a card: given to ``receiver``, laid aside, or taken from the stock.
    """

    phase: Phase
    seat: Seats
    cards: Cards
    receiver: Seats | None = None
    face_up: bool = False

    def begin(self, t: Tables, s: State, rows: IntArray) -> BoolArray:
        """Ask, or move what must go whole, until neither is left to do."""
        seat = self.seat(t, s, rows)
        cards, least = self.cards(t, s, rows, seat)
        there = cards != EMPTY
        if not there.any():
            return there
        whole = there & (least > 0) & (count(cards) <= least)
        asked = there & ~whole
        asking = rows[asked]
        s.phase[asking] = self.phase
        s.to_act[asking] = seat[asked]
        s.choice[asking] = cards[asked]
        s.may_stop[asking] = least[asked] <= 0
        if whole.any():
            self._move(t, s, rows[whole], seat[whole], cards[whole])
            asked[whole] = self.begin(t, s, rows[whole])  # another group may be due
        return asked

    def take(self, t: Tables, s: State, rows: IntArray, action: IntArray) -> None:
        """Move the card; ``done`` ends the step."""
        moves = action < N_CARDS
        moving = rows[moves]
        if len(moving) < len(rows):
            stopping = rows[~moves]
            s.step[stopping] += 1
            if self.phase == Phase.GIVE:
                set_mark(t, s, stopping, s.to_act[stopping], "declined")
        self._move(t, s, moving, s.to_act[moving], BIT[action[moves]])

    def _move(self, t: Tables, s: State, rows: IntArray, seats: IntArray, cards: UInt64Array) -> None:
        if self.phase == Phase.ROB:
            take_from_stock(t, s, rows, seats, cards)
        elif self.receiver is not None:
            give(t, s, rows, seats, self.receiver(t, s, rows), cards)
        else:
            lay_aside(t, s, rows, seats, cards, face_up=self.face_up)


@dataclass(frozen=True)
class OfferFold:
    """3.4 king-pedro-ukrainian: a seat with hardly a trump may give its trumps to its partner and fold."""

    seat: Seats

    def begin(self, t: Tables, s: State, rows: IntArray) -> BoolArray:
        """Ask a seat with no trump, one, or two of which one is the 2, unless its partner has folded (7.29)."""
        seat, k = self.seat(t, s, rows), np.arange(len(rows))
        trump = s.trump[rows]
        trumps = s.hand[rows, seat] & t.trumps[trump]
        number = count(trumps)
        few = (number <= 1) | ((number == 2) & (trumps & t.two[trump] != EMPTY))
        partner_left = has_mark(t, s, rows, "out")[k, partner(t, seat)]
        asked = few & (seat != s.declarer[rows]) & ~partner_left
        asking = rows[asked]
        s.phase[asking] = Phase.GIVE
        s.to_act[asking] = seat[asked]
        s.choice[asking] = EMPTY
        s.may_stop[asking] = True
        return asked

    def take(self, t: Tables, s: State, rows: IntArray, action: IntArray) -> None:
        """``fold`` or ``done``."""
        s.step[rows] += 1
        folds = action == t.actions.id_of("fold")
        staying, folding = rows[~folds], rows[folds]
        set_mark(t, s, staying, s.to_act[staying], "declined")
        seat = s.to_act[folding]
        give(t, s, folding, seat, partner(t, seat), s.hand[folding, seat] & t.trumps[s.trump[folding]])
        fold(t, s, folding, seat)


# --- seats


def declarer(t: Tables, s: State, rows: IntArray) -> IntArray:
    """The declarer."""
    return s.declarer[rows].astype(np.int64)


def dealer(t: Tables, s: State, rows: IntArray) -> IntArray:
    """The dealer."""
    return s.dealer[rows].astype(np.int64)


def from_eldest(place: int) -> Seats:
    """The seat so many places from eldest."""
    return lambda t, s, rows: (s.dealer[rows].astype(np.int64) + 1 + place) % t.rules.seats


def defender(number: int) -> Seats:
    """The first or the second defender from eldest on, of two."""

    def seat(t: Tables, s: State, rows: IntArray) -> IntArray:
        eldest = from_eldest(0)(t, s, rows)
        first = eldest + (t.side_of[eldest] == t.side_of[s.declarer[rows]])
        return (first + 2 * number) % t.rules.seats

    return seat


def partner_of(seat: Seats) -> Seats:
    """A seat's partner."""
    return lambda t, s, rows: partner(t, seat(t, s, rows))


def right_of(seat: Seats) -> Seats:
    """The seat to a seat's right."""
    return lambda t, s, rows: (seat(t, s, rows) - 1) % t.rules.seats


def partner(t: Tables, seat: IntArray) -> IntArray:
    """The seat opposite."""
    return (seat + t.rules.seats // 2) % t.rules.seats
