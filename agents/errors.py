"""The error for what a user of agents can get wrong."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class AgentError(ValueError):
    """An agent that does not exist or cannot be used here: one line that says what would be right."""


class TrainingError(RuntimeError):
    """A run that cannot go on: one line that says where it came from and what is kept."""


def play_it_with(variant: str, options: Mapping[str, Any]) -> str:
    """The end of an error on a policy for another game: the flags of commands that choose its own."""
    settings = [f"{key}={str(value).lower() if isinstance(value, bool) else value}" for key, value in options.items()]
    flags = ["--variant", variant, *(["--set", *settings] if settings else [])]
    return f"; its own is {' '.join(flags)}"
