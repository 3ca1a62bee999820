"""Browsers for the tests. A new one starts slowly, so a test returns its browser, emptied, for the next test."""

import json
from typing import Any

from players import HANG_GUARD
from playwright.sync_api import Browser, BrowserContext


class Browsers:
    def __init__(self, chromium: Browser, house: str) -> None:
        self._chromium = chromium
        self._house = house
        self._free: dict[str, list[BrowserContext]] = {}

    def lend(self, settings: dict[str, Any]) -> BrowserContext:
        free = self._free.get(json.dumps(settings))
        if free:
            return free.pop()
        context = self._chromium.new_context(**settings)
        context.set_default_timeout(HANG_GUARD)
        context.new_page().goto(self._house + "/api/health")  # stays open, so that the browser keeps its cache
        return context

    def take_back(self, context: BrowserContext, settings: dict[str, Any]) -> None:
        first, *pages = context.pages
        for page in pages:
            page.close()
        context.clear_cookies()
        first.evaluate("localStorage.clear()")
        self._free.setdefault(json.dumps(settings), []).append(context)
