"""kubectl reads logs, runs commands, copies files and forwards ports on the embedded server as on the real one.

On the real one it does so once as the server translates for kubelets, and once with a kubelet that declares
to understand WebSockets itself. Older clients speak SPDY; kubectl does when it is told to.
"""

from __future__ import annotations

import asyncio
import fcntl
import os
import struct
import termios
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from kubectl import Tool, end
from kubelet_site import embedded_site, real_site
from windlass.errors import ToolError
from windlass.tools import find_kubectl

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from kubectl import Said
    from kubelet_site import Site

pytestmark = pytest.mark.usefixtures("control_plane")  # without one asked for, skip the whole file

OLDER = {"KUBECTL_REMOTE_COMMAND_WEBSOCKETS": "false", "KUBECTL_PORT_FORWARD_WEBSOCKETS": "false"}
NOW = datetime.now(UTC).replace(microsecond=0)


@pytest.fixture(params=["embedded", "real", "real-websockets"])
async def site(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Site]:
    """A pod on a node with a kubelet."""
    folder = tmp_path / "container"
    folder.mkdir()
    if request.param == "embedded":
        opened = embedded_site(folder, port=True)
    else:
        features = ("ExtendWebSocketsToKubelet",) if request.param == "real-websockets" else ()
        opened = real_site(request.getfixturevalue("control_plane"), folder, features)
    async with opened as made:
        yield made


@pytest.fixture
def kubectl(site: Site, tmp_path: Path) -> Tool:
    """kubectl in the namespace of the pod."""
    try:
        program = find_kubectl()
    except ToolError as error:
        pytest.skip(f"needs kubectl: {error}")
    return Tool(program, site.access, site.namespace, tmp_path / "home")


@pytest.fixture(params=[{}, OLDER], ids=["websockets", "spdy"])
def env(request: pytest.FixtureRequest) -> dict[str, str]:
    """What makes kubectl speak one or the other."""
    found: dict[str, str] = request.param
    return found


async def test_kubectl_reads_logs(site: Site, kubectl: Tool) -> None:
    async def logs(*options: str) -> str:
        said = await kubectl.run(("logs", "a", "-c", "main", *options), {})
        assert said.code == 0, said
        return said.out

    now = datetime.now(UTC).replace(microsecond=0)
    for age, line in ((3600, "old"), (60, "young")):
        site.kubelet.write(now - timedelta(seconds=age), line)
    site.kubelet.before.append((now, "before"))

    assert await logs() == "old\nyoung\n"
    assert await logs("--tail=1") == "young\n"
    assert await logs("--since=10m") == "young\n"
    assert await logs("--limit-bytes=5") == "old\ny"
    assert await logs("--previous") == "before\n"
    stamp = (now - timedelta(seconds=60)).isoformat()
    assert await logs("--timestamps", "--tail=1") == f"{stamp} young\n"
    waiting = await kubectl.run(("logs", "a", "-c", "other"), {})
    assert waiting == (
        type(waiting)(
            1,
            "",
            'Error from server (BadRequest): container "other" in pod "a" is waiting to start: '
            "ContainerCreating\n",
        )
    )


async def test_kubectl_follows_a_log_until_its_container_ends(site: Site, kubectl: Tool) -> None:
    site.kubelet.write(NOW, "first")
    process = await kubectl.start(("logs", "-f", "a", "-c", "main"), {})
    try:
        assert process.stdout
        async with asyncio.timeout(30):
            assert await process.stdout.readline() == b"first\n"
            site.kubelet.write(NOW, "second")
            assert await process.stdout.readline() == b"second\n"
            site.kubelet.ended.set()
            assert await process.wait() == 0
    finally:
        await end(process)


async def test_kubectl_runs_commands(kubectl: Tool, env: dict[str, str]) -> None:
    async def run(*command: str, typed: bytes | None = None) -> Said:
        options = ("-i",) if typed is not None else ()
        return await kubectl.run(("exec", *options, "a", "-c", "main", "--", *command), env, typed)

    failed = await run("sh", "-c", "echo out; echo err >&2; exit 3")
    assert (failed.code, failed.out) == (3, "out\n")
    assert failed.err == "err\ncommand terminated with exit code 3\n"
    assert (await run("true")).code == 0
    assert (await run("cat", typed=b"line\n" * 50_000)).out == "line\n" * 50_000
    assert (await run("head", "-c", "1000000", "/dev/zero")).out == "\0" * 1_000_000


async def test_kubectl_attaches_to_what_runs(kubectl: Tool, env: dict[str, str]) -> None:
    said = await kubectl.run(("attach", "-i", "a", "-c", "main"), env, b"typed\n")

    assert (said.code, said.out) == (0, "typed\n")


async def test_kubectl_runs_commands_on_a_terminal(kubectl: Tool, env: dict[str, str]) -> None:
    ours, theirs = os.openpty()
    fcntl.ioctl(ours, termios.TIOCSWINSZ, struct.pack("HHHH", 33, 101, 0, 0))
    command = ("sh", "-c", "stty size; read answer; echo got $answer")
    process = await kubectl.start(("exec", "-it", "a", "-c", "main", "--", *command), env, theirs, theirs)
    os.close(theirs)
    try:
        shown = asyncio.StreamReader()
        await asyncio.get_running_loop().connect_read_pipe(
            lambda: asyncio.StreamReaderProtocol(shown), os.fdopen(os.dup(ours), "rb", buffering=0)
        )
        async with asyncio.timeout(30):
            assert await shown.readline() == b"33 101\r\n"
            os.write(ours, b"yes\r")
            assert await shown.readline() == b"yes\r\n"  # a terminal shows what is typed
            assert await shown.readline() == b"got yes\r\n"
            assert await process.wait() == 0
    finally:
        await end(process)
        os.close(ours)


async def test_kubectl_copies_files(site: Site, kubectl: Tool, env: dict[str, str]) -> None:
    content = os.urandom(300_000)
    (kubectl.home / "up").write_bytes(content)

    for source, target in (("up", "a:there"), ("a:there", "down")):
        said = await kubectl.run(("cp", "-c", "main", source, target), env)
        assert said.code == 0, said

    assert (site.kubelet.folder / "there").read_bytes() == content
    assert (kubectl.home / "down").read_bytes() == content


async def test_kubectl_forwards_ports(site: Site, kubectl: Tool, env: dict[str, str]) -> None:
    async def echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(65536):
            writer.write(data.upper())
        writer.close()

    server = await asyncio.start_server(echo, "127.0.0.1", 0)
    site.kubelet.ports[80] = server.sockets[0].getsockname()[1]
    process = await kubectl.start(("port-forward", "a", ":80", ":81"), env)
    try:
        open_port, closed_port = await _forwarded(process, 80), await _forwarded(process, 81)
        assert await _echoed(open_port, b"a" * 100_000) == b"A" * 100_000
        assert await _echoed(closed_port, b"") == b""
        assert process.stderr
        said = (await process.stderr.readline()).decode()
        assert "error forwarding port 81 to pod a, uid : nobody listens on port 81" in said
    finally:
        await end(process)
        server.close()


async def _forwarded(process: asyncio.subprocess.Process, port: int) -> int:
    """The local port that leads to one of the pod, as kubectl says."""
    assert process.stdout
    async with asyncio.timeout(30):
        while not (line := await process.stdout.readline()).startswith(b"Forwarding from 127.0.0.1"):
            assert line, "kubectl ended"
    assert line.endswith(f" -> {port}\n".encode())
    return int(line.split()[2].rpartition(b":")[2])


async def _echoed(port: int, data: bytes) -> bytes:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(data)
    writer.write_eof()
    async with asyncio.timeout(30):
        found = await reader.read()
    writer.close()
    return found
