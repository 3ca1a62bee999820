"""Which positions are puzzles: wins beside other moves, the key move of a turn, and what a puzzle asks for."""

from ludoteca.core import puzzles, registry
from ludoteca.core.kernel_game import KernelGame
from ludoteca.search import mining, puzzling
from ludoteca.search.judge import judge


def with_a_win():
    """Return a position with the move that wins at once, and more than one legal move."""
    key = "tictacmatch"
    game = registry.game(key)
    assert isinstance(game, KernelGame)
    for found in puzzles.puzzles_of(key).values():
        match, _ = puzzles.begun(key, found)
        state, seat = match.state, found.puzzle.seat
        for move in [*found.puzzle.moves, *(move for by, move in found.puzzle.line if by == seat)]:
            if game.to_move(state) != (seat,):
                break
            after = game.play(state, seat, move).state
            if game.outcome(after, frozenset()) and len(game.moves(state)) > 1:
                return game, state, seat, move
            state = after
    raise AssertionError("no puzzle ends in a win")


def test_a_win_is_compared_with_moves_that_the_search_does_not_look_at():
    game, state, seat, move = with_a_win()
    assert len(judge(game, state, seat).moves) == 1
    found = puzzling.compared(game, state, seat, 1)
    assert found is not None
    assert found.move == move
    assert found.other in game.moves(state)
    assert puzzling.kind_of(game, state, seat, [move], found.other) == "win"


def test_a_turn_that_wins_by_its_line_is_a_win():
    game, state, seat, move = with_a_win()
    other = next(one for one in game.moves(state) if one != move)
    assert puzzling.kind_of(game, state, seat, [], other, [(seat, move)]) == "win"


def late_turn():
    """Return a position of Pin Point with several pins left in the turn, and a turn of a bot from there."""
    game = registry.game("pinpoint")
    found = next(iter(puzzles.puzzles_of("pinpoint").values()))
    match, _ = puzzles.begun("pinpoint", found)
    seat, at = found.puzzle.seat, found.puzzle.at
    while match.log[at - 1].by == seat:
        at -= 1
    state = match.at(at).state
    return game, state, seat, mining._turn(game, state, seat, (1, 1))


def test_the_key_move_of_a_turn_is_played_last():
    game, state, seat, moves = late_turn()
    assert len(moves) > 1
    ordered = mining._key_last(game, state, seat, moves)
    assert sorted(ordered) == sorted(moves)
    gaps = {move: mining._last_gap(game, state, seat, [*(one for one in moves if one != move), move]) for move in moves}
    assert gaps[ordered[-1]] == max(gaps.values()) > 0


def test_a_puzzle_scores_most_only_if_no_other_move_scores_as_much():
    kinds: dict[str, set[bool]] = {}
    for found in puzzles.puzzles_of("pinpoint").values():
        match, _ = puzzles.begun("pinpoint", found)
        game, puzzle = match.game, found.puzzle

        def after(move, game=game, state=match.state, seat=puzzle.seat):
            return puzzling.lead(game, puzzling.settled(game, game.play(state, seat, move).state), seat)

        kinds.setdefault(puzzle.kind, set()).add(after(puzzle.moves[0]) > after(puzzle.other))
    assert kinds["score"] == {True}
    assert kinds["defend"] == {False}
