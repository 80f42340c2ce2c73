"""How well an agent does on problems: what it loses against the best action, by skill.

An agent is asked once a problem. Its loss is the value of the best action less that of the one that it took, so that
actions of equal value cost nothing. The score puts it on a scale on which the mean of all legal actions is 0, and the
best action 100; below 0 is worse than chance.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, TypeAlias

import numpy as np

from agents import statistics
from agents.errors import AgentError
from agents.problems.problem import Problem, load, positions
from agents.registry import make_agent
from agents.statistics import Estimate
from pedro_env.agent import Agent, Resettable
from pedro_env.rules import Rules
from pedro_env.typing import BoolArray, FloatArray, Int64Array

AgentSource: TypeAlias = "str | Callable[[Rules], Agent]"
ERRORS = 2
"""A problem is solved by an action that is no more than so many standard errors behind the best."""
TOTAL = "all skills"


@dataclass(frozen=True)
class SkillScore:
    """One agent on the problems of one skill."""

    problems: int
    unit: str
    """Of the loss: points of a deal's score difference, or the chance to win the match."""
    loss: Estimate
    """Mean over problems."""
    solved: Estimate
    """The share of problems."""
    score: Estimate
    """From 0 (mean of all legal actions) to 100 (best)."""


@dataclass(frozen=True)
class Score:
    """One agent on a set of problems."""

    agent: str
    sees_everything: bool
    """It saw all cards of the deal that each problem comes from, and so knew what no seat can know."""
    skills: dict[str, SkillScore]
    total: Estimate
    """The mean of the skills' scores, each with the same weight."""
    choices: list[str]
    """The action taken in each problem."""


def score(agent: AgentSource, problems: Sequence[Problem] | None = None) -> Score:
    """Ask an agent, by its name or as a function that makes it, for its action in every problem (default: ours).

    Raises ``AgentError`` where it cannot be made, ``ProblemError`` where a problem is not as it should be.
    """
    problems = load() if problems is None else problems
    taken, name, sees = _choices(agent, problems)
    losses = [problem.losses for problem in problems]
    lost = np.array([loss[action] for loss, action in zip(losses, taken, strict=True)])
    chance = np.array([loss.mean() for loss in losses])
    margin = np.array([problem.errors[action] for problem, action in zip(problems, taken, strict=True)])
    skills = by_skill(problems, lost, chance, lost <= ERRORS * margin)
    choices = [problem.legal[action] for problem, action in zip(problems, taken, strict=True)]
    return Score(name, sees, skills, _total(skills), choices)


def by_skill(
    problems: Sequence[Problem], lost: FloatArray, chance: FloatArray, solved: BoolArray
) -> dict[str, SkillScore]:
    """Scores from one value a problem: what was lost, what a legal action at random loses, whether it is solved."""
    scores: dict[str, SkillScore] = {}
    for skill in dict.fromkeys(problem.skill for problem in problems):
        rows = np.array([row for row, problem in enumerate(problems) if problem.skill == skill])
        scores[skill] = SkillScore(
            problems=len(rows),
            unit=problems[rows[0]].unit,
            loss=statistics.mean_estimate(lost[rows]),
            solved=statistics.rate_estimate(solved[rows]),
            score=_scaled(statistics.ratio_estimate(lost[rows], chance[rows])),
        )
    return scores


def _scaled(share: Estimate) -> Estimate:
    """From the share of chance's loss to the score."""

    def scaled(value: float | None) -> float | None:
        return None if value is None else 100 * (1 - value)

    error = None if share.error is None else 100 * share.error
    return Estimate(scaled(share.mean), scaled(share.high), scaled(share.low), error, share.pairs)


def _total(skills: dict[str, SkillScore]) -> Estimate:
    scores = [skill.score for skill in skills.values()]
    problems = sum(score.pairs for score in scores)
    if any(score.mean is None for score in scores):
        return Estimate(None, None, None, None, problems)
    mean = sum(score.mean or 0.0 for score in scores) / len(scores)
    if any(score.error is None for score in scores):
        return Estimate(mean, None, None, None, problems)
    error = math.sqrt(sum((score.error or 0.0) ** 2 for score in scores)) / len(scores)
    half = statistics.quantile(problems - len(scores)) * error
    return Estimate(mean, mean - half, mean + half, error, problems)


def _choices(source: AgentSource, problems: Sequence[Problem]) -> tuple[Int64Array, str, bool]:
    """``(n,)`` the place of the action taken among the legal ones of each problem; the agent's name; what it sees."""
    taken = np.zeros(len(problems), np.int64)
    name, sees = "", False
    order = sorted(range(len(problems)), key=lambda row: _game(problems[row]))
    for _, group in groupby(order, key=lambda row: _game(problems[row])):
        rows = list(group)
        batch = positions([problems[row] for row in rows])
        agent = make_agent(source, batch.rules) if isinstance(source, str) else source(batch.rules)
        name, sees = agent.name, agent.sees_everything
        if isinstance(agent, Resettable):
            agent.reset(np.arange(batch.n))
        actions = np.asarray(agent.act(batch.views(sees_everything=sees)), np.int64)
        if actions.shape != (batch.n,) or not batch.are_legal(actions, np.arange(batch.n)).all():
            raise AgentError(f"agent {name!r} must answer {batch.n} decisions with a legal action each")
        taken[rows] = (batch.mask().cumsum(axis=1) - 1)[np.arange(batch.n), actions]
    return taken, name, sees


def _game(problem: Problem) -> tuple[str, str, int]:
    """Problems of one game and seed can stand in one batch."""
    return problem.variant, str(sorted(problem.options.items())), problem.seed


def as_dictionary(result: Score) -> dict[str, Any]:
    """All figures, unrounded."""

    def figures(estimate: Estimate) -> dict[str, Any]:
        return {
            "mean": estimate.mean,
            "low": estimate.low,
            "high": estimate.high,
            "standard_error": estimate.error,
        }

    skills = {
        name: {
            "problems": skill.problems,
            "unit": skill.unit,
            "loss": figures(skill.loss),
            "solved": figures(skill.solved),
            "score": figures(skill.score),
        }
        for name, skill in result.skills.items()
    }
    return {
        "agent": result.agent,
        "sees_everything": result.sees_everything,
        "total": figures(result.total),
        "skills": skills,
        "choices": result.choices,
    }
