"""Fair turns between guests whose bots want to think, and hanging workers."""

import asyncio
import time

import pytest

from ludoteca.server import workers
from ludoteca.server.fair_queue import Asker, FairQueue
from ludoteca.server.workers import Workers


def order(askers: list[Asker], places: int = 1) -> list[str | None]:
    """Return whose bots think one after another, each for a second, when all ask at once."""
    clock, thought = [0.0], []

    async def run() -> None:
        queue = FairQueue(places, lambda: clock[0])

        async def think(asker: Asker) -> None:
            async with queue.turn(asker):
                thought.append(asker.guest)
                clock[0] += 1
                await asyncio.sleep(0)

        await asyncio.gather(*(think(asker) for asker in askers))

    asyncio.run(run())
    return thought


def test_guests_take_turns() -> None:
    found = order([Asker("mallory")] * 100 + [Asker("ada"), Asker("ben")])
    assert {"ada", "ben"} <= set(found[:4])
    assert len(found) == 102


def test_tables_with_people_come_first() -> None:
    found = order([Asker("mallory", people=False)] * 50 + [Asker("ada")] * 3)
    assert found[1:4] == ["ada"] * 3, "one of the others was thinking already"


def test_many_cookies_without_people_do_not_come_before_people() -> None:
    found = order([Asker(f"mallory {n}", people=False) for n in range(50)] + [Asker("ada")] * 3, places=2)
    assert found[2:5] == ["ada"] * 3


def test_who_gives_up_waiting_leaves_the_place_to_others() -> None:
    async def run() -> None:
        queue = FairQueue(1, time.monotonic)
        done = asyncio.Event()

        async def think(asker: Asker, until: asyncio.Event | None = None) -> None:
            async with queue.turn(asker):
                if until is not None:
                    await until.wait()

        first = asyncio.create_task(think(Asker("ada"), done))
        await asyncio.sleep(0)
        second, third = (asyncio.create_task(think(Asker(name))) for name in ("ben", "cleo"))
        await asyncio.sleep(0)
        second.cancel()
        done.set()
        await asyncio.gather(first, third)
        assert second.cancelled() or second.done()

    asyncio.run(run())


def test_a_worker_that_hangs_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> None:
        thinking = Workers(1)
        try:
            assert await thinking.think(Asker("ada"), abs, -1) == 1
            monkeypatch.setattr(workers, "LONGEST_THOUGHT", 0.5)
            with pytest.raises(TimeoutError):
                await thinking.think(Asker("mallory"), time.sleep, 3600)
            monkeypatch.setattr(workers, "LONGEST_THOUGHT", 120.0)
            assert await thinking.think(Asker("ada"), abs, -2) == 2
        finally:
            thinking.close()

    asyncio.run(run())
