"""How long the bots think: processor seconds per turn, for every level of every game, over whole matches of two."""

import time
from statistics import median

from ludoteca.core import registry
from ludoteca.core.chance import Seal
from ludoteca.core.game import Game
from ludoteca.core.match import Match
from ludoteca.core.record import Seat
from ludoteca.search import bots

TURNS = 20  # that are measured at least, in whole matches
WANTED = 1  # seconds per turn, at most, in the middle
LONGER = 5  # for the level that takes its time, and where every flick that is thought of is simulated
LONGER_LEVEL = "master"


def wanted(game: Game, level: str) -> int:
    """Return the seconds that half of a level's turns may take on one core."""
    return LONGER if level == LONGER_LEVEL or game.measures else WANTED


def seconds_a_turn(game: Game, level: str) -> list[float]:
    """Return the seconds of every turn of one match, or of more if they are short."""
    turns: list[float] = []
    number = 0
    while len(turns) < TURNS:
        number += 1
        turns += _of_match(game, level, number)
    return turns


def _of_match(game: Game, level: str, number: int) -> list[float]:
    """Return the seconds of every turn of one match. A turn is all moves that a seat makes in a row."""
    seats = [Seat(level.capitalize(), level)] * 2
    match = Match(game, game.agree({"players": 2}), seats, Seal.derived(f"pace-{number}", 2, "pace", number))
    match.begin()
    turns: list[float] = []
    last = 0
    while match.result is None:
        seat = match.to_move[0]
        began = time.process_time()
        move = bots.choose(game, level, match.state, seat, ("pace", number, len(match.log)))
        spent = time.process_time() - began
        if seat == last:
            turns[-1] += spent
        else:
            turns.append(spent)
        last = seat
        match.play(move, seat)
    return turns


def measure() -> list[str]:
    lines = []
    for key in registry.game_keys():
        game = registry.game(key)
        bots.warm(game)
        for level in bots.names(game)[1:]:
            turns = seconds_a_turn(game, level)
            lines.append(
                f"{game.name}, {level}: {median(turns):.3f} s a turn in the middle (wanted: at most "
                f"{wanted(game, level)} s), {max(turns):.3f} s at most"
            )
    return lines


if __name__ == "__main__":
    print(*measure(), sep="\n")
