"""The command ``python -m agents.bid_tables``: what kinds of hands can expect to make, and at which bids that pays.

    python -m agents.bid_tables --deals 2000
    python -m agents.bid_tables --variant pidro --deals 2000 --json pidro.json --plot pidro.png
    python -m agents.bid_tables agents/bid_tables/pedro.json --plot pedro.png

docs/bid-tables.md says what is measured. The same figures come out whatever the number of worker processes.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import numpy as np

from agents.bid_tables.kinds import Kinds
from agents.bid_tables.output import Source, as_json, printed, read
from agents.bid_tables.plot import check_plotting, draw
from agents.bid_tables.samples import Samples
from agents.bid_tables.tables import BidTables, tabulate
from agents.ending import ended
from agents.errors import AgentError
from agents.progress import Progress
from agents.report import print_table
from agents.search.scope import check_rules
from agents.workers import available_cores, run_tasks
from pedro_env.console import INTERRUPTED, Parser, fail, whole_number
from pedro_env.files import check_writable, write_whole
from pedro_env.rules import Rules
from pedro_env.variants import make_rules, parse_options

PROGRAM = "agents.bid_tables"
CHUNK = 50
"""Deals in a piece of work. No figure depends on it."""
DEALS = 1_000
MOST_DEALS = 1_000_000
LEAST = 300


class Task(NamedTuple):
    """A piece of work: deal 0 of so many matches, from the first on."""

    rules: Rules
    seed: int
    first: int
    deals: int


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    options = _parser().parse_args(arguments)
    options.command = sys.argv[1:] if arguments is None else list(arguments)
    return ended(PROGRAM, lambda: _do(options))


def _do(options: argparse.Namespace) -> int:
    _check_files(options)
    return _read(options) if options.tables is not None else _make(options)


def _check_files(options: argparse.Namespace) -> None:
    files = [path for path in (options.tables, options.json, options.plot) if path is not None]
    if len({path.resolve() for path in files}) < len(files):
        raise AgentError("the tables that are read, --json and --plot must be different files")
    given = [
        name
        for name in ("variant", "set", "deals", "seed", "json", "workers")
        if getattr(options, name) not in (None, [])
    ]
    if options.tables is not None and given:
        raise AgentError(f"{options.tables} is only read; leave out --{given[0]}, which is for making tables")
    if options.plot is not None:
        check_plotting(options.plot.name)
    for path in (options.json, options.plot):
        if path is not None:
            check_writable(path)


def _read(options: argparse.Namespace) -> int:
    source, tables = read(options.tables)
    _print(source, tables, options.least)
    _plot(source, tables, options)
    return 0


def _make(options: argparse.Namespace) -> int:
    from agents.bid_tables import simulation  # noqa: F401  # is numba there?

    rule_options = parse_options(options.set)
    rules = make_rules(options.variant or "pedro", rule_options)
    check_rules(rules)
    source = Source(rules, rule_options, options.seed or 0, ["agents.bid_tables", *options.command])
    samples, code = _simulate(source, options.deals or DEALS, options.workers or available_cores())
    tables = tabulate(rules, samples)
    if code:
        fail(PROGRAM, "interrupted; nothing is written, and what follows is about the deals up to there", code)
    _print(source, tables, options.least)
    if not code:
        if options.json is not None:
            write_whole(options.json, as_json(source, tables))
        _plot(source, tables, options)
    return code


def _simulate(source: Source, deals: int, workers: int) -> tuple[Samples, int]:
    """The samples, and an exit code; those up to there where it is interrupted."""
    tasks = [Task(source.rules, source.seed, first, min(CHUNK, deals - first)) for first in range(0, deals, CHUNK)]
    found: list[Samples] = []
    code = 0
    with Progress("deals", deals) as progress, closing(run_tasks(_sample, tasks, workers)) as results:
        try:
            for samples in results:
                found.append(samples)
                progress.advance(len(samples.kind))
        except KeyboardInterrupt:
            if not found:
                raise
            code = INTERRUPTED
    return Samples(*(np.concatenate(columns) for columns in zip(*found, strict=True))), code


def _sample(task: Task) -> Samples:
    from agents.bid_tables.simulation import sample  # needs numba, which tables that are only read do not

    return sample(*task)


def _print(source: Source, tables: BidTables, least: int) -> None:
    deals = f"{tables.deals:,} deals, seed {source.seed}"
    print(f"{source.rules.variant}: {deals}; every seat declares once, in its best suit")
    print(Kinds(source.rules).legend())
    print(f"Kinds with fewer than {least} hands are left out; ± is a standard error (docs/bid-tables.md).")
    for title, table in printed(source, tables, least):
        print(f"\n{title}")
        print_table(table)


def _plot(source: Source, tables: BidTables, options: argparse.Namespace) -> None:
    if options.plot is not None:
        write_whole(options.plot, draw(source, tables, options.least, options.plot.suffix[1:]))


def _parser() -> Parser:
    parser = Parser("agents.bid_tables", __doc__)
    add = parser.add_argument
    add("tables", nargs="?", type=Path, metavar="FILE", help="print (and plot) these tables, which --json wrote")
    add("--variant", metavar="NAME", help="the game (pedro)")
    parser.add_rule_options()
    add("--deals", type=whole_number(1, MOST_DEALS), metavar="N", help=f"deals to play, four hands each ({DEALS:,})")
    add("--seed", type=whole_number(-(2**63), 2**63 - 1), metavar="S", help="of packs and dealers (0)")
    add(
        "--least",
        type=whole_number(1, 10**9),
        default=LEAST,
        metavar="N",
        help=f"print and plot kinds of at least so many hands in a seat ({LEAST})",
    )
    add("--json", type=Path, metavar="FILE", help="write all figures")
    add("--plot", type=Path, metavar="FILE.png", help="draw the chance to make each bid (.png, .svg or .pdf)")
    add("--workers", type=whole_number(1, 1024), metavar="K", help="processes (default: one a core)")
    return parser
