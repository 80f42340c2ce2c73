"""Losses of recorded decisions: against blunders known by hand, contracts played one by one, and themselves."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("numba")

from agents.analyse.command import main
from agents.analyse.losses import KINDS, STEPS, Losses, losses, study
from agents.analyse.par import par
from agents.analyse.summary import Summary
from agents.analyse.transcript import WIDTH, transcript
from agents.arena import Duel, play_pairings
from agents.registry import make_agent
from agents.search.outcome import play_best, play_to_the_cards
from agents.search.solver import best_line, solve, value
from pedro_env.actions import PASS, Phase
from pedro_env.engine import Batch
from pedro_env.record import Record, Recorder, random_records, write_line
from pedro_env.rules import AllPass, Rules
from pedro_env.variants import make_rules
from tests.support import stacked_pack

PLAY = KINDS.index("play")
VARIED = ["catch-five", "pidro", "california-100", "monterey-draw", "king-pedro-ukrainian", "tennessee"]
"""Games that are quick to solve, of different exchanges, auctions and ends."""


def duel(a: str, b: str, variant: str, pairs: int, seed: int = 0) -> tuple[Duel, list[Record]]:
    records: list[Record] = []
    rules = make_rules(variant)
    return play_pairings([(a, b)], rules, pairs, seed, on_records=records.extend)[0], records


def summary_of(records: Sequence[Record]) -> Summary:
    found = losses(records)
    return Summary(found, [record["agents"] for record in records], np.array([r["match"] for r in records]))


def write(path: Path, records: Sequence[Record]) -> str:
    path.write_text("".join(map(write_line, records)), encoding="utf-8")
    return str(path)


def mixed_records() -> list[Record]:
    """The first deals of random matches in some games, and a redeal; nobody says who played."""
    games = enumerate([*VARIED, "cinch"])
    return [all_pass(), *(record for seed, name in games for record in list(random_records(name, {}, 1, seed))[:2])]


def all_pass() -> Record:
    batch = Batch(make_rules("king-pedro-ukrainian"))
    recorder, passing = Recorder(batch), np.array([PASS])
    while not batch.over[0]:
        recorder.before_step(passing)
        batch.step(passing)
    return recorder.finish(0)


@pytest.fixture(scope="module")
def mixed() -> tuple[list[Record], Losses]:
    records = mixed_records()
    return records, losses(records)


# --- play


@pytest.mark.parametrize("variant", ["pedro", *VARIED])
def test_open_against_itself_loses_nothing_in_the_play(variant: str) -> None:
    _, records = duel("open", "open", variant, 1)
    d = losses(records).decisions
    mine = d["kind"] == PLAY
    assert mine.any()
    assert not d["loss"][mine].any()
    assert not d["points"][mine].any()
    np.testing.assert_array_equal(d["best"][mine], d["action"][mine])
    assert not d["gain"].any()  # and up to the cards it is the continuation itself


def test_losses_in_the_play_explain_the_points_taken(mixed: tuple[list[Record], Losses]) -> None:
    """Best play's points, less what the declarers lost, and with what the defenders lost, are the points taken."""
    records, found = mixed
    d = found.decisions
    for i, record in enumerate(records):
        batch, began = Batch(make_rules(record["variant"]), record["seed"], [record["match"]]), None
        batch.state.deal[0] = record["deal"]
        pack = [batch.actions.parse(card, Phase.PLAY) for card in record["pack"]]
        batch.set_position(0, pack, record["dealer"], record["scores_before"])
        for step in record["steps"]:
            if began is None and batch.phase[0] in (Phase.BURY, Phase.PLAY):
                began = int(value(batch)[0])
            batch.step(np.array([batch.actions.parse(step["action"], Phase(batch.phase[0]))]))
        mine = d["deal"] == i
        if began is None:
            assert not d["points"][mine].any()
            continue
        declarers = d["role"][mine] < 2
        lost = d["points"][mine]
        taken = record["points"][int(batch.state.declarer[0]) % 2]
        assert began - lost[declarers].sum() + lost[~declarers].sum() == taken


def blunder() -> Record:
    """The defender in seat 1 throws the five under the ace; with the three its partner would have saved it.

    Seat 3 has the six highest trumps but for the ace, and so all tricks from the second on. Under the ace, seat 2
    saves the off-five; the 2 counts for who holds it. Declarers: 1 + 5 + 1, and with the five 12.
    """
    rules = make_rules("pedro")
    hands = {0: "AS", 1: "5S 3S", 2: "5C 7S 6S 4S 2S", 3: "KS QS JS TS 9S 8S"}
    batch = Batch(rules)
    batch.set_position(0, stacked_pack(rules, 3, hands), 3, [0, 0])
    recorder, agent = Recorder(batch), make_agent("open", rules)
    for name in ("7", "pass", "pass", "pass", "S", "AS", "5S"):
        action = np.array([batch.actions.parse(name, Phase(batch.phase[0]))])
        recorder.before_step(action)
        batch.step(action)
    while not batch.over[0]:
        action = np.asarray(agent.act(batch.views(sees_everything=True)))
        recorder.before_step(action)
        batch.step(action)
    return recorder.finish(0)


def test_a_blunder_known_by_hand() -> None:
    d, deals = losses([blunder()])
    at_fault = d["points"] > 0
    assert d["points"][at_fault].tolist() == [5]
    assert d["loss"][at_fault].tolist() == [10]  # 7 : 7 would have been 0 of difference; 12 : 2 is 10
    assert d["seat"][at_fault].tolist() == [1]
    names = Batch(make_rules("pedro")).actions.names
    assert [names[a] for a in d["best"][at_fault]] == ["3S"]
    assert deals["result"].tolist() == [10]
    assert deals["play"].tolist() == [10]
    assert deals["named_points"].tolist() == [7]


def test_the_best_line_alone_is_that_of_the_solution() -> None:
    rules = make_rules("pedro")
    batch = Batch(rules, 3, range(4))
    play_to_the_cards(batch, make_agent("heuristic-1", rules))
    rows = np.array([3, 1])
    np.testing.assert_array_equal(best_line(batch, rows), solve(batch, rows).line)


# --- before the play


def test_nothing_is_better_than_the_best(mixed: tuple[list[Record], Losses]) -> None:
    d = mixed[1].decisions
    assert (d["loss"] >= 0).all()
    assert (d["loss"] >= -d["gain"]).all()
    assert not d["loss"][d["choices"] == 1].any()
    assert not d["loss"][(d["kind"] == PLAY) & (d["points"] == 0)].any()  # who gives no point away loses no score
    assert all((d["loss"][d["kind"] == kind] > 0).any() for kind in range(len(KINDS)))


def test_everything_adds_up_to_the_result(mixed: tuple[list[Record], Losses]) -> None:
    records, (d, deals) = mixed
    results = [record["score_change"][0] - record["score_change"][1] for record in records]
    np.testing.assert_array_equal(deals["result"], results)
    np.testing.assert_array_equal(deals["par"] + sum(deals[name] for name in STEPS), results)
    sign = np.where(d["seat"] % 2 == 0, 1, -1)
    for kind in ("naming", "play"):
        lost = (sign * d["loss"])[d["kind"] == KINDS.index(kind)]
        of_deal = d["deal"][d["kind"] == KINDS.index(kind)]
        np.testing.assert_array_equal(deals[kind], -np.bincount(of_deal, lost, len(records)))
    signed = sign * d["gain"]
    for i, result in enumerate(results):
        mine = np.flatnonzero(d["deal"] == i)
        first = d["value"][mine[0]] - signed[mine[0]]
        assert first + signed[mine].sum() == result
        assert d["value"][mine[-1]] == result


@pytest.mark.parametrize("variant", VARIED)
def test_an_action_is_worth_what_the_position_after_it_is_worth(variant: str) -> None:
    records = list(random_records(variant, {}, 1, 5))[:2]
    found = study(records, [""] * len(records))
    others, d = found.others, found.losses.decisions
    taken = others.action == d["action"][others.position]
    assert taken.sum() > 5
    np.testing.assert_array_equal(others.value[taken], d["value"][others.position[taken]])


def test_random_loses_more_than_heuristic_1() -> None:
    _, records = duel("random", "heuristic-1", "catch-five", 8)
    rows = {(row.agent, row.what): row.figures for row in summary_of(records).by_role()}
    for kind in ("bidding", "play", "points"):
        assert rows["random", "all"][kind].mean > 2 * rows["heuristic-1", "all"][kind].mean


# --- par


def alone(rules: Rules, seed: int, match: int, seat: int, suit: int, bid: int) -> Batch | None:
    """One deal at the first lead, in which only one seat bids; None where it may not make that bid."""
    batch, agent = Batch(rules, seed, [match]), make_agent("heuristic-1", rules)
    while batch.phase[0] == Phase.BID:
        mine = batch.to_act[0] == seat and batch.state.contract[0] < 0
        action = PASS + 1 + bid if mine else PASS
        if not batch.mask()[0, action]:
            return None
        batch.step(np.array([action]))
    if batch.over[0] or batch.state.declarer[0] != seat:
        return None
    if batch.phase[0] == Phase.TRUMP:
        batch.step(np.array([54 + suit]))
    play_to_the_cards(batch, agent)
    return batch if batch.state.trump[0] == suit else None


@pytest.mark.parametrize(
    ("variant", "bids", "match"),
    [
        ("pedro", {}, 3),
        ("pedro", {"min_bid": 13, "forced_bid": 12}, 18),
        ("oregon", {"max_bid": 7}, 0),
        ("catch-five", {}, 1),
        ("king-pedro", {"max_bid": 32}, 1),
    ],
)
def test_par_by_playing_every_contract_alone(variant: str, bids: Mapping[str, int], match: int) -> None:
    rules = replace(make_rules(variant), **bids)
    batch = Batch(rules, 2, [match])
    found = par(batch, make_agent("heuristic-1", rules))
    worth: dict[tuple[int, int], int] = {}
    for seat in range(4):
        for suit in range(4):
            for bid in range(len(batch.actions.bids)):
                game = alone(rules, 2, match, seat, suit, bid)
                if game is None:
                    continue
                play_best(game)
                assert game.state.points[0, seat % 2] == found.points[0, seat, suit]
                change = game.state.score_change[0]
                own = int(change[seat % 2] - change[1 - seat % 2])
                if seat == batch.state.dealer[0] and rules.all_pass is not AllPass.REDEAL:
                    worth[2, bid] = max(own, worth.get((2, bid), own))  # what the dealer can be left with
                if batch.actions.bids[bid].number >= rules.min_bid:
                    worth[seat % 2, bid] = max(own, worth.get((seat % 2, bid), own))
    assert by_hand(worth, int(batch.state.dealer[0]) % 2) == found.value[0]


def by_hand(worth: dict[tuple[int, int], int], dealers: int) -> int:
    """What the auction comes to for side 0; ``worth`` is to the side that bids, by side and bid."""

    @lru_cache
    def standing(side: int, bid: int) -> int:
        """To the side that has bid last."""
        overbids = [-standing(1 - side, other) for s, other in worth if s == 1 - side and other > bid]
        return min([worth[side, bid], *overbids])

    forced = [worth[2, bid] for s, bid in worth if s == 2 and bid == min(b for s, b in worth if s == 2)]
    last = max(forced, default=0)
    dealer = max([last, *(standing(s, bid) for s, bid in worth if s == dealers)])
    other = max([-dealer, *(standing(s, bid) for s, bid in worth if s == 1 - dealers)])
    return -other if dealers == 0 else other


# --- summaries


def test_shares_explain_the_difference_of_duplicate_deals() -> None:
    result, records = duel("heuristic-1", "morehead", "catch-five", 10)
    (share,) = summary_of(records).shares()
    assert share.agents == ("heuristic-1", "morehead")
    means = {name: estimate.mean for name, estimate in share.figures.items()}
    assert means["par"] == 0  # the same deals with the sides exchanged
    assert means["result"] == pytest.approx(result.points.mean)
    assert share.figures["result"].error == pytest.approx(result.points.error)
    assert sum(means[name] for name in STEPS) == pytest.approx(means["result"])


def test_the_parts_of_a_table_are_its_whole() -> None:
    _, records = duel("random", "heuristic-1", "catch-five", 6)
    summary = summary_of(records)
    everything, *roles = [row for row in summary.by_role() if row.agent == "random"]
    for parts in (roles, [row for row in summary.by_place() if row.agent == "random"]):
        assert sum(row.seats for row in parts) == everything.seats
        for name in (*KINDS, "points"):
            total = sum(row.figures[name].mean * row.seats for row in parts if row.seats)
            assert total == pytest.approx(everything.figures[name].mean * everything.seats)
    tricks = [row for row in summary.by_trick() if row.agent == "random"]
    total = sum(e.mean * row.seats for row in tricks if row.seats for e in row.figures.values())
    assert total == pytest.approx(everything.figures["points"].mean * everything.seats)


# --- the command


def run_json(tmp_path: Path, records: Sequence[Record], *more: str) -> dict[str, Any]:
    target = tmp_path / "out.json"
    assert main([write(tmp_path / "in.jsonl", records), "--json", str(target), *more]) == 0
    data = json.loads(target.read_text())
    del data["command"]
    return data


def test_workers_and_the_order_of_records_change_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _, records = duel("heuristic-1", "morehead", "catch-five", 3)
    records += duel("heuristic-1", "morehead", "pidro", 2)[1]
    first = run_json(tmp_path, records, "--workers", "1")
    assert run_json(tmp_path, records, "--workers", "2") == first
    monkeypatch.setattr("agents.analyse.command.CHUNK", 3)
    mixed_up = [*records[2::3], *records[1::3], *records[::3]]
    assert run_json(tmp_path, mixed_up, "--workers", "1") == first
    assert [(game["game"], game["deals"]) for game in first["games"]] == [("catch-five", 6), ("pidro", 4)]
    assert "Where the score difference comes from" in capsys.readouterr().out


def test_a_line_a_decision(tmp_path: Path) -> None:
    records = [blunder()]  # without agents
    target = tmp_path / "out.csv"
    assert main([write(tmp_path / "in.jsonl", records), "--csv", str(target), "--workers", "1"]) == 0
    rows = list(csv.DictReader(target.read_text(encoding="utf-8").splitlines()))
    assert [(row["phase"], row["seat"], row["action"]) for row in rows] == [
        (step["phase"], str(step["seat"]), step["action"]) for step in records[0]["steps"]
    ]
    (mistake,) = [row for row in rows if row["points"] != "0"]
    shown = [mistake[name] for name in ("line", "seat", "place", "agent", "role", "trick", "action", "best")]
    assert shown == ["1", "1", "2", "", "defender", "1", "5S", "3S"]


def test_a_transcript_names_the_blunder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write(tmp_path / "in.jsonl", [blunder() | {"agents": ["a", "b", "c", "d"]}])
    assert main([path, "--deal", "0/0"]) == 0
    out = capsys.readouterr().out
    assert "trick 1, seat 1: 5♠ loses 5 points, 10 of the score; better 3♠" in out
    assert "play +10 = +10" in out


def test_transcripts_of_any_game_fit(mixed: tuple[list[Record], Losses]) -> None:
    for variant in VARIED:
        records = [record for record in mixed[0] if record["variant"] == variant]
        found = study(records, [""] * len(records))
        for i, record in enumerate(records):
            text = transcript(found, i, record)
            assert max(map(len, text.splitlines())) <= WIDTH
            assert text.count("In play") <= 1


def changed(record: Record, **fields: Any) -> Record:
    return json.loads(json.dumps(record)) | fields


def another_action(record: Record) -> Record:
    other = changed(record)
    other["steps"][2]["action"] = "6"
    return other


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (another_action, "line 2, step 3: 6 is not legal; legal are pass, 8,"),
        (lambda r: changed(r, steps=r["steps"][:-1]), "line 2: the record ends after step"),
        (lambda r: changed(r, points=[14, 0]), "line 2: points by the rules"),
        (lambda r: changed(r, dealer=2), "line 2, step 1: seat by the rules 3, here 0"),
        (lambda r: changed(r, variant="railroad"), "line 2: the solver needs two sides of fixed partners"),
        (lambda r: changed(r, variant="bridge"), "line 2: unknown variant 'bridge'"),
        (lambda r: changed(r, agents=["a", "b"]), "line 2: 'agents' must be four names"),
        (lambda r: changed(r, pack=r["pack"][1:]), "line 2: the deal cannot be set up: the pack must be"),
    ],
)
def test_a_record_that_is_wrong(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], change: Callable[[Record], Record], says: str
) -> None:
    record = blunder()
    assert main([write(tmp_path / "in.jsonl", [record, change(record)]), "--workers", "1"]) == 2
    out, error = capsys.readouterr()
    assert not out
    assert len(error.splitlines()) == 1
    assert f"in.jsonl, {says}" in error


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--deal", "5"], "holds no record of match 5, deal 0"),
        (["--continuation", "nobody"], "unknown agent 'nobody'"),
        (["--deal", "0", "--json", "x.json"], "--deal prints transcripts"),
        (["--csv", "in.jsonl"], "must be different files"),
        (["--json", "missing/x.json"], "there is no folder missing"),
    ],
)
def test_a_mistake_on_the_command_line(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    says: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main([write(Path("in.jsonl"), [blunder()]), *arguments]) == 2
    error = capsys.readouterr().err
    assert says in error
    assert len(error.splitlines()) == 1
