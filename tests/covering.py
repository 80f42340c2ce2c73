"""Sets of options that cover every pair of values: far fewer games than all combinations have."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

from pedro_env.rules import RulesError
from pedro_env.variants import VARIANTS, make_rules

DEFAULT = "(left out)"
"""The value of an option that is left out."""

SOME_NUMBERS = {"min_bid": (6,), "forced_bid": (7,), "target": (51,), "seats": (5, 6, 7)}
"""Values to try of options that are any number within limits."""

Pair = tuple[tuple[str, Any], tuple[str, Any]]
"""Two options with their values, in the order of their names."""


def values(variant: str) -> dict[str, list[Any]]:
    """The values of each option of a variant, leaving it out among them."""
    found: dict[str, list[Any]] = {}
    for name, option in VARIANTS[variant].options.items():
        some = option.values or SOME_NUMBERS[name]
        found[name] = [DEFAULT, *(value for value in some if make_rules(variant, {name: value}) != make_rules(variant))]
    return found


def playable(variant: str, options: Mapping[str, Any]) -> bool:
    """Whether options do not contradict each other (RULES 7.18, 3.6)."""
    try:
        make_rules(variant, given(options))
    except RulesError:
        return False
    return True


def given(options: Mapping[str, Any]) -> dict[str, Any]:
    """The options without those that are left out."""
    return {name: value for name, value in options.items() if value is not DEFAULT}


def alone(variant: str) -> list[dict[str, Any]]:
    """Each value of each option by itself."""
    return [{name: value} for name, some in values(variant).items() for value in some if value is not DEFAULT]


def pairwise(variant: str) -> list[dict[str, Any]]:
    """Sets of options such that every two values that do not contradict each other stand in one of them."""
    choices = values(variant)
    missing = {
        pair
        for a, b in itertools.combinations(sorted(choices), 2)
        for pair in itertools.product([(a, value) for value in choices[a]], [(b, value) for value in choices[b]])
        if playable(variant, dict(pair))
    }
    sets: list[dict[str, Any]] = []
    while missing:
        chosen = dict(min(missing, key=repr))
        for name in choices:
            if name not in chosen:
                chosen[name] = _best(variant, chosen, name, choices[name], missing)
        missing -= _pairs(chosen)
        sets.append(given(chosen))
    return sets


def _best(variant: str, chosen: Mapping[str, Any], name: str, some: Sequence[Any], missing: set[Pair]) -> Any:
    """The value that goes with those chosen and makes up most of the missing pairs."""
    possible = [value for value in some if playable(variant, {**chosen, name: value})]
    return max(possible, key=lambda value: len(_pairs({**chosen, name: value}) & missing))


def _pairs(options: Mapping[str, Any]) -> set[Pair]:
    return set(itertools.combinations(sorted(options.items()), 2))
