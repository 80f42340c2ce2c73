"""Deals played by the policy against itself, its past selves and fixed agents, as decisions to learn from.

A trajectory is one seat's own decisions in one deal, or in one match; its reward comes at the end. Decisions with one
legal action are not decisions: they are neither shown to the network nor stored. What is stored is renamed (see
``network.SuitOrder``), so that the update need not find the order of the suits again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from agents.choice import count_legal, draw, nth_legal
from agents.critic import hidden_cards
from agents.devices import fetch, send
from agents.errors import TrainingError
from agents.network import PLACES, PolicyValueNetwork, distribution
from agents.rollout_sums import DealSums
from agents.setting import FIXED, LEARNER, PAST, Setting, act
from pedro_env.cards import NONE
from pedro_env.engine import Batch
from pedro_env.typing import Int64Array, IntArray

ROW_STEP = 64
"""Networks are asked about a multiple of so many rows: matrix products of a new shape are slow the first time."""


@dataclass
class Decisions:
    """k decisions of the learning policy, where the network is. Suits are renamed in columns, masks and actions."""

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
class Tables:
    """Tables that advance together.

    At the first ``past_tables`` of them one side's seats are a past self's, or a fixed agent's (``Setting.seating``).
    """

    batch: Batch
    past_tables: int
    rng: np.random.Generator
    setting: Setting = field(default_factory=Setting)


@dataclass
class _Moment:
    """The learning policy's decisions of one step of the tables; columns and mask are where the network is."""

    table: Int64Array
    seat: IntArray
    columns: Tensor
    hidden: Tensor
    mask: Tensor
    action: Tensor
    log_probability: Tensor
    value: Tensor
    entropy: Tensor


def collect(
    network: PolicyValueNetwork, past: PolicyValueNetwork | None, parts: Sequence[Tables], gae_lambda: float
) -> tuple[Decisions, dict[str, float]]:
    """Play all episodes to their end; the decisions, part by part, and sums for the statistics (``DealSums``).

    The parts take turns: while a GPU computes for one of them, the engine steps the next. What happens at a table does
    not depend on the other parts. Raises ``TrainingError`` where the network's answers are no numbers.
    """
    plays = [_Play(network, past, part) for part in parts]
    with torch.no_grad():
        for play in plays:
            play.ask()
        waiting = plays
        while waiting:
            for play in waiting:
                play.answer()
                play.ask()
            waiting = [play for play in waiting if not play.over]
        results = [play.decisions(gae_lambda) for play in plays]
    sums = [play.sums.total() for play in plays]
    return _joined(results), {name: sum(each[name] for each in sums) for name in sums[0]}


class _Play:
    """The episodes of one part: ``ask`` the networks, ``answer`` (wait for them, step the tables), until all is over.

    All tables play a deal, then those whose match goes on play the next one.
    """

    def __init__(self, network: PolicyValueNetwork, past: PolicyValueNetwork | None, part: Tables) -> None:
        self.network, self.past, self.setting = network, past, part.setting
        self.batch, self.rng = part.batch, part.rng
        others = part.past_tables if past is not None or self.setting.fixed else 0
        self.who = self.setting.seating(self.batch.n, self.batch.rules.seats, others)
        self.restored = network.order.to_renamed.cpu()
        self.moments: list[_Moment] = []
        self.sums = DealSums(self.batch, self.who, len(self.setting.fixed))
        self.rows = np.arange(self.batch.n)
        """Tables whose episode goes on."""
        self.over = False
        self.setting.tell_reset(self.rows)

    def ask(self) -> None:
        """Find the decisions of this step and give them to the networks; fixed and frozen agents answer at once."""
        batch, setting = self.batch, self.setting
        self.ended = batch.over | setting.waits_for_solver(batch)
        if self.ended.all():
            self._end_deals()
            if self.over:
                return
        legal = batch.legal()
        counts = count_legal(legal) * ~self.ended
        self.action = nth_legal(legal, np.zeros(len(legal), np.int64))
        choosing = np.flatnonzero(counts > 1)
        player = self.who[choosing, batch.to_act[choosing]]
        frozen = (player < FIXED) & setting.is_frozen(batch.phase[choosing])
        pairs = [
            (asked, choosing[(player == i) & ~frozen]) for i, asked in ((LEARNER, self.network), (PAST, self.past))
        ]
        self.questions = [
            _Question(asked, batch, rows, self.rng) for asked, rows in pairs if len(rows) and asked is not None
        ]
        agents = [(setting.frozen, frozen)] + [(agent, player == i) for i, agent in enumerate(setting.fixed, FIXED)]
        for agent, where in agents:
            if agent is not None and where.any():
                self.action[choosing[where]] = act(agent, batch, choosing[where])
        self.sums.all_decisions += int((counts > 0).sum())

    def answer(self) -> None:
        """Draw the actions and step the tables."""
        for question in self.questions:
            rows = question.rows
            moment = question.answer(self.rng.random(len(rows)))
            self.action[rows] = self.restored[question.choice, moment.action].numpy()
            if question.player is self.network:
                self.moments.append(moment)
                self.sums.decided(rows, self.action[rows], moment.entropy.numpy())
        if self.setting.solved:
            going = np.flatnonzero(~self.ended)
            self.batch.step(self.action[going], going)
        else:
            self.batch.step(self.action)

    def decisions(self, gae_lambda: float) -> Decisions:
        """What is to be learnt from the finished episodes."""
        reward = match_rewards(self.batch) if self.setting.whole_match else rewards(self.batch)
        return _with_advantages(self.moments or [self._no_decision()], reward, gae_lambda)

    def _no_decision(self) -> _Moment:
        """A moment without a decision, where the learning policy has taken none at these tables."""
        return _Question(self.network, self.batch, self.rows[:0], self.rng).answer(np.zeros(0))

    def _end_deals(self) -> None:
        """All deals are over, or worth what the solver says; begin the next ones where matches go on."""
        batch, setting = self.batch, self.setting
        if setting.solved:
            setting.solve(batch)
        self.sums.book(self.rows)
        self.rows = self.rows[~batch.match_over[self.rows]] if setting.whole_match else self.rows[:0]
        self.over = not len(self.rows)
        if not self.over:
            batch.next_deal(self.rows)
            setting.tell_reset(self.rows)
            self.ended = batch.over


class _Question:
    """Decisions that a network has been asked about."""

    def __init__(self, player: PolicyValueNetwork, batch: Batch, rows: Int64Array, rng: np.random.Generator) -> None:
        self.player, self.rows = player, rows
        self.seat = batch.to_act[rows].astype(np.int64)
        order, weight = player.order, player.policy.weight
        observation = send(batch.observe(rows), weight.device)
        if order.canonical:
            choice = order.choose(observation)
        else:
            choice = send(rng.integers(len(PLACES), size=len(rows)), weight.device)
        self.columns = order.rename(observation, choice)
        self.hidden = self.columns[:, :0]
        if player.critic is not None:
            self.hidden = order.rename_cards(send(hidden_cards(batch, rows), weight.device), choice).flatten(1)
        self.mask = order.rename_mask(send(batch.mask(rows), weight.device), choice)
        logits, value = player.heads(pad(self.columns), pad(self.hidden))
        probabilities, log_probabilities, entropy = distribution(logits[: len(rows)], self.mask)
        self.wait = fetch(probabilities, log_probabilities, entropy, value[: len(rows)], choice)

    def answer(self, uniform: NDArray[np.float64]) -> _Moment:
        """The decisions, drawn from the network's distribution by inverting it."""
        probabilities, log_probabilities, entropy, value, self.choice = self.wait()
        action = torch.from_numpy(draw(probabilities.numpy(), uniform))
        log_probability = log_probabilities.gather(1, action[:, None]).squeeze(1)
        if not (torch.isfinite(log_probability).all() and torch.isfinite(value).all()):
            raise TrainingError("while deals were played: the network's probabilities or values are not finite")
        return _Moment(
            self.rows, self.seat, self.columns, self.hidden, self.mask, action, log_probability, value, entropy
        )


def pad(rows: Tensor) -> Tensor:
    """``(k, …)`` with rows of zeros added up to a multiple of ``ROW_STEP``."""
    return torch.nn.functional.pad(rows, (0, 0, 0, -len(rows) % ROW_STEP))


def rewards(batch: Batch) -> NDArray[np.float64]:
    """``(n, seats)``: own side's score change less the mean of the others', in units of the variant's total points."""
    rules = batch.rules
    change = batch.state.score_change.astype(np.float64)
    others = (change.sum(axis=1, keepdims=True) - change) / (rules.sides - 1)
    return ((change - others) / rules.total_points)[:, np.arange(rules.seats) % rules.sides]


def match_rewards(batch: Batch) -> NDArray[np.float64]:
    """``(n, seats)``: 1 for the side that has won the match, -1 for the others; 0 where nobody has."""
    rules, winner = batch.rules, batch.state.winner[:, None]
    won = np.where(winner == np.arange(rules.seats) % rules.sides, 1.0, -1.0)
    return np.where(winner == NONE, 0.0, won)


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
    device = moments[0].columns.device
    advantage = torch.cat(advantages[::-1])
    value = torch.cat([moment.value for moment in moments])
    return Decisions(
        columns=torch.cat([moment.columns for moment in moments]),
        hidden=torch.cat([moment.hidden for moment in moments]),
        mask=torch.cat([moment.mask for moment in moments]),
        action=torch.cat([moment.action for moment in moments]).to(device),
        log_probability=torch.cat([moment.log_probability for moment in moments]).to(device),
        value=value.to(device),
        advantage=advantage.to(device),
        target=(advantage + value).to(device),
    )


def _joined(parts: list[Decisions]) -> Decisions:
    if len(parts) == 1:  # nothing to copy
        return parts[0]
    return Decisions(*(torch.cat([getattr(part, f.name) for part in parts]) for f in fields(Decisions)))
