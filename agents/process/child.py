"""A program that answers lines with lines: started, asked with a time limit, and ended for certain.

Threads read and write, as pipes have no time limits of their own that work on every system.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import queue
import re
import shlex
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from types import FrameType
from typing import IO, TypeAlias

LONGEST_ANSWER = 1 << 20
"""Bytes in a line of the process."""
GRACE = 2.0
"""Seconds that a process has to end after it was told to."""
_KEPT_LINES, _LAST_LINES = 30, 3
_CHARACTERS = 300
_NAMES_AN_ERROR = re.compile(r"\w*(Error|Exception)\b")

_Lines: TypeAlias = "queue.SimpleQueue[bytes | None]"

_running: dict[subprocess.Popen[bytes], tuple[threading.Thread, _Lines]] = {}
"""Processes that have not ended yet, each with the thread that talks to it and ends it, and that thread's orders."""


class ChildFailed(Exception):
    """The process cannot be started or did not answer as it should: in words."""


class Child:
    """A process and its three pipes. Its session is its own, so that Ctrl-C in the terminal is not for it."""

    def __init__(self, command: str, last_line: bytes) -> None:
        """Start ``command``: a program and its arguments as in a shell, though no shell reads them.

        ``last_line`` is written to it in the end.
        """
        self._process = _start(command)
        _take_along()
        stdin, stdout, stderr = self._process.stdin, self._process.stdout, self._process.stderr
        assert stdin is not None
        assert stdout is not None
        assert stderr is not None
        self._questions: _Lines = queue.SimpleQueue()
        self._answers: _Lines = queue.SimpleQueue()
        self._last_lines: deque[bytes] = deque(maxlen=_KEPT_LINES)
        talk = (self._process, stdin, stdout, self._questions, self._answers, last_line)
        self._talker = threading.Thread(target=_talk, args=talk, daemon=True)
        self._listener = threading.Thread(target=_keep_last_lines, args=(stderr, self._last_lines), daemon=True)
        _running[self._process] = self._talker, self._questions
        self._talker.start()
        self._listener.start()

    def ask(self, question: bytes, seconds: float) -> bytes:
        """The line that answers a line. Raises ``ChildFailed`` where none comes in time."""
        self._questions.put(question)
        try:
            answer = self._answers.get(timeout=min(seconds, threading.TIMEOUT_MAX))
        except queue.Empty:
            raise ChildFailed(f"it did not answer within {seconds:g} s (does it flush its output?)") from None
        except BaseException:  # an interrupt: nobody will wait for the answer
            _kill(self._process)
            raise
        if answer and answer.endswith(b"\n"):
            return answer
        if answer and len(answer) > LONGEST_ANSWER:
            raise ChildFailed(f"it wrote a line of more than {LONGEST_ANSWER:,} bytes")
        raise ChildFailed(self._how_it_ended())

    def end(self) -> None:
        """Tell it to end, and go on: its thread waits for it (``weakref`` and signals do not like to wait)."""
        self._questions.put(None)

    def kill(self) -> None:
        """End it, and all that it has started, now."""
        _kill(self._process)
        self._process.wait()
        self._questions.put(None)
        for thread in (self._talker, self._listener):
            thread.join(GRACE)  # what has left its session may still hold a pipe

    def last_words(self) -> str:
        """The end of its stderr in a line: from the last line on that begins with the name of an error, or three lines.

        Call it once the process is dead.
        """
        lines = [line.decode(errors="backslashreplace").strip() for line in self._last_lines]
        errors = [place for place, line in enumerate(lines) if _NAMES_AN_ERROR.match(line)]
        text = " | ".join(lines[errors[-1] :] if errors else lines[-_LAST_LINES:])
        text = "".join(c if c.isprintable() else " " for c in text)
        return text if len(text) <= _CHARACTERS else f"{text[:_CHARACTERS]}…"

    def _how_it_ended(self) -> str:
        try:
            code = self._process.wait(GRACE)
        except subprocess.TimeoutExpired:
            return "it closed its output"
        return f"it was killed by signal {-code}" if code < 0 else f"it ended with exit code {code}"


def _start(command: str) -> subprocess.Popen[bytes]:
    windows = sys.platform == "win32"  # whose programs split their command lines themselves
    try:
        words = shlex.split(command, posix=not windows)
    except ValueError as error:
        raise ChildFailed(f"its command cannot be read: {error}") from None
    if not words:
        raise ChildFailed("it has no command")
    try:
        return subprocess.Popen(
            command if windows else words,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
            creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
        )
    except FileNotFoundError:
        raise ChildFailed(f"there is no program {words[0]!r}") from None
    except (OSError, ValueError) as error:
        raise ChildFailed(f"{words[0]!r} cannot be run: {getattr(error, 'strerror', None) or error}") from None


def _talk(
    process: subprocess.Popen[bytes],
    stdin: IO[bytes],
    stdout: IO[bytes],
    questions: _Lines,
    answers: _Lines,
    last_line: bytes,
) -> None:
    """Write a line, read a line, until there is None to write; then let the process end, or kill it.

    Nothing is read that was not asked for.
    """
    while (question := questions.get()) is not None:
        _write(stdin, question)
        answers.put(stdout.readline(LONGEST_ANSWER + 1))
    _write(stdin, last_line)
    for pipe in (stdin, stdout):
        with contextlib.suppress(OSError):  # what could not be written is tried again
            pipe.close()
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(GRACE)
    _kill(process)  # where it has ended, what it has started
    process.wait()
    _running.pop(process, None)


def _write(stdin: IO[bytes], line: bytes) -> None:
    with contextlib.suppress(OSError):  # it has ended or does not listen: reading will say so
        stdin.write(line)
        stdin.flush()


def _keep_last_lines(stderr: IO[bytes], last_lines: deque[bytes]) -> None:
    with stderr:
        while line := stderr.readline(LONGEST_ANSWER):
            if line.strip():
                last_lines.append(line[:_CHARACTERS])


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Kill a process and, where there are sessions, all of its session."""
    if hasattr(os, "killpg"):
        with contextlib.suppress(ProcessLookupError, PermissionError):  # nobody is left in it
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()


@atexit.register
def _end_all() -> None:
    """Tell all to end, and kill those that do not."""
    running = dict(_running)
    for _, questions in running.values():
        questions.put(None)
    try:
        late = time.monotonic() + GRACE
        for talker, _ in running.values():
            talker.join(max(0.0, late - time.monotonic()))
    finally:
        for process in running:
            _kill(process)


def _take_along() -> None:
    """Where SIGTERM would end this process at once, as it does a worker, see to it that no child is left behind."""
    if threading.current_thread() is threading.main_thread() and signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
        signal.signal(signal.SIGTERM, _terminated)


def _terminated(number: int, frame: FrameType | None) -> None:
    try:
        _end_all()
    finally:  # an error must not save this process
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
