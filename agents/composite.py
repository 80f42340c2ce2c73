"""Agents made of agents: what those report of themselves must not be lost."""

from __future__ import annotations

from agents.errors import AgentError
from pedro_env.agent import Agent, Resettable
from pedro_env.typing import IntArray


class Composite:
    """An agent that asks others. ``inner`` are those; what it passes on of them are new deals, forfeits and sets."""

    inner: tuple[Agent, ...] = ()

    def reset(self, games: IntArray) -> None:
        """New deals begin in these games."""
        for agent in self.inner:
            if isinstance(agent, Resettable):
                agent.reset(games)

    @property
    def forfeits(self) -> int:
        """Deals forfeited so far (``agents.process``)."""
        return sum(getattr(agent, "forfeits", 0) for agent in self.inner)

    @property
    def tuned_on(self) -> tuple[str, ...]:
        """The sets of deals that one of them was tuned on (``deal_sets``)."""
        return tuple(dict.fromkeys(name for agent in self.inner for name in getattr(agent, "tuned_on", ())))


def check_honest(name: str, agents: tuple[Agent, ...]) -> None:
    """Raise ``AgentError`` where an agent that sees no more than its seat would ask one that sees all cards."""
    for agent in agents:
        if agent.sees_everything:
            raise AgentError(f"{name}: {agent.name!r} sees all cards, and {name} does not")
