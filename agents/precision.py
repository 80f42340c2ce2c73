"""The type of the numbers in matrix products: bfloat16 where the machine multiplies it itself, else float32."""

from __future__ import annotations

import copy
from dataclasses import dataclass

import torch

from agents.network import PolicyValueNetwork


@dataclass(frozen=True)
class Precision:
    """``name`` is ``bfloat16`` or ``float32``. What is learnt, losses and the optimizer are float32 in both."""

    name: str = "float32"

    @property
    def type(self) -> torch.dtype:
        """The type of what goes into matrix products."""
        return torch.bfloat16 if self.name == "bfloat16" else torch.float32

    def copy(self, network: PolicyValueNetwork) -> PolicyValueNetwork:
        """A copy of the network, to compute with: its weights are of this type."""
        computing = copy.deepcopy(network)
        for name, part in computing.named_children():
            if name != "order":  # its sums are exact in float32
                part.to(self.type)
        return computing
