"""The auction: what a pass and each bid can be expected to bring, from tables of simulated auctions.

A decision is placed by three things: the seat's place after the dealer, who has the standing bid (nobody, partner, an
opponent) and how high it is. For each such situation and each possible bid the tables give weights of a few figures
of the hand; their sum is the expected score difference of the deal (RULES 2.11). So a bid on one's partner's bid
is worth what the difference between the two hands is worth, and a dealer who must bid takes the lesser evil.
"""

from __future__ import annotations

import numpy as np

from agents.heuristic.knowledge import PARTNER, Floats
from agents.heuristic.match_play import match_correction
from agents.heuristic.tables import Tables
from agents.heuristic.valuation import suit_ratings
from pedro_env.actions import FIRST_BID, PASS
from pedro_env.rules import Auction, Rules, Teams
from pedro_env.typing import Int64Array, IntArray
from pedro_env.views import Views

LOWEST, HIGHEST = 7, 14
LEVELS = HIGHEST - LOWEST + 2
"""Pass, and the bids that the tables know: as actions of the tables, and as standing bids (none, 7 … 14)."""
NOBODY, OURS, THEIRS = 0, 1, 2
SITUATIONS = 4 * 3 * LEVELS
FIGURES = ("always", "rating", "rating squared", "strong", "second suit", "other suits", "partner's bid")


def place_after_dealer(dealer: np.ndarray, seats: int) -> Int64Array:
    """``(k,)`` 0 eldest … seats - 1 dealer, from the dealer's relative seat."""
    return ((seats - 1 - dealer) % seats).astype(np.int64)


def known_auction(rules: Rules) -> bool:
    """Whether the auction is one that the tables were made for."""
    return (
        rules.auction is Auction.ONE_TURN
        and rules.teams is Teams.PARTNERS
        and rules.seats == 4
        and not rules.bid_names_suit
        and rules.total_points == HIGHEST
    )


def figures(ratings: Floats, partners_level: np.ndarray) -> Floats:
    """``(k, figures)`` of a hand from its ratings ``(k, 4)``; ``partners_level``: 0 no bid, 1 the lowest, …"""
    ordered = np.sort(ratings, axis=1)
    above = ordered[:, 3] - 8
    return np.stack(
        [
            np.ones_like(above),
            above,
            above * above,
            np.maximum(above - 2, 0) ** 2,
            ordered[:, 2] - 6,
            ordered[:, 0] + ordered[:, 1] - 9,
            partners_level.astype(np.float32),
        ],
        axis=1,
    )


def auction_situation(place: Int64Array, holder: np.ndarray, level: np.ndarray) -> Int64Array:
    """``(k,)`` the row of the tables."""
    return ((place * 3 + holder) * LEVELS + level).astype(np.int64)


def choose_bid(views: Views, tables: Tables) -> IntArray:
    """The bid or pass to make, ``(k,)``."""
    if not known_auction(views.rules):
        return _bid_by_rating(views, tables)
    number = views.tables.bid_numbers
    place = place_after_dealer(views.dealer, 4)
    ratings = suit_ratings(views.rules, views.hand, np.minimum(place, 3), tables.rating)
    level = _level(views.contract_number)
    holder = np.where(views.declarer < 0, NOBODY, np.where(views.declarer % 2 == 0, OURS, THEIRS))
    partners_level = np.where(views.bids[:, PARTNER] >= 0, _level(number[views.bids[:, PARTNER]]), 0)
    row = auction_situation(place, holder, level)
    figure = figures(ratings, partners_level)
    worth = np.einsum("kf,kaf->ka", figure, tables.auction[row])
    worth += match_correction(views, figure, tables, row)
    # Each bid has the worth of its number; special bids (28-56 …) are left alone.
    bids = views.actions.bids
    plain = [i for i, bid in enumerate(bids) if bid.number >= LOWEST and bid.name.isdigit()]
    total = np.full(views.mask.shape, -np.inf)
    total[:, PASS] = worth[:, 0]
    for i in plain:
        total[:, FIRST_BID + i] = worth[:, bids[i].number - LOWEST + 1]
    low = [i for i, bid in enumerate(bids) if bid.number < LOWEST]
    for i in low:  # below the tables: as good as the lowest in them, and as much cheaper to lose
        total[:, FIRST_BID + i] = worth[:, 1] + 0.25 * (LOWEST - bids[i].number)
    return _best_legal(total, views)


def _level(number: np.ndarray) -> np.ndarray:
    return np.where(number > 0, np.clip(number - LOWEST + 1, 1, LEVELS - 1), 0)


def _bid_by_rating(views: Views, tables: Tables) -> IntArray:
    """Where the tables do not know the auction: bid as cheaply as possible up to what the hand should take."""
    rules, actions = views.rules, views.actions
    seats = rules.seats
    place = np.where(views.dealer == 0, 3, np.minimum(place_after_dealer(views.dealer, seats), 2))
    ratings = suit_ratings(rules, views.hand, place, tables.rating)
    number = views.tables.bid_numbers[:-1].astype(np.float64) * (HIGHEST / rules.total_points)
    suit = views.tables.bid_suits[:-1]
    strength = np.where(suit >= 0, ratings[:, suit], ratings.max(axis=1, keepdims=True))
    cushion = np.where(views.declarer == PARTNER, 2.0, 0.5)[:, None]  # an overcall takes partner's contract away
    total = np.full(views.mask.shape, -np.inf)
    total[:, PASS] = 0
    special = np.array([not bid.name[:1].isdigit() or "-" in bid.name for bid in actions.bids])
    margin = strength - cushion - number
    first = FIRST_BID
    # Above 0: worth bidding, the cheapest first. Below: what a seat that must bid makes of it.
    worth = np.where(margin > 0, 100 - number, margin) - 1000 * special
    total[:, first : first + len(actions.bids)] = np.where(worth > -900, worth, -1e6)
    return _best_legal(total, views)


def _best_legal(total: np.ndarray, views: Views) -> IntArray:
    total = np.where(np.isfinite(total), total, -1e9)
    return np.where(views.mask, total, -np.inf).argmax(axis=1)
