"""The rules of AFTAEBR, one after the other."""

from collections import Counter

import numpy as np
import pytest
from aftaebr_board import EMPTY_BOARD, Model, chosen, numbers_for, position, put, squares_for, stack_at
from single_moves import allowed_one_by_one, listed

from ludoteca.core.chance import Seal
from ludoteca.core.errors import BadOption, IllegalMove, UnknownMove
from ludoteca.core.game import WHOLE_MATCH, TimeLimits
from ludoteca.core.match import Match
from ludoteca.core.record import Entry
from ludoteca.core.words import say
from ludoteca.games.aftaebr import guide, rules
from ludoteca.games.aftaebr.game import GAME, SQUARE_NAMES
from ludoteca.games.aftaebr.squares import BIT
from ludoteca.search import bots

rule = pytest.mark.rule


def begun(seed="a", **options):
    match = Match(GAME, options, None, Seal.derived("m", GAME.agree(options)["players"], seed))
    match.begin()
    return match


def played_out(seed="a", **options):
    match = begun(seed, **options)
    while match.result is None:
        match.play(bots.choose(GAME, "random", match.state, match.to_move[0], (seed, len(match.log))))
    return match


def marks(state, move):
    return GAME.describe(state, Entry(int(state.actor) + 1, move)).marks


# Material and set-up


@rule("AF-1")
def test_two_to_four_players():
    for players in (2, 3, 4):
        assert len(begun(players=players).seats) == players
    for players in (1, 5, "2", True, None):
        with pytest.raises(BadOption, match="players"):
            GAME.agree({"players": players})


@rule("AF-2", "AF-8")
def test_the_first_piece_goes_anywhere_on_36_squares():
    state = chosen()
    for number in (1, 2, 3, 4):
        assert squares_for(state, number) == {f"{column}{row}" for column in "abcdef" for row in range(1, 7)}


@rule("AF-3", "AF-5")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_each_player_has_eight_pieces_of_each_number_of_one_colour(players):
    view = GAME.view(chosen("OFBG", players=players), 1)
    assert view["stocks"] == [{colour: [8, 8, 8, 8]} for colour in "OFBG"[:players]]
    assert view["pieces"] == [32] * players
    assert view["colours"] == list("OFBG"[:players])


@rule("AF-3", "AF-4")
def test_each_draws_one_of_four_black_pieces_and_the_highest_starts():
    starts, drawn = Counter(), set()
    for n in range(300):
        match = begun(str(n), players=3)
        lots = [int(word) for word in match.log[0].move.split()[1:]]
        assert match.log[0].by == 0
        assert [total for _, total in match.log[0].picks] == [4, 3, 2]
        assert GAME.view(match.state, None)["lots"] == lots
        assert match.to_move == (lots.index(max(lots)) + 1,)
        starts[match.to_move[0]] += 1
        drawn.add(tuple(lots))
    assert len(drawn) == 24
    assert min(starts.values()) > 60


@rule("AF-4")
@pytest.mark.parametrize("move", ["lots 3 3", "lots 3 5", "lots 3", "lots 1 2 3", "start 1", "lots", "lots 3  1"])
def test_lots_that_cannot_be_drawn_are_refused(move):
    match = Match(GAME, {})
    with pytest.raises((IllegalMove, UnknownMove)):
        match.play(move, by=0)
    match.play("lots 3 4", by=0)
    assert match.to_move == (2,)


@rule("AF-4")
def test_the_others_follow_clockwise_and_a_table_may_choose_who_starts():
    match = played_out(players=4, start=3)
    assert match.log[0].move.startswith("colour")
    assert [entry.by for entry in match.log[:12]] == [3, 4, 1, 2] * 3
    with pytest.raises(BadOption, match="there are 2 players"):
        GAME.agree({"start": 3})


@rule("AF-5")
def test_colours_are_chosen_in_playing_order_from_those_that_are_free():
    match = Match(GAME, {"players": 3})
    match.play("lots 1 4 2", by=0)
    assert match.to_move == (2,)
    assert GAME.legal(match.state, 2) == {"choose": ["G", "B", "F", "O"], "numbers": {}, "pass": False}
    match.play("colour F")
    assert match.to_move == (3,)
    with pytest.raises(IllegalMove, match="somebody has that colour; free: green, light blue, orange"):
        match.play("colour F")
    with pytest.raises(IllegalMove, match="colours are chosen first; free: green, light blue, orange"):
        match.play("G1a1")
    match.play("colour G")
    assert GAME.legal(match.state, 1)["choose"] == ["B", "O"]
    match.play("colour O")
    assert (match.to_move, GAME.view(match.state, 1)["colours"]) == ((2,), ["O", "F", "G"])
    with pytest.raises(IllegalMove, match="the colours are chosen already"):
        match.play("colour B")


# A turn


@rule("AF-6")
def test_a_turn_puts_one_piece_of_ones_own():
    state = put(chosen(), "G2c3")
    assert (stack_at(state, "c3"), state.actor) == ("G2", 1)
    assert GAME.view(state, 1)["stocks"] == [{"G": [8, 7, 8, 8]}, {"B": [8, 8, 8, 8]}]
    with pytest.raises(IllegalMove, match="there is no green 1 in stock"):
        put(state, "G1c4")
    state = put(state, "B3c4")
    assert GAME.view(state, 1)["pieces"] == [31, 31]


BLOCKED = """
    1 . 1 . 1 .
    . 1 . 1 . 1
    1 . 1 . 1 .
    . 1 . 1 . 1
    1 . 1 . 1 .
    . 1 . 1 . 1
"""


@rule("AF-6")
def test_passing_is_for_those_who_can_put_nothing_and_they_must():
    stuck = position(BLOCKED, stocks={1: "G1 G4 G3"})
    assert GAME.moves(stuck) == ["pass"]
    assert GAME.legal(stuck, 1) == {"choose": [], "numbers": {}, "pass": True}
    assert put(stuck, "pass").actor == 1
    able = position(BLOCKED, stocks={1: "G1 G4 G3 G2"})
    assert "pass" not in GAME.moves(able)
    with pytest.raises(IllegalMove, match="you can pass only when no piece fits"):
        put(able, "pass")


@rule("AF-5", "AF-6")
def test_asked_about_single_moves_the_rules_allow_those_of_the_list():
    choosing = GAME.start(GAME.agree({"players": 4, "start": 1}))
    stuck, able = position(BLOCKED, stocks={1: "G1 G4 G3"}), position(BLOCKED, stocks={1: "G1 G4 G3 O2"})
    drawing = GAME.start(GAME.agree({}))
    for state, legal in (
        (choosing, 4),
        (put(choosing, "colour F"), 3),
        (put(choosing, "colour F", "colour G", "colour O"), 1),
        (chosen(), 4 * 36),
        (stuck, 1),
        (able, 18),
        (drawing, 0),
    ):
        assert allowed_one_by_one(rules, state) == listed(rules, state)
        assert len(listed(rules, state)) == legal


@pytest.mark.parametrize("move", ["", "G", "G3", "c4", "G5c4", "G0c4", "R3c4", "G3g4", "G3c7", "g3c4", "G3c4 ", "Pass"])
def test_what_is_no_move_is_not_read(move):
    with pytest.raises(UnknownMove, match="a move is a piece and a square"):
        put(chosen(), move)


@rule("AF-7", "AF-10")
def test_picture_1_neighbours_are_above_below_left_and_right():
    state = position(
        """
        . . . . . .
        . . 2 . . .
        . . . . . .
        . . . . . .
        . . . . . .
        """,
    )
    assert {square for square in SQUARE_NAMES if numbers_for(state, square) == "13"} == {"c5", "b4", "d4", "c3"}
    assert numbers_for(state, "c4") == ""
    assert all(numbers_for(state, square) == "1234" for square in ("b5", "d5", "b3", "d3", "a1", "f6"))


@rule("AF-7")
def test_neighbours_do_not_run_round_the_edge():
    state = position("\n".join([". . . . . .", "2 . . . . .", ". . . . . ."]))
    assert {square for square in SQUARE_NAMES if numbers_for(state, square) == "13"} == {"a1", "a3", "b2"}


@rule("AF-7", "AF-11", "AF-15")
def test_a_squares_number_is_that_of_its_top_piece():
    state = position(". . 14 . . .")
    assert numbers_for(state, "b1") == "3"
    assert numbers_for(state, "c2") == "3"


@rule("AF-9")
def test_an_empty_square_without_occupied_neighbours_takes_any_piece():
    state = position(". . . . . .\n1 . 1 . . .")
    assert {square for square in SQUARE_NAMES if numbers_for(state, square) == "1234"} == set(SQUARE_NAMES) - {
        *("a1", "c1"),
        *("b1", "d1", "a2", "c2"),
    }


@rule("AF-9")
def test_so_does_every_square_of_a_board_that_has_become_empty_again():
    state = put(position("1 2 3 . . ."), "G4d1")
    assert GAME.view(state, 1)["board"] == {}
    assert (state.actor, len(GAME.moves(state))) == (0, 36 * 4)


@rule("AF-10")
def test_next_to_a_1_only_a_2_fits_and_next_to_a_4_only_a_3():
    for number, fits in (("1", "2"), ("2", "13"), ("3", "24"), ("4", "3")):
        assert numbers_for(position(f". . {number} . . ."), "d1") == fits
    state = position(". . 1 . . .")
    with pytest.raises(IllegalMove, match=r"green 4 is not one more or one less than a neighbour of d1; .*there: 2"):
        put(state, "G4d1")


@rule("AF-10")
def test_picture_2_one_neighbour_that_agrees_is_enough():
    """The star squares take any number; the one between 1 and 4 takes 2 or 3 only."""
    state = position(
        """
        . . 2 . . .
        . 3 . . . .
        . . 1 . 4 .
        """
    )
    assert numbers_for(state, "b3") == "1234"
    assert numbers_for(state, "c2") == "1234"
    assert numbers_for(state, "d1") == "23"


@rule("AF-11")
def test_picture_3_a_3_goes_on_a_2_next_to_a_4():
    state = position(". 2 4 . . .")
    assert numbers_for(state, "b1") == "3"
    after = put(state, "G3b1")
    assert stack_at(after, "b1") == "G2 G3"
    assert GAME.legal(state, 1)["numbers"]["3"]["squares"]["b1"] == ["c1"]


@rule("AF-11")
def test_the_piece_covered_may_have_any_number_the_same_one_too():
    for covered in "1234":
        state = position(f". {covered} 2 . . .")
        assert numbers_for(state, "b1") == "13"
    assert stack_at(put(position(". 3 2 . . ."), "G3b1"), "b1") == "G3 G3"


@rule("AF-12")
def test_a_piece_without_neighbours_is_not_stacked_on():
    state = position(". . . . . 1\n. 2 . 1 . .\n. . . . . .")
    assert numbers_for(state, "b2") == ""
    with pytest.raises(IllegalMove, match="the piece in b2 has no neighbours, so nothing can go on top of it"):
        put(state, "G1b2")


@rule("AF-13")
def test_stacks_have_no_height_limit():
    """All pieces of four players but one in two towers, and every one of them comes off again."""
    state, model = chosen(players=4), Model(4)
    model.stocks = {seat: [f"{c}{n}" for n in range(1, 5) for _ in range(8)] for seat, c in enumerate("GBFO", start=1)}
    state = put(state, "G2a1")
    model.put(1, "G2a1")
    while state.actor >= 0:
        seat = int(state.actor) + 1
        towers = [move for move in GAME.moves(state) if move[2:] in ("a1", "b1") or move == "pass"]
        if not towers:
            break
        move = max(towers, key=lambda move: (len(model.stacks.get(move[2:], "")), move))
        state = put(state, move)
        if move != "pass":
            model.put(seat, move)
    view = GAME.view(state, 1)
    assert view["board"] == {square: stack for square, stack in model.stacks.items() if stack}
    assert max(map(len, view["board"].values())) > 30
    assert sum(map(len, view["board"].values())) + sum(view["pieces"]) == 128


# Sequences


def lines():
    for n in range(36):
        for step, room in ((1, n % 6 < 3), (6, n // 6 < 3)):
            if room:
                yield [SQUARE_NAMES[n + i * step] for i in range(4)]


@rule("AF-14")
@pytest.mark.parametrize("missing", range(4))
def test_picture_4_rows_and_columns_in_both_directions_all_over_the_board(missing):
    for line in lines():
        for squares in (line, line[::-1]):
            state = position(EMPTY_BOARD, stocks={2: "B1 F2 O3 B4"}, seat=2)
            for number, square in enumerate(squares, start=1):
                if number != missing + 1:
                    rules.lay(state, number - 1, int(BIT[SQUARE_NAMES.index(square)]))
            rules.look_round(state)
            piece = ("B1", "F2", "O3", "B4")[missing]
            after = put(state, piece + squares[missing])
            assert GAME.view(after, 1)["board"] == {}
            assert after.pieces[1] == 7
            assert (after.actor, GAME.view(after, 1)["extra"]) == (1, True)


@rule("AF-14")
@pytest.mark.parametrize(
    ("drawing", "move"),
    [
        ("1 2 4 . . .", "G3d1"),  # not in order
        ("1 2 . 3 . 4", "G3c1"),  # not next to each other
        (". . 3 . . .\n. 2 . . . .\n1 . . . . .", "G2c2"),  # not diagonal
        (". . . . 1 2\n3 . . . . .", "G4b1"),  # not round the edge
        (". 4 3 . . .\n1 2 . . . .", "G3c1"),  # not round a corner
    ],
)
def test_nothing_else_is_a_sequence(drawing, move):
    state = position(drawing)
    after = put(state, move)
    assert (after.pieces[0], after.actor) == (31, 1)


@rule("AF-14", "AF-18")
def test_the_pieces_taken_may_be_used_in_the_extra_turn_like_ones_own():
    state = position("B1 F2 O3 . . .", stocks={1: "G4"})
    state = put(state, "G4d1")
    assert GAME.view(state, 1)["stocks"][0] == {
        "G": [0, 0, 0, 1],
        "B": [1, 0, 0, 0],
        "F": [0, 1, 0, 0],
        "O": [0, 0, 1, 0],
    }
    assert state.actor == 0
    with pytest.raises(IllegalMove, match="you can pass only when no piece fits"):
        put(state, "pass")  # it cannot be declined
    state = put(state, "O3f6")
    assert (stack_at(state, "f6"), state.actor, GAME.view(state, 1)["extra"]) == ("O3", 1, False)
    assert GAME.view(state, 1)["stocks"][0] == {"G": [0, 0, 0, 1], "B": [1, 0, 0, 0], "F": [0, 1, 0, 0]}


@rule("AF-14")
def test_extra_turns_may_follow_each_other():
    state = position("1 2 3 . . .\n. . . . . .\n1 2 3 . . .")
    state = put(state, "G4d1", "G4d3")
    assert (state.actor, state.pieces[0], GAME.view(state, 1)["turn_number"]) == (0, 38, 3)


@rule("AF-14", "AF-15")
def test_only_top_pieces_are_taken_and_what_lay_under_them_comes_into_play():
    state = position("1 F12 3 . . .")
    after = put(state, "G4d1")
    assert GAME.view(after, 1)["board"] == {"b1": ["F1"]}
    assert numbers_for(after, "c1") == "2"
    assert after.pieces[0] == 35


@rule("AF-16")
def test_a_piece_that_completes_several_sequences_takes_them_all_for_one_extra_turn():
    state = position(
        """
        . . . 1 . .
        . . . 2 . .
        . . . 3 . .
        1 2 3 . . .
        """
    )
    after = put(state, "G4d1")
    assert GAME.view(after, 1)["board"] == {}
    assert after.pieces[0] == 31 + 7
    assert put(after, "G1a1").actor == 1
    assert [len(wave) for wave in marks(state, "G4d1")["taken"]] == [7]


UNCOVERING = """
    . 1 . . . .
    . 2 . . . .
    . 3 . . . .
    1 O42 3 . . .
"""


@rule("AF-17")
def test_sequences_that_are_uncovered_are_taken_too():
    state = position(UNCOVERING)
    after = put(state, "G4d1")
    assert GAME.view(after, 1)["board"] == {}
    assert after.pieces[0] == 31 + 8
    first, second = marks(state, "G4d1")["taken"]
    assert first == {"a1": "G1", "b1": "G2", "c1": "G3", "d1": "G4"}
    assert second == {"b1": "O4", "b2": "G3", "b3": "G2", "b4": "G1"}


@rule("AF-17")
def test_no_finished_sequence_ever_stays_on_the_board():
    for seed in range(20):
        match = begun(str(seed))
        while match.result is None:
            match.play(bots.choose(GAME, "random", match.state, match.to_move[0], (seed, len(match.log))))
            assert rules.sequences(match.state.tops) == 0


# The end


@rule("AF-19")
def test_a_player_without_pieces_is_out_and_their_pieces_stay():
    state = position(". 2 . . . .", seat=2, stocks={2: "B3"}, players=3)
    after = put(state, "B3c1")
    assert GAME.view(after, 1)["out"] == [2]
    assert stack_at(after, "c1") == "B3"
    assert marks(state, "B3c1")["out"] == [2]
    assert GAME.outcome(after, frozenset()) is None
    assert after.actor == 2
    after = put(after, "F4d1")
    assert after.actor == 0
    assert put(after, "G1f6").actor == 2  # seat 2 is skipped from now on


@rule("AF-19")
def test_being_out_is_judged_after_what_the_move_took():
    state = position("1 2 3 . . .", stocks={1: "G4"})
    after = put(state, "G4d1")
    assert (after.pieces[0], GAME.view(after, 1)["out"], after.actor) == (4, [], 0)


@rule("AF-20")
def test_the_last_player_left_wins():
    state = position(". 2 . . . .", stocks={1: "G3", 2: "", 3: "F1 F1"}, players=3)
    after = put(state, "G3c1")
    result = GAME.outcome(after, frozenset())
    assert (result.winners, result.scores, result.reason) == ((3,), (0, 0, 2), "complete")
    assert (after.actor, GAME.moves(after)) == (-2, [])


@rule("AF-21")
@pytest.mark.parametrize(("stocks", "winners"), [({1: "G1 G1", 2: "B1"}, (1,)), ({1: "G1", 2: "B1"}, (1, 2))])
def test_when_all_have_passed_the_most_pieces_win_together(stocks, winners):
    state = put(position(BLOCKED, stocks=stocks), "pass")
    assert GAME.view(state, 1)["passes"] == 1
    result = GAME.outcome(put(state, "pass"), frozenset())
    assert (result.winners, result.reason) == (winners, "complete")


@rule("AF-21")
def test_a_piece_between_passes_starts_the_count_again_and_only_those_left_count():
    state = position(BLOCKED, stocks={1: "G1", 2: "", 3: "F2 F1 F1", 4: "O1"}, players=4)
    state = put(state, "pass")
    state = put(state, "F2a1")
    assert GAME.view(state, 1)["passes"] == 0
    state = position(BLOCKED, stocks={1: "G1", 2: "", 3: "F1 F1", 4: "O1"}, players=4)
    state = put(state, "pass", "pass")
    assert GAME.outcome(state, frozenset()) is None
    result = GAME.outcome(put(state, "pass"), frozenset())
    assert (result.winners, result.scores) == ((3,), (1, 0, 2, 1))


@rule("AF-22")
@pytest.mark.parametrize(
    ("drawing", "stocks", "move"), [(EMPTY_BOARD, {1: "G1 G2 G3"}, "G1a1"), (BLOCKED, {1: "G1"}, "pass")]
)
def test_a_match_ends_with_its_2000th_turn(drawing, stocks, move):
    state = position(drawing, stocks=stocks)
    state.turn = 1998
    state = put(state, move)
    assert GAME.outcome(state, frozenset()) is None
    state = put(state, next(move for move in GAME.moves(state) if move[0] == "B"))
    assert (state.actor, state.turn) == (-2, 2000)
    result = GAME.outcome(state, frozenset())
    assert (result.winners, result.reason) == ((2,), "limit")


@rule("AF-22")
def test_a_match_that_is_decided_on_its_2000th_turn_is_complete():
    last = position(". 2 . . . .", stocks={1: "G3", 2: "B1"})
    passed = put(position(BLOCKED, stocks={1: "G1 G1", 2: "B1"}), "pass")
    for state, move, winners in ((last, "G3c1", (2,)), (passed, "pass", (1,))):
        state.turn = 1999
        result = GAME.outcome(put(state, move), frozenset())
        assert (result.winners, result.reason) == (winners, "complete")


@rule("AF-20", "AF-21", "AF-23")
def test_payoffs_follow_the_result():
    for pieces, expected in [
        ((3, 0), (1, -1)),
        ((4, 4), (0, 0)),
        ((1, 5, 5), (-1, 0, 0)),
        ((0, 0, 0, 9), (-1, -1, -1, 1)),
    ]:
        state = chosen(players=len(pieces))
        state.pieces[: len(pieces)] = pieces
        out = np.zeros(4, np.float32)
        rules.payoff(state, out)
        assert tuple(out[: len(pieces)]) == expected


# The timed variant


@rule("AF-23")
def test_when_the_agreed_time_is_over_the_round_is_finished_and_the_most_pieces_win():
    match = begun(minutes=10, start=1)
    for move in ("colour G", "colour B", "G1a1", "B2a2", "G3a3"):
        match.play(move)
    assert [entry.by for entry in match.play("time", by=0)] == [0]
    assert (match.result, match.to_move) == (None, (2,)), "seat 2 has had one turn less"
    assert GAME.view(match.state, 1)["last_round"]
    assert not GAME.is_match_timed(match.state), "the time stands still from then on"
    with pytest.raises(IllegalMove, match="no time of the match runs here"):
        match.play("time", by=0)
    match.play("B4f6")
    assert (match.result.winners, match.result.scores, match.result.reason) == ((1, 2), (30, 30), "time")
    assert match.to_move == ()
    assert Match.load(match.record).record == match.record


@rule("AF-23")
def test_a_round_that_has_just_begun_is_played_too():
    """The first player gains nothing by waiting until the time is over."""
    match = begun(minutes=10, start=1)
    for move in ("colour G", "colour B", "G1a1", "B2a2"):
        match.play(move)
    match.play("time", by=0)
    match.play("G3a3")
    assert match.result is None
    match.play("B4d4")
    assert (match.result.winners, match.result.reason) == ((1, 2), "time")


@rule("AF-23")
def test_a_round_goes_from_the_seat_that_began_to_the_one_before_it():
    for first, last in ((1, 4), (2, 1), (3, 2), (4, 3)):
        state = chosen(players=4, start=first, minutes=1)
        while state.turn < 6:
            state = put(state, GAME.moves(state)[0])
        state = GAME.time_out(state, WHOLE_MATCH, GAME.agree({"players": 4, "minutes": 1}))
        while state.actor >= 0:
            mover = int(state.actor) + 1
            state = put(state, GAME.moves(state)[0])
        assert (mover, state.turn) == (last, 8)
        assert GAME.outcome(state, frozenset()).reason == "time"


@rule("AF-23")
def test_seats_that_are_out_have_no_turn_in_the_last_round():
    agreed = GAME.agree({"players": 3, "minutes": 1})
    state = position(". . . . . .", seat=2, stocks={1: "G1 G1", 2: "B1 B1", 3: ""}, players=3, minutes=1)
    state = put(GAME.time_out(state, WHOLE_MATCH, agreed), "B1a1")
    assert (state.actor, GAME.outcome(state, frozenset()).winners) == (rules.OVER, (1,)), "seat 3 is out"
    state = position(". . . . . .", seat=3, stocks={1: "", 2: "B1 B1", 3: "F1 F1 F1"}, players=3, minutes=1)
    state = put(GAME.time_out(state, WHOLE_MATCH, agreed), "F1a1")
    assert (state.actor, GAME.outcome(state, frozenset()).winners) == (rules.OVER, (2, 3)), "seat 1, who began, is out"


@rule("AF-23")
def test_an_extra_turn_belongs_to_the_last_round():
    agreed = GAME.agree({"minutes": 1})
    state = position("1 2 3 . . .", seat=2, stocks={1: "G4 G4 G4 G4", 2: "B4 B4"}, minutes=1)
    state = put(GAME.time_out(state, WHOLE_MATCH, agreed), "B4d1")
    assert (int(state.actor), GAME.view(state, 1)["extra"]) == (1, True)
    state = put(state, "B4f6")
    result = GAME.outcome(state, frozenset())
    assert (result.winners, result.scores, result.reason) == ((1, 2), (4, 4), "time")


@rule("AF-23")
def test_an_end_by_the_rules_comes_before_the_end_by_time():
    agreed = GAME.agree({"minutes": 1})
    state = position(". . . . . .", seat=2, stocks={1: "G1 G1", 2: "B1"}, minutes=1)
    state = put(GAME.time_out(state, WHOLE_MATCH, agreed), "B1a1")
    assert (GAME.outcome(state, frozenset()).winners, GAME.outcome(state, frozenset()).reason) == ((1,), "complete")


@rule("AF-23")
def test_no_time_runs_where_none_was_agreed_or_before_the_first_turn():
    for minutes in (0, 241, True, "10"):
        with pytest.raises(BadOption, match="minutes"):
            GAME.agree({"minutes": minutes})
    match = begun(start=1)
    timed = begun(minutes=5, start=1)
    assert not GAME.is_match_timed(timed.state)
    for untimed in (match, timed):
        with pytest.raises(IllegalMove, match="no time of the match runs here"):
            untimed.play("time", by=0)
        for move in ("colour G", "colour B"):
            untimed.play(move)
    assert GAME.time_limits(match.agreed) is None
    assert (GAME.time_limits(timed.agreed), GAME.is_match_timed(timed.state)) == (TimeLimits(30, 300), True)
    with pytest.raises(IllegalMove, match="no time of the match runs here"):
        match.play("time", by=0)
    with pytest.raises(UnknownMove):
        timed.play("time", by=1)


@rule("AF-23")
def test_a_timed_match_always_has_a_time_for_each_turn():
    assert GAME.time_limits(GAME.agree({"minutes": 3, "turn_seconds": 15})) == TimeLimits(15, 180)
    for wrong in (None, 4, 3601, "30"):
        with pytest.raises(BadOption, match="turn_seconds"):
            GAME.agree({"minutes": 3, "turn_seconds": wrong})
    with pytest.raises(BadOption, match="only where the match has minutes"):
        GAME.agree({"turn_seconds": 15})


@rule("AF-23")
def test_when_a_turns_time_runs_out_the_table_makes_one_of_the_players_moves():
    match = begun(minutes=10, start=1)
    for move in ("colour G", "colour B", "G1a1"):
        match.play(move)
    legal = match.game.moves(match.state)
    entries = match.play("timeout 2", by=0)
    assert [entry.by for entry in entries] == [0, 0]
    assert entries[1].move in legal
    assert entries[1].picks[0][1] == len(legal), "each move is equally likely"
    assert GAME.view(match.state, 1)["pieces"] == [31, 31]
    assert match.to_move == (1,)
    assert match.position.conduct.late == frozenset(), "nobody can claim anything"
    before = match.at(len(match.log) - 1).state
    assert say(GAME.describe(before, entries[1]).message).startswith("chance moves for 2: light blue ")
    with pytest.raises(IllegalMove, match="was decided by chance"):
        match.play("takeback 3", by=0)
    match.play("resign", by=1)
    assert Match.load(match.record).record == match.record


@rule("AF-23")
def test_every_move_can_be_the_one_that_chance_makes_and_no_other():
    state = position("1 2 . . . .", stocks={1: "G1 G1 O3", 2: "B1"}, minutes=1)
    legal = set(GAME.moves(state))
    state = GAME.time_out(state, 1, GAME.agree({"minutes": 1}))
    weights = [rules.weight_at(state, k) for k in range(rules.count(state))]
    assert {GAME.format(state, rules.move_at(state, k)) for k in range(rules.count(state))} == legal
    assert set(weights) == {1}
    for wrong in ("G4f6", "B1f6", "pass", "colour F"):
        with pytest.raises(IllegalMove, match="chance cannot give this here"):
            GAME.play(state, 0, wrong)
    with pytest.raises(IllegalMove, match="nobody can move now"):
        GAME.play(state, 1, sorted(legal)[0])


@rule("AF-23")
def test_what_chance_makes_counts_like_any_other_move():
    agreed = GAME.agree({"minutes": 1})
    state = position("1 2 3 . . .", stocks={1: "G4", 2: "B1 B1 B1"}, minutes=1)
    state = GAME.play(GAME.time_out(state, 1, agreed), 0, "G4d1").state
    assert (GAME.view(state, 1)["pieces"], int(state.actor), GAME.view(state, 1)["extra"]) == ([4, 3], 0, True)
    last = position(". . . . . .", stocks={1: "G4", 2: "B1 B1", 3: "F1"}, players=3, minutes=1)
    entry = Entry(0, "G4d1")
    timed_out = GAME.time_out(last, 1, agreed)
    assert GAME.describe(timed_out, entry).marks["out"] == [1]
    assert GAME.eliminated(GAME.play(timed_out, 0, "G4d1").state) == {1}


@rule("AF-23")
def test_who_has_to_pass_passes_and_who_has_to_choose_a_colour_gets_one():
    agreed = GAME.agree({"minutes": 1})
    full = "\n".join(["2 2 2 2 2 2"] * 6)
    state = GAME.time_out(position(full, stocks={1: "G4", 2: "B1"}, minutes=1), 1, agreed)
    assert GAME.chance(state, lambda weights: 0) == "pass"
    after = GAME.play(state, 0, "pass").state
    assert (int(after.actor), int(after.passes)) == (1, 1)
    assert say(GAME.describe(state, Entry(0, "pass")).message) == "chance moves for 1: no piece fits: passes"
    match = begun(minutes=1, start=2)
    match.play("colour F")
    entries = match.play("timeout 1", by=0)
    assert entries[1].move in ("colour G", "colour B", "colour O")
    assert entries[1].picks[0][1] == 3
    assert match.to_move == (2,)
    assert GAME.is_match_timed(match.state)


@rule("AF-23")
def test_nothing_is_taken_back_past_the_end_of_the_time():
    match = begun(minutes=10, start=1)
    for move in ("colour G", "colour B", "G1a1"):
        match.play(move)
    match.play("time", by=0)
    with pytest.raises(IllegalMove, match="the time of the match was over at move 4"):
        match.play("takeback 2", by=0)


@rule("AF-23")
def test_timed_matches_end_where_no_clock_runs():
    match = played_out(minutes=1, players=3)
    assert match.result.reason in ("complete", "limit")


# At the table


def test_a_seat_that_is_out_no_longer_takes_part_in_what_the_others_agree():
    match = begun(players=3, start=1)
    for colour in "GBF":
        match.play(f"colour {colour}")
    match.position = match.position._replace(state=position(". 2 . . . .", stocks={2: ""}, players=3))
    for move in ("claim", "resign", "offer draw"):
        with pytest.raises(IllegalMove, match="has resigned or is out of the match"):
            match.play(move, by=2)
    match.play("offer draw", by=1)
    match.play("accept", by=3)
    assert (match.result.winners, match.result.reason) == ((), "agreed")


@rule("AF-20")
def test_whoever_is_left_beside_seats_that_resigned_or_are_out_wins():
    match = begun(players=3, start=1)
    match.play("resign", by=1)
    state = position(". 2 . . . .", seat=2, stocks={2: "B3"}, players=3)
    assert GAME.outcome(state, frozenset({1})) is None
    result = GAME.outcome(put(state, "B3c1"), frozenset({1}))
    assert (result.winners, result.reason) == ((3,), "complete")


# Words, views, and a second count of everything


@rule("AF-6", "AF-9", "AF-10", "AF-11", "AF-12", "AF-14", "AF-15", "AF-16", "AF-17", "AF-18", "AF-19")
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("seed", range(8))
def test_whole_matches_played_again_by_other_code(players, seed):
    match, model = begun(str(seed), players=players), Model(players)
    while match.result is None:
        seat = match.to_move[0]
        view = GAME.view(match.state, seat)
        if view["phase"] == "turns":
            assert set(GAME.moves(match.state)) == model.moves(seat)
            assert view["board"] == {square: stack for square, stack in model.stacks.items() if stack}
            assert view["stocks"] == [model.stock(seat) for seat in model.stocks]
            assert view["out"] == [seat for seat, stock in model.stocks.items() if not stock]
        entry = match.play(bots.choose(GAME, "random", match.state, seat, (seed, len(match.log))))[0]
        taken = 0
        if entry.move.startswith("colour"):
            model.stocks[seat] = [f"{entry.move[-1]}{number}" for number in range(1, 5) for _ in range(8)]
        elif entry.move != "pass":
            taken = model.put(seat, entry.move)
            assert GAME.view(match.state, seat)["extra"] == (taken > 0)
        if match.result is None and view["phase"] == "turns":
            following = [(seat + n - 1) % players + 1 for n in range(0 if taken else 1, players + 1)]
            assert match.to_move[0] == next(other for other in following if model.stocks[other])
    assert [other for other, stock in model.stocks.items() if stock] == list(match.result.winners)
    assert match.result.scores == tuple(len(stock) for stock in model.stocks.values())


def test_legal_moves_are_grouped_by_number_with_the_neighbours_that_allow_them():
    state = position(". . . . . .\n. 2 . . . .\n. . . 3 . .", stocks={1: "G3 O3 F4"})
    numbers = GAME.legal(state, 1)["numbers"]
    assert list(numbers) == ["3", "4"]
    assert numbers["3"]["colours"] == ["G", "O"]
    assert numbers["4"]["colours"] == ["F"]
    assert {square: allowing for square, allowing in numbers["3"]["squares"].items() if allowing} == {
        square: ["b2"] for square in ("b1", "a2", "c2", "b3")
    }
    assert numbers["4"]["squares"]["d2"] == ["d1"]
    assert numbers["4"]["squares"]["f6"] == []
    listed = {f"{c}{n}{s}" for n, group in numbers.items() for c in group["colours"] for s in group["squares"]}
    assert listed == set(GAME.moves(state))
    assert GAME.legal(state, 2) == {"choose": [], "numbers": {}, "pass": False}


@pytest.mark.parametrize(
    ("drawing", "move", "stocks", "words"),
    [
        (EMPTY_BOARD, "G1a1", {}, "green 1 in a1"),
        ("2 . . . . .", "G3b1", {}, "green 3 in b1"),
        ("2 B3 . . . .", "G1b1", {}, "green 1 in b1, on light blue 3"),
        (UNCOVERING, "G4d1", {}, "green 4 in d1: 8 pieces taken, and another turn"),
        ("2 . . . . .", "O3b1", {1: "O3"}, "orange 3 in b1: that was the last piece, 1 is out"),
        (BLOCKED, "pass", {1: "G1"}, "no piece fits: passes"),
    ],
)
def test_a_move_is_told_with_what_it_did(drawing, move, stocks, words):
    state = position(drawing, stocks=stocks)
    before = state.tobytes()
    assert say(GAME.describe(state, Entry(1, move)).message) == words
    assert state.tobytes() == before


def test_the_set_up_and_the_clock_are_told():
    def told(move):
        return say(GAME.describe(chosen(), Entry(0, move)).message)

    assert told("lots 2 4 1") == "drawn: 2, 4, 1; the highest begins: 2"
    assert told("colour F") == "chance moves for 1: 1 chooses fuchsia"
    assert told("time") == "the agreed time is over: this round is the last one"


def test_the_view_is_the_same_for_everybody():
    state = put(chosen(), "G1a1", "B2a2")
    assert GAME.view(state, 1) == GAME.view(state, 2) == GAME.view(state, None)


# The guide


def test_colours_do_not_matter_to_the_search():
    plain = position("1 2 . . . .", stocks={1: "G3 G4 G4"})
    mixed = position("F1 O2 . . . .", stocks={1: "F3 G4 O4"})
    assert guide.key(plain) == guide.key(mixed)
    assert guide.value(plain, 0) == guide.value(mixed, 0)
    assert guide.key(plain) != guide.key(position("1 32 . . . .", stocks={1: "G3 G4 G4"}))


@pytest.mark.parametrize("level", ["novice", "casual", "club", "expert"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_level_takes_what_is_offered_and_passes_when_it_must(level, players):
    state = position("1 2 3 . . .", players=players, stocks={1: "G4 G4 G3"})
    if level != "novice":
        assert bots.choose(GAME, level, state, 1, ("seed",)) == "G4d1"
    assert bots.choose(GAME, level, position(BLOCKED, players=players, stocks={1: "G1"}), 1, ("seed",)) == "pass"
