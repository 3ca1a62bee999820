"""How long it takes from the command to a served page, and until a game is ready: `python bench/server_start.py`."""

import tempfile
import time
import urllib.request
from urllib.error import HTTPError

from served import own_server, wait_until_warm


def start(cache: str) -> tuple[float, float]:
    """Return the seconds until the page is served, and until the rules and the bots are loaded."""
    began = time.perf_counter()
    with own_server(LUDOTECA_CACHE=cache) as (_, address):
        try:
            urllib.request.urlopen(address).read()
        except HTTPError as error:  # the web is not built, and the page says so
            error.read()
        page = time.perf_counter() - began
        wait_until_warm(address)
        return page, time.perf_counter() - began


def main() -> None:
    with tempfile.TemporaryDirectory() as cache:
        for name in ("cold", "warm"):
            page, ready = start(cache)
            print(f"{name} start: a page after {page:.1f} s, all rules and bots ready after {ready:.1f} s")


if __name__ == "__main__":
    main()
