"""What people do with a Deployment by kubectl."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from by_hand import template
from deploying import LABELS, deployment, replica_sets, rolling, serving, sizes
from kubectl import Tool
from windlass.errors import ToolError
from windlass.tools import find_kubectl

if TYPE_CHECKING:
    from pathlib import Path

    from windlass.client import Client
    from windlass.testing import Access


@pytest.fixture
def kubectl(control_plane: Access, namespace: str, tmp_path: Path) -> Tool:
    try:
        return Tool(find_kubectl(), control_plane, namespace, tmp_path / "home")
    except ToolError as error:
        pytest.skip(f"needs kubectl: {error}")


async def said(kubectl: Tool, command: str) -> list[str]:
    """What kubectl prints, when all goes well."""
    answer = await kubectl.run(command.split(), {})
    assert answer.code == 0, answer
    return answer.lines


async def test_a_rollout_is_watched_undone_paused_resumed_restarted_and_scaled_by_kubectl(
    client: Client, kubectl: Tool
) -> None:
    pod = template(LABELS, containers=[{"name": "main", "image": "web:v1"}])
    await client.create(deployment(2, pod, strategy=rolling(1, 0)))
    done = 'deployment "web" successfully rolled out'
    async with serving(client):
        assert (await said(kubectl, "rollout status deployment/web"))[-1] == done
    assert await said(kubectl, "set image deployment/web main=web:v2") == [
        "deployment.apps/web image updated"
    ]
    await sizes(client, v1=2, v2=1)
    assert await said(kubectl, "rollout status deployment/web --watch=false") == [
        'Waiting for deployment "web" rollout to finish: 1 out of 2 new replicas have been updated...'
    ]
    async with serving(client):
        assert (await said(kubectl, "rollout status deployment/web"))[-1] == done
        await sizes(client, v1=0, v2=2)
        assert await revisions(kubectl) == ["1", "2"]
        shown = await said(kubectl, "rollout history deployment/web --revision=1")
        assert "    Image:\tweb:v1" in shown

        assert await said(kubectl, "rollout undo deployment/web") == ["deployment.apps/web rolled back"]
        assert (await said(kubectl, "rollout status deployment/web"))[-1] == done
        await sizes(client, v1=2, v2=0)
        assert await revisions(kubectl) == ["2", "3"]
        await said(kubectl, "rollout undo deployment/web --to-revision=2")
        await sizes(client, v1=0, v2=2)
        assert await revisions(kubectl) == ["3", "4"]

        await said(kubectl, "rollout pause deployment/web")
        await said(kubectl, "set image deployment/web main=web:v3")
        await said(kubectl, "scale deployment/web --replicas=3")
        await sizes(client, v2=3)
        assert "web:v3" not in await replica_sets(client)
        assert await said(kubectl, "rollout resume deployment/web") == ["deployment.apps/web resumed"]
        assert (await said(kubectl, "rollout status deployment/web"))[-1] == done
        await sizes(client, v1=0, v2=0, v3=3)

        await said(kubectl, "rollout restart deployment/web")
        assert (await said(kubectl, "rollout status deployment/web"))[-1] == done
        assert await revisions(kubectl) == ["3", "4", "5", "6"]
        assert (await said(kubectl, "get deployment web"))[1].split()[:4] == ["web", "3/3", "3", "3"]


async def revisions(kubectl: Tool) -> list[str]:
    lines = await said(kubectl, "rollout history deployment/web")
    return [line.split()[0] for line in lines if line[:1].isdigit()]
