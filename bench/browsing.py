"""A server and a Chromium for measurements that need a browser."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, sync_playwright
from served import own_server


def chromium() -> str | None:
    return os.environ.get("CHROMIUM") or shutil.which("chromium-headless-shell") or shutil.which("chromium")


@contextmanager
def browser_at_server(*flags: str) -> Iterator[tuple[Browser, str]]:
    """Yield the browser, and the server's address."""
    sandbox = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    with own_server() as (_, address), sync_playwright() as playwright:
        options = ["--disable-gpu", *flags, *sandbox]
        yield playwright.chromium.launch(executable_path=chromium(), args=options), address
