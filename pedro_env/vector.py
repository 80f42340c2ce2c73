"""Many games of ``pedro_env/Pedro-v0`` in step, on one batch of the engine: a Gymnasium vector environment.

::

    envs = gymnasium.make_vec("pedro_env/Pedro-v0", num_envs=1024, vectorization_mode="vector_entry_point")
    observations, infos = envs.reset(seed=1)
    while True:
        actions = policy(observations["observation"], observations["action_mask"])
        observations, rewards, terminations, truncations, infos = envs.step(actions)

Every environment is the one of ``pedro_env.gym``, with its arguments; all of them play the same rules against the same
opponents, who decide for all games at once. Step by step it gives what ``gymnasium.vector.SyncVectorEnv`` gives of
these environments. ``observations`` are ``{"observation": (n, width) uint8, "action_mask": (n, A) int8}``; ``infos``
has arrays over the environments, and beside each ``key`` the mask ``_key`` of those that have one.

**What follows the end of an episode** is said by ``autoreset_mode`` (a ``gymnasium.vector.AutoresetMode`` or its
value) and stands in ``metadata["autoreset_mode"]``:

- ``NEXT_STEP``, Gymnasium's default: the next step resets the environment. Its action is ignored, its reward is 0.
- ``SAME_STEP``: the step that ends an episode begins the next one. The last observation and info of the old one are
  ``infos["final_obs"][i]`` and ``infos["final_info"]``.
- ``DISABLED``: you reset them, with ``reset(options={"reset_mask": terminations | truncations})``, before you step
  again.

**Seeds.** ``reset(seed=s)`` begins match 0 of seed ``s + i`` in environment ``i``, as the single environment does with
the seed ``s + i``; a sequence has a seed (or ``None``) for each. ``reset()`` and every automatic one go on to the next
match of an environment's seed. ``infos["seed"]`` and ``infos["match"]`` name the cards.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Any, TypeAlias

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from pedro_env.actions import Phase
from pedro_env.aec import Observation
from pedro_env.cards import NONE
from pedro_env.deals import same_cards
from pedro_env.engine import Batch, IllegalAction
from pedro_env.gym import PedroEnv
from pedro_env.opponents import Seat, why_illegal
from pedro_env.positions import check_keys, whole
from pedro_env.rules import Rules
from pedro_env.typing import BoolArray, FloatArray, Int64Array, IntArray, UInt8Array

Infos: TypeAlias = dict[str, Any]

_WORDS = np.array([phase.word for phase in Phase], object)


class PedroVectorEnv(VectorEnv[Observation, IntArray, Any]):
    """n games of one learner. See the module's docstring."""

    metadata: dict[str, Any] = {"render_modes": ["ansi", "rgb_array"], "render_fps": 1}  # noqa: RUF012

    def __init__(
        self,
        num_envs: int = 1,
        variant: str = "pedro",
        episode: str = "deal",
        render_mode: str | None = None,
        max_deals: int = 100,
        illegal_action: str = "raise",
        *,
        seat: Seat = 0,
        opponents: Any = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        **rule_options: Any,
    ) -> None:
        """As ``PedroEnv``, and as many of them as ``num_envs`` says.

        Raises ``ValueError`` (``RulesError`` where the rules are meant) that names argument, value and what is right.
        """
        if render_mode == "human":
            raise ValueError("render_mode cannot be 'human' for many games; it is 'ansi', 'rgb_array' or None")
        if num_envs < 1:
            raise ValueError(f"num_envs cannot be {num_envs!r}; it is a whole number from 1")
        one = PedroEnv(
            variant, episode, render_mode, max_deals, illegal_action, seat=seat, opponents=opponents, **rule_options
        )
        self.num_envs = num_envs
        self.render_mode = render_mode
        self.autoreset_mode = _autoreset_mode(autoreset_mode)
        self.metadata = {**self.metadata, "autoreset_mode": self.autoreset_mode}
        self.single_observation_space, self.single_action_space = one.observation_space, one.action_space
        self.observation_space = batch_space(one.observation_space, num_envs)
        self.action_space = batch_space(one.action_space, num_envs)
        self.episode = episode
        self.illegal_action = illegal_action
        self.seats = one.seats
        """The learner's."""
        self.opponents = one.opponents
        self._all = np.arange(num_envs)
        self._batch = Batch(one.rules, 0, np.zeros(num_envs, np.int64), validate=False)
        self._seed = np.full(num_envs, NONE, np.int64)  # NONE: none yet
        self._match = np.zeros(num_envs, np.int64)
        self._seat = np.full(num_envs, self.seats[0], np.int64)  # whose observation is shown
        self._ended = np.zeros(num_envs, np.bool_)
        self._ended_illegally = np.zeros(num_envs, np.bool_)

    # --- reading

    @property
    def rules(self) -> Rules:
        """The rules that are played."""
        return self._batch.rules

    @property
    def batch(self) -> Batch:
        """The engine's batch: the full state, hidden cards too. To be read, not stepped.

        It plays matches of seed 0 that have the cards of the environments' seeds and matches (``same_cards``).
        """
        return self._batch

    def game(self, i: int) -> Batch:
        """A copy of the game of environment ``i``, under its own seed and match."""
        batch = self._batch.take(self._all[i : i + 1])
        batch.seed, batch.state.match[0] = int(self._seed[i]), self._match[i]
        return batch

    def action_masks(self) -> BoolArray:
        """``(n, A)`` the learner's legal actions; none where the episode is over."""
        mask = self._batch.mask()
        mask[self._ended_illegally] = False
        return mask

    def render(self) -> tuple[str | UInt8Array, ...] | None:
        """The tables, every hand open: as text (``render_mode="ansi"``) or as pictures (``"rgb_array"``)."""
        if self.render_mode is None:
            gymnasium.logger.warn('render() was called, but there is no render_mode; make the env with "ansi"')
            return None
        games = [self.game(row) for row in range(self.num_envs)]
        if self.render_mode == "ansi":
            from pedro_env.render import table

            return tuple(table(game) for game in games)
        from pedro_env.picture import draw_table

        return tuple(draw_table(game) for game in games)

    # --- playing

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, Infos]:
        """Begin an episode in every environment, or in those of ``options["reset_mask"]``, an ``(n,)`` bool array.

        ``options["match"]`` is the match that they begin. The observations are of all environments, the infos of
        those that were reset.
        """
        seeds, options, rows = self._seeds(seed), options or {}, self._all
        check_keys(options, ("match", "reset_mask"))  # positions are for single games
        if "reset_mask" in options:
            rows = np.flatnonzero(self._reset_mask(options["reset_mask"]))
        match = whole("options['match']", options["match"]) if "match" in options else None
        super().reset(seed=seed if isinstance(seed, int) else None)
        self._number(rows, seeds[rows], match)
        self._begin(rows)
        self._play_on(rows)
        self._skip_episodes_without_a_decision(rows)
        infos: Infos = {}
        observations = self._observe()
        self._add(infos, rows, self._info(rows, observations["action_mask"][rows]))
        return observations, infos

    def step(self, actions: IntArray) -> tuple[Observation, FloatArray, BoolArray, BoolArray, Infos]:
        """Take the learner's decision in every environment, and play on to its next ones or to the ends.

        With ``illegal_action="raise"`` an action that is not legal raises ``IllegalAction``, and nothing changes.
        """
        actions = self._checked(actions)
        resetting, playing = np.flatnonzero(self._ended), np.flatnonzero(~self._ended)
        legal = self._batch.are_legal(actions[playing], playing)
        illegal, playing = playing[~legal], playing[legal]
        if len(illegal) and self.illegal_action == "raise":
            row = int(illegal[0])
            raise IllegalAction(why_illegal(self._batch, row, int(actions[row]), "environment"))

        self._batch.step(actions[playing], playing)
        self._match[resetting] += 1
        self._begin(resetting)
        self._play_on(np.concatenate([playing, resetting]))
        self._skip_episodes_without_a_decision(resetting)

        over = self._over(playing)
        rewards = np.zeros(self.num_envs)
        rewards[over] = self._rewards(over)
        rewards[illegal] = -1.0
        truncations = np.zeros(self.num_envs, np.bool_)
        if self.episode == "match":
            truncations[over] = self._batch.state.truncated[over]
        self._ended_illegally[illegal] = True
        self._ended[illegal] = self._ended[over] = True
        terminations = self._ended & ~truncations

        infos: Infos = {}
        if self.autoreset_mode is AutoresetMode.SAME_STEP and self._ended.any():
            self._begin_at_once(infos, over, illegal)
            over = illegal = self._all[:0]
        observations = self._observe()
        self._add(infos, self._all, self._info(self._all, observations["action_mask"]))
        self._add_results(infos, over, illegal)
        return observations, rewards, terminations, truncations, infos

    # --- what follows a step

    def _begin(self, rows: Int64Array) -> None:
        """Deal the first deals of some episodes."""
        self._ended[rows] = self._ended_illegally[rows] = False
        if len(rows):
            self._batch.restart(rows, same_cards(self._seed[rows], self._match[rows]))
            self.opponents.begin(rows)

    def _play_on(self, rows: Int64Array) -> None:
        """Let the others decide, in some games, until it is the learner's turn or the episode is over."""
        batch, is_theirs = self._batch, self.opponents.to_act
        while True:
            waiting = rows[is_theirs.take(batch.to_act.take(rows))]
            while len(waiting):
                batch.step(self.opponents.act(batch, waiting), waiting)
                waiting = waiting[is_theirs.take(batch.to_act.take(waiting))]
            if self.episode == "deal":
                return
            rows = self._over(rows)
            rows = rows[~batch.match_over[rows]]
            if not len(rows):
                return
            batch.next_deal(rows)
            self.opponents.begin(rows)

    def _skip_episodes_without_a_decision(self, rows: Int64Array) -> None:
        """Go on to the next match where an episode that has just begun is over (see ``gym``, "Steps")."""
        while len(rows := self._over(rows)):
            self._match[rows] += 1
            self._begin(rows)
            self._play_on(rows)

    def _begin_at_once(self, infos: Infos, over: Int64Array, illegal: Int64Array) -> None:
        """Begin the next episodes where one has ended, and keep what was seen last."""
        rows = np.flatnonzero(self._ended)
        last = self._observe(rows)
        final_info: Infos = {}
        self._add(final_info, rows, self._info(rows, last["action_mask"]))
        self._add_results(final_info, over, illegal)
        observations = np.full(len(rows), None, object)
        observations[:] = [
            {"observation": seen, "action_mask": mask}
            for seen, mask in zip(last["observation"], last["action_mask"], strict=True)
        ]
        self._add(infos, rows, {"final_obs": observations})
        infos["final_info"], infos["_final_info"] = final_info, self._ended.copy()
        self._match[rows] += 1
        self._begin(rows)
        self._play_on(rows)
        self._skip_episodes_without_a_decision(rows)

    def _over(self, rows: Int64Array) -> Int64Array:
        """Those of some games in which nobody is to act."""
        return rows[self._batch.to_act[rows] == NONE]

    def _rewards(self, rows: Int64Array) -> FloatArray:
        """``(k,)`` the learner's rewards where an episode is over by the rules: as in ``aec``."""
        state, side = self._batch.state, self._batch.tables.side_of[self.seats[0]]
        if self.episode == "match":
            winner = state.winner[rows]
            return np.where(winner == NONE, 0.0, np.where(winner == side, 1.0, -1.0))
        change = state.score_change[rows].astype(np.float64)
        own = change[:, side]
        return own - (change.sum(axis=1) - own) / (self.rules.sides - 1)

    # --- what is shown

    def _observe(self, rows: Int64Array | None = None) -> Observation:
        """Observations and masks of some environments (default: of all)."""
        batch = self._batch
        self._seat = np.where(batch.to_act == NONE, self._seat, batch.to_act)
        mask = self.action_masks().view(np.int8)
        if rows is None:
            return {"observation": batch.observe(self._all, self._seat), "action_mask": mask}
        return {"observation": batch.observe(rows, self._seat[rows]), "action_mask": mask[rows]}

    def _info(self, rows: Int64Array, mask: np.ndarray) -> dict[str, np.ndarray]:
        """What every info has, with the first axis over ``rows``; ``mask`` has their masks."""
        state = self._batch.state
        return {
            "seed": self._seed[rows],
            "match": self._match[rows],
            "deal": state.deal[rows],
            "phase": _WORDS[state.phase[rows]],
            "scores": state.scores.take(rows, axis=0),
            "action_mask": mask.copy(),
            "seat": self._seat[rows],
        }

    def _add_results(self, infos: Infos, over: Int64Array, illegal: Int64Array) -> None:
        """What infos have at the end of an episode."""
        state = self._batch.state
        if len(over):
            results = {
                "points": state.points[over],
                "score_change": state.score_change[over],
                "winner": state.winner[over].astype(np.int64),
                "redeal": state.redeal[over],
            }
            self._add(infos, over, results)
        if len(illegal):
            names = np.array([f"player_{seat}" for seat in range(self.rules.seats)], object)
            self._add(infos, illegal, {"illegal_action_by": names[self._seat[illegal]]})

    def _add(self, infos: Infos, rows: Int64Array, columns: dict[str, np.ndarray]) -> None:
        """Columns over some environments to arrays over all of them, and masks of those that have one."""
        for key, values in columns.items():
            if rows is self._all:
                infos[key], infos[f"_{key}"] = values, np.ones(self.num_envs, np.bool_)
                continue
            shape = (self.num_envs, *values.shape[1:])
            everywhere = np.full(shape, None if values.dtype == object else 0, values.dtype)
            there = np.zeros(self.num_envs, np.bool_)
            everywhere[rows] = values
            there[rows] = True
            infos[key], infos[f"_{key}"] = everywhere, there

    # --- what is given

    def _checked(self, actions: Any) -> Int64Array:
        """A step's actions as an array; raises where there is nothing to step or these are no actions."""
        if (self._seed == NONE).any():
            raise gymnasium.error.ResetNeeded("step() was called before reset()")
        if self.autoreset_mode is AutoresetMode.DISABLED and self._ended.any():
            raise gymnasium.error.ResetNeeded(
                f"environment {int(self._ended.argmax())} has ended: reset it, "
                "reset(options={'reset_mask': terminations | truncations})"
            )
        given = np.asarray(actions)
        if given.shape != (self.num_envs,) or given.dtype.kind not in "iu":
            raise ValueError(
                f"actions cannot be an array of shape {given.shape} and type {given.dtype}; they are "
                f"{self.num_envs} whole numbers"
            )
        return given.astype(np.int64, copy=False)

    def _reset_mask(self, given: Any) -> BoolArray:
        mask = np.asarray(given)
        if mask.shape != (self.num_envs,) or mask.dtype != np.bool_ or not mask.any():
            raise ValueError(
                f"options['reset_mask'] cannot be {given!r}; it is an array of {self.num_envs} booleans, some of "
                "them true"
            )
        return mask

    def _seeds(self, seed: int | Sequence[int | None] | None) -> Int64Array:
        """``(n,)`` the seed given for each environment; NONE where there is none."""
        if seed is None:
            return np.full(self.num_envs, NONE, np.int64)
        if not isinstance(seed, Sequence):
            return whole("seed", seed, self.num_envs) + self._all
        if len(seed) != self.num_envs:
            raise ValueError(f"seed cannot be {len(seed)} numbers; there are {self.num_envs} environments")
        return np.array([NONE if one is None else whole("seed", one) for one in seed], np.int64)

    def _number(self, rows: Int64Array, seeds: Int64Array, match: int | None) -> None:
        """Write down the seeds and matches that some environments play next."""
        goes_on = (seeds == NONE) & (self._seed[rows] != NONE)
        new = np.where(goes_on, self._seed[rows], seeds)
        without = np.flatnonzero(new == NONE)
        new[without] = secrets.randbits(32) + without
        self._seed[rows] = new
        self._match[rows] = np.where(goes_on, self._match[rows] + 1, 0) if match is None else match


def _autoreset_mode(given: AutoresetMode | str) -> AutoresetMode:
    try:
        return AutoresetMode(given)
    except ValueError:
        right = " or ".join(repr(mode.value) for mode in AutoresetMode)
        raise ValueError(f"autoreset_mode cannot be {given!r}; it is {right}, or an AutoresetMode") from None
