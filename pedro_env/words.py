"""Words that errors have in common."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


def near(name: str, known: Iterable[str]) -> str:
    """``" (did you mean 'x' or 'y'?)"``, of what is known; nothing where nothing is like it."""
    found = difflib.get_close_matches(name, list(known), n=3)
    return f" (did you mean {' or '.join(repr(n) for n in found)}?)" if found else ""
