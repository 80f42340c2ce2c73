"""The command ``train.py``: a configuration in; a trained, evaluated policy in a folder of its own out."""

from __future__ import annotations

import importlib.util
import shlex
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any

from agents.config import ConfigError, TrainConfig, flags, load_config, parse_arguments
from agents.errors import AgentError
from agents.workers import WorkerError
from pedro_env.console import INTERRUPTED, USER_MISTAKE
from pedro_env.rules import RulesError

if TYPE_CHECKING:
    from agents.trainer import Trainer

DEFAULT = Path(__file__).parent.parent / "configs" / "default.yaml"
NEEDS = {"torch": "PyTorch", "safetensors": "safetensors", "tensorboard": "TensorBoard", "yaml": "PyYAML"}
FAILED = 1
"""The exit code when a worker process has died."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    arguments = sys.argv[1:] if arguments is None else list(arguments)
    if "--help" in arguments or "-h" in arguments:
        print(help_text())
        return 0
    try:
        missing = [name for package, name in NEEDS.items() if importlib.util.find_spec(package) is None]
        if missing:
            raise ConfigError(f"training needs {', '.join(missing)}: pip install -e '.[train]'")
        file, overrides = parse_arguments(arguments)
        resume = overrides.pop("resume", None)
        if resume is not None:
            if file is not None or overrides:
                raise ConfigError("--resume goes on with a run as it was configured: give nothing else")
            return _go_on(Path(resume))
        file = file or DEFAULT
        return _start(load_config(file, overrides), file.stem)
    except BrokenPipeError:
        raise  # for ``console.run``
    except (ConfigError, AgentError, RulesError, OSError) as error:
        return _fail(str(error), USER_MISTAKE)
    except WorkerError as error:
        return _fail(str(error), FAILED)
    except MemoryError as error:
        return _fail(f"not enough memory ({error}): lower network.width, selfplay.tables or ppo.minibatch", FAILED)
    except KeyboardInterrupt:
        return _fail("interrupted", INTERRUPTED)


def help_text() -> str:
    """Usage, and every flag with its default."""
    rows = [(f"--{path}", help_, str(default) or "''") for path, help_, default in flags()]
    rows += [("--rules.OPTION", "an option of the variant: python -m pedro_env rules VARIANT", "")]
    rows += [("--resume RUN", "go on with an interrupted run, exactly as if it had not been interrupted", "")]
    width = max(len(flag) for flag, _, _ in rows)
    lines = [f"  {flag:{width}}  {text}" + (f" [{default}]" if default else "") for flag, text, default in rows]
    return "\n".join(
        [
            "usage: train.py [CONFIG.yaml] [--FLAG VALUE ...]",
            "",
            "Train a policy by self-play. Without CONFIG.yaml: configs/default.yaml, about five minutes on two cores.",
            "A file says what differs from the defaults in brackets; a flag says what differs from the file.",
            "",
            *lines,
        ]
    )


def _start(config: TrainConfig, stem: str) -> int:
    from agents.runs import create_run

    config = config.resolved()
    _check_game(config)
    folder = create_run(config, stem)
    return _run(config, folder, None)


def _go_on(folder: Path) -> int:
    from agents.checkpoint import checkpoints
    from agents.runs import open_run
    from agents.trainer import check_checkpoint

    config = open_run(folder).resolved()
    _check_game(config)
    found = checkpoints(folder)
    if not found:
        raise ConfigError(f"{folder} has no checkpoint to go on from: remove it, or start a run of another --name")
    decisions = check_checkpoint(found[-1], config).decisions
    if decisions >= config.budget.decisions:
        raise ConfigError(f"{folder} is finished: it has learnt from {decisions:,} decisions")
    return _run(config, folder, found[-1])


def _check_game(config: TrainConfig) -> None:
    """Find mistakes before a folder is made: a game that cannot be played, agents that cannot be made."""
    from agents.registry import make_agent

    rules = config.make_rules()
    for name in dict.fromkeys([config.evaluation.yardstick, *config.opponents]):
        make_agent(name, rules)


def _run(config: TrainConfig, folder: Path, checkpoint: Path | None) -> int:
    from agents.checkpoint import checkpoints
    from agents.monitor import Monitor
    from agents.parallel import start_group
    from agents.trainer import Trainer, follow

    workers = int(config.workers)
    rules = " ".join([config.variant, *(f"{key}={value}" for key, value in config.rules.items())])
    processes = "1 process, one thread" if workers == 1 else f"{workers} processes, one thread each"
    print(f"{folder}: {rules}; {processes}; {config.precision}")
    print("(Ctrl-C writes a checkpoint and ends the run)", flush=True)
    with _interrupts() as interrupted, start_group(workers, follow, config, folder, checkpoint) as group:
        trainer = Trainer(group, config, folder)
        if checkpoint is not None:
            trainer.load(checkpoint)
        monitor = Monitor(folder, config, trainer.counters.decisions)
        try:
            complete = trainer.run(interrupted.is_set, monitor)
        except WorkerError as error:
            where = f"python train.py --resume {shlex.quote(str(folder))}"
            hint = f"; to go on: {where}" if checkpoints(folder) else ""
            raise WorkerError(f"{error}{hint}") from None
        finally:
            monitor.close()
    status = "finished" if complete else "interrupted" if interrupted.is_set() else "out of time"
    return _finish(trainer, status)


def _finish(trainer: Trainer, status: str) -> int:
    """The final table, unless the run was interrupted; the result; what to do next."""
    from agents.checkpoint import checkpoints
    from agents.runs import RESULT, write_json

    config, folder, counters = trainer.config, trainer.folder, trainer.counters
    speed = counters.decisions / max(1e-9, counters.seconds)
    result: dict[str, Any] = {
        "status": status,
        **vars(counters),
        "decisions_per_second": speed,
        "checkpoint": str(checkpoints(folder)[-1].relative_to(folder)),
        "curve": trainer.curve,
        "table": [],
    }
    write_json(folder / RESULT, result)
    minutes = counters.seconds / 60
    print(f"\n{counters.decisions:,} decisions in {minutes:.1f} minutes, {speed:,.0f} a second\n", flush=True)
    if status == "interrupted":
        print(f"Interrupted. To go on: python train.py --resume {shlex.quote(str(folder))}")
        return INTERRUPTED
    if config.opponents:
        result["table"] = _final_table(config, folder)
        write_json(folder / RESULT, result)
    print(_next_commands(config, folder))
    return 0


def _final_table(config: TrainConfig, folder: Path) -> list[dict[str, Any]]:
    """Evaluate the last checkpoint, as it is on the disk, and print how it did."""
    from agents import arena, report
    from agents.progress import Progress
    from agents.trainer import FINAL_DEALS

    pairs = config.evaluation.final_pairs
    pairings = [(str(folder), opponent) for opponent in config.opponents]
    with Progress("pairs", pairs * len(pairings)) as progress:
        duels = arena.play_pairings(
            pairings,
            config.make_rules(),
            pairs,
            FINAL_DEALS,
            workers=int(config.workers),
            on_progress=progress.advance,
        )
    print(report.method_line(config.variant, pairs, FINAL_DEALS, "deal"))
    print()
    report.print_table(report.score_table(pairings, duels, "deal"))
    print()
    report.print_table(report.bidding_table(pairings, duels))
    for line in report.forfeit_lines(pairings, duels):
        print(line)
    return [report.as_dictionary(pair, duel, "deal") for pair, duel in zip(pairings, duels, strict=True)]


def _next_commands(config: TrainConfig, folder: Path) -> str:
    run = shlex.quote(folder.as_posix())
    game = "" if config.variant == "pedro" else f" --variant {config.variant}"
    if config.rules:
        settings = (f"{k}={str(v).lower() if isinstance(v, bool) else v}" for k, v in config.rules.items())
        game += " --set " + " ".join(shlex.quote(setting) for setting in settings)
    return "\n".join(
        [
            "",
            "Next:",
            f"  tensorboard --logdir {run}",
            f"  python evaluate.py {run} {shlex.quote(config.evaluation.yardstick)}{game}",
            f"  python -m agents.export {run} {shlex.quote(folder.name + '.onnx')}",
        ]
    )


@contextmanager
def _interrupts() -> Iterator[threading.Event]:
    """The first Ctrl-C sets the event, a second one interrupts."""
    event = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield event  # only the main thread may change what a signal does
        return
    before = signal.getsignal(signal.SIGINT)

    def first(number: int, frame: FrameType | None) -> None:
        event.set()
        signal.signal(signal.SIGINT, signal.default_int_handler)
        print("\nstopping after this iteration; Ctrl-C again stops at once", file=sys.stderr, flush=True)

    signal.signal(signal.SIGINT, first)
    try:
        yield event
    finally:
        signal.signal(signal.SIGINT, before)


def _fail(message: str, code: int) -> int:
    print("train.py: " + " ".join(message.split()), file=sys.stderr)
    return code
