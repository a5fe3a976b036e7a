"""`windlass up`: what it says, what it writes, and what it leaves."""

from __future__ import annotations

import asyncio
import signal
import socket
import sys
from typing import TYPE_CHECKING

import orjson
from click.testing import CliRunner

from polling import until
from windlass.api import ObjectMeta
from windlass.cli.up import up
from windlass.client import connect, load_config
from windlass.kinds.core.v1 import Namespace, Node

if TYPE_CHECKING:
    from pathlib import Path


async def test_it_serves_until_it_is_told_to_stop_and_leaves_nothing(tmp_path: Path) -> None:
    kubeconfig, log = tmp_path / "config", tmp_path / "audit.log"
    program = "from windlass.cli.up import up; up()"
    options = ["--kubeconfig", str(kubeconfig), "--audit-log", str(log)]
    command = [sys.executable, "-c", program, *options]
    running = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
    assert running.stdout is not None
    said = await running.stdout.readuntil(b"removes everything.\n")
    mode = kubeconfig.stat().st_mode & 0o777
    async with connect(load_config(kubeconfig)) as client:
        names = [each.metadata.name for each in await client.list(Namespace)]
    running.send_signal(signal.SIGTERM)
    rest, _ = await running.communicate()

    assert f"export KUBECONFIG={kubeconfig}" in said.decode()
    assert (mode, "default" in names) == (0o600, True)
    assert (rest, running.returncode, kubeconfig.exists()) == (b"Stopped.\n", 0, False)
    asked = [orjson.loads(line)["requestURI"].partition("?")[0] for line in log.read_bytes().splitlines()]
    assert "/api/v1/namespaces" in asked


async def test_its_nodes_have_the_labels_that_were_given(tmp_path: Path) -> None:
    kubeconfig = tmp_path / "config"
    program = "from windlass.cli.up import up; up()"
    options = ["--kubeconfig", str(kubeconfig), "--nodes", "2", "--label", "zone=a", "--label", "role="]
    running = await asyncio.create_subprocess_exec(
        sys.executable, "-c", program, *options, stdout=asyncio.subprocess.PIPE
    )
    assert running.stdout is not None
    await running.stdout.readuntil(b"removes everything.\n")
    try:
        async with connect(load_config(kubeconfig)) as client:
            nodes = await until(lambda: client.list(Node), lambda found: len(found) == 2)
    finally:
        running.send_signal(signal.SIGTERM)
        await running.communicate()

    assert [(each.metadata.labels["zone"], each.metadata.labels["role"]) for each in nodes] == [("a", "")] * 2


async def test_a_folder_keeps_everything_and_is_refused_to_a_second_process(tmp_path: Path) -> None:
    data = tmp_path / "data"
    command = [
        sys.executable,
        "-c",
        "from windlass.cli import main; main()",
        "up",
        "--bare",
        "--data",
        str(data),
    ]
    pipe = asyncio.subprocess.PIPE
    names = []
    for name in ("first", "second"):
        running = await asyncio.create_subprocess_exec(*command, stdout=pipe)
        assert running.stdout is not None
        said = await running.stdout.readuntil(b"keeps everything.\n")
        async with connect(load_config(data / "kubeconfig")) as client:
            await client.create(Namespace(metadata=ObjectMeta(name=name)))
            names.append([each.metadata.name for each in await client.list(Namespace)])
        second = await asyncio.create_subprocess_exec(*command, stderr=pipe)
        _, refused = await second.communicate()
        running.send_signal(signal.SIGTERM)
        rest, _ = await running.communicate()

        assert f"Ctrl-C stops it; {data} keeps everything." in said.decode()
        assert refused.decode() == (
            f"Error: {data} is in use by process {running.pid}; stop it, or choose another folder\n"
        )
        assert (second.returncode, rest, running.returncode) == (1, b"Stopped.\n", 0)

    assert set(names[1]) - set(names[0]) == {"second"}
    assert "first" in names[1]


def test_a_kubeconfig_that_exists_is_never_overwritten(tmp_path: Path) -> None:
    precious = tmp_path / "config"
    precious.write_text("my clusters")

    result = CliRunner().invoke(up, ["--kubeconfig", str(precious)])

    assert result.exit_code != 0
    assert "exists; choose another name" in result.output
    assert precious.read_text() == "my clusters"


def test_a_port_that_is_taken_is_said(tmp_path: Path) -> None:
    kubeconfig = tmp_path / "config"
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        result = CliRunner().invoke(up, ["--port", str(port), "--kubeconfig", str(kubeconfig)])

    assert result.exit_code != 0
    assert f"cannot serve on port {port}: " in result.output
    assert not kubeconfig.exists()
