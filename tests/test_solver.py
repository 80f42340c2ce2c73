"""The exact solver against the engine that plays everything, and against itself in other suits and seats."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("numba")

from agents.arena import play_duplicate
from agents.errors import AgentError
from agents.export import main as export
from agents.registry import make_agent
from agents.search import plain
from agents.search.scope import not_modelled
from agents.search.solver import action_values, solve, value
from pedro_env.actions import Phase
from pedro_env.cards import N_CARDS, N_RANKS
from pedro_env.cardset import BIT, count, from_cards, to_cards
from pedro_env.engine import Batch
from pedro_env.phases import play
from pedro_env.rules import Exchange, Rules, Surplus, Teams
from pedro_env.tables import tables_of
from pedro_env.variants import VARIANTS, make_rules
from tests.support import lopsided_pack, random_actions

SOLVED = [name for name in VARIANTS if make_rules(name).teams is Teams.PARTNERS]
ROOT = Path(__file__).parents[1]
HOUSE_RULES: list[tuple[str, dict[str, Any]]] = [
    ("pedro", {"follow": "strict", "lead_trump": True}),
    ("pedro", {"follow": "free", "keep_plain": True}),
    ("pedro", {"six_at_most": "discard"}),
    ("pedro", {"six_at_most": "counts_for_opponents", "scoring": "foster"}),
    ("pedro", {"rob_discards": True, "slam": True}),
    ("pedro-sancho", {"teams": "partners"}),
    ("pedro-sancho", {"teams": "partners", "deal_all": True}),
    ("dom-pedro", {"teams": "partners", "exchange": True}),
    ("sixty-three", {"exchange": "fill"}),
    ("eighty-three", {"exchange": "fill"}),
]
GAMES = [*((name, {}) for name in SOLVED), *HOUSE_RULES]
every_game = pytest.mark.parametrize(("variant", "options"), GAMES, ids=lambda value: str(value).replace(" ", ""))


def endings(rules: Rules, seed: int, n: int, most: int) -> tuple[Batch, np.ndarray]:
    """Games played at random until the hands hold few cards that can be played, and the rows that are not over."""
    rng = np.random.default_rng(seed)
    trumps = rng.integers(4, size=n)
    batch = Batch(rules, seed, np.arange(n))
    for row in range(0, n, 2):
        batch.set_position(row, lopsided_pack(rules, row % 4, int(trumps[row]), rng), row % 4, [0, 0])
    enough = rng.integers(most - 4, most + 1, size=n)
    while True:
        playable = batch.state.hand & batch.tables.playable[batch.state.trump][:, None]
        playing = np.isin(batch.phase, (Phase.BURY, Phase.PLAY))
        rows = np.flatnonzero(~batch.over & ~(playing & (count(playable).sum(axis=1) <= enough)))
        if not len(rows):
            return batch, np.flatnonzero(~batch.over)
        batch.step(random_actions(batch, rng, trumps)[rows], rows)


def begin(rules: Rules, trump: np.ndarray, declarer: np.ndarray, hands: np.ndarray) -> tuple[Batch, np.ndarray]:
    """Deals of which the play is about to begin, and the rows in which there is somebody to lead to."""
    batch = Batch(rules, matches=np.arange(len(hands)))
    s = batch.state
    s.trump[:], s.declarer[:], s.contract[:], s.hand[:] = trump, declarer, 0, hands
    over = play.begin(batch.tables, s, np.arange(batch.n))
    return batch, np.setdiff1d(np.arange(batch.n), over)


def small_deals(rules: Rules, seed: int, n: int, hand: int) -> tuple[Batch, np.ndarray]:
    """The play about to begin in deals with few cards a hand, full of trumps; where they are buried, with a surplus."""
    rng = np.random.default_rng(seed)
    rules = replace(rules, hand=hand)
    trumps, declarers = rng.integers(4, size=(2, n))
    hands = [_small_hands(rules, *pair, rng) for pair in zip(trumps.tolist(), declarers.tolist(), strict=True)]
    return begin(rules, trumps, declarers, np.array(hands))


def _small_hands(rules: Rules, trump: int, declarer: int, rng: np.random.Generator) -> list[np.uint64]:
    t = tables_of(rules)
    weight = np.where(t.suit_of[trump, t.pack] == trump, 4.0, 1.0)
    pack = rng.choice(t.pack, size=len(t.pack), replace=False, p=weight / weight.sum()).tolist()
    hands = [pack[seat * rules.hand : (seat + 1) * rules.hand] for seat in range(4)]
    if rules.surplus in (Surplus.BURY_FIRST_TRICK, Surplus.BURY_EACH_TRICK):
        trumps, points = t.trumps[trump], t.point_cards[trump]
        spare = [card for card in pack[4 * rules.hand :] if BIT[card] & trumps & ~points]
        for cards in hands:
            if all(BIT[card] & trumps for card in cards):
                more = int(rng.integers(0, len(spare) + 1))
                cards += spare[:more]
                spare = spare[more:]
    if rules.exchange is Exchange.SHED_AND_FOLD and rng.random() < 0.3:
        hands[(declarer + int(rng.integers(1, 4))) % 4] = []
    return [from_cards(cards) for cards in hands]


def compare(batch: Batch, rows: np.ndarray) -> None:
    """The solver says what the engine finds by playing everything."""
    by_action = plain.action_values(batch, rows)
    np.testing.assert_array_equal(solve(batch, rows).by_action, by_action)
    np.testing.assert_array_equal(value(batch, rows), best(batch, rows, by_action))
    agrees_with_itself(batch, rows)


def agrees_with_itself(batch: Batch, rows: np.ndarray) -> None:
    """An action is worth what the position after it is worth, and the line leads there by the lowest best cards."""
    solution = solve(batch, rows)
    parent, action = np.nonzero(~np.isnan(solution.by_action))
    after = batch.take(rows[parent])
    after.step(action)
    values, going = declarers_points(after), np.flatnonzero(~after.over)
    values[going] = value(after, going)
    np.testing.assert_array_equal(solution.by_action[parent, action], values)
    np.testing.assert_array_equal(solution.value, best(batch, rows, solution.by_action))
    lowest = (solution.by_action == solution.value[:, None]).argmax(axis=1)
    np.testing.assert_array_equal(solution.line[:, 0], lowest)
    played = batch.take(rows)
    follow(played, solution.line)
    np.testing.assert_array_equal(declarers_points(played), solution.value)


def best(batch: Batch, rows: np.ndarray, by_action: np.ndarray) -> np.ndarray:
    """The best of the values by action for the side to act."""
    side_of, s = batch.tables.side_of, batch.state
    mine = side_of[s.to_act[rows]] == side_of[s.declarer[rows]]
    return np.where(mine, np.nanmax(by_action, axis=1), np.nanmin(by_action, axis=1))


def follow(batch: Batch, line: np.ndarray) -> None:
    """Play lines of actions; they must be as long as the deals."""
    for actions in line.T:
        rows = np.flatnonzero(actions >= 0)
        assert not batch.over[rows].any()
        batch.step(actions[rows], rows)
    assert batch.over.all()


def declarers_points(batch: Batch) -> np.ndarray:
    s = batch.state
    return s.points[np.arange(batch.n), batch.tables.side_of[s.declarer]]


@every_game
def test_endings(variant: str, options: Mapping[str, Any]) -> None:
    batch, rows = endings(make_rules(variant, options), seed=1, n=120, most=11)
    assert len(rows) > 40
    compare(batch, rows)


@every_game
def test_small_deals_from_the_first_lead(variant: str, options: Mapping[str, Any]) -> None:
    for seed in range(2):
        batch, rows = small_deals(make_rules(variant, options), seed, n=25, hand=3)
        compare(batch, rows)


@pytest.mark.parametrize("variant", ["pedro", "california-100", "king-pedro", "tennessee", "pidro"])
def test_four_tricks(variant: str) -> None:
    compare(*small_deals(make_rules(variant), seed=7, n=3, hand=4))


# --- whole deals, too large for the plain solver


def first_leads(rules: Rules, seed: int, n: int) -> tuple[Batch, np.ndarray]:
    """Deals in which the cards are about to be played, and the rows that got there."""
    return endings(rules, seed, n, most=100)


@pytest.mark.parametrize("variant", ["pedro", "lipton", "oregon", "sixty-three", "tennessee"])
def test_whole_deals(variant: str) -> None:
    """At the first lead, and some decisions later."""
    batch, rows = first_leads(make_rules(variant), seed=3, n=40)
    rng = np.random.default_rng(3)
    for _ in range(3):
        agrees_with_itself(batch, rows)
        for _ in range(3):
            batch.step(random_actions(batch, rng)[rows], rows)
            rows = rows[~batch.over[rows]]


@pytest.mark.parametrize(("hand", "seed"), [(3, 1), (3, 13)])
def test_what_matters_once_in_hundreds_of_deals(hand: int, seed: int) -> None:
    """Deals among which one goes wrong when a position's key, or a bound, forgets a detail."""
    agrees_with_itself(*small_deals(make_rules("california-100"), seed, n=500, hand=hand))


@pytest.mark.parametrize("variant", ["pedro", "oregon", "king-pedro"])
def test_a_2_is_buried_where_nothing_else_can_be(variant: str) -> None:
    rules = replace(make_rules(variant), hand=2)
    t = tables_of(rules)
    rng = np.random.default_rng(9)
    pack = [card for card in t.pack.tolist() if not BIT[card] & t.point_cards[0]]
    points = to_cards(t.point_cards[0] & ~t.two[0])
    hands = np.zeros((40, 4), np.uint64)
    for row in hands:
        rng.shuffle(pack)
        rng.shuffle(points)
        full = [*points[:2], *to_cards(t.two[0])]
        row[:] = np.roll([from_cards(cards) for cards in (full, pack[:2], pack[2:4], pack[4:6])], rng.integers(4))
    batch, rows = begin(rules, np.zeros(40, np.int8), np.arange(40) % 4, hands)
    compare(batch, rows)
    twos = count(batch.state.hand[rows] & t.two[0]).sum(axis=1)
    assert {0, 1} == set(twos.tolist())  # buried at once by a leader, later by the others


@every_game
def test_suits_and_seats_have_no_names(variant: str, options: Mapping[str, Any]) -> None:
    rules = make_rules(variant, options)
    found, rows = first_leads(rules, seed=4, n=12) if not rules.deal_all else endings(rules, seed=4, n=12, most=20)
    s = found.take(rows).state
    hands = s.hand
    batch, rows = begin(rules, s.trump, s.declarer, hands)
    expected = solve(batch, rows)

    new_suit = np.array([2, 0, 3, 1])  # keeps the suits of a colour together
    new_card = np.arange(N_CARDS)
    new_card[: 4 * N_RANKS] = new_suit.repeat(N_RANKS) * N_RANKS + np.tile(np.arange(N_RANKS), 4)
    renamed = np.array([[from_cards(new_card[to_cards(hand)]) for hand in row] for row in hands])
    other, same_rows = begin(rules, new_suit[s.trump], s.declarer, renamed)
    np.testing.assert_array_equal(same_rows, rows)
    solution = solve(other, rows)
    np.testing.assert_array_equal(solution.value, expected.value)
    np.testing.assert_array_equal(solution.by_action[:, new_card], expected.by_action[:, :N_CARDS])

    turned, same_rows = begin(rules, s.trump, (s.declarer + 1) % 4, np.roll(hands, 1, axis=1))
    np.testing.assert_array_equal(same_rows, rows)
    solution = solve(turned, rows)
    np.testing.assert_array_equal(solution.by_action, expected.by_action)
    np.testing.assert_array_equal(solution.line, expected.line)


def test_a_position_alone_is_solved_as_among_others() -> None:
    batch, rows = endings(make_rules("california-100"), seed=5, n=30, most=20)
    together = solve(batch, rows)
    for place, row in enumerate(rows):
        alone = solve(batch, np.array([row]))
        np.testing.assert_array_equal(alone.by_action[0], together.by_action[place])
        length = (together.line[place] >= 0).sum()
        np.testing.assert_array_equal(alone.line[0][:length], together.line[place][:length])


def test_nothing_to_solve() -> None:
    batch = Batch(make_rules("pedro"))
    solution = solve(batch, np.zeros(0, np.int64))
    assert solution.value.shape == (0,)
    assert solution.by_action.shape == (0, batch.actions.n)


# --- what is not solved


@pytest.mark.parametrize(("variant", "word"), [("isle-madame", "fold"), ("canadian", "fold"), ("tennessee", "concede")])
def test_leaving_by_choice_is_never_chosen_and_has_no_value(variant: str, word: str) -> None:
    rules = make_rules(variant)
    batch, rows = endings(rules, seed=6, n=30, most=24)
    action = batch.actions.id_of(word)
    assert not_modelled(rules) == (word,)
    assert batch.mask(rows)[:, action].any()
    solution = solve(batch, rows)
    assert np.isnan(solution.by_action[:, action]).all()
    assert not (solution.line == action).any()


@pytest.mark.parametrize("variant", ["five-handed", "railroad", "pedro-sancho"])
def test_games_without_fixed_partners_are_refused(variant: str) -> None:
    batch = Batch(make_rules(variant))
    for solver in (solve, plain.action_values):
        with pytest.raises(AgentError, match=f"needs two sides of fixed partners; '{variant}' here has teams="):
            solver(batch, np.array([0]))
    with pytest.raises(AgentError, match="fixed partners"):
        make_agent("open", batch.rules)


def test_other_phases_are_refused() -> None:
    batch = Batch(make_rules("pedro"), matches=np.arange(3))
    with pytest.raises(AgentError, match="row 2 is in the phase 'bid'; the solver solves the phases 'bury' and 'play'"):
        value(batch, np.array([2]))


def test_without_numba_one_line_says_what_to_install() -> None:
    program = (
        "import sys; sys.modules['numba'] = None\n"
        "from agents.registry import make_agent; from pedro_env.variants import make_rules\n"
        "try: make_agent('open', make_rules('pedro'))\n"
        "except ValueError as error: print(error)\n"
        "try: import agents.search.solver\n"
        "except ImportError as error: print(error)\n"
    )
    out = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert out.splitlines() == [
        "agent 'open' needs the package numba: pip install -e '.[search]'",
        "the solver needs numba: pip install -e '.[search]'",
    ]


# --- the agent


def test_open_takes_the_lowest_of_the_best_cards() -> None:
    batch, rows = endings(make_rules("california-100"), seed=8, n=60, most=24)
    values = action_values(batch.tables, batch.state, rows)
    chosen = make_agent("open", batch.rules).act(batch.views(rows, sees_everything=True))
    np.testing.assert_array_equal(chosen, (values == best(batch, rows, values)[:, None]).argmax(axis=1))
    assert (batch.phase[rows] == Phase.BURY).any()


@pytest.mark.parametrize("variant", ["pedro", "tennessee", "isle-madame"])
def test_open_beats_heuristic_1(variant: str) -> None:
    points = play_duplicate("open", "heuristic-1", make_rules(variant), 60).points
    assert points.low is not None
    assert points.low > 0


def test_open_bids_as_it_is_told() -> None:
    batch = Batch(make_rules("pedro"), matches=np.arange(50))
    for rest in ("heuristic-1", "random"):
        agent, bidder = make_agent(f"open:rest={rest}", batch.rules), make_agent(rest, batch.rules)
        views = batch.views(sees_everything=True)
        np.testing.assert_array_equal(agent.act(views), bidder.act(batch.views()))


def test_open_is_no_policy_to_export(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert export(["open", str(tmp_path / "open.onnx")]) == 2
    assert "open" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
