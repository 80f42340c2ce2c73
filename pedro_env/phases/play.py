"""The play of the cards (RULES 2.9, 2.10 and the variants): calling, burying, leading, following, winning tricks."""

from __future__ import annotations

import numpy as np

from pedro_env.actions import Phase
from pedro_env.cards import N_CARDS, NONE
from pedro_env.cardset import BIT, EMPTY, ONE, count, to_bool
from pedro_env.phases.marks import add_count, set_mark
from pedro_env.rules import DropOut, OpeningLead, Surplus, Teams
from pedro_env.state import State
from pedro_env.tables import Tables
from pedro_env.typing import BoolArray, IntArray, UInt64Array


def begin(t: Tables, s: State, rows: IntArray) -> IntArray:
    """The declarer leads to the first trick."""
    s.trick[rows] = 0
    return _lead(t, s, rows, s.declarer[rows])


def legal(t: Tables, s: State, rows: IntArray) -> UInt64Array:
    """What may be played, buried or called."""
    words = np.zeros((len(rows), t.legal_words), np.uint64)
    words[:, 0] = _playable(t, s, rows)
    for phase, cards in ((Phase.BURY, _buriable), (Phase.CALL, _callable)):
        if phase in t.actions.phases:
            there = s.phase[rows] == phase
            words[there, 0] = cards(t, s, rows[there])
    alone = t.actions.id_of("alone")
    if alone != NONE:
        words[s.phase[rows] == Phase.CALL] |= ONE << np.uint64(alone % 64) * (np.arange(t.legal_words) == alone // 64)
    return words


def apply(t: Tables, s: State, rows: IntArray, action: IntArray) -> IntArray:
    """Play, bury or call a card; returns the rows in which the deal has ended."""
    phase = s.phase[rows]
    if Phase.CALL in t.actions.phases:
        calling = phase == Phase.CALL
        _call(t, s, rows[calling], action[calling])
        rows, action, phase = rows[~calling], action[~calling], phase[~calling]
    burying = phase == Phase.BURY
    if burying.any():
        _bury(t, s, rows[burying], BIT[action[burying]])
        _ask_again(t, s, rows[burying])
        rows, action = rows[~burying], action[~burying]
    return _play(t, s, rows, action)


# --- one card


def _playable(t: Tables, s: State, rows: IntArray) -> UInt64Array:
    """RULES 2.9: follow, as the tables say; the opening lead and a point trump that is due come on top."""
    hand = s.hand.reshape(-1)[rows * t.rules.seats + s.to_act[rows]]
    situation = s.trump[rows] * np.int64(5) + s.led[rows] + 1
    cards = np.where(hand & t.must[situation], hand & t.may[situation], hand)
    if t.rules.opening_lead is OpeningLead.TRUMP:
        trumps = hand & t.trumps[s.trump[rows]]
        opening = (s.trick[rows] == 0) & (s.played[rows] == 0) & (trumps != EMPTY)
        cards = np.where(opening, trumps, cards)
    if t.rules.surplus in (Surplus.BURY_EACH_TRICK, Surplus.BURY_LOWEST_EACH_TRICK):
        cards = np.where(_point_trump_is_due(t, s, rows, hand), cards & t.point_cards[s.trump[rows]], cards)
    if t.rules.teams is Teams.CALLED:
        called = hand & s.called[rows]  # 3.6: the partner plays the called card in the first trick
        cards = np.where((s.trick[rows] == 0) & (called != EMPTY), called, cards)
    return cards


def _play(t: Tables, s: State, rows: IntArray, card: IntArray) -> IntArray:
    seats = t.rules.seats
    seat = s.to_act[rows]
    place = rows * seats + seat
    bit = BIT[card]
    hands, shown = s.hand.reshape(-1), s.shown.reshape(-1)
    hands[place] ^= bit
    shown[place] |= bit
    s.in_trick[rows] |= bit
    s.on_table.reshape(-1)[place] = card

    trump = s.trump[rows]
    suit = t.suit_of[trump, card]
    leading = s.played[rows] == 0
    leads = rows[leading]
    s.led[leads] = suit[leading]
    s.best[leads] = 0
    led = s.led[rows] + 1
    shows = t.shows_void[trump, led, suit + 1]
    shows[leading] = EMPTY
    s.marks.reshape(-1)[place * t.layout.mark_words] |= shows  # "void" is the first mark
    strength = t.strength[trump, led, card]
    better = strength > s.best[rows]
    ahead = rows[better]
    s.best[ahead] = strength[better]
    s.winning[ahead] = seat[better]
    s.played[rows] += 1
    if t.rules.teams is Teams.CALLED:
        leads = leads[s.trick[leads] == 0]
        s.phase[leads] = Phase.CALL  # 3.6: having led, the declarer calls
        rows = np.setdiff1d(rows, leads, assume_unique=True)
    return _next_turn(t, s, rows)


def _next_turn(t: Tables, s: State, rows: IntArray) -> IntArray:
    """Clockwise to the next seat still in; where there is none the trick is over. Returns rows with the deal over."""
    seats = t.rules.seats
    if t.rules.drop_out is DropOut.NEVER:
        full = s.played[rows] == seats
        s.to_act[rows] = (s.to_act[rows] + 1) % seats
        _ask(t, s, rows[~full])
        return _end_trick(t, s, rows[full])
    ended = [rows[:0]]
    for _ in range(seats):
        seat = (s.to_act[rows] + 1) % seats
        s.to_act[rows] = seat
        full = seat == s.leader[rows]
        ended.append(_end_trick(t, s, rows[full]))
        rows, seat = rows[~full], seat[~full]
        if t.rules.drop_out is DropOut.CANNOT_FOLLOW_TRUMP:
            trump = s.trump[rows]
            leaves = (s.led[rows] == trump) & (s.hand[rows, seat] & t.trumps[trump] == EMPTY)
            _lay_down(t, s, rows[leaves], seat[leaves])
        there = s.hand[rows, seat] != EMPTY
        _ask(t, s, rows[there])
        rows = rows[~there]
    return np.concatenate(ended)


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
    """Begin a trick; returns the rows in which nobody is left to lead."""
    s.leader[rows] = leader
    s.to_act[rows] = leader
    s.led[rows] = NONE
    s.winning[rows] = NONE
    s.played[rows] = 0
    s.on_table[rows] = NONE
    s.in_trick[rows] = EMPTY
    if t.rules.drop_out is not DropOut.NEVER:
        for _ in range(t.rules.seats - 1):  # the lead passes clockwise to the next seat still in
            seat = s.to_act[rows].astype(np.int64)
            away = s.hand[rows, seat] == EMPTY
            s.to_act[rows] = (seat + away) % t.rules.seats
        s.leader[rows] = s.to_act[rows]
    _ask(t, s, rows)
    return rows[:0]


def _end_trick(t: Tables, s: State, rows: IntArray) -> IntArray:
    """RULES 2.2, 2.9: the winner takes the points that lie on the trick and leads to the next one."""
    winner = s.winning[rows].astype(np.int64)
    cards = s.on_table[rows]
    s.won[rows, winner] |= s.in_trick[rows]
    points = t.trick_points[s.trump[rows][:, None], cards] * (cards != NONE)
    s.taken[rows, t.side_of[winner]] += points.sum(axis=1, dtype=np.int16)
    number = s.trick[rows] + 1
    for bit in range(3 + (t.rules.hand > 7)):
        s.trick_bits[rows, bit] |= np.where(number >> bit & 1, s.in_trick[rows], EMPTY)
    s.trick[rows] = number
    if t.rules.drop_out is DropOut.NO_TRUMP:
        for seat in range(t.rules.seats):
            without = rows[s.hand[rows, seat] & t.trumps[s.trump[rows]] == EMPTY]
            _lay_down(t, s, without, np.full(len(without), seat))
    over = _deal_is_over(t, s, rows)
    going = rows[~over]
    _lead(t, s, going, winner[~over])
    return rows[over]


def _deal_is_over(t: Tables, s: State, rows: IntArray) -> BoolArray:
    if t.rules.drop_out is DropOut.NEVER and not t.rules.ends_when_decided:
        return s.trick[rows] == t.rules.hand
    held = np.bitwise_or.reduce(s.hand[rows], axis=1)
    if t.rules.ends_when_decided:
        return held & t.point_cards[s.trump[rows]] == EMPTY
    return held == EMPTY


# --- more cards than a hand (RULES 2.10, 7.24)


def _ask(t: Tables, s: State, rows: IntArray) -> None:
    """Ask the seat whose turn it is, for a card to bury where it has too many, otherwise for a card to play."""
    s.phase[rows] = Phase.PLAY
    if t.rules.surplus in _DUE:
        _bury_what_is_due(t, s, rows, _DUE[t.rules.surplus](t, s, rows, 1))


def _ask_again(t: Tables, s: State, rows: IntArray) -> None:
    """The same, after the seat has buried a card in this trick."""
    s.phase[rows] = Phase.PLAY
    _bury_what_is_due(t, s, rows, _DUE[t.rules.surplus](t, s, rows, 0))


def _due_in_first_trick(t: Tables, s: State, rows: IntArray, at_least: int) -> IntArray:
    """RULES 2.10: one card plus five remain."""
    return np.where(s.trick[rows] == 0, _surplus(t, s, rows), 0)


def _due_in_each_trick(t: Tables, s: State, rows: IntArray, at_least: int) -> IntArray:
    """RULES 7.24: max(1, surplus - tricks still to come after this one) cards, where there is a surplus."""
    surplus = _surplus(t, s, rows)
    to_come = t.rules.hand - 1 - s.trick[rows]
    return np.where(surplus > 0, np.maximum(surplus - to_come, at_least), 0)


_DUE = {
    Surplus.BURY_FIRST_TRICK: _due_in_first_trick,
    Surplus.BURY_EACH_TRICK: _due_in_each_trick,
    Surplus.BURY_LOWEST_EACH_TRICK: _due_in_each_trick,
}


def _surplus(t: Tables, s: State, rows: IntArray) -> IntArray:
    """Cards beyond the usual size of a hand in this trick."""
    hand = s.hand.reshape(-1)[rows * t.rules.seats + s.to_act[rows]]
    return count(hand).astype(np.int64) - (t.rules.hand - s.trick[rows])


def _bury_what_is_due(t: Tables, s: State, rows: IntArray, due: IntArray) -> None:
    rows, due = rows[due > 0], due[due > 0]
    if not len(rows):
        return
    worthless = _buriable(t, s, rows)
    number = count(worthless)
    whole = number <= due  # section 6: what can be done in only one way is done by the engine
    _bury(t, s, rows[whole], worthless[whole])
    short = rows[number < due]
    _bury(t, s, short, s.hand[short, s.to_act[short]] & t.two[s.trump[short]])  # 7.25, 7.30: then the 2
    choosing, due = rows[~whole], due[~whole]
    if t.rules.surplus is not Surplus.BURY_LOWEST_EACH_TRICK:
        s.phase[choosing] = Phase.BURY
        return
    for done in range(int(due.max(initial=0))):
        again = choosing[due > done]
        _bury(t, s, again, _lowest_trump(t, s, again, _buriable(t, s, again)))


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
    strength = np.where(there, t.strength[s.trump[rows], 0], np.iinfo(np.int8).max)
    return BIT[strength.argmin(axis=1)]


def _point_trump_is_due(t: Tables, s: State, rows: IntArray, hand: UInt64Array) -> BoolArray:
    """California-100: trumps without points that are only just enough for the burials to come may not be played."""
    trump = s.trump[rows]
    worthless = count(hand & t.trumps[trump] & ~t.point_cards[trump])
    to_come = _surplus(t, s, rows)
    return (to_come > 0) & (worthless <= to_come)


# --- calling (RULES 3.6)


def _callable(t: Tables, s: State, rows: IntArray) -> UInt64Array:
    """7.30: a trump that another seat holds."""
    held = np.bitwise_or.reduce(s.hand[rows], axis=1)
    return held & t.trumps[s.trump[rows]] & ~s.hand[rows, s.declarer[rows]]


def _call(t: Tables, s: State, rows: IntArray, action: IntArray) -> None:
    alone = action == t.actions.id_of("alone")
    s.alone[rows[alone]] = True
    calling, card = rows[~alone], action[~alone]
    s.called[calling] = BIT[card]
    holds = s.hand[calling] & BIT[card][:, None] != EMPTY
    s.partner[calling] = holds.argmax(axis=1)
    _next_turn(t, s, rows)


IMPLEMENTED = frozenset({Surplus.NONE, *_DUE})
DROP_OUTS = frozenset({DropOut.NEVER, DropOut.NO_TRUMP, DropOut.CANNOT_FOLLOW_TRUMP})
