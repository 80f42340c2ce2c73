"""Problem sets by skill: ``python -m agents.problems score AGENT ...``; ``--help`` shows the commands."""

import sys

from pedro_env.console import run


def main() -> int:
    """Run the command; what it needs is imported in here, where an interrupt ends it quietly."""
    from agents.problems.command import main

    return main()


if __name__ == "__main__":
    sys.exit(run(main))
