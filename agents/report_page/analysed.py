"""Recorded deals with all cards open (``agents.analyse``, which needs numba): bids against par, losses."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from typing import Any

import numpy as np

from agents.analyse.losses import CONTINUATION, KINDS, STEPS, Losses, in_order, losses
from agents.analyse.summary import Row, Summary
from agents.progress import Progress
from agents.report import as_figures
from agents.report_page.recorded import Recorded, agents_of, bid_rows
from agents.workers import run_tasks
from pedro_env.cards import NONE

_CHUNK = 20
"""Deals in a piece of work. No figure depends on it."""


def analyse(recorded: Recorded, workers: int) -> dict[str, Any]:
    """Everything that is said about the deals with all cards open.

    Raises ``AgentError`` where the game is not one that is solved.
    """
    found = _losses(recorded, workers)
    summary = Summary(found, agents_of(recorded), recorded.match)
    return {
        "continuation": CONTINUATION,
        "bids": _calibration(recorded, found),
        "par": _par(recorded, found),
        "by_role": [_row(row, "role", (*KINDS, "points")) for row in _sorted(summary.by_role(), recorded)],
        "by_trick": [_row(row, "side", list(row.figures)) for row in _sorted(summary.by_trick(), recorded)],
        "steps": [
            {
                "a": share.agents[0],
                "b": share.agents[1],
                "deals": share.deals,
                **{name: as_figures(share.figures[name]) for name in ("par", *STEPS, "result")},
            }
            for share in summary.shares()
        ],
    }


def _losses(recorded: Recorded, workers: int) -> Losses:
    parts = [range(n, min(n + _CHUNK, len(recorded.records))) for n in range(0, len(recorded.records), _CHUNK)]
    tasks = [[recorded.records[number] for number in part] for part in parts]
    found: list[Losses] = []
    with (
        Progress("deals analysed", len(recorded.records)) as progress,
        closing(run_tasks(losses, tasks, workers)) as results,
    ):
        for part, result in zip(parts, results, strict=True):
            found.append(result)
            progress.advance(len(part))
    return in_order(found, parts)


def _calibration(recorded: Recorded, found: Losses) -> list[dict[str, Any]]:
    """What came of bids beside what could have: in the suit that was named, and in the side's best suit."""
    in_suit, in_best = found.deals["named_points"], found.deals["best_points"]
    extra = {
        "makeable_in_suit": (in_suit >= recorded.bid, True),
        "makeable": (in_best >= recorded.bid, True),
        "suit_points": (in_suit, False),
        "best_points": (in_best, False),
    }
    return bid_rows(recorded, extra)


def _par(recorded: Recorded, found: Losses) -> list[dict[str, Any]]:
    """How often an entrant declares where the par contract is its own side's, and where it is the other's."""
    seat = found.deals["par_seat"]
    there = seat != NONE
    holder = recorded.seats[np.arange(len(seat)), seat]
    played = recorded.declarer != NONE
    rows: list[dict[str, Any]] = []
    for number, name in enumerate(recorded.entrants):
        sits = (recorded.seats == number).any(axis=1) & there
        own, others = sits & (holder == number), sits & (holder != number)
        declares = played & (recorded.declares == number)
        rows.append(
            {
                "agent": name,
                "par_is_its_own": int(own.sum()),
                "declares_its_own": recorded.rate(declares, own),
                "par_is_the_others": int(others.sum()),
                "declares_the_others": recorded.rate(declares, others),
            }
        )
    return rows


def _sorted(rows: Sequence[Row], recorded: Recorded) -> list[Row]:
    """In the order of the entrants."""
    return sorted(rows, key=lambda row: recorded.entrants.index(row.agent))


def _row(row: Row, what: str, names: Sequence[str]) -> dict[str, Any]:
    figures = {name: as_figures(row.figures[name]) for name in names}
    return {"agent": row.agent, what: row.what, "seats": row.seats, "a_seat": figures}
