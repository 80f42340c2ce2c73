"""Fixed sets of duplicate deals, by name: one to tune on and one to report on. Nothing is stored or downloaded.

A set is a seed and a number of pairs: its deals, or matches, are those of the match numbers from 0. Like everything
that is dealt from a seed they are the same on every machine, and in every variant there is a set of each name.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

SETS: dict[str, int] = {"dev-1": (1 << 42) + 1, "report-1": (1 << 42) + 2}
"""The seeds, far from those that people type and those of training (``trainer.py``). A name never changes its deals."""

PAIRS = {"deal": 50_000, "match": 5_000}
"""How many pairs of deals, or of matches, each set has."""

TUNED_ON = "tuned_on"
"""The key under which a policy's metadata names the sets that choices about it were made on."""


def tuned_on(metadata: Mapping[str, Any]) -> tuple[str, ...]:
    """The names of sets in a policy's metadata; none where it does not say."""
    names = metadata.get(TUNED_ON)
    return tuple(map(str, names)) if isinstance(names, list) else ()
