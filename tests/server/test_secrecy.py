"""What a seat may not see never leaves the server, proved with Tic-Tac Match.

Every byte is the same when hidden cards are exchanged; people at a real table receive no hidden card.
"""

import json
import time
from collections.abc import Callable, Iterator
from typing import Any, cast

import httpx
import msgspec
import pytest
from guests_at_tables import HANG, Person, Server
from quiet_tables import SteppedTime

from ludoteca.core import registry
from ludoteca.core.chance import Seal
from ludoteca.core.errors import LudotecaError
from ludoteca.core.match import Append, Match
from ludoteca.core.random import generator
from ludoteca.core.record import Entry, from_json
from ludoteca.games.tictacmatch import rules
from ludoteca.games.tictacmatch.game import CARD_NAMES
from ludoteca.search import bots
from ludoteca.server import takebacks
from ludoteca.server.clock import ClockWanted
from ludoteca.server.lobby import Lobby
from ludoteca.server.metrics import Metrics
from ludoteca.server.nodes.contract import Alone
from ludoteca.server.rows import SaidRow, SeatRow, TableRow
from ludoteca.server.services import Services
from ludoteca.server.table import Table
from ludoteca.server.uptime import Uptime

Comes = Callable[[], Person]
GAME = registry.game("tictacmatch")
SEED = b"s" * 32
HIDES = ("deal", "draw")


class Listener:
    """A client that keeps what it is sent."""

    def __init__(self, guest_id: str | None) -> None:
        self.guest_id = guest_id
        self.lag = 0
        self.sent: list[bytes] = []

    def link(self, table: str) -> str:
        return f"http://here/t/{table}"

    def send(self, message: bytes) -> None:
        self.sent.append(message)


def quiet_services() -> Services:
    """Return services for a table that stores nothing and has no bots."""
    time = SteppedTime()
    missing = cast(Any, None)
    return Services(missing, time, Uptime([], time.now()), Lobby(time), missing, missing, Metrics(), Alone())


def guest(seat: int) -> str:
    return f"guest {seat}"


def a_match(options: dict[str, Any], seed: int) -> list[list[Entry]]:
    """Return a whole match of random bots, as the appends that a server stores."""
    agreed = GAME.agree(options)
    match = Match(GAME, agreed, None, Seal.derived("secret", cast(int, agreed["players"]), seed))
    appends = [list(match.begin(t=0))]
    while not match.result:
        seat = match.to_move[0]
        append = match.prepare(
            bots.choose(GAME, "random", match.state, seat, (seed, len(match.log))), seat, t=len(match.log)
        )
        match.commit(append)
        appends.append(list(append.entries))
    return appends


def states_along(options: dict[str, Any], entries: list[Entry]) -> list[Any]:
    return list(states_after(GAME.start(GAME.agree(options)), entries))


def states_after(state: Any, entries: list[Entry]) -> Iterator[Any]:
    for entry in entries:
        state = GAME.play(state, entry.by, entry.move).state
        yield state


def open_part(state: Any, seat: int | None) -> tuple[Any, ...]:
    """TT-21, written apart from the game's own view: return what lies open, and the seat's own hand."""
    fields = ("discards", "top", "under", "n_under", "left", "held", "phase", "seat", "symbol", "dealer")
    hand = None if seat is None else state.hand[seat - 1].tolist()
    return (hand, *(state[field].tolist() for field in fields))


def exchanged(options: dict[str, Any], entries: list[Entry], seat: int | None) -> list[Entry] | None:
    """Return a match that looks the same to that seat, but another seat holds another card. The tickets differ too."""
    states = states_along(options, entries)
    for number in reversed(range(len(entries))):
        verb, *words = entries[number].move.split()
        if verb not in HIDES or words[0] == str(seat):
            continue
        for card in CARD_NAMES:
            move = " ".join((verb, *words[:-1], card))
            tail = [msgspec.structs.replace(entries[number], move=move), *entries[number + 1 :]]
            try:
                along = list(states_after(states[number - 1], tail))
            except LudotecaError:
                continue
            alike = all(open_part(a, seat) == open_part(b, seat) for a, b in zip(states[number:], along, strict=True))
            if alike and along[-1].hand.tobytes() != states[-1].hand.tobytes():
                return [
                    msgspec.structs.replace(entry, picks=((7, 77),)) if entry.move.split()[0] in HIDES else entry
                    for entry in (*entries[:number], *tail)
                ]
    return None


def told_everything(options: dict[str, Any], appends: list[list[Entry]], seat: int | None) -> list[bytes]:
    """Return everything that the server sends about a running match to a guest on that seat, or on none."""
    agreed = GAME.agree(options)
    seats = [
        SeatRow(n, guest=guest(n), name=f"Seat {n}", seal_bytes=b"%016d" % n)
        for n in range(1, cast(int, agreed["players"]) + 1)
    ]
    row = TableRow(
        "table", GAME.key, GAME.rules_version, dict(agreed), SEED, 0, seats, began_at=0, clock=ClockWanted(bank=60)
    )
    said = [SaidRow(1, 1, "Seat 1", "good_luck", None, 1), SaidRow(2, 2, "Seat 2", None, "and to you", 2)]
    table = Table(quiet_services(), row, appends[0], said)
    listener = Listener(guest(seat) if seat else None)
    table.join(listener, 0)
    match = table.match
    for append in appends[1:]:
        table.apply(append)
        listener.sent.append(msgspec.json.encode(match.to_move))
    again = Listener(listener.guest_id)
    for have in range(0, len(match.log) + 1, 7):  # a reconnect gets the missing entries
        table.join(again, have)
    looks = [msgspec.json.encode(table.look(again, entry)) for entry in range(0, len(match.log) + 1, 9)]
    records = [msgspec.json.encode(table.record(who)) for who in (listener.guest_id, None)]
    refused = list(refusals(match, seat))
    visibility = table.running.visibility
    known = visibility.known_after(Append(len(match.log), (), match.position))  # for the list of the guest's tables
    for other in range(1, len(seats) + 1):
        takeback = takebacks.possible(match, [other])
        looks.append(str((known, takeback)).encode())
        if takeback is not None:
            table.apply(match.prepare_event(takeback, t=9999).entries)
    return [*listener.sent, *again.sent, *looks, *refused, *records]


def refusals(match: Match, seat: int | None) -> Iterator[bytes]:
    for move in ("XR a1", "F", "W", "D", "target 1", "takeback 3", "nonsense"):
        try:
            match.prepare(move, by=seat or 0)
        except LudotecaError as error:
            yield str(error).encode()


@pytest.mark.rule("TT-21")
@pytest.mark.parametrize("options", [{"players": 2}, {"players": 4}, {"players": 4, "teams": False}], ids=str)
def test_every_byte_is_the_same_when_hidden_cards_are_exchanged(options: dict[str, Any]) -> None:
    compared = 0
    for seed in range(2):
        whole = a_match(options, seed)
        for length in range(1, len(whole) - 1, max(1, len(whole) // 5)):
            appends = whole[:length]
            entries = [entry for append in appends for entry in append]
            for seat in (None, *range(1, options["players"] + 1)):
                other = exchanged(options, entries, seat)
                if other is None:
                    continue
                rest = iter(other)
                others = [[next(rest) for _ in append] for append in appends]
                assert told_everything(options, others, seat) == told_everything(options, appends, seat)
                compared += 1
    assert compared > 20


def test_the_exchange_is_seen_by_the_one_who_holds_the_card() -> None:
    """The proof above can fail: a seat that may see the difference sees it."""
    options = {"players": 2}
    appends = a_match(options, 0)[:3]
    other = exchanged(options, [entry for append in appends for entry in append], None)
    assert other
    rest = iter(other)
    others = [[next(rest) for _ in append] for append in appends]
    assert any(told_everything(options, others, seat) != told_everything(options, appends, seat) for seat in (1, 2))


@pytest.fixture
def comes(server: Server, person: Comes) -> Comes:
    """Return a function for people who arrive when the game is compiled, which takes long on a cold machine."""
    while "tictacmatch" not in httpx.get(f"{server.address}/api/health", timeout=HANG).json()["warm"]:
        time.sleep(0.5)
    return person


def some_move(legal: dict[str, Any]) -> str:
    if legal["targets"]:
        return f"target {legal['targets'][0]}"
    card, spaces = next(iter(legal["cards"].items()))
    return f"{card} {spaces[-1]}" if spaces else str(card)


def hidden_cards(person: Person, seat: int) -> list[str]:
    """Return what this person was sent about that seat's cards."""
    drawn = [entry["move"] for entry in person.log if entry["move"].startswith((f"deal {seat} ", f"draw {seat} "))]
    return [card for move in drawn for card in move.split()[2:]]


def test_people_at_a_table_never_receive_each_others_hands(comes: Comes) -> None:
    ada, ben, cleo = comes(), comes(), comes()
    table = ada.create("me", "anyone", game="tictacmatch", start=1)
    for one in (ada, ben, cleo):
        one.watch(table)
    ada.sit(1)
    ben.sit(2)
    for one in (ada, ben, cleo):
        one.begin()
    seats = {1: ada, 2: ben}
    for _ in range(12):
        for one in (ada, ben, cleo):
            one.wait(lambda me: me.n >= max(ada.n, ben.n, cleo.n))
        if ada.said["result"]:
            break
        for seat, me, other in ((1, ada, ben), (2, ben, ada)):
            assert me.said["eye"] == seat
            assert other.said["view"]["hands"][seat - 1] is None
            assert cleo.said["view"]["hands"][seat - 1] is None
            assert len(me.said["view"]["hands"][seat - 1]) == 4
            assert set(hidden_cards(other, seat)) == set(hidden_cards(cleo, seat)) == {"?"}
            assert "?" not in hidden_cards(me, seat)
            assert other.said["legal"].keys() <= {str(3 - seat)}
        record = ada.http.get(f"/api/tables/{table}/record").content
        assert [e for e in from_json(record).log if e.move.split()[0] in HIDES and ("?" not in e.move or e.picks)] == []
        mover = seats[ada.said["to_move"][0]]
        mover.move(some_move(mover.said["legal"][str(mover.said["to_move"][0])]))
    for one in (ada, ben, cleo):
        one.wait(lambda me: me.n >= max(ada.n, ben.n, cleo.n))
    if not ada.said["result"]:
        ada.done("move", seat=1, move="resign", after=ada.n)
    record = from_json(ada.http.get(f"/api/tables/{table}/record").content)
    assert not any("?" in entry.move for entry in record.log)
    assert Match.load(record).result == record.result, "and the seal proves every card"


def test_on_one_device_a_hand_is_sent_when_its_player_is_ready(comes: Comes) -> None:
    ada = comes()
    ada.watch(ada.create("me", "me", game="tictacmatch", start=1))
    ada.sit(1, 2)
    ada.begin()
    assert (ada.said["eye"], ada.said["legal"], ada.said["view"]["hands"]) == (None, {}, [None, None])
    assert set(hidden_cards(ada, 1) + hidden_cards(ada, 2)) == {"?"}
    assert {ada.refused("hint", seat=seat) for seat in (1, 2)} == {"hint/refused"}
    ada.done("ready", seat=2)
    assert ada.said["view"]["hands"] == [None, None], "it is not this seat's turn"
    ada.done("ready", seat=1)
    assert (ada.said["eye"], list(ada.said["legal"])) == (1, ["1"])
    assert ada.said["view"]["hands"][0]
    assert ada.said["view"]["hands"][1] is None
    while ada.said["to_move"] == [1]:
        looked = ada.done("look", entry=ada.n)["view"]
        assert looked["hands"][1] is None
        ada.move(some_move(ada.said["legal"]["1"]))
    assert (ada.said["eye"], ada.said["legal"], ada.said["view"]["hands"]) == (None, {}, [None, None])
    assert ada.done("look", entry=ada.n)["view"]["hands"] == [None, None]
    again = ada.again()
    again.watch(ada.table)
    assert again.said["view"]["hands"] == [None, None], "another window has to say so itself"
    again.close()
    ada.done("ready", seat=2)
    assert (ada.said["eye"], ada.said["view"]["hands"][0]) == (2, None)
    assert len(ada.said["view"]["hands"][1]) == 4
    assert comes().refused("ready", seat=2) == "table/unknown"
    ben = comes()
    ben.watch(ada.table)
    assert ben.refused("ready", seat=2) == "seat/not-yours"


def test_nobody_stays_ready_when_the_device_is_passed_on(comes: Comes) -> None:
    ada = comes()
    ada.watch(ada.create("me", "me", "novice", "novice", game="tictacmatch", start=1))
    ada.sit(1, 2)
    ada.begin()
    again = ada.again()
    again.watch(ada.table)
    for window, seat in ((ada, 1), (again, 2)):
        window.done("ready", seat=seat)
        while window.said["to_move"] == [seat]:
            window.move(some_move(window.said["legal"][str(seat)]))
    ada.wait(lambda me: me.n >= again.n)
    assert ada.said["result"] or ada.said["eye"] is None, "seat 2 was on the move since"
    again.close()


@pytest.mark.rule("TT-7")
def test_in_a_rematch_the_deal_passes_left(comes: Comes) -> None:
    """Seat 2 deals. Everybody moves up by one seat, so its left neighbour now sits two seats further."""
    for start, players in ((1, 2), (3, 4)):
        ada = comes()
        ada.watch(ada.create(*["me"] * players, game="tictacmatch", start=start))
        ada.sit(*range(1, players + 1))
        ada.begin()
        dealer = ada.said["view"]["dealer"]
        assert dealer == 2
        ada.done("move", seat=1, move="resign", after=ada.n)
        table = ada.done("rematch")["table"]
        ada.watch(table)
        ada.sit(*range(1, players + 1))
        ada.begin()
        assert ada.said["view"]["dealer"] == (dealer + 1) % players + 1
        assert ada.said["to_move"] == [(dealer + 2) % players + 1]


def test_nothing_hidden_reaches_a_worker() -> None:
    """Workers that think for a seat are given the same state, whatever the other seats hold."""
    whole = a_match({"players": 2}, 1)
    state = states_along({"players": 2}, [entry for append in whole[:6] for entry in append])[-1]
    seat = int(rules.actor(state)) + 1
    other = GAME.concealed(state, seat, generator("another deal"))
    assert other.tobytes() != state.tobytes()
    given = [GAME.concealed(one, seat, generator("seed")).tobytes() for one in (state, other)]
    assert given[0] == given[1]
    assert json.dumps(GAME.view(other, seat)) == json.dumps(GAME.view(state, seat))
