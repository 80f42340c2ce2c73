"""``python -m pedro_env``: play and replay game records, and print variants, rules and layouts.

    python -m pedro_env variants
    python -m pedro_env rules pedro
    python -m pedro_env rules --all --out docs/rules/variants
    python -m pedro_env record pedro --matches 10 --seed 7 --out games.jsonl
    python -m pedro_env replay games.jsonl --show
    python -m pedro_env layouts pedro

A mistake is one line on stderr and exit code 2; a record that differs from the rules, exit code 1.
"""

from __future__ import annotations

import argparse
import io
import sys
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import TextIO, cast

from pedro_env import layouts_page, rules_page
from pedro_env.console import INTERRUPTED, USER_MISTAKE, Parser, let_go_of_stdout, whole_number
from pedro_env.files import whole_file, write_whole
from pedro_env.record import Difference, RecordError, random_records, read_records, replay_all, write_line
from pedro_env.render import transcript
from pedro_env.rules import RulesError
from pedro_env.variants import make_rules, parse_options

DIFFERENT = 1
"""The exit code for a record that differs from the rules."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; returns its exit code. Mistakes are one line on stderr."""
    options = _parser().parse_args(arguments)
    stdout = cast(TextIO, sys.stdout)
    if isinstance(stdout, io.TextIOWrapper):
        cast(io.TextIOWrapper, stdout).reconfigure(encoding="utf-8")
    try:
        options.command(options)
        stdout.flush()
        return 0
    except BrokenPipeError:
        raise  # for ``console.run``
    except KeyboardInterrupt:
        return INTERRUPTED
    except Difference as error:
        return _fail(str(error), DIFFERENT)
    except (RulesError, RecordError) as error:
        return _fail(str(error), USER_MISTAKE)
    except OSError as error:
        if error.errno is None:
            return _fail(str(error), USER_MISTAKE)
        let_go_of_stdout()
        return _fail(f"cannot write the output: {error.strerror}", USER_MISTAKE)


def _fail(message: str, code: int) -> int:
    print("python -m pedro_env: " + " ".join(message.split()), file=sys.stderr)
    return code


# --- commands


def _record(options: argparse.Namespace) -> None:
    settings = parse_options(options.set)
    to_stdout = options.out == Path("-")
    deals = 0
    with nullcontext(_write_to_stdout) if to_stdout else whole_file(options.out) as write:
        for record in random_records(options.variant, settings, options.matches, options.seed):
            write(write_line(record).encode())
            deals += 1
    if not to_stdout:
        print(f"{_counted(deals, 'deal')} of {_counted(options.matches, 'match', 'es')} written to {options.out}")


def _write_to_stdout(data: bytes) -> None:
    sys.stdout.write(data.decode())


def _replay(options: argparse.Namespace) -> None:
    deals, matches = 0, 0
    for place in replay_all(read_records(options.file), options.file, linked=not options.single):
        deals += 1
        matches += place.new_match
        if options.show:
            print(transcript(place.record), end="\n\n")
    print(f"{_counted(deals, 'deal')} of {_counted(matches, 'match', 'es')} replayed, no differences")


def _counted(number: int, thing: str, plural: str = "s") -> str:
    return f"{number:,} {thing}{'' if number == 1 else plural}"


def _variants(options: argparse.Namespace) -> None:
    print(rules_page.variants_table())


def _rules(options: argparse.Namespace) -> None:
    if (options.variant is None) != options.all:
        raise RulesError("rules takes a VARIANT or --all, one of them")
    if options.all:
        _all_rules(options)
        return
    if options.out is not None:
        raise RulesError("--out needs --all; one page goes to a file so: rules VARIANT > FILE")
    print(rules_page.rules_page(make_rules(options.variant, parse_options(options.set))))


def _all_rules(options: argparse.Namespace) -> None:
    if options.set:
        raise RulesError("--set needs a variant: rules VARIANT --set OPTION=VALUE")
    pages = rules_page.all_pages()
    if options.out is None:
        print("\n\n".join(pages.values()))
        return
    for name, page in pages.items():
        write_whole(options.out / name, f"{page}\n".encode())
    print(f"{_counted(len(pages), 'page')} written to {options.out}")


def _layouts(options: argparse.Namespace) -> None:
    if options.variant is None and options.set:
        raise RulesError("--set needs a variant: layouts VARIANT --set OPTION=VALUE")
    settings = parse_options(options.set)
    print(layouts_page.layouts_page(None if options.variant is None else make_rules(options.variant, settings)))


# --- arguments


def _parser() -> Parser:
    parser = Parser("python -m pedro_env", __doc__)
    commands = parser.add_subparsers(metavar="COMMAND", required=True)

    def command(name: str, function: Callable[[argparse.Namespace], None], about: str) -> Parser:
        sub = commands.add_parser(name, help=about, description=f"{about[0].upper()}{about[1:]}.")
        sub.set_defaults(command=function)
        return sub

    record = command("record", _record, "play matches of uniformly random legal actions and write their records")
    record.add_argument("variant", metavar="VARIANT", help="the game; the command 'variants' lists them")
    record.add_argument("--matches", type=whole_number(1, 10**9), default=1, metavar="N", help="how many (1)")
    record.add_argument("--seed", type=whole_number(-(2**63), 2**63 - 1), default=0, metavar="S", help="(0)")
    record.add_argument("--out", type=Path, default=Path("-"), metavar="FILE", help="default: -, the standard output")
    record.add_rule_options()

    replay = command("replay", _replay, "replay records by the rules and say where the first difference is")
    replay.add_argument("file", type=Path, metavar="FILE", help="records, one JSON object a line (docs/rules/RULES.md)")
    replay.add_argument("--show", action="store_true", help="print a transcript of every deal")
    replay.add_argument("--single", action="store_true", help="do not compare a deal with the one before it")

    command("variants", _variants, "list the variants")

    rules = command("rules", _rules, "print a variant's rules, or those of all (docs/rules/variants)")
    rules.add_argument("variant", metavar="VARIANT", nargs="?", help="the game; the command 'variants' lists them")
    rules.add_argument("--all", action="store_true", help="the pages of all variants, and an index")
    rules.add_argument(
        "--out", type=Path, metavar="FOLDER", help="with --all: a folder that is there, for a file a page"
    )
    rules.add_rule_options()

    layouts = command("layouts", _layouts, "print phases, actions and observation slices (docs/layouts.md)")
    layouts.add_argument("variant", metavar="VARIANT", nargs="?", help="one variant (default: all)")
    layouts.add_rule_options()
    return parser
