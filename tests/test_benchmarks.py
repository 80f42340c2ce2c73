"""The benchmarks run; how fast, nobody asks here."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from pedro_env.variants import VARIANTS

ROOT = Path(__file__).parents[1]


def run(*arguments: str) -> str:
    command = [sys.executable, "-m", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True, timeout=300).stdout


def test_engine() -> None:
    out = run("benchmarks.engine", "--sizes", "1", "8", "--repeats", "1", "--seconds", "0.01", "--clock", "cpu")
    assert "bytes a game" in out
    assert "n = 8, scattered, observed" in out
    assert "n = 8, in step, observed" in out


def test_aec() -> None:
    out = run("benchmarks.aec", "--repeats", "1", "--seconds", "0.01")
    assert "raw_env(episode='match')" in out


def test_peers() -> None:
    out = run("benchmarks.peers", "--repeats", "1", "--seconds", "0.01")
    for name in ("texas_holdem_v4", "leduc_holdem_v4", "rlcard bridge"):
        missing = f"{name} (no " in out
        assert missing == ("not measured: " in out and f"  {name}" not in out), name
        assert missing or re.search(rf"^  {name}.* times$", out, re.MULTILINE), name


def test_peers_that_are_not_installed() -> None:
    program = "import sys; sys.modules['rlcard'] = None; from benchmarks.peers import peers; print(peers()[1])"
    result = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert "'texas_holdem_v4 (no rlcard)'" in result.stdout
    assert "'rlcard bridge (no rlcard)'" in result.stdout


def test_vector() -> None:
    out = run("benchmarks.vector", "--sizes", "2", "--repeats", "1", "--seconds", "0.01", "--seat", "0", "2")
    assert "vector, n = 2, SameStep" in out
    assert "sync, n = 64" in out


@pytest.mark.slow
def test_evaluation() -> None:
    for package in ("torch", "safetensors", "onnx", "onnxscript", "onnxruntime"):
        pytest.importorskip(package)
    out = run("benchmarks.evaluation", "--deals", "50", "--repeats", "1", "--workers", "1")
    assert "50 duplicate deals of heuristic-1" in out


@pytest.mark.slow
def test_training() -> None:
    for package in ("torch", "safetensors", "tensorboard", "yaml"):
        pytest.importorskip(package)
    out = run("benchmarks.training", "configs/smoke.yaml", "--iterations", "1", "--workers", "1", "--shares")
    assert "decisions a second" in out
    line = next(line for line in out.splitlines() if "engine" in line)
    shares = {part: float(share) for part, share in re.findall(r"([a-z][a-z' ]+) ([\d.]+)%", line)}
    parts = {"update", "network's answers", "observation and mask", "engine", "all else"}
    assert parts <= {part for part, share in shares.items() if share}
    assert abs(sum(shares.values()) - 100) < 0.5


def test_solver() -> None:
    pytest.importorskip("numba")
    out = run("benchmarks.solver", "--deals", "4", "--tricks", "2", "5")
    assert [line.split()[:2] for line in out.splitlines()[-2:]] == [["2", "4"], ["5", "4"]]


def test_sequential() -> None:
    out = run("benchmarks.sequential", "morehead", "random", "--deals", "60", "--runs", "3")
    assert "morehead against random: 60 pairs" in out
    assert out.splitlines()[-1].startswith("--sprt 0 0.5")


def test_luck() -> None:
    pytest.importorskip("numba")
    out = run("benchmarks.luck", "morehead", "random", "--deals", "6", "--stocks", "2").splitlines()
    assert out[-2].startswith("the luck of the draw")
    assert out[-1].startswith("the table's worth")


def test_search() -> None:
    pytest.importorskip("numba")
    out = run("benchmarks.search", "--deals", "2", "--worlds", "2", "--bidding", "solver")
    assert "play" in [line.split()[0] for line in out.splitlines()[3:]]


def test_variants() -> None:
    out = run("benchmarks.variants", "--variant", "tennessee", "--size", "8", "--repeats", "1", "--seconds", "0.01")
    assert [line.split()[0] for line in out.splitlines()[-2:]] == ["pedro", "tennessee"]


@pytest.mark.slow
def test_baselines() -> None:
    lines = run("benchmarks.baselines", "--deals", "3").splitlines()
    assert len(lines) == 2 + len(VARIANTS)
    assert all(line.count("|") == lines[0].count("|") for line in lines)
