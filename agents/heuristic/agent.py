"""``heuristic-1``, the rule-based player that training is measured by, and ``heuristic-2``. Frozen under these names.

Both bid alike and look at the same considerations when they play a card. ``heuristic-1`` goes by one round number for
each consideration and place in the trick, a table that a person can read (``python -m agents.heuristic`` prints
it); ``heuristic-2`` by one for each part in the deal and stage of it as well, as they were estimated.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from agents.heuristic.bidding import choose_bid
from agents.heuristic.exchange import name_trumps, part_with_least, take_best
from agents.heuristic.play import PARTS, PLACES, STAGES, choose_card
from agents.heuristic.tables import Tables, load
from pedro_env.actions import PASS, Phase
from pedro_env.rules import Rules
from pedro_env.typing import IntArray
from pedro_env.views import Views


class Heuristic1:
    """Bids by expected score difference, counts trumps, draws and voids, and weighs every card that it may play.

    Keeps no state and uses no randomness. In phases that ``pedro`` does not have it goes by the value of the cards.
    """

    sees_everything = False

    def __init__(self, rules: Rules) -> None:
        self.name = "heuristic-1"
        self.tables: Tables = by_place(load())

    @classmethod
    def playing_by(cls, rules: Rules, tables: Tables) -> Heuristic1:
        """The player with other tables: how they are estimated."""
        player = cls.__new__(cls)
        player.name, player.tables = "heuristic-1", tables
        return player

    def act(self, views: Views) -> IntArray:
        """``(k,)`` a legal action for each decision."""
        actions = np.full(len(views), -1, np.int64)
        for phase in np.unique(views.phase).tolist():
            rows = np.flatnonzero(views.phase == phase)
            part = views if len(rows) == len(views) else views.take(rows)
            actions[rows] = self._decide(Phase(phase), part)
        return actions

    def _decide(self, phase: Phase, views: Views) -> IntArray:
        if phase is Phase.PLAY:
            return choose_card(views, self.tables.play)
        if phase is Phase.BID:
            return choose_bid(views, self.tables)
        if phase is Phase.TRUMP:
            return name_trumps(views, self.tables)
        if phase in (Phase.ROB, Phase.CALL):
            return take_best(views)
        if phase in (Phase.DISCARD, Phase.GIVE, Phase.BURY):
            return part_with_least(views)
        return np.where(views.mask[:, PASS], PASS, views.mask.argmax(axis=1))


class Heuristic2(Heuristic1):
    """As ``Heuristic1``, with the considerations weighed by its part in the deal and the stage of it, too."""

    def __init__(self, rules: Rules) -> None:
        self.name = "heuristic-2"
        self.tables = load()


def by_place(tables: Tables) -> Tables:
    """The tables with one weight for each place in the trick and consideration: the mean, rounded to tenths."""
    weights = tables.play.reshape(PLACES, PARTS * STAGES, -1).mean(axis=1).round(1)
    return replace(tables, play=np.repeat(weights, PARTS * STAGES, axis=0))
