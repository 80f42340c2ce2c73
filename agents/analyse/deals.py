"""From records to positions: deals are played again side by side, and the position before every decision is kept."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from pedro_env.actions import Phase
from pedro_env.cards import parse_card
from pedro_env.engine import Batch
from pedro_env.record import Difference, Record, RecordError
from pedro_env.rules import RulesError
from pedro_env.typing import Int64Array, IntArray
from pedro_env.variants import make_rules


class Played(NamedTuple):
    """n recorded deals of one game, and their N decisions: deal by deal, in their order."""

    start: Batch
    """n deals, before the first decision."""
    end: Batch
    """The same, at their end."""
    before: Batch
    """N positions, each before a decision."""
    deal: Int64Array
    """``(N,)`` the deal that a decision belongs to."""
    step: Int64Array
    """``(N,)`` its number in that deal, from 0."""
    action: Int64Array
    """``(N,)`` what was chosen."""


def play_again(records: Sequence[Record], where: Sequence[str]) -> Played:
    """Play records of one game (variant, options and seed); what is legal at a step need not stand in them.

    ``where`` says for messages where each record stands. Raises ``RecordError``, one line, where a deal cannot be set
    up, and ``Difference`` where a record is not what the rules say.
    """
    batch = _set_up(records, where)
    start = batch.copy()
    lengths = np.array([len(record["steps"]) for record in records])
    first = lengths.cumsum() - lengths
    deal = np.repeat(np.arange(len(records)), lengths)
    before = batch.take(deal)
    action = np.zeros(len(deal), np.int64)
    for number in range(lengths.max(initial=0)):
        rows = np.flatnonzero(lengths > number)
        chosen = _actions(batch, rows, records, number, where)
        before.state.put(first[rows] + number, batch.state.take(rows))
        action[first[rows] + number] = chosen
        batch.step(chosen, rows)
    _compare_ends(batch, records, where)
    return Played(start, batch, before, deal, np.arange(len(deal)) - first[deal], action)


def _set_up(records: Sequence[Record], where: Sequence[str]) -> Batch:
    first = records[0]
    try:
        rules = make_rules(first["variant"], first["options"])
    except RulesError as error:
        raise RecordError(f"{where[0]}: {error}") from None
    for record, place in zip(records, where, strict=True):
        for name in ("match", "deal"):
            if not 0 <= record[name] < 2**63:
                raise RecordError(f"{place}: {name!r} must be from 0 to {2**63 - 1}, not {record[name]}")
    batch = Batch(rules, first["seed"], [record["match"] for record in records])
    for row, record in enumerate(records):
        batch.state.deal[row] = record["deal"]
        try:
            pack = [parse_card(name) for name in record["pack"]]
            batch.set_position(row, pack, record["dealer"], record["scores_before"])
        except ValueError as error:
            raise RecordError(f"{where[row]}: the deal cannot be set up: {error}") from None
    return batch


def _actions(batch: Batch, rows: IntArray, records: Sequence[Record], number: int, where: Sequence[str]) -> Int64Array:
    """``(k,)`` the actions of one step, each of which is legal and the turn of the seat that took it."""
    names, ids = batch.actions.names, batch.actions.ids
    chosen = np.full(len(rows), -1)
    for k, row in enumerate(rows.tolist()):
        step = records[row]["steps"][number]
        phase = Phase(batch.phase[row])
        found = {"phase": phase.word, "seat": int(batch.to_act[row])}
        for what, by_rules in found.items():
            if by_rules != step[what]:
                raise Difference(f"{where[row]}, step {number + 1}: {what} by the rules {by_rules}, here {step[what]}")
        chosen[k] = ids.get((phase in (Phase.BID, Phase.DARK), step["action"]), -1)
    legal = batch.are_legal(chosen, rows)
    if not legal.all():
        row = int(rows[legal.argmin()])
        allowed = ", ".join(names[a] for a in np.flatnonzero(batch.mask(np.array([row]))[0]))
        action = records[row]["steps"][number]["action"]
        raise Difference(f"{where[row]}, step {number + 1}: {action} is not legal; legal are {allowed}")
    return chosen


def _compare_ends(batch: Batch, records: Sequence[Record], where: Sequence[str]) -> None:
    for row, record in enumerate(records):
        if not batch.over[row]:
            raise Difference(f"{where[row]}: the record ends after step {len(record['steps'])}, but the deal goes on")
        for name in ("points", "score_change"):
            by_rules = getattr(batch.state, name)[row].tolist()
            if by_rules != record[name]:
                raise Difference(f"{where[row]}: {name} by the rules {by_rules}, here {record[name]}")
