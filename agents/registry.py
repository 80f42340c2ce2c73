"""From what a user writes to an agent: ``name``, ``name:key=value,…``, a file or folder, a class, a command.

    make_agent("random", rules)
    make_agent("policy.onnx", rules)
    make_agent("runs/first:greedy=false", rules)
    make_agent("python:my_agents.careful:Careful:level=3", rules)
    make_agent("exec:node examples/agents/first_legal.js:timeout=2", rules)

An agent is a class built as ``Class(rules, **parameters)``; a policy's class as ``Class(path, rules, **parameters)``,
that of a process as ``Class(command, rules, **parameters)``. The parameters that a user may give are the others of
the constructor, and their annotations (where there are none, their defaults) are the types of the values.

Loading a file runs no code in it. ``python:`` and ``exec:`` are there to run code, the user's own.
Modules are imported when they are asked for, so that the rule-based agents need nothing but NumPy.
"""

from __future__ import annotations

import importlib
import inspect
import math
import re
import types
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from agents.errors import AgentError
from agents.imported import ImportedAgent, load_class
from pedro_env.agent import Agent
from pedro_env.rules import Rules
from pedro_env.words import near

__all__ = ["AgentError", "agent_names", "is_named", "make_agent", "split_list", "split_spec"]


@dataclass(frozen=True)
class Entry:
    """Where an agent is and what it is, in a line."""

    module: str
    name: str
    """Of the class."""
    about: str
    sees_everything: bool = False


AGENTS: dict[str, Entry] = {
    "random": Entry("agents.random", "RandomAgent", "uniformly random legal actions: a floor, not an opponent"),
    "morehead": Entry("agents.morehead", "MoreheadAgent", "the bidding conventions printed in 1956, simple play"),
    "heuristic-1": Entry("agents.heuristic", "Heuristic1", "the rule-based player that training is measured by"),
    "heuristic-2": Entry("agents.heuristic", "Heuristic2", "the same, its card play weighed by role and stage as well"),
    "pimc": Entry(
        "agents.search.pimc", "PimcAgent", "plays what is best on average over possible deals, solved exactly"
    ),
    "search": Entry("agents.search.pimc", "SearchAgent", "search:policy=FILE, a policy that bids, and pimc that plays"),
    "open": Entry(
        "agents.search.open", "OpenAgent", "sees all cards and plays them without a mistake: a yardstick", True
    ),
    "parts": Entry("agents.parts", "PartsAgent", "one agent's bidding, another's play: parts:bidding=A,play=B"),
}
"""The agents known by name. A name with a version never changes how it plays."""

EXPORTED = Entry("agents.onnx_policy", "OnnxPolicy", "a policy exported by python -m agents.export")
TRAINED = Entry("agents.policy", "PolicyAgent", "a run's folder (its last checkpoint), a checkpoint or its weights")
PROCESS = Entry("agents.process.agent", "ProcessAgent", "a program that speaks docs/agents-protocol.md")

_FORMS = {"FILE.onnx": EXPORTED, "FOLDER": TRAINED, "exec:COMMAND": PROCESS}
"""What an agent is called that is found and not named, and which class plays it."""

PYTHON_PREFIX, EXEC_PREFIX = "python:", "exec:"
_RUNS_CODE = (PYTHON_PREFIX, EXEC_PREFIX)

_EXTRAS = {"onnxruntime": "onnx", "torch": "train", "safetensors": "train", "yaml": "train", "numba": "search"}
"""The extra that brings a package."""

_PARAMETERS = re.compile(r"(?P<head>.+?):(?P<parameters>[A-Za-z_]\w*=.*)", re.DOTALL)
_NEXT_AGENT = re.compile(r",(?![A-Za-z_]\w*=)")
"""A comma between agents; one before ``key=value`` goes on with an agent's parameters."""
_FILE_ENDINGS = (".onnx", ".safetensors")


def agent_names() -> dict[str, str]:
    """What an agent can be called, and a line about each."""
    return {
        **{name: entry.about for name, entry in AGENTS.items()},
        **{form: entry.about for form, entry in _FORMS.items()},
        "python:MODULE:CLASS": "a Python class of your own; python:FILE.py:CLASS one in a file",
    }


def agent_parameters(name: str) -> dict[str, str]:
    """The parameters of an agent, one of ``agent_names``: by name what each can be, and in brackets its default.

    A class of the user's own has what its constructor has, and none here.
    Raises ``AgentError`` where a package is missing that the agent needs.
    """
    entry = {**AGENTS, **_FORMS}.get(name)
    if entry is None:
        return {}
    cls = _load(entry, name)
    defaults = inspect.signature(cls).parameters
    types_by_name = _parameter_types(cls, given=1 if name in AGENTS else 2)
    return {key: f"{_type_words(kind)} ({_default_word(defaults[key].default)})" for key, kind in types_by_name.items()}


def _default_word(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) or value is None else str(value)


def make_agent(spec: str, rules: Rules) -> Agent:
    """The agent that ``spec`` means, ready to play by ``rules``.

    Raises ``AgentError``, one line, for an unknown name, parameter or value, and for a file that is missing, damaged
    or made for another game; where a package is missing it says what to install.
    """
    head, settings = split_spec(spec)
    if head.startswith(PYTHON_PREFIX):
        make = load_class(head)
        return ImportedAgent(spec, make, rules, _parse_parameters(head, settings, _parameter_types(make, given=1)))
    entry, *where = _find(head)
    cls = _load(entry, head)
    parameters = _parse_parameters(head, settings, _parameter_types(cls, given=1 + len(where)))
    try:
        agent = cls(*where, rules, **parameters)
    except ImportError as error:
        raise _missing(head, error) from None
    agent.name = spec
    return agent


def is_named(head: str) -> bool:
    """Whether an agent, parameters apart, is one by name, a class or a command rather than a file or folder."""
    return head in AGENTS or head.startswith(_RUNS_CODE)


def split_list(text: str) -> list[str]:
    """Agents with commas between them, one by one; a command with a comma in it is none of these."""
    return [spec.strip() for spec in _NEXT_AGENT.split(text)]


def split_spec(spec: str) -> tuple[str, dict[str, str]]:
    """``"name:key=value,…"`` to name (or path) and texts by key. A path may have colons of its own."""
    match = _PARAMETERS.fullmatch(spec)
    if not match or (not spec.startswith(_RUNS_CODE) and Path(spec).exists()):
        return spec, {}
    settings: dict[str, str] = {}
    for item in match["parameters"].split(","):
        key, equals, text = item.partition("=")
        if not equals or not key or not text:
            raise AgentError(f"agent {spec!r}: {item!r} is not a parameter; write name:key=value,key=value")
        if key in settings:
            raise AgentError(f"agent {spec!r}: {key!r} is given twice")
        settings[key] = text
    return match["head"], settings


def _find(head: str) -> tuple[Entry] | tuple[Entry, Path] | tuple[Entry, str]:
    if head in AGENTS:
        return (AGENTS[head],)
    if head.startswith(EXEC_PREFIX):
        return PROCESS, head.removeprefix(EXEC_PREFIX)
    if f"{head}:" in _RUNS_CODE:
        raise AgentError(f"agent {head!r}: it is written python:MODULE:CLASS or exec:COMMAND, then the parameters")
    path = Path(head)
    if path.suffix == ".py":
        raise AgentError(f"agent {head!r}: which class of it? Write python:{head}:CLASS")
    if head and path.exists():
        return EXPORTED if path.suffix == ".onnx" else TRAINED, path
    if path.suffix in _FILE_ENDINGS or "/" in head or "\\" in head:
        raise AgentError(f"agent {head!r}: there is no such file or folder")
    if ":" in head and head.split(":")[0] in AGENTS:
        raise AgentError(f"agent {head!r}: parameters are written name:key=value,key=value")
    raise AgentError(
        f"unknown agent {head!r}{near(head, AGENTS)}; the agents are: {', '.join(AGENTS)}, "
        "a file FILE.onnx, the folder of a run or checkpoint, python:MODULE:CLASS, or exec:COMMAND"
    )


def _load(entry: Entry, head: str) -> Any:
    try:
        return getattr(importlib.import_module(entry.module), entry.name)
    except ImportError as error:
        raise _missing(head, error) from None


def _missing(head: str, error: ImportError) -> AgentError:
    package = (error.name or "").partition(".")[0]
    if package not in _EXTRAS:
        raise error
    extra = _EXTRAS[package]
    return AgentError(f"agent {head!r} needs the package {package}: pip install -e '.[{extra}]'")


def _parameter_types(cls: Any, given: int) -> dict[str, Any]:
    """The types of a constructor's parameters, without the first ``given`` ones."""
    try:
        parameters = list(inspect.signature(cls).parameters.values())[given:]
        hints = get_type_hints(cls.__init__ if isinstance(cls, type) else cls)
    except (NameError, TypeError, ValueError):  # annotations of what is not there at run time; no signature at all
        return {}
    named = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    return {p.name: hints.get(p.name, _type_of_default(p)) for p in parameters if p.kind in named}


def _type_of_default(parameter: inspect.Parameter) -> type:
    kind = type(parameter.default)
    return kind if kind in (bool, int, float) else str


def _parse_parameters(head: str, settings: dict[str, str], types_by_name: dict[str, Any]) -> dict[str, Any]:
    parsed: dict[str, Any] = {}
    for key, text in settings.items():
        if key not in types_by_name:
            known = f"its parameters are: {', '.join(types_by_name)}" if types_by_name else "it has none"
            raise AgentError(f"agent {head!r} has no parameter {key!r}{near(key, types_by_name)}; {known}")
        try:
            parsed[key] = _parse_value(text, types_by_name[key])
        except (TypeError, ValueError):
            right = _type_words(types_by_name[key])
            raise AgentError(f"agent {head!r}: {key!r} cannot be {text!r}; it is {right}") from None
    return parsed


def _parse_value(text: str, kind: Any) -> Any:
    """A text to a value of a type; ``ValueError`` where it is none."""
    if get_origin(kind) in (Union, types.UnionType):
        if type(None) in get_args(kind) and text.lower() == "none":
            return None
        return _parse_value(text, next(arg for arg in get_args(kind) if arg is not type(None)))
    if get_origin(kind) is Literal:
        return {str(value): value for value in get_args(kind)}[text] if text in map(str, get_args(kind)) else _bad()
    if kind is bool:
        return {"true": True, "false": False}[text.lower()] if text.lower() in ("true", "false") else _bad()
    if isinstance(kind, type) and issubclass(kind, Enum):
        return kind(text)
    if kind is float and not math.isfinite(float(text)):
        raise ValueError
    return kind(text)


def _bad() -> Any:
    raise ValueError


def _type_words(kind: Any) -> str:
    if get_origin(kind) in (Union, types.UnionType):
        return " or ".join(_type_words(arg) for arg in get_args(kind))
    if get_origin(kind) is Literal:
        return " or ".join(repr(str(value)) for value in get_args(kind))
    if isinstance(kind, type) and issubclass(kind, Enum):
        return " or ".join(repr(member.value) for member in kind)
    words = {bool: "true or false", int: "a whole number", float: "a number", str: "a text", type(None): "none"}
    return words.get(kind, str(kind))
