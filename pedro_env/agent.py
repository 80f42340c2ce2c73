"""The protocol of an agent: anything that chooses legal actions for a batch of decisions. Typing only."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from pedro_env.typing import IntArray
from pedro_env.views import Views


class Agent(Protocol):
    """A player. It may play any number of seats in any number of games at once.

    Randomness comes from ``views.uniform()``, so that results do not depend on how games are split into batches.
    """

    name: str
    """How it is addressed and shown."""
    sees_everything: bool
    """Whether ``views.full_state`` is open to it. False for every honest agent."""

    def act(self, views: Views) -> IntArray:
        """Choose a legal action for each of k decisions: ``(k,)`` action numbers."""
        ...


@runtime_checkable
class Resettable(Protocol):
    """An agent that keeps something a game and wants to know when a new deal begins in it."""

    def reset(self, games: IntArray) -> None:
        """New deals begin in these games (row numbers as in ``views.game``)."""
        ...
