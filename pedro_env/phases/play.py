"""The play of the cards (RULES 2.9, 2.10 and the variants): calling, burying, leading, following, winning tricks."""

from __future__ import annotations

import numpy as np

from pedro_env.actions import Phase
from pedro_env.cards import N_CARDS, NONE
from pedro_env.cardset import BIT, EMPTY, count, to_bool
from pedro_env.phases.marks import add_count, set_mark
from pedro_env.rules import DropOut, Follow, OpeningLead, Surplus, Teams
from pedro_env.state import State
from pedro_env.tables import Tables
from pedro_env.typing import BoolArray, IntArray, UInt64Array

# Members of enumerations are slow to look up in some versions of Python, and this is the innermost loop.
_CALL, _BURY, _PLAY = Phase.CALL.value, Phase.BURY.value, Phase.PLAY.value
_LEAVES_WHEN_OUT_OF_TRUMPS, _MAY_FOLD = DropOut.NO_TRUMP, DropOut.MAY_FOLD
_LEAVES_ON_TRUMP_LEAD, _LEAVES_ON_ANY_LEAD = DropOut.CANNOT_FOLLOW_TRUMP, DropOut.LAY_DOWN
_IN_FIRST_TRICK, _LOWEST = Surplus.BURY_FIRST_TRICK, Surplus.BURY_LOWEST_EACH_TRICK
_IN_EACH_TRICK = (Surplus.BURY_EACH_TRICK, _LOWEST)
_LEAD_A_TRUMP, _CALLED = OpeningLead.TRUMP, Teams.CALLED
_TRUMPS_ONLY = Follow.TRUMPS_ONLY

_NUMBER_BITS = np.where(np.arange(16)[:, None] >> np.arange(4) & 1, ~EMPTY, EMPTY)
"""``(16, 4)`` all ones or none, by a trick's number and bit."""


def begin(t: Tables, s: State, rows: IntArray) -> IntArray:
    """The declarer leads to the first trick."""
    s.trick[rows] = 0
    if t.rules.keeper:
        _note_keeper(t, s, rows)
    return _lead(t, s, rows, s.declarer[rows])


def legal(t: Tables, s: State, rows: IntArray) -> UInt64Array:
    """What may be played, buried or called."""
    words = np.zeros((len(rows), t.legal_words), np.uint64)
    words[:, 0] = _playable(t, s, rows)
    if _BURY in t.actions.phases:
        burying = (s.phase.take(rows) == _BURY).nonzero()[0]
        if len(burying):
            words[burying, 0] = _buriable(t, s, rows[burying])
    if t.rules.teams is _CALLED:
        calling = (s.phase.take(rows) == _CALL).nonzero()[0]
        words[calling] = _callable(t, s, rows[calling])
    if t.rules.drop_out is _MAY_FOLD:
        words[_holds_no_trump(t, s, rows, s.to_act[rows])] |= t.word("fold")
    if t.rules.concede:
        words[_may_concede(t, s, rows)] |= t.word("concede")
    return words


def apply(t: Tables, s: State, rows: IntArray, action: IntArray) -> IntArray:
    """Play, bury or call a card, or leave the deal; returns the rows in which the deal has ended."""
    if t.rules.teams is _CALLED:
        calling = s.phase[rows] == _CALL
        _call(t, s, rows[calling], action[calling])
        rows, action = rows[~calling], action[~calling]
    if _BURY in t.actions.phases:
        burying = s.phase.take(rows) == _BURY
        if np.count_nonzero(burying):
            _bury(t, s, rows[burying], BIT[action[burying]])
            _ask_again(t, s, rows[burying])
            rows, action = rows[~burying], action[~burying]
    if t.rules.concede or t.rules.drop_out is _MAY_FOLD:
        leaving = action >= N_CARDS
        ended = (_concede if t.rules.concede else _fold)(t, s, rows[leaving])
        return np.concatenate([ended, _play(t, s, rows[~leaving], action[~leaving])])
    return _play(t, s, rows, action)


def _note_keeper(t: Tables, s: State, rows: IntArray) -> None:
    """RULES 7.6: the seat that holds the 2 when the play begins."""
    holder, seat = (s.hand.take(rows, axis=0) & t.kept_two[s.trump[rows]][:, None]).nonzero()
    s.keeper[rows[holder]] = seat


# --- one card


def _playable(t: Tables, s: State, rows: IntArray) -> UInt64Array:
    """RULES 2.9: follow, as the tables say; the opening lead and a point trump that is due come on top."""
    hand = s.hand.reshape(-1).take(rows * t.rules.seats + s.to_act.take(rows))
    situation = _situation(s, rows)
    cards = np.where(hand & t.must.take(situation), hand & t.may.take(situation), hand)
    if t.rules.opening_lead is _LEAD_A_TRUMP:
        trumps = hand & t.trumps[s.trump[rows]]
        opening = (s.trick[rows] == 0) & (s.played[rows] == 0) & (trumps != EMPTY)
        cards = np.where(opening, trumps, cards)
    if t.rules.surplus in _IN_EACH_TRICK:
        cards = np.where(_point_trump_is_due(t, s, rows, hand), cards & t.point_cards[s.trump[rows]], cards)
    if t.rules.teams is _CALLED:
        called = hand & s.called[rows]  # 3.6: the partner plays the called card in the first trick
        cards = np.where((s.trick[rows] == 0) & (called != EMPTY), called, cards)
    return cards


def _situation(s: State, rows: IntArray) -> IntArray:
    """Trump and suit led as one index (``Tables.must``)."""
    return s.trump.take(rows) * 5 + s.led.take(rows) + 1


def _play(t: Tables, s: State, rows: IntArray, card: IntArray) -> IntArray:
    seat = s.to_act.take(rows)
    place = rows * t.rules.seats + seat
    bit = BIT.take(card)
    hands, shown, marks = s.hand.reshape(-1), s.shown.reshape(-1), s.marks.reshape(-1)
    hands[place] = hands.take(place) ^ bit
    shown[place] = shown.take(place) | bit
    s.in_trick[rows] = s.in_trick.take(rows) | bit
    s.on_table.reshape(-1)[place] = card

    played = s.played.take(rows)
    leading = (played == 0).nonzero()[0]
    leads = rows[leading]
    s.led[leads] = t.suit_of[s.trump[leads], card[leading]]
    index = _situation(s, rows) * np.int64(N_CARDS) + card
    place *= t.layout.mark_words  # "void" is the first mark
    marks[place] = marks.take(place) | t.shows_void.take(index)
    strength = t.strength.take(index)
    better = (strength > s.best.take(rows)).nonzero()[0]
    ahead = rows[better]
    s.best[ahead] = strength[better]
    s.winning[ahead] = seat[better]
    s.played[rows] = played + 1
    if t.rules.teams is _CALLED:
        leads = leads[s.trick[leads] == 0]
        s.phase[leads] = _CALL  # 3.6: having led, the declarer calls
        rows = np.setdiff1d(rows, leads, assume_unique=True)
    return _next_turn(t, s, rows)


def _next_turn(t: Tables, s: State, rows: IntArray) -> IntArray:
    """Clockwise to the next seat still in; where there is none the trick is over. Returns rows with the deal over."""
    seats = t.rules.seats
    if t.all_stay:
        full = s.played.take(rows) == seats
        going = rows[~full]
        s.to_act[going] = (s.to_act.take(going) + 1) % seats
        _ask(t, s, going)
        return _end_trick(t, s, rows[full])
    ended: list[IntArray] = []
    seat = s.to_act.take(rows)
    while len(rows):
        seat = (seat + 1) % seats
        full = seat == s.leader.take(rows)
        ended.append(rows[full])
        rows, seat = rows[~full], seat[~full]
        if t.rules.drop_out in (_LEAVES_ON_TRUMP_LEAD, _LEAVES_ON_ANY_LEAD):
            leaves = _holds_no_trump(t, s, rows, seat)
            if t.rules.drop_out is _LEAVES_ON_TRUMP_LEAD:
                leaves &= s.led[rows] == s.trump[rows]
            _lay_down(t, s, rows[leaves], seat[leaves])
        there = _can_play(t, s, rows, seat)
        asked = rows[there]
        s.to_act[asked] = seat[there]
        _ask(t, s, asked)
        rows, seat = rows[~there], seat[~there]
    return _end_trick(t, s, np.concatenate(ended)) if ended else rows


def _holds_no_trump(t: Tables, s: State, rows: IntArray, seats: IntArray) -> BoolArray:
    return _hand(t, s, rows, seats) & t.trumps.take(s.trump.take(rows)) == EMPTY


def _can_play(t: Tables, s: State, rows: IntArray, seats: IntArray) -> BoolArray:
    """Whether a seat holds a card that can be played at all: it is still in the deal."""
    return _hand(t, s, rows, seats) & t.playable.take(s.trump.take(rows)) != EMPTY


def _hand(t: Tables, s: State, rows: IntArray, seats: IntArray) -> UInt64Array:
    return s.hand.reshape(-1).take(rows * t.rules.seats + seats)


def _lay_down(t: Tables, s: State, rows: IntArray, seats: IntArray) -> None:
    """A seat lays down its hand and is out of the deal."""
    cards = s.hand[rows, seats]
    holding = cards != EMPTY
    rows, seats, cards = rows[holding], seats[holding], cards[holding]
    s.hand[rows, seats] = EMPTY
    s.shown[rows, seats] |= cards
    s.open[rows] |= cards
    set_mark(t, s, rows, seats, "out")


# --- tricks


def _lead(t: Tables, s: State, rows: IntArray, leader: IntArray) -> IntArray:
    """Begin a trick; returns the rows in which there is nobody to lead, or nobody to lead to."""
    s.phase[rows] = _PLAY
    s.leader[rows] = leader
    s.to_act[rows] = leader
    s.led[rows] = NONE
    s.winning[rows] = NONE
    s.best[rows] = 0
    s.played[rows] = 0
    s.on_table[rows] = NONE
    s.in_trick[rows] = EMPTY
    over = rows[:0]
    if not t.all_stay:
        over, rows = _pass_lead(t, s, rows)
    _ask(t, s, rows)
    return over


def _pass_lead(t: Tables, s: State, rows: IntArray) -> tuple[IntArray, IntArray]:
    """The lead passes clockwise to the next seat still in; returns the rows with the deal over, and the others."""
    if t.rules.follow is _TRUMPS_ONLY:
        last = _take_the_rest(t, s, rows)
        over, rows = rows[last], rows[~last]
    else:
        over = rows[:0]
    seat = s.to_act[rows].astype(np.int64)
    for _ in range(t.rules.seats):
        away = ~_can_play(t, s, rows, seat)
        if t.rules.drop_out is _LEAVES_ON_ANY_LEAD:  # only a seat with a trump takes over the lead (3.3)
            away |= (seat != s.to_act[rows]) & _holds_no_trump(t, s, rows, seat)
        seat = (seat + away) % t.rules.seats
    nobody = ~_can_play(t, s, rows, seat)
    s.to_act[rows] = s.leader[rows] = seat
    return np.concatenate([over, rows[nobody]]), rows[~nobody]


def _take_the_rest(t: Tables, s: State, rows: IntArray) -> BoolArray:
    """3.1 pidro: seats without a trump are out; the only one that has any wins the rest. Returns whether that is so."""
    trumps = s.hand[rows] & t.trumps[s.trump[rows]][:, None]
    holds = trumps != EMPTY
    for seat in range(t.rules.seats):
        out = rows[~holds[:, seat]]
        set_mark(t, s, out, np.full(len(out), seat), "out")
    last = holds.sum(axis=1) <= 1
    rows, seat = rows[last], holds[last].argmax(axis=1)
    rest = trumps[last, seat]
    s.hand[rows, seat] ^= rest
    s.shown[rows, seat] |= rest
    s.won[rows, seat] |= rest
    s.trick_bits[rows] |= rest[:, None] & _NUMBER_BITS[s.trick[rows] + 1]
    worth = to_bool(rest[:, None], N_CARDS) * t.trick_points[s.trump[rows], :N_CARDS]
    s.taken[rows, t.side_of[seat]] += worth.sum(axis=1, dtype=np.int16)
    return last


def _end_trick(t: Tables, s: State, rows: IntArray) -> IntArray:
    """RULES 2.2, 2.9: the winner takes the points that lie on the trick and leads to the next one."""
    if not len(rows):
        return rows
    winner = s.winning[rows].astype(np.int64)
    cards = s.in_trick[rows]
    s.won.reshape(-1)[rows * t.rules.seats + winner] |= cards
    on_table = s.on_table.take(rows, axis=0).T  # by seat: a sum over so short a last axis costs more
    points = t.trick_points.take(s.trump[rows] * np.int64(N_CARDS + 1) + on_table)
    s.taken.reshape(-1)[rows * t.rules.sides + t.side_of[winner]] += points.sum(axis=0, dtype=np.int16)
    number = s.trick[rows] + 1
    s.trick_bits[rows] = s.trick_bits.take(rows, axis=0) | (cards[:, None] & _NUMBER_BITS.take(number, axis=0))
    s.trick[rows] = number
    if t.rules.drop_out is _LEAVES_WHEN_OUT_OF_TRUMPS and t.rules.follow is not _TRUMPS_ONLY:
        for seat in range(t.rules.seats):
            without = rows[_holds_no_trump(t, s, rows, np.full(len(rows), seat))]
            _lay_down(t, s, without, np.full(len(without), seat))
    elif t.rules.drop_out is _LEAVES_ON_ANY_LEAD:  # 3.3: on lead without a trump it leads one card, and is then out
        leader = s.leader[rows]
        led_plain = s.led[rows] != s.trump[rows]
        leaves = led_plain & _holds_no_trump(t, s, rows, leader)
        _lay_down(t, s, rows[leaves], leader[leaves])
    over = _deal_is_over(t, s, rows)
    return np.concatenate([rows[over], _lead(t, s, rows[~over], winner[~over])])


def _deal_is_over(t: Tables, s: State, rows: IntArray) -> BoolArray:
    if t.all_stay and not t.rules.ends_when_decided:
        return s.trick[rows] == t.rules.hand
    held = np.bitwise_or.reduce(s.hand.take(rows, axis=0), axis=1)
    if t.rules.ends_when_decided:
        return held & t.point_cards[s.trump[rows]] == EMPTY
    return held == EMPTY


# --- more cards than a hand (RULES 2.10, 7.24)


def _ask(t: Tables, s: State, rows: IntArray) -> None:
    """The seat whose turn it is buries cards first where it has too many (the phase is play otherwise)."""
    if t.rules.surplus is _IN_FIRST_TRICK:
        rows = rows[s.trick.take(rows) == 0]
    if t.rules.surplus in _DUE and len(rows):
        _bury_what_is_due(t, s, rows, _DUE[t.rules.surplus](t, s, rows, 1))


def _ask_again(t: Tables, s: State, rows: IntArray) -> None:
    """The same, after the seat has buried a card in this trick."""
    s.phase[rows] = _PLAY
    _bury_what_is_due(t, s, rows, _DUE[t.rules.surplus](t, s, rows, 0))


def _due_in_first_trick(t: Tables, s: State, rows: IntArray, at_least: int) -> IntArray:
    """RULES 2.10: one card plus five remain."""
    return _surplus(t, s, rows)


def _due_in_each_trick(t: Tables, s: State, rows: IntArray, at_least: int) -> IntArray:
    """RULES 7.24: max(1, surplus - tricks still to come after this one) cards, where there is a surplus."""
    surplus = _surplus(t, s, rows)
    to_come = t.rules.hand - 1 - s.trick[rows]
    return np.where(surplus > 0, np.maximum(surplus - to_come, at_least), 0)


_DUE = {
    _IN_FIRST_TRICK: _due_in_first_trick,
    Surplus.BURY_EACH_TRICK: _due_in_each_trick,
    _LOWEST: _due_in_each_trick,
}


def _surplus(t: Tables, s: State, rows: IntArray) -> IntArray:
    """Cards beyond the usual size of a hand in this trick."""
    return s.trick[rows] + count(_hand(t, s, rows, s.to_act[rows])) - t.rules.hand


def _bury_what_is_due(t: Tables, s: State, rows: IntArray, due: IntArray) -> None:
    some = (due > 0).nonzero()[0]
    if not len(some):
        return
    rows, due = rows[some], due[some]
    if t.rules.surplus is _LOWEST:
        due = due - _bury_the_two_first(t, s, rows)
        rows, due = rows[due > 0], due[due > 0]
    worthless = _buriable(t, s, rows)
    number = count(worthless)
    whole = number <= due  # section 6: what can be done in only one way is done by the engine
    _bury(t, s, rows[whole], worthless[whole])
    if (number < due).any():
        short = rows[number < due]
        _bury(t, s, short, s.hand[short, s.to_act[short]] & t.two[s.trump[short]])  # 7.25, 7.30: then the 2
    choosing, due = rows[~whole], due[~whole]
    if t.rules.surplus is not _LOWEST:
        s.phase[choosing] = _BURY
        return
    for done in range(int(due.max(initial=0))):
        again = choosing[due > done]
        _bury(t, s, again, _lowest_trump(t, s, again, _buriable(t, s, again)))


def _bury_the_two_first(t: Tables, s: State, rows: IntArray) -> BoolArray:
    """7.30: a partner who, but for the called card, has too few trumps without points. Returns who buried the 2."""
    hand = s.hand[rows, s.to_act[rows]]
    short = (hand & s.called[rows] != EMPTY) & (count(_buriable(t, s, rows)) < _surplus(t, s, rows))
    _bury(t, s, rows[short], hand[short] & t.two[s.trump[rows[short]]])
    return short


def _bury(t: Tables, s: State, rows: IntArray, cards: UInt64Array) -> None:
    seat = s.to_act[rows]
    s.hand[rows, seat] ^= cards
    s.shown[rows, seat] |= cards
    s.open[rows] |= cards
    add_count(t, s, rows, seat, "buried", count(cards))


def _buriable(t: Tables, s: State, rows: IntArray) -> UInt64Array:
    """RULES 2.10: a point trump may not be buried; nor the called card (7.30)."""
    trump = s.trump[rows]
    return s.hand[rows, s.to_act[rows]] & t.trumps[trump] & ~t.point_cards[trump] & ~s.called[rows]


def _lowest_trump(t: Tables, s: State, rows: IntArray, cards: UInt64Array) -> UInt64Array:
    there = to_bool(cards[:, None], N_CARDS)
    strength = np.where(there, t.strength[s.trump[rows] * 5], np.iinfo(np.int8).max)
    return BIT[strength.argmin(axis=1)]


def _point_trump_is_due(t: Tables, s: State, rows: IntArray, hand: UInt64Array) -> BoolArray:
    """California-100: trumps without points that are only just enough for the burials to come may not be played."""
    trump = s.trump[rows]
    worthless = count(hand & t.trumps[trump] & ~t.point_cards[trump])
    to_come = _surplus(t, s, rows)
    return (to_come > 0) & (worthless <= to_come)


# --- calling (RULES 3.6)


def _callable(t: Tables, s: State, rows: IntArray) -> UInt64Array:
    """7.30: a trump that another seat holds, or ``alone``."""
    words = np.zeros((len(rows), t.legal_words), np.uint64)
    held = np.bitwise_or.reduce(s.hand[rows], axis=1)
    words[:, 0] = held & t.trumps[s.trump[rows]] & ~s.hand[rows, s.declarer[rows]]
    words |= t.word("alone")
    return words


def _call(t: Tables, s: State, rows: IntArray, action: IntArray) -> None:
    alone = action == t.actions.id_of("alone")
    s.alone[rows[alone]] = True
    calling, card = rows[~alone], action[~alone]
    s.called[calling] = BIT[card]
    holds = s.hand[calling] & BIT[card][:, None] != EMPTY
    s.partner[calling] = holds.argmax(axis=1)
    s.phase[rows] = _PLAY
    _next_turn(t, s, rows)


# --- leaving the deal by choice


def _fold(t: Tables, s: State, rows: IntArray) -> IntArray:
    """3.4 isle-madame: out of the deal; on lead the lead passes clockwise to the next seat still in."""
    seat = s.to_act[rows]
    cards = s.hand[rows, seat]
    s.hand[rows, seat] = EMPTY
    s.laid_aside[rows, seat] |= cards
    add_count(t, s, rows, seat, "laid_aside", count(cards))
    set_mark(t, s, rows, seat, "out")
    on_lead = s.played[rows] == 0
    return np.concatenate([_lead(t, s, rows[on_lead], seat[on_lead]), _next_turn(t, s, rows[~on_lead])])


def _may_concede(t: Tables, s: State, rows: IntArray) -> BoolArray:
    """3.3: a defender at its first turn to play."""
    seat = s.to_act[rows]
    defends = t.side_of[seat] != t.side_of[s.declarer[rows]]
    return defends & (s.shown[rows, seat] == EMPTY)


def _concede(t: Tables, s: State, rows: IntArray) -> IntArray:
    """3.3: the bidding side has all the points."""
    s.taken[rows] = 0
    s.taken[rows, t.side_of[s.declarer[rows]]] = t.rules.total_points
    return rows
