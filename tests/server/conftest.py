"""Servers and databases for the tests, and people to visit them."""

import os
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from databases import opened
from guests_at_tables import Person, Server
from own_postgres import VARIABLE, OtherPostgres, Postgres, own_postgres

from ludoteca.server.database.contract import Database


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres | OtherPostgres]:
    """A PostgreSQL server: our own, or the one that LUDOTECA_TEST_DATABASE names."""
    if VARIABLE in os.environ:
        yield OtherPostgres(os.environ[VARIABLE])
        return
    with own_postgres() as server:
        yield server


@pytest.fixture(params=["sqlite", "postgresql"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty storage, once of each kind."""
    if request.param == "sqlite":
        return str(tmp_path)
    new: str = request.getfixturevalue("postgres").new_database()
    return new


@pytest.fixture
def empty(address: str) -> Iterator[Database]:
    """A database without a schema, once of each kind."""
    with closing(opened(address)) as db:
        yield db


@pytest.fixture(scope="session")
def shared_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = Server(tmp_path_factory.mktemp("data"), "--proxy", "127.0.0.1")
    yield server
    server.close()


@pytest.fixture
def server(shared_server: Server) -> Server:
    assert shared_server.process.poll() is None, "the server died in an earlier test"
    return shared_server


@pytest.fixture
def person(server: Server) -> Iterator[Callable[[], Person]]:
    """Return a function that makes a new person at the shared server."""
    people: list[Person] = []

    def comes() -> Person:
        people.append(Person(server.address))
        return people[-1]

    yield comes
    for one in people:
        one.close()


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., Server]]:
    """Return a function that starts a server of the test's own on its own data folder."""
    servers: list[Server] = []

    def started(*more: str, data: Path | None = None, port: int = 0, game: str = "") -> Server:
        servers.append(Server(data or tmp_path / "data", *more, port=port, game=game))
        return servers[-1]

    yield started
    for server in servers:
        server.close()
