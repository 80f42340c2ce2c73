"""A few deals of an agent against itself as text: what figures do not show."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from pedro_env.agent import Agent
from pedro_env.engine import Batch
from pedro_env.record import Recorder
from pedro_env.render import transcript
from pedro_env.rules import Rules


def told_deals(agent: Agent, rules: Rules, options: Mapping[str, Any], deals: int, seed: int) -> list[str]:
    """The first deals of the matches 0, 1, … as transcripts; ``options`` are the variant's."""
    batch = Batch(rules, seed, np.arange(deals), validate=False)
    recorder = Recorder(batch, options)
    while not batch.over.all():
        rows = np.flatnonzero(~batch.over)
        actions = agent.act(batch.views(rows, sees_everything=agent.sees_everything))
        recorder.before_step(actions, rows)
        batch.step(actions, rows)
    return [transcript(recorder.finish(row)) for row in range(deals)]
