"""Which games and positions are solved, and what is left out."""

from __future__ import annotations

import numpy as np

from agents.errors import AgentError
from pedro_env.actions import Phase
from pedro_env.rules import DropOut, Rules, Teams
from pedro_env.state import State
from pedro_env.typing import IntArray

PHASES = (Phase.BURY, Phase.PLAY)
"""The play of the cards. (A trump is called in games without fixed partners alone.)"""


def not_modelled(rules: Rules) -> tuple[str, ...]:
    """The actions that are treated as never chosen: a seat may leave the deal, or end it, but does not."""
    return ("fold",) * (rules.drop_out is DropOut.MAY_FOLD) + ("concede",) * rules.concede


def check_rules(rules: Rules) -> None:
    """Raise ``AgentError``, where the play by some rules cannot be solved."""
    if rules.teams is not Teams.PARTNERS:
        raise AgentError(
            f"the solver needs two sides of fixed partners; {rules.variant!r} here has teams={rules.teams.value!r}"
        )


def check_phases(s: State, rows: IntArray) -> None:
    """Raise ``AgentError``, where a game is not in the play of the cards."""
    wrong = ~np.isin(s.phase[rows], PHASES)
    if wrong.any():
        row = int(rows[wrong.argmax()])
        word = Phase(s.phase[row]).word
        raise AgentError(f"row {row} is in the phase {word!r}; the solver solves the phases 'bury' and 'play'")
