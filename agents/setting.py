"""Who decides what at the tables that are learnt from, and how their deals begin and end.

A table has seats of the learning policy, of a past self of it, or of a fixed agent of the league. Where a part of the
decisions is frozen, the frozen agent takes them for the learning policy and for its past selves; a fixed agent takes
all its decisions itself.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from agents.config import ConfigError, TrainConfig
from agents.errors import AgentError
from agents.parts import ALL, act_by_part, check_rest, in_part, tell_reset, written
from agents.registry import make_agent
from agents.search.scope import PHASES as SOLVED_PHASES
from agents.search.scope import check_rules
from agents.start_scores import scores_in_matches
from pedro_env.agent import Agent
from pedro_env.engine import Batch
from pedro_env.rules import Rules
from pedro_env.typing import BoolArray, Int8Array, Int16Array, Int64Array, IntArray
from pedro_env.views import Views

LEARNER, PAST, FIXED = 0, 1, 2
"""Who has a seat; from ``FIXED`` on the fixed agents in their order."""


@dataclass(frozen=True)
class Setting:
    """What is learnt and what is frozen in a run."""

    part: str = ALL
    """What is learnt: a part of the deal (``parts.py``), or all."""
    frozen: Agent | None = None
    """Takes the decisions that are not learnt."""
    solved: bool = False
    """The exact solver ends the deals."""
    whole_match: bool = False
    """An episode is a match."""
    scores: Int16Array | None = None
    """``(m, sides)`` scores of which each start is one; None: 0–0."""
    fixed: tuple[Agent, ...] = ()
    fixed_share: float = 0.0
    """The share of the tables with a past self or a fixed agent that the latter have."""

    def seating(self, tables: int, seats: int, others: int) -> Int8Array:
        """``(tables, seats)`` who has each seat; ``others`` is the number of tables not of the learner alone.

        At those, the first ones, a past self or a fixed agent has the seats of one side (half of the seats where each
        plays for itself), alternately the even and the odd ones.
        """
        who = np.full((tables, seats), LEARNER, np.int8)
        number = np.arange(others)
        fixed = round(self.fixed_share * others) if self.fixed else 0
        other = np.where(number < fixed, FIXED + number // 2 % max(1, len(self.fixed)), PAST)
        theirs = (number[:, None] + np.arange(seats)) % 2 == 0
        who[:others] = np.where(theirs, other[:, None], LEARNER)
        return who

    def begin(self, batch: Batch, rng: np.random.Generator) -> None:
        """Let the deals of a new batch begin at other scores than 0, where the setting says so."""
        if self.scores is not None:
            picked = self.scores[rng.integers(len(self.scores), size=batch.n)]
            batch.restart(np.arange(batch.n), batch.state.match.copy(), picked)

    def tell_reset(self, rows: IntArray) -> None:
        """New deals begin in these games."""
        tell_reset((self.frozen, *self.fixed), rows)

    def is_frozen(self, phases: Int8Array) -> BoolArray:
        """``(k,)`` which phases are not learnt."""
        return ~in_part(self.part, phases)

    def waits_for_solver(self, batch: Batch) -> BoolArray:
        """``(n,)`` where the play of the cards would begin, and the exact solver ends the deal instead."""
        return np.isin(batch.phase, SOLVED_PHASES) if self.solved else np.zeros(batch.n, np.bool_)

    def solve(self, batch: Batch) -> None:
        """End the deals that wait for the solver."""
        from agents.search.scored import end_at_value  # needs numba

        end_at_value(batch)

    def whole(self, agent: Agent) -> Agent:
        """An agent of the learnt part together with the frozen one, as an agent for all phases."""
        return agent if self.frozen is None else _Whole(agent, self.part, self.frozen)


@dataclass
class _Whole:
    agent: Agent
    part: str
    frozen: Agent

    def __post_init__(self) -> None:
        self.name = self.agent.name
        self.sees_everything = self.frozen.sees_everything

    def act(self, views: Views) -> IntArray:
        return act_by_part(views, self.part, self.agent.act, self.frozen)

    def reset(self, games: IntArray) -> None:
        tell_reset((self.agent, self.frozen), games)


def make_setting(config: TrainConfig, rules: Rules) -> Setting:
    """The setting of a configuration. Raises ``AgentError`` where an agent cannot be made."""
    learning, selfplay = config.learning, config.selfplay
    scores = None
    if selfplay.start_scores == "matches":
        scores = scores_in_matches(make_agent(selfplay.scores_from, rules), rules, config.seed)
    return Setting(
        part=learning.phases,
        frozen=_frozen(config, rules),
        solved=learning.cards == "solved",
        whole_match=selfplay.episode == "match",
        scores=scores,
        fixed=_fixed(config, rules),
        fixed_share=1.0 if config.exploit else selfplay.opponents_share,
    )


def make_settings(config: TrainConfig, rules: Rules, parts: int) -> list[Setting]:
    """The setting for each part of the tables, with agents of its own.

    Games are numbered from 0 in each part, and an agent may keep something for the game of a number.
    """
    first = make_setting(config, rules)
    others = [replace(first, frozen=_frozen(config, rules), fixed=_fixed(config, rules)) for _ in range(1, parts)]
    return [first, *others]


def _frozen(config: TrainConfig, rules: Rules) -> Agent | None:
    return None if config.learning.phases == ALL else make_agent(config.learning.frozen, rules)


def _fixed(config: TrainConfig, rules: Rules) -> tuple[Agent, ...]:
    return tuple(make_agent(name, rules) for name in config.fixed_agents)


def check_setting(config: TrainConfig, rules: Rules) -> None:
    """Find mistakes before a run begins: ``AgentError`` or ``ConfigError``."""
    learning, selfplay = config.learning, config.selfplay
    names = list(config.fixed_agents)
    if learning.phases != ALL:
        check_rest(learning.frozen, "learning.frozen: ")
        names.append(learning.frozen)
    if selfplay.start_scores == "matches":
        names.append(selfplay.scores_from)
    for name in dict.fromkeys(names):
        make_agent(name, rules)
    if learning.cards == "solved":
        _check_solver(rules)


def _check_solver(rules: Rules) -> None:
    try:
        from agents.search import solver  # noqa: F401  # is numba there?
    except ImportError as error:
        raise ConfigError(f"learning.cards is 'solved': {error}") from None
    check_rules(rules)


def act(agent: Agent, batch: Batch, rows: IntArray) -> Int64Array:
    """What an agent chooses in some games; ``AgentError`` where that is not legal."""
    actions = np.asarray(agent.act(batch.views(rows, sees_everything=agent.sees_everything)), np.int64)
    if actions.shape != rows.shape or not batch.are_legal(actions, rows).all():
        raise AgentError(f"{agent.name} chose an action that is not legal, or not one for each decision")
    return actions


def part_of(config: TrainConfig) -> dict[str, str]:
    """What the files of a run's policies say of what it has learnt (``parts.written``)."""
    return written(config.learning.phases, config.learning.frozen)
