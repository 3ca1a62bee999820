"""What came out of an arena: ratings with their intervals, and every pair."""

from collections.abc import Iterable, Iterator, Sequence

import msgspec

from ludoteca.lab.rating import Rating, bradley_terry, interval, openskill
from ludoteca.lab.tournament import Arena, share_of


class Standing(msgspec.Struct):
    """One bot's line in the table of an arena."""

    bot: str
    rating: float
    low: float
    high: float
    matches: int
    won: int
    drawn: int
    lost: int
    share: float


class Meeting(msgspec.Struct):
    """Two sides at one table, from the first one's side."""

    first: str
    second: str
    games: int
    share: float
    low: float
    high: float
    won: int
    drawn: int
    lost: int
    verdict: str | None = None


def standings(arena: Arena) -> list[Standing]:
    """Return the bots, strongest first."""
    ratings = _ratings(arena)
    lines = []
    for name in arena.entry.bots:
        points, matches, won, level = 0.0, 0, 0, 0
        for table in arena.tables:
            for seated, digits in zip(table.seatings, table.winners, strict=True):
                if name in seated and digits:
                    add, wins, draws = share_of(arena, seated, digits, name)
                    points, won, level, matches = points + add, won + wins, level + draws, matches + len(digits)
        share = points / matches if matches else 0.0
        lines.append(Standing(name, *ratings[name], matches, won, level, matches - won - level, share))
    return sorted(lines, key=lambda line: -line.rating)


def _ratings(arena: Arena) -> dict[str, Rating]:
    if len(set(arena.sides)) == 2:
        points: dict[tuple[str, str], float] = {}
        for meeting in meetings(arena):
            points[meeting.first, meeting.second] = meeting.share * meeting.games
            points[meeting.second, meeting.first] = (1 - meeting.share) * meeting.games
        return bradley_terry(arena.entry.bots, points)
    return openskill(arena.entry.bots, _results(arena))


def _results(arena: Arena) -> Iterator[tuple[Sequence[str], list[bool]]]:
    """Return all matches in a fixed order, round by round."""
    for table in arena.tables:
        for number in range(table.rounds):
            for seated, digits in zip(table.seatings, table.winners, strict=True):
                bits = int(digits[number], 16)
                yield seated, [bool(bits >> place & 1) for place in range(len(seated))]


def meetings(arena: Arena) -> list[Meeting]:
    """Return every pair, where there are two sides."""
    found = []
    for table in arena.tables if len(set(arena.sides)) == 2 else ():
        points, won, level, games = 0.0, 0, 0, 0
        for seated, digits in zip(table.seatings, table.winners, strict=True):
            add, wins, draws = share_of(arena, seated, digits, table.bots[0])
            points, won, level, games = points + add, won + wins, level + draws, games + len(digits)
        low, high = interval(points / games, games)
        lost = games - won - level
        found.append(
            Meeting(table.bots[0], table.bots[1], games, points / games, low, high, won, level, lost, table.verdict)
        )
    return found


def lines(arena: Arena) -> Iterable[str]:
    """Return the arena as text."""
    names = [*arena.entry.bots, "bot"]
    width = max(map(len, names))
    yield f"{'bot':<{width}}  rating       95 %          won  drawn   lost  matches"
    for line in standings(arena):
        span = f"{line.low:+.1f} to {line.high:+.1f}"
        record = f"{line.won:>7}{line.drawn:>7}{line.lost:>7}{line.matches:>9}"
        yield f"{line.bot:<{width}}  {line.rating:+6.1f}  {span:<16}{record}"
    for meeting in meetings(arena):
        clear = f"   the test says {meeting.verdict}" if meeting.verdict else ""
        yield (
            f"{meeting.first:>{width}} - {meeting.second:<{width}}  {meeting.share:6.1%} of {meeting.games} matches"
            f"   95 % between {meeting.low:.1%} and {meeting.high:.1%}{clear}"
        )


def as_json(arena: Arena) -> bytes:
    """Return the arena for programs."""
    shown = {
        "entry": arena.entry,
        "version": arena.version,
        "standings": standings(arena),
        "meetings": meetings(arena),
    }
    return msgspec.json.encode(shown)
