"""Positions as options of a reset: ``{"pack", "dealer", "scores", "actions"}``, each of which may be left out.

- ``"pack"``: the variant's cards, top first, by name (``"TH"``) or number; left out, the pack that the seed deals.
- ``"dealer"``: a seat; left out, the first dealer of the match.
- ``"scores"``: the match scores before the deal, one a side (a seat where there are no fixed sides); left out, 0.
- ``"actions"``: the actions so far, of all seats, names as in records or numbers; left out, none.

They are looked at before anything is changed: ``ValueError`` (``IllegalAction``) names key, value and what is right.
"""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, cast

import numpy as np

from pedro_env.actions import Phase
from pedro_env.cards import CARD_NAMES, NONE, card_name
from pedro_env.engine import SCORE_LIMIT, Batch, IllegalAction

KEYS = ("pack", "dealer", "scores", "actions")


def check_keys(options: Mapping[str, Any], known: Sequence[str]) -> None:
    """Raise ``ValueError`` where an option has no meaning.

    PettingZoo's own conformance test passes ``{"options": 1}`` and expects it to be taken: that key is let through.
    """
    for name in options:
        if name not in known and name != "options":
            raise ValueError(f"options has no key {name!r}; it has {', '.join(map(repr, known))}")


def whole(name: str, value: Any, room: int = 1) -> int:
    """A number that seeds and matches may have, with ``room - 1`` more above it: 0 … 2**63 - ``room``."""
    number = _index(value, NONE)
    if not 0 <= number <= 2**63 - room:
        raise ValueError(f"{name} cannot be {value!r}; it is a whole number from 0 to 2**63 - {room}")
    return number


def set_up(batch: Batch, options: Mapping[str, Any]) -> None:
    """Set up the position of some options in the one game of a batch, which has been begun with its seed and match.

    Raises ``ValueError`` (``IllegalAction`` for an action that is not legal); the batch is then of no more use.
    """
    state = batch.state
    pack = _pack(batch, options["pack"]) if "pack" in options else state.pack[0].tolist()
    dealer = _seat(batch, options["dealer"]) if "dealer" in options else int(state.dealer[0])
    scores = _scores(batch, options["scores"]) if "scores" in options else [0] * batch.rules.sides
    actions = _list("actions", options.get("actions", ()), "the actions so far")
    batch.set_position(0, pack, dealer, scores)
    for number, action in enumerate(actions, 1):
        where = f"options['actions']: action {number} ({action!r})"
        if batch.over[0]:
            raise ValueError(f"{where} comes after the end of the deal; leave out what follows the deal's last action")
        _take(batch, action, where)
    if batch.over[0]:
        raise ValueError(f"options['actions'] end the deal after action {len(actions)}; leave somebody a decision")


def _take(batch: Batch, action: Any, where: str) -> None:
    """Take one action, a name or a number, if it is legal."""
    phase = Phase(batch.phase[0])
    mask = batch.mask()[0]
    if isinstance(action, str):
        number = batch.actions.ids.get((phase in (Phase.BID, Phase.DARK), action), NONE)
    else:
        number = _index(action, NONE)
    if not 0 <= number < len(mask) or not mask[number]:
        legal = ", ".join(name for name, is_legal in zip(batch.actions.names, mask, strict=True) if is_legal)
        raise IllegalAction(f"{where} is not legal in phase {phase.word}, seat {batch.to_act[0]}; legal are {legal}")
    batch.step(np.array([number]))


def _pack(batch: Batch, value: Any) -> list[int]:
    cards = [_card(card) for card in _list("pack", value, "the cards, top first")]
    wanted = batch.tables.pack.tolist()
    for card, times in Counter(cards).items():
        if card not in wanted:
            raise ValueError(f"options['pack'] has {card_name(card)}, which is not in the pack of {_name(batch)}")
        if times > 1:
            raise ValueError(f"options['pack'] has {card_name(card)} {times} times; each card is there once")
    missing = sorted(set(wanted) - set(cards))
    if missing:
        names = " ".join(card_name(card) for card in missing[:5]) + (" …" if len(missing) > 5 else "")
        raise ValueError(
            f"options['pack'] has {len(cards)} cards; the pack of {_name(batch)} has {len(wanted)}: {names} missing"
        )
    return cards


def _card(value: Any) -> int:
    if isinstance(value, str):
        number = CARD_NAMES.index(value) if value in CARD_NAMES else NONE
    else:
        number = _index(value, NONE)
    if not 0 <= number < len(CARD_NAMES):
        raise ValueError(f"options['pack'] has {value!r}, which is no card; a card is a name ('TH', 'XB') or a number")
    return number


def _seat(batch: Batch, value: Any) -> int:
    seat = _index(value, NONE)
    if not 0 <= seat < batch.rules.seats:
        raise ValueError(f"options['dealer'] cannot be {value!r}; it is a seat from 0 to {batch.rules.seats - 1}")
    return seat


def _scores(batch: Batch, value: Any) -> list[int]:
    sides = batch.rules.sides
    numbers = [_index(score, SCORE_LIMIT + 1) for score in _list("scores", value, f"{sides} numbers")]
    if len(numbers) != sides or not all(-SCORE_LIMIT <= number <= SCORE_LIMIT for number in numbers):
        raise ValueError(
            f"options['scores'] cannot be {value!r}; they are {sides} whole numbers "
            f"from {-SCORE_LIMIT} to {SCORE_LIMIT}"
        )
    return numbers


def _list(name: str, value: Any, meaning: str) -> list[Any]:
    if isinstance(value, (str, bytes, Mapping)) or not hasattr(value, "__iter__"):
        raise ValueError(f"options[{name!r}] cannot be {value!r}; it is a list: {meaning}")
    return list(cast("Sequence[Any]", value))


def _index(value: Any, otherwise: int) -> int:
    try:
        return operator.index(value)
    except TypeError:
        return otherwise


def _name(batch: Batch) -> str:
    return repr(batch.rules.variant)
