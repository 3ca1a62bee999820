"""The command line. Each command imports what it needs when it runs, so that --help answers at once."""

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from ludoteca import __version__

INTERRUPTED = 130  # the exit code that a shell expects after Ctrl-C


def main(arguments: Sequence[str] | None = None) -> int:
    given = parser().parse_args(arguments)
    from ludoteca.core.errors import LudotecaError

    try:
        return int(given.run(given))
    except LudotecaError as error:
        print(f"ludoteca: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:  # the reader has seen enough, as in `ludoteca games | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        named = error.strerror and error.filename is not None
        print(f"ludoteca: {f'{error.strerror}: {error.filename!r}' if named else error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return INTERRUPTED


def parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(prog="ludoteca", description="Tabletop games to play and to study.")
    top.add_argument("--version", action="version", version=f"ludoteca {__version__}")
    top.set_defaults(run=serve_tables, host="127.0.0.1", port=8000, data=None, database=None, open=True)
    top.set_defaults(root_path="", proxy=[], metrics=None, log=None, log_level=None)
    commands = top.add_subparsers(title="commands", metavar="COMMAND", description="Without one: serve and open.")

    serve = commands.add_parser("serve", help="serve the tables to browsers")
    serve.add_argument("--host", default="127.0.0.1", help="0.0.0.0 lets in the network (default %(default)s)")
    serve.add_argument("--port", type=int, default=8000, help="(default %(default)s)")
    _add_storage_arguments(serve)
    serve.add_argument("--root-path", default="", metavar="PATH", help="that all of our paths follow, like /games")
    serve.add_argument(
        "--proxy",
        action="append",
        default=[],
        metavar="ADDRESS",
        help="a proxy whose X-Forwarded-For and X-Forwarded-Proto are trusted; again for each",
    )
    serve.add_argument(
        "--metrics", metavar="[HOST:]PORT", help="figures for Prometheus at /metrics there, on this machine by default"
    )
    serve.add_argument("--log", choices=("text", "json"), help="one line an event on the error stream")
    serve.add_argument("--log-level", choices=("debug", "info", "warning", "error"), help="(default: info with --log)")
    serve.add_argument("--open", action="store_true", help="open a browser too, where there is a screen")
    serve.set_defaults(run=serve_tables)

    backup = commands.add_parser("backup", help="copy every match into one file, while the server runs")
    backup.add_argument("file", type=Path, metavar="FILE", help="of the copy; it must not exist yet")
    _add_storage_arguments(backup)
    backup.set_defaults(run=for_operators("back_up"))

    restore = commands.add_parser("restore", help="carry a backup into an empty database")
    restore.add_argument("file", type=Path, metavar="FILE", help="that 'ludoteca backup' wrote")
    _add_storage_arguments(restore)
    restore.set_defaults(run=for_operators("restore"))

    move = commands.add_parser("move-database", help="carry everything to another database, and check it there")
    move.add_argument("source", metavar="FROM", help="a folder, or postgresql://...")
    move.add_argument("target", metavar="TO", help="an empty folder, or an empty database")
    move.set_defaults(run=for_operators("move_database"))

    games = commands.add_parser("games", help="list the games, their options and their bots")
    games.set_defaults(run=list_games)

    warm = commands.add_parser("warm", help="compile every game now, so that nobody waits for it later")
    warm.set_defaults(run=warm_games)

    puzzles = commands.add_parser("puzzles", help="mine puzzles from matches between strong bots")
    puzzles.add_argument("game", help="its key, as 'ludoteca games' lists it")
    puzzles.add_argument("--wanted", type=int, default=200, metavar="N", help="stop at this many (default %(default)s)")
    puzzles.add_argument("--minutes", type=float, metavar="M", help="or after this much processor time")
    puzzles.add_argument(
        "--out", type=Path, metavar="FILE.jsonl.gz", help="continued if it exists (default: the game's)"
    )
    puzzles.add_argument(
        "--again", action="store_true", help="first judge the puzzles of the file again, and drop what no longer is one"
    )
    puzzles.set_defaults(run=mine_puzzles)

    train = commands.add_parser("train", help="learn the values of a game's positions by playing it")
    train.add_argument("game", help="its key, as 'ludoteca games' lists it")
    train.add_argument("--matches", type=int, default=20_000, metavar="N", help="to learn from (default %(default)s)")
    train.add_argument("--players", default="2", metavar="P,Q", help="of each round, in turn (default %(default)s)")
    train.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="an option of the game")
    train.add_argument("--seed", default="train", metavar="S", help="the same seed, one thread: the same weights")
    train.add_argument("--threads", type=int, default=1, metavar="T", help="that learn together (default %(default)s)")
    train.add_argument("--rate", type=float, default=0.3, help="how fast to learn at first (default %(default)s)")
    train.add_argument("--fade", type=float, default=0.7, help="lambda, 0 to 1 (default %(default)s)")
    train.add_argument("--against", default="", metavar="LEVEL", help="that plays all seats but the first to act")
    train.add_argument("--every-seat", action="store_true", help="against a level, sit in every seat in turn")
    train.add_argument("--shipped", action="store_true", help="begin with the weights that the bots use")
    train.add_argument("--average", action="store_true", help="the weights of the second half, for steadier ones")
    train.add_argument("--checks", type=int, default=8, metavar="N", help="of the strength (default %(default)s)")
    train.add_argument(
        "--out", type=Path, metavar="FILE.npz", help="continued if it exists (default: GAME-training.npz)"
    )
    train.add_argument("--ship", action="store_true", help="at the end, write the weights that the bots use")
    train.set_defaults(run=train_values)

    simulate = commands.add_parser("simulate", help="play matches between bots into a file of records")
    _add_match_arguments(simulate, default_games=100)
    simulate.add_argument("--bots", default="random", help="one for all seats or one for each, with commas")
    simulate.add_argument(
        "--out",
        type=Path,
        metavar="FILE",
        help="FILE.parquet: a row a match, continued if it exists; FILE.jsonl: records",
    )
    simulate.set_defaults(run=in_lab("simulate"))

    verify = commands.add_parser("verify", help="replay matches by the rules, check their draws, seals and signatures")
    verify.add_argument("file", type=Path, metavar="FILE", help="FILE.jsonl or FILE.parquet")
    verify.add_argument("--key", metavar="HEX", help="the signature of this key is wanted (a server's: GET /api/key)")
    verify.add_argument("--measure", action="store_true", help="measure again what physics decided")
    verify.set_defaults(run=in_lab("verify"))

    record = commands.add_parser("record", help="print a match of a Parquet file as a record")
    record.add_argument("file", type=Path, metavar="FILE.parquet")
    record.add_argument("number", type=int, metavar="N", help="the match, counted from 1")
    record.set_defaults(run=in_lab("record"))

    arena = commands.add_parser("arena", help="let bots play each other, seats rotated, and rate them")
    _add_match_arguments(arena, default_games=100)
    arena.add_argument("--bots", required=True, help="two or more, with commas")
    arena.add_argument("--sprt", metavar="LOW,HIGH", help="stop as soon as it is clear which of two leads in Elo it is")
    arena.add_argument("--out", type=Path, metavar="FILE.json", help="where the results go; continued if it exists")
    arena.add_argument("--json", action="store_true", help="print the table for programs")
    arena.set_defaults(run=in_lab("arena"))
    study = commands.add_parser("study", help="play variations of a game and write a report of what they are like")
    study.add_argument("game", nargs="?", help="its key, as 'ludoteca games' lists it, or the file of a variant")
    _add_match_arguments(study, default_games=1000, names_game=False)
    study.add_argument("--bots", default="casual", help="with commas: a cell for each; a+b: one for each seat")
    study.add_argument("--vary", action="append", default=[], metavar="KEY=A,B,C", help="a cell for each value")
    study.add_argument("--playouts", type=int, default=32, metavar="N", help="to value a position (%(default)s)")
    study.add_argument("--out", type=Path, metavar="FOLDER", help="of the report (default: GAME-study)")
    study.add_argument("--compare", nargs=2, type=Path, metavar=("A", "B"), help="two studies side by side, in --out")
    study.set_defaults(run=in_lab("study"))
    return top


def _add_storage_arguments(command: argparse.ArgumentParser) -> None:
    where = command.add_mutually_exclusive_group()
    where.add_argument("--data", type=Path, metavar="FOLDER", help="where matches are kept (default: the user's own)")
    where.add_argument("--database", metavar="ADDRESS", help="postgresql://... instead (or LUDOTECA_DATABASE)")


def _add_match_arguments(command: argparse.ArgumentParser, default_games: int, names_game: bool = True) -> None:
    if names_game:
        command.add_argument("game", help="its key, as 'ludoteca games' lists it, or the file of a variant")
    command.add_argument("--games", type=int, default=default_games, metavar="N", help="matches (default %(default)s)")
    if names_game:
        command.add_argument("--players", type=int, metavar="P", help="seats at the table")
    else:
        command.add_argument("--players", metavar="P,Q", help="seats at the table, with commas: a cell for each")
    command.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="an option of the game")
    command.add_argument("--seed", default="0", metavar="S", help="the same seed gives the same matches")
    command.add_argument(
        "--workers", type=int, default=os.cpu_count() or 1, metavar="W", help="on this machine (default: one a core)"
    )
    command.add_argument("--cluster", metavar="ADDRESS", help="of a Ray cluster that plays instead: HOST:PORT, or auto")


def serve_tables(given: argparse.Namespace) -> int:
    from ludoteca.server.commands import serve_as_asked

    return serve_as_asked(given)


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


def mine_puzzles(given: argparse.Namespace) -> int:
    from ludoteca.search.mining import mine_as_asked

    return mine_as_asked(given.game, given.out, given.wanted, given.minutes, given.again)


def train_values(given: argparse.Namespace) -> int:
    from ludoteca.search.trainer import train_as_asked

    return train_as_asked(given)


def for_operators(name: str) -> Callable[[argparse.Namespace], int]:
    """Return a command of an operator, which is imported when it runs."""

    def run(given: argparse.Namespace) -> int:
        from ludoteca.server import commands

        return int(getattr(commands, name)(given))

    return run


def in_lab(name: str) -> Callable[[argparse.Namespace], int]:
    """Return a command of the lab, which is imported when it runs."""

    def run(given: argparse.Namespace) -> int:
        from ludoteca.lab import commands

        return int(getattr(commands, name)(given))

    return run


if __name__ == "__main__":
    sys.exit(main())
