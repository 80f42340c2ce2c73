"""Train a policy by self-play: ``python train.py [CONFIG.yaml] [--FLAG VALUE ...]``; ``--help`` shows the flags."""

import sys

from pedro_env.console import run


def main() -> int:
    """Run the command; what it needs is imported in here, where an interrupt ends it quietly."""
    from agents.training import main

    return main()


if __name__ == "__main__":
    sys.exit(run(main))
