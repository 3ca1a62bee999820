"""The command line as a designer uses it: simulate, verify, arena, games, warm."""

import json
import os
import signal
import subprocess
import sys
import time
from random import Random

import msgspec
import pytest

from ludoteca.cli import main
from ludoteca.core import registry
from ludoteca.core.chance import Seal
from ludoteca.core.match import Match
from ludoteca.core.record import FORMAT, Entry, Record, Result, from_json, to_json
from ludoteca.lab.batch import batch_of
from ludoteca.lab.plan import planned
from ludoteca.lab.summary import Summary

LUDOTECA = [sys.executable, "-m", "ludoteca.cli"]


def simulate(path, *more):
    assert main(["simulate", "pinpoint", "--out", str(path), "--seed", "7", "--workers", "1", *more]) == 0
    return path


def test_simulate_writes_records_that_verify(tmp_path, capsys):
    path = simulate(tmp_path / "a.jsonl", "--games", "5", "--players", "3", "--bots", "random,novice,random")
    lines = path.read_bytes().splitlines()
    assert len(lines) == 5
    for line in lines:
        record = json.loads(line)
        assert list(record)[:7] == ["format", "game", "rules", "options", "seats", "log", "result"]
        assert record["options"] == {"players": 3}
        assert [seat["bot"] for seat in record["seats"]] == ["random", "novice", "random"]
        assert record["result"]["reason"] == "complete"
    shown = capsys.readouterr().out
    assert "5 matches" in shown
    assert "seat 2 novice" in shown
    assert main(["verify", str(path)]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "5 records: 5 good, 0 bad",
        "the rules hold: 5; what physics decided is taken as the record has it (--measure measures again)",
        "chance follows the seal: 5",
        "not signed: 5; names, times and who was a bot are proved by a signature alone",
    ]


def won(game, options, *results):
    """Return the summary's lines for matches with these winners, in which these seats began."""
    summary = Summary(planned(game, options, ["random"], len(results), "s"))
    for winners, began in results:
        players = len(summary.seats)
        log = (Entry(0, "start"), Entry(began, "a"), Entry(began % players + 1, "b"))
        record = Record(FORMAT, game, 1, dict(options), (), log, Result(winners, (0,) * players, "complete"))
        summary.add(batch_of(summary.plan, [1], [record], False))
    return summary.lines()


def test_a_draw_is_no_shared_win_and_partners_win_together():
    assert won("pinpoint", {}, ((1,), 1), ((1, 2), 1))[0].endswith("1 drawn")
    assert won("tictacmatch", {}, ((), 1))[0].endswith("1 drawn")
    assert won("pinpoint", {"players": 3}, ((1, 3), 1), ((1, 2, 3), 1))[0].endswith("1 drawn, 1 won by several")
    teams = {"players": 4, "teams": True}
    first, *seats = won("pinpoint", teams, ((1, 3), 2), ((1, 2, 3, 4), 2))
    assert first.endswith("1 drawn")
    assert "won  50.0%   share  75.0%" in seats[0]
    assert "won   0.0%   share  25.0%" in seats[1]
    alone = won("matchnlock", {"players": 1}, ((), 1), ((1,), 1))
    assert alone[0].endswith("0 drawn")
    assert "won  50.0%   share  50.0%" in alone[1]
    assert len(alone) == 2


def test_the_one_who_begins_is_counted_beside_the_seats():
    lines = won("pinpoint", {}, ((1,), 2), ((2,), 1), ((1,), 1), ((1, 2), 2))
    assert "won  50.0%   share  62.5%" in lines[1]
    assert lines[-1] == "who begins        won  25.0%   share  37.5%"


@pytest.mark.parametrize("start", ["lot", 2])
def test_in_every_game_the_one_who_begins_is_known(start):
    for key in registry.game_keys():
        game = registry.game(key)
        if "start" not in game.agree({}):
            continue
        match = Match.new(key, {"start": start})
        assert game.starter(match.agreed, ()) in (None, start)
        began = set()
        for number in range(8):
            match = Match(game, match.agreed, None, Seal.derived("m", 2, number))
            match.begin()
            move = game.sample_moves(match.state, match.to_move[0], Random(number), 1)[0]
            match.play(move, match.to_move[0])
            began.add(game.starter(match.agreed, match.log))
        assert began == ({1, 2} if start == "lot" else {2})


def test_the_same_seed_gives_the_same_file_whatever_the_workers(tmp_path):
    options = ("--games", "9", "--set", "teams=true", "--set", "players=4", "--bots", "random,novice,novice,random")
    one = simulate(tmp_path / "one.jsonl", *options)
    two = simulate(tmp_path / "two.jsonl", *options, "--workers", "2")
    assert one.read_bytes() == two.read_bytes()
    other = simulate(tmp_path / "other.jsonl", *options, "--seed", "8")
    assert other.read_bytes() != one.read_bytes()
    fewer = simulate(tmp_path / "fewer.jsonl", *options, "--games", "4")
    assert one.read_bytes().startswith(fewer.read_bytes())


def test_verify_says_which_line_and_entry_is_wrong_and_why(tmp_path, capsys):
    path = simulate(tmp_path / "a.jsonl", "--games", "4")
    records = [from_json(line) for line in path.read_bytes().splitlines()]
    log = list(records[1].log)
    log[20] = msgspec.structs.replace(log[20], score=99)
    records[1] = msgspec.structs.replace(records[1], log=tuple(log))
    lines = [to_json(record) for record in records]
    lines[3] = b"not json"
    path.write_bytes(b"\n".join(lines) + b"\n\n")
    capsys.readouterr()
    assert main(["verify", str(path)]) == 1
    shown = capsys.readouterr().out.splitlines()
    assert shown[0].startswith(f"{path}:2: rules: entry 21: ")
    assert shown[0].endswith("the record has 99")
    assert shown[1].startswith(f"{path}:4: rules: not a record")
    assert shown[2] == "4 records: 2 good, 2 bad"


@pytest.mark.parametrize("workers", ["1", "2"])
def test_ctrl_c_leaves_whole_records_only(tmp_path, workers):
    path = tmp_path / "a.jsonl"
    command = [*LUDOTECA, "simulate", "pinpoint", "--games", "1000000", "--workers", workers, "--out", str(path)]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True)
    try:
        while not (path.exists() and path.stat().st_size > 20_000):
            assert process.poll() is None
            time.sleep(0.05)
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to the whole group
        _, shown = process.communicate(timeout=120)
    finally:
        process.kill()
    assert process.returncode == 130
    assert "stopped after" in shown
    assert "Traceback" not in shown
    data = path.read_bytes()
    assert data.endswith(b"\n")
    for line in data.splitlines():
        assert from_json(line).result is not None


def test_games_lists_options_and_bots(capsys):
    assert main(["games"]) == 0
    shown = capsys.readouterr().out
    assert "pinpoint: Pin Point" in shown
    assert "players       one of 2, 3, 4 (default 2)" in shown
    assert "random, novice, casual, club, expert" in shown


def test_warm_compiles_what_can_be_compiled(capsys):
    assert main(["warm"]) == 0
    shown = capsys.readouterr().out.split("\n")
    assert shown[:-1] == [f"{key} is compiled" for key in registry.game_keys() if key != "kingbrick"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ("simulate chess", "unknown game 'chess'; there are"),
        ("simulate pinpoint --players 7", "bad option players=7: one of 2, 3, 4"),
        ("simulate pinpoint --set colour=red", "bad option colour='red': Pin Point knows players"),
        ("simulate pinpoint --set teams", "each as KEY=VALUE"),
        ("simulate pinpoint --set turn_seconds=x", "bad option turn_seconds='x'"),
        ("simulate pinpoint --set teams=true", "teams need 4 players"),
        ("simulate pinpoint --bots genius", "unknown bot 'genius'; there are random"),
        ("simulate pinpoint --bots random,random,random", "3 bots for 2 seats"),
        ("simulate pinpoint --games 0", "0 games: at least one is wanted"),
        ("simulate pinpoint --workers 0", "0 workers: at least one is wanted"),
        ("simulate pinpoint --out /nowhere/at/all.parquet", "No such file or directory: '/nowhere/at/all.parquet'"),
        ("arena pinpoint --bots random,novice --out /nowhere/a.json", "No such file or directory: '/nowhere/a.json'"),
        ("simulate pinpoint --out /nowhere/at/all.jsonl", "No such file or directory: '/nowhere/at/all.jsonl'"),
        ("verify /nowhere.jsonl", "No such file or directory: '/nowhere.jsonl'"),
    ],
)
def test_bad_input_is_named(arguments, words, capsys):
    assert main(arguments.split()) == 2
    shown = capsys.readouterr().err
    assert shown.startswith("ludoteca: ")
    assert words in shown
