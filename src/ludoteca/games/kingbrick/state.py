"""The position of a match, and questions about it: armies, places, faces, frozen bricks."""

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any, NamedTuple

import msgspec

from ludoteca.games.kingbrick import bricks
from ludoteca.games.kingbrick.bricks import ASSASSIN, FREEZE, GREY, HAPPY, KING, MERCENARY, SAD
from ludoteca.games.kingbrick.geometry import BRICK, Pose, in_castle, is_beyond_line, top_face
from ludoteca.games.kingbrick.hand import NATURAL
from ludoteca.games.kingbrick.notation import Place, Stand
from ludoteca.games.kingbrick.physics import Flick
from ludoteca.games.kingbrick.touching import rests_on

TURNS = 200  # KB-50

# Where a brick is. In hand: an unused Freeze, or a brick about to be set down. Rolling: it awaits its release roll.
BOARD, OUT, HIDDEN, HAND, ROLLING = "board", "out", "hidden", "hand", "rolling"


class Brick(msgspec.Struct, frozen=True):
    kind: str
    side: int
    where: str
    pose: Pose | None = None  # on the board


class SetUp(msgspec.Struct, frozen=True):
    """One player's army and formation, behind the screen (KB-10)."""

    army: str = ""
    stands: tuple[Stand, ...] = ()
    ready: bool = False
    entries: int = 0  # how many of the log it took

    @property
    def is_begun(self) -> bool:
        return bool(self.army) and not self.ready


class Opening(NamedTuple):
    """Both are ready: the screen is lifted, and the two formations come to rest."""


class Shot(NamedTuple):
    """A flick as it was aimed, and as the hand makes it once that is drawn (KB-52)."""

    aimed: Flick
    made: Flick | None = None


class Settling(NamedTuple):
    """Something was lifted: the other bricks come to rest."""


class Release(NamedTuple):
    """A release roll to come. A happy face means that the brick escaped, or returned if it was defeated before."""

    brick: str
    why: str


class Placement(NamedTuple):
    """A brick that a seat has to set down in its castle, because it escaped, was restored (KB-26) or returned."""

    brick: str
    seat: int
    why: str


class Turn(msgspec.Struct, frozen=True):
    number: int
    mover: int
    flicks: int = 1  # left, additional ones included (KB-27)
    acted: bool = False
    froze: bool = False
    hid: bool = False
    revealed: str | None = None
    struck: frozenset[str] = frozenset()  # the Assassins that did
    fouls: int = 0  # flicks with an infraction
    knight: str | None = None  # may be flicked once more (KB-46)
    ending: bool = False  # nothing more will be done


class State(msgspec.Struct, frozen=True, dict=True):
    extra: bool
    starter: int  # 0: by lot
    hand: str = NATURAL  # KB-52
    set_ups: tuple[SetUp, SetUp] = (SetUp(), SetUp())
    first: int = 0  # the seat that set up first
    bricks: dict[str, Brick] = {}
    turn: Turn | None = None
    moving: Opening | Shot | Place | Settling | None = None  # what the table measures next
    restorable: frozenset[str] = frozenset()  # KB-26: the bricks that an infraction gives back, until all is settled
    placements: tuple[Placement, ...] = ()
    rolls: tuple[Release, ...] = ()
    spent: frozenset[str] = frozenset()  # Medics that healed
    loser: int = 0

    @cached_property
    def poses(self) -> dict[str, Pose]:
        """Of the bricks on the board."""
        return {name: brick.pose for name, brick in self.bricks.items() if brick.pose is not None}

    @property
    def now(self) -> Turn:
        assert self.turn is not None
        return self.turn

    @property
    def is_over(self) -> bool:
        return bool(self.loser) or (self.turn is not None and self.turn.number > TURNS)

    def but(self, **changes: Any) -> "State":
        return msgspec.structs.replace(self, **changes)

    def in_turn(self, **changes: Any) -> "State":
        return self.but(turn=msgspec.structs.replace(self.now, **changes))

    def with_bricks(self, names: Iterable[str], where: str) -> "State":
        """These bricks, taken off the board, are there now."""
        moved = {name: Brick(self.bricks[name].kind, self.bricks[name].side, where) for name in names}
        return self.but(bricks={**self.bricks, **moved})

    def remember(self, step: "Step") -> None:
        """Keep the move that was made from this state, and what it led to: an entry is told right after it was made."""
        self.__dict__["step"] = step

    def recall(self, text: str) -> "Step | None":
        """Return the move that was made from this state, if this is its text."""
        step: Step | None = self.__dict__.get("step")
        return step if step and step.text == text else None


class Step(NamedTuple):
    """A move that was made: as it is written, as it was read, and the state after it."""

    text: str
    move: Any
    after: State


def other(seat: int) -> int:
    return 3 - seat


def by_number(names: Iterable[str]) -> list[str]:
    return sorted(names, key=lambda name: (name[0] != "r", bricks.number_of(name)))


def of_kind(state: State, kind: str, seat: int, where: str = BOARD) -> list[str]:
    """A seat's own bricks of a kind."""
    return [
        name
        for name, brick in state.bricks.items()
        if brick.kind == kind and brick.side == seat and brick.where == where
    ]


def king_of(seat: int, state: State) -> str:
    return next(name for name, brick in state.bricks.items() if brick.kind == KING and brick.side == seat)


def mood_up(brick: Brick) -> str:
    assert brick.pose is not None
    return bricks.mood(brick.kind, top_face(brick.pose))


def is_away(brick: Brick) -> bool:
    """KB-18: on the board, wholly in the territory of its owner's opponent."""
    if brick.pose is None or (brick.pose.y < BRICK / 2 if brick.side == 1 else brick.pose.y > -BRICK / 2):
        return False  # its outline reaches at least that far from its centre
    return is_beyond_line(brick.pose, brick.side)


def army_of(brick: Brick) -> int:
    """KB-39, KB-40: whom it fights for as it lies."""
    deserted = brick.kind == MERCENARY and is_away(brick) and mood_up(brick) == GREY
    return other(brick.side) if deserted else brick.side


def army(state: State, seat: int) -> list[str]:
    """The bricks on the board that fight for a seat."""
    return [name for name, brick in state.bricks.items() if brick.where == BOARD and army_of(brick) == seat]


def is_captured(state: State, brick: Brick) -> bool:
    """KB-20. An Assassin in the castle waits for the end of its owner's turn (KB-38)."""
    if not is_away(brick) or mood_up(brick) != SAD:
        return False
    waits = brick.kind == ASSASSIN and brick.side == state.now.mover and not state.now.ending
    return not (waits and is_in_enemy_castle(brick))


def is_in_enemy_castle(brick: Brick) -> bool:
    return brick.pose is not None and in_castle(brick.pose, other(brick.side))


def frozen(state: State) -> frozenset[str]:
    """KB-42, KB-43: what cannot be flicked because a Freeze of the other army rests on it."""
    return frozenset(name for freeze in freezes(state) for name in frozen_by(state, freeze))


def frozen_by(state: State, freeze: str) -> Iterator[str]:
    for name in rests_on(state.poses, freeze):
        brick = state.bricks[name]
        if brick.kind not in (KING, FREEZE) and army_of(brick) != state.bricks[freeze].side:
            yield name


def freezes(state: State) -> list[str]:
    """Return the Freezes on the board."""
    return [name for name, brick in state.bricks.items() if brick.kind == FREEZE and brick.where == BOARD]


def flickable(state: State, seat: int) -> list[str]:
    """KB-13."""
    held = frozen(state)
    return [name for name in army(state, seat) if state.bricks[name].kind != FREEZE and name not in held]


def second_flick(state: State) -> str | None:
    """KB-46: the Knight that may be flicked once more."""
    knight = state.now.knight
    may = knight is not None and not is_away(state.bricks[knight]) and knight in flickable(state, state.now.mover)
    return knight if may else None


# What may still be done at the end of a turn


def hiders(state: State, seat: int) -> list[str]:
    """KB-31, KB-32: the Ninjas that may hide."""
    turn = state.now
    if turn.hid:
        return []
    ninjas = of_kind(state, bricks.NINJA, seat)
    return [
        name
        for name in ninjas
        if name != turn.revealed and is_away(state.bricks[name]) and mood_up(state.bricks[name]) == HAPPY
    ]


def strikers(state: State, seat: int) -> list[str]:
    """KB-34, KB-35: the Assassins that may strike, after a foul of their owner's too."""
    if not targets(state, seat):
        return []
    return [
        name
        for name in of_kind(state, ASSASSIN, seat)
        if name not in state.now.struck and is_in_enemy_castle(state.bricks[name])
    ]


def settable_freezes(state: State, seat: int) -> list[str]:
    """KB-41: the Freezes that may be set now, if there is a brick that they can freeze (KB-43)."""
    if state.now.froze or not freezable(state, seat):
        return []
    return of_kind(state, FREEZE, seat, HAND)


def freezable(state: State, seat: int) -> list[str]:
    """KB-43: the bricks that a Freeze of that seat may be set on."""
    return [name for name in army(state, other(seat)) if state.bricks[name].kind not in (KING, FREEZE)]


def targets(state: State, seat: int) -> list[str]:
    """Return the bricks that an Assassin of that seat may strike (KB-34, KB-36)."""
    return [name for name in army(state, other(seat)) if state.bricks[name].kind != KING]
