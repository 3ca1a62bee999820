"""What all tables of a server share."""

from typing import NamedTuple

from ludoteca.server.database.contract import Storage
from ludoteca.server.lobby import Lobby
from ludoteca.server.metrics import Metrics
from ludoteca.server.nodes.contract import Nodes
from ludoteca.server.tasks import Tasks
from ludoteca.server.thinking import Thinking
from ludoteca.server.timing import Time
from ludoteca.server.uptime import Uptime


class Services(NamedTuple):
    storage: Storage
    time: Time
    uptime: Uptime
    lobby: Lobby
    thinking: Thinking
    tasks: Tasks
    metrics: Metrics
    nodes: Nodes
