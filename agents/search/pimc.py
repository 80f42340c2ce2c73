"""``pimc``: does what is best on average over worlds, each of which is solved with all cards open; and ``search``.

A world is a deal that agrees with everything that the seat knows (``pedro_env.worlds``); no agent in here sees the real
one. In each world the exact solver says what every legal card is worth, and the card with the best mean is played, of
equal ones the lowest. So it knows what it does not know now, but not that it will know little more at its next turn: a
card that leaves a guess for later looks better than it is.
"""

from __future__ import annotations

import numpy as np

from agents.choice import decide
from agents.composite import Composite, check_honest
from agents.errors import AgentError
from agents.registry import make_agent
from agents.search.auction import SolverBidding
from agents.search.scope import PHASES, check_rules
from agents.search.solver import action_values
from agents.search.utility import Objective, gains
from agents.search.weigh import weighed_worlds
from pedro_env.agent import Agent
from pedro_env.rules import Rules
from pedro_env.typing import Int64Array, IntArray
from pedro_env.views import Views
from pedro_env.worlds import are_partial


class PimcAgent(Composite):
    """Plays by search; ``bidding`` decides everything before the play: an agent, or ``solver`` for search there too.

    ``worlds``: how many a decision; ``objective``: what is wanted of them (``utility.py``); ``weigh``: an agent by
    whose bids worlds are weighed (``weigh.py``), or none. Raises ``AgentError`` where the rules are not the solver's.
    """

    sees_everything = False
    NAME = "pimc"

    def __init__(
        self,
        rules: Rules,
        worlds: int = 20,
        bidding: str = "heuristic-1",
        objective: Objective = "score",
        weigh: str | None = None,
    ) -> None:
        check_rules(rules)
        if worlds < 1:
            raise AgentError(f"worlds must be at least 1, not {worlds}")
        self.name = self.NAME
        self.worlds = worlds
        self.objective: Objective = objective
        self.weigh = None if weigh is None else make_agent(weigh, rules)
        self.bidder: Agent = SolverBidding(rules, worlds) if bidding == "solver" else make_agent(bidding, rules)
        self.inner = (self.bidder,) if self.weigh is None else (self.bidder, self.weigh)
        check_honest(self.NAME, self.inner)
        self.partial = 0
        """Decisions so far whose worlds show more of the real deal than the seat knows (``worlds.are_partial``)."""

    def act(self, views: Views) -> IntArray:
        """``(k,)`` a legal action for each decision. It searches only where there is a choice."""
        playing = np.isin(views.phase, PHASES)
        actions = np.zeros(len(views), np.int64)
        if playing.any():
            actions[playing] = decide(views.take(playing), self._play)
        if not playing.all():
            actions[~playing] = self.bidder.act(views.take(~playing))
        return actions

    def _play(self, views: Views) -> Int64Array:
        self.partial += len(views) * are_partial(views.rules)
        worlds = weighed_worlds(views, self.worlds, self.weigh)
        t, s = worlds.tables, worlds.state
        values = action_values(t, s, np.arange(worlds.n))
        gain = gains(t, s, t.side_of[s.to_act], values, self.objective)
        mean = gain.reshape(len(views), self.worlds, -1).mean(axis=1)
        return np.where(np.isnan(mean), -np.inf, mean).argmax(axis=1)


class SearchAgent(PimcAgent):
    """``policy``, the name or file of an agent, decides everything before the play; the cards are played by search."""

    NAME = "search"

    def __init__(
        self,
        rules: Rules,
        policy: str = "",
        worlds: int = 20,
        objective: Objective = "score",
        weigh: str | None = None,
    ) -> None:
        if not policy:
            raise AgentError("agent 'search' needs an agent that bids: search:policy=FILE")
        super().__init__(rules, worlds, policy, objective, weigh)
