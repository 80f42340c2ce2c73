"""A problem: a decision, and what each action is worth. Files of them, and setting them up on the engine.

A file is UTF-8 text. Its first line is a JSON object that says what made it (``format``, and the settings of ``make``),
each other line a problem: the fields of a game record (RULES 5: ``variant``, ``options``, ``seed``, ``match``,
``dealer``, ``scores_before``, ``pack``) and those of ``Problem``. ``env.reset(options={"pack": …, "dealer": …,
"scores": scores_before, "actions": …})`` sets one up.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from agents.errors import AgentError
from pedro_env.actions import Phase
from pedro_env.cards import parse_card
from pedro_env.engine import Batch
from pedro_env.rules import Rules, RulesError
from pedro_env.typing import FloatArray
from pedro_env.variants import make_rules

FORMAT = 1
PATH = Path(__file__).with_name("pedro.jsonl")
"""The problems of ``pedro`` that come with the project."""


class ProblemError(AgentError):
    """A file or problem that cannot be used: where, what is wrong and what would be right."""


@dataclass(frozen=True)
class Problem:
    """A decision of one seat, and the values of its m legal actions for that seat."""

    skill: str
    variant: str
    options: dict[str, Any]
    """That differ from the variant's."""
    seed: int
    match: int
    """The number of the match of which it is the first deal; with the seed, what agents draw their randomness from."""
    dealer: int
    scores_before: list[int]
    pack: list[str]
    """The shuffled pack, top first."""
    actions: list[str]
    """So far, of all seats."""
    seat: int
    """Who decides, and …"""
    phase: str
    """… in which phase."""
    unit: str
    """Of the values (``values.Unit``)."""
    worlds: int
    """That the values are means over."""
    legal: list[str]
    values: list[float]
    """Of the legal actions."""
    errors: list[float]
    """The standard error of the difference to the best action, one a legal action; 0 for that."""
    error: float
    """The standard error of the best action's own value."""

    def rules(self) -> Rules:
        """The rules that it is played by. Raises ``ProblemError``."""
        try:
            return make_rules(self.variant, self.options)
        except RulesError as error:
            raise ProblemError(str(error)) from None

    @property
    def losses(self) -> FloatArray:
        """``(m,)`` by how much each legal action is worth less than the best."""
        values = np.array(self.values)
        return values.max() - values


def header(settings: Mapping[str, Any]) -> str:
    """The first line of a file; ``settings``: what made it."""
    return json.dumps({"format": FORMAT, **settings}) + "\n"


def to_line(problem: Problem) -> str:
    """A problem as a line of a file."""
    return json.dumps(asdict(problem), ensure_ascii=False, separators=(",", ":")) + "\n"


def load(path: Path = PATH) -> list[Problem]:
    """The problems of a file. Raises ``ProblemError`` that names file, line and field."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except UnicodeDecodeError as error:
        raise ProblemError(f"{path} is not a text file in UTF-8: {error.reason}") from None
    except OSError as error:
        raise ProblemError(f"cannot read {path}: {error.strerror}") from None
    first = _object(lines[0] if lines else "", f"{path}, line 1")
    if first.get("format") != FORMAT:
        raise ProblemError(
            f"{path}, line 1: 'format' must be {FORMAT}; python -m agents.problems make writes such files"
        )
    problems = [_parse(line, f"{path}, line {number}") for number, line in enumerate(lines[1:], 2) if line.strip()]
    if not problems:
        raise ProblemError(f"{path} holds no problems")
    return problems


def _parse(line: str, where: str) -> Problem:
    found = _object(line, where)
    for name, kind in Problem.__annotations__.items():
        if name not in found:
            raise ProblemError(f"{where}: the field {name!r} is missing")
        if not _is(found[name], kind):
            raise ProblemError(f"{where}: the field {name!r} must be {kind}, not {json.dumps(found[name])[:40]}")
    problem = Problem(**{name: found[name] for name in Problem.__annotations__})
    for name in ("seed", "match", "deal", "dealer"):
        value = getattr(problem, name, 0)
        if not -(2**63) <= value < 2**63 or (value < 0 and name != "seed"):
            raise ProblemError(f"{where}: the field {name!r} cannot be {str(value)[:40]}")
    if not problem.legal or not len(problem.legal) == len(problem.values) == len(problem.errors):
        raise ProblemError(f"{where}: 'legal', 'values' and 'errors' must be of one length, and not empty")
    return problem


def _object(line: str, where: str) -> dict[str, Any]:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise ProblemError(f"{where}: not a JSON object ({error})") from None
    if not isinstance(found, dict):
        raise ProblemError(f"{where}: expected a JSON object, found {type(found).__name__}")
    return found


_KINDS = {"str": str, "int": int, "float": (int, float), "dict[str, Any]": dict}


def _is(value: Any, kind: str) -> bool:
    if kind.startswith("list["):
        return isinstance(value, list) and all(_is(item, kind[5:-1]) for item in value)
    return isinstance(value, _KINDS[kind]) and not isinstance(value, bool)


def positions(problems: Sequence[Problem]) -> Batch:
    """A batch in which row i stands at the decision of problem i; they are of one game and one seed.

    Raises ``ProblemError`` where one does not follow the rules, or comes to another seat, phase or choice.
    """
    rules = problems[0].rules()
    batch = Batch(rules, problems[0].seed, [problem.match for problem in problems])
    for row, problem in enumerate(problems):
        try:
            pack = [parse_card(name) for name in problem.pack]
            batch.set_position(row, pack, problem.dealer, problem.scores_before)
            if problem.options != problems[0].options or problem.variant != problems[0].variant:
                raise ValueError("it is of another game than the first")
        except ValueError as error:
            raise ProblemError(f"problem {row + 1} cannot be set up: {error}") from None
    for number in range(max(len(problem.actions) for problem in problems)):
        rows = np.array([row for row, problem in enumerate(problems) if number < len(problem.actions)])
        try:
            phases = [Phase(phase) for phase in batch.phase[rows]]
            names = [problems[row].actions[number] for row in rows.tolist()]
            batch.step(np.array([batch.actions.parse(*pair) for pair in zip(names, phases, strict=True)]), rows)
        except ValueError as error:
            raise ProblemError(f"action {number + 1} of a problem: {error}") from None
    for row, problem in enumerate(problems):
        legal = [batch.actions.names[action] for action in np.flatnonzero(batch.mask(np.array([row]))[0]).tolist()]
        stands = int(batch.to_act[row]), Phase(batch.phase[row]).word, legal
        if stands != (problem.seat, problem.phase, problem.legal):
            raise ProblemError(
                f"problem {row + 1}: by the rules seat {stands[0]} decides in the phase {stands[1]!r} among {legal}, "
                f"in the file seat {problem.seat} in {problem.phase!r} among {problem.legal}"
            )
    return batch
