"""``python -m agents.bid_tables``: see ``agents.bid_tables.command``."""

import sys

from pedro_env.console import USER_MISTAKE, run


def main() -> int:
    """Run the command; what it needs is imported in here, where an interrupt ends it quietly."""
    try:
        from agents.bid_tables.command import main
    except ImportError as error:
        if error.name != "numba":
            raise
        print(f"agents.bid_tables: {error}", file=sys.stderr)
        return USER_MISTAKE
    return main()


if __name__ == "__main__":
    sys.exit(run(main))
