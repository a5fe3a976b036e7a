"""An embedded control plane in a thread: there when it is made, gone when it is stopped."""

from __future__ import annotations

import socket
import subprocess
import sys
import threading

import pytest

from windlass.api import ObjectMeta
from windlass.client import NO_RETRY, ClientOptions, WatchOptions, connect, load_config
from windlass.cluster import Cluster, ClusterOptions
from windlass.errors import ConnectionFailedError, Gone
from windlass.kinds.core.v1 import Namespace
from windlass.testing.embedded import EmbeddedControlPlane


@pytest.mark.parametrize("options", [None, ClusterOptions(), ClusterOptions(port=0)], ids=str)
async def test_it_can_be_reached_as_soon_as_it_is_made(options: ClusterOptions | None) -> None:
    running = EmbeddedControlPlane(options)
    try:
        async with connect(load_config(running.access.kubeconfig)) as client:
            names = [each.metadata.name for each in await client.list(Namespace)]
    finally:
        running.stop()

    assert "default" in names


def test_stopping_ends_its_thread_and_its_files_and_may_be_repeated() -> None:
    before = threading.enumerate()
    running = EmbeddedControlPlane()
    folder = running.access.folder

    running.stop()
    running.stop()

    assert not folder.exists()
    assert set(threading.enumerate()) <= set(before)


async def test_it_can_be_killed_restarted_and_made_to_forget_its_past() -> None:
    running = EmbeddedControlPlane()
    try:
        config = load_config(running.access.kubeconfig)
        async with connect(config, ClientOptions(retry=NO_RETRY)) as client:
            before = (await client.list(Namespace)).resource_version
            await client.create(Namespace(metadata=ObjectMeta(name="new")))
            running.kill()
            with pytest.raises(ConnectionFailedError):
                await client.list(Namespace)
            running.restart()
            assert "new" in [each.metadata.name for each in await client.list(Namespace)]

            running.compact()

            with pytest.raises(Gone):
                await anext(client.watch(Namespace, options=WatchOptions(resource_version=before)))
    finally:
        running.stop()


def test_what_keeps_it_from_starting_is_raised_where_it_is_made() -> None:
    with (
        socket.create_server(("127.0.0.1", 0)) as taken,
        pytest.raises(OSError, match="address already in use"),
    ):
        EmbeddedControlPlane(ClusterOptions(port=taken.getsockname()[1]))


async def test_a_cluster_that_cannot_write_its_kubeconfig_does_not_go_on_listening(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    nowhere = tmp_path_factory.mktemp("gone")
    monkeypatch.setattr("tempfile.tempdir", str(nowhere / "missing"))

    with pytest.raises(FileNotFoundError):
        async with Cluster(ClusterOptions(port=port)):
            pass

    socket.create_server(("127.0.0.1", port)).close()


@pytest.mark.skipif(sys.version_info >= (3, 11, 8), reason="this Python may load modules in two threads")
def test_it_loads_no_part_of_the_server_later() -> None:
    script = """
import sys
from windlass.testing.embedded import EmbeddedControlPlane
from windlass.testing.namespace import create_namespace, delete_namespace

def loaded():
    return {name for name in sys.modules if name.startswith("windlass.apiserver")}

running = EmbeddedControlPlane()
before = loaded()
delete_namespace(running.access, create_namespace(running.access))
running.stop()
print(*(loaded() - before))
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)

    assert done.stdout == "\n"
