"""Secret keys: in the data folder, each in a file that only its owner may read, or in the database."""

import os
import secrets
from pathlib import Path

from ludoteca.server.database.contract import Database

GUESTS, GUESTS_BYTES = "guests.key", 32  # signs the cookies of guests
RECORDS = "records.key"  # signs the records of finished matches
KEYS = (GUESTS, RECORDS)


def secret_key(path: Path, size: int) -> bytes:
    """Return the key in this file. If there is none, draw one.

    A new key is first written to a file of another name, so that two servers that start at the same time agree on one.
    """
    if not path.exists():
        draft = path.with_name(f"{path.name}.{os.getpid()}")
        with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(secrets.token_bytes(size))
            file.flush()
            os.fsync(file.fileno())
        try:
            os.link(draft, path)
        except FileExistsError:
            pass
        finally:
            draft.unlink()
    key = path.read_bytes()
    if len(key) != size:
        raise ValueError(f"{path} is not a key of {size} bytes")
    return key


def drawn_key(db: Database, name: str, size: int) -> bytes:
    """Return the key of this name in the database. If there is none, draw one. All servers agree on the first one."""
    db.execute(
        "insert into keys (name, key) values (?, ?) on conflict (name) do nothing", (name, secrets.token_bytes(size))
    )
    key = bytes(db.execute("select key from keys where name = ?", (name,)).fetchone()[0])
    if len(key) != size:
        raise ValueError(f"the key {name} in the database does not have {size} bytes")
    return key
