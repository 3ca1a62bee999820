"""Ready-made formations: 21 spots each, from the ground up, the King's first. Bricks fill them by their numbers.

Every beginning of every formation stands, so any army fits.
"""

from ludoteca.games.kingbrick.geometry import BRICK, Spot

GAP = 0.4
PITCH = BRICK + GAP  # between the centres of neighbours

KING: Spot = (0.0, -190.0, 0.0)  # in the middle of the castle


def _row(count: int, y: float, pitch: float) -> list[Spot]:
    """From the middle outwards, so that a smaller army stands in the middle."""
    places = [(i - (count - 1) / 2) * pitch for i in range(count)]
    return [(round(x, 1), y, 0.0) for x in sorted(places, key=lambda x: (abs(x), x))]


def _line() -> list[Spot]:
    """Two open rows before the castle, with room for a finger between them."""
    return [*_row(11, -65.0, 30.0), *_row(9, -115.0, 30.0)]


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
    """Five of four bricks, built up together."""
    feet = [(0.0, -115.0), (-55.0, -95.0), (55.0, -95.0), (-110.0, -125.0), (110.0, -125.0)]
    return [(x, y, 0.0) for _ in range(4) for x, y in feet]


def _scatter() -> list[Spot]:
    """All over the territory: nothing falls over anything."""
    return [
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
        (-24.0, -148.0, 30.0),
        (27.0, -152.0, 60.0),
        (-128.0, -205.0, 85.0),
        (131.0, -210.0, 20.0),
        (-36.0, -236.0, 45.0),
        (39.0, -240.0, 10.0),
    ]


FORMATIONS: dict[str, tuple[Spot, ...]] = {
    key: (KING, *spots)
    for key, spots in (
        ("line", _line()),
        ("wall", _wall()),
        ("fortress", _fortress()),
        ("towers", _towers()),
        ("scatter", _scatter()),
    )
}


def spots(key: str, seat: int) -> list[Spot]:
    return on_side(FORMATIONS[key], seat)


def on_side(formation: tuple[Spot, ...], seat: int) -> list[Spot]:
    """A formation on that seat's side: blue's is red's turned by half a circle."""
    turn = 1 if seat == 1 else -1
    return [(turn * x + 0.0, turn * y, yaw) for x, y, yaw in formation]
