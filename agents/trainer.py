"""The training loop: play, learn, and now and then evaluate and write a checkpoint.

Every process of a run is a ``Trainer``; all do the same, and the one that leads also reports and writes.

Everything random is drawn from a generator made from (seed, purpose, iteration, process), and the deals are numbered
on: what a run does is fixed by its configuration (with the number of processes), and a run that goes on from a
checkpoint does the same as one that was never interrupted. An iteration plays whole deals, so that no game is ever
under way between two of them, where checkpoints are.
"""

from __future__ import annotations

import copy
import json
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import safetensors.torch
import torch
from torch import Tensor

from agents.arena import play_unit
from agents.checkpoint import (
    CheckpointError,
    Policy,
    checkpoints,
    load_policy,
    load_training,
    pool_from,
    pool_tensors,
    save_checkpoint,
)
from agents.config import TrainConfig
from agents.deal_sets import TUNED_ON
from agents.devices import device_of
from agents.errors import AgentError, TrainingError
from agents.network import NetworkShape, PolicyValueNetwork
from agents.parallel import Group
from agents.policy import NetworkAgent
from agents.ppo import Learner
from agents.precision import Precision
from agents.registry import make_agent
from agents.rollout import Decisions, Tables, collect
from agents.scalars import scalars_of
from agents.setting import make_settings, part_of
from agents.statistics import Estimate, mean_estimate
from agents.told_deals import told_deals
from agents.workers import WorkerError
from pedro_env.agent import Agent
from pedro_env.engine import Batch
from pedro_env.layout import layout_of

TRAINING_DEALS = 1 << 40
"""Added to a run's seed, so that no packs are trained on that ``evaluate.py`` deals."""
YARDSTICK_DEALS = (1 << 41) + 1
"""The seed of the evaluations during a run: the same deals in all runs."""
FINAL_DEALS = (1 << 41) + 2
"""The seed of the final table: deals on which nothing was ever chosen."""
TOLD_DEALS = 2
"""Deals in words an evaluation."""

_Result = TypeVar("_Result")

_PURPOSES = 4
_PLAY, _SHUFFLE, _PAST, _SCORES = range(_PURPOSES)


@dataclass
class Counters:
    """How far a run is; part of every checkpoint."""

    iteration: int = 0
    decisions: int = 0
    """Learnt from."""
    decisions_all: int = 0
    """Taken at the tables, by anyone, forced ones too."""
    deals: int = 0
    seconds: float = 0.0
    pool_every: int = 0
    """Iterations between two past selves, now."""


@dataclass
class Report:
    """What an iteration has to say."""

    counters: Counters
    scalars: dict[str, float]
    """By name, as in TensorBoard."""
    score: Estimate | None = None
    """Points a deal over the yardstick, where it was evaluated now."""
    baselines: dict[str, Estimate] = field(default_factory=dict)
    """The same over the other baselines."""
    sums: dict[str, float] = field(default_factory=dict)
    """What the scalars were computed from, of all processes."""
    told_deals: list[str] = field(default_factory=list)
    """Some deals of the policy as text, where it was evaluated now."""
    checkpoint_follows: bool = False
    """Whether a checkpoint is written next: what is shown should be on the disk before it is."""


@dataclass
class _State:
    """What an iteration changes, to go back to its beginning."""

    network: dict[str, Tensor]
    optimizer: dict[str, Tensor]
    pool: list[dict[str, Tensor]]
    counters: Counters
    evaluations: int


@dataclass
class Trainer:
    """One process of a run. ``config`` is resolved."""

    group: Group
    config: TrainConfig
    folder: Path
    counters: Counters = field(default_factory=Counters)
    curve: list[dict[str, Any]] = field(default_factory=list)
    """Every evaluation so far: decisions, seconds, mean, low, high."""

    def __post_init__(self) -> None:
        config = self.config
        self.rules = config.make_rules()
        self.layout = layout_of(self.rules)
        network_shape = NetworkShape(**asdict(config.network))
        device = device_of(config.device, self.group.local_rank)
        self.network = PolicyValueNetwork(self.layout, network_shape, config.seed).to(device)
        if config.initial and not checkpoints(self.folder):
            self.network.load_state_dict(initial_policy(config).network.state_dict())
        precision = Precision(config.precision)
        self.learner = Learner(self.network, config.ppo, precision, self.group)
        self.past = precision.copy(self.network)
        self.pool: list[dict[str, torch.Tensor]] = []
        self.counters.pool_every = config.selfplay.pool_every
        self.yardstick = make_agent(config.evaluation.yardstick, self.rules)
        tables = np.arange(config.selfplay.tables)
        own = np.array_split(tables, self.group.size)[self.group.rank]
        self.parts = np.array_split(own, min(config.selfplay.buffers, len(own)))
        """This process's tables, in parts that take turns."""
        self.settings = make_settings(config, self.rules, len(self.parts))
        """One a part."""
        self.interrupted = False
        """Whether some process has wanted to stop."""
        self.unsaved = ""
        """Why the last checkpoint could not be written; empty: it was."""

    def run(
        self,
        wants_to_stop: Callable[[], bool],
        on_report: Callable[[Report], None],
        on_trouble: Callable[[str], None] = lambda line: print(line, file=sys.stderr, flush=True),
    ) -> bool:
        """Train to the end of the budget; whether it was reached. The leader gets the reports.

        All processes stop after the iteration in which one of them wants to. A checkpoint is written at the end in any
        case; where that cannot be done on the way, ``on_trouble`` is told, and every iteration tries again. Raises
        ``TrainingError`` where something is not finite, an agent fails or the last checkpoint cannot be written,
        ``WorkerError`` where another process has died; what was learnt before that iteration is kept.
        """
        budget = self.config.budget
        start = time.monotonic() - self.counters.seconds
        stop = False
        while self.counters.decisions < budget.decisions and not stop:
            good = self._state()
            try:
                report, stop = self._advance(start, wants_to_stop)
            except (TrainingError, WorkerError, AgentError) as error:
                self._return_to(good)
                self._try_to_save(on_trouble)
                kind = WorkerError if isinstance(error, WorkerError) else TrainingError
                raise kind(f"iteration {good.counters.iteration + 1}: {error}") from None
            if self.group.leads:
                on_report(report)
                if report.checkpoint_follows:
                    self._try_to_save(on_trouble)
        if self.unsaved:
            raise TrainingError(self.unsaved)
        return self.counters.decisions >= budget.decisions

    def _advance(self, start: float, wants_to_stop: Callable[[], bool]) -> tuple[Report, bool]:
        """An iteration and, where it is time, an evaluation; whether the run stops here."""
        before, began = self.counters.decisions, time.monotonic()
        late = self.group.leads and 0 < 60 * self.config.budget.minutes <= began - start
        scalars, stop = self._iterate(wants_to_stop, late)
        finished = time.monotonic()
        self.counters.seconds = finished - start
        scalars["speed/decisions_per_second"] = (self.counters.decisions - before) / (finished - began)
        report = Report(self.counters, scalars, sums=self.sums)
        evaluate = self._due(self.config.evaluation.times, before)
        if evaluate:
            report.score = self.evaluate()
            report.baselines, report.told_deals = self.look_closer()
            self.counters.seconds = time.monotonic() - start
        over = stop or self.counters.decisions >= self.config.budget.decisions
        due = evaluate or self._due(self.config.checkpoints.times, before)
        report.checkpoint_follows = over or due or bool(self.unsaved)
        return report, stop

    def evaluate(self) -> Estimate:
        """Points a deal of the greedy policy over the yardstick, on deals that are the same every time."""
        estimate = self._points_over(self.yardstick, self.config.evaluation.pairs)
        figures = {key: value for key, value in asdict(estimate).items() if key in ("mean", "low", "high", "pairs")}
        counters = {"decisions": self.counters.decisions, "seconds": round(self.counters.seconds, 1)}
        self.curve.append(counters | figures)
        return estimate

    def look_closer(self) -> tuple[dict[str, Estimate], list[str]]:
        """Points a deal over the other baselines, and (the leader's) some deals as text."""
        config = self.config
        estimates = {
            name: self._points_over(make_agent(name, self.rules), config.evaluation.baseline_pairs)
            for name in config.baselines
        }

        def tell() -> list[str]:
            if not self.group.leads:
                return []
            return told_deals(self._agent(), self.rules, config.rules, TOLD_DEALS, YARDSTICK_DEALS)

        return estimates, self._all_or_none(tell)

    def _points_over(self, opponent: Agent, pairs: int) -> Estimate:
        mine = np.array_split(np.arange(pairs), self.group.size)[self.group.rank]

        def play() -> Tensor:
            difference = torch.zeros(pairs, dtype=torch.float64)
            if len(mine):
                duel = play_unit(self._agent(), opponent, self.rules, mine, YARDSTICK_DEALS)
                difference[mine] = torch.from_numpy(duel.difference.mean(axis=1))
            return difference

        return mean_estimate(self.group.sum(self._all_or_none(play)).numpy())

    def _agent(self) -> Agent:
        """The greedy policy, with what is frozen, on the CPU, where the games are."""
        return self.settings[0].whole(NetworkAgent(copy.deepcopy(self.network).cpu()))

    # --- checkpoints

    def save(self) -> Path | None:
        """Write a checkpoint (the leader does; the processes' states are the same)."""
        if not self.group.leads:
            return None
        training = self.learner.state() | pool_tensors(self.pool)
        info = {
            "counters": asdict(self.counters),
            "seed": self.config.seed,
            "workers": self.group.size,
            "yardstick": self.config.evaluation.yardstick,
            "curve": self.curve,
            TUNED_ON: self.config.tuned_on,
        }
        keep = self.config.checkpoints.keep
        part = part_of(self.config)
        return save_checkpoint(self.folder, self.network, self.config.rules, training, info, keep, part)

    def load(self, checkpoint: Path) -> None:
        """Go on from a checkpoint of this run, which the leader reads and gives to the others."""
        tensors, figures = b"", b""
        if self.group.leads:
            network = load_policy(checkpoint, self.rules).network.state_dict()
            training, info = load_training(checkpoint)
            tensors = safetensors.torch.save(training | {f"network/{name}": value for name, value in network.items()})
            figures = json.dumps([info["counters"], info["curve"]]).encode()
        state = safetensors.torch.load(self.group.share(tensors))
        counters, self.curve = json.loads(self.group.share(figures))
        own = {name.removeprefix("network/"): value for name, value in state.items() if name.startswith("network/")}
        self.network.load_state_dict(own)
        self.learner.load_state(state)
        self.pool = pool_from(state)
        self.counters = Counters(**counters)

    def _try_to_save(self, on_trouble: Callable[[str], None]) -> None:
        try:
            place = self.save()
        except CheckpointError as error:
            if not self.unsaved:
                on_trouble(f"{error}; it is tried again after every iteration of the run")
            self.unsaved = str(error)
        else:
            if self.unsaved:
                on_trouble(f"{place} could be written")
            self.unsaved = ""

    def _state(self) -> _State:
        network = {name: value.clone() for name, value in self.network.state_dict().items()}
        optimizer = {name: value.clone() for name, value in self.learner.state().items()}
        return _State(network, optimizer, self.pool.copy(), replace(self.counters), len(self.curve))

    def _return_to(self, state: _State) -> None:
        self.network.load_state_dict(state.network)
        self.learner.load_state(state.optimizer)
        self.pool = state.pool
        self.counters = state.counters
        del self.curve[state.evaluations :]

    # --- an iteration

    def _iterate(self, wants_to_stop: Callable[[], bool], late: bool) -> tuple[dict[str, float], bool]:
        """Play and learn once. The scalars of all processes together, and whether the run stops here."""
        self._remember()
        decisions, sums = self._play()
        progress = self.counters.decisions / self.config.budget.decisions
        sums |= self.learner.update(decisions, progress, self._stream(_SHUFFLE))
        sums |= {"wants_to_stop": float(wants_to_stop()), "late": float(late)}
        values = self.group.sum(torch.tensor(list(sums.values()), dtype=torch.float64))
        sums = dict(zip(sums, values.tolist(), strict=True))
        self.counters.iteration += 1
        self.counters.decisions += int(sums["decisions"])
        self.counters.decisions_all += int(sums["decisions_all"])
        self.counters.deals += int(sums["deals"])
        self.sums = sums
        scalars = scalars_of(sums, self.config.fixed_agents)
        scalars["train/learning_rate"] = self.learner.learning_rate
        scalars["train/entropy_weight"] = self.learner.entropy_weight
        scalars["selfplay/past_selves"] = float(len(self.pool))
        self.interrupted = sums["wants_to_stop"] > 0
        return scalars, self.interrupted or sums["late"] > 0

    def _play(self) -> tuple[Decisions, dict[str, float]]:
        """This process's deals of the iteration."""
        selfplay = self.config.selfplay
        first = self.counters.iteration * selfplay.tables
        parts: list[Tables] = []
        for number, (tables, setting) in enumerate(zip(self.parts, self.settings, strict=True)):
            batch = Batch(self.rules, TRAINING_DEALS + self.config.seed, first + tables, validate=False)
            setting.begin(batch, self._stream(_SCORES, number))
            past_tables = round(selfplay.past_share * len(tables))
            parts.append(Tables(batch, past_tables, self._stream(_PLAY, number), setting))
        with_past = not self.config.exploit and any(part.past_tables for part in parts)
        past = self._past_self() if with_past else None
        player, gae_lambda = self.learner.current(), self.config.ppo.gae_lambda
        return self._all_or_none(lambda: collect(player, past, parts, gae_lambda))

    def _all_or_none(self, work: Callable[[], _Result]) -> _Result:
        """What ``work`` returns. An error of it in one process is one in all: none waits for the others in vain."""
        failed: TrainingError | AgentError | None = None
        result: list[_Result] = []
        try:
            result.append(work())
        except (TrainingError, AgentError) as error:
            failed = error
        trouble = self.group.first(str(failed) or type(failed).__name__ if failed else "")
        if failed:
            raise failed
        if trouble:
            raise TrainingError(f"in another process: {trouble}")
        return result[0]

    def _remember(self) -> None:
        """Add the policy to the pool where it is time; when that is full, keep every other one."""
        if self.counters.iteration % self.counters.pool_every or self.config.exploit:
            return
        self.pool.append({name: value.cpu().clone() for name, value in self.network.state_dict().items()})
        if len(self.pool) > self.config.selfplay.pool_size:
            self.pool = self.pool[::2]
            self.counters.pool_every *= 2

    def _past_self(self) -> PolicyValueNetwork:
        """One of the pool, each with the same probability."""
        self.past.load_state_dict(self.pool[self._stream(_PAST).integers(len(self.pool))])
        return self.past

    def _stream(self, purpose: int, part: int = 0) -> np.random.Generator:
        """The generator for a purpose in this iteration and process, for a part of its tables."""
        return np.random.default_rng(
            [self.config.seed, purpose + _PURPOSES * part, self.counters.iteration, self.group.rank]
        )

    def _due(self, times: int, before: int) -> bool:
        """Whether one of ``times`` equal parts of the budget has been finished since ``before`` decisions."""
        budget = self.config.budget.decisions
        return min(times, times * self.counters.decisions // budget) > times * before // budget


def initial_policy(config: TrainConfig) -> Policy:
    """The policy whose weights a run begins with. Raises ``CheckpointError`` where its network is another one."""
    policy = load_policy(config.initial, config.make_rules())
    if policy.network.shape != NetworkShape(**asdict(config.network)):
        shape = asdict(policy.network.shape)
        flags = " ".join(f"--network.{key} {value}" for key, value in shape.items())
        raise CheckpointError(f"{config.initial}: its network is not that of this run: {flags}")
    return policy


def check_checkpoint(checkpoint: Path, config: TrainConfig) -> Counters:
    """How far a checkpoint is, having made sure that a run of this configuration can go on from it.

    Raises ``CheckpointError`` where it is damaged, altered, or of another game, network or number of processes.
    """
    policy = load_policy(checkpoint, config.make_rules())
    _, info = load_training(checkpoint)
    if policy.network.shape != NetworkShape(**asdict(config.network)):
        raise CheckpointError(f"{checkpoint}: its network is not that of the run's configuration ({config.network})")
    if info.get("workers") != int(config.workers):
        raise CheckpointError(
            f"{checkpoint}: made by {info.get('workers')} processes, and the run's configuration says "
            f"{config.workers}: set 'workers' in it to what it was"
        )
    try:
        counters = Counters(**info["counters"])
        whole = (counters.iteration, counters.decisions, counters.decisions_all, counters.deals, counters.pool_every)
        if not all(type(value) is int and value >= 0 for value in whole) or not isinstance(info["curve"], list):
            raise ValueError
        float(counters.seconds)
    except (KeyError, TypeError, ValueError):
        raise CheckpointError(f"{checkpoint}: damaged or altered: its counters or its curve are not there") from None
    return counters


def choose_checkpoint(found: list[Path], config: TrainConfig) -> tuple[Path, Counters, list[CheckpointError]]:
    """The newest checkpoint that a run can go on from, how far it is, and what is wrong with those that are newer.

    ``found`` has one at least, the oldest first. Raises ``CheckpointError``, that of the newest, where none will do.
    """
    errors: list[CheckpointError] = []
    for place in reversed(found):
        try:
            return place, check_checkpoint(place, config), errors
        except CheckpointError as error:
            errors.append(error)
    raise errors[0]


def follow(
    group: Group,
    config: TrainConfig,
    folder: Path,
    checkpoint: Path | None,
    wants_to_stop: Callable[[], bool] = lambda: False,
) -> None:
    """The work of a process that does not lead.

    It looks at no file in the run's folder. It does read those that the configuration names, as the leader does: the
    weights to begin with (``initial``) and the agents that are files.
    """
    trainer = Trainer(group, config, folder)
    if checkpoint is not None:
        trainer.load(checkpoint)
    trainer.run(wants_to_stop, lambda report: None)
