"""The rules page, case by case: the house rules of pedro (section 4, and 7.13 to 7.18).

As in ``test_rules_cases.py`` seat 3 deals, so seat 0 is eldest; spades are trumps, so the five of clubs is the
off-five.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from pedro_env.actions import Phase
from pedro_env.cards import parse_card
from pedro_env.variants import make_rules
from pedro_env.worlds import deal_anew
from tests.support import do, hand, legal, names, one_game, phase, seat, stacked_pack
from tests.test_rules_cases import Zones, play_out, result, start
from tests.test_rules_cases_exchange import asks

KEEP = {"keep_plain": True}
ROB = {"rob_discards": True}

# --- keep plain cards

KEEPING: Zones = {
    0: "AS KS QS JS AH KH QH JH TH",
    1: "TS 9S 8S 7S 6S 5S AD KD QD",
    2: "5C 4S JD TD 9D 8D 7D 6D 5D",
    3: "3S AC KC QC JC TC 9C 8C 7C",
    "stock": "9H 8H 7H 6H 2S 5H 4H 3H 2H 4D 3D 2D 6C 4C 3C 2C",
}


def test_plain_cards_may_be_kept() -> None:
    """4, 7.13: eldest first, down to six at least; every seat, the dealer too, before anyone is filled."""
    batch = start(KEEPING, options=KEEP)
    plain = {"AH", "KH", "QH", "JH", "TH"}
    for card in ("KH", "TH", "JH"):
        assert asks(batch) == (0, "discard", plain)
        do(batch, card)
        plain.discard(card)
    assert asks(batch) == (0, "discard", plain | {"done"})
    do(batch, "done")
    # seat 1 has six trumps: its plain cards go without a decision
    assert hand(batch, 1) == {"TS", "9S", "8S", "7S", "6S", "5S"}
    assert asks(batch) == (2, "discard", {"JD", "TD", "9D", "8D", "7D", "6D", "5D"})
    do(batch, "JD TD 9D 8D 7D 6D")
    assert asks(batch) == (2, "discard", {"5D", "done"})
    do(batch, "5D")  # a lone `done` is not asked
    assert asks(batch)[:2] == (3, "discard")
    assert hand(batch, 2) == {"5C", "4S"}
    do(batch, "AC KC QC")
    assert asks(batch) == (3, "discard", {"JC", "TC", "9C", "8C", "7C", "done"})
    do(batch, "done")
    assert hand(batch, 2) == {"5C", "4S", "9H", "8H", "7H", "6H"}
    # the dealer robs the 2: a card too many, and it is one of the plain ones
    assert "2S" in hand(batch, 3)
    assert asks(batch) == (3, "discard", {"JC", "TC", "9C", "8C", "7C"})
    do(batch, "9C")
    assert hand(batch, 3) == {"3S", "2S", "JC", "TC", "8C", "7C"}
    assert hand(batch, 0) == {"AS", "KS", "QS", "JS", "AH", "QH"}
    assert (seat(batch), phase(batch)) == (0, "play")


def test_the_dealer_that_kept_few_chooses_from_the_rest() -> None:
    """7.13, 2.8: plain cards of its choice until six."""
    batch = start(KEEPING, options=KEEP)
    do(batch, "KH TH JH done JD TD 9D done AC KC QC JC TC 9C 8C done")
    rest = {"9H", "8H", "7H", "6H", "5H", "4H", "3H", "2H", "4D", "3D", "2D", "6C", "4C", "3C", "2C"}
    assert hand(batch, 3) == {"3S", "7C", "2S"}
    assert asks(batch) == (3, "rob", rest)
    do(batch, "9H 6C 2D")
    assert (seat(batch), phase(batch)) == (0, "play")
    assert hand(batch, 3) == {"3S", "7C", "2S", "9H", "6C", "2D"}


def test_the_dealer_lays_kept_cards_aside_until_none_is_left() -> None:
    """7.13: then it has more than six trumps, which are buried; no decision where all of them go."""
    zones: Zones = {
        0: "AS KS 6S",
        3: "QS JS TS 9S 8S AH KH QH JH",
        "stock": "9H 8H 7H 6H 5H 4H 3H 2H 4D 3D 2D 6C 4C 7S 5S 2S",
        1: "5C AC KC",
        2: "4S 3S AD",
    }
    batch = start(zones, options=KEEP)
    for place in range(3):
        while seat(batch) == place:
            do(batch, "done" if "done" in legal(batch) else [min(legal(batch))])
    do(batch, "AH KH QH done")
    assert hand(batch, 3) == {"QS", "JS", "TS", "9S", "8S", "7S", "5S", "2S"}
    assert "JH" in names(batch.state.laid_aside[0, 3])
    assert (seat(batch), phase(batch)) == (0, "play")


# --- six at most


def test_six_at_most() -> None:
    """4: trumps without points, of its choice, eldest first, the dealer after robbing; face down, nothing is buried."""
    zones: Zones = {
        0: "AS KS QS 9S 8S JS 7S",
        3: "TS 5S 5C 4S 3S AH KH QH JH",
        "stock": "9H 8H 7H 6H 5H 4H 3H 2H 4D 3D 2D 6C 4C 2S 6S 3C",
    }
    batch = start(zones, options={"six_at_most": "discard"})
    assert asks(batch) == (0, "discard", {"KS", "QS", "9S", "8S", "7S"})
    do(batch, "KS")
    assert hand(batch, 3) == {"TS", "5S", "5C", "4S", "3S", "2S", "6S"}
    assert asks(batch) == (3, "discard", {"4S", "3S", "6S"})
    do(batch, "6S")
    assert (seat(batch), phase(batch)) == (0, "play")
    assert not batch.state.open[0]
    assert Phase.BURY not in batch.actions.phases


SEVEN: Zones = {0: "AS KS QS JS TS 9S 8S", 1: "7S 6S", 2: "5S 5C 2S", 3: "4S 3S"}
"""Seat 0 wins every trick."""


@pytest.mark.parametrize(
    ("value", "choice", "card", "points"),
    [
        ("discard", {"KS", "QS", "9S", "8S"}, "8S", [14, 0]),
        ("counts_for_opponents", {"AS", "KS", "QS", "JS", "TS", "9S", "8S"}, "8S", [14, 0]),
        ("counts_for_opponents", {"AS", "KS", "QS", "JS", "TS", "9S", "8S"}, "TS", [13, 1]),
    ],
)
def test_what_a_discarded_point_trump_counts(value: str, choice: set[str], card: str, points: list[int]) -> None:
    """4, 7.5"""
    batch = start(SEVEN, options={"six_at_most": value})
    assert asks(batch) == (0, "discard", choice)
    do(batch, card)
    assert result(play_out(batch)) == (points, points, -1)


def test_a_discarded_two_counts_for_the_other_side() -> None:
    """4: as every discarded point trump under this rule."""
    zones: Zones = {**SEVEN, 0: "AS KS QS JS TS 9S 2S", 2: "5S 5C"}
    batch = do(start(zones, options={"six_at_most": "counts_for_opponents"}), "2S")
    assert result(play_out(batch)) == ([13, 1], [13, 1], -1)


def test_a_discarded_point_trump_helps_the_bidder() -> None:
    """4: seat 1 bids one more than its two fives, and makes it with the ten that seat 0 laid aside."""
    zones: Zones = {0: "AS KS QS JS TS 9S 8S", 1: "5S 5C 2S", 2: "7S 6S", 3: "4S 3S"}
    batch = do(start(zones, "pass 7 pass pass S", options={"six_at_most": "counts_for_opponents"}), "TS")
    assert result(play_out(batch))[0] == [12, 2]  # the kept 2 and the ten


def test_keeping_and_six_at_most() -> None:
    """7.13: both choices in its own turn, the plain cards first; with seven trumps they all go."""
    zones: Zones = {0: "AS KS QS JS TS 9S 8S AH KH", 1: "7S 6S 5S 5C 4S AD KD QD JD"}
    batch = start(zones, options={**KEEP, "six_at_most": "discard"})
    assert asks(batch) == (0, "discard", {"KS", "QS", "9S", "8S"})
    do(batch, "QS")
    assert asks(batch) == (1, "discard", {"AD", "KD", "QD", "JD"})
    do(batch, "AD KD JD")
    assert asks(batch) == (1, "discard", {"QD", "done"})


# --- rob the discards

ROBBING: Zones = {
    0: "AS KS QS AH KH QH JH TH 9H",
    1: "JS AD KD QD JD TD 9D 8D 7D",
    2: "5S 5C 4S 6D 5D 4D 3D 2D 8H",
    3: "TS AC KC QC JC TC 9C 8C 7C",
    "stock": "7H 6H 5H 4H 3H 2H 6C 4C 3C 2C 9S 8S 7S 6S 3S 2S",
}


def test_the_others_may_lay_trumps_aside() -> None:
    """7.14: point trumps too, `done` at any time and never alone; plain cards go without a decision."""
    batch = start(ROBBING, options=ROB)
    assert asks(batch) == (0, "discard", {"AS", "KS", "QS", "done"})
    do(batch, "QS")
    assert asks(batch) == (0, "discard", {"AS", "KS", "done"})
    do(batch, "done")
    assert asks(batch) == (1, "discard", {"JS", "done"})
    do(batch, "JS")
    assert asks(batch) == (2, "discard", {"5S", "5C", "4S", "done"})
    do(batch, "5C done")
    # fills: 7H 6H 5H 4H, 3H 2H 6C 4C 3C 2C, and 9S 8S 7S 6S; the dealer takes 3S 2S and QS JS 5C
    assert hand(batch, 2) == {"5S", "4S", "9S", "8S", "7S", "6S"}
    assert hand(batch, 3) == {"TS", "QS", "JS", "5C", "3S", "2S"}
    assert (seat(batch), phase(batch)) == (0, "play")
    assert not batch.state.open[0]


def test_the_dealer_chooses_plain_cards_from_stock_and_discards() -> None:
    """7.14"""
    zones = {**ROBBING, "stock": "7H 6H 5H 9S 8S 7S 6S 3S 2S 4H 3H 2H 6C 4C 3C 2C"}
    batch = do(start(zones, options=ROB), "done done done")
    # fills: 7H 6H 5H; 9S 8S 7S 6S 3S; 2S 4H 3H
    left = {"2H", "6C", "4C", "3C", "2C"}
    aside = {"AH", "KH", "QH", "JH", "TH", "9H", "AD", "KD", "QD", "JD", "TD", "9D", "8D", "7D", "8H"}
    aside |= {"6D", "5D", "4D", "3D", "2D"}
    assert hand(batch, 3) == {"TS"}
    assert asks(batch) == (3, "rob", left | aside)
    do(batch, "AH 2H 5D 2C AD")
    assert (seat(batch), phase(batch)) == (0, "play")
    assert hand(batch, 3) == {"TS", "AH", "2H", "5D", "2C", "AD"}


@pytest.mark.parametrize(
    ("options", "choice", "done"),
    [
        ({}, {"AS", "KS", "QS", "JS", "TS", "9S", "8S"}, True),
        ({"six_at_most": "discard"}, {"AS", "KS", "QS", "JS", "TS", "9S", "8S"}, False),
        (KEEP, {"AS", "KS", "QS", "JS", "TS", "9S", "8S", "AH", "KH"}, False),
    ],
)
def test_when_a_seat_may_stop(options: dict[str, Any], choice: set[str], done: bool) -> None:
    """7.14: with six_at_most or keep_plain only once at most six are left; with keep_plain any cards of the hand."""
    batch = start({0: "AS KS QS JS TS 9S 8S AH KH"}, options={**ROB, **options})
    assert asks(batch) == (0, "discard", choice | {"done"} if done else choice)
    surplus = ["8S", "AH", "AS"][: max(1, len(choice) - 6)]
    do(batch, surplus[:-1])
    assert done or "done" not in legal(batch)
    do(batch, surplus[-1:])
    assert legal(batch) == choice - set(surplus) | {"done"}


def test_keeping_and_robbing_is_one_choice() -> None:
    """7.14: any cards of the hand; the dealer's is about its plain cards, as in 7.13; it lays kept ones aside for
    the trumps that it robs."""
    batch = start(ROBBING, options={**ROB, **KEEP})
    do(batch, "AS AH KH done")
    assert hand(batch, 0) == {"KS", "QS", "QH", "JH", "TH", "9H"}
    do(batch, "JS AD KD done 5S 5C 6D done")
    place, asked, choice = asks(batch)
    assert (place, asked) == (3, "discard")
    assert choice >= {"AC", "KC", "QC", "JC", "TC", "9C", "8C", "7C"}
    do(batch, "AC KC QC done")
    # TS and five kept clubs; AS JS 5S 5C from the discards and 9S 8S 7S 6S 3S 2S: all kept cards go
    assert hand(batch, 3) == {"TS", "AS", "JS", "5S", "5C", "9S", "8S", "7S", "6S", "3S", "2S"}
    assert (seat(batch), phase(batch)) == (0, "play")


def test_an_empty_stock_gives_trumps_back() -> None:
    """7.14: plain cards first, here none, then trumps, last dealt first; the dealer takes what is then left."""
    zones: Zones = {
        0: "AH KH QH JH TH 9H 8H 7H 6H",
        1: "AD KD QD JD TD 9D 8D 7D 6D",
        2: "AS KS QS JS TS 9S 8S 7S 6S",
        3: "5S 5C 4S 3S 2S",
    }
    batch = do(start(zones, options=ROB), "AS KS QS JS TS 9S 8S 7S 6S")
    drawn = hand(batch, 2)
    assert len(drawn) == 6
    assert drawn & set(zones[2].split()) == {"6S", "7S"}
    assert hand(batch, 3) == {"5S", "5C", "4S", "3S", "2S", "AS", "KS", "QS", "JS", "TS", "9S", "8S"}


def test_a_plain_card_comes_back_before_a_trump() -> None:
    """7.14, 2.7"""
    zones: Zones = {
        0: "AH KH QH JH TH 9H 8H 7H 6H",
        1: "AD KD QD JD TD 9D 8D 7D 6D",
        2: "AC AS KS QS JS TS 9S 8S 7S",
        3: "6S 5S 5C 4S 3S 2S",
    }
    batch = do(start(zones, options=ROB), "AS KS QS JS TS 9S 8S 7S")
    assert hand(batch, 2) & set(zones[2].split()) == {"AC", "7S"}
    assert "7S" not in hand(batch, 3)
    assert {"AS", "KS", "QS", "JS", "TS", "9S", "8S"} < hand(batch, 3)


def test_six_at_most_for_a_dealer_that_robbed() -> None:
    """4, 7.14: it takes every trump, then discards down to six, never a point trump."""
    batch = start(
        {**ROBBING, 3: "TS 9S AC KC QC JC TC 9C 8C", "stock": "7H 6H 5H 4H 3H 2H 6C 4C 3C 2C"},
        options={**ROB, "six_at_most": "discard"},
    )
    do(batch, "QS KS done JS 5C 4S done")
    place, asked, choice = asks(batch)
    held = {"TS", "9S", "QS", "KS", "JS", "5C", "4S"}
    assert (place, asked) == (3, "discard")
    assert held <= hand(batch, 3)
    assert choice == hand(batch, 3) - {"TS", "JS", "5C", "2S"}
    while phase(batch) == "discard":
        do(batch, [min(legal(batch))])
    assert len(hand(batch, 3)) == 6


# --- 28-56, face-up discards


def test_28_56_scores() -> None:
    """4: all points 56, else −28."""
    every: Zones = {3: "AS KS QS JS TS 2S", 0: "5S 4S", 1: "5C 3S"}
    batch = start(every, "pass pass pass 28-56 S", options={"bid_28_56": True})
    assert result(play_out(batch)) == ([0, 14], [0, 56], -1)
    some: Zones = {3: "AS KS 2S 4S 3S", 0: "QS JS TS 9S 8S 7S", 1: "5S 5C 6S"}
    batch = play_out(start(some, "pass 14 pass 28-56 S", options={"bid_28_56": True}))
    points, change, _ = result(batch)
    assert points[0] > 0
    assert change == [points[0], -28]


def test_28_56_wins_bidder_out() -> None:
    """2.12: the bidding side makes its bid."""
    every: Zones = {3: "AS KS QS JS TS 2S", 0: "5S 4S", 1: "5C 3S"}
    batch = start(every, "pass pass pass 28-56 S", options={"bid_28_56": True}, scores=[55, 55])
    assert result(play_out(batch))[2] == 1


def test_face_up_discards() -> None:
    """4: what is laid aside is open, whoever laid it aside; surplus trumps too."""
    zones: Zones = {0: "AS KS QS 9S 8S JS 7S AH KH", 1: "TS AD", 2: "5S AC"}
    batch = start(zones, options={"discard_face_up": True})
    assert {"AH", "KH", "AD", "AC"} < names(batch.state.open[0])
    both = start(zones, options={"discard_face_up": True, "six_at_most": "discard"})
    assert asks(both)[:2] == (0, "discard")
    do(both, "QS")
    assert {"QS", "AH", "KH", "AD", "AC"} < names(both.state.open[0])


def test_all_see_which_open_discards_the_dealer_robs() -> None:
    """RULES 7.14 with discard_face_up, decision 8: the card is not open any more, and known to be the dealer's."""
    rules = make_rules("pedro", {"rob_discards": True, "discard_face_up": True})
    pack = stacked_pack(rules, 3, {0: "AS KS QS 9H", 1: "JS", 2: "TS", 3: "5S"})
    batch = do(one_game(rules, pack), "7 pass pass pass S AS done")
    while phase(batch) != "play":
        do(batch, [min(legal(batch) - {"done"} or {"done"})] if phase(batch) == "rob" else ["done"])
    assert "AS" in hand(batch, 3)
    for looking in range(4):
        seen = batch.observe(np.array([0]), np.array([looking]))[0]
        planes = batch.layout.slices
        card = parse_card("AS")
        assert seen[planes["robbed"]][card] == 1
        assert seen[planes["open"]][card] == 0
        assert seen[planes["hand"]][card] == (looking == 3)
    with pytest.raises(ValueError, match="rob_discards and discard_face_up are both on"):
        deal_anew(batch, np.array([0]), 1, 0)
