"""The rules page, case by case: the play of the variants: what may be led and played, who is out, who leads on.

As in ``test_rules_cases.py`` seat 3 deals, so seat 0 is eldest; spades are trumps, so the five of clubs is the
off-five and the jack of clubs the off-jack.
"""

from __future__ import annotations

import pytest

from pedro_env.engine import Batch
from tests.support import do, hand, legal, names, phase, seat
from tests.test_rules_cases import FOLLOWING, Zones, finish_robbing, result, start
from tests.test_rules_cases_exchange import MONTEREY_HANDS, MONTEREY_WIDOWS, asks, monterey
from tests.test_rules_cases_exchange_of_kings import play_anything, shed

# --- what may be played to a plain lead


@pytest.mark.parametrize(
    ("variant", "expected"),
    [
        ("louisiana", {"JH", "JS", "TS"}),
        ("louisiana-cutthroat", {"JH", "JS", "TS", "KC", "QC", "AD"}),
    ],
)
def test_following_in_louisiana(variant: str, expected: set[str]) -> None:
    """3.1: in cutthroat any card may be played on a plain lead."""
    batch = finish_robbing(start(FOLLOWING, "pass pass pass pass 7 pass pass pass S", variant=variant))
    assert legal(do(batch.copy(), "8S")) == {"JS", "TS"}
    assert legal(do(batch, "AH")) == expected


def test_strict_follow_of_nicaragua() -> None:
    """3.1: every suit: with a card of it neither a trump nor another suit; without one any card."""
    zones: Zones = {
        0: "AS KS AH KH QH JH TH",
        1: "JS 5C 9H AC KC QC JC",
        2: "QS 5S AD KD QD JD TD",
        3: "TS 9S 8H 7H 6H 5H 4H",
    }
    batch = do(start(zones, variant="nicaragua"), "done done done done")
    do(batch, "AH")
    assert legal(batch) == {"9H"}
    do(batch, "9H")
    assert legal(batch) == set(zones[2].split())  # void
    do(batch, "TD")
    assert legal(batch) == {"8H", "7H", "6H", "5H", "4H"}
    do(batch, "4H")
    do(batch, "KS")
    assert legal(batch) == {"JS", "5C"}


# --- pidro: only trumps are played


def pidro(zones: Zones, actions: str = "7 pass pass pass S") -> Batch:
    return start(zones, actions, variant="pidro")


def test_only_trumps_are_played() -> None:
    """3.1: led and followed; a seat without one is out of the deal."""
    batch = pidro({0: "AS 4S", 1: "KS QS JS TS 9S 8S", 3: "7S 6S 5S 5C 3S 2S"})
    assert len(hand(batch, 0)) == 6
    assert asks(batch) == (0, "play", {"AS", "4S"})
    do(batch, "AS")
    assert asks(batch) == (1, "play", {"KS", "QS", "JS", "TS", "9S", "8S"})
    do(batch, "9S")
    assert asks(batch) == (3, "play", {"7S", "6S", "5S", "5C", "3S", "2S"})
    do(batch, "3S 4S 8S 2S")
    # seat 1 has won with its 8; seat 0 has no trump any more
    assert asks(batch) == (1, "play", {"KS", "QS", "JS", "TS"})
    do(batch, "KS")
    assert seat(batch) == 3
    do(batch, "5S")
    assert seat(batch) == 1
    assert result(play_anything(batch))[2] == -1


def test_a_last_trump_that_wins_passes_the_lead() -> None:
    """3.1, 7.21: clockwise to the next seat that has one; seat 1 played its last in the same trick."""
    batch = pidro({0: "AS", 1: "2S", 2: "KS QS JS TS 9S 8S", 3: "7S 6S 5S 5C 4S 3S"})
    do(batch, "AS")
    assert asks(batch) == (1, "play", {"2S"})
    do(batch, "2S 9S 4S")
    assert asks(batch) == (2, "play", {"KS", "QS", "JS", "TS", "8S"})
    assert batch.state.taken[0].tolist() == [1, 0]


def test_a_declarer_without_trumps_passes_the_lead() -> None:
    """3.1"""
    batch = pidro({1: "AS KS QS JS TS 9S", 2: "8S 7S", 3: "6S 5S 5C 4S 3S 2S"})
    assert asks(batch) == (1, "play", {"AS", "KS", "QS", "JS", "TS", "9S"})
    batch = pidro({2: "AS KS QS JS TS 9S 8S", 3: "6S 5S 5C 4S 3S 2S 7S"})
    do(batch, "8S 7S")
    assert seat(batch) == 2


def test_the_last_seat_with_trumps_wins_the_rest() -> None:
    """3.1: no decisions remain."""
    zones: Zones = {0: "AS KS QS JS TS 9S 8S 7S 6S", 1: "5S", 2: "5C", 3: "4S 3S 2S"}
    batch = do(pidro(zones), "9S 8S 7S")
    # left to seat 0: A K Q J T 6
    order: list[int] = []
    for card in ("AS", "5S", "5C", "4S", "KS", "3S", "QS", "2S"):
        order.append(seat(batch))
        do(batch, card)
    assert order == [0, 1, 2, 3, 0, 3, 0, 3]
    assert result(batch) == ([13, 1], [13, 1], -1)


# --- monterey-widow


def test_monterey_widow_leads_a_trump_and_drops_out() -> None:
    """3.2: opening lead a trump; who cannot follow lays its cards down; on a plain lead suit or trump."""
    hands = {0: "AS KS QS AH", 1: "JS TS 9S KH", 2: "AD KD QD", 3: "8S 7S 6S 5S 5C 4S"}
    batch = monterey(hands, {1: "QH JH", 3: "3S 2S"}, "6 pass pass pass S")
    keep = {"AH", "KH", "QH", "JH", "AD", "KD", "QD", "TH", "9H"}
    while phase(batch) == "discard":
        do(batch, [min(legal(batch) - keep, default=min(legal(batch)))])
    down = hand(batch, 2)
    assert asks(batch) == (0, "play", {"AS", "KS", "QS"})
    do(batch, "AS JS")
    # seat 2 has no trump
    assert asks(batch) == (3, "bury", {"8S", "7S", "6S", "4S", "3S"})
    assert down <= names(batch.state.open[0])
    do(batch, "8S 7S 6S")
    assert seat(batch) == 0
    do(batch, "AH")
    assert seat(batch) == 1
    assert legal(batch) == {"TS", "9S"} | {card for card in hand(batch, 1) if card[1] == "H"}
    do(batch, "KH")
    assert seat(batch) == 3  # seat 2 stays out


def test_monterey_widow_plays_on_when_a_plain_card_is_led() -> None:
    """3.2: a declarer without a trump leads any card; a seat without one is out on a trump lead, not before."""
    hands = {0: "3H 2H", 1: "AS KS QS JS TS 9S 8S 7S 6S", 2: "AD KD", 3: "5S 5C 4S 3S 2S KH"}
    batch = monterey(hands, {}, "6 pass pass pass S")
    keep = {"3H", "2H", "AD", "KD", "KH"}
    while phase(batch) == "discard":
        do(batch, [min(legal(batch) - keep, default=min(legal(batch)))])
    assert asks(batch) == (0, "play", hand(batch, 0))
    do(batch, "3H KS QS 9S 6S")
    assert (seat(batch), phase(batch)) == (2, "play")
    do(batch, [min(legal(batch))])
    assert asks(batch) == (3, "play", {"KH", "5S", "5C", "4S", "3S", "2S"})
    do(batch, "KH AS")
    assert asks(batch)[:2] == (3, "play")
    assert not hand(batch, 2)


def test_monterey_widow_buries_in_the_first_trick() -> None:
    """3.2, 2.10"""
    batch = shed(monterey(MONTEREY_HANDS, MONTEREY_WIDOWS, "6 pass pass pass S"))
    do(batch, "AS")
    assert phase(batch) == "bury"
    do(batch, "6S")
    assert asks(batch) == (1, "play", {"9S", "8S", "7S", "5S", "5C", "3S"})
    assert "6S" in names(batch.state.open[0])


# --- tennessee

LAYS_DOWN: Zones = {0: "AS KS QS JS JC TS", 2: "XB XS 9S 8S 7S 6S", 3: "5S 5C 4S 3S 2S"}


def test_a_seat_without_a_trump_lays_down_its_hand() -> None:
    """3.3, 7.26: in the first trick too, once it has been led to, at its turn; it plays nothing and is not asked."""
    batch = do(start(LAYS_DOWN, "10 pass pass pass S", variant="tennessee"), "done")
    down = hand(batch, 1)
    assert (seat(batch), phase(batch)) == (0, "play")
    assert not names(batch.state.open[0]) & down
    do(batch, "AS")
    assert seat(batch) == 2
    assert down <= names(batch.state.open[0])
    assert not hand(batch, 1)
    assert legal(batch) == {"XB", "XS", "9S", "8S", "7S", "6S"}
    do(batch, "6S")
    assert legal(batch) == {"5S", "5C", "4S", "3S", "2S", "concede"}
    do(batch, "2S")
    assert seat(batch) == 0
    assert batch.state.taken[0].tolist() == [2, 0]  # A and 2: no keeper


def test_any_opening_lead_in_tennessee() -> None:
    """3.3, 7.26: plain cards have no rank; a leader without a trump is out, and its won trick passes the lead."""
    zones: Zones = {
        0: "AS KS 2H AH KH",
        1: "QS 8S 7S 3S 6S",
        2: "JS JC TS 5S 4S",
        3: "XB XS 9S 5C 2S",
        "stock": "7H 9H TH 3H",
    }
    batch = start(zones, "10 pass pass pass S", variant="tennessee")
    keep = {"2H", "AH", "KH", "3H"}
    while phase(batch) == "discard":
        do(batch, [min(legal(batch) - keep)])
    assert legal(batch) == {"AS", "KS", *keep}  # any card
    do(batch, "AS 3S 4S 2S KS 6S 5S 9S")
    assert asks(batch) == (0, "play", keep)
    do(batch, "2H")
    assert legal(batch) == {"7H", "QS", "8S", "7S"}
    do(batch, "7H")
    assert legal(batch) == {"9H", "JS", "JC", "TS"}
    ruffed = do(batch.copy(), "TS TH")
    assert seat(ruffed) == 2
    do(batch, "9H TH")
    assert asks(batch) == (1, "play", {"QS", "8S", "7S"})  # not seat 0, which has won the trick
    assert {"AH", "KH", "3H"} <= names(batch.state.open[0])
    do(batch, "7S")
    assert seat(batch) == 2
    do(batch, "TS XS")
    assert seat(batch) == 3


def test_concede_at_the_first_turn_alone() -> None:
    """3.3: a defender; the bidding side gets all 17 points."""
    zones: Zones = {0: "AS KS QS JS JC TS", 1: "9S 8S 2S", 2: "XB XS 7S", 3: "6S 5S 5C 4S 3S"}
    batch = do(start(zones, "10 pass pass pass S", variant="tennessee"), "done AS")
    assert "concede" in legal(batch)
    conceded = do(batch.copy(), "concede")
    assert result(conceded) == ([17, 0], [17, 0], -1)
    do(batch, "8S")
    assert (seat(batch), "concede" in legal(batch)) == (2, False)
    do(batch, "7S")
    assert (seat(batch), "concede" in legal(batch)) == (3, True)
    do(batch, "4S KS")
    assert (seat(batch), "concede" in legal(batch)) == (1, False)


@pytest.mark.parametrize(("scores", "bid", "winner"), [([0, 51], "moon", 0), ([35, 0], "9", 0), ([34, 0], "9", -1)])
def test_conceding_a_moon(scores: list[int], bid: str, winner: int) -> None:
    """7.26: 17 and 0; a moon so conceded wins."""
    zones: Zones = {0: "AS KS QS JS JC TS", 1: "9S 8S 2S", 2: "XB XS 7S", 3: "6S 5S 5C 4S 3S"}
    batch = do(start(zones, f"{bid} pass pass pass S", variant="tennessee", scores=scores), "done AS concede")
    assert result(batch) == ([17, 0], [17, 0], winner)


# --- lipton


def test_lipton_tricks() -> None:
    """3.4: A K Q J j T 9 5 f 2; the off-jack follows trumps; the 2 counts for the winner of its trick; seven tricks."""
    zones: Zones = {0: "AS KS 9S AH KH QH JH", 1: "QS JC 2S TH 9H 5H 2H", 2: "TS 5C AC KC", 3: "JS 5S QC TC"}
    zones["kitty"] = "AD KD QD JD"
    batch = do(start(zones, "15 pass pass pass S", variant="lipton"), "AD KD QD JD")
    decided = int(batch.state.decision[0])
    jack = batch.copy()
    do(batch, "9S")
    assert legal(batch) == {"QS", "JC", "2S"}
    do(batch, "2S 5C 5S")
    assert seat(batch) == 0
    assert batch.state.taken[0].tolist() == [11, 0]
    play_anything(batch)
    assert int(batch.state.decision[0]) - decided == 28
    assert result(batch)[0][0] + result(batch)[0][1] == 35
    do(jack, "9S JC TS 5S")
    assert seat(jack) == 1  # above the ten
    assert jack.state.taken[0].tolist() == [0, 7]


def test_lipton_follows_suit_or_trump() -> None:
    """3.4, 2.9"""
    zones: Zones = {0: "AS KS 9S AH KH QH JH", 1: "QS JC 2S TH AD KD QD", "kitty": "AC KC QC TC"}
    batch = do(start(zones, "15 pass pass pass S", variant="lipton"), "AC KC QC TC AH")
    assert legal(batch) == {"QS", "JC", "2S", "TH"}


# --- isle-madame and canadian: folding

FOLDING: Zones = {0: "AS KS QS JS TS 9S", 2: "8S 7S 6S 5S 5C 4S", 3: "3S 2S"}


@pytest.mark.parametrize(("variant", "bid"), [("isle-madame", "25"), ("canadian", "40")])
def test_folding(variant: str, bid: str) -> None:
    """3.4: a seat that has no trump left may fold at its turn, and is out; nobody sees its cards (6)."""
    batch = finish_robbing(start(FOLDING, f"{bid} pass pass pass S", variant=variant))
    folded = hand(batch, 1)
    assert asks(batch) == (0, "play", {"AS", "KS", "QS", "JS", "TS", "9S"})
    do(batch, "AS")
    assert asks(batch) == (1, "play", folded | {"fold"})
    do(batch, "fold")
    assert asks(batch) == (2, "play", {"8S", "7S", "6S", "5S", "5C", "4S"})
    do(batch, "4S")
    assert asks(batch) == (3, "play", {"3S", "2S"})  # it has trumps: no fold
    assert not names(batch.state.open[0]) & folded
    assert not batch.state.shown[0, 1]
    do(batch, "3S KS 6S 2S QS 7S")
    assert seat(batch) == 3
    assert "fold" in legal(batch)
    do(batch, "fold JS")
    assert seat(batch) == 2
    do(batch, "8S TS 5S 9S 5C")
    total = batch.rules.total_points
    assert result(batch) == ([total - 1, 1], [total - 1, 1], -1)


def test_folding_on_lead() -> None:
    """3.4, 7.27: the lead passes clockwise; whoever makes the first lead leads a trump if it has one."""
    zones: Zones = {1: "AS KS", 2: "QS JS TS 9S 8S 7S", 3: "6S 5S 5C 4S 3S 2S"}
    batch = finish_robbing(start(zones, "25 pass pass pass S", variant="isle-madame"))
    assert asks(batch) == (0, "play", hand(batch, 0) | {"fold"})
    led = do(batch.copy(), [min(hand(batch, 0))])
    assert seat(led) == 1
    assert {"AS", "KS"} < legal(led)
    do(batch, "fold")
    assert asks(batch) == (1, "play", {"AS", "KS"})
    assert int(batch.state.leader[0]) == 1
    do(batch, "AS 7S")
    assert seat(batch) == 3
    do(batch, "4S")
    # seat 1 is on lead with a trump; a plain lead is allowed now
    assert seat(batch) == 1
    assert len(legal(batch)) == 5
    assert "fold" not in legal(batch)
    do(batch, "KS 8S 3S")
    assert "fold" in legal(batch)
    do(batch, "fold")
    assert seat(batch) == 2
    assert asks(batch)[2] == {"QS", "JS", "TS", "9S"}


def test_the_last_seat_in_leads_on() -> None:
    """7.9: a step a card."""
    zones: Zones = {0: "AS KS QS JS TS 9S 8S 7S 6S", 1: "5S 5C", 2: "4S 3S", 3: "2S"}
    batch = do(start(zones, "25 pass pass pass S", variant="isle-madame"), "8S 7S 6S")
    do(finish_robbing(batch), "AS 5S 3S 2S KS 5C 4S fold QS fold fold")
    left = ["JS", "TS", "9S"]
    while left:
        assert asks(batch) == (0, "play", set(left))
        do(batch, [left.pop()])
    assert result(batch) == ([38, 1], [38, 1], -1)


# --- king-pedro-ukrainian


def test_plain_cards_first() -> None:
    """3.4: opening lead a trump; a plain lead asks for a plain card of any suit, else a trump; the leader wins."""
    zones: Zones = {0: "AS KS QS AH", 1: "JS TS 8S KH KD", 2: "7S 6S 5S 5C 4S", 3: "9S 3S 2S", "stock": "2H 3H 4H 5H"}
    batch = start(zones, "30 pass pass pass S", variant="king-pedro-ukrainian")
    while phase(batch) == "discard":
        do(batch, [min(legal(batch) - {"AH", "KH", "KD", "2H"}, default=min(legal(batch)))])
    assert asks(batch) == (0, "play", {"AS", "KS", "QS"})
    do(batch, "AS")
    assert asks(batch) == (1, "play", {"JS", "TS", "8S"})
    do(batch, "8S")
    assert asks(batch) == (2, "play", {"7S", "6S", "5S", "5C", "4S"})
    do(batch, "4S 3S")
    assert seat(batch) == 0
    do(batch, "2H")
    assert asks(batch) == (1, "play", hand(batch, 1) - {"JS", "TS"})
    assert {"KH", "KD"} <= legal(batch)
    do(batch, "KH")
    place, asked, choice = asks(batch)
    assert (place, asked, len(choice)) == (2, "play", 1)
    assert not choice & {"7S", "6S", "5S", "5C"}
    do(batch, choice)
    do(batch, [min(legal(batch))])
    # no trump in the trick: the leader, with its 2
    assert seat(batch) == 0
    do(batch, "AH KD")
    assert asks(batch) == (2, "play", {"7S", "6S", "5S", "5C"})  # no plain card left: a trump
    do(batch, "5C")
    assert not legal(batch) & {"9S", "2S"}
    do(batch, [min(legal(batch))])
    assert seat(batch) == 2
    do(batch, "7S")
    assert asks(batch) == (3, "play", {"9S", "2S"})


# --- the joker


@pytest.mark.parametrize("variant", ["sixty-three-joker", "eighty-three"])
def test_the_joker_is_the_lowest_trump(variant: str) -> None:
    """3.5: led it asks for trumps, and the 2 beats it; it has 15 points, the 2 one, both for the winner."""
    zones: Zones = {0: "AS KS XB", 1: "2S QS JS", 2: "3S TS 5C", 3: "4S 9S 8S 7S 6S 5S"}
    batch = start(zones, "30 pass pass pass S", variant=variant)
    shed(batch)
    assert seat(batch) == 0
    lowest = do(batch.copy(), "XB")
    assert legal(lowest) == {"2S", "QS", "JS"}
    do(lowest, "2S")
    assert lowest.state.winning[0] == 1
    do(batch, "AS")
    assert legal(batch) == {"2S", "QS", "JS"}
    do(batch, "2S 3S 4S")
    assert batch.state.taken[0].tolist() == [2, 0]


@pytest.mark.parametrize("variant", ["sixty-three", "eighty-three", "eighty-three-plain"])
def test_follow_or_trump(variant: str) -> None:
    """3.5, 2.9: any opening lead; on it the suit or a trump."""
    zones: Zones = {0: "AS KS", 1: "QS JS", 2: "TS 9S 6S 5S 5C", 3: "8S 7S 4S 3S 2S", "stock": "AH KH QH JH TH 9D 8D"}
    batch = start(zones, "30 pass pass pass S", variant=variant, options={"exchange": "fill"})
    while phase(batch) in ("rob", "discard"):
        do(batch, [min(legal(batch))])
    assert asks(batch) == (0, "play", {"AS", "KS", "AH", "KH", "QH", "JH"})
    do(batch, "KH")
    assert {"TH", "9D"} < hand(batch, 1)
    assert legal(batch) == {"TH", "QS", "JS"}
