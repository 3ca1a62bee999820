"""Two real Ray nodes on this machine: the results are those of one machine, also when a node dies."""

import inspect
import os
import random
import socket
import subprocess
import sys
import threading
from functools import partial
from pathlib import Path

import pytest

from ludoteca.cli import main
from ludoteca.core.errors import LudotecaError
from ludoteca.lab.cluster import BadCluster, cluster
from ludoteca.lab.plan import planned
from ludoteca.lab.workers import spread

# Ray reads these when it is loaded. All limits are generous: a busy machine takes a minute to start a node.
os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
for name, limit in {
    "gcs_server_port_wait_time_s": 300,
    "gcs_server_request_timeout_seconds": 300,
    "gcs_rpc_server_connect_timeout_s": 300,
    "gcs_rpc_server_reconnect_timeout_s": 300,
    "py_gcs_connect_timeout_s": 300,
    "raylet_start_wait_time_s": 300,
    "agent_register_timeout_ms": 300_000,
    "worker_register_timeout_seconds": 300,
    "health_check_period_ms": 1000,  # a node that died refuses the connection: it is found dead after 5 s ...
    "health_check_failure_threshold": 5,
    "health_check_timeout_ms": 60_000,  # ... but one that is only slow has 5 minutes
}.items():
    os.environ[f"RAY_{name}"] = str(limit)

ray = pytest.importorskip("ray")
LIMIT = 300  # seconds: only a fault reaches it
SMALL = {"num_cpus": 1, "object_store_memory": 80 * 2**20, "include_log_monitor": False}

# Pin Point, with one difference: the node that `doomed` names plays one match and hangs in its second. The other node
# waits until then: on a quick machine it would play all matches before the doomed one has begun. Files tell what
# happened, because a node may play its matches in several processes.
VARIANT = """
import time
from pathlib import Path
from ludoteca.games.pinpoint.game import PinPoint

class Trapped(PinPoint):
    def start(self, options):
        import ray
        doomed, played, hanging = (Path(__file__).with_name(name) for name in ("doomed", "played", "hanging"))
        if ray.is_initialized() and doomed.exists():
            here_is_doomed = ray.get_runtime_context().get_node_id() == doomed.read_text()
            if here_is_doomed and played.exists():
                hanging.touch()
                time.sleep(3600)  # until the node is killed
            if here_is_doomed:
                played.touch()
            while not here_is_doomed and not hanging.exists():
                time.sleep(0.05)
        return super().start(options)

GAME = Trapped()
"""


def free_port() -> int:
    while True:
        port = random.SystemRandom().randrange(15_000, 32_000)  # below those that the system gives to anybody
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)):
                return port


@pytest.fixture
def patient_nodes(monkeypatch):
    """Let a node start although its helpers are slow.

    A node waits 15 s, whatever the settings are, until its helpers have written their ports into files, and then aborts
    (github.com/ray-project/ray/issues/65983). So the files are there before: -1 is Ray's own word for a helper that is
    not used. Only the helper for the environment is, and its port is chosen here (`runtime_env_agent_port`).
    """
    services = ray._private.services
    start_raylet = services.start_raylet

    def start_with_ports(*given, **named):
        start = inspect.signature(start_raylet).bind(*given, **named).arguments
        for name in ("METRICS_AGENT", "METRICS_EXPORT", "DASHBOARD_AGENT_LISTEN"):
            ray._raylet.persist_port(
                start["session_dir"], start["node_id"], getattr(ray._raylet, f"{name}_PORT_NAME"), -1
            )
        return start_raylet(*given, **named)

    monkeypatch.setattr(services, "start_raylet", start_with_ports)


@pytest.fixture
def two_nodes(patient_nodes):
    from ray.cluster_utils import Cluster

    nodes = Cluster()
    try:
        nodes.add_node(wait=False, include_dashboard=False, runtime_env_agent_port=free_port(), **SMALL)
        second = nodes.add_node(wait=False, runtime_env_agent_port=free_port(), **SMALL)
        nodes.wait_for_nodes(LIMIT)
        yield nodes, second
    finally:
        ray.shutdown()
        nodes.shutdown()


def killed_when(there: Path, nodes, node) -> threading.Thread:
    """Kill a node without a warning as soon as a file is there."""
    over = threading.Event()

    def wait_and_kill():
        while not there.exists():
            if over.wait(0.05):
                return
        nodes.remove_node(node, allow_graceful=False)

    thread = threading.Thread(target=wait_and_kill)
    thread.give_up = over.set
    thread.start()
    return thread


@pytest.mark.timeout(1800)
def test_two_nodes_and_then_one_give_what_one_machine_gives(two_nodes, tmp_path, capsys):
    nodes, second = two_nodes
    one, many = tmp_path / "one", tmp_path / "many"
    one.mkdir()
    many.mkdir()
    here, there = ["--workers", "1"], ["--cluster", nodes.address]

    rows = ["simulate", "pinpoint", "--games", "300", "--bots", "novice", "--out"]
    assert main([*rows, str(one / "a.parquet"), *here]) == 0
    assert main([*rows, str(many / "a.parquet"), *there]) == 0
    study = ["study", "pinpoint", "--games", "40", "--bots", "random", "--playouts", "2", "--out"]
    assert main([*study, str(one), *here]) == 0
    assert main([*study, str(many), *there]) == 0
    arena = ["arena", "pinpoint", "--bots", "random,novice", "--games", "20", "--out"]
    assert main([*arena, str(one / "b.json"), *here]) == 0
    assert main([*arena, str(many / "b.json"), *there]) == 0

    variant = tmp_path / "variant.py"
    variant.write_text(VARIANT)
    records = ["simulate", str(variant), "--games", "24", "--bots", "random", "--out"]
    assert main([*records, str(one / "c.jsonl"), *here]) == 0
    (tmp_path / "doomed").write_text(second.node_id)
    killer = killed_when(tmp_path / "hanging", nodes, second)
    try:
        assert main([*records, str(many / "c.jsonl"), *there]) == 0
    finally:
        killer.give_up()
        killer.join(LIMIT)
    assert second not in nodes.worker_nodes  # it was killed in the middle of a match
    wrong = partial(planned, "pinpoint", {}, ["genius"], 1)
    with pytest.raises(LudotecaError, match=r"^unknown bot 'genius'"), cluster(nodes.address) as pool:
        list(spread(wrong, range(1, 3), pool))
    names = sorted(path.name for path in one.iterdir())
    assert {"a.parquet", "b.json", "c.jsonl", "report.html", "study.json"} <= set(names)
    assert sorted(path.name for path in many.iterdir()) == names
    for name in names:
        assert (many / name).read_bytes() == (one / name).read_bytes(), name


@pytest.mark.parametrize("address", ["127.0.0.1:1", "nonsense", "127.0.0.1:x"])
def test_a_cluster_that_is_not_there_is_named(address, capsys, tmp_path):
    out = tmp_path / "a.parquet"
    assert main(["simulate", "pinpoint", "--games", "3", "--cluster", address, "--out", str(out)]) == 2
    shown = capsys.readouterr().err
    assert address in shown
    assert len(shown.splitlines()) == 1
    assert list(tmp_path.iterdir()) == []
    records, standings = tmp_path / "a.jsonl", tmp_path / "a.json"
    records.write_text("kept")
    assert main(["simulate", "pinpoint", "--cluster", address, "--out", str(records)]) == 2
    assert records.read_text() == "kept"
    assert main(["arena", "pinpoint", "--bots", "random,novice", "--cluster", address, "--out", str(standings)]) == 2
    assert not standings.exists()
    with pytest.raises(BadCluster), cluster(address):
        pass


def refused_as_ray_does() -> None:
    try:
        raise RuntimeError("Failed to connect to GCS.\nAuthenticationError: RPC error: InvalidAuthToken: missing")
    except RuntimeError as error:
        raise ConnectionError("Failed to connect to Ray cluster") from error


def refused_without_a_token() -> None:
    raise ray.exceptions.AuthenticationError("Token authentication is enabled but no authentication token was found")


@pytest.mark.parametrize("refuse", [refused_as_ray_does, refused_without_a_token])
def test_a_cluster_that_asks_for_a_token_says_so(refuse, monkeypatch, capsys):
    monkeypatch.setattr(ray, "init", lambda **_: refuse())
    assert main(["simulate", "pinpoint", "--games", "3", "--cluster", "auto"]) == 2
    shown = capsys.readouterr().err
    assert "asks for a token: set RAY_AUTH_MODE=token" in shown
    assert len(shown.splitlines()) == 1


def test_without_a_cluster_ray_is_not_loaded():
    program = (
        "import sys; from ludoteca.cli import main\n"
        "main(['simulate', 'pinpoint', '--games', '2', '--workers', '2']); print('ray' in sys.modules)"
    )
    shown = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert shown.splitlines()[-1] == "False"
