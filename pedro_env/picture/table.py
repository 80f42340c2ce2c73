"""The picture of a table: bars above and below, a panel for each seat, and what lies in the middle."""

from __future__ import annotations

import numpy as np
import pygame
from pygame import Rect

from pedro_env.actions import Bid
from pedro_env.cards import NONE
from pedro_env.engine import Batch
from pedro_env.picture import paint
from pedro_env.picture.facts import Facts
from pedro_env.picture.middle import Middle, closed_cards, open_cards, points_text
from pedro_env.picture.paint import CARD, SMALL_CARD, Brush, Colour
from pedro_env.picture.places import MARGIN, Places, row_of_cards
from pedro_env.typing import UInt8Array

SMALLEST = (800, 600)
"""Width and height, in pixels, below which a picture is not legible."""

_SHARPER = 2
"""Pictures are drawn so many times larger and then reduced, which smooths every edge."""


def draw_table(batch: Batch, row: int = 0, seat: int | None = None, size: tuple[int, int] = SMALLEST) -> UInt8Array:
    """One game of a batch as an image: ``(height, width, 3)`` uint8, for ``size`` = (width, height).

    Every hand is open, and seat 0 sits at the bottom; with ``seat`` only that seat's cards are, and it sits at the
    bottom. The others follow clockwise. Trumps are golden; the seat to act has a golden frame.

    Raises ``ValueError`` where there is no such seat or the size is below ``SMALLEST``.
    """
    seats = batch.rules.seats
    if seat is not None and not 0 <= seat < seats:
        raise ValueError(f"seat must be a number from 0 to {seats - 1}, not {seat}")
    width, height = size
    if width < SMALLEST[0] or height < SMALLEST[1]:
        raise ValueError(f"size must be at least {SMALLEST[0]}×{SMALLEST[1]} pixels, not {width}×{height}")
    large = pygame.Surface((width * _SHARPER, height * _SHARPER), depth=32)
    scale = min(width / SMALLEST[0], height / SMALLEST[1])
    places = Places(round(width / scale), round(height / scale), seats)
    _Table(Brush(large, scale * _SHARPER), places, Facts(batch, row, seat)).draw()
    image = pygame.transform.smoothscale(large, (width, height))
    return np.ascontiguousarray(pygame.surfarray.array3d(image).swapaxes(0, 1))


class _Table:
    """Draws one picture, part by part."""

    def __init__(self, brush: Brush, places: Places, facts: Facts) -> None:
        self.brush, self.places, self.facts = brush, places, facts
        self.rules = facts.rules
        self.bottom = facts.viewer or 0

    def draw(self) -> None:
        """Everything."""
        self.brush.surface.fill(paint.FELT)
        self._head()
        for place, panel in enumerate(self.places.panels):
            self._seat((self.bottom + place) % self.rules.seats, panel)
        Middle(self.brush, self.places, self.facts, self.bottom).draw()
        self._foot()

    # --- the bar above

    def _head(self) -> None:
        """Which game it is; the contract; the scores."""
        f, head = self.facts, self.places.head
        self.brush.box(head, paint.BAR, 0)
        s, row = f.state, f.row
        self.brush.text(self.rules.variant, 17, paint.WHITE, 180, midleft=(head.left + 12, head.top + 21))
        where = f"seed {f.batch.seed}, match {s.match[row]}, deal {s.deal[row]}"
        self.brush.text(where, 11, paint.PALE, 180, midleft=(head.left + 12, head.top + 43))
        left = self._scores(head)
        self._contract(head, head.left + 204, left - 12)

    def _contract(self, head: Rect, left: int, right: int) -> None:
        f = self.facts
        if f.trump != NONE:
            tile = Rect(left, head.top + 10, 40, 40)
            self.brush.box(tile, paint.TRUMP_PAPER, 6, paint.TRUMP_EDGE, 1.5)
            self.brush.suit(f.trump, tile.center, 26)
            left += 50
        bid = f.contract()
        if bid is None:
            line = "Everybody passed" if f.over else "Nobody has bid"
        elif f.in_auction:
            line = f"Highest: {_bid_text(bid)}, seat {f.declarer}"
        else:
            line = f"Seat {f.declarer} bid {_bid_text(bid)}"
        details = self._details()
        middle = head.centery if not details else head.top + 21
        place = self.brush.text(line, 15, paint.WHITE, right - left - 20, midleft=(left, middle))
        if bid is not None and bid.suit != NONE and f.trump == NONE:
            self._suit_on_paper(bid.suit, (place.right + 14, middle))
        place = self.brush.text(details, 11, paint.PALE, right - left - 30, midleft=(left, head.top + 43))
        called = f.called()
        if called:
            room = Rect(0, 0, *SMALL_CARD)
            room.midleft = (place.right + 6, head.top + 43)
            self.brush.small_card(called[0], room, trump=f.is_trump(called[0]))

    def _details(self) -> str:
        """What else belongs to the contract; a called card comes last."""
        s, row = self.facts.state, self.facts.row
        words = [
            (bool(s.bidder_out[row]), "bidder out"),
            (bool(s.alone[row]), "alone"),
            (s.partner[row] != NONE, f"partner seat {s.partner[row]}"),
            (bool(s.called[row]), "called"),
        ]
        return ", ".join(word for there, word in words if there)

    def _scores(self, head: Rect) -> int:
        """A small table of the sides' scores and points; returns its left edge."""
        f, sides = self.facts, self.rules.sides
        column = 60 if sides == 2 else 38
        first = head.right - MARGIN - sides * column
        rows = [("seats", head.top + 12), (f"score, to {self.rules.target}", head.top + 31), ("points", head.top + 49)]
        label_width = max(round(self.brush.text_width(label, 11)) for label, _ in rows)
        for label, y in rows:
            self.brush.text(label, 11, paint.PALE, midright=(first - 6, y))
        scores, taken = f.scores(), f.taken()
        for side in range(sides):
            x = first + side * column + column // 2
            tag = Rect(0, 0, column - 4, 16)
            tag.center = (x, rows[0][1])
            self.brush.box(tag, paint.SIDES[side], 4)
            self.brush.text(f.side_name(side), 11, paint.BLACK, column - 8, center=(x, rows[0][1] + 1))
            self.brush.text(str(scores[side]), 15, paint.WHITE, column - 4, center=(x, rows[1][1]))
            self.brush.text(str(taken[side]), 12, paint.GOLD, column - 4, center=(x, rows[2][1]))
        return first - 6 - label_width

    # --- the bar below

    def _foot(self) -> None:
        """What happens now; what the signs mean."""
        foot = self.places.foot
        self.brush.box(foot, paint.BAR, 0)
        y = foot.centery + 1
        self.brush.text(self._status(), 13, paint.WHITE, foot.width - 340, midleft=(foot.left + 12, y))
        right = foot.right - 12
        right = self.brush.text("highest bid", 11, paint.PALE, midright=(right, y)).left - 6
        right = self._chip("bid", (right - 30, foot.centery), paint.GOLD).left - 14
        right = self.brush.text("dealer", 11, paint.PALE, midright=(right, y)).left - 13
        self._dealer_button((right, foot.centery))
        right = self.brush.text("winning", 11, paint.PALE, midright=(right - 22, y)).left - 5
        self._swatch(right, paint.FELT, paint.MINT)
        right = self.brush.text("trump", 11, paint.PALE, midright=(right - 25, y)).left - 5
        self._swatch(right, paint.TRUMP_PAPER, paint.TRUMP_EDGE)

    def _swatch(self, right: int, colour: Colour, edge: Colour) -> None:
        swatch = Rect(0, 0, 12, 17)
        swatch.midright = (right, self.places.foot.centery)
        self.brush.box(swatch, colour, 3, edge, 2)

    def _status(self) -> str:
        f = self.facts
        if f.over:
            return "The deal is over"
        number = int(f.state.trick[f.row])
        trick = f", trick {number + 1} of {self.rules.hand}" if number != NONE else ""
        return f"Seat {f.to_act} is to act: {f.phase.word}{trick}"

    # --- seats

    def _seat(self, seat: int, panel: Rect) -> None:
        """A seat's panel: its name and what it bid, its cards, what it took and what it did with its cards."""
        f = self.facts
        edge, width = (paint.GOLD, 3) if f.to_act == seat else (paint.CLOTH, 1)
        self.brush.box(panel, paint.PANEL, 8, edge, width)
        stripe = Rect(panel.left + 6, panel.top + 8, 4, panel.height - 16)
        self.brush.box(stripe, paint.SIDES[f.side_of(seat)], 2)
        room = Rect(panel.left + 16, panel.top + 23, panel.width - 26, CARD[1])
        self._name(seat, (room.left, panel.top + 13))
        if f.is_out(seat) and not f.hand(seat):
            self.brush.text("out of the deal", 13, paint.GREY, center=room.center)
        self._hand(seat, room)
        self._took(seat, Rect(room.left, room.bottom + 2, room.width, SMALL_CARD[1]))
        self._did(seat, Rect(room.left, room.bottom + 20, room.width, SMALL_CARD[1]))

    def _name(self, seat: int, start: tuple[int, int]) -> None:
        """A seat's number and everything that is said of it in a word."""
        f = self.facts
        y = start[1]
        x = self.brush.text(f"Seat {seat}", 14, paint.WHITE, midleft=(start[0], y + 1)).right + 8
        if f.state.dealer[f.row] == seat:
            self._dealer_button((x + 8, y))
            x += 24
        bid = f.bid(seat)
        if bid is not None:
            stands = seat == f.declarer
            chip = self._chip(f"bid {_bid_text(bid)}", (x, y), paint.GOLD if stands else paint.PALE, bid.suit)
            x = chip.right + 8
        for there, word in (
            (f.passed(seat), "passed"),
            (f.state.partner[f.row] == seat, "partner"),
            (f.is_out(seat) and bool(f.hand(seat)), "out"),  # without cards the panel says so
        ):
            if there:
                x = self.brush.text(word, 12, paint.PALE, midleft=(x, y + 1)).right + 8

    def _hand(self, seat: int, room: Rect) -> None:
        f = self.facts
        cards = f.hand(seat)
        if f.is_open(seat):
            open_cards(self.brush, self.facts, cards, room)
        elif cards:
            text = f"{len(cards)} card{'' if len(cards) == 1 else 's'}"
            backs = Rect(room.left, room.top, room.width - 70, room.height)
            right = closed_cards(self.brush, len(cards), backs, 14)
            self.brush.text(text, 13, paint.PALE, midleft=(right + 8, room.centery))

    def _took(self, seat: int, room: Rect) -> None:
        """The point cards that count for a seat."""
        f = self.facts
        cards = f.point_cards(seat)
        if cards:
            right = self._small_cards(cards, Rect(room.left, room.top, room.width - 60, room.height))
            self.brush.text(points_text(f.worth(cards)), 11, paint.GOLD, midleft=(right + 6, room.centery + 1))

    def _did(self, seat: int, room: Rect) -> None:
        """How many cards a seat laid aside, drew, gave or buried; which of them everybody has seen."""
        f = self.facts
        cards = f.laid_open(seat)
        text = ", ".join(word for word in (f.counts(seat), "open" if cards else "") if word)
        text_room = room.width - 60 if cards else room.width
        right = self.brush.text(text, 11, paint.PALE, text_room, midleft=(room.left, room.centery + 1)).right
        if cards:
            self._small_cards(cards, Rect(right + 6, room.top, room.right - right - 6, room.height))

    def _small_cards(self, cards: list[int], room: Rect) -> int:
        """Cards that are only named, in a row; returns its right end."""
        rects = row_of_cards(len(cards), room, SMALL_CARD[0], SMALL_CARD[0] + 2, 0)
        for card, rect in zip(cards, rects, strict=True):
            self.brush.small_card(card, rect, trump=self.facts.is_trump(card))
        return rects[-1].right

    # --- signs

    def _dealer_button(self, centre: tuple[int, int]) -> None:
        disc = Rect(0, 0, 17, 17)
        disc.center = centre
        self.brush.ellipse(disc, paint.WHITE)
        self.brush.text("D", 11, paint.BLACK, center=(centre[0], centre[1] + 1))

    def _chip(self, text: str, midleft: tuple[int, int], colour: Colour, suit: int = NONE) -> Rect:
        """A word on a bright ground, with a suit behind it where there is one."""
        text_width = round(self.brush.text_width(text, 12))
        chip = Rect(0, 0, text_width + (26 if suit != NONE else 12), 17)
        chip.midleft = midleft
        self.brush.box(chip, colour, 5)
        self.brush.text(text, 12, paint.BLACK, midleft=(chip.left + 6, chip.centery + 1))
        if suit != NONE:
            self.brush.suit(suit, (chip.right - 11, chip.centery), 11)
        return chip

    def _suit_on_paper(self, suit: int, centre: tuple[int, int]) -> None:
        paper = Rect(0, 0, 20, 20)
        paper.center = centre
        self.brush.box(paper, paint.PAPER, 4)
        self.brush.suit(suit, centre, 13)


def _bid_text(bid: Bid) -> str:
    """A bid without its suit, which is drawn."""
    return bid.name if bid.suit == NONE else str(bid.number)
