"""Problem sets by skill: positions with the value of every action, and a score a skill for any agent.

    problems = load()                       # those of pedro that come with the project
    result = score("heuristic-1", problems)
    result.skills["cinching"].loss.mean     # points that it gives away a problem
    result.total.mean                       # 0: a legal action at random, 100: always the best

``docs/problems.md`` says what the values are; making problems (``agents.problems.make``) needs numba.
"""

from agents.problems.problem import Problem, load
from agents.problems.scoring import Score, SkillScore, score

__all__ = ["Problem", "Score", "SkillScore", "load", "score"]
