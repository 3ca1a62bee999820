"""Markers and switches of the whole suite: rules and the tests that prove them, golden transcripts."""

import asyncio
import random
import secrets
import signal
from collections import defaultdict

import example_games
import pytest
from hypothesis import settings
from numbered_rules import RULES, rule_ids
from xdist.scheduler import LoadScopeScheduling

from ludoteca.core import registry

EVERY_KEY = [*registry.game_keys(), *example_games.KEYS]

settings.register_profile("ludoteca", deadline=None, max_examples=10, derandomize=True)
settings.load_profile("ludoteca")
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may start us with SIGINT ignored


def pytest_addoption(parser):
    parser.addoption("--rules", action="store_true", help="list the rules with the tests that prove them, and stop")
    parser.addoption("--golden", action="store_true", help="write the golden transcripts anew")


def proofs(items):
    """Return the tests by the rule ids in their markers."""
    found = defaultdict(list)
    for item in items:
        for marker in item.iter_markers("rule"):
            for rule in marker.args:
                found[rule].append(item.nodeid)
    return found


def pytest_collection_finish(session):
    session.config.proofs = proofs(session.items)
    if session.config.getoption("rules"):
        for path in sorted(RULES.glob("*.md")):
            for rule in rule_ids(path.stem):
                print(f"{rule:<6}", ", ".join(session.config.proofs[rule]) or "(no test)")
        pytest.exit("listed the rules", returncode=0)


class ByGame(LoadScopeScheduling):
    """Gives all tests of a game to one worker: two would compile the same code."""

    def _split_scope(self, nodeid):
        """Return the game of a test. A test whose name has none asks Pin Point, or a tiny game of its own."""
        name = nodeid.rpartition("/")[2]
        return next((key for key in EVERY_KEY if key in name), "pinpoint")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    return ByGame(config, log) if config.getvalue("dist") == "loadgroup" else None


@pytest.fixture(autouse=True)
def chance_repeats(request, monkeypatch):
    """Let seeds, ids and bots of this process come out alike in every run, so that no test passes by luck."""
    drawn = random.Random(request.node.nodeid)
    monkeypatch.setattr(secrets, "token_bytes", lambda size=32: drawn.randbytes(size))
    monkeypatch.setattr(secrets, "choice", drawn.choice)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    """Let a test run loops of its own although a browser, opened by an earlier test, keeps one in the same process."""
    if item.get_closest_marker("browser"):
        return (yield)
    running = asyncio._get_running_loop()
    asyncio._set_running_loop(None)
    try:
        return (yield)
    finally:
        asyncio._set_running_loop(running)
