"""The rules page, case by case: the auctions of the variants, dark bids, moons, misdeals.

As in ``test_rules_cases.py`` seat 3 deals, so seat 0 is eldest.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from pedro_env.engine import Batch
from pedro_env.tables import tables_of
from pedro_env.variants import make_rules
from tests.support import do, hand, legal, one_game, phase, seat
from tests.test_rules_cases import Zones, result, start


def numbers(low: int, high: int) -> set[str]:
    return {str(number) for number in range(low, high + 1)}


def contract(batch: Batch) -> str:
    """The name of the standing bid."""
    return batch.actions.bids[int(batch.state.contract[0])].name


def redealt_by(batch: Batch) -> int:
    """The dealer of the deal after one that ended without play."""
    assert result(batch) == ([0, 0], [0, 0], -1)
    assert batch.state.redeal[0]
    batch.next_deal(np.array([0]))
    assert int(batch.state.deal[0]) == 1
    return int(batch.state.dealer[0])


# --- what may be bid, and what happens when all pass


@pytest.mark.parametrize(
    ("variant", "options", "low", "high", "special"),
    [
        ("cinch", {}, 1, 14, set()),
        ("cinch", {"min_bid": 6}, 6, 14, set()),
        ("cinch-bicycle", {}, 1, 14, set()),
        ("nicaragua", {}, 7, 14, set()),
        ("pidro", {}, 6, 14, set()),
        ("monterey-widow", {}, 6, 16, set()),
        ("tennessee", {}, 9, 17, {"moon"}),
        ("tennessee", {"min_bid": 10}, 10, 17, {"moon"}),
        ("tennessee", {"moon": False}, 9, 17, set()),
        ("lipton", {}, 15, 35, set()),
        ("isle-madame", {}, 25, 39, set()),
        ("canadian", {}, 25, 48, set()),
        ("king-pedro-ukrainian", {}, 30, 62, set()),
        ("sixty-three", {}, 1, 63, set()),
        ("sixty-three-joker", {"exchange": "fill"}, 1, 63, set()),
        ("eighty-three", {}, 30, 83, {"double-83"}),
        ("eighty-three", {"min_bid": 1}, 1, 83, {"double-83"}),
        ("eighty-three-plain", {"min_bid": 40, "exchange": "fill"}, 40, 83, {"double-83"}),
    ],
)
def test_the_bids_of_a_variant(variant: str, options: dict[str, Any], low: int, high: int, special: set[str]) -> None:
    """3.1 to 3.5: eldest begins and may pass; later bids are higher."""
    rules = make_rules(variant, options)
    batch = one_game(rules, sorted(tables_of(rules).pack.tolist()))  # nobody can say misdeal
    assert (seat(batch), phase(batch), legal(batch)) == (0, "bid", numbers(low, high) | special | {"pass"})
    do(batch, str(high - 1))
    assert (seat(batch), legal(batch)) == (1, {str(high), "pass"} | special)


@pytest.mark.parametrize(
    ("variant", "options", "low", "high"),
    [
        ("cinch", {}, 1, 14),
        ("cinch", {"min_bid": 6}, 6, 14),
        ("pidro", {}, 6, 14),
        ("lipton", {}, 15, 35),
        ("isle-madame", {}, 25, 39),
        ("canadian", {}, 25, 48),
    ],
)
def test_the_dealer_must_bid(variant: str, options: dict[str, Any], low: int, high: int) -> None:
    """3.1, 3.4, 7.11: any legal number after three passes, and no pass; then the dealer names trumps."""
    batch = start({}, "pass pass pass", variant=variant, options=options)
    assert (seat(batch), phase(batch), legal(batch)) == (3, "bid", numbers(low, high))
    do(batch, str(low + 1))
    assert (seat(batch), phase(batch), legal(batch)) == (3, "trump", set("SHDC"))


@pytest.mark.parametrize(
    ("variant", "options", "number"),
    [("nicaragua", {}, "6"), ("tennessee", {}, "9"), ("tennessee", {"min_bid": 10}, "10")],
)
def test_the_dealer_is_declarer_unasked(variant: str, options: dict[str, Any], number: str) -> None:
    """3.1, 3.3, 7.11: no decision, in tennessee not even about a misdeal."""
    zones: Zones = {0: "AS", 1: "AH", 2: "AD", 3: "KH QH 9H 8H 7H 6H 4H"}
    batch = start(zones, "pass pass pass", variant=variant, options=options)
    assert (seat(batch), phase(batch), contract(batch)) == (3, "trump", number)
    assert int(batch.state.declarer[0]) == 3


# --- auctions that go round


@pytest.mark.parametrize("variant", ["king-pedro-ukrainian", "eighty-three", "eighty-three-plain"])
def test_a_pass_is_final(variant: str) -> None:
    """3.4, 3.5: who passed is not asked again; three passes end the auction."""
    batch = start({}, "pass 30 31 pass", variant=variant)
    order = []
    for bid in ("33", "35", "37", "pass"):
        order.append(seat(batch))
        assert "pass" in legal(batch)
        do(batch, [bid])
    assert order == [1, 2, 1, 2]
    assert (seat(batch), phase(batch), contract(batch)) == (1, "trump", "37")


@pytest.mark.parametrize("variant", ["sixty-three", "sixty-three-joker"])
def test_a_seat_that_passed_may_bid_again(variant: str) -> None:
    """3.5: round and round until three pass in a row after a bid."""
    batch = start({}, "pass 5 pass pass", variant=variant)
    assert (seat(batch), phase(batch), legal(batch)) == (0, "bid", numbers(6, 63) | {"pass"})
    again = batch.copy()
    do(batch, "pass")
    assert (seat(batch), phase(batch)) == (1, "trump")
    do(again, "6 pass 7 pass pass")
    assert (seat(again), phase(again)) == (1, "bid")
    do(again, "pass")
    assert (seat(again), phase(again), contract(again)) == (2, "trump", "7")


@pytest.mark.parametrize(
    "variant", ["king-pedro-ukrainian", "sixty-three", "sixty-three-joker", "eighty-three", "eighty-three-plain"]
)
def test_all_pass(variant: str) -> None:
    """3.4, 3.5, 7.8, 7.1: the last seat has its turn after three passes; a bid ends the auction, a pass the deal."""
    batch = start({}, "pass pass pass", variant=variant)
    assert (seat(batch), phase(batch)) == (3, "bid")
    assert {"pass", "30", "62"} <= legal(batch)
    bid = do(batch.copy(), "30")
    assert (seat(bid), phase(bid)) == (3, "trump")
    assert redealt_by(do(batch, "pass")) == 0


@pytest.mark.parametrize(
    ("variant", "highest", "others"),
    [
        ("sixty-three", "63", [1, 2, 3]),
        ("king-pedro-ukrainian", "62", [1, 2, 3]),
        ("eighty-three", "double-83", [1, 2, 3]),
    ],
)
def test_the_highest_bid_leaves_forced_passes(variant: str, highest: str, others: list[int]) -> None:
    """6, 2.4: a forced pass is still a step."""
    batch = start({}, highest, variant=variant)
    for place in (1, 2, 3):
        assert (seat(batch), phase(batch), legal(batch)) == (place, "bid", {"pass"})
        do(batch, "pass")
    assert (seat(batch), phase(batch)) == (0, "trump")


def test_trumps_before_or_after_the_kitty() -> None:
    """3.4 lipton, 3.5 eighty-three: the kitty is in the hand when trumps are named; no kitty with the option fill."""
    passes = "pass pass pass"
    lipton = start({0: "AS KS", "kitty": "AH 2H"}, f"15 {passes}", variant="lipton")
    assert (phase(lipton), len(hand(lipton, 0))) == ("trump", 11)
    assert {"AH", "2H"} <= hand(lipton, 0)
    for variant, options, cards in (
        ("eighty-three", {}, 17),
        ("eighty-three-plain", {}, 16),
        ("eighty-three", {"exchange": "fill"}, 9),
        ("sixty-three", {}, 9),
        ("king-pedro-ukrainian", {}, 9),
    ):
        batch = start({}, f"30 {passes}", variant=variant, options=options)
        assert (phase(batch), len(hand(batch, 0))) == ("trump", cards)


# --- louisiana


@pytest.mark.parametrize("variant", ["louisiana", "louisiana-cutthroat"])
def test_nobody_has_cards_in_the_dark(variant: str) -> None:
    """3.1, 6: before the cards are dealt, eldest first, `dark` or pass."""
    batch = start({0: "AS"}, "", variant=variant)
    for place in range(4):
        assert (seat(batch), phase(batch), legal(batch)) == (place, "dark", {"dark", "pass"})
        assert not batch.state.hand[0].any()
        assert not batch.views().hand[0]
        do(batch, "pass")
    assert (seat(batch), phase(batch)) == (0, "bid")
    assert "AS" in hand(batch, 0)
    assert legal(batch) - {"28-56"} == numbers(7, 14) | {"pass"}


@pytest.mark.parametrize(("options", "low"), [({}, 6), ({"forced_bid": 6}, 6), ({"forced_bid": 7}, 7)])
def test_the_forced_dealer_of_louisiana(options: dict[str, Any], low: int) -> None:
    """3.1: six or more, in south-east Louisiana seven; only the dealer, and only when forced."""
    zones: Zones = {3: "AS 3H 2D"}
    batch = start(zones, "pass pass pass pass pass pass", variant="louisiana", options=options)
    assert (seat(batch), legal(batch) - {"28-56"}) == (2, numbers(7, 14) | {"pass"})
    do(batch, "pass")
    assert (seat(batch), legal(batch)) == (3, numbers(low, 14))
    bid = start(zones, "pass pass pass pass pass pass 7", variant="louisiana", options=options)
    assert (seat(bid), legal(bid)) == (3, numbers(8, 14) | {"pass"})


@pytest.mark.parametrize(
    ("passes", "bidder", "asked"), [(0, 0, [1, 2, 3]), (1, 1, [0, 2, 3]), (2, 2, [0, 1, 3]), (3, 3, [0, 1, 2])]
)
def test_the_dark_bidder_is_not_asked_again(passes: int, bidder: int, asked: list[int]) -> None:
    """3.1, 7.22: the first dark bid ends the phase; the other three are asked, and may only pass without A and 2."""
    zones: Zones = {0: "AS 2C", 1: "2S AH", 2: "2H AD", 3: "2D AC"}
    batch = start(zones, "pass " * passes + "dark", variant="louisiana")
    for place in asked:
        assert (seat(batch), phase(batch), legal(batch)) == (place, "bid", {"pass"})
        assert len(hand(batch, place)) == 9
        do(batch, "pass")
    assert (seat(batch), phase(batch), contract(batch)) == (bidder, "trump", "dark")
    assert legal(batch) == set("SHDC")  # seen the cards, any suit: a dark bid is not bound to A and 2


def test_28_56_over_a_dark_bid() -> None:
    """3.1: with A and 2 of one suit; after it only pass; trumps are such a suit."""
    zones: Zones = {0: "KS", 1: "AS 2S AH", 2: "2H AD 2D AC 2C", 3: "KH"}
    batch = start(zones, "dark", variant="louisiana")
    assert (seat(batch), legal(batch)) == (1, {"pass", "28-56"})
    first = do(batch.copy(), "28-56")
    for place in (2, 3):
        assert (seat(first), legal(first)) == (place, {"pass"})
        do(first, "pass")
    assert (seat(first), phase(first), legal(first)) == (1, "trump", {"S"})
    do(batch, "pass")
    assert (seat(batch), legal(batch)) == (2, {"pass", "28-56"})  # the dark bidder's partner too (7.22)
    do(batch, "28-56 pass")
    assert (seat(batch), phase(batch), legal(batch)) == (2, "trump", {"D", "C"})


def test_28_56_without_ace_and_deuce() -> None:
    """3.1: need_ace_deuce=false lifts the need, and then the bond of the suit."""
    zones: Zones = {0: "KS", 1: "AS 2H", 2: "KH", 3: "2S AH"}
    assert legal(start(zones, "dark", variant="louisiana")) == {"pass"}
    batch = start(zones, "dark", variant="louisiana", options={"need_ace_deuce": False})
    assert legal(batch) == {"pass", "28-56"}
    do(batch, "28-56 pass pass")
    assert (seat(batch), phase(batch), legal(batch)) == (1, "trump", set("SHDC"))


# --- tennessee

WEAK = "KH QH 9H 8H 7H 6H 4H 3H KD"
"""No A, J, T, 5, 2, joker."""
WEAKER = "9C 8C 7C 6C 4C 3C 9D 8D 7D"
"""And no K, Q."""
HONOURS: Zones = {0: "AS", 1: "AH", 2: "AD", 3: "AC"}


@pytest.mark.parametrize(
    ("cards", "options", "may"),
    [
        (WEAK, {}, True),
        (WEAK, {"misdeal": "no_points"}, True),
        (WEAK, {"misdeal": "no_points_no_faces"}, False),
        (WEAKER, {"misdeal": "no_points_no_faces"}, True),
        *((WEAKER.replace("7D", card), {}, False) for card in ("AD", "JS", "TC", "5H", "2S", "XB", "XS")),
        (WEAKER.replace("7D", "QS"), {"misdeal": "no_points_no_faces"}, False),
    ],
)
def test_who_may_say_misdeal(cards: str, options: dict[str, Any], may: bool) -> None:
    """3.3: at its turn to bid, a seat without an A, J, T, 5, 2 or joker of any suit."""
    batch = start({1: cards}, "10", variant="tennessee", options=options)
    assert ("misdeal" in legal(batch)) == may
    assert legal(batch) - {"misdeal"} == numbers(11, 17) | {"moon", "pass"}


def test_after_a_misdeal_the_same_dealer_deals() -> None:
    """3.3, 5, 7.1: a record of its own, with no scores."""
    assert redealt_by(start({**HONOURS, 1: WEAK}, "10 misdeal", variant="tennessee")) == 3


def test_moons_of_a_side_that_is_not_negative() -> None:
    """3.3: a moon beats 17; double-moon only over an opponent's moon."""
    batch = start(HONOURS, "17", variant="tennessee")
    assert legal(batch) == {"pass", "moon"}
    do(batch, "moon")
    assert (seat(batch), legal(batch)) == (2, {"pass", "double-moon"})
    doubled = do(batch.copy(), "double-moon")
    assert (seat(doubled), legal(doubled)) == (3, {"pass"})
    do(batch, "pass")
    assert (seat(batch), legal(batch)) == (3, {"pass"})  # the moon is its partner's
    do(batch, "pass")
    assert (seat(batch), phase(batch), contract(batch)) == (1, "trump", "moon")


@pytest.mark.parametrize(
    ("auction", "scores", "place", "expected"),
    [
        ("moon pass", [-1, 0], 2, {"double-moon"}),  # bound, and no misdeal, whatever it holds
        ("moon pass", [0, -1], 2, {"pass", "misdeal"}),  # not negative
        ("moon double-moon", [-1, 0], 2, {"pass", "misdeal"}),  # the moon no longer stands
        ("pass moon pass", [0, -9], 3, {"double-moon"}),
        ("pass pass moon", [-9, 0], 3, {"pass", "double-moon", "misdeal"}),  # the partner has had its turn
    ],
)
def test_a_moon_in_the_hole(auction: str, scores: list[int], place: int, expected: set[str]) -> None:
    """3.3, 7.26: the partner must raise it if it still has its turn and the moon still stands."""
    batch = start({0: "AS", 1: "AH", 2: WEAK, 3: WEAKER}, auction, variant="tennessee", scores=scores)
    assert (seat(batch), phase(batch), legal(batch)) == (place, "bid", expected)


def test_the_raiser_of_a_moon_names_trumps() -> None:
    """3.3"""
    batch = start(HONOURS, "moon pass double-moon pass", variant="tennessee", scores=[-1, 0])
    assert (seat(batch), phase(batch), contract(batch)) == (2, "trump", "double-moon")
    stands = start(HONOURS, "pass pass moon pass", variant="tennessee", scores=[-1, 0])
    assert (seat(stands), phase(stands), contract(stands)) == (2, "trump", "moon")


# --- 28-56 as a house rule of pedro


@pytest.mark.parametrize(
    ("auction", "cards", "expected"),
    [
        ("pass pass pass", "AS KS 2S", numbers(7, 14) | {"28-56"}),
        ("14 pass pass", "AS KS 2S", {"pass", "28-56"}),  # legal over any bid
        ("9 pass pass", "AS KS 2S", numbers(10, 14) | {"pass", "28-56"}),
        ("14 pass pass", "AS KS 2H AH QH", {"pass"}),  # not of one suit
        ("14 pass pass", "AS 2S", {"pass"}),
        ("", "AS KS 2S", numbers(7, 14) | {"pass"}),  # the dealer only
    ],
)
def test_28_56_of_the_dealer(auction: str, cards: str, expected: set[str]) -> None:
    """4, 7.16"""
    place = 3 if auction else 0
    batch = start({place: cards}, auction, options={"bid_28_56": True})
    assert (seat(batch), legal(batch)) == (place, expected)


def test_28_56_binds_the_suit() -> None:
    """7.16: trumps are one of the suits so held."""
    zones: Zones = {3: "AS KS 2S AD KD 2D AH KH"}
    batch = start(zones, "pass 14 pass 28-56", options={"bid_28_56": True})
    assert (seat(batch), phase(batch), legal(batch)) == (3, "trump", {"S", "D"})
    plain = start(zones, "pass pass pass 7", options={"bid_28_56": True})
    assert legal(plain) == set("SHDC")
