"""The type of the numbers in matrix products: bfloat16 where the machine multiplies it itself, else float32."""

from __future__ import annotations

import copy
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass

import torch

from agents.network import PolicyValueNetwork


@dataclass(frozen=True)
class Precision:
    """``name`` is ``bfloat16`` or ``float32``. Weights, losses and the optimizer are float32 in both."""

    name: str = "float32"
    device: str = "cpu"
    """``cpu`` or ``cuda``."""

    def autocast(self) -> AbstractContextManager[object]:
        """A context in which matrix products are of this type."""
        if self.name == "float32":
            return nullcontext()
        return torch.autocast(self.device, torch.bfloat16)

    @property
    def type(self) -> torch.dtype:
        """The type of what goes into matrix products."""
        return torch.bfloat16 if self.name == "bfloat16" else torch.float32

    def player(self, network: PolicyValueNetwork) -> PolicyValueNetwork:
        """A copy of the network as it is, to play with: its weights are of this type already."""
        player = copy.deepcopy(network).requires_grad_(False)
        for name, part in player.named_children():
            if name != "order":  # its sums are exact in float32
                part.to(self.type)
        return player
