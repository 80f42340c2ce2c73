"""Text for people: the table, observations in words, transcripts."""

from __future__ import annotations

import json
import random

import numpy as np
import pytest

from pedro_env import Batch, describe, layout_of, make_rules
from pedro_env.actions import Phase
from pedro_env.cards import CARD_NAMES, SUIT_SYMBOLS, parse_card
from pedro_env.cardset import to_cards
from pedro_env.record import random_records
from pedro_env.render import WIDTH, card_text, cards_text, table, transcript
from pedro_env.rules import Rules
from pedro_env.variants import VARIANTS
from tests.support import cards

AGAINST = "(against the rules; the rest as it stands)"


def positions(variant: str, seeds: range, **options: object):
    """A batch of one game at every decision of some deals, and at their ends."""
    rng = random.Random(0)
    for seed in seeds:
        batch = Batch(make_rules(variant, options), seed)
        while not batch.over[0]:
            yield batch
            batch.step(np.array([rng.choice(np.flatnonzero(batch.mask()[0]).tolist())]))
        yield batch


def entries(text: str) -> dict[str, str]:
    """A description's titles and what they say."""
    found: dict[str, str] = {}
    title = ""
    for line in text.splitlines():
        if line[:16].strip():
            title = line[:16].strip()
            found[title] = line[16:].strip()
        else:
            found[title] += " " + line.strip()
    return found


# --- cards


def test_cards_by_suit() -> None:
    rules, hand = make_rules("pedro"), cards("2H 5D AH 9S KS 5H TC")
    assert cards_text(hand, rules) == "♠ K 9  ♥ A 5 2  ♦ 5  ♣ T"
    assert cards_text(hand, rules, trump=1) == "♥* A 5 5♦ 2  ♠ K 9  ♣ T"
    assert cards_text([], rules) == "–"
    assert cards_text(cards("JS JC QC XS XB"), make_rules("tennessee"), trump=3) == "♣* Q J J♠ XB XS"
    assert cards_text(cards("JS XB"), make_rules("tennessee")) == "♠ J  XB"


# --- the table


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_table_fits_and_shows_every_hand(variant: str) -> None:
    for batch in positions(variant, range(2)):
        text = table(batch)
        assert max(map(len, text.splitlines())) <= WIDTH
        assert "\x1b" not in text
        trump = int(batch.state.trump[0])
        for seat in range(batch.rules.seats):
            hand = to_cards(batch.state.hand[0, seat])
            for suit in cards_text(hand, batch.rules, trump).split("  ") if hand else []:
                assert suit in text
        if not batch.over[0]:
            assert f"> seat {batch.to_act[0]}" in text
            assert f"seat {batch.to_act[0]} is to act: {Phase(batch.phase[0]).word}" in text


def test_a_table_with_seven_full_hands() -> None:
    for options in ({"seats": 7, "deal_all": True}, {"seats": 4, "deal_all": True}):
        for batch in positions("pedro-sancho", range(1), **options):
            assert max(map(len, table(batch).splitlines())) <= WIDTH


@pytest.mark.parametrize("variant", ["pedro", "five-handed"])
def test_a_table_hides_what_a_seat_does_not_see(variant: str) -> None:
    """The other hands are swapped for others: the table that the seat sees stays the same."""
    for batch in positions(variant, range(2)):
        if batch.over[0]:
            continue
        before = table(batch, seat=1)
        other = batch.copy()
        seats = [seat for seat in range(batch.rules.seats) if seat != 1]
        counts = {seat: len(to_cards(batch.state.hand[0, seat])) for seat in seats}
        shuffled = [card for seat in seats for card in to_cards(batch.state.hand[0, seat])][::-1]
        for seat in seats:
            hand, shuffled = shuffled[: counts[seat]], shuffled[counts[seat] :]
            other.state.hand[0, seat] = sum(1 << card for card in hand)
        assert table(other, seat=1) == before
        hand = cards_text(to_cards(batch.state.hand[0, 1]), batch.rules, int(batch.state.trump[0]))
        assert hand in before or hand == "–"


def test_a_seat_that_is_not_there() -> None:
    with pytest.raises(ValueError, match="from 0 to 3, not 4"):
        table(Batch(make_rules("pedro")), seat=4)


# --- observations


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_description_tells_what_the_state_says(variant: str) -> None:
    for batch in positions(variant, range(2)):
        rules, state = batch.rules, batch.state
        for seat in range(rules.seats):
            text = describe(batch.observe(np.array([0]), np.array([seat]))[0], rules)
            assert max(map(len, text.splitlines())) <= WIDTH
            said = entries(text)
            check_description(said, batch, seat)
            trump = int(state.trump[0])
            if state.contract[0] >= 0:
                assert said["Contract"].split(",")[0] == bid_text(batch, int(state.contract[0]))
                assert (f"trumps {SUIT_SYMBOLS[trump]}" in said["Contract"]) == (trump >= 0)
            else:
                assert said["Contract"] == "nobody has bid"


def check_description(said: dict[str, str], batch: Batch, seat: int) -> None:
    rules, state = batch.rules, batch.state
    names = seat_names(rules)
    assert said["Your hand"] == cards_text(to_cards(state.hand[0, seat]), rules, int(state.trump[0]))
    assert said["Dealer"] == names[(state.dealer[0] - seat) % rules.seats]
    if batch.over[0]:
        assert said["Phase"] == "the deal is over"
        return
    to_act = names[(batch.to_act[0] - seat) % rules.seats]
    assert said["Phase"].startswith(Phase(batch.phase[0]).word)
    assert said["Phase"].endswith(f"{to_act} {'are' if to_act == 'you' else 'is'} to act")
    for other in range(rules.seats):
        card = int(state.on_table[0, other])
        if state.in_trick[0] and card >= 0:
            assert f"{names[(other - seat) % rules.seats]} {card_text(card)}" in said["In the trick"]
    taken = [int(state.taken[0, (seat + place) % rules.sides]) for place in range(rules.sides)]
    if rules.total_points <= 24:
        spoken = [int(word.split()[-1]) for word in said["Points taken"].split(",")]
        assert spoken == taken


def seat_names(rules: Rules) -> list[str]:
    if rules.seats == 4:
        return ["you", "left", "partner" if rules.sides == 2 else "opposite", "right"]
    return ["you", "left", *(f"{place} to the left" for place in range(2, rules.seats - 1)), "right"]


def bid_text(batch: Batch, bid: int) -> str:
    bid_type = batch.actions.bids[bid]
    return f"{bid_type.number}{SUIT_SYMBOLS[bid_type.suit]}" if bid_type.suit >= 0 else bid_type.name


def test_a_finished_deal_in_words() -> None:
    """Every card played stands in its trick, behind the seat that played it."""
    *_, batch = positions("pedro", range(1))
    said = entries(describe(batch.observe(np.array([0]), np.array([2]))[0], batch.rules))
    assert [title for title in said if title.startswith("Trick")] == [f"Trick {number}" for number in range(1, 7)]
    for seat, name in ((2, "you"), (3, "left"), (0, "partner"), (1, "right")):
        played = {f"{name} {card_text(card)}" for card in to_cards(batch.state.shown[0, seat] & ~batch.state.open[0])}
        told = {word for number in range(1, 7) for word in said[f"Trick {number}"].split(", ") if word.startswith(name)}
        assert told == played


def test_scores_in_words() -> None:
    batch = Batch(make_rules("pedro"))
    batch.set_position(0, batch.state.pack[0].tolist(), 0, [61, -70])
    said = entries(describe(batch.observe(np.array([0]), np.array([1]))[0], batch.rules))
    assert said["Score, to 62"] == "your side below -58, the other side 61"


@pytest.mark.parametrize("variant", list(VARIANTS))
def test_a_description_of_every_layout(variant: str) -> None:
    """Also of what the engine does not play: no field is forgotten in silence, none is stumbled over."""
    rules = make_rules(variant)
    layout = layout_of(rules)
    empty = np.zeros(layout.width, np.uint8)
    nothing = describe(empty, rules)
    assert entries(nothing)["Your hand"] == "–"
    for field in layout.fields:
        row = empty.copy()
        row[field.start] = 1
        if (field.kind == "cards" and field.name in ("called", "in_trick")) or field.name.startswith("trick_bit"):
            row[layout.slices["shown_1"].start] = 1
        if field.name in ("alone", "called", "declarer", "partner"):
            row[layout.slices["contract"].start] = 1
        if field.name == "led":
            row[layout.slices["in_trick"].start] = row[layout.slices["shown_1"].start] = 1
        if field.name in ("to_act", "trick", "winning", "trump") or field.name.startswith("shown_"):
            continue  # shown together with another field only
        assert describe(row, rules) != nothing, field.name


def test_what_is_no_observation() -> None:
    batch = Batch(make_rules("pedro"))
    with pytest.raises(ValueError, match=r"'pedro' has the shape \(1088,\), not \(1, 1088\); take one row"):
        describe(batch.observe(), batch.rules)
    with pytest.raises(ValueError, match="'oregon' has the shape"):
        describe(batch.observe()[0], make_rules("oregon"))


# --- transcripts


@pytest.mark.parametrize("variant", VARIANTS)
def test_transcripts(variant: str) -> None:
    for record in random_records(variant, {}, 1, seed=3):
        text = transcript(record)
        assert max(map(len, text.splitlines())) <= WIDTH
        assert "against the rules" not in text
        assert text.startswith(f"{variant}: seed 3, match 0, deal {record['deal']}\n")
        words = text.replace(",", " ").split()
        for step in record["steps"]:
            if step["phase"] in ("bury", "play") and step["action"] in CARD_NAMES:
                assert card_text(parse_card(step["action"])) in words
        assert " ".join(entries(text)["Points"].split()) == " : ".join(map(str, record["points"]))
        if record["deal"] == 2:
            break


def test_a_transcript_of_our_own() -> None:
    record = next(iter(random_records("pedro", {"min_bid": 6}, 1, seed=3)))
    text = transcript(record)
    assert "min_bid=6" in text.splitlines()[0]
    tricks = [line for line in text.splitlines() if line.startswith("Trick")]
    assert len(tricks) == 6
    points = [int(line.split(" → seat ")[1].split(", ")[1].split()[0]) for line in tricks]
    assert sum(points) in (13, 14), "all but a 2 that its holder keeps"


def test_a_transcript_of_a_record_that_breaks_the_rules() -> None:
    record = next(iter(random_records("pedro", {}, 1, seed=3)))
    wrong = json.loads(json.dumps(record))
    wrong["steps"][-1]["action"] = wrong["steps"][-2]["action"]
    assert " ".join(transcript(wrong).split()).count(AGAINST) == 1
    wrong["steps"][0]["action"] = "15"
    assert " ".join(transcript(wrong).split()).count(AGAINST) == 1
