"""What commands on a terminal have in common: ending quietly when nobody reads on."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable

PIPE_CLOSED = 141
"""The exit code of a program ended by SIGPIPE."""


def run(main: Callable[[], int]) -> int:
    """Run a command and return its exit code; a reader that has gone (``| head``) ends it without a word."""
    try:
        code = main()
        sys.stdout.flush()
        return code
    except BrokenPipeError:
        let_go_of_stdout()
        return PIPE_CLOSED


def let_go_of_stdout() -> None:
    """What is left in the buffer goes nowhere, so that the interpreter does not complain about it at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
