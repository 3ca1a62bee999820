"""What the first flick of KingBrick decides, from a Parquet file of matches.

python first_flick.py FILE.parquet [PICTURE.svg]

Every match is replayed. After each turn the bricks that each army has lost are counted in points (KB-3). A player leads
who has lost fewer points.
"""

import sys
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import pyarrow.parquet as pq

from ludoteca.core.match import Match
from ludoteca.core.record import from_json
from ludoteca.games.kingbrick.bricks import ALL_KINDS
from ludoteca.games.kingbrick.state import OUT, State, other
from ludoteca.lab.rating import interval
from ludoteca.lab.svg import Span, spans

TURNS = (1, 2, 3, 4, 6, 8, 10)  # after which we ask who leads


class Played(NamedTuple):
    share: float  # of the win, of the player who begins
    leads: list[int]  # after every turn: how many points fewer the player who begins has lost than the other
    fouls: int  # of the first flick
    turns: int


def points(state: State, seat: int) -> int:
    return sum(ALL_KINDS[b.kind].cost for b in state.bricks.values() if b.side == seat and b.where != OUT)


def played(line: str) -> Played:
    """Replay a match."""
    record = from_json(line)
    match = Match(Match.load(record).game, record.options, record.seats)
    position, fouls, number, starter = match.position, 0, 1, 0
    leads: list[int] = []
    before = 0
    for entry in record.log:
        position, _ = match.advanced(position, entry)
        state: State = position.state
        if state.turn is None:
            continue
        if not starter:
            starter = state.now.mover
            before = points(state, starter) - points(state, other(starter))
        if state.now.number == 1:
            fouls = state.now.fouls
        if state.now.number > number or state.is_over:
            leads.append(points(state, starter) - points(state, other(starter)) - before)
            number = state.now.number
    assert record.result is not None
    winners = record.result.winners
    return Played(float(starter in winners) if len(winners) == 1 else 0.5, leads, fouls, number)


def row(label: str, matches: list[float]) -> Span | None:
    """Return the mean share of some matches with its 95 % interval."""
    if not matches:
        return None
    mean = sum(matches) / len(matches)
    return Span(f"{label} ({len(matches)} matches)", mean, *interval(mean, len(matches)), fair=0.5)


def main(file: Path, picture: Path | None) -> None:
    lines = pq.read_table(file, columns=["record"])["record"].to_pylist()
    matches = [played(line) for line in lines]
    first = [match.leads[0] for match in matches]
    print(f"{len(matches)} matches, {sum(match.turns for match in matches) / len(matches):.1f} turns each")
    print("lead after the first turn:", dict(sorted(Counter(first).items())))
    print("first flicks with an infraction:", sum(match.fouls > 0 for match in matches))
    rows = [row("all matches", [match.share for match in matches])]
    kinds = {"ahead": lambda lead: lead > 0, "level": lambda lead: lead == 0, "behind": lambda lead: lead < 0}
    for name, is_kind in kinds.items():
        rows.append(
            row(
                f"{name} after the first turn",
                [m.share for m, lead in zip(matches, first, strict=True) if is_kind(lead)],
            )
        )
    print("\nwins of the player who begins")
    _show(rows)
    later = []
    for turn in TURNS:
        known = [m for m in matches if len(m.leads) > turn and m.leads[turn - 1]]
        won = [m.share if m.leads[turn - 1] > 0 else 1 - m.share for m in known]
        later.append(row(f"turn {turn}", won))
    print("\nwins of the player who leads in points after a turn, in matches that go on")
    _show(later)
    if picture is not None:
        found = [each for each in (*rows, *later) if each is not None]
        labelled = [
            each._replace(label=each.label.replace("turn ", "leads after turn ")) for each in found[len(rows) :]
        ]
        drawing = spans("What the first flick decides", "wins", [*found[: len(rows)], *labelled], percent=True)
        picture.write_text(drawing, "utf-8")


def _show(rows: list[Span | None]) -> None:
    for each in rows:
        if each is not None:
            print(f"  {each.label:<48} {each.mean:6.1%}  (95 %: {each.low:.1%} to {each.high:.1%})")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]) if len(sys.argv) > 2 else None)
