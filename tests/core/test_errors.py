"""Errors name what was wrong, and travel between processes."""

import pickle

import pytest

from ludoteca.core.errors import BadOption, BadRecord, IllegalMove, StaleMatch, UnknownBot, UnknownGame, UnknownMove
from ludoteca.core.words import message

ERRORS = [
    (UnknownGame("chess", ["pinpoint"]), "game/unknown", "unknown game 'chess'; there are pinpoint"),
    (BadOption("players", 9, "one of 2, 3, 4"), "option/bad", "bad option players=9: one of 2, 3, 4"),
    (UnknownBot("genius", ["random"]), "bot/unknown", "unknown bot 'genius'; there are random"),
    (UnknownMove("x", message("core.over")), "move/unknown", "unknown move 'x': the match is over"),
    (IllegalMove("x", message("core.over")), "move/illegal", "illegal move 'x': the match is over"),
    (StaleMatch(3, 5), "match/stale", "stale match: the move was made after entry 3, the log has 5"),
    (BadRecord(4, "why"), "record/bad", "entry 4: why"),
    (BadRecord(0, "why"), "record/bad", "why"),
]


@pytest.mark.parametrize(("error", "code", "text"), ERRORS, ids=lambda value: str(value)[:20])
def test_an_error_has_a_code_and_a_text_and_travels(error, code, text):
    for told in (error, pickle.loads(pickle.dumps(error))):
        assert type(told) is type(error)
        assert (told.code, str(told), vars(told)) == (code, text, vars(error))
