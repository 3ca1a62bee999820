"""KingBrick as a game: how long matches are, who wins them, and how hard it is right to flick.

python bench/kingbrick_matches.py [matches of a pair] [levels, as in casual,club]
"""

import os
import sys
from collections.abc import Iterator
from random import Random
from statistics import median, quantiles
from typing import NamedTuple

import msgspec

from ludoteca.core.match import Match
from ludoteca.core.record import Record, from_json
from ludoteca.games.kingbrick import aiming
from ludoteca.games.kingbrick.aftermath import infraction
from ludoteca.games.kingbrick.geometry import SPEED
from ludoteca.games.kingbrick.guide import LEVELS
from ludoteca.games.kingbrick.notation import read
from ludoteca.games.kingbrick.physics import Rest
from ludoteca.games.kingbrick.state import Shot, State, flickable
from ludoteca.games.kingbrick.thinking import Thought
from ludoteca.lab.plan import planned
from ludoteca.lab.simulation import simulated

MATCHES = 200
TURNS = {"casual": (12, 24), "club": (16, 30)}  # the median that is wanted
SHORT = 3  # turns: at most 3 % of the matches may be decided within them
EVERY, TRIES, REPEATS = 6, 10, 4  # positions, flicks tried at either power, times that each is made
HALF, FULL = (0.4, 0.6), (0.9, 1.0)  # of the fastest flick


class Played(NamedTuple):
    turns: int
    starter_won: float
    fouls: int
    flicks: int
    half_was_right: list[bool]


def judged(record: Record) -> Played:
    """One match, replayed."""
    match = Match(Match.load(record).game, record.options, record.seats)
    position, halves, fouls, flicks = match.position, [], 0, 0
    for entry in record.log:
        state: State = position.state
        if entry.move.startswith("flick "):
            flicks += 1
            if flicks % EVERY == 0:
                halves.append(is_half_right(state, entry.by, Random(f"{record.seal}{flicks}")))
        if isinstance(state.moving, Shot) and entry.move.startswith("rest "):
            rest = read(entry.move)
            fouls += isinstance(rest, Rest) and infraction(state.moving.aimed, rest) is not None
        position, _ = match.advanced(position, entry)
    starter = position.state.starter
    won = 0.5 if not record.result or not record.result.winners else float(starter in record.result.winners)
    return Played(position.state.now.number, won, fouls, flicks, halves)


def is_half_right(state: State, seat: int, rng: Random) -> bool:
    """Whether the best flick at half power is expected to be worth as much as the best one at full power."""
    level = msgspec.structs.replace(LEVELS["club"], shake=0.0, force=0.0, repeats=REPEATS, replies=0)
    mind = Thought(state, seat, level, rng)
    found = aiming.flicks(state, seat, flickable(state, seat), TRIES, rng)
    best = []
    for least, most in (HALF, FULL):
        speeds = [round(SPEED[1] * rng.uniform(least, most), 2) for _ in found]
        worths = [mind._repeated(flick._replace(speed=speed)) for flick, speed in zip(found, speeds, strict=True)]
        best.append(max(worths, default=0.0))
    return best[0] >= best[1]


def measure(level: str, games: int) -> Iterator[str]:
    plan = planned("kingbrick", {}, (level,), games, "matches")
    batches = simulated(plan, os.cpu_count() or 1, keep=True)
    all_ = [judged(from_json(line)) for batch in batches for line in batch.records or ()]
    turns = sorted(one.turns for one in all_)
    low, _, high = quantiles(turns, n=4)
    flicks = sum(one.flicks for one in all_)
    halves = [right for one in all_ for right in one.half_was_right]
    least, most = TURNS.get(level, (12, 30))
    yield (
        f"KingBrick, {level} - {level}, {games} matches: {median(turns):g} turns in the middle, half {low:g} to "
        f"{high:g}, {turns[0]} to {turns[-1]} in all (wanted: {least} to {most})"
    )
    yield (
        f"  decided within {SHORT} turns: {sum(n <= SHORT for n in turns) / games:.1%} (wanted: at most 3 %), "
        f"on the first: {sum(n <= 1 for n in turns)} (wanted: none)"
    )
    yield f"  won by the one who begins: {sum(one.starter_won for one in all_) / games:.1%} (wanted: 45 % to 55 %)"
    yield f"  flicks with a foul: {sum(one.fouls for one in all_) / flicks:.1%} of {flicks}"
    if halves:
        yield f"  half power is at least as good as full: {sum(halves) / len(halves):.1%} of {len(halves)} positions"


def main() -> None:
    games = int(sys.argv[1]) if len(sys.argv) > 1 else MATCHES
    for level in sys.argv[2].split(",") if len(sys.argv) > 2 else TURNS:
        for line in measure(level, games):
            print(line, flush=True)


if __name__ == "__main__":
    main()
