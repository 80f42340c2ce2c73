"""``--report``: the page is well formed and needs no network, and every figure on it is that of the JSON beside it."""

from __future__ import annotations

import csv
import hashlib
import json
import re
import shlex
import shutil
import subprocess
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from agents import arena, evaluation
from agents.report_page.charts import WIDTH, Dot, Line, clip, dot_plot, histogram, line_chart
from agents.report_page.contents import result_sentence
from agents.report_page.curves import learning_curve
from agents.tournament import command
from pedro_env.record import read_records, replay_all

ROOT = Path(__file__).parents[1]
NASTY = '<b>&"'
"""A name that must be escaped; it stands for ``morehead``."""
VOID = {"meta", "link", "br", "img", "input", "hr"}
CHARTS = {"path", "circle", "rect"}
ARGUMENTS = ["heuristic-1", "random", "--group", f"{NASTY}=morehead", "--cross-play", "--deals", "20", "--workers", "1"]


class Page(HTMLParser):
    """A page that was read: what would be wrong with it, and what its tables say."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.problems: list[str] = []
        self.open: list[str] = []
        self.ids: list[str] = []
        self.attributes: list[tuple[str, str, str]] = []
        self.cells: list[tuple[str | None, str]] = []
        """The place in the JSON (None: it names none) and the words of every cell of a table."""
        self.words: dict[str, str] = defaultdict(str)
        """By tag: all text directly in it."""
        self.feed(text)
        self.close()
        self.problems += [f"{tag} is not closed" for tag in self.open]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {key: value or "" for key, value in attrs}
        self.attributes += [(tag, key, value) for key, value in values.items()]
        self.ids += [values["id"]] if "id" in values else []
        if tag == "th" and "scope" not in values:
            self.problems.append("a th without scope")
        if tag == "svg" and not (values.get("role") == "img" and values.get("aria-labelledby")):
            self.problems.append("an svg without a name")
        if tag in ("td", "th"):
            self.cells.append((values.get("data-from"), ""))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        self.open.pop()
        if tag not in CHARTS:
            self.problems.append(f"{tag} closes itself")

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.problems.append(f"{tag} is closed out of turn")

    def handle_data(self, data: str) -> None:
        if self.open:
            self.words[self.open[-1]] += data
        if {"td", "th"} & set(self.open):
            place, words = self.cells[-1]
            self.cells[-1] = place, words + data


def tournament(*arguments: str) -> int:
    try:
        return command.main(arguments)
    except SystemExit as exit:
        return int(exit.code or 0)


def evaluate(*arguments: str) -> int:
    try:
        return evaluation.main(arguments)
    except SystemExit as exit:
        return int(exit.code or 0)


def data_of(folder: Path) -> dict[str, Any]:
    return json.loads((folder / "report.json").read_text(encoding="utf-8"))


def table(folder: Path, name: str) -> list[dict[str, str]]:
    with (folder / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A report of a small tournament."""
    pytest.importorskip("numba")
    place = tmp_path_factory.mktemp("report")
    more = ["--out", str(place / "out"), "--report", str(place / "new" / "report"), "--report-deals", "12"]
    assert tournament(*ARGUMENTS, *more) == 0
    return place / "new" / "report"


@pytest.fixture(scope="module")
def page(folder: Path) -> Page:
    return Page((folder / "index.html").read_text(encoding="utf-8"))


# --- the page


def test_it_is_well_formed_and_accessible(page: Page) -> None:
    assert page.problems == []
    assert len(page.ids) == len(set(page.ids))
    named = {value for _, key, value in page.attributes if key == "aria-labelledby"}
    links = {value[1:] for _, key, value in page.attributes if key == "href" and value.startswith("#")}
    assert named
    assert links
    assert named | links <= set(page.ids)
    assert ("html", "lang", "en") in page.attributes
    assert "heuristic-1" in page.words["title"]


def test_it_loads_nothing(page: Page, folder: Path) -> None:
    tags = {tag for tag, _, _ in page.attributes}
    assert not tags & {"script", "link", "img", "iframe", "object", "embed", "use", "image"}
    assert not {key for _, key, _ in page.attributes} & {"src", "srcset", "style", "xlink:href", "action", "onload"}
    for _, key, value in page.attributes:
        assert "//" not in value, (key, value)
        if key == "href" and not value.startswith("#"):
            assert (folder / value).is_file()
    style = page.words["style"]
    assert style
    assert not re.search(r"url\(|@import|@font-face|//|</", style)


def test_a_name_is_text(page: Page, folder: Path) -> None:
    text = (folder / "index.html").read_text(encoding="utf-8")
    assert NASTY not in text
    assert "<b>&" not in text
    assert any(words == NASTY for _, words in page.cells)
    assert any(NASTY in words for words in (page.words["text"], page.words["title"], page.words["code"]))


def resolve(data: Any, path: str) -> Any:
    for key in path.split("."):
        data = data[int(key) if isinstance(data, list) else key]
    return data


def test_every_figure_is_that_of_the_json(page: Page, folder: Path) -> None:
    data = data_of(folder)
    compared = 0
    for path, words in page.cells:
        if path is None:
            continue
        value = resolve(data, path)
        if isinstance(value, str):
            assert words == value
            continue
        found = [value[name] for name in ("mean", "low", "high")] if isinstance(value, dict) else [value]
        if words == "–":
            assert found[0] is None
            continue
        numbers = [text.replace("−", "-").replace(",", "") for text in re.findall(r"[+−]?[\d,]*\d(?:\.\d+)?%?", words)]
        if len(numbers) == 1:  # no interval, or one of no width
            assert found[1:] in ([], [None, None]) or found[1] == found[2]
        for text, number in zip(numbers, found, strict=len(numbers) > 1):
            scale = 100 if text.endswith("%") else 1
            decimals = len(text.rstrip("%").partition(".")[2])
            assert abs(float(text.rstrip("%")) - scale * number) <= 0.5001 * 10**-decimals, (path, words, value)
            compared += 1
    assert compared > 400
    unnamed = [words for path, words in page.cells if path is None and re.search(r"\d", words)]
    assert not [words for words in unnamed if re.search(r"[+−]\d|%|\[", words)]  # figures name their place


def test_the_json_is_that_of_the_tournament(folder: Path) -> None:
    results = json.loads((folder.parents[1] / "out" / "results.json").read_text(encoding="utf-8"))
    data = data_of(folder)
    for key in ("pairs", "cross_table", "ratings", "additive_fit", "cross_play", "rules_hash", "seed", "agents"):
        assert data[key] == results[key]
    first = results["setups"][0]
    assert data["differences"][0]["counts"] == [
        list(pair) for pair in zip(*first["difference_counts"].values(), strict=True)
    ]
    assert data["result"].startswith("heuristic-1 ")


def test_every_table_is_a_csv_file_as_well(page: Page, folder: Path) -> None:
    data = data_of(folder)
    files = {value for _, key, value in page.attributes if key == "href" and not value.startswith("#")}
    assert files | {"index.html"} == {file.name for file in folder.iterdir()}
    for row, known in zip(table(folder, "cross.csv"), data["cross_table"], strict=True):
        assert (row["row"], row["column"]) == (known["a"], known["b"])
        assert float(row["points_a_deal_low"]) == known["points_a_deal"]["low"]
    rows = table(folder, "losses_by_phase.csv")
    assert [float(row["play"]) for row in rows] == [
        row["a_seat"]["play"]["mean"]
        for row in data["open_cards"]["by_role"]
        if row["a_seat"]["play"]["mean"] is not None
    ]
    assert sum(int(row["pairs"]) for row in table(folder, "differences.csv")) == 3 * 20


def test_columns_have_what_they_are_called(folder: Path) -> None:
    data = data_of(folder)
    found = data["open_cards"]
    rows = {
        "bidding": data["bidding"],
        "calibration": data["recorded"]["bids"],
        "cross_play_gaps": data["cross_play"]["gaps"],
        "made_by_bid": data["recorded"]["bids"],
        "par": found["par"],
        "steps": found["steps"],
    }
    for name, known in rows.items():
        for row, figures in zip(table(folder, f"{name}.csv"), known, strict=True):
            shared = row.keys() & figures.keys()
            assert len(shared) >= 4
            for key in shared:
                value = figures[key]["mean"] if isinstance(figures[key], dict) else figures[key]
                assert row[key] == ("" if value is None else str(value)), (name, key)


def test_checksums_are_those_of_the_files(page: Page, folder: Path) -> None:
    words = [words for _, words in page.cells]
    for file in folder.iterdir():
        if file.name != "index.html":
            place = words.index(file.name)
            content = file.read_bytes()
            assert words[place + 1 : place + 3] == [f"{len(content):,}", hashlib.sha256(content).hexdigest()]


def test_the_command_is_there(page: Page, folder: Path) -> None:
    line = next(line for line in page.words["code"].splitlines() if "agents.tournament" in line)
    assert shlex.split(line)[3 : 3 + len(ARGUMENTS)] == ARGUMENTS
    data = data_of(folder)
    versions = [words for _, words in page.cells]
    assert data["versions"]["numpy"] in versions
    assert data["rules_hash"] in page.words["dd"]
    assert data["layout_hash"] in page.words["dd"]


# --- the recorded deals


def test_bids_are_those_of_the_records(folder: Path) -> None:
    """Counted in plain Python, from the records alone."""
    names = {"heuristic-1": "heuristic-1", "random": "random", "morehead": NASTY}
    made: dict[tuple[str, Any], list[bool]] = defaultdict(list)
    taken: dict[tuple[str, Any], list[int]] = defaultdict(list)
    records = [record for _, record in read_records(folder / "deals.jsonl")]
    assert len(records) == 12
    for record in records:
        bids = [(int(s["action"]), s["seat"]) for s in record["steps"] if s["phase"] == "bid" and s["action"] != "pass"]
        bid, seat = max(bids)
        for key in (bid, "all"):
            points = record["points"][seat % 2]
            made[names[record["agents"][seat]], key].append(points >= bid)
            taken[names[record["agents"][seat]], key].append(points)
    rows = data_of(folder)["recorded"]["bids"]
    assert {(row["agent"], row["bid"]) for row in rows if row["deals"]} == set(made)
    for row in rows:
        known = made[row["agent"], row["bid"]]
        assert row["deals"] == len(known)
        if known:
            assert row["made"]["mean"] == pytest.approx(sum(known) / len(known))
            assert row["points_taken"]["mean"] == pytest.approx(sum(taken[row["agent"], row["bid"]]) / len(known))


def test_records_can_be_replayed(folder: Path) -> None:
    path = folder / "deals.jsonl"
    assert sum(1 for _ in replay_all(read_records(path), path, linked=False)) == 12


def test_losses_are_those_of_the_analysis(folder: Path) -> None:
    from agents.analyse.losses import KINDS, losses

    records = [record for _, record in read_records(folder / "deals.jsonl")]
    found = losses(records)
    data = data_of(folder)["open_cards"]
    for name, shown in (("heuristic-1", "heuristic-1"), ("morehead", NASTY)):
        seats = sum(record["agents"].count(name) for record in records)
        row = next(row for row in data["by_role"] if (row["agent"], row["role"]) == (shown, "all"))
        assert row["seats"] == seats
        for kind, word in enumerate(KINDS):
            d = found.decisions
            lost = [
                loss
                for deal, seat, of_kind, loss in zip(d["deal"], d["seat"], d["kind"], d["loss"], strict=True)
                if of_kind == kind and records[deal]["agents"][seat] == name
            ]
            assert row["a_seat"][word]["mean"] == pytest.approx(sum(lost) / seats)
    declared = [seat for seat in found.deals["declarer"] if seat >= 0]
    assert sum(row["deals"] for row in data_of(folder)["recorded"]["bids"] if row["bid"] == "all") == len(declared)
    held = sum(row["par_is_its_own"] for row in data["par"])
    assert held == sum(seat >= 0 for seat in found.deals["par_seat"])


def test_problems_are_scored(folder: Path) -> None:
    from agents.problems import score

    found = score("morehead")
    row = next(row for row in data_of(folder)["problems"]["agents"] if row["agent"] == "morehead")
    assert row["total"]["mean"] == found.total.mean
    rows = table(folder, "problems.csv")
    assert [row["skill"] for row in rows] == [*found.skills, "all skills"]
    assert [float(row["morehead"]) for row in rows] == [
        *(s.score.mean for s in found.skills.values()),
        found.total.mean,
    ]


# --- evaluate.py, and other games


def test_two_agents(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "report"
    arguments = [
        "heuristic-1",
        "random",
        "--deals",
        "60",
        "--unit",
        "30",
        "--workers",
        "1",
        "--json",
        str(tmp_path / "j"),
    ]
    assert evaluate(*arguments, "--report", str(target), "--report-deals", "4", "--until", "20") == 0
    data, result = data_of(target), json.loads((tmp_path / "j").read_text())["results"][0]
    there, back = data["cross_table"]
    assert there["points_a_deal"] == result["points_a_deal"]
    assert back["points_a_deal"]["low"] == -result["points_a_deal"]["high"]
    assert [row["rule"] for row in data["stops"]] == ["until"]
    assert "ratings" not in data
    found = Page((target / "index.html").read_text(encoding="utf-8"))
    assert found.problems == []
    assert data["result"] in found.words["p"]
    assert "written: " in capsys.readouterr().err


def test_matches_without_fixed_partners(tmp_path: Path) -> None:
    """What cannot be solved is said; the rest is there."""
    game = ["--variant", "pedro-sancho", "--set", "max_deals=3", "--episode", "match"]
    target = tmp_path / "report"
    assert (
        evaluate("morehead", "random", "heuristic-1", *game, "--deals", "3", "--workers", "1", "--report", str(target))
        == 0
    )
    data = data_of(target)
    assert "fixed partners" in data["open_cards"]["missing"]
    assert data["problems"] is None
    for there, back in zip(data["cross_table"][::2], data["cross_table"][1::2], strict=True):
        assert there["match_win_share"]["mean"] + back["match_win_share"]["mean"] == pytest.approx(1)
    assert len(data["ratings"]["entrants"]) == 3
    found = Page((target / "index.html").read_text(encoding="utf-8"))
    assert found.problems == []
    assert data["open_cards"]["missing"] in found.words["p"]


def test_without_numba_it_says_what_to_install(tmp_path: Path) -> None:
    code = (
        "import sys; sys.modules['numba'] = None\n"
        "from agents.evaluation import main\n"
        f"sys.exit(main(['morehead', 'random', '--deals', '4', '--workers', '1', '--report', {str(tmp_path / 'r')!r},"
        " '--report-deals', '4']))"
    )
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, timeout=100)
    assert "pip install -e '.[search]'" in data_of(tmp_path / "r")["open_cards"]["missing"]


# --- what is refused


@pytest.fixture
def no_play(monkeypatch: pytest.MonkeyPatch) -> None:
    def play(*_: Any, **__: Any) -> None:
        raise AssertionError("played")

    monkeypatch.setattr(arena, "play_pairings", play)
    monkeypatch.setattr(command, "play", play)


@pytest.mark.usefixtures("no_play")
@pytest.mark.parametrize("run", [evaluate, tournament])
def test_what_is_there_stays(run: Callable[..., int], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "thesis.txt").write_text("years")
    for place, words in (
        ("full", "it is not empty"),
        ("full/thesis.txt", "it is a file"),
        ("full/thesis.txt/x", "no folder"),
    ):
        assert run("morehead", "random", "--report", str(tmp_path / place)) == 2
        error = capsys.readouterr().err
        assert words in error
        assert error.count("\n") == 1
    assert [file.name for file in tmp_path.rglob("*")] == ["full", "thesis.txt"]


@pytest.mark.usefixtures("no_play")
def test_an_agent_has_one_place_on_the_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert evaluate("random", "random", "--report", str(tmp_path / "new")) == 2
    assert "'random' is named twice" in capsys.readouterr().err


@pytest.mark.parametrize("run", [evaluate, tournament])
def test_interrupted_it_leaves_nothing(
    run: Callable[..., int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def record(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("agents.report_page.contents.record_deals", record)
    assert run("morehead", "random", "--deals", "4", "--workers", "1", "--report", str(tmp_path / "new")) == 130
    assert "new is not written" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


# --- parts


def figure(mean: float, half: float | None = None) -> dict[str, Any]:
    ends = {"low": None, "high": None} if half is None else {"low": mean - half, "high": mean + half}
    return {"mean": mean, **ends}


def standings(points: dict[tuple[str, str], tuple[float, float]]) -> dict[str, Any]:
    rows = []
    for (a, b), (mean, half) in points.items():
        rows += [
            {"a": a, "b": b, "points_a_deal": figure(mean, half)},
            {"a": b, "b": a, "points_a_deal": figure(-mean, half)},
        ]
    return {"cross_table": rows}


def test_the_result_in_a_sentence() -> None:
    assert result_sentence(["a", "b"], standings({("a", "b"): (-2, 1)})) == (
        "b scores +2.00 points a deal [+1.00, +3.00] more than a."
    )
    assert "no difference is shown" in result_sentence(["a", "b"], standings({("a", "b"): (1, 1.5)}))
    three = {("a", "b"): (1.0, 0.5), ("a", "c"): (3.0, 0.5), ("b", "c"): (2.0, 0.5)}
    assert "a beats each of the other 2; the closest is b, by +1.00" in result_sentence(
        ["c", "b", "a"], standings(three)
    )
    unclear = result_sentence(["a", "b", "c"], standings(three | {("a", "b"): (1.0, 1.5)}))
    assert unclear.startswith("a has the highest mean over all 3, but it is not shown to beat b (+1.00")


def attribute(svg: str, shape: str, name: str) -> list[float]:
    return [float(value) for value in re.findall(rf'<{shape}[^>]* {name}="([-\d.]+)"', svg)]


def test_dots_stand_where_their_values_are() -> None:
    dots = [Dot("head", None), *(Dot(f"{value}", figure(value, 1.0)) for value in (-4.0, 0.0, 8.0))]
    svg = dot_plot("x", "Dots", dots, "points")
    low, zero, high = attribute(svg, "circle", "cx")
    assert (high - zero) == pytest.approx(2 * (zero - low), abs=0.3)
    zero_line = re.search(r'class="zero" d="M([\d.]+)', svg)
    assert zero_line
    assert float(zero_line[1]) == pytest.approx(zero, abs=0.1)
    assert high < WIDTH


def test_bars_are_as_high_as_counts_and_pushes_stand_alone() -> None:
    svg = histogram("x", "Bars", [(-0.5, 10), (0.0, 40), (0.5, 5), (1.0, 15)], 0.1, "points", 5)
    assert re.findall(r'class="bar (\w+)"', svg) == ["down", "even", "up"]
    heights = attribute(svg, "rect", "height")
    assert [height / heights[1] for height in heights] == pytest.approx([0.25, 1, 0.5], abs=0.01)


def test_a_point_without_an_interval_is_not_drawn() -> None:
    lines = [Line("a", [(7, figure(0.5, 0.2)), (8, figure(0.25, 0.1)), (9, figure(0.0))])]
    svg = line_chart("x", "Lines", lines, "bid", "made", ".0%", ticks=[7, 8, 9], limits=(0, 1))
    _, *points = attribute(svg, "circle", "cx")
    assert len(points) == 2
    assert ">9<" not in svg


def test_long_names_keep_both_ends() -> None:
    assert clip("runs/first/checkpoints/1", 11) == "runs/…nts/1"
    assert clip("short", 11) == "short"


def test_a_run_brings_its_curve(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    point = {"decisions": 10, "seconds": 1.5, "mean": -1.0, "low": -2.0, "high": 0.0, "pairs": 8}
    place = tmp_path / "checkpoints" / "000000000010"
    place.mkdir(parents=True)
    (place / "policy.safetensors").touch()
    assert learning_curve(str(tmp_path)) is None
    (place / "checkpoint.json").write_text(json.dumps({"yardstick": "heuristic-1", "curve": [point]}))
    curve = {"yardstick": "heuristic-1", "points": [point]}
    assert learning_curve(f"{tmp_path}:greedy=false") == {"agent": f"{tmp_path}:greedy=false", **curve}
    assert learning_curve("heuristic-1") is None


# --- in a browser


def browser() -> str | None:
    names = ("chromium", "chromium-browser", "google-chrome", "chrome")
    return next((found for name in names if (found := shutil.which(name)) is not None), None)


def chromium(tmp_path: Path, *arguments: str) -> str:
    """What it prints."""
    program = browser()
    if program is None:
        pytest.skip("no Chromium here")
    options = [
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--hide-scrollbars",
        f"--user-data-dir={tmp_path / 'user'}",
    ]
    return subprocess.run(
        [program, *options, *arguments], check=True, capture_output=True, text=True, timeout=100
    ).stdout


def colours(png: Path) -> Iterator[tuple[int, int, int]]:
    image = pytest.importorskip("PIL.Image").open(png).convert("RGB")
    yield from (colour for _, colour in image.getcolors(image.width * image.height))


def test_a_browser_shows_it(folder: Path, tmp_path: Path) -> None:
    shown = {}
    for scheme, setting in (("light", 1), ("dark", 0)):
        png = tmp_path / f"{scheme}.png"
        more = [f"--blink-settings=preferredColorScheme={setting}", "--window-size=1200,3000"]
        chromium(tmp_path, *more, f"--screenshot={png}", (folder / "index.html").as_uri())
        shown[scheme] = set(colours(png))
    assert {(253, 253, 251), (0, 114, 178), (196, 78, 0)} <= shown["light"]  # the ground, bars of the charts
    assert {(21, 23, 27), (86, 180, 233), (240, 150, 79)} <= shown["dark"]


def test_it_fits_a_phone(folder: Path, tmp_path: Path) -> None:
    """No wider than the window: what is too wide scrolls in its own box."""
    script = "<script>document.title = document.documentElement.scrollWidth + ' of ' + innerWidth</script>"
    copy = tmp_path / "copy.html"
    copy.write_text((folder / "index.html").read_text(encoding="utf-8") + script, encoding="utf-8")
    title = re.search(
        r"<title>(\d+) of (\d+)</title>", chromium(tmp_path, "--window-size=400,900", "--dump-dom", copy.as_uri())
    )
    assert title
    assert int(title[1]) <= int(title[2])


def luminance(colour: str) -> float:
    """Relative luminance of ``#rgb`` or ``#rrggbb`` (WCAG 2)."""
    digits = colour[1:] if len(colour) == 7 else "".join(2 * digit for digit in colour[1:])
    parts = [int(digits[i : i + 2], 16) / 255 for i in (0, 2, 4)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_colours_stand_out_from_the_ground() -> None:
    """Text 4.5 : 1, marks of charts 3 : 1, in light, in dark and in print."""
    style = (ROOT / "agents" / "report_page" / "style.css").read_text(encoding="utf-8")
    roots = [dict(re.findall(r"--(\w+): (#\w+)", block)) for block in re.findall(r":root \{(.*?)\}", style, re.DOTALL)]
    assert len(roots) == 3
    for colours_of in roots:
        ground = luminance(colours_of["ground"])
        for name, least in {"ink": 4.5, "soft": 4.5, "link": 4.5, **{f"s{n}": 3 for n in range(6)}}.items():
            high, low = sorted([luminance(colours_of[name]), ground], reverse=True)
            assert (high + 0.05) / (low + 0.05) >= least, (name, colours_of[name])
