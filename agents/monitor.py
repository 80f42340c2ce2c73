"""What a person sees of a run: a bar on a terminal (rich), elsewhere a line now and then; metrics and TensorBoard."""

from __future__ import annotations

import math
import sys
import threading
import time
from pathlib import Path
from typing import Any

from agents.board import Board, points_of
from agents.config import TrainConfig
from agents.metrics import METRICS, MetricsFile
from agents.trainer import Counters, Report

LINE_EVERY_SECONDS = 15.0


class Monitor:
    """Shows and writes reports of a run as they come, the run beginning or going on where ``counters`` are.

    Points after that which a run wrote before it was killed are taken back. A disk that is full is reported, once, and
    the run goes on: what ``metrics.jsonl`` lacks is written when there is space again, TensorBoard's files end there.
    """

    def __init__(self, folder: Path, config: TrainConfig, counters: Counters) -> None:
        self.config = config
        self.first_decision = counters.decisions
        self.score = ""
        self._start = time.monotonic()
        self._last_line = self._start
        self._metrics = MetricsFile(folder / METRICS, counters.iteration)
        self._metrics_fail = False
        if self._metrics.missing:
            self.trouble(f"{folder / METRICS} lacks {self._metrics.missing} lines of before; the run goes on")
        # TensorBoard leaves out what earlier files have from this step on.
        self._board: Board | None = Board(folder, config, purge_step=counters.decisions + 1)
        self._hook, threading.excepthook = threading.excepthook, self._thread_ended
        self._bar = _make_bar() if sys.stdout.isatty() else None
        if self._bar is not None:
            self._task = self._bar.add_task("", total=config.budget.decisions, completed=counters.decisions)
            self._bar.start()

    def __call__(self, report: Report) -> None:
        """Show a report; it is on the disk before the checkpoint that follows it."""
        self._write(report)
        if report.score is not None:
            self.score = f"{report.score} against {self.config.evaluation.yardstick}"
            self._say(self._score_line(report))
        if self._bar is not None:
            description = f"{_speed(report)} decisions/s  {self.score or 'not evaluated yet'}"
            self._bar.update(self._task, completed=report.counters.decisions, description=description)
        elif time.monotonic() - self._last_line >= LINE_EVERY_SECONDS:
            self._say(f"{self._progress(report)}  {_speed(report)} decisions/s, about {self._left(report)} to go")

    def close(self) -> None:
        """Finish the line and the files."""
        if self._bar is not None:
            self._bar.stop()
        try:
            if self._board is not None:
                self._board.close()
        except OSError as error:
            self._lose_tensorboard(error)
        threading.excepthook = self._hook

    def trouble(self, line: str) -> None:
        """Say on stderr what is wrong, where the run goes on."""
        if self._bar is not None:
            self._bar.console.print(line, markup=False, highlight=False)
        else:
            print(f"train.py: {line}", file=sys.stderr, flush=True)

    def _say(self, line: str) -> None:
        self._last_line = time.monotonic()
        if self._bar is not None:
            self._bar.console.print(line, markup=False, highlight=False)
        else:
            print(line, flush=True)

    def _score_line(self, report: Report) -> str:
        s = report.scalars
        return (
            f"{self._progress(report)}  points a deal {self.score}  bids {_percent(s['deals/bid_rate'])}, "
            f"mean {s['deals/mean_bid']:.1f}, made {_percent(s['deals/made_rate'])}"
        )

    def _progress(self, report: Report) -> str:
        seconds = int(report.counters.seconds)
        return f"{seconds // 60:3d}:{seconds % 60:02d} {report.counters.decisions:>13,} decisions"

    def _left(self, report: Report) -> str:
        done = report.counters.decisions
        spent = time.monotonic() - self._start
        left = spent * (self.config.budget.decisions - done) / max(1, done - self.first_decision)
        if self.config.budget.minutes:
            left = min(left, 60 * self.config.budget.minutes - report.counters.seconds)
        return f"{max(0, int(left)) // 60}:{max(0, int(left)) % 60:02d}"

    def _write(self, report: Report) -> None:
        self._write_metrics(report, report.scalars | points_of(report, self.config.evaluation.yardstick))
        if self._board is not None:
            try:
                self._board.write(report)
                if report.checkpoint_follows:
                    self._board.flush()
            except OSError as error:
                self._lose_tensorboard(error)

    def _write_metrics(self, report: Report, scalars: dict[str, float]) -> None:
        counters = report.counters
        line = {"iteration": counters.iteration, "decisions": counters.decisions, "deals": counters.deals}
        try:
            self._metrics.add(line | {"seconds": round(counters.seconds, 3)} | scalars)
            if report.checkpoint_follows:
                self._metrics.to_disk()
            self._metrics_fail = False
        except OSError as error:
            if not self._metrics_fail:
                self.trouble(f"cannot write {self._metrics.file}: {error.strerror}; the run goes on, and tries again")
            self._metrics_fail = True

    def _lose_tensorboard(self, error: OSError) -> None:
        self._board = None
        self.trouble(f"cannot write TensorBoard's files: {error.strerror}; they end here, {METRICS} goes on")

    def _thread_ended(self, arguments: threading.ExceptHookArgs) -> None:
        """TensorBoard's thread has ended: an error that it also raises when it is next written to, and told there."""
        if not isinstance(arguments.exc_value, OSError):
            self._hook(arguments)


def _make_bar() -> Any:
    """rich's bar; None where rich is not installed."""
    try:
        from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn
    except ImportError:
        return None
    return Progress(BarColumn(24), TaskProgressColumn(), TextColumn("{task.description}"), TimeRemainingColumn())


def _speed(report: Report) -> str:
    return f"{report.scalars['speed/decisions_per_second']:,.0f}"


def _percent(share: float) -> str:
    return "–" if math.isnan(share) else f"{share:.0%}"
