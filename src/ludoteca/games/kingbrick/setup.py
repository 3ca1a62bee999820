"""The set-up behind the screen: armies and formations (KB-5 to KB-10)."""

import msgspec

from ludoteca.core.words import message
from ludoteca.games.kingbrick import bricks
from ludoteca.games.kingbrick.bricks import FREEZE, KING, army_written
from ludoteca.games.kingbrick.geometry import castle, in_castle, is_home, standing
from ludoteca.games.kingbrick.notation import Army, Move, Ready, Stand, number
from ludoteca.games.kingbrick.refusals import Refusal, said, said_all
from ludoteca.games.kingbrick.state import HAND, Brick, Opening, SetUp, State, Turn, other


def set_up(state: State, seat: int, move: Move) -> State:
    """The state after a seat's move behind the screen."""
    mine = state.set_ups[seat - 1]
    match move:
        case Army(letters):
            check_army(letters, state.extra)
            changed = SetUp(army=letters)
        case Stand():
            _check_stand(mine, seat, move)
            changed = msgspec.structs.replace(mine, stands=(*mine.stands, move))
        case Ready():
            if not mine.army:
                raise Refusal("no_army", standard=bricks.STANDARD)
            if missing := to_stand(mine, seat):
                raise Refusal("not_all_stand", bricks=said_all(missing, bricks.named(mine.army, seat)))
            changed = msgspec.structs.replace(mine, ready=True)
        case _:
            raise Refusal("set_up_first")
    changed = msgspec.structs.replace(changed, entries=mine.entries + 1)
    both = (changed, state.set_ups[1]) if seat == 1 else (state.set_ups[0], changed)
    state = state.but(set_ups=both, first=state.first or seat)
    return _opened(state) if all(one.ready for one in both) else state


def check_army(letters: str, extra: bool) -> None:
    """KB-3, KB-6."""
    known = bricks.kinds(extra)
    for letter in letters:
        if letter not in known:
            kind = message(f"kingbrick.{bricks.ALL_KINDS[letter].name}")
            raise Refusal("only_with_extra", kind=kind, kinds=" ".join(known))
    if letters.count(KING) != 1:
        raise Refusal("one_king", kings=letters.count(KING), standard=bricks.STANDARD)
    if bricks.points(letters) > bricks.POINTS:
        raise Refusal("too_dear", army=army_written(letters), points=bricks.points(letters), most=bricks.POINTS)
    if bricks.bricks(letters) > bricks.BRICKS:
        raise Refusal("too_many", army=army_written(letters), bricks=bricks.bricks(letters), most=bricks.BRICKS)


def to_stand(mine: SetUp, seat: int) -> list[str]:
    """The bricks that have no place in the formation yet; Freezes need none (KB-8)."""
    placed = {stand.brick for stand in mine.stands}
    army = bricks.named(mine.army, seat)
    return [name for name, kind in army.items() if kind != FREEZE and name not in placed]


def _check_stand(mine: SetUp, seat: int, stand: Stand) -> None:
    """KB-7, KB-8."""
    army = bricks.named(mine.army, seat)
    if not army:
        raise Refusal("no_army", standard=bricks.STANDARD)
    if stand.brick not in army:
        raise Refusal("not_in_army", brick=stand.brick, bricks=said_all(to_stand(mine, seat), army))
    brick = said(stand.brick, army[stand.brick])
    if army[stand.brick] == FREEZE:
        raise Refusal("stays_off", brick=brick)
    if stand.brick not in to_stand(mine, seat):
        raise Refusal("stands_already", brick=brick)
    at = standing(stand.x, stand.y, stand.yaw, stand.up)
    if army[stand.brick] == KING:
        if not in_castle(at, seat):
            raise Refusal("not_in_castle", brick=brick, **castle_said(seat))
    elif not is_home(at, seat):
        raise Refusal("not_at_home", brick=brick)


def castle_said(seat: int) -> dict[str, str]:
    """Its edges, for a refusal."""
    x, y, width, length = castle(seat)
    return {"left": number(x), "right": number(x + width), "near": number(y), "far": number(y + length)}


def _opened(state: State) -> State:
    """Both are ready: the bricks are there for all to see, and come to rest."""
    armies = {
        name: Brick(kind, seat, HAND)
        for seat in (1, 2)
        for name, kind in bricks.named(state.set_ups[seat - 1].army, seat).items()
    }
    return state.but(bricks=armies, moving=Opening(), turn=Turn(1, state.starter))


def untold(state: State, seat: int | None) -> int:
    """KB-10: the last entries that an eye may not know of, while one of the two is not ready.

    Set-ups are not interleaved. Who came first knows of all that was written before the other began; everybody else
    knows of nothing since then, not even of their own half-done set-up.
    """
    if state.turn is not None:
        return 0
    if seat == state.first:
        return state.set_ups[other(seat) - 1].entries
    return sum(one.entries for one in state.set_ups)


def concealed(state: State, seat: int) -> State:
    """Without the other's set-up; that it is ready is known."""
    if state.turn is not None:
        return state
    hidden = SetUp(ready=state.set_ups[other(seat) - 1].ready)
    mine = state.set_ups[seat - 1]
    return state.but(set_ups=(mine, hidden) if seat == 1 else (hidden, mine))
