"""Where the time of training goes: clocks around engine, observations, networks, update and messages."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any
from unittest.mock import patch

UPDATE, MESSAGES, NETWORK = "update", "sums over processes", "network's answers"
OBSERVATION, ENGINE, ELSE = "observation and mask", "engine", "all else"


@contextmanager
def clocked() -> Iterator[dict[str, float]]:
    """Seconds of this process by part, complete when the context ends.

    A second counts for the innermost part that it is spent in: waiting for other processes in an update is messages.
    """
    from agents.network import PolicyValueNetwork
    from agents.parallel import Group
    from agents.ppo import Learner
    from pedro_env.engine import Batch

    parts: list[tuple[type, str, str]] = [
        (Learner, "update", UPDATE),
        *((Group, name, MESSAGES) for name in ("sum", "add_up")),
        (PolicyValueNetwork, "heads", NETWORK),
        *((Batch, name, OBSERVATION) for name in ("observe", "mask")),
        *((Batch, name, ENGINE) for name in ("legal", "step", "next_deal", "restart")),
    ]
    seconds: dict[str, float] = defaultdict(float)
    inside = [ELSE]
    last = time.perf_counter()

    def count() -> None:
        """The time since the last change was spent in the innermost part."""
        nonlocal last
        now = time.perf_counter()
        seconds[inside[-1]] += now - last
        last = now

    def with_clock(function: Callable[..., Any], part: str) -> Callable[..., Any]:
        def call(*arguments: Any, **named: Any) -> Any:
            count()
            inside.append(UPDATE if inside[-1] == UPDATE and part == NETWORK else part)
            try:
                return function(*arguments, **named)
            finally:
                count()
                inside.pop()

        return call

    with ExitStack() as patches:
        for owner, name, part in parts:
            patches.enter_context(patch.object(owner, name, with_clock(getattr(owner, name), part)))
        yield seconds
        count()
