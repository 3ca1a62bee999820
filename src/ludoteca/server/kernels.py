"""Warms what is compiled, the rules and then the bots, before anybody needs it.

A process of its own compiles what the cache on the disk lacks, which takes seconds, and gives its memory back. Then
this process and the workers load from there, which takes a moment.
"""

import asyncio
import logging
import sys

from ludoteca.core import registry
from ludoteca.core.kernel_game import KernelGame
from ludoteca.server import bots
from ludoteca.server.workers import Workers

RULES, BOTS = "rules", "bots"  # the parts of a game that are compiled, as search/compiling.py names them
COMPILER = (sys.executable, "-m", "ludoteca.search.compiling")
log = logging.getLogger("ludoteca.server.kernels")


class Kernels:
    def __init__(self, workers: Workers) -> None:
        self._workers = workers
        self._compiler: asyncio.subprocess.Process | None = None  # started for the first part that the cache lacks
        keys = registry.game_keys()
        # Still to be warmed, all rules first: a match begins with the rules, and its bot can think a little later.
        self._queue = [(part, key) for part in (RULES, BOTS) for key in keys]
        self._ready = {step: asyncio.Event() for step in self._queue}

    @property
    def warm(self) -> list[str]:
        """The games whose rules and bots are compiled."""
        return [key for (part, key), ready in self._ready.items() if part == BOTS and ready.is_set()]

    async def rules_ready(self, key: str) -> None:
        await self._hurried(RULES, key)

    async def bots_ready(self, key: str) -> None:
        await self._hurried(BOTS, key)

    async def _hurried(self, part: str, key: str) -> None:
        """Compile this part next, because somebody waits for it. Return when it is ready."""
        if (part, key) in self._queue:
            self._queue.remove((part, key))
            self._queue.insert(0, (part, key))
        await self._ready[part, key].wait()

    async def warm_up(self) -> None:
        for part, key in list(self._queue):
            if not isinstance(await asyncio.to_thread(registry.game, key), KernelGame):
                self._queue.remove((part, key))
                self._ready[part, key].set()
        try:
            while self._queue:
                part, key = self._queue.pop(0)
                try:
                    await self._warm_up(part, key)
                except Exception:
                    log.exception("the %s of %s could not be warmed", part, key)
                finally:  # those who wait get the error when they use it, instead of waiting for ever
                    self._ready[part, key].set()
        finally:
            await self._end_compiler()

    async def _warm_up(self, part: str, key: str) -> None:
        if not await asyncio.to_thread(_is_compiled, part, key):
            await self._compile(part, key)
        if part == RULES:
            await asyncio.to_thread(_exercise, key)
        else:
            await self._workers.run(bots.warm, key)

    async def _compile(self, part: str, key: str) -> None:
        if self._compiler is None:
            pipe = asyncio.subprocess.PIPE
            self._compiler = await asyncio.create_subprocess_exec(*COMPILER, stdin=pipe, stdout=pipe)
        assert self._compiler.stdin is not None
        assert self._compiler.stdout is not None
        self._compiler.stdin.write(f"{part} {key}\n".encode())
        await self._compiler.stdout.readline()

    async def _end_compiler(self) -> None:
        if self._compiler is not None:
            if self._compiler.returncode is None:
                self._compiler.kill()
            await self._compiler.communicate()


def _is_compiled(part: str, key: str) -> bool:
    from ludoteca.search.compiling import is_compiled

    return is_compiled(part, key)


def _exercise(key: str) -> None:
    """Load the rules into this process."""
    from ludoteca.search.compiling import exercise

    exercise(key)
