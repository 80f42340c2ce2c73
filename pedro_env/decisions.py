"""What was decided where the documents are silent, garbled or contradict each other, variant by variant.

A sentence a decision, with its place in brackets: a section of ``docs/rules/RULES.md``, which marks its decisions
**[D]**, or an entry of ``docs/rules/decisions.md``. Like the rules (``variants.py``) they are written down as
differences: a variant has its parent's, except those whose topic it has itself. A topic that is the name of an option
is about that option, and is had only by variants that know it.
"""

from __future__ import annotations

from collections.abc import Mapping

from pedro_env.variants import VARIANTS

GONE = ""
"""What the parent decided does not come up here."""

NO_KEEPER = {"keeper": GONE, "two shown": GONE}
NO_STOCK_RUNS_OUT = {"fill": GONE, "dealer's fill": GONE, "taken back": GONE}
NOTHING_TO_LAY_ASIDE = {"one way": GONE}

NO_BIDDER_OUT = "There is no bidder-out rule: the sentences under Match replace those of `pedro` whole (7.4)."
NOT_ASKED = "A dealer who is declarer without having bid is not asked (7.11)."
LOST = "The points of point trumps that are laid aside are lost, the two's too (7.7)."
LAST_SEAT_IN = "When the others are out of the deal the last seat leads on, a step a card (7.9)."
LAST_TURN = (
    "After three passes without a bid the last seat still has its turn; a bid ends the auction, even where a seat that "
    "passed may otherwise bid again (7.8, decision 6)."
)
AMONG_EQUALS = "Among point trumps of equal value the seat chooses which one goes (7.10)."
FILL_OPTION = (
    "With `exchange` = fill, a partner left with more than six trumps discards trumps without points and, running out "
    "of those, gives its surplus back, and the other discards trumps without points; a dealer with more than six "
    "trumps discards trumps without points, then the least valuable, whose points are lost; and a stock that runs out "
    "is made good as in `pedro` (3.5, 2.7)."
)
PARTNER_BURIES = {
    "partner's two": "The called card is never buried. A partner who then has too few trumps without points buries the "
    "two as its first burial of the first trick, and the rest as usual; the two counts for its side (7.30, decision 3)."
}
CALLED_CARD = "The card called is one that another seat holds, not one that the declarer led or buried (7.30)."

DECISIONS: Mapping[str, Mapping[str, str]] = {
    # The Double Pedro family (3.1)
    "pedro": {
        "cut off": "A match that is not over after `max_deals` deals is cut off without a winner; redeals count as "
        "deals (2.12, 7.1).",
        "record": "The `options` of a record are those without which the rules would be others: a default that was "
        "written out is left out again (decision 5).",
        "one way": "Cards that can be given, laid aside, robbed or buried in only one way are moved without asking; "
        "ways that move the same cards are one way (7.2).",
        "forced bid": "A dealer who must bid may bid any legal number (2.4, 7.11).",
        "fill": "When the stock runs out a seat makes up its hand with the plain cards that it laid aside, the last "
        "dealt first, without a choice (2.7).",
        "dealer's fill": "So does a dealer whom the stock cannot fill (2.8).",
        "taken back": "Cards that so come back were not drawn, and go on counting among those laid aside (decision 1).",
        "keeper": "The two is kept by the seat that holds it when the play begins; it is part of the points that its "
        "side took (7.5, 7.6).",
        "two shown": "The kept two is added when the deal is scored, so that the points shown before do not tell who "
        "holds it (decision 2).",
        "forced_bid": "`forced_bid` is `min_bid` where nothing else is said; the dealer may bid more (7.15).",
        "slam": "`slam` and `bid_28_56` contradict Foster and Bicycle scoring (7.18).",
        "bid_28_56": "`bid_28_56`: ace, king and two of one suit must be among the dealer's nine cards; trumps are one "
        "of the suits so held (7.16).",
        "keep_plain": "`keep_plain`: the dealer too chooses before the fills; if robbing brings it above six it lays "
        "kept plain cards aside, of its choice. With `six_at_most` a seat makes both choices in its own turn, plain "
        "cards first (7.13), the dealer the second one after robbing (decision 13).",
        "six_at_most": "`six_at_most` has no value for what is usual, nor has `forced_bid`: leave it out (decision 4). "
        "With counts_for_opponents a discarded two counts for the other side, too (decision 17).",
        "rob_discards": "`rob_discards`: the others may lay aside trumps too, point trumps included, and with "
        "`keep_plain` any cards; where the stock runs out and plain cards are not enough they take trumps back, the "
        "last dealt first. It contradicts `six_at_most` = counts_for_opponents (7.14, 7.18); with `six_at_most` = "
        "discard only the dealer is bound to trumps without points (decision 13).",
        "discard_face_up": "`discard_face_up`: of what the others laid aside all see which cards a dealer takes that "
        "robs them (decision 8).",
        "scoring": "`scoring` = foster or bicycle keeps keeper, target and bidder out (7.18).",
        "double_finish": "`double_finish` = count_order: the order is A, 2, J, T, 5, off-five, and a set side counts "
        "nothing (7.17).",
    },
    "pedro-wpt": {
        "set side": "A set side subtracts all the points that are counted for it, the two that it kept included "
        "(7.20).",
    },
    "cinch": {
        **NO_KEEPER,
        **NO_STOCK_RUNS_OUT,
        "forced bid": "A dealer who must bid may bid any legal number (7.11).",
        "discard limit": "A seat lays aside at most three cards and as many as are left in the stock after the fills "
        "of the seats before it, so that the stock can fill it (3.1).",
        "stock unseen": "A dealer who needs no card does not see the rest of the stock (decision 10).",
        "match to": "The match is played to 51; document 000 gives no target (3.1).",
        "credited": "Points credited for laid-aside point trumps are part of the points that a side took (7.5).",
        "match": NO_BIDDER_OUT,
    },
    "cinch-bicycle": {},
    "nicaragua": {
        **NO_STOCK_RUNS_OUT,
        "forced bid": NOT_ASKED,
        "packet": "The seven cards are dealt in one packet (3.1).",
        "hand": "There are seven tricks, and hands are filled to seven (3.1).",
        "stock unseen": "A dealer who needs no card sees neither the rest of the stock nor the others' discards "
        "(decision 10).",
        "lost": "A point trump that is laid aside and that nobody takes counts for nobody, the two as well (3.1, 7.7).",
        "double finish": "When both sides have reached the target the bidding side wins (3.1).",
        "match": NO_BIDDER_OUT,
    },
    "pidro": {
        "keeper rule": "The two counts for its keeper's side (3.1).",
        "forced bid": "When the first three pass the dealer must bid, any legal number (3.1, 7.11).",
        "robbing": "The dealer fills up with the topmost plain cards of the stock, without choosing (3.1).",
        "surplus": "A surplus of trumps is discarded face up, by decisions right before the play, eldest first, the "
        "dealer, who has robbed by then, last (3.1).",
        "lead passes": "A declarer without a trump cannot be ruled out: the lead then passes clockwise to the next "
        "seat with one (3.1).",
        "out": "Whether a seat still has a trump is looked at before each trick; a trick begun is played out (7.21). "
        "When one seat is left no decision is (7.9).",
        "plain cards left": "Plain cards that seats out of the deal still have are seen by nobody (decision 18).",
        "match": NO_BIDDER_OUT,
    },
    "louisiana": {
        "forced bid": "When the first three pass the dealer must bid (3.1), any legal number (7.11).",
        "28-56": "The bid 28-56 is worth 56, and 28 when it fails: the figures of document 002 (3.1).",
        "over the dark": "28-56 is legal over a bid in the dark alone (decision 12).",
        "dark": "A bid in the dark cannot be bound to ace and two of a suit (3.1).",
        "bidder out": "The match ends as in `pedro`, bidder out (3.1).",
        "dark turn": "Who has bid in the dark has had its turn; the other three are asked, its partner too (7.22).",
        "forced_bid": GONE,
    },
    "louisiana-cutthroat": {},
    "catch-five": {
        **NO_KEEPER,
        **NO_STOCK_RUNS_OUT,
        **NOTHING_TO_LAY_ASIDE,
        "forced bid": NOT_ASKED,
        "two": "The two counts for the side that wins its trick (3.1).",
        "lead": "The declarer may lead any card (3.1).",
        "double finish": "When both sides have reached the target the bidding side wins (3.1).",
        "match": NO_BIDDER_OUT,
    },
    # Sixteen points: the California family (3.2)
    "california": {
        "forced bid": "A dealer who must bid may bid any legal number (7.11).",
        "play": "Play is as in `pedro`: document 000 is silent, and 001 tells the play of `california-100` (3.2).",
        "burying": "Every seat with more than six cards buries, not only the dealer (7.23).",
        "match": NO_BIDDER_OUT,
    },
    "california-100": {
        "play": GONE,
        "burying": GONE,
        "exchange as": "The exchange is that of `pedro` (3.2).",
        "lead": "A declarer without a trump may lead any card to the first trick (3.2).",
        "buried": "The buried card is never a point trump; so a seat whose trumps without points are only just enough "
        "for the buries still due after this trick must play a point trump (3.2).",
        "burying rate": "A seat buries one card a trick, or as many as exceed the tricks still to come after this one; "
        "the deal ends with the trick in which the last point trump falls, the two included (7.24).",
        "last seat": LAST_SEAT_IN,
    },
    "italian": {
        "as california": "Auction and exchange are those of `california`, but starting with eldest, clockwise; a bid "
        "of 16 has no bonus (3.2).",
    },
    "monterey-draw": {
        "play": GONE,
        "lead": "A declarer without a trump may lead any card to the first trick (3.2).",
        "last seat": LAST_SEAT_IN,
    },
    "monterey-widow": {
        **NO_STOCK_RUNS_OUT,
        "as california": "The auction is that of `california`, but starting with eldest, clockwise; a bid of 16 has no "
        "bonus (3.2, `italian`).",
        "shedding": "Document 000 says that all plain cards go; as its play speaks of a plain suit that a seat has "
        "kept, they go down to six cards (3.2).",
    },
    # Off-jack games (3.3)
    "oregon": {
        **NO_KEEPER,
        "forced bid": "A dealer who must bid may bid any legal number (7.11).",
        "two": "A seat that holds all seven point trumps buries its trumps without points and the two, whose point is "
        "lost, without a choice (7.25).",
        "forced five": "After a forced 5 the others bid from 6D; trumps come from the last bid, without a step of "
        "their own (7.25).",
        "last seat": LAST_SEAT_IN,
        "match": NO_BIDDER_OUT,
    },
    "tennessee": {
        **NO_KEEPER,
        **NO_STOCK_RUNS_OUT,
        "forced bid": "A dealer who is declarer without having bid is not asked, and so cannot call a misdeal (7.11).",
        "misdeal again": "After a misdeal the same dealer deals again (3.3).",
        "slide": "A declarer with more than six trumps must slide at least the surplus, and keeps at least six cards "
        "(3.3).",
        "no plain card": "Who is given a surplus and has no plain card left discards a trump without points, then one "
        "of the least points (3.3), and chooses among equals (7.10).",
        "lost": LOST,
        "on lead": "A seat on lead without a trump leads one card and is then out; if that card wins, the lead passes "
        "clockwise to the next seat with a trump (3.3). It leads its card even when nobody else is left (7.26).",
        "moon wins": "A moon wins the match with all 17 points, and subtracts 17 otherwise (3.3).",
        "double-moon": "A `double-moon` that is not forced is legal only over an opponent's moon (3.3).",
        "in the hole": "A moon of a side below zero must be raised by the partner if it still has its turn and the "
        "moon still stands; otherwise the moon stands. A partner so bound may not call a misdeal (7.26).",
        "looked at once": "Whether the declarer has six trumps is looked at once, when it has taken the widow (7.26).",
        "sliding": "Defenders slide first, eldest first, and who was slid cards does not slide back. The partner's "
        "surplus goes to the right wherever its trumps came from; an opponent of the declaring side who so gets cards "
        "discards in its own turn later (7.26). The declarer comes last only for sliding (7.3).",
        "who discards when": "A defender who was slid cards discards and gives at once, before the declarer slides "
        "(decision 14).",
        "asked": "That the declarer was asked to slide and said `done` is seen by all (decision 11).",
        "concede": "`concede` gives 17 points and 0; a moon so conceded wins. A seat that lays down its hand is not "
        "asked, and so cannot concede (7.26).",
        "moon adds": "A moon or double moon that is made adds the 17 points and wins whatever the scores (7.26).",
        "match": NO_BIDDER_OUT,
    },
    # King games (3.4)
    "lipton": {
        **NO_KEEPER,
        **NO_STOCK_RUNS_OUT,
        "two": "The two counts for the side that wins its trick (3.4).",
        "packet": "The seven cards are dealt in one packet (3.4).",
        "forced bid": "When the first three pass the dealer must bid (3.4), any legal number (7.11).",
        "trumps": "The declarer names trumps after it has seen the kitty (3.4).",
        "kitty": "It lays aside no point trump unless it has nothing else (3.4).",
        "lost": LOST,
        "double finish": "When both sides have reached the target the bidding side wins (3.4).",
        "match": NO_BIDDER_OUT,
    },
    "isle-madame": {
        "keeper rule": "The two counts for its keeper's side (3.4).",
        "forced bid": "When the first three pass the dealer must bid (3.4), any legal number (7.11).",
        "dealer's fill": GONE,
        "mixing": "The dealer keeps every trump and, with fewer than six, plain cards of its choice, from its own nine "
        "or the stock (3.4).",
        "drawn": "What the dealer draws is the whole rest of the stock; how many of its own cards it keeps is not seen "
        "(decision 9).",
        "when": "The others discard surplus trumps before the fills, eldest first, the dealer after robbing (7.27).",
        "lost": LOST,
        "fold": "A seat on lead that folds passes the lead clockwise to the next seat in play (3.4); whoever makes the "
        "first lead of the deal must lead a trump if it has one (7.27). A fold is face down (decision 7); the last "
        "seat may fold too, and then the deal is over (decision 16).",
        "lock": "The lock is looked at before the deal; a side below 200 that reaches the target as defenders wins "
        "(7.27).",
        "last seat": LAST_SEAT_IN,
        "double finish": "When both sides have reached the target the bidding side wins (3.4).",
        "match": NO_BIDDER_OUT,
    },
    "canadian": {
        "isle-madame": "The game is `isle-madame` with a nine for 9, as document 000 has it in a table only (3.4).",
        "bids": "Bids go from 25 to 48 (3.4).",
        "point trumps": "With more point trumps than six, ones worth 1 point go, of the seat's choice, down to six; "
        "their points are lost (7.28).",
    },
    "king-pedro": {
        **NO_STOCK_RUNS_OUT,
        "forced bid": GONE,
        "last turn": LAST_TURN,
        "out": "A seat without trumps is out at the end of the trick, and the lead passes as in `pidro` (3.4); seats "
        "without trumps from the start so play to the first trick (7.9).",
        "last seat": LAST_SEAT_IN,
        "lead": "The declarer may lead any card (3.4).",
        "match": NO_BIDDER_OUT,
    },
    "king-pedro-ukrainian": {
        "out": GONE,
        "last seat": GONE,
        "lead": GONE,
        "pass": "A pass is final (3.4).",
        "declarer": "The declarer is not asked to fold (3.4).",
        "two first": "With more point trumps than six the two goes first, then the least valuable (3.4), of the seat's "
        "choice among equals (7.10). The two's point still counts for the side that held it; those of the others are "
        "lost (7.7).",
        "both": "A side never folds both seats (3.4).",
        "asked": "All are asked before anyone discards; the one trump of a seat that may fold may be the two; a seat "
        "whose partner folded is not asked (7.29). That a seat was asked and said `done` is seen by all (decision 11); "
        "a fold is face down (decision 7).",
    },
    # Sixty-three and eighty-three (3.5)
    "sixty-three": {
        **NO_KEEPER,
        **NO_STOCK_RUNS_OUT,
        "forced bid": GONE,
        "bid again": "A seat that passed may bid again (3.5).",
        "redeal": "When all four pass the next dealer deals (3.5).",
        "last turn": LAST_TURN,
        "four more": "The four further cards, where there are any, are dealt after trumps are named (3.5).",
        "lost": "With more than six point trumps the least valuable go, and their points are lost (3.5, 7.7).",
        "equals": AMONG_EQUALS,
        "exchange": FILL_OPTION,
        "values": "`exchange` has no value for what is usual: leave it out (decision 4).",
        "double finish": "When both sides have reached the target the bidding side wins (3.5).",
        "match": NO_BIDDER_OUT,
    },
    "sixty-three-joker": {},
    "eighty-three": {
        **NO_KEEPER,
        **NO_STOCK_RUNS_OUT,
        "forced bid": GONE,
        "redeal": "When all four pass the next dealer deals (3.5).",
        "last turn": LAST_TURN,
        "giving": "Eldest first, a seat with more than six trumps gives all its surplus. A partner left with more than "
        "six discards trumps without points and, if it runs out of those, gives its surplus back, and the other "
        "discards trumps without points. Then everyone discards plain cards down to six (3.5). The partner comes down "
        "to six at once, before the next seat gives (decision 15).",
        "exchange": FILL_OPTION,
        "values": "`exchange` has no value for what is usual: leave it out (decision 4).",
        "double finish": "When both sides have reached the target the bidding side wins (3.5).",
        "match": NO_BIDDER_OUT,
    },
    "eighty-three-plain": {},
    # Without partners (3.6)
    "pedro-sancho": {
        **NO_KEEPER,
        **NO_STOCK_RUNS_OUT,
        **NOTHING_TO_LAY_ASIDE,
        "forced bid": "When the others pass the dealer must bid (3.6), any legal number (7.11).",
        "lead": "A declarer without a trump may lead any card to the first trick (3.6).",
        "exchange": "With `exchange` and so many seats that the stock may run out, it is made good as in `pedro` "
        "(2.7).",
        "teams": "Four seats may play in two teams; more than four play each alone (7.12).",
        "match": NO_BIDDER_OUT,
    },
    "dom-pedro": {},
    "five-handed": {
        **NO_STOCK_RUNS_OUT,
        **PARTNER_BURIES,
        "packet": "The ten cards are dealt in packets of five (3.6).",
        "forced bid": "When the others pass the dealer must bid (3.6), any legal number (7.11).",
        "lead": "The declarer leads a trump (3.6), any card if it has none (7.30).",
        "call": "The card called is a trump (3.6).",
        "called card": CALLED_CARD,
        "point trump": "A seat whose trumps without points are only just enough for the buries still due must play a "
        "point trump; playing the called card goes before that (7.30).",
        "burying rate": "A seat buries one card a trick, or as many as exceed the tricks still to come after this one "
        "(7.24).",
        "double finish": "Of more than one with the target a declarer who made its bid wins, otherwise the highest; "
        "equal: play goes on (3.6, 7.30).",
        "match": NO_BIDDER_OUT,
    },
    "railroad": {
        **PARTNER_BURIES,
        "forced bid": "A dealer who must bid may bid any legal number (7.11).",
        "lead": "A declarer without a trump may lead any card to the first trick (3.6).",
        "alone": "The declarer may play alone whatever its bid; document 000 is garbled here (3.6). Where no other "
        "seat holds a trump it must (7.30).",
        "called card": CALLED_CARD,
        "double finish": "A declarer who made its bid is looked at before the defenders (3.6); otherwise the highest "
        "of all seats with the target wins; equal: play goes on (7.30).",
        "match": NO_BIDDER_OUT,
    },
}


def decisions_of(variant: str) -> dict[str, str]:
    """Topic to sentence, of a variant and, where they still come up, of its parents; the parents' come first."""
    entry = VARIANTS[variant]
    inherited = decisions_of(entry.parent) if entry.parent else {}
    of_others = {name for other in VARIANTS.values() for name in other.options} - set(entry.options)
    every = {**inherited, **DECISIONS[variant]}
    return {topic: text for topic, text in every.items() if text and topic not in of_others}
