"""The rules of Tic-Tac Match, one after the other."""

from collections import Counter
from itertools import combinations

import msgspec
import numpy as np
import pytest
from tictacmatch_board import (
    BLOCKED,
    CENTRE_ONLY,
    EMPTY_GRID,
    PLAIN,
    after_draws,
    cards_in_all,
    hand,
    identities,
    moves,
    play,
    position,
    started,
    to_move,
    top,
)

from ludoteca.core.chance import Seal
from ludoteca.core.errors import BadOption, IllegalMove, UnknownMove
from ludoteca.core.kernel import copied
from ludoteca.core.match import Match
from ludoteca.core.random import generator
from ludoteca.core.record import Entry, Result
from ludoteca.games.tictacmatch import plays, rules
from ludoteca.games.tictacmatch.cards import COPIES
from ludoteca.games.tictacmatch.game import CARD_NAMES, GAME, SPACE_NAMES
from ludoteca.search import bots

rule = pytest.mark.rule
NO_TEAMS = {"players": 4, "teams": False}
LINES = ["a1 b1 c1", "a2 b2 c2", "a3 b3 c3", "a1 a2 a3", "b1 b2 b3", "c1 c2 c3", "a1 b2 c3", "c1 b2 a3"]


def begun(options, seed="a"):
    match = Match(GAME, options, None, Seal.derived("m", GAME.agree(options)["players"], seed))
    match.begin()
    return match


def played_out(options, seed="a", most=2000):
    """Return a match of random bots, and its states."""
    match, states = begun(options, seed), []
    while match.result is None and len(states) < most:
        states.append(match.state)
        seat = match.to_move[0]
        match.play(bots.choose(GAME, "random", match.state, seat, (seed, len(match.log))))
    return match, states


def refused(state, move):
    before = state.tobytes()
    with pytest.raises(IllegalMove) as error:
        play(state, move)
    assert state.tobytes() == before
    return str(error.value)


# Material and set-up


@rule("TT-1")
def test_two_or_four_players():
    for players in (2, 4):
        assert len(begun({"players": players}).seats) == players
    for players in (1, 3, 5, "2", True, None):
        with pytest.raises(BadOption, match="players"):
            GAME.agree({"players": players})


@rule("TT-2")
def test_the_deck_has_six_of_every_symbol_card_and_four_of_the_others():
    assert dict(zip(CARD_NAMES, COPIES.tolist(), strict=True)) == {
        **{symbol + colour: 6 for symbol in "XO" for colour in "RBYG"},
        **dict.fromkeys("FWD", 4),
    }
    assert started().left == COPIES.sum() == 60


@rule("TT-2")
@pytest.mark.parametrize("options", [{"players": 2}, {"players": 4}, NO_TEAMS], ids=str)
def test_no_card_is_lost_or_made(options):
    for seed in range(5):
        match, states = played_out(options, seed)
        for state in (*states, match.state):
            assert cards_in_all(state) == COPIES.tolist()
            assert state.left == state.pile.sum()
            assert state.held.tolist() == state.hand.sum(axis=1).tolist()


def odds(state):
    """Return the cards that may come next, with their numbers."""
    room = np.zeros(plays.MAX_COUNT, np.int32)
    n = GAME.bound.weights(state, room)
    return {CARD_NAMES[rules.move_at(state, k) - plays.CARDS]: int(room[k]) for k in range(n)}


@rule("TT-2", "TT-17")
def test_a_card_is_as_likely_as_there_are_cards_of_its_kind():
    state = started()
    assert odds(state) == dict(zip(CARD_NAMES, COPIES.tolist(), strict=True))
    state = play(state, "deal 1 XR XR F W")
    assert odds(state) == {**dict.fromkeys(CARD_NAMES, 6), "XR": 4, "F": 3, "W": 3, "D": 4}
    state = play(position(CENTRE_ONLY, PLAIN, PLAIN, pile="XR XR XR D"), "XB a1")
    assert odds(state) == {"XR": 3, "D": 1}
    state = play(position("XB/XY XR ..  .. .. ..  .. .. ..", "F XB XY OB", PLAIN, pile=""), "F", "shuffle")
    assert odds(state) == {
        **dict.fromkeys(CARD_NAMES, 6),
        "XR": 5,
        "XB": 4,
        "XY": 3,
        "OB": 4,
        "OY": 5,
        "F": 4,
        "W": 4,
        "D": 4,
    }


@rule("TT-3")
@pytest.mark.parametrize("players", [2, 4])
def test_everybody_is_dealt_four_cards_and_shows_an_identity(players):
    match = begun({"players": players})
    deals = [entry.move.split() for entry in match.log if entry.move.startswith("deal ")]
    assert [deal[1] for deal in deals] == [str(seat) for seat in range(1, players + 1)]
    for seat, (_, _, *cards) in enumerate(deals, start=1):
        assert sorted(cards) == sorted(hand(match.state, seat).split())
        assert len(cards) == 4
    view = GAME.view(match.state, None)
    assert set(view["identities"]) <= {"X", "O"}
    assert len(view["identities"]) == players
    assert view["pile"] == 60 - 4 * players - 1 - len(view["discards"])


@rule("TT-4")
def test_cards_are_revealed_until_a_symbol_comes():
    state = play(started(start=2), "deal 1 XR XR XR XR", "deal 2 OR OR OR OR", "reveal W", "reveal F", "reveal OG")
    view = GAME.view(state, None)
    assert view["grid"] == [[], [], [], [], ["OG"], [], [], [], []]
    assert view["discards"] == ["F", "W"]
    assert view["pile"] == 60 - 8 - 3
    assert "reveal" in refused(play(started(), "deal 1 XR XR XR XR", "deal 2 OR OR OR OR"), "draw 1 XB")


@rule("TT-5")
def test_the_dealer_takes_the_revealed_symbol():
    """Seat 1 deals when seat 2 starts."""
    dealt = ["deal 1 XR XR XR XR", "deal 2 OR OR OR OR"]
    assert identities(play(started(start=2), *dealt, "reveal XG")) == "XO"
    assert identities(play(started(start=2), *dealt, "reveal OG")) == "OX"
    dealt += ["deal 3 XB XB XB XB", "deal 4 OB OB OB OB"]
    assert identities(play(started(start=2, players=4), *dealt, "reveal XG")) == "XOXO"
    assert identities(play(started(start=1, players=4), *dealt, "reveal XG")) == "OXOX"
    assert identities(play(started(start=2, **NO_TEAMS), *dealt, "reveal XG")) == "XOOO"
    assert identities(play(started(start=1, **NO_TEAMS), *dealt, "reveal OG")) == "XXXO"


@rule("TT-6")
def test_the_dealers_left_starts_and_play_goes_clockwise():
    for dealer in (1, 2, 3, 4):
        match = next(m for n in range(99) if (m := begun({"players": 4}, n)).log[0].move == f"dealer {dealer}")
        assert match.to_move == (dealer % 4 + 1,)
    state, turns = position(EMPTY_GRID, *[PLAIN] * 4, seat=3), []
    for move in ("XB a1", "OB a2", "XY a3", "XY b1", "OY b3"):
        turns.append(to_move(state))
        state = after_draws(state, move)
    assert turns == [3, 4, 1, 2, 3]


@rule("TT-7")
def test_the_dealer_is_drawn_or_follows_from_the_start_agreed():
    dealers = Counter(begun({"players": 4}, n).log[0].move for n in range(200))
    assert set(dealers) == {f"dealer {seat}" for seat in (1, 2, 3, 4)}
    assert min(dealers.values()) > 30
    match = begun({"players": 4, "start": 3})
    assert match.log[0].move.startswith("deal 1")
    assert (GAME.view(match.state, None)["dealer"], match.to_move) == (2, (3,))
    with pytest.raises(BadOption, match="there are 2 players"):
        GAME.agree({"start": 3})


@rule("TT-7")
@pytest.mark.parametrize("players", [2, 4])
def test_in_a_rematch_the_deal_passes_to_the_left(players):
    """Everybody moves up by one seat, so the dealer's left neighbour now sits two seats further."""
    for dealer in range(1, players + 1):
        match = begun({"players": players, "start": dealer % players + 1})
        result = Result((1,), (1,) + (0,) * (players - 1), "complete")
        again = begun(GAME.agreed_again(match.agreed, match.state, result))
        assert GAME.view(match.state, None)["dealer"] == dealer
        assert GAME.view(again.state, None)["dealer"] == (dealer + 1) % players + 1
    undealt = GAME.start(GAME.agree({"players": players}))
    assert GAME.agreed_again(GAME.agree({"players": players}), undealt, result)["start"] == "lot"


# Teams


@rule("TT-8")
def test_four_play_in_teams_unless_agreed_otherwise():
    assert GAME.agree({"players": 4})["teams"] is True
    assert GAME.agree({"players": 2})["teams"] is False
    assert GAME.agree({"players": 4, "teams": None})["teams"] is True
    with pytest.raises(BadOption, match="teams need 4 players"):
        GAME.agree({"players": 2, "teams": True})
    hands = [PLAIN] * 4
    assert [GAME.side(position(EMPTY_GRID, *hands), seat) for seat in (1, 2, 3, 4)] == [1, 0, 1, 0]
    alone = position(EMPTY_GRID, *hands, dealer=2, teams=False)
    assert [GAME.side(alone, seat) for seat in (1, 2, 3, 4)] == [1, 0, 1, 1]


@rule("TT-8", "TT-18")
def test_without_teams_all_three_against_the_dealer_win_together():
    grid = "XR XR ..  .. .. ..  .. .. .."
    hands = ["XR XB OB OY", PLAIN, PLAIN, PLAIN]
    lost = play(position(grid, *hands, dealer=3, symbol="X", teams=False), "XR c3")
    assert GAME.outcome(lost, frozenset()).winners == (3,)
    won = play(position(grid, *hands, dealer=3, symbol="O", teams=False), "XR c3")
    assert GAME.outcome(won, frozenset()).winners == (1, 2, 4)
    assert GAME.outcome(won, frozenset()).scores == (1, 1, 0, 1)


# A turn


@rule("TT-9")
@pytest.mark.parametrize("options", [{"players": 2}, {"players": 4}], ids=str)
def test_every_turn_begins_and_ends_with_four_cards(options):
    for seed in range(5):
        _, states = played_out(options, seed)
        for state in states:
            players = int(state.players)
            if state.phase == plays.PLAY:
                assert GAME.view(state, None)["sizes"] == [4] * players
    state = play(position(CENTRE_ONLY, PLAIN, PLAIN), "XB a1")
    assert GAME.chance_run(state) == 1
    state = play(state, "draw 1 W")
    assert (hand(state, 1), to_move(state)) == ("XY OB OY W", 2)


@rule("TT-9")
def test_only_cards_in_hand_are_played():
    state = position(CENTRE_ONLY, PLAIN, "XG XG XG XG")
    said = refused(state, "XG a1")
    assert said.endswith("there is no green X in your hand; it holds: blue X, yellow X, blue O, yellow O")
    for move in ("F", "W", "D"):
        assert "in your hand; it holds" in refused(state, move)
    for strange in ("xr a1", "XR", "XR d1", "F a1", "X a1", "target 5", "? a1"):
        with pytest.raises(UnknownMove):
            play(state, strange)


@rule("TT-10")
def test_a_symbol_card_goes_on_the_same_colour_or_symbol_but_not_on_both():
    grid = "OB XB OR  XR .. OY  .. .. .."
    state = position(grid, "XR W W W", PLAIN)
    assert moves(state) == {"XR b2", "XR a1", "XR b1", "XR c1", "XR b3", "XR c3", "W"}
    assert "blue O in a3" in refused(state, "XR a3")
    assert "shares neither colour nor symbol" in refused(state, "XR a3")
    assert "there is a red X in a2 already" in refused(state, "XR a2")
    assert "yellow O in c2" in refused(state, "XR c2")


@rule("TT-11")
def test_only_the_top_card_counts_and_any_space_can_be_covered_again():
    state = position(CENTRE_ONLY, "OR OB OY OG", "XR XB OY OG")
    for card in ("OR", "OY", "OB", "OG"):
        state = after_draws(state, f"{card} b2")
        assert top(state, "b2") == card
    assert GAME.view(state, None)["grid"][4] == ["XR", "OR", "OY", "OB", "OG"]
    covered = position("XR XR/OR ..  .. .. ..  .. .. ..", "XR XB XY XG", PLAIN)
    assert to_move(play(covered, "XR c3")) == 0, "the red X under the red O does not count"


@rule("TT-12")
def test_a_flip_changes_every_identity():
    for options, before, later in (({}, "OXOX", "XOXO"), ({"teams": False}, "OOOX", "XXXO")):
        state = position(CENTRE_ONLY, "F XB XY XG", PLAIN, PLAIN, PLAIN, **options)
        assert identities(state) == before
        state = play(state, "F")
        assert identities(state) == later
        assert GAME.view(state, None)["discards"] == ["F"]
        assert to_move(play(state, "draw 1 XR")) == 2


@rule("TT-13")
def test_a_wipe_out_draws_its_replacement_then_names_a_target():
    state = position(CENTRE_ONLY, "W XB XY XG", PLAIN, PLAIN, "OR OG XR F", seat=1)
    state = play(state, "W")
    assert GAME.view(state, None)["discards"] == ["W"]
    state = play(state, "draw 1 D")
    assert (to_move(state), hand(state, 1)) == (1, "XB XY XG D")
    assert moves(state) == {"target 2", "target 3", "target 4"}
    assert GAME.legal(state, 1) == {"cards": {}, "targets": [2, 3, 4]}
    for move in ("target 1", "XB a1", "D"):
        assert "one of the other players must be named" in refused(state, move)
    state = play(state, "target 4")
    view = GAME.view(state, None)
    assert view["discards"] == ["XR", "OR", "OG", "F", "W"]
    assert view["sizes"] == [4, 4, 4, 0]
    state = play(state, "draw 4 XR XR OR OR")
    assert to_move(state) == 4
    assert hand(state, 4) == "XR XR OR OR"
    assert to_move(after_draws(state, "XR a1")) == 1, "clockwise from the target"


@rule("TT-13")
def test_a_wipe_out_skips_those_in_between_and_may_hit_the_partner():
    state = play(position(CENTRE_ONLY, *["W XB XY XG"] * 4, seat=2), "W", "draw 2 OB", "target 4")
    state = after_draws(play(state, "draw 4 OB OB OY OY"), "OB a1")
    assert to_move(state) == 1
    for _ in range(2):
        state = play(position(CENTRE_ONLY, "W XB XY XG", PLAIN), "W", "draw 1 OR")
        assert moves(state) == {"target 2"}
        assert to_move(after_draws(state, "target 2")) == 2
    assert "only named after a Wipe-Out" in refused(position(CENTRE_ONLY, PLAIN, PLAIN), "target 2")


@rule("TT-14")
@pytest.mark.parametrize(
    ("held", "plays"),
    [
        ("D XB OY W", ["XB a1", "OY c1"]),
        ("D XB OB W", ["OB a1", "XB a1"]),
        ("D XB F W", ["F", "XB a1"]),
        ("D XB F W", ["XB a1", "F"]),
        ("D F F W", ["F", "F"]),
    ],
)
def test_a_double_play_is_two_symbols_or_flips_in_any_order(held, plays):
    state = position(CENTRE_ONLY, held, PLAIN)
    before = identities(state)
    state = play(state, "D")
    assert (to_move(state), GAME.view(state, 1)["phase"]) == (1, "first")
    assert "neither" in refused(state, "W")
    state = play(state, plays[0])
    assert (to_move(state), GAME.view(state, 1)["phase"]) == (1, "second")
    assert "neither" in refused(state, "W")
    state = play(state, plays[1])
    assert GAME.chance_run(state) == 3
    assert (identities(state) == before) == (plays.count("F") != 1)
    state = play(state, "draw 1 XR XR XR")
    assert (to_move(state), GAME.view(state, None)["sizes"]) == (2, [4, 4])


@rule("TT-14")
def test_no_wipe_out_and_no_other_double_play_inside_one():
    state = play(position(CENTRE_ONLY, "D D XB F", PLAIN), "D")
    assert not moves(state) & {"D", "W"}
    assert "a Double Play is made of symbol cards and Flips; Double Play is neither" in refused(state, "D")


@rule("TT-14")
def test_each_play_is_legal_when_it_is_played():
    """The yellow O fits nowhere until the first card has covered something."""
    state = play(position(BLOCKED, "D XY OY W", PLAIN), "D")
    assert moves(state) == {f"XY {space}" for space in SPACE_NAMES}
    assert "would leave" not in refused(state, "OY a1")
    state = play(state, "XY b2")
    assert moves(state) == {"OY b2"}


@rule("TT-15")
@pytest.mark.parametrize(
    ("grid", "held", "offered"),
    [
        (CENTRE_ONLY, "D XB OB W", True),
        (CENTRE_ONLY, "D XB W W", False),
        (CENTRE_ONLY, "D F W W", False),
        (CENTRE_ONLY, "D F F W", True),
        (CENTRE_ONLY, "D F XB W", True),
        (CENTRE_ONLY, "D D W F", False),
        (BLOCKED, "D OY OG W", False),
        (BLOCKED, "D XY OY W", True),
        (BLOCKED, "D F OY W", False),
        ("XR XR ..  .. .. ..  .. .. ..", "D XR W W", True),
    ],
)
def test_a_double_play_is_offered_when_it_can_be_completed_or_ends_the_match(grid, held, offered):
    state = position(grid, held, PLAIN)
    assert ("D" in moves(state)) == offered
    if offered:
        assert moves(play(state, "D"))
    else:
        assert "two symbol cards or Flips in your hand" in refused(state, "D")


@rule("TT-15")
def test_the_first_play_must_leave_a_second_unless_it_ends_the_match():
    state = play(position("XR XR ..  .. OB ..  .. .. ..", "D XR W W", PLAIN), "D")
    assert moves(state) == {"XR c3"}
    assert "would leave you no second play" in refused(state, "XR a1")
    state = play(position(BLOCKED, "D XY OY F", PLAIN), "D")
    assert "F" in moves(state), "a yellow X can still follow"
    state = play(position(BLOCKED, "D F F OY", PLAIN), "D", "F")
    assert moves(state) == {"F"}


@rule("TT-15", "TT-16")
def test_four_double_plays_are_no_legal_play():
    state = position(CENTRE_ONLY, "D D D D", PLAIN)
    assert GAME.chance(state, lambda weights: 0) == "redeal 1"


@rule("TT-16")
def test_a_hand_without_a_legal_play_is_laid_down_and_dealt_anew():
    state = position(BLOCKED, "OY OG OY OG", PLAIN)
    assert to_move(state) == 0
    assert GAME.view(state, 2)["hands"][0] == ["OY", "OY", "OG", "OG"], "it is shown"
    assert "chance cannot give this" in refused(state, "redeal 2")
    described = GAME.describe(state, Entry(0, "redeal 1"))
    assert described.marks["laid_down"] == {"seat": 1, "cards": ["OY", "OY", "OG", "OG"]}
    state = play(state, "redeal 1")
    assert GAME.view(state, None)["discards"] == ["OY", "OY", "OG", "OG"]
    again = play(state, "draw 1 OY OY OG OG")
    assert to_move(again) == 0, "again if need be"
    state = play(play(again, "redeal 1"), "draw 1 F OR XY OY")
    assert (to_move(state), GAME.view(state, 1)["hands"][1]) == (1, None)


@rule("TT-16")
def test_it_happens_only_then():
    for held in ("OY OG OY W", "OY OG OY F", "OY OG OY XY", "OY OG D XY"):
        assert to_move(position(BLOCKED, held, PLAIN)) == 1
    assert to_move(position(BLOCKED, "OY OG D D", PLAIN)) == 0


# Draw pile


@rule("TT-17")
def test_the_discards_and_all_covered_cards_are_shuffled_and_the_top_ones_stay():
    grid = "XB/XY XR ..  .. OB/OG/XG ..  .. .. .."
    state = play(position(grid, "XB XY F OB", PLAIN, pile=""), "F")
    assert GAME.chance(state, lambda weights: 0) == "shuffle"
    before = GAME.view(state, None)
    assert (before["pile"], GAME.describe(state, Entry(0, "shuffle")).marks) == (0, {"shuffled": 60 - 7 - 3})
    state = play(state, "shuffle")
    view = GAME.view(state, None)
    assert [stack[-1:] for stack in view["grid"]] == [stack[-1:] for stack in before["grid"]]
    assert max(len(stack) for stack in view["grid"]) == 1
    assert (view["discards"], view["pile"]) == ([], 50)
    assert to_move(play(state, "draw 1 F")) == 2, "the Flip just played is in it"


@rule("TT-17")
def test_the_shuffle_comes_in_the_middle_of_a_draw_when_the_next_card_is_needed():
    state = play(position(CENTRE_ONLY, "D XB XY W", PLAIN, pile="OR OG"), "D", "XB a1", "XY a2")
    assert GAME.chance_run(state) == 2
    state = play(state, "draw 1 OR OG")
    assert GAME.chance(state, lambda weights: 0) == "shuffle"
    state = play(state, "shuffle", "draw 1 D")
    assert to_move(state) == 2
    exact = play(position(CENTRE_ONLY, PLAIN, PLAIN, pile="OR"), "XB a1", "draw 1 OR")
    assert (to_move(exact), GAME.view(exact, None)["pile"]) == (2, 0), "nothing is shuffled before it is needed"


@rule("TT-17")
def test_a_wipe_out_just_played_and_a_hand_just_discarded_are_in_the_shuffle():
    state = play(position(CENTRE_ONLY, "W XB XY XG", "F F OB OB", pile=""), "W", "shuffle")
    state = play(state, "draw 1 W", "target 2")
    assert GAME.view(state, None)["discards"] == ["OB", "OB", "F", "F"]
    state = play(position(CENTRE_ONLY, "W XB XY XG", "F F F F", pile="OR"), "W", "draw 1 OR", "target 2", "shuffle")
    state = play(state, "draw 2 F F F F")
    assert (to_move(state), hand(state, 2)) == (2, "F F F F")


@rule("TT-17")
def test_after_a_win_nothing_is_drawn():
    state = play(position("XR XR ..  .. .. ..  .. .. ..", "XR XB XY XG", PLAIN), "XR c3")
    assert GAME.chance(state, lambda weights: 0) is None
    assert GAME.view(state, None)["sizes"] == [3, 4]


# End


@rule("TT-18")
@pytest.mark.parametrize("line", LINES)
def test_three_equal_cards_in_any_line_end_the_match(line):
    spaces = line.split()
    for last in spaces:
        cards = ["OG" if space in spaces and space != last else ".." for space in SPACE_NAMES]
        drawing = " ".join(cards[6:] + cards[3:6] + cards[:3])
        state = play(position(drawing, "OG XB XY W", PLAIN, symbol="X"), f"OG {last}")
        assert GAME.outcome(state, frozenset()).winners == (1,)
        assert GAME.outcome(state, frozenset()).reason == "complete"
        assert GAME.view(state, None)["line"] == sorted(spaces, key=SPACE_NAMES.index)


@rule("TT-18")
def test_three_equal_cards_that_are_no_line_end_nothing():
    for spaces in combinations(SPACE_NAMES, 3):
        if set(spaces) in [set(line.split()) for line in LINES]:
            continue
        cards = ["OG" if space in spaces[:2] else ".." for space in SPACE_NAMES]
        drawing = " ".join(cards[6:] + cards[3:6] + cards[:3])
        state = play(position(drawing, "OG XB XY W", PLAIN), f"OG {spaces[2]}")
        assert GAME.outcome(state, frozenset()) is None, spaces


@rule("TT-18")
def test_the_same_symbol_in_other_colours_is_no_line():
    state = play(position("XR XB ..  .. .. ..  .. .. ..", "XR XB XY XG", PLAIN), "XR c3")
    assert GAME.outcome(state, frozenset()) is None


@rule("TT-18")
def test_whoever_plays_the_card_the_identity_wins():
    grid = "XR XR ..  .. .. ..  .. .. .."
    mine = play(position(grid, "XR XB XY XG", PLAIN, dealer=1, symbol="X"), "XR c3")
    assert GAME.outcome(mine, frozenset()) == msgspec.convert(
        {"winners": [1], "scores": [1, 0], "reason": "complete"}, type(GAME.outcome(mine, frozenset()))
    )
    theirs = play(position(grid, "XR XB XY XG", PLAIN, dealer=2, symbol="X"), "XR c3")
    assert GAME.outcome(theirs, frozenset()).winners == (2,)
    team = play(position(grid, "XR XB XY XG", PLAIN, PLAIN, PLAIN, dealer=4, symbol="X"), "XR c3")
    assert GAME.outcome(team, frozenset()).winners == (2, 4)
    said = GAME.describe(position(grid, "XR XB XY XG", PLAIN), Entry(1, "XR c3"))
    assert said.marks["line"] == ["a3", "b3", "c3"]


@rule("TT-19")
def test_the_first_card_of_a_double_play_can_end_the_match():
    grid = "XR XR ..  .. .. ..  .. .. .."
    state = play(position(grid, "D XR F XB", PLAIN, dealer=2, symbol="X"), "D", "XR c3")
    assert GAME.outcome(state, frozenset()).winners == (2,), "the Flip that would have followed is not played"
    state = play(position(grid, "D XR F XB", PLAIN, dealer=2, symbol="X"), "D", "F", "XR c3")
    assert GAME.outcome(state, frozenset()).winners == (1,)


@rule("TT-20")
def test_500_turns_are_a_draw():
    state = position(CENTRE_ONLY, PLAIN, PLAIN)
    state.turn = 498
    state = after_draws(state, "XB a1")
    assert GAME.outcome(state, frozenset()) is None
    assert GAME.view(state, None)["turns_left"] == 1
    state = play(state, "OB a2")
    result = GAME.outcome(state, frozenset())
    assert (result.winners, result.scores, result.reason) == ((), (0, 0), "limit")
    won = position("XR XR ..  .. .. ..  .. .. ..", "XR XB XY XG", PLAIN)
    won.turn = 499
    assert GAME.outcome(play(won, "XR c3"), frozenset()).winners == (2,)


@rule("TT-20")
def test_a_draw_pays_nobody_and_a_win_is_paid_to_all_who_have_it():
    def paid(state):
        out = np.full(4, 9, np.float32)
        rules.payoff(state, out)
        return out[: state.players].tolist()

    drawn = position(CENTRE_ONLY, PLAIN, PLAIN)
    drawn.turn = 499
    assert paid(play(drawn, "XB a1")) == [0, 0]
    grid = "XR XR ..  .. .. ..  .. .. .."
    hands = ["XR XB OB OY", PLAIN, PLAIN, PLAIN]
    assert paid(play(position(grid, *hands, dealer=3, teams=False), "XR c3")) == [-1, -1, 1, -1]
    assert paid(play(position(grid, *hands, dealer=3), "XR c3")) == [1, -1, 1, -1]


@rule("TT-20")
def test_a_wipe_out_is_one_turn_and_a_redeal_or_half_a_double_play_is_none():
    def turns(state):
        return 500 - GAME.view(state, None)["turns_left"]

    state = play(position(CENTRE_ONLY, "W XB XY XG", PLAIN), "W", "draw 1 OR")
    assert turns(state) == 0
    assert turns(play(state, "target 2")) == 1
    state = play(position(BLOCKED, "OY OG OY OG", PLAIN), "redeal 1")
    assert turns(state) == 0
    assert turns(play(state, "draw 1 F OR XY OY")) == 0
    state = play(position(CENTRE_ONLY, "D XB F W", PLAIN), "D", "XB a1")
    assert turns(state) == 0
    assert turns(play(state, "F")) == 1
    last = position(CENTRE_ONLY, "W XB XY XG", PLAIN)
    last.turn = 499
    assert GAME.outcome(play(last, "W", "draw 1 OR", "target 2"), frozenset()).reason == "limit"


@rule("TT-18")
def test_a_seat_that_resigned_does_not_win_with_its_side():
    grid = "XR XR ..  .. .. ..  .. .. .."
    team = play(position(grid, "XR XB XY XG", PLAIN, PLAIN, PLAIN, dealer=4, symbol="X"), "XR c3")
    assert GAME.outcome(team, frozenset({2})).winners == (4,)
    assert GAME.outcome(team, frozenset({2})).scores == (0, 0, 0, 1)
    assert GAME.outcome(team, frozenset({1})).winners == (2, 4)


# Secrecy: more of it in tests/server/test_secrecy.py


@rule("TT-21")
def test_a_seat_sees_its_own_hand_and_what_lies_open():
    state = position("XB/XY XR ..  .. OG ..  .. .. ..", "XB XY XG F", "OR OB OY OG", pile="XR OR")
    for seat, hands in (
        (None, [None, None]),
        (1, [["XB", "XY", "XG", "F"], None]),
        (2, [None, hand(state, 2).split()]),
    ):
        view = GAME.view(state, seat)
        assert view["hands"] == hands
        assert view["grid"][6] == ["XB", "XY"]
        assert (view["pile"], len(view["discards"])) == (2, 60 - 4 - 8 - 2)
        assert view["sizes"] == [4, 4]
        assert view["identities"] == ["O", "X"]
    assert GAME.legal(state, 2) == {"cards": {}, "targets": []}


@rule("TT-21")
def test_what_others_draw_is_a_question_mark_and_no_ticket_is_told():
    for move, seat, read in (
        ("deal 2 XR OB F XG", 1, "deal 2 ? ? ? ?"),
        ("deal 2 XR OB F XG", 2, "deal 2 XR OB F XG"),
        ("draw 1 XR OB", None, "draw 1 ? ?"),
        ("draw 1 XR OB", 2, "draw 1 ? ?"),
        ("reveal F", None, "reveal F"),
    ):
        seen = GAME.seen(Entry(0, move, t=5, picks=((3, 60),)), seat)
        assert seen == Entry(0, read, t=5)
    assert GAME.seen(Entry(0, "dealer 1", picks=((0, 2),)), 1).picks == ((0, 2),)


@rule("TT-21")
def test_a_deal_that_a_seat_thinks_possible_changes_the_hidden_cards_only():
    """What a bot knows: its own hand, and how many of each card are in the other hands and the pile together."""
    state = position("XB/XY XR ..  .. OG ..  .. .. ..", "XB XY XG F", "OR OB OY OG", pile="XR XR XR XR OR W D F")
    hidden = state.pile + state.hand[1]
    seen = Counter()
    for n in range(300):
        other = copied(state)
        rules.conceal(other, 0, generator("deal", n))
        assert hand(other, 1) == hand(state, 1)
        assert (other.held.tolist(), int(other.left)) == (state.held.tolist(), int(state.left))
        assert other.hand[1].sum() == 4
        assert (other.pile + other.hand[1]).tolist() == hidden.tolist()
        seen.update(dict(zip(CARD_NAMES, other.hand[1].tolist(), strict=True)))
    for name, count in zip(CARD_NAMES, hidden.tolist(), strict=True):  # each card is as likely as any other
        assert 0.6 <= (seen[name] + 1) / (300 * 4 * count / 12 + 1) <= 1.4, name


@rule("TT-21")
def test_after_the_end_all_is_shown():
    state = play(position("XR XR ..  .. .. ..  .. .. ..", "XR XB XY XG", PLAIN), "XR c3")
    assert GAME.view(state, None)["hands"] == [["XB", "XY", "XG"], PLAIN.split()]


@rule("TT-21")
def test_moves_of_the_wrong_seat_are_refused_in_the_same_words_whatever_is_hidden():
    for held in (PLAIN, "W D F XR"):
        state = position(CENTRE_ONLY, PLAIN, held)
        for move in ("XB a1", "W", "D", "target 1"):
            with pytest.raises(IllegalMove, match=f"illegal move '{move}': it is seat 1's turn"):
                GAME.play(state, 2, move)


@rule("TT-16", "TT-21")
def test_only_the_hand_that_is_laid_down_is_open_while_it_is_dealt_anew():
    state = position(BLOCKED, "OY OG OY OG", PLAIN)
    assert GAME.chance(state, lambda weights: 0) == "redeal 1"
    for eye in (None, 1, 2):
        hands = GAME.view(state, eye)["hands"]
        assert sorted(hands[0]) == ["OG", "OG", "OY", "OY"]
        assert (hands[1] is None) == (eye != 2)
