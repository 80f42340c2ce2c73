"""What becomes of a deal: played up to the cards by an agent, and from there by best play of both sides.

Everything that judges what comes before the play asks here: search at the auction and in the exchange, the loss of a
decision, tables of bids. Scores are the engine's own (``State.score_change``): the line of best play is played in it.
"""

from __future__ import annotations

import numpy as np

from agents.search.scope import PHASES
from agents.search.solver import best_line
from pedro_env.agent import Agent
from pedro_env.engine import Batch
from pedro_env.typing import IntArray

_MATTERS = ("phase", "to_act", "declarer", "trump", "trick", "leader", "led", "winning", "best", "hand", "on_table")
"""The columns of a state on which best play depends: not the bid, and not the score."""


def play_to_the_cards(batch: Batch, agent: Agent, rows: IntArray | None = None) -> None:
    """Let an agent decide for every seat, in place, until the play of the cards begins or the deal is over."""
    rows = np.arange(batch.n) if rows is None else np.asarray(rows)
    while True:
        rows = rows[~batch.over[rows] & ~np.isin(batch.phase[rows], PHASES)]
        if not len(rows):
            return
        batch.step(agent.act(batch.views(rows, sees_everything=agent.sees_everything)), rows)


def play_best(batch: Batch) -> None:
    """Play deals to their end, in place, by best play of both sides with all cards open.

    Each side takes as many points as it can, whatever the bid; of equal actions the lowest. Deals that are over stay as
    they are. Positions from which best play is the same are solved once. Raises ``AgentError`` as ``solver.solve``.
    """
    rows = np.flatnonzero(~batch.over)
    if len(rows):
        columns = [np.asarray(getattr(batch.state, name))[rows].reshape(len(rows), -1) for name in _MATTERS]
        keys = np.concatenate([column.astype(np.int64) for column in columns], axis=1)
        _, first, same = np.unique(keys, axis=0, return_index=True, return_inverse=True)
        follow(batch, rows, best_line(batch, rows[first])[same.reshape(-1)])


def follow(batch: Batch, rows: IntArray, lines: IntArray) -> None:
    """Take the actions of lines ``(k, L)`` in some games, as long as these go on."""
    for actions in lines.T:
        going = ~batch.over[rows]
        batch.step(actions[going], rows[going])
