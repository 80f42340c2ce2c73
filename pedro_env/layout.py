"""The observation's layout: which bit means what, one layout a variant, and the suit symmetry of it.

An observation is a row of 64-bit words, unpacked to ``uint8`` zeros and ones. A word starts with a set of cards, or
with a seat's public marks; smaller fields fill the bits that are left over. Every field has a name and a slice, and
the table in ``docs/layouts.md`` is printed from here (``python -m pedro_env layouts``), so that it cannot drift.

Seats in names are relative to the observing seat: 0 itself, 1 its left, 2 (of four) its partner, 3 its right.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np

from pedro_env.actions import FIRST_BID, FIRST_SUIT, Phase, actions_of
from pedro_env.cards import N_CARDS, N_RANKS, N_SUITS
from pedro_env.rules import Exchange, Rules, Surplus, Teams
from pedro_env.typing import Int64Array

SCORE_BITS = 32
"""Bits of a score's thermometer."""
POINT_BITS = 24
"""At most so many bits in a thermometer of points taken."""
COUNTS = ("laid_aside", "drawn", "given", "buried")
"""Marks that are numbers."""
TARGET_BITS = 10
"""The target as a binary number, lowest bit first."""


@dataclass(frozen=True)
class Field:
    """A named run of bits in the observation."""

    name: str
    start: int
    width: int
    kind: str
    """``cards`` and ``suits`` follow a relabelling of the suits, ``bids`` too where bids name suits; ``plain`` not."""
    meaning: str

    @property
    def slice(self) -> slice:
        """The columns of the field in an observation."""
        return slice(self.start, self.start + self.width)


@dataclass(frozen=True)
class Mark:
    """A run of bits in a seat's public marks; the state keeps them as the observation shows them."""

    name: str
    start: int
    width: int
    kind: str
    meaning: str


@dataclass(frozen=True)
class Layout:
    """Where everything is in a variant's observation."""

    rules: Rules
    fields: tuple[Field, ...]
    marks: tuple[Mark, ...]
    mark_words: int
    """Words of marks a seat."""
    width: int
    """Columns of an observation: a multiple of 64. Columns of no field are always 0."""

    @cached_property
    def slices(self) -> dict[str, slice]:
        """The columns of each field, by name."""
        return {field.name: field.slice for field in self.fields}

    @cached_property
    def columns(self) -> Int64Array:
        """The columns that belong to a field, ascending: what a network needs to read."""
        return np.sort(np.concatenate([np.arange(f.start, f.start + f.width) for f in self.fields]))

    def mark(self, name: str) -> Mark:
        """A seat's mark by name; ``KeyError`` where the variant has none of it."""
        for mark in self.marks:
            if mark.name == name:
                return mark
        raise KeyError(name)

    def hash(self) -> str:
        """A short fingerprint of the observation's layout and the action numbering."""
        data = [[f.name, f.start, f.width] for f in self.fields], list(actions_of(self.rules).names), self.width
        return hashlib.sha256(json.dumps(data).encode()).hexdigest()[:16]

    def relabelled_columns(self, new_suit: tuple[int, int, int, int]) -> Int64Array:
        """Columns ``c`` such that ``observation[:, c]`` is the observation with suit ``s`` renamed ``new_suit[s]``.

        ``(width,)`` int64. A renaming must keep sister suits together where a variant has off-fives or off-jacks.
        """
        columns = np.arange(self.width)
        for field in self.fields:
            columns[field.slice] = field.start + self._old_places(field, new_suit)
        return columns

    def relabelled_actions(self, new_suit: tuple[int, int, int, int]) -> Int64Array:
        """Actions ``a`` such that ``mask[:, a]`` is the mask with suit ``s`` renamed ``new_suit[s]``."""
        actions = actions_of(self.rules)
        places = np.arange(actions.n)
        places[:N_CARDS] = _old_cards(new_suit, N_CARDS)
        places[FIRST_SUIT : FIRST_SUIT + N_SUITS] = FIRST_SUIT + np.argsort(new_suit)
        places[FIRST_BID : FIRST_BID + len(actions.bids)] = FIRST_BID + self._old_bids(new_suit)
        return places

    def _old_places(self, field: Field, new_suit: tuple[int, int, int, int]) -> Int64Array:
        if field.kind == "cards":
            return _old_cards(new_suit, field.width)
        if field.kind == "suits":
            return np.argsort(new_suit)
        if field.kind == "bids":
            return self._old_bids(new_suit)
        return np.arange(field.width)

    def _old_bids(self, new_suit: tuple[int, int, int, int]) -> Int64Array:
        bids = actions_of(self.rules).bids
        if not self.rules.bid_names_suit:
            return np.arange(len(bids))
        place = {(bid.number, new_suit[bid.suit]): i for i, bid in enumerate(bids)}
        return np.array([place[bid.number, bid.suit] for bid in bids])


def _old_cards(new_suit: tuple[int, int, int, int], width: int) -> Int64Array:
    old = np.arange(width)
    for suit, renamed in enumerate(new_suit):
        old[renamed * N_RANKS : (renamed + 1) * N_RANKS] = np.arange(suit * N_RANKS, (suit + 1) * N_RANKS)
    return old


@lru_cache(maxsize=256)
def layout_of(rules: Rules) -> Layout:
    """The layout of a game's observations."""
    builder = _Builder()
    cards = N_SUITS * N_RANKS + rules.jokers
    for name, meaning in _card_planes(rules):
        builder.new_word()
        builder.add(name, cards, "cards", meaning)
    marks = _marks(rules)
    mark_width = marks[-1].start + marks[-1].width
    for seat in range(rules.seats):
        builder.new_word()
        base = builder.end
        for mark in marks:
            builder.end = base + mark.start
            builder.add(f"{mark.name}_{seat}", mark.width, mark.kind, f"seat {seat}: {mark.meaning}")
    builder.close()
    for name, width, kind, meaning in _small_fields(rules):
        builder.fit(name, width, kind, meaning)
    return Layout(rules, tuple(builder.fields), marks, -(-mark_width // 64), 64 * len(builder.used))


class _Builder:
    """Places fields: first one after another, then into the first word with enough room."""

    def __init__(self) -> None:
        self.fields: list[Field] = []
        self.end = 0
        self.used: list[int] = []

    def new_word(self) -> None:
        self.end = -(-self.end // 64) * 64

    def add(self, name: str, width: int, kind: str, meaning: str) -> None:
        if width:
            self.fields.append(Field(name, self.end, width, kind, meaning))
            self.end += width

    def close(self) -> None:
        words = -(-self.end // 64)
        self.used = [0] * words
        for field in self.fields:
            for word in range(field.start // 64, (field.start + field.width - 1) // 64 + 1):
                self.used[word] = min(64, field.start + field.width - 64 * word)

    def fit(self, name: str, width: int, kind: str, meaning: str) -> None:
        if not width:
            return
        word = next((word for word, used in enumerate(self.used) if used + width <= 64), len(self.used))
        if word == len(self.used):
            self.used += [0] * -(-width // 64)
        start = 64 * word + self.used[word]
        self.fields.append(Field(name, start, width, kind, meaning))
        for w in range(word, (start + width - 1) // 64 + 1):
            self.used[w] = min(64, start + width - 64 * w)


def _card_planes(rules: Rules) -> list[tuple[str, str]]:
    gives = _gives(rules)
    planes = [
        ("hand", "cards in its own hand", True),
        ("laid_aside", "cards it laid aside itself, face down", rules.exchange is not Exchange.NONE),
        ("stock", "cards it saw when it robbed, and did not take", Phase.ROB in actions_of(rules).phases),
        ("gave", "cards it gave away", gives),
        ("received", "cards it was given", gives),
        ("called", "the card that the declarer called", rules.teams is Teams.CALLED),
        ("open", "cards laid open without being played: buried, laid aside face up, laid down", True),
        ("robbed", "cards laid aside face up that the dealer took", rules.rob_discards and rules.discard_face_up),
        ("in_trick", "cards in the trick that is being played", True),
        ("trick_bit_0", "cards of finished tricks; the trick's number from 1, lowest bit", True),
        ("trick_bit_1", "the same, second bit", True),
        ("trick_bit_2", "the same, third bit", True),
        ("trick_bit_3", "the same, fourth bit", rules.hand > 7),
        *((f"shown_{seat}", f"cards played or laid open by seat {seat}", True) for seat in range(rules.seats)),
    ]
    return [(name, meaning) for name, meaning, there in planes if there]


def _gives(rules: Rules) -> bool:
    return Phase.GIVE in actions_of(rules).phases


def stock_size(rules: Rules) -> int:
    """Cards that nobody is dealt before trumps are named."""
    pack = N_SUITS * len(rules.ranks) + rules.jokers
    return pack - rules.seats * (rules.dealt + rules.own_widow) - rules.kitty


def _most_drawn(rules: Rules) -> int:
    """The most cards that one seat can draw from stock or kitty."""
    stock = stock_size(rules)
    return {
        Exchange.NONE: 0,
        Exchange.FILL: rules.hand,
        Exchange.CHOOSE_AND_ROB: rules.hand,
    }.get(rules.exchange, rules.kitty or (0 if rules.dealt_after_trump or rules.own_widow else stock))


def _most_laid_aside(rules: Rules) -> int:
    """The most cards that one seat can lay aside."""
    if rules.exchange is Exchange.NONE:
        return 0
    own = rules.dealt + rules.own_widow + rules.dealt_after_trump + rules.kitty
    return own + (stock_size(rules) if rules.exchange in (Exchange.WIDOW, Exchange.MIX) else 0)


def _may_decline(rules: Rules) -> bool:
    return rules.exchange in (Exchange.WIDOW, Exchange.SHED_AND_FOLD)


def _most_given(rules: Rules) -> int:
    """The most cards that one seat can give away."""
    if rules.exchange is Exchange.WIDOW:
        return rules.dealt + stock_size(rules) - rules.hand
    return rules.hand + 6 if _gives(rules) else 0


def _marks(rules: Rules) -> tuple[Mark, ...]:
    actions = actions_of(rules)
    buries = rules.surplus in (Surplus.BURY_FIRST_TRICK, Surplus.BURY_EACH_TRICK, Surplus.BURY_LOWEST_EACH_TRICK)
    given = _most_given(rules)
    entries = [
        ("void", N_SUITS, "suits", "it has shown that it has none of this suit (S H D C)"),
        ("passed", 1, "plain", "it passed at its last turn in the auction"),
        ("out", int(not rules.all_stay), "plain", "it has left the deal"),
        ("laid_aside", _most_laid_aside(rules), "plain", "number of cards laid aside: as many ones"),
        ("drawn", _most_drawn(rules), "plain", "number of cards drawn: as many ones"),
        ("given", given, "plain", "number of cards given away: as many ones"),
        ("declined", int(_may_decline(rules)), "plain", "asked to fold or to give, it said that it was done"),
        ("buried", 8 if buries else 0, "plain", "number of cards buried: as many ones"),
        ("bid", len(actions.bids), "bids", "the bids it made, one bit a bid, in the order of the bids"),
    ]
    marks: list[Mark] = []
    start = 0
    for name, width, kind, meaning in entries:
        if width:
            if name in COUNTS and start % 64 + width > 64:
                start = -(-start // 64) * 64  # counts lie within a word, for the sake of speed
            marks.append(Mark(name, start, width, kind, meaning))
            start += width
    return tuple(marks)


def _small_fields(rules: Rules) -> list[tuple[str, int, str, str]]:
    actions = actions_of(rules)
    seats, sides = rules.seats, rules.sides
    side_name = "its side, then the other" if sides == 2 else "each seat from itself on"
    points = min(POINT_BITS, rules.total_points)
    step = point_step(rules)
    low, high = score_thresholds(rules)[0], score_thresholds(rules)[-1]
    return [
        ("phase", len(actions.phases), "plain", "the phase: " + ", ".join(p.word for p in actions.phases)),
        ("to_act", seats, "plain", "the seat to act"),
        ("dealer", seats, "plain", "the dealer"),
        ("declarer", seats, "plain", "the highest bidder so far, the declarer in the end"),
        ("leader", seats, "plain", "the leader of the trick"),
        ("winning", seats, "plain", "the seat that is winning the trick"),
        ("trump", N_SUITS, "suits", "the trump suit"),
        ("led", N_SUITS, "suits", "the suit led"),
        ("trick", rules.hand, "plain", "the number of the trick, from the first card to play on"),
        ("partner", seats if rules.teams is Teams.CALLED else 0, "plain", "the declarer's partner, once called"),
        ("alone", int(rules.may_play_alone), "plain", "the declarer plays alone"),
        ("bidder_out", 1, "plain", "the deal is played bidder out"),
        ("contract", len(actions.bids), "bids", "the highest bid so far, the contract in the end"),
        ("target", TARGET_BITS, "plain", "the score that ends the match, binary, lowest bit first"),
        *(
            (f"points_{side}", points, "plain", f"points taken in tricks, a bit for every {step} ({side_name})")
            for side in range(sides)
        ),
        *(
            (f"score_{side}", SCORE_BITS, "plain", f"match score, thermometer clipped to {low} … {high} ({side_name})")
            for side in range(sides)
        ),
    ]


def point_step(rules: Rules) -> int:
    """Points a bit in the thermometer of points taken."""
    return -(-rules.total_points // POINT_BITS)


def score_thresholds(rules: Rules) -> list[int]:
    """The scores at which the bits of a score's thermometer come on, ascending: ``SCORE_BITS`` of them.

    Half of them evenly over −target … target, half of them close below the target, where a point decides.
    """
    half = SCORE_BITS // 2
    fine_step = max(1, rules.total_points // 14)
    fine = [rules.target - fine_step * i for i in range(half)]
    coarse = [-rules.target + round(2 * rules.target * (i + 0.5) / half) for i in range(half)]
    thresholds = sorted(set(fine) | set(coarse))
    extra = rules.target + fine_step
    while len(thresholds) < SCORE_BITS:
        thresholds.append(extra)
        extra += fine_step
    return thresholds[:SCORE_BITS]
