"""How long a board acts an entry out: the film of a flick, the aim of somebody else, a release roll.

The clock of the next player starts after that. The board keeps to the same times, see playback.svelte.ts, drama.ts
and Play.svelte in web/src/games/kingbrick.
"""

from ludoteca.games.kingbrick import motion
from ludoteca.games.kingbrick.bricks import KING
from ludoteca.games.kingbrick.notation import read
from ludoteca.games.kingbrick.physics import Rest
from ludoteca.games.kingbrick.state import State

LINGERS, SHOWN = 1400, 900  # milliseconds for which the last result stays, and then the aim of somebody else
TUMBLE, FACE = 950, 700  # a release roll, and the face that it shows
AFTERMATH = 350  # at the end of a film
HIT_KING, SLOWER = 380, 4  # the part of a film around a hit King that is shown more slowly, and how much more


def acts_out(state: State, move: str) -> int:
    """Return for how many milliseconds a board acts out an entry that is made in this state."""
    if move.startswith("flick "):
        return LINGERS + SHOWN
    if move.startswith("roll "):
        return TUMBLE + FACE
    made = read(move) if move.startswith("rest ") else None
    if not isinstance(made, Rest) or not made.motion:
        return 0
    frames, names = motion.cast(made.motion)
    kings = (name for name, brick in state.bricks.items() if brick.kind == KING)  # a film may name anything
    slowed = (SLOWER - 1) * HIT_KING if any(king in names for king in kings) else 0
    return round(1000 * frames / motion.FRAMES_A_SECOND) + AFTERMATH + slowed
