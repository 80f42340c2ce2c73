"""The messages of the protocol: what a process is told, as JSON values. All of it comes from the seat's own views.

``python -m agents.process`` prints the tables and the examples of ``docs/agents-protocol.md`` from here.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from pedro_env.actions import Phase, actions_of
from pedro_env.cards import CARD_NAMES, N_RANKS, N_SUITS, SUITS
from pedro_env.cardset import to_bool
from pedro_env.layout import COUNTS, layout_of
from pedro_env.rules import Rules
from pedro_env.typing import BoolArray, IntArray, UInt8Array, UInt64Array
from pedro_env.views import Views

PROTOCOL = 1
"""A process that speaks another one is refused."""

HELLO_FIELDS = {
    "type": "`hello`: the first message",
    "protocol": "the version of the protocol",
    "variant": "the name of the game",
    "rules": "every option of the game by name, as `python -m pedro_env rules` explains them",
    "rules_hash": "stands for the rules",
    "seats": "the number of seats",
    "sides": "sides that keep a score: 2, or one a seat where each plays for itself",
    "phases": "the phases that ask for a decision",
    "actions": "the name of every action; its place is the action's number",
    "layout": "the raw observation: its `width`, its `hash`, and its `fields` (`name`, `start`, `width`, `meaning`)",
}
DECISION_FIELDS = {
    "match": "the number of the match",
    "deal": "the number of the deal in the match, from 0",
    "seat": "the seat that decides, 0 … seats − 1; everything else is seen from it",
    "phase": "what is decided",
    "legal": "the names of the legal actions, two or more",
    "legal_ids": "their numbers, in the same order",
    "random": "a random number from 0 to 1, fixed by seed, match, deal, seat and decision",
    "dealer": "the dealer",
    "declarer": "the highest bidder so far, the declarer in the end; null before the first bid",
    "contract": "the highest bid so far; null before the first",
    "auction": "the bids so far in order: seat and bid (passes: `passed` in `seats`)",
    "trump": "the trump suit; null before it is named",
    "bidder_out": "the deal is played bidder out",
    "alone": "the declarer plays alone",
    "partner": "the seat that the declarer called; null where nobody is",
    "called": "the card that the declarer called",
    "hand": "its own cards",
    "laid_aside": "what it laid aside itself, face down",
    "stock": "what it saw when it robbed, and did not take",
    "gave": "what it gave away",
    "received": "what it was given",
    "open": "cards laid open without being played",
    "robbed": "cards laid aside face up that the dealer took",
    "trick": "the number of the trick, from 0; null before the play",
    "leader": "the seat that led to the trick, or is to lead; null before the play",
    "led": "the suit led; null when nothing lies on the trick",
    "winning": "the seat that is winning the trick; null when nothing lies on it",
    "table": "by seat, its card in the trick; null where there is none",
    "tricks": "every finished trick: by seat, the card it played; null where it played none",
    "points": "points taken in this deal, by side, its own first",
    "scores": "match scores, by side, its own first",
    "seats": "by seat, what everybody knows of it",
    "observation": "only where the process asks for it: the raw observation, a text of a 0 or 1 for each column",
}
SEAT_FIELDS = {
    "hand_size": "cards in its hand",
    "shown": "cards that it played or laid open",
    "void": "the suits of which it has shown that it has none",
    "passed": "it passed at its last turn in the auction",
    "out": "it has left the deal",
    "laid_aside": "how many cards it laid aside",
    "drawn": "how many cards it drew",
    "given": "how many cards it gave away",
    "declined": "asked to fold or to give, it said that it was done",
    "buried": "how many cards it buried",
}
"""Fields for what a variant does not have are left out."""

_SUITS = (*SUITS, None)  # place -1 is "none", here and in the next two
_CARDS = (*CARD_NAMES, None)
_OPTIONAL_CARDS = ("laid_aside", "stock", "gave", "received", "called")
_TRICK_BITS = 4
_SUIT_BITS = (1 << N_RANKS) - 1


def encode(message: dict[str, Any]) -> bytes:
    """A message as a line."""
    return json.dumps(message, separators=(",", ":"), allow_nan=False).encode() + b"\n"


def hello(rules: Rules) -> dict[str, Any]:
    """The first message: which game it is."""
    layout, actions = layout_of(rules), actions_of(rules)
    fields = [{"name": f.name, "start": f.start, "width": f.width, "meaning": f.meaning} for f in layout.fields]
    return {
        "type": "hello",
        "protocol": PROTOCOL,
        "variant": rules.variant,
        "rules": asdict(rules),
        "rules_hash": rules.hash(),
        "seats": rules.seats,
        "sides": rules.sides,
        "phases": [phase.word for phase in actions.phases],
        "actions": actions.names,
        "layout": {"width": layout.width, "hash": layout.hash(), "fields": fields},
    }


def decide(number: int, decisions: list[dict[str, Any]]) -> dict[str, Any]:
    """The message that asks for some decisions."""
    return {"type": "decide", "id": number, "decisions": decisions}


END = {"type": "end"}
"""The last message."""


def decisions_of(views: Views, *, observation: bool = False) -> list[dict[str, Any]]:
    """What each deciding seat may see, in words. Everything is built a column at a time, for the sake of speed."""
    slices, seen = views.layout.slices, views.observation
    names = (*(bid.name for bid in views.actions.bids), None)
    bids = [_ones(seen[:, slices[f"bid_{seat}"]]) for seat in range(views.rules.seats)]
    dealer = views.dealer.tolist()
    columns: dict[str, Sequence[Any]] = {
        "match": views.match.tolist(),
        "deal": views.deal.tolist(),
        "seat": views.seat.tolist(),
        "phase": [Phase(phase).word for phase in views.phase.tolist()],
    }
    columns["legal_ids"] = _ones(views.mask)
    columns["legal"] = [[views.actions.names[action] for action in legal] for legal in columns["legal_ids"]]
    columns |= {
        "random": views.uniform().tolist(),
        "dealer": dealer,
        "declarer": _or_none(views.declarer),
        "contract": [names[contract] for contract in views.contract.tolist()],
        "auction": [_in_order(by_seat, names, dealer[i]) for i, by_seat in enumerate(zip(*bids, strict=True))],
        "trump": [_SUITS[suit] for suit in views.trump.tolist()],
        "bidder_out": views.bidder_out.tolist(),
    }
    if "alone" in slices:
        columns["alone"] = _flags(seen[:, slices["alone"]])
    if "partner" in slices:
        columns["partner"] = _or_none(views.partner)
    columns["hand"] = _cards(views.hand)
    columns |= {name: _cards(getattr(views, name)) for name in _OPTIONAL_CARDS if name in slices}
    columns["open"] = _cards(views.open)
    if "robbed" in slices:
        columns["robbed"] = [[CARD_NAMES[card] for card in cards] for cards in _ones(seen[:, slices["robbed"]])]
    columns |= {
        "trick": _or_none(views.trick),
        "leader": _or_none(views.leader),
        "led": [_SUITS[suit] for suit in views.led.tolist()],
        "winning": _or_none(views.winning),
        "table": [[_CARDS[card] for card in cards] for cards in views.trick_cards.tolist()],
        "tricks": _tricks(views),
        "points": views.points.tolist(),
        "scores": views.scores.tolist(),
        "seats": list(zip(*(_seat(views, seat) for seat in range(views.rules.seats)), strict=True)),
    }
    if observation:
        columns["observation"] = [row.tobytes().decode() for row in seen + np.uint8(ord("0"))]
    return _rows(columns)


def _seat(views: Views, seat: int) -> list[dict[str, Any]]:
    """What everybody knows of one seat, for each decision."""
    columns: dict[str, Sequence[Any]] = {
        "hand_size": views.hand_size[:, seat].tolist(),
        "shown": _cards(views.shown[:, seat]),
    }
    for mark in views.layout.marks:
        bits = views.observation[:, views.layout.slices[f"{mark.name}_{seat}"]]
        if mark.name == "void":
            columns["void"] = [[SUITS[suit] for suit in suits] for suits in _ones(bits)]
        elif mark.name in COUNTS:
            columns[mark.name] = bits.sum(axis=1).tolist()
        elif mark.name != "bid":  # those are in the auction
            columns[mark.name] = _flags(bits)
    return _rows(columns)


def _rows(columns: dict[str, Sequence[Any]]) -> list[dict[str, Any]]:
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def _or_none(values: IntArray) -> list[int | None]:
    return [None if value < 0 else value for value in values.tolist()]


def _flags(bits: UInt8Array) -> list[bool]:
    return bits[:, 0].astype(np.bool_).tolist()


def _ones(bits: UInt8Array | BoolArray) -> list[list[int]]:
    """The places of the ones in each row."""
    places: list[int] = bits.nonzero()[1].tolist()
    ends = np.count_nonzero(bits, axis=1).cumsum().tolist()
    return [places[start:end] for start, end in zip([0, *ends], ends, strict=False)]


def _in_order(by_seat: Iterable[list[int]], names: Sequence[str | None], dealer: int) -> list[dict[str, Any]]:
    """Bids in the order made: each is higher than the one before it, or the dealer's at the same height."""
    made = sorted((bid, seat == dealer, seat) for seat, bids in enumerate(by_seat) for bid in bids)
    return [{"seat": seat, "bid": names[bid]} for bid, _, seat in made]


def _suit_table(suit: int) -> list[tuple[str, ...]]:
    """By thirteen bits, the names of those cards of a suit."""
    cards = CARD_NAMES[suit * N_RANKS : (suit + 1) * N_RANKS]
    table: list[tuple[str, ...]] = [()]
    for card in cards:
        table += [(*before, card) for before in table]
    return table


_SPADES, _HEARTS, _DIAMONDS, _CLUBS = (_suit_table(suit) for suit in range(N_SUITS))
_JOKERS = [(), CARD_NAMES[-2:-1], CARD_NAMES[-1:], CARD_NAMES[-2:]]


def _cards(sets: UInt64Array) -> list[list[str]]:
    """The names of the cards in each set, in the order of their numbers."""
    return [
        [
            *_SPADES[cards & _SUIT_BITS],
            *_HEARTS[cards >> N_RANKS & _SUIT_BITS],
            *_DIAMONDS[cards >> 2 * N_RANKS & _SUIT_BITS],
            *_CLUBS[cards >> 3 * N_RANKS & _SUIT_BITS],
            *_JOKERS[cards >> 4 * N_RANKS],
        ]
        for cards in sets.tolist()
    ]


def _tricks(views: Views) -> list[list[list[str | None]]]:
    """Finished tricks, for each decision: by seat, the card it played."""
    slices, seats = views.layout.slices, views.rules.seats
    width = slices["trick_bit_0"].stop - slices["trick_bit_0"].start
    number = np.zeros((len(views), width), np.int64)  # of the trick that a card was played to, from 1
    for bit in range(_TRICK_BITS):
        if f"trick_bit_{bit}" in slices:
            number += views.observation[:, slices[f"trick_bit_{bit}"]].astype(np.int64) << bit
    shown = to_bool(views.shown[..., None], width)  # (k, seats, cards)
    tricks: list[list[list[str | None]]] = [[[None] * seats for _ in range(n)] for n in number.max(axis=1).tolist()]
    rows, cards = number.nonzero()
    who = shown[rows, :, cards].argmax(axis=1)
    places = (rows, number[rows, cards] - 1, who, cards)
    for row, trick, seat, card in zip(*(place.tolist() for place in places), strict=True):
        tricks[row][trick][seat] = CARD_NAMES[card]
    return tricks
