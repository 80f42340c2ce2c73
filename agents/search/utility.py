"""What points are worth to a side: from the solver's values to what shall be as large as possible."""

from __future__ import annotations

from typing import Literal, TypeAlias

import numpy as np

from pedro_env.cards import N_CARDS
from pedro_env.cardset import to_bool
from pedro_env.phases import scoring
from pedro_env.state import State
from pedro_env.tables import Tables
from pedro_env.typing import FloatArray, Int64Array, IntArray

Objective: TypeAlias = Literal["points", "score"]
"""The points of a deal; or by how much it changes the own side's score more than the other's."""


def gains(t: Tables, s: State, side: IntArray, values: FloatArray, objective: Objective) -> FloatArray:
    """``(k, m)`` what values are worth to a side, in k games whose cards are being played; NaN where ``values`` are.

    ``side``: ``(k,)``; ``values``: ``(k, m)`` points of the declarer's side at the end of the deal.
    """
    declares = (side == t.side_of[s.declarer])[:, None]
    worth = values if objective == "points" else _declarers_scores(t, s, values)
    return np.where(declares, worth, -worth)


def _declarers_scores(t: Tables, s: State, values: FloatArray) -> FloatArray:
    """The values as differences of score changes, declarer's side minus other, by the engine's own scoring.

    All that is still in hands counts for one side or the other; a 2 that will be buried is not thought of.
    """
    k = len(values)
    ended = s.take(np.arange(k))
    scoring.score(t, ended, np.arange(k))
    held = np.bitwise_or.reduce(s.hand, axis=1) | s.in_trick
    to_come = (to_bool(held[:, None], N_CARDS) * t.trick_points[s.trump, :N_CARDS]).sum(axis=1, dtype=np.int64)
    total = ended.points.sum(axis=1, dtype=np.int64) + to_come
    facts = np.stack([s.declarer, s.contract, s.alone, total, *s.scores.T], axis=1)  # all that scores go by
    _, first, which = np.unique(facts, axis=0, return_index=True, return_inverse=True)
    scores = _scores(t, s.take(first), total[first], int(np.nanmax(values, initial=0)))
    points = np.nan_to_num(values).astype(np.int64)
    return np.where(np.isnan(values), np.nan, scores[which.reshape(-1)[:, None], points])


def _scores(t: Tables, s: State, total: Int64Array, most: int) -> FloatArray:
    """``(k, most + 1)`` the difference of score changes where the declarer's side ends with 0, 1 … ``most`` points, and
    the other one with the rest of ``total``."""
    game = np.repeat(np.arange(len(total)), most + 1)
    points = np.tile(np.arange(most + 1), len(total))
    rows = np.arange(len(game))
    side = t.side_of[s.declarer[game]]
    ended, untaken = s.take(game), s.take(game)
    untaken.taken[:] = 0
    scoring.score(t, untaken, rows)  # leaves what counts without being taken in a trick
    for which, wanted in ((side, points), (1 - side, total[game] - points)):
        ended.taken[rows, which] = wanted - untaken.points[rows, which]
    scoring.score(t, ended, rows)
    change = ended.score_change.astype(np.float64)
    return (change[rows, side] - change[rows, 1 - side]).reshape(-1, most + 1)
