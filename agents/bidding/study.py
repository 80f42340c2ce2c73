"""Deals of an agent, played to see how it bids: one row a choice in the auction, one row a deal."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from agents.bidding.hands import read_hands
from agents.registry import make_agent
from agents.seats import auction_place
from agents.start_scores import scores_in_matches
from pedro_env.actions import FIRST_BID, PASS, Phase
from pedro_env.agent import Agent
from pedro_env.cards import NONE
from pedro_env.engine import Batch
from pedro_env.rules import Rules, Teams
from pedro_env.typing import BoolArray, Int16Array, Int64Array, IntArray

UNIT = 500
"""Deals in a unit of work."""
SCORE_MATCHES = 300
NOBODY, PARTNER, OPPONENT, ITSELF = range(4)
"""Who has the standing bid."""
SCORES = ("both far", "own side near", "others near", "both near")
"""The score before a deal: near is who can reach the target with all points of one deal."""


class Calls(NamedTuple):
    """The studied agent's choices in auctions: passes and bids where both were legal. ``(k,)`` each."""

    place: Int64Array
    """0 asked first, … the last is the dealer."""
    score: Int64Array
    """Index into ``SCORES``."""
    holder: Int64Array
    """Who has the standing bid."""
    standing: Int64Array
    """Its level; 0: nobody has bid."""
    partner_bid: BoolArray
    """Its partner has bid (before, not necessarily the standing bid)."""
    level: Int64Array
    """What it bids; 0: it passes."""
    trumps: Int64Array
    points: Int64Array
    holds: BoolArray
    """``(k, trumps of a suit)`` of its best suit (``hands.py``)."""


class Contracts(NamedTuple):
    """Deals in which the studied agent declared. ``(m,)`` each."""

    level: Int64Array
    score: Int64Array
    place: Int64Array
    made: BoolArray
    """As ``evaluate.py`` counts it."""
    points: Int64Array
    """What its side took."""
    result: np.ndarray
    """Its side's change of score less that of the others."""


class Study(NamedTuple):
    """What was seen of one agent."""

    calls: Calls
    contracts: Contracts
    deals: int
    redeals: int


class Task(NamedTuple):
    """One unit of work."""

    agent: str
    against: str
    """Empty: itself."""
    rules: Rules
    seed: int
    scores_from: str
    """Empty: every deal begins at 0–0."""
    first: int
    deals: int


def study_unit(task: Task) -> Study:
    """Play some deals; the studied agent has every seat, or against another one the even and the odd seats in turn."""
    rules = task.rules
    agent, other = _agent(task.agent, rules), _agent(task.against or task.agent, rules)
    matches = np.arange(task.first, task.first + task.deals)
    batch = Batch(rules, task.seed, matches, validate=False)
    if task.scores_from:
        table = _scores(task.scores_from, rules, task.seed)
        picked = np.random.default_rng([task.seed, task.first]).integers(len(table), size=batch.n)
        batch.restart(np.arange(batch.n), matches, table[picked])
    studied = np.ones((batch.n, rules.seats), np.bool_)
    if task.against:
        studied = (matches[:, None] + np.arange(rules.seats)) % 2 == 0
    return _play(agent, other, batch, studied)


def join(studies: list[Study]) -> Study:
    """Several units as one."""

    def joined(parts: list[Any]) -> Any:
        return type(parts[0])(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))

    calls, contracts = joined([s.calls for s in studies]), joined([s.contracts for s in studies])
    return Study(calls, contracts, sum(s.deals for s in studies), sum(s.redeals for s in studies))


def _play(agent: Agent, other: Agent, batch: Batch, studied: BoolArray) -> Study:
    calls: list[Calls] = []
    for player in {id(agent): agent, id(other): other}.values():
        if (reset := getattr(player, "reset", None)) is not None:
            reset(np.arange(batch.n))
    while not batch.over.all():
        rows = np.flatnonzero(~batch.over)
        mine = studied[rows, batch.to_act[rows]]
        actions = np.zeros(len(rows), np.int64)
        for player, where in ((agent, mine), (other, ~mine)):
            if where.any():
                views = batch.views(rows[where], sees_everything=player.sees_everything)
                actions[where] = player.act(views)
        calls.append(_calls(batch, rows[mine], actions[mine]))
        batch.step(actions, rows)
    joined = Calls._make(np.concatenate(column) for column in zip(*calls, strict=True))
    return Study(joined, _contracts(batch, studied), batch.n, int(batch.state.redeal.sum()))


def _calls(batch: Batch, rows: IntArray, actions: Int64Array) -> Calls:
    rules, s, t = batch.rules, batch.state, batch.tables
    bids = (actions == PASS) | ((actions >= FIRST_BID) & (actions < FIRST_BID + len(batch.actions.bids)))
    asked = np.flatnonzero((batch.phase[rows] == Phase.BID) & bids)
    mask = batch.mask(rows[asked])
    asked = asked[mask[:, PASS] & (mask.sum(axis=1) > 1)]
    rows, actions = rows[asked], actions[asked]
    seat = batch.to_act[rows].astype(np.int64)
    holder = s.declarer[rows].astype(np.int64)
    partners = (t.side_of[holder] == t.side_of[seat]) & (holder != seat)
    who = np.where(holder == seat, ITSELF, np.where(partners, PARTNER, OPPONENT))
    views = batch.views(rows)
    others = np.flatnonzero(t.side_of == t.side_of[0])[1:]  # relative seats of one's partners
    hands = read_hands(rules, s.hand[rows, seat])
    return Calls(
        place=auction_place(rules, s.dealer[rows], seat).astype(np.int64),
        score=_score(rules, s.scores[rows], t.side_of[seat]),
        holder=np.where(holder == NONE, NOBODY, who),
        standing=np.where(holder == NONE, 0, t.bid_numbers[s.contract[rows]]).astype(np.int64),
        partner_bid=(views.bids[:, others] != NONE).any(axis=1),
        level=np.where(actions == PASS, 0, t.bid_numbers[actions - FIRST_BID]).astype(np.int64),
        trumps=hands.trumps,
        points=hands.points,
        holds=hands.holds,
    )


def _contracts(batch: Batch, studied: BoolArray) -> Contracts:
    rules, s, t = batch.rules, batch.state, batch.tables
    declarer = s.declarer.astype(np.int64)
    rows = np.flatnonzero(~s.redeal & (declarer != NONE) & studied[np.arange(batch.n), declarer])
    side = t.side_of[declarer[rows]]
    change = s.score_change[rows].astype(np.float64)
    own = change[np.arange(len(rows)), side]
    others = (change.sum(axis=1) - own) / (rules.sides - 1)
    return Contracts(
        level=t.bid_numbers[s.contract[rows]].astype(np.int64),
        score=_score(rules, s.scores[rows] - s.score_change[rows], side),
        place=auction_place(rules, s.dealer[rows], declarer[rows]).astype(np.int64),
        made=own >= 0 if rules.teams is Teams.CALLED else s.points[rows, side] >= t.bid_numbers[s.contract[rows]],
        points=s.points[rows, side].astype(np.int64),
        result=own - others,
    )


def _score(rules: Rules, scores: Int16Array, side: Int64Array) -> Int64Array:
    """``(k,)`` index into ``SCORES``."""
    near = scores >= rules.target - rules.total_points
    own = near[np.arange(len(side)), side]
    others = near.sum(axis=1) > own
    return own + 2 * others.astype(np.int64)


@lru_cache(maxsize=8)
def _agent(spec: str, rules: Rules) -> Agent:
    return make_agent(spec, rules)


@lru_cache(maxsize=8)
def _scores(spec: str, rules: Rules, seed: int) -> Int16Array:
    return scores_in_matches(make_agent(spec, rules), rules, seed, SCORE_MATCHES)
