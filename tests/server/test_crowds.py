"""When more bots wait than can think, strong levels think as weaker ones do, and the table says so."""

from pathlib import Path

import pytest
from quiet_tables import FirstMove, QuietTables, play, table_for, visit

from ludoteca.server.thinking import CROWDS, shrunk

LEVELS = ("novice", "casual", "club", "expert")


@pytest.mark.parametrize(
    ("waiting", "expected"),
    [
        (0, LEVELS),
        (CROWDS[0], LEVELS),
        (CROWDS[0] + 1, ("novice", "casual", "casual", "club")),
        (CROWDS[1] + 1, ("novice", "casual", "casual", "casual")),
        (1000, ("novice", "casual", "casual", "casual")),
    ],
)
def test_levels_in_a_crowd(waiting: float, expected: tuple[str, ...]) -> None:
    assert tuple(shrunk(LEVELS, name, waiting) for name in LEVELS) == expected


def test_a_level_that_is_not_offered_stays() -> None:
    assert shrunk(LEVELS, "random", 1000) == "random"
    assert shrunk((), "expert", 1000) == "expert"


class Crowded(FirstMove):
    """So many bots wait that every one of them thinks at the weakest level."""

    def level_now(self, key: str, name: str) -> str:
        return "novice"


def test_the_table_says_so(tmp_path: Path) -> None:
    async def what(tables: QuietTables) -> None:
        tables._services = tables._services._replace(thinking=Crowded())
        table, windows = await table_for(tables, ["ada", None], options={"start": 1})
        for _ in range(4):
            await play(table, seat=1)
        await tables.settle()
        told = [message for message in windows["ada"].sent if message.get("thinking") == 2]
        assert told
        assert all(message["hurried"] is None for message in told), "a novice is a novice"
        strong, windows = await table_for(tables, ["ada", None], options={"start": 1}, level="expert")
        for _ in range(4):
            await play(strong, seat=1)
        await tables.settle()
        told = [message for message in windows["ada"].sent if message.get("thinking") == 2]
        assert told
        assert all(message["hurried"] == "novice" for message in told)
        assert windows["ada"].said["hurried"] is None, "it is a person's turn"
        assert "ludoteca_bots_shortened_total" in tables.metrics.text()

    visit(tmp_path, what)
