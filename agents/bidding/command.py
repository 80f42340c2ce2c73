"""What an agent's bidding means: which hands it opens, at what level, in what seat and at what score; its answers.

    python -m agents.bidding runs/first
    python -m agents.bidding policy.onnx --deals 20000 --plot bidding.png --json bidding.json
    python -m agents.bidding runs/first --against heuristic-1 --beside morehead

The agent has every seat (with --against the seats of one side), and so have the agents beside it, on the same packs.
Deals begin at scores as they occur in matches; --scores zero: at 0-0. A hand is known by its best suit: the one of
which it holds the most trumps, if it were named; of equally many, the one with the higher trumps.
"""

from __future__ import annotations

import argparse
import json
import textwrap
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from agents import report
from agents.bidding.figures import Figures, figures_of
from agents.bidding.plot import check_plot, draw
from agents.bidding.study import UNIT, Study, Task, join, study_unit
from agents.bidding.tables import RARE, tables_of
from agents.ending import ended
from agents.errors import AgentError
from agents.progress import Progress
from agents.registry import make_agent, split_list, split_spec
from agents.workers import available_cores, run_tasks
from pedro_env.console import Parser, whole_number
from pedro_env.files import check_writable, write_whole
from pedro_env.rules import Rules
from pedro_env.variants import make_rules, parse_options

PROGRAM = "python -m agents.bidding"
FORMAT = 1
"""Of the JSON file."""
BESIDE = "morehead,heuristic-1"
LONGEST_NAME = 14
MOST_AGENTS = 4
WIDTH = 100


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    options = _parser().parse_args(arguments)
    return ended(PROGRAM, lambda: _do(options))


def _do(options: argparse.Namespace) -> int:
    rules = make_rules(options.variant, parse_options(options.set))
    if options.plot is not None:
        check_plot(options.plot)
    for file in (options.plot, options.json):
        if file is not None:
            check_writable(file)
    agents = _agents(options)
    for agent in [*agents, *([options.against] if options.against else [])]:
        make_agent(agent, rules)  # a mistake shows now, not in a worker
    return _run(options, rules, agents)


def _run(options: argparse.Namespace, rules: Rules, agents: list[str]) -> int:
    names = _short_names(agents)
    studies = _study(options, rules, agents)
    figures: dict[str, Figures] = {name: figures_of(study, rules) for name, study in zip(names, studies, strict=True)}
    method = _method(options, rules)
    print(textwrap.fill(method, WIDTH))
    for name, agent in zip(names, agents, strict=True):
        if name != agent:
            print(f"{name} is {agent}.")
    for title, head, rows in tables_of(figures, rules):
        print(f"\n{title}\n")
        report.print_table((head, rows))
    if options.json is not None:
        by_agent = dict(zip(agents, figures.values(), strict=True))
        data = {
            "format": FORMAT,
            "method": method,
            "variant": rules.variant,
            "options": parse_options(options.set),
            "rules_hash": rules.hash(),
            "seed": options.seed,
            "against": options.against,
            "agents": by_agent,
        }
        write_whole(options.json, (json.dumps(data, indent=1, allow_nan=False) + "\n").encode())
    if options.plot is not None:
        draw(figures, rules, _title(options, rules), options.plot)
    return 0


def _study(options: argparse.Namespace, rules: Rules, agents: list[str]) -> list[Study]:
    source = "" if options.scores == "zero" else options.scores
    tasks = [
        Task(agent, options.against, rules, options.seed, source, first, min(UNIT, options.deals - first))
        for agent in agents
        for first in range(0, options.deals, UNIT)
    ]
    workers = options.workers or available_cores()
    studies: dict[str, list[Study]] = {agent: [] for agent in agents}
    whole = options.deals * len(agents)
    with Progress("deals", whole) as progress, closing(run_tasks(study_unit, tasks, workers)) as results:
        for task, study in zip(tasks, results, strict=True):
            studies[task.agent].append(study)
            progress.advance(task.deals)
    return [join(studies[agent]) for agent in agents]


def _agents(options: argparse.Namespace) -> list[str]:
    beside = [name for name in split_list(options.beside) if name]
    agents = list(dict.fromkeys([options.agent, *beside]))
    if len(agents) > MOST_AGENTS:
        raise AgentError(f"--beside {options.beside}: at most {MOST_AGENTS - 1} agents beside {options.agent}")
    return agents


def _short_names(agents: list[str]) -> list[str]:
    """Names for tables: a file's or folder's last part; numbers where that leaves two alike."""
    short = [Path(split_spec(agent)[0]).name[:LONGEST_NAME] or agent for agent in agents]
    return [f"{name}#{i}" if short.count(name) > 1 else name for i, name in enumerate(short, 1)]


def _method(options: argparse.Namespace, rules: Rules) -> str:
    seats = f"one side's seats, {options.against} the others'" if options.against else "every seat"
    start = "0–0" if options.scores == "zero" else f"scores as in matches of {options.scores}"
    return (
        f"{rules.variant}: {options.deals:,} deals an agent, seed {options.seed}, from {start}; it has {seats}. "
        f"A hand is known by its best suit: most trumps, then the higher ones. What was seen less than {RARE} times is "
        "not shown."
    )


def _title(options: argparse.Namespace, rules: Rules) -> str:
    against = f" against {options.against}" if options.against else ""
    return f"{rules.variant}: what bids mean ({options.deals:,} deals an agent{against}, seed {options.seed})"


def _parser() -> Parser:
    parser = Parser(PROGRAM, __doc__)
    add = parser.add_argument
    add("agent", metavar="AGENT", help="name, name:key=value,… or a file or folder, as for evaluate.py")
    add("--against", default="", metavar="AGENT", help="who has the other side's seats (the agent itself)")
    add("--beside", default=BESIDE, metavar="A,B", help=f"agents to be shown beside it ({BESIDE}); '' for none")
    add("--deals", type=whole_number(1, 10_000_000), default=10_000, metavar="N", help="deals an agent (10,000)")
    add("--seed", type=whole_number(0, 2**63 - 1), default=0, help="of packs, dealers, scores and choices (0)")
    add(
        "--scores",
        default="heuristic-1",
        metavar="AGENT",
        help="deals begin at scores as in matches of this agent (heuristic-1); zero: at 0–0",
    )
    add("--variant", default="pedro", help="the game (pedro); python -m pedro_env variants lists them")
    parser.add_rule_options()
    add("--plot", type=Path, metavar="FILE.png", help="draw a picture (needs matplotlib)")
    add("--json", type=Path, metavar="FILE", help="write all figures, unrounded")
    add("--workers", type=whole_number(1, 1024), metavar="K", help="processes (default: one a core)")
    return parser
