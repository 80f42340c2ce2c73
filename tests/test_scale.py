"""Several processes, torchrun, and tables that take turns."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields, replace
from datetime import timedelta
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")
for package in ("safetensors", "tensorboard", "yaml"):
    pytest.importorskip(package)

from safetensors.torch import load_file, save_file  # noqa: E402

from agents import checkpoint, parallel, training  # noqa: E402
from agents.config import PPO, Budget, ConfigError, Evaluation, NetworkConfig, SelfPlay, TrainConfig  # noqa: E402
from agents.network import NetworkShape, PolicyValueNetwork  # noqa: E402
from agents.parallel import Group, start_group  # noqa: E402
from agents.ppo import Learner  # noqa: E402
from agents.precision import Precision  # noqa: E402
from agents.rollout import Decisions, Tables, collect  # noqa: E402
from agents.shared_sums import MEMORY, SharedSums, can_share, make_memory  # noqa: E402
from agents.trainer import Trainer, follow  # noqa: E402
from agents.workers import WorkerError  # noqa: E402
from pedro_env.engine import Batch  # noqa: E402
from pedro_env.layout import layout_of  # noqa: E402
from pedro_env.variants import make_rules  # noqa: E402

pytestmark = pytest.mark.usefixtures("one_thread")

ROOT = Path(__file__).parent.parent
RULES = make_rules("pedro")
STEPS, UNIT = 5, 64
UPDATE = PPO(minibatch=4 * UNIT, epochs=2, learning_rate=1e-3)
TINY = TrainConfig(
    workers="2",
    precision="float32",
    device="cpu",
    budget=Budget(decisions=2500),
    network=NetworkConfig(width=16, layers=1),
    selfplay=SelfPlay(tables=12, past_share=0.2, pool_size=2, pool_every=1),
    ppo=PPO(minibatch=128),
    evaluation=Evaluation(yardstick="random", times=1, pairs=4, final_opponents=""),
)
FLAGS = [
    *("--precision", "float32", "--device", "cpu", "--network.width", "16", "--network.layers", "1"),
    *("--budget.decisions", "4000", "--selfplay.tables", "10", "--ppo.minibatch", "128", "--checkpoints.times", "12"),
    *("--evaluation.times", "0", "--evaluation.yardstick", "random", "--evaluation.final_opponents", ""),
]


def network():
    return PolicyValueNetwork(layout_of(RULES), NetworkShape(16, 1), seed=3)


def played(buffers=1, n=64, past_tables=6):
    """The decisions of ``n`` deals, in parts that take turns, and the sums."""
    past = PolicyValueNetwork(layout_of(RULES), NetworkShape(16, 1), seed=4)
    parts = [
        Tables(Batch(RULES, 5, tables), past_tables, np.random.default_rng(number))
        for number, tables in enumerate(np.array_split(np.arange(n), buffers))
    ]
    return collect(Precision().copy(network()), past, parts, 0.9), parts


# --- tables that take turns


def test_parts_that_take_turns_play_as_they_would_alone():
    (together, sums), _ = played(buffers=2)
    alone = []
    for number, tables in enumerate(np.array_split(np.arange(64), 2)):
        past = PolicyValueNetwork(layout_of(RULES), NetworkShape(16, 1), seed=4)
        part = Tables(Batch(RULES, 5, tables), 6, np.random.default_rng(number))
        alone.append(collect(Precision().copy(network()), past, [part], 0.9))
    for field in fields(Decisions):
        expected = torch.cat([getattr(decisions, field.name) for decisions, _ in alone])
        assert torch.equal(getattr(together, field.name), expected), field.name
    assert sums == {name: alone[0][1][name] + alone[1][1][name] for name in sums}


def test_the_network_is_asked_before_the_other_part_is_stepped(monkeypatch):
    """So that a GPU computes for one part while the CPU steps the other."""
    events = []
    heads, step = PolicyValueNetwork.heads, Batch.step

    def asked(self, columns, hidden):
        events.append("ask")
        return heads(self, columns, hidden)

    def stepped(self, *arguments, **more):
        events.append(f"step {id(self)}")
        return step(self, *arguments, **more)

    monkeypatch.setattr(PolicyValueNetwork, "heads", asked)
    monkeypatch.setattr(Batch, "step", stepped)
    _, parts = played(buffers=2, n=32, past_tables=0)
    first = f"step {id(parts[0].batch)}"
    at = events.index(first)
    assert events[:at] == ["ask", "ask"]
    assert events[at + 1] == "ask"


@pytest.mark.parametrize("buffers", [1, 2, 3])
def test_a_run_with_any_number_of_parts_repeats_itself(buffers, tmp_path):
    config = replace(TINY, workers="1", selfplay=replace(TINY.selfplay, buffers=buffers, tables=7))
    config = replace(config, budget=Budget(decisions=300))
    ends = []
    for name in ("a", "b"):
        trainer = Trainer(Group(), config, tmp_path / name)
        trainer.run(lambda: False, lambda report: None)
        assert trainer.counters.deals == 7 * trainer.counters.iteration
        ends.append(trainer.network.state_dict())
    assert all(torch.equal(ends[0][name], ends[1][name]) for name in ends[0])


# --- two processes and one


def some_decisions():
    """As many as make whole steps."""
    decisions = played(n=80)[0][0]
    assert len(decisions) >= STEPS * 4 * UNIT
    return decisions.take(torch.arange(STEPS * 4 * UNIT))


class InOrder:
    """A generator that shuffles nothing."""

    def permutation(self, n):
        return np.arange(n)


def updated(group, *updates):
    """The weights after an update with each of these decisions, the last one's sums, and what added up gradients."""
    learner = Learner(network(), UPDATE, Precision(), group)
    for decisions in updates:
        sums = learner.update(decisions, 0.0, InOrder())  # pyright: ignore[reportArgumentType]
    weights = {name: value.detach().clone() for name, value in learner.network.named_parameters()}
    return weights, sums, type(learner.gradient_sums).__name__


def of_rank(rank, decisions, share):
    """The decisions that a process has, of every four the first ``share`` or the rest: its part of every step."""
    in_four = torch.arange(len(decisions)) % 4
    return decisions.take(torch.nonzero(in_four < share if rank == 0 else in_four >= share).flatten())


SHARES = ((2,), (3,), (2, 4))
"""Of four decisions, those of the first process: in one update, or in two."""


def update_together(group, folder):
    """A process's part of the updates."""
    decisions = Decisions(**load_file(folder / "decisions"))
    results = {shares: updated(group, *(of_rank(group.rank, decisions, each) for each in shares)) for shares in SHARES}
    for shares, (weights, _, by) in results.items():
        save_file(weights, folder / f"{shares} {group.rank} {by}")
    return results


@pytest.mark.parametrize("by", ["SharedSums", "Messages"])
def test_two_processes_make_the_update_of_one(by, tmp_path, monkeypatch):
    """The same decisions in the same steps, once in one process and then split over two: evenly, unevenly, all to one.

    The sums of a gradient are rounded in another order, which is 1e-7 of it; Adam divides by the gradient's own size,
    so that a weight's change differs by more where its gradient is about Adam's epsilon, 1e-5. So each weight's change
    is compared with a hundredth of the learning rate, after ten steps which each change it by up to that rate.
    """
    if by == "Messages":
        monkeypatch.setattr(parallel, "make_memory", lambda size, n: "")
    elif not can_share():
        pytest.skip("no sums by memory here")
    decisions = some_decisions()
    save_file({f.name: getattr(decisions, f.name).contiguous() for f in fields(Decisions)}, tmp_path / "decisions")
    with start_group(2, update_together, tmp_path) as group:
        results = update_together(group, tmp_path)
    before = network().state_dict()
    for shares, (weights, _, own) in results.items():
        assert own == by
        one, sums, _ = updated(Group(), *(some_decisions() for _ in shares))
        assert sums["steps"] == STEPS * UPDATE.epochs
        moved = max(float((one[name] - before[name]).abs().max()) for name in one)
        assert moved > 5 * UPDATE.learning_rate
        other = load_file(tmp_path / f"{shares} 1 {by}")
        for name, value in weights.items():
            assert torch.equal(value, other[name]), f"the two processes differ in {name}"
            tolerance = 0.01 * UPDATE.learning_rate * len(shares)
            torch.testing.assert_close(value, one[name], rtol=0, atol=tolerance)


# --- processes that die or hang


def test_a_dead_process_is_one_line_and_nothing_is_lost(tmp_path):
    counters = []

    def note(report):
        counters.append(replace(report.counters))
        if len(counters) == 2:
            os.kill(parallel.multiprocessing.active_children()[0].pid, signal.SIGKILL)

    with (
        pytest.raises(WorkerError, match=r"^process 1 of the run was ended by SIGKILL"),
        start_group(2, follow, TINY, tmp_path, None) as group,
    ):
        Trainer(group, TINY, tmp_path).run(lambda: False, note)
    info = json.loads((checkpoint.checkpoints(tmp_path)[-1] / checkpoint.JSON).read_text())
    assert info["counters"]["iteration"] == counters[-1].iteration == 2


# --- sums by memory


NUMBERS = 1 << 16


def of_process(rank, turn):
    """What a process adds to a sum: numbers none of which is rounded."""
    return torch.randint(-1000, 1000, (NUMBERS,), generator=torch.Generator().manual_seed(10 * turn + rank)).float()


def sum_again_and_again(group, folder):
    total = torch.zeros(NUMBERS)
    sums = group.sums_of(total)
    for turn in range(7):
        sums.mine.copy_(of_process(group.rank, turn))
        time.sleep(0.01 * ((turn + group.rank) % 3))  # sometimes longer than the other looks without sleeping
        group.add_up(sums)
        assert torch.equal(total, of_process(0, turn) + of_process(1, turn))
    (folder / f"{group.rank} {type(sums).__name__}").touch()


def raiser(error):
    def fail(*arguments, **named):
        raise error

    return fail


def elsewhere(path, *arguments):
    """As in a process with another ``MEMORY``."""
    return SharedSums(path + " is not here", *arguments)


@pytest.mark.parametrize("unseen", ["nothing", "processes", "memory", "file"])
def test_sums_are_right_and_leave_nothing_behind(unseen, tmp_path, monkeypatch):
    if unseen == "processes":  # by one of the processes, and all go by messages
        monkeypatch.setattr(os, "pidfd_open", raiser(PermissionError()), raising=False)
    elif unseen == "memory":
        monkeypatch.setattr(torch, "from_file", raiser(RuntimeError()))
    elif unseen == "file":
        monkeypatch.setattr(parallel, "SharedSums", elsewhere)
    with start_group(2, sum_again_and_again, tmp_path) as group:
        sum_again_and_again(group, tmp_path)
    kind = "SharedSums" if unseen == "nothing" and can_share() else "Messages"
    assert sorted(os.listdir(tmp_path)) == [f"0 {kind}", f"1 {kind}"]
    assert not list(MEMORY.glob(f"pedro-{os.getpid()}-*"))


@pytest.mark.skipif(not can_share(), reason="no sums by memory here")
def test_memory_that_is_not_there_is_not_used():
    assert make_memory(2, 1 << 50) == ""
    assert not list(MEMORY.glob(f"pedro-{os.getpid()}-*"))


@pytest.mark.skipif(not can_share(), reason="no sums by memory here")
def test_three_processes_see_the_same_sum_and_nobody_is_disturbed_by_who_goes_on(tmp_path):
    """A process may fill in for the next sum while another still adds up this one."""
    path = tmp_path / "memory"
    path.write_bytes(bytes(64 * 3 + 2 * 3 * 4 * 5))
    totals = [torch.zeros(5) for _ in range(3)]
    three = [SharedSums(str(path), rank, [os.getpid()] * 3, total, 10.0) for rank, total in enumerate(totals)]
    for turn in range(3):
        for rank, sums in enumerate(three):
            sums.mine.fill_(10.0**rank * (turn + 1))
        wanted = [111.0 * (turn + 1)] * 5
        with ThreadPoolExecutor(2) as pool:
            others = [pool.submit(sums.add_up) for sums in three[1:]]
            three[0].add_up()
            three[0].mine.fill_(-1)  # of the next sum
            assert [other.result() for other in others] == [None, None]
        assert [total.tolist() for total in totals] == [wanted] * 3
    for sums in three:
        sums.close()


def wait_in_vain(group):
    time.sleep(60)


def die(group):
    """Once all have met: while they meet, gloo sees no death, and waits as for one that hangs."""
    group.sum(torch.ones(1))
    os._exit(7)


def die_without_memory(group):
    group.share()  # is told where it is
    os._exit(7)


def add_up_in_vain(group):
    group.sums_of(torch.zeros(1))
    time.sleep(60)


def die_at_the_sum(group):
    group.sums_of(torch.zeros(1))
    os._exit(7)


def sum_by_message(group):
    for _ in range(2):
        group.sum(torch.ones(1))


def sum_by_memory(group):
    group.add_up(group.sums_of(torch.zeros(1)))


SUMS = [(sum_by_message, die, wait_in_vain), (sum_by_memory, die_at_the_sum, add_up_in_vain)]


@pytest.mark.parametrize(("add_up", "die", "wait"), SUMS)
def test_nobody_waits_for_ever(add_up, die, wait, monkeypatch):
    monkeypatch.setattr(parallel, "LONGEST_WAIT", timedelta(minutes=1))
    has_died = "^process 1 of the run ended with exit code 7; .*: another process of the run has died$"
    with pytest.raises(WorkerError, match=has_died), start_group(2, die) as group:
        add_up(group)
    monkeypatch.setattr(parallel, "LONGEST_WAIT", timedelta(seconds=1))
    with pytest.raises(WorkerError, match="did not come within"), start_group(2, wait) as group:
        add_up(group)


@pytest.mark.skipif(not can_share(), reason="no sums by memory here")
def test_memory_is_given_back_when_a_process_dies_before_it_has_it():
    with pytest.raises(WorkerError, match="exit code 7"), start_group(2, die_without_memory) as group:
        group.sums_of(torch.zeros(1))
    assert not list(MEMORY.glob(f"pedro-{os.getpid()}-*"))


def run_command(*more, cwd, **environment):
    command = [sys.executable, *more]
    environment = os.environ | {"PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"} | environment
    return subprocess.Popen(
        command, cwd=cwd, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="looks for processes in /proc")
def test_a_killed_leader_takes_the_others_along(tmp_path):
    flags = ["--runs", str(tmp_path), "--name", "r", "--workers", "2", *FLAGS]
    flags[flags.index("--budget.decisions") + 1] = "100_000_000"
    process = run_command(str(ROOT / "train.py"), *flags, cwd=tmp_path)
    try:
        until((tmp_path / "r" / "metrics.jsonl").exists)
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
        assert children
    finally:
        process.kill()
        process.communicate()
    until(lambda: not any(_alive(child) for child in children))


def until(condition):
    deadline = time.monotonic() + 120
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.1)


def _alive(process):
    try:
        return Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


# --- torchrun


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_torchrun_starts_a_run_again_where_it_stood(tmp_path):
    """The follower is killed once; torchrun starts both again, and the end is that of a run that was left alone."""
    pytest.importorskip("torch.distributed.run")
    torchrun = ("-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2", "--max-restarts", "1")
    flags = ["--runs", str(tmp_path), *FLAGS]
    script = tmp_path / "once.py"
    script.write_text(
        "import os, signal, sys\n"
        "import torch\n"
        "from agents import training\n"
        "from pedro_env.console import run\n"
        "step, calls = torch.optim.Adam.step, iter(range(10**9))\n"
        "def instead(self, *arguments, **more):\n"
        "    if next(calls) == 14 and os.environ['RANK'] == '1' and os.environ['TORCHELASTIC_RESTART_COUNT'] == '0':\n"
        "        os.kill(os.getpid(), signal.SIGKILL)\n"
        "    return step(self, *arguments, **more)\n"
        "if sys.argv.pop(1) == 'die':\n"
        "    torch.optim.Adam.step = instead\n"
        "sys.exit(run(training.main))\n"
    )
    for name, word in (("whole", "live"), ("killed", "die")):
        process = run_command(*torchrun, str(script), word, "--name", name, *flags, cwd=tmp_path)
        try:
            out, err = process.communicate(timeout=200)
        finally:
            process.terminate()  # torchrun ends those that it has started
            process.communicate()
        assert process.returncode == 0, err
    assert "another process of the run has died" in err
    assert out.count("2 processes") == 2
    ends = [checkpoint.checkpoints(tmp_path / name)[-1] for name in ("whole", "killed")]
    for name in (checkpoint.POLICY, checkpoint.TRAINING):
        one, other = (load_file(end / name) for end in ends)
        assert all(torch.equal(one[key], other[key]) for key in one), name


@pytest.fixture
def as_launched(monkeypatch):
    """This process is one that torchrun has started, alone."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    monkeypatch.setenv("MASTER_PORT", str(port))
    for name, value in (("RANK", "0"), ("WORLD_SIZE", "1"), ("LOCAL_WORLD_SIZE", "1"), ("MASTER_ADDR", "127.0.0.1")):
        monkeypatch.setenv(name, value)


def one_line(capsys):
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    return err


def test_mistakes_under_torchrun_are_one_line(as_launched, tmp_path, capsys):
    flags = ["--runs", str(tmp_path), *FLAGS]
    assert training.main(flags) == 2
    assert "needs a --name" in one_line(capsys)
    assert training.main([*flags, "--name", "r", "--workers", "2"]) == 2
    assert "workers is 2, and 1 processes were started" in one_line(capsys)
    assert not list(tmp_path.iterdir())
    assert training.main([*flags, "--name", "r", "--budget.minutes", "0.0001"]) == 0
    capsys.readouterr()
    assert training.main([*flags, "--name", "r", "--ppo.clip", "0.3", "--budget.minutes", "0.0001"]) == 2
    assert "another configuration (ppo.clip is 0.2 there)" in one_line(capsys)
    before = len((tmp_path / "r" / "metrics.jsonl").read_text().splitlines())
    assert training.main([*flags, "--name", "r", "--budget.minutes", "0.0001"]) == 0  # goes on
    assert len((tmp_path / "r" / "metrics.jsonl").read_text().splitlines()) == before + 1


# --- devices


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a GPU")
def test_a_gpu_that_is_not_there_is_said(capsys):
    assert training.main(["--device", "cuda"]) == 2
    assert "PyTorch sees no GPU here" in one_line(capsys)
    with pytest.raises(ConfigError, match="device cannot be 'gpu'; it is auto, cpu or cuda"):
        training.load_config(None, {"device": "gpu"})
    assert TrainConfig().resolved().device == "cpu"
