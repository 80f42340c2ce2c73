"""``random``: uniformly random legal actions. A floor to measure from: it bids wildly, nobody plays like that."""

from __future__ import annotations

from agents.choice import count_legal, nth_legal
from pedro_env.rules import Rules
from pedro_env.typing import IntArray
from pedro_env.views import Views


class RandomAgent:
    """Every legal action with the same probability, from the views' own randomness."""

    sees_everything = False

    def __init__(self, rules: Rules) -> None:
        self.name = "random"

    def act(self, views: Views) -> IntArray:
        """``(k,)`` a legal action for each decision."""
        words = views.legal
        return nth_legal(words, (views.uniform() * count_legal(words)).astype("int64"))
