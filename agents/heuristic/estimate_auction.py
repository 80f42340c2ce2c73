"""Estimates what a hand and a bid are worth.

Every seat of a simulated deal declares once, in its best suit, and the deal is played out. From these points come the
ratings of holdings (``valuation``), by linear regression. And since they tell what every possible end of the auction
would have brought, auctions can then be tried out on these deals without playing a card: every pass and bid of
every seat, followed by the auction as the tables would have it, is fitted by the figures of the hand, situation by
situation. Some rounds of that are policy iteration again.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from agents.heuristic.agent import Heuristic1
from agents.heuristic.bidding import (
    FIGURES,
    HIGHEST,
    LEVELS,
    LOWEST,
    NOBODY,
    OURS,
    SITUATIONS,
    THEIRS,
    auction_situation,
    figures,
)
from agents.heuristic.knowledge import Floats
from agents.heuristic.tables import Tables
from agents.heuristic.valuation import features, holdings
from pedro_env.actions import FIRST_BID, FIRST_SUIT, PASS
from pedro_env.cards import N_SUITS
from pedro_env.engine import Batch
from pedro_env.rules import Rules
from pedro_env.typing import BoolArray, Int64Array

SEATS = 4
EXPLORATION = 0.1
RIDGE = 20.0
_PENALTIES = np.diag([1.0, 3, 10, 10, 20, 20, 20])
"""How little each of the figures is trusted."""
_BASE = LOWEST - 1
_UNHEARD_OF = 200
"""Bids seen less often than this, in all auctions alike, are not made."""


@dataclass
class Deals:
    """Simulated deals, seats by place after the dealer."""

    ratings: Floats
    """``(n, 4 places, 4 suits)``"""
    points: Int64Array
    """``(n, 4 places)`` points of its side where the seat of this place declares."""


def simulate(rules: Rules, tables: Tables, deals: int, seed: int, chunk: int = 5_000) -> tuple[Tables, Deals]:
    """Let every seat declare in ``deals`` deals: the tables with new ratings, and the deals rated by them."""
    held, suits, points = [], [], []
    for first in range(0, deals, chunk):
        part = _declare(rules, tables, min(chunk, deals - first), seed + 104729 * (first + 1))
        for total, array in zip((held, suits, points), part, strict=True):
            total.append(array)
    all_held, all_suits, all_points = np.concatenate(held), np.concatenate(suits), np.concatenate(points)
    x = np.stack([value for _, value in features(all_held.reshape(-1, all_held.shape[-1]))], axis=1)
    x = x.reshape(*all_held.shape[:3], -1).astype(np.float64)
    chosen = np.take_along_axis(x, all_suits[..., None, None], axis=2)[:, :, 0]
    weights = np.stack(
        [
            np.linalg.solve(
                chosen[:, place].T @ chosen[:, place] + 3 * np.eye(x.shape[-1]),
                chosen[:, place].T @ all_points[:, place],
            )
            for place in range(SEATS)
        ]
    )
    ratings = np.einsum("npsf,pf->nps", x, weights)
    # A hand is worth the suit that it was played in, even where the new weights like another one better.
    rows, places = np.ogrid[: len(ratings), :SEATS]
    best = ratings.argmax(axis=2)
    ratings[rows, places, best] = ratings[rows, places, all_suits]
    return replace(tables, rating=weights.astype(np.float32)), Deals(ratings, all_points)


def _declare(rules: Rules, tables: Tables, deals: int, seed: int) -> tuple[Floats, Int64Array, Int64Array]:
    """Holdings ``(n, 4, 4, 14)``, suits ``(n, 4)`` and points ``(n, 4)`` of deals in which every seat declares."""
    batch = Batch(rules, seed=seed, matches=np.arange(deals), validate=False)
    rows = np.arange(deals)
    seat = (batch.state.dealer[:, None].astype(np.int64) + 1 + np.arange(SEATS)) % SEATS
    hands = batch.state.hand[rows[:, None], seat]
    held = holdings(rules, hands.reshape(-1)).reshape(deals, SEATS, N_SUITS, -1)
    x = np.stack([value for _, value in features(held.reshape(-1, held.shape[-1]))], axis=1)
    rating = np.einsum("npsf,pf->nps", x.reshape(deals, SEATS, N_SUITS, -1), tables.rating)
    rating += np.random.default_rng(seed).normal(0, 0.4, rating.shape)
    suit = rating.argmax(axis=2)
    contract = np.clip(np.floor(rating.max(axis=2)), LOWEST + 1, LOWEST + 4).astype(np.int64) - 1
    tables_ = batch.take(np.repeat(rows, SEATS))
    place = np.tile(np.arange(SEATS), deals)
    for turn in range(SEATS):
        bids = place == turn
        tables_.step(np.where(bids, FIRST_BID + contract.reshape(-1) - rules.min_bid, PASS))
    tables_.step(FIRST_SUIT + suit.reshape(-1))
    player = Heuristic1.playing_by(rules, tables)
    while not tables_.over.all():
        views = tables_.views()
        tables_.step(player.act(views), views.game)
    own = tables_.tables.side_of[tables_.state.declarer]
    points = tables_.state.points[np.arange(len(own)), own].astype(np.int64)
    return held, suit, points.reshape(deals, SEATS)


@dataclass
class Standing:
    """Auctions on the deals, somewhere on the way."""

    level: Int64Array
    """``(n,)`` the standing bid, 0 none, 1 the lowest …"""
    bidder: Int64Array
    """``(n,)`` its bidder's place, -1."""
    bids: Int64Array
    """``(n, 4)`` the level each place has bid, 0 for a pass or no turn yet."""

    @classmethod
    def at_first(cls, n: int) -> Standing:
        """Nobody has said anything."""
        return cls(np.zeros(n, np.int64), np.full(n, -1), np.zeros((n, SEATS), np.int64))

    def after(self, place: int, level: Int64Array) -> Standing:
        """The auctions with what the seat of a place says (0: pass)."""
        bids = self.bids.copy()
        bids[:, place] = level
        said = level > 0
        return Standing(np.where(said, level, self.level), np.where(said, place, self.bidder), bids)


def improve_auction(tables: Tables, deals: Deals, seed: int, rounds: int = 8) -> Tables:
    """Rounds of policy iteration over auctions; the tables with new ones for bids, branches and outcomes."""
    rng = np.random.default_rng(seed)
    worth = first_worth()
    xx = np.zeros((SITUATIONS, LEVELS, len(FIGURES), len(FIGURES)))
    xy = np.zeros(xx.shape[:-1])
    branches = np.zeros((4, *xy.shape))
    for round_ in range(rounds):
        xx, xy = xx / 2, xy / 2
        last = round_ == rounds - 1
        _try_out(deals, worth, rng, xx, xy, branches if last else None)
        worth = _solve(xx, xy)
    end = _finish(deals, Standing.at_first(len(deals.points)), 0, worth)
    return replace(
        tables,
        auction=worth.astype(np.float32),
        branches=branches.astype(np.float32),
        outcomes=_outcomes(deals, end).astype(np.float32),
    )


def first_worth() -> Floats:
    """Bids up to the rating, a point dearer over partner: something to begin with."""
    worth = np.zeros((SITUATIONS, LEVELS, len(FIGURES)))
    level = np.arange(1, LEVELS)
    worth[:, 1:, 0] = 2 - 2.5 * (level - 1)
    worth[:, 1:, 1] = 2.5
    ours = (np.arange(SITUATIONS) // LEVELS) % 3 == OURS
    worth[ours, 1:, 0] -= 1.5
    return worth


def _figures(deals: Deals, standing: Standing, place: int) -> tuple[Floats, Int64Array]:
    holder = np.where(standing.bidder < 0, NOBODY, np.where(standing.bidder % 2 == place % 2, OURS, THEIRS))
    x = figures(deals.ratings[:, place], standing.bids[:, (place + 2) % SEATS])
    return x, auction_situation(np.full(len(holder), place), holder, standing.level)


def _legal(standing: Standing, place: int) -> BoolArray:
    legal = np.arange(LEVELS) > standing.level[:, None]
    legal[:, 0] = True if place < SEATS - 1 else standing.bidder >= 0  # RULES 2.4: a dealer may have to bid
    return legal


def _say(deals: Deals, standing: Standing, place: int, worth: Floats) -> Int64Array:
    x, row = _figures(deals, standing, place)
    total = np.einsum("nf,nlf->nl", x, worth[row])
    return np.where(_legal(standing, place), total, -np.inf).argmax(axis=1)


def _finish(deals: Deals, standing: Standing, place: int, worth: Floats) -> Standing:
    for later in range(place, SEATS):
        standing = standing.after(later, _say(deals, standing, later, worth))
    return standing


def _try_out(
    deals: Deals,
    worth: Floats,
    rng: np.random.Generator,
    xx: Floats,
    xy: Floats,
    branches: Floats | None,
) -> None:
    """Add to the sums what every pass and bid of every seat would have brought."""
    n = len(deals.points)
    standing = Standing.at_first(n)
    for place in range(SEATS):
        x, row = _figures(deals, standing, place)
        legal = _legal(standing, place)
        for level in range(LEVELS):
            end = _finish(deals, standing.after(place, np.full(n, level)), place + 1, worth)
            difference, branch = _result(deals, end, place)
            for situation, here in _groups(row, np.flatnonzero(legal[:, level])):
                flat = x[here]
                xx[situation, level] += flat.T @ flat
                xy[situation, level] += flat.T @ difference[here]
                if branches is not None:
                    branches[:, situation, level] = _shares(flat, branch[here])
        stray = rng.random(n) < EXPLORATION
        low = np.minimum(standing.level + 1 + (rng.random(n) < 0.4), LEVELS - 1)
        other = np.where(rng.random(n) < 0.5, 0, low)
        stray &= legal[np.arange(n), other]
        standing = standing.after(place, np.where(stray, other, _say(deals, standing, place, worth)))


def _groups(row: Int64Array, here: Int64Array) -> list[tuple[int, Int64Array]]:
    """The deals of ``here`` by situation."""
    ordered = here[np.argsort(row[here], kind="stable")]
    if not len(ordered):
        return []
    parts = np.split(ordered, np.flatnonzero(np.diff(row[ordered])) + 1)
    return [(int(row[part[0]]), part) for part in parts]


def _result(deals: Deals, end: Standing, place: int) -> tuple[Floats, Int64Array]:
    """``(n,)`` score difference for the side of a place, and which branch it was (``Tables.branches``)."""
    taken = deals.points[np.arange(len(end.bidder)), end.bidder]
    bid = end.level + _BASE
    made = taken >= bid
    # RULES 2.11; the defenders always score what they took
    gain = np.where(made, taken, -bid) - (HIGHEST - taken)
    ours = end.bidder % 2 == place % 2
    return np.where(ours, gain, -gain).astype(np.float64), np.where(ours, 0, 2) + ~made


def _shares(x: Floats, branch: Int64Array) -> Floats:
    """``(4, figures)`` chances of the branches, fitted to the figures."""
    happened = branch == np.arange(4)[:, None]
    mean = happened.mean(axis=1)
    left = x.T @ x + 2 * RIDGE * _PENALTIES
    weights = np.linalg.solve(left, x.T @ (happened - mean[:, None]).T).T
    weights[:, 0] += mean
    return weights


def _solve(xx: Floats, xy: Floats) -> Floats:
    """Ridge regression; a standing bid seen rarely leans on the others of its kind."""
    worth = np.zeros(xy.shape)
    penalty = RIDGE * _PENALTIES
    for first in range(0, SITUATIONS, LEVELS):
        kind = slice(first, first + LEVELS)
        for level in range(LEVELS):
            pooled_xx = xx[kind, level].sum(axis=0)
            prior = np.linalg.solve(pooled_xx + penalty, xy[kind, level].sum(axis=0))
            if level and pooled_xx[0, 0] < _UNHEARD_OF:
                prior[0] = -8 - level
            for row in range(first, first + LEVELS):
                left = xx[row, level] + 5 * penalty
                worth[row, level] = np.linalg.solve(left, xy[row, level] + 5 * penalty @ prior)
    return worth


def _outcomes(deals: Deals, end: Standing) -> Floats:
    """``(outcomes, 3)``: bid, points of the bidding side, share of the deals."""
    taken = deals.points[np.arange(len(end.bidder)), end.bidder]
    kinds, counts = np.unique(np.stack([end.level + _BASE, taken], axis=1), axis=0, return_counts=True)
    return np.column_stack([kinds, counts / counts.sum()]).astype(np.float64)
