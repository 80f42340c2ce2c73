"""Estimates what each consideration of a play is worth: every legal card of sampled decisions is played out.

From decisions of simulated deals each legal card is played in a copy of the deal, which is then played to the end by
the player as it is. The same hidden cards for all cards of a decision make the differences between them nearly
free of luck; the considerations are fitted to these differences by ridge regression, situation by situation. Doing so
again with the new weights is policy iteration.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from agents.heuristic.agent import Heuristic1
from agents.heuristic.choices import choices
from agents.heuristic.considerations import considerations
from agents.heuristic.knowledge import Floats, know
from agents.heuristic.play import PLACES, SITUATIONS, situation
from agents.heuristic.tables import Tables
from pedro_env import cardset
from pedro_env.actions import Phase
from pedro_env.engine import Batch
from pedro_env.rules import Rules
from pedro_env.typing import BoolArray, IntArray

EXPLORATION = 0.08
"""How often a card is played at random, so that the weights know what happens off the beaten track."""
DECISIONS_A_DEAL = 2.5
RIDGE = 30.0


@dataclass
class Moments:
    """Sums of the regressions, ``(situations, …)``."""

    xx: Floats
    xy: Floats

    @classmethod
    def none(cls, n: int) -> Moments:
        """Nothing seen yet of ``n`` considerations."""
        return cls(np.zeros((SITUATIONS, n, n)), np.zeros((SITUATIONS, n)))

    def fade(self, factor: float) -> None:
        """Let what was seen of older players count less."""
        self.xx *= factor
        self.xy *= factor

    def weights(self) -> Floats:
        """``(situations, considerations)``; a situation seen rarely leans on those of the same place in the trick."""
        n = self.xy.shape[1]
        weights = np.zeros((SITUATIONS, n))
        each = SITUATIONS // PLACES
        for first in range(0, SITUATIONS, each):
            group = slice(first, first + each)
            ridge = RIDGE * np.eye(n)
            pooled = np.linalg.solve(self.xx[group].sum(axis=0) + ridge, self.xy[group].sum(axis=0))
            lean = 3 * ridge
            for row in range(first, first + each):
                weights[row] = np.linalg.solve(self.xx[row] + lean, self.xy[row] + lean @ pooled)
        return weights


def consideration_names(rules: Rules, tables: Tables) -> list[str]:
    """The names of the considerations, in the order of the weights."""
    batch = Batch(rules, seed=0, matches=np.arange(1), validate=False)
    player = Heuristic1.playing_by(rules, tables)
    while batch.phase[0] != Phase.PLAY:
        batch.step(player.act(batch.views()))
    views = batch.views()
    known = know(views)
    return [name for name, _ in considerations(views, known, choices(views, known))]


def improve_play(rules: Rules, tables: Tables, moments: Moments, deals: int, seed: int, chunk: int = 10_000) -> Tables:
    """One round of policy iteration over ``deals`` deals."""
    for first in range(0, deals, chunk):
        _watch(rules, tables, moments, min(chunk, deals - first), seed + 7919 * (first + 1))
    return replace(tables, play=moments.weights().astype(np.float32))


def _watch(rules: Rules, tables: Tables, moments: Moments, deals: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    player = Heuristic1.playing_by(rules, tables)
    batch = Batch(rules, seed=seed, matches=np.arange(deals), validate=False)
    while not batch.over.all():
        views = batch.views()
        actions = player.act(views)
        playing = views.phase == Phase.PLAY
        choice = playing & (cardset.count(views.legal_cards) > 1)
        sampled = views.game[choice & (rng.random(len(views)) < DECISIONS_A_DEAL / 13)]
        if len(sampled):
            _compare(batch.take(sampled), player, moments)
        stray = playing & (rng.random(len(views)) < EXPLORATION)
        some = (rng.random(len(views)) * cardset.count(views.legal_cards)).astype(np.int64)
        actions[stray] = cardset.nth(views.legal_cards[stray], some[stray])
        batch.step(actions, views.game)


def _compare(batch: Batch, player: Heuristic1, moments: Moments) -> None:
    """Play out every legal card of the decisions in a batch, and add what came of it."""
    views = batch.views()
    known = know(views)
    choice = choices(views, known)
    shape = choice.card.shape
    values = [np.broadcast_to(value, shape) for _, value in considerations(views, known, choice)]
    x = np.stack(values, axis=2).astype(np.float64)
    rows, columns = np.nonzero(choice.there)
    y = np.zeros(shape)
    y[rows, columns] = _outcomes(batch.take(rows), choice.card[rows, columns], player)
    x, y = _centred(x, choice.there), _centred(y[..., None], choice.there)[..., 0]
    place = situation(views, choice)
    for row in np.unique(place):
        here = place == row
        flat = x[here].reshape(-1, x.shape[2])
        moments.xx[row] += flat.T @ flat
        moments.xy[row] += flat.T @ y[here].reshape(-1)


def _outcomes(batch: Batch, cards: IntArray, player: Heuristic1) -> Floats:
    """``(n,)`` score difference of the seats to act, each having played its card."""
    side = batch.tables.side_of[batch.to_act]
    batch.step(cards)
    while not batch.over.all():
        views = batch.views()
        batch.step(player.act(views), views.game)
    change = batch.state.score_change
    rows = np.arange(len(side))
    return (change[rows, side] - change[rows, 1 - side]).astype(np.float64)


def _centred(values: Floats, there: BoolArray) -> Floats:
    """Differences from the mean over the cards of each decision, 0 where there is no card."""
    there = there[..., None]
    values = np.where(there, values, 0)
    return np.where(there, values - values.sum(axis=1, keepdims=True) / there.sum(axis=1, keepdims=True), 0)
