"""Ready-made formations and armies, which shield the King.

A formation has 21 spots, from the ground up, the King's first. Bricks fill them by their numbers. Every beginning of
every formation stands, so any army fits.
"""

from typing import NamedTuple

from ludoteca.games.kingbrick.bricks import STANDARD
from ludoteca.games.kingbrick.geometry import BRICK, Spot

GAP = 0.4
PITCH = BRICK + GAP  # between the centres of neighbours

KING: Spot = (0.0, -190.0, 0.0)  # in the middle of the castle


def _row(count: int, y: float, pitch: float) -> list[Spot]:
    """From the middle outwards, so that a smaller army stands in the middle."""
    places = [(i - (count - 1) / 2) * pitch for i in range(count)]
    return [(round(x, 1), y, 0.0) for x in sorted(places, key=lambda x: (abs(x), x))]


def _shielded(spots: list[Spot]) -> list[Spot]:
    """The spots with a shield among them: three bricks before the King and two beside it.

    Four go ahead of it, for an army begins with its best.
    """
    x, y, _ = KING
    before = _row(3, round(y + 1.05 * PITCH, 1), PITCH)
    beside = [(round(x + side * 1.5 * PITCH, 1), y, 0.0) for side in (-1, 1)]
    return [*spots[:4], *before, *beside, *spots[4:]]


def _line() -> list[Spot]:
    """Two open rows before the castle, with room for a finger between them."""
    return _shielded([*_row(9, -65.0, 30.0), *_row(6, -118.0, 30.0)])


def _wall() -> list[Spot]:
    """Laid in courses, each brick on two."""
    return [spot for count in (7, 6, 5, 2) for spot in _row(count, -125.0, PITCH)]


def _fortress() -> list[Spot]:
    """A ring about the King, with room for a finger behind most of its bricks, with towers at its corners."""
    _, y, _ = KING
    reach = 2 * PITCH
    sides = [(x, y + step * PITCH, 0.0) for step in (1, 0, -1) for x in (-reach, reach)]
    corners = [(x, y + end, 0.0) for end in (reach, -reach) for x in (-reach, reach)]
    ring = [*_row(5, y + reach, PITCH), *sides, *_row(5, y - reach, PITCH)]
    return [(round(x, 1), round(y, 1), yaw) for x, y, yaw in [*ring, *corners]]


def _towers() -> list[Spot]:
    """Five before the castle, built up together."""
    feet = [(0.0, -115.0), (-55.0, -95.0), (55.0, -95.0), (-110.0, -125.0), (110.0, -125.0)]
    return _shielded([(x, y, 0.0) for _ in range(3) for x, y in feet])


def _scatter() -> list[Spot]:
    """All over the territory: nothing falls over anything."""
    spots = [
        (-38.0, -62.0, 20.0),
        (41.0, -55.0, 65.0),
        (4.0, -96.0, 45.0),
        (-92.0, -88.0, 10.0),
        (88.0, -92.0, 35.0),
        (-55.0, -128.0, 75.0),
        (57.0, -131.0, 5.0),
        (-120.0, -40.0, 50.0),
        (118.0, -36.0, 25.0),
        (-3.0, -30.0, 80.0),
        (-150.0, -115.0, 40.0),
        (152.0, -120.0, 70.0),
        (-84.0, -176.0, 15.0),
        (86.0, -181.0, 55.0),
        (-128.0, -205.0, 85.0),
    ]
    return _shielded(spots)


def _bunker() -> list[Spot]:
    """The King in a solid block that a hit goes through and past, and a row of soldiers before it."""
    x, y, _ = KING
    close = BRICK + 0.2
    block = [(x + column * close, y + row * close, 0.0) for row in (1, 0, -1) for column in (0, -1, 1) if row or column]
    soldiers = [(15.0 * place, -90.0, 0.0) for step in range(1, 12, 2) for place in (-step, step)]
    return [(round(x, 1), round(y, 1), yaw) for x, y, yaw in [*block, *soldiers]]


FORMATIONS: dict[str, tuple[Spot, ...]] = {
    key: (KING, *spots)
    for key, spots in (
        ("line", _line()),
        ("wall", _wall()),
        ("fortress", _fortress()),
        ("bunker", _bunker()),
        ("towers", _towers()),
        ("scatter", _scatter()),
    )
}


class Company(NamedTuple):
    """A ready-made army, with the formation that suits its plan; the page says the plan in one sentence."""

    key: str
    army: str
    formation: str


COMPANIES = (
    Company("standard", STANDARD, "line"),
    Company("assassins", "K 12G 2N 3A", "bunker"),
    Company("winter", "K 2C 11G 6F", "fortress"),
    Company("mercenaries", "K 2C 8G 6M", "line"),
    Company("champions", "K 8C 2G", "scatter"),
)


def spots(key: str, seat: int) -> list[Spot]:
    return on_side(FORMATIONS[key], seat)


def on_side(formation: tuple[Spot, ...], seat: int) -> list[Spot]:
    """A formation on that seat's side: blue's is red's turned by half a circle."""
    turn = 1 if seat == 1 else -1
    return [(turn * x + 0.0, turn * y, yaw) for x, y, yaw in formation]
