"""A controller inside somebody else's operator, as the guide shows."""

from __future__ import annotations

import signal
import sys
from typing import TYPE_CHECKING

import pytest

import readme
from polling import until
from program import running
from real import administrator, settled
from servers import embedded_fixture, server_fixture
from windlass.api import ObjectMeta
from windlass.codegen import load_module
from windlass.kinds.core.v1 import ConfigMap
from windlass.testing import install_kinds

pytest.importorskip("kopf", reason="needs kopf: pip install -r requirements/clients.txt")

if TYPE_CHECKING:
    from servers import Server

embedded = embedded_fixture
server = server_fixture

EXAMPLES = readme.ROOT / "examples"
HOST = readme.ROOT / "docs" / "guides" / "embedding" / "inside_kopf.py"


async def test_kopf_and_a_controller_share_an_event_loop(server: Server) -> None:
    greeting = load_module(str(EXAMPLES / "minimal.py")).Greeting
    command = (
        sys.executable,
        "-m",
        "kopf",
        "run",
        "--standalone",
        f"--namespace={server.namespace}",
        str(HOST),
    )
    environment = {"KUBECONFIG": str(server.access.kubeconfig), "PYTHONPATH": str(EXAMPLES)}
    async with settled(), administrator(server.access, server.namespace) as client:
        await install_kinds(client, [greeting])
        async with running(*command, **environment) as host:
            await client.create(greeting(metadata=ObjectMeta(name="ada")))
            await client.create(ConfigMap(metadata=ObjectMeta(name="settings", labels={"old": "yes"})))
            await until(
                lambda: client.get(greeting, "ada"),
                lambda found: bool(found.status.text),
                patience=30,
            )
            await host.says("kopf has seen settings")
            host.kill(signal.SIGTERM)
            assert await host.ended() == 0
