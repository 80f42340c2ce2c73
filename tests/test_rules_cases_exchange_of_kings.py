"""The rules page, case by case: the exchange of the king games and of sixty-three and eighty-three.

As in ``test_rules_cases.py`` seat 3 deals, so seat 0 is eldest; spades are trumps, so the five of clubs is the
off-five.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from pedro_env.engine import Batch
from tests.support import do, hand, legal, names, phase, seat
from tests.test_rules_cases import Zones, result, start
from tests.test_rules_cases_exchange import asks

FILL = {"exchange": "fill"}


def shed(batch: Batch, actions: str = "") -> Batch:
    """After some actions, lay aside whatever is asked for."""
    do(batch, actions)
    while phase(batch) == "discard":
        do(batch, [min(legal(batch))])
    return batch


def play_anything(batch: Batch) -> Batch:
    """To the end with the first legal action, a card wherever one is legal."""
    while not batch.over[0]:
        batch.step(np.flatnonzero(batch.mask()[0])[:1])
    return batch


# --- isle-madame and canadian (3.4)

MIXED: Zones = {
    0: "QS JS TS 9S 8S 7S",
    1: "6S 5S 5C",
    2: "4S 3S 2S",
    3: "AS KS AH KH QH JH TH 9H 8H",
    "stock": "AD KD QD JD TD 9D 8D 7D 6D 5D 4D 3D 2D AC KC QC",
}


def madame(zones: Zones, variant: str = "isle-madame", auction: str = "25 pass pass pass S", **more: Any) -> Batch:
    return start(zones, auction, variant=variant, **more)


@pytest.mark.parametrize("variant", ["isle-madame", "canadian"])
def test_the_dealer_mixes_the_stock_with_its_nine(variant: str) -> None:
    """3.4: every trump stays, plain cards of its choice from its own nine or the stock, a kept card a step."""
    batch = madame(MIXED, variant)
    assert hand(batch, 1) == {"6S", "5S", "5C", "AD", "KD", "QD"}
    assert hand(batch, 2) == {"4S", "3S", "2S", "JD", "TD", "9D"}
    plain = {"AH", "KH", "QH", "JH", "TH", "9H", "8H", "8D", "7D", "6D", "5D", "4D", "3D", "2D", "AC", "KC", "QC"}
    for card in ("8H", "AC", "8D", "AH"):
        assert asks(batch) == (3, "rob", plain)
        do(batch, card)
        plain.discard(card)
    assert asks(batch)[:2] == (0, "play")
    assert hand(batch, 3) == {"AS", "KS", "8H", "AC", "8D", "AH"}


def test_the_dealer_takes_the_trumps_of_the_stock() -> None:
    """3.4: and with six of them, or more, keeps no plain card."""
    zones = {**MIXED, 0: "TS 9S 8S 7S", "stock": "2H 3H AD KD QD JD TD 9D 8D 7D QS 5D JS 3D 2D AC"}
    batch = madame(zones)
    assert phase(batch) == "rob"
    do(batch, "AC AH")
    assert hand(batch, 3) == {"AS", "KS", "QS", "JS", "AC", "AH"}
    zones = {**MIXED, 0: "9S 8S", 1: "6S 5C", 2: "7S 5S 4S 3S 2S", "stock": "2H 3H 4H 5H AD KD QD JD TD 9D QS JS TS"}
    batch = madame(zones)
    # 4 + 4 + 1 cards fill the others; five trumps, and one plain card to choose
    assert (seat(batch), phase(batch)) == (3, "rob")
    assert hand(batch, 3) == {"AS", "KS", "QS", "JS", "TS"}
    zones[0], zones["stock"] = "8S", "2H 3H 4H 5H AD KD QD JD TD 9D QS JS TS 9S"
    batch = madame(zones)
    # six trumps: no plain card, no decision
    assert (seat(batch), phase(batch)) == (0, "play")
    assert hand(batch, 3) == {"AS", "KS", "QS", "JS", "TS", "9S"}


def test_surplus_trumps_of_isle_madame() -> None:
    """3.4, 7.27: without points, face up, eldest first, before the dealer robs; the dealer last, after robbing."""
    zones: Zones = {
        0: "AS QS 9S 8S 7S 6S 4S",
        3: "KS JS TS 5S 5C 2S AH",
        "stock": "AD KD QD JD TD 9D 8D 7D 6D 5D 4D 3D 2D AC KC 3S",
    }
    batch = madame(zones)
    assert asks(batch) == (0, "discard", {"QS", "9S", "8S", "7S", "6S", "4S"})
    assert "AH" in hand(batch, 3)
    assert not hand(batch, 1)  # neither has a trump, and nobody has been filled
    assert not hand(batch, 2)
    do(batch, "QS")
    # seven trumps, of which the 3 alone has no points: no decision
    assert phase(batch) == "play"
    assert hand(batch, 3) == {"KS", "JS", "TS", "5S", "5C", "2S"}
    assert names(batch.state.open[0]) == {"QS", "3S"}


@pytest.mark.parametrize(
    ("variant", "cards", "choice", "steps", "open_cards"),
    [
        ("isle-madame", "AS KS JS TS 5S 5C 2S", {"AS", "JS", "TS", "2S"}, 1, set()),
        ("isle-madame", "AS KS JS TS 5S 5C 2S QS 9S", {"AS", "JS", "TS", "2S"}, 1, {"QS", "9S"}),
        ("canadian", "AS KS JS 9S 5S 5C 2S", {"AS", "JS", "2S"}, 1, set()),
        ("canadian", "AS KS JS TS 9S 5S 5C 2S", {"AS", "JS", "TS", "2S"}, 2, set()),
        ("canadian", "AS KS JS TS 9S 5S 5C 2S QS", {"AS", "JS", "TS", "2S"}, 2, {"QS"}),
    ],
)
def test_more_point_trumps_than_six(
    variant: str, cards: str, choice: set[str], steps: int, open_cards: set[str]
) -> None:
    """3.4, 7.27, 7.28: ones worth a point, of its choice; what they count is lost, the 2's too (7.7)."""
    batch = madame({0: cards}, variant)
    total = batch.rules.total_points
    assert names(batch.state.open[0]) == open_cards
    gone = ["2S", "AS"][:steps]
    for card in gone:
        assert asks(batch) == (0, "discard", choice)
        do(batch, [card])
        choice = choice - {card}
    assert len(hand(batch, 0)) == 6
    assert names(batch.state.open[0]) == open_cards | set(gone)
    assert sum(result(play_anything(batch))[0]) == total - steps


def test_surplus_of_several_seats_comes_eldest_first() -> None:
    """3.4: seat 1, then seat 2; nobody draws before."""
    zones: Zones = {1: "AS QS JS 9S 8S 7S 6S", 2: "KS TS 5S 5C 4S 3S 2S"}
    batch = madame(zones)
    assert asks(batch) == (1, "discard", {"QS", "9S", "8S", "7S", "6S"})
    do(batch, "QS")
    assert asks(batch) == (2, "discard", {"4S", "3S"})


# --- king-pedro-ukrainian (3.4)

UKRAINIAN: Zones = {
    0: "3S",
    1: "AS KS QS JS TS",
    2: "2S 4S",
    3: "6S 7S",
    "stock": "AH KH QH JH 9S 8S 5S 5C AD KD QD JD TH TD 9H 9D",
}
"""After the four more: 0 has one trump, 1 nine, 2 the 4 and the 2, 3 two without the 2."""


def ukrainian(zones: Zones, auction: str = "pass 30 pass pass S", actions: str = "") -> Batch:
    return do(start(zones, auction, variant="king-pedro-ukrainian"), actions)


def test_four_more_cards_after_trumps() -> None:
    """3.4, 5: a packet each from eldest on, so that the whole pack is out."""
    batch = ukrainian(UKRAINIAN)
    stock = UKRAINIAN["stock"].split()
    for place in range(4):
        assert set(stock[4 * place : 4 * place + 4]) < hand(batch, place)
        assert len(hand(batch, place)) == 13


def test_who_may_fold() -> None:
    """3.4, 7.29: one trump; two, one of which is the 2; not two others; all are asked before anyone discards."""
    batch = ukrainian(UKRAINIAN)
    assert asks(batch) == (0, "give", {"fold", "done"})
    do(batch, "done")
    assert asks(batch) == (2, "give", {"fold", "done"})
    do(batch, "done")
    assert (seat(batch), phase(batch)) == (0, "discard")


def test_a_fold_gives_the_trumps_to_the_partner() -> None:
    """3.4: and ends the deal for the seat; its partner is not asked (7.29)."""
    batch = ukrainian(UKRAINIAN, actions="fold")
    assert {"2S", "4S", "3S"} < hand(batch, 2)
    assert len(hand(batch, 2)) == 14
    assert "3S" not in hand(batch, 0)
    # seat 1 has nine trumps: its plain cards go whole, so do Q and 8, and then one of the least valuable
    assert asks(batch) == (1, "discard", {"AS", "JS"})
    assert names(batch.state.open[0]) == {"QS", "8S"}
    do(batch, "JS")
    assert (seat(batch), phase(batch), len(legal(batch))) == (2, "discard", 11)  # its plain cards
    assert not legal(batch) & {"2S", "3S", "4S"}
    shed(batch)
    # seat 1 leads; seat 0 is never asked again
    assert (seat(batch), phase(batch)) == (1, "play")
    order = []
    while not batch.over[0]:
        order.append(seat(batch))
        do(batch, [min(legal(batch))])
    assert 0 not in order
    assert len(order) == 18


@pytest.mark.parametrize(
    ("cards", "asked"),
    [
        ("", True),
        ("4S", True),
        ("2S", True),
        ("2S 4S", True),
        ("2S 5C", True),
        ("5C 4S", False),
        ("2S 4S 5C", False),
    ],
)
def test_hands_that_may_fold(cards: str, asked: bool) -> None:
    """3.4: no trump, one trump (it may be the 2), two of which one is the 2."""
    all_trumps = ["AS", "KS", "QS", "JS", "TS", "9S", "8S", "7S", "6S", "5S", "5C", "4S", "3S", "2S"]
    rest = [card for card in all_trumps if card not in cards.split()]
    zones: Zones = {0: cards, 1: " ".join(rest[:9]), 3: " ".join(rest[9:]), "stock": "AH KH QH JH"}
    batch = ukrainian(zones, "pass 30 pass pass S")
    assert (asks(batch)[:2] == (0, "give")) == asked


def test_a_seat_whose_partner_folded_is_not_asked() -> None:
    """7.29: seat 2 would be asked, with one trump, after its partner has folded without any."""
    zones: Zones = {1: "AS KS QS JS TS 9S 8S", 2: "4S", 3: "7S 6S 5S 5C 3S 2S", "stock": "AH KH QH JH"}
    assert asks(ukrainian(zones, actions="done")) == (2, "give", {"fold", "done"})
    batch = ukrainian(zones, actions="fold")
    assert (seat(batch), phase(batch)) == (1, "discard")
    both: Zones = {0: "4S", 1: "AS KS QS JS TS 9S 8S", 2: "2S", 3: "7S 6S 5S 5C 3S", "stock": "AH KH QH JH"}
    assert (seat(ukrainian(both, actions="fold")), phase(batch)) == (1, "discard")


def test_the_declarer_is_not_asked_to_fold() -> None:
    """3.4: its partner is."""
    zones: Zones = {0: "3S", 1: "AS KS QS JS TS 9S", 2: "2S 4S", 3: "8S 7S 6S 5S 5C"}
    batch = ukrainian(zones, "30 pass pass pass S")
    assert asks(batch) == (2, "give", {"fold", "done"})
    do(batch, "fold")
    assert {"2S", "3S", "4S"} < hand(batch, 0)


def test_surplus_of_king_pedro_ukrainian() -> None:
    """3.4, 7.2: plain cards go whole and face down, then trumps without points of its choice, face up."""
    zones: Zones = {
        0: "AS KS QS JS TS 8S 7S",
        1: "9S 6S 5S",
        2: "5C 4S 3S",
        3: "2S AH AD AC",
    }
    batch = ukrainian(zones, "30 pass pass pass S", "done")  # seat 3 has the 2 alone
    assert asks(batch) == (0, "discard", {"QS", "8S", "7S"})
    assert not batch.state.open[0]
    do(batch, "QS")
    assert hand(batch, 0) == {"AS", "KS", "JS", "TS", "8S", "7S"}
    assert names(batch.state.open[0]) == {"QS"}
    place, asked, choice = asks(batch)
    assert (place, asked, len(choice)) == (1, "discard", 10)
    assert not choice & {"9S", "6S", "5S"}  # plain cards only


@pytest.mark.parametrize(
    ("cards", "choice"),
    [
        ("AS KS JS TS 9S 5S 5C 2S", {"AS", "JS"}),  # the 2 first, then an ace or a jack
        ("AS KS JS TS 9S 5S 5C", {"AS", "JS"}),
        ("AS KS JS TS 9S 5S 5C QS", {"AS", "JS"}),
        ("AS KS JS TS 9S 5S 2S", set()),  # the 2 alone
        ("KS JS TS 9S 5S 5C 2S QS", set()),
        ("KS JS TS 9S 5S 5C QS 8S", set()),  # Q and 8 go whole
        ("KS JS TS 9S 5S QS 8S", {"QS", "8S"}),
    ],
)
def test_more_point_trumps_than_six_in_king_pedro_ukrainian(cards: str, choice: set[str]) -> None:
    """3.4: the 2 first, then the least valuable; the 2's point counts for its holder's side all the same."""
    batch = ukrainian({0: cards}, "30 pass pass pass S")
    while phase(batch) == "give":
        do(batch, "done")
    if choice:
        assert asks(batch) == (0, "discard", choice)
        do(batch, [min(choice)])
    assert len(hand(batch, 0)) == 6
    assert seat(batch) != 0 or phase(batch) == "play"
    lost = bool(choice) and min(choice) == "AS"
    total = sum(result(play_anything(batch))[0])
    assert total == 62 - lost


# --- sixty-three (3.5)

SIXTY_THREE = "30 pass pass pass S"


def test_sixty_three_deals_four_more_and_discards_plain_cards_first() -> None:
    """3.5: down to six, of its choice, eldest first, face down."""
    zones: Zones = {0: "AS KS QS 5C", "stock": "JS AH KH QH"}
    batch = start(zones, SIXTY_THREE, variant="sixty-three")
    assert len(hand(batch, 1)) == 13
    place, asked, choice = asks(batch)
    assert (place, asked, len(choice)) == (0, "discard", 8)
    assert not choice & {"AS", "KS", "QS", "5C", "JS"}
    do(batch, sorted(choice - {"AH"}))
    assert hand(batch, 0) == {"AS", "KS", "QS", "5C", "JS", "AH"}
    assert (seat(batch), phase(batch)) == (1, "discard")
    assert not batch.state.open[0]


@pytest.mark.parametrize(
    ("variant", "cards", "choice", "steps"),
    [
        ("sixty-three", "AS KS QS JS TS 9S 8S", {"QS", "8S"}, 1),
        ("sixty-three", "AS KS QS JS TS 3S 5S 5C", {"AS", "JS", "TS"}, 1),  # Q goes, and one worth a point
        ("sixty-three", "AS KS JS TS 9S 5S 5C 3S 2S", {"AS", "JS", "TS", "2S"}, 3),
        ("sixty-three-joker", "AS KS QS JS TS XB 3S", {"QS", "3S"}, 1),
        ("sixty-three-joker", "AS KS JS TS XB 5S 5C 3S", {"AS", "JS", "TS"}, 1),  # the 3 has no points
        ("sixty-three-joker", "AS KS JS TS 9S 5S 5C XB 2S", {"AS", "JS", "TS", "2S"}, 3),
    ],
)
def test_surplus_of_sixty_three(variant: str, cards: str, choice: set[str], steps: int) -> None:
    """3.5, 7.2, 7.10: trumps without points, then the least valuable, among equals its choice."""
    batch = start({0: cards}, SIXTY_THREE, variant=variant)
    for _ in range(steps):
        assert asks(batch) == (0, "discard", choice)
        do(batch, [min(choice)])
        choice = choice - {min(choice)}
    assert len(hand(batch, 0)) == 6
    assert seat(batch) != 0
    assert not batch.state.open[0]  # 3.5 says nothing of "face up"


def test_points_of_discarded_point_trumps_are_lost() -> None:
    """3.5, 7.7: 63 less three; the joker has the 15 of the 3."""
    batch = start({0: "AS KS JS TS 9S 5S 5C 3S 2S"}, SIXTY_THREE, variant="sixty-three")
    assert sum(result(play_anything(shed(batch, "AS JS TS")))[0]) == 60
    batch = start({0: "AS KS JS TS 9S 5S 5C XB 2S"}, SIXTY_THREE, variant="sixty-three-joker")
    assert sum(result(play_anything(shed(batch, "AS JS 2S")))[0]) == 60


def test_one_card_of_sixty_three_joker_stays_undealt() -> None:
    """3.5"""
    stock = "AH KH QH JH TH 9H 8H 7H 6H 5H 4H 3H 2H AD KD QD XB"
    batch = start({0: "AS", "stock": stock}, SIXTY_THREE, variant="sixty-three-joker")
    held = set().union(*(hand(batch, place) | names(batch.state.laid_aside[0, place]) for place in range(4)))
    assert "XB" not in held
    assert len(held) == 52
    total = sum(result(play_anything(shed(batch)))[0])
    assert total == 63 - 15


# --- eighty-three (3.5): trumps are A K Q J T 9 8 7 6 5 f 4 3 2 X; 8 7 6 4 3 have no points

EIGHTY_THREE = "30 pass pass pass S"


def eighty(zones: Zones, actions: str = "", *, variant: str = "eighty-three", **more: Any) -> Batch:
    return do(start(zones, EIGHTY_THREE, variant=variant, **more), actions)


def test_a_surplus_of_trumps_goes_to_the_partner() -> None:
    """3.5: any of its trumps, all its surplus, before anyone discards; then plain cards, eldest first."""
    zones: Zones = {0: "AS KS QS JS TS 9S 8S", 1: "7S 6S 5S 5C 4S", 2: "3S", "kitty": "2S AH KH QH JH", 3: "XB"}
    batch = eighty(zones)
    eight = {"AS", "KS", "QS", "JS", "TS", "9S", "8S", "2S"}
    assert asks(batch) == (0, "give", eight)
    do(batch, "AS")
    assert asks(batch) == (0, "give", eight - {"AS"})
    do(batch, "8S")
    # seat 0 has six trumps: its plain cards go without a decision
    assert hand(batch, 0) == {"KS", "QS", "JS", "TS", "9S", "2S"}
    place, asked, choice = asks(batch)
    assert (place, asked, len(choice)) == (1, "discard", 7)
    do(batch, sorted(choice)[:6])
    place, asked, choice = asks(batch)
    assert (place, asked, len(choice)) == (2, "discard", 11)
    assert {"AS", "8S", "3S"} < hand(batch, 2)
    assert not choice & {"AS", "8S", "3S"}
    assert not batch.state.open[0]


def test_a_partner_with_too_many_discards_trumps_without_points() -> None:
    """3.5: of its choice, and never a point trump."""
    zones: Zones = {0: "AS KS QS JS TS 9S 8S 7S", 2: "5S 5C 4S 3S 2S XB", 1: "6S"}
    batch = eighty(zones)
    do(batch, "8S 7S")
    assert asks(batch) == (2, "discard", {"8S", "7S", "4S", "3S"})
    do(batch, "3S")
    assert asks(batch) == (2, "discard", {"8S", "7S", "4S"})
    do(batch, "8S")
    assert hand(batch, 2) >= {"5S", "5C", "4S", "2S", "XB", "7S"}
    # the other way: two points given, and exactly two trumps without points: no decision
    batch = do(eighty(zones), "AS KS")
    assert hand(batch, 2) >= {"5S", "5C", "2S", "XB", "AS", "KS"}
    assert not hand(batch, 2) & {"4S", "3S"}
    assert (seat(batch), phase(batch)) == (1, "discard")


@pytest.mark.parametrize(("giver", "partner"), [(0, 2), (2, 0), (1, 3), (3, 1)])
def test_a_partner_with_point_trumps_alone_gives_back(giver: int, partner: int) -> None:
    """3.5: its surplus, its choice; the other then discards trumps without points; whoever of the two is elder."""
    zones: Zones = {giver: "AS KS QS JS 8S 7S 6S 4S", partner: "TS 5S 5C 3S 2S XB", (giver + 1) % 4: "9S"}
    batch = eighty(zones)
    do(batch, "AS KS")
    assert asks(batch) == (partner, "give", {"TS", "5S", "5C", "2S", "XB", "AS", "KS"})
    do(batch, "KS")
    assert asks(batch) == (giver, "discard", {"8S", "7S", "6S", "4S"})
    do(batch, "8S")
    assert hand(batch, giver) >= {"QS", "JS", "7S", "6S", "4S", "KS"}
    assert sum(result(play_anything(shed(batch)))[0]) == 83


def test_the_partner_of_a_giver_may_be_elder() -> None:
    """3.5: seat 2 gives to seat 0, which has acted before and acts again."""
    zones: Zones = {2: "AS KS QS JS TS 9S 8S 7S", 0: "5S 5C 4S 3S 2S XB", 1: "6S"}
    batch = eighty(zones)
    assert asks(batch)[:2] == (2, "give")
    do(batch, "8S 7S")
    assert asks(batch) == (0, "discard", {"8S", "7S", "4S", "3S"})


def test_two_givers_of_two_sides() -> None:
    """3.5: eldest first."""
    zones: Zones = {0: "AS KS QS JS TS 9S 8S", 1: "7S 6S 5S 5C 4S 3S 2S", 2: "XB"}
    batch = eighty(zones)
    assert asks(batch) == (0, "give", {"AS", "KS", "QS", "JS", "TS", "9S", "8S"})
    do(batch, "AS")
    assert asks(batch) == (1, "give", {"7S", "6S", "5S", "5C", "4S", "3S", "2S"})
    do(batch, "5C")
    assert "5C" in hand(batch, 3)
    assert phase(batch) == "discard"


def test_both_partners_have_more_than_six() -> None:
    """3.5: what cannot be discarded comes back, and the other has room by discarding."""
    zones: Zones = {0: "AS KS QS JS TS 9S 8S", 2: "7S 6S 5S 5C 4S 3S 2S XB"}
    batch = do(eighty(zones), "AS")
    spare = {"7S", "6S", "4S", "3S"}
    for card in ("7S", "3S", "4S"):
        assert asks(batch) == (2, "discard", spare)
        do(batch, card)
        spare.discard(card)
    assert {"6S", "5S", "5C", "2S", "XB", "AS"} <= hand(batch, 2)
    zones = {0: "AS KS 8S 7S 6S 4S 3S", 2: "QS JS TS 9S 5S 5C 2S XB"}
    batch = do(eighty(zones), "8S")
    # the 8 goes without a decision; eight point trumps are left
    assert asks(batch) == (2, "give", {"QS", "JS", "TS", "9S", "5S", "5C", "2S", "XB"})
    do(batch, "2S XB")
    assert asks(batch) == (0, "discard", {"7S", "6S", "4S", "3S"})
    do(batch, "3S 4S")
    assert {"AS", "KS", "7S", "6S", "2S", "XB"} <= hand(batch, 0)
    assert sum(result(play_anything(shed(batch)))[0]) == 83


def test_eighty_three_without_the_joker() -> None:
    """3.5: the 3 has the 15 and is no trump without points."""
    zones: Zones = {0: "AS KS QS JS TS 9S 8S 7S", 2: "5S 5C 4S 3S 2S", 1: "6S"}
    batch = eighty(zones, "8S 7S", variant="eighty-three-plain")
    assert asks(batch) == (2, "discard", {"8S", "7S", "4S"})


# --- the option exchange="fill" (3.5)

FILLED: Zones = {
    0: "AS KS QS JS TS 9S 8S",
    1: "7S 6S",
    2: "5S AH",
    3: "5C KD QD JD",
    "stock": "KH QH JH TH 9H 8H 7H 6H 5H AD TD 4S AC 3S KC QC",
}


@pytest.mark.parametrize("variant", ["sixty-three", "sixty-three-joker", "eighty-three", "eighty-three-plain"])
def test_the_exchange_by_filling(variant: str) -> None:
    """3.5: all plain cards go, a surplus goes to the partner, three are filled, the dealer keeps from the rest."""
    batch = start(FILLED, EIGHTY_THREE, variant=variant, options=FILL)
    assert asks(batch) == (0, "give", {"AS", "KS", "QS", "JS", "TS", "9S", "8S"})
    assert hand(batch, 2) == {"5S"}
    do(batch, "9S")
    assert hand(batch, 1) == {"7S", "6S", "KH", "QH", "JH", "TH"}
    assert hand(batch, 2) == {"5S", "9S", "9H", "8H", "7H", "6H"}
    assert seat(batch) == 3
    assert phase(batch) == "rob"


def test_the_dealer_keeps_plain_cards_of_the_rest_alone() -> None:
    """3.5: its trumps, and plain cards of its choice up to six, a kept card a step; its own plain cards are gone."""
    zones = {**FILLED, 0: "AS KS QS JS TS 9S"}
    zones["stock"] = "KH QH JH TH 8H 7H 6H 5H 9H AD 2S 4S 8S 3S KC QC"
    batch = start(zones, EIGHTY_THREE, variant="sixty-three", options=FILL)
    assert hand(batch, 1) == {"7S", "6S", "KH", "QH", "JH", "TH"}
    assert hand(batch, 2) == {"5S", "8H", "7H", "6H", "5H", "9H"}
    # left: AD 2S 4S 8S 3S KC QC: five trumps with its own, and one plain card
    assert asks(batch) == (3, "rob", {"AD", "KC", "QC"})
    do(batch, "KC")
    assert hand(batch, 3) == {"5C", "2S", "4S", "8S", "3S", "KC"}
    assert (seat(batch), phase(batch)) == (0, "play")


@pytest.mark.parametrize(
    ("own", "left", "choice"),
    [
        # seven trumps, of which 8 7 6 have no points: one of them
        ("KS JS TS 8S 7S", "6S 5C", {"8S", "7S", "6S"}),
        # seven point trumps: A, J, T or 2
        ("AS KS JS TS 5S", "2S 5C", {"AS", "JS", "TS", "2S"}),
        # Q goes, then one of two worth a point
        ("KS QS JS TS 9S 5S", "3S 5C", {"JS", "TS"}),
    ],
)
def test_the_dealer_discards_a_surplus_from_the_rest(own: str, left: str, choice: set[str]) -> None:
    """3.5: trumps without points, then the least valuable."""
    spades = [f"{rank}S" for rank in "AKQJT98765432"]
    others = [card for card in spades if card not in f"{own} {left}".split()]
    zones: Zones = {place: " ".join(others[place::3]) for place in range(3)}
    drawn = [f"{rank}H" for rank in "KQJT98765432"][: 18 - len(others)]
    zones |= {3: own, "stock": " ".join([*drawn, *left.split()])}
    batch = start(zones, EIGHTY_THREE, variant="sixty-three", options=FILL)
    assert asks(batch) == (3, "discard", choice)
    do(batch, [min(choice)])
    assert (seat(batch), phase(batch)) == (0, "play")
    assert len(hand(batch, 3)) == 6


def test_giving_back_in_the_exchange_by_filling() -> None:
    """3.5: trumps without points first; running out of those, the surplus comes back; then the fills."""
    zones: Zones = {0: "AS KS QS JS 8S 7S 6S 4S", 2: "TS 9S 5S 5C 2S XB", 1: "3S"}
    batch = start(zones, EIGHTY_THREE, variant="eighty-three", options=FILL)
    do(batch, "AS KS")
    assert asks(batch) == (2, "give", {"TS", "9S", "5S", "5C", "2S", "XB", "AS", "KS"})
    do(batch, "KS 9S")
    assert asks(batch) == (0, "discard", {"8S", "7S", "6S", "4S"})
    do(batch, "8S 7S")
    assert hand(batch, 0) == {"QS", "JS", "KS", "9S", "6S", "4S"}
    assert hand(batch, 2) == {"TS", "5S", "5C", "2S", "XB", "AS"}
    assert len(hand(batch, 1)) == 6
    assert (seat(batch), phase(batch)) == (3, "rob")
