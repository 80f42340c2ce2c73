"""Who takes part: single agents, and groups of agents that count as one, such as the seeds of one configuration."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from agents.errors import AgentError
from agents.registry import split_list, split_spec


class Entrant(NamedTuple):
    """A row of the cross table."""

    name: str
    members: tuple[str, ...]
    """How its agents are addressed: one, or those of a group."""


def make_entrants(agents: Sequence[str], groups: Sequence[str]) -> list[Entrant]:
    """Agents under their own names, then groups ``NAME=AGENT,AGENT,…``.

    Raises ``AgentError`` for a group that cannot be read, a name that is there twice, and fewer than two entrants.
    """
    entrants = [Entrant(agent, (agent,)) for agent in agents] + [_parse_group(text) for text in groups]
    name = _first_double(entrant.name for entrant in entrants)
    if name is not None:
        raise AgentError(f"{name!r} is named twice; --group NAME={name} gives an agent another name")
    if len(entrants) < 2:
        raise AgentError("name at least two agents, e.g. heuristic-1 morehead (evaluate.py --list shows them)")
    return entrants


def checksum(agent: str) -> str | None:
    """The SHA-256 of what an agent is loaded from: its file, a run's last policy, or the files that its address names
    between colons and spaces (a program, a module); None where it names none."""
    head = split_spec(agent)[0]
    path = Path(head)
    if path.is_dir():
        from agents.checkpoint import find_policy  # needs PyTorch, as such an agent does

        path = find_policy(path)
    files = [path] if path.exists() else [Path(part) for part in re.split(r"[:\s]", head)]
    contents = [file.read_bytes() for file in files if file.is_file()]
    return hashlib.sha256(b"".join(contents)).hexdigest() if contents else None


def _parse_group(text: str) -> Entrant:
    name, equals, rest = text.partition("=")
    members = tuple(split_list(rest))
    if not name or not equals or not all(members):
        raise AgentError(f"--group {text!r} is no group; write NAME=AGENT,AGENT,…")
    member = _first_double(members)
    if member is not None:
        raise AgentError(f"--group {name}: {member!r} is in it twice")
    return Entrant(name, members)


def _first_double(names: Iterable[str]) -> str | None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            return name
        seen.add(name)
    return None
