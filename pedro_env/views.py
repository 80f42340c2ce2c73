"""What an agent is given: the information sets of k seats to act, as a struct of arrays.

Seats are relative to the one that decides: 0 itself, 1 its left, 2 (of four) its partner, 3 its right. Everything is
computed when it is first asked for, and is valid until the batch steps.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from pedro_env.actions import Actions
from pedro_env.cards import N_CARDS, NONE
from pedro_env.cardset import EMPTY, ONE, count, to_bool
from pedro_env.deals import uniform
from pedro_env.layout import Layout, Mark
from pedro_env.observation import observe
from pedro_env.rules import Rules
from pedro_env.state import State
from pedro_env.tables import Tables
from pedro_env.typing import BoolArray, FloatArray, Int8Array, Int16Array, Int64Array, IntArray, UInt8Array, UInt64Array

_CARDS = (ONE << np.uint64(N_CARDS)) - ONE
_AGENT_STREAM = 0x6167656E74


class HiddenInformation(RuntimeError):
    """An agent that does not declare ``sees_everything`` asked for the full state."""


class Views:
    """k decisions, in any mixture of games of one batch; row i of every array belongs to decision i."""

    def __init__(
        self,
        tables: Tables,
        state: State,
        seed: int,
        legal: UInt64Array,
        games: IntArray,
        *,
        sees_everything: bool = False,
    ) -> None:
        """Views of the seats to act in ``games``; ``legal`` has the legal words of every game of ``state``."""
        self.tables = tables
        """The rules as constant arrays."""
        self._seed = seed  # it would tell the packs
        self._s = state
        self._all_legal = legal
        self._sees_everything = sees_everything
        self.game: Int64Array = np.asarray(games, np.int64)
        self.seat: Int8Array = self._s.to_act[self.game]

    def __len__(self) -> int:
        return len(self.game)

    def take(self, index: IntArray | BoolArray) -> Views:
        """The views of some of the decisions."""
        games = self.game[index]
        return Views(self.tables, self._s, self._seed, self._all_legal, games, sees_everything=self._sees_everything)

    # --- the game

    @property
    def rules(self) -> Rules:
        """The rules of every game in here."""
        return self.tables.rules

    @property
    def layout(self) -> Layout:
        """The layout of ``observation``."""
        return self.tables.layout

    @property
    def actions(self) -> Actions:
        """The numbering of actions."""
        return self.tables.actions

    @cached_property
    def match(self) -> Int64Array:
        """``(k,)`` number of the match."""
        return self._s.match[self.game]

    @cached_property
    def deal(self) -> Int64Array:
        """``(k,)`` number of the deal in the match."""
        return self._s.deal[self.game]

    def uniform(self, stream: int = 0) -> FloatArray:
        """``(k,)`` random numbers in [0, 1): a hash of (seed, match, deal, seat, decision, stream).

        They depend on the decision alone, not on how games are split into batches or processes.
        """
        return uniform(
            self._seed, _AGENT_STREAM + stream, (self.match, self.deal, self.seat, self._s.decision[self.game])
        )

    # --- what the seat sees

    @cached_property
    def observation(self) -> UInt8Array:
        """``(k, width)`` the encoded observation (``layout``)."""
        return observe(self.tables, self._s, self.game, self.seat)

    @cached_property
    def mask(self) -> BoolArray:
        """``(k, actions)`` the legal actions."""
        return to_bool(self.legal, self.actions.n)

    @cached_property
    def legal(self) -> UInt64Array:
        """``(k, words)`` the legal actions as sets: bit ``a % 64`` of word ``a // 64``."""
        return self._all_legal[self.game]

    @cached_property
    def legal_cards(self) -> UInt64Array:
        """``(k,)`` the set of cards among the legal actions."""
        return self.legal[:, 0] & _CARDS

    @cached_property
    def phase(self) -> Int8Array:
        """``(k,)`` the ``Phase``."""
        return self._s.phase[self.game]

    @cached_property
    def dealer(self) -> Int8Array:
        """``(k,)`` relative seat of the dealer."""
        return self._relative(self._s.dealer)

    @cached_property
    def declarer(self) -> Int8Array:
        """``(k,)`` relative seat of the highest bidder so far, in the end the declarer; -1 before the first bid."""
        return self._relative(self._s.declarer)

    @cached_property
    def leader(self) -> Int8Array:
        """``(k,)`` relative seat that led to the trick (or is to lead); -1 before the play."""
        return self._relative(self._s.leader)

    @cached_property
    def winning(self) -> Int8Array:
        """``(k,)`` relative seat that is winning the trick; -1 when nothing lies on it."""
        return self._relative(self._s.winning)

    @cached_property
    def partner(self) -> Int8Array:
        """``(k,)`` relative seat that the declarer called; -1 where there is none."""
        return self._relative(self._s.partner)

    @cached_property
    def contract(self) -> Int16Array:
        """``(k,)`` the highest bid so far, an index into ``actions.bids``; -1 before the first."""
        return self._s.contract[self.game].astype(np.int16)

    @cached_property
    def contract_number(self) -> Int16Array:
        """``(k,)`` the points it promises; 0 before the first bid."""
        return self.tables.bid_numbers[self.contract]

    @cached_property
    def trump(self) -> Int8Array:
        """``(k,)`` the trump suit; -1 before it is named."""
        return self._s.trump[self.game]

    @cached_property
    def led(self) -> Int8Array:
        """``(k,)`` the suit led; -1 when nothing lies on the trick."""
        return self._s.led[self.game]

    @cached_property
    def trick(self) -> Int8Array:
        """``(k,)`` number of the trick, from 0; -1 before the play."""
        return self._s.trick[self.game]

    @cached_property
    def hand(self) -> UInt64Array:
        """``(k,)`` the seat's cards."""
        return self._s.hand[self.game, self.seat]

    @cached_property
    def laid_aside(self) -> UInt64Array:
        """``(k,)`` what the seat itself laid aside face down."""
        return self._s.laid_aside[self.game, self.seat]

    @cached_property
    def gave(self) -> UInt64Array:
        """``(k,)`` what the seat gave to another; empty in variants without it."""
        return self._own(self._s.gave)

    @cached_property
    def received(self) -> UInt64Array:
        """``(k,)`` what the seat was given."""
        return self._own(self._s.received)

    @cached_property
    def stock(self) -> UInt64Array:
        """``(k,)`` what a seat that robs or robbed has seen of the stock and not taken; empty for the others."""
        return np.where(self._s.robber[self.game] == self.seat, self._s.stock[self.game], EMPTY)

    @cached_property
    def shown(self) -> UInt64Array:
        """``(k, seats)`` cards that each seat played or laid open."""
        return self._by_seat(self._s.shown)

    @cached_property
    def open(self) -> UInt64Array:
        """``(k,)`` cards laid open without being played."""
        return self._s.open[self.game]

    @cached_property
    def in_trick(self) -> UInt64Array:
        """``(k,)`` the cards in the trick."""
        return self._s.in_trick[self.game]

    @cached_property
    def called(self) -> UInt64Array:
        """``(k,)`` the set of the card that the declarer called."""
        return self._s.called[self.game]

    @cached_property
    def trick_cards(self) -> Int8Array:
        """``(k, seats)`` the card that each seat has in the trick; -1."""
        return self._by_seat(self._s.on_table)

    @cached_property
    def bids(self) -> Int16Array:
        """``(k, seats)`` the highest bid that each seat has made, an index into ``actions.bids``; -1."""
        bits = self._mark_bits("bid")
        width = bits.shape[-1]
        return np.where(bits.any(axis=-1), width - 1 - bits[..., ::-1].argmax(axis=-1), NONE).astype(np.int16)

    @cached_property
    def passed(self) -> BoolArray:
        """``(k, seats)`` the seat passed at its last turn in the auction."""
        return self._mark_bits("passed")[..., 0]

    @cached_property
    def drawn(self) -> Int8Array:
        """``(k, seats)`` cards that each seat has drawn."""
        return self._mark_count("drawn")

    @cached_property
    def n_laid_aside(self) -> Int8Array:
        """``(k, seats)`` cards that each seat has laid aside."""
        return self._mark_count("laid_aside")

    @cached_property
    def n_given(self) -> Int8Array:
        """``(k, seats)`` cards that each seat has given away."""
        return self._mark_count("given")

    @cached_property
    def hand_size(self) -> Int8Array:
        """``(k, seats)`` cards in each hand."""
        return count(self._by_seat(self._s.hand)).astype(np.int8)

    @cached_property
    def voids(self) -> UInt8Array:
        """``(k, seats)`` bit ``s``: the seat has shown that it has none of suit ``s``."""
        bits = self._mark_bits("void")
        return np.packbits(bits, axis=-1, bitorder="little")[..., 0]

    @cached_property
    def points(self) -> Int16Array:
        """``(k, sides)`` points taken in tricks in this deal, the own side first."""
        return self._by_side(self._s.taken)

    @cached_property
    def scores(self) -> Int16Array:
        """``(k, sides)`` match scores, the own side first."""
        return self._by_side(self._s.scores)

    @cached_property
    def bidder_out(self) -> BoolArray:
        """``(k,)`` the deal is played bidder out."""
        return self._s.bidder_out[self.game]

    @property
    def full_state(self) -> State:
        """The whole state of the games: only for an agent that declares ``sees_everything``."""
        if not self._sees_everything:
            raise HiddenInformation("the full state is only for an agent that declares sees_everything = True")
        return self._s.take(self.game)

    # --- from absolute to relative

    def _relative(self, column: Int8Array) -> Int8Array:
        seat = column[self.game]
        return np.where(seat == NONE, NONE, (seat - self.seat) % self.rules.seats).astype(np.int8)

    @cached_property
    def _seats(self) -> IntArray:
        return (self.seat[:, None] + np.arange(self.rules.seats)) % self.rules.seats

    def _own(self, columns: UInt64Array) -> UInt64Array:
        return columns[self.game, self.seat] if columns.shape[1] else np.zeros(len(self), np.uint64)

    def _by_seat(self, columns: np.ndarray) -> np.ndarray:
        return columns[self.game[:, None], self._seats]

    def _by_side(self, columns: Int16Array) -> Int16Array:
        sides = (self.tables.side_of[self.seat][:, None] + np.arange(self.rules.sides)) % self.rules.sides
        return columns[self.game[:, None], sides]

    def _mark_bits(self, name: str) -> BoolArray:
        mark: Mark = self.layout.mark(name)
        bits = to_bool(self._by_seat(self._s.marks), 64 * self.layout.mark_words)
        return bits[..., mark.start : mark.start + mark.width]

    def _mark_count(self, name: str) -> Int8Array:
        if all(mark.name != name for mark in self.layout.marks):
            return np.zeros((len(self), self.rules.seats), np.int8)
        return self._mark_bits(name).sum(axis=-1).astype(np.int8)
