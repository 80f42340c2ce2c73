"""What is left to explain of a duplicate pair's score: the luck of the draw, and what the solver says of each table.

    python -m benchmarks.luck heuristic-1 morehead --deals 300

In a duplicate pair the deal favours nobody. What luck remains is that of the cards drawn after the auction, where the
two auctions differ. For each table the hands and the auction are kept, the stock is shuffled anew ``--stocks`` times,
``heuristic-1`` exchanges, and the solver says what each stock is worth to A with all cards open, as scored. The worth
of the real stock minus the mean of the others is the luck of the draw: zero on average, whatever the agents do, so it
may be subtracted from the score with a coefficient that was fixed before (``statistics.controlled_estimate``).
Its mean is printed: an interval that leaves out 0 would be a fault here.

"The table's worth" is that of the real stock alone. It depends on what the agents bid, and its mean is a part of what
one is better at than the other: its line says how much it would bias, and is here to show that.

Printed are the correlation with a pair's score and how much of its variance a control leaves, the coefficient fitted
on one half of the pairs and used on the other. It is made for ``pedro`` and variants that exchange alike; needs the
extra ``search``.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import numpy as np

from agents.arena import play_unit
from agents.registry import make_agent
from agents.statistics import control_coefficient, controlled_estimate, mean_estimate
from benchmarks.timing import machine, parser, run
from pedro_env.cards import parse_card
from pedro_env.engine import Batch
from pedro_env.record import Record
from pedro_env.rules import Rules
from pedro_env.typing import FloatArray
from pedro_env.variants import make_rules

CALLS = ("bid", "trump")
"""The phases before anything is drawn."""


def worths(rules: Rules, records: list[Record], stocks: int, seed: int) -> FloatArray:
    """``(tables, 1 + stocks)`` the score of agent A minus B's with open cards: the real stock, then others."""
    from agents.search import solver

    rng = np.random.default_rng(seed)
    dealt = rules.dealt * rules.seats
    batch = Batch(rules, 0, np.arange(len(records) * (1 + stocks)), validate=False)
    row = 0
    orders: list[Any] = []
    for table, record in enumerate(records):
        pack = np.array([parse_card(name) for name in record["pack"]])
        calls: list[Any] = [step["action"] for step in record["steps"] if step["phase"] in CALLS]
        if table % 2 == 0:  # the same stocks at both tables of a pair
            orders = [np.arange(len(pack) - dealt), *(rng.permutation(len(pack) - dealt) for _ in range(stocks))]
        for order in orders:
            stock = pack[dealt:][order]
            batch.set_position(row, [*pack[:dealt], *stock], record["dealer"], [0] * rules.sides, calls)
            row += 1
    exchange_all(batch, rules)
    value = solver.value(batch)
    t, s = batch.tables, batch.state
    bid = t.bid_numbers[s.contract]
    declarers = np.where(value >= bid, value, -bid) - (rules.total_points - value)
    sign = np.where(t.side_of[s.declarer] == 0, 1, -1).reshape(len(records), -1)
    sign *= np.array([1, -1] * (len(records) // 2))[:, None]  # A has side 0 at the first table of a pair
    return (sign * declarers.reshape(len(records), -1)).astype(np.float64)


def exchange_all(batch: Batch, rules: Rules) -> None:
    """Let ``heuristic-1`` decide everything before the play of the cards."""
    from agents.search.scope import PHASES

    agent = make_agent("heuristic-1", rules)
    while len(rows := np.flatnonzero(~np.isin(batch.phase, PHASES))):
        batch.step(np.asarray(agent.act(batch.views(rows))), rows)


def show(name: str, score: FloatArray, covariate: FloatArray) -> str:
    """A line of the table, the coefficient fitted on the other half of the pairs."""
    if not covariate.any():
        return f"{name:22} 0 in every pair"
    first = np.arange(len(score)) % 2 == 0
    coefficients: list[float] = []
    left: list[float] = []
    for here, there in ((first, ~first), (~first, first)):
        coefficients.append(control_coefficient(score[there], covariate[there]))
        with_it = controlled_estimate(score[here], covariate[here], coefficients[-1])
        left.append(((with_it.error or 0.0) / (mean_estimate(score[here]).error or 1.0)) ** 2)
    correlation = np.corrcoef(score, covariate)[0, 1]
    coefficient = float(np.mean(coefficients))
    return (
        f"{name:22} {mean_estimate(covariate)!s:24} {correlation:12.2f} {coefficient:12.2f} {np.mean(left):10.0%} "
        f"{coefficient * covariate.mean():+14.2f}"
    )


def main() -> None:
    """Measure and print."""
    arguments = parser(__doc__)
    arguments.add_argument("a", metavar="A", help="an agent")
    arguments.add_argument("b", metavar="B", help="another one")
    arguments.add_argument("--deals", type=int, default=300, help="duplicate deals (300)")
    arguments.add_argument("--stocks", type=int, default=8, help="other stocks for each table (8)")
    arguments.add_argument("--seed", type=int, default=0, help="of deals and stocks (0)")
    options: argparse.Namespace = arguments.parse_args()
    rules = make_rules(options.variant)
    a, b = make_agent(options.a, rules), make_agent(options.b, rules)
    start = time.process_time()
    duel = play_unit(a, b, rules, np.arange(options.deals), options.seed, record_options={})
    played = time.process_time()
    worth = worths(rules, duel.records, options.stocks, options.seed)
    seconds = time.process_time() - played
    score = duel.difference.mean(axis=1)
    real, luck = worth[:, 0], worth[:, 0] - worth[:, 1:].mean(axis=1)
    print(machine())
    print(
        f"{options.a} against {options.b}: {options.deals} pairs, {duel.points} points a deal, SD {duel.deviation:.2f}"
    )
    print(
        f"{1000 * (played - start) / options.deals:.2f} ms of computing a pair to play, "
        f"{1000 * seconds / options.deals:.1f} ms a pair to value {1 + options.stocks} stocks a table\n"
    )
    print(
        f"{'covariate':22} {'mean':24} {'correlation':>12} {'coefficient':>12} {'var. left':>10} {'mean shifted':>14}"
    )
    for name, values in (("the luck of the draw", luck), ("the table's worth", real)):
        print(show(name, score, values.reshape(-1, 2).mean(axis=1)))


if __name__ == "__main__":
    run(main)
