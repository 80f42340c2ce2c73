"""A slow reference engine: one deal at a time, in plain Python, written from the rules page alone.

It is the oracle that the fast engine is compared with, so it shares no code with it. Every variant is a class
that says how it differs from its parent, in the words of the rules page; `[2.8]` in a comment cites section
2.8 of that page, `[3.4 lipton]` a paragraph of section 3, `[7.24]` a fine point.

A deal is one generator, `Pedro.run`, which reads from top to bottom like the rules: it yields an `Ask` for
every decision and is sent the action. `Deal` wraps it in an interface that tests can drive.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterable, Sequence
from typing import Any, ClassVar, NamedTuple

SUITS = "SHDC"
RANKS = "AKQJT98765432"
SUIT_RANK = "DCHS"  # [3.3 oregon] low to high within one number
SISTER = {"S": "C", "C": "S", "H": "D", "D": "H"}  # [1] the other suit of the same colour
BIG_JOKER, SMALL_JOKER = "XB", "XS"


class Ask(NamedTuple):
    """One decision: who is asked, in which phase, and what is allowed."""

    seat: int
    phase: str
    legal: frozenset[str]


Flow = Generator[Ask, str, Any]  # yields decisions, is sent the actions


def full_pack(ranks: str = RANKS, jokers: Sequence[str] = ()) -> list[str]:
    """An unshuffled pack."""
    return [rank + suit for suit in SUITS for rank in ranks] + list(jokers)


# --------------------------------------------------------------------------------------------------------------
# Section 2: the base game
# --------------------------------------------------------------------------------------------------------------


class Pedro:
    """Section 2. The class attributes are what most variants change."""

    seats = 4
    by_teams = True
    pack_ranks = RANKS
    jokers: tuple[str, ...] = ()
    order = "AKQJT98765f432"  # [2.1] trumps, high to low; f off-five, j off-jack, X x jokers
    values: ClassVar[dict[str, int]] = {"A": 1, "J": 1, "T": 1, "5": 5, "f": 5, "2": 1}  # [2.2]
    keeper = True  # [2.2] the 2 counts for the side that holds it
    dealt_size, packet_size, kitty_size = 9, 3, 0  # [2.3]
    hand_size = 6
    lowest_bid, highest_bid = 7, 14  # [2.4]
    dealer_is_declarer_at: int | None = None  # a dealer who is not asked when the others pass [7.11]
    dealer_may_equal = False  # the dealer may take the contract at the standing bid
    follow = "suit_or_trump"  # [2.9] also "strict", "free", "any_plain"
    void_of_trumps_is_out = False  # trump led and no trump: the seat is out of the deal
    plain_cards_rank = True  # without a trump the highest card of the suit led wins, else the leader
    first_lead_is_trump = False
    target = 62  # [2.12]
    bidder_out_rule = False  # [7.4]
    only_a_made_bid_wins = False  # a side wins only when it has just made its bid

    def __init__(
        self, variant: str, options: dict[str, Any], pack: Sequence[str], dealer: int, scores: Sequence[int]
    ) -> None:
        self.variant = variant
        self.options = options
        self.configure()
        if not 0 <= dealer < self.seats:
            raise ValueError(f"dealer {dealer}: no such seat")
        if sorted(pack) != sorted(full_pack(self.pack_ranks, self.jokers)):
            raise ValueError(f"the pack is not the one of {variant}")
        self.sides = 2 if self.by_teams else self.seats
        if len(scores) != self.sides:
            raise ValueError(f"{variant} has {self.sides} scores, not {len(scores)}")
        self.pack = list(pack)
        self.dealer = dealer
        self.scores_before = list(scores)

        self.hands: list[set[str]] = [set() for _ in range(self.seats)]
        self.dealt: list[list[str]] = [[] for _ in range(self.seats)]  # in the order of dealing
        self.laid_aside: list[set[str]] = [set() for _ in range(self.seats)]
        self.buried: list[set[str]] = [set() for _ in range(self.seats)]
        self.laid_down: list[set[str]] = [set() for _ in range(self.seats)]  # by seats out of the deal
        self.played: list[set[str]] = [set() for _ in range(self.seats)]
        self.kitty: list[str] = []
        self.stock: list[str] = []
        self.out: set[int] = set()

        self.bid: int | None = None  # the number that the declarer's side must reach
        self.call: str | None = None  # the standing bid when it is not a plain number
        self.declarer: int | None = None
        self.trump: str | None = None
        self.trick_number = 0  # tricks already played
        self.conceded = False

        self.points = [0] * self.sides
        self.counted: dict[str, int] = {}  # trump symbol -> side that its points count for
        self.score_change = [0] * self.sides
        self.scores = list(scores)
        self.made: bool | None = None
        self.winner: int | None = None
        self.redeal = False
        self.next_dealer = (dealer + 1) % self.seats  # [1] the deal passes to the left after every deal
        self.events: Counter[str] = Counter()

    def configure(self) -> None:
        """Take the options over into attributes."""

    # ---- the deal from top to bottom ------------------------------------------------------------------------

    def run(self) -> Flow:
        yield from self.before_the_deal()
        self.deal_cards()
        yield from self.auction()
        if self.redeal:
            self.events["redeal"] += 1
            return
        yield from self.name_trumps()
        yield from self.exchange()
        self.begin_play()
        yield from self.play()
        self.finish()

    def before_the_deal(self) -> Flow:
        return
        yield

    # ---- seats and sides ------------------------------------------------------------------------------------

    def clockwise(self, first: int) -> list[int]:
        return [(first + i) % self.seats for i in range(self.seats)]

    def from_eldest(self) -> list[int]:
        """Eldest first, the dealer last."""
        return self.clockwise((self.dealer + 1) % self.seats)

    def others(self) -> list[int]:
        """Everyone but the dealer, eldest first."""
        return self.from_eldest()[:-1]

    def partner(self, seat: int) -> int:
        return (seat + 2) % 4

    def side(self, seat: int) -> int:
        return seat % 2 if self.by_teams else seat

    def bidding_side(self) -> int:
        return self.side(self.declarer)

    def other_side(self, side: int) -> int:
        return 1 - side

    # ---- cards ----------------------------------------------------------------------------------------------

    def symbol(self, card: str) -> str | None:
        """The card's letter in the trump order; None for a plain card."""
        if card == BIG_JOKER:
            return "X"
        if card == SMALL_JOKER:
            return "x"
        rank, suit = card
        if suit == self.trump:
            return rank
        if suit == SISTER[self.trump] and rank == "5" and "f" in self.order:
            return "f"
        if suit == SISTER[self.trump] and rank == "J" and "j" in self.order:
            return "j"
        return None

    def is_trump(self, card: str) -> bool:
        return self.symbol(card) is not None

    def value(self, card: str) -> int:
        return self.values.get(self.symbol(card), 0)

    def trumps(self, cards: Iterable[str]) -> set[str]:
        return {card for card in cards if self.is_trump(card)}

    def plain(self, cards: Iterable[str]) -> set[str]:
        return {card for card in cards if not self.is_trump(card)}

    def point_trumps(self, cards: Iterable[str]) -> set[str]:
        return {card for card in cards if self.value(card) > 0}

    def trumps_without_points(self, cards: Iterable[str]) -> set[str]:
        return {card for card in self.trumps(cards) if self.value(card) == 0}

    def the_two(self, cards: Iterable[str]) -> set[str]:
        return {card for card in cards if self.symbol(card) == "2"}

    # ---- asking ---------------------------------------------------------------------------------------------

    def ask(self, seat: int, phase: str, legal: Iterable[str]) -> Flow:
        action = yield Ask(seat, phase, frozenset(legal))
        return action

    def choose(self, seat: int, phase: str, cards: Iterable[str], count: int, take: Callable[[str], None]) -> Flow:
        """The seat picks `count` of `cards`, one a step; what can be done in only one way is done [6, 7.2]."""
        pool = set(cards)
        while count > 0:
            if count >= len(pool):
                for card in pool:
                    take(card)
                return
            card = yield from self.ask(seat, phase, pool)
            pool.remove(card)
            take(card)
            count -= 1

    def choose_until_done(self, seat: int, phase: str, limit: int, cards: Callable[[], set[str]]) -> Flow:
        """The seat lays aside `cards()` one a step; `done` is legal once it has at most `limit` cards."""
        hand = self.hands[seat]
        while cards():
            if len(hand) > limit and len(cards()) <= len(hand) - limit:
                self.lay_aside(seat, cards())  # all must go: only one way
                return
            done = {"done"} if len(hand) <= limit else set()
            action = yield from self.ask(seat, phase, cards() | done)
            if action == "done":
                return
            self.lay_aside(seat, {action})

    # ---- 2.3 the deal ---------------------------------------------------------------------------------------

    def deal_cards(self) -> None:
        cards = list(self.pack)
        while len(self.dealt[self.dealer]) < self.dealt_size:
            for seat in self.from_eldest():
                packet, cards = cards[: self.packet_size], cards[self.packet_size :]
                self.dealt[seat] += packet
                self.hands[seat] |= set(packet)
        self.kitty, self.stock = cards[: self.kitty_size], cards[self.kitty_size :]

    # ---- 2.4 the auction, 2.5 trumps ------------------------------------------------------------------------

    def auction_order(self) -> list[int]:
        return self.from_eldest()

    def auction(self) -> Flow:
        """One turn each, the dealer last."""
        for seat in self.auction_order():
            if seat == self.dealer and self.bid is None and self.dealer_is_declarer_at is not None:
                self.bid, self.declarer = self.dealer_is_declarer_at, seat  # [7.11]
                self.events["forced_bid"] += 1
                return
            if seat == self.dealer and self.bid is None:
                self.events["forced_bid"] += 1
            self.take_call(seat, (yield from self.ask(seat, "bid", self.calls(seat))))
            if self.redeal:
                return

    def calls(self, seat: int) -> set[str]:
        """What the seat may say at its turn in the auction."""
        if self.bid is not None:
            lowest = self.bid if self.dealer_may_equal and seat == self.dealer else self.bid + 1
            return {"pass"} | self.numbers(lowest)
        if seat == self.dealer:
            return self.numbers(self.lowest_forced_bid())  # the dealer must bid
        return {"pass"} | self.numbers(self.lowest_bid)

    def numbers(self, lowest: int) -> set[str]:
        return {str(number) for number in range(lowest, self.highest_bid + 1)}

    def lowest_forced_bid(self) -> int:
        return self.lowest_bid

    def take_call(self, seat: int, call: str) -> None:
        if call != "pass":
            self.bid, self.call, self.declarer = int(call), None, seat

    def name_trumps(self) -> Flow:
        self.trump = yield from self.ask(self.declarer, "trump", SUITS)

    def take_kitty(self) -> None:
        self.hands[self.declarer] |= set(self.kitty)
        self.kitty = []

    # ---- 2.6 discard, 2.7 fill, 2.8 rob ---------------------------------------------------------------------

    def exchange(self) -> Flow:
        for seat in self.from_eldest():
            self.lay_aside(seat, self.plain(self.hands[seat]))  # [2.6] no decision
        for seat in self.others():
            self.fill(seat)
        yield from self.rob()

    def lay_aside(self, seat: int, cards: Iterable[str]) -> None:
        cards = set(cards)
        self.hands[seat] -= cards
        self.laid_aside[seat] |= cards

    def lay_aside_one(self, seat: int) -> Callable[[str], None]:
        return lambda card: self.lay_aside(seat, {card})

    def fill(self, seat: int) -> None:
        """[2.7] From the top of the stock up to six; then from what the seat laid aside."""
        hand = self.hands[seat]
        while len(hand) < self.hand_size and self.stock:
            hand.add(self.stock.pop(0))
        self.take_back(seat)

    def take_back(self, seat: int) -> None:
        """[2.7] The stock ran out: laid-aside plain cards come back, the last dealt first."""
        if len(self.hands[seat]) < self.hand_size:
            self.events["dealer_short" if seat == self.dealer else "stock_short"] += 1
        for card in reversed(self.dealt[seat]):
            if len(self.hands[seat]) >= self.hand_size:
                return
            if card in self.laid_aside[seat] and not self.is_trump(card):
                self.laid_aside[seat].remove(card)
                self.hands[seat].add(card)

    def rob(self) -> Flow:
        """[2.8] The dealer takes every trump of the stock and chooses plain cards up to six."""
        hand = self.hands[self.dealer]
        hand |= self.trumps(self.stock)
        self.stock = [card for card in self.stock if not self.is_trump(card)]
        if len(hand) > self.hand_size:
            self.events["dealer_over_six"] += 1
        need = max(0, self.hand_size - len(hand))
        if 0 < need < len(self.stock):
            self.events["rob_choice"] += 1
        yield from self.choose(self.dealer, "rob", self.stock, need, self.take_from_stock(self.dealer))
        self.take_back(self.dealer)

    def take_from_stock(self, seat: int) -> Callable[[str], None]:
        def take(card: str) -> None:
            self.stock.remove(card)
            self.hands[seat].add(card)

        return take

    def give_to(self, giver: int, taker: int) -> Callable[[str], None]:
        def give(card: str) -> None:
            self.hands[giver].remove(card)
            self.hands[taker].add(card)

        return give

    # ---- discarding down to six, as several variants do it --------------------------------------------------

    def discard_plain_to_six(self, seat: int) -> Flow:
        """Plain cards of its choice down to six; with six or more trumps, all of them."""
        plain = self.plain(self.hands[seat])
        count = min(len(plain), max(0, len(self.hands[seat]) - self.hand_size))
        yield from self.choose(seat, "discard", plain, count, self.lay_aside_one(seat))

    def discard_trumps_without_points(self, seat: int) -> Flow:
        """With more than six trumps: trumps without points, of its choice, down to six as far as they go."""
        hand = self.hands[seat]
        excess = len(self.trumps(hand)) - self.hand_size
        self.note_many_trumps(seat)
        if excess <= 0:
            return
        pool = self.trumps_without_points(hand)
        yield from self.choose(seat, "discard", pool, min(excess, len(pool)), self.lay_aside_one(seat))

    def discard_least_valuable(self, seat: int) -> Flow:
        """More point trumps than six: the least valuable go; among equals the seat chooses [7.10]."""
        hand = self.hands[seat]
        while (excess := len(self.trumps(hand)) - self.hand_size) > 0:
            self.events["point_trump_discarded"] += 1
            least = min(self.value(card) for card in self.trumps(hand))
            pool = {card for card in self.trumps(hand) if self.value(card) == least}
            yield from self.choose(seat, "discard", pool, min(excess, len(pool)), self.lay_aside_one(seat))

    def note_many_trumps(self, seat: int) -> None:
        """Events only."""
        names = {7: "seven_trumps", 8: "eight_trumps", 9: "nine_trumps"}
        count = len(self.trumps(self.hands[seat]))
        if count > 6:
            self.events[names.get(count, "ten_or_more_trumps")] += 1
        if count > 6 and len(self.point_trumps(self.hands[seat])) >= 7:
            self.events["seven_point_trumps"] += 1

    # ---- 2.9 play -------------------------------------------------------------------------------------------

    def credit(self, card: str, side: int) -> None:
        """The points of this trump count for this side."""
        self.points[side] += self.value(card)
        if self.value(card):
            self.counted[self.symbol(card)] = side

    def begin_play(self) -> None:
        """[7.6] The keeper is the seat that holds the 2 when the play begins."""
        for seat in range(self.seats):
            self.note_many_trumps(seat)
            if self.keeper:
                for two in self.the_two(self.hands[seat]):
                    self.credit(two, self.side(seat))

    def play(self) -> Flow:
        leader: int | None = self.declarer
        while leader is not None and self.hands[leader]:
            winner = yield from self.play_trick(leader)
            self.trick_number += 1
            if winner is None or self.all_is_decided():
                return
            leader = self.next_leader(winner)

    def all_is_decided(self) -> bool:
        return False

    def next_leader(self, winner: int) -> int | None:
        """The seat that leads to the next trick; None when nobody is left."""
        return winner

    def play_trick(self, leader: int) -> Flow:
        trick: list[tuple[int, str]] = []
        for seat in self.clockwise(leader):
            if seat in self.out:
                continue
            if trick and self.must_lay_down(seat, trick[0][1]):
                self.lay_down(seat)
                continue
            yield from self.bury(seat)
            legal = self.playable(seat, trick) | self.other_plays(seat)
            action = yield from self.ask(seat, "play", legal)
            if action == "concede":
                self.conceded = True
                return None
            if action == "fold":
                self.events["fold"] += 1
                self.lay_down(seat)
                continue
            self.hands[seat].remove(action)
            self.played[seat].add(action)
            trick.append((seat, action))
            yield from self.after_card(seat, action)
        if not trick:
            return None  # everyone folded
        winner = self.trick_winner(trick)
        for _, card in trick:
            if not (self.keeper and self.symbol(card) == "2"):
                self.credit(card, self.side(winner))
        return winner

    def must_lay_down(self, seat: int, led: str) -> bool:
        return self.void_of_trumps_is_out and self.is_trump(led) and not self.trumps(self.hands[seat])

    def lay_down(self, seat: int) -> None:
        """The seat is out of the deal."""
        if self.hands[seat]:
            self.events["out_of_deal"] += 1
        self.out.add(seat)
        self.laid_down[seat] |= self.hands[seat]
        self.hands[seat].clear()

    def other_plays(self, seat: int) -> set[str]:
        """Actions at a turn to play that are not cards."""
        return set()

    def after_card(self, seat: int, card: str) -> Flow:
        return
        yield

    def playable(self, seat: int, trick: list[tuple[int, str]]) -> set[str]:
        """[2.9] The cards that the seat may play."""
        hand = set(self.hands[seat])
        trumps = self.trumps(hand)
        if not trick:
            if self.first_lead_is_trump and self.trick_number == 0 and trumps:
                return trumps
            return hand
        led = trick[0][1]
        if self.is_trump(led):
            return trumps or hand
        suited = {card for card in self.plain(hand) if card[1] == led[1]}
        if self.follow == "strict":
            return suited or hand
        if self.follow == "suit_or_trump":
            return suited | trumps if suited else hand
        if self.follow == "any_plain":  # [3.4 king-pedro-ukrainian]
            return self.plain(hand) or hand
        return hand  # "free"

    def trick_winner(self, trick: list[tuple[int, str]]) -> int:
        trumped = [(self.order.index(self.symbol(card)), seat) for seat, card in trick if self.is_trump(card)]
        if trumped:
            return min(trumped)[1]
        leader, led = trick[0]
        if not self.plain_cards_rank:
            return leader
        return min((RANKS.index(card[0]), seat) for seat, card in trick if card[1] == led[1])[1]

    # ---- 2.10 more than six cards ---------------------------------------------------------------------------

    def bury(self, seat: int) -> Flow:
        """[2.10] In the first trick, trumps without points, until one card plus five remain."""
        count = len(self.hands[seat]) - self.hand_size
        if self.trick_number > 0 or count <= 0:
            return
        self.events["bury"] += 1
        pool = self.trumps_without_points(self.hands[seat])
        if len(pool) < count:
            # [7.25; 3.4 king-pedro] all seven point trumps: the 2 goes as well, without a decision
            self.events["two_buried"] += 1
            pool |= self.the_two(self.hands[seat])
        yield from self.choose(seat, "bury", pool, count, self.bury_one(seat))

    def bury_one(self, seat: int) -> Callable[[str], None]:
        def put(card: str) -> None:
            self.hands[seat].remove(card)
            self.buried[seat].add(card)

        return put

    # ---- 2.11 score, 2.12 match -----------------------------------------------------------------------------

    def finish(self) -> None:
        bidders = self.bidding_side()
        self.made = self.points[bidders] >= self.bid
        self.events["made" if self.made else "set"] += 1
        self.score_change = self.deal_score(bidders, self.made)
        self.scores = [before + change for before, change in zip(self.scores_before, self.score_change, strict=True)]
        if sum(score >= self.target for score in self.scores) > 1:
            self.events["double_finish"] += 1
        self.winner = self.match_winner()

    def deal_score(self, bidders: int, made: bool) -> list[int]:
        """[2.11]"""
        change = list(self.points)
        change[bidders] = self.reward() if made else -self.penalty()
        return change

    def reward(self) -> int:
        return self.points[self.bidding_side()]

    def penalty(self) -> int:
        return self.bid

    def match_winner(self) -> int | None:
        bidders = self.bidding_side()
        there = [side for side in range(self.sides) if self.scores[side] >= self.target]
        if self.only_a_made_bid_wins:
            return bidders if bidders in there and self.made else None
        if self.bidder_out_rule:
            return self.bidder_out_winner(there)
        if len(there) == 1:
            return there[0]
        return self.double_finish_winner() if there else None

    def bidder_out_winner(self, there: list[int]) -> int | None:
        """[2.12, 7.4]"""
        if all(score >= self.target - 7 for score in self.scores_before):
            self.events["bidder_out"] += 1
            if self.made:
                return self.bidding_side()
        return there[0] if len(there) == 1 else None

    def double_finish_winner(self) -> int | None:
        """Both sides have reached the target: the bidding side wins, in most variants."""
        return self.bidding_side()

    def first_to_count_out(self, symbols: str) -> int | None:
        """The points are counted one after the other; the first at the target wins; a set side gets nothing."""
        running = list(self.scores_before)
        for symbol in symbols:
            side = self.counted.get(symbol)
            if side is None or (side == self.bidding_side() and not self.made):
                continue
            running[side] += self.values[symbol]
            if running[side] >= self.target:
                return side
        return None


class BasePedro(Pedro):
    """`pedro` itself and its house rules, section 4 with 7.13 to 7.19."""

    bidder_out_rule = True

    def configure(self) -> None:
        self.lowest_bid = self.options["min_bid"]
        self.target = self.options["target"]
        self.follow = self.options["follow"]
        self.first_lead_is_trump = self.options["lead_trump"]
        self.bidder_out_rule = self.options["double_finish"] == "bidder_out"

    # -- auction: min_bid, forced_bid [7.15], bid_28_56 [7.16]

    def lowest_forced_bid(self) -> int:
        forced = self.options["forced_bid"]
        return self.lowest_bid if forced is None else forced

    def suits_for_28_56(self) -> set[str]:
        """[7.16] The suits of which the dealer's nine cards hold A, K and 2."""
        return {suit for suit in SUITS if {"A" + suit, "K" + suit, "2" + suit} <= self.hands[self.dealer]}

    def calls(self, seat: int) -> set[str]:
        calls = super().calls(seat)
        if self.options["bid_28_56"] and seat == self.dealer and self.suits_for_28_56():
            calls.add("28-56")  # legal over any bid
        return calls

    def take_call(self, seat: int, call: str) -> None:
        if call == "28-56":
            self.events["28-56"] += 1
            self.bid, self.call, self.declarer = 14, call, seat
        else:
            super().take_call(seat, call)

    def name_trumps(self) -> Flow:
        suits = self.suits_for_28_56() if self.call == "28-56" else set(SUITS)
        self.trump = yield from self.ask(self.declarer, "trump", suits)

    # -- exchange: keep_plain, six_at_most [7.13], rob_discards [7.14]

    def exchange(self) -> Flow:
        for seat in self.from_eldest():  # the dealer last, and before the fills [7.13]
            yield from self.discard(seat)
        for seat in self.others():
            self.fill(seat)
        yield from self.rob()
        yield from self.dealer_back_to_six()

    def discard(self, seat: int) -> Flow:
        hand = self.hands[seat]
        keep_plain, rob_discards = self.options["keep_plain"], self.options["rob_discards"]
        six_at_most = self.options["six_at_most"]
        if rob_discards and seat != self.dealer:
            if keep_plain:  # one choice: any cards of the hand
                yield from self.choose_until_done(seat, "discard", 6, lambda: set(hand))
                return
            self.lay_aside(seat, self.plain(hand))
            limit = 6 if six_at_most else len(hand)
            yield from self.choose_until_done(seat, "discard", limit, lambda: self.trumps(hand))
            return
        if keep_plain:
            yield from self.choose_until_done(seat, "discard", 6, lambda: self.plain(hand))
        else:
            self.lay_aside(seat, self.plain(hand))
        if six_at_most and seat != self.dealer:
            yield from self.discard_surplus(seat)

    def discard_surplus(self, seat: int) -> Flow:
        """six_at_most: down to six trumps, never a point trump; or one counts for the other side."""
        if self.options["six_at_most"] == "discard":
            yield from self.discard_trumps_without_points(seat)
            return
        self.note_many_trumps(seat)

        def put(card: str) -> None:
            self.lay_aside(seat, {card})
            self.credit(card, self.other_side(self.side(seat)))

        excess = len(self.trumps(self.hands[seat])) - 6
        yield from self.choose(seat, "discard", self.trumps(self.hands[seat]), excess, put)

    def take_back(self, seat: int) -> None:
        super().take_back(seat)
        if not self.options["rob_discards"] or seat == self.dealer:
            return
        for card in reversed(self.dealt[seat]):  # [7.14] then trumps, last dealt first
            if len(self.hands[seat]) < 6 and card in self.laid_aside[seat]:
                self.events["trump_taken_back"] += 1
                self.laid_aside[seat].remove(card)
                self.hands[seat].add(card)

    def rob(self) -> Flow:
        if self.options["rob_discards"]:  # [7.14] the dealer robs the stock and what the others laid aside
            for seat in self.others():
                self.stock += sorted(self.laid_aside[seat])
                self.laid_aside[seat].clear()
        yield from super().rob()

    def dealer_back_to_six(self) -> Flow:
        """[7.13] The dealer lays kept plain cards aside until six or none are left; then six_at_most."""
        yield from self.discard_plain_to_six(self.dealer)
        if self.options["six_at_most"]:
            yield from self.discard_surplus(self.dealer)

    # -- score and match: slam, 28-56, scoring [7.18], double_finish [7.17]

    def deal_score(self, bidders: int, made: bool) -> list[int]:
        if self.options["scoring"] == "foster":
            return foster_score(self.points, bidders, self.bid, made, self.points[1 - bidders] + self.bid)
        if self.options["scoring"] == "bicycle":
            reward = 14 + self.bid - self.points[bidders]
            return foster_score(self.points, bidders, self.bid, made, reward)
        return super().deal_score(bidders, made)

    def reward(self) -> int:
        if self.call == "28-56":
            return 56
        if self.options["slam"] and self.bid == 14:
            return 28
        return super().reward()

    def penalty(self) -> int:
        return 28 if self.call == "28-56" else self.bid

    def double_finish_winner(self) -> int | None:
        if self.options["double_finish"] == "count_order":
            return self.first_to_count_out("A2JT5f")
        return self.bidding_side()


def foster_score(points: list[int], bidders: int, bid: int, made: bool, for_setting: int) -> list[int]:
    """[3.1 cinch] Made: the difference, for the side that took more. Set: `for_setting` for the defenders."""
    change = [0, 0]
    if not made:
        change[1 - bidders] = for_setting
    else:
        for side in (0, 1):
            change[side] = max(0, points[side] - points[1 - side])
    return change


# --------------------------------------------------------------------------------------------------------------
# Section 3.1: the Double Pedro family
# --------------------------------------------------------------------------------------------------------------


class PedroWpt(Pedro):
    follow = "strict"
    bidder_out_rule = True

    def penalty(self) -> int:
        return self.points[self.bidding_side()]  # [7.20] the 2 that it kept included


class Cinch(Pedro):
    lowest_bid = 1
    keeper = False
    target = 51

    def configure(self) -> None:
        self.lowest_bid = self.options["min_bid"]

    def exchange(self) -> Flow:
        unreserved = len(self.stock)
        for seat in self.from_eldest():  # the dealer too
            discarded = yield from self.discard(seat, 3 + unreserved)
            unreserved -= discarded - 3
        for seat in self.others():
            self.fill(seat)
        need = 6 - len(self.hands[self.dealer])
        if 0 < need < len(self.stock):
            self.events["rob_choice"] += 1
        yield from self.choose(self.dealer, "rob", self.stock, need, self.take_from_stock(self.dealer))
        if self.side(self.dealer) != self.bidding_side():  # left in the stock by a defender
            for card in self.point_trumps(self.stock):
                self.events["point_trump_credited"] += 1
                self.credit(card, self.bidding_side())

    def discard(self, seat: int, most: int) -> Flow:
        """At least three cards, at most `most`; returns how many."""
        hand = self.hands[seat]
        count = 0
        while hand and count < most:
            done = {"done"} if count >= 3 else set()
            action = yield from self.ask(seat, "discard", hand | done)
            if action == "done":
                break
            self.lay_aside(seat, {action})
            count += 1
            if self.side(seat) != self.bidding_side() and self.value(action):
                self.events["point_trump_credited"] += 1
                self.credit(action, self.bidding_side())
        if count == most < 9:
            self.events["discard_limit"] += 1
        return count

    def deal_score(self, bidders: int, made: bool) -> list[int]:
        for_setting = self.points[1 - bidders] + self.bid
        return foster_score(self.points, bidders, self.bid, made, for_setting)


class CinchBicycle(Cinch):
    def deal_score(self, bidders: int, made: bool) -> list[int]:
        for_setting = 14 + (self.bid - self.points[bidders])
        return foster_score(self.points, bidders, self.bid, made, for_setting)


class Nicaragua(Pedro):
    dealt_size = packet_size = hand_size = 7
    dealer_is_declarer_at = 6
    follow = "strict"
    target = 52

    def exchange(self) -> Flow:
        for seat in self.from_eldest():
            yield from self.choose_until_done(seat, "discard", 7, lambda seat=seat: set(self.hands[seat]))
        for seat in self.others():
            self.fill(seat)
        for seat in self.others():  # the dealer robs the stock and the others' discards
            self.stock += sorted(self.laid_aside[seat])
            self.laid_aside[seat].clear()
        need = 7 - len(self.hands[self.dealer])
        if 0 < need < len(self.stock):
            self.events["rob_choice"] += 1
        yield from self.choose(self.dealer, "rob", self.stock, need, self.take_from_stock(self.dealer))


class Pidro(Pedro):
    lowest_bid = 6

    def exchange(self) -> Flow:
        yield from super().exchange()
        for seat in self.from_eldest():
            yield from self.discard_trumps_without_points(seat)

    def rob(self) -> Flow:
        """The dealer takes every trump, then the topmost plain cards, without choosing."""
        hand = self.hands[self.dealer]
        hand |= self.trumps(self.stock)
        self.stock = [card for card in self.stock if not self.is_trump(card)]
        if len(hand) > 6:
            self.events["dealer_over_six"] += 1
        self.fill(self.dealer)
        return
        yield

    def play(self) -> Flow:
        """Only trumps are played."""
        leader = self.declarer
        while True:
            with_trumps = [seat for seat in self.clockwise(leader) if self.trumps(self.hands[seat])]
            if len(with_trumps) < self.seats:
                self.events["out_of_deal"] += 1
            if leader not in with_trumps:
                self.events["lead_passes"] += 1
            if len(with_trumps) == 1:  # it wins the rest
                self.take_the_rest(with_trumps[0])
                return
            if not with_trumps:
                return
            trick = []
            for seat in with_trumps:  # the first of them leads; a trick begun is played out [7.21]
                card = yield from self.ask(seat, "play", self.trumps(self.hands[seat]))
                self.hands[seat].remove(card)
                self.played[seat].add(card)
                trick.append((seat, card))
            leader = self.trick_winner(trick)
            self.take_cards(leader, [card for _, card in trick])

    def take_cards(self, winner: int, cards: list[str]) -> None:
        for card in cards:
            if self.symbol(card) != "2":
                self.credit(card, self.side(winner))

    def take_the_rest(self, seat: int) -> None:
        rest = sorted(self.trumps(self.hands[seat]))
        self.hands[seat] -= set(rest)
        self.played[seat] |= set(rest)
        self.take_cards(seat, rest)


class Louisiana(Pedro):
    bidder_out_rule = True

    def before_the_deal(self) -> Flow:
        """The dark bid: the first seat to say `dark` ends this phase."""
        for seat in self.from_eldest():
            if (yield from self.ask(seat, "dark", {"dark", "pass"})) == "dark":
                self.events["dark"] += 1
                self.bid, self.call, self.declarer = 14, "dark", seat
                return

    def auction_order(self) -> list[int]:
        dark_bidder = self.declarer if self.call == "dark" else None
        return [seat for seat in self.from_eldest() if seat != dark_bidder]  # [7.22]

    def calls(self, seat: int) -> set[str]:
        if self.call == "dark" and self.suits_for_28_56(seat):
            return {"pass", "28-56"}
        if self.call in ("dark", "28-56"):
            return {"pass"}
        return super().calls(seat)

    def suits_for_28_56(self, seat: int) -> set[str]:
        if not self.options["need_ace_deuce"]:
            return set(SUITS)
        return {suit for suit in SUITS if {"A" + suit, "2" + suit} <= self.hands[seat]}

    def lowest_forced_bid(self) -> int:
        return self.options["forced_bid"]

    def take_call(self, seat: int, call: str) -> None:
        if call == "28-56":
            self.events["28-56"] += 1
            self.bid, self.call, self.declarer = 14, call, seat
        else:
            super().take_call(seat, call)

    def name_trumps(self) -> Flow:
        suits = self.suits_for_28_56(self.declarer) if self.call == "28-56" else set(SUITS)
        self.trump = yield from self.ask(self.declarer, "trump", suits)

    def reward(self) -> int:
        return {"dark": 28, "28-56": 56}.get(self.call, super().reward())

    def penalty(self) -> int:
        return {"dark": 14, "28-56": 28}.get(self.call, self.bid)


class LouisianaCutthroat(Louisiana):
    follow = "free"


class CatchFive(Pedro):
    order = RANKS
    values: ClassVar[dict[str, int]] = {"A": 1, "2": 1, "J": 1, "T": 1, "5": 5}
    keeper = False
    dealt_size = 6
    lowest_bid, highest_bid = 2, 9
    dealer_is_declarer_at = 2
    dealer_may_equal = True
    follow = "strict"
    target = 31

    def exchange(self) -> Flow:
        for seat in self.from_eldest():
            self.lay_aside(seat, self.plain(self.hands[seat]))
        for seat in self.from_eldest():  # every seat, the dealer last
            self.fill(seat)
        return
        yield


# --------------------------------------------------------------------------------------------------------------
# Section 3.2: sixteen points
# --------------------------------------------------------------------------------------------------------------


class California(Pedro):
    values: ClassVar[dict[str, int]] = {"A": 1, "J": 3, "T": 1, "5": 5, "f": 5, "2": 1}
    lowest_bid, highest_bid = 6, 16
    target = 52
    only_a_made_bid_wins = True
    top_bid_score: int | None = 32  # a bid of 16 that is made
    top_bid_loss = 16

    def auction_order(self) -> list[int]:
        """From the dealer's right, counter-clockwise: the dealer is last."""
        return [(self.dealer - i) % self.seats for i in range(1, self.seats + 1)]

    def reward(self) -> int:
        return self.top_bid_score if self.bid == 16 and self.top_bid_score else super().reward()

    def penalty(self) -> int:
        return self.top_bid_loss if self.bid == 16 else self.bid


class California100(California):
    first_lead_is_trump = True
    void_of_trumps_is_out = True
    follow = "free"
    target = 100
    only_a_made_bid_wins = False
    top_bid_loss = 32

    def surplus(self, seat: int) -> int:
        """Cards above the usual size of a hand at this trick."""
        return max(0, len(self.hands[seat]) - (6 - self.trick_number))

    def bury(self, seat: int) -> Flow:
        surplus = self.surplus(seat)
        if surplus == 0:
            return
        self.events["bury"] += 1
        count = max(1, surplus - (5 - self.trick_number))  # [7.24]
        pool = self.trumps_without_points(self.hands[seat])
        yield from self.choose(seat, "bury", pool, count, self.bury_one(seat))

    def playable(self, seat: int, trick: list[tuple[int, str]]) -> set[str]:
        return must_play_a_point_trump(self, seat, super().playable(seat, trick), self.surplus(seat))

    def all_is_decided(self) -> bool:
        """[7.24] The deal ends with the trick in which the last point trump, the 2 included, falls."""
        return not any(self.point_trumps(hand) for hand in self.hands)


def must_play_a_point_trump(game: Pedro, seat: int, legal: set[str], surplus: int) -> set[str]:
    """[3.2 california-100] The trumps without points are only just enough for the buries still due."""
    spare = len(game.trumps_without_points(game.hands[seat]))
    if surplus > 0 and spare <= surplus:
        game.events["must_play_point_trump"] += 1
        return game.point_trumps(legal)
    return legal


class Italian(California):
    target = 91
    top_bid_score = None

    def auction_order(self) -> list[int]:
        return self.from_eldest()


class MontereyDraw(Italian):
    first_lead_is_trump = True
    void_of_trumps_is_out = True


class MontereyWidow(MontereyDraw):
    def deal_cards(self) -> None:
        super().deal_cards()
        self.four_more = {}
        for seat in self.from_eldest():
            self.four_more[seat], self.stock = self.stock[:4], self.stock[4:]

    def take_call(self, seat: int, call: str) -> None:
        super().take_call(seat, call)
        self.hands[seat] |= set(self.four_more[seat])  # seen right after its own turn
        self.dealt[seat] += self.four_more[seat]

    def exchange(self) -> Flow:
        for seat in self.from_eldest():
            yield from self.discard_plain_to_six(seat)


# --------------------------------------------------------------------------------------------------------------
# Section 3.3: off-jack games
# --------------------------------------------------------------------------------------------------------------


class Oregon(Pedro):
    order = "AKQJjT98765f432"
    values: ClassVar[dict[str, int]] = {"A": 1, "J": 1, "j": 1, "T": 1, "5": 5, "f": 5, "2": 1}
    keeper = False
    lowest_bid, highest_bid = 6, 15
    follow = "free"
    void_of_trumps_is_out = True
    plain_cards_rank = False
    target = 63

    def auction(self) -> Flow:
        """Goes round until three seats pass in a row after a bid; a seat that passed may bid again."""
        seats = self.from_eldest()
        passes, turn = 0, 0
        while self.bid is None or passes < 3:
            seat = seats[turn % 4]
            call = yield from self.ask(seat, "bid", self.calls_of_oregon(forced=self.bid is None and turn == 3))
            turn += 1
            if call == "pass":
                passes += 1
                continue
            if self.bid is None and turn == 4:
                self.events["forced_bid"] += 1
            passes = 0
            self.bid, self.trump, self.declarer = int(call[:-1]), call[-1], seat
        if turn > 7:
            self.events["long_auction"] += 1

    def calls_of_oregon(self, forced: bool) -> set[str]:
        """Suits rank S > H > C > D within a number; a forced dealer may also bid 5 and must bid."""
        lowest = 5 if forced else 6  # [7.25] after a forced 5 the others bid from 6D
        higher = {
            f"{number}{suit}"
            for number in range(lowest, 16)
            for suit in SUITS
            if self.bid is None or (number, SUIT_RANK.index(suit)) > (self.bid, SUIT_RANK.index(self.trump))
        }
        return higher if forced else higher | {"pass"}

    def name_trumps(self) -> Flow:
        """[7.25] Trumps come from the last bid: no step."""
        return
        yield

    def double_finish_winner(self) -> int | None:
        if self.scores[0] != self.scores[1]:
            return 0 if self.scores[0] > self.scores[1] else 1
        return self.bidding_side() if self.options["tie"] == "bidder" else None


class Tennessee(Pedro):
    jokers = (BIG_JOKER, SMALL_JOKER)
    order = "AKQJjXxT98765f432"
    values: ClassVar[dict[str, int]] = {"A": 1, "J": 1, "j": 1, "X": 1, "x": 1, "T": 1, "5": 5, "f": 5, "2": 1}
    keeper = False
    lowest_bid, highest_bid = 9, 17
    plain_cards_rank = False
    target = 52

    def configure(self) -> None:
        self.lowest_bid = self.dealer_is_declarer_at = self.options["min_bid"]
        self.has_played: set[int] = set()

    # -- auction

    def calls(self, seat: int) -> set[str]:
        if self.must_raise_the_moon(seat):
            self.events["forced_double_moon"] += 1
            return {"double-moon"}
        calls = {"pass"}
        if self.call is None:
            calls |= self.numbers(self.lowest_bid if self.bid is None else self.bid + 1)
            calls |= {"moon"} if self.options["moon"] else set()
        if self.call == "moon" and self.side(self.declarer) != self.side(seat):
            calls.add("double-moon")
        if self.may_call_misdeal(seat):
            calls.add("misdeal")
        return calls

    def must_raise_the_moon(self, seat: int) -> bool:
        """[7.26] A moon in the hole, while it is still the standing bid."""
        own_moon = self.call == "moon" and self.declarer == self.partner(seat)
        return own_moon and self.scores_before[self.side(seat)] < 0

    def may_call_misdeal(self, seat: int) -> bool:
        ranks = set("AJT52X") | (set("KQ") if self.options["misdeal"] == "no_points_no_faces" else set())
        return not any(card[0] in ranks for card in self.hands[seat])

    def take_call(self, seat: int, call: str) -> None:
        if call == "misdeal":
            self.events["misdeal"] += 1
            self.redeal, self.next_dealer = True, self.dealer
        elif call in ("moon", "double-moon"):
            self.events[call] += 1
            self.bid, self.call, self.declarer = 17, call, seat
        else:
            super().take_call(seat, call)

    # -- exchange

    def exchange(self) -> Flow:
        defenders = [seat for seat in self.from_eldest() if self.side(seat) != self.bidding_side()]
        others = [seat for seat in self.from_eldest() if seat != self.declarer]
        for seat in others:
            self.lay_aside(seat, self.plain(self.hands[seat]))
        for seat in others:
            self.fill(seat)
        widow, self.stock = self.stock, []
        self.hands[self.declarer] |= set(widow)
        may_slide = len(self.trumps(self.hands[self.declarer])) >= 6  # [7.26] looked at once
        for seat in range(self.seats):
            self.note_many_trumps(seat)

        yield from self.defenders_slide(defenders)  # before the declarer
        if may_slide:
            yield from self.declarer_slides()
        yield from self.discard_plain_to_six(self.declarer)
        partner = self.partner(self.declarer)
        yield from self.discard_plain_to_six(partner)
        yield from self.give_surplus_to_the_right(partner)
        for seat in defenders:
            yield from self.defender_back_to_six(seat)

    def defenders_slide(self, defenders: list[int]) -> Flow:
        """[7.26] Who was slid cards discards, passes trumps beyond six to the right, does not slide back."""
        for seat in defenders:
            surplus = len(self.trumps(self.hands[seat])) - 6
            if surplus <= 0:
                continue
            self.events["defender_slides"] += 1
            partner = self.partner(seat)
            trumps = self.trumps(self.hands[seat])
            yield from self.choose(seat, "give", trumps, surplus, self.give_to(seat, partner))
            yield from self.discard_plain_to_six(partner)
            yield from self.give_surplus_to_the_right(partner)
            return

    def declarer_slides(self) -> Flow:
        """Trumps or plain cards to the partner, at least the surplus; at least six cards are kept."""
        seat, partner = self.declarer, self.partner(self.declarer)
        while len(self.hands[seat]) > 6:
            done = {"done"} if len(self.trumps(self.hands[seat])) <= 6 else set()
            action = yield from self.ask(seat, "give", self.hands[seat] | done)
            if action == "done":
                return
            self.events["declarer_slides"] += 1
            self.give_to(seat, partner)(action)

    def give_surplus_to_the_right(self, seat: int) -> Flow:
        trumps = self.trumps(self.hands[seat])
        if len(trumps) > 6:
            self.events["surplus_to_the_right"] += 1
            right = (seat - 1) % 4
            yield from self.choose(seat, "give", trumps, len(trumps) - 6, self.give_to(seat, right))

    def defender_back_to_six(self, seat: int) -> Flow:
        """Plain cards; having none, a trump without points, then of the least points."""
        yield from self.discard_plain_to_six(seat)
        if len(self.hands[seat]) > 6:
            yield from self.discard_trumps_without_points(seat)
            yield from self.discard_least_valuable(seat)

    # -- play

    def must_lay_down(self, seat: int, led: str) -> bool:
        return not self.trumps(self.hands[seat])

    def other_plays(self, seat: int) -> set[str]:
        first_turn = seat not in self.has_played
        return {"concede"} if first_turn and self.side(seat) != self.bidding_side() else set()

    def play_trick(self, leader: int) -> Flow:
        leads_without_a_trump = not self.trumps(self.hands[leader])
        winner = yield from super().play_trick(leader)
        if leads_without_a_trump:  # it led one card and is then out
            self.lay_down(leader)
        return winner

    def after_card(self, seat: int, card: str) -> Flow:
        self.has_played.add(seat)
        return
        yield

    def next_leader(self, winner: int) -> int | None:
        if winner not in self.out:
            return winner
        self.events["lead_passes"] += 1
        for seat in self.clockwise(winner):
            if seat not in self.out and self.trumps(self.hands[seat]):
                return seat
        return None

    # -- score

    def finish(self) -> None:
        if self.conceded:
            self.events["concede"] += 1
            self.points = [0, 0]
            self.points[self.bidding_side()] = 17
        super().finish()

    def penalty(self) -> int:
        return 34 if self.call == "double-moon" else self.bid

    def match_winner(self) -> int | None:
        if self.call in ("moon", "double-moon") and self.made:
            return self.bidding_side()  # [7.26] whatever the scores
        return super().match_winner()


# --------------------------------------------------------------------------------------------------------------
# Section 3.4: king games
# --------------------------------------------------------------------------------------------------------------


class Lipton(Pedro):
    pack_ranks = "AKQJT952"
    order = "AKQJjT95f2"
    values: ClassVar[dict[str, int]] = {"A": 1, "K": 20, "J": 1, "j": 1, "T": 1, "5": 5, "f": 5, "2": 1}
    keeper = False
    dealt_size = packet_size = hand_size = 7
    kitty_size = 4
    lowest_bid, highest_bid = 15, 35
    target = 105

    def name_trumps(self) -> Flow:
        self.take_kitty()  # trumps are named after seeing the kitty
        yield from super().name_trumps()

    def exchange(self) -> Flow:
        """Four cards of its choice, never a point trump unless it has nothing else."""
        seat, hand = self.declarer, self.hands[self.declarer]
        pool = hand - self.point_trumps(hand)
        yield from self.choose(seat, "discard", pool, min(4, len(pool)), self.lay_aside_one(seat))
        if len(hand) > 7:
            self.events["point_trump_discarded"] += 1
            yield from self.choose(seat, "discard", set(hand), len(hand) - 7, self.lay_aside_one(seat))

    def match_winner(self) -> int | None:
        for side in (0, 1):
            if self.scores[side] <= -105:
                self.events["lost_at_the_bottom"] += 1
                return 1 - side
        return super().match_winner()


class IsleMadame(Pedro):
    values: ClassVar[dict[str, int]] = {"A": 1, "K": 25, "J": 1, "T": 1, "5": 5, "f": 5, "2": 1}
    lowest_bid, highest_bid = 25, 39
    first_lead_is_trump = True
    target = 221

    def exchange(self) -> Flow:
        for seat in self.others():
            self.lay_aside(seat, self.plain(self.hands[seat]))
        for seat in self.others():
            yield from self.discard_surplus(seat)  # [7.27] before the fills
        for seat in self.others():
            self.fill(seat)
        yield from self.rob()
        yield from self.discard_surplus(self.dealer)

    def rob(self) -> Flow:
        """The dealer mixes stock and hand, keeps every trump and plain cards of its choice up to six."""
        both = self.hands[self.dealer] | set(self.stock)
        self.hands[self.dealer] = self.trumps(both)
        self.stock = sorted(self.plain(both))
        need = max(0, 6 - len(self.hands[self.dealer]))
        if need:
            self.events["rob_choice"] += 1
        yield from self.choose(self.dealer, "rob", self.stock, need, self.take_from_stock(self.dealer))

    def discard_surplus(self, seat: int) -> Flow:
        """Nobody plays with more than six: trumps without points, then ones worth one point [7.28]."""
        yield from self.discard_trumps_without_points(seat)
        yield from self.discard_least_valuable(seat)

    def other_plays(self, seat: int) -> set[str]:
        return set() if self.trumps(self.hands[seat]) else {"fold"}

    def locked(self, side: int) -> bool:
        return self.scores_before[side] >= 200  # [7.27] looked at before the deal

    def deal_score(self, bidders: int, made: bool) -> list[int]:
        change = super().deal_score(bidders, made)
        if self.locked(1 - bidders):
            self.events["locked_defenders"] += 1
            change[1 - bidders] = 0
        return change

    def match_winner(self) -> int | None:
        defenders = 1 - self.bidding_side()
        if self.locked(defenders) and not self.made:
            return defenders
        return super().match_winner()


class Canadian(IsleMadame):
    values: ClassVar[dict[str, int]] = {"A": 1, "K": 25, "J": 1, "T": 1, "9": 9, "5": 5, "f": 5, "2": 1}
    highest_bid = 48


class RoundAuction(Pedro):
    """The auction goes round until three have passed; a pass is final. All four pass: the next dealer deals."""

    def auction(self) -> Flow:
        passed: set[int] = set()
        while True:
            for seat in self.from_eldest():
                if seat in passed:
                    continue
                last_chance = self.bid is None and len(passed) == 3  # [7.8]
                call = yield from self.ask(seat, "bid", self.round_calls())
                if call == "pass":
                    passed.add(seat)
                else:
                    self.take_call(seat, call)
                if len(passed) == 4:
                    self.events["all_pass"] += 1
                    self.redeal = True
                    return
                if last_chance or (self.bid is not None and len(passed) == 3):
                    return

    def round_calls(self) -> set[str]:
        return {"pass"} | self.numbers(self.lowest_bid if self.bid is None else self.bid + 1)


class KingPedro(RoundAuction):
    values: ClassVar[dict[str, int]] = {"A": 1, "K": 30, "J": 1, "T": 1, "5": 5, "f": 5, "2": 1}
    dealt_size, kitty_size = 12, 4
    lowest_bid, highest_bid = 30, 44
    follow = "free"
    plain_cards_rank = False
    target = 200
    only_a_made_bid_wins = True

    def exchange(self) -> Flow:
        self.take_kitty()
        for seat in self.from_eldest():
            yield from self.discard_plain_to_six(seat)

    def next_leader(self, winner: int) -> int | None:
        """A seat without trumps is out at the end of the trick [7.9]; the lead passes clockwise."""
        for seat in range(self.seats):
            if seat not in self.out and not self.trumps(self.hands[seat]):
                self.lay_down(seat)
        for seat in self.clockwise(winner):
            if seat not in self.out:
                if seat != winner:
                    self.events["lead_passes"] += 1
                return seat
        return None

    def match_winner(self) -> int | None:
        for side in (0, 1):
            if self.scores[side] <= -100:
                self.events["lost_at_the_bottom"] += 1
                return 1 - side
        return super().match_winner()


class KingPedroUkrainian(RoundAuction):
    values: ClassVar[dict[str, int]] = {"A": 1, "K": 30, "J": 1, "T": 10, "9": 9, "5": 5, "f": 5, "2": 1}
    lowest_bid, highest_bid = 30, 62
    follow = "any_plain"
    plain_cards_rank = False
    first_lead_is_trump = True
    target = 262
    only_a_made_bid_wins = True

    def exchange(self) -> Flow:
        deal_four_more(self)
        for seat in self.from_eldest():
            if seat == self.declarer or self.partner(seat) in self.out or not self.may_fold(seat):
                continue
            if (yield from self.ask(seat, "give", {"fold", "done"})) == "fold":
                self.events["fold"] += 1
                self.hands[self.partner(seat)] |= self.trumps(self.hands[seat])
                self.hands[seat] -= self.trumps(self.hands[seat])
                self.lay_down(seat)
        for seat in self.from_eldest():
            if seat not in self.out:
                yield from self.discard_plain_to_six(seat)
                yield from self.discard_trumps_without_points(seat)
                self.discard_the_two(seat)
                yield from self.discard_least_valuable(seat)

    def may_fold(self, seat: int) -> bool:
        """No trump, one trump, or two of which one is the 2."""
        trumps = self.trumps(self.hands[seat])
        return len(trumps) <= 1 or (len(trumps) == 2 and bool(self.the_two(trumps)))

    def discard_the_two(self, seat: int) -> None:
        """More point trumps than six: the 2 first; its point still counts for its holder's side."""
        hand = self.hands[seat]
        if len(self.trumps(hand)) > 6:
            for two in self.the_two(hand):
                self.events["two_discarded"] += 1
                self.lay_aside(seat, {two})
                self.credit(two, self.side(seat))


def deal_four_more(game: Pedro) -> None:
    """Four more cards each, one packet a seat, from the top of the stock."""
    for seat in game.from_eldest():
        packet, game.stock = game.stock[:4], game.stock[4:]
        game.dealt[seat] += packet
        game.hands[seat] |= set(packet)


# --------------------------------------------------------------------------------------------------------------
# Section 3.5: sixty-three and eighty-three
# --------------------------------------------------------------------------------------------------------------


class SurplusToPartner(RoundAuction):
    """Giving surplus trumps to the partner, and the option exchange="fill" of the four variants of 3.5."""

    keeper = False

    def exchange(self) -> Flow:
        if self.options["exchange"] == "fill":
            yield from self.fill_exchange()
        else:
            yield from self.usual_exchange()

    def fill_exchange(self) -> Flow:
        for seat in self.from_eldest():
            self.lay_aside(seat, self.plain(self.hands[seat]))
        for seat in self.from_eldest():
            yield from self.give_surplus(seat)
        for seat in self.others():
            self.fill(seat)
        yield from self.rob()  # takes the trumps, chooses plain cards up to six
        yield from self.discard_trumps_without_points(self.dealer)
        yield from self.discard_least_valuable(self.dealer)

    def usual_exchange(self) -> Flow:
        raise NotImplementedError

    def give_surplus(self, seat: int) -> Flow:
        """A seat with more than six trumps gives the surplus to its partner, who gets down to six at once."""
        trumps = self.trumps(self.hands[seat])
        if len(trumps) <= 6:
            return
        self.note_many_trumps(seat)
        self.events["surplus_given"] += 1
        partner = self.partner(seat)
        yield from self.choose(seat, "give", trumps, len(trumps) - 6, self.give_to(seat, partner))
        yield from self.discard_trumps_without_points(partner)
        left = self.trumps(self.hands[partner])
        if len(left) > 6:  # it ran out of them: the surplus goes back
            self.events["surplus_given_back"] += 1
            yield from self.choose(partner, "give", left, len(left) - 6, self.give_to(partner, seat))
            yield from self.discard_trumps_without_points(seat)


class SixtyThree(SurplusToPartner):
    values: ClassVar[dict[str, int]] = {"A": 1, "K": 25, "J": 1, "T": 1, "9": 9, "5": 5, "f": 5, "3": 15, "2": 1}
    lowest_bid, highest_bid = 1, 63
    target = 152

    def auction(self) -> Flow:
        """Goes round until three pass in a row after a bid; a seat that passed may bid again."""
        passes = 0
        while True:
            for seat in self.from_eldest():
                last_chance = self.bid is None and passes == 3  # [7.8] a bid ends it, a pass is the fourth
                call = yield from self.ask(seat, "bid", self.round_calls())
                if call == "pass":
                    passes += 1
                else:
                    passes = 0
                    self.take_call(seat, call)
                if self.bid is None and passes == 4:
                    self.events["all_pass"] += 1
                    self.redeal = True
                    return
                if last_chance or (self.bid is not None and passes == 3):
                    return

    def usual_exchange(self) -> Flow:
        deal_four_more(self)
        for seat in self.from_eldest():
            yield from self.discard_plain_to_six(seat)
            yield from self.discard_trumps_without_points(seat)
            yield from self.discard_least_valuable(seat)


class SixtyThreeJoker(SixtyThree):
    jokers = (BIG_JOKER,)
    order = "AKQJT98765f432X"
    values: ClassVar[dict[str, int]] = {"A": 1, "K": 25, "J": 1, "T": 1, "9": 9, "5": 5, "f": 5, "2": 1, "X": 15}


class EightyThree(SurplusToPartner):
    jokers: tuple[str, ...] = (BIG_JOKER,)
    order = "AKQJT98765f432X"
    values: ClassVar[dict[str, int]] = {
        "A": 1,
        "K": 25,
        "Q": 20,
        "J": 1,
        "T": 1,
        "9": 9,
        "5": 5,
        "f": 5,
        "2": 1,
        "X": 15,
    }
    dealt_size, kitty_size = 12, 5
    highest_bid = 83
    target = 200

    def configure(self) -> None:
        self.lowest_bid = self.options["min_bid"]
        if self.options["exchange"] == "fill":
            self.dealt_size, self.kitty_size = 9, 0

    def round_calls(self) -> set[str]:
        if self.call == "double-83":
            return {"pass"}
        return super().round_calls() | {"double-83"}

    def take_call(self, seat: int, call: str) -> None:
        if call == "double-83":
            self.events["double-83"] += 1
            self.bid, self.call, self.declarer = 83, call, seat
        else:
            super().take_call(seat, call)

    def name_trumps(self) -> Flow:
        self.take_kitty()  # the kitty, then trumps
        yield from super().name_trumps()

    def usual_exchange(self) -> Flow:
        for seat in self.from_eldest():
            yield from self.give_surplus(seat)
        for seat in self.from_eldest():
            yield from self.discard_plain_to_six(seat)

    def reward(self) -> int:
        return 166 if self.call == "double-83" else super().reward()

    def penalty(self) -> int:
        return 166 if self.call == "double-83" else self.bid


class EightyThreePlain(EightyThree):
    jokers = ()
    order = Pedro.order
    values: ClassVar[dict[str, int]] = {
        "A": 1,
        "K": 25,
        "Q": 20,
        "J": 1,
        "T": 1,
        "9": 9,
        "5": 5,
        "f": 5,
        "3": 15,
        "2": 1,
    }

    def configure(self) -> None:
        self.kitty_size = 4
        super().configure()


# --------------------------------------------------------------------------------------------------------------
# Section 3.6: without partners
# --------------------------------------------------------------------------------------------------------------


class PedroSancho(Pedro):
    by_teams = False
    order = RANKS
    values: ClassVar[dict[str, int]] = {"A": 1, "2": 1, "J": 1, "T": 1, "5": 5, "9": 9}
    keeper = False
    dealt_size = 6
    lowest_bid, highest_bid = 1, 18
    dealer_may_equal = True
    first_lead_is_trump = True
    target = 100
    counting_order = "A2JT59"

    def configure(self) -> None:
        self.seats = self.options["seats"]
        self.by_teams = self.options["teams"] == "partners"
        if self.options["deal_all"]:  # the whole pack, one packet each, the remainder unseen
            size = len(full_pack(self.pack_ranks, self.jokers)) // self.seats
            self.dealt_size = self.packet_size = self.hand_size = size

    def exchange(self) -> Flow:
        if self.options["exchange"]:
            for seat in self.from_eldest():
                self.lay_aside(seat, self.plain(self.hands[seat]))
            for seat in self.from_eldest():  # no robbing
                self.fill(seat)
        return
        yield

    def double_finish_winner(self) -> int | None:
        return self.first_to_count_out(self.counting_order)


class DomPedro(PedroSancho):
    jokers = (BIG_JOKER,)
    order = RANKS + "X"
    values: ClassVar[dict[str, int]] = {"A": 1, "2": 1, "J": 1, "T": 1, "3": 3, "5": 5, "9": 9, "X": 15}
    highest_bid = 36
    counting_order = "A2JT359X"


class CalledPartner(Pedro):
    """Five seats; the declarer leads and calls a trump, whose holder is its partner [7.30]."""

    seats = 5
    by_teams = False
    first_lead_is_trump = True

    called: str | None = None
    partner_seat: int | None = None
    alone = False

    def after_card(self, seat: int, card: str) -> Flow:
        if seat != self.declarer or self.trick_number > 0:
            return
        legal = set()
        for other in range(self.seats):
            if other != self.declarer:
                legal |= self.trumps(self.hands[other])
        call = yield from self.ask(seat, "call", legal | self.calls_beside_cards())
        if call == "alone":
            self.events["alone"] += 1
            self.alone = True
            return
        self.called = call
        self.partner_seat = next(s for s in range(self.seats) if call in self.hands[s])

    def calls_beside_cards(self) -> set[str]:
        return set()

    def must_play_called(self, seat: int) -> bool:
        return seat == self.partner_seat and self.called in self.hands[seat]

    def playable(self, seat: int, trick: list[tuple[int, str]]) -> set[str]:
        if self.must_play_called(seat):  # in this first trick
            return {self.called}
        return super().playable(seat, trick)

    def bury_the_two_first(self, seat: int, pool: set[str], count: int) -> bool:
        """The called card is never buried; a partner short of other trumps buries the 2 first."""
        if not (self.must_play_called(seat) and len(pool) < count):
            return False
        self.events["partner_buries_two"] += 1
        for two in self.the_two(self.hands[seat]):
            self.bury_one(seat)(two)
        return True

    # -- scores by seat

    def bidders(self) -> set[int]:
        return {self.declarer} if self.alone else {self.declarer, self.partner_seat}

    def finish(self) -> None:
        bidders = self.bidders()
        took = sum(self.points[seat] for seat in bidders)
        left = sum(self.points) - took
        self.made = took >= self.bid
        self.events["made" if self.made else "set"] += 1
        factor = 2 if self.alone else 1
        for seat in range(self.seats):
            if seat in bidders:
                self.score_change[seat] = factor * (took if self.made else -self.bid)
            else:
                self.score_change[seat] = factor * left
        self.scores = [before + change for before, change in zip(self.scores_before, self.score_change, strict=True)]
        self.winner = self.match_winner()

    def match_winner(self) -> int | None:
        """[7.30] A declarer who made its bid; otherwise the highest; equal: play on."""
        there = [seat for seat in range(self.seats) if self.scores[seat] >= self.target]
        if len(there) > 1:
            self.events["double_finish"] += 1
        if self.declarer in there and self.made:
            return self.declarer
        best = [seat for seat in there if self.scores[seat] == max(self.scores)]
        return best[0] if len(best) == 1 else None


class FiveHanded(CalledPartner):
    values = California.values
    dealt_size, packet_size, kitty_size = 10, 5, 2
    lowest_bid, highest_bid = 6, 16
    target = 104

    def name_trumps(self) -> Flow:
        self.take_kitty()  # the kitty, then trumps
        yield from super().name_trumps()

    def exchange(self) -> Flow:
        for seat in self.from_eldest():
            yield from self.discard_plain_to_six(seat)

    def surplus(self, seat: int) -> int:
        return max(0, len(self.hands[seat]) - (6 - self.trick_number))

    def bury(self, seat: int) -> Flow:
        """At the rate of california-100, always the lowest trumps without points: no decision."""
        surplus = self.surplus(seat)
        if surplus == 0:
            return
        self.events["bury"] += 1
        count = max(1, surplus - (5 - self.trick_number))
        pool = self.trumps_without_points(self.hands[seat])
        pool -= {self.called}
        if self.bury_the_two_first(seat, pool, surplus):
            count -= 1
        for card in sorted(pool, key=lambda card: self.order.index(self.symbol(card)), reverse=True)[:count]:
            self.bury_one(seat)(card)
        return
        yield

    def playable(self, seat: int, trick: list[tuple[int, str]]) -> set[str]:
        legal = super().playable(seat, trick)
        if self.must_play_called(seat):  # goes before the rule that a point trump must be played
            return legal
        return must_play_a_point_trump(self, seat, legal, self.surplus(seat))


class Railroad(CalledPartner):
    dealt_size = 6

    def calls_beside_cards(self) -> set[str]:
        return {"alone"}

    def bury(self, seat: int) -> Flow:
        """[2.10] In the first trick; the called card is never buried."""
        count = len(self.hands[seat]) - 6
        if self.trick_number > 0 or count <= 0:
            return
        self.events["bury"] += 1
        pool = self.trumps_without_points(self.hands[seat])
        pool -= {self.called}
        if self.bury_the_two_first(seat, pool, count):
            count -= 1
        yield from self.choose(seat, "bury", pool, count, self.bury_one(seat))


# --------------------------------------------------------------------------------------------------------------
# Variants and their options
# --------------------------------------------------------------------------------------------------------------

GAMES: dict[str, type[Pedro]] = {
    "pedro": BasePedro,
    "pedro-wpt": PedroWpt,
    "cinch": Cinch,
    "cinch-bicycle": CinchBicycle,
    "nicaragua": Nicaragua,
    "pidro": Pidro,
    "louisiana": Louisiana,
    "louisiana-cutthroat": LouisianaCutthroat,
    "catch-five": CatchFive,
    "california": California,
    "california-100": California100,
    "italian": Italian,
    "monterey-draw": MontereyDraw,
    "monterey-widow": MontereyWidow,
    "oregon": Oregon,
    "tennessee": Tennessee,
    "lipton": Lipton,
    "isle-madame": IsleMadame,
    "canadian": Canadian,
    "king-pedro": KingPedro,
    "king-pedro-ukrainian": KingPedroUkrainian,
    "sixty-three": SixtyThree,
    "sixty-three-joker": SixtyThreeJoker,
    "eighty-three": EightyThree,
    "eighty-three-plain": EightyThreePlain,
    "pedro-sancho": PedroSancho,
    "dom-pedro": DomPedro,
    "five-handed": FiveHanded,
    "railroad": Railroad,
}
VARIANTS: tuple[str, ...] = tuple(GAMES)

POSITIVE = "a positive whole number"
# name -> (default, the values that are named); POSITIVE stands for any number from 1
Options = dict[str, tuple[Any, Any]]
HOUSE_RULES: Options = {  # [7.19]
    "min_bid": (7, (6, 7)),
    "forced_bid": (None, (None, 6, 7)),  # None: min_bid [7.15]
    "slam": (False, (False, True)),
    "bid_28_56": (False, (False, True)),
    "keep_plain": (False, (False, True)),
    "six_at_most": (None, (None, "discard", "counts_for_opponents")),
    "rob_discards": (False, (False, True)),
    "lead_trump": (False, (False, True)),
    "follow": ("suit_or_trump", ("suit_or_trump", "strict", "free")),
    "scoring": ("pedro", ("pedro", "foster", "bicycle")),
    "discard_face_up": (False, (False, True)),
    "target": (62, POSITIVE),
    "double_finish": ("bidder_out", ("bidder_out", "bidder_wins", "count_order")),
}
CINCH: Options = {"min_bid": (1, (1, 6))}
LOUISIANA: Options = {"forced_bid": (6, (6, 7)), "need_ace_deuce": (True, (True, False))}
SIXTY_THREE: Options = {"exchange": (None, (None, "fill"))}
EIGHTY_THREE: Options = {"min_bid": (30, (1, 30, 40)), "exchange": (None, (None, "fill"))}
SANCHO: Options = {
    "seats": (4, (4, 5, 6, 7)),
    "teams": (None, (None, "partners")),
    "deal_all": (False, (False, True)),
    "exchange": (False, (False, True)),
}
OPTIONS: dict[str, Options] = {  # beside max_deals [7.12]
    "pedro": HOUSE_RULES,
    "cinch": CINCH,
    "cinch-bicycle": CINCH,
    "louisiana": LOUISIANA,
    "louisiana-cutthroat": LOUISIANA,
    "oregon": {"tie": ("bidder", ("bidder", "extra_deal"))},
    "tennessee": {
        "min_bid": (9, (9, 10)),
        "moon": (True, (True, False)),
        "misdeal": ("no_points", ("no_points", "no_points_no_faces")),
    },
    "sixty-three": SIXTY_THREE,
    "sixty-three-joker": SIXTY_THREE,
    "eighty-three": EIGHTY_THREE,
    "eighty-three-plain": EIGHTY_THREE,
    "pedro-sancho": SANCHO,
    "dom-pedro": SANCHO,
}


def complete_options(variant: str, options: dict[str, Any]) -> dict[str, Any]:
    """All options of the variant with their values; an unknown name or value, or a contradiction, is an error."""
    if variant not in GAMES:
        raise ValueError(f"no variant {variant!r}; there are {', '.join(VARIANTS)}")
    known: Options = {**OPTIONS.get(variant, {}), "max_deals": (100, POSITIVE)}
    complete = {name: default for name, (default, _) in known.items()}
    for name, value in options.items():
        if name not in known:
            raise ValueError(f"{variant} has no option {name!r}; it has {', '.join(sorted(known))}")
        allowed = known[name][1]
        if allowed == POSITIVE:
            good = type(value) is int and value > 0
        else:
            good = any(value == one and type(value) is type(one) for one in allowed)
        if not good:
            raise ValueError(f"{variant}: {name}={value!r} is not one of {allowed}")
        complete[name] = value
    check_contradictions(variant, complete)
    return complete


def check_contradictions(variant: str, options: dict[str, Any]) -> None:
    if variant == "pedro":  # [7.18]
        if options["scoring"] != "pedro" and (options["slam"] or options["bid_28_56"]):
            raise ValueError(f"slam and bid_28_56 contradict {options['scoring']} scoring")
        if options["rob_discards"] and options["six_at_most"] == "counts_for_opponents":
            raise ValueError("rob_discards contradicts six_at_most='counts_for_opponents'")
    if variant in ("pedro-sancho", "dom-pedro"):
        if options["teams"] == "partners" and options["seats"] != 4:
            raise ValueError("teams='partners' needs four seats")
        if options["deal_all"] and options["exchange"]:
            raise ValueError("exchange and deal_all contradict each other")


# --------------------------------------------------------------------------------------------------------------
# The interface
# --------------------------------------------------------------------------------------------------------------


class Deal:
    """One deal. Decisions are asked for one by one."""

    def __init__(
        self, variant: str, options: dict[str, Any], pack: Sequence[str], dealer: int, scores: Sequence[int]
    ) -> None:
        complete = complete_options(variant, options)
        self.game = GAMES[variant](variant, complete, pack, dealer, scores)
        self._flow = self.game.run()
        self._ask: Ask | None = next(self._flow)

    @property
    def seat(self) -> int | None:
        """The seat to act, None when the deal is over."""
        return self._ask.seat if self._ask else None

    @property
    def phase(self) -> str | None:
        return self._ask.phase if self._ask else None

    def legal(self) -> set[str]:
        return set(self._ask.legal) if self._ask else set()

    def apply(self, action: str) -> None:
        if self._ask is None:
            raise ValueError("the deal is over")
        if action not in self._ask.legal:
            raise ValueError(f"seat {self.seat}, {self.phase}: {action!r} is not one of {sorted(self.legal())}")
        try:
            self._ask = self._flow.send(action)
        except StopIteration:
            self._ask = None

    @property
    def points(self) -> list[int]:
        return self.game.points

    @property
    def score_change(self) -> list[int]:
        return self.game.score_change

    @property
    def scores(self) -> list[int]:
        return self.game.scores

    @property
    def winner(self) -> int | None:
        return self.game.winner

    @property
    def next_dealer(self) -> int:
        return self.game.next_dealer

    @property
    def redeal(self) -> bool:
        return self.game.redeal

    @property
    def hands(self) -> list[set[str]]:
        return self.game.hands

    @property
    def events(self) -> Counter[str]:
        return self.game.events


def pack_of(variant: str) -> list[str]:
    """The unshuffled pack of a variant."""
    return full_pack(GAMES[variant].pack_ranks, GAMES[variant].jokers)


class MatchResult(NamedTuple):
    winner: int | None  # None: truncated after max_deals [2.12]
    scores: list[int]
    deals: list[Deal]
    truncated: bool


def play_match(
    variant: str,
    options: dict[str, Any],
    first_dealer: int,
    pack: Callable[[int], Sequence[str]],
    act: Callable[[Deal], str],
) -> MatchResult:
    """Deals until a score ends the match or `max_deals` records (redeals count [7.1]) were played."""
    complete = complete_options(variant, options)
    dealer, scores, deals = first_dealer, None, []
    for number in range(complete["max_deals"]):
        if scores is None:
            scores = [0] * sides_of(variant, complete)
        deal = Deal(variant, options, pack(number), dealer, scores)
        while deal.seat is not None:
            deal.apply(act(deal))
        deals.append(deal)
        dealer, scores = deal.next_dealer, deal.scores
        if deal.winner is not None:
            return MatchResult(deal.winner, scores, deals, False)
    return MatchResult(None, scores, deals, True)


def sides_of(variant: str, options: dict[str, Any]) -> int:
    """How many scores the game has; `options` may leave out defaults."""
    if GAMES[variant].by_teams or options.get("teams") == "partners":
        return 2
    return options.get("seats", GAMES[variant].seats)


def replay(record: dict[str, Any]) -> None:
    """Play a game record again; an AssertionError names the step and the first difference."""
    deal = Deal(record["variant"], record["options"], record["pack"], record["dealer"], record["scores_before"])
    name = f"{record['variant']} match {record.get('match')} deal {record.get('deal')}"
    for index, step in enumerate(record["steps"]):
        where = f"{name}, step {index}"
        assert deal.seat is not None, f"{where}: the deal is over, the record says {step}"
        assert deal.seat == step["seat"], f"{where}: seat {deal.seat}, the record says {step['seat']}"
        assert deal.phase == step["phase"], f"{where}: phase {deal.phase}, the record says {step['phase']}"
        assert len(set(step["legal"])) == len(step["legal"]), f"{where}: legal has an action twice"
        missing, extra = deal.legal() - set(step["legal"]), set(step["legal"]) - deal.legal()
        difference = f"the record lacks {sorted(missing)} and has {sorted(extra)} too much"
        assert deal.legal() == set(step["legal"]), f"{where} (seat {deal.seat}, {deal.phase}): {difference}"
        assert step["action"] in deal.legal(), f"{where}: the action {step['action']!r} is not legal"
        deal.apply(step["action"])
    assert deal.seat is None, f"{name}: after the last step seat {deal.seat} is to {deal.phase}"
    for field, found in (
        ("points", deal.points),
        ("score_change", deal.score_change),
        ("scores_after", deal.scores),
        ("winner", deal.winner),
    ):
        assert found == record[field], f"{name}: {field} {found}, the record says {record[field]}"
