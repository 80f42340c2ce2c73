"""An analysis as tables for people, a dictionary for JSON, lines for CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from agents.analyse.losses import KINDS, ROLES, STEPS, Losses
from agents.analyse.summary import Row, Summary
from agents.report import Table
from agents.statistics import Estimate
from pedro_env.actions import Actions, Phase
from pedro_env.record import Record

FORMAT = 1
"""Of the JSON file; a reader of another format should not guess."""

CSV_HEAD = (
    *("line", "variant", "seed", "match", "deal", "step", "seat", "place", "agent", "role", "kind", "phase", "trick"),
    *("choices", "action", "best", "loss", "points", "gain", "value"),
)


def tables(summary: Summary, continuation: str) -> Iterator[tuple[str, Table]]:
    """(what it says, table) of everything that is printed of one game."""
    shares = summary.shares()
    if shares:
        names = ["par", *STEPS, "result"]
        cells = [[*share.agents, *(_cell(share.figures[name], "+") for name in names)] for share in shares]
        yield "Where the score difference comes from, a deal", (["agent", "against", *names], cells)
    roles, losses = summary.by_role(), [*KINDS, "points"]
    head = ["agent", "", "seats", *losses]
    yield "Loss of a seat a deal, in score points; of the play in points taken, too", (head, _rows(roles, losses))
    gains = [f"{name}_gain" for name in KINDS[:-1]]
    what = f"Gain of a seat a deal over what {continuation} would have decided, in score points"
    yield what, (["agent", "", "seats", *KINDS[:-1]], _rows(roles, gains, "+"))
    yield "Loss of a seat a deal, by seat from the dealer", (head, _rows(summary.by_place(), losses))
    tricks = summary.by_trick()
    numbers = list(tricks[0].figures)
    head = ["agent", "trick", "seats", *numbers]
    yield "Loss of a seat in the play, in points taken, by trick", (head, _rows(tricks, numbers))


def as_dictionary(summary: Summary) -> dict[str, Any]:
    """All figures, unrounded."""
    return {
        "by_role": [_as_dictionary(row, "role") for row in summary.by_role()],
        "by_place": [_as_dictionary(row, "place") for row in summary.by_place()],
        "by_trick": [_as_dictionary(row, "side") for row in summary.by_trick()],
        "shares": [
            {"a": s.agents[0], "b": s.agents[1], "deals": s.deals, "a_deal": _estimates(s.figures)}
            for s in summary.shares()
        ],
    }


def csv_lines(losses: Losses, records: Sequence[Record], lines: Sequence[int], actions: Sequence[Actions]) -> bytes:
    """A line a decision; ``lines`` and ``actions`` are those of each record's place in its file, and of its game."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    d = losses.decisions
    columns = np.stack(list(d.values()), axis=1).tolist()
    for values in columns:
        row = dict(zip(d, values, strict=True))
        number = row["deal"]
        record, names = records[number], actions[number].names
        agents = record.get("agents")
        row |= {
            "line": lines[number],
            "deal": record["deal"],
            "agent": agents[row["seat"]] if agents else "",
            "role": ROLES[row["role"]] if row["role"] >= 0 else "",
            "kind": KINDS[row["kind"]],
            "phase": Phase(row["phase"]).word,
            "trick": row["trick"] + 1 if row["trick"] >= 0 else "",
            "step": row["step"] + 1,
            "place": row["place"] + 1,
            "action": names[row["action"]],
            "best": names[row["best"]],
            **{name: record[name] for name in ("variant", "seed", "match")},
        }
        writer.writerow([row[name] for name in CSV_HEAD])
    return text.getvalue().encode()


def _rows(rows: Sequence[Row], names: Sequence[str], sign: str = "") -> list[list[str]]:
    return [
        [row.agent, row.what, f"{row.seats:,}", *(_cell(row.figures[name], sign) for name in names)] for row in rows
    ]


def _cell(estimate: Estimate, sign: str = "") -> str:
    """``"1.23 ±0.45"``: the mean and half of its interval; ``"0"`` where there is nothing else."""
    if estimate.mean is None:
        return "–"
    if estimate.mean == 0 and not estimate.error:
        return "0"
    mean = f"{estimate.mean:{sign}.2f}"
    return mean if estimate.high is None else f"{mean} ±{estimate.high - estimate.mean:.2f}"


def _as_dictionary(row: Row, what: str) -> dict[str, Any]:
    return {"agent": row.agent, what: row.what, "seats": row.seats, "a_seat": _estimates(row.figures)}


def _estimates(figures: dict[str, Estimate]) -> dict[str, dict[str, Any]]:
    return {name: asdict(estimate) for name, estimate in figures.items()}
