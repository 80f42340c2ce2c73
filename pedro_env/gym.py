"""Pedro as a Gymnasium environment, ``pedro_env/Pedro-v0``: one learner, agents in the other seats.

::

    import gymnasium
    import pedro_env  # registers the environment

    env = gymnasium.make("pedro_env/Pedro-v0", opponents="agents.registry:heuristic-1")
    observation, info = env.reset(seed=1)
    ended = False
    while not ended:
        action = env.action_space.sample(observation["action_mask"])
        observation, reward, terminated, truncated, info = env.step(action)
        ended = terminated or truncated

It is the PettingZoo environment (``pedro_env.aec``) seen from the learner's seat. Spaces, observations, masks and the
arguments ``variant``, ``episode``, ``max_deals``, ``illegal_action``, ``render_mode`` and the options of the rules are
those described there. ``env.unwrapped.action_masks()`` is the mask as booleans, as sb3-contrib wants it.

**Seats.** ``seat=0`` is the learner's. ``seat=(0, 2)`` gives it both seats of a side, one decision at a time:
``info["seat"]`` says whose it is, and the observation is that seat's alone. ``opponents`` says who plays the others
(``pedro_env.opponents``); a partner is one of them.

**Steps.** Between two decisions of the learner the others play by themselves, in ``reset`` as well. A deal may end
before the learner has had any decision (a redeal, for one). As no step would then report its end, ``reset`` skips an
episode like that and goes on to the next match number; ``info["match"]`` names the one that it came to. With
``episode="match"`` that takes a whole match without a decision: a deal without one is just played through.

**Rewards** are those of the learner's side, at the end of the episode, and 0 before. ``illegal_action="terminate"``
ends it with -1, terminated and not truncated. A match that is cut off is truncated and not terminated.

**Seeds** are those of the PettingZoo environment: ``reset(seed=s)`` is match 0 of seed ``s``, ``reset()`` the next
match, ``reset(seed=s, options={"match": m})`` match ``m``. The same numbers deal the same cards there, here, in
``pedro_env.vector`` and in a ``Batch``.

**Positions** are options of ``reset`` as there: ``"pack"``, ``"dealer"``, ``"scores"`` and ``"actions"``. The given
actions are those of all seats, the learner's too, and are taken as they are: no opponent is asked until they are all
taken; then the others play on to the learner's first decision. Where the opponents' play ends the episode before it
has one, ``reset`` raises ``ValueError``: another deal would not be the position that was asked for.

**info** is that of the PettingZoo environment and ``seat``, in types that vector environments can stack: ``scores``,
``points`` and ``score_change`` are int16 arrays (one number a side; one a seat where there are no fixed sides), and
``winner`` is -1 where nobody has won.
"""

from __future__ import annotations

from typing import Any, ClassVar

import gymnasium
import numpy as np

from pedro_env.aec import RENDER_MODES, Observation, raw_env
from pedro_env.cards import NONE
from pedro_env.engine import Batch
from pedro_env.opponents import Opponents, Seat, learners_seats
from pedro_env.positions import KEYS as POSITION
from pedro_env.rules import Rules
from pedro_env.typing import BoolArray, UInt8Array

_ONLY = np.array([0])
"""The one game of the batch."""
_BY_SIDE = ("scores", "points", "score_change")


class PedroEnv(gymnasium.Env[Observation, int]):
    """One learner's view of a game. See the module's docstring."""

    metadata: ClassVar[dict[str, Any]] = {"render_modes": list(RENDER_MODES), "render_fps": 1}  # pyright: ignore[reportIncompatibleVariableOverride]

    def __init__(
        self,
        variant: str = "pedro",
        episode: str = "deal",
        render_mode: str | None = None,
        max_deals: int = 100,
        illegal_action: str = "raise",
        *,
        seat: Seat = 0,
        opponents: Any = None,
        **rule_options: Any,
    ) -> None:
        """Raises ``ValueError`` (``RulesError`` where the rules are meant) that names argument, value and what is
        right."""
        self._game = raw_env(variant, episode, render_mode, max_deals, illegal_action, **rule_options)
        self.render_mode = render_mode
        self.episode = episode
        self.seats = learners_seats(seat, self.rules)
        """The learner's."""
        self.opponents = Opponents(opponents, self.rules, self.seats)
        self.observation_space = self._game.observation_space(self._game.possible_agents[self.seats[0]])
        self.action_space = self._game.action_space(self._game.possible_agents[self.seats[0]])
        self._seat = self.seats[0]
        self._deal = NONE
        self._going_on = False

    @property
    def rules(self) -> Rules:
        """The rules that are played."""
        return self._game.rules

    @property
    def batch(self) -> Batch:
        """The engine's batch, with this one game: the full state, hidden cards too. To be read, not stepped."""
        return self._game.batch

    def action_masks(self) -> BoolArray:
        """``(A,)`` the learner's legal actions; none where the episode is over."""
        return self._observation()["action_mask"].astype(np.bool_)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin an episode and play on to the learner's first decision: see "Seeds", "Positions" and "Steps" above."""
        self._begin(seed, options)
        super().reset(seed=seed)
        self._going_on = False
        while not self._play_on():  # comes to an end: a deal asks its eldest seat first, which changes
            if options and any(name in options for name in POSITION):
                raise ValueError(f"options: the episode ends before a learner's seat {self.seats} has a decision in it")
            self._begin()
        self._going_on = True
        return self._observation(), self._info()

    def step(self, action: int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Take the learner's decision, and play on to its next one or to the end of the episode."""
        if not self._going_on:
            raise gymnasium.error.ResetNeeded("step() was called, but no episode is going on: call reset() first")
        game = self._game
        game.step(action)
        self._going_on = self._play_on()
        agent = game.possible_agents[self._seat]
        terminated = game.terminations[agent]
        # An illegal action is both in PettingZoo; a Gymnasium environment that is terminated needs no limit besides.
        truncated = game.truncations[agent] and not terminated
        return self._observation(), float(game.rewards[agent]), terminated, truncated, self._info()

    def render(self) -> str | UInt8Array | None:  # pyright: ignore[reportIncompatibleMethodOverride]
        """The table, every hand open: as text, as a picture, or in a window (``render_mode``; see ``aec``)."""
        return self._game.render()

    def close(self) -> None:
        """Close the window, if there is one."""
        self._game.close()

    def _begin(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self._game.reset(seed, options)
        self._deal = NONE

    def _play_on(self) -> bool:
        """Let the others decide until it is the learner's turn (true) or the episode is over (false)."""
        game, state = self._game, self.batch.state
        while not any(game.terminations.values()) and not any(game.truncations.values()):
            if state.deal[0] != self._deal:
                self._deal = int(state.deal[0])
                self.opponents.begin(_ONLY)
            to_act = int(state.to_act[0])
            if to_act in self.seats:
                self._seat = to_act
                return True
            game.step(int(self.opponents.act(self.batch, _ONLY)[0]))
        return False

    def _observation(self) -> Observation:
        return self._game.observe(self._game.possible_agents[self._seat])

    def _info(self) -> dict[str, Any]:
        info = {**self._game.infos[self._game.possible_agents[self._seat]], "seat": self._seat}
        for name in _BY_SIDE:
            if name in info:
                info[name] = np.array(info[name], np.int16)
        if "winner" in info and info["winner"] is None:
            info["winner"] = NONE
        return info
