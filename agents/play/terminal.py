"""Lines to and from the person: as wide as the terminal, readable without colour, usable by a script."""

from __future__ import annotations

import re
import shutil
import textwrap
from collections.abc import Iterable
from typing import TextIO

from pedro_env.cards import SUIT_SYMBOLS
from pedro_env.render import WIDTH

NARROWEST = 20
"""Columns below which nothing is made to fit."""


class Terminal:
    """A pair of streams. What a script writes is repeated in the output, as a terminal shows what is typed."""

    def __init__(self, stdin: TextIO, stdout: TextIO) -> None:
        self._in, self._out = stdin, stdout

    @property
    def width(self) -> int:
        """Columns to use: the terminal's, which may change, up to the usual 80."""
        return max(NARROWEST, min(WIDTH, shutil.get_terminal_size().columns))

    def say(self, text: str = "") -> None:
        """Print text, each of its lines wrapped."""
        for line in text.splitlines() or [""]:
            print("\n".join(wrapped(line, self.width)), file=self._out)

    def ask(self, prompt: str) -> str:
        """The line that is typed, without spaces around it. Raises ``EOFError`` where the input has ended."""
        print(prompt, end=" ", file=self._out, flush=True)
        try:
            line = self._in.readline()
        except KeyboardInterrupt:
            self.say()
            raise
        if not line:
            self.say()
            raise EOFError
        text = line.strip()
        if not self._in.isatty():
            print(shortened(text, self.width - len(prompt) - 1), file=self._out)
        return text

    def page(self, text: str) -> None:
        """Print a long text, stopping at the end of every screen where there is a person who can go on."""
        lines = [part for line in text.splitlines() for part in wrapped(line, self.width)]
        room = len(lines)
        if self._in.isatty() and self._out.isatty():
            room = max(1, shutil.get_terminal_size().lines - 1)
        for start in range(0, len(lines), room):
            print("\n".join(lines[start : start + room]), file=self._out)
            if start + room < len(lines) and self.ask("Enter: more, q: back").lower().startswith("q"):
                return


def wrapped(line: str, width: int) -> list[str]:
    """A line as lines of a width; those after the first are indented as far, and past a bullet.

    A suit stays with its first card, and a path is not torn.
    """
    start = len(line) - len(line.lstrip(" "))
    indent = " " * (start + 2 * line.lstrip(" ").startswith("- "))
    glued = _AFTER_SUIT.sub(_NO_BREAK, line)
    lines = textwrap.wrap(glued, width, subsequent_indent=indent, break_on_hyphens=False, break_long_words=False)
    return [part.replace(_NO_BREAK, " ") for part in lines] or [""]


_AFTER_SUIT = re.compile(rf"(?<=[{SUIT_SYMBOLS}]) |(?<=[{SUIT_SYMBOLS}]\*) ")
_NO_BREAK = "\N{NO-BREAK SPACE}"


def flow(parts: Iterable[str], width: int) -> str:
    """Parts side by side, two spaces between them, broken into lines between parts only; all but the first indented."""
    lines: list[str] = []
    for part in parts:
        if lines and len(lines[-1]) + 2 + len(part) <= width:
            lines[-1] += f"  {part}"
        else:
            lines.append(f"  {part}" if lines else part)
    return "\n".join(lines)


def shortened(text: str, width: int) -> str:
    """Text cut off where it is too long, without control characters."""
    clean = "".join(letter if letter.isprintable() else "?" for letter in text)
    return clean if len(clean) <= width else clean[: max(0, width - 1)] + "…"
