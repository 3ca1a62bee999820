"""The commands of an operator: to back up, to restore, to move to another database."""

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

from platformdirs import user_data_path

from ludoteca.server.database import moving, opening
from ludoteca.server.database.checking import Checked
from ludoteca.server.database.contract import DatabaseTrouble


def address_of(database: str | None, data: Path | None) -> str:
    """Return the address of the storage: `--database`, `--data`, LUDOTECA_DATABASE, or the user's own folder."""
    return database or (str(data) if data else None) or opening.from_environment() or str(user_data_path("ludoteca"))


def serve_as_asked(given: argparse.Namespace) -> int:
    """Serve with the settings of the command line. Return the exit code."""
    from ludoteca.server import settings
    from ludoteca.server.serving import serve

    try:
        chosen = settings.Settings(
            address_of(given.database, given.data),
            given.host,
            given.port,
            given.open,
            settings.root_path(given.root_path),
            tuple(settings.proxy(address) for address in given.proxy),
            settings.metrics_address(given.metrics) if given.metrics else None,
            given.log or "text",
            given.log_level or ("info" if given.log else "warning"),
        )
    except settings.BadSetting as error:
        print(f"ludoteca: {error}", file=sys.stderr)
        return 2
    return serve(chosen)


def back_up(given: argparse.Namespace) -> int:
    return _run(lambda: moving.back_up(address_of(given.database, given.data), given.file))


def restore(given: argparse.Namespace) -> int:
    return _run(lambda: moving.restore(given.file, address_of(given.database, given.data)))


def move_database(given: argparse.Namespace) -> int:
    return _run(lambda: moving.move_database(given.source, given.target))


def _run(work: Callable[[], Checked]) -> int:
    """Do the work and say what was checked. Return the exit code."""
    try:
        checked = work()
    except DatabaseTrouble as trouble:
        print(f"ludoteca: {trouble}", file=sys.stderr)
        return 1
    print(checked.sentence())
    return 0
