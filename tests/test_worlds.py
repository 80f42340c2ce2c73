"""Worlds: hidden cards dealt anew for one seat (``pedro_env.worlds``)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations, product
from math import comb, factorial, perm, sqrt
from typing import Any

import numpy as np
import pytest

from pedro_env.actions import Phase, actions_of
from pedro_env.cards import N_CARDS, NONE, card_name
from pedro_env.cardset import count, from_cards, to_bool, to_cards
from pedro_env.engine import Batch
from pedro_env.variants import VARIANTS, make_rules
from pedro_env.worlds import are_partial, chain, deal_anew, worlds_of
from tests.reference import Deal
from tests.support import columns, lopsided_pack, names, random_actions, same
from tests.test_invariants import unseen_widows

every_variant = pytest.mark.parametrize("variant", VARIANTS)
PUBLIC = ("dark", "bid", "trump", "call", "play")
"""Phases in which everybody sees what is chosen."""


def played(
    variant: str, seed: int, n: int = 6, options: dict[str, Any] | None = None
) -> Iterator[tuple[Batch, list[list[tuple[str, str]]]]]:
    """Random deals, before every step; and each game's actions in the phases where all see them."""
    rules, rng = make_rules(variant, options), np.random.default_rng(seed)
    trumps = rng.integers(4, size=n)
    batch = Batch(rules, seed, np.arange(n))
    for row in range(0, n, 2):
        dealer = int(rng.integers(rules.seats))
        scores = rng.integers(-20, 20, size=rules.sides).tolist()
        batch.set_position(row, lopsided_pack(rules, dealer, int(trumps[row]), rng), dealer, scores)
    histories: list[list[tuple[str, str]]] = [[] for _ in range(n)]
    while not batch.over.all():
        yield batch, histories
        actions = random_actions(batch, rng, trumps)
        for row in np.flatnonzero(~batch.over).tolist():
            word = Phase(batch.phase[row]).word
            if word in PUBLIC:
                histories[row].append((word, batch.actions.names[actions[row]]))
        batch.step(actions)


class Replay:
    """A world's deal played again by the reference engine, which knows the rules page alone."""

    def __init__(self, world: Batch, row: int, options: dict[str, Any], history: list[tuple[str, str]]) -> None:
        s = world.state
        self.world, self.row = world, row
        pack = [card_name(card) for card in s.pack[row].tolist()]
        before = s.scores[row].tolist()
        self.deal = Deal(world.rules.variant, options, pack, int(s.dealer[row]), before)
        self.history = list(history)

    def run(self) -> Deal:
        """Play until the world's position is reached; fails where it cannot be."""
        for _ in range(300):
            if not self.history and self._is_there():
                return self.deal
            assert self.deal.seat is not None, f"the deal ends before the position is reached: {self._where()}"
            self.deal.apply(self._action())
        raise AssertionError(f"the position is never reached: {self._where()}")

    def _is_there(self) -> bool:
        s, row = self.world.state, self.row
        return (
            self.deal.seat == s.to_act[row]
            and self.deal.phase == Phase(s.phase[row]).word
            and all(names(s.hand[row, seat]) == cards for seat, cards in enumerate(self.deal.hands))
        )

    def _action(self) -> str:
        s, row, seat, legal = self.world.state, self.row, self.deal.seat, self.deal.legal()
        if self.deal.phase in PUBLIC:
            assert self.history, f"asked for {self.deal.phase}: {self._where()}"
            word, action = self.history.pop(0)
            assert word == self.deal.phase, f"{word} instead of {self.deal.phase}: {self._where()}"
            assert action in legal, f"{action} is not in {sorted(legal)}: {self._where()}"
            return action
        rules, nothing = self.world.rules, np.uint64(0)
        face_up = rules.discard_face_up or rules.surplus_face_up
        went = {
            "discard": s.laid_aside[row, seat] | (s.shown[row, seat] & s.open[row] if face_up else nothing),
            "bury": s.shown[row, seat] & s.open[row],
            "rob": s.hand[row, seat] | s.shown[row, seat] | s.laid_aside[row, seat],
            "give": s.gave[row, seat] if s.gave.shape[1] else nothing,
        }[self.deal.phase]
        wanted = sorted(legal & names(went))
        if wanted:
            return wanted[0]
        left = "fold" if "fold" in legal and self.world.seat_mark(row, seat, "out").any() else "done"
        assert left in legal, f"{self.deal.phase}, seat {seat}: nothing of {sorted(legal)}: {self._where()}"
        return left

    def _where(self) -> str:
        s, row = self.world.state, self.row
        hands = {seat: sorted(names(s.hand[row, seat])) for seat in range(self.world.rules.seats)}
        aside = {seat: sorted(names(s.laid_aside[row, seat])) for seat in range(self.world.rules.seats)}
        return (
            f"seat {s.to_act[row]}, {Phase(s.phase[row]).word}, trump {s.trump[row]}, dealer {s.dealer[row]}, "
            f"hands {hands}, laid aside {aside}, the reference {[sorted(hand) for hand in self.deal.hands]}"
        )


def check_replay(variant: str, options: dict[str, Any], seed: int, share: float) -> int:
    rng = np.random.default_rng(seed)
    replayed = 0
    for batch, histories in played(variant, seed, options=options):
        live = np.flatnonzero(~batch.over & (rng.random(batch.n) < share))
        if not len(live):
            continue
        seats = rng.integers(batch.rules.seats, size=len(live))
        worlds = deal_anew(batch, live, seats, int(rng.integers(2**32)))
        for i, row in enumerate(live.tolist()):
            deal = Replay(worlds, i, options, histories[row]).run()
            mask = worlds.mask(np.array([i]))[0]
            assert {worlds.actions.names[a] for a in np.flatnonzero(mask)} == deal.legal()
            game = worlds.take(np.array([i]))
            while not game.over.all():
                action = random_actions(game, rng)
                deal.apply(game.actions.names[action[0]])
                game.step(action)
            assert game.state.points[0].tolist() == deal.points
            assert game.state.scores[0].tolist() == deal.scores
            replayed += 1
    return replayed


OPTIONS: list[tuple[str, dict[str, Any]]] = [
    *((variant, {}) for variant in VARIANTS),
    ("pedro", {"keep_plain": True}),
    ("pedro", {"six_at_most": "discard"}),
    ("pedro", {"six_at_most": "counts_for_opponents", "keep_plain": True}),
    ("pedro", {"rob_discards": True}),
    ("pedro", {"rob_discards": True, "keep_plain": True}),
    ("pedro", {"bid_28_56": True, "lead_trump": True}),
    ("pedro", {"discard_face_up": True, "follow": "strict"}),
    ("pedro", {"discard_face_up": True, "six_at_most": "discard"}),
    ("pedro-sancho", {"seats": 7, "exchange": True}),
    ("pedro-sancho", {"seats": 5, "deal_all": True}),
    ("sixty-three", {"exchange": "fill"}),
    ("eighty-three", {"exchange": "fill"}),
]


@pytest.mark.parametrize(("variant", "options"), OPTIONS, ids=[f"{v} {o}" if o else v for v, o in OPTIONS])
def test_a_real_deal_leads_to_every_world(variant: str, options: dict[str, Any]) -> None:
    """The strongest test: the world's pack, the public actions and hidden choices of the others that fit."""
    assert check_replay(variant, options, 0, 0.12) > 2


# --- what must hold of every world


def check_cards(batch: Batch) -> None:
    """Every card is in exactly one place."""
    s, t = batch.state, batch.tables
    undealt = [from_cards(s.pack[row, s.stock_next[row] :].tolist()) for row in range(batch.n)]
    rest = np.where(s.robber == NONE, np.array(undealt, np.uint64), s.stock)
    laid_aside = s.laid_aside
    if batch.rules.rob_discards:
        robbed = np.bitwise_or.reduce(s.hand | s.shown, axis=1) | np.where(s.robber == NONE, np.uint64(0), s.stock)
        laid_aside = laid_aside & ~robbed[:, None]
    piles = np.concatenate([s.hand, laid_aside, s.shown, rest[:, None], s.kitty[:, None], unseen_widows(batch)], axis=1)
    assert (count(piles).sum(axis=1) == len(t.pack)).all()
    assert (np.bitwise_or.reduce(piles, axis=1) == from_cards(t.pack.tolist())).all()
    assert (np.sort(s.pack, axis=1) == np.sort(t.pack)).all()


PRIVATE_COLUMNS = ("pack", "hand", "laid_aside", "stock", "gave", "received", "keeper", "kitty", "choice", "may_stop")


@every_variant
def test_the_seat_sees_the_same_and_the_rest_is_another(variant: str) -> None:
    """In every phase, for every seat: observation, mask and all that is public; and hidden cards do move."""
    rng = np.random.default_rng(3)
    wanted = set(actions_of(make_rules(variant)).phases)
    seen: Counter[int] = Counter()
    moved = looked = 0
    for seed in range(30):
        for batch, _ in played(variant, seed, n=4):
            rows = np.flatnonzero(~batch.over & np.array([seen[phase] < 8 for phase in batch.phase.tolist()]))
            if not len(rows):
                continue
            seen.update(batch.phase[rows].tolist())
            before = columns(batch.state)
            looking = np.tile(np.arange(batch.rules.seats), len(rows))
            games = np.repeat(rows, batch.rules.seats)
            worlds = deal_anew(batch, games, looking, rng)
            same(columns(batch.state), before)
            assert (worlds.observe(seats=looking) == batch.observe(games, looking)).all()
            own = looking == batch.to_act[games]
            assert (worlds.mask()[own] == batch.mask(games)[own]).all()
            assert worlds.mask().any(axis=1).all()
            same(columns(worlds.state), columns(batch.state, games), leave_out=PRIVATE_COLUMNS)
            check_cards(worlds)
            moved += int((worlds.state.pack != batch.state.pack[games]).any(axis=1).sum())
            looked += len(games)
            while not worlds.over.all():  # they can be played on
                worlds.step(random_actions(worlds, rng))
                check_cards(worlds)
        if seen.keys() >= wanted:
            break
    assert seen.keys() >= wanted
    assert moved > 0.9 * looked


def test_worlds_are_fixed_by_the_seed_and_hide_the_deals_to_come() -> None:
    batch = Batch(make_rules("pedro"), 3, np.arange(4))
    rows, seats = np.array([1, 1, 3]), np.array([0, 2, 1])
    first, again, other = (deal_anew(batch, rows, seats, seed) for seed in (5, 5, 6))
    same(columns(first.state), columns(again.state))
    assert first.seed == again.seed
    assert first.seed not in (other.seed, batch.seed)
    assert (first.state.pack != other.state.pack).any(axis=1).all()
    assert (first.state.hand[[0, 1], [0, 2]] == batch.state.hand[1, [0, 2]]).all()
    with pytest.raises(ValueError, match="seats must be from 0 to 3, not"):
        deal_anew(batch, rows, 4, 0)
    assert deal_anew(batch, rows[:0], 0, 0).n == 0


def test_a_finished_deal_is_copied() -> None:
    for batch, _ in played("pedro", 0):
        last = batch
    worlds = deal_anew(last, np.arange(last.n), 0, 1)
    same(columns(worlds.state), columns(last.state))


# --- how often


def fits(observed: Counter[Any], weights: dict[Any, float], n: int) -> None:
    """Chi-square against exact probabilities, as a normal deviate (Wilson-Hilferty) below 4."""
    assert observed.keys() <= weights.keys(), "a world that cannot be"
    total = sum(weights.values())
    chi2 = sum((observed[key] - n * w / total) ** 2 / (n * w / total) for key, w in weights.items())
    degrees = len(weights) - 1
    deviate = ((chi2 / degrees) ** (1 / 3) - (1 - 2 / (9 * degrees))) / sqrt(2 / (9 * degrees))
    assert deviate < 4, f"chi-square {chi2:.1f} with {degrees} degrees of freedom"


@pytest.mark.parametrize("seed", range(3))
def test_all_hidden_hands_are_equally_likely(seed: int) -> None:
    """The whole pack in hands: with three tricks to go, every way to hold what is out, voids respected."""
    batch = Batch(make_rules("pedro-sancho", {"deal_all": True}), seed, [0])
    rng = np.random.default_rng(seed)
    while batch.state.trick[0] < 10:
        batch.step(random_actions(batch, rng))
    s, looking = batch.state, int(batch.to_act[0])
    others = [seat for seat in range(4) if seat != looking]
    out = to_cards(np.bitwise_or.reduce(s.hand[0, others]))
    suits = batch.tables.suit_of[s.trump[0]]
    void = {seat: {suit for suit in range(4) if batch.seat_mark(0, seat, "void")[suit]} for seat in others}
    ways: dict[tuple[int, ...], float] = {}
    sizes = [int(s.hand[0, seat]).bit_count() for seat in others]
    for first in combinations(out, sizes[0]):
        rest = [card for card in out if card not in first]
        for second in combinations(rest, sizes[1]):
            hands = (first, second, tuple(card for card in rest if card not in second))
            if not any(suits[card] in void[seat] for seat, cards in zip(others, hands, strict=True) for card in cards):
                ways[tuple(int(from_cards(cards)) for cards in hands)] = 1.0
    n = max(4000, 12 * len(ways))
    worlds = deal_anew(batch, np.zeros(n, int), looking, seed)
    fits(Counter(map(tuple, worlds.state.hand[:, others].tolist())), ways, n)


def test_trumps_of_pedro_lie_where_they_would() -> None:
    """Where the trumps are that a seat does not see, against the number of deals that lead there.

    A seat kept 9 - (laid aside) trumps of those it was dealt, and drew the rest of its hand blindly; the dealer took
    from the stock. With ``m`` trumps shown and held there are comb(m, kept) ways which of them were dealt.
    """
    checked = 0
    for batch, _ in played("pedro", 11, n=12):
        if checked >= 6:
            break
        for row in np.flatnonzero(~batch.over & (batch.state.trick >= 1)).tolist():
            weights = deals_by_place_of_trumps(batch, row)
            if weights is None or not 2 < len(weights) < 60:
                continue
            looking, n = int(batch.to_act[row]), 20_000
            worlds = deal_anew(batch, np.full(n, row), looking, 5)
            trumps = batch.tables.trumps[batch.state.trump[row]]
            hidden = worlds.state.hand & trumps
            hidden[:, looking] = 0
            fits(Counter(map(tuple, hidden.tolist())), weights, n)
            checked += 1
            break
    assert checked >= 4


def deals_by_place_of_trumps(batch: Batch, row: int) -> dict[Any, float] | None:
    """By the trumps in each hidden hand: in how many deals they lie so; none where it is not simple to count."""
    s, t, looking = batch.state, batch.tables, int(batch.to_act[row])
    trumps = int(t.trumps[s.trump[row]])
    others = [seat for seat in range(4) if seat != looking]
    void = {seat: [suit for suit in range(4) if batch.seat_mark(row, seat, "void")[suit]] for seat in others}
    plain_voids = [seat for seat in others if set(void[seat]) - {int(s.trump[row])}]
    aside = {seat: int(batch.seat_mark(row, seat, "laid_aside").sum()) for seat in others}
    if len(plain_voids) > 1 or any(int(s.laid_aside[row, seat]).bit_count() != aside[seat] for seat in others):
        return None
    out = to_cards(int(np.bitwise_or.reduce(s.hand[row, others])) & trumps)
    seen = int(np.bitwise_or.reduce(s.shown[row]) | s.hand[row, looking] | s.laid_aside[row, looking])
    seen |= int(s.stock[row]) if s.robber[row] == looking else 0
    plain = [card for card in t.pack.tolist() if not (seen | trumps) >> card & 1]
    weights: dict[Any, float] = {}
    for holders in product(others, repeat=len(out)):
        held = {seat: [card for card, holder in zip(out, holders, strict=True) if holder == seat] for seat in others}
        weight, left = 1.0, len(plain)
        for seat in sorted(others, key=lambda seat: seat not in plain_voids):
            room = int(s.hand[row, seat]).bit_count() - len(held[seat])
            many = (int(s.shown[row, seat]) | int(s.hand[row, seat])).bit_count() > 6
            if room < 0 or (many and room) or (int(s.trump[row]) in void[seat] and held[seat]):
                weight = 0.0
                break
            shown = (int(s.shown[row, seat]) & trumps).bit_count()
            weight *= comb(shown + len(held[seat]), 9 - aside[seat]) / factorial(room)
            free = sum(int(t.suit_of[s.trump[row], card]) not in void[seat] for card in plain)
            weight *= perm(free if seat in plain_voids else left, room) if room else 1
            left -= room
        if weight:
            hands = [0] * 4
            for seat in others:
                hands[seat] = int(from_cards(held[seat]))
            weights[tuple(hands)] = weight * factorial(left)
    return weights


# --- nothing of the real deal shows


def places_of_cards(batch: Batch, row: int, looking: int, n: int, seed: int) -> np.ndarray:
    """``(cards, seats)`` in how many of ``n`` worlds each card is in each hidden hand."""
    dealt = deal_anew(batch, np.full(n, row), looking, seed).state.hand
    counts = to_bool(dealt[:, :, None], N_CARDS).sum(axis=0).T
    counts[:, looking] = 0
    return counts


def homogeneous(first: np.ndarray, second: np.ndarray) -> float:
    """Chi-square per degree of freedom of two tables of counts being of one distribution, card by card."""
    total = first + second
    rare = total < 20
    first, second, total = (np.where(rare, 0, table) for table in (first, second, total))
    statistic = ((first - second) ** 2 / np.maximum(total, 1)).sum()
    return float(statistic / np.maximum((total > 0).sum(), 1))


@pytest.mark.parametrize("variant", ["pedro", "cinch", "king-pedro"])
def test_two_deals_that_look_alike_have_the_same_worlds(variant: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A world of a game is another game that its seat cannot tell from it; its worlds must be as likely.

    Chi-square per degree of freedom is 1 for tables of one distribution (with some hundred degrees in all, within
    0.25). With a single round of exchanges the real deal would show; the test sees it.
    """
    found: list[float] = []
    shows: list[float] = []
    for batch, _ in played(variant, 4, n=2):
        for row in np.flatnonzero(~batch.over & (batch.state.decision % 8 == 5)).tolist():
            looking = int(batch.to_act[row])
            games = (batch, row), (deal_anew(batch, np.array([row]), looking, 99), 0)
            found.append(homogeneous(*(places_of_cards(*game, looking, 700, 7 + i) for i, game in enumerate(games))))
            with monkeypatch.context() as patched:
                patched.setattr(chain, "ROUNDS", 1)
                patched.setattr(chain, "SLOW", 1)
                shows.append(homogeneous(*(places_of_cards(*game, looking, 700, 7) for game in games)))
    assert len(found) >= 4
    assert np.mean(found) < 1.25
    assert np.mean(shows) > 3


@pytest.mark.parametrize("variant", ["pedro", "nicaragua", "california-100"])
def test_worlds_of_a_decision_do_not_depend_on_the_batch(variant: str) -> None:
    rng = np.random.default_rng(6)
    for number, (batch, _) in enumerate(played(variant, 6)):
        if number % 10:
            continue
        views = batch.views()
        together = worlds_of(views, 3)
        same(columns(worlds_of(batch.views(), 3).state), columns(together.state))
        order = rng.permutation(len(views))
        for part in np.array_split(order, 3):
            alone = worlds_of(views.take(part), 3)
            rows = (part[:, None] * 3 + np.arange(3)).reshape(-1)
            same(columns(alone.state), columns(together.state, rows))
        other = worlds_of(views, 3, stream=1)
        assert (other.state.pack != together.state.pack).any()
        assert (together.observe() == batch.observe(np.repeat(views.game, 3))).all()
        assert len(np.unique(together.state.match)) == together.n


def test_worlds_where_open_discards_are_robbed() -> None:
    """What the seat sees is as it was, every card is there, and it goes on."""
    options = {"rob_discards": True, "discard_face_up": True}
    assert are_partial(make_rules("pedro", options))
    assert not are_partial(make_rules("pedro"))
    rng, moved = np.random.default_rng(7), 0
    for number, (batch, _) in enumerate(played("pedro", 7, options=options)):
        if number % 4:
            continue
        views = batch.views()
        rows = np.repeat(views.game, 4)
        dealt = worlds_of(views, 4)
        assert (dealt.observe() == batch.observe(rows)).all()
        assert (dealt.mask() == batch.mask(rows)).all()
        moved += int((dealt.state.hand != batch.state.hand[rows]).any(axis=1).sum())
        everything = [
            np.bitwise_or.reduce(b.state.hand | b.state.shown | b.state.laid_aside, axis=1) | b.state.stock
            for b in (dealt, batch.take(rows))
        ]
        assert (count(everything[0]) == count(everything[1])).all()
        while not dealt.over.all():
            dealt.step(random_actions(dealt, rng))
    assert moved > 50
