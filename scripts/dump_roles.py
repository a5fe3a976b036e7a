"""Write the roles and bindings that every server has from its start anew; `--check` only tells of a change.

They go to `roles.json`, in the order in which a real server lists them and with the managers that it names.
What differs from start to start, such as uids and times, is left empty. The server is a control plane started
for the purpose, or that of `--kubeconfig`.
"""

import argparse
import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import orjson

from windlass.client import Client, Request, connect, load_config
from windlass.testing import ControlPlane

FILE = Path(__file__).resolve().parent.parent / "src" / "windlass" / "apiserver" / "access" / "roles.json"
GROUP = "/apis/rbac.authorization.k8s.io/v1"
PLURALS = ("clusterroles", "clusterrolebindings", "roles", "rolebindings")
FROM_THE_START = ("labelSelector", "kubernetes.io/bootstrapping=rbac-defaults")

Json = dict[str, Any]


@asynccontextmanager
async def server(kubeconfig: str | None) -> AsyncIterator[Client]:
    """A client of the server to ask."""
    if kubeconfig:
        async with connect(load_config(kubeconfig)) as client:
            yield client
        return
    async with ControlPlane() as access, connect(load_config(access.kubeconfig)) as client:
        yield client


async def dumped(kubeconfig: str | None) -> bytes:
    """The file that should be in the package: a list for each plural, an object on each line."""
    lists = []
    async with server(kubeconfig) as client:
        for plural in PLURALS:
            request = Request(method="GET", path=f"{GROUP}/{plural}", query=(FROM_THE_START,))
            found = [orjson.dumps(bare(item)) for item in (await client.json(request))["items"]]
            lists.append(b'"%b":[\n%b\n]' % (plural.encode(), b",\n".join(found)))
    return b"{%b}\n" % b",\n".join(lists)


def bare(obj: Json) -> Json:
    """An object without what the next server has otherwise."""
    meta = obj["metadata"]
    for name in ("uid", "resourceVersion", "creationTimestamp"):
        meta[name] = ""
    for entry in meta["managedFields"]:
        entry["time"] = ""
    return obj


def main() -> None:
    """Write, or check."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="change nothing; fail if something would change")
    parser.add_argument("--kubeconfig", help="ask this server instead of starting one")
    arguments = parser.parse_args()
    data = asyncio.run(dumped(arguments.kubeconfig))
    if arguments.check:
        sys.exit(None if FILE.exists() and FILE.read_bytes() == data else f"stale: {FILE.name}")
    FILE.write_bytes(data)


main()
