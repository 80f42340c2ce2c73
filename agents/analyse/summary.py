"""Means of losses with intervals: by agent and role, by agent and place at the table, by trick; and where a difference
between two agents comes from. Intervals take a match number as one observation (``agents.statistics``)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

from agents.analyse.losses import KINDS, ROLES, STEPS, Losses
from agents.statistics import Estimate, ratio_estimate
from pedro_env.typing import BoolArray, Int64Array

NOBODY = "–"
"""The agent of seats of which a record does not say who played."""
PLACES = ("dealer's left", "opposite", "dealer's right", "dealer")
DECLARERS, DEFENDERS = "declaring", "defending"


class Row(NamedTuple):
    """Losses of an agent in one role or place."""

    agent: str
    what: str
    """``all``, a role, a place, or a side."""
    seats: int
    """How often a seat of the agent was in it: what the means are taken over."""
    figures: dict[str, Estimate]


class Share(NamedTuple):
    """Where the score difference between two agents comes from."""

    agents: tuple[str, str]
    """The figures are the first one's, per deal."""
    deals: int
    figures: dict[str, Estimate]
    """``par``, the steps, and ``result``, their sum."""


class Summary:
    """Losses of the deals of one game, by who played them.

    ``agents`` ``(n, 4)`` names the agent of each seat of each deal; ``clusters`` ``(n,)`` numbers what is one
    observation.
    """

    def __init__(self, losses: Losses, agents: Sequence[Sequence[str]], clusters: Int64Array) -> None:
        self.losses = losses
        self.names = sorted({name for deal in agents for name in deal})
        number = {name: i for i, name in enumerate(self.names)}
        self._agent = np.array([[number[name] for name in deal] for deal in agents]).reshape(-1, 4)
        _, self._cluster = np.unique(clusters, return_inverse=True)
        d = losses.decisions
        self._decides = self._agent[d["deal"], d["seat"]]
        seat = np.arange(4)
        declarer, dealer = losses.deals["declarer"][:, None], losses.deals["dealer"][:, None]
        role = np.where(seat == declarer, 0, np.where((seat - declarer) % 2 == 0, 1, 2))
        self._role = np.where(declarer < 0, -1, role)
        self._place = (seat - dealer - 1) % 4

    def by_role(self) -> list[Row]:
        """Every agent in all its seats, as declarer, partner and defender."""
        return [row for agent in range(len(self.names)) for row in self._rows(agent, "role", self._role, ROLES)]

    def by_place(self) -> list[Row]:
        """Every agent by where it sits, from the dealer's left."""
        return [row for agent in range(len(self.names)) for row in self._rows(agent, "place", self._place, PLACES)[1:]]

    def by_trick(self) -> list[Row]:
        """Every agent's losses in the play by trick, in points taken, on the declarer's side and against it."""
        d = self.losses.decisions
        tricks = range(int(d["trick"].max(initial=-1)) + 1)
        rows: list[Row] = []
        for agent, name in enumerate(self.names):
            for what, roles in ((DECLARERS, (0, 1)), (DEFENDERS, (2,))):
                seats = (self._agent == agent) & np.isin(self._role, roles)
                mine = (self._decides == agent) & np.isin(d["role"], roles)
                figures = {f"{t + 1}": self._mean(d["points"], mine & (d["trick"] == t), seats) for t in tricks}
                rows.append(Row(name, what, int(seats.sum()), figures))
        return rows

    def shares(self) -> list[Share]:
        """Every two agents that played whole sides against each other, over the deals in which they did."""
        sides = np.where(self._agent[:, :2] == self._agent[:, 2:], self._agent[:, :2], -1)
        found: list[Share] = []
        for a, b in combinations(range(len(self.names)), 2):
            sign = np.where((sides == (a, b)).all(axis=1), 1, np.where((sides == (b, a)).all(axis=1), -1, 0))
            counts = np.bincount(self._cluster, sign != 0)
            if counts.any():
                figures = {name: self._share(name, sign) for name in ("par", *STEPS, "result")}
                found.append(Share((self.names[a], self.names[b]), int(counts.sum()), figures))
        return found

    def _share(self, name: str, sign: Int64Array) -> Estimate:
        return self._ratio(np.bincount(self._cluster, sign * self.losses.deals[name]), np.abs(sign), self._cluster)

    def _rows(self, agent: int, column: str, of_seat: Int64Array, words: Sequence[str]) -> list[Row]:
        d = self.losses.decisions
        seats, mine = self._agent == agent, self._decides == agent
        rows = [self._row(agent, "all", seats, mine)]
        for value, word in enumerate(words):
            rows.append(self._row(agent, word, seats & (of_seat == value), mine & (d[column] == value)))
        return rows

    def _row(self, agent: int, what: str, seats: BoolArray, mine: BoolArray) -> Row:
        d = self.losses.decisions
        figures = {name: self._mean(d["loss"], mine & (d["kind"] == kind), seats) for kind, name in enumerate(KINDS)}
        figures["points"] = self._mean(d["points"], mine, seats)
        for kind, name in enumerate(KINDS[:-1]):
            figures[f"{name}_gain"] = self._mean(d["gain"], mine & (d["kind"] == kind), seats)
        return Row(self.names[agent], what, int(seats.sum()), figures)

    def _mean(self, values: Int64Array, mine: BoolArray, seats: BoolArray) -> Estimate:
        """The sum of some decisions' values for each time that a seat could have decided."""
        cluster = self._cluster[self.losses.decisions["deal"]]
        totals = np.bincount(cluster, values * mine, self._cluster.max(initial=-1) + 1)
        return self._ratio(totals, seats.sum(axis=1), self._cluster)

    def _ratio(self, totals: np.ndarray, counts_by_deal: Int64Array, cluster: Int64Array) -> Estimate:
        counts = np.bincount(cluster, counts_by_deal)
        there = counts > 0
        return ratio_estimate(totals[there], counts[there])
