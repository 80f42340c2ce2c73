"""Problem sets by skill: positions with the value of every action, and a score a skill for any agent.

    python -m agents.problems score heuristic-1 morehead random
    python -m agents.problems score runs/first --json scores.json
    python -m agents.problems list
    python -m agents.problems show 12
    python -m agents.problems make --out problems.jsonl --each 5 --worlds 100

docs/problems.md says what the values are. The problems of pedro that come with the project are used where --file
names no others; making some needs numba (pip install -e '.[search]').
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Sequence
from pathlib import Path

from agents import report
from agents.ending import ended
from agents.errors import AgentError
from agents.problems import page, scoring
from agents.problems.problem import FORMAT, PATH, header, load, to_line
from agents.problems.skills import SKILLS
from agents.progress import Progress
from agents.registry import make_agent
from agents.workers import available_cores
from pedro_env.console import Parser, whole_number
from pedro_env.files import check_writable, write_whole
from pedro_env.variants import essential_options, parse_options

PROGRAM = "python -m agents.problems"
COLUMNS = 5
"""Agents in a table, so that it fits 100 columns; more get another table."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    options = _parser().parse_args(arguments)
    return ended(PROGRAM, lambda: options.run(options))


def _score(options: argparse.Namespace) -> int:
    if options.json is not None:
        check_writable(options.json)
    problems = load(options.file)
    for agent in options.agents:
        make_agent(agent, problems[0].rules())  # a mistake shows before the others are asked
    results: list[scoring.Score] = []
    with Progress("agents", len(options.agents)) as progress:
        for agent in options.agents:
            results.append(scoring.score(agent, problems))
            progress.advance(1)
    for first in range(0, len(results), COLUMNS):
        _print_scores(results[first : first + COLUMNS])
    if options.json is not None:
        data = {
            "format": FORMAT,
            "file": str(options.file.name),
            "problems": len(problems),
            "agents": [scoring.as_dictionary(result) for result in results],
        }
        write_whole(options.json, (json.dumps(data, indent=2, allow_nan=False) + "\n").encode())
    return 0


def _print_scores(results: Sequence[scoring.Score]) -> None:
    print("Score: 0 a legal action at random, 100 always the best one; ± half of the 95% interval over problems")
    report.print_table(page.score_table(results))
    print("\nMean loss against the best action: points of the deal (bidder out: chance to win the match)")
    report.print_table(page.loss_table(results))
    print(f"\nSolved: within {scoring.ERRORS} standard errors of the best action")
    report.print_table(page.solved_table(results))
    if any(result.sees_everything for result in results):
        print("* sees all cards of the deal that a problem comes from: no seat can know what it knows")


def _list(options: argparse.Namespace) -> int:
    print("\n".join(page.skill_list(load(options.file))))
    return 0


def _show(options: argparse.Namespace) -> int:
    problems = load(options.file)
    if options.number > len(problems):
        raise AgentError(f"there is no problem {options.number}: {options.file} holds {len(problems)}")
    print(page.problem_page(problems[options.number - 1], options.number, len(problems)))
    return 0


def _make(options: argparse.Namespace) -> int:
    from agents.problems.make import make  # needs numba, which the other commands do not

    check_writable(options.out)
    settings = essential_options(options.variant, parse_options(options.set))
    workers = options.workers or available_cores()
    with Progress("problems", options.each * len(options.skills)) as progress:
        problems = make(
            options.variant,
            settings,
            options.seed,
            options.each,
            options.worlds,
            options.screening,
            options.skills,
            workers,
            progress.advance,
        )
    names = ("variant", "seed", "skills", "each", "worlds", "screening")
    made_with = {name: getattr(options, name) for name in names} | {"options": settings}
    write_whole(options.out, (header(made_with) + "".join(map(to_line, problems))).encode())
    print("\n".join(page.skill_list(problems)))
    return 0


def _parser() -> Parser:
    parser = Parser(PROGRAM, __doc__)
    commands = parser.add_subparsers(metavar="COMMAND", required=True)

    def command(name: str, function: Callable[[argparse.Namespace], int], about: str) -> Parser:
        sub = commands.add_parser(name, help=about, description=f"{about[0].upper()}{about[1:]}.")
        sub.set_defaults(run=function)
        return sub

    score = command("score", _score, "score agents, by skill")
    score.add_argument("agents", nargs="+", metavar="AGENT", help="as evaluate.py names them (evaluate.py --list)")
    score.add_argument("--json", type=Path, metavar="FILE", help="write all figures, unrounded, and every choice")
    listing = command("list", _list, "print the skills, and which problems are theirs")
    show = command("show", _show, "print one problem as the seat sees it, with the value of every action")
    show.add_argument("number", type=whole_number(1, 10**6), metavar="N", help="of the problem, from 1")
    for sub in (score, listing, show):
        sub.add_argument("--file", type=Path, default=PATH, metavar="FILE", help="of problems (those of pedro)")

    make = command("make", _make, "make a file of problems")
    add = make.add_argument
    add("--out", type=Path, required=True, metavar="FILE", help="the file to write (replaced where it exists)")
    add("--variant", default="pedro", help="a game with two sides of fixed partners (pedro)")
    make.add_rule_options()
    add("--seed", type=whole_number(0, 2**63 - 1), default=1, metavar="N", help="of packs, players and worlds (1)")
    add(
        "--skills",
        nargs="+",
        choices=tuple(SKILLS),
        default=list(SKILLS),
        metavar="SKILL",
        help=f"which, in quotes (all): {', '.join(SKILLS)}",
    )
    add("--each", type=whole_number(1, 10_000), default=25, metavar="N", help="problems a skill (25)")
    add("--worlds", type=whole_number(2, 100_000), default=400, metavar="N", help="that values are means over (400)")
    add(
        "--screening",
        type=whole_number(2, 100_000),
        default=80,
        metavar="N",
        help="worlds that decide whether a choice matters (80)",
    )
    add("--workers", type=whole_number(1, 1024), metavar="K", help="processes (default: one a core)")
    return parser
