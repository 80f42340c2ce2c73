"""``exec:COMMAND``: a process plays. It is told what a seat may see, a line a message, and answers with a line.

The protocol is in ``docs/agents-protocol.md``. A process that fails (ends, is late, answers something that is not
legal) never blocks a game: by the option ``on_error`` everything stops with an error that says why, or the deals
concerned are forfeited, that is played on at random, counted and reported.
"""

from __future__ import annotations

import sys
from typing import Any, Literal

import numpy as np

from agents.choice import decide
from agents.errors import AgentError
from agents.process.child import ChildFailed
from agents.process.conversation import Conversation, short
from agents.process.messages import decisions_of
from agents.random import RandomAgent
from pedro_env.cards import NONE
from pedro_env.rules import Rules
from pedro_env.typing import BoolArray, Int64Array, IntArray
from pedro_env.views import Views

MOST_DECISIONS = 200
"""In a message."""


class ProcessAgent:
    """A process as an agent.

    ``timeout``: seconds that the answer to a message may take, and as many again for every 100 decisions in it.
    ``on_error``: ``stop`` raises ``AgentError``; ``forfeit`` plays the deals of the message (where answers are not
    legal: those deals) on at random. ``restarts``: how often a process that has failed is started again; after that
    all deals are forfeited.

    Raises ``AgentError`` where the process cannot be started or does not answer the first message as it should.
    """

    sees_everything = False

    def __init__(
        self,
        command: str,
        rules: Rules,
        timeout: float = 10.0,
        on_error: Literal["stop", "forfeit"] = "stop",
        restarts: int = 3,
    ) -> None:
        self.name = f"exec:{command}"
        if timeout <= 0 or restarts < 0:
            raise AgentError(f"agent {self.name!r}: timeout must be more than 0, and restarts 0 or more")
        self.forfeits = 0
        """Deals forfeited so far."""
        self._arguments = (command, rules, timeout, on_error, restarts)
        self._on_error = on_error
        self._restarts_left = restarts
        self._random = RandomAgent(rules)
        self._forfeited: dict[int, tuple[int, int]] = {}  # by game: match and deal
        self._said = ""
        try:
            self._conversation: Conversation | None = Conversation(command, rules, timeout)
        except ChildFailed as error:
            raise AgentError(f"agent {self.name!r}: {error}") from None

    def __reduce__(self) -> tuple[Any, ...]:
        """A copy has a process of its own."""
        return ProcessAgent, self._arguments, {"name": self.name}

    def reset(self, games: IntArray) -> None:
        """New deals begin in these games."""
        for game in np.asarray(games).tolist():
            self._forfeited.pop(game, None)

    def act(self, views: Views) -> IntArray:
        """``(k,)`` a legal action for each decision. The process is asked only where there is a choice."""
        return decide(views, self._choose)

    def _choose(self, views: Views) -> Int64Array:
        actions = np.zeros(len(views), np.int64)
        asked = np.flatnonzero(~self._is_forfeited(views))
        for start in range(0, len(asked), MOST_DECISIONS):
            part = asked[start : start + MOST_DECISIONS]
            actions[part] = self._ask(views.take(part))
        forfeited = self._is_forfeited(views)
        if forfeited.any():
            actions[forfeited] = self._random.act(views.take(forfeited))
        return actions

    def _ask(self, views: Views) -> Int64Array:
        """The process's actions; what they are where the deal is forfeited does not matter."""
        actions = np.full(len(views), NONE)
        try:
            conversation = self._begun()
            decisions = decisions_of(views, observation=conversation.wants_observation)
            answers = conversation.answers(decisions)
        except ChildFailed as error:
            self._conversation = None
            self._fail(str(error), views)
            return actions
        for row, (answer, decision) in enumerate(zip(answers, decisions, strict=True)):
            actions[row] = _action(answer, decision)
        wrong = np.flatnonzero(actions == NONE)
        if len(wrong):
            words = f"it chose {short(answers[wrong[0]])}, which is not legal, {_where(decisions[wrong[0]])}"
            if self._on_error == "stop":
                words = str(conversation.failed(words))
            self._fail(words, views.take(wrong))
        return actions

    def _begun(self) -> Conversation:
        """The conversation, begun again where the process has failed and may be restarted."""
        if self._conversation is None:
            if not self._restarts_left:
                raise ChildFailed("it has failed too often and is not started again")
            self._restarts_left -= 1
            self._conversation = Conversation(*self._arguments[:3])
        return self._conversation

    def _fail(self, words: str, views: Views) -> None:
        """Stop, or forfeit the deals of some decisions."""
        if self._on_error == "stop":
            self._conversation = None
            raise AgentError(f"agent {self.name!r}: {words}")
        if words != self._said:
            self._said = words
            print(f"agent {self.name!r} forfeits {len(views)} deals: {words}", file=sys.stderr, flush=True)
        self._forfeited |= dict(zip(views.game.tolist(), _deals(views), strict=True))
        self.forfeits += len(views)

    def _is_forfeited(self, views: Views) -> BoolArray:
        if not self._forfeited:
            return np.zeros(len(views), np.bool_)
        places = zip(views.game.tolist(), _deals(views), strict=True)
        return np.array([self._forfeited.get(game) == deal for game, deal in places], np.bool_)


def _deals(views: Views) -> list[tuple[int, int]]:
    return list(zip(views.match.tolist(), views.deal.tolist(), strict=True))


def _action(answer: Any, decision: dict[str, Any]) -> int:
    """The number of a legal action from its name or number; ``NONE`` where the answer is no such thing."""
    names, numbers = decision["legal"], decision["legal_ids"]
    if isinstance(answer, str):
        return numbers[names.index(answer)] if answer in names else NONE
    return answer if type(answer) is int and answer in numbers else NONE


def _where(decision: dict[str, Any]) -> str:
    return (
        f"in the phase {decision['phase']!r} of match {decision['match']}, deal {decision['deal']}; "
        f"legal are {', '.join(decision['legal'])}"
    )
