"""The rules of Pin Point, one after the other."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pinpoint_board import EMPTY_BOARD, letter_at, letters_at, pins, position, put, score, started
from single_moves import allowed_one_by_one, listed

from ludoteca.core.chance import Seal
from ludoteca.core.errors import BadOption, IllegalMove, UnknownMove
from ludoteca.core.kernel import copied
from ludoteca.core.match import Match
from ludoteca.core.record import Entry
from ludoteca.core.words import say
from ludoteca.games.pinpoint import rules
from ludoteca.games.pinpoint.game import COLOURS, GAME, HOLE_NAMES
from ludoteca.search import bots

rule = pytest.mark.rule


def played_out(options, seed="a", bot="random"):
    match = Match(GAME, options, None, Seal.derived("m", GAME.agree(options)["players"], seed))
    match.begin()
    while match.result is None:
        seat = match.to_move[0]
        match.play(bots.choose(GAME, bot, match.state, seat, (seed, len(match.log))))
    return match


# Material and set-up


@rule("PP-1")
def test_two_to_four_players():
    for players in (2, 3, 4):
        assert len(Match.new("pinpoint", {"players": players}).seats) == players
    for players in (1, 5, "2", True, None):
        with pytest.raises(BadOption, match="players"):
            GAME.agree({"players": players})


@rule("PP-1")
def test_teams_are_of_four_and_partners_sit_opposite():
    state = started(players=4, teams=True)
    assert [GAME.side(state, seat) for seat in (1, 2, 3, 4)] == [0, 1, 0, 1]
    assert [GAME.side(started(players=4), seat) for seat in (1, 2, 3, 4)] == [0, 1, 2, 3]
    for players in (2, 3):
        with pytest.raises(BadOption, match="teams need 4 players"):
            GAME.agree({"players": players, "teams": True})


@rule("PP-2")
def test_a_square_inside_the_lines_touches_no_line():
    """The lines run through rows and columns 1, 4, 7 and 10: nine squares of 2 by 2 holes lie inside them."""
    inside = set()
    for column in "abcdefghi":
        for row in range(1, 10):
            right = chr(ord(column) + 1)
            state = position(EMPTY_BOARD)
            for hole in (f"{column}{row}", f"{right}{row}", f"{column}{row + 1}"):
                state.board[rules.CELL[HOLE_NAMES.index(hole)]] = 1
            if score(state, f"R{right}{row + 1}") == 8:
                inside.add(f"{column}{row}")
    assert inside == {"b2", "e2", "h2", "b5", "e5", "h5", "b8", "e8", "h8"}


@rule("PP-3", "PP-20")
def test_a_match_uses_25_pins_of_each_colour():
    match = played_out({})
    used = Counter(entry.move[0] for entry in match.log[2:])
    set_up = Counter(pin[0] for pin in match.log[1].move.split()[1:])
    assert {colour: used[colour] + set_up[colour] for colour in COLOURS} == dict.fromkeys(COLOURS, 25)


@rule("PP-4")
def test_four_colours_stand_in_the_corners_of_the_central_square():
    orders = set()
    for n in range(200):
        match = Match(GAME, {}, None, Seal.derived(f"m{n}", 2, n))
        match.begin()
        view = GAME.view(match.state, 1)
        corners = letters_at(match.state, "d4", "d7", "g4", "g7")
        assert sorted(corners) == sorted(COLOURS)
        assert view["board"].count(".") == 96
        assert view["points"] == [0, 0]
        assert match.log[1].move == "setup " + " ".join(
            a + b for a, b in zip(corners, ("d4", "d7", "g4", "g7"), strict=True)
        )
        orders.add(corners)
    assert len(orders) == 24


@rule("PP-4")
def test_a_table_may_choose_the_set_up():
    match = Match.new("pinpoint", {"setup": "BGRY"})
    assert letters_at(match.state, "d4", "d7", "g4", "g7") == "BGRY"
    assert [entry.move.split()[0] for entry in match.log] == ["start"]
    with pytest.raises(BadOption, match="setup='RRGB'"):
        GAME.agree({"setup": "RRGB"})


@rule("PP-5")
def test_play_goes_round_from_a_random_or_chosen_start():
    starts = Counter()
    for n in range(300):
        match = Match(GAME, {"players": 3}, None, Seal.derived(f"m{n}", 3, n))
        match.begin()
        starts[match.to_move[0]] += 1
        assert match.log[0].move == f"start {match.to_move[0]}"
    assert set(starts) == {1, 2, 3}
    assert min(starts.values()) > 60
    match = played_out({"players": 3, "start": 2})
    turns = [entry.by for entry in match.log if entry.by]
    assert turns == [seat for turn in range(24) for seat in [(turn + 1) % 3 + 1] * 4]
    with pytest.raises(BadOption, match="there are 2 players"):
        GAME.agree({"start": 3})


# A turn


@rule("PP-6")
def test_a_turn_puts_one_pin_of_each_colour_in_any_order_and_any_hole():
    state = started()
    assert len(GAME.moves(state)) == 96 * 4 * 5
    for move, hand in (("Ga1", "RYB"), ("Bj10", "RY"), ("Re5", "Y")):
        state, _ = put(state, move)
        assert "".join(GAME.view(state, 1)["hand"]) == hand
        assert state.actor == 0
    state, _ = put(state, "Yb2")
    assert state.actor == 1
    assert "".join(GAME.view(state, 1)["hand"]) == "RYGB"


@rule("PP-6")
@pytest.mark.parametrize(
    ("move", "words"),
    [
        ("Rd4", "there is already a pin in d4"),
        ("Ya1", "you have already put the yellow pin this turn; still in hand: red, green, blue"),
        ("Y=Ra1", "you have already put the yellow pin this turn"),
    ],
)
def test_a_full_hole_and_a_pin_not_in_hand_are_refused(move, words):
    state, _ = put(started(), "Yb2")
    before = state.tobytes()
    with pytest.raises(IllegalMove, match=words):
        put(state, move)
    assert state.tobytes() == before


@pytest.mark.parametrize("move", ["", "R", "Rk1", "Ra11", "Ra0", "re5", "R=e5", "R=Ke5", "Re5 ", "Re5\n", "Ｒe5"])
def test_what_is_no_move_is_not_read(move):
    with pytest.raises(UnknownMove, match="a move is a pin and a hole"):
        put(started(), move)


@rule("PP-7")
def test_every_pin_scores_at_once():
    state, first = put(started(), "Re4")
    assert (first, GAME.view(state, 1)["points"]) == (2, [2, 0])
    state, second = put(state, "Yd8")
    assert (second, GAME.view(state, 1)["points"]) == (2, [4, 0])


@rule("PP-8")
@pytest.mark.parametrize(("players", "turns"), [(2, 12), (3, 8), (4, 6)])
def test_the_match_ends_when_the_board_is_full(players, turns):
    match = played_out({"players": players})
    assert Counter(entry.by for entry in match.log if entry.by) == dict.fromkeys(range(1, players + 1), 4 * turns)
    assert "." not in GAME.view(match.state, 1)["board"]
    assert match.to_move == ()
    assert match.result.reason == "complete"


# Figures


@rule("PP-9")
def test_a_single_pin_scores_one():
    assert score(position(pins({5: "....Y....."})), "Rd5") == 1


@rule("PP-10")
@pytest.mark.parametrize("length", [2, 3, 4, 5])
@pytest.mark.parametrize("step", [(1, 0), (0, 1), (1, 1), (1, -1)])
@pytest.mark.parametrize("place", ["end", "inside"])
def test_a_line_scores_its_length(length, step, place):
    dx, dy = step
    column, row = 3, 5
    state = position(EMPTY_BOARD)
    holes = [(row + dy * i) * 10 + column + dx * i for i in range(length)]
    last = holes.pop(0 if place == "end" else len(holes) // 2)
    for hole in holes:
        state.board[rules.CELL[hole]] = 3
    assert score(state, "G" + HOLE_NAMES[last]) == length


@rule("PP-10")
def test_a_line_is_unbroken_and_of_one_colour():
    assert score(position(pins({5: "RR.YRR...."})), "Rc5") == 3
    assert score(position(pins({5: "RR.K.R...."})), "Rc5") == 3
    assert score(position(pins({1: "........RR", 2: "R........."})), "Rh1") == 3  # lines do not run round the edge


@rule("PP-11")
def test_a_line_of_six_scores_ten_and_is_turned_over():
    state, points = put(position(pins({5: "RR.RRR.R..", 6: ".RR......."})), "Rc5")
    assert points == 10
    assert letters_at(state, "a5", "b5", "c5", "d5", "e5", "f5") == "KKKKKK"
    assert letters_at(state, "h5", "b6", "c6") == "RRR"


@rule("PP-11")
def test_several_lines_of_six_are_all_turned_over():
    rows = dict.fromkeys(range(1, 6), "..R.......") | {6: "RR.RRR...."}
    state, points = put(position(pins(rows)), "Rc6")
    assert points == 10
    assert GAME.view(state, 1)["board"].count("K") == 11
    assert GAME.view(state, 1)["board"].count("R") == 0


@rule("PP-11")
def test_a_joker_counts_in_the_line_and_loses_its_colour_with_it():
    state, points = put(position(pins({5: "RRRR......"})), "G=Re5")
    assert (points, letter_at(state, "e5")) == (5, "R")
    state, points = put(state, "Rf5")
    assert points == 10
    assert letters_at(state, "a5", "e5", "f5") == "KKK"
    assert score(state, "Y=Rg5") == 1  # no pin of the line is red any more, in the same turn


@rule("PP-11")
def test_a_joker_that_completes_the_line_turns_it_over():
    state, points = put(position(pins({5: "RRRRR....."})), "G=Rf5")
    assert points == 10
    assert letters_at(state, "a5", "e5", "f5") == "KKK"
    assert GAME.view(state, 1)["jokers_shown"] == []


@rule("PP-12")
@pytest.mark.parametrize(
    ("hole", "others", "points"),
    [("f6", "e5 f5 e6", 8), ("f7", "e6 f6 e7", 4), ("e4", "d4 d5 e5", 4), ("a1", "a2 b1 b2", 4), ("c3", "b2 b3 c2", 8)],
)
def test_a_square_scores_four_and_eight_inside_the_lines(hole, others, points):
    state = position(EMPTY_BOARD)
    for other in others.split():
        state.board[rules.CELL[HOLE_NAMES.index(other)]] = 4
    assert score(state, "B" + hole) == points


def cross(centre, missing, colour=2):
    column, row = "abcdefghij".index(centre[0]), int(centre[1:])
    arms = [(column, row), (column - 1, row), (column + 1, row), (column, row - 1), (column, row + 1)]
    names = [f"{'abcdefghij'[c]}{r}" for c, r in arms]
    state = position(EMPTY_BOARD)
    for name in names:
        if name != names[missing]:
            state.board[rules.CELL[HOLE_NAMES.index(name)]] = colour
    return state, names[missing]


@rule("PP-13")
@pytest.mark.parametrize("missing", range(5))
@pytest.mark.parametrize(("centre", "points"), [("b2", 5), ("d5", 5), ("e5", 5), ("d4", 10), ("g7", 10), ("g4", 10)])
def test_a_cross_scores_five_and_ten_on_a_crossing(centre, points, missing):
    state, hole = cross(centre, missing)
    assert score(state, "Y" + hole) == points


@rule("PP-13")
def test_only_the_four_holes_of_the_set_up_are_crossings_a_cross_can_stand_on():
    centres = {
        HOLE_NAMES[row * 10 + column]
        for row in range(1, 9)
        for column in range(1, 9)
        if score(*_cross_move(HOLE_NAMES[row * 10 + column])) == 10
    }
    assert centres == {HOLE_NAMES[hole] for hole in rules.SETUP_HOLES}


def _cross_move(centre):
    state, hole = cross(centre, 0)
    return state, "Y" + hole


@rule("PP-13")
def test_a_diagonal_cross_is_none():
    assert score(position(pins({6: "...R.R....", 4: "...R.R...."})), "Re5") == 3


@rule("PP-14")
def test_only_the_figure_worth_most_scores():
    # a line of 5 and a square inside the lines at once; a line of 3 and a plain square
    assert score(position(pins({6: "....RR....", 5: ".RRRR....."})), "Rf5") == 8
    assert score(position(pins({4: "...RR.....", 3: "..R.R....."})), "Rd3") == 4


@rule("PP-15")
def test_a_line_of_six_is_turned_over_whichever_figure_was_scored():
    rows = {4: "...R......", 5: "RRR.RR....", 6: "...R......"}
    state, points = put(position(pins(rows)), "Rd5")
    assert points == 10  # the line of six (10) beats the cross off a crossing (5)
    assert letters_at(state, "a5", "b5", "c5", "d5", "e5", "f5") == "KKKKKK"
    rows = {3: "...R......", 4: "RRR.RR....", 5: "...R......"}
    state, points = put(position(pins(rows)), "Rd4")
    assert points == 10  # here the cross on a crossing is worth the same
    assert letters_at(state, "a4", "d4", "f4") == "KKK"
    assert letters_at(state, "d3", "d5") == "RR"


@rule("PP-16")
@pytest.mark.parametrize("length", [6, 7, 8, 9, 10])
def test_a_longer_line_is_still_worth_ten(length):
    row = ("R" * (length - 1)).ljust(10, ".")
    state, points = put(position(pins({3: row})), f"R{'abcdefghij'[length - 1]}3")
    assert points == 10
    assert GAME.view(state, 1)["board"].count("K") == length


@rule("PP-16")
def test_where_two_figures_are_worth_the_same_the_line_is_named():
    def named(rows, move):
        return GAME.describe(position(pins(rows)), Entry(1, move)).message.key.removeprefix("pinpoint.said.")

    line_and_cross = {3: "...R......", 4: "RRR.RR....", 5: "...R......"}
    line_and_square = {4: "RRR.......", 5: "..RR......"}
    assert named(line_and_cross, "Rd4") == "long_line"
    assert named(line_and_square, "Rd4") == "line"
    assert named({4: "...RR.....", 3: "....R....."}, "Rd3") == "square"


# Jokers


@rule("PP-17")
def test_any_pin_may_be_a_joker_of_any_colour():
    state = position(pins({5: "GG........"}))
    for pin in COLOURS:
        assert score(state, f"{pin}=Gc5") == 3
        assert score(state, f"{pin}=Yc5") == 1
    after, _ = put(state, "R=Gc5")
    assert GAME.view(after, 1)["jokers_shown"] == ["c5"]


@rule("PP-18")
def test_a_joker_has_its_colour_until_the_turn_ends_and_is_black_then():
    state = position(pins({5: "GG........"}))
    state, _ = put(state, "R=Gc5")
    state, points = put(state, "Gd5")
    assert points == 4
    for move in ("Ya1", "Ba3"):
        state, _ = put(state, move)
    assert letters_at(state, "c5", "d5") == "KG"
    assert GAME.view(state, 1)["jokers_shown"] == []
    assert score(state, "Ge5") == 2  # the line is cut for the other player


@rule("PP-19")
def test_each_player_has_four_jokers_and_may_play_all_in_one_turn():
    state = started(players=4, teams=True)
    for number, move in enumerate(("R=Ra1", "Y=Ra2", "G=Ra3", "B=Ra4"), start=1):
        state, points = put(state, move)
        assert points == number
    assert GAME.view(state, 1)["jokers"] == [0, 4, 4, 4]
    for move in ["Rj1", "Yj3", "Gj5", "Bj7", "Rh1", "Yh3", "Gh5", "Bh10", "Rf1", "Yf3", "Gf8", "Bf10"]:
        state, _ = put(state, move)
    assert state.actor == 0
    assert not any("=" in move for move in GAME.moves(state))
    assert GAME.legal(state, 1)["joker"] is False
    with pytest.raises(IllegalMove, match="you have no jokers left; put the red pin as it is"):
        put(state, "R=Ge9")


@rule("PP-19")
def test_partners_do_not_share_their_jokers():
    state = started(players=4, teams=True)
    for move in ("R=Ra1", "Y=Ra2", "G=Ra3", "B=Ra4", "Rj1", "Yj3", "Gj5", "Bj7"):
        state, _ = put(state, move)
    for left, move in ((3, "R=Gc1"), (2, "Y=Gc2"), (1, "G=Gc3"), (0, "B=Gc8")):
        state, _ = put(state, move)
        assert GAME.view(state, 3)["jokers"] == [0, 4, left, 4]


@rule("PP-20")
def test_a_joker_uses_up_the_pin_in_hand_whatever_it_was_announced_as():
    state, _ = put(started(), "R=Ga1")
    assert GAME.view(state, 1)["hand"] == ["Y", "G", "B"]
    with pytest.raises(IllegalMove, match="red pin"):
        put(state, "Rb1")


@rule("PP-6", "PP-19", "PP-20")
def test_asked_about_single_moves_the_rules_allow_those_of_the_list():
    one_empty = position("\n".join([".KKKKKKKKK", *["KKKKKKKKKK"] * 9]), hand="YB", jokers=[1, 0, 0, 0])
    without_jokers = position("\n".join([".KKKKKKKKK", *["KKKKKKKKKK"] * 9]), hand="YB", jokers=[0, 4, 4, 4])
    for state, legal in ((started(), 96 * 4 * 5), (one_empty, 2 * 5), (without_jokers, 2), (played_out({}).state, 0)):
        assert allowed_one_by_one(rules, state) == listed(rules, state)
        assert len(listed(rules, state)) == legal


# The end


def ended(scores, **options):
    """Return a full board with these scores."""
    state = position("\n".join(["KKKKKKKKKK"] * 10), **options)
    state.score[: len(scores)] = scores
    state.actor = -2
    return state


@rule("PP-21")
@pytest.mark.parametrize(
    ("scores", "options", "winners", "shown"),
    [
        ((10, 12), {}, (2,), (10, 12)),
        ((12, 12), {}, (1, 2), (12, 12)),
        ((5, 9, 9), {"players": 3}, (2, 3), (5, 9, 9)),
        ((10, 1, 2, 20), {"players": 4}, (4,), (10, 1, 2, 20)),
        ((10, 1, 12, 20), {"players": 4, "teams": True}, (1, 3), (22, 21, 22, 21)),
        ((10, 1, 11, 20), {"players": 4, "teams": True}, (1, 2, 3, 4), (21, 21, 21, 21)),
    ],
)
def test_the_highest_total_wins_and_a_tie_stands(scores, options, winners, shown):
    result = GAME.outcome(ended(scores, **options), frozenset())
    assert (result.winners, result.scores) == (winners, shown)


@rule("PP-21")
def test_a_seat_that_resigned_does_not_win():
    assert GAME.outcome(ended((10, 12)), frozenset({2})).winners == (1,)
    assert GAME.outcome(ended((5, 9, 9), players=3), frozenset({2})).winners == (3,)


@rule("PP-21")
def test_payoffs_follow_the_result():
    for scores, options, expected in [
        ((10, 12), {}, (-1, 1)),
        ((12, 12), {}, (0, 0)),
        ((5, 9, 9), {"players": 3}, (-1, 0, 0)),
        ((10, 1, 12, 20), {"players": 4, "teams": True}, (1, -1, 1, -1)),
        ((10, 1, 11, 20), {"players": 4, "teams": True}, (0, 0, 0, 0)),
    ]:
        out = np.zeros(4, np.float32)
        rules.payoff(ended(scores, **options), out)
        assert tuple(out[: len(expected)]) == expected


# The time limit


@rule("PP-22")
def test_when_the_time_runs_out_the_pins_left_fall_at_random_and_score_nothing():
    match = Match.new("pinpoint", {"turn_seconds": 30, "start": 1})
    match.play("Ya1")
    entries = match.play("timeout 1", by=0)
    assert [entry.move[0] for entry in entries] == ["t", "R", "G", "B"]
    assert all(entry.by == 0 and entry.score == 0 and "=" not in entry.move for entry in entries[1:])
    assert all(entry.picks[0][1] == 95 - n for n, entry in enumerate(entries[1:]))
    assert match.to_move == (2,)
    assert GAME.view(match.state, 1)["points"] == [1, 0]


@rule("PP-22")
def test_a_line_of_six_made_by_the_clock_is_still_turned_over():
    state = position(pins({5: "RRRRR....."}), hand="R")
    rules.play(state, rules.TIMEOUT)
    step = GAME.play(state, 0, "Rf5")
    assert step.score == 0
    assert letters_at(step.state, "a5", "f5") == "KK"
    assert step.state.actor == 1


@rule("PP-22")
def test_the_clock_puts_pins_in_the_order_of_the_colours_in_empty_holes():
    state = position(pins({5: "RRRRR....."}), hand="YB")
    rules.play(state, rules.TIMEOUT)
    for wrong in ("Bf5", "Ya5", "Y=Bf5"):
        with pytest.raises(IllegalMove, match="chance cannot give this here"):
            GAME.play(state, 0, wrong)
    assert GAME.play(state, 0, "Yf5").score == 0


@rule("PP-22")
def test_jokers_of_the_turn_keep_their_colour_while_the_clock_puts_the_rest():
    state = position(pins({5: "RRRR......"}), hand="RG")
    state, _ = put(state, "G=Re5")
    rules.play(state, rules.TIMEOUT)
    after = GAME.play(state, 0, "Rf5").state
    assert letters_at(after, "a5", "e5", "f5") == "KKK"


@rule("PP-22")
def test_the_turns_after_one_that_ran_out_score_again():
    match = Match.new("pinpoint", {"turn_seconds": 30, "start": 1, "setup": "RYGB"})
    match.play("timeout 1", by=0)
    for seat in (2, 1):
        for pin in COLOURS:
            hole = GAME.legal(match.state, seat)["holes"][0]
            assert match.play(pin + hole, seat)[0].score >= 1
    assert min(GAME.view(match.state, 1)["points"]) >= 4
    match.play("timeout 2", by=0)
    assert match.to_move == (1,)


@rule("PP-22")
def test_without_a_limit_the_clock_turns_nothing():
    match = Match.new("pinpoint", {"start": 1})
    assert [entry.move for entry in match.play("timeout 1", by=0)] == ["timeout 1"]
    assert match.to_move == (1,)
    with pytest.raises(IllegalMove, match="seat 2 is not on the move"):
        match.play("timeout 2", by=0)


# Words and views


def reference_points(letters, hole):
    """Return the score of a pin, counted in another way: over all figures of the board."""
    colour, row, column = letters[hole], *divmod(hole, 10)

    def same(r, c):
        return 0 <= r < 10 and 0 <= c < 10 and letters[r * 10 + c] == colour

    best, turned = 1, set()
    for dr, dc in ((0, 1), (1, 0), (1, 1), (1, -1)):
        line = [(row, column)]
        for sign in (1, -1):
            r, c = row + sign * dr, column + sign * dc
            while same(r, c):
                line.append((r, c))
                r, c = r + sign * dr, c + sign * dc
        best = max(best, 10 if len(line) > 5 else len(line))
        turned |= set(line) if len(line) > 5 else set()
    for r in range(9):
        for c in range(9):
            square = [(r, c), (r, c + 1), (r + 1, c), (r + 1, c + 1)]
            if (row, column) in square and all(same(*p) for p in square):
                best = max(best, 8 if not {r, r + 1, c, c + 1} & {0, 3, 6, 9} else 4)
    for r in range(1, 9):
        for c in range(1, 9):
            arms = [(r, c), (r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)]
            if (row, column) in arms and all(same(*p) for p in arms):
                best = max(best, 10 if {r, c} <= {0, 3, 6, 9} else 5)
    return best, {r * 10 + c for r, c in turned}


@rule("PP-7", "PP-10", "PP-12", "PP-13", "PP-14")
@given(st.data())
def test_scores_counted_again_by_other_code(data):
    letters = data.draw(st.lists(st.sampled_from(".RYK"), min_size=100, max_size=100).filter(lambda b: "." in b))
    drawing = "\n".join("".join(letters[row * 10 : row * 10 + 10]) for row in range(9, -1, -1))
    hole = data.draw(st.sampled_from([n for n, letter in enumerate(letters) if letter == "."]))
    state, points = put(position(drawing), "R" + HOLE_NAMES[hole])
    letters[hole] = "R"
    expected, turned = reference_points(letters, hole)
    assert points == expected
    after = GAME.view(state, 1)["board"]
    assert {n for n in range(100) if after[n] == "K" and letters[n] != "K"} == turned


@rule("PP-8", "PP-21")
@pytest.mark.parametrize("options", [{}, {"players": 3}, {"players": 4}, {"players": 4, "teams": True}])
def test_a_whole_match_scored_again_by_other_code(options):
    match = played_out(options, seed=str(options))
    letters, totals, shown = ["."] * 100, Counter(), []
    for pin in match.log[1].move.split()[1:]:
        letters[HOLE_NAMES.index(pin[1:])] = pin[0]
    for number, entry in enumerate(match.log[2:]):
        what, _, announced = entry.move.partition("=")
        colour, hole = (announced[0], announced[1:]) if announced else (what[0], what[1:])
        place = HOLE_NAMES.index(hole)
        letters[place] = colour
        shown += [place] if announced else []
        points, turned = reference_points(letters, place)
        assert entry.score == points
        totals[entry.by] += points
        for other in turned:
            letters[other] = "K"
        if number % 4 == 3:
            for joker in shown:
                letters[joker] = "K"
            shown = []
    assert GAME.view(match.state, 1)["board"] == "".join(letters)
    assert GAME.view(match.state, 1)["points"] == [totals[seat] for seat in range(1, len(match.seats) + 1)]


@pytest.mark.parametrize(
    ("rows", "move", "words", "figure", "turned"),
    [
        ({}, "Ra1", "red in a1: a single pin", "a1", ""),
        ({1: "RR........"}, "Rc1", "red in c1: a line of 3", "a1 b1 c1", ""),
        ({1: "RRRRR....."}, "Rf1", "red in f1: a line of 6, turned over", "a1 b1 c1 d1 e1 f1", "a1 b1 c1 d1 e1 f1"),
        ({1: "RR........", 2: "R........."}, "Rb2", "red in b2: a square", "a1 b1 a2 b2", ""),
        (
            {2: ".GG.......", 3: ".G........"},
            "R=Gc3",
            "red as a green joker in c3: a square inside the lines",
            "b2 c2 b3 c3",
            "",
        ),
        ({1: ".R........", 2: "R.R.......", 3: ".R........"}, "Rb2", "red in b2: a cross", "b1 a2 b2 c2 b3", ""),
        (
            {3: "...R......", 4: "..R.R.....", 5: "...R......"},
            "Rd4",
            "red in d4: a cross on a crossing",
            "d3 c4 d4 e4 d5",
            "",
        ),
    ],
)
def test_a_pin_is_told_with_the_figure_it_made(rows, move, words, figure, turned):
    described = GAME.describe(position(pins(rows)), Entry(1, move))
    assert say(described.message) == words
    assert described.marks["figure"] == figure.split()
    assert described.marks.get("turned", []) == turned.split()


def test_the_view_is_the_same_for_everybody_and_legal_moves_are_for_the_one_who_acts():
    state = started()
    assert GAME.view(state, 1) == GAME.view(state, 2) == GAME.view(state, None)
    assert len(GAME.legal(state, 1)["holes"]) == 96
    assert GAME.legal(state, 2) == {"pins": [], "holes": [], "joker": False, "figures": {}, "worth": {}}
    assert copied(state).tobytes() == state.tobytes()


def figure_in(legal, colour, hole):
    """Return the name and the points of the figure that a pin would make."""
    return legal["worth"].get(legal["figures"][colour][legal["holes"].index(hole)], ["single", 1])


@pytest.mark.parametrize(
    "rows",
    [
        {},
        {1: "RRRRR.....", 2: "R..YY.....", 3: "...YG....."},
        {3: "...R......", 4: "..R.RG....", 5: "...RGG....", 8: ".B........", 7: "..B.......", 6: "...B......"},
    ],
)
def test_legal_moves_say_what_every_pin_would_score(rows):
    state = position(pins(rows), hand="RYG")
    before = state.tobytes()
    legal = GAME.legal(state, 1)
    assert state.tobytes() == before
    assert set(legal["figures"]) == set(COLOURS)  # a joker may be any colour
    for hole in legal["holes"]:
        for pin in legal["pins"]:
            name, points = figure_in(legal, pin, hole)
            assert score(state, pin + hole) == points
            assert GAME.describe(state, Entry(1, pin + hole)).message.key == f"pinpoint.said.{name}"


def test_without_jokers_only_pins_in_hand_have_figures():
    state = position(pins({1: "BB........"}), hand="YB", jokers=0)
    legal = GAME.legal(state, 1)
    assert set(legal["figures"]) == {"Y", "B"}
    assert not any(points > 1 for _, points in (figure_in(legal, "Y", hole) for hole in legal["holes"]))
    lines = {hole: figure_in(legal, "B", hole) for hole in legal["holes"] if figure_in(legal, "B", hole)[1] > 1}
    assert lines == {"c1": ["line", 3], "a2": ["line", 2], "b2": ["line", 2], "c2": ["line", 2]}
