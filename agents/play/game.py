"""A match between a person and agents: who acts, and what is printed when."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from agents.errors import AgentError
from agents.play.choices import Choices, NotAChoice
from agents.play.keeper import Keeper
from agents.play.screen import Screen
from agents.play.story import Story
from agents.play.terminal import Terminal, flow
from pedro_env.actions import Phase
from pedro_env.agent import Agent, Resettable
from pedro_env.engine import Batch
from pedro_env.record import Recorder
from pedro_env.rules_page import rules_page

PERSON = "person"
"""The name of the person in records."""

_ROW = np.array([0])

HELP = """\
A card is typed as 5H, 5h or 5♥ (ten: TH or 10H), a suit as H or hearts, a bid as its number, and words as they stand. \
The beginning is enough where it fits one choice only: 5, where one five can be played. \
Enter alone takes the only choice.
  ?      the rules
  score  the scores
  last   the last trick
  table  the table again
  quit   leave; finished deals are kept
  help   this
There is no undo: a card laid is a card played. \
On the table, > marks the seat to act, * trumps, [ ] the card that is winning."""


class Quit(Exception):
    """The person has had enough."""


class Game:
    """One match at one table. Ends with ``Quit``, ``EOFError`` or ``KeyboardInterrupt`` where the person leaves."""

    def __init__(
        self,
        batch: Batch,
        seat: int,
        agents: Mapping[int, Agent],
        terminal: Terminal,
        keeper: Keeper,
        options: Mapping[str, Any],
    ) -> None:
        """``batch``: one game, in which the person has ``seat`` and ``agents`` the others; ``options``: for records."""
        self._batch, self._seat, self._agents = batch, seat, agents
        self._terminal, self._keeper = terminal, keeper
        self._recorder = Recorder(batch, options)
        self._screen = Screen(batch, seat)
        self._story = Story(batch, seat)

    def play(self, *, whole_match: bool) -> None:
        """Play a deal, or deals until the match is over."""
        say = self._terminal.say
        say(self._opening())
        while True:
            self._begin_deal()
            self._play_deal()
            self._end_deal()
            if not whole_match or self._batch.match_over[0]:
                break
            self._batch.next_deal(_ROW)
        if end := self._screen.end():
            say(end)

    def _opening(self) -> str:
        batch, rules = self._batch, self._batch.rules
        names = {
            name: self._agents[(self._seat + place) % rules.seats].name
            for place, name in enumerate(self._screen.names)
            if place
        }
        others = ", ".join(f"{name} is {agent}" for name, agent in names.items())
        if len(set(names.values())) == 1:
            others = f"all others are {names['left']}"
        return (
            f"{rules.variant} to {rules.target}, seed {batch.seed}.\n"
            f"You have seat {self._seat}; {others}.\n"
            "Type help for what you can type, ? for the rules."
        )

    # --- a deal

    def _begin_deal(self) -> None:
        self._story.begin_deal()
        for agent in {id(agent): agent for agent in self._agents.values()}.values():
            if isinstance(agent, Resettable):
                agent.reset(_ROW)

    def _play_deal(self) -> None:
        batch, turn = self._batch, None
        while not batch.over[0]:
            before, turn = turn, (int(batch.to_act[0]), int(batch.phase[0]))
            seat, phase = turn
            again = turn == before and phase != Phase.PLAY
            action = self._ask(again=again) if seat == self._seat else self._answer_of(self._agents[seat])
            self._story.before_step(action)
            self._recorder.before_step(np.array([action]), _ROW)
            batch.step(np.array([action]))
            self._story.after_step()

    def _end_deal(self) -> None:
        """Keep the record first: what follows are words."""
        record = self._recorder.finish(0)
        names = [PERSON if seat == self._seat else self._agents[seat].name for seat in range(self._batch.rules.seats)]
        trouble = ""
        try:
            self._keeper.add(record | {"agents": names})
        except OSError as error:
            trouble = f"{error}; it is tried again later"
        self._tell()
        self._terminal.say(self._screen.result())
        if trouble:
            self._terminal.say(trouble)

    def _answer_of(self, agent: Agent) -> int:
        views = self._batch.views(_ROW, sees_everything=agent.sees_everything)
        answer = np.asarray(agent.act(views))
        if answer.shape != (1,) or answer.dtype.kind not in "iu" or not self._is_legal(int(answer[0])):
            raise AgentError(f"{agent.name} answered a decision with {answer.tolist()}, which is no legal action")
        return int(answer[0])

    def _is_legal(self, action: int) -> bool:
        return 0 <= action < self._batch.actions.n and bool(self._batch.mask()[0, action])

    # --- the person's decision

    def _ask(self, *, again: bool) -> int:
        """What the person chooses; commands and mistakes on the way change nothing.

        ``again``: one card more of several, for which the whole table need not be shown.
        """
        self._tell()
        look = self._story.look()
        self._terminal.say(self._screen.hand(look) if again else self._screen.table(look, self._terminal.width))
        choices = self._screen.choices(look)
        self._show_choices(choices)
        while True:
            text = self._terminal.ask(f"{choices.title.lower()}>")
            if self._command(text, choices):
                continue
            try:
                return choices.parse(text)
            except NotAChoice as error:
                self._terminal.say(str(error))

    def _tell(self) -> None:
        """What has happened, between blank lines."""
        self._terminal.say()
        sentences = self._story.tell()
        for sentence in sentences:
            self._terminal.say(sentence)
        if sentences:
            self._terminal.say()

    def _show_choices(self, choices: Choices) -> None:
        only = "  (Enter takes it)" if len(choices.legal) == 1 else ""
        self._terminal.say(flow([f"{choices.title}:", *choices.parts()], self._terminal.width) + only)

    def _command(self, text: str, choices: Choices) -> bool:
        """Do what a command says; False where the text is none."""
        word = text.lower()
        if word == "quit":
            raise Quit
        if word == "undo":
            self._terminal.say("There is no undo: a card laid is a card played.")
        elif word in ("?", "rules"):
            page = rules_page(self._batch.rules).replace("\n  ", " ")  # it is wrapped for its own width
            self._terminal.page(page)
        elif word == "help":
            self._terminal.say(HELP)
        elif word == "score":
            self._terminal.say(self._screen.scores())
        elif word == "last":
            self._terminal.say(self._story.last_trick or "No trick has been finished in this deal.")
        elif word == "table":
            self._terminal.say(self._screen.table(self._story.look(), self._terminal.width))
            self._show_choices(choices)
        else:
            return False
        return True
