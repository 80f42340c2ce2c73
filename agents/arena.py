"""Duplicate evaluation: every pack and dealer is played twice, with the sides exchanged.

A *pair* is two tables with the same match number, hence the same packs and first dealer: agent A has seats 0, 2, … at
one table and seats 1, 3, … at the other, agent B the rest. What luck gives a side at one table it gives the other side
at the other, so the pair's mean is the observation, and intervals are clustered by pair (``statistics.py``).

Work is split into units of ``UNIT`` pairs that depend on nothing but their number, so that all numbers are
bit-identical whatever the number of processes, and the first deals of a long evaluation are those of a short one.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, fields
from functools import cached_property, lru_cache
from typing import Any, Literal, TypeAlias

import numpy as np

from agents import statistics
from agents.errors import AgentError
from agents.registry import make_agent
from agents.sequential import Measure, Rule
from agents.statistics import Estimate
from agents.workers import run_tasks
from pedro_env.actions import PASS, Phase
from pedro_env.agent import Agent
from pedro_env.cards import N_SUITS, NONE
from pedro_env.cardset import ONE
from pedro_env.engine import Batch
from pedro_env.record import Record, Recorder
from pedro_env.rules import Rules, Teams
from pedro_env.typing import BoolArray, FloatArray, Int64Array, IntArray
from pedro_env.views import Views

UNIT = 500
"""Pairs in a unit of work where nothing else is said: 1,000 tables advance together."""

Episode: TypeAlias = Literal["deal", "match"]
AgentSource: TypeAlias = "str | Callable[[Rules], Agent]"
"""How an agent is addressed, or a function that builds it (a picklable one where there are several processes)."""


@dataclass
class Tally:
    """What one agent did, summed over deals; whole numbers, so that sums are exact in any order."""

    deals: int = 0
    """Deals that were played (a redeal is not)."""
    turns: int = 0
    """Its turns in auctions in which it had the choice between a pass and a bid, of all its seats."""
    bids: int = 0
    """Turns in which it bid rather than passed."""
    declared: int = 0
    """Deals in which one of its seats was the declarer."""
    bid_points: int = 0
    """Points promised in those, together."""
    made: int = 0
    points: int = 0
    """Points taken, of all its sides."""
    sides: int = 0
    """Sides that these are the points of: one a deal where there are partners."""
    named: tuple[int, ...] = (0,) * N_SUITS
    """Deals declared in each suit (S H D C)."""
    forfeits: int = 0
    """Deals that it forfeited (``agents.process``): they were played on at random."""

    def add(self, other: Tally) -> None:
        """Add another tally to this one."""
        for field in fields(self):
            mine, its = getattr(self, field.name), getattr(other, field.name)
            total = tuple(map(sum, zip(mine, its, strict=True))) if isinstance(mine, tuple) else mine + its
            setattr(self, field.name, total)

    def rates(self) -> dict[str, Any]:
        """The figures that people read; None where there was nothing to count."""

        def share(part: float, whole: int) -> float | None:
            return part / whole if whole else None

        return {
            "deals": self.deals,
            "declared": share(self.declared, self.deals),
            "bid_rate": share(self.bids, self.turns),
            "mean_bid": share(self.bid_points, self.declared),
            "made": share(self.made, self.declared),
            "set": share(self.declared - self.made, self.declared),
            "points_taken": share(self.points, self.sides),
            "named_suits": [share(count, sum(self.named)) for count in self.named],
            "forfeits": self.forfeits,
        }


@dataclass
class Duel:
    """All pairs of one pairing. Arrays are ``(pairs, 2)``: A in seats 0, 2, …; then A in seats 1, 3, …

    From ``play_seated`` they are ``(pairs, tables)``, a column a seating, and A and B are the two parties.
    """

    difference: FloatArray
    """A's score change minus B's, over all deals at the table."""
    deals: Int64Array
    """Deals at the table; a redeal counts as one, with difference 0."""
    wins: FloatArray
    """1 where A won the match, 0 where B did, 0.5 where nobody did. Says nothing for single deals."""
    redeals: int
    tallies: tuple[Tally, Tally]
    records: list[Record]
    """Game records, pair by pair, where they were asked for."""

    @property
    def pairs(self) -> int:
        """How many there are."""
        return len(self.deals)

    def values(self, measure: Measure) -> tuple[FloatArray, FloatArray]:
        """Two values a pair, ``(pairs,)`` each: the measure is the ratio of their sums."""
        if measure == "points":
            return self.difference.mean(axis=1), self.deals.mean(axis=1)
        return self.wins.mean(axis=1), np.ones(len(self.wins))

    @cached_property
    def points(self) -> Estimate:
        """A's points a deal over B's."""
        return statistics.ratio_estimate(*self.values("points"))

    @cached_property
    def win_rate(self) -> Estimate:
        """The share of matches that A wins; a match without a winner counts half."""
        return statistics.rate_estimate(self.values("win_rate")[0])

    @property
    def pushes(self) -> int:
        """Pairs in which both agents did equally well."""
        return int((self.difference.sum(axis=1) == 0).sum())

    @property
    def deviation(self) -> float | None:
        """The standard deviation of a pair's mean score difference."""
        return float(self.difference.mean(axis=1).std(ddof=1)) if len(self.difference) > 1 else None


@dataclass(frozen=True)
class Task:
    """One unit of work."""

    pairing: int
    a: AgentSource
    b: AgentSource
    rules: Rules
    seed: int
    episode: Episode
    first: int
    """The first match number."""
    pairs: int
    record_options: Mapping[str, Any] | None


def play_duplicate(
    agent_a: AgentSource,
    agent_b: AgentSource,
    rules: Rules,
    deals: int,
    seed: int = 0,
    episode: Episode = "deal",
    workers: int = 1,
) -> Duel:
    """Play ``deals`` duplicate deals (or duplicate matches) between two agents.

    Raises ``AgentError`` where an agent cannot be made.
    """
    return play_pairings([(agent_a, agent_b)], rules, deals, seed, episode, workers)[0]


class Interrupted(KeyboardInterrupt):
    """Ctrl-C in ``play_pairings``. Nothing of a result has been seen then, so what is known is as good as any."""

    def __init__(self, duels: list[Duel]) -> None:
        super().__init__()
        self.duels = duels
        """The pairs that had been played, always the first ones; of the last pairings perhaps none."""


def play_pairings(
    pairings: Sequence[tuple[AgentSource, AgentSource]],
    rules: Rules,
    deals: int,
    seed: int = 0,
    episode: Episode = "deal",
    workers: int = 1,
    on_progress: Callable[[int], None] = lambda pairs: None,
    on_records: Callable[[list[Record]], None] | None = None,
    record_options: Mapping[str, Any] | None = None,
    stops: Sequence[Rule] = (),
    unit: int = UNIT,
) -> list[Duel]:
    """As ``play_duplicate`` for several pairings; all of them play the same packs.

    ``on_progress`` is called with the number of pairs that have been played since the last call, ``on_records`` (if
    given) with the records of their deals, in the order of pairings and pairs; ``record_options`` are the variant's
    options as they shall stand in them. ``stops``, where there are any, has a new rule for each pairing, which may end
    it before ``deals``, after a whole ``unit`` of pairs. Ctrl-C raises ``Interrupted``, with what is known.
    """
    options = None if on_records is None else dict(record_options or {})
    units: list[list[Duel]] = [[] for _ in pairings]
    decided: set[int] = set()
    begun: deque[Task] = deque()

    def tasks() -> Iterator[Task]:
        for pairing, (a, b) in enumerate(pairings):
            for first in range(0, deals, unit):
                if pairing in decided:
                    break
                begun.append(Task(pairing, a, b, rules, seed, episode, first, min(unit, deals - first), options))
                yield begun[-1]

    workers = min(workers, len(pairings) * -(-deals // unit))
    # A new cache for every call: what a path leads to may change between calls.
    function = _UnitPlayer() if workers <= 1 else _play_in_worker
    try:
        with closing(run_tasks(function, tasks(), workers)) as results:
            for duel in results:
                task = begun.popleft()
                if task.pairing in decided:  # begun before that was known
                    continue
                if on_records is not None:
                    on_records(duel.records)
                    duel.records = []
                units[task.pairing].append(duel)
                if stops and stops[task.pairing].add(*duel.values(stops[task.pairing].measure)):
                    decided.add(task.pairing)
                on_progress(task.pairs)
    except KeyboardInterrupt:
        raise Interrupted([join_units(parts) for parts in units]) from None
    return [join_units(parts) for parts in units]


class _UnitPlayer:
    """Plays units, and keeps the agents for the next one."""

    def __init__(self) -> None:
        self.agents: dict[tuple[int, AgentSource, Rules], Agent] = {}

    def __call__(self, task: Task) -> Duel:
        # Two instances even where an agent plays itself: an agent may keep state.
        agents = [self._agent(side, source, task.rules) for side, source in enumerate((task.a, task.b))]
        matches = np.arange(task.first, task.first + task.pairs)
        return play_unit(agents[0], agents[1], task.rules, matches, task.seed, task.episode, task.record_options)

    def _agent(self, side: int, source: AgentSource, rules: Rules) -> Agent:
        key = (side, source, rules)
        if key not in self.agents:
            self.agents[key] = make_agent(source, rules) if isinstance(source, str) else source(rules)
        return self.agents[key]


@lru_cache(maxsize=1)
def _worker_player() -> _UnitPlayer:
    return _UnitPlayer()


def _play_in_worker(task: Task) -> Duel:
    """A worker process lives for one call of ``play_pairings``, and so does what it keeps."""
    return _worker_player()(task)


def play_unit(
    a: Agent,
    b: Agent,
    rules: Rules,
    matches: Int64Array,
    seed: int,
    episode: Episode = "deal",
    record_options: Mapping[str, Any] | None = None,
) -> Duel:
    """Play the pairs of some match numbers, all tables at once; with records where ``record_options`` are given."""
    parity = np.arange(rules.seats) % 2
    return play_seated((a, b), (0, 1), [parity, 1 - parity], rules, matches, seed, episode, record_options)


def play_seated(
    agents: Sequence[Agent],
    party: Sequence[int],
    seatings: Sequence[IntArray],
    rules: Rules,
    matches: Int64Array,
    seed: int,
    episode: Episode = "deal",
    record_options: Mapping[str, Any] | None = None,
) -> Duel:
    """Play each match number once with every seating, all tables at once.

    A seating is ``(seats,)``: the number of the agent in each seat. ``party`` has 0 or 1 for each agent; differences,
    wins and tallies are those of party 0 over party 1. The seats of a side belong to one party, and both parties have
    a side at every table.
    """
    return _Unit(agents, party, seatings, rules, matches, seed, episode, record_options).play()


class _Unit:
    """Seatings × pairs tables: first all matches with the first seating, then the same deals with the next."""

    def __init__(
        self,
        agents: Sequence[Agent],
        party: Sequence[int],
        seatings: Sequence[IntArray],
        rules: Rules,
        matches: Int64Array,
        seed: int,
        episode: Episode,
        record_options: Mapping[str, Any] | None,
    ) -> None:
        self.agents = agents
        self.rules = rules
        self.whole_match = episode == "match"
        self.batch = Batch(rules, seed=seed, matches=np.tile(matches, len(seatings)), validate=False)
        n = self.batch.n
        self.tables = len(seatings)  # of a pair
        self.party = party
        self.holder = np.repeat(seatings, len(matches), axis=0)  # (n, seats) the number of the agent in each seat
        self.seat_party = np.asarray(party)[self.holder]  # (n, seats) 0: A's seat, 1: B's
        self.side_party = self.seat_party[:, : rules.sides]  # a side's number is that of its lowest seat
        self.difference = np.zeros(n)
        self.deals = np.zeros(n, np.int64)
        self.wins = np.full(n, 0.5)
        self.redeals = 0
        self.tallies = (Tally(), Tally())
        self.recorder = None if record_options is None else Recorder(self.batch, record_options)
        self.records: list[list[Record]] = [[] for _ in range(n)]

    def play(self) -> Duel:
        rows = np.arange(self.batch.n)
        before = self._forfeits()
        self._reset(rows)
        while len(rows):
            self._step(rows)
            finished = rows[self.batch.over[rows]]
            if len(finished):
                self._book(finished)
                self._go_on(finished)
                rows = rows[~self.batch.over[rows]]
        for party, first, last in zip(self.party, before, self._forfeits(), strict=True):
            self.tallies[party].forfeits += last - first
        return Duel(
            self._by_pair(self.difference),
            self._by_pair(self.deals),
            self._by_pair(self.wins),
            self.redeals,
            self.tallies,
            [record for pair in self._by_pair(np.arange(self.batch.n)) for row in pair for record in self.records[row]],
        )

    def _forfeits(self) -> list[int]:
        """Deals that each agent has forfeited so far."""
        return [getattr(agent, "forfeits", 0) for agent in self.agents]

    def _step(self, rows: IntArray) -> None:
        batch = self.batch
        who = self.holder[rows, batch.to_act[rows]]
        choosing = self._may_pass(rows)
        actions = np.empty(len(rows), np.int64)
        for i, agent in enumerate(self.agents):
            mine = who == i
            if not mine.any():
                continue
            actions[mine] = _legal_actions(agent, batch.views(rows[mine], sees_everything=agent.sees_everything))
            turns = mine & choosing
            tally = self.tallies[self.party[i]]
            tally.turns += int(turns.sum())
            tally.bids += int((actions[turns] > PASS).sum())
        if self.recorder is not None:
            self.recorder.before_step(actions, rows)
        batch.step(actions, rows)

    def _may_pass(self, rows: IntArray) -> BoolArray:
        """Where a seat has the choice between a pass and a bid."""
        words = self.batch.legal()[rows]
        may_pass = (words & self.batch.tables.action_words[PASS]).any(axis=1) & (self.batch.phase[rows] == Phase.BID)
        return may_pass & (np.bitwise_count(words).sum(axis=1) > 1)

    def _go_on(self, finished: IntArray) -> None:
        """Begin the next deal at the tables whose match is not over."""
        if self.whole_match:
            more = finished[~self.batch.match_over[finished]]
            if len(more):
                self.batch.next_deal(more)
                self._reset(more)

    def _reset(self, rows: IntArray) -> None:
        for agent in self.agents:
            reset = getattr(agent, "reset", None)
            if reset is not None:
                reset(rows)

    def _book(self, rows: IntArray) -> None:
        """Write down what happened in deals that are over."""
        state = self.batch.state
        change = state.score_change[rows].astype(np.float64)
        is_b = self.side_party[rows] == 1
        self.difference[rows] += _mean_where(change, ~is_b) - _mean_where(change, is_b)
        self.deals[rows] += 1
        self.redeals += int(state.redeal[rows].sum())
        winner = state.winner[rows]
        won = rows[winner != NONE]
        self.wins[won] = 1 - self.side_party[won, winner[winner != NONE]]
        played = rows[~state.redeal[rows]]
        made = made_bids(self.batch, played)
        for i, tally in enumerate(self.tallies):
            tally.add(self._tally(played, made, i))
        if self.recorder is not None:
            for row in rows.tolist():
                names = [self.agents[holder].name for holder in self.holder[row]]
                self.records[row].append(self.recorder.finish(row) | {"agents": names})

    def _tally(self, rows: IntArray, made: BoolArray, party: int) -> Tally:
        state, tables = self.batch.state, self.batch.tables
        declares = self.seat_party[rows, state.declarer[rows]] == party
        own_sides = self.side_party[rows] == party
        declared = rows[declares]
        return Tally(
            deals=len(rows),
            declared=len(declared),
            bid_points=int(tables.bid_numbers[state.contract[declared]].sum()),
            made=int(made[declares].sum()),
            points=int(state.points[rows][own_sides].sum()),
            sides=int(own_sides.sum()),
            named=tuple(np.bincount(state.trump[declared], minlength=N_SUITS).tolist()),
        )

    def _by_pair(self, values: Any) -> Any:
        """``(tables × pairs,)`` to ``(pairs, tables)``."""
        return values.reshape(self.tables, -1).T


def made_bids(batch: Batch, rows: IntArray) -> BoolArray:
    """``(k,)`` whether the declarers of deals that are over, and no redeals, made their bids."""
    state, tables = batch.state, batch.tables
    declarer = state.declarer[rows]
    side = tables.side_of[declarer]
    if batch.rules.teams is Teams.CALLED:  # the declarer's side is more than one score: see what it was given
        return state.score_change[rows, side] >= 0
    return state.points[rows, side] >= tables.bid_numbers[state.contract[rows]]


def _legal_actions(agent: Agent, views: Views) -> Int64Array:
    """What an agent chooses; ``AgentError`` that names it where that is not a legal action for each decision."""
    actions = np.asarray(agent.act(views))
    if actions.shape != (len(views),) or actions.dtype.kind not in "iu":
        raise AgentError(
            f"{agent.name} answered {len(views)} decisions with an array of shape {actions.shape} and type "
            f"{actions.dtype}; it takes one whole number each"
        )
    inside = (actions >= 0) & (actions < views.actions.n)
    place = np.where(inside, actions, 0).astype(np.int64)
    legal = inside & (views.legal[np.arange(len(place)), place // 64] >> (place % 64).astype(np.uint64) & ONE == ONE)
    if not legal.all():
        worst = int(legal.argmin())
        names = [views.actions.names[a] for a in np.flatnonzero(views.mask[worst])]
        raise AgentError(
            f"{agent.name} chose action {actions[worst]}, which is not legal, in the phase "
            f"{Phase(views.phase[worst]).word!r} of match {views.match[worst]}, deal {views.deal[worst]}; legal are "
            f"{', '.join(names)}"
        )
    return place


def _mean_where(values: FloatArray, where: BoolArray) -> FloatArray:
    return (values * where).sum(axis=1) / where.sum(axis=1)


def join_units(units: list[Duel]) -> Duel:
    """The pairs of several units, in order, as one result."""
    tallies = (Tally(), Tally())
    if not units:
        nothing = np.zeros((0, 2))
        return Duel(nothing, nothing.astype(np.int64), nothing, 0, tallies, [])
    for unit in units:
        for total, part in zip(tallies, unit.tallies, strict=True):
            total.add(part)
    return Duel(
        np.concatenate([unit.difference for unit in units]),
        np.concatenate([unit.deals for unit in units]),
        np.concatenate([unit.wins for unit in units]),
        sum(unit.redeals for unit in units),
        tallies,
        [record for unit in units for record in unit.records],
    )
