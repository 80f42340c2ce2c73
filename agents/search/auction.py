"""Bidding, naming trumps and exchanging cards by search: every legal action is tried in worlds.

After it ``heuristic-1`` decides for all seats until the cards are played, and the play is solved with all cards open.
What counts is the mean of the own side's score change over the other's. Among some bids the luck of twenty worlds makes
more difference than the bids do, so what ``heuristic-1`` would do stands unless another action is better beyond doubt.
What a bid brings depends on what the others then do; nothing in here knows a phase or a variant.
"""

from __future__ import annotations

import numpy as np

from agents.choice import decide
from agents.heuristic import Heuristic1
from agents.search.outcome import play_to_the_cards
from agents.search.solver import value
from agents.search.utility import gains
from agents.search.weigh import weighed_worlds
from pedro_env.engine import Batch
from pedro_env.rules import Rules
from pedro_env.typing import BoolArray, FloatArray, Int64Array, IntArray
from pedro_env.views import Views

DOUBT = 2.0
"""So many standard errors an action must be better than the usual one."""
MOST = 16
"""Actions that are tried in a decision, beside the usual one; of more, so many at even distances."""
_MISSES = np.array([(-9, 1), (-6, 3), (-5, 8), (-4, 3), (-2, 3), (-1, 16), (0, 49), (1, 6), (5, 11)], np.float64)
"""By how many points the play of a deal misses its value with open cards, for the declarer's side, and how often in a
hundred deals.

As ``heuristic-1`` plays, in 800 deals of ``pedro``; a bid that is just made with open cards is often set.
"""


class SolverBidding:
    """Decides everything before the play by solved play-outs."""

    sees_everything = False

    def __init__(self, rules: Rules, worlds: int) -> None:
        self.name = "solver"
        self.worlds = worlds
        self.others = Heuristic1(rules)

    def act(self, views: Views) -> IntArray:
        """``(k,)`` a legal action for each decision. It searches only where there is a choice."""
        return decide(views, self._choose)

    def _choose(self, views: Views) -> Int64Array:
        usual = self.others.act(views)
        decision, action = np.nonzero(_thinned(views.mask, usual))
        worlds = weighed_worlds(views, self.worlds, self.others)
        tried = worlds.take((decision[:, None] * self.worlds + np.arange(self.worlds)).reshape(-1))
        side = tried.tables.side_of[tried.to_act]
        tried.step(np.repeat(action, self.worlds))
        play_to_the_cards(tried, self.others)
        gain = np.full((*views.mask.shape, self.worlds), -np.inf)
        gain[decision, action] = _gain(tried, side).reshape(-1, self.worlds)
        best = gain.mean(axis=2).argmax(axis=1)
        rows = np.arange(len(views))
        more = gain[rows, best] - gain[rows, usual]
        sure = more.mean(axis=1) > DOUBT * more.std(axis=1) / np.sqrt(self.worlds)
        return np.where(sure, best, usual)


def _thinned(mask: BoolArray, usual: IntArray) -> BoolArray:
    """``usual`` and at most ``MOST`` more of the legal actions of each decision, the first and the last among them."""
    number = mask.cumsum(axis=1)
    legal = number[:, -1:]
    step = (number - 1) * (MOST - 1) // np.maximum(legal - 1, 1)
    before = (number - 2) * (MOST - 1) // np.maximum(legal - 1, 1)
    kept = mask & ((legal <= MOST) | (step != before))
    kept[np.arange(len(mask)), usual] = True
    return kept


def _gain(batch: Batch, side: IntArray) -> FloatArray:
    """``(n,)`` what deals that stand before their first lead, or are over, bring to a side, in hundredths of a point.

    They are whole numbers, so that sums of them are exact in any order.
    """
    s, rows = batch.state, np.arange(batch.n)
    change = 100 * s.score_change.astype(np.float64)
    gain = change[rows, side] - change[rows, 1 - side]
    going = np.flatnonzero(~batch.over)
    if len(going):
        # Deals that differ in the bid alone are solved once.
        facts = np.stack([s.trump, s.declarer, s.to_act, s.leader, s.phase], axis=1)[going].astype(np.uint64)
        _, first, same = np.unique(
            np.concatenate([facts, s.hand[going]], axis=1), axis=0, return_index=True, return_inverse=True
        )
        values = value(batch, going[first])[same.reshape(-1)].astype(np.float64)
        total = batch.rules.total_points
        likely = np.clip(values[:, None] + np.round(_MISSES[:, 0] * (total / 14)), 0, total)
        gain[going] = gains(batch.tables, s.take(going), side[going], likely, "score") @ _MISSES[:, 1]
    return gain
