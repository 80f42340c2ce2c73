"""The engine and the reference side by side: the same packs, the same actions, everything compared at each step."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from pedro_env.actions import Phase
from pedro_env.cards import NONE, SUITS, card_name
from pedro_env.engine import Batch
from pedro_env.variants import make_rules
from tests.reference import Deal
from tests.support import names

Policy = Callable[[Deal, list[str], np.random.Generator], str]
"""Chooses from the sorted names of what is legal."""


def cautious(deal: Deal, legal: list[str], rng: np.random.Generator) -> str:
    """Random, but bids seldom and low, so that bids are made and matches come to an end."""
    if deal.phase == "bid" and "pass" in legal and rng.random() < 0.75:
        return "pass"
    if deal.phase == "bid" and rng.random() < 0.8:
        numbers = [name for name in legal if name.isdecimal()]
        if numbers:
            return min(numbers, key=int)
    return legal[rng.integers(len(legal))]


def wild(deal: Deal, legal: list[str], rng: np.random.Generator) -> str:
    """Uniformly random."""
    return legal[rng.integers(len(legal))]


def naming(suit: str) -> Policy:
    """As ``cautious``, but this suit becomes trumps wherever the chooser can see to it."""

    def choose(deal: Deal, legal: list[str], rng: np.random.Generator) -> str:
        if deal.phase == "trump" and suit in legal:
            return suit
        if deal.phase == "bid" and "pass" in legal and deal.game.trump is not None:
            return "pass"  # the suit is named with the bid, and it has been
        wanted = [name for name in legal if deal.phase != "bid" or name == "pass" or not name.endswith(tuple("SHDC"))]
        wanted += [name for name in legal if deal.phase == "bid" and name.endswith(suit)]
        return cautious(deal, sorted(set(wanted)), rng)

    return choose


class Duel:
    """n games of the engine and n of the reference."""

    def __init__(
        self,
        variant: str,
        options: dict[str, Any] | None = None,
        *,
        n: int,
        seed: int = 0,
        scores: Callable[[int], Sequence[int]] | None = None,
    ) -> None:
        """Begin n matches. ``scores`` gives the scores that match i begins with."""
        self.variant, self.options = variant, options or {}
        self.rules = make_rules(variant, self.options)
        self.batch = Batch(self.rules, seed, np.arange(n))
        self.rng = np.random.default_rng(seed)
        self._scores = scores
        self._next_match = n
        self.events: Counter[str] = Counter()
        """How often the rare things happened, as the reference counts them."""
        self.deals = self.decisions = 0
        if scores is not None:
            first = np.array([list(scores(match)) for match in range(n)])
            self.batch.restart(np.arange(n), np.arange(n), first)
        self.references = [self._reference(row) for row in range(n)]
        self._before = [""] * n

    def set_packs(self, packs: Sequence[Sequence[int]], dealers: Sequence[int]) -> None:
        """Deal given packs at the scores that stand."""
        for row, (pack, dealer) in enumerate(zip(packs, dealers, strict=True)):
            self.batch.set_position(row, pack, dealer, self.batch.state.scores[row].tolist())
            self.references[row] = self._reference(row)

    def play_deals(self, policy: Policy | Sequence[Policy]) -> None:
        """Play on until the deal is over in every game."""
        rows = np.flatnonzero(~self.batch.over)
        while len(rows):
            mask = self.batch.mask(rows)
            actions = np.empty(len(rows), np.int64)
            for i, row in enumerate(rows.tolist()):
                deal = self.references[row]
                self._compare_decision(row, deal, mask[i])
                chooser = policy if callable(policy) else policy[row]
                action = chooser(deal, sorted(deal.legal()), self.rng)
                actions[i] = self.batch.actions.parse(action, Phase(self.batch.phase[row]))
                deal.apply(action)
            self.batch.step(actions, rows)
            self.decisions += len(rows)
            rows = rows[~self.batch.over[rows]]
        for row, deal in enumerate(self.references):
            self._compare_result(row, deal)
            self.events += deal.events
        self.deals += self.batch.n

    def next_deals(self) -> None:
        """The next deal of each match; where a match is over, another one begins."""
        ended = self.batch.match_over
        going = np.flatnonzero(~ended)
        previous = {row: self.references[row] for row in going.tolist()}
        self.batch.next_deal(going)
        new = np.flatnonzero(ended)
        self.events["matches"] += len(new)
        self.events["truncated"] += int(self.batch.state.truncated[new].sum())
        matches = self._next_match + np.arange(len(new))
        self._next_match += len(new)
        scores = None
        if self._scores is not None and len(new):
            scores = np.array([list(self._scores(match)) for match in matches.tolist()])
        self.batch.restart(new, matches, scores)
        for row in range(self.batch.n):
            self.references[row] = self._reference(row)
            if row in previous:
                deal = previous[row]
                assert self.batch.state.dealer[row] == deal.next_dealer
                assert self.batch.state.scores[row].tolist() == deal.scores

    def _reference(self, row: int) -> Deal:
        state = self.batch.state
        pack = [card_name(card) for card in state.pack[row].tolist()]
        return Deal(self.variant, self.options, pack, int(state.dealer[row]), state.scores[row].tolist())

    def _where(self, row: int) -> str:
        state = self.batch.state
        return (
            f"{self.variant} {self.options} row {row} match {state.match[row]} deal {state.deal[row]} "
            f"decision {state.decision[row]}"
        )

    def _compare_decision(self, row: int, deal: Deal, mask: np.ndarray) -> None:
        batch = self.batch
        word = Phase(batch.phase[row]).word
        found = (int(batch.to_act[row]), word, {batch.actions.names[a] for a in np.flatnonzero(mask).tolist()})
        expected = (deal.seat, deal.phase, deal.legal())
        assert found == expected, f"{self._where(row)}: the engine {found}, the reference {expected}"
        if word != self._before[row]:  # where the phase changes, everybody's cards too
            self._before[row] = word
            for seat in range(self.rules.seats):
                assert names(batch.state.hand[row, seat]) == deal.hands[seat], self._where(row)
                self._compare_laid_aside(row, seat, deal)

    def _compare_laid_aside(self, row: int, seat: int, deal: Deal) -> None:
        """What has left a seat's hand without being played."""
        state, game = self.batch.state, deal.game
        found = names(state.laid_aside[row, seat] | (state.shown[row, seat] & state.open[row]))
        expected = game.laid_aside[seat] | game.buried[seat] | game.laid_down[seat]
        robbed = state.phase[row] != Phase.DISCARD or state.robber[row] != NONE
        if self.rules.rob_discards and robbed and seat != state.dealer[row]:
            assert expected <= found  # the reference puts it where it can be robbed; the engine remembers whose it was
            return
        assert found == expected, self._where(row)

    def _compare_result(self, row: int, deal: Deal) -> None:
        state = self.batch.state
        winner = int(state.winner[row])
        found = {
            "points": state.points[row].tolist(),
            "score_change": state.score_change[row].tolist(),
            "scores": state.scores[row].tolist(),
            "winner": None if winner == NONE else winner,
            "redeal": bool(state.redeal[row]),
            "seat": None,
        }
        expected = {name: getattr(deal, name) for name in found}
        assert found == expected, f"{self._where(row)}: the engine {found}, the reference {expected}"
        if not deal.redeal:
            assert int(self.batch.tables.bid_numbers[state.contract[row]]) == deal.game.bid
            assert SUITS[state.trump[row]] == deal.game.trump
            assert int(state.declarer[row]) == deal.game.declarer
