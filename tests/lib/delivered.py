"""An operator that is deployed by `windlass deploy`, and its samples."""

from __future__ import annotations

import asyncio
import sys
from contextlib import asynccontextmanager
from functools import partial
from importlib.resources import files
from typing import TYPE_CHECKING

from polling import until
from windlass.api import read_yaml
from windlass.client import find_kind
from windlass.kinds.coordination.v1 import Lease
from windlass.kinds.core.v1 import Pod

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    from windlass.api import Json
    from windlass.client import Client
    from windlass.testing import Access

PATIENCE = 60.0


async def windlass(access: Access, *words: str) -> list[str]:
    """What the command prints, which has to succeed."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "windlass", *words, f"--kubeconfig={access.kubeconfig}"),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    printed, _ = await process.communicate()
    assert process.returncode == 0, printed.decode()
    return printed.decode().splitlines()


def samples(operator: str, namespace: str) -> list[Json]:
    """The samples of an operator; what of them leads into other namespaces leads into this one."""
    folder = files(f"windlass.operators.{operator}") / "samples"
    texts = sorted(
        each.read_text(encoding="utf-8") for each in folder.iterdir() if each.name.endswith(".yaml")
    )
    found = [document for text in texts for document in read_yaml(text)]
    for each in found:
        each["metadata"]["namespace"] = namespace
        if each["kind"] == "PeerPodConfig":
            each["spec"] |= {"nodeSelector": {"kubernetes.io/hostname": "node-1"}, "limit": "2"}
        if each["kind"] == "Collector":
            each["spec"]["tenant"]["reference"] = namespace
            values = each["spec"].setdefault("values", {})
            values["serviceMonitor"] = {"enabled": False}  # that kind comes and goes in other tests
    return found


async def made(client: Client, documents: Sequence[Json]) -> None:
    for each in documents:
        kind = await find_kind(client, each["apiVersion"], each["kind"])
        await client.create(kind.from_wire(each))


async def has_condition(client: Client, document: Json, condition: str) -> bool:
    kind = await find_kind(client, document["apiVersion"], document["kind"])
    found = await client.get(kind, document["metadata"]["name"], document["metadata"]["namespace"])
    told = (found.get("status") or {}).get("conditions") or ()
    return any(each["type"] == condition and each["status"] == "True" for each in told)


@asynccontextmanager
async def deployed(access: Access, client: Client, operator: str, *more: str) -> AsyncIterator[list[str]]:
    """The operator, in the namespace of the test and for it alone; the lines that `windlass deploy` prints."""
    place = (operator, f"--namespace={client.options.namespace}")
    flags = (f"--env=WATCH_NAMESPACE={client.options.namespace}", *more)
    yield await windlass(access, "deploy", *place, *flags)
    removed = await windlass(access, "undeploy", *place)
    namespace = client.options.namespace
    assert f"namespace/{namespace} stays, it was not made for this operator" in removed
    pods = await client.list(Pod, namespace, labels="control-plane=controller-manager")
    assert pods.items == []


async def walked_through(client: Client, operator: str, group: str, condition: str) -> None:
    """Apply the samples, see the operator's own kinds have a condition, and delete them."""
    namespace = client.options.namespace
    documents = samples(operator, namespace)
    await made(client, documents)
    own = [each for each in documents if each["apiVersion"].startswith(f"{group}/")]
    assert own
    for each in own:
        await until(partial(has_condition, client, each, condition), patience=PATIENCE)
    (lease,) = [each for each in await client.list(Lease, namespace) if each.metadata.name == operator]
    (pod,) = await client.list(Pod, namespace, labels="control-plane=controller-manager")
    assert (lease.spec.holder_identity or "").startswith(f"{pod.metadata.name}_")
    for each in reversed(own):
        kind = await find_kind(client, each["apiVersion"], each["kind"])
        await client.delete(kind, each["metadata"]["name"])

    async def left() -> list[str]:
        kinds = [await find_kind(client, each["apiVersion"], each["kind"]) for each in own]
        return [each.metadata.name for kind in kinds for each in await client.list(kind, namespace)]

    await until(left, lambda names: not names, patience=PATIENCE)
