"""Worlds: copies of games in which everything that a seat does not know is dealt anew.

``deal_anew`` is for search and planning: a copy of the game itself would show the planner the others' cards and the
cards to come. What a seat knows is kept: its own cards and where they came from, all cards shown, all counts, voids,
the called card's holder, and what the rules make certain (in ``pedro`` all plain cards are laid aside and every
trump left in the stock is robbed, so that what lies face down is plain).

A world is thought of as triples (place in the pack, card, fate). A fate is what became of a card: in a hand, laid
aside, given, left in the stock. Which cards a place may have held, which cards a fate may befall, and which places may
lead to which fates are sets that follow from the rules and from what is public; counts stay as they are because places
and fates do. Random exchanges of two or three cards, fates or both, each taken only where it breaks none of these sets,
lead from the game as it stands to another consistent world. Which places are paired in a round is fixed; whether a pair
makes its exchange is a coin, and each world has its own coins, so that it does not matter what is dealt beside it.

Conditions on several cards at once (a seat that has not left the deal holds a trump; a trump is laid aside only from a
hand full of them) are looked at after each round of exchanges, which is taken back where one is broken.
"""

from __future__ import annotations

import numpy as np

from pedro_env.actions import Phase
from pedro_env.cardset import ONE
from pedro_env.deals import key
from pedro_env.engine import Batch
from pedro_env.rules import Rules
from pedro_env.state import State
from pedro_env.tables import Tables
from pedro_env.typing import IntArray, UInt64Array
from pedro_env.views import Views
from pedro_env.worlds.chain import Chain
from pedro_env.worlds.knowledge import Knowledge
from pedro_env.worlds.limits import KEPT_TYPES
from pedro_env.worlds.places import is_simple

CHUNK = 512
"""Worlds that are dealt at a time: their arrays stay in the processor's cache."""

_STREAM = 0x776F726C64


def deal_anew(batch: Batch, rows: IntArray, seats: IntArray | int, seed: int | np.random.Generator) -> Batch:
    """Copies of some games in which all that the given seats do not know is dealt anew.

    ``rows``: ``(k,)`` games, as often as worlds are wanted; ``seats``: ``(k,)`` or one seat, from which each is looked
    at. ``seed``: an integer or a generator; the same seed, rows and seats give the same worlds. The deals that follow
    in a match are others than the original's, too. Games whose deal is over are only copied.

    Guaranteed: every card is in one place; the seat's observation and legal actions are those of the original; nothing
    that the rules make certain is contradicted; the copies can be played on and scored. The original is not touched.

    The worlds are those that a Markov chain reaches whose equilibrium is uniform over all consistent pairs of a deal
    (which cards came from which hand, draw or stock) and of choices of the others: without a guess at what others would
    have chosen. The chain begins with the game as it stands and is cut off after ``chain.ROUNDS``, which is enough for
    that beginning to be forgotten as far as tests can tell (``docs/search.md``). Where a surplus of trumps is given
    from     seat to seat (``tennessee``, ``eighty-three``, their kin), there are fewer worlds than what a seat does not
    know:     every hidden place keeps its number of trumps. How many of the cards that a seat gave lie where is kept
    everywhere,     and so is the step that another seat's choice is in. Whether another seat was asked for a choice
    that only the cards     decide (a rob, a burial) is not looked at.

    Raises ``ValueError`` for a seat that is none, and where ``rob_discards`` and ``discard_face_up`` are both on.
    """
    if is_simple(batch.rules):
        raise ValueError("worlds cannot be dealt where rob_discards and discard_face_up are both on: leave one out")
    rng = seed if isinstance(seed, np.random.Generator) else np.random.default_rng(seed)
    rows = np.asarray(rows, np.int64).reshape(-1)
    seats = np.broadcast_to(np.asarray(seats, np.int64), rows.shape)
    if len(rows) and (seats.min() < 0 or seats.max() >= batch.rules.seats):
        raise ValueError(f"seats must be from 0 to {batch.rules.seats - 1}, not {seats.tolist()}")
    worlds = batch.take(rows)
    worlds.seed = int(rng.integers(2**63))
    keys = rng.integers(2**64, size=len(rows), dtype=np.uint64)
    _deal(worlds.tables, batch.state, worlds.state, rows, seats, keys)
    return worlds


def worlds_of(views: Views, count: int, stream: int = 0) -> Batch:
    """``count`` worlds of each of k decisions: what the seat to act knows is kept, the rest is dealt anew.

    A batch of ``k * count`` games, those of a decision one after another. For agents: it is all that they get of the
    cards that they do not see. The worlds of a decision are a function of (seed, match, deal, seat, decision, stream),
    whatever else is in the batch. What ``deal_anew`` promises holds of them; and where that refuses the rules, cards
    that are hidden change places as they lie now, and the pack is none that deals them so. Each world is a match of
    its own: what agents draw in it, and the deals that follow, are others than in the next.
    """
    s = views._s  # pyright: ignore[reportPrivateUsage]  # nobody else looks behind a view
    rows = np.repeat(views.game, count)
    decision = (views.uniform(_STREAM + stream) * 2.0**53).astype(np.uint64)
    keys = key(0, _STREAM, (np.repeat(decision, count), np.tile(np.arange(count), len(views))))
    worlds = Batch(views.rules, 0, (keys >> ONE).astype(np.int64), validate=False)
    matches = worlds.state.match.copy()
    worlds.state.put(np.arange(len(rows)), s.take(rows))
    worlds.state.match[:] = matches
    _deal(views.tables, s, worlds.state, rows, s.to_act[rows].astype(np.int64), keys)
    return worlds


def _deal(t: Tables, s: State, worlds: State, rows: IntArray, seats: IntArray, keys: UInt64Array) -> None:
    """Deal anew in ``worlds``, copies of the ``rows`` of ``s``; ``keys``: ``(k,)`` the randomness of each."""
    live = np.flatnonzero(worlds.phase != Phase.OVER)
    if not len(live):
        return
    pairs, which = np.unique(np.stack([rows[live], seats[live]]), axis=1, return_inverse=True)
    knowledge = Knowledge(t, s.take(pairs[0]), pairs[1])
    which = which.reshape(-1)
    kinds, kind = np.unique(knowledge.sizes, axis=0, return_inverse=True)
    kind = kind.reshape(-1)[which]
    for number, sizes in enumerate(kinds.tolist()):
        alike = np.flatnonzero(kind == number)
        for start in range(0, len(alike), CHUNK):
            part = alike[start : start + CHUNK]
            here = live[part]
            world = Chain(knowledge, which[part], keys[here]).dealt(*sizes)
            world.match[:] = worlds.match[here]
            worlds.put(here, world)


def are_partial(rules: Rules) -> bool:
    """Whether worlds show more of the real deal than the seat knows (``deal_anew`` says what), and so are fewer."""
    return is_simple(rules) or rules.exchange in KEPT_TYPES
