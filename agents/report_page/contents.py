"""Everything that a report says, as one dictionary: ``report.json``. The page and the CSV files are made from it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from agents.arena import Tally
from agents.errors import AgentError
from agents.report_page.contest import Contest
from agents.report_page.curves import learning_curve
from agents.report_page.recorded import Recorded, bid_rows, record_deals
from agents.report_page.skills import problem_scores
from agents.report_page.tables import written
from agents.tournament.results import difference_counts
from agents.versions import commit, package_versions, system
from pedro_env.record import Record

FORMAT = 1
"""Of ``report.json``; a reader of another format should not guess."""
STANDINGS = ("pairs", "cross_table", "ratings", "additive_fit", "cross_play")
"""What a report takes over of a tournament's results."""
DEALS_FILE = "deals.jsonl"
NEEDS_NUMBA = "This needs numba, which is not installed here: pip install -e '.[search]'"


def contents(
    contest: Contest, head: Mapping[str, Any], standings: Mapping[str, Any], deals: int
) -> tuple[dict[str, Any], list[Record]]:
    """What ``report.json`` has, and the deals that were recorded for it (about ``deals``).

    ``head`` says what was measured and how (as the commands' own JSON does), ``standings`` has the ``cross_table``, and
    what else was worked out from it: ``ratings``, ``additive_fit``, ``cross_play``.
    """
    recorded = record_deals(contest, deals)
    open_cards, bids = _with_open_cards(recorded, contest.workers)
    agents = [agent for entrant in contest.entrants for agent in entrant.members]
    data = {
        **head,
        "format": FORMAT,
        "kind": "report",
        "commit": commit(),
        "versions": package_versions(),
        "system": system(),
        "entrants": [{"name": entrant.name, "agents": list(entrant.members)} for entrant in contest.entrants],
        "result": result_sentence(contest.names, standings),
        **standings,
        "differences": _differences(contest),
        "bidding": _bidding(contest),
        "recorded": {
            "deals": len(recorded.records),
            "matches": len(set(recorded.match.tolist())),
            "file": DEALS_FILE,
            "bids": bids,
        },
        "open_cards": open_cards,
        "curves": [curve for agent in agents if (curve := learning_curve(agent)) is not None],
        "problems": problem_scores(contest),
    }
    return data, recorded.records


def _with_open_cards(recorded: Recorded, workers: int) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The analysis of the deals (or what is ``missing`` for it), and the bids with as much as is known of them."""
    try:
        from agents.report_page.analysed import analyse

        found = analyse(recorded, workers)
    except ImportError as error:
        if error.name != "numba":
            raise
        return {"missing": NEEDS_NUMBA}, bid_rows(recorded, {})
    except AgentError as error:
        return {"missing": f"Not for this game: {error}"}, bid_rows(recorded, {})
    return found, found.pop("bids")


def _differences(contest: Contest) -> list[dict[str, Any]]:
    """For every two entrants how often each difference of a pair's tables came up, over all their members."""
    counted: dict[tuple[int, int], Counter[float]] = {}
    for meeting in contest.meetings():
        sign = -1 if meeting.turned else 1
        counts = counted.setdefault((meeting.a, meeting.b), Counter())
        for value, count in zip(*difference_counts(meeting.duel), strict=True):
            counts[sign * value + 0.0] += count
    names = contest.names
    found: list[dict[str, Any]] = []
    for (a, b), counts in counted.items():
        pairs = counts.total()
        found.append(
            {
                "a": names[a],
                "b": names[b],
                "pairs": pairs,
                "mean": sum(value * count for value, count in counts.items()) / pairs,
                "counts": [[value, counts[value]] for value in sorted(counts)],
            }
        )
    return found


def _bidding(contest: Contest) -> list[dict[str, Any]]:
    """What every entrant did over all its deals against the others."""
    tallies = [Tally() for _ in contest.entrants]
    for meeting in contest.meetings():
        sides = (meeting.b, meeting.a) if meeting.turned else (meeting.a, meeting.b)
        for number, tally in zip(sides, meeting.duel.tallies, strict=True):
            tallies[number].add(tally)
    return [{"agent": name, **tally.rates()} for name, tally in zip(contest.names, tallies, strict=True)]


# --- the result in a sentence


def result_sentence(names: Sequence[str], standings: Mapping[str, Any]) -> str:
    """Who is better than whom, and how sure that is."""
    rows = {(row["a"], row["b"]): row for row in standings["cross_table"]}
    over = {pair: row["points_a_deal"] for pair, row in rows.items()}
    if len(names) == 2:
        better, other = sorted(names, key=lambda name: -_mean(over, name, names))
        figure = over[better, other]
        if figure["low"] is None:
            return f"One pair of deals says nothing of how sure it is: {better} {_amount(figure)} over {other}."
        if figure["low"] > 0:
            won = rows[better, other].get("match_win_share")
            matches = "" if won is None else f", and wins {written(won['mean'], 'share')} of the matches"
            return f"{better} scores {_amount(figure)} more than {other}{matches}."
        return f"Between {better} and {other} no difference is shown: {_amount(figure)} for {better}."
    best = max(names, key=lambda name: _mean(over, name, names))
    others = [name for name in names if name != best]
    unclear = [name for name in others if over[best, name]["low"] is None or over[best, name]["low"] <= 0]
    if not unclear:
        closest = min(others, key=lambda name: over[best, name]["mean"])
        amount = _amount(over[best, closest])
        return f"{best} beats each of the other {len(others)}; the closest is {closest}, by {amount}."
    return (
        f"{best} has the highest mean over all {len(names)}, but it is not shown to beat "
        f"{_listed([f'{name} ({_amount(over[best, name])})' for name in unclear])}."
    )


def _mean(over: Mapping[tuple[str, str], Any], name: str, names: Sequence[str]) -> float:
    return sum(over[name, other]["mean"] or 0.0 for other in names if other != name)


def _amount(figure: Mapping[str, Any]) -> str:
    mean = f"{written(figure['mean'], 'points')} points a deal"
    if figure["low"] is None:
        return mean
    return f"{mean} [{written(figure['low'], 'points')}, {written(figure['high'], 'points')}]"


def _listed(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"


def cross_table(results: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Every ordered pair of agents, from the pairings of ``evaluate.py``."""
    table: list[dict[str, Any]] = []
    for result in results:
        for a, b, sign in ((result["a"], result["b"], 1), (result["b"], result["a"], -1)):
            row = {"a": a, "b": b, "points_a_deal": _turned(result["points_a_deal"], sign, 0.0)}
            if "match_win_rate" in result:
                row["match_win_share"] = _turned(result["match_win_rate"], sign, 1.0)
            table.append(row)
    return table


def _turned(figure: Mapping[str, Any], sign: int, whole: float) -> dict[str, Any]:
    """A figure of one agent, or (-1) of the other: the rest to ``whole``."""
    if sign == 1:
        return dict(figure)
    mean, low, high = (None if figure[n] is None else whole - figure[n] + 0.0 for n in ("mean", "low", "high"))
    found = {**figure, "mean": mean, "low": high, "high": low}
    if figure.get("bootstrap") is not None:
        found["bootstrap"] = [whole - end + 0.0 for end in reversed(figure["bootstrap"])]
    return found
