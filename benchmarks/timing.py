"""Rates by the median of several short repeats, taken in turn so that a busy machine troubles all alike."""

from __future__ import annotations

import argparse
import os
import platform
import statistics
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NoReturn

import numpy as np

from pedro_env.console import speak_utf8


@dataclass(frozen=True)
class Rate:
    """Units a second."""

    median: float
    low: float
    high: float

    def __str__(self) -> str:
        """Three digits, with the range of the repeats."""
        return f"{self.median:>13,.0f}   ({self.low:,.0f} – {self.high:,.0f})"


CLOCKS = {"wall": time.perf_counter, "cpu": time.process_time}


def rates(contenders: Mapping[str, Callable[[], int]], options: argparse.Namespace) -> dict[str, Rate]:
    """The rate of each contender: a function that does some work and returns how many units it was.

    Every repeat calls each in turn, again and again for ``options.seconds``; one unmeasured call goes before.
    """
    clock = CLOCKS[options.clock]
    for work in contenders.values():
        work()
    found: dict[str, list[float]] = {name: [] for name in contenders}
    for _ in range(options.repeats):
        for name, work in contenders.items():
            units = 0
            start = clock()
            while (elapsed := clock() - start) < options.seconds or not units:
                units += work()
            found[name].append(units / elapsed)
    return {name: Rate(statistics.median(some), min(some), max(some)) for name, some in found.items()}


def run(main: Callable[[], None]) -> NoReturn:
    """Call ``main``; a mistake or a missing package is one line on stderr and exit code 2."""
    speak_utf8()
    try:
        main()
        sys.exit(0)
    except ModuleNotFoundError as error:
        message = f"needs {error.name}: pip install -e '.[export]'"
    except (ValueError, OSError) as error:
        message = str(error)
    except KeyboardInterrupt:
        sys.exit(130)
    print("benchmarks: " + " ".join(message.split()), file=sys.stderr)
    sys.exit(2)


def parser(about: str | None) -> argparse.ArgumentParser:
    """The arguments that every benchmark has."""
    made = argparse.ArgumentParser(
        description=about, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False
    )
    made.add_argument("--variant", default="pedro", help="the game (pedro)")
    return made


def rate_parser(about: str | None) -> argparse.ArgumentParser:
    """With those of ``rates``."""
    made = parser(about)
    made.add_argument("--repeats", type=int, default=5, help="repeats, of which the median counts (5)")
    made.add_argument("--seconds", type=float, default=0.5, help="length of a repeat (0.5)")
    made.add_argument(
        "--clock",
        choices=CLOCKS,
        default="wall",
        help="cpu: the seconds that this process computes, for machines that are busy with other things",
    )
    return made


def machine() -> str:
    """What the figures were measured on."""
    model = platform.processor() or platform.machine()
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            model = next(line.split(":")[1].strip() for line in file if line.startswith("model name"))
    except (OSError, StopIteration):
        pass
    load = f", load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    return f"{model}, {os.cpu_count()} cores{load}; Python {platform.python_version()}, NumPy {np.__version__}"
