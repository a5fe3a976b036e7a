"""An operator in Go that is deployed to the embedded cluster finds its API server, and everything around it works."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from go_operator import becomes, program_fixture, reason, site
from polling import until
from real import administrator, settled
from site_kind import Site
from windlass.client import read_logs
from windlass.cluster import ClusterOptions
from windlass.kinds.apps.v1 import Deployment
from windlass.kinds.core.v1 import Pod, ServiceAccount
from windlass.kinds.rbac.v1 import Role, RoleBinding
from windlass.testing import LOCAL_IMAGE, fast_nodes, install_kinds
from windlass.testing.embedded import EmbeddedControlPlane

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from windlass.api import Resource
    from windlass.client import Client
    from windlass.testing import Access

program = program_fixture

NAMESPACE = "default"
NAME = {"name": "sites"}
_PATIENCE = 40.0

pytestmark = pytest.mark.xdist_group("controller-runtime")  # one build serves all tests


@pytest.fixture
def cluster() -> Iterator[Access]:
    """A whole cluster that is this test's alone."""
    served = EmbeddedControlPlane(ClusterOptions(controllers=True, nodes=fast_nodes(1)))
    yield served.access
    served.stop()


def _objects(program: Path) -> list[Resource]:
    container = {"name": "manager", "image": LOCAL_IMAGE, "args": [str(program), f"--namespace={NAMESPACE}"]}
    labels = {"app": "sites"}
    pod = {
        "metadata": {"labels": labels},
        "spec": {"serviceAccountName": "sites", "containers": [container]},
    }
    deployment = {"replicas": 1, "selector": {"matchLabels": labels}, "template": pod}
    everything = {"apiGroups": ["*"], "resources": ["*"], "verbs": ["*"]}
    role = {"apiGroup": "rbac.authorization.k8s.io", "kind": "Role", **NAME}
    subject = {"kind": "ServiceAccount", "namespace": NAMESPACE, **NAME}
    return [
        ServiceAccount.from_wire({"metadata": NAME}),
        Role.from_wire({"metadata": NAME, "rules": [everything]}),
        RoleBinding.from_wire({"metadata": NAME, "roleRef": role, "subjects": [subject]}),
        Deployment.from_wire({"metadata": NAME, "spec": deployment}),
    ]


async def _log(client: Client) -> list[str]:
    pods = await client.list(Pod, NAMESPACE, labels="app=sites")
    running = [each for each in pods if each.status.phase == "Running"]
    return [line for pod in running async for line in read_logs(client, pod.metadata.name)]


async def test_a_site_becomes_ready_by_an_operator_in_a_pod_and_is_cleaned_up(
    cluster: Access, program: Path
) -> None:
    async with settled(), administrator(cluster, NAMESPACE) as client:
        await install_kinds(client, [Site])
        for each in _objects(program):
            await client.create(each)
        await until(lambda: _log(client), lambda lines: "leading" in lines, patience=_PATIENCE)

        await client.create(site("shop", replicas=2))
        ready = await becomes(client, Site, "shop", lambda found: found.status.ready_replicas == 2)
        assert reason(ready) == "AllReady"

        await client.delete(Site, "shop")
        await until(lambda: _log(client), lambda lines: "cleaned shop" in lines, patience=_PATIENCE)
