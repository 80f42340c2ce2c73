"""The choices of one decision: how they are listed, and which of them typed text means."""

from __future__ import annotations

import re
from collections import Counter

from pedro_env.actions import FIRST_BID, FIRST_SUIT, PASS, Actions, Phase
from pedro_env.cards import BIG_JOKER, CARD_NAMES, N_CARDS, N_SUITS, NONE, SUIT_SYMBOLS, SUITS
from pedro_env.render import bid_text, card_text, suits_text
from pedro_env.rules import Rules

SUIT_WORDS = ("spades", "hearts", "diamonds", "clubs")
MOST_BIDS = 10
"""More bids in a row than so many are listed as a range."""

TITLES = {
    Phase.DARK: "Bid in the dark",
    Phase.BID: "Bid",
    Phase.TRUMP: "Name trumps",
    Phase.GIVE: "Give away",
    Phase.DISCARD: "Lay aside",
    Phase.ROB: "Take",
    Phase.CALL: "Call",
    Phase.BURY: "Bury",
    Phase.PLAY: "Play",
}
"""What is chosen in a phase."""

_HELD = (Phase.GIVE, Phase.DISCARD, Phase.BURY, Phase.PLAY)
"""Phases in which a card is chosen from the own hand."""
_AUCTION = (Phase.DARK, Phase.BID)
_TYPED = str.maketrans("♠♤♥♡♦♢♣♧", "sshhddcc", " \t\ufe0e\ufe0f")
"""Symbols of suits to letters; no spaces, and no marks that say how a symbol is to be drawn."""


class NotAChoice(ValueError):
    """What was typed cannot be taken: one line that says why."""


class Choices:
    """The legal actions of a seat's decision."""

    def __init__(
        self, rules: Rules, actions: Actions, phase: Phase, legal: list[int], hand: list[int], trump: int, led: int
    ) -> None:
        """``legal``: numbers of actions, ascending; ``hand``: the seat's cards; suits are -1 where there are none."""
        self.rules, self.actions, self.phase, self.legal = rules, actions, phase, legal
        self.hand, self.trump, self.led = hand, trump, led

    @property
    def title(self) -> str:
        """What is to be chosen: ``"Play"``."""
        return TITLES[self.phase]

    # --- listing

    def parts(self) -> list[str]:
        """The choices by name: cards by suit, trumps first; pass and bids; suits; words."""
        cards = [action for action in self.legal if action < N_CARDS]
        suits = [action - FIRST_SUIT for action in self.legal if FIRST_SUIT <= action < PASS]
        words = [action for action in self.legal if action >= FIRST_BID + len(self.actions.bids)]
        return [
            *(f"{suit} {ranks}".strip() for suit, ranks in suits_text(cards, self.rules, self.trump)),
            *(f"{SUIT_SYMBOLS[suit]} {SUIT_WORDS[suit]}" for suit in suits),
            *(["pass"] if PASS in self.legal else []),
            *self._bids(),
            *(self.actions.names[action] for action in words),
        ]

    def _bids(self) -> list[str]:
        """Bids one by one; many numbers in a row, with all suits where bids name them, as a range."""
        bids = self.actions.bids
        legal = [bids[action - FIRST_BID] for action in self.legal if FIRST_BID <= action < FIRST_BID + len(bids)]
        numbered = [bid for bid in legal if bid.suit != NONE or bid.name == str(bid.number)]
        suits = Counter(bid.number for bid in numbered)
        whole = [number for number in suits if suits[number] == (N_SUITS if self.rules.bid_names_suit else 1)]
        if len(numbered) <= MOST_BIDS or whole != list(range(whole[0], whole[-1] + 1)):
            return [bid_text(bid.name) for bid in legal]
        apart = [bid_text(bid.name) for bid in numbered if bid.number not in whole]
        words = [bid.name for bid in legal if bid not in numbered]
        any_suit = f" with {' '.join(SUIT_SYMBOLS)}" if self.rules.bid_names_suit else ""
        return [*apart, f"{whole[0]} to {whole[-1]}{any_suit}", *words]

    def name(self, action: int) -> str:
        """An action as the person reads it: ``"T♥"``, ``"hearts"``, ``"9"``."""
        if action < N_CARDS:
            return card_text(action)
        if action < PASS:
            return SUIT_WORDS[action - FIRST_SUIT]
        return bid_text(self.actions.names[action])

    # --- typing

    def parse(self, text: str) -> int:
        """The choice that typed text means. Raises ``NotAChoice``."""
        typed = self._typed(text)
        if not typed:
            if len(self.legal) == 1:
                return self.legal[0]
            raise NotAChoice("There is more than one choice; type one of them.")
        found = _find(typed, {action: self._spellings(action) for action in self.legal})
        if len(found) == 1:
            return found[0]
        if found:
            raise NotAChoice(f"That could be {self._names(found, 'or')}.")
        raise NotAChoice(self._why_not(typed))

    def _typed(self, text: str) -> str:
        typed = text.lower().translate(_TYPED)
        return typed if self.phase in _AUCTION else re.sub(r"^10", "t", typed)

    def _kind(self) -> list[int]:
        """All actions of the auction, or all others: what is known by name in this phase, legal or not."""
        return [
            number for (in_auction, _), number in self.actions.ids.items() if in_auction == (self.phase in _AUCTION)
        ]

    def _spellings(self, action: int) -> tuple[str, ...]:
        name = self.actions.names[action].lower()
        if FIRST_SUIT <= action < PASS:
            return name, SUIT_WORDS[action - FIRST_SUIT]
        return (name, "joker") if action == BIG_JOKER else (name,)

    def _why_not(self, typed: str) -> str:
        """Why text that fits no choice fits none."""
        known = _find(typed, {action: self._spellings(action) for action in self._kind()})
        if known and max(known) < N_CARDS and self.phase in _HELD:
            held = [card for card in known if card in self.hand]
            if not held:
                return "You hold no such card." if len(known) > 1 else f"You do not hold {self.name(known[0])}."
            led = f": {SUIT_SYMBOLS[self.led]} was led" if self.phase == Phase.PLAY and self.led != NONE else ""
            return f"{self._names(held, 'and')} cannot be chosen now{led}."
        if len(known) == 1:
            return f"{self.name(known[0])} cannot be chosen now."
        if self.phase in _AUCTION and (typed.upper() in CARD_NAMES or typed.upper() in SUITS):
            return "A card or suit is not asked for now."
        return "That is none of the choices; type help for what you can type."

    def _names(self, actions: list[int], joint: str) -> str:
        names = [self.name(action) for action in actions]
        return f" {joint} ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def _find(typed: str, spellings: dict[int, tuple[str, ...]]) -> list[int]:
    """The actions that are spelled so; where there is none, those whose spelling begins so."""
    exact = [action for action, texts in spellings.items() if typed in texts]
    return exact or [action for action, texts in spellings.items() if any(_begins(text, typed) for text in texts)]


def _begins(text: str, start: str) -> bool:
    """Whether a text begins so; a number counts as a whole (``1`` does not begin ``14``)."""
    return text.startswith(start) and not (start[-1:].isdigit() and text[len(start) : len(start) + 1].isdigit())
