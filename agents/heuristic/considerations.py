"""What is looked at before a card is played: the considerations whose weights are in the tables.

Each is a name and a number for every card that may be played, ``(k, C)``. Points are scaled to a deal of 14; a *five*
is a card worth a trick on its own, a *small point* another point card, a *boss* a trump that no unseen trump beats.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from agents.heuristic.choices import Choice
from agents.heuristic.knowledge import PARTNER, Floats, Knowledge, Values, values_of
from pedro_env.cards import N_RANKS
from pedro_env.typing import BoolArray, UInt64Array
from pedro_env.views import Views

Consideration: TypeAlias = tuple[str, Floats]

SURE = 0.98
"""A chance that is as good as certain."""
_DECLARERS_ACE, _DECLARERS_KING = 1.5, 0.5
"""How many more trumps' worth of chance there is that the declarer, who chose the suit, holds an ace or king unseen."""
_MOST_ADDED = 6
"""A seat adds one card to a trick, hence no more than a five (and what a point more or less may stand for)."""


@dataclass(frozen=True, eq=False)
class Cards:
    """The cards to choose from, among those of the hand and those unseen. All ``(k, C)`` or ``(k, 1)``."""

    value: Floats
    """Points for the side that wins the trick."""
    trump: BoolArray
    five: BoolArray
    small: BoolArray
    two: BoolArray
    """The 2 that counts for its holder wherever it falls (RULES 2.2)."""
    boss: BoolArray
    above: Floats
    """Unseen trumps above it, where it is a trump."""
    own_above: Floats
    own_below: Floats
    trumps_left: Floats
    """Own trumps once it is played; the next two likewise."""
    fives_left: Floats
    bosses_left: Floats
    suit_left: Floats
    """Other cards of its plain suit in the hand."""
    plain_rank: Floats
    """0 … 1; 0 for a trump."""
    unseen: Floats
    """Trumps that are unseen."""
    unseen_fives: Floats
    unseen_points: Floats


@dataclass(frozen=True, eq=False)
class Trick:
    """How the trick may go on with each card. All ``(k, C)`` or ``(k, 1)``."""

    win: Floats
    """Chance that the own side wins it."""
    swing: Floats
    """-1 … 1 for the same."""
    table: Floats
    """Points that lie on it."""
    plain_above: Floats
    """Unseen plain cards that would beat what is best now."""
    partner_adds: Floats
    """Points that partner may still add, at most; opponents likewise."""
    opponents_add: Floats
    through: Floats
    """Unseen fives that an opponent who is still to play could win with."""
    partner_wins: BoolArray
    """Partner has the best card so far."""


@dataclass(frozen=True, eq=False)
class Bid:
    """What the trick would make of the bid. All ``(k, C)`` or ``(k, 1)``."""

    open: BoolArray
    """Neither made nor lost yet."""
    needed: Floats
    """Points that the bidding side needs."""
    won: BoolArray
    """Winning the trick settles it in the own side's favour (makes the own bid, sets the other side's)."""
    lost: BoolArray
    """Losing the trick settles it against the own side."""


def considerations(views: Views, known: Knowledge, choice: Choice) -> Iterator[Consideration]:
    """Name and value ``(k, C)`` of everything that is looked at, in the order of the weights."""
    cards = _cards(views, known, choice)
    trick = _trick(views, known, choice, cards)
    yield from _about_the_bid(_bid(views, trick, cards), trick, cards)
    yield from _about_points(trick, cards)
    yield from _about_partner(views, known, trick, cards, _bid(views, trick, cards))
    yield from _about_the_trick(trick, choice)
    yield from _about_the_card(trick, cards, choice)
    yield from _about_what_is_left(known, trick, cards, choice)


def _about_the_bid(bid: Bid, trick: Trick, cards: Cards) -> Iterator[Consideration]:
    yield "wins the bid", bid.won * trick.win
    yield "loses the bid", bid.lost * (1 - trick.win)
    yield "wins the bid, surely", _f(bid.won & (trick.win > SURE))
    yield "loses the bid, surely", _f(bid.lost & (trick.win < 1 - SURE))
    yield "bid open, stake", bid.open * trick.swing * (trick.table + cards.value)


def _about_points(trick: Trick, cards: Cards) -> Iterator[Consideration]:
    yield "win, points on the table", trick.swing * trick.table
    yield "win, its own five", trick.swing * cards.value * cards.five
    yield "win, its own small point", trick.swing * cards.value * cards.small
    yield "five", _f(cards.five)
    yield "small point", _f(cards.small)
    yield "five on a sure trick", _f(cards.five & (trick.win > SURE))
    yield "five on a lost trick", _f(cards.five & (trick.win < 1 - SURE))
    yield "small point on a sure trick", _f(cards.small & (trick.win > SURE))


def _about_partner(views: Views, known: Knowledge, trick: Trick, cards: Cards, bid: Bid) -> Iterator[Consideration]:
    chance = known.chance[:, PARTNER]
    yield "win, partner may add", trick.win * trick.partner_adds
    wanted = np.minimum(trick.partner_adds, np.maximum(bid.needed, 0))
    yield "win, partner may add what the bid needs", trick.win * bid.open * wanted
    yield "partner may hold a higher one", cards.trump * (1 - _none_of(chance, cards.above))
    yield "partner may hold the only higher one", (cards.trump & (cards.above == 1)) * chance[:, None]


def _about_the_trick(trick: Trick, choice: Choice) -> Iterator[Consideration]:
    yield "loss, opponents may add", (1 - trick.win) * trick.opponents_add
    yield "win, opponents must add", trick.win * trick.opponents_add
    yield "lets a five through", trick.through  # a good third hand cinches: it plays above the five
    yield "win", trick.win
    yield "sure to win", _f(trick.win > SURE)
    yield "takes the lead", _f(choice.takes)


def _about_the_card(trick: Trick, cards: Cards, choice: Choice) -> Iterator[Consideration]:
    yield "trump", _f(cards.trump)
    yield "boss", _f(cards.boss)
    yield "second highest", _f(cards.trump & (cards.above == 1))
    yield "third highest", _f(cards.trump & (cards.above == 2))
    yield "share of trumps above", cards.trump * cards.above / np.maximum(cards.unseen, 1)
    yield "own trumps above", cards.trump * cards.own_above
    yield "own trumps below", cards.trump * cards.own_below
    yield "the two", _f(cards.two)
    yield "lowest trump", _f(cards.trump & (cards.own_below == 0))
    yield "highest trump", _f(cards.trump & (cards.own_above == 0))
    yield "plain rank", cards.plain_rank
    yield "plain boss", _f(~cards.trump & (trick.plain_above == 0) & choice.takes)
    yield "last of its plain suit", _f(~cards.trump & (cards.suit_left == 0))
    yield "over partner", _f(choice.takes & trick.partner_wins)
    yield "over partner who would win", choice.takes * trick.partner_wins * trick.win


def _about_what_is_left(known: Knowledge, trick: Trick, cards: Cards, choice: Choice) -> Iterator[Consideration]:
    opponents_trumps = known.expected[:, 1::2].sum(axis=1, keepdims=True)
    partners_trumps = known.expected[:, PARTNER, None]
    yield "boss, others left", cards.boss * cards.bosses_left
    yield "lead, bosses left", choice.takes * cards.bosses_left
    yield "lead, fives to protect", choice.takes * cards.fives_left
    yield "trump, fives to protect", (cards.trump & ~cards.five) * cards.fives_left
    yield "trump, trumps left", cards.trump * cards.trumps_left
    yield "last trump", _f(cards.trump & (cards.trumps_left == 0))
    yield "trump, opponents' trumps", cards.trump * opponents_trumps
    yield "trump, partner's trumps", cards.trump * partners_trumps
    yield "boss, opponents' trumps", cards.boss * opponents_trumps
    yield "boss, fives out", cards.boss * cards.unseen_fives
    yield "boss, partner's trumps", cards.boss * partners_trumps
    yield "boss, opponents down to one", _f(cards.boss & (opponents_trumps < 1.5))
    yield "five, trumps above", cards.five * cards.above
    yield "five, trumps out", cards.five * cards.unseen
    yield "small point, trumps above", cards.small * cards.above
    yield "fives kept, bosses kept", cards.fives_left * cards.bosses_left
    yield "lead, points out", choice.takes * cards.unseen_points
    yield "lead, no trump out", _f(choice.takes & (cards.unseen == 0))
    yield "trump, no trump out", _f(cards.trump & (cards.unseen == 0))


def _cards(views: Views, known: Knowledge, choice: Choice) -> Cards:
    tables, values = views.tables, values_of(views.rules)
    trump = views.trump.astype(np.int64)
    column = trump[:, None]
    own = (views.hand & known.trumps)[:, None]
    rest = own & ~choice.bit
    unseen = known.unseen_trumps[:, None]
    is_trump = _has(choice.bit, known.trumps[:, None])
    higher = values.beats[column, 0, choice.card]
    above = _count(higher & unseen)
    own_above = _count(higher & own)
    boss = is_trump & (above == 0)
    big, small = values.big[trump][:, None], values.small[trump][:, None]
    suit = tables.suit_cards[column, tables.suit_of[column, choice.card]]
    fives = _count(unseen & big)
    return Cards(
        value=values.value[column, choice.card],
        trump=is_trump,
        five=_has(choice.bit, big),
        small=_has(choice.bit, small),
        two=_has(choice.bit, tables.kept_two[trump][:, None]),
        boss=boss,
        above=above,
        own_above=own_above,
        own_below=_count(own) - own_above - is_trump,
        trumps_left=_count(rest),
        fives_left=_count(rest & big),
        bosses_left=(boss & choice.there).sum(axis=1, keepdims=True, dtype=np.float32) - boss,
        suit_left=_count(views.hand[:, None] & suit & ~choice.bit) * ~is_trump,
        plain_rank=_f(np.where(is_trump, 0, (choice.card % N_RANKS) / (N_RANKS - 1))),
        unseen=_count(unseen),
        unseen_fives=fives,
        unseen_points=5 * fives + _count(unseen & small),
    )


def _trick(views: Views, known: Knowledge, choice: Choice, cards: Cards) -> Trick:
    values = values_of(views.rules)
    seats = views.hand_size.shape[1]
    # Seats 1, 2, … are still to play, as many as cards are missing after this one.
    seat = np.arange(seats)
    after = (seat >= 1) & (seat < seats - choice.place[:, None])
    stays = _stays(views, known, choice, values)
    safe = np.ones_like(cards.value)  # no opponent who is still to play beats what is best now
    for opponent in range(1, seats, 2):
        safe *= np.where(after[:, opponent, None], stays[opponent], 1)
    partner_beats = np.where(after[:, PARTNER, None], 1 - stays[PARTNER], 0)
    partner_wins = (views.winning == PARTNER)[:, None]
    win = np.where(
        choice.takes | partner_wins,
        safe + (1 - safe) * 0.5 * partner_beats,
        partner_beats * (0.4 + 0.6 * safe),
    )
    adds = np.minimum(known.chance * cards.unseen_points, _MOST_ADDED) * after
    to_come = np.minimum((known.chance * after)[:, 1::2].sum(axis=1, keepdims=True), 1)
    unseen_fives = known.unseen_trumps & values.big[views.trump.astype(np.int64)]
    return Trick(
        win=_f(win),
        swing=_f(2 * win - 1),
        table=_on_the_table(views, values)[:, None],
        plain_above=_count(choice.over & ~known.trumps[:, None]),
        partner_adds=adds[:, PARTNER, None],
        opponents_add=adds[:, 1::2].sum(axis=1, keepdims=True),
        through=_count(choice.over & unseen_fives[:, None]) * to_come,
        partner_wins=partner_wins,
    )


def _stays(views: Views, known: Knowledge, choice: Choice, values: Values) -> dict[int, Floats]:
    """Chance ``(k, C)`` that each other seat cannot beat the best card of the trick."""
    ace, king = values.top[:, views.trump.astype(np.int64), None]
    trumps_over = choice.over & known.trumps[:, None]
    trumps = _count(trumps_over)
    plain = _count(choice.over & ~known.trumps[:, None])
    declarers = trumps + _DECLARERS_ACE * _has(trumps_over, ace) + _DECLARERS_KING * _has(trumps_over, king)
    return {
        seat: _none_of(known.chance[:, seat], np.where((views.declarer == seat)[:, None], declarers, trumps))
        * _none_of(known.plain_chance[:, seat], plain)
        for seat in range(1, views.hand_size.shape[1])
    }


def _bid(views: Views, trick: Trick, cards: Cards) -> Bid:
    """Points of both sides as they stand, with a kept 2 that is known, and what this trick would make of them."""
    scale = np.float32(14 / views.rules.total_points)
    two = views.tables.kept_two[views.trump.astype(np.int64)]
    shown = _has(views.shown, two[:, None])
    own_two = _has(views.hand, two) | shown[:, ::2].any(axis=1)
    own = (views.points[:, :1] + own_two[:, None]) * scale
    other = (views.points[:, 1:2] + shown[:, 1::2].any(axis=1, keepdims=True)) * scale
    declares = (views.declarer % 2 == 0)[:, None]
    number = np.maximum(views.contract_number, 1)[:, None] * scale
    needed = number - np.where(declares, own, other)
    to_spare = 14 - number - np.where(declares, other, own)
    is_open = (needed > 0) & (to_spare >= 0)
    stake = trick.table + cards.value
    makes, sets = is_open & (stake >= needed), is_open & (stake > to_spare)
    return Bid(is_open, _f(needed), np.where(declares, makes, sets), np.where(declares, sets, makes))


def _on_the_table(views: Views, values: Values) -> Floats:
    """``(k,)`` points in the trick."""
    card = views.trick_cards
    points = values.value[views.trump.astype(np.int64)[:, None], np.maximum(card, 0)]
    return (points * (card >= 0)).sum(axis=1)


def _none_of(chance: Floats, cards: Floats) -> Floats:
    """Chance that a seat ``(k,)`` holds none of some cards ``(k, C)``, each of which it holds with a chance."""
    return np.exp(np.log(np.maximum(1 - chance, 1e-6))[:, None] * cards)


def _has(sets: UInt64Array, cards: UInt64Array) -> BoolArray:
    return (sets & cards) != 0


def _count(sets: UInt64Array) -> Floats:
    return np.bitwise_count(sets).astype(np.float32)


def _f(x: np.ndarray) -> Floats:
    return x.astype(np.float32)
