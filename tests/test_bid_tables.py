"""Bidding tables: against a slow count of the same deals, rules that every table obeys, files and mistakes."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

pytest.importorskip("numba")

from agents.bid_tables.command import main
from agents.bid_tables.kinds import Kinds
from agents.bid_tables.output import Source, as_json, read
from agents.bid_tables.samples import SEATS, WAYS, Samples
from agents.bid_tables.simulation import sample
from agents.bid_tables.tables import BidTables, tabulate
from agents.registry import make_agent
from agents.search.solver import value
from agents.statistics import ratio_estimate
from pedro_env.actions import Phase
from pedro_env.cards import SUITS
from pedro_env.cardset import from_cards
from pedro_env.engine import Batch
from pedro_env.rules import Rules
from pedro_env.variants import make_rules
from tests.support import cards, names

PEDRO = Path(__file__).parent.parent / "agents/bid_tables/pedro.json"
VARIED = ["pedro", "catch-five", "oregon", "california-100", "king-pedro-ukrainian"]
"""Games of different points, bids, auctions and ends that are quick to solve."""
SEED = 3
BIDS = range(7, 15)


def tables_of_deals(rules: Rules, deals: int) -> BidTables:
    return tabulate(rules, sample(rules, SEED, 0, deals))


def written(path: Path, rules: Rules, tables: BidTables) -> Path:
    path.write_bytes(as_json(Source(rules, {}, SEED, ["a test"]), tables))
    return path


# --- a slow count: one game of pedro at a time


class Hand(NamedTuple):
    """What one seat of one deal adds to the tables."""

    deal: int
    cell: tuple[str, str, int, str]
    """Seat, highest trumps, fives, trumps."""
    points: tuple[int, int]
    """All cards open, played."""
    passing: int


def slow_hands(deals: int) -> list[Hand]:
    hands = []
    for deal in range(deals):
        for seat in range(4):
            alone, passes = (Batch(make_rules("pedro"), SEED, [deal]) for _ in range(2))
            held, dealer = names(alone.state.hand[0, seat]), int(alone.state.dealer[0])
            play_alone(alone, seat, declares=True, until=(Phase.BURY, Phase.PLAY))
            suit, opened = SUITS[alone.state.trump[0]], int(value(alone)[0])
            play_alone(alone, seat, declares=True)
            play_alone(passes, seat, declares=False)
            where = {0: "dealer", 2: "dealer's partner"}.get((seat - dealer) % 4, "others")
            points = opened, int(alone.state.points[0, seat % 2])
            ours, theirs = passes.state.score_change[0, [seat % 2, 1 - seat % 2]].tolist()
            hands.append(Hand(deal, (where, *kind_of(held, suit)), points, ours - theirs))
    return hands


def play_alone(batch: Batch, seat: int, *, declares: bool, until: tuple[Phase, ...] = ()) -> None:
    """Play one game as heuristic-1; but a seat bids 7 and the others pass, or it passes as long as it may."""
    agent = make_agent("heuristic-1", batch.rules)
    while not batch.over[0] and batch.phase[0] not in until:
        chosen = batch.actions.names[int(agent.act(batch.views())[0])]
        legal = [batch.actions.names[action] for action in np.flatnonzero(batch.mask()[0])]
        mine = batch.to_act[0] == seat
        if batch.phase[0] == Phase.BID and declares:
            chosen = "7" if mine else "pass"
        elif batch.phase[0] == Phase.BID and mine and "pass" in legal:
            chosen = "pass"
        batch.step(np.array([batch.actions.names.index(chosen)]))


def kind_of(held: set[str], suit: str) -> tuple[str, int, str]:
    sister = {"S": "C", "C": "S", "H": "D", "D": "H"}[suit]
    fives = {f"5{suit}", f"5{sister}"} & held
    trumps = {card for card in held if card[1] == suit} | fives
    top = " ".join(rank if rank + suit in held else "–" for rank in "AKQ")
    return top, len(fives), "3-" if len(trumps) < 4 else "6+" if len(trumps) > 5 else str(len(trumps))


def score_difference(points: int, bid: int) -> int:
    """RULES 2.11."""
    return (points if points >= bid else -bid) - (14 - points)


def test_tables_equal_a_slow_count_of_the_same_deals() -> None:
    deals = 6
    rules, hands = make_rules("pedro"), slow_hands(deals)
    tables, kinds = tables_of_deals(rules, deals), Kinds(rules)
    number_of = {kinds.parts(kind): kind for kind in range(kinds.n)}
    cells = {(SEATS.index(hand.cell[0]), number_of[hand.cell[1:]]): hand.cell for hand in hands}
    assert int(tables.hands.sum()) == len(hands) == 4 * deals
    for place, cell in cells.items():
        here = [hand for hand in hands if hand.cell == cell]
        assert tables.hands[place] == len(here)

        def same(found: Any, error: Any, values: list[float], close: float, here: list[Hand] = here) -> None:
            totals, counts = np.zeros(deals), np.zeros(deals)
            for hand, number in zip(here, values, strict=True):
                totals[hand.deal] += number
                counts[hand.deal] += 1
            expected = ratio_estimate(totals, counts)
            assert found == pytest.approx(expected.mean, abs=close)
            if (counts > 0).sum() > 1:
                assert error == pytest.approx(expected.error, abs=close)
            else:
                assert np.isnan(error)

        same(tables.passing.mean[place], tables.passing.error[place], [hand.passing for hand in here], 0.0051)
        for way in range(len(WAYS)):
            taken = [hand.points[way] for hand in here]
            assert tables.points[(*place, way)].tolist() == [taken.count(number) for number in range(15)]
            for column, bid in enumerate(BIDS):
                at = (*place, way, column)
                same(tables.make.mean[at], tables.make.error[at], [float(p >= bid) for p in taken], 0.000051)
                same(tables.gain.mean[at], tables.gain.error[at], [score_difference(p, bid) for p in taken], 0.0051)
            passed = round(np.mean([hand.passing for hand in here]), 2)
            pays = [bid for bid in BIDS if round(np.mean([score_difference(p, bid) for p in taken]), 2) > passed]
            assert tables.bid_up_to()[(*place, way)] == max(pays, default=-1)
    assert max(sum(hand.cell == cell for hand in hands) for cell in cells.values()) > 1


# --- what every table obeys


@pytest.mark.parametrize("variant", VARIED)
def test_shares_and_chances(variant: str) -> None:
    rules, deals = make_rules(variant), 12
    tables = tables_of_deals(rules, deals)
    there = tables.hands > 0
    assert (tables.points.sum(axis=-1) == tables.hands[:, :, None]).all()
    assert tables.hands.sum(axis=1).tolist() == [deals, deals, 2 * deals]  # dealer, its partner, the two others
    chance = tables.make.mean[there]
    assert ((chance >= 0) & (chance <= 1)).all()
    assert (np.diff(chance, axis=-1) <= 0).all()  # a higher bid is not made more often
    assert np.isnan(tables.make.mean[~there]).all()
    assert np.isfinite(tables.passing.mean[there]).all()
    more = tables.points[..., ::-1].cumsum(axis=-1)[..., ::-1][there] / tables.hands[there][:, None, None]
    assert chance == pytest.approx(more[..., tables.numbers], abs=0.000051)


def test_pieces_of_work_make_the_whole() -> None:
    rules = make_rules("catch-five")
    whole = sample(rules, SEED, 0, 9)
    pieces = [sample(rules, SEED, first, deals) for first, deals in ((0, 2), (2, 1), (3, 6))]
    for name, column in whole._asdict().items():
        np.testing.assert_array_equal(column, np.concatenate([getattr(piece, name) for piece in pieces]))


def test_the_same_file_whatever_the_number_of_workers(tmp_path: Path) -> None:
    found = []
    for workers in ("1", "2"):
        path = tmp_path / f"{workers}.json"
        assert main(f"--variant catch-five --deals 110 --seed 5 --workers {workers} --json {path}".split()) == 0
        data = json.loads(path.read_text(encoding="utf-8"))
        del data["command"]
        found.append(data)
    assert found[0] == found[1]
    assert sum(row["hands"] for row in found[0]["hands"]) == 440


def test_one_deal_says_nothing_of_the_spread() -> None:
    tables = tables_of_deals(make_rules("catch-five"), 1)
    for means in (tables.make, tables.gain, tables.passing):
        assert np.isnan(means.error).all()
        assert np.isfinite(means.mean).any()


def test_declaring_pays_up_to_the_last_bid_above_passing() -> None:
    rules = make_rules("pedro")
    none = sample(rules, SEED, 0, 1)
    gain = np.array([5, 4, 3, 2, 1, 0, -1, -2], np.int16)
    for passing, up_to in ((5, -1), (4, 7), (0, 11), (-9, 14)):
        samples = Samples(none.kind * 0, none.points, none.gain * 0 + gain, none.passing * 0 + np.int16(passing))
        assert (tabulate(rules, samples).bid_up_to()[:, 0] == up_to).all()


# --- kinds


@pytest.mark.parametrize(
    ("variant", "hand", "suit", "parts"),
    [
        ("pedro", "AS KS 5S 5C 2S 9H 8H 7H 6H", "S", ("A K –", 2, "5")),
        ("pedro", "AS KS 5S 5C 2S 9H 8H 7H 6H", "C", ("– – –", 2, "3-")),
        ("pedro", "QD JD TD 9D 8D 7D 5H AS KS", "D", ("– – Q", 1, "6+")),
        ("pedro", "5D AH KH QH 2H 9S 8S 7S 6S", "H", ("A K Q", 1, "5")),
        ("catch-five", "AS 5S 5C 4S 3H 2H", "S", ("A – –", 1, "3")),  # no off-five, and shorter hands
        ("isle-madame", "AS KS 5S 5C 2S 9H 8H 7H 6H", "S", ("A K –", 1, "5")),  # the king is most of the points
        ("sixty-three-joker", "QS XB 9S 5S 2H 3H 4H 6H 7H", "S", ("– – Q", 2, "4")),  # the joker and the nine
    ],
)
def test_kinds_of_hands(variant: str, hand: str, suit: str, parts: tuple[str, int, str]) -> None:
    kinds = Kinds(make_rules(variant))
    kind = kinds.of(np.array([from_cards(cards(hand))]), np.array([SUITS.index(suit)]))
    assert kinds.parts(int(kind[0])) == parts
    assert len({kinds.parts(number) for number in range(kinds.n)}) == kinds.n


# --- files


@pytest.mark.parametrize("variant", ["pedro", "oregon"])
def test_a_file_says_what_was_written(variant: str, tmp_path: Path) -> None:
    rules = make_rules(variant)
    tables = tables_of_deals(rules, 10)
    source, again = read(written(tmp_path / "tables.json", rules, tables))
    assert (source.rules, source.seed, again.deals) == (rules, SEED, 10)
    np.testing.assert_array_equal(again.points, tables.points)
    np.testing.assert_array_equal(again.numbers, tables.numbers)
    for name in ("make", "gain", "passing"):
        for found, expected in zip(getattr(again, name), getattr(tables, name), strict=True):
            np.testing.assert_array_equal(found, expected)
    assert as_json(source, again) == (tmp_path / "tables.json").read_bytes()


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"format": 9}, "of format 1"),
        ({"variant": "whist"}, "whist"),
        ({"rules_hash": "0"}, "other rules of 'pedro'"),
        ({"hands": [{}]}, "is damaged"),
    ],
)
def test_other_files_are_refused(
    change: dict[str, Any], complaint: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rules = make_rules("pedro")
    path = written(tmp_path / "tables.json", rules, tables_of_deals(rules, 2))
    path.write_text(json.dumps(json.loads(path.read_text(encoding="utf-8")) | change), encoding="utf-8")
    refused([str(path)], complaint, capsys)


def test_the_file_of_pedro_is_of_this_game() -> None:
    """Its deals are too many to play here; fresh ones must agree with it."""
    source, tables = read(PEDRO)
    assert source.rules == make_rules("pedro")
    assert tables.hands.sum() == 4 * tables.deals
    fresh = tables_of_deals(source.rules, 100).points.sum(axis=(0, 1))
    for bid in BIDS:
        known, found = (
            counts[:, bid:].sum(axis=1) / counts.sum(axis=1) for counts in (tables.points.sum((0, 1)), fresh)
        )
        error = np.sqrt(known * (1 - known) / 100)  # as if the four hands of a deal said no more than one
        assert (abs(found - known) < 5 * error).all()


def test_the_page_shows_what_the_command_prints(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(PEDRO)]) == 0
    printed = capsys.readouterr().out.splitlines()
    page = (PEDRO.parents[2] / "docs/bid-tables.md").read_text(encoding="utf-8")
    quoted = [block for block in page.split("```")[1::2] if block.startswith("\nA K Q")]
    lines = [line for line in "".join(quoted).splitlines() if line]
    assert len(lines) > 20
    assert set(lines) <= set(printed)


# --- the command


def refused(arguments: list[str], complaint: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    printed = capsys.readouterr()
    assert complaint in printed.err
    assert printed.err.count("\n") == 1
    assert not printed.out


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--variant", "whist"], "whist"),
        (["--variant", "pedro-sancho"], "two sides of fixed partners"),
        (["--json", "nowhere/tables.json"], "there is no folder nowhere"),
        (["--plot", "tables.bmp"], "must end in .png"),
        ([str(PEDRO), "--deals", "5"], "leave out --deals"),
        ([str(PEDRO), "--variant", "pidro"], "leave out --variant"),
        (["missing.json"], "cannot read missing.json"),
        (["pyproject.toml"], "is not a file of bidding tables"),
    ],
)
def test_mistakes_get_a_line(arguments: list[str], complaint: str, capsys: pytest.CaptureFixture[str]) -> None:
    refused(arguments, complaint, capsys)


def test_without_numba_tables_are_read_and_none_are_made() -> None:
    blocked = "import sys; sys.modules['numba'] = None; from agents.bid_tables.__main__ import main; sys.exit(main())"
    read, make = ([sys.executable, "-c", blocked, argument] for argument in (str(PEDRO), "--deals=1"))
    printed = subprocess.run(read, capture_output=True, text=True, check=True, timeout=100).stdout
    assert printed.startswith("pedro: 50,000 deals")
    refused = subprocess.run(make, capture_output=True, text=True, check=False, timeout=100)
    assert (refused.returncode, refused.stdout) == (2, "")
    assert refused.stderr == "agents.bid_tables: the solver needs numba: pip install -e '.[search]'\n"


def test_without_matplotlib_it_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    refused([str(PEDRO), "--plot", "tables.png"], "pip install -e '.[plot]'", capsys)


def test_it_prints_and_draws_what_the_file_says(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("matplotlib")
    rules = make_rules("king-pedro-ukrainian")  # more bids than there is room for
    samples = sample(rules, SEED, 0, 8)
    tables = tabulate(rules, samples._replace(kind=samples.kind[:, :1] + 0 * samples.kind))  # one kind at every seat
    path, picture = written(tmp_path / "tables.json", rules, tables), tmp_path / "tables.png"
    assert main([str(path), "--least", "1", "--plot", str(picture)]) == 0
    printed = capsys.readouterr().out
    assert picture.read_bytes().startswith(b"\x89PNG")
    kinds = Kinds(rules)
    seat, kind = np.unravel_index(tables.hands.argmax(), tables.hands.shape)
    top, big, trumps = kinds.parts(int(kind))
    lines = [line.split() for line in printed.split(f"{SEATS[seat]}, 100.0% of the hands: points")[1].splitlines()]
    line = next(line for line in lines if line[:5] == [*top.split(), str(big), trumps])
    assert line[5] == str(tables.hands[seat, kind])
    assert line[8] == f"{tables.make.mean[seat, kind, 1, 0]:.0%}"
    assert line[-1] == f"{tables.make.mean[seat, kind, 1, -1]:.0%}"
    assert main([str(path), "--least", "999", "--plot", str(picture)]) == 2
    assert "no kind of hand has 999" in capsys.readouterr().err
