"""``python -m pedro_env``: what the commands print, and that a mistake is one line and exit code 2."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from pedro_env.commands import main
from pedro_env.record import read_records
from pedro_env.variants import VARIANTS

ROOT = Path(__file__).parents[1]
COMMAND = [sys.executable, "-m", "pedro_env"]


def run(*arguments: str, **options: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*COMMAND, *arguments], cwd=ROOT, text=True, stderr=subprocess.PIPE, timeout=120, **options)


def mistake(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """The one line on stderr of a call that fails with exit code 2."""
    try:
        code = main(arguments)
    except SystemExit as error:
        code = error.code
    out, err = capsys.readouterr()
    assert code == 2
    assert out == ""
    assert err.count("\n") == 1
    assert err.endswith("\n")
    assert err.startswith("python -m pedro_env")
    return err


# --- record and replay


def test_record_and_replay(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "games.jsonl"
    options = ["--set", "min_bid=6", "target=62", "--set", "max_deals=3"]
    assert main(["record", "pedro", "--matches", "2", "--seed", "7", "--out", str(path), *options]) == 0
    deals = [record for _, record in read_records(path)]
    assert capsys.readouterr().out == f"{len(deals)} deals of 2 matches written to {path}\n"
    assert {record["seed"] for record in deals} == {7}
    assert all(record["options"] == {"min_bid": 6, "max_deals": 3} for record in deals)
    assert [entry.name for entry in tmp_path.iterdir()] == ["games.jsonl"]
    assert main(["replay", str(path)]) == 0
    assert capsys.readouterr().out == f"{len(deals)} deals of 2 matches replayed, no differences\n"


def test_record_writes_to_the_standard_output(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["record", "oregon", "--set", "max_deals=2"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert {json.loads(line)["variant"] for line in lines} == {"oregon"}
    assert 1 <= len(lines) <= 2


def test_the_same_seed_writes_the_same_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    outputs = []
    for seed in ("1", "1", "2"):
        main(["record", "pedro", "--set", "max_deals=2", "--seed", seed])
        outputs.append(capsys.readouterr().out)
    assert outputs[0] == outputs[1] != outputs[2]


def test_replay_says_where_the_first_difference_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "games.jsonl"
    main(["record", "pedro", "--set", "max_deals=3", "--out", str(path)])
    lines = path.read_text(encoding="utf-8").splitlines()
    record = json.loads(lines[1])
    record["steps"][3]["legal"].append("7")
    path.write_text("\n".join([lines[0], json.dumps(record), *lines[2:]]), encoding="utf-8")
    capsys.readouterr()
    assert main(["replay", str(path)]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"python -m pedro_env: {path}, line 2, step 4: ")
    assert err.count("\n") == 1


def test_replay_shows_a_transcript(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "games.jsonl"
    main(["record", "pedro", "--set", "max_deals=2", "--out", str(path)])
    capsys.readouterr()
    assert main(["replay", str(path), "--show"]) == 0
    out = capsys.readouterr().out
    assert out.endswith("2 deals of 1 match replayed, no differences\n")
    assert len(out.splitlines()) > 20


def test_deals_on_their_own(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "games.jsonl"
    main(["record", "pedro", "--set", "max_deals=4", "--out", str(path)])
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    path.write_text(lines[0] + lines[3], encoding="utf-8")
    assert main(["replay", str(path)]) == 1
    assert "deal 3 follows instead of 1" in capsys.readouterr().err
    assert main(["replay", str(path), "--single"]) == 0


# --- what is printed about the variants


def test_variants_lists_every_variant(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["variants"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines[1:]] == list(VARIANTS)
    assert "7–14" in lines[1]


def test_rules_prints_a_variant_with_options(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "pedro", "--set", "target=100"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("# pedro\n")
    assert "played to 100" in out


def test_the_page_of_layouts_is_what_the_command_prints(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["layouts"]) == 0
    page = (ROOT / "docs" / "layouts.md").read_text(encoding="utf-8")
    assert page == capsys.readouterr().out, "print it again: python -m pedro_env layouts > docs/layouts.md"
    assert all(f"\n## `{variant}`\n" in page for variant in VARIANTS)


def test_the_layout_of_one_variant_with_options(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["layouts", "pedro-sancho", "--set", "seats=7"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("## `pedro-sancho`\n")
    assert "`shown_0` … `shown_6`" in out


# --- mistakes


MISTAKES: dict[str, tuple[list[str], str]] = {
    "no command": ([], "arguments are required: COMMAND"),
    "unknown command": (["recrd"], "invalid choice: 'recrd'"),
    "no variant": (["record"], "arguments are required: VARIANT"),
    "unknown variant": (["record", "pedo"], "unknown variant 'pedo' (did you mean 'pedro'"),
    "unknown variant's rules": (["rules", "pedo"], "unknown variant 'pedo'"),
    "unknown variant's layout": (["layouts", "pedo"], "unknown variant 'pedo'"),
    "unknown option": (["record", "pedro", "--set", "min_bit=6"], "no option 'min_bit' (did you mean 'min_bid'?)"),
    "option of another variant": (["rules", "cinch", "--set", "slam=true"], "'cinch' has no option 'slam'"),
    "option's value": (["rules", "pedro", "--set", "follow=hard"], "'follow' cannot be 'hard'; it is 'suit_or_trump'"),
    "option out of range": (["rules", "pedro", "--set", "target=0"], "a whole number from 1 to 1000"),
    "option without a value": (["rules", "pedro", "--set", "slam"], "'slam' is not an option; write it as name=value"),
    "option twice": (["rules", "pedro", "--set", "slam=true", "slam=false"], "option 'slam' is given twice"),
    "contradiction": (["record", "pedro", "--set", "slam=true", "scoring=foster"], "'slam' contradicts scoring"),
    "options without a variant": (["layouts", "--set", "min_bid=6"], "--set needs a variant"),
    "no number": (["record", "pedro", "--matches", "many"], "'many' is not a whole number from 1 to"),
    "no matches": (["record", "pedro", "--matches", "0"], "'0' is not a whole number from 1 to"),
    "abbreviation": (["record", "pedro", "--match", "3"], "unrecognized arguments: --match 3"),
    "no folder": (["record", "pedro", "--out", "/no/such/folder/x.jsonl"], "there is no folder /no/such/folder"),
    "a folder": (["record", "pedro", "--out", "/"], "cannot write /: it is a folder; name a file"),
    "name too long": (["record", "pedro", "--out", "x" * 300], "File name too long"),
    "no file": (["replay", "/no/such/file"], "cannot read /no/such/file: No such file or directory"),
    "a folder to replay": (["replay", "/"], "cannot read /: Is a directory"),
    "a program to replay": (["replay", sys.executable], "is not a text file in UTF-8"),
    "a page to replay": (["replay", str(ROOT / "LICENSE")], "line 1: not a JSON object"),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_one_line(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    arguments, message = MISTAKES[name]
    assert message in mistake(capsys, *arguments)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk(capsys: pytest.CaptureFixture[str]) -> None:
    line = mistake(capsys, "record", "pedro", "--out", "/dev/full")
    assert line == "python -m pedro_env: cannot write /dev/full: No space left on device\n"
    with open("/dev/full", "w") as full:
        result = run("variants", stdout=full)
    assert (result.returncode, result.stderr.count("\n")) == (2, 1)
    assert "cannot write the output: No space left on device" in result.stderr


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs devices")
def test_a_device_is_written_to_and_not_replaced(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["record", "pedro", "--set", "max_deals=1", "--out", os.devnull]) == 0
    assert not Path(os.devnull).is_file()


def test_a_file_that_is_there_survives_a_failure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, link = tmp_path / "games.jsonl", tmp_path / "link.jsonl"
    path.write_text("mine", encoding="utf-8")
    link.symlink_to(path)

    def fail(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("pedro_env.commands.write_line", fail)
        assert main(["record", "pedro", "--out", str(link)]) == 130
    assert path.read_text(encoding="utf-8") == "mine"
    assert main(["record", "pedro", "--set", "max_deals=1", "--out", str(link)]) == 0
    assert path.read_text(encoding="utf-8").startswith('{"variant"')
    assert link.is_symlink()
    assert {entry.name for entry in tmp_path.iterdir()} == {"games.jsonl", "link.jsonl"}


# --- ends that are not the program's own


@pytest.mark.parametrize(
    "command",
    [
        [*COMMAND, "record", "pedro", "--matches", "9999", "--set", "max_deals=1"],
        [sys.executable, "train.py", "--help"],
        [sys.executable, "evaluate.py", "--list"],
    ],
    ids=["record", "train", "evaluate"],
)
def test_a_closed_pipe_ends_quietly(command: list[str]) -> None:
    with subprocess.Popen(
        command,
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 141


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_ends_quietly_and_leaves_nothing(number: int, code: int, tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    with subprocess.Popen(
        [*COMMAND, "record", "pedro", "--matches", "999999", "--set", "max_deals=1", "--out", str(path)],
        cwd=ROOT,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stderr is not None
        while not any(entry.stat().st_size for entry in tmp_path.iterdir()):
            assert process.poll() is None
        process.send_signal(number)
        said = b"python -m pedro_env: interrupted\n" if number == signal.SIGINT else b""
        assert process.stderr.read() == said
    assert process.returncode == code
    assert list(tmp_path.iterdir()) == []


INTERRUPT_AN_IMPORT = """
import runpy, sys

class Interrupt:
    def find_spec(self, name, path=None, target=None):
        if name == imported:
            raise KeyboardInterrupt

_, imported, how, *sys.argv = sys.argv
sys.meta_path.insert(0, Interrupt())
getattr(runpy, how)(sys.argv[0], run_name="__main__")
"""


@pytest.mark.parametrize(
    ("imported", "how", "program"),
    [("pedro_env.commands", "run_module", "pedro_env"), ("agents.evaluation", "run_path", "evaluate.py")],
)
def test_an_interrupt_while_modules_are_imported_shows_no_traceback(imported: str, how: str, program: str) -> None:
    command = [sys.executable, "-c", INTERRUPT_AN_IMPORT, imported, how, program, "--help"]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (result.returncode, result.stderr) == (130, "")


def test_a_closed_standard_output_is_one_line() -> None:
    script = shlex.join([*COMMAND, "record", "pedro"]) + " >&-"
    result = subprocess.run(["sh", "-c", script], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (result.returncode, result.stderr) == (2, "there is no standard output to write to\n")


@pytest.mark.parametrize("command", ["", "record", "replay", "variants", "rules", "layouts"])
def test_help(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main([*command.split(), "--help"])
    assert end.value.code == 0
    assert f"usage: python -m pedro_env {command}".rstrip() in capsys.readouterr().out
