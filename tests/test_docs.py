"""The pages in docs/ are true: the API is the one listed, errors are those quoted, named agents play as they did."""

from __future__ import annotations

import importlib
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import gymnasium
import pytest

import pedro_env
from agents import evaluation
from agents.arena import play_duplicate
from agents.registry import make_agent
from pedro_env.layout import Layout, layout_of
from pedro_env.record import RecordError, random_records, read_records, replay_all, write_line
from pedro_env.rules import Rules
from pedro_env.variants import make_rules

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PEDRO = make_rules("pedro")


def page(name: str) -> str:
    return (DOCS / name).read_text(encoding="utf-8")


def rows(section: str) -> dict[str, str]:
    """The first two columns of a section's table in docs/api.md, without backticks in the first."""
    text = page("api.md").split(f"## {section}\n")[1].split("\n## ")[0]
    cells = [line.strip("| ").split(" | ", 1) for line in text.splitlines() if line.startswith("| `")]
    return {name.strip("`"): about for name, about in cells}


def names_in(text: str) -> list[str]:
    """Names in backticks that are one word."""
    return re.findall(r"`(\w+)`", text)


# --- docs/api.md


def test_the_names_are_those_of_the_package() -> None:
    assert sorted(rows("Names of `pedro_env`")) == sorted(pedro_env.__all__)


@pytest.mark.parametrize("name", ["Batch", "Agent"])
def test_a_class_has_the_members_that_are_listed(name: str) -> None:
    cls = getattr(pedro_env, name)
    members = names_in(rows("Names of `pedro_env`")[name])
    assert members
    for member in members:
        assert hasattr(cls, member) or member in cls.__annotations__, member


@pytest.mark.parametrize(
    ("name", "made"),
    [("actions_of", pedro_env.actions_of(PEDRO)), ("layout_of", layout_of(PEDRO)), ("VARIANTS", None)],
)
def test_what_a_name_gives_has_the_members_that_are_listed(name: str, made: Any) -> None:
    for member in names_in(rows("Names of `pedro_env`")[name]):
        assert hasattr(made, member), member


@pytest.mark.parametrize(
    ("module", "about"),
    [*rows("Modules").items(), *rows("Modules of the checkout").items()],
    ids=lambda text: text[:30],
)
def test_a_module_has_what_is_listed(module: str, about: str) -> None:
    if module == "pedro_env.picture":
        pytest.importorskip("pygame")
        pytest.importorskip("PIL")
    imported = importlib.import_module(module)
    assert imported.__doc__
    for name in names_in(about.partition("; needs")[0]):
        assert hasattr(imported, name), name


def test_modules_named_in_the_documentation_are_listed() -> None:
    """What docs/README.md calls documented is public."""
    listed = {**rows("Modules"), **rows("Modules of the checkout")}
    for name in re.findall(r"`((?:pedro_env|agents)\.\w+)`", page("README.md")):
        assert name in listed, name


# --- docs/versioning.md


def policies(folder: Path) -> Iterator[Path]:
    """A new network as an exported policy and as a checkpoint, where the packages are there."""
    for package in ("torch", "safetensors", "onnx", "onnxscript", "onnxruntime"):
        pytest.importorskip(package)
    from agents.checkpoint import save_checkpoint
    from agents.export import export_policy
    from agents.network import NetworkShape, PolicyValueNetwork

    network = PolicyValueNetwork(layout_of(PEDRO), NetworkShape(width=16, layers=1))
    checkpoint = save_checkpoint(folder, network, {}, {}, {"counters": {"decisions": 0}}, 1)
    export_policy(checkpoint, folder / "first.onnx", states=100)
    yield folder / "first.onnx"
    yield checkpoint / "policy.safetensors"


@pytest.fixture(scope="module")
def made_policies(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    return list(policies(tmp_path_factory.mktemp("policies")))


def quoted(message: str) -> bool:
    """Whether docs/versioning.md has a message, whatever its lines' ends."""
    return " ".join(message.split()) in " ".join(page("versioning.md").split())


def no_hash(_: object) -> str:
    return "0" * 16


@pytest.mark.parametrize("kind", [0, 1], ids=["onnx", "checkpoint"])
@pytest.mark.parametrize("what", ["variant", "options", "rules", "layout", "format", "damaged"])
def test_what_a_policy_for_something_else_is_told(
    what: str, kind: int, made_policies: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = made_policies[kind]
    rules = {"variant": make_rules("italian"), "options": make_rules("pedro", {"min_bid": 6})}.get(what, PEDRO)
    if what == "rules":
        monkeypatch.setattr(Rules, "hash", no_hash)
    elif what == "layout":
        monkeypatch.setattr(Layout, "hash", no_hash)
    elif what == "format":
        monkeypatch.setattr(("agents.onnx_policy.FORMAT", "agents.checkpoint.FORMAT")[kind], 2)
    whole = file.read_bytes()
    if what == "damaged":
        file.write_bytes(whole[:-4] + b"????")
    try:
        with pytest.raises(ValueError, match=re.escape(file.name)) as caught:
            make_agent(str(file), rules)
    finally:
        file.write_bytes(whole)
    message = str(caught.value).removeprefix(f"{file}: ")
    assert quoted(f"`{message}`"), message


def test_another_cut_off_is_no_other_game(made_policies: list[Path]) -> None:
    for file in made_policies:
        make_agent(str(file), make_rules("pedro", {"max_deals": 6}))


def without_winner(record: dict[str, Any]) -> None:
    del record["winner"]


@pytest.mark.parametrize(
    ("spoil", "begin"),
    [
        (lambda record: record.update(points=[1, 13]), "the end: "),
        (without_winner, "the field "),
        (lambda record: record.update(options={"foo": 1}), "'pedro' has no option "),
    ],
)
def test_what_a_record_that_differs_is_told(
    spoil: Callable[[dict[str, Any]], None], begin: str, tmp_path: Path
) -> None:
    record = next(random_records("pedro", {}, 1, 0))
    spoil(record)
    file = tmp_path / "games.jsonl"
    file.write_text(write_line(record), encoding="utf-8")
    with pytest.raises(RecordError) as caught:
        list(replay_all(read_records(file), file))
    message = begin + str(caught.value).partition(begin)[2].partition("options are: ")[0]
    assert quoted(message), str(caught.value)


def test_fields_that_are_not_known_are_ignored(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    file.write_text(write_line(next(random_records("pedro", {}, 1, 0)) | {"note": "mine"}), encoding="utf-8")
    assert len(list(replay_all(read_records(file), file))) == 1


def test_an_environment_that_is_not_there() -> None:
    with pytest.raises(gymnasium.error.VersionNotFound) as caught:
        gymnasium.make("pedro_env/Pedro-v1")
    assert quoted(str(caught.value))


def test_formats_are_those_of_the_page(made_policies: list[Path]) -> None:
    from agents import checkpoint, onnx_policy, report

    assert (checkpoint.FORMAT, onnx_policy.FORMAT, report.FORMAT) == (1, 1, 1)
    described = json.loads((made_policies[1].parent / "checkpoint.json").read_text(encoding="utf-8"))
    assert described["identity"]["format"] == 1


@pytest.mark.parametrize(
    ("agent", "against", "total"),
    [("heuristic-1", "random", 3893), ("heuristic-2", "random", 4070)],
)
def test_a_name_with_a_version_plays_as_it_did(agent: str, against: str, total: int) -> None:
    assert play_duplicate(agent, against, PEDRO, deals=100, seed=1).difference.sum() == total


# --- docs/benchmark-protocol.md


def test_the_example_has_todays_hashes() -> None:
    text = page("benchmark-protocol.md")
    assert f"rules `{PEDRO.hash()}`, layout `{layout_of(PEDRO).hash()}`" in text


def test_the_file_to_publish_has_what_the_page_says(tmp_path: Path) -> None:
    file = tmp_path / "result.json"
    assert evaluation.main(["random", "random", "--deals", "2", "--workers", "1", "--json", str(file)]) == 0
    data = json.loads(file.read_text(encoding="utf-8"))
    assert (data["rules_hash"], data["layout_hash"]) == (PEDRO.hash(), layout_of(PEDRO).hash())
    assert {"command", "variant", "options", "seed", "versions"} <= set(data)


def test_the_table_of_the_protocol_is_what_comes_out() -> None:
    duel = play_duplicate("heuristic-1", "morehead", PEDRO, deals=200, seed=7)
    points = duel.points
    row = f"{points.mean:+.2f}  [{points.low:+.2f}, {points.high:+.2f}]"
    assert row in page("benchmark-protocol.md")


# --- CITATION.cff


def test_the_citation_is_that_of_the_package() -> None:
    yaml = pytest.importorskip("yaml")
    tomllib = pytest.importorskip("tomllib")  # from Python 3.11
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert citation["cff-version"] == "1.2.0"
    assert citation["authors"] == project["authors"]
    assert (citation["version"], citation["license"]) == (project["version"], project["license"])


def test_the_readme_cites_what_the_file_does() -> None:
    yaml = pytest.importorskip("yaml")
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for value in (citation["title"], citation["authors"][0]["name"], str(citation["version"])):
        assert f"{{{value}}}" in readme, value


# --- all pages


@pytest.mark.parametrize(
    "file",
    [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(DOCS.glob("*.md")), ROOT / "benchmarks" / "README.md"],
    ids=lambda file: file.name,
)
def test_links_lead_somewhere(file: Path) -> None:
    for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", file.read_text(encoding="utf-8")):
        if "://" not in target:
            assert (file.parent / target).exists(), target


def test_the_index_has_every_page() -> None:
    index = page("README.md")
    for file in DOCS.glob("*.md"):
        assert file.name == "README.md" or f"({file.name})" in index, file.name
