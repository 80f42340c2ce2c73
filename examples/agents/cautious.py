"""An agent as a Python class: plays as ``heuristic-1`` does, but never bids more than it is told to.

    python evaluate.py python:examples/agents/cautious.py:Cautious:highest=8 heuristic-1

It chooses for many games at once (``pedro_env.views`` says what it is given).
"""

import numpy as np

from agents.registry import make_agent
from pedro_env.actions import FIRST_BID, PASS, Phase
from pedro_env.rules import Rules
from pedro_env.typing import IntArray
from pedro_env.views import Views


class Cautious:
    """Passes rather than bid more than ``highest``."""

    name = "cautious"
    sees_everything = False

    def __init__(self, rules: Rules, highest: int = 9) -> None:
        self.highest = highest
        self.heuristic = make_agent("heuristic-1", rules)

    def act(self, views: Views) -> IntArray:
        """``(k,)`` a legal action for each decision."""
        actions = self.heuristic.act(views)
        numbers = np.array([bid.number for bid in views.actions.bids])
        bidding = (views.phase == Phase.BID) & (actions >= FIRST_BID) & (actions < FIRST_BID + len(numbers))
        too_high = numbers[np.where(bidding, actions - FIRST_BID, 0)] > self.highest
        return np.where(bidding & too_high & views.mask[:, PASS], PASS, actions)
