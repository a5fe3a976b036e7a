"""kubectl deletes objects from the embedded server as it does from the real one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from kubectl import both_fixture
from kubectl_objects import config_map, deployment, pod, service
from servers import embedded_fixture

if TYPE_CHECKING:
    from kubectl import Both

embedded = embedded_fixture
both = both_fixture


async def test_what_is_deleted_is_gone(both: Both) -> None:
    both.write("all.yaml", deployment("web"), service("web"), config_map("web"))
    await both.run("apply", "-f", "all.yaml")
    said = await both.run("delete", "-f", "all.yaml")
    assert [line.split()[:3:2] for line in said.lines] == [
        ["deployment.apps", "deleted"],
        ["service", "deleted"],
        ["configmap", "deleted"],
    ]
    assert (await both.run("get", "deployments,services,configmaps")).out == ""
    await both.run("delete", "-f", "all.yaml", code=1)
    await both.run("delete", "-f", "all.yaml", "--ignore-not-found")


async def test_objects_are_deleted_by_their_labels(both: Both) -> None:
    both.write("all.yaml", *(config_map(name, {"tier": tier}) for name, tier in ("af", "bf", "cb")))
    await both.run("create", "-f", "all.yaml")
    await both.run("delete", "configmaps", "-l", "tier=f")
    assert (await both.run("get", "configmaps", "-o", "name")).out == "configmap/c\n"
    await both.run("delete", "configmaps", "--all", "--dry-run=server")
    await both.run("delete", "configmaps", "--all")
    assert (await both.run("get", "configmaps", "-o", "name")).out == ""


@pytest.mark.parametrize("cascade", ["background", "foreground", "orphan"])
async def test_a_cascade_is_left_to_its_finalizer(both: Both, cascade: str) -> None:
    both.write("web.yaml", deployment("web"))
    await both.run("apply", "-f", "web.yaml")
    await both.run("delete", "deployment", "web", f"--cascade={cascade}", "--wait=false")
    code = int(cascade == "background")
    said = await both.run("get", "deployment", "web", "-o", "yaml", code=code)
    finalizer = {"background": "", "foreground": "foregroundDeletion", "orphan": "orphan"}[cascade]
    assert finalizer in said.out


async def test_delete_waits_for_finalizers(both: Both) -> None:
    held = config_map("a")
    held["metadata"]["finalizers"] = ["example.com/hold"]
    both.write("a.yaml", held)
    await both.run("create", "-f", "a.yaml")
    async with both.started("delete", "configmap", "a", "--timeout=30s", "-v=6") as deletion:
        await deletion.until_told("watch=true")
        await both.run("get", "configmap", "a", "-o", "yaml")
        await both.run("patch", "configmap", "a", "--type=merge", "-p", '{"metadata": {"finalizers": null}}')
        assert "deleted" in (await deletion.end()).out
    await both.run("get", "configmap", "a", code=1)


async def test_a_pod_on_a_node_is_given_its_grace(both: Both) -> None:
    both.write("web.yaml", pod("web", nodeName="node-1"))
    await both.run("create", "-f", "web.yaml")
    await both.run("delete", "pod", "web", "--grace-period=20", "--wait=false")
    said = await both.run("get", "pod", "web", "-o", "jsonpath={.metadata.deletionGracePeriodSeconds}")
    assert said.out == "20"
    await both.run("get", "pod", "web")
    await both.run("delete", "pod", "web", "--force")
    await both.run("get", "pod", "web", code=1)


async def test_a_pod_on_no_node_goes_at_once(both: Both) -> None:
    both.write("web.yaml", pod("web"))
    await both.run("create", "-f", "web.yaml")
    await both.run("delete", "pod", "web", "--now")
    await both.run("get", "pods")
