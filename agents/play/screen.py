"""What the person sees of a game: the table from one seat, results, scores. Everything fits a given width."""

from __future__ import annotations

import numpy as np

from agents.play.choices import Choices
from pedro_env.actions import Phase
from pedro_env.cards import NONE, SUIT_SYMBOLS
from pedro_env.cardset import to_cards
from pedro_env.engine import Batch
from pedro_env.render import Reader, auction_text, bid_text, card_text, counted, relative_names, spread

TABLE_WIDTH = 56
"""Columns that the table uses at most: its two ends belong together."""


class Screen:
    """Texts about the game of a batch of one, from one seat."""

    def __init__(self, batch: Batch, seat: int) -> None:
        self._batch, self._seat = batch, seat
        self._rules = batch.rules
        self.names = relative_names(batch.rules)
        """The seats as this one calls them, itself first."""

    # --- the table

    def table(self, look: Reader, width: int) -> str:
        """Deal and score, contract and points taken, every seat, the own hand."""
        s, rules = self._batch.state, self._rules
        width = min(width, TABLE_WIDTH)
        trick = look.index("trick")
        where = f"Deal {s.deal[0] + 1}" + (f", trick {trick + 1} of {rules.hand}" if trick != NONE else "")
        lines = [
            spread(where, f"score {self._numbers(s.scores[0])} of {rules.target}", width),
            spread(self._contract(look), f"taken {self._numbers(s.taken[0])}", width),
            *(self._row(look, place, width) for place in (*range(1, rules.seats), 0)),
            self.hand(look),
        ]
        return "\n".join(line.rstrip() for line in lines)

    def hand(self, look: Reader) -> str:
        """The own cards, trumps first."""
        return f"Your hand: {look.cards(look.bits('hand'))}"

    def _numbers(self, values: np.ndarray) -> str:
        """The own side's number, and the other's where there are two."""
        own = int(self._batch.tables.side_of[self._seat])
        return f"{values[own]} : {values[1 - own]}" if self._rules.sides == 2 else str(values[own])

    def _contract(self, look: Reader) -> str:
        """Who bid what, and what it is about."""
        contract = look.index("contract")
        if contract == NONE:
            return "Nobody has bid"
        words = [f"{_capital(look.seat('declarer'))} bid {bid_text(look.actions.bids[contract].name)}"]
        if look.trump != NONE:
            words.append(f"{SUIT_SYMBOLS[look.trump]} trumps")
        if look.bits("called"):
            words.append("called " + " ".join(map(card_text, look.bits("called"))))
        if look.bits("alone"):
            words.append("alone")
        if look.bits("bidder_out"):
            words.append("bidder out")
        return ", ".join(words)

    def _row(self, look: Reader, place: int, width: int) -> str:
        """A seat: what it is and said; its cards, and the one in the trick, in brackets where it is winning."""
        s, seat = self._batch.state, self._absolute(place)
        words = [
            "dealer" if look.index("dealer") == place else "",
            auction_text(self._batch, 0, seat),
            "partner" if look.index("partner") == place else "",
            "out" if look.bits(f"out_{place}") else "",
            f"took {s.taken[0, seat]}" if self._rules.sides > 2 and s.taken[0, seat] else "",
        ]
        names = max(map(len, look.names))
        left = f"{'>' if look.index('to_act') == place else ' '} {look.names[place]:<{names}}  "
        card = int(s.on_table[0, seat])
        shown = "" if card == NONE else f"[{card_text(card)}]" if look.index("winning") == place else card_text(card)
        right = f"{counted(len(to_cards(s.hand[0, seat])), 'card'):>8} {shown:^4}"
        return spread(left + ", ".join(word for word in words if word), right, width)

    def _absolute(self, place: int) -> int:
        return (self._seat + place) % self._rules.seats

    # --- the decision

    def choices(self, look: Reader) -> Choices:
        """What the seat may do now."""
        batch = self._batch
        legal: list[int] = np.flatnonzero(batch.mask()[0]).tolist()
        phase = Phase(batch.phase[0])
        return Choices(self._rules, batch.actions, phase, legal, look.bits("hand"), look.trump, look.index("led"))

    # --- results

    def result(self) -> str:
        """How the deal that is over ended: whether the bid was made, points and scores."""
        s = self._batch.state
        lines = [f"Deal {s.deal[0] + 1} is over. {self._outcome()}", f"{'':<14}{'points':>8}{'change':>8}{'score':>8}"]
        for side, name in self._sides():
            points, change, score = s.points[0, side], s.score_change[0, side], s.scores[0, side]
            lines.append(f"{_capital(name):<14}{points:>8}{change:>+8}{score:>8}")
        return "\n".join(lines)

    def _outcome(self) -> str:
        batch, s = self._batch, self._batch.state
        if s.redeal[0]:
            return "It is not played; nothing is scored."
        declarer = int(s.declarer[0])
        who = self.names[(declarer - self._seat) % self._rules.seats]
        sides = {int(batch.tables.side_of[declarer])}
        if s.partner[0] != NONE:  # a called partner has a score of its own
            sides.add(int(s.partner[0]))
        made = sum(int(s.points[0, side]) for side in sides) >= batch.tables.bid_numbers[s.contract[0]]
        bid = bid_text(batch.actions.bids[s.contract[0]].name)
        return f"{_capital(who)} bid {bid} and {'made it' if made else 'were set' if who == 'you' else 'was set'}."

    def scores(self) -> str:
        """The match's scores, and the points taken in the deal so far."""
        s = self._batch.state
        lines = [
            f"{_capital(name)}: {s.scores[0, side]} of {self._rules.target}, {counted(s.taken[0, side], 'point')} taken"
            for side, name in self._sides()
        ]
        return "\n".join(lines)

    def end(self) -> str:
        """Who has won the match, or that nobody has."""
        s = self._batch.state
        winner = int(s.winner[0])
        if winner == NONE:
            cut = f"The match is cut off after {counted(self._rules.max_deals, 'deal')}: there is no winner."
            return cut if s.truncated[0] else ""
        name = dict(self._sides())[winner]
        return f"{_capital(name)} {'win' if name == 'you' else 'wins'} the match."

    def _sides(self) -> list[tuple[int, str]]:
        """Each side's number and name, the own first."""
        own = int(self._batch.tables.side_of[self._seat])
        if self._rules.sides == 2:
            return [(own, "your side"), (1 - own, "other side")]
        return [(self._absolute(place), name) for place, name in enumerate(self.names)]


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
