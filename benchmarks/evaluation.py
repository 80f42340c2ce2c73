"""Seconds for duplicate deals of a rule-based agent against an exported policy, worker processes included.

    python -m benchmarks.evaluation
    python -m benchmarks.evaluation policy.onnx --deals 10000 --workers 2

Without a file a network of the default size is exported, untrained: it plays badly, and as fast as a trained one.
A duplicate deal is two deals; ``evaluate.py`` does the same work and prints tables besides.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from pathlib import Path

from agents.arena import play_duplicate
from agents.workers import available_cores
from benchmarks.timing import machine, parser, run
from pedro_env.rules import Rules
from pedro_env.variants import make_rules


def untrained(rules: Rules, folder: Path) -> Path:
    """A new network as an exported policy."""
    from agents.checkpoint import save_checkpoint
    from agents.export import export_policy
    from agents.network import NetworkShape, PolicyValueNetwork
    from pedro_env.layout import layout_of

    network = PolicyValueNetwork(layout_of(rules), NetworkShape())
    checkpoint = save_checkpoint(folder, network, {}, {}, {"counters": {"decisions": 0}}, 1)
    print(export_policy(checkpoint, folder / "untrained.onnx", states=1000))
    return folder / "untrained.onnx"


def measure(options: argparse.Namespace, policy: str) -> list[float]:
    """The seconds of each repeat."""
    rules = make_rules(options.variant)
    found: list[float] = []
    for _ in range(options.repeats):
        start = time.perf_counter()
        play_duplicate(options.agent, policy, rules, options.deals, workers=options.workers)
        found.append(time.perf_counter() - start)
    return found


def main() -> None:
    """Measure and print."""
    arguments = parser(__doc__)
    arguments.add_argument(
        "policy", nargs="?", metavar="FILE.onnx", help="an exported policy (default: an untrained one)"
    )
    arguments.add_argument("--agent", default="heuristic-1", help="its opponent (heuristic-1)")
    arguments.add_argument("--deals", type=int, default=10_000, help="duplicate deals (10,000)")
    arguments.add_argument("--workers", type=int, default=available_cores(), help="processes (one a core)")
    arguments.add_argument("--repeats", type=int, default=3, help="repeats, of which the median counts (3)")
    options = arguments.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        policy = options.policy or str(untrained(make_rules(options.variant), Path(folder)))
        found = measure(options, policy)
    print(machine())
    print(
        f"{options.variant}: {options.deals:,} duplicate deals of {options.agent} against "
        f"{options.policy or 'an untrained policy'}, "
        f"{options.workers} processes: {statistics.median(found):.1f} seconds ({min(found):.1f} – {max(found):.1f})"
    )


if __name__ == "__main__":
    run(main)
