"""What a picture shows of a game, read from the state: nothing is drawn in here."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pedro_env.actions import Bid, Phase
from pedro_env.cards import BIG_JOKER, N_RANKS, N_SUITS, NONE
from pedro_env.cardset import to_cards
from pedro_env.engine import Batch
from pedro_env.state import State
from pedro_env.tables import Tables

_COUNTS = (("laid_aside", "laid aside"), ("drawn", "drew"), ("given", "gave"), ("buried", "buried"))
"""(mark, word) of what a seat did with its cards."""


class Trick(NamedTuple):
    """Cards on the table."""

    number: int
    """From 1."""
    cards: dict[int, int]
    """By seat."""
    leader: int
    """-1 where the cards do not tell."""
    winner: int
    """The seat that is winning, or has won."""
    finished: bool


class Facts:
    """One game of a batch, for one looker: ``viewer`` is the only seat whose cards are open; ``None``: all are."""

    def __init__(self, batch: Batch, row: int, viewer: int | None) -> None:
        self.batch, self.row, self.viewer = batch, row, viewer
        self.rules = batch.rules
        self.tables: Tables = batch.tables
        self.state: State = batch.state
        self.trump = int(self.state.trump[row])
        self.phase = Phase(batch.phase[row])
        self.to_act = int(self.state.to_act[row])
        self.declarer = int(self.state.declarer[row])

    # --- the deal

    @property
    def in_auction(self) -> bool:
        """Bids are being made."""
        return self.phase in (Phase.DARK, Phase.BID)

    @property
    def over(self) -> bool:
        """The deal has ended."""
        return self.phase == Phase.OVER

    def contract(self) -> Bid | None:
        """The highest bid so far, in the end the contract."""
        place = int(self.state.contract[self.row])
        return None if place == NONE else self.batch.actions.bids[place]

    def taken(self) -> list[int]:
        """Points by side; with the 2s that their holders keep once the deal is over."""
        return (self.state.points if self.over else self.state.taken)[self.row].tolist()

    def scores(self) -> list[int]:
        """Match scores by side."""
        return self.state.scores[self.row].tolist()

    def called(self) -> list[int]:
        """The card that the declarer called."""
        return to_cards(self.state.called[self.row])

    def side_of(self, seat: int) -> int:
        """The side that a seat's score is kept in."""
        return int(self.tables.side_of[seat])

    def side_name(self, side: int) -> str:
        """``"0 + 2"``: the seats whose score it is."""
        return " + ".join(str(seat) for seat in range(self.rules.seats) if self.side_of(seat) == side)

    # --- cards in the middle

    def trick(self) -> Trick | None:
        """The trick on the table; between two tricks, and at the end, the last one."""
        s, row = self.state, self.row
        number = int(s.trick[row])
        on_table = {seat: int(card) for seat, card in enumerate(s.on_table[row]) if card != NONE}
        if self.over:
            return Trick(number, on_table, int(s.leader[row]), int(s.winning[row]), True) if on_table else None
        if number == NONE:
            return None
        if on_table or number == 0:
            return Trick(number + 1, on_table, int(s.leader[row]), int(s.winning[row]), False)
        return self._finished(number)

    def _finished(self, number: int) -> Trick:
        """A trick that has been taken, from its number (from 1)."""
        s, row = self.state, self.row
        bits = [int(word) for word in s.trick_bits[row]]
        cards: dict[int, int] = {}
        winner = NONE
        for seat in range(self.rules.seats):
            for card in to_cards(s.shown[row, seat] & ~s.open[row]):
                if sum((word >> card & 1) << place for place, word in enumerate(bits)) == number:
                    cards[seat] = card
        for seat in range(self.rules.seats):
            if int(s.won[row, seat]) & sum(1 << card for card in cards.values()):
                winner = seat
        return Trick(number, cards, NONE, winner, True)

    def stock(self) -> tuple[str, list[int], bool]:
        """(name, cards, face up) of what lies in the middle and is being chosen from, or waits for the declarer."""
        s, row = self.state, self.row
        if self.phase == Phase.ROB:
            return "stock", self.sorted(int(s.stock[row])), self.viewer in (None, s.robber[row])
        return "kitty", self.sorted(int(s.kitty[row])), self.viewer is None

    # --- seats

    def is_open(self, seat: int) -> bool:
        """Whether a seat's cards are shown."""
        return self.viewer in (None, seat)

    def hand(self, seat: int) -> list[int]:
        """A seat's cards, in the order in which one holds them."""
        return self.sorted(int(self.state.hand[self.row, seat]))

    def bid(self, seat: int) -> Bid | None:
        """The highest bid that a seat made."""
        bids = np.flatnonzero(self.batch.seat_mark(self.row, seat, "bid")).tolist()
        return self.batch.actions.bids[bids[-1]] if bids else None

    def passed(self, seat: int) -> bool:
        """Whether a seat passed, where that still matters or is all that it did."""
        return bool(self.batch.seat_mark(self.row, seat, "passed").any()) and (
            self.in_auction or self.bid(seat) is None
        )

    def is_out(self, seat: int) -> bool:
        """Whether a seat has left the deal."""
        return bool(self.batch.seat_mark(self.row, seat, "out").any())

    def counts(self, seat: int) -> str:
        """What a seat did with its cards: ``"laid aside 5, drew 2"``."""
        counts = [(word, int(self.batch.seat_mark(self.row, seat, mark).sum())) for mark, word in _COUNTS]
        return ", ".join(f"{word} {count}" for word, count in counts if count)

    def laid_open(self, seat: int) -> list[int]:
        """The cards that a seat showed without playing them: buried, laid aside face up, laid down."""
        return self.sorted(int(self.state.shown[self.row, seat] & self.state.open[self.row]))

    def point_cards(self, seat: int) -> list[int]:
        """The point cards that count for a seat, as far as everybody knows: those that it took, and a 2 it keeps."""
        if self.trump == NONE:
            return []
        s, row, t = self.state, self.row, self.tables
        kept = t.kept_two[self.trump]
        took = s.won[row, seat] & t.point_cards[self.trump] & ~kept
        return self.sorted(int(took | s.shown[row, seat] & kept))

    def worth(self, cards: list[int]) -> int:
        """The points of some point cards."""
        return int(self.tables.points[self.trump, cards].sum())

    # --- cards

    def is_trump(self, card: int) -> bool:
        """Whether a card is a trump; the off-five, the off-jack and jokers may be."""
        return self.trump != NONE and int(self.tables.trumps[self.trump]) >> card & 1 == 1

    def sorted(self, cards: int) -> list[int]:
        """A card set by suit, trumps first, high to low."""
        return sorted(to_cards(cards), key=self._place)

    def _place(self, card: int) -> tuple[bool, int, int]:
        if self.is_trump(card):
            return False, 0, -int(self.tables.strength[self.trump * (N_SUITS + 1) + self.trump + 1, card])
        if card >= BIG_JOKER:
            return True, NONE, card
        return True, card // N_RANKS, -card
