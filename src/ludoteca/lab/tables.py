"""Matches as Arrow tables: one row for each match, and in the metadata what they follow from. Needs the extra `lab`."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from ludoteca import __version__
from ludoteca.core.errors import LudotecaError
from ludoteca.core.kernel_game import KernelGame
from ludoteca.lab.batch import Batch
from ludoteca.lab.games import game_named
from ludoteca.lab.plan import Plan, planned

FORMAT = "ludoteca-matches/1"
PREFIX = "ludoteca."


class BadFile(LudotecaError):
    """A file that cannot be read, or holds other matches than those asked for."""

    code = "file/bad"


def schema_of(game: str) -> pa.Schema:
    """Return the columns. A game whose moves have no numbers keeps its records instead, as JSON."""
    has_numbers = isinstance(game_named(game), KernelGame)
    return pa.schema(
        [
            ("number", pa.int64()),
            ("winners", pa.list_(pa.int8())),  # seats from 1
            ("scores", pa.list_(pa.int32())),  # by seat
            ("starter", pa.int8()),
            ("entries", pa.int32()),  # in the record
            ("decisions", pa.int32()),  # of the players
            ("reason", pa.string()),  # why it ended
            ("moves", pa.list_(pa.int32())) if has_numbers else ("record", pa.string()),
        ]
    )


def metadata_of(plan: Plan) -> dict[str, str]:
    """Return what the rows follow from, whatever their number."""
    game = game_named(plan.game)
    facts = {
        "format": FORMAT,
        "game": plan.game,
        "rules": str(game.rules_version),
        "options": json.dumps(plan.options, sort_keys=True),
        "bots": ",".join(plan.bots),
        "seed": plan.seed,
        "version": __version__,
    }
    if plan.game.endswith(".py"):  # the file may change between two calls
        facts["source"] = hashlib.sha256(Path(plan.game).read_bytes()).hexdigest()[:12]
    return {PREFIX + name: value for name, value in facts.items()}


def plan_of(metadata: Mapping[bytes, bytes] | None, games: int, source: object) -> Plan:
    """Return the plan of a table from its metadata; BadFile says what is missing or wrong."""
    facts = {name.decode(): value.decode() for name, value in (metadata or {}).items()}
    if facts.get(PREFIX + "format") != FORMAT:
        raise BadFile(f"{source} holds no matches of ludoteca: its format is {facts.get(PREFIX + 'format')!r}")
    try:
        game, options = facts[PREFIX + "game"], json.loads(facts[PREFIX + "options"])
        bots, seed, rules = facts[PREFIX + "bots"].split(","), facts[PREFIX + "seed"], facts[PREFIX + "rules"]
        plan = planned(game, options, bots, max(games, 1), seed)
    except (KeyError, ValueError, AttributeError) as error:
        raise BadFile(f"{source} does not say whose matches it holds: {error!r}") from None
    if rules != str(game_named(game).rules_version):
        raise BadFile(f"{source} has matches by rules {rules}; this knows {game_named(game).rules_version}")
    return plan


def table_of(plan: Plan, batch: Batch) -> pa.Table:
    """Return a batch as a table; `rows_of` is the way back."""
    seats = len(plan.bots)
    bits = batch.winners[:, None] >> np.arange(seats) & 1
    schema = schema_of(plan.game).with_metadata(metadata_of(plan))
    columns = [
        pa.array(batch.numbers),
        _lists(bits.sum(axis=1), (np.nonzero(bits)[1] + 1).astype(np.int8)),
        _lists(np.full(len(batch), seats), np.ascontiguousarray(batch.scores).reshape(-1)),
        pa.array(batch.starters, pa.int8()),
        pa.array(batch.entries),
        pa.array(batch.decisions),
        pa.array(batch.reasons, pa.string()),
    ]
    if batch.records is not None:
        columns.append(pa.array([record.decode() for record in batch.records], pa.string()))
    elif batch.moves is not None:
        columns.append(_lists(np.diff(batch.ends, prepend=0), batch.moves))
    else:
        schema = pa.schema(list(schema)[:-1], schema.metadata)
    return pa.Table.from_arrays(columns, schema=schema)


def _lists(lengths: Any, values: Any) -> pa.ListArray:
    ends = np.concatenate(([0], np.cumsum(lengths))).astype(np.int32)
    return pa.ListArray.from_arrays(pa.array(ends), pa.array(values))


def batch_from(table: pa.Table) -> Batch:
    """Return the batch of a table, with its moves or records if the table has them."""
    if any(column.null_count for column in table.columns):
        raise BadFile("there are rows with nothing in a column")
    table = table.combine_chunks()
    winners = np.zeros(len(table), np.uint8)
    owners, seats = _spread(table, "winners")
    np.bitwise_or.at(winners, owners, np.left_shift(1, seats - 1).astype(np.uint8))
    lengths = table["scores"].combine_chunks().value_lengths().to_numpy()
    if len(set(lengths.tolist())) > 1:
        raise BadFile("there are rows with scores for different numbers of seats")
    _, scores = _spread(table, "scores")
    moves = ends = None
    if "moves" in table.column_names:
        moves = _spread(table, "moves")[1]
        ends = np.cumsum(table["moves"].combine_chunks().value_lengths().to_numpy()).astype(np.int64)
    return Batch(
        table["number"].to_numpy(),
        winners,
        table["reason"].to_pylist(),
        table["starter"].to_numpy(),
        scores.reshape(len(table), -1),
        table["entries"].to_numpy(),
        table["decisions"].to_numpy(),
        ends,
        moves,
        [text.encode() for text in table["record"].to_pylist()] if "record" in table.column_names else None,
    )


def _spread(table: pa.Table, name: str) -> tuple[Any, Any]:
    """Return, for every value in a column of lists, its row and itself."""
    column = table[name].combine_chunks()
    owners = np.repeat(np.arange(len(column)), column.value_lengths().to_numpy())
    return owners, column.flatten().to_numpy(zero_copy_only=False)


def joined(plan: Plan, batches: Iterable[Batch]) -> pa.Table:
    """Return all batches as one table."""
    tables = [table_of(plan, batch) for batch in batches]
    return pa.concat_tables(tables)
