"""A deal for people: hands, par, and every decision with what it cost. Plain text, at most 100 columns."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from itertools import groupby

import numpy as np

from agents.analyse.losses import KINDS, STEPS, Study
from agents.report import aligned
from pedro_env.actions import FIRST_SUIT, Phase
from pedro_env.cards import N_CARDS, N_SUITS, NONE, SUIT_SYMBOLS
from pedro_env.cardset import to_cards
from pedro_env.record import Record
from pedro_env.render import bid_text, card_text, cards_text, counted, told, trick_won

WIDTH = 100
_WE = "seats 0 and 2"
"""The side that differences speak of."""
_HEADS = {"bidding": "Auction", "naming": "Trumps", "exchange": "Exchange"}


def transcript(study: Study, deal: int, record: Record) -> str:
    """One deal of a study in words; ``record`` is the one it was made from."""
    return "\n".join(_Transcript(study, deal, record).lines())


class _Transcript:
    """Tells one deal."""

    def __init__(self, study: Study, deal: int, record: Record) -> None:
        self.study, self.deal, self.record = study, deal, record
        self.played = study.played
        self.batch = study.played.before
        self.rules, self.names = self.batch.rules, self.batch.actions.names
        self.d = study.losses.decisions
        self.of_deal = {name: int(column[deal]) for name, column in study.losses.deals.items()}
        self.rows = np.flatnonzero(self.d["deal"] == deal)
        self.trump = self.of_deal["trump"]

    def lines(self) -> list[str]:
        parts = [
            self._head(),
            self._hands("As dealt", self._dealt()),
            self._par(),
            *(self._before_the_play(kind) for kind in range(3)),
            self._play(),
            self._result(),
        ]
        return [line for part in parts if part for line in [*part, ""]][:-1]

    # --- what there is before the first decision

    def _head(self) -> list[str]:
        r = self.record
        options = "".join(f", {name}={value}" for name, value in r["options"].items())
        scores = " : ".join(map(str, r["scores_before"]))
        lines = [
            f"{r['variant']}{options}: seed {r['seed']}, match {r['match']}, deal {r['deal']}; "
            f"seat {r['dealer']} deals, the score is {scores}"
        ]
        if "agents" in r:
            lines.append(", ".join(f"seat {seat}: {name}" for seat, name in enumerate(r["agents"])))
        return [part for line in lines for part in textwrap.wrap(line, WIDTH)]

    def _dealt(self) -> list[list[int]]:
        """Every seat's cards before anything was said, from the pack (RULES 5)."""
        t, s = self.batch.tables, self.played.start.state
        places = np.concatenate([t.deal_positions, t.widow_positions], axis=1)
        seats = range(self.rules.seats)
        return [s.pack[self.deal, places[(seat - s.dealer[self.deal] - 1) % len(seats)]].tolist() for seat in seats]

    def _hands(self, title: str, hands: Sequence[Iterable[int]], trump: int = NONE) -> list[str]:
        return [title, *(f"  seat {seat}  {cards_text(hand, self.rules, trump)}" for seat, hand in enumerate(hands))]

    def _par(self) -> list[str]:
        points = self.study.par.points[self.deal]
        table = [[f"  seat {seat}", "", *map(str, row), str(max(row))] for seat, row in enumerate(points.tolist())]
        deal = self.of_deal
        lines = ["Points of the declarer's side, by declarer and trumps, all cards open"]
        lines += aligned(["", "", *SUIT_SYMBOLS, "best"], table)
        could = [f"{_side(side)} could make {_or_nothing(deal[f'makes_{side}'])}" for side in (0, 1)]
        if deal["par_seat"] == NONE:
            contract = "nobody bids"
        else:
            bid = bid_text(self.batch.actions.bids[deal["par_bid"]].name)
            suit = SUIT_SYMBOLS[deal["par_suit"]]
            contract = (
                f"seat {deal['par_seat']} bids {bid}, names {suit}, takes {points[deal['par_seat'], deal['par_suit']]}"
            )
        return [*lines, "; ".join(could), f"Par: {contract}: {_signed(deal['par'])} for {_WE}"]

    # --- decisions before the play

    def _before_the_play(self, kind: int) -> list[str]:
        """A line a decision: what was done, its loss, what the deal is worth then, what was better."""
        rows = [row for row in self.rows.tolist() if self.d["kind"][row] == kind]
        lines = [f"{_HEADS[KINDS[kind]]:<44}{'loss':>6}  worth then, to {_WE}"] if rows else []
        for _, group in groupby(rows, key=self._joins):
            together = list(group)
            row, loss = together[-1], int(self.d["loss"][together[-1]])
            words = f"seat {self.d['seat'][row]} {self._told(*together)}"
            first, *more = textwrap.wrap(words, 43, initial_indent="  ", subsequent_indent="      ")
            line = f"{first:<44}{loss or '·':>6}{_signed(self.d['value'][row]):>12}"
            if loss:
                line += f"   better: {self._action(row, self.d['best'][row])}"
            lines += [line, *more]
            if kind == 1:
                lines += self._suits(row)
        return lines

    def _joins(self, row: int) -> tuple[int, ...]:
        """Cards that a seat takes or parts with in a row are told together, as long as they lose nothing."""
        alone = row if self.d["loss"][row] or self.d["action"][row] >= N_CARDS else NONE
        return int(self.d["seat"][row]), int(self.d["phase"][row]), int(self.d["value"][row]), alone

    def _suits(self, row: int) -> list[str]:
        others = self.study.others
        here = others.position == row
        values = zip(others.action[here] - FIRST_SUIT, others.value[here], strict=True)
        each = "  ".join(f"{SUIT_SYMBOLS[suit]} {_signed(value)}" for suit, value in values if suit < N_SUITS)
        return [f"    each suit: {each}"] if each else []

    def _told(self, *rows: int) -> str:
        """What a seat did, in one decision or several that are told together."""
        first, *more = (int(self.d["action"][row]) for row in rows)
        return " ".join([self._action(rows[0], first), *map(card_text, more)])

    def _action(self, row: int, action: int) -> str:
        phase = Phase(self.d["phase"][row])
        words, is_card = told(phase.word, self.names[action])
        verb = {Phase.GIVE: "gives ", Phase.DISCARD: "lays aside ", Phase.ROB: "takes "}.get(phase, "")
        return verb * is_card + words

    # --- the play

    def _play(self) -> list[str]:
        rows = [row for row in self.rows.tolist() if self.d["kind"][row] == 3]
        if not rows:
            return []
        hands = [to_cards(hand) for hand in self.batch.state.hand[rows[0]]]
        table = [self._trick(trick, rows) for trick in range(int(self.d["trick"][rows].max()) + 1)]
        head = ["trick", "", *(f"seat {seat}" for seat in range(self.rules.seats)), "won by"]
        return [
            *self._hands("In play", hands, self.trump),
            "",
            f"Play: {_side(self.of_deal['declarer'] % 2)} declare; > leads, (buried), −points that a card loses",
            *_table(head, table),
            *self._mistakes(rows),
        ]

    def _trick(self, trick: int, rows: list[int]) -> list[str]:
        here = [row for row in rows if self.d["trick"][row] == trick]
        cells = [""] * self.rules.seats
        played = [row for row in here if self.d["phase"][row] == Phase.PLAY]
        for row in here:
            action, loss = int(self.d["action"][row]), int(self.d["points"][row])
            text = card_text(action) if action < N_CARDS else told("play", self.names[action])[0]
            text += f" −{loss}" if loss else ""
            if row not in played:
                text = f"({text}) "
            elif row == played[0]:
                text = f">{text}"
            cells[self.d["seat"][row]] += text
        return [str(trick + 1), "", *cells, self._won(here)]

    def _won(self, rows: list[int]) -> str:
        before = self.batch.state.won[rows[0]].tolist()
        last = rows[-1] == self.rows[-1]
        won = trick_won(self.played.end, self.deal, before) if last else trick_won(self.batch, rows[-1] + 1, before)
        return f"seat {won[0]}, {counted(won[1], 'point')}" if won else "–"

    def _mistakes(self, rows: list[int]) -> list[str]:
        lines: list[str] = []
        for row in rows:
            points, loss = int(self.d["points"][row]), int(self.d["loss"][row])
            if points or loss:
                lines.append(
                    f"  trick {self.d['trick'][row] + 1}, seat {self.d['seat'][row]}: "
                    f"{self._told(row)} loses {counted(points, 'point')}, "
                    f"{loss} of the score; better {self._action(row, self.d['best'][row])}"
                )
        return lines or ["  nobody lost a point"]

    # --- the end

    def _result(self) -> list[str]:
        r, deal = self.record, self.of_deal
        if deal["declarer"] == NONE:
            head = "Nobody bid; the next dealer deals"
        else:
            points, change = (" : ".join(map(str, r[name])) for name in ("points", "score_change"))
            head = f"Points {points}, score changes {change}"
            head += (
                f"; the suit named was worth {deal['named_points']} to the declarer, the best contract of its side "
                f"{deal['best_points']}"
            )
        steps = ", ".join(f"{name} {_signed(deal[name])}" for name in ("par", *STEPS))
        seats = [
            [f"  seat {seat}", r["agents"][seat] if "agents" in r else "", *self._losses_of(seat)]
            for seat in range(self.rules.seats)
        ]
        return [
            *textwrap.wrap(head, WIDTH),
            f"From par to the result, for {_WE}:",
            f"  {steps} = {_signed(deal['result'])}",
            *aligned(["Losses", "", *KINDS], seats),
        ]

    def _losses_of(self, seat: int) -> list[str]:
        mine = self.rows[self.d["seat"][self.rows] == seat]
        sums = [int(self.d["loss"][mine[self.d["kind"][mine] == kind]].sum()) for kind in range(len(KINDS))]
        return [str(value) if value else "·" for value in sums]


def _table(head: list[str], rows: list[list[str]]) -> list[str]:
    """Columns, all to the left."""
    widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in (head, *rows)]
    return [f"  {line}".rstrip() for line in lines]


def _side(side: int) -> str:
    return f"seats {side} and {side + 2}"


def _or_nothing(number: int) -> str:
    return "nothing" if number == NONE else str(number)


def _signed(value: int) -> str:
    return f"{value:+d}" if value else "0"
