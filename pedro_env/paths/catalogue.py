"""The rare paths: what each is, which rules have it, and how it is seen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from pedro_env.cards import N_CARDS
from pedro_env.paths import looks, possible
from pedro_env.paths.looks import Look
from pedro_env.rules import (
    AllPass,
    Auction,
    DoubleFinish,
    DropOut,
    Exchange,
    Follow,
    OpeningLead,
    Rules,
    Scoring,
    Surplus,
)
from pedro_env.typing import BoolArray


@dataclass(frozen=True)
class Path:
    """Something rare that the rules provide for."""

    name: str
    section: str
    """Where the rules page says what happens then."""
    meaning: str
    possible: Callable[[Rules], bool]
    when: Callable[[Look], BoolArray]
    """``(n,)`` the games that are worth a look after this step."""
    seen: Callable[[Look], BoolArray]
    """``(n,)`` whether a game took the path; asked only where ``when`` says so, meaningless elsewhere."""


def _holding_trumps() -> list[Path]:
    """More trumps than a hand: 7, 8, 9, more."""

    def beyond_a_hand(number: int, rules: Rules) -> bool:
        return possible.trumps_gather(rules) and rules.hand < number <= possible.most_trumps(rules)

    def path(low: int, high: int, name: str) -> Path:
        meaning = f"a seat has {low}{' trumps' if low == high else ' trumps or more'}, more than it can play"
        seen = partial(looks.holds_trumps, low=low, high=high)
        return Path(name, "2.10", meaning, partial(beyond_a_hand, low), looks.exchanging, seen)

    return [
        *(path(number, number, f"{number} trumps") for number in (7, 8, 9)),
        path(10, N_CARDS, "10 trumps or more"),
    ]


def _special_bids() -> list[Path]:
    """Made and set."""
    bids = {
        "dark": ("3.1", "28", "14"),
        "28-56": ("3.1, 7.16", "56", "28"),
        "moon": ("3.3, 7.26", "the match", "17"),
        "double-moon": ("3.3, 7.26", "the match", "34"),
        "double-83": ("3.5", "166", "166"),
    }
    return [
        Path(
            f"{name} {word}",
            section,
            meaning,
            partial(possible.has_bid_named, name),
            looks.scored,
            partial(seen, name=name),
        )
        for name, (section, reward, loss) in bids.items()
        for word, seen, meaning in (
            ("made", looks.bid_made, f"every point is taken: {reward}"),
            ("set", looks.bid_set, f"some are not: minus {loss}"),
        )
    ]


PATHS: tuple[Path, ...] = (
    # the auction
    Path(
        "forced bid", "2.4, 7.11", "all others passed and the dealer must bid",
        lambda r: r.all_pass is AllPass.DEALER_MUST_BID, looks.bidding, looks.forced_bid,
    ),
    Path(
        "dealer declares unasked", "7.11", "all others passed and the dealer is declarer without a decision",
        lambda r: r.all_pass is AllPass.DEALER_DECLARES, looks.bidding, looks.dealer_declares,
    ),
    Path(
        "all pass, redeal", "7.1, 7.8", "nobody bids and the next dealer deals",
        lambda r: r.all_pass is AllPass.REDEAL, looks.deal_ends, looks.all_passed,
    ),
    Path(
        "misdeal", "3.3", "a hand without what counts is thrown in and the same dealer deals again",
        lambda r: bool(r.misdeal), looks.deal_ends, lambda look: look.after.same_dealer,
    ),
    Path(
        "forced pass", "2.4, 6", "nothing is left to bid, and passing is still a step",
        possible.always, looks.bidding, looks.forced_pass,
    ),
    Path(
        "bid matched", "3.1, 3.6", "the dealer takes the contract at the standing bid",
        lambda r: r.dealer_may_match, looks.bidding, looks.matches,
    ),
    Path(
        "bids again", "3.3, 3.4, 3.5", "a seat bids a second time in an auction that goes round",
        lambda r: r.auction is not Auction.ONE_TURN, looks.bidding, looks.bids_again,
    ),
    Path(
        "bids after passing", "3.3, 3.5", "a seat that passed bids after all",
        lambda r: r.auction is Auction.ROUNDS, looks.bidding, looks.bids_after_passing,
    ),
    Path(
        "lone bid", "7.8", "three seats passed and the fourth bids, which ends the auction",
        lambda r: r.all_pass is AllPass.REDEAL, looks.bidding, looks.lone_bid,
    ),
    Path(
        "dark by the dealer", "7.22", "the dealer bids in the dark, so that its right is the last to be asked",
        lambda r: r.dark, looks.bidding, looks.dark_by_dealer,
    ),
    *_special_bids(),
    Path(
        "forced double-moon", "3.3, 7.26", "a moon in the hole, and the partner must raise it",
        lambda r: r.moon, looks.bidding, looks.forced_double_moon,
    ),
    Path(
        "double-moon over a moon", "3.3", "an opponent's moon is outbid",
        lambda r: r.moon, looks.bidding, looks.double_moon_over_moon,
    ),
    Path(
        "moon in the hole stands", "7.26", "a side with a negative score plays a moon that its partner did not raise",
        lambda r: r.moon, looks.scored, looks.moon_in_the_hole_stands,
    ),
    Path(
        "top bid made", "3.2, 4", "the highest bid scores more than the points when made",
        possible.has_top_bid, looks.scored, looks.top_bid_made,
    ),
    Path(
        "top bid set", "3.2, 4", "the highest bid is set",
        possible.has_top_bid, looks.scored, looks.top_bid_set,
    ),
    # the exchange
    Path(
        "stock runs out", "2.7", "a hand cannot be filled, and plain cards that were laid aside come back",
        possible.fills_more_than_there_is, looks.play_begins, looks.stock_runs_out,
    ),
    Path(
        "dealer is short", "2.8", "the stock cannot fill the dealer's hand, and its plain cards come back",
        possible.dealer_may_be_short, looks.play_begins, looks.dealer_is_short,
    ),
    Path(
        "trump taken back", "7.14", "plain cards do not suffice, and a trump that was laid aside comes back",
        lambda r: r.exchange is Exchange.ROB and r.rob_discards, looks.exchanging, looks.trump_taken_back,
    ),
    Path(
        "discards limited", "3.1", "a seat may lay aside no more cards than the stock can replace",
        lambda r: r.min_discard > 0, looks.exchanging, looks.discard_limit,
    ),
    *_holding_trumps(),
    Path(
        "too many point trumps", "7.25, 7.28", "a hand has more point trumps than it can play: all seven, or more",
        possible.point_trumps_gather, looks.exchanging, looks.too_many_point_trumps,
    ),
    Path(
        "point trump laid aside", "7.7, 4", "by choice or for want of others",
        possible.point_trump_may_go, looks.play_begins, looks.point_trump_aside,
    ),
    Path(
        "surplus given", "3.5", "a seat gives the trumps beyond a hand to its partner",
        possible.gives_surplus, looks.play_begins, looks.any_gave,
    ),
    Path(
        "gift overflows", "3.5", "a seat that was given cards lays trumps aside",
        possible.gives_surplus, looks.play_begins, looks.receiver_discards,
    ),
    Path(
        "surplus given back", "3.5", "the partner runs out of trumps without points and gives its surplus back",
        lambda r: possible.gives_surplus(r) and possible.point_trumps_gather(r), looks.play_begins, looks.given_back,
    ),
    Path(
        "declarer slides", "3.3, 7.26", "the declarer slides cards to its partner",
        possible.widow, looks.play_begins, looks.declarer_slides,
    ),
    Path(
        "slide overflows", "3.3, 7.26", "the partner gives its surplus to the opponent on its right",
        possible.widow, looks.play_begins, looks.slide_overflows,
    ),
    Path(
        "defender slides", "3.3, 7.26", "a defender with more than six trumps slides the surplus to its partner",
        possible.widow, looks.play_begins, looks.defender_slides,
    ),
    Path(
        "defender's slide overflows", "7.26", "a defender who was slid cards gives trumps to its right",
        possible.widow, looks.play_begins, looks.defenders_slide_overflows,
    ),
    Path(
        "fold before the play", "3.4, 7.29", "a seat with hardly a trump leaves the deal",
        possible.may_fold_before_play, looks.exchanging, looks.fold_before_play,
    ),
    Path(
        "fold with trumps", "3.4, 7.29", "a seat that folds gives its trumps to its partner",
        possible.may_fold_before_play, looks.exchanging, looks.fold_with_trumps,
    ),
    # the play
    Path(
        "opening lead without trump", "3.2, 3.4, 3.6", "the opening lead ought to be a trump, and there is none",
        lambda r: r.opening_lead is OpeningLead.TRUMP, looks.leading, looks.leader_without_trump,
    ),
    Path(
        "declarer without trump", "3.1", "only trumps are played, and the first lead passes on from the declarer",
        lambda r: r.follow is Follow.TRUMPS_ONLY, looks.play_begins, looks.declarer_without_trump,
    ),
    Path(
        "the two is buried", "7.25, 7.30", "for want of other trumps without points",
        possible.two_may_be_buried, looks.deal_ends, looks.two_buried,
    ),
    Path(
        "point trump must be played", "3.2, 7.24", "the other trumps are all needed for burying",
        lambda r: r.surplus in (Surplus.BURY_EACH_TRICK, Surplus.BURY_LOWEST_EACH_TRICK), looks.playing,
        looks.must_play_point_trump,
    ),
    Path(
        "called card forced", "3.6, 7.30", "the partner has other trumps and must play the one that was called",
        possible.called, looks.playing, looks.called_card_forced,
    ),
    Path(
        "alone made", "3.6", "both sides' points count double",
        lambda r: r.may_play_alone, looks.scored, looks.alone_made,
    ),
    Path(
        "alone set", "3.6", "the declarer subtracts twice the bid",
        lambda r: r.may_play_alone, looks.scored, looks.alone_set,
    ),
    Path(
        "seat out of the deal", "3.1 to 3.4, 7.9", "a seat leaves the deal before its cards are played",
        lambda r: not r.all_stay, looks.deal_ends, looks.out,
    ),
    Path(
        "lead passes", "3.1, 3.3, 3.4", "who should lead is out of the deal",
        possible.lead_may_pass, looks.leading, looks.lead_passes,
    ),
    Path(
        "one seat takes the rest", "3.1", "only one seat has trumps left and wins the rest without a decision",
        lambda r: r.follow is Follow.TRUMPS_ONLY, looks.deal_ends, looks.takes_the_rest,
    ),
    Path(
        "one seat leads on", "7.9", "only one seat is left in the deal and plays on, a step a card",
        possible.one_seat_may_be_left, looks.playing, looks.one_seat_left,
    ),
    Path(
        "leads its one plain card", "3.3, 7.26", "a seat on lead without a trump leads one card and is out",
        lambda r: r.drop_out is DropOut.LAY_DOWN, looks.playing, looks.leads_plain_and_is_out,
    ),
    Path(
        "fold in the play", "3.4", "a seat without a trump folds at its turn",
        lambda r: r.drop_out is DropOut.MAY_FOLD, looks.playing, looks.folds,
    ),
    Path(
        "fold on lead", "3.4", "a seat on lead folds, and the lead passes on",
        lambda r: r.drop_out is DropOut.MAY_FOLD, looks.playing, looks.fold_on_lead,
    ),
    Path("concede", "3.3", "a defender gives all points away", lambda r: r.concede, looks.playing, looks.concedes),
    Path(
        "moon conceded", "7.26", "which wins the match",
        lambda r: r.concede and r.moon, looks.playing, looks.moon_conceded,
    ),
    Path(
        "ends when decided", "3.2, 7.24", "the deal ends before the last trick with the last point trump",
        lambda r: r.ends_when_decided, looks.scored, looks.ends_early,
    ),
    # the score and the match
    Path(
        "discards credited", "3.1", "point trumps laid aside, or left in the stock, count for the bidding side",
        lambda r: r.discards_count, looks.scored, looks.discards_credited,
    ),
    Path(
        "negative score", "2.11", "a side falls below nothing",
        lambda r: r.scoring in (Scoring.PEDRO, Scoring.SUBTRACT_TAKEN), looks.scored, looks.negative_score,
    ),
    Path(
        "negative limit", "3.4", "a side that falls to it loses the match",
        lambda r: r.floor < 0, looks.scored, looks.lost_at_the_floor,
    ),
    Path(
        "locked score adds nothing", "3.4, 7.27", "defenders whose score is locked took points in vain",
        lambda r: r.locked_at > 0, looks.scored, looks.locked_add_nothing,
    ),
    Path(
        "locked score wins", "3.4, 7.27", "defenders whose score is locked set the bidding side, and win",
        lambda r: r.locked_at > 0, looks.scored, looks.locked_win,
    ),
    Path(
        "defenders reach the target", "7.27", "defenders whose score is not locked win with what they took",
        lambda r: r.locked_at > 0, looks.scored, looks.unlocked_defenders_win,
    ),
    Path(
        "bidder out made", "2.12, 7.4", "the bidding side wins by making its bid",
        possible.plays_bidder_out, looks.scored, looks.bidder_out_made,
    ),
    Path(
        "bidder out set", "2.12, 7.4", "the deal is scored as usual",
        possible.plays_bidder_out, looks.scored, looks.bidder_out_set,
    ),
    Path(
        "bidder out twice running", "2.12, 7.4", "a deal played bidder out is followed by another",
        possible.plays_bidder_out, looks.scored, looks.bidder_out_again,
    ),
    Path(
        "double finish", "2.12", "several sides are at the target after a deal",
        possible.double_finish_possible, looks.scored, looks.double_finish,
    ),
    Path(
        "lower score wins", "2.12, 7.17, 7.30", "the winner does not have the highest score",
        possible.lower_score_may_win, looks.scored, looks.lower_score_wins,
    ),
    Path(
        "equal at the target", "3.3, 7.25, 7.30", "several sides share the highest score",
        lambda r: r.double_finish in (DoubleFinish.HIGHER, DoubleFinish.DECLARER_FIRST), looks.scored,
        looks.best_is_shared,
    ),
    Path(
        "target is not enough", "3.2, 3.4", "a side is at the target, has not just made its bid, and plays on",
        lambda r: r.double_finish is DoubleFinish.MADE_BID_ONLY, looks.scored, looks.target_without_a_made_bid,
    ),
    Path(
        "declarer before partner", "3.6, 7.30", "declarer and partner are both at the target and the declarer wins",
        possible.called, looks.scored, looks.declarer_and_partner,
    ),
    Path(
        "truncated", "2.12", "the match is cut off after max_deals deals",
        possible.always, looks.deal_ends, lambda look: look.after.truncated,
    ),
)  # fmt: skip
"""Every path that some game of the family can take."""
