"""The two parts of a deal, bidding and play, and agents that are put together of them.

Bidding is the auction and the naming of trumps (in the dark, too); play is what comes after it, the exchange of cards
included. ``parts:bidding=runs/first,play=heuristic-1`` is the one's bidding with the other's play. A policy that has
learnt one part names in its file who takes the other decisions, its *rest*; ``runs/first:rest=morehead`` chooses
another.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from agents.composite import Composite
from agents.errors import AgentError
from agents.registry import AGENTS, make_agent, split_spec
from pedro_env.actions import Phase
from pedro_env.agent import Agent, Resettable
from pedro_env.rules import Rules
from pedro_env.typing import BoolArray, FloatArray, Int8Array, Int64Array, IntArray
from pedro_env.views import Views

ALL, BIDDING, PLAY = "all", "bidding", "play"

BIDDING_PHASES = (Phase.DARK, Phase.BID, Phase.TRUMP)
"""The other phases are play."""
SLIP = 0.1
"""How often an agent without probabilities is taken to do something else than it would choose."""
_POLICY_FILES = (".onnx", ".safetensors")
_CODE = re.compile(r"\w{2,}:")
"""How what is no file begins: ``python:``, ``exec:``; a drive is one letter."""


def in_part(part: str, phases: Int8Array) -> BoolArray:
    """``(k,)`` which phases belong to a part."""
    bids = np.isin(phases, BIDDING_PHASES)
    return np.ones(len(phases), np.bool_) if part == ALL else bids if part == BIDDING else ~bids


def act_by_part(views: Views, part: str, act: Callable[[Views], IntArray], rest: Agent) -> Int64Array:
    """``(k,)`` actions: those of ``act`` in the phases of a part, those of ``rest`` in the others."""
    own = in_part(part, views.phase)
    actions = np.zeros(len(views), np.int64)
    if own.any():
        actions[own] = act(views.take(own))
    if not own.all():
        actions[~own] = rest.act(views.take(~own))
    return actions


def probabilities_by_part(
    views: Views, part: str, probabilities: Callable[[Views], FloatArray], rest: Agent | None
) -> FloatArray:
    """``(k, actions)`` how likely each choice is: as ``act_by_part``. A rest without probabilities has 1 - ``SLIP`` for
    what it chooses, and the other legal actions share the rest."""
    if rest is None:
        return probabilities(views)
    own = in_part(part, views.phase)
    found = np.zeros((len(views), views.actions.n))
    if own.any():
        found[own] = probabilities(views.take(own))
    if not own.all():
        found[~own] = likelihoods(rest, views.take(~own))
    return found


def likelihoods(agent: Agent, views: Views) -> FloatArray:
    """``(k, actions)`` how likely each legal action of an agent is: by its ``probabilities``, or by its choice."""
    probabilities: Callable[[Views], FloatArray] | None = getattr(agent, "probabilities", None)
    if probabilities is not None:
        return probabilities(views)
    legal = views.mask
    others = np.maximum(legal.sum(axis=1, keepdims=True) - 1, 1)
    found = legal * (SLIP / others)
    found[np.arange(len(views)), agent.act(views)] = np.where(legal.sum(axis=1) > 1, 1 - SLIP, 1.0)
    return found


class PartsAgent(Composite):
    """Bids as one agent and plays as another."""

    def __init__(self, rules: Rules, bidding: str = "heuristic-1", play: str = "heuristic-1") -> None:
        self.name = "parts"
        self.bidding, self.play = make_agent(bidding, rules), make_agent(play, rules)
        self.inner = (self.bidding, self.play)
        self.sees_everything = self.bidding.sees_everything or self.play.sees_everything

    def act(self, views: Views) -> IntArray:
        """``(k,)`` a legal action for each decision."""
        return act_by_part(views, BIDDING, self.bidding.act, self.play)

    def probabilities(self, views: Views) -> FloatArray:
        """``(k, actions)`` how likely each choice of the two is (``likelihoods``)."""
        return probabilities_by_part(views, BIDDING, lambda own: likelihoods(self.bidding, own), self.play)


class WithRest(Composite, ABC):
    """A policy from a file, which takes the decisions that it has learnt; its rest takes the others.

    ``part`` is what it has learnt, ``rest`` None where that is everything, ``sets`` are those it was tuned on itself.
    """

    def __init__(self, part: str, rest: Agent | None, sets: tuple[str, ...]) -> None:
        self.part, self.rest, self.sets = part, rest, sets
        self.inner = () if rest is None else (rest,)
        self.sees_everything = rest is not None and rest.sees_everything

    @abstractmethod
    def own_act(self, views: Views) -> IntArray:
        """``(k,)`` a legal action for each decision, of those it has learnt."""

    @abstractmethod
    def own_probabilities(self, views: Views) -> FloatArray:
        """``(k, actions)`` the policy, whether or not the agent is greedy."""

    def act(self, views: Views) -> IntArray:
        """``(k,)`` a legal action for each decision. The network is asked only where there is a choice."""
        return self.own_act(views) if self.rest is None else act_by_part(views, self.part, self.own_act, self.rest)

    def probabilities(self, views: Views) -> FloatArray:
        """``(k, actions)`` the policy, whether or not the agent is greedy; its rest's where that decides."""
        return probabilities_by_part(views, self.part, self.own_probabilities, self.rest)

    @property
    def tuned_on(self) -> tuple[str, ...]:
        """The sets of deals that it, or its rest, was tuned on."""
        return tuple(dict.fromkeys((*self.sets, *super().tuned_on)))


def tell_reset(agents: tuple[Agent | None, ...], games: IntArray) -> None:
    """Tell agents that keep something a game that new deals begin."""
    for agent in agents:
        if isinstance(agent, Resettable):
            agent.reset(games)


def rest_of(policy: Path, rules: Rules, part: str, named: str, wanted: str | None) -> Agent | None:
    """Who takes the decisions that a policy has not learnt; None where it has learnt all.

    ``named`` is what its file names, ``wanted`` what the user asks for instead. Raises ``AgentError`` where the user
    asks in vain, and where what the file names is not there.
    """
    if part == ALL:
        if wanted is not None:
            raise AgentError(f"{policy}: it takes all decisions itself, so it has no 'rest'")
        return None
    if part not in (BIDDING, PLAY):
        raise AgentError(f"{policy}: it has learnt {part!r}, which this version does not know")
    if wanted is not None:
        return make_agent(wanted, rules)
    check_rest(named, f"{policy}: ")
    try:
        return make_agent(named, rules)
    except AgentError as error:
        other = f"it has learnt {part} alone, and what takes the other decisions is not there"
        raise AgentError(f"{policy}: {other} ({error}); name another: {policy}:rest=heuristic-1") from None
    except RecursionError:
        raise AgentError(f"{policy}: it and {named!r} name each other as their rest") from None


def check_rest(spec: str, where: str = "") -> None:
    """Raise ``AgentError`` where an agent cannot stand in a policy's file: no file may say which code is run.

    A name of the registry without parameters can, and so can a policy's file or folder, greedy or not.
    """
    head, settings = split_spec(spec)
    path = Path(head)
    file = not _CODE.match(head) and (path.is_dir() or path.suffix in ("", *_POLICY_FILES))
    if not (not settings if head in AGENTS else file and set(settings) <= {"greedy"}):
        raise AgentError(
            f"{where}{spec!r} cannot be named in a policy's file as what takes its other decisions; what can: "
            f"{', '.join(AGENTS)} without parameters, a policy's file or folder"
        )


def written(part: str, rest: str) -> dict[str, Any]:
    """What a policy's file says of it: nothing where it has learnt everything."""
    return {} if part == ALL else {"part": part, "rest": rest}
