"""Counts of all ways to play on (perft): by hand where they are few, against the reference, and as fingerprints."""

from __future__ import annotations

from math import comb

import numpy as np
import pytest

from pedro_env.actions import Phase
from pedro_env.cards import card_name
from pedro_env.engine import Batch
from pedro_env.variants import VARIANTS, make_rules
from tests.reference import Deal
from tests.support import do, hand, one_game, random_actions, stacked_pack


def ways(batch: Batch, until: Phase = Phase.OVER) -> list[int]:
    """How many sequences of actions there are, step by step, from one game on to its end or to another phase."""
    counts = []
    ended = 0
    while batch.n:
        parents, actions = np.nonzero(batch.mask())
        batch = batch.take(parents)
        batch.step(actions)
        going = ~batch.over & (batch.phase < until)
        ended += int((~going).sum())
        counts.append(ended + int(going.sum()))
        batch = batch.take(np.flatnonzero(going))
    return counts


def reference_ways(deal: Deal, path: list[str]) -> int:
    """The number of ways to play a deal of the reference to its end after some actions."""
    fresh = Deal(deal.game.variant, {}, deal.game.pack, deal.game.dealer, deal.game.scores_before)
    for action in path:
        fresh.apply(action)
    if fresh.seat is None:
        return 1
    return sum(reference_ways(deal, [*path, action]) for action in sorted(fresh.legal()))


def ending(variant: str, tricks: int, seed: int = 11) -> tuple[Batch, list[str]]:
    """A random deal with so many tricks left (or when it ends earlier), and the actions so far."""
    batch, rng = Batch(make_rules(variant), seed), np.random.default_rng(seed)
    path: list[str] = []
    while batch.state.trick[0] < batch.rules.hand - tricks and not batch.over[0]:
        action = random_actions(batch, rng)
        path.append(batch.actions.names[action[0]])
        batch.step(action)
        if batch.over[0]:  # nobody bid, or all points were taken: another deal
            batch.restart(np.array([0]), batch.state.match + 1)
            path = []
    return batch, path


def test_auctions_of_pedro() -> None:
    """RULES 2.4: k of four seats bid k rising numbers of eight; all pass is not possible."""
    expected = sum(comb(4, k) * comb(8, k) for k in range(1, 5))
    assert ways(Batch(make_rules("pedro")), Phase.TRUMP)[-1] == expected == 494


def test_auctions_of_king_pedro_end_with_four_passes() -> None:
    """RULES 7.8, with bids from 43 on only: 43 and 44, and the ways counted by hand.

    All pass: 1. One bids after i passes (i < 3) 44: the others still in (3 - i) can only pass: 3 ways; 43: see below;
    the last one after three passes bids 43 or 44 and the auction is over: 2 ways.
    43 after i passes: one of the 3 - i seats still in raises to 44, whereupon the rest pass, or none does: 4 - i ways.
    """
    batch = Batch(make_rules("king-pedro"))
    lowest = batch.actions.parse("43", Phase.BID)
    ended = 0
    while batch.n:
        mask = batch.mask()
        bids = np.arange(mask.shape[1])
        mask &= (bids >= lowest) | (bids == batch.actions.parse("pass", Phase.BID))
        parents, actions = np.nonzero(mask)
        batch = batch.take(parents)
        batch.step(actions)
        going = batch.phase == Phase.BID
        ended += int((~going).sum())
        batch = batch.take(np.flatnonzero(going))
    assert ended == 1 + 3 + 2 + (4 + 3 + 2)


@pytest.mark.parametrize(
    ("last_two", "dealer", "count"),
    [
        # Hearts must be followed: 2 × 1 × 1 × 2 ways for the first of the two tricks, then one card each.
        ({0: "AH KH", 1: "QH 2D", 2: "JH 3D", 3: "4D 5D"}, "TS 9S 9H 8H", 4),
        # Nobody can follow anything.
        ({0: "AH KD", 1: "AC KC", 2: "QC JC", 3: "TC 9C"}, "TS 9S 9H 8H", 16),
        # To a heart seat 1 may play its heart or its trump.
        ({0: "AH KH", 1: "QH 9S", 2: "3D 4D", 3: "5D 6D"}, "TS 9H 8H 7H", 16),
        # If the trump is led, seat 1 must play its trump: 1 × 2 × 2 ways; if the king, either: 2 × 2 × 2.
        ({0: "TS KH", 1: "9S 2D", 2: "3D 4D", 3: "5D 6D"}, "9H 8H 7H 6H", 12),
    ],
)
def test_the_last_two_tricks_by_hand(last_two: dict[int, str], dealer: str, count: int) -> None:
    """RULES 2.9: the declarer has won four tricks with its highest trumps; the last two can be seen through."""
    first_four = {0: "AS KS QS JS", 1: "8S 7S 6S 5S", 2: "5C 4S 3S 2S", 3: dealer}
    hands = {place: f"{first_four[place]} {last_two[place]}".split() for place in range(4)}
    trumps = {place: [card for card in cards if card[1] == "S" or card == "5C"] for place, cards in hands.items()}
    plain = {place: [card for card in cards if card not in trumps[place]] for place, cards in hands.items()}
    zones: dict[int | str, str] = {place: " ".join(cards) for place, cards in trumps.items()}
    zones["stock"] = " ".join(card for place in range(4) for card in plain[place])
    batch = do(one_game(make_rules("pedro"), stacked_pack(make_rules("pedro"), 3, zones)), "7 pass pass pass S")
    do(batch, plain[3])  # robbed
    for trick in range(4):
        do(batch, [first_four[place].split()[trick] for place in range(4)])
    assert {place: hand(batch, place) for place in range(4)} == {p: set(c.split()) for p, c in last_two.items()}
    assert ways(batch)[-1] == count


@pytest.mark.parametrize("variant", VARIANTS)
def test_endings_against_the_reference(variant: str) -> None:
    batch, path = ending(variant, 2)
    state = batch.state
    pack = [card_name(card) for card in state.pack[0].tolist()]
    deal = Deal(variant, {}, pack, int(state.dealer[0]), state.scores[0].tolist())
    assert ways(batch)[-1] == reference_ways(deal, path)


@pytest.mark.parametrize("variant", VARIANTS)
def test_fingerprints(variant: str) -> None:
    """The ways to play the last three tricks of one deal; they change only if the rules or the packs do."""
    assert ways(ending(variant, 3)[0])[-1] == FINGERPRINTS[variant]


FINGERPRINTS = {
    "pedro": 552,
    "pedro-wpt": 144,
    "cinch": 41,
    "cinch-bicycle": 41,
    "nicaragua": 576,
    "pidro": 2,
    "louisiana": 192,
    "louisiana-cutthroat": 480,
    "catch-five": 432,
    "california": 336,
    "california-100": 77,
    "italian": 192,
    "monterey-draw": 76,
    "monterey-widow": 92,
    "oregon": 12,
    "tennessee": 44,
    "lipton": 352,
    "isle-madame": 2720,
    "canadian": 126,
    "king-pedro": 69,
    "king-pedro-ukrainian": 504,
    "sixty-three": 192,
    "sixty-three-joker": 196,
    "eighty-three": 240,
    "eighty-three-plain": 272,
    "pedro-sancho": 204,
    "dom-pedro": 110,
    "five-handed": 1728,
    "railroad": 2208,
}
