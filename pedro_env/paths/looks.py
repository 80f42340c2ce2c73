"""Reading from the state before and after a step whether a game took a rare path.

Every function is given a ``Look`` at n games and returns ``(n,)`` booleans, unless it says something else. Those that
paths are made of (``catalogue``) are meaningless where the path's ``when`` is false.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pedro_env.actions import FIRST_BID, PASS, Phase
from pedro_env.cards import N_CARDS, NONE
from pedro_env.cardset import BIT, EMPTY, ONE, count, to_bool
from pedro_env.phases.marks import mark_bits
from pedro_env.phases.scoring import bidder_out
from pedro_env.rules import Teams
from pedro_env.state import State
from pedro_env.tables import Tables
from pedro_env.typing import BoolArray, Int64Array, IntArray, UInt64Array


class Look(NamedTuple):
    """One step of n games: the state before and after it."""

    t: Tables
    before: State
    after: State
    legal: BoolArray  # (n, actions) before the step
    action: IntArray  # (n,) -1 where the deal was over

    @property
    def seat(self) -> Int64Array:
        """``(n,)`` the seat that acted."""
        return self.before.to_act.astype(np.int64)

    @property
    def games(self) -> Int64Array:
        """``(n,)`` 0, 1, 2, …"""
        return np.arange(len(self.action))


# --- when to look


def bidding(look: Look) -> BoolArray:
    return look.before.phase <= Phase.BID


def exchanging(look: Look) -> BoolArray:
    """Every step between the naming of trumps and the play, the first card's not included."""
    return (look.after.trump != NONE) & (look.before.trick == NONE)


def play_begins(look: Look) -> BoolArray:
    return (look.before.trick == NONE) & (look.after.trick != NONE)


def playing(look: Look) -> BoolArray:
    return look.before.trick != NONE


def leading(look: Look) -> BoolArray:
    """After this step somebody is to lead, or the play has ended."""
    return (look.after.trick != NONE) & ((look.after.played == 0) | (look.after.phase == Phase.OVER))


def deal_ends(look: Look) -> BoolArray:
    return look.after.phase == Phase.OVER


def scored(look: Look) -> BoolArray:
    return deal_ends(look) & ~look.after.redeal


# --- reading the state


def has_bid(look: Look, name: str) -> BoolArray:
    """The contract is a bid of this name."""
    return look.after.contract == look.t.actions.bid_of(name)


def bids(look: Look, name: str) -> BoolArray:
    """This step is a bid of this name."""
    return look.action == FIRST_BID + look.t.actions.bid_of(name)


def says(look: Look, word: str) -> BoolArray:
    """This step is one of the other actions."""
    return look.action == look.t.actions.id_of(word)


def only(look: Look, action: int) -> BoolArray:
    """One action alone was legal."""
    return look.legal[:, action] & (look.legal.sum(axis=1) == 1)


def marked(look: Look, name: str) -> Int64Array:
    """``(n, seats)`` a mark's bits that are set, after the step; 0 where the variant has none of it."""
    seats = look.t.rules.seats
    if name not in (mark.name for mark in look.t.layout.marks):
        return np.zeros((len(look.games), seats), np.int64)
    rows = np.repeat(look.games, seats)
    bits = mark_bits(look.t, look.after, rows, np.tile(np.arange(seats), len(look.games)), name)
    return bits.sum(axis=1).astype(np.int64).reshape(-1, seats)


def trumps(look: Look) -> UInt64Array:
    """``(n, 1)`` the set of trumps."""
    return look.t.trumps[look.after.trump][:, None]


def point_cards(look: Look) -> UInt64Array:
    """``(n, 1)`` the set of point trumps."""
    return look.t.point_cards[look.after.trump][:, None]


def aside(s: State) -> UInt64Array:
    """``(n, seats)`` cards that left a hand and were not played."""
    return s.laid_aside | (s.shown & s.open[:, None])


def of_seat(sets: UInt64Array, seats: IntArray) -> UInt64Array:
    """``(n,)`` one seat's set in each game."""
    return sets[np.arange(len(sets)), seats]


def held(look: Look) -> UInt64Array:
    """``(n, seats)`` the trumps that a seat has, or had before it laid some aside.

    While cards are given one by one only the giver is looked at, with what it has given so far.
    """
    s = look.after
    now = s.hand | s.won  # a hand that wins all tricks at once is won already (3.1 pidro)
    if not look.t.rules.rob_discards:
        now = now | aside(s)
    giving = (s.phase == Phase.GIVE)[:, None]
    if giving.any():
        acts = s.to_act[:, None] == np.arange(look.t.rules.seats)
        now = np.where(giving, np.where(acts, s.hand | s.gave, EMPTY), now)
    return now & trumps(look)


def bit(action: IntArray) -> UInt64Array:
    """The set of the card that an action is; some other set where it is none."""
    return ONE << (action % 64).astype(np.uint64)


def as_table(sets: UInt64Array) -> BoolArray:
    """``(n, cards)``"""
    return to_bool(sets[:, None], N_CARDS)


def came_back(look: Look) -> BoolArray:
    """``(n, seats)`` more cards were counted when they left the hand than are missing from it."""
    left = marked(look, "laid_aside") + marked(look, "buried")
    away = aside(look.after)
    if look.t.rules.rob_discards and look.t.rules.discard_face_up:  # what the dealer took does not lie there any more
        by_dealer = of_seat(look.after.hand | away, look.after.dealer)[:, None]
        away = away | np.where(is_dealer(look), EMPTY, dealt(look) & by_dealer)
    return left > count(away)


def dealt(look: Look) -> UInt64Array:
    """``(n, seats)`` the cards that each seat was dealt."""
    t, s = look.t, look.after
    from_eldest = BIT[s.pack[:, t.deal_positions]].sum(axis=2)
    place = (np.arange(t.rules.seats) - s.dealer[:, None] - 1) % t.rules.seats
    return np.take_along_axis(from_eldest, place, axis=1)


def is_dealer(look: Look) -> BoolArray:
    """``(n, seats)``"""
    return look.after.dealer[:, None] == np.arange(look.t.rules.seats)


def bidding_side(look: Look) -> BoolArray:
    """``(n, sides)`` whose scores the declarer's bid counts for."""
    sides = np.arange(look.t.rules.sides)
    members = look.t.side_of[look.after.declarer][:, None] == sides
    return members | ((look.after.partner[:, None] == sides) & (look.t.rules.teams is Teams.CALLED))


def made(look: Look) -> BoolArray:
    """The bidding side made its bid."""
    points: Int64Array = (look.after.points * bidding_side(look)).sum(axis=1)
    return points >= look.t.bid_numbers[look.after.contract]


def scores_before(look: Look) -> IntArray:
    return look.after.scores - look.after.score_change


def at_target(look: Look) -> BoolArray:
    """``(n, sides)``"""
    return look.after.scores >= look.t.rules.target


def double_finish(look: Look) -> BoolArray:
    return at_target(look).sum(axis=1) > 1


def best_is_shared(look: Look) -> BoolArray:
    """Several at the target have the highest score."""
    scores = look.after.scores
    return double_finish(look) & ((scores == scores.max(axis=1, keepdims=True)).sum(axis=1) > 1)


# --- the auction


def forced_bid(look: Look) -> BoolArray:
    return (look.before.phase == Phase.BID) & ~look.legal[:, PASS] & (look.before.contract == NONE)


def dealer_declares(look: Look) -> BoolArray:
    dealer = look.after.dealer
    return (look.before.contract == NONE) & (look.after.declarer == dealer) & (look.seat != dealer)


def matches(look: Look) -> BoolArray:
    return (look.before.contract == look.after.contract) & (look.before.declarer != look.after.declarer)


def bids_again(look: Look) -> BoolArray:
    bid = look.t.layout.mark("bid")
    bits = mark_bits(look.t, look.before, look.games, look.seat, bid.name)
    return (look.action >= FIRST_BID) & bits.any(axis=1)


def bids_after_passing(look: Look) -> BoolArray:
    passed = mark_bits(look.t, look.before, look.games, look.seat, "passed")[:, 0] > 0
    return (look.action >= FIRST_BID) & passed


def lone_bid(look: Look) -> BoolArray:
    last = look.before.passes == look.t.rules.seats - 1
    return last & (look.before.contract == NONE) & (look.action >= FIRST_BID)


def dark_by_dealer(look: Look) -> BoolArray:
    return bids(look, "dark") & (look.seat == look.before.dealer)


def forced_double_moon(look: Look) -> BoolArray:
    return only(look, FIRST_BID + look.t.actions.bid_of("double-moon"))


def double_moon_over_moon(look: Look) -> BoolArray:
    return bids(look, "double-moon") & ~forced_double_moon(look)


def moon_in_the_hole_stands(look: Look) -> BoolArray:
    score = scores_before(look)[look.games, look.t.side_of[look.after.declarer]]
    return has_bid(look, "moon") & (score < 0)


def bid_made(look: Look, name: str) -> BoolArray:
    return has_bid(look, name) & made(look)


def bid_set(look: Look, name: str) -> BoolArray:
    return has_bid(look, name) & ~made(look)


def top_bid(look: Look) -> BoolArray:
    return has_bid(look, str(look.t.rules.max_bid))


def all_passed(look: Look) -> BoolArray:
    return look.after.redeal & ~look.after.same_dealer


def forced_pass(look: Look) -> BoolArray:
    return only(look, PASS)


def top_bid_made(look: Look) -> BoolArray:
    return top_bid(look) & made(look)


def top_bid_set(look: Look) -> BoolArray:
    return top_bid(look) & ~made(look)


# --- the exchange


def holds_trumps(look: Look, low: int, high: int) -> BoolArray:
    number = count(held(look))
    return np.any((number >= low) & (number <= high), axis=1)


def too_many_point_trumps(look: Look) -> BoolArray:
    return np.any(count(held(look) & point_cards(look)) > look.t.rules.hand, axis=1)


def point_trump_aside(look: Look) -> BoolArray:
    return np.any(aside(look.after) & point_cards(look) != EMPTY, axis=1)


def trump_taken_back(look: Look) -> BoolArray:
    """A trump that another seat than the dealer laid aside, in this step or before, and holds again."""
    discarding = (look.before.phase == Phase.DISCARD) & (look.action < N_CARDS)
    acting = look.seat[:, None] == np.arange(look.t.rules.seats)
    laid = aside(look.before) | np.where(acting & discarding[:, None], bit(look.action)[:, None], EMPTY)
    back = laid & look.after.hand & trumps(look)
    return np.any((back != EMPTY) & ~is_dealer(look), axis=1)


def stock_runs_out(look: Look) -> BoolArray:
    return np.any(came_back(look) & ~is_dealer(look), axis=1)


def dealer_is_short(look: Look) -> BoolArray:
    return np.any(came_back(look) & is_dealer(look), axis=1)


def discard_limit(look: Look) -> BoolArray:
    """After this card the seat could have gone on, and was not asked."""
    t = look.t
    discarding = (look.before.phase == Phase.DISCARD) & (look.action < N_CARDS)
    hand = of_seat(look.after.hand, look.seat)
    asked = (look.after.phase == Phase.DISCARD) & (look.after.to_act == look.seat)
    return discarding & ~asked & (count(of_seat(aside(look.after), look.seat)) < t.rules.dealt) & (hand != EMPTY)


def gave(look: Look) -> BoolArray:
    """``(n, seats)``"""
    return look.after.gave != EMPTY


def any_gave(look: Look) -> BoolArray:
    return np.any(gave(look), axis=1)


def declarer_slides(look: Look) -> BoolArray:
    return gave(look)[look.games, look.after.declarer]


def defender_slides(look: Look) -> BoolArray:
    to_partner = look.after.gave & np.roll(look.after.received, -2, axis=1)
    return np.any((to_partner != EMPTY) & defends(look), axis=1)


def slide_overflows(look: Look) -> BoolArray:
    """The declarer's partner gave to its right."""
    return np.any(gave_to_the_right(look) & ~defends(look), axis=1)


def defenders_slide_overflows(look: Look) -> BoolArray:
    return np.any(gave_to_the_right(look) & defends(look), axis=1)


def gave_to_the_right(look: Look) -> BoolArray:
    """``(n, seats)``"""
    return look.after.gave & np.roll(look.after.received, 1, axis=1) != EMPTY


def defends(look: Look) -> BoolArray:
    """``(n, seats)``"""
    return look.t.side_of != look.t.side_of[look.after.declarer][:, None]


def given_back(look: Look) -> BoolArray:
    return np.any(gave(look) & np.roll(gave(look), 2, axis=1), axis=1)


def receiver_discards(look: Look) -> BoolArray:
    received = look.after.received != EMPTY
    return np.any(received & (aside(look.after) & trumps(look) != EMPTY), axis=1)


def fold_before_play(look: Look) -> BoolArray:
    return says(look, "fold") & (look.before.phase == Phase.GIVE)


def fold_with_trumps(look: Look) -> BoolArray:
    return fold_before_play(look) & gave(look)[look.games, look.seat]


# --- the play


def leader_without_trump(look: Look) -> BoolArray:
    hand = of_seat(look.after.hand, look.after.leader)
    opening = (look.after.trick == 0) & (look.after.played == 0) & (look.after.phase != Phase.OVER)
    return opening & (hand & trumps(look)[:, 0] == EMPTY)


def declarer_without_trump(look: Look) -> BoolArray:
    """Only trumps are played, and the declarer leads none."""
    return (look.after.leader != look.after.declarer) & (look.after.phase != Phase.OVER)


def lead_passes(look: Look) -> BoolArray:
    """Somebody else leads than the winner of the trick, the first leader, or the seat whose lead it was."""
    s = look.after
    gained = look.before.won != s.won
    expected = np.where(gained.any(axis=1), gained.argmax(axis=1), look.before.leader)
    begins = look.before.trick == NONE
    expected = np.where(begins, s.declarer, expected)
    return (s.leader != expected) & (s.phase != Phase.OVER)


def takes_the_rest(look: Look) -> BoolArray:
    """The deal ended, and cards were won that did not lie in the last trick."""
    won = np.bitwise_or.reduce(look.after.won ^ look.before.won, axis=1)
    playing = (look.before.phase == Phase.PLAY) & (look.action < N_CARDS)
    in_trick = look.before.in_trick | np.where(playing, bit(look.action), EMPTY)
    return (look.after.phase == Phase.OVER) & (won & ~in_trick != EMPTY)


def one_seat_left(look: Look) -> BoolArray:
    """It leads to nobody."""
    others = look.before.hand.copy()
    others[look.games, look.seat] = EMPTY
    alone = (others == EMPTY).all(axis=1)
    return alone & (look.before.played == 0)


def out(look: Look) -> BoolArray:
    return np.any(marked(look, "out"), axis=1)


def leads_plain_and_is_out(look: Look) -> BoolArray:
    led = (look.before.played == 0) & (look.action < N_CARDS)
    hand = of_seat(look.before.hand, look.seat)
    return led & (hand & trumps(look)[:, 0] == EMPTY) & (look.before.trick < look.t.rules.hand - 1)


def folds(look: Look) -> BoolArray:
    return says(look, "fold")


def fold_on_lead(look: Look) -> BoolArray:
    return says(look, "fold") & (look.before.played == 0)


def two_buried(look: Look) -> BoolArray:
    buried = look.after.shown & look.after.open[:, None] & look.t.two[look.after.trump][:, None]
    return np.any(buried != EMPTY, axis=1)


def must_play_point_trump(look: Look) -> BoolArray:
    """Point trumps are legal, and the seat's other trumps are not."""
    hand = of_seat(look.before.hand, look.seat)
    points = hand & point_cards(look)[:, 0]
    others = hand & trumps(look)[:, 0] & ~points
    legal = look.legal[:, :N_CARDS]
    points_only = (legal & as_table(points)).any(axis=1) & ~(legal & as_table(others)).any(axis=1)
    return (look.before.phase == Phase.PLAY) & (others != EMPTY) & points_only & ~called_card_is_due(look)


def called_card_is_due(look: Look) -> BoolArray:
    hand = of_seat(look.before.hand, look.seat)
    return (look.before.trick == 0) & (hand & look.before.called != EMPTY)


def called_card_forced(look: Look) -> BoolArray:
    """The partner would have had another trump."""
    hand = of_seat(look.before.hand, look.seat)
    others = hand & trumps(look)[:, 0] & ~look.before.called
    return (look.before.phase == Phase.PLAY) & called_card_is_due(look) & (others != EMPTY)


def alone_made(look: Look) -> BoolArray:
    return look.after.alone & made(look)


def alone_set(look: Look) -> BoolArray:
    return look.after.alone & ~made(look)


def concedes(look: Look) -> BoolArray:
    return says(look, "concede")


def moon_conceded(look: Look) -> BoolArray:
    return concedes(look) & look.t.bid_wins[look.after.contract]


def ends_early(look: Look) -> BoolArray:
    return look.after.trick < look.t.rules.hand


# --- the score and the match


def discards_credited(look: Look) -> BoolArray:
    return look.after.points.sum(axis=1) > look.after.taken.sum(axis=1)


def negative_score(look: Look) -> BoolArray:
    return np.any(look.after.scores < 0, axis=1)


def lost_at_the_floor(look: Look) -> BoolArray:
    fallen = np.any(look.after.scores <= look.t.rules.floor, axis=1)
    return fallen & (look.after.winner != NONE)


def locked_defenders(look: Look) -> BoolArray:
    return np.any((scores_before(look) >= look.t.rules.locked_at) & ~bidding_side(look), axis=1)


def locked_add_nothing(look: Look) -> BoolArray:
    took: Int64Array = (look.after.points * ~bidding_side(look)).sum(axis=1)
    return locked_defenders(look) & made(look) & (took > 0)


def locked_win(look: Look) -> BoolArray:
    return locked_defenders(look) & ~made(look)


def unlocked_defenders_win(look: Look) -> BoolArray:
    return (
        ~locked_defenders(look)
        & (at_target(look) & ~bidding_side(look)).any(axis=1)
        & (look.after.winner == (~bidding_side(look)).argmax(axis=1))
    )


def bidder_out_made(look: Look) -> BoolArray:
    return look.after.bidder_out & made(look)


def bidder_out_set(look: Look) -> BoolArray:
    return look.after.bidder_out & ~made(look)


def bidder_out_again(look: Look) -> BoolArray:
    over = (look.after.winner != NONE) | look.after.truncated
    return look.after.bidder_out & ~over & bidder_out(look.t, look.after.scores)


def lower_score_wins(look: Look) -> BoolArray:
    s = look.after
    return (s.winner != NONE) & (s.scores[look.games, s.winner] < s.scores.max(axis=1))


def target_without_a_made_bid(look: Look) -> BoolArray:
    return at_target(look).any(axis=1) & (look.after.winner == NONE)


def declarer_and_partner(look: Look) -> BoolArray:
    both = bidding_side(look) & at_target(look)
    return (both.sum(axis=1) == 2) & (look.after.winner == look.after.declarer)
