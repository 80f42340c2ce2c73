"""Charts as inline SVG: dots with intervals, histograms, lines. No script, no font, no colour of their own.

Colours are the page's (``style.css``): an element of series k has the class ``sk``. Series differ in the shape of their
marks as well, so that a chart can be read without colours. A chart is drawn ``WIDTH`` units wide, in which text is 13
units high, and is scaled to its place.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape
from typing import Any, NamedTuple

WIDTH = 440
COLOURS = 6
"""In the style sheet; more series use them again, with other marks."""
_CHARACTER = 8.0
"""About how wide a character is, at most: text is a little larger on small screens."""
_LINE = 18
_ROW = 22
_BARS = 60
"""Of a histogram, about as many at most."""


class Dot(NamedTuple):
    """A mean with an interval, in a row of its own; without ``figure`` the row is a heading."""

    label: str
    figure: dict[str, Any] | None
    series: int = 0


class Line(NamedTuple):
    """Points (x, figure with an interval) that are joined."""

    label: str
    points: Sequence[tuple[float, dict[str, Any]]]
    series: int = 0


def dot_plot(
    identity: str, title: str, dots: Sequence[Dot], axis: str, form: str = "+g", least: float = -math.inf
) -> str:
    """A row a figure, dot and interval, over one axis from ``least`` on; the line at 0 stands out."""
    longest = max(len(dot.label) for dot in dots)
    left = min(170.0, longest * _CHARACTER + 14)
    low, high = _range([dot.figure for dot in dots if dot.figure is not None], [0.0])
    x = _Scale(max(low, least), high, left, WIDTH - 14)
    bottom = len(dots) * _ROW + 6
    parts = [_x_axis(x, bottom, 0, axis, form)]
    for row, dot in enumerate(dots):
        y = row * _ROW + _ROW / 2 + 2
        if dot.figure is None:
            parts.append(_text(0, y + 4, dot.label, "head"))
            continue
        parts.append(_text(6, y + 4, clip(dot.label, int((left - 14) / _CHARACTER))))
        if dot.figure["mean"] is not None:
            parts.append(f'<g class="s{dot.series % COLOURS}">{_whisker_across(x, y, dot.figure)}')
            parts.append(f"{_mark(dot.series, x(dot.figure['mean']), y)}</g>")
    return _svg(identity, title, bottom + 40, parts)


def histogram(
    identity: str, title: str, counts: Sequence[tuple[float, int]], mean: float, axis: str, reach: float
) -> str:
    """How often each value came up, on an axis that reaches so far both ways, and a mark at the mean.

    The bar at 0 has what is exactly 0, any other one the values up to it, from 0 outwards.
    """
    width = max(1, math.ceil(2 * reach / _BARS))
    bins: dict[int, int] = {}
    for value, count in counts:
        place = int(math.copysign(math.ceil(abs(value) / width), value))
        bins[place] = bins.get(place, 0) + count
    whole = sum(bins.values())
    most = max(bins.values()) / whole
    end = (math.ceil(reach / width) + 0.5) * width
    x = _Scale(-end, end, 44, WIDTH - 14, exact=True)
    y = _Scale(0, most * 1.08, 160, 30)
    parts = [_y_axis(y, ".0%" if most > 0.05 else ".1%", "share of pairs"), _x_axis(x, 160, 30, axis, "+g")]
    for place, count in sorted(bins.items()):
        edge, top = x((place - 0.5) * width), y(count / whole)
        size = x((place + 0.5) * width) - edge
        side = "up" if place > 0 else "down" if place < 0 else "even"
        parts.append(
            f'<rect class="bar {side}" x="{edge + 0.5:.1f}" y="{top:.1f}" width="{max(0.8, size - 1):.1f}" '
            f'height="{160 - top:.1f}"/>'
        )
    place = x(mean)
    parts.append(f'<path class="mean" d="M{place:.1f} 160V34m-4 -6h8l-4 6z"/>')
    return _svg(identity, title, 160 + 40, parts)


def line_chart(
    identity: str,
    title: str,
    lines: Sequence[Line],
    axis: str,
    unit: str,
    form: str = "+g",
    ticks: Sequence[float] | None = None,
    diagonal: bool = False,
    limits: tuple[float, float] | None = None,
) -> str:
    """Lines through points with intervals (a point without one says too little), and a legend.

    ``ticks`` are those of x, where it has few values; ``diagonal`` draws y = x, ``limits`` are the ends of y.
    """
    legend, top = _legend(lines)
    height = 190
    xs = [x for line in lines for x, figure in line.points if figure["low"] is not None]
    xs = xs or [x for line in lines for x, _ in line.points]
    bounds = (min(xs), max(xs))
    about_zero = [] if diagonal else [0.0]
    low, high = limits or _range(
        [figure for line in lines for _, figure in line.points], [*bounds] if diagonal else about_zero
    )
    spread = bounds[1] - bounds[0] or 1.0
    x = _Scale(bounds[0] - 0.06 * spread, bounds[1] + 0.06 * spread, 50, WIDTH - 14, exact=True)
    y = _Scale(low, high, top + height, top + 26, exact=limits is not None)
    parts = [legend, _y_axis(y, form, unit), _x_axis(x, top + height, top + 26, axis, "g", ticks, plain=True)]
    if diagonal:
        ends = [max(x.low, y.low), min(x.high, y.high)]
        parts.append(f'<path class="aim" d="M{x(ends[0]):.1f} {y(ends[0]):.1f}L{x(ends[1]):.1f} {y(ends[1]):.1f}"/>')
    for number, line in enumerate(lines):
        aside = (number - (len(lines) - 1) / 2) * min(7.0, 40 / len(lines)) if ticks is not None else 0.0
        there = [(x(place) + aside, figure) for place, figure in line.points if figure["low"] is not None]
        path = "L".join(f"{place:.1f} {y(figure['mean']):.1f}" for place, figure in there)
        parts.append(f'<g class="s{line.series % COLOURS}">')
        parts.append(f'<path class="line d{line.series % 4}" d="M{path}"/>' if there else "")
        for place, figure in there:
            parts += [_whisker_up(place, y, figure), _mark(line.series, place, y(figure["mean"]))]
        parts.append("</g>")
    return _svg(identity, title, top + height + 40, parts)


def clip(name: str, length: int) -> str:
    """A name that is too long loses its middle: paths differ at their ends."""
    if len(name) <= length:
        return name
    end = max(1, (length - 1) // 2)
    return f"{name[: max(1, length - 1 - end)]}…{name[len(name) - end :]}"


class _Scale:
    """From a value to a coordinate; not ``exact``: the ends are moved out to round numbers."""

    def __init__(self, low: float, high: float, start: float, end: float, *, exact: bool = False) -> None:
        self.step = _round_step((high - low) / 5)
        if not exact:
            low, high = math.floor(low / self.step) * self.step, math.ceil(high / self.step) * self.step
        self.low, self.high, self.start, self.end = low, high, start, end

    def __call__(self, value: float) -> float:
        return self.start + (value - self.low) / (self.high - self.low) * (self.end - self.start)

    def ticks(self) -> list[float]:
        first, last = math.ceil(self.low / self.step - 1e-9), math.floor(self.high / self.step + 1e-9)
        return [number * self.step for number in range(first, last + 1)]


def _round_step(rough: float) -> float:
    """The next larger 1, 2 or 5 times a power of ten."""
    power = 10 ** math.floor(math.log10(rough)) if rough > 0 else 1.0
    return next(factor * power for factor in (1, 2, 5, 10) if factor * power >= rough * (1 - 1e-9))


def _range(figures: Sequence[dict[str, Any]], more: Sequence[float]) -> tuple[float, float]:
    ends = [figure[name] for figure in figures for name in ("mean", "low", "high") if figure[name] is not None]
    low, high = min([*ends, *more], default=0.0), max([*ends, *more], default=1.0)
    return (low, high) if high > low else (low - 1, high + 1)


def _x_axis(
    x: _Scale,
    bottom: float,
    top: float,
    title: str,
    form: str,
    ticks: Sequence[float] | None = None,
    plain: bool = False,
) -> str:
    """Ticks and title below; lines up to ``top``, that at 0 stronger, unless ``plain``."""
    parts: list[str] = []
    for tick in x.ticks() if ticks is None else [tick for tick in ticks if x.low <= tick <= x.high]:
        kind = "zero" if tick == 0 and not plain else "grid"
        place = x(tick)
        if not plain:
            parts.append(f'<path class="{kind}" d="M{place:.1f} {top}V{bottom}"/>')
        parts.append(_text(place, bottom + 17, _tick(tick, form), "tick", "middle"))
    parts.append(_text((x.start + x.end) / 2, bottom + 35, title, "axis", "middle"))
    return "".join(parts)


def _y_axis(y: _Scale, form: str, title: str) -> str:
    right = WIDTH - 14
    parts = [_text(0, y.end - 12, title, "axis")]
    for tick in y.ticks():
        place = y(tick)
        parts.append(f'<path class="{"zero" if tick == 0 else "grid"}" d="M46 {place:.1f}H{right}"/>')
        parts.append(_text(40, place + 4, _tick(tick, form), "tick", "end"))
    return "".join(parts)


def _tick(value: float, form: str) -> str:
    if "%" in form:
        return f"{value:{form}}"
    value = round(value, 9) + 0.0
    if abs(value) >= 10_000:
        return f"{value / 1e6:g} M" if abs(value) >= 1e6 else f"{value / 1e3:g} k"
    return "0" if value == 0 else f"{value:{form}}".replace("-", "−")


def _legend(lines: Sequence[Line]) -> tuple[str, float]:
    """A mark and a name a line, in as many rows as it takes; and how high that is."""
    parts: list[str] = []
    x, y = 0.0, 0
    for line in lines:
        label = clip(line.label, 50)
        wide = 26 + len(label) * _CHARACTER
        if x and x + wide > WIDTH:
            x, y = 0.0, y + _LINE
        parts.append(
            f'<g class="s{line.series % COLOURS}"><path class="line d{line.series % 4}" d="M{x:.1f} {y + 9}h20"/>'
        )
        parts.append(f"{_mark(line.series, x + 10, y + 9)}</g>{_text(x + 25, y + 13, label)}")
        x += wide + 14
    return "".join(parts), y + _LINE + 8


def _whisker_across(x: _Scale, y: float, figure: dict[str, Any]) -> str:
    if figure["low"] is None:
        return ""
    return f'<path class="ci" d="M{x(max(figure["low"], x.low)):.1f} {y:.1f}H{x(figure["high"]):.1f}"/>'


def _whisker_up(x: float, y: _Scale, figure: dict[str, Any]) -> str:
    if figure["low"] is None:
        return ""
    low, high = max(figure["low"], y.low), min(figure["high"], y.high)
    return f'<path class="ci" d="M{x:.1f} {y(low):.1f}V{y(high):.1f}"/>'


def _mark(series: int, x: float, y: float) -> str:
    """Circle, square, diamond, triangle, in turn: with the colours, none comes up twice among twelve."""
    kind = (series + series // COLOURS) % 4
    at = f"{x:.1f} {y:.1f}"
    if kind == 0:
        return f'<circle class="dot" cx="{x:.1f}" cy="{y:.1f}" r="4.5"/>'
    shape = ("m-4 -4h8v8h-8z", "m0 -5.5l5.5 5.5l-5.5 5.5l-5.5 -5.5z", "m0 -5.5l5 9h-10z")[kind - 1]
    return f'<path class="dot" d="M{at}{shape}"/>'


def _text(x: float, y: float, words: str, kind: str = "label", anchor: str = "start") -> str:
    return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(words)}</text>'


def _svg(identity: str, title: str, height: float, parts: Sequence[str]) -> str:
    return (
        f'<svg class="chart" viewBox="0 0 {WIDTH} {height:.0f}" role="img" aria-labelledby="{identity}">'
        f'<title id="{identity}">{escape(title)}</title>{"".join(parts)}</svg>'
    )
