"""Proximal policy optimisation of one network on masked decisions (Schulman et al. 2017).

The policy's distribution is computed from logits in which illegal actions have a large negative *finite* value, so that
probabilities, logarithms, entropy and all gradients are finite (PyTorch's ``Categorical`` checks a simplex that float32
with masks does not always keep).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, fields

import numpy as np
import torch
from torch import Tensor

from agents.config import PPO
from agents.errors import TrainingError
from agents.network import PolicyValueNetwork, masked
from agents.parallel import Group
from agents.precision import Precision
from agents.rollout import Decisions

ADAM_EPSILON = 1e-5


@dataclass
class Losses:
    """What one batch of decisions says; tensors of no dimension."""

    policy: Tensor
    value: Tensor
    entropy: Tensor
    """Nats."""
    kl: Tensor
    """From the policy that chose to the one that is: mean of ratio − 1 − log ratio."""
    clipped: Tensor
    """Share of decisions whose ratio is clipped."""


class Learner:
    """Network and optimizer of one process; at every step gradients are averaged over the group's processes.

    The average is weighted by the number of decisions, as processes may have played different numbers of deals.
    """

    def __init__(self, network: PolicyValueNetwork, config: PPO, precision: Precision, group: Group) -> None:
        self.network = network
        self.config = config
        self.precision = precision
        self.group = group
        self.parameters = dict(network.named_parameters())
        self.optimizer = torch.optim.Adam(
            self.parameters.values(), lr=config.learning_rate, eps=ADAM_EPSILON, fused=True
        )
        # One piece of memory for all gradients: one message between processes, one norm.
        self.device = network.policy.weight.device
        self.gradient = torch.zeros(sum(p.numel() for p in self.parameters.values()), device=self.device)
        start = 0
        for p in self.parameters.values():
            p.grad = self.gradient[start : start + p.numel()].view_as(p)
            start += p.numel()

    def update(self, decisions: Decisions, progress: float, rng: np.random.Generator) -> dict[str, float]:
        """Improve the network on an iteration's decisions; sums for the statistics.

        ``progress`` from 0 to 1 is how much of the budget has been used. Where no process has a decision, nothing is
        changed. Raises ``TrainingError``, in all processes, where a loss, a gradient or a weight is not finite.
        """
        config = self.config
        self.learning_rate = _between(config.learning_rate, config.final_learning_rate, progress)
        self.entropy_weight = _between(config.entropy, config.final_entropy, progress)
        for parameters in self.optimizer.param_groups:
            parameters["lr"] = self.learning_rate
        sums = self._variance_sums(decisions)
        names = ("loss_policy", "loss_value", "entropy", "kl", "clipped", "gradient_norm", "steps")
        count = self.group.sum(torch.tensor(float(len(decisions)), dtype=torch.float64)).item()
        if not count:  # in all processes alike
            return sums | dict.fromkeys(names, 0.0)
        steps = max(1, round(count / config.minibatch))
        # A process adds to every step in proportion to the decisions that it has, so that each counts the same, whoever
        # has it: ``size`` of them, the same number in every step, the last ones of a pass rounded up or down.
        size = max(min(1, len(decisions)), round(config.minibatch * len(decisions) / count))
        self.share = size / self.group.sum(torch.tensor(float(size), dtype=torch.float64)).item()
        decisions.advantage = self._normalised(decisions.advantage)
        totals = torch.zeros(len(names), dtype=torch.float64, device=self.device)
        for epoch in range(config.epochs):
            shuffled = torch.from_numpy(np.resize(rng.permutation(len(decisions)), steps * size)).to(self.device)
            for step in range(steps):
                index = shuffled[step * size : (step + 1) * size]
                totals += self.share * self._step(decisions.take(index), f"epoch {epoch + 1}, step {step + 1}")
        self._check_weights()
        return sums | dict(zip(names, totals.tolist(), strict=True))

    def _step(self, decisions: Decisions, where: str) -> Tensor:
        """One gradient step; (policy, value, entropy, kl, clipped, gradient norm, 1)."""
        config = self.config
        self.gradient.zero_()
        parts = [torch.zeros((), device=self.device)] * len(fields(Losses))
        if len(decisions):
            losses = ppo_losses(self.network, decisions, config.clip, self.precision)
            loss = losses.policy + config.value * losses.value - self.entropy_weight * losses.entropy
            loss.backward()
            parts = [getattr(losses, f.name).detach() for f in fields(Losses)]
        self.gradient *= self.share
        self.group.sum(self.gradient)
        norm = self.gradient.norm()
        if not torch.isfinite(norm):  # in all processes alike: they have the same sum
            raise TrainingError(f"{where} of the update: {self._what_is_not_finite(parts)}")
        self.gradient *= torch.clamp(config.max_gradient_norm / (norm + 1e-8), max=1.0)
        self.optimizer.step()
        return torch.stack([*(part.double() for part in (*parts, norm)), torch.ones_like(norm).double()])

    def _what_is_not_finite(self, parts: list[Tensor]) -> str:
        """The losses of any process, else the gradients of a layer."""
        bad = self.group.sum(torch.tensor([float(not torch.isfinite(part)) for part in parts]))
        names = [f"loss {f.name}" for f, count in zip(fields(Losses), bad.tolist(), strict=True) if count]
        if not names:
            names = [f"gradient of {n}" for n, p in self.parameters.items() if not torch.isfinite(p.grad).all()]  # pyright: ignore[reportArgumentType]
        return f"not finite (NaN or infinite): {', '.join(names)}"

    def _check_weights(self) -> None:
        bad = [name for name, p in self.parameters.items() if not torch.isfinite(p).all()]
        if bad:
            raise TrainingError(f"after the update: not finite (NaN or infinite): weights of {', '.join(bad)}")

    def _normalised(self, advantage: Tensor) -> Tensor:
        """Mean 0 and deviation 1 over the decisions of all processes."""
        x = advantage.double()
        n, total, squares = self.group.sum(torch.stack([x.new_tensor(len(x)), x.sum(), (x * x).sum()]))
        mean = total / n
        deviation = torch.sqrt(torch.clamp(squares / n - mean * mean, min=0))
        return ((x - mean) / (deviation + 1e-8)).float()

    def _variance_sums(self, decisions: Decisions) -> dict[str, float]:
        """What the share of the targets' variance that the values explain is computed from."""
        target, error = decisions.target.double(), (decisions.target - decisions.value).double()
        return {
            "decisions": float(len(decisions)),
            "target": float(target.sum()),
            "target_squares": float((target * target).sum()),
            "error": float(error.sum()),
            "error_squares": float((error * error).sum()),
        }

    # --- state, as named tensors

    def state(self) -> dict[str, Tensor]:
        """The optimizer's state."""
        return {
            f"{key}/{name}": value
            for name, p in self.parameters.items()
            for key, value in self.optimizer.state[p].items()
        }

    def load_state(self, tensors: dict[str, Tensor]) -> None:
        """Set the optimizer's state to what ``state`` returned: nothing before the first step."""
        for name, p in self.parameters.items():
            keys = [key for key in ("step", "exp_avg", "exp_avg_sq") if f"{key}/{name}" in tensors]
            self.optimizer.state[p] = {key: tensors[f"{key}/{name}"].to(self.device, copy=True) for key in keys}


def ppo_losses(network: PolicyValueNetwork, decisions: Decisions, clip: float, precision: Precision) -> Losses:
    """The losses on some decisions, whose advantages are used as they are."""
    with precision.autocast():
        logits, value = network.heads(decisions.columns.to(precision.type), decisions.hidden.to(precision.type))
    logits = masked(logits, decisions.mask)
    log_probabilities = torch.log_softmax(logits, 1)
    log_probability = log_probabilities.gather(1, decisions.action[:, None]).squeeze(1)
    log_ratio = log_probability - decisions.log_probability
    ratio = log_ratio.exp()
    gain = torch.minimum(ratio * decisions.advantage, ratio.clamp(1 - clip, 1 + clip) * decisions.advantage)
    return Losses(
        policy=-gain.mean(),
        value=0.5 * (value - decisions.target).square().mean(),
        entropy=entropy(logits).mean(),
        kl=(ratio - 1 - log_ratio).detach().mean(),
        clipped=((ratio - 1).abs() > clip).double().mean(),
    )


def entropy(logits: Tensor) -> Tensor:
    """``(k,)`` nats from ``(k, actions)`` masked logits; an illegal action adds exactly 0."""
    return -(torch.softmax(logits, 1) * torch.log_softmax(logits, 1)).sum(1)


def _between(first: float, last: float, progress: float) -> float:
    return first + (last - first) * min(1.0, progress)


def explained_variance(sums: dict[str, float]) -> float:
    """The share of the targets' variance that the values explain, from sums over all processes; else NaN."""
    n = sums["decisions"]
    if not n:
        return math.nan
    target = sums["target_squares"] / n - (sums["target"] / n) ** 2
    error = sums["error_squares"] / n - (sums["error"] / n) ** 2
    return 1 - error / target if target > 0 else math.nan
