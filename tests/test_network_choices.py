"""What a network may be instead: other inputs, suits renamed at random while learning, a critic that sees all hands."""

from __future__ import annotations

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from agents import onnx_policy  # noqa: E402
from agents.checkpoint import load_policy, save_checkpoint  # noqa: E402
from agents.config import PPO, ConfigError, from_dict  # noqa: E402
from agents.critic import hidden_cards  # noqa: E402
from agents.network import PLACES, NetworkShape, PolicyValueNetwork, masked  # noqa: E402
from agents.parallel import Group  # noqa: E402
from agents.ppo import Learner  # noqa: E402
from agents.precision import Precision  # noqa: E402
from agents.rollout import Tables, collect  # noqa: E402
from pedro_env.cards import N_CARDS  # noqa: E402
from pedro_env.cardset import to_cards  # noqa: E402
from pedro_env.engine import Batch  # noqa: E402
from pedro_env.layout import layout_of  # noqa: E402
from pedro_env.variants import make_rules  # noqa: E402
from tests.test_network import positions  # noqa: E402

pytestmark = pytest.mark.usefixtures("one_thread")

VARIANTS = ("pedro", "eighty-three", "five-handed")
SHAPES = [
    NetworkShape(16, 2, inputs="cards"),
    NetworkShape(16, 2, inputs="present"),
    NetworkShape(16, 2, inputs="untimed"),
    NetworkShape(16, 2, suits="augmented"),
    NetworkShape(16, 2, critic="perfect"),
    NetworkShape(16, 2, inputs="cards", suits="augmented", critic="perfect"),
    NetworkShape(16, 2, inputs="untimed", critic="perfect"),
]
every_shape = pytest.mark.parametrize("shape", SHAPES, ids=lambda s: f"{s.inputs}-{s.suits}-{s.critic}")


def network_for(variant: str, shape: NetworkShape) -> PolicyValueNetwork:
    network = PolicyValueNetwork(layout_of(make_rules(variant)), shape, 1).eval()
    with torch.no_grad():  # at the start all logits are near 0
        network.policy.weight.mul_(200)
        if shape.inputs == "cards":
            network.inputs.wanted.weight.mul_(100)
    return network


def collected(variant: str, network: PolicyValueNetwork, n: int = 6):
    batch = Batch(make_rules(variant), 5, np.arange(n))
    return collect(Precision().copy(network), None, [Tables(batch, 0, np.random.default_rng(1))], 0.9)[0]


@every_shape
@pytest.mark.parametrize("variant", VARIANTS)
def test_what_is_stored_is_what_the_network_says_of_it(variant, shape):
    network = network_for(variant, shape)
    decisions = collected(variant, network)
    logits, value = network.heads(decisions.columns.float(), decisions.hidden.float())
    chosen = torch.log_softmax(masked(logits, decisions.mask), 1).gather(1, decisions.action[:, None]).squeeze(1)
    torch.testing.assert_close(decisions.log_probability, chosen, atol=1e-4, rtol=0)
    torch.testing.assert_close(decisions.value, value, atol=1e-4, rtol=0)
    assert decisions.hidden.shape[1] == network.hidden_width


@every_shape
def test_learning_changes_every_weight_that_counts(shape):
    network = network_for("pedro", shape)
    before = {name: value.clone() for name, value in network.state_dict().items()}
    Learner(network, PPO(minibatch=64), Precision(), Group()).update(
        collected("pedro", network), 0.0, np.random.default_rng(0)
    )
    unchanged = {name for name, value in network.state_dict().items() if torch.equal(value, before[name])}
    assert unchanged == ({"value.weight", "value.bias"} if shape.critic == "perfect" else set())


@every_shape
@pytest.mark.parametrize("variant", VARIANTS)
def test_a_file_brings_back_the_network(variant, shape, tmp_path):
    network = network_for(variant, shape)
    save_checkpoint(tmp_path, network, {}, {}, {"counters": {"decisions": 1}}, keep=1)
    read = load_policy(tmp_path, make_rules(variant)).network
    observation, mask = positions(make_rules(variant), 8)
    assert read.shape == shape
    assert torch.equal(read(observation, mask), network(observation, mask))


@pytest.mark.parametrize("shape", SHAPES[:3], ids=lambda s: s.inputs)
def test_the_exported_file_computes_the_same(shape):
    pytest.importorskip("onnxruntime")
    export = pytest.importorskip("agents.export")
    pytest.importorskip("onnxscript")
    network = network_for("pedro", shape)
    model = export._graph(network)
    session = onnx_policy.open_session(model.SerializeToString(), None)
    observation, mask = (values.numpy() for values in positions(make_rules("pedro"), 8))
    with torch.inference_mode():
        wanted = network(torch.from_numpy(observation), torch.from_numpy(mask)).numpy()
    for size in (1, 5, len(mask)):
        got = onnx_policy.run(session, observation[:size], mask[:size])
        np.testing.assert_allclose(got, wanted[:size], atol=1e-4)


def test_without_history_nothing_depends_on_it():
    """Who played what in which trick, who bid what, and who showed a void: all of it may be otherwise."""
    rules = make_rules("pedro")
    layout = layout_of(rules)
    observation, mask = positions(rules, 30)
    other = observation.clone()
    history = [
        f for f in layout.fields if f.name.rpartition("_")[0] in ("trick_bit", "bid", "passed", "void", "declined")
    ]
    for field in history:
        other[:, field.slice] = 1 - other[:, field.slice]
    shown = [layout.slices[f"shown_{seat}"] for seat in range(4)]
    for a, b in zip(shown, shown[1:] + shown[:1], strict=True):
        other[:, a] = observation[:, b]  # played by somebody else
    present, whole = (network_for("pedro", NetworkShape(16, 2, inputs=kind)) for kind in ("present", "columns"))
    choice = torch.zeros(len(mask), dtype=torch.int64)
    with torch.inference_mode():
        for network, same in ((present, True), (whole, False)):
            logits = [
                network.heads(network.order.rename(seen, choice).float(), torch.zeros(len(mask), 0))[0]
                for seen in (observation, other)
            ]
            assert torch.equal(*logits) == same
            other_gone = observation.clone()
            other_gone[:, layout.slices["shown_1"]] = 1
            gone = network.heads(network.order.rename(other_gone, choice).float(), torch.zeros(len(mask), 0))[0]
            assert not torch.equal(gone, logits[0])


@pytest.mark.parametrize("variant", VARIANTS)
def test_untimed_is_all_but_in_which_trick_a_card_was_played(variant):
    layout = layout_of(make_rules(variant))
    untimed = PolicyValueNetwork(layout, NetworkShape(16, 2, inputs="untimed"), 1)
    columns = untimed.order.columns[0].tolist()  # the suits as they are
    assert columns == untimed.used.tolist()
    left_out = set(layout.columns.tolist()) - set(columns)
    times = [f for f in layout.fields if f.name.startswith("trick_bit_")]
    assert len(times) == 3
    assert left_out == {column for field in times for column in range(field.start, field.start + field.width)}
    assert set(columns) < set(layout.columns.tolist())


@pytest.mark.parametrize("variant", VARIANTS)
def test_hidden_cards_are_those_of_the_others(variant):
    batch = Batch(make_rules(variant), 5, np.arange(6))
    rng = np.random.default_rng(0)
    while not batch.over.any():
        rows = np.arange(batch.n)
        planes = hidden_cards(batch, rows)
        seats = batch.rules.seats
        assert planes.shape == (6, seats, N_CARDS)
        for row in rows:
            for place in range(1, seats):
                hand = batch.state.hand[row, (batch.to_act[row] + place) % seats]
                assert np.flatnonzero(planes[row, place - 1]).tolist() == sorted(to_cards(int(hand)))
            assert np.flatnonzero(planes[row, -1]).tolist() == sorted(to_cards(int(batch.state.stock[row])))
        mask = batch.mask()
        batch.step((mask * rng.random(mask.shape)).argmax(axis=1))


def test_hidden_cards_are_renamed_as_hands_are():
    network = network_for("pedro", NetworkShape(16, 2, critic="perfect"))
    layout = network.layout
    batch = Batch(make_rules("pedro"), 5, np.arange(40))
    own = torch.from_numpy(batch.observe(np.arange(40)))
    planes = torch.zeros(40, 4, N_CARDS, dtype=torch.uint8)
    planes[:, 2, :52] = own[:, layout.slices["hand"]]
    choice = torch.arange(40) % len(PLACES)
    renamed = network.order.rename(own, choice)
    place = np.searchsorted(network.used, layout.slices["hand"].start)
    assert torch.equal(network.order.rename_cards(planes, choice)[:, 2, :52], renamed[:, place : place + 52])


def test_augmented_decisions_come_under_all_names():
    """The best suit comes first where suits are put in order, and in every place where they are renamed at random."""
    firsts = {}
    for suits in ("canonical", "augmented"):
        network = network_for("pedro", NetworkShape(16, 2, suits=suits))
        decisions = collected("pedro", network, 100)
        place = np.searchsorted(network.used, network.layout.slices["trump"].start)
        trump = decisions.columns[:, place : place + 4].float()
        firsts[suits] = (trump.sum(0) / trump.sum()).tolist()
    assert firsts["canonical"] == [1, 0, 0, 0]
    assert all(0.15 < share < 0.35 for share in firsts["augmented"])


def test_the_critic_does_not_touch_the_policy():
    shape = NetworkShape(16, 2, critic="perfect")
    own, perfect = (network_for("pedro", s) for s in (NetworkShape(16, 2), shape))
    observation, mask = positions(make_rules("pedro"), 8)
    assert torch.equal(own(observation, mask), perfect(observation, mask))


@pytest.mark.parametrize(
    ("key", "right"),
    [
        ("inputs", "untimed, columns, cards or present"),
        ("suits", "canonical or augmented"),
        ("critic", "own or perfect"),
    ],
)
def test_a_network_of_no_such_kind_is_refused(key, right):
    with pytest.raises(ConfigError, match=f"network.{key} cannot be 'cnn'; it is {right}"):
        from_dict({"network": {key: "cnn"}})
