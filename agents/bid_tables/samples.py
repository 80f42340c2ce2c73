"""Deals in which every seat declares once: what its side takes, solved and played, and what passing brings instead.

The suit is the one that ``heuristic-1`` rates highest, the bid the lowest that the seat may make, all others pass, and
``heuristic-1`` decides for every seat, each seeing what it may see, up to the first lead. From there on the deal is
played twice: with all cards open by best play of both sides, and by ``heuristic-1``.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from agents.analyse.par import bid_alone, plain_bids, values_with_bid
from agents.analyse.values import difference
from agents.bid_tables.kinds import Kinds
from agents.heuristic.bidding import place_after_dealer
from agents.heuristic.tables import load
from agents.heuristic.valuation import suit_ratings
from agents.registry import make_agent
from agents.search.outcome import play_best, play_to_the_cards
from pedro_env.actions import PASS, Phase
from pedro_env.agent import Agent
from pedro_env.engine import Batch
from pedro_env.rules import Rules
from pedro_env.tables import tables_of
from pedro_env.typing import Int16Array, Int64Array

PLAYER = "heuristic-1"
WAYS = ("open", "played")
"""How the cards are played: all cards open, best play of both sides; by ``PLAYER``."""
SEATS = ("dealer", "dealer's partner", "others")
"""Where a hand sits. The dealer's side gains by the dealer's robbing, where a dealer robs."""


class Samples(NamedTuple):
    """n deals; the seats are counted from the dealer: 0 dealer, 1 at its left …"""

    kind: Int16Array
    """``(n, 4)`` see ``Kinds``."""
    points: Int16Array
    """``(n, 4, ways)`` points of the seat's side where it declares."""
    gain: Int16Array
    """``(n, 4, ways, bids)`` what the seat's side scores more than the other at each bid (``bid_numbers``)."""
    passing: Int16Array
    """``(n, 4)`` the same, where the seat passes as long as it may; the others bid, and all play, as ``PLAYER``."""


def bid_numbers(rules: Rules) -> dict[int, int]:
    """The numbers that can be bid, ascending, and for each a bid; special bids are left out."""
    bids = tables_of(rules).actions.bids
    first: dict[int, int] = {}
    for bid in plain_bids(tables_of(rules))[0]:
        first.setdefault(bids[bid].number, bid)
    return dict(sorted(first.items()))


def seat_group(column: Int64Array) -> Int64Array:
    """Which of ``SEATS`` the columns of ``Samples`` are."""
    return np.where(column == 0, 0, np.where(column == 2, 1, 2))


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
