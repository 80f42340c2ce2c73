"""A game's rules as a page that a player can follow, written from ``Rules``, and the decisions taken about it.

One sentence an enum member, one a field; nothing compares a variant's name. ``docs/rules/RULES.md`` is the authority:
a test reads both. The pages of all variants are in ``docs/rules/variants``.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator
from typing import Any

from pedro_env.cards import N_SUITS, RANKS
from pedro_env.decisions import decisions_of
from pedro_env.layout import stock_size
from pedro_env.phases.scoring import BIDDER_OUT_MARGIN
from pedro_env.rules import (
    AllPass,
    Auction,
    DoubleFinish,
    DropOut,
    Exchange,
    Follow,
    OpeningLead,
    Rules,
    Scoring,
    Surplus,
    Teams,
    Tie,
)
from pedro_env.variants import MAX_DEALS, VARIANTS, Option, make_rules

WIDTH = 100
"""Columns of the page."""

Sentences = Iterator[str]

_WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_SYMBOLS = {
    "A": "ace",
    "K": "king",
    "Q": "queen",
    "J": "jack",
    "T": "ten",
    "9": "nine",
    "5": "five",
    "3": "three",
    "2": "two",
    "j": "off-jack",
    "f": "off-five",
    "x": "small joker",
}


def rules_page(rules: Rules) -> str:
    """The rules as Markdown: Cards, Deal, Auction, Trumps, Exchange, Play, Score, Match, Options, Decisions."""
    sections: list[tuple[str, str, Callable[[Rules], Sentences]]] = [
        ("Cards", "", _cards),
        ("Deal", "", _deal),
        ("Auction", "", _auction),
        ("Trumps", "", _trumps),
        ("Exchange", "", _exchange),
        ("Play", "", _play),
        ("Score", "", _score),
        ("Match", "", _match),
        ("Options", _STAR if VARIANTS[rules.variant].options else "", _options),
        ("Decisions", _WHERE_FROM, _decisions),
    ]
    parts = [f"# {rules.variant}", _wrap(_source(rules), "")]
    for title, lead, sentences in sections:
        parts.append(f"## {title}")
        if lead:
            parts.append(_wrap(lead, ""))
        parts.append("\n".join(_wrap(sentence, "- ") for sentence in sentences(rules)))
    return "\n\n".join(parts)


_STAR = "A star marks the value that holds here."
_WHERE_FROM = (
    "Taken where the documents are silent, garbled or contradict each other. In brackets: the section of RULES.md, or "
    "the entry of docs/rules/decisions.md."
)


def variants_table() -> str:
    """All variants, a line each."""
    rows = [("variant", "seats", "sides", "points", "bids", "target", "rules page; document")]
    for name, entry in VARIANTS.items():
        rules = make_rules(name)
        numbers = str(rules.seats), _sides(rules), str(rules.total_points), _bids(rules), str(rules.target)
        rows.append((name, *numbers, entry.source))
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return "\n".join("  ".join(cell.ljust(w) for cell, w in zip(row, widths, strict=True)).rstrip() for row in rows)


def all_pages() -> dict[str, str]:
    """File name to text: an index, ``README.md``, and the page of every variant."""
    rows = ["| variant | source | in one line |", "| --- | --- | --- |"]
    rows += [f"| [{name}]({name}.md) | {entry.source} | {_in_one_line(name)} |" for name, entry in VARIANTS.items()]
    pages = {f"{name}.md": rules_page(make_rules(name)) for name in VARIANTS}
    return {"README.md": "\n".join([_INDEX, *rows]), **pages}


_INDEX = """\
# The rules, variant by variant

Printed by `python -m pedro_env rules --all --out docs/rules/variants`; `python -m pedro_env rules VARIANT --set
OPTION=VALUE …` prints the page of one variant, with options. A test compares these pages with the command. The
authority is [the rules page](../RULES.md): the source is its section, and the document that it comes from.
"""


def _in_one_line(variant: str) -> str:
    r = make_rules(variant)
    cards = f"{N_SUITS * len(r.ranks) + r.jokers} cards, {r.dealt} each"
    parts = [f"{r.seats} seats, {_sides(r)}", cards, f"{len(r.trump_order)} trumps, {r.total_points} points"]
    parts += [f"bids {_bids(r)}, to {r.target}", f"{_EXCHANGED[r.exchange]}; {_FOLLOWED[r.follow]}"]
    return "; ".join(parts)


_EXCHANGED = {
    Exchange.NONE: "no exchange",
    Exchange.FILL: "hands are filled",
    Exchange.ROB: "hands are filled, the dealer robs",
    Exchange.CHOOSE_AND_ROB: "discards of one's choice, the dealer robs",
    Exchange.SHED: "discards down to a hand",
    Exchange.SHED_AND_FOLD: "a weak seat may fold, discards down to a hand",
    Exchange.SHED_AND_GIVE: "surplus trumps go to the partner, discards down to a hand",
    Exchange.WIDOW: "hands are filled, the declarer takes the rest and slides",
    Exchange.KITTY: "the declarer discards as many as it took",
    Exchange.GIVE_FILL_AND_KEEP: "surplus trumps go to the partner, the dealer takes the rest",
    Exchange.MIX: "hands are filled, the dealer mixes the rest with its own",
}
_FOLLOWED = {
    Follow.SUIT_OR_TRUMP: "follow or trump",
    Follow.STRICT: "follow suit",
    Follow.FREE: "any card on a plain lead",
    Follow.PLAIN_FIRST: "plain cards first on a plain lead",
    Follow.TRUMPS_ONLY: "only trumps are played",
}


def _sides(r: Rules) -> str:
    return {Teams.PARTNERS: "2 teams", Teams.NONE: "each alone", Teams.CALLED: "called partner"}[r.teams]


def _bids(r: Rules) -> str:
    return f"{min(r.min_bid, r.forced_bid)}–{r.max_bid}"


# --- words


def _wrap(text: str, bullet: str) -> str:
    return textwrap.fill(
        text, WIDTH, initial_indent=bullet, subsequent_indent=" " * len(bullet), break_on_hyphens=False
    )


def _word(number: int) -> str:
    return _WORDS[number] if number < len(_WORDS) else str(number)


def _cards_word(number: int) -> str:
    return f"{_word(number)} card{'' if number == 1 else 's'}"


def _are_left(number: int) -> str:
    return f"{number} card{' is' if number == 1 else 's are'} left"


def _name(rules: Rules, symbol: str) -> str:
    if symbol == "X":
        return "big joker" if rules.jokers == 2 else "joker"
    return _SYMBOLS[symbol]


def _listed(names: list[str], last: str = "and") -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} {last} {names[-1]}"


def _face(rules: Rules, *, surplus: bool = False) -> str:
    return "face up" if rules.discard_face_up or (surplus and rules.surplus_face_up) else "face down"


def _source(rules: Rules) -> str:
    default = make_rules(rules.variant)
    chosen = [
        f"{name} = {_plain(value)}"
        for name, option in _options_of(rules).items()
        if (value := _value(rules, name, option)) != _value(default, name, option)
    ]
    section, _, documents = VARIANTS[rules.variant].source.partition("; ")
    text = f"Source: docs/rules/RULES.md, section {section} with the fine points of section 7; {documents}."
    return f"{text} With {_listed(chosen)}." if chosen else text


def _options_of(rules: Rules) -> dict[str, Option]:
    return {**VARIANTS[rules.variant].options, "max_deals": MAX_DEALS}


def _value(rules: Rules, name: str, option: Option) -> Any:
    """The value of an option by which these rules are played; None where none of its values is."""
    if not option.values:
        return getattr(rules, name)
    fitting = [
        value
        for value, changes in option.values.items()
        if all(getattr(rules, field) == changed for field, changed in changes.items())
    ]
    # A value without changes always fits: it holds where no other does.
    return max(fitting, key=lambda value: len(option.values[value]), default=None)


def _plain(value: Any) -> str:
    value = getattr(value, "value", value)
    return str(value).lower() if isinstance(value, bool) else str(value)


# --- cards and deal


def _cards(r: Rules) -> Sentences:
    seats = f"{_word(r.seats).capitalize()} seats"
    yield {
        Teams.PARTNERS: f"{seats} in two teams; partners sit opposite.",
        Teams.NONE: f"{seats}, each for itself.",
        Teams.CALLED: f"{seats}. In every deal the declarer calls its partner; the others are the defenders. "
        "Everyone has a score of its own.",
    }[r.teams]
    jokers = ("", " and a joker", " and two jokers, the big one `X` and the small one `x`")[r.jokers]
    ranks = " ".join(rank for rank in reversed(RANKS) if rank in r.ranks)
    yield f"{N_SUITS * len(r.ranks) + r.jokers} cards: {ranks} of each suit{jokers}. `T` is the ten."
    yield f"Trumps, high to low: {' '.join(r.trump_order)} ({len(r.trump_order)} trumps)."
    off = [_name(r, symbol) for symbol in "jf" if symbol in r.trump_order]
    if off:
        legend = _listed([f"`{symbol}` is the {_name(r, symbol)}" for symbol in "jf" if symbol in r.trump_order])
        what = "It is a trump" if len(off) == 1 else "They are trumps"
        yield (
            f"{legend}: the card of that rank in the other suit of the same colour (♠–♣, ♥–♦). "
            f"{what} for every purpose, and missing from the suit printed on it."
        )
    if "X" in r.trump_order and r.jokers == 1:
        yield "`X` is the joker."
    if r.follow is not Follow.TRUMPS_ONLY:
        yield "Plain cards rank as printed, ace high." if r.plain_ranks else "Plain cards have no rank."
    points = ", ".join(f"{_name(r, symbol)} {value}" for symbol, value in r.points)
    yield f"Points ({r.total_points}), all of them trumps: {points}."
    owner = "seat" if r.teams is Teams.NONE else "side"
    if r.keeper:
        yield (
            f"They count for the {owner} that wins the trick they lie in, except the two: it counts for the {owner} "
            f"of the seat that holds it when the play begins."
        )
    else:
        yield f"They count for the {owner} that wins the trick they lie in, the two as well."


def _deal(r: Rules) -> Sentences:
    yield "The first dealer is drawn by lot; after every deal the deal passes one seat to the left."
    stock = stock_size(r)
    if r.deal_all:
        rest = f"{_are_left(stock)} and stay{'s' if stock == 1 else ''} unseen" if stock else "no card is left"
        yield (
            f"The whole pack is dealt in equal hands of {r.dealt}, one packet each, starting with eldest (the seat "
            f"to the dealer's left), clockwise; {rest}."
        )
        return
    packets = "in one packet" if r.packet >= r.dealt else f"in packets of {_word(r.packet)}"
    yield (
        f"{_cards_word(r.dealt).capitalize()} each, {packets}, starting with eldest (the seat to the dealer's left), "
        f"clockwise."
    )
    if r.kitty:
        yield f"Then {_cards_word(r.kitty)} are set aside face down: the kitty, for the declarer."
    if r.own_widow:
        yield (
            f"Then {_word(r.own_widow)} more each, face down, in one packet: a seat sees them right after its own turn "
            f"in the auction."
        )
    if stock == 0:
        yield "No card is left."
    elif r.exchange is Exchange.NONE:
        yield f"{_are_left(stock)} and stay{'s' if stock == 1 else ''} unseen."
    else:
        yield f"{_are_left(stock)}: the stock."


# --- auction and trumps


def _auction(r: Rules) -> Sentences:
    if r.dark:
        yield (
            "Before the cards are dealt each seat, starting with eldest, may declare `dark` or pass. The first to "
            "declare ends this, holds the standing bid and is not asked again; over it the others may only pass or bid "
            "`28-56`. A dark bidder sees its cards before it names trumps."
        )
    yield _order_of_bids(r)
    if r.bid_names_suit:
        yield (
            f"Pass, or bid a number from {r.min_bid} to {r.max_bid} with a suit, higher than every bid before; within "
            f"a number the suits rank S > H > C > D."
        )
    else:
        yield f"Pass, or bid a number from {r.min_bid} to {r.max_bid}, higher than every bid before."
    if r.auction is Auction.ONE_TURN:
        if r.bid_28_56 or r.moon or r.dealer_may_match:
            yield "No bid ends the auction: a seat that can only pass is asked all the same."
        else:
            yield f"A bid of {r.max_bid} does not end the auction: the later seats can only pass."
    if r.dealer_may_match:
        yield "The dealer may also take the contract at the standing bid, by bidding the same number."
    yield from _special_bids(r)
    yield _all_pass(r)
    if r.misdeal:
        yield (
            f"At its turn to bid a seat that holds no {_listed([_name(r, s) for s in r.misdeal], 'or')} of any suit, "
            f"and no joker, may say `misdeal`: the same dealer deals again."
        )
    yield "The highest bidder is the declarer."


def _order_of_bids(r: Rules) -> str:
    start = "with eldest, clockwise"
    if r.counter_clockwise:
        start = "with the seat on the dealer's right, counter-clockwise"
    others = _word(r.seats - 1)
    return {
        Auction.ONE_TURN: f"One turn each, starting {start}, the dealer last.",
        Auction.ROUNDS: f"Starting {start}, round and round; a seat that passed may bid again. The auction ends when "
        f"{others} seats have passed in a row after a bid.",
        Auction.ROUNDS_PASS_FINAL: f"Starting {start}, round and round; a seat that passed is not asked again. The "
        f"auction ends when there is a bid and the {others} other seats have passed.",
    }[r.auction]


def _special_bids(r: Rules) -> Sentences:
    total = r.total_points
    if r.bid_28_56:
        who = "The dealer" if r.bid_28_56_dealer_only else "A seat"
        over = "" if r.bid_28_56_dealer_only else " Over it the later seats can only pass."
        if r.bid_28_56_needs:
            held = _listed([_name(r, symbol) for symbol in r.bid_28_56_needs])
            yield (
                f"{who} may bid `28-56` over any bid, if it holds the {held} of one suit in the cards it was dealt; "
                f"such a suit must then be named.{over}"
            )
        else:
            yield f"{who} may bid `28-56` over any bid.{over}"
    if r.moon:
        yield f"`moon` (all {total} points, for the match) beats {r.max_bid}, and `double-moon` beats `moon`."
        yield (
            "`double-moon` is legal only over an opponent's `moon`. But where a side with a negative score has bid "
            "`moon`, and it still stands when its partner's turn comes, the partner has no other call than "
            "`double-moon`, and so names trumps."
        )
    if r.double_83:
        yield f"`double-83` (all {total} points) beats {r.max_bid}; over it the others can only pass."


def _all_pass(r: Rules) -> str:
    others = "When all the others have passed"
    if r.dark:
        others += ", and nobody has bid in the dark"
    if r.auction is Auction.ROUNDS:
        others += " at the start"
    if r.all_pass is AllPass.DEALER_DECLARES:
        return f"{others}, the dealer has the contract at {r.forced_bid} without being asked."
    if r.all_pass is AllPass.REDEAL:
        return (
            "When all have passed nobody plays: the next dealer deals. A bid of the last seat, when all the others "
            "have passed without a bid, ends the auction."
        )
    suit = " in any suit" if r.bid_names_suit else ""
    if r.forced_bid < r.min_bid:
        on = f" The auction then goes on, from {r.min_bid} upwards." if r.auction is Auction.ROUNDS else ""
        return f"{others}, the dealer must bid, and may then bid {r.forced_bid}{suit} or more.{on}"
    if r.forced_bid > r.min_bid:
        return f"{others}, the dealer must bid, {r.forced_bid}{suit} or more."
    return f"{others}, the dealer must bid."


def _trumps(r: Rules) -> Sentences:
    if r.bid_names_suit:
        yield "The suit of the last bid is trumps."
    elif r.kitty:
        first = "names any suit, then takes the kitty" if r.name_trump_first else "takes the kitty, then names any suit"
        yield f"The declarer {first}."
    else:
        yield "The declarer names any suit."
    if r.dealt_after_trump:
        left = stock_size(r) - r.seats * r.dealt_after_trump
        rest = f"{_are_left(left)} and stays unseen" if left else "the whole pack is out"
        more = _word(r.dealt_after_trump)
        yield f"Then every seat, starting with eldest, is dealt {more} more, in one packet; {rest}."


# --- exchange


def _exchange(r: Rules) -> Sentences:
    return _EXCHANGE[r.exchange](r)


def _no_exchange(r: Rules) -> Sentences:
    yield "None: the cards are played as dealt."


def _all_plain_go(r: Rules, who: str = "Every seat lays") -> str:
    return f"{who} aside all its plain cards, {_face(r)}: there is no choice."


def _fill_others(r: Rules, left_out: str) -> str:
    return (
        f"Starting with eldest, clockwise, {left_out} left out, hands of fewer than {_word(r.hand)} cards are filled "
        f"to {_word(r.hand)} from the top of the stock."
    )


def _take_back(r: Rules) -> str:
    return (
        "If the stock runs out, a seat makes up its hand with the plain cards that it laid aside, the last dealt "
        "first; there is no choice in that."
    )


def _fill(r: Rules) -> Sentences:
    yield _all_plain_go(r)
    yield (
        f"Starting with eldest, clockwise, every hand is filled to {_word(r.hand)} from the top of the stock, the "
        f"dealer's last and without a choice."
    )
    if r.seats * r.hand > stock_size(r):
        yield _take_back(r)
    yield "What is left of the stock stays unseen: a trump in it is out of play."


def _rob(r: Rules) -> Sentences:
    hand = _word(r.hand)
    if r.rob_discards:
        yield from _rob_with_discards(r)
        return
    if r.keep_plain:
        yield f"Starting with eldest, the dealer too, every seat {_keeps_plain(r)}"
    else:
        yield _all_plain_go(r)
    # A dealer that fills up without a choice takes all of its cards before anyone decides.
    if not r.rob_top_plain:
        plain_first = ", each right after its plain cards" if r.keep_plain else ""
        kept = ", when it has laid aside the plain cards it kept" if r.keep_plain else ""
        yield from _surplus_discard(
            r, f"the others, starting with eldest, before the fills{plain_first}; the dealer after robbing{kept}"
        )
    yield _fill_others(r, "the dealer")
    if r.rob_top_plain:
        yield (
            f"The dealer takes every trump that is left in the stock and, with fewer than {hand} cards then, the "
            f"topmost plain cards of the stock up to {hand}, without choosing."
        )
    else:
        yield (
            f"The dealer robs: it takes every trump that is left in the stock and, with fewer than {hand} cards then, "
            f"plain cards of its choice from the rest of the stock up to {hand}, one a step."
        )
    yield _take_back(r)
    if r.keep_plain:
        yield _dealer_sheds(r)
    if r.rob_top_plain:
        yield from _surplus_discard(r, "all seats after that, starting with eldest, the dealer last")


def _keeps_plain(r: Rules) -> str:
    hand = _word(r.hand)
    return (
        f"lays aside plain cards of its choice, {_face(r)}, one a step, and says `done`. It keeps at most {hand} "
        f"cards: with {hand} or more trumps, no plain card."
    )


def _dealer_sheds(r: Rules) -> str:
    hand = _word(r.hand)
    return (
        f"A dealer that has more than {hand} cards after robbing lays kept plain cards aside, of its choice, until it "
        f"has {hand} or none of them is left."
    )


def _rob_with_discards(r: Rules) -> Sentences:
    hand = _word(r.hand)
    limit = ""
    if r.keep_plain or r.surplus is Surplus.DISCARD:
        limit = f", once at most {hand} cards are left"
    if r.keep_plain:
        yield (
            f"Starting with eldest, the three others lay aside any cards of their choice, trumps too, point trumps "
            f"included, {_face(r)}, one a step, and say `done`{limit}."
        )
        yield f"The dealer, last, {_keeps_plain(r)}"
    else:
        yield _all_plain_go(r)
        yield (
            f"Starting with eldest, the three others may lay aside trumps too, point trumps included, {_face(r)}, one "
            f"a step, and say `done`{limit}."
        )
    yield _fill_others(r, "the dealer")
    yield (
        "If the stock runs out, a hand is made up with the plain cards that it laid aside and, where these are not "
        "enough, the trumps, the last dealt first."
    )
    yield (
        f"The dealer robs: it takes every trump that is left in the stock or was laid aside by the others and, with "
        f"fewer than {hand} cards then, plain cards of its choice from either up to {hand}, one a step."
    )
    if r.keep_plain:
        yield _dealer_sheds(r)
    if r.surplus is Surplus.DISCARD:
        yield (
            f"With more than {hand} trumps the dealer then discards down to {hand}, of its choice, never a point "
            f"trump, {_face(r, surplus=True)}, one a step."
        )


def _surplus_discard(r: Rules, when: str) -> Sentences:
    """More trumps than a hand holds, where they are discarded and not buried."""
    hand = _word(r.hand)
    if r.surplus is Surplus.DISCARD_FOR_OPPONENTS:
        yield (
            f"A seat with more than {hand} trumps discards trumps of its choice down to {hand}, "
            f"{_face(r, surplus=True)}, one a step ({when}). A point trump so discarded counts for the other side."
        )
    elif r.surplus is Surplus.DISCARD:
        point_trumps = "never a point trump" if len(r.points) <= r.hand else "trumps without points first"
        text = (
            f"A seat with more than {hand} trumps discards down to {hand}, of its choice, {point_trumps}, "
            f"{_face(r, surplus=True)}, one a step ({when})."
        )
        if len(r.points) > r.hand:
            text += (
                f" With more than {hand} point trumps the least valuable go, of its choice among equals; their points "
                f"are lost."
            )
        yield text


def _choose_and_rob(r: Rules) -> Sentences:
    hand = _word(r.hand)
    if r.min_discard:
        least = _word(r.min_discard)
        yield (
            f"Starting with eldest, the dealer too, every seat lays aside at least {least} cards of its choice, "
            f"{_face(r)}, one a step, and says `done`. It may lay aside at most {least} and as many more as the stock "
            f"still holds after the fills of the seats before it."
        )
    else:
        yield (
            f"Starting with eldest, the dealer too, every seat lays aside any number of cards of its choice, point "
            f"trumps too, {_face(r)}, one a step, and says `done` (none to all of them)."
        )
    yield _fill_others(r, "the dealer")
    where = "the stock and what the others have laid aside" if r.rob_discards else "the stock"
    yield f"The dealer robs: it takes cards of its choice from {where}, one a step, until it has {hand}."
    if r.discards_count:
        yield "Trumps that are then left in the stock are laid open."
        yield (
            "Point trumps that a defender has laid aside, and those left in the stock when the dealer is a defender, "
            "count for the bidding side; those that the bidding side has laid aside or left count for nobody."
        )
    else:
        yield "A point trump that was laid aside or is left in the stock, and that nobody takes, counts for nobody."


def _shed(r: Rules) -> Sentences:
    hand = _word(r.hand)
    yield (
        f"Starting with eldest, every seat lays aside plain cards of its choice, {_face(r)}, one a step, until it has "
        f"{hand} cards; with {hand} or more trumps it lays aside all its plain cards."
    )
    yield from _surplus_discard(r, "in its own turn")


def _shed_and_fold(r: Rules) -> Sentences:
    hand = _word(r.hand)
    yield (
        "Starting with eldest, a seat, but not the declarer, is asked to `fold` or to go on (`done`) if it has no "
        "trump, one trump, or two of which one is the two. Who folds gives its trumps to its partner, lays down the "
        "rest of its hand face down, seen by nobody, and is out of the deal. All are asked before anyone discards; a "
        "seat whose partner has folded is not asked."
    )
    yield (
        f"Then every seat still in, starting with eldest, discards down to {hand}, of its choice, one a step: plain "
        f"cards first, {_face(r)}; with more than {hand} trumps, trumps without points, {_face(r, surplus=True)}."
    )
    yield (
        f"With more than {hand} point trumps the two goes first, then the least valuable, of its choice among equals, "
        f"{_face(r, surplus=True)}; their points are lost, but the two's counts for the side that held it."
    )


def _give_surplus(r: Rules) -> str:
    hand = _word(r.hand)
    return (
        f"Starting with eldest, a seat with more than {hand} trumps gives the surplus, trumps of its choice, to its "
        f"partner, one a step. A partner left with more than {hand} trumps discards trumps without points, of its "
        f"choice, {_face(r)}, down to {hand}; if it runs out of those it gives its surplus, trumps of its choice, "
        f"back, and the other discards trumps without points likewise."
    )


def _shed_and_give(r: Rules) -> Sentences:
    yield _give_surplus(r)
    yield (
        f"Then every seat, starting with eldest, lays aside plain cards of its choice, {_face(r)}, one a step, until "
        f"it has {_word(r.hand)} cards. A point trump is never discarded."
    )


def _widow(r: Rules) -> Sentences:
    hand = _word(r.hand)
    yield _all_plain_go(r, "The three others than the declarer lay").replace("its", "their")
    yield _fill_others(r, "the declarer")
    yield "The declarer takes the whole rest of the stock, the widow."
    yield (
        f"A defender with more than {hand} trumps then slides the surplus, trumps of its choice, to its partner, "
        f"eldest first. Who was slid cards lays aside plain cards of its choice down to {hand} and gives trumps beyond "
        f"{hand}, of its choice, to the opponent on its right; it does not slide back."
    )
    yield (
        f"A declarer that had {hand} or more trumps when it had taken the widow may now slide trumps or plain cards of "
        f"its choice to its partner, one a step, and says `done`. It must slide until it has at most {hand} trumps, "
        f"and keeps at least {hand} cards. Then it lays aside plain cards of its choice down to {hand}."
    )
    yield (
        f"The partner lays aside plain cards of its choice down to {hand}; with more than {hand} trumps it gives the "
        f"surplus, trumps of its choice, to the opponent on its right."
    )
    yield (
        f"The defenders, eldest first, lay aside plain cards of their choice down to {hand}; who has none left and was "
        f"given more, trumps without points, then those of the least points, of its choice among equals. Their points "
        f"are lost."
    )


def _kitty(r: Rules) -> Sentences:
    yield (
        f"The declarer lays aside {_cards_word(r.kitty)} of its choice, {_face(r)}, one a step; never a point trump "
        f"unless it has nothing else; its points are lost. There is no other exchange."
    )


def _keep_rest(r: Rules) -> str:
    hand = _word(r.hand)
    return f"keeps every trump and, with fewer than {hand}, plain cards of its choice up to {hand}, a kept card a step"


def _give_fill_and_keep(r: Rules) -> Sentences:
    hand = _word(r.hand)
    yield _all_plain_go(r)
    yield _give_surplus(r)
    yield _fill_others(r, "the dealer")
    yield _take_back(r)
    yield (
        f"The dealer takes the whole rest of the stock and {_keep_rest(r)}. With more than {hand} trumps it discards "
        f"trumps without points, of its choice, {_face(r)}, then the least valuable, of its choice among equals, whose "
        f"points are lost."
    )


def _mix(r: Rules) -> Sentences:
    yield _all_plain_go(r, "The three others than the dealer lay").replace("its", "their")
    yield from _surplus_discard(r, "the others, starting with eldest, before the fills; the dealer last, after mixing")
    yield _fill_others(r, "the dealer")
    yield _take_back(r)
    yield f"The dealer mixes the rest of the stock with the cards that it was dealt, {_keep_rest(r)}."


_EXCHANGE: dict[Exchange, Callable[[Rules], Sentences]] = {
    Exchange.NONE: _no_exchange,
    Exchange.FILL: _fill,
    Exchange.ROB: _rob,
    Exchange.CHOOSE_AND_ROB: _choose_and_rob,
    Exchange.SHED: _shed,
    Exchange.SHED_AND_FOLD: _shed_and_fold,
    Exchange.SHED_AND_GIVE: _shed_and_give,
    Exchange.WIDOW: _widow,
    Exchange.KITTY: _kitty,
    Exchange.GIVE_FILL_AND_KEEP: _give_fill_and_keep,
    Exchange.MIX: _mix,
}


# --- play


def _play(r: Rules) -> Sentences:
    yield _opening(r)
    if r.teams is Teams.CALLED:
        yield from _calling(r)
    yield from _following(r)
    yield _winning(r)
    yield from _dropping_out(r)
    yield from _burying(r)
    if r.concede:
        yield (
            f"A defender may, at its first turn to play, say `concede` (unless it lays down its hand): the bidding "
            f"side gets all {r.total_points} points."
        )
    if r.ends_when_decided:
        yield "The deal ends with the trick in which the last point trump falls, the two included."
    elif r.follow is not Follow.TRUMPS_ONLY:
        yield f"A deal has {'' if r.drop_out is DropOut.NEVER else 'at most '}{_word(r.hand)} tricks."


def _opening(r: Rules) -> str:
    if r.follow is Follow.TRUMPS_ONLY:
        return (
            "Only trumps are played: a seat that has one plays one, of its choice. The declarer leads to the first "
            "trick; without a trump it passes the lead clockwise to the next seat that has one."
        )
    if r.opening_lead is OpeningLead.TRUMP:
        who = "The declarer leads" if r.drop_out is not DropOut.MAY_FOLD else "The declarer is to lead"
        return f"{who} to the first trick. This first lead must be a trump; any card, if the leader has none."
    return "The declarer leads any card to the first trick."


def _calling(r: Rules) -> Sentences:
    text = (
        "Having led, the declarer calls a trump that another seat holds. Who holds it is its partner, known to all at "
        "once, and must play it to this first trick."
    )
    if r.may_play_alone:
        text += (
            " Or it says `alone`, whatever its bid, and plays against all the others; it must where no other seat "
            "holds a trump."
        )
    yield text


def _following(r: Rules) -> Sentences:
    if r.follow is Follow.TRUMPS_ONLY:
        return
    without = {
        DropOut.CANNOT_FOLLOW_TRUMP: "without one, lay down your hand, face up: you are out of the deal",
        DropOut.LAY_DOWN: "without one you lay down your hand (below)",
        DropOut.MAY_FOLD: "without one, any card, or fold (below)",
    }.get(r.drop_out, "without one, any card")
    yield f"Trump led: play a trump if you have one; {without}."
    yield {
        Follow.SUIT_OR_TRUMP: "Plain suit led: with a card of it, play that suit or a trump; without one, any card.",
        Follow.STRICT: "Plain suit led: with a card of it, play that suit; without one, any card.",
        Follow.FREE: "Plain suit led: any card.",
        Follow.PLAIN_FIRST: "Plain suit led: play a plain card, of any suit, if you have one; otherwise a trump.",
    }[r.follow]


def _winning(r: Rules) -> str:
    if r.follow is Follow.TRUMPS_ONLY:
        return "The highest trump wins the trick, and its seat leads to the next one."
    without = "the highest card of the suit led" if r.plain_ranks else "the leader"
    return f"The highest trump wins the trick; without a trump, {without}. The winner leads any card to the next one."


def _dropping_out(r: Rules) -> Sentences:
    if r.follow is Follow.TRUMPS_ONLY:
        yield (
            "A seat without a trump is out of the deal, its plain cards unseen; that is looked at before each trick. "
            "The lead of a seat whose last trump has won a trick passes clockwise to the next seat that has one. When "
            "only one seat has trumps left it wins the rest, without a decision."
        )
    elif r.drop_out is DropOut.NO_TRUMP:
        yield (
            "A seat without a trump is out of the deal when a trick ends (so all play to the first one) and lays down "
            "its hand, face up. The lead passes clockwise to the next seat still in; the last one in leads on, a card "
            "a step."
        )
    elif r.drop_out is DropOut.CANNOT_FOLLOW_TRUMP:
        yield "The last seat still in leads on, a card a step."
    elif r.drop_out is DropOut.LAY_DOWN:
        yield (
            "A seat without a trump lays down its hand, face up, at its turn, once the trick has been led to, in the "
            "first trick too: it plays nothing and is out of the deal. On lead it leads one card, even when nobody "
            "else is left, and is then out; if that card wins, the lead passes clockwise to the next seat with a "
            "trump; without one the deal ends."
        )
    elif r.drop_out is DropOut.MAY_FOLD:
        yield (
            "A seat that has no trump left may, at its turn, `fold`: it lays down its hand face down, seen by nobody, "
            "and is out of the deal. On lead it so passes the lead clockwise to the next seat still in; in the first "
            "trick the rule of the first lead holds for that one as well. The last seat in leads on, a card a step; "
            "when it folds too the deal ends."
        )


def _burying(r: Rules) -> Sentences:
    hand, left = _word(r.hand), _word(r.hand - 1)
    if r.surplus is Surplus.BURY_FIRST_TRICK:
        the_two = ""
        if len(r.points) > r.hand:
            its_point = "counts for its side" if r.keeper else "is lost"
            the_two = (
                f" A seat that is short of trumps without points (it holds all the point trumps) buries those that it "
                f"has and the two, without a choice; the point of the two {its_point}."
            )
        yield (
            f"A seat with more than {hand} cards (all of them trumps) buries cards of its choice at its turn in the "
            f"first trick, one a step, face up under the card it plays, until one card and {left} remain. Point trumps "
            f"are never buried.{the_two}"
        )
    elif r.surplus in (Surplus.BURY_EACH_TRICK, Surplus.BURY_LOWEST_EACH_TRICK):
        lowest = r.surplus is Surplus.BURY_LOWEST_EACH_TRICK
        which = "its lowest trumps without points" if lowest else "trumps without points, of its choice"
        yield (
            f"A seat with more cards than {hand} less the tricks already played buries {which}, in each trick, face up "
            f"under the card it plays, until its hand has the usual size: one a trick, or as many as exceed the tricks "
            f"still to come after this one{'; there is no decision' if lowest else ''}. Point trumps are never buried: "
            f"a seat whose trumps without points are only just enough for the buries still due after this trick must "
            f"play a point trump."
        )
    if r.teams is Teams.CALLED and r.surplus in _BURIES:
        first = "" if r.surplus is Surplus.BURY_FIRST_TRICK else ", and playing it goes before that rule"
        yield (
            f"The called card is never buried{first}; a partner who then has too few trumps without points buries the "
            f"two first{', which counts for its side' if r.keeper else ''}."
        )


_BURIES = (Surplus.BURY_FIRST_TRICK, Surplus.BURY_EACH_TRICK, Surplus.BURY_LOWEST_EACH_TRICK)


# --- score and match


def _score(r: Rules) -> Sentences:
    yield from _SCORE[r.scoring](r)
    total = r.total_points
    if r.top_bid_bonus:
        yield f"A bid of {r.max_bid} scores {r.top_bid_bonus} when made; set, −{r.top_bid_loss or r.max_bid}."
    if r.dark:
        yield f"`dark`: all {total} points score 28; anything less, −14."
    if r.bid_28_56:
        yield f"`28-56`: all {total} points score 56; anything less, −28."
    if r.moon:
        yield (
            f"`moon`: all {total} points win the match, whatever the scores; anything less, −{total}, and "
            f"−{2 * total} after `double-moon`. A moon or double moon that is made, also by a `concede`, adds {total}."
        )
    if r.double_83:
        yield f"`double-83`: all {total} points score {2 * total}; anything less, −{2 * total}."
    if r.locked_at:
        yield (
            f"A side that has {r.locked_at} or more when the deal begins is locked: as defenders it adds nothing, but "
            f"wins the match at once when it sets the bidding side; as bidding side it scores as usual."
        )
    if r.may_play_alone:
        yield (
            "Where the declarer plays alone, the others are one side and everything counts double: when the bid is "
            "made the points of both sides, when it is set the bid that the declarer subtracts and the points that the "
            "others add."
        )


def _score_pedro(r: Rules) -> Sentences:
    if r.teams is Teams.NONE:
        yield (
            "Every seat adds the points it took; a declarer whose points do not reach its bid is set and subtracts its "
            "bid instead."
        )
    elif r.teams is Teams.CALLED:
        yield (
            "Every member of a side scores the points that the side took. When declarer and partner together do not "
            "reach the bid they are set, and both subtract the bid instead."
        )
    else:
        yield _DEFENDERS_ADD
        yield f"{_BIDDERS_ADD} otherwise it is set, and subtracts its bid (and adds nothing)."


_DEFENDERS_ADD = "The defenders add the points they took."
_BIDDERS_ADD = "The bidding side adds the points it took if they reach its bid;"


def _score_taken(r: Rules) -> Sentences:
    yield _DEFENDERS_ADD
    yield (
        f"{_BIDDERS_ADD} otherwise it is set, and subtracts the points it took"
        f"{', the two that it kept included' if r.keeper else ''}."
    )


def _score_foster(r: Rules) -> Sentences:
    yield _HIGHER_SCORES
    yield "If the bidding side is set, the defenders score their own points and the bid, the bidding side nothing."
    yield "Scores never fall."


def _score_bicycle(r: Rules) -> Sentences:
    yield _HIGHER_SCORES
    yield (
        f"If the bidding side is set, the defenders score {r.total_points} and what the bidding side lacked to its "
        f"bid; the bidding side scores nothing."
    )
    yield "Scores never fall."


_HIGHER_SCORES = (
    "If the bid is made, the side that took more points scores the difference, the other nothing; equal: nobody scores."
)


_SCORE: dict[Scoring, Callable[[Rules], Sentences]] = {
    Scoring.PEDRO: _score_pedro,
    Scoring.SUBTRACT_TAKEN: _score_taken,
    Scoring.FOSTER: _score_foster,
    Scoring.BICYCLE: _score_bicycle,
}


def _match(r: Rules) -> Sentences:
    yield f"The match is played to {r.target}."
    yield from _FINISH[r.double_finish](r)
    if r.floor:
        yield f"A side at {str(r.floor).replace('-', '−')} or less loses at once."
    yield f"A match that is not over after {r.max_deals:,} deals, redeals included, is cut off: there is no winner."


def _one_side_scores(r: Rules) -> bool:
    return r.scoring in (Scoring.FOSTER, Scoring.BICYCLE)


def _first_there(r: Rules) -> str:
    return (
        f"A side with {r.target} or more after a deal wins. Only one side scores in a deal, so both cannot get there."
    )


def _finish_bidder_out(r: Rules) -> Sentences:
    near = r.target - BIDDER_OUT_MARGIN
    if _one_side_scores(r):
        yield _first_there(r)
    else:
        yield (
            f"A side that alone has {r.target} or more after a deal wins. If both have, and the deal was not played "
            f"bidder out, another deal is played, bidder out."
        )
    yield (
        f"Bidder out: when both sides have {near} or more at the start of a deal, the bidding side wins the match at "
        f"once if it makes its bid. If it is set the deal is scored as usual; then a side that alone has {r.target} or "
        f"more wins, otherwise play goes on."
    )


def _finish_bidder_wins(r: Rules) -> Sentences:
    if _one_side_scores(r):
        yield _first_there(r)
        return
    yield f"A side with {r.target} or more after a deal wins; when both have it, the bidding side wins."


def _finish_made_bid(r: Rules) -> Sentences:
    yield (
        f"A side wins when it has {r.target} or more and has just made its bid, whoever has more; otherwise the match "
        f"goes on."
    )


def _finish_higher(r: Rules) -> Sentences:
    tie = {Tie.BIDDER: "the bidding side wins", Tie.EXTRA_DEAL: "another deal is played"}[r.tie]
    yield f"A side with {r.target} or more after a deal wins; when both have it, the higher score; equal: {tie}."


def _finish_count_order(r: Rules) -> Sentences:
    if _one_side_scores(r):
        yield _first_there(r)
        return
    order = ", ".join(_name(r, symbol) for symbol in r.count_order)
    who, whose = ("seat", "declarer") if r.teams is Teams.NONE else ("side", "side")
    more = "both have" if r.sides == 2 else "more than one has"
    yield (
        f"A {who} with {r.target} or more after a deal wins. When {more} it, the points of the deal are "
        f"counted on from the scores before it in the order {order}, and who gets there first wins; a set {whose} "
        f"counts nothing."
    )


def _finish_declarer_first(r: Rules) -> Sentences:
    yield (
        f"A declarer with {r.target} or more that has made its bid wins. Otherwise the highest of the seats with "
        f"{r.target} or more wins; equal: play goes on."
    )


_FINISH: dict[DoubleFinish, Callable[[Rules], Sentences]] = {
    DoubleFinish.BIDDER_OUT: _finish_bidder_out,
    DoubleFinish.BIDDER_WINS: _finish_bidder_wins,
    DoubleFinish.MADE_BID_ONLY: _finish_made_bid,
    DoubleFinish.HIGHER: _finish_higher,
    DoubleFinish.COUNT_ORDER: _finish_count_order,
    DoubleFinish.DECLARER_FIRST: _finish_declarer_first,
}


# --- options


def _options(r: Rules) -> Sentences:
    for name, option in _options_of(r).items():
        here = _value(r, name, option)
        if option.values:
            values = ", ".join(f"{_plain(value)}{'*' if value == here else ''}" for value in option.values)
        else:
            values = f"{option.low} to {option.high}; here {here}"
        yield f"`{name}`: {option.help} ({values})"


# --- decisions


def _decisions(r: Rules) -> Sentences:
    yield from decisions_of(r.variant).values()
