"""A window that shows pictures, one after the other."""

from __future__ import annotations

import time

import pygame

from pedro_env.typing import UInt8Array

_LOOK = 0.02
"""Seconds between two looks at what the user does with the window, while a picture stands."""


class Window:
    """The window of the program: pygame has only one, and opens it when the first picture is shown.

    Nothing of pygame is kept in here, so that an environment with a window can be copied.
    """

    def __init__(self, title: str = "Pedro") -> None:
        self._title = title
        self._opened = False
        self._dismissed = False
        self._shown_until = 0.0

    def show(self, image: UInt8Array, fps: float) -> None:
        """Show an image (``(height, width, 3)`` uint8), once the one before it has stood for ``1 / fps`` seconds.

        Does nothing after the user has closed the window, until ``close`` is called.
        """
        self._wait()
        if self._dismissed:
            return
        size = (image.shape[1], image.shape[0])
        screen = pygame.display.get_surface() if pygame.display.get_init() else None
        if screen is None or screen.get_size() != size:
            pygame.display.init()
            screen = pygame.display.set_mode(size)
            pygame.display.set_caption(self._title)
            self._opened = True
        pygame.surfarray.blit_array(screen, image.swapaxes(0, 1))
        pygame.display.flip()
        self._shown_until = time.monotonic() + 1 / fps

    def close(self) -> None:
        """Close the window, if it was opened in here; the next picture opens it again."""
        if self._opened:
            pygame.display.quit()
        self._opened = self._dismissed = False
        self._shown_until = 0.0

    def _wait(self) -> None:
        """Let the last picture stand, and notice when its window is closed."""
        while self._opened and not self._dismissed and pygame.display.get_init():
            if pygame.event.get(pygame.QUIT):
                self._dismissed = True
                pygame.display.quit()
                return
            pygame.event.clear()
            left = self._shown_until - time.monotonic()
            if left <= 0:
                return
            time.sleep(min(left, _LOOK))
