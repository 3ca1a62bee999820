"""A server of its own and a Chromium beside it, for what only a browser can measure."""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, sync_playwright


def chromium() -> str | None:
    return os.environ.get("CHROMIUM") or shutil.which("chromium")


@contextmanager
def browser_at_server(*flags: str) -> Iterator[tuple[Browser, str]]:
    """The browser, and the server's address."""
    sandbox = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    with tempfile.TemporaryDirectory() as data:
        command = [sys.executable, "-m", "ludoteca.cli", "serve", "--port", "0", "--data", data]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        try:
            assert server.stdout is not None
            address = server.stdout.readline().split()[-1]
            with sync_playwright() as playwright:
                options = ["--disable-gpu", *flags, *sandbox]
                yield playwright.chromium.launch(executable_path=chromium(), args=options), address
        finally:
            server.terminate()
            server.wait()
