"""Conditions on several cards at once: what is certain of a hand as a whole."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pedro_env.actions import Phase
from pedro_env.cards import NONE
from pedro_env.cardset import BIT, EMPTY, count
from pedro_env.phases.marks import has_bid
from pedro_env.rules import DropOut, Exchange, Follow, Surplus
from pedro_env.typing import BoolArray, IntArray
from pedro_env.worlds.limits import IN_EACH_TRICK, KEPT_TYPES
from pedro_env.worlds.places import DISCARDS, Places


@dataclass(frozen=True)
class Joint:
    """The conditions of u games: ``(u, seats)`` where nothing else is said."""

    needs_trump: BoolArray
    worthless: IntArray
    """So many trumps without points at least are in the hand."""
    surplus: BoolArray
    """A trump laid aside face down tells of a hand full of trumps."""
    few: IntArray
    """1: the seat had so few trumps that it was asked to fold; 0: it had more; -1: nothing known."""
    strong_bid: BoolArray
    """``(u,)`` the declarer holds what the bid 28-56 needs, of a suit that is not known."""
    kitty: BoolArray
    """``(u,)`` a point trump is laid aside by the declarer only when it has nothing else."""
    asked: BoolArray
    """``(u,)`` another seat is choosing cards: it must have a choice."""
    any: BoolArray
    """``(u,)`` which of the games have any."""


def joint_of(p: Places) -> Joint:
    """The conditions that hold in each of the games."""
    t, s, rules, seats = p.t, p.s, p.t.rules, p.t.rules.seats
    u = len(p.rows)
    others = np.arange(seats) != p.looking[:, None]
    holding = others & (s.hand != EMPTY)
    worthless = np.zeros((u, seats), np.int64)
    if rules.surplus in IN_EACH_TRICK:
        usual = rules.hand - s.trick[:, None] - (s.on_table != NONE)
        beyond = count(s.hand).astype(np.int64) - usual
        beyond -= s.hand & s.called[:, None] != EMPTY  # then the 2 may go instead
        worthless = np.where(holding & p.playing[:, None], np.maximum(beyond, 0), 0)
    worthless = np.maximum(worthless, _to_bury_and_one(p))
    hidden = rules.surplus in DISCARDS and not (rules.surplus_face_up or rules.discard_face_up)
    surplus = others & (hidden and not rules.rob_discards and rules.exchange not in KEPT_TYPES)
    surplus &= s.laid_aside != EMPTY
    strong = np.zeros(u, np.bool_)
    if rules.bid_28_56 and rules.bid_28_56_needs:
        strong = (s.contract == t.actions.bid_of("28-56")) & (p.trump == NONE) & (s.declarer != p.looking)
        strong &= has_bid(t, s, p.rows, s.declarer, t.actions.bid_of("28-56"))
    kitty = (rules.exchange is Exchange.KITTY) & p.begun & (s.declarer != p.looking)
    in_exchange = np.isin(s.phase, [Phase.GIVE, Phase.DISCARD, Phase.ROB])
    needs_trump = _who_needs_a_trump(p) & holding
    few = _who_had_few_trumps(p)
    asked = in_exchange & (s.to_act != p.looking)
    some = needs_trump.any(axis=1) | (worthless > 0).any(axis=1) | surplus.any(axis=1) | (few >= 0).any(axis=1)
    return Joint(needs_trump, worthless, surplus, few, strong, kitty, asked, some | strong | kitty | asked)


def _to_bury_and_one(p: Places) -> IntArray:
    """``(u, seats)`` one trump without points more than it must bury, for another seat that is choosing."""
    s, rules = p.s, p.t.rules
    asked = (np.arange(rules.seats) == s.to_act[:, None]) & (s.phase == Phase.BURY)[:, None]
    asked &= np.arange(rules.seats) != p.looking[:, None]
    beyond = count(s.hand).astype(np.int64) - (rules.hand - s.trick[:, None])
    due = beyond
    if rules.surplus is not Surplus.BURY_FIRST_TRICK:
        due = np.maximum(beyond - (rules.hand - 1 - s.trick[:, None]), 1)
    return np.where(asked, due + 1, 0)


def _who_needs_a_trump(p: Places) -> BoolArray:
    """``(u, seats)`` seats that would have left the deal without a trump."""
    s, rules = p.s, p.t.rules
    none = np.zeros((len(p.rows), rules.seats), np.bool_)
    if not p.playing.any():
        return none
    on_table = np.where(s.on_table == NONE, EMPTY, BIT[s.on_table])
    trump_down = on_table & p.trumps[:, None] != EMPTY
    asked = (np.arange(rules.seats) == s.to_act[:, None]) & (s.led != NONE)[:, None]  # and has not laid down
    if rules.drop_out is DropOut.CANNOT_FOLLOW_TRUMP:
        return asked & (s.led == s.trump)[:, None]
    if rules.follow is Follow.TRUMPS_ONLY:
        return p.playing[:, None] & ~p.is_marked("out") & ~trump_down
    if rules.drop_out is DropOut.NO_TRUMP:
        return (s.trick >= 1)[:, None] & ~trump_down
    if rules.drop_out is DropOut.LAY_DOWN:
        number = np.maximum(s.trick, 0)
        bits = number[:, None] >> np.arange(4) & 1
        last = np.bitwise_and.reduce(np.where(bits, s.trick_bits, ~s.trick_bits), axis=1)
        before = s.shown & last[:, None] & ~s.open[:, None] & p.plain[:, None] != EMPTY
        before &= (s.trick >= 1)[:, None]
        leads = np.arange(rules.seats) == s.leader[:, None]
        plain_down = (on_table != EMPTY) & ~trump_down
        return (on_table == EMPTY) & (before | asked) | plain_down & (~leads | before)
    return none


def _who_had_few_trumps(p: Places) -> IntArray:
    """3.4 king-pedro-ukrainian: who was asked to fold, and who was not."""
    s, rules, seats = p.s, p.t.rules, p.t.rules.seats
    few = np.full((len(p.rows), seats), NONE)
    if rules.exchange is not Exchange.SHED_AND_FOLD:
        return few
    out, declined = p.is_marked("out"), p.is_marked("declined")
    asking = s.phase == Phase.GIVE
    past = p.begun[:, None] & (~asking[:, None] | (p.place_of < p.turn[:, None]))
    now = asking[:, None] & (p.place_of == p.turn[:, None])
    partner = (np.arange(seats) + seats // 2) % seats
    partner_left_before = out[:, partner] & (p.place_of[:, partner] < p.place_of)
    others = (np.arange(seats) != p.looking[:, None]) & (np.arange(seats) != s.declarer[:, None])
    few = np.where(past & others & ~partner_left_before, (out | declined).astype(np.int64), few)
    return np.where(now & others, 1, few)
