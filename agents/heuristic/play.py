"""Card play: every card that may be played is judged by a list of considerations, and the best sum is played.

A consideration is a number that a good player would look at ("a five on a trick that is sure", "third hand lets a five
through"; ``considerations``). What each is worth, by the place in the trick, the seat's part in the deal and how late
it is, stands in the tables, which are estimated from simulated deals (``estimate_play``).
"""

from __future__ import annotations

import numpy as np

from agents.heuristic.choices import Choice, choices
from agents.heuristic.considerations import considerations
from agents.heuristic.knowledge import Floats, know
from pedro_env.typing import Int64Array, IntArray
from pedro_env.views import Views

PLACES, PARTS, STAGES = 7, 4, 3
SITUATIONS = PLACES * PARTS * STAGES


def choose_card(views: Views, weights: Floats) -> IntArray:
    """The card to play, ``(k,)``. ``weights``: ``(situations, considerations)``, see ``situation``."""
    known = know(views)
    choice = choices(views, known)
    mine = weights[situation(views, choice)]
    total = np.where(choice.there, np.float32(0), np.float32(-1e9))
    for i, (_, value) in enumerate(considerations(views, known, choice)):
        total += mine[:, i, None] * value
    return choice.card[np.arange(len(total)), total.argmax(axis=1)]


def situation(views: Views, choice: Choice) -> Int64Array:
    """``(k,)`` which row of the weights counts.

    Place in the trick (lead; second, third, last to a trump; the same to a plain card), part in the deal (declarer
    0, its partner 2, a defender to its right 1 or left 3) and stage (first trick, more than three cards left, fewer).
    """
    seats = views.hand_size.shape[1]
    place = np.where(choice.place == seats - 1, 3, np.minimum(choice.place, 2))
    place = place + 3 * ((place > 0) & (views.led != views.trump))
    declarer = np.where(views.declarer == seats - 1, 3, np.minimum(views.declarer, 2))
    stage = np.where(views.trick == 0, 0, np.where(views.hand_size[:, 0] > 3, 1, 2))
    return (place * PARTS + declarer) * STAGES + stage
