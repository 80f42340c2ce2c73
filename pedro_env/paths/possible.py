"""Which rare paths a game's rules allow at all."""

from __future__ import annotations

from pedro_env.actions import actions_of
from pedro_env.cards import NONE
from pedro_env.layout import stock_size
from pedro_env.rules import (
    DoubleFinish,
    DropOut,
    Exchange,
    Follow,
    Rules,
    Scoring,
    Surplus,
    Teams,
)


def always(rules: Rules) -> bool:
    return True


def has_bid_named(name: str, rules: Rules) -> bool:
    return actions_of(rules).bid_of(name) != NONE


def fills_more_than_there_is(rules: Rules) -> bool:
    """Hands that want to be filled, all of them plain, would take more than the stock."""
    filled = rules.seats - (rules.exchange is not Exchange.FILL)
    fills = rules.exchange in (Exchange.FILL, Exchange.ROB, Exchange.MIX, Exchange.GIVE_FILL_AND_KEEP)
    return fills and filled * rules.hand > stock_size(rules)


def dealer_may_be_short(rules: Rules) -> bool:
    return rules.exchange in (Exchange.ROB, Exchange.GIVE_FILL_AND_KEEP) or (
        rules.exchange is Exchange.FILL and fills_more_than_there_is(rules)
    )


def trumps_gather(rules: Rules) -> bool:
    """A seat can have more trumps than a hand after the exchange has begun."""
    return rules.exchange not in (Exchange.NONE, Exchange.FILL, Exchange.CHOOSE_AND_ROB)


def most_trumps(rules: Rules) -> int:
    """The most trumps that one seat can have: where the dealer robs what the fills leave over, some are elsewhere."""
    trumps = len(rules.trump_order)
    if rules.exchange is not Exchange.ROB or rules.keep_plain or rules.rob_discards:
        return trumps
    dealt = min(rules.dealt, trumps)
    # A trump in another hand leaves one card more in the stock; with none, so many would be left over:
    left_over = stock_size(rules) - (rules.seats - 1) * rules.hand
    return dealt + max(0, (trumps - dealt + left_over) // 2)


def point_trumps_gather(rules: Rules) -> bool:
    return trumps_gather(rules) and len(rules.points) > rules.hand


def point_trump_may_go(rules: Rules) -> bool:
    of_choice = (
        rules.exchange is Exchange.CHOOSE_AND_ROB
        or rules.rob_discards
        or rules.surplus is Surplus.DISCARD_FOR_OPPONENTS
    )
    for_want_of_others = point_trumps_gather(rules) and (
        (rules.surplus is Surplus.DISCARD and rules.exchange is not Exchange.SHED_AND_GIVE)
        or rules.exchange in (Exchange.KITTY, Exchange.WIDOW)
    )
    return of_choice or for_want_of_others


def two_may_be_buried(rules: Rules) -> bool:
    if rules.surplus not in (Surplus.BURY_FIRST_TRICK, Surplus.BURY_LOWEST_EACH_TRICK):
        return False
    return rules.teams is Teams.CALLED or point_trumps_gather(rules)


def gives_surplus(rules: Rules) -> bool:
    return rules.exchange in (Exchange.SHED_AND_GIVE, Exchange.GIVE_FILL_AND_KEEP)


def lead_may_pass(rules: Rules) -> bool:
    return rules.drop_out in (DropOut.NO_TRUMP, DropOut.MAY_FOLD, DropOut.LAY_DOWN)


def one_seat_may_be_left(rules: Rules) -> bool:
    return rules.drop_out is not DropOut.NEVER and rules.follow is not Follow.TRUMPS_ONLY


def double_finish_possible(rules: Rules) -> bool:
    """Two sides can gain in one deal, enough for a side that is not locked."""
    if rules.scoring in (Scoring.FOSTER, Scoring.BICYCLE):
        return False
    return not rules.locked_at or rules.target - rules.locked_at + 1 + rules.min_bid <= rules.total_points


def lower_score_may_win(rules: Rules) -> bool:
    if rules.moon or rules.double_finish is DoubleFinish.BIDDER_OUT:
        return True
    return rules.double_finish is not DoubleFinish.HIGHER and double_finish_possible(rules)


def may_fold_before_play(rules: Rules) -> bool:
    return rules.exchange is Exchange.SHED_AND_FOLD


def widow(rules: Rules) -> bool:
    return rules.exchange is Exchange.WIDOW


def has_top_bid(rules: Rules) -> bool:
    return rules.top_bid_bonus > 0 or rules.top_bid_loss > 0


def called(rules: Rules) -> bool:
    return rules.teams is Teams.CALLED


def plays_bidder_out(rules: Rules) -> bool:
    return rules.double_finish is DoubleFinish.BIDDER_OUT
