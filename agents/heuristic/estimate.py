"""Makes the tables of ``heuristic-1`` from simulated deals: ``python -m agents.heuristic.estimate``.

    python -m agents.heuristic.estimate --out tables.json [--seed 1] [--play-deals 40000] [--auction-deals 60000]

Starts from a player that has been told next to nothing and lets card play and auction improve in turn. The same
seed gives the same tables on the same machine (elsewhere, sums in another order may change a last digit).
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

import numpy as np

from agents.heuristic import tables as tables_module
from agents.heuristic.bidding import FIGURES, LEVELS, SITUATIONS
from agents.heuristic.estimate_auction import first_worth, improve_auction, simulate
from agents.heuristic.estimate_play import Moments, consideration_names, improve_play
from agents.heuristic.play import SITUATIONS as PLAY_SITUATIONS
from agents.heuristic.tables import Tables
from agents.heuristic.valuation import features
from pedro_env.rules import STANDARD_TRUMPS, Rules
from pedro_env.variants import make_rules

_FIRST_RATING = {"A": 3.0, "K": 1.6, "Q": 1.3, "J": 1.2, "T": 1.0, "2": 1.3, "always": 4.0}
_FIRST_PLAY = {
    "win, points on the table": 1.0,
    "win, its own five": 1.0,
    "win, its own small point": 1.0,
    "win, partner may add": 0.7,
    "lets a five through": -4.0,
    "share of trumps above": 0.5,
    "boss": -1.0,
}
_FADE = 0.7
"""How much the deals of the round before count."""


def first_tables(rules: Rules) -> Tables:
    """A player that knows that high trumps are good and that points are to be won."""
    one_hand = np.zeros((1, len(STANDARD_TRUMPS)), np.float32)
    rating = np.array([_FIRST_RATING.get(name, 0.6 * (name in STANDARD_TRUMPS)) for name, _ in features(one_hand)])
    tables = Tables(
        rating=np.tile(rating, (4, 1)).astype(np.float32),
        auction=first_worth().astype(np.float32),
        branches=np.zeros((4, SITUATIONS, LEVELS, len(FIGURES)), np.float32),
        outcomes=np.array([[7, 9, 1]], np.float32),
        play=np.zeros((PLAY_SITUATIONS, 1), np.float32),
    )
    play = [_FIRST_PLAY.get(name, 0.0) for name in consideration_names(rules, tables)]
    return replace(tables, play=np.tile(play, (PLAY_SITUATIONS, 1)).astype(np.float32))


def estimate(seed: int, play_deals: int, auction_deals: int, cycles: int = 2, rounds: int = 6) -> Tables:
    """Card play for some rounds, then the auction; and again."""
    rules = make_rules("pedro")
    tables = first_tables(rules)
    for cycle in range(cycles):
        moments = Moments.none(tables.play.shape[1])
        for round_ in range(rounds):
            moments.fade(_FADE)
            tables = improve_play(rules, tables, moments, play_deals, seed + 1000 * cycle + round_)
            print(f"cycle {cycle + 1}, card play {round_ + 1} of {rounds}", flush=True)
        tables, deals = simulate(rules, tables, auction_deals, seed + 1000 * cycle + 500)
        tables = improve_auction(tables, deals, seed + 1000 * cycle + 600)
        print(f"cycle {cycle + 1}, auction", flush=True)
    return tables


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description="Estimate the tables of heuristic-1 from simulated deals.")
    parser.add_argument("--out", type=Path, required=True, help="the JSON file to write")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--play-deals", type=int, default=40_000, help="deals a round of card play")
    parser.add_argument("--auction-deals", type=int, default=60_000, help="deals in which every seat declares")
    parser.add_argument("--cycles", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=6, help="rounds of card play a cycle")
    args = parser.parse_args()
    tables = estimate(args.seed, args.play_deals, args.auction_deals, args.cycles, args.rounds)
    tables_module.save(tables, args.out)
    print(f"wrote {args.out}")


if __name__ == "__main__":
    main()
