"""Proximal policy optimisation of one network on masked decisions (Schulman et al. 2017)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import fields

import numpy as np
import torch
from torch import Tensor, nn

from agents.config import PPO
from agents.errors import TrainingError
from agents.losses import Losses, ppo_losses
from agents.network import PolicyValueNetwork
from agents.parallel import Group
from agents.precision import Precision
from agents.rollout import Decisions

ADAM_EPSILON = 1e-5
MOMENTS = ("exp_avg", "exp_avg_sq")
"""What Adam keeps of every weight, by PyTorch's names."""


class Learner:
    """Network and optimizer of one process; at every step gradients are averaged over the group's processes.

    The average is weighted by the number of decisions, as processes may have played different numbers of deals.
    """

    def __init__(self, network: PolicyValueNetwork, config: PPO, precision: Precision, group: Group) -> None:
        self.network = network
        self.config = config
        self.group = group
        self.weights = in_one_piece(network)
        """``(weights,)`` float32. Adam sees one tensor, and so do the sums over processes and the gradient's norm."""
        self.gradient = torch.zeros_like(self.weights)
        self.weights.grad = self.gradient
        self.gradient_sums = group.sums_of(self.gradient)
        self.device = self.weights.device
        self.optimizer = torch.optim.Adam([self.weights], lr=config.learning_rate, eps=ADAM_EPSILON, fused=True)
        self._computing = precision.copy(network)
        self._computing_weights = in_one_piece(self._computing)

    def current(self) -> PolicyValueNetwork:
        """The network as it is now, in the precision of matrix products, until the next update."""
        self._computing_weights.copy_(self.weights)
        return self._computing

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
        parts = [torch.zeros((), device=self.device)] * len(fields(Losses))
        if len(decisions):
            logits, value = self.current().heads(decisions.columns, decisions.hidden)
            losses, by_logits, by_value = ppo_losses(logits, value, decisions, config, self.entropy_weight)
            self._go_back((logits, value), (self.share * by_logits, self.share * by_value))
            parts = [getattr(losses, f.name) for f in fields(Losses)]
        else:
            self.gradient_sums.mine.zero_()
        self.group.add_up(self.gradient_sums)
        norm = self.gradient.norm()
        if not torch.isfinite(norm):  # in all processes alike: they have the same sum
            raise TrainingError(f"{where} of the update: {self._what_is_not_finite(parts)}")
        if norm > config.max_gradient_norm:
            self.gradient *= config.max_gradient_norm / norm
        self.optimizer.step()
        return torch.stack([*(part.double() for part in (*parts, norm)), torch.ones_like(norm).double()])

    def _go_back(self, answers: Sequence[Tensor], gradients: Sequence[Tensor]) -> None:
        """From the gradients at the network's answers to that of the weights, in what is to be added up."""
        weights = list(self._computing.parameters())
        parts = torch.autograd.grad(answers, weights, gradients, materialize_grads=True)
        for own, part in zip(views(self.gradient_sums.mine, self.network), parts, strict=True):
            own.copy_(part)

    def _what_is_not_finite(self, parts: list[Tensor]) -> str:
        """The losses of any process, else the gradients of a layer."""
        bad = self.group.sum(torch.tensor([float(not torch.isfinite(part)) for part in parts]))
        names = [f"loss {f.name}" for f, count in zip(fields(Losses), bad.tolist(), strict=True) if count]
        if not names:
            names = [f"gradient of {n}" for n, g in self._by_name(self.gradient) if not torch.isfinite(g).all()]
        return f"not finite (NaN or infinite): {', '.join(names)}"

    def _check_weights(self) -> None:
        if not torch.isfinite(self.weights).all():
            bad = [name for name, part in self._by_name(self.weights) if not torch.isfinite(part).all()]
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
        """The optimizer's state, weight by weight (``exp_avg/policy.bias``); empty before the first step."""
        state = self.optimizer.state[self.weights]
        if not state:
            return {}
        moments = {f"{key}/{name}": part for key in MOMENTS for name, part in self._by_name(state[key])}
        return moments | {f"step/{name}": state["step"].clone() for name, _ in self._by_name(self.weights)}

    def load_state(self, tensors: dict[str, Tensor]) -> None:
        """Set the optimizer's state to what ``state`` returned: nothing before the first step."""
        names = [name for name, _ in self._by_name(self.weights)]
        if f"step/{names[0]}" not in tensors:
            self.optimizer.state.clear()
            return
        moments = {key: torch.cat([tensors[f"{key}/{name}"].flatten() for name in names]) for key in MOMENTS}
        state = moments | {"step": tensors[f"step/{names[0]}"].clone()}
        self.optimizer.state[self.weights] = {key: value.to(self.device) for key, value in state.items()}

    def _by_name(self, values: Tensor) -> Iterator[tuple[str, Tensor]]:
        """The weights' parts of a tensor that has a number for each of all weights."""
        names = (name for name, _ in self.network.named_parameters())
        return zip(names, views(values, self.network), strict=True)


def in_one_piece(network: nn.Module) -> Tensor:
    """Put all weights of a network into one piece of memory, of which its weights are now views; that piece."""
    weights = torch.cat([p.detach().flatten() for p in network.parameters()])
    for p, part in zip(network.parameters(), views(weights, network), strict=True):
        p.data = part
    return weights


def views(values: Tensor, network: nn.Module) -> Iterator[Tensor]:
    """The parts of a tensor ``(weights,)`` in the shapes of a network's weights."""
    shapes = [p.shape for p in network.parameters()]
    parts = values.split([shape.numel() for shape in shapes])
    return (part.view(shape) for part, shape in zip(parts, shapes, strict=True))


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
