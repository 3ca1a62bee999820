"""The lab from Python, and the notebook that shows it."""

import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from ludoteca import lab
from ludoteca.core.errors import LudotecaError

NOTEBOOK = Path(__file__).parents[2] / "docs" / "lab.ipynb"


def test_the_notebook_runs(capsys):
    names = {}
    for cell in json.loads(NOTEBOOK.read_text("utf-8"))["cells"]:
        if cell["cell_type"] == "code":
            exec(compile("".join(cell["source"]), f"{NOTEBOOK.name} {cell['id']}", "exec"), names)
    shown = capsys.readouterr().out
    assert "of 2000 matches" in shown
    assert "101 moves" in shown
    assert "novice" in shown
    assert "points a match" in shown


def test_a_table_is_the_file(tmp_path):
    table = lab.simulate("pinpoint", games=20, bots=["random", "novice"], workers=1, seed="7")
    path = tmp_path / "a.parquet"
    kept = lab.simulate("pinpoint", games=20, bots="random,novice", workers=2, seed="7", out=path)
    assert kept.equals(table)
    assert pq.read_table(path).equals(table)
    assert table.schema.metadata == kept.schema.metadata


def test_the_same_errors_as_on_the_command_line(tmp_path):
    for call, words in (
        (lambda: lab.simulate("pinpoint", bots="genius"), "unknown bot 'genius'"),
        (lambda: lab.simulate("pinpoint", options={"start": 9}), "bad option start=9"),
        (lambda: lab.simulate("pinpoint", out=tmp_path / "a.csv"), "must end in .parquet"),
        (lambda: lab.arena("pinpoint", bots="random"), "at least two are wanted"),
        (lambda: lab.study("chess"), "unknown game 'chess'"),
        (lambda: lab.study("pinpoint", vary={"colour": ["red"]}), "bad option colour"),
        (lambda: lab.simulate("pinpoint", cluster="127.0.0.1:1"), "there is no Ray cluster at 127.0.0.1:1"),
    ):
        with pytest.raises(LudotecaError, match=words):
            call()
