"""The rules page, case by case: seats are counted from the dealer, so that nothing depends on where it sits."""

from __future__ import annotations

from typing import Any

import pytest

from pedro_env.engine import Batch
from pedro_env.variants import make_rules
from tests.support import do, hand, legal, one_game, phase, seat, stacked_pack
from tests.test_rules_cases import Zones
from tests.test_rules_cases_exchange import BOTH_FIVES, CINCH_SCORES, NICARAGUA, NICARAGUA_EXCHANGE
from tests.test_rules_cases_exchange_of_kings import FILL, MIXED, UKRAINIAN
from tests.test_rules_cases_house import KEEPING, ROBBING

EIGHTY_THREE: Zones = {0: "AS KS QS JS 8S 7S 6S 4S", 2: "TS 5S 5C 3S 2S XB", 1: "9S"}
TENNESSEE: Zones = {0: "AS KS QS JS TS 9S", 1: "8S", 2: "JC XB XS 7S 6S 5S", 3: "5C 4S 3S 2S"}


def course(zones: Zones, actions: str, variant: str, options: dict[str, Any], turn: int) -> tuple[Batch, list[object]]:
    """A deal with everybody ``turn`` seats on, and all that is asked for, with seats counted as if it were 0."""
    rules = make_rules(variant, options)
    batch = one_game(rules, stacked_pack(rules, 3, zones), (3 + turn) % 4)  # the same cards from eldest on
    asked: list[object] = []
    todo = actions.split()
    while not batch.over[0]:
        asked.append(((seat(batch) - turn) % 4, phase(batch), legal(batch)))
        do(batch, [todo.pop(0) if todo else min(legal(batch))])
    return batch, asked


@pytest.mark.parametrize("turn", [1, 2, 3])
@pytest.mark.parametrize(
    ("variant", "options", "zones", "actions"),
    [
        ("cinch", {}, CINCH_SCORES, f"7 pass pass pass S {BOTH_FIVES}"),
        ("nicaragua", {}, NICARAGUA, f"7 pass pass pass S {NICARAGUA_EXCHANGE} 5S 6S"),
        ("pidro", {}, ROBBING, "7 pass pass pass S"),
        ("louisiana", {}, ROBBING, "pass dark pass pass pass S"),
        ("tennessee", {}, TENNESSEE, "10 pass pass pass S 9S TS done"),
        ("isle-madame", {}, MIXED, "pass 25 pass pass S"),
        ("king-pedro-ukrainian", {}, UKRAINIAN, "pass 30 pass pass S fold"),
        ("eighty-three", {}, EIGHTY_THREE, "30 pass pass pass S AS KS KS 8S"),
        ("eighty-three", FILL, EIGHTY_THREE, "30 pass pass pass S AS KS KS 8S"),
        ("sixty-three", FILL, ROBBING, "30 pass pass pass S"),
        ("pedro", {"keep_plain": True}, KEEPING, "7 pass pass pass S"),
        ("pedro", {"rob_discards": True, "six_at_most": "discard"}, ROBBING, "7 pass pass pass S"),
    ],
)
def test_nothing_depends_on_the_dealers_seat(
    variant: str, options: dict[str, Any], zones: Zones, actions: str, turn: int
) -> None:
    """1, 2.3: the same cards from eldest on, the same questions in the same order, the same result."""
    batch, asked = course(zones, actions, variant, options, 0)
    turned, turned_asked = course(zones, actions, variant, options, turn)
    assert turned_asked == asked
    for name in ("points", "score_change"):
        sides = getattr(batch.state, name)[0].tolist()
        assert getattr(turned.state, name)[0].tolist() == (sides[::-1] if turn % 2 else sides)
    assert [hand(turned, (place + turn) % 4) for place in range(4)] == [hand(batch, place) for place in range(4)]
