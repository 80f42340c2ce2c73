"""The table of rare paths and how often play takes them (``docs/rules/paths.md``), printed from the counts."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Mapping, Sequence
from itertools import zip_longest

from pedro_env.paths.catalogue import PATHS, Path
from pedro_env.paths.counts import Counts

WIDTH = 100
"""Columns of the tables."""
_NAME, _COUNT = 28, 12
"""Columns of a path's name, and of a variant's count."""
_VARIANTS_SIDE_BY_SIDE = (WIDTH - _NAME) // _COUNT
_NOT_POSSIBLE = "–"


def paths_page(all_counts: Sequence[Counts], command: str) -> str:
    """What the command ``paths`` has counted, for people: a list for one variant, otherwise the page of tables."""
    if len(all_counts) == 1:
        return "\n".join([_summary(all_counts[0]), command, "", *_list(all_counts[0])])
    groups = range(0, len(all_counts), _VARIANTS_SIDE_BY_SIDE)
    tables = [_table(all_counts[first : first + _VARIANTS_SIDE_BY_SIDE]) for first in groups]
    return "\n".join([_introduction(command), *_meanings(), *(f"\n```text\n{table}\n```" for table in tables)])


def paths_json(all_counts: Sequence[Counts], seed: int, options: Mapping[str, object]) -> str:
    """The same for programs: for each variant and path the deals as shuffled and lopsided, ``null`` if impossible."""
    variants = {
        counts.rules.variant: {
            "deals": counts.deals,
            "decisions": counts.decisions,
            "paths": {path.name: _shuffled_and_lopsided(counts, path) for path in PATHS},
        }
        for counts in all_counts
    }
    data = {"seed": seed, "options": dict(options), "matches": all_counts[0].matches, "variants": variants}
    return json.dumps(data, indent=2, ensure_ascii=False) + "\n"


def _shuffled_and_lopsided(counts: Counts, path: Path) -> dict[str, int] | None:
    if path not in counts.paths:
        return None
    shuffled, lopsided = counts.paths[path]
    return {"shuffled": shuffled, "lopsided": lopsided}


def _summary(counts: Counts) -> str:
    return f"{counts.rules.variant}: {counts.matches:,} matches, {counts.deals:,} deals, {counts.decisions:,} decisions"


def _list(counts: Counts) -> list[str]:
    lines = [f"{'deals in which':<{_NAME}} {'shuffled':>8} {'lopsided':>8}"]
    for path, (shuffled, lopsided) in counts.paths.items():
        start = f"{path.name:<{_NAME}} {shuffled:>8,} {lopsided:>8,}  "
        about = f"{path.meaning} ({path.section})"
        lines += textwrap.wrap(about, WIDTH, initial_indent=start, subsequent_indent=" " * len(start))
    return lines


def _introduction(command: str) -> str:
    return f"""\
# Rare paths

Printed by

    {command}

and printed again when paths, rules or the way of playing change; no test does that.

Matches of random actions; most seats pass or bid low and most keep their trumps, so that bids are made and matches end.
In every other match the packs are as shuffled; in the others the trumps of one suit lie in few places, sometimes the
point trumps closest together. A number says in how many deals the path was taken, {_NOT_POSSIBLE} that the variant
cannot take it. Where a number is 0, `tests/test_paths.py` has a position from which the path is taken.
`python -m pedro_env paths VARIANT` counts for one variant and tells both kinds of matches apart.
"""


def _meanings() -> list[str]:
    rows = (f"| {path.name} | {path.meaning} | {path.section} |" for path in PATHS)
    return ["| path | what happens | section |", "| --- | --- | --- |", *rows]


def _table(group: Sequence[Counts]) -> str:
    """Paths as rows, variants as columns; their names are split at hyphens."""
    heads = zip_longest(*(counts.rules.variant.split("-") for counts in group), fillvalue="")
    lines = [_row("", words) for words in heads]
    lines += [_row("matches", [f"{counts.matches:,}" for counts in group])]
    lines += [_row("deals", [f"{counts.deals:,}" for counts in group]), "-" * (_NAME + _COUNT * len(group))]
    for path in PATHS:
        if any(path in counts.paths for counts in group):
            lines.append(_row(path.name, [_cell(counts, path) for counts in group]))
    return "\n".join(lines)


def _row(name: str, cells: Sequence[str]) -> str:
    return (f"{name:<{_NAME}}" + "".join(f"{cell:>{_COUNT}}" for cell in cells)).rstrip()


def _cell(counts: Counts, path: Path) -> str:
    return f"{sum(counts.paths[path]):,}" if path in counts.paths else _NOT_POSSIBLE
