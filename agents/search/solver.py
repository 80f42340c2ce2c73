"""The exact value of the play with all cards open: for any position of the phases ``bury`` and ``play``.

    solution = solve(batch, rows)
    solution.value       # (k,) points that the declarer's side ends the deal with, best play on both sides
    solution.by_action   # (k, actions) the same after each legal action; NaN where an action is not legal
    solution.line        # (k, L) a best line of actions to the end of the deal; -1 behind it

Each side wants as many points as it can get in this deal; bids, scores and the match do not matter. Points that are not
taken in tricks (a 2 that its holder keeps, discards that count) are in the value: it is what ``State.points`` will say.

It plays every game of two fixed partnerships of four seats. It reads the rules from ``Tables`` and ``Rules``; nothing
compares a variant's name. What it does not model are two choices to leave the deal, ``fold`` at one's turn to play
(``isle-madame``, ``canadian``) and ``concede`` (``tennessee``): they are treated as never chosen, and have no value
(NaN). ``scope.not_modelled`` names them.

The search is in ``kernel.py`` and needs numba: ``pip install -e '.[search]'``. The first call compiles it, which takes
some seconds, and keeps the result on disk. ``plain.py`` is the same in a few lines, and slow.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from agents.search.scope import check_phases, check_rules
from pedro_env.actions import Phase
from pedro_env.cards import N_CARDS, NONE
from pedro_env.cardset import count
from pedro_env.engine import Batch
from pedro_env.phases import scoring
from pedro_env.rules import DropOut, Follow, OpeningLead, Surplus
from pedro_env.state import State
from pedro_env.tables import Tables
from pedro_env.typing import FloatArray, Int16Array, Int64Array, IntArray

try:
    from agents.search import kernel
except ModuleNotFoundError as error:
    if error.name != "numba":
        raise
    raise ImportError("the solver needs numba: pip install -e '.[search]'", name="numba") from None

_DROP_OUT = {
    DropOut.NEVER: 0,
    DropOut.MAY_FOLD: 0,  # as if nobody did
    DropOut.CANNOT_FOLLOW_TRUMP: kernel.ON_TRUMP_LEAD,
    DropOut.LAY_DOWN: kernel.ON_ANY_LEAD,
    DropOut.NO_TRUMP: kernel.AFTER_TRICK,
}
_SURPLUS = {Surplus.BURY_FIRST_TRICK: kernel.FIRST_TRICK, Surplus.BURY_EACH_TRICK: kernel.EACH_TRICK}
"""The other ways of having too many cards are over when the play begins."""


class Solution(NamedTuple):
    """What is known of k positions."""

    value: Int16Array
    """``(k,)`` the points of the declarer's side at the end of the deal."""
    by_action: FloatArray
    """``(k, actions)`` the same after each action; NaN where it is not legal, or not modelled."""
    line: Int16Array
    """``(k, L)`` the actions of a line of best play to the end of the deal, the lowest of equal ones; then -1."""


def solve(batch: Batch, rows: IntArray | None = None) -> Solution:
    """Value, value of every action, and a best line, for some games (default: all).

    Raises ``AgentError`` where the rules or a game's phase are not the solver's.
    """
    return _solve(batch.tables, batch.state, _all(batch) if rows is None else rows, by_action=True, line=True)[0]


def value(batch: Batch, rows: IntArray | None = None) -> Int16Array:
    """``(k,)`` the value alone, in less than half the time. Raises as ``solve``."""
    rows = _all(batch) if rows is None else rows
    return _solve(batch.tables, batch.state, rows, by_action=False, line=False)[0].value


def best_line(batch: Batch, rows: IntArray) -> Int16Array:
    """``(k, L)`` as ``Solution.line``, for much less than ``solve`` takes. Raises as ``solve``."""
    return _solve(batch.tables, batch.state, rows, by_action=False, line=True)[0].line


def action_values(t: Tables, s: State, rows: IntArray) -> FloatArray:
    """``(k, actions)`` as ``Solution.by_action``, from a state: for agents. Raises as ``solve``."""
    return _solve(t, s, rows, by_action=True, line=False)[0].by_action


def counted(batch: Batch, rows: IntArray) -> tuple[Int16Array, Int64Array]:
    """``value``, and ``(k,)`` how many positions were looked at for it."""
    solution, nodes = _solve(batch.tables, batch.state, rows, by_action=False, line=False)
    return solution.value, nodes


def _all(batch: Batch) -> Int64Array:
    return np.arange(batch.n)


def _solve(t: Tables, s: State, rows: IntArray, *, by_action: bool, line: bool) -> tuple[Solution, Int64Array]:
    """The solution, and ``(k,)`` how many positions were looked at for it. What is not asked for has no columns."""
    check_rules(t.rules)
    rows = np.asarray(rows, np.int64)
    check_phases(s, rows)
    side = t.side_of[s.declarer[rows]]
    held = int(count(s.hand[rows]).sum(axis=1).max(initial=0))
    values = np.zeros(len(rows), np.int64)
    found = np.full((len(rows), N_CARDS * by_action), kernel.UNKNOWN)
    lines = np.full((len(rows), held * line), NONE)
    nodes = np.zeros(len(rows), np.int64)
    kernel.solve(
        _rules_as_numbers(t),
        _positions(s, rows, side),
        s.hand[rows].view(np.int64),
        s.on_table[rows].astype(np.int64),
        np.zeros(kernel.GAME_SIZE, np.int64),
        np.zeros((kernel.STACK_DEPTH, kernel.STACK_WIDTH), np.int64),
        np.zeros((kernel.STACK_DEPTH, kernel.MOST_CHOICES), np.int64),
        np.zeros((_entries(held), 3), np.int64),
        values,
        found,
        lines,
        nodes,
    )
    already = _already(t, s, rows)[np.arange(len(rows)), side]
    actions = np.full((len(rows), t.actions.n * by_action), np.nan)
    actions[:, : found.shape[1]] = np.where(found == kernel.UNKNOWN, np.nan, found + already[:, None])
    return Solution((values + already).astype(np.int16), actions, lines.astype(np.int16)), nodes


def _entries(held: int) -> int:
    """The size of the table of positions, a power of two, for hands of so many cards together: 16,384 for 24."""
    return 1 << min(max(held - 10, 8), 18)


def _already(t: Tables, s: State, rows: IntArray) -> Int16Array:
    """``(k, sides)`` the points that a side has whatever is played from here on, as the end of the deal counts them."""
    ended = s.take(rows)
    scoring.score(t, ended, np.arange(len(rows)))
    return ended.points


def _positions(s: State, rows: IntArray, side: IntArray) -> Int64Array:
    columns = {
        kernel.P_TRUMP: s.trump,
        kernel.P_LEADER: s.leader,
        kernel.P_SEAT: s.to_act,
        kernel.P_LED: s.led,
        kernel.P_WINNING: s.winning,
        kernel.P_BEST: s.best,
        kernel.P_TRICK: s.trick,
        kernel.P_BURYING: s.phase == Phase.BURY,
    }
    positions = np.zeros((len(rows), kernel.P_WIDTH), np.int64)
    for place, column in columns.items():
        positions[:, place] = column[rows]
    positions[:, kernel.P_SIDE] = side
    return positions


def _rules_as_numbers(t: Tables) -> tuple[np.ndarray, ...]:
    rules = t.rules
    modes = {
        kernel.M_HAND: rules.hand,
        kernel.M_DROP_OUT: 0 if rules.follow is Follow.TRUMPS_ONLY else _DROP_OUT[rules.drop_out],
        kernel.M_SURPLUS: _SURPLUS.get(rules.surplus, 0),
        kernel.M_TRUMPS_ONLY: rules.follow is Follow.TRUMPS_ONLY,
        kernel.M_LEAD_TRUMP: rules.opening_lead is OpeningLead.TRUMP,
        kernel.M_ENDS_WHEN_DECIDED: rules.ends_when_decided,
        kernel.M_PLAIN_ALIKE: not rules.plain_ranks and rules.follow in (Follow.FREE, Follow.PLAIN_FIRST),
    }
    return (
        np.array([modes[place] for place in range(len(modes))], np.int64),
        t.suit_of.astype(np.int64),
        t.strength.astype(np.int64),
        t.trick_points[:, :N_CARDS].astype(np.int64),
        np.array([t.point_cards, t.playable, t.two]).view(np.int64),
        t.must.view(np.int64),
        t.may.view(np.int64),
    )
