"""Who takes part: single agents, and groups of agents that count as one, such as the seeds of one configuration."""

from __future__ import annotations

import hashlib
import importlib.util
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from agents.errors import AgentError
from agents.parts import ALL
from agents.registry import PYTHON_PREFIX, split_list, split_spec


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
    """The SHA-256 of all that an agent is loaded from: its file, a run's last policy, the files that its address names
    between colons and spaces (a program, a module), the same of the agents in its parameters, and of what takes the
    decisions that a policy has not learnt. None where there is no file.

    What a program or module loads itself is not found.
    """
    files = list(dict.fromkeys(_files_of(agent)))
    if not files:
        return None
    digests = [hashlib.sha256(file.read_bytes()).digest() for file in files]
    return digests[0].hex() if len(digests) == 1 else hashlib.sha256(b"".join(digests)).hexdigest()


def _files_of(agent: str) -> Iterator[Path]:
    head, settings = split_spec(agent)
    path = Path(head)
    if path.exists():
        yield from _files_of_policy(path, with_rest="rest" not in settings)
    else:
        parts = [part for part in re.split(r"[:\s]", head) if part]
        for part in parts:
            if Path(part).is_file():
                yield Path(part)
        if head.startswith(PYTHON_PREFIX) and len(parts) > 1:
            yield from _file_of_module(parts[1])
    for value in settings.values():
        yield from _files_of(value)


def _files_of_policy(path: Path, *, with_rest: bool) -> Iterator[Path]:
    if path.suffix == ".onnx":
        yield path
    else:
        from agents.checkpoint import find_policy  # needs PyTorch, as such an agent does

        yield find_policy(path)
    rest = _rest_named_in(path) if with_rest else None
    if rest is not None:
        yield from _files_of(rest)


def _rest_named_in(path: Path) -> str | None:
    """What takes the decisions that a policy has not learnt, by its file; None where it has learnt all, or is none."""
    try:
        if path.suffix == ".onnx":
            from agents.onnx_policy import identity_of

            identity = identity_of(path)
        else:
            from agents.checkpoint import load_policy

            identity = load_policy(path).identity
    except AgentError:
        return None
    return None if identity.part == ALL else identity.rest


def _file_of_module(name: str) -> Iterator[Path]:
    try:
        found = importlib.util.find_spec(name)
    except (ImportError, ValueError):
        return
    if found is not None and found.origin is not None and Path(found.origin).is_file():
        yield Path(found.origin)


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
