"""``heuristic-1``: legal everywhere, and in known situations it does what a good player does."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from agents.arena import play_duplicate
from agents.heuristic import Heuristic1
from agents.heuristic.bidding import FIGURES, LEVELS, SITUATIONS
from agents.heuristic.estimate import estimate
from agents.heuristic.knowledge import know
from agents.heuristic.match_play import win_chance
from agents.heuristic.play import SITUATIONS as PLAY_SITUATIONS
from agents.heuristic.tables import load, save
from agents.heuristic.valuation import holdings
from pedro_env.cards import parse_card
from pedro_env.cardset import from_cards
from pedro_env.engine import Batch
from pedro_env.rules import STANDARD_TRUMPS
from pedro_env.variants import VARIANTS, make_rules
from tests.support import do, one_game, phase, random_deals, seat, stacked_pack

DEALER = 3
RULES = make_rules("pedro")


def choice(batch: Batch) -> str:
    """What ``heuristic-1`` does in the (first) game."""
    action = Heuristic1(batch.rules).act(batch.views(np.array([0])))[0]
    return batch.actions.names[action]


def deal(hands: dict[int | str, str], actions: str = "", scores: tuple[int, int] = (0, 0)) -> Batch:
    """A game with dealer 3 in which some cards are known and spades are to be trumps."""
    batch = one_game(RULES, stacked_pack(RULES, DEALER, hands, trump="S"), DEALER, scores)
    return do(batch, actions)


def play_on(batch: Batch, cards: str) -> Batch:
    """Rob whatever comes first, then play these cards."""
    while phase(batch) == "rob":
        do(batch, [batch.actions.names[np.flatnonzero(batch.mask()[0])[0]]])
    return do(batch, cards)


@pytest.mark.parametrize("variant", VARIANTS)
def test_legal_in_random_deals(variant: str) -> None:
    batch, _, _ = random_deals(variant, seed=3, n=60)
    agent = Heuristic1(batch.rules)
    while not batch.over.all():
        views = batch.views()
        batch.step(agent.act(views), views.game)  # raises where an action is illegal


@pytest.mark.parametrize("variant", VARIANTS)
def test_beats_random_play_in_every_variant(variant: str) -> None:
    duel = play_duplicate("heuristic-1", "random", make_rules(variant), 100)
    assert duel.points.low is not None
    assert duel.points.low > 0


def test_decisions_do_not_depend_on_the_batch() -> None:
    batch = Batch(RULES, seed=5, matches=np.arange(50))
    agent = Heuristic1(RULES)
    while not batch.over.all():
        views = batch.views()
        actions = agent.act(views)
        apart = [agent.act(batch.views(views.game[i : i + 1]))[0] for i in range(0, len(views), 7)]
        assert actions[::7].tolist() == apart
        batch.step(actions, views.game)


def test_trumps_are_counted_by_draws() -> None:
    # Seat 1 keeps four spades and draws two; seat 2 keeps none and draws six: the count of the kept ones is public.
    batch = deal({0: "AS KS QS", 1: "JS TS 9S 8S", 2: "2H 3H 4H", 3: "7S 6S"}, "8 pass pass pass S")
    play_on(batch, "")
    views = batch.views(np.array([0]))
    known = know(views)
    assert seat(batch) == 0
    assert known.expected[0, 1] >= 4
    assert known.expected[0].sum() == pytest.approx(np.bitwise_count(known.unseen_trumps[0]))


class TestAuction:
    def test_strong_hand_bids_and_weak_hand_passes(self) -> None:
        assert choice(deal({0: "AS KS QS JS 5S 5C 2S 9S 8S"})) not in ("pass", "7")
        assert choice(deal({0: "7S 6S 9H 8H 6D 3D 9C 7C 4C"})) == "pass"

    def test_dealer_who_must_bid_makes_the_lowest_bid_with_a_poor_hand(self) -> None:
        batch = deal({3: "7S 6S 9H 8H 6D 3D 9C 7C 4C"}, "pass pass pass")
        assert choice(batch) == "7"

    def test_partner_is_not_overbid_without_need_but_with_a_great_hand(self) -> None:
        assert choice(deal({2: "AS 9S 8S 7H 6H 4D 3D KC JC"}, "8 pass")) == "pass"
        assert choice(deal({2: "AS KS QS JS TS 5S 5C 2S 9S"}, "8 pass")) != "pass"

    def test_names_the_suit_of_its_trumps(self) -> None:
        assert choice(deal({0: "AS KS JS 5S 2S 9H 8D 7D 4C"}, "8 pass pass pass")) == "S"

    def test_the_off_five_is_a_trump(self) -> None:
        # RULES 1: the five of clubs is a spade when spades are trumps, and no club when clubs' sister is not.
        club_five = np.array([from_cards([parse_card("5C")])])
        held = holdings(RULES, club_five)[0]
        assert held[:, STANDARD_TRUMPS.index("f")].tolist() == [1, 0, 0, 0]
        assert held[:, STANDARD_TRUMPS.index("5")].tolist() == [0, 0, 0, 1]

    def test_bidder_out_a_bid_to_stop_the_other_side(self) -> None:
        # RULES 2.12: both at 55 or more: who makes its bid wins. A hand that is a bid in no other deal is one now.
        hands: dict[int | str, str] = {3: "AS JS 9S 7S 8H 6H 4D 3D 7C"}
        level = choice(deal(hands, "7 pass pass", scores=(60, 60)))
        assert level != "pass"


class TestPlay:
    HANDS: dict[int | str, str] = {  # noqa: RUF012  (a constant)
        0: "AS KS QS 9S 8S 4S",
        1: "JS 7S 2S 2H 3H",
        2: "5S 5C TS 6S 9H",
        3: "3S 4H 6H",
    }

    def test_declarer_draws_trumps(self) -> None:
        assert choice(play_on(deal(self.HANDS, "9 pass pass pass S"), "")) in ("AS", "KS", "QS")

    def test_five_goes_on_partners_ace(self) -> None:
        batch = play_on(deal(self.HANDS, "9 pass pass pass S"), "AS 7S")
        assert choice(batch) in ("5S", "5C")

    def test_no_five_under_the_other_sides_ace(self) -> None:
        hands: dict[int | str, str] = {0: "AS KS QS 9S 8S", 1: "5S 5C JS 7S", 2: "TS 6S", 3: "3S 2S"}
        batch = play_on(deal(hands, "9 pass pass pass S"), "AS")
        assert choice(batch) == "7S"

    def test_last_hand_wins_with_the_five(self) -> None:
        hands: dict[int | str, str] = {0: "4S 9S 8S AS", 1: "3S TS", 2: "2S JS", 3: "5S KS QS 7S"}
        batch = play_on(deal(hands, "7 pass pass pass S"), "4S 3S 2S")
        assert choice(batch) == "5S"

    def test_third_hand_cinches(self) -> None:
        # Fourth hand may hold a five: third hand plays a trump above it, so that no pedro wins the trick.
        hands: dict[int | str, str] = {0: "4S 8S AS KS", 1: "3S TS", 2: "2S 9S", 3: "5S QS 7S JS 5C"}
        batch = play_on(deal(hands, "7 pass pass pass S"), "4S 3S")
        assert choice(batch) == "9S"

    def test_points_on_partners_sure_trick(self) -> None:
        hands: dict[int | str, str] = {0: "AS 8S 7S", 1: "3S 4S 6S", 2: "TS 9S 2S", 3: "KS QS JS"}
        batch = play_on(deal(hands, "7 pass pass pass S"), "AS 3S")
        assert choice(batch) == "TS"

    def test_no_point_under_the_other_sides_ace(self) -> None:
        hands: dict[int | str, str] = {0: "AS 8S 7S", 1: "JS 4S 6S", 2: "3S 9S 2S", 3: "KS QS TS"}
        batch = play_on(deal(hands, "7 pass pass pass S"), "AS")
        assert choice(batch) in ("4S", "6S")

    def test_the_sequence_on_top_is_led_and_the_five_kept(self) -> None:
        hands: dict[int | str, str] = {0: "AS KS QS JS 5S", 1: "TS 9S 8S 7S", 2: "6S 4S 3S", 3: "2S 5C"}
        batch = play_on(deal(hands, "9 pass pass pass S"), "")
        assert choice(batch) in ("AS", "KS", "QS", "JS")


def test_chance_to_win_the_match() -> None:
    chance = win_chance(RULES.target)
    zero = 80  # the table's first score is -80
    assert chance[zero, zero] == pytest.approx(0.5, abs=0.01)
    assert chance[zero + 60, zero] > 0.9
    assert chance[zero + 30, zero + 50] < 0.3
    np.testing.assert_allclose(chance + chance.T, 1, atol=0.02)


def test_tables_are_read_as_written(tmp_path: Path) -> None:
    tables = load()
    assert tables.auction.shape == (SITUATIONS, LEVELS, len(FIGURES))
    assert len(tables.play) == PLAY_SITUATIONS
    assert tables.outcomes[:, 2].sum() == pytest.approx(1, abs=0.01)
    save(tables, tmp_path / "tables.json")
    assert (tmp_path / "tables.json").stat().st_size < 300_000


def test_estimation_is_reproducible() -> None:
    one, two = (estimate(seed=2, play_deals=60, auction_deals=150, cycles=1, rounds=1) for _ in range(2))
    for name in ("rating", "auction", "play"):
        np.testing.assert_array_equal(getattr(one, name), getattr(two, name))
