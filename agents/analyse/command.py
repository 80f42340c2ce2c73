"""The command ``python -m agents.analyse``: what every decision of recorded deals cost, with all cards open.

    python evaluate.py heuristic-1 morehead --deals 300 --records deals.jsonl
    python -m agents.analyse deals.jsonl
    python -m agents.analyse deals.jsonl --csv decisions.csv --json summary.json
    python -m agents.analyse deals.jsonl --deal 17

docs/analysis.md says what is measured. The same figures come out whatever the number of worker processes.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from agents.analyse import output
from agents.analyse.losses import CONTINUATION, Losses, in_order, same_game, study
from agents.analyse.summary import NOBODY, Summary
from agents.analyse.transcript import WIDTH, transcript
from agents.ending import ended
from agents.errors import AgentError
from agents.progress import Progress
from agents.registry import make_agent
from agents.report import print_table
from agents.search.scope import check_rules
from agents.statistics import METHOD
from agents.workers import available_cores, run_tasks
from pedro_env.actions import actions_of
from pedro_env.console import INTERRUPTED, Parser, fail, whole_number
from pedro_env.engine import IllegalAction
from pedro_env.files import check_writable, whole_file, write_whole
from pedro_env.record import Record, RecordError, read_records
from pedro_env.rules import RulesError
from pedro_env.variants import make_rules

PROGRAM = "agents.analyse"
CHUNK = 20
"""Deals in a piece of work. No figure depends on it."""


class Deals(NamedTuple):
    """The records that are analysed."""

    path: Path
    records: list[Record]
    lines: list[int]
    """Of the file, from 1."""

    def where(self, numbers: Sequence[int]) -> list[str]:
        """For messages: where some records stand."""
        return [f"{self.path}, line {self.lines[number]}" for number in numbers]


class Task(NamedTuple):
    """A piece of work: records of one game."""

    records: list[Record]
    where: list[str]
    continuation: str


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    options = _parser().parse_args(arguments)
    options.command = sys.argv[1:] if arguments is None else list(arguments)
    return ended(PROGRAM, lambda: _do(options))


def _do(options: argparse.Namespace) -> int:
    _check_files(options)
    deals = _read(options)
    games = same_game(deals.records)
    _check_games(deals, games, options.continuation)
    try:
        if options.deal is not None:
            _print_transcripts(deals, games, options.continuation)
            return 0
        return _analyse(deals, games, options)
    except IllegalAction as error:
        raise AgentError(f"{options.continuation} chose an action that is not legal: {error}") from None


# --- what is given


def _check_files(options: argparse.Namespace) -> None:
    targets = [path for path in (options.json, options.csv) if path is not None]
    if targets and options.deal is not None:
        raise AgentError("--deal prints transcripts; leave out --json and --csv, which are of all deals")
    if len({path.resolve() for path in (*targets, options.records)}) <= len(targets):
        raise AgentError("the records, --json and --csv must be different files")
    for path in targets:
        check_writable(path)


def _read(options: argparse.Namespace) -> Deals:
    deals = Deals(options.records, [], [])
    for line, record in read_records(options.records):
        if options.deal is None or (record["match"], record["deal"]) == options.deal:
            for step in record["steps"]:
                del step["legal"]  # most of a record, and the rules say it
            deals.records.append(record)
            deals.lines.append(line)
        if len(deals.records) == options.deals:
            break
    if not deals.records:
        what = "records" if options.deal is None else f"record of match {options.deal[0]}, deal {options.deal[1]}"
        raise RecordError(f"{options.records} holds no {what}")
    return deals


def _check_games(deals: Deals, games: Sequence[Sequence[int]], continuation: str) -> None:
    """A mistake shows now, not in a worker."""
    for numbers in games:
        record = deals.records[numbers[0]]
        try:
            rules = make_rules(record["variant"], record["options"])
            check_rules(rules)
        except (RulesError, AgentError) as error:
            raise RecordError(f"{deals.where(numbers)[0]}: {error}") from None
        make_agent(continuation, rules)
    for where, record in zip(deals.where(range(len(deals.records))), deals.records, strict=True):
        agents = record.get("agents", [""] * 4)
        if not isinstance(agents, list) or len(agents) != 4 or not all(isinstance(name, str) for name in agents):
            raise RecordError(f"{where}: 'agents' must be four names, one a seat, not {agents!r}")


# --- the work


def _analyse(deals: Deals, games: Sequence[Sequence[int]], options: argparse.Namespace) -> int:
    parts = [numbers[first : first + CHUNK] for numbers in games for first in range(0, len(numbers), CHUNK)]
    tasks = [
        Task([deals.records[number] for number in part], deals.where(part), options.continuation) for part in parts
    ]
    workers = options.workers or available_cores()
    found: list[Losses] = []
    code = 0
    with Progress("deals", len(deals.records)) as progress, closing(run_tasks(_losses, tasks, workers)) as results:
        try:
            for part, losses in zip(parts, results, strict=True):
                found.append(losses)
                progress.advance(len(part))
        except KeyboardInterrupt:
            if not found:
                raise
            code = INTERRUPTED
    if code:
        fail(PROGRAM, "interrupted; nothing is written, and what follows is about the deals up to there", code)
    done = [number for part in parts[: len(found)] for number in part]
    order = sorted(done)
    place = {number: i for i, number in enumerate(order)}
    losses = in_order(found, [[place[number] for number in part] for part in parts[: len(found)]])
    deals = Deals(deals.path, [deals.records[number] for number in order], [deals.lines[number] for number in order])
    summaries = _summaries(deals, losses)
    _print(deals, summaries, options.continuation)
    if not code:
        _write(deals, losses, summaries, options)
    return code


def _losses(task: Task) -> Losses:
    return study(task.records, task.where, task.continuation).losses


def _summaries(deals: Deals, losses: Losses) -> dict[str, Summary]:
    """By game: variant and options. Deals of one seed and match number are one observation."""
    names = [_game(record) for record in deals.records]
    matches = [(record["seed"], record["match"]) for record in deals.records]
    numbers = {match: number for number, match in enumerate(sorted(set(matches)))}
    cluster = np.array([numbers[match] for match in matches])
    agents = [record.get("agents", [NOBODY] * 4) for record in deals.records]
    return {
        name: Summary(*_of_game(losses, agents, cluster, np.array([other == name for other in names])))
        for name in sorted(set(names))
    }


def _of_game(losses: Losses, agents: list[list[str]], cluster: np.ndarray, mine: np.ndarray) -> tuple[Any, ...]:
    decisions = mine[losses.decisions["deal"]]
    columns = {name: column[decisions] for name, column in losses.decisions.items()}
    columns["deal"] = (mine.cumsum() - 1)[columns["deal"]]
    of_deals = {name: column[mine] for name, column in losses.deals.items()}
    return Losses(columns, of_deals), [agents[i] for i in np.flatnonzero(mine)], cluster[mine]


def _game(record: Record) -> str:
    return record["variant"] + "".join(f", {name}={value}" for name, value in sorted(record["options"].items()))


# --- what comes out


def _print(deals: Deals, summaries: dict[str, Summary], continuation: str) -> None:
    for number, (name, summary) in enumerate(summaries.items()):
        print("\n" * (number > 0) + f"{name}: {len(summary.losses.deals['par']):,} deals of {deals.path}")
        print(f"All cards open; {continuation} goes on after a decision before the play (docs/analysis.md).")
        print(f"{METHOD}; deals of one match are one pair.")
        for title, table in output.tables(summary, continuation):
            print(f"\n{title}")
            print_table(table)


def _write(deals: Deals, losses: Losses, summaries: dict[str, Summary], options: argparse.Namespace) -> None:
    with ExitStack() as files:
        if options.csv is not None:
            write = files.enter_context(whole_file(options.csv))
            actions = [actions_of(make_rules(record["variant"], record["options"])) for record in deals.records]
            write((",".join(output.CSV_HEAD) + "\n").encode())
            write(output.csv_lines(losses, deals.records, deals.lines, actions))
    if options.json is not None:
        data = {
            "format": output.FORMAT,
            "command": ["agents.analyse", *options.command],
            "method": METHOD,
            "continuation": options.continuation,
            "games": [
                {"game": name, "deals": len(summary.losses.deals["par"]), **output.as_dictionary(summary)}
                for name, summary in summaries.items()
            ],
        }
        write_whole(options.json, (json.dumps(data, indent=2, allow_nan=False) + "\n").encode())


def _print_transcripts(deals: Deals, games: Sequence[Sequence[int]], continuation: str) -> None:
    texts: dict[int, str] = {}
    for numbers in games:
        records = [deals.records[number] for number in numbers]
        found = study(records, deals.where(numbers), continuation)
        texts |= {number: transcript(found, i, records[i]) for i, number in enumerate(numbers)}
    print(f"\n{'=' * WIDTH}\n".join(texts[number] for number in sorted(texts)))


def _deal(text: str) -> tuple[int, int]:
    """``"17/2"`` or ``"17"`` to match and deal."""
    parts = re.fullmatch(r"(\d{1,18})(?:/(\d{1,18}))?", text)
    if not parts:
        raise argparse.ArgumentTypeError(f"{text!r} is not a deal; write MATCH or MATCH/DEAL, e.g. 17 or 17/2")
    return int(parts[1]), int(parts[2] or 0)


def _parser() -> Parser:
    parser = Parser("agents.analyse", __doc__)
    add = parser.add_argument
    add("records", type=Path, metavar="RECORDS", help="a file of records, as evaluate.py --records writes it")
    add(
        "--deal", type=_deal, metavar="MATCH/DEAL", help="print this deal (MATCH: its deal 0), every decision annotated"
    )
    add("--deals", type=whole_number(1, 10**9), metavar="N", help="only the first N records")
    add(
        "--continuation",
        default=CONTINUATION,
        metavar="AGENT",
        help=f"who goes on after a decision before the play ({CONTINUATION})",
    )
    add("--json", type=Path, metavar="FILE", help="write all figures, unrounded")
    add("--csv", type=Path, metavar="FILE", help="write every decision, a line each")
    add("--workers", type=whole_number(1, 1024), metavar="K", help="processes (default: one a core)")
    return parser
