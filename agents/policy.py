"""A trained policy as an agent: batched, masked; the most probable action, or one drawn from the policy."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch

from agents.checkpoint import load_policy
from agents.choice import decide, sample, softmax
from agents.deal_sets import tuned_on
from agents.network import PolicyValueNetwork
from agents.parts import WithRest, rest_of
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


class PolicyAgent(WithRest):
    """A run's last checkpoint, a checkpoint, or its file of weights, as an agent.

    ``rest`` is the agent that takes the decisions that the policy has not learnt (``parts.py``), where it shall not be
    the one that took them in training. Raises ``CheckpointError`` where the policy is missing, damaged or made for
    another game, ``AgentError`` where the rest cannot be made.
    """

    def __init__(self, path: Path, rules: Rules, greedy: bool = True, rest: str | None = None) -> None:
        policy = load_policy(path, rules)
        part = policy.identity.part
        super().__init__(part, rest_of(path, rules, part, policy.identity.rest, rest), tuned_on(policy.info))
        self.name = str(path)
        self._own = NetworkAgent(policy.network, greedy)

    def own_act(self, views: Views) -> IntArray:
        """``(k,)`` a legal action for each decision, of those it has learnt."""
        return self._own.act(views)

    def own_probabilities(self, views: Views) -> FloatArray:
        """``(k, actions)`` the policy, whether or not the agent is greedy."""
        return self._own.probabilities(views)
