"""Rules turned into constant arrays, once a ``Rules``: who ranks above whom, what is worth what, what must be followed.

The off-five, the off-jack and the jokers are entries here, so that the phases need no special case for them.
``trump`` and ``led`` are suit numbers; a table that may also be asked about "no suit" has that first (index suit + 1).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from pedro_env.actions import FIRST_BID, Actions, Bid, actions_of
from pedro_env.cards import BIG_JOKER, N_CARDS, N_RANKS, N_SUITS, NONE, RANKS, SMALL_JOKER, card_id, sister_suit
from pedro_env.cardset import BIT, ONE, from_cards
from pedro_env.layout import Layout, layout_of
from pedro_env.rules import Follow, Rules
from pedro_env.typing import BoolArray, Int8Array, Int16Array, Int64Array, UInt64Array

TRUMP_STRENGTH = 64
"""The lowest trump's strength; plain cards of the suit led are below, all others have 0."""


@dataclass(frozen=True, eq=False)
class Tables:
    """The constant arrays of one game."""

    rules: Rules
    actions: Actions
    layout: Layout

    pack: Int64Array
    """``(cards in the pack,)`` card numbers."""
    deal_positions: Int64Array
    """``(seats, dealt)`` positions in the shuffled pack of each seat's cards, counted from eldest, as dealt."""
    widow_positions: Int64Array
    """``(seats, own_widow)`` positions of the cards that each seat, from eldest, sees after its turn to bid."""
    stock_start: int
    """Position of the first card of the stock."""

    trumps: UInt64Array
    """``(4,)`` by trump: the set of trumps."""
    plain: UInt64Array
    """``(4,)`` by trump: the pack's other cards."""
    suit_of: Int8Array
    """``(4, 54)`` by trump and card: the suit that the card belongs to; -1 where it is not in the pack."""
    suit_cards: UInt64Array
    """``(4, 4)`` by trump and suit: the set of the cards that belong to the suit."""
    strength: Int8Array
    """``(20, 54)`` by situation and card: the highest wins the trick; 0 never does. Situation: 5 trump + led + 1."""
    points: Int8Array
    """``(4, 54)`` by trump and card: what the card is worth."""
    trick_points: Int8Array
    """``(4, 55)``: what it is worth to the side that wins the trick: without a 2 that its holder keeps (RULES 2.2).
    The last column, for no card, is 0."""
    point_cards: UInt64Array
    """``(4,)`` by trump: the set of point trumps."""
    kept_two: UInt64Array
    """``(4,)`` by trump: the 2 that counts for its holder's side; empty where the trick's winner gets it."""
    two: UInt64Array
    """``(4,)`` by trump: the 2 of trumps."""
    count_order: Int64Array
    """``(4, k)`` by trump: point trumps in the order in which points are counted (RULES 7.17)."""

    must: UInt64Array
    """``(20,)`` by situation: with one of these in hand a seat may only play ``may``."""
    may: UInt64Array
    """``(20,)``: see ``must``."""

    shows_void: UInt64Array
    """``(20, 54)`` by situation and card played: the suits (as bits) that it shows to be missing."""

    side_of: Int64Array
    """``(seats,)`` the side that a seat's score is kept in."""
    sides_of: Int16Array
    """``(seats, sides)`` the same as ones in a table of zeros."""
    all_stay: bool
    """Every seat is in the deal to its end."""
    playable: UInt64Array
    """``(4,)`` by trump: the cards that can be played at all (in ``pidro`` the trumps)."""
    bid_needs: UInt64Array
    """``(4,)`` by suit: cards to be held for the bid 28-56, which then must name the suit."""
    no_misdeal: np.uint64
    """The set of cards of which a hand must have none for a misdeal."""
    bid_numbers: Int16Array
    """``(bids + 1,)`` the points a bid promises; the last entry, for no bid, is 0."""
    bid_rewards: Int16Array
    """``(bids + 1,)`` what it scores when made; 0: the points taken."""
    bid_losses: Int16Array
    """``(bids + 1,)`` what it subtracts when set."""
    bid_wins: BoolArray
    """``(bids + 1,)`` made, it wins the match."""
    bid_suits: Int8Array
    """``(bids + 1,)`` the suit a bid names, -1."""
    higher_bids: UInt64Array
    """``(bids + 1, words)`` by standing bid + 1: the legal words with every bid above it, and no pass."""
    action_words: UInt64Array
    """``(actions + 1, words)`` the legal words with one action alone; none for the last, "no such action"."""

    mark_bit: UInt64Array
    """``(64 * mark words, mark words)`` a single mark by its place in a seat's marks."""
    thermometer: UInt64Array
    """``(64,)`` ``k`` ones from bit 0 on."""

    @property
    def legal_words(self) -> int:
        """64-bit words in a set of actions."""
        return self.action_words.shape[1]

    def word(self, name: str) -> UInt64Array:
        """``(words,)`` the legal words with one action of the rest alone; empty where the variant has none."""
        return self.action_words[self.actions.id_of(name)]


@lru_cache(maxsize=256)
def tables_of(rules: Rules) -> Tables:
    """The constant arrays of a game (computed once)."""
    actions, layout = actions_of(rules), layout_of(rules)
    pack = [card_id(suit, rank) for suit in range(N_SUITS) for rank in rules.ranks]
    pack += [BIG_JOKER, SMALL_JOKER][: rules.jokers]
    orders = [_trump_cards(rules, trump) for trump in range(N_SUITS)]
    whole = from_cards(pack)
    trumps = np.array([from_cards(order) for order in orders], np.uint64)
    suit_of = _suit_of(pack, orders)
    suit_cards = np.array(
        [[from_cards(np.flatnonzero(suit_of[t] == s).tolist()) for s in range(N_SUITS)] for t in range(N_SUITS)],
        np.uint64,
    )
    points, trick_points = _points(rules)
    kept_two = [from_cards([card_id(t, "2")] if rules.keeper else []) for t in range(N_SUITS)]
    must, may = _follow_tables(rules, trumps, suit_cards)
    positions, widow_positions, stock_start = _deal_positions(rules)
    higher, action_words = _action_words(actions)
    bids = (*actions.bids, Bid("", 0))
    mark_bits = 64 * layout.mark_words
    return Tables(
        rules=rules,
        actions=actions,
        layout=layout,
        pack=np.array(pack),
        deal_positions=positions,
        widow_positions=widow_positions,
        stock_start=stock_start,
        trumps=trumps,
        plain=whole & ~trumps,
        suit_of=suit_of,
        suit_cards=suit_cards,
        strength=_strength(rules, orders, suit_of),
        points=points,
        trick_points=trick_points,
        point_cards=np.array([from_cards(np.flatnonzero(row).tolist()) for row in points], np.uint64),
        kept_two=np.array(kept_two, np.uint64),
        two=np.array([from_cards([card_id(t, "2")]) for t in range(N_SUITS)], np.uint64),
        count_order=np.array([[_symbol_card(s, t) for s in rules.count_order] for t in range(N_SUITS)]),
        must=must,
        shows_void=_shows_void(rules, suit_of),
        may=may,
        side_of=np.arange(rules.seats) % rules.sides,
        sides_of=(np.arange(rules.seats)[:, None] % rules.sides == np.arange(rules.sides)).astype(np.int16),
        all_stay=rules.all_stay,
        playable=trumps if rules.follow is Follow.TRUMPS_ONLY else np.full(N_SUITS, whole),
        bid_needs=np.array([from_cards([card_id(s, rank) for rank in rules.bid_28_56_needs]) for s in range(N_SUITS)]),
        no_misdeal=from_cards(card for card in pack if card >= BIG_JOKER or RANKS[card % N_RANKS] in rules.misdeal),
        bid_numbers=np.array([bid.number for bid in bids], np.int16),
        bid_rewards=np.array([bid.reward for bid in bids], np.int16),
        bid_losses=np.array([bid.loss or bid.number for bid in bids], np.int16),
        bid_wins=np.array([bid.wins for bid in bids]),
        bid_suits=np.array([bid.suit for bid in bids], np.int8),
        higher_bids=higher,
        action_words=action_words,
        mark_bit=_single_bits(mark_bits, layout.mark_words),
        thermometer=np.append(BIT - ONE, ~np.uint64(0)),
    )


def _symbol_card(symbol: str, trump: int) -> int:
    """The card that a letter of the trump order means under a trump."""
    if symbol == "X":
        return BIG_JOKER
    if symbol == "x":
        return SMALL_JOKER
    if symbol in "jf":
        return card_id(sister_suit(trump), {"j": "J", "f": "5"}[symbol])
    return card_id(trump, symbol)


def _trump_cards(rules: Rules, trump: int) -> list[int]:
    return [_symbol_card(symbol, trump) for symbol in rules.trump_order]


def _suit_of(pack: list[int], orders: list[list[int]]) -> Int8Array:
    suit_of = np.full((N_SUITS, N_CARDS), NONE, np.int8)
    for trump, order in enumerate(orders):
        for card in pack:
            if card < BIG_JOKER:
                suit_of[trump, card] = card // N_RANKS
        suit_of[trump, order] = trump  # RULES 1: it belongs to the trump suit for every purpose
    return suit_of


def _strength(rules: Rules, orders: list[list[int]], suit_of: Int8Array) -> Int8Array:
    strength = np.zeros((N_SUITS, N_SUITS + 1, N_CARDS), np.int8)
    for trump, order in enumerate(orders):
        for led in range(N_SUITS):
            follows = np.flatnonzero(suit_of[trump] == led)
            # Where plain cards have no rank, none beats another, so that the leader's wins (RULES 3.3).
            strength[trump, led + 1, follows] = 1 + follows % N_RANKS if rules.plain_ranks else 1
        strength[trump, :, order[::-1]] = TRUMP_STRENGTH + np.arange(len(order))[:, None]
    return strength.reshape(-1, N_CARDS)


def _points(rules: Rules) -> tuple[Int8Array, Int8Array]:
    points = np.zeros((N_SUITS, N_CARDS), np.int8)
    for trump in range(N_SUITS):
        for symbol, value in rules.points:
            points[trump, _symbol_card(symbol, trump)] = value
    trick_points = np.pad(points, ((0, 0), (0, 1)))
    if rules.keeper:
        for trump in range(N_SUITS):
            trick_points[trump, card_id(trump, "2")] = 0
    return points, trick_points


def _follow_tables(rules: Rules, trumps: UInt64Array, suit_cards: UInt64Array) -> tuple[UInt64Array, UInt64Array]:
    """RULES 2.9 and its kin as two sets: holding one of ``must``, play one of ``may``; otherwise any card."""
    must = np.zeros((N_SUITS, N_SUITS + 1), np.uint64)
    may = np.zeros_like(must)
    for trump in range(N_SUITS):
        for led in range(N_SUITS):
            suit, trump_set = suit_cards[trump, led], trumps[trump]
            not_trump = ~trump_set
            nothing = np.uint64(0)
            plain_lead = {
                Follow.SUIT_OR_TRUMP: (suit, suit | trump_set),
                Follow.STRICT: (suit, suit),
                Follow.FREE: (nothing, nothing),
                Follow.PLAIN_FIRST: (not_trump, not_trump),
                Follow.TRUMPS_ONLY: (trump_set, trump_set),
            }[rules.follow]
            must[trump, led + 1], may[trump, led + 1] = (trump_set, trump_set) if led == trump else plain_lead
        if rules.follow is Follow.TRUMPS_ONLY:
            must[trump, 0] = may[trump, 0] = trumps[trump]
    return must.ravel(), may.ravel()


def _shows_void(rules: Rules, suit_of: Int8Array) -> UInt64Array:
    """What a card played to a lead tells, given what may be played: a suit that must be followed and was not."""
    shows = np.zeros((N_SUITS, N_SUITS + 1, N_CARDS), np.uint64)
    for trump in range(N_SUITS):
        plain_suits = [suit for suit in range(N_SUITS) if suit != trump]
        for led in range(N_SUITS):
            for card in np.flatnonzero(suit_of[trump] != NONE):
                suit = suit_of[trump, card]
                missing: list[int] = []
                if led == trump or rules.follow is Follow.STRICT:
                    missing = [led] if suit != led else []
                elif rules.follow is Follow.PLAIN_FIRST:
                    missing = plain_suits if suit == trump else []
                elif rules.follow is Follow.SUIT_OR_TRUMP:
                    missing = [led] if suit not in (led, trump) else []
                shows[trump, led + 1, card] = from_cards(missing)
    return shows.reshape(-1, N_CARDS)


def _deal_positions(rules: Rules) -> tuple[Int64Array, Int64Array, int]:
    """RULES 5: packets to each seat in turn until everyone has its cards, then kitty or widows, then the stock."""
    seats: list[list[int]] = [[] for _ in range(rules.seats)]
    position = 0
    while len(seats[-1]) < rules.dealt:
        for hand in seats:
            packet = min(rules.packet, rules.dealt - len(hand))
            hand.extend(range(position, position + packet))
            position += packet
    position += rules.kitty
    widows = position + np.arange(rules.seats * rules.own_widow).reshape(rules.seats, rules.own_widow)
    return np.array(seats), widows, position + widows.size


def _action_words(actions: Actions) -> tuple[UInt64Array, UInt64Array]:
    words = -(-actions.n // 64)
    single = _single_bits(64 * words, words)
    bids = len(actions.bids)
    higher = np.zeros((bids + 1, words), np.uint64)
    for standing in range(NONE, bids):
        above = single[FIRST_BID + standing + 1 : FIRST_BID + bids]
        higher[standing + 1] = np.bitwise_or.reduce(above, axis=0) if len(above) else 0
    nothing = np.zeros((1, words), np.uint64)
    return higher, np.concatenate([single[: actions.n], nothing])


def _single_bits(bits: int, words: int) -> UInt64Array:
    single = np.zeros((bits, words), np.uint64)
    places = np.arange(bits)
    single[places, places // 64] = BIT[places % 64]
    return single
