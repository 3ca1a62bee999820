"""A plan of many matches between bots. Each is a pure function of the plan and its number."""

from collections.abc import Mapping, Sequence

import msgspec

from ludoteca.core.chance import Seal
from ludoteca.core.errors import LudotecaError
from ludoteca.core.game import OptionValue
from ludoteca.core.match import Match
from ludoteca.core.random import generator
from ludoteca.core.record import Record, Seat
from ludoteca.lab.games import game_named
from ludoteca.search import bots


class BadPlan(LudotecaError):
    code = "plan/bad"


class Plan(msgspec.Struct, frozen=True):
    game: str
    options: dict[str, OptionValue]
    bots: tuple[str, ...]  # one a seat
    games: int
    seed: str


def planned(game: str, options: Mapping[str, object], names: Sequence[str], games: int, seed: str) -> Plan:
    """Return a checked plan. `names` has one bot for all seats, or one for each."""
    played = game_named(game)
    agreed = played.agree(options)
    players = int(agreed["players"] or 0)
    if len(names) == 1:
        names = list(names) * players
    if len(names) != players:
        raise BadPlan(f"{len(names)} bots for {players} seats: name one for all or one for each")
    for name in names:
        bots.check_name(played, name)
    if games < 1:
        raise BadPlan(f"{games} games: at least one is wanted")
    return Plan(game, agreed, tuple(names), games, seed)


def seats_of(plan: Plan) -> list[Seat]:
    return [Seat(name.capitalize(), name) for name in plan.bots]


def play_one(plan: Plan, number: int) -> Record:
    """Play the match with this number, from 1, to its end. Return its record."""
    game = game_named(plan.game)
    seats = seats_of(plan)
    match = Match(game, plan.options, seats, Seal.derived(f"{plan.seed}-{number}", len(seats), plan.seed, number))
    match.begin()
    thoughts = [generator(plan.seed, number, seat) for seat in range(1, len(seats) + 1)]
    while match.result is None:
        seat = match.to_move[0]
        match.play(bots.choose_with(game, plan.bots[seat - 1], match.state, seat, thoughts[seat - 1]), seat)
    return match.record
