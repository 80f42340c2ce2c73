"""Problem sets: the file that comes with the project, and the scores of agents whose scores are known."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from agents.problems import Problem, load, score
from agents.problems.command import main
from agents.problems.problem import PATH, ProblemError, header, positions, to_line
from agents.problems.scoring import by_skill
from agents.problems.skills import SKILLS, fits
from pedro_env.actions import Phase, actions_of
from pedro_env.agent import Agent
from pedro_env.cards import N_CARDS, N_RANKS, SUITS
from pedro_env.cardset import to_cards
from pedro_env.rules import Rules
from pedro_env.views import Views

FIRST_OF_EACH = [next(p for p in load() if p.skill == skill) for skill in dict.fromkeys(p.skill for p in load())]
SWAPPED = (1, 0, 3, 2)
"""Spades are called hearts and clubs diamonds, and the other way round: sister suits stay sister suits."""


class Chooses:
    """Takes the action that a function names: ``(views, row) -> action``."""

    name = "chooses"
    sees_everything = False

    def __init__(self, choose: Callable[[Views, int], int]) -> None:
        self.choose = choose

    def act(self, views: Views) -> np.ndarray:
        return np.array([self.choose(views, row) for row in range(len(views))])


def answers(problems: list[Problem], place: Callable[[Problem], int]) -> Callable[[Rules], Agent]:
    """An agent that knows the problems: it takes the legal action at the place that a function says."""
    known = {
        observation.tobytes(): actions[place(problem)]
        for problem, observation, actions in zip(
            problems, positions(problems).observe(), map(legal_numbers, problems), strict=True
        )
    }
    return lambda rules: Chooses(lambda views, row: known[views.observation[row].tobytes()])


def legal_numbers(problem: Problem) -> list[int]:
    actions = actions_of(problem.rules())
    return [actions.parse(name, Phase[problem.phase.upper()]) for name in problem.legal]


# --- the file


def test_every_skill_has_enough_problems_and_no_two_are_the_same():
    problems = load()
    counts = Counter(problem.skill for problem in problems)
    assert list(counts) == list(SKILLS)
    assert sum(counts.values()) >= 200
    assert min(counts.values()) >= 10
    assert PATH.stat().st_size < 500_000
    assert len(np.unique(positions(problems).observe(), axis=0)) == len(problems)


def test_every_position_is_what_its_line_says():
    problems = load()
    batch = positions(problems)  # seat, phase, legal actions
    views = batch.views()
    fitting = {name: fits(skill, views) for name, skill in SKILLS.items()}
    for row, problem in enumerate(problems):
        assert fitting[problem.skill][row], (row, problem.skill)
        assert problem.unit == ("match" if problem.skill == "bidder out" else "points")
        assert problem.skill == "bidder out" or problem.scores_before == [0, 0]


def test_in_every_problem_the_choice_matters():
    for problem in load():
        losses, errors = problem.losses, np.array(problem.errors)
        assert (losses >= 0).all()
        assert (losses > 2 * errors).mean() >= 0.25
        assert errors[losses.argmin()] == 0
        assert 2 * sum(p.legal[p.losses.argmin()] == "pass" for p in load() if p.skill == problem.skill) <= 25


def test_the_engine_says_where_a_problem_goes_wrong():
    problem = load()[0]
    with pytest.raises(ProblemError, match=r"action 2 of a problem: .* is not legal"):
        positions([replace(problem, actions=["14", "14", *problem.actions])])
    with pytest.raises(ProblemError, match="by the rules seat"):
        positions([replace(problem, seat=(problem.seat + 1) % 4)])
    with pytest.raises(ProblemError, match="cannot be set up: the pack"):
        positions([replace(problem, pack=problem.pack[1:])])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda fields: fields.pop("pack"), "line 2: the field 'pack' is missing"),
        (lambda fields: fields.update(values=["a"]), "line 2: the field 'values' must be list"),
        (lambda fields: fields.update(errors=[]), "'errors' must be of one length"),
        (lambda fields: fields.update(seat=True), "the field 'seat' must be int"),
    ],
)
def test_a_damaged_file_is_refused_in_a_line(tmp_path: Path, change, message: str):
    path = tmp_path / "problems.jsonl"
    fields = json.loads(to_line(load()[0]))
    change(fields)
    path.write_text(header({}) + json.dumps(fields) + "\n", encoding="utf-8")
    with pytest.raises(ProblemError, match=re.escape(message)):
        load(path)


def test_a_file_of_something_else_is_refused(tmp_path: Path):
    path = tmp_path / "other.jsonl"
    for text, message in (
        ("", "not a JSON object"),
        ('{"format": 9}\n', "'format' must be 1"),
        (header({}), "no prob"),
    ):
        path.write_text(text, encoding="utf-8")
        with pytest.raises(ProblemError, match=message):
            load(path)


def test_the_page_says_what_the_skills_are():
    page = (Path(__file__).parents[1] / "docs" / "problems.md").read_text(encoding="utf-8")
    for name, skill in SKILLS.items():
        assert f"| {name} | {skill.about} |" in page


# --- scores that are known


def test_who_always_does_the_best_gets_a_hundred():
    problems = load()
    best = score(answers(problems, lambda problem: int(problem.losses.argmin())), problems)
    assert best.total.mean == best.total.low == 100
    for skill in best.skills.values():
        assert (skill.loss.mean, skill.solved.mean, skill.score.mean) == (0, 1, 100)


def test_who_always_does_the_worst_is_below_chance():
    problems = load()
    worst = score(answers(problems, lambda problem: int(problem.losses.argmax())), problems)
    assert all(skill.score.mean is not None and skill.score.mean < 0 for skill in worst.skills.values())
    expected = np.mean([problem.losses.max() for problem in problems if problem.skill == "cinching"])
    assert worst.skills["cinching"].loss.mean == pytest.approx(expected)


def test_chance_is_expected_to_get_nothing():
    """Each legal action equally often, by listing them all: a mean over agents that take the first, the second …"""
    problems = [problem for problem in load() if len(problem.legal) == 4]
    scores = [score(answers(problems, lambda problem, place=place: place), problems) for place in range(4)]
    for skill in scores[0].skills:
        assert np.mean([one.skills[skill].score.mean for one in scores]) == pytest.approx(0)


def test_a_skill_is_scored_by_its_losses_over_those_of_chance():
    problems = [replace(FIRST_OF_EACH[0], skill=skill) for skill in ("a", "a", "b")]
    lost, chance = np.array([1.0, 0.0, 3.0]), np.array([2.0, 2.0, 2.0])
    scores = by_skill(problems, lost, chance, lost == 0)
    assert (scores["a"].score.mean, scores["a"].loss.mean, scores["a"].solved.mean) == (75, 0.5, 0.5)
    assert scores["b"].score.mean == -50
    assert scores["a"].score.low is not None
    assert scores["a"].score.low < 75 < scores["a"].score.high  # type: ignore[operator]


def test_equal_actions_cost_nothing_and_are_solved():
    problem = replace(FIRST_OF_EACH[0], values=[1.0] * len(FIRST_OF_EACH[0].legal))
    result = score("random", [problem])
    assert result.skills[problem.skill].loss.mean == 0
    assert result.skills[problem.skill].solved.mean == 1


def test_the_order_of_problems_changes_nothing():
    problems = load()[::7]
    forwards, backwards = score("heuristic-1", problems), score("heuristic-1", problems[::-1])
    assert forwards.choices == backwards.choices[::-1]


# --- suits


def renamed_card(name: str) -> str:
    return name[0] + SUITS[SWAPPED[SUITS.index(name[1])]]


def renamed(problem: Problem) -> Problem:
    """The same problem with other names for the suits; legal actions in the engine's order."""

    def action(name: str) -> str:
        return SUITS[SWAPPED[SUITS.index(name)]] if name in SUITS else renamed_card(name) if name[-1] in SUITS else name

    names = [action(name) for name in problem.legal]
    order = np.argsort(legal_numbers(replace(problem, legal=names))).tolist()
    return replace(
        problem,
        pack=[renamed_card(name) for name in problem.pack],
        actions=[action(name) for name in problem.actions],
        legal=[names[place] for place in order],
        values=[problem.values[place] for place in order],
        errors=[problem.errors[place] for place in order],
    )


def by_rank(views: Views, row: int) -> int:
    """A choice that suits' names have no part in: the highest card; equal ranks by what the hand has of the suits."""
    cards = to_cards(views.hand[row] | views.stock[row])
    holding = [sorted((card % N_RANKS for card in cards if card // N_RANKS == suit), reverse=True) for suit in range(4)]
    trump = int(views.trump[row])

    def worth(action: int) -> tuple:
        if action < N_CARDS:
            suit = action // N_RANKS
            return action % N_RANKS, suit == trump, suit == 3 - trump, holding[suit], holding[3 - suit]
        if action < N_CARDS + 4:
            return tuple(holding[action - N_CARDS])
        return (-action,)

    return max(np.flatnonzero(views.mask[row]).tolist(), key=worth)


def test_renaming_suits_changes_no_score():
    problems = load()
    plain = score(lambda rules: Chooses(by_rank), problems)
    swapped = score(lambda rules: Chooses(by_rank), [renamed(problem) for problem in problems])
    for skill, result in plain.skills.items():
        assert swapped.skills[skill].loss == result.loss
        assert result.score.mean is not None
        assert result.score.mean != 0
    assert plain.choices != swapped.choices


# --- what an agent is given


def test_nobody_sees_more_than_its_seat_but_who_says_so():
    seen: list[bool] = []

    def looks(views: Views, row: int) -> int:
        with pytest.raises(RuntimeError, match="sees_everything"):
            views.full_state  # noqa: B018
        seen.append(True)
        return int(views.mask[row].argmax())

    assert not score(lambda rules: Chooses(looks), FIRST_OF_EACH).sees_everything
    assert len(seen) == len(FIRST_OF_EACH)


def test_an_illegal_answer_is_refused():
    with pytest.raises(ValueError, match="legal action each"):
        score(lambda rules: Chooses(lambda views, row: int(views.mask[row].argmin())), FIRST_OF_EACH)


# --- the command


def test_scores_are_printed_and_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    path = tmp_path / "scores.json"
    agents = ["heuristic-1", "heuristic-2", "morehead", "random", "morehead"]
    assert main(["score", *agents, "--json", str(path)]) == 0
    text = capsys.readouterr().out
    assert max(map(len, text.splitlines())) <= 100
    assert all(skill in text for skill in SKILLS)
    data = json.loads(path.read_text(encoding="utf-8"))
    assert [agent["agent"] for agent in data["agents"]] == agents
    assert data["agents"][2] == data["agents"][4]
    assert len(data["agents"][0]["choices"]) == data["problems"] == len(load())


@pytest.mark.parametrize("number", [1 + load().index(problem) for problem in FIRST_OF_EACH])
def test_a_problem_is_shown_as_its_seat_sees_it(number: int, capsys: pytest.CaptureFixture[str]):
    assert main(["show", str(number)]) == 0
    text = capsys.readouterr().out
    problem = load()[number - 1]
    batch = positions([problem])
    hand = to_cards(batch.state.hand[0, problem.seat])
    lines = text.splitlines()
    assert max(map(len, lines)) <= 80
    assert problem.skill in lines[0]
    shown = next(line for line in lines if line.startswith("Your hand"))
    assert len(re.findall(r"[2-9TJQKA](?!\w)", shown)) == len(hand)
    table = lines[next(i for i, line in enumerate(lines) if line.endswith("loses")) + 1 :]
    assert len(table) == len(problem.legal) + 2  # and one for chance, one for the error
    decimals = 3 if problem.unit == "match" else 2
    assert f"{max(problem.values):+.{decimals}f}" in table[0]


def test_list_names_the_problems_of_each_skill(capsys: pytest.CaptureFixture[str]):
    assert main(["list"]) == 0
    text = capsys.readouterr().out
    assert all(skill in text for skill in SKILLS)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["score", "nobody"], "unknown agent 'nobody'"),
        (["show", "9999"], "there is no problem 9999"),
        (["score", "random", "--file", "nowhere.jsonl"], "cannot read nowhere.jsonl"),
        (["score", "random", "--json", "nowhere/scores.json"], "there is no folder nowhere"),
    ],
)
def test_a_mistake_is_said_in_a_line(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]):
    assert main(arguments) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1
