"""Checkpoints: a folder with weights and training state (``safetensors``) and what they belong to (JSON).

    checkpoints/000001234567/        the number of decisions learnt from
        policy.safetensors           weights; its header says which game and network they are for, so it can stand alone
        training.safetensors         optimizer and past selves
        checkpoint.json              game, network, counters, figures, and the checksums of the two

A checkpoint is written beside its place and moved there in one step, and removed by being moved away in one step, so a
folder with such a name is whole. There is no state of random streams in it, as none goes on from one iteration to the
next: everything random in a run is drawn from (seed, purpose, iteration, process), see ``Trainer._stream``. There are
no games in it either: an iteration plays whole deals. Loading runs no code from the files.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file
from torch import Tensor

from agents.errors import AgentError, play_it_with
from agents.network import NetworkShape, PolicyValueNetwork
from agents.parts import ALL
from pedro_env.layout import layout_of
from pedro_env.rules import Rules, RulesError
from pedro_env.variants import make_rules

FORMAT = 1
FOLDER = "checkpoints"
POLICY = "policy.safetensors"
TRAINING = "training.safetensors"
JSON = "checkpoint.json"
_BESIDE = ".beside-"
"""Begins the name of what is being written or removed."""
_HEADER = "pedro"
"""The key in the header of ``policy.safetensors``."""
_WEIGHTS = "weights_sha256"


class CheckpointError(AgentError):
    """A checkpoint that is missing, damaged or made for something else: one line."""


@dataclass(frozen=True)
class Identity:
    """What a policy is for: the game, the layout of observations and actions, and the network."""

    variant: str
    options: dict[str, Any]
    rules_hash: str
    layout_hash: str
    network: dict[str, Any]
    format: int = FORMAT
    part: str = ALL
    """What it has learnt (``parts.py``)."""
    rest: str = ""
    """Where that is not all: the agent that takes the other decisions."""

    @classmethod
    def of(
        cls, network: PolicyValueNetwork, options: Mapping[str, Any], part: Mapping[str, str] | None = None
    ) -> Identity:
        """The identity of a network for the game that its layout is of, a variant with ``options``.

        ``part`` says what it has learnt, as ``parts.written``.
        """
        rules = network.layout.rules
        shape = asdict(network.shape)
        learnt = part or {"part": ALL, "rest": ""}
        return cls(rules.variant, dict(options), rules.hash(), network.layout.hash(), shape, FORMAT, **learnt)

    def to_dict(self) -> dict[str, Any]:
        """As in a file; what a policy that has learnt everything has not to say is left out."""
        values = asdict(self)
        return {key: value for key, value in values.items() if self.part != ALL or key not in ("part", "rest")}

    def rules(self) -> Rules:
        """The rules of the game it was trained for."""
        return make_rules(self.variant, self.options)


@dataclass(frozen=True)
class Policy:
    """A network with its identity and, where the file stands in its checkpoint, the checkpoint's JSON."""

    network: PolicyValueNetwork
    identity: Identity
    rules: Rules
    path: Path
    info: dict[str, Any]
    """Counters and figures; empty for a file that stands alone."""


def save_checkpoint(
    run: Path,
    network: PolicyValueNetwork,
    options: Mapping[str, Any],
    training: Mapping[str, Tensor],
    info: Mapping[str, Any],
    keep: int,
    part: Mapping[str, str] | None = None,
) -> Path:
    """Write a checkpoint into a run's folder, then delete all but the last ``keep`` and the best one.

    ``info`` is JSON with ``counters.decisions``; ``training`` is what going on needs beside the weights; ``part`` says
    what has been learnt, where that is not all (``parts.written``). A checkpoint that is there already is the same, as
    a run is the same every time. Raises ``CheckpointError`` where it cannot be
    written (no space left, …).
    """
    folder = run / FOLDER
    place = folder / f"{info['counters']['decisions']:012d}"
    if place.exists():
        return place
    for left in folder.glob(f"{_BESIDE}*"):  # by a process that was killed
        shutil.rmtree(left, ignore_errors=True)
    beside = folder / f"{_BESIDE}{place.name}"
    try:
        beside.mkdir(parents=True)
        _write(beside, network, options, training, info, part)
        os.replace(beside, place)
        _folder_to_disk(folder)
    except (OSError, SafetensorError) as error:
        shutil.rmtree(beside, ignore_errors=True)
        reason = getattr(error, "strerror", None) or error
        raise CheckpointError(f"cannot write {place}: {reason}; earlier checkpoints are whole") from None
    best = best_checkpoint(run)
    for old in checkpoints(run)[:-keep]:
        if old != best:
            _remove(old)
    return place


def best_checkpoint(run: Path) -> Path | None:
    """The checkpoint with the highest mean score, of those that were evaluated when they were written."""
    scores = {place: score for place in checkpoints(run) if (score := _score(place)) is not None}
    return max(scores, key=scores.__getitem__) if scores else None


def set_aside(checkpoint: Path) -> Path:
    """Rename a checkpoint so that it is not taken for one any more; where it is now."""
    aside = checkpoint.with_name(f"damaged-{checkpoint.name}")
    shutil.rmtree(aside, ignore_errors=True)
    os.replace(checkpoint, aside)
    return aside


def _score(checkpoint: Path) -> float | None:
    try:
        info = _read_json(checkpoint / JSON)
        last = info["curve"][-1]
        return float(last["mean"]) if last["decisions"] == info["counters"]["decisions"] else None
    except (CheckpointError, LookupError, TypeError, ValueError):
        return None  # never evaluated; or damaged, which whoever loads it is told


def _remove(checkpoint: Path) -> None:
    """Never half, seen from outside."""
    beside = checkpoint.with_name(f"{_BESIDE}{checkpoint.name}")
    with suppress(OSError):
        os.replace(checkpoint, beside)
    shutil.rmtree(beside, ignore_errors=True)


def _write(
    beside: Path,
    network: PolicyValueNetwork,
    options: Mapping[str, Any],
    training: Mapping[str, Tensor],
    info: Mapping[str, Any],
    part: Mapping[str, str] | None,
) -> None:
    identity = Identity.of(network, options, part).to_dict()
    weights = {name: value.detach().cpu() for name, value in network.state_dict().items()}
    save_file(weights, beside / POLICY, {_HEADER: json.dumps(identity), _WEIGHTS: _weights_checksum(weights)})
    save_file({name: value.detach().cpu().contiguous() for name, value in training.items()}, beside / TRAINING)
    sums = {name: _checksum(beside / name) for name in (POLICY, TRAINING)}
    text = json.dumps({"identity": identity, **info, "sha256": sums}, indent=1)
    (beside / JSON).write_text(text + "\n", encoding="utf-8")
    for name in (POLICY, TRAINING, JSON):
        _to_disk(beside / name)


def checkpoints(run: Path) -> list[Path]:
    """The checkpoints of a run, the oldest first."""
    return sorted(p for p in (run / FOLDER).glob("[0-9]*") if p.name.isdecimal())


def find_policy(path: Path) -> Path:
    """The file of weights that a path means: a run's folder (its last checkpoint), a checkpoint, or the file itself."""
    if path.is_dir():
        if (path / POLICY).is_file():
            return path / POLICY
        found = checkpoints(path)
        if found and not (found[-1] / POLICY).is_file():
            raise CheckpointError(f"{found[-1]}: damaged: it lacks {POLICY!r}")
        if found:
            return found[-1] / POLICY
        raise CheckpointError(f"{path}: neither a checkpoint nor a run with one (a folder with {POLICY!r} inside)")
    if not path.exists():
        raise CheckpointError(f"{path}: there is no such file or folder")
    return path


def load_policy(path: Path | str, rules: Rules | None = None) -> Policy:
    """The policy at a path (see ``find_policy``), for ``rules`` or the rules it was trained for.

    Raises ``CheckpointError`` where it is missing, damaged or altered, or made for other rules or another layout.
    """
    file = find_policy(Path(path))
    info = _read_json(file.parent / JSON) if (file.parent / JSON).exists() else {}
    if info and info["sha256"].get(file.name) not in (None, _checksum(file)):
        raise CheckpointError(f"{file}: damaged or altered: its checksum is not the one in {JSON}")
    header, tensors = _read_tensors(file)
    identity = _identity(file, header)
    if header.get(_WEIGHTS) != _weights_checksum(tensors):
        raise CheckpointError(f"{file}: damaged or altered: its weights do not have the checksum in its header")
    trained_for = _check_identity(file, identity, rules)
    network = _network(file, identity, rules or trained_for, tensors)
    return Policy(network, identity, rules or trained_for, file, info)


def load_training(checkpoint: Path) -> tuple[dict[str, Tensor], dict[str, Any]]:
    """Training state and JSON of a checkpoint's folder."""
    info = _read_json(checkpoint / JSON)
    file = checkpoint / TRAINING
    if not file.exists() or info["sha256"].get(TRAINING) != _checksum(file):
        raise CheckpointError(f"{file}: missing, damaged or altered: its checksum is not the one in {JSON}")
    return _read_tensors(file)[1], info


def pool_tensors(pool: Sequence[Mapping[str, Tensor]]) -> dict[str, Tensor]:
    """Past selves as named tensors."""
    return {f"past/{i}/{name}": value for i, self_ in enumerate(pool) for name, value in self_.items()}


def pool_from(tensors: Mapping[str, Tensor]) -> list[dict[str, Tensor]]:
    """The opposite of ``pool_tensors``; other tensors are left out."""
    pool: dict[int, dict[str, Tensor]] = {}
    for key, value in tensors.items():
        kind, _, rest = key.partition("/")
        if kind == "past":
            number, _, name = rest.partition("/")
            pool.setdefault(int(number), {})[name] = value
    return [pool[i] for i in sorted(pool)]


def _identity(file: Path, header: Mapping[str, str]) -> Identity:
    try:
        data = json.loads(header[_HEADER])
        if data["format"] != FORMAT:
            raise CheckpointError(f"{file}: checkpoint format {data['format']!r}; this version reads {FORMAT}")
        return Identity(**data)
    except (KeyError, TypeError, ValueError) as error:
        if isinstance(error, CheckpointError):
            raise
        raise CheckpointError(f"{file}: not a policy of this project: its header names no game") from None


def _check_identity(file: Path, identity: Identity, rules: Rules | None) -> Rules:
    """The rules that the policy was trained for; an error where they are not ``rules``."""
    try:
        trained_for = identity.rules()
    except RulesError as error:
        raise CheckpointError(f"{file}: made for a game that this version does not know: {error}") from None
    game = " ".join([identity.variant, *(f"{k}={v}" for k, v in identity.options.items())])
    if trained_for.hash() != identity.rules_hash:
        raise CheckpointError(f"{file}: made for {game!r} with rules that have changed since; train it again")
    if rules is not None and rules.hash() != identity.rules_hash:
        names = ", ".join(trained_for.differences(rules))
        message = f"{file}: made for {game!r}, not for this game {rules.variant!r} (different: {names})"
        raise CheckpointError(message + play_it_with(identity.variant, identity.options))
    if layout_of(trained_for).hash() != identity.layout_hash:
        raise CheckpointError(f"{file}: made for another layout of observations or actions; train it again")
    return trained_for


def _network(file: Path, identity: Identity, rules: Rules, tensors: dict[str, Tensor]) -> PolicyValueNetwork:
    try:
        network = PolicyValueNetwork(layout_of(rules), NetworkShape(**identity.network))
        network.load_state_dict(tensors)
    except (RuntimeError, TypeError, ValueError):
        raise CheckpointError(f"{file}: damaged: the weights do not fit the network it names") from None
    return network.eval()


def _read_tensors(file: Path) -> tuple[dict[str, str], dict[str, Tensor]]:
    try:
        with safe_open(file, framework="pt") as content:
            names = list(content.keys())  # a safe_open is no mapping
            return content.metadata() or {}, {name: content.get_tensor(name) for name in names}
    except (SafetensorError, OSError) as error:
        raise CheckpointError(f"{file}: not a whole safetensors file ({error})") from None


def _read_json(file: Path) -> dict[str, Any]:
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
        if isinstance(data, dict) and isinstance(data["sha256"], dict):
            return data
    except (OSError, ValueError, KeyError):
        pass
    raise CheckpointError(f"{file}: not a whole checkpoint description (JSON with checksums)")


def _checksum(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


def _weights_checksum(tensors: Mapping[str, Tensor]) -> str:
    total = hashlib.sha256()
    for name in sorted(tensors):
        total.update(f"{name} {tuple(tensors[name].shape)} {tensors[name].dtype}".encode())
        total.update(tensors[name].contiguous().numpy().tobytes())
    return total.hexdigest()


def _to_disk(file: Path) -> None:
    with file.open("rb+") as content:
        os.fsync(content.fileno())


def _folder_to_disk(folder: Path) -> None:
    """What was renamed in it stays so after a power cut, where the system can say so (Windows cannot)."""
    if hasattr(os, "O_DIRECTORY"):
        handle = os.open(folder, os.O_DIRECTORY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
