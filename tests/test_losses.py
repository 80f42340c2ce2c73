"""The losses of an update, against their definition; their gradient, against autograd's of the definition."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")

from torch.distributions import Categorical  # noqa: E402

from agents.config import PPO  # noqa: E402
from agents.losses import ppo_losses  # noqa: E402
from agents.rollout import Decisions  # noqa: E402

CONFIG = PPO(clip=0.2, value=0.7)
ENTROPY = 0.3


def batch(k=200, actions=9):
    """Logits, values and decisions in float64: ratios on both sides of the clipped range, rows with 1 to 9 legal."""
    generator = torch.Generator().manual_seed(0)

    def random(*shape):
        return torch.randn(*shape, generator=generator, dtype=torch.float64)

    logits, value = 2 * random(k, actions), random(k)
    mask = torch.rand(k, actions, generator=generator) < torch.rand(k, 1, generator=generator)
    action = torch.randint(actions, (k,), generator=generator)
    mask[torch.arange(k), action] = True
    legal = Categorical(logits=logits.masked_fill(~mask, -torch.inf), validate_args=False)
    before = legal.log_prob(action) + 0.3 * random(k)
    nothing = torch.zeros(k, 0)
    return logits, value, Decisions(nothing, nothing, mask, action, before, value, random(k), random(k))


def by_definition(logits, value, decisions):
    """Row by row, over the legal actions alone."""
    policy, entropies, kl, clipped = [], [], [], 0
    for row, legal in enumerate(decisions.mask):
        choice = Categorical(logits=logits[row, legal])
        place = int(legal[: decisions.action[row]].sum())
        log_ratio = choice.log_prob(torch.tensor(place)) - decisions.log_probability[row]
        ratio, advantage = log_ratio.exp(), decisions.advantage[row]
        policy.append(-min(ratio * advantage, ratio.clamp(0.8, 1.2) * advantage))
        entropies.append(choice.entropy())
        kl.append(ratio - 1 - log_ratio)
        clipped += bool(ratio < 0.8) or bool(ratio > 1.2)
    value_loss = ((value - decisions.target) ** 2).mean() / 2
    means = [torch.stack(each).mean() for each in (policy, entropies, kl)]
    return means[0], value_loss, means[1], means[2], clipped / len(policy)


def test_losses_and_their_gradient_are_those_of_the_definition():
    logits, value, decisions = batch()
    logits.requires_grad_()
    value.requires_grad_()
    policy, value_loss, entropy, kl, clipped = by_definition(logits, value, decisions)
    (policy + 0.7 * value_loss - ENTROPY * entropy).backward()
    losses, by_logits, by_value = ppo_losses(logits, value, decisions, CONFIG, ENTROPY)
    assert 0.2 < clipped < 0.8
    found = torch.stack([losses.policy, losses.value, losses.entropy, losses.kl, losses.clipped])
    means = torch.stack([policy, value_loss, entropy, kl]).tolist()
    assert found.tolist() == pytest.approx([*means, clipped])
    torch.testing.assert_close(by_logits, logits.grad)
    torch.testing.assert_close(by_value, value.grad)


def test_illegal_actions_have_no_part_in_it():
    logits, value, decisions = batch()
    losses, by_logits, _ = ppo_losses(logits, value, decisions, CONFIG, ENTROPY)
    assert (by_logits[~decisions.mask] == 0).all()
    other = torch.where(decisions.mask, logits, 50.0)
    losses_of_other, by_other, _ = ppo_losses(other, value, decisions, CONFIG, ENTROPY)
    assert losses == losses_of_other
    assert torch.equal(by_logits, by_other)


def test_one_legal_action_has_no_entropy_and_no_gradient():
    logits, value, decisions = batch()
    only = decisions.mask.sum(1) == 1
    assert only.any()
    losses, by_logits, _ = ppo_losses(logits[only], value[only], decisions.take(only.nonzero()[:, 0]), CONFIG, ENTROPY)
    assert losses.entropy == 0
    torch.testing.assert_close(by_logits, torch.zeros_like(by_logits))


@pytest.mark.parametrize("name", ["advantage", "log_probability"])
def test_what_is_no_number_shows_in_the_gradient(name):
    """As it is there that an update looks for it."""
    logits, value, decisions = batch()
    getattr(decisions, name)[7] = torch.nan
    losses, by_logits, _ = ppo_losses(logits, value, decisions, CONFIG, ENTROPY)
    assert not torch.isfinite(losses.policy)
    assert not torch.isfinite(by_logits).all()
