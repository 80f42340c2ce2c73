"""The environment under the name that PettingZoo uses: ``from pedro_env import pedro_v0; pedro_v0.env()``."""

from pedro_env.aec import env, raw_env

__all__ = ["env", "raw_env"]
