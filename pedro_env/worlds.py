"""Worlds: copies of games in which everything that a seat does not know is dealt anew.

``deal_anew`` is for search and planning: a copy of the game itself would show the planner the others' cards and the
cards to come. What a seat knows is kept: its own cards and where they came from, all cards shown, all counts, voids,
the called card's holder, and what the rules make certain (in ``pedro`` all plain cards are laid aside and every
trump left in the stock is robbed, so that what lies face down is plain).

A world is thought of as triples (place in the pack, card, fate). A fate is what became of a card: in a hand, laid
aside, given, left in the stock. Which cards a place may have held, which cards a fate may befall, and which places may
lead to which fates are sets that follow from the rules and from what is public; counts stay as they are because places
and fates do. Random exchanges of two or three cards, fates or both, each taken only where it breaks none of these sets,
lead from the game as it stands to another consistent world. Which places are paired in a round is fixed; whether a pair
makes its exchange is a coin, and each world has its own coins, so that it does not matter what is dealt beside it.

Conditions on several cards at once (a seat that has not left the deal holds a trump; a trump is laid aside only from a
hand full of them) are looked at after each round of exchanges, which is taken back where one is broken.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from pedro_env.actions import Phase
from pedro_env.cards import N_CARDS, N_SUITS, NONE
from pedro_env.cardset import BIT, EMPTY, ONE, count, from_cards, to_bool
from pedro_env.deals import key, mix
from pedro_env.engine import Batch
from pedro_env.phases.exchange.programs import program_of
from pedro_env.phases.exchange.steps import Choose, Step
from pedro_env.phases.marks import has_bid, has_mark
from pedro_env.rules import DropOut, Exchange, Follow, OpeningLead, Rules, Surplus
from pedro_env.state import State
from pedro_env.tables import Tables
from pedro_env.typing import BoolArray, Int64Array, IntArray, UInt64Array
from pedro_env.views import Views

ROUNDS = 32
"""Rounds of exchanges: most of them among the hidden hands, where the conditions are tight."""
SLOW = 3
"""So many times the rounds where most exchanges break a condition."""
CHUNK = 512
"""Worlds that are dealt at a time: their arrays stay in the processor's cache."""

_ALL = ~EMPTY
_ODD = 0x9E3779B97F4A7C15
"""Multiples of it, mixed, are independent words."""
_STREAM = 0x776F726C64
_STEP = 4
"""Sizes are rounded up to a multiple of it."""
_CARDS, _ROTATED, _PLACES, _CARDS_AGAIN, _FATES = range(5)
"""Kinds of exchanges."""
_FILLS = (
    Exchange.FILL,
    Exchange.ROB,
    Exchange.CHOOSE_AND_ROB,
    Exchange.WIDOW,
    Exchange.GIVE_FILL_AND_KEEP,
    Exchange.MIX,
)
_ALL_PLAIN_GO = (Exchange.FILL, Exchange.ROB, Exchange.GIVE_FILL_AND_KEEP, Exchange.MIX, Exchange.WIDOW)
_KEPT_TYPES = (Exchange.WIDOW, Exchange.SHED_AND_GIVE, Exchange.GIVE_FILL_AND_KEEP)
"""Exchanges in which a surplus of trumps wanders: every fate keeps its kind of card (see ``deal_anew``)."""
_IN_EACH_TRICK = (Surplus.BURY_EACH_TRICK, Surplus.BURY_LOWEST_EACH_TRICK)
_DISCARDS = (Surplus.DISCARD, Surplus.DISCARD_FOR_OPPONENTS)


def deal_anew(batch: Batch, rows: IntArray, seats: IntArray | int, seed: int | np.random.Generator) -> Batch:
    """Copies of some games in which all that the given seats do not know is dealt anew.

    ``rows``: ``(k,)`` games, as often as worlds are wanted; ``seats``: ``(k,)`` or one seat, from which each is looked
    at. ``seed``: an integer or a generator; the same seed, rows and seats give the same worlds. The deals that follow
    in a match are others than the original's, too. Games whose deal is over are only copied.

    Guaranteed: every card is in one place; the seat's observation and legal actions are those of the original; nothing
    that the rules make certain is contradicted; the copies can be played on and scored. The original is not touched.

    The worlds are those that a Markov chain reaches whose equilibrium is uniform over all consistent pairs of a deal
    (which cards came from which hand, draw or stock) and of choices of the others: without a guess at what others would
    have chosen. The chain begins with the game as it stands and is cut off after ``ROUNDS``, which is enough for that
    beginning to be forgotten as far as tests can tell (``docs/search.md``). Where a surplus of trumps is given from
    seat to seat (``tennessee``, ``eighty-three``, their kin), there are fewer worlds than what a seat does not know:
    every hidden place keeps its number of trumps. How many of the cards that a seat gave lie where is kept everywhere,
    and so is the step that another seat's choice is in. Whether another seat was asked for a choice that only the cards
    decide (a rob, a burial) is not looked at.

    Raises ``ValueError`` for a seat that is none, and where ``rob_discards`` and ``discard_face_up`` are both on.
    """
    if _is_simple(batch.rules):
        raise ValueError("worlds cannot be dealt where rob_discards and discard_face_up are both on: leave one out")
    rng = seed if isinstance(seed, np.random.Generator) else np.random.default_rng(seed)
    rows = np.asarray(rows, np.int64).reshape(-1)
    seats = np.broadcast_to(np.asarray(seats, np.int64), rows.shape)
    if len(rows) and (seats.min() < 0 or seats.max() >= batch.rules.seats):
        raise ValueError(f"seats must be from 0 to {batch.rules.seats - 1}, not {seats.tolist()}")
    worlds = batch.take(rows)
    worlds.seed = int(rng.integers(2**63))
    keys = rng.integers(2**64, size=len(rows), dtype=np.uint64)
    _deal(worlds.tables, batch.state, worlds.state, rows, seats, keys)
    return worlds


def worlds_of(views: Views, count: int, stream: int = 0) -> Batch:
    """``count`` worlds of each of k decisions: what the seat to act knows is kept, the rest is dealt anew.

    A batch of ``k * count`` games, those of a decision one after another. For agents: it is all that they get of the
    cards that they do not see. The worlds of a decision are a function of (seed, match, deal, seat, decision, stream),
    whatever else is in the batch. What ``deal_anew`` promises holds of them; and where that refuses the rules, cards
    that are hidden change places as they lie now, and the pack is none that deals them so. Each world is a match of
    its own: what agents draw in it, and the deals that follow, are others than in the next.
    """
    s = views._s  # pyright: ignore[reportPrivateUsage]  # nobody else looks behind a view
    rows = np.repeat(views.game, count)
    decision = (views.uniform(_STREAM + stream) * 2.0**53).astype(np.uint64)
    keys = key(0, _STREAM, (np.repeat(decision, count), np.tile(np.arange(count), len(views))))
    worlds = Batch(views.rules, 0, (keys >> ONE).astype(np.int64), validate=False)
    matches = worlds.state.match.copy()
    worlds.state.put(np.arange(len(rows)), s.take(rows))
    worlds.state.match[:] = matches
    _deal(views.tables, s, worlds.state, rows, s.to_act[rows].astype(np.int64), keys)
    return worlds


def _deal(t: Tables, s: State, worlds: State, rows: IntArray, seats: IntArray, keys: UInt64Array) -> None:
    """Deal anew in ``worlds``, copies of the ``rows`` of ``s``; ``keys``: ``(k,)`` the randomness of each."""
    live = np.flatnonzero(worlds.phase != Phase.OVER)
    if not len(live):
        return
    pairs, which = np.unique(np.stack([rows[live], seats[live]]), axis=1, return_inverse=True)
    knowledge = _Knowledge(t, s.take(pairs[0]), pairs[1])
    which = which.reshape(-1)
    kinds, kind = np.unique(knowledge.sizes, axis=0, return_inverse=True)
    kind = kind.reshape(-1)[which]
    for number, sizes in enumerate(kinds.tolist()):
        alike = np.flatnonzero(kind == number)
        for start in range(0, len(alike), CHUNK):
            part = alike[start : start + CHUNK]
            here = live[part]
            world = _World(knowledge, which[part], keys[here]).dealt(*sizes)
            world.match[:] = worlds.match[here]
            worlds.put(here, world)


def are_partial(rules: Rules) -> bool:
    """Whether worlds show more of the real deal than the seat knows (``deal_anew`` says what), and so are fewer."""
    return _is_simple(rules) or rules.exchange in _KEPT_TYPES


def _is_simple(rules: Rules) -> bool:
    """Whether discards lie open and are robbed, so that only cards change places that are hidden now."""
    return rules.rob_discards and rules.discard_face_up


@dataclass(frozen=True)
class _Joint:
    """Conditions on several cards at once: ``(u, seats)``, and which of the games have any."""

    needs_trump: BoolArray
    worthless: IntArray
    """So many trumps without points at least are in the hand."""
    surplus: BoolArray
    """A trump laid aside face down tells of a hand full of trumps."""
    few: IntArray
    """1: the seat had so few trumps that it was asked to fold; 0: it had more; -1: nothing known."""
    strong_bid: BoolArray
    """``(u,)`` the declarer holds what the bid 28-56 needs, of a suit that is not known."""
    kitty: BoolArray
    """``(u,)`` a point trump is laid aside by the declarer only when it has nothing else."""
    asked: BoolArray
    """``(u,)`` another seat is choosing cards: it must have a choice."""
    any: BoolArray


class _Knowledge:
    """What is certain for one seat of each of u games: the sets that its worlds must respect.

    Arrays are ``(places in the pack, u)``. ``place`` orders them: hands that the seat does not see come first.
    """

    def __init__(self, t: Tables, s: State, looking: IntArray) -> None:
        self.t, self.s, self.looking = t, s, looking
        seats, u = t.rules.seats, len(looking)
        self.rows = np.arange(u)
        self.trump = s.trump.astype(np.int64)
        named = self.trump != NONE
        whole = from_cards(t.pack.tolist())
        self.trumps = np.where(named, t.trumps[self.trump], EMPTY)
        self.plain = whole & ~self.trumps
        self.point_cards = np.where(named, t.point_cards[self.trump], EMPTY)
        self.begun = s.step != NONE
        self.playing = s.trick != NONE
        self.place_of = (np.arange(seats) - s.dealer[:, None] - 1) % seats  # (u, seats) from eldest
        self.turn = np.where(s.to_act == NONE, seats, self.place_of[self.rows, s.to_act])
        self.pack = s.pack.T.astype(np.int64)
        self.card = BIT[self.pack]
        self._find_zones()
        self._find_fates()
        self._find_limits()
        self.joint = self._find_joint()
        self._sort()

    # --- where cards came from

    def _find_zones(self) -> None:
        """``zone``: the seat whose own cards a place was dealt to (0 … S-1), drew it (S … 2S-1), 2S the rest of the
        stock after the fills, 2S+1 nobody yet."""
        t, s, rules = self.t, self.s, self.t.rules
        seats, u = rules.seats, len(self.rows)
        self.rest, self.unseen, self.gave_first = 2 * seats, 2 * seats + 1, 2 * seats + 2
        zone = np.full((len(t.pack), u), self.unseen, np.int64)
        seat_at = (s.dealer[:, None] + 1 + np.arange(seats)) % seats  # (u, seats) by place from eldest
        dealt = s.phase != Phase.DARK
        for place, positions in enumerate(t.deal_positions):
            zone[positions] = np.where(dealt, seat_at[:, place], self.unseen)
        held = np.bitwise_or.reduce(s.hand | s.laid_aside | s.shown, axis=1)
        for place, positions in enumerate(t.widow_positions):
            seen = self.card[positions] & held != EMPTY
            zone[positions] = np.where(seen, seat_at[:, place], self.unseen)
        if rules.kitty:
            first = t.deal_positions.size
            taken = (s.kitty == EMPTY) & (s.declarer != NONE) & dealt
            zone[first : first + rules.kitty] = np.where(taken, s.declarer, self.unseen)
        position = np.arange(len(t.pack))[:, None]
        if rules.dealt_after_trump:
            for place in range(seats):
                start = t.stock_start + place * rules.dealt_after_trump
                zone[start : start + rules.dealt_after_trump] = np.where(self.begun, seat_at[:, place], self.unseen)
        self.filled = np.zeros(u, np.bool_)
        if rules.exchange in _FILLS:
            stocked = (s.robber != NONE) | (s.stock != EMPTY) | self.playing | (s.stock_next > t.stock_start)
            self.filled = self.begun & stocked
            drawn = self._counts("drawn")
            end = np.full(u, t.stock_start)
            for place in range(seats):
                seat = seat_at[:, place]
                fills = self.filled & self._is_filled(seat)
                more = np.where(fills, drawn[self.rows, seat], 0)
                there = (position >= end) & (position < end + more)
                zone = np.where(there, seats + seat, zone)
                end = end + more
            zone = np.where(self.filled & (position >= end), self.rest, zone)
        self.zone = zone

    def _is_filled(self, seat: IntArray) -> BoolArray:
        exchange = self.t.rules.exchange
        if exchange is Exchange.FILL:
            return np.ones(len(seat), np.bool_)
        return seat != (self.s.declarer if exchange is Exchange.WIDOW else self.s.dealer)

    def _counts(self, name: str) -> IntArray:
        """``(u, seats)`` a public count."""
        mark = self.t.layout.mark(name)
        word, shift = divmod(mark.start, 64)
        field = self.t.thermometer[mark.width] << np.uint64(shift)
        return count(self.s.marks[:, :, word] & field).astype(np.int64)

    def _is_marked(self, name: str) -> BoolArray:
        """``(u, seats)`` a public mark of one bit; no where the variant has none."""
        if all(mark.name != name for mark in self.t.layout.marks):
            return np.zeros((len(self.rows), self.t.rules.seats), np.bool_)
        return has_mark(self.t, self.s, self.rows, name)

    # --- what became of them

    def _find_fates(self) -> None:
        """``code``: the sets of ``_columns`` that a card is in, as bits; ``cat``: the kind of fate, as one bit.

        Kinds: kept by the seat that was dealt it or drew it (bit = seat; it may have given it away since), laid aside
        before the draw (S + seat), left in the stock (2S), with nobody yet (2S + 1), given before the draw
        (2S + 2 + seat).
        """
        s, rules, seats = self.s, self.t.rules, self.t.rules.seats
        code = np.zeros_like(self.card)
        for bit, column in enumerate(self._columns(s)):
            code |= (self.card & column != EMPTY).astype(np.uint64) << np.uint64(bit)
        self.code = code
        kind = np.full(self.card.shape, self.unseen)
        kind = np.where(self.card & s.stock != EMPTY, self.rest, kind)
        laid_first = s.open & (self.plain | np.where(rules.surplus in (*_DISCARDS, Surplus.NONE), _ALL, EMPTY))
        for seat in range(seats):
            kept = s.hand[:, seat] | s.shown[:, seat]
            aside = s.laid_aside[:, seat] & ~kept
            if rules.rob_discards:
                others = np.bitwise_or.reduce(np.delete(s.hand | s.shown, seat, axis=1), axis=1) | s.stock
                aside = aside & ~others
            if rules.drop_out is DropOut.MAY_FOLD:  # folded cards were kept until then
                folded = (self.zone != seat) | (s.dealer == seat)
                kind = np.where((self.card & aside != EMPTY) & folded, seat, kind)
                first = (self.card & aside != EMPTY) & ~folded
                aside = np.where(first, self.card, EMPTY).sum(axis=0, dtype=np.uint64)
            if rules.discard_face_up:
                first = s.shown[:, seat] & laid_first
                aside, kept = aside | first, kept & ~first
            kind = np.where(self.card & kept != EMPTY, seat, kind)
            kind = np.where(self.card & aside != EMPTY, seats + seat, kind)
        if s.gave.shape[1]:  # the kind goes by the seat that had it first
            given = np.bitwise_or.reduce(s.gave, axis=1)
            first = np.where(self.zone < seats, self.zone, np.where(self.zone < 2 * seats, self.zone - seats, kind))
            first = np.where((self.zone == self.rest) & (s.robber != NONE), s.robber, first)
            early = self.gave_first if rules.exchange is Exchange.GIVE_FILL_AND_KEEP else 0  # before anybody drew
            kind = np.where(self.card & given != EMPTY, first + early, kind)
        self.kind = kind
        self.cat = ONE << kind.astype(np.uint64)

    @staticmethod
    def _columns(s: State) -> list[UInt64Array]:
        """The sets of which worlds have others."""
        by_seat = (s.hand, s.laid_aside, s.gave, s.received)
        return [*(sets[:, seat] for sets in by_seat for seat in range(sets.shape[1])), s.stock, s.kitty]

    # --- what they may be

    def _find_limits(self) -> None:
        """``fits_place``, ``fits_fate``: the cards that may be there; ``to_trump``, ``to_plain``: kinds of fates that
        a trump (another card) of a place may have met."""
        t, s, rules, seats = self.t, self.s, self.t.rules, self.t.rules.seats
        robber = s.robber.astype(np.int64)
        shown = np.bitwise_or.reduce(s.shown, axis=1) | s.open | (s.called & self._held_called())
        own_cards = s.hand[self.rows, self.looking] | s.laid_aside[self.rows, self.looking]
        known = shown | s.hand[self.rows, self.looking]
        if rules.rob_discards:  # what became of its own discards it does not know
            known |= own_cards & ~s.stock & ~np.bitwise_or.reduce(s.hand | s.shown, axis=1)
        else:
            known |= own_cards
        known |= np.where(robber == self.looking, s.stock, EMPTY)
        self.known = known

        free = self._hand_limits()
        fits = np.full(self.card.shape, from_cards(t.pack.tolist()))
        for seat in range(seats):
            in_hand = self.card & s.hand[:, seat] != EMPTY
            fits = np.where(in_hand, free[:, seat], fits)
            aside = (self.card & s.laid_aside[:, seat] != EMPTY) & ~in_hand & (self.kind == seats + seat)
            fits = np.where(aside & ~self._trumps_laid_aside(seat), self.plain, fits)
            if rules.drop_out is DropOut.MAY_FOLD:  # who folds has no trump
                folded = (self.card & s.laid_aside[:, seat] != EMPTY) & (self.kind == seat)
                fits = np.where(folded, self.plain & free[:, seat], fits)
        if s.gave.shape[1]:
            fits = np.where(self._changed_hands(), fits & self._same_sort(), fits)
            for sets in (s.gave, s.received):  # which cards it gave and was given the seat knows, wherever they are
                own = sets[self.rows, self.looking]
                fits = np.where(self.card & own != EMPTY, fits & own, fits & ~own)
        if rules.discards_count:
            fits = np.where((self.kind == self.rest) & self.playing, self.plain, fits)
        self.fits_fate = np.where(self.card & known != EMPTY, self.card, fits)

        own_zone = (self.zone == self.looking) | (self.zone == seats + self.looking)
        saw_rest = (self.zone == self.rest) & (robber == self.looking) & (not rules.rob_discards)
        laid = self._laid_all_plain()
        fits = np.full(self.card.shape, from_cards(t.pack.tolist()))
        to_trump, to_plain = np.zeros_like(self.cat), np.zeros_like(self.cat)
        is_trump = self.card & self.trumps != EMPTY
        after_rob = np.full(len(self.rows), EMPTY)
        if rules.rob_discards:
            taken = (ONE << s.dealer.astype(np.uint64)) | (ONE << np.uint64(self.rest))
            after_rob = np.where(self.filled, taken, EMPTY)
        for seat in range(seats):
            mine = self.zone == seat
            keeps, lays = ONE << np.uint64(seat), ONE << np.uint64(seats + seat)
            gives = ONE << np.uint64(self.gave_first + seat)
            discards = self._trumps_laid_aside(seat)
            plain_to = np.where(laid[:, seat], lays, keeps | lays)
            trump_to = keeps | lays | gives
            # How many of its cards were plain is public; or else the stock ran out and plain cards came back.
            certain = laid[:, seat] & ~discards
            certain |= laid[:, seat] & (mine & (self.card & self.plain != EMPTY) & (self.kind == seat)).any(axis=0)
            certain |= self.begun & (rules.exchange in _KEPT_TYPES)
            fits = np.where(mine & certain, np.where(is_trump, self.trumps, self.plain), fits)
            plain_to = np.where(certain, keeps | lays, plain_to)
            of_others = np.where(s.dealer == seat, EMPTY, after_rob)
            if rules.rob_discards and rules.exchange is not Exchange.CHOOSE_AND_ROB:
                rest = ONE << np.uint64(self.rest)
                to_trump = np.where(mine, trump_to | of_others & ~rest, to_trump)
            else:
                to_trump = np.where(mine, trump_to | of_others, to_trump)
            to_plain = np.where(mine, plain_to | of_others, to_plain)
            drew = self.zone == seats + seat
            to_trump = np.where(drew, keeps, to_trump)
            to_plain = np.where(drew, keeps, to_plain)
        left = ONE << np.uint64(self.rest)
        took = np.where(robber == NONE, EMPTY, ONE << np.maximum(robber, 0).astype(np.uint64))
        laid_later = np.where(robber == NONE, EMPTY, ONE << (seats + np.maximum(robber, 0)).astype(np.uint64))
        in_rest = self.zone == self.rest
        trumps_stay = rules.exchange in (Exchange.FILL, Exchange.CHOOSE_AND_ROB)
        surplus = laid_later if rules.surplus in _DISCARDS or rules.exchange in _KEPT_TYPES else EMPTY
        to_trump = np.where(in_rest, took | surplus | (left if trumps_stay else EMPTY), to_trump)
        widow = laid_later if rules.exchange is Exchange.WIDOW else EMPTY
        to_plain = np.where(in_rest, took | left | widow, to_plain)
        if rules.exchange is Exchange.MIX:
            dealers = (self.zone == s.dealer) & self.filled
            to_plain = np.where(dealers, took | left, to_plain)
        nobody = self.zone == self.unseen
        unseen = ONE << np.uint64(self.unseen)
        to_trump, to_plain = np.where(nobody, unseen, to_trump), np.where(nobody, unseen, to_plain)
        fits = self._of_28_56(fits)
        self.fits_place = np.where(own_zone | saw_rest, self.card, fits)
        self.to_trump, self.to_plain = to_trump, to_plain

    def _held_called(self) -> UInt64Array:
        """The called card while it is in its holder's hand: all know whose."""
        return np.where(self.s.partner != NONE, np.bitwise_or.reduce(self.s.hand, axis=1), EMPTY)

    def _hand_limits(self) -> UInt64Array:
        """``(u, seats)`` the cards that each seat may hold, for all that is public."""
        t, s, rules, seats = self.t, self.s, self.t.rules, self.t.rules.seats
        free = np.full((len(self.rows), seats), from_cards(t.pack.tolist()))
        voids = t.layout.mark("void")
        for suit in range(N_SUITS):
            shown = s.marks[:, :, 0] >> np.uint64(voids.start + suit) & ONE != EMPTY
            suit_cards = np.where(self.trump == NONE, EMPTY, t.suit_cards[self.trump, suit])
            free = np.where(shown, free & ~suit_cards[:, None], free)
        trumps, points = self.trumps[:, None], self.point_cards[:, None]
        if rules.follow is Follow.TRUMPS_ONLY:
            free = np.where(self._is_marked("out"), free & ~trumps, free)
        dealer = np.arange(seats) == s.dealer[:, None]  # the dealer may lay aside again after robbing
        before = (s.phase == Phase.DISCARD)[:, None] & (self.place_of < self.turn[:, None]) & ~dealer
        done = self.playing[:, None] | self.begun[:, None] & (before | (self.filled[:, None] & ~dealer))
        pool = np.stack(
            [(self.kind == seat).sum(axis=0) if not s.gave.shape[1] else self._pool(seat) for seat in range(seats)],
            axis=1,
        )
        if rules.surplus is not Surplus.NONE and rules.exchange not in (Exchange.NONE, Exchange.WIDOW):
            chose = done if rules.exchange not in _FILLS or rules.keep_plain else self.playing[:, None]
            free = np.where(chose & (pool > rules.hand), free & trumps, free)
        if rules.surplus in _DISCARDS and not rules.rob_discards:
            free = self._after_open_surplus(free)
        if rules.surplus in (Surplus.BURY_FIRST_TRICK, *_IN_EACH_TRICK):
            buried = s.shown & s.open[:, None] & trumps
            two = np.where(self.trump == NONE, EMPTY, t.two[self.trump])[:, None]
            if rules.surplus is Surplus.BURY_LOWEST_EACH_TRICK:
                lower = self._weaker_than(buried & ~points)
                free = free & ~(lower & trumps & ~points)
            else:
                free = np.where(buried & two != EMPTY, free & points, free)
        if rules.opening_lead is OpeningLead.TRUMP:
            free = self._after_opening_lead(free)
        return free

    def _pool(self, seat: int) -> IntArray:
        return count(self.s.hand[:, seat] | self.s.shown[:, seat]).astype(np.int64)

    def _after_open_surplus(self, free: UInt64Array) -> UInt64Array:
        """Who has laid a trump aside face up holds trumps only; a point trump, only ones worth as much."""
        t, s, rules = self.t, self.s, self.t.rules
        laid = s.shown & s.open[:, None] & self.trumps[:, None]
        free = np.where(laid != EMPTY, free & self.trumps[:, None], free)
        if rules.surplus is Surplus.DISCARD:
            worth = t.points[np.maximum(self.trump, 0)]  # (u, cards)
            if rules.exchange is Exchange.SHED_AND_FOLD:  # the 2 goes first, whatever it is worth
                two = np.where(self.trump == NONE, EMPTY, t.two[self.trump])
                free = np.where(laid & two[:, None] != EMPTY, free & self.point_cards[:, None], free)
                laid = laid & ~two[:, None]
            most = (to_bool(laid[:, :, None], N_CARDS) * worth[:, None]).max(axis=2)  # (u, seats)
            enough = ((worth[:, None] >= most[:, :, None]) * BIT[:N_CARDS]).sum(axis=2, dtype=np.uint64)
            free = np.where(most > 0, free & enough, free)
        return free

    def _weaker_than(self, cards: UInt64Array) -> UInt64Array:
        """``(u, seats)`` the cards that the strongest of some trumps beats; none where there is none."""
        strength = self.t.strength[np.maximum(self.trump, 0) * (N_SUITS + 1)]  # (u, cards)
        most = (to_bool(cards[:, :, None], N_CARDS) * strength[:, None]).max(axis=2)
        return ((strength[:, None] < most[:, :, None]) * BIT[:N_CARDS]).sum(axis=2, dtype=np.uint64)

    def _after_opening_lead(self, free: UInt64Array) -> UInt64Array:
        """Who led a plain card to the first trick, where a trump must be led, has no trump."""
        s, seats = self.s, self.t.rules.seats
        first = s.trick_bits[:, 0] & ~np.bitwise_or.reduce(s.trick_bits[:, 1:], axis=1)
        first = np.where(s.trick == 0, s.in_trick, first)
        leader = s.declarer.astype(np.int64)
        for _ in range(seats - 1):  # a declarer who folded has not led
            leader = np.where(s.shown[self.rows, leader] & first == EMPTY, (leader + 1) % seats, leader)
        led = s.shown[self.rows, leader] & first & ~s.open
        plain = self.playing & (led != EMPTY) & (led & self.trumps == EMPTY)
        leads = np.arange(seats) == leader[:, None]
        return np.where(leads & plain[:, None], free & ~self.trumps[:, None], free)

    def _trumps_laid_aside(self, seat: int) -> BoolArray:
        """``(u,)`` whether a seat may have laid trumps aside face down."""
        rules = self.t.rules
        hidden_surplus = rules.surplus in _DISCARDS and not (rules.surplus_face_up or rules.discard_face_up)
        by_choice = rules.exchange in (Exchange.CHOOSE_AND_ROB, Exchange.KITTY, Exchange.WIDOW)
        robbed = rules.rob_discards & (self.s.dealer != seat)
        return np.full(len(self.rows), by_choice or hidden_surplus) | robbed

    def _laid_all_plain(self) -> BoolArray:
        """``(u, seats)`` who has had to lay aside all its plain cards."""
        rules, s = self.t.rules, self.s
        if rules.exchange not in _ALL_PLAIN_GO or rules.keep_plain:
            return np.zeros((len(self.rows), rules.seats), np.bool_)
        laid = np.repeat(self.begun[:, None], rules.seats, axis=1)
        if rules.exchange is Exchange.ROB and (rules.rob_discards or rules.surplus in _DISCARDS):  # each in its turn
            waiting = (s.phase == Phase.DISCARD) & ~self.filled
            laid &= ~(waiting[:, None] & (self.place_of > self.turn[:, None]))
        seats = np.arange(rules.seats)
        if rules.exchange is Exchange.MIX:
            laid &= seats != s.dealer[:, None]
        if rules.exchange is Exchange.WIDOW:
            laid &= seats != s.declarer[:, None]
        return laid

    def _changed_hands(self) -> BoolArray:
        """``(places, u)`` fates that keep their sort of card: see ``_KEPT_TYPES``; and cards given and folded hands."""
        if self.t.rules.exchange in _KEPT_TYPES:
            return np.broadcast_to(self.begun, self.card.shape)
        given = np.bitwise_or.reduce(self.s.gave, axis=1)
        out = self._is_marked("out")
        folded = np.bitwise_or.reduce(np.where(out, self.s.laid_aside, EMPTY), axis=1)
        return self.card & (given | folded) != EMPTY

    def _same_sort(self) -> UInt64Array:
        """Plain cards or trumps; where trumps have been given or laid aside face down, trumps worth the same."""
        t, s = self.t, self.s
        is_trump = self.card & self.trumps != EMPTY
        sort = np.where(is_trump, self.trumps, self.plain)
        moved = np.bitwise_or.reduce(np.concatenate([s.gave, s.laid_aside], axis=1), axis=1) & self.trumps != EMPTY
        if t.rules.exchange in _KEPT_TYPES and moved.any():
            worth = t.points[np.maximum(self.trump, 0)]
            own = worth[self.rows, self.pack]  # (places, u)
            for value in np.unique(worth).tolist():
                cards = ((worth == value) * BIT[:N_CARDS]).sum(axis=1, dtype=np.uint64)
                sort = np.where(moved & is_trump & (own == value), sort & cards, sort)
        return sort

    def _of_28_56(self, fits: UInt64Array) -> UInt64Array:
        """Once the declarer has named the suit of its bid 28-56 its cards are known: nobody else was dealt them."""
        t, s, rules = self.t, self.s, self.t.rules
        if not (rules.bid_28_56 and rules.bid_28_56_needs):
            return fits
        bound = (s.contract == t.actions.bid_of("28-56")) & (self.trump != NONE)
        needed = np.where(bound, t.bid_needs[self.trump], EMPTY)
        fits = np.where(self.card & needed != EMPTY, self.card, fits & ~needed)
        return fits

    # --- conditions on several cards

    def _find_joint(self) -> _Joint:
        t, s, rules, seats = self.t, self.s, self.t.rules, self.t.rules.seats
        u = len(self.rows)
        others = np.arange(seats) != self.looking[:, None]
        holding = others & (s.hand != EMPTY)
        worthless = np.zeros((u, seats), np.int64)
        if rules.surplus in _IN_EACH_TRICK:
            usual = rules.hand - s.trick[:, None] - (s.on_table != NONE)
            beyond = count(s.hand).astype(np.int64) - usual
            beyond -= s.hand & s.called[:, None] != EMPTY  # then the 2 may go instead
            worthless = np.where(holding & self.playing[:, None], np.maximum(beyond, 0), 0)
        worthless = np.maximum(worthless, self._to_bury_and_one())
        hidden = rules.surplus in _DISCARDS and not (rules.surplus_face_up or rules.discard_face_up)
        surplus = others & (hidden and not rules.rob_discards and rules.exchange not in _KEPT_TYPES)
        surplus &= s.laid_aside != EMPTY
        strong = np.zeros(u, np.bool_)
        if rules.bid_28_56 and rules.bid_28_56_needs:
            strong = (s.contract == t.actions.bid_of("28-56")) & (self.trump == NONE) & (s.declarer != self.looking)
            strong &= has_bid(t, s, self.rows, s.declarer, t.actions.bid_of("28-56"))
        kitty = (rules.exchange is Exchange.KITTY) & self.begun & (s.declarer != self.looking)
        in_exchange = np.isin(s.phase, [Phase.GIVE, Phase.DISCARD, Phase.ROB])
        needs_trump = self._who_needs_a_trump() & holding
        few = self._who_had_few_trumps()
        asked = in_exchange & (s.to_act != self.looking)
        some = needs_trump.any(axis=1) | (worthless > 0).any(axis=1) | surplus.any(axis=1) | (few >= 0).any(axis=1)
        return _Joint(needs_trump, worthless, surplus, few, strong, kitty, asked, some | strong | kitty | asked)

    def _to_bury_and_one(self) -> IntArray:
        """``(u, seats)`` one trump without points more than it must bury, for another seat that is choosing."""
        s, rules = self.s, self.t.rules
        asked = (np.arange(rules.seats) == s.to_act[:, None]) & (s.phase == Phase.BURY)[:, None]
        asked &= np.arange(rules.seats) != self.looking[:, None]
        beyond = count(s.hand).astype(np.int64) - (rules.hand - s.trick[:, None])
        due = beyond
        if rules.surplus is not Surplus.BURY_FIRST_TRICK:
            due = np.maximum(beyond - (rules.hand - 1 - s.trick[:, None]), 1)
        return np.where(asked, due + 1, 0)

    def _who_needs_a_trump(self) -> BoolArray:
        """``(u, seats)`` seats that would have left the deal without a trump."""
        s, rules = self.s, self.t.rules
        none = np.zeros((len(self.rows), rules.seats), np.bool_)
        if not self.playing.any():
            return none
        on_table = np.where(s.on_table == NONE, EMPTY, BIT[s.on_table])
        trump_down = on_table & self.trumps[:, None] != EMPTY
        asked = (np.arange(rules.seats) == s.to_act[:, None]) & (s.led != NONE)[:, None]  # and has not laid down
        if rules.drop_out is DropOut.CANNOT_FOLLOW_TRUMP:
            return asked & (s.led == s.trump)[:, None]
        if rules.follow is Follow.TRUMPS_ONLY:
            return self.playing[:, None] & ~self._is_marked("out") & ~trump_down
        if rules.drop_out is DropOut.NO_TRUMP:
            return (s.trick >= 1)[:, None] & ~trump_down
        if rules.drop_out is DropOut.LAY_DOWN:
            number = np.maximum(s.trick, 0)
            bits = number[:, None] >> np.arange(4) & 1
            last = np.bitwise_and.reduce(np.where(bits, s.trick_bits, ~s.trick_bits), axis=1)
            before = s.shown & last[:, None] & ~s.open[:, None] & self.plain[:, None] != EMPTY
            before &= (s.trick >= 1)[:, None]
            leads = np.arange(rules.seats) == s.leader[:, None]
            plain_down = (on_table != EMPTY) & ~trump_down
            return (on_table == EMPTY) & (before | asked) | plain_down & (~leads | before)
        return none

    def _who_had_few_trumps(self) -> IntArray:
        """3.4 king-pedro-ukrainian: who was asked to fold, and who was not."""
        s, rules, seats = self.s, self.t.rules, self.t.rules.seats
        few = np.full((len(self.rows), seats), NONE)
        if rules.exchange is not Exchange.SHED_AND_FOLD:
            return few
        out, declined = self._is_marked("out"), self._is_marked("declined")
        asking = s.phase == Phase.GIVE
        past = self.begun[:, None] & (~asking[:, None] | (self.place_of < self.turn[:, None]))
        now = asking[:, None] & (self.place_of == self.turn[:, None])
        partner = (np.arange(seats) + seats // 2) % seats
        partner_left_before = out[:, partner] & (self.place_of[:, partner] < self.place_of)
        others = (np.arange(seats) != self.looking[:, None]) & (np.arange(seats) != s.declarer[:, None])
        few = np.where(past & others & ~partner_left_before, (out | declined).astype(np.int64), few)
        return np.where(now & others, 1, few)

    # --- order

    def _sort(self) -> None:
        """Order the places: hidden hands first, then shown cards that may have come from elsewhere, then all else that
        is hidden, then what is known."""
        t, s = self.t, self.s
        hidden = self.fits_fate != self.card
        movable = self.fits_place != self.card
        in_hand = self.card & np.bitwise_or.reduce(s.hand, axis=1) != EMPTY
        group = np.where(hidden & in_hand, 0, np.where(hidden, 2, np.where(movable, 1, 3)))
        ends = np.stack([(group <= g).sum(axis=0) for g in range(3)], axis=1)
        rounded = np.minimum(-(-ends // _STEP) * _STEP, len(group))  # so that more games have the same sizes
        self.sizes: Int64Array = np.concatenate([rounded, self.joint.any[:, None]], axis=1).astype(np.int64)
        """``(u, 4)`` how many places at the head of the order are in a hidden hand, or movable, or hidden (rounded up:
        what cannot move among them does not), and whether there are joint conditions."""
        # Within a group by seat from the looking one on, so that games of a kind have their seats at the same places.
        seat = np.where(self.kind < t.rules.seats, (self.kind - self.looking) % t.rules.seats, self.kind)
        order = np.argsort(group * (self.kind.max(initial=0) + 1) + seat, axis=0, kind="stable")
        self.position = order
        for name in ("card", "zone", "kind", "cat", "code", "fits_fate", "fits_place", "to_trump", "to_plain"):
            setattr(self, name, np.take_along_axis(getattr(self, name), order, axis=0))
        self.swaps_fates = bool(s.gave.shape[1]) or t.rules.rob_discards


@lru_cache(maxsize=256)
def _orders(size: int, kind: int) -> Int64Array:
    """``(ROUNDS, size)`` the order in which places are paired: always the same, so that only the coins are chance."""
    return key(size, kind, (np.arange(ROUNDS)[:, None], np.arange(size))).argsort(axis=1)


class _World:
    """n worlds being dealt; world i is of game ``which[i]`` of the knowledge, and ``keys[i]`` is all its randomness.

    Arrays are ``(places, n)``, by fate: whatever has met the fate of the card that lay there in the original.
    """

    def __init__(self, knowledge: _Knowledge, which: IntArray, keys: UInt64Array) -> None:
        self.k, self.which, self.keys = knowledge, which, keys
        k = knowledge
        self.tossed = 0
        """Words of coins that each world has used."""
        self.card = np.ascontiguousarray(k.card[:, which])
        """The card that has met each fate."""
        self.place = np.repeat(np.arange(len(self.card), dtype=np.uint8)[:, None], len(which), axis=1)
        """And the place that it came from."""
        self.cat = np.ascontiguousarray(k.cat[:, which])
        self.fits_fate = np.ascontiguousarray(k.fits_fate[:, which])
        self.trumps = k.trumps[which]
        self.joint = k.joint.any[which]
        everywhere = np.arange(len(self.card))
        self.fits_place = self._fits_place(everywhere, everywhere)
        """The cards that may have come from a place and met a fate of the present kind."""
        self.fits = self.fits_place & self.fits_fate

    def dealt(self, hands: int, kept: int, free: int, careful: int) -> State:
        """Deal, and put the states together."""
        exchanges: list[tuple[IntArray, Callable[[IntArray, int], None]]] = [
            (_orders(hands, _CARDS), self._swap_cards),
            (_orders(hands, _ROTATED), self._rotate_cards),
            (self._by_kind(kept), self._swap_places),
            (_orders(hands, _CARDS_AGAIN), self._swap_cards),
            (_orders(free, _CARDS), self._swap_cards),
        ]
        if _is_simple(self.k.t.rules):
            exchanges = [exchanges[0], exchanges[4]]
        elif self.k.swaps_fates:
            exchanges.append((_orders(free, _FATES), self._swap_fates))
        slow = bool(careful) or self.k.swaps_fates
        for number in range(ROUNDS * SLOW if slow else ROUNDS):
            for orders, exchange in exchanges:
                self._round(orders[number % ROUNDS], bool(careful), exchange)
        return self._state()

    def _by_kind(self, size: int) -> Int64Array:
        """``(ROUNDS, size, n)`` the first places in random order, but by kind of fate: neighbours exchange places,
        and only cards with fates of one kind may. They count in the flat arrays of all worlds."""
        games, game = np.unique(self.which, return_inverse=True)
        rank = self.k.kind[:size, games] * size + _orders(size, _PLACES).argsort(axis=1)[:, :, None]
        order = rank.argsort(axis=1)
        order[1::2] = np.roll(order[1::2], 1, axis=1)  # other neighbours
        n = len(self.which)
        return order[:, :, game.reshape(-1)] * n + np.arange(n)

    # --- exchanges

    def _round(self, order: IntArray, careful: bool, exchange: Callable[[IntArray, int], None]) -> None:
        """One kind of exchange among some places; taken back in worlds where it breaks a joint condition."""
        if len(order) < 2:
            return
        if not careful:
            exchange(order, 1)
            return
        moving = (self.card, self.place, self.fits_place, self.fits)
        before = [values.copy() for values in moving]
        exchange(order, 3)
        broken = np.flatnonzero(self.joint)
        broken = broken[~self._holds(broken)]
        for now, then in zip(moving, before, strict=True):
            now[:, broken] = then[:, broken]

    def _coins(self, number: int, tosses: int) -> BoolArray:
        """``(number, n)``, each world's own: true with probability 1/2, or 1/8 after three tosses: then few exchanges
        are made at a time."""
        words = np.full(len(self.keys), _ALL)
        for _ in range(tosses):
            self.tossed += 1
            words &= mix(self.keys + np.uint64(self.tossed * _ODD % 2**64))
        return to_bool(words[:, None], number).T

    def _fits_place(self, a: IntArray, b: IntArray) -> UInt64Array:
        """The cards that may have come from the places of ``a`` and met fates of the kind of ``b``."""
        k, cat, place = self.k, self.cat[b], self.place[a].astype(np.int64)
        trumps = np.where(k.to_trump[place, self.which] & cat != EMPTY, self.trumps, EMPTY)
        others = np.where(k.to_plain[place, self.which] & cat != EMPTY, ~self.trumps, EMPTY)
        fits: UInt64Array = k.fits_place[place, self.which]
        return fits & (trumps | others)

    def _swap_cards(self, order: IntArray, tosses: int) -> None:
        """Two places, with their fates, exchange their cards."""
        half = len(order) // 2
        a, b = order[:half], order[half : 2 * half]
        card_a, card_b = self.card[a], self.card[b]
        ok = (self.fits[a] & card_b != EMPTY) & (self.fits[b] & card_a != EMPTY)
        ok &= self._coins(len(ok), tosses)
        change = (card_a ^ card_b) * ok
        self.card[a] = card_a ^ change
        self.card[b] = card_b ^ change

    def _rotate_cards(self, order: IntArray, tosses: int) -> None:
        """Three places pass their cards on: what no chain of swaps may reach.

        Either way round with the same probability: otherwise worlds that can be left but not reached so would be rare.
        """
        third = len(order) // 3
        places = [order[:third], order[third : 2 * third], order[2 * third : 3 * third]]
        cards = [self.card[place] for place in places]
        onwards = self._coins(third, 1)
        passed = [np.where(onwards, cards[i - 1], cards[(i + 1) % 3]) for i in range(3)]
        ok = self._coins(third, tosses)
        for i, place in enumerate(places):
            ok &= self.fits[place] & passed[i] != EMPTY
        for i, place in enumerate(places):
            self.card[place] = np.where(ok, passed[i], cards[i])

    def _swap_places(self, order: IntArray, tosses: int) -> None:
        """Two cards keep their fates, of one kind, and exchange the places that they came from."""
        half = len(order) // 2
        a, b = order[: 2 * half : 2], order[1 : 2 * half : 2]
        fits_place, fits_fate, place = self.fits_place.reshape(-1), self.fits_fate.reshape(-1), self.place.reshape(-1)
        card, cat = self.card.reshape(-1), self.cat.reshape(-1)
        place_a, place_b, fate_a, fate_b = fits_place[a], fits_place[b], fits_fate[a], fits_fate[b]
        fits_a, fits_b = place_b & fate_a, place_a & fate_b
        ok = (fits_a & card[a] != EMPTY) & (fits_b & card[b] != EMPTY)
        ok &= cat[a] == cat[b]
        ok &= self._coins(half, tosses)
        a, b = a[ok], b[ok]
        place[a], place[b] = place[b], place[a]
        fits_place[a], fits_place[b] = place_b[ok], place_a[ok]
        self.fits.reshape(-1)[a], self.fits.reshape(-1)[b] = fits_a[ok], fits_b[ok]

    def _swap_fates(self, order: IntArray, tosses: int) -> None:
        """Two cards keep their places and exchange their fates."""
        half = len(order) // 2
        a, b = order[:half], order[half : 2 * half]
        place_a, place_b = self._fits_place(b, a), self._fits_place(a, b)
        ok = place_b & self.fits_fate[b] & self.card[a] != EMPTY
        ok &= place_a & self.fits_fate[a] & self.card[b] != EMPTY
        ok &= self._coins(len(ok), tosses)
        for values in (self.card, self.place):
            self._swap(values, a, b, ok)
        for here, fits in ((a, place_a), (b, place_b)):
            self.fits_place[here] = np.where(ok, fits, self.fits_place[here])
            self.fits[here] = self.fits_place[here] & self.fits_fate[here]

    @staticmethod
    def _swap(values: np.ndarray, a: IntArray, b: IntArray, ok: BoolArray) -> None:
        first, second = values[a], values[b]
        change = (first ^ second) * ok
        values[a] = first ^ change
        values[b] = second ^ change

    # --- conditions on several cards

    def _holds(self, worlds: IntArray) -> BoolArray:
        """``(k,)`` whether some worlds keep all joint conditions."""
        k, which = self.k, self.which[worlds]
        t, s, joint, seats = k.t, k.s, k.joint, k.t.rules.seats
        card, code = self.card[:, worlds], k.code[:, which]
        trumps, points = k.trumps[which], k.point_cards[which]
        holds = np.ones(len(worlds), np.bool_)
        for seat in range(seats):
            hand = self._union(card, code, seat)
            if joint.needs_trump[which, seat].any():
                holds &= ~joint.needs_trump[which, seat] | (hand & trumps != EMPTY)
            if joint.worthless[which, seat].any():
                free = hand & trumps & ~points & ~s.called[which]
                holds &= count(free) >= joint.worthless[which, seat]
            if joint.surplus[which, seat].any():
                aside = self._union(card, code, seats + seat) & trumps
                pool = hand | s.shown[which, seat] & ~s.open[which]
                kept = self.cat[:, worlds] == ONE << np.uint64(seat)
                kept &= (self._zones(worlds) == seat) | (s.dealer[which] == seat)  # before the others drew
                full = count(np.where(kept, card, EMPTY).sum(axis=0, dtype=np.uint64) & trumps) >= t.rules.hand
                full &= self._is_full(aside, pool, trumps, which)
                holds &= ~joint.surplus[which, seat] | full | (aside == EMPTY)
            few = joint.few[which, seat]
            if (few >= 0).any():
                own = np.where(self._zones(worlds) == seat, card, EMPTY).sum(axis=0, dtype=np.uint64) & trumps
                number = count(own)
                two = own & t.two[np.maximum(k.trump[which], 0)] != EMPTY
                holds &= (few < 0) | (((number <= 1) | ((number == 2) & two)) == (few == 1))
            declares = s.declarer[which] == seat
            if (joint.strong_bid[which] & declares).any():
                strong = (~hand[:, None] & t.bid_needs == EMPTY).any(axis=1)
                holds &= ~(joint.strong_bid[which] & declares) | strong
            if (joint.kitty[which] & declares).any():
                aside = self._union(card, code, seats + seat)
                pool = hand | s.shown[which, seat]
                fine = (aside & points == EMPTY) | (pool & ~points == EMPTY)
                choosing = s.phase[which] == Phase.DISCARD
                holds &= ~(joint.kitty[which] & declares) | fine | (choosing & (aside == EMPTY))
        if joint.asked[which].any():
            world = self._state_of(worlds)
            holds &= ~joint.asked[which] | self._asks(world)
        return holds

    def _is_full(self, aside: UInt64Array, pool: UInt64Array, trumps: UInt64Array, which: IntArray) -> BoolArray:
        """Whether all that a seat kept are trumps, and none is worth less than one that it has laid aside."""
        t = self.k.t
        full = pool & ~trumps == EMPTY
        if t.rules.surplus is Surplus.DISCARD:
            worth = t.points[np.maximum(self.k.trump[which], 0)]
            most = (to_bool(aside[:, None], N_CARDS) * worth).max(axis=1)
            least = np.where(to_bool(pool[:, None], N_CARDS), worth, np.iinfo(np.int8).max).min(axis=1)
            full &= least >= most
        return full

    def _asks(self, world: State) -> BoolArray:
        """Whether the seat that is choosing cards has a choice; writes it down."""
        t = self.k.t
        asked = np.ones(len(world.phase), np.bool_)
        program: tuple[Step, ...] = program_of(t)
        for index, step in enumerate(program):
            rows = np.flatnonzero((world.step == index) & np.isin(world.phase, [Phase.GIVE, Phase.DISCARD, Phase.ROB]))
            if isinstance(step, Choose) and len(rows):
                seats = world.to_act[rows].astype(np.int64)
                for before in program[:index]:  # what it had to do first is done
                    if isinstance(before, Choose):
                        cards, least = before.cards(t, world, rows, seats)
                        asked[rows] &= (before.seat(t, world, rows) != seats) | (cards == EMPTY) | (least <= 0)
                cards, least = step.cards(t, world, rows, seats)
                asked[rows] &= (cards != EMPTY) & ~((least > 0) & (count(cards) <= least))
                world.choice[rows] = cards
                world.may_stop[rows] = least <= 0
        return asked

    # --- the states

    def _zones(self, worlds: IntArray) -> IntArray:
        """The zone that each card came from (``_Knowledge.zone``)."""
        return self.k.zone[self.place[:, worlds].astype(np.int64), self.which[worlds]]

    @staticmethod
    def _union(card: UInt64Array, code: UInt64Array, bit: int) -> UInt64Array:
        """The cards whose code has a bit; all are distinct, so that a sum is a set."""
        return (card * (code >> np.uint64(bit) & ONE)).sum(axis=0, dtype=np.uint64)

    def _state(self) -> State:
        state = self._state_of(np.arange(len(self.which)))
        self._asks(state)
        return state

    def _state_of(self, worlds: IntArray) -> State:
        """Copies of the games with other cards in hands, laid aside, given, in the stock, in the kitty and undealt."""
        k, which = self.k, self.which[worlds]
        card, code = self.card[:, worlds], k.code[:, which]
        s = k.s.take(which)
        seats, gives = k.t.rules.seats, s.gave.shape[1]
        bit = 0
        for sets in (s.hand, s.laid_aside, *((s.gave, s.received) if gives else ())):
            for seat in range(seats):
                sets[:, seat] = self._union(card, code, bit)
                bit += 1
        s.stock[:] = self._union(card, code, bit)
        s.kitty[:] = self._union(card, code, bit + 1)
        zone = self._zones(worlds)
        if k.t.rules.rob_discards and not _is_simple(k.t.rules):
            # Who laid a card aside goes on knowing it, whoever has it now.
            for seat in range(seats):
                dealt = np.where(zone == seat, card, EMPTY).sum(axis=0, dtype=np.uint64)
                aside = dealt & ~s.hand[:, seat] & ~s.shown[:, seat]
                s.laid_aside[:, seat] = np.where(k.filled[which] & (s.dealer != seat), aside, s.laid_aside[:, seat])
        position = k.position[self.place[:, worlds].astype(np.int64), which]
        self._lay_pack(s, card, self.cat[:, worlds], zone, position)
        if k.t.rules.keeper:
            self._find_keeper(s)
        return s

    def _lay_pack(self, s: State, card: UInt64Array, cat: UInt64Array, zone: IntArray, position: IntArray) -> None:
        """The pack that deals it. Where an order among cards matters it comes out right: of a seat's cards those that
        came back were dealt last; of the rest of the stock those that were taken lie on top."""
        kept = cat < ONE << np.uint64(self.k.t.rules.seats)
        late = np.where(zone == self.k.rest, ~kept, kept)
        base = zone * N_CARDS * 2
        cards = np.bitwise_count(card - ONE).T  # a single bit's number
        order = np.argsort((base + late * N_CARDS + position).T, axis=1)
        places = np.argsort((base + position).T, axis=1)
        rows = np.arange(len(cards))[:, None]
        s.pack[rows, position.T[rows, places]] = cards[rows, order]

    def _find_keeper(self, s: State) -> None:
        """RULES 7.6: the seat that held the 2 when the play began; one that was shown is known."""
        two = np.where(s.trump == NONE, EMPTY, self.k.t.kept_two[s.trump])
        holds = s.hand & two[:, None] != EMPTY
        shown = np.bitwise_or.reduce(s.shown, axis=1) & two != EMPTY
        keeper = np.where(holds.any(axis=1), holds.argmax(axis=1), NONE)
        s.keeper[:] = np.where((s.trick == NONE) | shown, s.keeper, keeper)
