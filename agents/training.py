"""The command ``train.py``: a configuration in; a trained, evaluated policy in a folder of its own out.

Started by torchrun it is one of several processes: the first one does as it would alone and tells the others what the
run is. A run that is started again in this way goes on where its folder stands.
"""

from __future__ import annotations

import importlib.util
import json
import os
import shlex
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any, TypeAlias

from agents.config import ConfigError, TrainConfig, flags, from_dict, load_config, parse_arguments
from agents.errors import AgentError, TrainingError
from agents.workers import WorkerError
from pedro_env.console import INTERRUPTED, TERMINATED, USER_MISTAKE, fail
from pedro_env.rules import RulesError

if TYPE_CHECKING:
    from agents.arena import Duel
    from agents.parallel import Group
    from agents.trainer import Trainer

PROGRAM = "train.py"
Run: TypeAlias = "tuple[TrainConfig, Path, Path | None]"
"""A resolved configuration, the run's folder, and the checkpoint to go on from."""

DEFAULT = Path(__file__).parent.parent / "configs" / "default.yaml"
NEEDS = {"torch": "PyTorch", "safetensors": "safetensors", "tensorboard": "TensorBoard", "yaml": "PyYAML"}
FAILED = 1
"""The exit code when a process has died, something was not finite or the end could not be written."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    arguments = sys.argv[1:] if arguments is None else list(arguments)
    if "--help" in arguments or "-h" in arguments:
        print(help_text())
        return 0
    try:
        check_packages()
        from agents.parallel import launched

        return _as_launched(arguments) if launched() else _alone(arguments)
    except BrokenPipeError:
        raise  # for ``console.run``
    except (ConfigError, AgentError, RulesError, OSError) as error:
        return fail(PROGRAM, str(error), USER_MISTAKE)
    except (WorkerError, TrainingError) as error:
        return fail(PROGRAM, str(error), FAILED)
    except MemoryError as error:
        return fail(
            PROGRAM, f"not enough memory ({error}): lower network.width, selfplay.tables or ppo.minibatch", FAILED
        )
    except KeyboardInterrupt:
        return fail(PROGRAM, "interrupted", INTERRUPTED)


def check_packages() -> None:
    """Raise ``ConfigError`` where a package that training needs is not installed."""
    missing = [name for package, name in NEEDS.items() if importlib.util.find_spec(package) is None]
    if missing:
        raise ConfigError(f"training needs {', '.join(missing)}: pip install -e '.[train]'")


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
            "Train a policy by self-play. Without CONFIG.yaml: configs/default.yaml, some minutes on two cores.",
            "A file says what differs from the defaults in brackets; a flag says what differs from the file.",
            "On more processes or machines: torchrun --nproc-per-node 2 train.py --name NAME ... (docs/training.md).",
            "",
            *lines,
        ]
    )


def _alone(arguments: Sequence[str]) -> int:
    """This process leads, and starts the others."""
    from agents.parallel import start_group
    from agents.trainer import follow

    config, folder, checkpoint = _prepare(arguments, None)
    with _signals() as stop, start_group(int(config.workers), follow, config, folder, checkpoint) as group:
        trainer, complete = _lead(group, config, folder, checkpoint, stop)
    return _finish(trainer, complete, stop)


def _as_launched(arguments: Sequence[str]) -> int:
    """This process is one of those that torchrun has started."""
    from agents.parallel import join_group
    from agents.trainer import follow

    with _signals() as stop, join_group() as group:
        run = _tell(group, arguments) if group.leads else _hear(group)
        if run is None:
            return USER_MISTAKE
        if not group.leads:
            follow(group, *run, stop.is_set)
            return stop.code
        trainer, complete = _lead(group, *run, stop)
    return _finish(trainer, complete, stop)


def _tell(group: Group, arguments: Sequence[str]) -> Run:
    """The run, which the others are told; nothing, where it cannot be."""
    told = b""
    try:
        config, folder, checkpoint = _prepare(arguments, group.size)
        told = json.dumps([config.to_dict(), str(folder), checkpoint and str(checkpoint)]).encode()
    finally:
        group.share(told)
    return config, folder, checkpoint


def _hear(group: Group) -> Run | None:
    told = group.share()
    if not told:
        return None  # the leader says why
    config, folder, checkpoint = json.loads(told)
    return from_dict(config), Path(folder), checkpoint and Path(checkpoint)


def _prepare(arguments: Sequence[str], processes: int | None) -> Run:
    """Find mistakes, and make the run's folder or find where its run stands.

    ``processes`` is how many have been started; None: it is for us to start them.
    """
    from agents.runs import create_run, open_run, same_run
    from agents.trainer import initial_policy

    file, overrides = parse_arguments(arguments)
    resume = overrides.pop("resume", None)
    if resume is not None:
        if file is not None or overrides:
            raise ConfigError("--resume goes on with a run as it was configured: give nothing else")
        folder = Path(resume)
        config = open_run(folder).resolved(processes)
        _check_game(config)
        return config, folder, _where_it_stands(config, folder)
    file = file or DEFAULT
    config = load_config(file, overrides).resolved(processes)
    _check_game(config)
    if processes is not None:
        if not config.name:
            raise ConfigError("under torchrun a run needs a --name: started again, it goes on where that run stands")
        folder = Path(config.runs) / config.name
        if same_run(folder, config) is not None:
            return config, folder, _where_it_stands(config, folder)
    if config.initial:
        initial_policy(config)
    return config, create_run(config, file.stem), None


def _where_it_stands(config: TrainConfig, folder: Path) -> Path | None:
    """The newest whole checkpoint; None where there is none yet. ``ConfigError`` where the run is finished."""
    from agents.checkpoint import checkpoints, set_aside
    from agents.runs import has_table
    from agents.trainer import choose_checkpoint

    found = checkpoints(folder)
    if not found:
        print(f"{folder} has no checkpoint yet: it starts from the beginning")
        return None
    chosen, counters, errors = choose_checkpoint(found, config)
    if counters.decisions >= config.budget.decisions and (has_table(folder) or not config.opponents):
        raise ConfigError(f"{folder} is finished: it has learnt from {counters.decisions:,} decisions")
    for damaged, error in zip(reversed(found), errors, strict=False):
        print(f"train.py: {error}; it is now {set_aside(damaged)}", file=sys.stderr)
    if errors:
        print(f"train.py: going on from {chosen}", file=sys.stderr)
    return chosen


def _check_game(config: TrainConfig) -> None:
    """Find mistakes before a folder is made: a game that cannot be played, agents that cannot be made."""
    from agents.registry import make_agent
    from agents.setting import check_setting

    rules = config.make_rules()
    check_setting(config, rules)
    for name in dict.fromkeys([config.evaluation.yardstick, *config.baselines, *config.opponents]):
        make_agent(name, rules)


def _lead(group: Group, config: TrainConfig, folder: Path, checkpoint: Path | None, stop: Stop) -> tuple[Trainer, bool]:
    """Train, report and write; whether the budget was reached."""
    import torch

    from agents.checkpoint import checkpoints
    from agents.monitor import Monitor
    from agents.trainer import Trainer

    rules = " ".join([config.variant, *(f"{key}={value}" for key, value in config.rules.items())])
    threads = torch.get_num_threads()
    processes = f"{group.size} process{'es' if group.size > 1 else ''}"
    print(f"{folder}: {rules}; {processes}, threads of each: {threads}; {config.device}, {config.precision}")
    print("(Ctrl-C writes a checkpoint and ends the run)", flush=True)
    trainer = Trainer(group, config, folder)
    if checkpoint is not None:
        trainer.load(checkpoint)
        done = trainer.counters
        print(f"going on after iteration {done.iteration}, {done.decisions:,} decisions", flush=True)
    monitor = Monitor(folder, config, trainer.counters)
    try:
        return trainer, trainer.run(stop.is_set, monitor, monitor.trouble)
    except (WorkerError, TrainingError) as error:
        hint = f"; to go on: {_resume_command(folder)}" if checkpoints(folder) else ""
        raise type(error)(f"{error}{hint}") from None
    finally:
        monitor.close()


def _finish(trainer: Trainer, complete: bool, stop: Stop) -> int:
    """The final table, unless the run was interrupted; the result; what to do next."""
    from agents import exploit, report
    from agents.checkpoint import best_checkpoint, checkpoints
    from agents.runs import RESULT, write_json
    from agents.trainer import FINAL_DEALS

    status = "finished" if complete else "interrupted" if trainer.interrupted else "out of time"
    config, folder, counters = trainer.config, trainer.folder, trainer.counters
    speed = counters.decisions / max(1e-9, counters.seconds)
    best = best_checkpoint(folder)
    result: dict[str, Any] = {
        "status": status,
        **vars(counters),
        "decisions_per_second": speed,
        "checkpoint": str(checkpoints(folder)[-1].relative_to(folder)),
        "best_checkpoint": best and str(best.relative_to(folder)),
        "curve": trainer.curve,
        "table": [],
    }
    write_json(folder / RESULT, result)
    minutes = counters.seconds / 60
    print(f"\n{counters.decisions:,} decisions in {minutes:.1f} minutes, {speed:,.0f} a second\n", flush=True)
    if status == "interrupted":
        print(f"Interrupted. To go on: {_resume_command(folder)}")
        return stop.code or TERMINATED  # a signal to another process
    if config.opponents:
        duels = _final_table(config, folder, trainer.group.local_size)
        episode = config.episode
        pairings = [(str(folder), opponent) for opponent in config.opponents]
        result["table"] = [report.as_dictionary(*pair, episode) for pair in zip(pairings, duels, strict=True)]
        write_json(folder / RESULT, result)
        if config.exploit:
            found = exploit.as_dictionary(config.exploit, duels[0], episode, counters.decisions, FINAL_DEALS)
            write_json(folder / exploit.RESULT, found)
            print("\n" + exploit.sentence(config.exploit, duels[0], episode))
    print(_next_commands(config, folder))
    return 0


def _final_table(config: TrainConfig, folder: Path, workers: int) -> list[Duel]:
    """Evaluate the last checkpoint, as it is on the disk, and print how it did."""
    from agents import arena, report
    from agents.progress import Progress
    from agents.trainer import FINAL_DEALS

    pairs, episode = config.evaluation.final_pairs, config.episode
    pairings = [(str(folder), opponent) for opponent in config.opponents]
    with Progress("pairs", pairs * len(pairings)) as progress:
        duels = arena.play_pairings(
            pairings,
            config.make_rules(),
            pairs,
            FINAL_DEALS,
            episode,
            workers=workers,
            on_progress=progress.advance,
        )
    print(report.method_line(config.variant, pairs, FINAL_DEALS, episode))
    print()
    report.print_table(report.score_table(pairings, duels, episode))
    print()
    report.print_table(report.bidding_table(pairings, duels))
    for line in report.forfeit_lines(pairings, duels):
        print(line)
    return duels


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


def _resume_command(folder: Path) -> str:
    return f"python train.py --resume {shlex.quote(str(folder))}"


class Stop:
    """Whether a signal has asked the run to stop, and the exit code that says so."""

    def __init__(self) -> None:
        self.code = 0

    def is_set(self) -> bool:
        """Whether the run should stop after this iteration."""
        return self.code != 0


@contextmanager
def _signals() -> Iterator[Stop]:
    """The first Ctrl-C or SIGTERM asks to stop, a second one interrupts."""
    stop = Stop()
    if threading.current_thread() is not threading.main_thread():
        yield stop  # only the main thread may change what a signal does
        return
    before: dict[signal.Signals, Any] = {}

    def first(number: int, frame: FrameType | None) -> None:
        stop.code = TERMINATED if number == signal.SIGTERM else INTERRUPTED
        for each, handler in before.items():
            signal.signal(each, signal.default_int_handler if each == signal.SIGINT else handler)
        if os.environ.get("RANK", "0") == "0":  # of those that torchrun has started, the leader
            print("\nstopping after this iteration; once more stops at once", file=sys.stderr, flush=True)

    for each in (signal.SIGINT, signal.SIGTERM):
        before[each] = signal.signal(each, first)
    try:
        yield stop
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)
