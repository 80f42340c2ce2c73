"""How agents are addressed, and the two simple ones."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from agents import registry
from agents.arena import play_duplicate, play_unit
from agents.errors import AgentError
from agents.morehead import MoreheadAgent
from agents.random import RandomAgent
from agents.registry import agent_names, make_agent
from pedro_env.actions import Phase
from pedro_env.cards import parse_card
from pedro_env.engine import Batch
from pedro_env.rules import Rules
from pedro_env.variants import VARIANTS, make_rules

PEDRO = make_rules("pedro")


# --- addresses


class Tunable:
    """An agent with parameters of every kind."""

    sees_everything = False

    def __init__(self, rules: Rules, level: int = 1, risk: float = 0.5, loud: bool = False, tag: str | None = None):
        self.name = "tunable"
        self.parameters = (level, risk, loud, tag)


@pytest.fixture
def tunable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry.AGENTS, "tunable", registry.Entry(__name__, "Tunable", "for tests"))


@pytest.mark.parametrize("spec", ["random", "morehead", "heuristic-1", "heuristic-2"])
def test_known_names(spec: str) -> None:
    agent = make_agent(spec, PEDRO)
    assert agent.name == spec
    assert agent.sees_everything is False
    assert spec in agent_names()


@pytest.mark.usefixtures("tunable")
def test_parameters_have_the_types_of_the_constructor() -> None:
    agent = make_agent("tunable:level=3,risk=1e-2,loud=true,tag=x", PEDRO)
    assert agent.parameters == (3, 0.01, True, "x")  # type: ignore[attr-defined]
    assert agent.name == "tunable:level=3,risk=1e-2,loud=true,tag=x"
    assert make_agent("tunable:tag=none", PEDRO).parameters == (1, 0.5, False, None)  # type: ignore[attr-defined]


@pytest.mark.usefixtures("tunable")
@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("morehed", "unknown agent 'morehed' (did you mean 'morehead'?); the agents are: random, morehead"),
        ("", "unknown agent ''"),
        ("tunable:levle=3", "no parameter 'levle' (did you mean 'level'?); its parameters are: level, risk, loud, tag"),
        ("random:level=3", "agent 'random' has no parameter 'level'; it has none"),
        ("tunable:level=high", "'level' cannot be 'high'; it is a whole number"),
        ("tunable:risk=nan", "'risk' cannot be 'nan'; it is a number"),
        ("tunable:loud=yes", "'loud' cannot be 'yes'; it is true or false"),
        ("tunable:level=1,level=2", "'level' is given twice"),
        ("tunable:level=1,risk", "'risk' is not a parameter; write name:key=value"),
        ("tunable:level", "parameters are written name:key=value"),
        ("none/such.onnx", "no such file or folder"),
        ("none.onnx", "no such file or folder"),
        ("none.safetensors:greedy=true", "no such file or folder"),
        ("runs/none", "no such file or folder"),
    ],
)
def test_mistakes_are_one_line_that_says_what_would_be_right(spec: str, words: str) -> None:
    with pytest.raises(AgentError) as error:
        make_agent(spec, PEDRO)
    assert words in str(error.value)
    assert "\n" not in str(error.value)


def test_a_missing_package_says_what_to_install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    policy = tmp_path / "policy.onnx"
    policy.write_bytes(b"")
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    monkeypatch.delitem(sys.modules, "agents.onnx_policy", raising=False)
    with pytest.raises(AgentError, match=r"needs the package onnxruntime: pip install -e '.\[onnx\]'"):
        make_agent(str(policy), PEDRO)


# --- random


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("name", ["random", "morehead", "heuristic-1", "heuristic-2"])
def test_plays_legally_in_every_variant(name: str, variant: str) -> None:
    rules = make_rules(variant)
    agent, other = make_agent(name, rules), RandomAgent(rules)
    play_unit(agent, other, rules, np.arange(30), seed=4)


def test_random_takes_every_legal_action_equally_often() -> None:
    batch = Batch(PEDRO, 0, np.arange(9000))
    counts = np.bincount(RandomAgent(PEDRO).act(batch.views()))
    assert np.flatnonzero(counts).tolist() == np.flatnonzero(batch.mask()[0]).tolist()
    assert np.abs(counts[counts > 0] - 1000).max() < 5 * 30  # 9 actions; five standard deviations


def test_random_does_not_depend_on_the_batch() -> None:
    agent = RandomAgent(PEDRO)
    many = agent.act(Batch(PEDRO, 3, np.arange(50)).views())
    assert [int(agent.act(Batch(PEDRO, 3, [match]).views())[0]) for match in range(50)] == many.tolist()


# --- morehead


def ask(hand: str, before: str = "", phase: Phase = Phase.BID, rules: Rules = PEDRO) -> str:
    """What ``morehead`` does with nine cards after the bids before it (eldest first)."""
    batch = Batch(rules, 0, [0])
    cards = [parse_card(name) for name in hand.split()]
    bids = before.split()
    rest = [card for card in batch.tables.pack.tolist() if card not in cards]
    places = batch.tables.deal_positions[len(bids)].tolist()
    pack = [cards[places.index(i)] if i in places else rest.pop() for i in range(len(rest) + len(cards))]
    batch.set_position(0, pack, 3, [0, 0])
    for bid in bids:
        batch.step(np.array([batch.actions.parse(bid, Phase.BID)]))
    agent = MoreheadAgent(rules)
    if phase is Phase.TRUMP:
        batch.step(agent.act(batch.views()))
        while batch.phase[0] == Phase.BID:
            batch.step(np.array([batch.actions.parse("pass", Phase.BID)]))
    return batch.actions.names[int(agent.act(batch.views())[0])]


PLAIN = "2S 3S 4S 6D 7D 8D 7C 8C"
"""Eight cards that are worth no bid."""


@pytest.mark.parametrize(
    ("hand", "before", "bid"),
    [
        (PLAIN + " 9H", "", "pass"),
        (PLAIN + " 5H", "", "7"),
        (PLAIN + " 5D", "", "7"),
        (PLAIN + " 5H", "7", "pass"),
        ("AH 2H 3H 2S 3S 4S 6D 7D 8C", "", "pass"),
        ("AH 2H 3H 4H 3S 4S 6D 7D 8C", "", "8"),
        ("AH 2H 3H 4H 6H 4S 6D 7D 8C", "", "8"),
        ("AH 2H 3H 5D 3S 4S 6D 7D 8C", "", "8"),
        ("AH 2H 3H 4H 3S 4S 6D 7D 8C", "7", "8"),
        ("AH 2H 3H 4H 3S 4S 6D 7D 8C", "8", "pass"),
        ("AH KH 3S 4S 2S 9S 6D 7D 8C", "", "9"),
        ("AH KH 5H 4S 2S 9S 6D 7D 8C", "7 8", "9"),
        ("AH KH 5H 4S 2S 9S 6D 7D 8C", "10", "pass"),
        (PLAIN + " 9H", "pass pass pass", "7"),
        ("AH KH 3S 4S 2S 9S 6D 7D 8C", "pass pass pass", "9"),
    ],
)
def test_conventions_of_1956(hand: str, before: str, bid: str) -> None:
    """Issue text: pedro: lowest bid; ace and three or four more: one more; ace and king: two more (off-five counts)."""
    assert ask(hand, before) == bid


@pytest.mark.parametrize(
    ("hand", "suit"),
    [
        ("AH KH 3S 4S 2S 9S 6D 7D 8C", "H"),
        ("AC 2C 3C 4C 3S 4S 6S 7S 8S", "C"),
        ("2S 3S 4S 6S 7D 8D 7C 8C 5D", "D"),
        (PLAIN + " 5S", "S"),
        ("2H 3H 4H 6H 5D 7S 8S 7C 8C", "H"),  # the off-five is a pedro of hearts too, and hearts are longer
    ],
)
def test_names_the_suit_it_bid_for(hand: str, suit: str) -> None:
    assert ask(hand, "", Phase.TRUMP) == suit


def test_conventions_are_shifted_to_the_lowest_bid() -> None:
    rules = make_rules("pedro", {"min_bid": 6})
    assert ask("AH KH 3S 4S 2S 9S 6D 7D 8C", "", rules=rules) == "8"
    assert ask(PLAIN + " 5H", "", rules=rules) == "6"


def test_bids_a_suit_where_bids_name_one() -> None:
    assert ask("AH KH 3S 4S 2S 9S 6D 7D 8C", "", rules=make_rules("oregon")) == "8H"


def test_morehead_beats_random() -> None:
    duel = play_duplicate("morehead", "random", PEDRO, 500)
    assert duel.points.low is not None
    assert duel.points.low > 15
    assert duel.tallies[0].rates()["made"] > 0.6
