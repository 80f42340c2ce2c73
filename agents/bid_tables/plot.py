"""Bidding tables as a picture: a square for each kind of hand and bid, darker the surer the bid is made."""

from __future__ import annotations

import io
from typing import Any

import numpy as np

from agents.bid_tables.kinds import Kinds
from agents.bid_tables.output import Source, shown_bids, shown_kinds
from agents.bid_tables.samples import PLAYER, SEATS, WAYS
from agents.bid_tables.tables import BidTables
from agents.errors import AgentError

ENDINGS = (".png", ".svg", ".pdf")
_PANELS = [(seat, "played") for seat in range(len(SEATS))] + [(len(SEATS) - 1, "open")]
_DARK = 0.62
"""From this chance on the text is white."""


def check_plotting(name: str) -> None:
    """Raise ``AgentError``, in one line, where no picture of this file name can be drawn."""
    if not name.endswith(ENDINGS):
        raise AgentError(f"--plot {name}: the name must end in {', '.join(ENDINGS)}")
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise AgentError("--plot needs the package matplotlib: pip install -e '.[plot]'") from None


def draw(source: Source, tables: BidTables, least: int, ending: str) -> bytes:
    """The picture. Kinds with fewer than ``least`` hands in one of the seats are left out."""
    from matplotlib.figure import Figure

    kinds = Kinds(source.rules)
    rows = [kind for kind in shown_kinds(tables, 0, least) if tables.hands[:, kind].min() >= least]
    bids = shown_bids(tables.numbers)
    if not rows:
        raise AgentError(
            f"--plot: no kind of hand has {least} hands in every seat; take more --deals or a lower --least"
        )
    figure = Figure(
        figsize=(2.2 + len(_PANELS) * (0.3 * len(bids) + 0.2), 1.3 + 0.17 * len(rows)), layout="constrained"
    )
    panels = figure.subplots(1, len(_PANELS), sharey=True, squeeze=False)[0]
    for panel, (seat, way) in zip(panels, _PANELS, strict=True):
        _panel(panel, tables, rows, bids, seat, WAYS.index(way))
        panel.set_title(f"{SEATS[seat]}\n{f'played by {PLAYER}' if way == 'played' else 'all cards open'}", fontsize=8)
        panel.set_xticks(range(len(bids)), [str(number) for number in tables.numbers[bids]], fontsize=7)
        panel.set_xlabel("bid", fontsize=8)
    panels[0].set_yticks(range(len(rows)), [_label(kinds, kind) for kind in rows], fontsize=7, family="monospace")
    figure.suptitle(
        f"{source.rules.variant}: chance in % to make a bid, by seat and best suit ({tables.deals:,} deals)\n"
        f"rows: {', '.join(head for head in kinds.heads() if head)}; "
        "left of the line declaring is expected to score more than passing",
        fontsize=9,
    )
    file = io.BytesIO()
    figure.savefig(file, format=ending, dpi=80)
    return file.getvalue()


def _panel(panel: Any, tables: BidTables, rows: list[int], bids: Any, seat: int, way: int) -> None:
    share = tables.make.mean[seat][rows, way][:, bids]
    panel.imshow(share, cmap="Blues", vmin=0, vmax=1, aspect="auto")
    for (row, column), value in np.ndenumerate(share):
        colour = "white" if value > _DARK else "black"
        panel.text(column, row, f"{100 * value:.0f}", ha="center", va="center", fontsize=6, color=colour)
    up_to = tables.bid_up_to()[seat, rows, way]
    edge = (tables.numbers[bids] <= up_to[:, None]).sum(axis=1) - 0.5
    panel.step([*edge, edge[-1]], np.arange(len(rows) + 1) - 0.5, where="pre", color="tab:red", linewidth=1.5)
    panel.set_xlim(-0.55, len(bids) - 0.45)


def _label(kinds: Kinds, kind: int) -> str:
    top, big, trumps = kinds.parts(kind)
    return f"{top}  {big}  {trumps:<2}" if kinds.big_symbols else f"{top}  {trumps:<2}"
