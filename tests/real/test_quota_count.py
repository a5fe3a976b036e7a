"""Quotas of the embedded server tell what those of a cluster with controllers tell in the end."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from contract import Api, Object, config_map, pod
from contract_objects import secret, service
from contract_quota import claim, container
from contract_target import transport_to
from polling import until
from windlass.cluster import Cluster
from windlass.testing import ControlPlane, ControlPlaneOptions
from windlass.testing.namespace import create_namespace

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from windlass.testing import Access

Step = tuple[str, str, Object | None]
"""A method, a path within the namespace, and a body."""

NAMES = (
    *("pods", "count/pods", "requests.cpu", "limits.memory", "count/configmaps", "secrets"),
    *("services", "services.nodeports", "persistentvolumeclaims", "requests.storage"),
    "example.com/unknown",
)
QUOTA: Object = {"metadata": {"name": "most"}, "spec": {"hard": dict.fromkeys(NAMES, "50Gi")}}
ENDING: Object = {"metadata": {"name": "ending"}, "spec": {"hard": {"pods": "5"}, "scopes": ["Terminating"]}}
MAIN = container(requests={"cpu": "100m", "memory": "1Mi"}, limits={"memory": "64Mi"})
FEWER: Object = {"spec": {"hard": {"pods": "7", "example.com/unknown": None}}}
PORTS = service("a", type="NodePort")

FIRST: tuple[Step, ...] = (
    ("POST", "pods", pod("a", containers=[MAIN])),
    ("POST", "configmaps", config_map("kube-root-ca.crt")),  # a controller has made one in the real cluster
    ("POST", "secrets", secret("a")),
)
STEPS: dict[str, Step] = {
    "what is there is counted": ("POST", "resourcequotas", QUOTA),
    "a scope": ("POST", "resourcequotas", ENDING),
    "a pod": ("POST", "pods", pod("b", containers=[MAIN])),
    "a pod with a deadline": ("POST", "pods", pod("c", containers=[MAIN], activeDeadlineSeconds=60)),
    "a config map": ("POST", "configmaps", config_map("b")),
    "a service": ("POST", "services", PORTS),
    "a claim": ("POST", "persistentvolumeclaims", claim("a", "1Gi", "")),
    "a pod that has ended": ("PATCH", "pods/b/status", {"status": {"phase": "Succeeded"}}),
    "a pod that gets a deadline": ("PATCH", "pods/a", {"spec": {"activeDeadlineSeconds": 60}}),
    "a service without ports on nodes": ("PATCH", "services/a", {"spec": {"type": "ClusterIP"}}),
    "a deletion": ("DELETE", "configmaps/b", None),
    "a deletion of several": ("DELETE", "pods", {"gracePeriodSeconds": 0}),
    "a deletion of a service": ("DELETE", "services/a", None),
    "other limits": ("PATCH", "resourcequotas/most", FEWER),
}


@pytest.fixture
async def embedded() -> AsyncIterator[Api]:
    async with Cluster() as cluster:
        yield Api(cluster.transport())


@pytest.fixture
async def controlled() -> AsyncIterator[Access]:
    async with ControlPlane(ControlPlaneOptions(controllers=True)) as access:
        yield access


@pytest.fixture
async def real(controlled: Access) -> AsyncIterator[Api]:
    transport = transport_to(controlled)
    yield Api(transport)
    await transport.close()


@pytest.mark.timeout(120)
async def test_quotas_tell_what_they_tell_in_a_cluster_with_controllers(
    controlled: Access, real: Api, embedded: Api
) -> None:
    name = await asyncio.to_thread(create_namespace, controlled)
    (await embedded.create("/api/v1/namespaces", {"metadata": {"name": name}})).ok()
    path = f"/api/v1/namespaces/{name}"
    for step in FIRST:
        await both(real, embedded, path, step)

    for step in STEPS.values():
        await both(real, embedded, path, step)
        await agree(real, embedded, path)


async def agree(real: Api, embedded: Api, path: str) -> None:
    """Wait until the real server tells what the embedded one does."""
    told = await statuses(embedded, path)
    await until(lambda: statuses(real, path), lambda found: found == told)


async def both(real: Api, embedded: Api, path: str, step: Step) -> None:
    method, where, body = step
    kind = "application/merge-patch+json" if method == "PATCH" else "application/json"
    answers = [await api.send(method, f"{path}/{where}", body, content_type=kind) for api in (embedded, real)]
    if where != "configmaps":
        assert answers[0].status == answers[1].status, answers


async def statuses(api: Api, path: str) -> dict[str, Any]:
    found = (await api.get(f"{path}/resourcequotas")).ok()
    return {quota["metadata"]["name"]: quota["status"] for quota in found["items"]}
