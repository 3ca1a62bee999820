"""Files of records, one a line: whatever interrupts the writing, the file holds whole lines only."""

import os
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType

from ludoteca.lab.batch import Batch


class LineFile:
    def __init__(self, path: Path) -> None:
        self._path, self._file, self._whole = path, path.open("wb"), 0

    def __enter__(self) -> "LineFile":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()
        if self._path.is_file():
            os.truncate(self._path, self._whole)

    def write(self, line: bytes) -> None:
        self._file.write(line + b"\n")
        self._whole += len(line) + 1


def written(batches: Iterable[Batch], path: Path) -> Iterable[Batch]:
    """Write the records of batches to a file, and hand the batches on."""
    with LineFile(path) as file:
        for batch in batches:
            for record in batch.records or ():
                file.write(record)
            yield batch
