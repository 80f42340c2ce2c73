"""The reference engine against the published example records, and against itself on random deals."""

from __future__ import annotations

import copy
import json
import random
from pathlib import Path
from typing import Any

import pytest

from tests import reference
from tests.reference import VARIANTS, Deal, complete_options, pack_of, play_match, replay, sides_of

RECORDS = [
    json.loads(line)
    for line in (Path(__file__).parent / "data" / "example-records.jsonl").read_text().splitlines()
    if line
]
# Variants in which every point counts for somebody, whatever is discarded
ALL_POINTS_COUNT = {
    "pedro", "pedro-wpt", "pidro", "louisiana", "louisiana-cutthroat", "california", "california-100", "italian",
    "monterey-draw", "monterey-widow", "king-pedro", "eighty-three", "eighty-three-plain", "five-handed", "railroad",
}  # fmt: skip

# ---- example records ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: f"{record['variant']}-{record['deal']}")
def test_example_record(record: dict[str, Any]) -> None:
    replay(record)


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda record: record["steps"][5].update(seat=3), "step 5: seat"),
        (lambda record: record["steps"][5].update(phase="rob"), "step 5: phase"),
        (lambda record: record["steps"][5]["legal"].pop(), "step 5"),
        (lambda record: record["steps"].pop(), "after the last step"),
        (lambda record: record.update(winner=0), "winner"),
        (lambda record: record.update(score_change=[0, 0]), "score_change"),
    ],
)
def test_replay_names_the_difference(spoil: Any, message: str) -> None:
    record = copy.deepcopy(RECORDS[0])
    spoil(record)
    with pytest.raises(AssertionError, match=message):
        replay(record)


# ---- random deals -------------------------------------------------------------------------------------------


def random_action(deal: Deal, rng: random.Random) -> str:
    legal = sorted(deal.legal())
    if deal.phase == "bid" and "pass" in legal and rng.random() < 0.5:
        return "pass"
    return rng.choice(legal)


def check_deal(deal: Deal, scores: list[int]) -> None:
    game = deal.game
    assert deal.seat is None
    assert deal.phase is None
    assert deal.legal() == set()
    assert deal.scores == [before + change for before, change in zip(scores, deal.score_change, strict=True)]
    if deal.redeal:
        assert not any(deal.points)
        assert deal.scores == scores
        assert deal.winner is None
        return
    places = [game.hands, game.laid_aside, game.buried, game.laid_down, game.played]
    cards = [card for place in places for seat in place for card in seat] + game.stock + game.kitty
    assert sorted(cards) == sorted(game.pack)  # every card in exactly one place
    assert sum(deal.points) <= sum(game.values.values())
    if game.variant in ALL_POINTS_COUNT:
        assert sum(deal.points) == sum(game.values.values())


def check_hands_at_first_play(deal: Deal) -> None:
    """Six cards each; more only of trumps."""
    game = deal.game
    for seat in range(game.seats):
        if seat not in game.out:
            assert len(game.hands[seat]) >= game.hand_size
            assert len(game.hands[seat]) == game.hand_size or not game.plain(game.hands[seat])


@pytest.mark.parametrize("variant", VARIANTS)
def test_random_deals(variant: str) -> None:
    rng = random.Random(variant)
    scores = [0] * sides_of(variant, {})
    dealer = 0
    for _ in range(60):
        deal = Deal(variant, {}, rng.sample(pack_of(variant), len(pack_of(variant))), dealer, scores)
        seen_play = False
        while deal.seat is not None:
            assert deal.legal()
            if deal.phase in ("bury", "play") and not seen_play:
                seen_play = True
                check_hands_at_first_play(deal)
            deal.apply(random_action(deal, rng))
        check_deal(deal, scores)
        dealer = deal.next_dealer
        scores = deal.scores if deal.winner is None else [0] * len(scores)


@pytest.mark.parametrize("seed", range(60))
def test_random_options(seed: int) -> None:
    rng = random.Random(seed)
    variant = rng.choice(["pedro"] * 5 + [name for name in reference.OPTIONS if name != "pedro"])
    options = {}
    for name, (_, values) in reference.OPTIONS[variant].items():
        if rng.random() < 0.4:
            options[name] = rng.choice([51, 52, 56, 61]) if values == reference.POSITIVE else rng.choice(values)
    try:
        complete_options(variant, options)
    except ValueError:
        return  # a contradiction
    for _ in range(5):
        scores = [rng.randrange(-20, 50) for _ in range(sides_of(variant, options))]
        deal = Deal(variant, options, rng.sample(pack_of(variant), len(pack_of(variant))), 0, scores)
        while deal.seat is not None:
            deal.apply(random_action(deal, rng))
        check_deal(deal, scores)
        if variant == "pedro":
            assert sum(deal.points) == 14


# ---- errors -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("variant", "options"),
    [
        ("pinochle", {}),
        ("pedro", {"colour": "red"}),
        ("pedro", {"min_bid": 5}),
        ("pedro", {"slam": 1}),
        ("pedro", {"max_deals": 0}),
        ("pedro", {"slam": True, "scoring": "foster"}),
        ("pedro", {"bid_28_56": True, "scoring": "bicycle"}),
        ("pedro", {"rob_discards": True, "six_at_most": "counts_for_opponents"}),
        ("pedro-wpt", {"slam": True}),
        ("pedro-sancho", {"seats": 5, "teams": "partners"}),
        ("pedro-sancho", {"exchange": True, "deal_all": True}),
    ],
)
def test_bad_options(variant: str, options: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        complete_options(variant, options)


def test_an_unknown_option_names_the_variants_own() -> None:
    with pytest.raises(ValueError, match=r"oregon has no option 'slam'; it has max_deals, tie"):
        complete_options("oregon", {"slam": True})


def test_illegal_actions_and_bad_deals() -> None:
    record = RECORDS[0]
    deal = Deal("pedro", {}, record["pack"], record["dealer"], [0, 0])
    with pytest.raises(ValueError, match="is not one of"):
        deal.apply("6")
    assert (deal.seat, deal.phase) == (1, "bid")
    with pytest.raises(ValueError, match="pack"):
        Deal("pedro", {}, record["pack"][1:], 0, [0, 0])
    with pytest.raises(ValueError, match="scores"):
        Deal("pedro", {}, record["pack"], 0, [0, 0, 0])


# ---- matches ------------------------------------------------------------------------------------------------


def deal_again(record: dict[str, Any], scores: list[int]) -> Deal:
    """The recorded deal, played from other scores."""
    deal = Deal(record["variant"], record["options"], record["pack"], record["dealer"], scores)
    for step in record["steps"]:
        deal.apply(step["action"])
    return deal


@pytest.mark.parametrize(
    ("scores", "winner"),
    [
        ([0, 50], None),
        ([0, 60], 1),  # side 1 alone has 62
        ([76, 54], 0),  # set, and still 62: it alone is there
        ([80, 58], 0),  # bidder out, set: the same
        ([75, 60], 1),  # bidder out, set: the defenders alone
        ([76, 61], None),  # bidder out, set: 62 to 63, play goes on
    ],
)
def test_the_end_of_a_match_of_pedro(scores: list[int], winner: int | None) -> None:
    deal = deal_again(RECORDS[0], scores)  # side 0 bids 14, is set; side 1 takes 2
    assert deal.score_change == [-14, 2]
    assert deal.winner == winner


@pytest.mark.parametrize(
    ("scores", "winner"),
    [
        ([0, 0], None),
        ([54, 55], 0),  # 62 at last: alone
        ([54, 58], None),  # both at 62, not bidder out: another deal
        ([55, 61], 0),  # bidder out: made, so it wins at once
        ([47, 57], 1),  # the defenders alone
        ([63, 70], 0),  # bidder out after a double finish
    ],
)
def test_the_bidders_make_their_bid(scores: list[int], winner: int | None) -> None:
    """A deal in which side 0 makes 8 and side 1 takes 6, as bidder out and otherwise."""
    deal = a_deal_with_points([8, 6], scores)
    assert deal.score_change == [8, 6]
    assert deal.winner == winner


def a_deal_with_points(points: list[int], scores: list[int]) -> Deal:
    """Search random deals for one in which side 0 bids 7 and the sides take these points."""
    rng = random.Random(0)
    while True:
        deal = Deal("pedro", {}, rng.sample(pack_of("pedro"), 52), 3, scores)
        for call in ("7", "pass", "pass", "pass"):
            deal.apply(call)
        while deal.seat is not None:
            deal.apply(rng.choice(sorted(deal.legal())))
        if deal.points == points:
            return deal


def test_a_match_is_truncated() -> None:
    rng = random.Random(1)
    result = play_match(
        "pedro",
        {"max_deals": 3},
        0,
        lambda number: rng.sample(pack_of("pedro"), 52),
        lambda deal: sorted(deal.legal())[0],
    )
    assert result.truncated
    assert result.winner is None
    assert len(result.deals) == 3
