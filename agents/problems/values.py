"""What every action of a decision is worth to the seat that takes it: a mean over worlds that it believes in.

In each world (``beliefs``) each legal action is taken; up to the play of the cards ``heuristic-1`` decides for every
seat, and the play is solved with all cards open (``agents.search``). All actions are tried in the same worlds, so that
the error of a difference is small where the actions mostly come to the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from agents.heuristic import Heuristic1
from agents.heuristic.match_play import chance_at
from agents.problems.beliefs import believed_worlds
from agents.search.outcome import play_best, play_to_the_cards
from pedro_env.cards import NONE
from pedro_env.engine import Batch
from pedro_env.typing import FloatArray, Int64Array

Unit: TypeAlias = Literal["points", "match"]
"""The deal's change of the own side's score minus the other's; or the chance to win the match, from 0 to 1."""


class Values(NamedTuple):
    """The m legal actions of a decision, ascending."""

    actions: Int64Array
    """``(m,)`` their numbers."""
    mean: FloatArray
    """``(m,)``"""
    errors: FloatArray
    """``(m,)`` the standard error of the difference to the best action; 0 for that."""
    error: float
    """The standard error of the best action's own mean."""


def action_values(
    batch: Batch, actions: Sequence[int], unit: Unit, worlds: int, rng: np.random.Generator
) -> Values | None:
    """The values for the seat to act in the one game of a batch; ``actions``: all so far, by all seats.

    None where hardly any world explains what the others called. Raises ``AgentError`` as ``solver.solve``.
    """
    believed = believed_worlds(batch, actions, worlds, rng)
    if believed is None:
        return None
    legal = np.flatnonzero(batch.mask()[0])
    side = int(batch.tables.side_of[batch.to_act[0]])
    tried = believed.take(np.repeat(np.arange(worlds), len(legal)))
    tried.step(np.tile(legal, worlds))
    play_to_the_cards(tried, Heuristic1(batch.rules))
    play_best(tried)
    outcome = worth(tried, side, unit).reshape(worlds, len(legal))
    mean = outcome.mean(axis=0)
    best = int(mean.argmax())
    behind = outcome[:, [best]] - outcome
    root = np.sqrt(worlds)
    return Values(legal, mean, behind.std(axis=0, ddof=1) / root, float(outcome[:, best].std(ddof=1) / root))


def worth(ended: Batch, side: int, unit: Unit) -> FloatArray:
    """``(n,)`` what deals that are over brought to a side (of two)."""
    s = ended.state
    if unit == "points":
        return (s.score_change[:, side] - s.score_change[:, 1 - side]).astype(np.float64)
    undecided = chance_at(ended.rules.target, s.scores[:, side], s.scores[:, 1 - side])
    return np.where(s.winner == NONE, undecided, s.winner == side)
