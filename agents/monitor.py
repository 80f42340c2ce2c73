"""What a person sees of a run: a bar on a terminal (rich), elsewhere a line now and then, and TensorBoard."""

from __future__ import annotations

import math
import sys
import time
from pathlib import Path
from typing import Any

from agents.config import TrainConfig
from agents.runs import TENSORBOARD
from agents.trainer import Report

LINE_EVERY_SECONDS = 15.0


class Monitor:
    """Shows reports of a run as they come."""

    def __init__(self, folder: Path, config: TrainConfig, first_decision: int = 0) -> None:
        from torch.utils.tensorboard import SummaryWriter

        self.config = config
        self.first_decision = first_decision
        self.score = ""
        self._start = time.monotonic()
        self._last_line = self._start
        purge = first_decision or None
        self._writer: Any = SummaryWriter(str(folder / TENSORBOARD), purge_step=purge)
        self._bar = _make_bar() if sys.stdout.isatty() else None
        if self._bar is not None:
            self._task = self._bar.add_task("", total=config.budget.decisions, completed=first_decision)
            self._bar.start()

    def __call__(self, report: Report) -> None:
        """Show a report."""
        self._write_scalars(report)
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
        self._writer.close()

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

    def _write_scalars(self, report: Report) -> None:
        step = report.counters.decisions
        for name, value in report.scalars.items():
            if math.isfinite(value):
                self._writer.add_scalar(name, value, step)
        if report.score is not None:
            for name in ("mean", "low", "high"):
                value = getattr(report.score, name)
                if value is not None:
                    self._writer.add_scalar(f"score/{name}", value, step)


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
