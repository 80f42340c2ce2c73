"""``metrics.jsonl`` in a run's folder: a line an iteration with everything that people watch.

A run that goes on from a checkpoint first cuts off the lines after it, so that every iteration has one line, however
often the run was killed.
"""

from __future__ import annotations

import json
import math
import os
from pathlib import Path
from typing import Any

from pedro_env.files import write_whole

METRICS = "metrics.jsonl"


class MetricsFile:
    """Appends to the file; what cannot be written now, because the disk is full, is kept for the next time."""

    def __init__(self, file: Path, iteration: int) -> None:
        """Keep the lines of the first ``iteration`` iterations. Raises ``OSError``."""
        self.file = file
        kept = _lines(file, iteration)
        self.missing = iteration - len(kept)
        """Lines that should have been there."""
        if file.exists() or kept:
            write_whole(file, b"".join(kept))
        self._size = file.stat().st_size if file.exists() else 0
        self._waiting: list[bytes] = []

    def add(self, values: dict[str, Any]) -> None:
        """Append a line; what is not finite becomes null. Raises ``OSError``, and leaves no part of a line."""
        values = {key: None if isinstance(v, float) and not math.isfinite(v) else v for key, v in values.items()}
        self._waiting.append((json.dumps(values) + "\n").encode())
        data = b"".join(self._waiting)
        with self.file.open("ab", buffering=0) as file:
            rest = memoryview(data)
            try:
                while rest:
                    rest = rest[file.write(rest) :]
            except OSError:
                file.truncate(self._size)
                raise
        self._size += len(data)
        self._waiting.clear()

    def to_disk(self) -> None:
        """Wait until what was written is on the disk."""
        with self.file.open("rb+") as file:
            os.fsync(file.fileno())


def _lines(file: Path, iteration: int) -> list[bytes]:
    """The whole lines of the first iterations, one each."""
    found: dict[int, bytes] = {}
    for line in file.read_bytes().splitlines(keepends=True) if file.exists() else ():
        try:
            number = json.loads(line)["iteration"]
        except (ValueError, KeyError, TypeError):
            continue  # half a line, written when the process was killed
        if line.endswith(b"\n") and isinstance(number, int) and 0 < number <= iteration:
            found.setdefault(number, line)
    return [found[number] for number in sorted(found)]
