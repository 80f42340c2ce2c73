"""The results of duplicate evaluation: tables for people, a dictionary for files."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import Any

from agents.arena import Duel, Episode
from agents.sequential import Measure, Rule, Sprt, Until, anytime
from agents.statistics import METHOD, Estimate
from pedro_env.cards import SUITS

FORMAT = 1
"""Of the JSON file; a reader of another format should not guess."""

Pairing = tuple[str, str]
Bootstrap = Mapping[Measure, "tuple[float, float] | None"]
"""An interval for each measure, by resampling pairs."""
Table = tuple[Sequence[str], Sequence[Sequence[str]]]
"""Head and rows."""

ANYTIME = "95% intervals hold wherever one stops: asymptotic confidence sequences on one value a pair"
"""How the intervals are made beside a test that looks at the means; in place of ``METHOD``."""


def method_line(
    variant: str,
    deals: int,
    seed: int,
    episode: Episode,
    deal_set: str | None = None,
    stop: Until | Sprt | None = None,
) -> str:
    """What was measured, in a sentence; ``stop`` is the rule that may end a pairing before ``deals``."""
    many = f"{deals:,} duplicate {'deals' if episode == 'deal' else 'matches'} a pairing"
    if stop is not None:
        many = f"at most {many}, {_plan(stop)}"
    place = f"seed {seed}" if deal_set is None else f"set {deal_set} (seed {seed})"
    method = ANYTIME if isinstance(stop, Sprt) else METHOD
    return f"{variant}: {many}, {place}: every pack and dealer played twice, sides exchanged. {method}."


def _plan(stop: Until | Sprt) -> str:
    what = "points a deal" if stop.measure == "points" else "of the matches won"
    if isinstance(stop, Until):
        return f"until the 95% interval is ±{amount(stop.goal, stop.measure, '')} {what}"
    h0, h1 = amount(stop.h0, stop.measure), amount(stop.h1, stop.measure)
    return f"until {h0} (H0) or {h1} (H1) {what} is decided for, error rates {stop.alpha:.4g} and {stop.beta:.4g}"


def figures_of(duel: Duel, measure: Measure, stop: Rule | None = None) -> Estimate:
    """A measure with the interval that may be printed where a rule has stopped the play.

    A rule that looks at the spread alone leaves the usual interval as it is; beside a test that looks at the mean it
    would hold the truth too seldom.
    """
    estimate = duel.points if measure == "points" else duel.win_rate
    if not isinstance(stop, Sprt):
        return estimate
    return anytime(estimate) if measure == "points" else anytime(estimate, 0.0, 1.0)


def score_table(
    pairings: Sequence[Pairing],
    duels: Sequence[Duel],
    episode: Episode,
    stops: Sequence[Rule] = (),
    bootstraps: Sequence[Bootstrap] = (),
) -> Table:
    """Who beats whom: a row a pairing."""
    measures: list[tuple[Measure, str, str]] = [("points", "points a deal", "+.2f")]
    if episode == "match":  # a match without a winner counts half for both
        measures.append(("win_rate", "matches won", ".1%"))
    head = ["agent", "against", "pairs"]
    for _, title, _ in measures:
        head += [title, "95% interval", *(["bootstrap"] if bootstraps else [])]
    head += ["pushes", *(["without a winner"] if episode == "match" else [])]
    rows: list[list[str]] = []
    for i, ((a, b), duel) in enumerate(zip(pairings, duels, strict=True)):
        row = [a, b, f"{duel.pairs:,}"]
        for measure, _, form in measures:
            row += _with_interval(figures_of(duel, measure, stops[i] if stops else None), form)
            row += [_interval(bootstraps[i][measure], form)] if bootstraps else []
        row.append(_percent(duel.pushes / duel.pairs if duel.pairs else None))
        if episode == "match":
            row.append(_percent(float((duel.wins == 0.5).mean()) if duel.pairs else None))
        rows.append(row)
    return head, rows


def stop_table(pairings: Sequence[Pairing], stops: Sequence[Until | Sprt], most: int) -> Table:
    """How the rule ended that might end a pairing before the most pairs that were allowed: a row a pairing."""
    if isinstance(stops[0], Until):
        head = ["agent", "against", "pairs", "half-width", "wanted", "reached"]
    else:
        head = ["agent", "against", "pairs", "log-likelihood ratio", "bounds", "decision"]
    rows: list[list[str]] = []
    for (a, b), stop in zip(pairings, stops, strict=True):
        row = [a, b, f"{stop.pairs:,}"]
        if isinstance(stop, Until):
            half = "–" if stop.half_width is None else amount(stop.half_width, stop.measure, "")
            row += [half, amount(stop.goal, stop.measure, ""), _reached(stop, most)]
        else:
            row += [f"{stop.llr:+.2f}", f"[{stop.lower:+.2f}, {stop.upper:+.2f}]", _decision(stop)]
        rows.append(row)
    return head, rows


def _reached(stop: Until, most: int) -> str:
    if stop.reached:
        return "yes"
    needed = stop.expected_pairs(sys.maxsize)
    return "NO" if needed == sys.maxsize else f"NO: about {needed:,} pairs are needed, at most {most:,} are allowed"


def _decision(stop: Sprt) -> str:
    if stop.decision is None:
        return "NONE: not enough pairs"
    wins, loses = (stop.h0, stop.h1) if stop.decision == "h0" else (stop.h1, stop.h0)
    return f"{stop.decision.upper()}: {amount(wins, stop.measure)} rather than {amount(loses, stop.measure)}"


def amount(value: float, measure: Measure, sign: str = "+") -> str:
    """A number of points, or a share of matches."""
    return f"{value:{sign}.4g}" if measure == "points" else f"{100 * value:.4g}%"


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


def as_dictionary(
    pairing: Pairing,
    duel: Duel,
    episode: Episode,
    stop: Until | Sprt | None = None,
    bootstrap: Bootstrap | None = None,
) -> dict[str, Any]:
    """All figures of a pairing, unrounded; ``a`` is the agent that ``points`` and ``win_rate`` speak of."""
    figures: dict[str, Any] = {
        "a": pairing[0],
        "b": pairing[1],
        "pairs": duel.pairs,
        "deals_played": int(duel.deals.sum()),
        "redeals": duel.redeals,
        "points_a_deal": as_figures(figures_of(duel, "points", stop)),
        "deviation_of_a_pair": duel.deviation,
        "pushes": duel.pushes,
    }
    if episode == "match":
        figures["matches_played"] = duel.wins.size
        figures["matches_without_winner"] = int((duel.wins == 0.5).sum())
        figures["match_win_rate"] = as_figures(figures_of(duel, "win_rate", stop))
    if bootstrap is not None:
        figures["points_a_deal"]["bootstrap"] = bootstrap["points"]
        if episode == "match":
            figures["match_win_rate"]["bootstrap"] = bootstrap["win_rate"]
    if stop is not None:
        figures["stop"] = _stop_figures(stop)
    sides = zip(("a", "b"), duel.tallies, strict=True)
    figures["sides"] = {name: tally.rates() for name, tally in sides}
    return figures


def as_figures(estimate: Estimate) -> dict[str, Any]:
    """An estimate as it stands in files."""
    return {
        "mean": estimate.mean,
        "low": estimate.low,
        "high": estimate.high,
        "standard_error": estimate.error,
        "pairs": estimate.pairs,
    }


def _stop_figures(stop: Until | Sprt) -> dict[str, Any]:
    if isinstance(stop, Until):
        figures = {"rule": "until", "wanted": stop.goal, "half_width": stop.half_width, "reached": stop.reached}
    else:
        names = ("h0", "h1", "alpha", "beta", "llr", "lower", "upper", "decision")
        figures = {"rule": "sprt", **{name: getattr(stop, name) for name in names}}
    return {**figures, "measure": stop.measure, "pairs": stop.pairs}


def _with_interval(estimate: Estimate, form: str) -> tuple[str, str]:
    mean = "–" if estimate.mean is None else f"{estimate.mean:{form}}"
    known = None if estimate.low is None or estimate.high is None else (estimate.low, estimate.high)
    return mean, _interval(known, form)


def _interval(ends: tuple[float, float] | None, form: str) -> str:
    return "–" if ends is None else f"[{ends[0]:{form}}, {ends[1]:{form}}]"


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{share:.1%}"


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"
