"""MaskablePPO of sb3-contrib learns to play both seats of a side; random players have the others.

    pip install -e ".[sb3]"
    python -m examples.sb3_maskable_ppo --steps 50000

``Games`` makes stable-baselines3's vectorised environment of the vector environment: hundreds of deals in one batch.
With a few environments its own ``make_vec_env("pedro_env/Pedro-v0", 8, env_kwargs={"render_mode": None})`` does as
well.

Whoever acts has to pass the mask: MaskablePPO asks the environments for it while it learns, and ``predict`` takes it
as an argument. To evaluate, take ``evaluate_policy`` of sb3-contrib, which passes it (that of stable-baselines3 does
not).
"""

from __future__ import annotations

import argparse
import sys
from typing import Any

import gymnasium
import numpy as np

import pedro_env

try:
    import torch
    from sb3_contrib import MaskablePPO
    from sb3_contrib.common.maskable.evaluation import evaluate_policy
    from stable_baselines3.common.vec_env import VecEnv
except ModuleNotFoundError as error:
    sys.exit(f"needs {error.name}: pip install -e '.[sb3]'")


class Games(VecEnv):
    """Some hundred games of one batch, as stable-baselines3 wants them."""

    def __init__(self, n: int, seed: int, **settings: Any) -> None:
        """``settings`` as for ``gymnasium.make_vec``."""
        gymnasium.register_envs(pedro_env)
        self.games: Any = gymnasium.make_vec(
            "pedro_env/Pedro-v0", n, vectorization_mode="vector_entry_point", autoreset_mode="SameStep", **settings
        )
        super().__init__(n, self.games.single_observation_space, self.games.single_action_space)
        self.seed(seed)

    def reset(self) -> Any:
        observations, _ = self.games.reset(seed=self._seeds[0])
        self._reset_seeds()
        return observations

    def step_async(self, actions: np.ndarray) -> None:
        self.actions = actions

    def step_wait(self) -> Any:
        observations, rewards, terminations, truncations, infos = self.games.step(self.actions)
        ended = terminations | truncations
        rows: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for row in np.flatnonzero(ended):
            rows[row] = {
                "terminal_observation": infos["final_obs"][row],
                "TimeLimit.truncated": bool(truncations[row]),
            }
        return observations, rewards.astype(np.float32), ended, rows

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **kwargs: Any) -> list[Any]:
        return list(getattr(self.games, method_name)(*args, **kwargs))

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        return [getattr(self.games, attr_name)] * self.num_envs

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        raise NotImplementedError("the games share their settings: make them anew")

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        return [False] * self.num_envs

    def close(self) -> None:
        self.games.close()


def train(steps: int, games: int = 256) -> tuple[MaskablePPO, float, float]:
    """A policy, and its mean rewards (points a deal) before and after ``steps`` decisions."""
    torch.set_num_threads(1)  # the network is small: threads would wait for each other
    model = MaskablePPO(
        "MultiInputPolicy",  # observations are dictionaries
        Games(games, seed=1, seat=(0, 2)),
        n_steps=16,
        batch_size=1024,
        n_epochs=4,
        gamma=1.0,  # all the reward comes at the end of a deal
        learning_rate=1e-3,
        policy_kwargs={"net_arch": [64]},
        seed=0,
        device="cpu",
    )
    before = points(model)
    model.learn(steps)
    return model, before, points(model)


def points(model: MaskablePPO, deals: int = 1000) -> float:
    """Mean reward in other games than those it learns from."""
    mean, _ = evaluate_policy(model, Games(256, seed=10_000, seat=(0, 2)), deals, warn=False)
    return float(np.mean(mean))


def main() -> None:
    """Train, and say what came of it."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--steps", type=int, default=50_000, help="decisions to learn from (50,000)")
    _, before, after = train(arguments.parse_args().steps)
    print(f"points a deal against random players: before {before:+.1f}, after {after:+.1f}")


if __name__ == "__main__":
    main()
