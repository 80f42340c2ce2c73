"""Agents made of agents: nothing that the inner ones report of themselves is lost."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from agents.errors import AgentError
from agents.registry import make_agent
from agents.tournament.entrants import checksum
from pedro_env.engine import Batch
from pedro_env.variants import make_rules

PEDRO = make_rules("pedro")
MODULE = """
from agents.random import RandomAgent

class Told(RandomAgent):
    forfeits = 3
    tuned_on = ("dev-1",)

    def reset(self, games):
        self.games = list(games)

class Seer(RandomAgent):
    sees_everything = True
"""
COMPOSITES = ["parts:play={}", "parts:bidding={}"]
SEARCHING = ["pimc:bidding={}", "pimc:weigh={}", "search:policy={}", "open:rest={}"]


@pytest.fixture
def module(tmp_path: Path) -> Path:
    file = tmp_path / "told.py"
    file.write_text(MODULE)
    return file


class Told:
    name = "told"
    sees_everything = False
    forfeits = 3
    tuned_on = ("dev-1",)
    games: tuple[int, ...] = ()

    def act(self, views):
        return views.mask.argmax(axis=1)

    def reset(self, games):
        self.games = tuple(games)


@pytest.mark.parametrize("spec", COMPOSITES + SEARCHING)
def test_what_an_inner_agent_reports_is_passed_on(spec: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if spec in SEARCHING:
        pytest.importorskip("numba")
    told = Told()
    for where in ("agents.parts", "agents.search.pimc", "agents.search.open"):
        if spec in SEARCHING or where == "agents.parts":
            monkeypatch.setattr(
                f"{where}.make_agent", lambda name, rules: told if name == "told" else make_agent(name, rules)
            )
    agent = make_agent(spec.format("told"), PEDRO)
    assert (agent.forfeits, agent.tuned_on) == (3, ("dev-1",))
    agent.reset(np.array([4, 7]))
    assert told.games == (4, 7)


@pytest.mark.parametrize("spec", ["pimc:bidding={}", "pimc:weigh={}", "search:policy={}"])
def test_an_honest_search_asks_nobody_who_sees_all_cards(spec: str, module: Path) -> None:
    pytest.importorskip("numba")
    with pytest.raises(AgentError, match=r"sees all cards, and (pimc|search) does not"):
        make_agent(spec.format(f"python:{module}:Seer"), PEDRO)


def test_likelihoods_of_parts_are_those_of_the_one_that_decides() -> None:
    agent = make_agent("parts:bidding=morehead,play=heuristic-1", PEDRO)
    batch = Batch(PEDRO, 3, np.arange(40))
    while not batch.over.all():
        views = batch.views()
        likely, chosen = agent.probabilities(views), agent.act(views)
        np.testing.assert_allclose(likely.sum(axis=1), 1)
        assert (likely.argmax(axis=1) == chosen).all()
        assert (likely[~views.mask] == 0).all()
        batch.step(chosen, views.game)


def test_checksums_are_of_nested_agents_too(module: Path) -> None:
    specs = [f"parts:play=python:{module}:Told", f"pimc:bidding=python:{module}:Told", "search:policy=heuristic-1"]
    before = [checksum(spec) for spec in specs]
    assert None not in before[:2]
    assert before[2] is None
    module.write_text(MODULE + "\n# changed\n")
    assert all(checksum(spec) != sum for spec, sum in zip(specs[:2], before[:2], strict=True))
    assert checksum("python:agents.morehead:MoreheadAgent") is not None
