"""The cache of compiled code: what renews it, and what must not."""

from ludoteca.core import compiler


def test_every_file_that_compiles_or_is_bound_renews_the_cache() -> None:
    modules = compiler.compiled_sources()
    assert {"ludoteca.core.kernel", "ludoteca.core.questions", "ludoteca.search.tree"} <= modules.keys()
    for file in (compiler.PACKAGE / "games").glob("*/*.py"):
        if "@compiled" in file.read_text(encoding="utf-8"):
            assert f"ludoteca.games.{file.parent.name}.{file.stem}" in modules


def test_a_file_that_nothing_compiled_imports_does_not_renew_the_cache() -> None:
    modules = compiler.compiled_sources()
    assert not {"ludoteca.core.match", "ludoteca.server.app", "ludoteca.cli"} & modules.keys()


def test_imports_in_every_form_are_followed() -> None:
    source = b"import ludoteca.one\nfrom ludoteca import two\nfrom ludoteca.three import (\n    four,\n    five,\n)\n"
    assert set(compiler._imported(source)) >= {
        "ludoteca.one",
        "ludoteca.two",
        "ludoteca.three",
        "ludoteca.three.four",
        "ludoteca.three.five",
    }
