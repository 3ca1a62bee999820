"""Positions of one match from which another one begins: the entries that lead there, as its first ones."""

from ludoteca.core.errors import LudotecaError
from ludoteca.core.match import Match, changes_state
from ludoteca.core.record import Entry


class NoPosition(LudotecaError):
    """No match can begin from this position."""

    code = "position/refused"


def entries_to(match: Match, number: int) -> list[Entry]:
    """Return the entries that lead to the position after an entry, for the log of another match.

    What was taken back is left out, and so is conduct: nobody is out, late or away in the other match. Times and picks
    belong to this match and are left out too. Raise NoPosition if no match can begin there.
    """
    if number == 0:
        raise NoPosition("nothing has happened yet: make a new table instead")
    state = match.at(number).state
    if match.game.is_simultaneous(state):
        raise NoPosition(f"after entry {number} the seats are still choosing in secret")
    if match.game.outcome(state, frozenset()) is not None:
        raise NoPosition(f"after entry {number} the match is over")
    numbers = list(match.line(number))[::-1]
    kept = [n for n in numbers if changes_state(match, n, match.events[n - 1])]
    return [Entry(match.log[n - 1].by, match.log[n - 1].move, score=match.log[n - 1].score) for n in kept]
