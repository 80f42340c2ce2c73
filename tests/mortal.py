"""Training runs that come to harm: ``python -m tests.mortal RUNS.json`` plays a list of them, one after the other.

A run is the flags of ``train.py`` and a list of processes, each a list of blows that it gets. All that is needed is
imported once and every process is a fork, as starting PyTorch takes seconds. Processes of a run find each other as
those that torchrun starts. What comes of it is printed as JSON: for every run, for every process, its exit code
(negative: the signal that ended it) and what it said on stdout and stderr.

A blow is ``{"at": [PLACE, COUNT], "signal": NUMBER, "to": RANK}``: when the process comes to a place for the so-manieth
time, a process is sent a signal, itself unless ``to`` says otherwise; or, with ``"space": BYTES``, no file may grow
larger than that (as on a full disk) for the time being, and with ``"space": null`` again.
"""

from __future__ import annotations

import importlib
import json
import os
import resource
import signal
import socket
import sys
import tempfile
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch

from agents import checkpoint, rollout, trainer, training
from pedro_env.console import run as run_command
from pedro_env.engine import Batch

for module in ("torch.utils.tensorboard", "torch._dynamo", "agents.monitor", "agents.random", "yaml"):
    importlib.import_module(module)  # what would be imported by every fork
Blow = dict[str, Any]


def main() -> None:
    """Play the runs in the file."""
    runs = json.loads(Path(sys.argv[1]).read_text())
    print(json.dumps([play(run["flags"], run["processes"]) for run in runs]))


def play(flags: list[str], processes: list[list[Blow]]) -> list[tuple[int, str, str]]:
    """Fork the processes of a run, the leader last, so that it knows the others; wait for all."""
    with socket.socket() as free, tempfile.TemporaryDirectory() as folder:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
        free.close()
        ids: dict[int, int] = {}
        for rank in reversed(range(len(processes))):
            ids[rank] = os.fork()
            if not ids[rank]:
                _live(flags, processes[rank], rank, len(processes), port, ids, Path(folder))
        codes = {rank: os.waitstatus_to_exitcode(os.waitpid(ids[rank], 0)[1]) for rank in ids}
        said = [[(Path(folder) / f"{stream}-{rank}").read_text() for stream in ("out", "err")] for rank in sorted(ids)]
        return [(codes[rank], *texts) for rank, texts in enumerate(said)]


def _live(
    flags: list[str], blows: list[Blow], rank: int, size: int, port: int, ids: dict[int, int], folder: Path
) -> None:
    code = 1
    try:
        for name, stream in (("out", sys.stdout), ("err", sys.stderr)):
            os.dup2(os.open(folder / f"{name}-{rank}", os.O_WRONLY | os.O_CREAT), stream.fileno())
        if size > 1:
            os.environ |= {"RANK": str(rank), "WORLD_SIZE": str(size), "LOCAL_RANK": str(rank)}
            os.environ |= {"LOCAL_WORLD_SIZE": str(size), "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port)}
        torch.set_num_threads(1)
        ids[rank] = os.getpid()
        for blow in blows:
            place, count = blow["at"]
            _before(place, count, lambda blow=blow: _strike(blow, ids, rank))
        code = run_command(lambda: training.main(flags))
    except SystemExit as leaving:
        code = int(leaving.code or 0)
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def _strike(blow: Blow, ids: dict[int, int], rank: int) -> None:
    if "space" in blow:
        hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
        resource.setrlimit(resource.RLIMIT_FSIZE, (hard if blow["space"] is None else blow["space"], hard))
    else:
        os.kill(ids[blow.get("to", rank)], blow["signal"])


PLACES: dict[str, tuple[Any, str]] = {
    "rollout": (Batch, "step"),
    "iteration": (rollout, "rewards"),
    "update": (torch.optim.Adam, "step"),
    "evaluation": (trainer, "play_unit"),
    "save": (checkpoint, "save_file"),
    "end of save": (checkpoint, "_folder_to_disk"),
}


def _before(place: str, count: int, strike: Callable[[], None]) -> None:
    """Have ``strike`` called before a function is called for the so-manieth time; in a save after half the file."""
    owner, name = PLACES[place]
    original = getattr(owner, name)
    calls = iter(range(1, 10**9))

    def instead(*arguments: Any, **more: Any) -> Any:
        if next(calls) == count:
            if place == "save":
                original(*arguments, **more)
                file = Path(arguments[1])
                whole = file.read_bytes()
                file.write_bytes(whole[: len(whole) // 2])
                strike()
            else:
                strike()
        return original(*arguments, **more)

    setattr(owner, name, instead)


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)
    main()
