"""Compare agents on duplicate deals: ``python evaluate.py AGENT AGENT ...``; ``--help`` shows the options."""

import sys

from pedro_env.console import run


def main() -> int:
    """Run the command; what it needs is imported in here, where an interrupt ends it quietly."""
    from agents.evaluation import main

    return main()


if __name__ == "__main__":
    sys.exit(run(main))
