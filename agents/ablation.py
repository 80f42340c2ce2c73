"""Train with one thing changed at a time, and print what it changed: a table with intervals over seeds.

    python -m agents.ablation configs/ablations/choices.yaml
    python -m agents.ablation configs/ablations/choices.yaml --only default "no history" --decisions 1000000

The file names the arms; ``base`` is the configuration that they share, and each arm says what differs from it. Every
arm is trained with every seed, each run in a folder of its own below ``--out``, ``--jobs`` at a time. What is finished
is not done again, and a run that was interrupted goes on where it stood: start the same command again. Nothing is
removed: a folder of another run, or of something else, is refused.

The figure is the points a deal over the opponent in the run's final table (duplicate deals that nothing was chosen on,
the same for all runs). An arm's interval is Student's t on one figure a seed; so is that of its difference to the
first arm, seed by seed.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from agents.config import ConfigError, TrainConfig, from_dict, read_yaml
from agents.errors import AgentError
from agents.statistics import Estimate, mean_estimate
from agents.training import check_packages
from agents.workers import available_cores
from pedro_env.console import INTERRUPTED, USER_MISTAKE, Parser, fail, run, whole_number
from pedro_env.files import write_whole
from pedro_env.words import near

PROGRAM = "python -m agents.ablation"
TRAIN = Path(__file__).parent.parent / "train.py"
KEYS = ("seeds", "opponent", "base", "arms")
TABLE = "ablations.json"
_OF_THE_MACHINE = ("runs", "device", "precision")
"""Settings that a run may resolve otherwise than the plan says."""


class AblationError(AgentError):
    """A run that failed: one line."""


@dataclass(frozen=True)
class Plan:
    """What is trained: configurations by arm, with the first seed that the file names."""

    arms: dict[str, TrainConfig]
    seeds: tuple[int, ...]
    opponent: str


@dataclass(frozen=True)
class Job:
    """One run."""

    arm: str
    seed: int
    config: dict[str, Any]
    folder: Path


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    options = _parser().parse_args(arguments)
    try:
        check_packages()
        plan = read_plan(options.file, options.decisions, options.seeds)
        arms = _chosen(plan, options.only)
        jobs = [_job(plan, arm, seed, options.out) for seed in plan.seeds for arm in arms]
        figures = _train(jobs, plan.opponent, options.jobs)
    except (AgentError, ConfigError, OSError) as error:
        return fail(PROGRAM, str(error), USER_MISTAKE)
    except KeyboardInterrupt:
        return fail(PROGRAM, "interrupted; the same command goes on", INTERRUPTED)
    rows = table(arms, plan.seeds, figures)
    print_table(plan, rows)
    write_whole(options.out / TABLE, (json.dumps(rows, indent=1) + "\n").encode())
    return 0


def read_plan(file: Path, decisions: int | None, seeds: Sequence[int] | None) -> Plan:
    """The plan in a file; ``decisions`` and ``seeds``, where given, replace what it says.

    Raises ``ConfigError`` that names what is wrong.
    """
    values = read_yaml(file)
    for key in values:
        if key not in KEYS:
            raise ConfigError(f"{file}: unknown key {key!r}{near(str(key), KEYS)}; the keys are: {', '.join(KEYS)}")
    arms, base = values.get("arms"), values.get("base") or {}
    if not isinstance(arms, Mapping) or not arms or not isinstance(base, Mapping):
        raise ConfigError(f"{file}: 'arms' and 'base' hold 'key: value' lines, and there is at least one arm")
    opponent = str(values.get("opponent", "heuristic-1"))
    seeds = seeds or values.get("seeds") or (0, 1, 2)
    if not isinstance(seeds, Sequence) or not all(type(seed) is int and seed >= 0 for seed in seeds):
        raise ConfigError(f"{file}: 'seeds' cannot be {seeds!r}; they are a list of whole numbers from 0")
    budget = {} if decisions is None else {"budget": {"decisions": decisions}}
    needed = {"evaluation": {"final_opponents": opponent}}
    configs = {
        str(name): from_dict(_merged(base, arm or {}, budget, needed), f"{file}: {name}: ")
        for name, arm in arms.items()
    }
    _check_arms(configs, opponent, str(file))
    return Plan(configs, tuple(dict.fromkeys(seeds)), opponent)


def table(arms: Sequence[str], seeds: Sequence[int], figures: Mapping[tuple[str, int], float]) -> list[dict[str, Any]]:
    """A row an arm: its figures by seed, their mean, and its difference to the first arm, with intervals over seeds."""
    rows: list[dict[str, Any]] = []
    first = [figures[arms[0], seed] for seed in seeds]
    for arm in arms:
        own = [figures[arm, seed] for seed in seeds]
        change = [a - b for a, b in zip(own, first, strict=True)]
        rows.append(
            {
                "arm": arm,
                "by_seed": dict(zip(map(str, seeds), own, strict=True)),
                "points_a_deal": _interval(mean_estimate(own)),
                "over_the_first": _interval(mean_estimate(change)) if arm != arms[0] else None,
            }
        )
    return rows


def print_table(plan: Plan, rows: Sequence[Mapping[str, Any]]) -> None:
    """The table for people."""
    first = rows[0]["arm"]
    decisions = plan.arms[first].budget.decisions
    print(f"\npoints a deal over {plan.opponent} after {decisions:,} decisions; 95% intervals over seeds\n")
    width = max(len(row["arm"]) for row in rows)
    for row in rows:
        seeds = " ".join(f"{value:+.2f}" for value in row["by_seed"].values())
        own, change = row["points_a_deal"], row["over_the_first"]
        text = f"  {row['arm']:{width}}  {_words(own):22}  ({seeds})"
        print(text if change is None else f"{text}  {_words(change)} to {first}")


def _interval(estimate: Estimate) -> dict[str, Any]:
    return {"mean": estimate.mean, "low": estimate.low, "high": estimate.high}


def _words(figures: Mapping[str, Any]) -> str:
    if figures["low"] is None:
        return f"{figures['mean']:+.2f}"
    return f"{figures['mean']:+.2f} [{figures['low']:+.2f}, {figures['high']:+.2f}]"


def _merged(*parts: Mapping[Any, Any]) -> dict[str, Any]:
    """Nested dictionaries, the later ones on top."""
    merged: dict[str, Any] = {}
    for part in parts:
        for key, value in part.items():
            below = merged.get(key)
            both = isinstance(below, dict) and isinstance(value, Mapping)
            merged[key] = _merged(cast("dict[str, Any]", below), value) if both else value
    return merged


def _chosen(plan: Plan, only: Sequence[str] | None) -> list[str]:
    for name in only or ():
        if name not in plan.arms:
            raise ConfigError(f"there is no arm {name!r}{near(name, plan.arms)}; the arms are: {', '.join(plan.arms)}")
    return list(dict.fromkeys(only or plan.arms))


def _check_arms(configs: Mapping[str, TrainConfig], opponent: str, file: str) -> None:
    arm_of: dict[str, str] = {}
    for arm, config in configs.items():
        other = arm_of.setdefault(_in_a_path(arm), arm)
        if other != arm:
            raise ConfigError(f"{file}: the arms {other!r} and {arm!r} would have the same folder: rename one of them")
        if config.exploit and config.exploit != opponent:
            raise ConfigError(
                f"{file}: {arm}: exploit is {config.exploit!r}, so its final table has no other opponent: "
                f"'opponent' is {opponent!r}, and would have to be the same"
            )


def _in_a_path(arm: str) -> str:
    return "".join(c if c.isalnum() or c in "-." else "-" for c in arm)


def _job(plan: Plan, arm: str, seed: int, out: Path) -> Job:
    name = f"{_in_a_path(arm)}-seed-{seed}"
    values = plan.arms[arm].to_dict() | {"seed": seed, "runs": str(out), "name": name}
    return Job(arm, seed, values, out / name)


def _train(jobs: Sequence[Job], opponent: str, at_once: int) -> dict[tuple[str, int], float]:
    """The figure of every run, trained where it has not been."""
    figures: dict[tuple[str, int], float] = {}
    stop = threading.Event()
    processes: set[subprocess.Popen[str]] = set()

    def work(job: Job) -> float:
        found = _finished(job, opponent)
        if found is None and not stop.is_set():
            _run(job, processes, stop)
            found = _finished(job, opponent)
        if found is None:
            raise AblationError(f"{job.folder} did not finish")
        return found

    with ThreadPoolExecutor(at_once) as pool:
        waiting: dict[Future[float], Job] = {pool.submit(work, job): job for job in jobs}
        try:
            while waiting:
                for future in wait(waiting, return_when=FIRST_COMPLETED).done:
                    job = waiting.pop(future)
                    figures[job.arm, job.seed] = future.result()
                    done = f"{len(figures)} of {len(jobs)}"
                    print(f"{done}: {job.arm}, seed {job.seed}: {figures[job.arm, job.seed]:+.2f}", flush=True)
        except BaseException:
            stop.set()
            pool.shutdown(wait=False, cancel_futures=True)
            for process in list(processes):
                process.terminate()
            raise
    return figures


def _run(job: Job, processes: set[subprocess.Popen[str]], stop: threading.Event) -> None:
    """Train one run to its end, or until it is told to stop, from where it stands."""
    import yaml

    started = _is_started(job)
    job.folder.parent.mkdir(parents=True, exist_ok=True)
    config = job.folder.with_name(f"{job.folder.name}.yaml")  # a name may have dots
    write_whole(config, yaml.safe_dump(job.config, sort_keys=False, allow_unicode=True).encode())
    command = ["--resume", str(job.folder)] if started else [str(config)]
    process = subprocess.Popen(
        [sys.executable, str(TRAIN), *command], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )
    processes.add(process)
    if stop.is_set():  # since before the process was there to be told
        process.terminate()
    try:
        _, said = process.communicate()
    finally:
        processes.discard(process)
    if process.returncode:
        last = said.strip().splitlines()[-1:] or [f"exit code {process.returncode}"]
        raise AblationError(f"{job.folder}: {last[0]}")


def _finished(job: Job, opponent: str) -> float | None:
    """The figure of a finished run; None where it is not finished. ``ConfigError`` where it is another run."""
    try:
        result = json.loads((job.folder / "result.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    if not _is_started(job):
        return None
    points = {row["b"]: row["points_a_deal"]["mean"] for row in result["table"]}
    return points.get(opponent)


def _is_started(job: Job) -> bool:
    """Whether the job's folder is one of this very run; ``ConfigError`` where it is something else."""
    from agents.runs import CONFIG, VERSIONS

    if not (job.folder / CONFIG).exists():
        # One that was killed at once has not yet written its configuration; ``train.py`` begins in such a folder.
        left = {path.name for path in job.folder.iterdir()} if job.folder.is_dir() else set[str]()
        if {name for name in left if not name.startswith(".")} - {VERSIONS} or job.folder.is_file():
            raise ConfigError(f"{job.folder} is not a run ({CONFIG} is not there): move it, or choose another --out")
        return False
    found, wanted = read_yaml(job.folder / CONFIG), from_dict(job.config).resolved().to_dict()
    differing = [key for key in wanted if key not in _OF_THE_MACHINE and found.get(key) != wanted[key]]
    if differing:
        raise ConfigError(
            f"{job.folder} was trained with other settings ({', '.join(differing)}): choose another --out"
        )
    return True


def _parser() -> argparse.ArgumentParser:
    parser = Parser(PROGRAM, __doc__)
    add = parser.add_argument
    add("file", type=Path, metavar="FILE.yaml", help="arms, seeds and what all runs share")
    add("--only", nargs="+", metavar="ARM", help="these arms; the others are compared with the first (all)")
    add("--decisions", type=whole_number(1, 10**12), metavar="N", help="budget of a run (as the file says)")
    add("--seeds", type=whole_number(0, 2**31 - 1), nargs="+", metavar="S", help="(as the file says)")
    add("--out", type=Path, default=Path("runs/ablations"), metavar="DIR", help="folder of the runs (runs/ablations)")
    add(
        "--jobs",
        type=whole_number(1, 1024),
        default=available_cores(),
        metavar="K",
        help="runs at a time (a core each)",
    )
    return parser


if __name__ == "__main__":
    sys.exit(run(main))
