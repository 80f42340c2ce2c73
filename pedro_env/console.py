"""What commands on a terminal have in common: how they take arguments, refuse mistakes and end."""

from __future__ import annotations

import argparse
import io
import os
import signal
import sys
import threading
from collections.abc import Callable
from types import FrameType
from typing import NoReturn, TextIO, cast

USER_MISTAKE, INTERRUPTED, PIPE_CLOSED, TERMINATED = 2, 130, 141, 143
"""Exit codes; the last three are those of a program ended by SIGINT, SIGPIPE and SIGTERM."""


class Parser(argparse.ArgumentParser):
    """Says what is wrong in one line; arguments are not abbreviated."""

    def __init__(self, prog: str | None = None, description: str | None = None) -> None:
        super().__init__(
            prog,
            description=description,
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )

    def error(self, message: str) -> NoReturn:
        """Print the mistake and leave."""
        self.exit(USER_MISTAKE, f"{self.prog}: error: {message} ({self.prog} --help explains)\n")

    def add_rule_options(self) -> None:
        """``--set option=value …``: options of the variant."""
        self.add_argument(
            "--set", action="extend", nargs="+", default=[], metavar="OPTION=VALUE", help="options of the variant"
        )


def whole_number(low: int, high: int) -> Callable[[str], int]:
    """The type of an argument that is a whole number within bounds."""

    def parse(text: str) -> int:
        try:
            value = int(text)
        except ValueError:
            value = low - 1
        if not low <= value <= high:
            raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from {low} to {high}")
        return value

    return parse


def run(main: Callable[[], int]) -> int:
    """Run a command and return its exit code.

    A reader that has gone (``| head``) ends it without a word; SIGTERM, as SIGINT does, lets it put its files away.
    """
    speak_utf8()
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, _terminate)
    if sys.stdout is None:  # pyright: ignore[reportUnnecessaryComparison]  # closed by the shell: ``>&-``
        print("there is no standard output to write to", file=sys.stderr)
        return USER_MISTAKE
    try:
        code = main()
        sys.stdout.flush()
        return code
    except BrokenPipeError:
        let_go_of_stdout()
        return PIPE_CLOSED
    except KeyboardInterrupt:  # before the command could say so itself
        return INTERRUPTED


def fail(program: str, message: str, code: int) -> int:
    """Say in a line on stderr why a program does not do its work; returns the exit code."""
    print(f"{program}: " + " ".join(message.split()), file=sys.stderr)
    return code


def speak_utf8() -> None:
    """Write UTF-8 on stdout and stderr, whatever the system's encoding: suits and dashes are not in all of them.

    What even UTF-8 cannot say, such as a byte of a file's name that is no text, is written with a backslash.
    """
    for stream in (cast("TextIO | None", sys.stdout), cast("TextIO | None", sys.stderr)):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def _terminate(number: int, frame: FrameType | None) -> None:
    raise SystemExit(TERMINATED)


def let_go_of_stdout() -> None:
    """What is left in the buffer goes nowhere, so that the interpreter does not complain about it at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
