"""The phases of a deal and the numbering of a variant's actions.

Actions are numbered ``[54 cards | 4 suits | pass, bids | the rest of the variant]``. A card has the same number in
every phase (discard, rob, bury, play …): the phase tells what is done with it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum
from functools import lru_cache

from pedro_env.cards import CARD_NAMES, N_CARDS, N_SUITS, NONE, SUITS
from pedro_env.rules import DropOut, Exchange, Rules, Surplus, Teams


class Phase(IntEnum):
    """What is being decided. ``OVER``: the deal has ended and nobody is to act."""

    DARK = 0
    BID = 1
    TRUMP = 2
    GIVE = 3
    DISCARD = 4
    ROB = 5
    CALL = 6
    BURY = 7
    PLAY = 8
    OVER = 9

    @property
    def word(self) -> str:
        """The name in records: ``"bid"``."""
        return self.name.lower()


FIRST_SUIT = N_CARDS
PASS = FIRST_SUIT + N_SUITS
FIRST_BID = PASS + 1

BID_SUIT_ORDER = (2, 3, 1, 0)
"""D < C < H < S within a number (RULES 3.3): suits in ascending order."""


@dataclass(frozen=True)
class Bid:
    """One possible bid. Bids are ordered: a later one in ``Actions.bids`` beats an earlier one."""

    name: str
    number: int
    """The points it promises."""
    suit: int = NONE
    reward: int = 0
    """What it scores when made, where that is not the points taken; 0: the points taken."""
    loss: int = 0
    """What it subtracts when set; 0: the number."""
    wins: bool = False
    """Made, it wins the match."""


@dataclass(frozen=True)
class Actions:
    """The numbering of one variant's actions."""

    names: tuple[str, ...]
    """Name of each action as in records. A card and a bid may share a name (``7H`` in ``oregon``)."""
    bids: tuple[Bid, ...]
    rest: tuple[str, ...]
    phases: tuple[Phase, ...]
    """The phases in which this variant can ask for a decision, in the order of a deal."""
    ids: dict[tuple[bool, str], int] = field(repr=False, compare=False)
    """An action's number by whether it belongs to the auction, and its name."""

    @property
    def n(self) -> int:
        """The number of actions: the width of a mask."""
        return len(self.names)

    def parse(self, text: str, phase: Phase) -> int:
        """An action's number from its name in a record. Raises ``ValueError`` that says what it could be."""
        wants_bid = phase in (Phase.BID, Phase.DARK)
        action = self.ids.get((wants_bid, text), NONE)
        if action == NONE:
            kinds = "pass or a bid" if wants_bid else "a suit, a card" + "".join(f", {word}" for word in self.rest)
            raise ValueError(f"{text!r} is not an action in the phase {phase.word!r}; it would be {kinds}")
        return action

    def id_of(self, word: str) -> int:
        """The number of an action of the rest (``done``, ``fold`` …); ``NONE`` where the variant has none."""
        return FIRST_BID + len(self.bids) + self.rest.index(word) if word in self.rest else NONE

    def bid_of(self, name: str) -> int:
        """The place of a bid in ``bids`` by its name; ``NONE`` where the variant has none."""
        return next((place for place, bid in enumerate(self.bids) if bid.name == name), NONE)


@lru_cache(maxsize=256)
def actions_of(rules: Rules) -> Actions:
    """The action numbering of a game."""
    bids = _bids(rules)
    rest = _rest(rules)
    names = (*CARD_NAMES, *SUITS, "pass", *(bid.name for bid in bids), *rest)
    ids: dict[tuple[bool, str], int] = {}
    for action, name in enumerate(names):
        in_auction = PASS <= action < FIRST_BID + len(bids) or name == "misdeal"
        ids[in_auction, name] = action
    return Actions(names, bids, rest, _phases(rules), ids)


def _bids(rules: Rules) -> tuple[Bid, ...]:
    numbers = range(min(rules.min_bid, rules.forced_bid), rules.max_bid + 1)
    if rules.bid_names_suit:
        return tuple(Bid(f"{number}{SUITS[suit]}", number, suit) for number in numbers for suit in BID_SUIT_ORDER)
    everything = rules.total_points
    special = (
        (Bid("dark", everything, reward=28, loss=14), rules.dark),
        (Bid("28-56", everything, reward=56, loss=28), rules.bid_28_56),
        (Bid("moon", everything, wins=True), rules.moon),
        (Bid("double-moon", everything, loss=2 * everything, wins=True), rules.moon),
        (Bid("double-83", everything, reward=2 * everything, loss=2 * everything), rules.double_83),
    )
    return (*(_number_bid(rules, number) for number in numbers), *(bid for bid, there in special if there))


def _number_bid(rules: Rules, number: int) -> Bid:
    highest = number == rules.max_bid
    return Bid(str(number), number, reward=highest * rules.top_bid_bonus, loss=highest * rules.top_bid_loss)


def _rest(rules: Rules) -> tuple[str, ...]:
    free_number = (
        rules.exchange in (Exchange.CHOOSE_AND_ROB, Exchange.WIDOW, Exchange.SHED_AND_FOLD)
        or rules.keep_plain
        or (rules.exchange is Exchange.ROB and rules.rob_discards)
    )
    words = (
        ("done", free_number),
        ("misdeal", bool(rules.misdeal)),
        ("fold", rules.drop_out is DropOut.MAY_FOLD or rules.exchange is Exchange.SHED_AND_FOLD),
        ("concede", rules.concede),
        ("alone", rules.may_play_alone),
    )
    return tuple(word for word, there in words if there)


def _phases(rules: Rules) -> tuple[Phase, ...]:
    exchange = rules.exchange
    gives = exchange in (
        Exchange.WIDOW,
        Exchange.SHED_AND_FOLD,
        Exchange.SHED_AND_GIVE,
        Exchange.GIVE_FILL_AND_KEEP,
    )
    sheds = exchange in (
        Exchange.CHOOSE_AND_ROB,
        Exchange.SHED,
        Exchange.SHED_AND_FOLD,
        Exchange.SHED_AND_GIVE,
        Exchange.WIDOW,
        Exchange.KITTY,
    )
    discards = (
        sheds
        or rules.keep_plain
        or rules.rob_discards
        or rules.surplus in (Surplus.DISCARD, Surplus.DISCARD_FOR_OPPONENTS)
    )
    robs = exchange in (
        Exchange.CHOOSE_AND_ROB,
        Exchange.MIX,
        Exchange.GIVE_FILL_AND_KEEP,
    ) or (exchange is Exchange.ROB and not rules.rob_top_plain)
    there = {
        Phase.DARK: rules.dark,
        Phase.BID: True,
        Phase.TRUMP: not rules.bid_names_suit,
        Phase.GIVE: gives,
        Phase.DISCARD: discards,
        Phase.ROB: robs,
        Phase.CALL: rules.teams is Teams.CALLED,
        Phase.BURY: rules.surplus in (Surplus.BURY_FIRST_TRICK, Surplus.BURY_EACH_TRICK),
        Phase.PLAY: True,
    }
    return tuple(phase for phase, asked in there.items() if asked)
