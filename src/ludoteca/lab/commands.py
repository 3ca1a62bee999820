"""The lab's commands, as the command line calls them."""

import argparse
import shlex
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from tqdm import tqdm

from ludoteca.core.game import Game, OptionValue
from ludoteca.core.record import to_json
from ludoteca.lab import cells, comparison, findings, report, standings, tournament
from ludoteca.lab.extras import need
from ludoteca.lab.games import game_named
from ludoteca.lab.lines import check_folder
from ludoteca.lab.plan import BadPlan, planned
from ludoteca.lab.ready import compile_for
from ludoteca.lab.simulation import LINES, PARQUET, simulated
from ludoteca.lab.summary import Summary
from ludoteca.lab.verify import Tally, verdicts
from ludoteca.lab.workers import Workers

INTERRUPTED = 130  # what a shell expects of a program that Ctrl-C ended


def simulate(given: argparse.Namespace) -> int:
    plan = planned(given.game, options_of(given), given.bots.split(","), given.games, given.seed)
    if given.out is not None and given.out.suffix == PARQUET:
        _reuse_memory()
    matches, summary = simulated(plan, workers_of(given), given.out), Summary(plan)
    if given.cluster is None:
        compile_for(plan, in_python=given.out is not None and given.out.suffix == LINES)
    began = time.perf_counter()
    try:
        for batch in watched(matches, plan.games):
            summary.add(batch)
    except KeyboardInterrupt:
        goes_on = ": the same command continues" if given.out is not None and given.out.suffix == PARQUET else ""
        print(f"stopped after {summary.games} of {plan.games} matches{goes_on}", file=sys.stderr)
        return INTERRUPTED
    seconds = time.perf_counter() - began
    rate = summary.games / seconds
    print(*summary.lines(), sep="\n")
    print(f"{seconds:.1f} seconds, {rate:,.{0 if rate > 100 else 1}f} matches a second")
    return 0


def _reuse_memory() -> None:
    """Let Arrow use the system's allocator: its own returns memory too eagerly, and the page faults cost a third."""
    need("pyarrow", "lab", "a Parquet file")
    import pyarrow as pa

    pa.set_memory_pool(pa.system_memory_pool())


def verify(given: argparse.Namespace) -> int:
    return _verify_parquet(given) if given.file.suffix == PARQUET else _verify_records(given)


def _verify_parquet(given: argparse.Namespace) -> int:
    need("pyarrow", "lab", "a Parquet file")
    from ludoteca.lab.parquet_check import checked_groups

    matches, bad = 0, set()
    for group in checked_groups(given.file):
        matches += group.matches
        for fault in group.faults:
            bad.add(fault.number)
            print(f"{given.file}: match {fault.number}: {fault.what}")
    print(f"{matches} matches: {matches - len(bad)} good, every draw as the seed says, {len(bad)} bad")
    return 1 if bad else 0


def _verify_records(given: argparse.Namespace) -> int:
    tally = Tally(given.measure)
    for verdict in verdicts(given.file, given.measure, given.key):
        for complaint in verdict.complaints:
            print(f"{given.file}:{verdict.line}: {complaint}")
        tally.add(verdict)
    print(*tally.lines(), sep="\n")
    return 1 if tally.bad else 0


def record(given: argparse.Namespace) -> int:
    need("pyarrow", "lab", "a Parquet file")
    from ludoteca.lab.parquet_check import record_in

    print(to_json(record_in(given.file, given.number)).decode())
    return 0


def arena(given: argparse.Namespace) -> int:
    sprt = _leads(given.sprt) if given.sprt else None
    held = tournament.entered(given.game, options_of(given), given.bots.split(","), given.games, given.seed, sprt)
    workers, played = workers_of(given), False
    if given.out is not None:
        check_folder(given.out)
        held = tournament.continued(held, given.out)
    last_saved = time.monotonic()

    def save(held: tournament.Arena) -> None:
        nonlocal last_saved
        if given.out is not None and time.monotonic() > last_saved + 1:
            tournament.saved(held, given.out)
            last_saved = time.monotonic()

    if given.cluster is None:
        compile_for(planned(given.game, options_of(given), [held.entry.bots[0]], given.games, given.seed))
    total = sum(-(-given.games // len(table.seatings)) * len(table.seatings) for table in held.tables)
    try:
        for _ in watched(tournament.played(held, workers, save), total):
            played = True
    except KeyboardInterrupt:
        print("stopped: the same command continues" if given.out else "stopped", file=sys.stderr)
        return INTERRUPTED
    finally:
        if given.out is not None and played:
            tournament.saved(held, given.out)
    if given.json:
        print(standings.as_json(held).decode())
    else:
        print(*standings.lines(held), sep="\n")
    return 0


def study(given: argparse.Namespace) -> int:
    if given.compare:
        return _compare(given)
    if given.game is None:
        raise BadPlan("study needs a game, or two studies to --compare")
    game = game_named(given.game)
    vary = _varied(game, given.vary)
    players = _numbers(given.players) if given.players else []
    options = dict(map(game.read_option, given.set))
    if given.playouts < 0:
        raise BadPlan(f"{given.playouts} playouts: none or more are wanted")
    plans = cells.planned_cells(given.game, options, vary, players, given.bots.split(","), given.games, given.seed)
    folder = given.out or Path(f"{Path(given.game).stem}-study")
    if folder.exists() and not folder.is_dir():
        raise BadPlan(f"{folder} is not a folder")
    workers, total = workers_of(given), sum(plan.games for plan in plans)
    if given.cluster is None:
        compile_for(plans[0], observes=True)
    found = list(cells.observed(plans, workers, given.playouts, _bar(total)))
    made = cells.Study(
        given.game, _command(given), given.seed, game.rules_version, cells.differing(found), tuple(found)
    )
    report.write_report(made, folder)
    print(*findings.lines(made), sep="\n")
    print(f"the report is {folder / 'report.html'}")
    return 0


def _compare(given: argparse.Namespace) -> int:
    first, second = (cells.read(path) for path in given.compare)
    out = given.out or Path("comparison.html")
    if out.is_dir() or out.suffix != ".html":
        out = out / "comparison.html"
    comparison.write_comparison(first, second, out)
    print(f"the comparison is {out}")
    return 0


def _varied(game: Game, pairs: Sequence[str]) -> dict[str, list[OptionValue]]:
    """Return the values of every option that is varied, from texts such as KEY=A,B,C."""
    varied: dict[str, list[OptionValue]] = {}
    for pair in pairs:
        name, equals, texts = pair.partition("=")
        if not equals:
            raise BadPlan(f"--vary {pair}: an option with its values is wanted, such as {game.options[0].name}=A,B,C")
        if name in varied:
            raise BadPlan(f"option {name} is varied twice: name all its values after one --vary {name}=")
        varied[name] = [game.read_option(f"{name}={text}")[1] for text in texts.split(",")]
    return varied


def _numbers(text: str) -> list[int]:
    try:
        return [int(number) for number in text.split(",")]
    except ValueError:
        raise BadPlan(f"--players {text}: whole numbers with commas are wanted") from None


def _command(given: argparse.Namespace) -> str:
    """Return the command that makes the same study again, without what does not matter for it."""
    words = ["ludoteca", "study", given.game, "--games", str(given.games), "--bots", given.bots, "--seed", given.seed]
    words += ["--players", given.players] if given.players else []
    words += [word for pair in given.set for word in ("--set", pair)]
    words += [word for pair in given.vary for word in ("--vary", pair)]
    words += ["--playouts", str(given.playouts)] if given.playouts != cells.PLAYOUTS else []
    return shlex.join(words)


def _bar(total: int) -> Callable[[Iterable[Any]], Iterable[Any]]:
    """Return what watches several runs with one bar."""
    bar = tqdm(None, None, total, unit="match", disable=not sys.stderr.isatty(), leave=False)

    def watch(batches: Iterable[Any]) -> Iterator[Any]:
        for batch in batches:
            yield batch
            bar.update(len(batch))

    return watch


def _leads(text: str) -> tuple[float, float]:
    try:
        low, high = map(float, text.split(","))
    except ValueError:
        raise BadPlan(f"--sprt {text}: two numbers with a comma are wanted, such as 0,20") from None
    return low, high


def options_of(given: argparse.Namespace) -> dict[str, object]:
    game = game_named(given.game)
    options: dict[str, object] = {} if given.players is None else {"players": given.players}
    return options | dict(map(game.read_option, given.set))


def workers_of(given: argparse.Namespace) -> Workers:
    if given.cluster is None and given.workers < 1:
        raise BadPlan(f"{given.workers} workers: at least one is wanted")
    return given.cluster or int(given.workers)


def watched(batches: Iterable[Any], total: int, label: str | None = None) -> Iterator[Any]:
    """Hand batches of matches on, and show how many matches there were."""
    with tqdm(None, label, total, unit="match", disable=not sys.stderr.isatty(), leave=False) as bar:
        for batch in batches:
            yield batch
            bar.update(len(batch))
