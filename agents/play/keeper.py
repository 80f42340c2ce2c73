"""The record of what has been played, written anew after every deal: a kill loses no more than the deal in play."""

from __future__ import annotations

from pathlib import Path

from agents.errors import AgentError
from pedro_env.files import check_writable, write_whole
from pedro_env.record import Record, write_line
from pedro_env.render import counted


class Keeper:
    """Keeps the records of finished deals, in a file where there is one."""

    def __init__(self, path: Path | None, overwrite: bool) -> None:
        """Raises ``AgentError`` or ``OSError``, a line each, where the file is there already or cannot be written."""
        self._path = path
        self._deals: list[Record] = []
        self._written = 0
        if path is None:
            return
        if path.exists() and not overwrite:
            raise AgentError(f"{path} exists; name another file, or say --overwrite to replace it")
        if path.exists() and not path.is_file():
            raise AgentError(f"{path} is not a file that records can be kept in")
        check_writable(path)

    def add(self, record: Record) -> None:
        """A deal is finished. Raises ``OSError`` where it cannot be written; the next one will try again."""
        self._deals.append(record)
        self.save()

    def save(self) -> None:
        """Write what is not yet written. Raises ``OSError``."""
        if self._path is not None and self._written < len(self._deals):
            write_whole(self._path, "".join(map(write_line, self._deals)).encode())
            self._written = len(self._deals)

    def summary(self) -> str:
        """What has been kept, in a few words."""
        if self._path is None:
            return f"{counted(len(self._deals), 'deal')} played, no record kept"
        return f"{counted(self._written, 'deal')} written to {self._path}" if self._written else "nothing is written"
