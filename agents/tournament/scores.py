"""One value a pair for every two entrants, and linear figures of them with intervals.

All pairings are played on the same packs, so the pair number is the cluster across all of them: whatever is linear in
the pairings' values is computed for each pair number first, and those values, which are independent, say how sure it
is.

A group is a sample of agents (training runs, say) and stands for more of their kind: its members are a second source of
chance, crossed with the deals. A figure is linear in the members of each group, so the figure with one member in place
of the whole group gives, over members, the variance that they contribute; the variances add up. What a member and a
deal do together is in both parts, so an interval is a little too wide rather than too narrow. Degrees of freedom are
Satterthwaite's, rounded down.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike

from agents import statistics
from agents.statistics import Estimate
from pedro_env.typing import FloatArray

_ROUNDING = 1e-9
"""A whole number of degrees of freedom stays one."""

Spread = tuple[float, int]
"""The variance that the members of a group contribute to a figure, and how many they are."""


class Scores:
    """The values of all pairings; entrants and their members are numbered in order."""

    def __init__(self, members: Sequence[int], values: Mapping[tuple[int, int], FloatArray]) -> None:
        """``members`` is the number of agents of each entrant; ``values`` has ``(pairs,)`` for every two agents of
        different entrants, the lower number's value over the higher one's, where agents are counted through."""
        self.members = list(members)
        self.entrants = len(self.members)
        self.pairings = list(combinations(range(self.entrants), 2))
        ends = np.cumsum([0, *self.members])
        self.agents = [range(a, b) for a, b in zip(ends[:-1].tolist(), ends[1:].tolist(), strict=True)]
        self.by_pair: FloatArray = np.stack(
            [
                sum(values[a, b] for a in self.agents[i] for b in self.agents[j]) / (self.members[i] * self.members[j])
                for i, j in self.pairings
            ],
            axis=1,
        )  # (pairs, pairings)
        self._of_agents = np.zeros((int(ends[-1]), int(ends[-1])))
        for (a, b), value in values.items():
            self._of_agents[a, b], self._of_agents[b, a] = value.mean(), -value.mean()

    @property
    def means(self) -> FloatArray:
        """``(entrants, entrants)`` the mean of the row over the column."""
        table = np.zeros((self.entrants, self.entrants))
        for pairing, mean in zip(self.pairings, self.by_pair.mean(axis=0), strict=True):
            table[pairing], table[pairing[::-1]] = mean, -mean
        return table

    def estimate(self, weights: ArrayLike, level: float = statistics.LEVEL) -> Estimate:
        """The sum of the pairings' means with ``(pairings,)`` weights, and its interval."""
        w = np.asarray(weights, np.float64)
        return with_members(self.by_pair @ w, self._spreads(w), level)

    @property
    def has_groups(self) -> bool:
        """Whether an entrant has several members."""
        return max(self.members) > 1

    def over(self, row: int, column: int, level: float = statistics.LEVEL) -> Estimate:
        """One entrant's mean over another."""
        w = np.zeros(len(self.pairings))
        w[self.pairings.index((min(row, column), max(row, column)))] = 1 if row < column else -1
        return self.estimate(w, level)

    def _spreads(self, weights: FloatArray) -> list[Spread]:
        spreads: list[Spread] = []
        for group, agents in enumerate(self.agents):
            if len(agents) > 1:
                figures = [weights @ self._with_one(group, agent) for agent in agents]
                spreads.append((float(np.var(figures, ddof=1)) / len(agents), len(agents)))
        return spreads

    def _with_one(self, group: int, agent: int) -> FloatArray:
        """``(pairings,)`` means where one of its agents stands for a group."""
        share = np.zeros((self.entrants, len(self._of_agents)))
        for entrant, agents in enumerate(self.agents):
            share[entrant, list(agents)] = 1 / len(agents)
        share[group] = 0
        share[group, agent] = 1
        table = share @ self._of_agents @ share.T
        return np.array([table[pairing] for pairing in self.pairings])


def with_members(values: FloatArray, spreads: Sequence[Spread], level: float = statistics.LEVEL) -> Estimate:
    """The mean of one value a pair; its error is that over pairs and what the choice of members adds."""
    over_deals = statistics.mean_estimate(values)
    if over_deals.mean is None or over_deals.error is None:
        return over_deals
    parts = [(over_deals.error**2, over_deals.pairs - 1)]
    parts += [(variance, members - 1) for variance, members in spreads]
    total = sum(variance for variance, _ in parts)
    satterthwaite = total**2 / sum(v**2 / freedom for v, freedom in parts) if total else parts[0][1]
    error = math.sqrt(total)
    half = statistics.quantile(math.floor(satterthwaite * (1 + _ROUNDING)), level) * error
    return Estimate(over_deals.mean, over_deals.mean - half, over_deals.mean + half, error, over_deals.pairs)


def linearised(totals: FloatArray, counts: FloatArray) -> FloatArray:
    """``(pairs,)`` values whose mean is ``sum(totals) / sum(counts)`` and whose spread is that of the ratio.

    They are ratio + (total − ratio × count) / mean count, the delta method's; for equal counts the plain ratios.
    """
    if (counts == counts[0]).all():
        return totals / counts[0]
    ratio = totals.sum() / counts.sum()
    return ratio + (totals - ratio * counts) / counts.mean()
