"""The program of each kind of exchange, from the rules: the order of things, and nothing about how they are done."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial

from pedro_env.actions import Phase
from pedro_env.phases.dealing import deal_after_trump
from pedro_env.phases.exchange import choices, moves
from pedro_env.phases.exchange.steps import (
    Cards,
    Choose,
    Do,
    OfferFold,
    Seats,
    Step,
    dealer,
    declarer,
    defender,
    from_eldest,
    partner_of,
    right_of,
)
from pedro_env.rules import Exchange, Rules, Surplus
from pedro_env.state import State
from pedro_env.tables import Tables
from pedro_env.typing import IntArray

Program = tuple[Step, ...]


@lru_cache(maxsize=256)
def program_of(t: Tables) -> Program:
    """The steps between the naming of trumps and the first lead."""
    return tuple(_PROGRAMS[t.rules.exchange](t.rules))


# --- building blocks


def _for_each(seats: list[Seats], steps: Callable[[Seats], list[Step]]) -> list[Step]:
    return [step for seat in seats for step in steps(seat)]


def _everybody(rules: Rules) -> list[Seats]:
    """From eldest on, the dealer last."""
    return [from_eldest(place) for place in range(rules.seats)]


def _others(rules: Rules) -> list[Seats]:
    """From eldest on, without the dealer."""
    return _everybody(rules)[:-1]


def _lay_aside(rules: Rules, seat: Seats, cards: Cards) -> Step:
    return Choose(Phase.DISCARD, seat, cards, face_up=rules.discard_face_up)


def _all_plain_go(seat: Seats) -> Step:
    def plain(t: Tables, s: State, rows: IntArray) -> None:
        moves.lay_aside_plain_of(t, s, rows, seat(t, s, rows))

    return Do(plain)


def _surplus(rules: Rules, seat: Seats) -> list[Step]:
    """More trumps than a hand are laid aside, where the rules say so: point trumps last, if at all."""
    face_up = rules.surplus_face_up or rules.discard_face_up
    if rules.surplus is Surplus.DISCARD_FOR_OPPONENTS:
        return [Choose(Phase.DISCARD, seat, choices.any_surplus, face_up=face_up)]
    if rules.surplus is not Surplus.DISCARD:
        return []
    return [
        Choose(Phase.DISCARD, seat, choices.surplus_without_points, face_up=face_up),
        Choose(Phase.DISCARD, seat, choices.least_valuable_surplus, face_up=face_up),
    ]


def _give_surplus(seat: Seats) -> list[Step]:
    """3.5: to the partner, who lays trumps without points aside, and gives back what is still too much."""
    partner = partner_of(seat)
    given_back = choices.if_gave(seat, choices.any_surplus)
    return [
        Choose(Phase.GIVE, seat, choices.any_surplus, receiver=partner),
        Choose(Phase.DISCARD, partner, choices.if_gave(seat, choices.surplus_without_points)),
        Choose(Phase.GIVE, partner, given_back, receiver=seat),
        Choose(Phase.DISCARD, seat, choices.surplus_without_points),
    ]


def _give_surplus_right(seat: Seats, cards: Cards) -> Step:
    """3.3 tennessee."""
    return Choose(Phase.GIVE, seat, cards, receiver=right_of(seat))


def _take_from_stock() -> Step:
    return Choose(Phase.ROB, dealer, choices.from_stock)


# --- the programs


def _none(rules: Rules) -> list[Step]:
    return []


def _fill(rules: Rules) -> list[Step]:
    return [Do(moves.lay_aside_plain), Do(moves.fill_all)]


def _rob(rules: Rules) -> list[Step]:
    """RULES 2.6–2.8, 7.13, 7.14."""
    return [
        *_discard_before_rob(rules),
        Do(moves.fill_others),
        *([Do(moves.add_discards_to_stock)] if rules.rob_discards else []),
        Do(moves.rob_trumps),
        Do(moves.rob_top_plain) if rules.rob_top_plain else _take_from_stock(),
        Do(moves.make_up_dealer),
        *([_lay_aside(rules, dealer, choices.plain_down_to_hand)] if rules.keep_plain else []),
        *_surplus_after_rob(rules),
    ]


def _discard_before_rob(rules: Rules) -> list[Step]:
    """All plain cards go at once where nobody has a choice; otherwise each seat makes its choices in its turn."""
    surplus = [] if rules.rob_top_plain else _surplus(rules, dealer)
    if not (rules.keep_plain or rules.rob_discards or surplus):
        return [Do(moves.lay_aside_plain)]
    plain = [_lay_aside(rules, dealer, choices.any_plain)] if rules.keep_plain else [_all_plain_go(dealer)]
    return [*_for_each(_others(rules), partial(_discard_in_turn, rules)), *plain]


def _discard_in_turn(rules: Rules, seat: Seats) -> list[Step]:
    """7.13, 7.14: what one of the three others may do before the fills."""
    if rules.keep_plain and rules.rob_discards:
        return [_lay_aside(rules, seat, choices.any_down_to_hand)]
    if rules.keep_plain:
        return [_lay_aside(rules, seat, choices.any_plain), *_surplus(rules, seat)]
    if rules.rob_discards:
        trumps = choices.any_trumps_down_to_hand if _surplus(rules, seat) else choices.any_trumps
        return [_all_plain_go(seat), _lay_aside(rules, seat, trumps)]
    return [_all_plain_go(seat), *_surplus(rules, seat)]


def _surplus_after_rob(rules: Rules) -> list[Step]:
    """The dealer's own; everybody's where there is nothing to fill from it (3.1 pidro)."""
    if rules.rob_top_plain:
        return _for_each(_everybody(rules), partial(_surplus, rules))
    return _surplus(rules, dealer)


def _choose_and_rob(rules: Rules) -> list[Step]:
    """3.1 cinch, nicaragua."""
    any_cards = choices.any_that_can_be_filled if rules.min_discard else choices.any_down_to_hand
    return [
        *(_lay_aside(rules, seat, any_cards) for seat in _everybody(rules)),
        Do(moves.fill_others),
        *([Do(moves.add_discards_to_stock)] if rules.rob_discards else []),
        Do(moves.see_stock),
        _take_from_stock(),
        *([Do(moves.open_trumps_of_stock)] if rules.discards_count else []),
    ]


def _shed(rules: Rules) -> list[Step]:
    """3.2 monterey-widow, 3.4 king-pedro, 3.5 sixty-three, 3.6 five-handed."""
    return [
        *([Do(deal_after_trump)] if rules.dealt_after_trump else []),
        *_for_each(
            _everybody(rules),
            lambda seat: [_lay_aside(rules, seat, choices.plain_down_to_hand), *_surplus(rules, seat)],
        ),
    ]


def _shed_and_fold(rules: Rules) -> list[Step]:
    """3.4 king-pedro-ukrainian."""

    def shed(seat: Seats) -> list[Step]:
        without_points, least_valuable = _surplus(rules, seat)

        def the_two(t: Tables, s: State, rows: IntArray) -> None:
            moves.discard_the_two(t, s, rows, seat(t, s, rows))

        plain = _lay_aside(rules, seat, choices.plain_down_to_hand)
        return [plain, without_points, Do(the_two), least_valuable]

    everybody = _everybody(rules)
    return [Do(deal_after_trump), *(OfferFold(seat) for seat in everybody), *_for_each(everybody, shed)]


def _shed_and_give(rules: Rules) -> list[Step]:
    """3.5 eighty-three."""
    everybody = _everybody(rules)
    return [
        *_for_each(everybody, _give_surplus),
        *(_lay_aside(rules, seat, choices.plain_down_to_hand) for seat in everybody),
    ]


def _give_fill_and_keep(rules: Rules) -> list[Step]:
    """3.5, the option exchange="fill"."""
    return [
        Do(moves.lay_aside_plain),
        *_for_each(_everybody(rules), _give_surplus),
        Do(moves.fill_others),
        Do(moves.rob_trumps),
        _take_from_stock(),
        Do(moves.make_up_dealer),
        *_surplus(rules, dealer),
    ]


def _widow(rules: Rules) -> list[Step]:
    """3.3 tennessee, 7.26."""

    def slide_surplus(seat: Seats) -> list[Step]:
        partner = partner_of(seat)
        return [
            Choose(Phase.GIVE, seat, choices.any_surplus, receiver=partner),
            _lay_aside(rules, partner, choices.if_gave(seat, choices.plain_down_to_hand)),
            _give_surplus_right(partner, choices.if_gave(seat, choices.any_surplus)),
        ]

    def back_to_a_hand(seat: Seats) -> list[Step]:
        return [
            _lay_aside(rules, seat, cards)
            for cards in (choices.plain_down_to_hand, choices.surplus_without_points, choices.least_valuable_surplus)
        ]

    defenders, partner = [defender(0), defender(1)], partner_of(declarer)
    return [
        Do(moves.lay_aside_plain_of_all_but_declarer),
        Do(moves.fill_all_but_declarer),
        Do(moves.take_widow),
        *_for_each(defenders, slide_surplus),
        Choose(Phase.GIVE, declarer, choices.slide, receiver=partner),
        _lay_aside(rules, declarer, choices.plain_down_to_hand),
        _lay_aside(rules, partner, choices.plain_down_to_hand),
        _give_surplus_right(partner, choices.any_surplus),
        *_for_each(defenders, back_to_a_hand),
    ]


def _kitty(rules: Rules) -> list[Step]:
    """3.4 lipton."""
    return [_lay_aside(rules, declarer, choices.for_kitty)]


def _mix(rules: Rules) -> list[Step]:
    """3.4 isle-madame, 7.27."""

    others = _others(rules)
    return [
        *(_all_plain_go(seat) for seat in others),
        *_for_each(others, partial(_surplus, rules)),
        Do(moves.fill_others),
        Do(moves.mix_stock_with_hand),
        _take_from_stock(),
        *_surplus(rules, dealer),
    ]


_PROGRAMS: dict[Exchange, Callable[[Rules], list[Step]]] = {
    Exchange.NONE: _none,
    Exchange.FILL: _fill,
    Exchange.ROB: _rob,
    Exchange.CHOOSE_AND_ROB: _choose_and_rob,
    Exchange.SHED: _shed,
    Exchange.SHED_AND_FOLD: _shed_and_fold,
    Exchange.SHED_AND_GIVE: _shed_and_give,
    Exchange.GIVE_FILL_AND_KEEP: _give_fill_and_keep,
    Exchange.WIDOW: _widow,
    Exchange.KITTY: _kitty,
    Exchange.MIX: _mix,
}
