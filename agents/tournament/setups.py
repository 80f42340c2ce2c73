"""Who sits where: an agent, or two as partners, against two of another, on every deal in every way round."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from agents.errors import AgentError
from pedro_env.rules import Rules, Teams
from pedro_env.typing import Int64Array

_NO_PARTNERS = {
    Teams.NONE: "each seat plays for itself",
    Teams.CALLED: "a partner is called anew in every deal",
}


class Setup(NamedTuple):
    """What is played on each deal: ``first`` and ``second`` share a side, ``against`` has the other seats.

    Where ``first`` and ``second`` are the same agent, this is the duplicate pair of ``arena``: two tables. Two
    partners who differ also change seats with each other: four tables.
    """

    first: str
    second: str
    against: str

    @property
    def agents(self) -> tuple[str, ...]:
        """The agents to make; two of the same address where one plays against itself, as an agent may keep state."""
        return (self.first, self.against) if self.first == self.second else (self.first, self.second, self.against)

    @property
    def party(self) -> tuple[int, ...]:
        """For each agent: 0, its points are what is measured, or 1."""
        return (0,) * (len(self.agents) - 1) + (1,)

    def seatings(self, seats: int) -> list[Int64Array]:
        """For each table of a deal the number of the agent in each seat, ``(seats,)``."""
        opponent = len(self.agents) - 1
        orders = [(0, 0)] if opponent == 1 else [(0, 1), (1, 0)]
        seatings: list[Int64Array] = []
        for lowest in (0, 1):
            for order in orders:
                seating = np.full(seats, opponent)
                for place, seat in enumerate(range(lowest, seats, 2)):
                    seating[seat] = order[place % 2]
                seatings.append(seating)
        return seatings

    @property
    def tables(self) -> int:
        """Tables a deal."""
        return 2 * (len(self.agents) - 1)


def check_partners(rules: Rules) -> None:
    """Raise ``AgentError`` where no two seats are partners throughout: there is no cross-play then."""
    if rules.teams in _NO_PARTNERS:
        raise AgentError(f"--cross-play needs two sides of partners; in {rules.variant!r} {_NO_PARTNERS[rules.teams]}")
