"""``python -m agents.bid_tables``: see ``agents.bid_tables.command``."""

import sys

from pedro_env.console import run


def main() -> int:
    """Run the command; what it needs is imported in here, where an interrupt ends it quietly."""
    from agents.bid_tables.command import main

    return main()


if __name__ == "__main__":
    sys.exit(run(main))
