"""The end of a deal: what counts for whom, and whether the match is over (RULES 2.11, 2.12 and the variants)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from pedro_env.actions import Phase
from pedro_env.cards import N_CARDS, NONE
from pedro_env.cardset import BIT, EMPTY, to_bool
from pedro_env.rules import DoubleFinish, Rules, Scoring, Surplus, Teams, Tie
from pedro_env.state import State
from pedro_env.tables import Tables
from pedro_env.typing import BoolArray, Int16Array, Int64Array, IntArray, UInt64Array

BIDDER_OUT_MARGIN = 7
"""RULES 7.4: "55" means so many points below the target."""


def score(t: Tables, s: State, rows: IntArray) -> None:
    """End the deal: points, score changes, and the winner where the match is over."""
    points = s.taken[rows] + _kept(t, s, rows)
    if t.rules.discards_count or t.rules.surplus is Surplus.DISCARD_FOR_OPPONENTS:
        points += _credited(t, s, rows)
    s.points[rows] = points
    members = _bidding_side(t, s, rows)
    bid_points = (points * members).sum(axis=1)
    number = t.bid_numbers[s.contract[rows]]
    made = bid_points >= number
    loss = t.bid_losses[s.contract[rows]]
    change = _CHANGE[t.rules.scoring](t.rules, points, members, bid_points, loss, made)
    if t.bid_rewards.any():
        reward = (t.bid_rewards[s.contract[rows]] * made)[:, None]
        change = np.where(members & (reward > 0), reward, change)
    if t.rules.locked_at:
        change[_locked(t, s, rows) & ~members] = 0
    if t.rules.may_play_alone:
        change *= np.where(s.alone[rows], 2, 1)[:, None].astype(np.int16)  # 3.6: everything counts double
    s.score_change[rows] = change
    s.scores[rows] += change.astype(np.int16)
    _end_match(t, s, rows, members, made)
    _close(t, s, rows)


def redeal(t: Tables, s: State, rows: IntArray) -> None:
    """End a deal that was not played: nobody's score changes."""
    s.points[rows] = 0
    s.score_change[rows] = 0
    s.redeal[rows] = True
    _close(t, s, rows)


def bidder_out(t: Tables, scores: Int16Array) -> BoolArray:
    """RULES 2.12, 7.4: whether a deal that begins at these scores is played bidder out."""
    if t.rules.double_finish is not DoubleFinish.BIDDER_OUT:
        return np.zeros(len(scores), np.bool_)
    return np.all(scores >= t.rules.target - BIDDER_OUT_MARGIN, axis=1)


def _close(t: Tables, s: State, rows: IntArray) -> None:
    s.phase[rows] = Phase.OVER
    s.to_act[rows] = NONE
    s.truncated[rows] = (s.winner[rows] == NONE) & (s.deal[rows] + 1 >= t.rules.max_deals)


def _kept(t: Tables, s: State, rows: IntArray) -> Int16Array:
    """RULES 2.2, 7.6: the 2 counts for the side of the seat that held it."""
    if not t.rules.keeper:
        return np.zeros((len(rows), t.rules.sides), np.int16)
    held = s.keeper[rows][:, None] == np.arange(t.rules.seats)
    worth = np.int16(dict(t.rules.points)["2"])
    return np.matmul(held.astype(np.int16), t.sides_of * worth)


def _credited(t: Tables, s: State, rows: IntArray) -> Int16Array:
    """Point trumps that were laid aside and count: for the bidding side (3.1 cinch), for the other side (4)."""
    credit = np.zeros((len(rows), t.rules.sides), np.int16)
    if t.rules.discards_count:
        side = t.side_of[s.declarer[rows]]
        for seat in range(t.rules.seats):
            cards = _laid_aside(s, rows, seat) | np.where(s.dealer[rows] == seat, s.stock[rows], EMPTY)
            defends = t.side_of[seat] != side
            credit[np.arange(len(rows)), side] += _worth(t, s, rows, cards) * defends
    else:
        for seat in range(t.rules.seats):
            credit[:, 1 - t.side_of[seat]] += _worth(t, s, rows, _laid_aside(s, rows, seat))
    return credit


def _laid_aside(s: State, rows: IntArray, seat: int | IntArray) -> UInt64Array:
    """What a seat laid aside, where nothing is buried or laid down."""
    return s.laid_aside[rows, seat] | (s.shown[rows, seat] & s.open[rows])


def _worth(t: Tables, s: State, rows: IntArray, cards: UInt64Array) -> Int16Array:
    """The points of some cards."""
    return (to_bool(cards[:, None], N_CARDS) * t.points[s.trump[rows]]).sum(axis=1, dtype=np.int16)


def _locked(t: Tables, s: State, rows: IntArray) -> BoolArray:
    """3.4, 7.27: ``(k, sides)`` whose score was locked before the deal."""
    return s.scores[rows] - s.score_change[rows] >= t.rules.locked_at


def _bidding_side(t: Tables, s: State, rows: IntArray) -> BoolArray:
    """``(k, sides)`` which scores belong to the bidding side."""
    sides = np.arange(t.rules.sides)
    members = t.side_of[s.declarer[rows]][:, None] == sides
    if t.rules.teams is Teams.CALLED:
        members |= s.partner[rows][:, None] == sides
    return members


# --- what a deal changes. Each: (rules, points (k, sides), members (k, sides), points of the bidding side, what the bid
# is worth when set, made)


def _shared(rules: Rules, points: Int16Array, members: BoolArray) -> Int64Array:
    """3.6: with a called partner every member of a side scores the side's points."""
    if rules.teams is not Teams.CALLED:
        return points.astype(np.int64)
    wide = points.astype(np.int64)
    bidding: Int64Array = (wide * members).sum(axis=1, keepdims=True)
    everything: Int64Array = wide.sum(axis=1, keepdims=True)
    return np.where(members, bidding, everything - bidding)


def _pedro(
    rules: Rules, points: Int16Array, members: BoolArray, bid_points: IntArray, number: IntArray, made: BoolArray
) -> Int64Array:
    """RULES 2.11: a set side subtracts its bid."""
    return np.where(members & ~made[:, None], -number.astype(np.int64)[:, None], _shared(rules, points, members))


def _subtract_taken(
    rules: Rules, points: Int16Array, members: BoolArray, bid_points: IntArray, number: IntArray, made: BoolArray
) -> Int64Array:
    """3.1, 7.20: a set side subtracts what it took."""
    return np.where(members & ~made[:, None], -points.astype(np.int64), points)


def _foster(
    rules: Rules, points: Int16Array, members: BoolArray, bid_points: IntArray, number: IntArray, made: BoolArray
) -> Int64Array:
    """cinch: made, the higher side scores the difference; set, the defenders score their points and the bid."""
    wide = points.astype(np.int64)
    others = wide.sum(axis=1, keepdims=True) - wide
    won = np.maximum(wide - others, 0)
    return np.where(made[:, None], won, np.where(members, 0, wide + number[:, None]))


def _bicycle(
    rules: Rules, points: Int16Array, members: BoolArray, bid_points: IntArray, number: IntArray, made: BoolArray
) -> Int64Array:
    """cinch-bicycle: set, the defenders score all points and what was missing to the bid."""
    made_change = _foster(rules, points, members, bid_points, number, made)
    missing = rules.total_points + number.astype(np.int64) - bid_points
    return np.where(made[:, None], made_change, np.where(members, 0, missing[:, None]))


_CHANGE: dict[Scoring, Callable[..., Int64Array]] = {
    Scoring.PEDRO: _pedro,
    Scoring.SUBTRACT_TAKEN: _subtract_taken,
    Scoring.FOSTER: _foster,
    Scoring.BICYCLE: _bicycle,
}


# --- the end of the match. Each returns the winning side, -1 where the match goes on


def _end_match(t: Tables, s: State, rows: IntArray, members: BoolArray, made: BoolArray) -> None:
    reached = s.scores[rows] >= t.rules.target
    winner = _WINNER[t.rules.double_finish](t, s, rows, reached, members, made)
    if t.rules.moon:
        wins = t.bid_wins[s.contract[rows]] & made  # 7.26: whatever the scores
        winner = np.where(wins, members.argmax(axis=1), winner)
    if t.rules.locked_at:
        wins = (_locked(t, s, rows) & ~members & ~made[:, None]).any(axis=1)
        winner = np.where(wins, members.argmin(axis=1), winner)
    if t.rules.floor:
        fallen = s.scores[rows] <= t.rules.floor
        winner = np.where(fallen.any(axis=1) & (winner == NONE), (~fallen).argmax(axis=1), winner)
    s.winner[rows] = winner


def _only(reached: BoolArray) -> IntArray:
    """The one side that reached the target; -1 where none or several did."""
    return np.where(reached.sum(axis=1) == 1, reached.argmax(axis=1), NONE)


def _bidder_out(
    t: Tables, s: State, rows: IntArray, reached: BoolArray, members: BoolArray, made: BoolArray
) -> IntArray:
    """RULES 2.12: bidder out, the bidding side wins by making its bid; otherwise a side that alone is there."""
    return np.where(s.bidder_out[rows] & made, members.argmax(axis=1), _only(reached))


def _bidder_wins(
    t: Tables, s: State, rows: IntArray, reached: BoolArray, members: BoolArray, made: BoolArray
) -> IntArray:
    return np.where(reached.all(axis=1), members.argmax(axis=1), _only(reached))


def _made_bid_only(
    t: Tables, s: State, rows: IntArray, reached: BoolArray, members: BoolArray, made: BoolArray
) -> IntArray:
    winning = reached & members & made[:, None]
    return np.where(winning.any(axis=1), winning.argmax(axis=1), NONE)


def _higher(t: Tables, s: State, rows: IntArray, reached: BoolArray, members: BoolArray, made: BoolArray) -> IntArray:
    scores = np.where(reached, s.scores[rows], np.iinfo(np.int16).min)
    best = scores.max(axis=1, keepdims=True)
    equal = reached & (scores == best)
    on_tie = members.argmax(axis=1) if t.rules.tie is Tie.BIDDER else NONE
    return np.where(equal.sum(axis=1) > 1, on_tie, np.where(reached.any(axis=1), equal.argmax(axis=1), NONE))


def _declarer_first(
    t: Tables, s: State, rows: IntArray, reached: BoolArray, members: BoolArray, made: BoolArray
) -> IntArray:
    """3.6, 7.30: a declarer with the target that made its bid; otherwise the highest; equal: play on."""
    declarer = s.declarer[rows]
    first = made & reached[np.arange(len(rows)), declarer]
    scores = np.where(reached, s.scores[rows], np.iinfo(np.int16).min)
    equal = reached & (scores == scores.max(axis=1, keepdims=True))
    highest = np.where(equal.sum(axis=1) == 1, equal.argmax(axis=1), NONE)
    return np.where(first, declarer, highest)


def _count_order(
    t: Tables, s: State, rows: IntArray, reached: BoolArray, members: BoolArray, made: BoolArray
) -> IntArray:
    """RULES 7.17, 3.6: points are counted one card after another; a set side counts nothing."""
    winner = _only(reached)
    several = np.flatnonzero(reached.sum(axis=1) > 1)
    for k in several.tolist():  # rare, and a story rather than a formula
        row = rows[k]
        running = (s.scores[row] - s.score_change[row]).astype(np.int64)
        counted = reached[k] & ~(members[k] & ~made[k])
        for card in t.count_order[s.trump[row]].tolist():
            side = _side_with(t, s, row, card)
            if side != NONE and counted[side]:
                running[side] += int(t.points[s.trump[row], card])
                if running[side] >= t.rules.target:
                    winner[k] = side
                    break
    return winner


def _side_with(t: Tables, s: State, row: int, card: int) -> int:
    """The side for which a point card counts; -1 where nobody has it."""
    if t.kept_two[s.trump[row]] & BIT[card] and s.keeper[row] != NONE:
        return int(t.side_of[s.keeper[row]])
    seats = np.flatnonzero(s.won[row] & BIT[card])
    if not len(seats) and t.rules.surplus is Surplus.DISCARD_FOR_OPPONENTS:
        seats = 1 + np.flatnonzero(_laid_aside(s, np.full(t.rules.seats, row), np.arange(t.rules.seats)) & BIT[card])
    return int(t.side_of[seats[0] % t.rules.seats]) if len(seats) else NONE


_WINNER: dict[DoubleFinish, Callable[..., IntArray]] = {
    DoubleFinish.BIDDER_OUT: _bidder_out,
    DoubleFinish.BIDDER_WINS: _bidder_wins,
    DoubleFinish.MADE_BID_ONLY: _made_bid_only,
    DoubleFinish.HIGHER: _higher,
    DoubleFinish.DECLARER_FIRST: _declarer_first,
    DoubleFinish.COUNT_ORDER: _count_order,
}
