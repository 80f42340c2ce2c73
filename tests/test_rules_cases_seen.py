"""The rules page, case by case: what a seat sees (section 6), in the exchanges and at the end of a hand.

A secret is tested twice: the card is not among what the observation shows, and two courses of the deal that differ
in the secret alone look the same. As in ``test_rules_cases.py`` seat 3 deals, so seat 0 is eldest; spades are trumps.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from pedro_env.cards import CARD_NAMES
from pedro_env.engine import Batch
from tests.support import do, hand, legal, phase, seat
from tests.test_rules_cases import Zones, finish_robbing, start
from tests.test_rules_cases_exchange import CINCH, MONTEREY_HANDS, MONTEREY_WIDOWS, NICARAGUA, cinch, monterey
from tests.test_rules_cases_exchange_of_kings import FILL, MIXED, UKRAINIAN, shed

EVERYBODY = (0, 1, 2, 3)


def looks(batch: Batch, place: int) -> np.ndarray:
    """What a seat sees, as zeros and ones."""
    return batch.observe(np.array([0]), np.array([place]))[0]


def sees(batch: Batch, place: int, field: str) -> set[str]:
    """The cards that a field of a seat's observation shows."""
    return {CARD_NAMES[card] for card in np.flatnonzero(looks(batch, place)[batch.layout.slices[field]])}


def number(batch: Batch, place: int, mark: str, of: int) -> int:
    """A number that a seat sees of another one."""
    return int(looks(batch, place)[batch.layout.slices[f"{mark}_{(of - place) % 4}"]].sum())


def sees_anywhere(batch: Batch, place: int) -> set[str]:
    """Every card that a seat sees, in whatever field."""
    fields = [field.name for field in batch.layout.fields if field.kind == "cards"]
    return set().union(*(sees(batch, place, field) for field in fields))


def tell_apart(batch: Batch, one: str, other: str) -> list[int]:
    """The seats that see a difference between two ways to go on."""
    first, second = do(batch.copy(), one), do(batch.copy(), other)
    assert (seat(first), phase(first)) == (seat(second), phase(second))
    return [place for place in EVERYBODY if (looks(first, place) != looks(second, place)).any()]


# --- before the cards are seen


def test_nobody_sees_a_card_in_the_dark() -> None:
    """3.1 louisiana: the cards are dealt after the dark bids."""
    batch = start({0: "AS"}, "", variant="louisiana")
    for actions in ("pass", "pass", "pass"):
        assert all(not sees_anywhere(batch, place) for place in EVERYBODY)
        do(batch, actions)
    other = start({0: "AH KH 2H", 3: "AS"}, "pass pass pass", variant="louisiana")
    assert all((looks(batch, place) == looks(other, place)).all() for place in EVERYBODY)
    do(batch, "pass")
    assert "AS" in sees(batch, 0, "hand")
    assert all(len(sees_anywhere(batch, place)) == 9 for place in EVERYBODY)


def test_the_face_down_four() -> None:
    """3.2 monterey-widow: not before the own turn in the auction, and nobody else's ever."""
    batch = monterey(MONTEREY_HANDS, MONTEREY_WIDOWS, "")
    for acted, bid in enumerate(("6", "pass", "pass", "pass")):
        for place in EVERYBODY:
            assert len(sees_anywhere(batch, place)) == (13 if place < acted else 9)
        do(batch, bid)
    assert set(MONTEREY_WIDOWS[1].split()) <= sees(batch, 1, "hand")
    assert not set(MONTEREY_WIDOWS[1].split()) & sees_anywhere(batch, 0)


@pytest.mark.parametrize("variant", ["lipton", "eighty-three"])
def test_the_kitty_is_the_declarers(variant: str) -> None:
    """6: the kitty only if it took it."""
    batch = start({0: "AS", "kitty": "AH 2H"}, "", variant=variant)
    assert not any("AH" in sees_anywhere(batch, place) for place in EVERYBODY)
    do(batch, "30 pass pass pass")
    assert [place for place in EVERYBODY if "AH" in sees_anywhere(batch, place)] == [0]


def test_the_card_that_is_not_dealt() -> None:
    """3.5 sixty-three-joker: unseen to the end."""
    stock = "AH KH QH JH TH 9H 8H 7H 6H 5H 4H 3H 2H AD KD QD XB"
    batch = start({0: "AS", "stock": stock}, "30 pass pass pass S", variant="sixty-three-joker")
    shed(batch)
    while not batch.over[0]:
        assert not any("XB" in sees_anywhere(batch, place) for place in EVERYBODY)
        do(batch, [min(legal(batch))])


# --- what is laid aside


def test_cinch_discards_are_seen_by_all() -> None:
    """3.1: face up; the numbers too."""
    batch = cinch("TS")
    assert all("TS" in sees(batch, place, "open") for place in EVERYBODY)
    do(batch, "9H 8H done")
    for place in EVERYBODY:
        assert sees(batch, place, "open") == {"TS", "9H", "8H"}
        assert number(batch, place, "laid_aside", 0) == 3


def test_cinch_shows_the_trumps_of_the_stock() -> None:
    """3.1: those that the dealer leaves, and no plain card; the dealer has seen the rest."""
    before = cinch("9H 8H 7H 6H TS done AH KH QH done AD KD QD done AC KC QC JC done")
    assert [place for place in EVERYBODY if "2S" in sees_anywhere(before, place)] == [3]
    batch = do(before.copy(), "4C")
    rest = set(CINCH["stock"].split()) - {"TH", "5H", "4H", "4C", "2S"}
    for place in EVERYBODY:
        assert "2S" in sees(batch, place, "open")
        assert bool(rest & sees_anywhere(batch, place)) == (place == 3)
    assert rest <= sees(batch, 3, "stock")
    assert number(batch, 0, "drawn", 3) == 1
    assert tell_apart(before, "4C", "3C") == [3]  # which plain card it took
    assert tell_apart(before, "4C", "2S") == [0, 1, 2, 3]  # the 2 is not laid open


NICARAGUA_DISCARDS = "done 5S AH done 5C 6S AD KD QD JD TD AC KC done"


def test_nicaragua_discards_are_face_down() -> None:
    """3.1, 6: a seat sees its own; the others the number."""
    batch = start(NICARAGUA, variant="nicaragua")
    assert tell_apart(batch, "AS done done done", "KS done done done") == [0]
    do(batch, NICARAGUA_DISCARDS)
    assert phase(batch) == "rob"
    aside = {"5S", "AH"}
    assert sees(batch, 1, "laid_aside") == aside
    for place in (0, 2):
        assert not sees_anywhere(batch, place) & aside
        assert number(batch, place, "laid_aside", 1) == 2
        assert number(batch, place, "laid_aside", 2) == 7
    assert sees(batch, 3, "stock") >= aside | {"5C", "6S", "AD"}


def test_nicaragua_hides_what_the_dealer_takes() -> None:
    """6: neither from the others nor from the seat that laid it aside."""
    batch = do(start(NICARAGUA, variant="nicaragua"), NICARAGUA_DISCARDS)
    assert tell_apart(batch, "5S AH", "5C AD") == [3]
    assert tell_apart(batch, "5S AH", "2D 3C") == [3]
    do(batch, "5S AH")
    assert sees(batch, 1, "laid_aside") == {"5S", "AH"}
    assert number(batch, 1, "drawn", 3) == 2


@pytest.mark.parametrize(
    ("options", "one", "other"),
    [
        ({"keep_plain": True}, "AH KH QH done", "JH TH QH done"),
        ({"rob_discards": True}, "AS done", "KS done"),
        ({"rob_discards": True, "keep_plain": True}, "AH KH AS done", "JH KS TH done"),
    ],
)
def test_house_discards_are_face_down(options: dict[str, Any], one: str, other: str) -> None:
    """4, 6: a choice among what to lay aside is the seat's own secret."""
    zones: Zones = {0: "AS KS QS JS AH KH QH JH TH", 1: "TS 9S", 2: "5S 5C"}
    assert tell_apart(start(zones, options=options), one, other) == [0]


def test_the_robber_of_discards_alone_sees_them() -> None:
    """6, 7.14"""
    zones: Zones = {0: "AS KS QS AH KH QH JH TH 9H", 1: "JS 9S 8S 7S", 2: "5S 5C 4S 6S 3S 2S", 3: "TS 8C"}
    batch = do(start(zones, options={"rob_discards": True}), "AS done done done")
    assert phase(batch) == "rob"
    assert "AS" in hand(batch, 3)
    for place in (1, 2):
        assert not {"AS", "AH", "KH"} & sees_anywhere(batch, place)
    assert {"AS", "AH", "KH"} <= sees(batch, 0, "laid_aside")
    assert {"AH", "KH"} <= sees(batch, 3, "stock")
    assert tell_apart(batch, "AH", "KH") == [3]


def test_discard_face_up_shows_everything() -> None:
    """4: what is laid aside is seen by all, plain cards and surplus trumps."""
    zones: Zones = {0: "AS KS QS 9S 8S JS 7S AH KH", 1: "TS AD", 2: "5S AC"}
    batch = start(zones, options={"discard_face_up": True, "six_at_most": "discard"})
    assert tell_apart(batch, "QS", "KS") == [0, 1, 2, 3]
    do(batch, "QS")
    for place in EVERYBODY:
        assert {"AH", "KH", "QS", "AD", "AC"} <= sees(batch, place, "open")
    kept = start({0: "AS KS QS JS AH KH QH JH TH"}, options={"discard_face_up": True, "keep_plain": True})
    assert tell_apart(kept, "AH KH QH done", "JH TH QH done") == [0, 1, 2, 3]


def test_six_at_most_is_face_down() -> None:
    """4: nothing is laid open that the page does not lay open."""
    batch = start({0: "AS KS QS 9S 8S JS 7S"}, options={"six_at_most": "discard"})
    assert tell_apart(batch, "QS", "KS") == [0]
    counts = start({0: "AS KS QS 9S 8S JS 7S"}, options={"six_at_most": "counts_for_opponents"})
    assert tell_apart(counts, "QS", "JS") == [0]


SURPLUS = "AS KS QS JS 9S 8S 7S AH KH"
"""Seven trumps, of which Q, 8 and 7 have no points in any variant."""


@pytest.mark.parametrize(
    ("variant", "auction"),
    [
        ("pidro", "7 pass pass pass S"),
        ("isle-madame", "25 pass pass pass S"),
        ("canadian", "25 pass pass pass S"),
        ("king-pedro-ukrainian", "30 pass pass pass S"),
    ],
)
def test_surplus_trumps_face_up_and_plain_cards_face_down(variant: str, auction: str) -> None:
    """3.1, 3.4: which trump goes is seen by all, which plain cards by nobody else."""
    zones: Zones = {0: SURPLUS, 1: "TS 6S 4S", 2: "5S 3S 5C AD"}
    batch = start(zones, auction, variant=variant)
    while phase(batch) == "give":
        do(batch, "done")
    assert (seat(batch), phase(batch)) == (0, "discard")
    assert tell_apart(batch, "QS", "8S") == [0, 1, 2, 3]
    do(batch, "QS")
    for place in EVERYBODY:
        assert sees(batch, place, "open") == {"QS"}
        assert ("AH" in sees_anywhere(batch, place)) == (place == 0)
        assert number(batch, place, "laid_aside", 0) == (3 if variant != "king-pedro-ukrainian" else 7)


@pytest.mark.parametrize(
    ("variant", "bid", "others"),
    [
        ("king-pedro-ukrainian", 30, {1: "9S 8S 7S 6S", 3: "5S 5C 4S 3S 2S"}),
        ("sixty-three", 30, {}),
        ("sixty-three-joker", 30, {}),
        ("eighty-three", 30, {1: "9S 8S 7S 6S", 3: "5S 5C 4S 3S 2S"}),
        ("lipton", 15, {}),
        ("tennessee", 10, {1: "9S 8S 7S 6S", 3: "5S 5C 4S 3S 2S"}),
    ],
)
def test_plain_cards_of_ones_choice_are_face_down(variant: str, bid: int, others: Zones) -> None:
    """6: the number alone is seen."""
    zones: Zones = {0: "AS KS QS AH KH QH JH", 2: "JS TS JC", **others}
    batch = start(zones, f"{bid} pass pass pass S", variant=variant)
    while phase(batch) == "give":
        do(batch, "done")
    assert (seat(batch), phase(batch)) == (0, "discard")
    assert tell_apart(batch, "AH", "KH") == [0]
    do(batch, "AH")
    assert [place for place in EVERYBODY if "AH" in sees_anywhere(batch, place)] == [0]


def test_monterey_widow_discards_are_face_down() -> None:
    """3.2"""
    batch = monterey(MONTEREY_HANDS, MONTEREY_WIDOWS, "6 pass pass pass S")
    assert tell_apart(batch, "AD", "KD") == [0]


@pytest.mark.parametrize("variant", ["sixty-three", "sixty-three-joker"])
def test_surplus_trumps_of_sixty_three_are_face_down(variant: str) -> None:
    """3.5: nothing says face up."""
    batch = start({0: SURPLUS}, "30 pass pass pass S", variant=variant)
    assert tell_apart(batch, "QS", "8S") == [0]


# --- what is taken from the stock


def test_isle_madame_hides_the_mixed_cards() -> None:
    """3.4, 6: the dealer sees the rest of the stock; nobody sees what it keeps."""
    batch = start(MIXED, "25 pass pass pass S", variant="isle-madame")
    assert phase(batch) == "rob"
    assert tell_apart(batch, "8H AC 8D AH", "9H KC 7D KH") == [3]
    do(batch, "8H AC 8D AH")
    assert {"KC", "7D", "KH", "9H"} <= sees_anywhere(batch, 3)
    for place in (0, 1, 2):
        assert not {"KC", "8H", "AC", "AH"} & sees_anywhere(batch, place)


def test_isle_madame_hides_how_many_trumps_the_dealer_has() -> None:
    """3.4, 6: the dealer draws the rest of the stock, here nine cards; what it keeps of its own nine is not drawn.

    Two packs in which seat 0 draws the 7 of trumps, or leaves it to the dealer: the other two cannot tell. The engine
    differs: a card kept is counted as drawn, so the number tells how many plain cards, and so how many trumps, it kept.
    """
    zones: Zones = {0: "QS JS TS 9S 8S AH", 1: "6S 5S 5C", 2: "4S 3S 2S", 3: "AS KS KH QH JH TH 9H 8H 7H"}
    views: list[np.ndarray] = []
    for first, last in (("7S", "AD"), ("AD", "7S")):
        stock = f"{first} KD QD JD TD 9D 8D 7D 6D 5D 4D 3D 2D AC KC {last}"
        batch = finish_robbing(start({**zones, "stock": stock}, "25 pass pass pass S", variant="isle-madame"))
        assert (seat(batch), phase(batch)) == (0, "play")
        views.append(np.stack([looks(batch, place) for place in (1, 2)]))
        assert number(batch, 1, "drawn", 3) == 9
    assert (views[0] == views[1]).all()


def test_the_exchange_by_filling_hides_the_rest() -> None:
    """3.5, 6"""
    zones: Zones = {0: "AS KS QS JS TS 9S", 1: "7S 6S", 2: "5S AH", 3: "5C KD QD JD"}
    zones["stock"] = "KH QH JH TH 8H 7H 6H 5H 9H AD 2S 4S 8S 3S KC QC"
    batch = start(zones, "30 pass pass pass S", variant="sixty-three", options=FILL)
    assert tell_apart(batch, "AD", "KC") == [3]
    do(batch, "AD")
    assert [place for place in EVERYBODY if "KC" in sees_anywhere(batch, place)] == [3]


# --- what is given


EIGHTY_THREE: Zones = {0: "AS KS QS JS TS 9S 8S 7S", 2: "5S 5C 4S 3S", 1: "6S", 3: "2S XB"}


@pytest.mark.parametrize("options", [{}, FILL])
def test_given_cards_are_known_to_two(options: dict[str, Any]) -> None:
    """3.5, 6: giver and receiver."""
    batch = start(EIGHTY_THREE, "30 pass pass pass S", variant="eighty-three", options=options)
    assert tell_apart(batch, "8S 7S", "AS 9S") == [0, 2]
    do(batch, "AS 9S")
    assert {"AS", "9S"} <= sees(batch, 2, "hand")
    for place in (1, 3):
        assert not {"AS", "9S"} & sees_anywhere(batch, place)
        assert not sees(batch, place, "gave") | sees(batch, place, "received")


def test_cards_that_come_back_are_known_to_two() -> None:
    """3.5"""
    zones: Zones = {0: "AS KS QS JS 8S 7S 6S 4S", 2: "TS 5S 5C 3S 2S XB", 1: "9S"}
    batch = do(start(zones, "30 pass pass pass S", variant="eighty-three"), "AS KS")
    assert (seat(batch), phase(batch)) == (2, "give")
    assert tell_apart(batch, "KS", "5S") == [0, 2]


def test_slides_are_known_to_two() -> None:
    """3.3 tennessee"""
    zones: Zones = {0: "AS KS QS JS TS 9S AH KH", 1: "8S", 2: "JC XB XS 7S", 3: "5C 4S 3S 2S 6S 5S"}
    batch = start(zones, "10 pass pass pass S", variant="tennessee")
    assert (seat(batch), phase(batch)) == (0, "give")
    assert tell_apart(batch, "AS AH done", "KS KH done") == [0, 2]
    do(batch, "AS AH done")
    assert {"AS", "AH"} <= sees_anywhere(batch, 2)
    assert not any({"AS", "AH"} & sees_anywhere(batch, place) for place in (1, 3))


@pytest.mark.parametrize(
    ("variant", "options", "zones", "auction", "giving", "cards"),
    [
        ("eighty-three", {}, EIGHTY_THREE, "30 pass pass pass S", "AS 9S", {"AS", "9S"}),
        ("eighty-three", FILL, EIGHTY_THREE, "30 pass pass pass S", "AS 9S", {"AS", "9S"}),
        ("sixty-three", FILL, {0: "AS KS QS JS TS 9S 8S"}, "30 pass pass pass S", "9S", {"9S"}),
        ("tennessee", {}, {0: "AS KS QS JS TS 9S AH", 3: "XB XS JC 8S"}, "10 pass pass pass S", "AH", {"AH"}),
        ("king-pedro-ukrainian", {}, UKRAINIAN, "pass 30 pass pass S", "fold", {"3S"}),
    ],
)
def test_who_gave_and_who_was_given_what(
    variant: str, options: dict[str, Any], zones: Zones, auction: str, giving: str, cards: set[str]
) -> None:
    """6: a seat sees its own cards, those it gave and was given too, as the layout says; nobody else does.

    The engine differs: the fields stay empty for everybody.
    """
    batch = do(start(zones, auction, variant=variant, options=options), giving)
    assert sees(batch, 0, "gave") == cards
    assert sees(batch, 2, "received") == cards
    for place in (1, 3):
        assert not sees(batch, place, "gave") | sees(batch, place, "received")
    assert not sees(batch, 2, "gave") | sees(batch, 0, "received")


# --- hands that are not played out


def test_a_fold_is_not_laid_open() -> None:
    """3.4 king-pedro-ukrainian: its trump is known to its partner, its other cards to nobody."""
    batch = start(UKRAINIAN, "pass 30 pass pass S", variant="king-pedro-ukrainian")
    folded = hand(batch, 0)
    do(batch, "fold")
    for place in (1, 3):
        assert not folded & sees_anywhere(batch, place)
    assert folded & sees_anywhere(batch, 2) == {"3S"}
    assert all(number(batch, place, "out", 0) == 1 for place in EVERYBODY)
    shed(batch)
    while not batch.over[0]:
        for place in (1, 2, 3):
            assert folded & sees_anywhere(batch, place) <= {"3S"}
        do(batch, [min(legal(batch))])


@pytest.mark.parametrize("variant", ["isle-madame", "canadian"])
def test_a_folded_hand_is_not_seen(variant: str) -> None:
    """3.4, 6"""
    zones: Zones = {0: "AS KS QS JS TS 9S", 2: "8S 7S 6S 5S 5C 4S", 3: "3S 2S"}
    batch = finish_robbing(start(zones, "25 pass pass pass S", variant=variant))
    folded = hand(batch, 1)
    do(batch, "AS fold")
    for place in (0, 2, 3):
        assert not folded & sees_anywhere(batch, place)
        assert number(batch, place, "out", 1) == 1
    assert folded <= sees_anywhere(batch, 1)


def test_a_hand_laid_down_is_seen() -> None:
    """3.2 monterey-widow, 3.3 tennessee."""
    zones: Zones = {0: "AS KS QS JS JC TS", 2: "XB XS 9S 8S 7S 6S", 3: "5S 5C 4S 3S 2S"}
    batch = do(start(zones, "10 pass pass pass S", variant="tennessee"), "done")
    down = hand(batch, 1)
    do(batch, "AS")
    for place in EVERYBODY:
        assert down <= sees(batch, place, "open")
        assert number(batch, place, "out", 1) == 1
