"""Steps a second of the PettingZoo environment beside card games of PettingZoo and RLCard's bridge, in the same run.

    python -m benchmarks.peers

A step is one action of one agent, chosen uniformly from the mask that the environment gives; see ``benchmarks.aec``.
PettingZoo's games are played by the very same loop. RLCard's bridge has no AEC shell: its loop is ``step``, which
returns the next player's observation and legal actions, until ``is_over``; it is set against ``raw_env``.

The games differ in length and in what an observation holds, so the ratios say what a step costs an experiment, not who
wrote the better loop. The peers need ``pip install "pettingzoo[classic]" rlcard``; those that are missing are named.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np

import pedro_env
from benchmarks.aec import episodes
from benchmarks.timing import machine, rate_parser, rates, run

PETTINGZOO = ("texas_holdem_v4", "texas_holdem_no_limit_v6", "leduc_holdem_v4", "hanabi_v5")
"""Of ``pettingzoo.classic``."""
BRIDGE = "rlcard bridge"

Work = Callable[[], int]
"""Plays an episode and returns the number of steps."""


def pettingzoo_game(name: str) -> dict[str, Work]:
    """A game of PettingZoo, raw and wrapped. ``ImportError`` where a package is missing."""
    module = import_module(f"pettingzoo.classic.{name}")
    return {f"{name}.{shell}": episodes(getattr(module, shell)()) for shell in ("raw_env", "env")}


def bridge() -> dict[str, Work]:
    """RLCard's bridge. ``ImportError`` where RLCard is missing."""
    env: Any = import_module("rlcard").make("bridge", config={"seed": 1})
    random = np.random.default_rng(1)

    def episode() -> int:
        steps = 0
        state, _ = env.reset()
        while not env.is_over():
            legal = list(state["legal_actions"])
            state, _ = env.step(legal[int(random.random() * len(legal))])
            steps += 1
        return steps

    return {BRIDGE: episode}


def peers() -> tuple[dict[str, Work], list[str]]:
    """Those that are installed, and a line on each of the others."""
    found: dict[str, Work] = {}
    missing: list[str] = []
    for name in (*PETTINGZOO, BRIDGE):
        try:
            found |= bridge() if name == BRIDGE else pettingzoo_game(name)
        except ImportError as error:
            cause = error.__cause__ if isinstance(error.__cause__, ImportError) else error  # PettingZoo words its own
            missing.append(f"{name} (no {cause.name or 'package that it needs'})")
    return found, missing


def main() -> None:
    """Measure and print."""
    options = rate_parser(__doc__).parse_args()
    pedro = {
        shell: episodes(make(variant=options.variant))
        for shell, make in (("raw_env", pedro_env.raw_env), ("env", pedro_env.env))
    }
    others, missing = peers()
    found = rates(pedro | others, options)
    print(machine())
    print(f"steps a second ({options.clock} clock), median and range of the repeats; ratio: {options.variant}'s to it")
    width = max(map(len, found))
    for name, rate in found.items():
        own = "env" if name.endswith(".env") else "raw_env"
        ratio = f"   {own}: {found[own].median / rate.median:.2f} times" if name in others else ""
        print(f"  {name:{width}} {rate}{ratio}")
    if missing:
        print(f'not measured: {", ".join(missing)}: pip install "pettingzoo[classic]" rlcard')


if __name__ == "__main__":
    run(main)
