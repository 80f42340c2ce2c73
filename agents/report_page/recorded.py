"""Recorded deals of a report: played for it, move by move, and what they say of bids.

They are single deals from 0–0, the first of the evaluation's own packs; every pairing plays as many pairs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from agents.analyse.deals import play_again
from agents.arena import made_bids, play_pairings
from agents.progress import Progress
from agents.report import as_figures
from agents.report_page.contest import Contest
from agents.statistics import ratio_estimate, with_rate_interval
from pedro_env.cards import NONE
from pedro_env.record import Record
from pedro_env.typing import BoolArray, FloatArray, Int64Array

DEALS = 600
"""How many are recorded where ``--report-deals`` does not say."""

ALL = "all"
"""In place of a bid's number: all bids together."""


class Recorded(NamedTuple):
    """n deals; columns are ``(n,)``."""

    records: list[Record]
    entrants: list[str]
    """The names of all entrants, in their order."""
    seats: Int64Array
    """``(n, seats)`` the number of the entrant in each seat."""
    match: Int64Array
    """The match number: deals of one match number, of whatever pairing and table, are one observation."""
    declarer: Int64Array
    """Its seat; -1 in a redeal."""
    bid: Int64Array
    """The points that it promised."""
    made: BoolArray
    taken: Int64Array
    """The points of its side."""

    @property
    def declares(self) -> Int64Array:
        """``(n,)`` the number of the entrant that declares; -1 in a redeal."""
        return np.where(self.declarer == NONE, NONE, self.seats[np.arange(len(self.seats)), self.declarer])

    def mean(self, values: BoolArray | Int64Array | FloatArray, where: BoolArray) -> dict[str, Any]:
        """The mean of ``(n,)`` values over some deals, and its interval."""
        totals, counts = (np.bincount(self.match, column) for column in (values * where, where))
        return as_figures(ratio_estimate(totals[counts > 0], counts[counts > 0]))

    def rate(self, hits: BoolArray, where: BoolArray) -> dict[str, Any]:
        """The share of some deals, with Wilson's interval."""
        totals, counts = (np.bincount(self.match, column) for column in (hits & where, where))
        return as_figures(with_rate_interval(ratio_estimate(totals[counts > 0], counts[counts > 0])))


def record_deals(contest: Contest, deals: int) -> Recorded:
    """Play about so many deals (a pair for each pairing at least) and keep their records."""
    meetings = list(contest.meetings())
    pairs = max(1, deals // (2 * len(meetings)))
    records: list[Record] = []
    with Progress("pairs recorded", pairs * len(meetings)) as progress:
        play_pairings(
            [meeting.agents for meeting in meetings],
            contest.rules,
            pairs,
            contest.seed,
            workers=contest.workers,
            on_progress=progress.advance,
            on_records=records.extend,
            record_options=contest.options,
        )
    seat = np.arange(contest.rules.seats)
    tables = [np.where(seat % 2 == table, m.a, m.b) for m in meetings for _ in range(pairs) for table in (0, 1)]
    end = play_again(records, [f"deal {number} of the report" for number in range(1, len(records) + 1)]).end
    state, rows = end.state, np.flatnonzero(~end.state.redeal)
    declarer, bid, taken = np.full(end.n, NONE), np.zeros(end.n, np.int64), np.zeros(end.n, np.int64)
    made = np.zeros(end.n, np.bool_)
    declarer[rows] = state.declarer[rows]
    bid[rows] = end.tables.bid_numbers[state.contract[rows]]
    taken[rows] = state.points[rows, end.tables.side_of[declarer[rows]]]
    made[rows] = made_bids(end, rows)
    matches = np.array([record["match"] for record in records])
    return Recorded(records, contest.names, np.array(tables), matches, declarer, bid, made, taken)


def bid_rows(recorded: Recorded, extra: Mapping[str, tuple[Any, bool]]) -> list[dict[str, Any]]:
    """What came of every entrant's bids, by their number and (``bid`` ALL) together.

    ``extra`` names more columns ``(n,)``, and whether each is a share.
    """
    rows: list[dict[str, Any]] = []
    for number, name in enumerate(recorded.entrants):
        mine = recorded.declares == number
        for bid in (*np.unique(recorded.bid[mine]).tolist(), ALL):
            where = mine if bid == ALL else mine & (recorded.bid == bid)
            figures = {
                key: recorded.rate(values, where) if is_share else recorded.mean(values, where)
                for key, (values, is_share) in extra.items()
            }
            rows.append(
                {
                    "agent": name,
                    "bid": bid,
                    "deals": int(where.sum()),
                    "made": recorded.rate(recorded.made, where),
                    "points_taken": recorded.mean(recorded.taken, where),
                    **figures,
                }
            )
    return rows


def agents_of(recorded: Recorded) -> list[Sequence[str]]:
    """The name of the entrant in each seat of each deal."""
    return [[recorded.entrants[number] for number in deal] for deal in recorded.seats.tolist()]
