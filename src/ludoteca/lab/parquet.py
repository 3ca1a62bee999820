"""Parquet files of matches, written group by group: whatever interrupts that, what is there can be read.

A Parquet file can be read only once its end is written. So every group goes to a file of its own first, in a folder
beside the one that is wanted (`a.parquet.parts`), which any tool can read; when all is played, or Ctrl-C is pressed,
they are joined in `a.parquet`. After anything worse, the next call finds the parts and goes on from there. The bytes of
the joined file depend on its matches alone.
"""

import shutil
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from ludoteca.lab.batch import Batch
from ludoteca.lab.lines import check_folder
from ludoteca.lab.plan import Plan
from ludoteca.lab.tables import PREFIX, BadFile, batch_from, metadata_of, plan_of, schema_of, table_of

ROWS_A_GROUP = 16384
ROWS_A_PART, SECONDS_A_PART = 65536, 5.0  # whichever comes first


def opened(path: Path) -> pq.ParquetFile:
    """Return a Parquet file; BadFile if it is not a whole one."""
    try:
        return pq.ParquetFile(path)
    except pa.ArrowInvalid as error:
        raise BadFile(f"{path} is not a whole Parquet file: {str(error).splitlines()[0].split('. ')[0]}") from None


def parts_folder(path: Path) -> Path:
    return path.with_name(path.name + ".parts")


def sources(path: Path) -> list[pq.ParquetFile]:
    """Return the files that hold the matches of `path`, in order: itself, and parts that were never joined."""
    paths = [path] if path.exists() else []
    paths += sorted(parts_folder(path).glob("*.parquet"))
    if not paths:
        raise BadFile(f"No such file or directory: '{path}'")
    return [opened(part) for part in paths]


def plan_in(path: Path) -> Plan:
    """Return the plan of the matches that a file holds. `games` is their number."""
    files = sources(path)
    plan = plan_of(files[0].schema_arrow.metadata, sum(file.metadata.num_rows for file in files), path)
    for file in files:
        if not file.schema_arrow.equals(schema_of(plan.game)):
            raise BadFile(f"{path} has other columns than matches of {plan.game} have")
    return plan


def groups(path: Path, columns: list[str] | None = None) -> Iterator[pa.Table]:
    """Return the rows of a file, group by group, in order."""
    for file in sources(path):
        for group in range(file.num_row_groups):
            try:
                yield file.read_row_group(group, columns)
            except (pa.ArrowInvalid, OSError) as error:
                raise BadFile(f"{path} cannot be read: {str(error).splitlines()[0]}") from None


class MatchFile:
    """A file that the matches of one plan are written to, or continued in."""

    def __init__(self, path: Path, plan: Plan) -> None:
        self.path, self.plan, self._parts = path, plan, parts_folder(path)
        self.done = 0
        if path.exists() or any(self._parts.glob("*.parquet")):
            self._check_origin()
        else:
            check_folder(path)

    def _check_origin(self) -> None:
        """Raise BadFile unless the file holds the first matches of this plan."""
        wanted = metadata_of(self.plan)
        for file in sources(self.path):
            plan_of(file.schema_arrow.metadata, 1, self.path)
            found = {name.decode(): value.decode() for name, value in file.schema_arrow.metadata.items()}
            for name, value in wanted.items():
                if found.get(name) != value:
                    what, is_ = name.removeprefix(PREFIX), found.get(name)
                    if what == "source":
                        raise BadFile(f"{self.path} was begun with another {self.plan.game}: name another file")
                    raise BadFile(f"{self.path} was begun with {what} {is_}, not {value}: name another file")
            self.done += file.metadata.num_rows
        first = 1
        for table in groups(self.path, ["number"]):
            numbers = table["number"].to_numpy()
            if numbers[0] != first or numbers[-1] != first + len(numbers) - 1:
                raise BadFile(f"{self.path} lacks match {first}: it cannot be continued")
            first += len(numbers)

    def kept(self, games: int) -> Iterator[Batch]:
        """Return the results that are in the file already, without their moves."""
        names = [name for name in schema_of(self.plan.game).names if name not in ("moves", "record")]
        for table in groups(self.path, names) if self.done else ():
            batch = batch_from(table)
            if batch.numbers[0] <= games:
                yield batch

    def written(self, batches: Iterable[Batch]) -> Iterator[Batch]:
        """Write batches, and hand them on."""
        waiting: list[pa.Table] = []
        rows, began = 0, time.monotonic()
        try:
            for batch in batches:
                waiting.append(table_of(self.plan, batch))
                rows += len(batch)
                yield batch
                if rows >= ROWS_A_PART or time.monotonic() > began + SECONDS_A_PART:
                    self._write_part(waiting)
                    waiting, rows, began = [], 0, time.monotonic()
        finally:
            self._write_part(waiting)
            self._join()

    def _write_part(self, tables: list[pa.Table]) -> None:
        if not tables:
            return
        table = pa.concat_tables(tables)
        self._parts.mkdir(exist_ok=True)
        part = self._parts / f"{self.done + 1:012d}.parquet"
        half = part.with_suffix(".half")
        pq.write_table(table, half, compression="lz4", row_group_size=ROWS_A_GROUP)  # quick: it is read once, soon
        half.replace(part)
        self.done += len(table)

    def _join(self) -> None:
        if not any(self._parts.glob("*.parquet")):
            return
        half = self.path.with_name(self.path.name + ".half")
        schema = schema_of(self.plan.game).with_metadata(metadata_of(self.plan))
        with pq.ParquetWriter(half, schema, compression="zstd") as writer:
            for table in regrouped(groups(self.path), ROWS_A_GROUP):
                # In one piece: where the pages of a group end would otherwise depend on where the parts did.
                writer.write_table(table.combine_chunks(), row_group_size=ROWS_A_GROUP)
        half.replace(self.path)
        shutil.rmtree(self._parts)


def regrouped(tables: Iterable[pa.Table], rows: int) -> Iterator[pa.Table]:
    """Return the same rows in tables of this many rows; the last one may be shorter."""
    waiting: pa.Table | None = None
    for table in tables:
        waiting = table if waiting is None else pa.concat_tables([waiting, table])
        first = 0
        while len(waiting) - first >= rows:
            yield waiting.slice(first, rows)
            first += rows
        waiting = waiting.slice(first)
    if waiting is not None and len(waiting):
        yield waiting
