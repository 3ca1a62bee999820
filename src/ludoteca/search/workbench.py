"""What one thread needs to play whole matches between bots: the compiled loop of a game, and buffers."""

import importlib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.util import find_spec
from types import SimpleNamespace
from typing import Any

import numpy as np

from ludoteca.core import registry
from ludoteca.core.binding import bind
from ludoteca.core.errors import UnfinishedGame
from ludoteca.core.game import Game, OptionValue
from ludoteca.core.kernel_game import KernelGame
from ludoteca.core.levels import Level, Lookahead, TreeSearch, level_at
from ludoteca.core.random import key_of
from ludoteca.search import bots, playouts, solver, whole
from ludoteca.search.proving import bound_solver
from ludoteca.search.whole import INFORMED_BOT, LOOKAHEAD_BOT, RANDOM_BOT, STATES, TREE_BOT, Book, Notes, Players

MOVES_A_MATCH = 256  # the room for the moves of a match at first; a book that is full gets twice as much
SPARE = 1.1  # later there is room for the longest mean so far, times this
MOST_TURNS = 2048  # turns of a match that are valued, at most
NO_LEVEL = Lookahead(turns=1, widths=(1,))  # for a seat whose bot is no lookahead


class NoTally:
    """Replaces a missing tally.py: enough to play matches, not to study them."""

    REASONS = ("complete",)

    def __init__(self, key: str) -> None:
        game = registry.game(key)
        assert isinstance(game, KernelGame)
        self._key, self.result = key, game.rules.result

    def __getattr__(self, name: str) -> Any:
        raise UnfinishedGame(f"games/{self._key} has no tally.py: a study needs one with `{name}` (core/tallies.py)")


@cache
def tally(key: str) -> Any:
    """Return a game's tally.py, or NoTally if it has none."""
    name = f"ludoteca.games.{key}.tally"
    return importlib.import_module(name) if find_spec(name) else NoTally(key)


def thinkers(game: KernelGame) -> dict[str, Any]:
    """Return what `bot_move` of whole.py is bound to: the searches that the bots of a game use."""
    rules, advice = game.rules, bots.guide(game.key)
    levels = {level_at(level, players) for level in advice.LEVELS.values() for players in game.players}
    has_lookahead = any(isinstance(level, Lookahead) for level in levels)
    has_tree = any(isinstance(level, TreeSearch) for level in levels)
    has_informed = any(isinstance(level, TreeSearch) and level.deals for level in levels)
    has_proofs = any(level.proves for level in levels)
    found: dict[str, Any] = {
        "HAS_LOOKAHEAD": has_lookahead,
        "HAS_TREE": has_tree,
        "HAS_INFORMED": has_informed,
        "HAS_PROOFS": has_proofs,
    }
    if has_proofs:
        found["proved_move"] = bound_solver(rules, advice).proved_move
    if has_lookahead:
        found["best_move"] = bots.bound_lookahead(rules, advice).best_move
    if has_tree:
        bound = bots.bound_tree(rules, advice)
        found |= {"search": bound.search, "most_visited": bound.most_visited}
    if has_informed:
        found["search_informed"] = bots.bound_informed(rules, advice).search_informed
    return found


@cache
def bound_loop(game: KernelGame, observes: bool = False) -> SimpleNamespace:
    """Return the functions of whole.py, compiled for a game and its bots. With `observes` they record a study too."""
    rules, advice = game.rules, bots.guide(game.key)
    also = thinkers(game) | {"OBSERVES": observes, "chance_run": rules.chance_run, "result": tally(game.key).result}
    if observes:
        also |= {"observe": tally(game.key).observe, "playout": bots.bound_tree(rules, advice).playout}
    return bind((*playouts.CHANCE_FUNCTIONS, *whole.FUNCTIONS), rules, also)


@cache
def bound_check(game: KernelGame) -> SimpleNamespace:
    """Return the function that replays matches from their numbered moves."""
    rules = game.rules
    also = {"chance_run": rules.chance_run, "is_legal": rules.is_legal, "result": tally(game.key).result}
    return bind((*playouts.CHANCE_FUNCTIONS, *whole.CHECKING), rules, also)


def seated(game: KernelGame, names: Sequence[str | Level], weights: Any = None) -> tuple[Players, Any, Any, Any]:
    """Return bots as compiled loops take them: who they are, their desks, a tree and some states.

    These are room to work in, for one thread at a time. A bot is named, or is a level that has no name. `weights`
    replace those that the game is shipped with.
    """
    levels = [bots.level_of(game, name, len(names)) if isinstance(name, str) else name for name in names]
    levels += [None] * (game.rules.SEATS - len(levels))
    desks = {level: _desk(game, level, weights) for level in levels}
    searches = [level for level in levels if isinstance(level, TreeSearch)]
    tree = bots.tree_for(game.rules, max((level.simulations for level in searches), default=0))
    deals = max((level.deals for level in searches), default=0)
    pool = np.zeros(STATES + deals, game.rules.State).view(np.recarray)
    return _players(game, len(names), levels, weights), tuple(desks[level] for level in levels), tree, pool


class Workbench:
    """Plays matches of one game, with one agreement, between the same bots. For one thread at a time."""

    def __init__(
        self,
        game: KernelGame,
        agreed: Mapping[str, OptionValue],
        names: Sequence[str | Level],
        weights: Any = None,
    ) -> None:
        self._game, self._rules = game, game.rules
        self._options = game.options_record(agreed)
        self._players, self._desks, self._tree, self._pool = seated(game, names, weights)
        self._rngs = np.ones((self._rules.SEATS + 1, 1), np.uint64)  # the last one is for a study
        self._room = MOVES_A_MATCH

    def play(self, base: Any, numbers: Any, keep: bool = True) -> Book:
        """Play the matches with these numbers, an int64 array. Without `keep`, their moves are not recorded."""
        book = _empty_book(len(numbers), self._rules.SEATS, self._room * len(numbers) if keep else 0)
        done = self._play(base, numbers, book, keep, 0, None)
        while done < len(numbers):
            book = book._replace(moves=np.concatenate((book.moves, np.empty_like(book.moves))))
            done = self._play(base, numbers, book, keep, done, None)
        if not keep:
            return book
        self._room = max(self._room, int(SPARE * book.ends[-1] / len(numbers)))
        return book._replace(moves=book.moves[: book.ends[-1]])

    def study(self, base: Any, numbers: Any, playouts: int) -> tuple[Book, Notes]:
        """Play the same matches and record what a study needs. `playouts` random matches give each value."""
        notes = Notes(
            np.zeros((len(numbers), tally(self._game.key).WIDTH), np.int32),
            np.zeros(len(numbers), np.int32),
            np.zeros(len(numbers), np.int64),
            np.full((len(numbers), 3), np.nan),
            playouts,
            np.zeros((MOST_TURNS, self._rules.SEATS), np.float32),
        )
        book = _empty_book(len(numbers), self._rules.SEATS, 0)
        self._play(base, numbers, book, False, 0, notes)
        return book, notes

    def _play(self, base: Any, numbers: Any, book: Book, keep: bool, done: int, notes: Notes | None) -> int:
        loop = bound_loop(self._game, notes is not None)
        room = (self._players, self._desks, self._tree, self._pool, self._rngs)
        return int(loop.play_matches(self._options, base, numbers, *room, book, keep, done, notes))


def warm(game: Game) -> None:
    """Compile everything that the lab needs of a game."""
    if not isinstance(game, KernelGame):
        return
    agreed, base, numbers = game.agree({}), key_of("warm"), np.arange(1, 2)
    bench = Workbench(game, agreed, [bots.RANDOM] * int(agreed["players"] or 0))
    book = bench.play(base, numbers)
    if not isinstance(tally(game.key), NoTally):
        bench.study(base, numbers, 1)
    checked(game, agreed, base, numbers, book.moves, book.ends)


def checked(
    game: KernelGame, agreed: Mapping[str, OptionValue], base: Any, numbers: Any, moves: Any, ends: Any
) -> tuple[Book, Any]:
    """Replay matches by the rules. Return their results, and for each the kind and the place of its fault."""
    book = _empty_book(len(numbers), game.rules.SEATS, 0)
    faults = np.zeros((len(numbers), 2), np.int64)
    pool = np.zeros(1, game.rules.State).view(np.recarray)
    options = game.options_record(agreed)
    bound_check(game).check_matches(options, base, numbers, moves, ends, pool, book, faults)
    return book, faults


def _empty_book(matches: int, seats: int, moves: int) -> Book:
    return Book(
        np.zeros(matches, np.uint8),
        np.zeros(matches, np.uint8),
        np.zeros(matches, np.int8),
        np.zeros((matches, seats), np.int32),
        np.zeros(matches, np.int32),
        np.zeros(matches, np.int32),
        np.zeros(matches, np.int64),
        np.empty(moves, np.int32),
    )


def _players(game: KernelGame, seats: int, levels: Sequence[Level | None], weights: Any) -> Players:
    ahead = [level if isinstance(level, Lookahead) else NO_LEVEL for level in levels]
    trees = [level if isinstance(level, TreeSearch) else TreeSearch(0) for level in levels]
    return Players(
        seats,
        np.array([_kind(level) for level in levels], np.int64),
        np.array([level.turns for level in ahead], np.int64),
        np.array([level.noise for level in ahead], np.float64),
        np.array([level.simulations for level in trees], np.int64),
        np.array([level.exploration for level in trees], np.float32),
        np.array([level.proves if level else 0 for level in levels], np.int64),
        solver.new_desk(game.rules) if thinkers(game)["HAS_PROOFS"] else None,
        np.array([level.deals for level in trees], np.int64),
        tuple(bots.weights_for(bots.guide(game.key), level, weights) for level in trees),
    )


def _kind(level: Level | None) -> int:
    if isinstance(level, Lookahead):
        return LOOKAHEAD_BOT
    if isinstance(level, TreeSearch):
        return INFORMED_BOT if level.deals else TREE_BOT
    return RANDOM_BOT


def _desk(game: KernelGame, level: Level | None, weights: Any) -> Any:
    known = level if isinstance(level, Lookahead) else NO_LEVEL
    return bots.desk_for(game.rules, bots.guide(game.key), known, weights)
