"""Helpers of the tests: positions set up by hand, play by names, random packs with lopsided trumps."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np

from pedro_env.actions import FIRST_SUIT, PASS, Phase
from pedro_env.cards import SUITS, card_name, parse_card
from pedro_env.cardset import to_cards
from pedro_env.engine import Batch
from pedro_env.rules import Rules
from pedro_env.state import State
from pedro_env.tables import tables_of
from pedro_env.variants import make_rules


def cards(text: str) -> list[int]:
    """``"AS TH"`` to card numbers."""
    return [parse_card(name) for name in text.split()]


def names(card_set: int | np.uint64) -> set[str]:
    """A card set to card names."""
    return {card_name(card) for card in to_cards(card_set)}


def zones_of(rules: Rules, dealer: int) -> dict[int | str, list[int]]:
    """Positions in the pack of each seat's cards in the order dealt, of the ``"kitty"`` and of the ``"stock"``."""
    t = tables_of(rules)
    zones: dict[int | str, list[int]] = {
        (dealer + 1 + place) % rules.seats: positions for place, positions in enumerate(t.deal_positions.tolist())
    }
    zones["kitty"] = list(range(t.deal_positions.size, t.deal_positions.size + rules.kitty))
    zones["stock"] = list(range(t.stock_start, len(t.pack)))
    return zones


def stacked_pack(rules: Rules, dealer: int, zones: Mapping[int | str, str], *, trump: str = "S") -> list[int]:
    """A pack that deals given cards: by seat (in the order dealt), ``"kitty"`` and ``"stock"`` (top first).

    The places that are left are filled with cards that are no trumps under ``trump``, as far as there are any.
    """
    t = tables_of(rules)
    named = {zone: cards(text) for zone, text in zones.items()}
    used = [card for group in named.values() for card in group]
    assert len(set(used)) == len(used), "a card is named twice"
    is_trump = t.suit_of[SUITS.index(trump)] == SUITS.index(trump)
    rest = sorted(set(t.pack.tolist()) - set(used), key=lambda card: (bool(is_trump[card]), card))
    pack = [-1] * len(t.pack)
    for zone, positions in zones_of(rules, dealer).items():
        group = named.get(zone, [])
        assert len(group) <= len(positions), f"too many cards for {zone}"
        group += [rest.pop(0) for _ in range(len(positions) - len(group))]
        for position, card in zip(positions, group, strict=True):
            pack[position] = card
    return pack


def lopsided_pack(rules: Rules, dealer: int, trump: int, rng: np.random.Generator) -> list[int]:
    """A random pack in which the trumps of one suit lie in few places: what is rare in other packs is common here."""
    t = tables_of(rules)
    zones = [positions for positions in zones_of(rules, dealer).values() if positions]
    free = [rng.permutation(positions).tolist() for positions in zones]
    weights = rng.dirichlet(np.full(len(zones), 0.3)) + 1e-6
    pack = np.full(len(t.pack), -1)
    is_trump = t.suit_of[trump, t.pack] == trump
    for card in rng.permutation(t.pack[is_trump]):
        room = np.array([weight * bool(places) for weight, places in zip(weights, free, strict=True)])
        pack[free[rng.choice(len(zones), p=room / room.sum())].pop()] = card
    pack[pack < 0] = rng.permutation(t.pack[~is_trump])
    return pack.tolist()


def one_game(rules: Rules, pack: Sequence[int], dealer: int = 3, scores: Sequence[int] | None = None) -> Batch:
    """A batch of one game with a given pack."""
    batch = Batch(rules)
    batch.set_position(0, pack, dealer, [0] * rules.sides if scores is None else scores)
    return batch


def phase(batch: Batch) -> str:
    """What the (first) game asks for: ``"bid"``."""
    return Phase(batch.phase[0]).word


def seat(batch: Batch) -> int:
    """The seat to act in the (first) game."""
    return int(batch.to_act[0])


def legal(batch: Batch) -> set[str]:
    """The names of what is legal in the (first) game."""
    return {batch.actions.names[action] for action in np.flatnonzero(batch.mask()[0])}


def hand(batch: Batch, of: int) -> set[str]:
    """A seat's cards in the (first) game."""
    return names(batch.state.hand[0, of])


def do(batch: Batch, actions: str | Iterable[str]) -> Batch:
    """Take some actions, by name, in the (first) game."""
    for name in actions.split() if isinstance(actions, str) else actions:
        batch.step(np.array([batch.actions.parse(name, Phase(batch.phase[0]))]))
    return batch


def random_actions(batch: Batch, rng: np.random.Generator, trumps: np.ndarray | None = None) -> np.ndarray:
    """A random legal action for each game, -1 where the deal is over; in an auction every other one is a pass.

    ``trumps`` are suits that shall be named where a suit is asked for.
    """
    mask = batch.mask()
    draws = rng.random(mask.shape) * mask
    actions = np.where(mask.any(axis=1), draws.argmax(axis=1), -1)
    passing = mask[:, PASS] & (rng.random(batch.n) < 0.5)
    actions[passing] = PASS
    if trumps is not None:
        wanted = FIRST_SUIT + trumps
        naming = (batch.phase == Phase.TRUMP) & mask[np.arange(batch.n), wanted]
        actions[naming] = wanted[naming]
    return actions


def random_deals(variant: str, seed: int, n: int = 8) -> tuple[Batch, np.random.Generator, np.ndarray]:
    """n games about to begin, every other one with a lopsided pack; a generator; the suits to be named."""
    rules = make_rules(variant)
    rng = np.random.default_rng(seed)
    trumps = rng.integers(4, size=n)
    batch = Batch(rules, seed, np.arange(n))
    for row in range(0, n, 2):
        dealer = int(rng.integers(rules.seats))
        lowest = rules.floor + 1 if rules.floor else -rules.target
        scores = rng.integers(lowest, rules.target + 3, size=rules.sides).tolist()
        batch.set_position(row, lopsided_pack(rules, dealer, int(trumps[row]), rng), dealer, scores)
    return batch, rng, trumps


def decisions(variant: str, seed: int, n: int = 8) -> Iterator[Batch]:
    """Random deals (``random_deals``) played to the end; yields the batch before every step, and when all are over."""
    batch, rng, trumps = random_deals(variant, seed, n)
    while True:
        yield batch
        if batch.over.all():
            return
        batch.step(random_actions(batch, rng, trumps))


def columns(state: State, rows: slice | np.ndarray = slice(None)) -> dict[str, np.ndarray]:
    """Copies of all columns of a state."""
    return {name: getattr(state, name)[rows].copy() for name in State.__annotations__}


def same(a: Mapping[str, np.ndarray], b: Mapping[str, np.ndarray], leave_out: Iterable[str] = ()) -> None:
    """Fail where two tables of columns differ, and name the column."""
    assert a.keys() == b.keys()
    for name in a.keys() - set(leave_out):
        np.testing.assert_array_equal(a[name], b[name], err_msg=name)
