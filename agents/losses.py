"""The losses of proximal policy optimisation (Schulman et al. 2017), and their gradient at the network's answers.

The policy's distribution is computed from logits in which illegal actions have a large negative *finite* value, so that
probabilities, logarithms, entropy and all gradients are finite (PyTorch's ``Categorical`` checks a simplex that float32
with masks does not always keep).

The gradient is written out instead of left to autograd, which is slower at it.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from agents.config import PPO
from agents.network import distribution
from agents.rollout import Decisions


@dataclass
class Losses:
    """What one batch of decisions says; tensors of no dimension, means over the decisions."""

    policy: Tensor
    value: Tensor
    entropy: Tensor
    """Nats."""
    kl: Tensor
    """From the policy that chose to the one that is: mean of ratio − 1 − log ratio."""
    clipped: Tensor
    """Share of decisions whose ratio is clipped."""


@torch.no_grad()
def ppo_losses(
    logits: Tensor, value: Tensor, decisions: Decisions, config: PPO, entropy_weight: float
) -> tuple[Losses, Tensor, Tensor]:
    """The losses, and the gradient of what is minimised by the logits ``(k, actions)`` and by the values ``(k,)``.

    Minimised is policy + ``config.value`` · value − ``entropy_weight`` · entropy. Advantages are used as they are.
    """
    probabilities, log_probabilities, entropy = distribution(logits, decisions.mask)
    action = decisions.action[:, None]
    log_ratio = log_probabilities.gather(1, action).squeeze(1) - decisions.log_probability
    ratio = log_ratio.exp()
    gain = ratio * decisions.advantage
    limited = ratio.clamp(1 - config.clip, 1 + config.clip) * decisions.advantage
    error = value - decisions.target
    losses = Losses(
        policy=-torch.minimum(gain, limited).mean(),
        value=0.5 * error.square().mean(),
        entropy=entropy.mean(),
        kl=(ratio - 1 - log_ratio).mean(),
        clipped=((ratio - 1).abs() > config.clip).double().mean(),
    )
    # With p the probabilities, a the action and H the entropy, by the logit of action j:
    #     d log p(a) = [j = a] − p(j)        dH = −p(j) (log p(j) + H)
    # and the gain's derivative by log p(a) is the gain itself, or 0 where the clipped one counts.
    pull = torch.where(gain > limited, 0, gain)[:, None]  # where it is no number, that must be seen
    by_logits = probabilities * (pull + entropy_weight * (log_probabilities + entropy[:, None]))
    by_logits.scatter_add_(1, action, -pull)
    return losses, by_logits / len(gain), config.value * error / len(gain)
