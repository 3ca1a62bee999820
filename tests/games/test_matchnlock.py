"""The rules of Match'n Lock!, one after the other."""

from collections import Counter
from itertools import product

import numpy as np
import pytest
from matchnlock_board import (
    COLUMNS,
    STANDARD,
    Recount,
    comes,
    do,
    drawn,
    holding,
    is_locked,
    lies,
    locks,
    points,
    position,
    started,
)
from single_moves import allowed_one_by_one, listed

from ludoteca.core.chance import Seal
from ludoteca.core.errors import BadOption, IllegalMove, UnknownMove
from ludoteca.core.match import Match
from ludoteca.core.record import Entry
from ludoteca.core.words import say
from ludoteca.games.matchnlock import rules
from ludoteca.games.matchnlock.game import COLOURS, GAME, HOLE_NAMES
from ludoteca.games.matchnlock.tokens import Token, token_set
from ludoteca.lab.plan import planned, play_one
from ludoteca.search import bots

rule = pytest.mark.rule

BLUE_BUT_ONE = """
GGGG
GBBG
GBGB
GGGG"""  # one quarter of the token at the lower right closes a blue circle


def begun(options, seed="a"):
    match = Match(GAME, options, None, Seal.derived("m", GAME.agree(options)["players"], seed))
    match.begin()
    return match


def random_move(match, seed):
    return bots.choose(GAME, "random", match.state, match.to_move[0], (seed, len(match.log)))


def played_out(options, seed="a"):
    match = begun(options, seed)
    while match.result is None:
        match.play(random_move(match, seed))
    return match


def turns_of(wedges):
    return {wedges[k:] + wedges[:k] for k in range(4)}


# Material


@rule("ML-1")
def test_one_to_four_players_of_four_colours():
    for players in (1, 2, 3, 4):
        view = GAME.view(Match.new("matchnlock", {"players": players}).state, 1)
        assert [seat["colour"] for seat in view["seats"]] == list("BGYR"[:players])
        assert set(view["points"]) == set("BGYR")
    for players in (0, 5, "2", True, None):
        with pytest.raises(BadOption, match="players"):
            GAME.agree({"players": players})


@rule("ML-2")
def test_the_board_has_64_holes_in_which_tokens_turn_by_quarters():
    state = holding(started(), "BGYR")
    assert GAME.legal(state, 1)["place"] == list(HOLE_NAMES)
    assert len(set(HOLE_NAMES)) == 64
    state, _ = do(state, "c4")
    seen = [lies(state, "c4")]
    for _ in range(4):
        state, _ = do(state, "c4+")
        seen.append(lies(state, "c4"))
    assert seen == ["BGYR", "RBGY", "YRBG", "GYRB", "BGYR"]


@rule("ML-3")
def test_the_bag_holds_66_tokens_with_a_value_and_four_wedges():
    bag = GAME.view(started(), None)["bag"]
    assert len(bag) == 66
    assert bag[0] == "t1:" + str(STANDARD[0])
    assert all(len(token.wedges) == 4 and set(token.wedges) <= set("BGYR*") for token in STANDARD)


@rule("ML-4", "ML-22")
def test_a_colour_has_20_locks_and_closes_nothing_without():
    state = position(drawn("c4", BLUE_BUT_ONE))
    assert GAME.view(state, 1)["locks_left"] == dict.fromkeys(COLOURS, 20)
    state.locks[0] = 1
    after, score = do(state, "d4-")
    assert (score, locks(after), GAME.view(after, 1)["locks_left"]["B"]) == (40, {"c4": "B"}, 0)
    state.locks[0] = 0
    after, score = do(state, "d4-")
    assert (score, locks(after), is_locked(after, "c4")) == (0, {}, False)
    assert GAME.legal(state, 1)["closes"] == {}


@rule("ML-5", "ML-7")
def test_the_standard_set_is_every_token_of_two_to_four_colours_once():
    plain = [token for token in STANDARD if "*" not in token.wedges]
    jokers = [token for token in STANDARD if "*" in token.wedges]
    assert len({min(turns_of(token.wedges)) for token in plain}) == len(plain) == 54
    everything = {min(turns_of("".join(w))) for w in product("BGYR", repeat=4) if len(set(w)) > 1}
    assert len(everything) == 66
    in_two_pairs = {min(turns_of(w)) for w in everything if len(set(w)) == 2 and w.count(w[0]) == 2}
    assert {min(turns_of(token.wedges)) for token in plain} == everything - in_two_pairs
    worth = Counter()
    for token in plain:
        colours, sames = (
            len(set(token.wedges)),
            token.wedges[0] == token.wedges[2] or token.wedges[1] == token.wedges[3],
        )
        worth[colours, sames, token.value] += 1
    assert worth == {(2, True, 5): 12, (3, True, 10): 12, (3, False, 15): 24, (4, False, 20): 6}
    pairs = Counter((frozenset(token.wedges) - {"*"}, token.value) for token in jokers)
    assert len(pairs) == len(jokers) == 12
    assert all(len(colours) == 2 and value in (0, 5) for colours, value in pairs)
    assert all("**" not in token.wedges * 2 for token in jokers)


@rule("ML-5")
def test_values_are_5_to_20_and_jokers_are_worth_0_or_5():
    for token in STANDARD:
        assert token.value in ((0, 5) if "*" in token.wedges else (5, 10, 15, 20))
        assert 2 <= len(set(token.wedges) - {"*"}) <= 4


@rule("ML-6")
def test_there_are_49_circles_one_where_four_holes_meet():
    found = set()
    for column, row in product(range(7), range(1, 8)):
        corner = f"{COLUMNS[column]}{row}"
        state, score = do(position(drawn(corner, BLUE_BUT_ONE)), f"{COLUMNS[column + 1]}{row}-")
        assert (score, locks(state)) == (40, {corner: "B"})
        found.add(corner)
    assert len(found) == 49


@rule("ML-6")
@pytest.mark.parametrize("corner", ["a1", "g1", "a7", "g7"])
def test_circles_cut_by_the_edge_do_not_count(corner):
    state = position(drawn(corner, "BBBB\nBBBB\nBBBB\nBGBB"))
    for move in GAME.moves(state):
        if move[2:] in ("+", "-"):
            assert set(locks(do(state, move)[0])) <= {corner}


@rule("ML-7")
def test_another_set_can_be_agreed_and_is_checked():
    given = " ".join(["BGYR/20", "B*G*/0", "BBBB/7"] * 22)
    match = Match.new("matchnlock", {"tokens": given})
    assert GAME.view(match.state, 1)["bag"][:3] == ["t1:BGYR/20", "t2:B*G*/0", "t3:BBBB/7"]
    assert match.record.options["tokens"] == given
    for wrong, words in [
        (given + " BGY/5", "token 67 cannot be read: four wedges"),
        (given + " BGYK/5", "tokens='BGYK/5': token 67 cannot be read"),
        (given + " BGYR/100", "value from 0 to 99"),
        (given[: given.rindex(" BGYR")], "63 tokens, but a set of 64 to 96"),
        (" ".join([given, given]), "132 tokens"),
        (" ".join(["BGYR/20"] * 66), "lots cannot decide who begins"),
        ("", "0 tokens"),
    ]:
        with pytest.raises(BadOption, match=words):
            GAME.agree({"tokens": wrong})
    same = " ".join(["BGYR/20"] * 64)
    assert len(token_set(GAME.agree({"tokens": same, "start": 1})["tokens"])) == 64


@rule("ML-7")
@pytest.mark.parametrize("tokens", [64, 96])
def test_the_smallest_and_the_largest_set_can_be_played_out(tokens):
    given = " ".join(str(STANDARD[n % 66]) for n in range(tokens))
    match = played_out({"tokens": given})
    assert len(GAME.view(match.state, 1)["bag"]) == tokens - 64


@rule("ML-8")
def test_the_printed_orientations_are_in_balance():
    for place in range(4):
        assert Counter(token.wedges[place] for token in STANDARD) == {**dict.fromkeys("BGYR", 15), "*": 6}


# Set-up


@rule("ML-9")
def test_players_sit_clockwise_at_different_sides_and_two_face_each_other():
    sides = {n: [seat["side"] for seat in GAME.view(started(players=n), 1)["seats"]] for n in (1, 2, 3, 4)}
    assert sides == {
        1: ["south"],
        2: ["south", "north"],
        3: ["south", "west", "north"],
        4: ["south", "west", "north", "east"],
    }


@rule("ML-9")
def test_players_choose_different_colours():
    view = GAME.view(started(players=3, colours="RBG"), 1)
    assert [seat["colour"] for seat in view["seats"]] == ["R", "B", "G"]
    for wrong, words in [("BB", "one of"), ("BGK", "one of"), ("", "one of"), ("B", "a letter for each of 2 players")]:
        with pytest.raises(BadOption, match=words):
            GAME.agree({"colours": wrong})


@rule("ML-10")
def test_the_highest_lot_begins_and_all_lots_go_back():
    starts = Counter()
    for n in range(200):
        match = begun({"players": 3}, n)
        tied = [1, 2, 3]
        for entry in match.log:
            lots = [(int(lot[0]), int(lot.rpartition("/")[2])) for lot in entry.move.split()[1:]]
            assert [seat for seat, _ in lots] == tied
            best = max(value for _, value in lots)
            tied = [seat for seat, value in lots if value == best]
        assert match.to_move == tuple(tied)
        assert len(GAME.view(match.state, 1)["bag"]) == 66
        starts[tied[0]] += 1
    assert min(starts.values()) > 40


def lot(state, values):
    """Return the entry for lots of these values: the first tokens in the bag that have them."""
    tokens, used = [], set()
    for value in values:
        token = next(t for t in state.bag[: state.n_bag].tolist() if state.value[t] == value and t not in used)
        used.add(token)
        tokens.append(rules.TOKENS + token)
    return GAME.format_chance(state, tokens)


@rule("ML-10")
def test_only_those_tied_draw_again_and_only_the_new_tokens_count():
    state = GAME.start(GAME.agree({"players": 4}))
    state = GAME.play(state, 0, lot(state, (5, 20, 15, 20))).state
    assert len(GAME.view(state, 1)["bag"]) == 62  # lots are not in the bag while lots are drawn
    again = lot(state, (0, 5))
    assert [word[0] for word in again.split()[1:]] == ["2", "4"]
    with pytest.raises(UnknownMove, match="lots are drawn now by 2, 4"):
        GAME.play(state, 0, again.replace("2=", "1="))
    state = GAME.play(state, 0, again).state
    assert GAME.to_move(state) == (4,)  # earlier lots (15 and 20) no longer count; a joker counts its value
    order = []
    for _ in range(4):
        order.append(GAME.to_move(state)[0])
        state, _ = do(holding(state, "BGYR"), HOLE_NAMES[len(order)])
    assert order == [4, 1, 2, 3]


@rule("ML-10")
def test_everything_goes_back_when_the_bag_cannot_serve_all_who_are_tied():
    state = GAME.start(GAME.agree({"players": 2}))
    state.n_bag = 3
    state.value[state.bag[:3]] = 10
    state = GAME.play(state, 0, lot(state, (10, 10))).state
    assert state.phase == rules.DRAW_LOTS
    assert len(GAME.view(state, 1)["bag"]) == 66


@rule("ML-10")
def test_a_bag_with_one_token_for_each_who_is_tied_serves_them():
    state = GAME.start(GAME.agree({"players": 2}))
    state.n_bag = 4
    state.value[state.bag[:4]] = (10, 10, 5, 15)
    state = GAME.play(state, 0, lot(state, (10, 10))).state
    assert state.phase == rules.DRAW_LOTS
    assert len(GAME.view(state, 1)["bag"]) == 2
    assert GAME.to_move(GAME.play(state, 0, lot(state, (5, 15))).state) == (2,)


@rule("ML-10")
def test_the_start_may_be_agreed():
    match = Match.new("matchnlock", {"players": 3, "start": 2})
    assert (match.log, match.to_move) == ([], (2,))
    with pytest.raises(BadOption, match="there are 2 players"):
        GAME.agree({"start": 3})


# A turn


@rule("ML-11", "ML-12")
def test_a_turn_is_one_action_and_what_is_drawn_must_be_placed():
    state = position(drawn("c4", BLUE_BUT_ONE))
    assert set(GAME.moves(state)) == {"draw"} | {hole + way for hole in ("c4", "d4", "c5", "d5") for way in "+-"}
    after, _ = do(state, "c4+")
    assert GAME.to_move(after) == (2,)
    drawing, score = do(state, "draw")
    assert (GAME.to_move(drawing), score) == ((), None)
    assert rules.count(drawing) == 62
    assert {rules.weight_at(drawing, k) for k in range(62)} == {1}  # the bag's real odds
    seen, _ = comes(drawing, 7)
    assert GAME.to_move(seen) == (1,)
    assert GAME.view(seen, 1)["in_hand"]["token"] == 7
    assert set(GAME.moves(seen)) == set(HOLE_NAMES) - {"c4", "d4", "c5", "d5"}
    placed, score = do(seen, "h8")
    assert (GAME.to_move(placed), GAME.view(placed, 1)["in_hand"], score) == ((2,), None, 0)


@rule("ML-12", "ML-14", "ML-15", "ML-23")
@pytest.mark.parametrize(
    ("moves", "move", "words"),
    [
        ((), "e4", "draw a token before you place one in e4"),
        ((), "e4+", "there is no token in e4"),
        ((), "e4!", "there is no token in e4"),
        ((), "c4!", "the token in c4 is not in stalemate"),
        (("d4-",), "d4+", "the token in d4 is part of a closed circle"),
        (("d4-",), "c5!", "the token in c5 is part of a closed circle"),
    ],
)
def test_what_may_not_be_done_is_refused(moves, move, words):
    state, _ = do(position(drawn("c4", BLUE_BUT_ONE)), *moves)
    before = state.tobytes()
    with pytest.raises(IllegalMove, match=words):
        do(state, move)
    assert state.tobytes() == before


@rule("ML-12")
@pytest.mark.parametrize(
    ("move", "words"),
    [("c4", "there is already a token in c4"), ("c4+", "place the token"), ("draw", "place the token")],
)
def test_a_token_in_hand_goes_in_an_empty_hole(move, words):
    state = holding(position(drawn("c4", BLUE_BUT_ONE)), "BGYR")
    with pytest.raises(IllegalMove, match=words):
        do(state, move)


@rule("ML-12")
def test_only_what_is_in_the_bag_comes_out_of_it():
    state, _ = do(holding(started(), "BGYR"), "c4")
    gone = int(state.token[HOLE_NAMES.index("c4")]) + 1
    state, _ = do(state, "draw")
    with pytest.raises(IllegalMove, match="is not in the bag"):
        comes(state, gone)
    for strange in ("t67:BGYR/20", "t5:BBBB/5", "t5", "lots 1=t1:BBGB/5"):
        with pytest.raises(UnknownMove):
            GAME.play(state, 0, strange)


@pytest.mark.parametrize("move", ["", "c", "c9", "i1", "c4 ", "c4\n", "C4", "c4++", "Draw", "c4?", "t1:BBGB/5", "c４"])
def test_what_is_no_move_is_not_read(move):
    with pytest.raises(UnknownMove, match="a move is 'draw', a hole"):
        do(started(), move)


@rule("ML-13")
@pytest.mark.parametrize(
    ("players", "seat", "lying"),
    [(4, 1, "BGYR"), (4, 2, "RBGY"), (4, 3, "YRBG"), (4, 4, "GYRB"), (2, 2, "YRBG"), (3, 2, "RBGY"), (3, 3, "YRBG")],
)
def test_a_token_is_placed_upright_as_its_player_reads_it(players, seat, lying):
    state = holding(position({}, seat=seat, players=players), "BGYR")
    assert GAME.view(state, 1)["in_hand"]["wedges"] == lying
    assert lies(do(state, "c4")[0], "c4") == lying


@rule("ML-14")
def test_any_loose_token_turns_a_quarter_either_way():
    state = position({"b2": Token("BGYR", 20), "g7": Token("BB*G", 5)})
    assert lies(do(state, "b2+")[0], "b2") == "RBGY"
    assert lies(do(state, "b2-")[0], "b2") == "GYRB"
    assert lies(do(state, "g7+")[0], "g7") == "GBB*"
    assert GAME.legal(state, 1)["rotate"] == ["b2", "g7"]


@rule("ML-15")
def test_a_token_of_a_closed_circle_never_turns_again():
    state, _ = do(position(drawn("c4", BLUE_BUT_ONE) | {"h8": Token("BGYR", 20)}), "d4-")
    assert GAME.legal(state, 2)["rotate"] == ["h8"]
    assert set(GAME.moves(state)) == {"draw", "h8+", "h8-"}
    assert [is_locked(state, hole) for hole in ("c4", "d4", "c5", "d5", "h8")] == [True] * 4 + [False]


# Circles


@rule("ML-16", "ML-17", "ML-19")
@pytest.mark.parametrize("colour", COLOURS)
def test_a_circle_of_any_colour_is_locked_and_scored(colour):
    other = COLOURS[COLOURS.index(colour) - 1]
    drawing = BLUE_BUT_ONE.replace("G", other).replace("B", colour)
    if colour == "G":
        drawing = BLUE_BUT_ONE.replace("G", "x").replace("B", "G").replace("x", "B")
    state, score = do(position(drawn("c4", drawing, c4=5, d4=20, c5=15, d5=0)), "d4-")
    assert (score, locks(state)) == (40, {"c4": colour})
    assert points(state) == {**dict.fromkeys(COLOURS, 0), colour: 40}
    assert GAME.view(state, 1)["locks_left"] == {**dict.fromkeys(COLOURS, 20), colour: 19}


@rule("ML-16")
def test_a_placement_closes_circles_too():
    state = position(drawn("c4", "GGGG\nGBBG\nGB..\nGG.."))
    after, score = do(holding(state, "GGGB"), "d4")
    assert (score, locks(after)) == (40, {"c4": "B"})
    after, score = do(holding(state, "BGGG"), "d4")
    assert (score, locks(after)) == (0, {})


def in_stalemate(state, hole):
    """Return the position with a stalemate: both seats turned the token twice, so that it lies as before."""
    for move in (f"{hole}+", f"{hole}-") * 2:
        state, score = do(state, move)
        assert score == 0
    return state


@rule("ML-16")
def test_what_a_replacement_closes_is_scored_with_the_token_drawn():
    lacking = drawn("c4", "GGGG\nGBYG\nGBBG\nGGGG")
    state, _ = do(in_stalemate(position(lacking), "d5"), "d5!")
    token = int(state.bag[0])
    state.printed[token], state.value[token] = Token("GGBG", 20).bits, 20
    state, score = comes(state, token + 1)
    assert (score, locks(state), points(state)["B"]) == (50, {"c4": "B"}, 50)


@rule("ML-17")
def test_four_tokens_are_needed_and_one_colour():
    assert do(holding(position(drawn("c4", "..GG\n..BG\nGB..\nGG..")), "GGGB"), "d4")[1] == 0
    assert do(position(drawn("c4", "GGGG\nGBYG\nGBGB\nGGGG")), "d4-")[1] == 0


@rule("ML-17")
@pytest.mark.parametrize("wild", [("c4",), ("c4", "d5"), ("c4", "c5", "d5")])
def test_wild_wedges_stand_for_any_colour(wild):
    tokens = drawn("c4", BLUE_BUT_ONE)
    for hole in wild:
        tokens[hole] = Token(tokens[hole].wedges.replace("B", "*"), 5)
    state, score = do(position(tokens), "d4-")
    assert (score, locks(state)) == (40 - 5 * len(wild), {"c4": "B"})


@rule("ML-17")
def test_the_wild_wedges_of_a_token_are_independent():
    """The token in b2 helps a blue circle to its upper right and a red one to its lower left."""
    tokens = drawn("b2", "GGGG\nGBBG\nG*GB\n*GGG") | drawn("a1", "GG\nGR\nGR\nGG") | {"b1": Token("GGGR", 10)}
    tokens["a2"] = Token("GRGG", 10)
    tokens["a1"] = Token("GRGG", 10)
    state, score = do(position(tokens), "c2-")
    assert (score, locks(state)) == (40, {"b2": "B"})
    state, score = do(state, "a1-")
    assert (score, locks(state)) == (40, {"b2": "B", "a1": "R"})


@rule("ML-18")
def test_four_wild_wedges_close_nothing():
    state = position(drawn("c4", "GGGG\nG**G\nG*G*\nGGGG"))
    assert do(state, "d4-")[1] == 0
    assert locks(do(state, "d4-")[0]) == {}


@rule("ML-19")
def test_the_owner_earns_whoever_closed_it_and_whoevers_turn_it_is():
    state = position(drawn("c4", BLUE_BUT_ONE), seat=2)
    state, _ = do(state, "d4-")
    assert GAME.scores(state, ()) == (40, 0)


@rule("ML-19", "ML-20")
def test_one_move_closes_several_circles_and_a_token_counts_in_each():
    tokens = drawn("c4", "GGGGGG\nGBBYYG\nGBGBYG\nGGGGGG", d4=20)
    tokens["d4"] = Token("BYGG", 20)
    state = position(tokens)
    assert GAME.legal(state, 1)["closes"]["d4-"] == [
        {"circle": "c4", "holes": ["c4", "d4", "c5", "d5"], "colour": "B", "points": 50},
        {"circle": "d4", "holes": ["d4", "e4", "d5", "e5"], "colour": "Y", "points": 50},
    ]
    state, score = do(state, "d4-")
    assert (score, locks(state)) == (100, {"c4": "B", "d4": "Y"})
    assert points(state) == {"B": 50, "G": 0, "Y": 50, "R": 0}


@rule("ML-20")
def test_four_circles_at_once():
    drawing = """
    RRRRRR
    RBBGGR
    RBRRGR
    RYRRRR
    RYYRRR
    RRRRRR"""
    tokens = drawn("c4", drawing)
    del tokens["d5"]
    state, score = do(holding(position(tokens), "GRYB"), "d5")
    assert (score, locks(state)) == (160, {"c4": "Y", "d4": "R", "c5": "B", "d5": "G"})


@rule("ML-21")
def test_colours_that_nobody_owns_are_locked_and_scored_just_the_same():
    drawing = BLUE_BUT_ONE.replace("B", "R")
    state, score = do(position(drawn("c4", drawing)), "d4-")
    assert (score, locks(state), points(state)["R"]) == (40, {"c4": "R"}, 40)
    assert GAME.scores(state, ()) == (0, 0)
    assert is_locked(state, "d4")


@rule("ML-22")
def test_the_last_locks_go_to_circles_from_a1_row_by_row():
    drawing = """
    GGGGGG
    GBBBBG
    GB..BG
    GB..BG
    GBBBBG
    GGGGGG"""
    state = holding(position(drawn("c4", drawing)), "BBBB")
    for left, closed in [(1, "c4"), (2, "c4 d4"), (3, "c4 d4 c5"), (4, "c4 d4 c5 d5")]:
        state.locks[0] = left
        after, score = do(state, "d5")
        assert (list(locks(after)), score) == (closed.split(), 40 * left)
        assert [circle["circle"] for circle in GAME.legal(state, 1)["closes"]["d5"]] == closed.split()


# Stalemate


@rule("ML-23", "ML-24")
@pytest.mark.parametrize("first", ["+", "-"])
def test_a_token_turned_to_and_fro_by_two_is_in_stalemate(first):
    state, second = position(drawn("c4", BLUE_BUT_ONE)), "-" if first == "+" else "+"
    for move in ("c4" + first, "c4" + second, "c4" + first):
        assert not any("!" in move for move in GAME.moves(state))
        state, _ = do(state, move)
    assert "c4!" not in GAME.moves(state)  # the second seat has turned it only once
    state, _ = do(state, "c4" + second)
    assert "c4!" in GAME.moves(state)
    assert GAME.legal(state, 1)["stalemate"] == ["c4"]
    turning = {first: [1], second: [2]}
    assert GAME.view(state, 1)["stalemate"] == {
        "hole": "c4",
        "clockwise": turning["+"],
        "anticlockwise": turning["-"],
    }
    other, _ = do(state, "d5+")
    assert "c4!" not in GAME.moves(other)  # the first seat did something else on its last turn
    again, _ = do(state, "c4" + first)
    assert "c4!" in GAME.moves(again)  # the second seat may declare it too


@rule("ML-23")
@pytest.mark.parametrize(
    "moves",
    [
        "c4+ c4+ c4+ c4+",  # both the same way
        "c4+ c4- c4- c4+",  # not always the same way
        "c4+ d5- c4+ d5-",  # not the same token
        "c4+ c4- d5+ c4-",  # something else in between
    ],
)
def test_anything_else_is_no_stalemate(moves):
    state, _ = do(position(drawn("c4", BLUE_BUT_ONE)), *moves.split())
    assert not any("!" in move for move in GAME.moves(state))


@rule("ML-23")
def test_a_placement_between_two_rotations_is_a_turn():
    state, _ = do(position(drawn("c4", BLUE_BUT_ONE)), "c4+", "c4-")
    state, _ = do(holding(state, "BGYR"), "h8", "c4-", "c4+")
    assert not any("!" in move for move in GAME.moves(state))  # the first seat turned it once since it placed
    state, _ = do(state, "c4-", "c4+")
    assert GAME.legal(state, 2)["stalemate"] == ["c4"]


@rule("ML-23")
def test_one_who_turned_nothing_declares_no_stalemate_of_two_others():
    state = position(drawn("c4", BLUE_BUT_ONE), players=3)
    state, _ = do(state, "c4+", "d5+", "c4-", "c4+", "d5-", "c4-", "c4+")
    assert GAME.to_move(state) == (2,)
    assert not any("!" in move for move in GAME.moves(state))
    with pytest.raises(IllegalMove, match="not in stalemate"):
        do(state, "c4!")


@rule("ML-23")
def test_with_three_what_the_other_does_does_not_matter_and_only_the_two_may_declare():
    state, _ = do(position(drawn("c4", BLUE_BUT_ONE), players=3), "c4+", "d5+", "c4-", "c4+", "d5+", "c4-")
    assert GAME.legal(state, 1)["stalemate"] == ["c4"]
    state, _ = do(state, "c4+")
    assert GAME.to_move(state) == (2,)
    assert not any("!" in move for move in GAME.moves(state))
    state, _ = do(state, "d5+")
    assert GAME.legal(state, 3)["stalemate"] == ["c4"]


@rule("ML-23")
def test_with_four_two_pairs_may_be_at_odds_over_two_tokens():
    state, _ = do(position(drawn("c4", BLUE_BUT_ONE), players=4), *["c4+", "c5+", "c4-", "c5-"] * 2)
    assert GAME.legal(state, 1)["stalemate"] == ["c4"]
    state, _ = do(state, "c4+")
    assert GAME.legal(state, 2)["stalemate"] == ["c5"]


@rule("ML-23")
def test_a_locked_token_is_in_no_stalemate():
    tokens = drawn("c4", BLUE_BUT_ONE)
    tokens["d4"] = Token("BGGG", 10)
    state, _ = do(position(tokens, players=3), "d5+", "c4+", "d5-", "d5+", "c4-", "d5-")
    assert GAME.legal(state, 1)["stalemate"] == ["d5"]
    state, _ = do(state, "d5+", "d4-", "d5-")
    assert locks(state) == {"c4": "B"}
    assert not any("!" in move for move in GAME.moves(state))


@rule("ML-23")
def test_a_locked_token_is_in_no_stalemate_beside_a_loose_one():
    tokens = drawn("b4", BLUE_BUT_ONE)
    tokens["c4"], tokens["a5"] = Token("BGGG", 10), Token("GGGG", 10)
    state, _ = do(position(tokens, players=3), *["b5+", "a5+", "b5-"] * 2)
    assert GAME.legal(state, 1)["stalemate"] == ["b5"]
    state, _ = do(state, "b5+", "c4-", "b5-")
    assert (is_locked(state, "b5"), is_locked(state, "a5")) == (True, False)
    assert not any("!" in move for move in GAME.moves(state))


@rule("ML-24", "ML-25")
def test_the_new_token_lies_upright_and_the_old_one_goes_back_after_the_draw():
    state = in_stalemate(position(drawn("c4", BLUE_BUT_ONE), seat=2), "c4")
    old = GAME.view(state, 1)["board"]["c4"]["token"]
    bag = set(GAME.view(state, 1)["bag"])
    state, score = do(state, "c4!")
    assert (GAME.to_move(state), score) == ((), None)
    assert set(GAME.view(state, 1)["bag"]) == bag  # the old one is still on the board when the new one is drawn
    state.printed[4], state.value[4] = Token("BGYR", 20).bits, 20
    state, score = comes(state, 5)
    assert score == 0
    assert GAME.view(state, 1)["board"]["c4"] == {"token": 5, "wedges": "YRBG", "value": 20, "locked": False}
    assert GAME.to_move(state) == (1,)
    numbers = {int(token[1:].split(":")[0]) for token in GAME.view(state, 1)["bag"]}
    assert old in numbers
    assert 5 not in numbers
    assert len(numbers) == len(bag)


@rule("ML-23", "ML-24")
def test_a_replacement_starts_without_a_history():
    state = in_stalemate(position(drawn("c4", BLUE_BUT_ONE)), "c4")
    state = comes(do(state, "c4!")[0], 5).state
    state.idle = 0
    state, _ = do(state, "c4-", "c4+", "c4-")
    assert not any("!" in move for move in GAME.moves(state))
    state, _ = do(state, "c4+")
    assert GAME.legal(state, 2)["stalemate"] == ["c4"]


@rule("ML-23", "ML-24")
def test_with_three_turns_on_the_token_that_was_replaced_do_not_count():
    state, _ = do(position(drawn("c4", BLUE_BUT_ONE), players=3), *["c4+", "d5+", "c4-"] * 2, "c4!")
    state = comes(state, 5).state  # seat 3 has turned the old token in c4 twice
    state.idle = 0
    state, _ = do(state, "c4+", "c4-", "d5+", "c4+")
    assert GAME.to_move(state) == (3,)
    assert GAME.legal(state, 3)["stalemate"] == []  # seat 3 has turned the new one only once
    state, _ = do(state, "c4-", "d5+")
    assert GAME.legal(state, 2)["stalemate"] == ["c4"]


@rule("ML-26")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_after_four_rounds_without_progress_one_must_draw(players):
    state = position(drawn("c4", BLUE_BUT_ONE), players=players)
    for n in range(4 * players):
        assert GAME.view(state, 1)["idle_turns_left"] == 4 * players - n
        assert len(GAME.moves(state)) > 1
        state, _ = do(state, "c5+")
    assert GAME.moves(state) == ["draw"]
    assert GAME.view(state, 1)["must_draw"] is True
    with pytest.raises(IllegalMove, match="nothing was placed or closed for four rounds: draw a token"):
        do(state, "c5+")
    state, _ = do(holding(state, "BGYR"), "h8")
    assert len(GAME.moves(state)) > 1
    assert GAME.view(state, 1)["idle_turns_left"] == 4 * players


@rule("ML-26")
def test_a_closed_circle_is_progress_and_a_replacement_is_none():
    state = position(drawn("c4", BLUE_BUT_ONE) | {"h8": Token("BGYR", 10)})
    state, _ = do(state, "h8+", "h8+", "h8+", "d4-")
    assert GAME.view(state, 1)["idle_turns_left"] == 8
    state = in_stalemate(state, "h8")
    state = comes(do(state, "h8!")[0], 5).state
    assert GAME.view(state, 1)["idle_turns_left"] == 3


@rule("ML-26")
def test_a_replacement_that_closes_a_circle_is_progress():
    lacking = drawn("c4", "GGGG\nGBYG\nGBBG\nGGGG")
    state, _ = do(in_stalemate(position(lacking), "d5"), "d5!")
    assert GAME.view(state, 1)["idle_turns_left"] == 4
    token = int(state.bag[0])
    state.printed[token] = Token("GGBG", 20).bits
    state = comes(state, token + 1).state
    assert locks(state) == {"c4": "B"}
    assert GAME.view(state, 1)["idle_turns_left"] == 8


@rule("ML-26")
def test_no_stalemate_is_declared_by_one_who_must_draw():
    state = in_stalemate(in_stalemate(position(drawn("c4", BLUE_BUT_ONE)), "c4"), "c4")
    assert GAME.moves(state) == ["draw"]
    assert GAME.view(state, 1)["stalemate"] is None
    with pytest.raises(IllegalMove, match="draw"):
        do(state, "c4!")


def played_to(which):
    """Return a position in which few moves are legal, or in which a special one is."""
    state = position(drawn("c4", BLUE_BUT_ONE) | {"h8": Token("BGYR", 10)})
    match which:
        case "a token in hand":
            return holding(state, "BGYR")
        case "locked tokens":
            return do(state, "d4-")[0]
        case "a stalemate":
            return in_stalemate(state, "h8")
        case "a draw that is due":
            return do(state, *["h8+"] * 8)[0]
        case "a draw that is due in a stalemate":
            return in_stalemate(in_stalemate(state, "h8"), "h8")
        case "a draw":
            return do(state, "draw")[0]
        case "alone":
            return holding(started(players=1), "BGYR")
        case "alone before the draw":
            return do(holding(started(players=1), "BGYR"), "c4")[0]
    return state


@rule("ML-11", "ML-12", "ML-14", "ML-15", "ML-23", "ML-26", "ML-29")
@pytest.mark.parametrize(
    ("which", "legal"),
    [
        ("loose tokens", 11),
        ("a token in hand", 59),
        ("locked tokens", 3),
        ("a stalemate", 12),
        ("a draw that is due", 1),
        ("a draw that is due in a stalemate", 1),
        ("a draw", 0),
        ("alone", 64),
        ("alone before the draw", 1),
    ],
)
def test_asked_about_single_moves_the_rules_allow_those_of_the_list(which, legal):
    state = played_to(which)
    assert allowed_one_by_one(rules, state) == listed(rules, state)
    assert len(listed(rules, state)) == legal


# The end


@rule("ML-27")
@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_the_match_ends_when_the_last_hole_is_filled_and_two_tokens_remain(players):
    match = played_out({"players": players})
    view = GAME.view(match.state, 1)
    assert len(view["board"]) == 64
    assert len(view["bag"]) == 2
    assert match.log[-1].move in HOLE_NAMES
    assert match.result.reason == "complete"
    assert match.to_move == ()


@rule("ML-27")
def test_the_circles_of_the_last_token_count():
    tokens = {hole: Token("GRGR", 10) for hole in HOLE_NAMES} | drawn("c4", BLUE_BUT_ONE)
    del tokens["d4"]
    for hole in ("e3", "d3", "e4", "c3", "e5"):
        tokens[hole] = Token("YYYY", 10)
    state, score = do(holding(position(tokens), "GGGB"), "d4")
    assert score == 40
    assert GAME.outcome(state, frozenset()).scores == (40, 0)


def ended(by_colour, **options):
    state = started(**options)
    state.points[:] = by_colour
    state.actor = -2
    return state


@rule("ML-28")
@pytest.mark.parametrize(
    ("by_colour", "options", "winners", "scores"),
    [
        ((40, 35, 90, 0), {}, (1,), (40, 35)),
        ((40, 40, 90, 0), {}, (1, 2), (40, 40)),
        ((0, 0, 0, 0), {}, (1, 2), (0, 0)),
        ((40, 35, 90, 0), {"colours": "RY"}, (2,), (0, 90)),
        ((40, 35, 40, 95), {"players": 3}, (1, 3), (40, 35, 40)),
        ((40, 35, 40, 95), {"players": 4}, (4,), (40, 35, 40, 95)),
    ],
)
def test_the_most_points_win_and_equal_leaders_share(by_colour, options, winners, scores):
    state = ended(by_colour, **options)
    result = GAME.outcome(state, frozenset())
    assert (result.winners, result.scores) == (winners, scores)
    out = np.zeros(4, np.float32)
    rules.payoff(state, out)
    best = 2 / len(winners) - 1
    assert [out[seat - 1] for seat in range(1, len(scores) + 1)] == [
        best if seat in winners else -1 for seat in range(1, len(scores) + 1)
    ]
    assert GAME.outcome(state, frozenset(winners[:1])).winners != winners


# One player


@rule("ML-29")
def test_alone_one_only_draws_and_places_from_the_south():
    match = Match.new("matchnlock", {"players": 1, "colours": "Y"})
    assert match.log == []
    n = 0
    while match.result is None:
        assert GAME.moves(match.state) == ["draw"]
        match.play("draw")
        drawn_now = match.log[-1].move
        match.play(HOLE_NAMES[n])
        assert lies(match.state, HOLE_NAMES[n]) in drawn_now
        if match.result is None:
            for move in (HOLE_NAMES[n] + "+", HOLE_NAMES[n] + "!"):
                with pytest.raises(IllegalMove, match="playing alone you only draw and place tokens"):
                    match.play(move)
        n += 1
    assert GAME.view(match.state, 1)["idle_turns_left"] is None


@rule("ML-30")
def test_alone_circles_of_other_colours_are_scored_to_them():
    state = holding(position(drawn("c4", "GGGG\nGBBG\nGB..\nGG.."), players=1, colours="Y"), "GGGB")
    state, score = do(state, "d4")
    assert (score, points(state)["B"], GAME.scores(state, ())) == (40, 40, (0,))


@rule("ML-31")
@pytest.mark.parametrize(
    ("by_colour", "winners"),
    [((100, 30, 30, 39), (1,)), ((100, 30, 30, 40), ()), ((0, 0, 0, 0), ()), ((100, 200, 0, 0), ())],
)
def test_alone_one_wins_with_more_than_all_others_together(by_colour, winners):
    state = ended(by_colour, players=1)
    result = GAME.outcome(state, frozenset())
    assert (result.winners, result.scores, result.reason) == (winners, (by_colour[0],), "complete")
    out = np.zeros(4, np.float32)
    rules.payoff(state, out)
    assert out[0] == (1 if winners else -1)


@rule("ML-31")
def test_alone_one_may_give_up_and_has_lost_then():
    match = Match.new("matchnlock", {"players": 1})
    match.play("resign")
    assert (match.result.winners, match.result.reason) == ((), "resigned")
    match = Match.new("matchnlock", {"players": 1})
    with pytest.raises(IllegalMove, match="cannot end in a draw"):
        match.play("offer draw")


@rule("ML-31")
def test_alone_one_who_gave_up_does_not_win_with_any_score():
    state = ended((100, 0, 0, 0), players=1)
    assert GAME.outcome(state, frozenset()).winners == (1,)
    assert GAME.outcome(state, frozenset({1})).winners == ()


# A second count


@rule("ML-11", "ML-13", "ML-15", "ML-16", "ML-17", "ML-19", "ML-20", "ML-21", "ML-23", "ML-25", "ML-26")
@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_whole_matches_counted_again_by_other_code(players):
    for seed in range(3):
        match, again = begun({"players": players}, seed), Recount(players)
        read = 0
        while True:
            for entry in match.log[read:]:
                assert entry.score == again.read(entry), entry
            read = len(match.log)
            if match.result:
                break
            again.seat = match.to_move[0]
            if match.state.phase == rules.TURN:
                assert set(GAME.moves(match.state)) == again.may()
            match.play(restless_move(match, again, seed))
        view = GAME.view(match.state, 1)
        assert {hole: token["wedges"] for hole, token in view["board"].items()} == again.board
        assert {hole for hole, token in view["board"].items() if token["locked"]} == again.locked()
        assert (view["locks"], view["points"], view["locks_left"]) == (again.circles, again.points, again.locks)
        assert {int(token[1:].split(":")[0]) for token in view["bag"]} == again.bag


def restless_move(match, again, seed):
    """Return a random move, often one that fights over the token turned last, so that stalemates occur."""
    moves = GAME.moves(match.state)
    stubborn = [move for move in moves if move.endswith("!")]
    mine, others = again.turns[match.to_move[0]][-1:], [turns[-1] for turns in again.turns.values() if turns]
    for last in (*mine, *others):
        if last and len(match.log) % 3:
            number, way = last
            back = way if last in mine else {"+": "-", "-": "+"}[way]
            holes = {n: hole for hole, n in again.numbers.items()}
            stubborn += [move for move in moves if move == holes.get(number, "") + back]
    return stubborn[0] if stubborn else random_move(match, seed)


# Words and views


@pytest.mark.parametrize(
    ("move", "english", "italian"),
    [
        (
            "d4-",
            "the token in d4 turns anticlockwise: a blue circle for 40",
            "la pedina in d4 ruota in senso antiorario: un cerchio blu da 40",
        ),
        ("d4+", "the token in d4 turns clockwise", "la pedina in d4 ruota in senso orario"),
        ("draw", "a token from the bag", "una pedina dal sacchetto"),
    ],
)
def test_a_move_is_told_with_the_circles_that_it_closed(move, english, italian):
    described = GAME.describe(position(drawn("c4", BLUE_BUT_ONE)), Entry(1, move))
    assert (say(described.message), say(described.message, "it")) == (english, italian)
    if move == "d4-":
        assert described.marks == {
            "hole": "d4",
            "did": "anticlockwise",
            "closed": [{"circle": "c4", "holes": ["c4", "d4", "c5", "d5"], "colour": "B", "points": 40}],
        }


def test_lots_are_told_with_the_seat_that_begins():
    state = GAME.start(GAME.agree({}))
    again = GAME.describe(state, Entry(0, lot(state, (20, 20))))
    assert say(again.message) == "1 draws 20, 2 draws 20: they draw again"
    assert say(GAME.describe(state, Entry(0, lot(state, (5, 20)))).message) == "1 draws 5, 2 draws 20: 2 begins"


def test_the_preview_is_what_the_move_then_does():
    match = begun({"players": 3}, "preview")
    closed = 0
    while match.result is None:
        closes = GAME.legal(match.state, match.to_move[0])["closes"]
        move = next(iter(closes), None) or random_move(match, "preview")
        state = match.state
        match.play(move)
        if move in closes:
            closed += 1
            assert GAME.describe(state, Entry(1 + int(state.seat), move)).marks["closed"] == closes[move]
    assert closed > 10


def test_the_view_is_the_same_for_everybody_and_legal_moves_are_for_the_one_who_acts():
    state = position(drawn("c4", BLUE_BUT_ONE))
    assert GAME.view(state, 1) == GAME.view(state, 2) == GAME.view(state, None)
    assert GAME.legal(state, 1)["closes"].keys() == {"d4-"}
    assert GAME.legal(state, 2) == {"draw": False, "place": [], "rotate": [], "stalemate": [], "closes": {}}


# The bots

GREEN_BUT_ONE = BLUE_BUT_ONE.replace("G", "R").replace("B", "G")
LEVELS = ("casual", "club", "expert")


@pytest.mark.parametrize("level", LEVELS)
def test_they_rotate_to_score(level):
    assert bots.choose(GAME, level, position(drawn("c4", BLUE_BUT_ONE.replace("G", "R"))), 1, (1,)) == "d4-"


@pytest.mark.parametrize("level", LEVELS)
def test_they_rotate_to_spoil(level):
    """Green could close a circle on the next turn, and blue has nothing better to do."""
    state = position(drawn("c4", GREEN_BUT_ONE, value=20))
    state, _ = do(state, bots.choose(GAME, level, state, 1, (1,)))
    assert state.phase == rules.TURN
    assert GAME.legal(state, 2)["closes"] == {}


@pytest.mark.parametrize("level", LEVELS)
def test_they_do_not_hand_circles_to_others(level):
    tokens = drawn("c4", GREEN_BUT_ONE)
    del tokens["d4"]
    state = holding(position(tokens), "RRRG", 20)
    assert GAME.legal(state, 1)["closes"].keys() == {"d4"}
    assert bots.choose(GAME, level, state, 1, (1,)) != "d4"


@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize("level", ["novice", "casual", "club"])
def test_every_level_beats_random_with_three_and_four(players, level):
    plan = planned("matchnlock", {"players": players}, [level] + ["random"] * (players - 1), 3, "sensible")
    assert [play_one(plan, number).result.winners for number in (1, 2, 3)] == [(1,)] * 3


@rule("ML-31")
def test_alone_the_better_bots_win():
    plan = planned("matchnlock", {"players": 1}, ["club"], 10, "alone")
    assert sum(play_one(plan, number).result.winners == (1,) for number in range(1, 11)) >= 9
