"""What an agent's bidding means: hands, counts and tables, against independent counts and agents that are known."""

from __future__ import annotations

import json

import numpy as np
import pytest

from agents import registry
from agents.arena import play_unit
from agents.bidding import command, plot
from agents.bidding.figures import figures_of
from agents.bidding.hands import read_hands, shown_trumps
from agents.bidding.study import NOBODY, OPPONENT, PARTNER, SCORES, Task, join, study_unit
from agents.registry import make_agent
from agents.seats import auction_place
from pedro_env.actions import FIRST_BID, PASS, Phase
from pedro_env.cards import N_SUITS
from pedro_env.cardset import to_cards
from pedro_env.engine import Batch
from pedro_env.tables import tables_of
from pedro_env.variants import VARIANTS, make_rules

PEDRO = make_rules("pedro")


class BidsWithTheAce:
    """Bids 8 with the highest trump of its best suit and nothing bid; otherwise passes. Plays the lowest action."""

    sees_everything = False

    def __init__(self, rules):
        self.name = "ace"

    def act(self, views):
        action = views.mask.argmax(axis=1)
        ace = read_hands(views.rules, views.hand).holds[:, 0]
        eight = FIRST_BID + 8 - views.rules.min_bid
        wants = np.where(ace & (views.contract < 0) & views.mask[:, eight], eight, PASS)
        return np.where((views.phase == Phase.BID) & views.mask[:, PASS], wants, action)


@pytest.fixture
def ace(monkeypatch):
    monkeypatch.setitem(registry.AGENTS, "ace", registry.Entry(__name__, "BidsWithTheAce", "for tests"))
    return "ace"


def studied(agent, rules=PEDRO, deals=60, against="", scores_from=""):
    return study_unit(Task(agent, against, rules, 7, scores_from, 0, deals))


@pytest.mark.parametrize("variant", ["pedro", "catch-five", "oregon", "sixty-three-joker", "five-handed"])
def test_the_best_suit_has_most_trumps_then_the_higher_ones(variant):
    """Against the definition, with lists of cards."""
    rules = make_rules(variant)
    batch = Batch(rules, 2, np.arange(30))
    hand = batch.state.hand.ravel()
    hands = read_hands(rules, hand)
    t = tables_of(rules)
    for i, cards in enumerate(map(to_cards, hand)):
        by_suit = []
        for suit in range(N_SUITS):
            strength = t.strength[5 * suit]
            trumps = sorted((c for c in cards if t.suit_of[suit, c] == suit), key=lambda c: -strength[c])
            by_suit.append((len(trumps), [int(strength[c]) for c in trumps], -suit, trumps))
        length, _, suit, trumps = max(by_suit)
        assert (hands.suit[i], hands.trumps[i]) == (-suit, length)
        assert hands.points[i] == sum(int(t.points[-suit, c]) for c in trumps)
        assert hands.holds[i].sum() == length
        shown = shown_trumps(rules)
        highest = max((c for c in range(54) if t.suit_of[-suit, c] == -suit), key=lambda c: t.strength[5 * -suit, c])
        assert hands.holds[i, 0] == (highest in cards)
        assert hands.holds[i, shown["A"]] == ((13 * -suit + 12) in cards)


@pytest.mark.parametrize("variant", VARIANTS)
def test_places_in_the_auction_are_in_the_order_of_asking(variant):
    rules = make_rules(variant)
    batch = Batch(rules, 3, np.arange(12))
    asked = [[] for _ in range(12)]
    while not batch.over.all() and min(map(len, asked)) < rules.seats:
        place = auction_place(rules, batch.state.dealer, batch.to_act)
        for row in np.flatnonzero(batch.phase == Phase.BID).tolist():
            asked[row].append(int(place[row]))
        mask = batch.mask()
        batch.step(np.where(mask[:, PASS], PASS, mask.argmax(axis=1)))
    assert asked[0][0] == 0
    assert all(places[: rules.seats] == list(range(len(places)))[: rules.seats] for places in asked)


def test_counts_are_those_of_the_arena():
    agent = make_agent("heuristic-1", PEDRO)
    study = join([studied("heuristic-1", deals=40), study_unit(Task("heuristic-1", "", PEDRO, 7, "", 40, 20))])
    duel = play_unit(agent, agent, PEDRO, np.arange(60), 7)  # two tables a pair, which are alike
    a, b = duel.tallies
    assert study.deals == 60
    assert 2 * len(study.calls.level) == a.turns + b.turns
    assert 2 * (study.calls.level > 0).sum() == a.bids + b.bids
    assert 2 * len(study.contracts.level) == a.declared + b.declared
    assert 2 * study.contracts.level.sum() == a.bid_points + b.bid_points
    assert 2 * study.contracts.made.sum() == a.made + b.made


def test_the_standing_bid_is_the_partners_or_an_opponents():
    """Against a count beside it: of partners the seats are both even or both odd."""
    calls = studied("heuristic-1", deals=40).calls
    agent, batch = make_agent("heuristic-1", PEDRO), Batch(PEDRO, 7, np.arange(40))
    found = []
    while len(rows := np.flatnonzero(batch.phase == Phase.BID)):
        mask = batch.mask(rows)
        for row in rows[mask[:, PASS] & (mask.sum(axis=1) > 1)].tolist():
            declarer, seat = int(batch.state.declarer[row]), int(batch.to_act[row])
            found.append(NOBODY if declarer < 0 else PARTNER if (declarer - seat) % 2 == 0 else OPPONENT)
        batch.step(agent.act(batch.views(rows)), rows)
    assert np.bincount(calls.holder, minlength=4).tolist() == np.bincount(found, minlength=4).tolist()
    assert calls.partner_bid[calls.holder == PARTNER].all()


def test_figures_say_what_a_known_agent_does(ace):
    figures = figures_of(studied(ace, deals=300), PEDRO)
    meaning = {row["level"]: row for row in figures["meaning"]}
    assert set(meaning) == {0, 8}
    assert meaning[8]["holds"]["A"] == 1
    assert meaning[0]["holds"]["A"] == 0
    assert {row["holds"]: row["opens"] for row in figures["openings_by_top_cards"]} == {
        "neither": 0,
        "second": 0,
        "first": 1,
        "both": 1,
    }
    assert all(row["bids"] == 0 for key in ("answers", "overcalls") for row in figures[key])
    first = figures["openings_by_place"][0]
    assert first["asked"] == 300
    assert first["opens"] == pytest.approx(meaning[8]["calls"] / sum(m["calls"] for m in meaning.values()), abs=0.1)
    # Three places have a choice; the dealer must bid when all have passed.
    assert figures["openings_by_place"][3]["asked"] == 0
    assert figures["contracts"]["contracts"] == 300
    assert {row["level"] for row in figures["contracts_by_level"]} == {7, 8}
    assert figures["contracts"]["made"]["mean"] + figures["contracts"]["set"] == pytest.approx(1)


def test_against_another_only_the_studied_agent_is_counted(ace):
    study = studied(ace, deals=100, against="random")
    assert set(study.calls.level.tolist()) <= {0, 8}
    assert len(study.contracts.level) < 100
    assert (np.bincount(study.calls.place, minlength=4)[:3] > 20).all()  # even and odd seats in turn


def test_scores_before_the_deal():
    calls = studied("heuristic-1", deals=200, scores_from="heuristic-1").calls
    assert set(calls.score.tolist()) == set(range(len(SCORES)))
    assert set(studied("heuristic-1", deals=20).calls.score.tolist()) == {0}


@pytest.mark.parametrize("variant", ["pedro", "eighty-three", "dom-pedro", "railroad"])
def test_the_command_prints_tables_of_a_hundred_columns(variant, tmp_path, capsys):
    file = tmp_path / "b.json"
    arguments = ["heuristic-1", "--beside", "random", "--deals", "60", "--workers", "1", "--json", str(file)]
    assert command.main([*arguments, "--scores", "zero", "--variant", variant]) == 0
    out = capsys.readouterr().out
    assert max(map(len, out.splitlines())) <= 100
    for title in ("Openings", "What an opening says", "Answers to the partner", "Contracts", "By the score"):
        assert title in out
    data = json.loads(file.read_text())
    assert list(data["agents"]) == ["heuristic-1", "random"]
    assert data["agents"]["random"]["deals"] == 60


def test_a_picture_is_drawn(tmp_path):
    pytest.importorskip("matplotlib")
    file = tmp_path / "b.png"
    arguments = ["heuristic-1", "--beside", "random", "--deals", "150", "--workers", "1", "--plot", str(file)]
    assert command.main([*arguments, "--scores", "zero"]) == 0
    assert file.read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["heuristics-1"], "did you mean 'heuristic-1'"),
        (["random", "--against", "nobody"], "unknown agent 'nobody'"),
        (["random", "--beside", "morehead,heuristic-1,heuristic-2,open"], "at most 3 agents beside random"),
        (["random", "--plot", "x.jpg"], "must end in .png, .svg or .pdf"),
        (["random", "--variant", "pedroo"], "did you mean 'pedro'"),
        (["random", "--json", "/nowhere/x.json"], "/nowhere"),
    ],
)
def test_mistakes_are_one_line(arguments, message, capsys, monkeypatch):
    monkeypatch.setattr(plot.importlib.util, "find_spec", lambda name: name)
    assert command.main(arguments) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert message in err


def test_without_matplotlib_it_says_what_to_install(capsys, monkeypatch):
    monkeypatch.setattr(plot.importlib.util, "find_spec", lambda name: None)
    assert command.main(["random", "--plot", "x.png"]) == 2
    assert "--plot needs matplotlib: pip install -e '.[plot]'" in capsys.readouterr().err
