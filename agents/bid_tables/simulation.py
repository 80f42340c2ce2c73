"""Deals in which every seat declares once: what its side takes, solved and played, and what passing brings instead.

The suit is the one that ``heuristic-1`` rates highest, the bid the lowest that the seat may make, all others pass, and
``heuristic-1`` decides for every seat, each seeing what it may see, up to the first lead. From there on the deal is
played twice: with all cards open by best play of both sides, and by ``heuristic-1``.
"""

from __future__ import annotations

import numpy as np

from agents.analyse.par import bid_alone, values_with_bid
from agents.analyse.values import difference
from agents.bid_tables.kinds import Kinds
from agents.bid_tables.samples import PLAYER, WAYS, Samples, bid_numbers
from agents.heuristic.bidding import place_after_dealer
from agents.heuristic.tables import load
from agents.heuristic.valuation import suit_ratings
from agents.registry import make_agent
from agents.search.outcome import play_best, play_to_the_cards
from pedro_env.actions import PASS, Phase
from pedro_env.agent import Agent
from pedro_env.engine import Batch
from pedro_env.rules import Rules
from pedro_env.typing import Int64Array


def sample(rules: Rules, seed: int, first: int, deals: int) -> Samples:
    """The samples of deal 0 of so many matches of a seed. Raises ``AgentError`` where the solver cannot play."""
    agent = make_agent(PLAYER, rules)
    batch = Batch(rules, seed, np.arange(first, first + deals), validate=False)
    games = batch.take(np.repeat(np.arange(deals), rules.seats))
    rows = np.arange(games.n)
    seat = (games.state.dealer + rows) % rules.seats
    suit = _best_suit(games, seat)
    kind = Kinds(rules).of(games.state.hand[rows, seat], suit)

    declared = games.copy()
    bid_alone(declared, seat, suit)
    play_to_the_cards(declared, agent)
    opened, played = declared.copy(), declared
    play_best(opened)
    _play(played, agent)
    side = games.tables.side_of[seat]
    sign = 1 - 2 * side
    points = np.zeros((games.n, len(WAYS)), np.int16)
    gain = np.zeros((games.n, len(WAYS), len(bid_numbers(rules))), np.int16)
    for way, ended in enumerate((opened, played)):
        points[:, way] = ended.state.points[rows, side]
        for column, bid in enumerate(bid_numbers(rules).values()):
            gain[:, way, column] = sign * values_with_bid(ended, bid)

    _play(games, agent, never_bids=seat)
    passing = (sign * difference(games.state)).astype(np.int16)
    by_seat = (deals, rules.seats)
    return Samples(
        kind.astype(np.int16).reshape(by_seat),
        points.reshape(*by_seat, -1),
        gain.reshape(*by_seat, len(WAYS), -1),
        passing.reshape(by_seat),
    )


def _best_suit(games: Batch, seat: Int64Array) -> Int64Array:
    """``(k,)`` the suit that ``heuristic-1`` would name from a seat's hand as it was dealt."""
    place = place_after_dealer((games.state.dealer - seat) % games.rules.seats, games.rules.seats)
    hands = games.state.hand[np.arange(games.n), seat]
    return suit_ratings(games.rules, hands, place, load().rating).argmax(axis=1)


def _play(games: Batch, agent: Agent, never_bids: Int64Array | None = None) -> None:
    """Play deals to their end, in place; one seat of each, ``(k,)``, passes wherever it may."""
    while not games.over.all():
        views = games.views()
        actions = agent.act(views)
        if never_bids is not None:
            mine = games.to_act[views.game] == never_bids[views.game]
            bidding = np.isin(views.phase, (Phase.DARK, Phase.BID))
            actions = np.where(mine & bidding & views.mask[:, PASS], PASS, actions)
        games.step(actions, views.game)
