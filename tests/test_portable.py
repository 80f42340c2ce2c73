"""What differs between systems, tried on this one: encodings, paths, spawned processes, what POSIX alone has."""

from __future__ import annotations

import json
import multiprocessing
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from agents.registry import split_spec
from agents.workers import run_tasks
from pedro_env.files import write_whole
from pedro_env.record import RecordError, read_records

ROOT = Path(__file__).parents[1]
STRANGE = "Meine Übung (1) é"
"""A folder's name as people have them: spaces, brackets, letters that are not ASCII."""
CODE_PAGE = {"PYTHONIOENCODING": "cp1252", "PYTHONUTF8": "0"}
C_LOCALE = {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}


def run(*arguments: str | Path, folder: Path = ROOT, **environment: str) -> str:
    """What ``python …`` prints, in UTF-8; it must succeed and say nothing on stderr."""
    result = subprocess.run(
        [sys.executable, *map(str, arguments)],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder), **environment},
        capture_output=True,
        timeout=120,
    )
    assert (result.returncode, result.stderr.decode()) == (0, "")
    return result.stdout.decode("utf-8")


@pytest.mark.parametrize("environment", [CODE_PAGE, C_LOCALE], ids=["cp1252", "C"])
@pytest.mark.parametrize(
    ("words", "sign"),
    [
        ("-m pedro_env rules pedro", "–"),
        ("-m pedro_env replay docs/rules/example-records.jsonl --show", "♥"),
        ("evaluate.py random morehead --deals 10", "–"),
        ("-m agents.play --help", "…"),
        ("-m benchmarks.aec --repeats 1 --seconds 0.01", "–"),
    ],
)
def test_output_is_utf8_whatever_the_system_speaks(words: str, sign: str, environment: dict[str, str]) -> None:
    assert sign in run(*words.split(), **environment)


@pytest.mark.parametrize("environment", [{}, CODE_PAGE, C_LOCALE], ids=["", "cp1252", "C"])
def test_files_in_a_folder_with_a_strange_name(tmp_path: Path, environment: dict[str, str]) -> None:
    folder = tmp_path / STRANGE
    folder.mkdir()
    deal, figures = folder / "Spiel ö.jsonl", folder / "é ü.json"
    run("-m", "pedro_env", "record", "pedro", "--set", "max_deals=1", "--out", deal, **environment)
    assert "1 deal of 1 match" in run("-m", "pedro_env", "replay", deal, **environment)
    run("evaluate.py", "random", "morehead", "--deals", "5", "--json", figures, "--records", deal, **environment)
    assert json.loads(figures.read_text(encoding="utf-8"))["pairs"] == 5
    assert sorted(path.name for path in folder.iterdir()) == ["Spiel ö.jsonl", "é ü.json"]


def test_a_checkout_in_a_folder_with_a_strange_name(tmp_path: Path) -> None:
    folder = tmp_path / STRANGE
    for package in ("pedro_env", "agents"):
        shutil.copytree(ROOT / package, folder / package, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "evaluate.py", folder)
    words = ("evaluate.py", "random", "morehead", "--deals", "1000", "--workers")
    assert run(*words, "2", folder=folder, **CODE_PAGE) == run(*words, "1")


def start_of(task: int) -> tuple[str, int]:
    """How the process that works on a task was started, and which one it is."""
    return type(multiprocessing.current_process()).__name__, os.getpid()


def test_workers_of_evaluation_are_spawned() -> None:
    results = list(run_tasks(start_of, [0, 1], workers=2))
    assert {kind for kind, _ in results} == {"SpawnProcess"}
    assert os.getpid() not in {process for _, process in results}


def spawned(group: object) -> None:
    """A worker of training: adds 1 where it was spawned."""
    import torch

    group.sum(torch.tensor([float(start_of(0)[0] == "SpawnProcess")]))  # type: ignore[attr-defined]


def test_workers_of_training_are_spawned_and_meet_in_a_strange_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    torch = pytest.importorskip("torch")
    from agents.parallel import start_group

    folder = tmp_path / ("#1 " + STRANGE)
    folder.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    with start_group(2, spawned) as group:
        assert group.sum(torch.zeros(1)).item() == 1
    assert list(tmp_path.rglob("*")) == [folder]


ELSEWHERE = """
import importlib, multiprocessing, os, signal, socket, subprocess, sys, tempfile
import gymnasium, numpy, pettingzoo

for name in "fcntl grp pwd resource termios tty pty readline curses syslog".split():
    sys.modules[name] = None
for module, names in {
    os: "fork forkpty getloadavg getpgid getuid kill killpg mkfifo sched_getaffinity setsid uname wait",
    signal: "SIGALRM SIGCHLD SIGHUP SIGKILL SIGPIPE SIGUSR1 alarm pause setitimer",
    socket: "AF_UNIX if_nameindex",
}.items():
    for name in names.split():
        if hasattr(module, name):
            delattr(module, name)
os.environ["HOME"] = ""

from pedro_env.console import run
from pedro_env import commands
from agents import evaluation
import agents.play.command

out = sys.argv[1]
assert run(lambda: commands.main(["record", "pedro", "--set", "max_deals=1", "--out", out])) == 0
assert run(lambda: commands.main(["replay", out, "--show"])) == 0
words = "heuristic-1 morehead --deals 5 --workers 1 --records".split()
assert run(lambda: evaluation.main([*words, out])) == 0
"""


def test_nothing_that_posix_alone_has_is_needed(tmp_path: Path) -> None:
    assert "1 deal of 1 match replayed" in run("-c", ELSEWHERE, tmp_path / "deal.jsonl")


def open_files() -> set[str]:
    """The files that this process holds open."""
    names = [f"/proc/self/fd/{number}" for number in os.listdir("/proc/self/fd")]
    return {os.readlink(name) for name in names if os.path.lexists(name)}


def test_records_from_a_shell_of_windows(tmp_path: Path) -> None:
    """``> FILE`` writes other line ends there, and in an old PowerShell another encoding."""
    text = run("-m", "pedro_env", "record", "pedro", "--set", "max_deals=2", "--out", "-")
    file = tmp_path / "games.jsonl"
    file.write_bytes(text.replace("\n", "\r\n").encode())
    assert "2 deals of 1 match replayed" in run("-m", "pedro_env", "replay", file)
    file.write_bytes(text.encode("utf-16"))
    with pytest.raises(RecordError, match="is not a text file in UTF-8"):
        list(read_records(file))


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="needs /proc")
def test_what_is_renamed_is_not_open(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Windows renames neither an open file nor a folder with one, and replaces no open file."""
    renamed: list[Path] = []
    replace = os.replace

    def as_windows_does(source: str | Path, target: str | Path) -> None:
        for name in open_files():
            assert not Path(name).is_relative_to(source), name
            assert not Path(name).is_relative_to(target), name
        renamed.append(Path(target))
        replace(source, target)

    monkeypatch.setattr(os, "replace", as_windows_does)
    file = tmp_path / "file"
    for data in (b"old", b"new"):
        write_whole(file, data)
    assert file.read_bytes() == b"new"
    assert renamed == [file, file]

    pytest.importorskip("safetensors")
    pytest.importorskip("torch")
    from agents.checkpoint import load_policy, save_checkpoint
    from agents.network import NetworkShape, PolicyValueNetwork
    from pedro_env import layout_of, make_rules

    network = PolicyValueNetwork(layout_of(make_rules("pedro")), NetworkShape(width=16, layers=1))
    places = [save_checkpoint(tmp_path, network, {}, {}, {"counters": {"decisions": n}}, 1) for n in (5, 6)]
    load_policy(places[1])
    assert renamed[2:] == [*places, places[0].with_name(f".beside-{places[0].name}")]
    assert not places[0].exists()


def test_paths_as_windows_writes_them_name_agents() -> None:
    assert split_spec(r"C:\runs\first") == (r"C:\runs\first", {})
    assert split_spec(r"C:\runs\first:greedy=false") == (r"C:\runs\first", {"greedy": "false"})


def test_every_file_can_have_its_name_everywhere() -> None:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True)
    if listed.returncode:
        pytest.skip("not a checkout of git")
    names = listed.stdout.decode("utf-8").strip("\0").split("\0")
    assert len({name.lower() for name in names}) == len(names)
    reserved = {"con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in range(1, 10))}
    for name in names:
        assert not set(name) & set('<>:"\\|?*'), name
        for part in Path(name).parts:
            assert part.partition(".")[0].lower() not in reserved, name
            assert part[-1] not in ". ", name
