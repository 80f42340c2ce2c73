"""What a tournament says in the terminal, as lines that fit into its width."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Sequence

from agents.report import aligned
from agents.statistics import Estimate
from agents.tournament.analysis import Analysis
from agents.tournament.crossplay import ITSELF, CrossPlay
from agents.tournament.cycles import Triangle

_LEAST_NAME = 8
"""Characters of a name beside a matrix, at least."""
_LEAST_P = 1e-4

Cells = Callable[[int, int], "Estimate | None"]
"""The estimate in a row and a column."""


def report_lines(analysis: Analysis, width: int) -> list[str]:
    """Everything, for a terminal so many characters wide."""
    names = [entrant.name for entrant in analysis.entrants]
    order = sorted(range(len(names)), key=lambda i: -(analysis.ratings[i].mean or 0))  # the strongest first
    lines = [*rating_lines(analysis, order, width), ""]

    def points(row: int, column: int) -> Estimate | None:
        return None if row == column else analysis.points.over(order[row], order[column])

    lines += matrix_lines("points a deal, row over column", [names[i] for i in order], points, width)
    if analysis.wins is not None:

        def share(row: int, column: int) -> Estimate | None:
            return None if row == column else analysis.win_share(order[row], order[column])

        lines += [
            "",
            *matrix_lines(
                "share of matches that the row wins, in percent", [names[i] for i in order], share, width, ""
            ),
        ]
    lines += ["", *_wrapped(fit_sentences(analysis), width)]
    if analysis.cross_play is not None:
        lines += ["", *cross_play_lines(analysis.cross_play, width)]
    return lines


def rating_lines(analysis: Analysis, order: Sequence[int], width: int) -> list[str]:
    """A line an entrant, the best first; the last columns are left out where they do not fit."""
    anchor = "the mean" if analysis.anchor is None else analysis.anchor
    head = ["", "rating", "points a deal", "95% interval"]
    if analysis.win_ratings is not None:
        head += ["wins", "95% interval"]
    rows: list[list[str]] = []
    for place, i in enumerate(order, 1):
        row = [str(place), analysis.entrants[i].name, *_two(analysis.ratings[i], "+.2f")]
        if analysis.win_ratings is not None:
            row += _two(analysis.win_ratings[i].share, ".1%")
        rows.append(row)
    head[1] = f"rating over {anchor}"
    columns = len(head)
    while (room := width - _width_beside_names(head[:columns], rows, columns)) < _LEAST_NAME and columns > 3:
        columns -= 1
    for row in (head, *rows):
        row[1] = _clip(row[1], max(_LEAST_NAME, room))
    return aligned(head[:columns], [row[:columns] for row in rows])


def _width_beside_names(head: Sequence[str], rows: Sequence[Sequence[str]], columns: int) -> int:
    without = [[row[0], "", *row[2:columns]] for row in rows]
    return max(map(len, aligned([head[0], "", *head[2:]], without)))


def matrix_lines(title: str, names: Sequence[str], cells: Cells, width: int, form: str = "+") -> list[str]:
    """A matrix with half intervals, with as many decimals as fit; without intervals, or as a list, where none do."""
    n = len(names)
    table = [[cells(row, column) for column in range(n)] for row in range(n)]
    least = min(_LEAST_NAME, max(map(len, names)))
    for half, decimals in ((True, 2), (True, 1), (False, 2), (False, 1)):
        texts = [[_cell(estimate, form, decimals, half) for estimate in row] for row in table]
        cell = max(len(text) for row in texts for text in row)
        room = width - n * (cell + 1) - len(str(n)) - 1
        if room >= least:
            about = " (± 95%)" if half else ""
            note = "" if half else "(intervals: a wider terminal, or the files of --out)"
            return [*_wrapped(title + about, width), *_grid(names, texts, cell, room), *_wrapped(note, width)]
    texts = {
        (i, j): _cell(table[i][j], form, 2, True) for i in range(n) for j in range(i, n) if table[i][j] is not None
    }
    room = (width - max(map(len, texts.values())) - 4) // 2
    rows = [[_clip(names[i], room), _clip(names[j], room), text] for (i, j), text in texts.items()]
    return [*_wrapped(title + " (± 95%)", width), *aligned(["row", "column", ""], rows)]


def fit_sentences(analysis: Analysis) -> str:
    """Whether the ratings explain the table, and whether there is a circle."""
    fit, misfit, circle = analysis.fit, analysis.misfit, analysis.circle
    if misfit is None:
        return "With two entrants ratings explain everything: it takes three to make a circle."
    if fit is None:
        return "Whether ratings explain the table cannot be tested: too few pairs, or no spread."
    p = f"p < {_LEAST_P:.4f}" if fit.p < _LEAST_P else f"p = {fit.p:.4f}" if fit.p < 0.1 else f"p = {fit.p:.2f}"
    text = (
        f"Ratings explain {fit.explained:.2%} of the table; test that they explain all but chance: {p} "
        f"(T² = {fit.statistic:.1f}, dimensions: {fit.freedom[0]}, {analysis.pairs:,} pairs). Largest misfit: "
        f"{_round(analysis, misfit)} adds up to {misfit.points} points a deal instead of 0. "
    )
    if circle is None:
        return text + "No three beat each other in a circle."
    return text + f"Circle: {_round(analysis, circle)}, at its weakest place by {circle.points} points a deal."


def _round(analysis: Analysis, triangle: Triangle) -> str:
    names = [analysis.entrants[i].name for i in triangle.entrants]
    return " > ".join([*names, names[0]])


def cross_play_lines(cross: CrossPlay, width: int) -> list[str]:
    """The matrix, and how much mixed pairs lack."""
    title = f"cross-play: row and column as partners against two {cross.reference}, points a deal"
    if cross.reference == ITSELF:
        title = "cross-play: row and column as partners against two of the one and two of the other, points a deal"
    lines = matrix_lines(title, cross.names, lambda row, column: cross.cells[row][column], width)
    gaps = [cross.everybody, *cross.groups]
    head = ["mean over", "with its own kind", "mixed", "cross-play gap"]
    rows = [[_clip(gap.name, width // 4), *(str(figure) for figure in gap[1:])] for gap in gaps]
    summary = aligned(head, rows)
    if max(map(len, summary)) > width:  # the table on its side
        summary = [line for column in zip(head, *rows, strict=True) for line in (column[0], *_indented(column[1:]))]
    return [*lines, "", *summary]


def _grid(names: Sequence[str], texts: Sequence[Sequence[str]], cell: int, room: int) -> list[str]:
    """Rows are numbered and named, columns numbered."""
    digits = len(str(len(names)))
    clipped = [_clip(name, room) for name in names]
    left = max(map(len, clipped))
    head = " " * (digits + 1 + left) + "".join(f" {number:>{cell}}" for number in range(1, len(names) + 1))
    lines = [head]
    for number, (name, row) in enumerate(zip(clipped, texts, strict=True), 1):
        lines.append(f"{number:>{digits}} {name:{left}}{''.join(f' {text:>{cell}}' for text in row)}".rstrip())
    return lines


def _cell(estimate: Estimate | None, form: str, decimals: int, half: bool) -> str:
    """``+1.23±0.45``, the half width of the interval; shares (``form`` "") as percents without their sign."""
    if estimate is None:
        return ""
    if estimate.mean is None:
        return "–"
    scale = 1 if form else 100
    text = f"{round(scale * estimate.mean, decimals) + 0.0:{form}.{decimals}f}"  # + 0.0: no negative zero
    if not half or estimate.low is None or estimate.high is None:
        return text
    return f"{text}±{scale * (estimate.high - estimate.low) / 2:.{decimals}f}"


def _two(estimate: Estimate, form: str) -> list[str]:
    """Mean and interval."""
    if estimate.mean is None:
        return ["–", "–"]
    if estimate.low is None or estimate.high is None:
        return [f"{estimate.mean:{form}}", "–"]
    return [f"{estimate.mean:{form}}", f"[{estimate.low:{form}}, {estimate.high:{form}}]"]


def _clip(name: str, length: int) -> str:
    """A name that is too long loses its middle: paths differ at their ends."""
    if len(name) <= length:
        return name
    end = (length - 1) // 2
    return f"{name[: length - 1 - end]}…{name[len(name) - end :]}"


def _indented(texts: Sequence[str]) -> list[str]:
    return [f"  {text}" for text in texts]


def _wrapped(text: str, width: int) -> list[str]:
    return textwrap.wrap(text, width, break_on_hyphens=False)
