"""Installs the wheel of dist/ in an empty environment and uses it there: `make wheel` runs this."""

import json
import re
import subprocess
import sys
import tempfile
import urllib.request
import venv
from pathlib import Path

REPOSITORY = Path(__file__).parents[1]


def check(wheel: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        venv.create(home / "venv", with_pip=True)
        programs = home / "venv" / ("Scripts" if sys.platform == "win32" else "bin")
        install = ["-m", "pip", "install", "--quiet", "--constraint", REPOSITORY / "constraints.txt", wheel]
        subprocess.run([programs / "python", *install], check=True, cwd=home)
        told = subprocess.run([programs / "ludoteca", "games"], check=True, cwd=home, capture_output=True, text=True)
        assert "pinpoint: Pin Point" in told.stdout
        serve = [programs / "ludoteca", "serve", "--port", "0", "--data", home / "data"]
        server = subprocess.Popen(serve, cwd=home, stdout=subprocess.PIPE, text=True)
        try:
            assert server.stdout is not None
            address = server.stdout.readline().split()[-1]
            page = urllib.request.urlopen(address).read().decode()
            scripts = re.findall(r'src="(/assets/[^"]+\.js)"', page)
            assert scripts, "the page names no script: the wheel carries no web"
            assert urllib.request.urlopen(address + scripts[0]).read()
            assert json.load(urllib.request.urlopen(address + "/api/health"))["status"] == "ok"
        finally:
            server.terminate()
            assert server.wait() == 0


if __name__ == "__main__":
    (built,) = (REPOSITORY / "dist").glob("*.whl")
    check(built)
    print(f"{built.name} installs in an empty environment, lists its games and serves its web")
