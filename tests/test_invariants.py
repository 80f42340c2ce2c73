"""What must hold in every game of every variant that the engine plays, whatever is dealt and chosen."""

from __future__ import annotations

import copy
import itertools
import pickle
from functools import cached_property

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pedro_env.actions import FIRST_BID, Phase, actions_of
from pedro_env.cards import BIG_JOKER, N_CARDS, N_RANKS, N_SUITS, NONE, sister_suit
from pedro_env.cardset import BIT, count, from_cards, to_bool, to_cards
from pedro_env.engine import Batch, IllegalAction
from pedro_env.observation import observe
from pedro_env.rules import Exchange, Follow
from pedro_env.state import State
from pedro_env.variants import VARIANTS, make_rules
from pedro_env.views import HiddenInformation, Views
from tests.support import columns, decisions, lopsided_pack, random_actions, random_deals, same

SEEDS = st.integers(0, 2**32 - 1)
every_variant = pytest.mark.parametrize("variant", VARIANTS)

ALL_IN_PLAY = {
    "pedro", "pedro-wpt", "california", "california-100", "italian", "monterey-draw", "king-pedro", "five-handed",
    "railroad", "pidro", "louisiana", "louisiana-cutthroat", "monterey-widow", "eighty-three", "eighty-three-plain",
}  # fmt: skip
"""Variants in which every trump is in somebody's hand when the play begins, and the kept 2 counts even when buried."""


def examples(number: int):
    """Settings of a test: so many examples, the same ones every time."""
    checks = [HealthCheck.too_slow, HealthCheck.data_too_large]
    return settings(max_examples=number, derandomize=True, database=None, deadline=None, suppress_health_check=checks)


def view_fields(views: Views) -> dict[str, np.ndarray]:
    """Everything that an agent is given, by name: all of it, also what is added later."""
    fields = {
        name: np.asarray(getattr(views, name))
        for name, member in vars(type(views)).items()
        if isinstance(member, cached_property) and not name.startswith("_")
    }
    fields["uniform"] = views.uniform()
    return fields


# --- cards and points


@every_variant
@given(seed=SEEDS)
@examples(6)
def test_every_card_is_in_exactly_one_place(variant: str, seed: int) -> None:
    for batch in decisions(variant, seed):
        s, t = batch.state, batch.tables
        undealt = [from_cards(s.pack[row, s.stock_next[row] :].tolist()) for row in range(batch.n)]
        rest = np.where(s.robber == NONE, np.array(undealt, np.uint64), s.stock)
        laid_aside = s.laid_aside
        if batch.rules.rob_discards:  # what the dealer could rob goes on being known to the seat that laid it aside
            robbed = np.bitwise_or.reduce(s.hand | s.shown, axis=1) | np.where(s.robber == NONE, np.uint64(0), s.stock)
            laid_aside = laid_aside & ~robbed[:, None]
        widows = unseen_widows(batch)
        piles = np.concatenate([s.hand, laid_aside, s.shown, rest[:, None], s.kitty[:, None], widows], axis=1)
        assert (count(piles).sum(axis=1) == len(t.pack)).all()
        assert (np.bitwise_or.reduce(piles, axis=1) == from_cards(t.pack.tolist())).all()
        # What was shown lies in a won trick, in the trick on the table or open beside it.
        beside = s.open & ~s.stock  # trumps left in the stock are open in cinch
        on_table = s.in_trick & ~np.bitwise_or.reduce(s.won, axis=1)  # at the end too, after a `concede`
        seen = np.concatenate([s.won, on_table[:, None], beside[:, None]], axis=1)
        shown = np.bitwise_or.reduce(s.shown, axis=1)
        assert (np.bitwise_or.reduce(seen, axis=1) == shown).all()
        assert (count(seen).sum(axis=1) == count(shown)).all()
        assert (np.bitwise_or.reduce(s.trick_bits, axis=1) == np.bitwise_or.reduce(s.won, axis=1)).all()


def unseen_widows(batch: Batch) -> np.ndarray:
    """``(n, seats)`` the cards dealt to a seat that it has not seen yet: before its turn in the auction."""
    s, t = batch.state, batch.tables
    widows = np.zeros_like(s.hand)
    bid = t.layout.mark("bid")
    marks = to_bool(s.marks, 64 * t.layout.mark_words)
    had_turn = marks[..., t.layout.mark("passed").start] | marks[..., bid.start : bid.start + bid.width].any(axis=-1)
    for place, positions in enumerate(t.widow_positions.tolist()):
        for row in range(batch.n):
            seat = (s.dealer[row] + 1 + place) % batch.rules.seats
            if not had_turn[row, seat]:
                widows[row, seat] = from_cards(s.pack[row, positions].tolist())
    return widows


@every_variant
@given(seed=SEEDS)
@examples(6)
def test_points_are_those_of_the_cards_that_count(variant: str, seed: int) -> None:
    """Each point card counts for the seat that won it, the 2 for its keeper; nothing else counts, and nothing twice."""
    *_, batch = decisions(variant, seed)
    s, t, rules = batch.state, batch.tables, batch.rules
    for row in range(batch.n):
        if s.redeal[row]:
            assert not s.points[row].any()
            assert not s.score_change[row].any()
            continue
        bidders = int(t.side_of[s.declarer[row]])
        if rules.concede and s.points[row, bidders] == rules.total_points and s.hand[row].any():
            assert s.points[row].sum() == rules.total_points  # conceded
            continue
        points = np.zeros(rules.sides, int)
        counted: list[int] = []
        for place in range(rules.seats):
            counts = int(s.won[row, place]) & ~int(t.kept_two[s.trump[row]])
            if s.keeper[row] == place:
                counts |= int(t.kept_two[s.trump[row]])
            side = place % rules.sides
            credited = 0
            if rules.discards_count and side != bidders:  # 3.1 cinch
                credited = int(s.laid_aside[row, place] | s.shown[row, place] & s.open[row])
                credited |= int(s.stock[row]) * (s.dealer[row] == place)
            for gaining, cards in ((side, counts), (bidders, credited)):
                points[gaining] += sum(int(t.points[s.trump[row], card]) for card in to_cards(cards))
                counted += to_cards(cards)
        assert len(counted) == len(set(counted))
        assert points.tolist() == s.points[row].tolist()
        if variant in ALL_IN_PLAY:
            assert points.sum() == rules.total_points


@every_variant
@given(seed=SEEDS)
@examples(4)
def test_there_is_a_choice_until_the_end(variant: str, seed: int) -> None:
    for steps, batch in enumerate(decisions(variant, seed)):
        s, mask = batch.state, batch.mask()
        assert (mask.any(axis=1) == ~batch.over).all()
        assert ((batch.to_act == NONE) == batch.over).all()
        assert (s.decision[~batch.over] == steps).all()
        assert set(batch.phase[~batch.over].tolist()) <= set(batch.actions.phases)
        own = to_bool(s.hand[np.arange(batch.n), batch.to_act][:, None], N_CARDS)
        laying = np.isin(batch.phase, [Phase.PLAY, Phase.BURY, Phase.DISCARD])
        assert (mask[laying, :N_CARDS] <= own[laying]).all()
        # Section 6: what can be done in only one way is no decision in these phases.
        choosing = np.isin(batch.phase, [Phase.GIVE, Phase.DISCARD, Phase.ROB, Phase.BURY])
        assert (mask[choosing].sum(axis=1) >= 2).all()
    if not batch.rules.ends_when_decided and not batch.rules.concede:
        left = np.bitwise_or.reduce(s.hand, axis=1) & batch.tables.playable[s.trump]
        assert (left[~s.redeal] == 0).all()


@every_variant
def test_an_illegal_action_changes_nothing(variant: str) -> None:
    for batch in decisions(variant, 1, n=3):
        before = columns(batch.state)
        for row in np.flatnonzero(~batch.over).tolist():
            actions = random_actions(batch, np.random.default_rng(0))
            for wrong in (*np.flatnonzero(~batch.mask()[row])[:2].tolist(), -1, batch.actions.n):
                actions[row] = wrong
                with pytest.raises(IllegalAction, match=rf"row {row}, seat {batch.to_act[row]}, .* action {wrong} "):
                    batch.step(actions)
        same(columns(batch.state), before)


@every_variant
@given(seed=SEEDS)
@examples(4)
def test_voids_shown_are_true_and_counts_are_right(variant: str, seed: int) -> None:
    """The public marks of every seat: a suit shown void is not in its hand; bids, discards, draws as they were."""
    for batch in decisions(variant, seed):
        rows = np.flatnonzero(~batch.over)
        views, s, t = batch.views(rows), batch.state, batch.tables
        for i, row in enumerate(rows.tolist()):
            for offset in range(batch.rules.seats):
                place = (int(views.seat[i]) + offset) % batch.rules.seats
                held = int(s.hand[row, place])
                assert views.hand_size[i, offset] == held.bit_count()
                assert views.n_laid_aside[i, offset] >= int(s.laid_aside[row, place]).bit_count()
                assert (views.declarer[i] == offset) == (s.declarer[row] == place)
                for suit in range(N_SUITS):
                    if views.voids[i, offset] >> suit & 1:
                        assert not held & int(t.suit_cards[s.trump[row], suit])
            best = views.bids[i].max()
            assert best == views.contract[i] or (best < views.contract[i] and batch.phase[row] >= Phase.TRUMP)


# --- batches, copies


@every_variant
@given(seed=SEEDS)
@examples(1)
def test_a_row_of_a_batch_is_the_same_game_alone(variant: str, seed: int) -> None:
    """Three deals of three matches, rows out of step with each other."""
    rules, rng = make_rules(variant), np.random.default_rng(seed)
    matches = np.array([4, 0, 9])
    batch = Batch(rules, seed, matches)
    alone = [Batch(rules, seed, [match]) for match in matches]
    while (~batch.match_over & (batch.state.deal < 2) | ~batch.over).any():
        over = np.flatnonzero(batch.over & ~batch.match_over & (batch.state.deal < 2))
        batch.next_deal(over)
        for row in over.tolist():
            alone[row].next_deal(np.array([0]))
        rows = np.flatnonzero(~batch.over & (rng.random(3) < 0.7))
        actions = random_actions(batch, rng)[rows]
        batch.step(actions, rows)
        for row, action in zip(rows.tolist(), actions.tolist(), strict=True):
            alone[row].step(np.array([action]))
        for row, game in enumerate(alone):
            same(columns(batch.state, np.array([row])), columns(game.state))
            assert (batch.mask(np.array([row])) == game.mask()).all()
            assert (batch.observe(np.array([row])) == game.observe()).all()


@every_variant
@given(seed=SEEDS)
@examples(3)
def test_copies_are_independent(variant: str, seed: int) -> None:
    batch, rng, trumps = random_deals(variant, seed, n=4)
    while not batch.over.all():
        before = columns(batch.state)
        duplicate, some = batch.copy(), batch.take(np.array([2, 0, 2]))
        same(columns(duplicate.state), before)
        same(columns(some.state), columns(batch.state, np.array([2, 0, 2])))
        actions = random_actions(batch, rng, trumps)
        duplicate.step(actions)
        some.step(actions[[2, 0, 2]])
        same(columns(batch.state), before)
        assert (batch.mask() == Batch.copy(batch).mask()).all()
        after = columns(duplicate.state)
        batch.step(actions)
        same(columns(batch.state), after)
        same(columns(some.state), columns(batch.state, np.array([2, 0, 2])))
        same(columns(duplicate.state), after)


@every_variant
def test_pickle_and_deepcopy_in_every_phase(variant: str) -> None:
    wanted = {*actions_of(make_rules(variant)).phases, Phase.OVER}
    seen: set[int] = set()
    for seed in range(20):
        for batch in decisions(variant, seed, n=4):
            new = set(batch.phase.tolist()) - seen
            if not new:
                continue
            seen |= new
            for other in (pickle.loads(pickle.dumps(batch)), copy.deepcopy(batch)):
                same(columns(other.state), columns(batch.state))
                assert (other.mask() == batch.mask()).all()
                assert (other.observe() == batch.observe()).all()
                original, rng = batch.copy(), np.random.default_rng(seed)
                while not original.over.all():
                    actions = random_actions(original, rng)
                    original.step(actions)
                    other.step(actions)
                same(columns(other.state), columns(original.state))
                if not (batch.over & ~batch.match_over).all():
                    continue
                other.next_deal(np.arange(other.n))  # the seed has come along
                original.next_deal(np.arange(original.n))
                same(columns(other.state), columns(original.state))
        if seen >= wanted:
            return
    pytest.fail(f"never seen: {wanted - seen}")


# --- symmetries


def renamings(variant: str) -> list[tuple[int, ...]]:
    """New names of the four suits that change nothing: sister suits stay sisters where that matters."""
    orders = list(itertools.permutations(range(N_SUITS)))
    if not set("fj") & set(make_rules(variant).trump_order):
        return orders
    return [order for order in orders if all(order[sister_suit(s)] == sister_suit(order[s]) for s in range(N_SUITS))]


def rename_cards(cards: np.ndarray, new_suit: tuple[int, ...]) -> np.ndarray:
    suits = np.array([*new_suit, N_SUITS])
    return np.where(cards < BIG_JOKER, suits[cards // N_RANKS] * N_RANKS + cards % N_RANKS, cards)


@every_variant
@given(seed=SEEDS, data=st.data())
@examples(6)
def test_renaming_the_suits_changes_nothing_else(variant: str, seed: int, data: st.DataObject) -> None:
    new_suit = data.draw(st.sampled_from(renamings(variant)))
    batch, rng, trumps = random_deals(variant, seed, n=4)
    other = batch.copy()
    s = batch.state
    for row in range(batch.n):
        pack = rename_cards(s.pack[row].astype(int), new_suit).tolist()
        other.set_position(row, pack, int(s.dealer[row]), s.scores[row].tolist())
    columns_of, actions_of = batch.layout.relabelled_columns(new_suit), batch.layout.relabelled_actions(new_suit)
    new_action = np.argsort(actions_of)
    suits_in_bids = batch.rules.bid_names_suit
    while not batch.over.all():
        # Suits have a rank in Oregon's auction: there the masks differ, and bids go up by whole numbers only.
        comparable = ~((batch.phase == Phase.BID) & suits_in_bids)
        assert (batch.mask()[comparable][:, actions_of] == other.mask()[comparable]).all()
        for place in range(batch.rules.seats):
            seats = np.full(batch.n, place)
            assert (batch.observe(seats=seats)[:, columns_of] == other.observe(seats=seats)).all()
        actions = random_actions(batch, rng, trumps)
        if suits_in_bids:
            raise_number(batch, actions)
        batch.step(actions)
        other.step(np.where(actions < 0, actions, new_action[actions]))
        for name in ("points", "score_change", "scores", "winner", "to_act", "phase", "declarer", "taken", "trick"):
            assert (getattr(batch.state, name) == getattr(other.state, name)).all()


def raise_number(batch: Batch, actions: np.ndarray) -> None:
    """Replace bids that do not raise the number by bids of the next number."""
    for row in np.flatnonzero((batch.phase == Phase.BID) & (actions >= FIRST_BID)).tolist():
        bids, standing = batch.actions.bids, int(batch.state.contract[row])
        bid = bids[actions[row] - FIRST_BID]
        if standing == NONE or bid.number > bids[standing].number:
            continue
        higher = [i for i, b in enumerate(bids) if b.number == bid.number + 1 and b.suit == bid.suit]
        actions[row] = FIRST_BID + higher[0] if higher else batch.actions.parse("pass", Phase.BID)


@every_variant
@given(seed=SEEDS, turn=st.integers(1, 4))
@examples(6)
def test_rotating_the_seats_changes_nothing_else(variant: str, seed: int, turn: int) -> None:
    batch, rng, trumps = random_deals(variant, seed, n=4)
    seats, sides, s = batch.rules.seats, batch.rules.sides, batch.state
    other = batch.copy()
    for row in range(batch.n):
        dealer = (int(s.dealer[row]) + turn) % seats
        other.set_position(row, s.pack[row].tolist(), dealer, np.roll(s.scores[row], turn % sides).tolist())
    o = other.state
    while True:
        assert (np.where(batch.over, NONE, (batch.to_act + turn) % seats) == other.to_act).all()
        for place in range(seats):
            looking = np.full(batch.n, place)
            assert (batch.observe(seats=looking) == other.observe(seats=(looking + turn) % seats)).all()
        rows = np.flatnonzero(~batch.over)
        mine, theirs = view_fields(batch.views(rows)), view_fields(other.views(rows))
        same(mine, theirs, leave_out=("uniform",))
        for name in ("points", "score_change", "scores"):
            assert (np.roll(getattr(s, name), turn % sides, axis=1) == getattr(o, name)).all()
        assert (np.where(s.winner == NONE, NONE, (s.winner + turn) % sides) == o.winner).all()
        if batch.over.all():
            return
        actions = random_actions(batch, rng, trumps)
        batch.step(actions)
        other.step(actions)


# --- hidden information


def reshuffled(batch: Batch, seats: np.ndarray, rng: np.random.Generator, *, keep_trumps: bool) -> State:
    """The games with the cards that these seats cannot see exchanged for each other.

    ``keep_trumps``: trumps for trumps and plain cards for plain cards, so that what everybody knows about the places
    of trumps (all are taken from the stock, none is laid aside) stays true.
    """
    t, s = batch.tables, batch.state
    rows = np.arange(batch.n)
    known = np.bitwise_or.reduce(s.shown, axis=1) | s.hand[rows, seats] | s.laid_aside[rows, seats] | s.called
    known |= np.where(s.robber == seats, s.stock, np.uint64(0)) | s.open
    unknown = from_cards(t.pack.tolist()) & ~known
    new_card = np.tile(np.arange(N_CARDS), (batch.n, 1))
    for row in range(batch.n):
        trumps = t.trumps[s.trump[row]] if keep_trumps and s.trump[row] != NONE else np.uint64(0)
        for group in (unknown[row] & trumps, unknown[row] & ~trumps):
            new_card[row, to_cards(group)] = rng.permutation(to_cards(group))

    def exchange(sets: np.ndarray) -> np.ndarray:
        places = to_bool(sets.reshape(batch.n, -1, 1), N_CARDS)
        return (places * BIT[new_card][:, None]).sum(axis=-1, dtype=np.uint64).reshape(sets.shape)

    other = s.copy()
    for name in ("hand", "laid_aside", "stock", "kitty"):
        getattr(other, name)[:] = exchange(getattr(s, name))
    other.pack[:] = new_card[rows[:, None], s.pack]
    return other


@every_variant
@given(seed=SEEDS)
@examples(3)
def test_hidden_cards_reshuffled_leave_the_view_unchanged(variant: str, seed: int) -> None:
    """At every decision and for every seat; and hidden cards are reshuffled indeed."""
    rng = np.random.default_rng(seed)
    moved = 0
    for batch in decisions(variant, seed, n=6):
        for place in range(batch.rules.seats):
            seats = np.full(batch.n, place)
            seen = batch.observe(seats=seats)
            for keep_trumps in (False, True):
                other = reshuffled(batch, seats, rng, keep_trumps=keep_trumps)
                moved += int((other.pack != batch.state.pack).sum())
                assert (observe(batch.tables, other, np.arange(batch.n), seats) == seen).all()
        rows = np.flatnonzero(~batch.over)
        seen_fields = view_fields(batch.views(rows))
        hidden = batch.copy()
        hidden.state = reshuffled(batch, np.maximum(batch.to_act, 0), rng, keep_trumps=True)
        same(view_fields(hidden.views(rows)), seen_fields)
    assert moved > 1000


def test_the_full_state_is_for_those_who_declare_it() -> None:
    batch = Batch(make_rules("pedro"), 0, np.arange(3))
    with pytest.raises(HiddenInformation):
        _ = batch.views().full_state
    state = batch.views(np.array([2, 1]), sees_everything=True).full_state
    same(columns(state), columns(batch.state, np.array([2, 1])))


# --- observations tell information sets apart


def public_event(batch: Batch, row: int, action: int) -> tuple:
    """What everybody sees of a decision."""
    phase, rules, s = Phase(batch.phase[row]), batch.rules, batch.state
    is_trump = action < N_CARDS and batch.tables.suit_of[s.trump[row], action] == s.trump[row]
    face_up = rules.discard_face_up or (rules.surplus_face_up and is_trump)
    hidden = phase in (Phase.ROB, Phase.GIVE) or (phase is Phase.DISCARD and not face_up)
    return (int(batch.to_act[row]), phase, None if hidden and action < N_CARDS else action)


def information_set(batch: Batch, row: int, seat: int, history: tuple) -> tuple:
    """All that a seat knows: its cards, and what happened in public.

    When a card was buried or laid aside face up is not told apart.
    """
    s = batch.state
    given = [int(column[row, seat]) for column in (s.gave, s.received) if column.shape[1]]
    own = (int(s.hand[row, seat]), int(s.laid_aside[row, seat]), *given)
    stock = int(s.stock[row]) if s.robber[row] == seat else int(s.stock[row] & s.open[row])
    laid_open = (Phase.BURY, Phase.DISCARD)
    buried = frozenset(event for event in history if event[1] in laid_open and event[2] is not None)
    unseen = (Phase.ROB,) if batch.rules.exchange is Exchange.MIX else ()  # how many of the dealer's own it keeps
    events = tuple(
        event for event in history if event[1] not in unseen and (event[1] not in laid_open or event[2] is None)
    )
    on_move = (int(batch.phase[row]), int(batch.to_act[row]))
    return (seat, int(s.dealer[row]), own, stock, buried, events, on_move)


@every_variant
@pytest.mark.parametrize("start", ["auction", "play", "last tricks"])
def test_observations_and_information_sets_are_one_to_one(variant: str, start: str) -> None:
    """Walk the tree below some positions, also where different ways lead to the same cards on the table."""
    rng = np.random.default_rng(len(variant))
    limit = 150
    pack = lopsided_pack(make_rules(variant), 0, 1, rng)
    batch = Batch(make_rules(variant), 5, np.zeros(2, int))
    for row in range(batch.n):
        batch.set_position(row, pack, row, [0] * batch.rules.sides)
    tricks = 3 if batch.rules.follow is not Follow.TRUMPS_ONLY else 5  # there a deal is often over early
    last_trick = {"auction": NONE, "play": 0, "last tricks": batch.rules.hand - tricks}[start]
    histories: list[tuple] = [()] * batch.n
    while True:  # one way down to where the tree begins
        waiting = ~batch.over & (batch.state.trick < last_trick)
        if not waiting.any():
            break
        actions = np.where(waiting, random_actions(batch, rng, np.ones(batch.n, int)), -1)
        rows = np.flatnonzero(waiting)
        histories = [
            (*h, public_event(batch, row, actions[row])) if waiting[row] else h for row, h in enumerate(histories)
        ]
        batch.step(actions[rows], rows)
    meaning: dict[bytes, tuple] = {}
    encoding: dict[tuple, bytes] = {}
    for _ in range(14):
        rows = np.flatnonzero(~batch.over)
        if not len(rows):
            break
        for seat in range(batch.rules.seats):
            observations = batch.observe(rows, np.full(len(rows), seat))
            for row, observation in zip(rows.tolist(), observations, strict=True):
                key, code = information_set(batch, row, seat, histories[row]), observation.tobytes()
                # The observation has no room for the number of the seat itself.
                relative = relative_information_set(key, batch.rules.seats)
                assert meaning.setdefault(code, relative) == relative
                assert encoding.setdefault(relative, code) == code
        parents, actions = np.nonzero(batch.mask())
        if len(parents) > limit:
            chosen = np.sort(rng.choice(len(parents), limit, replace=False))
            parents, actions = parents[chosen], actions[chosen]
        histories = [
            (*histories[row], public_event(batch, row, action))
            for row, action in zip(parents.tolist(), actions.tolist(), strict=True)
        ]
        batch = batch.take(parents)
        batch.step(actions)
    assert len(meaning) > 20


def relative_information_set(key: tuple, seats: int) -> tuple:
    """The same, with seats counted from the one that knows it."""
    seat, dealer, own, stock, buried, events, (phase, to_act) = key

    def turn(other: int) -> int:
        return (other - seat) % seats

    def relative(event: tuple) -> tuple:
        return (turn(event[0]), *event[1:])

    return (
        turn(dealer), own, stock, frozenset(map(relative, buried)), tuple(map(relative, events)), phase, turn(to_act)
    )  # fmt: skip


@every_variant
def test_any_seat_may_look_at_any_time(variant: str) -> None:
    """Zeros and ones in the layout's columns; own cards, turn and dealer are those of the seat that looks."""
    for batch in decisions(variant, 3, n=4):
        layout, s = batch.layout, batch.state
        seats_in_game = batch.rules.seats
        for place in range(seats_in_game):
            seen = batch.observe(seats=np.full(batch.n, place))
            assert seen.shape == (batch.n, layout.width)
            assert seen.dtype == np.uint8
            assert seen.max(initial=0) <= 1
            unused = np.setdiff1d(np.arange(layout.width), layout.columns)
            assert not seen[:, unused].any()
            cards = layout.slices["hand"]
            assert (seen[:, cards] == to_bool(s.hand[:, [place]], cards.stop - cards.start)).all()
            for name in ("to_act", "dealer", "declarer"):
                seat = getattr(s, name)[:, None]
                wanted = (seat != NONE) & (np.arange(seats_in_game) == (seat - place) % seats_in_game)
                assert (seen[:, layout.slices[name]] == wanted).all()
        acting = np.flatnonzero(~batch.over)
        assert (batch.observe(acting) == batch.observe(acting, batch.to_act[acting])).all()
        assert (batch.observe(acting) == batch.views(acting).observation).all()
