"""The page of phases, actions and observation slices of every variant (``docs/layouts.md``), printed from the code."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pedro_env.actions import FIRST_BID, FIRST_SUIT, PASS, actions_of
from pedro_env.cards import N_CARDS, SUITS
from pedro_env.full_state import full_layout
from pedro_env.layout import Field, layout_of
from pedro_env.rules import Rules
from pedro_env.variants import VARIANTS, make_rules

_INTRODUCTION = """\
# Layouts

Printed by `python -m pedro_env layouts`; `python -m pedro_env layouts VARIANT --set OPTION=VALUE …` prints the layout
of one variant, with options. A test compares this page with the command.

- **Actions** are numbered `[54 cards | 4 suits | pass, bids | the rest of the variant]`. A card has the same number in
  every phase and every variant, `13 * suit + rank` with suits S H D C and ranks 2 … A; the big joker is 52, the small
  one 53. The phase tells what is done with it.
- **Observations** are rows of `uint8` zeros and ones. Columns of no slice are always 0 (`Layout.columns` has the
  others). Slices of cards are in the order of the card numbers, slices of suits in the order S H D C, counts are as
  many ones, numbers of a seat, a phase or a suit are one-hot. A variant has one layout, in single deals and in
  matches.
- **Seats** in names are relative to the seat that observes: `_0` itself, `_1` its left, `_2` (of four) its partner,
  `_3` its right.
- The **full state** for centralised critics (`state()`, `Batch.observe_all`) is the observation of seat 0, so that
  seats and sides in names are the table's own, and after it the planes of the third table: all that it does not see.
- The **hash** stands for observation and actions: policies carry it, and do not play where it differs.
"""

_SEAT_NUMBER = re.compile(r"(?P<stem>.+_)(?P<number>\d+)")


def layouts_page(rules: Rules | None = None) -> str:
    """The layout of one game, or of every variant with an introduction, as Markdown."""
    if rules is not None:
        return _section(rules)
    sections = [_INTRODUCTION]
    seen: dict[str, str] = {}
    for name in VARIANTS:
        section = _section(make_rules(name))
        body = section.partition("\n")[2]
        if body in seen:
            section = f"## `{name}`\n\nAs `{seen[body]}`.\n"
        seen.setdefault(body, name)
        sections.append(section)
    return "\n".join(sections).rstrip("\n")


def _section(rules: Rules) -> str:
    layout, actions, full = layout_of(rules), actions_of(rules), full_layout(rules)
    phases = ", ".join(f"`{phase.word}`" for phase in actions.phases)
    return "\n".join(
        [
            f"## `{rules.variant}`",
            "",
            f"Phases: {phases}. {actions.n} actions, {layout.width} columns, of which {len(layout.columns)} in slices; "
            f"hash `{layout.hash()}`.",
            "",
            *_table(("actions", "names"), _action_rows(rules)),
            "",
            *_table(("slice", "columns", "width", "meaning"), _field_rows(layout.fields)),
            "",
            f"Full state: {full.width} columns, those of seat 0's observation and",
            "",
            *_table(("slice", "columns", "width", "meaning"), _plane_rows(full.hidden)),
            "",
        ]
    )


def _action_rows(rules: Rules) -> list[tuple[str, ...]]:
    actions = actions_of(rules)
    first_of_rest = FIRST_BID + len(actions.bids)
    bids = [bid.name for bid in actions.bids]
    rows = [
        (_span(0, N_CARDS), "the cards `2S` … `AS`, `2H` …, `2D` …, `2C` … `AC`, `XB`, `XS`"),
        (_span(FIRST_SUIT, len(SUITS)), "the suits `S`, `H`, `D`, `C`"),
        (str(PASS), "`pass`"),
        (_span(FIRST_BID, len(bids)), _series(bids)),
    ]
    if actions.rest:
        rows.append((_span(first_of_rest, len(actions.rest)), _series(list(actions.rest))))
    return rows


def _series(names: list[str]) -> str:
    """Names in order, with the middle of a long run of numbers left out."""
    numbers = [name for name in names if name.isdigit()]
    if len(numbers) > 4:
        words = names[len(numbers) :]
        return ", ".join([f"`{numbers[0]}` … `{numbers[-1]}`", *(f"`{name}`" for name in words)])
    if len(names) > 12:
        return f"`{names[0]}`, `{names[1]}`, … `{names[-1]}`"
    return ", ".join(f"`{name}`" for name in names)


def _field_rows(fields: Sequence[Field]) -> list[tuple[str, ...]]:
    """One row a field; fields that differ only in the seat or side share one."""
    groups: dict[str, list[Field]] = {}
    for field in fields:
        match = _SEAT_NUMBER.fullmatch(field.name)
        per_seat = match is not None and not field.name.startswith("trick_bit")
        groups.setdefault(match["stem"] if match is not None and per_seat else field.name, []).append(field)
    rows: list[tuple[str, ...]] = []
    for stem, group in groups.items():
        first, last = group[0], group[-1]
        name = f"`{first.name}`" if len(group) == 1 else f"`{first.name}` … `{last.name}`"
        meaning = first.meaning
        if stem != first.name:
            meaning = re.sub(r"\bseat 0(: )?", lambda m: "" if m[1] else "that seat", meaning)
        columns = ", ".join(_span(field.start, field.width) for field in group)
        rows.append((name, columns, str(first.width), meaning))
    return rows


def _plane_rows(fields: Sequence[Field]) -> list[tuple[str, ...]]:
    return [(f"`{field.name}`", _span(field.start, field.width), str(field.width), field.meaning) for field in fields]


def _span(first: int, width: int) -> str:
    return str(first) if width == 1 else f"{first}–{first + width - 1}"


def _table(header: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> list[str]:
    cells = [header, tuple("---" for _ in header), *rows]
    return ["| " + " | ".join(row) + " |" for row in cells]
