"""Choosing problems: positions in which it matters what one does.

Each position is screened with a few worlds. Where the choice seems to matter, it is valued anew in many fresh ones, so
that a value is not high because it was chosen for being high; it is kept if the choice then matters still.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from agents.problems.problem import Problem
from agents.problems.skills import SKILLS
from agents.problems.sources import Source, sources
from agents.problems.values import Unit, Values, action_values
from agents.search.scope import check_rules
from agents.workers import run_tasks
from pedro_env.actions import PASS, Phase
from pedro_env.cards import card_name
from pedro_env.variants import make_rules

MATTERS: dict[Unit, float] = {"points": 0.1, "match": 0.01}
"""So much at least a legal action taken at random must lose on average."""
TEMPTS: dict[Unit, float] = {"points": 4.0, "match": 0.2}
"""Where a pass is best, some bid must lose less: nobody learns from hands that nobody bids on."""
ERRORS = 2
"""An action is good where it is no more than so many standard errors behind the best."""
WRONG = 0.25
"""So large a share of the legal actions at least must not be good."""
_AT_ONCE = 40
MOST_DEALS = 2000
"""In which positions of one skill are looked for."""
_SCREENING, _VALUES = 0, 1


class Task(NamedTuple):
    """The problems of one skill."""

    variant: str
    options: dict[str, Any]
    seed: int
    skill: str
    each: int
    worlds: int
    screening: int


def make(
    variant: str,
    options: dict[str, Any],
    seed: int,
    each: int,
    worlds: int,
    screening: int,
    skills: Sequence[str] = tuple(SKILLS),
    workers: int = 1,
    on_progress: Callable[[int], None] = lambda problems: None,
) -> list[Problem]:
    """Up to ``each`` problems of some skills, in order; ``screening``, ``worlds``: how many in the two stages.

    They are the same whatever the number of processes. Raises ``AgentError`` where the rules are not the solver's.
    """
    check_rules(make_rules(variant, options))
    problems: list[Problem] = []
    tasks = [Task(variant, options, seed, skill, each, worlds, screening) for skill in skills]
    for found in run_tasks(of_skill, tasks, workers):
        problems += found
        on_progress(each)
    return problems


def of_skill(task: Task) -> list[Problem]:
    """The problems of one skill: from its deals one after another, all different, at most half of them passes."""
    rules = make_rules(task.variant, task.options)
    found: dict[bytes, Problem] = {}
    passes = 0
    for first in range(0, MOST_DEALS, _AT_ONCE):
        for source in sources(rules, task.seed, task.skill, first, _AT_ONCE):
            problem = _chosen(source, task)
            if problem is None:
                continue
            is_pass = problem.legal[int(problem.losses.argmin())] == "pass"
            sight = source.batch.observe().tobytes()
            if sight in found or (is_pass and passes >= task.each // 2):
                continue
            passes += is_pass
            found[sight] = problem
            if len(found) == task.each:
                return list(found.values())
    return list(found.values())


def _chosen(source: Source, task: Task) -> Problem | None:
    """The problem, if the choice matters by both samples of worlds."""
    unit: Unit = "match" if SKILLS[task.skill].bidder_out else "points"
    values = None
    for stage, worlds in ((_SCREENING, task.screening), (_VALUES, task.worlds)):
        values = valued(source, unit, worlds, task.seed, stage)
        if values is None or not matters(values, unit):
            return None
    assert values is not None
    return _problem(source, task, unit, values)


def valued(source: Source, unit: Unit, worlds: int, seed: int, stage: int = _VALUES) -> Values | None:
    """A position's values, from worlds that depend on seed, deal and stage alone."""
    rng = np.random.default_rng([seed, int(source.batch.state.match[0]), stage])
    return action_values(source.batch, source.actions, unit, worlds, rng)


def matters(values: Values, unit: Unit) -> bool:
    """Whether enough of the actions lose enough."""
    losses = values.mean.max() - values.mean
    wrong = losses > ERRORS * values.errors
    if wrong.mean() < WRONG or losses.mean() < MATTERS[unit]:
        return False
    best = values.actions[losses.argmin()]
    return bool(best != PASS or losses[values.actions != PASS].min() < TEMPTS[unit])


def _problem(source: Source, task: Task, unit: Unit, values: Values) -> Problem:
    batch, s = source.batch, source.batch.state
    names = batch.actions.names
    return Problem(
        skill=task.skill,
        variant=task.variant,
        options=task.options,
        seed=task.seed,
        match=int(s.match[0]),
        dealer=int(s.dealer[0]),
        scores_before=s.scores[0].tolist(),
        pack=[card_name(card) for card in s.pack[0].tolist()],
        actions=[names[action] for action in source.actions],
        seat=int(s.to_act[0]),
        phase=Phase(s.phase[0]).word,
        unit=unit,
        worlds=task.worlds,
        legal=[names[action] for action in values.actions.tolist()],
        values=values.mean.round(3).tolist(),
        errors=values.errors.round(3).tolist(),
        error=round(values.error, 3),
    )
