"""A picture of what bids mean, agents side by side (matplotlib)."""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from agents.bidding.figures import TRUMP_GROUPS, Figures, levels_of
from agents.bidding.hands import shown_trumps
from agents.errors import AgentError
from pedro_env.files import write_whole
from pedro_env.rules import Rules

COLOURS = ("#1b6ca8", "#d1495b", "#3d8b5f", "#8d6a9f")
LEVELS = 9
ENOUGH = 40
"""Calls or deals behind a point of a line."""


def check_plot(file: Path) -> None:
    """Raise ``AgentError`` where no picture can be drawn."""
    if importlib.util.find_spec("matplotlib") is None:
        raise AgentError("--plot needs matplotlib: pip install -e '.[plot]'")
    if file.suffix not in (".png", ".svg", ".pdf"):
        raise AgentError(f"--plot {file}: the name must end in .png, .svg or .pdf")


def draw(figures: Mapping[str, Figures], rules: Rules, title: str, file: Path) -> None:
    """Write the picture. The first agent is the one whose bids are shown card by card."""
    import io

    from matplotlib.figure import Figure

    picture = Figure(figsize=(13, 7.6), layout="constrained")
    picture.suptitle(title, fontsize=11)
    (opens, levels, cards), (raises, made, places) = picture.subplots(2, 3)
    _opens(opens, figures)
    _levels(levels, figures)
    _cards(cards, figures, rules)
    _raises(raises, figures)
    _made(made, figures)
    _places(places, figures)
    for axes in (opens, levels, raises, made, places):
        axes.spines[["top", "right"]].set_visible(False)
        axes.set_ylim(0, axes.get_ylim()[1] if axes is levels else 1.03)
        axes.yaxis.set_major_formatter(lambda share, _: f"{share:.0%}")
        axes.grid(axis="y", alpha=0.25)
    opens.legend(frameon=False, fontsize=9)
    content = io.BytesIO()
    picture.savefig(content, format=file.suffix[1:], dpi=80)
    write_whole(file, content.getvalue())


def _opens(axes: Any, figures: Mapping[str, Figures]) -> None:
    for colour, (name, found) in zip(COLOURS, figures.items(), strict=False):
        rows = [row for row in found["openings_by_trumps"] if row["asked"] >= ENOUGH]
        axes.plot([row["value"] for row in rows], [row["opens"] for row in rows], "o-", color=colour, label=name)
    axes.xaxis.get_major_locator().set_params(integer=True)
    axes.set(title="opens, by the trumps of its best suit", xlabel="trumps")


def _levels(axes: Any, figures: Mapping[str, Figures]) -> None:
    levels = levels_of(figures.values(), LEVELS)
    for number, (name, found) in enumerate(figures.items()):
        rows = {row["level"]: row["calls"] for row in found["meaning"] if row["level"]}
        total = max(1, sum(rows.values()))
        _bars(axes, number, len(figures), [rows.get(level, 0) / total for level in levels], name)
    axes.set_xticks(range(len(levels)), levels)
    axes.set(title="level of its openings", xlabel="level")


def _cards(axes: Any, figures: Mapping[str, Figures], rules: Rules) -> None:
    name, found = next(iter(figures.items()))
    rows = sorted(found["meaning"], key=lambda row: -row["calls"])
    rows = sorted([row for row in rows if row["calls"] >= ENOUGH][: LEVELS + 1], key=lambda row: row["level"])
    cards = list(shown_trumps(rules))
    shares = np.array([[row["holds"][card] for row in rows] for card in cards])
    axes.imshow(shares, cmap="Blues", vmin=0, vmax=1, aspect="auto")
    for (y, x), share in np.ndenumerate(shares):
        axes.text(x, y, f"{100 * share:.0f}", ha="center", va="center", color="white" if share > 0.6 else "black")
    axes.set_xticks(range(len(rows)), [f"{row['level'] or 'pass'}\n{row['trumps']:.1f}" for row in rows])
    axes.set_yticks(range(len(cards)), cards)
    axes.set(title=f"{name}: holds the card (%)", xlabel="opens with; below: mean trumps")


def _raises(axes: Any, figures: Mapping[str, Figures]) -> None:
    for colour, found in zip(COLOURS, figures.values(), strict=False):
        for key, line in (("answers", "o-"), ("overcalls", "x:")):
            shares = [_pooled(found[key], group) for group in range(len(TRUMP_GROUPS))]
            axes.plot(range(len(shares)), shares, line, color=colour)
    axes.plot([], [], "o-", color="grey", label="over the partner's bid")
    axes.plot([], [], "x:", color="grey", label="over an opponent's bid")
    axes.legend(frameon=False, fontsize=9)
    axes.set_xticks(range(len(TRUMP_GROUPS)), TRUMP_GROUPS)
    axes.set(title="bids over a standing bid", xlabel="trumps of its best suit")


def _pooled(rows: list[Figures], group: int) -> float:
    """The share of bids of one group of hands over all standing bids; NaN where there are few."""
    groups = [row["by_trumps"][group] for row in rows if row["by_trumps"][group]["asked"]]
    asked = sum(g["asked"] for g in groups)
    return sum(g["bids"] * g["asked"] for g in groups) / asked if asked >= ENOUGH else float("nan")


def _made(axes: Any, figures: Mapping[str, Figures]) -> None:
    for number, (colour, found) in enumerate(zip(COLOURS, figures.values(), strict=False)):
        rows = [row for row in found["contracts_by_level"] if row["contracts"] >= ENOUGH]
        shift = 0.1 * (number - (len(figures) - 1) / 2)
        made = np.array([row["made"]["mean"] for row in rows])
        ends = np.array([[row["made"]["low"], row["made"]["high"]] for row in rows]).reshape(-1, 2)
        x = np.array([row["level"] for row in rows]) + shift
        axes.errorbar(x, made, np.abs(ends.T - made), fmt="o-", color=colour, capsize=2)
    axes.set(title="contracts made, with 95% intervals", xlabel="level of the contract")


def _places(axes: Any, figures: Mapping[str, Figures]) -> None:
    for number, (name, found) in enumerate(figures.items()):
        rows = [row for row in found["openings_by_place"] if row["asked"]]
        _bars(axes, number, len(figures), [row["opens"] or 0.0 for row in rows], name)
        last = len(found["openings_by_place"]) - 1
        axes.set_xticks(range(len(rows)), ["dealer" if i == last else str(i + 1) for i in range(len(rows))])
    axes.set(title="opens, by seat", xlabel="place in the auction, 1: eldest")


def _bars(axes: Any, number: int, of: int, heights: list[float], name: str) -> None:
    width = 0.8 / of
    x = np.arange(len(heights)) + (number - (of - 1) / 2) * width
    axes.bar(x, heights, width, color=COLOURS[number % len(COLOURS)], label=name)
