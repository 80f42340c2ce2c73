"""The engine against the reference engine, which was written from the rules page alone: every step of every deal.

Compared are the seat, the phase and the legal set at each decision, all cards where the phase changes, and the
points, scores and winner at the end. Rare paths are forced with lopsided packs and counted.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from pedro_env.cards import SUITS
from pedro_env.variants import VARIANTS, make_rules
from tests.covering import alone, pairwise
from tests.duel import Duel, cautious, naming, wild
from tests.support import lopsided_pack

OTHERS = [variant for variant in VARIANTS if variant != "pedro"]

OPTIONS: list[tuple[str, dict[str, Any]]] = [
    ("pedro", {"min_bid": 6}),
    ("pedro", {"min_bid": 6, "forced_bid": 7, "follow": "strict"}),
    ("pedro", {"follow": "free", "lead_trump": True, "slam": True}),
    ("pedro", {"scoring": "foster"}),
    ("pedro", {"scoring": "bicycle", "target": 51, "double_finish": "bidder_wins"}),
    ("pedro", {"double_finish": "count_order"}),
    ("oregon", {"tie": "extra_deal"}),
    ("pedro-sancho", {"seats": 5}),
    ("pedro-sancho", {"seats": 7, "exchange": True}),
    ("pedro-sancho", {"seats": 6, "deal_all": True}),
    ("pedro-sancho", {"teams": "partners", "exchange": True}),
    ("dom-pedro", {"seats": 5, "deal_all": True}),
    ("dom-pedro", {"seats": 7}),
    ("dom-pedro", {"teams": "partners", "deal_all": True}),
]

RARE_IN_LOPSIDED_DEALS = {
    "pedro-wpt": ("stock_short", "dealer_short", "seven_trumps", "eight_trumps", "nine_trumps", "bidder_out"),
    "california-100": ("stock_short", "must_play_point_trump", "out_of_deal", "nine_trumps", "double_finish"),
    "monterey-draw": ("stock_short", "out_of_deal", "nine_trumps"),
    "oregon": ("stock_short", "two_buried", "ten_or_more_trumps", "out_of_deal", "forced_bid", "double_finish"),
    "king-pedro": ("lead_passes", "two_buried", "redeal", "ten_or_more_trumps", "double_finish"),
    "five-handed": ("must_play_point_trump", "partner_buries_two", "ten_or_more_trumps", "double_finish"),
    "railroad": ("alone", "bury", "dealer_short", "stock_short", "double_finish"),
    "pidro": ("stock_short", "nine_trumps", "lead_passes", "out_of_deal", "dealer_over_six", "double_finish"),
    "louisiana": ("dark", "28-56", "stock_short", "nine_trumps", "bidder_out"),
    "cinch": ("point_trump_credited", "discard_limit", "double_finish"),
    "nicaragua": ("rob_choice", "seven_trumps", "double_finish"),
    "monterey-widow": ("bury", "nine_trumps", "out_of_deal", "double_finish"),
    "tennessee": (
        "declarer_slides", "surplus_to_the_right", "defender_slides", "lead_passes", "concede", "moon", "double-moon",
        "ten_or_more_trumps", "seven_point_trumps",
    ),
    "isle-madame": ("fold", "locked_defenders", "stock_short", "nine_trumps"),
    "canadian": ("fold", "locked_defenders", "nine_trumps"),
    "king-pedro-ukrainian": ("fold", "seven_point_trumps", "two_discarded", "redeal", "double_finish"),
    "sixty-three": ("point_trump_discarded", "seven_point_trumps", "redeal", "double_finish"),
    "eighty-three": ("surplus_given", "surplus_given_back", "redeal", "double_finish"),
    "eighty-three-plain": ("surplus_given", "surplus_given_back"),
}  # fmt: skip
"""What must have happened in ``test_lopsided_deals_of_other_variants``, as the reference counts it."""


def near_target(variant: str, options: dict[str, Any]) -> Callable[[int], list[int]]:
    """Scores at the start of a match so close to the target that a deal or two end it."""
    rules = make_rules(variant, options)

    def scores(match: int) -> list[int]:
        rng = np.random.default_rng(match)
        return rng.integers(rules.target - 12, rules.target + 2, size=rules.sides).tolist()

    return scores


def play_lopsided_deals(variant: str, n: int, seed: int) -> Duel:
    """One deal in each of n games, close to the target and with the trumps in few hands."""
    duel = Duel(variant, n=n, seed=seed, scores=near_target(variant, {}))
    play_lopsided_deal(duel, seed)
    return duel


def play_lopsided_deal(duel: Duel, seed: int) -> None:
    """A deal in every game whose trumps are in few hands, and named."""
    rng, n = np.random.default_rng(seed), duel.batch.n
    trumps = rng.integers(4, size=n).tolist()
    dealers = rng.integers(duel.rules.seats, size=n).tolist()
    packs = [lopsided_pack(duel.rules, dealer, trump, rng) for dealer, trump in zip(dealers, trumps, strict=True)]
    duel.set_packs(packs, dealers)
    duel.play_deals([naming(SUITS[trump]) for trump in trumps])


def require(duel: Duel, *events: str, times: int = 1) -> None:
    """Show how often some things happened, and fail where one happened too seldom."""
    counts = {event: duel.events[event] for event in events}
    print(f"{duel.variant}: {duel.deals} deals, {duel.decisions} decisions; {counts}")
    for event, count in counts.items():
        assert count >= times, f"{event} happened {count} times"


def test_matches_of_pedro() -> None:
    """5,000 deals in matches (RULES 2), with bids so low that the matches end."""
    duel = Duel("pedro", n=250, seed=1)
    while duel.deals < 5000:
        duel.play_deals(cautious)
        duel.next_deals()
    require(duel, "matches", "forced_bid", "rob_choice", "made", "set", "seven_trumps", "bidder_out")


def test_wild_bids_and_truncation() -> None:
    """RULES 2.12, 7.1: uniformly random actions, cut off after five deals."""
    duel = Duel("pedro", {"max_deals": 5}, n=200, seed=2)
    for _ in range(6):
        duel.play_deals(wild)
        duel.next_deals()
    require(duel, "truncated", times=100)


def test_ends_of_matches_of_pedro() -> None:
    """RULES 2.12: deals played bidder out and double finishes, followed by further deals."""
    duel = Duel("pedro", n=250, seed=3, scores=near_target("pedro", {}))
    for _ in range(4):
        duel.play_deals(cautious)
        duel.next_deals()
    require(duel, "bidder_out", "double_finish", "matches", times=20)


def test_lopsided_deals_of_pedro() -> None:
    """RULES 2.7, 2.8, 2.10: packs made so that the stock runs out and hands have 7, 8, 9 and more trumps."""
    duel = play_lopsided_deals("pedro", 1000, seed=4)
    require(
        duel,
        "stock_short", "dealer_short", "dealer_over_six", "seven_trumps", "eight_trumps", "nine_trumps",
        "ten_or_more_trumps", "bury", "rob_choice", "bidder_out", "double_finish",
    )  # fmt: skip


@pytest.mark.parametrize("variant", OTHERS)
def test_other_variants(variant: str) -> None:
    duel = Duel(variant, n=120, seed=5, scores=near_target(variant, {}))
    for policy in (cautious, wild, cautious):
        duel.play_deals(policy)
        duel.next_deals()
    require(duel, "made", "set", "matches")


@pytest.mark.parametrize("variant", OTHERS)
def test_lopsided_deals_of_other_variants(variant: str) -> None:
    duel = play_lopsided_deals(variant, 800 if variant == "five-handed" else 150, seed=6)
    require(duel, *RARE_IN_LOPSIDED_DEALS.get(variant, ()))


@pytest.mark.parametrize(
    ("variant", "options"),
    [(variant, options) for variant in VARIANTS for options in [*alone(variant), *pairwise(variant)]],
    ids=str,
)
def test_every_option_alone_and_with_every_other(variant: str, options: dict[str, Any]) -> None:
    """RULES 4 and the options of RULES 7.12: random packs, then lopsided ones."""
    duel = Duel(variant, options, n=30, seed=8, scores=near_target(variant, options))
    for policy in (cautious, wild):
        duel.play_deals(policy)
        duel.next_deals()
    play_lopsided_deal(duel, seed=8)
    require(duel, "made", "set")


@pytest.mark.parametrize(("variant", "options"), OPTIONS, ids=str)
def test_ends_of_matches_with_options(variant: str, options: dict[str, Any]) -> None:
    """Near the end of a match, where some options matter most."""
    duel = Duel(variant, options, n=80, seed=7, scores=near_target(variant, options))
    for policy in (cautious, wild):
        duel.play_deals(policy)
        duel.next_deals()
    require(duel, "made", "set", "matches", "double_finish")
