"""Every variant, as its difference from a parent, and the options by which a game can be changed.

``docs/rules/RULES.md`` is the text; the section of each variant stands beside it. ``make_rules`` is the door:
a name and options in, ``Rules`` out, or a ``RulesError`` that says what would be right.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from pedro_env.rules import (
    STANDARD_TRUMPS,
    AllPass,
    Auction,
    DoubleFinish,
    DropOut,
    Exchange,
    Follow,
    OpeningLead,
    Rules,
    RulesError,
    Scoring,
    Surplus,
    Teams,
    Tie,
)
from pedro_env.words import near

Changes = Mapping[str, Any]
"""Fields of ``Rules`` and their values."""


@dataclass(frozen=True)
class Option:
    """One option: the values it may have, and what each changes."""

    help: str
    values: Mapping[Any, Changes] = field(default_factory=dict[Any, Changes])
    """Value to changes. Empty: any whole number from ``low`` to ``high``, written to the field of the same name."""
    low: int = 0
    high: int = 0


@dataclass(frozen=True)
class Variant:
    """One entry of the table: what differs from the parent, and where the rules come from."""

    source: str
    """Section of the rules page; document (and note)."""
    changes: Changes
    parent: str = ""
    options: Mapping[str, Option] = field(default_factory=dict[str, Option])
    """The options it knows, besides ``max_deals``. Not inherited."""


def _points(**values: int) -> tuple[tuple[str, int], ...]:
    """``A=1, five=5`` to points by trump symbol; digits are spelled out to be legal names."""
    spelled = {"two": "2", "three": "3", "five": "5", "nine": "9"}
    return tuple((spelled.get(name, name), value) for name, value in values.items())


SIXTEEN = _points(A=1, J=3, T=1, five=5, f=5, two=1)
NO_OFF_FIVE = "AKQJT98765432"


def _switch(help: str, **changes: Any) -> Option:
    return Option(help, {False: {}, True: changes})


HOUSE_RULES = {
    "min_bid": Option("lowest bid", low=1, high=14),
    "forced_bid": Option("lowest bid of a dealer who must bid (default: min_bid)", low=1, high=14),
    "slam": _switch("a bid of 14 scores 28 when made", top_bid_bonus=28),
    "bid_28_56": _switch(
        "the dealer may bid 28-56 with A, K and 2 of a suit",
        bid_28_56=True,
        bid_28_56_needs="AK2",
        bid_28_56_dealer_only=True,
    ),
    "keep_plain": _switch("plain cards may be kept", keep_plain=True),
    "six_at_most": Option(
        "more than six trumps are discarded down to six",
        {
            "discard": {"surplus": Surplus.DISCARD},
            "counts_for_opponents": {"surplus": Surplus.DISCARD_FOR_OPPONENTS},
        },
    ),
    "rob_discards": _switch("the dealer also takes trumps that the others laid aside", rob_discards=True),
    "lead_trump": _switch("the opening lead is a trump", opening_lead=OpeningLead.TRUMP),
    "follow": Option(
        "what a plain lead asks for",
        {value.value: {"follow": value} for value in (Follow.SUIT_OR_TRUMP, Follow.STRICT, Follow.FREE)},
    ),
    "scoring": Option(
        "what a bid is worth",
        {value.value: {"scoring": value} for value in (Scoring.PEDRO, Scoring.FOSTER, Scoring.BICYCLE)},
    ),
    "discard_face_up": _switch("what is laid aside is seen by all", discard_face_up=True),
    "target": Option("score that wins the match", low=1, high=1000),
    "double_finish": Option(
        "both sides at the target",
        {
            value.value: {"double_finish": value}
            for value in (DoubleFinish.BIDDER_OUT, DoubleFinish.BIDDER_WINS, DoubleFinish.COUNT_ORDER)
        },
    ),
}
_LOUISIANA = {
    "forced_bid": Option("lowest bid of a dealer who must bid", {6: {}, 7: {"forced_bid": 7}}),
    "need_ace_deuce": Option("a 28-56 bid needs A and 2 of a suit", {True: {}, False: {"bid_28_56_needs": ""}}),
}
_CINCH = {"min_bid": Option("lowest bid", {1: {}, 6: {"min_bid": 6, "forced_bid": 6}})}
_OREGON = {
    "tie": Option("equal scores at the target", {value.value: {"tie": value} for value in Tie}),
}
_TENNESSEE = {
    "min_bid": Option("lowest bid", {9: {}, 10: {"min_bid": 10, "forced_bid": 10}}),
    "moon": Option("moon and double-moon may be bid", {True: {}, False: {"moon": False}}),
    "misdeal": Option(
        "what a hand must lack for a misdeal",
        {"no_points": {}, "no_points_no_faces": {"misdeal": "AKQJT52"}},
    ),
}
_FILL = Option(
    "nine cards each, no kitty; the dealer takes the rest of the stock",
    {"fill": {"dealt": 9, "kitty": 0, "dealt_after_trump": 0, "exchange": Exchange.GIVE_FILL_AND_KEEP}},
)
_SIXTY_THREE = {"exchange": _FILL}
_EIGHTY_THREE = {
    "min_bid": Option("lowest bid", {n: {"min_bid": n, "forced_bid": n} for n in (1, 30, 40)}),
    "exchange": _FILL,
}
_SANCHO = {
    "seats": Option("number of seats", low=4, high=7),
    "teams": Option("each alone, or four in two teams", {t.value: {"teams": t} for t in (Teams.NONE, Teams.PARTNERS)}),
    "deal_all": _switch("the whole pack is dealt", deal_all=True),
    "exchange": _switch("plain cards are laid aside and hands filled", exchange=Exchange.FILL),
}

MAX_DEALS = Option("deals after which a match is cut off", low=1, high=10_000)
"""The one option of every variant (7.12)."""

VARIANTS: dict[str, Variant] = {
    # The Double Pedro family (3.1)
    "pedro": Variant("2; documents 002, 003", {}, options=HOUSE_RULES),
    "pedro-wpt": Variant(
        "3.1; document 003", {"follow": Follow.STRICT, "scoring": Scoring.SUBTRACT_TAKEN}, parent="pedro"
    ),
    "cinch": Variant(
        "3.1; document 000, after Foster 1897",
        {
            "keeper": False,
            "min_bid": 1,
            "forced_bid": 1,
            "exchange": Exchange.CHOOSE_AND_ROB,
            "min_discard": 3,
            "discard_face_up": True,
            "discards_count": True,
            "surplus": Surplus.NONE,
            "scoring": Scoring.FOSTER,
            "target": 51,
            "double_finish": DoubleFinish.BIDDER_WINS,
        },
        parent="pedro",
        options=_CINCH,
    ),
    "cinch-bicycle": Variant("3.1; document 000, note 9", {"scoring": Scoring.BICYCLE}, parent="cinch", options=_CINCH),
    "nicaragua": Variant(
        "3.1; document 002",
        {
            "dealt": 7,
            "packet": 7,
            "hand": 7,
            "all_pass": AllPass.DEALER_DECLARES,
            "forced_bid": 6,
            "exchange": Exchange.CHOOSE_AND_ROB,
            "rob_discards": True,
            "surplus": Surplus.NONE,
            "follow": Follow.STRICT,
            "target": 52,
            "double_finish": DoubleFinish.BIDDER_WINS,
        },
        parent="pedro",
    ),
    "pidro": Variant(
        "3.1; documents 002, 000 (Ostrobothnia)",
        {
            "min_bid": 6,
            "forced_bid": 6,
            "rob_top_plain": True,
            "surplus": Surplus.DISCARD,
            "surplus_face_up": True,
            "follow": Follow.TRUMPS_ONLY,
            "drop_out": DropOut.NO_TRUMP,
            "double_finish": DoubleFinish.BIDDER_WINS,
        },
        parent="pedro",
    ),
    "louisiana": Variant(
        "3.1; document 000",
        {"forced_bid": 6, "dark": True, "bid_28_56": True, "bid_28_56_needs": "A2"},
        parent="pedro",
        options=_LOUISIANA,
    ),
    "louisiana-cutthroat": Variant(
        "3.1; document 000", {"follow": Follow.FREE}, parent="louisiana", options=_LOUISIANA
    ),
    "catch-five": Variant(
        "3.1; document 002, Pitch with fives",
        {
            "trump_order": NO_OFF_FIVE,
            "points": _points(A=1, two=1, J=1, T=1, five=5),
            "keeper": False,
            "dealt": 6,
            "min_bid": 2,
            "max_bid": 9,
            "forced_bid": 2,
            "all_pass": AllPass.DEALER_DECLARES,
            "dealer_may_match": True,
            "exchange": Exchange.FILL,
            "surplus": Surplus.NONE,
            "follow": Follow.STRICT,
            "target": 31,
            "double_finish": DoubleFinish.BIDDER_WINS,
        },
        parent="pedro",
    ),
    # Sixteen points: the California family (3.2)
    "california": Variant(
        "3.2; document 000",
        {
            "points": SIXTEEN,
            "min_bid": 6,
            "max_bid": 16,
            "forced_bid": 6,
            "counter_clockwise": True,
            "top_bid_bonus": 32,
            "target": 52,
            "double_finish": DoubleFinish.MADE_BID_ONLY,
        },
        parent="pedro",
    ),
    "california-100": Variant(
        "3.2; document 001",
        {
            "opening_lead": OpeningLead.TRUMP,
            "follow": Follow.FREE,
            "drop_out": DropOut.CANNOT_FOLLOW_TRUMP,
            "surplus": Surplus.BURY_EACH_TRICK,
            "ends_when_decided": True,
            "top_bid_loss": 32,
            "target": 100,
            "double_finish": DoubleFinish.BIDDER_WINS,
        },
        parent="california",
    ),
    "italian": Variant(
        "3.2; document 000",
        {"counter_clockwise": False, "top_bid_bonus": 0, "target": 91},
        parent="california",
    ),
    "monterey-draw": Variant(
        "3.2; document 000",
        {"opening_lead": OpeningLead.TRUMP, "drop_out": DropOut.CANNOT_FOLLOW_TRUMP},
        parent="italian",
    ),
    "monterey-widow": Variant("3.2; document 000", {"own_widow": 4, "exchange": Exchange.SHED}, parent="monterey-draw"),
    # Off-jack games (3.3)
    "oregon": Variant(
        "3.3; document 000",
        {
            "trump_order": "AKQJjT98765f432",
            "points": _points(A=1, J=1, j=1, T=1, five=5, f=5, two=1),
            "keeper": False,
            "auction": Auction.ROUNDS,
            "bid_names_suit": True,
            "min_bid": 6,
            "max_bid": 15,
            "forced_bid": 5,
            "follow": Follow.FREE,
            "plain_ranks": False,
            "drop_out": DropOut.CANNOT_FOLLOW_TRUMP,
            "target": 63,
            "double_finish": DoubleFinish.HIGHER,
        },
        parent="pedro",
        options=_OREGON,
    ),
    "tennessee": Variant(
        "3.3; document 000",
        {
            "jokers": 2,
            "trump_order": "AKQJjXxT98765f432",
            "points": _points(A=1, J=1, j=1, X=1, x=1, T=1, five=5, f=5, two=1),
            "keeper": False,
            "min_bid": 9,
            "max_bid": 17,
            "forced_bid": 9,
            "all_pass": AllPass.DEALER_DECLARES,
            "moon": True,
            "misdeal": "AJT52",
            "exchange": Exchange.WIDOW,
            "surplus": Surplus.NONE,
            "plain_ranks": False,
            "drop_out": DropOut.LAY_DOWN,
            "concede": True,
            "target": 52,
            "double_finish": DoubleFinish.BIDDER_WINS,
        },
        parent="pedro",
        options=_TENNESSEE,
    ),
    # King games (3.4)
    "lipton": Variant(
        "3.4; document 000",
        {
            "ranks": "AKQJT952",
            "trump_order": "AKQJjT95f2",
            "points": _points(A=1, K=20, J=1, j=1, T=1, five=5, f=5, two=1),
            "keeper": False,
            "dealt": 7,
            "packet": 7,
            "kitty": 4,
            "hand": 7,
            "min_bid": 15,
            "max_bid": 35,
            "forced_bid": 15,
            "name_trump_first": False,
            "exchange": Exchange.KITTY,
            "surplus": Surplus.NONE,
            "target": 105,
            "floor": -105,
            "double_finish": DoubleFinish.BIDDER_WINS,
        },
        parent="pedro",
    ),
    "isle-madame": Variant(
        "3.4; document 000",
        {
            "points": _points(A=1, K=25, J=1, T=1, five=5, f=5, two=1),
            "min_bid": 25,
            "max_bid": 39,
            "forced_bid": 25,
            "exchange": Exchange.MIX,
            "surplus": Surplus.DISCARD,
            "surplus_face_up": True,
            "opening_lead": OpeningLead.TRUMP,
            "drop_out": DropOut.MAY_FOLD,
            "locked_at": 200,
            "target": 221,
            "double_finish": DoubleFinish.BIDDER_WINS,
        },
        parent="pedro",
    ),
    "canadian": Variant(
        "3.4; document 000",
        {"points": _points(A=1, K=25, J=1, T=1, nine=9, five=5, f=5, two=1), "max_bid": 48},
        parent="isle-madame",
    ),
    "king-pedro": Variant(
        "3.4; document 002",
        {
            "points": _points(A=1, K=30, J=1, T=1, five=5, f=5, two=1),
            "dealt": 12,
            "kitty": 4,
            "auction": Auction.ROUNDS_PASS_FINAL,
            "min_bid": 30,
            "max_bid": 44,
            "forced_bid": 30,
            "all_pass": AllPass.REDEAL,
            "exchange": Exchange.SHED,
            "follow": Follow.FREE,
            "plain_ranks": False,
            "drop_out": DropOut.NO_TRUMP,
            "target": 200,
            "floor": -100,
            "double_finish": DoubleFinish.MADE_BID_ONLY,
        },
        parent="pedro",
    ),
    "king-pedro-ukrainian": Variant(
        "3.4; document 002",
        {
            "points": _points(A=1, K=30, J=1, T=10, nine=9, five=5, f=5, two=1),
            "dealt": 9,
            "kitty": 0,
            "dealt_after_trump": 4,
            "max_bid": 62,
            "exchange": Exchange.SHED_AND_FOLD,
            "surplus": Surplus.DISCARD,
            "surplus_face_up": True,
            "opening_lead": OpeningLead.TRUMP,
            "follow": Follow.PLAIN_FIRST,
            "drop_out": DropOut.NEVER,
            "target": 262,
            "floor": 0,
        },
        parent="king-pedro",
    ),
    # Sixty-three and eighty-three (3.5)
    "sixty-three": Variant(
        "3.5; documents 002, 000",
        {
            "points": _points(A=1, K=25, J=1, T=1, nine=9, five=5, f=5, three=15, two=1),
            "keeper": False,
            "auction": Auction.ROUNDS,
            "min_bid": 1,
            "max_bid": 63,
            "forced_bid": 1,
            "all_pass": AllPass.REDEAL,
            "dealt_after_trump": 4,
            "exchange": Exchange.SHED,
            "surplus": Surplus.DISCARD,
            "target": 152,
            "double_finish": DoubleFinish.BIDDER_WINS,
        },
        parent="pedro",
        options=_SIXTY_THREE,
    ),
    "sixty-three-joker": Variant(
        "3.5; documents 000, 002",
        {
            "jokers": 1,
            "trump_order": STANDARD_TRUMPS + "X",
            "points": _points(A=1, K=25, J=1, T=1, nine=9, five=5, f=5, two=1, X=15),
        },
        parent="sixty-three",
        options=_SIXTY_THREE,
    ),
    "eighty-three": Variant(
        "3.5; document 002",
        {
            "jokers": 1,
            "trump_order": STANDARD_TRUMPS + "X",
            "points": _points(A=1, K=25, Q=20, J=1, T=1, nine=9, five=5, f=5, two=1, X=15),
            "keeper": False,
            "dealt": 12,
            "kitty": 5,
            "auction": Auction.ROUNDS_PASS_FINAL,
            "min_bid": 30,
            "max_bid": 83,
            "forced_bid": 30,
            "all_pass": AllPass.REDEAL,
            "double_83": True,
            "name_trump_first": False,
            "exchange": Exchange.SHED_AND_GIVE,
            "surplus": Surplus.DISCARD,
            "target": 200,
            "double_finish": DoubleFinish.BIDDER_WINS,
        },
        parent="pedro",
        options=_EIGHTY_THREE,
    ),
    "eighty-three-plain": Variant(
        "3.5; documents 000, 002",
        {
            "jokers": 0,
            "trump_order": STANDARD_TRUMPS,
            "points": _points(A=1, K=25, Q=20, J=1, T=1, nine=9, five=5, f=5, three=15, two=1),
            "kitty": 4,
        },
        parent="eighty-three",
        options=_EIGHTY_THREE,
    ),
    # Without partners (3.6)
    "pedro-sancho": Variant(
        "3.6; documents 002, 000",
        {
            "teams": Teams.NONE,
            "trump_order": NO_OFF_FIVE,
            "points": _points(A=1, two=1, J=1, T=1, five=5, nine=9),
            "count_order": "A2JT59",
            "keeper": False,
            "dealt": 6,
            "min_bid": 1,
            "max_bid": 18,
            "forced_bid": 1,
            "dealer_may_match": True,
            "exchange": Exchange.NONE,
            "surplus": Surplus.NONE,
            "opening_lead": OpeningLead.TRUMP,
            "target": 100,
            "double_finish": DoubleFinish.COUNT_ORDER,
        },
        parent="pedro",
        options=_SANCHO,
    ),
    "dom-pedro": Variant(
        "3.6; documents 002, 000 (Snoozer)",
        {
            "jokers": 1,
            "trump_order": NO_OFF_FIVE + "X",
            "points": _points(A=1, two=1, J=1, T=1, three=3, five=5, nine=9, X=15),
            "count_order": "A2JT359X",
            "max_bid": 36,
        },
        parent="pedro-sancho",
        options=_SANCHO,
    ),
    "five-handed": Variant(
        "3.6; document 000",
        {
            "seats": 5,
            "teams": Teams.CALLED,
            "points": SIXTEEN,
            "dealt": 10,
            "packet": 5,
            "kitty": 2,
            "min_bid": 6,
            "max_bid": 16,
            "forced_bid": 6,
            "name_trump_first": False,
            "exchange": Exchange.SHED,
            "surplus": Surplus.BURY_LOWEST_EACH_TRICK,
            "opening_lead": OpeningLead.TRUMP,
            "target": 104,
            "double_finish": DoubleFinish.DECLARER_FIRST,
        },
        parent="pedro",
    ),
    "railroad": Variant(
        "3.6; document 000",
        {
            "seats": 5,
            "teams": Teams.CALLED,
            "dealt": 6,
            "opening_lead": OpeningLead.TRUMP,
            "may_play_alone": True,
            "double_finish": DoubleFinish.DECLARER_FIRST,
        },
        parent="pedro",
    ),
}


def make_rules(variant: str, options: Mapping[str, Any] | None = None) -> Rules:
    """The rules of a variant with options, e.g. ``make_rules("pedro", {"min_bid": 6})``.

    Raises ``RulesError`` that names the unknown variant, option or value and what would be right.
    """
    options = dict(options or {})
    rules = _variant_rules(variant)
    max_deals = options.pop("max_deals", rules.max_deals)
    changes = option_changes("max_deals", MAX_DEALS, max_deals)
    known = VARIANTS[variant].options
    for name, value in options.items():
        if name not in known:
            names = ", ".join([*known, "max_deals"])
            raise RulesError(f"{variant!r} has no option {name!r}{near(name, known)}; its options are: {names}")
        changes |= option_changes(name, known[name], value)
    if "forced_bid" in known and "min_bid" in options and "forced_bid" not in options:
        changes["forced_bid"] = changes["min_bid"]  # 7.15
    return check(_deal_all(replace(rules, **changes)))


def essential_options(variant: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """The options without those that change nothing: the least that leads to the same rules.

    ``essential_options("pedro", {"min_bid": 6, "target": 62}) == {"min_bid": 6}``. Raises as ``make_rules``.
    """
    rules = make_rules(variant, options)
    essential = dict(options)
    for name in options:
        fewer = {key: value for key, value in essential.items() if key != name}
        try:
            same = make_rules(variant, fewer) == rules
        except RulesError:
            same = False
        if same:
            essential = fewer
    return essential


def option_changes(name: str, option: Option, value: Any) -> dict[str, Any]:
    """What an option's value changes in ``Rules``; ``RulesError`` where it is none of the option's values."""
    if option.values:
        for known, changes in option.values.items():
            if type(known) is type(value) and known == value:
                return dict(changes)
        right = " or ".join(_show(known) for known in option.values)
    else:
        if type(value) is int and option.low <= value <= option.high:
            return {name: value}
        right = f"a whole number from {option.low} to {option.high}"
    raise RulesError(f"option {name!r} cannot be {_show(value)}; it is {right}")


def parse_options(settings: list[str]) -> dict[str, Any]:
    """``["min_bid=6", "slam=true"]`` to a dictionary; values become bool, int or stay text."""
    options: dict[str, Any] = {}
    for setting in settings:
        name, equals, text = setting.partition("=")
        if not equals or not name or not text:
            raise RulesError(f"{setting!r} is not an option; write it as name=value")
        if name in options:
            raise RulesError(f"option {name!r} is given twice")
        if text.lower() in ("true", "false"):
            options[name] = text.lower() == "true"
        else:
            options[name] = int(text) if text.lstrip("-").isdecimal() else text
    return options


def check(rules: Rules) -> Rules:
    """Return ``rules``, or raise ``RulesError`` where two of them contradict each other (7.18, 3.6)."""
    doubling = [name for name, on in (("slam", rules.top_bid_bonus), ("bid_28_56", rules.bid_28_56)) if on]
    if doubling and rules.scoring in (Scoring.FOSTER, Scoring.BICYCLE):
        raise RulesError(f"{doubling[0]!r} contradicts scoring={rules.scoring.value!r}: choose one of them")
    if rules.rob_discards and rules.surplus is Surplus.DISCARD_FOR_OPPONENTS:
        raise RulesError("'rob_discards' contradicts six_at_most='counts_for_opponents': choose one of them")
    if rules.teams is Teams.PARTNERS and rules.seats != 4:
        raise RulesError(f"teams='partners' needs four seats, not {rules.seats}: leave out 'teams' or set seats=4")
    if rules.deal_all and rules.exchange is not Exchange.NONE:
        raise RulesError("'exchange' contradicts 'deal_all': no stock is left to draw from; choose one of them")
    return rules


def _variant_rules(name: str) -> Rules:
    if name not in VARIANTS:
        raise RulesError(f"unknown variant {name!r}{near(name, VARIANTS)}; the variants are: {', '.join(VARIANTS)}")
    entry = VARIANTS[name]
    parent = _variant_rules(entry.parent) if entry.parent else Rules()
    return replace(parent, variant=name, **entry.changes)


def _deal_all(rules: Rules) -> Rules:
    if not rules.deal_all:
        return rules
    each = (4 * len(rules.ranks) + rules.jokers) // rules.seats
    return replace(rules, dealt=each, packet=each, hand=each)


def _show(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else repr(value)
