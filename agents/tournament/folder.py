"""The folder of a tournament: what it is of, and a small file for each unit of work that is done.

    tournament.json             rules, seed, episode, the agents with their files' checksums
    units/0-0-1/000500-500.json agents 0 and 0 (numbers in tournament.json) against 1: 500 pairs from pair 500 on

Files are written beside their place and renamed, and each has a checksum, so a process that is killed leaves whole
units or none. A unit depends on nothing but what its name says, so it is used again by whatever tournament of the same
folder needs it: more deals, more agents.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from agents.arena import Duel, Tally
from agents.errors import AgentError
from agents.tournament.setups import Setup
from pedro_env.files import write_whole

UNIT_FORMAT = 1
"""Of the files of units."""
IDENTITY = "tournament.json"
UNITS = "units"
_ARRAYS = ("difference", "deals", "wins")


class Folder:
    """An open folder. ``numbers`` has the number of each agent in it."""

    def __init__(self, path: Path, identity: Mapping[str, Any], players: Mapping[str, str | None]) -> None:
        """Make the folder, or go on with it.

        ``identity`` is what must be the same in all units, ``players`` each agent with its file's checksum. Raises
        ``AgentError`` that names what differs.
        """
        self.path = path
        known = _begin(path) or {"identity": dict(identity), "players": {}}
        for key, value in identity.items():
            if known["identity"].get(key) != value:
                raise AgentError(
                    f"{path} was begun with {key} {known['identity'].get(key)!r}, not {value!r}: choose another --out"
                )
        for player, checksum in players.items():
            if known["players"].setdefault(player, checksum) != checksum:
                raise AgentError(
                    f"{player} has changed since the tournament in {path} began (SHA-256 {_short(checksum)}, was "
                    f"{_short(known['players'][player])}): choose another --out"
                )
        write_whole(path / IDENTITY, (json.dumps(known, indent=1) + "\n").encode())
        self.numbers = {player: number for number, player in enumerate(known["players"])}

    def ordered(self, setup: Setup) -> Setup:
        """The setup as it is played here: the same for (a, b) and (b, a), which are played once."""
        first, second, against = setup
        if self.numbers[first] > self.numbers[second]:
            first, second = second, first
        if first == second and self.numbers[first] > self.numbers[against]:
            return Setup(against, against, first)
        return Setup(first, second, against)

    def place(self, setup: Setup, first: int, pairs: int) -> Path:
        """The file of a unit."""
        numbers = "-".join(str(self.numbers[player]) for player in setup)
        return self.path / UNITS / numbers / f"{first:06d}-{pairs}.json"


def write_unit(place: Path, setup: Setup, duel: Duel) -> None:
    """Keep a unit; its records are not kept."""
    content = {
        "setup": list(setup),
        "unit": place.name,
        **{name: _to_json(getattr(duel, name)) for name in _ARRAYS},
        "redeals": duel.redeals,
        "tallies": [asdict(tally) for tally in duel.tallies],
    }
    place.parent.mkdir(parents=True, exist_ok=True)
    write_whole(place, (json.dumps({"sha256": _digest(content), **content}) + "\n").encode())


def read_unit(place: Path, setup: Setup, pairs: int) -> Duel | None:
    """A unit that was kept; None where there is none, or what is there is not whole."""
    try:
        content = json.loads(place.read_text(encoding="utf-8"))
        if content.pop("sha256") != _digest(content):
            return None
        if (content["setup"], content["unit"]) != (list(setup), place.name):
            return None
        shape = (pairs, setup.tables)
        difference, deals, wins = (_from_json(content[name], shape) for name in _ARRAYS)
        first, second = (Tally(**tally | {"named": tuple(tally["named"])}) for tally in content["tallies"])
        return Duel(difference, deals.astype(np.int64), wins, content["redeals"], (first, second), [])
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def _begin(path: Path) -> dict[str, Any] | None:
    """What the folder is of; None where it is new."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except (NotADirectoryError, FileExistsError):
        raise AgentError(f"--out {path}: that is a file; name a folder") from None
    except OSError as error:
        raise AgentError(f"--out {path}: {error.strerror}") from None
    try:
        if not any(file for file in path.iterdir() if not file.name.startswith(".pedro-")):  # a write that was killed
            return None
        known = json.loads((path / IDENTITY).read_text(encoding="utf-8"))
        if isinstance(known["identity"], dict) and isinstance(known["players"], dict):
            return known
    except FileNotFoundError:
        raise AgentError(f"{path} holds other files and no tournament: choose another --out") from None
    except (ValueError, KeyError, TypeError):
        pass
    except OSError as error:
        raise AgentError(f"--out {path}: {error.strerror}") from None
    raise AgentError(f"{path / IDENTITY}: damaged: choose another --out")


def _to_json(values: np.ndarray) -> Any:
    """``(pairs, tables)`` as a list a table, or as one number where all are the same (deals of single deals: 1)."""
    if (values == values[0, 0]).all():
        return values[0, 0].item()
    return values.T.tolist()


def _from_json(values: Any, shape: tuple[int, int]) -> np.ndarray:
    """``shape`` float64. ``ValueError`` where it is another shape."""
    array = np.asarray(values, np.float64)
    if array.ndim and array.shape != shape[::-1]:
        raise ValueError
    return np.broadcast_to(array.T, shape).copy()


def _digest(content: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def _short(checksum: str | None) -> str:
    return "none" if checksum is None else f"{checksum[:12]}…"
