"""What a run writes for TensorBoard, read back from its event files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")
for package in ("safetensors", "tensorboard", "yaml"):
    pytest.importorskip(package)

from tensorboard.backend.event_processing.event_accumulator import EventAccumulator  # noqa: E402

from agents import training  # noqa: E402
from agents.rollout import Tables, collect  # noqa: E402
from agents.scalars import bid_levels, made_by_level  # noqa: E402
from pedro_env.actions import FIRST_BID, PASS, Phase  # noqa: E402
from pedro_env.engine import Batch  # noqa: E402
from tests.test_training import PEDRO, TINY_FLAGS, small_network  # noqa: E402


@pytest.fixture(scope="module")
def events(tmp_path_factory):
    runs = tmp_path_factory.mktemp("runs")
    flags = [
        "--evaluation.baselines",
        "morehead",
        "--evaluation.baseline_pairs",
        "6",
        "--selfplay.opponents",
        "morehead",
    ]
    assert training.main([*TINY_FLAGS, *flags, "--runs", str(runs), "--name", "r"]) == 0
    found = EventAccumulator(str(runs / "r" / "tensorboard"))
    found.Reload()
    return found


def test_everything_that_the_page_names_is_there(events):
    tags = events.Tags()
    for name in ("random", "morehead"):
        mean, low, high = (events.Scalars(f"points/{name}/{end}")[-1].value for end in ("mean", "low", "high"))
        assert low < mean < high
    for name in (
        *("deals/made_rate", "deals/set_rate", "named/S", "entropy/bid", "entropy/play", "bids/1st bids"),
        *("league/past selves", "league/morehead", "bids/3rd mean"),
    ):
        assert name in tags["scalars"]
    assert {"bids/1st", "bids/2nd", "bids/3rd"} <= set(tags["histograms"])
    assert {"custom_scalars__config__", "deal 0/text_summary"} <= set(tags["tensors"])
    assert "learning.phases" in str(events.SummaryMetadata("_hparams_/experiment").plugin_data.content)
    text = events.Tensors("deal 0/text_summary")[-1].tensor_proto.string_val[0].decode()
    assert "Auction" in text
    assert "Trick 6" in text
    made, lost = (events.Scalars(f"deals/{what}_rate")[-1].value for what in ("made", "set"))
    assert made + lost == pytest.approx(1)


def test_histograms_have_a_bucket_a_level(events):
    histogram = events.Histograms("bids/1st")[-1].histogram_value
    counts = dict(zip(histogram.bucket_limit, histogram.bucket, strict=True))
    assert sum(counts.values()) == histogram.num > 0
    assert all(limit % 1 == 0.5 for limit in counts)
    assert histogram.sum == pytest.approx(sum((limit - 0.5) * count for limit, count in counts.items()))


def test_bids_and_contracts_are_counted_as_they_were_made(monkeypatch):
    """Against a count beside it, decision by decision."""
    levels = np.zeros((4, 15), int)
    numbers = [bid.number for bid in Batch(PEDRO).actions.bids]
    original = Batch.step

    def step(batch, actions, rows=None):
        mask = batch.mask()
        choice = mask[:, PASS] & (mask.sum(axis=1) > 1)
        for row in np.flatnonzero((batch.phase == Phase.BID) & choice).tolist():
            action = int(actions[row])
            place = (int(batch.to_act[row]) - int(batch.state.dealer[row]) - 1) % 4
            levels[place, 0 if action == PASS else numbers[action - FIRST_BID]] += 1
        original(batch, actions, rows)

    monkeypatch.setattr(Batch, "step", step)
    batch = Batch(PEDRO, 5, np.arange(40))
    _, sums = collect(small_network(), None, [Tables(batch, 0, np.random.default_rng(1))], 0.9)
    np.testing.assert_array_equal(bid_levels(sums), levels)
    s = batch.state
    side = s.declarer % 2
    made = s.score_change[np.arange(40), side] > 0
    level = np.array(numbers)[s.contract]
    assert made_by_level(sums) == {
        n: (int((made & (level == n)).sum()), int((~made & (level == n)).sum())) for n in sorted(set(level.tolist()))
    }


def test_curves_are_drawn_without_a_browser(events, tmp_path, capsys):
    pytest.importorskip("matplotlib")
    from agents import curves

    out = tmp_path / "curves.png"
    assert curves.main([str(Path(events.path).parent), str(out)]) == 0
    assert out.read_bytes().startswith(b"\x89PNG")
    assert curves.main([str(tmp_path), str(out)]) == 2
    assert "is not a run" in capsys.readouterr().err
