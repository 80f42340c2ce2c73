"""The worlds that a seat should think of: all that it cannot tell apart, and likely ones more often than others.

``deal_anew`` deals all worlds that agree with what the seat knows, each as often as another, whatever the others bid.
Here the auction of each is held again, and ``heuristic-1`` is asked at every call of another seat, and at the naming of
trumps, what it would have said. A call that is ``d`` steps from its own (a pass is a step below the lowest bid)
makes a world ``STEP ** d`` times as likely. What others laid aside, robbed and played is not judged.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from agents.heuristic import Heuristic1
from agents.search.weigh import dealt_again
from pedro_env.actions import FIRST_BID, PASS, Phase
from pedro_env.engine import Batch
from pedro_env.typing import FloatArray, IntArray
from pedro_env.worlds import deal_anew

STEP = 0.3
SUIT_STEPS = 2
"""Another suit than ``heuristic-1`` would have named counts as so many steps."""
_AT_ONCE = 512
_MOST = 60
"""So many worlds are dealt at most for each that is wanted: calls that hardly any of them explains are nobody's."""


def believed_worlds(batch: Batch, actions: Sequence[int], number: int, rng: np.random.Generator) -> Batch | None:
    """So many independent worlds of the one game of a batch, for the seat to act; ``actions``: all so far.

    None where the calls so far are so odd that hardly any world makes them likely.
    """
    seat = int(batch.to_act[0])
    worlds = batch.take(np.zeros(number, np.int64))
    found = 0
    for _ in range(-(-_MOST * number // _AT_ONCE)):
        dealt = deal_anew(batch, np.zeros(_AT_ONCE, np.int64), seat, rng)
        likely = np.flatnonzero(rng.random(_AT_ONCE) < likelihood(dealt, actions, seat))[: number - found]
        worlds.state.put(np.arange(found, found + len(likely)), dealt.state.take(likely))
        found += len(likely)
        if found == number:
            return worlds
    return None


def likelihood(worlds: Batch, actions: Sequence[int], seat: int) -> FloatArray:
    """``(n,)`` how likely the calls of the other seats are with the cards of each world, compared with the likeliest.

    ``worlds`` are of one position; ``actions``: all so far.
    """
    again = dealt_again(worlds)
    judge = Heuristic1(worlds.rules)
    likely = np.ones(worlds.n)
    for action in actions:
        if again.phase[0] not in (Phase.DARK, Phase.BID, Phase.TRUMP):
            break
        if again.to_act[0] != seat:
            likely *= STEP ** _steps(again, judge.act(again.views()), action)
        again.step(np.full(again.n, action))
    return likely


def _steps(batch: Batch, calls: IntArray, call: int) -> IntArray:
    """``(n,)`` by how much each of some calls differs from one."""
    if batch.phase[0] == Phase.TRUMP:
        return SUIT_STEPS * (calls != call)
    bids = batch.mask(np.array([0]))[0, FIRST_BID:]
    below_lowest = FIRST_BID + int(bids.argmax()) - 1
    levels = np.where(calls == PASS, below_lowest, calls)
    return np.abs(levels - (below_lowest if call == PASS else call))
