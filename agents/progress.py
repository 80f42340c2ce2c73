"""Progress on stderr for what takes longer than two seconds: rich's bar on a terminal, elsewhere some lines."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import Any

QUIET_SECONDS = 2.0
LINE_EVERY_SECONDS = 10.0


class Progress:
    """``with Progress("pairs", total) as progress: … progress.advance(500)``."""

    def __init__(self, what: str, total: int) -> None:
        self.what = what
        self.total = total
        """May be changed while the work goes on, where it is not known before."""
        self.done = 0
        self._start = time.monotonic()
        self._last_line = self._start + QUIET_SECONDS - LINE_EVERY_SECONDS
        self._bar: Any = None

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.stop()

    def advance(self, count: int) -> None:
        """So many more are done."""
        self.done += count
        now = time.monotonic()
        if now - self._start < QUIET_SECONDS:
            return
        if sys.stderr.isatty() and self._show_bar():
            return
        if now - self._last_line >= LINE_EVERY_SECONDS:
            self._last_line = now
            left = (now - self._start) * (self.total - self.done) / self.done
            print(f"{self.done:,} of {self.total:,} {self.what}, about {left:.0f} s to go", file=sys.stderr, flush=True)

    def _show_bar(self) -> bool:
        """Draw rich's bar; False where rich is not installed."""
        if self._bar is None:
            try:
                from rich.console import Console
                from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
                from rich.progress import Progress as Bar
            except ImportError:
                return False
            columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
            self._bar = Bar(*columns, console=Console(stderr=True), transient=True)
            self._task = self._bar.add_task(self.what, total=self.total)
            self._bar.start()
        self._bar.update(self._task, completed=self.done, total=self.total)
        return True
