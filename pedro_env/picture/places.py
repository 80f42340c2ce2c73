"""Where everything is in a picture: rectangles in units of a picture that is at least 800 wide and 600 high."""

from __future__ import annotations

from pygame import Rect

HEAD, FOOT, PANEL, MARGIN = 60, 30, 120, 8
"""Heights of the bar above, the bar below and a seat's panel; the room at the sides."""
SIDE_PANEL, WIDE_PANEL = 236, 440
"""Widths of a panel at the side, and of one that stands alone above or below."""

_SIDES = {4: 1, 5: 1, 6: 2, 7: 2}
"""By seats: panels at each side. One is at the bottom, the others (one or two) are above."""


class Places:
    """The places of a picture of some size."""

    def __init__(self, width: int, height: int, seats: int) -> None:
        self.width, self.height, self.seats = width, height, seats
        self.head = Rect(0, 0, width, HEAD)
        self.foot = Rect(0, height - FOOT, width, FOOT)
        self._gap = (height - HEAD - FOOT - 4 * PANEL) / 5
        left = MARGIN + SIDE_PANEL + MARGIN
        self.middle = Rect(left, self._row(1), width - 2 * left, self._row(2) + PANEL - self._row(1))
        self.panels = self._panels()
        """By place, clockwise from the bottom."""

    def _row(self, number: float) -> int:
        """The top of a row of panels; 1.5 is between rows 1 and 2."""
        return round(HEAD + self._gap + number * (PANEL + self._gap))

    def _panels(self) -> list[Rect]:
        at_side = _SIDES[self.seats]
        above = self.seats - 1 - 2 * at_side
        rows = [1.5] if at_side == 1 else [2, 1]
        right = self.width - MARGIN - SIDE_PANEL
        width = WIDE_PANEL if above == 1 else (self.width - 3 * MARGIN) // 2
        start = (self.width - above * width - (above - 1) * MARGIN) // 2
        return [
            Rect((self.width - WIDE_PANEL) // 2, self._row(3), WIDE_PANEL, PANEL),
            *(Rect(MARGIN, self._row(row), SIDE_PANEL, PANEL) for row in rows),
            *(Rect(start + i * (width + MARGIN), self._row(0), width, PANEL) for i in range(above)),
            *(Rect(right, self._row(row), SIDE_PANEL, PANEL) for row in rows[::-1]),
        ]

    def on_table(self, place: int, width: int, height: int) -> Rect:
        """Where a seat's card in the trick lies: before its panel, within the middle."""
        panel, middle, inset = self.panels[place], self.middle, 16
        card = Rect(0, 0, width, height)
        if panel.right <= middle.left:
            card.midleft = (middle.left + inset, panel.centery)
        elif panel.left >= middle.right:
            card.midright = (middle.right - inset, panel.centery)
        elif place == 0:
            card.midbottom = (middle.centerx, middle.bottom - inset)
        else:
            above = self.seats - 1 - 2 * _SIDES[self.seats]
            offset = place - _SIDES[self.seats] - (above + 1) / 2
            card.midtop = (middle.centerx + round(offset * (width + 40)), middle.top + inset)
        return card


def row_of_cards(count: int, room: Rect, width: int, widest: float, narrowest: float) -> list[Rect]:
    """Places of ``count`` cards, ``width`` wide, from the left: ``widest`` apart, or closer where there are many.

    Where they would be closer than ``narrowest`` they lie in two rows, the lower one half a card down, so that it
    covers all but the corners of the upper one and hangs out of the room.
    """
    if _step(count, room.width - width, widest) >= narrowest:
        return _row(count, room, room.top, width, widest)
    upper = (count + 1) // 2
    lower_top = room.top + room.height // 2
    return _row(upper, room, room.top, width, widest) + _row(count - upper, room, lower_top, width, widest)


def _row(count: int, room: Rect, top: int, width: int, widest: float) -> list[Rect]:
    step = _step(count, room.width - width, widest)
    return [Rect(round(room.left + i * step), top, width, room.height) for i in range(count)]


def _step(count: int, room: int, widest: float) -> float:
    return min(widest, room / max(1, count - 1))
