"""Sums over the processes of one machine by memory that all of them map: several times as fast as messages.

A message wakes a thread of the other process, which on busy cores costs milliseconds now and then. Here a process says
by a number in memory that it has come, and the others look at it again and again, as what they wait for is mostly a
fraction of a millisecond away. After ``PATIENCE`` they sleep between looks, and see whether a process has ended.
"""

from __future__ import annotations

import os
import platform
import select
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import torch
from torch import Tensor

MEMORY = Path("/dev/shm")
"""Where files are memory, on Linux."""
PATIENCE = 0.005
"""Seconds of looking without sleeping."""
_SLEEP = 1
"""Milliseconds between looks after that."""
_LINE = 64
"""Bytes that no other process's number may lie in: what one core writes takes such a line from the others."""


class SharedSums:
    """Sums of float32 numbers over the processes of a machine: each fills ``mine``, and then all call ``add_up``.

    Each process has a row of its own, waits until all have filled theirs, and adds up the rows, in the same order
    everywhere, so that all have the same bits. There are two sets of rows that take turns: who writes for the next sum
    disturbs nobody who still reads for this one, and who comes to the sum after that has waited for all to finish it.
    """

    def __init__(self, path: str, rank: int, processes: Sequence[int], total: Tensor, longest_wait: float) -> None:
        """``processes`` are the ids of all by rank; ``total`` ``(n,)`` takes the sums; ``longest_wait`` in seconds.

        Raises ``OSError`` where the processes cannot be seen, ``RuntimeError`` (PyTorch's) where the memory cannot.
        """
        size, n = len(processes), len(total)
        self.rank, self.total, self.longest_wait = rank, total, longest_wait
        self.turn = 0
        """How many sums there have been."""
        if os.stat(path).st_size != _bytes(size, n):  # where there is no such file, PyTorch would make one
            raise FileNotFoundError(path)
        memory = torch.from_file(path, shared=True, size=_bytes(size, n), dtype=torch.uint8)
        numbers = memory[: _LINE * size].view(torch.int64).view(size, -1)[:, 0]
        self.arrived = numbers.numpy()  # as NumPy looks at a number in a fraction of PyTorch's time
        self.sets = memory[_LINE * size :].view(torch.float32).view(2, size, n)
        self.others: list[int] = []
        self.ends = select.poll()
        try:
            for pid in (*processes[:rank], *processes[rank + 1 :]):
                self.others.append(os.pidfd_open(pid))
                self.ends.register(self.others[-1], select.POLLIN)
        except OSError:
            self.close()
            raise

    @property
    def mine(self) -> Tensor:
        """``(n,)`` to be filled with what this process adds to the next sum."""
        return self.sets[self.turn % 2][self.rank]

    def add_up(self) -> None:
        """Add up what all have filled in. Raises ``RuntimeError`` when another process has ended, or does not come."""
        rows = self.sets[self.turn % 2]
        self.turn += 1
        self.arrived[self.rank] = self.turn
        self._wait()
        torch.add(rows[0], rows[1], out=self.total)
        for row in rows[2:]:
            self.total += row

    def _wait(self) -> None:
        start = time.monotonic()
        while (self.arrived < self.turn).any():
            waited = time.monotonic() - start
            if waited < PATIENCE:
                os.sched_yield()
            elif self.ends.poll(_SLEEP) and (self.arrived < self.turn).any():
                raise RuntimeError("another process has ended")
            elif waited > self.longest_wait:
                raise RuntimeError("timed out")

    def close(self) -> None:
        """Look at the other processes no more."""
        for process in self.others:
            os.close(process)
        self.others = []


def can_share() -> bool:
    """Whether processes can see each other here, and in order what another one writes (x86 alone promises that)."""
    return MEMORY.is_dir() and hasattr(os, "pidfd_open") and platform.machine() in ("x86_64", "AMD64")


def make_memory(size: int, n: int) -> str:
    """The path of memory for ``SharedSums`` of so many processes; empty where there is none, or not enough."""
    if not can_share():
        return ""
    try:
        file, path = tempfile.mkstemp(prefix=f"pedro-{os.getpid()}-", dir=MEMORY)
    except OSError:
        return ""
    try:
        os.posix_fallocate(file, 0, _bytes(size, n))  # all of it now, or an error
    except OSError:
        os.unlink(path)
        return ""
    finally:
        os.close(file)
    return path


def _bytes(size: int, n: int) -> int:
    return _LINE * size + 2 * size * n * torch.float32.itemsize
