"""Bots: `random` in every game, and the levels of a game's guide.py. A bot sees only what its seat may see."""

import importlib
from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec
from random import Random
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np

from ludoteca.core.binding import GenericFunction, bind
from ludoteca.core.errors import UnfinishedGame, UnknownBot
from ludoteca.core.game import Game
from ludoteca.core.kernel import Rules
from ludoteca.core.kernel_game import KernelGame
from ludoteca.core.levels import Level, Lookahead, TreeSearch, level_at
from ludoteca.core.random import below, generator
from ludoteca.search import informed, learned, lookahead, playouts, tree
from ludoteca.search.proving import Prover

RANDOM = "random"
GUIDE_FUNCTIONS = ("value", "rank", "key")
PLAYOUT_FUNCTIONS = ("playout_move",)  # functions that a guide.py may have
INFORMED_FUNCTIONS = ("odds", "likelihood")
SEEDS = 1 << 31  # number of different seeds for bots that sample
NODES_A_SIMULATION = 64  # room in the tree; a full tree is searched on without growing


@cache
def guide(key: str) -> ModuleType:
    """Return a game's guide.py, which has at least LEVELS."""
    name = f"ludoteca.games.{key}.guide"
    if find_spec(name) is None:
        raise UnfinishedGame(f"games/{key} has no guide.py: write one with LEVELS, the bots by name, weakest first")
    found = importlib.import_module(name)
    if not isinstance(getattr(found, "LEVELS", None), dict):
        raise UnfinishedGame(f"games/{key}/guide.py has no LEVELS: name the bots there, weakest first")
    return found


def names(game: Game) -> tuple[str, ...]:
    """Return the bots of a game, weakest first."""
    return (RANDOM, *guide(game.key).LEVELS)


def check_name(game: Game, name: str) -> None:
    if name not in names(game):
        raise UnknownBot(name, list(names(game)))


def choose(game: Game, name: str, state: Any, seat: int, seed: tuple[object, ...]) -> str:
    """Return a bot's move as text.

    The same seed gives the same move. Only one thread of a process may call it at a time.
    """
    return choose_with(game, name, state, seat, generator(*seed))


def choose_with(game: Game, name: str, state: Any, seat: int, rng: Any) -> str:
    """Return a bot's move like `choose`, with a generator, which advances."""
    if isinstance(game, KernelGame):
        bot = _bot(game.key, game, level_of(game, name, int(state.players)))
        known = state if name == RANDOM else game.concealed(state, seat, rng)  # a random bot does not look at the state
        return game.format(state, bot.choose(known, rng))
    check_name(game, name)
    known = game.concealed(state, seat, rng)
    own = Random(int(below(rng, SEEDS)))
    if name == RANDOM:
        return game.sample_moves(known, seat, own, 1)[0]
    move: str = guide(game.key).choose(known, seat, name, own)
    return move


def level_of(game: Game, name: str, players: int) -> Level | None:
    """Return what plays for a bot at a table of this many players. A random bot has no level."""
    check_name(game, name)
    return None if name == RANDOM else level_at(guide(game.key).LEVELS[name], players)


def warm(game: Game) -> None:
    """Compile everything that the game's bots need."""
    if not isinstance(game, KernelGame):
        return
    state, rng = first_decision(game), generator("warm")
    for name in names(game):
        _bot(game.key, game, level_of(game, name, int(state.players))).warm(state, rng)


def first_decision(game: Game) -> Any:
    """Return a state of a new match in which a seat is to move."""
    state = game.start(game.agree({}))
    while not game.to_move(state):
        move = game.chance(state, lambda weights: 0)
        assert move is not None
        state = game.play(state, 0, move).state
    return state


@cache
def _bot(
    key: str, game: KernelGame, level: Level | None
) -> "RandomBot | LookaheadBot | TreeBot | InformedBot | ProvingBot":
    if level is None:
        return RandomBot(game.rules)
    bot: LookaheadBot | TreeBot | InformedBot
    if isinstance(level, Lookahead):
        bot = LookaheadBot(game.rules, guide(key), level)
    else:
        assert isinstance(level, TreeSearch)
        bot = (InformedBot if level.deals else TreeBot)(game.rules, guide(key), level)
    return ProvingBot(bot, Prover(game.rules, guide(key)), level.proves) if level.proves else bot


class RandomBot:
    def __init__(self, rules: Rules) -> None:
        self._bound = bind(playouts.FUNCTIONS, rules)

    def choose(self, state: Any, rng: Any) -> int:
        return int(self._bound.random_move(state, rng))

    def warm(self, state: Any, rng: Any) -> None:
        self.choose(state, rng)


def bound_lookahead(rules: Rules, advice: ModuleType) -> SimpleNamespace:
    for name in GUIDE_FUNCTIONS:
        if not hasattr(advice, name):
            raise UnfinishedGame(
                f"{advice.__file__} has a Lookahead but no `{name}`: ludoteca/search/lookahead.py says what it is"
            )
    known = {name: getattr(advice, name) for name in GUIDE_FUNCTIONS}
    if not learned.can_learn(advice):
        return bind(lookahead.FUNCTIONS, rules, known)
    known |= learned.functions_of(advice) | {"LEARNS": True}
    return bind((*learned.FUNCTIONS, *lookahead.FUNCTIONS), rules, known)


def desk_for(rules: Rules, advice: ModuleType, level: Lookahead, weights: Any = None) -> lookahead.Desk:
    """Return the working memory for a level. A level that learned uses these weights, or the shipped ones."""
    if not level.learned:
        return lookahead.new_desk(rules, level.widths, level.samples)
    weights = learned.weights_of(advice) if weights is None else weights
    return lookahead.new_desk(rules, level.widths, level.samples, weights, advice.MOST_FEATURES)


def bound_tree(rules: Rules, advice: ModuleType) -> SimpleNamespace:
    known = {name: getattr(advice, name) for name in PLAYOUT_FUNCTIONS if hasattr(advice, name)}
    return bind(tree.FUNCTIONS, rules, known)


def bound_informed(
    rules: Rules, advice: ModuleType, functions: Sequence[GenericFunction] = informed.FUNCTIONS
) -> SimpleNamespace:
    if not rules.HIDDEN:
        raise UnfinishedGame(f"{advice.__file__} has a TreeSearch with deals, but the game has no secrets")
    for name in INFORMED_FUNCTIONS:
        if not hasattr(advice, name):
            raise UnfinishedGame(
                f"{advice.__file__} has a TreeSearch with deals but no `{name}`: ludoteca/search/informed.py says what "
                "it is"
            )
    names = (*INFORMED_FUNCTIONS, *PLAYOUT_FUNCTIONS)
    known = {name: getattr(advice, name) for name in names if hasattr(advice, name)}
    known["MAX_MOVES"] = rules.MAX_MOVES
    if learned.can_learn(advice):
        known |= {"LEARNS": True, "features": advice.features, "MOST_FEATURES": advice.MOST_FEATURES}
    return bind(functions, rules, known)


def weights_for(advice: ModuleType, level: TreeSearch, weights: Any = None) -> Any:
    """Return what a tree search values positions by: these weights, or the shipped ones; none for playouts."""
    if not level.learned:
        return learned.NO_WEIGHTS
    return learned.weights_of(advice) if weights is None else weights


def tree_for(rules: Rules, simulations: int) -> Any:
    return tree.new_tree(rules, simulations * NODES_A_SIMULATION + rules.MAX_COUNT + 1)


class LookaheadBot:
    def __init__(self, rules: Rules, advice: ModuleType, level: Lookahead) -> None:
        self._bound = bound_lookahead(rules, advice)
        self._level = level
        self.desk = desk_for(rules, advice, level)

    def choose(self, state: Any, rng: Any) -> int:
        return int(self._bound.best_move(self.desk, state, self._level.turns, self._level.noise, rng))

    def warm(self, state: Any, rng: Any) -> None:
        self.choose(state, rng)


class TreeBot:
    def __init__(self, rules: Rules, advice: ModuleType, level: TreeSearch) -> None:
        self._bound = bound_tree(rules, advice)
        self._rules, self._level = rules, level
        self._pool = np.zeros(1, rules.State).view(np.recarray)
        self._tree = tree_for(rules, level.simulations)

    def choose(self, state: Any, rng: Any) -> int:
        return self._search(state, self._level.simulations, rng)

    def warm(self, state: Any, rng: Any) -> None:
        self._search(state, 1, rng)

    def _search(self, state: Any, simulations: int, rng: Any) -> int:
        seat, exploration = self._rules.actor(state), np.float32(self._level.exploration)
        self._bound.search(state, self._pool, self._tree, simulations, exploration, seat, rng)
        return int(self._bound.most_visited(self._tree))


class InformedBot:
    def __init__(self, rules: Rules, advice: ModuleType, level: TreeSearch) -> None:
        self._bound = bound_informed(rules, advice)
        self._rules, self._level = rules, level
        self._pool = np.zeros(1 + level.deals, rules.State).view(np.recarray)
        self._tree = tree_for(rules, level.simulations)
        self._weights = weights_for(advice, level)

    def choose(self, state: Any, rng: Any) -> int:
        return self._search(state, self._level.simulations, self._pool[1:], rng)

    def warm(self, state: Any, rng: Any) -> None:
        self._search(state, 1, self._pool[1:2], rng)

    def _search(self, state: Any, simulations: int, deals: Any, rng: Any) -> int:
        work = (simulations, np.float32(self._level.exploration), self._weights)
        self._bound.search_informed(state, self._pool[:1], deals, self._tree, *work, self._rules.actor(state), rng)
        return int(self._bound.most_visited(self._tree))


class ProvingBot:
    """Plays the best move of an ending whose result it can prove. Otherwise it asks another bot."""

    def __init__(self, bot: LookaheadBot | TreeBot | InformedBot, prover: Prover, limit: int) -> None:
        self._bot, self._prover, self._limit = bot, prover, limit

    def choose(self, state: Any, rng: Any) -> int:
        move = self._prover.move(state, self._limit)
        return self._bot.choose(state, rng) if move is None else move

    def warm(self, state: Any, rng: Any) -> None:
        self._prover.move(state, 1)
        self._bot.warm(state, rng)
