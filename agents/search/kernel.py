"""The compiled part of the solver: one position after another, in whole numbers, without a word of any variant.

Everything is in this one file, because numba keeps compiled functions on disk by the file that they stand in: a change
here compiles all of it anew. Arrays are ``int64``; a set of cards is a number, bit ``i`` is the ``i``-th *place*.

**Places.** The cards of a position (in hands and on the trick) are sorted by suit, trumps first, and within a suit from
low to high; a card's place is its rank in that order. Where plain cards have no rank they are sorted by their owner
instead, and where their suits do not matter either, all plain cards are one suit. Who owns a place never changes, so
that a position at the start of a trick is a set of places and a leader.

**Equal cards.** Two cards of a seat are equal where no other card that is still in play lies between them, and they are
worth the same: whatever one does, the other does. Only the lower one is tried.

**The search** is a test: can the declarer's side get ``target`` points from here on? It is alpha-beta with an empty
window, depth first on an explicit stack, and returns a bound that is often better than the target; some tests with
targets closer and closer together give the value. At the start of each trick a table remembers bounds. Its key is what
matters of a position: who owns the first, second … card of each suit, which of the trumps are worth something, and who
leads; plain suits are interchangeable, so they are sorted.
"""

from __future__ import annotations

import numpy as np
from numba import njit

compiled = njit(cache=True, _nrt=False)  # pyright: ignore[reportCallIssue]
"""Nothing in here allocates, and so nothing needs counted references; without them it is three times as fast."""

# --- what does not change while a position is searched: one array, ``game``

SIDE = 0
"""The parity of the declarer's seats."""
HAND = 1
"""Cards in a hand at the start; tricks in a deal."""
TRUMP_SUIT = 2
TRUMPS, PLAYABLE, POINT_CARDS, TWO = 3, 4, 5, 6
"""Sets of places."""
DROP_OUT = 7
TRUMPS_ONLY, LEAD_TRUMP, ENDS_WHEN_DECIDED, PLAIN_ALIKE = 8, 9, 10, 11
SURPLUS = 12
REGIONS = 13
"""The number of suits, with all plain ones counted as one where they are alike."""
MARKS = 14
"""The number of places that count."""
OWN = 16
"""+ seat: the set of places that it owns."""
MUST, MAY = 20, 25
"""+ suit led + 1: as in ``Tables``."""
REGION_SET = 30
"""+ region: the set of its places."""
CARD, OWNER, SUIT, WORTH, GROUP, MARK = 64, 128, 192, 256, 320, 384
"""+ place: its card; its seat; its suit; its points; cards of one group can be equal; its own bit, if it counts."""
STRENGTH = 448
"""+ 64 * suit led + place: who has the highest wins the trick."""
GAME_SIZE = 704

# --- values of DROP_OUT and SURPLUS; the others are 0

ON_TRUMP_LEAD, ON_ANY_LEAD, AFTER_TRICK = 1, 2, 3
FIRST_TRICK, EACH_TRICK = 1, 2

# --- a place in the tree: a row of ``stack``

CARDS, TABLE = 0, 1
"""Sets of places: in hands, on the trick."""
LEADER, SEAT, LED, WINNING, BEST, POT, TRICK = 2, 3, 4, 5, 6, 7, 8
BURYING = 9
"""The seat buries a card; otherwise it plays one."""
GOT, LEFT = 10, 11
"""Points of the declarer's side so far; points that are still open."""
OVER = 12
FRESH = 13
"""A trick begins here: the table is asked, and told."""
VALUE, NEXT, MOVES, KEY, PLAIN_KEY = 14, 15, 16, 17, 18
STACK_WIDTH = 19
STACK_DEPTH = 64
"""More than there are cards: each row is a card played or buried."""

TOP, BELOW = np.int64(0), np.int64(1)
"""The rows of the position asked about, and of one after it. (Plain numbers would be compiled once for each value.)"""

UNKNOWN = -1
MOST_CHOICES = 56
"""Columns of ``moves``: more than any hand has cards."""

# --- what is given: positions as rows, the rules as numbers, sets of cards by trump

P_TRUMP, P_SIDE, P_LEADER, P_SEAT, P_LED, P_WINNING, P_BEST, P_TRICK, P_BURYING = range(9)
P_WIDTH = 9
M_HAND, M_DROP_OUT, M_SURPLUS, M_TRUMPS_ONLY, M_LEAD_TRUMP, M_ENDS_WHEN_DECIDED, M_PLAIN_ALIKE = range(7)
S_POINT_CARDS, S_PLAYABLE, S_TWO = range(3)

# --- the table of positions: (entries, 3) with two words of key, and bounds

_HI, _STAMP = 8, 16
_BYTE = 255
_MULTIPLIER = -7046029254386353131
"""Odd, and without a pattern: 2**64 divided by the golden ratio."""
_MOST_PLAIN = 22
"""Plain cards of which the owners fit a word, beside three widths."""


@compiled
def _count(places):
    """The number of places in a set (compiled to one instruction)."""
    number = 0
    while places:
        places &= places - 1
        number += 1
    return number


@compiled
def _lowest(places):
    """The lowest place of a set."""
    return _count((places & -places) - 1)


@compiled
def _highest(places):
    """The highest place of a set; -1 for the empty one."""
    places |= places >> 1
    places |= places >> 2
    places |= places >> 4
    places |= places >> 8
    places |= places >> 16
    places |= places >> 32
    return _count(places) - 1


# --- the rules: what may be done, and what follows


@compiled
def _surplus(game, stack, d, hand):
    """Cards beyond the usual size of a hand in this trick."""
    return _count(hand) - (game[HAND] - stack[d, TRICK])


@compiled
def _worthless(game, hand):
    """RULES 2.10: a point trump may not be buried."""
    return hand & game[TRUMPS] & ~game[POINT_CARDS]


@compiled
def _ask(game, stack, d, at_least):
    """Whether the seat whose turn it is buries first; what can be buried in only one way is buried at once."""
    stack[d, BURYING] = 0
    kind = game[SURPLUS]
    if kind == 0 or stack[d, OVER] or (kind == FIRST_TRICK and stack[d, TRICK] > 0):
        return
    hand = stack[d, CARDS] & game[OWN + stack[d, SEAT]]
    due = _surplus(game, stack, d, hand)
    if due <= 0:
        return
    if kind == EACH_TRICK:  # RULES 7.24
        due = max(due - (game[HAND] - 1 - stack[d, TRICK]), at_least)
    if due == 0:
        return
    worthless = _worthless(game, hand)
    number = _count(worthless)
    if number > due:
        stack[d, BURYING] = 1
        return
    stack[d, CARDS] &= ~worthless
    if number < due:  # 7.25: then the 2
        two = hand & game[TWO]
        stack[d, CARDS] &= ~two
        if two:
            stack[d, LEFT] -= game[WORTH + _lowest(two)]


@compiled
def _legal(game, stack, d):
    """The set of places that may be played or buried."""
    hand = stack[d, CARDS] & game[OWN + stack[d, SEAT]]
    if stack[d, BURYING]:
        return _worthless(game, hand)
    led = stack[d, LED] + 1
    places = hand
    if hand & game[MUST + led]:
        places = hand & game[MAY + led]
    if game[LEAD_TRUMP] and stack[d, TRICK] == 0 and stack[d, TABLE] == 0 and hand & game[TRUMPS]:
        places = hand & game[TRUMPS]
    if game[SURPLUS] == EACH_TRICK:
        to_come = _surplus(game, stack, d, hand)
        if to_come > 0 and _count(_worthless(game, hand)) <= to_come:
            places &= game[POINT_CARDS]
    return places


@compiled
def _do(game, stack, d, place):
    """Play or bury a card: the position that follows is written one row further down."""
    there = d + 1
    cards = stack[d, CARDS] & ~(1 << place)
    stack[there, TRICK] = stack[d, TRICK]
    stack[there, GOT] = stack[d, GOT]
    stack[there, LEFT] = stack[d, LEFT]
    stack[there, OVER] = 0
    stack[there, FRESH] = 0
    leader, seat, led = stack[d, LEADER], stack[d, SEAT], stack[d, LED]
    winning, best = stack[d, WINNING], stack[d, BEST]
    if stack[d, BURYING]:
        stack[there, CARDS] = cards
        stack[there, TABLE] = stack[d, TABLE]
        stack[there, LEADER] = leader
        stack[there, SEAT] = seat
        stack[there, LED] = led
        stack[there, WINNING] = winning
        stack[there, BEST] = best
        stack[there, POT] = stack[d, POT]
        _ask(game, stack, there, 0)
        return
    if stack[d, TABLE] == 0:
        led = game[SUIT + place]
    strength = game[STRENGTH + 64 * led + place]
    if strength > best:
        best = strength
        winning = seat
    pot = stack[d, POT] + game[WORTH + place]

    drop_out = game[DROP_OUT]
    leaves = drop_out == ON_ANY_LEAD or (drop_out == ON_TRUMP_LEAD and led == game[TRUMP_SUIT])
    seat = (seat + 1) & 3
    while seat != leader:
        hand = cards & game[OWN + seat]
        if leaves and not hand & game[TRUMPS]:
            cards &= ~hand
            hand = 0
        if hand & game[PLAYABLE]:
            break
        seat = (seat + 1) & 3
    stack[there, CARDS] = cards
    if seat != leader:
        stack[there, TABLE] = stack[d, TABLE] | 1 << place
        stack[there, LEADER] = leader
        stack[there, SEAT] = seat
        stack[there, LED] = led
        stack[there, WINNING] = winning
        stack[there, BEST] = best
        stack[there, POT] = pot
        _ask(game, stack, there, 1)
        return

    stack[there, LEFT] -= pot
    if winning & 1 == game[SIDE]:
        stack[there, GOT] += pot
    stack[there, TRICK] += 1
    if drop_out == AFTER_TRICK:
        for other in range(4):
            hand = cards & game[OWN + other]
            if not hand & game[TRUMPS]:
                cards &= ~hand
    elif drop_out == ON_ANY_LEAD and led != game[TRUMP_SUIT]:
        hand = cards & game[OWN + leader]
        if not hand & game[TRUMPS]:
            cards &= ~hand
    stack[there, CARDS] = cards
    _lead(game, stack, there, winning)


@compiled
def _lead(game, stack, d, winner):
    """A trick begins: the winner of the last one leads, or whoever the lead passes to; or the deal is over."""
    cards = stack[d, CARDS]
    stack[d, FRESH] = 1
    stack[d, TABLE] = 0
    stack[d, LED] = -1
    stack[d, WINNING] = -1
    stack[d, BEST] = 0
    stack[d, POT] = 0
    if game[ENDS_WHEN_DECIDED] and not cards & game[POINT_CARDS]:
        stack[d, OVER] = 1
        return
    if game[TRUMPS_ONLY]:
        last, holding = 0, 0
        for seat in range(3, -1, -1):
            if cards & game[OWN + seat] & game[TRUMPS]:
                last = seat
                holding += 1
        if holding <= 1:  # 3.1 pidro: the only one with trumps takes the rest
            if last & 1 == game[SIDE]:
                stack[d, GOT] += stack[d, LEFT]
            stack[d, LEFT] = 0
            stack[d, OVER] = 1
            return
    seat = winner
    for _ in range(4):
        hand = cards & game[OWN + seat]
        if not hand & game[PLAYABLE]:
            seat = (seat + 1) & 3
    stack[d, LEADER] = seat
    stack[d, SEAT] = seat
    if not cards & game[OWN + seat] & game[PLAYABLE]:
        stack[d, OVER] = 1
        return
    _ask(game, stack, d, 1)


# --- the search


@compiled
def _equal(game, present, lower, higher):
    """Whether two places of one seat are equal: nothing that is present lies between them."""
    return game[GROUP + lower] == game[GROUP + higher] and (present & ((1 << higher) - 1)) < 2 << lower


@compiled
def _outlook(game, stack, d):
    """On a trick that has been led to: is it the seat's own side's, and the best trump of the opponents still to play.

    The trump's strength; -1 where they have none. (Not rules, but what makes a card promising.)
    """
    cards, seat, best = stack[d, CARDS], stack[d, SEAT], stack[d, BEST]
    partners, theirs = -1, -1
    other = (seat + 1) & 3
    while other != stack[d, LEADER]:
        trumps = cards & game[TRUMPS] & game[OWN + other]
        if trumps:
            strength = game[STRENGTH + 64 * game[TRUMP_SUIT] + _highest(trumps)]
            if other & 1 == seat & 1:
                partners = strength
            else:
                theirs = max(theirs, strength)
        other = (other + 1) & 3
    ours = stack[d, WINNING] & 1 == seat & 1
    return (ours and best > theirs) or (partners > theirs and (ours or partners > best)), theirs


@compiled
def _promise_of_lead(game, stack, d, place):
    """How promising it is to lead a card: the highest trump, then worth to the partner's highest, then trumps."""
    worth = game[WORTH + place]
    trumps = stack[d, CARDS] & game[TRUMPS]
    if not trumps >> place & 1:
        return place - 64 * worth
    top = _highest(trumps)
    if place == top:
        return 1000
    if game[OWNER + top] ^ stack[d, SEAT] == 2:
        return 500 + 64 * worth - place
    return 400 - 64 * worth + place


@compiled
def _promise_of_following(game, stack, d, place, sure, theirs):
    """How promising a card is on a trick that has been led to; ``sure`` and ``theirs`` are the outlook."""
    worth, strength = game[WORTH + place], game[STRENGTH + 64 * stack[d, LED] + place]
    if sure:
        return 64 * worth - strength
    if strength > stack[d, BEST] and strength > theirs:
        return (1000 if stack[d, POT] + worth else -100) + 64 * worth - strength
    if strength > stack[d, BEST]:
        return -300 - 64 * worth + strength
    return -64 * worth - strength


@compiled
def _choices(game, stack, moves, d):
    """Write one of each kind of equal cards to ``moves``, the promising ones first."""
    legal = _legal(game, stack, d)
    present = stack[d, CARDS] | stack[d, TABLE]
    sure, theirs = False, -1
    if stack[d, TABLE]:
        sure, theirs = _outlook(game, stack, d)
    number, before = 0, -1
    while legal:
        place = _lowest(legal)
        legal &= legal - 1
        if before < 0 or not _equal(game, present, before, place):
            if stack[d, BURYING]:
                promise = -place
            elif stack[d, TABLE]:
                promise = _promise_of_following(game, stack, d, place, sure, theirs)
            else:
                promise = _promise_of_lead(game, stack, d, place)
            entry = (promise << 6) + place
            at = number
            while at > 0 and moves[d, at - 1] < entry:
                moves[d, at] = moves[d, at - 1]
                at -= 1
            moves[d, at] = entry
            number += 1
        before = place
    stack[d, MOVES] = number
    stack[d, NEXT] = 0


@compiled
def _key(game, stack, d):
    """The key of the position at the start of a trick: two words that are equal where nothing differs that matters."""
    cards = stack[d, CARDS]
    owners, worth, marks = 1, 0, 0
    trumps = cards & game[TRUMPS]
    while trumps:
        place = _lowest(trumps)
        trumps &= trumps - 1
        mark = game[MARK + place]
        owners = owners << 2 | game[OWNER + place]
        worth = worth << 1 | (mark != 0)
        marks |= mark
    stack[d, KEY] = (owners << 17 | worth) << 12 | marks << 2 | stack[d, LEADER]
    plain = cards & ~game[TRUMPS]
    if _count(plain) > _MOST_PLAIN:
        stack[d, PLAIN_KEY] = -plain
        return
    first, second, third = 1, 1, 1
    for region in range(1, game[REGIONS]):
        places = plain & game[REGION_SET + region]
        owners = 1
        while places:
            owners = owners << 2 | game[OWNER + _lowest(places)]
            places &= places - 1
        if owners > first:
            first, second, third = owners, first, second
        elif owners > second:
            second, third = owners, second
        else:
            third = owners
    key = 1
    for owners in (first, second, third):
        width = 0
        while owners >> width > 1:
            width += 2
        key = (key << width | owners & ((1 << width) - 1)) << 6 | width
    stack[d, PLAIN_KEY] = key


@compiled
def _sure(game, stack, d):
    """Points that either side is sure of when a trick begins: the other side's, and those of the declarer's.

    The highest trumps, down to the other side's first, win their tricks. A leader who has the highest k alone may lead
    them: its partner follows with what is worth most, and an opponent with k trumps at most loses them all.
    """
    cards, leader = stack[d, CARDS], stack[d, LEADER]
    trumps = cards & game[TRUMPS]
    if not trumps:
        return 0, 0
    top = _highest(trumps)
    side = game[OWNER + top] & 1
    sides = (game[OWN + side] | game[OWN + side + 2]) & trumps
    run = trumps & ~((2 << _highest(trumps & ~sides)) - 1) if trumps & ~sides else trumps
    sure = run
    if leader & 1 == side and game[SURPLUS] != EACH_TRICK:
        mine = trumps & game[OWN + leader]
        others = trumps & ~mine
        alone = mine & ~((2 << _highest(others)) - 1) if others else mine
        k = _count(alone)
        if k > 0:
            for step in (1, 3):
                theirs = others & game[OWN + ((leader + step) & 3)]
                if _count(theirs) <= k:
                    sure |= theirs
            partners = others & game[OWN + ((leader + 2) & 3)] & ~run
            while k > 0 and partners:
                best = _lowest(partners)
                rest = partners
                while rest:
                    place = _lowest(rest)
                    rest &= rest - 1
                    if game[WORTH + place] > game[WORTH + best]:
                        best = place
                partners &= ~(1 << best)
                sure |= 1 << best
                k -= 1
    points = 0
    while sure:
        points += game[WORTH + _lowest(sure)]
        sure &= sure - 1
    return (0, points) if side == game[SIDE] else (points, 0)


@compiled
def _slot(keys, key, plain_key):
    """Where a position is in the table of positions, if it is there."""
    mixed = (key ^ (plain_key * _MULTIPLIER)) * _MULTIPLIER
    return (mixed >> 32 ^ mixed) & (len(keys) - 1)


@compiled
def _bound(game, stack, d, memory, stamp, target):
    """What is known of a position without a search, where that decides the test; else ``UNKNOWN``."""
    got, left = stack[d, GOT], stack[d, LEFT]
    if stack[d, OVER] or left == 0 or got >= target:
        return got
    if got + left < target:
        return got + left
    if stack[d, FRESH]:
        others, own = _sure(game, stack, d)
        if got + own >= target:
            return got + own
        if got + left - others < target:
            return got + left - others
        _key(game, stack, d)
        key, plain_key = stack[d, KEY], stack[d, PLAIN_KEY]
        slot = _slot(memory, key, plain_key)
        bounds = memory[slot, 2]
        if bounds >> _STAMP == stamp and memory[slot, 0] == key and memory[slot, 1] == plain_key:
            low, high = bounds & _BYTE, bounds >> _HI & _BYTE
            if got + low >= target:
                return got + low
            if got + high < target:
                return got + high
    return UNKNOWN


@compiled
def _remember(stack, d, memory, stamp, target, value):
    """Tell the table of positions what a search has found: ``value`` is a bound, on the target's own side of it."""
    key, plain_key = stack[d, KEY], stack[d, PLAIN_KEY]
    slot = _slot(memory, key, plain_key)
    low, high = 0, stack[d, LEFT]
    bounds = memory[slot, 2]
    if bounds >> _STAMP == stamp and memory[slot, 0] == key and memory[slot, 1] == plain_key:
        low, high = bounds & _BYTE, bounds >> _HI & _BYTE
    if value >= target:
        low = value - stack[d, GOT]
    else:
        high = value - stack[d, GOT]
    memory[slot, 0] = key
    memory[slot, 1] = plain_key
    memory[slot, 2] = stamp << _STAMP | high << _HI | low


@compiled
def _test(game, stack, moves, memory, stamp, root, target, nodes):
    """A bound on the points of the declarer's side: a lower one, if it is ``target`` or more; else an upper one."""
    d = root
    while True:
        nodes[0] += 1
        value = _bound(game, stack, d, memory, stamp, target)
        if value == UNKNOWN:
            _choices(game, stack, moves, d)
            stack[d, VALUE] = -1 if stack[d, SEAT] & 1 == game[SIDE] else _BYTE
        while value != UNKNOWN:
            if d == root:
                return value
            d -= 1
            if stack[d, SEAT] & 1 == game[SIDE]:
                stack[d, VALUE] = max(stack[d, VALUE], value)
                decided = value >= target
            else:
                stack[d, VALUE] = min(stack[d, VALUE], value)
                decided = value < target
            if decided or stack[d, NEXT] == stack[d, MOVES]:
                value = stack[d, VALUE]
                if stack[d, FRESH]:
                    _remember(stack, d, memory, stamp, target, value)
            else:
                value = UNKNOWN
        place = moves[d, stack[d, NEXT]] & 63
        stack[d, NEXT] += 1
        _do(game, stack, d, place)
        d += 1


@compiled
def _value(game, stack, moves, memory, stamp, root, guess, nodes):
    """The points of the declarer's side from a position on: tests with targets nearer and nearer to it."""
    low, high = stack[root, GOT], stack[root, GOT] + stack[root, LEFT]
    target = min(max(guess, low + 1), high)
    while low < high:
        value = _test(game, stack, moves, memory, stamp, root, target, nodes)
        if value >= target:
            low = value
            target = value + 1
        else:
            high = value
            target = value
    return low


# --- from the engine's state to a position


@compiled
def _set_up(game, stack, tables, position, hands, on_table):
    """Fill ``game`` and the first row of ``stack`` from one game of the engine."""
    modes = tables[0]
    for at in range(GAME_SIZE):
        game[at] = 0
    game[SIDE], game[TRUMP_SUIT] = position[P_SIDE], position[P_TRUMP]
    game[HAND], game[DROP_OUT], game[SURPLUS] = modes[M_HAND], modes[M_DROP_OUT], modes[M_SURPLUS]
    game[TRUMPS_ONLY], game[LEAD_TRUMP] = modes[M_TRUMPS_ONLY], modes[M_LEAD_TRUMP]
    game[ENDS_WHEN_DECIDED] = modes[M_ENDS_WHEN_DECIDED]
    game[REGIONS] = 2 if modes[M_PLAIN_ALIKE] else 4

    trick, buries = position[P_TRICK], False
    for seat in range(4):
        if _count(hands[seat]) > game[HAND] - trick:
            buries = game[SURPLUS] == EACH_TRICK or (game[SURPLUS] == FIRST_TRICK and trick == 0)
    number = _give_places(game, tables, hands, on_table)
    for place in range(number):
        _describe(game, tables, place, buries)

    stack[TOP, CARDS], stack[TOP, TABLE], stack[TOP, POT], stack[TOP, LEFT] = 0, 0, 0, 0
    for place in range(number):
        stack[TOP, LEFT] += game[WORTH + place]
        if game[CARD + place] == on_table[game[OWNER + place]]:
            stack[TOP, TABLE] |= 1 << place
            stack[TOP, POT] += game[WORTH + place]
        else:
            stack[TOP, CARDS] |= 1 << place
    stack[TOP, LEADER], stack[TOP, SEAT], stack[TOP, LED] = position[P_LEADER], position[P_SEAT], position[P_LED]
    stack[TOP, WINNING], stack[TOP, BEST], stack[TOP, TRICK] = position[P_WINNING], position[P_BEST], trick
    stack[TOP, BURYING], stack[TOP, GOT], stack[TOP, OVER], stack[TOP, FRESH] = position[P_BURYING], 0, 0, 0


@compiled
def _give_places(game, tables, hands, on_table):
    """Write card, owner and suit of each place: sorted by suit, strength, owner. Returns how many there are."""
    suit_of, strength = tables[1], tables[2]
    trump = game[TRUMP_SUIT]
    number = 0
    for card in range(54):
        owner = -1
        for seat in range(4):
            if (hands[seat] >> card) & 1 or on_table[seat] == card:
                owner = seat
        if owner < 0:
            continue
        suit = suit_of[trump, card]
        order = _region(game, suit) << 8 | strength[5 * trump + suit + 1, card]
        entry = (order << 2 | owner) << 6 | card
        at = number
        while at > 0 and game[CARD + at - 1] > entry:
            game[CARD + at] = game[CARD + at - 1]
            at -= 1
        game[CARD + at] = entry
        number += 1
    for place in range(number):
        entry = game[CARD + place]
        game[CARD + place] = entry & 63
        game[OWNER + place] = entry >> 6 & 3
        game[SUIT + place] = suit_of[trump, entry & 63]
    return number


@compiled
def _region(game, suit):
    """0 for trumps; the plain suits from 1 on, or all of them 1."""
    if suit == game[TRUMP_SUIT]:
        return 0
    return 1 if game[REGIONS] == 2 else (suit - game[TRUMP_SUIT]) % 4


@compiled
def _describe(game, tables, place, buries):
    """Write all else that is asked of a place. ``buries``: somebody has too many cards, so that a 2 is not any card."""
    strength, worth, sets, must, may = tables[2], tables[3], tables[4], tables[5], tables[6]
    trump, card, bit = game[TRUMP_SUIT], game[CARD + place], 1 << place
    points, counts = worth[trump, card], sets[S_POINT_CARDS, trump] >> card & 1
    region = _region(game, game[SUIT + place])
    game[OWN + game[OWNER + place]] |= bit
    game[REGION_SET + region] |= bit
    if region == 0:
        game[TRUMPS] |= bit
    if counts:
        game[POINT_CARDS] |= bit
    if sets[S_PLAYABLE, trump] >> card & 1:
        game[PLAYABLE] |= bit
    if sets[S_TWO, trump] >> card & 1:
        game[TWO] |= bit
    game[WORTH + place] = points
    game[GROUP + place] = region << 9 | points << 1 | (counts and buries)
    if points or (counts and buries):
        game[MARK + place] = 1 << game[MARKS]
        game[MARKS] += 1
    for led in range(5):
        if led > 0:
            game[STRENGTH + 64 * (led - 1) + place] = strength[5 * trump + led, card]
        if must[5 * trump + led] >> card & 1:
            game[MUST + led] |= bit
        if may[5 * trump + led] >> card & 1:
            game[MAY + led] |= bit


# --- what is asked for


@compiled
def _action_values(game, stack, moves, memory, stamp, guess, out, nodes):
    """The value of every legal action of the first row of ``stack``, written at its card; the best of them."""
    legal, present = _legal(game, stack, TOP), stack[TOP, CARDS] | stack[TOP, TABLE]
    mine = stack[TOP, SEAT] & 1 == game[SIDE]
    best = UNKNOWN
    before, value = -1, 0
    while legal:
        place = _lowest(legal)
        legal &= legal - 1
        if before < 0 or not _equal(game, present, before, place):
            _do(game, stack, TOP, place)
            value = _value(game, stack, moves, memory, stamp, BELOW, guess if best == UNKNOWN else best, nodes)
            if best == UNKNOWN or (value > best) == mine:
                best = value
        out[game[CARD + place]] = value
        before = place
    return best


@compiled
def _lowest_card(game, places):
    """The place of a set whose card has the lowest number."""
    lowest = _lowest(places)
    while places:
        place = _lowest(places)
        places &= places - 1
        if game[CARD + place] < game[CARD + lowest]:
            lowest = place
    return lowest


@compiled
def _line(game, stack, moves, memory, stamp, value, out, nodes):
    """A best line from the first row of ``stack`` to the end of the deal, the lowest card where several are best."""
    length = 0
    while not stack[TOP, OVER]:
        untried = _legal(game, stack, TOP)
        mine = stack[TOP, SEAT] & 1 == game[SIDE]
        target = value if mine else value + 1
        while True:
            place = _lowest_card(game, untried)
            untried &= ~(1 << place)
            _do(game, stack, TOP, place)
            if not untried:
                break  # it is the only one, or all others were worse
            if (_test(game, stack, moves, memory, stamp, BELOW, target, nodes) >= target) == mine:
                break
        out[length] = game[CARD + place]
        length += 1
        for column in range(STACK_WIDTH):
            stack[TOP, column] = stack[BELOW, column]


@compiled
def solve(tables, positions, hands, on_table, game, stack, moves, memory, values, by_action, lines, nodes):
    """Solve one position after another.

    ``positions`` ``(k, P_WIDTH)``, ``hands`` ``(k, 4)`` sets of cards, ``on_table`` ``(k, 4)`` cards or -1. Written are
    ``values`` ``(k,)``, points of the declarer's side from here on, and, where they have columns, ``by_action``
    ``(k, 54)`` (legal cards alone) and ``lines`` ``(k, L)``; and to ``nodes`` ``(k,)`` the positions looked at.
    Room to work in are ``game`` ``(GAME_SIZE,)``, ``stack`` ``(STACK_DEPTH, STACK_WIDTH)``, ``moves`` ``(STACK_DEPTH,
    MOST_CHOICES)`` and the table of positions, ``memory`` ``(2**b, 3)``, which must be zeros.
    """
    for k in range(len(positions)):
        _set_up(game, stack, tables, positions[k], hands[k], on_table[k])
        guess = (stack[TOP, LEFT] + 1) // 2
        looked = nodes[k : k + 1]
        stamp = k + 1
        if by_action.shape[1]:
            values[k] = _action_values(game, stack, moves, memory, stamp, guess, by_action[k], looked)
        else:
            values[k] = _value(game, stack, moves, memory, stamp, TOP, guess, looked)
        if lines.shape[1]:
            _line(game, stack, moves, memory, stamp, values[k], lines[k], looked)
