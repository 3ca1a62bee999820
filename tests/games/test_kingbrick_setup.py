"""The rules of KingBrick before the first turn: material, armies, set-up, who starts."""

from collections import Counter

import msgspec
import pytest
from kingbrick_board import begun, flicked, formation, position, where

from ludoteca.core.chance import Seal
from ludoteca.core.errors import BadOption, IllegalMove
from ludoteca.core.match import Match
from ludoteca.games.kingbrick.bricks import ALL_KINDS
from ludoteca.games.kingbrick.game import GAME
from ludoteca.games.kingbrick.state import TURNS, SetUp

rule = pytest.mark.rule
STANDARD = "army K 4C 12G"


def set_up(*moves, seat=1, extra=False):
    state = GAME.start(GAME.agree({"start": 1, "extra": extra}))
    for move in moves:
        state = GAME.play(state, seat, move).state
    return state


# Material and armies


@rule("KB-1")
def test_two_players_red_and_blue():
    for players in (1, 3, 4, "2", None):
        with pytest.raises(BadOption, match="players"):
            GAME.agree({"players": players})
    view = GAME.view(begun("K G", "K 2G").state, 1)
    assert [(brick["name"], brick["side"]) for brick in view["bricks"]] == [
        ("r1", 1),
        ("r2", 1),
        ("b1", 2),
        ("b2", 2),
        ("b3", 2),
    ]


@rule("KB-2")
def test_the_board_and_its_castles():
    board = GAME.view(position(), None)["board"]
    assert (board["width"], board["length"], board["brick"]) == (400, 600, 16)
    assert board["castles"] == [[-50, -240, 100, 100], [-50, 140, 100, 100]]


@rule("KB-3", "KB-4")
def test_bricks_cost_and_show_what_the_table_says():
    faces = {
        "K": (0, 0, 0),
        "G": (2, 2, 4),
        "C": (5, 5, 1),
        "N": (4, 3, 3),
        "A": (4, 3, 3),
        "M": (3, 4, 0),
        "F": (2, 0, 0),
        "B": (1, 1, 5),
        "H": (3, 3, 3),
        "O": (5, 5, 1),
        "D": (2, 2, 4),
    }
    kinds = GAME.view(position(extra=True), None)["kinds"]
    assert {
        k: (kind["cost"], kind["faces"].count("happy"), kind["faces"].count("sad")) for k, kind in kinds.items()
    } == faces
    assert kinds["M"]["faces"] == ["happy"] * 4 + ["grey"] * 2
    for kind in ALL_KINDS.values():
        happy = kind.faces.count("happy")
        assert all(mood == "happy" for mood in kind.faces[:happy])


@rule("KB-4")
def test_extra_bricks_are_an_option():
    assert "B" not in GAME.view(position(), None)["kinds"]
    with pytest.raises(IllegalMove, match="Knight is an extra brick, and this table plays without them"):
        set_up("army K H")
    assert set_up("army K B H O D", extra=True).set_ups[0].army == "KBHOD"


@rule("KB-5")
def test_the_standard_army():
    state = set_up(STANDARD)
    assert GAME.view(state, 1)["sides"][0] == {"ready": False, "points": 44, "bricks": 16}
    assert GAME.legal(state, 1)["setup"]["standard"] == "K 4C 12G"


@rule("KB-6")
@pytest.mark.parametrize(
    ("army", "words"),
    [
        ("K 5C 10G", "costs 45 points; at most 44"),
        ("K 21B", "has 21 bricks besides the King; at most 20"),
        ("K 18B 3F", "has 21 bricks"),
        ("K 22F G", "costs 46 points"),
        ("2K 3G", "exactly one King and this one has 2"),
        ("4C 12G", "exactly one King and this one has 0"),
    ],
)
def test_armies_beyond_the_limits_are_refused(army, words):
    with pytest.raises(IllegalMove, match=words):
        set_up(f"army {army}", extra=True)


@rule("KB-6")
def test_any_number_of_each_kind_within_the_limits():
    for army in ("K", "K 20F", "K 11N", "K 8C 2F", "12G K 4C", "K 20G"):
        assert set_up(f"army {army}").set_ups[0].army.count("K") == 1


# Set-up


@rule("KB-7")
@pytest.mark.parametrize("spot", ["x=0 y=-190", "x=50 y=-140", "x=58 y=-190", "x=-58 y=-248", "x=0 y=-132"])
def test_the_king_starts_in_its_castle_or_touches_its_edge(spot):
    state = set_up(STANDARD, f"stand r1 {spot} yaw=0 up=1")
    assert state.set_ups[0].stands[0].brick == "r1"


@rule("KB-7")
@pytest.mark.parametrize("spot", ["x=58.1 y=-190", "x=0 y=-131.9", "x=0 y=-248.1", "x=0 y=190"])
def test_a_king_outside_its_castle_is_refused(spot):
    with pytest.raises(IllegalMove, match=r"King r1 must be in its castle.*x from -50 to 50, y from -240 to -140"):
        set_up(STANDARD, f"stand r1 {spot} yaw=0 up=1")


@rule("KB-7")
def test_a_turned_brick_reaches_further():
    """Its outline counts: the corner of a brick on its edge is 11.3 mm from its centre."""
    set_up(STANDARD, "stand r1 x=61.3 y=-190 yaw=45 up=1")
    with pytest.raises(IllegalMove, match="castle"):
        set_up(STANDARD, "stand r1 x=61.4 y=-190 yaw=45 up=1")


@rule("KB-8")
@pytest.mark.parametrize("spot", ["x=0 y=-8", "x=0 y=0", "x=0 y=100", "x=195 y=-100", "x=0 y=-293"])
def test_other_bricks_stand_wholly_at_home_and_off_the_line(spot):
    with pytest.raises(IllegalMove, match="Champion r2 must stand wholly in its own territory"):
        set_up(STANDARD, f"stand r2 {spot} yaw=0 up=1")
    set_up(STANDARD, "stand r2 x=192 y=-8.1 yaw=0 up=1")
    state = set_up(STANDARD, "stand b2 x=0 y=8.1 yaw=0 up=1", seat=2)
    assert state.set_ups[1].stands


@rule("KB-8")
def test_freezes_stay_off_the_board():
    with pytest.raises(IllegalMove, match="Freeze r2 stays off the board"):
        set_up("army K 2F", "stand r2 x=0 y=-100 yaw=0 up=1")
    match = begun("K G 2F", "K")
    assert where(match.state, "r2", "r3", "r4") == ["board", "hand", "hand"]


@rule("KB-8")
@pytest.mark.parametrize(
    ("moves", "words"),
    [
        (["stand r1 x=0 y=-190 yaw=0 up=1"], "an army comes first, as in 'army K 4C 12G'"),
        (["ready"], "an army comes first, as in 'army K 4C 12G'"),
        (["army K G", "stand r3 x=0 y=-90 yaw=0 up=1"], "r3 is not in this army; still to be placed: King r1, Gua"),
        (["army K G", "stand b2 x=0 y=-90 yaw=0 up=1"], "b2 is not in this army"),
        (["army K G", *["stand r2 x=0 y=-90 yaw=0 up=1"] * 2], "Guardian r2 has its place already"),
        (["army K G", "stand r1 x=0 y=-190 yaw=0 up=1", "ready"], "still to be placed: Guardian r2"),
        (["army K", "flick r1 dir=0 speed=1 height=0 side=0 follow=8"], "the two armies are not set up yet"),
    ],
)
def test_a_set_up_that_is_not_whole_is_refused(moves, words):
    with pytest.raises(IllegalMove, match=words):
        set_up(*moves)


@rule("KB-8")
def test_an_army_named_again_starts_the_set_up_anew():
    state = set_up("army K G", "stand r2 x=0 y=-90 yaw=0 up=1", "army K C")
    assert state.set_ups[0] == SetUp(army="KC", entries=3)


@rule("KB-10")
def test_nobody_sees_the_others_set_up_before_both_are_ready():
    views, logs = [], []
    for army, key in (("K 4C 12G", "line"), ("K 2N F", "towers")):
        match = Match(GAME, {"start": 1}, None, Seal.derived("m", 2, "s"))
        match.begin()
        match.play(formation(1, army, key), 1)
        assert GAME.has_secrets(match.state)
        told = len(match.log) - GAME.untold(match.state, 2)
        logs.append([entry.move for entry in match.log[:told]])
        assert GAME.untold(match.state, 1) == 0
        assert GAME.untold(match.state, None) == GAME.untold(match.state, 2)
        known = GAME.concealed(match.state, 2, None)
        views.append([(GAME.view(s, eye), GAME.legal(s, 2)) for s in (match.state, known) for eye in (None, 2)])
        views[-1].append(known)
    assert msgspec.json.encode(views[0]) == msgspec.json.encode(views[1])
    assert logs == [[], []]


@rule("KB-10")
def test_set_ups_are_shown_when_both_are_ready_in_either_order():
    matches = []
    for order in ((1, 2), (2, 1)):
        match = Match(GAME, {"start": 1}, None, Seal.derived("m", 2, "s"))
        match.begin()
        for seat in order:
            assert match.to_move == tuple(s for s in (1, 2) if not match.state.set_ups[s - 1].ready)
            assert GAME.is_simultaneous(match.state)
            match.play(formation(seat), seat, after=0)  # what the other did meanwhile makes nobody late
        assert not GAME.has_secrets(match.state)
        assert not GAME.is_simultaneous(match.state)
        assert [GAME.untold(match.state, eye) for eye in (None, 1, 2)] == [0, 0, 0]
        matches.append(GAME.view(match.state, None))
    assert matches[0] == matches[1]
    assert len(matches[0]["bricks"]) == 34


@rule("KB-10")
def test_a_set_up_in_pieces_is_not_mixed_with_the_others():
    state = set_up("army K", seat=2)
    assert GAME.to_move(state) == (2,)
    state = GAME.play(state, 2, "stand b1 x=0 y=190 yaw=0 up=1").state
    assert [GAME.untold(state, eye) for eye in (None, 1, 2)] == [2, 2, 0]
    state = GAME.play(state, 2, "ready").state
    with pytest.raises(IllegalMove, match="it is seat 1's turn"):
        GAME.play(state, 2, "army K G")
    state = GAME.play(state, 1, "army K G").state
    assert [GAME.untold(state, eye) for eye in (None, 1, 2)] == [4, 4, 1]


@rule("KB-10")
@pytest.mark.parametrize("move", ["army K", "army K\nstand r1 x=0 y=-190 yaw=0 up=1", "ready"])
def test_half_a_set_up_is_refused_and_changes_nothing(move):
    """It would lock the other out, or tell that somebody has begun."""
    match = Match(GAME, {"start": 1}, None, Seal.derived("m", 2, "s"))
    match.begin()
    with pytest.raises(IllegalMove, match=r"a set-up is made in one go|an army comes first"):
        match.play(move, 1)
    assert (match.log, match.to_move) == ([], (1, 2))


@rule("KB-10")
@pytest.mark.parametrize("said", ["offer draw", "hints on"])
def test_no_question_is_asked_before_both_are_ready(said):
    """Where the question stands in the log would tell whether the other is ready."""
    refusals = []
    for is_ready in (False, True):
        match = Match(GAME, {"start": 1}, None, Seal.derived("m", 2, "s"))
        match.begin()
        if is_ready:
            match.play(formation(2, "K"), 2)
        with pytest.raises(IllegalMove) as refused:
            match.play(said, 1)
        refusals.append(str(refused.value))
    assert refusals[0] == refusals[1]
    match.play(formation(1, "K"), 1)
    match.play(said, 1)
    assert match.log[-1].move == said


@rule("KB-11")
def test_lots_decide_who_starts_a_first_match():
    starts = Counter()
    for n in range(200):
        match = Match(GAME, {}, None, Seal.derived(f"m{n}", 2, n))
        match.begin()
        starts[match.log[0].move] += 1
    assert set(starts) == {"start 1", "start 2"}
    assert min(starts.values()) > 60
    assert begun("K", "K", start=2).to_move == (2,)
    weighed = []
    assert GAME.chance(GAME.start(GAME.agree({})), lambda weights: weighed.append(tuple(weights)) or 1) == "start 2"
    assert weighed == [(1, 1)]


@rule("KB-11")
def test_who_starts_is_drawn_once():
    agreed = GAME.start(GAME.agree({"start": 2}))
    drawn = GAME.play(GAME.start(GAME.agree({})), 0, "start 1").state
    for state in (agreed, drawn, position()):
        with pytest.raises(IllegalMove, match="nothing of that kind"):
            GAME.play(state, 0, "start 2")


@rule("KB-11")
def test_the_loser_starts_a_rematch():
    """For which the two change places: who sat in seat 2 and lost is in seat 1 now, and begins."""
    agreed = GAME.agree({"start": 1})
    for loser in (1, 2):
        state = flicked(position(mover=1), "r1", fell="r1" if loser == 1 else "b1")
        assert state.loser == loser
        assert GAME.agreed_again(agreed, state, GAME.outcome(state, frozenset()))["start"] == 3 - loser
        match = begun("K", "K")
        match.play("resign", loser)
        assert GAME.agreed_again(agreed, match.state, match.result)["start"] == 3 - loser
    level = position().in_turn(number=TURNS + 1)
    assert GAME.agreed_again(agreed, level, GAME.outcome(level, frozenset()))["start"] == "lot"
