"""The operator of letters as a Deployment, with the roles that are generated for it, and what one asks of it."""

from __future__ import annotations

import asyncio
import re
import subprocess
import sys
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import letter_operator
from letter_operator import Letter, LetterSpec
from on_node import is_ready
from polling import until
from windlass.api import ObjectMeta, read_yaml
from windlass.client import read_logs
from windlass.kinds.apps.v1 import Deployment
from windlass.kinds.coordination.v1 import Lease
from windlass.kinds.core.v1 import Pod, ServiceAccount
from windlass.kinds.rbac.v1 import ClusterRole, ClusterRoleBinding, Role, RoleBinding
from windlass.testing import LOCAL_IMAGE, install_kinds

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    from windlass.api import Resource
    from windlass.client import Client

PATIENCE = 40.0
NAME = "letters"
_FILE = str(Path(letter_operator.__file__))
_KINDS: dict[str, type[Resource]] = {
    kind.__kind__.name: kind for kind in (ServiceAccount, Role, RoleBinding, ClusterRole, ClusterRoleBinding)
}
_LABELS = {"app": NAME}


@dataclass
class Office:
    """The operator, deployed in a namespace."""

    client: Client
    namespace: str

    async def write(self, name: str) -> Letter:
        """Have a letter written; returns it once it is."""
        await self.client.create(Letter(metadata=ObjectMeta(name=name), spec=LetterSpec(text="hello")))
        return await self.written(name, await self.pods())

    async def written(self, name: str, writers: Sequence[str]) -> Letter:
        """A letter, once one of these pods has written it."""
        return await until(
            lambda: self.client.get(Letter, name),
            lambda found: found.status.writer in writers,
            patience=PATIENCE,
        )

    async def rolled_out(self) -> Deployment:
        """The Deployment, once all of its pods are of its newest form, and available."""

        def done(found: Deployment) -> bool:
            status = found.status
            told = (status.replicas, status.updated_replicas, status.available_replicas)
            return status.observed_generation == found.metadata.generation and told == (2, 2, 2)

        return await until(lambda: self.client.get(Deployment, NAME), done, patience=PATIENCE)

    async def pods(self) -> list[str]:
        """The names of its pods that are to stay."""
        found = await self.client.list(Pod, self.namespace, labels=f"app={NAME}")
        return [each.metadata.name for each in found if not each.metadata.deletion_timestamp]

    async def restarted(self, pod: str) -> Pod:
        """A pod, once it is ready again after its container was restarted."""
        return await until(
            lambda: self.client.get(Pod, pod),
            lambda found: is_ready(found) and found.status.container_statuses[0].restart_count == 1,
            patience=PATIENCE,
        )

    async def log(self, pod: str) -> list[str]:
        """What the process of a pod has written."""
        return [line async for line in read_logs(self.client, pod)]

    async def process(self, pod: str) -> int:
        """The process of a pod, by its own word."""
        told = re.findall(r"letters are written by process (\d+)", "\n".join(await self.log(pod)))
        return int(told[0])

    async def holder(self) -> str:
        """The pod that the lease names."""
        lease = await self.client.get(Lease, NAME)
        return (lease.spec.holder_identity or "").partition("_")[0]

    async def leaders(self) -> list[str]:
        """The pods that lead, by their own word."""
        return [pod for pod in await self.pods() if _leads(await self.log(pod))]

    async def gone(self) -> None:
        """Wait until there is no pod of it any more."""

        async def left() -> int:
            return len(await self.client.list(Pod, self.namespace, labels=f"app={NAME}"))

        await until(left, lambda count: count == 0, patience=PATIENCE)

    def processes(self) -> list[str]:
        """Everything on this machine that runs for it: programs, and who stands between them and the node."""
        shown = subprocess.run(
            ["ps", "-axww", "-o", "pid=,args="], capture_output=True, text=True, check=True
        )
        return [line for line in shown.stdout.splitlines() if f"--namespace={self.namespace}" in line]


def _leads(log: Sequence[str]) -> bool:
    told = [line for line in log if "successfully acquired lease" in line or "lost the lease" in line]
    return bool(told) and "acquired" in told[-1]


@asynccontextmanager
async def deployed(client: Client, namespace: str, folder: Path) -> AsyncIterator[Office]:
    """The operator with two replicas, under nothing but the roles that are generated for it."""
    await install_kinds(client, [Letter])
    roles = await asyncio.to_thread(_roles, namespace, folder)
    for each in roles:
        await client.create(each)
    account = next(each.metadata.name for each in roles if isinstance(each, ServiceAccount))
    await client.create(_deployment(namespace, account))
    try:
        yield Office(client, namespace)
    finally:
        for each in roles:
            if not each.__kind__.namespaced:  # the rest goes with its namespace
                await client.delete(type(each), each.metadata.name)


def _roles(namespace: str, folder: Path) -> list[Resource]:
    """What `windlass generate rbac` makes for it."""
    options = ["--operator", namespace, "--namespace", namespace, "--config", str(folder)]
    subprocess.run([sys.executable, "-m", "windlass", "generate", "rbac", _FILE, *options], check=True)
    files = sorted(folder.glob("rbac/*.yaml"))
    documents = [each for file in files for each in read_yaml(file.read_bytes(), file.name)]
    return [_KINDS[each["kind"]].from_wire(each) for each in documents]


def _deployment(namespace: str, account: str) -> Deployment:
    spec = {
        "serviceAccountName": account,
        "terminationGracePeriodSeconds": 10,
        "containers": [_container(namespace)],
    }
    template = {"metadata": {"labels": _LABELS}, "spec": spec}
    return Deployment.from_wire(
        {
            "metadata": {"name": NAME},
            "spec": {"replicas": 2, "selector": {"matchLabels": _LABELS}, "template": template},
        }
    )


def _container(namespace: str) -> dict[str, Any]:
    listens = "-bind-address=127.0.0.1:$(WINDLASS_PORT_"
    times = ("lease-duration=6s", "renew-deadline=4s", "retry-period=500ms")
    healthy, ready = ({"httpGet": {"port": "health", "path": path}} for path in ("/healthz", "/readyz"))
    return {
        "name": "manager",
        "image": LOCAL_IMAGE,
        "args": [
            *(sys.executable, "-m", "windlass", "run", _FILE, f"--namespace={namespace}"),
            *(
                "--leader-elect",
                f"--leader-election-id={NAME}",
                *(f"--leader-elect-{each}" for each in times),
            ),
            *(f"--metrics{listens}8080)", f"--health-probe{listens}8081)"),
        ],
        "ports": [{"name": "metrics", "containerPort": 8080}, {"name": "health", "containerPort": 8081}],
        "startupProbe": {**healthy, "periodSeconds": 1, "failureThreshold": 60},
        "livenessProbe": {**healthy, "periodSeconds": 5, "timeoutSeconds": 5},
        "readinessProbe": {**ready, "periodSeconds": 1, "timeoutSeconds": 5},
    }
