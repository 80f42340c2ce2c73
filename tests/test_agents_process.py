"""Programs as agents: they play as they would in here, and none of them can hang a game or outlive it."""

from __future__ import annotations

import copy
import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from agents import evaluation
from agents.arena import Duel, play_duplicate, play_unit
from agents.errors import AgentError
from agents.process import child, conversation
from agents.random import RandomAgent
from agents.registry import make_agent
from pedro_env.engine import Batch
from pedro_env.gym import PedroEnv
from pedro_env.rules import Rules
from pedro_env.variants import VARIANTS, make_rules

ROOT = Path(__file__).parents[1]
PEDRO = make_rules("pedro")
every_variant = pytest.mark.parametrize("variant", VARIANTS)

FIRST_LEGAL = f"{shlex.quote(sys.executable)} {shlex.quote(str(ROOT / 'examples/agents/first_legal.py'))}"

CLIENT = """
import json, os, sys, time
def say(answer): print(json.dumps(answer), flush=True)
def told(): return json.loads(sys.stdin.readline())
hello = told()
say({"protocol": 1})
def answer(message): say({"id": message["id"], "actions": [d["legal"][0] for d in message["decisions"]]})
"""
"""The beginning of every client: it says hello and can give an answer."""


FAILS = """
child._end_all = lambda: 1 / 0
try:
    os.kill(os.getpid(), signal.SIGTERM)
except ZeroDivisionError:
    time.sleep(60)
"""
"""An error while a worker that was told to end puts away what it has started, which must not save it."""


class FirstLegal:
    """What ``examples/agents/first_legal.py`` does."""

    name = "first"
    sees_everything = False

    def __init__(self, rules: Rules) -> None:
        self.passing = 58

    def act(self, views: Any) -> np.ndarray:
        """Pass, or the first legal action."""
        return np.where(views.mask[:, self.passing], self.passing, views.mask.argmax(axis=1))


@pytest.fixture
def client(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], str]:
    """The command of a client that does as a text of Python says after its hello; time limits are short."""
    monkeypatch.setattr(conversation, "STARTING_SECONDS", 5.0)
    monkeypatch.setattr(child, "GRACE", 0.3)

    def write(text: str, *, begin: str = CLIENT) -> str:
        file = tmp_path / "a client.py"
        file.write_text(begin + text)
        return f"exec:{shlex.quote(sys.executable)} {shlex.quote(str(file))}"

    return write


def children() -> set[int]:
    """The processes that this one has started and that are there, zombies too."""
    return {int(number) for number in Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()}


def comes_true(what: Callable[[], bool], seconds: float = 30.0) -> bool:
    """Whether something is true before long."""
    late = time.monotonic() + seconds
    while not what() and time.monotonic() < late:
        time.sleep(0.02)
    return what()


def against_random(spec: str, pairs: int = 20) -> Duel:
    """A few pairs against random play, in this process."""
    agents = make_agent(spec, PEDRO), RandomAgent(PEDRO)
    return play_unit(*agents, PEDRO, np.arange(pairs), seed=0)


# --- programs that play


@pytest.mark.parametrize("language", ["python", "node"])
def test_the_examples_play_as_the_same_agent_in_here_does(language: str, capfd: pytest.CaptureFixture[str]) -> None:
    if language == "node" and not shutil.which("node"):
        pytest.skip("needs Node.js")
    spec = f"exec:{FIRST_LEGAL}" if language == "python" else f"exec:node {ROOT}/examples/agents/first_legal.js"
    duels = [play_duplicate(agent, "random", PEDRO, 120, seed=4) for agent in (spec, FirstLegal)]
    assert (duels[0].difference == duels[1].difference).all()
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("variant", ["oregon", "pedro-sancho", "five-handed", "tennessee"])
def test_it_plays_other_variants(variant: str) -> None:
    """Bids of a suit that are called as cards are, five seats, each for itself, cards given."""
    rules = make_rules(variant)
    play_unit(make_agent(f"exec:{FIRST_LEGAL}", rules), RandomAgent(rules), rules, np.arange(10), seed=1)


def test_its_chance_does_not_depend_on_messages_or_processes(client: Callable[[str], str]) -> None:
    spec = client(
        "for line in sys.stdin:\n"
        "    message = json.loads(line)\n"
        "    if message['type'] == 'end': break\n"
        "    say({'id': message['id'],\n"
        "         'actions': [d['legal_ids'][int(d['random'] * len(d['legal']))] for d in message['decisions']]})\n"
    )
    rules = make_rules("pedro")
    two = play_duplicate(spec, "random", rules, 510, seed=9, workers=2)
    one = play_duplicate("random", "random", rules, 510, seed=9)
    assert (two.difference == one.difference).all()
    assert one.difference.any()


def test_it_gets_the_raw_observation_where_it_asks_for_it(client: Callable[[str], str]) -> None:
    begin = CLIENT.replace('{"protocol": 1}', '{"protocol": 1, "observation": True}')
    text = "m = told(); assert {len(d['observation']) for d in m['decisions']} == {hello['layout']['width']}; answer(m)"
    batch = Batch(PEDRO, 0, np.arange(450))
    agent = make_agent(client(text, begin=begin), PEDRO)
    assert agent.act(batch.views(np.arange(5))).tolist() == [58] * 5


def test_many_decisions_are_several_messages(client: Callable[[str], str]) -> None:
    agent = make_agent(client("for line in sys.stdin: answer(json.loads(line))"), PEDRO)
    assert agent.act(Batch(PEDRO, 0, np.arange(450)).views()).tolist() == [58] * 450


def test_it_plays_in_the_terminal_and_in_gymnasium() -> None:
    env = PedroEnv(opponents=f"agents.registry:exec:{FIRST_LEGAL}")
    observation, _ = env.reset(seed=1)
    copied = copy.deepcopy(env)
    for each in (env, copied):
        over, mask = False, observation["action_mask"]
        while not over:
            after, _, over, _, _ = each.step(int(mask.argmax()))
            mask = after["action_mask"]


# --- programs that fail

FAILURES = {
    "ends": ("told(); sys.exit(3)", "it ended with exit code 3"),
    "crashes": ("told(); raise KeyError('no such card')", "its stderr ends: .*KeyError: 'no such card'"),
    "is killed": ("told(); os.kill(os.getpid(), 9)", "it was killed by signal 9"),
    "is late": ("told(); time.sleep(60)", r"it did not answer within .* s \(does it flush its output"),
    "does not read": ("time.sleep(60)", "it did not answer within"),
    "does not flush": ("told(); print('{}', end=''); time.sleep(60)", "it did not answer within"),
    "writes garbage": ("told(); print('hello there', flush=True)", "it wrote 'hello there', which is no JSON object"),
    "writes bytes": ("told(); os.write(1, b'\\xff\\x00\\n')", "which is no JSON object"),
    "writes deep": ("told(); print('[' * 100000, flush=True)", "which is no JSON object"),
    "writes no object": ("told(); print('[1]', flush=True)", "it wrote '\\[1\\]', which is no JSON object"),
    "writes without end": ("told()\nwhile True: os.write(1, b'x' * 4096)", "it wrote a line of more than 1,048,576 b"),
    "writes unasked": ("\nwhile True: print('{\"id\": 0}', flush=True)", "it answered message 1 with the id 0"),
    "closes stdout": ("told(); os.close(1); time.sleep(60)", "it closed its output"),
    "closes stdin": ("os.close(0); time.sleep(60)", "it did not answer within"),
    "answers another": ("m = told(); m['id'] += 1; answer(m)", "it answered message 1 with the id 2"),
    "answers too few": ("m = told(); m['decisions'].pop(); answer(m)", r"answered \d+ decisions with \d+ actions"),
    "answers nothing": ("m = told(); say({'id': 1})", r"it answered \d+ decisions with the actions None"),
    "plays illegally": (
        "m = told(); say({'id': 1, 'actions': ['AS'] * len(m['decisions'])})",
        r"it chose 'AS', which is not legal, in the phase 'bid' of match \d+, deal 0; legal are pass, 7, 8",
    ),
    "plays a float": ("m = told(); say({'id': 1, 'actions': [58.0] * len(m['decisions'])})", "it chose 58.0, which is"),
    "plays a list": ("m = told(); say({'id': 1, 'actions': [[58]] * len(m['decisions'])})", r"it chose \[58\], which"),
    "plays a truth": ("m = told(); say({'id': 1, 'actions': [True] * len(m['decisions'])})", "it chose True, which"),
}


@pytest.mark.parametrize("how", FAILURES)
def test_a_failure_stops_with_a_line_and_leaves_no_process(how: str, client: Callable[[str], str]) -> None:
    text, words = FAILURES[how]
    before = children()
    start = time.monotonic()
    late = "did not answer" in words
    agent = make_agent(client(text) + (":timeout=0.4" if late else ":timeout=30"), PEDRO)
    if late:
        conversation.STARTING_SECONDS = 0.0  # the fixture puts it back
    with pytest.raises(AgentError, match=words) as error:
        play_unit(agent, RandomAgent(PEDRO), PEDRO, np.arange(20), seed=0)
    assert str(error.value).startswith(f"agent {agent.name!r}: it ")
    assert "\n" not in str(error.value)
    assert len(str(error.value)) < 900
    assert time.monotonic() - start < 25
    assert not children() - before


def test_its_last_words_are_told(client: Callable[[str], str]) -> None:
    spec = client("told(); print('a\\nb\\n\\nc\\x1b[31m\\nd', file=sys.stderr); sys.exit('no luck')")
    with pytest.raises(AgentError, match=r"exit code 1; its stderr ends: c \[31m \| d \| no luck$"):
        against_random(spec)


@pytest.mark.skipif(not shutil.which("node"), reason="needs Node.js")
def test_the_error_is_told_where_more_lines_follow_it() -> None:
    with pytest.raises(AgentError, match=r"exit code 1; its stderr ends: Error: Cannot find module '.*nothing.js'"):
        make_agent("exec:node nothing.js", PEDRO)


@pytest.mark.parametrize(
    ("begin", "words"),
    [
        ("import sys; sys.exit(2)", "it ended with exit code 2"),
        ("print('Welcome!')", "it wrote 'Welcome!', which is no JSON object"),
        ("print('{}')", "it speaks protocol None, and this is protocol 1"),
        ("print('{\"protocol\": 2}')", "it speaks protocol 2, and this is protocol 1"),
        ("import time; time.sleep(60)", "it did not answer within 0.5 s"),
    ],
)
@pytest.mark.parametrize("on_error", ["stop", "forfeit"])
def test_one_that_says_no_hello_is_refused(
    begin: str, words: str, on_error: str, client: Callable[[str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(conversation, "STARTING_SECONDS", 0.0 if "sleep" in begin else 5.0)
    before = children()
    with pytest.raises(AgentError, match=words):
        make_agent(client("", begin=begin) + f":timeout=0.5,on_error={on_error}", PEDRO)
    assert not children() - before


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("exec:", "it has no command"),
        ("exec", "it is written python:MODULE:CLASS or exec:COMMAND"),
        ("exec:timeout=3", "it is written python:MODULE:CLASS or exec:COMMAND"),
        ("exec:no-such-program --x", "there is no program 'no-such-program'"),
        ("exec:'node", "its command cannot be read: No closing quotation"),
        ("exec:/dev/null", "'/dev/null' cannot be run: Permission denied"),
        ("exec:node x.js:timeout=0", "timeout must be more than 0, and restarts 0 or more"),
        ("exec:node x.js:restarts=-1", "timeout must be more than 0, and restarts 0 or more"),
        ("exec:node x.js:on_error=shrug", "'on_error' cannot be 'shrug'; it is 'stop' or 'forfeit'"),
        ("exec:node x.js:tiemout=3", "has no parameter 'tiemout' (did you mean 'timeout'?)"),
        (f"exec:{'x' * 5000}", "cannot be run: File name too long"),
    ],
)
def test_mistakes_are_one_line(spec: str, words: str) -> None:
    if "/dev/null" in spec and not Path("/dev/null").exists():
        pytest.skip("no such device here")
    with pytest.raises(AgentError) as error:
        make_agent(spec, PEDRO)
    assert words in str(error.value)
    assert "\n" not in str(error.value)


# --- forfeits


def test_an_illegal_answer_forfeits_its_deal_alone(client: Callable[[str], str]) -> None:
    """Match 3 is forfeited at both tables; the process goes on, and the other deals are its own."""
    spec = client(
        "for line in sys.stdin:\n"
        "    m = json.loads(line)\n"
        "    if m['type'] == 'end': break\n"
        "    say({'id': m['id'], 'actions':\n"
        "        [-1 if d['match'] == 3 else 'pass' if 'pass' in d['legal'] else d['legal'][0]\n"
        "         for d in m['decisions']]})\n"
    )
    agent = make_agent(spec + ":on_error=forfeit,restarts=0", PEDRO)
    duel, again = (play_unit(agent, RandomAgent(PEDRO), PEDRO, np.arange(20), seed=0) for _ in range(2))
    whole = play_unit(FirstLegal(PEDRO), RandomAgent(PEDRO), PEDRO, np.arange(20), seed=0)
    assert [tally.forfeits for tally in duel.tallies] == [tally.forfeits for tally in again.tallies] == [2, 0]
    others = np.arange(20) != 3
    assert (duel.difference[others] == whole.difference[others]).all()
    assert duel.difference[3].sum() == 0  # random play against itself


def test_a_crash_forfeits_the_deals_of_its_message_and_the_process_is_restarted(
    client: Callable[[str], str], capsys: pytest.CaptureFixture[str]
) -> None:
    spec = client("answer(told()); answer(told()); told(); sys.exit('tired')")
    agent = make_agent(spec + ":on_error=forfeit,restarts=2", PEDRO)
    duel = play_unit(agent, RandomAgent(PEDRO), PEDRO, np.arange(250), seed=0)
    assert duel.tallies[0].forfeits == 500  # after the third failure everything
    lines = capsys.readouterr().err.splitlines()
    assert [line.rpartition("deals: ")[2] for line in lines] == [
        "it ended with exit code 1; its stderr ends: tired",
        "it has failed too often and is not started again",
    ]
    again = play_unit(agent, RandomAgent(PEDRO), PEDRO, np.arange(3), seed=0)
    assert again.tallies[0].forfeits == 6
    assert capsys.readouterr().err == ""


def test_a_new_deal_is_not_forfeited(client: Callable[[str], str]) -> None:
    """In a match the process crashes once, is restarted, and plays the deals that follow."""
    spec = client(
        "from pathlib import Path\n"
        "first = not Path(__file__).with_suffix('.seen').exists()\n"
        "Path(__file__).with_suffix('.seen').touch()\n"
        "for line in sys.stdin:\n"
        "    if first: sys.exit(1)\n"
        "    m = json.loads(line)\n"
        "    if m['type'] == 'decide': answer(m)\n"
    )
    agent = make_agent(spec + ":on_error=forfeit", PEDRO)
    duel = play_unit(agent, RandomAgent(PEDRO), PEDRO, np.arange(2), seed=0, episode="match")
    assert 1 <= duel.tallies[0].forfeits <= 4
    assert duel.deals.sum() > 8


def test_results_say_what_was_forfeited(
    client: Callable[[str], str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spec = client("told(); sys.exit(1)") + ":on_error=forfeit,restarts=0"
    target = tmp_path / "result.json"
    assert evaluation.main([spec, "random", "--deals", "4", "--json", str(target)]) == 0
    out, err = capsys.readouterr()
    assert f"Warning: {spec} against random forfeited 8 deals, which were played on at random" in out
    assert [line.rpartition("deals: ")[2] for line in err.splitlines() if line.startswith("agent ")] == [
        "it ended with exit code 1",
        "it has failed too often and is not started again",
    ]
    (result,) = json.loads(target.read_text())["results"]
    assert [result["sides"][side]["forfeits"] for side in "ab"] == [8, 0]


# --- how a program ends


@pytest.mark.skipif(not hasattr(os, "killpg"), reason="needs sessions")
def test_one_whose_pipes_are_held_open_by_another_session_cannot_hang_a_game(
    client: Callable[[str], str], tmp_path: Path
) -> None:
    spec = client(
        "import subprocess; told()\n"
        "other = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'], start_new_session=True)\n"
        "open(__file__ + '.pid', 'w').write(str(other.pid)); sys.exit()\n"
    )
    agent = make_agent(spec + ":timeout=0.5", PEDRO)
    conversation.STARTING_SECONDS = 0.0  # the fixture puts it back
    start = time.monotonic()
    with pytest.raises(AgentError, match="it did not answer within"):
        agent.act(Batch(PEDRO).views())
    assert time.monotonic() - start < 10
    os.kill(int((tmp_path / "a client.py.pid").read_text()), signal.SIGKILL)


def test_it_is_ended_when_nobody_needs_it(
    client: Callable[[str], str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(child, "GRACE", 30.0)
    before = children()
    agent = make_agent(client("print(told()['type'], file=open(__file__ + '.told', 'w'), flush=True)"), PEDRO)
    assert len(children()) == len(before) + 1
    del agent
    assert comes_true(lambda: not children() - before)
    assert (tmp_path / "a client.py.told").read_text() == "end\n"


def test_one_that_ignores_the_end_is_killed_with_what_it_has_started(
    client: Callable[[str], str], tmp_path: Path
) -> None:
    text = (
        "import subprocess, signal; signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        "other = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'])\n"
        "open(__file__ + '.pid', 'w').write(str(other.pid)); answer(told()); time.sleep(60)\n"
    )
    before = children()
    agent = make_agent(client(text), PEDRO)
    agent.act(Batch(PEDRO).views())
    other = int((tmp_path / "a client.py.pid").read_text())
    assert is_running(other)
    del agent
    assert comes_true(lambda: not children() - before)
    assert comes_true(lambda: not is_running(other))


@pytest.mark.parametrize(
    ("end", "then"),
    [
        ("", "time.sleep(60)"),
        ("os.kill(os.getpid(), signal.SIGTERM)", "time.sleep(60)"),
        (FAILS, "sys.stdin.readline()"),
        ("os.kill(os.getpid(), signal.SIGKILL)", "sys.stdin.readline()"),  # then it must look after itself
    ],
)
def test_one_that_ignores_the_end_is_killed_when_python_ends(
    end: str, then: str, client: Callable[[str], str], tmp_path: Path
) -> None:
    spec = client(f"open(__file__ + '.pid', 'w').write(str(os.getpid())); answer(told()); {then}")
    program = (
        "import os, signal, time\n"
        "from agents.process import child\n"
        "from agents.registry import make_agent\n"
        "from pedro_env import Batch, make_rules\n"
        f"agent = make_agent({spec!r}, make_rules('pedro'))\n"
        "agent.act(Batch(agent._arguments[1]).views())\n"
        f"{end}\n"
    )
    subprocess.run([sys.executable, "-c", program], cwd=ROOT, stderr=subprocess.DEVNULL, timeout=60)
    process = int((tmp_path / "a client.py.pid").read_text())
    assert comes_true(lambda: not is_running(process), 5)


def is_running(process: int) -> bool:
    """Whether there is such a process, and it is no zombie that nobody has looked after yet."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("workers", ["1", "2"])
def test_the_command_takes_its_programs_along(
    how: signal.Signals, workers: str, client: Callable[[str], str], tmp_path: Path
) -> None:
    """They are deaf to signals and to the end of their input, and busy."""
    spec = client(
        "import signal; [signal.signal(s, signal.SIG_IGN) for s in (signal.SIGINT, signal.SIGTERM)]\n"
        "if told()['type'] == 'end': sys.exit()\n"
        "open(__file__ + f'.{os.getpid()}', 'w').close(); time.sleep(60)\n"
    )
    process = subprocess.Popen(
        [sys.executable, "evaluate.py", spec, "random", "--deals", "2000", "--workers", workers],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stderr=subprocess.PIPE,
        start_new_session=True,
        text=True,
    )
    assert comes_true(lambda: len(list(tmp_path.glob("a client.py.*"))) == int(workers))
    programs = [int(file.suffix[1:]) for file in tmp_path.glob("a client.py.*")]
    assert all(map(is_running, programs))
    process.send_signal(how)
    _, err = process.communicate(timeout=20)
    assert process.returncode == {signal.SIGINT: 130, signal.SIGTERM: 143}[how]
    assert "Traceback" not in err
    assert not any(map(is_running, programs))
