"""``python:MODULE:CLASS``: an agent that is a class of the user's own, and errors in it told in a line.

Its code is run, as its user has asked for on the command line. What goes wrong in it is an ``AgentError`` that says
where in that code.
"""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import inspect
import os
import sys
import traceback
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from agents.errors import AgentError
from pedro_env.agent import Agent
from pedro_env.rules import Rules
from pedro_env.typing import IntArray
from pedro_env.views import Views

_HAS = ("act", "name", "sees_everything")


def load_class(spec: str) -> Any:
    """The class (or function) that ``python:MODULE:CLASS`` or ``python:FILE.py:CLASS`` means.

    Raises ``AgentError``, one line, where there is none, or where its module cannot be imported.
    """
    where, _, name = spec.partition(":")[2].rpartition(":")
    if not where or not name.isidentifier():
        raise AgentError(f"agent {spec!r}: a class is written python:MODULE:CLASS or python:FILE.py:CLASS")
    try:
        with _errors_told(spec, "cannot be imported"):
            module = _load_file(spec, Path(where)) if where.endswith(".py") else _load_module(spec, where)
    except SystemExit as error:  # a script rather than a module
        raise AgentError(f"agent {spec!r} cannot be imported: it exits ({error}){_place(error)}") from error
    try:
        return getattr(module, name)
    except AttributeError:
        raise AgentError(f"agent {spec!r}: there is no {name!r} in {module.__file__ or where}") from None


class ImportedAgent:
    """What a class makes, as an agent. What it raises is an ``AgentError`` that says where."""

    def __init__(self, spec: str, make: Callable[..., Any], rules: Rules, parameters: Mapping[str, Any]) -> None:
        if not callable(make):
            raise AgentError(f"agent {spec!r}: {make!r} is not a class")
        try:
            inspect.signature(make).bind(rules, **parameters)
        except TypeError as error:
            raise AgentError(f"agent {spec!r}: it is built as CLASS(rules, …), which does not fit: {error}") from None
        with _errors_told(spec, "cannot be built"):
            self._agent: Agent = make(rules, **parameters)
        missing = [attribute for attribute in _HAS if not hasattr(self._agent, attribute)]
        if missing:
            raise AgentError(
                f"agent {spec!r}: {type(self._agent).__name__} is no agent: it has no {', '.join(missing)} "
                "(pedro_env.Agent says what an agent is)"
            )
        self.name = spec
        self.sees_everything = bool(self._agent.sees_everything)
        if hasattr(self._agent, "reset"):
            self.reset = self._reset

    def act(self, views: Views) -> IntArray:
        """``(k,)`` what it chooses."""
        with _errors_told(self.name, "fails"):
            return np.asarray(self._agent.act(views))

    def _reset(self, games: IntArray) -> None:
        with _errors_told(self.name, "fails"):
            self._agent.reset(games)  # pyright: ignore[reportAttributeAccessIssue]  # where it has one


def _load_module(spec: str, name: str) -> ModuleType:
    if not all(part.isidentifier() for part in name.split(".")):
        raise AgentError(f"agent {spec!r}: {name!r} is not a module's name, as package.module, nor a .py file")
    _make_importable(Path.cwd())
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name and f"{name}.".startswith(f"{error.name}."):
            raise AgentError(
                f"agent {spec!r}: there is no module {error.name!r} in {Path.cwd()}, nor installed"
            ) from None
        raise


def _load_file(spec: str, path: Path) -> ModuleType:
    path = path.resolve()
    if not path.is_file():
        raise AgentError(f"agent {spec!r}: there is no file {path}")
    name = f"{path.stem} in {path.parent}"  # no other module has such a name
    if name in sys.modules:
        return sys.modules[name]
    _make_importable(path.parent)
    _make_importable(Path.cwd())
    found = importlib.util.spec_from_file_location(name, path)
    assert found is not None
    assert found.loader is not None
    module = importlib.util.module_from_spec(found)
    sys.modules[name] = module  # dataclasses look their module up
    try:
        found.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


def _make_importable(folder: Path) -> None:
    """Last, so that no file in it takes the place of a module that something else needs."""
    if str(folder) not in sys.path:
        sys.path.append(str(folder))


@contextlib.contextmanager
def _errors_told(spec: str, what: str) -> Iterator[None]:
    try:
        yield
    except AgentError:
        raise
    except Exception as error:
        raise AgentError(f"agent {spec!r} {what}: {type(error).__name__}: {error}{_place(error)}") from error


def _place(error: BaseException) -> str:
    """Where in the user's code an error came from: the innermost line that is not the project's or a library's."""
    project = str(Path(__file__).parents[1])
    library = str(Path(contextlib.__file__).parent)
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename != __file__]
    frames = [frame for frame in frames if not frame.filename.startswith(("<frozen", library))]
    outside = [
        frame
        for frame in frames
        if not frame.filename.startswith((f"{project}{os.sep}agents{os.sep}", f"{project}{os.sep}pedro_env{os.sep}"))
        and "-packages" not in frame.filename
    ]
    for frame in (outside or frames)[-1:]:
        return f" ({frame.filename}, line {frame.lineno}, in {frame.name})"
    return ""
