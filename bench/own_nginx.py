"""nginx with the example of docs/deploy, on free ports, for tests and measurements."""

import re
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

EXAMPLE = Path(__file__).parents[1] / "docs" / "deploy" / "nginx.conf"
MAIN = """
worker_processes 1;
daemon off;
pid {folder}/pid;
error_log {folder}/error.log;
events {{ worker_connections 4096; }}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    {site}
}}
"""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def site(port: int, nodes: Sequence[int]) -> str:
    """Return the example with other ports."""
    text = EXAMPLE.read_text()
    servers = "".join(f"    server 127.0.0.1:{node} max_fails=1 fail_timeout=2s;\n" for node in nodes)
    text = re.sub(r"(    server 127\.0\.0\.1:\d+ [^\n]*\n)+", servers, text)
    return re.sub(r"listen 80;", f"listen 127.0.0.1:{port};", text)


@contextmanager
def own_nginx(*nodes: int) -> Iterator[str]:
    """The address of a proxy in front of nodes on these ports, /games included."""
    program = shutil.which("nginx") or "/usr/sbin/nginx"
    with tempfile.TemporaryDirectory(prefix="ludoteca-nginx-") as folder:
        port, config = free_port(), Path(folder) / "nginx.conf"
        Path(folder).chmod(0o755)
        config.write_text(MAIN.format(folder=folder, site=site(port, nodes)))
        nginx = subprocess.Popen([program, "-p", folder, "-e", f"{folder}/error.log", "-c", str(config)])
        try:
            end = time.monotonic() + 60
            while True:
                try:
                    socket.create_connection(("127.0.0.1", port), 1).close()
                    break
                except OSError:
                    if nginx.poll() is not None or time.monotonic() > end:
                        raise
                    time.sleep(0.05)
            yield f"http://127.0.0.1:{port}/games"
        finally:
            nginx.terminate()
            nginx.wait()
