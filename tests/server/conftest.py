"""Servers for the tests, and people to visit them."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from guests_at_tables import Person, Server


@pytest.fixture(scope="session")
def shared_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = Server(tmp_path_factory.mktemp("data"))
    yield server
    server.close()


@pytest.fixture
def server(shared_server: Server) -> Server:
    assert shared_server.process.poll() is None, "the server died in an earlier test"
    return shared_server


@pytest.fixture
def person(server: Server) -> Iterator[Callable[[], Person]]:
    """People who come to the shared server."""
    people: list[Person] = []

    def comes() -> Person:
        people.append(Person(server.address))
        return people[-1]

    yield comes
    for one in people:
        one.close()


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., Server]]:
    """Servers of a test's own, on a data folder of its own."""
    servers: list[Server] = []

    def started(*more: str, data: Path | None = None, port: int = 0) -> Server:
        servers.append(Server(data or tmp_path / "data", *more, port=port))
        return servers[-1]

    yield started
    for server in servers:
        server.close()
