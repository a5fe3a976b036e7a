"""What the audit log has of connections to pods is what that of the real server has."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson
import pytest

from kubelet_site import embedded_site, real_site
from polling import until
from windlass.testing import ControlPlane, ControlPlaneOptions
from wire import Messages, spdy, websocket

if TYPE_CHECKING:
    from pathlib import Path

    from kubelet_site import Site

pytestmark = pytest.mark.usefixtures("control_plane")  # without one asked for, skip the whole file

POLICY = """
apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
rules: [{level: Metadata}]
"""
QUERY = [("container", "main"), ("command", "true"), ("stdout", "true")]
Told = tuple[str, str, str, dict[str, Any], dict[str, str]]


async def connect(site: Site) -> None:
    """Be connected to a pod, and be refused it."""
    await site.api.get(f"{site.pod}/log", container="main")
    async with site.open(websocket(f"{site.pod}/exec", "v5.channel.k8s.io", query=QUERY)) as opened:
        await Messages(opened.connection).finish()
    async with site.open(spdy(f"{site.pod}/portforward", "portforward.k8s.io")) as opened:
        assert opened.status == 101
    await site.api.get(f"{site.pod}/exec", container="main")
    async with site.open(spdy(f"{site.pod}/exec", "v4.channel.k8s.io", query=QUERY), "nobody") as opened:
        assert opened.status == 403


async def told(site: Site, log: Path) -> list[Told]:
    """What the log has of all that, in the order of the requests."""
    await connect(site)

    async def read() -> list[dict[str, Any]]:
        return _events(log, site)

    ended = 5  # requests, each of which ends once
    found = await until(
        read, lambda events: sum(each["stage"] == "ResponseComplete" for each in events) >= ended
    )
    return [_told(each) for each in sorted(found, key=_order)]


def _events(log: Path, site: Site) -> list[dict[str, Any]]:
    """What is told of the pod, whatever the name of its namespace."""
    text = log.read_text(encoding="utf-8").replace(site.namespace, "here")
    events = [orjson.loads(line) for line in text.splitlines() if line.endswith("}")]
    return [each for each in events if each["requestURI"].startswith("/api/v1/namespaces/here/pods/a/")]


def _order(event: dict[str, Any]) -> tuple[str, str]:
    return event["requestReceivedTimestamp"], event["stageTimestamp"]


def _told(event: dict[str, Any]) -> Told:
    return event["stage"], event["verb"], event["requestURI"], event["responseStatus"], event["objectRef"]


async def test_connections_are_told_of_when_they_begin_and_when_they_end(tmp_path: Path) -> None:
    folders = [tmp_path / name for name in ("real", "embedded")]
    for each in folders:
        each.mkdir()
    policy = tmp_path / "policy.yaml"
    policy.write_text(POLICY)
    logs = [each / "audit.log" for each in folders]
    flags = (f"--audit-policy-file={policy}", f"--audit-log-path={logs[0]}")
    async with (
        ControlPlane(ControlPlaneOptions(apiserver_flags=flags)) as access,
        real_site(access, folders[0]) as site,
    ):
        theirs = await told(site, logs[0])
    async with embedded_site(folders[1], port=True, audit_log=logs[1]) as site:
        ours = await told(site, logs[1])

    assert ours == theirs
