"""What a seat sees happen, in sentences. What was face down is counted, not named: its own observations say so."""

from __future__ import annotations

import numpy as np

from pedro_env.actions import Phase
from pedro_env.cards import N_CARDS
from pedro_env.engine import Batch
from pedro_env.render import Reader, card_text, counted, told, trick_won

_MOVES = (Phase.GIVE, Phase.DISCARD, Phase.ROB, Phase.BURY)
"""Phases whose cards are told by what has changed, since not everybody sees them."""
_YOU = {"is": "are", "passes": "pass", "buries": "bury"}
"""Verbs that do more after "you" than lose an s."""


class Story:
    """Follows one game of a batch of one from one seat: call ``before_step`` and ``after_step`` around every step."""

    def __init__(self, batch: Batch, seat: int) -> None:
        self._batch, self._seat = batch, seat
        self.last_trick = ""
        """The last finished trick of the deal, in a sentence."""
        self._sentences: list[str] = []
        self._acts: list[str] = []
        self._trick: list[tuple[str, int]] = []
        self._played: set[int] = set()
        self._told_up_to = self.look()
        self._won: list[int] = []

    def begin_deal(self) -> None:
        """Forget the cards of the deal before."""
        self.last_trick = ""
        self._trick, self._played = [], set()
        self._told_up_to = self.look()

    def look(self) -> Reader:
        """What the seat sees now."""
        observation = self._batch.observe(np.array([0]), np.array([self._seat]))[0]
        return Reader(observation, self._batch.rules, self._batch.layout)

    def tell(self) -> list[str]:
        """What has happened since it was last told, a sentence or two a line."""
        self._tell_moves(self.look())
        self._end_acts()
        sentences, self._sentences = self._sentences, []
        return sentences

    def before_step(self, action: int) -> None:
        """The seat to act is about to take an action."""
        batch, before = self._batch, self.look()
        phase = Phase(batch.phase[0])
        self._won = batch.state.won[0].tolist()
        if phase in _MOVES:
            return
        self._tell_moves(before)
        place = before.index("to_act")
        who = before.names[place]
        if phase is Phase.PLAY and action < N_CARDS:
            self._played.add(action)
            self._trick.append((who, action))
            return
        name = batch.actions.names[action]
        self._acts.append(_says(who, told(phase.word, name)[0]))

    def after_step(self) -> None:
        """The step is taken: who is the partner now, and who has won the trick."""
        after = self.look()
        if after.bits("partner") and not self._told_up_to.bits("partner"):
            self._acts.append(_says(after.seat("partner"), "is the partner"))
        trick = trick_won(self._batch, 0, self._won)
        if trick is None:
            return
        self._end_acts()
        winner = after.names[(trick[0] - self._seat) % len(after.names)]
        cards = ", ".join(f"{who} {card_text(card)}" for who, card in self._trick)
        self.last_trick = f"{_capital(cards)}. {_capital(_says(winner, 'wins'))}, {counted(trick[1], 'point')}."
        self._sentences.append(self.last_trick)
        self._trick = []

    def _end_acts(self) -> None:
        if self._acts:
            self._sentences.append(_capital(", ".join(self._acts)) + ".")
        self._acts = []

    def _tell_moves(self, now: Reader) -> None:
        """Cards that have been laid aside, drawn, given, buried or laid open."""
        before, self._told_up_to = self._told_up_to, now
        seats = [(now.index("dealer") + 1 + place) % len(now.names) for place in range(len(now.names))]
        clauses = [_says(now.names[seat], *verbs) for seat in seats if (verbs := self._moves(before, now, seat))]
        if clauses:
            self._end_acts()
            self._sentences += [_capital(clause) + "." for clause in clauses]

    def _moves(self, before: Reader, now: Reader, seat: int) -> list[str]:
        """What one seat has done with its cards: ``["lays aside 5", "draws 2"]``."""

        def new(name: str) -> list[int]:
            return sorted(set(now.bits(name)) - set(before.bits(name)))

        own = seat == 0
        more = {mark: len(new(f"{mark}_{seat}")) for mark in ("laid_aside", "drawn", "given", "buried", "out")}
        opened = [card for card in new(f"shown_{seat}") if card not in self._played]
        hidden = new("laid_aside") if own else []
        given = new("gave") if own else []
        received = new("received") if own else []
        gained = [card for card in new("hand") if card not in received] if own else []
        verbs: list[str] = []
        if more["laid_aside"]:
            open_now = [] if more["buried"] else opened
            verbs.append(f"lays aside {_some(now, more['laid_aside'], hidden, open_now)}")
        if more["buried"]:
            verbs.append(f"buries {_some(now, more['buried'], [], opened)}")
        if opened and not more["laid_aside"] and not more["buried"]:
            verbs.append(f"lays down {now.cards(opened)}")
        if more["given"]:
            verbs.append(f"gives {_some(now, more['given'], given, [])}")
        if received:
            verbs.append(f"receives {now.cards(received)}")
        if more["drawn"]:
            verbs.append(f"draws {_some(now, more['drawn'], gained, [])}")
        elif gained:  # dealt after the first decisions
            verbs.append(f"gets {now.cards(gained)}")
        if more["out"]:
            verbs.append("is out")
        return verbs


def _some(now: Reader, number: int, hidden: list[int], opened: list[int]) -> str:
    """Cards by name where the seat knows them all (``hidden``: it alone), otherwise how many, and which lie open."""
    if hidden or len(opened) == number:
        return now.cards([*hidden, *opened])
    return f"{number} ({now.cards(opened)} open)" if opened else str(number)


def _says(who: str, *verbs: str) -> str:
    """``"left passes"``, ``"you pass"``, ``"right lays aside 5 and draws 2"``."""
    said = [_you(verb) for verb in verbs] if who == "you" else list(verbs)
    return f"{who} {' and '.join([', '.join(said[:-1]), said[-1]] if len(said) > 1 else said)}"


def _you(verb: str) -> str:
    first, space, rest = verb.partition(" ")
    return _YOU.get(first, first.removesuffix("s")) + space + rest


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
