"""The numbers that ``heuristic-1`` plays by, read from ``tables.json`` (made by ``agents.heuristic.estimate``)."""

from __future__ import annotations

import json
from dataclasses import dataclass, fields
from functools import lru_cache
from pathlib import Path

import numpy as np

from agents.heuristic.knowledge import Floats

PATH = Path(__file__).with_name("tables.json")


@dataclass(frozen=True, eq=False)
class Tables:
    """See the modules that use them for what the rows and columns mean."""

    rating: Floats
    """``(4 places, features)`` weights of ``valuation.features``."""
    auction: Floats
    """``(situations, levels, figures)`` expected score difference of a pass and each bid (``bidding``)."""
    branches: Floats
    """``(4, situations, levels, figures)`` chance that we make, we are set, they make, they are set."""
    outcomes: Floats
    """``(outcomes, 3)`` of simulated deals: bid, points of the bidding side, share of the deals."""
    play: Floats
    """``(situations, considerations)`` (``play``)."""


@lru_cache(maxsize=1)
def load() -> Tables:
    """The tables, read once."""
    data = json.loads(PATH.read_text(encoding="utf-8"))
    return Tables(**{name: np.array(values, np.float32) for name, values in data.items()})


def save(tables: Tables, path: Path = PATH) -> None:
    """Write tables, a row a line."""
    parts = []
    for field in fields(Tables):
        rows = getattr(tables, field.name).astype(np.float64).round(5 if field.name == "outcomes" else 3)
        lines = ",\n  ".join(json.dumps(row, separators=(",", ":")) for row in rows.tolist())
        parts.append(f'"{field.name}": [\n  {lines}\n]')
    path.write_text("{\n" + ",\n".join(parts).replace(".0,", ",").replace(".0]", "]") + "\n}\n", encoding="utf-8")
