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
from windlass.cli.delivery import load_delivery
from windlass.client import find_kind
from windlass.kinds.coordination.v1 import Lease
from windlass.kinds.core.v1 import Pod

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence
    from pathlib import Path

    from windlass.api import Json
    from windlass.client import Client
    from windlass.testing import Access

PATIENCE = 60.0
_LABELS = "control-plane=controller-manager"
_ONE_NODE = {"kubernetes.io/hostname": "node-1"}


async def windlass(access: Access, *words: str, code: int = 0) -> list[str]:
    """What the command prints, which has to end with this code."""
    return await printed_by(
        sys.executable, "-m", "windlass", *words, f"--kubeconfig={access.kubeconfig}", code=code
    )


async def printed_by(*command: str | Path, code: int = 0) -> list[str]:
    """What a program prints, which has to end with this code."""
    process = await asyncio.create_subprocess_exec(
        *command, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT
    )
    printed, _ = await process.communicate()
    assert process.returncode == code, printed.decode()
    return printed.decode().splitlines()


def samples(operator: str, namespace: str) -> list[Json]:
    """The samples of an operator; what of them leads into other namespaces leads into this one.

    Accounts and roles that several have are there once.
    """
    folder = files(f"windlass.operators.{operator}") / "samples"
    texts = sorted(
        each.read_text(encoding="utf-8") for each in folder.iterdir() if each.name.endswith(".yaml")
    )
    documents = [document for text in texts for document in read_yaml(text)]
    unlike = {(each["kind"], each["metadata"]["name"]): each for each in documents}
    found = [each for each in unlike.values() if each["kind"] != "Namespace"]
    for each in found:
        each["metadata"]["namespace"] = namespace
        if each["kind"] == "RoleBinding":
            each["subjects"][0]["namespace"] = namespace
        if each["kind"] == "PeerPodConfig":
            each["spec"] |= {"nodeSelector": _ONE_NODE, "limit": "2"}
        if each["kind"] == "Ptemplate":
            each["spec"]["selector"] = _ONE_NODE
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
async def deployed(
    access: Access, client: Client, operator: str, *more: str, watched: str = ""
) -> AsyncIterator[list[str]]:
    """The operator, in the namespace of the test, limited by its roles to that or to the one that is `watched`.

    It yields the lines that `windlass deploy` prints.
    """
    namespace = client.options.namespace
    place = (operator, f"--namespace={namespace}")
    yield await windlass(access, "deploy", *place, f"--watch-namespace={watched or namespace}", *more)
    removed = await windlass(access, "undeploy", *place)
    assert f"namespace/{namespace} stays, it was not made for this operator" in removed
    name = load_delivery(operator).project.operator
    assert f"deployment.apps/{name}-controller-manager deleted" in removed
    pods = await client.list(Pod, namespace, labels=f"{_LABELS},app.kubernetes.io/name={name}")
    assert pods.items == []


async def walked_through(
    client: Client, operator: str, group: str, condition: str, namespace: str = ""
) -> None:
    """Apply the samples, see the operator's own kinds have a condition, and delete them."""
    namespace = namespace or client.options.namespace
    documents = samples(operator, namespace)
    await made(client, documents)
    own = [each for each in documents if each["apiVersion"].partition("/")[0].endswith(group)]
    assert own
    for each in own:
        await until(partial(has_condition, client, each, condition), patience=PATIENCE)
    await _has_lease(client, load_delivery(operator).project.operator)
    for each in reversed(own):
        kind = await find_kind(client, each["apiVersion"], each["kind"])
        await client.delete(kind, each["metadata"]["name"], namespace)

    async def left() -> list[str]:
        kinds = [await find_kind(client, each["apiVersion"], each["kind"]) for each in own]
        return [each.metadata.name for kind in kinds for each in await client.list(kind, namespace)]

    await until(left, lambda names: not names, patience=PATIENCE)


async def _has_lease(client: Client, operator: str) -> None:
    """The lease of an operator names its pod."""
    labels = f"{_LABELS},app.kubernetes.io/name={operator}"
    (pod,) = await client.list(Pod, client.options.namespace, labels=labels)
    lease = await client.get(Lease, operator)
    assert (lease.spec.holder_identity or "").startswith(f"{pod.metadata.name}_")
