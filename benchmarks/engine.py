"""Decisions a second of the engine, in one process and one thread; beside OpenSpiel's bridge where that is installed.

    python -m benchmarks.engine
    python -m benchmarks.engine --sizes 4096 --repeats 9

A decision is one action of one seat: its legal set is computed, one of it is drawn uniformly, and it is played.
Shuffling, dealing, forced draws, scoring and the next match are in the time and are not counted. "Observed" also makes
the uint8 observation of the seat to act and its mask of booleans.

Games are "scattered" where each begins again as soon as it ends, so that they are in all phases at once, as in a vector
environment; "in step" where all begin together and wait for the last, as in training and evaluation.

OpenSpiel's figures count the players' decisions of bridge (its auction and 52 cards), and not its 52 chance nodes:
"C++ bots" are whole games between its uniformly random bots (pyspiel.evaluate_bots), "observed" is a loop in Python
with its NumPy observer and legal_actions_mask.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from typing import Any

import numpy as np

from agents.choice import count_legal, nth_legal
from benchmarks.timing import machine, rate_parser, rates, run
from pedro_env.engine import Batch
from pedro_env.rules import Rules
from pedro_env.variants import make_rules

SIZES = (1, 64, 1024, 4096, 16384, 65536)
COMPARED = 4096
"""The batch size that is set against OpenSpiel."""
WARM_UP = 100
"""Steps, so that the games are in all phases when the measuring begins."""


class RandomPlay:
    """n games of random play without end."""

    def __init__(self, rules: Rules, n: int, *, observed: bool, in_step: bool) -> None:
        self.batch = Batch(rules, seed=1, matches=np.arange(n), validate=False)
        self.random = np.random.default_rng(1)
        self.next_match = n
        self.observed = observed
        self.in_step = in_step
        for _ in range(WARM_UP):
            self.step()

    def step(self) -> int:
        """One decision in every game that goes on; returns how many."""
        batch = self.batch
        decisions = batch.n - int(np.count_nonzero(batch.over)) if self.in_step else batch.n
        words = batch.legal()
        if self.observed:
            batch.observe()
            batch.mask()
        draws = self.random.random(batch.n) * count_legal(words)
        batch.step(nth_legal(words, draws.astype(np.int64)))
        over = np.flatnonzero(batch.over)
        if len(over) == batch.n or (len(over) and not self.in_step):
            batch.restart(over, np.arange(self.next_match, self.next_match + len(over)))
            self.next_match += len(over)
        return decisions

    def steps(self) -> int:
        """Some steps: enough that looking at the clock does not matter."""
        return sum(self.step() for _ in range(max(1, 64 // self.batch.n)))


def open_spiel_contenders() -> dict[str, Callable[[], int]]:
    """OpenSpiel's bridge, played twice; empty where it is not installed."""
    if importlib.util.find_spec("pyspiel") is None:
        return {}
    import pyspiel  # pyright: ignore[reportMissingImports]
    from open_spiel.python.observation import make_observation  # pyright: ignore[reportMissingImports]

    game: Any = pyspiel.load_game("bridge(use_double_dummy_result=false)")
    bots = [pyspiel.make_uniform_random_bot(seat, seat) for seat in range(4)]
    observer: Any = make_observation(game)
    random = np.random.default_rng(1)

    def whole_games() -> int:
        decisions = 0
        for _ in range(10):
            state = game.new_initial_state()
            pyspiel.evaluate_bots(state, bots, int(random.integers(2**31)))
            decisions += len(state.history()) - 52
        return decisions

    def observed_game() -> int:
        state, decisions = game.new_initial_state(), 0
        while not state.is_terminal():
            legal = state.legal_actions()
            if not state.is_chance_node():
                observer.set_from(state, state.current_player())
                np.array(state.legal_actions_mask(), np.bool_)
                decisions += 1
            state.apply_action(legal[int(random.random() * len(legal))])
        return decisions

    return {"OpenSpiel bridge, C++ bots": whole_games, "OpenSpiel bridge, observed": observed_game}


def main() -> None:
    """Measure and print."""
    arguments = rate_parser(__doc__)
    arguments.add_argument("--sizes", type=int, nargs="+", default=SIZES, metavar="N", help="batch sizes")
    options = arguments.parse_args()
    rules = make_rules(options.variant)
    played: dict[str, Callable[[], int]] = {}
    for n in options.sizes:
        for in_step in (False, True)[: 1 if n == 1 else 2]:
            for observed in (False, True):
                played[_name(n, in_step, observed)] = RandomPlay(rules, n, observed=observed, in_step=in_step).steps
    others = open_spiel_contenders()
    found = rates(played | others, options)

    print(machine())
    print(f"{options.variant}: state {Batch(rules).state.bytes_per_game():.0f} bytes a game")
    print(f"decisions a second ({options.clock} clock), one process, one thread: median and range of the repeats")
    width = max(map(len, found))
    for name, rate in found.items():
        print(f"  {name:{width}} {rate}")
    if not others:
        print("OpenSpiel is not installed: nothing to compare with (pip install open_spiel)")
    elif COMPARED in options.sizes:
        for in_step in (False, True):
            for observed, other in enumerate(others):
                name = _name(COMPARED, in_step, bool(observed))
                print(f"{name}: {found[name].median / found[other].median:.1f} times {other}")


def _name(n: int, in_step: bool, observed: bool) -> str:
    order = "" if n == 1 else ", in step" if in_step else ", scattered"
    return f"n = {n:,}{order}" + (", observed" if observed else "")


if __name__ == "__main__":
    run(main)
