"""Pedro as a PettingZoo environment: ``env`` (what to use) and ``raw_env`` (without PettingZoo's order checks).

| | |
|---|---|
| agents | ``player_0`` … clockwise; in partnership games 0 and 2, 1 and 3 are partners |
| actions | ``Discrete(A)``, numbered as ``actions_of(rules).names`` says |
| observation | ``{"observation": (width,) uint8, "action_mask": (A,) int8}``, zeros and ones |

The layout of ``"observation"`` is ``layout_of(rules)``; ``describe(observation, rules)`` reads one to a person. The
mask is also ``info["action_mask"]``. It is all zeros for an agent that is not to act, and for everybody at the end.
The seat to act comes from the game: the same agent may be selected several times in a row.

**Rewards.** All of them come in the step that ends the episode; before, every reward is 0.

- ``episode="deal"``: what the agent's own side gained in match score, minus what the other side gained; where there
  are no fixed sides, the agent's own gain minus the mean gain of the others. A redeal (everybody passed, in variants
  that have it) ends the episode with reward 0 and ``info["redeal"]`` true.
- ``episode="match"``: +1 to the side (or the seat) that won the match, -1 to the others; 0 to all where the match is
  cut off after ``max_deals`` deals (truncation). The next deal follows by itself, also after a redeal.

**The end.** All agents end in the same step. As in every AEC environment each of them is then selected once more,
with its reward, and takes the step ``None``::

    env = pedro_env.env()
    env.reset(seed=1)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, info = env.last()
        if termination or truncation:
            action = None  # the reward above is the whole episode's
        else:
            action = env.action_space(agent).sample(observation["action_mask"])
        env.step(action)

**Seeds.** ``reset(seed=s)`` begins match 0 of seed ``s``; ``reset()`` goes on to the next match of the same seed
(without any seed so far, one is drawn from the operating system). ``info["seed"]`` and ``info["match"]`` name the
cards that are played, and ``reset(seed=s, options={"match": m})`` deals them again. A seed fixes the cards alone:
action spaces that are to be sampled have seeds of their own (``env.action_space(agent).seed(…)``).

**Positions.** ``reset(options={"pack": […], "dealer": 2, "scores": [12, 5], "actions": ["pass", "8", …]})`` begins in a
position of one's own (``pedro_env.positions``): each may be left out, and they go together with ``"match"`` and a
seed, which deal what is left out and the later deals of a match. All seats' actions so far are given; they must leave
somebody a decision.

**Planning.** ``clone()`` is an exact copy, in which every hidden card lies as it does here: for a planner that would be
the future. ``clone(hide_from=agent, seed=s)`` deals anew what that agent does not know (``pedro_env.worlds``).

**State.** ``state()`` is the whole game for a centralised critic, hidden cards too: ``(width,)`` uint8 zeros and
ones in ``state_space``, laid out as ``full_layout(rules)`` says (``pedro_env.full_state``, ``docs/layouts.md``).

**info** has ``seed``, ``match``, ``deal``, ``phase``, ``scores`` (one a side; one a seat where there are no fixed
sides) and ``action_mask``; at the end also ``points`` and ``score_change`` of the last deal, ``winner`` (a side, or
``None``) and ``redeal``, or after an illegal action ``illegal_action_by``.
"""

from __future__ import annotations

import copy
import difflib
import operator
import secrets
from typing import TYPE_CHECKING, Any, TypeAlias

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Dict, Discrete, Space
from pettingzoo import AECEnv  # pyright: ignore[reportMissingTypeStubs]
from pettingzoo.utils.wrappers import OrderEnforcingWrapper  # pyright: ignore[reportMissingTypeStubs]

from pedro_env.actions import Phase
from pedro_env.cards import NONE
from pedro_env.engine import Batch, IllegalAction
from pedro_env.full_state import full_layout
from pedro_env.positions import KEYS as POSITION
from pedro_env.positions import check_keys, set_up, whole
from pedro_env.rules import Rules, RulesError
from pedro_env.typing import Int8Array, UInt8Array
from pedro_env.variants import make_rules
from pedro_env.worlds import deal_anew

if TYPE_CHECKING:
    from pedro_env.picture import Window

Observation: TypeAlias = dict[str, Any]
"""``{"observation": (width,) uint8, "action_mask": (A,) int8}``"""

EPISODES = ("deal", "match")
ILLEGAL_ACTIONS = ("raise", "terminate")
RENDER_MODES = ("ansi", "human", "rgb_array")

_ONLY = np.array([0])
"""The one game of the batch."""
_ARGUMENTS = ("variant", "episode", "render_mode", "max_deals", "illegal_action")
_WORDS = {int(phase): phase.word for phase in Phase}


def env(
    variant: str = "pedro",
    episode: str = "deal",
    render_mode: str | None = None,
    max_deals: int = 100,
    illegal_action: str = "raise",
    **rule_options: Any,
) -> AECEnv[str, Observation, Any]:
    """The environment, with PettingZoo's checks that its methods are called in a legal order.

    ``variant`` is a name in ``VARIANTS`` and ``rule_options`` are its options (``min_bid=6`` …). ``episode`` is
    ``"deal"`` or ``"match"``; a match is cut off after ``max_deals`` deals. ``illegal_action="raise"`` raises
    ``IllegalAction``, which says what would be legal; ``"terminate"`` ends the episode as PettingZoo's
    ``TerminateIllegalWrapper`` does, with -1 for the offender and 0 for the others. ``render_mode="ansi"`` makes
    ``render()`` return the table as text, ``"rgb_array"`` as a picture; ``"human"`` shows every position in a window,
    ``metadata["render_fps"]`` a second. Pictures need the extra ``render`` (``ImportError`` without it).

    Raises ``ValueError`` (``RulesError`` where the rules are meant) that names argument, value and what is right.
    """
    return _Ordered(raw_env(variant, episode, render_mode, max_deals, illegal_action, **rule_options))


class raw_env(AECEnv[str, Observation, Any]):
    """One game of a ``Batch``, spoken to as PettingZoo's AEC interface says. See the module's docstring."""

    def __init__(
        self,
        variant: str = "pedro",
        episode: str = "deal",
        render_mode: str | None = None,
        max_deals: int = 100,
        illegal_action: str = "raise",
        **rule_options: Any,
    ) -> None:
        """As ``env``."""
        super().__init__()
        _one_of("episode", episode, EPISODES)
        _one_of("render_mode", render_mode, (None, *RENDER_MODES))
        _one_of("illegal_action", illegal_action, ILLEGAL_ACTIONS)
        rules = _rules(variant, {**rule_options, "max_deals": max_deals})
        self.metadata = {
            "name": "pedro_v0",
            "render_modes": list(RENDER_MODES),
            "is_parallelizable": False,
            "render_fps": 1,
        }
        self.episode = episode
        self.render_mode = render_mode
        self._window = _window() if render_mode in ("human", "rgb_array") else None
        self.illegal_action = illegal_action
        # Legality is looked up in the mask that is handed out anyway, so that the engine need not check again.
        self._batch = Batch(rules, validate=False)
        self._seed: int | None = None
        self._match = NONE
        self._seen: dict[int, UInt8Array] = {}
        self.possible_agents = [f"player_{seat}" for seat in range(rules.seats)]
        self._seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.agents = []
        n_actions, width = self._batch.actions.n, self._batch.layout.width
        self.state_space = Box(0, 1, (full_layout(rules).width,), np.uint8)
        self._no_action = np.zeros(n_actions, np.int8)
        self.action_spaces = {agent: Discrete(n_actions) for agent in self.possible_agents}
        self.observation_spaces = {
            agent: Dict(
                {
                    "observation": Box(0, 1, (width,), np.uint8),
                    "action_mask": Box(0, 1, (n_actions,), np.int8),
                }
            )
            for agent in self.possible_agents
        }

    # --- reading

    @property
    def rules(self) -> Rules:
        """The rules that are played."""
        return self._batch.rules

    @property
    def batch(self) -> Batch:
        """The engine's batch, with this one game: the full state, hidden cards too. To be read, not stepped."""
        return self._batch

    def observation_space(self, agent: str) -> Space[Observation]:
        """The space of an agent's observations; always the same object."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Space[Any]:
        """The space of an agent's actions; always the same object."""
        return self.action_spaces[agent]

    def observe(self, agent: str) -> Observation:
        """What an agent sees now, whether it is to act or not, at the end too. The arrays are the caller's."""
        seat = self._seat_of.get(agent, NONE)
        if seat == NONE:
            raise ValueError(f"there is no agent {agent!r}; the agents are {', '.join(self.possible_agents)}")
        seen = self._seen.get(seat)
        if seen is None:
            seen = self._seen[seat] = self._batch.observe(_ONLY, np.array([seat]))[0]
        return {"observation": seen.copy(), "action_mask": self._mask_of(seat).copy()}

    def state(self) -> UInt8Array:
        """The whole game, hidden cards too, for a centralised critic: ``(width,)`` uint8, the caller's."""
        return self._batch.observe_all()[0]

    def render(self) -> str | UInt8Array | None:
        """The table, every hand open: text (``"ansi"``) or a ``(600, 800, 3)`` uint8 picture (``"rgb_array"``).

        In the mode ``"human"`` the picture is shown in a window and ``None`` returned; ``reset`` and ``step`` do so by
        themselves.
        """
        if self.render_mode is None:
            gymnasium.logger.warn('render() was called, but there is no render_mode; make the env with "ansi"')
            return None
        if self._window is None:
            from pedro_env.render import table

            return table(self._batch)
        from pedro_env.picture import draw_table

        image = draw_table(self._batch)
        if self.render_mode == "rgb_array":
            return image
        self._window.show(image, self.metadata["render_fps"])
        return None

    def close(self) -> None:
        """Close the window, if there is one."""
        if self._window is not None:
            self._window.close()

    def clone(self, hide_from: str | int | None = None, seed: int | None = None) -> raw_env:
        """A copy of the environment; playing on in one does not touch the other.

        ``hide_from`` is an agent or a seat from which the future is hidden: everything it does not know is dealt anew
        (``pedro_env.worlds``), by ``seed`` (without one, by the operating system), the deals to come too. It sees the
        same as before, and what the others hold is consistent with that; its ``info["seed"]`` is that of the deals to
        come and does not name the cards on the table. Without ``hide_from`` the copy is exact.
        Raises ``ValueError`` that names argument, value and what is right.
        """
        if hide_from is None and seed is not None:
            raise ValueError(f"seed={seed!r} is of use only with hide_from, an agent or a seat; an exact copy has none")
        looking = None if hide_from is None else self._seat_number(hide_from)
        rng = np.random.default_rng(None if seed is None else whole("seed", seed))
        other = copy.deepcopy(self)
        if looking is not None and self.agents:
            other._deal_anew(looking, rng)
        return other

    def _seat_number(self, hide_from: str | int) -> int:
        seat = self._seat_of.get(hide_from, NONE) if isinstance(hide_from, str) else hide_from
        if type(seat) is not int or not 0 <= seat < len(self.possible_agents):
            agents = ", ".join(self.possible_agents)
            raise ValueError(
                f"hide_from cannot be {hide_from!r}; it is one of {agents}, or a seat from 0 to "
                f"{len(self.possible_agents) - 1}"
            )
        return seat

    def _deal_anew(self, looking: int, rng: np.random.Generator) -> None:
        """Put another world in place of the game."""
        self._batch = deal_anew(self._batch, _ONLY, looking, rng)
        self._seen = {}
        self._seed = self._batch.seed  # the seed of the original would tell its cards
        for info in (self._deal_info, *self.infos.values()):
            info["seed"] = self._seed
        if self._to_act != NONE:
            self._mask = self._batch.mask()[0].astype(np.int8)
            self.infos[self.agent_selection]["action_mask"] = self._mask.copy()

    # --- playing

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin an episode: match 0 of a seed, or without one the next match (``options={"match": m}``: match m).

        ``options`` may set up a position as well ("Positions" above). Raises ``ValueError`` (``IllegalAction`` for an
        action) that names key, value and what is right; the environment is then as it was before.
        """
        options = options or {}
        check_keys(options, ("match", *POSITION))
        new_seed, match = self._seed, self._match + 1
        if seed is not None:
            new_seed, match = whole("seed", seed), 0
        elif new_seed is None:
            new_seed, match = secrets.randbits(32), 0
        if "match" in options:
            match = whole("options['match']", options["match"])
        batch = Batch(self.rules, new_seed, [match], validate=False)
        if any(name in options for name in POSITION):
            set_up(batch, options)
        self._batch, self._seed, self._match = batch, new_seed, match  # not before all of it has turned out right
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._skip_agent_selection = None
        self._begin_deal()
        self._await_decision()
        self._show()

    def step(self, action: int | None) -> None:
        """Take the selected agent's decision; ``None`` for an agent whose episode has ended."""
        if not self.agents:
            raise ValueError("step() was called, but no episode is going on: call reset() first")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        number = self._number(action)
        if number == NONE or not self._mask[number]:
            if self.illegal_action == "raise":
                raise IllegalAction(self._why_illegal(action, number))
            self._end_illegally(agent)
            return
        batch = self._batch
        batch.step(np.array([number]))
        self._show()
        if batch.state.to_act[0] == NONE:
            if self.episode == "deal" or batch.match_over[0]:
                self._end()
                return
            batch.next_deal(_ONLY)
            self._begin_deal()
            self._show()
        self._await_decision()

    def _show(self) -> None:
        """Bring the window up to date, if there is one."""
        if self.render_mode == "human":
            self.render()

    # --- what follows a step

    def _begin_deal(self) -> None:
        """Note what stays the same in ``info`` for a deal."""
        state = self._batch.state
        self._deal_info: dict[str, Any] = {
            "seed": self._seed,
            "match": self._match,
            "deal": int(state.deal[0]),
            "phase": "",
            "scores": tuple(state.scores[0].tolist()),
        }

    def _await_decision(self) -> None:
        """Select the seat that the game asks, and show everybody its mask."""
        seat = int(self._batch.state.to_act[0])
        self._to_act = seat
        self._mask: Int8Array = self._batch.mask()[0].astype(np.int8)
        self.agent_selection = self.possible_agents[seat]
        self._write_infos(_WORDS[int(self._batch.state.phase[0])])

    def _end(self) -> None:
        """The deal, and with it the episode, is over: rewards, and one last selection for every agent."""
        batch, state = self._batch, self._batch.state
        cut_off = self.episode == "match" and bool(state.truncated[0])
        sides = self._match_rewards() if self.episode == "match" else self._deal_rewards()
        side_of = batch.tables.side_of.tolist()
        winner = int(state.winner[0])
        self._deal_info["scores"] = tuple(state.scores[0].tolist())
        self._finish(
            {agent: sides[side_of[seat]] for seat, agent in enumerate(self.possible_agents)},
            terminated=not cut_off,
            truncated=cut_off,
            points=tuple(state.points[0].tolist()),
            score_change=tuple(state.score_change[0].tolist()),
            winner=None if winner == NONE else winner,
            redeal=bool(state.redeal[0]),
        )

    def _deal_rewards(self) -> list[float]:
        """By side: own change in score minus the mean change of the others."""
        change: list[int] = self._batch.state.score_change[0].tolist()
        others, total = len(change) - 1, sum(change)
        return [own - (total - own) / others for own in change]

    def _match_rewards(self) -> list[float]:
        """By side: won, lost, or cut off."""
        winner = int(self._batch.state.winner[0])
        sides = range(self.rules.sides)
        return [0.0 if winner == NONE else 1.0 if side == winner else -1.0 for side in sides]

    def _end_illegally(self, offender: str) -> None:
        """End the episode as ``TerminateIllegalWrapper`` does, where an illegal action ends and cuts off at once."""
        rewards = dict.fromkeys(self.agents, 0.0)
        rewards[offender] = -1.0
        self._finish(rewards, terminated=True, truncated=True, illegal_action_by=offender)

    def _finish(self, rewards: dict[str, float], *, terminated: bool, truncated: bool, **info: Any) -> None:
        self.rewards = rewards
        self._accumulate_rewards()
        self.terminations = dict.fromkeys(self.agents, terminated)
        self.truncations = dict.fromkeys(self.agents, truncated)
        self._to_act = NONE
        self._write_infos(_WORDS[int(self._batch.state.phase[0])], **info)
        self.agent_selection = self.agents[0]

    def _write_infos(self, phase: str, **more: Any) -> None:
        """Everybody's ``info``; forget what was seen before the step."""
        self._seen = {}
        shared = {**self._deal_info, "phase": phase, **more}
        self.infos = {
            agent: {**shared, "action_mask": self._mask_of(seat).copy()}
            for seat, agent in enumerate(self.possible_agents)
        }

    def _mask_of(self, seat: int) -> Int8Array:
        return self._mask if seat == self._to_act else self._no_action

    # --- actions that are not legal

    def _number(self, action: Any) -> int:
        """The action as a number of the action space; ``NONE`` where it is none."""
        try:
            number = operator.index(action)
        except TypeError:
            return NONE
        return number if 0 <= number < len(self._mask) else NONE

    def _why_illegal(self, action: Any, number: int) -> str:
        """The engine's explanation, with the agent's name."""
        if number == NONE:
            right = f"an action is a whole number from 0 to {len(self._mask) - 1}"
            hint = " (None is for agents whose episode has ended)" if action is None else ""
            return f"{self.agent_selection}: {action!r} is not an action; {right}{hint}"
        probe = self._batch.copy()
        probe.validate = True
        try:
            probe.step(np.array([number]))
        except IllegalAction as error:
            where = f"row 0, seat {self._to_act}, "
            return f"{self.agent_selection}, {str(error).removeprefix(where)}"
        raise AssertionError(f"the mask forbids action {number}, but the engine takes it")


class _Ordered(OrderEnforcingWrapper[str, Observation, Any]):
    """PettingZoo's checks, also of a clone."""

    def clone(self, hide_from: str | int | None = None, seed: int | None = None) -> _Ordered:
        """As ``raw_env.clone``; the copy has the checks too, and knows as much of what was called."""
        if not self._has_reset:
            raise AttributeError("clone() was called, but there is no game yet: call reset() first")
        game = self.env
        assert isinstance(game, raw_env)
        other = copy.copy(self)
        other.env = game.clone(hide_from, seed)
        other._has_updated = True  # ``agent_iter`` over the copy is a loop of its own
        return other

    def __str__(self) -> str:
        return str(self.env)


def _window() -> Window:
    """What needs the extra ``render`` is imported only where pictures are asked for."""
    from pedro_env.picture import Window

    return Window()


def _one_of(name: str, value: Any, right: tuple[str | None, ...]) -> None:
    if value not in right:
        raise ValueError(f"{name} cannot be {value!r}; it is {' or '.join(map(repr, right))}")


def _rules(variant: Any, options: dict[str, Any]) -> Rules:
    if not isinstance(variant, str):
        raise RulesError(f"variant cannot be {variant!r}; it is the name of a variant, as 'pedro'")
    try:
        return make_rules(variant, options)
    except RulesError as error:
        for name in options:
            near = difflib.get_close_matches(name, _ARGUMENTS, n=1)
            if near and near[0] != name:
                raise RulesError(f"{error}; {name!r} is also no argument (did you mean {near[0]!r}?)") from None
        raise
