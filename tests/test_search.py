"""Agents that search in worlds (``agents.search.pimc``): honest, legal, the same in any batch, and strong."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

pytest.importorskip("numba")

from agents.arena import play_duplicate
from agents.errors import AgentError
from agents.registry import make_agent
from agents.search.outcome import play_to_the_cards
from agents.search.pimc import PimcAgent
from agents.search.solver import solve
from agents.search.utility import gains
from agents.search.weigh import SLIP, log_likelihood, weighed_worlds
from pedro_env.actions import FIRST_BID, PASS, Phase
from pedro_env.engine import Batch
from pedro_env.rules import Rules, Teams
from pedro_env.variants import VARIANTS, make_rules
from pedro_env.worlds import worlds_of
from tests.support import random_actions, random_deals
from tests.test_solver import GAMES, endings, follow

SOLVED = [name for name in VARIANTS if make_rules(name).teams is Teams.PARTNERS]
solved = pytest.mark.parametrize("variant", SOLVED)


# --- what points are worth


@pytest.mark.parametrize(("variant", "options"), GAMES, ids=lambda value: str(value).replace(" ", ""))
def test_a_value_is_worth_the_score_of_the_deal_that_is_played_so(variant: str, options: Mapping[str, Any]) -> None:
    """The line of best play, played by the engine, changes scores by what ``gains`` says."""
    batch, rows = endings(make_rules(variant, options), seed=2, n=40, most=11)
    batch = batch.take(rows)
    solution = solve(batch)
    side = batch.tables.side_of[batch.to_act]
    said = gains(batch.tables, batch.state, side, solution.value[:, None].astype(float), "score")[:, 0]
    follow(batch, solution.line)
    change = batch.state.score_change.astype(float)
    games = np.arange(batch.n)
    found = change[games, side] - change[games, 1 - side]
    lost = batch.state.points.sum(axis=1) != batch.state.points.sum(axis=1).max()  # points that nobody took
    np.testing.assert_array_equal(said[~lost], found[~lost])


def test_points_are_worth_themselves_to_the_declarer() -> None:
    batch, rows = endings(make_rules("pedro"), seed=2, n=20, most=11)
    s, t = batch.take(rows).state, batch.tables
    values = solve(batch, rows).by_action
    declares = t.side_of[s.to_act] == t.side_of[s.declarer]
    assert len(set(declares.tolist())) == 2
    found = gains(t, s, t.side_of[s.to_act], values, "points")
    np.testing.assert_array_equal(found, np.where(declares[:, None], values, -values))


# --- the agents


@solved
def test_legal_in_every_phase(variant: str) -> None:
    """The engine refuses what is not."""
    batch, rng, trumps = random_deals(variant, seed=1, n=3)
    agent = make_agent("pimc:worlds=1,bidding=solver", batch.rules)
    while not batch.over.all():
        actions = random_actions(batch, rng, trumps)
        rows = np.flatnonzero(~batch.over & (rng.random(batch.n) < 0.2))
        if len(rows):
            actions[rows] = agent.act(batch.views(rows))
        batch.step(actions)


@pytest.mark.parametrize(
    "spec", ["pimc:worlds=3,bidding=solver", "pimc:worlds=3,weigh=morehead", "search:policy=heuristic-2,worlds=3"]
)
@pytest.mark.parametrize("variant", ["pedro", "california-100", "king-pedro"])
def test_decisions_do_not_depend_on_the_batch(spec: str, variant: str) -> None:
    batch, rng, _ = random_deals(variant, seed=5, n=6)
    agent, other = make_agent(spec, batch.rules), make_agent(spec, batch.rules)
    number = 0
    while not batch.over.all():
        views = batch.views()
        if number % 5 == 0:
            order = rng.permutation(len(views))
            parts = [other.act(views.take(part)) for part in np.array_split(order, 3) if len(part)]
            np.testing.assert_array_equal(agent.act(views)[order], np.concatenate(parts))
        batch.step(random_actions(batch, rng))
        number += 1


def test_it_never_asks_for_the_full_state() -> None:
    for spec in ("pimc", "pimc:bidding=solver", "search:policy=heuristic-1"):
        assert not make_agent(spec, make_rules("pedro")).sees_everything


def test_search_bids_as_its_policy_and_plays_as_pimc() -> None:
    batch = Batch(make_rules("pedro"), matches=np.arange(12))
    search = make_agent("search:policy=heuristic-2,worlds=3", batch.rules)
    policy, pimc = make_agent("heuristic-2", batch.rules), make_agent("pimc:worlds=3", batch.rules)
    np.testing.assert_array_equal(search.act(batch.views()), policy.act(batch.views()))
    play_to_the_cards(batch, policy)
    views = batch.views()
    np.testing.assert_array_equal(search.act(views), pimc.act(views))


def test_where_all_cards_are_known_it_plays_as_with_open_cards() -> None:
    """The whole pack in hands, two others have run out of what is left: all worlds are the deal itself."""
    rules = make_rules("pedro-sancho", {"teams": "partners", "deal_all": True})
    batch, rng = Batch(rules, seed=2, matches=np.arange(300)), np.random.default_rng(2)
    pimc, sees_all = make_agent("pimc:worlds=8,objective=points", rules), make_agent("open", rules)
    compared = 0
    while not batch.over.all():
        rows = np.flatnonzero((batch.state.trick >= 10) & (batch.mask().sum(axis=1) > 1))
        if len(rows):
            many = worlds_of(batch.views(rows), 8).state.hand.reshape(len(rows), 8, 4)
            certain = rows[(many == batch.state.hand[rows][:, None]).all(axis=(1, 2))]
            views = batch.views(certain, sees_everything=True)
            np.testing.assert_array_equal(pimc.act(batch.views(certain)), sees_all.act(views))
            compared += len(certain)
        batch.step(random_actions(batch, rng))
    assert compared > 8


def test_what_cannot_be_is_said_in_a_line() -> None:
    rules = make_rules("pedro")
    for spec, message in (
        ("search", "agent 'search' needs an agent that bids: search:policy=FILE"),
        ("pimc:worlds=0", "worlds must be at least 1, not 0"),
        ("pimc:objective=match", "'objective' cannot be 'match'; it is 'points' or 'score'"),
        ("pimc:bidding=nobody", "unknown agent 'nobody'"),
    ):
        with pytest.raises(AgentError, match=message):
            make_agent(spec, rules)
    with pytest.raises(AgentError, match="fixed partners"):
        make_agent("pimc", make_rules("railroad"))


def test_decisions_in_partial_worlds_are_counted() -> None:
    faces_up = make_rules("pedro", {"rob_discards": True, "discard_face_up": True})
    for rules, counted in ((faces_up, True), (make_rules("tennessee"), True), (make_rules("pedro"), False)):
        batch, rng = Batch(rules, matches=np.arange(2)), np.random.default_rng(1)
        agent = PimcAgent(rules, worlds=2)
        while not batch.over.all():
            agent.act(batch.views())
            batch.step(random_actions(batch, rng))
        assert (agent.partial > 0) == counted


# --- bids


class TestWeighing:
    @staticmethod
    def auctions(rules: Rules, spec: str, n: int) -> Batch:
        """Deals after an auction between agents of one kind, and the first decision after it that is left to a seat."""
        batch, agent = Batch(rules, seed=3, matches=np.arange(n)), make_agent(spec, rules)
        while True:
            rows = np.flatnonzero(np.isin(batch.phase, (Phase.DARK, Phase.BID)))
            if not len(rows):
                return batch
            batch.step(agent.act(batch.views(rows)), rows)

    @solved
    def test_what_an_agent_did_it_would_have_done(self, variant: str) -> None:
        """The game as it is: at each turn with a choice the others did what the agent does."""
        rules = make_rules(variant)
        batch = self.auctions(rules, "morehead", 30)
        batch = batch.take(np.flatnonzero(~batch.over))
        found = log_likelihood(batch, make_agent("morehead", rules))
        turns = np.round(found / np.log(1 - SLIP))
        np.testing.assert_allclose(found, turns * np.log(1 - SLIP), atol=1e-9)
        assert turns.max() >= 3
        assert log_likelihood(batch, make_agent("random", rules)).mean() < found.mean()

    def test_one_auction_by_hand(self) -> None:
        rules = make_rules("pedro")
        batch = Batch(rules)
        dealer = int(batch.state.dealer[0])
        for action in (PASS, FIRST_BID + 1, PASS, PASS):
            batch.step(np.array([action]))

        class Says:
            name, sees_everything = "says", False

            def act(self, views: Any) -> np.ndarray:
                raise AssertionError("it has probabilities")

            def probabilities(self, views: Any) -> np.ndarray:
                said = np.zeros(views.mask.shape)
                said[:, PASS], said[:, FIRST_BID + 1] = 0.7, 0.3
                return said

        # The declarer looks; of the others each passed: 9, 7 and 7 actions were legal (a pass, and the higher bids).
        assert batch.to_act[0] == (dealer + 2) % 4
        expected = sum(np.log((1 - SLIP) * 0.7 + SLIP / legal) for legal in (9, 7, 7))
        assert log_likelihood(batch, Says())[0] == pytest.approx(expected)

    def test_worlds_are_drawn_by_it(self) -> None:
        rules = make_rules("pedro")
        agent = make_agent("heuristic-1", rules)
        batch = self.auctions(rules, "heuristic-1", 60)
        views = batch.views()
        plain, weighed = worlds_of(views, 20), weighed_worlds(views, 20, agent)
        assert weighed.n == plain.n
        assert log_likelihood(weighed, agent).mean() > log_likelihood(plain, agent).mean() + 0.3
        rows = np.repeat(views.game, 20)
        assert (weighed.observe() == batch.observe(rows)).all()


def test_a_policy_says_its_probabilities() -> None:
    pytest.importorskip("torch")
    from agents.network import NetworkShape, PolicyValueNetwork
    from agents.policy import NetworkAgent

    batch = Batch(make_rules("pedro"), matches=np.arange(20))
    agent = NetworkAgent(PolicyValueNetwork(batch.layout, NetworkShape(width=16, layers=1)))
    views = batch.views()
    said = agent.probabilities(views)
    np.testing.assert_allclose(said.sum(axis=1), 1)
    assert (said[~views.mask] == 0).all()
    np.testing.assert_array_equal(said.argmax(axis=1), agent.act(views))
    assert (log_likelihood(batch, agent) == 0).all()  # nobody has bid


# --- strength


@pytest.mark.slow
def test_each_is_stronger_than_the_next() -> None:
    rules = make_rules("pedro")
    pairs = (("open", "pimc", 100), ("pimc", "heuristic-1", 250), ("heuristic-1", "morehead", 200))
    for a, b, deals in (*pairs, ("morehead", "random", 100)):
        points = play_duplicate(a, b, rules, deals, seed=0).points
        assert points.low is not None
        assert points.low > 0, f"{a} - {b}: {points}"


def test_pimc_beats_morehead() -> None:
    points = play_duplicate("pimc:worlds=5", "morehead", make_rules("pedro"), 60, seed=1).points
    assert points.low is not None
    assert points.low > 0
