"""OpenSpiel games of every game that has a kernel, as `ludoteca_<key>`: importing this module registers them.

    import pyspiel
    import ludoteca.rl.spiel
    game = pyspiel.load_game("ludoteca_tictacmatch(players=4,teams=True)")

Chance is explicit. The number of an outcome is that of the rules less MAX_MOVES. The information state of a player is a
string with perfect recall: everything that the seat was told since the start. The parameters are the game's options.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec
import numpy as np
import pyspiel

from ludoteca.core import registry, tensors
from ludoteca.core.drawing import drawing
from ludoteca.core.game import Option, OptionValue
from ludoteca.core.kernel import CHANCE, OVER, copied
from ludoteca.core.kernel_game import KernelGame

PREFIX = "ludoteca_"


class Noted:
    """What was worked out about one position. Copies of a state share it until they move on."""

    def __init__(self) -> None:
        self.known: dict[Any, Any] = {}

    def __deepcopy__(self, memo: dict[int, Any]) -> "Noted":
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return (Noted, ())


class SpielGame(pyspiel.Game):  # type: ignore[misc]
    kernel: KernelGame  # of a subclass

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        agreed = self.kernel.agree(_options(self.kernel, params or {}))
        self.options = self.kernel.options_record(agreed)
        self.first = self.kernel.start(agreed)
        players = int(agreed["players"] or 0)
        code, rules = tensors.encoding(self.kernel.key), self.kernel.rules
        is_zero_sum = players == 2
        info = pyspiel.GameInfo(
            num_distinct_actions=rules.MAX_MOVES,
            max_chance_outcomes=code.OUTCOMES,
            num_players=players,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0 if is_zero_sum else None,
            max_game_length=code.LONGEST,
        )
        super().__init__(_game_type(self.kernel, is_zero_sum), info, dict(params or {}))

    def new_initial_state(self) -> "SpielState":
        return STATES[self.kernel.key](self)

    def make_py_observer(self, kind: Any = None, params: Any = None) -> "Observer":
        if params:
            raise ValueError(f"observation parameters {params}: there are none")
        return Observer(self.kernel, kind)

    def max_chance_nodes_in_history(self) -> int:
        return int(tensors.encoding(self.kernel.key).LONGEST) * 2 if self.max_chance_outcomes() else 0


class SpielState(pyspiel.State):  # type: ignore[misc]
    kernel: KernelGame  # of a subclass

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self.record = copied(game.first)
        self.told = ("",) * game.num_players()
        self.noted = Noted()

    def current_player(self) -> int:
        if (actor := self._actor()) >= 0:
            return actor
        return int(pyspiel.PlayerId.CHANCE if actor == CHANCE else pyspiel.PlayerId.TERMINAL)

    def is_terminal(self) -> bool:
        return self._actor() == OVER

    def _actor(self) -> int:
        actor: int = self._once("actor", lambda: int(self.kernel.rules.actor(self.record)))
        return actor

    def _legal_actions(self, player: int) -> list[int]:
        listed: list[int] = self._moves().tolist()
        return listed

    def _moves(self) -> Any:
        room = np.empty(self.kernel.rules.MAX_COUNT, np.int32)
        return self._once("moves", lambda: np.sort(room[: self.kernel.rules.moves(self.record, room)]))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        rules, record = self.kernel.rules, self.record
        weights = {rules.move_at(record, k): rules.weight_at(record, k) for k in range(rules.count(record))}
        total = sum(weights.values())
        return [(int(move - rules.MAX_MOVES), weights[move] / total) for move in sorted(weights)]

    def _apply_action(self, action: int) -> None:
        rules = self.kernel.rules
        who = self._actor()
        move = action + rules.MAX_MOVES if who == CHANCE else action
        self.told = tuple(f"{told}{self._said(seat, who, move)}\n" for seat, told in enumerate(self.told))
        self.noted = Noted()
        rules.play(self.record, move)

    def _said(self, seat: int, who: int, move: int) -> str:
        """A move, or an outcome of chance, as a seat is told of it."""
        code = tensors.encoding(self.kernel.key)
        said = code.told(self.record, seat, move) if hasattr(code, "told") else None
        by = "" if who == CHANCE else f"{who}: "
        return by + (said or self._named(who, move))

    def _named(self, who: int, move: int) -> str:
        if who == CHANCE:
            return str(tensors.encoding(self.kernel.key).outcome(move))
        return self.kernel.format(self.record, move)

    def _action_to_string(self, player: int, action: int) -> str:
        is_chance = player == pyspiel.PlayerId.CHANCE
        return self._named(CHANCE if is_chance else player, action + self.kernel.rules.MAX_MOVES * is_chance)

    def with_record(self, record: Any) -> "SpielState":
        """Return a copy of this state with another record, for instance one in which hidden cards are dealt anew."""
        other: SpielState = self.clone()
        other.record, other.noted = record, Noted()
        return other

    def returns(self) -> list[float]:
        payoffs = np.zeros(self.kernel.rules.SEATS, np.float32)
        if self.is_terminal():
            self.kernel.rules.payoff(self.record, payoffs)
        return [float(payoff) for payoff in payoffs[: self.num_players()]]

    def view(self, seat: int | None) -> dict[str, Any]:
        """Return what a seat, or a stranger, sees as JSON."""
        eye = None if seat is None or not self.kernel.rules.HIDDEN else seat + 1
        found: dict[str, Any] = self._once(("view", eye), lambda: self.kernel.view(self.record, eye))
        return found

    def _once(self, what: Any, work: Callable[[], Any]) -> Any:
        if what not in self.noted.known:
            self.noted.known[what] = work()
        return self.noted.known[what]

    def __str__(self) -> str:
        """Return the board as the player who is to move sees it."""
        actor = self.current_player()
        view = self.view(actor if actor >= 0 else None)
        return str(self._once("text", lambda: drawing(self.kernel.key).text(view)))


class Observer:
    """What one kind of observation tells: a tensor where it is what a seat sees now, else words alone."""

    def __init__(self, kernel: KernelGame, kind: Any) -> None:
        self._code = tensors.encoding(kernel.key)
        self._recalls = kind is not None and kind.perfect_recall
        self._is_public = kind is None or kind.public_info
        self._is_private = kind is None or kind.private_info != pyspiel.PrivateInfoType.NONE
        self.dict: dict[str, Any] = {}
        self.tensor: Any = None
        if self._is_public and self._is_private and not self._recalls:
            self.tensor = np.zeros(int(np.prod(self._code.SHAPE)), np.float32)
            self.dict["observation"] = self.tensor.reshape(self._code.SHAPE)

    def set_from(self, state: SpielState, player: int) -> None:
        if self.tensor is not None:
            self._code.encode(state.record, player, self.dict["observation"])

    def string_from(self, state: SpielState, player: int) -> str:
        if self._recalls:
            return str(state.told[player])
        public = state.view(None)
        if not self._is_private:
            return _json(public)
        own = state.view(player)
        return _json(own if self._is_public else {key: own[key] for key in own if own[key] != public[key]})


def _json(view: dict[str, Any]) -> str:
    return msgspec.json.encode(view).decode()


USUAL = -1  # of a switch that is neither on nor off unless somebody says so


WORD = 0  # of an option that is a word by default, and otherwise a number


def _is_word_or_number(option: Option) -> bool:
    return isinstance(option.default, str) and option.least is not None and option.least > 0


def _parameters(game: KernelGame) -> dict[str, Any]:
    """Return the options with their defaults, as texts where they have several types. Clocks are left out.

    A switch whose default depends on other options is a number: -1 for the default, else 0 or 1. An option that is a
    word or a number from 1 on, such as who begins, is a number too: 0 for the word.
    """
    found: dict[str, Any] = {}
    for option in game.options:
        if option.default is None and True in option.choices:
            found[option.name] = USUAL
        elif _is_word_or_number(option):
            found[option.name] = WORD
        elif option.default is not None:
            found[option.name] = option.default if isinstance(option.default, bool | int) else str(option.default)
    return found


def _options(game: KernelGame, params: Mapping[str, Any]) -> dict[str, OptionValue]:
    known = {option.name: option for option in game.options}
    agreed: dict[str, OptionValue] = {}
    for name, value in params.items():
        option = known[name]
        if option.default is None:
            agreed[name] = None if value == USUAL else bool(value)
        elif _is_word_or_number(option):
            agreed[name] = option.default if value == WORD else option.check(value)
        else:
            agreed[name] = option.read(str(value))
    return agreed


def _game_type(game: KernelGame, is_zero_sum: bool) -> Any:
    kind = pyspiel.GameType
    has_chance = bool(tensors.encoding(game.key).OUTCOMES)
    return kind(
        short_name=PREFIX + game.key,
        long_name=game.name,
        dynamics=kind.Dynamics.SEQUENTIAL,
        chance_mode=kind.ChanceMode.EXPLICIT_STOCHASTIC if has_chance else kind.ChanceMode.DETERMINISTIC,
        information=(
            kind.Information.IMPERFECT_INFORMATION if game.rules.HIDDEN else kind.Information.PERFECT_INFORMATION
        ),
        utility=kind.Utility.ZERO_SUM if is_zero_sum else kind.Utility.GENERAL_SUM,
        reward_model=kind.RewardModel.TERMINAL,
        max_num_players=max(game.players),
        min_num_players=min(game.players),
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=bool(game.rules.HIDDEN),
        parameter_specification=_parameters(game),
    )


STATES: dict[str, type[SpielState]] = {}


def register(key: str) -> str:
    """Make a game known to OpenSpiel. Return its name there."""
    game = registry.game(key)
    assert isinstance(game, KernelGame)
    if key not in STATES:
        STATES[key] = type(f"{key}_state", (SpielState,), {"kernel": game})
        is_zero_sum = game.agree({})["players"] == 2
        pyspiel.register_game(_game_type(game, is_zero_sum), type(f"{key}_game", (SpielGame,), {"kernel": game}))
    return PREFIX + key


def names() -> Sequence[str]:
    """Return the names under which the games are known to OpenSpiel."""
    return [PREFIX + key for key in STATES]


for _key in registry.game_keys():
    if isinstance(registry.game(_key), KernelGame) and tensors.has_encoding(_key):
        register(_key)
