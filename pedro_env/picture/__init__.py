"""Pictures of a table: one game of a ``Batch`` as an image, in a window, or a whole deal as an animated GIF.

    from pedro_env.picture import Window, draw_table

    image = draw_table(batch)  # (600, 800, 3) uint8, every hand open
    image = draw_table(batch, row=3, seat=1)  # what seat 1 sees, with seat 1 at the bottom
    window = Window()
    window.show(image, fps=2)
    window.close()

A picture is drawn in memory: no display is needed, or touched, before ``Window.show``. Suits are drawn as shapes and
text with the font that pygame brings along, so that a picture is the same on every machine.

Needs the extra ``render`` (pygame-ce and Pillow); without it importing this package raises ``ImportError`` that says
what to install.
"""

from __future__ import annotations

import os
from importlib.util import find_spec

for _package in ("pygame", "PIL"):
    if find_spec(_package) is None:
        raise ImportError(f"pictures need the package {_package}: pip install pedro-env[render]", name=_package)
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")  # it would greet on the standard output

from pedro_env.picture.film import write_gif, write_png  # noqa: E402
from pedro_env.picture.table import SMALLEST, draw_table  # noqa: E402
from pedro_env.picture.window import Window  # noqa: E402

__all__ = ["SMALLEST", "Window", "draw_table", "write_gif", "write_png"]
