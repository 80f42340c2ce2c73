"""Deals played by the policy against itself and its past selves, as decisions to learn from.

A trajectory is one seat's own decisions in one deal; its reward comes at the end of the deal. Decisions with one legal
action are not decisions: they are neither shown to the network nor stored. What is stored is renamed (see
``network.SuitOrder``), so that the update need not find the order of the suits again.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from agents.choice import count_legal, nth_legal, sample
from agents.critic import hidden_cards
from agents.network import PLACES, PolicyValueNetwork, masked
from pedro_env.actions import FIRST_BID, PASS, Phase
from pedro_env.engine import Batch
from pedro_env.typing import BoolArray, Int64Array, IntArray

ROW_STEP = 128
"""Networks are asked about a multiple of so many rows: matrix products of a new shape are slow the first time."""


@dataclass
class Decisions:
    """k decisions of the learning policy. Suits are renamed in observations, masks and actions."""

    columns: Tensor  # (k, used) uint8 used columns of the observation
    hidden: Tensor  # (k, hidden_width) uint8 hidden cards, for a critic that sees them
    mask: Tensor  # (k, actions) bool
    action: Tensor  # (k,) int64
    log_probability: Tensor  # (k,) float32 of the action, when it was chosen
    value: Tensor  # (k,) float32 as the network estimated it then
    advantage: Tensor  # (k,) float32
    target: Tensor  # (k,) float32 what the value should have been

    def __len__(self) -> int:
        return len(self.action)

    def take(self, index: Tensor) -> Decisions:
        """Some of the decisions."""
        return Decisions(*(getattr(self, f.name).index_select(0, index) for f in fields(self)))


@dataclass
class _Moment:
    """The learning policy's decisions of one step of the tables."""

    table: Int64Array
    seat: IntArray
    columns: Tensor
    hidden: Tensor
    mask: Tensor
    action: Tensor
    log_probability: Tensor
    value: Tensor


def collect(
    network: PolicyValueNetwork,
    past: PolicyValueNetwork | None,
    batch: Batch,
    past_tables: int,
    gae_lambda: float,
    rng: np.random.Generator,
) -> tuple[Decisions, dict[str, float]]:
    """Play a batch's deals to their end; the decisions, and sums for the statistics (``DealSums``).

    At the first ``past_tables`` tables ``past`` has the seats of one side (half of the seats where each plays for
    itself), alternately the even and the odd ones.
    """
    past_seat = np.zeros((batch.n, batch.rules.seats), np.bool_)
    if past is not None:
        tables, seats = np.arange(past_tables)[:, None], np.arange(batch.rules.seats)
        past_seat[:past_tables] = (tables + seats) % 2 == 0
    moments: list[_Moment] = []
    sums = {"decisions_all": 0.0, "bids_asked": 0.0, "bids_made": 0.0}
    with torch.no_grad():
        while not batch.over.all():
            legal = batch.legal()
            counts = count_legal(legal)
            action = nth_legal(legal, np.zeros(len(legal), np.int64))
            choosing = np.flatnonzero(counts > 1)
            is_past = past_seat[choosing, batch.to_act[choosing]]
            for player, rows in ((network, choosing[~is_past]), (past, choosing[is_past])):
                if not len(rows) or player is None:
                    continue
                moment = _decide(player, batch, rows, rng)
                action[rows] = moment[1]
                if player is network:
                    moments.append(moment[0])
                    _count_bids(sums, batch, rows, moment[1])
            sums["decisions_all"] += int((counts > 0).sum())
            batch.step(action)
        sums |= deal_sums(batch, past_seat)
        return _with_advantages(moments, rewards(batch), gae_lambda), sums


def pad(rows: Tensor) -> Tensor:
    """``(k, …)`` with rows of zeros added up to a multiple of ``ROW_STEP``."""
    return torch.nn.functional.pad(rows, (0, 0, 0, -len(rows) % ROW_STEP))


def rewards(batch: Batch) -> NDArray[np.float64]:
    """``(n, seats)``: own side's score change less the mean of the others', in units of the variant's total points."""
    rules = batch.rules
    change = batch.state.score_change.astype(np.float64)
    others = (change.sum(axis=1, keepdims=True) - change) / (rules.sides - 1)
    return ((change - others) / rules.total_points)[:, np.arange(rules.seats) % rules.sides]


def _decide(
    player: PolicyValueNetwork, batch: Batch, rows: Int64Array, rng: np.random.Generator
) -> tuple[_Moment, Int64Array]:
    order = player.order
    uniform = rng.random(len(rows))
    observation = torch.from_numpy(batch.observe(rows))
    if order.canonical:
        choice = order.choose(observation)
    else:
        choice = torch.from_numpy(rng.integers(len(PLACES), size=len(rows)))
    columns = order.rename(observation, choice)
    hidden = columns[:, :0]
    if player.critic is not None:
        hidden = order.rename_cards(hidden_cards(batch, rows), choice).flatten(1)
    mask = order.rename_mask(torch.from_numpy(batch.mask(rows)), choice)
    kind = player.policy.weight.dtype
    logits, value = player.heads(pad(columns).to(kind), pad(hidden).to(kind))
    log_probabilities = torch.log_softmax(masked(logits[: len(rows)], mask), 1)
    action = torch.from_numpy(sample(log_probabilities.numpy(), uniform))
    log_probability = log_probabilities.gather(1, action[:, None]).squeeze(1)
    seat = batch.to_act[rows].astype(np.int64)
    moment = _Moment(rows, seat, columns, hidden, mask, action, log_probability, value[: len(rows)])
    return moment, order.restore_actions(action, choice).numpy()


def _with_advantages(moments: list[_Moment], reward: NDArray[np.float64], gae_lambda: float) -> Decisions:
    """Generalised advantage estimates over each seat's own decisions, undiscounted."""
    next_value = torch.from_numpy(reward).float()  # (n, seats); after the last decision: the reward itself
    advantage_then = torch.zeros_like(next_value)
    advantages: list[Tensor] = []
    for moment in reversed(moments):
        place = torch.from_numpy(moment.table), torch.from_numpy(moment.seat)
        surprise = next_value[place] - moment.value
        advantage = surprise + gae_lambda * advantage_then[place]
        next_value[place] = moment.value
        advantage_then[place] = advantage
        advantages.append(advantage)
    advantage = torch.cat(advantages[::-1])
    value = torch.cat([moment.value for moment in moments])
    return Decisions(
        columns=torch.cat([moment.columns for moment in moments]),
        hidden=torch.cat([moment.hidden for moment in moments]),
        mask=torch.cat([moment.mask for moment in moments]),
        action=torch.cat([moment.action for moment in moments]),
        log_probability=torch.cat([moment.log_probability for moment in moments]),
        value=value,
        advantage=advantage,
        target=advantage + value,
    )


def _count_bids(sums: dict[str, float], batch: Batch, rows: Int64Array, action: Int64Array) -> None:
    phase = batch.phase[rows]
    may_pass = (phase == Phase.BID) & batch.mask(rows)[:, PASS]
    bid = (action >= FIRST_BID) & (action < FIRST_BID + len(batch.actions.bids))
    sums["bids_asked"] += int(may_pass.sum())
    sums["bids_made"] += int((may_pass & bid).sum())


def deal_sums(batch: Batch, past_seat: BoolArray) -> dict[str, float]:
    """Sums over finished deals in which the learning policy alone played."""
    state, rules = batch.state, batch.rules
    own = ~past_seat.any(axis=1) & ~state.redeal & (state.contract >= 0)
    rows = np.flatnonzero(own)
    numbers = np.array([bid.number for bid in batch.actions.bids])
    number = numbers[state.contract[rows]]
    side = state.declarer[rows].astype(np.int64) % rules.sides
    change = state.score_change[rows]
    sums = {
        "deals": float(batch.n),
        "contracts": float(len(rows)),
        "bid_total": float(number.sum()),
        "contracts_made": float((change[np.arange(len(rows)), side] > 0).sum()),
        "declarer_change": float(change[np.arange(len(rows)), side].sum()),
        "score_total": float(change.sum()),
    }
    named = np.bincount(state.trump[rows].astype(np.int64), minlength=4)
    return sums | {f"named_{suit}": float(named[suit]) for suit in range(4)}
