"""Pods whose containers are real processes of this machine."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pod_program
from executing import execute, logs
from on_node import create, gone, is_ready, main, pod, pod_when
from polling import until
from windlass.client import MergePatch
from windlass.errors import AlreadyExists
from windlass.kinds.core.v1 import ConfigMap, Pod
from windlass.kinds.rbac.v1 import Role, RoleBinding
from windlass.testing import LOCAL_IMAGE

if TYPE_CHECKING:
    from windlass.client import Client
    from windlass.kinds.core.v1 import Pod as PodType
    from windlass.testing import Access

_RULES = [{"apiGroups": [""], "resources": ["configmaps"], "verbs": ["list"]}]


async def _may_list(client: Client, namespace: str) -> None:
    """Let the pods of the namespace list its ConfigMaps."""
    await client.create(Role.from_wire({"metadata": {"name": "reader"}, "rules": _RULES}))
    binding = {
        "metadata": {"name": "reader"},
        "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "Role", "name": "reader"},
        "subjects": [{"kind": "ServiceAccount", "name": "default", "namespace": namespace}],
    }
    with suppress(AlreadyExists):
        await client.create(RoleBinding.from_wire(binding))


def _probe(**more: Any) -> dict[str, Any]:
    return {"httpGet": {"port": "http", "path": "/healthz"}, "periodSeconds": 1, **more}


def _container() -> dict[str, Any]:
    field = {"POD": "metadata.name", "NODE": "spec.nodeName"}
    mode = {"configMapKeyRef": {"name": "settings", "key": "mode"}}
    return {
        "name": "main",
        "image": LOCAL_IMAGE,
        "args": [sys.executable, str(Path(pod_program.__file__)), "--mode=$(MODE)", "/etc/settings/mode"],
        "ports": [{"name": "http", "containerPort": 8080}],
        "env": [
            *({"name": name, "valueFrom": {"fieldRef": {"fieldPath": path}}} for name, path in field.items()),
            {"name": "MODE", "valueFrom": mode},
            {"name": "SETTINGS", "value": "/etc/settings"},
            {"name": "SCRATCH", "value": "/scratch"},
            {"name": "PORT", "value": "$(WINDLASS_PORT_8080)"},
        ],
        "volumeMounts": [
            {"name": "settings", "mountPath": "/etc/settings"},
            {"name": "scratch", "mountPath": "/scratch"},
        ],
        "readinessProbe": _probe(),
        "livenessProbe": _probe(failureThreshold=1),
        "startupProbe": _probe(failureThreshold=40),
    }


def _program(name: str) -> PodType:
    volumes = [
        {"name": "settings", "configMap": {"name": "settings"}},
        {"name": "scratch", "emptyDir": {}},
    ]
    return pod(name, containers=[_container()], volumes=volumes)


def _said(log: str, word: str) -> str:
    """What the program said after a word."""
    return next(
        (line.removeprefix(f"{word} ") for line in log.splitlines() if line.startswith(f"{word} ")), ""
    )


async def test_a_program_runs_with_its_token_its_files_and_its_probes(
    client: Client, control_plane: Access, namespace: str
) -> None:
    await _may_list(client, namespace)
    await client.create(ConfigMap.from_wire({"metadata": {"name": "settings"}, "data": {"mode": "fast"}}))
    await create(client, _program("operator"))
    ready = await pod_when(client, "operator", is_ready)
    log = await logs(client, "operator")
    assert "settings" in _said(log, "configmaps").split()
    assert _said(log, "mode") == f"fast pod operator on {ready.spec.node_name}"
    folder, scratch = _said(log, "settings"), _said(log, "scratch")
    assert _said(log, "args") == f"--mode=fast {folder}/mode"
    shown = await execute(control_plane, namespace, "operator", "cat", f"{folder}/mode")
    assert shown == (0, "fast", "")

    await client.patch(ConfigMap, "settings", MergePatch({"data": {"mode": "slow"}}))

    async def mode() -> str:
        return (await execute(control_plane, namespace, "operator", "cat", f"{folder}/mode")).out

    assert await until(mode, lambda found: found == "slow", patience=20)

    await execute(control_plane, namespace, "operator", "touch", f"{scratch}/sick")
    restarted = await pod_when(client, "operator", lambda found: main(found).restart_count >= 1)
    assert _said(await logs(client, "operator", previous="true"), "mode").startswith("fast")
    assert not is_ready(restarted)
    await execute(control_plane, namespace, "operator", "rm", f"{scratch}/sick")
    await pod_when(client, "operator", is_ready)

    pid = int(_said(await logs(client, "operator"), "pid"))
    assert _is_alive(pid)
    await client.delete(Pod, "operator")
    await gone(client, "operator")
    assert not _is_alive(pid)


async def test_a_program_that_cannot_be_started_or_fails_says_why_in_its_log(client: Client) -> None:
    broken = {"name": "main", "image": LOCAL_IMAGE}
    script = "echo first; echo second >&2; exit 5"
    await create(
        client,
        pod("missing", restartPolicy="Never", containers=[{**broken, "args": ["no-such-program"]}]),
        pod("failing", restartPolicy="Never", containers=[{**broken, "args": ["sh", "-c", script]}]),
    )
    failing = await pod_when(client, "failing", lambda found: found.status.phase == "Failed")
    missing = await pod_when(client, "missing", lambda found: found.status.phase == "Failed")
    codes = [each.state.terminated.exit_code for each in (main(failing), main(missing))]  # type: ignore[union-attr]
    assert codes == [5, 127]
    assert await logs(client, "failing") == "first\nsecond\n"
    assert "no-such-program" in await logs(client, "missing")


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
