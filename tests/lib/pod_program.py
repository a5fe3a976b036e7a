"""A small operator-like program that tests run in a pod: it uses its token, its files and its port."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from http import HTTPStatus
from pathlib import Path

from windlass.client import connect
from windlass.kinds.core.v1 import ConfigMap


def say(*words: object) -> None:
    """Write a line to the log at once."""
    print(*words, flush=True)  # noqa: T201 - this is what the container says


async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Answer a probe: well, until there is a file called `sick` in the folder of scratch."""
    await reader.readuntil(b"\r\n\r\n")
    sick = (Path(os.environ["SCRATCH"]) / "sick").exists()
    status = HTTPStatus.INTERNAL_SERVER_ERROR if sick else HTTPStatus.OK
    writer.write(f"HTTP/1.1 {status} x\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok".encode())
    await writer.drain()
    writer.close()


async def main() -> None:
    """Say who it is and what it sees, then serve until it is told to stop."""
    stop = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
    say("pid", os.getpid())
    say("args", *sys.argv[1:])
    say("mode", os.environ["MODE"], "pod", os.environ["POD"], "on", os.environ["NODE"])
    say("settings", os.environ["SETTINGS"])
    say("scratch", os.environ["SCRATCH"])
    async with connect() as client:
        found = await client.list(ConfigMap, client.options.namespace)
        say("configmaps", *sorted(each.metadata.name for each in found))
    async with await asyncio.start_server(answer, "127.0.0.1", int(os.environ["PORT"])):
        await stop.wait()
    say("bye")


if __name__ == "__main__":
    asyncio.run(main())
