"""Text for people: a table in mid-deal, an observation in words, a record as a transcript. Plain text, 80 columns."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple

import numpy as np

from pedro_env.actions import Phase, actions_of
from pedro_env.cards import (
    BIG_JOKER,
    CARD_NAMES,
    N_RANKS,
    N_SUITS,
    NONE,
    RANKS,
    SUIT_SYMBOLS,
    SUITS,
    parse_card,
)
from pedro_env.cardset import to_cards
from pedro_env.engine import Batch, IllegalAction
from pedro_env.layout import Layout, layout_of, point_step, score_thresholds
from pedro_env.rules import Rules, Teams
from pedro_env.state import State
from pedro_env.tables import Tables, tables_of
from pedro_env.variants import make_rules

WIDTH = 80
"""Columns of everything in here."""
_SIDE_WIDTH = 29
"""Columns for a hand at the left or the right of the table."""


# --- cards


def card_text(card: int) -> str:
    """``"T♥"``."""
    if card >= BIG_JOKER:
        return CARD_NAMES[card]
    return RANKS[card % N_RANKS] + SUIT_SYMBOLS[card // N_RANKS]


def cards_text(cards: Iterable[int], rules: Rules, trump: int = NONE) -> str:
    """Some cards by suit, high to low, trumps first and marked: ``"♥* A J 5♦ 3  ♠ K 9"``; ``"–"`` for none."""
    return "  ".join(f"{name} {ranks}".strip() for name, ranks in suits_text(cards, rules, trump)) or "–"


def suits_text(cards: Iterable[int], rules: Rules, trump: int = NONE) -> list[tuple[str, str]]:
    """(suit, cards) for each suit there is, trumps first. Trumps of another printed suit show it (``"5♦"``)."""
    t = tables_of(rules)
    groups: dict[int, list[int]] = {}
    for card in cards:
        groups.setdefault(_group(t, card, trump), []).append(card)
    lines: list[tuple[str, str]] = []
    for suit in sorted(groups, key=lambda suit: (suit != trump, suit)):
        if suit == N_SUITS:
            lines.append(("", " ".join(CARD_NAMES[card] for card in sorted(groups[suit]))))
            continue
        ranked = sorted(groups[suit], key=lambda card: _rank(t, card, trump, suit), reverse=True)
        star = "*" if suit == trump else ""
        lines.append((SUIT_SYMBOLS[suit] + star, " ".join(_in_suit(card, suit) for card in ranked)))
    return lines


def _group(t: Tables, card: int, trump: int) -> int:
    """The suit a card is shown with; jokers on their own before trumps are named."""
    if trump == NONE:
        return N_SUITS if card >= BIG_JOKER else card // N_RANKS
    return int(t.suit_of[trump, card])


def _rank(t: Tables, card: int, trump: int, suit: int) -> tuple[int, int]:
    strength = (
        0
        if trump == NONE or suit != trump
        else int(t.strength.reshape(N_SUITS, N_SUITS + 1, -1)[trump, trump + 1, card])
    )
    return strength, card


def _in_suit(card: int, suit: int) -> str:
    """A card in the row of a suit: its rank alone where the suit is printed on it."""
    return RANKS[card % N_RANKS] if card // N_RANKS == suit and card < BIG_JOKER else card_text(card)


# --- a table


def table(batch: Batch, row: int = 0, seat: int | None = None) -> str:
    """One game of a batch, as it lies on the table.

    Every hand is open, and seat 0 sits at the bottom; with ``seat`` only that seat's hand is, and it sits at the
    bottom. Trumps are marked with ``*``; ``>`` stands before the seat to act.
    """
    picture = _Table(batch, row, seat)
    seats = batch.rules.seats
    middle = picture.four_seats() if seats == 4 else picture.in_a_list()
    return "\n".join(line.rstrip() for line in [*picture.head(), "", *middle, "", *picture.foot()])


class _Table:
    """What ``table`` draws, part by part."""

    def __init__(self, batch: Batch, row: int, seat: int | None) -> None:
        if seat is not None and not 0 <= seat < batch.rules.seats:
            raise ValueError(f"seat must be a number from 0 to {batch.rules.seats - 1}, not {seat}")
        self.batch, self.row, self.rules = batch, row, batch.rules
        self.state: State = batch.state
        self.viewer = seat
        self.bottom = seat or 0
        self.trump = int(self.state.trump[row])
        self.over = bool(batch.over[row])

    # the lines above and below

    def head(self) -> list[str]:
        """Which game it is, the score, the contract."""
        s, row = self.state, self.row
        left = f"{self.rules.variant}, seed {self.batch.seed}, match {s.match[row]}, deal {s.deal[row]}"
        lines = [spread(left, f"score {_numbers(s.scores[row])} of {self.rules.target}")]
        contract, declarer = int(s.contract[row]), int(s.declarer[row])
        in_auction = int(s.phase[row]) in (Phase.BID, Phase.DARK)
        if contract == NONE:
            deal = "redeal: everybody passed" if s.redeal[row] else "nobody has bid"
        else:
            bid = self.batch.actions.bids[contract].name
            deal = (
                f"highest bid {bid_text(bid)}, seat {declarer}"
                if in_auction
                else f"seat {declarer} bid {bid_text(bid)}"
            )
        if self.trump != NONE:
            deal += f", trumps {SUIT_SYMBOLS[self.trump]}"
        if s.partner[row] != NONE:
            deal += f", partner seat {s.partner[row]}"
        if s.alone[row]:
            deal += ", alone"
        if s.bidder_out[row]:
            deal += ", bidder out"
        lines.append(spread(deal, f"taken {_numbers((s.points if self.over else s.taken)[row])}"))
        return lines

    def foot(self) -> list[str]:
        """What happens now, or how it ended."""
        s, row = self.state, self.row
        if not self.over:
            phase = Phase(s.phase[row])
            trick = f", trick {s.trick[row] + 1} of {self.rules.hand}" if phase in (Phase.PLAY, Phase.BURY) else ""
            return [f"seat {s.to_act[row]} is to act: {phase.word}{trick}"]
        lines = [
            "The deal is over.",
            _entry("Points", _numbers(s.points[row])),
            _entry("Change", _changes(s.score_change[row].tolist())),
        ]
        if s.winner[row] != NONE:
            lines.append(f"{_side_name(self.rules, int(s.winner[row]))} won the match.")
        elif s.truncated[row]:
            lines.append(f"The match is cut off after {self.rules.max_deals} deals.")
        return lines

    # seats

    def label(self, seat: int) -> str:
        """Seat and what it is: ``"> seat 2, dealer, bid 8"``."""
        s, row = self.state, self.row
        words = [f"{'> ' if int(s.to_act[row]) == seat else ''}seat {seat}"]
        if s.dealer[row] == seat:
            words.append("dealer")
        words.append(auction_text(self.batch, row, seat))
        if self.batch.seat_mark(row, seat, "out").any():
            words.append("out")
        return ", ".join(word for word in words if word)

    def hand(self, seat: int) -> list[tuple[str, str]]:
        """The rows of a hand, or how many cards it has where it is hidden."""
        cards = to_cards(self.state.hand[self.row, seat])
        if self.viewer is not None and seat != self.viewer:
            return [("", counted(len(cards), "card"))] if cards else []
        return suits_text(cards, self.rules, self.trump)

    def played(self, seat: int) -> str:
        """The card that a seat has in the trick; in brackets where it is winning."""
        card = int(self.state.on_table[self.row, seat])
        if card == NONE or self.over:
            return ""
        text = card_text(card)
        return f"[{text}]" if self.state.winning[self.row] == seat else text

    # layouts of the middle

    def four_seats(self) -> list[str]:
        """Two hands across, two at the sides, the trick between them."""
        bottom, left, top, right = ((self.bottom + place) % 4 for place in range(4))
        lines = [self.label(top).center(WIDTH), *_centred(self._one_line(top)), ""]
        left_block, right_block = self._block(left), self._block(right)
        centre = ["", self.played(top), f"{self.played(left):>6}{'':8}{self.played(right):<6}", self.played(bottom)]
        height = max(len(left_block), len(right_block), len(centre))
        room = WIDTH - 2 * _SIDE_WIDTH
        for block in (left_block, right_block, centre):
            block.extend([""] * (height - len(block)))
        margin = max(len(line) for line in right_block)
        for a, b, c in zip(left_block, centre, right_block, strict=True):
            lines.append(f"{a:<{_SIDE_WIDTH}}{b.center(room)}{c.ljust(margin).rjust(_SIDE_WIDTH)}")
        return [*lines, "", self.label(bottom).center(WIDTH), *_centred(self._one_line(bottom))]

    def _block(self, seat: int) -> list[str]:
        """A seat at the side: its label and its hand, a suit a line."""
        lines = [self.label(seat), *(f"{suit} {ranks}".strip() for suit, ranks in self.hand(seat))]
        return [part for line in lines for part in textwrap.wrap(line, _SIDE_WIDTH, subsequent_indent="   ")]

    def in_a_list(self) -> list[str]:
        """Other numbers of seats: clockwise, one under the other."""
        lines: list[str] = []
        for place in range(self.rules.seats):
            seat = (self.bottom + place) % self.rules.seats
            lines.append(f"{self.label(seat):<{WIDTH // 2}}{self.played(seat)}")
            lines += textwrap.wrap(self._one_line(seat), WIDTH, initial_indent="    ", subsequent_indent="    ")
        return lines

    def _one_line(self, seat: int) -> str:
        return "  ".join(f"{suit} {ranks}".strip() for suit, ranks in self.hand(seat))


def auction_text(batch: Batch, row: int, seat: int) -> str:
    """A seat's highest bid; whether it passed, where that still matters or is all that it did."""
    bids = np.flatnonzero(batch.seat_mark(row, seat, "bid")).tolist()
    said = [f"bid {bid_text(batch.actions.bids[bids[-1]].name)}"] if bids else []
    in_auction = int(batch.phase[row]) in (Phase.BID, Phase.DARK)
    if batch.seat_mark(row, seat, "passed").any() and (in_auction or not bids):
        said.append("passed")
    return ", ".join(said)


def bid_text(name: str) -> str:
    """``"7H"`` to ``"7♥"``; other bids as they are."""
    if name[-1] in SUITS and name[:-1].isdecimal():
        return name[:-1] + SUIT_SYMBOLS[SUITS.index(name[-1])]
    return name


# --- an observation


def describe(observation: np.ndarray, rules: Rules) -> str:
    """An observation (``(width,)`` zeros and ones) in words, decoded from the layout alone.

    Raises ``ValueError`` where it has not the width of the variant's layout.
    """
    layout = layout_of(rules)
    row = np.asarray(observation)
    if row.shape != (layout.width,):
        raise ValueError(
            f"an observation of {rules.variant!r} has the shape ({layout.width},), not {row.shape}"
            + ("; take one row of a batch" if row.ndim > 1 else "")
        )
    reader = Reader(row, rules, layout)
    blocks = [reader.situation(), reader.own_cards(), reader.trick(), reader.seats(), reader.tricks(), reader.scores()]
    return "\n".join(line for block in blocks for line in block)


class Reader:
    """Reads the fields of one observation: ``(width,)`` zeros and ones of the variant's layout."""

    def __init__(self, row: np.ndarray, rules: Rules, layout: Layout) -> None:
        self.row, self.rules, self.layout = row, rules, layout
        self.actions = actions_of(rules)
        self.names = relative_names(rules)
        self.trump = self.index("trump")

    # fields

    def bits(self, name: str) -> list[int]:
        """The places of the ones in a field; none where the variant lacks it."""
        field = self.layout.slices.get(name)
        return [] if field is None else np.flatnonzero(self.row[field]).tolist()

    def index(self, name: str) -> int:
        """The place of the only one; -1 where there is none."""
        return next(iter(self.bits(name)), NONE)

    def seat(self, name: str) -> str:
        """A seat's relative name, empty where there is none."""
        place = self.index(name)
        return "" if place == NONE else self.names[place]

    def cards(self, cards: Iterable[int]) -> str:
        """Cards by suit."""
        return cards_text(cards, self.rules, self.trump)

    # blocks of lines

    def situation(self) -> list[str]:
        """Phase, dealer, contract."""
        place = self.index("phase")
        phase = self.actions.phases[place] if place != NONE else None
        if phase is None:
            lines = [_entry("Phase", "the deal is over")]
        else:
            trick = self.index("trick")
            where = f", trick {trick + 1}" if trick != NONE else ""
            who = self.seat("to_act")
            lines = [_entry("Phase", f"{phase.word}{where}; {who} {'are' if who == 'you' else 'is'} to act")]
        lines.append(_entry("Dealer", self.seat("dealer")))
        contract = self.index("contract")
        if contract == NONE:
            lines.append(_entry("Contract", "nobody has bid"))
        else:
            words = [f"{bid_text(self.actions.bids[contract].name)}, bid by {self.seat('declarer')}"]
            if self.trump != NONE:
                words.append(f"trumps {SUIT_SYMBOLS[self.trump]}")
            if self.bits("partner"):
                words.append(f"partner {self.seat('partner')}")
            if self.bits("called"):
                words.append("called " + " ".join(map(card_text, self.bits("called"))))
            if self.bits("alone"):
                words.append("alone")
            lines.append(_entry("Contract", ", ".join(words)))
        if self.bits("bidder_out"):
            lines.append(_entry("", "the deal is played bidder out"))
        return lines

    def own_cards(self) -> list[str]:
        """What only this seat knows."""
        lines = [_entry("Your hand", self.cards(self.bits("hand")))]
        for name, title in (
            ("laid_aside", "Laid aside"),
            ("stock", "Left in stock"),
            ("gave", "You gave"),
            ("received", "You were given"),
        ):
            if self.bits(name):
                lines.append(_entry(title, self.cards(self.bits(name))))
        return lines

    def trick(self) -> list[str]:
        """The trick that is being played."""
        leader = self.seat("leader")
        in_trick = set(self.bits("in_trick"))
        lines: list[str] = []
        if in_trick:
            first = self.index("leader")
            seats = [(first + place) % len(self.names) for place in range(len(self.names))]
            played = [
                f"{self.names[seat]} {card_text(card)}"
                for seat in seats
                for card in self.bits(f"shown_{seat}")
                if card in in_trick
            ]
            led = self.index("led")
            suit = f" ({SUIT_SYMBOLS[led]} led)" if led != NONE else ""
            lines.append(_entry("In the trick", f"{', '.join(played)}{suit}; {self.seat('winning')} winning"))
        elif leader:
            lines.append(_entry("Leads", leader))
        return lines

    def seats(self) -> list[str]:
        """What is known of each seat."""
        lines: list[str] = []
        for seat, name in enumerate(self.names):
            bids = [bid_text(self.actions.bids[i].name) for i in self.bits(f"bid_{seat}")]
            words = [f"bid {' '.join(bids)}"] if bids else []
            words += ["passed"] if self.bits(f"passed_{seat}") else []
            words += ["said that it was done"] if self.bits(f"declined_{seat}") else []
            words += ["out of the deal"] if self.bits(f"out_{seat}") else []
            for mark, verb in (
                ("laid_aside", "laid aside"),
                ("drawn", "drew"),
                ("given", "gave"),
                ("buried", "buried"),
            ):
                if count := len(self.bits(f"{mark}_{seat}")):
                    words.append(f"{verb} {count}")
            if void := self.bits(f"void_{seat}"):
                words.append("no " + "".join(SUIT_SYMBOLS[suit] for suit in void))
            lines.append(_entry(name.capitalize(), ", ".join(words) or "–"))
        return lines

    def tricks(self) -> list[str]:
        """Finished tricks and cards laid open."""
        number: dict[int, int] = {}
        for bit in range(4):
            for card in self.bits(f"trick_bit_{bit}"):
                number[card] = number.get(card, 0) + (1 << bit)
        lines: list[str] = []
        for trick in sorted(set(number.values())):
            played = [
                f"{name} {card_text(card)}"
                for seat, name in enumerate(self.names)
                for card in self.bits(f"shown_{seat}")
                if number.get(card) == trick
            ]
            lines.append(_entry(f"Trick {trick}", ", ".join(played)))
        opened = set(self.bits("open"))
        for seat, name in enumerate(self.names):
            if cards := opened.intersection(self.bits(f"shown_{seat}")):
                lines.append(_entry("Laid open", f"{name} {self.cards(cards)}"))
                opened -= cards
        if opened:
            lines.append(_entry("Laid open", self.cards(opened)))
        return lines

    def scores(self) -> list[str]:
        """Points and scores, own side first."""
        sides = range(self.rules.sides)
        owners = ["your side", "the other side"] if self.rules.sides == 2 else self.names
        points = [f"{owners[side]} {self.points(len(self.bits(f'points_{side}')))}" for side in sides]
        scores = [f"{owners[side]} {self.score(len(self.bits(f'score_{side}')))}" for side in sides]
        target = sum(1 << bit for bit in self.bits("target"))
        return [_entry("Points taken", ", ".join(points)), _entry(f"Score, to {target}", ", ".join(scores))]

    def points(self, ones: int) -> str:
        """A thermometer of points as a number or a range."""
        step = point_step(self.rules)
        return str(ones) if step == 1 else f"{ones * step} to {ones * step + step - 1}"

    def score(self, ones: int) -> str:
        """A score's thermometer as the range that it stands for."""
        thresholds = score_thresholds(self.rules)
        if ones == 0:
            return f"below {thresholds[0]}"
        if ones == len(thresholds):
            return f"{thresholds[-1]} or more"
        low, high = thresholds[ones - 1], thresholds[ones] - 1
        return str(low) if low == high else f"{low} to {high}"


def relative_names(rules: Rules) -> list[str]:
    """Names of the seats as one of them calls them."""
    if rules.seats == 4:
        return ["you", "left", "partner" if rules.teams is Teams.PARTNERS else "opposite", "right"]
    return ["you", "left", *(f"{place} to the left" for place in range(2, rules.seats - 1)), "right"]


def _entry(title: str, text: str) -> str:
    """A title and what it says, wrapped."""
    return textwrap.fill(
        text, WIDTH, initial_indent=f"{title:<15} ", subsequent_indent=" " * 16, break_on_hyphens=False
    )


# --- a record


def transcript(record: Mapping[str, Any]) -> str:
    """A record (RULES 5) as a person would tell it: hands, auction, exchange, tricks, score.

    The deal is played again to say who won which trick. Where the record does not follow the rules, the steps from
    there on are listed as they stand. Raises ``ValueError`` where its variant, options or pack are not readable.
    """
    return "\n".join(_Story(record).lines())


class _Event(NamedTuple):
    """One step of a record in words."""

    title: str
    """The paragraph that it belongs to."""
    seat: int
    told: str
    joins: bool
    """A mere card, which may stand in a row with others of the same seat."""


class _Story:
    """Tells one record."""

    def __init__(self, record: Mapping[str, Any]) -> None:
        self.record = record
        self.rules = make_rules(record["variant"], record["options"])
        self._trump = NONE
        self._won = [0] * self.rules.seats
        self._out = [False] * self.rules.seats
        self._play_begun = False
        self._hands_in_play: list[str] = []
        self._pack = [parse_card(name) for name in record["pack"]]
        self.batch: Batch | None = Batch(self.rules, record["seed"], [record["match"]])
        self.batch.set_position(0, self._pack, record["dealer"], record["scores_before"])

    def lines(self) -> list[str]:
        """Everything, line by line."""
        record = self.record
        options = "".join(f", {name}={value}" for name, value in record["options"].items())
        return [
            f"{record['variant']}{options}: seed {record['seed']}, match {record['match']}, deal {record['deal']}",
            _entry("Dealer", f"seat {record['dealer']}"),
            _entry("Score before", _numbers(record["scores_before"])),
            *self._hands_as_dealt(),
            *self._sections(),
            *self._result(),
        ]

    def _sections(self) -> list[str]:
        """One paragraph for each phase before the play, one for each trick."""
        events = [self._tell(step) for step in self.record["steps"]]
        lines: list[str] = []
        for title, group in groupby(events, key=lambda event: event.title):
            if self._hands_in_play and title.startswith("Trick"):
                lines += self._hands_in_play
                self._hands_in_play = []
            lines.append(_entry(title, _sentence(group)))
        return lines

    def _tell(self, step: Mapping[str, Any]) -> _Event:
        """One step in words; it is played on the engine as long as that follows the record."""
        seat, word, action = int(step["seat"]), str(step["phase"]), str(step["action"])
        trick = NONE if self.batch is None else int(self.batch.state.trick[0])
        if trick == 0 and not self._play_begun:
            self._play_begun = True
            if self.batch is not None:
                hands = [to_cards(hand) for hand in self.batch.state.hand[0]]
                self._hands_in_play = self._hands("Hands in play", hands)
        ending = self._follow(word, action)
        title = _SECTIONS.get(word, "Play") if trick == NONE else f"Trick {trick + 1}"
        words, is_card = told(word, action)
        return _Event(title, seat, words + ending, is_card and trick == NONE)

    def _follow(self, word: str, action: str) -> str:
        """Play a step on the engine; how the trick ends, if it does."""
        batch = self.batch
        if batch is None:
            return ""
        try:
            phase = Phase(batch.phase[0])
            if batch.over[0] or phase.word != word:
                raise IllegalAction("the record goes another way")
            number = batch.actions.parse(action, phase)
            batch.step(np.array([number]))
        except ValueError:
            self.batch = None
            return " (against the rules; the rest as it stands)"
        self._trump = int(batch.state.trump[0])
        trick = trick_won(batch, 0, self._won)
        self._won = batch.state.won[0].tolist()
        out = [batch.seat_mark(0, seat, "out").any() for seat in range(self.rules.seats)]
        left = [str(seat) for seat, (now, before) in enumerate(zip(out, self._out, strict=True)) if now and not before]
        self._out = out
        leaving = f" ({' and '.join(left)} out)" if left and action != "fold" else ""
        return leaving + (f" → seat {trick[0]}, {counted(trick[1], 'point')}" if trick else "")

    def _hands_as_dealt(self) -> list[str]:
        """Every seat's cards before anything was said, from the pack (RULES 5)."""
        t, dealer = tables_of(self.rules), int(self.record["dealer"])
        places: list[list[int]] = np.concatenate([t.deal_positions, t.widow_positions], axis=1).tolist()
        from_eldest = [[self._pack[position] for position in positions] for positions in places]
        hands = [from_eldest[(seat - dealer - 1) % self.rules.seats] for seat in range(self.rules.seats)]
        return self._hands("Hands as dealt", hands)

    def _hands(self, title: str, hands: Sequence[Iterable[int]]) -> list[str]:
        lines = [title]
        for seat, hand in enumerate(hands):
            lines.append(_entry(f"  seat {seat}", cards_text(hand, self.rules, self._trump)))
        return lines

    def _result(self) -> list[str]:
        record, winner = self.record, self.record["winner"]
        lines = [
            _entry("Points", _numbers(record["points"])),
            _entry("Score", f"{_changes(record['score_change'])} gives {_numbers(record['scores_after'])}"),
        ]
        if winner is not None:
            lines.append(_entry("Match", f"{_side_name(self.rules, winner)} won"))
        return lines


def trick_won(batch: Batch, row: int, before: Sequence[int]) -> tuple[int, int] | None:
    """Who has won a trick, and its points, since ``state.won`` of a game was ``before`` (a card set a seat)."""
    trump = int(batch.state.trump[row])
    won: list[int] = batch.state.won[row].tolist()
    winners = [seat for seat, cards in enumerate(won) if cards != before[seat]]
    points = sum(
        int(batch.tables.trick_points[trump, card]) for seat in winners for card in to_cards(won[seat] ^ before[seat])
    )
    return (winners[0], points) if winners else None


_SECTIONS = {
    "dark": "In the dark",
    "bid": "Auction",
    "trump": "Trumps",
    "give": "Given",
    "discard": "Laid aside",
    "rob": "Robbed",
    "call": "Called",
}
"""The heading of what a phase's steps tell, before the play."""


def told(phase: str, action: str) -> tuple[str, bool]:
    """An action as a person says it after the seat's number, and whether it is no more than a card."""
    if action in _WORDS:
        return _WORDS[action], False
    if phase in ("bid", "dark"):
        return ("passes" if action == "pass" else f"bids {bid_text(action)}"), False
    if action in SUITS:
        return f"names {SUIT_SYMBOLS[SUITS.index(action)]}", False
    if action not in CARD_NAMES:
        return action, False
    card = card_text(CARD_NAMES.index(action))
    verb = {"bury": "buries ", "call": "calls "}.get(phase, "")
    return verb + card, not verb


_WORDS = {
    "done": "is done",
    "fold": "folds",
    "misdeal": "calls a misdeal",
    "concede": "concedes",
    "alone": "plays alone",
}


def _sentence(events: Iterable[_Event]) -> str:
    """Steps one after the other; the cards that a seat takes in a row before the play stand behind one number."""
    sentence = ""
    before: _Event | None = None
    for event in events:
        joined = before is not None and before.joins and event.joins and before.seat == event.seat
        if joined:
            sentence += f" {event.told}"
        else:
            sentence += f"{', ' if before else ''}{event.seat} {event.told}"
        before = event
    return sentence


# --- small things


def _numbers(values: Iterable[int]) -> str:
    """``"9 : 5"``."""
    return " : ".join(str(value) for value in values)


def _changes(values: Sequence[int]) -> str:
    """``"+9 : -7"``."""
    return " : ".join(f"{value:+d}" for value in values)


def _side_name(rules: Rules, side: int) -> str:
    return f"Seats {side} and {side + 2}" if rules.sides == 2 else f"Seat {side}"


def counted(number: int, thing: str) -> str:
    """``"1 point"``, ``"2 points"``."""
    return f"{number} {thing}{'' if number == 1 else 's'}"


def spread(left: str, right: str, width: int = WIDTH) -> str:
    """Text at both ends of a line, or in two lines where it does not fit."""
    if len(left) + len(right) + 2 > width:
        return f"{left}\n{right:>{width}}"
    return left + right.rjust(width - len(left))


def _centred(text: str) -> list[str]:
    return [line.center(WIDTH) for line in textwrap.wrap(text, WIDTH)] or [""]
