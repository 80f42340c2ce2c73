"""Runs that are killed, stopped, damaged or short of space, and what becomes of them.

All runs are played by ``tests.mortal`` in one go (see there): processes that are forked, killed at a given point and
started again with the same command, as torchrun does it.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")
for package in ("safetensors", "tensorboard", "yaml"):
    pytest.importorskip(package)
if not hasattr(os, "fork"):
    pytest.skip("needs a system with fork", allow_module_level=True)

from safetensors.torch import load_file  # noqa: E402
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator  # noqa: E402

from agents import checkpoint, training  # noqa: E402
from agents.metrics import MetricsFile  # noqa: E402

ROOT = Path(__file__).parent.parent
KILL, TERM, INT = int(signal.SIGKILL), int(signal.SIGTERM), int(signal.SIGINT)
TABLES = 10
FLAGS = [
    *("--precision", "float32", "--device", "cpu", "--network.width", "16", "--network.layers", "1"),
    *("--selfplay.tables", str(TABLES), "--selfplay.pool_size", "3", "--selfplay.pool_every", "1"),
    *("--ppo.minibatch", "64", "--ppo.epochs", "1", "--checkpoints.times", "12", "--checkpoints.keep", "2"),
    *("--evaluation.pairs", "4", "--evaluation.yardstick", "random", "--evaluation.final_opponents", ""),
]
BLOWS = {
    "the leader is killed in a rollout": [[{"at": ["rollout", 50], "signal": KILL}], []],
    "the follower is killed in a rollout": [[], [{"at": ["rollout", 50], "signal": KILL}]],
    "the leader is killed in an update": [[{"at": ["update", 5], "signal": KILL}], []],
    "the follower is killed in an update": [[], [{"at": ["update", 5], "signal": KILL}]],
    "the leader is killed in a save": [[{"at": ["save", 2], "signal": KILL}], []],
    "the follower is killed in a save": [[{"at": ["save", 2], "signal": KILL, "to": 1}], []],
    "the leader is killed at the end of a save": [[{"at": ["end of save", 1], "signal": KILL}], []],
    "the leader is terminated": [[{"at": ["update", 5], "signal": TERM}], []],
    "the follower is terminated": [[], [{"at": ["rollout", 20], "signal": TERM}]],
    "the leader is interrupted": [[{"at": ["rollout", 20], "signal": INT}], []],
}
NOTHING = [[], []]
FULL, EMPTY = {"at": ["iteration", 5], "space": 2500}, {"at": ["iteration", 9], "space": None}


def flags(folder, name, times=3, workers=1):
    own = ["--name", name, "--evaluation.times", str(times), "--workers", str(workers)]
    return ["--runs", str(folder), *own, "--budget.decisions", str(2200 * workers), *FLAGS]


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """The folder of all runs, and what their processes said: ``{name of the run: [[(code, out, err), …], …]}``."""
    folder = tmp_path_factory.mktemp("runs")
    runs = [
        ("whole", flags(folder, "whole", workers=2), NOTHING),
        *(("killed", flags(folder, "killed", workers=2), blows) for blows in [*BLOWS.values(), NOTHING]),
        ("alone", flags(folder, "alone"), [[]]),
        ("unwatched", flags(folder, "unwatched", times=0), [[]]),
        ("stopped", flags(folder, "stopped"), [[{"at": ["update", 15], "signal": TERM}]]),
        ("full", flags(folder, "full"), [[FULL, EMPTY]]),
        ("full to the end", flags(folder, "full to the end"), [[FULL]]),
    ]
    return folder, play(folder, runs)


def play(folder, runs):
    file = folder / "runs.json"
    file.write_text(json.dumps([{"flags": flags, "processes": processes} for _, flags, processes in runs]))
    command = [sys.executable, "-m", "tests.mortal", str(file)]
    environment = os.environ | {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True, timeout=1200)
    said = {}
    for (name, *_), result in zip(runs, json.loads(done.stdout), strict=True):
        said.setdefault(name, []).append(result)
    return said


def lines(run):
    """The lines of the metrics without what a clock says."""
    text = (run / "metrics.jsonl").read_text()
    assert text.endswith("\n")
    clocks = ("seconds", "speed/decisions_per_second")
    return [{k: v for k, v in json.loads(line).items() if k not in clocks} for line in text.splitlines()]


def points(run):
    """What TensorBoard shows: ``{name: [(step, value), …]}``."""
    events = EventAccumulator(str(run / "tensorboard"), {"scalars": 0}).Reload()
    names = [name for name in events.Tags()["scalars"] if not name.startswith("speed/")]
    return {name: [(event.step, event.value) for event in events.Scalars(name)] for name in names}


def assert_same_end(a, b):
    """Weights, optimizer, past selves, counters, curve, metrics and TensorBoard are the same to the last bit."""
    ends = [checkpoint.checkpoints(run)[-1] for run in (a, b)]
    for name in (checkpoint.POLICY, checkpoint.TRAINING):
        one, other = (load_file(end / name) for end in ends)
        assert one.keys() == other.keys()
        assert all(torch.equal(one[key], other[key]) for key in one), name
    infos = [json.loads((end / checkpoint.JSON).read_text()) for end in ends]
    for info in infos:
        info["counters"].pop("seconds")
        for point in info["curve"]:
            point.pop("seconds")
        info.pop("sha256")
    assert infos[0] == infos[1]
    assert lines(a) == lines(b)
    assert points(a) == points(b)


def test_killed_anywhere_a_run_ends_as_if_nothing_had_been(results):
    folder, said = results
    assert [code for code, *_ in said["whole"][0]] == [0, 0]
    assert [code for code, *_ in said["killed"][-1]] == [0, 0]
    assert_same_end(folder / "whole", folder / "killed")
    assert len(checkpoint.checkpoints(folder / "killed")) in (2, 3)  # the last two, and the best
    assert not list((folder / "killed" / "checkpoints").glob(".*"))


def test_ten_updates_follow_the_last_blow(results):
    folder, said = results

    out = said["killed"][-2][0][1]
    at_stop = int(out.split(" decisions in ")[0].split()[-1].replace(",", ""))
    after = [line for line in lines(folder / "killed") if line["decisions"] > at_stop]
    assert len(after) >= 10


@pytest.mark.parametrize(("number", "name"), list(enumerate(BLOWS)), ids=list(BLOWS))
def test_what_is_said_when_a_process_ends(number, name, results):
    """The one that was killed says nothing; the other ends too, soon, and says so in one line."""
    _, said = results
    processes = said["killed"][number]
    victim = 1 if "follower" in name else 0
    survivor = processes[1 - victim]
    if "killed" in name:
        assert processes[victim][0] == -KILL
        code, _, err = survivor
        assert code == training.FAILED
        assert err.count("\n") == 1
        assert "another process of the run has died" in err
    else:
        code, word = (143, "SIGTERM") if "terminated" in name else (130, "SIGINT")
        assert processes[victim][0] == code, word
        leader = processes[0]
        assert "Interrupted. To go on: python train.py --resume" in leader[1]
        assert survivor[0] == (0 if victim == 0 else 143)
    assert all("Traceback" not in err for _, _, err in processes)


def test_every_deal_is_played_once_and_none_is_under_way_at_a_checkpoint(results):
    folder, _ = results
    for run in ("whole", "killed"):
        found = lines(folder / run)
        assert [line["iteration"] for line in found] == list(range(1, len(found) + 1))
        assert [line["deals"] for line in found] == [TABLES * (i + 1) for i in range(len(found))]


def test_evaluations_change_nothing_that_is_learnt(results):
    folder, said = results
    assert said["unwatched"][0][0][0] == 0
    ends = [checkpoint.checkpoints(folder / run)[-1] for run in ("alone", "unwatched")]
    assert json.loads((ends[0] / checkpoint.JSON).read_text())["curve"]
    for name in (checkpoint.POLICY, checkpoint.TRAINING):
        one, other = (load_file(end / name) for end in ends)
        assert all(torch.equal(one[key], other[key]) for key in one), name


def test_the_best_checkpoint_is_kept(results):
    folder, _ = results
    for run in ("whole", "killed", "alone"):
        kept = checkpoint.checkpoints(folder / run)
        curve = json.loads((kept[-1] / checkpoint.JSON).read_text())["curve"]
        best = max(curve, key=lambda point: point["mean"])
        assert folder / run / "checkpoints" / f"{best['decisions']:012d}" in kept
        result = json.loads((folder / run / "result.json").read_text())
        assert int(Path(result["best_checkpoint"]).name) == best["decisions"]


def damage(file):
    data = bytearray(file.read_bytes())
    data[-5] ^= 0xFF
    file.write_bytes(data)


def test_a_damaged_checkpoint_is_passed_over_and_the_end_is_the_same(results, tmp_path):
    folder, said = results
    assert said["stopped"][0][0][0] == 143
    runs = []
    for name, file in (("weights", checkpoint.POLICY), ("optimizer", checkpoint.TRAINING)):
        run = tmp_path / name
        shutil.copytree(folder / "stopped", run)
        damage(checkpoint.checkpoints(run)[-1] / file)
        runs.append((name, ["--resume", str(run)], [[]]))
    said = play(tmp_path, runs)
    for name, file in (("weights", checkpoint.POLICY), ("optimizer", checkpoint.TRAINING)):
        code, _, err = said[name][0][0]
        assert code == 0
        first, second = err.splitlines()
        assert file in first
        assert "damaged" in first
        assert "going on from" in second
        assert_same_end(folder / "alone", tmp_path / name)


def test_nothing_but_damaged_checkpoints_is_an_error_and_changes_nothing(results, tmp_path, capsys):
    folder, _ = results
    run = tmp_path / "run"
    shutil.copytree(folder / "stopped", run)
    found = checkpoint.checkpoints(run)
    for place in found:
        damage(place / checkpoint.POLICY)
    assert training.main(["--resume", str(run)]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert checkpoint.checkpoints(run) == found


def test_a_full_disk_is_said_and_the_run_goes_on(results):
    folder, said = results
    code, _, err = said["full"][0][0]
    assert code == 0
    told = err.splitlines()
    assert sum("cannot write" in line and "checkpoints" in line for line in told) == 1
    assert sum("could be written" in line for line in told) == 1
    assert sum("metrics.jsonl" in line and "tries again" in line for line in told) == 1
    assert sum("TensorBoard" in line for line in told) == 1
    assert len(told) == 4
    alone, full = folder / "alone", folder / "full"
    assert lines(full) == lines(alone)
    for name in (checkpoint.POLICY, checkpoint.TRAINING):
        one, other = (load_file(checkpoint.checkpoints(run)[-1] / name) for run in (alone, full))
        assert all(torch.equal(one[key], other[key]) for key in one), name


def test_a_disk_that_stays_full_leaves_what_was_written_whole(results):
    folder, said = results
    code, _, err = said["full to the end"][0][0]
    assert code == training.FAILED
    assert "Traceback" not in err
    assert "cannot write" in err.splitlines()[-1]
    assert "to go on: python train.py --resume" in err.splitlines()[-1]
    run = folder / "full to the end"
    for place in checkpoint.checkpoints(run):
        checkpoint.load_policy(place)
        checkpoint.load_training(place)
    assert [p.name for p in run.rglob("*") if ".part" in p.name or p.name.startswith(".")] == []
    before = lines(run)
    assert before == lines(folder / "alone")[: len(before)]


@pytest.mark.parametrize(
    ("at", "where"), [("learning_rate", "iteration 1: "), ("final_learning_rate", "iteration 2: ")]
)
def test_what_is_not_finite_stops_the_run_and_the_last_good_state_is_kept(at, where, tmp_path, capsys):
    assert training.main([*flags(tmp_path, "r"), f"--ppo.{at}", "1e36"]) == training.FAILED
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert where in err
    assert "not finite" in err
    assert "--resume" in err
    run = tmp_path / "r"
    place = checkpoint.checkpoints(run)[-1]
    good = int(where.split()[1].strip(":")) - 1
    assert json.loads((place / checkpoint.JSON).read_text())["counters"]["iteration"] == good
    assert all(torch.isfinite(value).all() for value in load_file(place / checkpoint.POLICY).values())
    # It is deterministic: going on says the same.
    assert training.main(["--resume", str(run)]) == training.FAILED
    out, err = capsys.readouterr()
    assert f"going on after iteration {good}, " in out
    assert where in err


# --- metrics


def test_metrics_have_one_line_an_iteration_however_often_a_run_begins(tmp_path):
    file = tmp_path / "metrics.jsonl"
    metrics = MetricsFile(file, 0)
    for iteration in range(1, 6):
        metrics.add({"iteration": iteration, "x": float("nan")})
    with file.open("a") as half:
        half.write('{"iteration": 6, "x": 1')
    metrics = MetricsFile(file, 3)
    assert metrics.missing == 0
    metrics.add({"iteration": 4, "x": 4.0})
    found = [json.loads(line) for line in file.read_text().splitlines()]
    assert [line["iteration"] for line in found] == [1, 2, 3, 4]
    assert [line["x"] for line in found] == [None, None, None, 4.0]
    assert MetricsFile(file, 7).missing == 3


def test_no_game_is_left_in_a_trainer():
    """Checkpoints hold no games because between iterations there are none."""
    from agents.config import NetworkConfig, SelfPlay, TrainConfig
    from agents.parallel import Group
    from agents.trainer import Trainer
    from pedro_env.engine import Batch

    config = TrainConfig(network=NetworkConfig(8, 1), selfplay=SelfPlay(tables=4), workers="1", device="cpu")
    trainer = Trainer(Group(), config.resolved(), Path("nowhere"))
    batches = []
    original = Batch.__init__

    def watched(self, *arguments, **more):
        original(self, *arguments, **more)
        batches.append(self)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Batch, "__init__", watched)
        trainer._iterate(lambda: False, False)
    assert len(batches) == 1
    assert batches[0].over.all()
    assert not any(isinstance(value, (Batch, np.random.Generator)) for value in vars(trainer).values())
