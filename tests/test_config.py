"""Configurations: files, flags, and one line for every mistake."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("yaml")

from agents import training
from agents.config import (
    ConfigError,
    TrainConfig,
    flags,
    from_dict,
    load_config,
    parse_arguments,
)

CONFIGS = Path(__file__).parent.parent / "configs"


@pytest.mark.parametrize("file", sorted(CONFIGS.glob("*.yaml")), ids=lambda path: path.stem)
def test_configurations_that_come_along_load(file):
    assert isinstance(load_config(file, {}), TrainConfig)


def test_every_field_has_a_flag():
    for path, help_, default in flags():
        text = str(default) or {"evaluation.tuned_on": "dev-1"}.get(path, "x")
        file, overrides = parse_arguments([f"--{path}", text])
        config = load_config(file, overrides)
        value = config
        for part in path.split("."):
            value = getattr(value, part)
        assert help_
        assert str(value) == text


def test_flags_go_over_the_file(tmp_path):
    file = tmp_path / "a.yaml"
    file.write_text("variant: pedro\nrules: {min_bid: 6}\nppo: {learning_rate: 3e-4, clip: 0.2}\n")
    arguments = [str(file), "--ppo.clip=0.3", "--rules.follow", "strict", "--budget.decisions", "1e6"]
    config = load_config(*parse_arguments(arguments))
    assert config.ppo.learning_rate == 3e-4
    assert config.ppo.clip == 0.3
    assert config.rules == {"min_bid": 6, "follow": "strict"}
    assert config.budget.decisions == 1_000_000
    assert config.make_rules().min_bid == 6


def test_a_resolved_configuration_reads_back_as_itself():
    config = TrainConfig(rules={"slam": True}).resolved()
    assert config.workers in ("1", "2")
    assert config.precision in ("bfloat16", "float32")
    assert from_dict(config.to_dict()) == config


MISTAKES = [
    (["--ppo.learning_rat", "1"], "unknown flag '--ppo.learning_rat' (did you mean '--ppo.learning_rate'"),
    (["--ppo.learn", "1"], "unknown flag"),  # no abbreviations
    (["--seed"], "needs a value"),
    (["--seed", "1", "--seed", "2"], "given twice"),
    (["--seed", "1.5"], "--seed cannot be '1.5'; it is a whole number from 0"),
    (["--ppo.minibatch", "0"], "it is a whole number from 1 to 4,194,304"),
    (["--ppo.clip", "2"], "--ppo.clip cannot be '2'; it is a number from 0 to 1"),
    (["--ppo.clip", "nan"], "it is a number from 0 to 1"),
    (["--variant", "pedroo"], "unknown variant 'pedroo' (did you mean 'pedro'"),
    (["--rules.min_bd", "3"], "no option 'min_bd' (did you mean 'min_bid'"),
    (["--rules.min_bid", "99"], "option 'min_bid' cannot be 99; it is a whole number from 1 to 14"),
    (["--workers", "0"], "workers cannot be '0'; it is auto or a number"),
    (["--precision", "half"], "it is auto, bfloat16 or float32"),
    (["--name", "../x"], "name cannot be '../x'"),
    (["nothing.yaml"], "nothing.yaml: No such file"),
    (["a.yaml", "b.yaml"], "one configuration at a time"),
    (["--resume", "runs/x", "--seed", "1"], "give nothing else"),
    (["--resume", "nowhere"], "nowhere is not a run"),
    (["--evaluation.tuned_on", "dev-1,report1"], "cannot be 'report1' (did you mean 'report-1'?); the sets are: dev-1"),
    (["--evaluation.yardstick", "heuristics-1"], "unknown agent 'heuristics-1' (did you mean 'heuristic-1'"),
]


@pytest.mark.parametrize(("arguments", "message"), MISTAKES, ids=lambda value: " ".join(value)[:40])
def test_mistakes_are_one_line_and_exit_code_2(arguments, message, capsys):
    pytest.importorskip("torch")
    assert training.main(arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert message in err


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("ppo: {clipp: 1}", "unknown key 'ppo.clipp' (did you mean 'clip'?)"),
        ("sede: 1", "unknown key 'sede' (did you mean 'seed'?)"),
        ("ppo: 3", "'ppo' holds 'key: value' lines"),
        ("rules: [a]", "'rules' holds 'option: value' lines"),
        ("seed: true", "seed cannot be True; it is a whole number"),
        ("- 1", "a configuration is 'key: value' lines"),
        ("a: [", "line 2: not YAML"),
        ("seeds: [0]\narms: {}", "is a plan of several runs: python -m agents.ablation "),
        ("network: {width: 0}", "network.width cannot be 0; it is a whole number from 1"),
    ],
)
def test_mistakes_in_a_file_name_the_file(text, message, tmp_path):
    file = tmp_path / "x.yaml"
    file.write_text(text + "\n")
    with pytest.raises(ConfigError) as caught:
        load_config(file, {})
    assert str(caught.value).startswith(str(file))
    assert message in str(caught.value)


def test_missing_packages_are_named(monkeypatch, capsys):
    monkeypatch.setitem(training.NEEDS, "no_such_package", "NoSuch")
    assert training.main([]) == 2
    assert "training needs NoSuch: pip install -e '.[train]'" in capsys.readouterr().err


def test_help_shows_every_flag(capsys):
    assert training.main(["--help"]) == 0
    out = capsys.readouterr().out
    assert all(f"--{path}" in out for path, _, _ in flags())
