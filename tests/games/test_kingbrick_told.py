"""KingBrick's notation, refusals and words: read and written back, and said in every language."""

import ast
import json
import re
from pathlib import Path
from random import Random

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from kingbrick_board import begun, flick, formation, play, position, rest, rested

import ludoteca.games.kingbrick
from ludoteca.core.errors import UnknownMove
from ludoteca.core.record import Entry
from ludoteca.core.words import say
from ludoteca.games.kingbrick import notation
from ludoteca.games.kingbrick.bricks import ALL_KINDS, army_read, army_written
from ludoteca.games.kingbrick.game import GAME
from ludoteca.games.kingbrick.geometry import Pose
from ludoteca.games.kingbrick.physics import Flick, Rest
from ludoteca.games.kingbrick.review import weigh
from ludoteca.search.reviewing import judge_decision

ROOM = Path(ludoteca.games.kingbrick.__file__).parent

names = st.builds(lambda side, number: f"{side}{number}", st.sampled_from("rb"), st.integers(1, 21))
tenths = st.integers(-3000, 3000).map(lambda n: n / 10)
faces = st.integers(1, 6)
spots = (names, tenths, tenths, tenths)
poses = st.builds(Pose, *[st.floats(-300, 300)] * 7)
moves = st.one_of(
    st.builds(notation.Start, st.integers(1, 2)),
    st.builds(notation.Army, st.text("".join(ALL_KINDS), min_size=1, max_size=21)),
    st.builds(notation.Stand, *spots, faces),
    st.just(notation.Ready()),
    st.builds(Flick, names, tenths, st.integers(0, 400).map(lambda n: n / 100), tenths, tenths, tenths),
    st.builds(notation.Place, *spots, faces),
    st.builds(notation.Freeze, *spots),
    st.builds(notation.Hide, names),
    st.builds(notation.Strike, names, names),
    st.builds(notation.Heal, names, st.lists(names, min_size=1, max_size=6).map(tuple)),
    st.just(notation.End()),
    st.builds(notation.Roll, names, faces),
    st.builds(notation.Hand, tenths, st.integers(0, 400).map(lambda n: n / 100), tenths, tenths),
    st.builds(
        Rest,
        st.dictionaries(names, poses, max_size=4),
        st.lists(st.lists(names, min_size=1, max_size=2).map(tuple), max_size=2).map(tuple),
        st.lists(names, max_size=2).map(tuple),
        st.floats(0, 40),
        st.binary(max_size=9),
    ),
)


@given(moves)
def test_every_move_is_read_as_it_is_written(move):
    text = notation.written(move)
    again = notation.read(text)
    assert (type(again), again) == (type(move), move)
    assert notation.written(again) == text


@pytest.mark.parametrize(
    "text",
    [
        "army K 4C 12G",
        "stand r1 x=0 y=-200 yaw=0 up=1",
        "ready",
        "flick r3 dir=90 speed=2.4 height=1.5 side=0 follow=8",
        "hand dir=91.3 speed=2.31 height=0.4 side=-0.2",
        "roll r3 4",
        "place r3 x=12.5 y=-200 yaw=45 up=2",
        "freeze r9 x=10 y=150 yaw=0",
        "hide r5",
        "strike r6 b4",
        "heal r7 r2 r11",
        "end",
        "start 1",
    ],
)
def test_the_moves_of_the_notation_are_read(text):
    assert notation.written(notation.read(text)) == text


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "ready ",
        "end now",
        "army",
        "army ",
        "army K  4C",
        "army 0C",
        "army 4X",
        "stand r1 x=0 y=-200 yaw=0",
        "stand r1 x=0 y=-200 yaw=0 up=7",
        "place g3 x=0 y=0 yaw=0 up=1",
        "place r0 x=0 y=0 yaw=0 up=1",
        "flick r3 dir=90 speed=-2 height=0 side=0 follow=8",
        "flick r3 dir=nan speed=2 height=0 side=0 follow=8",
        "roll r3 0",
        "roll r3 7",
        "heal r7",
        "rest",
        "rest {}",
        'rest {"poses": {"r1": [0, 0]}}',
        'rest {"poses": [], "fell": 3}',
        "hide r5\n",
    ],
)
def test_what_is_no_move_is_refused_with_an_example(text):
    with pytest.raises(UnknownMove) as refused:
        GAME.play(position(), 1, text)
    assert repr(text) in str(refused.value)
    assert say(refused.value.reason, "it")


@given(st.text("".join(ALL_KINDS), min_size=1, max_size=21))
def test_armies_are_counted_and_read_back(letters):
    assert army_read(army_written(letters)) == letters


def test_every_refusal_and_saying_has_words_and_no_words_are_idle():
    """The keys that the code can say, read from its sources."""
    words = set(json.loads((ROOM / "words" / "en.json").read_text("utf-8")))
    said = set()
    for path in ROOM.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                said.add(node.value.removeprefix("kingbrick."))
    prefixed = {key for key in words if key.rpartition(".")[2] in said or key in said}
    made = {"said.place.", "said.roll.", "unreadable.", "limits.", "at."}
    assert {key for key in words - prefixed if not key.startswith(tuple(made))} == set()
    for path in ROOM.glob("*.py"):
        for key in re.findall(r'Refusal\(\s*"([a-z_.]+)"', path.read_text("utf-8")):
            assert key in words, (path.name, key)


def spoken(state, move, language="en"):
    by = next(iter(GAME.to_move(state)), 0)
    return say(GAME.describe(state, Entry(by, move)).message, language)


def marks(state, move):
    by = next(iter(GAME.to_move(state)), 0)
    return GAME.describe(state, Entry(by, move)).marks


def test_a_measurement_is_told_with_all_that_came_of_it():
    lines = ("r2 G 0 -100", "r3 M 60 -60", "b2 G 0 100", "b3 G 90 100", "r4 F 90 100 z=24", "b4 M 100 -60 up=6")
    state = play(position(*lines), flick("r2"))
    changes = {"r2": "0 60 up=6", "r3": "60 60 up=6", "r4": "130 60", "b4": "100 -60 up=1"}
    told = rest(state, fell="b2", touched="r2 r3", push=3, **changes)
    assert spoken(state, told) == (
        "Guardian r2 comes to rest in enemy territory, sad side up; foul: the finger also touched Mercenary r3; "
        "Guardian r2 knocks off Guardian b2; captured: Guardian r2; "
        "to be restored: Guardian b2; deserted: Mercenary r3; back with their own army: Mercenary b4; "
        "out of the match: Freeze r4; the opponent has one more flick"
    )
    assert "fallo: il dito ha toccato anche Mercenario r3; Guardiano r2 butta fuori" in spoken(state, told, "it")
    assert marks(state, told) == {
        "fell": [["b2"]],
        "captured": ["r2"],
        "deserted": ["r3"],
        "infraction": "misflick",
        "left": ["r4"],
    }


def test_pushes_losses_and_quiet_are_told():
    state = play(position("r2 G 0 -100"), flick("r2").replace("follow=8", "follow=40"))
    for spot, where in (("0 -100", "at home"), ("0 -8", "on the dividing line"), ("30 190", "in the enemy castle")):
        words = f"Guardian r2 comes to rest {where}, happy side up"
        assert spoken(state, rest(state, touched="r2", r2=spot)) == words
    pushed = rest(state, touched="r2", push=31.26)
    words = "; foul: the finger pushed instead of flicking; the opponent has one more flick"
    assert spoken(state, pushed).endswith(words)
    assert (
        spoken(state, rest(state, fell="r2, b1"))
        == "Guardian r2 knocks off King b1; off the board: Guardian r2; 2 loses"
    )
    last = play(position("r2 G 0 -100").in_turn(number=200), flick("r2"))
    assert spoken(last, rest(last)).endswith("; the turns are over: a draw")
    moved = play(position("r2 G 0 -100"), "place r1 x=0 y=-190 yaw=0 up=1")
    assert spoken(moved, rest(moved)) == "everything stands"
    assert marks(moved, rest(moved))["quiet"]  # nobody has to read that
    assert "quiet" not in marks(state, rest(state, touched="r2", r2="0 -8"))


def test_what_a_freeze_holds_and_what_waited_for_the_end_is_told():
    frozen = play(position("r2 F hand", "b2 G 0 100"), "freeze r2 x=0 y=100 yaw=0")
    assert spoken(frozen, rest(frozen, r2="0 100 z=24")) == "frozen: Guardian b2"
    waiting = rested(play(position("r2 A 0 230 up=6", "b2 G 0 100"), flick("r1")))
    assert spoken(waiting, "end") == "1 ends the turn; captured: Assassin r2"
    last = play(position("r2 G 0 100 up=6").in_turn(number=200), flick("r1"))
    assert spoken(rested(rested(last)), "roll r2 6").endswith("it is defeated; the turns are over: a draw")


@pytest.mark.parametrize(
    ("lines", "moves", "words"),
    [
        ((), ["place r1 x=10 y=-190 yaw=0 up=1"], "King Move: King r1 returns to the castle"),
        (("r2 N hidden",), ["place r2 x=100 y=100 yaw=0 up=6"], "Ninja r2 reappears, sad side up"),
        (("r2 B 0 0",), ["place r2 x=100 y=-100 yaw=0 up=1"], "Blink r2 blinks to another place, happy side up"),
        (("r2 F hand", "b2 G 0 100"), ["freeze r2 x=0 y=100 yaw=0"], "Freeze r2 is set down"),
        (("r2 D 0 -100", "r3 G out"), ["heal r2 r3"], "Medic r2 leaves to heal Guardian r3"),
        (("r2 N 0 100",), [flick("r1"), "rest", "hide r2"], "Ninja r2 hides"),
        (("r2 A 0 230", "b2 C 0 100"), [flick("r1"), "rest", "strike r2 b2"], "Assassin r2 strikes Champion b2"),
        (("r2 N 0 100",), [flick("r1"), "rest", "end"], "1 ends the turn"),
        (("r2 D 0 -100", "r3 M out"), ["heal r2 r3", "rest", "roll r3 6"], "of Mercenary r3: grey, it is defeated"),
        (
            ("r2 D 0 -100", "r3 G out"),
            ["heal r2 r3", "rest", "roll r3 1"],
            "roll of Guardian r3: happy, it returns",
        ),
        (
            ("r2 G 0 100 up=6",),
            [flick("r1"), "rest", "rest", "roll r2 2"],
            "roll of Guardian r2: happy, it escapes",
        ),
        ((), [flick("r1", speed=0.8)], "King r1 is flicked, soft"),
        ((), [flick("r1", speed=1.6)], "King r1 is flicked, medium"),
        ((), [flick("r1", speed=1.7)], "King r1 is flicked, hard"),
    ],
)
def test_moves_are_told(lines, moves, words):
    state = position(*lines, extra=True)
    for move in moves[:-1]:
        state = rested(state) if move == "rest" else play(state, move)
    assert words in spoken(state, moves[-1])
    assert say(GAME.describe(state, Entry(next(iter(GAME.to_move(state)), 0), moves[-1])).message, "it")


def test_a_whole_set_up_is_told_by_its_army():
    state = GAME.start(GAME.agree({"start": 1}))
    words = say(GAME.describe(state, Entry(1, formation(1))).message)
    assert words == "1 chooses King, 4 × Champion, 12 × Guardian: 44 points"
    match = begun("K G", "K")
    words, position_ = [], match.at(0)
    for entry in match.log:
        words.append(say(GAME.describe(position_.state, entry).message))
        position_, _ = match.advanced(position_, entry)
    assert words == [
        "1 chooses King, Guardian: 2 points",
        "King r1 stands, plain side up",
        "Guardian r2 stands, happy side up",
        "1 is ready",
        "2 chooses King: 0 points",
        "King b1 stands, plain side up",
        "2 is ready",
        "the screen is lifted, 1 begins",
    ]


def test_a_flick_is_told_first_and_its_film_once_with_what_came_of_it():
    match = begun("K 2G", "K 2G")
    before = match.state
    made, measured = match.play(flick("r2"), 1)[:2]
    moving = GAME.play(before, 1, flick("r2")).state
    assert GAME.describe(before, made).marks["unmoved"]
    assert GAME.view(moving, 1)["bricks"] == GAME.view(before, 1)["bricks"]
    film = msgspec.json.decode(measured.move.removeprefix("rest "))["motion"]
    marks = msgspec.json.encode(GAME.describe(moving, measured).marks).decode()
    assert film
    assert film not in marks


def test_a_measurement_is_read_and_applied_once(monkeypatch):
    """What was made is told right after it: its text is not read again, nor its consequences computed."""
    match = begun()
    match.play("flick r2 dir=90 speed=2 height=0 side=0 follow=8", 1)
    before, entry = match.at(len(match.log) - 1).state, match.log[-1]
    assert entry.move.startswith("rest ")
    told = GAME.describe(before, entry)
    GAME.play(before, 0, entry.move)

    def never(*_):
        raise AssertionError("this was known")

    monkeypatch.setattr("ludoteca.games.kingbrick.game.read", never)
    monkeypatch.setattr("ludoteca.games.kingbrick.narration.play_table", never)
    assert GAME.describe(before, entry) == told


def test_a_review_says_what_the_flick_was_aimed_at():
    state = position("r2 C 0 0", "b2 C 100 0")
    judged = judge_decision("kingbrick", state, 9, 1, flick("r2", 0, 2))
    assert judged.message is not None
    assert say(judged.message) == "a hard flick of Champion r2 at Champion b2, to knock it off the board"


def test_a_move_may_be_asked_about_in_other_words_for_the_same_numbers():
    state = position("r2 C 0 0", "b2 C 100 0")
    asked = "flick r2 dir=0.0 speed=2.00 height=0 side=0 follow=8"
    assert asked in [one.move for one in weigh(state, 1, [asked], 1, Random("asked"))]
