"""Scores on the problems that come with the project (``agents.problems``), where these are of the game in question."""

from __future__ import annotations

from typing import Any

from agents.problems import load, score
from agents.progress import Progress
from agents.report import as_figures
from agents.report_page.contest import Contest


def problem_scores(contest: Contest) -> dict[str, Any] | None:
    """Every agent's score by skill, 0 a legal action at random, 100 the best; None for another game."""
    problems = load()
    if any(problem.rules() != contest.rules for problem in problems):
        return None
    agents = [agent for entrant in contest.entrants for agent in entrant.members]
    rows: list[dict[str, Any]] = []
    skills: dict[str, int] = {}
    with Progress("agents on problems", len(agents)) as progress:
        for agent in agents:
            found = score(agent, problems)
            skills = {name: skill.problems for name, skill in found.skills.items()}
            rows.append(
                {
                    "agent": agent,
                    "total": as_figures(found.total),
                    "skills": {name: as_figures(skill.score) for name, skill in found.skills.items()},
                }
            )
            progress.advance(1)
    return {
        "problems": len(problems),
        "skills": [{"skill": name, "problems": number} for name, number in skills.items()],
        "agents": rows,
    }
