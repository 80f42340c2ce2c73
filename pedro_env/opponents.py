"""Who plays the seats of a Gymnasium environment: the learner's, and agents in all the others.

``opponents`` is one of

- ``None``: uniformly random legal actions, from the views' own randomness;
- an agent (``pedro_env.Agent``), or what makes one from the rules: a class, a function;
- ``"MODULE:NAME"``: what ``make_agent(NAME, rules)`` of a module makes. In a checkout of the project
  ``"agents.registry:heuristic-1"`` is the rule-based player, ``"agents.registry:runs/first"`` a run's policy;
- a dictionary from seats to these; seats that it leaves out play at random.
"""

from __future__ import annotations

import importlib
import operator
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np

from pedro_env.agent import Agent, Resettable
from pedro_env.cards import NONE
from pedro_env.engine import Batch, IllegalAction
from pedro_env.rules import Rules
from pedro_env.tables import tables_of
from pedro_env.typing import BoolArray, Int64Array, IntArray
from pedro_env.views import Views

Seat: TypeAlias = int | Sequence[int]
"""The learner's seat, or the seats of one side."""


class RandomLegal:
    """Every legal action with the same probability."""

    name = "random"
    sees_everything = False

    def act(self, views: Views) -> IntArray:
        """``(k,)`` a legal action for each decision."""
        up_to = views.mask.cumsum(axis=1)
        wanted = (views.uniform() * up_to[:, -1]).astype(np.int64)
        return (up_to > wanted[:, None]).argmax(axis=1)


class Opponents:
    """The agents in the seats that the learner does not play."""

    def __init__(self, source: Any, rules: Rules, learners: tuple[int, ...]) -> None:
        """``source`` is ``opponents`` as above, ``learners`` are the learner's seats.

        Raises ``ValueError``, one line, where ``source`` is none of them.
        """
        by_seat = _by_seat(source, rules, learners)
        self.agents: list[Agent] = []
        """Each once, even where it plays several seats."""
        self._agent_of = np.full(rules.seats + 1, NONE)  # by seat; the last one is "nobody"
        made: list[tuple[Any, int]] = []
        for seat, given in by_seat.items():
            same = (number for other, number in made if other is given or (isinstance(given, str) and other == given))
            number = next(same, NONE)
            if number == NONE:
                number = len(self.agents)
                self.agents.append(make_opponent(given, rules))
                made.append((given, number))
            self._agent_of[seat] = number
        self._told = [agent for agent in self.agents if isinstance(agent, Resettable)]
        self.to_act: BoolArray = self._agent_of != NONE
        """``(seats + 1,)`` by the seat to act (-1, the last: the deal is over): whether it is an opponent."""

    def act(self, batch: Batch, rows: IntArray) -> Int64Array:
        """``(k,)`` their decisions in some games in which they are to act.

        Raises ``IllegalAction`` where an agent chooses what is not legal, ``ValueError`` where it answers something
        else than a whole number for each decision.
        """
        if len(self.agents) == 1:
            return _actions_of(self.agents[0], batch, rows)
        actions = np.empty(len(rows), np.int64)
        who = self._agent_of[batch.to_act[rows]]
        for number, agent in enumerate(self.agents):
            mine = np.flatnonzero(who == number)
            if len(mine):
                actions[mine] = _actions_of(agent, batch, rows[mine])
        return actions

    def begin(self, rows: IntArray) -> None:
        """Tell those who want to know that new deals begin in some games."""
        for agent in self._told:
            agent.reset(rows)


def learners_seats(seat: Seat, rules: Rules) -> tuple[int, ...]:
    """The seats that ``seat`` means. Raises ``ValueError`` where they are none, or of more than one side."""
    given = list(seat) if isinstance(seat, Sequence) and not isinstance(seat, str) else [seat]
    seats = tuple(_seat(item, seat, rules) for item in given)
    sides = {int(tables_of(rules).side_of[item]) for item in seats}
    if len(sides) != 1 or len(set(seats)) != len(seats):
        right = "a seat, or several seats of one side" if rules.sides < rules.seats else "one seat: there are no sides"
        raise ValueError(f"seat cannot be {seat!r}; in this game it is {right}")
    return seats


def make_opponent(source: Any, rules: Rules) -> Agent:
    """One agent from what ``opponents`` may be, dictionaries apart."""
    if source is None:
        return RandomLegal()
    agent: Any = source
    if isinstance(source, str):
        agent = _by_name(source, rules)
    elif isinstance(source, type) or not hasattr(source, "act"):
        if not callable(source):
            raise _not_an_opponent(source)
        agent = source(rules)
    if not callable(getattr(agent, "act", None)) or not hasattr(agent, "sees_everything"):
        raise ValueError(f"opponents: {agent!r} is no agent; an agent has act(views), name and sees_everything")
    return agent


def _by_seat(source: Any, rules: Rules, learners: tuple[int, ...]) -> dict[int, Any]:
    others = [seat for seat in range(rules.seats) if seat not in learners]
    if not isinstance(source, Mapping):
        return dict.fromkeys(others, source)
    given: dict[int, Any] = {_seat(seat, seat, rules): agent for seat, agent in source.items()}  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    taken = [seat for seat in given if seat in learners]
    if taken:
        raise ValueError(f"opponents: seat {taken[0]} is the learner's; the others are {', '.join(map(str, others))}")
    return {seat: given.get(seat) for seat in others}


def _by_name(spec: str, rules: Rules) -> Agent:
    """``"MODULE:NAME"``: the module knows agents by name, the environment knows none."""
    module, colon, name = spec.partition(":")
    if not colon or not name or not all(part.isidentifier() for part in module.split(".")):
        raise _not_an_opponent(spec)
    try:
        make_agent = importlib.import_module(module).make_agent
    except ModuleNotFoundError as error:
        if not (error.name and f"{module}.".startswith(f"{error.name}.")):
            raise
        where = "; it runs from a checkout of the project, in its folder" if module == "agents.registry" else ""
        raise ValueError(f"opponents {spec!r}: there is no module {error.name!r}{where}") from None
    except AttributeError:
        raise ValueError(f"opponents {spec!r}: the module {module!r} has no make_agent(name, rules)") from None
    return make_agent(name, rules)


def _not_an_opponent(source: Any) -> ValueError:
    return ValueError(
        f"opponents cannot be {source!r}; it is None (random), an agent, a function from rules to an agent, "
        "a text MODULE:NAME as 'agents.registry:heuristic-1', or a dictionary from seats to these"
    )


def _seat(value: Any, given: Any, rules: Rules) -> int:
    try:
        number = operator.index(value)
    except TypeError:
        number = NONE
    if not 0 <= number < rules.seats:
        raise ValueError(f"seat cannot be {given!r}; seats are whole numbers from 0 to {rules.seats - 1}")
    return number


def _actions_of(agent: Agent, batch: Batch, rows: IntArray) -> Int64Array:
    """An agent's decisions, checked: the shells' batches do not check again."""
    views = batch.views(rows, sees_everything=agent.sees_everything)
    actions = np.asarray(agent.act(views))
    if actions.shape != (len(rows),) or actions.dtype.kind not in "iu":
        raise ValueError(
            f"opponent {agent.name!r} answered {len(rows)} decisions with an array of shape {actions.shape} and type "
            f"{actions.dtype}; it takes one whole number each"
        )
    actions = actions.astype(np.int64, copy=False)
    legal = batch.are_legal(actions, rows)
    if not legal.all():
        worst = int(legal.argmin())
        raise IllegalAction(
            f"opponent {agent.name!r}: {why_illegal(batch, int(rows[worst]), int(actions[worst]), 'row')}"
        )
    return actions


def why_illegal(batch: Batch, row: int, action: int, called: str) -> str:
    """The engine's explanation of an action that is not legal; games are ``called`` row, or environment."""
    probe = batch.take(np.array([row]))
    probe.validate = True
    try:
        probe.step(np.array([action]))
    except IllegalAction as error:
        return f"{called} {row}{str(error).removeprefix('row 0')}"
    raise AssertionError(f"the mask forbids action {action}, but the engine takes it")
