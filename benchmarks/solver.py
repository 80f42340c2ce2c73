"""Time of the exact solver for one position with all cards open, by the trick that is about to begin.

    python -m benchmarks.solver
    python -m benchmarks.solver --variant lipton --tricks 0 --deals 200 --clock cpu

The positions are those that come up when ``heuristic-1`` plays all seats. "Value" is the mean when all positions are
given in one call, "every action" and "with a line" the same for the values of all legal actions, and for a line of best
play as well. "Alone" is one position a call, with all that Python does for it: mean, and the 99th percentile. "Nodes"
are the positions that the search looks at for the value: mean, and the 99th percentile. One process, one thread.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable

import numpy as np

from benchmarks.timing import CLOCKS, machine, parser, run
from pedro_env.engine import Batch
from pedro_env.rules import Rules
from pedro_env.typing import Int64Array
from pedro_env.variants import make_rules

COLUMNS = ("trick", "positions", "value", "every action", "with a line", "alone", "99%", "nodes", "99%")


def positions(rules: Rules, deals: int, trick: int) -> tuple[Batch, Int64Array]:
    """Deals played by ``heuristic-1`` until a trick is about to begin, and the rows that got so far."""
    from agents.heuristic import Heuristic1

    batch = Batch(rules, seed=1, matches=np.arange(deals), validate=False)
    agent = Heuristic1(rules)
    while len(rows := np.flatnonzero(~batch.over & (batch.state.trick < trick))):
        views = batch.views(rows)
        batch.step(agent.act(views), rows)
    return batch, np.flatnonzero(~batch.over)


def measure(batch: Batch, rows: Int64Array, clock: Callable[[], float]) -> list[float]:
    """What stands in a line of the table, from the third column on; times in microseconds."""
    from agents.search import solver

    def seconds(work: Callable[..., object], *arguments: object) -> float:
        start = clock()
        work(*arguments)
        return clock() - start

    alone = [seconds(solver.value, batch, rows[place : place + 1]) for place in range(len(rows))]
    together = [
        seconds(solver.value, batch, rows),
        seconds(solver.action_values, batch.tables, batch.state, rows),
        seconds(solver.solve, batch, rows),
    ]
    nodes = solver.counted(batch, rows)[1]
    each = [time / len(rows) for time in together]
    times = [1e6 * time for time in (*each, float(np.mean(alone)), float(np.percentile(alone, 99)))]
    return [*times, float(nodes.mean()), float(np.percentile(nodes, 99))]


def main() -> None:
    """Measure and print."""
    arguments = parser(__doc__)
    arguments.add_argument("--deals", type=int, default=1000, help="deals that the positions come from (1000)")
    arguments.add_argument("--tricks", type=int, nargs="+", default=(0, 1, 2, 3), metavar="N", help="numbers from 0")
    arguments.add_argument("--clock", choices=CLOCKS, default="wall", help="cpu: the seconds it computes")
    options = arguments.parse_args()
    rules = make_rules(options.variant)
    lines = [_line(rules, options, trick) for trick in options.tricks]
    print(machine())
    print(f"{options.variant}: microseconds ({options.clock} clock) and nodes a position, one process, one thread")
    print(" ".join(f"{name:>12}" for name in COLUMNS))
    print("\n".join(lines))


def _line(rules: Rules, options: argparse.Namespace, trick: int) -> str:
    try:
        from agents.search import solver
    except ImportError as error:  # with a line of its own, that names the extra
        raise ValueError(str(error)) from None
    batch, rows = positions(rules, options.deals, trick)
    if not len(rows):
        raise ValueError(f"no deal of {options.deals} comes to trick {trick}")
    solver.solve(batch, rows[:1])  # compiled before the clock runs
    solver.value(batch, rows[:1])
    figures = measure(batch, rows, CLOCKS[options.clock])
    return " ".join(f"{figure:>12,.0f}" for figure in (trick, len(rows), *figures))


if __name__ == "__main__":
    run(main)
