"""Positions as options of a reset, the full state, and clones that hide what a seat does not know."""

from __future__ import annotations

import random
from typing import Any

import gymnasium
import numpy as np
import pytest
from pettingzoo.test.state_test import test_state_space as check_state_space

import pedro_env
from pedro_env import VARIANTS, IllegalAction, make_rules
from pedro_env.cards import card_name
from pedro_env.cardset import to_bool
from pedro_env.full_state import full_layout
from tests.support import decisions, names, one_game, stacked_pack
from tests.test_aec import choose, is_over, play

every_variant = pytest.mark.parametrize("variant", VARIANTS)

ACTIONS = ["pass", "9", "pass", "pass", "S"]


def position(**changes: Any) -> dict[str, Any]:
    pack = stacked_pack(make_rules("pedro"), 2, {0: "AS KS 5S", 3: "QS JS TS 2S"})
    return {"pack": pack, "dealer": 2, "scores": [12, 5], "actions": ACTIONS, **changes}


# --- positions


@pytest.mark.parametrize("make", [pedro_env.env, pedro_env.raw_env])
def test_a_reset_sets_up_a_position(make: Any) -> None:
    env = make("pedro")
    pack = [card_name(card) for card in position()["pack"]]
    env.reset(seed=3, options=position(pack=pack, match=7))
    game = one_game(make_rules("pedro"), position()["pack"], 2, [12, 5])
    for action in ACTIONS:
        game.step(np.array([game.actions.parse(action, pedro_env.Phase(game.phase[0]))]))
    assert env.agent_selection == f"player_{game.to_act[0]}"
    for seat, agent in enumerate(env.possible_agents):
        assert (env.observe(agent)["observation"] == game.observe(np.array([0]), np.array([seat]))[0]).all()
        assert env.infos[agent]["scores"] == (12, 5)
        assert env.infos[agent]["match"] == 7
    assert (env.infos[env.agent_selection]["action_mask"] == game.mask()[0]).all()


def test_numbers_do_as_well_as_names_and_everything_may_be_left_out() -> None:
    env, other = pedro_env.raw_env("pedro"), pedro_env.raw_env("pedro")
    env.reset(seed=5, options={"actions": ["pass", "7"]})
    other.reset(seed=5)
    for action in ("pass", "7"):
        other.step(other.batch.actions.parse(action, pedro_env.Phase.BID))
    assert (env.state() == other.state()).all()
    env.reset(seed=5, options={"actions": np.array([58, 59]), "scores": (0, 0)})
    assert (env.state() == other.state()).all()
    env.reset(seed=5, options={"dealer": 1})
    assert env.agent_selection == "player_2"
    env.reset()
    assert env.infos["player_0"]["match"] == 1


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"packs": []}, r"options has no key 'packs'; it has 'match', 'pack', 'dealer', 'scores', 'actions'"),
    ({"pack": "AS"}, r"options\['pack'\] cannot be 'AS'; it is a list"),
    ({"pack": ["AS"]}, r"options\['pack'\] has 1 cards; the pack of 'pedro' has 52: 2S 3S 4S 5S 6S … missing"),
    ({"pack": ["AS"] * 52}, r"options\['pack'\] has AS 52 times"),
    ({"pack": ["1S"]}, r"options\['pack'\] has '1S', which is no card; a card is a name \('TH', 'XB'\) or a number"),
    ({"pack": [99]}, r"options\['pack'\] has 99, which is no card"),
    ({"pack": ["XB"]}, r"options\['pack'\] has XB, which is not in the pack of 'pedro'"),
    ({"dealer": 4}, r"options\['dealer'\] cannot be 4; it is a seat from 0 to 3"),
    ({"dealer": "player_0"}, r"options\['dealer'\] cannot be 'player_0'"),
    ({"scores": [1]}, r"options\['scores'\] cannot be \[1\]; they are 2 whole numbers from -10000 to 10000"),
    ({"scores": [1, 0.5]}, r"options\['scores'\] cannot be"),
    ({"actions": "pass"}, r"options\['actions'\] cannot be 'pass'; it is a list"),
    ({"actions": ["pass"] * 4}, r"options\['actions'\]: action 4 \('pass'\) is not legal in phase bid, seat \d; legal"),
    ({"actions": ["AS"]}, r"options\['actions'\]: action 1 \('AS'\) is not legal"),
    ({"actions": [None]}, r"options\['actions'\]: action 1 \(None\) is not legal"),
]  # fmt: skip


@pytest.mark.parametrize(("options", "message"), WRONG)
def test_wrong_options_name_what_is_right_and_change_nothing(options: dict[str, Any], message: str) -> None:
    env = pedro_env.raw_env("pedro")
    env.reset(seed=3)
    env.step(choose(env, random.Random(0)))
    before, agent = env.state(), env.agent_selection
    with pytest.raises(ValueError, match=message) as error:
        env.reset(seed=4, options=options)
    assert "\n" not in str(error.value)
    assert (env.state() == before).all()
    assert env.agent_selection == agent
    env.step(choose(env, random.Random(0)))
    env.reset()
    assert (env.infos["player_0"]["seed"], env.infos["player_0"]["match"]) == (3, 1)


def test_actions_must_leave_a_decision() -> None:
    env = pedro_env.raw_env("king-pedro")
    with pytest.raises(ValueError, match=r"options\['actions'\] end the deal after action 4; leave"):
        env.reset(seed=0, options={"actions": ["pass"] * 4})
    with pytest.raises(ValueError, match=r"action 5 \('pass'\) comes after the end of the deal"):
        env.reset(seed=0, options={"actions": ["pass"] * 5})
    assert issubclass(IllegalAction, ValueError)


class TestGymnasium:
    def test_given_actions_are_taken_and_opponents_play_from_there(self) -> None:
        env = gymnasium.make("pedro_env/Pedro-v0", disable_env_checker=True, seat=1)
        _, info = env.reset(seed=3, options=position())
        state = env.unwrapped.batch.state  # pyright: ignore[reportAttributeAccessIssue]
        assert (state.declarer[0], state.contract[0], state.dealer[0]) == (0, 2, 2)
        assert info["scores"].tolist() == [12, 5]
        assert info["seat"] == 1

    def test_the_learners_own_past_actions_are_given_too(self) -> None:
        env = gymnasium.make("pedro_env/Pedro-v0", disable_env_checker=True, seat=3)
        env.reset(seed=3, options=position(actions=["8"]))
        state = env.unwrapped.batch.state  # pyright: ignore[reportAttributeAccessIssue]
        assert state.shown[0, 3] == 0
        assert env.unwrapped.batch.seat_mark(0, 3, "bid")[1] == 1  # pyright: ignore[reportAttributeAccessIssue]

    def test_wrong_options(self) -> None:
        env = gymnasium.make("pedro_env/Pedro-v0", disable_env_checker=True)
        env.reset(seed=1)
        with pytest.raises(ValueError, match="options has no key 'card'"):
            env.reset(options={"card": 1})
        env.reset(seed=1)


# --- the full state


@every_variant
def test_the_full_state_has_every_card_and_the_layout_says_where(variant: str) -> None:
    layout = full_layout(make_rules(variant))
    where = {field.name: field.slice for field in layout.fields}
    for batch in decisions(variant, 2, n=3):
        s, rows = batch.state, np.arange(batch.n)
        full = batch.observe_all()
        assert full.shape == (batch.n, layout.width)
        assert full.dtype == np.uint8
        assert (full[:, : batch.layout.width] == batch.observe(rows, np.zeros(batch.n, int))).all()
        width = where["hand"].stop - where["hand"].start
        everything = np.zeros((batch.n, width), np.uint8)
        for seat in range(batch.rules.seats):
            name = f"hand_{seat}" if seat else "hand"
            assert (full[:, where[name]] == to_bool(s.hand[:, [seat]], width)).all()
            for kind in ("hand", "laid_aside"):
                name = f"{kind}_{seat}" if seat else kind
                if name in where:
                    everything |= full[:, where[name]]
            everything |= full[:, where[f"shown_{seat}"]]
        for name in ("open", "stock_left", "kitty", "undealt"):
            everything |= full[:, where[name]]
        assert (everything.sum(axis=1) == len(batch.tables.pack)).all()
        columns = np.concatenate([np.arange(field.start, field.start + field.width) for field in layout.fields])
        assert len(set(columns.tolist())) == len(columns)
        assert not np.delete(full, columns, axis=1).any()
        assert (batch.observe_all(np.array([2, 0])) == full[[2, 0]]).all()


@every_variant
def test_state_and_its_space(variant: str) -> None:
    env = pedro_env.env(variant)
    env.reset(seed=1)
    check_state_space(env)
    raw = env.unwrapped
    for _ in play(raw, random.Random(1)):
        state = env.state()
        assert env.state_space.contains(state)
        assert (state == raw.batch.observe_all()[0]).all()
    state[:] = 1
    assert env.state().min() == 0


# --- clones


@pytest.mark.parametrize("make", [pedro_env.env, pedro_env.raw_env])
def test_a_clone_is_exact_and_independent(make: Any) -> None:
    env = make("pedro", "match")
    env.reset(seed=2)
    rng = random.Random(0)
    for _ in range(12):
        env.step(choose(env, rng))
    other = env.clone()
    assert type(other) is type(env)
    before = env.state()
    one, two = random.Random(1), random.Random(1)
    for _ in range(80):
        other.step(choose(other, one))
    assert (env.state() == before).all()
    for _ in range(80):
        env.step(choose(env, two))
    assert (env.state() == other.state()).all()
    assert env.infos[env.agent_selection]["deal"] > 0


@pytest.mark.parametrize(
    ("make", "variant"),
    [(pedro_env.env, "pedro"), (pedro_env.raw_env, "cinch"), (pedro_env.raw_env, "pedro-sancho")],
)
def test_a_clone_hides_what_a_seat_does_not_know(make: Any, variant: str) -> None:
    env = make(variant)
    env.reset(seed=2)
    rng, hidden = random.Random(0), 0
    while not is_over(env):
        if rng.random() < 0.6:
            env.step(choose(env, rng))
            continue
        for agent in (env.agent_selection, env.possible_agents[0]):
            other = env.clone(hide_from=agent, seed=5)
            again = env.clone(hide_from=env.possible_agents.index(agent), seed=5)
            assert (other.state() == again.state()).all()
            hidden += not np.array_equal(other.state(), env.state())
            for name in ("observation", "action_mask"):
                assert (other.observe(agent)[name] == env.observe(agent)[name]).all()
            assert other.agent_selection == env.agent_selection
            acting = other.agent_selection
            assert (other.observe(acting)["action_mask"] == other.infos[acting]["action_mask"]).all()
            for _ in play(other, random.Random(1)):
                pass
            assert sum(other.rewards.values()) == pytest.approx(0)
        env.step(choose(env, rng))
    assert hidden > 5
    assert np.array_equal(env.clone(hide_from=0).state(), env.state())


def test_a_clone_can_be_played_within_the_loop_that_it_was_made_in() -> None:
    env = pedro_env.env()
    env.reset(seed=3)
    lengths = []
    for agent in env.agent_iter():
        _, _, termination, truncation, info = env.last()
        if len(lengths) < 9 and not termination:
            copy = env.clone(hide_from=agent, seed=1)
            length = 0
            for _ in copy.agent_iter():
                *_, ended, cut_off, copied = copy.last()
                copy.step(None if ended or cut_off else int(copied["action_mask"].argmax()))
                length += 1
            lengths.append(length)
        env.step(None if termination or truncation else int(info["action_mask"].argmax()))
    # Eight decisions later: other cards in a copy may take a decision or two more, to rob or to bury.
    assert lengths[0] > lengths[8] > 20


def test_wrong_clones() -> None:
    env = pedro_env.env("pedro")
    with pytest.raises(AttributeError, match="call reset"):
        env.clone()
    env.reset(seed=1)
    for wrong in ("player_4", 4, -1, 1.0):
        with pytest.raises(ValueError, match=r"hide_from cannot be .*; it is one of player_0, .* from 0 to 3"):
            env.clone(hide_from=wrong)
    with pytest.raises(ValueError, match="seed=1 is of use only with hide_from"):
        env.clone(seed=1)
    with pytest.raises(ValueError, match="seed cannot be -1"):
        env.clone(hide_from=0, seed=-1)


def test_a_clone_holds_other_cards_in_the_deals_to_come() -> None:
    env = pedro_env.raw_env("pedro", "match")
    env.reset(seed=2)
    first, second = env.clone(), env.clone(hide_from="player_0", seed=1)
    for other in (first, second):
        rng = random.Random(0)
        while other.infos["player_0"]["deal"] == 0:
            other.step(choose(other, rng))
    assert [names(cards) for cards in first.batch.state.hand[0]] != [names(c) for c in second.batch.state.hand[0]]
