"""Steps a second of the PettingZoo AEC environment, raw and with PettingZoo's wrappers, in one process and one thread.

    python -m benchmarks.aec

A step is one action of one agent, chosen uniformly from ``action_mask`` after ``last()``. Resets and the steps with
``None`` by which agents leave at the end of an episode are in the time and are not counted.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import pedro_env
from benchmarks.timing import machine, rate_parser, rates, run


def episodes(env: Any) -> Callable[[], int]:
    """A function that plays an episode and returns the number of steps."""
    random = np.random.default_rng(1)
    env.reset(seed=1)

    def episode() -> int:
        steps = 0
        env.reset()
        for _ in env.agent_iter():
            observation, _, termination, truncation, _ = env.last()
            action = None
            if not (termination or truncation):
                legal = np.flatnonzero(observation["action_mask"])
                action = int(legal[int(random.random() * len(legal))])
                steps += 1
            env.step(action)
        return steps

    return episode


def main() -> None:
    """Measure and print."""
    options = rate_parser(__doc__).parse_args()
    made = {
        f"{make.__name__}(episode={episode!r})": episodes(make(variant=options.variant, episode=episode))
        for make in (pedro_env.raw_env, pedro_env.env)
        for episode in ("deal", "match")
    }
    found = rates(made, options)
    print(machine())
    print(f"{options.variant}: steps a second ({options.clock} clock), median and range of the repeats")
    for name, rate in found.items():
        print(f"  {name:26} {rate}")


if __name__ == "__main__":
    run(main)
