"""The page: one HTML file with its style inside, which loads nothing and runs no script."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

from agents.report_page.sections import Section
from agents.report_page.tables import Ref, boxed, name_html

_STYLE = Path(__file__).with_name("style.css")


def page(data: Ref, sections: Sequence[Section], files: Mapping[str, tuple[int, str]]) -> str:
    """The page as text; ``files`` are those beside it, each with its size in bytes and its SHA-256."""
    value = data.value
    names = [entrant["name"] for entrant in value["entrants"]]
    parts = [
        *sections,
        Section("method", "Method", _method(value)),
        Section("reproduce", "How to make it again", _reproduce(value)),
        Section("files", "Files", _files(files)),
    ]
    links = "".join(f'<li><a href="#{part.identity}">{escape(part.title)}</a></li>' for part in parts)
    body = "".join(_section(part) for part in parts)
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f"<title>{escape(', '.join(names))}: {escape(value['variant'])}</title>\n"
        f"<style>\n{_STYLE.read_text(encoding='utf-8')}</style>\n</head>\n<body>\n"
        f'<header><p class="kind">Pedro: a report</p><h1>{" · ".join(map(name_html, names))}</h1>'
        f'<p class="result">{escape(value["result"])}</p>{_facts(value)}{_warnings(value)}</header>\n'
        f'<nav aria-label="Sections"><ol>{links}</ol></nav>\n<main>\n{body}</main>\n</body>\n</html>\n'
    )


def _section(part: Section) -> str:
    words = ", ".join(f'<a href="{sheet.name}.csv">{sheet.name}.csv</a>' for sheet in part.sheets)
    data = f'<p class="data">Data: {words}</p>' if words else ""
    return f'<section id="{part.identity}"><h2>{escape(part.title)}</h2>{part.html}{data}</section>\n'


def _facts(value: Mapping[str, Any]) -> str:
    """What was played, as terms and what they are."""
    what = "single deals" if value["episode"] == "deal" else "whole matches"
    options = ", ".join(f"{key} = {setting}" for key, setting in value["options"].items())
    deals = f"seed {value['seed']}" if value.get("set") is None else f"set {value['set']} (seed {value['seed']})"
    facts = {
        "game": value["variant"] + (f" ({options})" if options else ""),
        "played": f"{what}, {value['pairs']:,} duplicate pairs a pairing{' at most' if 'stops' in value else ''}",
        "deals": deals,
        "rules": value["rules_hash"],
        "layout": value["layout_hash"],
        "version": f"pedro-env {value['versions'].get('pedro-env', '(not installed)')}",
        "commit": _short(value["commit"]),
    }
    return (
        "<dl>" + "".join(f"<div><dt>{key}</dt><dd>{escape(words)}</dd></div>" for key, words in facts.items()) + "</dl>"
    )


def _short(commit: str | None) -> str:
    """The first digits of a commit, and whether files differed from it."""
    digits, plus, changes = (commit or "not known").partition("+")
    return f"{digits[:10]}{plus}{changes}"


def _warnings(value: Mapping[str, Any]) -> str:
    words = list(value.get("warnings", []))
    words += [
        f"{row['agent']} forfeited {row['forfeits']:,} deals, which were played on at random: these figures are not "
        "its own"
        for row in value["bidding"]
        if row["forfeits"]
    ]
    return "".join(f'<p class="warning"><b>Warning:</b> {escape(text)}.</p>' for text in words)


def _method(value: Mapping[str, Any]) -> str:
    recorded = value["recorded"]
    groups = any(len(entrant["agents"]) > 1 for entrant in value["entrants"])
    lines = [
        value["method"],
        "Duplicate deals: every pack and dealer is played twice with the sides exchanged, so that what luck gives a "
        "side at one table it gives the other side at the other. The mean of the two tables is the observation, and "
        "pairs are independent; all pairings have the same packs. The pack is a hash of seed, match and deal number: "
        "the same on every machine.",
        f"Bids by number, bids against par and losses are of {recorded['deals']:,} single deals from 0–0, recorded for "
        f"this report in {recorded['file']}: the first {recorded['matches']:,} packs of the seed, as many for every "
        "pairing. Their intervals are 95%, too; all deals with one pack are one observation.",
        "An interval over deals says nothing of how a learnt policy varies over training seeds"
        + (
            ": intervals of groups in the cross table and the ratings include the spread over members, those of "
            "recorded deals do not."
            if groups
            else "."
        ),
    ]
    return "".join(f"<p>{escape(line)}</p>" for line in lines)


def _reproduce(value: Mapping[str, Any]) -> str:
    """Commands, versions, and the agents with the checksums of their files."""
    steps = [shlex.join(value["command"])]
    if value["command"][0].endswith(".py"):
        steps = [f"python {steps[0]}"]
    commit = value["commit"] or ""
    if commit and not commit.endswith("+changes"):
        steps = [f"git checkout {commit}", "pip install -e '.[search,onnx,train]'", *steps]
    deals = value["recorded"]["file"]
    steps += [f"python -m pedro_env replay {deals} --single", f"python -m agents.analyse {deals}"]
    trained = ""
    if value["curves"]:
        trained = (
            "<p>The folder of a training run has its configuration, seed included (config.yaml), and its versions "
            "(versions.json): <code>python train.py config.yaml --name again</code> trains it again.</p>"
        )
    versions = "".join(
        f'<tr><th scope="row">{escape(name)}</th><td>{escape(version)}</td></tr>'
        for name, version in {**value["versions"], "commit": value["commit"] or "–", "system": value["system"]}.items()
    )
    agents = "".join(
        f'<tr><th scope="row">{name_html(agent["agent"])}</th><td>{_sum(agent["sha256"])}</td></tr>'
        for agent in value["agents"]
    )
    return (
        f"<pre><code>{escape(chr(10).join(steps))}</code></pre>"
        "<p>The figures do not depend on the number of processes. The last two commands check the recorded deals by "
        "the rules, and analyse them again.</p>"
        + trained
        + boxed("Made with", f"{_head('part', 'version')}<tbody>{versions}</tbody>")
        + boxed("Agents", f"{_head('agent', 'SHA-256 of its file')}<tbody>{agents}</tbody>")
    )


def _files(files: Mapping[str, tuple[int, str]]) -> str:
    rows = "".join(
        f'<tr><th scope="row"><a href="{escape(name)}">{escape(name)}</a></th><td class="n">{size:,}</td>'
        f"<td>{_sum(checksum)}</td></tr>"
        for name, (size, checksum) in files.items()
    )
    head = _head("file", "bytes", "SHA-256")
    return (
        "<p>They lie beside this page. report.json has every figure, unrounded; a figure’s place in it is the cell’s "
        f"attribute <code>data-from</code>.</p>{boxed('Files', f'{head}<tbody>{rows}</tbody>')}"
    )


def _head(*titles: str) -> str:
    cells = "".join(f'<th scope="col">{escape(title)}</th>' for title in titles)
    return f"<thead><tr>{cells}</tr></thead>"


def _sum(checksum: str | None) -> str:
    return "–" if checksum is None else f'<code class="sum">{checksum}</code>'
