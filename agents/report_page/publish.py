"""The folder of a report: ``index.html``, ``report.json``, a CSV file a table, and the recorded deals.

It is made whole beside its place and then renamed. A folder that holds something is refused: a report that somebody may
have published is not changed under its readers.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from agents.errors import AgentError
from agents.report_page.contents import DEALS_FILE, contents
from agents.report_page.contest import Contest
from agents.report_page.page import page
from agents.report_page.recorded import DEALS
from agents.report_page.sections import sections
from agents.report_page.tables import Ref, csv_text
from pedro_env.console import Parser, whole_number
from pedro_env.record import write_line

PAGE, JSON = "index.html", "report.json"
MOST_DEALS = 1_000_000


def add_report_options(parser: Parser) -> None:
    """``--report DIR`` and ``--report-deals N``."""
    add = parser.add_argument
    add("--report", type=Path, metavar="DIR", help="write a report: a web page, with JSON, CSV and records behind it")
    add(
        "--report-deals",
        type=whole_number(2, MOST_DEALS),
        default=DEALS,
        metavar="N",
        help=f"single deals that are recorded and analysed for the report ({DEALS})",
    )


def check_report(folder: Path) -> None:
    """Find out before playing whether a report can be written there; raises ``AgentError`` that says why not."""
    try:
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            what = "it is not empty" if folder.is_dir() else "it is a file"
            raise AgentError(f"--report {folder}: {what}, and a report never writes over anything: name a new folder")
        there = next(parent for parent in folder.absolute().parents if parent.exists())
        if not there.is_dir() or not os.access(there, os.W_OK):
            raise AgentError(f"--report {folder}: no folder can be made in {there}")
    except OSError as error:
        raise AgentError(f"--report {folder}: {error.strerror}") from None


def publish(
    folder: Path, contest: Contest, head: Mapping[str, Any], standings: Mapping[str, Any], deals: int
) -> list[Path]:
    """Play and analyse the recorded deals, and write the report; returns its files, the page first.

    ``head`` and ``standings`` are those of ``contents``. Raises ``AgentError`` where it cannot be written.
    """
    data, records = contents(contest, head, standings, deals)
    found = sections(Ref(data))
    files = {
        JSON: (json.dumps(data, indent=1, allow_nan=False) + "\n").encode(),
        **{f"{sheet.name}.csv": csv_text(sheet).encode() for section in found for sheet in section.sheets},
        DEALS_FILE: "".join(map(write_line, records)).encode(),
    }
    sums = {name: (len(content), hashlib.sha256(content).hexdigest()) for name, content in files.items()}
    files = {PAGE: page(Ref(data), found, sums).encode(), **files}
    try:
        _write(folder, files)
    except OSError as error:
        raise AgentError(f"--report {folder}: {error.strerror}") from None
    return [folder / name for name in files]


def _write(folder: Path, files: Mapping[str, bytes]) -> None:
    folder.parent.mkdir(parents=True, exist_ok=True)
    beside = Path(tempfile.mkdtemp(prefix=".pedro-", suffix=".part", dir=folder.parent))
    try:
        for name, content in files.items():
            (beside / name).write_bytes(content)
        beside.chmod(0o755)  # mkdtemp's folders are for the owner alone
        if folder.exists():
            folder.rmdir()  # an empty one; where it has been filled meanwhile this fails
        beside.rename(folder)
    finally:
        shutil.rmtree(beside, ignore_errors=True)
