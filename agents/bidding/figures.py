"""The figures of a study, as plain data: what tables print, pictures draw and ``--json`` writes, from one place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from agents.bidding.hands import shown_trumps
from agents.bidding.study import NOBODY, OPPONENT, PARTNER, SCORES, Calls, Contracts, Study
from agents.statistics import mean_estimate, rate_estimate
from pedro_env.rules import Rules
from pedro_env.typing import BoolArray, Int64Array

Figures = dict[str, Any]
TRUMP_GROUPS = ("0-2", "3", "4", "5", "6+")
"""Numbers of trumps that answers are counted by."""


def figures_of(study: Study, rules: Rules) -> Figures:
    """All figures of one agent."""
    calls, contracts = study.calls, study.contracts
    opening = calls.holder == NOBODY
    return {
        "deals": study.deals,
        "redeals": study.redeals,
        "openings_by_place": [_openings(_where(calls, opening & (calls.place == p))) for p in range(rules.seats)],
        "openings_by_score": [
            _openings(_where(calls, opening & (calls.score == i)))
            | {"score": score, "contracts": _contracts(_only(contracts, contracts.score == i))}
            for i, score in enumerate(SCORES)
        ],
        "openings_by_trumps": _by_value(calls, opening, calls.trumps),
        "openings_by_points": _by_value(calls, opening, calls.points),
        "openings_by_top_cards": _by_top_cards(calls, opening),
        "meaning": [
            meaning(_where(calls, where), rules) | {"level": level} for level, where in _levels(calls, opening)
        ],
        "answers": _answers(calls, calls.holder == PARTNER),
        "overcalls": _answers(calls, calls.holder == OPPONENT),
        "contracts": _contracts(contracts),
        "contracts_by_level": [
            _contracts(_only(contracts, contracts.level == level)) | {"level": level}
            for level in np.unique(contracts.level).tolist()
        ],
    }


def meaning(calls: Calls, rules: Rules) -> Figures:
    """What the hands hold with which some calls were made: means, and how probable each trump is."""
    shares = {name: _mean(calls.holds[:, place]) for name, place in shown_trumps(rules).items()}
    return {
        "calls": len(calls.level),
        "trumps": _mean(calls.trumps),
        "points": _mean(calls.points),
        "holds": shares,
        "trumps_distribution": _distribution(calls.trumps),
    }


def _levels(calls: Calls, among: BoolArray) -> Iterator[tuple[int, BoolArray]]:
    for level in np.unique(calls.level[among]).tolist():
        yield level, among & (calls.level == level)


def _openings(calls: Calls) -> Figures:
    bids = calls.level[calls.level > 0]
    return {
        "asked": len(calls.level),
        "opens": _mean(calls.level > 0),
        "mean_level": _mean(bids),
        "levels": _distribution(bids),
    }


def _by_value(calls: Calls, among: BoolArray, value: Int64Array) -> list[Figures]:
    return [_openings(_where(calls, among & (value == v))) | {"value": v} for v in np.unique(value[among]).tolist()]


def _by_top_cards(calls: Calls, among: BoolArray) -> list[Figures]:
    """By which of the two highest trumps are held."""
    first, second = calls.holds[:, 0], calls.holds[:, 1]
    groups = {"neither": ~first & ~second, "second": ~first & second, "first": first & ~second, "both": first & second}
    return [_openings(_where(calls, among & where)) | {"holds": name} for name, where in groups.items()]


def _answers(calls: Calls, among: BoolArray) -> list[Figures]:
    """What is done over a standing bid, by its level."""
    return [
        _answer(_where(calls, among & (calls.standing == level))) | {"standing": level}
        for level in np.unique(calls.standing[among]).tolist()
    ]


def _answer(calls: Calls) -> Figures:
    bid = calls.level > 0
    group = np.digitize(calls.trumps, [3, 4, 5, 6])
    return {
        "asked": len(bid),
        "bids": _mean(bid),
        "by": _mean((calls.level - calls.standing)[bid]),
        "by_trumps": [
            {"trumps": name, "asked": int((group == i).sum()), "bids": _mean(bid[group == i])}
            for i, name in enumerate(TRUMP_GROUPS)
        ],
        "with_highest_trump": _mean(bid[calls.holds[:, 0]]),
        "without_highest_trump": _mean(bid[~calls.holds[:, 0]]),
        "bids_where_partner_has_bid": _mean(bid[calls.partner_bid]),
    }


def _contracts(contracts: Contracts) -> Figures:
    made = rate_estimate(contracts.made.astype(np.float64))
    result = mean_estimate(contracts.result)
    return {
        "contracts": len(contracts.level),
        "mean_level": _mean(contracts.level),
        "made": {"mean": made.mean, "low": made.low, "high": made.high},
        "set": None if made.mean is None else 1 - made.mean,
        "points": _mean(contracts.points),
        "result": {"mean": result.mean, "low": result.low, "high": result.high},
    }


def _where(calls: Calls, where: BoolArray) -> Calls:
    return Calls._make(column[where] for column in calls)


def _only(contracts: Contracts, where: BoolArray) -> Contracts:
    return Contracts._make(column[where] for column in contracts)


def _mean(values: np.ndarray | BoolArray) -> float | None:
    return float(values.mean()) if len(values) else None


def _distribution(values: Int64Array) -> dict[str, float]:
    """Value, as text, to its share."""
    found, counts = np.unique(values, return_counts=True)
    return {str(v): float(c / len(values)) for v, c in zip(found.tolist(), counts.tolist(), strict=True)}


def levels_of(all_figures: Iterable[Figures], most: int) -> list[int]:
    """At most so many levels at which agents open, the most frequent ones, in order."""
    total: dict[int, float] = {}
    for figures in all_figures:
        for row in figures["openings_by_place"]:
            for level, share in row["levels"].items():
                total[int(level)] = total.get(int(level), 0.0) + share * row["asked"]
    return sorted(sorted(total, key=lambda level: -total[level])[:most])
