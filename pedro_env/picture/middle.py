"""What lies in the middle of a table: a title, the stock or the kitty, the trick, the result."""

from __future__ import annotations

from pygame import Rect

from pedro_env.actions import Phase
from pedro_env.cards import NONE
from pedro_env.picture import paint
from pedro_env.picture.facts import Facts, Trick
from pedro_env.picture.paint import CARD, Brush
from pedro_env.picture.places import Places, row_of_cards

_TRICK_CARD, _LAST_CARD = (50, 69), (32, 44)
"""Widths and heights of a card in the trick, and in the trick that ended the deal."""

_TITLES = {
    Phase.DARK: "Bids in the dark",
    Phase.BID: "Auction",
    Phase.TRUMP: "Naming trumps",
    Phase.GIVE: "Giving cards",
    Phase.DISCARD: "Laying aside",
    Phase.ROB: "Robbing the stock",
    Phase.CALL: "Calling a card",
    Phase.BURY: "Burying",
    Phase.PLAY: "Play",
}
_DOING = {Phase.CALL: "calls", Phase.BURY: "buries"}


class Middle:
    """Draws the middle of one picture; ``bottom`` is the seat at the bottom."""

    def __init__(self, brush: Brush, places: Places, facts: Facts, bottom: int) -> None:
        self.brush, self.facts, self.bottom = brush, facts, bottom
        self.places = places
        self.rules = facts.rules

    def draw(self) -> None:
        """Everything."""
        f, middle = self.facts, self.places.middle
        trick = f.trick()
        if f.over:
            self._result(trick)
            return
        self.brush.box(middle, paint.CLOTH, 70)
        if trick is None:
            self._before_play()
        else:
            self._trick(trick)

    # --- before the play

    def _before_play(self) -> None:
        """What is being decided, and the cards in the middle."""
        f = self.facts
        x, y = self.places.middle.center
        name, cards, is_open = f.stock()
        top = y - 50 if cards else y - 14
        self.brush.text(_TITLES[f.phase], 20, paint.WHITE, center=(x, top))
        self.brush.text(f"Seat {f.to_act} decides", 13, paint.PALE, center=(x, top + 26))
        if not cards:
            return
        room = Rect(0, 0, min(self.places.middle.width - 60, (CARD[0] + 3) * len(cards) - 3), CARD[1])
        room.center = (x, top + 76)
        if is_open:
            open_cards(self.brush, f, cards, room)
        else:
            closed_cards(self.brush, len(cards), room, CARD[0] + 3)
        self.brush.text(f"{name}: {len(cards)}", 12, paint.PALE, center=(x, room.bottom + 14))

    # --- the trick

    def _trick(self, trick: Trick) -> None:
        """Each card before its seat; a green frame around the one that is winning, or has won."""
        f = self.facts
        for seat, card in trick.cards.items():
            rect = self.places.on_table((seat - self.bottom) % self.rules.seats, *_TRICK_CARD)
            if seat == trick.winner:
                self.brush.box(rect.inflate(10, 10), paint.MINT, 8)
            self.brush.card(card, rect, trump=f.is_trump(card))
            self._seat_tag(seat, rect, leads=seat == trick.leader)
        if trick.finished:
            lines = [f"to seat {trick.winner}", points_text(self._trick_points(trick))]
        else:
            lines = [f"seat {f.to_act} {_DOING.get(f.phase, 'plays' if trick.cards else 'leads')}"]
        x, top = self.places.middle.centerx, self.places.middle.centery - 8 * len(lines)
        self.brush.text(f"Trick {trick.number}", 14, paint.WHITE, center=(x, top))
        for number, line in enumerate(lines, 1):
            self.brush.text(line, 12, paint.PALE, 92, center=(x, top + 17 * number))

    def _trick_points(self, trick: Trick) -> int:
        """What a trick brought to its winner."""
        return int(self.facts.tables.trick_points[self.facts.trump, list(trick.cards.values())].sum())

    def _seat_tag(self, seat: int, rect: Rect, *, leads: bool) -> None:
        """Whose card it is, on its lower edge."""
        text = f"{seat} led" if leads else str(seat)
        tag = Rect(0, 0, round(self.brush.text_width(text, 11)) + 12, 16)
        tag.center = (rect.centerx, rect.bottom)
        self.brush.box(tag, paint.SIDES[self.facts.side_of(seat)], 8)
        self.brush.text(text, 11, paint.BLACK, center=(tag.centerx, tag.centery + 1))

    # --- the end

    def _result(self, last: Trick | None) -> None:
        """The last trick, and what the deal changed."""
        f, middle = self.facts, self.places.middle
        s, row = f.state, f.row
        self.brush.box(middle, paint.PANEL, 10, paint.GOLD, 2)
        title = "Redeal" if s.redeal[row] else "The deal is over"
        step = 24 if self.rules.sides == 2 else 17
        height = (2 + self.rules.sides) * step + 22 + (0 if last is None else _LAST_CARD[1] + 18)
        y = middle.centery - height // 2 + 10
        self.brush.text(title, 16, paint.WHITE, center=(middle.centerx, y))
        if last is not None:
            y = self._last_trick(last, y + 14)
        columns = [middle.left + 52, *(middle.left + round(middle.width * part) for part in (0.45, 0.66, 0.87))]
        y += 18
        for x, text in zip(columns, ("seats", "points", "change", "score"), strict=True):
            self.brush.text(text, 11, paint.PALE, center=(x, y))
        taken, change, scores = f.taken(), s.score_change[row].tolist(), f.scores()
        for side in range(self.rules.sides):
            y += step
            tag = Rect(0, 0, 64, step - 3)
            tag.center = (columns[0], y)
            self.brush.box(tag, paint.SIDES[side], 4)
            self.brush.text(f.side_name(side), 13, paint.BLACK, center=(columns[0], y + 1))
            self.brush.text(str(taken[side]), 13, paint.GOLD, center=(columns[1], y + 1))
            changed = f"{change[side]:+d}" if change[side] else "0"
            self.brush.text(changed, 13, paint.WHITE, center=(columns[2], y + 1))
            self.brush.text(str(scores[side]), 13, paint.WHITE, center=(columns[3], y + 1))
        winner = int(s.winner[row])
        if winner != NONE:
            text = f"{'Seats' if self.rules.sides == 2 else 'Seat'} {f.side_name(winner)} won the match"
            self.brush.text(text, 13, paint.GOLD, center=(middle.centerx, y + step))

    def _last_trick(self, trick: Trick, top: int) -> int:
        """The cards of the last trick in a row, from its leader on; returns where they end."""
        width, height = _LAST_CARD
        step = width + 6
        seats = sorted(trick.cards, key=lambda seat: (seat - trick.leader) % self.rules.seats)
        left = self.places.middle.centerx - (step * len(seats) - 6) // 2
        for number, seat in enumerate(seats):
            rect = Rect(left + number * step, top, width, height)
            if seat == trick.winner:
                self.brush.box(rect.inflate(6, 6), paint.MINT, 6)
            self.brush.card(trick.cards[seat], rect, trump=self.facts.is_trump(trick.cards[seat]))
            self._seat_tag(seat, rect, leads=False)
        return top + height + 4


# --- cards in rows


def open_cards(brush: Brush, facts: Facts, cards: list[int], room: Rect) -> None:
    """Open cards in a row, or in two."""
    with brush.within(room):
        for card, rect in zip(cards, row_of_cards(len(cards), room, CARD[0], CARD[0] + 3, 13), strict=True):
            brush.card(card, rect, trump=facts.is_trump(card))


def closed_cards(brush: Brush, count: int, room: Rect, widest: int) -> int:
    """Cards that are face down, in a row; returns its right end."""
    rects = row_of_cards(count, room, CARD[0], widest, 0)
    for rect in rects:
        brush.back(rect)
    return rects[-1].right


def points_text(number: int) -> str:
    """``"1 point"``, ``"5 points"``."""
    return f"{number} point{'' if number == 1 else 's'}"
