"""Positions of KingBrick written as lines, and measurements written by hand: `r2 C 0 100 up=6`, `b4 F hand`."""

from ludoteca.core.chance import Seal
from ludoteca.core.match import Match
from ludoteca.games.kingbrick.formations import spots
from ludoteca.games.kingbrick.game import GAME
from ludoteca.games.kingbrick.geometry import standing
from ludoteca.games.kingbrick.notation import Place, read, written
from ludoteca.games.kingbrick.physics import Rest
from ludoteca.games.kingbrick.state import BOARD, Brick, SetUp, State, Turn

KINGS = ("r1 K 0 -190", "b1 K 0 190")


def pose(text):
    """`0 100 up=6 yaw=30 z=24`: lying flat, on the board unless z says otherwise."""
    x, y, *rest = text.split()
    how = dict(word.split("=") for word in rest)
    return standing(float(x), float(y), float(how.get("yaw", 0)), int(how.get("up", 1)), float(how.get("z", 8)))


def position(*lines, mover=1, extra=False, hand="steady", **turn):
    """The position with these bricks and the two Kings in their castles, in the turn of the mover."""
    bricks = {}
    named = {line.split()[0] for line in lines}
    for line in (*(king for king in KINGS if king.split()[0] not in named), *lines):
        name, kind, where = line.split(" ", 2)
        side = "rb".index(name[0]) + 1
        lies = where[0] in "-0123456789"
        bricks[name] = Brick(kind, side, BOARD, pose(where)) if lies else Brick(kind, side, where)
    bricks = dict(sorted(bricks.items(), key=lambda item: (item[0][0] != "r", int(item[0][1:]))))
    armies = ["".join(b.kind for b in bricks.values() if b.side == seat) for seat in (1, 2)]
    set_ups = tuple(SetUp(army=army, ready=True) for army in armies)
    return State(extra=extra, starter=1, hand=hand, set_ups=set_ups, bricks=bricks, turn=Turn(1, mover, **turn))


def play(state, *moves):
    """The state after moves of whoever is to move, the table included; nothing is measured."""
    for move in moves:
        by = next(iter(GAME.to_move(state)), 0)
        state = GAME.play(state, by, move).state
    return state


def flick(name, direction=90, speed=2):
    return f"flick {name} dir={direction} speed={speed} height=0 side=0 follow=8"


def rest(state, fell="", touched="", push=0.0, **moved):
    """A measurement: these lie elsewhere, those fell (`b3 b4, r1`: two at once, then one), all else stays."""
    steps = tuple(tuple(step.split()) for step in fell.split(",") if step)
    poses = dict(state.poses)
    if isinstance(state.moving, Place):
        poses[state.moving.brick] = standing(*state.moving[1:])
    poses |= {name: pose(where) for name, where in moved.items()}
    gone = {name for step in steps for name in step}
    poses = {name: at for name, at in poses.items() if name not in gone}
    return written(Rest(poses, steps, tuple(touched.split()), push))


def rested(state, fell="", touched="", push=0.0, **moved):
    return play(state, rest(state, fell, touched, push, **moved))


def flicked(state, name, fell="", touched=None, push=5.0, **moved):
    """The state after a flick that ended so. A longer push needs a longer follow-through."""
    touched = name if touched is None else touched
    moving = play(state, flick(name).replace("follow=8", "follow=40") if push > 8 else flick(name))
    return rested(moving, fell, touched, push if name in touched.split() else 0.0, **moved)


def placed(state, name, x, y, up=1):
    """The state after a brick was set down and stayed."""
    return rested(play(state, f"place {name} x={x} y={y} yaw=0 up={up}"))


def where(state, *names):
    return [state.bricks[name].where for name in names]


def offered_places(state, seat):
    """Return which bricks a seat may set down, why and where."""
    return [(one["brick"], one["why"], one["where"]) for one in GAME.legal(state, seat).get("place", [])]


def asked(state):
    """Seat and question, and the brick where one is asked for."""
    question = GAME.view(state, None)["asked"]
    return question and (question["seat"], question["what"], *([question["brick"]] if "brick" in question else []))


def formation(seat, army="K 4C 12G", key="line"):
    """A whole set-up as one move."""
    letters = read(f"army {army}").letters
    standing_ones = [n for n, kind in enumerate(letters, start=1) if kind != "F"]
    stands = [
        f"stand {'rb'[seat - 1]}{n} x={x:g} y={y:g} yaw={yaw:g} up=1"
        for n, (x, y, yaw) in zip(standing_ones, spots(key, seat), strict=False)
    ]
    return "\n".join([f"army {army}", *stands, "ready"])


def begun(red="K 4C 12G", blue="K 4C 12G", key="line", seed="seed", **options):
    """A sealed match, measured for real, after the set-up."""
    match = Match(GAME, {"start": 1, "hand": "steady", **options}, None, Seal.derived("m", 2, seed))
    match.begin()
    match.play(formation(1, red, key), 1)
    match.play(formation(2, blue, key), 2)
    return match
