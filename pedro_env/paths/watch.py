"""Watching a batch for rare paths, from outside: the engine does not know of it."""

from __future__ import annotations

import numpy as np

from pedro_env.actions import Phase
from pedro_env.engine import Batch
from pedro_env.paths.catalogue import PATHS, Path
from pedro_env.paths.looks import Look
from pedro_env.rules import Rules
from pedro_env.typing import IntArray


class Watch:
    """Steps a batch and notes, deal by deal, which paths its games take."""

    def __init__(self, batch: Batch) -> None:
        self.batch = batch
        self.paths = possible_paths(batch.rules)
        self.seen = np.zeros((len(self.paths), batch.n), np.bool_)
        """``(paths, n)`` taken since the watch began."""

    def step(self, actions: IntArray) -> None:
        """Take one decision in each game whose deal is not over: ``(n,)`` actions."""
        batch = self.batch
        legal, before = batch.mask(), batch.state.copy()
        batch.step(actions)
        look = Look(batch.tables, before, batch.state, legal, actions)
        going = before.phase != Phase.OVER
        worth = {when: going & when(look) for when in {path.when for path in self.paths}}
        for number, path in enumerate(self.paths):
            if worth[path.when].any():
                self.seen[number] |= worth[path.when] & path.seen(look)


def possible_paths(rules: Rules) -> tuple[Path, ...]:
    """The paths that a game can take, in the order of ``PATHS``."""
    return tuple(path for path in PATHS if path.possible(rules))
