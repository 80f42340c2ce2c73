"""What is learnt and what is frozen: parts of the deal, the solver, start scores, matches, league, best responses."""

from __future__ import annotations

import itertools
import json
import math
import re
from collections import Counter
from dataclasses import fields, replace

import numpy as np
import pytest

torch = pytest.importorskip("torch")
for package in ("safetensors", "tensorboard", "yaml"):
    pytest.importorskip(package)

from safetensors import safe_open  # noqa: E402

from agents import checkpoint, training  # noqa: E402
from agents.arena import play_unit  # noqa: E402
from agents.choice import count_legal  # noqa: E402
from agents.config import PPO, ConfigError, Evaluation, Learning, TrainConfig, from_dict  # noqa: E402
from agents.errors import AgentError  # noqa: E402
from agents.inputs import places, used_columns  # noqa: E402
from agents.network import NetworkShape, PolicyValueNetwork  # noqa: E402
from agents.parallel import Group  # noqa: E402
from agents.parts import BIDDING_PHASES, check_rest  # noqa: E402
from agents.policy import NetworkAgent, PolicyAgent  # noqa: E402
from agents.ppo import Learner  # noqa: E402
from agents.precision import Precision  # noqa: E402
from agents.registry import make_agent  # noqa: E402
from agents.rollout import Tables, collect, match_rewards  # noqa: E402
from agents.scalars import scalars_of  # noqa: E402
from agents.setting import Setting, make_setting, make_settings  # noqa: E402
from agents.start_scores import SCORE_DEALS, scores_in_matches  # noqa: E402
from pedro_env.actions import Phase  # noqa: E402
from pedro_env.cards import NONE  # noqa: E402
from pedro_env.engine import Batch  # noqa: E402
from pedro_env.layout import layout_of  # noqa: E402
from pedro_env.variants import make_rules  # noqa: E402
from tests.test_training import PEDRO, TINY, TINY_FLAGS, assert_same, run  # noqa: E402

pytestmark = pytest.mark.usefixtures("one_thread")

BIDDING = Setting(part="bidding", frozen=make_agent("heuristic-1", PEDRO))


class Asked:
    """The lowest legal action; keeps the phases and seats that it was asked about."""

    name = "asked"
    sees_everything = False

    def __init__(self):
        self.phases, self.places = Counter(), Counter()

    def act(self, views):
        self.phases.update(views.phase.tolist())
        self.places.update(zip(views.game.tolist(), views.seat.tolist(), strict=True))
        return views.mask.argmax(axis=1)


def network_for(rules, seed=0):
    return PolicyValueNetwork(layout_of(rules), NetworkShape(16, 1), seed)


def collected(setting, rules=PEDRO, n=20, past=None, others=0, gae_lambda=0.9):
    batch = Batch(rules, 5, np.arange(n))
    setting.begin(batch, np.random.default_rng(2))
    part = Tables(batch, others, np.random.default_rng(1), setting)
    decisions, sums = collect(network_for(rules), past, [part], gae_lambda)
    return batch, decisions, sums


def phases_of(decisions, rules):
    """The phase of each stored decision, read from what the network was shown."""
    layout = layout_of(rules)
    names = [field for field in layout.fields if field.name == "phase"]
    place = places(used_columns(layout, NetworkShape().inputs), names[0])
    bits = decisions.columns[:, place].numpy()
    assert (bits.sum(axis=1) == 1).all()
    return {Batch(rules).actions.phases[i] for i in np.unique(bits.argmax(axis=1))}


@pytest.mark.parametrize("variant", ["pedro", "louisiana", "monterey-widow", "five-handed"])
def test_only_decisions_of_the_learnt_part_are_stored(variant):
    rules = make_rules(variant)
    bidding = set(Batch(rules).actions.phases) & set(BIDDING_PHASES)
    for part, frozen_phases in (("bidding", set(Phase) - bidding), ("play", bidding)):
        frozen = Asked()
        _, decisions, _ = collected(Setting(part=part, frozen=frozen), rules)
        assert len(decisions)
        assert not phases_of(decisions, rules) & frozen_phases
        assert set(map(Phase, frozen.phases)) <= frozen_phases
        assert frozen.phases


def test_the_frozen_agent_decides_for_all_seats_that_learn_and_a_fixed_one_for_its_own():
    frozen, fixed = Asked(), Asked()
    setting = Setting(part="bidding", frozen=frozen, fixed=(fixed,), fixed_share=0.5)
    who = setting.seating(20, 4, 8)
    assert Counter(map(tuple, who.tolist())) == {(0, 0, 0, 0): 12, (2, 0, 2, 0): 2, (0, 2, 0, 2): 2} | {
        (1, 0, 1, 0): 2,
        (0, 1, 0, 1): 2,
    }
    collected(setting, past=network_for(PEDRO, 1), others=8)
    assert {tuple(place) for place in fixed.places} <= set(zip(*np.nonzero(who == 2), strict=True))
    assert set(map(Phase, fixed.phases)) >= {Phase.BID, Phase.PLAY}
    assert not {tuple(place) for place in frozen.places} & set(zip(*np.nonzero(who == 2), strict=True))
    assert {table for table, _ in frozen.places} == set(range(20))


def test_fixed_agents_have_equal_parts():
    setting = Setting(fixed=(Asked(), Asked()), fixed_share=1.0)
    assert np.bincount(setting.seating(40, 4, 40).ravel()).tolist() == [80, 0, 40, 40]
    assert (Setting().seating(6, 4, 2) == [[1, 0, 1, 0], [0, 1, 0, 1], *[[0, 0, 0, 0]] * 4]).all()


@pytest.mark.parametrize("variant", ["pedro", "pidro", "cinch", "tennessee", "king-pedro"])
def test_the_solvers_reward_is_that_of_best_play(variant):
    """Against the line of best play, taken move by move in the engine."""
    pytest.importorskip("numba")
    from agents.search.outcome import play_best, play_to_the_cards
    from agents.search.scored import end_at_value

    rules = make_rules(variant)
    batch = Batch(rules, 3, np.arange(12))
    scores = np.random.default_rng(0).integers(0, rules.target, (12, rules.sides)).astype(np.int16)
    batch.restart(np.arange(12), np.arange(12), scores)
    play_to_the_cards(batch, make_agent("heuristic-1", rules))
    played = batch.copy()
    play_best(played)
    end_at_value(batch)
    assert batch.over.all()
    for name in ("points", "score_change", "scores", "winner", "truncated"):
        np.testing.assert_array_equal(getattr(batch.state, name), getattr(played.state, name), name)


def test_solved_deals_are_learnt_from_with_the_solvers_score(monkeypatch):
    pytest.importorskip("numba")
    from agents.search.outcome import play_best

    begun = []
    solve = Setting.solve
    monkeypatch.setattr(Setting, "solve", lambda self, batch: (begun.append(batch.copy()), solve(self, batch)))
    batch, decisions, sums = collected(replace(BIDDING, solved=True), n=12)
    assert phases_of(decisions, PEDRO) <= set(BIDDING_PHASES)
    assert sums["decisions_8"] == 0
    (waiting,) = begun
    play_best(waiting)
    np.testing.assert_array_equal(batch.state.score_change, waiting.state.score_change)


def test_a_match_is_one_trajectory_with_its_reward_at_the_end(monkeypatch):
    """Against the definition, the slow way, from each seat's own values and the winner of its match."""
    gae_lambda = 0.9
    trajectories, deals = {}, set()
    original = Batch.step

    def step(batch, actions, rows=None):
        for table in np.flatnonzero(count_legal(batch.legal()) > 1).tolist():
            trajectories.setdefault((table, int(batch.to_act[table])), []).append(next(numbers))
            deals.add((table, int(batch.state.deal[table])))
        original(batch, actions, rows)

    numbers = iter(range(10**6))
    monkeypatch.setattr(Batch, "step", step)
    near = np.array([[55, 58], [58, 50], [48, 57]], np.int16)  # so that there are winners before a match is cut off
    batch, decisions, sums = collected(Setting(whole_match=True, scores=near), n=8, gae_lambda=gae_lambda)
    assert batch.match_over.all()
    assert set(batch.state.winner.tolist()) >= {0, 1}
    assert sums["deals"] == len(deals) > 8
    reward = match_rewards(batch)
    assert set(np.unique(reward)) <= {-1.0, 0.0, 1.0}
    for table, winner in enumerate(batch.state.winner.tolist()):
        expected = [0.0 if winner == NONE else 1.0 if seat % 2 == winner else -1.0 for seat in range(4)]
        assert reward[table].tolist() == expected
    assert sum(map(len, trajectories.values())) == len(decisions)
    for (table, seat), own in trajectories.items():
        values = [*decisions.value[own].tolist(), float(reward[table, seat])]
        advantage = 0.0
        for i in reversed(range(len(own))):
            advantage = values[i + 1] - values[i] + gae_lambda * advantage
            assert decisions.advantage[own[i]] == pytest.approx(advantage, abs=1e-4)


def test_start_scores_are_those_before_the_deals_of_matches():
    """Against the records of the same matches, played by the arena."""
    agent = make_agent("heuristic-1", PEDRO)
    found = scores_in_matches(agent, PEDRO, seed=4, matches=6)
    duel = play_unit(agent, agent, PEDRO, np.arange(6), SCORE_DEALS + 4, "match", {})
    expected = Counter()
    for record in duel.records:  # both tables of a pair are alike
        before = np.array(record["scores_after"]) - record["score_change"]
        expected[tuple(before.tolist())] += 1
    assert Counter({k: 2 * n for k, n in Counter(map(tuple, found.tolist())).items()}) == expected
    assert expected[0, 0] >= 12


def test_deals_begin_at_sampled_scores():
    scores = np.array([[0, 0], [55, 58], [-7, 40]], np.int16)
    batch = Batch(PEDRO, 0, np.arange(600))
    packs = batch.state.pack.copy()
    Setting(scores=scores).begin(batch, np.random.default_rng(3))
    seen = Counter(map(tuple, batch.state.scores.tolist()))
    assert set(seen) == set(map(tuple, scores.tolist()))
    assert min(seen.values()) > 150
    assert batch.state.bidder_out.sum() == seen[55, 58]
    np.testing.assert_array_equal(batch.state.pack, packs)
    before = batch.state.scores.copy()
    Setting().begin(batch, np.random.default_rng(3))
    np.testing.assert_array_equal(batch.state.scores, before)


FORGETFUL = """
class Agent:
    name, sees_everything = "forgetful", False
    def __init__(self, rules):
        self.match = {}
    def reset(self, games):
        for game in games.tolist():
            self.match.pop(game, None)
    def act(self, views):
        for game, match in zip(views.game.tolist(), views.match.tolist(), strict=True):
            if self.match.setdefault(game, match) != match:
                raise ValueError("another game came in between")
        return views.mask.argmax(axis=1)
"""


@pytest.mark.parametrize("changes", [{"exploit": "AGENT"}, {"learning": Learning(phases="play", frozen="heuristic-1")}])
def test_tables_that_take_turns_have_agents_of_their_own(changes, tmp_path):
    """An agent may keep something for the game of a number, and parts number theirs from 0."""
    file = tmp_path / "forgetful.py"
    file.write_text(FORGETFUL)
    agent = f"python:{file}:Agent"
    config = replace(TINY, selfplay=replace(TINY.selfplay, buffers=2, opponents=agent, past_share=0.5))
    config = replace(config, **{key: agent if value == "AGENT" else value for key, value in changes.items()})
    settings = make_settings(config, PEDRO, 2)
    assert settings[0].frozen is None or settings[0].frozen is not settings[1].frozen
    config = replace(config, budget=replace(TINY.budget, decisions=300), evaluation=Evaluation(times=0))
    assert run(tmp_path / "r", config).counters.decisions >= 300


class Highest(Asked):
    """The highest legal action: in the auction, where it is asked first, a bid that nobody can go over."""

    def act(self, views):
        return views.mask.shape[1] - 1 - views.mask[:, ::-1].argmax(axis=1)


def test_tables_may_have_nothing_to_learn_from():
    setting = replace(BIDDING, fixed=(Highest(),), fixed_share=1.0)
    network = network_for(PEDRO)

    def played(*matches):
        parts = [Tables(Batch(PEDRO, 5, np.array([m])), 1, np.random.default_rng(m), setting) for m in matches]
        return collect(network, None, parts, 0.9)

    decisions = [len(played(match)[0]) for match in range(12)]
    nothing, something = decisions.index(0), decisions.index(max(decisions))
    together, sums = played(nothing, something)
    alone, _ = played(something)
    assert len(together) == decisions[something] > 0
    assert sums["deals"] == 2
    for field in fields(together):
        assert torch.equal(getattr(together, field.name), getattr(alone, field.name)), field.name

    learner = Learner(network, PPO(), Precision(), Group())
    before = {name: value.clone() for name, value in network.state_dict().items()}
    empty, sums = played(nothing)
    sums |= learner.update(empty, 0.0, np.random.default_rng(0))
    assert all(torch.equal(before[name], value) for name, value in network.state_dict().items())
    assert sums["steps"] == sums["decisions"] == 0
    scalars = scalars_of(sums, ["highest"])
    assert math.isnan(scalars["loss/policy"])
    assert math.isnan(scalars["train/explained_variance"])


# --- agents that fail

FAILING = """
import multiprocessing

class Agent:
    name, sees_everything, left = "failing", False, LEFT
    def __init__(self, rules):
        pass
    def act(self, views):
        self.left -= WHERE
        if self.left < 0:
            raise RuntimeError("out of order")
        return views.mask.argmax(axis=1)
"""


def failing(folder, left, where="1"):
    """An agent that fails after so many calls; ``where`` is an expression for whether a call counts."""
    file = folder / "failing.py"
    file.write_text(FAILING.replace("LEFT", str(left)).replace("WHERE", where))
    return f"python:{file}:Agent"


@pytest.mark.parametrize(("flag", "left"), [("--selfplay.opponents", 150), ("--evaluation.yardstick", 0)])
def test_an_agent_that_fails_ends_the_run_and_what_was_learnt_is_kept(flag, left, tmp_path, capsys):
    flags = [flag, failing(tmp_path, left), "--budget.decisions", "20000", "--evaluation.times", "5"]
    assert exploit(tmp_path, "r", "--checkpoints.times", "0", *flags) == training.FAILED
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert "out of order" in err
    assert "to go on: python train.py --resume" in err
    failed = int(re.findall(r"iteration (\d+): ", err)[0])
    assert failed > 1
    place = checkpoint.checkpoints(tmp_path / "r")[-1]
    assert json.loads((place / checkpoint.JSON).read_text())["counters"]["iteration"] == failed - 1


def test_an_agent_that_fails_in_one_process_fails_in_all(tmp_path, capsys):
    agent = failing(tmp_path, 60, "multiprocessing.parent_process() is not None")
    flags = ["--workers", "2", "--selfplay.opponents", agent, "--evaluation.times", "0"]
    assert exploit(tmp_path, "r", *flags, "--budget.decisions", "20000") == training.FAILED
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert "in another process: agent" in err
    assert "out of order" in err
    assert "--resume" in err
    assert checkpoint.checkpoints(tmp_path / "r")


# --- policies that have learnt a part


@pytest.fixture(scope="module")
def bidder(tmp_path_factory):
    """A run that has learnt to bid, a little."""
    folder = tmp_path_factory.mktemp("runs") / "bidder"
    run(folder, replace(TINY, learning=Learning(phases="bidding", frozen="morehead")))
    return folder


def same_as_parts(agent, bids, plays):
    """That an agent bids as one network and plays as another agent, in whole deals."""
    batch = Batch(PEDRO, 1, np.arange(30))
    while not batch.over.all():
        views = batch.views()
        own = np.isin(views.phase, BIDDING_PHASES)
        expected = np.where(own, bids.act(views), plays.act(views))
        np.testing.assert_array_equal(agent.act(views), expected)
        batch.step(expected, views.game)


def test_a_policy_plays_with_the_rest_that_its_file_names(bidder):
    network = NetworkAgent(checkpoint.load_policy(bidder).network)
    same_as_parts(PolicyAgent(bidder, PEDRO), network, make_agent("morehead", PEDRO))
    same_as_parts(make_agent(f"{bidder}:rest=heuristic-1", PEDRO), network, make_agent("heuristic-1", PEDRO))
    mixed = make_agent(f"parts:bidding={bidder},play=heuristic-1", PEDRO)
    same_as_parts(mixed, network, make_agent("heuristic-1", PEDRO))


def test_an_exported_policy_keeps_its_rest(bidder, tmp_path):
    pytest.importorskip("onnxscript")
    from agents import export

    file = tmp_path / "bidder.onnx"
    export.export_policy(bidder, file, states=500)
    network = NetworkAgent(checkpoint.load_policy(bidder).network)
    same_as_parts(make_agent(str(file), PEDRO), network, make_agent("morehead", PEDRO))
    same_as_parts(make_agent(f"{file}:rest=heuristic-1", PEDRO), network, make_agent("heuristic-1", PEDRO))


def test_a_rest_that_is_gone_or_is_code_is_refused(bidder, tmp_path, monkeypatch):
    place = checkpoint.checkpoints(bidder)[-1]

    def saved(rest):
        network = checkpoint.load_policy(place).network
        info = {"counters": {"decisions": 1}}
        run = tmp_path / ("itself" if rest == "itself" else f"run-{len(list(tmp_path.iterdir()))}")
        checkpoint.save_checkpoint(run, network, {}, {}, info, 1, {"part": "bidding", "rest": rest})
        return run

    with pytest.raises(AgentError, match=r"what takes the other decisions is not there .*no such file.*:rest="):
        make_agent(str(saved("runs/gone")), PEDRO)
    for code in ("python:os:system", "exec:reboot", "evil.py", "open:rest=morehead"):
        with pytest.raises(AgentError, match="cannot be named in a policy's file"):
            make_agent(str(saved(code)), PEDRO)
    monkeypatch.chdir(tmp_path)
    itself = saved("itself")
    assert itself.name == "itself"
    with pytest.raises(AgentError, match="name each other"):
        make_agent("itself", PEDRO)
    for fine in ("heuristic-2", "runs/other", "runs/other:greedy=false", "other.onnx"):
        check_rest(fine)


def test_a_policy_that_has_learnt_everything_takes_no_rest(tmp_path):
    info = {"counters": {"decisions": 1}}
    checkpoint.save_checkpoint(tmp_path / "r", network_for(PEDRO), {}, {}, info, 1)
    with pytest.raises(AgentError, match="it takes all decisions itself"):
        make_agent(f"{tmp_path / 'r'}:rest=morehead", PEDRO)
    with safe_open(checkpoint.find_policy(tmp_path / "r"), "pt") as content:
        assert "rest" not in json.loads(content.metadata()["pedro"])  # as it was before there were parts


def test_a_run_of_play_alone_goes_on_as_if_it_had_not_been_interrupted(tmp_path):
    config = replace(
        TINY,
        learning=Learning(phases="play", frozen="morehead"),
        selfplay=replace(TINY.selfplay, start_scores="matches", opponents="morehead,random", past_share=0.5),
    )
    whole = run(tmp_path / "whole", config)
    run(tmp_path / "stopped", config, stop_after=1)
    assert_same(whole, run(tmp_path / "stopped", config, load=checkpoint.checkpoints(tmp_path / "stopped")[-1]))


# --- best responses


def exploit(tmp_path, name, *more):
    flags = dict(zip(TINY_FLAGS[::2], TINY_FLAGS[1::2], strict=True)) | dict(zip(more[::2], more[1::2], strict=True))
    arguments = [text for pair in flags.items() for text in pair]
    return training.main(["--runs", str(tmp_path), "--name", name, *arguments])


def test_a_best_response_gains_against_random(tmp_path, capsys):
    budget = ["--budget.decisions", "40000", "--selfplay.tables", "400", "--ppo.minibatch", "512"]
    final = ["--evaluation.final_pairs", "150", "--evaluation.times", "0", "--network.width", "32"]
    assert exploit(tmp_path, "r", "--exploit", "random", *budget, *final) == 0
    found = json.loads((tmp_path / "r" / "exploit.json").read_text())
    assert found["exploited"] == "random"
    assert found["gain"]["low"] < found["gain"]["mean"] < found["gain"]["high"]
    assert found["lower_bound"] == found["gain"]["low"] > 0
    assert "a lower bound on its exploitability" in capsys.readouterr().out


def test_the_exploited_side_stays_as_it_is_and_has_one_side_of_every_table(bidder, tmp_path):
    policy = checkpoint.find_policy(bidder)
    before = policy.read_bytes()
    config = replace(TINY, exploit=str(bidder)).resolved()
    assert config.evaluation.yardstick == str(bidder)
    assert config.opponents == config.fixed_agents == [str(bidder)]
    who = make_setting(config, PEDRO).seating(40, 4, 40)
    assert (np.sort(who, axis=1) == [0, 0, 2, 2]).all()
    whole = run(tmp_path / "whole", config)
    assert not whole.pool
    run(tmp_path / "stopped", config, stop_after=1)
    assert_same(whole, run(tmp_path / "stopped", config, load=checkpoint.checkpoints(tmp_path / "stopped")[-1]))
    assert policy.read_bytes() == before


def test_a_run_may_begin_with_the_weights_of_another(bidder, tmp_path):
    config = replace(TINY, initial=str(bidder), evaluation=Evaluation(times=0))
    trainer = run(tmp_path / "r", replace(config, budget=replace(TINY.budget, decisions=1)))
    first = trainer.pool[0]  # as it was when it had learnt nothing yet
    given = checkpoint.load_policy(bidder).network.state_dict()
    assert all(torch.equal(first[name], value) for name, value in given.items())
    with pytest.raises(checkpoint.CheckpointError, match=r"--network\.width 16 --network\.layers 1"):
        run(tmp_path / "other", replace(config, network=replace(TINY.network, width=32)))


# --- configurations


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"learning": {"phases": "bid"}}, "learning.phases cannot be 'bid'; it is all, bidding or play"),
        ({"learning": {"cards": "solved"}}, "set learning.phases to bidding"),
        ({"learning": {"phases": "bidding", "cards": "solved"}, "exploit": "random"}, "the agent to exploit plays"),
        ({"selfplay": {"episode": "game"}}, "it is deal or match"),
    ],
)
def test_settings_that_cannot_be(values, message):
    with pytest.raises(ConfigError, match=message):
        from_dict(values)


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (["--learning.phases", "bidding", "--learning.frozen", "open:rest=morehead"], "cannot be named in a policy"),
        (["--selfplay.opponents", "heuristics-1"], "did you mean 'heuristic-1'"),
        (["--exploit", "runs/gone"], "there is no such file or folder"),
        (["--initial", "runs/gone"], "there is no such file or folder"),
        (["--min_bid", "6"], "an option of the variant is '--rules.min_bid'"),
        (["--options.min_bid", "6"], "an option of the variant is '--rules.min_bid'"),
    ],
)
def test_mistakes_are_found_before_a_folder_is_made(flags, message, tmp_path, capsys):
    assert training.main([*flags, "--runs", str(tmp_path)]) == 2
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert message in err
    assert not list(tmp_path.iterdir())


def test_the_solver_needs_partners(tmp_path, capsys):
    pytest.importorskip("numba")
    flags = ["--learning.phases", "bidding", "--learning.cards", "solved", "--variant", "dom-pedro"]
    assert training.main([*flags, "--runs", str(tmp_path)]) == 2
    assert "the solver needs two sides" in capsys.readouterr().err


def test_a_policy_of_another_game_says_which(bidder):
    with pytest.raises(AgentError, match=r"its own is --variant pedro$"):
        make_agent(str(bidder), make_rules("oregon"))


def test_a_default_configuration_learns_everything_from_deals():
    setting = make_setting(TrainConfig(), PEDRO)
    assert setting == Setting(fixed_share=0.5)
    assert list(itertools.chain(setting.fixed)) == []
