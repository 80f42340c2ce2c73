"""Partner cross-play: how well agents play with a partner of another kind than they are.

Every two agents sit together against two of a reference agent, in both orders and at both sides, on the same deals as
the agents with a partner of their own kind. What a mixed pair lacks to the mean of the two pairs of one kind is its
gap: conventions that the agents do not share. A gap over all mixed pairs is that of these agents; the gap within a
group is that of its kind (of training runs, say), and members are a source of chance there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement
from typing import NamedTuple

import numpy as np

from agents.statistics import Estimate
from agents.tournament.entrants import Entrant
from agents.tournament.scores import with_members
from agents.tournament.setups import Setup
from pedro_env.typing import FloatArray

ITSELF = "itself"
"""As the reference: a mixed pair plays against the pairs of one kind of its two agents."""


class Gap(NamedTuple):
    """Means over some agents; points a deal over the reference."""

    name: str
    own: Estimate
    """Of the pairs of one kind (self-play)."""
    mixed: Estimate
    gap: Estimate
    """``own`` less ``mixed``."""


@dataclass(frozen=True)
class CrossPlay:
    """What was measured. Rows are agents; members of a group have a row each."""

    reference: str
    names: list[str]
    agents: list[str]
    cells: list[list[Estimate]]
    """``[row][column]`` the pair's points a deal over the reference pair; symmetric, as both orders are played."""
    everybody: Gap
    """Of these agents as they are: the interval is over deals alone."""
    groups: list[Gap]
    """Of each group; the interval includes the spread over members, so it needs three of them."""


def cross_rows(entrants: Sequence[Entrant]) -> list[tuple[str, str]]:
    """Name and agent of each row: an entrant's, or ``name.1``, ``name.2``, … for the members of a group."""
    rows: list[tuple[str, str]] = []
    for name, members in entrants:
        numbered = [f"{name}.{number}" for number in range(1, len(members) + 1)] if len(members) > 1 else [name]
        rows += zip(numbered, members, strict=True)
    return rows


def cross_setups(entrants: Sequence[Entrant], reference: str) -> list[Setup]:
    """What has to be played."""
    agents = [agent for _, agent in cross_rows(entrants)]
    cells = combinations_with_replacement(agents, 2)
    return list(dict.fromkeys(setup for a, b in cells for setup in _cell_setups(a, b, reference)))


def cross_play(entrants: Sequence[Entrant], reference: str, points: Callable[[Setup], FloatArray]) -> CrossPlay:
    """The matrix and its gaps; ``points`` gives ``(pairs,)`` points a deal of a setup."""
    rows = cross_rows(entrants)
    agents = [agent for _, agent in rows]
    table: dict[tuple[int, int], FloatArray] = {}
    pairs = len(points(cross_setups(entrants, reference)[0]))
    for i, j in combinations_with_replacement(range(len(rows)), 2):
        setups = _cell_setups(agents[i], agents[j], reference)
        table[i, j] = sum((points(setup) for setup in setups), np.zeros(pairs)) / max(1, len(setups))
        table[j, i] = table[i, j]
    numbers = range(len(rows))
    groups: list[Gap] = []
    first = 0
    for name, members in entrants:
        if len(members) > 1:
            groups.append(_gap(name, table, range(first, first + len(members)), sample=True))
        first += len(members)
    return CrossPlay(
        reference,
        [name for name, _ in rows],
        agents,
        [[with_members(table[i, j], []) for j in numbers] for i in numbers],
        _gap("all agents", table, numbers, sample=False),
        groups,
    )


def _cell_setups(a: str, b: str, reference: str) -> list[Setup]:
    """The setups whose mean is a cell; none where an agent's own pair would play against itself, which is 0."""
    if reference != ITSELF:
        return [Setup(a, b, reference)]
    return [Setup(a, b, a), Setup(a, b, b)] if a != b else []


def _gap(name: str, table: dict[tuple[int, int], FloatArray], rows: Sequence[int], *, sample: bool) -> Gap:
    """The means over some rows; where these are a ``sample`` of their kind, with what the choice of rows adds."""
    figures = [
        _over_members(lambda some: _mean(table, [(i, i) for i in some]), rows, sample),
        _over_members(lambda some: _mean(table, list(combinations(some, 2))), rows, sample),
        _over_members(lambda some: _lack(table, some), rows, sample),
    ]
    return Gap(name, *figures)


def _over_members(figure: Callable[[Sequence[int]], FloatArray], rows: Sequence[int], sample: bool) -> Estimate:
    """A figure of some rows. Of a sample, the variance over its members is the jackknife's: each is left out once."""
    values = figure(rows)
    if not sample:
        return with_members(values, [])
    if len(rows) < 3:  # a single row has no mixed pair
        return Estimate(float(values.mean()), None, None, None, len(values))
    without = [float(figure([row for row in rows if row != left_out]).mean()) for left_out in rows]
    members = len(rows)
    variance = (members - 1) ** 2 / members * float(np.var(without, ddof=1))
    return with_members(values, [(variance, members)])


def _mean(table: dict[tuple[int, int], FloatArray], cells: Sequence[tuple[int, int]]) -> FloatArray:
    return np.mean([table[cell] for cell in cells], axis=0)


def _lack(table: dict[tuple[int, int], FloatArray], rows: Sequence[int]) -> FloatArray:
    """Own less mixed, pair by pair of rows, so that it is exactly 0 where all rows play alike."""
    return np.mean([(table[i, i] + table[j, j]) / 2 - table[i, j] for i, j in combinations(rows, 2)], axis=0)
