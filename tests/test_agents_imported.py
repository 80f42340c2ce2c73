"""Python classes as agents, by import path and by file: how they are found, built, and told apart from their errors."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from agents import evaluation
from agents.arena import play_duplicate, play_unit
from agents.errors import AgentError
from agents.random import RandomAgent
from agents.registry import agent_names, make_agent, split_list
from pedro_env.agent import Resettable
from pedro_env.engine import Batch
from pedro_env.gym import PedroEnv
from pedro_env.variants import make_rules

ROOT = Path(__file__).parents[1]
PEDRO = make_rules("pedro")

MODULE = """
from dataclasses import dataclass
from beside import LOWEST

class Lowest:
    name = "lowest"
    sees_everything = False

    def __init__(self, rules, level: int = 1, loud=False, share=0.5, tag=None, **rest):
        self.parameters = level, loud, share, tag
        self.told = []

    def act(self, views):
        return LOWEST(views)

    def reset(self, games):
        self.told.append(len(games))

class Needs(Lowest):
    def __init__(self, rules, level):
        super().__init__(rules)

class NoRules(Lowest):
    def __init__(self):
        pass

class Fails(Lowest):
    def __init__(self, rules):
        raise RuntimeError("no luck")

class FailsLater(Lowest):
    def act(self, views):
        return self.helper(views)

    def helper(self, views):
        return [][0]

class FailsInNumPy(Lowest):
    def act(self, views):
        import numpy as np
        return np.concatenate([])

class FailsAtReset(Lowest):
    def reset(self, games):
        raise ValueError("no cards")

class NoAct:
    name = "none"
    sees_everything = False
    def __init__(self, rules): pass

class Nothing:
    def __init__(self, rules): pass

class Seer(Lowest):
    sees_everything = True
    def act(self, views):
        views.full_state
        return LOWEST(views)

class Illegal(Lowest):
    def act(self, views):
        return LOWEST(views) * 0 - 1

class Ragged(Lowest):
    def act(self, views):
        return [[1], [2, 3]]

def lowest(rules):
    return Lowest(rules, 7)

@dataclass
class AsData:
    rules: object
    level: int = 2
    name: str = "data"
    sees_everything: bool = False
    def act(self, views):
        return LOWEST(views)

NUMBER = 3
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with modules of agents, in which one stands, and of which Python knows nothing yet."""
    (tmp_path / "beside.py").write_text("def LOWEST(views):\n    return views.mask.argmax(axis=1)\n")
    (tmp_path / "my_agents.py").write_text(MODULE)
    (tmp_path / "broken.py").write_text("x = 1\nx =\n")
    (tmp_path / "needs.py").write_text("import no_such_package\n")
    (tmp_path / "exits.py").write_text("import sys\nsys.exit('usage: exits.py')\n")
    (tmp_path / "package").mkdir()
    (tmp_path / "package" / "inside.py").write_text("from my_agents import Lowest\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    known = set(sys.modules)
    yield tmp_path
    for name in set(sys.modules) - known:
        if "my_agents" in name or name.startswith(("beside", "package", "needs", "broken", "exits")):
            del sys.modules[name]


def inner(agent: object) -> object:
    """The user's own object."""
    return agent._agent  # type: ignore[attr-defined]


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("where", ["my_agents", "my_agents.py", "package.inside", "package/inside.py"])
def test_a_class_is_found_by_module_and_by_file(where: str) -> None:
    spec = f"python:{where}:Lowest"
    agent = make_agent(spec, PEDRO)
    assert (agent.name, agent.sees_everything) == (spec, False)
    duel = play_unit(agent, RandomAgent(PEDRO), PEDRO, np.arange(5), seed=0)
    assert duel.difference.any()
    assert inner(agent).told == [10]  # type: ignore[attr-defined]


def test_parameters_have_the_types_of_annotations_or_defaults(folder: Path) -> None:
    agent = make_agent(f"python:{folder}/my_agents.py:Lowest:level=3,loud=true,share=0.25,tag=x", PEDRO)
    assert inner(agent).parameters == (3, True, 0.25, "x")  # type: ignore[attr-defined]
    data = make_agent("python:my_agents:AsData:level=5", PEDRO)
    assert inner(data).level == 5  # type: ignore[attr-defined]
    assert not isinstance(data, Resettable)
    assert inner(make_agent("python:my_agents:lowest", PEDRO)).parameters[0] == 7  # type: ignore[attr-defined]


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("python", "it is written python:MODULE:CLASS or exec:COMMAND"),
        ("python:", "a class is written python:MODULE:CLASS or python:FILE.py:CLASS"),
        ("python:my_agents", "a class is written python:MODULE:CLASS"),
        ("python:my_agents:", "a class is written python:MODULE:CLASS"),
        ("python:my_agents:a b", "a class is written python:MODULE:CLASS"),
        ("python:no_such.module:Agent", "there is no module 'no_such' in {folder}, nor installed"),
        ("python:package.no_such:Agent", "there is no module 'package.no_such' in {folder}"),
        ("python:my/agents:Agent", "'my/agents' is not a module's name, as package.module, nor a .py file"),
        ("python:no_such.py:Agent", "there is no file {folder}/no_such.py"),
        ("python:my_agents:Loest", "there is no 'Loest' in {folder}/my_agents.py"),
        ("python:my_agents:NUMBER", "3 is not a class"),
        ("python:broken:Agent", "cannot be imported: SyntaxError: invalid syntax (broken.py, line 2)"),
        ("python:broken.py:Agent", "cannot be imported: SyntaxError: invalid syntax (broken.py, line 2)"),
        (
            "python:needs:Agent",
            "cannot be imported: ModuleNotFoundError: No module named 'no_such_package' ({folder}",
        ),
        ("python:exits:Agent", "cannot be imported: it exits (usage: exits.py) ({folder}/exits.py, line 2"),
        ("python:my_agents:NoRules", "it is built as CLASS(rules, …), which does not fit: too many positional"),
        ("python:my_agents:Needs", "which does not fit: missing a required argument: 'level'"),
        (
            "python:my_agents:Fails",
            "cannot be built: RuntimeError: no luck ({folder}/my_agents.py, line 29, in _",
        ),
        ("python:my_agents:NoAct", "NoAct is no agent: it has no act (pedro_env.Agent says"),
        ("python:my_agents:Nothing", "Nothing is no agent: it has no act, name, sees_everything"),
        ("python:my_agents:Lowest:levle=3", "has no parameter 'levle' (did you mean 'level'?)"),
        ("python:my_agents:Lowest:level=x", "'level' cannot be 'x'; it is a whole number"),
        ("my_agents.py", "which class of it? Write python:my_agents.py:CLASS"),
        ("my_agents:Lowest", "python:MODULE:CLASS, or exec:COMMAND"),
    ],
)
def test_mistakes_are_one_line_that_says_what_would_be_right(spec: str, words: str, folder: Path) -> None:
    with pytest.raises(AgentError) as error:
        make_agent(spec, PEDRO)
    assert words.format(folder=folder) in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("FailsLater", "fails: IndexError: list index out of range ({folder}/my_agents.py, line 36, in helper)"),
        (
            "FailsInNumPy",
            "fails: ValueError: need at least one array to concatenate ({folder}/my_agents.py, line 41",
        ),
        ("FailsAtReset", "fails: ValueError: no cards ({folder}/my_agents.py, line 45, in reset)"),
        ("Ragged", "fails: ValueError: setting an array element with a sequence"),
        ("Illegal", "python:my_agents:Illegal chose action -1, which is not legal"),
    ],
)
def test_errors_while_it_plays_say_where(
    name: str, words: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """In the command's own process; and it is named."""
    assert evaluation.main([f"python:my_agents:{name}", "random", "--deals", "5"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert words.format(folder=folder) in err.splitlines()[-1]
    assert f"python:my_agents:{name}" in err.splitlines()[-1]
    assert "Traceback" not in err


def test_the_cause_is_there_for_programs_that_want_it(folder: Path) -> None:
    agent = make_agent(f"python:{folder}/my_agents.py:FailsLater", PEDRO)
    with pytest.raises(AgentError) as error:
        agent.act(Batch(PEDRO).views())
    assert isinstance(error.value.__cause__, IndexError)


@pytest.mark.usefixtures("folder")
def test_one_that_sees_everything_may() -> None:
    agent = make_agent("python:my_agents:Seer", PEDRO)
    assert agent.sees_everything
    play_unit(agent, RandomAgent(PEDRO), PEDRO, np.arange(2), seed=0)


@pytest.mark.parametrize("workers", ["1", "2"])
@pytest.mark.parametrize(("name", "code"), [("Lowest", 0), ("FailsLater", 2)])
def test_the_current_folder_is_searched_in_worker_processes_too(
    name: str, code: int, workers: str, folder: Path
) -> None:
    """As the command is run elsewhere: Python itself knows only the checkout."""
    words = "--deals 510 --workers"
    result = subprocess.run(
        [sys.executable, ROOT / "evaluate.py", f"python:my_agents:{name}", "random", *words.split(), workers],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert result.returncode == code
    assert "Traceback" not in result.stderr
    if code:
        assert result.stderr.endswith(f"({folder}/my_agents.py, line 36, in helper)\n")


@pytest.mark.parametrize("where", ["examples.agents.cautious", f"{ROOT}/examples/agents/cautious.py"])
def test_the_example_plays_and_never_bids_more_than_it_may(where: str) -> None:
    duel = play_duplicate(f"python:{where}:Cautious:highest=7", "heuristic-1", PEDRO, 100)
    free = play_duplicate("heuristic-1", "heuristic-1", PEDRO, 100)
    assert duel.tallies[0].rates()["mean_bid"] == 7 < free.tallies[0].rates()["mean_bid"]


@pytest.mark.usefixtures("folder")
def test_it_plays_in_gymnasium() -> None:
    env = PedroEnv(opponents="agents.registry:python:my_agents:Lowest:level=4")
    observation, _ = env.reset(seed=0)
    over = False
    while not over:
        observation, _, over, _, _ = env.step(int(observation["action_mask"].argmax()))
    with pytest.raises(ValueError, match="there is no 'Highest' in"):
        PedroEnv(opponents="agents.registry:python:my_agents:Highest")


def test_a_list_of_agents_keeps_parameters_together() -> None:
    assert split_list("random, python:a:B:level=3,loud=true,exec:node a.js --b c:timeout=3,on_error=stop,x.onnx") == [
        "random",
        "python:a:B:level=3,loud=true",
        "exec:node a.js --b c:timeout=3,on_error=stop",
        "x.onnx",
    ]


def test_the_list_of_agents_has_both_forms() -> None:
    assert {"python:MODULE:CLASS", "exec:COMMAND"} <= set(agent_names())
