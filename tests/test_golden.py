"""Whole deals as transcripts that a person can read and check against the rules page.

They are written anew only by ``pytest tests/test_golden.py --regenerate-golden``; read the difference before it is
committed.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from pedro_env.engine import Batch
from pedro_env.record import Record, Recorder, random_actions, replay
from pedro_env.render import transcript
from pedro_env.variants import make_rules
from tests import reference

GOLDEN = Path(__file__).parent / "golden"

SEEDS = {
    "pedro": 12,
    "pedro-wpt": 168,
    "cinch": 142,
    "cinch-bicycle": 142,
    "nicaragua": 112,
    "pidro": 41,
    "louisiana": 29,
    "louisiana-cutthroat": 29,
    "catch-five": 18,
    "california": 168,
    "california-100": 168,
    "italian": 168,
    "monterey-draw": 168,
    "monterey-widow": 365,
    "oregon": 8,
    "tennessee": 41,
    "lipton": 6,
    "isle-madame": 168,
    "canadian": 168,
    "king-pedro": 67,
    "king-pedro-ukrainian": 222,
    "sixty-three": 147,
    "sixty-three-joker": 184,
    "eighty-three": 261,
    "eighty-three-plain": 260,
    "pedro-sancho": 0,
    "dom-pedro": 73,
    "five-handed": 3,
    "railroad": 39,
}
"""Deals in which every phase of the variant comes up."""


def random_deal(variant: str, seed: int) -> Record:
    """The record of deal 0 of match 0, played by random actions that are a hash of the seed and the decision."""
    batch = Batch(make_rules(variant), seed)
    recorder = Recorder(batch)
    rows = np.array([0])
    while not batch.over[0]:
        actions = random_actions(batch, rows)
        recorder.before_step(actions, rows)
        batch.step(actions, rows)
    return recorder.finish(0)


@pytest.mark.parametrize("variant", SEEDS)
def test_transcript(variant: str, request: pytest.FixtureRequest) -> None:
    record = random_deal(variant, SEEDS[variant])
    replay(record)
    reference.replay(record)
    text = transcript(record).rstrip("\n") + "\n"
    file = GOLDEN / f"{variant}.txt"
    if request.config.getoption("--regenerate-golden"):
        file.write_text(text, encoding="utf-8")
    assert text == file.read_text(encoding="utf-8"), f"{file.name} differs (--regenerate-golden writes it anew)"
