"""The auction (RULES 2.4 and the variants' own sentences), the bids in the dark before it included."""

from __future__ import annotations

import numpy as np

from pedro_env.actions import FIRST_BID, PASS, Phase
from pedro_env.cards import NONE
from pedro_env.cardset import BIT, EMPTY
from pedro_env.phases.dealing import deal_hands, deal_widows
from pedro_env.phases.marks import clear_mark, has_bid, has_mark, set_bid, set_mark
from pedro_env.phases.special_bids import must_raise_moon, withhold
from pedro_env.rules import AllPass, Auction
from pedro_env.state import State
from pedro_env.tables import Tables
from pedro_env.typing import BoolArray, IntArray, UInt64Array


def begin(t: Tables, s: State, rows: IntArray) -> None:
    """The seat beside the dealer is asked first, the dealer last."""
    s.to_act[rows] = _next_seat(t, s.dealer[rows])
    s.phase[rows] = Phase.DARK if t.rules.dark else Phase.BID
    if not t.rules.dark:
        deal_hands(t, s, rows)


def legal(t: Tables, s: State, rows: IntArray) -> UInt64Array:
    """A pass and every higher bid; a dealer who must bid cannot pass."""
    standing = s.contract[rows]
    if t.rules.dealer_may_match:
        standing = standing - ((s.to_act[rows] == s.dealer[rows]) & (standing > NONE))
    words = t.higher_bids.take(np.maximum(standing + 1, _bids_below(t, t.rules.min_bid)), axis=0)
    words[:, 0] |= BIT[PASS]
    if t.rules.all_pass is AllPass.DEALER_MUST_BID:
        forced = (s.passes[rows] == t.rules.seats - 1) & (s.contract[rows] == NONE)
        words[forced] = t.higher_bids[_bids_below(t, t.rules.forced_bid)]
    withhold(t, s, rows, words)
    if t.rules.misdeal:
        hand = s.hand[rows, s.to_act[rows]]
        words[hand & t.no_misdeal == EMPTY] |= t.word("misdeal")
    if t.rules.moon:
        words[must_raise_moon(t, s, rows)] = t.action_words[FIRST_BID + t.actions.bid_of("double-moon")]
    if t.rules.dark:
        in_the_dark = t.action_words[PASS] | t.action_words[FIRST_BID + t.actions.bid_of("dark")]
        words[s.phase[rows] == Phase.DARK] = in_the_dark
    return words


def apply(t: Tables, s: State, rows: IntArray, action: IntArray) -> IntArray:
    """Note a pass or a bid; returns the rows in which the auction is over."""
    if t.rules.dark:
        dark = s.phase[rows] == Phase.DARK
        _bid_in_the_dark(t, s, rows[dark], action[dark])
        rows, action = rows[~dark], action[~dark]
    misdealt = rows[:0]
    if t.rules.misdeal:
        calls = action == t.actions.id_of("misdeal")
        misdealt = rows[calls]
        s.same_dealer[misdealt] = True
        rows, action = rows[~calls], action[~calls]
    seat = s.to_act[rows]
    passing = action == PASS
    # RULES 7.8: who bids after all the others passed is not overbid.
    closed = ~passing & (s.passes[rows] == t.rules.seats - 1) & (s.contract[rows] == NONE)
    passed, bidding = rows[passing], rows[~passing]
    if len(passed):
        s.passes[passed] += 1
        set_mark(t, s, passed, seat[passing], "passed")
    if len(bidding):
        bidder, bid = seat[~passing], action[~passing] - FIRST_BID
        s.contract[bidding] = bid
        s.declarer[bidding] = bidder
        s.passes[bidding] = 0
        set_bid(t, s, bidding, bidder, bid)
        clear_mark(t, s, bidding, bidder, "passed")
    if t.rules.own_widow:
        deal_widows(t, s, rows, seat)

    over = _OVER[t.rules.auction](t, s, rows, seat)
    if t.rules.all_pass is AllPass.REDEAL:
        over |= closed
    going = rows[~over]
    following = _next_seat(t, s.to_act[going])
    if t.rules.auction is Auction.ROUNDS_PASS_FINAL:
        final = has_mark(t, s, going, "passed")
        for _ in range(t.rules.seats - 1):
            out = final[np.arange(len(going)), following]
            following = np.where(out, _next_seat(t, following), following)
    if t.rules.dark:
        following = _past_dark_bidder(t, s, going, following)
    s.to_act[going] = following
    if t.rules.all_pass is AllPass.DEALER_DECLARES:
        alone = going[(s.passes[going] == t.rules.seats - 1) & (s.contract[going] == NONE)]
        s.contract[alone] = 0
        s.declarer[alone] = s.dealer[alone]
        over |= np.isin(rows, alone, assume_unique=True)
    return np.concatenate([rows[over], misdealt])


def _bid_in_the_dark(t: Tables, s: State, rows: IntArray, action: IntArray) -> None:
    """3.1 louisiana: the first who bids, or the dealer's pass, ends the phase; then the cards are dealt."""
    seat = s.to_act[rows]
    bids = action != PASS
    bid = t.actions.bid_of("dark")
    s.contract[rows[bids]] = bid
    s.declarer[rows[bids]] = seat[bids]
    set_bid(t, s, rows[bids], seat[bids], np.full(int(bids.sum()), bid))
    s.to_act[rows] = _next_seat(t, seat)
    ends = rows[bids | (seat == s.dealer[rows])]
    s.phase[ends] = Phase.BID
    s.to_act[ends] = _past_dark_bidder(t, s, ends, _next_seat(t, s.dealer[ends]))
    deal_hands(t, s, ends)


def _past_dark_bidder(t: Tables, s: State, rows: IntArray, seat: IntArray) -> IntArray:
    """7.22: the dark bidder has had its turn."""
    return np.where(_bid_dark(t, s, rows, seat), _next_seat(t, seat), seat)


def _bid_dark(t: Tables, s: State, rows: IntArray, seat: IntArray) -> BoolArray:
    return has_bid(t, s, rows, seat, t.actions.bid_of("dark"))


def _next_seat(t: Tables, seat: IntArray) -> IntArray:
    return (seat + (-1 if t.rules.counter_clockwise else 1)) % t.rules.seats


def _bids_below(t: Tables, number: int) -> int:
    return sum(bid.number < number for bid in t.actions.bids)


def _over_after_one_turn(t: Tables, s: State, rows: IntArray, seat: IntArray) -> BoolArray:
    last = s.dealer[rows]
    if t.rules.dark:
        last = np.where(_bid_dark(t, s, rows, last), (last - 1) % t.rules.seats, last)
    return seat == last


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
