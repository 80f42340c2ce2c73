"""Processes that train together: each plays its own deals, gradients are averaged (``torch.distributed``).

They are started by this module (``start_group``: processes of this machine) or by torchrun or its like on any number of
machines (``launched``, ``join_group``). Messages go by gloo, and by NCCL between GPUs; gradients of processes of one
machine by its memory (``shared_sums``).

A process has one thread. On a CPU many threads a process, or more threads than cores, can make training slower by an
order of magnitude, so processes are what uses more cores.

Nobody waits for ever: the death of a process closes its connections, which the others notice when they next send or
receive, and who waits for it at a sum by memory sees that it has ended; one that hangs is given up after
``LONGEST_WAIT``.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import socket
import tempfile
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from multiprocessing.connection import Connection, wait
from typing import Any, Protocol

import torch
import torch.distributed as dist
from torch import Tensor
from torch.distributed.rendezvous import rendezvous

from agents.errors import TrainingError
from agents.shared_sums import SharedSums, make_memory
from agents.workers import WorkerError, deaf_to_interrupts, environment

LONGEST_WAIT = timedelta(minutes=10)
"""For another process to arrive at a common point, before the run is given up."""

_LAUNCHED = ("RANK", "WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT")


class Group:
    """The processes of a run, as one of them sees it. ``rank`` 0 leads: it reports and writes."""

    def __init__(self, rank: int = 0, size: int = 1, local_rank: int = 0, local_size: int = 1) -> None:
        self.rank = rank
        self.size = size
        self.local_rank = local_rank
        """Among the processes of this machine."""
        self.local_size = local_size
        self._shared: list[SharedSums] = []

    @property
    def leads(self) -> bool:
        """Whether this is the process that reports and writes."""
        return self.rank == 0

    def sum(self, values: Tensor) -> Tensor:
        """Add up ``values`` over the processes, in place, and return them. The same bits in all of them."""
        if self.size > 1:
            with _others_missing():
                dist.all_reduce(values)
        return values

    def sums_of(self, total: Tensor) -> Sums:
        """For many sums of ``total`` ``(n,)``: see ``Sums``. All processes call it together."""
        here = self.local_size == self.size > 1 and total.device.type == "cpu" and total.dtype == torch.float32
        shared = self._share(total) if here else None
        return shared or Messages(self, total)

    def _share(self, total: Tensor) -> SharedSums | None:
        """Sums by this machine's memory, unless one of the processes cannot see that or the others."""
        path = make_memory(self.size, len(total)) if self.leads else ""
        shared: SharedSums | None = None
        try:
            everybodys = self.share(path.encode()).decode()
            if not everybodys:
                return None
            processes = torch.zeros(self.size, dtype=torch.int64)
            processes[self.rank] = os.getpid()
            processes = self.sum(processes).tolist()
            with contextlib.suppress(OSError, RuntimeError):
                shared = SharedSums(everybodys, self.rank, processes, total, LONGEST_WAIT.total_seconds())
            all_see = int(self.sum(torch.tensor(int(shared is not None)))) == self.size
        finally:
            if path:
                os.unlink(path)  # all have it by now, and nobody else needs its name
        if shared is not None and all_see:
            self._shared.append(shared)
            return shared
        if shared is not None:
            shared.close()
        return None

    def add_up(self, sums: Sums) -> None:
        """Add up what each process has filled into ``sums.mine``. The same bits in all of them."""
        with _others_missing():
            sums.add_up()

    def close(self) -> None:
        """Let go of what sums by memory need."""
        for shared in self._shared:
            shared.close()

    def share(self, data: bytes = b"") -> bytes:
        """What the leader gives, in all processes."""
        if self.size == 1:
            return data
        length = int(self.sum(torch.tensor(len(data) if self.leads else 0)))
        content = torch.zeros(length, dtype=torch.uint8)
        if self.leads and data:
            content = torch.frombuffer(bytearray(data), dtype=torch.uint8)
        with _others_missing():
            dist.broadcast(content, 0)
        return content.numpy().tobytes()

    def first(self, text: str) -> str:
        """The text of the first process that gives one, in all processes; empty where none does."""
        data = text.encode(errors="replace")
        lengths = torch.zeros(self.size, dtype=torch.int64)
        lengths[self.rank] = len(data)
        giving = torch.nonzero(self.sum(lengths)).flatten()
        if self.size == 1 or not len(giving):
            return text
        rank = int(giving[0])
        content = torch.zeros(int(lengths[rank]), dtype=torch.uint8)
        if self.rank == rank:
            content = torch.frombuffer(bytearray(data), dtype=torch.uint8)
        with _others_missing():
            dist.broadcast(content, rank)
        return content.numpy().tobytes().decode()


class Sums(Protocol):
    """Sums of one tensor over the processes, again and again: fill ``mine``, call ``Group.add_up``, read the tensor."""

    @property
    def mine(self) -> Tensor:
        """What this process adds to the next sum, to be filled."""
        ...

    def add_up(self) -> None:
        """``Group.add_up`` calls it."""
        ...


class Messages:
    """``Sums`` by messages; of one process alone, by nothing."""

    def __init__(self, group: Group, total: Tensor) -> None:
        self.group = group
        self.mine = total

    def add_up(self) -> None:
        """Add up in place."""
        self.group.sum(self.mine)


@contextmanager
def start_group(size: int, work: Callable[..., None], *arguments: Any) -> Iterator[Group]:
    """Start ``size - 1`` more processes that run ``work(group, *arguments)``; this one is rank 0.

    ``work`` is a module's function and its arguments can be pickled. They ignore Ctrl-C and SIGTERM: the leader tells
    them. Raises ``WorkerError`` that says which of them has died.
    """
    use_one_thread()
    if size == 1:
        yield Group()
        return
    context = multiprocessing.get_context("spawn")
    with tempfile.TemporaryDirectory() as folder:
        store = os.path.join(folder, "store")
        workers: list[Any] = []
        there: list[Connection] = []
        with environment({"OMP_NUM_THREADS": "1"}), deaf_to_interrupts():
            for rank in range(1, size):
                here, end = context.Pipe(duplex=False)
                arguments_of_worker = (rank, size, store, end, work, arguments)
                workers.append(context.Process(target=_worker, args=arguments_of_worker, daemon=True))
                workers[-1].start()
                end.close()  # so that the end of the process is the end of the pipe
                there.append(here)
        done = False
        try:
            _wait_until_there(there)
            _meet(0, size, store)
            with contextlib.closing(Group(0, size, 0, size)) as group:
                yield group
            done = True
        except WorkerError as error:
            who = _who_died(workers)
            raise WorkerError(f"{who}: {error}" if who else str(error)) from None
        finally:
            if dist.is_initialized():
                dist.destroy_process_group()
            for worker in workers:
                worker.join(timeout=30 if done else 0.5)
                if worker.is_alive():
                    worker.kill()
                    worker.join()


def launched() -> bool:
    """Whether torchrun, or something like it, has started this process as one of a group."""
    return all(name in os.environ for name in _LAUNCHED)


@contextmanager
def join_group() -> Iterator[Group]:
    """The group that torchrun has started this process for."""
    use_one_thread()
    rank, size = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
    local_rank, local_size = (int(os.environ.get(f"LOCAL_{name}", 0)) for name in ("RANK", "WORLD_SIZE"))
    if local_size == size:
        _stay_on_this_machine()
    with _others_missing():
        store, *_ = next(rendezvous("env://", rank, size, timeout=LONGEST_WAIT))
        meeting = _of_this_attempt(store, rank, size)
        dist.init_process_group(_backend(local_size), store=meeting, rank=rank, world_size=size, timeout=LONGEST_WAIT)
    try:
        with contextlib.closing(Group(rank, size, local_rank, max(1, local_size))) as group:
            yield group
    finally:
        dist.destroy_process_group()


def use_one_thread() -> None:
    """One thread for the tensors of this process."""
    torch.set_num_threads(1)


@contextmanager
def _others_missing() -> Iterator[None]:
    """One line for what PyTorch says when a connection was closed, or nobody came for ``LONGEST_WAIT``."""
    try:
        yield
    except WorkerError:
        raise  # it has its line already
    except RuntimeError as error:
        minutes = LONGEST_WAIT.total_seconds() / 60
        late = "timed out" in str(error).lower() or "timeout" in str(error).lower()
        what = f"did not come within {minutes:g} minutes" if late else "has died"
        raise WorkerError(f"another process of the run {what}") from None


def _worker(
    rank: int, size: int, store: str, there: Connection, work: Callable[..., None], arguments: tuple[Any, ...]
) -> None:
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    use_one_thread()
    there.send(True)
    there.close()
    _meet(rank, size, store)
    try:
        work(Group(rank, size, rank, size), *arguments)
    except (WorkerError, TrainingError):
        pass  # the leader says it, or has gone
    finally:
        dist.destroy_process_group()


def _end_with_parent() -> None:
    """Leave no process behind when the leader is killed, whatever this one is doing."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    wait([parent.sentinel])
    os._exit(1)


def _wait_until_there(there: list[Connection]) -> None:
    for connection in there:
        try:
            connection.recv()
        except (EOFError, OSError):
            raise WorkerError("another process of the run has died at its start") from None
        finally:
            connection.close()


def _who_died(workers: list[Any]) -> str:
    """A line about a process that has ended badly; empty where none has, after a moment."""
    ended = wait([worker.sentinel for worker in workers], timeout=2)
    for rank, worker in enumerate(workers, 1):
        if worker.sentinel in ended:
            worker.join(timeout=1)  # its pipes are closed a moment before it can be waited for
        code = worker.exitcode
        if code is not None and code < 0:
            return f"process {rank} of the run was ended by {signal.Signals(-code).name} (out of memory?)"
        if code:
            return f"process {rank} of the run ended with exit code {code}; what it said stands above"
    return ""


def _meet(rank: int, size: int, store: str) -> None:
    _stay_on_this_machine()
    # Not a file:// address, in which a path's # or ? would mean something.
    meeting = dist.FileStore(store, size)  # pyright: ignore[reportPrivateImportUsage]
    with _others_missing():
        dist.init_process_group(_backend(size), store=meeting, rank=rank, world_size=size, timeout=LONGEST_WAIT)


def _backend(local_size: int) -> str:
    """NCCL for tensors on GPUs where each process of this machine has its own; gloo for all else."""
    if dist.is_nccl_available() and torch.cuda.is_available() and local_size <= torch.cuda.device_count():
        return "cpu:gloo,cuda:nccl"
    return "gloo"


def _of_this_attempt(store: Any, rank: int, size: int) -> Any:
    """A part of a store that only the living processes of the group know.

    torchrun may start processes again with the store of those that died, where their addresses still stand, and nobody
    answers there (pytorch/pytorch#135712). So the leader gives a name to each attempt, and answers everybody who calls
    it by that name; who finds the name of a dead leader gets no answer and looks again.
    """
    me = uuid.uuid4().hex
    if rank == 0:
        store.set("leader", me)
        for other in range(1, size):
            store.set(f"{me}/{other}/{store.get(f'{me}/{other}').decode()}", "here")
        return dist.PrefixStore(me, store)  # pyright: ignore[reportPrivateImportUsage]
    deadline = time.monotonic() + LONGEST_WAIT.total_seconds()
    while time.monotonic() < deadline:
        leader = store.get("leader").decode()
        store.set(f"{leader}/{rank}", me)
        patience = time.monotonic() + 1
        while time.monotonic() < patience:
            if store.check([f"{leader}/{rank}/{me}"]):
                return dist.PrefixStore(leader, store)  # pyright: ignore[reportPrivateImportUsage]
            time.sleep(0.02)
    raise RuntimeError("timed out")


def _stay_on_this_machine() -> None:
    interfaces = [name for _, name in socket.if_nameindex()] if hasattr(socket, "if_nameindex") else []
    loopback = next((name for name in ("lo", "lo0") if name in interfaces), None)
    if loopback:  # otherwise gloo asks the name service who this machine is
        os.environ.setdefault("GLOO_SOCKET_IFNAME", loopback)
