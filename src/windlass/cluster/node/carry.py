"""Streams between a person and what runs in a pod."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack, suppress
from typing import TYPE_CHECKING, Final

from windlass.apiserver.kubelet import KubeletRefusal
from windlass.cluster.node.process import LOOPBACK, beside

if TYPE_CHECKING:
    from windlass.apiserver.kubelet import Command, Console, Duplex
    from windlass.cluster.node.process import Plan
    from windlass.kinds.core.v1 import Pod

_PIECE: Final = 32 * 1024
_NOT_FOUND: Final = 127
_LONGEST_REQUEST: Final = 64 * 1024


async def run_beside(plan: Plan, command: Command, console: Console) -> int:
    """Run a command with the environment of a program; returns its exit code. Cancelling kills it."""
    async with AsyncExitStack() as stack:
        try:
            running = beside(plan, command.argv, stdin=command.stdin)
            child = await stack.enter_async_context(running)
        except OSError as error:
            await console.write(f"{command.argv[0]}: {error.strerror}\n".encode(), error=True)
            return _NOT_FOUND
        return await _talked(child, console)


async def _talked(child: asyncio.subprocess.Process, console: Console) -> int:
    typing = asyncio.ensure_future(_typed(console, child.stdin)) if child.stdin else None
    try:
        async with asyncio.TaskGroup() as group:
            group.create_task(_shown(child.stdout, console, error=False))
            group.create_task(_shown(child.stderr, console, error=True))
        return await child.wait()
    finally:
        if typing:
            typing.cancel()


async def _typed(console: Console, stdin: asyncio.StreamWriter) -> None:
    with suppress(ConnectionError):
        while data := await console.read():
            stdin.write(data)
            await stdin.drain()
    stdin.close()


async def _shown(output: asyncio.StreamReader | None, console: Console, *, error: bool) -> None:
    while output is not None and (data := await output.read(_PIECE)):
        await console.write(data, error=error)


async def carry(port: int, connection: Duplex) -> None:
    """Carry a connection to a port of this machine, until either side has nothing more to say.

    Raises:
        KubeletRefusal: nobody listens there.
    """
    try:
        reader, writer = await asyncio.open_connection(LOOPBACK, port)
    except OSError as error:
        raise KubeletRefusal(f"dial tcp4 {LOOPBACK}:{port}: connect: connection refused") from error
    sending = asyncio.ensure_future(_sent(connection, writer))
    try:
        while data := await reader.read(_PIECE):
            await connection.write(data)
    finally:
        sending.cancel()
        writer.close()


async def _sent(connection: Duplex, writer: asyncio.StreamWriter) -> None:
    with suppress(ConnectionError):
        while data := await connection.read():
            writer.write(data)
            await writer.drain()
        writer.write_eof()


async def serve_page(pod: Pod, port: int, connection: Duplex) -> None:
    """Answer a request as a simulated pod does: with a small page that says who it is."""
    request = b""
    while b"\r\n\r\n" not in request and len(request) < _LONGEST_REQUEST:
        data = await connection.read()
        if not data:
            break
        request += data
    body = f"{pod.metadata.namespace}/{pod.metadata.name} on {pod.spec.node_name}, port {port}\n".encode()
    head = (
        "HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=utf-8\r\n"
        f"Content-Length: {len(body)}\r\nConnection: close\r\n\r\n"
    )
    await connection.write(head.encode() + body)
