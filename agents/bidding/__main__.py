"""``python -m agents.bidding``."""

import sys

from pedro_env.console import run


def main() -> int:
    """Run the command; what it needs is imported in here, where an interrupt ends it quietly."""
    from agents.bidding.command import main

    return main()


if __name__ == "__main__":
    sys.exit(run(main))
