"""Train a policy by self-play: ``python train.py [CONFIG.yaml] [--FLAG VALUE ...]``; ``--help`` shows the flags."""

import sys

from agents.training import main
from pedro_env.console import run

if __name__ == "__main__":
    sys.exit(run(main))
