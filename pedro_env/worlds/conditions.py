"""Whether worlds keep the conditions on several cards at once."""

from __future__ import annotations

import numpy as np

from pedro_env.actions import Phase
from pedro_env.cards import N_CARDS
from pedro_env.cardset import EMPTY, ONE, count, to_bool
from pedro_env.phases.exchange.programs import program_of
from pedro_env.phases.exchange.steps import Choose, Step
from pedro_env.rules import Surplus
from pedro_env.state import State
from pedro_env.tables import Tables
from pedro_env.typing import BoolArray, IntArray, UInt64Array
from pedro_env.worlds.dealt import Dealt
from pedro_env.worlds.knowledge import Knowledge


def holds(worlds: Dealt) -> BoolArray:
    """``(n,)`` whether worlds keep all joint conditions."""
    k, which = worlds.k, worlds.which
    t, s, joint, seats = k.t, k.s, k.joint, k.t.rules.seats
    card, trumps, points = worlds.card, k.trumps[which], k.point_cards[which]
    kept_all = np.ones(len(which), np.bool_)
    for seat in range(seats):
        hand = worlds.union(seat)
        if joint.needs_trump[which, seat].any():
            kept_all &= ~joint.needs_trump[which, seat] | (hand & trumps != EMPTY)
        if joint.worthless[which, seat].any():
            free = hand & trumps & ~points & ~s.called[which]
            kept_all &= count(free) >= joint.worthless[which, seat]
        if joint.surplus[which, seat].any():
            aside = worlds.union(seats + seat) & trumps
            pool = hand | s.shown[which, seat] & ~s.open[which]
            kept = worlds.cat == ONE << np.uint64(seat)
            kept &= (worlds.zones() == seat) | (s.dealer[which] == seat)  # before the others drew
            full = count(np.where(kept, card, EMPTY).sum(axis=0, dtype=np.uint64) & trumps) >= t.rules.hand
            full &= _is_full(k, which, aside, pool)
            kept_all &= ~joint.surplus[which, seat] | full | (aside == EMPTY)
        few = joint.few[which, seat]
        if (few >= 0).any():
            own = np.where(worlds.zones() == seat, card, EMPTY).sum(axis=0, dtype=np.uint64) & trumps
            number = count(own)
            two = own & t.two[np.maximum(k.trump[which], 0)] != EMPTY
            kept_all &= (few < 0) | (((number <= 1) | ((number == 2) & two)) == (few == 1))
        declares = s.declarer[which] == seat
        if (joint.strong_bid[which] & declares).any():
            strong = (~hand[:, None] & t.bid_needs == EMPTY).any(axis=1)
            kept_all &= ~(joint.strong_bid[which] & declares) | strong
        if (joint.kitty[which] & declares).any():
            aside = worlds.union(seats + seat)
            pool = hand | s.shown[which, seat]
            fine = (aside & points == EMPTY) | (pool & ~points == EMPTY)
            choosing = s.phase[which] == Phase.DISCARD
            kept_all &= ~(joint.kitty[which] & declares) | fine | (choosing & (aside == EMPTY))
    if joint.asked[which].any():
        kept_all &= ~joint.asked[which] | ask(t, worlds.state())
    return kept_all


def _is_full(k: Knowledge, which: IntArray, aside: UInt64Array, pool: UInt64Array) -> BoolArray:
    """Whether all that a seat kept are trumps, and none is worth less than one that it has laid aside."""
    t = k.t
    full = pool & ~k.trumps[which] == EMPTY
    if t.rules.surplus is Surplus.DISCARD:
        worth = t.points[np.maximum(k.trump[which], 0)]
        most = (to_bool(aside[:, None], N_CARDS) * worth).max(axis=1)
        least = np.where(to_bool(pool[:, None], N_CARDS), worth, np.iinfo(np.int8).max).min(axis=1)
        full &= least >= most
    return full


def ask(t: Tables, world: State) -> BoolArray:
    """``(n,)`` whether the seat that is choosing cards has a choice; writes it down in the states."""
    asked = np.ones(len(world.phase), np.bool_)
    program: tuple[Step, ...] = program_of(t)
    choosing = np.isin(world.phase, [Phase.GIVE, Phase.DISCARD, Phase.ROB])
    for index in sorted(set(map(int, world.step[choosing]))):  # most often of one game, or of a few
        step = program[index]
        if not isinstance(step, Choose):
            continue
        rows = np.flatnonzero(choosing & (world.step == index))
        seats = world.to_act[rows].astype(np.int64)
        for before in program[:index]:  # what it had to do first is done
            if isinstance(before, Choose):
                cards, least = before.cards(t, world, rows, seats)
                asked[rows] &= (before.seat(t, world, rows) != seats) | (cards == EMPTY) | (least <= 0)
        cards, least = step.cards(t, world, rows, seats)
        asked[rows] &= (cards != EMPTY) & ~((least > 0) & (count(cards) <= least))
        world.choice[rows] = cards
        world.may_stop[rows] = least <= 0
    return asked
