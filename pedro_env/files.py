"""Writing files so that a reader never sees half of one: beside the target first, then renamed."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Generator
from contextlib import contextmanager
from io import FileIO
from pathlib import Path


@contextmanager
def whole_file(path: Path) -> Generator[Callable[[bytes], None], None, None]:
    """``with whole_file(path) as write: write(data)``: a file that is there whole when all went well, or not at all.

    A file that exists is replaced only at the end, when the new one is on the disk; a link stays a link, and a device
    or a pipe is written to as it is. Raises ``OSError`` whose text is a line for people, at once where nothing can be
    written there.
    """
    with _said_of(path):
        target = path.resolve()
        if target.is_dir():
            raise OSError(0, "it is a folder; name a file")
        if not target.parent.is_dir():
            missing = target.parent if path.is_symlink() else path.parent
            raise OSError(0, f"there is no folder {missing}")
        special = target.exists() and not target.is_file()
    with _straight(path) if special else _beside(path, target) as write:
        yield write


def write_whole(path: Path, data: bytes) -> None:
    """Write a file whole or not at all (see ``whole_file``)."""
    with whole_file(path) as write:
        write(data)


def check_writable(path: Path) -> None:
    """Find out, before the work, whether a file can be written there; raises as ``whole_file``, leaves no trace."""
    try:
        with whole_file(path):
            raise _NothingToWrite
    except _NothingToWrite:
        pass


class _NothingToWrite(Exception):
    pass


@contextmanager
def _beside(path: Path, target: Path) -> Generator[Callable[[bytes], None], None, None]:
    with _said_of(path):
        handle, beside = tempfile.mkstemp(prefix=".pedro-", suffix=".part", dir=target.parent)
    try:
        with open(handle, "wb", buffering=0) as file:
            yield _writer(path, file)
            with _said_of(path):
                os.fsync(file.fileno())
        with _said_of(path):
            os.chmod(beside, 0o666 & ~_umask())  # mkstemp's files are for the owner alone
            os.replace(beside, target)
    finally:
        Path(beside).unlink(missing_ok=True)


@contextmanager
def _straight(path: Path) -> Generator[Callable[[bytes], None], None, None]:
    with _said_of(path):
        handle = os.open(path, os.O_WRONLY)
    with open(handle, "wb", buffering=0) as file:
        yield _writer(path, file)


def _writer(path: Path, file: FileIO) -> Callable[[bytes], None]:
    """Without a buffer, so that a full disk shows where the data is written."""

    def write(data: bytes) -> None:
        rest = memoryview(data)
        with _said_of(path):
            while rest:
                rest = rest[file.write(rest) :]

    return write


@contextmanager
def _said_of(path: Path) -> Generator[None, None, None]:
    try:
        yield
    except OSError as error:
        raise OSError(f"cannot write {path}: {error.strerror}") from None


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
