"""The training loop: play, learn, and now and then evaluate and write a checkpoint.

Every process of a run is a ``Trainer``; all do the same, and the one that leads also reports and writes.

Everything random is drawn from a generator made from (seed, purpose, iteration, worker), and the deals are numbered
on: what a run does is fixed by its configuration (with the number of workers), and a run that goes on from a checkpoint
does the same as one that was never interrupted.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch

from agents.arena import play_unit
from agents.checkpoint import CheckpointError, load_policy, load_training, pool_from, pool_tensors, save_checkpoint
from agents.config import TrainConfig
from agents.deal_sets import TUNED_ON
from agents.network import NetworkShape, PolicyValueNetwork
from agents.parallel import Group
from agents.policy import NetworkAgent
from agents.ppo import Learner, explained_variance
from agents.precision import Precision
from agents.registry import make_agent
from agents.rollout import collect
from agents.statistics import Estimate, mean_estimate
from pedro_env.cards import N_SUITS
from pedro_env.engine import Batch
from pedro_env.layout import layout_of

TRAINING_DEALS = 1 << 40
"""Added to a run's seed, so that no packs are trained on that ``evaluate.py`` deals."""
YARDSTICK_DEALS = (1 << 41) + 1
"""The seed of the evaluations during a run: the same deals in all runs."""
FINAL_DEALS = (1 << 41) + 2
"""The seed of the final table: deals on which nothing was ever chosen."""

_PLAY, _SHUFFLE, _PAST = range(3)


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
    checkpoint: Path | None = None
    """Where one was written now."""


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
        self.network = PolicyValueNetwork(self.layout, network_shape, config.seed)
        self.precision = Precision(config.precision)
        self.learner = Learner(self.network, config.ppo, self.precision, self.group)
        self.past = PolicyValueNetwork(self.layout, network_shape)
        self.pool: list[dict[str, torch.Tensor]] = []
        self.counters.pool_every = config.selfplay.pool_every
        self.yardstick = make_agent(config.evaluation.yardstick, self.rules)
        tables = np.arange(config.selfplay.tables)
        self.tables = np.array_split(tables, self.group.size)[self.group.rank]
        self.past_tables = round(config.selfplay.past_share * len(self.tables))

    def run(self, wants_to_stop: Callable[[], bool], on_report: Callable[[Report], None]) -> bool:
        """Train to the end of the budget; whether it was reached. The leader is asked, and gets the reports.

        A checkpoint is written at the end in any case.
        """
        budget = self.config.budget
        start = time.monotonic() - self.counters.seconds
        stop = False
        while self.counters.decisions < budget.decisions and not stop:
            before = self.counters.decisions
            began = time.monotonic()
            late = 0 < 60 * budget.minutes <= began - start
            scalars, stop = self._iterate(self.group.leads and (late or wants_to_stop()))
            finished = time.monotonic()
            self.counters.seconds = finished - start
            scalars["speed/decisions_per_second"] = (self.counters.decisions - before) / (finished - began)
            report = Report(self.counters, scalars)
            if self._due(self.config.evaluation.times, before):
                report.score = self.evaluate()
                self.counters.seconds = time.monotonic() - start
            over = stop or self.counters.decisions >= budget.decisions
            if over or self._due(self.config.checkpoints.times, before):
                report.checkpoint = self.save()
            if self.group.leads:
                on_report(report)
        return self.counters.decisions >= budget.decisions

    def evaluate(self) -> Estimate:
        """Points a deal of the greedy policy over the yardstick, on deals that are the same every time."""
        pairs = self.config.evaluation.pairs
        mine = np.array_split(np.arange(pairs), self.group.size)[self.group.rank]
        difference = torch.zeros(pairs, dtype=torch.float64)
        if len(mine):
            agent = NetworkAgent(self.network)
            duel = play_unit(agent, self.yardstick, self.rules, mine, YARDSTICK_DEALS)
            difference[mine] = torch.from_numpy(duel.difference.mean(axis=1))
        estimate = mean_estimate(self.group.sum(difference).numpy())
        figures = {key: value for key, value in asdict(estimate).items() if key in ("mean", "low", "high", "pairs")}
        counters = {"decisions": self.counters.decisions, "seconds": round(self.counters.seconds, 1)}
        self.curve.append(counters | figures)
        return estimate

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
        return save_checkpoint(self.folder, self.network, self.config.rules, training, info, keep)

    def load(self, checkpoint: Path) -> None:
        """Go on from a checkpoint of this run."""
        self.network.load_state_dict(load_policy(checkpoint, self.rules).network.state_dict())
        tensors, info = load_training(checkpoint)
        self.learner.load_state(tensors)
        self.pool = pool_from(tensors)
        self.counters = Counters(**info["counters"])
        self.curve = info["curve"]

    # --- an iteration

    def _iterate(self, wants_to_stop: bool) -> tuple[dict[str, float], bool]:
        """Play and learn once. The scalars of all processes together, and whether the leader wants to stop."""
        self._remember()
        selfplay = self.config.selfplay
        matches = self.counters.iteration * selfplay.tables + self.tables
        batch = Batch(self.rules, TRAINING_DEALS + self.config.seed, matches, validate=False)
        player = self.precision.player(self.network)
        past = self._past_self()
        rng = self._stream(_PLAY)
        decisions, sums = collect(player, past, batch, self.past_tables, self.config.ppo.gae_lambda, rng)
        progress = self.counters.decisions / self.config.budget.decisions
        sums |= self.learner.update(decisions, progress, self._stream(_SHUFFLE))
        sums["stop"] = float(wants_to_stop)
        values = self.group.sum(torch.tensor(list(sums.values()), dtype=torch.float64))
        sums = dict(zip(sums, values.tolist(), strict=True))
        self.counters.iteration += 1
        self.counters.decisions += int(sums["decisions"])
        self.counters.decisions_all += int(sums["decisions_all"])
        self.counters.deals += int(sums["deals"])
        scalars = scalars_of(sums)
        scalars["train/learning_rate"] = self.learner.learning_rate
        scalars["train/entropy_weight"] = self.learner.entropy_weight
        scalars["selfplay/past_selves"] = float(len(self.pool))
        return scalars, sums["stop"] > 0

    def _remember(self) -> None:
        """Add the policy to the pool where it is time; when that is full, keep every other one."""
        if self.counters.iteration % self.counters.pool_every:
            return
        self.pool.append({name: value.detach().clone() for name, value in self.network.state_dict().items()})
        if len(self.pool) > self.config.selfplay.pool_size:
            self.pool = self.pool[::2]
            self.counters.pool_every *= 2

    def _past_self(self) -> PolicyValueNetwork | None:
        """One of the pool, each with the same probability."""
        if not self.past_tables:
            return None
        self.past.load_state_dict(self.pool[self._stream(_PAST).integers(len(self.pool))])
        return self.precision.player(self.past)

    def _stream(self, purpose: int) -> np.random.Generator:
        return np.random.default_rng([self.config.seed, purpose, self.counters.iteration, self.group.rank])

    def _due(self, times: int, before: int) -> bool:
        """Whether one of ``times`` equal parts of the budget has been finished since ``before`` decisions."""
        budget = self.config.budget.decisions
        return min(times, times * self.counters.decisions // budget) > times * before // budget


def scalars_of(sums: dict[str, float]) -> dict[str, float]:
    """What people watch, from sums over all processes of an iteration."""

    def per(name: str, unit: str) -> float:
        return sums[name] / sums[unit] if sums[unit] else math.nan

    named = np.array([sums[f"named_{suit}"] for suit in range(N_SUITS)])
    shares = named[named > 0] / max(1.0, named.sum())
    return {
        "loss/policy": per("loss_policy", "steps"),
        "loss/value": per("loss_value", "steps"),
        "train/entropy": per("entropy", "steps"),
        "train/approx_kl": per("kl", "steps"),
        "train/clip_fraction": per("clipped", "steps"),
        "train/explained_variance": explained_variance(sums),
        "train/gradient_norm": per("gradient_norm", "steps"),
        "deals/bid_rate": per("bids_made", "bids_asked"),
        "deals/made_rate": per("contracts_made", "contracts"),
        "deals/mean_bid": per("bid_total", "contracts"),
        "deals/declarer_points": per("declarer_change", "contracts"),
        "deals/points_a_deal": per("score_total", "contracts"),
        "deals/entropy_of_named_suit": float(-(shares * np.log2(shares)).sum()),
    }


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


def follow(group: Group, config: TrainConfig, folder: Path, checkpoint: Path | None) -> None:
    """The work of a process that does not lead."""
    trainer = Trainer(group, config, folder)
    if checkpoint is not None:
        trainer.load(checkpoint)
    trainer.run(lambda: False, lambda report: None)
