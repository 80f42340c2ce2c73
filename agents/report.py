"""The results of duplicate evaluation: tables for people, a dictionary for files."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

from agents.arena import Duel, Episode
from agents.statistics import METHOD, Estimate
from pedro_env.cards import SUITS

FORMAT = 1
"""Of the JSON file; a reader of another format should not guess."""

Pairing = tuple[str, str]
Table = tuple[Sequence[str], Sequence[Sequence[str]]]
"""Head and rows."""


def method_line(variant: str, deals: int, seed: int, episode: Episode) -> str:
    """What was measured, in a sentence."""
    what = "deals" if episode == "deal" else "matches"
    return (
        f"{variant}: {deals:,} duplicate {what} a pairing, seed {seed}: every pack and dealer played twice, "
        f"sides exchanged. {METHOD}."
    )


def score_table(pairings: Sequence[Pairing], duels: Sequence[Duel], episode: Episode) -> Table:
    """Who beats whom: a row a pairing."""
    whole = episode == "match"
    head = ["agent", "against", "points a deal", "95% interval", "pushes"]
    head += ["matches won", "95% interval", "without a winner"] if whole else []
    rows: list[list[str]] = []
    for (a, b), duel in zip(pairings, duels, strict=True):
        row = [a, b, *_with_interval(duel.points, "+.2f"), _percent(duel.pushes / len(duel.deals))]
        if whole:  # a match without a winner counts half for both
            row += [*_with_interval(duel.win_rate, ".1%"), _percent(float((duel.wins == 0.5).mean()))]
        rows.append(row)
    return head, rows


def bidding_table(pairings: Sequence[Pairing], duels: Sequence[Duel]) -> Table:
    """What each side did: two rows a pairing. Shares are of deals that were played, or of deals declared."""
    head = ["agent", "against", "points taken", "bids when asked", "declares", "mean bid", "made", "set"]
    head.append("names " + " ".join(SUITS))
    rows: list[list[str]] = []
    for (a, b), duel in zip(pairings, duels, strict=True):
        for names, tally in zip(((a, b), (b, a)), duel.tallies, strict=True):
            rates = tally.rates()
            rows.append(
                [
                    *names,
                    _number(rates["points_taken"]),
                    *(_percent(rates[key]) for key in ("bid_rate", "declared")),
                    _number(rates["mean_bid"]),
                    *(_percent(rates[key]) for key in ("made", "set")),
                    " ".join("–" if share is None else f"{share:.0%}" for share in rates["named_suits"]),
                ]
            )
    return head, rows


def forfeit_lines(pairings: Sequence[Pairing], duels: Sequence[Duel]) -> list[str]:
    """A warning for each agent that forfeited deals in a pairing."""
    return [
        f"Warning: {a} against {b} forfeited {tally.forfeits:,} deals, which were played on at random: these figures "
        "are not its own."
        for pairing, duel in zip(pairings, duels, strict=True)
        for (a, b), tally in zip((pairing, pairing[::-1]), duel.tallies, strict=True)
        if tally.forfeits
    ]


def print_table(table: Table) -> None:
    """Print on stdout: rich's table on a terminal, aligned columns elsewhere."""
    head, rows = table
    if sys.stdout.isatty():
        try:
            from rich import box
            from rich.console import Console
            from rich.table import Table as RichTable
        except ImportError:
            pass
        else:
            drawn = RichTable(box=box.SIMPLE_HEAD, pad_edge=False)
            for i, name in enumerate(head):
                drawn.add_column(name, justify="left" if i < 2 else "right", overflow="fold")
            for row in rows:
                drawn.add_row(*row)
            Console(markup=False, highlight=False).print(drawn)
            return
    print("\n".join(aligned(head, rows)))


def aligned(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Lines of text in columns; the first two columns to the left, numbers to the right."""
    widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
    lines: list[str] = []
    for row in (head, *rows):
        cells = [cell.ljust(w) if i < 2 else cell.rjust(w) for i, (cell, w) in enumerate(zip(row, widths, strict=True))]
        lines.append("  ".join(cells).rstrip())
    return lines


def as_dictionary(pairing: Pairing, duel: Duel, episode: Episode) -> dict[str, Any]:
    """All figures of a pairing, unrounded; ``a`` is the agent that ``points`` and ``win_rate`` speak of."""
    figures: dict[str, Any] = {
        "a": pairing[0],
        "b": pairing[1],
        "pairs": len(duel.deals),
        "deals_played": int(duel.deals.sum()),
        "redeals": duel.redeals,
        "points_a_deal": _figures(duel.points),
        "deviation_of_a_pair": duel.deviation,
        "pushes": duel.pushes,
    }
    if episode == "match":
        figures["matches_played"] = duel.wins.size
        figures["matches_without_winner"] = int((duel.wins == 0.5).sum())
        figures["match_win_rate"] = _figures(duel.win_rate)
    sides = zip(("a", "b"), duel.tallies, strict=True)
    figures["sides"] = {name: tally.rates() for name, tally in sides}
    return figures


def _figures(estimate: Estimate) -> dict[str, Any]:
    return {
        "mean": estimate.mean,
        "low": estimate.low,
        "high": estimate.high,
        "standard_error": estimate.error,
        "pairs": estimate.pairs,
    }


def _with_interval(estimate: Estimate, form: str) -> tuple[str, str]:
    if estimate.mean is None:
        return "–", "–"
    if estimate.low is None or estimate.high is None:
        return f"{estimate.mean:{form}}", "–"
    return f"{estimate.mean:{form}}", f"[{estimate.low:{form}}, {estimate.high:{form}}]"


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{share:.1%}"


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"
