"""The loss of every decision of recorded deals, as columns; docs/analysis.md has the definitions.

    analysis = losses(records)
    analysis.decisions["loss"]      # (N,) score points that each decision cost its side
    analysis.deals["par"]           # (n,) what each deal was worth to side 0

Deals and decisions are in the order of the records. ``decisions`` has, each ``(N,)``:

- ``deal`` its record's number from 0; ``step`` its number in the deal from 0; ``seat``; ``place``: the seats from the
  dealer's left on are 0 … 3; ``role``: an index into ``ROLES``, by who declared in the end, -1 in a redeal; ``kind``:
  an index into ``KINDS``; ``phase``: a ``Phase``; ``trick`` from 0, -1 before the play;
- ``choices`` legal actions; ``action``; ``best`` the best action, the one chosen where that is as good as any;
- ``loss`` in score points of the deal; ``gain`` the value to its side less that of what the continuation would have
  done; ``points`` the loss in points taken (0 before the play); ``value`` the difference (``values``) the deal is worth
  after it. All are 0 where there was no choice, but for ``value``.

``deals`` has, each ``(n,)``: ``match``, ``deal``, ``dealer``, ``declarer``, ``contract``, ``trump`` (-1 in a redeal);
``result``, the difference it ended with; ``par`` and its contract ``par_bid``, ``par_seat``, ``par_suit``; ``makes_0``
and ``makes_1``, the highest number each side could bid and make; ``best_points``, the most that the declaring side
could take in any suit, by either seat, and ``named_points``, with the seat and suit that it was (-1 in a redeal); and
``auction``, ``naming``, ``exchange``, ``play``: ``par`` and these four add up to ``result``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

import numpy as np

from agents.analyse.deals import Played, play_again
from agents.analyse.par import Par, par
from agents.analyse.values import Alternatives, alternatives, difference
from agents.choice import count_legal
from agents.registry import make_agent
from agents.search.outcome import follow
from agents.search.scope import PHASES, check_rules
from agents.search.solver import solve
from pedro_env.actions import Phase
from pedro_env.agent import Agent
from pedro_env.cards import NONE
from pedro_env.record import Record
from pedro_env.typing import BoolArray, Int64Array, IntArray

CONTINUATION = "heuristic-1"
"""Who goes on after a decision before the play, where nothing else is said."""

KINDS = ("bidding", "naming", "exchange", "play")
ROLES = ("declarer", "partner", "defender")
STEPS = ("auction", "naming", "exchange", "play")
"""From par to the result of a deal."""

Columns: TypeAlias = "dict[str, Int64Array]"

_KIND_OF = np.full(Phase.OVER + 1, NONE)
_KIND_OF[[Phase.DARK, Phase.BID]] = 0
_KIND_OF[Phase.TRUMP] = 1
_KIND_OF[[Phase.GIVE, Phase.DISCARD, Phase.ROB]] = 2
_KIND_OF[[Phase.BURY, Phase.PLAY]] = 3


class Losses(NamedTuple):
    """What recorded deals say, as columns (the module's page lists them)."""

    decisions: Columns
    deals: Columns


class Study(NamedTuple):
    """Recorded deals of one game with everything that was found out about them."""

    played: Played
    losses: Losses
    par: Par
    others: Alternatives
    """Of the decisions before the play, by their rows."""


class _Values(NamedTuple):
    """What was found out about the positions of N decisions, where there was a choice."""

    before: Int64Array
    """``(N,)`` the difference, as the continuation goes on; where there was no choice, that of the next position."""
    after: Int64Array
    """``(N,)`` the same after the decision."""
    best: Int64Array
    """``(N,)`` the difference after the best action."""
    best_action: Int64Array
    points: Int64Array
    """``(N,)`` how many points, of those the declarer's side could take, the decision gave away: either side's."""


def losses(records: Sequence[Record], continuation: str = CONTINUATION) -> Losses:
    """Losses of records of any games; ``continuation`` names the agent that goes on after a decision before the play.

    Raises ``RecordError`` where a record does not follow the rules, ``AgentError`` where its game cannot be solved or
    the continuation cannot play it.
    """
    where = [f"record {number}" for number in range(len(records))]
    parts = [
        study([records[i] for i in rows], [where[i] for i in rows], continuation).losses for rows in same_game(records)
    ]
    return in_order(parts, same_game(records))


def same_game(records: Sequence[Record]) -> list[list[int]]:
    """The numbers of the records of each game (variant, options and seed), games as they first come up."""
    games: dict[str, list[int]] = {}
    for number, record in enumerate(records):
        game = repr((record["variant"], sorted(record["options"].items()), record["seed"]))
        games.setdefault(game, []).append(number)
    return list(games.values())


def in_order(parts: Sequence[Losses], numbers: Sequence[Sequence[int]]) -> Losses:
    """Losses of parts of the records, put into the records' order; ``numbers`` are those of each part's records."""
    number = np.concatenate([np.asarray(part, np.int64) for part in numbers])
    offsets = np.cumsum([0, *map(len, numbers)])
    deals = {name: np.concatenate([part.deals[name] for part in parts]) for name in parts[0].deals}
    decisions = {name: np.concatenate([part.decisions[name] for part in parts]) for name in parts[0].decisions}
    first = np.repeat(offsets[:-1], [len(part.decisions["deal"]) for part in parts])
    decisions["deal"] = number[decisions["deal"] + first]
    by_deal, by_decision = np.argsort(number), np.argsort(decisions["deal"], kind="stable")
    return Losses(
        {name: column[by_decision] for name, column in decisions.items()},
        {name: column[by_deal] for name, column in deals.items()},
    )


def study(records: Sequence[Record], where: Sequence[str], continuation: str = CONTINUATION) -> Study:
    """Everything about some records of one game. Raises as ``losses``; ``where`` names the records in messages."""
    played = play_again(records, where)
    rules = played.start.rules
    check_rules(rules)
    agent = make_agent(continuation, rules)
    state = played.before.state
    kind = _KIND_OF[state.phase]
    choices = count_legal(played.before.legal())
    others = alternatives(played.before, agent, np.flatnonzero((kind < 3) & (choices > 1)))
    values = _values(played, choices, others, agent)
    sign = 1 - 2 * played.start.tables.side_of[state.to_act]
    dealt = par(played.start, agent)
    playing = kind == 3
    decisions: dict[str, IntArray] = {
        "deal": played.deal,
        "step": played.step,
        "seat": state.to_act.astype(np.int64),
        "place": (state.to_act - state.dealer - 1) % rules.seats,
        "role": _roles(played),
        "kind": kind,
        "phase": state.phase.astype(np.int64),
        "trick": np.where(playing, state.trick, NONE),
        "choices": choices,
        "action": played.action,
        "best": values.best_action,
        "loss": sign * (values.best - values.after),
        "gain": sign * (values.after - values.before),
        "points": values.points,
        "value": values.after,
    }
    deals = _deals(played, dealt, values, kind)
    return Study(played, Losses(_whole(decisions), _whole(deals)), dealt, others)


def _whole(columns: dict[str, IntArray]) -> Columns:
    return {name: column.astype(np.int64) for name, column in columns.items()}


def _roles(played: Played) -> Int64Array:
    declarer = played.end.state.declarer[played.deal].astype(np.int64)
    seat = played.before.state.to_act
    role = np.where(seat == declarer, 0, np.where((seat - declarer) % 2 == 0, 1, 2))
    return np.where(played.end.state.redeal[played.deal], NONE, role)


def _values(played: Played, choices: Int64Array, others: Alternatives, agent: Agent) -> _Values:
    before, action = played.before, played.action
    n = before.n
    choosing = choices > 1
    playing = np.isin(before.phase, PHASES)
    value, points = np.zeros(n, np.int64), np.zeros(n, np.int64)

    early = np.flatnonzero(choosing & ~playing)
    usual = agent.act(before.views(early, sees_everything=agent.sees_everything)) if len(early) else action[:0]
    value[early] = _of(others, early, usual)

    late = np.flatnonzero(choosing & playing)
    best_late = action[late]
    if len(late):
        solution = solve(before, late)
        ended = before.take(late)
        follow(ended, np.arange(len(late)), solution.line)
        value[late], points[late], best_late = difference(ended.state), solution.value, solution.line[:, 0]

    side = played.before.tables.side_of[np.maximum(played.end.state.declarer, 0)]
    result = difference(played.end.state)
    taken = played.end.state.points[np.arange(played.end.n), side].astype(np.int64)
    value, after = _chain(played, choosing, value, result)
    points, points_after = _chain(played, choosing & playing, points, taken)
    points_after = np.where(choosing & playing, points_after, points)

    gave_away = np.where(_declarers_turn(played), 1, -1) * (points - points_after)
    best, best_action = value.copy(), action.copy()
    best[early], best_action[early] = _best(before.tables.side_of, before.to_act[early], others, early)
    best_action[late] = best_late
    as_good = np.where(playing, gave_away == 0, best == after)
    return _Values(value, after, best, np.where(as_good, action, best_action), gave_away)


def _declarers_turn(played: Played) -> BoolArray:
    """``(N,)`` whether the seat to act is on the side that declares in the end."""
    return (played.before.to_act - played.end.state.declarer[played.deal]) % 2 == 0


def _of(others: Alternatives, rows: IntArray, actions: IntArray) -> Int64Array:
    """``(k,)`` the value of one action of each of some positions."""
    wanted = np.repeat(-1, rows.max(initial=-1) + 1)
    wanted[rows] = actions
    return others.value[wanted[others.position] == others.action]


def _best(side_of: Int64Array, seats: IntArray, others: Alternatives, rows: IntArray) -> tuple[Int64Array, Int64Array]:
    """``(k,)`` the best value for the seat of each position, and the lowest action that has it."""
    first = np.searchsorted(others.position, rows)
    sign = np.repeat(1 - 2 * side_of[seats], np.diff([*first, len(others.position)]))
    gain = np.maximum.reduceat(sign * others.value, first) if len(rows) else others.value
    best = np.repeat(gain, np.diff([*first, len(others.position)])) == sign * others.value
    place = np.flatnonzero(best)
    _, lowest = np.unique(others.position[place], return_index=True)
    chosen = place[lowest]
    return others.value[chosen], others.action[chosen]


def _chain(played: Played, known: BoolArray, values: Int64Array, end: Int64Array) -> tuple[Int64Array, Int64Array]:
    """Values before and after every decision; what is not known is that of the next position, at last of the end."""
    n = len(values)
    place = np.where(known, np.arange(n), n)
    ends = np.append(played.deal[1:] != played.deal[:-1], True)
    following = np.minimum.accumulate(place[::-1])[::-1]
    last = np.flatnonzero(ends)
    in_deal = following <= last[np.searchsorted(last, np.arange(n))]
    before = np.where(in_deal, np.append(values, 0)[following], end[played.deal])
    return before, np.where(ends, end[played.deal], np.append(before[1:], 0))


def _deals(played: Played, dealt: Par, values: _Values, kind: IntArray) -> dict[str, IntArray]:
    state, t = played.end.state, played.start.tables
    rows = np.arange(played.end.n)
    none = state.redeal
    declarer, trump = np.where(none, NONE, state.declarer), np.where(none, NONE, state.trump)
    side = t.side_of[declarer]
    result = difference(state)
    best_points = np.where(t.side_of == side[:, None], dealt.points.max(axis=2), NONE).max(axis=1)
    steps = _steps(played, dealt.value, values, kind, result)
    return {
        "match": state.match.copy(),
        "deal": state.deal.copy(),
        "dealer": state.dealer.astype(np.int64),
        "declarer": declarer,
        "contract": np.where(none, NONE, state.contract),
        "trump": trump,
        "result": result,
        "par": dealt.value,
        "par_bid": dealt.bid,
        "par_seat": dealt.seat,
        "par_suit": dealt.suit,
        "makes_0": dealt.makes[:, 0],
        "makes_1": dealt.makes[:, 1],
        "best_points": np.where(none, NONE, best_points),
        "named_points": np.where(none, NONE, dealt.points[rows, declarer, trump]),
        **steps,
    }


def _steps(
    played: Played, par_value: Int64Array, values: _Values, kind: IntArray, result: Int64Array
) -> dict[str, Int64Array]:
    """What the auction, the naming of trumps, the exchange and the play changed, from par to the result."""
    reached = [par_value]
    for stage in (2, 3):  # the value when the exchange begins, when the play begins
        value = result.copy()
        later = np.flatnonzero(kind >= stage)[::-1]
        value[played.deal[later]] = values.before[later]  # the first of each deal is written last
        reached.append(value)
    naming = np.zeros_like(result)
    named = np.flatnonzero(kind == 1)
    naming[played.deal[named]] = (values.after - values.best)[named]
    reached.insert(1, reached[1] - naming)
    reached.append(result)
    return {name: after - before for name, before, after in zip(STEPS, reached[:-1], reached[1:], strict=True)}
