"""Exported policies: the same as the network, one file, and refused where anything about it is wrong."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import onnx
import pytest
import torch

from agents import export, onnx_policy
from agents.arena import play_unit
from agents.checkpoint import load_policy, save_checkpoint
from agents.errors import AgentError
from agents.network import NetworkShape, PolicyValueNetwork
from agents.onnx_policy import OnnxPolicy
from agents.policy import PolicyAgent
from agents.random import RandomAgent
from agents.registry import make_agent
from agents.report_page.curves import learning_curve
from pedro_env.actions import Phase
from pedro_env.engine import Batch
from pedro_env.layout import layout_of
from pedro_env.rules import Rules
from pedro_env.variants import make_rules

PEDRO = make_rules("pedro")
ROOT = Path(export.__file__).parent.parent
POINT = {"decisions": 1234, "seconds": 1.5, "mean": 0.5, "low": 0.25, "high": 0.75, "pairs": 8}
"""An evaluation during training."""


def save_run(folder: Path, rules: Rules, options: dict[str, object] | None = None) -> Path:
    """A run with one checkpoint of a small network with random weights, whose logits are some units apart."""
    network = PolicyValueNetwork(layout_of(rules), NetworkShape(width=24, layers=2), seed=3)
    with torch.no_grad():
        network.policy.weight.mul_(200)
    folder.mkdir()
    info = {"counters": {"decisions": 1234}, "yardstick": "heuristic-1", "curve": [POINT]}
    save_checkpoint(folder, network, options or {}, {}, info, keep=1)
    return folder


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("export")


@pytest.fixture(scope="module")
def run(folder: Path) -> Path:
    return save_run(folder / "run", PEDRO)


@pytest.fixture(scope="module")
def exported(folder: Path, run: Path) -> Path:
    out = folder / "policy.onnx"
    assert export.main([str(run), str(out)]) == 0
    assert sorted(os.listdir(folder)) == ["policy.onnx", "run"]  # one file: no weights beside it
    return out


# --- the file


@pytest.mark.parametrize("size", [1, 2, 7, 300])
def test_the_file_computes_what_the_network_does(exported: Path, run: Path, size: int) -> None:
    network = load_policy(run).network
    observation, mask = export.random_states(PEDRO, 600, seed=11)
    session = OnnxPolicy(exported, PEDRO).session
    with torch.inference_mode():
        wanted = network(torch.from_numpy(observation), torch.from_numpy(mask)).numpy()
    for start in range(0, 600 if size > 2 else 20, size):
        rows = slice(start, start + size)
        inputs = {"observation": observation[rows], "action_mask": mask[rows].astype(np.int8)}
        logits = np.asarray(session.run(["logits"], inputs)[0])
        assert logits.dtype == np.float32
        assert np.abs(logits - wanted[rows]).max() <= 1e-5
        assert np.array_equal(logits.argmax(axis=1), wanted[rows].argmax(axis=1))
        assert np.isfinite(logits).all()
        assert (logits[~mask[rows]] < -1e8).all()
        assert (logits[mask[rows]] > -1e4).all()


def test_the_parity_check_sees_every_phase_and_many_scores() -> None:
    observation, mask = export.random_states(PEDRO, export.STATES)
    layout = layout_of(PEDRO)
    assert mask.any(axis=1).all()
    phases = observation[:, layout.slices["phase"]]
    assert (phases.sum(axis=0) > 0).all()
    assert {Phase.BID, Phase.TRUMP, Phase.ROB, Phase.BURY, Phase.PLAY} == set(Batch(PEDRO).actions.phases)
    scores = observation[:, layout.slices["score_0"]].sum(axis=1)
    assert len(np.unique(scores)) > 10


def test_the_metadata_says_what_it_is(exported: Path) -> None:
    model = onnx.load(str(exported), load_external_data=False)
    found = {entry.key: entry.value for entry in model.metadata_props}
    read = {key: json.loads(value) for key, value in found.items() if key != "pedro.sha256"}
    assert read == {
        "pedro.format": 1,
        "pedro.variant": "pedro",
        "pedro.options": {},
        "pedro.rules_hash": PEDRO.hash(),
        "pedro.layout_hash": layout_of(PEDRO).hash(),
        "pedro.actions": list(Batch(PEDRO).actions.names),
        "pedro.training": {"counters": {"decisions": 1234}, "yardstick": "heuristic-1", "curve": [POINT]},
    }
    assert len(found["pedro.sha256"]) == 64
    assert all(node.domain in ("", "ai.onnx") for node in model.graph.node)  # operators of the standard alone
    assert not any(initializer.external_data for initializer in model.graph.initializer)


def test_a_report_shows_how_it_learnt(exported: Path, run: Path) -> None:
    assert learning_curve(str(exported)) == {"agent": str(exported), "yardstick": "heuristic-1", "points": [POINT]}
    assert learning_curve(str(run)) == {"agent": str(run), "yardstick": "heuristic-1", "points": [POINT]}


def test_nothing_of_the_machine_is_in_the_file(exported: Path) -> None:
    data = exported.read_bytes()
    assert str(ROOT).encode() not in data
    assert b".py" not in data


def test_exporting_again_gives_the_same_bytes(exported: Path, run: Path) -> None:
    assert export.to_onnx(load_policy(run)) == exported.read_bytes()


@pytest.mark.parametrize("variant", ["oregon", "five-handed", "tennessee", "king-pedro-ukrainian"])
def test_other_variants(variant: str, tmp_path: Path) -> None:
    rules = make_rules(variant)
    out = tmp_path / "policy.onnx"
    text = export.export_policy(save_run(tmp_path / "run", rules), out, states=300)
    assert variant in text
    play_unit(OnnxPolicy(out, rules), RandomAgent(rules), rules, np.arange(5), 0)


# --- as an agent


@pytest.mark.parametrize("parameters", ["", ":greedy=false"])
def test_plays_as_the_checkpoint_does(exported: Path, run: Path, parameters: str) -> None:
    file, checkpoint = (make_agent(f"{path}{parameters}", PEDRO) for path in (exported, run))
    assert isinstance(file, OnnxPolicy)
    assert isinstance(checkpoint, PolicyAgent)
    duel = play_unit(file, checkpoint, PEDRO, np.arange(100), seed=2, record_options={})
    assert duel.pushes == 100
    actions = [[step["action"] for step in record["steps"]] for record in duel.records]
    assert actions[::2] == actions[1::2]


def test_greedy_and_drawn_actions_differ(exported: Path) -> None:
    batch = Batch(PEDRO, 0, np.arange(200))
    greedy, drawn = (make_agent(f"{exported}:greedy={value}", PEDRO).act(batch.views()) for value in ("true", "false"))
    assert 0 < (greedy != drawn).mean() < 1


def test_is_an_agent_without_torch(exported: Path) -> None:
    code = (
        "import sys; sys.modules.update(dict.fromkeys(('torch', 'onnx', 'safetensors', 'yaml')))\n"
        "from agents import evaluation; sys.exit(evaluation.main(sys.argv[1:]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(exported), "random", "--deals", "20", "--workers", "1"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "20 duplicate deals" in done.stdout


# --- files that are refused


def refused(path: Path, rules: Rules = PEDRO) -> str:
    with pytest.raises(AgentError) as error:
        make_agent(str(path), rules)
    text = str(error.value)
    assert text.startswith(str(path))
    assert "\n" not in text
    return text


def test_an_altered_byte_anywhere_is_found(exported: Path, tmp_path: Path) -> None:
    data = exported.read_bytes()
    copy = tmp_path / "altered.onnx"
    places = [*np.linspace(0, len(data) - 1, 150).astype(int).tolist(), data.index(b"pedro.sha256") + 14 + 5]
    for place in places:
        altered = bytearray(data)
        altered[place] ^= 1
        copy.write_bytes(altered)
        assert "damaged or altered" in refused(copy) or "not a policy exported" in refused(copy)


def test_a_file_that_was_cut_off_is_found(exported: Path, tmp_path: Path) -> None:
    data = exported.read_bytes()
    copy = tmp_path / "cut.onnx"
    for length in [0, 1, 100, len(data) // 2, data.index(b"pedro.sha256") + 20, len(data) - 1]:
        copy.write_bytes(data[:length])
        refused(copy)
    copy.write_bytes(data + b"\0")
    assert "damaged or altered" in refused(copy)


def test_foreign_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "foreign.onnx"
    path.write_bytes(b"\x80\x04\x95 a pickle, say")
    assert "not a policy exported by 'python -m agents.export'" in refused(path)
    value = onnx.helper.make_tensor_value_info("x", onnx.TensorProto.FLOAT, [1])
    graph = onnx.helper.make_graph([onnx.helper.make_node("Identity", ["x"], ["y"])], "g", [value], [])
    path.write_bytes(onnx.helper.make_model(graph).SerializeToString())
    assert "not a policy exported" in refused(path)
    path.unlink()
    path.mkdir()
    assert "folder" in refused(path).lower() or "directory" in refused(path).lower()


def resealed(exported: Path, out: Path, **changes: object) -> Path:
    """A copy with other metadata and a right checksum."""
    model = onnx.load(str(exported))
    found = {entry.key: entry.value for entry in model.metadata_props}
    found |= {f"pedro.{key}": json.dumps(value) for key, value in changes.items()}
    onnx.helper.set_model_props(model, found | dict([onnx_policy.checksum_entry()]))
    out.write_bytes(onnx_policy.seal(model.SerializeToString()))
    return out


def test_another_game_is_refused(exported: Path, tmp_path: Path) -> None:
    text = refused(exported, make_rules("pedro", {"min_bid": 6}))
    assert "made for 'pedro', not for this game 'pedro' (different: min_bid, forced_bid)" in text
    assert "made for 'pedro', not for this game 'oregon'" in refused(exported, make_rules("oregon"))
    OnnxPolicy(exported, replace(PEDRO, max_deals=7))  # nothing that a player minds


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"layout_hash": "0"}, "made for another layout"),
        ({"actions": ["2S"]}, "made for another layout"),
        ({"format": 99}, "format 99 of exported policies; this version reads format 1"),
        ({"surprise": 1}, "does not say what it is for"),
        ({"rules_hash": "0", "variant": "gone"}, "made for 'gone', not for this game 'pedro'"),
        ({"rules_hash": "0"}, "the rules have changed since"),
    ],
)
def test_another_layout_or_format_is_refused(
    exported: Path, tmp_path: Path, changes: dict[str, object], words: str
) -> None:
    assert words in refused(resealed(exported, tmp_path / "other.onnx", **changes))


def test_a_sealed_model_that_onnxruntime_cannot_run_is_refused(exported: Path, tmp_path: Path) -> None:
    model = onnx.load(str(exported))
    model.graph.node[0].op_type = "NoSuchOperator"
    onnx.helper.set_model_props(
        model, {e.key: e.value for e in model.metadata_props} | dict([onnx_policy.checksum_entry()])
    )
    path = tmp_path / "broken.onnx"
    path.write_bytes(onnx_policy.seal(model.SerializeToString()))
    assert "cannot load it" in refused(path)


def test_a_model_that_refers_to_other_files_is_refused(exported: Path, tmp_path: Path) -> None:
    model = onnx.load(str(exported))
    onnx.external_data_helper.convert_model_to_external_data(model, location="weights.bin", size_threshold=0)
    onnx.save_model(model, str(tmp_path / "external.onnx"))
    onnx.helper.set_model_props(
        model, {e.key: e.value for e in model.metadata_props} | dict([onnx_policy.checksum_entry()])
    )
    path = tmp_path / "external.onnx"
    path.write_bytes(onnx_policy.seal(model.SerializeToString()))
    refused(path)


# --- the command


def test_a_file_that_does_not_agree_is_not_left_behind(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    other = load_policy(run)
    with torch.no_grad():
        other.network.policy.bias[58] += 1e-4
    model = export.to_onnx(other)
    monkeypatch.setattr(export, "to_onnx", lambda policy: model)
    out = tmp_path / "policy.onnx"
    out.write_text("old")
    assert export.main([str(run), str(out)]) == 1
    assert "a logit differs by 1.0e-04 from the network's" in capsys.readouterr().err
    assert os.listdir(tmp_path) == ["policy.onnx"]
    assert out.read_text() == "old"


@pytest.mark.parametrize(
    ("out", "words"),
    [
        ("policy.bin", "the name must end in .onnx"),
        ("none/policy.onnx", "there is no folder none"),
        ("folder.onnx", "it is a folder; name a file"),
    ],
)
def test_mistakes_about_the_target(
    run: Path, tmp_path: Path, out: str, words: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder.onnx").mkdir()
    assert export.main([str(run), out]) == 2
    err = capsys.readouterr().err
    assert words in err
    assert err.count("\n") == 1
    assert os.listdir(tmp_path) == ["folder.onnx"]


def test_mistakes_about_the_source(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for source in (tmp_path / "none", tmp_path):
        assert export.main([str(source), str(tmp_path / "policy.onnx")]) == 2
        err = capsys.readouterr().err
        assert str(source) in err
        assert err.count("\n") == 1
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ("open", "open is not exported: it sees all cards; name a run's folder or a checkpoint"),
        ("open:rest=random", "open is not exported: it sees all cards"),
        ("heuristic-1", "heuristic-1 is not exported: it is no trained policy"),
        ("python:module:Agent", "python:module:Agent is not exported: it is no trained policy"),
        ("exec:node agent.js", "exec:node agent.js is not exported: it is no trained policy"),
    ],
)
def test_agents_that_were_not_trained_are_not_exported(
    source: str, why: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert export.main([source, str(tmp_path / "policy.onnx")]) == 2
    err = capsys.readouterr().err
    assert why in err
    assert err.count("\n") == 1


def test_missing_packages_say_what_to_install(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(export, "NEEDS", ("torch", "no_such_package"))
    assert export.main([str(run), str(tmp_path / "policy.onnx")]) == 2
    assert "the export needs no_such_package: pip install -e '.[export]'" in capsys.readouterr().err
