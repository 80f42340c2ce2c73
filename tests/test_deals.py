"""Packs and first dealers: functions of seed, match and deal, and as good as random (RULES 7.1)."""

from __future__ import annotations

import numpy as np
import pytest

from pedro_env.actions import PASS
from pedro_env.cards import N_CARDS
from pedro_env.deals import first_dealers, shuffled_packs, uniform
from pedro_env.engine import Batch
from pedro_env.tables import tables_of
from pedro_env.variants import VARIANTS, make_rules
from tests.support import columns, random_actions, same

PACK = tables_of(make_rules("pedro")).pack


def assert_uniform(counts: np.ndarray, freedom: int) -> None:
    """A chi-square test against equal counts, five standard deviations wide on both sides."""
    expected = counts.sum() / counts.size
    chi_square = float(((counts - expected) ** 2 / expected).sum())
    assert abs(chi_square - freedom) < 5 * np.sqrt(2 * freedom), (chi_square, freedom)


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_deal_is_the_same_wherever_it_is_dealt(variant: str) -> None:
    """In any batch and row, whatever was played before; with the whole pack, each card once."""
    rules = make_rules(variant)
    pack = tables_of(rules).pack
    batch, rng = Batch(rules, 17, [5, 2]), np.random.default_rng(0)
    for deal in range(3):
        expected = shuffled_packs(pack, 17, np.array([5, 2]), np.array([deal, deal]))
        assert (batch.state.pack == expected).all()
        assert (np.sort(expected, axis=1) == np.sort(pack)).all()
        dealers = (first_dealers(rules.seats, 17, np.array([5, 2])) + deal) % rules.seats
        assert batch.state.dealer.tolist() == dealers.tolist()
        while not batch.over.all():
            batch.step(random_actions(batch, rng))
        if batch.match_over.any():
            return
        batch.next_deal(np.array([0, 1]))
    batch.restart(np.array([1]), np.array([5]))
    alone = Batch(rules, 17, [5])
    assert (batch.state.pack[1] == alone.state.pack[0]).all()
    assert batch.state.dealer[1] == alone.state.dealer[0]
    assert batch.state.scores[1].tolist() == [0] * rules.sides


def test_seed_match_and_deal_each_change_the_pack() -> None:
    packs = {
        shuffled_packs(PACK, seed, np.array([match]), np.array([deal]))[0].tobytes()
        for seed in (0, 1, 2, -1, 2**63, 2**64 - 2, 10**30)
        for match in (0, 1, 2, 2**40)
        for deal in range(4)
    }
    assert len(packs) == 7 * 4 * 4
    same = shuffled_packs(PACK, -1, np.array([0]), np.array([0]))
    assert (same == shuffled_packs(PACK, 2**64 - 1, np.array([0]), np.array([0]))).all()


def test_a_known_pack() -> None:
    """These must never change: records, evaluations and training runs depend on them."""
    pack = shuffled_packs(PACK, 7, np.array([3]), np.array([2]))[0]
    assert pack[:12].tolist() == KNOWN_PACK
    assert first_dealers(4, 7, np.arange(16)).tolist() == KNOWN_DEALERS


KNOWN_PACK = [32, 35, 3, 11, 47, 25, 36, 7, 51, 27, 49, 46]
KNOWN_DEALERS = [0, 2, 3, 3, 0, 2, 0, 1, 0, 1, 3, 2, 1, 1, 2, 0]


def test_every_card_is_everywhere_equally_often() -> None:
    deals = 20_000
    for match, deal in ((np.arange(deals), np.zeros(deals, int)), (np.zeros(deals, int), np.arange(deals))):
        packs = shuffled_packs(PACK, 1, match, deal)
        counts = np.zeros((52, N_CARDS), int)
        for position in range(52):
            counts[position] = np.bincount(packs[:, position], minlength=N_CARDS)
        assert_uniform(counts[:, PACK], 51 * 51)


def test_neighbours_are_independent() -> None:
    """The first card against the second, against the last, and against the first of the next deal and the next seed."""
    deals = 100_000
    match, deal = np.zeros(deals, int), np.arange(deals)
    packs = shuffled_packs(PACK, 2, match, deal)
    others = shuffled_packs(PACK, 3, match, deal)
    for a, b, same_pack in (
        (packs[:, 0], packs[:, 1], True),
        (packs[:, 0], packs[:, 51], True),
        (packs[:-1, 0], packs[1:, 0], False),
        (packs[:, 0], others[:, 0], False),
    ):
        counts = np.bincount(a.astype(int) * 52 + b, minlength=52 * 52).reshape(52, 52)
        if same_pack:
            assert not counts.diagonal().any()
            assert_uniform(counts[~np.eye(52, dtype=bool)], 51 * 51 - 52)
        else:
            assert_uniform(counts, 52 * 52 - 1)


@pytest.mark.parametrize("seats", [4, 5, 7])
def test_first_dealers_are_uniform(seats: int) -> None:
    dealers = first_dealers(seats, 5, np.arange(40_000))
    assert_uniform(np.bincount(dealers, minlength=seats), seats - 1)
    assert_uniform(np.bincount(dealers[:-1] * seats + dealers[1:], minlength=seats**2), seats**2 - 1)


def test_random_numbers_of_decisions() -> None:
    numbers = uniform(1, 2, (np.arange(50_000), 3))
    assert numbers.min() >= 0
    assert numbers.max() < 1
    assert_uniform(np.histogram(numbers, 100, (0, 1))[0], 99)
    again = uniform(1, 2, (np.array([7, 49_999]), 3))
    assert again.tolist() == numbers[[7, 49_999]].tolist()
    assert (uniform(1, 3, (np.arange(100), 3)) != numbers[:100]).all()


def test_what_is_no_batch_and_no_step() -> None:
    with pytest.raises(TypeError, match=r"rules cannot be 'pedro'; they are Rules, as make_rules\('pedro'\)"):
        Batch("pedro")  # pyright: ignore[reportArgumentType]
    batch = Batch(make_rules("pedro"), 1, np.arange(3))
    before = batch.copy()
    for actions, rows, message in (
        ([PASS], None, r"actions must be 3 numbers, one a row, not an array of shape \(1,\)"),
        ([PASS, PASS], [0, 0], "rows must be different: row 0 is there more than once"),
        ([PASS], [True, False, False], "rows must be a list of row numbers, not an array of bool"),
    ):
        with pytest.raises(ValueError, match=message):
            batch.step(np.array(actions), None if rows is None else np.array(rows))
    same(columns(batch.state), columns(before.state))
