"""A stranger can check every draw: the words follow from the ticket, and the choices are listed in order."""

import json
from contextlib import suppress
from random import Random

import msgspec
import pytest
from stranger import GAMES, strange_draws

from ludoteca.core import registry
from ludoteca.core.chance import Seal, chosen
from ludoteca.core.draws import table_entries
from ludoteca.core.errors import IllegalMove
from ludoteca.core.match import Match
from ludoteca.core.record import to_json

RARE = ("W", "F")  # cards that empty the draw pile
# With lots drawn again (Match'n Lock! 6), the draw pile shuffled (Tic-Tac Match), timeouts (Pin Point) and takebacks.
SEEDS = {"aftaebr": (0,), "kingbrick": (0,), "matchnlock": (0, 6), "pinpoint": (0, 1), "tictacmatch": (0, 1, 2)}


def finished(key: str, seed: int, most: int = 2000, **options: object) -> Match:
    """Return a random match with takebacks, and with timeouts where the rules say what follows from them."""
    game, rng = registry.game(key), Random(f"{key} {seed}")
    agreed = game.agree(options)
    match = Match(game, agreed, None, Seal.derived(f"{key}-{seed}", int(agreed["players"] or 0), "draws"))
    match.begin()
    while match.result is None and len(match.log) < most:
        seat = match.to_move[0]
        what = rng.random()
        if what < 0.05 and game.time_out(match.state, seat, match.agreed) is not None:
            match.play(f"timeout {seat}", 0)
            continue
        moves = game.sample_moves(match.state, seat, rng, 12)
        match.play(next((move for move in moves if move in RARE or move.endswith("!")), moves[0]), seat)
        if what > 0.97 and match.result is None and match.log[-1].by and not game.is_simultaneous(match.state):
            with suppress(IllegalMove):  # past chance
                match.play(f"takeback {list(match.line(len(match.log)))[1]}", 0)
    while match.result is None:
        match.play("resign", next(n for n in range(1, len(match.seats) + 1) if n not in match.position.conduct.out))
    return match


def as_json(match: Match) -> dict:
    return json.loads(to_json(match.record))


CASES = [(key, seed) for key in registry.game_keys() for seed in SEEDS.get(key, (0,))]


@pytest.mark.parametrize(("key", "seed"), CASES)
def test_a_stranger_with_the_docs_draws_the_same(key, seed):
    options = {"turn_seconds": 60} if key == "pinpoint" else {}
    players = registry.game(key).options[0].choices
    match = finished(
        key, seed, players=players[seed % len(players)], most=60 if key == "kingbrick" else 2000, **options
    )
    record = as_json(match)
    picks = sum(len(entry.get("picks", ())) for entry in record["log"])
    if not picks:
        return  # a game without chance
    assert key in GAMES, f"write a class for {key} in tests/stranger.py, from docs/notation.md alone"
    assert strange_draws(record) == picks
    with pytest.raises(AssertionError):
        strange_draws(other_outcome(record))


def other_outcome(record: dict) -> dict:
    """Return the record with the last word of a drawn entry replaced by another of its kind."""
    entry = next(entry for entry in record["log"] if entry.get("picks") and entry["picks"][0][1] > 1)
    words = entry["move"].split(" ")
    words[-1] = words[-2] if len(words) > 2 else {"1": "2", "2": "1"}.get(words[-1], "1")
    return {**record, "log": [entry | {"move": " ".join(words)} if it is entry else it for it in record["log"]]}


def test_a_stranger_follows_a_token_that_goes_back_into_the_bag():
    match = Match(registry.game("matchnlock"), {"players": 2}, None, Seal.derived("m", 2, "stalemate"))
    match.begin()
    for move in ("draw", "c4"):
        match.play(move)
    turns = iter("+-" * 20)
    while not (declared := [move for move in match.game.moves(match.state) if move.endswith("!")]):
        match.play(f"c4{next(turns)}")
    match.play(declared[0])
    for _ in range(30):  # the token that went back, and the new order of the bag
        moves = match.game.moves(match.state)
        match.play("draw" if "draw" in moves else moves[0])
    match.play("resign")
    assert strange_draws(as_json(match)) > 15


@pytest.mark.parametrize("key", registry.game_keys())
def test_the_choices_of_every_draw_are_told_in_the_order_of_their_tickets(key):
    match = finished(key, 0, most=40 if key == "kingbrick" else 2000)
    told = {entry.n: entry for entry in table_entries(match)}
    assert list(told) == [n for n, entry in enumerate(match.log, start=1) if entry.by == 0]
    for n, entry in enumerate(match.log, start=1):
        choices = told[n].draws if n in told else ()
        assert len(choices) == len(entry.picks or ())
        assert n not in told or (told[n].why == "chance") == bool(entry.picks)
        for (ticket, total), listed in zip(entry.picks or (), choices, strict=True):
            texts, weights = zip(*listed, strict=True)
            assert sum(weights) == total
            assert texts[chosen(weights, ticket)] == entry.move
            assert len(set(texts)) == len(texts)
    assert msgspec.json.encode(list(told.values()))
