"""A batch of games: which phase comes when, and nothing about what happens in it.

``Batch`` plays n games of one ``Rules`` side by side; each may be in another phase. A step never crosses the end of
a deal: a finished game waits, with its result in the state, until ``next_deal`` or ``restart``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np

from pedro_env.actions import Actions, Phase
from pedro_env.cards import NONE, card_name
from pedro_env.cardset import BIT, EMPTY, to_bool
from pedro_env.deals import first_dealers, shuffled_packs
from pedro_env.full_state import observe_all
from pedro_env.layout import Layout
from pedro_env.observation import observe
from pedro_env.phases import auction, exchange, play, scoring, trump
from pedro_env.phases.marks import mark_bits
from pedro_env.rules import Rules
from pedro_env.state import State
from pedro_env.tables import Tables, tables_of
from pedro_env.typing import BoolArray, Int8Array, Int16Array, Int64Array, IntArray, UInt8Array, UInt64Array
from pedro_env.views import Views

_AUCTION, _TRUMP, _EXCHANGE, _PLAY, _NOBODY = range(5)
_STAGE_OF = np.full(Phase.OVER + 1, _NOBODY, np.int8)
"""The stage of the deal, that is the module, that a phase belongs to."""
_STAGE_OF[[Phase.DARK, Phase.BID]] = _AUCTION
_STAGE_OF[Phase.TRUMP] = _TRUMP
_STAGE_OF[[Phase.GIVE, Phase.DISCARD, Phase.ROB]] = _EXCHANGE
_STAGE_OF[[Phase.CALL, Phase.BURY, Phase.PLAY]] = _PLAY
_OVER = Phase.OVER.value  # members of enumerations are slow to look up in some versions of Python
_LEGAL = (auction.legal, trump.legal, exchange.legal, play.legal)
_APPLY = (auction.apply, trump.apply, exchange.apply, play.apply)

_WHOLE = slice(None)
_Group: TypeAlias = tuple[int, IntArray, "slice | Int64Array"]
"""Games of one stage: the stage, their rows, and their places among the rows that were grouped."""


_DERIVED = ("tables", "_all", "_legal", "_stale", "_grouped")
"""Attributes that are computed from the others."""


SCORE_LIMIT = 10_000
"""No match gets near it, and sums of it fit the scores' 16 bits."""


class IllegalAction(ValueError):
    """An action that the rules do not allow; the message names row, seat, action and what is legal."""


class Batch:
    """n games of one variant, played in step."""

    def __init__(
        self,
        rules: Rules,
        seed: int = 0,
        matches: Sequence[int] | Int64Array = (0,),
        *,
        validate: bool = True,
    ) -> None:
        """Begin the given matches, at deal 0 and scores 0.

        ``seed`` (any integer; taken modulo 2**64) and the numbers of match and deal fix every pack and the first
        dealer. ``validate=False`` skips the check of every action, for rollouts that choose from the mask.
        """
        if not isinstance(rules, Rules):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"rules cannot be {rules!r}; they are Rules, as make_rules('pedro') returns them")
        self.rules = rules
        self.tables: Tables = tables_of(rules)
        self.seed = int(seed)
        self.validate = validate
        matches = np.asarray(matches, np.int64).reshape(-1)
        gives = Phase.GIVE in self.tables.actions.phases
        self.state = State(rules, len(matches), len(self.tables.pack), self.layout.mark_words, gives=gives)
        self._forget()
        self.restart(self._all, matches)

    # --- reading

    @property
    def n(self) -> int:
        """The number of games."""
        return len(self.state.phase)

    @property
    def actions(self) -> Actions:
        """The numbering of actions."""
        return self.tables.actions

    @property
    def layout(self) -> Layout:
        """The layout of observations."""
        return self.tables.layout

    @property
    def phase(self) -> Int8Array:
        """``(n,)`` the ``Phase`` of each game."""
        return self.state.phase

    @property
    def to_act(self) -> Int8Array:
        """``(n,)`` the seat that decides; -1 where the deal is over."""
        return self.state.to_act

    @property
    def over(self) -> BoolArray:
        """``(n,)`` the deal is over."""
        return self.state.phase == _OVER

    @property
    def match_over(self) -> BoolArray:
        """``(n,)`` the match is won or cut off."""
        return (self.state.winner != NONE) | self.state.truncated

    def legal(self) -> UInt64Array:
        """``(n, words)`` legal actions as sets: bit ``a % 64`` of word ``a // 64``. Empty where the deal is over."""
        rows = self._stale.nonzero()[0]
        if len(rows):
            self._legal = self._legal_again(self._all if len(rows) == len(self._all) else rows)
            self._stale[rows] = False
        return self._legal

    def are_legal(self, actions: Int64Array, rows: IntArray) -> BoolArray:
        """``(k,)`` whether any numbers are legal actions, each in one of some games."""
        inside = (actions >= 0) & (actions < self.actions.n)
        safe = actions * inside
        return inside & (self.legal()[rows, safe >> 6] & BIT.take(safe & 63) != EMPTY)

    def mask(self, rows: IntArray | None = None) -> BoolArray:
        """``(k, actions)`` which actions are legal, for some games (default: all)."""
        words = self.legal() if rows is None else self.legal().take(self._rows(rows), axis=0)
        return to_bool(words, self.actions.n)

    def observe(self, rows: IntArray | None = None, seats: IntArray | None = None) -> UInt8Array:
        """``(k, width)`` what seats see (default: in every game, the seat to act; seat 0 where the deal is over)."""
        rows = self._rows(rows)
        seats = np.maximum(self.state.to_act[rows], 0) if seats is None else np.asarray(seats)
        return observe(self.tables, self.state, rows, seats)

    def observe_all(self, rows: IntArray | None = None) -> UInt8Array:
        """``(k, width)`` whole games, hidden cards too, for a centralised critic (``full_state``; default: all)."""
        return observe_all(self.tables, self.state, self._rows(rows))

    def seat_mark(self, row: int, seat: int, name: str) -> UInt64Array:
        """``(width,)`` the bits of a seat's public mark in one game; none where the variant has no such mark."""
        if all(mark.name != name for mark in self.layout.marks):
            return np.zeros(0, np.uint64)
        return mark_bits(self.tables, self.state, np.array([row]), np.array([seat]), name)[0]

    def views(self, rows: IntArray | None = None, *, sees_everything: bool = False) -> Views:
        """What an agent is given, for some games in which somebody is to act (default: all such games)."""
        rows = np.flatnonzero(~self.over) if rows is None else self._rows(rows)
        return Views(self.tables, self.state, self.seed, self.legal(), rows, sees_everything=sees_everything)

    # --- playing

    def step(self, actions: IntArray, rows: IntArray | None = None) -> None:
        """Take one decision in each of some games.

        ``actions``: ``(k,)`` for ``rows``, or ``(n,)`` for every game, of which those whose deal is over are left
        alone. Raises ``IllegalAction``, and changes nothing, where one of them is not legal.
        """
        actions = np.asarray(actions, np.int64)
        rows = self._rows(rows)
        if self.validate:
            self._check_shapes(actions, rows)
        groups = self._by_stage(rows)
        if self.validate:
            for _, group, places in groups:
                self._check(actions[places], group)
        self._changed(rows)
        complete: dict[int, IntArray] = {}
        for stage, group, places in groups:
            self.state.decision[group] += 1
            done = _APPLY[stage](self.tables, self.state, group, actions[places])
            if len(done):
                complete[stage] = done
        if complete:
            self._go_on(complete)

    def next_deal(self, rows: IntArray) -> None:
        """Deal again where a deal is over and its match is not: the deal passes to the left, scores are kept.

        After a misdeal the same dealer deals.
        """
        s, rows = self.state, self._rows(rows)
        if not self.over[rows].all() or self.match_over[rows].any():
            raise ValueError("next_deal: some of the rows are in mid-deal or their match is over")
        dealer = (s.dealer[rows] + ~s.same_dealer[rows]) % self.rules.seats
        self._begin(rows, s.match[rows], s.deal[rows] + 1, dealer, s.scores[rows])

    def restart(self, rows: IntArray, matches: IntArray, scores: IntArray | None = None) -> None:
        """Begin other matches in some games, at deal 0 (and at scores ``(k, sides)``, default 0)."""
        rows, matches = np.asarray(rows, np.int64), np.asarray(matches, np.int64)
        start = np.zeros((len(rows), self.rules.sides), np.int16)
        if scores is not None:
            if np.abs(scores).max(initial=0) > SCORE_LIMIT:
                raise ValueError(f"scores must lie between -{SCORE_LIMIT} and {SCORE_LIMIT}")
            start[:] = scores
        dealer = first_dealers(self.rules.seats, self.seed, matches)
        self._begin(rows, matches, np.zeros(len(rows), np.int64), dealer, start)

    def set_position(
        self, row: int, pack: Sequence[int], dealer: int, scores: Sequence[int], actions: Sequence[int | str] = ()
    ) -> None:
        """Set up a position in one game: a pack (card numbers, top first), the dealer, the scores, the actions so far.

        Actions are numbers or names as in records. Raises ``ValueError`` (``IllegalAction`` for an action) that names
        what is wrong; the game then stands where the last legal action left it.
        """
        if sorted(pack) != sorted(self.tables.pack.tolist()):
            raise ValueError(f"the pack must be the variant's {len(self.tables.pack)} cards, each once")
        if not 0 <= dealer < self.rules.seats:
            raise ValueError(f"dealer must be a seat from 0 to {self.rules.seats - 1}, not {dealer}")
        if len(scores) != self.rules.sides:
            raise ValueError(f"scores must be {self.rules.sides} numbers, not {len(scores)}")
        if not all(-SCORE_LIMIT <= score <= SCORE_LIMIT for score in scores):
            raise ValueError(f"scores must lie between -{SCORE_LIMIT} and {SCORE_LIMIT}, not {list(scores)}")
        s, rows = self.state, np.array([row])
        packs, all_scores = np.array([pack], np.uint8), np.array([scores], np.int16)
        self._begin(rows, s.match[rows], s.deal[rows], np.array([dealer]), all_scores, packs)
        for number, action in enumerate(actions, 1):
            if self.over[row]:
                raise IllegalAction(f"row {row}: the deal is over before action {number} ({action})")
            if isinstance(action, str):
                action = self.actions.parse(action, Phase(self.phase[row]))
            if not self.validate:  # otherwise the step looks
                self._check(np.array([action]), rows)
            self.step(np.array([action]), rows)

    # --- copies

    def take(self, rows: IntArray) -> Batch:
        """A new batch of copies of some games."""
        return self._with(self.state.take(rows))

    def copy(self) -> Batch:
        """A copy of the batch: playing on in one does not touch the other."""
        return self._with(self.state.copy())

    def _with(self, state: State) -> Batch:
        other = object.__new__(Batch)
        other.rules, other.tables, other.seed, other.validate = self.rules, self.tables, self.seed, self.validate
        other.state = state
        other._forget()
        return other

    def __getstate__(self) -> dict[str, Any]:
        """Tables are rebuilt from the rules when unpickled."""
        return {key: value for key, value in self.__dict__.items() if key not in _DERIVED}

    def __setstate__(self, data: dict[str, Any]) -> None:
        self.__dict__.update(data)
        self.tables = tables_of(self.rules)
        self._forget()

    def _forget(self) -> None:
        """Nothing has been computed from the state yet."""
        self._all = np.arange(self.n)
        self._legal = np.zeros((self.n, self.tables.legal_words), np.uint64)
        self._stale = np.ones(self.n, np.bool_)  # games that have changed since their legal actions were computed
        self._grouped: list[_Group] | None = None  # all games by stage

    def _changed(self, rows: IntArray) -> None:
        """Forget what was computed from the state of some games."""
        self._stale[rows] = True
        self._grouped = None

    # --- what comes when

    def _go_on(self, complete: dict[int, IntArray]) -> None:
        """Begin what follows where a stage is complete: stage by stage, in all those games at once."""
        after = self._after_auction, self._after_trump, self._after_exchange, self._after_play
        none = self._all[:0]
        begun = none
        for stage, begin_next in enumerate(after):
            rows = complete.get(stage, none)
            if len(begun):
                rows = np.concatenate([begun, rows])
            begun = begin_next(rows) if len(rows) else none

    def _after_auction(self, rows: IntArray) -> IntArray:
        """Returns the rows in which the bid has named trumps already."""
        t, s = self.tables, self.state
        nobody = (s.contract[rows] == NONE) | s.same_dealer[rows]  # all passed, or a misdeal
        if nobody.any():
            scoring.redeal(t, s, rows[nobody])
            rows = rows[~nobody]
        if self.rules.kitty and not self.rules.name_trump_first:
            exchange.take_kitty(t, s, rows)
        return trump.begin(t, s, rows)

    def _after_trump(self, rows: IntArray) -> IntArray:
        if self.rules.kitty and self.rules.name_trump_first:
            exchange.take_kitty(self.tables, self.state, rows)
        return exchange.begin(self.tables, self.state, rows)

    def _after_exchange(self, rows: IntArray) -> IntArray:
        """After its beginning or a decision in it; returns the rows in which the deal ends without a lead."""
        rows = exchange.go_on(self.tables, self.state, rows)
        return play.begin(self.tables, self.state, rows) if len(rows) else rows

    def _after_play(self, rows: IntArray) -> IntArray:
        scoring.score(self.tables, self.state, rows)
        return rows[:0]

    def _begin(
        self,
        rows: IntArray,
        matches: Int64Array,
        deals: Int64Array,
        dealer: IntArray,
        scores: Int16Array,
        packs: UInt8Array | None = None,
    ) -> None:
        """Shuffle, and open the auction, which deals the cards (RULES 2.3)."""
        t, s = self.tables, self.state
        s.clear(rows)
        s.match[rows], s.deal[rows], s.dealer[rows], s.scores[rows] = matches, deals, dealer, scores
        if packs is None:
            packs = shuffled_packs(t.pack, self.seed, matches, deals)
        s.pack[rows] = packs
        s.bidder_out[rows] = scoring.bidder_out(t, scores)
        auction.begin(t, s, rows)
        self._changed(rows)

    def _by_stage(self, rows: IntArray) -> list[_Group]:
        """Some games by the stage they are in; those in which the deal is over are left out."""
        if rows is self._all and self._grouped is not None:
            return self._grouped
        stage = _STAGE_OF.take(self.state.phase.take(rows))
        there = stage.tolist() if len(rows) == 1 else np.bincount(stage).nonzero()[0].tolist()
        groups: list[_Group] = []
        for value in there:
            if value != _NOBODY:
                places = _WHOLE if len(there) == 1 else (stage == value).nonzero()[0]
                groups.append((value, rows[places], places))
        if rows is self._all:
            self._grouped = groups
        return groups

    def _legal_again(self, rows: IntArray) -> UInt64Array:
        """The legal actions of all games, of which some have changed."""
        groups = self._by_stage(rows)
        if len(groups) == 1 and len(groups[0][1]) == len(self._all):
            return _LEGAL[groups[0][0]](self.tables, self.state, rows)
        if rows is self._all:
            legal = np.zeros_like(self._legal)
        else:
            legal = self._legal.copy()  # what was handed out stays as it is
            legal[rows[self.state.phase[rows] == _OVER]] = EMPTY
        for stage, group, _ in groups:
            legal[group] = _LEGAL[stage](self.tables, self.state, group)
        return legal

    def _check(self, chosen: Int64Array, rows: IntArray) -> None:
        """Raise ``IllegalAction`` for the first of some games whose action is not legal."""
        legal = self.are_legal(chosen, rows)
        if not legal.all():
            worst = legal.argmin()
            raise IllegalAction(self._explain(int(rows[worst]), int(chosen[worst])))

    def _rows(self, rows: IntArray | None) -> Int64Array:
        """Row numbers as this computes with them; all rows where none are named."""
        if rows is None:
            return self._all
        given = np.asarray(rows)
        if given.ndim != 1 or (given.dtype.kind not in "iu" and len(given)):
            raise ValueError(f"rows must be a list of row numbers, not an array of {given.dtype}, shape {given.shape}")
        return given.astype(np.int64, copy=False)

    def _check_shapes(self, actions: Int64Array, rows: IntArray) -> None:
        """Raise ``ValueError`` where there is not one action for each of some different games."""
        if actions.shape != rows.shape:
            raise ValueError(f"actions must be {len(rows)} numbers, one a row, not an array of shape {actions.shape}")
        if rows is not self._all and len(rows) > 1 and np.bincount(rows).max() > 1:
            raise ValueError(f"rows must be different: row {int(np.bincount(rows).argmax())} is there more than once")

    def _explain(self, row: int, action: int) -> str:
        s, names = self.state, self.actions.names
        name = names[action] if 0 <= action < len(names) else "no action of this variant"
        legal = [names[a] for a in np.flatnonzero(self.mask(np.array([row]))[0])]
        return (
            f"row {row}, seat {s.to_act[row]}, phase {Phase(s.phase[row]).word}: action {action} ({name}) is not "
            f"legal; {_why(self.tables, s, row)}legal are {', '.join(legal)}"
        )


def _why(t: Tables, s: State, row: int) -> str:
    """The situation that an illegal card collides with."""
    if s.phase[row] != Phase.PLAY or s.led[row] == NONE:
        return ""
    card = card_name(int(s.on_table[row, s.leader[row]]))
    follow = "must follow" if s.led[row] == s.trump[row] else f"follow is {t.rules.follow.value.replace('_', ' ')}"
    return f"{card} was led, {follow} (RULES 2.9); "
