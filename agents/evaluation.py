"""The command ``evaluate.py``: compare agents on duplicate deals (each twice, with the sides exchanged).

    python evaluate.py heuristic-1 random
    python evaluate.py policy.onnx heuristic-1 morehead --deals 20000 --json result.json
    python evaluate.py runs/first heuristic-1 --episode match
    python evaluate.py --list

The same figures come out whatever the number of worker processes.
"""

from __future__ import annotations

import argparse
import itertools
import json
import platform
import sys
import time
from collections.abc import Sequence
from contextlib import ExitStack
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np

from agents import arena, report
from agents.errors import AgentError
from agents.progress import Progress
from agents.registry import agent_names, make_agent
from agents.workers import WorkerError, available_cores
from pedro_env.console import INTERRUPTED, USER_MISTAKE, Parser, whole_number
from pedro_env.files import check_writable, whole_file, write_whole
from pedro_env.layout import layout_of
from pedro_env.record import Record, write_line
from pedro_env.rules import Rules, RulesError
from pedro_env.variants import make_rules, parse_options

DEALS = {"deal": 10_000, "match": 1_000}
"""How many pairs where ``--deals`` does not say."""
MOST_DEALS = 10_000_000
FAILED = 1
"""The exit code when a worker process has died."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    options = _parser().parse_args(arguments)
    options.command = sys.argv[1:] if arguments is None else list(arguments)
    if options.list:
        _print_agents()
        return 0
    try:
        rules = make_rules(options.variant, parse_options(options.set))
        if len(options.agents) < 2:
            raise AgentError("name at least two agents, e.g. evaluate.py heuristic-1 random (--list shows them)")
        _check_files(options)
        for agent in dict.fromkeys(options.agents):
            make_agent(agent, rules)  # a mistake shows now, not in a worker
        return _evaluate(options, rules)
    except BrokenPipeError:
        raise  # for ``console.run``
    except (AgentError, RulesError, OSError) as error:
        return _fail(str(error), USER_MISTAKE)
    except WorkerError as error:
        return _fail(str(error), FAILED)
    except KeyboardInterrupt:
        return _fail("interrupted; nothing is written", INTERRUPTED)


def _fail(message: str, code: int) -> int:
    print("evaluate.py: " + " ".join(message.split()), file=sys.stderr)
    return code


def _evaluate(options: argparse.Namespace, rules: Rules) -> int:
    deals = options.deals or DEALS[options.episode]
    pairings = list(itertools.combinations(options.agents, 2))
    workers = options.workers or available_cores()
    start = time.perf_counter()
    with ExitStack() as files, Progress("pairs", deals * len(pairings)) as progress:
        write = files.enter_context(whole_file(options.records)) if options.records is not None else None

        def write_records(records: list[Record]) -> None:
            if write is not None:
                write("".join(map(write_line, records)).encode())

        duels = arena.play_pairings(
            pairings,
            rules,
            deals,
            options.seed,
            options.episode,
            workers,
            on_progress=progress.advance,
            on_records=write_records if write is not None else None,
            record_options=parse_options(options.set),
        )
    seconds = time.perf_counter() - start
    print(report.method_line(rules.variant, deals, options.seed, options.episode))
    print()
    report.print_table(report.score_table(pairings, duels, options.episode))
    print()
    report.print_table(report.bidding_table(pairings, duels))
    for line in report.forfeit_lines(pairings, duels):
        print(line)
    if options.json is not None:
        results = [report.as_dictionary(*pair, options.episode) for pair in zip(pairings, duels, strict=True)]
        data = _header(options, rules, deals) | {"results": results} | {"run": {"seconds": seconds, "workers": workers}}
        write_whole(options.json, (json.dumps(data, indent=2, allow_nan=False) + "\n").encode())
    return 0


def _header(options: argparse.Namespace, rules: Rules, deals: int) -> dict[str, Any]:
    """What was measured, and with what."""
    return {
        "format": report.FORMAT,
        "command": ["evaluate.py", *options.command],
        "method": report.method_line(rules.variant, deals, options.seed, options.episode),
        "variant": rules.variant,
        "options": parse_options(options.set),
        "rules_hash": rules.hash(),
        "layout_hash": layout_of(rules).hash(),
        "episode": options.episode,
        "seed": options.seed,
        "pairs": deals,
        "pairs_a_unit": arena.UNIT,
        "versions": _versions(),
    }


def _versions() -> dict[str, str]:
    found = {"python": platform.python_version(), "numpy": np.__version__}
    for package in ("pedro-env", "torch", "onnxruntime"):
        try:
            found[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            continue
    return found


def _check_files(options: argparse.Namespace) -> None:
    """Find out before playing whether the results can be written."""
    targets = [path for path in (options.json, options.records) if path is not None]
    if len(targets) == 2 and targets[0].resolve() == targets[1].resolve():
        raise AgentError(f"--json and --records both name {targets[0]}; name two files")
    for path in targets:
        check_writable(path)


def _print_agents() -> None:
    names = agent_names()
    width = max(map(len, names))
    for name, about in names.items():
        print(f"{name:{width}}  {about}")


def _parser() -> Parser:
    parser = Parser("evaluate.py", __doc__)
    add = parser.add_argument
    add("agents", nargs="*", metavar="AGENT", help="name, name:key=value,… or a file; more than two: every pairing")
    add("--list", action="store_true", help="print the agents' names and exit")
    add(
        "--deals",
        type=whole_number(1, MOST_DEALS),
        metavar="N",
        help=f"duplicate deals a pairing ({DEALS['deal']:,}); with --episode match: matches ({DEALS['match']:,})",
    )
    add("--seed", type=whole_number(-(2**63), 2**63 - 1), default=0, help="of packs, dealers and choices (0)")
    add("--episode", choices=("deal", "match"), default="deal", help="single deals from 0–0, or whole matches (deal)")
    add("--variant", default="pedro", help="the game (pedro); python -m pedro_env variants lists them")
    parser.add_rule_options()
    add("--json", type=Path, metavar="FILE", help="write all figures, unrounded")
    add("--records", type=Path, metavar="FILE", help="write a record of every deal")
    add("--workers", type=whole_number(1, 1024), metavar="K", help="processes (default: one a core)")
    return parser
