"""The value of a deal for a critic that sees all hands: for training alone; the policy never does.

A policy's gradient stays unbiased when the value that it is compared with knows more than the policy (as in PerfectDou
and in asymmetric actor-critic methods); what it may gain is less noise.
"""

from __future__ import annotations

import itertools

import numpy as np
import torch
from torch import Tensor, nn

from pedro_env.cards import N_CARDS
from pedro_env.cardset import to_bits
from pedro_env.engine import Batch
from pedro_env.typing import IntArray, UInt8Array


def hidden_cards(batch: Batch, rows: IntArray) -> UInt8Array:
    """``(k, seats, 54)`` uint8: the hands of the seats after the one to act, in their order, and the stock."""
    seats, state = batch.rules.seats, batch.state
    others = (state.to_act[rows][:, None] + np.arange(1, seats)) % seats
    sets = np.concatenate([state.hand[rows[:, None], others], state.stock[rows][:, None]], axis=1)
    return to_bits(sets[:, :, None], N_CARDS)


class PerfectCritic(nn.Module):
    """A perceptron from the renamed used columns and the renamed hidden cards to the value."""

    def __init__(self, used: int, seats: int, width: int, layers: int) -> None:
        super().__init__()
        self.size = seats * N_CARDS
        widths = [used + self.size] + [width] * layers
        self.hidden = nn.ModuleList([nn.Linear(a, b) for a, b in itertools.pairwise(widths)])
        self.value = nn.Linear(widths[-1], 1)

    def forward(self, columns: Tensor, hidden: Tensor) -> Tensor:
        """``(k, used)`` and ``(k, seats * 54)`` of one type to ``(k, 1)``."""
        x = torch.cat([columns, hidden], 1)
        for layer in self.hidden:
            x = torch.relu(layer(x))
        return self.value(x)
