"""Bots at the table: they move on their turn, think in processes of their own, and forget after a takeback."""

import os
import signal
import sqlite3
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from guests_at_tables import Person, Server
from test_table import sat_down

Comes = Callable[[], Person]


def mine(me: Person) -> bool:
    return me.said["to_move"] == [1] and me.said["thinking"] is None


def test_a_bot_answers(person: Comes) -> None:
    ada = sat_down(person, "me", "novice", start=1)
    seat = ada.said["seats"][1]
    assert (seat["bot"], seat["taken"], seat["here"], seat["mine"]) == ("novice", True, True, False)
    for _ in range(4):
        ada.move()
    assert ada.said["thinking"] in (2, None)
    ada.wait(mine)
    assert [entry["by"] for entry in ada.log[-8:]] == [1] * 4 + [2] * 4
    assert ada.said["seal"]["bytes"][1] is None, "they follow from the seed, and are told with it"


def test_bots_alone(person: Comes) -> None:
    """A table where only bots sit begins by itself, and anybody may watch."""
    ada = person()
    ada.watch(ada.create("random", "random"))
    ada.wait(lambda me: me.said.get("result"))
    assert ada.said["result"]["reason"] == "complete"


def test_a_takeback_against_a_bot(person: Comes) -> None:
    ada = sat_down(person, "me", "novice", start=1)
    for _ in range(4):
        ada.move()
    fourth = ada.n
    ada.wait(mine)
    assert ada.said["takeback"] == {"target": fourth - 1, "free": True}
    ada.done("takeback", seat=1)
    assert ada.said["to_move"] == [1]
    assert len(ada.said["view"]["hand"]) == 1
    ada.move()
    ada.wait(mine)
    assert [entry["by"] for entry in ada.log[-6:]] == [0, 1, 2, 2, 2, 2]


def test_a_takeback_while_the_bot_thinks(person: Comes) -> None:
    """The position it was thinking about is gone: its answer must not be played in the new one."""
    ada = sat_down(person, "me", "expert", start=1)
    for _ in range(4):
        ada.move()
    ada.done("takeback")
    back = ada.n
    assert ada.said["to_move"] == [1]
    ada.move()
    ada.wait(mine)
    assert [entry["by"] for entry in ada.log[back:]] == [1, 2, 2, 2, 2]


def test_nobody_moves_for_a_bot(person: Comes) -> None:
    ada = sat_down(person, "me", "expert", start=2)
    assert ada.refused("move", seat=2, move="Re5", after=ada.n) == "seat/not-yours"


def test_a_level_that_is_no_more(start: Callable[..., Server]) -> None:
    """A match with a bot of an older version continues with another bot."""
    server = start(game="pinpoint")
    ada = Person(server.address)
    ada.watch(ada.create("me", "novice", start=2))
    server.kill()
    with sqlite3.connect(server.data / "ludoteca.sqlite3") as db:
        db.execute("update seats set bot = 'oracle' where seat = 2")
    db.close()
    back = ada.again(start(game="pinpoint").address)
    back.watch(ada.table)
    back.sit(1)
    back.begin()
    back.wait(mine)
    back.close()


def test_a_crowd_of_bots_delays_no_other_guest(start: Callable[..., Server]) -> None:
    """Moves are counted, not seconds. In the order of arrival every pin would wait for a pin of each other table."""
    server, crowd = start(game="pinpoint"), 60
    server.wait_until_warm()
    mallory, ada = Person(server.address), Person(server.address)
    ada.watch(ada.create("me", "novice", start=1))
    for _ in range(crowd):
        mallory.create("expert", "expert")
    ada.sit(1)
    ada.begin()
    meanwhile = []
    with sqlite3.connect(server.data / "ludoteca.sqlite3") as db:

        def moves_of_the_crowd() -> int:
            return int(db.execute("select count(*) from entries where table_id != ?", (ada.table,)).fetchone()[0])

        for _ in range(3):
            for _ in range(4):
                ada.move()
            before = moves_of_the_crowd()
            ada.wait(mine)
            meanwhile.append(moves_of_the_crowd() - before)
    db.close()
    ada.close()
    mallory.close()
    assert min(meanwhile) < crowd, "four pins of a novice"


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_a_worker_that_dies_is_replaced(start: Callable[..., Server]) -> None:
    server = start(game="pinpoint")
    server.wait_until_warm()
    for pid, command, _ in children(server.process.pid):
        if "spawn_main" in command:
            os.kill(pid, signal.SIGKILL)
    ada = Person(server.address)
    ada.watch(ada.create("me", "novice", start=2))
    ada.sit(1)
    ada.begin()
    ada.wait(mine)
    ada.close()


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_workers_are_niced_and_fewer_than_the_cores(server: Server) -> None:
    server.wait_until_warm()
    nices = [nice for _, command, nice in children(server.process.pid) if "spawn_main" in command]
    assert 1 <= len(nices) <= max(1, (os.cpu_count() or 1) - 1)
    own = os.getpriority(os.PRIO_PROCESS, server.process.pid)
    assert all(nice > own for nice in nices)


def children(pid: int) -> list[tuple[int, str, int]]:
    """Return the process id, the command line and the niceness of each child."""
    found = []
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in task.read_text().split():
            command = Path(f"/proc/{child}/cmdline").read_text().replace("\0", " ")
            found.append((int(child), command, os.getpriority(os.PRIO_PROCESS, int(child))))
    return found
