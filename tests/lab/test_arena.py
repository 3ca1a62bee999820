"""The arena: seating, counts, ratings and the sequential test."""

import json
from random import Random

import pytest

from ludoteca.cli import main
from ludoteca.lab.batch import play_batch
from ludoteca.lab.plan import BadPlan, Plan
from ludoteca.lab.rating import Sprt, bradley_terry, expected, interval, openskill
from ludoteca.lab.standings import meetings, standings
from ludoteca.lab.tournament import entered, played


def arena(game="pinpoint", bots=("random", "novice"), games=8, sprt=None, **options):
    return entered(game, options, bots, games, "s", sprt)


def held(*arguments, **options):
    found = arena(*arguments, **options)
    for _ in played(found, 1):
        pass
    return found


def test_seats_are_rotated_and_partners_play_together():
    assert [table.seatings for table in arena(bots=("random", "novice", "casual")).tables] == [
        (("random", "novice"), ("novice", "random")),
        (("random", "casual"), ("casual", "random")),
        (("novice", "casual"), ("casual", "novice")),
    ]
    (teams,) = arena(players=4, teams=True).tables
    assert teams.seatings == (("random", "novice") * 2, ("novice", "random") * 2)
    (three,) = arena(bots=("random", "novice", "casual"), players=3).tables
    assert len(three.seatings) == 3
    assert all({seated[place] for seated in three.seatings} == {"random", "novice", "casual"} for place in range(3))
    two_of_three = arena(players=3).tables
    assert [table.bots for table in two_of_three] == [("random", "random", "novice"), ("random", "novice", "novice")]
    assert len(arena(bots=("random", "novice", "casual"), players=2).tables) == 3


def test_sides_that_a_lot_names_are_sides():
    (two,) = arena("tictacmatch").tables  # the lot says who deals, and the dealer has side 0
    assert two.seatings == (("random", "novice"), ("novice", "random"))
    (teams,) = arena("tictacmatch", players=4).tables
    assert teams.seatings == (("random", "novice") * 2, ("novice", "random") * 2)
    with pytest.raises(BadPlan):  # the lot says who plays against the other three
        arena("tictacmatch", players=4, teams=False)
    (fixed,) = arena("tictacmatch", players=4, teams=False, start=1).tables
    assert len(set(fixed.seatings[0])) == 2


def test_every_seating_has_the_same_draws():
    (table,) = arena().tables
    first = [
        play_batch(Plan("pinpoint", arena().entry.options, seated, 1, "s"), True, range(1, 2)).moves[:5].tolist()
        for seated in table.seatings
    ]
    assert first[0] == first[1]  # the same seat begins, with the same set-up


def test_a_draw_is_a_draw():
    found = arena()
    found.tables[0].winners = ["1230", "2233"]
    (meeting,) = meetings(found)
    assert (meeting.games, meeting.won, meeting.drawn, meeting.lost) == (8, 3, 4, 1)
    assert meeting.share == pytest.approx((3 + 4 / 2) / 8)
    lines = {line.bot: line for line in standings(found)}
    assert (lines["novice"].won, lines["novice"].drawn, lines["novice"].lost) == (1, 4, 3)
    assert lines["random"].rating > 0 > lines["novice"].rating


def test_with_three_players_two_can_share_a_win():
    found = arena(bots=("random", "novice", "casual"), players=3)
    found.tables[0].winners = ["3", "0", "7"]  # two of three, nobody, all
    lines = {line.bot: line for line in standings(found)}
    assert (lines["random"].won, lines["random"].drawn, lines["random"].lost) == (1, 2, 0)
    assert (lines["casual"].won, lines["casual"].drawn, lines["casual"].lost) == (0, 2, 1)


@pytest.mark.parametrize(
    ("points", "games", "low", "high"), [(0, 10, 0, 0.2775), (10, 10, 0.7225, 1), (70, 100, 0.6042, 0.7811)]
)
def test_the_interval_is_wilsons(points, games, low, high):
    assert interval(points / games, games) == pytest.approx((low, high), abs=1e-4)


def test_ratings_are_those_that_made_the_results():
    true = {"a": 150.0, "b": 0.0, "c": -150.0}
    names, points = list(true), {}
    for first in names:
        for second in names:
            if first != second:
                points[first, second] = 2000 * expected(true[first] - true[second])
    ratings = bradley_terry(names, points)
    for name, rating in ratings.items():
        assert rating.value == pytest.approx(true[name], abs=2)
        assert rating.low < true[name] < rating.high
        assert rating.high - rating.low < 30
    assert bradley_terry(["a", "b"], {("a", "b"): 10, ("b", "a"): 0})["a"].value < 1000


def test_openskill_rates_tables_of_three():
    rng = Random(1)
    matches = []
    for _ in range(200):
        best = "a" if rng.random() < 0.6 else "b" if rng.random() < 0.7 else "c"
        matches.append((("a", "b", "c"), [name == best for name in "abc"]))
    ratings = openskill("abc", matches)
    assert ratings["a"].low > ratings["b"].value > ratings["c"].value
    assert openskill("abc", matches) == ratings
    twice = openskill("ab", [(("a", "a", "b"), [True, False, False])] * 30)
    assert twice["a"].value > twice["b"].value


@pytest.mark.parametrize(("lead", "verdict"), [(60, "high"), (-20, "low")])
def test_the_sequential_test_is_right_and_early(lead, verdict):
    rng, right, rounds = Random(3), 0, 0
    for _ in range(100):
        test = Sprt(0, 40)
        while test.verdict is None:
            test.add((sum(rng.random() < expected(lead) for _ in range(2))) / 2)
        right += test.verdict == verdict
        rounds += test.rounds
    assert right >= 95
    assert rounds / 100 < 1000


def test_a_clear_match_stops_early_at_the_same_round_whatever_the_workers():
    found = arena(games=4000, sprt=(0, 50))
    for _ in played(found, 2):
        pass
    (table,) = found.tables
    assert table.verdict == "low"  # random loses to novice
    assert table.rounds < 50
    again = held(games=4000, sprt=(0, 50))
    assert again.tables[0].winners == table.winners


def run(capsys, *arguments):
    assert main(["arena", "pinpoint", "--workers", "1", *arguments]) == 0
    return capsys.readouterr().out


def test_the_command_prints_ratings_and_pairs(capsys):
    lines = run(capsys, "--bots", "random,novice,casual", "--games", "6").splitlines()
    assert [line.split()[0] for line in lines[1:4]] == ["casual", "novice", "random"]
    assert "0.0% of 6 matches" in lines[4]
    assert "95 % between 0.0% and 39.0%" in lines[4]
    assert len(lines) == 7
    shown = json.loads(run(capsys, "--bots", "random,novice,casual", "--games", "6", "--players", "3", "--json"))
    assert [line["bot"] for line in shown["standings"]] == ["casual", "novice", "random"]
    assert [line["matches"] for line in shown["standings"]] == [6, 6, 6]
    assert shown["standings"][0]["low"] < shown["standings"][0]["rating"] < shown["standings"][0]["high"]


def test_the_same_command_continues(tmp_path, capsys):
    path = tmp_path / "a.json"
    arguments = ("--bots", "random,novice", "--out", str(path))
    run(capsys, *arguments, "--games", "6")
    before = json.loads(path.read_bytes())["tables"][0]["winners"]
    longer = run(capsys, *arguments, "--games", "20")
    after = json.loads(path.read_bytes())["tables"][0]["winners"]
    assert [len(digits) for digits in after] == [10, 10]
    assert all(new.startswith(old) for new, old in zip(after, before, strict=True))
    assert longer == run(capsys, *arguments[:2], "--games", "20")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ("--bots random", "at least two are wanted, each once"),
        ("--bots random,random", "at least two are wanted, each once"),
        ("--bots random,genius", "unknown bot 'genius'"),
        ("--bots random,novice --sprt 5", "two numbers with a comma are wanted"),
        ("--bots random,novice --sprt 9,3", "a lower and a higher number"),
        ("--bots random,novice --players 3 --sprt 0,9", "two sides"),
        ("--bots random,novice --seed 4 --out {file}", 'was begun with seed "0", not "4"'),
        ("--bots random,casual --out {file}", "was begun with bots"),
        ("--bots random,novice --out {other}", "is not the file of an arena"),
    ],
)
def test_bad_input_is_named_and_nothing_is_overwritten(tmp_path, capsys, arguments, words):
    file, other = tmp_path / "a.json", tmp_path / "other.json"
    run(capsys, "--bots", "random,novice", "--games", "2", "--out", str(file))
    other.write_text("{}")
    before = file.read_bytes()
    assert main(["arena", "pinpoint", "--workers", "1", *arguments.format(file=file, other=other).split()]) == 2
    assert words in capsys.readouterr().err
    assert (file.read_bytes(), other.read_text()) == (before, "{}")
