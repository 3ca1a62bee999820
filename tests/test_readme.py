"""The examples in the README work."""

import re
from pathlib import Path

from ludoteca.cli import parser

README = (Path(__file__).parents[1] / "README.md").read_text("utf-8")
MAKEFILE = (Path(__file__).parents[1] / "Makefile").read_text("utf-8")


def test_the_library_in_a_dozen_lines(capsys):
    (program,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    assert len(program.splitlines()) <= 13
    exec(program, {})
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 97
    assert re.fullmatch(r"seat [123]: \w+( as a \w+ joker)? in [a-j]\d+: .*, \d+", lines[0])


def test_the_commands_are_there():
    for command in re.findall(r"^    ludoteca (.*?)\s*(?:#.*)?$", README, re.MULTILINE):
        assert parser().parse_args(command.split()).run
    for target in re.findall(r"make ([a-z]+)", README):
        if target not in ("and",):
            assert re.search(rf"^{target}:", MAKEFILE, re.MULTILINE), target


def test_the_documents_and_headings_are_there():
    headings = {"#" + title.lower().replace(" ", "-") for title in re.findall(r"^#+ (.+)$", README, re.MULTILINE)}
    for link in re.findall(r"\]\((?!http)([^)]+)\)", README):
        assert link in headings or (Path(__file__).parents[1] / link).exists(), link
