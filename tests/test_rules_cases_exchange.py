"""The rules page, case by case: the exchange of the Double Pedro family, monterey-widow, tennessee and lipton.

As in ``test_rules_cases.py`` seat 3 deals, so seat 0 is eldest; spades are trumps, so the five of clubs is the
off-five and the jack of clubs the off-jack.
"""

from __future__ import annotations

import pytest

from pedro_env.cards import parse_card
from pedro_env.engine import Batch
from pedro_env.variants import make_rules
from tests.support import do, hand, legal, names, one_game, phase, seat
from tests.test_rules_cases import Zones, play_out, result, start


def asks(batch: Batch) -> tuple[int, str, set[str]]:
    """Who is asked for what, and what is legal."""
    return seat(batch), phase(batch), legal(batch)


# --- cinch (3.1)

CINCH: Zones = {
    0: "AS KS QS JS TS 9H 8H 7H 6H",
    1: "9S 8S 7S 6S 5S AH KH QH JH",
    2: "5C 4S 3S AD KD QD JD TD 9D",
    3: "AC KC QC JC TC 9C 8C 7C 6C",
    "stock": "TH 5H 4H 3H 2H 8D 7D 6D 5D 4D 3D 2D 4C 3C 2C 2S",
}


def cinch(actions: str = "", variant: str = "cinch") -> Batch:
    return do(start(CINCH, variant=variant), actions)


@pytest.mark.parametrize("variant", ["cinch", "cinch-bicycle"])
def test_cinch_discards_at_least_three_of_its_choice(variant: str) -> None:
    """3.1: eldest first, the dealer too; any card, `done` from the third on; the fills come after all discards."""
    batch = cinch(variant=variant)
    for place in range(4):
        own = set(CINCH[place].split())
        assert asks(batch) == (place, "discard", own)
        do(batch, CINCH[place].split()[0])  # a trump where it has one
        do(batch, CINCH[place].split()[5])
        assert "done" not in legal(batch)
        do(batch, CINCH[place].split()[6])
        own -= {CINCH[place].split()[i] for i in (0, 5, 6)}
        assert asks(batch) == (place, "discard", own | {"done"})
        assert all(len(hand(batch, before)) == 6 for before in range(place))
        do(batch, "done")
    assert asks(batch)[:2] == (0, "play")  # six each: nobody draws, and the dealer has nothing to choose


def test_cinch_fills_from_eldest_on() -> None:
    """3.1, 2.7: the dealer left out."""
    batch = cinch("9H 8H 7H 6H TS done AH KH QH done AD KD QD JD done AC KC QC JC done")
    assert hand(batch, 0) == {"AS", "KS", "QS", "JS", "TH", "5H"}
    assert hand(batch, 1) == {"9S", "8S", "7S", "6S", "5S", "JH"}
    assert hand(batch, 2) == {"5C", "4S", "3S", "TD", "9D", "4H"}
    rest = {"3H", "2H", "8D", "7D", "6D", "5D", "4D", "3D", "2D", "4C", "3C", "2C", "2S"}
    assert asks(batch) == (3, "rob", rest)  # any card, trump or plain
    do(batch, "4C")
    assert asks(batch)[:2] == (0, "play")
    assert hand(batch, 3) == {"TC", "9C", "8C", "7C", "6C", "4C"}
    assert {"2S", "TS"} <= names(batch.state.open[0])  # left in the stock and laid open; laid aside face up
    assert not names(batch.state.open[0]) & (rest - {"2S"})


def test_cinch_robs_one_card_a_decision() -> None:
    """3.1: the trumps that the dealer takes are not laid open."""
    exchange = "9H 8H 7H done AH KH QH done AD KD QD done AC KC QC JC TC done"
    laid_aside = set(exchange.split()) - {"done"}
    batch = cinch(exchange)
    everything = set(CINCH["stock"].split())
    assert asks(batch) == (3, "rob", everything)
    do(batch, "2S")
    assert asks(batch) == (3, "rob", everything - {"2S"})
    do(batch, "TH")
    assert phase(batch) == "play"
    assert {"2S", "TH"} < hand(batch, 3)
    assert names(batch.state.open[0]) == laid_aside


def test_cinch_never_discards_more_than_the_stock_can_fill() -> None:
    """3.1: 3 and the cards left after the fills before; a lone `done` is not asked (7.2)."""
    batch = cinch(CINCH[0])  # all nine, six of the stock
    assert asks(batch) == (1, "discard", set(CINCH[1].split()))
    do(batch, CINCH[1])
    assert asks(batch) == (2, "discard", set(CINCH[2].split()))  # four are left
    few = batch.copy()
    do(batch, "5C 4S 3S AD KD QD JD")
    assert asks(batch) == (3, "discard", set(CINCH[3].split()))  # none is left
    do(batch, "AC KC QC")
    assert asks(batch)[:2] == (0, "play")
    assert [len(hand(batch, place)) for place in range(4)] == [6, 6, 6, 6]
    do(few, "5C 4S 3S AD KD done AC KC QC JC TC")  # two are left for the dealer, and it needs the whole rest
    assert asks(few)[:2] == (0, "play")
    assert hand(few, 3) == {"9C", "8C", "7C", "6C", "2C", "2S"}


CINCH_SCORES: Zones = {
    0: "AS KS QS JS TS 9S AH KH QH",
    1: "5S 8S 7S 6S AD KD QD JD TD",
    2: "5C 4S 3S AC KC QC JC TC 9C",
    3: "9D 8D 7D 6D 8C 7C 6C JH TH",
    "stock": "9H 8H 7H 6H 5H 4H 3H 2H 5D 4D 3D 2D 4C 3C 2C 2S",
}
"""Seat 0 wins every trick with A, J, T: three points."""
BOTH_FIVES = "AH KH QH done 5S AD KD done 5C AC KC done JH TH 6C done"


@pytest.mark.parametrize(
    ("variant", "auction", "exchange", "points", "change"),
    [
        # 5S by a defender and 2S left by a dealer who is one: for the bidding side; its own 5C: for nobody
        ("cinch", "7 pass pass pass S", BOTH_FIVES, [9, 0], [9, 0]),
        ("cinch", "9 pass pass pass S", BOTH_FIVES, [9, 0], [9, 0]),
        ("cinch", "10 pass pass pass S", BOTH_FIVES, [9, 0], [0, 10]),
        ("cinch-bicycle", "10 pass pass pass S", BOTH_FIVES, [9, 0], [0, 15]),
        ("cinch-bicycle", "9 pass pass pass S", BOTH_FIVES, [9, 0], [9, 0]),
        # 5C by a defender: for the bidding side; its own 5S and the 2S that its dealer left: for nobody
        ("cinch", "pass 5 pass pass S", BOTH_FIVES, [3, 5], [0, 2]),
        ("cinch", "pass 7 pass pass S", BOTH_FIVES, [3, 5], [10, 0]),
        ("cinch-bicycle", "pass 7 pass pass S", BOTH_FIVES, [3, 5], [16, 0]),
        # made, but the defenders took more
        ("cinch", "pass 5 pass pass S", BOTH_FIVES.replace("5S", "6S"), [8, 5], [3, 0]),
        # made and equal: J and T (seat 0) and 5C count for side 1; A, 5S and the robbed 2 are won by side 0
        (
            "cinch",
            "pass 7 pass pass S",
            "JS TS AH done 8S AD KD done 5C AC KC done JH TH 6C 8C done 2S",
            [7, 7],
            [0, 0],
        ),
    ],
)
def test_cinch_counts_what_is_laid_aside(
    variant: str, auction: str, exchange: str, points: list[int], change: list[int]
) -> None:
    """3.1, 7.5: credited points make the bid, too."""
    batch = do(start(CINCH_SCORES, auction, variant=variant), exchange)
    assert result(play_out(batch)) == (points, change, -1)


# --- nicaragua (3.1)

NICARAGUA: Zones = {
    0: "AS KS QS JS TS 9S 8S",
    1: "5S 7S AH KH QH JH TH",
    2: "5C 6S AD KD QD JD TD",
    3: "4S 3S AC KC QC JC TC",
    "stock": "2S 9H 9D 8D 7D 6D 5D 4D 3D",
}
NICARAGUA_EXCHANGE = "done 5S AH done 5C 6S AD KD QD JD TD AC KC done"


def test_nicaragua_deals_one_packet_of_seven() -> None:
    """3.1"""
    batch = one_game(make_rules("nicaragua"), list(range(52)), dealer=1)
    for turn, place in enumerate((2, 3, 0, 1)):
        assert hand(batch, place) == {batch.actions.names[card] for card in range(7 * turn, 7 * turn + 7)}


def test_nicaragua_discards_any_number() -> None:
    """3.1, 7.2: 0 to 7, point trumps too, `done` at any time, never alone; fills and robbing come after."""
    batch = start(NICARAGUA, variant="nicaragua")
    assert asks(batch) == (0, "discard", set(NICARAGUA[0].split()) | {"done"})
    do(batch, "done 5S")
    assert asks(batch) == (1, "discard", {"7S", "AH", "KH", "QH", "JH", "TH", "done"})
    do(batch, "AH done 5C 6S AD KD QD JD")
    assert asks(batch) == (2, "discard", {"TD", "done"})
    do(batch, "TD")
    assert asks(batch) == (3, "discard", set(NICARAGUA[3].split()) | {"done"})
    assert [len(hand(batch, place)) for place in range(3)] == [7, 5, 0]
    assert not batch.state.open[0]  # face down


def test_nicaragua_robs_stock_and_discards() -> None:
    """3.1: the three others are filled to seven; the dealer takes from the stock and the others' discards."""
    batch = do(start(NICARAGUA, variant="nicaragua"), NICARAGUA_EXCHANGE)
    assert hand(batch, 1) == {"7S", "KH", "QH", "JH", "TH", "2S", "9H"}
    assert hand(batch, 2) == {"9D", "8D", "7D", "6D", "5D", "4D", "3D"}
    stock = 24 - 9
    place, asked, choice = asks(batch)
    discards = {"5S", "AH", "5C", "6S", "AD", "KD", "QD", "JD", "TD"}
    assert (place, asked, len(choice)) == (3, "rob", stock + len(discards))
    assert discards < choice
    assert not choice & {"AC", "KC"}  # its own are gone
    do(batch, "5S")
    assert phase(batch) == "rob"
    assert legal(batch) == choice - {"5S"}
    do(batch, "6S")
    assert asks(batch)[:2] == (0, "play")
    assert hand(batch, 3) == {"4S", "3S", "QC", "JC", "TC", "5S", "6S"}


def test_nicaragua_dealer_at_six() -> None:
    """3.1: the number counts as a bid: set, the dealer's side subtracts six."""
    batch = do(start(NICARAGUA, "pass pass pass S", variant="nicaragua"), f"{NICARAGUA_EXCHANGE} 5S 6S")
    assert asks(batch)[:2] == (3, "play")
    points, change, _ = result(play_out(batch))
    assert change == ([points[0], -6] if points[1] < 6 else points)
    assert points[1] < 6


def test_nicaragua_loses_what_nobody_takes() -> None:
    """3.1: the off-five that nobody took counts for nobody; the keeper has the 2; seven tricks."""
    batch = do(start(NICARAGUA, variant="nicaragua"), f"{NICARAGUA_EXCHANGE} 5S 6S")
    decided = int(batch.state.decision[0])
    play_out(batch)
    assert int(batch.state.decision[0]) - decided == 28
    assert result(batch) == ([8, 1], [8, 1], -1)


# --- pidro (3.1)


def test_pidro_takes_the_topmost_plain_cards() -> None:
    """3.1: every trump of the stock, then plain cards from its top, without a decision."""
    zones: Zones = {
        0: "AS KS QS JS TS 9S",
        1: "8S 7S 5S",
        2: "6S 5C 4S",
        "stock": "AH KH QH JH TH 9H 8H 3S AD KD 2S QD JD TD 9D 8D",
    }
    batch = start(zones, variant="pidro")
    assert hand(batch, 1) == {"8S", "7S", "5S", "AH", "KH", "QH"}
    assert hand(batch, 2) == {"6S", "5C", "4S", "JH", "TH", "9H"}
    assert hand(batch, 3) == {"3S", "2S", "8H", "AD", "KD", "QD"}
    assert asks(batch)[:2] == (0, "play")


def test_pidro_discards_surplus_trumps() -> None:
    """3.1: never a point trump, face up, before play, eldest first."""
    zones: Zones = {1: "AS KS QS JS TS 9S 8S", 2: "7S 6S 5S 5C 4S 3S 2S"}
    batch = start(zones, variant="pidro")
    assert asks(batch) == (1, "discard", {"KS", "QS", "9S", "8S"})
    do(batch, "KS")
    assert asks(batch) == (2, "discard", {"7S", "6S", "4S", "3S"})
    do(batch, "7S")
    assert phase(batch) == "play"
    assert hand(batch, 1) == {"AS", "QS", "JS", "TS", "9S", "8S"}
    assert names(batch.state.open[0]) == {"KS", "7S"}


def test_pidro_dealer_discards_after_robbing() -> None:
    """3.1"""
    zones: Zones = {
        0: "7S 6S 4S 3S 9S 5C TS 8S",
        3: "AS KS QS JS 5S",
        "stock": "AH KH QH JH TH 9H 8H 7H 6H 5H 4H 3H 2S",
    }
    batch = start(zones, variant="pidro")
    assert asks(batch) == (0, "discard", {"7S", "6S", "4S", "3S", "9S", "8S"})
    do(batch, "3S 4S")
    assert hand(batch, 3) == {"AS", "KS", "QS", "JS", "5S", "2S"}
    assert phase(batch) == "play"
    zones = {0: "7S 6S 4S 3S 9S", 3: "AS KS QS JS TS 5S", "stock": "AH 8S 2S KH QH JH TH 9H 8H 7H 6H 5H 4H 5C"}
    batch = start(zones, variant="pidro")
    # 8S fills seat 0, 2S goes to seat 1: seven trumps for the dealer
    assert asks(batch) == (3, "discard", {"KS", "QS"})


def test_pidro_surplus_in_only_one_way() -> None:
    """6: one spare trump for one discard: no decision."""
    batch = start({0: "AS JS TS 5S 5C 2S 9S"}, variant="pidro")
    assert phase(batch) == "play"
    assert names(batch.state.open[0]) == {"9S"}


# --- monterey-widow (3.2)


def monterey(hands: dict[int, str], widows: dict[int, str], actions: str) -> Batch:
    """A deal of monterey-widow, whose face-down fours ``stacked_pack`` does not know."""
    rules = make_rules("monterey-widow")
    pack = [-1] * 52
    used = " ".join([*hands.values(), *widows.values()]).split()
    rest = [f"{rank}{suit}" for suit in "HDCS" for rank in "23456789TJQKA" if f"{rank}{suit}" not in used]
    rest.sort(key=lambda card: card[1] == "S" or card == "5C")
    for place in range(4):
        nine, four = hands.get(place, "").split(), widows.get(place, "").split()
        nine += [rest.pop(0) for _ in range(9 - len(nine))]
        four += [rest.pop(0) for _ in range(4 - len(four))]
        for number, card in enumerate(nine):  # packets of three
            pack[number // 3 * 12 + place * 3 + number % 3] = parse_card(card)
        for number, card in enumerate(four):
            pack[36 + place * 4 + number] = parse_card(card)
    return do(one_game(rules, pack), actions)


MONTEREY_HANDS = {0: "AS KS QS JS TS", 1: "9S 8S 7S 6S 5S 5C", 2: "4S AH", 3: "2S"}
MONTEREY_WIDOWS = {0: "AD KD QD JD", 1: "TD 9D 8D 3S", 2: "AC KC QC JC"}


def test_monterey_widow_is_seen_after_the_own_turn() -> None:
    """3.2"""
    batch = monterey(MONTEREY_HANDS, MONTEREY_WIDOWS, "")
    for place in range(4):
        assert [len(hand(batch, other)) for other in range(4)] == [13] * place + [9] * (4 - place)
        do(batch, "6" if place == 0 else "pass")
    assert set(MONTEREY_HANDS[0].split()) | set(MONTEREY_WIDOWS[0].split()) < hand(batch, 0)
    assert (seat(batch), phase(batch)) == (0, "trump")
    assert [len(hand(batch, other)) for other in range(4)] == [13] * 4


def test_the_dealer_of_monterey_widow_must_bid() -> None:
    """3.2: from eldest on, clockwise, as italian; any number from 6 to 16, and no pass."""
    batch = monterey(MONTEREY_HANDS, MONTEREY_WIDOWS, "pass pass pass")
    assert asks(batch) == (3, "bid", {str(number) for number in range(6, 17)})
    do(batch, "16")
    assert (seat(batch), phase(batch), len(hand(batch, 3))) == (3, "trump", 13)


def test_monterey_widow_discards_plain_cards() -> None:
    """3.2: plain cards of its choice down to six; with six or more trumps all of them, and every trump stays."""
    batch = monterey(MONTEREY_HANDS, MONTEREY_WIDOWS, "6 pass pass pass S")
    plain = hand(batch, 0) - set(MONTEREY_HANDS[0].split())
    assert len(plain) == 8
    for card in sorted(plain - {"AD"}):
        assert asks(batch) == (0, "discard", plain)
        do(batch, [card])
        plain.discard(card)
    assert hand(batch, 0) == {"AS", "KS", "QS", "JS", "TS", "AD"}
    # seat 1 has seven trumps
    assert (seat(batch), phase(batch)) == (2, "discard")
    assert hand(batch, 1) == {"9S", "8S", "7S", "6S", "5S", "5C", "3S"}
    assert not batch.state.open[0]
    do(batch, [*sorted(legal(batch))[:7]])
    assert (seat(batch), phase(batch), len(legal(batch))) == (3, "discard", 12)
    do(batch, [*sorted(legal(batch))[:7]])
    assert asks(batch) == (0, "play", {"AS", "KS", "QS", "JS", "TS"})
    do(batch, "AS")
    assert asks(batch) == (1, "bury", {"9S", "8S", "7S", "6S", "3S"})  # the surplus, as in pedro


# --- tennessee (3.3): trumps are A K Q J j X x T 9 8 7 6 5 f 4 3 2

TENNESSEE: Zones = {
    0: "AS KS QS AH KH QH JH TH 9H",
    1: "JS JC 8H 7H 6H 5H 4H 3H 2H",
    2: "XB XS AD KD QD JD TD 9D 8D",
    3: "TS 9S AC KC QC TC 9C 8C 7C",
    "stock": "8S 7S 6S 4S 7D 6D 5D 4D 3D 2D 4C 3C 5S 5C 3S 2S 2C 6C",
}
"""With seat 0 as declarer: 8S 7S 6S 4S go to seat 1, 7D 6D 5D 4D to seat 2, 3D 2D 4C 3C to seat 3, the rest to
seat 0, which then has AS KS QS 5S 5C 3S 2S: seven trumps."""
TEN_BID = "10 pass pass pass S"


def test_tennessee_fills_and_widow() -> None:
    """3.3: three are filled to six, the dealer included; the declarer takes the whole rest."""
    batch = start(TENNESSEE, TEN_BID, variant="tennessee")
    assert hand(batch, 1) == {"JS", "JC", "8S", "7S", "6S", "4S"}
    assert hand(batch, 2) == {"XB", "XS", "7D", "6D", "5D", "4D"}
    assert hand(batch, 3) == {"TS", "9S", "3D", "2D", "4C", "3C"}
    assert hand(batch, 0) == set(TENNESSEE[0].split()) | {"5S", "5C", "3S", "2S", "2C", "6C"}


def test_tennessee_slides() -> None:
    """3.3: any cards, the surplus of trumps at least, `done` with at most six trumps, six cards kept."""
    batch = start(TENNESSEE, TEN_BID, variant="tennessee")
    everything = hand(batch, 0)
    assert asks(batch) == (0, "give", everything)  # seven trumps: not done
    do(batch, "AH")
    assert asks(batch) == (0, "give", everything - {"AH"})
    do(batch, "2S")
    assert asks(batch) == (0, "give", everything - {"AH", "2S"} | {"done"})
    kept = do(batch.copy(), "KH QH JH TH 9H 2C 6C")  # six trumps are left
    assert (seat(kept), phase(kept)) == (2, "discard")
    assert hand(kept, 0) == {"AS", "KS", "QS", "5S", "5C", "3S"}
    trumps = do(batch.copy(), "AS KS done")  # trumps beyond the surplus too
    assert {"AS", "KS", "2S", "AH"} < hand(trumps, 2)
    assert not hand(trumps, 0) & {"AS", "KS", "2S", "AH"}
    # four trumps and seven plain cards: discards five plain ones, of its choice
    assert asks(trumps) == (0, "discard", {"KH", "QH", "JH", "TH", "9H", "2C", "6C"})
    do(batch, "done")
    # six trumps: its plain cards all go; the partner discards plain cards of its choice down to six
    assert asks(batch) == (2, "discard", {"7D", "6D", "5D", "4D", "AH"})
    do(batch, "7D AH")
    assert hand(batch, 2) == {"XB", "XS", "2S", "6D", "5D", "4D"}
    assert (seat(batch), phase(batch)) == (0, "play")


def test_tennessee_slides_only_with_six_trumps() -> None:
    """3.3, 7.26: five trumps, as soon as the widow is taken: no sliding."""
    zones = {**TENNESSEE, "stock": "8S 7S 6S 4S 5S 5C 5D 4D 3D 2D 4C 3C 7D 6D 3S 2S 2C 6C"}
    batch = start(zones, TEN_BID, variant="tennessee")
    assert asks(batch) == (0, "discard", {"AH", "KH", "QH", "JH", "TH", "9H", "7D", "6D", "2C", "6C"})
    zones["stock"] = "8S 7S 6S 4S 5C 7D 5D 4D 3D 2D 4C 3C 5S 6D 3S 2S 2C 6C"
    batch = start(zones, TEN_BID, variant="tennessee")
    assert phase(batch) == "give"
    assert "done" in legal(batch)


def test_tennessee_partner_gives_a_surplus_to_its_right() -> None:
    """3.3, 7.26: trumps of its choice; the opponent on its right discards plain cards down to six."""
    zones: Zones = {
        0: "AS KS QS JS TS 9S",
        1: "8S",
        2: "JC XB XS 7S 6S 5S",
        3: "5C 4S 3S 2S",
    }
    batch = start(zones, TEN_BID, variant="tennessee")
    assert asks(batch)[:2] == (0, "give")
    assert "done" in legal(batch)
    do(batch, "9S TS done")
    # the declarer has four trumps and discards first (eldest)
    assert asks(batch)[:2] == (0, "discard")
    while seat(batch) == 0:
        do(batch, [min(legal(batch))])
    eight = {"JC", "XB", "XS", "7S", "6S", "5S", "9S", "TS"}
    assert asks(batch) == (2, "give", eight)
    do(batch, "TS JC")
    # seat 1: one trump, five drawn plain cards and the two given: two of the five go
    place, asked, choice = asks(batch)
    assert (place, asked, len(choice)) == (1, "discard", 5)
    assert not choice & {"8S", "TS", "JC"}
    do(batch, [*sorted(choice)[:2]])
    assert {"8S", "TS", "JC"} < hand(batch, 1)
    assert phase(batch) == "play"
    assert all(len(hand(batch, place)) == 6 for place in range(4))


def test_tennessee_opponent_without_plain_cards() -> None:
    """3.3: it discards a trump without points."""
    zones: Zones = {
        0: "AS KS QS JS TS 9S",
        1: "8S 7S 6S JC 5C 2S",
        2: "XB XS 5S 4S 3S",
    }
    batch = do(start(zones, TEN_BID, variant="tennessee"), "9S TS done")
    while seat(batch) == 0:
        do(batch, [min(legal(batch))])
    assert asks(batch) == (2, "give", {"XB", "XS", "5S", "4S", "3S", "9S", "TS"})
    do(batch, "9S")
    assert asks(batch) == (1, "discard", {"8S", "7S", "6S", "9S"})
    do(batch, "9S")
    assert phase(batch) == "play"


def test_tennessee_opponent_with_point_trumps_alone() -> None:
    """3.3: then a trump of the least points: the fives stay."""
    zones: Zones = {
        0: "AS KS QS 9S 8S 7S",
        1: "JS JC TS 5S 5C 2S",
        2: "XB XS 6S 4S 3S",
    }
    batch = do(start(zones, TEN_BID, variant="tennessee"), "9S 8S done")
    while seat(batch) == 0:
        do(batch, [min(legal(batch))])
    do(batch, "XB")
    assert asks(batch) == (1, "discard", {"JS", "JC", "TS", "2S", "XB"})


def test_tennessee_defenders_slide_first() -> None:
    """3.3, 7.26: exactly the surplus, as nothing but trumps is left; before the declarer."""
    zones: Zones = {0: "AS KS QS 6S 5S 5C 4S 3S 2S", 1: "JS JC XB XS TS 9S 8S", 3: "7S"}
    batch = start(zones, TEN_BID, variant="tennessee")
    assert asks(batch) == (1, "give", {"JS", "JC", "XB", "XS", "TS", "9S", "8S"})
    do(batch, "JC")
    assert asks(batch)[:2] == (3, "discard")
    assert {"7S", "JC"} < hand(batch, 3)
    assert legal(batch) == hand(batch, 3) - {"7S", "JC"}
    do(batch, [min(legal(batch))])
    assert asks(batch)[:2] == (0, "give")
    assert [len(hand(batch, place)) for place in (1, 2, 3)] == [6, 6, 6]


def test_tennessee_a_defender_who_was_slid_cards_gives_on() -> None:
    """7.26: trumps beyond six to the opponent on its right, which discards in its own turn later."""
    zones: Zones = {0: "5C 4S 3S 2S", 1: "AS KS QS JS JC XB XS", 3: "TS 9S 8S 7S 6S 5S"}
    batch = do(start(zones, TEN_BID, variant="tennessee"), "XS")
    assert asks(batch) == (3, "give", {"TS", "9S", "8S", "7S", "6S", "5S", "XS"})
    do(batch, "TS")
    assert "TS" in hand(batch, 2)
    assert len(hand(batch, 2)) == 7
    assert asks(batch)[:2] == (0, "discard")  # four trumps: no sliding
    while seat(batch) == 0:
        do(batch, [min(legal(batch))])
    assert asks(batch) == (2, "discard", hand(batch, 2) - {"TS"})
    do(batch, [min(legal(batch))])
    assert (seat(batch), phase(batch)) == (0, "play")


def test_tennessee_two_defenders_with_a_surplus() -> None:
    """7.26: eldest first; the other gives what it then has too many to its right, and does not slide back."""
    zones: Zones = {0: "4S 3S 2S", 1: "AS KS QS JS JC XB XS", 3: "TS 9S 8S 7S 6S 5S 5C"}
    batch = start(zones, TEN_BID, variant="tennessee")
    assert asks(batch) == (1, "give", {"AS", "KS", "QS", "JS", "JC", "XB", "XS"})
    do(batch, "XS")
    assert asks(batch) == (3, "give", {"TS", "9S", "8S", "7S", "6S", "5S", "5C", "XS"})
    do(batch, "TS 9S")
    assert {"TS", "9S"} < hand(batch, 2)
    assert hand(batch, 3) == {"8S", "7S", "6S", "5S", "5C", "XS"}
    assert asks(batch)[:2] == (0, "discard")


def test_tennessee_the_right_of_a_defender_may_be_the_declarer() -> None:
    """7.26: the declarer's sliding depends on the widow alone, and it discards later in its turn."""
    zones: Zones = {0: "5C 4S 3S 2S", 3: "AS KS QS JS JC XB XS", 1: "TS 9S 8S 7S 6S 5S"}
    batch = do(start(zones, TEN_BID, variant="tennessee"), "XS")
    assert asks(batch) == (1, "give", {"TS", "9S", "8S", "7S", "6S", "5S", "XS"})
    do(batch, "5S")
    assert {"5C", "4S", "3S", "2S", "5S"} < hand(batch, 0)
    place, asked, choice = asks(batch)
    assert (place, asked) == (0, "discard")
    assert not choice & {"5C", "4S", "3S", "2S", "5S"}


def test_tennessee_fills_leave_the_declarer_out() -> None:
    """3.3: eldest first; the widow is what is left, wherever the declarer sits."""
    zones: Zones = {
        0: "AS KS QS JS AH",
        1: "JC 2H",
        2: "XB XS TS 9S AD",
        3: "8S 7S 6S 5S AC",
        "stock": "KH KD QH QD JH JD TH TD 9H 9D KC QC 5C 4S 3S 2S 8D 8C",
    }
    batch = start(zones, "pass 10 pass pass S", variant="tennessee")
    assert hand(batch, 0) == {"AS", "KS", "QS", "JS", "KH", "KD"}
    assert hand(batch, 2) == {"XB", "XS", "TS", "9S", "QH", "QD"}
    assert hand(batch, 3) == {"8S", "7S", "6S", "5S", "JH", "JD"}
    assert {"JC", "2H", "TH", "TD", "5C", "8C"} < hand(batch, 1)
    assert asks(batch)[:2] == (1, "discard")


def test_tennessee_the_declarer_discards_before_its_partner() -> None:
    """3.3: "it then discards …, the partner discards", also where the partner, seat 0, is eldest."""
    zones: Zones = {0: "XB XS", 1: "8S 7S 6S 5S JC", 2: "AS KS QS JS TS 9S AH", 3: "5C 4S 3S 2S"}
    batch = do(start(zones, "pass pass 10 pass S", variant="tennessee"), "AH AS KS done")
    assert asks(batch)[:2] == (2, "discard")
    assert not legal(batch) & {"QS", "JS", "TS", "9S"}
    while seat(batch) == 2:
        do(batch, [min(legal(batch))])
    assert asks(batch)[:2] == (0, "discard")
    assert "AH" in legal(batch)
    assert not legal(batch) & {"XB", "XS", "AS", "KS"}


# --- lipton (3.4): trumps are A K Q J j T 9 5 f 2


def lipton(seat_0: str, kitty: str) -> Batch:
    return start({0: seat_0, "kitty": kitty}, "15 pass pass pass S", variant="lipton")


def test_lipton_discards_four() -> None:
    """3.4: of its choice, no point trump; the others exchange nothing."""
    batch = lipton("AS KS QS JS JC TS 9S", "AH KH QH 5S")
    spare = {"QS", "9S", "AH", "KH", "QH"}
    for card in ("QS", "AH", "KH", "9S"):
        assert asks(batch) == (0, "discard", spare)
        do(batch, card)
        spare.discard(card)
    assert asks(batch) == (0, "play", {"AS", "KS", "JS", "JC", "TS", "5S", "QH"})
    assert all(len(hand(batch, place)) == 7 for place in range(4))
    assert not batch.state.open[0]


def test_lipton_has_nothing_but_point_trumps() -> None:
    """3.4, 7.2: Q, 9 and a plain card go whole, then a point trump of its choice, whose points are lost (7.7)."""
    batch = lipton("AS KS QS JS JC TS 9S", "5S 5C 2S AH")
    assert asks(batch) == (0, "discard", {"AS", "KS", "JS", "JC", "TS", "5S", "5C", "2S"})
    do(batch, "KS")
    assert phase(batch) == "play"
    assert sum(result(play_out(batch))[0]) == 15


def test_lipton_four_spare_cards() -> None:
    """6: only one way."""
    batch = lipton("AS KS QS JS JC TS 9S", "5S 5C KH AH")
    assert phase(batch) == "play"
    assert hand(batch, 0) == {"AS", "KS", "JS", "JC", "TS", "5S", "5C"}
