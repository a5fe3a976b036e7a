"""client-go does its ordinary work on the embedded server, and sees there what it sees on the real one."""

from __future__ import annotations

import asyncio
import difflib
import re
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import orjson
import pytest

from oracle import SOURCE, build
from program import running
from real import administrator, relayed, settled
from servers import shared_namespace
from site_kind import Site
from windlass.api import ObjectMeta
from windlass.kinds.core.v1 import ConfigMap
from windlass.testing import install_kinds
from windlass.testing.embedded import EmbeddedControlPlane

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator
    from pathlib import Path

    from program import Program
    from real import Relay
    from windlass.client import Client
    from windlass.testing import Access

OWN = ("uid", "resourceVersion", "creationTimestamp", "clusterIP", "clusterIPs", "time", "storageVersionHash")
"""What no two servers share."""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("informers"), SOURCE / "informers")


@pytest.fixture
def plane() -> Iterator[EmbeddedControlPlane]:
    running = EmbeddedControlPlane()
    yield running
    running.stop()


@asynccontextmanager
async def clients(access: Access, namespace: str, folder: Path) -> AsyncIterator[tuple[Client, Relay]]:
    """A client of ours that nobody cuts off, and a relay for those who are, with a kubeconfig in the folder."""
    folder.mkdir()
    async with settled(), administrator(access, namespace) as client, relayed(access, folder) as relay:
        text = access.kubeconfig.read_text(encoding="utf-8")
        (folder / "kubeconfig").write_text(text.replace(access.server, relay.server), encoding="utf-8")
        await install_kinds(client, [Site])
        yield client, relay


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


def transcript(lines: list[str], plain: Callable[[str], str]) -> dict[str, Any]:
    """What it wrote down, without what no two servers share."""
    said = [orjson.loads(plain(line)) for line in lines if line != "waiting"]
    return {entry["what"]: without(entry["result"]) for entry in said}


def without(value: Any) -> Any:
    if isinstance(value, list):
        return [without(item) for item in value]
    if isinstance(value, dict):
        return {key: without(item) for key, item in value.items() if key not in OWN}
    return value


def difference(embedded: Any, real: Any) -> list[str]:
    """The lines that only one of two transcripts has."""
    ours, theirs = (
        orjson.dumps(each, option=orjson.OPT_INDENT_2 | orjson.OPT_SORT_KEYS).decode().splitlines()
        for each in (embedded, real)
    )
    return list(difflib.unified_diff(theirs, ours, "real", "embedded", lineterm=""))


def plain(line: str) -> str:
    return re.sub(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", "<uid>", line)


@pytest.mark.parametrize(
    ("wire", "streaming"), [("application/vnd.kubernetes.protobuf", "true"), ("application/json", "false")]
)
async def test_it_sees_on_both_servers_the_same(
    program: Path,
    control_plane: Access,
    plane: EmbeddedControlPlane,
    tmp_path: Path,
    wire: str,
    streaming: str,
) -> None:
    async def ran(access: Access, folder: Path) -> dict[str, Any]:
        own = plane if access is plane.access else None
        async with clients(access, namespace, folder) as (client, relay):
            command = (
                str(program),
                f"--kubeconfig={folder}/kubeconfig",
                f"--namespace={namespace}",
                f"--wire={wire}",
            )
            async with running(*command, KUBE_FEATURE_WatchListClient=streaming) as they:
                await cut_off(they, client, relay, own)
                assert await they.ended() == 0
                return transcript(they.lines, plain)

    with shared_namespace(plane.access, control_plane) as namespace:
        embedded, real = await asyncio.gather(
            ran(plane.access, tmp_path / "embedded"), ran(control_plane, tmp_path / "real")
        )
    # Those who are told that a version is gone list anew. The history of the real server was not forgotten.
    assert embedded.pop("told again")["maps"]
    del real["told again"]
    if found := difference(embedded, real):
        pytest.fail("\n".join(found), pytrace=False)
