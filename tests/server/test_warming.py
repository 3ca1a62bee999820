"""What a server compiles when it starts."""

import asyncio
import sys
from pathlib import Path

import pytest

from ludoteca.core import registry
from ludoteca.core.kernel_game import KernelGame
from ludoteca.server import kernels
from ludoteca.server.kernels import BOTS, RULES, Kernels

ECHO = "import sys\nfor line in sys.stdin:\n    open(sys.argv[1], 'a').write(line)\n    print(line, end='', flush=True)"


class NoWorkers:
    async def run(self, what: object, *given: object) -> None:
        pass


def test_only_what_the_cache_lacks_is_compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = tmp_path / "asked"
    lacking: set[tuple[str, str]] = set()
    monkeypatch.setattr(kernels, "COMPILER", (sys.executable, "-c", ECHO, str(asked)))
    monkeypatch.setattr(kernels, "_is_compiled", lambda part, key: (part, key) not in lacking)
    monkeypatch.setattr(kernels, "_exercise", lambda key: None)

    async def warmed() -> list[str]:
        warming = Kernels(NoWorkers())  # type: ignore[arg-type]
        await warming.warm_up()
        return warming.warm

    assert asyncio.run(warmed()) == registry.game_keys()
    assert not asked.exists()  # no process was started
    key = next(key for key in registry.game_keys() if isinstance(registry.game(key), KernelGame))
    lacking |= {(RULES, key), (BOTS, key)}
    assert asyncio.run(warmed()) == registry.game_keys()
    assert asked.read_text().splitlines() == [f"{RULES} {key}", f"{BOTS} {key}"]
