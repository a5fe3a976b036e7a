"""The audit log of the embedded server beside that of the real one: the same requests, the same events."""

from __future__ import annotations

import re
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import orjson
import pytest

from contract import JSON_PATCH, Api
from contract_callers import bearer, impersonating, with_headers
from contract_target import transport_to
from hooking import Hooked, allowed, denied, patched, rule, serving_hooks
from polling import until
from windlass.cluster import Cluster, ClusterOptions
from windlass.testing import ControlPlane, ControlPlaneOptions

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from pathlib import Path

    from windlass.testing import Access

pytestmark = pytest.mark.usefixtures("control_plane")  # without one asked for, skip the whole file

POLICY = """
apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
rules: [{level: Metadata}]
"""
NAMESPACE = "audited"
CONFIG_MAPS = f"/api/v1/namespaces/{NAMESPACE}/configmaps"
UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
EITHER = re.compile(r"system:(discovery|public-info-viewer)")
"""Two roles that both allow `/version`: the real server takes the one that it meets first, in no order."""
VARYING = ("auditID", "requestReceivedTimestamp", "stageTimestamp")
LAST = "/api/v1/namespaces/the-last-request"


@asynccontextmanager
async def real(folder: Path) -> AsyncIterator[Access]:
    """A real control plane that writes its audit log into a folder."""
    policy = folder / "policy.yaml"
    policy.write_text(POLICY)
    flags = (f"--audit-policy-file={policy}", f"--audit-log-path={folder / 'audit.log'}")
    async with ControlPlane(ControlPlaneOptions(apiserver_flags=flags)) as access:
        yield access


@asynccontextmanager
async def embedded(folder: Path) -> AsyncIterator[Access]:
    """An embedded one."""
    async with Cluster(ClusterOptions(port=0, audit_log=folder / "audit.log")) as cluster:
        yield cluster.access


async def ask(access: Access) -> None:
    """Send requests of every sort, one after the other."""
    transport = transport_to(access)
    api = Api(transport)
    await api.create("/api/v1/namespaces", {"metadata": {"name": NAMESPACE}})
    await _write(api)
    await _read(api)
    async with bearer(access, "nobody's") as unknown:
        await unknown.get("/api/v1/namespaces")
    async with bearer(access, access.tokens["nobody"]) as nobody:
        await nobody.get("/api/v1/namespaces")
        await nobody.get("/version")
    async with impersonating(access, "jane", groups=("g",), extra={"k": ("v",)}) as jane:
        await jane.delete(f"{CONFIG_MAPS}/x")
    async with with_headers(access) as anonymous:
        await anonymous.get("/healthz")
    async with serving_hooks() as hooks:
        await _be_reviewed(Hooked(api, hooks, NAMESPACE))
    await api.get(LAST)
    await transport.close()


async def _write(api: Api) -> None:
    created = (await api.create(CONFIG_MAPS, {"metadata": {"name": "x"}}, fieldManager="a b")).ok()
    await api.create(CONFIG_MAPS, {"metadata": {"name": "x"}})
    await api.create(CONFIG_MAPS, {"metadata": {"generateName": "x-"}})
    await api.create(CONFIG_MAPS, b"garbage")
    await api.update(f"{CONFIG_MAPS}/x", {**created, "data": {"a": "b"}})
    await api.update(f"{CONFIG_MAPS}/x", {**created, "data": {"a": "c"}})
    await api.patch(f"{CONFIG_MAPS}/x", {"data": {"a": "d"}}, dryRun="All")
    await api.patch(f"{CONFIG_MAPS}/x", [{"op": "test", "path": "/a", "value": 1}], JSON_PATCH)
    await api.apply(f"{CONFIG_MAPS}/y", {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "y"}})
    await api.delete(f"{CONFIG_MAPS}/y")
    await api.delete(CONFIG_MAPS, labelSelector="no=body")


async def _read(api: Api) -> None:
    await api.get(f"{CONFIG_MAPS}/x")
    await api.get(f"{CONFIG_MAPS}/nosuch")
    await api.get(CONFIG_MAPS, limit=5, labelSelector="a in (b, c)")
    await api.get(CONFIG_MAPS, watch=True, timeoutSeconds=1)
    await api.get("/apis/apps/v1/deployments")
    await api.get(f"/api/v1/namespaces/{NAMESPACE}/pods/nosuch/log")
    await api.get("/nosuch")
    await api.get("/apis")
    await api.send("OPTIONS", CONFIG_MAPS)


async def _be_reviewed(hooked: Hooked) -> None:
    """Requests that webhooks change, refuse and cannot be asked about."""
    hooked.hooks.respond("/change", {**patched(("add", "/data", {"a": "b"})), "auditAnnotations": {"k": "v"}})
    hooked.hooks.respond("/refuse", {**denied(message="no"), "auditAnnotations": {"why": "because"}})
    away = {"url": "https://127.0.0.1:1/"}
    twice = [rule("configmaps", operations=["CREATE"])]
    hooks = [
        hooked.hook("/change", rules=twice),
        hooked.hook("/away", rules=twice, clientConfig=away, failurePolicy="Ignore"),
        hooked.hook("/again", rules=twice, reinvocationPolicy="IfNeeded"),
    ]
    hooked.hooks.respond("/again", allowed())
    async with hooked.mutating(*hooks):
        await hooked.create("changed")
        await hooked.create("changed", dryRun="All")
    async with hooked.validating(
        hooked.hook("/away", rules=twice, clientConfig=away, failurePolicy="Ignore"), hooked.hook("/refuse")
    ):
        await hooked.create("refused")


async def events(run: Callable[[Path], Any], folder: Path) -> list[dict[str, Any]]:
    """What a server's log has of the requests, without what differs each time."""
    async with run(folder) as access:
        await ask(access)
        log = folder / "audit.log"

        async def read() -> list[dict[str, Any]]:
            return [orjson.loads(line) for line in log.read_bytes().splitlines() if line.endswith(b"}")]

        found = await until(read, lambda events: any(each["requestURI"] == LAST for each in events))
    ours = (each for each in found if each.get("userAgent", "").startswith("windlass"))
    return [_settled(each) for each in ours if "probe" not in str(each.get("objectRef", {}).get("name"))]


def _settled(event: dict[str, Any]) -> dict[str, Any]:
    kept = {key: value for key, value in event.items() if key not in VARYING}
    if "resourceVersion" in kept.get("objectRef", {}):
        kept["objectRef"]["resourceVersion"] = "1"
    text = UUID.sub("UID", orjson.dumps(kept).decode())
    settled: dict[str, Any] = orjson.loads(EITHER.sub("system:either", text))
    return settled


async def test_the_audit_log_is_that_of_the_real_server(tmp_path: Path) -> None:
    folders = [tmp_path / name for name in ("real", "embedded")]
    for each in folders:
        each.mkdir()
    theirs = await events(real, folders[0])
    ours = await events(embedded, folders[1])

    assert [(each["verb"], each["requestURI"]) for each in ours] == [
        (each["verb"], each["requestURI"]) for each in theirs
    ]
    for one, other in zip(ours, theirs, strict=True):
        assert one == other
