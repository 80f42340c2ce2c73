"""Decisions a second of the Gymnasium environments, in one process and one thread.

    python -m benchmarks.vector
    python -m benchmarks.vector --sizes 4096 --opponents agents.registry:heuristic-1

A decision is one of the learner's: its action is taken from the mask (the lowest legal one), the opponents play up to
its next decision, and observation, mask, reward and info are made. Steps that only begin an episode (autoreset
NextStep) are in the time and are not counted. The opponents take the lowest legal action as well, which costs next to
nothing: what is measured is the environment. ``--seat 0 2`` measures a learner that plays both seats of a side.

"vector" is one batch of the engine, "sync" is Gymnasium's SyncVectorEnv of single environments.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode

import pedro_env
from benchmarks.timing import machine, rate_parser, rates, run
from pedro_env.cardset import ONE
from pedro_env.typing import IntArray

SIZES = (64, 1024, 4096, 16384)
SYNC = 64
"""The number of environments in SyncVectorEnv."""
WARM_UP = 50
"""Steps, so that the games are in all phases when the measuring begins."""


class Lowest:
    """Takes the lowest legal action: an opponent that costs next to nothing."""

    name = "lowest"
    sees_everything = False

    def act(self, views: pedro_env.Views) -> IntArray:
        """``(k,)`` the first of each set."""
        below = np.bitwise_count(~views.legal & (views.legal - ONE))  # zeros below the first one of each word
        action = below[:, -1].astype(np.int64)
        for zeros in below.T[-2::-1]:
            action = np.where(zeros < 64, zeros, 64 + action)
        return action


def steps(envs: Any) -> Callable[[], int]:
    """A function that steps some environments and returns how many decisions the learner took."""
    observations, _ = envs.reset(seed=1)
    next_step = envs.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    ended = np.zeros(envs.num_envs, np.bool_)

    def some() -> int:
        nonlocal observations, ended
        decisions = 0
        for _ in range(max(1, 64 // envs.num_envs)):
            decisions += envs.num_envs - (int(ended.sum()) if next_step else 0)
            actions: IntArray = observations["action_mask"].view(np.bool_).argmax(axis=1)  # of booleans it is quick
            observations, _, terminations, truncations, _ = envs.step(actions)
            ended = terminations | truncations
        return decisions

    for _ in range(WARM_UP):
        some()
    return some


def main() -> None:
    """Measure and print."""
    arguments = rate_parser(__doc__)
    arguments.add_argument("--sizes", type=int, nargs="+", default=SIZES, metavar="N", help="numbers of environments")
    arguments.add_argument(
        "--seat", type=int, nargs="+", default=[0], help="the learner's seat, or seats of a side (0)"
    )
    arguments.add_argument("--episode", choices=("deal", "match"), default="deal", help="(deal)")
    arguments.add_argument("--opponents", help="MODULE:NAME, as agents.registry:heuristic-1 (lowest legal actions)")
    options = arguments.parse_args()
    settings: dict[str, Any] = {
        "variant": options.variant,
        "episode": options.episode,
        "seat": options.seat,
        "opponents": options.opponents or Lowest(),
    }
    made: dict[str, Callable[[], int]] = {}
    for n in options.sizes:
        for mode in (AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP):
            envs = gymnasium.make_vec(
                "pedro_env/Pedro-v0", n, vectorization_mode="vector_entry_point", autoreset_mode=mode, **settings
            )
            made[f"vector, n = {n:,}, {mode.value}"] = steps(envs)
    made[f"sync, n = {SYNC}, NextStep"] = steps(
        gymnasium.make_vec("pedro_env/Pedro-v0", SYNC, vectorization_mode="sync", **settings)
    )
    found = rates(made, options)
    print(machine())
    print(
        f"{options.variant}: the learner's decisions a second ({options.clock} clock), median and range of the repeats"
    )
    width = max(map(len, found))
    for name, rate in found.items():
        print(f"  {name:{width}} {rate}")


if __name__ == "__main__":
    run(main)
