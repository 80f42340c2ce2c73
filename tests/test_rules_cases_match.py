"""The rules page, case by case: scores of special bids, and how a match of each variant ends.

As in ``test_rules_cases.py`` seat 3 deals, so seat 0 is eldest; spades are trumps, so the five of clubs is the
off-five and the jack of clubs the off-jack. Seat 0 wins every trick unless something else is said.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from pedro_env.engine import Batch
from pedro_env.variants import make_rules
from tests.support import do, legal, one_game, phase, seat, stacked_pack
from tests.test_rules_cases import ALL_TRICKS, Zones, play_out, result, start
from tests.test_rules_cases_exchange import BOTH_FIVES, CINCH_SCORES, monterey

ALL_POINTS: Zones = {**ALL_TRICKS, 2: "5S 5C 2S", 3: "6S 4S 3S"}


def finish(batch: Batch) -> Batch:
    """Through the exchange, ``done`` as soon as it is legal, otherwise the first card; then every trick."""
    while not batch.over[0] and phase(batch) != "play":
        do(batch, "done" if "done" in legal(batch) else [min(legal(batch))])
    return play_out(batch)


# --- louisiana: dark and 28-56


@pytest.mark.parametrize("variant", ["louisiana", "louisiana-cutthroat"])
@pytest.mark.parametrize(
    ("zones", "points", "change"),
    [(ALL_POINTS, [14, 0], [28, 0]), (ALL_TRICKS, [13, 1], [-14, 1])],
)
def test_a_dark_bid(variant: str, zones: Zones, points: list[int], change: list[int]) -> None:
    """3.1: all 14 points score 28, else −14; ``points`` is not doubled (7.5)."""
    assert result(finish(start(zones, "dark pass pass pass S", variant=variant))) == (points, change, -1)


@pytest.mark.parametrize(
    ("zones", "points", "change"),
    [
        ({0: "AS KS QS JS TS 2S", 1: "8S 7S", 2: "5S 5C", 3: "9S 6S 4S 3S"}, [14, 0], [56, 0]),
        ({0: "AS KS QS 2S 9S 8S", 1: "JS 7S", 2: "5S 5C TS 6S", 3: "4S 3S"}, [14, 0], [56, 0]),
        ({0: "AS QS JS TS 9S 2S", 1: "KS 8S", 2: "5S 5C", 3: "7S 6S 4S 3S"}, None, [-28, None]),
    ],
)
def test_28_56_in_louisiana(zones: Zones, points: list[int] | None, change: list[int | None]) -> None:
    """3.1: all points 56, else −28; the defenders add what they took."""
    batch = finish(start(zones, "pass dark 28-56 pass pass S", variant="louisiana"))
    got, changed, winner = result(batch)
    assert (changed[0], winner) == (change[0], -1)
    assert points is None or got == points
    assert changed[1] == got[1]
    assert sum(got) == 14


@pytest.mark.parametrize(
    ("auction", "zones", "scores", "winner"),
    [
        ("dark pass pass pass S", ALL_POINTS, [55, 55], 0),
        ("dark pass pass pass S", ALL_TRICKS, [76, 60], 0),  # set, but alone: 62 and 61
        ("dark pass pass pass S", ALL_TRICKS, [76, 61], -1),  # set: 62 each
        ("dark pass pass pass S", ALL_TRICKS, [70, 61], 1),  # 56 and 62
        ("pass pass pass pass 7 pass pass pass S", ALL_TRICKS, [50, 61], -1),  # both; not bidder out
        ("pass pass pass pass 7 pass pass pass S", ALL_TRICKS, [55, 61], 0),
    ],
)
def test_louisiana_plays_bidder_out(auction: str, zones: Zones, scores: list[int], winner: int) -> None:
    """3.1, 2.12, 7.4"""
    assert result(finish(start(zones, auction, variant="louisiana", scores=scores)))[2] == winner


# --- who plays bidder out


@pytest.mark.parametrize("variant", ["cinch", "nicaragua", "pidro", "monterey-widow", "lipton", "eighty-three"])
def test_no_bidder_out_elsewhere(variant: str) -> None:
    """7.4: neither near the target nor past it."""
    rules = make_rules(variant)
    at = [rules.target - 1] * 2
    batch = Batch(rules)
    batch.restart(np.array([0]), np.array([0]), np.array([at]))
    assert not batch.state.bidder_out[0]


@pytest.mark.parametrize("variant", ["king-pedro-ukrainian", "sixty-three", "eighty-three", "tennessee"])
def test_redeals_count_as_deals(variant: str) -> None:
    """7.1: max_deals counts records, those of redeals too."""
    zones: Zones = {0: "AS", 1: "AH", 2: "AD", 3: "KH QH 9H 8H 7H 6H 4H 3H KD"}
    rules = make_rules(variant, {"max_deals": 2})
    redeal = "10 pass pass misdeal" if variant == "tennessee" else "pass pass pass pass"
    batch = start(zones, redeal, variant=variant, options={"max_deals": 2})
    assert not batch.match_over[0]
    batch.next_deal(np.array([0]))
    pack = stacked_pack(rules, 3, zones)
    batch.set_position(0, pack, 3, [0, 0], redeal.split())
    assert (bool(batch.state.truncated[0]), int(batch.state.winner[0])) == (True, -1)
    assert batch.match_over[0]


# --- nicaragua, pidro, cinch

PIDRO: Zones = {0: "AS KS QS JS TS 9S", 1: "8S 7S 6S", 2: "5S 5C", 3: "4S 3S 2S"}
"""13 points for side 0, the kept 2 for side 1."""


@pytest.mark.parametrize("variant", ["nicaragua", "pidro"])
@pytest.mark.parametrize(
    ("bid", "behind", "ahead", "winner"),
    [
        (7, 13, 1, 0),  # both at the target: the bidding side
        (7, 14, 1, 1),
        (7, 14, 2, -1),
        (7, 13, 2, 0),
        (14, -14, 1, 0),  # set, and still there
        (14, -14, 2, 0),
    ],
)
def test_nicaragua_and_pidro_matches(variant: str, bid: int, behind: int, ahead: int, winner: int) -> None:
    """3.1: to 52 and 62; both there: the bidding side wins, set or not, at once."""
    target = {"nicaragua": 52, "pidro": 62}[variant]
    batch = finish(start(PIDRO, f"{bid} pass pass pass S", variant=variant, scores=[target - behind, target - ahead]))
    points, change, won = result(batch)
    assert points == [13, 1]
    assert change == ([13, 1] if bid == 7 else [-14, 1])
    assert won == winner


@pytest.mark.parametrize(
    ("auction", "scores", "winner"),
    [
        ("7 pass pass pass S", [42, 0], 0),  # 9 more: 51
        ("7 pass pass pass S", [41, 50], -1),
        ("10 pass pass pass S", [50, 41], 1),  # set: 10 for the defenders, and the bidders keep their 50
    ],
)
def test_a_cinch_match(auction: str, scores: list[int], winner: int) -> None:
    """3.1: to 51; scores never fall."""
    batch = play_out(do(start(CINCH_SCORES, auction, variant="cinch", scores=scores), BOTH_FIVES))
    assert result(batch)[2] == winner
    assert (batch.state.scores[0] >= scores).all()


# --- monterey-widow


@pytest.mark.parametrize(
    ("bid", "scores", "winner"),
    [
        ("6", [76, 0], 0),  # 15 more: 91
        ("6", [75, 95], -1),  # 91 by defenders does not win, 90 is not enough
        ("6", [76, 100], 0),  # whoever has more
        ("16", [107, 90], -1),  # set: 91 each, and nobody made a bid
    ],
)
def test_a_monterey_widow_match(bid: str, scores: list[int], winner: int) -> None:
    """3.2: to 91, with a bid just made."""
    hands = {0: "AS KS QS JS TS 9S", 1: "8S 7S", 2: "5S 5C 6S", 3: "4S 3S 2S"}
    batch = monterey(hands, {}, "")
    pack = batch.state.pack[0].tolist()
    batch = do(one_game(batch.rules, pack, scores=scores), f"{bid} pass pass pass S")
    points, change, won = result(finish(batch))
    assert points == [15, 1]
    assert change == ([15, 1] if bid == "6" else [-16, 1])
    assert won == winner


# --- tennessee

EVERY_TRICK: Zones = {0: "AS KS QS JS JC XB", 1: "9S 8S", 2: "XS TS 5S 5C 2S", 3: "7S 6S 4S 3S"}
LOSES_THE_ACE: Zones = {0: "KS QS JS JC XB XS", 1: "AS 8S", 2: "TS 5S 5C 2S 9S", 3: "7S 6S 4S 3S"}
"""Seat 0 leads the king; the ace takes it, with what else falls."""


@pytest.mark.parametrize(
    ("zones", "auction", "scores", "loss", "winner"),
    [
        (EVERY_TRICK, "moon pass pass pass S", [0, 51], 0, 0),
        (EVERY_TRICK, "17 pass pass pass S", [0, 51], 0, -1),
        (LOSES_THE_ACE, "moon pass pass pass S", [0, 0], 17, -1),
        (LOSES_THE_ACE, "moon pass pass pass S", [51, 0], 17, -1),
        (LOSES_THE_ACE, "17 pass pass pass S", [0, 0], 17, -1),
    ],
)
def test_moons(zones: Zones, auction: str, scores: list[int], loss: int, winner: int) -> None:
    """3.3, 7.26: all 17 points win the match whatever the scores, anything less −17."""
    batch = finish(start(zones, auction, variant="tennessee", scores=scores))
    points, change, won = result(batch)
    assert sum(points) == 17
    assert change == ([-loss, points[1]] if loss else [17, 0])
    assert won == winner


def test_a_double_moon_by_the_defender_of_a_moon() -> None:
    """3.3, 7.26: made it adds 17 and wins; failed it costs 34."""
    zones: Zones = {1: EVERY_TRICK[0], 2: "9S 8S", 3: EVERY_TRICK[2], 0: "7S 6S 4S 3S"}
    batch = finish(start(zones, "moon double-moon pass pass S", variant="tennessee", scores=[50, -30]))
    assert result(batch) == ([0, 17], [0, 17], 1)
    zones = {1: LOSES_THE_ACE[0], 2: "AS 8S", 3: LOSES_THE_ACE[2], 0: "7S 6S 4S 3S"}
    batch = finish(start(zones, "moon double-moon pass pass S", variant="tennessee"))
    points, change, won = result(batch)
    assert points[0] > 0
    assert (change, won) == ([points[0], -34], -1)


@pytest.mark.parametrize(
    ("auction", "scores"), [("moon pass double-moon pass S", [-40, 0]), ("moon pass pass pass S", [0, 51])]
)
def test_a_conceded_moon_wins(auction: str, scores: list[int]) -> None:
    """7.26: a double moon adds 17 too."""
    zones: Zones = {2: "9S 8S", 3: "XS TS 5C", 0: EVERY_TRICK[0], 1: "7S 6S 5S 4S 3S 2S"}
    batch = start(zones, auction, variant="tennessee", scores=scores)
    while phase(batch) != "play":
        do(batch, "done" if "done" in legal(batch) else [min(legal(batch))])
    do(batch, [min(legal(batch))])
    assert result(do(batch, "concede")) == ([17, 0], [17, 0], 0)


def test_a_raised_moon() -> None:
    """3.3: −34 when it fails, and the match when it is made, from below zero too."""
    zones: Zones = {2: EVERY_TRICK[0], 3: "9S 8S", 0: EVERY_TRICK[2], 1: "7S 6S 4S 3S"}
    auction = "moon pass double-moon pass S"
    batch = finish(start(zones, auction, variant="tennessee", scores=[-40, 51]))
    assert result(batch) == ([17, 0], [17, 0], 0)
    zones = {2: LOSES_THE_ACE[0], 3: "AS 8S", 0: LOSES_THE_ACE[2], 1: "7S 6S 4S 3S"}
    points, change, won = result(finish(start(zones, auction, variant="tennessee", scores=[-1, 0])))
    assert (change, won) == ([-34, points[1]], -1)


@pytest.mark.parametrize(
    ("scores", "winner"),
    [([51, 51], 0), ([0, 51], 1), ([35, 0], -1), ([51, 0], 0)],
)
def test_a_tennessee_match(scores: list[int], winner: int) -> None:
    """3.3: to 52; both: the bidding side."""
    batch = finish(start(LOSES_THE_ACE, "9 pass pass pass S", variant="tennessee", scores=scores))
    points, change, won = result(batch)
    assert change == points
    assert points[0] >= 9
    assert points[1] >= 1
    assert won == winner


# --- lipton

LIPTON: Zones = {0: "AS KS QS JS JC TS 9S", 2: "5S 5C", 3: "2S", "kitty": "TH 9H 5H 2H"}
LIPTON_ACE: Zones = {0: "KS QS JS JC TS 9S AH", 1: "AS", 2: "5S 5C", 3: "2S", "kitty": "TH 9H 5H 2H"}


LIPTON_JACK: Zones = {0: "AS KS QS 9S AH KH QH", 1: "JS JC TS 5S", 2: "5C 2S", "kitty": "TH 9H 5H 2H"}
"""34 points for side 0; the off-jack wins the fourth trick for side 1."""


def lipton(zones: Zones, bid: int, scores: list[int]) -> tuple[list[int], list[int], int]:
    batch = start(zones, f"{bid} pass pass pass S", variant="lipton", scores=scores)
    return result(finish(do(batch, "TH 9H 5H 2H")))


def test_lipton_points() -> None:
    """3.4: 35, and the 2's goes to the winner of its trick."""
    assert lipton(LIPTON, 35, [0, 0]) == ([35, 0], [35, 0], -1)


@pytest.mark.parametrize(
    ("zones", "bid", "scores", "winner"),
    [
        (LIPTON, 15, [70, 0], 0),
        (LIPTON, 15, [69, 104], -1),
        (LIPTON_JACK, 15, [71, 104], 0),  # both at 105: the bidding side
        (LIPTON_JACK, 15, [70, 104], 1),
        (LIPTON_ACE, 35, [-69, 0], -1),  # −104
        (LIPTON_ACE, 35, [-70, 0], 1),  # −105 loses at once
        (LIPTON_ACE, 35, [0, 104], 1),
    ],
)
def test_a_lipton_match(zones: Zones, bid: int, scores: list[int], winner: int) -> None:
    """3.4: to 105; a side at −105 or less loses at once."""
    points, change, won = lipton(zones, bid, scores)
    assert change == ([-35, points[1]] if bid == 35 else points)
    assert won == winner


# --- isle-madame and canadian

MADAME: Zones = {0: "AS KS QS JS TS 9S", 1: "8S 7S 2S", 2: "5S 5C", 3: "6S 4S 3S"}
"""38 points for side 0, the kept 2 for side 1; in canadian 47."""


def madame(auction: str, scores: list[int], variant: str = "isle-madame") -> tuple[list[int], list[int], int]:
    batch = start(MADAME, f"{auction} S", variant=variant, scores=scores)
    while phase(batch) == "rob":
        do(batch, [min(legal(batch))])
    while not batch.over[0]:
        cards = legal(batch) - {"fold"}
        order = [card for card in MADAME[0].split() if card in cards]
        do(batch, order[:1] if seat(batch) == 0 else [min(cards)])
    return result(batch)


@pytest.mark.parametrize(
    ("auction", "scores", "change", "winner"),
    [
        ("25 pass pass pass", [0, 0], [38, 1], -1),
        ("25 pass pass pass", [0, 199], [38, 1], -1),  # 199 is not locked; now it is
        ("25 pass pass pass", [0, 200], [38, 0], -1),  # locked defenders add nothing
        ("25 pass pass pass", [0, 220], [38, 0], -1),
        ("39 pass pass pass", [0, 199], [-39, 1], -1),
        ("39 pass pass pass", [0, 200], [-39, 0], 1),  # and win when they set the bidding side
        ("39 pass pass pass", [200, 200], [-39, 0], 1),
        ("25 pass pass pass", [200, 0], [38, 1], 0),  # a locked bidding side scores as usual
        ("25 pass pass pass", [200, 220], [38, 0], 0),
        ("39 pass pass pass", [200, 0], [-39, 1], -1),  # the lock is looked at before the deal
        ("pass 25 pass pass", [190, 0], [38, -25], 0),  # below 200, and 221 as defenders
        ("pass 25 pass pass", [182, 0], [38, -25], -1),
        ("pass 25 pass pass", [200, 0], [0, -25], 0),
    ],
)
def test_the_lock_of_isle_madame(auction: str, scores: list[int], change: list[int], winner: int) -> None:
    """3.4, 7.27; ``points`` is before the lock (7.5)."""
    assert madame(auction, scores) == ([38, 1], change, winner)


@pytest.mark.parametrize(
    ("auction", "scores", "change", "winner"),
    [
        ("47 pass pass pass", [173, 0], [47, 1], -1),
        ("47 pass pass pass", [174, 0], [47, 1], 0),
        ("47 pass pass pass", [0, 200], [47, 0], -1),
        ("48 pass pass pass", [0, 200], [-48, 0], 1),
    ],
)
def test_the_lock_of_canadian(auction: str, scores: list[int], change: list[int], winner: int) -> None:
    """3.4: isle-madame with 48 points."""
    assert madame(auction, scores, "canadian") == ([47, 1], change, winner)


# --- king-pedro-ukrainian


@pytest.mark.parametrize(
    ("auction", "scores", "change", "winner"),
    [
        ("30 pass pass pass", [201, 0], [61, 1], 0),
        ("30 pass pass pass", [200, 300], [61, 1], -1),  # 261; the defenders have made no bid
        ("62 pass pass pass", [400, 0], [-62, 1], -1),  # set
        ("62 pass pass pass", [-100, 0], [-62, 1], -1),  # no floor
        ("pass 30 pass pass", [260, 0], [61, -30], -1),
    ],
)
def test_a_king_pedro_ukrainian_match(auction: str, scores: list[int], change: list[int], winner: int) -> None:
    """3.4: to 262, with a bid just made."""
    zones: Zones = {0: "AS KS QS JS TS 9S", 1: "8S 7S 2S", 2: "5S 5C 3S", 3: "6S 4S"}
    batch = start(zones, f"{auction} S", variant="king-pedro-ukrainian", scores=scores)
    while phase(batch) in ("give", "discard"):
        do(batch, "done" if phase(batch) == "give" else [min(legal(batch))])
    while not batch.over[0]:
        order = [card for card in zones[0].split() if card in legal(batch)]
        do(batch, order[:1] if seat(batch) == 0 else [min(legal(batch))])
    points, changed, won = result(batch)
    assert (points, changed, won) == ([61, 1], change, winner)


# --- sixty-three and eighty-three

SIXTY_THREE: Zones = {0: "AS KS QS JS TS 9S", 1: "8S 7S 6S", 2: "5S 5C 3S", 3: "4S 2S"}
JOKERS: Zones = {**SIXTY_THREE, 3: "4S 2S XB"}
WITH_ACE_OUT: Zones = {0: "KS QS JS TS 9S 8S", 1: "AS 7S 6S", 2: "5S 5C 3S", 3: "4S 2S XB"}


@pytest.mark.parametrize(
    ("variant", "zones", "total"),
    [
        ("sixty-three", SIXTY_THREE, 63),
        ("sixty-three-joker", JOKERS, 63),
        ("eighty-three", JOKERS, 83),
        ("eighty-three-plain", SIXTY_THREE, 83),
    ],
)
@pytest.mark.parametrize("options", [{}, {"exchange": "fill"}])
def test_all_points_go_to_the_tricks_winner(variant: str, zones: Zones, total: int, options: dict[str, Any]) -> None:
    """3.5: the 2's too (no keeper); 63 or 83 in all."""
    batch = finish(start(zones, f"{total} pass pass pass S", variant=variant, options=options))
    assert result(batch) == ([total, 0], [total, 0], -1)


@pytest.mark.parametrize("variant", ["eighty-three", "eighty-three-plain"])
def test_double_83(variant: str) -> None:
    """3.5: all 83 points score 166, else −166."""
    joker = variant == "eighty-three"
    auction = "double-83 pass pass pass S"
    made = finish(start(JOKERS if joker else SIXTY_THREE, auction, variant=variant))
    assert result(made) == ([83, 0], [166, 0], -1)
    zones = WITH_ACE_OUT if joker else {**WITH_ACE_OUT, 3: "4S 2S"}
    points, change, won = result(finish(start(zones, auction, variant=variant)))
    assert points[1] > 0
    assert (sum(points), change, won) == (83, [-166, points[1]], -1)


@pytest.mark.parametrize(
    ("variant", "scores", "winner"),
    [
        ("sixty-three-joker", [89, 0], 0),
        ("sixty-three-joker", [88, 151], -1),
        ("eighty-three", [117, 0], 0),
        ("eighty-three", [116, 199], -1),
    ],
)
def test_the_targets_of_sixty_three_and_eighty_three(variant: str, scores: list[int], winner: int) -> None:
    """3.5: 152 and 200."""
    assert result(finish(start(JOKERS, "30 pass pass pass S", variant=variant, scores=scores)))[2] == winner


@pytest.mark.parametrize(("variant", "target"), [("sixty-three-joker", 152), ("eighty-three", 200)])
def test_both_at_the_target(variant: str, target: int) -> None:
    """3.5: the bidding side wins; the defenders alone win, too."""
    for own, winner in ((target - 1, 0), (0, 1)):
        batch = finish(start(WITH_ACE_OUT, "30 pass pass pass S", variant=variant, scores=[own, target - 1]))
        points, change, won = result(batch)
        assert change == points
        assert points[1] >= 1
        assert won == winner
