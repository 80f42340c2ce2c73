"""What positions and actions are worth: an agent goes on up to the cards, and from there both sides play them best.

A value is a *difference*: what side 0 (seats 0 and 2) adds to its score in the deal, less what side 1 adds. The score
is the engine's own, at the end of a line of best play.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from agents.search.outcome import play_best, play_to_the_cards
from pedro_env.agent import Agent
from pedro_env.engine import Batch
from pedro_env.state import State
from pedro_env.typing import Int64Array


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


def finish(batch: Batch, agent: Agent) -> None:
    """Play deals to their end, in place: the agent decides up to the cards, best play from there on."""
    play_to_the_cards(batch, agent)
    play_best(batch)


def alternatives(batch: Batch, agent: Agent, rows: Int64Array) -> Alternatives:
    """What every legal action is worth in some positions before the play, where an agent goes on after it."""
    place, action = np.nonzero(batch.mask(rows))
    after = batch.take(rows[place])
    after.step(action)
    finish(after, agent)
    return Alternatives(rows.take(place), action, difference(after.state))
