"""How long the bots think: processor seconds per turn, for every level of every game, over whole matches of two."""

import time

from ludoteca.core import registry
from ludoteca.core.game import Game
from ludoteca.core.match import Match
from ludoteca.search import bots

WANTED = 3  # seconds per turn, at most, for the strongest level
OTHERWISE = {"kingbrick": 5}  # it simulates each flick that it considers


def seconds_a_turn(game: Game, level: str) -> list[float]:
    """Return the seconds of every turn of one match. A turn is all moves that a seat makes in a row."""
    match = Match.new(game.key)
    turns: list[float] = []
    last = 0
    while match.result is None:
        seat = match.to_move[0]
        began = time.process_time()
        move = bots.choose(game, level, match.state, seat, ("pace", len(match.log)))
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
            turns = sorted(seconds_a_turn(game, level))
            middle, most = turns[len(turns) // 2], turns[-1]
            wanted = f" (wanted: at most {OTHERWISE.get(key, WANTED)} s)" if level == "expert" else ""
            lines.append(f"{game.name}, {level}: {middle:.3f} s a turn in the middle, {most:.3f} s at most{wanted}")
    return lines


if __name__ == "__main__":
    print(*measure(), sep="\n")
