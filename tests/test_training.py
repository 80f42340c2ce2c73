"""Rollouts, the update, checkpoints, and runs from the command to the table."""

from __future__ import annotations

import itertools
import json
import shutil
from dataclasses import fields, replace

import numpy as np
import pytest

torch = pytest.importorskip("torch")
for package in ("safetensors", "tensorboard", "yaml"):
    pytest.importorskip(package)

import yaml  # noqa: E402
from safetensors.torch import save_file  # noqa: E402

from agents import checkpoint, training  # noqa: E402
from agents.arena import play_unit  # noqa: E402
from agents.choice import count_legal  # noqa: E402
from agents.config import PPO, Budget, Evaluation, NetworkConfig, SelfPlay, TrainConfig  # noqa: E402
from agents.network import NetworkShape, PolicyValueNetwork, masked  # noqa: E402
from agents.parallel import Group, start_group  # noqa: E402
from agents.policy import NetworkAgent, PolicyAgent  # noqa: E402
from agents.ppo import Learner, explained_variance  # noqa: E402
from agents.precision import Precision  # noqa: E402
from agents.registry import make_agent  # noqa: E402
from agents.rollout import Decisions, Tables, collect, rewards  # noqa: E402
from agents.trainer import Trainer, follow  # noqa: E402
from pedro_env.actions import Phase  # noqa: E402
from pedro_env.engine import Batch  # noqa: E402
from pedro_env.layout import layout_of  # noqa: E402
from pedro_env.variants import VARIANTS, make_rules  # noqa: E402

pytestmark = pytest.mark.usefixtures("one_thread")

PEDRO = make_rules("pedro")
TINY = TrainConfig(
    workers="1",
    device="cpu",
    precision="float32",
    budget=Budget(decisions=3000),
    network=NetworkConfig(width=16, layers=1),
    selfplay=SelfPlay(tables=40, past_share=0.2, pool_size=2, pool_every=1),
    ppo=PPO(minibatch=256),
    evaluation=Evaluation("random", times=2, pairs=10, final_opponents="random", final_pairs=20, tuned_on="dev-1"),
)
TINY_FLAGS = [
    *("--precision", "float32", "--workers", "1", "--budget.decisions", "2000", "--network.width", "16"),
    *("--selfplay.tables", "40", "--evaluation.times", "1", "--evaluation.pairs", "10"),
    *("--evaluation.yardstick", "random", "--evaluation.final_opponents", "random", "--evaluation.final_pairs", "20"),
]


def small_network(rules=PEDRO, seed=0):
    return PolicyValueNetwork(layout_of(rules), NetworkShape(16, 1), seed)


def finished(rules=PEDRO, n=20, past_tables=0, gae_lambda=0.9):
    """Deals that were played to their end, and what is to be learnt from them."""
    batch = Batch(rules, 5, np.arange(n))
    network, past = small_network(rules), small_network(rules, 1)
    player = Precision().copy(network)
    part = Tables(batch, past_tables, np.random.default_rng(1))
    decisions, sums = collect(player, past, [part], gae_lambda)
    return batch, network, decisions, sums


# --- rollouts


def test_only_choices_of_the_learning_policy_are_stored():
    _, _, decisions, sums = finished()
    assert (decisions.mask.sum(1) > 1).all()
    assert decisions.mask.gather(1, decisions.action[:, None]).all()
    assert len(decisions) < sums["decisions_all"]
    _, _, all_past, _ = finished(past_tables=20)
    assert len(all_past) < 0.7 * len(decisions)


@pytest.mark.parametrize("past_tables", [0, 20])
def test_stored_probabilities_are_those_of_the_network(past_tables):
    _, network, decisions, _ = finished(past_tables=past_tables)
    logits, value = network.heads(decisions.columns.float(), decisions.hidden.float())
    log_probabilities = torch.log_softmax(masked(logits, decisions.mask), 1)
    expected = log_probabilities.gather(1, decisions.action[:, None]).squeeze(1)
    torch.testing.assert_close(decisions.log_probability, expected, atol=1e-5, rtol=0)
    torch.testing.assert_close(decisions.value, value, atol=1e-5, rtol=0)


def test_advantages_use_a_seats_own_decisions_only(monkeypatch):
    """Against the definition, computed the slow way from each seat's own values and its reward."""
    gae_lambda = 0.9
    trajectories = {}
    original = Batch.step

    def step(batch, actions, rows=None):
        choosing = np.flatnonzero(count_legal(batch.legal()) > 1)
        for table in choosing.tolist():
            seat = int(batch.to_act[table])
            trajectories.setdefault((table, seat), []).append(next(numbers))
        original(batch, actions, rows)

    numbers = iter(range(10**6))
    monkeypatch.setattr(Batch, "step", step)
    batch, _, decisions, _ = finished(gae_lambda=gae_lambda)
    reward = rewards(batch)
    assert sum(map(len, trajectories.values())) == len(decisions)
    for (table, seat), own in trajectories.items():
        values = [*decisions.value[own].tolist(), float(reward[table, seat])]
        surprises = [after - before for before, after in itertools.pairwise(values)]
        for i, number in enumerate(own):
            expected = sum(gae_lambda**j * s for j, s in enumerate(surprises[i:]))
            assert decisions.advantage[number] == pytest.approx(expected, abs=1e-4)
            assert decisions.target[number] == pytest.approx(expected + values[i], abs=1e-4)


@pytest.mark.parametrize("variant", VARIANTS)
def test_rewards_are_own_change_less_that_of_the_others(variant):
    rules = make_rules(variant)
    batch, *_ = finished(rules, n=8)
    reward = rewards(batch)
    assert (batch.phase == Phase.OVER).all()
    for row in range(batch.n):
        change = batch.state.score_change[row].tolist()
        for seat in range(rules.seats):
            own = change[seat % rules.sides]
            others = (sum(change) - own) / (rules.sides - 1)
            assert reward[row, seat] == pytest.approx((own - others) / rules.total_points)


@pytest.mark.parametrize(
    "variant", ["pedro", "oregon", "five-handed", "tennessee", "king-pedro-ukrainian", "louisiana"]
)
def test_an_update_keeps_everything_finite_and_finds_the_better_action(variant):
    _, network, decisions, _ = finished(make_rules(variant))
    learner = Learner(network, PPO(minibatch=128, learning_rate=3e-3, entropy=0.0), Precision(), Group())
    decisions = replace(decisions, advantage=torch.where(decisions.action == decisions.mask.int().argmax(1), 1.0, -1.0))
    lowest = decisions.mask.int().argmax(1)

    def probability():
        logits, _ = network.heads(decisions.columns.float(), decisions.hidden.float())
        p = torch.softmax(masked(logits, decisions.mask), 1)
        return p.gather(1, lowest[:, None]).mean().item()

    before = probability()
    for _ in range(5):
        copy = Decisions(*(getattr(decisions, f.name) for f in fields(decisions)))
        sums = learner.update(copy, 0.0, np.random.default_rng(0))
    assert all(np.isfinite(value) for value in sums.values())
    assert -1 < explained_variance(sums) <= 1
    assert probability() > before + 0.02
    assert all(torch.isfinite(p).all() for p in network.parameters())


# --- runs


def run(folder, config=TINY, stop_after=None, load=None, workers=1):
    """Train in ``folder``; the trainer, when it has ended."""
    folder.mkdir(exist_ok=True)
    iterations = iter(range(10**6))
    with start_group(workers, follow, config, folder, load) as group:
        trainer = Trainer(group, config, folder)
        if load is not None:
            trainer.load(load)
        trainer.run(lambda: next(iterations) == stop_after, lambda report: None)
    return trainer


def assert_same(a, b):
    for name, value in a.network.state_dict().items():
        assert torch.equal(value, b.network.state_dict()[name]), name
    for name, value in a.learner.state().items():
        assert torch.equal(value, b.learner.state()[name]), name
    assert len(a.pool) == len(b.pool)
    assert all(torch.equal(p[name], q[name]) for p, q in zip(a.pool, b.pool, strict=True) for name in p)
    assert replace(a.counters, seconds=0) == replace(b.counters, seconds=0)


def test_same_seed_same_run_and_going_on_changes_nothing(tmp_path):
    whole = run(tmp_path / "whole")
    again = run(tmp_path / "again")
    other = run(tmp_path / "other", replace(TINY, seed=1))
    assert_same(whole, again)
    weight = "hidden.0.weight"
    assert not torch.equal(whole.network.state_dict()[weight], other.network.state_dict()[weight])
    stopped = run(tmp_path / "stopped", stop_after=1)
    assert stopped.counters.decisions < whole.counters.decisions
    last = checkpoint.checkpoints(tmp_path / "stopped")[-1]
    went_on = run(tmp_path / "stopped", load=last)
    assert_same(whole, went_on)
    untimed = [[{k: v for k, v in point.items() if k != "seconds"} for point in t.curve] for t in (whole, went_on)]
    assert untimed[0] == untimed[1]


@pytest.mark.slow
def test_two_processes_agree_and_repeat(tmp_path):
    config = replace(TINY, workers="2")
    first = run(tmp_path / "first", config, workers=2)
    assert first.group.size == 2
    assert_same(first, run(tmp_path / "again", config, workers=2))


def test_the_command_from_start_to_table(tmp_path, capsys, monkeypatch):
    arguments = ["--runs", str(tmp_path), "--name", "first", "--rules.min_bid", "6", *TINY_FLAGS]
    assert training.main(arguments) == 0
    out = capsys.readouterr().out
    folder = tmp_path / "first"
    for command in ("tensorboard --logdir", "python evaluate.py", "python -m agents.export", "--set min_bid=6"):
        assert command in out
    saved = yaml.safe_load((folder / "config.yaml").read_text())
    assert saved["workers"] == 1
    assert saved["precision"] == "float32"
    assert saved["rules"] == {"min_bid": 6}
    assert set(json.loads((folder / "versions.json").read_text())) >= {"python", "torch", "numpy", "commit"}
    result = json.loads((folder / "result.json").read_text())
    assert result["status"] == "finished"
    assert result["decisions"] >= 2000
    assert result["table"][0]["b"] == "random"
    assert list((folder / "tensorboard").iterdir())
    # Never over another.
    assert training.main(arguments) == 2
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert "a run never writes over another" in err
    # Finished.
    assert training.main(["--resume", str(folder)]) == 2
    assert "is finished" in capsys.readouterr().err
    # Killed while the final table was played: it is played again.
    table = result.pop("table")
    (folder / "result.json").write_text(json.dumps(result | {"table": []}))
    assert training.main(["--resume", str(folder)]) == 0
    assert json.loads((folder / "result.json").read_text())["table"] == table
    # Without a name: numbers.
    for number in (1, 2):
        assert training.main(["--runs", str(tmp_path), *TINY_FLAGS]) == 0
        assert (tmp_path / f"pedro-default-{number:03d}").is_dir()


def test_an_unwritable_place_is_one_line(tmp_path, capsys):
    (tmp_path / "file").write_text("")
    assert training.main(["--runs", str(tmp_path / "file"), *TINY_FLAGS]) == 2
    assert capsys.readouterr().err.count("\n") == 1


# --- checkpoints and agents


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs") / "run"
    run(folder)
    return folder


def test_checkpoints_are_whole_and_the_last_are_kept(trained):
    found = checkpoint.checkpoints(trained)
    keep = TINY.checkpoints.keep
    assert len(found) >= keep
    assert set(found) == {*found[-keep:], checkpoint.best_checkpoint(trained)}
    files = {"policy.safetensors", "training.safetensors", "checkpoint.json"}
    assert all({file.name for file in place.iterdir()} == files for place in found)
    assert not list((trained / "checkpoints").glob(".*"))


def test_a_run_a_checkpoint_and_a_file_are_the_same_agent(trained, tmp_path):
    last = checkpoint.checkpoints(trained)[-1]
    alone = tmp_path / "alone.safetensors"
    shutil.copy(last / "policy.safetensors", alone)
    batch = Batch(PEDRO, 1, np.arange(50))
    views = batch.views(np.arange(50))
    agents = [make_agent(str(path), PEDRO) for path in (trained, last, last / "policy.safetensors", alone)]
    actions = [agent.act(views) for agent in agents]
    assert all((a == actions[0]).all() for a in actions)
    assert [agent.tuned_on for agent in agents] == [("dev-1",)] * 3 + [()]


@pytest.mark.parametrize("greedy", [True, False])
def test_choices_do_not_depend_on_how_decisions_are_batched(trained, greedy):
    agent = PolicyAgent(trained, PEDRO, greedy=greedy)
    batch = Batch(PEDRO, 2, np.arange(40))
    while not batch.over.all():
        rows = np.flatnonzero(~batch.over)
        together = agent.act(batch.views(rows))
        alone = np.concatenate([agent.act(batch.views(part)) for part in np.array_split(rows, 7) if len(part)])
        assert (together == alone).all()
        batch.step(together, rows)  # validates


def damage_short(file):
    file.write_bytes(file.read_bytes()[:-100])


def damage_bits(file):
    data = bytearray(file.read_bytes())
    data[-50] ^= 0xFF
    file.write_bytes(data)


def damage_foreign(file):
    save_file({"weight": torch.zeros(3)}, file)


def damage_text(file):
    file.write_text("not at all")


@pytest.mark.parametrize("damage", [damage_short, damage_bits, damage_foreign, damage_text])
@pytest.mark.parametrize("with_json", [True, False])
def test_damaged_files_are_found_out(trained, tmp_path, damage, with_json):
    place = tmp_path / "copy"
    shutil.copytree(checkpoint.checkpoints(trained)[-1], place)
    file = place / "policy.safetensors"
    damage(file)
    if not with_json:
        (place / "checkpoint.json").unlink()
    with pytest.raises(checkpoint.CheckpointError) as caught:
        checkpoint.load_policy(place)
    assert str(file) in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"sha256": 3}'])
def test_damaged_descriptions_are_found_out(trained, tmp_path, text):
    place = tmp_path / "copy"
    shutil.copytree(checkpoint.checkpoints(trained)[-1], place)
    (place / "checkpoint.json").write_text(text)
    with pytest.raises(checkpoint.CheckpointError, match="not a whole checkpoint"):
        checkpoint.load_policy(place)


def test_another_game_and_nothing_at_all_are_refused(trained, tmp_path):
    with pytest.raises(checkpoint.CheckpointError, match=r"made for 'pedro', not for .*different: min_bid, forced_bid"):
        checkpoint.load_policy(trained, make_rules("pedro", {"min_bid": 6}))
    with pytest.raises(checkpoint.CheckpointError, match="made for 'pedro', not for this game 'oregon'"):
        checkpoint.load_policy(trained, make_rules("oregon"))
    with pytest.raises(checkpoint.CheckpointError, match="no such file or folder"):
        checkpoint.load_policy(tmp_path / "nothing")
    with pytest.raises(checkpoint.CheckpointError, match="neither a checkpoint nor a run"):
        checkpoint.load_policy(tmp_path)


def _edit_json(run, change):
    file = checkpoint.checkpoints(run)[-1] / checkpoint.JSON
    data = json.loads(file.read_text())
    change(data)
    file.write_text(json.dumps(data))


def _edit_config(run, **changes):
    file = run / "config.yaml"
    file.write_text(yaml.safe_dump(yaml.safe_load(file.read_text()) | changes))


ALTERED_RUNS = {
    "no counters": (lambda run: _edit_json(run, lambda data: data.pop("counters")), "counters or its curve"),
    "text for a count": (lambda run: _edit_json(run, lambda data: data["counters"].update(decisions="x")), "counters"),
    "no curve": (lambda run: _edit_json(run, lambda data: data.pop("curve")), "counters or its curve"),
    "another network": (lambda run: _edit_config(run, network={"width": 32, "layers": 1}), "its network is not that"),
    "another game": (lambda run: _edit_config(run, variant="oregon"), "made for 'pedro', not for this game 'oregon'"),
    "other processes": (lambda run: _edit_config(run, workers=2), "made by 1 processes"),
    "empty configuration": (lambda run: (run / "config.yaml").write_text(""), "damaged or altered: it lacks variant"),
    "no weights": (
        lambda run: (checkpoint.checkpoints(run)[-1] / checkpoint.POLICY).unlink(),
        "neither a checkpoint nor a run",
    ),
}


@pytest.fixture(scope="module")
def interrupted(tmp_path_factory):
    """A run of the command that its clock has ended."""
    runs = tmp_path_factory.mktemp("interrupted")
    flags = ["50000" if flag == "2000" else flag for flag in TINY_FLAGS]
    assert training.main([*flags, "--runs", str(runs), "--name", "r", "--budget.minutes", "0.001"]) == 0
    return runs / "r"


@pytest.mark.parametrize("name", ALTERED_RUNS)
def test_an_altered_run_is_not_gone_on_with(name, interrupted, tmp_path, capsys):
    change, message = ALTERED_RUNS[name]
    run = tmp_path / "r"
    shutil.copytree(interrupted, run)
    change(run)
    capsys.readouterr()
    assert training.main(["--resume", str(run)]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert message in err


def test_a_run_that_has_no_checkpoint_yet_begins_again(interrupted, tmp_path, capsys):
    run = tmp_path / "r"
    shutil.copytree(interrupted, run)
    shutil.rmtree(run / checkpoint.FOLDER)
    before = (run / "metrics.jsonl").read_text().splitlines()
    assert training.main(["--resume", str(run)]) == 0
    assert "has no checkpoint yet: it starts from the beginning" in capsys.readouterr().out
    again = (run / "metrics.jsonl").read_text().splitlines()
    assert [json.loads(line)["iteration"] for line in again] == list(range(1, len(again) + 1))
    assert json.loads(before[0])["loss/policy"] == json.loads(again[0])["loss/policy"]


def test_a_run_may_say_auto_where_it_was_so(interrupted, tmp_path, monkeypatch):
    run = tmp_path / "r"
    shutil.copytree(interrupted, run)
    _edit_config(run, workers="auto", budget={"decisions": 1, "minutes": 0.0})
    monkeypatch.setattr("agents.config.available_cores", lambda: 1)
    assert training.main(["--resume", str(run)]) == 2  # finished, by its budget; and no traceback


def test_a_run_folder_whose_checkpoint_lacks_its_weights(interrupted, tmp_path):
    run = tmp_path / "r"
    shutil.copytree(interrupted, run)
    (checkpoint.checkpoints(run)[-1] / checkpoint.POLICY).unlink()
    with pytest.raises(checkpoint.CheckpointError, match="damaged: it lacks"):
        make_agent(str(run), PEDRO)


def test_no_memory_is_one_line(tmp_path, capsys, monkeypatch):
    def none_left(*arguments, **more):
        raise MemoryError("Unable to allocate 7 PiB")

    monkeypatch.setattr("agents.trainer.collect", none_left)
    assert training.main([*TINY_FLAGS, "--runs", str(tmp_path)]) == 1
    err = capsys.readouterr().err
    assert "not enough memory" in err
    assert "Traceback" not in err
    assert training.main(["--selfplay.tables", str(10**15)]) == 2
    assert "selfplay.tables" in capsys.readouterr().err


def test_a_full_disk_leaves_earlier_checkpoints_whole(trained, tmp_path, monkeypatch):
    folder = tmp_path / "run"
    shutil.copytree(trained, folder)
    before = checkpoint.checkpoints(folder)

    def full(*arguments):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(checkpoint, "save_file", full)
    info = {"counters": {"decisions": 10**6}}
    with pytest.raises(checkpoint.CheckpointError, match="No space left on device; earlier checkpoints are whole"):
        checkpoint.save_checkpoint(folder, small_network(), {}, {}, info, 1)
    assert checkpoint.checkpoints(folder) == before
    assert not list((folder / "checkpoints").glob(".*"))
    checkpoint.load_policy(folder)


@pytest.mark.slow
def test_learns_to_beat_morehead(tmp_path):
    """A fixed number of decisions, then fixed deals: the lower bound is above 0."""
    config = replace(
        TrainConfig(),
        workers="1",
        device="cpu",
        precision="float32",
        budget=Budget(decisions=1_000_000),
        network=NetworkConfig(width=128, layers=2),
        selfplay=SelfPlay(tables=1024),
        ppo=PPO(minibatch=2048),
        evaluation=Evaluation(yardstick="random", times=0),
    )
    trainer = run(tmp_path / "run", config)
    agent = NetworkAgent(trainer.network)
    duel = play_unit(agent, make_agent("morehead", PEDRO), PEDRO, np.arange(1000), seed=77)
    assert duel.points.low > 0
