"""Deals ended at once with the result of best play, scored by the engine: what ``outcome.play_best`` says, faster.

No line of best play is played here: the deal is run out with whatever is legal, which shows how many points there are
for both sides together, and is then scored again with the declarer's side at the exact value. So the scores are right,
and what the state says of single cards and tricks is not.
"""

from __future__ import annotations

import numpy as np

from agents.choice import nth_legal
from agents.search.solver import value
from pedro_env.cards import NONE
from pedro_env.engine import Batch
from pedro_env.phases import scoring


def end_at_value(batch: Batch) -> None:
    """End every deal of a batch that is not over, in place, as by best play of both sides with all cards open.

    ``points``, ``score_change``, ``scores`` and the winner of the match are those of best play. Raises ``AgentError``
    as ``solver.value``.
    """
    rows = np.flatnonzero(~batch.over)
    t, s = batch.tables, batch.state
    best = value(batch, rows).astype(np.int64)
    while not batch.over.all():
        legal = batch.legal()
        batch.step(nth_legal(legal, np.zeros(batch.n, np.int64)))
    declarers = t.side_of[s.declarer[rows]]
    # What one side loses against the points that were taken, the other gains: there are two sides.
    more = best - s.points[rows, declarers]
    s.taken[rows, declarers] += more.astype(np.int16)
    s.taken[rows, 1 - declarers] -= more.astype(np.int16)
    s.scores[rows] -= s.score_change[rows]
    s.winner[rows], s.truncated[rows] = NONE, False
    scoring.score(t, s, rows)
