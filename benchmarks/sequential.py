"""Do intervals and tests keep their promises where a rule ends the play? On the scores of two real agents.

    python -m benchmarks.sequential heuristic-2 heuristic-1

Two agents play ``--deals`` pairs, and ``--runs`` evaluations are drawn from their scores with replacement, each score
moved by the same amount, so that the true mean is known. "Holds" is how often the usual 95% interval has the truth
inside where the rule stops, "any time" the same for the interval that ``--sprt`` prints; "H1" is how often a test
chose H1. "Fixed" is the number of pairs with which a test without looks has the same error rates.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable

import numpy as np

from agents.arena import UNIT, play_duplicate
from agents.sequential import RunningRatio, Sprt, Until, anytime
from agents.statistics import Estimate, quantile
from agents.workers import available_cores
from benchmarks.timing import parser, run
from pedro_env.typing import FloatArray
from pedro_env.variants import make_rules

MOST_LOOKS = 200


def measure(
    make_rule: Callable[[], Until | Sprt], scores: FloatArray, look: int, options: argparse.Namespace, truth: float
) -> list[str]:
    """How often the intervals hold the truth, how often H1 was chosen, and how many pairs were played on average."""
    rng = np.random.default_rng(options.seed)
    moved = scores - scores.mean() + truth
    ones = np.ones(look)
    holds = holds_any_time = chosen = pairs = 0
    for _ in range(options.runs):
        rule, seen = make_rule(), RunningRatio()
        for _ in range(MOST_LOOKS):
            values = moved[rng.integers(len(moved), size=look)]
            seen.add(values, ones)
            if rule.add(values, ones):
                break
        holds += inside(seen.estimate(), truth)
        holds_any_time += inside(anytime(seen.estimate()), truth)
        chosen += isinstance(rule, Sprt) and rule.decision == "h1"
        pairs += rule.pairs
    shares = [f"{count / options.runs:.1%}" for count in (holds, holds_any_time, chosen)]
    return [*shares, f"{pairs / options.runs:,.0f}"]


def inside(estimate: Estimate, truth: float) -> bool:
    """Whether the truth is in the interval."""
    return (estimate.low or 0.0) <= truth <= (estimate.high or 0.0)


def main() -> None:
    """Measure and print."""
    arguments = parser(__doc__)
    arguments.add_argument("a", metavar="A", help="an agent")
    arguments.add_argument("b", metavar="B", help="another one")
    arguments.add_argument("--deals", type=int, default=10_000, help="duplicate deals (10,000)")
    arguments.add_argument("--runs", type=int, default=2000, help="evaluations drawn from them (2,000)")
    arguments.add_argument("--seed", type=int, default=0, help="of the draws (0)")
    options = arguments.parse_args()
    rules = make_rules(options.variant)
    duel = play_duplicate(options.a, options.b, rules, options.deals, seed=1, workers=available_cores())
    scores, _ = duel.values("points")
    deviation = float(scores.std())
    print(f"{options.a} against {options.b}: {options.deals:,} pairs, SD {deviation:.2f}; {options.runs:,} runs a line")
    print(f"{'rule':18} {'look':>5} {'truth':>6} {'holds':>7} {'any time':>9} {'H1':>7} {'pairs':>7} {'fixed':>7}")
    z, one_sided = quantile(10**6), quantile(10**6, 0.9)
    for pairs, look in ((250, 10), (1000, 100), (5000, UNIT)):
        width = z * deviation / pairs**0.5
        found = measure(lambda width=width: Until(width), scores, look, options, 0.0)
        print(line(f"--until {width:.2f}", look, 0.0, [*found[:2], "–", found[3]], pairs))
    for h1, look in ((1.0, 100), (0.5, 100), (0.5, UNIT)):
        fixed = (2 * one_sided * deviation / h1) ** 2
        for truth in (0.0, h1 / 2, h1):
            found = measure(lambda h1=h1: Sprt(0, h1), scores, look, options, truth)
            print(line(f"--sprt 0 {h1:g}", look, truth, found, fixed))


def line(rule: str, look: int, truth: float, found: list[str], fixed: float) -> str:
    """A row of the table."""
    holds, any_time, chosen, pairs = found
    return f"{rule:18} {look:5} {truth:6.2f} {holds:>7} {any_time:>9} {chosen:>7} {pairs:>7} {fixed:7,.0f}"


if __name__ == "__main__":
    run(main)
