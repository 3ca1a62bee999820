"""Tic-Tac Match: what the knowledge of `master` is worth at equal work, and how long the bots think.

`bench/tictacmatch_levels.py 1000 --kept FILE` plays rounds 1 to 1000 of two players against `expert`: `master`, with so
few simulations that it thinks no longer than `expert`. A round is one match in every seating, all with the same draws.
`--table teams` and `--table alone` play with four players; alone, one `master` meets three `expert`. Results are kept
in the file, so a stopped run goes on. `--part 2/3` plays only every third round, for several processes with a file
each. Without rounds it prints the share of all files that are given. `--times` prints the seconds of processor time for
a move at that table.
"""

import argparse
import statistics
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from ludoteca.core.match import Match
from ludoteca.lab.batch import play_batch
from ludoteca.lab.plan import Plan, planned
from ludoteca.lab.rating import interval
from ludoteca.search import bots

KEY, SEED = "tictacmatch", "informed"
EQUAL = "equal"  # master with the processor time of expert
# The simulations of EQUAL for one of expert, by table: --times prints what that costs. More hands take longer to weigh.
EQUAL_WORK = {"two": 3 / 2, "teams": 5 / 4, "alone": 5 / 4}
TABLES: dict[str, dict[str, Any]] = {
    "two": {"players": 2},
    "teams": {"players": 4, "teams": True},
    "alone": {"players": 4, "teams": False},
}
SEATINGS: dict[str, tuple[tuple[int, ...], ...]] = {  # the seats of EQUAL, from 0
    "two": ((0,), (1,)),
    "teams": ((0, 2), (1, 3)),
    "alone": ((0,), (1,), (2,), (3,)),
}
POSITIONS = 30


class Round(msgspec.Struct):
    table: str
    number: int
    winners: tuple[int, ...]  # of each seating, bits by seat


def add_equal(table: str) -> None:
    """Add the bot with the processor time of `expert` and the knowledge of `master`."""
    levels = bots.guide(KEY).LEVELS
    simulations = int(EQUAL_WORK[table] * levels["expert"].simulations)
    levels[EQUAL] = msgspec.structs.replace(levels["master"], simulations=simulations)


def plans(table: str, rounds: int) -> list[Plan]:
    players = TABLES[table]["players"]
    names = [[EQUAL if seat in mine else "expert" for seat in range(players)] for mine in SEATINGS[table]]
    return [planned(KEY, TABLES[table], one, rounds, SEED) for one in names]


def read(paths: Sequence[Path]) -> list[Round]:
    lines = [line for path in paths if path.exists() for line in path.read_bytes().splitlines()]
    return [msgspec.json.decode(line, type=Round) for line in lines]


def play(table: str, numbers: Iterator[int], kept: Path) -> None:
    done = {one.number for one in read([kept]) if one.table == table}
    seatings = plans(table, 1)
    for number in numbers:
        if number not in done:
            batches = [play_batch(plan, False, range(number, number + 1)) for plan in seatings]
            winners = tuple(int(batch.winners[0]) for batch in batches)
            with kept.open("ab") as file:
                file.write(msgspec.json.encode(Round(table, number, winners)) + b"\n")


def shares(rounds: Sequence[Round], table: str) -> tuple[list[float], list[float]]:
    """Return the share of EQUAL's seats in every match, and the mean share of all seats.

    A draw is half. With four players the seats of one side win together, so alone the mean differs from a half.
    """
    players, mine, fair = TABLES[table]["players"], [], []
    for one in rounds:
        for seats, bits in zip(SEATINGS[table], one.winners, strict=True):
            won = [0.5 if bits == 0 else float(bits >> seat & 1) for seat in range(players)]
            mine.append(statistics.mean(won[seat] for seat in seats))
            fair.append(statistics.mean(won))
    return mine, fair


def told(rounds: Sequence[Round]) -> Iterator[str]:
    for table in TABLES:
        mine, fair = shares([one for one in rounds if one.table == table], table)
        if not mine:
            continue
        share, expected, n = statistics.mean(mine), statistics.mean(fair), len(mine)
        low, high = interval(share, n)
        yield f"{table}: {share:.1%} of {n} matches, 95 % between {low:.1%} and {high:.1%}; fair {expected:.1%}"


def times(table: str) -> Iterator[str]:
    """Yield the median of the processor time for a move, over positions of matches between `casual` bots."""
    positions: list[tuple[Any, int]] = []
    while len(positions) < POSITIONS:
        match = Match.new(KEY, TABLES[table])
        while match.result is None:
            seat = match.to_move[0]
            positions.append((match.state, seat))
            match.play(bots.choose(match.game, "casual", match.state, seat, (len(positions),)), seat)
    positions = positions[:POSITIONS]
    for name in ("expert", EQUAL, "master"):
        bots.choose(match.game, name, *positions[0], (0,))  # compile
        spent = []
        for state, seat in positions:
            began = time.process_time()
            bots.choose(match.game, name, state, seat, (1,))
            spent.append(time.process_time() - began)
        median = statistics.median(spent)
        yield f"{name}: {median:.3f} s of processor time a move (median of {len(spent)}), at most {max(spent):.3f} s"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rounds", type=int, nargs="?", default=0)
    parser.add_argument("--kept", type=Path, nargs="+", default=[])
    parser.add_argument("--table", choices=TABLES, default="two")
    parser.add_argument("--part", default="1/1")
    parser.add_argument("--times", action="store_true")
    given = parser.parse_args()
    add_equal(given.table)
    if given.rounds:
        first, parts = map(int, given.part.split("/"))
        play(given.table, iter(range(first, given.rounds + 1, parts)), given.kept[0])
    print(*told(read(given.kept)), *(times(given.table) if given.times else ()), sep="\n")


if __name__ == "__main__":
    main()
