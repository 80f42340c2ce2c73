"""Options of the test run, and what many tests need."""

from __future__ import annotations

import signal
from collections.abc import Iterator

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """``--regenerate-golden`` writes the golden files anew instead of comparing with them: read what changed."""
    parser.addoption("--regenerate-golden", action="store_true", help="write tests/golden/*.txt anew")


def pytest_configure() -> None:
    """In the background of a shell the tests ignore Ctrl-C, and so would the commands that they start."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def one_thread() -> Iterator[None]:
    """PyTorch computes with one thread: more of them than cores make small networks many times slower."""
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)
