"""Self-play on the engine itself: a linear policy that plays all seats, and learns by policy gradient, in NumPy alone.

    python -m examples.batched_self_play

A batch plays hundreds of deals side by side. ``batch.views()`` has what the seats to act see, in every deal that goes
on: observations, masks, whose turn it is. The policy plays them all; at the end of the deals each decision is
reinforced by what the seat's side won in its deal. Rewards come from the state, as nothing happens by itself between
decisions.
"""

from __future__ import annotations

import numpy as np

from pedro_env import Batch, Rules, Views, make_rules


def choose(weights: np.ndarray, views: Views, random: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """``(k,)`` actions drawn from the policy, and ``(k, actions)`` its probabilities."""
    logits = np.where(views.mask, views.observation.astype(np.float32) @ weights, -np.inf)
    odds = np.exp(logits - logits.max(axis=1, keepdims=True))
    action = (logits + random.gumbel(size=logits.shape)).argmax(axis=1)
    return action, odds / odds.sum(axis=1, keepdims=True)


def margins(batch: Batch) -> np.ndarray:
    """``(n, seats)`` what each seat's side won in its deal, less what the others won on average."""
    change = batch.state.score_change.astype(np.float64)
    others = (change.sum(axis=1, keepdims=True) - change) / (batch.rules.sides - 1)
    return (change - others)[:, batch.tables.side_of]


def train(rules: Rules, rounds: int = 15, deals: int = 256, rate: float = 0.02) -> np.ndarray:
    """``(width, actions)`` weights of a policy after some rounds of self-play."""
    random = np.random.default_rng(0)
    batch = Batch(rules, seed=1, matches=range(deals), validate=False)
    weights = np.zeros((batch.layout.width, batch.actions.n), np.float32)
    for number in range(rounds):
        batch.restart(np.arange(deals), np.arange(deals) + number * deals)
        decisions = []
        while not batch.over.all():
            views = batch.views()
            action, probability = choose(weights, views, random)
            decisions.append((views.observation, action, probability, views.game, views.seat))
            batch.step(action, views.game)
        observation, action, probability, game, seat = map(np.concatenate, zip(*decisions, strict=True))
        push = -probability  # the gradient of log p(action) by the logits
        push[np.arange(len(action)), action] += 1
        push *= margins(batch)[game, seat][:, None]
        weights += rate / len(action) * (observation.astype(np.float32).T @ push.astype(np.float32))
    return weights


def points_against_random(weights: np.ndarray, rules: Rules, deals: int = 1000) -> float:
    """Points a deal that the policy wins in seat 0 (and its partner's) against uniformly random play."""
    random = np.random.default_rng(1)
    batch = Batch(rules, seed=2, matches=range(deals))
    while not batch.over.all():
        views = batch.views()
        trained, untrained = choose(weights, views, random)[0], choose(0 * weights, views, random)[0]
        is_own = batch.tables.side_of[views.seat] == batch.tables.side_of[0]
        batch.step(np.where(is_own, trained, untrained), views.game)
    return float(margins(batch)[:, 0].mean())


def main() -> None:
    """Train, and compare with random play."""
    rules = make_rules("pedro")
    weights = train(rules)
    print(f"points a deal against random play: before {points_against_random(0 * weights, rules):+.1f}", end="")
    print(f", after {points_against_random(weights, rules):+.1f}")


if __name__ == "__main__":
    main()
