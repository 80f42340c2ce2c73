"""The network: renaming suits, masks, and what its answers depend on."""

from __future__ import annotations

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from agents.choice import count_legal, nth_legal  # noqa: E402
from agents.network import ILLEGAL, PLACES, NetworkShape, PolicyValueNetwork, masked  # noqa: E402
from pedro_env.actions import actions_of  # noqa: E402
from pedro_env.cards import N_RANKS, card_id, sister_suit  # noqa: E402
from pedro_env.engine import Batch  # noqa: E402
from pedro_env.layout import layout_of  # noqa: E402
from pedro_env.rules import Rules  # noqa: E402
from pedro_env.variants import VARIANTS, make_rules  # noqa: E402

NEW_SUITS = [tuple(int(i) for i in np.argsort(places)) for places in PLACES]


def positions(rules: Rules, n: int = 60, seed: int = 3) -> tuple[torch.Tensor, torch.Tensor]:
    """Observations and masks of random decisions in all phases."""
    batch, rng = Batch(rules, seed, np.arange(n), validate=False), np.random.default_rng(seed)
    seen, masks = [], []
    while not batch.over.all():
        rows = np.flatnonzero(~batch.over)
        seen.append(batch.observe(rows))
        masks.append(batch.mask(rows))
        words = batch.legal()[rows]
        choice = (rng.random(len(rows)) * count_legal(words)).astype(np.int64)
        batch.step(nth_legal(words, choice), rows)
    return torch.from_numpy(np.concatenate(seen)), torch.from_numpy(np.concatenate(masks))


def network_for(rules: Rules, seed: int = 1) -> PolicyValueNetwork:
    network = PolicyValueNetwork(layout_of(rules), NetworkShape(32, 2), seed).eval()
    torch.nn.init.normal_(network.policy.weight, generator=torch.Generator().manual_seed(seed))
    return network


def test_places_keep_sister_suits_together():
    assert len(set(PLACES)) == 8
    for places in PLACES:
        assert sorted(places) == [0, 1, 2, 3]
        assert places[3] == sister_suit(places[0])
        assert places[2] == sister_suit(places[1])


@pytest.mark.parametrize("variant", VARIANTS)
def test_renamed_game_gets_the_same_answers_under_the_new_names(variant):
    rules = make_rules(variant)
    layout = layout_of(rules)
    network = network_for(rules)
    observation, mask = positions(rules, n=20)
    with torch.inference_mode():
        logits = network(observation, mask)
        _, columns = network.order(observation)
        told_apart = _tells_all_suits_apart(layout, observation)
        for new_suit in NEW_SUITS:
            renamed = observation[:, torch.from_numpy(layout.relabelled_columns(new_suit))]
            actions = torch.from_numpy(layout.relabelled_actions(new_suit))
            _, renamed_columns = network.order(renamed)
            # Always the same input to the perceptron …
            assert torch.equal(renamed_columns, columns)
            # … and the same logits, except where a renaming leaves the observation as it is.
            expected = logits[:, actions]
            assert torch.equal(network(renamed, mask[:, actions])[told_apart], expected[told_apart])
    assert told_apart.float().mean() > 0.5


def _tells_all_suits_apart(layout, observation):
    others = [torch.from_numpy(layout.relabelled_columns(s)) for s in NEW_SUITS if s != (0, 1, 2, 3)]
    same = torch.stack([(observation[:, columns] == observation).all(1) for columns in others])
    return ~same.any(0)


@pytest.mark.parametrize("variant", sorted(VARIANTS))
def test_every_variant_has_a_network(variant):
    rules = make_rules(variant)
    layout = layout_of(rules)
    network = network_for(rules)
    rng = np.random.default_rng(0)
    observation = np.zeros((16, layout.width), np.uint8)
    observation[:, layout.columns] = rng.random((16, len(layout.columns))) < 0.1
    mask = torch.from_numpy(rng.random((16, actions_of(rules).n)) < 0.3)
    mask[:, 0] = True
    observation = torch.from_numpy(observation)
    choice, columns = network.order(observation)
    for i, row in enumerate(choice.tolist()):
        by_layout = observation[i, layout.relabelled_columns(NEW_SUITS[row])][network.used]
        assert torch.equal(columns[i], by_layout)
    logits = network(observation, mask)
    assert logits.shape == mask.shape
    assert torch.isfinite(logits).all()


def test_trump_comes_first_and_the_best_suit_before_trumps():
    rules = make_rules("pedro")
    layout = layout_of(rules)
    network = network_for(rules)
    observation = np.zeros((4, layout.width), np.uint8)
    hand, trump = layout.slices["hand"].start, layout.slices["trump"].start

    def deal(row: int, *cards: tuple[int, str]) -> None:
        for suit, rank in cards:
            observation[row, hand + card_id(suit, rank)] = 1

    deal(0, (0, "A"), (2, "3"), (2, "4"))  # more cards before higher ones
    deal(1, (0, "Q"), (1, "K"))  # equally many: the higher ones
    deal(2, (0, "A"), (1, "A"), (2, "2"))  # equal too: the one whose sister suit is better
    deal(3, (0, "A"), (0, "K"))
    observation[3, trump + 1] = 1  # the trump suit, whatever the hand is
    choice, columns = network.order(torch.from_numpy(observation))
    assert [PLACES[i][0] for i in choice.tolist()] == [2, 1, 1, 1]
    place = network.used.tolist().index(hand)
    first = columns[:, place : place + N_RANKS]
    assert first.sum(1).tolist() == [2, 1, 1, 0]
    assert PLACES[int(choice[3])][1] == 0  # of the other two, the one with the cards


def test_masks_rename_there_and_back():
    rules = make_rules("oregon")
    network = network_for(rules)
    rng = np.random.default_rng(2)
    choice = torch.arange(8)
    logits = torch.from_numpy(rng.random((8, actions_of(rules).n)))
    order = network.order
    assert torch.equal(order.restore_logits(order.rename_mask(logits, choice), choice), logits)
    actions = torch.from_numpy(rng.integers(0, logits.shape[1], 8))
    renamed = order.rename_mask(logits, choice)
    value = renamed.gather(1, actions[:, None]).squeeze(1)
    back = order.restore_actions(actions, choice)
    assert torch.equal(logits.gather(1, back[:, None]).squeeze(1), value)


def test_illegal_actions_are_finite_and_impossible():
    logits = torch.tensor([[50.0, -50.0, 3.0], [1.0, 2.0, 3.0]])
    mask = torch.tensor([[0, 1, 0], [1, 1, 0]], dtype=torch.int8)
    out = masked(logits, mask)
    assert torch.equal(out == ILLEGAL, mask == 0)
    assert torch.softmax(out, 1)[0].tolist() == [0.0, 1.0, 0.0]


def test_scores_never_seen_change_nothing():
    """A policy that has been trained at 0–0 is not disturbed by the bits of other scores."""
    rules = make_rules("pedro")
    layout = layout_of(rules)
    network = network_for(rules)
    observation, mask = positions(rules, 4)
    other = observation.clone()
    other[:, layout.slices["score_0"]] = 1
    assert torch.equal(network(observation, mask), network(other, mask))


def test_same_seed_same_weights():
    layout = layout_of(make_rules("pedro"))
    a, b, c = (PolicyValueNetwork(layout, NetworkShape(16, 1), seed).state_dict() for seed in (1, 1, 2))
    assert all(torch.equal(a[name], b[name]) for name in a)
    assert not torch.equal(a["hidden.0.weight"], c["hidden.0.weight"])
