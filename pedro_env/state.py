"""The state of n games: a struct of arrays, one column a line. -1 means "not there (yet)".

Nothing in here knows a rule. Columns of one type and shape lie in one block of memory, so that a game is cleared or
copied with a handful of operations. ``S`` seats, ``G`` seats where cards are given (else 0), ``sides`` scores, ``M``
words of marks (``layout.py``).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from pedro_env.cards import NONE
from pedro_env.rules import Rules
from pedro_env.typing import BoolArray, Int8Array, Int16Array, Int64Array, IntArray, UInt8Array, UInt64Array


@dataclass(frozen=True)
class _Kind:
    """What columns of one block have in common."""

    dtype: type[np.generic]
    shape: tuple[str, ...]
    empty: int


_BLOCKS: dict[_Kind, tuple[str, ...]] = {
    _Kind(np.int8, (), NONE): (
        "phase",
        "to_act",
        "dealer",
        "declarer",
        "contract",
        "partner",
        "trump",
        "robber",
        "keeper",
        "step",
        "trick",
        "leader",
        "led",
        "winning",
        "winner",
    ),
    _Kind(np.int16, (), 0): ("decision",),
    _Kind(np.int64, (), 0): (
        "match",
        "deal",
    ),
    _Kind(np.bool_, (), 0): (
        "alone",
        "bidder_out",
        "truncated",
        "redeal",
        "same_dealer",
        "may_stop",
    ),
    _Kind(np.int8, (), 0): (
        "passes",
        "stock_next",
        "best",
        "played",
    ),
    _Kind(np.uint8, ("cards",), 0): ("pack",),
    _Kind(np.uint64, ("S",), 0): (
        "hand",
        "laid_aside",
        "shown",
        "won",
    ),
    _Kind(np.uint64, ("G",), 0): (
        "gave",
        "received",
    ),
    _Kind(np.uint64, (), 0): (
        "stock",
        "choice",
        "kitty",
        "called",
        "in_trick",
        "open",
        "robbed",
    ),
    _Kind(np.int8, ("S",), NONE): ("on_table",),
    _Kind(np.uint64, ("trick_bits",), 0): ("trick_bits",),
    _Kind(np.uint64, ("S", "M"), 0): ("marks",),
    _Kind(np.int16, ("sides",), 0): (
        "taken",
        "scores",
        "points",
        "score_change",
    ),
}
"""The columns by type, shape beyond the game, and the value of an empty game."""

_TABLE = _Kind(np.int8, (), NONE)
TABLE = _BLOCKS[_TABLE]
"""Columns of one small number that is -1 where it is not there."""


class State:
    """n games; every column's first axis is the game."""

    # Where the game is
    phase: Int8Array  # (n,) a Phase; -1: never dealt
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
    gave: UInt64Array  # (n, G) card set each seat gave to another
    received: UInt64Array  # (n, G) card set each seat was given
    keeper: Int8Array  # (n,) seat whose side the 2 counts for, whoever takes it
    kitty: UInt64Array  # (n,) card set set aside for the declarer
    called: UInt64Array  # (n,) set of the card that the declarer called

    # The exchange
    step: Int8Array  # (n,) place in the program of the exchange; -1 before it
    choice: UInt64Array  # (n,) card set from which the seat to act chooses
    may_stop: BoolArray  # (n,) it may also say that it is done

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
    robbed: UInt64Array  # (n,) card set that was laid aside face up and that all saw the dealer take
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
    same_dealer: BoolArray  # (n,) and its dealer deals again

    def __init__(self, rules: Rules, n: int, cards: int, mark_words: int, *, gives: bool) -> None:
        """n games in which nothing has been dealt; ``gives``: cards can be given from seat to seat."""
        seats, sides = rules.seats, rules.sides
        sizes = {"S": seats, "G": seats * gives, "sides": sides, "M": mark_words, "cards": cards, "trick_bits": 4}
        self._blocks: dict[_Kind, np.ndarray] = {}
        for kind, names in _BLOCKS.items():
            shape = (len(names), n, *(sizes[letter] for letter in kind.shape))
            self._blocks[kind] = np.full(shape, kind.empty, kind.dtype)
        self._name_columns()

    @property
    def table(self) -> Int8Array:
        """``(columns, n)`` the columns of ``TABLE``, for reading them all at once."""
        return self._blocks[_TABLE]

    def _name_columns(self) -> None:
        for kind, names in _BLOCKS.items():
            for name, column in zip(names, self._blocks[kind], strict=True):
                setattr(self, name, column)

    def clear(self, rows: IntArray) -> None:
        """Forget everything about some games."""
        for kind, block in self._blocks.items():
            block[:, rows] = kind.empty

    def take(self, rows: IntArray) -> State:
        """A copy of some games."""
        # The columns must stay contiguous: they are written to through flat views of them.
        return self._with({kind: np.ascontiguousarray(block[:, rows]) for kind, block in self._blocks.items()})

    def copy(self) -> State:
        """A copy of all games."""
        return self._with({kind: block.copy() for kind, block in self._blocks.items()})

    def put(self, rows: IntArray, other: State) -> None:
        """Overwrite some games with those of ``other``."""
        for kind, block in self._blocks.items():
            block[:, rows] = other._blocks[kind]

    def bytes_per_game(self) -> float:
        """Memory that one game takes."""
        return sum(block.nbytes for block in self._blocks.values()) / len(self.phase)

    def _with(self, blocks: dict[_Kind, np.ndarray]) -> State:
        other = object.__new__(State)
        other._blocks = blocks
        other._name_columns()
        return other

    def __getstate__(self) -> dict[str, Any]:
        """The blocks alone; columns are views of them."""
        return {"_blocks": self._blocks}

    def __setstate__(self, data: dict[str, Any]) -> None:
        self._blocks = data["_blocks"]
        self._name_columns()
