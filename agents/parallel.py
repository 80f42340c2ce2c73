"""Processes that train together: each plays its own deals, gradients are averaged (``torch.distributed``, gloo).

A process has one thread. On a CPU many threads a process, or more threads than cores, can make training slower by an
order of magnitude, so processes are what uses more cores.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import socket
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import torch
import torch.distributed as dist
from torch import Tensor

from agents.workers import WorkerError, environment

LONGEST_WAIT = timedelta(minutes=30)
"""For another process to arrive at a common point, before the run is given up."""


class Group:
    """The processes of a run, as one of them sees it. ``rank`` 0 leads: it reports and writes."""

    def __init__(self, rank: int = 0, size: int = 1) -> None:
        self.rank = rank
        self.size = size

    @property
    def leads(self) -> bool:
        """Whether this is the process that reports and writes."""
        return self.rank == 0

    def sum(self, values: Tensor) -> Tensor:
        """Add up ``values`` over the processes, in place, and return them. The same bits in all of them."""
        if self.size > 1:
            try:
                dist.all_reduce(values)
            except RuntimeError:  # gloo: the connection was closed, or nobody came for LONGEST_WAIT
                raise WorkerError("another process of the run has died (out of memory?)") from None
        return values


@contextmanager
def start_group(size: int, work: Callable[..., None], *arguments: Any) -> Iterator[Group]:
    """Start ``size - 1`` more processes that run ``work(group, *arguments)``; this one is rank 0.

    ``work`` is a module's function and its arguments can be pickled. They ignore Ctrl-C: the leader tells them.
    """
    use_one_thread()
    if size == 1:
        yield Group()
        return
    context = multiprocessing.get_context("spawn")
    with tempfile.TemporaryDirectory() as folder:
        store = os.path.join(folder, "store")
        workers = [
            context.Process(target=_worker, args=(rank, size, store, work, arguments), daemon=True)
            for rank in range(1, size)
        ]
        with environment({"OMP_NUM_THREADS": "1"}):
            for worker in workers:
                worker.start()
        done = False
        try:
            _join(0, size, store)
            yield Group(0, size)
            done = True
        finally:
            if dist.is_initialized():
                dist.destroy_process_group()
            for worker in workers:
                worker.join(timeout=30 if done else 0.5)
                if worker.is_alive():
                    worker.terminate()
                    worker.join()


def use_one_thread() -> None:
    """One thread for the tensors of this process."""
    torch.set_num_threads(1)


def _worker(rank: int, size: int, store: str, work: Callable[..., None], arguments: tuple[Any, ...]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    use_one_thread()
    _join(rank, size, store)
    try:
        work(Group(rank, size), *arguments)
    except WorkerError:
        pass  # the leader has gone: it has said why
    finally:
        dist.destroy_process_group()


def _join(rank: int, size: int, store: str) -> None:
    interfaces = [name for _, name in socket.if_nameindex()] if hasattr(socket, "if_nameindex") else []
    loopback = next((name for name in ("lo", "lo0") if name in interfaces), None)
    if loopback:  # otherwise gloo asks the name service who this machine is
        os.environ.setdefault("GLOO_SOCKET_IFNAME", loopback)
    # Not a file:// address, in which a path's # or ? would mean something.
    meeting = dist.FileStore(store, size)  # pyright: ignore[reportPrivateImportUsage]
    dist.init_process_group("gloo", store=meeting, rank=rank, world_size=size, timeout=LONGEST_WAIT)
