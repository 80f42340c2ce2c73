"""The auction (RULES 2.4 and the variants' own sentences)."""

from __future__ import annotations

import numpy as np

from pedro_env.actions import FIRST_BID, PASS, Phase
from pedro_env.cards import NONE
from pedro_env.phases.marks import clear_mark, has_mark, set_bid, set_mark
from pedro_env.rules import AllPass, Auction
from pedro_env.state import State
from pedro_env.tables import Tables
from pedro_env.typing import BoolArray, IntArray, UInt64Array


def begin(t: Tables, s: State, rows: IntArray) -> None:
    """The seat beside the dealer is asked first, the dealer last."""
    s.phase[rows] = Phase.BID
    s.to_act[rows] = _next_seat(t, s.dealer[rows])


def legal(t: Tables, s: State, rows: IntArray) -> UInt64Array:
    """A pass and every higher bid; a dealer who must bid cannot pass."""
    bids = t.actions.bids
    standing = s.contract[rows].astype(np.int64)
    forced = _must_bid(t, s, rows)
    lowest_open = sum(bid.number < t.rules.min_bid for bid in bids)
    lowest_forced = sum(bid.number < t.rules.forced_bid for bid in bids)
    floor = np.where(forced, lowest_forced, lowest_open) - 1
    if t.rules.dealer_may_match:
        standing = standing - ((s.to_act[rows] == s.dealer[rows]) & (standing > NONE))
    words = t.higher_bids[np.maximum(standing, floor) + 1]
    words[~forced] |= t.pass_word
    return words


def apply(t: Tables, s: State, rows: IntArray, action: IntArray) -> IntArray:
    """Note a pass or a bid; returns the rows in which the auction is over."""
    seat = s.to_act[rows]
    passing = action == PASS
    passed = rows[passing]
    s.passes[passed] += 1
    set_mark(t, s, passed, seat[passing], "passed")
    bidding, bidder, bid = rows[~passing], seat[~passing], action[~passing] - FIRST_BID
    # RULES 7.8: who bids after all the others passed is not overbid.
    closed = (s.passes[bidding] == t.rules.seats - 1) & (s.contract[bidding] == NONE)
    s.contract[bidding] = bid
    s.declarer[bidding] = bidder
    s.passes[bidding] = 0
    set_bid(t, s, bidding, bidder, bid)
    clear_mark(t, s, bidding, bidder, "passed")

    over = _OVER[t.rules.auction](t, s, rows, seat)
    if t.rules.all_pass is AllPass.REDEAL:
        over[~passing] |= closed
    going = rows[~over]
    following = _next_seat(t, s.to_act[going])
    if t.rules.auction is Auction.ROUNDS_PASS_FINAL:
        final = has_mark(t, s, going, "passed")
        for _ in range(t.rules.seats - 1):
            out = final[np.arange(len(going)), following]
            following = np.where(out, _next_seat(t, following), following)
    s.to_act[going] = following
    if t.rules.all_pass is AllPass.DEALER_DECLARES:
        alone = going[(s.passes[going] == t.rules.seats - 1) & (s.contract[going] == NONE)]
        s.contract[alone] = 0
        s.declarer[alone] = s.dealer[alone]
        over |= np.isin(rows, alone, assume_unique=True)
    return rows[over]


def _next_seat(t: Tables, seat: IntArray) -> IntArray:
    return (seat + (-1 if t.rules.counter_clockwise else 1)) % t.rules.seats


def _must_bid(t: Tables, s: State, rows: IntArray) -> BoolArray:
    if t.rules.all_pass is not AllPass.DEALER_MUST_BID:
        return np.zeros(len(rows), np.bool_)
    return (s.passes[rows] == t.rules.seats - 1) & (s.contract[rows] == NONE)


def _over_after_one_turn(t: Tables, s: State, rows: IntArray, seat: IntArray) -> BoolArray:
    return seat == s.dealer[rows]


def _over_after_passes_in_a_row(t: Tables, s: State, rows: IntArray, seat: IntArray) -> BoolArray:
    needed = np.where(s.contract[rows] == NONE, t.rules.seats, t.rules.seats - 1)
    return s.passes[rows] >= needed


def _over_when_one_is_left(t: Tables, s: State, rows: IntArray, seat: IntArray) -> BoolArray:
    needed = np.where(s.contract[rows] == NONE, t.rules.seats, t.rules.seats - 1)
    return has_mark(t, s, rows, "passed").sum(axis=1) >= needed


_OVER = {
    Auction.ONE_TURN: _over_after_one_turn,
    Auction.ROUNDS: _over_after_passes_in_a_row,
    Auction.ROUNDS_PASS_FINAL: _over_when_one_is_left,
}
