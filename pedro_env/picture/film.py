"""A recorded deal as an animated GIF, or one position of it as a PNG."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from PIL import Image

from pedro_env.actions import Phase
from pedro_env.cards import parse_card
from pedro_env.engine import Batch
from pedro_env.files import write_whole
from pedro_env.picture.table import SMALLEST, draw_table
from pedro_env.record import Record
from pedro_env.variants import make_rules

DECISION, TRICK, END = 1000, 2000, 6000
"""Milliseconds that a decision, a trick that has been taken, and the end of the deal are shown."""

_COLOURS = 128
"""Colours in a GIF."""


def positions(record: Record) -> Iterator[Batch]:
    """A batch of one game before the first decision of a record's deal, and after each; always the same batch.

    The record must be one that ``record.replay`` has found right.
    """
    batch = Batch(make_rules(record["variant"], record["options"]), record["seed"], [record["match"]])
    batch.state.deal[0] = record["deal"]
    batch.set_position(0, [parse_card(name) for name in record["pack"]], record["dealer"], record["scores_before"])
    yield batch
    for step in record["steps"]:
        batch.step(np.array([batch.actions.parse(step["action"], Phase(batch.phase[0]))]))
        yield batch


def write_gif(path: Path, record: Record, seat: int | None = None, size: tuple[int, int] = SMALLEST) -> int:
    """Write a deal as a GIF, a picture for each decision (``draw_table`` says which); returns the number of pictures.

    Raises ``OSError`` where the file cannot be written.
    """
    palette = _palette(record, seat, size)
    frames: list[Image.Image] = []
    durations: list[int] = []
    for batch in positions(record):
        picture = Image.fromarray(draw_table(batch, 0, seat, size))
        frames.append(picture.quantize(palette=palette, dither=Image.Dither.NONE))
        durations.append(_duration(batch))
    data = io.BytesIO()
    frames[0].save(data, "GIF", save_all=True, append_images=frames[1:], duration=durations, loop=0)
    write_whole(path, data.getvalue())
    return len(frames)


def write_png(
    path: Path, record: Record, decisions: int, seat: int | None = None, size: tuple[int, int] = SMALLEST
) -> None:
    """Write the position after some decisions of a deal. Raises ``OSError`` where the file cannot be written."""
    for number, batch in enumerate(positions(record)):
        if number == decisions:
            data = io.BytesIO()
            Image.fromarray(draw_table(batch, 0, seat, size)).save(data, "PNG", optimize=True)
            write_whole(path, data.getvalue())


def _duration(batch: Batch) -> int:
    s = batch.state
    if batch.over[0]:
        return END
    return TRICK if s.trick[0] > 0 and s.played[0] == 0 and s.phase[0] == Phase.PLAY else DECISION


def _palette(record: Record, seat: int | None, size: tuple[int, int]) -> Image.Image:
    """The most frequent colours of a few of the pictures.

    One palette for all pictures, so that of each only what has changed need be stored; and no mixtures, so that the
    grounds keep their colours.
    """
    every = len(record["steps"]) // 6 + 1
    some = [draw_table(batch, 0, seat, size) for number, batch in enumerate(positions(record)) if number % every == 0]
    numbers = np.stack(some).astype(np.uint32) @ np.array([1 << 16, 1 << 8, 1], np.uint32)
    colours, counts = np.unique(numbers, return_counts=True)
    chosen = colours[np.argsort(-counts, kind="stable")[:_COLOURS]]
    palette = Image.new("P", (1, 1))
    palette.putpalette([int(colour) >> shift & 255 for colour in chosen for shift in (16, 8, 0)])
    return palette
