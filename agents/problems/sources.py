"""Where positions come from: deals that a mixture of agents plays, and in each at most one decision of a skill.

Which deal is searched for which skill, who decides and which decision is taken are hashes of the seed and the deal's
number: a deal gives the same position whatever else is looked at.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from agents.problems.skills import SKILLS, fits
from agents.registry import make_agent
from pedro_env.deals import uniform
from pedro_env.engine import Batch
from pedro_env.phases.scoring import BIDDER_OUT_MARGIN
from pedro_env.rules import Rules
from pedro_env.typing import Int16Array, Int64Array, IntArray
from pedro_env.views import Views

PLAYERS = {"heuristic-1": 0.35, "heuristic-2": 0.35, "morehead": 0.25, "random": 0.05}
"""Each decision is taken by one of these, with this probability."""
_SCORES_STREAM = 0x73636F7265
_PLAYER, _TAKEN = 1, 2
_SCORES_TO_EITHER_SIDE = 9
"""Scores from which a deal is played bidder out: as many, from the lowest on."""


class Source(NamedTuple):
    """A position, as it came up."""

    batch: Batch
    """The one game, at the decision."""
    actions: list[int]
    """All actions so far, of all seats."""


def sources(rules: Rules, seed: int, skill: str, first: int, count: int) -> list[Source]:
    """The positions of a skill in its ``count`` deals from number ``first`` on; most deals have one, some none."""
    kind = SKILLS[skill]
    matches = (np.arange(first, first + count)) * len(SKILLS) + list(SKILLS).index(skill)
    batch = Batch(rules, seed, matches, validate=False)
    if kind.bidder_out:
        batch.restart(np.arange(count), matches, _close_scores(rules, seed, matches))
    agents = [make_agent(name, rules) for name in PLAYERS]
    history: list[list[int]] = [[] for _ in range(count)]
    kept = batch.copy()
    length, seen = np.full(count, -1), np.zeros(count, np.int64)
    while not batch.over.all():
        views = batch.views()
        games = views.game[fits(kind, views)]
        if len(games):  # each of a deal's n decisions is the one that is kept with probability 1/n
            seen[games] += 1
            taken = batch.views(games).uniform(_TAKEN) * seen[games] < 1
            kept.state.put(games[taken], batch.state.take(games[taken]))
            length[games[taken]] = batch.state.decision[games[taken]]
        actions = _mixed(views, agents)
        batch.step(actions, views.game)
        for game, action in zip(views.game.tolist(), actions.tolist(), strict=True):
            history[game].append(action)
    return [
        Source(kept.take(np.array([game])), history[game][: length[game]]) for game in np.flatnonzero(seen).tolist()
    ]


def _mixed(views: Views, agents: list) -> IntArray:
    """``(k,)`` the action of the agent that the hash names for each decision."""
    who = np.searchsorted(np.cumsum(list(PLAYERS.values())), views.uniform(_PLAYER), side="right")
    actions = np.zeros(len(views), np.int64)
    for number, agent in enumerate(agents):
        rows = np.flatnonzero(np.minimum(who, len(agents) - 1) == number)
        if len(rows):
            actions[rows] = agent.act(views.take(rows))
    return actions


def _close_scores(rules: Rules, seed: int, matches: Int64Array) -> Int16Array:
    """``(k, sides)`` scores at which a deal is played bidder out (RULES 2.12), where a variant has that."""
    draws = uniform(seed, _SCORES_STREAM, (matches[:, None], np.arange(rules.sides)))
    return (rules.target - BIDDER_OUT_MARGIN + (draws * _SCORES_TO_EITHER_SIDE).astype(np.int64)).astype(np.int16)
