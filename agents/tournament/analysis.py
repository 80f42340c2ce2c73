"""From what was played to every figure that is shown or written."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from agents import statistics
from agents.arena import Duel, Episode
from agents.statistics import Estimate
from agents.tournament.crossplay import CrossPlay, cross_play, cross_setups
from agents.tournament.cycles import Fit, Triangle, additive_fit, largest_misfit, strongest_circle
from agents.tournament.entrants import Entrant
from agents.tournament.ratings import WinRating, additive_ratings, win_ratings
from agents.tournament.scores import Scores, linearised
from agents.tournament.setups import Setup
from pedro_env.typing import FloatArray


@dataclass(frozen=True)
class Analysis:
    """All figures. Lists are in the order of the entrants."""

    entrants: list[Entrant]
    anchor: str | None
    """The entrant that is rated 0; None: the mean is."""
    pairs: int
    """Duplicate deals (or matches) of every setup."""
    episode: Episode
    duels: Mapping[Setup, Duel]
    """What was played, each setup as the folder has it."""
    points: Scores
    ratings: list[Estimate]
    fit: Fit | None
    misfit: Triangle | None
    circle: Triangle | None
    wins: Scores | None
    """The share of matches won, less a half; None for single deals."""
    win_ratings: list[WinRating] | None
    cross_play: CrossPlay | None

    def win_share(self, row: int, column: int) -> Estimate:
        """The share of matches that one entrant won against another."""
        assert self.wins is not None
        estimate = self.wins.over(row, column)
        if not self.wins.has_groups:  # one value in [0, 1] a pair: the interval of ``evaluate.py``
            sign = 1 if row < column else -1
            place = self.wins.pairings.index((min(row, column), max(row, column)))
            return statistics.rate_estimate(0.5 + sign * self.wins.by_pair[:, place])
        if estimate.mean is None or estimate.low is None or estimate.high is None:
            return Estimate(estimate.mean and estimate.mean + 0.5, None, None, None, estimate.pairs)
        low, high = max(0.0, estimate.low + 0.5), min(1.0, estimate.high + 0.5)
        return Estimate(estimate.mean + 0.5, low, high, estimate.error, estimate.pairs)


def setups_of(entrants: Sequence[Entrant], reference: str | None) -> list[Setup]:
    """Everything that has to be played; cross-play where there is a reference."""
    pairings = [Setup(a, a, b) for one, other in combinations(entrants, 2) for a in one.members for b in other.members]
    return list(dict.fromkeys([*pairings, *(cross_setups(entrants, reference) if reference is not None else [])]))


def analyse(
    entrants: Sequence[Entrant],
    anchor: str | None,
    reference: str | None,
    episode: Episode,
    ordered: Callable[[Setup], Setup],
    pairs: int,
    duels: Mapping[Setup, Duel],
) -> Analysis:
    """Every figure of the first ``pairs`` pairs of all setups; ``duels`` has them as ``ordered`` says: a setup, or the
    same the other way round."""
    names = [entrant.name for entrant in entrants]
    place = None if anchor is None else names.index(anchor)

    def points(setup: Setup) -> FloatArray:
        duel, sign = duels[ordered(setup)], _sign(ordered, setup)
        return sign * linearised(duel.difference.mean(axis=1), duel.deals.mean(axis=1))

    def wins(setup: Setup) -> FloatArray:
        return _sign(ordered, setup) * (duels[ordered(setup)].wins.mean(axis=1) - 0.5)

    scores = _scores(entrants, points)
    won = _scores(entrants, wins) if episode == "match" else None
    return Analysis(
        list(entrants),
        anchor,
        pairs,
        episode,
        duels,
        scores,
        additive_ratings(scores, place),
        additive_fit(scores),
        largest_misfit(scores),
        strongest_circle(scores),
        won,
        win_ratings(won, place) if won is not None else None,
        cross_play(entrants, reference, points) if reference is not None else None,
    )


def _sign(ordered: Callable[[Setup], Setup], setup: Setup) -> int:
    """-1 where a setup is there the other way round."""
    same = ordered(setup).against == setup.against
    return 1 if same else -1


def _scores(entrants: Sequence[Entrant], value: Callable[[Setup], FloatArray]) -> Scores:
    agents = [(number, member) for number, entrant in enumerate(entrants) for member in entrant.members]
    values = {
        (a, b): value(Setup(agents[a][1], agents[a][1], agents[b][1]))
        for a, b in combinations(range(len(agents)), 2)
        if agents[a][0] != agents[b][0]
    }
    return Scores([len(entrant.members) for entrant in entrants], values)
