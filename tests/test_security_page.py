"""Every line of docs/security.md names a test that exists."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "security.md"
TEST = re.compile(r"`(?:[\w/]+/)?(test_\w+\.py|\w+\.test\.ts)(?:::(\w+))?`")
FILES = {path.name: path for folder in ("tests", "web/test") for path in (ROOT / folder).rglob("*test*")}


def promises() -> list[str]:
    """Return the rows of the tables, without their heads."""
    rows = [line for line in PAGE.read_text().splitlines() if line.startswith("|")]
    return [row for row in rows if not re.match(r"\|-|\| (promise|limit)[\w ]* \| test \|$", row)]


def test_every_promise_names_a_test() -> None:
    found = promises()
    assert len(found) > 40
    for row in found:
        assert TEST.search(row.rpartition(" | ")[2]), f"no test is named here: {row}"


def test_the_tests_that_are_named_exist() -> None:
    named = TEST.findall(PAGE.read_text())
    assert len(named) > 40
    for file, test in named:
        assert file in FILES, f"there is no {file}"
        assert not test or f"def {test}(" in FILES[file].read_text(), f"there is no {test} in {file}"


def test_no_name_is_shortened() -> None:
    assert "`..." not in PAGE.read_text()
