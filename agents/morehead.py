"""``morehead``: the bidding conventions that Morehead's rules printed in 1956, with simple play.

A bid tells one's partner what one holds: with a pedro (a five) the lowest bid, with the ace and three or four more of
the suit one more, with ace and king two more (5, 6, 7 where they were printed; 7, 8, 9 in ``pedro``). A seat bids so
only where that beats the standing bid and passes otherwise; a dealer who must bid makes the lowest bid.

The play looks at nothing but the trick: the highest trump out is led; a trick that partner is winning gets
points; one that can be won is won by the cheapest card that does; otherwise the least useful card goes.

The conventions need a five and the two highest trumps, which every variant has. Decisions that ``pedro`` does not have
(gives, calls, folds …) are made by the value of the cards alone.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from pedro_env.actions import FIRST_BID, FIRST_SUIT, PASS, Phase
from pedro_env.cards import N_CARDS, N_RANKS, N_SUITS
from pedro_env.cardset import BIT, count, from_cards
from pedro_env.rules import Rules, Teams
from pedro_env.tables import TRUMP_STRENGTH, Tables, tables_of
from pedro_env.typing import BoolArray, Int64Array, IntArray, UInt64Array
from pedro_env.views import Views

NOTHING, PEDRO, ACE, ACE_KING = -1, 0, 1, 2
"""What a suit is worth a bid for: so many steps above the lowest bid."""
ACE_NEEDS = 3
"""More cards of the suit with which an ace is worth a bid."""

_NEVER = 1 << 20


class MoreheadAgent:
    """See the module's text. Keeps no state and uses no randomness."""

    sees_everything = False

    def __init__(self, rules: Rules) -> None:
        self.name = "morehead"
        self._tables = _tables(rules)

    def act(self, views: Views) -> IntArray:
        """``(k,)`` a legal action for each decision."""
        actions = np.full(len(views), -1, np.int64)
        for phases, decide in (
            ((Phase.BID,), self._bid),
            ((Phase.TRUMP,), self._name_trumps),
            ((Phase.PLAY,), self._play),
            ((Phase.ROB, Phase.CALL), self._take),
            ((Phase.DISCARD, Phase.GIVE, Phase.BURY), self._lay_aside),
            ((Phase.DARK,), _pass),
        ):
            rows = np.flatnonzero(np.isin(views.phase, phases))
            if len(rows) == len(views):
                return decide(views)
            if len(rows):
                actions[rows] = decide(views.take(rows))
        return actions

    # --- the auction

    def _bid(self, views: Views) -> IntArray:
        worth, suit = self._best_suit(views.hand, np.ones((len(views), N_SUITS), np.bool_))
        bid = self._tables.bids[suit, worth]
        legal = views.mask
        rows = np.arange(len(views))
        bids_so = (worth > NOTHING) & legal[rows, bid]
        return np.where(bids_so, bid, np.where(legal[:, PASS], PASS, self._lowest_bid(legal, suit)))

    def _lowest_bid(self, legal: BoolArray, suit: Int64Array) -> Int64Array:
        """The lowest legal number, in the best suit where bids name one."""
        t = self._tables
        cost = t.bid_number * 2 + (t.bid_suit != suit[:, None])
        return FIRST_BID + np.where(legal[:, FIRST_BID : FIRST_BID + len(t.bid_number)], cost, _NEVER).argmin(axis=1)

    def _name_trumps(self, views: Views) -> IntArray:
        _, suit = self._best_suit(views.hand, views.mask[:, FIRST_SUIT : FIRST_SUIT + N_SUITS])
        return FIRST_SUIT + suit

    def _best_suit(self, hand: UInt64Array, legal: BoolArray) -> tuple[Int64Array, Int64Array]:
        """The suit that a hand bids for, and what it is worth a bid for."""
        t, hands = self._tables, hand[:, None]
        ace, king = (hands & t.ace) != 0, (hands & t.king) != 0
        pedro = (hands & t.pedros) != 0
        length = count(hands & t.trumps).astype(np.int64)
        more = length - ace
        worth = np.where(pedro, PEDRO, NOTHING)
        worth = np.where(ace & (more >= ACE_NEEDS), ACE, worth)
        worth = np.where(ace & king, ACE_KING, worth)
        points = count(hands & t.point_cards).astype(np.int64)
        order = np.where(legal, (worth * 64 + length) * 64 + points, -_NEVER)
        suit = order.argmax(axis=1)
        return worth[np.arange(len(suit)), suit], suit

    # --- the exchange

    def _take(self, views: Views) -> IntArray:
        """The most useful card; ``done`` where it may stop and no trump is left to take."""
        best = np.where(views.mask[:, :N_CARDS], self._use(views), -1).argmax(axis=1)
        return self._or_done(views, best, want_trump=True)

    def _lay_aside(self, views: Views) -> IntArray:
        """The least useful card; ``done`` where it may stop and only trumps are left."""
        worst = np.where(views.mask[:, :N_CARDS], self._use(views), _NEVER).argmin(axis=1)
        return self._or_done(views, worst, want_trump=False)

    def _or_done(self, views: Views, card: Int64Array, want_trump: bool) -> IntArray:
        done = self._tables.done
        no_card = ~views.mask[np.arange(len(card)), card]
        if done < 0:
            return np.where(no_card, _first_legal(views), card)
        is_trump = (BIT[card] & self._tables.trumps[views.trump]) != 0
        stop = views.mask[:, done] & (no_card | (is_trump != want_trump))
        return np.where(stop, done, np.where(no_card, _first_legal(views), card))

    def _use(self, views: Views) -> Int64Array:
        return self._tables.use[np.maximum(views.trump, 0)]

    # --- the play

    def _play(self, views: Views) -> IntArray:
        t, k = self._tables, len(views)
        trump = views.trump.astype(np.int64)
        strength = t.strength[trump, views.led.astype(np.int64) + 1]
        played = views.trick_cards >= 0
        best = np.where(played, strength[np.arange(k)[:, None], views.trick_cards], 0).max(axis=1)
        stakes = np.where(played, t.trick_points[trump[:, None], views.trick_cards], 0).sum(axis=1)
        last = count(views.in_trick) == views.rules.seats - 1
        partner = self._partner_wins(views)
        leading = views.in_trick == 0

        use = t.use[trump]
        points = t.trick_points[trump]
        wins = strength > best[:, None]
        cost = use.copy()
        # Win as cheaply as possible where it is worth a trump, or costs none.
        worth_it = (stakes > 0) | last
        cheap = wins & (worth_it[:, None] | (strength < TRUMP_STRENGTH))
        cost -= np.where(cheap & ~partner[:, None], 2 * _TRUMP_USE, 0)
        # A five only takes a trick that nobody can take back.
        risky = (points >= t.big) & (strength < t.sure_strength) & ~last[:, None]
        cost += np.where(wins & risky, 3 * _TRUMP_USE, 0)
        # Points to partner, the greatest first, without taking the trick away.
        sure = partner & (last | (best >= t.sure_strength))
        cost -= np.where(sure[:, None] & ~wins, (points + (points > 0)) * _TRUMP_USE, 0)
        cost = np.where(leading[:, None], self._lead_cost(views, use), cost)
        return np.where(views.mask[:, :N_CARDS], cost, _NEVER).argmin(axis=1)

    def _lead_cost(self, views: Views, use: Int64Array) -> Int64Array:
        """The highest trump that is out, otherwise the least useful card."""
        trumps = self._tables.trumps[views.trump]
        gone = np.bitwise_or.reduce(views.shown, axis=1) | views.hand
        mine = self._tables.strength[views.trump, 0]
        others = (self._tables.members & (trumps & ~gone)[:, None]) != 0
        highest_out = np.where(others, mine, 0).max(axis=1)
        leads = (mine >= TRUMP_STRENGTH) & (mine > highest_out[:, None]) & (highest_out > 0)[:, None]
        return np.where(leads, -mine, use)

    def _partner_wins(self, views: Views) -> BoolArray:
        if views.rules.teams is not Teams.PARTNERS:
            return np.zeros(len(views), np.bool_)
        return views.winning == 2


_TRUMP_USE = 1 << 10
"""More than a plain card's use."""


class _Tables(NamedTuple):
    """The constant arrays of a game: those of the rules, and what the conventions make of them."""

    trumps: UInt64Array
    point_cards: UInt64Array
    strength: Int64Array
    """``(4, 5, 54)`` by trump, led + 1 and card, as in ``Tables``."""
    trick_points: Int64Array
    """``(4, 54)``"""
    members: UInt64Array
    """``(54,)`` each card as a set."""
    ace: UInt64Array
    """``(4,)`` by suit, as a set; so are the next two."""
    king: UInt64Array
    pedros: UInt64Array
    bids: Int64Array
    """``(4, 4)`` by suit and worth: the action that says it. The last column, for nothing, is a pass."""
    bid_number: Int64Array
    """``(bids,)``"""
    bid_suit: Int64Array
    use: Int64Array
    """``(4, 54)`` by trump: how useful a card is, plain cards by rank, trumps by points and strength."""
    big: int
    """The points of a five."""
    sure_strength: int
    """The third highest trump: what partner then wins with is hardly ever beaten."""
    done: int


@lru_cache(maxsize=64)
def _tables(rules: Rules) -> _Tables:
    t = tables_of(rules)
    strength = t.strength.reshape(N_SUITS, N_SUITS + 1, N_CARDS).astype(np.int64)
    ranked = [np.argsort(strength[suit, 0])[::-1] for suit in range(N_SUITS)]
    return _Tables(
        trumps=t.trumps,
        point_cards=t.point_cards,
        strength=strength,
        trick_points=t.trick_points[:, :N_CARDS].astype(np.int64),
        members=BIT[:N_CARDS],
        ace=np.array([BIT[cards[0]] for cards in ranked]),
        king=np.array([BIT[cards[1]] for cards in ranked]),
        pedros=np.array([_pedros(t, suit) for suit in range(N_SUITS)]),
        bids=np.array([[_bid_action(t, suit, worth) for worth in (0, 1, 2, -1)] for suit in range(N_SUITS)]),
        bid_number=t.bid_numbers[:-1].astype(np.int64),
        bid_suit=t.bid_suits[:-1].astype(np.int64),
        use=_use(t, strength[:, 0]),
        big=int(dict(rules.points).get("5", 1)),
        sure_strength=int(strength[0, 0].max()) - 2,
        done=t.actions.id_of("done"),
    )


def _pedros(t: Tables, suit: int) -> np.uint64:
    fives = [N_RANKS * s + 3 for s in range(N_SUITS)]
    return from_cards([card for card in fives if t.suit_of[suit, card] == suit])


def _bid_action(t: Tables, suit: int, worth: int) -> int:
    """The action that bids ``worth`` more than the lowest bid for a suit; a pass where there is none."""
    number = t.rules.min_bid + worth
    for index, bid in enumerate(t.actions.bids):
        if worth >= 0 and bid.number == number and bid.suit in (-1, suit):
            return FIRST_BID + index
    return PASS


def _use(t: Tables, strength: Int64Array) -> Int64Array:
    trump = strength >= TRUMP_STRENGTH
    rank = np.arange(N_CARDS) % N_RANKS
    # A low plain card is the first to go, then higher ones, then trumps without points, then those with.
    return np.where(trump, _TRUMP_USE + strength + 128 * (t.points > 0) + 16 * t.points, rank)


def _pass(views: Views) -> IntArray:
    return np.where(views.mask[:, PASS], PASS, _first_legal(views))


def _first_legal(views: Views) -> Int64Array:
    return views.mask.argmax(axis=1)
