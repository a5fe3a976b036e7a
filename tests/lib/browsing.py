"""A headless browser, told what to do by its own protocol."""

from __future__ import annotations

import asyncio
import os
import shutil
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import aiohttp

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

_NAMES = ("chromium", "chromium-browser", "google-chrome", "chromium-headless-shell", "chrome")
_PATIENCE = 40.0
_WAITING = """new Promise((done) => {
  const look = () => { const found = (%s); if (found) done(found); else setTimeout(look, 20); };
  look();
})"""


def browser() -> str | None:
    """The browser of this machine, if it has one."""
    return next((found for name in _NAMES if (found := shutil.which(name))), None)


class Tab:
    """A page in a browser. `problems` are what its scripts and its security policy complained of."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self._socket = socket
        self._answers: dict[int, asyncio.Future[Any]] = {}
        self.problems: list[str] = []

    async def command(self, method: str, **parameters: Any) -> Any:
        """Do something by the protocol, and what it answers."""
        number = len(self._answers)
        answer = self._answers[number] = asyncio.get_running_loop().create_future()
        await self._socket.send_json({"id": number, "method": method, "params": parameters})
        async with asyncio.timeout(_PATIENCE):
            return await answer

    async def run(self, script: str) -> Any:
        """The value of an expression in the page; of a promise what it comes to."""
        told = await self.command(
            "Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True, userGesture=True
        )
        assert "exceptionDetails" not in told, told
        return told["result"].get("value")

    async def until(self, condition: str) -> Any:
        """Wait for an expression in the page to be true."""
        return await self.run(_WAITING % condition)

    async def listen(self) -> None:
        """Take in what the browser says, until it says no more."""
        async for message in self._socket:
            said = message.json()
            if "id" in said:
                self._answers[said["id"]].set_result(said.get("result", said.get("error")))
            elif said["method"] == "Runtime.exceptionThrown":
                self.problems.append(str(said["params"]["exceptionDetails"]))
            elif said["method"] == "Log.entryAdded" and said["params"]["entry"]["level"] == "error":
                self.problems.append(said["params"]["entry"]["text"])


@asynccontextmanager
async def browsing(program: str, folder: Path, url: str) -> AsyncIterator[Tab]:
    """A page of a browser of its own, which ends with the block."""
    options = [
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--remote-debugging-port=0",
        f"--user-data-dir={folder}",
    ]
    quiet = asyncio.subprocess.DEVNULL
    running = await asyncio.create_subprocess_exec(
        program, *options, "about:blank", stdout=quiet, stderr=asyncio.subprocess.PIPE, env=dict(os.environ)
    )
    try:
        async with aiohttp.ClientSession() as session:
            address = await _address(running)
            async with session.get(f"{address}/json/list") as answer:
                pages = [each for each in await answer.json() if each["type"] == "page"]
            async with session.ws_connect(pages[0]["webSocketDebuggerUrl"], max_msg_size=0) as socket:
                tab = Tab(socket)
                listening = asyncio.create_task(tab.listen())
                for domain in ("Runtime", "Log", "Page", "Accessibility"):
                    await tab.command(f"{domain}.enable")
                await tab.command("Page.navigate", url=url)
                yield tab
            await listening
    finally:
        running.kill()
        await running.wait()


async def _address(running: asyncio.subprocess.Process) -> str:
    """Where the browser listens, which it says as soon as it does."""
    assert running.stderr is not None
    async with asyncio.timeout(_PATIENCE):
        async for line in running.stderr:
            said = line.decode(errors="replace")
            if "DevTools listening on ws://" in said:
                return "http://" + said.partition("ws://")[2].partition("/")[0]
    raise AssertionError("the browser ended before it listened")
