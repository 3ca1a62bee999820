"""What an operator expects: figures, health, logs, a proxy in front, a path of one's own, a hardened service."""

import json
import shutil
import socket
import subprocess
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest
from guests_at_tables import HANG, Person, Server
from own_nginx import free_port, own_nginx
from test_moving import ludoteca

from ludoteca.server import logs
from ludoteca.server.metrics import HELP, Metrics
from ludoteca.server.metrics_page import BadAddress, address_of

Start = Callable[..., Server]
SERVICE = Path(__file__).parents[2] / "docs" / "deploy" / "ludoteca.service"


def figures(port: int) -> dict[str, float]:
    answer = httpx.get(f"http://127.0.0.1:{port}/metrics", timeout=HANG)
    assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
    lines = [line for line in answer.text.splitlines() if not line.startswith("#")]
    return {name: float(value) for name, _, value in (line.rpartition(" ") for line in lines)}


def test_the_figures_of_a_server(start: Start) -> None:
    port = free_port()
    server = start("--metrics", str(port))
    ada = Person(server.address)
    ada.watch(ada.create("me", "novice", start=1))
    ada.sit(1)
    ada.begin()
    assert ada.refused("move", seat=1, move="nonsense", after=ada.n) == "move/unknown"
    for _ in range(4):
        ada.move(seat=1)
    ada.wait(lambda me: [entry["by"] for entry in me.log].count(2) == 4)
    found = figures(port)
    assert found["ludoteca_append_seconds_count"] >= 8
    assert found['ludoteca_append_seconds_bucket{le="+Inf"}'] == found["ludoteca_append_seconds_count"]
    assert (found["ludoteca_sockets"], found["ludoteca_tables_in_memory"], found["ludoteca_storage_ready"]) == (1, 1, 1)
    assert found['ludoteca_refusals_total{code="move/unknown"}'] == 1
    assert found["ludoteca_bot_thinking_seconds_count"] >= 4
    assert {"ludoteca_bots_waiting", "ludoteca_bots_longest_wait_seconds", "process_cpu_seconds_total"} <= found.keys()
    assert httpx.get(f"{server.address}/metrics", timeout=HANG).text.startswith("<!doctype"), "players get the page"
    assert httpx.get(f"http://127.0.0.1:{port}/", timeout=HANG).status_code == 404
    assert httpx.post(f"http://127.0.0.1:{port}/metrics", timeout=HANG).status_code == 405
    assert httpx.get(f"{server.address}/api/health/alive", timeout=HANG).json()["alive"] is True
    ada.close()


def test_the_text_of_the_figures() -> None:
    metrics = Metrics()
    metrics.count("ludoteca_refusals_total", 'a"b\\c')
    metrics.observe("ludoteca_append_seconds", 0.003)
    metrics.gauge("ludoteca_sockets", lambda: 3)
    lines = metrics.text().splitlines()
    assert 'ludoteca_refusals_total{code="a\\"b\\\\c"} 1' in lines
    assert 'ludoteca_append_seconds_bucket{le="0.0025"} 0' in lines
    assert 'ludoteca_append_seconds_bucket{le="0.005"} 1' in lines
    assert "ludoteca_sockets 3" in lines
    assert f"# HELP ludoteca_sockets {HELP['ludoteca_sockets']}" in lines


@pytest.mark.parametrize(("text", "found"), [("9000", ("127.0.0.1", 9000)), ("0.0.0.0:9000", ("0.0.0.0", 9000)),
                                             ("[::1]:9000", ("::1", 9000))])  # fmt: skip
def test_the_address_of_the_figures(text: str, found: tuple[str, int]) -> None:
    assert address_of(text) == found


@pytest.mark.parametrize("text", ["", "x", ":9000", "host:", "70000"])
def test_bad_addresses_of_the_figures(text: str) -> None:
    with pytest.raises(BadAddress):
        address_of(text)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["--root-path", "games"], "bad path 'games'"),
        (["--root-path", '/"x'], "bad path"),
        (["--proxy", "nginx"], "bad address 'nginx'"),
        (["--metrics", "here"], "bad address 'here'"),
    ],
)
def test_bad_settings(given: list[str], said: str) -> None:
    done = ludoteca("serve", "--port", "0", *given)
    assert done.returncode == 2
    assert said in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_taken_address_of_the_figures(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        done = ludoteca("serve", "--port", "0", "--data", str(tmp_path), "--metrics", port)
    assert done.returncode == 1
    assert f"port {port} is taken" in done.stderr


def test_logs_are_lines_of_json_without_names(start: Start) -> None:
    server = start("--log", "json", "--log-level", "debug")
    ada = Person(server.address)
    ada.watch(ada.create("me", "me", game="tictacmatch"))
    ada.sit(1, 2, name="Annalisa")
    ada.begin()
    ada.done("say", seat=1, text="between us")
    hands = json.dumps(ada.said["view"])
    ada.close()
    code, lines = server.stop()
    assert code == 0
    events = [json.loads(line) for line in lines.splitlines()]
    assert any("serving at" in event["event"] for event in events)
    assert {"at", "level", "logger", "event"} == set(events[0])
    for secret in ("Annalisa", "between us", ada.http.cookies["ludoteca_guest"], hands):
        assert secret not in lines


def test_an_error_is_one_line_that_quotes_nobody() -> None:
    try:
        raise KeyError("Annalisa's cards")
    except KeyError as error:
        described = logs.described(error)
    assert described.startswith("KeyError at test_operating.py:")
    assert "Annalisa" not in described
    assert "No space left" in logs.described(OSError(28, "No space left on device"))


def test_forwarded_headers_of_named_proxies_alone(start: Start) -> None:
    """Whoever is not named cannot speak for others, even on this machine."""
    forwarded = {"X-Forwarded-For": "198.51.100.7", "X-Forwarded-Proto": "https"}
    for more, secure in (((), False), (("--proxy", "10.0.0.0/8"), False), (("--proxy", "127.0.0.1"), True)):
        server = start(*more)
        answer = httpx.get(f"{server.address}/api/me", headers=forwarded, timeout=HANG)
        assert ("secure" in answer.headers["set-cookie"].lower()) is secure
        server.kill()


def test_below_a_path_behind_nginx(start: Start) -> None:
    """HTTP and WebSockets through the example of docs/deploy, with and without its path."""
    server = start("--root-path", "/games", "--proxy", "127.0.0.1")
    assert server.address.endswith("/games")
    with own_nginx(int(server.address.removesuffix("/games").rpartition(":")[2])) as address:
        ada = Person(address)
        answer = ada.http.post("/api/tables", json={"game": "pinpoint", "seats": [{"for": "me"}, {"for": "me"}]})
        made = answer.json()
        assert made["link"] == f"{address}/t/{made['table']}"
        ada.watch(made["table"])
        ada.sit(1, 2)
        ada.begin()
        ada.move()
        page = httpx.get(f"{address}/t/{made['table']}", timeout=HANG).text
        assert '<meta name="root" content="/games"' in page
        assert 'src="/games/assets/' in page
        script = page.partition('src="/games/assets/')[2].partition('"')[0]
        assert (
            httpx.get(f"{address}/assets/{script}", timeout=HANG).headers["content-type"].startswith("text/javascript")
        )
        assert httpx.get(address, timeout=HANG, follow_redirects=True).url == f"{address}/"
        cookie = ada.http.get("/api/me").headers["set-cookie"]
        assert "Path=/games" in cookie
        ada.close()


def test_the_service_is_hardened(tmp_path: Path) -> None:
    """At most 2.5 of 10 of what systemd calls exposure."""
    if not (program := shutil.which("systemd-analyze")):
        pytest.skip("there is no systemd on this machine")
    unit = tmp_path / "ludoteca@.service"
    shutil.copy(SERVICE, unit)
    command = [program, "security", "--offline=true", "--no-pager", "--threshold=25", str(unit)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=HANG, check=False)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr
