"""Drawing text, suits and cards on a surface, in units of a picture that is 800 wide and 600 high."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from math import cos, pi, sin
from typing import TypeAlias

import pygame
import pygame.font

from pedro_env.cards import BIG_JOKER, N_RANKS, N_SUITS, RANKS

Colour: TypeAlias = tuple[int, int, int]
Point: TypeAlias = tuple[float, float]

FELT, CLOTH, PANEL, BAR = (22, 84, 58), (27, 100, 69), (13, 56, 39), (9, 38, 27)
WHITE, PALE, GREY, BLACK = (255, 255, 255), (196, 216, 205), (132, 160, 146), (18, 20, 20)
GOLD, PAPER, TRUMP_PAPER, TRUMP_EDGE, EDGE = (
    (255, 207, 64),
    (253, 253, 248),
    (255, 229, 150),
    (176, 112, 0),
    (96, 104, 100),
)
BACK, BACK_LINE, RED, MINT = (38, 72, 138), (150, 178, 226), (200, 16, 38), (110, 240, 160)
SIDES: tuple[Colour, ...] = (
    (104, 180, 255),
    (255, 163, 77),
    (247, 134, 178),
    (94, 214, 204),
    (190, 160, 255),
    (190, 226, 92),
    (226, 226, 226),
)
"""The colour of each side's seats."""

CARD, SMALL_CARD = (42, 58), (23, 16)
"""Width and height of a card in a hand, and of one that is only named."""
_FONT_SCALE = 16 / 11
"""pygame's sizes of its own font are larger than its points."""


class Brush:
    """Draws on one surface. Every length and place is in units; ``scale`` is the number of pixels in a unit."""

    def __init__(self, surface: pygame.Surface, scale: float) -> None:
        pygame.font.init()
        self.surface = surface
        self.scale = scale
        # Fonts do not survive a pygame.quit() elsewhere in the program, so they live no longer than a picture.
        self._fonts: dict[float, pygame.font.Font] = {}

    # --- shapes

    def box(
        self, rect: pygame.Rect, colour: Colour, radius: float = 6, edge: Colour | None = None, width: float = 1
    ) -> None:
        """A filled rectangle with round corners, and its edge."""
        pixels = self._pixels(rect)
        corner = self._length(radius)
        if edge is not None:
            pygame.draw.rect(self.surface, edge, pixels, border_radius=corner)
            line = self._length(width)
            pixels, corner = pixels.inflate(-2 * line, -2 * line), max(0, corner - line)
        pygame.draw.rect(self.surface, colour, pixels, border_radius=corner)

    def ellipse(self, rect: pygame.Rect, colour: Colour) -> None:
        """A filled ellipse."""
        pygame.draw.ellipse(self.surface, colour, self._pixels(rect))

    def polygon(self, points: Sequence[Point], colour: Colour) -> None:
        """A filled polygon."""
        pygame.draw.polygon(self.surface, colour, [(x * self.scale, y * self.scale) for x, y in points])

    def suit(self, suit: int, centre: Point, size: float) -> None:
        """A suit's symbol, ``size`` wide and high."""
        for outline in _outlines(suit):
            points = [(centre[0] + x * size, centre[1] + y * size) for x, y in outline]
            self.polygon(points, suit_colour(suit))

    @contextmanager
    def within(self, rect: pygame.Rect) -> Generator[None, None, None]:
        """What is drawn meanwhile appears within a rectangle only."""
        self.surface.set_clip(self._pixels(rect))
        yield
        self.surface.set_clip(None)

    # --- text

    def text(self, text: str, size: float, colour: Colour, width: float = 800, **place: Point) -> pygame.Rect:
        """A line of text, drawn narrower where it is wider than ``width``; returns the room it takes.

        ``place`` is one of pygame's names of a rectangle's points: ``midleft=(x, y)``.
        """
        image = self._font(size).render(text, True, colour)
        if image.get_width() > width * self.scale:
            image = pygame.transform.smoothscale(image, (int(width * self.scale), image.get_height()))
        pixels = image.get_rect(**{name: (x * self.scale, y * self.scale) for name, (x, y) in place.items()})
        self.surface.blit(image, pixels)
        return pygame.Rect(*(round(value / self.scale) for value in pixels))

    def text_width(self, text: str, size: float) -> float:
        """How wide a line of text is."""
        return self._font(size).size(text)[0] / self.scale

    def _font(self, size: float) -> pygame.font.Font:
        if size not in self._fonts:
            self._fonts[size] = pygame.font.Font(None, round(size * self.scale * _FONT_SCALE))
        return self._fonts[size]

    # --- cards

    def card(self, card: int, rect: pygame.Rect, *, trump: bool) -> None:
        """A card, face up, of any size; trumps are golden."""
        self._paper(rect, trump=trump)
        unit = rect.width / CARD[0]
        self._index(card, (rect.left + 8 * unit, rect.top + 9.5 * unit), unit)
        self._pip(card, (rect.left + 26 * unit, rect.top + 41 * unit), 21 * unit)

    def small_card(self, card: int, rect: pygame.Rect, *, trump: bool) -> None:
        """A card as rank and suit side by side."""
        self._paper(rect, trump=trump)
        self.text(_rank(card), 11, _card_colour(card), 10, center=(rect.left + 7, rect.centery + 1))
        self._pip(card, (rect.left + 17, rect.centery), 8)

    def back(self, rect: pygame.Rect) -> None:
        """A card, face down."""
        self.box(rect, BACK, 4, WHITE, 1.5)
        self.box(rect.inflate(-10, -10), BACK, 3, BACK_LINE, 1)

    def _paper(self, rect: pygame.Rect, *, trump: bool) -> None:
        self.box(rect, TRUMP_PAPER if trump else PAPER, 4, TRUMP_EDGE if trump else EDGE, 1.5 if trump else 1)

    def _index(self, card: int, centre: Point, unit: float) -> None:
        """Rank and suit in the corner, one under the other: what can be seen of a card that others lie on."""
        x, y = centre
        self.text(_rank(card), 14 * unit, _card_colour(card), 11 * unit, center=(x, y + 1.5 * unit))
        self._pip(card, (x, y + 13.5 * unit), 9.5 * unit)

    def _pip(self, card: int, centre: Point, size: float) -> None:
        if card < BIG_JOKER:
            self.suit(card // N_RANKS, centre, size)
            return
        points = [(centre[0] + x * size, centre[1] + y * size) for x, y in _STAR]
        self.polygon(points, _card_colour(card))

    # --- pixels

    def _length(self, length: float) -> int:
        return max(1, round(length * self.scale))

    def _pixels(self, rect: pygame.Rect) -> pygame.Rect:
        left, top = round(rect.left * self.scale), round(rect.top * self.scale)
        return pygame.Rect(left, top, round(rect.right * self.scale) - left, round(rect.bottom * self.scale) - top)


def suit_colour(suit: int) -> Colour:
    """Hearts and diamonds are red."""
    return RED if suit in (1, 2) else BLACK


def _card_colour(card: int) -> Colour:
    """The big joker is red, the small one black."""
    return suit_colour(card // N_RANKS) if card < BIG_JOKER else RED if card == BIG_JOKER else BLACK


def _rank(card: int) -> str:
    if card >= BIG_JOKER:
        return "B" if card == BIG_JOKER else "S"
    rank = RANKS[card % N_RANKS]
    return "10" if rank == "T" else rank


# --- outlines, within a square of side 1 around (0, 0)


@lru_cache(maxsize=N_SUITS)
def _outlines(suit: int) -> tuple[tuple[Point, ...], ...]:
    """The polygons that make up a suit's symbol."""
    if suit == 0:
        spade = tuple((x * 0.94, -y * 0.86 - 0.08) for x, y in _heart())
        return spade, _STEM
    if suit == 1:
        return (_heart(),)
    if suit == 2:
        return (((0, -0.53), (0.42, 0), (0, 0.53), (-0.42, 0)),)
    return _circle(0, -0.25), _circle(-0.25, 0.12), _circle(0.25, 0.12), _STEM


_STEM: tuple[Point, ...] = ((-0.06, -0.05), (0.06, -0.05), (0.08, 0.3), (0.2, 0.5), (-0.2, 0.5), (-0.08, 0.3))
_STAR: tuple[Point, ...] = tuple(
    (radius * sin(place * pi / 5), -radius * cos(place * pi / 5)) for place, radius in enumerate([0.54, 0.23] * 5)
)


def _circle(x: float, y: float, radius: float = 0.245) -> tuple[Point, ...]:
    return tuple((x + radius * cos(i * pi / 16), y + radius * sin(i * pi / 16)) for i in range(32))


def _heart() -> tuple[Point, ...]:
    """The usual curve of a heart, point down."""
    angles = [i * pi / 24 for i in range(48)]
    return tuple(
        (
            0.5 * sin(a) ** 3,
            -(13 * cos(a) - 5 * cos(2 * a) - 2 * cos(3 * a) - cos(4 * a)) / 30 - 0.06,
        )
        for a in angles
    )
