"""How the rule-based players do in every variant, as a table for ``docs/baselines.md``.

    python -m benchmarks.baselines
    python -m benchmarks.baselines --deals 200

Every pairing is played over duplicate deals (``agents.arena``); the figures are points a deal with their 95% intervals.
"""

from __future__ import annotations

import argparse

from agents.arena import play_duplicate
from benchmarks.timing import run
from pedro_env.variants import VARIANTS, make_rules

PAIRINGS = (("heuristic-1", "random"), ("heuristic-1", "morehead"), ("morehead", "random"))


def main() -> None:
    """Play and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=4000, metavar="N", help="duplicate deals a pairing (4000)")
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="(1)")
    options = parser.parse_args()
    titles = [f"`{agent}` over `{other}`" for agent, other in PAIRINGS]
    print(f"| variant | {' | '.join(titles)} |")
    print("| --- |" + " ---: |" * len(titles))
    for variant in VARIANTS:
        cells = [_cell(variant, *pairing, options.deals, options.seed) for pairing in PAIRINGS]
        print(f"| `{variant}` | {' | '.join(cells)} |", flush=True)


def _cell(variant: str, agent: str, other: str, deals: int, seed: int) -> str:
    points = play_duplicate(agent, other, make_rules(variant), deals, seed=seed).points
    interval = "" if points.low is None else f" ({points.low:+.2f} … {points.high:+.2f})"
    return f"{points.mean:+.2f}{interval}".replace("-", "−")


if __name__ == "__main__":
    run(main)
