"""Playing in the terminal: every choice can be typed, nothing hidden is shown, what was played is kept."""

from __future__ import annotations

import io
import os
import random
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from agents.errors import AgentError
from agents.play import keeper as keeper_module
from agents.play.choices import Choices, NotAChoice
from agents.play.command import main
from agents.play.game import Game, Quit
from agents.play.keeper import Keeper
from agents.play.terminal import Terminal
from agents.registry import make_agent
from pedro_env import Batch, make_rules
from pedro_env.actions import FIRST_BID, FIRST_SUIT, PASS, Phase
from pedro_env.agent import Agent
from pedro_env.cards import CARD_NAMES, SUIT_SYMBOLS, SUITS, parse_card
from pedro_env.cardset import to_cards
from pedro_env.commands import main as pedro_env_main
from pedro_env.record import read_records
from pedro_env.rules import Rules, RulesError
from pedro_env.rules_page import rules_page
from pedro_env.variants import VARIANTS
from pedro_env.views import Views
from tests.support import cards, do, one_game, phase, stacked_pack

ROOT = Path(__file__).parents[1]
COMMAND = [sys.executable, "-m", "agents.play"]
SEATS = [("pedro-sancho", {"seats": seats}) for seats in (5, 6, 7)]


def plays(variant: str) -> bool:
    """Whether the engine plays a variant."""
    try:
        Batch(make_rules(variant))
    except RulesError:
        return False
    return True


GAMES = [*((variant, {}) for variant in VARIANTS if plays(variant)), *SEATS]


# --- a person who types


class Person(io.StringIO):
    """Types what ``answer`` says at each prompt."""

    def __init__(self, answer: Callable[[], str]) -> None:
        super().__init__()
        self._answer = answer

    def readline(self, size: int = -1) -> str:
        return self._answer() + "\n"


class Blind:
    """Passes, or takes the first legal action: what it does does not depend on cards that it may choose among."""

    name = "blind"
    sees_everything = False

    def act(self, views: Views) -> np.ndarray:
        return np.where(views.mask[:, PASS], PASS, views.mask.argmax(axis=1))


def game_of(batch: Batch, seat: int, answer: Callable[[], str], out: io.StringIO, agent: Agent | None = None) -> Game:
    agents = dict.fromkeys(set(range(batch.rules.seats)) - {seat}, agent or make_agent("random", batch.rules))
    return Game(batch, seat, agents, Terminal(Person(answer), out), Keeper(None, False), {})


def spelled(batch: Batch, action: int) -> str:
    """An action as a person may type it, in one of the ways."""
    name = batch.actions.names[action]
    if FIRST_SUIT <= action < PASS:
        return name.lower() if action % 2 else SUIT_SYMBOLS[action - FIRST_SUIT]
    if action < FIRST_SUIT and name[1] in SUITS:
        rank, symbol = name[0].replace("T", "10"), SUIT_SYMBOLS[SUITS.index(name[1])]
        return (name, name.lower(), rank + symbol)[action % 3]
    return name


def random_person(batch: Batch, seed: int = 0) -> Callable[[], str]:
    """Types random legal choices; sometimes nothing, nonsense or a command first."""
    rng = random.Random(seed)

    def answer() -> str:
        if rng.random() < 0.3:
            return rng.choice(["zz", "score", "last", "table", "undo", "-1", "\x07\x1b[2J", "9" * 200])
        legal = np.flatnonzero(batch.mask()[0]).tolist()
        return "" if len(legal) == 1 else spelled(batch, rng.choice(legal))

    return answer


@pytest.mark.parametrize("columns", [40, 80])
@pytest.mark.parametrize(("variant", "options"), GAMES)
def test_every_game_can_be_played_and_fits_the_terminal(
    variant: str, options: dict[str, object], columns: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    rules = make_rules(variant, options)
    for seat in range(rules.seats):
        batch, out = Batch(rules, seed=seat), io.StringIO()
        game_of(batch, seat, random_person(batch, seat), out).play(whole_match=False)
        text = out.getvalue()
        assert batch.over[0]
        assert max(map(len, text.splitlines())) <= columns
        assert "\x1b" not in text
        assert "Deal 1 is over." in text


# --- what is shown


def shown_cards(text: str) -> set[int]:
    """The cards that a text names, one by one (``K♥``) or in rows of a suit (``♥* A J 5♦``)."""
    found: set[int] = set()
    for line in text.splitlines():
        suit = ""
        for word in line.split():
            word = word.strip("[](),.;:")
            if word in CARD_NAMES:
                found.add(parse_card(word))
            elif re.fullmatch(rf"[{SUIT_SYMBOLS}]\*?", word):
                suit = SUITS[SUIT_SYMBOLS.index(word[0])]
            elif re.fullmatch(rf"[2-9TJQKA][{SUIT_SYMBOLS}]", word):
                found.add(parse_card(word[0] + SUITS[SUIT_SYMBOLS.index(word[1])]))
            elif re.fullmatch("[2-9TJQKA]", word) and suit:
                found.add(parse_card(word + suit))
            else:
                suit = ""
    return found


def test_shown_cards() -> None:
    assert shown_cards("Left K♥, [T♣]. You lay aside ♠* 7 4 5♣, draw 3") == set(cards("KH TC 7S 4S 5C"))


@pytest.mark.parametrize(("variant", "options"), [game for game in GAMES if not make_rules(*game).bid_names_suit])
def test_no_card_is_shown_that_the_seat_has_not_seen(variant: str, options: dict[str, object]) -> None:
    rules = make_rules(variant, options)
    for seat in range(rules.seats):
        batch, out = Batch(rules, seed=10 + seat), io.StringIO()
        seen: set[int] = set()
        person, printed = random_person(batch, seat), 0

        def look(batch: Batch = batch, seat: int = seat, seen: set[int] = seen) -> None:
            """Keep what the seat has seen so far, as the state has it."""
            s = batch.state
            sets = [s.hand[0, seat], s.laid_aside[0, seat], s.called[0], s.open[0], *s.shown[0]]
            sets += [s.stock[0]] if s.robber[0] == seat else []
            seen.update(card for cards in sets for card in to_cards(cards))

        class Watched:
            name = "random"
            sees_everything = False
            inner = make_agent("random", rules)

            def act(self, views: Views, look: Callable[[], None] = look) -> np.ndarray:
                look()
                return self.inner.act(views)

        def answer(
            batch: Batch = batch,
            out: io.StringIO = out,
            look: Callable[[], None] = look,
            seen: set[int] = seen,
            person: Callable[[], str] = person,
        ) -> str:
            nonlocal printed
            look()
            # A card may be called because another seat holds it: the choice says so.
            called = np.flatnonzero(batch.mask()[0]).tolist() if batch.phase[0] == Phase.CALL else []
            text = out.getvalue()
            assert shown_cards(text[printed:]) <= seen | set(called)
            printed = len(text)
            return person()

        game_of(batch, seat, answer, out, Watched()).play(whole_match=False)
        look()
        assert shown_cards(out.getvalue()[printed:]) <= seen


@pytest.mark.parametrize(("variant", "options"), GAMES)
def test_hidden_cards_change_nothing_up_to_the_first_decision(variant: str, options: dict[str, object]) -> None:
    rules = make_rules(variant, options)
    batch = Batch(rules, seed=5)
    batch.step(Blind().act(batch.views()))
    seat, pack = int(batch.to_act[0]), Batch(rules, seed=5).state.pack[0].tolist()
    own = set(to_cards(batch.state.hand[0, seat]))
    hidden = [card for card in pack if card not in own]
    texts = []
    for order in (hidden, hidden[::-1]):
        cards_left = iter(order)
        other = Batch(rules, seed=5)
        other.set_position(
            0,
            [card if card in own else next(cards_left) for card in pack],
            int(batch.state.dealer[0]),
            [0] * rules.sides,
        )
        out = io.StringIO()

        def leave() -> str:
            raise EOFError

        with pytest.raises(EOFError):
            game_of(other, seat, leave, out, Blind()).play(whole_match=False)
        texts.append(out.getvalue())
    assert texts[0] == texts[1]
    assert "Your hand:" in texts[0]


class Scripted:
    """Takes actions by name, one after the other."""

    name = "scripted"
    sees_everything = False

    def __init__(self, names: str) -> None:
        self._names = names.split()

    def act(self, views: Views) -> np.ndarray:
        return np.array([views.actions.parse(self._names.pop(0), Phase(views.phase[0]))])


def test_what_is_told_of_a_deal() -> None:
    """The base game as seat 0 sees it: what others lay aside and draw is counted, its own cards are named."""
    rules = make_rules("pedro")
    zones = {
        0: "2S 3S KH QH JH TH 9H 8H 7H",
        1: "AS KS QS JS TS 9S 2D 3D 4D",
        2: "8S 7S 5S 6D 7D 8D 9D TD JD",
        3: "6S 5C 4S QD KD AD 2C 3C 4C",
        "stock": "2H 3H 4H 5H 6H AH 5D",
    }
    batch = one_game(rules, stacked_pack(rules, 3, zones), dealer=3)
    out, typed = io.StringIO(), iter(["pass", "2s", "last", "score", "3", "quit"])
    agent = Scripted("7 pass pass S KC QC AC  AS 8S 4S  KS 5S 6S  QS 7S 5C")
    with pytest.raises(Quit):
        game_of(batch, 0, lambda: next(typed), out, agent).play(whole_match=False)
    lines = out.getvalue().splitlines()
    start = lines.index("You pass, left bids 7, partner passes, right passes, left names ♠.")
    assert lines[start + 1 : start + 5] == [
        "You lay aside ♥ K Q J T 9 8 7 and draw ♥ 5 4 3 2.",
        "Left lays aside 3.",
        "Partner lays aside 6 and draws 3.",
        "Right lays aside 6 and draws 3.",
    ]
    first = "Left A♠, partner 8♠, right 4♠, you 2♠. Left wins, 1 point."
    assert lines.count(first) == 2  # when it ended, and when asked for
    assert "Your side: 0 of 62, 0 points taken" in lines
    assert "Other side: 0 of 62, 1 point taken" in lines
    assert "Left K♠, partner 5♠, right 6♠, you 3♠. Left wins, 5 points." in lines
    assert "Your hand: ♥ 5 4 3 2" in lines


# --- typing


def choices(batch: Batch) -> Choices:
    s, seat = batch.state, int(batch.to_act[0])
    legal = np.flatnonzero(batch.mask()[0]).tolist()
    phase = Phase(batch.phase[0])
    hand = to_cards(s.hand[0, seat])
    return Choices(batch.rules, batch.actions, phase, legal, hand, int(s.trump[0]), int(s.led[0]))


def position(variant: str, zones: dict[int | str, str], actions: str, **options: object) -> Batch:
    """A deal of dealer 3 after some actions."""
    rules = make_rules(variant, options)
    return do(one_game(rules, stacked_pack(rules, 3, zones), dealer=3), actions)


def meant(batch: Batch, text: str) -> str:
    """The name of the action that typed text means."""
    return batch.actions.names[choices(batch).parse(text)]


def refused(batch: Batch, text: str) -> str:
    with pytest.raises(NotAChoice) as caught:
        choices(batch).parse(text)
    return str(caught.value)


HANDS = {1: "TH 5H 5D AH 2C 3C 4C 7C 8C", 0: "KH QH JH 9H AS KS QS JS TS"}


def test_cards_in_every_spelling() -> None:
    batch = position("pedro", {**HANDS, "stock": "6S 7D 8D 6C"}, "pass 7 pass pass H")
    while phase(batch) != "play":
        batch.step(batch.mask().argmax(axis=1))
    for text, name in {
        "5H": "5H",
        "5h": "5H",
        "5♥": "5H",
        "5♥️": "5H",
        "5 d": "5D",
        "10H": "TH",
        "th": "TH",
        "10": "TH",
        "t": "TH",
        "a": "AH",
    }.items():
        assert meant(batch, text) == name
    assert refused(batch, "5") == "That could be 5♥ or 5♦."
    assert refused(batch, "1") == refused(batch, "play") == refused(batch, "5hh")
    assert refused(batch, "") == "There is more than one choice; type one of them."
    assert refused(batch, "7s") == "You do not hold 7♠."
    assert refused(batch, "K") == "You hold no such card."


def test_a_card_that_is_not_legal() -> None:
    batch = position("pedro", {**HANDS, "stock": "2D"}, "pass 7 pass pass H")
    while phase(batch) != "play":
        batch.step(batch.mask().argmax(axis=1))
    do(batch, "AH")
    while batch.to_act[0] != 0:
        batch.step(batch.mask().argmax(axis=1))
    plain = next(card for card in to_cards(batch.state.hand[0, 0]) if not batch.mask()[0, card])
    assert refused(batch, CARD_NAMES[plain]).endswith(" cannot be chosen now: ♥ was led.")


def test_bids_are_numbers_and_never_cut_in_two() -> None:
    batch = position("pedro", {}, "9")
    assert choices(batch).parts() == ["pass", "10", "11", "12", "13", "14"]
    assert (meant(batch, "p"), meant(batch, "10"), meant(batch, " 14 ")) == ("pass", "10", "14")
    assert refused(batch, "9") == "9 cannot be chosen now."
    assert refused(batch, "5h") == "A card or suit is not asked for now."
    do(batch, "13")
    assert "none of the choices" in refused(batch, "1")
    assert meant(do(batch, "14"), "") == "pass"


def test_suits_and_bids_with_suits() -> None:
    batch = position("pedro", {}, "9 pass pass pass")
    assert [meant(batch, text) for text in ("H", "he", "♦", "clubs", "s")] == ["H", "H", "D", "C", "S"]
    batch = position("oregon", {}, "7C")
    assert choices(batch).parts() == ["pass", "7♥", "7♠", "8 to 15 with ♠ ♥ ♦ ♣"]
    assert (meant(batch, "7♥"), meant(batch, "10h"), meant(batch, "15 C")) == ("7H", "10H", "15C")
    assert refused(batch, "7") == "That could be 7♥ or 7♠."
    assert refused(batch, "7d") == "7♦ cannot be chosen now."


def test_many_bids_are_a_range() -> None:
    batch = Batch(make_rules("dom-pedro"))
    assert choices(batch).parts() == ["pass", "1 to 36"]


# --- commands on the way


def transcript_of(batch: Batch, *typed: str) -> str:
    out, lines = io.StringIO(), iter([*typed, "quit"])
    with pytest.raises(Quit):
        game_of(batch, int(batch.to_act[0]), lambda: next(lines), out).play(whole_match=False)
    return out.getvalue()


def test_commands_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    batch = Batch(make_rules("pedro"), seed=1)
    before = batch.state.copy()
    text = transcript_of(batch, "help", "last", "undo", "score", "?", "zz", "")
    assert batch.state.decision[0] == before.decision[0] == 0
    assert "There is no undo" in text
    assert "No trick has been finished in this deal." in text
    printed, page = " ".join(text.split()), " ".join(rules_page(batch.rules).split())
    assert page in printed
    assert "  colour (♠–♣, ♥–♦). It is a trump for\n  every purpose" in text  # wrapped for this width alone
    assert max(map(len, text.splitlines())) <= 40


# --- the command


class Cycle(io.StringIO):
    """Types everything that could be meant, over and over: what is not legal is refused."""

    def __init__(self, rules: Rules) -> None:
        super().__init__()
        self._lines = self._all(rules)

    @staticmethod
    def _all(rules: Rules) -> Iterator[str]:
        actions = Batch(rules).actions
        names = [*actions.names[FIRST_BID + len(actions.bids) :], "pass", *actions.names[:PASS], *actions.names[PASS:]]
        while True:
            yield from names

    def readline(self, size: int = -1) -> str:
        return next(self._lines) + "\n"


def typed_lines(rules: Rules, number: int) -> str:
    """The first lines of a ``Cycle``, for a process."""
    cycle = Cycle(rules)
    return "".join(cycle.readline() for _ in range(number))


@pytest.mark.parametrize("variant", ["pedro", "oregon", "five-handed", "king-pedro", "italian"])
def test_a_match_is_kept_as_records(
    variant: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "game.jsonl"
    monkeypatch.setattr(sys, "stdin", Cycle(make_rules(variant)))
    arguments = ["--variant", variant, "--opponents", "random", "--seat", "2", "--seed", "4", "--record", str(path)]
    assert main([*arguments, "--set", "max_deals=3"]) == 0
    out = capsys.readouterr().out
    deals = [record for _, record in read_records(path)]
    assert len(deals) == out.count(" is over. ") >= 2
    assert " ".join(out.split()).endswith(f"Good-bye: {len(deals)} deals written to {path}.")
    assert deals[-1]["winner"] is not None or "The match is cut off after 3 deals: there is no winner." in out
    assert deals[0]["agents"][2] == "person"
    assert {"random"} == {name for name in deals[0]["agents"] if name != "person"}
    assert pedro_env_main(["replay", str(path)]) == 0
    assert "no differences" in capsys.readouterr().out


def test_the_winner_of_a_match_is_told(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "stdin", Cycle(make_rules("pedro")))
    assert main(["--opponents", "heuristic-1", "--seed", "1"]) == 0
    assert "Other side wins the match." in capsys.readouterr().out


def process(*arguments: str, **options: object) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [*COMMAND, "--opponents", "random", *arguments],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        **options,
    )


def test_one_deal_in_a_process(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    play = process("--episode", "deal", "--seed", "3", "--record", str(path), env={**os.environ, "COLUMNS": "40"})
    out, err = play.communicate(typed_lines(make_rules("pedro"), 3000), timeout=60)
    assert (play.returncode, err) == (0, "")
    assert out.splitlines()[-2:] == ["Good-bye: 1 deal written to", f"{path}."]  # a path is not torn
    assert len(list(read_records(path))) == 1


def test_the_end_of_the_input(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    play = process("--seed", "3", "--record", str(path))
    out, err = play.communicate("pass\n", timeout=60)
    assert play.returncode == 130
    assert err == "python -m agents.play: the input has ended; nothing is written\n"
    assert "bid> pass\n" in out
    assert not list(tmp_path.iterdir())


def test_an_interrupt_keeps_finished_deals(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    play = process("--seed", "3", "--record", str(path))
    assert play.stdin is not None
    play.stdin.write(typed_lines(make_rules("pedro"), 800))
    play.stdin.flush()
    deadline = time.monotonic() + 60
    while not path.exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    time.sleep(0.3)  # it waits for the next line
    play.send_signal(signal.SIGINT)
    _, err = play.communicate(timeout=60)
    deals = [record for _, record in read_records(path)]
    assert play.returncode == 130
    assert re.fullmatch(rf"python -m agents.play: interrupted; {len(deals)} deals? written to .*game.jsonl\n", err)
    assert pedro_env_main(["replay", str(path)]) == 0


def test_quit_asks_nothing(tmp_path: Path) -> None:
    play = process("--record", str(tmp_path / "game.jsonl"))
    out, err = play.communicate("quit\n", timeout=60)
    assert (play.returncode, err) == (0, "")
    assert out.endswith("Good-bye: nothing is written.\n")
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals are a matter of Unix")
def test_on_a_terminal_the_rules_stop_at_every_screen_and_ctrl_c_leaves() -> None:
    import pty

    main_end, other_end = pty.openpty()
    play = subprocess.Popen(
        [*COMMAND, "--opponents", "random", "--seat", "3"],
        cwd=ROOT,
        stdin=other_end,
        stdout=other_end,
        stderr=subprocess.PIPE,
        env={**os.environ, "COLUMNS": "60", "LINES": "12"},
        start_new_session=True,
        preexec_fn=_take_terminal,
    )
    os.close(other_end)

    def read_until(words: str) -> str:
        text = ""
        while words not in text:
            ready, _, _ = select.select([main_end], [], [], 30)
            assert ready, f"{words!r} does not come after {text!r}"
            text += os.read(main_end, 4096).decode(errors="replace")
        return text

    try:
        read_until("bid> ")
        os.write(main_end, b"?\n")
        page = read_until("q: back ")
        assert page.count("\n") <= 14
        os.write(main_end, b"q\n")
        read_until("bid> ")
        os.write(main_end, b"\x03")
        _, err = play.communicate(timeout=60)
        assert play.returncode == 130
        assert err.decode() == "python -m agents.play: interrupted; 0 deals played, no record kept\n"
    finally:
        play.kill()
        os.close(main_end)


def _take_terminal() -> None:
    """The standard input is the terminal that Ctrl-C comes from."""
    import fcntl
    import termios

    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


# --- files and mistakes


def mistake(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """The one line on stderr of a call that fails with exit code 2."""
    try:
        code = main(arguments)
    except SystemExit as error:
        code = error.code
    out, err = capsys.readouterr()
    assert (code, out) == (2, "")
    assert err.startswith("python -m agents.play: ")
    assert err.count("\n") == 1
    return err


def test_a_file_is_replaced_only_on_a_clear_word(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "game.jsonl"
    path.write_text("mine", encoding="utf-8")
    assert "exists; name another file, or say --overwrite" in mistake(capsys, "--record", str(path))
    monkeypatch.setattr(sys, "stdin", io.StringIO("quit\n"))
    assert main(["--record", str(path), "--overwrite"]) == 0
    assert path.read_text(encoding="utf-8") == "mine"  # no deal was finished
    monkeypatch.setattr(sys, "stdin", Cycle(make_rules("pedro")))
    assert main(["--record", str(path), "--overwrite", "--episode", "deal", "--opponents", "random"]) == 0
    assert len(list(read_records(path))) == 1


@pytest.mark.parametrize("deals", [1, 2])
def test_a_full_disk_does_not_end_the_game(
    deals: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path, write, calls = tmp_path / "game.jsonl", keeper_module.write_whole, []

    def full_at_first(target: Path, data: bytes) -> None:
        calls.append(target)
        if len(calls) == 1:
            raise OSError(f"cannot write {target}: No space left on device")
        write(target, data)

    monkeypatch.setattr(keeper_module, "write_whole", full_at_first)
    monkeypatch.setattr(sys, "stdin", Cycle(make_rules("pedro")))
    assert main(["--record", str(path), "--opponents", "random", "--set", f"max_deals={deals}"]) == 0
    assert "No space left on device; it is tried again" in " ".join(capsys.readouterr().out.split())
    assert len(list(read_records(path))) == deals


def test_mistakes_are_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "from 0 to 3 in pedro, not 4" in mistake(capsys, "--seat", "4")
    assert "'-1' is not a whole number from 0 to 6" in mistake(capsys, "--seat=-1")
    assert "unknown agent 'heuristic'" in mistake(capsys, "--opponents", "heuristic")
    assert "one agent for all, or 3, one for every other seat; not 2" in mistake(capsys, "--opponents", "random,random")
    assert "unknown variant 'pedroo'" in mistake(capsys, "--variant", "pedroo")
    assert "there is no folder" in mistake(capsys, "--record", str(tmp_path / "missing" / "game.jsonl"))
    assert "is not a file" in mistake(capsys, "--record", str(tmp_path), "--overwrite")


def test_agents_are_named_clockwise_from_the_left(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("quit\n"))
    assert main(["--seat", "1", "--opponents", "random,morehead,heuristic-1"]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "You have seat 1; left is random, partner is morehead, right is heuristic-1." in said


def test_an_agent_that_answers_wrongly_is_named() -> None:
    class Wrong(Blind):
        name = "wrong"

        def act(self, views: Views) -> np.ndarray:
            return np.array([FIRST_SUIT])

    batch = Batch(make_rules("pedro"), seed=1)
    game = game_of(batch, (int(batch.to_act[0]) + 1) % 4, lambda: "pass", io.StringIO(), Wrong())
    with pytest.raises(AgentError, match=r"^wrong answered a decision with \[54\], which is no legal action"):
        game.play(whole_match=False)
