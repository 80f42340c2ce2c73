"""What the README shows works: its snippets run, its commands exist, its list of variants is the engine's."""

from __future__ import annotations

import contextlib
import io
import re
import shlex
import subprocess
import sys
from functools import lru_cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
PAGES += [ROOT / "benchmarks" / "README.md", ROOT / "examples" / "README.md"]


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", README, re.DOTALL | re.MULTILINE)


SNIPPETS = blocks("python")
COMMANDS = [
    command
    for block in blocks("sh")
    for line in block.splitlines()
    for command in line.split(" && ")
    if command.startswith("python ")
]


@pytest.fixture(scope="session")
def exported_policy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """``first.onnx``: a new network, as if it had been trained."""
    for package in ("torch", "safetensors", "onnx", "onnxscript", "onnxruntime"):
        pytest.importorskip(package)
    from agents.checkpoint import save_checkpoint
    from agents.export import export_policy
    from agents.network import NetworkShape, PolicyValueNetwork
    from pedro_env.layout import layout_of
    from pedro_env.variants import make_rules

    folder = tmp_path_factory.mktemp("readme")
    network = PolicyValueNetwork(layout_of(make_rules("pedro")), NetworkShape(width=16, layers=1))
    checkpoint = save_checkpoint(folder, network, {}, {}, {"counters": {"decisions": 0}}, 1)
    export_policy(checkpoint, folder / "first.onnx", states=100)
    return folder / "first.onnx"


@pytest.mark.parametrize("number", range(len(SNIPPETS)))
def test_a_snippet_runs(number: int, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    snippet = SNIPPETS[number]
    if "onnx" in snippet:
        monkeypatch.chdir(request.getfixturevalue("exported_policy").parent)
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        exec(compile(snippet, f"README.md, snippet {number + 1}", "exec"), {"__name__": "__readme__"})
    assert output.getvalue()


def test_there_are_snippets_for_each_interface() -> None:
    for word in (
        "pedro_env.env(",
        "gymnasium.make(",
        "gymnasium.make_vec(",
        "pedro_env.Batch(",
        "play_duplicate(",
        "InferenceSession(",
    ):
        assert any(word in snippet for snippet in SNIPPETS), word


@lru_cache
def help_of(*words: str) -> str:
    """What ``python words … --help`` prints."""
    command = [sys.executable, *words, "--help"]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True, timeout=60).stdout


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_exists(command: str) -> None:
    words = shlex.split(command)[1:]
    program = words[:2] if words[0] == "-m" else words[:1]
    if program[-1] in ("venv", "pytest"):
        return
    if program[-1] == "benchmarks.training":
        pytest.importorskip("torch")
    if program[-1] == "pedro_env":
        program = words[:3]
    text = help_of(*program)
    for word in words[len(program) :]:
        if word.startswith("--"):
            assert re.search(rf"{re.escape(word)}\b", text), f"{word} is not a flag of {' '.join(program)}"
        elif word.startswith("configs/"):
            assert (ROOT / word).is_file()
