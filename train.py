"""Train a policy by self-play: ``python train.py [CONFIG.yaml] [--FLAG VALUE ...]``; ``--help`` shows the flags."""

import sys

from agents.training import main

if __name__ == "__main__":
    sys.exit(main())
