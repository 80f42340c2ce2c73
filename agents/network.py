"""The network: suits renamed into a fixed order, a multi-layer perceptron, one logit an action and a value.

    observation (k, width) uint8, action mask (k, actions)
      -> which of eight renamings of the suits puts the trump suit (or the best suit) first
      -> those of the observation's columns that are used, in the renamed order
      -> perceptron
      -> logits, gathered back to the suits as they are, and the mask

All of it is made of tensor operations inside the module, so an exported graph takes raw observations.

**The order of the suits.** A renaming keeps sister suits (of one colour) together, because of off-fives and off-jacks.
Place 0 is the trump suit, before trumps are named the best suit; place 3 is its sister suit; places 1 and 2 are the
two others, the better one first. The better of two suits is

1. the one of which the seat holds more cards, of equally many the one with the higher cards;
2. if that is equal, the one whose sister suit is better in the same sense;
3. if that is equal too, the one with the greater fixed weighted sum over all else that the observation says of the two
   (cards played, voids, …);
4. only then, when the observation does not tell the two suits apart, the first in the order S H D C.

The network's answers to a game and to the same game with the suits renamed are therefore the same but for the names.

Everything else about the network is a choice (``NetworkShape``), so that it can be measured: what the first layer is
given (``inputs``), whether suits are renamed by their order or at random while learning, and what the value knows.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
import torch
from torch import Tensor, nn

from agents.critic import PerfectCritic
from agents.inputs import Cards, Columns, Present, places, used_columns
from pedro_env.actions import actions_of
from pedro_env.cards import N_RANKS, N_SUITS, sister_suit
from pedro_env.layout import Field, Layout
from pedro_env.typing import Int64Array

ILLEGAL = -1e9
"""The logit of an illegal action: finite, and its probability is exactly 0 in float32."""

Suits: TypeAlias = tuple[int, int, int, int]

PLACES: tuple[Suits, ...] = tuple(
    (best, first, sister_suit(first), sister_suit(best))
    for best in range(N_SUITS)
    for first in range(N_SUITS)
    if first not in (best, sister_suit(best))
)
"""The eight orders of the suits: which suit stands in places 0 … 3. Two for each suit in place 0."""

_OTHERS = tuple((PLACES[2 * best][1], PLACES[2 * best][2]) for best in range(N_SUITS))
"""For each suit in place 0, the two suits for places 1 and 2, in the order S H D C."""

_LENGTH_UNIT = 1 << N_RANKS
_OWN_UNIT = 1 << 18
"""More than any value of a suit's own cards."""
_REST_UNIT = 1 << 24
"""Sums of whole numbers below this are exact in float32, in whatever order they are added."""
_TRUMP = 1 << 61


class SuitOrder(nn.Module):
    """Finds the order of the suits (see the module's text) and renames observations, masks and logits.

    ``choice`` is an index into ``PLACES``. "Renamed" below means: suits are called by their places. Where the order is
    not ``canonical`` suits keep their names, choice 0.
    """

    keys: Tensor  # (width, 2 * suits) float32: own cards, weighted sum of the rest
    trump: Tensor  # (suits,) columns that tell the trump suit
    others: Tensor  # (suits, 2)
    sisters: Tensor  # (suits,)
    columns: Tensor  # (8, used) column of the observation that each renamed used column is read from
    from_renamed: Tensor  # (8, actions) action y such that logits[:, a] = renamed logits[:, y]
    to_renamed: Tensor  # (8, actions) action a such that renamed mask[:, y] = mask[:, a]

    def __init__(self, layout: Layout, used: Int64Array, canonical: bool = True) -> None:
        super().__init__()
        self.canonical = canonical
        new_suits: list[Suits] = [tuple(np.argsort(places).tolist()) for places in PLACES]
        columns = np.stack([layout.relabelled_columns(new_suit)[used] for new_suit in new_suits])
        actions = np.stack([layout.relabelled_actions(new_suit) for new_suit in new_suits])
        trump = layout.slices["trump"]
        self._constant("keys", torch.from_numpy(_key_weights(layout)))
        self._constant("trump", torch.arange(trump.start, trump.stop))
        self._constant("others", torch.tensor(_OTHERS))
        self._constant("sisters", torch.tensor([sister_suit(suit) for suit in range(N_SUITS)]))
        self._constant("columns", torch.from_numpy(columns))
        self._constant("to_renamed", torch.from_numpy(actions))
        self._constant("from_renamed", torch.from_numpy(np.argsort(actions, axis=1)))

    def _constant(self, name: str, value: Tensor) -> None:
        self.register_buffer(name, value, persistent=False)  # follows from the layout: not a weight

    def forward(self, observation: Tensor) -> tuple[Tensor, Tensor]:
        """``(k, width)`` uint8 to the choice ``(k,)`` int64 and the renamed used columns ``(k, used)`` uint8."""
        choice = self.choose(observation)
        return choice, self.rename(observation, choice)

    def choose(self, observation: Tensor) -> Tensor:
        """``(k, width)`` uint8 to the choice ``(k,)`` int64."""
        if not self.canonical:
            return torch.zeros_like(observation[:, 0], dtype=torch.int64)
        values = torch.matmul(observation.float(), self.keys).long()
        own, rest = values[:, :N_SUITS], values[:, N_SUITS:]
        trump = observation[:, self.trump].long()
        key = (own * _OWN_UNIT + own[:, self.sisters]) * _REST_UNIT + rest + trump * _TRUMP
        best = key.argmax(1)
        first = key.gather(1, self.others[best]).argmax(1)
        return 2 * best + first

    def rename(self, observation: Tensor, choice: Tensor) -> Tensor:
        """``(k, width)`` observations to their renamed used columns ``(k, used)``."""
        return observation.gather(1, self.columns[choice])

    def rename_mask(self, mask: Tensor, choice: Tensor) -> Tensor:
        """``(k, actions)`` mask to that of the renamed actions."""
        return mask.gather(1, self.to_renamed[choice])

    def rename_cards(self, cards: Tensor, choice: Tensor) -> Tensor:
        """``(k, planes, 54)`` sets of cards to those of the renamed cards."""
        return cards.gather(2, self.to_renamed[choice, None, : cards.shape[2]].expand_as(cards))

    def restore_logits(self, logits: Tensor, choice: Tensor) -> Tensor:
        """``(k, actions)`` logits of the renamed actions to those of the actions as they are."""
        return logits.gather(1, self.from_renamed[choice])

    def restore_actions(self, actions: Tensor, choice: Tensor) -> Tensor:
        """``(k,)`` renamed actions to the actions as they are."""
        return self.to_renamed[choice, actions]


def _key_weights(layout: Layout) -> np.ndarray:
    """``(width, 2 * suits)`` float32 whole numbers: what a column adds to each suit's own cards and to its rest."""
    own = np.zeros((layout.width, N_SUITS), np.float32)
    rest = np.zeros((layout.width, N_SUITS), np.float32)
    mixer = np.random.default_rng(20)  # fixed for ever: the weights are part of what a trained network means
    for field in layout.fields:
        by_suit = _columns_by_suit(layout, field)
        if field.name == "hand":
            ranks = _LENGTH_UNIT + (1 << np.arange(N_RANKS))
            for suit in range(N_SUITS):
                own[by_suit[suit], suit] = ranks
        elif by_suit.size and field.name != "trump":
            weights = mixer.integers(1, 1 << 13, (2, by_suit.shape[1]))
            for suit in range(N_SUITS):
                rest[by_suit[suit], suit] = weights[0]
                rest[by_suit[suit], sister_suit(suit)] = weights[1]
    assert rest.sum(axis=0).max() < _REST_UNIT
    assert own.sum(axis=0).max() < _OWN_UNIT
    return np.concatenate([own, rest], axis=1)


def _columns_by_suit(layout: Layout, field: Field) -> np.ndarray:
    """``(suits, each)`` columns of a field that belong to each suit, in the same order; ``(suits, 0)``: none do."""
    if field.kind == "cards":
        offsets = np.arange(N_SUITS * N_RANKS).reshape(N_SUITS, N_RANKS)
    elif field.kind == "suits":
        offsets = np.arange(N_SUITS)[:, None]
    elif field.kind == "bids" and layout.rules.bid_names_suit:
        bids = actions_of(layout.rules).bids
        offsets = np.array([[i for i, bid in enumerate(bids) if bid.suit == s] for s in range(N_SUITS)])
    else:
        offsets = np.zeros((N_SUITS, 0), np.int64)
    return field.start + offsets


@dataclass(frozen=True)
class NetworkShape:
    """What a network is like."""

    width: int = 384
    """Units a hidden layer."""
    layers: int = 2
    """Hidden layers."""
    inputs: Literal["untimed", "columns", "cards", "present"] = "untimed"
    """What the first layer is given: see ``agents.inputs``."""
    suits: Literal["canonical", "augmented"] = "canonical"
    """Renamed by their order; or as they are, and renamed at random while learning."""
    critic: Literal["own", "perfect"] = "own"
    """What the value sees: what the seat does; or all hands as well."""


class PolicyValueNetwork(nn.Module):
    """One policy for all phases of a variant, and the value of the deal for the seat to act.

    The value is in units of the variant's total points, and is not part of ``forward``: it is the trainer's.
    """

    def __init__(self, layout: Layout, shape: NetworkShape, seed: int = 0) -> None:
        super().__init__()
        self.layout = layout
        self.shape = shape
        self.used = used = used_columns(layout, shape.inputs)
        """Columns of an observation that it is told of."""
        self.order = SuitOrder(layout, used, shape.suits == "canonical")
        self.inputs = _inputs(layout, used, shape)
        widths = [self.inputs.size] + [shape.width] * shape.layers
        hidden = [nn.Linear(a, b) for a, b in itertools.pairwise(widths)]
        self.hidden = nn.ModuleList(hidden)
        self.policy = nn.Linear(widths[-1], actions_of(layout.rules).n)
        self.value = nn.Linear(widths[-1], 1)
        seats = layout.rules.seats
        self.critic = PerfectCritic(len(used), seats, shape.width, shape.layers) if shape.critic == "perfect" else None
        self._initialise(_match_columns(layout, used), torch.Generator().manual_seed(seed))

    def forward(self, observation: Tensor, mask: Tensor) -> Tensor:
        """Logits ``(k, actions)`` float32, ``ILLEGAL`` where the mask ``(k, actions)`` is 0; observation uint8."""
        choice, columns = self.order(observation)
        last, cards = self._last(columns.float())
        logits = self._with_cards(self.policy(last), cards, last)
        return masked(self.order.restore_logits(logits, choice), mask)

    def heads(self, columns: Tensor, hidden: Tensor) -> tuple[Tensor, Tensor]:
        """Renamed used columns ``(k, used)`` to renamed logits ``(k, actions)`` and values ``(k,)``, float32.

        ``hidden`` are the renamed hidden cards, ``(k, hidden_width)``. Both are made of the weights' type.
        """
        columns, hidden = columns.to(self.policy.weight.dtype), hidden.to(self.policy.weight.dtype)
        last, cards = self._last(columns)
        if self.critic is None:  # one product for both: the value's alone takes as long as the policy's
            weight = torch.cat([self.policy.weight, self.value.weight])
            bias = torch.cat([self.policy.bias, self.value.bias])
            both = nn.functional.linear(last, weight, bias).float()
            logits, value = both[:, :-1], both[:, -1]
        else:
            logits, value = self.policy(last).float(), self.critic(columns, hidden).float().squeeze(1)
        return self._with_cards(logits, cards, last), value

    @property
    def hidden_width(self) -> int:
        """How much of the hidden cards the value is told: nothing, where it sees what the seat does."""
        return 0 if self.critic is None else self.critic.size

    def _last(self, columns: Tensor) -> tuple[Tensor, Tensor | None]:
        """The last hidden layer, and the cards' embeddings where the inputs have them."""
        if isinstance(self.inputs, Cards):
            x, cards = self.inputs.look(columns)
        else:
            x, cards = self.inputs(columns), None
        for layer in self.hidden:
            x = torch.relu(layer(x))
        return x, cards

    def _with_cards(self, logits: Tensor, cards: Tensor | None, last: Tensor) -> Tensor:
        """Renamed logits with what the cards' embeddings add to them."""
        if cards is None or not isinstance(self.inputs, Cards):
            return logits
        of_cards = self.inputs.choices(cards, last).float()
        return logits + nn.functional.pad(of_cards, (0, logits.shape[1] - of_cards.shape[1]))

    @torch.no_grad()
    def _initialise(self, of_match: Int64Array, generator: torch.Generator) -> None:
        gains = {self.policy: 0.01, self.value: 1.0} | ({} if self.critic is None else {self.critic.value: 1.0})
        for layer in self.modules():
            if isinstance(layer, nn.Linear):
                nn.init.orthogonal_(layer.weight, gains.get(layer, 2**0.5), generator=generator)
                if layer.bias is not None:
                    layer.bias.zero_()
        if isinstance(self.inputs, Cards):
            nn.init.normal_(self.inputs.card, std=0.5, generator=generator)
            self.inputs.wanted.weight.mul_(0.01)
        # What a run never sees (scores other than 0–0) must not disturb what it learns: these columns start at
        # weight 0, and a column that is never 1 has no gradient.
        first: list[tuple[nn.Module, np.ndarray]] = [(self.hidden[0], np.isin(self.inputs.origin, of_match))]
        if self.critic is not None:
            first.append((self.critic.hidden[0], of_match))
        for layer, columns in first:
            assert isinstance(layer, nn.Linear)
            layer.weight[:, torch.from_numpy(columns)] = 0


def _inputs(layout: Layout, used: Int64Array, shape: NetworkShape) -> Columns | Present | Cards:
    if shape.inputs == "cards":
        return Cards(layout, used, shape.width)
    return Present(layout, used) if shape.inputs == "present" else Columns(used)


def _match_columns(layout: Layout, used: Int64Array) -> Int64Array:
    """Places, among the used columns, of those that tell of the match and not of the deal."""
    fields = [f for f in layout.fields if f.name.startswith("score_") or f.name in ("target", "bidder_out")]
    return np.concatenate([places(used, f) for f in fields])


def masked(logits: Tensor, mask: Tensor) -> Tensor:
    """Logits with those of illegal actions set to ``ILLEGAL``. Both ``(k, actions)``; every row needs a legal one."""
    return torch.where(mask != 0, logits, ILLEGAL)


def distribution(logits: Tensor, mask: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Probabilities and their logarithms, ``(k, actions)``, and entropies ``(k,)`` in nats, of the legal actions.

    All are finite; of an illegal action the probability is 0, and the logarithm a large negative number.
    """
    legal = masked(logits, mask)
    # Not exp of the logarithms, which takes many times as long where most actions are illegal.
    probabilities, log_probabilities = torch.softmax(legal, 1), torch.log_softmax(legal, 1)
    return probabilities, log_probabilities, -(probabilities * log_probabilities).sum(1)
