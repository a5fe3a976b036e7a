"""kubectl looks after nodes and what runs on them on the embedded server as on the real one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from kubectl import both_fixture
from kubectl_objects import LABELS, pod
from servers import embedded_fixture

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from kubectl import Both

embedded = embedded_fixture
both = both_fixture


@pytest.fixture
async def node(both: Both) -> AsyncIterator[str]:
    """A node of this test alone, which nobody keeps alive."""
    name = f"node-of-{both.namespace}"
    status = {"capacity": {"cpu": "4", "memory": "8Gi", "pods": "110"}}
    both.write(
        "node.yaml", {"apiVersion": "v1", "kind": "Node", "metadata": {"name": name}, "status": status}
    )
    await both.run("create", "-f", "node.yaml")
    yield name
    await both.run("delete", "node", name)


async def test_a_node_is_cordoned_tainted_and_described(both: Both, node: str) -> None:
    await both.run("cordon", node)
    await both.run("taint", "node", node, "example.com/only=me:NoSchedule")
    await both.run("label", "node", node, "node-role.kubernetes.io/worker=")
    said = await both.run("get", "node", node, "-o", "wide")
    assert "SchedulingDisabled" in said.out
    await both.run("describe", "node", node)
    await both.run("uncordon", node)
    await both.run("taint", "node", node, "example.com/only-")
    await both.run("get", "node", node, "-o", "yaml")


async def test_drain_evicts_what_runs_on_a_node(both: Both, node: str) -> None:
    both.write("web.yaml", pod("web", nodeName=node))
    await both.run("create", "-f", "web.yaml")
    said = await both.run("drain", node, "--force", "--grace-period=0", "--timeout=20s")
    assert said.lines[-1] == f"node/{node} drained"
    await both.run("get", "pod", "web", code=1)


async def test_drain_respects_a_disruption_budget(both: Both, node: str) -> None:
    both.write("web.yaml", pod("web", nodeName=node))
    await both.run("create", "-f", "web.yaml")
    selector = ",".join(f"{key}={value}" for key, value in LABELS.items())
    await both.run("create", "poddisruptionbudget", "web", f"--selector={selector}", "--min-available=1")
    running = '{"status": {"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}]}}'
    await both.run("patch", "pod", "web", "--subresource=status", "-p", running)
    none_allowed = '{"status": {"observedGeneration": 1, "disruptionsAllowed": 0, "currentHealthy": 1}}'
    await both.run(
        "patch", "poddisruptionbudget", "web", "--subresource=status", "--type=merge", "-p", none_allowed
    )
    refused = await both.run("drain", node, "--force", "--timeout=1s", code=1)
    assert "violate the pod's disruption budget" in refused.err
    await both.run("get", "pod", "web")


async def test_a_container_is_added_to_debug_a_pod(both: Both) -> None:
    both.write("web.yaml", pod("web"))
    await both.run("create", "-f", "web.yaml")
    await both.run("debug", "pod/web", "--image=busybox", "--container=look")
    await both.get("pod", "web")


async def test_what_needs_a_running_pod_says_that_there_is_none(both: Both) -> None:
    both.write("web.yaml", pod("web"))
    await both.run("create", "-f", "web.yaml")
    await both.run("logs", "web")
    refused = await both.run("exec", "web", "--", "true", code=1)
    assert "pod web does not have a host assigned" in refused.err
    await both.run("port-forward", "pod/web", ":80", code=1)
    await both.run("top", "pods", code=1)
