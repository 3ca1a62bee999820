"""Every lesson of every game, played with right answers and wrong ones, with its texts in every language."""

import json
from importlib import resources
from random import Random

import msgspec
import pytest

from ludoteca.core import lessons, registry
from ludoteca.core.errors import BadLesson, UnknownLesson
from ludoteca.core.lessons import Course, Step, Task
from ludoteca.core.words import say

LANGUAGES = ("en", "it")
TAUGHT = [key for key in registry.game_keys() if lessons.has_course(key)]
STEPS = [pytest.param(key, step, id=f"{key}-{step.id}") for key in TAUGHT for step in lessons.course(key).step]
TRIED = 40  # moves at random in every position


def texts(key, language):
    file = resources.files(f"ludoteca.games.{key}").joinpath("lessons", f"{language}.json")
    return json.loads(file.read_text("utf-8"))


def wanted_keys(step):
    yield f"{step.id}.title"
    for number in range(1, max(1, len(step.do)) + 1):
        yield f"{step.id}.do" + (str(number) if number > 1 else "")
    if step.do:
        yield from (f"{step.id}.almost", f"{step.id}.done")


@pytest.mark.parametrize("key", TAUGHT)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_step_has_its_texts(key, language):
    steps = lessons.course(key).step
    assert list(texts(key, language)) == [name for step in steps for name in wanted_keys(step)]


@pytest.mark.parametrize("key", TAUGHT)
def test_a_course_takes_about_two_minutes(key):
    course = lessons.course(key)
    assert 6 <= len(course.step) <= 10
    assert len({step.id for step in course.step}) == len(course.step)
    assert registry.game(key).agree(course.match)["players"] == 2


def test_every_game_is_taught():
    assert registry.game_keys() == TAUGHT


@pytest.mark.parametrize(("key", "step"), STEPS)
def test_right_answers_lead_through(key, step):
    match, _ = lessons.begun(key, step)
    assert not step.do or step.seat in match.to_move
    moves = []
    for task in step.do:
        moves.append(task.shown)
        answer = lessons.answer(key, step, moves)
        assert answer.right, (moves, answer.reason and say(answer.reason))
        assert answer.made[0].entry.move == task.shown
    for text in step.do[0].wants if step.do else ():
        if not set("*?[") & set(text):
            assert lessons.answer(key, step, [text]).right, text


@pytest.mark.parametrize(("key", "step"), STEPS)
def test_wrong_answers_change_nothing_and_are_told_apart(key, step):
    """A move that the rules refuse has their reason. A legal one that is not wanted has none."""
    rng, moves = Random(1), []
    for task in step.do:
        match = lessons.answer(key, step, moves).match if moves else lessons.begun(key, step)[0]
        before = match.game.view(match.state, step.seat)
        tried = match.game.sample_moves(match.state, step.seat, rng, TRIED)
        answers = {move: lessons.answer(key, step, [*moves, move]) for move in tried}
        for answer in answers.values():
            assert answer.reason is None
            assert answer.made
            if not answer.right:
                assert answer.match.game.view(answer.match.state, step.seat) == before
                assert len(answer.match.log) == len(match.log)
        nonsense = lessons.answer(key, step, [*moves, "nonsense"])
        assert not nonsense.right
        assert say(nonsense.reason)
        moves.append(task.shown)


def test_a_task_asks_for_points():
    step = next(step for step in lessons.course("pinpoint").step if step.id == "line")
    assert not lessons.answer("pinpoint", step, ["Yb2"]).right  # yellow, and a single pin
    assert lessons.answer("pinpoint", step, ["Yc7"]).right  # the other end of the line


def test_a_refusal_is_the_rules_own():
    step = next(step for step in lessons.course("matchnlock").step if step.id == "turn")
    answer = lessons.answer("matchnlock", step, ["d4+", "c3+"])
    assert say(answer.reason) == "the token in c3 is part of a closed circle and never turns again"


def test_what_is_not_there():
    with pytest.raises(UnknownLesson, match="there is no lesson pinpoint/nothing"):
        lessons.step_of("pinpoint", "nothing")
    step = lessons.course("pinpoint").step[0]
    with pytest.raises(UnknownLesson, match="2 moves, it asks for 1"):
        lessons.answer("pinpoint", step, ["Rb9", "Yb8"])


def test_a_line_without_a_seat_says_what_to_mend():
    with pytest.raises(BadLesson, match="does not begin with a seat"):
        lessons.begun("pinpoint", Step("bad", {"start": 1, "setup": "RYGB"}, log=("Re4",)))


def test_what_an_entry_must_show():
    """A task may name marks: what happened counts, not how."""
    options = {"start": 1, "setup": "RYGB"}
    step = Step("mark", options, do=(Task(("R*",), marks={"figure": ["b9"]}),))
    assert Course((step,)).match == {}
    assert lessons.answer("pinpoint", step, ["Rb9"]).right
    assert not lessons.answer("pinpoint", step, ["Ra9"]).right


def step_named(key, id_):
    return next(step for step in lessons.course(key).step if step.id == id_)


@pytest.mark.parametrize("speed", [0.9, 1.6, 2.5])
@pytest.mark.parametrize("direction", [353, 0, 7])
def test_a_flick_need_not_be_exact(speed, direction):
    """Physics is measured: what counts is what became of the flick, not which flick it was."""
    flick = f"flick r2 dir={direction} speed={speed} height=0 side=0 follow=8"
    assert lessons.answer("kingbrick", step_named("kingbrick", "king"), [flick]).right


@pytest.mark.parametrize("speed", [0.9, 1.1, 1.4])
def test_a_flick_over_the_line_is_told_from_one_that_stays_at_home(speed):
    flick = "flick r2 dir=90 speed={} height=0 side=0 follow=8"
    for id_ in ("line", "release"):
        step = step_named("kingbrick", id_)
        assert lessons.answer("kingbrick", step, [flick.format(speed)]).right
        short = lessons.answer("kingbrick", step, [flick.format(0.3)])
        assert not short.right
        assert short.reason is None
        assert short.made  # so that a page can show where it went


def test_a_foul_is_no_right_answer():
    """The finger touches the King's neighbour too: it fell, and yet the task is not done (KB-28)."""
    step = step_named("kingbrick", "king")
    near = step.log[2].replace('"r1":[0,-190,8', '"r1":[125,-73,8')
    foul = msgspec.structs.replace(step, log=(*step.log[:2], near))
    flick = "flick r2 dir=0 speed=2 height=0 side=7 follow=8"
    answer = lessons.answer("kingbrick", foul, [flick])
    marks = [answer.match.game.describe(one.before.state, one.entry).marks for one in answer.made]
    assert any(mark.get("infraction") for mark in marks)
    assert not answer.right


def test_the_table_draws_what_a_log_leaves_out():
    """A flick of the opponent is measured, in the log and after a right move."""
    step = step_named("kingbrick", "ninja")
    match, made = lessons.begun("kingbrick", step)
    assert made[-1].entry.by == 0
    assert made[-1].entry.move.startswith("rest ")
    assert match.to_move == (1,)
    answer = lessons.answer("kingbrick", step, ["hide r3"])
    assert [one.entry.by for one in answer.made] == [1, 0, 2, 0]
