"""``python -m pedro_env``: play and replay game records, count rare paths, and print variants, rules and layouts.

    python -m pedro_env variants
    python -m pedro_env rules pedro
    python -m pedro_env rules --all --out docs/rules/variants
    python -m pedro_env record pedro --matches 10 --seed 7 --out games.jsonl
    python -m pedro_env replay games.jsonl --show
    python -m pedro_env picture games.jsonl --out deal.gif
    python -m pedro_env layouts pedro
    python -m pedro_env paths pedro --matches 1000

A mistake is one line on stderr and exit code 2; a record that differs from the rules, exit code 1.
"""

from __future__ import annotations

import argparse
import itertools
import sys
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from pathlib import Path

from pedro_env import layouts_page, rules_page
from pedro_env.console import INTERRUPTED, USER_MISTAKE, Parser, fail, let_go_of_stdout, whole_number
from pedro_env.files import check_writable, whole_file, write_whole
from pedro_env.record import Difference, Record, RecordError, random_records, read_records, replay_all, write_line
from pedro_env.render import transcript
from pedro_env.rules import RulesError
from pedro_env.variants import VARIANTS, make_rules, parse_options

PROGRAM = "python -m pedro_env"
DIFFERENT = 1
"""The exit code for a record that differs from the rules."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; returns its exit code. Mistakes are one line on stderr."""
    options = _parser().parse_args(arguments)
    try:
        options.command(options)
        sys.stdout.flush()
        return 0
    except BrokenPipeError:
        raise  # for ``console.run``
    except KeyboardInterrupt:
        return fail(PROGRAM, "interrupted", INTERRUPTED)
    except Difference as error:
        return fail(PROGRAM, str(error), DIFFERENT)
    except (RulesError, RecordError, ImportError) as error:  # ImportError: an extra is missing
        return fail(PROGRAM, str(error), USER_MISTAKE)
    except OSError as error:
        if error.errno is None:
            return fail(PROGRAM, str(error), USER_MISTAKE)
        let_go_of_stdout()
        return fail(PROGRAM, f"cannot write the output: {error.strerror}", USER_MISTAKE)


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


def _picture(options: argparse.Namespace) -> None:
    from pedro_env import picture  # needs the extra ``render``

    if options.out.suffix not in (".gif", ".png"):
        raise RecordError(f"--out must end in .gif (the deal) or .png (one position), not {str(options.out)!r}")
    if options.after is not None and options.out.suffix == ".gif":
        raise RecordError("--after is for one position: name a file that ends in .png")
    record = _deal(options)
    seats = make_rules(record["variant"], record["options"]).seats
    if options.seat is not None and options.seat >= seats:
        raise RulesError(f"--seat must be a number from 0 to {seats - 1} here, not {options.seat}")
    if options.out.suffix == ".gif":
        pictures = picture.write_gif(options.out, record, options.seat, options.size)
        print(f"{_counted(pictures, 'picture')} written to {options.out}")
        return
    decisions = len(record["steps"]) if options.after is None else options.after
    if decisions > len(record["steps"]):
        raise RecordError(f"--after must be a number from 0 to {len(record['steps'])} here, not {decisions}")
    picture.write_png(options.out, record, decisions, options.seat, options.size)
    print(f"the position after {_counted(decisions, 'decision')} written to {options.out}")


def _deal(options: argparse.Namespace) -> Record:
    """The deal to be drawn: one of a file, checked by the rules, or one of a match played at random."""
    game = Path(options.game)
    if game.suffix or game.is_file():
        if options.set:
            raise RulesError("--set is for a variant that is played at random; a record has its own options")
        deals = read_records(game)
    else:
        settings = parse_options(options.set)
        deals = enumerate(random_records(options.game, settings, 1, options.seed))
    chosen = list(itertools.islice(deals, options.deal, options.deal + 1))
    if not chosen:
        raise RecordError(f"{options.game} has no deal {options.deal}; the first one is 0")
    return next(replay_all(chosen, options.game)).record


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


def _paths(options: argparse.Namespace) -> None:
    from pedro_env.paths.counts import count_paths
    from pedro_env.paths.page import paths_json, paths_page

    settings = parse_options(options.set)
    games = [make_rules(variant, settings) for variant in dict.fromkeys(options.variants or VARIANTS)]
    if options.json is not None:
        check_writable(options.json)
    counts = [count_paths(rules, options.matches, options.seed) for rules in games]
    command = " ".join(
        [
            "python -m pedro_env paths",
            *options.variants,
            f"--matches {options.matches} --seed {options.seed}",
            *(["--set", *options.set] if options.set else []),
        ]
    )
    print(paths_page(counts, command))
    if options.json is not None:
        write_whole(options.json, paths_json(counts, options.seed, settings).encode())


# --- arguments


def _size(text: str) -> tuple[int, int]:
    """``"1200x900"``: between 800×600, below which pictures are not legible, and what fits into memory as a GIF."""
    width, _, height = text.partition("x")
    try:
        return whole_number(800, 1920)(width), whole_number(600, 1440)(height)
    except argparse.ArgumentTypeError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a size from 800x600 to 1920x1440") from None


def _parser() -> Parser:
    parser = Parser(PROGRAM, __doc__)
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

    picture = command("picture", _picture, "draw a deal as an animated GIF, or one position of it as a PNG")
    picture.add_argument(
        "game", metavar="GAME", help="a file of records, or a variant, which is then played at random as by 'record'"
    )
    picture.add_argument("--out", type=Path, required=True, metavar="FILE", help="FILE.gif or FILE.png")
    picture.add_argument("--deal", type=whole_number(0, 10**9), default=0, metavar="N", help="which deal, from 0 (0)")
    picture.add_argument("--seed", type=whole_number(-(2**63), 2**63 - 1), default=0, metavar="S", help="(0)")
    picture.add_argument("--after", type=whole_number(0, 10**9), metavar="N", help="PNG: after N decisions (all)")
    picture.add_argument("--seat", type=whole_number(0, 6), metavar="N", help="what seat N sees (all cards open)")
    picture.add_argument("--size", type=_size, default=(800, 600), metavar="WIDTHxHEIGHT", help="in pixels (800x600)")
    picture.add_rule_options()

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

    paths = command("paths", _paths, "count how often random play takes rare paths (docs/rules/paths.md)")
    paths.add_argument("variants", metavar="VARIANT", nargs="*", help="one or more variants (default: all)")
    paths.add_argument("--matches", type=whole_number(1, 10**5), default=200, metavar="N", help="of each variant (200)")
    paths.add_argument("--seed", type=whole_number(-(2**63), 2**63 - 1), default=0, metavar="S", help="(0)")
    paths.add_argument("--json", type=Path, metavar="FILE", help="write the counts to a file, too")
    paths.add_rule_options()
    return parser
