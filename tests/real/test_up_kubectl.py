"""What people do with kubectl all day, on `windlass up`."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import pytest

from polling import until
from windlass.tools import find_kubectl

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

pytestmark = pytest.mark.timeout(180)
_PATIENCE = 60.0

WEB: dict[str, Any] = {
    "apiVersion": "apps/v1",
    "kind": "Deployment",
    "metadata": {"name": "web", "namespace": "shop"},
    "spec": {
        "replicas": 3,
        "selector": {"matchLabels": {"app": "web"}},
        "template": {
            "metadata": {
                "labels": {"app": "web"},
                "annotations": {"node.windlass.dev/log": "hello from web"},
            },
            "spec": {"containers": [{"name": "web", "image": "web:1", "ports": [{"containerPort": 8080}]}]},
        },
    },
}
SERVICE: dict[str, Any] = {
    "apiVersion": "v1",
    "kind": "Service",
    "metadata": {"name": "web", "namespace": "shop"},
    "spec": {"selector": {"app": "web"}, "ports": [{"port": 80, "targetPort": 8080}]},
}


class Kubectl:
    """kubectl with a kubeconfig."""

    def __init__(self, kubeconfig: Path) -> None:
        self._program = find_kubectl()
        self._environment = {**os.environ, "KUBECONFIG": str(kubeconfig), "HOME": str(kubeconfig.parent)}

    async def __call__(self, *arguments: str, given: str = "") -> str:
        """What it prints; it must succeed."""
        pipe = asyncio.subprocess.PIPE
        process = await asyncio.create_subprocess_exec(
            self._program, *arguments, env=self._environment, stdin=pipe, stdout=pipe, stderr=pipe
        )
        async with asyncio.timeout(_PATIENCE):
            out, err = await process.communicate(given.encode())
        assert process.returncode == 0, f"kubectl {' '.join(arguments)}: {out.decode()}{err.decode()}"
        return out.decode()

    async def apply(self, *manifests: dict[str, Any]) -> None:
        """Apply objects."""
        await self(
            "apply", "-f", "-", given=json.dumps({"apiVersion": "v1", "kind": "List", "items": manifests})
        )

    async def names(self, kind: str, *more: str) -> list[str]:
        """The names of objects in the shop."""
        return (await self("get", kind, "-n", "shop", "-o", "name", *more)).split()


@asynccontextmanager
async def up(folder: Path, *arguments: str) -> AsyncIterator[Kubectl]:
    """A cluster for the length of a block."""
    kubeconfig = folder / "kubeconfig"
    command = [sys.executable, "-m", "windlass", "up", "--kubeconfig", str(kubeconfig), *arguments]
    process = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
    assert process.stdout is not None
    try:
        async with asyncio.timeout(_PATIENCE):
            while b"KUBECONFIG" not in await process.stdout.readline():
                assert process.returncode is None
        yield Kubectl(kubeconfig)
    finally:
        process.terminate()
        async with asyncio.timeout(_PATIENCE):
            await process.communicate()
    assert process.returncode == 0


async def test_a_shop_is_rolled_out_scaled_read_drained_and_closed(tmp_path: Path) -> None:
    async with up(tmp_path, "--nodes", "2") as kubectl:
        await kubectl("create", "namespace", "shop")
        await kubectl.apply(WEB, SERVICE)
        said = await kubectl("rollout", "status", "deployment/web", "-n", "shop", "--timeout", "50s")
        assert 'deployment "web" successfully rolled out' in said

        await kubectl("scale", "deployment/web", "-n", "shop", "--replicas", "5")
        await kubectl("rollout", "status", "deployment/web", "-n", "shop", "--timeout", "50s")
        assert len(await kubectl.names("pods")) == 5
        pod, *_ = await kubectl.names("pods")
        assert "hello from web" in await kubectl("logs", pod, "-n", "shop")
        assert await kubectl("exec", pod, "-n", "shop", "--", "echo", "hello") == "hello\n"

        await kubectl("set", "image", "deployment/web", "-n", "shop", "web=web:2")
        await kubectl("rollout", "status", "deployment/web", "-n", "shop", "--timeout", "50s")
        await kubectl("rollout", "undo", "deployment/web", "-n", "shop")
        await kubectl("rollout", "status", "deployment/web", "-n", "shop", "--timeout", "50s")
        images = await kubectl("get", "pods", "-n", "shop", "-o", "jsonpath={..spec.containers[0].image}")
        assert set(images.split()) == {"web:1"}

        node = (await kubectl("get", "nodes", "-o", "name")).split()[0]
        await kubectl("drain", node, "--ignore-daemonsets", "--timeout", "50s")
        where = "jsonpath={range .items[*]}{.spec.nodeName}{'\\n'}{end}"
        await kubectl("rollout", "status", "deployment/web", "-n", "shop", "--timeout", "50s")
        assert node.partition("/")[2] not in (await kubectl("get", "pods", "-A", "-o", where)).split()
        await kubectl("uncordon", node)

        await kubectl("delete", "namespace", "shop", "--timeout", "50s")
        assert "shop" not in await kubectl("get", "namespaces")


async def test_a_job_ends_and_a_service_has_its_endpoints(tmp_path: Path) -> None:
    async with up(tmp_path) as kubectl:
        await kubectl("create", "namespace", "shop")
        await kubectl.apply(WEB, SERVICE)
        await kubectl("create", "job", "once", "-n", "shop", "--image", "busybox", "--", "true")
        await kubectl("wait", "-n", "shop", "--for", "condition=complete", "job/once", "--timeout", "50s")
        await kubectl("rollout", "status", "deployment/web", "-n", "shop", "--timeout", "50s")

        async def ready() -> list[bool]:
            text = await kubectl("get", "endpointslices", "-n", "shop", "-o", "json")
            slices = json.loads(text)["items"]
            return [each["conditions"]["ready"] for found in slices for each in found.get("endpoints") or ()]

        assert await until(ready, lambda found: len(found) == 3 and all(found), patience=20)
