"""A PostgreSQL server of its own, for tests and measurements: made, started, stopped, gone with its folder."""

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path

PROGRAMS = "/usr/lib/postgresql"  # where Debian keeps them, by version
VARIABLE = "LUDOTECA_TEST_DATABASE"  # the address of another server, whose user may make databases
SETTINGS = {"listen_addresses": "127.0.0.1", "max_connections": "200", "shared_buffers": "32MB", "timezone": "UTC"}


class NoPostgres(Exception):
    """There is no PostgreSQL on this machine."""


def program(name: str) -> str:
    """Return the path of one of PostgreSQL's programs."""
    newest = sorted(Path(PROGRAMS).glob(f"*/bin/{name}"), key=lambda path: int(path.parts[-3]), reverse=True)
    found = shutil.which(name) or next(map(str, newest), None)
    if found is None:
        raise NoPostgres(f"there is no {name}: install PostgreSQL (Debian: postgresql), or name a server in {VARIABLE}")
    return found


class Postgres:
    """The server refuses to run as root: then it runs as the user `postgres`, or as nobody."""

    def __init__(self, folder: Path, **more: str) -> None:
        """`more` are settings of the server."""
        self._folder, self._data = folder, folder / "data"
        self._user = _other_user() if os.geteuid() == 0 else None
        if self._user is not None:
            shutil.chown(folder, self._user)
        self.port = _free_port()
        self.archive = folder / "archive"
        self.archive.mkdir()
        if self._user is not None:
            shutil.chown(self.archive, self._user)
        self._names = count()
        self._run("initdb", "-A", "trust", "-U", "ludoteca", "-E", "UTF8", "--locale", "C", "-D", str(self._data))
        with (self._data / "postgresql.conf").open("a") as file:
            here = {"port": str(self.port), "unix_socket_directories": str(folder)}
            for name, value in {**SETTINGS, **here, **more}.items():
                file.write(f"{name} = '{value}'\n")
        self.start()

    def _run(self, name: str, *arguments: str) -> None:
        subprocess.run(
            [program(name), *arguments],
            user=self._user,
            cwd=self._folder,
            check=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def start(self) -> None:
        log = str(self._folder / "log")
        self._run("pg_ctl", "start", "--wait", "--timeout", "120", "-D", str(self._data), "-l", log)

    def stop(self, how: str = "immediate") -> None:
        """`fast` lets transactions end by being undone; `immediate` is a crash."""
        self._run("pg_ctl", "stop", "--wait", "--timeout", "120", "-m", how, "-D", str(self._data))

    def base_backup(self) -> Path:
        """Copy everything while the server runs. Return the folder of the copy."""
        copy = self._folder / "base"
        server = ("-h", "127.0.0.1", "-p", str(self.port), "-U", "ludoteca")
        self._run("pg_basebackup", *server, "-D", str(copy), "--checkpoint=fast")  # not spread over minutes
        return copy

    def recover(self, base: Path, until: str) -> None:
        """Stop, and start again with a base backup and the archived log, as everything was at a time."""
        self.stop("fast")
        self._data = base
        with (base / "postgresql.auto.conf").open("a") as file:
            file.write(f"restore_command = 'cp {self.archive}/%f %p'\n")
            file.write(f"recovery_target_time = '{until}'\nrecovery_target_action = 'promote'\n")
        (base / "recovery.signal").touch()
        if self._user is not None:
            shutil.chown(base / "recovery.signal", self._user)
        self.start()

    @property
    def pid(self) -> int:
        return int((self._data / "postmaster.pid").read_text().split()[0])

    def address(self, database: str, user: str = "ludoteca") -> str:
        return f"postgresql://{user}@127.0.0.1:{self.port}/{database}"

    def new_database(self, *more: str) -> str:
        """Return the address of an empty database. `more` is SQL for `create database`."""
        name = f"d{next(self._names)}_{os.getpid()}"
        self.execute(f"create database {name} {' '.join(more)}")
        return self.address(name)

    def execute(self, statement: str, database: str = "postgres") -> Sequence[tuple[object, ...]]:
        return executed(self.address(database), statement)


class OtherPostgres:
    """A server that somebody named."""

    def __init__(self, address: str) -> None:
        self._address, self._names = address, count()

    def new_database(self, *more: str) -> str:
        name = f"ludoteca_{os.getpid()}_{next(self._names)}"
        executed(self._address, f"create database {name} {' '.join(more)}")
        head, _, tail = self._address.partition("?")
        return f"{head.rpartition('/')[0]}/{name}" + (f"?{tail}" if tail else "")


def executed(address: str, statement: str) -> Sequence[tuple[object, ...]]:
    import psycopg

    with psycopg.connect(address, autocommit=True) as connection:
        cursor = connection.execute(statement)
        return cursor.fetchall() if cursor.description else []


@contextmanager
def own_postgres(archive: bool = False) -> Iterator[Postgres]:
    """A server on a free port; stopped and gone afterwards. It can archive its log, into the folder `archive`."""
    folder = Path(tempfile.mkdtemp(prefix="ludoteca-postgres-"))
    try:
        folder.chmod(0o755)
        more = {"archive_mode": "on", "archive_command": f"cp %p {folder}/archive/%f"} if archive else {}
        postgres = Postgres(folder, **more)
        try:
            yield postgres
        finally:
            with suppress(subprocess.CalledProcessError):  # a test has stopped it
                postgres.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _other_user() -> str:
    for name in ("postgres", "nobody"):
        try:
            return pwd.getpwnam(name).pw_name
        except KeyError:
            continue
    raise NoPostgres("PostgreSQL does not run as root, and there is no other user")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
