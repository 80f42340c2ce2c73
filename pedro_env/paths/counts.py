"""Playing matches at random so that rare paths come up, and counting them (``catalogue``).

Every other match is dealt as the packs are shuffled; in the others the trumps of one suit lie in few places. Actions
are random, but most seats pass or bid low and most keep their trumps, so that bids are made and matches end. All of it
is a hash of seed, match and deal.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pedro_env.actions import FIRST_BID, FIRST_SUIT, PASS, Phase
from pedro_env.cards import N_CARDS, N_SUITS, NONE
from pedro_env.cardset import count, to_bool
from pedro_env.deals import uniform
from pedro_env.engine import Batch
from pedro_env.paths.catalogue import Path
from pedro_env.paths.watch import Watch, possible_paths
from pedro_env.rules import Rules
from pedro_env.tables import Tables
from pedro_env.typing import BoolArray, FloatArray, Int64Array, IntArray, UInt8Array

PASSES, PASSES_IN_THE_DARK = 0.75, 0.95
"""How often a seat passes that may bid."""
LOWEST_BIDS = 0.8
"""How many of the other bids are the lowest there is."""
SENSIBLE_CHOICES = 0.8
"""How often a seat that chooses cards keeps its trumps or takes trumps, as far as it may."""

_SUIT, _SPREAD, _ZONE, _PLACE, _CARD, _PASSING, _LOWEST, _SENSIBLE, _CHOICE = range(0x70617468, 0x70617468 + 9)
"""Streams of random numbers."""


class Counts(NamedTuple):
    """How often the matches of one variant took each path that they could take."""

    rules: Rules
    matches: int
    deals: int
    decisions: int
    paths: dict[Path, tuple[int, int]]
    """Deals in which each was taken: in matches dealt as shuffled, in matches dealt lopsided."""

    def by_name(self) -> dict[str, int]:
        """Deals in all in which each path was taken."""
        return {path.name: sum(counts) for path, counts in self.paths.items()}


def count_paths(rules: Rules, matches: int, seed: int) -> Counts:
    """Play matches 0, 1, … to their ends; even ones as shuffled, odd ones lopsided."""
    batch = Batch(rules, seed, np.arange(matches), validate=False)
    paths = possible_paths(rules)
    deals = decisions = 0
    taken = np.zeros((2, len(paths)), np.int64)
    while batch.n:
        lopsided = batch.state.match % 2 == 1
        _stack(batch, np.flatnonzero(lopsided))
        watch = Watch(batch)
        while not batch.over.all():
            watch.step(_actions(batch, lopsided))
        deals += batch.n
        decisions += int(batch.state.decision.sum())
        taken += [watch.seen[:, ~lopsided].sum(axis=1), watch.seen[:, lopsided].sum(axis=1)]
        batch = batch.take(np.flatnonzero(~batch.match_over))
        batch.next_deal(np.arange(batch.n))
    by_path = {path: (int(a), int(b)) for path, a, b in zip(paths, *taken, strict=True)}
    return Counts(rules, matches, deals, decisions, by_path)


# --- the actions


def _actions(batch: Batch, lopsided: BoolArray) -> Int64Array:
    """``(n,)`` an action for each game, -1 where the deal is over."""
    mask = batch.mask()
    suit = _wanted_suit(batch, lopsided)
    for phases, preferred in (
        ((Phase.DARK, Phase.BID), _preferred_bids),
        ((Phase.TRUMP,), _preferred_trumps),
        ((Phase.DISCARD, Phase.ROB), _preferred_cards),
    ):
        rows = np.flatnonzero(np.isin(batch.phase, phases))
        if len(rows):
            among = preferred(batch, mask[rows], suit[rows], rows)
            mask[rows] = np.where(among.any(axis=1, keepdims=True), among, mask[rows])
    nth = (_uniform(batch, _CHOICE, np.arange(batch.n)) * mask.sum(axis=1)).astype(np.int64)
    action = (mask.cumsum(axis=1) > nth[:, None]).argmax(axis=1)
    return np.where(batch.over, NONE, action)


# Each of these: ``(k, actions)`` from which of the legal actions the choice is made; none: from all of them.


def _preferred_bids(batch: Batch, mask: BoolArray, suit: Int64Array, rows: Int64Array) -> BoolArray:
    """A pass, the lowest bid, or anything."""
    bid_suits = batch.tables.bid_suits[: len(batch.actions.bids)]
    bids = mask[:, FIRST_BID : FIRST_BID + len(bid_suits)]
    of_suit = bids & ((bid_suits == NONE) | (bid_suits == suit[:, None]))
    bids = np.where(of_suit.any(axis=1, keepdims=True), of_suit, bids)
    among = mask.copy()
    low = np.flatnonzero(bids.any(axis=1) & (_uniform(batch, _LOWEST, rows) < LOWEST_BIDS))
    among[low] = False
    among[low, FIRST_BID + bids[low].argmax(axis=1)] = True
    often = np.where(batch.phase[rows] == Phase.DARK, PASSES_IN_THE_DARK, PASSES)
    passing = np.flatnonzero(mask[:, PASS] & (_uniform(batch, _PASSING, rows) < often))
    among[passing] = mask[passing]
    among[passing, FIRST_BID : FIRST_BID + bids.shape[1]] = False  # a pass, or a misdeal
    return among


def _preferred_trumps(batch: Batch, mask: BoolArray, suit: Int64Array, rows: Int64Array) -> BoolArray:
    """The suit that is wanted."""
    wanted = np.zeros_like(mask)
    wanted[np.arange(len(rows)), FIRST_SUIT + suit] = True
    return mask & wanted


def _preferred_cards(batch: Batch, mask: BoolArray, suit: Int64Array, rows: Int64Array) -> BoolArray:
    """Plain cards are laid aside as long as there are any, trumps are taken from the stock."""
    t, s = batch.tables, batch.state
    trumps = to_bool(t.trumps[s.trump[rows]][:, None], N_CARDS)
    taken = (s.phase[rows] == Phase.ROB)[:, None]
    among = np.zeros_like(mask)
    among[:, :N_CARDS] = mask[:, :N_CARDS] & (trumps == taken)
    done = batch.actions.id_of("done")
    if done != NONE:
        among[:, done] = mask[:, done] & ~among.any(axis=1)
    return among & (_uniform(batch, _SENSIBLE, rows) < SENSIBLE_CHOICES)[:, None]


def _wanted_suit(batch: Batch, lopsided: BoolArray) -> Int64Array:
    """``(n,)`` the suit of which the seat to act has most; where the pack is lopsided, the suit that it is in."""
    s = batch.state
    hand = s.hand[np.arange(batch.n), s.to_act]
    longest = count(hand[:, None] & batch.tables.trumps).argmax(axis=1)
    return np.where(lopsided, _lopsided_suit(batch, np.arange(batch.n)), longest)


def _uniform(batch: Batch, stream: int, rows: IntArray) -> FloatArray:
    """``(k,)`` random numbers for the decisions in some games."""
    s = batch.state
    return uniform(batch.seed, stream, (s.match[rows], s.deal[rows], s.decision[rows]))


# --- lopsided packs


def _lopsided_suit(batch: Batch, rows: IntArray) -> Int64Array:
    s = batch.state
    return (uniform(batch.seed, _SUIT, (s.match[rows], s.deal[rows])) * N_SUITS).astype(np.int64)


def _stack(batch: Batch, rows: Int64Array) -> None:
    """Deal lopsided packs in some games, in place of what was shuffled."""
    packs = _lopsided_packs(batch, rows)
    for row, pack in zip(rows.tolist(), packs.tolist(), strict=True):
        batch.set_position(row, pack, int(batch.state.dealer[row]), batch.state.scores[row].tolist())


def _lopsided_packs(batch: Batch, rows: Int64Array) -> UInt8Array:
    """``(k, cards)``: trumps first, and of these in half of the packs the point trumps; they are dealt to the places in
    an order in which those of one hand, or of the stock, lie more or less together."""
    t, s = batch.tables, batch.state
    packs, suits = s.pack[rows], _lopsided_suit(batch, rows)

    def draw(stream: int, numbers: IntArray) -> FloatArray:
        return uniform(batch.seed, stream, (s.match[rows][:, None], s.deal[rows][:, None], numbers))

    spread = draw(_SPREAD, np.zeros((1, 1), np.int64))
    places = draw(_PLACE, np.arange(len(t.pack))) + 4 * spread * draw(_ZONE, _zones(t))
    trump = t.suit_of[suits[:, None], packs] == suits[:, None]
    points_first = (spread * 2 % 1 < 0.5) & (t.points[suits[:, None], packs] > 0)
    cards = draw(_CARD, packs) + 2 * ~trump - points_first
    stacked = np.empty_like(packs)
    np.put_along_axis(stacked, places.argsort(axis=1), np.take_along_axis(packs, cards.argsort(axis=1), axis=1), axis=1)
    return stacked


def _zones(t: Tables) -> Int64Array:
    """``(cards,)`` the hand, from eldest on, that a place in the pack is dealt to; others for kitty and stock."""
    seats = t.rules.seats
    zones = np.full(len(t.pack), seats)
    zones[t.stock_start :] = seats + 1
    for seat in range(seats):
        zones[t.deal_positions[seat]] = seat
        zones[t.widow_positions[seat]] = seat
    return zones
