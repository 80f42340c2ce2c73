"""The solver in plain Python: the engine plays every legal action, and from the end backwards the best is taken.

It is slow, it shares nothing with the compiled solver, and it is what that is compared with.
"""

from __future__ import annotations

import numpy as np

from agents.search.scope import check_phases, check_rules, not_modelled
from pedro_env.engine import Batch
from pedro_env.typing import FloatArray, Int64Array, IntArray

_COLUMNS = ("phase", "to_act", "trick", "leader", "led", "winning", "best", "hand", "on_table", "taken")
"""What can differ between two positions of one deal, and matters."""


def action_values(batch: Batch, rows: IntArray) -> FloatArray:
    """``(k, actions)`` the points that the declarer's side ends with after each action, best play on both sides.

    NaN where an action is not legal or not modelled. Raises ``AgentError`` as ``solver.solve``.
    """
    check_rules(batch.rules)
    check_phases(batch.state, np.asarray(rows))
    return _values(batch.take(np.asarray(rows)), np.arange(len(rows)))[1]


def _values(batch: Batch, root: Int64Array) -> tuple[FloatArray, FloatArray]:
    """Value and values by action of positions, of which ``root`` says from which deal each comes."""
    s = batch.state
    side = batch.tables.side_of[s.declarer]
    values = s.points[np.arange(batch.n), side].astype(np.float64)  # right where the deal is over
    by_action = np.full((batch.n, batch.actions.n), np.nan)
    legal = batch.mask()
    legal[:, [batch.actions.id_of(word) for word in not_modelled(batch.rules)]] = False
    parent, action = np.nonzero(legal)
    if len(parent):
        children = batch.take(parent)
        children.step(action)
        first, same = _distinct(children, root[parent])
        by_action[parent, action] = _values(children.take(first), root[parent[first]])[0][same]
        going = ~batch.over
        maximises = batch.tables.side_of[s.to_act[going]] == side[going]
        values[going] = np.where(maximises, np.nanmax(by_action[going], axis=1), np.nanmin(by_action[going], axis=1))
    return values, by_action


def _distinct(batch: Batch, root: Int64Array) -> tuple[Int64Array, Int64Array]:
    """Rows of distinct positions, and for each position its place among them."""
    columns = [np.asarray(getattr(batch.state, name)).reshape(batch.n, -1) for name in _COLUMNS]
    keys = np.concatenate([root[:, None], *(column.astype(np.int64) for column in columns)], axis=1)
    _, first, same = np.unique(keys, axis=0, return_index=True, return_inverse=True)
    return first, same.reshape(-1)
