"""Tables: the same rows as HTML for people and as CSV for programs, each figure with its place in the report's JSON."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from html import escape
from itertools import groupby
from typing import Any, Literal, NamedTuple, TypeAlias

Form: TypeAlias = Literal["text", "count", "points", "amount", "share"]
"""How a value is written: words, a whole number, ``+1.23``, ``1.23``, ``12.3%``."""

_SHORT = 24
"""Characters of a name that is not broken over lines."""


class Ref:
    """A value in the report's JSON and its place there, such as ``cross_table.3.points_a_deal``."""

    def __init__(self, value: Any, path: str = "") -> None:
        self.value = value
        self.path = path

    def __getitem__(self, key: str | int) -> Ref:
        return Ref(self.value[key], f"{self.path}.{key}" if self.path else str(key))

    def __iter__(self) -> Iterator[Ref]:
        return (self[number] for number in range(len(self.value)))

    def __contains__(self, key: object) -> bool:
        return key in self.value


class Column(NamedTuple):
    """A column: its name in CSV, its title for people, and how its values are written."""

    key: str
    title: str
    form: Form
    interval: bool = False
    """A value is an estimate: a mean and the ends of its interval."""


class Sheet(NamedTuple):
    """A table; a row has a ``Ref`` for each column."""

    name: str
    """Of the CSV file, without its ending."""
    caption: str
    columns: Sequence[Column]
    rows: Sequence[Sequence[Ref]]


def written(value: Any, form: Form) -> str:
    """A value in words; a dash where there is none."""
    if value is None:
        return "–"
    if form == "text":
        return str(value)
    if form == "count":
        return f"{value:,}"
    if form == "share":
        return f"{value:.1%}"
    rounded = round(value, 2) + 0.0  # + 0.0: no negative zero
    return f"{rounded:{'+.2f' if form == 'points' else '.2f'}}".replace("-", "−")


def estimate_html(figure: Ref, form: Form) -> str:
    """Mean and interval; the mean alone where there is no spread at all."""
    mean, low, high = (figure.value[name] for name in ("mean", "low", "high"))
    text = f"<b>{written(mean, form)}</b>"
    if low is None or high is None or low == high:
        return text
    return f'{text} <span class="ci">[{written(low, form)}, {written(high, form)}]</span>'


def table_html(sheet: Sheet) -> str:
    """The table, in a box that scrolls where it is too wide; the first column, which is text, heads the rows."""
    head = "".join(_head(column) for column in sheet.columns)
    body = "".join(_rows(sheet))
    return boxed(sheet.caption, f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody>")


def _head(column: Column) -> str:
    kind = "" if column.form == "text" else ' class="n"'
    return f'<th scope="col"{kind}>{escape(column.title)}</th>'


def boxed(caption: str, inside: str, kind: str = "") -> str:
    """A table with its caption, in a box that scrolls by keyboard, too."""
    words = escape(caption)
    return (
        f'<div class="scroll" role="region" tabindex="0" aria-label="{words}"><table{kind}>'
        f"<caption><span>{words}</span></caption>{inside}</table></div>"
    )


def _rows(sheet: Sheet) -> Iterator[str]:
    """The rows; those that begin with the same words have one head together."""
    for words, group in groupby(sheet.rows, key=lambda row: written(row[0].value, "text")):
        rows = list(group)
        span = f' rowspan="{len(rows)}"' if len(rows) > 1 else ""
        scope = "rowgroup" if len(rows) > 1 else "row"
        head = f'<th scope="{scope}"{span}{_place(rows[0][0])}>{name_html(words)}</th>'
        for number, row in enumerate(rows):
            cells = "".join(_cell(column, value) for column, value in zip(sheet.columns[1:], row[1:], strict=True))
            yield f"<tr>{head if number == 0 else ''}{cells}</tr>"


def _cell(column: Column, value: Ref) -> str:
    if column.form == "text":
        return f"<td{_place(value)}>{name_html(written(value.value, 'text'))}</td>"
    inside = estimate_html(value, column.form) if column.interval else written(value.value, column.form)
    return f'<td class="n"{_place(value)}>{inside}</td>'


def _place(value: Ref) -> str:
    """Where a cell's value comes from, as an attribute; words of the page's own come from nowhere."""
    return f' data-from="{escape(value.path)}"' if value.path else ""


def name_html(name: str) -> str:
    """A name, which is broken over lines only where it is long."""
    return f'<span class="{"long" if len(name) > _SHORT else "name"}">{escape(name)}</span>'


def csv_text(sheet: Sheet) -> str:
    """The table as CSV, unrounded."""
    head: list[str] = []
    for column in sheet.columns:
        head += [column.key, f"{column.key}_low", f"{column.key}_high"] if column.interval else [column.key]
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(head)
    for row in sheet.rows:
        cells: list[Any] = []
        for column, value in zip(sheet.columns, row, strict=True):
            ends = ("mean", "low", "high")
            cells += [value.value[name] for name in ends] if column.interval else [value.value]
        writer.writerow(cells)
    return text.getvalue()
