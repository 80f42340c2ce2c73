"""Options of the test run."""

from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """``--regenerate-golden`` writes the golden files anew instead of comparing with them: read what changed."""
    parser.addoption("--regenerate-golden", action="store_true", help="write tests/golden/*.txt anew")
