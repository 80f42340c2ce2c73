"""Rare paths: counted by a command, and taken one by one from positions set up by hand where random play misses them.

In a ``Position`` the engine and the reference play the same deal step by step while the paths are watched. The last
seat deals, so seat 0 is eldest; spades are trumps, so the five of clubs is the off-five.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pedro_env.actions import Phase, actions_of
from pedro_env.cards import SUITS, card_name, parse_card
from pedro_env.commands import main
from pedro_env.engine import Batch
from pedro_env.paths import possible
from pedro_env.paths.catalogue import PATHS
from pedro_env.paths.counts import count_paths
from pedro_env.paths.watch import Watch, possible_paths
from pedro_env.rules import DoubleFinish, Rules, Teams
from pedro_env.tables import tables_of
from pedro_env.variants import VARIANTS, make_rules
from tests.duel import naming
from tests.reference import Deal
from tests.support import (
    columns,
    hand,
    legal,
    lopsided_pack,
    names,
    one_game,
    phase,
    random_actions,
    same,
    seat,
    stacked_pack,
)

PAGE = Path(__file__).parents[1] / "docs" / "rules" / "paths.md"

Zones = dict[int | str, str]

# Side 0 takes most points, side 1 some, in every game of four seats.
SPLIT: Zones = {0: "AS KS", 1: "QS JS JC TS 9S 8S", 2: "5S 5C", 3: "4S 3S 2S"}


class Position:
    """One deal with given cards, in the engine and in the reference, with the paths watched."""

    def __init__(
        self,
        variant: str,
        zones: Zones,
        *,
        scores: list[int] | None = None,
        options: dict[str, Any] | None = None,
    ) -> None:
        self.rules = make_rules(variant, options)
        dealer = self.rules.seats - 1
        scores = scores or [0] * self.rules.sides
        pack = whole_pack(self.rules, dealer, zones)
        self.batch = one_game(self.rules, pack, dealer, scores)
        self.reference = Deal(variant, options or {}, [card_name(card) for card in pack], dealer, scores)
        self.watch = Watch(self.batch)

    @property
    def seen(self) -> set[str]:
        """The names of the paths taken so far."""
        return {path.name for path, seen in zip(self.watch.paths, self.watch.seen[:, 0], strict=True) if seen}

    def do(self, actions: str | Iterable[str]) -> Position:
        """Take some actions in both; before each, both ask the same seat the same."""
        for name in actions.split() if isinstance(actions, str) else actions:
            asked = seat(self.batch), phase(self.batch), legal(self.batch)
            assert asked == (self.reference.seat, self.reference.phase, self.reference.legal())
            self.reference.apply(name)
            self.watch.step(np.array([self.batch.actions.parse(name, Phase(self.batch.phase[0]))]))
        return self

    def bid(self, bid: str, by: int = 0) -> Position:
        """The auction, in which one seat bids once and all others pass; then spades are named."""
        bids = False
        while phase(self.batch) in ("dark", "bid"):
            now = seat(self.batch) == by and not bids and bid in legal(self.batch)
            self.do([bid if now else "pass"])
            bids |= now
        assert bids
        return self.do("S") if phase(self.batch) == "trump" else self

    def exchange(self) -> Position:
        """Choices before the play: done where that is possible, plain cards go first, trumps are kept."""
        while phase(self.batch) in ("give", "discard", "rob"):
            self.do(["done" if "done" in legal(self.batch) else self.cheapest()])
        return self

    def play_out(self) -> Position:
        """To the end; strong trumps are led, cheap cards are played to them. Both come to the same result."""
        self.exchange()
        while not self.batch.over[0]:
            on_lead = phase(self.batch) == "play" and self.batch.state.led[0] == -1
            self.do([self._dearest() if on_lead else self.cheapest()])
        state, deal = self.batch.state, self.reference
        winner = None if state.winner[0] == -1 else int(state.winner[0])
        found = state.points[0].tolist(), state.score_change[0].tolist(), state.scores[0].tolist(), winner, None
        assert found == (deal.points, deal.score_change, deal.scores, deal.winner, deal.seat)
        return self

    def result(self) -> tuple[list[int], list[int], int]:
        """Points, scores and winner (-1: none)."""
        state = self.batch.state
        return state.points[0].tolist(), state.scores[0].tolist(), int(state.winner[0])

    def next_deal(self) -> Batch:
        self.batch.next_deal(np.array([0]))
        return self.batch

    def cheapest(self) -> str:
        return min(self._cards(), key=self._worth)

    def _dearest(self) -> str:
        return max(self._cards(), key=lambda name: self._strength(name))

    def _cards(self) -> list[str]:
        return sorted(name for name in legal(self.batch) if len(name) == 2 and name[1] in "SHDCB")

    def _strength(self, name: str) -> int:
        table = self.batch.tables.strength.reshape(4, 5, -1)
        return int(table[self.batch.state.trump[0], 0, parse_card(name)])

    def _worth(self, name: str) -> tuple[int, int, str]:
        points = self.batch.tables.points[self.batch.state.trump[0], parse_card(name)]
        return int(points), self._strength(name), name


def whole_pack(rules: Rules, dealer: int, zones: Zones) -> list[int]:
    """``stacked_pack`` without the cards that the game does not have; widows of seats get what is left."""
    there = tables_of(rules).pack.tolist()
    zones = {zone: " ".join(card for card in text.split() if parse_card(card) in there) for zone, text in zones.items()}
    pack = stacked_pack(rules, dealer, zones)
    rest = sorted(set(there) - set(pack))
    return [rest.pop() if card < 0 else card for card in pack]


def lowest_bid(rules: Rules) -> str:
    """Of a seat that may pass, and in spades."""
    return next(bid.name for bid in actions_of(rules).bids if bid.number >= rules.min_bid and bid.suit in (-1, 0))


def split(variant: str, scores: list[int] | None = None, bid: str | None = None) -> Position:
    """Seat 0 has the lowest bid and makes it, both sides take points."""
    position = Position(variant, SPLIT, scores=scores)
    return position.bid(bid or lowest_bid(position.rules)).play_out()


POSSIBLE = {variant: {path.name for path in possible_paths(make_rules(variant))} for variant in VARIANTS}


def having(path: str) -> list[str]:
    """The variants in which a path is possible."""
    return [variant for variant, paths in POSSIBLE.items() if path in paths]


def ended_by(*rules: DoubleFinish) -> list[str]:
    """The games of four seats in two teams in which both sides can be at the target after one deal."""
    return [
        variant
        for variant in VARIANTS
        if make_rules(variant).double_finish in rules
        and make_rules(variant).teams is Teams.PARTNERS
        and possible.double_finish_possible(make_rules(variant))
        and not make_rules(variant).locked_at
    ]


# --- every path that random play misses, from a position


def rounds_of_random_play(rules: Rules, deals: int) -> Batch:
    batch = Batch(rules, seed=3, matches=range(4))
    rng = np.random.default_rng(3)
    for number in range(deals):
        if number:
            batch.next_deal(np.arange(batch.n))
        watch = Watch(batch)
        while not batch.over.all():
            watch.step(random_actions(batch, rng))
        truncated = next(seen for path, seen in zip(watch.paths, watch.seen, strict=True) if path.name == "truncated")
        np.testing.assert_array_equal(truncated, batch.state.truncated)
    return batch


@pytest.mark.parametrize("variant", having("truncated"))
def test_truncated(variant: str) -> None:
    """2.12: cut off after max_deals, without a winner; redeals count too (7.1)."""
    batch = rounds_of_random_play(make_rules(variant, {"max_deals": 3}), 2)
    assert not batch.state.truncated.any()
    batch = rounds_of_random_play(make_rules(variant, {"max_deals": 2}), 2)
    assert batch.state.truncated.any()
    np.testing.assert_array_equal(batch.state.truncated, batch.state.winner == -1)
    with pytest.raises(ValueError, match="match is over"):
        batch.next_deal(np.array([0]))


@pytest.mark.parametrize("variant", having("all pass, redeal"))
def test_truncated_by_a_redeal(variant: str) -> None:
    """7.1, 7.8: nobody bids; the deal counts."""
    position = Position(variant, {}, options={"max_deals": 1}, scores=[-3, 9]).do("pass pass pass pass")
    assert {"all pass, redeal", "truncated"} <= position.seen
    assert position.result() == ([0, 0], [-3, 9], -1)


@pytest.mark.parametrize("variant", having("bidder out twice running"))
def test_bidder_out_twice_running(variant: str) -> None:
    """2.12: both have 55 or more and the bidding side is set; both are past the target, and the next is bidder out."""
    position = split(variant, [80, 60], "14")
    points, scores, winner = position.result()
    assert points == [11, 3]
    assert winner == -1
    assert scores == [80 - (11 if variant == "pedro-wpt" else 14), 63]
    assert {"bidder out set", "double finish", "bidder out twice running"} <= position.seen
    assert position.next_deal().state.bidder_out[0]
    once = split(variant, [54, 60], "14")
    assert not once.seen & {"bidder out set", "bidder out twice running"}


def test_bidder_out_comes_to_an_end() -> None:
    """2.12: the set side falls below 55."""
    position = split("pedro", [58, 55], "14")
    assert position.result()[1] == [44, 58]
    assert "bidder out set" in position.seen
    assert "bidder out twice running" not in position.seen
    assert not position.next_deal().state.bidder_out[0]


@pytest.mark.parametrize("variant", ended_by(*DoubleFinish))
def test_double_finish(variant: str) -> None:
    """2.12 and the variants' own sentences: both reach the target exactly, and seat 0 has made its bid."""
    change = split(variant).batch.state.score_change[0].tolist()
    assert min(change) > 0
    target = make_rules(variant).target
    position = split(variant, [target - change[0], target - change[1]])
    assert "double finish" in position.seen
    plays_on = make_rules(variant).double_finish is DoubleFinish.BIDDER_OUT
    assert position.result()[1:] == ([target, target], -1 if plays_on else 0)
    if plays_on:
        assert position.next_deal().state.bidder_out[0]
    alone = split(variant, [target - change[0], target - change[1] - 1])
    assert "double finish" not in alone.seen
    assert alone.result()[2] == 0


@pytest.mark.parametrize("variant", ended_by(DoubleFinish.BIDDER_WINS, DoubleFinish.MADE_BID_ONLY))
def test_lower_score_wins(variant: str) -> None:
    """The bidding side wins, whoever has more."""
    change = split(variant).batch.state.score_change[0].tolist()
    target = make_rules(variant).target
    position = split(variant, [target - change[0], target - 1])
    assert {"double finish", "lower score wins"} <= position.seen
    assert position.result()[1:] == ([target, target - 1 + change[1]], 0)


@pytest.mark.parametrize("variant", ended_by(DoubleFinish.BIDDER_OUT))
def test_lower_score_wins_bidder_out(variant: str) -> None:
    """2.12: both have 55 or more and the bid is made."""
    position = split(variant, [55, 70])
    assert {"bidder out made", "lower score wins"} <= position.seen
    assert position.result()[1:] == ([66, 73], 0)


# 26 points (ace and king) for the bidding side, 22 for the defenders with the nine.
ACE_AND_KING: Zones = {0: "AS KS", 1: "QS JS 9S 4S 3S 5C", 2: "8S", 3: "TS 7S 6S 5S 2S"}


def test_double_finish_of_canadian() -> None:
    """3.4: defenders who are not locked reach the target in the deal in which the bidding side does."""
    position = Position("canadian", ACE_AND_KING, scores=[195, 199]).bid("26").play_out()
    assert position.result() == ([26, 22], [221, 221], 0)
    assert "double finish" in position.seen
    locked = Position("canadian", ACE_AND_KING, scores=[195, 200]).bid("26").play_out()
    assert locked.result() == ([26, 22], [221, 200], 0)
    assert "locked score adds nothing" in locked.seen


def test_lower_score_wins_in_canadian() -> None:
    """3.4: both at 221, the bidding side wins; it took the king alone, since nobody laid the ace on it."""
    zones = ACE_AND_KING | {0: "KS QS", 1: "AS JS 9S 4S 3S 5C"}
    position = Position("canadian", zones, scores=[196, 199]).bid("25").play_out()
    assert position.result() == ([25, 23], [221, 222], 0)
    assert "lower score wins" in position.seen


@pytest.mark.parametrize(
    ("tie", "winner"),
    [("bidder", 0), ("extra_deal", -1)],
)
def test_equal_at_the_target(tie: str, winner: int) -> None:
    """3.3 oregon, 7.25"""
    change = split("oregon").batch.state.score_change[0].tolist()
    scores = [70 - change[0], 70 - change[1]]
    position = Position("oregon", SPLIT, scores=scores, options={"tie": tie}).bid("6S").play_out()
    assert "equal at the target" in position.seen
    assert position.result()[1:] == ([70, 70], winner)


@pytest.mark.parametrize("variant", having("negative limit"))
def test_negative_limit(variant: str) -> None:
    """3.4: a side that falls to the limit loses at once; a point above it plays on."""
    rules = make_rules(variant)
    highest = str(rules.max_bid)
    at_the_limit = split(variant, [rules.floor + rules.max_bid, 0], highest)
    assert "negative limit" in at_the_limit.seen
    assert at_the_limit.result()[1][0] == rules.floor
    assert at_the_limit.result()[2] == 1
    above = split(variant, [rules.floor + rules.max_bid + 1, 0], highest)
    assert above.result()[2] == -1
    assert "negative score" in above.seen
    assert "negative limit" not in above.seen


@pytest.mark.parametrize("variant", ["pedro", "california", "isle-madame", "canadian", "king-pedro-ukrainian"])
def test_nothing_rare(variant: str) -> None:
    """A deal in which nothing of all this happens."""
    assert split(variant).seen == set()


# The bidding side takes everything, in six tricks of seat 0.
ALL_TO_SEAT_0: Zones = {0: "AS KS QS JS TS 9S", 1: "8S 7S", 2: "5S 5C 2S XB", 3: "6S 4S 3S"}


@pytest.mark.parametrize("variant", having("double-83 made"))
def test_double_83_made(variant: str) -> None:
    """3.5: all 83 points score 166; one less, and they are subtracted."""
    position = Position(variant, ALL_TO_SEAT_0).bid("double-83").play_out()
    assert position.result()[:2] == ([83, 0], [166, 0])
    assert "double-83 made" in position.seen
    position = split(variant, bid="double-83")
    assert position.batch.state.score_change[0, 0] == -166
    assert "double-83 set" in position.seen


@pytest.mark.parametrize("variant", having("dark made"))
def test_dark_and_28_56(variant: str) -> None:
    """3.1: all 14 points score 28, or 56 over a dark bid; the others may only pass."""
    dark = Position(variant, ALL_TO_SEAT_0).do("dark")
    for bidder in (1, 2, 3):
        assert (seat(dark.batch), legal(dark.batch)) == (bidder, {"pass"})
        dark.do("pass")
    dark.do("S").play_out()
    assert dark.result() == ([14, 0], [28, 0], -1)
    assert "dark made" in dark.seen
    over = Position(variant, ALL_TO_SEAT_0 | {0: "AS KS QS JS TS 2S", 2: "5S 5C 9S"}).do("pass pass pass dark")
    assert "dark by the dealer" in over.seen
    assert legal(over.batch) == {"pass", "28-56"}
    over.do("28-56 pass pass")
    assert (phase(over.batch), legal(over.batch)) == ("trump", {"S"})
    over.do("S").play_out()
    assert over.result() == ([14, 0], [56, 0], -1)
    assert "28-56 made" in over.seen
    lost = split(variant, bid="dark")
    assert lost.result()[1] == [-14, 3]
    assert "dark set" in lost.seen


# --- tennessee (3.3, 7.26)

# Seat 2 takes everything: after four leads of trumps the others have none and are out.
MOON: Zones = {0: "7S 6S 5S 5C", 1: "XS TS 9S 8S", 2: "AS KS QS JS JC XB", 3: "4S 3S 2S"}


def test_moon_in_the_hole() -> None:
    """3.3, 7.26: the partner must raise it, plays it, and wins the match whatever the scores."""
    position = Position("tennessee", MOON, scores=[-5, 40]).do("moon pass")
    assert (seat(position.batch), legal(position.batch)) == (2, {"double-moon"})
    position.do("double-moon pass S").play_out()
    assert {"forced double-moon", "double-moon made", "one seat leads on", "lower score wins"} <= position.seen
    assert position.result() == ([17, 0], [12, 40], 0)


def test_moon_in_the_hole_that_stands() -> None:
    """7.26: the partner has had its turn; a moon that fails costs 17, a double moon 34."""
    position = Position("tennessee", MOON, scores=[-5, 40]).do("pass pass moon pass S").play_out()
    assert {"moon in the hole stands", "moon made"} <= position.seen
    assert position.result() == ([17, 0], [12, 40], 0)
    failed = Position("tennessee", SPLIT, scores=[-5, 40]).do("moon pass double-moon pass S").play_out()
    assert failed.result()[1][0] == -39
    assert "double-moon set" in failed.seen
    over = Position("tennessee", SPLIT).do("moon")
    assert legal(over.batch) == {"pass", "double-moon"}
    assert "double-moon over a moon" in over.do("double-moon").seen


def test_a_moon_without_a_hole_need_not_be_raised() -> None:
    """7.26: at a score of 0 the partner may not, and 17 points are lost."""
    position = Position("tennessee", SPLIT).do("moon pass")
    assert legal(position.batch) == {"pass"}
    position.do("pass pass S").play_out()
    assert position.result()[1][0] == -17
    assert "moon set" in position.seen


def test_moon_conceded() -> None:
    """7.26: a defender gives the match away at its first turn to play."""
    position = Position("tennessee", MOON).do("pass pass moon pass S").exchange()
    position.do("AS")
    assert "concede" in legal(position.batch)
    position.do("concede")
    assert position.result() == ([17, 0], [17, 0], 0)
    assert {"concede", "moon conceded"} <= position.seen


def test_misdeal() -> None:
    """3.3: nothing that counts among the nine cards; the same dealer deals again."""
    position = Position("tennessee", {0: "KS QS 9S 8S 7S 6S 4S 3S KH", 1: "AS"}, scores=[7, -3])
    assert "misdeal" in legal(position.batch)
    position.do("misdeal")
    assert position.result() == ([0, 0], [7, -3], -1)
    assert "misdeal" in position.seen
    assert position.next_deal().state.dealer[0] == position.reference.next_dealer == 3


def test_point_trump_laid_aside_in_tennessee() -> None:
    """7.26: the partner's surplus goes to the right, where all are point trumps: one worth 1 is lost."""
    zones: Zones = {0: "7S 6S 4S 3S", 1: "AS JS JC XB XS TS", 2: "5S 5C 2S KS QS 9S 8S"}
    position = Position("tennessee", zones).bid("9")
    while phase(position.batch) == "discard":  # the declarer has taken the widow
        position.do([position.cheapest()])
    assert (seat(position.batch), phase(position.batch), legal(position.batch)) == (2, "give", set(zones[2].split()))
    position.do("2S")
    assert (seat(position.batch), phase(position.batch)) == (1, "discard")
    assert legal(position.batch) == {"AS", "JS", "JC", "XB", "XS", "TS", "2S"}
    position.do("2S").play_out()
    assert {"slide overflows", "point trump laid aside", "7 trumps"} <= position.seen
    assert sum(position.result()[0]) == 16


# --- the king games (3.4, 7.27)


def test_locked_score_wins() -> None:
    """7.27: at 200 as defenders it adds nothing, but wins when it sets the bidding side; at 199 neither."""
    locked = split("isle-madame", [0, 200], "39")
    assert locked.result()[1:] == ([-39, 200], 1)
    assert "locked score wins" in locked.seen
    made = split("isle-madame", [0, 200])
    assert made.result()[1][1] == 200
    assert made.result()[2] == -1
    assert "locked score adds nothing" in made.seen
    free = split("isle-madame", [0, 199], "39")
    assert free.result()[1][1] > 199
    assert not free.seen & {"locked score wins", "locked score adds nothing"}


def test_defenders_reach_the_target() -> None:
    """7.27: from below 200."""
    position = Position("isle-madame", ACE_AND_KING | {0: "4S", 1: "AS KS 9S QS 3S 5C"}, scores=[0, 199])
    position.bid("25").play_out()
    assert position.result()[1][1] >= 221
    assert position.result()[2] == 1
    assert "defenders reach the target" in position.seen


def test_the_lead_passes_when_its_seat_folds() -> None:
    """3.4: a declarer without a trump may fold on its own lead; the next seat still in leads, a trump if it has one."""
    zones: Zones = {1: "AS KS QS JS TS 9S", 2: "8S 7S 6S 5S", 3: "5C 4S 3S 2S", "stock": "AH KH QH JH TH 9H 8H 7H"}
    position = Position("isle-madame", zones).bid("25").exchange()
    assert (seat(position.batch), phase(position.batch)) == (0, "play")
    assert "opening lead without trump" in position.seen
    assert "fold" in legal(position.batch)
    position.do("fold")
    assert {"fold on lead", "lead passes", "fold in the play"} <= position.seen
    assert (seat(position.batch), legal(position.batch)) == (1, {"AS", "KS", "QS", "JS", "TS", "9S"})
    assert hand(position.batch, 0) == set()
    assert position.play_out().result()[1] == [-25, 39]


# --- house rules and options (4, 7.13 to 7.19, 3.5, 3.6)


def test_trump_taken_back() -> None:
    """7.14: the stock is empty, and seat 2 has no plain cards left to take back: trumps, the last dealt first."""
    zones: Zones = {
        0: "AH KH QH JH TH 9H 8H 7H 6H",
        1: "AD KD QD JD TD 9D 8D 7D 6D",
        2: "AS KS QS JS TS 9S 8S 7S 6S",
    }
    position = Position("pedro", zones, options={"rob_discards": True}).bid("7")
    assert (seat(position.batch), phase(position.batch)) == (2, "discard")
    position.do("AS KS QS JS TS 9S 8S 7S 6S")
    assert {"stock runs out", "trump taken back"} <= position.exchange().seen
    assert hand(position.batch, 2) >= {"6S", "7S"}
    assert hand(position.batch, 3) >= {"AS", "KS", "QS", "JS"}


@pytest.mark.parametrize(("bid", "score", "path"), [("14", 28, "top bid made"), ("13", 14, None)])
def test_slam(bid: str, score: int, path: str | None) -> None:
    """4: all 14 points after a bid of 14 score 28."""
    position = Position("pedro", ALL_TO_SEAT_0, options={"slam": True}).bid(bid).play_out()
    assert position.result()[1] == [score, 0]
    assert (path in position.seen) == (path is not None)
    lost = Position("pedro", SPLIT, options={"slam": True}).bid("14").play_out()
    assert lost.result()[1][0] == -14
    assert "top bid set" in lost.seen


def test_point_trump_for_the_opponents() -> None:
    """4, 7.12 six_at_most: a discarded point trump counts for the other side."""
    zones: Zones = {0: "AS KS QS JS TS 5S 5C 2S 9S", 1: "8S 7S", 3: "6S 4S 3S"}
    position = Position("pedro", zones, options={"six_at_most": "counts_for_opponents"}).bid("7")
    assert (seat(position.batch), phase(position.batch)) == (0, "discard")
    position.do("5C 2S 9S").play_out()
    assert position.result()[0] == [8, 6]
    assert {"9 trumps", "point trump laid aside"} <= position.seen


@pytest.mark.parametrize("variant", [*having("surplus given back"), "sixty-three"])
def test_surplus_given_back(variant: str) -> None:
    """3.5: the partner has too many point trumps itself, gives a card back, and the first lays another aside."""
    options = {"exchange": "fill"}
    zones: Zones = {0: "AS 8S 7S 6S 4S QS TS" if variant.startswith("sixty") else "AS 8S 7S 6S 4S TS 3S"}
    zones[2] = "KS 9S 5S 5C 2S JS" if variant.startswith("sixty") else "KS QS 9S 5S 5C 2S"
    position = Position(variant, zones, options=options).bid(lowest_bid(make_rules(variant, options)))
    assert (seat(position.batch), phase(position.batch)) == (0, "give")
    position.do("AS")  # seven point trumps
    assert (seat(position.batch), phase(position.batch), len(legal(position.batch))) == (2, "give", 7)
    position.do("AS")
    assert (seat(position.batch), phase(position.batch)) == (0, "discard")
    assert "AS" not in legal(position.batch)
    position.exchange()
    assert {"surplus given", "surplus given back", "gift overflows", "too many point trumps"} <= position.seen
    assert "AS" in hand(position.batch, 0)
    assert len(hand(position.batch, 2)) == 6
    assert position.play_out().result()[0][0] > 0


def test_stock_runs_out_with_seven_seats() -> None:
    """2.7, 3.6: 42 cards are dealt, ten are left; who comes last keeps plain cards."""
    position = Position("pedro-sancho", {0: "AS KS"}, options={"seats": 7, "exchange": True})
    position.bid("1").exchange()
    assert {"stock runs out", "dealer is short"} <= position.seen
    assert all(len(hand(position.batch, place)) == 6 for place in range(7))


# --- railroad (3.6, 7.30)


@pytest.mark.parametrize(
    ("number", "zones"),
    [
        (9, {0: "5S 5C 2S 4S 3S", 4: "AS KS QS JS TS 9S", "stock": "AH KH QH JH TH 9H 8H 7H 6H AD KD QD JD TD 9D 8D"
             " 7D 6D AC 8S 7S 6S"}),
        (8, {0: "5S 5C 2S 4S 3S", 1: "6S", 4: "AS KS QS JS TS 9S", "stock": "AH KH QH JH TH 9H 8H 7H 6H AD KD QD JD"
             " TD 9D 8D 7D 6D 8S 7S"}),
    ],
)  # fmt: skip
def test_railroad_dealer_with_more_than_six_trumps(number: int, zones: Zones) -> None:
    """2.8, 2.10: buried in the first trick, at the dealer's turn, down to one card plus five; never a point trump."""
    position = Position("railroad", zones).bid("7").exchange()
    assert f"{number} trumps" in position.seen
    assert len(hand(position.batch, 4)) == number
    position.do("3S")
    position.do(["KS"])  # called: the dealer is the partner
    while seat(position.batch) != 4:
        position.do([position.cheapest()])
    for _ in range(number - 6):
        assert phase(position.batch) == "bury"
        assert not legal(position.batch) & {"AS", "JS", "TS", "KS"}
        position.do([min(legal(position.batch))])
    assert (phase(position.batch), legal(position.batch)) == ("play", {"KS"})
    assert len(hand(position.batch, 4)) == 6
    assert "called card forced" in position.play_out().seen


def test_railroad_partner_buries_the_two() -> None:
    """7.30: but for the called card there is no trump without points; the 2 goes, and counts for its side."""
    stock = "AH KH QH JH TH 9H 8H 7H 6H AD KD QD JD TD 9D 8D 7D 6D AC KC QC KS"
    zones: Zones = {0: "QS 9S 8S", 4: "AS JS TS 5S 5C 2S", "stock": stock}
    position = Position("railroad", zones).bid("7").exchange()
    assert len(hand(position.batch, 4)) == 7
    position.do("QS KS")
    while seat(position.batch) != 4:
        position.do([position.cheapest()])
    assert legal(position.batch) == {"KS"}
    assert "2S" in names(position.batch.state.open[0])
    position.play_out()
    assert "the two is buried" in position.seen
    assert sum(position.result()[0]) == 14
    assert position.result()[0][4] >= 1


# --- counting out (3.6)


@pytest.mark.parametrize("variant", ["pedro-sancho", "dom-pedro"])
def test_counting_out(variant: str) -> None:
    """3.6: the ace is counted first, so that its seat wins with fewer points than the one that has all the others."""
    zones: Zones = {0: "AS 4S", 1: "KS QS JS TS 9S 5S", 3: "2S 3S 6S"}
    target = make_rules(variant).target
    position = Position(variant, zones, scores=[target - 1, target - 1, 0, 0]).bid("1").play_out()
    points, scores, winner = position.result()
    assert points[0] == 1
    assert scores[0] == target < scores[1]
    assert winner == 0
    assert {"double finish", "lower score wins"} <= position.seen


# --- paths that the reference counts too

THE_REFERENCE_COUNTS = {
    "stock runs out": ["stock_short"],
    "dealer is short": ["dealer_short"],
    "7 trumps": ["seven_trumps"],
    "8 trumps": ["eight_trumps"],
    "9 trumps": ["nine_trumps"],
    "10 trumps or more": ["ten_or_more_trumps"],
    "too many point trumps": ["seven_point_trumps"],
    "discards limited": ["discard_limit"],
    "discards credited": ["point_trump_credited"],
    "misdeal": ["misdeal"],
    "all pass, redeal": ["all_pass"],
    "forced double-moon": ["forced_double_moon"],
    "declarer slides": ["declarer_slides"],
    "defender slides": ["defender_slides"],
    "surplus given": ["surplus_given"],
    "surplus given back": ["surplus_given_back"],
    "fold before the play": ["fold"],
    "fold in the play": ["fold"],
    "concede": ["concede"],
    "lead passes": ["lead_passes"],
    "the two is buried": ["two_buried", "partner_buries_two"],
    "point trump must be played": ["must_play_point_trump"],
    "double finish": ["double_finish"],
    "negative limit": ["lost_at_the_bottom"],
}
"""By path the events of the reference that are the same, or of which one or the other is."""
COUNTED_OTHERWISE = {
    # in pidro it also counts a lead that passes to the only seat with trumps left; elsewhere it does not count a fold
    *(("lead passes", variant) for variant in ("pidro", "isle-madame", "canadian")),
    # where cards are given, or laid aside for a kitty, it looks at other moments
    *(
        (path, variant)
        for path in ("7 trumps", "8 trumps", "9 trumps", "10 trumps or more", "too many point trumps")
        for variant in ("tennessee", "lipton", "eighty-three", "eighty-three-plain")
    ),
}


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_reference_sees_the_same(variant: str) -> None:
    """Deal by deal, in lopsided deals near the end of a match."""
    rules = make_rules(variant)
    n, rng = 60, np.random.default_rng(8)
    batch = Batch(rules, 8, range(n))
    deals: list[Deal] = []
    policies = []
    for row in range(n):
        trump, dealer = int(rng.integers(4)), int(rng.integers(rules.seats))
        near = rules.floor if rules.floor and row % 2 else rules.target
        scores = rng.integers(near - 12, near + 12, size=rules.sides).tolist()
        pack = lopsided_pack(rules, dealer, trump, rng)
        batch.set_position(row, pack, dealer, scores)
        deals.append(Deal(variant, {}, [card_name(card) for card in pack], dealer, scores))
        policies.append(naming(SUITS[trump]))
    watch = Watch(batch)
    while not batch.over.all():
        actions = np.full(n, -1)
        for row in np.flatnonzero(~batch.over).tolist():
            can = sorted(deals[row].legal())
            name = policies[row](deals[row], can, rng)
            name = name if name in can else can[0]  # a bid of 28-56 binds the declarer to another suit
            actions[row] = batch.actions.parse(name, Phase(batch.phase[row]))
            deals[row].apply(name)
        watch.step(actions)
    compared = 0
    for path, seen in zip(watch.paths, watch.seen, strict=True):
        events = THE_REFERENCE_COUNTS.get(path.name)
        if events and (path.name, variant) not in COUNTED_OTHERWISE:
            expected = [any(deal.events[event] for event in events) for deal in deals]
            assert seen.tolist() == expected, path.name
            compared += sum(expected)
    assert compared or not any(path.name in THE_REFERENCE_COUNTS for path in watch.paths)


# --- the command and its page


def cells_of_the_page() -> dict[tuple[str, str], str]:
    """What the tables of the page say, by path and variant."""
    cells: dict[tuple[str, str], str] = {}
    variants = list(VARIANTS)
    for block in PAGE.read_text(encoding="utf-8").split("```text\n")[1:]:
        rows = block.partition("\n```")[0].splitlines()
        line = next(number for number, row in enumerate(rows) if row.startswith("---"))
        group = variants[: len(rows[line - 1].split()) - 1]
        variants = variants[len(group) :]
        for row in rows[line + 1 :]:
            cells |= {(row[:28].strip(), v): cell for v, cell in zip(group, row[28:].split(), strict=True)}
    assert not variants
    return cells


def zeros_of_the_page() -> set[tuple[str, str]]:
    """(path, variant) that random play did not take."""
    return {place for place, cell in cells_of_the_page().items() if cell == "0"}


WITH_OPTIONS = [
    make_rules("pedro", {"rob_discards": True}),
    make_rules("pedro", {"slam": True}),
]


def test_paths_have_names_and_sections() -> None:
    """And every one is possible somewhere."""
    assert len({path.name for path in PATHS}) == len(PATHS)
    games = [*(make_rules(variant) for variant in VARIANTS), *WITH_OPTIONS]
    for path in PATHS:
        assert any(path.possible(rules) for rules in games), path.name
        assert path.meaning
        assert path.section[0] in "234567"


CONSTRUCTED: dict[str, list[str]] = {
    "truncated": having("truncated"),
    "bidder out twice running": having("bidder out twice running"),
    "bidder out made": having("bidder out made"),
    "bidder out set": having("bidder out set"),
    "double finish": [*ended_by(*DoubleFinish), "canadian", "pedro-sancho", "dom-pedro"],
    "lower score wins": [
        *ended_by(DoubleFinish.BIDDER_OUT, DoubleFinish.BIDDER_WINS, DoubleFinish.MADE_BID_ONLY),
        "canadian", "pedro-sancho", "dom-pedro",
    ],
    "equal at the target": ["oregon"],
    "negative limit": having("negative limit"),
    "double-83 made": having("double-83 made"),
    "dark made": having("dark made"),
    "28-56 made": having("dark made"),
    "8 trumps": ["railroad"],
    "9 trumps": ["railroad"],
    "the two is buried": ["railroad"],
    "locked score wins": ["isle-madame"],
    "locked score adds nothing": ["isle-madame"],
    "defenders reach the target": ["isle-madame"],
    "forced double-moon": ["tennessee"],
    "double-moon made": ["tennessee"],
    "double-moon set": ["tennessee"],
    "double-moon over a moon": ["tennessee"],
    "moon made": ["tennessee"],
    "moon set": ["tennessee"],
    "moon in the hole stands": ["tennessee"],
    "moon conceded": ["tennessee"],
    "concede": ["tennessee"],
    "misdeal": ["tennessee"],
    "one seat leads on": ["tennessee"],
    "slide overflows": ["tennessee"],
    "point trump laid aside": ["tennessee"],
}  # fmt: skip
"""The paths that tests in this file take, and in which variants."""


def test_what_random_play_misses_is_constructed() -> None:
    missing = {(path, variant) for path, variant in zeros_of_the_page() if variant not in CONSTRUCTED.get(path, [])}
    assert not missing


def test_the_page_lists_the_paths_and_variants_of_the_code() -> None:
    """It is printed again by the command in its first lines, not by a test."""
    page = PAGE.read_text(encoding="utf-8")
    assert "\n    python -m pedro_env paths --matches 200 --seed 0\n" in page
    rows = [line.split(" | ") for line in page.splitlines() if line.startswith("| ")][2:]
    expected = [[f"| {path.name}", path.meaning, f"{path.section} |"] for path in PATHS]
    assert rows == expected
    cells = cells_of_the_page()
    assert {variant for _, variant in cells} == set(VARIANTS)
    for (path, variant), cell in cells.items():
        assert (cell != "–") == (variant in having(path)), (path, variant)
    assert {path for path, _ in cells} == {path.name for path in PATHS if having(path.name)}


def test_counts_are_reproduced() -> None:
    """A hash of seed and match alone, so that these numbers hold on every machine; fewer matches are a part of more."""
    counts = count_paths(make_rules("pidro"), 6, seed=5)
    assert count_paths(make_rules("pidro"), 6, seed=5) == counts
    assert (counts.deals, counts.decisions) == (63, 1133)
    assert {path: number for path, number in counts.by_name().items() if number} == {
        "forced bid": 28, "stock runs out": 8, "dealer is short": 19, "7 trumps": 2, "8 trumps": 3, "9 trumps": 6,
        "declarer without trump": 10, "seat out of the deal": 63, "lead passes": 33, "one seat takes the rest": 43,
        "negative score": 9,
    }  # fmt: skip
    fewer = count_paths(make_rules("pidro"), 3, seed=5)
    assert all(number <= counts.by_name()[path] for path, number in fewer.by_name().items())
    assert count_paths(make_rules("pidro"), 6, seed=6) != counts


def test_watching_changes_nothing() -> None:
    """The watched batch plays as one that nobody looks at, and every path that it notes is possible."""
    rng, other = np.random.default_rng(1), np.random.default_rng(1)
    watched, alone = (Batch(make_rules("tennessee"), 1, range(20)) for _ in range(2))
    watch = Watch(watched)
    while not alone.over.all():
        watch.step(random_actions(watched, rng))
        alone.step(random_actions(alone, other))
    same(columns(watched.state), columns(alone.state))
    assert watch.seen.shape == (len(possible_paths(watched.rules)), 20)


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "counts.json"
    arguments = ["paths", "pedro", "tennessee", "--matches", "4", "--seed", "3", "--set", "max_deals=2"]
    assert main([*arguments, "--json", str(file)]) == 0
    page = capsys.readouterr().out
    assert "    python -m pedro_env paths pedro tennessee --matches 4 --seed 3 --set max_deals=2\n" in page
    assert max(len(line) for line in page.splitlines()) <= 120
    data = json.loads(file.read_text(encoding="utf-8"))
    assert data["options"] == {"max_deals": 2}
    assert (data["seed"], data["matches"], list(data["variants"])) == (3, 4, ["pedro", "tennessee"])
    counts = count_paths(make_rules("tennessee", {"max_deals": 2}), 4, 3)
    expected = {path.name: {"shuffled": a, "lopsided": b} for path, (a, b) in counts.paths.items()}
    found = data["variants"]["tennessee"]["paths"]
    assert found == {path.name: expected.get(path.name) for path in PATHS}
    assert main(arguments[:2] + arguments[3:]) == 0
    listed = capsys.readouterr().out
    assert listed.startswith("pedro: 4 matches, 8 deals, ")
    assert all(f"\n{path.name} " in listed for path in possible_paths(make_rules("pedro")))
    assert max(len(line) for line in listed.splitlines()) <= 100


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["pedo"], "unknown variant 'pedo' (did you mean 'pedro'"),
        (["pedro", "--matches", "0"], "'0' is not a whole number from 1 to"),
        (["pedro", "cinch", "--set", "slam=true"], "'cinch' has no option 'slam'"),
        (["pedro", "--json", "/no/such/folder/x.json"], "there is no folder /no/such/folder"),
    ],
)
def test_mistakes_are_one_line(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    try:
        code = main(["paths", *arguments])
    except SystemExit as error:
        code = error.code
    out, err = capsys.readouterr()
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert message in err
