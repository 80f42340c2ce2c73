"""The bids of a game that are no more than a number."""

from __future__ import annotations

from pedro_env.cards import NONE, SUITS
from pedro_env.rules import AllPass
from pedro_env.tables import Tables


def plain_bids(t: Tables) -> tuple[list[int], list[int]]:
    """The bids that are no more than a number: those of any seat, and what the dealer has when all the others pass.

    Special bids (moon, in the dark …) are left out: whether they may be bid hangs on hands or scores.
    """
    bids, rules = t.actions.bids, t.rules
    names = [f"{bid.number}{'' if bid.suit == NONE else SUITS[bid.suit]}" for bid in bids]
    plain = [place for place, bid in enumerate(bids) if bid.name == names[place]]
    open_to_all = [place for place in plain if bids[place].number >= rules.min_bid]
    forced = [place for place in plain if bids[place].number == rules.forced_bid]
    return open_to_all, [] if rules.all_pass is AllPass.REDEAL else forced
