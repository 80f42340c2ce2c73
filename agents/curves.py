"""The curves of a run as a picture, read from its TensorBoard files: what TensorBoard shows, without a browser.

    python -m agents.curves runs/first curves.png

``docs/reading-tensorboard.md`` says how to read them.
"""

from __future__ import annotations

import importlib.util
import io
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from agents.errors import AgentError
from agents.runs import TENSORBOARD
from pedro_env.console import INTERRUPTED, USER_MISTAKE, Parser, run
from pedro_env.files import check_writable, write_whole

PANELS = {
    "bids when asked, by seat": ("bids/", " bids"),
    "made and set": ("deals/made_rate", "deals/set_rate"),
    "entropy by phase (nats)": ("entropy/", ""),
    "named suit": ("named/", ""),
}
"""A title, and what the names of the curves begin and end with (or two names)."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    parser = Parser("python -m agents.curves", __doc__)
    parser.add_argument("run", type=Path, metavar="RUN", help="a run's folder")
    parser.add_argument("out", type=Path, metavar="FILE.png", help="the picture to write; one that exists is replaced")
    options = parser.parse_args(arguments)
    try:
        missing = [p for p in ("matplotlib", "tensorboard") if importlib.util.find_spec(p) is None]
        if missing:
            raise AgentError(f"curves need {', '.join(missing)}: pip install -e '.[train,plot]'")
        if options.out.suffix not in (".png", ".svg", ".pdf"):
            raise AgentError(f"{options.out}: the name must end in .png, .svg or .pdf")
        check_writable(options.out)
        write_whole(options.out, _draw(_read(options.run), options.out.suffix[1:]))
    except (AgentError, OSError) as error:
        print("python -m agents.curves: " + " ".join(str(error).split()), file=sys.stderr)
        return USER_MISTAKE
    except KeyboardInterrupt:
        return INTERRUPTED
    return 0


def _read(run: Path) -> Any:
    """TensorBoard's own reader of a run's files."""
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    folder = run / TENSORBOARD
    if not folder.is_dir():
        raise AgentError(f"{run} is not a run: there is no {folder}")
    events = EventAccumulator(str(folder), {"scalars": 0, "histograms": 0, "tensors": 0})
    events.Reload()
    return events


def _draw(events: Any, form: str) -> bytes:
    from matplotlib.figure import Figure

    tags: list[str] = events.Tags()["scalars"]
    picture = Figure(figsize=(12, 6.6), layout="constrained")
    axes = picture.subplots(2, 3).ravel()
    _points(axes[0], events, tags)
    for panel, (title, (first, last)) in zip(axes[1:5], PANELS.items(), strict=True):
        pair = first in tags
        names = [first, last] if pair else [t for t in tags if t.startswith(first) and t.endswith(last)]
        for name in names:
            label = name.partition("/")[2].removesuffix(last if not pair else "")
            panel.plot(*_curve(events, name), label=label)
        panel.set(title=title)
        panel.set_ylim(bottom=0)
        panel.legend(frameon=False, fontsize=8)
    _levels(axes[5], events)
    for panel in axes:
        panel.spines[["top", "right"]].set_visible(False)
        panel.grid(axis="y", alpha=0.25)
    for panel in axes[:5]:
        panel.set_xlabel("million decisions")
    content = io.BytesIO()
    picture.savefig(content, format=form, dpi=80)
    return content.getvalue()


def _points(panel: Any, events: Any, tags: list[str]) -> None:
    """Points a deal over each opponent, the interval as a band."""
    for name in [t.split("/", 1)[1].rsplit("/", 1)[0] for t in tags if t.startswith("points/") and t.endswith("/mean")]:
        x, mean = _curve(events, f"points/{name}/mean")
        (line,) = panel.plot(x, mean, label=f"over {name}")
        ends = [_curve(events, f"points/{name}/{end}")[1] for end in ("low", "high")]
        if len(ends[0]) == len(x):
            panel.fill_between(x, *ends, color=line.get_color(), alpha=0.2)
    panel.axhline(0, color="black", linewidth=0.8)
    panel.set(title="points a deal, 95% intervals")
    panel.legend(frameon=False, fontsize=8)


def _levels(panel: Any, events: Any) -> None:
    """The levels of bids by seat at the last evaluation."""
    names = [name for name in events.Tags()["histograms"] if name.startswith("bids/")]
    for number, name in enumerate(names):
        last = events.Histograms(name)[-1].histogram_value
        shares = [count / max(1, last.num) for count in last.bucket]
        shift = 0.8 / len(names) * (number - (len(names) - 1) / 2)
        levels = [limit - 0.5 + shift for limit in last.bucket_limit]
        panel.bar(levels, shares, 0.8 / len(names), label=name.removeprefix("bids/"))
    panel.set(title="levels of its bids at the end, by seat", xlabel="level")
    panel.legend(frameon=False, fontsize=8)


def _curve(events: Any, name: str) -> tuple[list[float], list[float]]:
    points = events.Scalars(name)
    return [point.step / 1e6 for point in points], [point.value for point in points]


if __name__ == "__main__":
    sys.exit(run(main))
