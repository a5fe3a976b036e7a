"""client-go does its ordinary work on the embedded server, and sees there what it sees on the real one."""

from __future__ import annotations

import asyncio
import difflib
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import orjson
import pytest

from oracle import SOURCE, build
from program import running
from real import administrator, relayed, settled
from servers import shared_namespace
from site_kind import Site
from windlass.api import ObjectMeta
from windlass.cluster import ClusterOptions
from windlass.kinds.core.v1 import ConfigMap
from windlass.testing import install_kinds
from windlass.testing.embedded import EmbeddedControlPlane

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from program import Program
    from real import Relay
    from windlass.client import Client
    from windlass.testing import Access

OWN = ("uid", "resourceVersion", "creationTimestamp", "clusterIP", "clusterIPs", "time")
"""The fields in which no two servers agree."""
UID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
pytestmark = pytest.mark.xdist_group("client-go")  # one build serves all tests


@dataclass(frozen=True)
class Side:
    """A server, a namespace of it, and a folder for what belongs to it. `plane` is there if it is embedded."""

    access: Access
    namespace: str
    folder: Path
    plane: EmbeddedControlPlane | None = None

    def kubeconfig(self, server: str) -> Path:
        """How to reach it by way of another address."""
        text = self.access.kubeconfig.read_text(encoding="utf-8")
        path = self.folder / "kubeconfig"
        path.write_text(text.replace(self.access.server, server), encoding="utf-8")
        return path


@pytest.fixture(scope="module")
def program(request: pytest.FixtureRequest) -> Path:
    return build(request.config.cache.mkdir("informers"), SOURCE / "informers")


@pytest.fixture
def sides(control_plane: Access, tmp_path: Path) -> Iterator[tuple[Side, Side]]:
    """An embedded server that this test may restart, and the real one."""
    folders = tmp_path / "embedded", tmp_path / "real"
    for folder in folders:
        folder.mkdir()
    plane = EmbeddedControlPlane(ClusterOptions(upkeep=False))  # nobody recounts quotas on the real one
    with shared_namespace(plane.access, control_plane) as namespace:
        yield Side(plane.access, namespace, folders[0], plane), Side(control_plane, namespace, folders[1])
    plane.stop()


async def transcript(program: Path, side: Side, wire: str, streaming: str) -> dict[str, Any]:
    """What it writes down, without what no two servers share, while its connections are cut."""
    async with (
        administrator(side.access, side.namespace) as client,
        relayed(side.access, side.folder) as relay,
    ):
        await install_kinds(client, [Site])
        options = (f"--kubeconfig={side.kubeconfig(relay.server)}", f"--namespace={side.namespace}")
        environment = {"KUBE_FEATURE_WatchListClient": streaming}
        async with running(str(program), *options, f"--wire={wire}", **environment) as they:
            await cut_off(they, client, relay, side.plane)
            assert await they.ended() == 0
    said = [orjson.loads(UID.sub("<uid>", line)) for line in they.lines if line != "waiting"]
    return {entry["what"]: without_own(entry["result"]) for entry in said}


async def cut_off(they: Program, client: Client, relay: Relay, plane: EmbeddedControlPlane | None) -> None:
    """Cut the connections twice: for a moment, and until what happened meanwhile is forgotten."""
    await they.says("waiting")
    if plane:
        await asyncio.to_thread(plane.restart)
    relay.cut()
    changing = await client.get(ConfigMap, "changing")
    changing.metadata.labels["step"] = "cut"
    await client.update(changing)
    they.tell("go on")
    await they.says("waiting")
    await relay.refuse()
    await client.delete(ConfigMap, "changing")
    await client.create(ConfigMap(metadata=ObjectMeta(name="missed", labels={"step": "long"})))
    if plane:
        plane.compact()
    await relay.listen()
    they.tell("go on")


def without_own(value: Any) -> Any:
    if isinstance(value, list):
        return [without_own(item) for item in value]
    if isinstance(value, dict):
        return {key: without_own(item) for key, item in value.items() if key not in OWN}
    return value


def difference(embedded: Any, real: Any) -> str:
    """The lines that only one of two transcripts has."""
    ours, theirs = (
        orjson.dumps(each, option=orjson.OPT_INDENT_2 | orjson.OPT_SORT_KEYS).decode().splitlines()
        for each in (embedded, real)
    )
    return "\n".join(difflib.unified_diff(theirs, ours, "real", "embedded", lineterm=""))


@pytest.mark.parametrize(
    ("wire", "streaming"), [("application/vnd.kubernetes.protobuf", "true"), ("application/json", "false")]
)
async def test_it_sees_the_same_on_both_servers(
    program: Path, sides: tuple[Side, Side], wire: str, streaming: str
) -> None:
    async with settled(), asyncio.TaskGroup() as tasks:
        told = [tasks.create_task(transcript(program, side, wire, streaming)) for side in sides]
    embedded, real = (task.result() for task in told)
    # Who is told that a version is gone lists anew. The real server was not made to forget its history.
    assert embedded.pop("told again")["maps"]
    del real["told again"]
    assert real["services"] == {"listed": streaming == "false", "streamed": streaming == "true"}
    if found := difference(embedded, real):
        pytest.fail(found, pytrace=False)
