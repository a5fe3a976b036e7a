from typing import Any

import orjson
import pytest

from access import put
from windlass.apiserver import ApiServer, Call, ServerOptions, User
from windlass.apiserver.access.jwt import claims_of

ACCOUNT = {"metadata": {"name": "robot", "namespace": "default", "uid": "robot-1"}}
POD = {
    "metadata": {"name": "p", "namespace": "default", "uid": "pod-1"},
    "spec": {"serviceAccountName": "robot", "nodeName": "n"},
}
NODE = {"metadata": {"name": "n", "uid": "node-1"}}
REFERENCE = {"kind": "Pod", "apiVersion": "v1", "name": "p"}
Object = dict[str, Any]


@pytest.fixture
def server() -> ApiServer:
    server = ApiServer(ServerOptions(tokens={"root": User("admin", ("system:masters",))}))
    for plural, obj in (("/serviceaccounts", ACCOUNT), ("/pods", POD)):
        put(server.world.store, plural, orjson.loads(orjson.dumps(obj)))
    return server


async def claims(server: ApiServer, **spec: object) -> Object:
    """What the token claims that one gets who asks for it."""
    call = Call(
        method="POST",
        path="/api/v1/namespaces/default/serviceaccounts/robot/token",
        headers={"authorization": "Bearer root", "content-type": "application/json"},
        body=orjson.dumps({"spec": spec}),
    )
    reply = await server.handle(call)
    assert reply.status == 201, reply.body
    found = claims_of(orjson.loads(reply.body)["status"]["token"])
    assert found is not None
    return found


async def test_a_token_of_a_pod_names_its_node(server: ApiServer) -> None:
    found = await claims(server, boundObjectRef=REFERENCE)
    assert found["kubernetes.io"]["node"] == {"name": "n"}

    put(server.world.store, "/nodes", orjson.loads(orjson.dumps(NODE)))

    found = await claims(server, boundObjectRef=REFERENCE)
    assert found["kubernetes.io"]["node"] == {"name": "n", "uid": "node-1"}


async def test_a_token_may_be_bound_to_a_node_alone(server: ApiServer) -> None:
    put(server.world.store, "/nodes", orjson.loads(orjson.dumps(NODE)))

    found = await claims(server, boundObjectRef={"kind": "Node", "apiVersion": "v1", "name": "n"})

    assert found["kubernetes.io"]["node"] == {"name": "n", "uid": "node-1"}
    assert "pod" not in found["kubernetes.io"]


@pytest.mark.parametrize(
    ("spec", "seconds"),
    [
        ({"boundObjectRef": REFERENCE, "expirationSeconds": 3607}, 365 * 24 * 3600),
        ({"boundObjectRef": REFERENCE, "expirationSeconds": 3606}, 3606),
        ({"boundObjectRef": REFERENCE, "expirationSeconds": 3607, "audiences": ["vault"]}, 3607),
        ({"expirationSeconds": 3607}, 3607),
    ],
)
async def test_the_usual_token_of_a_pod_lives_for_a_year(
    server: ApiServer, spec: Object, seconds: int
) -> None:
    found = await claims(server, **spec)

    assert found["exp"] - found["iat"] == seconds
    assert ("warnafter" in found["kubernetes.io"]) is (seconds > 3607)
