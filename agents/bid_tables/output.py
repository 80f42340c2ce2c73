"""Bidding tables as tables for people, and as a JSON file and back."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from agents.bid_tables.kinds import Kinds
from agents.bid_tables.samples import SEATS, WAYS, bid_numbers
from agents.bid_tables.tables import DIGITS, BidTables, Means
from agents.errors import AgentError
from agents.report import Table
from pedro_env.rules import Rules, RulesError
from pedro_env.typing import FloatArray, Int64Array
from pedro_env.variants import make_rules

FORMAT = 1
"""Of the JSON file; a reader of another format should not guess."""
_PLAYED = WAYS.index("played")
_MOST_BIDS = 10
"""In a table or picture; where there are more, some of them are shown."""


class Source(NamedTuple):
    """Where tables come from."""

    rules: Rules
    options: Mapping[str, Any]
    """By which the rules differ from the variant."""
    seed: int
    command: list[str]


def printed(source: Source, tables: BidTables, least: int) -> Iterator[tuple[str, Table]]:
    """(what it says, table), two for each seat; kinds with fewer than ``least`` hands in that seat are left out."""
    kinds = Kinds(source.rules)
    shown = shown_bids(tables.numbers)
    bids = [str(number) for number in tables.numbers[shown]]
    up_to = tables.bid_up_to()
    average = _mean_points(tables)
    for seat, name in enumerate(SEATS):
        rows = shown_kinds(tables, seat, least)
        head = [*_heads(kinds), "hands", "open", "played", *bids]
        cells = [
            [
                *_parts(kinds, kind),
                f"{tables.hands[seat, kind]:,}",
                *(f"{average[seat, kind, way]:.1f}" for way in range(len(WAYS))),
                *(f"{share:.0%}" for share in tables.make.mean[seat, kind, _PLAYED, shown]),
            ]
            for kind in rows
        ]
        title = "points that the side takes, cards open and played; chance to make each bid, played"
        yield f"{name}, {_share(tables, seat, rows)} of the hands: {title}", (head, cells)
        head = [*_heads(kinds), *bids, "±", "pass", "±", "up to"]
        cells = [
            [
                *_parts(kinds, kind),
                *(f"{gain:+.1f}" for gain in tables.gain.mean[seat, kind, _PLAYED, shown]),
                _error(tables.gain.error[seat, kind, _PLAYED].max()),
                f"{tables.passing.mean[seat, kind]:+.1f}",
                _error(tables.passing.error[seat, kind]),
                "–" if up_to[seat, kind, _PLAYED] < 0 else str(up_to[seat, kind, _PLAYED]),
            ]
            for kind in rows
        ]
        yield f"{name}: expected score difference at each bid and for a pass, played", (head, cells)


def shown_bids(numbers: Int64Array) -> Int64Array:
    """The places of the bids that are shown: all, or as many as fit, from the lowest to the highest."""
    if len(numbers) <= _MOST_BIDS:
        return np.arange(len(numbers))
    return np.linspace(0, len(numbers) - 1, _MOST_BIDS).round().astype(np.int64)


def shown_kinds(tables: BidTables, seat: int, least: int) -> list[int]:
    """The kinds of at least so many hands in a seat, those with the highest trumps first."""
    return np.flatnonzero(tables.hands[seat] >= max(least, 1))[::-1].tolist()


def _mean_points(tables: BidTables) -> FloatArray:
    """``(S, K, W)`` the points that the side takes on average."""
    with np.errstate(invalid="ignore"):
        return tables.points @ np.arange(tables.points.shape[-1]) / tables.points.sum(axis=-1)


def _share(tables: BidTables, seat: int, rows: list[int]) -> str:
    hands = tables.hands[seat]
    return f"{hands[rows].sum() / hands.sum():.1%}"


def _error(value: float) -> str:
    return "–" if np.isnan(value) else f"{value:.1f}"


def _heads(kinds: Kinds) -> list[str]:
    return [head for head in kinds.heads() if head]


def _parts(kinds: Kinds, kind: int) -> list[str]:
    return [str(part) for part, head in zip(kinds.parts(kind), kinds.heads(), strict=True) if head]


# --- a file


def as_json(source: Source, tables: BidTables) -> bytes:
    """All figures, a line for each seat and kind of which there was a hand."""
    kinds = Kinds(source.rules)
    header = {
        "format": FORMAT,
        "command": source.command,
        "variant": source.rules.variant,
        "options": source.options,
        "rules_hash": source.rules.hash(),
        "seed": source.seed,
        "deals": tables.deals,
        "kinds": kinds.legend(),
        "bids": tables.numbers.tolist(),
    }
    lines = [
        json.dumps(_as_dictionary(kinds, tables, seat, kind), ensure_ascii=False, separators=(",", ":"))
        for seat in range(len(SEATS))
        for kind in shown_kinds(tables, seat, 1)
    ]
    head = ",\n".join(f"{json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in header.items())
    return ("{\n" + head + ',\n"hands": [\n' + ",\n".join(lines) + "\n]\n}\n").encode()


def _as_dictionary(kinds: Kinds, tables: BidTables, seat: int, kind: int) -> dict[str, Any]:
    top, big, trumps = kinds.parts(kind)
    data: dict[str, Any] = {"seat": SEATS[seat], "top": top, "big": big, "trumps": trumps}
    data["hands"] = int(tables.hands[seat, kind])
    data["pass"] = [_number(part[seat, kind], DIGITS["passing"]) for part in tables.passing]
    for way, name in enumerate(WAYS):
        up_to = int(tables.bid_up_to()[seat, kind, way])
        data[name] = {"bid_up_to": None if up_to < 0 else up_to, "points": tables.points[seat, kind, way].tolist()}
        for what, means in (("make", tables.make), ("gain", tables.gain)):
            for key, values in ((what, means.mean), (f"{what}_error", means.error)):
                data[name][key] = [_number(value, DIGITS[what]) for value in values[seat, kind, way]]
    return data


def _number(value: float, digits: int) -> float | None:
    return None if np.isnan(value) else round(float(value), digits)


def read(path: Path) -> tuple[Source, BidTables]:
    """Read tables. Raises ``OSError``, and ``AgentError`` where the file holds anything else, both in one line."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise OSError(f"cannot read {path}: {error.strerror}") from None
    except ValueError:
        raise AgentError(f"{path} is not a file of bidding tables, as --json writes it") from None
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise AgentError(f"{path} is not a file of bidding tables of format {FORMAT}, as --json writes it")
    try:
        rules = make_rules(data["variant"], data["options"])
    except (KeyError, TypeError, RulesError) as error:
        raise AgentError(f"{path}: the game cannot be told: {error}") from None
    if data.get("rules_hash") != rules.hash():
        raise AgentError(f"{path} was made by other rules of {rules.variant!r} than this version's; make it again")
    try:
        return Source(rules, data["options"], data["seed"], data["command"]), _from_dictionary(rules, data)
    except (KeyError, TypeError, ValueError, IndexError) as error:
        raise AgentError(f"{path} is damaged ({type(error).__name__}: {error}); make it again") from None


def _from_dictionary(rules: Rules, data: Mapping[str, Any]) -> BidTables:
    kinds = Kinds(rules)
    number_of = {kinds.parts(kind): kind for kind in range(kinds.n)}
    numbers = np.array(list(bid_numbers(rules)))
    shape = (len(SEATS), kinds.n, len(WAYS))
    points = np.zeros((*shape, rules.total_points + 1), np.int64)
    make, gain = (Means(*np.full((2, *shape, len(numbers)), np.nan)) for _ in range(2))
    passing = Means(*np.full((2, *shape[:2]), np.nan))
    for row in data["hands"]:
        cell = SEATS.index(row["seat"]), number_of[row["top"], row["big"], row["trumps"]]
        for values, value in zip(passing, row["pass"], strict=True):
            values[cell] = np.nan if value is None else value
        for way, name in enumerate(WAYS):
            points[(*cell, way)] = row[name]["points"]
            for what, means in (("make", make), ("gain", gain)):
                means.mean[(*cell, way)] = np.array(row[name][what], np.float64)
                means.error[(*cell, way)] = np.array(row[name][f"{what}_error"], np.float64)
    return BidTables(int(data["deals"]), numbers, points, make, gain, passing)
