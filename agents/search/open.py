"""``open``: plays with all cards open, by the exact solver: the best that card play can do, and no honest player.

It is a yardstick. Bids and exchange are another agent's, which sees what a seat may see; the cards are played for the
most points of the own side in this deal against best play of the other, whatever the bid and the score. Where several
are best it takes the lowest card number. It never folds and never concedes (``scope.not_modelled``).
"""

from __future__ import annotations

import numpy as np

from agents.choice import decide
from agents.composite import Composite
from agents.registry import make_agent
from agents.search.scope import PHASES, check_rules
from agents.search.solver import action_values
from pedro_env.rules import Rules
from pedro_env.typing import Int64Array, IntArray
from pedro_env.views import Views


class OpenAgent(Composite):
    """The solver in the phases ``bury`` and ``play``; ``rest``, the name of an agent, says who decides the others.

    Raises ``AgentError`` where the rules are not the solver's.
    """

    sees_everything = True

    def __init__(self, rules: Rules, rest: str = "heuristic-1") -> None:
        check_rules(rules)
        self.name = "open"
        self.rest = make_agent(rest, rules)
        self.inner = (self.rest,)

    def act(self, views: Views) -> IntArray:
        """``(k,)`` a legal action for each decision. The solver is asked only where there is a choice."""
        playing = np.isin(views.phase, PHASES)
        actions = np.zeros(len(views), np.int64)
        if playing.any():
            actions[playing] = decide(views.take(playing), _best)
        if not playing.all():
            actions[~playing] = self.rest.act(views.take(~playing))
        return actions


def _best(views: Views) -> Int64Array:
    t, s = views.tables, views.full_state
    values = action_values(t, s, np.arange(len(views)))
    declarers = t.side_of[s.to_act] == t.side_of[s.declarer]
    gain = np.where(declarers[:, None], values, -values)
    return np.where(np.isnan(gain), -np.inf, gain).argmax(axis=1)
