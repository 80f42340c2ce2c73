"""What becomes of a deal: played up to the cards by an agent, and from there by best play of both sides.

Everything that judges what comes before the play asks here: search at the auction and in the exchange, the loss of a
decision, tables of bids. Scores are the engine's own (``State.score_change``): the line of best play is played in it.
"""

from __future__ import annotations

import numpy as np

from agents.search.scope import PHASES
from agents.search.solver import solve
from pedro_env.agent import Agent
from pedro_env.engine import Batch
from pedro_env.typing import IntArray


def play_to_the_cards(batch: Batch, agent: Agent, rows: IntArray | None = None) -> None:
    """Let an agent decide for every seat, in place, until the play of the cards begins or the deal is over."""
    rows = np.arange(batch.n) if rows is None else np.asarray(rows)
    while True:
        rows = rows[~batch.over[rows] & ~np.isin(batch.phase[rows], PHASES)]
        if not len(rows):
            return
        batch.step(agent.act(batch.views(rows, sees_everything=agent.sees_everything)), rows)


def play_best(batch: Batch, rows: IntArray | None = None) -> None:
    """Play deals to their end, in place, by best play of both sides with all cards open.

    Each side takes as many points as it can, whatever the bid; of equal actions the lowest. Deals that are over stay as
    they are. Raises ``AgentError`` as ``solver.solve``.
    """
    rows = np.arange(batch.n) if rows is None else np.asarray(rows)
    rows = rows[~batch.over[rows]]
    for actions in solve(batch, rows).line.T:
        going = ~batch.over[rows]
        batch.step(actions[going], rows[going])
