"""The command ``python -m agents.tournament``: what is played, kept, gone on with, printed and refused."""

from __future__ import annotations

import csv
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from agents import arena
from agents.arena import play_duplicate, play_seated, play_unit
from agents.morehead import MoreheadAgent
from agents.random import RandomAgent
from agents.tournament import command, playing
from agents.tournament.analysis import Analysis
from agents.tournament.cycles import additive_fit, largest_misfit, strongest_circle
from agents.tournament.entrants import Entrant, checksum, make_entrants
from agents.tournament.ratings import additive_ratings
from agents.tournament.scores import Scores
from agents.tournament.setups import Setup
from agents.tournament.terminal import matrix_lines, report_lines
from pedro_env.agent import Agent
from pedro_env.engine import Batch
from pedro_env.rules import Rules, Teams
from pedro_env.variants import make_rules

ROOT = Path(__file__).parents[1]
PEDRO = make_rules("pedro")


def run(*arguments: str) -> int:
    """The command's exit code, in this process."""
    try:
        return command.main(arguments)
    except SystemExit as exit:
        return int(exit.code or 0)


def results(folder: Path) -> dict[str, Any]:
    return json.loads((folder / "results.json").read_text(encoding="utf-8"))


def figures(folder: Path) -> dict[str, Any]:
    """All that must not depend on how it was played."""
    return {key: value for key, value in results(folder).items() if key not in ("command", "run")}


def over(data: dict[str, Any], a: str, b: str) -> dict[str, Any]:
    return next(row["points_a_deal"] for row in data["cross_table"] if (row["a"], row["b"]) == (a, b))


# --- who sits where


def test_partners_sit_in_every_way_round() -> None:
    assert [seating.tolist() for seating in Setup("a", "a", "b").seatings(4)] == [[0, 1, 0, 1], [1, 0, 1, 0]]
    mixed = Setup("a", "b", "c")
    assert sorted(seating.tolist() for seating in mixed.seatings(4)) == [
        [0, 2, 1, 2],
        [1, 2, 0, 2],
        [2, 0, 2, 1],
        [2, 1, 2, 0],
    ]
    assert (mixed.agents, mixed.party) == (("a", "b", "c"), (0, 0, 1))
    assert Setup("a", "a", "a").agents == ("a", "a")


def play_table(agents: list[Agent], rules: Rules, match: int, seed: int, whole_match: bool) -> tuple[int, int]:
    """One table in plain Python, an agent a seat: score changes of side 0 less those of side 1, and deals."""
    batch = Batch(rules, seed, [match])
    difference = deals = 0
    while True:
        while not batch.over[0]:
            batch.step(agents[int(batch.to_act[0])].act(batch.views()))
        difference += int(batch.state.score_change[0, 0] - batch.state.score_change[0, 1])
        deals += 1
        if not whole_match or batch.match_over[0]:
            return difference, deals
        batch.next_deal(np.array([0]))


@pytest.mark.parametrize("episode", ["deal", "match"])
def test_a_mixed_pair_agrees_with_one_table_at_a_time(episode: arena.Episode) -> None:
    rules = make_rules("pedro", {"target": 30})
    agents = [MoreheadAgent(rules), RandomAgent(rules), MoreheadAgent(rules)]
    setup = Setup("a", "b", "c")
    seatings = setup.seatings(4)
    duel = play_seated(agents, setup.party, seatings, rules, np.arange(7, 10), 3, episode)
    for pair, match in enumerate(range(7, 10)):
        for table, seating in enumerate(seatings):
            seated = [agents[number] for number in seating]
            difference, deals = play_table(seated, rules, match, 3, episode == "match")
            sign = 1 if seating[0] != 2 else -1
            assert duel.difference[pair, table] == sign * difference
            assert duel.deals[pair, table] == deals
    a, b = duel.tallies
    assert a.deals == b.deals == duel.deals.sum()
    assert a.points + b.points == 14 * a.deals  # every point is one party's
    assert a.declared + b.declared == a.deals


def test_partners_of_one_kind_play_as_one_agent() -> None:
    a, b, c = RandomAgent(PEDRO), RandomAgent(PEDRO), MoreheadAgent(PEDRO)
    setup = Setup("a", "b", "c")
    mixed = play_seated([a, b, c], setup.party, setup.seatings(4), PEDRO, np.arange(20), 1)
    own = play_unit(a, c, PEDRO, np.arange(20), 1)
    assert np.array_equal(mixed.difference, own.difference[:, [0, 0, 1, 1]])
    for twice, once in zip(mixed.tallies, own.tallies, strict=True):
        assert (twice.turns, twice.bids) == (2 * once.turns, 2 * once.bids)
        assert (twice.points, twice.made, twice.declared) == (2 * once.points, 2 * once.made, 2 * once.declared)


# --- what comes out


SMALL = ("morehead", "random", "heuristic-1", "--deals", "150", "--cross-play")


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tournament of three with cross-play."""
    folder = tmp_path_factory.mktemp("tournament") / "small"
    assert run(*SMALL, "--out", str(folder)) == 0
    return folder


def test_pairings_are_those_of_evaluate(small: Path) -> None:
    data = results(small)
    for a, b in combinations(("morehead", "random", "heuristic-1"), 2):
        duel = play_duplicate(a, b, PEDRO, 150)
        assert over(data, a, b)["mean"] == pytest.approx(duel.points.mean)
        assert over(data, a, b)["low"] == pytest.approx(duel.points.low)
        assert over(data, b, a)["high"] == pytest.approx(-(duel.points.low or 0))
        (setup,) = (s for s in data["setups"] if s["partners"] == [a, a] and s["against"] == b)
        assert setup["points_a_deal"]["mean"] == duel.points.mean
        assert setup["sides"]["against"] == duel.tallies[1].rates()
        counts = setup["difference_counts"]
        assert sum(counts["pairs"]) == 150
        assert np.dot(counts["difference"], counts["pairs"]) / 150 == pytest.approx(duel.points.mean)


def test_the_file_describes_itself(small: Path) -> None:
    data = results(small)
    assert (data["format"], data["kind"], data["pairs"], data["episode"]) == (1, "tournament", 150, "deal")
    assert data["command"][:3] == ["python", "-m", "agents.tournament"]
    assert (data["rules_hash"], data["variant"]) == (PEDRO.hash(), "pedro")
    assert data["versions"]["numpy"]
    assert [row["name"] for row in data["ratings"]["entrants"]] == ["morehead", "random", "heuristic-1"]
    assert sum(row["points_a_deal"]["mean"] for row in data["ratings"]["entrants"]) == pytest.approx(0)
    assert data["additive_fit"]["degrees_of_freedom"] == [1, 149]


def test_the_tables_have_the_same_figures(small: Path) -> None:
    data = results(small)
    with (small / "cross.csv").open(newline="") as file:
        for row in csv.DictReader(file):
            assert float(row["low"]) == over(data, row["row"], row["column"])["low"]
    with (small / "ratings.csv").open(newline="") as file:
        means = {row["entrant"]: float(row["mean"]) for row in csv.DictReader(file)}
    assert means == {row["name"]: row["points_a_deal"]["mean"] for row in data["ratings"]["entrants"]}
    with (small / "differences.csv").open(newline="") as file:
        assert sum(int(row[4]) for row in list(csv.reader(file))[1:]) == 150 * len(data["setups"])


def test_cross_play_is_symmetric_and_has_the_pairings_on_its_diagonal(small: Path) -> None:
    data = results(small)
    cross = data["cross_play"]
    assert cross["reference"] == "heuristic-1"
    assert [row["name"] for row in cross["rows"]] == ["morehead", "random", "heuristic-1"]
    for i, j in combinations(range(3), 2):
        assert cross["cells"][i][j] == cross["cells"][j][i]
    assert cross["cells"][0][0]["mean"] == over(data, "morehead", "heuristic-1")["mean"]
    assert cross["cells"][2][2]["mean"] == 0
    own = np.mean([cross["cells"][i][i]["mean"] for i in range(3)])
    mixed = np.mean([cross["cells"][i][j]["mean"] for i, j in combinations(range(3), 2)])
    (gap,) = cross["gaps"]
    assert gap["gap"]["mean"] == pytest.approx(own - mixed)
    with (small / "cross_play.csv").open(newline="") as file:
        assert len(list(csv.reader(file))) == 1 + 9


def test_agents_that_are_the_same_have_no_gap_at_all(tmp_path: Path) -> None:
    groups = ["--group", "a=morehead", "--group", "b=morehead", "--group", "c=morehead"]
    assert run(*groups, "--deals", "50", "--cross-play", "--out", str(tmp_path / "t")) == 0
    data = results(tmp_path / "t")
    (gap,) = data["cross_play"]["gaps"]
    assert [gap["gap"][name] for name in ("mean", "low", "high")] == [0, 0, 0]
    assert over(data, "a", "b")["high"] == 0


def test_the_order_of_agents_changes_nothing(small: Path, tmp_path: Path) -> None:
    shutil.copytree(small, tmp_path / "t")
    assert run("heuristic-1", "random", "morehead", "--deals", "150", "--out", str(tmp_path / "t")) == 0
    data = results(tmp_path / "t")
    assert data["run"]["tables_played"] == 0
    before = results(small)
    for a, b in combinations(("morehead", "random", "heuristic-1"), 2):
        assert over(data, a, b) == over(before, a, b)
    played_anew = tmp_path / "anew"
    assert run("heuristic-1", "random", "morehead", "--deals", "150", "--out", str(played_anew)) == 0
    assert over(results(played_anew), "morehead", "random")["mean"] == pytest.approx(
        over(data, "morehead", "random")["mean"]
    )


def test_a_fixed_set_of_deals_is_named_and_is_its_seed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    common = ["morehead", "random", "--deals", "20", "--workers", "1"]
    assert run(*common, "--on", "dev-1", "--out", str(tmp_path / "set")) == 0
    assert "set dev-1 (seed 4398046511105)" in " ".join(capsys.readouterr().out.split())
    assert run(*common, "--seed", "4398046511105", "--out", str(tmp_path / "seed")) == 0
    first, second = results(tmp_path / "set"), results(tmp_path / "seed")
    assert (first["set"], second["set"]) == ("dev-1", None)
    assert first["cross_table"] == second["cross_table"]
    assert run(*common, "--on", "dev-1", "--seed", "1") == 2
    assert "--on dev-1 says which seed: leave --seed out" in capsys.readouterr().err


def test_groups_and_an_anchor(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "t"
    arguments = ["heuristic-1", "--group", "rules=morehead,random", "--anchor", "heuristic-1", "--deals", "100"]
    assert run(*arguments, "--cross-play", "--out", str(folder)) == 0
    data = results(folder)
    parts = [play_duplicate("heuristic-1", member, PEDRO, 100).points.mean or 0 for member in ("morehead", "random")]
    assert over(data, "heuristic-1", "rules")["mean"] == pytest.approx(np.mean(parts))
    assert [row["points_a_deal"]["mean"] for row in data["ratings"]["entrants"]] == pytest.approx([0, -np.mean(parts)])
    assert [row["name"] for row in data["cross_play"]["rows"]] == ["heuristic-1", "rules.1", "rules.2"]
    assert [gap["over"] for gap in data["cross_play"]["gaps"]] == ["all agents", "rules"]
    met = {(*s["partners"], s["against"]) for s in data["setups"]}
    assert not {("morehead", "morehead", "random"), ("random", "random", "morehead")} & met  # members do not meet
    assert "rating over heuristic-1" in capsys.readouterr().out


def test_matches_are_played_and_rated(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "t"
    arguments = ["morehead", "random", "--episode", "match", "--set", "target=20", "--deals", "20"]
    assert run(*arguments, "--out", str(folder)) == 0
    data = results(folder)
    duel = play_duplicate("morehead", "random", make_rules("pedro", {"target": 20}), 20, episode="match")
    row = data["cross_table"][0]
    assert (row["a"], row["b"]) == ("morehead", "random")
    assert row["points_a_deal"]["low"] == pytest.approx(duel.points.low)
    assert row["match_win_share"]["low"] == pytest.approx(duel.win_rate.low)
    morehead, random = (r["bradley_terry"]["mean"] for r in data["ratings"]["entrants"])
    assert morehead == pytest.approx(-random)
    assert morehead > 1
    assert "share of matches that the row wins" in capsys.readouterr().out


@pytest.mark.parametrize("variant", ["pidro", "king-pedro", "pedro-sancho", "dom-pedro", "five-handed", "railroad"])
def test_cross_play_needs_partners_and_a_tournament_does_not(
    variant: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rules = make_rules(variant)
    assert run("random", "morehead", "--variant", variant, "--deals", "3", "--out", str(tmp_path / "t")) == 0
    cross = run(
        "random", "morehead", "--variant", variant, "--deals", "3", "--cross-play", "--out", str(tmp_path / "t")
    )
    err = capsys.readouterr().err
    if rules.teams is Teams.PARTNERS:
        assert cross == 0
    else:
        assert cross == 2
        assert f"--cross-play needs two sides of partners; in {variant!r}" in err


# --- kept, and gone on with


def units(folder: Path) -> list[Path]:
    return sorted((folder / "units").glob("*/*.json"))


def start(folder: Path, *arguments: str) -> subprocess.Popen[str]:
    """The command in another process, as soon as it has kept the first two units."""
    full = [sys.executable, "-m", "agents.tournament", *arguments, "--out", str(folder)]
    process = subprocess.Popen(full, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 60
    first = {"000000-500.json", "000500-500.json"}
    while not first <= {unit.name for unit in units(folder)} and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.01)
    return process


LONG = ("morehead", "random", "--deals", "2300", "--seed", "4")
TABLES = 2 * 2300
UNITS = 5


@pytest.fixture(scope="module")
def uninterrupted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tournament") / "whole"
    assert run(*LONG, "--workers", "1", "--out", str(folder)) == 0
    return folder


def test_workers_do_not_change_a_bit(uninterrupted: Path, tmp_path: Path) -> None:
    assert run(*LONG, "--workers", "2", "--out", str(tmp_path / "t")) == 0
    assert figures(tmp_path / "t") == figures(uninterrupted)


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="there is no SIGKILL")
def test_a_tournament_that_was_killed_goes_on(uninterrupted: Path, tmp_path: Path) -> None:
    folder = tmp_path / "t"
    process = start(folder, *LONG, "--workers", "1")
    process.kill()
    process.communicate()
    done = len(units(folder))
    assert 2 <= done < UNITS
    assert not (folder / "results.json").exists()
    assert run(*LONG, "--workers", "1", "--out", str(folder)) == 0
    assert figures(folder) == figures(uninterrupted)
    assert 0 < results(folder)["run"]["tables_played"] < TABLES
    assert len(units(folder)) == UNITS


@pytest.mark.skipif(os.name != "posix", reason="an interrupt is sent to the process alone on POSIX")
def test_an_interrupt_shows_what_is_known(tmp_path: Path) -> None:
    process = start(tmp_path / "t", "morehead", "random", "--deals", "100000", "--workers", "2")
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "points a deal, row over column" in out
    assert "interrupted: these are the first" in err
    assert "the same command goes on from here" in err
    assert "Traceback" not in err


def test_an_interrupt_before_anything_is_known(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(command, "play", interrupted)
    assert run("morehead", "random", "--deals", "10") == 130
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert "interrupted before the first 10 pairs of every pairing were played; with --out it could go on later" in err


def test_only_what_is_missing_is_played(uninterrupted: Path, tmp_path: Path) -> None:
    folder = tmp_path / "t"
    shutil.copytree(uninterrupted, folder)
    assert run(*LONG, "--out", str(folder)) == 0
    assert results(folder)["run"]["tables_played"] == 0
    more = ("morehead", "random", "heuristic-1", "--deals", "500", "--seed", "4")
    assert run(*more, "--out", str(folder)) == 0
    assert results(folder)["run"]["tables_played"] == 2 * 500 * 2  # those of heuristic-1
    expected = play_duplicate("morehead", "random", PEDRO, 500, seed=4).points.mean
    assert over(results(folder), "morehead", "random")["mean"] == pytest.approx(expected)


@pytest.mark.parametrize(
    "spoil",
    [lambda text: text[: len(text) // 2], lambda text: text.replace('"redeals": 0', '"redeals": 7'), lambda _: ""],
)
def test_a_unit_that_is_not_whole_is_played_again(
    spoil: Callable[[str], str], uninterrupted: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "t"
    shutil.copytree(uninterrupted, folder)
    unit = units(folder)[2]
    unit.write_text(spoil(unit.read_text()))
    assert run(*LONG, "--workers", "1", "--out", str(folder)) == 0
    assert results(folder)["run"]["tables_played"] == 1000
    assert figures(folder) == figures(uninterrupted)


def test_a_unit_in_the_place_of_another_is_played_again(uninterrupted: Path, small: Path, tmp_path: Path) -> None:
    folder = tmp_path / "t"
    shutil.copytree(uninterrupted, folder)
    first, second = units(folder)[:2]
    shutil.copy(first, second)
    assert run(*LONG, "--workers", "1", "--out", str(folder)) == 0
    assert figures(folder) == figures(uninterrupted)

    other = tmp_path / "other"
    shutil.copytree(small, other)
    shutil.copy(other / "units" / "0-0-1" / "000000-150.json", other / "units" / "0-0-2")
    assert run(*SMALL, "--out", str(other)) == 0
    assert figures(other) == figures(small)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (["--seed", "5"], "was begun with seed 4, not 5: choose another --out"),
        (["--episode", "match"], "was begun with episode 'deal', not 'match'"),
        (["--variant", "oregon"], "was begun with variant 'pedro', not 'oregon'"),
        (["--set", "min_bid=6"], "was begun with options {}, not {'min_bid': '6'}"),
    ],
)
def test_another_tournament_is_refused(
    change: list[str], message: str, uninterrupted: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(*LONG, *change, "--out", str(uninterrupted)) == 2
    err = capsys.readouterr().err
    assert message in err
    assert err.count("\n") == 1


def test_a_file_that_has_changed_is_refused_by_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for package in ("torch", "safetensors", "onnx", "onnxscript", "onnxruntime"):
        pytest.importorskip(package)
    from agents.checkpoint import save_checkpoint
    from agents.network import NetworkShape, PolicyValueNetwork
    from pedro_env.layout import layout_of

    def network(width: int) -> Path:
        made = PolicyValueNetwork(layout_of(PEDRO), NetworkShape(width=width, layers=1))
        return save_checkpoint(tmp_path / "made", made, {}, {}, {"counters": {"decisions": width}}, 2)

    run_folder = str(network(16).parents[1])
    arguments = ["random", run_folder, "--deals", "5", "--workers", "1", "--out", str(tmp_path / "t")]
    assert run(*arguments) == 0
    data = results(tmp_path / "t")
    assert [len(agent["sha256"] or "") for agent in data["agents"]] == [0, 64]
    assert run(*arguments) == 0  # the same file: nothing to say
    network(17)
    capsys.readouterr()
    assert run(*arguments) == 2
    assert f"{run_folder} has changed since the tournament in {tmp_path / 't'} began" in capsys.readouterr().err


def test_a_file_that_changes_meanwhile_is_found_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    sums = iter("aabb")
    monkeypatch.setattr(command, "checksum", lambda agent: next(sums))
    assert run("random", "morehead", "--deals", "2", "--workers", "1") == 2
    assert "random has changed while it was played" in capsys.readouterr().err


# --- mistakes


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["morehead"], "name at least two agents"),
        (["morehead", "morehead"], "'morehead' is named twice; --group NAME=morehead gives an agent another name"),
        (["morehead", "randon"], "unknown agent 'randon' (did you mean 'random'?)"),
        (["morehead", "--group", "random"], "--group 'random' is no group; write NAME=AGENT,AGENT,…"),
        (["morehead", "--group", "g=random,"], "--group 'g=random,' is no group"),
        (["morehead", "--group", "g=random,random"], "--group g: 'random' is in it twice"),
        (["morehead", "--group", "morehead=random"], "'morehead' is named twice"),
        (["morehead", "random", "--anchor", "heuristic-1"], "--anchor 'heuristic-1' does not take part"),
        (["morehead", "random", "--reference", "random"], "--reference 'random' is for --cross-play"),
        (["morehead", "random", "--cross-play", "--reference", "x"], "unknown agent 'x'"),
        (["morehead", "random", "--deals", "0"], "'0' is not a whole number from 1"),
        (["morehead", "random", "--variant", "pedor"], "pedor"),
        (["morehead", "random", "--out", str(ROOT / "pyproject.toml")], "that is a file; name a folder"),
        (["morehead", "random", "--out", str(ROOT / "configs")], "holds other files and no tournament"),
    ],
)
def test_mistakes_are_told_in_a_line(
    arguments: list[str], message: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def play(*_: Any) -> None:
        raise AssertionError("played")

    monkeypatch.setattr(playing, "play_seated", play)
    assert run(*arguments, "--workers", "1") == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert message in err
    assert err.count("\n") == 1


def test_checksums_are_of_the_files_that_an_address_names(tmp_path: Path) -> None:
    one, two = tmp_path / "one.py", tmp_path / "two.onnx"
    one.write_text("1")
    two.write_text("2")
    sums = [
        checksum(spec) for spec in (str(two), f"{two}:greedy=false", f"python:{one}:Agent", f"exec:run {one} {two}")
    ]
    assert sums[0] == sums[1]
    assert len({*sums}) == 3
    assert checksum("heuristic-1") is None
    one.write_text("3")
    assert checksum(f"exec:run {one} {two}") != sums[3]


def test_a_damaged_folder_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "tournament.json").write_text("{")
    assert run("morehead", "random", "--out", str(tmp_path)) == 2
    assert "tournament.json: damaged: choose another --out" in capsys.readouterr().err


def test_a_group_may_have_parameters() -> None:
    group = make_entrants(["random"], ["g=a.onnx:greedy=false,seed=1,b.onnx"])[1]
    assert group == Entrant("g", ("a.onnx:greedy=false,seed=1", "b.onnx"))


# --- the terminal


def analysis_of(names: list[str], size: float) -> Analysis:
    """Made-up figures of some agents, whose points are of a size."""
    k = len(names)
    rng = np.random.default_rng(0)
    strength = size * np.linspace(1, -1, k)
    values = {(i, j): strength[i] - strength[j] + rng.normal(0, size, 300) for i, j in combinations(range(k), 2)}
    points = Scores([1] * k, values)
    fit, misfit, circle = additive_fit(points), largest_misfit(points), strongest_circle(points)
    entrants = [Entrant(name, (name,)) for name in names]
    ratings = additive_ratings(points)
    return Analysis(entrants, None, 300, "deal", {}, points, ratings, fit, misfit, circle, None, None, None)


@pytest.mark.parametrize("width", [100, 80, 60, 40])
def test_lines_fit_into_the_terminal(width: int) -> None:
    for size in (1, 10, 100):
        names = [f"runs/experiment-{i}/checkpoints/000001234567:greedy=false" for i in range(8)]
        lines = report_lines(analysis_of(names, size), width)
        assert max(map(len, lines)) <= width
    cells = [line for line in report_lines(analysis_of(names, 10), 100) if "±" in line]
    assert len(cells) == 9  # the title, and a row an agent with its intervals


def test_a_narrow_terminal_leaves_out_intervals_and_then_the_matrix() -> None:
    analysis = analysis_of([f"agent-{i}" for i in range(6)], 10)

    def lines(width: int) -> list[str]:
        return matrix_lines(
            "title",
            [e.name for e in analysis.entrants],
            lambda i, j: None if i == j else analysis.points.over(i, j),
            width,
        )

    wide, middle, narrow = lines(100), lines(60), lines(30)
    assert all("±" in line for line in wide[2:8])
    assert not any("±" in line for line in middle)
    assert "a wider terminal" in middle[-1]
    assert len(narrow) == 2 + 15  # a line a pairing
    assert all("±" in line for line in narrow[2:])


def test_no_zero_is_negative() -> None:
    analysis = analysis_of(["a", "b"], 0)
    assert "-0" not in "\n".join(report_lines(analysis, 100))
