"""`windlass helm run` with a chart from a registry: fetched at the start, and kept for starts without one."""

from __future__ import annotations

import asyncio
import sys
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import pytest

from chart_archives import answering
from chart_registry import Registry
from free_form import free_form, is_created
from polling import until
from servers import embedded_fixture, server_fixture
from started import started
from windlass.api import Kind, ObjectMeta, Untyped
from windlass.client import connect, load_config
from windlass.errors import NotFound, ToolError
from windlass.kinds.core.v1 import ConfigMap
from windlass.tools import find_helm

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from servers import Server
    from windlass.client import Client

embedded = embedded_fixture
server = server_fixture
pytestmark = pytest.mark.timeout(120)

PATIENCE = 45.0
TEMPLATE = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: "{{ .Release.Name }}"}\n'
QUIET = ("--metrics-bind-address=0", "--health-probe-bind-address=0", "--zap-encoder=json")


@pytest.fixture(autouse=True)
def _helm() -> None:
    try:
        find_helm()
    except ToolError as error:
        pytest.skip(f"needs helm: {error}")


@asynccontextmanager
async def running(server: Server, folder: Path) -> AsyncIterator[None]:
    operator = await started(
        "helm", "run", f"--watches-file={folder / 'watches.yaml'}", f"--chart-cache={folder / 'cache'}",
        "--plain-http", f"--kubeconfig={server.access.kubeconfig}", *QUIET,
        env={"WATCH_NAMESPACE": server.namespace},
    )  # fmt: skip
    try:
        yield
    finally:
        await operator.stop()


async def is_deployed(client: Client, name: str, namespace: str) -> bool:
    try:
        await client.get(ConfigMap, name, namespace)
    except NotFound:
        return False
    return True


async def test_a_chart_of_a_registry_is_an_operator_and_with_its_digest_also_once_that_is_gone(
    server: Server, tmp_path: Path
) -> None:
    namespace = server.namespace
    kind = Kind(f"{namespace}.example.com", "v1", "Shop", "shops", subresources=("status",))
    registry = Registry(["1.0.0"], templates={"shop.yaml": TEMPLATE})
    async with connect(load_config(server.access.kubeconfig)) as client:
        await client.create(free_form(kind))
        async with answering(registry) as address:
            (tmp_path / "watches.yaml").write_text(
                f"- {{group: {kind.group}, version: v1, kind: Shop, chart: 'oci://{address}/charts/shop',"
                f" chartDigest: '{registry.digest_of('1.0.0')}'}}\n"
            )
            await deployed_by_a_run(client, server, tmp_path, Untyped.of(kind), "first")
        await deployed_by_a_run(client, server, tmp_path, Untyped.of(kind), "second")


async def deployed_by_a_run(
    client: Client, server: Server, folder: Path, shops: type[Untyped], name: str
) -> None:
    """Run the operator until an object of this name is a release, and until it is gone again."""
    namespace = server.namespace
    async with running(server, folder):
        shop = shops(metadata=ObjectMeta(name=name, namespace=namespace))
        await until(lambda: is_created(client, shop), every=0.1, patience=PATIENCE)
        await until(lambda: is_deployed(client, name, namespace), every=0.1, patience=PATIENCE)
        await client.delete(shops, name, namespace)
        await until(
            lambda: is_deployed(client, name, namespace),
            lambda found: not found,
            every=0.1,
            patience=PATIENCE,
        )


@pytest.mark.parametrize("command", ["run", "rules"])
async def test_a_chart_that_cannot_be_fetched_ends_the_process_with_one_line(
    tmp_path: Path, command: str
) -> None:
    file = tmp_path / "watches.yaml"
    async with answering(Registry(["1.0.0"])) as address:
        pass  # the port is free again
    file.write_text(
        f"- {{version: v1, kind: Shop, chart: 'oci://{address}/charts/shop', chartVersion: 1.0.0}}\n"
    )
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", "from windlass.cli import main; main()", "helm", command, "--plain-http"),
        *(f"--watches-file={file}", f"--chart-cache={tmp_path / 'cache'}"),
        stderr=asyncio.subprocess.PIPE,
    )
    _, said = await process.communicate()

    assert process.returncode == 1
    assert f"Error: {file}, entry 1: " in said.decode()
    assert "cannot be fetched" in said.decode()
    assert "Traceback" not in said.decode()
