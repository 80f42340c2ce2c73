"""The command ``evaluate.py``: what it prints and writes, and how it answers mistakes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import pytest

from agents import arena, evaluation, report, workers
from pedro_env.record import read_records, replay

ROOT = Path(__file__).parents[1]


@pytest.fixture
def no_play(monkeypatch: pytest.MonkeyPatch) -> None:
    """Playing is an error: a mistake must be found before."""

    def play(*_: Any, **__: Any) -> None:
        raise AssertionError("played")

    monkeypatch.setattr(arena, "play_pairings", play)


def run(*arguments: str) -> int:
    """The command's exit code, in this process."""
    try:
        return evaluation.main(arguments)
    except SystemExit as exit:
        return int(exit.code or 0)


def test_prints_a_row_a_pairing(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("morehead", "random", "random", "--deals", "60") == 0
    out, err = capsys.readouterr()
    assert err == ""
    lines = [line.split() for line in out.splitlines()]
    assert out.startswith("pedro: 60 duplicate deals a pairing, seed 0: every pack and dealer played twice")
    assert [line[:2] for line in lines[3:6]] == [["morehead", "random"]] * 2 + [["random", "random"]]
    assert lines[5][2:] == ["+0.00", "[+0.00,", "+0.00]", "100.0%"]
    assert max(map(len, out.splitlines()[1:])) <= 120


def test_writes_all_figures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "result.json"
    arguments = ["morehead", "random", "--deals", "30", "--episode", "match", "--set", "target=30", "--seed", "-5"]
    assert run(*arguments, "--json", str(target)) == 0
    data = json.loads(target.read_text())
    assert os.listdir(tmp_path) == ["result.json"]
    assert data["command"] == ["evaluate.py", *arguments, "--json", str(target)]
    assert (data["variant"], data["options"], data["episode"], data["seed"]) == ("pedro", {"target": 30}, "match", -5)
    assert data["versions"]["numpy"]
    (result,) = data["results"]
    duel = arena.play_duplicate(
        "morehead", "random", evaluation.make_rules("pedro", {"target": 30}), 30, seed=-5, episode="match"
    )
    assert result["points_a_deal"]["mean"] == duel.points.mean  # unrounded
    assert result["match_win_rate"]["low"] == duel.win_rate.low
    assert result["sides"]["b"] == duel.tallies[1].rates()
    assert f"{result['points_a_deal']['mean']:+.2f}" in capsys.readouterr().out


def test_writes_records_that_replay(tmp_path: Path) -> None:
    target = tmp_path / "records.jsonl"
    assert run("morehead", "random", "--deals", "6", "--variant", "oregon", "--records", str(target)) == 0
    records = [record for _, record in read_records(target)]
    assert len(records) == 12
    for record in records:
        replay(record)
        assert sorted(record["agents"]) == ["morehead", "morehead", "random", "random"]


def test_workers_do_not_change_a_byte(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    texts: list[Any] = []
    for count in ("1", "2"):
        files = tmp_path / f"{count}.json", tmp_path / f"{count}.jsonl"
        arguments = ["morehead", "random", "--deals", "520", "--workers", count]
        assert run(*arguments, "--json", str(files[0]), "--records", str(files[1])) == 0
        data = json.loads(files[0].read_text())
        assert data.pop("run")["workers"] == int(count)
        data.pop("command")
        texts.append((data, files[1].read_bytes(), capsys.readouterr().out))
    assert texts[0] == texts[1]


def test_lists_the_agents(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--list") == 0
    names = [line.split()[0] for line in capsys.readouterr().out.splitlines()]
    assert names[:3] == ["random", "morehead", "heuristic-1"]


@pytest.mark.usefixtures("no_play")
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "name at least two agents"),
        (["random"], "name at least two agents"),
        (["random", "randm"], "unknown agent 'randm' (did you mean 'random'?)"),
        (["random", "random:level=3"], "has no parameter 'level'"),
        (["random", "random", "--variant", "pedor"], "unknown variant 'pedor' (did you mean 'pedro'"),
        (["random", "random", "--set", "targt=9"], "has no option 'targt' (did you mean 'target'?)"),
        (["random", "random", "--set", "target=0"], "a whole number from 1 to 1000"),
        (["random", "random", "--set", "target"], "write it as name=value"),
        (["random", "random", "--deals", "0"], "'0' is not a whole number from 1"),
        (["random", "random", "--deals", "many"], "'many' is not a whole number from 1"),
        (["random", "random", "--workers", "0"], "'0' is not a whole number from 1"),
        (["random", "random", "--seed", "1.5"], "'1.5' is not a whole number"),
        (["random", "random", "--episode", "hand"], "invalid choice: 'hand'"),
        (["random", "random", "--deal", "5"], "unrecognized arguments: --deal"),
        (["random", "random", "--json", "."], "it is a folder; name a file"),
        (["random", "random", "--json", "none/result.json"], "there is no folder none"),
        (["random", "random", "--records", "none/r.jsonl"], "there is no folder none"),
        (["random", "random", "--json", "same", "--records", "same"], "both name same; name two files"),
        (["random", "random", "--json", "./x/../same", "--records", "same"], "name two files"),
    ],
)
def test_mistakes_are_one_line_and_exit_2(
    arguments: list[str],
    words: str,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(*arguments) == 2
    out, err = capsys.readouterr()
    assert words in err
    assert err.count("\n") == 1
    assert err.startswith("evaluate.py: ")
    assert out == ""
    assert os.listdir(tmp_path) == []


@pytest.mark.usefixtures("no_play")
def test_a_folder_that_cannot_be_written_to_is_found_before_playing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(tempfile, "mkstemp", refuse)  # what the system says to all but root
    target = tmp_path / "result.json"
    assert run("random", "random", "--json", str(target)) == 2
    assert capsys.readouterr().err == f"evaluate.py: cannot write {target}: Permission denied\n"


def test_a_full_disk_is_one_line_and_leaves_the_old_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "result.json"
    target.write_text("old")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    real = os.fsync
    monkeypatch.setattr(os, "fsync", full)
    assert run("random", "random", "--deals", "2", "--json", str(target)) == 2
    monkeypatch.setattr(os, "fsync", real)
    assert f"cannot write {target}: No space left on device" in capsys.readouterr().err
    assert target.read_text() == "old"
    assert os.listdir(tmp_path) == ["result.json"]


@pytest.mark.skipif(not Path("/dev/null").exists(), reason="no such device here")
def test_devices_are_written_to_and_links_followed(tmp_path: Path) -> None:
    device = Path("/dev/null").stat()
    assert run("random", "random", "--deals", "2", "--json", "/dev/null") == 0
    assert Path("/dev/null").stat() == device
    (tmp_path / "link").symlink_to("file")
    (tmp_path / "file").write_text("old")
    assert run("random", "random", "--deals", "2", "--json", str(tmp_path / "link")) == 0
    assert (tmp_path / "link").is_symlink()
    assert json.loads((tmp_path / "file").read_text())["pairs"] == 2


@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl-C is sent otherwise there")
def test_ctrl_c_ends_all_processes_and_leaves_no_file(tmp_path: Path) -> None:
    target = tmp_path / "records.jsonl"
    command = [sys.executable, "evaluate.py", "morehead", "random", "--deals", "1000000", "--workers", "2"]
    process = subprocess.Popen(
        [*command, "--records", str(target)], cwd=ROOT, stderr=subprocess.PIPE, start_new_session=True, text=True
    )
    deadline = time.monotonic() + 60
    while not any(file.stat().st_size for file in tmp_path.iterdir()):  # until a unit of work is done
        assert time.monotonic() < deadline
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGINT)
    _, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert err.splitlines()[-1] == "evaluate.py: interrupted; nothing is written"
    assert "Traceback" not in err
    assert os.listdir(tmp_path) == []


def _dies(_: int) -> None:
    os._exit(1)


def test_a_worker_that_dies_is_noticed() -> None:
    with pytest.raises(workers.WorkerError, match="a worker process ended before its work did"):
        list(workers.run_tasks(_dies, [1, 2], 2))


def test_results_come_in_order_and_one_torch_thread_is_restored() -> None:
    torch = pytest.importorskip("torch")
    threads = torch.get_num_threads()
    torch.set_num_threads(2)
    try:
        assert list(workers.run_tasks(abs, [-3, 2, -1], 1)) == [3, 2, 1]
        assert list(workers.run_tasks(lambda _: torch.get_num_threads(), [0], 1)) == [1]
        assert torch.get_num_threads() == 2
    finally:
        torch.set_num_threads(threads)


def test_columns_are_aligned() -> None:
    assert report.aligned(["agent", "against", "points"], [["a", "bb", "+1.00"], ["longer", "b", "-10.00"]]) == [
        "agent   against  points",
        "a       bb        +1.00",
        "longer  b        -10.00",
    ]
