"""Files of records, one a line: whatever interrupts the writing, the file holds whole lines only."""

import os
from collections.abc import Iterable, Iterator
from errno import ENOENT
from itertools import chain
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
    """Write the records of batches to a file, and hand the batches on.

    The file is opened when the first batch is there: a cluster that cannot be reached leaves an older file as it is.
    """
    check_folder(path)
    return _written(iter(batches), path)


def _written(batches: Iterator[Batch], path: Path) -> Iterator[Batch]:
    first = next(batches)
    with LineFile(path) as file:
        for batch in chain([first], batches):
            for record in batch.records or ():
                file.write(record)
            yield batch


def check_folder(path: Path) -> None:
    """Raise FileNotFoundError if the folder of a file that is to be written is not there."""
    if not path.parent.is_dir():
        raise FileNotFoundError(ENOENT, os.strerror(ENOENT), str(path))
