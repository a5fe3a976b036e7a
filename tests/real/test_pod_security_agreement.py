"""Both servers find the same wrong with pods, in every version of the pod security standards."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from contract import Api, Object
from contract_target import transport_to
from insecure import INSECURE
from windlass.cluster import Cluster

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from windlass.testing import Access

VERSIONS = (0, 8, 18, 19, 22, 23, 25, 27, 29, 31, 32, 34, 35, 99)
"""Those that changed something, and some more."""


@pytest.fixture
async def real(control_plane: Access) -> AsyncIterator[Api]:
    transport = transport_to(control_plane)
    yield Api(transport)
    await transport.close()


@pytest.fixture
async def embedded() -> AsyncIterator[Api]:
    async with Cluster() as cluster:
        yield Api(cluster.transport())


async def judged(api: Api, path: str, title: str) -> Object:
    annotations, spec = INSECURE[title]
    body = {"metadata": {"name": "a", "annotations": annotations}, "spec": spec}
    reply = await api.create(path, body, dryRun="All")
    return {"status": reply.status, "message": reply.body.get("message"), "warnings": sorted(reply.warnings)}


@pytest.mark.timeout(180)
@pytest.mark.parametrize("mode", ["enforce", "warn"])
@pytest.mark.parametrize("level", ["baseline", "restricted"])
async def test_both_servers_judge_pods_alike(
    real: Api, embedded: Api, namespace: str, level: str, mode: str
) -> None:
    label = f"pod-security.kubernetes.io/{mode}"
    for version in (*(f"v1.{minor}" for minor in VERSIONS), "latest"):
        name = f"{namespace}-{level[0]}{mode[0]}-{version.replace('.', '-')}"
        body = {"metadata": {"name": name, "labels": {label: level, f"{label}-version": version}}}
        for api in (real, embedded):
            (await api.create("/api/v1/namespaces", body)).ok()
        path = f"/api/v1/namespaces/{name}/pods"

        for title in INSECURE:
            assert await judged(embedded, path, title) == await judged(real, path, title), (title, version)
        (await real.delete(f"/api/v1/namespaces/{name}")).ok()
