"""The error for what a user of agents can get wrong."""

from __future__ import annotations


class AgentError(ValueError):
    """An agent that does not exist or cannot be used here: one line that says what would be right."""


class TrainingError(RuntimeError):
    """A run that cannot go on: one line that says where it came from and what is kept."""
