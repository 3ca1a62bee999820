"""Parquet files of matches: their contents, and how they are continued, checked and refused."""

import json
import os
import signal
import subprocess
import sys
import time

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from ludoteca import __version__
from ludoteca.cli import main
from ludoteca.core.record import from_json
from ludoteca.lab import parquet
from ludoteca.lab.parquet import parts_folder

LUDOTECA = [sys.executable, "-m", "ludoteca.cli"]
MIXED = ("--players", "3", "--bots", "random,novice,random")


def simulate(path, *more, game="pinpoint", workers="1"):
    assert main(["simulate", game, "--out", str(path), "--seed", "7", "--workers", workers, *more]) == 0
    return path


def test_a_row_a_match_and_whose_they_are(tmp_path, capsys):
    path = simulate(tmp_path / "a.parquet", "--games", "20", *MIXED)
    assert "20 matches" in capsys.readouterr().out
    table = pq.read_table(path)
    assert table.column_names == [
        "number",
        "winners",
        "scores",
        "starter",
        "entries",
        "decisions",
        "reason",
        "moves",
    ]
    assert table["number"].to_pylist() == list(range(1, 21))
    row = table.slice(16, 1).to_pylist()[0]
    assert len(row["scores"]) == 3
    assert row["winners"] == [seat for seat in (1, 2, 3) if row["scores"][seat - 1] == max(row["scores"])]
    assert (row["entries"], row["decisions"], row["reason"], len(row["moves"])) == (98, 96, "complete", 101)
    facts = {name.decode(): value.decode() for name, value in table.schema.metadata.items()}
    assert facts["ludoteca.game"] == "pinpoint"
    assert json.loads(facts["ludoteca.options"])["players"] == 3
    assert (facts["ludoteca.bots"], facts["ludoteca.seed"]) == ("random,novice,random", "7")
    assert (facts["ludoteca.rules"], facts["ludoteca.version"]) == ("1", __version__)


def test_match_17_is_a_record_that_verifies(tmp_path, capsys):
    path = simulate(tmp_path / "a.parquet", "--games", "20", *MIXED)
    row = pq.read_table(path).slice(16, 1).to_pylist()[0]
    capsys.readouterr()
    assert main(["record", str(path), "17"]) == 0
    shown = capsys.readouterr().out
    record = from_json(shown)
    assert list(record.result.scores) == row["scores"]
    assert list(record.result.winners) == row["winners"]
    assert len(record.log) == row["entries"]
    assert [seat.bot for seat in record.seats] == ["random", "novice", "random"]
    (tmp_path / "b.jsonl").write_text(shown)
    assert main(["verify", str(tmp_path / "b.jsonl")]) == 0
    assert main(["verify", str(path)]) == 0
    assert "20 matches: 20 good, every draw as the seed says, 0 bad" in capsys.readouterr().out


def test_the_bytes_depend_on_the_matches_alone(tmp_path, monkeypatch):
    monkeypatch.setattr(parquet, "ROWS_A_GROUP", 6)
    whole = simulate(tmp_path / "whole.parquet", "--games", "20", *MIXED).read_bytes()
    two = simulate(tmp_path / "two.parquet", "--games", "20", *MIXED, workers="2").read_bytes()
    assert two == whole
    monkeypatch.setattr(parquet, "SECONDS_A_PART", 0.0)
    grown = simulate(tmp_path / "grown.parquet", "--games", "7", *MIXED)
    assert pq.read_metadata(grown).num_rows == 7
    simulate(grown, "--games", "20", *MIXED)
    assert grown.read_bytes() == whole
    simulate(grown, "--games", "20", *MIXED)
    assert grown.read_bytes() == whole
    assert [path.name for path in tmp_path.iterdir() if "parts" in path.name or "half" in path.name] == []


def test_the_bytes_are_the_same_where_groups_have_several_pages(tmp_path):
    whole = simulate(tmp_path / "whole.parquet", "--games", "20000").read_bytes()
    grown = simulate(tmp_path / "grown.parquet", "--games", "5003")
    simulate(grown, "--games", "20000")
    assert grown.read_bytes() == whole


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_whatever_interrupts_it_the_same_command_continues(tmp_path, how):
    path = tmp_path / "a.parquet"
    options = ["simulate", "pinpoint", "--bots", "novice", "--workers", "2", "--out", str(path), "--games"]
    program = (
        "import sys; from ludoteca.lab import parquet; from ludoteca.cli import main\n"
        "parquet.SECONDS_A_PART = 0.0; sys.exit(main(sys.argv[1:]))"
    )
    process = subprocess.Popen([sys.executable, "-c", program, *options, "1000000"], start_new_session=True)
    try:
        while not len(list(parts_folder(path).glob("*.parquet"))) > 3:
            assert process.poll() is None
            time.sleep(0.02)
        os.killpg(process.pid, how)
        assert process.wait(120) == (130 if how == signal.SIGINT else -how)
    finally:
        process.kill()
        process.wait()
    assert path.exists() == (how == signal.SIGINT)
    readable = [path] if path.exists() else sorted(parts_folder(path).glob("*.parquet"))
    rows = sum(pq.read_table(part).num_rows for part in readable)
    assert rows > 3
    assert main(["verify", str(path)]) == 0
    assert main([*options, str(rows + 5)]) == 0
    assert main([*options[:-2], str(tmp_path / "at once.parquet"), "--games", str(rows + 5)]) == 0
    assert path.read_bytes() == (tmp_path / "at once.parquet").read_bytes()


def edited(path, change):
    """Return the file with changed rows."""
    table = pq.read_table(path)
    rows = table.to_pylist()
    change(rows)
    pq.write_table(pa.Table.from_pylist(rows, table.schema), path)


@pytest.mark.parametrize("game", ["aftaebr", "matchnlock", "pinpoint", "tictacmatch"])
def test_verify_names_the_match_and_what_is_wrong_with_it(tmp_path, capsys, game):
    path = simulate(tmp_path / "a.parquet", "--games", "8", game=game)

    def change(rows):
        rows[1]["moves"][-1] = -1  # this move was a player's
        rows[2]["moves"][0] += 1 if rows[2]["moves"][0] < rows[3]["moves"][0] else -1  # this outcome was drawn
        rows[3]["moves"].pop()
        rows[4]["moves"].append(0)
        rows[5]["scores"][0] += 1
        rows[6]["winners"] = [1] if rows[6]["winners"] != [1] else [2]

    length = len(pq.read_table(path)["moves"][1].as_py())
    edited(path, change)
    capsys.readouterr()
    assert main(["verify", str(path)]) == 1
    shown = capsys.readouterr().out.splitlines()
    assert shown[0] == f"{path}: match 2: move {length} is not legal"
    assert shown[1] == f"{path}: match 3: move 1 is not what the seed draws"
    assert shown[2].endswith("is the last one, and the match goes on")
    assert shown[3].endswith("ends the match, and more follow")
    assert "match 6: the file has scores" in shown[4]
    assert "match 7: the file has winners" in shown[5]
    assert shown[6] == "8 matches: 2 good, every draw as the seed says, 6 bad"


def test_a_game_without_numbered_moves_keeps_its_records(tmp_path, capsys):
    path = simulate(tmp_path / "a.parquet", "--games", "1", "--bots", "novice", game="kingbrick")
    capsys.readouterr()
    assert main(["verify", str(path)]) == 0
    assert "1 matches: 1 good" in capsys.readouterr().out
    assert main(["record", str(path), "1"]) == 0
    assert from_json(capsys.readouterr().out).game == "kingbrick"

    def change(rows):
        rows[0]["record"] = rows[0]["record"].replace('"by":1', '"by":2', 1)

    edited(path, change)
    assert main(["verify", str(path)]) == 1


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ("simulate aftaebr --seed 7 --out {file}", "was begun with game pinpoint, not aftaebr"),
        ("simulate pinpoint --seed 8 --out {file}", "was begun with seed 7, not 8"),
        (
            "simulate pinpoint --seed 7 --bots novice --out {file}",
            "was begun with bots random,random, not novice,novice",
        ),
        ("simulate pinpoint --seed 7 --set start=1 --out {file}", "was begun with options"),
        ("simulate pinpoint --seed 7 --out {half}", "is not a whole Parquet file"),
        ("simulate pinpoint --seed 7 --out {foreign}", "holds no matches of ludoteca"),
        ("simulate pinpoint --out {folder}/no/such.parquet", "No such file or directory"),
        ("simulate pinpoint --out {folder}/a.csv", "must end in .parquet or .jsonl"),
        ("verify {half}", "is not a whole Parquet file"),
        ("verify {foreign}", "holds no matches of ludoteca"),
        ("verify {folder}/nowhere.parquet", "No such file or directory"),
        ("record {file} 99", "has no match 99: it holds 5"),
        ("record {half} 1", "is not a whole Parquet file"),
    ],
)
def test_bad_files_are_named_and_left_alone(tmp_path, capsys, arguments, words):
    file = simulate(tmp_path / "a.parquet", "--games", "5")
    half, foreign = tmp_path / "half.parquet", tmp_path / "foreign.parquet"
    half.write_bytes(file.read_bytes()[:-100])
    pq.write_table(pa.table({"a": [1]}), foreign)
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    capsys.readouterr()
    given = arguments.format(file=file, half=half, foreign=foreign, folder=tmp_path)
    assert main(given.split()) == 2
    shown = capsys.readouterr().err
    assert shown.startswith("ludoteca: ")
    assert words in shown
    assert len(shown.splitlines()) == 1
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_a_file_is_not_continued_with_a_variant_that_has_changed(tmp_path, capsys):
    variant, path = tmp_path / "mine.py", tmp_path / "a.parquet"
    variant.write_text("from ludoteca.games.pinpoint.game import GAME")
    command = ["simulate", str(variant), "--out", str(path), "--games"]
    assert main([*command, "2"]) == 0
    assert main([*command, "3"]) == 0
    before = path.read_bytes()
    variant.write_text("from ludoteca.games.pinpoint.game import GAME  # with another rule")
    capsys.readouterr()
    assert main([*command, "4"]) == 2
    assert capsys.readouterr().err == f"ludoteca: {path} was begun with another {variant}: name another file\n"
    assert path.read_bytes() == before
