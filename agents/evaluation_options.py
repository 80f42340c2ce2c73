"""The command line of ``evaluate.py``, and what its options mean together."""

from __future__ import annotations

import argparse
import math
from pathlib import Path

from agents.arena import UNIT
from agents.deal_sets import PAIRS, SETS
from agents.errors import AgentError
from agents.report_page.publish import add_report_options
from agents.sequential import Measure, Sprt, Until
from pedro_env.console import Parser, whole_number

DEALS = {"deal": 10_000, "match": 1_000}
"""How many pairs where ``--deals`` does not say."""
SEQUENTIAL_DEALS = {"deal": 200_000, "match": 20_000}
"""How many at most where a rule ends the play and ``--deals`` does not say."""
MOST_DEALS = 10_000_000
MOST_RESAMPLES = 20_000
MOST_POINTS = 1000
LEAST_WIDTH = 0.0001
ERROR_RATE = 0.05
"""Of a test, where nothing else is said."""


def _amount(text: str) -> tuple[float, Measure]:
    """The type of an argument that is a number of points a deal, or a share of matches won with a ``%``."""
    try:
        value = float(text.removesuffix("%"))
    except ValueError:
        value = math.nan
    share = text.endswith("%")
    if not (0 <= value <= 100 if share else abs(value) <= MOST_POINTS):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of points, nor a share of matches from 0% to 100%")
    return (value / 100, "win_rate") if share else (value, "points")


def _error_rate(text: str) -> float:
    """The type of an argument that is the error rate of a test."""
    try:
        rate = float(text)
    except ValueError:
        rate = math.nan
    if not 0.0001 <= rate <= 0.4:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 0.0001 to 0.4")
    return rate


def parser(description: str | None) -> Parser:
    """The command line of ``evaluate.py``."""
    parser = Parser("evaluate.py", description)
    add = parser.add_argument
    add("agents", nargs="*", metavar="AGENT", help="name, name:key=value,… or a file; more than two: every pairing")
    add("--list", action="store_true", help="print the agents' names and their parameters, and exit")
    add(
        "--deals",
        type=whole_number(1, MOST_DEALS),
        metavar="N",
        help=f"duplicate deals a pairing ({DEALS['deal']:,}); with --episode match: matches ({DEALS['match']:,}); "
        f"with --until or --sprt the most ({SEQUENTIAL_DEALS['deal']:,}; {SEQUENTIAL_DEALS['match']:,})",
    )
    add_set_options(parser)
    add("--episode", choices=("deal", "match"), default="deal", help="single deals from 0–0, or whole matches (deal)")
    add("--variant", default="pedro", help="the game (pedro); python -m pedro_env variants lists them")
    parser.add_rule_options()
    ends = parser.add_mutually_exclusive_group()
    ends.add_argument(
        "--until",
        type=_amount,
        metavar="WIDTH",
        help="play until the 95%% interval is ±WIDTH: points a deal, or with a %% sign of the matches won",
    )
    ends.add_argument(
        "--sprt",
        type=_amount,
        nargs=2,
        metavar=("H0", "H1"),
        help="play until one of two values of the mean is decided for: points a deal, or %% of the matches won",
    )
    add("--alpha", type=_error_rate, help=f"of --sprt: how often H1 may be chosen where H0 is true ({ERROR_RATE})")
    add("--beta", type=_error_rate, help=f"of --sprt: how often H0 may be chosen where H1 is true ({ERROR_RATE})")
    add(
        "--bootstrap",
        type=whole_number(100, MOST_RESAMPLES),
        metavar="N",
        help="also print an interval from N resamples of the pairs",
    )
    add("--json", type=Path, metavar="FILE", help="write all figures, unrounded; a file that exists is replaced")
    add("--records", type=Path, metavar="FILE", help="write a record of every deal; a file that exists is replaced")
    add_report_options(parser)
    add("--workers", type=whole_number(1, 1024), metavar="K", help="processes (default: one a core)")
    add(
        "--unit",
        type=whole_number(1, 100_000),
        default=UNIT,
        metavar="N",
        help=f"pairs that are played side by side, and between two looks of --until and --sprt ({UNIT}): "
        "fewer for slow agents, so that every process has some",
    )
    return parser


def settle(options: argparse.Namespace) -> None:
    """Put the seed and the number of deals in place, from the set of deals or the defaults; refuse contradictions."""
    settle_set(options)
    sequential = options.until is not None or options.sprt is not None
    options.deals = options.deals or (SEQUENTIAL_DEALS if sequential else DEALS)[options.episode]
    if options.sprt is None and (options.alpha, options.beta) != (None, None):
        raise AgentError("--alpha and --beta are the error rates of --sprt")
    if options.bootstrap is not None and options.sprt is not None:
        raise AgentError("--bootstrap: its interval does not hold where --sprt ends the play; leave one of them out")
    new_rule(options)


def add_set_options(parser: Parser) -> None:
    """``--seed`` or ``--on``: which deals."""
    add = parser.add_argument
    add("--seed", type=whole_number(-(2**63), 2**63 - 1), help="of packs, dealers and choices (0)")
    add("--on", choices=SETS, metavar="SET", help=f"a fixed set of deals in place of a seed: {', '.join(SETS)}")


def settle_set(options: argparse.Namespace) -> None:
    """Put the seed in place, and with ``--on`` the number of deals; refuse contradictions."""
    if options.on is not None:
        if options.seed is not None:
            raise AgentError(f"--on {options.on} says which seed: leave --seed out")
        options.seed = SETS[options.on]
        size = PAIRS[options.episode]
        if options.deals is not None and options.deals > size:
            raise AgentError(f"--deals {options.deals}: {options.on} has {size:,}")
        options.deals = options.deals or size
    options.seed = options.seed or 0


def new_rule(options: argparse.Namespace) -> Until | Sprt | None:
    """A new rule for a pairing, where one was asked for."""
    amounts = options.sprt if options.until is None else [options.until]
    if amounts is None:
        return None
    measures = {measure for _, measure in amounts}
    if len(measures) > 1:
        raise AgentError("--sprt: two numbers of points, or two shares of matches won (50%), not one of each")
    (measure,) = measures
    if measure == "win_rate" and options.episode != "match":
        raise AgentError("a share of matches won (%) takes --episode match")
    if options.until is not None:
        if amounts[0][0] < LEAST_WIDTH:
            raise AgentError(
                f"--until: the half-width is at least {LEAST_WIDTH} points, or {LEAST_WIDTH:.2%} of matches"
            )
        return Until(amounts[0][0], measure)
    h0, h1 = (value for value, _ in amounts)
    if h0 == h1:
        raise AgentError("--sprt: the two hypotheses are the same")
    alpha, beta = (ERROR_RATE if rate is None else rate for rate in (options.alpha, options.beta))
    return Sprt(h0, h1, alpha, beta, measure)
