"""What every game promises to people (core/game.py), proved for every game of the registry.

Some promises are about a list of all moves, or about a state that can be dealt anew. A game without a kernel has
neither, so these tests ask games with a kernel only: they say so with `isinstance(game, KernelGame)`.
"""

from random import Random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludoteca.core import registry
from ludoteca.core.chance import Seal, chosen
from ludoteca.core.errors import BadOption, IllegalMove, LudotecaError, UnknownMove
from ludoteca.core.kernel import copied
from ludoteca.core.kernel_game import KernelGame
from ludoteca.core.match import Match
from ludoteca.core.random import generator
from ludoteca.core.record import Entry, from_json, to_json
from ludoteca.core.words import say
from ludoteca.search import bots


def begun(game_case, seed):
    key, options = game_case
    match = Match(registry.game(key), options, None, Seal.derived(f"match {seed}", options["players"], seed))
    match.begin()
    return match


MEASURED_MOVES = 12  # physics takes long: a walk through a measured game is shorter


def advance(match, seed, most):
    """Let the random bot make at most `most` moves; more than 1000 mean the whole match."""
    if match.game.measures and most <= 1000:
        most = min(most, MEASURED_MOVES)
    for n in range(most):
        if match.result:
            break
        seat = match.to_move[0]
        match.play(bots.choose(match.game, "random", match.state, seat, (seed, n)), seat)
    return match


def all_seen(match):
    """Return everything that anybody can see of the position, as bytes."""
    seats = [None, *range(1, len(match.seats) + 1)]
    shown = [match.game.view(match.state, seat) for seat in seats]
    legal = [match.game.legal(match.state, seat) for seat in seats[1:]]
    return msgspec.json.encode([shown, legal, match.to_move, match.result])


one_line = st.characters(exclude_categories=("Cs",), exclude_characters="\n")
lengths, seeds = st.integers(0, 120), st.integers(0, 50)


@given(length=lengths, seed=seeds)
def test_notation_round_trips(game_case, length, seed):
    match = advance(begun(game_case, seed), seed, length)
    if isinstance(match.game, KernelGame):
        for text in match.game.moves(match.state)[::17]:
            assert match.game.format(match.state, match.game.parse(match.state, text)) == text


@given(length=lengths, seed=seeds)
def test_json_round_trips(game_case, length, seed):
    record = advance(begun(game_case, seed), seed, length).record
    assert from_json(to_json(record)) == record
    assert to_json(from_json(to_json(record))) == to_json(record)


@given(length=lengths, seed=seeds)
def test_replay_equals_play(game_case, length, seed):
    match = advance(begun(game_case, seed), seed, length)
    again = Match.load(match.record, match.seal)
    assert to_json(again.record) == to_json(match.record)
    assert all_seen(again) == all_seen(match)
    without_secret = Match.load(match.record)
    assert to_json(without_secret.record) == to_json(match.record)


@given(data=st.data())
def test_takeback_equals_the_shorter_match(game_case, data):
    seed = data.draw(seeds)
    match = advance(begun(game_case, seed), seed, data.draw(st.integers(1, 60)))
    target = data.draw(st.integers(0, len(match.log) - 1))
    length = len(match.log)
    refused = None
    try:
        match.play(f"takeback {target}", by=0)
    except IllegalMove as error:
        refused = error.reason.key
    if refused:
        assert refused in ("core.over", "core.past_chance", "core.past_secret")
        assert len(match.log) == length
        return
    shorter = Match(match.game, match.agreed, match.seats, match.seal)
    for number, entry in enumerate(match.log[:target], start=1):
        shorter._replay(number, entry, measure=False)
    assert all_seen(match) == all_seen(shorter)
    assert len(match.log) == length + 1
    advance(match, "after", 3)
    assert all_seen(Match.load(match.record, match.seal)) == all_seen(match)


@given(data=st.data())
def test_illegal_moves_are_refused_with_a_reason_and_nothing_changes(game_case, data):
    seed = data.draw(seeds)
    match = advance(begun(game_case, seed), seed, data.draw(lengths))
    strange = data.draw(
        st.one_of(st.text(one_line, max_size=12), st.sampled_from(["", "resign ", "takeback", "bot 9", "pass"]))
    )
    log, seen = list(match.log), all_seen(match)
    for by in range(-1, len(match.seats) + 2):
        legal = match.game.moves(match.state) if by in match.to_move and isinstance(match.game, KernelGame) else []
        if strange in legal:
            continue
        with pytest.raises((IllegalMove, UnknownMove)) as refused:
            match.play(strange, by=by)
        assert repr(strange) in str(refused.value)
        assert say(refused.value.reason)
    if match.to_move and isinstance(match.game, KernelGame):
        for wrong in set(range(1, len(match.seats) + 1)) - set(match.to_move):
            with pytest.raises(IllegalMove):
                match.play(match.game.moves(match.state)[0], by=wrong)
    assert (match.log, all_seen(match)) == (log, seen)


@given(length=lengths, seed=seeds)
def test_sampled_moves_are_legal(game_case, length, seed):
    match = advance(begun(game_case, seed), seed, length)
    for seat in match.to_move:
        for move in match.game.sample_moves(match.state, seat, Random(seed), 2):
            assert match.prepare(move, seat).entries[0].move == move.split("\n")[0]


@given(length=lengths, seed=seeds)
def test_seats_that_must_not_see_a_difference_get_equal_bytes(game_case, length, seed):
    match = advance(begun(game_case, seed), seed, length)
    game = match.game
    if not isinstance(game, KernelGame):
        return
    for seat in range(1, len(match.seats) + 1):
        other = copied(match.state)
        game.rules.conceal(other, seat - 1, generator("another deal"))
        for ask in (game.view, game.legal):
            assert msgspec.json.encode(ask(other, seat)) == msgspec.json.encode(ask(match.state, seat))


@given(length=lengths, seed=seeds, ticket=st.integers(0, 1000))
def test_a_seat_reads_equal_entries_where_it_cannot_tell_the_outcomes_apart(game_case, length, seed, ticket):
    """Two outcomes of chance, or two moves, lead to states that differ only in what a seat cannot see.

    The seat, and a spectator, must read the same entry, without the picks, and the same words.
    """
    match = advance(begun(game_case, seed), seed, length)
    game = match.game
    if not isinstance(game, KernelGame) or not game.rules.HIDDEN:
        return
    for number in range(len(match.log)):
        before, entry = match.at(number).state, match.log[number]
        other = other_entry(game, before, entry, ticket)
        states = [game.play(before, made.by, made.move).state for made in (entry, other)]
        for seat in {*range(1, len(match.seats) + 1)} - {entry.by}:
            known = [game.concealed(state, seat, generator("deal")).tobytes() for state in states]
            if states[0].tobytes() != states[1].tobytes() and known[0] == known[1]:
                for reader in (seat, None):
                    first, second = (game.seen(made, reader) for made in (entry, other))
                    assert first == second
                    assert game.describe(before, first) == game.describe(before, second)


def other_entry(game, state, entry, ticket):
    """Return an entry like this one, with another outcome or another move of the same seat."""
    if entry.by:
        moves = game.moves(state)
        return Entry(entry.by, moves[ticket % len(moves)], entry.t, entry.left, entry.score)
    picks = []

    def draw(weights):
        picks.append((ticket % sum(weights), sum(weights)))
        return chosen(weights, picks[-1][0])

    return Entry(0, game.chance(state, draw), entry.t, picks=tuple(picks))


def test_where_something_is_hidden_it_is_dealt_anew(game_case):
    game, given = registry.game(game_case[0]), game_case[1]
    if not isinstance(game, KernelGame) or not game.rules.HIDDEN:
        return
    match = advance(begun(game_case, "hidden"), "hidden", 40)
    states = [match.at(number).state for number in range(len(match.log))]
    seats = range(1, given["players"] + 1)
    for seat in seats:
        dealt = [game.concealed(state, seat, generator("another deal")).tobytes() for state in states]
        assert dealt != [state.tobytes() for state in states]


@given(length=lengths, seed=seeds)
def test_what_leaves_a_game_is_json(game_case, length, seed):
    """Reading it back gives the same: no tuple, no key that is a number, no NumPy number."""
    match = advance(begun(game_case, seed), seed, length)
    game, seats = match.game, range(1, len(match.seats) + 1)
    shown = [game.view(match.state, seat) for seat in (None, *seats)] + [game.legal(match.state, n) for n in seats]
    shown += [game.describe(match.at(n).state, match.log[n]).marks for n in range(0, len(match.log), 9)]
    for value in shown:
        assert msgspec.json.decode(msgspec.json.encode(value)) == value


@given(length=lengths, seed=seeds)
def test_what_is_seen_alike_is_the_same_for_all(game_case, length, seed):
    match = advance(begun(game_case, seed), seed, length)
    views = [match.game.view(match.state, seat) for seat in (None, *range(1, len(match.seats) + 1))]
    assert not match.game.is_seen_alike(match.state) or all(view == views[0] for view in views)


@settings(max_examples=4)  # whole matches, of a thousand entries in some games
@given(seed=seeds)
def test_every_entry_is_told_in_every_language(game_case, seed):
    match = advance(begun(game_case, seed), seed, 5000)
    assert match.result
    position = match.at(0)
    for entry in match.log:
        read = [match.game.seen(entry, seat) for seat in (None, *range(1, len(match.seats) + 1))]
        for known in (entry, *(other for other in read if other.move != entry.move)):
            described = match.game.describe(position.state, known)
            for language in ("en", "it"):
                assert say(described.message, language)
            assert msgspec.json.encode(described.marks)
        position, _ = match.advanced(position, entry)


def test_options_are_checked(game_case):
    game = registry.game(game_case[0])
    for option in game.options:
        for bad in ("no such thing", -7, 3.5, [], {}):
            with pytest.raises(BadOption, match=option.name):
                game.agree({option.name: bad})
    with pytest.raises(BadOption, match="colour_of_the_table"):
        game.agree({"colour_of_the_table": 1})


def test_the_result_has_a_score_for_every_seat(game_case):
    match = advance(begun(game_case, "result"), "result", 5000)
    assert match.result
    assert len(match.result.scores) == len(match.seats)
    assert set(match.result.winners) <= set(range(1, len(match.seats) + 1))
    with pytest.raises(LudotecaError, match="over"):
        match.play("resign", by=1)
