"""The sections of the page: what each says in words, tables and charts. Every figure is taken from ``report.json``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from typing import Any, NamedTuple

from agents.report_page.charts import Dot, Line, clip, dot_plot, histogram, line_chart
from agents.report_page.recorded import ALL
from agents.report_page.tables import Column, Form, Ref, Sheet, boxed, estimate_html, name_html, table_html

PHASES = {"bidding": "bidding", "naming": "naming trumps", "exchange": "exchange", "play": "card play"}
_STEPS = ("par", "auction", "naming", "exchange", "play", "result")
_SUITS = "♠♥♦♣"
_HEAT = 5
"""Shades of a cell, each way."""
_MOST_TICKS = 12


class Section(NamedTuple):
    """A part of the page."""

    identity: str
    title: str
    html: str
    sheets: Sequence[Sheet] = ()
    """The tables that are written as CSV."""


def sections(data: Ref) -> list[Section]:
    """All that there is something to say in, in order."""
    makers: list[Callable[[Ref], Section | None]] = [
        _cross_table,
        _ratings,
        _cross_play,
        _differences,
        _bidding,
        _calibration,
        _losses,
        _problems,
        _curves,
    ]
    return [section for make in makers if (section := make(data)) is not None]


# --- who beats whom


def _cross_table(data: Ref) -> Section:
    names, order = _names(data), _by_strength(data)
    cells = {(row.value["a"], row.value["b"]): row for row in data["cross_table"]}
    points = {pair: row["points_a_deal"] for pair, row in cells.items()}
    html = [
        "<p>Points a deal that the row scores over the column, with its 95% interval. A cell is coloured where the "
        "interval leaves 0 out: blue where the row is better, orange where the column is.</p>",
        _matrix("Points a deal, row over column", [names[i] for i in order], points, "points"),
    ]
    columns = [
        Column("row", "row", "text"),
        Column("column", "over", "text"),
        Column("points_a_deal", "points a deal", "points", interval=True),
    ]
    rows = [[row["a"], row["b"], row["points_a_deal"]] for row in cells.values()]
    if "match_win_share" in next(iter(cells.values())):
        shares = {pair: row["match_win_share"] for pair, row in cells.items()}
        html.append(_matrix("Share of matches that the row wins", [names[i] for i in order], shares, "share"))
        columns.append(Column("match_win_share", "matches won", "share", interval=True))
        rows = [[*row, cell["match_win_share"]] for row, cell in zip(rows, cells.values(), strict=True)]
    sheets = [Sheet("cross", "Cross table", columns, rows)]
    if "stops" in data:
        sheets.append(_stops(data["stops"]))
        html.append(table_html(sheets[-1]))
    return Section("cross-table", "Who beats whom", "".join(html), sheets)


def _matrix(caption: str, names: Sequence[str], cells: dict[tuple[str, str], Ref], form: Form) -> str:
    """A square table; the middle of the colours is 0 points, or half of the matches."""
    middle = 0.5 if form == "share" else 0.0
    reach = max((abs((cell.value["mean"] or middle) - middle) for cell in cells.values()), default=0.0)
    head = "".join(
        f'<th scope="col" class="n">{number} {escape(clip(name, 16))}</th>' for number, name in _numbered(names)
    )
    body = ""
    for number, name in _numbered(names):
        body += f'<tr><th scope="row">{number} {name_html(name)}</th>'
        for other in names:
            cell = cells.get((name, other))
            if cell is None:
                body += '<td class="n none"></td>'
            else:
                place = f'data-from="{escape(cell.path)}"'
                body += f'<td class="n {_heat(cell.value, middle, reach)}" {place}>{estimate_html(cell, form)}</td>'
        body += "</tr>"
    corner = '<th scope="col"><span class="hidden">entrant</span></th>'
    return boxed(caption, f"<thead><tr>{corner}{head}</tr></thead><tbody>{body}</tbody>", ' class="matrix"')


def _numbered(names: Sequence[str]) -> list[tuple[int, str]]:
    return list(enumerate(names, 1))


def _heat(figure: dict[str, Any], middle: float, reach: float) -> str:
    """The class of a cell's colour; none where the interval holds the middle."""
    mean, low, high = figure["mean"], figure["low"], figure["high"]
    if mean is None or low is None or high is None or low <= middle <= high or not reach:
        return "even"
    shade = max(1, round(_HEAT * abs(mean - middle) / reach))
    return f"{'up' if mean > middle else 'down'}{shade}"


def _stops(stops: Ref) -> Sheet:
    if stops.value[0]["rule"] == "until":
        columns = [
            Column("half_width", "half-width", "amount"),
            Column("wanted", "wanted", "amount"),
            Column("reached", "reached", "text"),
        ]
    else:
        columns = [
            Column("h0", "H0", "amount"),
            Column("h1", "H1", "amount"),
            Column("llr", "log-likelihood ratio", "points"),
            Column("lower", "lower bound", "points"),
            Column("upper", "upper bound", "points"),
            Column("decision", "decision", "text"),
        ]
    columns = [
        Column("a", "agent", "text"),
        Column("b", "against", "text"),
        Column("pairs", "pairs", "count"),
        *columns,
    ]
    return _sheet("stops", "How the rule ended that could end a pairing", columns, stops)


# --- ratings and circles


def _ratings(data: Ref) -> Section | None:
    if "ratings" not in data:
        return None
    ratings = data["ratings"]["entrants"]
    series = {name: number for number, name in enumerate(_names(data))}
    ordered = sorted(ratings, key=lambda row: -(row.value["points_a_deal"]["mean"] or 0.0))
    anchor = data.value["ratings"]["anchor"]
    over = "the mean of all" if anchor is None else anchor
    columns = [
        Column("entrant", "entrant", "text"),
        Column("points_a_deal", "points a deal", "points", interval=True),
    ]
    rows = [[row["name"], row["points_a_deal"]] for row in ordered]
    if "match_win_share" in ordered[0]:
        columns += [
            Column("match_win_share", "matches won", "share", interval=True),
            Column("bradley_terry", "Bradley–Terry", "points", interval=True),
        ]
        rows = [[*row, r["match_win_share"], r["bradley_terry"]] for row, r in zip(rows, ordered, strict=True)]
    sheet = Sheet("ratings", f"Ratings over {over}", columns, rows)
    dots = [Dot(row.value["name"], row.value["points_a_deal"], series[row.value["name"]]) for row in ordered]
    chart = dot_plot("ratings-plot", f"Ratings over {over}, with 95% intervals", dots, f"points a deal over {over}")
    html = (
        "<p>A rating is the mean of an entrant’s row of the cross table, itself counted as 0: the least-squares fit of "
        "“the difference of two ratings is what one scores over the other”. It is relative to this field.</p>"
        f'<div class="pair">{_figure(chart)}{table_html(sheet)}</div>{_fit(data)}'
    )
    return Section("ratings", "Ratings", html, [sheet])


def _fit(data: Ref) -> str:
    """Whether the ratings explain the table, and whether there is a circle."""
    fit = data.value.get("additive_fit")
    if fit is None:
        words = "It takes three entrants, and more pairs than triangles of them, to test for circles."
    else:
        p = "p < 0.0001" if fit["p"] < 1e-4 else f"p = {fit['p']:.4f}"
        words = (
            f"Ratings explain {fit['share_explained']:.2%} of the table. That they explain all of it but chance: {p} "
            f"(Hotelling’s T² = {fit['hotelling_t2']:.1f}, dimensions: {fit['degrees_of_freedom'][0]}). "
        )
        misfit, circle = fit["largest_misfit"], fit["strongest_circle"]
        if misfit is not None:
            words += (
                f"The largest misfit: {_round(misfit)} adds up to {_in_words(misfit['points_a_deal'])} instead of 0. "
            )
        if circle is None:
            words += "No three beat each other in a circle."
        else:
            words += f"A circle: {_round(circle)}, at its weakest place by {_in_words(circle['points_a_deal'])}."
    return f'<h3 id="circles">Test for circles</h3><p>{escape(words)}</p>'


def _round(triangle: dict[str, Any]) -> str:
    return " > ".join([*triangle["entrants"], triangle["entrants"][0]])


def _in_words(figure: dict[str, Any]) -> str:
    if figure["low"] is None:
        return f"{figure['mean']:+.2f} points a deal"
    return f"{figure['mean']:+.2f} points a deal [{figure['low']:+.2f}, {figure['high']:+.2f}]".replace("-", "−")


# --- partners


def _cross_play(data: Ref) -> Section | None:
    if "cross_play" not in data:
        return None
    cross = data["cross_play"]
    names = [row["name"] for row in cross.value["rows"]]
    cells = {(name, other): cross["cells"][i][j] for i, name in enumerate(names) for j, other in enumerate(names)}
    reference = cross.value["reference"]
    against = "two of the one and two of the other" if reference == "itself" else f"two {reference}"
    gaps = _sheet(
        "cross_play_gaps",
        "What mixed pairs lack to pairs of one kind",
        [
            Column("over", "mean over", "text"),
            Column("own", "with its own kind", "points", interval=True),
            Column("mixed", "mixed", "points", interval=True),
            Column("gap", "gap", "points", interval=True),
        ],
        cross["gaps"],
    )
    rows = cross["rows"]
    matrix = Sheet(
        "cross_play",
        "Cross-play",
        [
            Column("partner", "partner", "text"),
            Column("other", "other partner", "text"),
            Column("points_a_deal", "points a deal", "points", interval=True),
        ],
        [
            [rows[i]["name"], rows[j]["name"], cross["cells"][i][j]]
            for i in range(len(names))
            for j in range(len(names))
        ],
    )
    title = f"Row and column as partners, points a deal over {against}"
    html = (
        f"<p>Row and column sit together as partners, against {escape(against)}. The diagonal is a pair of one kind. A "
        "positive gap says that mixed pairs score less than the two pairs of one kind on average.</p>"
        f"{_matrix(title, names, cells, 'points')}{table_html(gaps)}"
    )
    return Section("cross-play", "Partners of another kind", html, [matrix, gaps])


# --- how much single pairs differ


def _differences(data: Ref) -> Section:
    of_deals = data.value["episode"] == "deal"
    unit, pair = ("a deal", "one pack and dealer") if of_deals else ("a match", "the packs of one match")
    reach = max(abs(value) for pairing in data.value["differences"] for value, _ in pairing["counts"])
    charts: list[str] = []
    rows: list[list[Ref]] = []
    for number, pairing in enumerate(data["differences"]):
        value = pairing.value
        title = f"{value['a']} over {value['b']}: score difference of a pair, {value['pairs']:,} pairs"
        axis = f"points {unit}, mean of the two tables"
        chart = histogram(f"difference-{number}", title, value["counts"], value["mean"], axis, reach)
        charts.append(_figure(chart, f"{value['a']} over {value['b']}"))
        rows += [[pairing["a"], pairing["b"], count[0], count[1]] for count in pairing["counts"]]
    columns = [
        Column("a", "agent", "text"),
        Column("b", "over", "text"),
        Column("difference", "difference", "amount"),
        Column("pairs", "pairs", "count"),
    ]
    html = (
        f"<p>A pair is {pair}, played twice with the sides exchanged; its value is the mean of the two "
        "tables. The mark is the mean of all pairs, the bar at 0 the pairs that came out even.</p>"
        f'<div class="grid">{"".join(charts)}</div>'
    )
    return Section("differences", "Distribution of pair differences", html, [Sheet("differences", "", columns, rows)])


# --- bids


def _bidding(data: Ref) -> Section:
    columns = [
        Column("agent", "agent", "text"),
        Column("deals", "deals", "count"),
        Column("bid_rate", "bids when asked", "share"),
        Column("declared", "declares", "share"),
        Column("mean_bid", "mean bid", "amount"),
        Column("made", "made", "share"),
        Column("points_taken", "points taken a deal", "amount"),
    ]
    suits = [Column(f"names_{name}", f"names {mark}", "share") for name, mark in zip("SHDC", _SUITS, strict=True)]
    rates = Sheet(
        "bidding",
        "All deals that were played",
        [*columns, *suits],
        [[*(row[column.key] for column in columns), *row["named_suits"]] for row in data["bidding"]],
    )
    bids = data["recorded"]["bids"]
    made = _sheet(
        "made_by_bid",
        f"What came of each bid: {data.value['recorded']['deals']:,} recorded deals",
        [
            Column("agent", "agent", "text"),
            Column("bid", "bid", "text"),
            Column("deals", "declared", "count"),
            Column("made", "made", "share", interval=True),
            Column("points_taken", "points taken", "amount", interval=True),
        ],
        bids,
    )
    lines = _bid_lines(data, "made")
    chart = line_chart(
        "made-plot",
        "Share of bids made, by bid, with 95% intervals",
        lines,
        "bid",
        "made",
        ".0%",
        ticks=_bid_ticks(data),
        limits=(0, 1),
    )
    html = (
        f"{table_html(rates)}<p>By the number that was bid, in the recorded deals; 95% intervals are Wilson’s, with "
        "the number of observations that the packs are worth. A bid on one pack alone is in the table only.</p>"
        f'<div class="pair">{_figure(chart) if lines else ""}{table_html(made)}</div>'
    )
    return Section("bidding", "Bidding", html, [rates, made])


def _bid_lines(data: Ref, figure: str) -> list[Line]:
    """A line an entrant: a figure by bid."""
    lines: list[Line] = []
    for number, name in enumerate(_names(data)):
        rows = [row for row in data.value["recorded"]["bids"] if row["agent"] == name and row["bid"] != ALL]
        if rows:
            lines.append(Line(name, [(row["bid"], row[figure]) for row in rows], number))
    return lines


def _bid_ticks(data: Ref) -> list[float]:
    bids = sorted({row["bid"] for row in data.value["recorded"]["bids"] if row["bid"] != ALL})
    return bids[:: -(-len(bids) // _MOST_TICKS)] if bids else []


def _calibration(data: Ref) -> Section:
    title = "Bids against par"
    if "missing" in data["open_cards"]:
        return Section("calibration", title, _missing(data))
    bids = data["recorded"]["bids"]
    sheet = _sheet(
        "calibration",
        "What could have been made",
        [
            Column("agent", "agent", "text"),
            Column("bid", "bid", "text"),
            Column("deals", "declared", "count"),
            Column("makeable", "makeable, best suit", "share", interval=True),
            Column("makeable_in_suit", "makeable, suit named", "share", interval=True),
            Column("made", "made", "share", interval=True),
            Column("best_points", "points, best suit", "amount", interval=True),
            Column("suit_points", "points, suit named", "amount", interval=True),
        ],
        bids,
    )
    par = _sheet(
        "par",
        "Who declares, by whose the par contract is",
        [
            Column("agent", "agent", "text"),
            Column("par_is_its_own", "par is its own: deals", "count"),
            Column("declares_its_own", "of those it declares", "share", interval=True),
            Column("par_is_the_others", "par is the others’: deals", "count"),
            Column("declares_the_others", "of those it declares", "share", interval=True),
        ],
        data["open_cards"]["par"],
    )
    charts: list[str] = []
    points = _bid_lines(data, "best_points")
    ticks = _bid_ticks(data)
    if points:
        charts.append(
            _figure(
                line_chart(
                    "calibration-points",
                    "Points that the declaring side could take in its best suit, by bid",
                    points,
                    "bid",
                    "points, best play",
                    "g",
                    ticks=ticks,
                    diagonal=True,
                ),
                "Points that could be taken, against the bid (the dotted line: as many as were bid)",
            )
        )
    for number, name in enumerate(_names(data)):
        rows = [row for row in data.value["recorded"]["bids"] if row["agent"] == name and row["bid"] != ALL]
        lines = [
            Line(label, [(row["bid"], row[key]) for row in rows], series)
            for series, (key, label) in enumerate(
                {"makeable": "best suit", "makeable_in_suit": "suit named", "made": "was made"}.items()
            )
        ]
        if rows:
            heading = f"{name}: share of bids that could be made, and were"
            chart = line_chart(
                f"calibration-{number}", heading, lines, "bid", "share", ".0%", ticks=ticks, limits=(0, 1)
            )
            charts.append(_figure(chart, heading))
    html = (
        "<p>What each bid was worth with all cards open: the most points that the declaring side could take, in the "
        "suit that was named and in the best suit of either partner, when both sides play the cards as well as they "
        f"can and {escape(data.value['open_cards']['continuation'])} decides in the exchange. A bid is <i>makeable</i> "
        "where that is at least the bid. The par contract is where an auction with all cards open ends. A bidder sees "
        "a quarter of the cards: a bid that could not be made is not a mistake by itself.</p>"
        f'<div class="grid">{"".join(charts)}</div>{table_html(sheet)}{table_html(par)}'
    )
    return Section("calibration", title, html, [sheet, par])


def _missing(data: Ref) -> str:
    return f'<p class="missing">{escape(data.value["open_cards"]["missing"])}</p>'


# --- losses


def _losses(data: Ref) -> Section:
    title = "What decisions cost"
    if "missing" in data["open_cards"]:
        return Section("losses", title, _missing(data))
    found = data["open_cards"]
    by_role = Sheet(
        "losses_by_phase",
        "Loss of a seat a deal, in score points; of the play in points taken, too",
        [
            Column("agent", "agent", "text"),
            Column("role", "role", "text"),
            Column("seats", "seats", "count"),
            *(Column(key, words, "amount", interval=True) for key, words in PHASES.items()),
            Column("points", "points taken", "amount", interval=True),
        ],
        [
            [row["agent"], row["role"], row["seats"], *(row["a_seat"][key] for key in (*PHASES, "points"))]
            for row in found["by_role"]
        ],
    )
    by_trick = Sheet(
        "losses_by_trick",
        "",
        [
            Column("agent", "agent", "text"),
            Column("side", "side", "text"),
            Column("trick", "trick", "text"),
            Column("points", "points", "amount", interval=True),
        ],
        [
            [row["agent"], row["side"], Ref(trick), row["a_seat"][trick]]
            for row in found["by_trick"]
            for trick in row.value["a_seat"]
        ],
    )
    steps = Sheet(
        "steps",
        "From par to the result, a deal",
        [
            Column("a", "agent", "text"),
            Column("b", "against", "text"),
            Column("deals", "deals", "count"),
            *(Column(step, step, "points", interval=True) for step in _STEPS),
        ],
        [[row[key] for key in ("a", "b", "deals", *_STEPS)] for row in found["steps"]],
    )
    series = {name: number for number, name in enumerate(_names(data))}
    everybody = [row for row in found.value["by_role"] if row["role"] == ALL]
    dots: list[Dot] = []
    for key, words in PHASES.items():
        dots.append(Dot(words, None))
        dots += [Dot(row["agent"], row["a_seat"][key], series[row["agent"]]) for row in everybody]
    charts = [
        _figure(
            dot_plot(
                "loss-plot",
                "Loss of a seat a deal by phase, with 95% intervals",
                dots,
                "score points a deal",
                "g",
                least=0,
            ),
            "Loss by phase",
        )
    ]
    for side in dict.fromkeys(row["side"] for row in found.value["by_trick"]):
        lines = [
            Line(row["agent"], [(int(trick), figure) for trick, figure in row["a_seat"].items()], series[row["agent"]])
            for row in found.value["by_trick"]
            if row["side"] == side and row["a_seat"]
        ]
        if lines:
            ticks = [x for x, _ in max((line.points for line in lines), key=len)]
            chart = line_chart(
                f"trick-{side}",
                f"Loss in the card play by trick, {side}, with 95% intervals",
                lines,
                "trick",
                "points a seat a deal",
                "g",
                ticks=ticks,
                limits=(0, max(figure["high"] or 0.0 for line in lines for _, figure in line.points) or 1.0),
            )
            charts.append(_figure(chart, f"Loss by trick, {side}"))
    html = (
        "<p>The loss of a decision is what the best legal action would have been worth more, with all cards open: "
        "exact in the card play; before it, what comes of it when "
        f"{escape(found.value['continuation'])} decides from there to the first lead. So no loss is negative, and none "
        "is a mistake by itself: a seat cannot see the cards. Compare agents, on the same deals.</p>"
        f'<div class="grid">{"".join(charts)}</div>{table_html(by_role)}'
        "<p>Where the score difference comes from: the par of the deals, and what auction, naming, exchange and play "
        f"add to it.</p>{table_html(steps)}"
    )
    return Section("losses", title, html, [by_role, by_trick, steps])


# --- problems by skill


def _problems(data: Ref) -> Section | None:
    if data.value["problems"] is None:
        return None
    found = data["problems"]
    agents = [row.value["agent"] for row in found["agents"]]
    columns = [
        Column("skill", "skill", "text"),
        Column("problems", "problems", "count"),
        *(Column(agent, clip(agent, 24), "amount", interval=True) for agent in agents),
    ]
    rows = [
        [row["skill"], row["problems"], *(agent["skills"][row.value["skill"]] for agent in found["agents"])]
        for row in found["skills"]
    ]
    rows.append([Ref("all skills"), found["problems"], *(agent["total"] for agent in found["agents"])])
    sheet = Sheet("problems", "Score by skill", columns, rows)
    dots = [
        Dot(agent, row["total"], place)
        for place, (agent, row) in enumerate(zip(agents, found.value["agents"], strict=True))
    ]
    chart = dot_plot("problems-plot", "Score over all skills, with 95% intervals", dots, "score, all skills", "g")
    html = (
        "<p>Decisions with the value of every action, by what each is about. The score is 0 for a legal action at "
        "random, on average, and 100 for the best action always; intervals are over problems.</p>"
        f"{_figure(chart)}{table_html(sheet)}"
    )
    return Section("problems", "Problems by skill", html, [sheet])


# --- learning


def _curves(data: Ref) -> Section | None:
    if not data.value["curves"]:
        return None
    charts: list[str] = []
    for number, yardstick in enumerate(dict.fromkeys(curve["yardstick"] for curve in data.value["curves"])):
        lines = [
            Line(curve["agent"], [(point["decisions"], point) for point in curve["points"]], place)
            for place, curve in enumerate(data.value["curves"])
            if curve["yardstick"] == yardstick
        ]
        title = f"Points a deal over {yardstick} while learning"
        chart = line_chart(f"curve-{number}", title, lines, "decisions learnt from", "points a deal")
        charts.append(_figure(chart, title))
    rows = [
        [curve["agent"], curve["yardstick"], point["decisions"], point["seconds"], Ref(point.value, point.path)]
        for curve in data["curves"]
        for point in curve["points"]
    ]
    columns = [
        Column("agent", "agent", "text"),
        Column("yardstick", "over", "text"),
        Column("decisions", "decisions", "count"),
        Column("seconds", "seconds", "amount"),
        Column("points_a_deal", "points a deal", "points", interval=True),
    ]
    sheet = Sheet("curves", "Evaluations during training", columns, rows)
    html = (
        "<p>The evaluations during training, each on the same deals, which are not those of this report.</p>"
        f'<div class="grid">{"".join(charts)}</div>{table_html(sheet)}'
    )
    return Section("curves", "Learning curves", html, [sheet])


# --- what they have in common


def _names(data: Ref) -> list[str]:
    return [entrant["name"] for entrant in data.value["entrants"]]


def _by_strength(data: Ref) -> list[int]:
    """The numbers of the entrants, the highest mean over all others first."""
    names = _names(data)
    total = dict.fromkeys(names, 0.0)
    for row in data.value["cross_table"]:
        total[row["a"]] += row["points_a_deal"]["mean"] or 0.0
    return sorted(range(len(names)), key=lambda number: -total[names[number]])


def _sheet(name: str, caption: str, columns: Sequence[Column], rows: Ref) -> Sheet:
    """A table whose columns are named as the rows' entries."""
    return Sheet(name, caption, columns, [[row[column.key] for column in columns] for row in rows])


def _figure(chart: str, caption: str = "") -> str:
    words = f"<figcaption>{escape(caption)}</figcaption>" if caption else ""
    return f"<figure>{words}{chart}</figure>"
