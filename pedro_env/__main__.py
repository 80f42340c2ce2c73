"""``python -m pedro_env``: see ``pedro_env.commands``."""

import sys

from pedro_env.console import run


def main() -> int:
    """Run the command; what it needs is imported in here, where an interrupt ends it quietly."""
    from pedro_env.commands import main

    return main()


if __name__ == "__main__":
    sys.exit(run(main))
