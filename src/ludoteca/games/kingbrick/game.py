"""KingBrick for people: options, entries and results. The rules are in rules.py, the physics in physics.py."""

from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Any, cast

from ludoteca.core.chance import Draw, Scripted
from ludoteca.core.errors import IllegalMove
from ludoteca.core.game import Choice, Described, Game, Option, OptionValue, Step, start_option
from ludoteca.core.record import Entry, Result
from ludoteca.core.words import Message, message
from ludoteca.games.kingbrick import hand, measuring, narration, rules, setup, showing
from ludoteca.games.kingbrick import sampling as samples
from ludoteca.games.kingbrick import view as views
from ludoteca.games.kingbrick.bricks import FACES
from ludoteca.games.kingbrick.notation import Hand, Roll, Start, read, written
from ludoteca.games.kingbrick.reasons import FELLS, GUARDS
from ludoteca.games.kingbrick.refusals import Refusal
from ludoteca.games.kingbrick.state import Shot, State, other
from ludoteca.games.kingbrick.state import Step as Made


class KingBrick(Game):
    key = "kingbrick"
    name = "KingBrick"
    rules_version = 2
    statistics = ("flicks", "falls", "own_falls", "captures", "strikes", "fouls")
    can_draw = True
    measures = True
    options = (
        Option("players", 2, choices=(2,)),
        Option("extra", False, choices=(False, True)),
        Option("hand", hand.NATURAL, choices=(hand.NATURAL, hand.STEADY)),
        start_option(seats=2),
    )

    def agreed_again(self, agreed: Mapping[str, OptionValue], state: State, result: Result) -> dict[str, OptionValue]:
        """KB-11: the loser begins a rematch, for which the two change places; after a draw lots decide."""
        again = super().agreed_again(agreed, state, result)
        again["start"] = result.winners[0] if len(result.winners) == 1 else "lot"
        return again

    def start(self, agreed: Mapping[str, OptionValue]) -> State:
        starter = 0 if agreed["start"] == "lot" else cast(int, agreed["start"])
        return State(extra=bool(agreed["extra"]), starter=starter, hand=str(agreed["hand"]))

    def starter(self, agreed: Mapping[str, OptionValue], log: Sequence[Entry]) -> int | None:
        """KB-11: agreed, or drawn before the set-up, in which both act."""
        if agreed["start"] != "lot":
            return cast(int, agreed["start"])
        drawn = (read(entry.move) for entry in log[:1])
        return next((made.seat for made in drawn if isinstance(made, Start)), None)

    def to_move(self, state: State) -> tuple[int, ...]:
        return rules.to_move(state)

    def chance(self, state: State, draw: Draw) -> str | None:
        if state.is_over:
            return None
        if not state.starter:
            return written(Start(1 + draw((1, 1))))
        if isinstance(state.moving, Shot) and state.moving.made is None:
            return written(Hand(*hand.trembled(state.moving.aimed, draw)[1:5]))  # KB-52
        if state.moving is not None:
            return written(measuring.measure(state))
        if state.rolls and not state.placements:
            return written(Roll(state.rolls[0].brick, 1 + draw((1,) * FACES)))  # KB-21
        return None

    def choices(self, state: State, drawn: Scripted) -> tuple[tuple[Choice, ...], ...]:
        """Errors of the hand that round to the same entry are one choice (KB-52)."""
        return tuple(hand.merged(draw) for draw in super().choices(state, drawn))

    def play(self, state: State, by: int, move: str) -> Step:
        made = read(move)
        if by and by not in rules.to_move(state):
            raise IllegalMove(move, _not_your_turn(state))
        try:
            after = rules.play_seat(state, by, made) if by else rules.play_table(state, made)
        except Refusal as refused:
            raise IllegalMove(move, refused.reason) from None
        state.remember(Made(move, made, after))
        return Step(after)

    def admit(self, state: State, by: int, move: str) -> None:
        try:
            measuring.admit(state, by, read(move))
        except Refusal as refused:
            raise IllegalMove(move, refused.reason) from None

    def admit_together(self, state: State, by: int, move: str) -> None:
        """A set-up is one append: half of it would tell the other seat that somebody has begun (KB-10)."""
        if not state.set_ups[by - 1].ready:
            raise IllegalMove(move, message("kingbrick.set_up_at_once"))

    def is_measured(self, move: str) -> bool:
        return move.startswith("rest ")

    def acts_out(self, state: State, entry: Entry) -> int:
        return showing.acts_out(state, entry.move)

    def is_simultaneous(self, state: State) -> bool:
        return state.turn is None

    def has_secrets(self, state: State) -> bool:
        return state.turn is None  # KB-10

    def untold(self, state: State, seat: int | None) -> int:
        return setup.untold(state, seat)

    def concealed(self, state: State, seat: int, rng: Any) -> State:
        return setup.concealed(state, seat)

    def sample_moves(self, state: State, seat: int, rng: Random, count: int) -> list[str]:
        return samples.sampled(state, seat, rng, count)

    def outcome(self, state: State, out: frozenset[int]) -> Result | None:
        if not state.is_over:
            return None
        if not state.loser:
            return Result((), (0, 0), "limit")  # KB-50
        winners = (other(state.loser),)
        return Result(winners, self.scores(state, winners), "complete")

    def scores(self, state: State, winners: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(int(seat in winners) for seat in (1, 2))

    def side(self, state: State, seat: int) -> int:
        return seat - 1

    def view(self, state: State, seat: int | None) -> dict[str, Any]:
        return views.view(state, seat)

    def legal(self, state: State, seat: int) -> dict[str, Any]:
        return views.legal(state, seat)

    def hint_steps(self, described: Described, move: str) -> tuple[Message, ...]:
        verb = move.split()[0]
        brick = described.message.params.get("brick")
        kinds = ("flick", "place", "freeze", "strike", "heal", "hide")
        why = described.marks.get("why")
        kind = why if why in (FELLS, GUARDS) else verb
        steps = [message(f"kingbrick.hint.{kind}")] if verb in kinds else []
        return (*steps, message("kingbrick.hint.where", brick=brick)) if isinstance(brick, Message) else tuple(steps)

    def describe_hint(self, known: State, seat: int, move: str) -> Described:
        told = super().describe_hint(known, seat, move)
        return narration.suggested(told, known, seat, read(move.partition("\n")[0]))

    def counted(self, state: State, entry: Entry, described: Described) -> Iterable[tuple[int, str]]:
        if entry.by and "target" in described.marks:
            yield entry.by, "strikes"  # KB-34
        if state.turn is None or state.moving is None or not self.is_measured(entry.move):
            return
        mover = state.now.mover
        if isinstance(state.moving, Shot):
            yield mover, "flicks"
        for name in (name for step in described.marks["fell"] for name in step):
            yield mover, "own_falls" if state.bricks[name].side == mover else "falls"
        yield from ((mover, "captures") for name in described.marks["captured"] if state.bricks[name].side != mover)
        if described.marks["infraction"]:
            yield mover, "fouls"

    def describe(self, state: State, entry: Entry) -> Described:
        move, _, _ = entry.move.partition("\n")  # a hint may be a whole set-up: its army tells enough
        made = state.recall(move)
        return narration.described(state, entry.by, made.move if made else read(move), made.after if made else None)


def _not_your_turn(state: State) -> Message:
    seats = rules.to_move(state)
    return message("core.not_your_turn", seat=seats[0]) if seats else message("core.table_draws")


GAME = KingBrick()
