"""Everything between the auction and the play: naming trumps, robbing, burying, laying aside, giving."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from agents.heuristic.bidding import place_after_dealer
from agents.heuristic.knowledge import Floats, values_of
from agents.heuristic.tables import Tables
from agents.heuristic.valuation import suit_ratings
from pedro_env.actions import FIRST_SUIT
from pedro_env.cards import N_CARDS, N_RANKS, N_SUITS
from pedro_env.rules import Rules
from pedro_env.tables import TRUMP_STRENGTH, tables_of
from pedro_env.typing import IntArray
from pedro_env.views import Views

_TRUMP = 100.0


def name_trumps(views: Views, tables: Tables) -> IntArray:
    """The suit with which the hand should take most, ``(k,)`` actions."""
    seats = views.rules.seats
    place = np.where(views.dealer == 0, 3, np.minimum(place_after_dealer(views.dealer, seats), 2))
    ratings = suit_ratings(views.rules, views.hand, place, tables.rating)
    legal = views.mask[:, FIRST_SUIT : FIRST_SUIT + N_SUITS]
    return FIRST_SUIT + np.where(legal, ratings, -np.inf).argmax(axis=1)


def take_best(views: Views) -> IntArray:
    """The most useful card that may be taken, else the first legal action."""
    return _by_use(views, most=True)


def part_with_least(views: Views) -> IntArray:
    """The least useful card that may be parted with, else the first legal action."""
    return _by_use(views, most=False)


def _by_use(views: Views, most: bool) -> IntArray:
    use = _use(views.rules)[np.maximum(views.trump, 0)]
    cards = views.mask[:, :N_CARDS]
    best = np.where(cards, use, -np.inf).argmax(axis=1) if most else np.where(cards, use, np.inf).argmin(axis=1)
    done = views.actions.id_of("done")
    rows = np.arange(len(best))
    stop = np.zeros(len(best), np.bool_)
    if done >= 0:  # a choice without number: all trumps are kept, and no plain card
        trump = use[rows, best] >= _TRUMP
        stop = views.mask[:, done] & (trump != most)
    no_card = ~cards.any(axis=1)
    return np.where(no_card, views.mask.argmax(axis=1), np.where(stop, done, best))


@lru_cache(maxsize=256)
def _use(rules: Rules) -> Floats:
    """``(4, 54)`` how useful a card is: trumps above plain cards; points and strength; plain cards by rank."""
    tables = tables_of(rules)
    strength = values_of(rules).strength[:, 0].astype(np.float32)
    points = tables.points * (14 / rules.total_points)
    plain = (np.arange(N_CARDS) % N_RANKS).astype(np.float32)
    use = np.where(strength >= TRUMP_STRENGTH, _TRUMP + (strength - TRUMP_STRENGTH) + 10 * points, plain)
    return use.astype(np.float32)
