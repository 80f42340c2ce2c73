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

from agents import arena, deal_sets, evaluation, report, workers
from pedro_env.record import read_records, replay

ROOT = Path(__file__).parents[1]
PLAY_UNIT = arena.play_unit


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
    assert run("morehead", "random", "random", "--deals", "60", "--workers", "1") == 0
    out, err = capsys.readouterr()
    assert err == ""
    lines = [line.split() for line in out.splitlines()]
    assert out.startswith("pedro: 60 duplicate deals a pairing, seed 0: every pack and dealer played twice")
    assert [line[:2] for line in lines[3:6]] == [["morehead", "random"]] * 2 + [["random", "random"]]
    assert lines[5][2:] == ["60", "+0.00", "[+0.00,", "+0.00]", "100.0%"]
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
    out = capsys.readouterr().out.splitlines()
    names = [line.split()[0] for line in out if not line.startswith(" ")]
    assert names[:3] == ["random", "morehead", "heuristic-1"]
    after = out[next(i for i, line in enumerate(out) if line.startswith("FILE.onnx")) + 1]
    assert after.strip() == ":greedy=true or false (true)" or "needs the package onnxruntime" in after


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
        (["random", "random", "--on", "dev-2"], "invalid choice: 'dev-2'"),
        (["random", "random", "--on", "dev-1", "--seed", "3"], "--on dev-1 says which seed"),
        (["random", "random", "--on", "dev-1", "--deals", "50001"], "--deals 50001: dev-1 has 50,000"),
        (["random", "random", "--until", "0"], "the half-width is at least 0.0001 points"),
        (["random", "random", "--until", "narrow"], "'narrow' is not a number of points"),
        (["random", "random", "--sprt", "0", "1e300"], "'1e300' is not a number of points"),
        (["random", "random", "--until", "nan"], "'nan' is not a number of points"),
        (["random", "random", "--until", "2%"], "a share of matches won (%) takes --episode match"),
        (["random", "random", "--until", "1", "--sprt", "0", "1"], "not allowed with argument"),
        (["random", "random", "--sprt", "1", "1"], "the two hypotheses are the same"),
        (["random", "random", "--sprt", "0", "55%", "--episode", "match"], "not one of each"),
        (["random", "random", "--sprt", "0"], "expected 2 arguments"),
        (["random", "random", "--sprt", "0", "1", "--alpha", "0.7"], "'0.7' is not a number from 0.0001 to 0.4"),
        (["random", "random", "--alpha", "0.1"], "the error rates of --sprt"),
        (["random", "random", "--sprt", "0", "1", "--bootstrap", "500"], "leave one of them out"),
        (["random", "random", "--bootstrap", "5"], "'5' is not a whole number from 100"),
        (["random", "random", "--unit", "0"], "'0' is not a whole number from 1"),
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
def test_ctrl_c_ends_all_processes_and_says_what_is_known(tmp_path: Path) -> None:
    target, figures = tmp_path / "records.jsonl", tmp_path / "result.json"
    command = [sys.executable, "evaluate.py", "morehead", "random", "morehead", "--deals", "1000000", "--workers", "2"]
    process = subprocess.Popen(
        [*command, "--unit", "50", "--records", str(target), "--json", str(figures)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        text=True,
    )
    deadline = time.monotonic() + 60
    while not any(file.stat().st_size for file in tmp_path.iterdir()):  # until a unit of work is done
        assert time.monotonic() < deadline
        time.sleep(0.05)
    time.sleep(0.2)
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "Traceback" not in err
    assert os.listdir(tmp_path) == ["result.json"]  # records are whole or not there
    data = json.loads(figures.read_text())
    pairs = [result["pairs"] for result in data["results"]]
    assert data["interrupted"]
    assert pairs[0] > 0
    assert pairs[1:] == [0, 0]
    assert err.splitlines()[-1] == f"evaluate.py: interrupted after {pairs[0]:,} pairs; {target} is not written"
    assert out.startswith("INTERRUPTED")
    row = out.splitlines()[4].split()
    assert row[:4] == ["morehead", "random", f"{pairs[0]:,}", f"{data['results'][0]['points_a_deal']['mean']:+.2f}"]


def interrupt_after(units: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C once so many units of work have been played."""
    played: list[None] = []

    def play(*arguments: Any) -> Any:
        if len(played) == units:
            raise KeyboardInterrupt
        played.append(None)
        return PLAY_UNIT(*arguments)

    monkeypatch.setattr(arena, "play_unit", play)


def test_what_is_known_at_an_interrupt_are_the_first_pairs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    arguments = ("morehead", "random", "morehead", "--unit", "20", "--workers", "1", "--json")
    assert run(*arguments, str(tmp_path / "whole.json"), "--deals", "40") == 0
    interrupt_after(3, monkeypatch)
    assert run(*arguments, str(tmp_path / "part.json"), "--deals", "40", "--until", "0.1") == 130
    whole, part = (json.loads((tmp_path / f"{name}.json").read_text())["results"] for name in ("whole", "part"))
    part[0].pop("stop")
    assert part[0] == whole[0]
    assert [result["pairs"] for result in part] == [40, 20, 0]
    assert part[2]["points_a_deal"]["mean"] is None
    capsys.readouterr()
    interrupt_after(1, monkeypatch)  # an earlier result is not replaced by less
    old = (tmp_path / "whole.json").read_bytes()
    assert run(*arguments, str(tmp_path / "whole.json")) == 130
    assert (tmp_path / "whole.json").read_bytes() == old
    assert "whole.json is left as it was" in capsys.readouterr().err
    interrupt_after(0, monkeypatch)
    assert run(*arguments, str(tmp_path / "none.json")) == 130
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert "nothing is written" in err
    assert not (tmp_path / "none.json").exists()


# --- rules that end the play, and sets of deals


@pytest.mark.parametrize(
    ("rule", "words", "pairs"),
    [
        (["--until", "0.9"], "until the 95% interval is ±0.9 points a deal", 220),
        (["--until", "0.05"], "NO: about", 400),
        (["--sprt", "0", "3", "--alpha", "0.01"], "H1: +3 rather than +0", 200),
        (["--sprt", "3", "3.1"], "NONE: not enough pairs", 400),
    ],
    ids=str,
)
def test_a_rule_ends_at_the_same_pair_whatever_the_workers(
    rule: list[str], words: str, pairs: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found: list[Any] = []
    for count in ("1", "2"):
        target = tmp_path / f"{count}.json"
        arguments = ["morehead", "random", *rule, "--deals", "400", "--unit", "20", "--workers", count]
        assert run(*arguments, "--json", str(target)) == 0
        data = json.loads(target.read_text())
        data.pop("command")
        data.pop("run")
        found.append((data, capsys.readouterr().out))
    assert found[0] == found[1]
    assert words in found[0][1]
    (result,) = found[0][0]["results"]
    assert result["pairs"] == result["stop"]["pairs"] == pairs
    assert result["stop"].get("reached", result["stop"].get("decision") is not None) == (pairs < 400)


def test_a_set_of_deals_is_named_and_is_a_seed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    results: list[Any] = []
    for name, arguments in (("a", ["--on", "dev-1"]), ("b", ["--seed", str(deal_sets.SETS["dev-1"])])):
        target = tmp_path / name
        assert run("morehead", "random", *arguments, "--deals", "30", "--bootstrap", "200", "--json", str(target)) == 0
        results.append(json.loads(target.read_text()))
    assert results[0]["results"] == results[1]["results"]
    assert [result["set"] for result in results] == ["dev-1", None]
    assert "set dev-1 (seed 4398046511105)" in capsys.readouterr().out
    figures = results[0]["results"][0]["points_a_deal"]
    assert figures["bootstrap"] == pytest.approx([figures["low"], figures["high"]], abs=1)


def test_a_policy_that_was_tuned_on_the_set_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for package in ("torch", "safetensors", "onnx", "onnxscript", "onnxruntime"):
        pytest.importorskip(package)
    from agents.checkpoint import save_checkpoint
    from agents.export import export_policy
    from agents.network import NetworkShape, PolicyValueNetwork
    from pedro_env.layout import layout_of

    network = PolicyValueNetwork(layout_of(evaluation.make_rules("pedro")), NetworkShape(width=16, layers=1))
    info = {"counters": {"decisions": 0}, "tuned_on": ["dev-1"]}
    checkpoint = save_checkpoint(tmp_path, network, {}, {}, info, 1)
    exported = tmp_path / "policy.onnx"
    export_policy(checkpoint, exported, states=100)
    target = tmp_path / "result.json"
    for policy in (str(checkpoint), str(exported)):
        for name, warned in (("dev-1", True), ("report-1", False)):
            assert run(policy, "random", "--deals", "2", "--workers", "1", "--on", name, "--json", str(target)) == 0
            out, err = capsys.readouterr()
            said = f"{policy} was tuned on dev-1, by its own account: this result flatters it"
            assert (said in err, said in out) == (warned, warned)
            assert json.loads(target.read_text())["warnings"] == [said] * warned


def test_an_agent_that_sees_all_cards_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "result.json"
    module = tmp_path / "peeper.py"
    module.write_text(
        "from agents.random import RandomAgent\n\nclass Peeper(RandomAgent):\n    sees_everything = True\n"
    )
    peeper = f"python:{module}:Peeper"
    for agent in ("morehead", peeper):
        assert run(agent, "random", "--deals", "2", "--workers", "1", "--json", str(target)) == 0
        warned = [f"{peeper} sees all cards: it is a yardstick, and no player to compare others with"] * (
            agent == peeper
        )
        assert json.loads(target.read_text())["warnings"] == warned
        assert ("sees all cards" in capsys.readouterr().out) == bool(warned)


def _dies(_: int) -> None:
    os._exit(1)


def test_a_worker_that_dies_is_noticed() -> None:
    with pytest.raises(workers.WorkerError, match="a worker process ended before its work did"):
        list(workers.run_tasks(_dies, [1, 2], 2))


def _deaf(file: str) -> int:
    """Deaf to SIGTERM from now on; where there is a file to say so, busy too."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if file:
        Path(file).touch()
        time.sleep(60)
    return os.getpid()


@pytest.mark.parametrize("busy", [False, True])
def test_workers_that_are_deaf_to_signals_are_ended(
    busy: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those that wait for a task see that nobody is there; those that are busy are killed."""
    monkeypatch.setattr(workers, "PATIENCE", 0.5 if busy else 60.0)
    files = [str(tmp_path / name) for name in ("a", "b")]
    results = workers.run_tasks(_deaf, ["", *files] if busy else ["", ""], 2)
    worker = next(results)
    late = time.monotonic() + 30
    while busy and len(os.listdir(tmp_path)) < 2 and time.monotonic() < late:
        time.sleep(0.01)
    results.close()
    assert time.monotonic() < late
    with pytest.raises(ProcessLookupError):
        os.kill(worker, 0)


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
