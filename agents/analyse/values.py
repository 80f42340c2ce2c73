"""What positions and actions are worth: an agent goes on up to the cards, and from there both sides play them best.

A value is a *difference*: what side 0 (seats 0 and 2) adds to its score in the deal, less what side 1 adds. The score
is the engine's own, at the end of a line of best play.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from agents.search.outcome import play_to_the_cards
from agents.search.solver import best_line
from pedro_env.agent import Agent
from pedro_env.engine import Batch
from pedro_env.state import State
from pedro_env.typing import Int64Array, IntArray

_MATTERS = ("phase", "to_act", "declarer", "trump", "trick", "leader", "led", "winning", "best", "hand", "on_table")
"""The columns of a state on which best play depends: not the bid, and not the score."""


class Alternatives(NamedTuple):
    """Every legal action of some positions."""

    position: Int64Array
    """``(k,)`` the row of the position, ascending."""
    action: Int64Array
    """``(k,)``"""
    value: Int64Array
    """``(k,)`` the difference that the deal ends with after it."""


def difference(state: State) -> Int64Array:
    """``(n,)`` the difference of deals that are over."""
    change = state.score_change.astype(np.int64)
    return change[:, 0] - change[:, 1]


def settle(batch: Batch) -> None:
    """Play deals in which the cards are being played to their end, in place, by best play of both sides.

    Positions from which best play is the same are solved once. Raises ``AgentError`` as ``solver.solve``.
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


def finish(batch: Batch, agent: Agent) -> None:
    """Play deals to their end, in place: the agent decides up to the cards, best play from there on."""
    play_to_the_cards(batch, agent)
    settle(batch)


def alternatives(batch: Batch, agent: Agent, rows: Int64Array) -> Alternatives:
    """What every legal action is worth in some positions before the play, where an agent goes on after it."""
    place, action = np.nonzero(batch.mask(rows))
    after = batch.take(rows[place])
    after.step(action)
    finish(after, agent)
    return Alternatives(rows.take(place), action, difference(after.state))
