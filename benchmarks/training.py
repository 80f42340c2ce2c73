"""Decisions a second of training: playing and learning, as ``train.py`` counts them, without its evaluations.

    python -m benchmarks.training
    python -m benchmarks.training configs/default.yaml --iterations 8 --workers 2 --precision float32

A decision is one that is learnt from: a choice between two or more legal actions by the learning policy. Forced
decisions and those of past selves are in the time and are not counted.
"""

from __future__ import annotations

import statistics
import tempfile
from pathlib import Path

from agents.config import load_config
from benchmarks.timing import machine, parser, run


def main() -> None:
    """Measure and print."""
    arguments = parser(__doc__)
    arguments.add_argument("config", nargs="?", type=Path, metavar="CONFIG.yaml", default=Path("configs/default.yaml"))
    arguments.add_argument("--iterations", type=int, default=6, help="that are measured, after two that are not (6)")
    arguments.add_argument("--workers", default="auto", help="processes (auto: two, one where there is one core)")
    arguments.add_argument("--precision", default="auto", help="bfloat16 or float32 (auto: what the CPU has)")
    options = arguments.parse_args()
    import torch

    from agents.parallel import start_group
    from agents.trainer import Report, Trainer, follow

    flags = {"workers": options.workers, "precision": options.precision, "variant": options.variant}
    config = load_config(options.config, flags | {"evaluation.times": "0", "checkpoints.times": "0"}).resolved()
    workers = int(config.workers)
    speeds: list[float] = []

    def note(report: Report) -> None:
        speeds.append(report.scalars["speed/decisions_per_second"])

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with start_group(workers, follow, config, folder, None) as group:
            Trainer(group, config, folder).run(lambda: len(speeds) >= options.iterations + 1, note)
    measured = speeds[2:]
    print(machine())
    print(
        f"{config.variant}, {options.config}: {workers} processes, {config.precision}, PyTorch {torch.__version__}: "
        f"{statistics.median(measured):,.0f} decisions a second ({min(measured):,.0f} – {max(measured):,.0f})"
    )


if __name__ == "__main__":
    run(main)
