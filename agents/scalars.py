"""The figures of an iteration that people watch, from the sums of all processes (``rollout_sums``, ``ppo``)."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from agents.ppo import explained_variance
from agents.setting import PAST
from pedro_env.actions import Phase
from pedro_env.cards import N_SUITS, SUITS
from pedro_env.typing import Int64Array

PLACES = ("1st", "2nd", "3rd", "4th", "5th", "6th", "7th")
"""Places in the auction, by when they are asked first; the last one is the dealer."""


def scalars_of(sums: dict[str, float], fixed_agents: Sequence[str]) -> dict[str, float]:
    """By name, as in TensorBoard; NaN where there was nothing to count."""

    def per(name: str, unit: str) -> float:
        return sums[name] / sums[unit] if sums[unit] else math.nan

    named = np.array([sums[f"named_{suit}"] for suit in range(N_SUITS)])
    shares = named / max(1.0, named.sum())
    scalars = {
        "loss/policy": per("loss_policy", "steps"),
        "loss/value": per("loss_value", "steps"),
        "train/entropy": per("entropy", "steps"),
        "train/approx_kl": per("kl", "steps"),
        "train/clip_fraction": per("clipped", "steps"),
        "train/explained_variance": explained_variance(sums),
        "train/gradient_norm": per("gradient_norm", "steps"),
        "deals/bid_rate": per("bids_made", "bids_asked"),
        "deals/made_rate": per("contracts_made", "contracts"),
        "deals/set_rate": 1 - per("contracts_made", "contracts"),
        "deals/mean_bid": per("bid_total", "contracts"),
        "deals/declarer_points": per("declarer_change", "contracts"),
        "deals/points_a_deal": per("score_total", "contracts"),
        "deals/entropy_of_named_suit": float(-(shares[named > 0] * np.log2(shares[named > 0])).sum()),
    }
    scalars |= {f"named/{suit}": float(share) for suit, share in zip(SUITS, shares, strict=True)}
    for phase in range(Phase.OVER):
        scalars[f"entropy/{Phase(phase).word}"] = per(f"entropy_{phase}", f"decisions_{phase}")
    for place, counts in enumerate(bid_levels(sums)):
        bids = counts[1:].sum()
        scalars[f"bids/{PLACES[place]} bids"] = float(bids / counts.sum()) if counts.sum() else math.nan
        scalars[f"bids/{PLACES[place]} mean"] = float(counts @ np.arange(len(counts)) / bids) if bids else math.nan
    for number, name in enumerate(["past selves", *fixed_agents], PAST):
        scalars[f"league/{name}"] = per(f"gain_{number}", f"deals_{number}")
    return scalars


def bid_levels(sums: dict[str, float]) -> Int64Array:
    """``(seats, levels)`` choices in the auction by place and level; in column 0 the passes."""
    names = [name.split("_")[1:] for name in sums if name.startswith("bids_") and name.count("_") == 2]
    seats, levels = (1 + max(int(name[i]) for name in names) for i in range(2))
    return np.array([[int(sums[f"bids_{seat}_{level}"]) for level in range(levels)] for seat in range(seats)])


def made_by_level(sums: dict[str, float]) -> dict[int, tuple[int, int]]:
    """Contracts made and set, by the level of the bid; levels without a contract are left out."""
    levels = [int(name.removeprefix("made_")) for name in sums if name.startswith("made_")]
    made = {level: (int(sums[f"made_{level}"]), int(sums[f"set_{level}"])) for level in levels}
    return {level: counts for level, counts in made.items() if sum(counts)}
