"""Cards and suits: their numbers, their names, and nothing about any game.

A card is a number: ``13 * suit + rank``, with suits ``S H D C`` = 0 … 3 and ranks ``2 … A`` = 0 … 12.
The big (or only) joker is 52, the small one 53. The numbers are the same in every variant.
"""

from __future__ import annotations

SUITS = "SHDC"
RANKS = "23456789TJQKA"
SUIT_SYMBOLS = "♠♥♦♣"

N_SUITS = 4
N_RANKS = 13
N_CARDS = 54
BIG_JOKER = 52
SMALL_JOKER = 53

NONE = -1
"""The value of a seat, suit, card or bid that is not there (yet)."""

CARD_NAMES: tuple[str, ...] = (*(rank + suit for suit in SUITS for rank in RANKS), "XB", "XS")
_CARD_IDS = {name: card for card, name in enumerate(CARD_NAMES)}


def sister_suit(suit: int) -> int:
    """The other suit of the same colour: spades and clubs, hearts and diamonds."""
    return 3 - suit


def card_id(suit: int, rank: str) -> int:
    """The number of a card from its suit's number and its rank's letter."""
    return N_RANKS * suit + RANKS.index(rank)


def parse_card(text: str) -> int:
    """``"TH"`` to its number. Raises ``ValueError`` that shows what a card looks like."""
    try:
        return _CARD_IDS[text]
    except KeyError:
        raise ValueError(
            f"{text!r} is not a card; a card is a rank of {RANKS} and a suit of {SUITS} ('TH'), or XB, XS"
        ) from None


def card_name(card: int) -> str:
    """The number of a card to its name, ``"TH"``."""
    return CARD_NAMES[card]
