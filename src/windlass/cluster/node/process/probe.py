"""Asking a process how it is: over HTTP, by a connection, or by a command."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping
    from ssl import SSLContext

    from windlass.kinds.core.v1.pod_spec import Container, HTTPGetAction, Probe

LOOPBACK: Final = "127.0.0.1"
_BETTER: Final = range(200, 400)


async def ask(
    probe: Probe,
    container: Container,
    ports: Mapping[int, int],
    execute: Callable[[tuple[str, ...]], Awaitable[tuple[int, bytes]]],
) -> str:
    """Ask once; empty if the answer is good, otherwise what is wrong with it."""
    try:
        if probe.http_get:
            return await _http(probe.http_get, local(probe.http_get.port, container, ports))
        if probe.exec:
            code, said = await execute(tuple(probe.exec.command))
            return "" if code == 0 else said.decode(errors="replace").strip() or f"exit code {code}"
        port = probe.tcp_socket.port if probe.tcp_socket else probe.grpc.port if probe.grpc else 0
        await _connected(local(port, container, ports))
    except OSError as error:
        return str(error)
    return ""


def local(port: int | str, container: Container, ports: Mapping[int, int]) -> int:
    """The port of this machine that is a port of a container, by its name or number."""
    named = {each.name: each.container_port for each in container.ports if each.name}
    number = named.get(str(port), 0) or (int(port) if str(port).isdecimal() else 0)
    return ports.get(number, number)


async def _connected(port: int) -> None:
    _, writer = await asyncio.open_connection(LOOPBACK, port)
    writer.close()


async def _http(action: HTTPGetAction, port: int) -> str:
    secure = action.scheme == "HTTPS"
    reader, writer = await asyncio.open_connection(LOOPBACK, port, ssl=_unverified() if secure else None)
    try:
        headers = {"Host": f"{LOOPBACK}:{port}", "User-Agent": "kube-probe/1.36", "Accept": "*/*"}
        headers |= {each.name: each.value for each in action.http_headers}
        lines = [
            f"GET {action.path or '/'} HTTP/1.1",
            *(f"{name}: {value}" for name, value in headers.items()),
        ]
        writer.write("\r\n".join([*lines, "Connection: close", "", ""]).encode())
        words = (await reader.readline()).split()
    finally:
        writer.close()
    code = int(words[1]) if len(words) > 1 and words[1].isdigit() else 0
    return "" if code in _BETTER else f"HTTP probe failed with statuscode: {code}"


def _unverified() -> SSLContext:
    import ssl

    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context
