"""Records (RULES 5): what is written replays; what was changed is found, and said where."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pedro_env.engine import Batch
from pedro_env.record import (
    Difference,
    Record,
    Recorder,
    RecordError,
    random_records,
    read_records,
    replay,
    replay_all,
    write_line,
)
from pedro_env.rules import RulesError
from pedro_env.variants import VARIANTS, essential_options, make_rules
from tests import reference
from tests.covering import alone, pairwise

EXAMPLES = Path(__file__).parents[1] / "docs" / "rules" / "example-records.jsonl"


def written(tmp_path: Path, records: list[Record]) -> Path:
    path = tmp_path / "records.jsonl"
    path.write_text("".join(map(write_line, records)), encoding="utf-8")
    return path


def replayed(path: Path, *, linked: bool = True) -> int:
    return sum(1 for _ in replay_all(read_records(path), path, linked=linked))


@pytest.fixture(scope="module")
def records() -> list[Record]:
    """The first deals of two matches."""
    return list(random_records("pedro", {"max_deals": 4}, matches=2, seed=5))


@pytest.mark.parametrize("variant", VARIANTS)
def test_what_is_written_replays(variant: str, tmp_path: Path) -> None:
    records = list(random_records(variant, {"max_deals": 3}, matches=4, seed=11))
    assert {record["match"] for record in records} == {0, 1, 2, 3}
    assert replayed(written(tmp_path, records)) == len(records)


def written_by_reference(variant: str, options: dict[str, Any], deals: int, seed: int) -> list[Record]:
    """The records of a match that the reference engine plays, with packs and choices of its own."""
    rng = random.Random(seed)
    records: list[Record] = []
    scores = [0] * reference.sides_of(variant, options)
    dealer = 0
    for number in range(deals):
        pack = reference.pack_of(variant)
        rng.shuffle(pack)
        deal = reference.Deal(variant, options, pack, dealer, scores)
        steps = []
        while deal.seat is not None:
            legal = sorted(deal.legal())
            action = "pass" if "pass" in legal and rng.random() < 0.7 else rng.choice(legal)
            steps.append({"seat": deal.seat, "phase": deal.phase, "legal": legal, "action": action})
            deal.apply(action)
        place = {"variant": variant, "options": options, "seed": seed, "match": 0, "deal": number, "dealer": dealer}
        result = {name: getattr(deal, name) for name in ("points", "score_change", "winner")}
        records.append(
            {**place, "scores_before": scores, "pack": pack, "steps": steps, **result, "scores_after": deal.scores}
        )
        dealer, scores = deal.next_dealer, deal.scores
        if deal.winner is not None:
            break
    return records


@pytest.mark.parametrize("variant", VARIANTS)
def test_records_of_the_reference_replay(variant: str, tmp_path: Path) -> None:
    for seed, options in enumerate([{}, *alone(variant), *pairwise(variant)]):
        records = written_by_reference(variant, options, 4, seed)
        assert replayed(written(tmp_path, records)) == len(records)


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_reference_accepts_records_with_any_options(variant: str) -> None:
    for options in [{}, *alone(variant), *pairwise(variant)]:
        for record in random_records(variant, {**options, "max_deals": 2}, matches=2, seed=1):
            reference.replay(record)


def test_the_published_examples_replay() -> None:
    assert replayed(EXAMPLES) == 14


def test_a_record_does_not_depend_on_how_many_matches_are_played(records: list[Record]) -> None:
    alone = list(random_records("pedro", {"max_deals": 4}, matches=1, seed=5))
    assert alone == [record for record in records if record["match"] == 0]


def test_fields_that_are_not_known_are_ignored(records: list[Record], tmp_path: Path) -> None:
    record = copy.deepcopy(records[0]) | {"agents": ["a", "b"], "comment": {"x": [1]}}
    record["steps"][0]["think_ms"] = 3
    assert replayed(written(tmp_path, [record])) == 1


def test_the_order_of_legal_actions_does_not_matter_but_a_double_one_does(records: list[Record]) -> None:
    record = copy.deepcopy(records[0])
    legal = record["steps"][0]["legal"]
    legal.reverse()
    replay(record)
    legal.append(legal[0])
    with pytest.raises(Difference, match=r"^step 1: the record's legal actions name one twice"):
        replay(record)


def test_options_are_those_that_change_the_rules() -> None:
    options = {"min_bid": 6, "forced_bid": 6, "slam": True, "keep_plain": False, "target": 62, "max_deals": 100}
    assert essential_options("pedro", options) == {"min_bid": 6, "slam": True}
    assert essential_options("pedro", {"min_bid": 7}) == {}
    assert essential_options("pedro", {"min_bid": 6, "forced_bid": 7}) == {"min_bid": 6, "forced_bid": 7}
    assert essential_options("pedro-sancho", {"seats": 5, "teams": "none"}) == {"seats": 5}
    with pytest.raises(RulesError, match="no option 'slam'"):
        essential_options("cinch", {"slam": False})


@pytest.mark.parametrize("variant", list(VARIANTS))
def test_essential_options_lead_to_the_same_rules(variant: str) -> None:
    for name, option in VARIANTS[variant].options.items():
        for value in option.values or (option.low, option.high):
            essential = essential_options(variant, {name: value})
            assert make_rules(variant, essential) == make_rules(variant, {name: value})


def test_options_stand_in_the_records_and_are_played_by(tmp_path: Path) -> None:
    options = {"min_bid": 6, "lead_trump": True, "follow": "suit_or_trump", "max_deals": 1}
    records = list(random_records("pedro", options, matches=3, seed=1))
    assert all(record["options"] == {"min_bid": 6, "lead_trump": True, "max_deals": 1} for record in records)
    assert replayed(written(tmp_path, records)) == 3
    records[1]["options"] = {"max_deals": 1}
    with pytest.raises(Difference, match=r"line 2, step 1: legal actions by the rules"):
        replayed(written(tmp_path, records))


def test_a_recorder_takes_part_of_the_rows_at_a_time() -> None:
    batch = Batch(make_rules("pedro"), seed=2, matches=[0, 1])
    recorder = Recorder(batch)
    while not batch.over.all():
        for row in np.flatnonzero(~batch.over).tolist():
            rows = np.array([row])
            action = batch.mask(rows).argmax(axis=1)
            recorder.before_step(action, rows)
            batch.step(action, rows)
    for row in (0, 1):
        record = json.loads(write_line(recorder.finish(row)))
        assert record["match"] == row
        replay(record)


# --- one thing changed in the second of the records


def _set(name: str, value: Any) -> Callable[[Record], None]:
    def change(record: Record) -> None:
        record[name] = value

    return change


def _change_step(number: int, **changes: Any) -> Callable[[Record], None]:
    def change(record: Record) -> None:
        record["steps"][number - 1] |= changes

    return change


def _other_score(record: Record) -> None:
    record["scores_after"] = [record["scores_after"][0] + 1, record["scores_after"][1]]


def _other_seat(record: Record) -> None:
    record["steps"][1]["seat"] = (record["steps"][1]["seat"] + 1) % 4


def _other_dealer(record: Record) -> None:
    record["dealer"] = (record["dealer"] + 1) % 4


def _swap_in_pack(record: Record) -> None:
    """The last cards of the stock change places with the first hand's."""
    pack = record["pack"]
    pack[:3], pack[-3:] = pack[-3:], pack[:3]


DIFFERENCES: dict[str, tuple[Callable[[Record], None], str]] = {
    "legal action missing": (lambda r: r["steps"][0]["legal"].pop(), r"line 2, step 1: legal actions by the rules"),
    "legal action added": (lambda r: r["steps"][-1]["legal"].append("done"), r"line 2, step \d+: legal actions"),
    "action not legal": (_change_step(1, action="15"), r"line 2, step 1: '15' is not an action in the phase 'bid'"),
    "card for a bid": (_change_step(1, action="AS"), r"line 2, step 1: 'AS' is not an action"),
    "other seat": (_other_seat, r"line 2, step 2: seat by the rules \d, in the record \d"),
    "other phase": (_change_step(1, phase="play"), r"line 2, step 1: phase by the rules bid, in the record play"),
    "step missing": (lambda r: r["steps"].pop(4), r"line 2, step [5-9]: "),
    "last step missing": (lambda r: r["steps"].pop(), r"line 2, after step \d+: the record ends, but the deal is not"),
    "step too many": (lambda r: r["steps"].append(r["steps"][-1]), r"line 2, step \d+: the deal is over"),
    "points": (_set("points", [0, 0]), r"line 2, the end: points by the rules"),
    "score change": (_set("score_change", [0, 0, 0]), r"line 2, the end: score_change by the rules"),
    "scores after": (_other_score, r"line 2, the end: scores_after by the rules"),
    "winner": (_set("winner", 1), r"line 2, the end: winner by the rules None, in the record 1"),
    "pack": (_swap_in_pack, r"line 2, step \d+: "),
    "dealer": (_other_dealer, r"line 2, step 1: seat by the rules"),
}


@pytest.mark.parametrize("name", DIFFERENCES)
def test_what_was_changed_is_found(name: str, records: list[Record], tmp_path: Path) -> None:
    change, message = DIFFERENCES[name]
    changed = copy.deepcopy(records)
    change(changed[1])
    with pytest.raises(Difference, match=message) as error:
        replayed(written(tmp_path, changed))
    assert "\n" not in str(error.value)
    assert str(error.value).startswith(str(tmp_path / "records.jsonl"))


UNREADABLE: dict[str, tuple[Callable[[Record], None], str]] = {
    "unknown variant": (_set("variant", "pedo"), r"line 2, unknown variant 'pedo' \(did you mean 'pedro'"),
    "unknown option": (_set("options", {"slamm": True}), r"line 2, 'pedro' has no option 'slamm'"),
    "option of a wrong type": (_set("options", {"slam": 1}), r"line 2, option 'slam' cannot be 1"),
    "field missing": (lambda r: r.pop("pack"), r"line 2: the field 'pack' is missing"),
    "field of a wrong type": (_set("seed", "7"), r"line 2: the field 'seed' has the wrong type \(str\)"),
    "true for a number": (_set("deal", True), r"line 2: the field 'deal' has the wrong type \(bool\)"),
    "step's field missing": (lambda r: r["steps"][2].pop("seat"), r"line 2, step 3: the field 'seat' is missing"),
    "step that is none": (lambda r: r["steps"].insert(0, 7), r"line 2, step 1: expected a JSON object, found int"),
    "legal of a wrong type": (_change_step(1, legal=[["pass"]]), r"line 2, step 1: 'legal' must be a list of actions"),
    "scores of a wrong type": (_set("scores_before", [0.0, 0]), r"line 2: 'scores_before' must be a list of whole"),
    "scores of a wrong number": (_set("scores_before", [0]), r"line 2, the deal cannot be set up: scores must be 2"),
    "score out of range": (_set("scores_before", [0, 10**9]), r"line 2, the deal cannot be set up"),
    "no such seat": (_set("dealer", 4), r"line 2, the deal cannot be set up: dealer must be a seat from 0 to 3"),
    "card twice": (lambda r: r["pack"].__setitem__(0, r["pack"][1]), r"line 2, the deal cannot be set up: the pack"),
    "card that is none": (lambda r: r["pack"].__setitem__(0, "10S"), r"line 2, the deal cannot be set up: '10S' is"),
    "pack of numbers": (lambda r: r["pack"].__setitem__(0, [1]), r"line 2: 'pack' must be a list of cards"),
    "match out of range": (_set("match", 10**30), r"line 2, the deal cannot be set up"),
}


@pytest.mark.parametrize("name", UNREADABLE)
def test_what_cannot_be_set_up_is_one_line(name: str, records: list[Record], tmp_path: Path) -> None:
    change, message = UNREADABLE[name]
    changed = copy.deepcopy(records)
    change(changed[1])
    with pytest.raises(RecordError, match=message) as error:
        replayed(written(tmp_path, changed))
    assert not isinstance(error.value, Difference)
    assert "\n" not in str(error.value)


def test_a_truncated_file(records: list[Record], tmp_path: Path) -> None:
    path = written(tmp_path, records)
    path.write_bytes(path.read_bytes()[:-200])
    with pytest.raises(RecordError, match=rf"line {len(records)}: not a JSON object"):
        replayed(path)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "holds no records"),
        (b"\n\n", "holds no records"),
        (b"\x80\x81", "not a text file in UTF-8"),
        (b"[1, 2]\n", "line 1: expected a JSON object, found list"),
        (b"variant,options\n", "line 1: not a JSON object"),
        (b'{"variant": "pedro"}\n', "line 1: the field 'options' is missing"),
        (b"[" * 100_000, "line 1: not a JSON object"),
        (b"9" * 10_000, "line 1: "),
    ],
)
def test_foreign_files(data: bytes, message: str, tmp_path: Path) -> None:
    path = tmp_path / "foreign.jsonl"
    path.write_bytes(data)
    with pytest.raises(RecordError, match=message):
        replayed(path)


# --- from one deal of a match to the next


def test_scores_must_be_carried_over(records: list[Record], tmp_path: Path) -> None:
    changed = copy.deepcopy(records)
    for name in ("scores_before", "scores_after"):
        changed[1][name] = [changed[1][name][0] + 1, changed[1][name][1]]
    path = written(tmp_path, changed)
    with pytest.raises(Difference, match=r"line 2, after deal 0 of match 0: scores_before by the rules"):
        replayed(path)
    assert replayed(path, linked=False) == len(records)


def test_a_deal_that_is_missing(records: list[Record], tmp_path: Path) -> None:
    path = written(tmp_path, [records[0], *records[2:]])
    with pytest.raises(Difference, match=r"line 2, after deal 0 of match 0: deal 2 follows instead of 1"):
        replayed(path)
    assert replayed(path, linked=False) == len(records) - 1


def test_two_tables_with_the_same_packs(records: list[Record], tmp_path: Path) -> None:
    table = [record for record in records if record["match"] == 0]
    assert replayed(written(tmp_path, [*table, *table])) == 2 * len(table)
    assert replayed(written(tmp_path, [table[0], table[0]])) == 2


def test_nothing_follows_the_end_of_a_match(tmp_path: Path) -> None:
    records = list(random_records("pedro", {"target": 1}, matches=2, seed=3))
    last = next(record for record in records if record["winner"] is not None)
    late = records[-1] | {"match": last["match"], "deal": last["deal"] + 1}
    with pytest.raises(Difference, match=r"line 2, after deal \d+ of match 0: the match is over, but deal \d+ follows"):
        replayed(written(tmp_path, [last, late]))
