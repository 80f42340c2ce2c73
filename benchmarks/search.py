"""Time of a decision by search, by the phase it is in.

    python -m benchmarks.search
    python -m benchmarks.search --worlds 5 --bidding solver --deals 20 --clock cpu

``heuristic-1`` plays all seats, and ``pimc`` is asked at every decision in which it has a choice. "Together" is the
mean where the decisions of all deals are taken in one call, as in an evaluation; "alone" is one decision a call, with
all that Python does for it: mean, and the 99th percentile. One process, one thread.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable

import numpy as np

from agents.choice import count_legal
from benchmarks.timing import CLOCKS, machine, parser, run
from pedro_env.actions import Phase
from pedro_env.agent import Agent
from pedro_env.engine import Batch
from pedro_env.rules import Rules
from pedro_env.variants import make_rules

EVERY = 10
"""One decision of so many is also taken alone."""


def measure(
    rules: Rules, agent: Agent, phases: Iterable[Phase], deals: int, clock: Callable[[], float]
) -> dict[Phase, tuple[list[float], list[float]]]:
    """By phase: the seconds of each decision, together and alone."""
    from agents.heuristic import Heuristic1

    batch, others = Batch(rules, seed=1, matches=np.arange(deals), validate=False), Heuristic1(rules)
    found: dict[Phase, tuple[list[float], list[float]]] = defaultdict(lambda: ([], []))

    def seconds(rows: np.ndarray) -> float:
        views = batch.views(rows)
        start = clock()
        agent.act(views)
        return clock() - start

    while len(rows := np.flatnonzero(~batch.over)):
        choosing = rows[count_legal(batch.legal()[rows]) > 1]
        for phase in {Phase(value) for value in batch.phase[choosing].tolist()}.intersection(phases):
            some = choosing[batch.phase[choosing] == phase]
            together, alone = found[phase]
            for row in some[-len(together) % EVERY :: EVERY]:
                alone.append(seconds(np.array([row])))
            together.extend([seconds(some) / len(some)] * len(some))
        batch.step(others.act(batch.views(rows)), rows)
    return found


def main() -> None:
    """Measure and print."""
    arguments = parser(__doc__)
    arguments.add_argument("--deals", type=int, default=200, help="deals that the decisions come from (200)")
    arguments.add_argument("--worlds", type=int, default=20, help="worlds a decision (20)")
    arguments.add_argument("--bidding", default="heuristic-1", help="who decides before the play: an agent, or solver")
    arguments.add_argument("--clock", choices=CLOCKS, default="wall", help="cpu: the seconds it computes")
    options = arguments.parse_args()
    rules = make_rules(options.variant)
    from agents.registry import make_agent
    from agents.search.scope import PHASES

    agent = make_agent(f"pimc:worlds={options.worlds},bidding={options.bidding}", rules)
    measure(rules, agent, Phase, 2, CLOCKS[options.clock])  # compiled before the clock runs
    phases = Phase if options.bidding == "solver" else PHASES
    found = measure(rules, agent, phases, options.deals, CLOCKS[options.clock])
    print(machine())
    print(f"{options.variant}, {agent.name}: milliseconds ({options.clock} clock) a decision, one process, one thread")
    print(" ".join(f"{name:>12}" for name in ("phase", "decisions", "together", "alone", "99%")))
    for phase, (together, alone) in sorted(found.items()):
        times = [1000 * figure for figure in (np.mean(together), np.mean(alone), np.percentile(alone, 99))]
        print(f"{phase.word:>12} {len(together):>12} " + " ".join(f"{time:>12.2f}" for time in times))


if __name__ == "__main__":
    run(main)
