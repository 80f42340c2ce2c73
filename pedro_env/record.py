"""Game records (RULES 5): one JSON object a deal, one deal a line. Writing, reading, replaying.

``replay`` plays a record's actions on the engine and compares seat, phase, legal set and every score, so that a
record of any other engine can be checked against this one.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias, cast

import numpy as np

from pedro_env.actions import Phase
from pedro_env.cards import NONE, card_name, parse_card
from pedro_env.deals import uniform
from pedro_env.engine import Batch, IllegalAction
from pedro_env.rules import RulesError
from pedro_env.typing import IntArray
from pedro_env.variants import essential_options, make_rules

Record: TypeAlias = dict[str, Any]
"""One deal, with the fields of RULES 5."""

_RANDOM_STREAM = 0x72616E646F6D

_FIELDS: dict[str, type | tuple[type, ...]] = {
    "variant": str,
    "options": dict,
    "seed": int,
    "match": int,
    "deal": int,
    "dealer": int,
    "scores_before": list,
    "pack": list,
    "steps": list,
    "points": list,
    "score_change": list,
    "scores_after": list,
    "winner": (int, type(None)),
}
_STEP_FIELDS: dict[str, type] = {"seat": int, "phase": str, "legal": list, "action": str}


class RecordError(ValueError):
    """A file or a record that cannot be read: where, what is wrong and what would be right."""


class Difference(RecordError):
    """A record that the rules do not agree with: the first place where it differs."""


class Recorder:
    """Keeps the records of a batch's deals while it is played.

    Call ``before_step`` with the actions that are about to be taken, and ``finish`` for rows whose deal is over.
    """

    def __init__(self, batch: Batch, options: Mapping[str, Any] | None = None) -> None:
        """``options`` are the variant's options that the batch is played with; records hold those that change it."""
        self._batch = batch
        self._options = essential_options(batch.rules.variant, options) if options else {}
        self._open: list[Record | None] = [None] * batch.n

    def before_step(self, actions: IntArray, rows: IntArray | None = None) -> None:
        """Note the decisions that are about to be taken: ``(k,)`` actions for ``rows`` (default: all not over)."""
        batch = self._batch
        if rows is None:
            rows = np.flatnonzero(~batch.over)
            actions = np.asarray(actions)[rows]
        masks = batch.mask(rows)
        names = batch.actions.names
        places: list[int] = rows.tolist()
        for row, action, mask in zip(places, np.asarray(actions).tolist(), masks, strict=True):
            record = self._open[row]
            if record is None:
                record = self._open[row] = self._begin(row)
            record["steps"].append(
                {
                    "seat": int(batch.to_act[row]),
                    "phase": Phase(batch.phase[row]).word,
                    "legal": [names[a] for a in np.flatnonzero(mask).tolist()],
                    "action": names[action],
                }
            )

    def finish(self, row: int) -> Record:
        """The record of a deal that is over."""
        state, record = self._batch.state, self._open[row]
        if record is None:
            record = self._begin(row)
        self._open[row] = None
        winner = int(state.winner[row])
        record |= {
            "points": state.points[row].tolist(),
            "score_change": state.score_change[row].tolist(),
            "scores_after": state.scores[row].tolist(),
            "winner": None if winner == NONE else winner,
        }
        return record

    def _begin(self, row: int) -> Record:
        batch, state = self._batch, self._batch.state
        return {
            "variant": batch.rules.variant,
            "options": self._options,
            "seed": batch.seed,
            "match": int(state.match[row]),
            "deal": int(state.deal[row]),
            "dealer": int(state.dealer[row]),
            "scores_before": state.scores[row].tolist(),
            "pack": [card_name(card) for card in state.pack[row].tolist()],
            "steps": [],
        }


def random_records(variant: str, options: Mapping[str, Any], matches: int, seed: int) -> Iterator[Record]:
    """The records of some matches played by uniformly random legal actions, match by match and deal by deal."""
    rules = make_rules(variant, options)
    for first in range(0, matches, _MATCHES_AT_ONCE):
        batch = Batch(rules, seed, np.arange(first, min(first + _MATCHES_AT_ONCE, matches)), validate=False)
        recorder = Recorder(batch, options)
        records: list[list[Record]] = [[] for _ in range(batch.n)]
        while True:
            over = np.flatnonzero(batch.over & ~batch.match_over)
            if len(over):
                batch.next_deal(over)
            rows = np.flatnonzero(~batch.over)
            if not len(rows):
                break
            actions = random_actions(batch, rows)
            recorder.before_step(actions, rows)
            batch.step(actions, rows)
            finished: list[int] = rows[batch.over[rows]].tolist()
            for row in finished:
                records[row].append(recorder.finish(row))
        for match in records:
            yield from match


_MATCHES_AT_ONCE = 64


def random_actions(batch: Batch, rows: IntArray) -> IntArray:
    """``(k,)`` uniformly random legal actions: a hash of seed, match, deal, seat and decision, as agents' are."""
    state = batch.state
    draws = uniform(
        batch.seed, _RANDOM_STREAM, (state.match[rows], state.deal[rows], state.to_act[rows], state.decision[rows])
    )
    mask = batch.mask(rows)
    nth = (draws * mask.sum(axis=1)).astype(np.int64)
    return (mask.cumsum(axis=1) > nth[:, None]).argmax(axis=1)


def write_line(record: Record) -> str:
    """A record as a line of a ``.jsonl`` file."""
    return json.dumps(record, ensure_ascii=False) + "\n"


def read_records(path: str | Path) -> Iterator[tuple[int, Record]]:
    """(line number, record) of a ``.jsonl`` file. Fields that are not known are ignored.

    Raises ``RecordError`` that names file, line and field.
    """
    try:
        with open(path, encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                if line.strip():
                    yield number, _parse(line, f"{path}, line {number}")
    except UnicodeDecodeError as error:
        raise RecordError(f"{path} is not a text file in UTF-8: {error.reason}") from None
    except OSError as error:
        raise RecordError(f"cannot read {path}: {error.strerror}") from None


def _parse(line: str, where: str) -> Record:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise RecordError(f"{where}: not a JSON object ({error})") from None
    _check_fields(record, _FIELDS, where)
    for name in ("scores_before", "points", "score_change", "scores_after"):
        _check_items(record[name], int, f"{where}: {name!r} must be a list of whole numbers")
    _check_items(record["pack"], str, f"{where}: 'pack' must be a list of cards")
    for number, step in enumerate(record["steps"], 1):
        _check_fields(step, _STEP_FIELDS, f"{where}, step {number}")
        _check_items(step["legal"], str, f"{where}, step {number}: 'legal' must be a list of actions")
    return record


def _check_items(values: list[Any], kind: type, message: str) -> None:
    if not all(type(value) is kind for value in values):
        raise RecordError(message)


def _check_fields(value: Any, fields: Mapping[str, type | tuple[type, ...]], where: str) -> None:
    if not isinstance(value, dict):
        raise RecordError(f"{where}: expected a JSON object, found {type(value).__name__}")
    found = cast(dict[str, Any], value)
    for name, kind in fields.items():
        if name not in found:
            raise RecordError(f"{where}: the field {name!r} is missing")
        if not isinstance(found[name], kind) or isinstance(found[name], bool):
            raise RecordError(f"{where}: the field {name!r} has the wrong type ({type(found[name]).__name__})")


def replay(record: Record) -> Batch:
    """Play a record on the engine and compare it at every step; returns the batch (of one game) at the deal's end.

    Raises ``Difference`` that says where the first difference is, ``RecordError`` where it cannot be set up.
    """
    batch = _set_up(record)
    names = batch.actions.names
    state = batch.state
    for number, step in enumerate(record["steps"], 1):
        where = f"step {number}"
        if batch.over[0]:
            raise Difference(f"{where}: the deal is over, but the record goes on")
        phase = Phase(batch.phase[0])
        _compare(where, "seat", int(batch.to_act[0]), step["seat"])
        _compare(where, "phase", phase.word, step["phase"])
        legal = [names[a] for a in np.flatnonzero(batch.mask()[0]).tolist()]
        if len(set(step["legal"])) != len(step["legal"]):
            raise Difference(f"{where}: the record's legal actions name one twice: {step['legal']}")
        _compare(where, "legal actions", sorted(legal), sorted(step["legal"]))
        try:
            batch.step(np.array([batch.actions.parse(step["action"], phase)]))
        except (IllegalAction, ValueError) as error:
            raise Difference(f"{where}: {error}") from None
    if not batch.over[0]:
        raise Difference(f"after step {len(record['steps'])}: the record ends, but the deal is not over")
    winner = int(state.winner[0])
    _compare("the end", "points", state.points[0].tolist(), record["points"])
    _compare("the end", "score_change", state.score_change[0].tolist(), record["score_change"])
    _compare("the end", "scores_after", state.scores[0].tolist(), record["scores_after"])
    _compare("the end", "winner", None if winner == NONE else winner, record["winner"])
    return batch


@dataclass(frozen=True)
class Replayed:
    """A record that the rules agree with."""

    record: Record
    batch: Batch
    """The one game, at the end of the deal."""
    new_match: bool
    """The record does not go on with the match of the one before it."""


def replay_all(records: Iterable[tuple[int, Record]], path: str | Path, *, linked: bool = True) -> Iterator[Replayed]:
    """Replay record after record, as ``read_records`` gives them; ``path`` is for messages.

    Where ``linked``, a record that goes on with the match of the one before it is compared with that, too: dealer and
    scores must follow, and no deal be missing. Raises as ``replay``, with file and line.
    """
    last: Replayed | None = None
    for line, record in records:
        try:
            batch = replay(record)
            goes_on = last is not None and _same_match(last.record, record)
            if last is not None and goes_on and linked:
                _compare_link(last, record)
        except RecordError as error:
            raise type(error)(f"{path}, line {line}, {error}") from None
        last = Replayed(record, batch, not goes_on)
        yield last
    if last is None:
        raise RecordError(f"{path} holds no records")


def _same_match(before: Record, record: Record) -> bool:
    """A deal number that does not rise is another table with the same packs."""
    same = all(before[name] == record[name] for name in ("variant", "options", "seed", "match"))
    return same and record["deal"] > before["deal"]


def _compare_link(last: Replayed, record: Record) -> None:
    expected = last.record["deal"] + 1
    where = f"after deal {last.record['deal']} of match {record['match']}"
    if last.batch.match_over[0]:
        raise Difference(f"{where}: the match is over, but deal {record['deal']} follows")
    if record["deal"] != expected:
        raise Difference(f"{where}: deal {record['deal']} follows instead of {expected} (replay --single allows it)")
    batch = last.batch.copy()
    batch.next_deal(np.array([0]))
    _compare(where, "dealer", int(batch.state.dealer[0]), record["dealer"])
    _compare(where, "scores_before", batch.state.scores[0].tolist(), record["scores_before"])


def _set_up(record: Record) -> Batch:
    try:
        rules = make_rules(record["variant"], record["options"])
        for name in ("match", "deal"):
            if not 0 <= record[name] < 2**63:
                raise ValueError(f"{name!r} must be a whole number from 0 to {2**63 - 1}, not {record[name]}")
        batch = Batch(rules, record["seed"], [record["match"]])
        batch.state.deal[0] = record["deal"]
        pack = [parse_card(name) for name in record["pack"]]
        batch.set_position(0, pack, record["dealer"], record["scores_before"])
    except RulesError as error:
        raise RecordError(str(error)) from None
    except (ValueError, OverflowError) as error:
        raise RecordError(f"the deal cannot be set up: {error}") from None
    return batch


def _compare(where: str, what: str, engine: Any, record: Any) -> None:
    if engine != record:
        raise Difference(f"{where}: {what} by the rules {engine}, in the record {record}")
