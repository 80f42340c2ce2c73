"""Training with one thing changed at a time."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

pytest.importorskip("torch")
yaml = pytest.importorskip("yaml")

from agents.ablation import main, read_plan, table  # noqa: E402
from agents.config import PPO, ConfigError, NetworkConfig, SelfPlay  # noqa: E402

ROOT = Path(__file__).parents[1]
SMALL = {
    "seeds": [3],
    "opponent": "random",
    "base": {
        "workers": 1,
        "budget": {"decisions": 3000},
        "network": {"width": 8, "layers": 1},
        "selfplay": {"tables": 64},
        "evaluation": {"times": 0, "final_pairs": 10},
    },
    "arms": {"default": {}, "no history 0.5": {"network": {"inputs": "present"}}},
}


def plan_file(folder: Path, **changes: object) -> Path:
    file = folder / "plan.yaml"
    file.write_text(yaml.safe_dump(SMALL | changes))
    return file


def test_arms_are_trained_once_and_compared(tmp_path, capsys):
    command = [str(plan_file(tmp_path)), "--out", str(tmp_path / "out"), "--jobs", "2"]
    assert main(command) == 0
    printed = capsys.readouterr().out
    rows = json.loads((tmp_path / "out" / "ablations.json").read_text())
    assert [row["arm"] for row in rows] == ["default", "no history 0.5"]
    for row, name in zip(rows, ("default", "no-history-0.5"), strict=True):
        folder = tmp_path / "out" / f"{name}-seed-3"
        assert (tmp_path / "out" / f"{name}-seed-3.yaml").exists()
        result = json.loads((folder / "result.json").read_text())
        assert row["by_seed"] == {"3": result["table"][0]["points_a_deal"]["mean"]}
        config = yaml.safe_load((folder / "config.yaml").read_text())
        assert config["network"] == {
            **config["network"],
            "width": 8,
            "inputs": "untimed" if name == "default" else "present",
        }
    assert "no history 0.5" in printed.splitlines()[-1]

    before = {file: file.stat().st_mtime_ns for file in (tmp_path / "out").rglob("*.safetensors")}
    unfinished = tmp_path / "out" / "no-history-0.5-seed-3" / "result.json"
    unfinished.unlink()  # as if it had been killed before its final table
    (tmp_path / "out" / "default-seed-3.yaml").unlink()
    assert main(command) == 0
    assert unfinished.exists()
    assert json.loads((tmp_path / "out" / "ablations.json").read_text()) == rows
    assert not (tmp_path / "out" / "default-seed-3.yaml").exists()  # the other one was not touched
    assert all(file.stat().st_mtime_ns == at for file, at in before.items())  # nothing was trained again

    other = ["--decisions", "4000"]
    assert main([*command, *other]) == 2
    assert "was trained with other settings (budget)" in capsys.readouterr().err


def test_a_plan_that_leaves_workers_open_uses_its_runs(tmp_path, capsys):
    base = {key: value for key, value in SMALL["base"].items() if key != "workers"}
    arms = {"best response": {"exploit": "random"}}
    plan = plan_file(tmp_path, base=base | {"budget": {"decisions": 300}}, arms=arms)
    command = [str(plan), "--out", str(tmp_path / "out"), "--jobs", "1"]
    assert main(command) == 0, capsys.readouterr().err
    before = (tmp_path / "out" / "ablations.json").read_text()
    results = {file: file.stat().st_mtime_ns for file in (tmp_path / "out").rglob("result.json")}
    assert main(command) == 0
    assert (tmp_path / "out" / "ablations.json").read_text() == before
    assert len(results) == 1
    assert all(file.stat().st_mtime_ns == at for file, at in results.items())


def test_no_folder_is_removed(tmp_path, capsys):
    """Neither somebody's own files nor a run of other settings; one of these settings begins again."""
    command = [str(plan_file(tmp_path, arms={"default": {}})), "--out", str(tmp_path / "out")]
    folder = tmp_path / "out" / "default-seed-3"
    folder.mkdir(parents=True)
    (folder / "diary.txt").write_text("mine")
    assert main(command) == 2
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert f"{folder} is not a run (config.yaml is not there)" in err
    assert (folder / "diary.txt").read_text() == "mine"

    plan = read_plan(Path(command[0]), None, None)
    config = plan.arms["default"].resolved().to_dict() | {"seed": 3, "name": folder.name}
    (folder / "config.yaml").write_text(yaml.safe_dump(config | {"seed": 4}))
    assert main(command) == 2
    assert "was trained with other settings (seed)" in capsys.readouterr().err
    (folder / "config.yaml").write_text(yaml.safe_dump(config))
    assert main(command) == 0, capsys.readouterr().err
    assert (folder / "diary.txt").read_text() == "mine"
    assert (folder / "checkpoints").is_dir()


def test_intervals_are_over_seeds():
    figures = {("a", 0): 1.0, ("a", 1): 2.0, ("a", 2): 3.0, ("b", 0): 1.5, ("b", 1): 2.5, ("b", 2): 3.5}
    a, b = table(["a", "b"], [0, 1, 2], figures)
    half = 4.302653 / 3**0.5  # Student's t with two degrees of freedom; the deviation is 1
    assert a["points_a_deal"]["mean"] == 2
    assert a["points_a_deal"]["low"] == pytest.approx(2 - half, abs=1e-5)
    assert a["over_the_first"] is None
    assert b["over_the_first"] == {"mean": 0.5, "low": 0.5, "high": 0.5}  # seed by seed they differ by the same


def test_the_projects_own_plan_compares_the_defaults_with_what_differs_from_them():
    plan = read_plan(ROOT / "configs" / "ablations" / "choices.yaml", None, None)
    assert len(plan.arms) == 15
    assert len(plan.seeds) == 3
    assert all(config.budget.decisions <= 5_000_000 for config in plan.arms.values())
    default, *others = [(config.network, config.ppo, config.selfplay) for config in plan.arms.values()]
    assert default == (NetworkConfig(), PPO(), SelfPlay())
    assert all(other != default for other in others)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"arms": {"a": {"ppo": {"clp": 1}}}}, "a: unknown key 'ppo.clp' (did you mean 'clip'?)"),
        ({"arms": {}}, "there is at least one arm"),
        ({"arms": {"a b": {}, "a-b": {}}}, "the arms 'a b' and 'a-b' would have the same folder"),
        (
            {"arms": {"a": {"exploit": "morehead"}}},
            "a: exploit is 'morehead', so its final table has no other opponent",
        ),
        ({"seeds": ["x"]}, "'seeds' cannot be ['x']"),
        ({"arm": {}}, "unknown key 'arm' (did you mean 'arms'?)"),
    ],
)
def test_mistakes_in_a_plan_are_named(tmp_path, changes, said):
    with pytest.raises(ConfigError) as error:
        read_plan(plan_file(tmp_path, **changes), None, None)
    assert said in str(error.value)
