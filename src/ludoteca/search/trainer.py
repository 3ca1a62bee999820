"""Trains a game's learned values by self-play, in rounds that can be stopped and continued: `ludoteca train`."""

import argparse
import json
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import msgspec
import numpy as np

from ludoteca.core import registry
from ludoteca.core.binding import bind
from ludoteca.core.compiler import sources_digest
from ludoteca.core.errors import BadOption, UnfinishedGame
from ludoteca.core.game import OptionValue
from ludoteca.core.kernel_game import KernelGame
from ludoteca.core.levels import Level, Lookahead, TreeSearch, level_at
from ludoteca.core.random import key_of, word_at
from ludoteca.search import bots, learned, lookahead, training
from ludoteca.search.fitter import FitPlan, Fitter
from ludoteca.search.workbench import Workbench

ROUND = 200  # matches between two looks at the clock
PIECE = 10  # matches that a thread plays in one call
SURPRISES, SURPRISED = 0.1, 6  # a tenth of the turns begins with one of the six best moves
CHECKED = 100  # matches in which the strength is measured
INTERRUPTED = 130  # the exit code that a shell expects after Ctrl-C
SLOWEST = 0.1  # share of the rate that is left at the end


class Plan(msgspec.Struct, frozen=True):
    """What is trained and how: the same plan gives the same weights in one thread."""

    game: str
    matches: int
    players: tuple[int, ...] = (2,)  # the number of players of each round, in turn
    options: dict[str, OptionValue] = {}  # of the game, at every table
    seed: str = "train"
    threads: int = 1
    rate: float = 0.3
    fade: float = 0.7
    against: str = ""  # the level that plays all seats but the learner's, which acts first; none: self-play
    every_seat: bool = False  # against a level, the learner takes every seat in turn
    shipped: bool = False  # begins with the shipped weights, and learns further
    average: bool = False  # the result is the mean of the weights after every round of the second half


class Strength(NamedTuple):
    """How a search with the learned value does against the same search with the guide's own, at one kind of table."""

    players: int
    share: float
    of: int  # matches


class Progress(NamedTuple):
    matches: int
    seconds: float  # of training so far
    error: float  # mean distance of a position's value from what followed, -1 to 1
    strengths: list[Strength]  # at every table that is trained; none if they were not measured


class Trainer:
    """Plays rounds of matches and learns from them. Its file has all that a later run needs to go on."""

    def __init__(self, game: KernelGame, plan: Plan, file: Path | None = None) -> None:
        self._game, self._advice, self._plan, self._file = game, bots.guide(game.key), plan, file
        if not learned.can_learn(self._advice):
            raise UnfinishedGame(f"games/{game.key}/guide.py has no `features`: search/learned.py says what they are")
        self._tables = {players: game.agree({**plan.options, "players": players}) for players in plan.players}
        self._bound = bound_training(game)
        self.weights, self._before = _first_weights(self._advice), None
        if plan.shipped:
            shipped, self._before = learned.read_weights(learned.weights_file(self._advice))
            self.weights[: len(shipped)] = shipped  # features that the guide gained since then are the last ones
        self._lessons = training.Lessons(self.weights, np.zeros_like(self.weights), np.zeros_like(self.weights))
        if plan.every_seat and not plan.against:
            raise BadOption("every-seat", True, "in self-play the learner has all seats: say --against which level")
        if plan.against and not isinstance(self._advice.LEVELS.get(plan.against), Lookahead):
            raise BadOption("against", plan.against, "a level that looks ahead is needed")
        self._rivals = {players: self._rival(players) for players in plan.players}
        self._desks = [self._desk() for _ in range(plan.threads)]
        self._rival_desks = {
            players: [bots.desk_for(game.rules, self._advice, level) for _ in range(plan.threads)]
            for players, level in self._rivals.items()
        }
        self._memories = [training.new_memory(game.rules) for _ in range(plan.threads)]
        self._mean, self._averaged = np.zeros(len(self.weights)), 0  # of the weights, over so many rounds
        self.matches, self.seconds = 0, 0.0
        self._figures: list[dict[str, float]] = []
        if file is not None and file.exists():
            self._read(file)

    def run(self, checks: int, check_matches: int) -> Iterator[Progress]:
        """Train until the plan is done. Measure the strength `checks` times on the way, by so many matches."""
        every = max(ROUND, self._plan.matches // max(1, checks))
        due = (self.matches // every + 1) * every
        while self.matches < self._plan.matches:
            began = time.perf_counter()
            error = self._round()
            if self._plan.average and 2 * self.matches > self._plan.matches:
                self._averaged += 1
                self._mean += (self.weights - self._mean) / self._averaged
            self.seconds += time.perf_counter() - began
            strengths = []
            if checks and (self.matches >= due or self.matches >= self._plan.matches):
                due += every
                strengths = [self._strength(players, check_matches) for players in self._tables]
                self._figures.extend({"matches": self.matches, **one._asdict()} for one in strengths)
            self._write()
            yield Progress(self.matches, self.seconds, error, strengths)

    @property
    def result(self) -> Any:
        """The weights that were learned so far."""
        return self._mean.astype(np.float32) if self._averaged else self.weights

    def _round(self) -> float:
        """Play one round, shared among the threads. Return the mean error."""
        plan, first = self._plan, self.matches
        last = min(first + ROUND, plan.matches)
        players = plan.players[first // ROUND % len(plan.players)]
        options = self._game.options_record(self._tables[players])
        play = self._advice.SELF_PLAY
        rate = plan.rate * max(SLOWEST, 1 - first / plan.matches)
        course = training.Course(
            play.turns,
            play.noise,
            SURPRISES,
            SURPRISED,
            rate,
            plan.fade,
            self._advice.SCALE,
            self._rivals[players].turns if plan.against else 0,
            self._rivals[players].noise,
            plan.every_seat,
        )
        base, lock, numbers = key_of("train", plan.seed), threading.Lock(), iter(range(first, last, PIECE))

        def learn(thread: int) -> tuple[int, float]:
            positions, wrong = 0, 0.0
            while True:
                with lock:
                    number = next(numbers, None)
                if number is None:
                    return positions, wrong
                keys = np.array([word_at(base, n + 1) for n in range(number, min(number + PIECE, last))], np.uint64)
                desks = (self._desks[thread], self._rival_desks[players][thread])
                n, errors = self._bound.train_matches(
                    options, keys, *desks, course, self._memories[thread], self._lessons
                )
                positions, wrong = positions + n, wrong + errors

        if plan.threads == 1:
            results = [learn(0)]
        else:
            with ThreadPoolExecutor(plan.threads) as pool:
                results = list(pool.map(learn, range(plan.threads)))
        self.matches = last
        return sum(wrong for _, wrong in results) / max(1, sum(n for n, _ in results))

    def _strength(self, players: int, matches: int) -> Strength:
        """Play about so many matches at a table. The learned value takes every side in turn."""
        level = rival(self._advice.LEVELS, players)
        learner, agreed = msgspec.structs.replace(level, learned=True), self._tables[players]
        state = self._game.start(agreed)
        sides = [self._game.side(state, seat) for seat in range(1, players + 1)]
        taken = sorted(set(sides))
        numbers, won = np.arange(1, max(1, matches // len(taken)) + 1), 0.0
        for own in taken:
            seated = [learner if side == own else level for side in sides]
            book = Workbench(self._game, agreed, seated, self.result).play(key_of("strength"), numbers, keep=False)
            for winners in book.winners.tolist():
                winning = {side for place, side in enumerate(sides) if winners >> place & 1}
                winning = winning or set(taken if players > 1 else ())  # a draw; alone, a defeat
                won += (own in winning) / max(1, len(winning))
        return Strength(players, round(won / (len(taken) * len(numbers)), 3), len(taken) * len(numbers))

    def ship(self) -> Path:
        """Write the weights beside the game's guide.py, with what made them."""
        path = learned.weights_file(self._advice)
        learned.write_weights(path, self.result, self._made())
        return path

    def _rival(self, players: int) -> Lookahead:
        """Return the level that plays against the learner; in self-play it only fills a place."""
        plan, advice = self._plan, self._advice
        level = level_at(advice.LEVELS[plan.against] if plan.against else advice.SELF_PLAY, players)
        assert isinstance(level, Lookahead)
        return level

    def _desk(self) -> Any:
        play = self._advice.SELF_PLAY
        rules, most = self._game.rules, self._advice.MOST_FEATURES
        return lookahead.new_desk(rules, play.widths, play.samples, self.weights, most)

    def _made(self) -> dict[str, Any]:
        plan = self._plan
        command = (
            f"ludoteca train {plan.game} --matches {plan.matches} --players {','.join(map(str, plan.players))}"
            + "".join(f" --set {name}={str(value).lower()}" for name, value in plan.options.items())
            + f" --seed {plan.seed} --threads {plan.threads} --rate {plan.rate:g} --fade {plan.fade:g}"
            + (f" --against {plan.against}" if plan.against else "")
            + (" --every-seat" if plan.every_seat else "")
            + (" --shipped" if plan.shipped else "")
            + (" --average" if plan.average else "")
        )
        return {
            "command": command,
            "plan": msgspec.to_builtins(plan),
            "sources": sources_digest(),
            "matches": self.matches,
            "seconds": round(self.seconds),
            "figures": self._figures,
        } | ({"before": self._before} if self._before else {})

    def _write(self) -> None:
        if self._file is None:
            return
        whole = self._file.with_suffix(".new")
        with whole.open("wb") as file:
            also: dict[str, Any] = {"mean": self._mean, "averaged": self._averaged, "made": json.dumps(self._made())}
            np.savez(file, **self._lessons._asdict(), **also)
        whole.replace(self._file)

    def _read(self, file: Path) -> None:
        with np.load(file) as stored:
            made = json.loads(str(stored["made"]))
            if msgspec.convert(made["plan"], Plan) != self._plan or made["sources"] != sources_digest():
                raise BadOption("out", str(file), f"other rules made it, or another command: {made['command']}")
            for name, array in self._lessons._asdict().items():
                array[:] = stored[name]
            self._mean[:], self._averaged = stored["mean"], int(stored["averaged"])
        self._before = made.get("before")
        self.matches, self.seconds, self._figures = made["matches"], made["seconds"], made["figures"]


def rival(levels: dict[str, Level], players: int) -> Lookahead:
    """Return the second strongest level that searches with the guide's own value: quick, and good enough to lose to."""
    known = (level_at(level, players) for level in levels.values())
    own = [level for level in known if isinstance(level, Lookahead) and not level.learned]
    return own[-2:][0]


@cache
def bound_training(game: KernelGame) -> SimpleNamespace:
    """Return the functions of training.py, for the rules and the features of a game."""
    advice = bots.guide(game.key)
    known = {name: getattr(advice, name) for name in bots.GUIDE_FUNCTIONS}
    functions = (*learned.FUNCTIONS, *lookahead.FUNCTIONS, *training.FUNCTIONS)
    return bind(functions, game.rules, known | learned.functions_of(advice) | {"LEARNS": True})


def _first_weights(advice: Any) -> Any:
    first = advice.first_weights() if hasattr(advice, "first_weights") else np.zeros(advice.WEIGHTS, np.float32)
    assert len(first) == advice.WEIGHTS
    return first


def train_as_asked(given: argparse.Namespace) -> int:
    """Train as the command line says, and print how it goes."""
    game = registry.game(given.game)
    if not isinstance(game, KernelGame):
        raise UnfinishedGame(f"{game.name} has no kernel: nothing can be learned by playing it in compiled code")
    if given.threads < 1 or given.matches < 1:
        raise BadOption("matches", given.matches, "one match and one thread are needed at least")
    if isinstance(getattr(bots.guide(game.key), "SELF_PLAY", None), TreeSearch):
        return _fit_as_asked(game, given)
    players = _numbers(given.players)
    options = dict(map(game.read_option, given.set))
    pace, rivals = (given.seed, given.threads, given.rate, given.fade), (given.against, given.every_seat)
    plan = Plan(game.key, given.matches, players, options, *pace, *rivals, given.shipped, given.average)
    trainer = Trainer(game, plan, given.out or Path(f"{game.key}-training.npz"))
    try:
        for now in trainer.run(given.checks, CHECKED):
            if now.strengths:
                won = ", ".join(f"{one.share:.1%} of {one.of} with {one.players} players" for one in now.strengths)
                print(
                    f"{now.matches} matches, {now.seconds:.0f} s, error {now.error:.4f}: wins {won}"
                    " against the same search with the guide's own value",
                    flush=True,
                )
    except KeyboardInterrupt:
        print(f"stopped after {trainer.matches} of {plan.matches} matches: the same command continues", file=sys.stderr)
        return INTERRUPTED
    if given.ship:
        print(f"written: {trainer.ship().name}")
    return 0


def _fit_as_asked(game: KernelGame, given: argparse.Namespace) -> int:
    """Learn the values of a game whose bots grow trees. What the command line says about a lookahead is ignored."""
    fitter = Fitter(game, FitPlan(game.key, given.matches, given.seed, given.fade))
    for now in fitter.run(CHECKED if given.checks else 0):
        print(", ".join(f"{name} {value}" for name, value in now.items()), f"after {fitter.seconds:.0f} s", flush=True)
    if given.ship:
        print(f"written: {fitter.ship().name}")
    return 0


def _numbers(text: str) -> tuple[int, ...]:
    if not all(part.isdecimal() for part in text.split(",")):
        raise BadOption("players", text, "give numbers with commas, like 2,3,4")
    return tuple(int(part) for part in text.split(","))
