"""What a reader of a comparison must be told about the agents in it."""

from __future__ import annotations

from collections.abc import Iterable

from agents.registry import make_agent
from pedro_env.rules import Rules


def caveats(agents: Iterable[str], rules: Rules, deal_set: str | None) -> list[str]:
    """A warning for each agent that sees all cards or was tuned on the set of deals that is played.

    Raises ``AgentError`` where an agent cannot be made: a mistake shows here, and not in a worker process.
    """
    found: list[str] = []
    for name in dict.fromkeys(agents):
        agent = make_agent(name, rules)
        if deal_set in getattr(agent, "tuned_on", ()):
            found.append(f"{name} was tuned on {deal_set}, by its own account: this result flatters it")
        if agent.sees_everything:
            found.append(f"{name} sees all cards: it is a yardstick, and no player to compare others with")
    return found
