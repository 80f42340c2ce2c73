"""``python -m agents.analyse``: see ``agents.analyse.command``."""

import sys

from pedro_env.console import USER_MISTAKE, run


def main() -> int:
    """Run the command; what it needs is imported in here, where an interrupt ends it quietly."""
    try:
        from agents.analyse.command import main
    except ImportError as error:
        if error.name != "numba":
            raise
        print(f"agents.analyse: {error}", file=sys.stderr)
        return USER_MISTAKE
    return main()


if __name__ == "__main__":
    sys.exit(run(main))
