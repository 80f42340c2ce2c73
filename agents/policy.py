"""A trained policy as an agent: batched, masked; the most probable action, or one drawn from the policy."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch

from agents.checkpoint import load_policy
from agents.choice import decide, sample, softmax
from agents.composite import Composite
from agents.deal_sets import tuned_on
from agents.network import PolicyValueNetwork
from agents.parts import act_by_part, probabilities_by_part, rest_of
from pedro_env.rules import Rules
from pedro_env.typing import FloatArray, IntArray
from pedro_env.views import Views


class NetworkAgent:
    """A network in memory as an agent."""

    sees_everything = False

    def __init__(self, network: PolicyValueNetwork, greedy: bool = True, name: str = "policy") -> None:
        self.network = network
        self.greedy = greedy
        self.name = name

    def act(self, views: Views) -> IntArray:
        """``(k,)`` a legal action for each decision. The network is asked only where there is a choice."""
        return decide(views, self._choose)

    def probabilities(self, views: Views) -> FloatArray:
        """``(k, actions)`` the policy, whether or not the agent is greedy."""
        return softmax(self._logits(views))

    def _choose(self, views: Views) -> IntArray:
        logits = self._logits(views)
        return logits.argmax(axis=1) if self.greedy else sample(logits, views.uniform())

    @torch.inference_mode()
    def _logits(self, views: Views) -> np.ndarray:
        return self.network(torch.from_numpy(views.observation), torch.from_numpy(views.mask)).numpy()


class PolicyAgent(Composite, NetworkAgent):
    """A run's last checkpoint, a checkpoint, or its file of weights, as an agent.

    ``rest`` is the agent that takes the decisions that the policy has not learnt (``parts.py``), where it shall not be
    the one that took them in training. Raises ``CheckpointError`` where the policy is missing, damaged or made for
    another game, ``AgentError`` where the rest cannot be made.
    """

    def __init__(self, path: Path, rules: Rules, greedy: bool = True, rest: str | None = None) -> None:
        policy = load_policy(path, rules)
        super().__init__(policy.network, greedy, str(path))
        self._tuned_on = tuned_on(policy.info)
        self.part = policy.identity.part
        self.rest = rest_of(path, rules, self.part, policy.identity.rest, rest)
        self.inner = () if self.rest is None else (self.rest,)
        self.sees_everything = self.rest is not None and self.rest.sees_everything

    @property
    def tuned_on(self) -> tuple[str, ...]:
        """The sets of deals that it, or its rest, was tuned on."""
        return tuple(dict.fromkeys((*self._tuned_on, *super().tuned_on)))

    def act(self, views: Views) -> IntArray:
        """``(k,)`` a legal action for each decision."""
        if self.rest is None:
            return super().act(views)
        return act_by_part(views, self.part, super().act, self.rest)

    def probabilities(self, views: Views) -> FloatArray:
        """``(k, actions)`` the policy, whether or not the agent is greedy; its rest's where that decides."""
        return probabilities_by_part(views, self.part, super().probabilities, self.rest)
