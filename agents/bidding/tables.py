"""The figures of several agents as tables of text, agents side by side, not wider than 100 columns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from agents.bidding.figures import TRUMP_GROUPS, Figures, levels_of
from agents.bidding.hands import shown_trumps
from agents.bidding.study import SCORES
from pedro_env.rules import Rules

Titled = tuple[str, list[str], list[list[str]]]
"""A title, a head and rows."""
MOST_LEVELS = 8
MOST_ROWS = 8
"""Levels in a table, the most frequent ones."""
RARE = 20
"""What was seen less often is left out of the tables (not of the file)."""


def tables_of(figures: Mapping[str, Figures], rules: Rules) -> Iterator[Titled]:
    """Tables for people, one after another; ``figures`` by the agents' names as they shall be shown."""
    levels = levels_of(figures.values(), MOST_LEVELS)
    yield _openings(figures, levels)
    yield _by_hand(figures, rules)
    yield _meaning(figures, rules, levels)
    yield _answers(figures, "answers", "Answers to the partner's standing bid", "raises")
    yield _answers(figures, "overcalls", "Over an opponent's standing bid", "bids")
    yield _contracts(figures)
    yield _by_score(figures)


def _openings(figures: Mapping[str, Figures], levels: list[int]) -> Titled:
    rows: list[list[str]] = []
    seats = len(next(iter(figures.values()))["openings_by_place"])
    for place in range(seats):
        for name, found in figures.items():
            row = found["openings_by_place"][place]
            if not row["asked"]:  # a dealer who must bid
                continue
            shares = [_percent(row["levels"].get(str(level), 0.0) if row["levels"] else None) for level in levels]
            rows.append([_place(place, seats), name, str(row["asked"]), *_rate(row), *shares])
    title = "Openings (nobody has bid yet and a pass is legal): how often, and at which level"
    return title, ["seat", "agent", "asked", "opens", "mean", *(f"at {level}" for level in levels)], rows


def _by_hand(figures: Mapping[str, Figures], rules: Rules) -> Titled:
    """Openings by the hand's trumps and by its two highest ones, a pair of columns an agent."""
    first, second = list(shown_trumps(rules))[:2]
    words = {"neither": f"no {first}, no {second}", "second": f"{second} alone", "first": f"{first} alone"}
    words["both"] = f"{first} and {second}"
    cells: dict[str, dict[str, list[str]]] = {}
    asked: dict[str, int] = {}
    for name, found in figures.items():
        labelled = [(f"{row['value']} trumps", row) for row in found["openings_by_trumps"]]
        labelled += [(words[row["holds"]], row) for row in found["openings_by_top_cards"]]
        for label, row in labelled:
            cells.setdefault(label, {})[name] = _rate(row)
            asked[label] = max(asked.get(label, 0), row["asked"])
    numbers = sorted((label for label in cells if label[0].isdigit()), key=lambda label: int(label.split()[0]))
    order = [label for label in [*numbers, *words.values()] if label in cells and asked[label] >= RARE]
    rows = [
        [label, str(asked[label]), *(c for n in figures for c in cells[label].get(n, ["–", "–"]))] for label in order
    ]
    head = ["best suit", "asked", *(text for name in figures for text in (f"{name} opens", "mean"))]
    return "Openings by the hand (its best suit), and their mean level", head, rows


def _meaning(figures: Mapping[str, Figures], rules: Rules, levels: list[int]) -> Titled:
    names = list(shown_trumps(rules))
    rows: list[list[str]] = []
    for level in [0, *levels]:
        for agent, found in figures.items():
            row = next((r for r in found["meaning"] if r["level"] == level), None)
            if row is None or row["calls"] < RARE:
                continue
            holds = [_percent(row["holds"][name]) for name in names]
            means = [_number(row["trumps"]), _number(row["points"])]
            rows.append([_level(level), agent, str(row["calls"]), *means, *holds])
    title = "What an opening says: means of the best suit, and how often it holds each card"
    return title, ["opens", "agent", "calls", "trumps", "points", *names], rows


def _answers(figures: Mapping[str, Figures], key: str, title: str, verb: str) -> Titled:
    rows: list[list[str]] = []
    seen: Counter[int] = Counter()
    for found in figures.values():
        seen.update({row["standing"]: row["asked"] for row in found[key]})
    for level in sorted(level for level, _ in seen.most_common(MOST_ROWS)):
        for agent, found in figures.items():
            row = next((r for r in found[key] if r["standing"] == level), None)
            if row is None or row["asked"] < RARE:
                continue
            by_trumps = [_percent(group["bids"]) for group in row["by_trumps"]]
            top = [_percent(row["with_highest_trump"]), _percent(row["without_highest_trump"])]
            rows.append(
                [str(level), agent, str(row["asked"]), _percent(row["bids"]), _number(row["by"]), *by_trumps, *top]
            )
    head = ["over", "agent", "asked", verb, "by", *(f"{group} tr." for group in TRUMP_GROUPS), "with top", "without"]
    return f"{title}: how often, by how much, and by its own best suit", head, rows


def _contracts(figures: Mapping[str, Figures]) -> Titled:
    rows: list[list[str]] = []
    seen: Counter[int] = Counter()
    for found in figures.values():
        seen.update({row["level"]: row["contracts"] for row in found["contracts_by_level"]})
    levels = sorted(level for level, _ in seen.most_common(MOST_ROWS))
    for level in [*levels, None]:
        for agent, found in figures.items():
            by_level = {row["level"]: row for row in found["contracts_by_level"]} | {None: found["contracts"]}
            row = by_level.get(level)
            if row is None or row["contracts"] < RARE:
                continue
            share = row["contracts"] / found["contracts"]["contracts"]
            rows.append(
                ["all" if level is None else str(level), agent, str(row["contracts"]), _percent(share), *_outcome(row)]
            )
    head = ["contract", "agent", "deals", "share", "made", "95%", "set", "points", "result"]
    return "Contracts: made and set, points taken, and the result (own change of score less the others')", head, rows


def _by_score(figures: Mapping[str, Figures]) -> Titled:
    rows: list[list[str]] = []
    for i, score in enumerate(SCORES):
        for agent, found in figures.items():
            row = found["openings_by_score"][i]
            if row["asked"] < RARE:
                continue
            contracts = row["contracts"]
            outcome = [
                str(contracts["contracts"]),
                _percent(contracts["made"]["mean"]),
                _signed(contracts["result"]["mean"]),
            ]
            rows.append([score, agent, str(row["asked"]), *_rate(row), *outcome])
    head = ["score", "agent", "asked", "opens", "mean", "contracts", "made", "result"]
    return "By the score before the deal (near: all points of one deal would reach the target)", head, rows


def _outcome(row: Figures) -> list[str]:
    made = row["made"]
    ends = "–" if made["low"] is None else f"{made['low']:.0%}–{made['high']:.0%}"
    return [_percent(made["mean"]), ends, _percent(row["set"]), _number(row["points"]), _signed(row["result"]["mean"])]


def _rate(row: Figures) -> list[str]:
    return [_percent(row["opens"]), _number(row["mean_level"])]


def _place(place: int, seats: int) -> str:
    return "dealer" if place == seats - 1 else f"{place + 1}"


def _level(level: int) -> str:
    return "pass" if level == 0 else str(level)


def _percent(share: Any) -> str:
    return "–" if share is None else f"{share:.0%}"


def _number(value: Any) -> str:
    return "–" if value is None else f"{value:.1f}"


def _signed(value: Any) -> str:
    return "–" if value is None else f"{value:+.1f}"
