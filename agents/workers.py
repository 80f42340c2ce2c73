"""Independent pieces of work on several processes, one thread each, with results in order."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable, Generator, Iterable, Iterator, Sized
from multiprocessing.connection import Connection, wait
from typing import Any, TypeVar, cast

Task = TypeVar("Task")
Result = TypeVar("Result")

_ONE_THREAD: dict[str, str] = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")

PATIENCE = 10.0
"""Seconds that processes which are not needed any more have to put away what they have started."""


class WorkerError(RuntimeError):
    """A worker process ended before its work did."""


class _Elsewhere(Exception):
    """Where an error came from, in a worker: the cause of the error that is raised here."""


def available_cores() -> int:
    """The number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def run_tasks(function: Callable[[Task], Result], tasks: Iterable[Task], workers: int) -> Generator[Result, None, None]:
    """The results of ``function(task)`` for every task, in order, worked out by so many processes.

    A task is taken from ``tasks`` when a process is free for it, some ahead of the results that have been given.

    Processes are spawned, so that they share nothing (a fork of a process with threads can hang): ``function`` and the
    tasks must be picklable. An error in a process is raised here. Whatever ends the work early (an error, Ctrl-C,
    closing the generator) ends the processes too.
    """
    workers = min(workers, len(tasks)) if isinstance(tasks, Sized) else workers
    if workers > 1:
        yield from _run_elsewhere(function, tasks, workers)
        return
    for task in tasks:
        with _one_torch_thread():
            result = function(task)
        yield result


def _run_elsewhere(
    function: Callable[[Task], Result], tasks: Iterable[Task], workers: int
) -> Generator[Result, None, None]:
    # A pipe to each process, and nothing that they share: ending one cannot leave a lock behind that others wait for.
    with _processes(function, workers) as connections:
        todo = iter(enumerate(tasks))
        busy: dict[Connection, int] = {}
        for connection in connections:
            busy |= _send_next(connection, todo)
        done: dict[int, Result] = {}
        number = 0
        while busy or done:
            while number not in done:
                for connection in cast("list[Connection]", wait(busy)):
                    done[busy.pop(connection)] = _receive(connection)
                    busy |= _send_next(connection, todo)
            yield done.pop(number)
            number += 1


def _send_next(connection: Connection, todo: Iterator[tuple[int, Any]]) -> dict[Connection, int]:
    """Give a worker its next task; returns who works on which task: nobody where none is left."""
    for number, task in todo:
        with contextlib.suppress(BrokenPipeError):  # the worker has died: receiving will say so
            connection.send(task)
        return {connection: number}
    return {}


def _receive(connection: Connection) -> Any:
    try:
        result, error, where = connection.recv()
    except (EOFError, ConnectionError):
        raise WorkerError("a worker process ended before its work did (out of memory?); try fewer --workers") from None
    if error is not None:
        raise error from _Elsewhere(where)
    return result


@contextlib.contextmanager
def _processes(function: Callable[[Any], Any], count: int) -> Iterator[list[Connection]]:
    """So many processes that wait for tasks; they are ended when the block is left."""
    context = multiprocessing.get_context("spawn")
    connections: list[Connection] = []
    processes: list[Any] = []
    try:
        with environment(_ONE_THREAD), deaf_to_interrupts():
            for _ in range(count):
                here, there = context.Pipe()
                process = context.Process(target=_work, args=(function, there), daemon=True)
                process.start()
                there.close()  # so that the end of the process is the end of the pipe
                connections.append(here)
                processes.append(process)
        yield connections
    finally:
        for process, connection in zip(processes, connections, strict=True):
            process.terminate()
            connection.close()  # whom the signal does not end finds that there is nobody to talk to
        late = time.monotonic() + PATIENCE
        for process in processes:
            process.join(max(0.0, late - time.monotonic()))
            process.kill()  # nothing, where it has ended
            process.join()


def _work(function: Callable[[Any], Any], connection: Connection) -> None:
    """A worker: a task in, a result (or an error and where it came from) out, until there is nobody to talk to."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with contextlib.suppress(EOFError, ConnectionError):
        while True:
            task = connection.recv()
            try:
                answer = function(task), None, ""
            except Exception as error:
                answer = None, error, traceback.format_exc()
            connection.send(answer)


@contextlib.contextmanager
def _one_torch_thread() -> Iterator[None]:
    """As in a worker: PyTorch, where something has imported it, computes with one thread, so that sums agree."""
    torch = sys.modules.get("torch")
    if torch is None:
        yield
        return
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(threads)


@contextlib.contextmanager
def environment(values: dict[str, str]) -> Iterator[None]:
    """Set environment variables for processes that are started inside."""
    before = {name: os.environ.get(name) for name in values}
    os.environ.update(values)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


@contextlib.contextmanager
def deaf_to_interrupts() -> Iterator[None]:
    """Processes started inside ignore Ctrl-C: the terminal sends it to all, and the parent ends them in order."""
    if threading.current_thread() is not threading.main_thread():
        yield  # only the main thread may change what a signal does
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
