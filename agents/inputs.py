"""What a network's first layer is given: the columns of an observation, less of them, or its cards one by one.

``used_columns`` says which columns of an observation a network is told of at all. The first layers take these, renamed
(``network.SuitOrder``), ``(k, used)``, and give ``(k, size)`` of the same type; ``origin`` ``(size,)`` says which used
column each is, -1 where it is made of several. Which is best is measured in ``docs/training.md``.
"""

from __future__ import annotations

import re

import numpy as np
import torch
from torch import Tensor, nn

from pedro_env.cards import N_RANKS, N_SUITS, NONE
from pedro_env.layout import Field, Layout
from pedro_env.typing import Int64Array

EMBEDDING = 32
"""Numbers that stand for a card, one set for the sums over cards and one for the choice among them."""

_TIMES = re.compile(r"trick_bit_\d+")
"""Fields that tell in which trick a card was played."""
_HISTORY = re.compile(rf"{_TIMES.pattern}|(shown|void|passed|bid|declined)_\d+")
"""Fields that tell how the game got where it is: who played what when, who bid and who passed, who showed a void."""
_SHOWN = re.compile(r"shown_\d+")


def used_columns(layout: Layout, inputs: str) -> Int64Array:
    """``(used,)`` columns of an observation, ascending: all that say something; ``untimed``, but for ``_TIMES``."""
    if inputs != "untimed":
        return layout.columns
    times = [np.arange(f.start, f.start + f.width) for f in layout.fields if _TIMES.fullmatch(f.name)]
    return np.setdiff1d(layout.columns, np.concatenate(times))


class Columns(nn.Module):
    """All used columns as they are."""

    def __init__(self, used: Int64Array) -> None:
        super().__init__()
        self.origin = np.arange(len(used))
        self.size = len(used)

    def forward(self, columns: Tensor) -> Tensor:
        """``(k, used)``."""
        return columns


class Present(nn.Module):
    """The table as a newcomer would find it: no history, but the set of cards that have been played or laid open."""

    kept: Tensor
    shown: Tensor  # (seats, cards)

    def __init__(self, layout: Layout, used: Int64Array) -> None:
        super().__init__()
        dropped = np.concatenate([places(used, f) for f in layout.fields if _HISTORY.fullmatch(f.name)])
        kept = np.setdiff1d(np.arange(len(used)), dropped)
        shown = np.stack([places(used, f) for f in layout.fields if _SHOWN.fullmatch(f.name)])
        self.register_buffer("kept", torch.from_numpy(kept), persistent=False)
        self.register_buffer("shown", torch.from_numpy(shown), persistent=False)
        self.origin = np.append(kept, np.full(shown.shape[1], NONE))
        self.size = len(self.origin)

    def forward(self, columns: Tensor) -> Tensor:
        """``(k, kept + cards)``."""
        gone = columns[:, self.shown].amax(1)
        return torch.cat([columns[:, self.kept], gone], 1)


class Cards(nn.Module):
    """Cards as things with properties (in which hand, trick, pile): one embedding for all, summed suit by suit.

    ``forward`` gives what is not of cards and the sums; ``choices`` scores each card by what it is, as the perceptron's
    last layer asks for it, and is added to the policy's logits of the cards.
    """

    planes: Tensor  # (cards, planes) places of what is said of each card
    rest: Tensor
    by_suit: Tensor  # (suits + 1, cards) 1 where a card is of a suit; the last one: of none

    def __init__(self, layout: Layout, used: Int64Array, width: int) -> None:
        super().__init__()
        planes = np.stack([places(used, f) for f in layout.fields if f.kind == "cards"], axis=1)
        cards = len(planes)
        suit = np.minimum(np.arange(cards) // N_RANKS, N_SUITS)
        rest = np.setdiff1d(np.arange(len(used)), planes)
        self.register_buffer("planes", torch.from_numpy(planes), persistent=False)
        self.register_buffer("rest", torch.from_numpy(rest), persistent=False)
        by_suit = torch.nn.functional.one_hot(torch.from_numpy(suit), N_SUITS + 1).T.float()
        self.register_buffer("by_suit", by_suit.contiguous(), persistent=False)
        self.said = nn.Linear(planes.shape[1], EMBEDDING, bias=False)
        self.card = nn.Parameter(torch.zeros(cards, EMBEDDING))
        self.mixed = nn.Linear(EMBEDDING, EMBEDDING)
        self.wanted = nn.Linear(width, EMBEDDING)
        self.origin = np.append(rest, np.full((N_SUITS + 1) * EMBEDDING, NONE))
        self.size = len(self.origin)

    def forward(self, columns: Tensor) -> Tensor:
        """``(k, rest + sums)``."""
        return self.look(columns)[0]

    def look(self, columns: Tensor) -> tuple[Tensor, Tensor]:
        """``(k, rest + sums)`` and the cards' embeddings ``(k, cards, EMBEDDING)``."""
        cards = torch.relu(self.said(columns[:, self.planes]) + self.card)
        cards = torch.relu(self.mixed(cards))
        sums = torch.matmul(self.by_suit.to(cards.dtype), cards).flatten(1)
        return torch.cat([columns[:, self.rest].to(sums.dtype), sums], 1), cards

    def choices(self, cards: Tensor, last: Tensor) -> Tensor:
        """``(k, cards)`` logits of the cards, from their embeddings and the last hidden layer ``(k, width)``."""
        return torch.matmul(cards, self.wanted(last)[:, :, None]).squeeze(2) * EMBEDDING**-0.5


def places(used: Int64Array, field: Field) -> Int64Array:
    """Places of a field's columns among the used ones."""
    return np.flatnonzero((used >= field.start) & (used < field.start + field.width))
