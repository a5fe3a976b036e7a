"""Logs of simulated containers, and commands in them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from executing import execute, logs
from on_node import create, is_ready, main, pod, pod_when

if TYPE_CHECKING:
    from windlass.client import Client
    from windlass.testing import Access


async def test_logs_are_what_the_container_is_said_to_write(client: Client) -> None:
    lines = {"log": "listening\nserving"}
    await create(client, pod("web", annotations=lines), pod("bad", annotations={**lines, "crash": "1"}))
    await pod_when(client, "web", is_ready)
    assert await logs(client, "web") == "listening\nserving\n"
    assert await logs(client, "web", tailLines="1") == "serving\n"
    assert (await logs(client, "web", timestamps="true")).startswith("2")
    await pod_when(
        client, "bad", lambda found: bool(found.status.container_statuses) and main(found).restart_count > 0
    )
    assert await logs(client, "bad", previous="true") == "listening\nserving\n"


async def test_a_simulated_container_knows_a_few_commands(
    client: Client, control_plane: Access, namespace: str
) -> None:
    env = [{"name": "MODE", "value": "fast"}]
    volume = {
        "name": "me",
        "downwardAPI": {"items": [{"path": "name", "fieldRef": {"fieldPath": "metadata.name"}}]},
    }
    mounts = [{"name": "me", "mountPath": "/etc/me"}]
    container = {"name": "main", "image": "web:1", "env": env, "volumeMounts": mounts}
    await create(client, pod("web", containers=[container], volumes=[volume]))
    await pod_when(client, "web", is_ready)

    async def run(*argv: str) -> tuple[int, str]:
        return (await execute(control_plane, namespace, "web", *argv))[:2]

    assert await run("echo", "hello", "there") == (0, "hello there\n")
    assert await run("sh", "-c", "echo $MODE; hostname; exit 3") == (3, "fast\nweb\n")
    assert await run("cat", "/etc/me/name") == (0, "web")
    assert "MODE=fast\n" in (await run("env"))[1]
    assert (await run("frobnicate"))[0] == 127
