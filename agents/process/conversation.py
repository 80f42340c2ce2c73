"""A conversation with one process: hello, then questions with a number each, and its answers checked for form."""

from __future__ import annotations

import json
import weakref
from typing import Any

from agents.process import messages
from agents.process.child import Child, ChildFailed
from pedro_env.rules import Rules

STARTING_SECONDS = 30.0
"""That the answers to the first two messages may take in addition: interpreters and models have to be loaded."""
_SHOWN = 60
"""Characters of an answer that an error shows."""


class Conversation:
    """Ends its process when it is no longer needed, and when Python ends. Every error ends the process."""

    def __init__(self, command: str, rules: Rules, timeout: float) -> None:
        """Start the process and say hello; ``timeout`` as in ``ProcessAgent``. Raises ``ChildFailed``."""
        self._timeout = timeout
        self._number = 0
        self._child = Child(command, messages.encode(messages.END))
        self._end = weakref.finalize(self, self._child.end)
        answer = self._ask(messages.hello(rules), timeout + STARTING_SECONDS)
        if answer.get("protocol") != messages.PROTOCOL:
            its = short(answer.get("protocol"))
            raise self.failed(f"it speaks protocol {its}, and this is protocol {messages.PROTOCOL}")
        self.wants_observation = answer.get("observation") is True
        """It asked for the raw observation."""

    def answers(self, decisions: list[dict[str, Any]]) -> list[Any]:
        """What the process answers to each decision; whatever it is. Raises ``ChildFailed``."""
        self._number += 1
        seconds = self._timeout * (1 + len(decisions) / 100) + STARTING_SECONDS * (self._number == 1)
        answer = self._ask(messages.decide(self._number, decisions), seconds)
        if answer.get("id") != self._number:
            raise self.failed(f"it answered message {self._number} with the id {short(answer.get('id'))}")
        actions = answer.get("actions")
        if not isinstance(actions, list) or len(actions) != len(decisions):
            what = f"{len(actions)} actions" if isinstance(actions, list) else f"the actions {short(actions)}"
            raise self.failed(f"it answered {len(decisions)} decisions with {what}")
        return actions

    def failed(self, words: str) -> ChildFailed:
        """End the process at once; what went wrong, with the last words of its stderr."""
        self._end.detach()
        self._child.kill()
        last = self._child.last_words()
        return ChildFailed(f"{words}; its stderr ends: {last}" if last else words)

    def _ask(self, message: dict[str, Any], seconds: float) -> dict[str, Any]:
        try:
            line = self._child.ask(messages.encode(message), seconds)
        except ChildFailed as error:
            raise self.failed(str(error)) from None
        try:
            answer = json.loads(line)
        except (ValueError, RecursionError):
            answer = None
        if not isinstance(answer, dict):
            text = line.decode(errors="backslashreplace").strip()
            raise self.failed(f"it wrote {short(text)}, which is no JSON object")
        return answer


def short(value: Any) -> str:
    """A value from a process as an error shows it."""
    text = repr(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
