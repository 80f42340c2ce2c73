"""Play Pedro in the terminal against agents.

    python -m agents.play --seat 0 --opponents heuristic-1
    python -m agents.play --opponents morehead,runs/first,morehead --record game.jsonl
    python -m agents.play --variant pedro-sancho --set seats=5 --episode deal --seed 7

The other seats are named clockwise from yours: left, partner, right. At your turn type a card (5H), a bid (8), a suit
(hearts) or a word; help lists the rest. Ctrl-C, Ctrl-D and quit leave; finished deals are in the record by then.
"""

from __future__ import annotations

import io
import secrets
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TextIO, cast

from agents.errors import AgentError
from agents.play.game import Game, Quit
from agents.play.keeper import Keeper
from agents.play.terminal import Terminal
from agents.registry import make_agent, split_list
from pedro_env.agent import Agent
from pedro_env.console import INTERRUPTED, USER_MISTAKE, Parser, fail, whole_number
from pedro_env.engine import Batch
from pedro_env.rules import Rules, RulesError
from pedro_env.variants import make_rules, parse_options

PROGRAM = "python -m agents.play"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    options = _parser().parse_args(arguments)
    try:
        settings = parse_options(options.set)
        rules = make_rules(options.variant, settings)
        if options.seat >= rules.seats:
            raise AgentError(
                f"--seat must be a number from 0 to {rules.seats - 1} in {rules.variant}, not {options.seat}"
            )
        batch = Batch(rules, secrets.randbelow(10**9) if options.seed is None else options.seed)
        agents = _opponents(options.opponents, options.seat, rules)
        terminal = _terminal()
        keeper = Keeper(options.record, options.overwrite)
        game = Game(batch, options.seat, agents, terminal, keeper, settings)
        return _play(game, keeper, terminal, whole_match=options.episode == "match")
    except BrokenPipeError:
        raise  # for ``console.run``
    except (AgentError, RulesError, OSError) as error:
        return fail(PROGRAM, str(error), USER_MISTAKE)


def _play(game: Game, keeper: Keeper, terminal: Terminal, *, whole_match: bool) -> int:
    """Play, and leave with one line, whatever ends it."""
    try:
        try:
            game.play(whole_match=whole_match)
        finally:
            keeper.save()  # where an interrupt or a full disk has kept a finished deal out
    except Quit:
        pass
    except EOFError:
        return fail(PROGRAM, f"the input has ended; {keeper.summary()}", INTERRUPTED)
    except KeyboardInterrupt:
        return fail(PROGRAM, f"interrupted; {keeper.summary()}", INTERRUPTED)
    terminal.say(f"Good-bye: {keeper.summary()}.")
    return 0


def _terminal() -> Terminal:
    """The standard streams; what is typed is read as UTF-8, as ``console.run`` makes the output."""
    stdin, stdout = cast("TextIO | None", sys.stdin), cast(TextIO, sys.stdout)
    if stdin is None:
        raise OSError("there is no standard input to read from")
    if isinstance(stdin, io.TextIOWrapper):
        stdin.reconfigure(encoding="utf-8", errors="replace")
    return Terminal(stdin, stdout)


def _opponents(text: str, seat: int, rules: Rules) -> dict[int, Agent]:
    """The agent of every other seat: one for all of them, or one each, clockwise from the person's left."""
    specs = split_list(text)
    others = [(seat + place) % rules.seats for place in range(1, rules.seats)]
    if len(specs) == 1:
        specs *= len(others)
    if len(specs) != len(others):
        raise AgentError(
            f"--opponents must name one agent for all, or {len(others)}, one for every other seat; not {len(specs)}"
        )
    made = {spec: make_agent(spec, rules) for spec in dict.fromkeys(specs)}
    return {other: made[spec] for other, spec in zip(others, specs, strict=True)}


def _parser() -> Parser:
    parser = Parser(PROGRAM, __doc__)
    add = parser.add_argument
    add("--seat", type=whole_number(0, 6), default=0, metavar="S", help="your seat, from 0 (0)")
    add(
        "--opponents",
        default="heuristic-1",
        metavar="AGENT[,AGENT…]",
        help="one for all other seats, or one each, clockwise from your left (heuristic-1); evaluate.py --list",
    )
    add("--variant", default="pedro", help="the game (pedro); python -m pedro_env variants lists them")
    parser.add_rule_options()
    add("--seed", type=whole_number(-(2**63), 2**63 - 1), metavar="N", help="of packs (a new one each time)")
    add("--episode", choices=("deal", "match"), default="match", help="one deal, or a match (match)")
    add("--record", type=Path, metavar="FILE", help="keep a record of every finished deal")
    add("--overwrite", action="store_true", help="replace FILE where it exists")
    return parser
