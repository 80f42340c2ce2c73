"""The reference part of ``docs/agents-protocol.md``, printed from the messages themselves so that it cannot drift."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from agents.process import messages
from agents.registry import make_agent
from pedro_env.actions import Phase
from pedro_env.engine import Batch
from pedro_env.rules import Rules
from pedro_env.views import Views

_LONGEST_LIST = 6
"""Lists that are longer are cut off in the example."""


def reference(rules: Rules) -> list[str]:
    """Tables of all fields, and a conversation in Markdown."""
    return [
        "### `hello`",
        "",
        *_table(messages.HELLO_FIELDS),
        "",
        "### `decide`",
        "",
        "`type` is `decide`, `id` the number of the message, `decisions` a list. A decision has",
        "",
        *_table(messages.DECISION_FIELDS),
        "",
        "and each entry of its `seats`",
        "",
        *_table(messages.SEAT_FIELDS),
        "",
        "### A conversation",
        "",
        f"In `{rules.variant}`, with the message broken into lines and long lists cut off (…) for reading here. `>` is",
        "what the process reads, `<` what it writes.",
        "",
        "```text",
        *_conversation(rules),
        "```",
    ]


def messages_for(rules: Rules) -> Iterator[str]:
    """Messages to a process, lines without their ends: hello, a decision of every phase that came up, end."""
    yield messages.encode(messages.hello(rules)).decode().rstrip()
    for number, views in enumerate(_one_of_each_phase(rules).values(), 1):
        yield messages.encode(messages.decide(number, messages.decisions_of(views))).decode().rstrip()
    yield messages.encode(messages.END).decode().rstrip()


def _table(fields: Mapping[str, str]) -> list[str]:
    return ["| field | meaning |", "| --- | --- |", *(f"| `{name}` | {meaning} |" for name, meaning in fields.items())]


def _conversation(rules: Rules) -> Iterator[str]:
    yield "> " + _broken(messages.hello(rules))
    yield "< " + json.dumps({"protocol": messages.PROTOCOL})
    (decision,) = messages.decisions_of(_one_of_each_phase(rules)[Phase.PLAY])
    question = {"type": "decide", "id": 1, "decisions": ["DECISION"]}
    yield "> " + json.dumps(question).replace('"DECISION"', _broken(decision))
    yield "< " + json.dumps({"id": 1, "actions": [decision["legal"][-1]]})
    yield "> " + json.dumps(messages.END)


def _broken(message: dict[str, Any]) -> str:
    """A message as JSON, a field a line."""
    return "{\n" + ",\n".join(f"    {json.dumps(key)}: {_cut(value)}" for key, value in message.items()) + "\n  }"


def _cut(value: Any) -> str:
    if isinstance(value, Mapping):
        items = [f"{json.dumps(key)}: {_cut(item)}" for key, item in value.items()]
        return "{" + ", ".join(_some(items, 2 * _LONGEST_LIST)) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_some([_cut(item) for item in value], _LONGEST_LIST)) + "]"
    return json.dumps(value)


def _some(items: list[str], most: int) -> list[str]:
    return items if len(items) <= most else [*items[: most - 3], "…"]


def _one_of_each_phase(rules: Rules) -> dict[Phase, Views]:
    """The last decision with a choice of each phase that comes up in a deal between rule-based players."""
    batch = Batch(rules)
    agent = make_agent("heuristic-1", rules)
    found: dict[Phase, Views] = {}
    while not batch.over.all():
        if batch.mask().sum() > 1:
            found[Phase(batch.phase[0])] = batch.copy().views()
        batch.step(np.asarray(agent.act(batch.views())))
    return dict(sorted(found.items()))
