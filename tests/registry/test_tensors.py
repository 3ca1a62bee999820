"""What every encode.py promises (core/tensors.py), proved for every game of the registry."""

from random import Random

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from random_walk import drawn_state, moves_of, walk

from ludoteca.core import registry, tensors
from ludoteca.core.kernel import CHANCE, OVER, copied
from ludoteca.core.random import generator
from ludoteca.search.matches import bound_steps

pytestmark = pytest.mark.kernels


def encoded(key, state, seat):
    out = np.full(tensors.encoding(key).SHAPE, np.nan, np.float32)
    tensors.encoding(key).encode(state, seat, out)
    return out


def test_every_number_is_written_and_within_bounds(kernel_case):
    key, options = kernel_case
    code, game = tensors.encoding(key), registry.game(key)
    assert code.SHAPE[0] == len(code.PLANES) == len(set(code.PLANES))
    looks = set()
    for state in walk(game, options, "bounds"):
        for seat in range(options["players"]):
            numbers = encoded(key, state, seat)
            assert not np.isnan(numbers).any()
            assert 0 <= numbers.min() <= numbers.max() <= code.HIGHEST
            assert numbers.any(), "all numbers are 0: add a plane that is 1 on every cell of the board"
            looks.add(numbers.tobytes())
        if game.rules.actor(state) == CHANCE:
            listed = moves_of(game.rules, state)
            assert game.rules.MAX_MOVES <= min(listed) <= max(listed) < game.rules.MAX_MOVES + code.OUTCOMES
            assert len({code.outcome(move) for move in listed}) == len(listed)
    assert len(looks) > 10


def test_a_mask_says_what_the_list_says(kernel_case):
    key, options = kernel_case
    game = registry.game(key)
    mask = np.full(game.rules.MAX_MOVES, 7, np.int8)
    for state in walk(game, options, "mask", most=120):
        if game.rules.actor(state) >= 0:
            bound_steps(game, False).mask(state, mask)
            assert set(mask.tolist()) <= {0, 1}
            assert np.flatnonzero(mask).tolist() == sorted(moves_of(game.rules, state))


@given(data=st.data())
def test_what_looks_alike_gives_equal_bytes(kernel_case, data):
    """What a seat cannot see is dealt anew, several times: its numbers stay the same, byte by byte."""
    key, options = kernel_case
    game = registry.game(key)
    state = drawn_state(data, game, options, longest=120, seeds=50)
    for seat in range(options["players"]):
        look = encoded(key, state, seat).tobytes()
        for deal in range(3):
            other = copied(state)
            game.rules.conceal(other, seat, generator("deal", deal))
            assert encoded(key, other, seat).tobytes() == look


def test_equal_views_give_equal_bytes(kernel_case):
    """Many short matches meet the same positions on different ways."""
    key, options = kernel_case
    game, looks = registry.game(key), {}
    for seed in range(40):
        for state in walk(game, options, seed, most=8):
            for seat in range(options["players"]):
                view = msgspec.json.encode([seat, game.view(state, seat + 1)])
                look = encoded(key, state, seat).tobytes()
                assert looks.setdefault(view, look) == look


def test_the_numbers_do_not_depend_on_what_was_there(kernel_case):
    key, options = kernel_case
    state = list(walk(registry.game(key), options, "there", most=20))[-1]
    out = np.full(tensors.encoding(key).SHAPE, 3, np.float32)
    tensors.encoding(key).encode(state, 0, out)
    assert out.tobytes() == encoded(key, state, 0).tobytes()


class Mirror:
    """A match, and its image under a symmetry: move for move, they must look alike."""

    def __init__(self, key, options, symmetry):
        self.key, self.symmetry, self.players = key, symmetry, options["players"]
        self.game = registry.game(key)
        self.rules = self.game.rules

    def check(self, state, image):
        who = self.rules.actor(state)
        assert self.rules.actor(image) == (self.moved(who) if who >= 0 else who)
        for seat in range(self.players):
            wanted = self.symmetry.observed(encoded(self.key, state, seat))
            assert encoded(self.key, image, self.moved(seat)).tobytes() == wanted.tobytes(), self.symmetry.name
        if who >= 0:
            images = sorted(self.symmetry.moves[moves_of(self.rules, state)].tolist())
            assert images == sorted(moves_of(self.rules, image))

    def moved(self, seat):
        return (seat + self.symmetry.seats) % self.players

    def alike(self, state, image):
        looks = [self.symmetry.observed(encoded(self.key, state, seat)).tobytes() for seat in range(self.players)]
        return all(encoded(self.key, image, self.moved(seat)).tobytes() == look for seat, look in enumerate(looks))


def image_options(game, options, symmetry):
    """The agreement in which everybody sits `symmetry.seats` further."""
    if not symmetry.seats:
        return options
    players = options["players"]
    colours = game.agree(options)["colours"][:players]
    shifted = "".join(colours[(seat - symmetry.seats) % players] for seat in range(players))
    return {**options, "start": 1 + symmetry.seats % players, "colours": shifted}


def first_positions(mirror, options, rng):
    """A position before the first decision, and its image.

    Where the table sets up piece by piece, the image of an outcome need not be an outcome: then it is found by trying.
    """
    game, rules = mirror.game, mirror.rules
    begins = {"start": 1} if any(option.name == "start" for option in game.options) else {}
    state = game.start(game.agree({**options, **begins}))
    first = game.start(game.agree(image_options(game, {**options, **begins}, mirror.symmetry)))
    mapped = copied(first)
    while rules.actor(state) == CHANCE:
        move = rng.choice(moves_of(rules, state))
        rules.play(mapped, int(mirror.symmetry.moves[move]))
        rules.play(state, move)
    if mirror.alike(state, mapped):
        return state, mapped

    def tried(image):
        if rules.actor(image) != CHANCE:
            return image if mirror.alike(state, image) else None
        for move in moves_of(rules, image):
            after = copied(image)
            rules.play(after, move)
            if (found := tried(after)) is not None:
                return found
        return None

    return state, tried(first)


def test_symmetries_lead_to_matches_that_look_alike(kernel_case):
    key, options = kernel_case
    game = registry.game(key)
    found = tensors.symmetries(key, options["players"])
    rng = Random(key)
    rules = game.rules
    for symmetry in rng.sample(found, min(4, len(found))):
        assert sorted(symmetry.observation.tolist()) == list(range(len(symmetry.observation)))
        assert sorted(symmetry.moves.tolist()) == list(range(len(symmetry.moves)))
        mirror = Mirror(key, options, symmetry)
        state, image = first_positions(mirror, options, rng)
        assert image is not None, symmetry.name
        for _ in range(150):
            mirror.check(state, image)
            if rules.actor(state) == OVER:
                break
            move = rng.choice(moves_of(rules, state))
            rules.play(image, int(symmetry.moves[move]))
            rules.play(state, move)


def test_an_image_keeps_every_number_and_every_probability():
    symmetry = tensors.symmetries("pinpoint")[17]
    observation = np.random.default_rng(1).random(tensors.encoding("pinpoint").SHAPE, np.float32)
    policy = np.random.default_rng(2).random(registry.game("pinpoint").rules.MAX_MOVES)
    assert sorted(symmetry.observed(observation).ravel()) == sorted(observation.ravel())
    assert np.array_equal(symmetry.observed(observation[None])[0], symmetry.observed(observation))
    image = symmetry.masked(policy)
    assert image[symmetry.moves[123]] == policy[123]
    assert sorted(image) == sorted(policy)


def test_the_symmetries_are_as_many_as_the_games_have():
    counts = {key: len(tensors.symmetries(key)) + 1 for key in ("pinpoint", "aftaebr", "tictacmatch", "connectfour")}
    assert counts == {"pinpoint": 8 * 24, "aftaebr": 8 * 24 * 2, "tictacmatch": 8 * 24 * 2, "connectfour": 2}
    assert [len(tensors.symmetries("matchnlock", players)) for players in (1, 2, 3, 4)] == [0, 1, 0, 3]
