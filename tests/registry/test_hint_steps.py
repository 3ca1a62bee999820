"""What a hint says before the move: in every game, in every language, and never the move itself."""

from random import Random

import example_games
import pytest

from ludoteca.core import registry
from ludoteca.core.match import Match
from ludoteca.core.words import say

MOVES = 12


@pytest.mark.parametrize("key", [*registry.game_keys(), *example_games.KEYS])
def test_hints_say_less_before_they_say_the_move(key):
    match, rng, told = Match.new(key), Random("hints"), 0
    for _ in range(MOVES):
        if match.result:
            break
        game, seat = match.game, match.to_move[0]
        move = game.sample_moves(match.state, seat, rng, 1)[0]
        described = game.describe_hint(match.state, seat, move)
        for step in game.hint_steps(described, move):
            told += 1
            for language in ("en", "it"):
                said = say(step, language)
                assert said
                assert "{" not in said
                assert say(described.message, language) not in said
        match.play(move, seat)
    assert told > 0, f"{key} gives hints without steps: write `hint_steps` in its game.py"
