"""Decisions a second of training: playing and learning, as ``train.py`` counts them, without its evaluations.

    python -m benchmarks.training
    python -m benchmarks.training configs/default.yaml --iterations 8 --workers 1 2 --precision float32
    python -m benchmarks.training --workers 1 --shares

Several numbers of processes take turns, twice each, and the ratio of each to the first one is printed too.

A decision is one that is learnt from: a choice between two or more legal actions by the learning policy. Forced
decisions and those of past selves are in the time and are not counted. ``--shares`` says what the leading process
spends its time on.
"""

from __future__ import annotations

import statistics
import tempfile
from contextlib import ExitStack
from pathlib import Path

from agents.config import TrainConfig, load_config
from benchmarks.shares import clocked
from benchmarks.timing import machine, parser, run

WARM_UP = 2
"""Iterations that are not measured."""


def main() -> None:
    """Measure and print."""
    arguments = parser(__doc__)
    arguments.add_argument("config", nargs="?", type=Path, metavar="CONFIG.yaml", default=Path("configs/default.yaml"))
    arguments.add_argument("--iterations", type=int, default=6, help="that are measured, after two that are not (6)")
    arguments.add_argument("--workers", nargs="+", default=["auto"], help="processes (auto: two, one on one core)")
    arguments.add_argument("--precision", default="auto", help="bfloat16 or float32 (auto: what the CPU has)")
    arguments.add_argument("--shares", action="store_true", help="print what the time goes to")
    options = arguments.parse_args()
    import torch

    print(machine())
    rounds = 2 if len(options.workers) > 1 else 1
    speeds: dict[str, list[float]] = {workers: [] for workers in options.workers}
    for workers in options.workers * rounds:
        flags = {"workers": workers, "precision": options.precision, "variant": options.variant}
        config = load_config(options.config, flags | {"evaluation.times": "0", "checkpoints.times": "0"}).resolved()
        measured, seconds = measure(config, options.iterations)
        speeds[workers] += measured
        about = f"{config.variant}, {options.config}: {config.workers} processes, {config.device}, {config.precision}"
        print(f"{about}, PyTorch {torch.__version__}: {speed(speeds[workers])}", flush=True)
        if options.shares:
            print("    " + shares(seconds), flush=True)
    first = statistics.median(speeds[options.workers[0]])
    for workers in options.workers[1:]:
        ratio = statistics.median(speeds[workers]) / first
        print(f"{workers} processes are {ratio:.2f} times as fast as {options.workers[0]}")


def measure(config: TrainConfig, iterations: int) -> tuple[list[float], dict[str, float]]:
    """Decisions a second in so many iterations, and what the leading process spent its time on."""
    from agents.parallel import start_group
    from agents.trainer import Report, Trainer, follow

    speeds: list[float] = []
    clocks: list[dict[str, float]] = []

    with ExitStack() as stack:

        def note(report: Report) -> None:
            speeds.append(report.scalars["speed/decisions_per_second"])
            if len(speeds) == WARM_UP:
                clocks.append(stack.enter_context(clocked()))

        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        group = stack.enter_context(start_group(int(config.workers), follow, config, folder, None))
        Trainer(group, config, folder).run(lambda: len(speeds) >= iterations + WARM_UP - 1, note)
    return speeds[WARM_UP:], clocks[0]


def shares(seconds: dict[str, float]) -> str:
    """The parts of the time in percent, the largest first."""
    total = sum(seconds.values())
    largest_first = sorted(seconds.items(), key=lambda item: -item[1])
    return ", ".join(f"{part} {100 * spent / total:.1f}%" for part, spent in largest_first)


def speed(measured: list[float]) -> str:
    """The median and the range."""
    return f"{statistics.median(measured):,.0f} decisions a second ({min(measured):,.0f} – {max(measured):,.0f})"


if __name__ == "__main__":
    run(main)
