"""What can differ between the games of the family: ``Rules``, a frozen record of orthogonal options.

A variant is a value of ``Rules`` (``variants.py``). Nothing in here is callable and nothing knows a variant by
name, so that rules can be hashed, printed, compared and saved. Numbers in comments cite ``docs/rules/RULES.md``.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, fields
from enum import Enum

from pedro_env.cards import RANKS

TRUMP_SYMBOLS = RANKS + "jfXx"
"""What a trump order is written in: ranks, off-jack ``j``, off-five ``f``, big joker ``X``, small joker ``x``."""

STANDARD_TRUMPS = "AKQJT98765f432"


class RulesError(ValueError):
    """Rules that do not exist, contradict each other or cannot be played: one line that says what would be right."""


class Teams(str, Enum):
    """Who plays with whom."""

    PARTNERS = "partners"
    """Seats 0, 2, … against 1, 3, …"""
    NONE = "none"
    """Each for itself."""
    CALLED = "called"
    """The declarer calls a card; who holds it is its partner in this deal."""


class Auction(str, Enum):
    """How often a seat is asked."""

    ONE_TURN = "one_turn"
    ROUNDS_PASS_FINAL = "rounds_pass_final"
    """Round and round; who passed is not asked again."""
    ROUNDS = "rounds"
    """Round and round until three seats pass in a row after a bid."""


class AllPass(str, Enum):
    """What happens when every seat before the last one passed."""

    DEALER_MUST_BID = "dealer_must_bid"
    DEALER_DECLARES = "dealer_declares"
    """The dealer has the contract at ``forced_bid`` without being asked."""
    REDEAL = "redeal"
    """The last seat may pass too; then the next dealer deals."""


class Exchange(str, Enum):
    """What happens between the naming of trumps and the first lead."""

    NONE = "none"
    FILL = "fill"
    """Plain cards are laid aside and every seat is filled from the stock."""
    ROB = "rob"
    """Plain cards are laid aside, three seats are filled, the dealer takes the trumps left in the stock."""
    CHOOSE_AND_ROB = "choose_and_rob"
    """Each seat lays aside cards of its choice, three seats are filled, the dealer chooses freely."""
    SHED = "shed"
    """Each seat lays aside plain cards of its choice down to the size of a hand."""
    SHED_AND_FOLD = "shed_and_fold"
    """A seat with hardly a trump may give them to its partner and fold; then SHED."""
    SHED_AND_GIVE = "shed_and_give"
    """A surplus of trumps goes to the partner; then SHED."""
    WIDOW = "widow"
    """Three seats are filled, the declarer takes the rest of the stock and slides cards."""
    KITTY = "kitty"
    """The declarer lays aside as many cards as it took."""
    GIVE_FILL_AND_KEEP = "give_fill_and_keep"
    """Plain cards are laid aside, a surplus of trumps goes to the partner, three seats are filled and the dealer
    keeps a hand of its own and the rest of the stock."""
    MIX = "mix"
    """The dealer mixes the rest of the stock with its hand and keeps a hand of it."""


class Surplus(str, Enum):
    """What a seat does with trumps beyond the size of a hand."""

    NONE = "none"
    BURY_FIRST_TRICK = "bury_first_trick"
    BURY_EACH_TRICK = "bury_each_trick"
    BURY_LOWEST_EACH_TRICK = "bury_lowest_each_trick"
    DISCARD = "discard"
    DISCARD_FOR_OPPONENTS = "discard_for_opponents"


class Follow(str, Enum):
    """What may be played to a plain lead (a trump lead must always be followed)."""

    SUIT_OR_TRUMP = "suit_or_trump"
    STRICT = "strict"
    FREE = "free"
    PLAIN_FIRST = "plain_first"
    """A plain card of any suit as long as there is one."""
    TRUMPS_ONLY = "trumps_only"
    """Plain cards are never played."""


class OpeningLead(str, Enum):
    """What the first lead of the deal may be."""

    ANY = "any"
    TRUMP = "trump"
    """A trump, or any card from a hand without one."""


class DropOut(str, Enum):
    """When a seat leaves the deal before its cards are played."""

    NEVER = "never"
    NO_TRUMP = "no_trump"
    """At the end of a trick, once it has no trump."""
    CANNOT_FOLLOW_TRUMP = "cannot_follow_trump"
    LAY_DOWN = "lay_down"
    """At its turn, once it has no trump and the trick has been led to."""
    MAY_FOLD = "may_fold"


class Scoring(str, Enum):
    """What a set or a made bid is worth."""

    PEDRO = "pedro"
    """Both sides add what they took; a set side subtracts its bid instead."""
    SUBTRACT_TAKEN = "subtract_taken"
    """A set side subtracts what it took."""
    FOSTER = "foster"
    """Made: the higher side scores the difference. Set: the defenders score their points and the bid."""
    BICYCLE = "bicycle"
    """As FOSTER; set: the defenders score all points and what was missing to the bid."""


class DoubleFinish(str, Enum):
    """Who wins when the target is reached."""

    BIDDER_OUT = "bidder_out"
    """Both at the target: another deal, in which the bidding side wins by making its bid."""
    BIDDER_WINS = "bidder_wins"
    """Both at the target: the bidding side wins."""
    MADE_BID_ONLY = "made_bid_only"
    """The target counts only for a side that has just made its bid."""
    HIGHER = "higher"
    """Both at the target: the higher score; equal: by ``tie``."""
    COUNT_ORDER = "count_order"
    """Points are counted in an order; who gets there first wins."""
    DECLARER_FIRST = "declarer_first"
    """The declarer that made its bid, then the highest; equal: play on."""


class Tie(str, Enum):
    """Equal scores at the target."""

    BIDDER = "bidder"
    EXTRA_DEAL = "extra_deal"


@dataclass(frozen=True)
class Rules:
    """The rules of one game. Defaults are those of ``pedro`` (RULES 2); every field is data."""

    variant: str = "pedro"
    """The name under which these rules are known, for people and files; the engine never looks at it."""

    # Table (RULES 1)
    seats: int = 4
    teams: Teams = Teams.PARTNERS

    # Cards and points (2.1, 2.2)
    ranks: str = RANKS
    """The ranks in the pack, of each suit."""
    jokers: int = 0
    trump_order: str = STANDARD_TRUMPS
    """Trumps, high to low, in ``TRUMP_SYMBOLS``."""
    points: tuple[tuple[str, int], ...] = (("A", 1), ("J", 1), ("T", 1), ("5", 5), ("f", 5), ("2", 1))
    """(trump symbol, points) for each point trump."""
    keeper: bool = True
    """The 2 counts for the side of the seat that holds it when the play begins."""
    count_order: str = "A2JT5f"
    """The order in which points are counted where that decides who wins (7.17)."""

    # Deal (2.3)
    dealt: int = 9
    packet: int = 3
    kitty: int = 0
    """Cards set aside for the declarer."""
    own_widow: int = 0
    """Cards a seat is dealt face down and sees after its turn in the auction."""
    dealt_after_trump: int = 0
    """Cards a seat is dealt after trumps are named."""
    deal_all: bool = False
    """The whole pack in equal hands, one packet each."""
    hand: int = 6
    """Cards in a hand when the play begins; tricks in a deal."""

    # Auction (2.4)
    auction: Auction = Auction.ONE_TURN
    counter_clockwise: bool = False
    """The auction runs from the dealer's right, counter-clockwise."""
    min_bid: int = 7
    max_bid: int = 14
    bid_names_suit: bool = False
    all_pass: AllPass = AllPass.DEALER_MUST_BID
    forced_bid: int = 7
    """The lowest bid of a dealer who must bid; what it has where it is not asked."""
    dealer_may_match: bool = False
    """The dealer may take the contract at the standing bid."""
    dark: bool = False
    """Before the cards are dealt a seat may bid in the dark."""
    bid_28_56: bool = False
    bid_28_56_needs: str = ""
    """Trumps of one suit that a 28-56 bidder must hold; that suit must then be named."""
    bid_28_56_dealer_only: bool = False
    moon: bool = False
    double_83: bool = False
    misdeal: str = ""
    """Ranks without which (and without a joker) a seat may call a misdeal."""
    name_trump_first: bool = True
    """Trumps are named before the kitty is taken."""

    # Exchange (2.6–2.8)
    exchange: Exchange = Exchange.ROB
    keep_plain: bool = False
    """Plain cards may be kept when the others are laid aside."""
    min_discard: int = 0
    discard_face_up: bool = False
    """What is laid aside is seen by all."""
    surplus_face_up: bool = False
    """A surplus of trumps that is laid aside is seen by all."""
    rob_discards: bool = False
    """The taker of the rest also takes from what the others laid aside."""
    rob_top_plain: bool = False
    """The dealer fills up with the topmost plain cards of the stock, without choosing."""
    discards_count: bool = False
    """Point trumps that a defender lays aside count for the bidding side."""
    surplus: Surplus = Surplus.BURY_FIRST_TRICK

    # Play (2.9, 2.10)
    follow: Follow = Follow.SUIT_OR_TRUMP
    plain_ranks: bool = True
    """Without a trump the highest card of the suit led wins; otherwise the leader does."""
    opening_lead: OpeningLead = OpeningLead.ANY
    drop_out: DropOut = DropOut.NEVER
    ends_when_decided: bool = False
    """The deal ends with the trick in which the last point trump falls."""
    concede: bool = False
    may_play_alone: bool = False

    # Score (2.11)
    scoring: Scoring = Scoring.PEDRO
    top_bid_bonus: int = 0
    """What the highest bid scores when made, where that is not the points taken; 0: nothing special."""
    top_bid_loss: int = 0
    """What the highest bid subtracts when set, where that is not the bid; 0: nothing special."""
    locked_at: int = 0
    """A side with this score or more adds nothing as defenders, and wins when it sets the bidder; 0: never."""

    # Match (2.12)
    target: int = 62
    double_finish: DoubleFinish = DoubleFinish.BIDDER_OUT
    tie: Tie = Tie.BIDDER
    floor: int = 0
    """A side that falls to this negative score loses at once; 0: no such limit."""
    max_deals: int = 100
    """A match is cut off, without a winner, after so many deals."""

    @property
    def total_points(self) -> int:
        """The points of all point trumps."""
        return sum(value for _, value in self.points)

    @property
    def all_stay(self) -> bool:
        """Every seat is in the deal to its end."""
        return self.drop_out is DropOut.NEVER and self.exchange is not Exchange.SHED_AND_FOLD

    @property
    def sides(self) -> int:
        """Sides that keep a score: teams, or seats where there are no fixed teams."""
        return 2 if self.teams is Teams.PARTNERS else self.seats

    def differences(self, other: Rules) -> dict[str, object]:
        """The fields in which this differs from ``other``, with this one's values."""
        return {
            field.name: getattr(self, field.name)
            for field in fields(self)
            if field.name != "variant" and getattr(self, field.name) != getattr(other, field.name)
        }

    def hash(self) -> str:
        """A short fingerprint of all that a player minds: the name and the cut-off after ``max_deals`` are left out."""
        names = [field.name for field in fields(self) if field.name not in ("variant", "max_deals")]
        data = {name: getattr(self, name) for name in names}
        return hashlib.sha256(json.dumps(data, sort_keys=True, default=str).encode()).hexdigest()[:16]
