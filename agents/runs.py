"""The folder of a training run: made once, never written over."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

import torch
import yaml

from agents.config import ConfigError, TrainConfig, from_dict
from agents.versions import commit, package_versions, system
from pedro_env.files import write_whole

CONFIG = "config.yaml"
VERSIONS = "versions.json"
RESULT = "result.json"
TENSORBOARD = "tensorboard"
_MOST_NUMBERED = 10_000


def create_run(config: TrainConfig, stem: str) -> Path:
    """Make the folder of a run and write the configuration and the versions into it.

    Without a name it is called after the variant, the configuration's file (``stem``) and the first free number.
    Raises ``ConfigError`` where there is such a folder, or none can be made.
    """
    runs = Path(config.runs)
    try:
        runs.mkdir(parents=True, exist_ok=True)
        folder = _make(runs, config.name) if config.name else _make_numbered(runs, f"{config.variant}-{stem}")
    except OSError as error:
        raise ConfigError(f"cannot make a folder in {runs}: {error.strerror}") from None
    text = yaml.safe_dump({**config.to_dict(), "name": folder.name}, sort_keys=False, allow_unicode=True)
    write_json(folder / VERSIONS, versions())
    write_whole(folder / CONFIG, text.encode())
    return folder


def same_run(folder: Path, config: TrainConfig) -> TrainConfig | None:
    """The configuration of the run in a folder, which must be ``config``; None where there is no run.

    Raises ``ConfigError`` that names what is different.
    """
    if not (folder / CONFIG).exists():
        return None
    before, now = (dict(_flat(c.to_dict())) for c in (open_run(folder), config))
    different = [f"{key} is {before.get(key)!r} there" for key in now | before if before.get(key) != now.get(key)]
    if different:
        raise ConfigError(f"{folder} is a run of another configuration ({', '.join(different)}): choose another --name")
    return config


def open_run(folder: Path) -> TrainConfig:
    """The configuration of a run that exists; ``ConfigError`` where there is none."""
    file = folder / CONFIG
    try:
        values = yaml.safe_load(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(f"{folder} is not a run: {file}: {error.strerror}") from None
    except (yaml.YAMLError, UnicodeDecodeError):
        raise ConfigError(f"{file}: damaged: not YAML") from None
    missing = [f.name for f in fields(TrainConfig) if not isinstance(values, dict) or f.name not in values]
    if missing:
        raise ConfigError(f"{file}: damaged or altered: it lacks {', '.join(missing)}")
    return from_dict(values, f"{file}: ")


def has_table(folder: Path) -> bool:
    """Whether the run's final table has been played and written."""
    try:
        return bool(json.loads((folder / RESULT).read_text(encoding="utf-8"))["table"])
    except (OSError, ValueError, KeyError, TypeError):
        return False


def write_json(file: Path, data: Any) -> None:
    """Write JSON whole or not at all."""
    write_whole(file, (json.dumps(data, indent=1) + "\n").encode())


def versions() -> dict[str, Any]:
    """What a run was made with."""
    return package_versions() | {"torch": torch.__version__, "commit": commit(), "platform": system()}


def _make(runs: Path, name: str) -> Path:
    folder = runs / name
    folder.mkdir(exist_ok=True)
    # A process that was killed at once has not yet written a configuration, and nothing that would be lost.
    if {file.name for file in folder.iterdir() if not file.name.startswith(".")} - {VERSIONS}:
        raise ConfigError(f"{folder} exists, and a run never writes over another: choose another --name or remove it")
    return folder


def _make_numbered(runs: Path, name: str) -> Path:
    for number in range(1, _MOST_NUMBERED):
        try:
            folder = runs / f"{name}-{number:03d}"
            folder.mkdir()
            return folder
        except FileExistsError:
            continue
    raise ConfigError(f"{runs} holds too many runs called {name}-…: choose a --name")


def _flat(values: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Nested dictionaries as ``("ppo.clip", 0.2)``."""
    for key, value in values.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{prefix}{key}.")
        else:
            yield prefix + key, value
