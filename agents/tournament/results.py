"""The files of a tournament's results: ``results.json`` with everything, unrounded, and tables as CSV.

``results.json`` describes itself: what was played, by which command and versions, every estimate with its interval, and
for each setup its tallies and how often each difference of a pair came up. All but ``command`` and ``run`` is the same
whatever the number of processes, and whether it was interrupted.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np

from agents.arena import Duel
from agents.report import as_figures
from agents.statistics import Estimate
from agents.tournament.analysis import Analysis
from agents.tournament.crossplay import CrossPlay, Gap
from agents.tournament.cycles import Triangle
from agents.tournament.setups import Setup
from pedro_env.files import write_whole

FORMAT = 1
"""Of ``results.json``; a reader of another format should not guess."""
RESULTS, CROSS, RATINGS, CROSS_PLAY, DIFFERENCES = (
    "results.json",
    "cross.csv",
    "ratings.csv",
    "cross_play.csv",
    "differences.csv",
)
_FIGURES = ("mean", "low", "high", "standard_error")


def write_results(folder: Path, head: Mapping[str, Any], analysis: Analysis) -> list[Path]:
    """Write all files; ``head`` is what ``results.json`` begins with. Returns where they are."""
    tables = {CROSS: _cross_table(analysis), RATINGS: _rating_table(analysis), DIFFERENCES: _difference_table(analysis)}
    if analysis.cross_play is not None:
        tables[CROSS_PLAY] = _cross_play_table(analysis.cross_play)
    data = {"format": FORMAT, "kind": "tournament", **head, **as_dictionary(analysis)}
    write_whole(folder / RESULTS, (json.dumps(data, indent=1, allow_nan=False) + "\n").encode())
    if CROSS_PLAY not in tables:  # what an earlier, larger tournament of this folder has left belongs to no other file
        (folder / CROSS_PLAY).unlink(missing_ok=True)
    for name, rows in tables.items():
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows(rows)
        write_whole(folder / name, text.getvalue().encode())
    return [folder / name for name in (RESULTS, *tables)]


def as_dictionary(analysis: Analysis) -> dict[str, Any]:
    """All figures. Agents are named as in ``entrants``, their files as in ``setups``."""
    names = [entrant.name for entrant in analysis.entrants]
    data: dict[str, Any] = {
        "entrants": [{"name": entrant.name, "agents": list(entrant.members)} for entrant in analysis.entrants],
        "pairs": analysis.pairs,
        "cross_table": [_pairing(analysis, i, j) for i, j in permutations(range(len(names)), 2)],
        "ratings": {
            "anchor": analysis.anchor,
            "entrants": [_rating(analysis, i) for i in range(len(names))],
        },
        "additive_fit": _fit(analysis),
        "setups": [_setup(setup, duel, analysis) for setup, duel in analysis.duels.items()],
    }
    if analysis.cross_play is not None:
        data["cross_play"] = _cross_play(analysis.cross_play)
    return data


def _pairing(analysis: Analysis, row: int, column: int) -> dict[str, Any]:
    names = [entrant.name for entrant in analysis.entrants]
    figures = {"a": names[row], "b": names[column], "points_a_deal": as_figures(analysis.points.over(row, column))}
    if analysis.wins is not None:
        figures["match_win_share"] = as_figures(analysis.win_share(row, column))
    return figures


def _rating(analysis: Analysis, i: int) -> dict[str, Any]:
    figures: dict[str, Any] = {"name": analysis.entrants[i].name, "points_a_deal": as_figures(analysis.ratings[i])}
    if analysis.win_ratings is not None:
        figures["bradley_terry"] = as_figures(analysis.win_ratings[i].strength)
        figures["match_win_share"] = as_figures(analysis.win_ratings[i].share)
    return figures


def _fit(analysis: Analysis) -> dict[str, Any] | None:
    """The test of the ratings' model; None where it cannot be made. A circle is None where there is none."""
    fit, misfit, circle = analysis.fit, analysis.misfit, analysis.circle
    if fit is None:
        return None
    return {
        "hotelling_t2": fit.statistic,
        "degrees_of_freedom": list(fit.freedom),
        "p": fit.p,
        "share_explained": fit.explained,
        "largest_misfit": _triangle(analysis, misfit),
        "strongest_circle": _triangle(analysis, circle),
    }


def _triangle(analysis: Analysis, triangle: Triangle | None) -> dict[str, Any] | None:
    if triangle is None:
        return None
    names = [analysis.entrants[i].name for i in triangle.entrants]
    return {"entrants": names, "points_a_deal": as_figures(triangle.points)}


def _setup(setup: Setup, duel: Duel, analysis: Analysis) -> dict[str, Any]:
    """What was played: ``partners`` (two of one agent, or a mixed pair) against two of ``against``."""
    values, counts = difference_counts(duel)
    figures: dict[str, Any] = {
        "partners": [setup.first, setup.second],
        "against": setup.against,
        "pairs": len(duel.deals),
        "tables_a_pair": setup.tables,
        "deals_played": int(duel.deals.sum()),
        "redeals": duel.redeals,
        "pushes": duel.pushes,
        "points_a_deal": as_figures(duel.points),
        "deviation_of_a_pair": duel.deviation,
    }
    if analysis.episode == "match":
        figures["matches_without_winner"] = int((duel.wins == 0.5).sum())
        figures["match_win_share"] = as_figures(duel.win_rate)
    figures["difference_counts"] = {"difference": values, "pairs": counts}
    figures["sides"] = dict(zip(("partners", "against"), (tally.rates() for tally in duel.tallies), strict=True))
    return figures


def _cross_play(cross: CrossPlay) -> dict[str, Any]:
    rows = [{"name": name, "agent": agent} for name, agent in zip(cross.names, cross.agents, strict=True)]
    return {
        "reference": cross.reference,
        "rows": rows,
        "cells": [[as_figures(cell) for cell in row] for row in cross.cells],
        "gaps": [_gap(gap) for gap in (cross.everybody, *cross.groups)],
    }


def _gap(gap: Gap) -> dict[str, Any]:
    return {"over": gap.name, "own": as_figures(gap.own), "mixed": as_figures(gap.mixed), "gap": as_figures(gap.gap)}


def difference_counts(duel: Duel) -> tuple[list[float], list[int]]:
    """Each mean score difference of a pair's tables that came up, and how often."""
    values, counts = np.unique(duel.difference.mean(axis=1), return_counts=True)
    return values.tolist(), counts.tolist()


def _row(estimate: Estimate) -> list[float | None]:
    return [as_figures(estimate)[name] for name in _FIGURES]


def _cross_table(analysis: Analysis) -> list[Sequence[object]]:
    wins = analysis.wins is not None
    rows: list[Sequence[object]] = [
        ["row", "column", *_FIGURES, *([f"win_share_{f}" for f in _FIGURES] if wins else [])]
    ]
    for i, j in permutations(range(len(analysis.entrants)), 2):
        share = _row(analysis.win_share(i, j)) if wins else []
        names = analysis.entrants[i].name, analysis.entrants[j].name
        rows.append([*names, *_row(analysis.points.over(i, j)), *share])
    return rows


def _rating_table(analysis: Analysis) -> list[Sequence[object]]:
    wins = analysis.win_ratings
    rows: list[Sequence[object]] = [["entrant", *_FIGURES, *([f"bradley_terry_{f}" for f in _FIGURES] if wins else [])]]
    for i, entrant in enumerate(analysis.entrants):
        rows.append([entrant.name, *_row(analysis.ratings[i]), *(_row(wins[i].strength) if wins else [])])
    return rows


def _difference_table(analysis: Analysis) -> list[Sequence[object]]:
    rows: list[Sequence[object]] = [["partner", "partner", "against", "difference", "pairs"]]
    for setup, duel in analysis.duels.items():
        rows += [[*setup, value, count] for value, count in zip(*difference_counts(duel), strict=True)]
    return rows


def _cross_play_table(cross: CrossPlay) -> list[Sequence[object]]:
    rows: list[Sequence[object]] = [["partner", "partner", *_FIGURES]]
    for name, cells in zip(cross.names, cross.cells, strict=True):
        rows += [[name, other, *_row(cell)] for other, cell in zip(cross.names, cells, strict=True)]
    return rows
