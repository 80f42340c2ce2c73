"""What the README and the pages in docs/ show works: their snippets run, their commands exist."""

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

from pedro_env.variants import VARIANTS

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def blocks(language: str) -> list[tuple[str, str]]:
    """(where, text) of the blocks of a language, page by page."""
    pattern = re.compile(rf"^```{language}\n(.*?)^```", re.DOTALL | re.MULTILINE)
    return [
        (f"{page.name}, {language} {number}", text)
        for page in PAGES
        for number, text in enumerate(pattern.findall(page.read_text(encoding="utf-8")), 1)
    ]


SNIPPETS = blocks("python")
COMMANDS = sorted(
    {
        command
        for _, block in blocks("sh")
        for line in re.sub(r"\\\n\s*", "", block).splitlines()  # a line may go on behind a backslash
        for command in line.split(" && ")
        if command.startswith("python ")
    }
)


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


@pytest.mark.parametrize(("where", "snippet"), SNIPPETS, ids=[where for where, _ in SNIPPETS])
def test_a_snippet_runs(
    where: str, snippet: str, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    if "onnx" in snippet:
        monkeypatch.chdir(request.getfixturevalue("exported_policy").parent)
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        exec(compile(snippet, where, "exec"), {"__name__": "__readme__"})
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
        assert any(word in snippet for where, snippet in SNIPPETS if where.startswith("README.md")), word


@lru_cache
def help_of(*words: str) -> str:
    """What ``python words … --help`` prints."""
    command = [sys.executable, *words, "--help"]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True, timeout=60).stdout


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_exists(command: str) -> None:
    words = shlex.split(command, comments=True)[1:]
    program = words[:2] if words[0] == "-m" else words[:1]
    if program[-1] in ("venv", "pytest"):
        return
    if program[-1] == "benchmarks.training":
        pytest.importorskip("torch")
    if program[-1] in ("pedro_env", "agents.problems"):  # what follows is a command of its own
        program = words[:3]
    text = help_of(*program)
    for word in words[len(program) :]:
        if word.startswith("--"):
            assert re.search(rf"{re.escape(word)}\b", text), f"{word} is not a flag of {' '.join(program)}"
        elif word.startswith("configs/"):
            assert (ROOT / word).is_file()


def test_every_variant_is_in_the_table_of_the_family() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    part = text.partition("<!-- variants -->")[2].partition("<!-- /variants -->")[0]
    assert re.findall(r"`([^`]+)`", part) == list(VARIANTS)
