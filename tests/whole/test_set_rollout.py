"""What people do with a StatefulSet or a DaemonSet by kubectl."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from by_hand import pods, template
from deploying import serving
from kubectl import Tool
from polling import until
from windlass.errors import ToolError
from windlass.kinds.apps.v1 import DaemonSet, StatefulSet
from windlass.kinds.core.v1 import Node
from windlass.tools import find_kubectl

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from windlass.client import Client
    from windlass.testing import Access

_LABELS = {"app": "web"}
_WEB = "app=web"


@pytest.fixture
def kubectl(control_plane: Access, namespace: str, tmp_path: Path) -> Tool:
    try:
        return Tool(find_kubectl(), control_plane, namespace, tmp_path / "home")
    except ToolError as error:
        pytest.skip(f"needs kubectl: {error}")


@pytest.fixture
async def node(client: Client) -> AsyncIterator[str]:
    name = client.options.namespace
    metadata = {"name": name, "labels": {"example.com/whose": name}}
    await client.create(Node.from_wire({"metadata": metadata, "spec": {"unschedulable": True}}))
    yield name
    await client.delete(Node, name)


async def _said(kubectl: Tool, command: str) -> list[str]:
    answer = await kubectl.run(command.split(), {})
    assert answer.code == 0, answer
    return answer.lines


async def _images(client: Client, *expected: str) -> None:
    async def ask() -> list[str | None]:
        return [pod.spec.containers[0].image for pod in await pods(client, _WEB)]

    await until(ask, lambda found: found == list(expected))


async def _revisions(kubectl: Tool, name: str) -> list[str]:
    lines = await _said(kubectl, f"rollout history {name}")
    return [line.split()[0] for line in lines[2:] if line.strip()]


def _spec(**pod: Any) -> dict[str, Any]:
    whole = template(_LABELS, terminationGracePeriodSeconds=0, **pod)
    return {"selector": {"matchLabels": _LABELS}, "template": whole}


async def test_a_stateful_set_is_watched_undone_restarted_and_scaled_by_kubectl(
    client: Client, kubectl: Tool
) -> None:
    spec = {**_spec(), "replicas": 2, "serviceName": "web"}
    await client.create(StatefulSet.from_wire({"metadata": {"name": "web"}, "spec": spec}))
    await until(
        lambda: _said(kubectl, "rollout status sts/web --watch=false"),
        lambda said: said == ["Waiting for 2 pods to be ready..."],
    )
    async with serving(client):
        done = "partitioned roll out complete: 2 new pods have been updated..."
        assert (await _said(kubectl, "rollout status sts/web"))[-1] == done
        await _said(kubectl, "set image sts/web main=web:2")
        assert (await _said(kubectl, "rollout status sts/web"))[-1] == done
        await _images(client, "web:2", "web:2")
        assert await _revisions(kubectl, "sts/web") == ["1", "2"]
        assert "    Image:\tweb:1" in await _said(kubectl, "rollout history sts/web --revision=1")
        assert await _said(kubectl, "rollout undo sts/web") == ["statefulset.apps/web rolled back"]
        await _images(client, "web:1", "web:1")
        assert await _revisions(kubectl, "sts/web") == ["2", "3"]
        before = {pod.metadata.uid for pod in await pods(client, _WEB)}
        await _said(kubectl, "rollout restart sts/web")
        await _said(kubectl, "rollout status sts/web")
        await until(
            lambda: pods(client, _WEB),
            lambda found: len(found) == 2 and not before & {pod.metadata.uid for pod in found},
        )
        await _said(kubectl, "scale sts/web --replicas=3")
        await until(lambda: pods(client, _WEB), lambda found: len(found) == 3)


async def test_a_daemon_set_is_watched_and_undone_by_kubectl(
    client: Client, kubectl: Tool, node: str
) -> None:
    tolerated = [{"operator": "Exists"}]
    spec = _spec(nodeSelector={"example.com/whose": node}, tolerations=tolerated)
    await client.create(DaemonSet.from_wire({"metadata": {"name": "web"}, "spec": spec}))
    async with serving(client):
        done = 'daemon set "web" successfully rolled out'
        assert (await _said(kubectl, "rollout status ds/web"))[-1] == done
        await _said(kubectl, "set image ds/web main=web:2")
        assert (await _said(kubectl, "rollout status ds/web"))[-1] == done
        await _images(client, "web:2")
        assert await _revisions(kubectl, "ds/web") == ["1", "2"]
        assert await _said(kubectl, "rollout undo ds/web") == ["daemonset.apps/web rolled back"]
        await _images(client, "web:1")
        assert await _revisions(kubectl, "ds/web") == ["2", "3"]
