"""Par: what each seat could make of each suit with the cards as they fell, and how an auction with all cards open ends.

    par(batch).points      # (n, 4, 4) points by declarer and trump suit

The exchange is an agent's; the cards are played best by both sides. docs/analysis.md has the definitions.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from agents.analyse.plain_bids import plain_bids
from agents.analyse.values import difference
from agents.search.outcome import play_best, play_to_the_cards
from agents.search.scope import check_rules
from pedro_env.actions import FIRST_BID, FIRST_SUIT, PASS, Phase
from pedro_env.agent import Agent
from pedro_env.cards import N_SUITS, NONE
from pedro_env.engine import Batch
from pedro_env.phases import scoring
from pedro_env.tables import Tables
from pedro_env.typing import BoolArray, Int64Array, IntArray

_NEVER = 30_000
"""More than any difference."""


class Par(NamedTuple):
    """What n deals are worth with all cards open. Whatever names a contract is -1 where there is none (a redeal)."""

    points: Int64Array
    """``(n, seats, suits)`` the points of a seat's side, where that seat declares and names that suit."""
    makes: Int64Array
    """``(n, sides)`` the highest number that a side could bid and make; -1 where there is none."""
    value: Int64Array
    """``(n,)`` the difference that the par contract ends with; 0 where par is a redeal."""
    bid: Int64Array
    """``(n,)`` the par contract: the lowest bid that secures it, an index into ``Actions.bids``."""
    seat: Int64Array
    """``(n,)`` its declarer."""
    suit: Int64Array
    """``(n,)`` its trump suit."""


class _Best(NamedTuple):
    """The best that a side can get, and by which contract."""

    value: Int64Array
    contract: Int64Array
    """``(bid * seats + seat) * suits + suit``; -1: a redeal."""


def par(batch: Batch, agent: Agent) -> Par:
    """Par of deals that have just begun; ``agent`` decides in the exchange, for every seat.

    Raises ``AgentError`` where the rules are not the solver's.
    """
    check_rules(batch.rules)
    n, t = batch.n, batch.tables
    ended = _every_declarer(batch, agent)
    rows, seat = np.arange(ended.n), np.arange(ended.n) // N_SUITS % batch.rules.seats
    points = ended.state.points[rows, t.side_of[seat]].astype(np.int64).reshape(n, -1, N_SUITS)
    open_to_all, dealers_last = plain_bids(t)
    values = {bid: values_with_bid(ended, bid).reshape(points.shape) for bid in (*open_to_all, *dealers_last)}
    best = _auction(batch, values, open_to_all, dealers_last)
    bid, place = np.divmod(best.contract, batch.rules.seats * N_SUITS)
    none = best.contract == NONE
    return Par(
        points,
        _makes(t, points, open_to_all),
        best.value,
        np.where(none, NONE, bid),
        np.where(none, NONE, place // N_SUITS),
        np.where(none, NONE, place % N_SUITS),
    )


def _every_declarer(batch: Batch, agent: Agent) -> Batch:
    """Every deal with every seat as the declarer in every suit, at the end: ``n * seats * suits`` games."""
    n, seats = batch.n, batch.rules.seats
    games = batch.take(np.repeat(np.arange(n), seats * N_SUITS))
    seat, suit = np.divmod(np.arange(games.n) % (seats * N_SUITS), N_SUITS)
    bid_alone(games, seat, suit)
    naming = np.flatnonzero(games.phase == Phase.TRUMP)
    games.step(FIRST_SUIT + suit[naming], naming)
    play_to_the_cards(games, agent)
    play_best(games)
    return games


def bid_alone(games: Batch, seat: IntArray, suit: IntArray) -> None:
    """One seat makes the lowest bid that it may (with its suit, where bids name one), and the others pass."""
    t = games.tables
    number = len(t.actions.bids)
    named = t.bid_suits[:number]
    fits = (named == NONE) | (named == suit[:, None])
    while True:
        rows = np.flatnonzero(np.isin(games.phase, (Phase.DARK, Phase.BID)))
        if not len(rows):
            return
        bids = games.mask(rows)[:, FIRST_BID : FIRST_BID + number] & fits[rows]
        mine = (games.to_act[rows] == seat[rows]) & (games.phase[rows] == Phase.BID)
        mine &= games.state.contract[rows] == NONE
        games.step(np.where(mine, FIRST_BID + bids.argmax(axis=1), PASS), rows)


def values_with_bid(ended: Batch, bid: int) -> Int64Array:
    """``(k,)`` the difference of deals as they were played, had this been the bid."""
    s, rows = ended.state.copy(), np.arange(ended.n)
    s.scores -= s.score_change
    s.contract[:] = bid
    scoring.score(ended.tables, s, rows)
    return difference(s)


def _auction(batch: Batch, values: dict[int, Int64Array], open_to_all: list[int], dealers_last: list[int]) -> _Best:
    """How the sides bid against each other, where both know what every contract is worth, and either may always go on.

    Backwards, from the highest bid: who has bid may be overbid by the other side, if that is better for it.
    """
    t, dealer = batch.tables, batch.state.dealer
    over = [_Best(np.full(batch.n, sign * _NEVER), np.full(batch.n, NONE)) for sign in (-1, 1)]
    for bid in reversed(open_to_all):
        contracts = [_best_contract(t, values[bid], bid, side, _everybody(batch)) for side in (0, 1)]
        standing = [_better(1 - side, contracts[side], over[1 - side]) for side in (0, 1)]
        over = [_better(side, standing[side], over[side]) for side in (0, 1)]

    redeal = _Best(np.zeros(batch.n, np.int64), np.full(batch.n, NONE))
    result = redeal
    for side in (0, 1):  # the dealer's side has the last word, the other the first
        last = redeal
        for place, bid in enumerate(dealers_last):
            contract = _best_contract(t, values[bid], bid, side, dealer[:, None] == np.arange(batch.rules.seats))
            last = contract if place == 0 else _better(side, last, contract)
        answer = _better(side, last, over[side])
        deals = t.side_of[dealer] == side
        result = _choose(deals, _better(1 - side, answer, over[1 - side]), result)
    return result


def _everybody(batch: Batch) -> BoolArray:
    return np.ones((batch.n, batch.rules.seats), np.bool_)


def _best_contract(t: Tables, values: Int64Array, bid: int, side: int, seats: BoolArray) -> _Best:
    """The best that one of a side's seats can make of a bid; ``seats`` ``(n, seats)`` are those that may bid it."""
    sign = 1 - 2 * side
    suits = (t.bid_suits[bid] == NONE) | (t.bid_suits[bid] == np.arange(N_SUITS))
    possible = (seats & (t.side_of == side))[:, :, None] & suits
    gain = np.where(possible, sign * values, -_NEVER).reshape(len(values), -1)
    place = gain.argmax(axis=1)
    return _Best(sign * gain[np.arange(len(gain)), place], bid * gain.shape[1] + place)


def _better(side: int, first: _Best, other: _Best) -> _Best:
    """For each deal the one that a side prefers; the first where they are equal."""
    sign = 1 - 2 * side
    return _choose(sign * first.value >= sign * other.value, first, other)


def _choose(where: BoolArray, first: _Best, other: _Best) -> _Best:
    return _Best(*(np.where(where, *pair) for pair in zip(first, other, strict=True)))


def _makes(t: Tables, points: Int64Array, open_to_all: list[int]) -> Int64Array:
    """``(n, sides)`` the highest number up to a side's best points."""
    numbers = np.array([NONE, *sorted({t.actions.bids[bid].number for bid in open_to_all})])
    best = np.stack([points[:, t.side_of == side].max(axis=(1, 2)) for side in (0, 1)], axis=1)
    return numbers[np.searchsorted(numbers, best, side="right") - 1]
