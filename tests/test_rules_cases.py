"""The rules page, case by case: positions set up by hand, each test with the section that it checks.

Seat 3 deals unless something else is said, so seat 0 is eldest; spades are trumps, so the five of clubs is the
off-five (and the jack of clubs the off-jack where there is one).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from pedro_env.engine import Batch, IllegalAction
from pedro_env.variants import make_rules
from tests.support import do, hand, legal, names, one_game, phase, seat, stacked_pack

Zones = dict[int | str, str]

# Six tricks for seat 0 whatever is played: 13 points, and the 2 where it lies.
ALL_TRICKS: Zones = {0: "AS KS QS JS TS 9S", 1: "8S 7S", 2: "5S 5C", 3: "6S 4S 3S 2S"}
# 11 points for side 0, 3 for side 1 (jack, ten and the 2 it keeps), whatever is played.
ELEVEN_TO_THREE: Zones = {0: "AS KS QS", 1: "JS TS 9S 8S 7S 6S", 2: "5S 5C", 3: "4S 3S 2S"}


def start(
    zones: Zones,
    actions: str = "7 pass pass pass S",
    *,
    variant: str = "pedro",
    options: dict[str, Any] | None = None,
    dealer: int = 3,
    scores: list[int] | None = None,
) -> Batch:
    """A deal with given cards, after some actions."""
    rules = make_rules(variant, options)
    return do(one_game(rules, stacked_pack(rules, dealer, zones), dealer, scores), actions)


def play_out(batch: Batch) -> Batch:
    """To the end; on lead the strongest trump or else any card, otherwise the first legal action."""
    while not batch.over[0]:
        actions = np.flatnonzero(batch.mask()[0])
        if phase(batch) == "play" and batch.state.led[0] == -1:
            strength = batch.tables.strength.reshape(4, 5, -1)[batch.state.trump[0], 0, actions]
            actions = actions[[strength.argmax()]]
        batch.step(actions[:1])
    return batch


def finish_robbing(batch: Batch) -> Batch:
    while phase(batch) == "rob":
        do(batch, [min(legal(batch))])
    return batch


def result(batch: Batch) -> tuple[list[int], list[int], int]:
    """Points, score change and winner (-1: none) of a deal that is over."""
    assert batch.over[0]
    s = batch.state
    return s.points[0].tolist(), s.score_change[0].tolist(), int(s.winner[0])


# --- 2.3, 2.4 the deal, the auction


def test_packets_of_three_from_eldest_on() -> None:
    """2.3"""
    rules = make_rules("pedro")
    pack = list(range(52))
    batch = one_game(rules, pack, dealer=1)
    expected = {2: [*range(3), *range(12, 15), *range(24, 27)], 1: [*range(9, 12), *range(21, 24), *range(33, 36)]}
    for place, dealt in expected.items():
        assert hand(batch, place) == {batch.actions.names[card] for card in dealt}
    assert seat(batch) == 2
    assert batch.state.stock_next[0] == 36


def test_one_turn_each_and_only_higher_bids() -> None:
    """2.4"""
    batch = start(ALL_TRICKS, "")
    everything = {str(number) for number in range(7, 15)}
    assert (seat(batch), phase(batch), legal(batch)) == (0, "bid", everything | {"pass"})
    do(batch, "9")
    assert legal(batch) == {"pass", "10", "11", "12", "13", "14"}
    do(batch, "pass")
    assert (seat(batch), legal(batch)) == (2, {"pass", "10", "11", "12", "13", "14"})
    do(batch, "13 pass")
    assert (seat(batch), phase(batch), legal(batch)) == (2, "trump", set("SHDC"))


def test_dealer_must_bid_after_three_passes() -> None:
    """2.4, 7.11: any legal number, and no pass."""
    batch = start(ALL_TRICKS, "pass pass pass")
    assert (seat(batch), legal(batch)) == (3, {str(number) for number in range(7, 15)})
    do(batch, "12")
    assert (seat(batch), phase(batch)) == (3, "trump")


def test_a_bid_of_14_does_not_end_the_auction() -> None:
    """2.4: a forced pass is still a step."""
    batch = start(ALL_TRICKS, "14")
    for place in (1, 2, 3):
        assert (seat(batch), phase(batch), legal(batch)) == (place, "bid", {"pass"})
        do(batch, "pass")
    assert (seat(batch), phase(batch)) == (0, "trump")


def test_forced_bid_at_seven_while_others_may_bid_six() -> None:
    """4, 7.15"""
    batch = start(ALL_TRICKS, "", options={"min_bid": 6, "forced_bid": 7})
    assert "6" in legal(batch)
    do(batch, "pass pass pass")
    assert legal(batch) == {str(number) for number in range(7, 15)}


# --- 2.6 to 2.8 discard, fill, rob


def test_all_plain_cards_go_and_no_trump_does() -> None:
    """2.1, 2.6: the off-five is a trump, the other cards of its suit are not."""
    batch = start({0: "5C AC KC AS", 1: "2S 5H", 2: "4C"})
    assert {"5C", "AS"} <= hand(batch, 0)
    assert {"AC", "KC"} <= names(batch.state.laid_aside[0, 0])
    assert "5H" in names(batch.state.laid_aside[0, 1])
    assert "4C" in names(batch.state.laid_aside[0, 2])


def test_fill_from_eldest_the_dealer_left_out() -> None:
    """2.7: to six, from the top of the stock."""
    batch = start(
        {0: "AS KS QS JS", 1: "TS 9S 8S 7S 6S", 2: "5S 5C 4S", 3: "3S 2S", "stock": "AH KH QH JH TH 9H AD KD"}
    )
    assert hand(batch, 0) == {"AS", "KS", "QS", "JS", "AH", "KH"}
    assert hand(batch, 1) == {"TS", "9S", "8S", "7S", "6S", "QH"}
    assert hand(batch, 2) == {"5S", "5C", "4S", "JH", "TH", "9H"}
    assert (seat(batch), phase(batch)) == (3, "rob")
    assert hand(batch, 3) == {"3S", "2S"}


def test_a_full_hand_is_not_filled() -> None:
    """2.7: nobody draws beyond six."""
    batch = start({0: "AS KS QS JS TS 9S 8S", 1: "7S 6S 5S 5C 4S 3S", "stock": "AH KH QH JH TH 9H AD"})
    assert len(hand(batch, 0)) == 7
    assert len(hand(batch, 1)) == 6
    assert hand(batch, 2) == {"AH", "KH", "QH", "JH", "TH", "9H"}


def test_stock_short() -> None:
    """2.7: 18 cards are needed, 16 are there; the plain card dealt last comes back first."""
    batch = start(
        {
            0: "AH KH QH JH TH 9H 8H 7H 6H",
            1: "AD KD QD JD TD 9D 8D 7D 6D",
            2: "AC KC QC JC TC 9C 8C 7C 4S",
            3: "AS KS QS JS TS 9S 8S 7S 6S",
        }
    )
    assert all(len(hand(batch, place)) == 6 for place in range(3))
    drawn = hand(batch, 2) - {"4S"}
    assert len(drawn) == 5
    assert drawn & {"AC", "KC", "QC", "JC", "TC", "9C", "8C", "7C"} == {"7C"}
    assert "7C" not in names(batch.state.laid_aside[0, 2])
    assert len(hand(batch, 3)) == 9
    # With no trump at all in that hand two cards come back, the last dealt ones.
    batch = start(
        {
            0: "AH KH QH JH TH 9H 8H 7H 6H",
            1: "AD KD QD JD TD 9D 8D 7D 6D",
            2: "AC KC QC JC TC 9C 8C 7C 6C",
            3: "AS KS QS JS TS 9S 8S 7S 6S",
        }
    )
    assert hand(batch, 2) & {"AC", "KC", "QC", "JC", "TC", "9C", "8C", "7C", "6C"} == {"7C", "6C"}


def test_stock_short_for_the_dealer() -> None:
    """2.8: the dealer makes its hand up from what it laid aside, in reverse order of dealing; no decision."""
    batch = start(
        {
            0: "AS",
            1: "KS",
            3: "AH KH QH QS JS JH TH 9H 8H",
            "stock": "TS 9S 8S 7S 6S 5S 5C 4S 3S 2S",
        }
    )
    assert hand(batch, 3) == {"QS", "JS", "8H", "9H", "TH", "JH"}
    assert names(batch.state.laid_aside[0, 3]) == {"AH", "KH", "QH"}
    assert batch.state.stock[0] == 0
    assert (seat(batch), phase(batch)) == (0, "play")


def test_the_dealer_takes_every_trump_and_chooses_plain_cards() -> None:
    """2.8"""
    batch = start(
        {
            0: "AS KS QS JS TS 9S",
            1: "8S 7S 6S 5S 5C 4S",
            "stock": "AH KH QH JH TH 9H AD KD 2S QD JD TD 3S 9D 8D 7D",
        }
    )
    assert (seat(batch), phase(batch)) == (3, "rob")
    assert hand(batch, 3) == {"2S", "3S"}
    rest = {"AD", "KD", "QD", "JD", "TD", "9D", "8D", "7D"}
    assert legal(batch) == rest
    for card in ("AD", "7D", "TD", "KD"):
        assert phase(batch) == "rob"
        do(batch, [card])
        rest.discard(card)
        assert phase(batch) == "play" or legal(batch) == rest
    assert hand(batch, 3) == {"2S", "3S", "AD", "7D", "TD", "KD"}
    assert names(batch.state.stock[0]) == rest
    assert (seat(batch), phase(batch)) == (0, "play")


def test_no_decision_where_the_whole_rest_is_needed() -> None:
    """2.8"""
    batch = start(
        {0: "AS KS", 1: "QS JS TS", 2: "9S 8S 7S", "stock": "6S 5S 5C 4S 3S 2S AH KH QH JH AD KD QD JD TD 9D"}
    )
    assert hand(batch, 3) == {"AD", "KD", "QD", "JD", "TD", "9D"}
    assert (seat(batch), phase(batch)) == (0, "play")


def test_no_decision_where_nothing_is_needed() -> None:
    """2.8: the trumps alone fill the hand, here beyond six."""
    batch = start(
        {
            0: "TS 9S 8S 7S",
            1: "6S 5S 5C",
            3: "AS KS QS JS 4S",
            "stock": "AH KH QH JH TH 9H 8H 7H 6H 4H 3H 2H 3S AD 2S KD",
        }
    )
    assert hand(batch, 3) == {"AS", "KS", "QS", "JS", "4S", "3S", "2S"}
    assert names(batch.state.stock[0]) == {"2H", "AD", "KD"}
    assert (seat(batch), phase(batch)) == (0, "play")


# --- 2.1, 2.9 the play

FOLLOWING: Zones = {
    0: "AS KS QS 9S 8S",
    1: "JS TS",
    2: "5C 3S 2S",
    3: "7S 6S 5S 4S",
    "stock": "AH KC QC JH AD 2C KD 2D",
}
"""Hands: 0 has AH; 1 KC QC JH AD; 2 2C KD 2D (with the off-five)."""


def test_trump_led_asks_for_a_trump() -> None:
    """2.9, and 1: the off-five is one of them, led or following."""
    batch = finish_robbing(start(FOLLOWING))
    assert legal(batch) == {"AS", "KS", "QS", "9S", "8S", "AH"}
    do(batch, "8S")
    assert legal(batch) == {"JS", "TS"}
    do(batch, "TS")
    assert legal(batch) == {"5C", "3S", "2S"}


def test_off_five_led_is_a_trump_lead() -> None:
    """1: not a club: a trump must be played to it; it beats the 4 and loses to the 5."""
    batch = finish_robbing(start({**FOLLOWING, 0: "AS KS QS 9S 5C", 2: "8S 3S 2S"}))
    do(batch, "5C")
    assert legal(batch) == {"JS", "TS"}
    do(batch, "JS")
    assert legal(batch) == {"8S", "3S", "2S"}
    assert batch.state.led[0] == 0


@pytest.mark.parametrize(("fourth", "winner"), [("5S", 3), ("4S", 0), ("6S", 3)])
def test_off_five_lies_between_five_and_four(fourth: str, winner: int) -> None:
    """2.1"""
    batch = finish_robbing(start({0: "5C AS KS QS JS TS", 1: "3S", 2: "2S", 3: "9S 8S 7S 6S 5S 4S"}))
    do(batch, ["5C", "3S", "2S", fourth])
    assert seat(batch) == winner


def test_plain_lead_is_followed_or_trumped() -> None:
    """2.9: with a card of the suit, that suit or a trump; without one, any card."""
    batch = finish_robbing(start(FOLLOWING))
    do(batch, "AH")
    assert legal(batch) == {"JH", "JS", "TS"}
    do(batch, "JH")
    assert legal(batch) == {"5C", "3S", "2S", "2C", "KD", "2D"}


def test_the_off_five_does_not_follow_its_printed_suit() -> None:
    """1: clubs led; the seat with the off-five and the 2 of clubs; without the 2 it is void of clubs."""
    batch = finish_robbing(start(FOLLOWING, "pass 7 pass pass S"))
    do(batch, "KC")
    assert legal(batch) == {"2C", "5C", "3S", "2S"}
    zones = {**FOLLOWING, "stock": "AH KC QC JH AD 2H KD 2D"}
    batch = finish_robbing(start(zones, "pass 7 pass pass S"))
    do(batch, "KC")
    assert legal(batch) == {"2H", "KD", "2D", "5C", "3S", "2S"}


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"follow": "strict"}, {"JH"}),
        ({"follow": "free"}, {"JH", "JS", "TS", "KC", "QC", "AD"}),
        ({"follow": "suit_or_trump"}, {"JH", "JS", "TS"}),
    ],
)
def test_house_rules_of_following(options: dict[str, Any], expected: set[str]) -> None:
    """4"""
    batch = do(finish_robbing(start(FOLLOWING, options=options)), "AH")
    assert legal(batch) == expected


def test_strict_follow_of_wpt() -> None:
    """3.1 pedro-wpt"""
    batch = do(finish_robbing(start(FOLLOWING, variant="pedro-wpt")), "AH")
    assert legal(batch) == {"JH"}


def test_lead_a_trump() -> None:
    """4: only the first lead, and only with a trump."""
    batch = finish_robbing(start(FOLLOWING, options={"lead_trump": True}))
    assert legal(batch) == {"AS", "KS", "QS", "9S", "8S"}
    do(batch, "AS TS 3S 4S")
    assert legal(batch) == {"KS", "QS", "9S", "8S", "AH"}


def test_who_wins_a_plain_trick() -> None:
    """2.9: the highest card of the suit led; a trump, and the highest of them, beats it; other suits never win."""
    zones: Zones = {
        0: "AS KS QS JS TS",
        1: "9S 8S 7S 6S",
        2: "5S 5C 4S",
        3: "3S 2S",
        "stock": "TH JH AD QH KD 9D 2D 3D 4D",
    }
    batch = finish_robbing(start(zones))
    do(batch, "TH")
    plain = batch.copy()
    do(plain, "JH QH 2D")
    assert seat(plain) == 2
    do(batch, "6S")
    trumped = batch.copy()
    do(trumped, "QH 2S")
    assert seat(trumped) == 1
    do(batch, "5S 3S")
    assert seat(batch) == 1


def test_voids_are_shown() -> None:
    """2.9, 6: who follows a plain lead neither with the suit nor with a trump has none of it."""
    batch = finish_robbing(start(FOLLOWING))

    def voids(of: int) -> int:
        views = batch.views()
        return int(views.voids[0, (of - int(views.seat[0])) % 4])

    do(batch, "AH JS")
    assert voids(1) == 0  # a trump tells nothing
    do(batch, "KD")
    assert voids(2) == 0b10
    do(batch, "4S")
    assert seat(batch) == 1
    do(batch, "TS 2S 5S 9S")
    assert [voids(place) for place in range(4)] == [0, 0, 0b10, 0]
    do(batch, "KC 2C 7S 8S")
    assert [voids(place) for place in range(4)] == [0, 0, 0b10, 0]
    do(batch, "AS JH")
    assert voids(1) == 0b1


def test_an_illegal_card_is_refused_with_the_reason() -> None:
    """2.9: the message names row, seat, action and rule."""
    batch = do(finish_robbing(start(FOLLOWING)), "8S")
    with pytest.raises(IllegalAction, match=r"row 0, seat 1, .*JH.*8S was led.*RULES 2\.9.*JS"):
        do(batch, "JH")


# --- 2.10 more than six


def test_nine_trumps_are_buried_down_to_six() -> None:
    """2.10: three steps before the play, no point trump; the cards are laid open."""
    batch = finish_robbing(start({0: "AS KS QS JS TS 9S 8S 7S 6S"}))
    spare = {"KS", "QS", "9S", "8S", "7S", "6S"}
    for card in ("7S", "KS", "6S"):
        assert (seat(batch), phase(batch), legal(batch)) == (0, "bury", spare)
        do(batch, [card])
        spare.discard(card)
    assert (seat(batch), phase(batch)) == (0, "play")
    assert legal(batch) == {"AS", "QS", "JS", "TS", "9S", "8S"}
    assert names(batch.state.open[0]) == {"7S", "KS", "6S"}


def test_eight_trumps_are_buried_at_the_seats_turn() -> None:
    """2.10, 6: right before the seat's own card in the first trick."""
    batch = finish_robbing(start({0: "AS", 2: "KS QS JS TS 9S 8S 7S 6S"}))
    assert (seat(batch), phase(batch)) == (0, "play")
    do(batch, "AS")
    assert (seat(batch), phase(batch)) == (1, "play")
    do(batch, [min(legal(batch))])
    assert (seat(batch), phase(batch), len(legal(batch))) == (2, "bury", 6)
    do(batch, "KS QS")
    assert (seat(batch), phase(batch)) == (2, "play")
    assert legal(batch) == {"JS", "TS", "9S", "8S", "7S", "6S"}


def test_seven_trumps_with_one_spare_are_buried_without_a_decision() -> None:
    """2.10, 6: only one way."""
    batch = finish_robbing(start({0: "AS JS TS 5S 5C 2S 9S"}))
    assert (seat(batch), phase(batch)) == (0, "play")
    assert legal(batch) == {"AS", "JS", "TS", "5S", "5C", "2S"}
    assert names(batch.state.open[0]) == {"9S"}


def test_nine_trumps_with_three_spare_are_buried_without_a_decision() -> None:
    """2.10, 7.2: point trumps are never buried; what must go whole is no choice."""
    batch = finish_robbing(start({0: "AS JS TS 5S 5C 2S 9S 8S 7S"}))
    assert (seat(batch), phase(batch)) == (0, "play")
    assert names(batch.state.open[0]) == {"9S", "8S", "7S"}


# --- 2.2, 2.11 points and scores


def test_a_made_bid_adds_the_points_and_the_keeper_keeps_the_two() -> None:
    """2.2, 2.11: side 0 takes every trick, the dealer's side keeps its 2."""
    assert result(play_out(start(ALL_TRICKS, "13 pass pass pass S"))) == ([13, 1], [13, 1], -1)
    assert result(play_out(start(ALL_TRICKS))) == ([13, 1], [13, 1], -1)


def test_a_set_side_subtracts_its_bid() -> None:
    """2.11"""
    assert result(play_out(start(ALL_TRICKS, "14 pass pass pass S"))) == ([13, 1], [-14, 1], -1)


def test_a_set_side_that_took_nothing() -> None:
    """2.11: seat 1 bids, seat 0 takes everything; the kept 2 is the bidding side's only point."""
    assert result(play_out(start(ALL_TRICKS, "pass 7 pass pass S"))) == ([13, 1], [13, -7], -1)


def test_the_kept_two_helps_to_make_the_bid() -> None:
    """2.2: with the 2 in the partner's hand all 14 are there."""
    zones = {**ALL_TRICKS, 2: "5S 5C 2S", 3: "6S 4S 3S"}
    assert result(play_out(start(zones, "14 pass pass pass S"))) == ([14, 0], [14, 0], -1)


def test_a_set_side_of_wpt_subtracts_what_it_took() -> None:
    """3.1 pedro-wpt, 7.20"""
    batch = start(ALL_TRICKS, "14 pass pass pass S", variant="pedro-wpt")
    assert result(play_out(batch)) == ([13, 1], [-13, 1], -1)
    batch = start(ALL_TRICKS, "pass 7 pass pass S", variant="pedro-wpt")
    assert result(play_out(batch)) == ([13, 1], [13, -1], -1)  # the 2 that it kept included


@pytest.mark.parametrize(
    ("options", "bid", "change"),
    [
        ({"slam": True}, "14", [28, 0]),
        ({"slam": True}, "13", [14, 0]),
        ({"scoring": "foster"}, "10", [14, 0]),
        ({"scoring": "bicycle"}, "10", [14, 0]),
    ],
)
def test_house_scores_of_made_bids(options: dict[str, Any], bid: str, change: list[int]) -> None:
    """4"""
    zones = {**ALL_TRICKS, 2: "5S 5C 2S", 3: "6S 4S 3S"}
    batch = play_out(start(zones, f"{bid} pass pass pass S", options=options))
    assert result(batch) == ([14, 0], change, -1)


@pytest.mark.parametrize(
    ("options", "change"),
    [
        ({"slam": True}, [-14, 1]),
        ({"scoring": "foster"}, [0, 15]),  # their points and the bid
        ({"scoring": "bicycle"}, [0, 15]),  # 14 and the one point missing
    ],
)
def test_house_scores_of_set_bids(options: dict[str, Any], change: list[int]) -> None:
    """4, 3.1 cinch and cinch-bicycle"""
    assert result(play_out(start(ALL_TRICKS, "14 pass pass pass S", options=options)))[1] == change


def test_foster_scores_the_difference() -> None:
    """3.1 cinch: made, 11 to 3."""
    batch = play_out(start(ELEVEN_TO_THREE, options={"scoring": "foster"}))
    assert result(batch) == ([11, 3], [8, 0], -1)


# --- 2.12 the match


@pytest.mark.parametrize(
    ("bid", "scores", "winner"),
    [
        ("7", [0, 0], -1),
        ("7", [50, 0], -1),  # 61
        ("7", [51, 0], 0),  # 62 alone
        ("7", [0, 59], 1),  # the defenders alone
        ("7", [51, 59], -1),  # both: another deal
        ("7", [54, 59], -1),  # both; 54 is not enough for bidder out
        ("7", [55, 59], 0),  # bidder out: made
        ("7", [55, 55], 0),
        ("12", [60, 59], 1),  # bidder out: set; the defenders are alone at 62
        ("12", [75, 57], 0),  # bidder out: set; 63 to 60
        ("12", [75, 60], -1),  # bidder out: set; both still there, play goes on
        ("12", [60, 56], -1),  # bidder out: set; nobody is there
    ],
)
def test_the_end_of_a_match(bid: str, scores: list[int], winner: int) -> None:
    """2.12: seat 0 takes 11, bidding 7 (made) or 12 (set)."""
    batch = play_out(start(ELEVEN_TO_THREE, f"{bid} pass pass pass S", scores=scores))
    change = [11, 3] if bid == "7" else [-12, 3]
    assert result(batch) == ([11, 3], change, winner)
    assert batch.state.scores[0].tolist() == [scores[0] + change[0], scores[1] + change[1]]
    assert batch.match_over[0] == (winner >= 0)


@pytest.mark.parametrize(("scores", "out"), [([55, 55], True), ([54, 62], False), ([62, 54], False), ([70, 63], True)])
def test_bidder_out_begins_at_55(scores: list[int], out: bool) -> None:
    """2.12, 7.4"""
    assert start(ELEVEN_TO_THREE, "", scores=scores).state.bidder_out[0] == out
    assert not start(ELEVEN_TO_THREE, "", scores=scores, options={"target": 70}).state.bidder_out[0] or out


def test_the_deal_after_a_double_finish_is_bidder_out() -> None:
    """2.12: the dealer moves on, scores are kept."""
    batch = play_out(start(ELEVEN_TO_THREE, scores=[51, 59]))
    batch.next_deal(np.array([0]))
    s = batch.state
    assert s.scores[0].tolist() == [62, 62]
    assert (int(s.dealer[0]), int(s.deal[0]), bool(s.bidder_out[0])) == (0, 1, True)


@pytest.mark.parametrize(
    ("double_finish", "scores", "winner"),
    [
        ("bidder_wins", [51, 59], 0),
        ("count_order", [61, 61], 0),  # the ace comes first
        ("count_order", [51, 61], 1),  # ace 52; the 2 brings the defenders 62
        ("count_order", [56, 59], 1),  # ace 57; 2, jack and ten bring the defenders 62 before the fives count
    ],
)
def test_other_double_finishes(double_finish: str, scores: list[int], winner: int) -> None:
    """4, 7.17"""
    batch = start(ELEVEN_TO_THREE, scores=scores, options={"double_finish": double_finish})
    assert result(play_out(batch))[2] == winner


def test_a_match_is_cut_off() -> None:
    """2.12, 7.1: after max_deals deals, without a winner; who wins in the last deal wins."""
    row = np.array([0])
    for scores, winner in (([0, 0], -1), ([51, 0], 0)):
        batch = play_out(start(ELEVEN_TO_THREE, options={"max_deals": 2}))
        assert not batch.state.truncated[0]
        assert not batch.match_over[0]
        batch.next_deal(row)
        pack = stacked_pack(batch.rules, 3, ELEVEN_TO_THREE)
        batch.set_position(0, pack, 3, scores, ["7", "pass", "pass", "pass", "S"])
        play_out(batch)
        assert int(batch.state.winner[0]) == winner
        assert batch.state.truncated[0] == (winner < 0)
        assert batch.match_over[0]
        with pytest.raises(ValueError, match="their match is over"):
            batch.next_deal(row)


# --- catch-five, california


def test_catch_five() -> None:
    """3.1: everyone is filled without a choice, the dealer may take the standing bid, or has it at 2 unasked."""
    zones: Zones = {0: "AS KS", 1: "QS"}
    batch = start(zones, "4 pass pass", variant="catch-five")
    assert (seat(batch), legal(batch)) == (3, {"pass", "4", "5", "6", "7", "8", "9"})
    do(batch, "4 S")
    assert (seat(batch), phase(batch)) == (3, "play")
    assert all(len(hand(batch, place)) == 6 for place in range(4))
    batch = start(zones, "pass pass pass", variant="catch-five")
    assert (seat(batch), phase(batch)) == (3, "trump")
    assert batch.tables.bid_numbers[batch.state.contract[0]] == 2


def test_the_auction_of_california_runs_the_other_way() -> None:
    """3.2: from the dealer's right, counter-clockwise, the dealer last."""
    batch = start(ALL_TRICKS, "", variant="california")
    order = []
    for bid in ("6", "7", "8", "pass"):
        order.append(seat(batch))
        do(batch, [bid])
    assert order == [2, 1, 0, 3]
    assert (seat(batch), phase(batch)) == (0, "trump")


@pytest.mark.parametrize(
    ("variant", "two", "change"),
    [
        ("california", 2, [32, 0]),
        ("california", 3, [-16, 1]),
        ("california-100", 2, [32, 0]),
        ("california-100", 3, [-32, 1]),
        ("italian", 2, [16, 0]),
        ("italian", 3, [-16, 1]),
    ],
)
def test_a_bid_of_sixteen(variant: str, two: int, change: list[int]) -> None:
    """3.2: 32 when made; set, −16 in california and −32 in california-100; nothing special in italian."""
    zones = {**ALL_TRICKS, 2: "5S 5C", 3: "6S 4S 3S"}
    zones[two] += " 2S"
    auction = "16 pass pass pass S" if variant == "italian" else "pass pass 16 pass S"
    assert result(play_out(start(zones, auction, variant=variant)))[1] == change


# --- oregon (3.3)

OREGON: Zones = {
    0: "AS KS JC 9S",
    1: "JS 6S",
    2: "4S 3S 2S 5C",
    3: "QS TS 8S 7S 5S",
    "stock": "2H 3H AH AD KD QD 4H JD",
}


def test_oregon_bids_name_suits() -> None:
    """3.3: S > H > C > D within a number; a seat that passed may bid again; three passes end it; no trump step."""
    batch = start(OREGON, "pass 7C", variant="oregon")
    higher = {"7H", "7S", *(f"{number}{suit}" for number in range(8, 16) for suit in "SHDC")}
    assert legal(batch) == higher | {"pass"}
    do(batch, "7H pass 8S pass pass")
    assert (seat(batch), phase(batch)) == (3, "bid")
    do(batch, "pass")
    assert phase(batch) in ("rob", "play")
    assert (int(batch.state.declarer[0]), int(batch.state.trump[0])) == (0, 0)


def test_oregon_forced_dealer() -> None:
    """3.3, 7.25: from five on, and no pass; the others then bid from 6D."""
    batch = start(OREGON, "pass pass pass", variant="oregon")
    assert legal(batch) == {f"{number}{suit}" for number in range(5, 16) for suit in "SHDC"}
    do(batch, "5S")
    assert seat(batch) == 0
    assert legal(batch) == {"pass", *(f"{number}{suit}" for number in range(6, 16) for suit in "SHDC")}
    do(batch, "pass pass pass")
    assert int(batch.state.declarer[0]) == 3


def test_oregon_plain_cards_have_no_rank() -> None:
    """3.3: any card on a plain lead; without a trump the leader wins, otherwise the highest trump."""
    led = do(finish_robbing(start(OREGON, "6S pass pass pass", variant="oregon")), "2H")
    assert legal(led) == hand(led, 1) == {"JS", "6S", "AH", "AD", "KD", "QD"}
    do(led, "AH 4H")
    assert legal(led) == hand(led, 3)
    plain = led.copy()
    do(plain, [min(hand(plain, 3) - set(OREGON[3].split()))])
    assert seat(plain) == 0
    do(led, "7S")
    assert seat(led) == 3


def test_oregon_off_jack() -> None:
    """3.3: it is a trump below the jack and above the ten; the tricks' points go to the winner, the 2's too."""
    batch = finish_robbing(start(OREGON, "6S pass pass pass", variant="oregon"))
    do(batch, "JC")
    assert legal(batch) == {"JS", "6S"}
    higher = batch.copy()
    do(batch, "6S 2S TS")
    assert seat(batch) == 0
    assert batch.state.taken[0].tolist() == [3, 0]
    do(higher, "JS 2S TS")
    assert seat(higher) == 1
    assert higher.state.taken[0].tolist() == [0, 4]


def test_oregon_leaves_on_a_trump_lead_without_a_trump() -> None:
    """3.3: the hand is laid down, open to all; the seat is not asked again."""
    zones: Zones = {0: "AS KS QS JS TS 9S", 1: "8S 7S 6S 5S 4S 3S", 3: "JC 5C 2S"}
    batch = finish_robbing(start(zones, "6S pass pass pass", variant="oregon"))
    cards = hand(batch, 2)
    do(batch, "AS 3S")
    assert seat(batch) == 3
    assert hand(batch, 2) == set()
    assert cards <= names(batch.state.open[0])
    assert result(play_out(batch))[0] == [15, 0]  # no keeper: the trick's winner has the 2


def test_oregon_seven_point_trumps() -> None:
    """7.25: the trumps without points go, then the 2, without a decision; its point is lost."""
    zones: Zones = {0: "AS JS JC TS 5S 5C 2S 9S 8S"}
    batch = finish_robbing(start(zones, "6S pass pass pass", variant="oregon"))
    assert (seat(batch), phase(batch)) == (0, "play")
    assert names(batch.state.open[0]) == {"9S", "8S", "2S"}
    assert sum(result(play_out(batch))[0]) == 14


@pytest.mark.parametrize(
    ("tie", "scores", "winner"),
    [
        ("bidder", [48, 62], 0),  # 63 to 62
        ("bidder", [50, 66], 1),  # 65 to 66: the higher score
        ("bidder", [50, 65], 0),  # 65 each: the bidding side
        ("extra_deal", [50, 65], -1),
    ],
)
def test_oregon_double_finish(tie: str, scores: list[int], winner: int) -> None:
    """3.3, 7.25: side 0 takes all 15."""
    zones: Zones = {0: "AS KS QS JS TS 9S", 1: "8S 7S 6S 5S 4S 3S", 3: "JC 5C 2S"}
    batch = start(zones, "6S pass pass pass", variant="oregon", options={"tie": tie}, scores=scores)
    assert result(play_out(finish_robbing(batch))) == ([15, 0], [15, 0], winner)


# --- five-handed and railroad (3.6)

FIVE: Zones = {0: "AS KS QS JS TS", 1: "9S 8S", 2: "5S 5C 2S", 3: "7S 6S", 4: "4S 3S"}


def shed(batch: Batch) -> Batch:
    while phase(batch) == "discard":
        do(batch, [min(legal(batch))])
    return batch


def five(actions: str = "6 pass pass pass pass S", **more: Any) -> Batch:
    """Five seats; seat 4 deals."""
    return shed(start(FIVE, actions, variant="five-handed", dealer=4, **more))


def test_five_handed_kitty_and_shedding() -> None:
    """3.6: the declarer takes the kitty and names trumps; plain cards of its choice go, down to six."""
    batch = start(FIVE, "6 pass pass pass pass", variant="five-handed", dealer=4)
    assert (seat(batch), phase(batch), len(hand(batch, 0))) == (0, "trump", 12)
    do(batch, "S")
    assert (seat(batch), phase(batch), len(legal(batch))) == (0, "discard", 7)
    assert not legal(batch) & set(FIVE[0].split())
    shed(batch)
    assert all(len(hand(batch, place)) == 6 for place in range(5))
    assert set(FIVE[0].split()) < hand(batch, 0)


def test_five_handed_calls_a_partner() -> None:
    """3.6, 7.30: a trump led, then one that another seat holds is called; it must be played in this trick."""
    batch = five()
    assert legal(batch) == set(FIVE[0].split())
    do(batch, "TS")
    assert (seat(batch), phase(batch)) == (0, "call")
    others = " ".join(FIVE[place] for place in range(1, 5)).split()
    assert legal(batch) == set(others)
    do(batch, "2S")
    assert int(batch.state.partner[0]) == 2
    assert (seat(batch), phase(batch), legal(batch)) == (1, "play", {"9S", "8S"})
    do(batch, "9S")
    assert (seat(batch), legal(batch)) == (2, {"2S"})


@pytest.mark.parametrize(
    ("bid", "called", "change"),
    [
        ("6", "2S", [16, 0, 16, 0, 0]),  # 15 in tricks, and the 2 kept by the partner
        ("16", "2S", [16, 0, 16, 0, 0]),
        ("15", "9S", [15, 15, 1, 1, 1]),  # the 2 is with the defenders
        ("16", "9S", [-16, -16, 1, 1, 1]),  # set: declarer and partner
    ],
)
def test_five_handed_scores(bid: str, called: str, change: list[int]) -> None:
    """3.6: every member of a side scores the side's points."""
    batch = do(five(f"{bid} pass pass pass pass S"), ["TS", called])
    assert result(play_out(batch))[1] == change


@pytest.mark.parametrize(
    ("bid", "scores", "winner"),
    [
        ("15", [89, 89, 0, 0, 0], 0),  # the declarer made its bid, whatever the others have
        ("15", [89, 95, 0, 0, 0], 0),
        ("15", [0, 89, 0, 0, 0], 1),
        ("15", [0, 0, 104, 103, 0], 2),  # 105 and 104: the higher
        ("15", [0, 0, 103, 103, 0], -1),  # equal: play on
        ("16", [119, 0, 0, 0, 0], -1),  # set: 103
        ("16", [125, 0, 103, 0, 110], 4),  # set: 109, 104, 111
    ],
)
def test_five_handed_match(bid: str, scores: list[int], winner: int) -> None:
    """3.6, 7.30"""
    batch = do(five(f"{bid} pass pass pass pass S", scores=scores), ["TS", "9S"])
    assert result(play_out(batch))[2] == winner


def test_five_handed_partner_buries_the_two_first() -> None:
    """7.30: ten trumps, of which the called card may not be buried: three without points for four burials."""
    zones: Zones = {0: "QS 4S", 1: "3S", 3: "8S", 2: "AS KS JS TS 9S 7S 6S 5S 5C 2S"}
    batch = shed(start(zones, "6 pass pass pass pass S", variant="five-handed", dealer=4))
    do(batch, "QS KS 3S")
    assert (seat(batch), legal(batch)) == (2, {"KS"})
    assert names(batch.state.open[0]) == {"2S"}
    batch = play_out(batch)
    assert sum(result(batch)[0]) == 16
    assert {"2S", "6S", "7S", "9S"} <= names(batch.state.open[0])


def test_railroad_alone() -> None:
    """3.6: alone the points count double; set, the declarer subtracts twice the bid."""
    zones: Zones = {0: "AS KS QS JS TS 9S", 1: "8S 7S", 2: "5S 5C", 3: "6S", 4: "4S 3S 2S"}
    for bid, change in (("13", [26, 2, 2, 2, 2]), ("14", [-28, 2, 2, 2, 2])):
        batch = finish_robbing(start(zones, f"{bid} pass pass pass pass S", variant="railroad", dealer=4))
        do(batch, "AS")
        assert "alone" in legal(batch)
        do(batch, "alone")
        assert result(play_out(batch))[1] == change
