"""Options of the test run, and what many tests need."""

from __future__ import annotations

from collections.abc import Iterator

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """``--regenerate-golden`` writes the golden files anew instead of comparing with them: read what changed."""
    parser.addoption("--regenerate-golden", action="store_true", help="write tests/golden/*.txt anew")


@pytest.fixture
def one_thread() -> Iterator[None]:
    """PyTorch computes with one thread: more of them than cores make small networks many times slower."""
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)
