"""`windlass control-plane`: what is deployed there with kubectl is called by the API server, and has volumes."""

from __future__ import annotations

import asyncio
import json
import shlex
import sys
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import pytest

from deployed_judge import PROGRAM, judge
from polling import until
from windlass.tools import find_kubectl

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

pytestmark = pytest.mark.timeout(180)
IMAGE = "example.com/judge:1"
PATIENCE = 60.0
CLAIM = {
    "apiVersion": "v1",
    "kind": "PersistentVolumeClaim",
    "metadata": {"name": "data"},
    "spec": {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}},
}
USER = {
    "apiVersion": "v1",
    "kind": "Pod",
    "metadata": {"name": "user"},
    "spec": {
        "containers": [{"name": "main", "image": "web:1"}],
        "volumes": [{"name": "data", "persistentVolumeClaim": {"claimName": "data"}}],
    },
}


class Kubectl:
    """A user with kubectl."""

    def __init__(self, kubeconfig: Path) -> None:
        self._kubeconfig = kubeconfig

    async def __call__(self, line: str, *documents: object) -> tuple[int, str]:
        """The exit code and the output of a command, which reads these documents."""
        command = [str(find_kubectl()), f"--kubeconfig={self._kubeconfig}", *shlex.split(line)]
        process = await asyncio.create_subprocess_exec(
            *command,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        text = json.dumps({"apiVersion": "v1", "kind": "List", "items": documents})
        out, _ = await process.communicate(text.encode() if documents else None)
        return process.returncode or 0, out.decode()

    async def ok(self, line: str, *documents: object) -> str:
        """The output of a command that must succeed."""
        code, out = await self(line, *documents)
        assert code == 0, out
        return out


@asynccontextmanager
async def started(tmp_path: Path, *flags: str) -> AsyncIterator[Kubectl]:
    """`windlass control-plane` with a node, until the end of the block."""
    kubeconfig = tmp_path / "kubeconfig"
    words = ["control-plane", f"--kubeconfig={kubeconfig}", "--nodes=1", *flags]
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "windlass", *words), stdout=asyncio.subprocess.PIPE
    )
    assert process.stdout
    try:
        said = b""
        while b"Ctrl-C" not in said:
            line = await process.stdout.readline()
            assert line, said
            said += line
        yield Kubectl(kubeconfig)
    finally:
        process.terminate()
        await process.communicate()


async def test_an_operator_that_kubectl_deploys_is_asked_behind_its_service(tmp_path: Path) -> None:
    async with started(tmp_path, f"--image={IMAGE}={shlex.join(PROGRAM)}") as kubectl:
        await kubectl.ok("apply -f -", *(each.to_wire() for each in judge("default", IMAGE, replicas=2)))
        await kubectl.ok("rollout status deployment/judge --timeout=60s")

        async def judged(name: str) -> str:
            config = {
                "apiVersion": "v1",
                "kind": "ConfigMap",
                "metadata": {"name": name, "labels": {"judged": "yes"}},
            }
            return (await kubectl("create --dry-run=server -f -", config))[1]

        denied = 'admission webhook "judge.example.com" denied the request: refused in judge-'
        await until(lambda: judged("bad"), lambda said: denied in said, patience=PATIENCE)
        assert "configmap/good created" in await judged("good")

        service = await kubectl.ok("get --raw /api/v1/namespaces/default/services/https:judge:443/proxy/")
        assert service == "ok"

        await kubectl.ok("scale deployment/judge --replicas=0")
        empty = 'no endpoints available for service "default/judge"'
        await until(lambda: judged("good"), lambda said: empty in said, patience=PATIENCE)


async def test_a_claim_of_no_class_is_bound_and_takes_its_volume_along(tmp_path: Path) -> None:
    async with started(tmp_path) as kubectl:
        await kubectl.ok("wait serviceaccount/default --for=create --timeout=60s")
        await kubectl.ok("apply -f -", CLAIM, USER)
        await kubectl.ok("wait pod/user --for=condition=Ready --timeout=60s")
        name = await kubectl.ok("get pvc data -o jsonpath={.spec.volumeName}")
        assert await kubectl.ok(f"get pv {name} -o jsonpath={{.status.phase}}") == "Bound"

        await kubectl.ok("delete pod user --now")
        await kubectl.ok("delete pvc data --timeout=60s")
        await kubectl.ok(f"wait pv/{name} --for=delete --timeout=60s")
