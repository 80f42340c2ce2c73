"""Print the weights by which ``heuristic-1`` plays its cards: ``python -m agents.heuristic``."""

from __future__ import annotations

from agents.heuristic.agent import by_place
from agents.heuristic.estimate_play import consideration_names
from agents.heuristic.play import PARTS, STAGES
from agents.heuristic.tables import load
from pedro_env.rules import Rules

rules, tables = Rules(), by_place(load())
names = consideration_names(rules, tables)
print(f"{'what a card is judged by':44}    to a trump lead     to a plain lead")
print(f"{'(points it is worth, as seat to play)':40}lead   2nd   3rd   4th   2nd   3rd   4th")
for name, weights in zip(names, tables.play[:: PARTS * STAGES].T, strict=True):
    print(f"{name:38}" + "".join(f"{weight:6.1f}" for weight in weights))
