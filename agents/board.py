"""What a run writes for TensorBoard. ``docs/reading-tensorboard.md`` says how to read it."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from agents.config import TrainConfig
from agents.runs import TENSORBOARD
from agents.scalars import PLACES, bid_levels, made_by_level

if TYPE_CHECKING:
    from agents.trainer import Report

ENDS = ("mean", "low", "high")


class Board:
    """The event files of a run. Steps are decisions learnt from."""

    def __init__(self, folder: Path, config: TrainConfig, purge_step: int) -> None:
        """Leaves out what earlier files of the run have from ``purge_step`` on."""
        from torch.utils.tensorboard import SummaryWriter
        from torch.utils.tensorboard.summary import hparams

        self._yardstick = config.evaluation.yardstick
        self._writer: Any = SummaryWriter(str(folder / TENSORBOARD), purge_step=purge_step)
        # One chart an opponent, the interval as a band: the tab CUSTOM SCALARS.
        names = [self._yardstick, *config.baselines]
        bands = {name: ["Margin", [_tag(name, end) for end in ENDS]] for name in names}
        self._writer.add_custom_scalars({"points a deal": bands})
        metrics = {_tag(self._yardstick, "mean"): 0.0, "deals/made_rate": 0.0}
        for summary in hparams(_flat(config.to_dict()), metrics)[:2]:  # the third would say that the run is over
            self._writer.file_writer.add_summary(summary)

    def write(self, report: Report) -> None:
        """Write a report."""
        step = report.counters.decisions
        for name, value in report.scalars.items():
            if math.isfinite(value):
                self._writer.add_scalar(name, value, step)
        if report.score is None:
            return
        for name, value in points_of(report, self._yardstick).items():
            self._writer.add_scalar(name, value, step)
        for place, counts in enumerate(bid_levels(report.sums)):
            self._write_levels(f"bids/{PLACES[place]}", counts, step)
        for level, (made, lost) in made_by_level(report.sums).items():
            self._writer.add_scalar(f"made/{level}", made / (made + lost), step)
        for number, text in enumerate(report.told_deals):
            self._writer.add_text(f"deal {number}", "```\n" + text + "\n```", step)

    def flush(self) -> None:
        """What was written is in the files."""
        self._writer.flush()

    def close(self) -> None:
        """Finish the files."""
        self._writer.close()

    def _write_levels(self, tag: str, counts: np.ndarray, step: int) -> None:
        """A histogram with a bucket a level, of the bids; ``counts[0]`` are passes."""
        levels = np.flatnonzero(counts * (np.arange(len(counts)) > 0))
        if not len(levels):
            return
        low, high = int(levels[0]), int(levels[-1])
        buckets = np.arange(low, high + 1)
        held = counts[low : high + 1]
        self._writer.add_histogram_raw(
            tag,
            min=low,
            max=high,
            num=int(held.sum()),
            sum=float(held @ buckets),
            sum_squares=float(held @ buckets**2),
            bucket_limits=(buckets + 0.5).tolist(),
            bucket_counts=held.tolist(),
            global_step=step,
        )


def points_of(report: Report, yardstick: str) -> dict[str, float]:
    """Points a deal over each baseline with their intervals, by name; empty where nothing was evaluated."""
    if report.score is None:
        return {}
    estimates = {yardstick: report.score} | report.baselines
    values = {_tag(name, end): getattr(found, end) for name, found in estimates.items() for end in ENDS}
    return {name: value for name, value in values.items() if value is not None}


def _tag(opponent: str, end: str) -> str:
    return f"points/{opponent}/{end}"


def _flat(values: dict[str, Any], prefix: str = "") -> dict[str, bool | int | float | str]:
    flat: dict[str, bool | int | float | str] = {}
    for key, value in values.items():
        if isinstance(value, dict):
            flat |= _flat(value, f"{prefix}{key}.")
        else:
            flat[prefix + key] = value if isinstance(value, (bool, int, float)) else str(value)
    return flat
