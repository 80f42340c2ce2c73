"""What has been played, whichever command played it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple

from agents.arena import Duel, Episode
from agents.tournament.entrants import Entrant
from agents.tournament.setups import Setup
from pedro_env.rules import Rules


class Meeting(NamedTuple):
    """Two agents of different entrants, and what they played."""

    a: int
    """The number of the first one's entrant."""
    b: int
    agents: tuple[str, str]
    duel: Duel
    turned: bool
    """In ``duel`` the second one is A."""


class Contest(NamedTuple):
    """What has been played."""

    rules: Rules
    options: Mapping[str, Any]
    """That differ from the variant's."""
    seed: int
    episode: Episode
    entrants: Sequence[Entrant]
    duels: Mapping[Setup, Duel]
    """Every two agents of different entrants, either way round, and perhaps others."""
    workers: int

    @property
    def names(self) -> list[str]:
        """Of the entrants."""
        return [entrant.name for entrant in self.entrants]

    def meetings(self) -> Iterator[Meeting]:
        """Every two agents of different entrants."""
        for (a, one), (b, other) in combinations(enumerate(self.entrants), 2):
            for first in one.members:
                for second in other.members:
                    setup, back = Setup(first, first, second), Setup(second, second, first)
                    turned = setup not in self.duels
                    yield Meeting(a, b, (first, second), self.duels[back if turned else setup], turned)
