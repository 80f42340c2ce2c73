"""What programs that play are told: what there is to see, nothing else, and as the page says."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from agents.process import __main__ as command
from agents.process import messages
from pedro_env.actions import Phase
from pedro_env.cards import N_CARDS, NONE, card_name
from pedro_env.engine import Batch
from pedro_env.rules import Rules
from pedro_env.variants import VARIANTS, make_rules
from tests.support import decisions, names, random_actions, random_deals
from tests.test_invariants import reshuffled

ROOT = Path(__file__).parents[1]
every_variant = pytest.mark.parametrize("variant", VARIANTS)


def check_decisions(batch: Batch, rng: np.random.Generator) -> None:
    """Play deals at random to their ends, and compare every decision's words with the state."""
    played: dict[tuple[int, int, int], str] = {}  # by game, trick and seat
    while not batch.over.all():
        views = batch.views()
        for row, decision in zip(views.game.tolist(), messages.decisions_of(views), strict=True):
            _check(batch, row, decision, played)
        actions = random_actions(batch, rng)
        for row in np.flatnonzero((batch.phase == Phase.PLAY) & (actions < N_CARDS)).tolist():
            place = row, int(batch.state.trick[row]), int(batch.to_act[row])
            played[place] = card_name(int(actions[row]))
        batch.step(actions)


def _check(batch: Batch, row: int, decision: dict[str, Any], played: dict[tuple[int, int, int], str]) -> None:
    s, me = batch.state, decision["seat"]
    assert set(decision) <= set(messages.DECISION_FIELDS)
    assert set(decision["seats"][0]) <= set(messages.SEAT_FIELDS)
    assert (me, decision["phase"]) == (batch.to_act[row], Phase(batch.phase[row]).word)
    assert decision["legal_ids"] == np.flatnonzero(batch.mask()[row]).tolist()
    assert decision["legal"] == [batch.actions.names[action] for action in decision["legal_ids"]]
    assert set(decision["hand"]) == names(s.hand[row, me])
    assert decision["scores"][0] == s.scores[row, batch.tables.side_of[me]]
    assert set(decision.get("robbed", [])) == names(s.robbed[row])
    contract = s.contract[row]
    assert decision["contract"] == (None if contract == NONE else batch.actions.bids[contract].name)
    if decision["auction"]:  # a dealer may declare without having bid
        highest = decision["auction"][-1]
        assert (highest["bid"], (highest["seat"] + me) % batch.rules.seats) == (decision["contract"], s.declarer[row])
    assert len(decision["tricks"]) == max(decision["trick"] or 0, 0)
    for place, public in enumerate(decision["seats"]):
        seat = (me + place) % batch.rules.seats
        assert public["hand_size"] == int(s.hand[row, seat]).bit_count()
        assert set(public["shown"]) == names(s.shown[row, seat])
        on_table = int(s.on_table[row, seat])
        assert decision["table"][place] == (None if on_table == NONE else card_name(on_table))
        for number, trick in enumerate(decision["tricks"]):
            assert trick[place] == played.get((row, number, seat)), (number, seat)


@every_variant
def test_decisions_tell_what_there_is_to_see(variant: str) -> None:
    batch, rng, _ = random_deals(variant, 5, n=4)
    check_decisions(batch, rng)


def test_cards_that_lay_face_up_and_that_the_dealer_took() -> None:
    rules = make_rules("pedro", {"rob_discards": True, "discard_face_up": True})
    check_decisions(Batch(rules, 3, np.arange(30)), np.random.default_rng(3))


@every_variant
def test_cards_that_a_seat_cannot_see_leave_its_messages_unchanged(variant: str) -> None:
    rng = np.random.default_rng(2)
    moved = 0
    for batch in decisions(variant, 2, n=3):
        rows = np.flatnonzero(~batch.over)
        hidden = batch.copy()
        hidden.state = reshuffled(batch, np.maximum(batch.to_act, 0), rng, keep_trumps=True)
        moved += int((hidden.state.pack != batch.state.pack).sum())
        told, other = (messages.decisions_of(which.views(rows), observation=True) for which in (batch, hidden))
        assert told == other
    assert moved > 300


def test_every_field_is_in_some_variant_and_explained() -> None:
    found: set[str] = {"robbed"}  # an option that no variant has
    of_seats: set[str] = set()
    for variant in VARIANTS:
        (decision,) = messages.decisions_of(Batch(make_rules(variant)).views(), observation=True)
        found |= set(decision)
        of_seats |= set(decision["seats"][0])
    assert found == set(messages.DECISION_FIELDS)
    assert of_seats == set(messages.SEAT_FIELDS)


def test_the_raw_observation_is_the_one_of_the_views() -> None:
    views = Batch(make_rules("pedro"), 0, np.arange(3)).views()
    told = messages.decisions_of(views, observation=True)
    assert [[int(bit) for bit in decision["observation"]] for decision in told] == views.observation.tolist()
    assert "observation" not in messages.decisions_of(views)[0]


@every_variant
def test_hello_is_json_that_says_which_game_it_is(variant: str) -> None:
    rules = make_rules(variant)
    hello = json.loads(messages.encode(messages.hello(rules)))
    assert set(hello) == set(messages.HELLO_FIELDS)
    points = tuple(map(tuple, hello["rules"]["points"]))
    assert Rules(**hello["rules"] | {"points": points}) == rules
    assert hello["actions"][58] == "pass"


def test_the_page_is_what_the_command_prints(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main([]) == 0
    page = (ROOT / "docs" / "agents-protocol.md").read_text(encoding="utf-8")
    assert page.endswith("\n" + capsys.readouterr().out)
