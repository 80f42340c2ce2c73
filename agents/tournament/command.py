"""A tournament: every two agents on the same duplicate deals; cross table, ratings, circles, partner cross-play.

    python -m agents.tournament heuristic-1 heuristic-2 morehead --deals 20000 --out results/first
    python -m agents.tournament heuristic-1 --group ppo=a.onnx,b.onnx,c.onnx --anchor heuristic-1
    python -m agents.tournament heuristic-1 morehead --episode match
    python -m agents.tournament heuristic-1 morehead a.onnx b.onnx --cross-play
    python -m agents.tournament heuristic-1 heuristic-2 morehead --report reports/first

With --out the same command goes on where it was interrupted, and where it asks for more deals or agents only those are
played. The same figures come out whatever the number of worker processes. docs/tournament.md explains them.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
import textwrap
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NamedTuple

from agents import report
from agents.arena import UNIT
from agents.caveats import caveats
from agents.ending import ended
from agents.errors import AgentError
from agents.evaluation_options import DEALS, MOST_DEALS, add_set_options, settle_set
from agents.progress import Progress
from agents.report_page.contents import STANDINGS
from agents.report_page.contest import Contest
from agents.report_page.publish import add_report_options, check_report, publish
from agents.statistics import METHOD
from agents.tournament.analysis import Analysis, analyse, setups_of
from agents.tournament.crossplay import ITSELF
from agents.tournament.entrants import Entrant, checksum, make_entrants
from agents.tournament.folder import UNIT_FORMAT, Folder
from agents.tournament.playing import finished, missing_tasks, play
from agents.tournament.results import as_dictionary, write_results
from agents.tournament.setups import Setup, check_partners
from agents.tournament.terminal import report_lines
from agents.versions import package_versions
from agents.workers import available_cores
from pedro_env.console import INTERRUPTED, Parser, fail, whole_number
from pedro_env.layout import layout_of
from pedro_env.rules import Rules
from pedro_env.variants import make_rules, parse_options

PROGRAM = "python -m agents.tournament"
REFERENCE = "heuristic-1"
"""The other side in cross-play, where nothing else is said."""
_WIDTH = 100
"""Columns, where the terminal does not say."""


class Plan(NamedTuple):
    """What was asked for, checked."""

    rules: Rules
    entrants: list[Entrant]
    anchor: str | None
    reference: str | None
    """Of cross-play; None: there is none."""
    setups: list[Setup]
    players: dict[str, str | None]
    """Every agent, with its file's checksum."""
    deals: int
    warnings: list[str]

    @property
    def has_groups(self) -> bool:
        """Whether an entrant has several members."""
        return any(len(entrant.members) > 1 for entrant in self.entrants)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    options = _parser().parse_args(arguments)
    options.command = sys.argv[1:] if arguments is None else list(arguments)
    return ended(PROGRAM, lambda: _do(options), "interrupted")


def _do(options: argparse.Namespace) -> int:
    if options.report is not None:
        check_report(options.report)
    return _run(options, _plan(options))


def _plan(options: argparse.Namespace) -> Plan:
    """Find every mistake before anything is played."""
    settle_set(options)
    rules = make_rules(options.variant, parse_options(options.set))
    entrants = make_entrants(options.agents, options.group)
    names = [entrant.name for entrant in entrants]
    if options.anchor is not None and options.anchor not in names:
        raise AgentError(f"--anchor {options.anchor!r} does not take part; it is one of {', '.join(names)}")
    reference = (options.reference or REFERENCE) if options.cross_play else None
    if reference is not None:
        check_partners(rules)
    elif options.reference is not None:
        raise AgentError(f"--reference {options.reference!r} is for --cross-play")
    setups = setups_of(entrants, reference)
    players = list(dict.fromkeys(player for setup in setups for player in setup))
    warnings = caveats(players, rules, options.on)
    sums = {player: checksum(player) for player in players}
    deals = options.deals or DEALS[options.episode]
    return Plan(rules, entrants, options.anchor, reference, setups, sums, deals, warnings)


def _run(options: argparse.Namespace, plan: Plan) -> int:
    start = time.perf_counter()
    workers = options.workers or available_cores()
    with ExitStack() as stack:
        path = options.out or Path(stack.enter_context(tempfile.TemporaryDirectory()))
        folder = Folder(path, _identity(options, plan), plan.players)
        setups = list(dict.fromkeys(folder.ordered(setup) for setup in plan.setups))
        tasks = missing_tasks(folder, setups, plan.rules, plan.deals, options.seed, options.episode)
        tables = sum(task.pairs * task.setup.tables for task in tasks)
        try:
            with Progress("tables" if options.episode == "deal" else "matches", tables) as progress:
                play(tasks, workers, progress.advance)
            interrupted = False
        except KeyboardInterrupt:
            interrupted = True
        _check_unchanged(plan)
        pairs, duels = finished(folder, setups, plan.deals)
        if not pairs:
            return _stopped(options, plan, pairs)
        analysis = analyse(plan.entrants, plan.anchor, plan.reference, options.episode, folder.ordered, pairs, duels)
        _print(options, plan, analysis)
        if interrupted:
            return _stopped(options, plan, pairs)
        run = {"seconds": time.perf_counter() - start, "workers": workers, "tables_played": tables}
        if options.out is not None:
            written = write_results(options.out, _head(options, plan, run), analysis)
            print(f"written: {', '.join(str(file) for file in written)}", file=sys.stderr)
        return _report(options, plan, analysis, run) if options.report is not None else 0


def _report(options: argparse.Namespace, plan: Plan, analysis: Analysis, run: dict[str, Any]) -> int:
    """Write the report; returns the exit code."""
    contest = Contest(
        plan.rules,
        parse_options(options.set),
        options.seed,
        options.episode,
        plan.entrants,
        analysis.duels,
        run["workers"],
    )
    standings = {key: value for key, value in as_dictionary(analysis).items() if key in STANDINGS}
    try:
        written = publish(options.report, contest, _head(options, plan, run), standings, options.report_deals)
    except KeyboardInterrupt:
        return fail(PROGRAM, f"interrupted: {options.report} is not written", INTERRUPTED)
    print(f"written: {', '.join(str(file) for file in written)}", file=sys.stderr)
    return 0


def _stopped(options: argparse.Namespace, plan: Plan, pairs: int) -> int:
    """After Ctrl-C, when what was known has been printed."""
    again = "the same command goes on from here" if options.out is not None else "with --out it could go on later"
    if pairs:
        return fail(
            PROGRAM, f"interrupted: these are the first {pairs:,} of {plan.deals:,} pairs; {again}", INTERRUPTED
        )
    first = min(UNIT, plan.deals)
    return fail(
        PROGRAM, f"interrupted before the first {first} pairs of every pairing were played; {again}", INTERRUPTED
    )


def _print(options: argparse.Namespace, plan: Plan, analysis: Analysis) -> None:
    width = shutil.get_terminal_size((_WIDTH, 0)).columns
    lines = textwrap.wrap(_method(options, plan, analysis.pairs), width, break_on_hyphens=False)
    names = [(s.first if s.first == s.second else f"{s.first} with {s.second}", s.against) for s in analysis.duels]
    warnings = [f"Warning: {warning}." for warning in plan.warnings]
    warnings += report.forfeit_lines(names, list(analysis.duels.values()))
    print("\n".join([*lines, "", *report_lines(analysis, width), *warnings]), flush=True)


def _method(options: argparse.Namespace, plan: Plan, pairs: int) -> str:
    """What was measured, in a sentence or three."""
    what = "deals" if options.episode == "deal" else "matches"
    deals = f"seed {options.seed}" if options.on is None else f"set {options.on} (seed {options.seed})"
    groups = " Intervals of groups include the spread over their members." if plan.has_groups else ""
    return (
        f"{plan.rules.variant}: {pairs:,} duplicate {what} a pairing, {deals}, the same packs in all: "
        f"every pack and dealer played twice, sides exchanged. {METHOD}; the pair number is the cluster.{groups}"
    )


def _check_unchanged(plan: Plan) -> None:
    """Raise ``AgentError`` where an agent's file is not what it was at the beginning (a run that is being trained)."""
    for player, before in plan.players.items():
        if checksum(player) != before:
            raise AgentError(f"{player} has changed while it was played: name a file that stays as it is")


def _identity(options: argparse.Namespace, plan: Plan) -> dict[str, Any]:
    """What all units of a folder have in common."""
    return {
        "format": UNIT_FORMAT,
        "variant": plan.rules.variant,
        "options": {key: str(value) for key, value in parse_options(options.set).items()},
        "rules_hash": plan.rules.hash(),
        "episode": options.episode,
        "seed": options.seed,
        "pairs_a_unit": UNIT,
        "pedro-env": package_versions().get("pedro-env"),
    }


def _head(options: argparse.Namespace, plan: Plan, run: dict[str, Any]) -> dict[str, Any]:
    """What was measured, and with what."""
    return {
        "command": ["python", "-m", "agents.tournament", *options.command],
        "run": run,
        "method": _method(options, plan, plan.deals),
        "variant": plan.rules.variant,
        "options": parse_options(options.set),
        "rules_hash": plan.rules.hash(),
        "layout_hash": layout_of(plan.rules).hash(),
        "episode": options.episode,
        "seed": options.seed,
        "set": options.on,
        "pairs_a_unit": UNIT,
        "warnings": plan.warnings,
        "versions": package_versions(),
        "agents": [{"agent": player, "sha256": checksum} for player, checksum in plan.players.items()],
    }


def _parser() -> Parser:
    parser = Parser(PROGRAM, __doc__)
    add = parser.add_argument
    add("agents", nargs="*", metavar="AGENT", help="name, name:key=value,… or a file, as for evaluate.py")
    add(
        "--group",
        action="append",
        default=[],
        metavar="NAME=AGENT,AGENT,…",
        help="agents that count as one, such as the seeds of a configuration: their mean, with their spread",
    )
    add(
        "--deals",
        type=whole_number(1, MOST_DEALS),
        metavar="N",
        help=f"duplicate deals a pairing ({DEALS['deal']:,}); with --episode match: matches ({DEALS['match']:,})",
    )
    add_set_options(parser)
    add("--episode", choices=("deal", "match"), default="deal", help="single deals from 0–0, or whole matches (deal)")
    add("--variant", default="pedro", help="the game (pedro); python -m pedro_env variants lists them")
    parser.add_rule_options()
    add("--anchor", metavar="NAME", help="the agent or group that is rated 0 (the mean of all is)")
    add("--cross-play", action="store_true", help="also every two agents as partners, against two of a reference")
    add(
        "--reference",
        metavar="AGENT",
        help=f"the other side in cross-play ({REFERENCE}); {ITSELF}: the mixed pair's own agents with their own kind",
    )
    add("--out", type=Path, metavar="FOLDER", help="where results are kept, unit by unit; it goes on from there")
    add_report_options(parser)
    add("--workers", type=whole_number(1, 1024), metavar="K", help="processes (default: one a core)")
    return parser
