"""Checks of a record's entries, one by one, while `Match.load` replays them: what the rules alone do not refuse."""

from collections.abc import Sequence
from typing import Any

from ludoteca.core.chance import Drawing, Seal
from ludoteca.core.errors import BadRecord, BadSeal
from ludoteca.core.events import ConductEvent, Event
from ludoteca.core.game import Game
from ludoteca.core.record import Entry, Record


def opened_seal(record: Record) -> Seal:
    """Return the seal of a finished match. Raise BadSeal if it contradicts itself or the seats."""
    assert record.seal is not None
    try:
        seal = Seal.opened(record.seal)
    except ValueError as error:
        raise BadSeal(0, f"bad seal: {error}") from None
    for seat, (sitting, commit) in enumerate(zip(record.seats, seal.commits or (), strict=False), start=1):
        if sitting.bot is None and commit is None:
            raise BadSeal(0, f"bad seal: seat {seat} is a person's and had no say")
    return seal


def check_given(number: int, entry: Entry, changes_state: bool) -> None:
    """Raise BadRecord unless an entry can be part of a position that a match begins from (core/positions.py)."""
    if entry.picks is not None or entry.t is not None or entry.left is not None:
        raise BadRecord(number, f"{entry.move!r} was given, and has a time or picks of this match")
    if not changes_state:
        raise BadRecord(number, f"{entry.move!r} is no part of a position")


def check_draw(game: Game, state: Any, drawing: Drawing, number: int, entry: Entry, event: Event | None) -> None:
    """Raise BadSeal if chance drew something else than the seal says."""
    if entry.by == 0 and entry.picks is None and game.is_measured(entry.move):
        return
    move = game.chance(state, drawing)
    picks = drawing.take_picks() or None
    if move is not None and (entry.by != 0 or isinstance(event, ConductEvent)):
        return  # conduct may come before the draw; the rules refuse every other entry
    if (move or entry.move) != entry.move or picks != entry.picks:
        raise BadSeal(number, f"the seal draws {move!r} {picks}, the record has {entry.move!r} {entry.picks}")


def check_measured(game: Game, state: Any, number: int, entry: Entry, event: Event | None) -> None:
    """Measure again. Raise BadRecord or IllegalMove if the measurement differs."""
    if entry.by == 0 and game.is_measured(entry.move):
        measured = game.chance(state, _nothing_to_draw)
        if measured != entry.move:
            raise BadRecord(number, f"measured {_short(measured)}, the record has {_short(entry.move)}")
    elif entry.by and event is None:
        game.admit(state, entry.by, entry.move)


def _nothing_to_draw(weights: Sequence[int]) -> int:
    raise AssertionError("a measurement draws nothing")


def _short(text: str | None) -> str:
    return repr(text if text is None or len(text) <= 200 else text[:200] + "...")
