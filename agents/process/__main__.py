"""Print the reference part of docs/agents-protocol.md: what the messages have, and a conversation.

    python -m agents.process
    python -m agents.process --variant cinch --messages

With --messages: the messages to a process alone, as it would get them (with a decision of each phase), to try a client
out: `python -m agents.process --messages | python examples/agents/first_legal.py`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence

from pedro_env.console import USER_MISTAKE, Parser, run


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    from agents.process import page
    from pedro_env.rules import RulesError
    from pedro_env.variants import make_rules, parse_options

    parser = Parser("python -m agents.process", __doc__)
    parser.add_argument("--variant", default="pedro", help="the game (pedro)")
    parser.add_rule_options()
    parser.add_argument("--messages", action="store_true", help="the messages alone, a line each")
    options = parser.parse_args(arguments)
    try:
        rules = make_rules(options.variant, parse_options(options.set))
    except RulesError as error:
        print(f"python -m agents.process: {error}", file=sys.stderr)
        return USER_MISTAKE
    lines: Iterator[str] = page.messages_for(rules) if options.messages else iter(page.reference(rules))
    for line in lines:
        print(line)
    return 0


if __name__ == "__main__":
    sys.exit(run(main))
