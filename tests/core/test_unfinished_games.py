"""A game that lacks something gets one sentence that says what to write."""

from types import SimpleNamespace

import pytest
from kernels import die

from ludoteca import games
from ludoteca.core import drawing, registry, tensors
from ludoteca.core.binding import complete
from ludoteca.core.errors import UnfinishedGame
from ludoteca.core.kernel_game import KernelGame
from ludoteca.games.connectfour.game import GAME as CONNECT_FOUR


def test_secrets_need_a_conceal():
    with pytest.raises(UnfinishedGame, match=r"whist/rules.py has HIDDEN, but no `conceal`: write one"):
        complete(SimpleNamespace(HIDDEN=True, __file__="whist/rules.py"))


def test_a_missing_function_is_named():
    with pytest.raises(UnfinishedGame, match=r"whist/rules.py has no `MAX_COUNT`: write it as the contract"):
        complete(SimpleNamespace(HIDDEN=False, __file__="whist/rules.py"))


def test_somebody_acts():
    functions = dict.fromkeys(("start", "count", "move_at", "play", "winners"), die.start)
    constants = {"SEATS": 2, "MAX_MOVES": 2, "MAX_COUNT": 2, "HIDDEN": False}
    rules = SimpleNamespace(**constants, **functions, State=die.State, Options=die.Options, __file__="whist/rules.py")
    with pytest.raises(UnfinishedGame, match=r"whist/rules.py has no `actor`: write the function, or add a field"):
        complete(rules)


def test_a_folder_is_a_package(monkeypatch, tmp_path):
    (tmp_path / "whist").mkdir()
    (tmp_path / "whist" / "game.py").touch()
    monkeypatch.setattr(games, "__path__", [*games.__path__, str(tmp_path)])
    with pytest.raises(UnfinishedGame, match=r"games/whist has no __init__.py: write an empty one"):
        registry.game("whist")


def test_a_missing_drawing_is_named(monkeypatch):
    monkeypatch.setattr(drawing, "find_spec", lambda name: None)
    with pytest.raises(UnfinishedGame, match=r"games/whist has no drawing.py: write `text` and `picture`"):
        drawing.drawing("whist")


@pytest.mark.parametrize(
    ("key", "name"), [("connectfour", "LONGEST"), ("connectfour", "PLANES"), ("kingbrick", "LOWEST")]
)
def test_what_an_encoding_lacks_is_named(monkeypatch, key, name):
    monkeypatch.delattr(tensors.encoding(key), name)
    with pytest.raises(UnfinishedGame, match=rf"games/{key}/encode.py has no `{name}`"):
        tensors.encoding.__wrapped__(key)


def test_a_state_says_how_many_play():
    with pytest.raises(UnfinishedGame, match="State of Dice has no field `players`"):
        type("Dice", (KernelGame,), {"rules": die})


@pytest.mark.parametrize("name", ["name", "rules_version", "can_draw"])
def test_a_missing_declaration_is_named(monkeypatch, name):
    monkeypatch.delattr(type(CONNECT_FOUR), name)
    with pytest.raises(UnfinishedGame, match=rf"games/connectfour/game.py: ConnectFour has no `{name}`"):
        registry.game.__wrapped__("connectfour")


def test_chance_needs_its_notation():
    game = registry.game("pinpoint")
    state = game.start(game.agree({}))
    for method, given in ((KernelGame.parse_chance, "start 1"), (KernelGame.format_chance, [])):
        with pytest.raises(UnfinishedGame, match=r"write `parse_chance` and `format_chance` in game.py"):
            method(game, state, given)
