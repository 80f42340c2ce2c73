"""Worlds weighed by the bids that were seen: in which of them would the others have bid so?

The worlds of ``pedro_env.worlds`` are those that are possible. Here more of them are dealt than are wanted, the auction
of each is held again, an agent is asked at every turn of another seat how likely it would have done what that seat did,
and worlds are drawn by the product. An agent with a method ``probabilities`` (a learned policy) says them; of others
the action that they choose has ``1 - SLIP``, and all other legal ones share the rest. Nobody bids always as
expected: a policy's probabilities are mixed with ``SLIP`` of chance, too.
"""

from __future__ import annotations

import numpy as np

from agents.choice import count_legal
from agents.parts import SLIP, likelihoods
from pedro_env.actions import FIRST_BID, PASS, Phase
from pedro_env.agent import Agent
from pedro_env.cardset import to_bool
from pedro_env.engine import Batch
from pedro_env.phases import auction
from pedro_env.typing import BoolArray, FloatArray, Int64Array, IntArray
from pedro_env.views import Views
from pedro_env.worlds import worlds_of

MORE = 4
"""So many worlds are dealt for each that is wanted."""
_STREAM = 1


def weighed_worlds(views: Views, count: int, agent: Agent | None) -> Batch:
    """``count`` worlds of each decision, in order, as ``worlds_of``; weighed, where an agent is given."""
    if agent is None:
        return worlds_of(views, count)
    many = worlds_of(views, count * MORE)
    weight = np.exp(log_likelihood(many, agent)).reshape(len(views), -1)
    below = weight.cumsum(axis=1)
    # Evenly spaced draws from a random start: a world is drawn as often as its weight says, up or down to the next.
    start = views.uniform(_STREAM)[:, None] + np.arange(count)
    drawn = (below[:, None, :] <= (start / count * below[:, -1:])[:, :, None]).sum(axis=2)
    drawn = np.minimum(drawn, count * MORE - 1)
    return many.take((np.arange(len(views))[:, None] * count * MORE + drawn).reshape(-1))


def log_likelihood(worlds: Batch, agent: Agent) -> FloatArray:
    """``(n,)`` of what the others have bid so far, if they bid as an agent does and the cards are those of the world.

    An auction that the marks do not tell in full (one that ends in a misdeal) is judged as far as they do.
    """
    s = worlds.state
    again, unspent = dealt_again(worlds), _bids(worlds)
    total = np.zeros(worlds.n)
    rows = np.arange(worlds.n)
    while True:
        in_auction = np.isin(again.phase[rows], (Phase.DARK, Phase.BID))
        rows = rows[in_auction & (again.state.decision[rows] < s.decision[rows])]
        actions = _next_actions(again, unspent, rows)
        known = again.are_legal(actions, rows)
        rows, actions = rows[known], actions[known]
        if not len(rows):
            return total
        judged = (again.to_act[rows] != s.to_act[rows]) & (count_legal(again.legal()[rows]) > 1)
        if judged.any():
            views = again.views(rows[judged])
            total[rows[judged]] += np.log(_probability(agent, views, actions[judged]))
        bidding = rows[actions != PASS]
        unspent[bidding, again.to_act[bidding], actions[actions != PASS] - FIRST_BID] = False
        again.step(actions, rows)


def dealt_again(worlds: Batch) -> Batch:
    """The deals of some worlds from their beginning."""
    again = Batch(worlds.rules, worlds.seed, worlds.state.match, validate=False)
    rows = np.arange(again.n)
    again.state.clear(rows)
    for name in ("match", "deal", "dealer", "scores", "bidder_out", "pack"):
        getattr(again.state, name)[:] = getattr(worlds.state, name)
    auction.begin(again.tables, again.state, rows)
    return again


def _bids(worlds: Batch) -> BoolArray:
    """``(n, seats, bids)`` the bids that each seat has made."""
    mark = worlds.layout.mark("bid")
    bits = to_bool(worlds.state.marks, 64 * worlds.layout.mark_words)
    return bits[:, :, mark.start : mark.start + mark.width].copy()


def _next_actions(again: Batch, unspent: BoolArray, rows: IntArray) -> Int64Array:
    """What each seat whose turn it is did: every bid is higher than those before, so the lowest is made next."""
    width = unspent.shape[2]
    left = unspent[rows]
    lowest = np.where(left.any(axis=2), left.argmax(axis=2), width)
    own = lowest[np.arange(len(rows)), again.to_act[rows]]
    bids = (own < width) & (own == lowest.min(axis=1))
    bid = FIRST_BID + np.where(bids, own, 0)
    bids &= again.are_legal(bid, rows)  # not in the dark
    return np.where(bids, bid, PASS)


def _probability(agent: Agent, views: Views, actions: Int64Array) -> FloatArray:
    """``(k,)`` how likely an agent's choice is: nobody decides always as expected, so some of it is chance."""
    likely = likelihoods(agent, views)[np.arange(len(views)), actions]
    if hasattr(agent, "probabilities"):
        likely = (1 - SLIP) * likely + SLIP / count_legal(views.legal)
    return likely
