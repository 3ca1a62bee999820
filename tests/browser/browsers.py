"""Browsers for people who come and go. A new one is slow to start: whoever leaves hands theirs on, emptied."""

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
        context.new_page().goto(self._house + "/api/health")  # stays open, so that what was loaded stays at hand
        return context

    def take_back(self, context: BrowserContext, settings: dict[str, Any]) -> None:
        first, *pages = context.pages
        for page in pages:
            page.close()
        context.clear_cookies()
        first.evaluate("localStorage.clear()")
        self._free.setdefault(json.dumps(settings), []).append(context)
