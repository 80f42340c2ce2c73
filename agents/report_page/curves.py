"""How runs learnt: the evaluations during training that checkpoints and exported policies carry."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from agents.errors import AgentError
from agents.registry import is_named, split_spec

_FIGURES = ("decisions", "seconds", "mean", "low", "high", "pairs")


def learning_curve(agent: str) -> dict[str, Any] | None:
    """The curve of the run, checkpoint or exported policy that an agent is loaded from; None for all others.

    A point has ``decisions`` learnt from, ``seconds`` of training, and points a deal over ``yardstick``.
    """
    head = split_spec(agent)[0]
    path = Path(head)
    if is_named(head) or not path.exists():
        return None
    try:
        info = _training_of(path)
        points = [{name: point[name] for name in _FIGURES} for point in info["curve"]]
        yardstick = str(info["yardstick"])
    except (AgentError, OSError, ValueError, KeyError, TypeError):  # weights that stand alone, or an older run
        return None
    return {"agent": agent, "yardstick": yardstick, "points": points} if points else None


def _training_of(path: Path) -> dict[str, Any]:
    """What a policy's file says of its training; needs what such an agent needs."""
    if path.suffix == ".onnx":
        from agents.onnx_policy import identity_of

        return identity_of(path).training
    from agents.checkpoint import JSON, find_policy

    return json.loads((find_policy(path).parent / JSON).read_text(encoding="utf-8"))
