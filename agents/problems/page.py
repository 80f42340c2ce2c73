"""Problems and scores as text: one problem as a person sees it, and tables of skills × agents."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Sequence

import numpy as np

from agents.play.screen import Screen
from agents.play.story import Story
from agents.problems.problem import Problem
from agents.problems.scoring import TOTAL, Score, SkillScore
from agents.problems.skills import SKILLS
from agents.report import Table
from agents.statistics import Estimate
from pedro_env.actions import Phase
from pedro_env.cards import parse_card
from pedro_env.engine import Batch
from pedro_env.render import WIDTH, told

UNITS = {
    "points": "points (own score change less the others')",
    "match": "the chance to win the match",
}
_ORDERS = {"passes": "pass", "bids": "bid", "names": "name", "buries": "bury", "calls": "call"}
_AGENT_WIDTH = 14
"""Columns of an agent in a table: five of them and their heads fit 100."""


def problem_page(problem: Problem, number: int, total: int) -> str:
    """A problem from the seat that decides, and the values of the actions, best first."""
    batch = Batch(problem.rules(), problem.seed, [problem.match])
    batch.set_position(0, [parse_card(name) for name in problem.pack], problem.dealer, problem.scores_before)
    story, screen = Story(batch, problem.seat), Screen(batch, problem.seat)
    for name in problem.actions:
        action = batch.actions.parse(name, Phase(batch.phase[0]))
        story.before_step(action)
        batch.step(np.array([action]))
        story.after_step()
    so_far = [line for sentence in story.tell() for line in textwrap.wrap(sentence, WIDTH, subsequent_indent="  ")]
    look = story.look()
    lines = [
        f"Problem {number} of {total}: {problem.skill}. {problem.variant}, seed {problem.seed}, match {problem.match}",
        *textwrap.wrap(f"({about(problem.skill)})", WIDTH),
        "",
        *so_far,
        *([""] if so_far else []),
        screen.table(look, WIDTH),
        "",
        *_values(problem),
    ]
    return "\n".join(lines)


def _values(problem: Problem) -> list[str]:
    decimals = 3 if problem.unit == "match" else 2
    losses = problem.losses
    lines = [
        f"What you can do, its value in {UNITS[problem.unit]},",
        f"and its loss against the best, ± standard error (means over {problem.worlds} worlds):",
        f"  {'':14}{'value':>8}{'loses':>8}",
    ]
    for place in np.argsort(losses, kind="stable").tolist():
        words = _you_do(told(problem.phase, problem.legal[place])[0])
        value, loss, error = problem.values[place], losses[place], problem.errors[place]
        lines.append(f"  {words:14}{value:+8.{decimals}f}{loss:8.{decimals}f} ±{error:.{decimals}f}")
    lines.append(f"  {'at random':14}{np.mean(problem.values):+8.{decimals}f}{losses.mean():8.{decimals}f}")
    lines.append(f"The best action's own value is known to ±{problem.error:.{decimals}f}.")
    return lines


def _you_do(words: str) -> str:
    """``"passes"``, ``"bids 8"``, ``"names ♠"`` as one is told to: ``"pass"``."""
    verb, space, rest = words.partition(" ")
    return _ORDERS.get(verb, verb) + space + rest


def about(skill: str) -> str:
    """What a skill is, in a line."""
    return SKILLS[skill].about if skill in SKILLS else "a skill of another version"


def skill_list(problems: Sequence[Problem]) -> list[str]:
    """A line a skill: the numbers of its problems, and what it is."""
    lines: list[str] = []
    for skill in dict.fromkeys(problem.skill for problem in problems):
        numbers = [number for number, problem in enumerate(problems, 1) if problem.skill == skill]
        lines.append(f"{skill:20} {numbers[0]:>3}–{numbers[-1]:<3}  {about(skill)}")
    return lines


def score_table(results: Sequence[Score]) -> Table:
    """Scores: 0 is a legal action at random, 100 the best."""
    table = _by_skill(results, lambda skill: _with_margin(skill.score, ".0f"))
    table[1].append([TOTAL, str(results[0].total.pairs), *(_with_margin(result.total, ".1f") for result in results)])
    return table


def loss_table(results: Sequence[Score]) -> Table:
    """Mean losses."""
    return _by_skill(results, lambda skill: _with_margin(skill.loss, ".3f" if skill.unit == "match" else ".2f"))


def solved_table(results: Sequence[Score]) -> Table:
    """Shares of problems that are solved."""
    return _by_skill(results, lambda skill: "–" if skill.solved.mean is None else f"{skill.solved.mean:.0%}")


def _by_skill(results: Sequence[Score], cell: Callable[[SkillScore], str]) -> tuple[list[str], list[list[str]]]:
    head = ["skill", "n", *(_short(result) for result in results)]
    rows = [
        [skill, str(first.problems), *(cell(result.skills[skill]) for result in results)]
        for skill, first in results[0].skills.items()
    ]
    return head, rows


def _with_margin(estimate: Estimate, form: str) -> str:
    """A mean and half its 95% interval."""
    if estimate.mean is None:
        return "–"
    if estimate.low is None or estimate.high is None:
        return f"{estimate.mean:{form}}"
    return f"{estimate.mean:{form}} ±{(estimate.high - estimate.low) / 2:{form}}"


def _short(result: Score) -> str:
    """An agent's name at the head of a column: the end of a long one; a star where it sees all cards."""
    star = "*" * result.sees_everything
    room = _AGENT_WIDTH - len(star)
    return (result.agent if len(result.agent) <= room else "…" + result.agent[1 - room :]) + star
