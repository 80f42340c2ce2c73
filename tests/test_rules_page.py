"""``python -m pedro_env rules``: what the page says of each variant, against the sentences of docs/rules/RULES.md."""

from __future__ import annotations

import ast
import re
from enum import Enum
from pathlib import Path

import pytest

from pedro_env import rules as rules_module
from pedro_env import rules_page as page_module
from pedro_env.actions import Phase, actions_of
from pedro_env.commands import main
from pedro_env.decisions import DECISIONS, GONE, decisions_of
from pedro_env.rules_page import all_pages, rules_page
from pedro_env.variants import VARIANTS, make_rules

DOCS = Path(__file__).parents[1] / "docs" / "rules"
RULES_PAGE = (DOCS / "RULES.md").read_text(encoding="utf-8")

SECTIONS = ["Cards", "Deal", "Auction", "Trumps", "Exchange", "Play", "Score", "Match", "Options", "Decisions"]


def text_of(variant: str, **options: object) -> str:
    """The page as one line."""
    return " ".join(rules_page(make_rules(variant, options)).split())


def rules_of(variant: str, **options: object) -> str:
    """The page as one line, without options and decisions."""
    return text_of(variant, **options).partition("## Options")[0]


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_variant_has_a_page(variant: str) -> None:
    page = rules_page(make_rules(variant))
    assert page.startswith(f"# {variant}\n")
    assert [line[3:] for line in page.splitlines() if line.startswith("## ")] == SECTIONS
    assert max(map(len, page.splitlines())) <= page_module.WIDTH
    section, documents = VARIANTS[variant].source.split("; ")
    head = " ".join(page.partition("##")[0].split())
    assert f"docs/rules/RULES.md, section {section} with the fine points of section 7; {documents}." in head
    for sign in ("None,", "Enum", "{", "}", "  ", "..", " ,", " ."):
        assert sign not in " ".join(page.split("\n\n")).replace("\n  ", " "), sign


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_option_and_value_changes_the_page(variant: str) -> None:
    plain = rules_page(make_rules(variant))
    for name, option in VARIANTS[variant].options.items():
        for value in option.values or [option.low, option.high]:
            rules = make_rules(variant, {name: value})
            changed = rules != make_rules(variant)
            assert (rules_page(rules) != plain) == changed, (name, value)
            without_options = rules_page(rules).partition("## Options")[0].split("\n", 4)[-1]
            assert (without_options != plain.partition("## Options")[0].split("\n", 4)[-1]) == changed, (name, value)


SAYS: dict[str, list[str]] = {
    # RULES 2
    "pedro": [
        "A K Q J T 9 8 7 6 5 f 4 3 2 (14 trumps)",
        "Points (14), all of them trumps: ace 1, jack 1, ten 1, five 5, off-five 5, two 1",
        "except the two: it counts for the side of the seat that holds it",
        "Nine cards each, in packets of three, starting with eldest",
        "16 cards are left: the stock",
        "One turn each, starting with eldest, clockwise, the dealer last",
        "a number from 7 to 14, higher than every bid before",
        "A bid of 14 does not end the auction",
        "When all the others have passed, the dealer must bid.",
        "The declarer names any suit",
        "Every seat lays aside all its plain cards, face down: there is no choice",
        "the dealer left out, hands of fewer than six cards are filled to six",
        "a seat makes up its hand with the plain cards that it laid aside, the last dealt first",
        "plain cards of its choice from the rest of the stock up to six",
        "The declarer leads any card to the first trick",
        "with a card of it, play that suit or a trump; without one, any card",
        "without a trump, the highest card of the suit led",
        "buries cards of its choice at its turn in the first trick",
        "until one card and five remain. Point trumps are never buried.",
        "otherwise it is set, and subtracts its bid",
        "The match is played to 62",
        "when both sides have 55 or more at the start of a deal",
        "not over after 100 deals",
    ],
    # 3.1
    "pedro-wpt": [
        "with a card of it, play that suit; without one, any card",
        "subtracts the points it took, the two that it kept included",
    ],
    "cinch": [
        "a number from 1 to 14",
        "the two as well",
        "at least three cards of its choice, face up",
        "at most three and as many more as the stock still holds",
        "takes cards of its choice from the stock, one a step, until it has six",
        "laid open",
        "count for the bidding side",
        "scores the difference, the other nothing; equal: nobody scores",
        "score their own points and the bid",
        "played to 51",
        "Only one side scores in a deal, so both cannot get there",
    ],
    "cinch-bicycle": ["the defenders score 14 and what the bidding side lacked to its bid"],
    "nicaragua": [
        "Seven cards each, in one packet",
        "the dealer has the contract at 6 without being asked",
        "any number of cards of its choice, point trumps too, face down",
        "from the stock and what the others have laid aside, one a step, until it has seven",
        "A point trump that was laid aside or is left in the stock, and that nobody takes, counts for nobody",
        "play that suit; without one, any card",
        "A deal has seven tricks",
        "played to 52",
        "when both have it, the bidding side wins",
    ],
    "pidro": [
        "a number from 6 to 14",
        "Every seat lays aside all its plain cards, face down",
        # The decisions come when everybody has its cards: 3.1, section 6.
        "the topmost plain cards of the stock up to six, without choosing. - If the stock runs out, a seat makes up "
        "its hand with the plain cards that it laid aside, the last dealt first; there is no choice in that. - A seat "
        "with more than six trumps discards down to six, of its choice, never a point trump, face up, one a step (all "
        "seats after that, starting with eldest, the dealer last).",
        "Only trumps are played",
        "A seat without a trump is out of the deal, its plain cards unseen; that is looked at before each trick",
        "When only one seat has trumps left it wins the rest",
        "when both have it, the bidding side wins",
    ],
    "louisiana": [
        "may declare `dark` or pass",
        "may bid `28-56` over any bid, if it holds the ace and two of one suit",
        "Over it the later seats can only pass.",
        "No bid ends the auction: a seat that can only pass is asked all the same",
        "When all the others have passed, and nobody has bid in the dark, the dealer must bid",
        "may then bid 6 or more",
        "all 14 points score 28; anything less, −14",
        "all 14 points score 56; anything less, −28",
        "Bidder out",
    ],
    "louisiana-cutthroat": ["Plain suit led: any card"],
    "catch-five": [
        "(13 trumps)",
        "Points (9), all of them trumps: ace 1, two 1, jack 1, ten 1, five 5",
        "Six cards each, in packets of three",
        "a number from 2 to 9",
        "The dealer may also take the contract at the standing bid",
        "at 2 without being asked",
        "every hand is filled to six from the top of the stock, the dealer's last and without a choice",
        "What is left of the stock stays unseen: a trump in it is out of play",
        "played to 31",
    ],
    # 3.2
    "california": [
        "jack 3",
        "with the seat on the dealer's right, counter-clockwise, the dealer last",
        "A bid of 16 scores 32 when made; set, −16",
        "52 or more and has just made its bid",
    ],
    "california-100": [
        "This first lead must be a trump; any card, if the leader has none",
        "without one, lay down your hand, face up: you are out of the deal",
        "Plain suit led: any card",
        "buries trumps without points, of its choice, in each trick",
        "one a trick, or as many as exceed the tricks still to come after this one",
        "only just enough for the buries still due after this trick must play a point trump",
        "A bid of 16 scores 32 when made; set, −32.",
        "ends with the trick in which the last point trump falls, the two included",
        "100 or more after a deal wins; when both have it, the bidding side wins",
    ],
    "italian": ["starting with eldest, clockwise", "91 or more and has just made its bid, whoever has more"],
    "monterey-draw": [
        "This first lead must be a trump",
        "lay down your hand, face up: you are out of the deal",
        "play that suit or a trump",
        "at its turn in the first trick",
        "A deal has at most six tricks",
    ],
    "monterey-widow": [
        "Then four more each, face down, in one packet: a seat sees them right after its own turn",
        "No card is left",
        "plain cards of its choice, face down, one a step, until it has six cards",
        "with six or more trumps it lays aside all its plain cards",
    ],
    # 3.3
    "oregon": [
        "A K Q J j T 9 8 7 6 5 f 4 3 2 (15 trumps)",
        "a number from 6 to 15 with a suit",
        "the suits rank S > H > C > D",
        "a seat that passed may bid again",
        "three seats have passed in a row after a bid",
        "`j` is the off-jack and `f` is the off-five: the card of that rank",
        "They are trumps for every purpose",
        "When all the others have passed at the start, the dealer must bid, and may then bid 5 in any suit or more. "
        "The auction then goes on, from 6 upwards.",
        "The suit of the last bid is trumps",
        "Plain cards have no rank",
        "Plain suit led: any card",
        "without a trump, the leader",
        "you are out of the deal",
        "buries those that it has and the two, without a choice; the point of the two is lost",
        "when both have it, the higher score; equal: the bidding side wins",
    ],
    "tennessee": [
        "54 cards",
        "A K Q J j X x T 9 8 7 6 5 f 4 3 2 (17 trumps)",
        "the dealer has the contract at 9 without being asked",
        "holds no ace, jack, ten, five or two of any suit, and no joker, may say `misdeal`",
        "`double-moon` is legal only over an opponent's `moon`",
        "The declarer takes the whole rest of the stock, the widow",
        "A declarer that had six or more trumps when it had taken the widow may now slide trumps or plain cards",
        "gives the surplus, trumps of its choice, to the opponent on its right",
        "trumps without points, then those of the least points, of its choice among equals",
        "On lead it leads one card, even when nobody else is left, and is then out",
        "lays down its hand, face up, at its turn",
        "say `concede`",
        "anything less, −17, and −34 after `double-moon`",
    ],
    # 3.4
    "lipton": [
        "32 cards: A K Q J T 9 5 2 of each suit",
        "A K Q J j T 9 5 f 2 (10 trumps)",
        "Points (35)",
        "Seven cards each, in one packet",
        "four cards are set aside face down: the kitty",
        "takes the kitty, then names any suit",
        "lays aside four cards of its choice, face down, one a step; never a point trump unless it has nothing else",
        "A deal has seven tricks",
        "A side at −105 or less loses at once",
    ],
    "isle-madame": [
        "Points (39)",
        "all their plain cards, face down",
        "(the others, starting with eldest, before the fills; the dealer last, after mixing)",
        "If the stock runs out",
        "a number from 25 to 39",
        "The dealer mixes the rest of the stock with the cards that it was dealt, keeps every trump",
        "With more than six point trumps the least valuable go, of its choice among equals; their points are lost",
        "`fold`: it lays down its hand face down, seen by nobody, and is out of the deal",
        "the rule of the first lead holds for that one as well",
        "200 or more when the deal begins is locked",
        "played to 221",
    ],
    "canadian": ["Points (48)", "nine 9", "a number from 25 to 48"],
    "king-pedro": [
        "Points (44)",
        "Twelve cards each, in packets of three",
        "a seat that passed is not asked again",
        "ends when there is a bid and the three other seats have passed",
        "When all have passed nobody plays: the next dealer deals",
        "names any suit, then takes the kitty",
        "the point of the two counts for its side",
        "A seat without a trump is out of the deal when a trick ends (so all play to the first one) and lays down its "
        "hand, face up",
        "200 or more and has just made its bid",
        "A side at −100 or less loses at once",
    ],
    "king-pedro-ukrainian": [
        "Points (62)",
        "Then every seat, starting with eldest, is dealt four more, in one packet; the whole pack is out",
        "lays down the rest of its hand face down, seen by nobody",
        "plain cards first, face down; with more than six trumps, trumps without points, face up",
        "asked to `fold` or to go on (`done`)",
        "the two goes first, then the least valuable",
        "play a plain card, of any suit, if you have one; otherwise a trump",
        "without a trump, the leader",
        "262 or more and has just made its bid",
    ],
    # 3.5
    "sixty-three": [
        "Points (63)",
        "three 15",
        "a number from 1 to 63",
        "a seat that passed may bid again",
        "Then every seat, starting with eldest, is dealt four more, in one packet; the whole pack is out",
        "trumps without points first",
        "the least valuable go",
        "played to 152",
    ],
    "sixty-three-joker": ["53 cards", "3 2 X (15 trumps)", "joker 15", "1 card is left and stays unseen"],
    "eighty-three": [
        "Points (83)",
        "queen 20",
        "five cards are set aside",
        "a number from 30 to 83",
        "`double-83` (all 83 points) beats 83; over it the others can only pass",
        "takes the kitty, then names any suit",
        "gives the surplus, trumps of its choice, to its partner",
        "A point trump is never discarded",
        "all 83 points score 166; anything less, −166",
    ],
    "eighty-three-plain": ["52 cards", "four cards are set aside", "three 15"],
    # 3.6
    "pedro-sancho": [
        "Four seats, each for itself",
        "(13 trumps)",
        "Points (18)",
        "28 cards are left and stay unseen",
        "None: the cards are played as dealt",
        "This first lead must be a trump",
        "a declarer whose points do not reach its bid is set and subtracts its bid instead",
        "counted on from the scores before it in the order ace, two, jack, ten, five, nine, and who gets there first "
        "wins",
    ],
    "dom-pedro": [
        "Points (36)",
        "three 3",
        "joker 15",
        "3 2 X (14 trumps)",
        "a number from 1 to 36",
        "order ace, two, jack, ten, three, five, nine, joker",
    ],
    "five-handed": [
        "Five seats",
        "Ten cards each, in packets of five",
        "two cards are set aside face down: the kitty",
        "takes the kitty, then names any suit",
        "calls a trump that another seat holds",
        "buries its lowest trumps without points, in each trick",
        "one a trick, or as many as exceed the tricks still to come after this one; there is no decision",
        "The called card is never buried, and playing it goes before that rule",
        "both subtract the bid instead",
        "A declarer with 104 or more that has made its bid wins",
    ],
    "railroad": [
        "Six cards each, in packets of three",
        "a number from 7 to 14",
        "Or it says `alone`, whatever its bid",
        "everything counts double: when the bid is made the points of both sides, when it is set the bid that the "
        "declarer subtracts and the points that the others add",
        "A declarer with 62 or more",
    ],
}


@pytest.mark.parametrize("variant", VARIANTS)
def test_what_the_page_says(variant: str) -> None:
    text = rules_of(variant)
    for sentence in SAYS[variant]:
        assert sentence in text


NEVER_SAID: dict[str, list[str]] = {
    "pedro": ["joker", "off-jack", "kitty", "`done`", "28-56", "scores 28", "double", "Trump led: follow"],
    "cinch": ["Bidder out", "buries", "subtract", "when both have it"],
    "catch-five": ["off-five", "robs", "buries", "Bidder out"],
    "italian": ["scores 32", "counter-clockwise"],
    "pidro": ["Plain suit led", "buries", "before the fills"],
    "isle-madame": ["face up: you are out", "lays down its hand, face up"],
    "louisiana": ["dealer may bid `28-56`"],
    "lipton": ["robs", "filled", "buries"],
    "pedro-sancho": ["kitty", "stock", "partner", "side"],
    "monterey-widow": ["stock", "filled"],
    "five-handed": ["alone", "robs", "stock"],
    "tennessee": ["robs", "buries"],
    "eighty-three": ["stock", "filled", "least valuable"],
}


@pytest.mark.parametrize("variant", NEVER_SAID)
def test_what_the_page_does_not_say(variant: str) -> None:
    text = rules_of(variant)
    for word in NEVER_SAID[variant]:
        assert word not in text


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"min_bid": 6}, "a number from 6 to 14"),
        ({"min_bid": 6, "forced_bid": 7}, "the dealer must bid, 7 or more"),
        ({"slam": True}, "A bid of 14 scores 28 when made; set, −14"),
        ({"bid_28_56": True}, "The dealer may bid `28-56` over any bid, if it holds the ace, king and two of one suit"),
        ({"keep_plain": True}, "It keeps at most six cards"),
        ({"six_at_most": "discard"}, "discards down to six, of its choice, never a point trump, face down"),
        ({"six_at_most": "discard"}, "(the others, starting with eldest, before the fills; the dealer after robbing)"),
        (
            {"six_at_most": "discard", "keep_plain": True},
            "before the fills, each right after its plain cards; the dealer after robbing, when it has laid aside the "
            "plain cards it kept",
        ),
        (
            {"rob_discards": True, "discard_face_up": True},
            "point trumps included, face up, one a step, and say `done`.",
        ),
        ({"rob_discards": True, "six_at_most": "discard"}, "say `done`, once at most six cards are left"),
        (
            {"rob_discards": True, "keep_plain": True},
            "The dealer, last, lays aside plain cards of its choice, face down, one a step, and says `done`. It keeps "
            "at most six cards",
        ),
        ({"rob_discards": True, "keep_plain": True}, "A dealer that has more than six cards after robbing lays kept"),
        ({"bid_28_56": True}, "No bid ends the auction"),
        ({"scoring": "foster"}, "Only one side scores in a deal"),
        ({"scoring": "foster"}, "when both sides have 55 or more at the start of a deal"),
        ({"six_at_most": "counts_for_opponents"}, "A point trump so discarded counts for the other side"),
        ({"rob_discards": True}, "takes every trump that is left in the stock or was laid aside by the others"),
        ({"lead_trump": True}, "This first lead must be a trump"),
        ({"follow": "free"}, "Plain suit led: any card"),
        ({"scoring": "bicycle"}, "Scores never fall"),
        ({"discard_face_up": True}, "all its plain cards, face up"),
        ({"double_finish": "count_order"}, "in the order ace, two, jack, ten, five, off-five"),
        ({"target": 51}, "when both sides have 44 or more"),
    ],
)
def test_house_rules(options: dict[str, object], sentence: str) -> None:
    assert sentence in rules_of("pedro", **options)


def test_options_of_other_variants() -> None:
    assert "filled to six" in text_of("pedro-sancho", exchange=True, seats=7)
    assert "If the stock runs out" in text_of("pedro-sancho", exchange=True, seats=7)
    assert "If the stock runs out" not in text_of("pedro-sancho", exchange=True)
    assert "equal hands of 13, one packet each" in text_of("pedro-sancho", deal_all=True)
    assert "equal hands of 7, one packet each" in text_of("dom-pedro", deal_all=True, seats=7)
    assert "4 cards are left and stay unseen" in text_of("dom-pedro", deal_all=True, seats=7)
    assert "Four seats in two teams" in text_of("pedro-sancho", teams="partners")
    assert "a set side counts nothing" in text_of("pedro-sancho", teams="partners")
    assert "takes the whole rest of the stock and keeps every trump" in text_of("eighty-three", exchange="fill")
    assert "kitty" not in text_of("eighty-three", exchange="fill").partition("## Options")[0]
    assert "no ace, king, queen, jack, ten, five or two" in text_of("tennessee", misdeal="no_points_no_faces")
    assert "double-moon" not in text_of("tennessee", moon=False).partition("## Options")[0]
    assert "equal: another deal is played" in text_of("oregon", tie="extra_deal")
    assert "A seat may bid `28-56` over any bid." in text_of("louisiana", need_ace_deuce=False)
    assert "A bid of 17 does not end the auction" in text_of("tennessee", moon=False)
    assert "If the stock runs out" in text_of("sixty-three", exchange="fill")
    assert "of its choice among equals, whose points are lost" in text_of("sixty-three", exchange="fill")
    assert "When both have it, the points of the deal" in text_of("pedro-sancho", teams="partners")


# --- the pages in docs/rules/variants


def test_the_pages_in_the_documentation_are_what_the_command_writes() -> None:
    again = "write them again: python -m pedro_env rules --all --out docs/rules/variants"
    pages = all_pages()
    assert {path.name for path in (DOCS / "variants").iterdir()} == set(pages), again
    for name, page in pages.items():
        assert (DOCS / "variants" / name).read_text(encoding="utf-8") == f"{page}\n", f"{name}: {again}"


def test_the_index_has_a_line_for_every_variant() -> None:
    index = all_pages()["README.md"]
    for name, entry in VARIANTS.items():
        assert f"| [{name}]({name}.md) | {entry.source} | " in index


def test_a_page_or_all_pages(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "--all", "--out", str(tmp_path)]) == 0
    assert capsys.readouterr().out == f"{len(VARIANTS) + 1} pages written to {tmp_path}\n"
    assert {path.name for path in tmp_path.iterdir()} == set(all_pages())
    assert main(["rules", "oregon"]) == 0
    assert capsys.readouterr().out == (tmp_path / "oregon.md").read_text(encoding="utf-8")
    assert main(["rules", "--all"]) == 0
    out = capsys.readouterr().out
    assert [line for line in out.splitlines() if line.startswith("# ")][1:] == [f"# {name}" for name in VARIANTS]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "rules takes a VARIANT or --all"),
        (["pedro", "--all"], "rules takes a VARIANT or --all"),
        (["--all", "--set", "target=51"], "--set needs a variant"),
        (["pedro", "--out", "x"], "--out needs --all"),
        (["--all", "--out", "/no/such/folder"], "there is no folder /no/such/folder"),
    ],
)
def test_a_mistake_is_one_line(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert message in err


# --- decisions


FINE_POINTS = re.findall(
    r"^(\d+)\. (.*?)(?=^\d+\. |\Z|^\n)", RULES_PAGE.partition("## 7.")[2], re.MULTILINE | re.DOTALL
)
PARAGRAPHS = dict(re.findall(r"^\*\*`([a-z0-9-]+)`\*\* (.*?)\n\n", RULES_PAGE, re.MULTILINE | re.DOTALL))
SINGLE_VARIANTS = {
    number: names
    for number, text in FINE_POINTS
    if text.startswith("`") and set(names := re.findall(r"`([a-z0-9-]+)`", text.partition(":")[0])) <= set(VARIANTS)
}


def test_the_rules_page_was_read() -> None:
    assert [int(number) for number, _ in FINE_POINTS] == list(range(1, len(FINE_POINTS) + 1))
    assert set(PARAGRAPHS) == set(VARIANTS) - {"pedro"}
    assert {"20", "21", "26", "30"} <= set(SINGLE_VARIANTS)


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_decision_is_on_the_page(variant: str) -> None:
    part = text_of(variant).partition("## Decisions")[2]
    for decision in decisions_of(variant).values():
        assert f"- {decision}" in part
        assert re.search(r"\([^()]*\d[^()]*\)", decision), f"no place: {decision}"


def test_each_mark_of_the_base_game_has_its_decision() -> None:
    text = " ".join(decisions_of("pedro").values())
    assert all(f"({place}" in text for place in ("2.4", "2.7", "2.8", "2.12"))


@pytest.mark.parametrize("variant", PARAGRAPHS)
def test_each_mark_in_a_variants_paragraph_has_its_decision(variant: str) -> None:
    section = VARIANTS[variant].source.partition(";")[0]
    own = [text for topic, text in DECISIONS[variant].items() if topic != "exchange"]  # its marks stand elsewhere
    decided = [text for text in own if f"({section})" in text or f"({section}, 7" in text]
    assert len(decided) == PARAGRAPHS[variant].count("**[D]**"), decided


@pytest.mark.parametrize("number", SINGLE_VARIANTS)
def test_a_fine_point_is_on_the_pages_that_it_is_about(number: str) -> None:
    for name in SINGLE_VARIANTS[number]:
        assert re.search(rf"\b7\.{number}\b", " ".join(decisions_of(name).values())), f"7.{number} of {name}"


def test_every_entry_of_the_decisions_page_is_on_a_page() -> None:
    entries = re.findall(r"^(\d+)\. ", (DOCS / "decisions.md").read_text(encoding="utf-8"), re.MULTILINE)
    everything = " ".join(text for variant in VARIANTS for text in decisions_of(variant).values())
    assert entries
    assert set(re.findall(r"decision (\d+)\)", everything)) == set(entries)


@pytest.mark.parametrize("variant", VARIANTS)
def test_decisions_are_those_that_come_up_in_the_variant(variant: str) -> None:
    rules, decisions = make_rules(variant), decisions_of(variant)
    page = rules_of(variant)
    moved = {Phase.GIVE, Phase.DISCARD, Phase.ROB, Phase.BURY}.intersection(actions_of(rules).phases)
    assert ("one way" in decisions) == bool(moved)
    assert ("fill" in decisions) == ("taken back" in decisions) == ("If the stock runs out" in page)
    assert ("keeper" in decisions) == ("two shown" in decisions) == rules.keeper
    assert ("match" in decisions) == ("Bidder out" not in page)
    assert ("forced bid" in decisions) == (rules.all_pass is not rules_module.AllPass.REDEAL)
    assert ("last turn" in decisions) == (rules.all_pass is rules_module.AllPass.REDEAL)


def test_what_is_gone_was_there() -> None:
    for variant, own in DECISIONS.items():
        inherited = decisions_of(VARIANTS[variant].parent) if VARIANTS[variant].parent else {}
        for topic, text in own.items():
            if text == GONE:
                assert topic in inherited or topic in DECISIONS[VARIANTS[variant].parent], (variant, topic)
            assert text == GONE or inherited.get(topic) != text, (variant, topic)


def test_every_enum_member_has_a_sentence_and_no_name_is_compared() -> None:
    source = Path(page_module.__file__).read_text(encoding="utf-8")
    tree = ast.parse(source)
    constants = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)}
    assert not constants & set(VARIANTS)
    enums = [e for e in vars(rules_module).values() if isinstance(e, type) and issubclass(e, Enum) and e is not Enum]
    silent = {"Surplus.NONE", "Follow.TRUMPS_ONLY"}  # said elsewhere, or nothing to say
    for enum in enums:
        for member in enum:
            name = f"{enum.__name__}.{member.name}"
            assert name in source or name in silent or name in _ELSE, name


_ELSE = {"OpeningLead.ANY", "AllPass.DEALER_MUST_BID"}
"""What is left when the other members have been looked at."""
