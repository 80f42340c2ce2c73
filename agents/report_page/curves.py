"""How runs learnt: the evaluations during training that their checkpoints carry."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from agents.registry import is_named, split_spec

_FIGURES = ("decisions", "seconds", "mean", "low", "high", "pairs")


def learning_curve(agent: str) -> dict[str, Any] | None:
    """The curve of the run or checkpoint that an agent is loaded from; None for all others.

    A point has ``decisions`` learnt from, ``seconds`` of training, and points a deal over ``yardstick``.
    """
    head = split_spec(agent)[0]
    path = Path(head)
    if is_named(head) or path.suffix == ".onnx" or not path.exists():
        return None
    from agents.checkpoint import JSON, find_policy  # needs PyTorch, as such an agent does

    try:
        info = json.loads((find_policy(path).parent / JSON).read_text(encoding="utf-8"))
        points = [{name: point[name] for name in _FIGURES} for point in info["curve"]]
        yardstick = str(info["yardstick"])
    except (OSError, ValueError, KeyError, TypeError):  # a file of weights that stands alone, or an older run
        return None
    return {"agent": agent, "yardstick": yardstick, "points": points} if points else None
