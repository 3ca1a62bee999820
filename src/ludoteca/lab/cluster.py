"""Runs the lab's tasks on many machines with Ray (extra `cluster`). Imported only when a cluster is asked for.

A task is a pure function of its numbers, so Ray may run it again when a machine dies: nothing is lost and nothing is
counted twice, and the results are those of one machine, byte for byte.
"""

import socket
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from typing import Any

from ludoteca.core.errors import LudotecaError
from ludoteca.lab.extras import need
from ludoteca.lab.workers import Pool, T, Task, timed

FOR_EVER = -1  # how often a task is tried on another machine
PATIENCE = 5.0  # seconds to wait for the head of a cluster


class BadCluster(LudotecaError):
    code = "cluster/bad"


class RayPool:
    def __init__(self, ray: Any) -> None:
        self._run = ray.remote(max_retries=FOR_EVER)(timed)
        self.workers = max(1, int(ray.cluster_resources().get("CPU", 1)))

    def submit(self, task: Task[T], numbers: range) -> "Future[tuple[T, float]]":
        future: Future[tuple[T, float]] = self._run.remote(task, numbers).future()
        return future


@contextmanager
def cluster(address: str) -> Iterator[Pool]:
    """Connect to the cluster at HOST:PORT, or to the one of this machine with `auto`."""
    need("ray", "cluster", "a cluster")
    if address != "auto":
        _check_address(address)
    import ray

    try:
        ray.init(address=address, logging_level="ERROR", log_to_driver=False)
    except (ConnectionError, RuntimeError, ValueError, ray.exceptions.AuthenticationError) as error:
        if _asks_for_a_token(error):
            raise BadCluster(
                f"the Ray cluster at {address} asks for a token: set RAY_AUTH_MODE=token here and on all its machines, "
                "each with the same ~/.ray/auth_token (docs/lab.md, Many machines)"
            ) from None
        if address == "auto":
            raise BadCluster("there is no Ray cluster on this machine (--cluster auto)") from None
        raise BadCluster(f"there is no Ray cluster at {address}: {str(error).splitlines()[0]}") from None
    try:
        yield RayPool(ray)
    except ray.exceptions.RayTaskError as error:  # what went wrong on a machine, without Ray's report around it
        raise (error.cause if isinstance(error.cause, LudotecaError) else error) from None
    finally:
        ray.shutdown()


def _asks_for_a_token(error: BaseException | None) -> bool:
    """Return whether Ray gave up for want of the right token. Ray reports this as a connection that failed."""
    while error is not None:
        if type(error).__name__ == "AuthenticationError" or "InvalidAuthToken" in str(error):
            return True
        error = error.__cause__ or error.__context__
    return False


def _check_address(address: str) -> None:
    """Ask whether somebody listens there: Ray itself would wait for minutes."""
    host, colon, port = address.rpartition(":")
    if not colon or not port.isdecimal():
        raise BadCluster(f"{address!r} is not the address of a cluster: HOST:PORT or auto is wanted")
    try:
        socket.create_connection((host, int(port)), PATIENCE).close()
    except OSError as error:
        raise BadCluster(f"there is no Ray cluster at {address}: {error.strerror or error}") from None
