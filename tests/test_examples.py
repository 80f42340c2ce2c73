"""The examples run, and what they train gets better than random play."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from examples.batched_self_play import points_against_random, train
from pedro_env import make_rules

ROOT = Path(__file__).parents[1]


def run(*arguments: str) -> str:
    """What a program prints; warnings are errors."""
    command = [sys.executable, "-W", "error", *arguments]
    one_thread = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    return subprocess.run(
        command, cwd=ROOT, env=one_thread, capture_output=True, text=True, check=True, timeout=120
    ).stdout


def before_and_after(text: str) -> tuple[float, float]:
    """The two figures that an example prints."""
    before, after = re.findall(r"(?:before|after) ([+-][\d.]+)", text)
    return float(before), float(after)


def test_self_play_beats_random_play() -> None:
    before, after = before_and_after(run("-m", "examples.batched_self_play"))
    assert abs(before) < 2
    assert after > 8


def test_self_play_where_there_are_no_sides() -> None:
    rules = make_rules("pedro-sancho")
    weights = train(rules, rounds=8, deals=128)
    assert points_against_random(weights, rules, 400) > points_against_random(0 * weights, rules, 400) + 3


def test_sb3_contrib_learns() -> None:
    pytest.importorskip("sb3_contrib", reason="examples/sb3_maskable_ppo.py needs pip install -e '.[sb3]'")
    before, after = before_and_after(run("-m", "examples.sb3_maskable_ppo", "--steps", "20480"))
    assert after > before + 3


def test_sb3_contrib_is_missing() -> None:
    program = "import sys; sys.modules['sb3_contrib'] = None; import examples.sb3_maskable_ppo"
    result = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True)
    assert result.returncode == 1
    assert result.stderr == "needs sb3_contrib: pip install -e '.[sb3]'\n"
