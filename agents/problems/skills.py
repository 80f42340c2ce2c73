"""The skills: what decides, from what the seat to act sees alone, that a decision is one of a kind.

Numbers cite ``docs/rules/RULES.md``. A *five* here is a trump that is worth most (in ``pedro`` the five and the
off-five); an *unseen* trump is one that the seat has not seen and that another may hold.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from agents.choice import count_legal
from agents.heuristic.knowledge import PARTNER, know, values_of
from pedro_env.actions import PASS, Phase
from pedro_env.cards import N_CARDS, NONE
from pedro_env.cardset import EMPTY, count, from_cards, to_bool
from pedro_env.rules import Rules
from pedro_env.typing import BoolArray, UInt64Array
from pedro_env.views import Views

LENGTH = 4
"""Trumps that are a length."""
_OPPONENTS = (1, 3)


class Skill(NamedTuple):
    """A kind of decision."""

    about: str
    """In a line, with the rules that it is about."""
    phases: tuple[Phase, ...]
    holds: Callable[[Views], BoolArray]
    """``(k,)`` whether decisions of these phases are of this kind."""
    bidder_out: bool = False
    """Of deals that are played bidder out; the others are of deals that are not."""


def fits(skill: Skill, views: Views) -> BoolArray:
    """``(k,)`` whether each decision, with two or more legal actions, is one that the skill is about."""
    found = np.isin(views.phase, skill.phases) & (views.bidder_out == skill.bidder_out)
    rows = np.flatnonzero(found & (count_legal(views.legal) > 1))
    found[:] = False
    if len(rows):
        found[rows] = skill.holds(views.take(rows))
    return found


def _may_pass(views: Views) -> BoolArray:
    return views.mask[:, PASS]


def _nobody_has_bid(views: Views) -> BoolArray:
    return _may_pass(views) & (views.declarer == NONE)


def _opponents_bid_stands(views: Views) -> BoolArray:
    return _may_pass(views) & np.isin(views.declarer, _OPPONENTS)


def _partners_bid_stands(views: Views) -> BoolArray:
    return _may_pass(views) & (views.declarer == PARTNER)


def _must_bid(views: Views) -> BoolArray:
    return ~_may_pass(views)


def _always(views: Views) -> BoolArray:
    return np.ones(len(views), np.bool_)


def _is_dealer(views: Views) -> BoolArray:
    return views.dealer == 0


def _can_keep_fives_out(views: Views) -> BoolArray:
    """Somebody led, an opponent plays behind, an unseen five would win the trick; some cards stop that, others not."""
    led = views.led != NONE
    winning = views.trick_cards[np.arange(len(views)), views.winning]
    beats = values_of(views.rules).beats[views.trump, views.led + 1]  # (k, 54): the cards that beat each card
    fives = know(views).unseen_trumps & _fives(views.rules)[views.trump]
    behind = (views.trick_cards[:, _OPPONENTS] == NONE) & (views.hand_size[:, _OPPONENTS] > 0)
    beaten = beats[np.arange(len(views)), winning]
    over = to_bool(beaten[:, None], N_CARDS) & (beats & fives[:, None] == EMPTY)
    legal = to_bool(views.legal_cards[:, None], N_CARDS)
    stops = (legal & over).any(axis=1) & (legal & ~over).any(axis=1)
    return led & behind.any(axis=1) & (beaten & fives != EMPTY) & stops


def _five_at_risk(views: Views) -> BoolArray:
    """It may play a five that an unseen trump beats, or something else."""
    fives = _fives(views.rules)[views.trump]
    above = values_of(views.rules).beats[views.trump, views.trump + 1] & know(views).unseen_trumps[:, None]
    own = to_bool((views.legal_cards & fives)[:, None], N_CARDS)
    return (own & (above != EMPTY)).any(axis=1) & (views.legal_cards & ~fives != EMPTY)


def _two_or_another_trump(views: Views) -> BoolArray:
    two, trumps = views.tables.two[views.trump], views.tables.trumps[views.trump]
    follows = views.led != NONE
    return follows & (views.legal_cards & two != EMPTY) & (views.legal_cards & trumps & ~two != EMPTY)


def _leads_from_length(views: Views) -> BoolArray:
    return (views.led == NONE) & (count(views.hand & views.tables.trumps[views.trump]) >= LENGTH)


@lru_cache(maxsize=256)
def _fives(rules: Rules) -> UInt64Array:
    """``(4,)`` by trump: the trumps that are worth most to who wins the trick."""
    value = values_of(rules).value
    return np.array([from_cards(np.flatnonzero(row == row.max()).tolist()) for row in value], np.uint64)


_BID, _PLAY = (Phase.BID,), (Phase.PLAY,)

SKILLS: dict[str, Skill] = {
    "opening bid": Skill("nobody has bid, and the seat may pass (2.4)", _BID, _nobody_has_bid),
    "overcall": Skill("an opponent's bid stands, and the seat may bid more (2.4)", _BID, _opponents_bid_stands),
    "forced dealer": Skill("all others have passed, and the dealer must bid (2.4)", _BID, _must_bid),
    "answering partner": Skill("the partner's bid stands, and the seat may bid more (2.4)", _BID, _partners_bid_stands),
    "naming": Skill("the declarer names trumps (2.5)", (Phase.TRUMP,), _always),
    "robbing": Skill("the dealer chooses among plain cards of the stock (2.8)", (Phase.ROB,), _always),
    "cinching": Skill(
        "an opponent plays behind, an unseen five would win the trick; some cards stop it, others do not (2.9)",
        _PLAY,
        _can_keep_fives_out,
    ),
    "protecting a five": Skill(
        "the seat may play a five that an unseen trump beats, or another card (2.2, 2.9)", _PLAY, _five_at_risk
    ),
    "saving the two": Skill(
        "not on lead, the seat may play the 2 of trumps or another trump (2.2, 2.9)", _PLAY, _two_or_another_trump
    ),
    "leading from length": Skill(f"on lead with {LENGTH} or more trumps (2.9)", _PLAY, _leads_from_length),
    "bidder out": Skill(
        "the dealer's call, the last one, where the side that makes its bid wins the match (2.12)",
        _BID,
        _is_dealer,
        bidder_out=True,
    ),
}
"""By name, in the order of a deal."""
