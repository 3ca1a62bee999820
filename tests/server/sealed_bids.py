"""A tiny game with a secret set-up, to test visibility: both players bid in secret, then nod in turn.

A bid is made and confirmed together (`bid 3`, `ready`). The higher bid wins after four nods.
"""

from collections.abc import Mapping
from random import Random
from typing import Any, ClassVar

import msgspec

from ludoteca.core.chance import Draw
from ludoteca.core.errors import IllegalMove, UnknownMove
from ludoteca.core.game import Described, Game, Option, OptionValue, Step
from ludoteca.core.record import Entry, Result
from ludoteca.core.words import message

SEATS = (1, 2)


class State(msgspec.Struct, frozen=True):
    bids: tuple[int, ...] = (0, 0)
    made: tuple[int, ...] = ()  # the seat of each entry of the set-up
    ready: frozenset[int] = frozenset()
    nods: int = 0

    @property
    def open(self) -> bool:
        return len(self.ready) == len(SEATS)


class SealedBids(Game):
    key: ClassVar[str] = "sealedbids"
    name: ClassVar[str] = "Sealed bids"
    rules_version: ClassVar[int] = 1
    options: ClassVar[tuple[Option, ...]] = (Option("players", 2, choices=(2,)),)
    can_draw: ClassVar[bool] = True

    def start(self, agreed: Mapping[str, OptionValue]) -> State:
        return State()

    def to_move(self, state: State) -> tuple[int, ...]:
        if not state.open:
            return tuple(seat for seat in SEATS if seat not in state.ready)
        return () if state.nods == 4 else (SEATS[state.nods % 2],)

    def chance(self, state: State, draw: Draw) -> str | None:
        return None

    def play(self, state: State, by: int, move: str) -> Step:
        verb, _, number = move.partition(" ")
        if by not in self.to_move(state):
            raise IllegalMove(move, message("core.not_your_turn", seat=by))
        if state.open and move == "nod":
            return Step(msgspec.structs.replace(state, nods=state.nods + 1))
        if not state.open and verb == "bid" and number.isdecimal():
            bids = tuple(int(number) if seat == by else bid for seat, bid in zip(SEATS, state.bids, strict=True))
            return Step(msgspec.structs.replace(state, bids=bids, made=(*state.made, by)))
        if not state.open and move == "ready" and state.bids[by - 1]:
            return Step(msgspec.structs.replace(state, ready=state.ready | {by}, made=(*state.made, by)))
        raise UnknownMove(move, message("core.no_draws"))

    def outcome(self, state: State, out: frozenset[int]) -> Result | None:
        if state.nods < 4:
            return None
        winners = tuple(seat for seat in SEATS if state.bids[seat - 1] == max(state.bids) and seat not in out)
        return Result(winners, self.scores(state, winners), "complete")

    def scores(self, state: State, winners: tuple[int, ...]) -> tuple[int, ...]:
        return state.bids

    def side(self, state: State, seat: int) -> int:
        return seat

    def is_simultaneous(self, state: State) -> bool:
        return not state.open

    def has_secrets(self, state: State) -> bool:
        return not state.open

    def untold(self, state: State, seat: int | None) -> int:
        if state.open:
            return 0
        first = next((place for place, by in enumerate(state.made) if by != seat), len(state.made))
        return len(state.made) - first

    def view(self, state: State, seat: int | None) -> dict[str, Any]:
        return {
            "bids": [bid if state.open or own == seat else None for own, bid in zip(SEATS, state.bids, strict=True)]
        }

    def sample_moves(self, state: State, seat: int, rng: Random, count: int) -> list[str]:
        return ["nod" if state.open else f"bid {rng.randint(1, 9)}\nready" for _ in range(count)]

    def legal(self, state: State, seat: int) -> dict[str, Any]:
        return {"nod": True} if state.open else {"bid": [1, 9]}

    def describe(self, state: State, entry: Entry) -> Described:
        return Described(message("core.over"))


GAME = SealedBids()
