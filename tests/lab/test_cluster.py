"""Two real Ray nodes on this machine: the results are those of one machine, also when a node dies."""

import os
import socket
import subprocess
import sys
import threading
import time
from contextlib import ExitStack

import pytest

from ludoteca.cli import main
from ludoteca.lab import parquet
from ludoteca.lab.cluster import BadCluster, cluster

# Before Ray is loaded: a busy machine is slow to start a node. Ray wants these names as they are.
os.environ["RAY_raylet_start_wait_time_s"] = "300"  # noqa: SIM112
os.environ["RAY_agent_register_timeout_ms"] = "300000"  # noqa: SIM112
ray = pytest.importorskip("ray")
GAMES = ("simulate", "pinpoint", "--games", "120", "--bots", "novice", "--out")


AGENTS = ("metrics_agent_port", "metrics_export_port", "dashboard_agent_listen_port", "runtime_env_agent_port")


def ports():
    """Ports for a node's helpers. A node that must wait for them to choose their own gives up on a busy machine."""
    with ExitStack() as stack:
        sockets = [stack.enter_context(socket.create_server(("127.0.0.1", 0))) for _ in AGENTS]
        return {name: held.getsockname()[1] for name, held in zip(AGENTS, sockets, strict=True)}


@pytest.fixture
def two_nodes():
    from ray.cluster_utils import Cluster

    head = {"num_cpus": 1, "include_dashboard": False, **ports()}
    nodes = Cluster(initialize_head=True, head_node_args=head)
    second = nodes.add_node(num_cpus=1, **ports())
    nodes.wait_for_nodes(300)
    try:
        yield nodes, second
    finally:
        ray.shutdown()
        nodes.shutdown()


@pytest.mark.skipif(
    not os.environ.get("LUDOTECA_CLUSTER_TEST"), reason="not yet seen to pass: LUDOTECA_CLUSTER_TEST=1 runs it"
)
def test_a_node_that_dies_loses_and_doubles_nothing(two_nodes, tmp_path, capsys):
    nodes, second = two_nodes
    alone, together = tmp_path / "alone.parquet", tmp_path / "together.parquet"
    assert main([*GAMES, str(alone), "--workers", "1"]) == 0
    killed = []

    def kill_one():
        while not together.with_name("together.parquet.parts").exists() and time.monotonic() < deadline:
            time.sleep(0.02)
        nodes.remove_node(second, allow_graceful=False)
        killed.append(second)

    deadline = time.monotonic() + 120
    killer = threading.Thread(target=kill_one)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(parquet, "SECONDS_A_PART", 0.0)
        killer.start()
        assert main([*GAMES, str(together), "--cluster", nodes.address]) == 0
        killer.join()
    assert killed
    assert together.read_bytes() == alone.read_bytes()
    capsys.readouterr()
    arena = ["arena", "pinpoint", "--bots", "random,novice", "--games", "10", "--json"]
    assert main([*arena, "--workers", "1"]) == 0
    expected = capsys.readouterr().out
    assert main([*arena, "--cluster", nodes.address]) == 0
    assert capsys.readouterr().out == expected
    study = ["study", "pinpoint", "--games", "10", "--bots", "random", "--playouts", "2", "--out"]
    assert main([*study, str(tmp_path / "one"), "--workers", "1"]) == 0
    assert main([*study, str(tmp_path / "many"), "--cluster", nodes.address]) == 0
    for path in (tmp_path / "one").iterdir():
        assert path.read_bytes() == (tmp_path / "many" / path.name).read_bytes()


@pytest.mark.parametrize("address", ["127.0.0.1:1", "nonsense", "127.0.0.1:x"])
def test_a_cluster_that_is_not_there_is_named(address, capsys, tmp_path):
    out = tmp_path / "a.parquet"
    assert main(["simulate", "pinpoint", "--games", "3", "--cluster", address, "--out", str(out)]) == 2
    shown = capsys.readouterr().err
    assert address in shown
    assert "Traceback" not in shown
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(BadCluster), cluster(address):
        pass


def test_without_a_cluster_ray_is_not_loaded():
    program = (
        "import sys; from ludoteca.cli import main\n"
        "main(['simulate', 'pinpoint', '--games', '2', '--workers', '2']); print('ray' in sys.modules)"
    )
    shown = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert shown.splitlines()[-1] == "False"
