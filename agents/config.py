"""The configuration of a training run: dataclasses, a YAML file, and a command-line flag for every field.

A file holds what differs from the defaults below. A flag is the field's path: ``--ppo.learning_rate 3e-4``,
``--variant oregon``; options of the variant are ``--rules.OPTION VALUE``. Flags cannot be shortened.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, is_dataclass, replace
from pathlib import Path
from typing import Any, Literal, get_type_hints

from agents.deal_sets import SETS
from agents.registry import split_list
from agents.workers import available_cores
from pedro_env.rules import Rules, RulesError
from pedro_env.variants import make_rules, parse_options
from pedro_env.words import near


class ConfigError(ValueError):
    """A configuration that cannot be used: one line that says what is wrong and what would be right."""


def setting(
    default: Any, help: str, low: float | None = None, high: float | None = None, choices: tuple[str, ...] = ()
) -> Any:
    """A field with its explanation and, for numbers, its range (both ends included), for texts what they can be."""
    return field(default=default, metadata={"help": help, "low": low, "high": high, "choices": choices})


@dataclass(frozen=True)
class Budget:
    """When a run ends."""

    decisions: int = setting(
        5_000_000,
        "decisions to learn from, rounded up to whole iterations: choices between two or more legal actions by the "
        "learning policy",
        1,
    )
    minutes: float = setting(0.0, "end earlier after so many minutes; 0: no such limit", 0)


@dataclass(frozen=True)
class NetworkConfig:
    """The network: fields as those of ``network.NetworkShape``."""

    width: int = setting(384, "units a hidden layer", 1, 1 << 14)
    layers: int = setting(2, "hidden layers", 1, 64)
    inputs: str = setting(
        "untimed",
        "what it is given: columns of the observation, all (columns) or all but in which trick a card was played "
        "(untimed), cards one by one, or the present without its history",
        choices=("untimed", "columns", "cards", "present"),
    )
    suits: str = setting(
        "canonical",
        "suits are put in an order (canonical), or renamed at random while learning (augmented)",
        choices=("canonical", "augmented"),
    )
    critic: str = setting(
        "own",
        "what the value sees while learning: what the seat does, or all hands (perfect)",
        choices=("own", "perfect"),
    )


@dataclass(frozen=True)
class Learning:
    """Which decisions are learnt, and what becomes of the others."""

    phases: str = setting(
        "all",
        "all; bidding: the auction and the naming of trumps; play: what comes after them, the exchange included",
        choices=("all", "bidding", "play"),
    )
    frozen: str = setting("heuristic-1", "agent (name or file) that takes the decisions that are not learnt")
    cards: str = setting(
        "played",
        "played; solved: the exact solver ends the deal where the play of the cards would begin (with phases bidding)",
        choices=("played", "solved"),
    )


@dataclass(frozen=True)
class SelfPlay:
    """How deals are played to learn from."""

    episode: str = setting(
        "deal",
        "deal: reward is the deal's change of scores; match: whole matches, +1 for the winners and -1 for the others",
        choices=("deal", "match"),
    )
    start_scores: str = setting(
        "zero", "scores at the start: zero, or as they occur before the deals of matches", choices=("zero", "matches")
    )
    scores_from: str = setting("heuristic-1", "agent whose matches the start scores are drawn from")

    tables: int = setting(1024, "deals (or matches) an iteration, over all workers", 2, 1 << 20)
    buffers: int = setting(1, "parts of a worker's tables that take turns; 2: one plays while a GPU computes", 1, 8)
    past_share: float = setting(0.15, "share of tables at which one side is a past self, or one of opponents", 0, 1)
    opponents: str = setting("", "fixed agents (names or files, commas between) in the league beside the past selves")
    opponents_share: float = setting(0.5, "share of those tables that they have, in equal parts", 0, 1)
    pool_size: int = setting(64, "past selves kept; when full, every other one is dropped", 2, 10_000)
    pool_every: int = setting(16, "iterations between two past selves; doubles when the pool is full", 1)


@dataclass(frozen=True)
class PPO:
    """The update."""

    learning_rate: float = setting(1e-3, "of Adam, at the start", 0)
    final_learning_rate: float = setting(5e-5, "at the end of the budget, linear between", 0)
    epochs: int = setting(2, "passes over an iteration's decisions", 1, 1000)
    minibatch: int = setting(1024, "decisions a gradient step, over all workers", 1, 1 << 22)
    clip: float = setting(0.2, "of the probability ratio", 0, 1)
    entropy: float = setting(0.05, "weight of the policy's entropy (nats)", 0)
    final_entropy: float = setting(0.05, "at the end of the budget, linear between", 0)
    value: float = setting(0.5, "weight of the value's squared error", 0)
    gae_lambda: float = setting(0.95, "of the advantage estimate; decisions are not discounted", 0, 1)
    max_gradient_norm: float = setting(0.5, "longer gradients are shortened to this", 0)


@dataclass(frozen=True)
class Evaluation:
    """Duplicate deals against a fixed opponent; they are never trained on."""

    yardstick: str = setting("heuristic-1", "the opponent during the run, and of the score that ends it")
    times: int = setting(10, "evaluations during the run", 0)
    pairs: int = setting(1000, "pairs of deals each", 2, 1_000_000)
    baselines: str = setting("random,morehead", "more opponents of these evaluations, for TensorBoard alone")
    baseline_pairs: int = setting(250, "pairs of deals against each of them", 2, 1_000_000)
    final_opponents: str = setting("random,morehead,heuristic-1,heuristic-2", "opponents in the final table")
    final_pairs: int = setting(10_000, "pairs of deals against each of them", 2, 10_000_000)
    tuned_on: str = setting("", "sets of deals (evaluate.py --on) by which this configuration was chosen: dev-1")


@dataclass(frozen=True)
class Checkpoints:
    """What a run leaves to go on from."""

    times: int = setting(10, "checkpoints during the run, beside those at its evaluations and at its end", 0)
    keep: int = setting(3, "the last so many are kept, and the best by evaluation", 1)


@dataclass(frozen=True)
class TrainConfig:
    """Everything that decides what a run does."""

    variant: str = setting("pedro", "the game: python -m pedro_env variants")
    rules: Mapping[str, Any] = field(default_factory=dict, metadata={"help": "options of the variant"})
    name: str = setting("", "the run's folder; empty: variant, configuration and a number")
    runs: str = setting("runs", "folder of all runs")
    seed: int = setting(0, "of deals, choices and first weights", 0, 2**31 - 1)
    initial: str = setting("", "begin with the weights of this run or checkpoint; empty: from scratch")
    exploit: str = setting(
        "",
        "train a best response to this agent (name or file), which has one side of every table; it is also the "
        "yardstick and the final opponent",
    )
    workers: str = setting("auto", "processes, one thread each; auto: two, one where there is one core; one a GPU")
    device: str = setting(
        "auto",
        "cpu or cuda, where the network computes; auto: cuda where PyTorch sees a GPU",
        choices=("auto", "cpu", "cuda"),
    )
    precision: str = setting(
        "auto",
        "bfloat16 or float32; auto: bfloat16 where the device has instructions for it",
        choices=("auto", "bfloat16", "float32"),
    )
    budget: Budget = field(default_factory=Budget)
    network: NetworkConfig = field(default_factory=NetworkConfig)
    learning: Learning = field(default_factory=Learning)
    selfplay: SelfPlay = field(default_factory=SelfPlay)
    ppo: PPO = field(default_factory=PPO)
    evaluation: Evaluation = field(default_factory=Evaluation)
    checkpoints: Checkpoints = field(default_factory=Checkpoints)

    def make_rules(self) -> Rules:
        """The rules of the game; ``ConfigError`` where variant and options do not fit."""
        try:
            return make_rules(self.variant, self.rules)
        except RulesError as error:
            raise ConfigError(str(error)) from None

    @property
    def opponents(self) -> list[str]:
        """The opponents of the final table."""
        return [self.exploit] if self.exploit else names_in(self.evaluation.final_opponents)

    @property
    def episode(self) -> Literal["deal", "match"]:
        """What a trajectory is, and what the final table compares."""
        return "match" if self.selfplay.episode == "match" else "deal"

    @property
    def fixed_agents(self) -> list[str]:
        """The agents in the league that do not learn."""
        return [self.exploit] if self.exploit else names_in(self.selfplay.opponents)

    @property
    def tuned_on(self) -> list[str]:
        """The sets of deals by which it was chosen."""
        return [name.strip() for name in self.evaluation.tuned_on.split(",") if name.strip()]

    @property
    def baselines(self) -> list[str]:
        """The opponents of the evaluations during the run, but for the yardstick."""
        return [name for name in names_in(self.evaluation.baselines) if name != self.evaluation.yardstick]

    def resolved(self, processes: int | None = None) -> TrainConfig:
        """With ``workers``, ``device`` and ``precision`` as this machine has them, and what ``exploit`` implies.

        ``processes`` is how many there are, where something else has started them. Raises ``ConfigError`` where they
        or the GPU are not what the configuration says.
        """
        import torch

        gpus = torch.cuda.device_count() if torch.cuda.is_available() else 0
        device = ("cuda" if gpus else "cpu") if self.device == "auto" else self.device
        if device == "cuda" and not gpus:
            raise ConfigError("device is cuda, and PyTorch sees no GPU here: device cpu, or a PyTorch built with CUDA")
        if processes is not None and self.workers not in ("auto", str(processes)):
            raise ConfigError(f"workers is {self.workers}, and {processes} processes were started: leave it out")
        auto = gpus if device == "cuda" else min(2, available_cores())
        workers = processes or (auto if self.workers == "auto" else int(self.workers))
        bf16 = torch.cuda.is_bf16_supported() if device == "cuda" else has_bf16_instructions()
        precision = ("bfloat16" if bf16 else "float32") if self.precision == "auto" else self.precision
        resolved = _checked(replace(self, workers=str(workers), device=device, precision=precision))
        if not self.exploit:
            return resolved
        evaluation = replace(self.evaluation, yardstick=self.exploit)
        return replace(resolved, evaluation=evaluation, selfplay=replace(self.selfplay, past_share=1.0))

    def to_dict(self) -> dict[str, Any]:
        """Nested dictionaries of plain values, as in a file."""
        values = asdict(self)
        if self.workers != "auto":
            values["workers"] = int(self.workers)
        return values


def names_in(text: str) -> list[str]:
    """Agents in a list with commas."""
    return [name for name in split_list(text) if name]


def has_bf16_instructions() -> bool:
    """Whether the CPU multiplies bfloat16 itself; where nobody says so (not on Linux), no."""
    try:
        flags = Path("/proc/cpuinfo").read_text().split()
    except OSError:
        return False
    return "avx512_bf16" in flags or "amx_bf16" in flags


def load_config(path: Path | None, overrides: Mapping[str, str]) -> TrainConfig:
    """The configuration in a file (None: the defaults) with flags (path of the field: text) applied.

    Raises ``ConfigError`` that names the file or flag, and the near matches of an unknown key.
    """
    values: dict[str, Any] = {}
    if path is not None:
        values = read_yaml(path)
        if "arms" in values:
            raise ConfigError(f"{path} is a plan of several runs: python -m agents.ablation {path}")
    config = from_dict(values, f"{path}: ")
    try:
        rules = dict(config.rules)
        rules |= parse_options([f"{k.removeprefix('rules.')}={v}" for k, v in overrides.items() if _of_rules(k)])
    except RulesError as error:
        raise ConfigError(str(error)) from None
    config = replace(config, rules=rules)
    for key, text in overrides.items():
        if not _of_rules(key):
            config = _with(config, key.split("."), text, f"--{key}")
    return _checked(config)


def from_dict(values: Mapping[str, Any], where: str = "") -> TrainConfig:
    """A configuration from nested dictionaries; what they leave out has its default."""
    return _checked(_build(TrainConfig, values, where, ""), where)


def flags() -> Iterator[tuple[str, str, Any]]:
    """Path, explanation and default of every field, but for the options of the rules."""
    yield from _flags(TrainConfig(), "")


def parse_arguments(arguments: Sequence[str]) -> tuple[Path | None, dict[str, str]]:
    """``["configs/smoke.yaml", "--seed", "1", "--ppo.clip=0.2"]`` to the file and the flags' texts (``resume`` too)."""
    known = [path for path, _, _ in flags()]
    config: Path | None = None
    overrides: dict[str, str] = {}
    rest = list(arguments)
    while rest:
        argument = rest.pop(0)
        if not argument.startswith("--"):
            if config is not None:
                raise ConfigError(f"one configuration at a time: {str(config)!r} or {argument!r}?")
            config = Path(argument)
            continue
        key, equals, text = argument[2:].partition("=")
        if key not in (*known, "resume") and not _of_rules(key):
            raise ConfigError(f"unknown flag {'--' + key!r}{_near_flag(key, known)}")
        if key in overrides:
            raise ConfigError(f"{'--' + key!r} is given twice")
        if not equals:
            if not rest or rest[0].startswith("--"):
                raise ConfigError(f"{'--' + key!r} needs a value: --{key} VALUE")
            text = rest.pop(0)
        overrides[key] = text
    return config, overrides


def _near_flag(key: str, known: Sequence[str]) -> str:
    """``near`` for flags; an option of the variant under another heading is pointed to where it belongs."""
    option = key.rpartition(".")[2]
    if option in {f.name for f in fields(Rules)}:
        return f" (an option of the variant is '--rules.{option}')"
    return near("--" + key, ["--" + name for name in known])


def _of_rules(key: str) -> bool:
    return key.startswith("rules.") and key != "rules."


def read_yaml(path: Path) -> dict[str, Any]:
    import yaml

    try:
        values = yaml.safe_load(path.read_text(encoding="utf-8"))
    except OSError as error:
        others = sorted(str(p) for p in Path("configs").glob("*.yaml"))
        raise ConfigError(f"{path}: {error.strerror}{near(str(path), others)}") from None
    except UnicodeDecodeError:
        raise ConfigError(f"{path}: not a text file") from None
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = f", line {mark.line + 1}" if mark else ""
        raise ConfigError(f"{path}{line}: not YAML: {getattr(error, 'problem', None) or error}") from None
    if values is None:
        return {}
    if not isinstance(values, dict):
        raise ConfigError(f"{path}: a configuration is 'key: value' lines")
    return values


def _build(kind: Any, values: Any, where: str, prefix: str) -> Any:
    if not isinstance(values, Mapping):
        raise ConfigError(f"{where}{prefix.rstrip('.')!r} holds 'key: value' lines, not {values!r}")
    types = get_type_hints(kind)
    known = {f.name: f for f in fields(kind)}
    built: dict[str, Any] = {}
    for key, value in values.items():
        if key not in known:
            near_ones = near(str(key), known)
            raise ConfigError(
                f"{where}unknown key {prefix + str(key)!r}{near_ones}; the keys here are: {', '.join(known)}"
            )
        if is_dataclass(types[key]):
            built[key] = _build(types[key], value, where, f"{prefix}{key}.")
        elif key == "rules":
            if not isinstance(value or {}, Mapping):
                raise ConfigError(f"{where}'rules' holds 'option: value' lines, not {value!r}")
            built[key] = {str(k): v for k, v in (value or {}).items()}
        else:
            built[key] = _value(types[key], value, known[key].metadata, f"{where}{prefix}{key}")
    return kind(**built)


def _value(kind: type, value: Any, metadata: Mapping[str, Any], name: str) -> Any:
    """A value of a field's type, within its range. YAML reads 3e-4 as text, flags are all text."""
    low, high = metadata["low"], metadata["high"]
    if kind is str:
        choices = metadata["choices"]
        if choices and value not in choices:
            *others, last = choices
            raise ConfigError(f"{name} cannot be {value!r}; it is {', '.join(others)} or {last}")
        if isinstance(value, (str, int)) and not isinstance(value, bool):
            return str(value)
        raise ConfigError(f"{name} cannot be {value!r}; it is a text")
    words = "a whole number" if kind is int else "a number"
    number_format = ",.0f" if kind is int else "g"
    bounds = f" from {low:{number_format}}" if low is not None else ""
    bounds += f" to {high:{number_format}}" if high is not None else ""
    bad = ConfigError(f"{name} cannot be {value!r}; it is {words}{bounds}")
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        raise bad
    try:
        number = float(value)
    except ValueError:
        raise bad from None
    out = not math.isfinite(number) or (kind is int and number != int(number))
    if out or (low is not None and number < low) or (high is not None and number > high):
        raise bad
    return kind(number)


def _with(config: Any, path: list[str], text: str, name: str) -> Any:
    key, *rest = path
    if rest:
        return replace(config, **{key: _with(getattr(config, key), rest, text, name)})
    metadata = {f.name: f for f in fields(config)}[key].metadata
    return replace(config, **{key: _value(get_type_hints(type(config))[key], text, metadata, name)})


def _flags(config: Any, prefix: str) -> Iterator[tuple[str, str, Any]]:
    for f in fields(config):
        value = getattr(config, f.name)
        if is_dataclass(value):
            yield from _flags(value, f"{prefix}{f.name}.")
        elif f.name != "rules":
            yield prefix + f.name, f.metadata["help"], value


def _checked(config: TrainConfig, where: str = "") -> TrainConfig:
    if config.workers != "auto" and not (config.workers.isdecimal() and 1 <= int(config.workers) <= 256):
        raise ConfigError(f"{where}workers cannot be {config.workers!r}; it is auto or a number from 1 to 256")
    if config.workers != "auto" and config.selfplay.tables < int(config.workers):
        raise ConfigError(f"{where}selfplay.tables is {config.selfplay.tables}: at least one table a worker")
    if config.name in (".", "..") or any(c in config.name for c in "/\\\0"):
        raise ConfigError(f"{where}name cannot be {config.name!r}; it is the name of a folder inside {config.runs!r}")
    for name in config.tuned_on:
        if name not in SETS:
            known = ", ".join(SETS)
            raise ConfigError(f"{where}evaluation.tuned_on cannot be {name!r}{near(name, SETS)}; the sets are: {known}")
    if config.learning.cards == "solved" and config.learning.phases != "bidding":
        raise ConfigError(f"{where}learning.cards is 'solved': set learning.phases to bidding, nothing else is learnt")
    if config.learning.cards == "solved" and config.exploit:
        raise ConfigError(f"{where}exploit needs learning.cards 'played': the agent to exploit plays its own cards")
    config.make_rules()
    return config
