"""The rule-based players ``heuristic-1`` and ``heuristic-2``."""

from agents.heuristic.agent import Heuristic1, Heuristic2

__all__ = ["Heuristic1", "Heuristic2"]
