"""Every route against its own description: no request causes a server error, and every answer is as described."""

import httpx
import schemathesis
from guests_at_tables import HANG, Person, Server
from hypothesis import HealthCheck, given, settings
from schemathesis.checks import positive_data_acceptance  # a description cannot list the options of each game

AS_MANY = 10  # requests of each kind to every route
AS_DESCRIBED, OTHERWISE = schemathesis.GenerationMode.POSITIVE, schemathesis.GenerationMode.NEGATIVE


def test_every_route(server: Server) -> None:
    schema = schemathesis.openapi.from_dict(httpx.get(f"{server.address}/schema/openapi.json", timeout=HANG).json())
    tried = set()
    for found in schema.get_all_operations():
        operation = found.ok()
        tried.add(operation.label)
        for kind in (AS_DESCRIBED, OTHERWISE) if operation.body else (AS_DESCRIBED,):

            @given(case=operation.as_strategy(generation_mode=kind))
            @settings(max_examples=AS_MANY, database=None, suppress_health_check=list(HealthCheck))
            def answers(case: schemathesis.Case) -> None:
                case.call_and_validate(
                    base_url=server.address, timeout=HANG, excluded_checks=[positive_data_acceptance]
                )

            answers()
    assert tried >= {"GET /api/me", "PUT /api/me", "GET /api/me/tables", "POST /api/tables"}
    ada = Person(server.address)
    ada.watch(ada.create("me", "me", start=1))
    ada.sit(1, 2)
    ada.begin()
    ada.move()
    ada.close()
