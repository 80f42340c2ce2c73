"""The agent of ``first_legal.js`` in Python, without any package: passes where it may, else the first legal action.

    python evaluate.py "exec:python examples/agents/first_legal.py" random --deals 500

A message is a line of JSON on stdin, its answer a line of JSON on stdout (docs/agents-protocol.md).
"""

import json
import sys
from typing import Any


def choose(decision: dict[str, Any]) -> str:
    """The name of a legal action."""
    return "pass" if "pass" in decision["legal"] else decision["legal"][0]


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"protocol": 1}), flush=True)
    elif message["type"] == "decide":
        actions = [choose(decision) for decision in message["decisions"]]
        print(json.dumps({"id": message["id"], "actions": actions}), flush=True)
