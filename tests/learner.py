"""Helpers of the tests of the Gymnasium environments: opponents, and a learner whose choices depend on what it sees."""

from __future__ import annotations

import zlib
from typing import Any

import numpy as np

from pedro_env import Batch, Rules, Views
from pedro_env.cards import NONE
from pedro_env.gym import PedroEnv


class Lowest:
    """Takes the lowest legal action."""

    name = "lowest"
    sees_everything = False

    def __init__(self, rules: Rules | None = None) -> None:
        self.rules = rules

    def act(self, views: Views) -> np.ndarray:
        return views.mask.argmax(axis=1)


class Attentive:
    """Random, and keeps a list of the games in which it was told that a new deal begins."""

    name = "attentive"
    sees_everything = False

    def __init__(self) -> None:
        self.begun: list[int] = []
        self.sizes: list[int] = []

    def reset(self, games: np.ndarray) -> None:
        self.begun += games.tolist()

    def act(self, views: Views) -> np.ndarray:
        self.sizes.append(len(views))
        draws = (views.uniform()[:, None] + np.linspace(0, 1, views.actions.n)) % 1
        return (draws * views.mask).argmax(axis=1)


def choose(observation: dict[str, Any]) -> int:
    """A legal action, drawn by a checksum of what is seen: the same wherever the same is seen."""
    legal = np.flatnonzero(observation["action_mask"])
    return int(legal[zlib.crc32(observation["observation"].tobytes()) % len(legal)])


def end_deals_without_a_decision(env: Any) -> None:
    """Make opponents who, where seat 0 deals, play everybody's cards to the end of the deal before seat 0 is asked.

    No deal of the variants that are played ends like that by itself, but the environments shall be ready for it.
    """
    act = env.opponents.act

    def play_out(batch: Batch, rows: np.ndarray) -> np.ndarray:
        actions = act(batch, rows)
        for place in np.flatnonzero((batch.state.dealer[rows] == 0) & (batch.state.decision[rows] == 0)):
            row = rows[place : place + 1]
            while True:
                action = batch.mask(row).argmax(axis=1)
                probe = batch.take(row)
                probe.step(action)
                if probe.to_act[0] == NONE:
                    break
                if isinstance(env, PedroEnv):
                    env._game.step(action[0])  # the shell beneath it keeps the mask of the decision before
                else:
                    batch.step(action, row)
            actions[place] = action[0]
        return actions

    env.opponents.act = play_out


def equal(a: Any, b: Any, where: str = "") -> None:
    """Fail where two observations or infos differ, in values or types, and say where."""
    assert type(a) is type(b), f"{where}: {type(a)} and {type(b)}"
    if isinstance(a, dict):
        assert a.keys() == b.keys(), f"{where}: {sorted(a.keys() ^ b.keys())} in one of them only"
        for key in a:
            equal(a[key], b[key], f"{where}[{key!r}]")
    elif isinstance(a, np.ndarray):
        assert (a.dtype, a.shape) == (b.dtype, b.shape), f"{where}: {a.dtype}{a.shape} and {b.dtype}{b.shape}"
        if a.dtype == object:
            for i, (one, other) in enumerate(zip(a, b, strict=True)):
                equal(one, other, f"{where}[{i}]")
        else:
            np.testing.assert_array_equal(a, b, err_msg=where)
    else:
        assert a == b, f"{where}: {a!r} and {b!r}"
