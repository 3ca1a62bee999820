"""Everything is carried to another database, into a backup and back, and every record holds there."""

import stat
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from databases import asked, opened
from guests_at_tables import HANG, Person, Server
from own_postgres import Postgres, own_postgres, program
from quiet_tables import QuietTables, play, table_for, visit_at

from ludoteca.server import ledger
from ludoteca.server.database import schema
from ludoteca.server.database.checking import check_records
from ludoteca.server.database.contract import Database
from ludoteca.server.database.schema import TABLES
from ludoteca.server.keys import KEYS
from ludoteca.server.new_table import SeatWanted, TableWanted

NOW = 1_700_000_000_000


def ludoteca(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "ludoteca.cli", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=HANG, check=False)


def said(*arguments: str) -> str:
    """What a command prints that does what it is asked."""
    done = ludoteca(*arguments)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def refused(*arguments: str) -> str:
    """The one sentence of a command that cannot do what it is asked."""
    done = ludoteca(*arguments)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.count("\n") == 1, done.stderr
    return done.stderr


def everything(address: str) -> dict[str, list[str]]:
    """All rows of all tables, without the node that minds a table: whichever comes first minds it in a copy."""

    def rows(db: Database, table: str) -> list[str]:
        found = db.execute(f"select * from {table}")
        names = [column[0] for column in found.description]
        return sorted(repr([value for name, value in zip(names, row, strict=True) if name != "node"]) for row in found)

    return asked(address, lambda db: {table: rows(db, table) for table in TABLES})


def busy(address: str) -> None:
    """A match that is over, one that goes on, a table that waits, talk, a guest who left."""

    async def what(tables: QuietTables) -> None:
        over, _ = await table_for(tables, ["ada", "ben"], options={"start": 1})
        await play(over)
        await over.say("ben", 2, None, "ciao ♞ %s ?")
        await over.move("ada", 1, "resign", len(over.match.log))
        goes_on, _ = await table_for(tables, ["ada", None], game="matchnlock")
        await play(goes_on, seat=1)
        await tables.create(TableWanted("pinpoint", [SeatWanted("me"), SeatWanted("anyone")]), "cid")
        await tables.storage.write(lambda db: ledger.revoke(db, "cid", 7))
        await tables.note_uptime()

    visit_at(address, what, NOW)


def test_to_postgresql_and_back(tmp_path: Path, postgres: Postgres) -> None:
    here, there, back = str(tmp_path / "here"), postgres.new_database(), str(tmp_path / "back")
    busy(here)
    assert said("move-database", here, there) == "3 tables, 2 matches, {} entries: every record holds\n".format(
        len(everything(here)["entries"])
    )
    said("move-database", there, back)
    assert everything(here) == everything(there) == everything(back)
    assert all(everything(here)[table] for table in ("tables", "seats", "entries", "talk", "service", "revoked"))
    for key in KEYS[:1]:
        assert (tmp_path / "here" / key).read_bytes() == (tmp_path / "back" / key).read_bytes()
        assert stat.S_IMODE((tmp_path / "back" / key).stat().st_mode) == 0o600
    assert "is not empty" in refused("move-database", here, there)


def test_a_backup_while_people_play(start: Callable[..., Server], tmp_path: Path) -> None:
    """It is of one moment, only its owner may read it, and a server goes on with it: guests keep their seats."""
    server, file = start(), tmp_path / "backup"
    ada = Person(server.address)
    ada.watch(ada.create("me", "me", start=1))
    ada.sit(1, 2)
    ada.begin()
    ada.move("Re5")
    assert "every record holds" in said("backup", str(file), "--data", str(server.data))
    ada.move("Yf6")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert sorted(path.name for path in tmp_path.iterdir()) == ["backup", "data"]
    said("restore", str(file), "--data", str(tmp_path / "restored"))
    again = start(data=tmp_path / "restored")
    back = ada.again(again.address)
    back.watch(ada.table)
    assert back.log == ada.log[:-1]
    back.move("Yf6", seat=1)
    assert "exists already" in refused("backup", str(file), "--data", str(server.data))
    back.close()
    ada.close()


def test_a_backup_of_postgresql(tmp_path: Path, postgres: Postgres) -> None:
    here, there, file = postgres.new_database(), postgres.new_database(), str(tmp_path / "backup")
    busy(here)
    said("backup", file, "--database", here)
    said("restore", file, "--database", there)
    assert everything(here) == everything(there)
    keys = [asked(address, lambda db: db.execute("select name, key from keys").fetchall()) for address in (here, there)]
    assert keys[0] == keys[1] != []


def test_pg_dump_and_pg_restore(tmp_path: Path, postgres: Postgres) -> None:
    """As docs/operating.md has it. The secret keys are in the dump, like everything else."""
    here, there, file = postgres.new_database(), postgres.new_database(), str(tmp_path / "dump")
    busy(here)
    subprocess.run([program("pg_dump"), "--format", "custom", "--file", file, here], check=True)
    subprocess.run([program("pg_restore"), "--dbname", there, file], check=True)
    assert "every record holds" in said("backup", str(tmp_path / "check"), "--database", there)
    assert everything(here) == everything(there)


def test_a_copy_of_an_earlier_moment() -> None:
    """Point-in-time recovery, as docs/operating.md has it."""
    with own_postgres(archive=True) as postgres:
        address = postgres.new_database()
        base = postgres.base_backup()
        busy(address)
        then = everything(address)
        ((until,),) = postgres.execute("select now()::text")
        asked(address, lambda db: db.execute("delete from entries"))
        postgres.execute("select pg_switch_wal()")
        postgres.recover(base, str(until))
        end = time.monotonic() + HANG
        while postgres.execute("select pg_is_in_recovery()") != [(False,)]:
            assert time.monotonic() < end
            time.sleep(0.1)
        assert everything(address) == then
        assert asked(address, check_records).wrong == ()


def test_nothing_moves_while_a_server_runs(start: Callable[..., Server], tmp_path: Path) -> None:
    server = start()
    assert "stop it first" in refused("move-database", str(server.data), str(tmp_path / "there"))


def test_a_record_that_does_not_hold(tmp_path: Path) -> None:
    busy(str(tmp_path))
    with opened(str(tmp_path)) as db:
        (table,) = db.execute("select id from tables where ended = 1").fetchone()
        db.execute("update entries set entry = replace(entry, 'resign', 'Ra1') where table_id = ?", (table,))
        checked = check_records(db)
    db.close()
    assert len(checked.wrong) == 1
    assert table in checked.wrong[0]
    assert "1 WRONG" in checked.sentence()
    complaint = refused("backup", str(tmp_path / "copy"), "--data", str(tmp_path))
    assert table in complaint
    assert not (tmp_path / "copy").exists()


def test_bad_addresses_of_a_database(tmp_path: Path, postgres: Postgres) -> None:
    """One sentence, exit code 1, and no password in it."""
    nobody_there = "postgresql://ada:secret@127.0.0.1:1/games"
    complaint = refused("serve", "--port", "0", "--database", nobody_there)
    assert "127.0.0.1:1/games cannot be used" in complaint
    assert "secret" not in complaint
    missing = postgres.address("there_is_none")
    assert 'database "there_is_none" does not exist' in refused("serve", "--port", "0", "--database", missing)
    other = postgres.new_database("encoding 'LATIN1' template template0 lc_collate 'C' lc_ctype 'C'")
    assert "its encoding is LATIN1" in refused("serve", "--port", "0", "--database", other)
    assert "a database is a folder, or postgresql://" in refused("serve", "--port", "0", "--database", "mysql://x/y")
    assert "there is no file" in refused("restore", str(tmp_path / "none"), "--data", str(tmp_path / "data"))
    (tmp_path / "text").write_text("no database")
    assert "not a backup" in refused("restore", str(tmp_path / "text"), "--data", str(tmp_path / "data"))
    assert not (tmp_path / "data").exists()
    assert "there is no ludoteca.sqlite3" in refused("move-database", str(tmp_path / "none"), missing)


def test_a_newer_schema_and_no_rights(postgres: Postgres) -> None:
    address = postgres.new_database()
    asked(address, schema.migrate)
    postgres.execute("drop role if exists stranger")
    postgres.execute("create role stranger login")
    name = address.rpartition("/")[2]
    strange = postgres.address(name, "stranger")
    assert "permission denied" in refused("serve", "--port", "0", "--database", strange)
    asked(address, lambda db: db.execute("grant select on schema_version to stranger"))
    assert "no right to select in tables" in refused("serve", "--port", "0", "--database", strange)
    bare = postgres.address(postgres.new_database().rpartition("/")[2], "stranger")
    assert "permission denied" in refused("serve", "--port", "0", "--database", bare)
    asked(address, lambda db: db.set_schema_version(len(schema.STEPS) + 1))
    assert "newer Ludoteca" in refused("serve", "--port", "0", "--database", address)
