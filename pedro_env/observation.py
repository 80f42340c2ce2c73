"""Observations: what a seat may see, as a row of zeros and ones in the order of ``layout.py``.

A seat sees its own cards, every card played or laid open, the counts and the auction, and nothing else (RULES 6).
The layout's words are built side by side as ``uint64`` and unpacked once, which is why a word starts with a set of
cards. Small fields come out of one look-up table, pre-shifted to their places, all at once.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from pedro_env.actions import Phase
from pedro_env.cards import NONE
from pedro_env.cardset import EMPTY, to_bits
from pedro_env.layout import TARGET_BITS, Layout, point_step, score_thresholds
from pedro_env.state import TABLE, State
from pedro_env.tables import Tables
from pedro_env.typing import Int64Array, IntArray, UInt8Array, UInt64Array

SCORE_RANGE = 512
"""Scores are looked up from -SCORE_RANGE to SCORE_RANGE; every thermometer ends within."""

_SEAT_COLUMNS = ("to_act", "dealer", "declarer", "leader", "winning", "partner")
_VALUE_COLUMNS = ("phase", "trump", "led", "trick", "contract")


@dataclass(frozen=True)
class _Lookup:
    """Bits of several small fields: a table of pre-shifted words by value, and the word each field goes to."""

    bits: UInt64Array
    base: Int64Array
    """``(fields, 1)`` where in ``bits`` a field's value 0 stands."""
    words: tuple[int, ...]


@dataclass(frozen=True)
class _Plan:
    """Where everything goes in the observations of one game."""

    words: int
    planes: dict[str, int]
    marks: int
    clockwise: Int64Array
    """``(seats, seats)`` by relative seat and looking seat: the seat meant."""
    sides_from: Int64Array
    """``(sides, seats)`` by relative side and looking seat: the side meant."""
    seat_columns: list[int]
    """Rows of ``State.table`` with a seat."""
    seats: _Lookup
    """By ``looking seat * (seats + 1) + value``."""
    value_columns: list[int]
    values: _Lookup
    taken: _Lookup
    scores: _Lookup
    flags: tuple[tuple[str, int, np.uint64], ...]
    """(state column, word, bit) of yes-or-no fields."""
    target: tuple[int, np.uint64]


def observe(t: Tables, s: State, rows: IntArray, seats: IntArray) -> UInt8Array:
    """What some seats see in some games: ``(k, width)`` uint8. Any seat may look at any time."""
    plan = _plan_of(t)
    n_seats = t.rules.seats
    relative = plan.clockwise.take(seats, axis=1) + rows * n_seats
    own = relative[0]
    words = np.zeros((plan.words, len(rows)), np.uint64)

    planes = plan.planes
    words[planes["hand"]] = s.hand.reshape(-1).take(own)
    if "laid_aside" in planes:
        words[planes["laid_aside"]] = s.laid_aside.reshape(-1).take(own)
    if "stock" in planes:
        words[planes["stock"]] = np.where(s.robber.take(rows) == seats, s.stock.take(rows), EMPTY)
    if "gave" in planes:
        words[planes["gave"]] = s.gave.reshape(-1).take(own)
        words[planes["received"]] = s.received.reshape(-1).take(own)
    if "robbed" in planes:
        words[planes["robbed"]] = s.robbed.take(rows)
    if "called" in planes:
        words[planes["called"]] = s.called.take(rows)
    words[planes["open"]] = s.open.take(rows)
    words[planes["in_trick"]] = s.in_trick.take(rows)
    trick_bits = 3 + ("trick_bit_3" in planes)
    first = planes["trick_bit_0"]
    words[first : first + trick_bits] = s.trick_bits.take(rows, axis=0).T[:trick_bits]
    first = planes["shown_0"]
    words[first : first + n_seats] = s.shown.reshape(-1).take(relative)
    marks = s.marks.reshape(-1, t.layout.mark_words).take(relative, axis=0)  # (seats, k, mark words)
    mark_words = n_seats * t.layout.mark_words
    words[plan.marks : plan.marks + mark_words] = marks.swapaxes(1, 2).reshape(mark_words, len(rows))

    looking = seats * np.int64(n_seats + 1)
    _put(words, plan.seats, s.table[plan.seat_columns].take(rows, axis=1) + looking)
    _put(words, plan.values, s.table[plan.value_columns].take(rows, axis=1))
    sides = plan.sides_from.take(seats, axis=1) + rows * t.rules.sides
    _put(words, plan.taken, s.taken.reshape(-1).take(sides))
    scores = s.scores.reshape(-1).take(sides)
    _put(words, plan.scores, np.minimum(np.maximum(scores, -SCORE_RANGE), SCORE_RANGE))
    for column, word, bit in plan.flags:
        words[word] |= getattr(s, column).take(rows) * bit
    words[plan.target[0]] |= plan.target[1]
    return to_bits(words.T, t.layout.width)


def _put(words: UInt64Array, lookup: _Lookup, values: IntArray) -> None:
    """Add the bits of several fields, ``(fields, k)`` values."""
    bits = lookup.bits.take(lookup.base + values)
    for word, field_bits in zip(lookup.words, bits, strict=True):
        words[word] |= field_bits


@lru_cache(maxsize=256)
def _plan_of(t: Tables) -> _Plan:
    rules, layout = t.rules, t.layout
    slices = layout.slices
    seats, sides = rules.seats, rules.sides
    clockwise = (np.arange(seats)[:, None] + np.arange(seats)) % seats
    step = point_step(rules)
    point_bits = slices["points_0"].stop - slices["points_0"].start
    thresholds = score_thresholds(rules)
    point_heights = [min(points // step, point_bits) for points in range(rules.total_points + 1)]
    score_heights = [sum(score >= th for th in thresholds) for score in range(-SCORE_RANGE, SCORE_RANGE + 1)]
    target_word, target_shift = divmod(slices["target"].start, 64)

    # Value -1 stands before value 0, so a look-up's base is one more than where its values begin.
    relative = [
        NONE if value == NONE else (value - looking) % seats for looking in range(seats) for value in range(NONE, seats)
    ]
    seat_places = [(name, relative) for name in _SEAT_COLUMNS if name in slices]
    value_places = [(name, [NONE, *_places(t, name)]) for name in _VALUE_COLUMNS if name in slices]
    seat_columns, seat_lookup = _one_hots(layout, seat_places)
    value_columns, value_lookup = _one_hots(layout, value_places)
    return _Plan(
        words=layout.width // 64,
        planes={field.name: field.start // 64 for field in layout.fields if field.kind == "cards"},
        marks=slices[f"{layout.marks[0].name}_0"].start // 64,
        clockwise=clockwise,
        sides_from=(np.arange(sides)[:, None] + t.side_of) % sides,
        seat_columns=seat_columns,
        seats=seat_lookup,
        value_columns=value_columns,
        values=value_lookup,
        taken=_thermometers(layout, "points", point_heights, 0),
        scores=_thermometers(layout, "score", score_heights, SCORE_RANGE),
        flags=tuple(
            (name, slices[name].start // 64, np.uint64(1 << slices[name].start % 64))
            for name in ("bidder_out", "alone")
            if name in slices
        ),
        target=(target_word, np.uint64(min(rules.target, 2**TARGET_BITS - 1) << target_shift)),
    )


def _places(t: Tables, name: str) -> list[int]:
    """The bit of each value of a column; -1 where it has none."""
    if name == "phase":
        phases = t.actions.phases
        return [phases.index(phase) if phase in phases else NONE for phase in Phase]
    field = t.layout.slices[name]
    return [*range(field.stop - field.start), NONE]  # after the last trick there is no trick


def _one_hots(layout: Layout, fields: list[tuple[str, list[int]]]) -> tuple[list[int], _Lookup]:
    """Columns of ``State.table`` and their look-up; a field that spans two words is looked up once for each."""
    columns: list[int] = []
    words: list[int] = []
    rows: list[list[int]] = []
    for name, places in fields:
        start, stop = layout.slices[name].start, layout.slices[name].stop
        for word in range(start // 64, (stop - 1) // 64 + 1):
            shifts = [NONE if place == NONE else start + place - 64 * word for place in places]
            columns.append(TABLE.index(name))
            words.append(word)
            rows.append([1 << shift if 0 <= shift < 64 else 0 for shift in shifts])
    bits, starts = _join(rows)
    return columns, _Lookup(bits, starts + 1, tuple(words))


def _join(rows: list[list[int]]) -> tuple[UInt64Array, Int64Array]:
    """Tables one after another, and where each begins, as a column."""
    starts = np.cumsum([0, *(len(row) for row in rows)])[:-1]
    return np.array([value for row in rows for value in row], np.uint64), starts[:, None]


def _thermometers(layout: Layout, name: str, heights: list[int], zero: int) -> _Lookup:
    """Look-up of a thermometer for each side; ``zero`` is the place of the value 0 in ``heights``."""
    starts = [layout.slices[f"{name}_{side}"].start for side in range(layout.rules.sides)]
    bits, base = _join([[((1 << height) - 1) << start % 64 for height in heights] for start in starts])
    return _Lookup(bits, base + zero, tuple(start // 64 for start in starts))
