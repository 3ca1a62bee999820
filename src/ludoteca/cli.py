"""The command line. Each command imports what it needs when it runs, so that --help answers at once."""

import argparse
import os
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ludoteca import __version__

if TYPE_CHECKING:
    from ludoteca.core.game import Game

INTERRUPTED = 130  # what a shell expects of a program that Ctrl-C ended


def main(arguments: Sequence[str] | None = None) -> int:
    given = parser().parse_args(arguments)
    from ludoteca.core.errors import LudotecaError

    try:
        return int(given.run(given))
    except (LudotecaError, OSError) as error:
        print(f"ludoteca: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return INTERRUPTED


def parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(prog="ludoteca", description="Five tabletop games to play and to study.")
    top.add_argument("--version", action="version", version=f"ludoteca {__version__}")
    top.set_defaults(run=serve_tables, host="127.0.0.1", port=8000, data=None, open=True)
    commands = top.add_subparsers(title="commands", metavar="COMMAND", description="Without one: serve and open.")

    serve = commands.add_parser("serve", help="serve the tables to browsers")
    serve.add_argument("--host", default="127.0.0.1", help="0.0.0.0 lets in the network (default %(default)s)")
    serve.add_argument("--port", type=int, default=8000, help="(default %(default)s)")
    serve.add_argument("--data", type=Path, metavar="FOLDER", help="where matches are kept (default: the user's own)")
    serve.add_argument("--open", action="store_true", help="open a browser too, where there is a screen")
    serve.set_defaults(run=serve_tables)

    games = commands.add_parser("games", help="list the games, their options and their bots")
    games.set_defaults(run=list_games)

    warm = commands.add_parser("warm", help="compile every game now, so that nobody waits for it later")
    warm.set_defaults(run=warm_games)

    simulate = commands.add_parser("simulate", help="play matches between bots into a file of records")
    _add_match_arguments(simulate, default_games=100)
    simulate.add_argument("--bots", default="random", help="one for all seats or one for each, with commas")
    simulate.add_argument("--out", type=Path, metavar="FILE.jsonl", help="where the records go, one a line")
    simulate.set_defaults(run=simulate_matches)

    verify = commands.add_parser("verify", help="replay records by the rules, check their seals and signatures")
    verify.add_argument("file", type=Path, metavar="FILE.jsonl")
    verify.add_argument("--key", metavar="HEX", help="the signature of this key is wanted (a server's: GET /api/key)")
    verify.add_argument("--measure", action="store_true", help="measure again what physics decided")
    verify.set_defaults(run=verify_records)

    arena = commands.add_parser("arena", help="let bots play each other, every pair, seats alternating")
    _add_match_arguments(arena, default_games=100)
    arena.add_argument("--bots", required=True, help="two or more, with commas")
    arena.set_defaults(run=hold_arena)
    return top


def _add_match_arguments(command: argparse.ArgumentParser, default_games: int) -> None:
    command.add_argument("game", help="its key, as 'ludoteca games' lists it")
    command.add_argument("--games", type=int, default=default_games, metavar="N", help="matches (default %(default)s)")
    command.add_argument("--players", type=int, metavar="P", help="seats at the table")
    command.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="an option of the game")
    command.add_argument("--seed", default="0", metavar="S", help="the same seed gives the same matches")
    command.add_argument(
        "--workers", type=int, default=os.cpu_count() or 1, metavar="W", help="processes (default: one a core)"
    )


def serve_tables(given: argparse.Namespace) -> int:
    from ludoteca.server.serving import serve

    return serve(given.host, given.port, given.data, given.open)


def list_games(given: argparse.Namespace) -> int:
    from ludoteca.core import registry
    from ludoteca.search import bots

    for key in registry.game_keys():
        game = registry.game(key)
        print(f"{key}: {game.name}")
        for option in game.options:
            print(f"  {option.name:<13} {option.allowed()} (default {option.default})")
        print(f"  {'bots':<13} {', '.join(bots.names(game))}\n")
    return 0


def warm_games(given: argparse.Namespace) -> int:
    from ludoteca.search.compiling import compile_all

    for key in compile_all():
        print(f"{key} is compiled")
    return 0


def simulate_matches(given: argparse.Namespace) -> int:
    from ludoteca.lab.plan import planned
    from ludoteca.lab.simulate import Summary, write_records
    from ludoteca.lab.workers import played

    plan = planned(given.game, _options(given), given.bots.split(","), given.games, given.seed)
    summary, began = Summary(plan), time.perf_counter()
    try:
        write_records(_progress(played(plan, given.workers), plan.games), given.out, summary)
    except KeyboardInterrupt:
        print(f"stopped after {summary.games} of {plan.games} matches", file=sys.stderr)
        return INTERRUPTED
    print(*summary.lines(), sep="\n")
    print(f"{summary.games / (time.perf_counter() - began):.1f} matches a second")
    return 0


def verify_records(given: argparse.Namespace) -> int:
    from ludoteca.lab.verify import Tally, verdicts

    tally = Tally(given.measure)
    for verdict in verdicts(given.file, given.measure, given.key):
        for complaint in verdict.complaints:
            print(f"{given.file}:{verdict.line}: {complaint}")
        tally.add(verdict)
    print(*tally.lines(), sep="\n")
    return 1 if tally.bad else 0


def hold_arena(given: argparse.Namespace) -> int:
    from ludoteca.lab.arena import duel, pairs, table

    duels = []
    for pair in pairs(given.bots.split(",")):

        def watch(records: Iterable[Any], pair: tuple[str, str] = pair) -> Iterator[Any]:
            return _progress(records, (given.games + 1) // 2, " - ".join(pair))

        duels.append(duel(given.game, _options(given), pair, given.games, given.seed, given.workers, watch))
    print(*table(duels), sep="\n")
    return 0


def _options(given: argparse.Namespace) -> dict[str, object]:
    from ludoteca.core import registry
    from ludoteca.core.errors import BadOption

    game: Game = registry.game(given.game)
    known = {option.name: option for option in game.options}
    options: dict[str, object] = {} if given.players is None else {"players": given.players}
    for pair in given.set:
        name, equals, text = pair.partition("=")
        if not equals or name not in known:
            raise BadOption(name, text, f"{game.name} knows {', '.join(known)}, each as KEY=VALUE")
        options[name] = known[name].read(text)
    return options


def _progress(records: Iterable[Any], total: int, label: str | None = None) -> Iterator[Any]:
    from tqdm import tqdm

    yield from tqdm(records, label, total, unit="match", disable=not sys.stderr.isatty(), leave=False)


if __name__ == "__main__":
    sys.exit(main())
