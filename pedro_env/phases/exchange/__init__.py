"""From the naming of trumps to the first lead: laying aside, filling, robbing, giving (RULES 2.6–2.8 and the variants).

What happens, and in which order, is a program of steps (``programs``); ``moves`` moves cards, ``choices`` says what a
seat may choose from, ``steps`` puts the two together.
"""

from __future__ import annotations

import numpy as np

from pedro_env.cards import NONE
from pedro_env.cardset import EMPTY
from pedro_env.phases.exchange.moves import take_kitty
from pedro_env.phases.exchange.programs import program_of
from pedro_env.state import State
from pedro_env.tables import Tables
from pedro_env.typing import IntArray, UInt64Array

__all__ = ["apply", "begin", "go_on", "legal", "take_kitty"]


def begin(t: Tables, s: State, rows: IntArray) -> IntArray:
    """At the first step of the program; returns the rows, which are to go on from there."""
    s.step[rows] = 0
    return rows


def legal(t: Tables, s: State, rows: IntArray) -> UInt64Array:
    """The cards that the seat to act may choose from, and whether it may be done with it."""
    words = np.zeros((len(rows), t.legal_words), np.uint64)
    choice = s.choice[rows]
    words[:, 0] = choice
    if t.actions.id_of("done") != NONE:
        words[s.may_stop[rows]] |= t.word("done")
        words[s.may_stop[rows] & (choice == EMPTY)] |= t.word("fold")  # a question with no cards to choose from
    return words


def apply(t: Tables, s: State, rows: IntArray, action: IntArray) -> IntArray:
    """Move one card, or end a choice; returns the rows, which are to go on from there."""
    program = program_of(t)
    step = s.step.take(rows)
    for index in np.bincount(step).nonzero()[0].tolist():
        here = step == index
        program[index].take(t, s, rows[here], action[here])
    return rows


def go_on(t: Tables, s: State, rows: IntArray) -> IntArray:
    """Do all that leaves no choice, from each game's step on; returns the rows in which the program has ended."""
    program = program_of(t)
    step = s.step.take(rows)
    for index in range(int(step.min(initial=len(program))), len(program)):
        here = (step == index).nonzero()[0]
        if len(here):
            asked = program[index].begin(t, s, rows[here])
            step[here] = np.where(asked, index, index + 1)
    s.step[rows] = step
    return rows[step == len(program)]
