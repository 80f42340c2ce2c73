"""Playing what is not there yet: units of ``arena.UNIT`` pairs, in processes that write each unit as it is done."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np

from agents.arena import UNIT, Duel, Episode, join_units, play_seated
from agents.registry import make_agent
from agents.tournament.folder import Folder, read_unit, write_unit
from agents.tournament.setups import Setup
from agents.workers import run_tasks
from pedro_env.agent import Agent
from pedro_env.rules import Rules


@dataclass(frozen=True)
class Task:
    """One unit of work, and the file in which it is kept."""

    setup: Setup
    rules: Rules
    seed: int
    episode: Episode
    first: int
    """The first match number."""
    pairs: int
    place: Path


def missing_tasks(
    folder: Folder, setups: Sequence[Setup], rules: Rules, deals: int, seed: int, episode: Episode
) -> list[Task]:
    """What is left to do. Every setup's first unit comes before any second one, so that an interrupted tournament
    has about as many deals of each."""
    tasks = [
        Task(setup, rules, seed, episode, first, pairs, folder.place(setup, first, pairs))
        for first, pairs in _units(deals)
        for setup in setups
    ]
    return [task for task in tasks if read_unit(task.place, task.setup, task.pairs) is None]


def play(tasks: Sequence[Task], workers: int, on_progress: Callable[[int], None]) -> None:
    """Play units and keep them; ``on_progress`` is told the tables that were played."""
    # A new cache for every call: what a path leads to may change between calls.
    workers = min(workers, len(tasks))
    function = _Player() if workers <= 1 else _play_in_worker
    with closing(run_tasks(function, tasks, workers)) as results:
        for tables in results:
            on_progress(tables)


def finished(folder: Folder, setups: Sequence[Setup], deals: int) -> tuple[int, dict[Setup, Duel]]:
    """How many pairs of every setup are there from the first on, the same for all, and those."""
    done = 0
    units: list[list[Duel]] = []  # a row a unit, a column a setup
    for first, pairs in _units(deals):
        row = [read_unit(folder.place(setup, first, pairs), setup, pairs) for setup in setups]
        whole = [unit for unit in row if unit is not None]
        if len(whole) < len(row):
            break
        units.append(whole)
        done += pairs
    kept = {setup: join_units([row[i] for row in units]) for i, setup in enumerate(setups)} if units else {}
    return done, kept


def _units(deals: int) -> list[tuple[int, int]]:
    """First match number and pairs of each unit."""
    return [(first, min(UNIT, deals - first)) for first in range(0, deals, UNIT)]


class _Player:
    """Plays units, and keeps the agents for the next one."""

    def __init__(self) -> None:
        self.agents: dict[tuple[int, str, Rules], Agent] = {}

    def __call__(self, task: Task) -> int:
        """The number of tables that were played."""
        agents = [self._agent(place, spec, task.rules) for place, spec in enumerate(task.setup.agents)]
        matches = np.arange(task.first, task.first + task.pairs)
        seatings = task.setup.seatings(task.rules.seats)
        duel = play_seated(agents, task.setup.party, seatings, task.rules, matches, task.seed, task.episode)
        write_unit(task.place, task.setup, duel)
        return duel.deals.size

    def _agent(self, place: int, spec: str, rules: Rules) -> Agent:
        key = (place, spec, rules)
        if key not in self.agents:
            self.agents[key] = make_agent(spec, rules)
        return self.agents[key]


@lru_cache(maxsize=1)
def _worker_player() -> _Player:
    return _Player()


def _play_in_worker(task: Task) -> int:
    """A worker process lives for one call of ``play``, and so does what it keeps."""
    return _worker_player()(task)
