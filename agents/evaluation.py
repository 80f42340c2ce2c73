"""The command ``evaluate.py``: compare agents on duplicate deals (each twice, with the sides exchanged).

    python evaluate.py heuristic-1 random
    python evaluate.py policy.onnx heuristic-1 morehead --deals 20000 --json result.json
    python evaluate.py runs/first heuristic-1 --episode match
    python evaluate.py runs/first heuristic-1 --on report-1 --until 0.1
    python evaluate.py runs/second runs/first --sprt 0 0.5
    python evaluate.py runs/first heuristic-1 --report reports/first
    python evaluate.py --list

The same figures come out whatever the number of worker processes. Ctrl-C prints what is known so far (exit code 130).
"""

from __future__ import annotations

import argparse
import itertools
import json
import sys
import time
from collections.abc import Sequence
from contextlib import ExitStack
from typing import Any

import numpy as np

from agents import arena, report
from agents.arena import Duel
from agents.caveats import caveats
from agents.ending import ended
from agents.errors import AgentError
from agents.evaluation_options import new_rule, parser, settle
from agents.progress import Progress
from agents.registry import agent_names, agent_parameters
from agents.report_page.contents import cross_table
from agents.report_page.contest import Contest
from agents.report_page.publish import check_report, publish
from agents.sequential import Measure, Sprt, Until
from agents.statistics import bootstrap_interval
from agents.tournament.analysis import analyse
from agents.tournament.entrants import checksum, make_entrants
from agents.tournament.results import as_dictionary
from agents.tournament.setups import Setup
from agents.versions import package_versions
from agents.workers import available_cores
from pedro_env.console import INTERRUPTED, fail
from pedro_env.files import check_writable, whole_file, write_whole
from pedro_env.layout import layout_of
from pedro_env.record import Record, write_line
from pedro_env.rules import Rules
from pedro_env.variants import make_rules, parse_options

PROGRAM = "evaluate.py"
_BOOTSTRAP_STREAM = 0x626F6F74


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    options = parser(__doc__).parse_args(arguments)
    options.command = sys.argv[1:] if arguments is None else list(arguments)
    if options.list:
        _print_agents()
        return 0
    return ended(PROGRAM, lambda: _do(options))


def _do(options: argparse.Namespace) -> int:
    rules = make_rules(options.variant, parse_options(options.set))
    if len(options.agents) < 2:
        raise AgentError("name at least two agents, e.g. evaluate.py heuristic-1 random (--list shows them)")
    settle(options)
    _check_files(options)
    if options.report is not None:
        check_report(options.report)
        make_entrants(options.agents, [])  # an agent that is named twice has no place of its own on the page
    warnings = caveats(options.agents, rules, options.on)
    for warning in warnings:
        print(f"evaluate.py: warning: {warning}", file=sys.stderr)
    return _evaluate(options, rules, warnings)


def _evaluate(options: argparse.Namespace, rules: Rules, warnings: list[str]) -> int:
    pairings = list(itertools.combinations(options.agents, 2))
    stops = [rule for _ in pairings if (rule := new_rule(options)) is not None]
    start = time.perf_counter()
    duels, interrupted = _play(options, rules, pairings, stops)
    seconds = time.perf_counter() - start
    done = sum(duel.pairs for duel in duels)
    if not done:
        return fail(PROGRAM, "interrupted before there was anything to know; nothing is written", INTERRUPTED)
    head = _header(options, rules) | {"interrupted": interrupted, "warnings": warnings}
    bootstraps = [_bootstrap(options, duel) for duel in duels] if options.bootstrap is not None else []
    _print_results(options, pairings, duels, stops, bootstraps, head)
    if interrupted:
        fail(PROGRAM, f"interrupted after {done:,} pairs{_not_written(options)}", INTERRUPTED)
    everything = itertools.zip_longest(pairings, duels, stops, bootstraps)
    results = [report.as_dictionary(p, d, options.episode, stop, b) for p, d, stop, b in everything]
    if options.json is not None and not (interrupted and options.json.is_file()):
        run = {"seconds": seconds, "workers": options.workers or available_cores()}
        data = {**head, "results": results, "run": run}
        write_whole(options.json, (json.dumps(data, indent=2, allow_nan=False) + "\n").encode())
    if interrupted:
        return INTERRUPTED
    return _report(options, rules, head, results, duels) if options.report is not None else 0


def _report(
    options: argparse.Namespace,
    rules: Rules,
    head: dict[str, Any],
    results: Sequence[dict[str, Any]],
    duels: Sequence[Duel],
) -> int:
    """Write the report; returns the exit code."""
    entrants = make_entrants(options.agents, [])
    setups = {
        Setup(a, a, b): duel for (a, b), duel in zip(itertools.combinations(options.agents, 2), duels, strict=True)
    }
    workers = options.workers or available_cores()
    contest = Contest(rules, parse_options(options.set), options.seed, options.episode, entrants, setups, workers)
    standings: dict[str, Any] = {"cross_table": cross_table(results)}
    if new_rule(options) is not None:
        standings["stops"] = [{"a": result["a"], "b": result["b"], **result["stop"]} for result in results]
    elif len(entrants) > 2:
        analysis = analyse(entrants, None, None, options.episode, lambda setup: setup, options.deals, setups)
        standings |= {
            key: value for key, value in as_dictionary(analysis).items() if key in ("ratings", "additive_fit")
        }
    agents = [{"agent": agent, "sha256": checksum(agent)} for agent in options.agents]
    try:
        written = publish(options.report, contest, {**head, "agents": agents}, standings, options.report_deals)
    except KeyboardInterrupt:
        return fail(PROGRAM, f"interrupted; {options.report} is not written", INTERRUPTED)
    print(f"written: {', '.join(str(file) for file in written)}", file=sys.stderr)
    return 0


def _not_written(options: argparse.Namespace) -> str:
    """What an interrupted run leaves out, in words: its records, and figures where whole ones may stand already."""
    left = [f"{options.records} is not written"] if options.records is not None else []
    if options.json is not None and options.json.is_file():
        left.append(f"{options.json} is left as it was")
    return "".join(f"; {words}" for words in left)


def _play(
    options: argparse.Namespace, rules: Rules, pairings: list[report.Pairing], stops: Sequence[Until | Sprt]
) -> tuple[list[Duel], bool]:
    """All pairings, as far as they were played, and whether Ctrl-C has cut them short."""
    what = "pairs at most" if options.sprt is not None else "pairs"
    try:
        with ExitStack() as files, Progress(what, options.deals * len(pairings)) as progress:
            write = files.enter_context(whole_file(options.records)) if options.records is not None else None

            def write_records(records: list[Record]) -> None:
                if write is not None:
                    write("".join(map(write_line, records)).encode())

            def show(pairs: int) -> None:
                progress.total = _expected_pairs(stops, options.deals) or progress.total
                progress.advance(pairs)

            duels = arena.play_pairings(
                pairings,
                rules,
                options.deals,
                options.seed,
                options.episode,
                options.workers or available_cores(),
                on_progress=show,
                on_records=write_records if write is not None else None,
                record_options=parse_options(options.set),
                stops=stops,
                unit=options.unit,
            )
    except arena.Interrupted as interrupt:
        return interrupt.duels, True
    return duels, False


def _expected_pairs(stops: Sequence[Until | Sprt], most: int) -> int:
    """Of all pairings; those that have not begun will be as long as the others are on average."""
    begun = [stop.expected_pairs(most) for stop in stops if stop.pairs]
    return sum(begun) * len(stops) // max(1, len(begun))


def _bootstrap(options: argparse.Namespace, duel: Duel) -> report.Bootstrap:
    seed = [options.seed % 2**64, _BOOTSTRAP_STREAM]

    def interval(measure: Measure) -> tuple[float, float] | None:
        return bootstrap_interval(*duel.values(measure), options.bootstrap, np.random.default_rng(seed))

    return {"points": interval("points"), "win_rate": interval("win_rate")}


def _print_results(
    options: argparse.Namespace,
    pairings: list[report.Pairing],
    duels: list[Duel],
    stops: Sequence[Until | Sprt],
    bootstraps: Sequence[report.Bootstrap],
    head: dict[str, Any],
) -> None:
    if head["interrupted"]:
        print("INTERRUPTED: these are the pairs that had been played, not all that were asked for.")
    print(head["method"])
    for warning in head["warnings"]:
        print(f"Warning: {warning}.")
    tables = [report.score_table(pairings, duels, options.episode, stops, bootstraps)]
    tables += [report.stop_table(pairings, stops, options.deals)] if stops else []
    for table in (*tables, report.bidding_table(pairings, duels)):
        print()
        report.print_table(table)
    for line in report.forfeit_lines(pairings, duels):
        print(line)


def _header(options: argparse.Namespace, rules: Rules) -> dict[str, Any]:
    """What was measured, and with what."""
    deals, episode = options.deals, options.episode
    return {
        "format": report.FORMAT,
        "command": ["evaluate.py", *options.command],
        "method": report.method_line(rules.variant, deals, options.seed, episode, options.on, new_rule(options)),
        "variant": rules.variant,
        "options": parse_options(options.set),
        "rules_hash": rules.hash(),
        "layout_hash": layout_of(rules).hash(),
        "episode": episode,
        "set": options.on,
        "seed": options.seed,
        "pairs": deals,
        "pairs_a_unit": options.unit,
        "bootstrap_resamples": options.bootstrap,
        "versions": package_versions(),
    }


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
        try:
            parameters = agent_parameters(name)
        except AgentError as error:
            print(f"{'':{width}}    {error}")
        else:
            for key, words in parameters.items():
                print(f"{'':{width}}    :{key}={words}")
