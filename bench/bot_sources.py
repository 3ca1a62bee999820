"""A digest of everything that decides how the bots of a game play. Results that were kept carry it."""

import ast
import hashlib
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from ludoteca.core import registry
from ludoteca.core.compiler import COMPILES
from ludoteca.core.kernel_game import KernelGame
from ludoteca.search import bots

PARTS = ("rules", "guide")  # of a game's folder: they and what they import play a match
OF_KERNELS = ("tally",)  # it names the winners of a compiled match
SEARCH = "ludoteca.search.workbench"  # it and what it imports play the matches of kernels
CORE = ("ludoteca.core.kernel", "ludoteca.core.levels")  # they count, like all files of the core that compile functions
LEVELS = "LEVELS"  # in a guide.py: only the levels that play count
FOR_PEOPLE = ("words", "lessons", "puzzles.jsonl.gz", "curve.json")  # files of a game that no bot reads


def digest(key: str, names: Sequence[str]) -> str:
    """Return a digest of the sources and the levels by which these bots of a game play.

    It covers the rules, the guide, the searches, and the files beside them, such as learned weights. Comments,
    docstrings and other levels change nothing.
    """
    found = hashlib.sha256()
    for name in names:
        found.update(f"{name} {level_text(key, name)}\0".encode())
    found.update(sources_digest(key))
    return found.hexdigest()[:16]


@cache
def sources_digest(key: str) -> bytes:
    """Return the part of the digest that all bots of a game share, as it was when this process first asked."""
    found = hashlib.sha256()
    for module, path in sorted(sources(key).items()):
        found.update(f"{module}\0{meaning(path.read_text('utf-8'))}\0".encode())
    for path in files_beside(key):
        found.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return found.digest()


def level_text(key: str, name: str) -> str:
    """Return a level as text that is the same in every process."""
    text = repr(None if name == bots.RANDOM else bots.guide(key).LEVELS[name])
    if " at 0x" in text:
        raise ValueError(f"level {name} of {key} shows the address of an object: {text}")
    return text


def sources(key: str) -> dict[str, Path]:
    """Return the source files, by module: those of the game, of the search, and what both compile of the core."""
    package = f"ludoteca.games.{key}"
    waiting = [f"{package}.{part}" for part in PARTS]
    if isinstance(registry.game(key), KernelGame):
        waiting += [*(f"{package}.{part}" for part in OF_KERNELS), SEARCH]
    seen, found = set[str](), dict[str, Path]()
    while waiting:
        module = waiting.pop()
        if module in seen or (path := _file(module)) is None:
            continue
        seen.add(module)
        waiting += imported(path.read_text("utf-8"))
        is_near = module.startswith(("ludoteca.search.", package + ".")) or module in CORE
        if is_near or COMPILES.search(path.read_bytes()):
            found[module] = path
    return found


def _file(module: str) -> Path | None:
    try:
        spec = find_spec(module)
    except ModuleNotFoundError:  # `from a.module import name` looks like the module a.module.name
        return None
    return Path(spec.origin) if spec and spec.origin and spec.origin.endswith(".py") else None


def imported(source: str) -> Iterator[str]:
    """Yield the modules of this package that a source may import: `from a import b` names `a` and perhaps `a.b`."""
    for node in ast.walk(ast.parse(source)):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        yield from (name for name in names if name.startswith("ludoteca."))


def meaning(source: str) -> str:
    """Return what a source says without its comments, its docstrings and its LEVELS."""
    tree = ast.parse(source)
    tree.body = [node for node in tree.body if not _names_levels(node)]
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node) is not None:
            node.body = node.body[1:]
    return ast.dump(tree)


def _names_levels(node: ast.stmt) -> bool:
    if not isinstance(node, ast.Assign | ast.AnnAssign):
        return False
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    return any(isinstance(target, ast.Name) and target.id == LEVELS for target in targets)


def files_beside(key: str) -> list[Path]:
    """Return the files of a game's folder that are no sources and that a bot may read."""
    folder = Path(str(bots.guide(key).__file__)).parent
    found = (path for path in folder.rglob("*") if path.is_file() and path.suffix not in (".py", ".pyc"))
    return sorted(path for path in found if path.relative_to(folder).parts[0] not in FOR_PEOPLE)
