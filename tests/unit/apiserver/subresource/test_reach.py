"""What the server says where the real one would call a kubelet, or a pod."""

import pytest

from contract import Api, pod
from windlass.apiserver.exchange import Call
from windlass.cluster import Cluster


@pytest.fixture
async def path(api: Api, pods: str) -> str:
    """The path of a pod on a node with an address."""
    (await api.create("/api/v1/nodes", {"metadata": {"name": "n"}})).ok()
    addresses = [{"type": "InternalIP", "address": "10.0.0.1"}]
    (await api.patch("/api/v1/nodes/n/status", {"status": {"addresses": addresses}})).ok()
    (await api.create(pods, pod("a", nodeName="n"))).ok()
    return f"{pods}/a"


async def test_a_log_is_asked_for_at_the_kubelet_with_its_parameters(api: Api, path: str) -> None:
    reply = await api.get(f"{path}/log", tailLines=3, follow=True, previous=False)

    assert reply.status == 500
    assert reply.body["message"] == (
        'Get "https://10.0.0.1:10250/containerLogs/default/a/main?follow=true&tailLines=3": '
        "dial tcp 10.0.0.1:10250: connect: connection refused"
    )


@pytest.mark.parametrize("stream", ["exec", "attach", "portforward"])
async def test_a_stream_needs_a_connection_that_is_upgraded(
    cluster: Cluster, api: Api, path: str, stream: str
) -> None:
    plain = await api.get(f"{path}/{stream}")
    headers = {"authorization": f"Bearer {cluster.access.token()}", "connection": "Upgrade"}
    upgraded = await cluster.server.handle(Call(method="POST", path=f"{path}/{stream}", headers=headers))

    assert plain.refused(400, "BadRequest")["message"] == "Upgrade request required"
    assert upgraded.status == 500
    assert b"error dialing backend: dial tcp 10.0.0.1:10250: connect: connection refused" in upgraded.body


async def test_a_node_is_proxied_to_at_its_kubelet_or_another_port(api: Api, path: str) -> None:
    del path
    for name, where in (("n", "10.0.0.1:10250"), ("https:n:81", "10.0.0.1:81")):
        refused = (await api.get(f"/api/v1/nodes/{name}/proxy/metrics")).refused(503, "ServiceUnavailable")
        assert refused["message"].endswith(f"dial tcp {where}: connect: connection refused")


async def test_a_pod_is_proxied_to_at_its_first_port_or_another(api: Api, pods: str) -> None:
    containers = [{"name": "main", "image": "a", "ports": [{"containerPort": 8080}]}]
    (await api.create(pods, pod("b", containers=containers))).ok()
    (await api.patch(f"{pods}/b/status", {"status": {"podIP": "10.1.0.1"}})).ok()

    for name, where in (("b", "10.1.0.1:8080"), ("b:81", "10.1.0.1:81")):
        refused = (await api.get(f"{pods}/{name}/proxy/")).refused(503, "ServiceUnavailable")
        assert refused["message"].endswith(f"dial tcp {where}: connect: connection refused")
