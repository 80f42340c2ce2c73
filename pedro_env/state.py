"""The state of n games: a struct of arrays, one column a line. -1 means "not there (yet)".

Nothing in here knows a rule. ``S`` seats, ``sides`` scores, ``M`` words of marks (``layout.py``).
"""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from pedro_env.actions import Phase
from pedro_env.cards import NONE
from pedro_env.rules import Rules
from pedro_env.typing import BoolArray, Int8Array, Int16Array, Int64Array, IntArray, UInt8Array, UInt64Array


@dataclass
class State:
    """n games; every array's first axis is the game."""

    # Where the game is
    phase: Int8Array  # (n,) a Phase
    to_act: Int8Array  # (n,) seat that decides; -1: the deal is over
    decision: Int16Array  # (n,) decisions taken in this deal
    match: Int64Array  # (n,) number of the match
    deal: Int64Array  # (n,) number of the deal in the match

    # The table
    dealer: Int8Array  # (n,)
    declarer: Int8Array  # (n,) highest bidder so far, in the end the declarer
    contract: Int8Array  # (n,) highest bid so far, an index into Actions.bids
    partner: Int8Array  # (n,) seat that the declarer called
    trump: Int8Array  # (n,) suit
    alone: BoolArray  # (n,) the declarer plays alone
    bidder_out: BoolArray  # (n,) the deal is played bidder out
    passes: Int8Array  # (n,) passes in a row

    # The cards
    pack: UInt8Array  # (n, cards) top first
    stock_next: Int8Array  # (n,) position in the pack of the next card to draw
    hand: UInt64Array  # (n, S) card set held by each seat
    laid_aside: UInt64Array  # (n, S) card set each seat laid aside face down
    stock: UInt64Array  # (n,) card set that the robber may take from, then what it left
    robber: Int8Array  # (n,) seat that has seen the stock
    kitty: UInt64Array  # (n,) card set set aside for the declarer
    called: UInt64Array  # (n,) set of the card that the declarer called

    # The trick
    trick: Int8Array  # (n,) number of the trick from 0; -1 before the play
    leader: Int8Array  # (n,)
    led: Int8Array  # (n,) suit led
    winning: Int8Array  # (n,) seat that is winning the trick
    best: Int8Array  # (n,) strength of its card
    played: Int8Array  # (n,) cards in the trick
    on_table: Int8Array  # (n, S) card that each seat has in the trick
    in_trick: UInt64Array  # (n,) the same as a set

    # What everybody has seen
    shown: UInt64Array  # (n, S) card set that each seat played or laid open
    open: UInt64Array  # (n,) card set laid open without being played
    won: UInt64Array  # (n, S) card set of the tricks that each seat won
    trick_bits: UInt64Array  # (n, 4) cards of finished tricks, by the bits of the trick's number from 1
    marks: UInt64Array  # (n, S, M) public marks of each seat, as Layout.marks says

    # Points and scores
    taken: Int16Array  # (n, sides) points taken in tricks in this deal
    scores: Int16Array  # (n, sides) match scores; with the deal's change once it is over
    points: Int16Array  # (n, sides) once the deal is over: all that counts for a side
    score_change: Int16Array  # (n, sides) once the deal is over
    winner: Int8Array  # (n,) side that has won the match
    truncated: BoolArray  # (n,) the match was cut off
    redeal: BoolArray  # (n,) the deal ended without play

    @classmethod
    def empty(cls, rules: Rules, n: int, cards: int, mark_words: int) -> State:
        """n games in which nothing has been dealt."""
        seats, sides = rules.seats, rules.sides

        def none(*shape: int) -> Int8Array:
            return np.full((n, *shape), NONE, np.int8)

        def small(*shape: int) -> Int8Array:
            return np.zeros((n, *shape), np.int8)

        def sets(*shape: int) -> UInt64Array:
            return np.zeros((n, *shape), np.uint64)

        def flags() -> BoolArray:
            return np.zeros(n, np.bool_)

        def counts(*shape: int) -> Int16Array:
            return np.zeros((n, *shape), np.int16)

        return cls(
            phase=np.full(n, Phase.OVER, np.int8),
            to_act=none(),
            decision=counts(),
            match=np.zeros(n, np.int64),
            deal=np.zeros(n, np.int64),
            dealer=none(),
            declarer=none(),
            contract=none(),
            partner=none(),
            trump=none(),
            alone=flags(),
            bidder_out=flags(),
            passes=small(),
            pack=np.zeros((n, cards), np.uint8),
            stock_next=small(),
            hand=sets(seats),
            laid_aside=sets(seats),
            stock=sets(),
            robber=none(),
            kitty=sets(),
            called=sets(),
            trick=none(),
            leader=none(),
            led=none(),
            winning=none(),
            best=small(),
            played=small(),
            on_table=none(seats),
            in_trick=sets(),
            shown=sets(seats),
            open=sets(),
            won=sets(seats),
            trick_bits=sets(4),
            marks=sets(seats, mark_words),
            taken=counts(sides),
            scores=counts(sides),
            points=counts(sides),
            score_change=counts(sides),
            winner=none(),
            truncated=flags(),
            redeal=flags(),
        )

    def take(self, rows: IntArray) -> State:
        """A copy of some games."""
        return State(**{name: getattr(self, name)[rows] for name in COLUMNS})

    def copy(self) -> State:
        """A copy of all games."""
        return State(**{name: getattr(self, name).copy() for name in COLUMNS})

    def put(self, rows: IntArray, other: State) -> None:
        """Overwrite some games with those of ``other``."""
        for name in COLUMNS:
            getattr(self, name)[rows] = getattr(other, name)

    def bytes_per_game(self) -> float:
        """Memory that one game takes."""
        return sum(getattr(self, name).nbytes for name in COLUMNS) / len(self.phase)


COLUMNS = tuple(field.name for field in fields(State))
