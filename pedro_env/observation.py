"""Observations: what a seat may see, as a row of zeros and ones in the order of ``layout.py``.

A seat sees its own cards, every card played or laid open, the counts and the auction, and nothing else (RULES 6).
The words of the layout are built as ``uint64`` and unpacked once, which is why a word starts with a set of cards.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from pedro_env.actions import Phase
from pedro_env.cards import N_SUITS, NONE
from pedro_env.cardset import BIT, EMPTY, to_bits
from pedro_env.layout import SCORE_BITS, TARGET_BITS, point_step, score_thresholds
from pedro_env.rules import Rules
from pedro_env.state import State
from pedro_env.tables import Tables, tables_of
from pedro_env.typing import IntArray, UInt8Array, UInt64Array

SCORE_RANGE = 1024
"""Match scores are looked up between -SCORE_RANGE and SCORE_RANGE, far beyond the thermometer's ends."""


@dataclass(frozen=True)
class _Field:
    """A small field: the word it is in, and its bits by value, in place."""

    word: int
    bits: UInt64Array


@dataclass(frozen=True)
class _Plan:
    """Where everything goes, and look-up tables from a column's value to bits."""

    words: int
    planes: dict[str, int]
    marks: int
    seat_fields: tuple[tuple[str, _Field], ...]
    """State column with a seat, and bits by ``seat_looking * (seats + 1) + value + 1``."""
    value_fields: tuple[tuple[str, _Field], ...]
    """State column, and bits by ``value + 1``."""
    contract: tuple[tuple[int, UInt64Array], ...]
    """For each word that the contract lies in: bits by bid + 1."""
    target: tuple[int, np.uint64]
    points: tuple[_Field, ...]
    scores: tuple[_Field, ...]


def observe(t: Tables, s: State, rows: IntArray, seats: IntArray) -> UInt8Array:
    """What some seats see in some games: ``(k, width)`` uint8. Any seat may look at any time."""
    plan = _plan_of(t.rules)
    n_seats = t.rules.seats
    seats = seats.astype(np.int64)
    words = np.zeros((len(rows), plan.words), np.uint64)
    own = rows * n_seats + seats
    relative = rows[:, None] * n_seats + (seats[:, None] + np.arange(n_seats)) % n_seats

    planes = plan.planes
    words[:, planes["hand"]] = s.hand.reshape(-1)[own]
    if "laid_aside" in planes:
        words[:, planes["laid_aside"]] = s.laid_aside.reshape(-1)[own]
    if "stock" in planes:
        words[:, planes["stock"]] = np.where(s.robber[rows] == seats, s.stock[rows], EMPTY)
    if "called" in planes:
        words[:, planes["called"]] = s.called[rows]
    words[:, planes["open"]] = s.open[rows]
    words[:, planes["in_trick"]] = s.in_trick[rows]
    first = planes["trick_bit_0"]
    trick_bits = 3 + ("trick_bit_3" in planes)
    words[:, first : first + trick_bits] = s.trick_bits[rows, :trick_bits]
    first = planes["shown_0"]
    words[:, first : first + n_seats] = s.shown.reshape(-1)[relative]
    mark_words = t.layout.mark_words
    marks = s.marks.reshape(-1, mark_words)[relative]
    words[:, plan.marks : plan.marks + n_seats * mark_words] = marks.reshape(len(rows), -1)

    looking = seats * (n_seats + 1) + 1
    for column, field in plan.seat_fields:
        words[:, field.word] |= field.bits[looking + getattr(s, column)[rows]]
    for column, field in plan.value_fields:
        words[:, field.word] |= field.bits[getattr(s, column)[rows].astype(np.int64) + 1]
    for word, bits in plan.contract:
        words[:, word] |= bits[s.contract[rows].astype(np.int64) + 1]
    words[:, plan.target[0]] |= plan.target[1]
    side = t.side_of[seats]
    for offset, (points, scores) in enumerate(zip(plan.points, plan.scores, strict=True)):
        other = (side + offset) % t.rules.sides
        words[:, points.word] |= points.bits[s.taken[rows, other]]
        clipped = np.clip(s.scores[rows, other].astype(np.int64), -SCORE_RANGE, SCORE_RANGE)
        words[:, scores.word] |= scores.bits[clipped + SCORE_RANGE]
    return to_bits(words, t.layout.width)


@lru_cache(maxsize=256)
def _plan_of(rules: Rules) -> _Plan:
    layout = tables_of(rules).layout
    start = {field.name: field.start for field in layout.fields}
    width = {field.name: field.width for field in layout.fields}
    seats = rules.seats

    def one_hot(name: str, place_of: list[int]) -> _Field:
        """Bits of a field of one bit a place; ``place_of`` by index, -1 for none."""
        word, shift = divmod(start[name], 64)
        bits = [BIT[shift + place] if place != NONE else EMPTY for place in place_of]
        return _Field(word, np.array(bits, np.uint64))

    relative = [NONE if v == NONE else (v - looking) % seats for looking in range(seats) for v in range(-1, seats)]
    seat_columns = ["to_act", "dealer", "declarer", "leader", "winning", "partner"]
    phases = tables_of(rules).actions.phases
    phase_places = [NONE, *(phases.index(p) if p in phases else NONE for p in Phase)]
    suit_places = [NONE, *range(N_SUITS)]
    trick_places = [NONE, *range(rules.hand), NONE]
    values = [
        ("phase", one_hot("phase", phase_places)),
        ("trump", one_hot("trump", suit_places)),
        ("led", one_hot("led", suit_places)),
        ("trick", one_hot("trick", trick_places)),
        ("bidder_out", one_hot("bidder_out", [NONE, NONE, 0])),
    ]
    if "alone" in start:
        values.append(("alone", one_hot("alone", [NONE, NONE, 0])))

    def thermometer(name: str, heights: list[int]) -> _Field:
        word, shift = divmod(start[name], 64)
        return _Field(word, np.array([((1 << height) - 1) << shift for height in heights], np.uint64))

    step = point_step(rules)
    heights = [min(points // step, width["points_0"]) for points in range(rules.total_points + 1)]
    thresholds = score_thresholds(rules)
    score_heights = [sum(score >= th for th in thresholds) for score in range(-SCORE_RANGE, SCORE_RANGE + 1)]
    assert len(thresholds) == SCORE_BITS
    target_word, target_shift = divmod(start["target"], 64)
    return _Plan(
        words=layout.width // 64,
        planes={f.name: f.start // 64 for f in layout.fields if f.kind == "cards"},
        marks=start[f"{layout.marks[0].name}_0"] // 64,
        seat_fields=tuple((c, one_hot(c, relative)) for c in seat_columns if c in start),
        value_fields=tuple(values),
        contract=_contract_bits(start["contract"], width["contract"]),
        target=(target_word, np.uint64(min(rules.target, 2**TARGET_BITS - 1) << target_shift)),
        points=tuple(thermometer(f"points_{side}", heights) for side in range(rules.sides)),
        scores=tuple(thermometer(f"score_{side}", score_heights) for side in range(rules.sides)),
    )


def _contract_bits(start: int, width: int) -> tuple[tuple[int, UInt64Array], ...]:
    entries: list[tuple[int, UInt64Array]] = []
    for word in range(start // 64, (start + width - 1) // 64 + 1):
        bits = np.zeros(width + 1, np.uint64)
        places = start + np.arange(width) - 64 * word
        inside = (places >= 0) & (places < 64)
        bits[1:][inside] = BIT[places[inside]]
        entries.append((word, bits))
    return tuple(entries)
