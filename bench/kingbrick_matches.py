"""KingBrick as a game: how long matches are, who wins them, what decides them, and how hard it is right to flick.

python bench/kingbrick_matches.py [matches a level] [--levels casual,club] [--kept FILE] [--seed WORD]

A level plays against itself. bench/strength.py plays two levels against each other.

With --kept every match is appended to the file when it is over, and the next run goes on after the last one. A file
that other rules, other bots or another seed have written is refused. Another seed gives other matches.
"""

import argparse
import hashlib
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from statistics import median, quantiles

import msgspec

from ludoteca.core.match import Match
from ludoteca.core.record import Record
from ludoteca.games.kingbrick import aiming
from ludoteca.games.kingbrick.aftermath import infraction
from ludoteca.games.kingbrick.formations import FORMATIONS, spots
from ludoteca.games.kingbrick.geometry import SPEED
from ludoteca.games.kingbrick.guide import LEVELS
from ludoteca.games.kingbrick.notation import read
from ludoteca.games.kingbrick.physics import Rest
from ludoteca.games.kingbrick.state import OUT, SetUp, Shot, State, flickable
from ludoteca.games.kingbrick.thinking import Thought
from ludoteca.lab.plan import planned, play_one

MATCHES = 200
TURNS = {"casual": (12, 24), "club": (16, 30)}  # the median that is wanted
SHORT = 3  # turns: at most 3 % of the matches may be decided within them
EVERY, TRIES = 16, 10  # every so many flicks, so many are tried at either power
REPEATS, JUDGED = 3, 10  # times that each of them is made, and that the best of either power is made again
HALF, FULL = (0.4, 0.6), (0.9, 1.0)  # of the fastest flick
SEED = "matches"
SOURCES = Path(aiming.__file__).parent
RULES = (
    "aftermath aiming bricks closing defending fitted flicking formations geometry guide hand hits judging levels "
    "noisy_search physics prospects racing rules thinking world"
)


class Played(msgspec.Struct, frozen=True):
    """What is counted of one match. Seat 1 is red."""

    level: str
    number: int
    turns: int
    starter_won: float
    fouls: int
    flicks: int
    lost: tuple[int, int]  # bricks, by seat
    formations: tuple[str, str]  # by seat
    loser: int  # a seat; 0 after a draw
    last: str  # whose flick ended it: "theirs", "own" or "foul" as the loser sees it
    power: float  # of the last flick, as a share of the fastest
    half_was_better: list[float]  # for each position that was tried: 1, 0.5 if both were worth the same, or 0
    aimed: list[float] = []  # the power of every flick as it was aimed, as a share of the fastest


def judged(record: Record, level: str, number: int) -> Played:
    """Return what is counted of a match, which is replayed."""
    match = Match(Match.load(record).game, record.options, record.seats)
    position, halves, aimed, fouls, flicks = match.position, [], list[float](), 0, 0
    last, power, mover = "", 0.0, 0
    for entry in record.log:
        state: State = position.state
        if entry.move.startswith("flick "):
            flicks, mover = flicks + 1, entry.by
            if flicks % EVERY == 0:
                halves.append(half_was_better(state, entry.by, Random(f"{number}-{flicks}")))
        if isinstance(state.moving, Shot) and entry.move.startswith("rest "):
            rest = read(entry.move)
            assert isinstance(rest, Rest)
            is_foul = infraction(state.moving.aimed, rest) is not None
            fouls, power = fouls + is_foul, state.moving.aimed.speed / SPEED[1]
            aimed.append(round(power, 2))
            last = "foul" if is_foul else "flick"
        position, _ = match.advanced(position, entry)
    end: State = position.state
    won = 0.5 if not end.loser else float(end.starter != end.loser)
    bricks = end.bricks.values()
    lost = (
        sum(one.where == OUT and one.side == 1 for one in bricks),
        sum(one.where == OUT and one.side == 2 for one in bricks),
    )
    kind = last if last == "foul" else "own" if mover == end.loser else "theirs"
    formations = (formation_of(end.set_ups[0], 1), formation_of(end.set_ups[1], 2))
    return Played(
        level=level,
        number=number,
        turns=end.now.number,
        starter_won=won,
        fouls=fouls,
        flicks=flicks,
        lost=lost,
        formations=formations,
        loser=end.loser,
        last=kind,
        power=round(power, 2),
        half_was_better=halves,
        aimed=aimed,
    )


def formation_of(set_up: SetUp, seat: int) -> str:
    """Return the key of the ready-made formation that somebody has built."""
    built = [(stand.x, stand.y) for stand in set_up.stands]
    for key in FORMATIONS:
        if built == [(x, y) for x, y, _ in spots(key, seat)][: len(built)]:
            return key
    return "own"


def half_was_better(state: State, seat: int, rng: Random) -> float:
    """Return whether the best flick at half power is expected to be worth more than the best one at full power.

    The best of each power is made anew before the two are compared: the one that was luckiest would seem the best.
    """
    level = msgspec.structs.replace(LEVELS["club"], shake=0.0, force=0.0, repeats=REPEATS, replies=0)
    search, judge = (Thought(state, seat, msgspec.structs.replace(level, repeats=n), rng) for n in (REPEATS, JUDGED))
    found = aiming.flicks(state, seat, flickable(state, seat), TRIES, rng)
    best = []
    for least, most in (HALF, FULL):
        tried = [flick._replace(speed=round(SPEED[1] * rng.uniform(least, most), 2)) for flick in found]
        best.append(judge.expected(max(tried, key=search.expected)) if tried else 0.0)
    return 0.5 if best[0] == best[1] else float(best[0] > best[1])


def fingerprint(seed: str) -> str:
    """Return a hash of the sources that decide how a match goes, and the seed if it is not the usual one."""
    sources = b"".join((SOURCES / f"{name}.py").read_bytes() for name in RULES.split())
    return hashlib.sha256(sources).hexdigest() + ("" if seed == SEED else f" {seed}")


class Kept:
    """The matches that were played already: in a file, or in memory alone."""

    def __init__(self, path: Path | None, seed: str) -> None:
        self._path, self._seed, self._played = path, seed, dict[tuple[str, int], Played]()
        if path and path.exists():
            first, *lines = path.read_bytes().splitlines()
            if first.decode() != fingerprint(seed):
                sys.exit(f"{path}: written by other rules, other bots or another seed; remove it or name another file")
            for played in msgspec.json.Decoder(list[Played]).decode(b"[" + b",".join(lines) + b"]"):
                self._played[played.level, played.number] = played
        elif path:
            path.write_text(fingerprint(seed) + "\n")

    def match(self, level: str, number: int) -> Played:
        """Return a match from the file, or play it."""
        if (level, number) not in self._played:
            played = self._played[level, number] = play(level, number, self._seed)
            if self._path:
                with self._path.open("ab") as file:
                    file.write(msgspec.json.encode(played) + b"\n")
        return self._played[level, number]


def play(level: str, number: int, seed: str) -> Played:
    """Play a match of a level against itself."""
    return judged(play_one(planned("kingbrick", {}, [level], MATCHES, seed), number), level, number)


def measure(level: str, games: int, kept: Kept) -> Iterator[str]:
    all_ = [kept.match(level, number) for number in range(1, games + 1)]
    turns = sorted(one.turns for one in all_)
    low, _, high = quantiles(turns, n=4)
    flicks = sum(one.flicks for one in all_)
    halves = [right for one in all_ for right in one.half_was_better]
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
    yield (
        f"  half power is better than full power: {sum(halves) / len(halves):.1%} of {len(halves)} positions, a tie "
        "counts half (wanted: about 50 %)"
    )
    aimed = [power for one in all_ for power in one.aimed]
    if aimed:
        soft, hard = (sum(power < 1 / 3 for power in aimed), sum(power >= 2 / 3 for power in aimed))
        yield (
            f"  aimed by the bots: {soft / len(aimed):.0%} soft, {1 - (soft + hard) / len(aimed):.0%} medium, "
            f"{hard / len(aimed):.0%} hard, of {len(aimed)} flicks"
        )
    yield from what_decides(all_)


def what_decides(all_: list[Played]) -> Iterator[str]:
    last = Counter(one.last if one.loser else "draw" for one in all_)
    yield f"  the loser's King fell by: {', '.join(f'{why} {times}' for why, times in last.most_common())}"
    powers = [one.power for one in all_ if one.loser]
    yield f"  power of the last flick: {median(powers):.0%} in the middle"
    winners = [one.lost[2 - one.loser] for one in all_ if one.loser]
    losers = [one.lost[one.loser - 1] - 1 for one in all_ if one.loser]
    yield f"  bricks lost, without the King: {median(losers):g} by the loser, {median(winners):g} by the winner"
    shares = []
    for key in FORMATIONS:
        stood = [(one, seat) for one in all_ for seat in (1, 2) if one.formations[seat - 1] == key]
        if stood:
            won = sum(0.5 if not one.loser else one.loser != seat for one, seat in stood) / len(stood)
            shares.append(f"{key} {won:.0%} of {len(stood)}")
    yield f"  won by formation: {', '.join(shares)}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("matches", type=int, nargs="?", default=MATCHES, help="matches a level")
    parser.add_argument("--levels", default=",".join(TURNS), help="levels that play against themselves")
    parser.add_argument("--kept", type=Path, help="a file of matches to go on with")
    parser.add_argument("--seed", default=SEED, help="another word for other matches")
    asked = parser.parse_args()
    kept = Kept(asked.kept, asked.seed)
    for level in asked.levels.split(","):
        for line in measure(level, asked.matches, kept):
            print(line, flush=True)


if __name__ == "__main__":
    main()
