"""The lab from Python: the commands `simulate`, `arena` and `study`, with the same names, returning Arrow tables.

Polars and pandas read such tables without copies: `polars.from_arrow(table)`, `table.to_pandas()`. This needs the extra
`lab`. `VectorEnv`, many matches stepped at once for programs that learn, needs the extra `rl`.
"""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pyarrow as pa

    from ludoteca.rl.vector import VectorEnv as VectorEnv

Names = str | Sequence[str]  # `club`, `club,expert` or ["club", "expert"]


def __getattr__(name: str) -> Any:
    """Load what comes with another extra on its first use."""
    if name != "VectorEnv":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from ludoteca.lab.extras import need

    need("gymnasium", "rl", "a VectorEnv")
    from ludoteca.rl.vector import VectorEnv

    return VectorEnv


def simulate(
    game: str,
    *,
    games: int = 100,
    bots: Names = "random",
    players: int | None = None,
    options: Mapping[str, object] | None = None,
    seed: str = "0",
    workers: int | None = None,
    cluster: str | None = None,
    out: str | Path | None = None,
) -> "pa.Table":
    """Play matches between bots. Return one row for each match, with its moves. `out` keeps them in a Parquet file."""
    from ludoteca.lab.extras import need

    need("pyarrow", "lab", "an Arrow table")
    from ludoteca.lab import parquet, simulation, tables
    from ludoteca.lab.plan import BadPlan, planned

    plan = planned(game, _with_players(options, players), _names(bots), games, seed)
    if out is None:
        return tables.joined(plan, simulation.simulated(plan, _workers(workers, cluster), keep=True))
    path = Path(out)
    if path.suffix != simulation.PARQUET:
        raise BadPlan(f"{path}: the name of the file must end in {simulation.PARQUET}")
    for _ in simulation.simulated(plan, _workers(workers, cluster), path):
        pass
    return parquet.opened(path).read()


def arena(
    game: str,
    *,
    bots: Names,
    games: int = 100,
    players: int | None = None,
    options: Mapping[str, object] | None = None,
    seed: str = "0",
    workers: int | None = None,
    cluster: str | None = None,
    sprt: tuple[float, float] | None = None,
    out: str | Path | None = None,
) -> "pa.Table":
    """Let bots play each other. Return one row for each bot, strongest first. `out` keeps the results in a file."""
    import msgspec
    import pyarrow as pa

    from ludoteca.lab import standings, tournament

    held = tournament.entered(game, _with_players(options, players), _names(bots), games, seed, sprt)
    if out is not None:
        held = tournament.continued(held, Path(out))
    for _ in tournament.played(held, _workers(workers, cluster)):
        pass
    if out is not None:
        tournament.saved(held, Path(out))
    rows = [msgspec.to_builtins(line) for line in standings.standings(held)]
    return pa.Table.from_pylist(rows)


def study(
    game: str,
    *,
    games: int = 1000,
    bots: Names = "casual",
    players: Sequence[int] = (),
    vary: Mapping[str, Sequence[object]] | None = None,
    options: Mapping[str, object] | None = None,
    seed: str = "0",
    workers: int | None = None,
    cluster: str | None = None,
    playouts: int = 32,
    out: str | Path | None = None,
) -> "pa.Table":
    """Study variations of a game. Return one row for each figure of each cell. `out` is a folder for the report."""
    import pyarrow as pa

    from ludoteca.lab import cells, report
    from ludoteca.lab.games import game_named

    plans = cells.planned_cells(game, options or {}, vary or {}, players, _names(bots), games, seed)
    found = list(cells.observed(plans, _workers(workers, cluster), playouts))
    version = game_named(game).rules_version
    made = cells.Study(game, "ludoteca.lab.study", seed, version, cells.differing(found), tuple(found))
    if out is not None:
        report.write_report(made, Path(out))
    rows: list[dict[str, Any]] = []
    for cell in made.cells:
        about = {"cell": cells.label(made, cell), "players": cell.players, "bots": ",".join(cell.bots)}
        for f in cell.figures:
            figure = {"metric": f.metric, "seat": f.seat, "item": f.item, "mean": f.mean, "low": f.low, "high": f.high}
            rows.append({**about, **figure, "matches": f.count})
    return pa.Table.from_pylist(rows)


def _names(bots: Names) -> list[str]:
    return bots.split(",") if isinstance(bots, str) else list(bots)


def _with_players(options: Mapping[str, object] | None, players: int | None) -> dict[str, object]:
    return dict(options or {}) | ({} if players is None else {"players": players})


def _workers(workers: int | None, cluster: str | None) -> int | str:
    return cluster or workers or os.cpu_count() or 1
