"""Studies: the counts agree with the records, and the report can be read anywhere."""

import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from html import escape
from itertools import pairwise
from pathlib import Path

import numba
import numpy as np
import pyarrow.parquet as pq
import pytest
from kingbrick_board import flick, formation
from numbered_rules import rule_ids

from ludoteca.cli import main
from ludoteca.core import registry
from ludoteca.core.chance import Seal
from ludoteca.core.match import Match
from ludoteca.lab.batch import play_batch
from ludoteca.lab.boards import heat
from ludoteca.lab.cells import Figure, cell_of, read
from ludoteca.lab.findings import difference, strict_span
from ludoteca.lab.games import game_named
from ludoteca.lab.observing import observe_batch
from ludoteca.lab.plan import planned
from ludoteca.lab.replay import record_of
from ludoteca.search import bots, whole
from ludoteca.search.workbench import NoTally, tally

GAMES = 12


def observed(game, options, bots="random"):
    """Return a cell, and the records of the same matches."""
    plan = planned(game, options, [bots], GAMES, "study")
    numbers = range(1, GAMES + 1)
    batch = play_batch(plan, True, numbers)
    ends = [0, *batch.ends.tolist()]
    records = [record_of(plan, batch.moves[a:b].tolist()) for a, b in pairwise(ends)]
    return cell_of(plan, observe_batch(plan, 4, numbers)), records


def total(cell, metric, seat=0, item=None):
    found = [f for f in cell.all(metric) if f.seat == seat and item in (None, f.item)]
    return round(sum(figure.mean for figure in found) * GAMES)


def said(records, *words):
    """Return how many moves or table entries are, or begin with, one of these words."""
    return sum(entry.move.split()[0] in words for record in records for entry in record.log)


def by_seat(records, seat, pattern):
    return sum(
        bool(re.fullmatch(pattern, entry.move)) for record in records for entry in record.log if entry.by == seat
    )


def final(records, seat):
    return sum(record.result.scores[seat - 1] for record in records)


def test_what_every_cell_has():
    cell, records = observed("pinpoint", {"players": 3})
    assert cell.games == GAMES
    assert cell.one("decisions").mean == 96
    assert cell.one("turns").mean == 24
    assert cell.one("entries").mean == 98
    for seat in (1, 2, 3):
        share = sum((seat in r.result.winners) / max(len(r.result.winners), 1) for r in records) / GAMES
        assert cell.one("share", seat).mean == pytest.approx(share)
        assert cell.one("score", seat).mean * GAMES == pytest.approx(final(records, seat))
    assert 0 < cell.one("lead changes").mean <= 1
    assert 0 <= cell.one("drama").mean <= 2
    assert 0 <= cell.one("decisiveness").mean <= 1
    assert cell.one("branching").low < cell.one("branching").mean < cell.one("branching").high
    assert sum(cell.reasons.values()) == GAMES


def test_pin_point_counts_figures_and_holes():
    cell, records = observed("pinpoint", {})
    for seat in (1, 2):
        assert total(cell, "points", seat) == final(records, seat)
        pins = by_seat(records, seat, r"[RYGB].*")
        assert total(cell, "put", seat) == total(cell, "times", seat) == pins
        assert total(cell, "put", seat, "e5") == by_seat(records, seat, r"[RYGB](=[RYGB])?e5")
    assert total(cell, "rule", 0, "PP-17") == by_seat(records, 1, r".=.*") + by_seat(records, 2, r".=.*")


def test_aftaebr_counts_captures_and_passes():
    cell, records = observed("aftaebr", {"players": 3})
    for seat in (1, 2, 3):
        puts = by_seat(records, seat, r"[GBFO][1-4][a-f][1-6]")
        assert total(cell, "put", seat) == puts
        assert 32 * GAMES - puts + total(cell, "points", seat) == final(records, seat)
        assert total(cell, "put", seat, "c4") == by_seat(records, seat, r"[GBFO][1-4]c4")
    assert total(cell, "rule", 0, "AF-6") == said(records, "pass")
    takes = sum(total(cell, "times", seat, source) for seat in (1, 2, 3) for source in SOURCES[:2])
    assert total(cell, "rule", 0, "AF-14") == takes > 0
    assert total(cell, "rule", 0, "AF-19") >= GAMES


SOURCES = ("one sequence", "several sequences at once", "sequences that were uncovered")


def test_match_n_lock_counts_circles():
    cell, records = observed("matchnlock", {"players": 3})
    for seat in (1, 2, 3):
        assert total(cell, "points", seat) == final(records, seat)
        assert total(cell, "put", seat) == by_seat(records, seat, r"[a-h][1-8]")
    assert total(cell, "rule", 0, "ML-12") == 64 * GAMES
    turned = sum(by_seat(records, seat, r"[a-h][1-8][+-]") for seat in (1, 2, 3))
    assert total(cell, "rule", 0, "ML-14") == turned
    assert total(cell, "rule", 0, "ML-24") == sum(by_seat(records, seat, r"..!") for seat in (1, 2, 3))


def test_tic_tac_match_counts_cards():
    cell, records = observed("tictacmatch", {"players": 4})
    for seat in (1, 2, 3, 4):
        assert total(cell, "put", seat) == by_seat(records, seat, r"[XO][RBYG] .*")
        assert total(cell, "points", seat) == final(records, seat)
    for rule, word in (("TT-12", "F"), ("TT-13", "W"), ("TT-14", "D"), ("TT-16", "redeal"), ("TT-17", "shuffle")):
        assert total(cell, "rule", 0, rule) == said(records, word), rule
    assert total(cell, "rule", 0, "TT-18") + total(cell, "rule", 0, "TT-20") == GAMES


def judged(values, winners):
    out = np.full(3, np.nan)
    worth = np.array(values)
    whole.judge(worth, len(worth), worth.shape[1], winners, out)
    return out.tolist()


def test_lead_changes_drama_and_decisiveness_are_ludiis():
    values = [[0.0, 0.5], [0.2, -0.2], [0.0, 0.6], [0.9, -0.9]]  # seat 1 wins
    changes, drama, decisiveness = judged(values, 0b01)
    assert changes == 4 / 4  # 2, 1, 2, 1: the first leader counts
    assert drama == pytest.approx((0.5 + 0 + 0.6 + 0) / 4)
    assert decisiveness == 3 / 4  # the others reach at most 0.6; the winner exceeds it from turn 4
    assert judged([[0.1, 0.1], [0.1, 0.1]], 0b01)[0] == 1 / 2  # both lead all the time
    changes, drama, decisiveness = judged(values, 0b11)
    assert changes == 1
    assert np.isnan(drama)
    assert np.isnan(decisiveness)


def study(folder, *more, workers="1"):
    arguments = ["study", "pinpoint", "--games", "30", "--bots", "random", "--playouts", "2", "--workers", workers]
    assert main([*arguments, "--out", str(folder), *more]) == 0
    return folder


def test_a_report_stands_alone(tmp_path, capsys):
    folder = study(tmp_path / "a", "--players", "2,4", "--vary", "start=1,lot")
    shown = capsys.readouterr().out
    page = (folder / "report.html").read_text("utf-8")
    command = "ludoteca study pinpoint --games 30 --bots random --seed 0 --players 2,4 --vary start=1,lot --playouts 2"
    assert command in page
    assert "2 players, start 1\n  " in shown
    for sentence in shown.splitlines()[1:-1]:
        assert escape(sentence.strip()) in page
    assert not re.search(
        r"""(?:src|href|url\()\s*=?["']?(?:https?:|//)""", page.replace("http://www.w3.org/2000/svg", "")
    )
    assert "color-scheme:light dark" in page
    assert 'name="viewport"' in page
    names = {path.name for path in folder.glob("*.svg")}
    assert {"begins.svg", "seats.svg", "points.svg", "turns.svg", "heat-1-1.svg", "heat-4-4.svg"} <= names
    for path in folder.glob("*.svg"):
        assert ElementTree.fromstring(path.read_text("utf-8")).tag.endswith("svg")
    found = read(folder)
    assert [(cell.players, cell.options["start"]) for cell in found.cells] == [(2, 1), (2, "lot"), (4, 1), (4, "lot")]
    holes = ElementTree.fromstring((folder / "heat-1-1.svg").read_text("utf-8")).iter(
        "{http://www.w3.org/2000/svg}circle"
    )
    assert len(list(holes)) == 200  # the hole, and its heat


def test_the_same_study_whatever_the_workers(tmp_path):
    one = study(tmp_path / "one")
    two = study(tmp_path / "two", workers="2")
    for path in one.iterdir():
        assert path.read_bytes() == (two / path.name).read_bytes()


def test_two_studies_side_by_side(tmp_path, capsys):
    first, second = study(tmp_path / "a"), study(tmp_path / "b", "--set", "start=1")
    out = tmp_path / "both.html"
    assert main(["study", "--compare", str(first), str(second), "--out", str(out)]) == 0
    page = out.read_text("utf-8")
    assert "Pin Point: two studies" in page
    assert "--set start=1" in page
    assert page.count("A: random") == page.count("B: random") == 7  # in every plot: one scale for both
    assert "No clear difference" in page
    shares = [read(folder).cells[0].one("share of who begins") for folder in (first, second)]
    assert f"{100 * (shares[1].mean - shares[0].mean):+.3g} (" in page
    jokers = [f"{read(folder).cells[0].one('rule', 0, 'PP-17').mean:.3g}" for folder in (first, second)]
    assert f"<td>PP-17: a joker is played</td><td>{jokers[0]}</td><td>{jokers[1]}</td>" in page


def test_a_difference_is_clear_when_its_interval_does_not_hold_zero():
    def figure(mean, half):
        return Figure("turns", mean, mean - half, mean + half, 100)

    level = difference(figure(10, 3), figure(12, 4))
    assert (level.mean, level.low, level.high) == (2, -3, 7)
    assert not level.is_clear
    assert difference(figure(10, 3), figure(16, 4)).is_clear
    assert difference(figure(16, 3), figure(10, 4)).is_clear


def test_many_seats_are_not_called_unfair_by_chance():
    """Of 40 fair seats two lie outside their own 95 % interval. The findings allow for that."""
    narrow = Figure("share", 0.55, 0.503, 0.597, 400, 1)
    assert strict_span(narrow, 1)[0] == pytest.approx(0.503)
    assert strict_span(narrow, 40)[0] < 0.5


def test_every_game_has_its_own_board_in_the_heat_map():
    for key in registry.game_keys():
        if isinstance(tally(key), NoTally):
            continue
        board = tally(key).BOARD
        values = [0.0, 1.0] + [0.5] * (board.columns * board.rows - 2)
        drawn = ElementTree.fromstring(heat("a map", board, values, (0.5, 1.0)))
        cells = [each for each in drawn.iter() if each.tag.endswith("title")]
        assert len(cells) == board.columns * board.rows
        assert cells[1].text == "b1: 1 a match"
        assert board.ground[0] in ElementTree.tostring(drawn, "unicode")
        assert {float(each.get("width")) for each in drawn.iter() if each.get("class") == "ground"}


def test_mixed_bots_and_several_line_ups(tmp_path):
    found = read(study(tmp_path / "a", "--bots", "random,random+novice"))
    assert [cell.bots for cell in found.cells] == [("random", "random"), ("random", "novice")]
    assert found.cells[1].one("share", 2).low > 0.7


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ("study", "study needs a game"),
        ("study chess", "unknown game 'chess'"),
        ("study pinpoint --bots genius", "unknown bot 'genius'"),
        ("study pinpoint --players 2,x", "whole numbers with commas are wanted"),
        ("study pinpoint --players 9", "bad option players=9"),
        ("study pinpoint --vary colour=red", "bad option colour='red'"),
        ("study pinpoint --vary start=1,77", "bad option start=77"),
        ("study pinpoint --set start=1 --vary start=1,lot", "option start is set and varied too"),
        ("study pinpoint --vary start=1 --vary start=2", "option start is varied twice"),
        ("study pinpoint --vary start", "an option with its values is wanted"),
        ("study pinpoint --workers 0", "0 workers: at least one is wanted"),
        ("study pinpoint --playouts -1", "-1 playouts: none or more are wanted"),
        ("study pinpoint --games 0", "0 games: at least one is wanted"),
        ("study pinpoint --out {file}", "is not a folder"),
        ("study --compare {folder} {folder}", "No such study"),
        ("study --compare {file} {file}", "is not a study"),
    ],
)
def test_bad_input_is_named(tmp_path, capsys, arguments, words):
    file = tmp_path / "file"
    file.write_text("{}")
    assert main(arguments.format(file=file, folder=tmp_path).split()) == 2
    assert words in capsys.readouterr().err
    assert file.read_text() == "{}"


def test_every_game_says_what_it_counts():
    for key in registry.game_keys():
        counted = tally(key)
        if isinstance(counted, NoTally):
            continue
        assert set(counted.RULES) <= set(rule_ids(key)), key
        assert counted.SOURCES
        assert counted.BOARD.columns <= len(counted.BOARD.letters)


def test_a_game_without_a_kernel_is_studied_from_its_records():
    plan = planned("kingbrick", {}, ["novice"], 1, "study")
    cell = cell_of(plan, observe_batch(plan, 0, range(1, 2)))
    flicks = cell.one("rule", 0, "KB-13").mean
    assert flicks > 0
    assert sum(figure.mean for figure in cell.all("put")) <= flicks
    assert cell.one("branching") is None
    fell = sum(figure.mean for figure in cell.all("points"))
    assert cell.one("rule", 0, "KB-16").mean == fell
    assert cell.one("rule", 0, "KB-17").mean + cell.one("rule", 0, "KB-50").mean >= 1


def test_a_king_counts_as_a_king_wherever_it_stands_in_its_army():
    army = "army G K\nstand r1 x=190 y=-100 yaw=0 up=1\nstand r2 x=0 y=-190 yaw=0 up=1\nready"
    counted = tally("kingbrick")
    place = {rule: counted.FIRED + n for n, rule in enumerate(counted.RULES)}
    for name, direction, kings in (("r1", 0, 0), ("r2", 270, 1)):
        match = Match(registry.game("kingbrick"), {"start": 1, "hand": "steady"}, None, Seal.derived("m", 2, "king"))
        match.begin()
        match.play(army, 1)
        match.play(formation(2, "K"), 2)
        match.play(flick(name, direction, 2.5), 1)
        row = counted.observed(match.record)
        assert (row[place["KB-16"]], row[place["KB-17"]]) == (1, kings)


VARIANT = Path(__file__).parents[2] / "docs" / "studies" / "aftaebr" / "variant.py"


def test_a_variant_in_a_file_is_played_like_a_game(monkeypatch):
    """Bots that play at random need no levels, and the searches of the levels take as long to compile as the rest."""
    monkeypatch.setattr(bots.guide("aftaebr"), "LEVELS", {})
    for balance, pieces in ((0, 32), (2, 34)):
        plan = planned(str(VARIANT), {"balance": balance, "start": 1}, ["random"], 4, "variant")
        batch = play_batch(plan, True, range(1, 5))
        record = record_of(plan, batch.moves[: batch.ends[0]].tolist())
        assert record.result.scores == tuple(batch.scores[0].tolist())
        seats = [entry.by for entry in record.log if entry.by]
        assert seats[:4] == [1, 2, 1, 2]
        cell = cell_of(plan, observe_batch(plan, 0, range(1, 5)))
        for seat, stock in ((1, pieces), (2, 32)):
            left = stock * 4 - sum(f.mean * 4 for f in cell.all("put") if f.seat == seat)
            taken = sum(f.mean * 4 for f in cell.all("points") if f.seat == seat)
            assert left + taken == pytest.approx(batch.scores[:, seat - 1].sum())
    plan = planned(str(VARIANT), {"balance": 3, "start": 1}, ["random"], 1, "variant")
    record = record_of(plan, play_batch(plan, True, range(1, 2)).moves.tolist())
    assert [entry.by for entry in record.log if entry.by][:6] == [1, 2, 1, 2, 2, 1]


def test_numba_never_takes_the_state_of_the_variant_for_the_state_of_the_game():
    variant, game = (game_named(name).rules.State for name in (str(VARIANT), "aftaebr"))
    assert numba.from_dtype(variant).can_convert_to(None, numba.from_dtype(game)) is None


def test_a_variant_whose_state_has_a_field_more_at_its_end_causes_no_warnings(tmp_path):
    program = (
        "import numba, numpy as np; from ludoteca.lab.games import game_named; game_named('mine.py')\n"
        "long, short = (numba.from_dtype(np.dtype([(name, 'i4') for name in names])) for names in ('abc', 'ab'))\n"
        "print(long.can_convert_to(None, short) is not None)"
    )
    (tmp_path / "mine.py").write_text("from ludoteca.games.aftaebr.game import GAME")
    command = [sys.executable, "-c", program]
    shown = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert shown.stdout == "True\n"
    assert shown.stderr == ""


@pytest.mark.parametrize(
    ("text", "words"), [("x = 1", "has no GAME"), ("1 / 0", "cannot be loaded: ZeroDivisionError")]
)
def test_a_bad_variant_is_named(tmp_path, capsys, text, words):
    file = tmp_path / "mine.py"
    file.write_text(text)
    assert main(["simulate", str(file)]) == 2
    assert words in capsys.readouterr().err
    assert main(["simulate", str(tmp_path / "none.py")]) == 2
    assert "No such file" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["JOKERS", "best_figure"])
def test_a_variant_that_replaces_what_only_the_rules_themselves_read_is_refused(tmp_path, capsys, name):
    """It would be played, and studied, as the unchanged game."""
    file = tmp_path / "mine.py"
    file.write_text(
        "from types import SimpleNamespace\n"
        "from ludoteca.games.pinpoint import rules\n"
        "from ludoteca.games.pinpoint.game import PinPoint\n"
        "class Mine(PinPoint):\n"
        f"    rules = SimpleNamespace(**{{**vars(rules), '{name}': 0}})\n"
        "GAME = Mine()\n"
    )
    assert main(["simulate", str(file), "--games", "1"]) == 2
    shown = capsys.readouterr().err
    assert f"mine.py replaces {name}, which changes nothing: replace a function among actor, " in shown
    assert len(shown.splitlines()) == 1


def test_the_variant_of_the_manual_has_half_of_the_pieces(tmp_path):
    """It is interpreted here: compiling a whole game takes a minute."""
    manual = (VARIANT.parents[2] / "lab.md").read_text("utf-8")
    (code,) = [block for block in re.findall(r"```python\n(.*?)```", manual, re.DOTALL) if "GAME =" in block]
    (tmp_path / "short.py").write_text(code)
    command = [sys.executable, "-m", "ludoteca.cli", "simulate", "short.py", "--games", "2", "--out", "a.parquet"]
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    shown = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert shown.returncode == 0, shown.stderr
    table = pq.read_table(tmp_path / "a.parquet")
    assert table.schema.metadata[b"ludoteca.game"] == b"short.py"
    for row in table.to_pylist():
        assert max(row["scores"]) < 16
        assert 2 + 2 * 15 < row["decisions"] < 2 * 32
