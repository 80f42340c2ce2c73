"""Scores as they occur before the deals of matches: where deals to learn from may begin."""

from __future__ import annotations

import numpy as np

from pedro_env.agent import Agent
from pedro_env.engine import Batch
from pedro_env.rules import Rules
from pedro_env.typing import Int16Array

MATCHES = 300
"""Some thousands of deals."""
SCORE_DEALS = (1 << 41) + 3
"""Added to a run's seed: no packs of training or evaluation."""


def scores_in_matches(agent: Agent, rules: Rules, seed: int, matches: int = MATCHES) -> Int16Array:
    """``(m, sides)`` the scores before every deal of some matches that an agent plays against itself.

    The same for the same agent, rules and seed. A deal that is dealt again counts again.
    """
    batch = Batch(rules, SCORE_DEALS + seed, np.arange(matches), validate=False)
    found: list[Int16Array] = []
    rows = np.arange(matches)
    reset = getattr(agent, "reset", None)
    while len(rows):
        found.append(batch.state.scores[rows].copy())
        if reset is not None:
            reset(rows)
        while len(going := rows[~batch.over[rows]]):
            batch.step(agent.act(batch.views(going, sees_everything=agent.sees_everything)), going)
        rows = rows[~batch.match_over[rows]]
        batch.next_deal(rows)
    return np.concatenate(found)
