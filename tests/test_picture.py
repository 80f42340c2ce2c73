"""Pictures: what is in them, what is not, the window, GIFs and PNGs."""

from __future__ import annotations

import copy
import itertools
import json
import pickle
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

pygame = pytest.importorskip("pygame")
pytest.importorskip("PIL")

from pettingzoo.test import render_test  # noqa: E402
from PIL import Image  # noqa: E402

import pedro_env  # noqa: E402
from pedro_env import Batch, Phase, make_rules  # noqa: E402
from pedro_env.cardset import from_cards, to_cards  # noqa: E402
from pedro_env.commands import main  # noqa: E402
from pedro_env.picture import SMALLEST, Window, draw_table  # noqa: E402
from pedro_env.picture.facts import Facts  # noqa: E402
from pedro_env.picture.paint import Brush  # noqa: E402
from pedro_env.picture.places import Places, row_of_cards  # noqa: E402
from pedro_env.record import random_records, replay  # noqa: E402
from pedro_env.variants import VARIANTS  # noqa: E402
from tests.support import cards, do, one_game, stacked_pack  # noqa: E402

ROOT = Path(__file__).parents[1]
WIDTH, HEIGHT = SMALLEST


def positions(variant: str, seeds: range, each: int = 2, **options: object) -> Iterator[Batch]:
    """A batch of one game at random play's first ``each`` decisions in every phase, and at the deals' ends."""
    rng = np.random.default_rng(0)
    seen: dict[Phase, int] = {}
    for seed in seeds:
        batch = Batch(make_rules(variant, options), seed)
        while not batch.over[0]:
            phase = Phase(batch.phase[0])
            seen[phase] = seen.get(phase, 0) + 1
            if seen[phase] <= each:
                yield batch
            batch.step(np.array([rng.choice(np.flatnonzero(batch.mask()[0]))]))
        yield batch


def differ(a: np.ndarray, b: np.ndarray) -> bool:
    return not np.array_equal(a, b)


# --- drawing


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_phase_of_every_variant(variant: str) -> None:
    drawn = set()
    for batch in positions(variant, range(4)):
        drawn.add(Phase(batch.phase[0]))
        seats = (None, int(batch.to_act[0])) if not batch.over[0] else (None,)
        for seat in seats:
            image = draw_table(batch, seat=seat)
            assert (image.shape, image.dtype) == ((HEIGHT, WIDTH, 3), np.uint8)
            assert image.flags.c_contiguous
            assert image.std() > 20
    assert {Phase.BID, Phase.PLAY, Phase.OVER} <= drawn


@pytest.mark.parametrize("seats", [4, 5, 6, 7])
def test_tables_of_all_sizes(seats: int) -> None:
    for batch in positions("pedro-sancho", range(1), seats=seats, deal_all=True):
        assert draw_table(batch, seat=seats - 1, size=(1000, 700)).shape == (700, 1000, 3)


def test_any_row_of_a_batch() -> None:
    batch = Batch(make_rules("pedro"), 7, range(3))
    for row in range(3):
        np.testing.assert_array_equal(draw_table(batch, row), draw_table(batch.take(np.array([row]))))
    assert differ(draw_table(batch, 0), draw_table(batch, 1))


def test_the_same_picture_twice_and_nothing_changed() -> None:
    *_, batch = positions("pedro", range(1))
    before = copy.deepcopy(batch)
    np.testing.assert_array_equal(draw_table(batch), draw_table(before))
    assert pickle.dumps(batch.state) == pickle.dumps(before.state)


def test_hands_of_thirty_cards() -> None:
    batch = Batch(make_rules("pedro"))
    images = []
    for hand in (range(30), range(29)):
        batch.state.hand[0] = from_cards(hand)
        images.append(draw_table(batch))
    assert differ(*images)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"seat": 4}, "seat must be a number from 0 to 3, not 4"),
        ({"size": (640, 480)}, "size must be at least 800×600 pixels, not 640×480"),
    ],
)
def test_what_cannot_be_drawn(arguments: dict, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        draw_table(Batch(make_rules("pedro")), **arguments)


def test_no_display_is_touched_and_nothing_is_printed() -> None:
    script = (
        "import sys, pedro_env; from pedro_env.picture import draw_table; "
        "draw_table(pedro_env.Batch(pedro_env.make_rules('pedro'))); "
        "assert not sys.modules['pygame'].display.get_init()"
    )
    result = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")


def test_fonts_survive_the_end_of_pygame_elsewhere() -> None:
    batch = Batch(make_rules("pedro"))
    before = draw_table(batch)
    pygame.quit()
    np.testing.assert_array_equal(draw_table(batch), before)


# --- what is shown


def played(actions: str = "") -> Batch:
    """Seat 0 has bid on hearts and leads; seat 3 deals."""
    rules = make_rules("pedro")
    zones = {0: "AH KH 5D 2H QS JS 9C 8C 7C", 1: "QH 5H 3S 4S 6S 7S 8S 9S TS", 2: "JH TH 9H 2C 3C 4C 5C 6C TC"}
    return do(one_game(rules, stacked_pack(rules, 3, zones), dealer=3), actions)


def test_everything_that_changes_shows() -> None:
    """Each decision of a deal changes the picture."""
    batch = Batch(make_rules("pedro"), 3)
    rng = np.random.default_rng(1)
    before = draw_table(batch)
    while not batch.over[0]:
        batch.step(np.array([rng.choice(np.flatnonzero(batch.mask()[0]))]))
        after = draw_table(batch)
        assert differ(before, after)
        before = after


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("to_act", 3),
        ("dealer", 1),
        ("declarer", 2),
        ("trump", 2),
        ("contract", 3),
        ("partner", 2),
        ("alone", True),
        ("bidder_out", True),
        ("scores", [5, 9]),
        ("taken", [5, 9]),
        ("winning", 2),
        ("leader", 2),
        ("called", 1),
    ],
)
def test_a_column_of_the_state_shows(column: str, value: object) -> None:
    batch = played("7 pass pass pass H")
    while batch.phase[0] != Phase.PLAY or not batch.state.in_trick[0]:
        batch.step(batch.mask().argmax(axis=1))
    before = draw_table(batch)
    array = getattr(batch.state, column)
    assert not np.array_equal(array[0], value)
    array[0] = value
    assert differ(draw_table(batch), before)


def test_the_seat_to_act_has_a_golden_frame() -> None:
    """With every seat's view, so that each sits in each place."""
    batch = Batch(make_rules("five-handed"), 2)
    panels = Places(*SMALLEST, 5).panels
    for viewer in range(5):
        image = draw_table(batch, seat=viewer)
        golden = [tuple(image[panel.top + 1, panel.centerx]) == (255, 207, 64) for panel in panels]
        assert golden == [(viewer + place) % 5 == batch.to_act[0] for place in range(5)]


def test_trumps_are_marked_the_off_five_too() -> None:
    batch = played("7 pass pass pass H")
    facts = Facts(batch, 0, None)
    assert {card for card in range(52) if facts.is_trump(card)} == set(
        cards("AH KH QH JH TH 9H 8H 7H 6H 5H 4H 3H 2H 5D")
    )
    assert facts.hand(0)[:3] == cards("AH KH 5D")
    with_jokers = Batch(make_rules("dom-pedro"))
    with_jokers.state.trump[0] = 0
    assert Facts(with_jokers, 0, None).is_trump(52)
    surface = pygame.Surface((42, 58), depth=32)
    images = []
    for trump in (False, True):
        Brush(surface, 1).card(cards("5D")[0], surface.get_rect(), trump=trump)
        images.append(pygame.surfarray.array3d(surface).mean(axis=(0, 1)))
    plain, golden = images
    assert plain[2] - golden[2] > 50, "much less blue"


@pytest.mark.parametrize("variant", ["pedro", "five-handed", "king-pedro"])
def test_point_cards_taken_are_those_that_count(variant: str) -> None:
    """The cards shown beside the seats of a side add up to the points of the side."""
    for record in itertools.islice(random_records(variant, {}, 1, seed=5), 4):
        batch = replay(record)
        facts = Facts(batch, 0, None)
        if batch.state.redeal[0]:
            continue
        by_side = [0] * batch.rules.sides
        for seat in range(batch.rules.seats):
            by_side[facts.side_of(seat)] += facts.worth(facts.point_cards(seat))
        assert by_side == record["points"]


def test_buried_cards_are_named() -> None:
    """They are open (RULES 2.10)."""
    batch = played("7 pass pass pass H")
    before = draw_table(batch, seat=2)
    assert Facts(batch, 0, 2).laid_open(0) == []
    batch.state.shown[0, 0] = batch.state.open[0] = from_cards(cards("9H"))
    assert Facts(batch, 0, 2).laid_open(0) == cards("9H")
    assert differ(draw_table(batch, seat=2), before)


def test_the_trick_between_two_tricks() -> None:
    """The trick that was taken is shown until the next card lies there."""
    batch = Batch(make_rules("pedro"), 3)
    rng = np.random.default_rng(1)
    tricks = 0
    while not batch.over[0]:
        lying = {seat: int(card) for seat, card in enumerate(batch.state.on_table[0]) if card >= 0}
        seat = int(batch.to_act[0])
        action = int(rng.choice(np.flatnonzero(batch.mask()[0])))
        is_card = batch.phase[0] == Phase.PLAY
        batch.step(np.array([action]))
        if is_card and len(lying) == 3 and not batch.over[0]:
            trick = Facts(batch, 0, None).trick()
            assert trick is not None
            assert (trick.cards, trick.finished) == ({**lying, seat: action}, True)
            assert trick.winner == batch.state.leader[0]
            tricks += 1
            assert trick.number == tricks
    assert tricks == 5


# --- what is hidden


@pytest.mark.parametrize("variant", ["pedro", "five-handed", "dom-pedro"])
def test_a_seats_view_does_not_show_what_it_does_not_see(variant: str) -> None:
    """All cards that a seat cannot know are dealt out anew among the places where they are: no pixel changes."""
    rng = np.random.default_rng(0)
    changed = 0
    for batch in positions(variant, range(3), each=3):
        state = batch.state
        for seat in range(0, batch.rules.seats, 2):
            other = batch.copy()
            hidden = [("hand", s) for s in range(batch.rules.seats) if s != seat]
            hidden += [("laid_aside", s) for s in range(batch.rules.seats) if s != seat] + [("kitty", None)]
            if state.robber[0] != seat:
                hidden.append(("stock", None))
            columns = [(name, (0,) if s is None else (0, s)) for name, s in hidden]
            sets = [to_cards(getattr(state, name)[place]) for name, place in columns]
            pool = rng.permutation(sorted({card for one in sets for card in one})).tolist()
            for (name, place), one in zip(columns, sets, strict=True):
                getattr(other.state, name)[place] = from_cards(pool[: len(one)])
                pool = pool[len(one) :]
            changed += any(
                to_cards(getattr(other.state, n)[p]) != one for (n, p), one in zip(columns, sets, strict=True)
            )
            np.testing.assert_array_equal(draw_table(other, seat=seat), draw_table(batch, seat=seat))
    assert changed > 10


def test_a_seats_own_cards_show_and_all_do_to_everybody() -> None:
    batch = Batch(make_rules("pedro"))
    other = batch.copy()
    other.state.hand[0, 1], other.state.hand[0, 2] = batch.state.hand[0, 2], batch.state.hand[0, 1]
    assert differ(draw_table(batch, seat=1), draw_table(other, seat=1))
    assert differ(draw_table(batch), draw_table(other))


def test_only_the_robber_sees_the_stock() -> None:
    for batch in positions("pedro", range(20), each=1):
        if batch.phase[0] == Phase.ROB:
            robber = int(batch.state.robber[0])
            other = batch.copy()
            stock = to_cards(batch.state.stock[0])
            away = next(card for card in range(52) if card not in stock)
            other.state.stock[0] = from_cards([*stock[1:], away])
            assert differ(draw_table(batch, seat=robber), draw_table(other, seat=robber))
            assert not differ(draw_table(batch, seat=(robber + 1) % 4), draw_table(other, seat=(robber + 1) % 4))
            return
    raise AssertionError("nobody robbed")


# --- places and shapes


@pytest.mark.parametrize("seats", [4, 5, 6, 7])
@pytest.mark.parametrize("size", [(800, 600), (1067, 600), (800, 900)])
def test_nothing_lies_on_anything_else(seats: int, size: tuple[int, int]) -> None:
    places = Places(*size, seats)
    areas = [places.head, places.foot, places.middle, *places.panels]
    assert len(places.panels) == seats
    assert all(pygame.Rect(0, 0, *size).contains(area) for area in areas)
    assert not any(a.colliderect(b) for a, b in itertools.combinations(areas, 2))
    lying = [places.on_table(place, 50, 69) for place in range(seats)]
    assert all(places.middle.contains(card) for card in lying)
    assert not any(a.inflate(10, 16).colliderect(b) for a, b in itertools.combinations(lying, 2))


def test_seats_follow_clockwise_from_the_bottom() -> None:
    for seats in (4, 5, 6, 7):
        places = Places(*SMALLEST, seats)
        x, y = places.middle.center
        angles = [np.arctan2(panel.centery - y, panel.centerx - x) for panel in places.panels]
        turned = [(angle - np.pi / 2) % (2 * np.pi) for angle in angles]
        assert turned == sorted(turned)


@pytest.mark.parametrize("count", [1, 2, 9, 17, 30])
@pytest.mark.parametrize("width", [210, 414])
def test_rows_of_cards_stay_in_their_room(count: int, width: int) -> None:
    room = pygame.Rect(10, 20, width, 58)
    rects = row_of_cards(count, room, 42, 45, 13)
    assert len({rect.topleft for rect in rects}) == len(rects) == count
    assert all(room.left <= rect.left and rect.right <= room.right for rect in rects)
    assert all(rect.top in (room.top, room.top + 29) for rect in rects)


def suit_shape(suit: int) -> np.ndarray:
    """Which pixels a suit's symbol covers: ``(100, 100)`` booleans, row by row; also that they are of its colour."""
    surface = pygame.Surface((100, 100), depth=32)
    surface.fill((255, 255, 255))
    Brush(surface, 1).suit(suit, (50, 50), 90)
    image = pygame.surfarray.array3d(surface).swapaxes(0, 1).astype(int)
    shape = (image != 255).any(axis=2)
    red, green, blue = image[shape].T
    assert (red - green > 150).all() if suit in (1, 2) else (red + green + blue < 100).all()
    return shape


def test_suits_look_like_suits() -> None:
    spade, heart, diamond, club = (suit_shape(suit) for suit in range(4))
    for shape in (spade, heart, diamond, club):
        assert 0.25 < shape.mean() < 0.6
        assert (shape != shape[:, ::-1]).mean() < 0.02, "left and right are alike"

    def runs(shape: np.ndarray, row: int) -> int:
        """Separate stretches in a row."""
        return int((np.diff(np.concatenate([[0], shape[row].astype(int)])) == 1).sum())

    def first(shape: np.ndarray) -> int:
        return int(shape.any(axis=1).argmax())

    assert runs(heart, first(heart) + 3) == 2, "two lobes above"
    assert runs(heart[::-1], first(heart[::-1]) + 3) == 1, "a point below"
    for shape in (spade, diamond, club):
        assert runs(shape, first(shape) + 3) == 1
    assert (diamond != diamond[::-1]).mean() < 0.02, "upside down it is the same"
    widths = club.sum(axis=1)
    waist = int(widths[30:55].min())
    assert widths[:30].max() > waist < widths[55:75].max(), "a leaf above two leaves"
    for shape in (spade, club):
        assert runs(shape, 93) == 1, "one foot"
        assert shape[94].sum() > 1.4 * shape[83].sum(), "which widens downwards"
    assert spade[10].sum() < spade[30].sum() < spade[50].sum(), "a point above"


# --- the environment


@pytest.fixture
def dummy_display(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    yield
    pygame.display.quit()


def quick(**arguments: object) -> object:
    """An environment that shows a thousand positions a second."""
    env = pedro_env.env(**arguments)
    env.metadata["render_fps"] = 1000
    return env


@pytest.mark.usefixtures("dummy_display")
def test_pettingzoo_renders_every_mode() -> None:
    assert set(quick().metadata["render_modes"]) == {"ansi", "human", "rgb_array"}
    render_test(quick)


def test_the_environment_draws_its_batch() -> None:
    env = pedro_env.env("five-handed", render_mode="rgb_array")
    env.reset(seed=3)
    image = env.render()
    np.testing.assert_array_equal(image, draw_table(env.unwrapped.batch))
    env.step(int(env.last()[0]["action_mask"].argmax()))
    assert differ(env.render(), image)
    assert not pygame.display.get_init()
    env.close()


def on_screen() -> np.ndarray:
    return pygame.surfarray.array3d(pygame.display.get_surface()).swapaxes(0, 1)


@pytest.mark.usefixtures("dummy_display")
def test_a_window_follows_the_game_by_itself() -> None:
    env = quick(episode="match", render_mode="human", max_deals=2)
    assert not pygame.display.get_init(), "no window before the game begins"
    env.reset(seed=1)
    for _ in env.agent_iter(45):
        np.testing.assert_array_equal(on_screen(), draw_table(env.unwrapped.batch))
        observation, _, terminated, truncated, _ = env.last()
        env.step(None if terminated or truncated else int(observation["action_mask"].argmax()))
    env.close()
    assert not pygame.display.get_init()
    env.close()


@pytest.mark.usefixtures("dummy_display")
@pytest.mark.parametrize("duplicate", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_an_environment_with_a_window_can_be_copied(duplicate: object) -> None:
    env = quick(render_mode="human")
    env.reset(seed=1)
    twin = duplicate(env)
    twin.step(int(twin.last()[0]["action_mask"].argmax()))
    np.testing.assert_array_equal(on_screen(), draw_table(twin.unwrapped.batch))
    env.close()


@pytest.mark.usefixtures("dummy_display")
def test_a_picture_stands_for_its_time() -> None:
    image = draw_table(Batch(make_rules("pedro")))
    window = Window()
    start = time.monotonic()
    window.show(image, fps=1000)
    window.show(image, fps=10)
    window.show(image, fps=1000)
    assert 0.1 <= time.monotonic() - start < 5
    window.close()


@pytest.mark.usefixtures("dummy_display")
def test_a_window_that_its_user_closes_stays_closed() -> None:
    image = draw_table(Batch(make_rules("pedro")))
    window = Window()
    window.show(image, fps=1000)
    pygame.event.post(pygame.event.Event(pygame.QUIT))
    for _ in range(2):
        window.show(image, fps=1000)
        assert not pygame.display.get_init()
    window.close()
    window.show(image, fps=1000)
    assert pygame.display.get_init()
    window.close()


@pytest.mark.usefixtures("dummy_display")
def test_closing_what_was_never_opened_leaves_other_windows_alone() -> None:
    pygame.display.set_mode((10, 10))
    Window().close()
    assert pygame.display.get_init()


@pytest.mark.parametrize("package", ["pygame", "PIL"])
def test_without_the_extra_one_line_says_what_to_install(package: str) -> None:
    script = f"""
import sys
sys.modules[{package!r}] = None
import pedro_env
from pedro_env.commands import main
pedro_env.env(render_mode="ansi").reset(seed=1)
for mode in ("rgb_array", "human"):
    try:
        pedro_env.env(render_mode=mode)
    except ImportError as error:
        print(error)
sys.exit(main(["picture", "pedro", "--out", "never.png"]))
"""
    result = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=False)
    message = f"pictures need the package {package}: pip install pedro-env[render]\n"
    assert (result.returncode, result.stdout) == (2, 2 * message)
    assert result.stderr == f"python -m pedro_env: {message}"


# --- the command


def test_a_gif_of_a_recorded_deal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, out = ROOT / "docs" / "images" / "deal.jsonl", tmp_path / "deal.gif"
    record = json.loads(source.read_text(encoding="utf-8"))
    assert main(["picture", str(source), "--out", str(out)]) == 0
    pictures = len(record["steps"]) + 1
    assert capsys.readouterr().out == f"{pictures} pictures written to {out}\n"
    assert out.stat().st_size < 1_500_000
    with Image.open(out) as gif:
        assert (gif.n_frames, gif.size, gif.info["loop"]) == (pictures, SMALLEST, 0)
        durations = []
        for number in range(pictures):
            gif.seek(number)
            durations.append(gif.info["duration"])
        last = np.asarray(gif.convert("RGB")).astype(int)
    assert durations.count(2000) == 5, "one for each trick but the last"
    assert durations[-1] == 6000
    assert set(durations) == {1000, 2000, 6000}
    off = np.abs(last - draw_table(replay(record))).max(axis=2)
    assert (off == 0).mean() > 0.97
    assert off.max() < 80, "few colours, but near ones"


def test_the_same_gif_again(tmp_path: Path) -> None:
    for name in ("a.gif", "b.gif"):
        assert main(["picture", "pedro", "--seed", "7", "--seat", "2", "--out", str(tmp_path / name)]) == 0
    assert (tmp_path / "a.gif").read_bytes() == (tmp_path / "b.gif").read_bytes()


def test_a_png_of_one_position(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "position.png"
    arguments = ["picture", "five-handed", "--seed", "4", "--deal", "1", "--set", "max_deals=2", "--out", str(out)]
    assert main([*arguments, "--after", "3", "--seat", "1", "--size", "1000x750"]) == 0
    assert capsys.readouterr().out == f"the position after 3 decisions written to {out}\n"
    _, record = random_records("five-handed", {"max_deals": 2}, 1, seed=4)
    batch = replay(record).copy()
    pack = batch.state.pack[0].tolist()
    actions = [step["action"] for step in record["steps"][:3]]
    batch.set_position(0, pack, record["dealer"], record["scores_before"], actions)
    np.testing.assert_array_equal(np.asarray(Image.open(out)), draw_table(batch, 0, 1, (1000, 750)))
    assert main(arguments) == 0
    np.testing.assert_array_equal(np.asarray(Image.open(out)), draw_table(replay(record)))


EXAMPLES = str(ROOT / "docs" / "rules" / "example-records.jsonl")
MISTAKES = {
    "another kind of file": (["pedro", "--out", "x.jpg"], "--out must end in .gif (the deal) or .png"),
    "no file named": (["pedro"], "arguments are required: --out"),
    "unknown variant": (["pedo", "--out", "x.gif"], "unknown variant 'pedo' (did you mean 'pedro'"),
    "no such file": (["no.jsonl", "--out", "x.gif"], "cannot read no.jsonl: No such file"),
    "no such deal": (["pedro", "--deal", "999", "--out", "x.gif"], "pedro has no deal 999; the first one is 0"),
    "a position in a GIF": (["pedro", "--after", "3", "--out", "x.gif"], "--after is for one position"),
    "no such position": (["pedro", "--after", "999", "--out", "x.png"], "--after must be a number from 0 to 30 here"),
    "no such seat": (["pedro", "--seat", "4", "--out", "x.png"], "--seat must be a number from 0 to 3 here, not 4"),
    "too small": (["pedro", "--size", "10x10", "--out", "x.png"], "'10x10' is not a size from 800x600 to"),
    "no size": (["pedro", "--size", "big", "--out", "x.png"], "'big' is not a size from 800x600 to"),
    "no folder": (["pedro", "--out", "/no/such/x.png"], "cannot write /no/such/x.png: there is no folder"),
    "no record": (["README.md", "--out", "x.gif"], "README.md, line 1: not a JSON object"),
    "options of a record": ([EXAMPLES, "--set", "min_bid=6", "--out", "x.gif"], "a record has its own options"),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_one_line(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "README.md").write_text("not a record", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    arguments, message = MISTAKES[name]
    try:
        code = main(["picture", *arguments])
    except SystemExit as error:
        code = error.code
    out, err = capsys.readouterr()
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert message in err
    assert [entry.name for entry in tmp_path.iterdir()] == ["README.md"]


def test_a_record_that_the_rules_do_not_agree_with(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = json.loads((ROOT / "docs" / "images" / "deal.jsonl").read_text(encoding="utf-8"))
    record["points"][0] += 1
    source = tmp_path / "wrong.jsonl"
    source.write_text(json.dumps(record), encoding="utf-8")
    assert main(["picture", str(source), "--out", str(tmp_path / "x.gif")]) == 1
    assert "the end: points by the rules" in capsys.readouterr().err
    assert not (tmp_path / "x.gif").exists()


def test_every_variant_has_places_for_its_seats() -> None:
    """Also those that the engine does not play yet."""
    for variant in VARIANTS:
        rules = make_rules(variant)
        assert len(Places(*SMALLEST, rules.seats).panels) == rules.seats
