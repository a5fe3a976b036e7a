"""The demo, as somebody runs it who has just cloned the repository."""

from __future__ import annotations

import asyncio
import os
import re
import shlex
import signal
import sys
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import aiohttp
import pytest

from polling import until
from windlass.errors import ToolError
from windlass.tools import find_helm, find_kubectl

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

pytestmark = [pytest.mark.timeout(400), pytest.mark.xdist_group("demo")]
_PATIENCE = 240.0
_HEADERS = {
    "Authorization": "Token token=simulated",
    "Accept": "application/vnd.pagerduty+json;version=2",
}


class Demo:
    """A demo that runs, and all that it has said."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process
        self.said: list[str] = []

    async def until(self, pattern: str) -> str:
        """Wait for a line in which this pattern is found."""
        async with asyncio.timeout(_PATIENCE):
            while True:
                line = await self.line()
                if re.search(pattern, line):
                    return line

    async def line(self) -> str:
        """The next line."""
        assert self.process.stdout is not None
        line = (await self.process.stdout.readline()).decode()
        assert line, f"the demo ended: {''.join(self.said)}"
        self.said.append(line)
        return line

    @property
    def folder(self) -> Path:
        """Where the demo has its files."""
        return self.kubeconfig.parents[1]

    @property
    def kubeconfig(self) -> Path:
        """The kubeconfig that it names."""
        (found,) = re.findall(r"export KUBECONFIG=(.+)", "".join(self.said))
        return Path(*shlex.split(found))

    @property
    def to_try(self) -> list[str]:
        """The commands that it suggests."""
        return re.findall(r"^    ((?:kubectl|windlass|pkill) .*)$", "".join(self.said), re.MULTILINE)

    async def seen(self, text: str) -> None:
        """Wait until a line has had this text, if none has yet."""
        await self.found(re.escape(text))

    async def found(self, pattern: str) -> None:
        """Wait until a line has had this pattern, if none has yet."""
        if not re.search(pattern, "".join(self.said)):
            await self.until(pattern)

    async def typed(self, command: str) -> None:
        """Type a command into a shell that has the kubeconfig; it must not fail."""
        process = await self._shell(command)
        said, _ = await process.communicate()
        assert process.returncode == 0, f"{command}: {said.decode()}"

    async def kubectl(self, words: str) -> None:
        """Type a command of kubectl, which must not fail."""
        await self.typed(f"kubectl {words}")

    @asynccontextmanager
    async def beside(self, command: str) -> AsyncIterator[None]:
        """Let a command run for the length of the block."""
        process = await self._shell(f"exec {command}")
        try:
            yield
        finally:
            process.terminate()
            await process.communicate()

    async def _shell(self, command: str) -> asyncio.subprocess.Process:
        tools = [Path(sys.executable).parent, find_kubectl().parent]
        path = os.pathsep.join([*map(str, tools), os.environ.get("PATH", os.defpath)])
        return await asyncio.create_subprocess_shell(
            command,
            env={**os.environ, "PATH": path, "KUBECONFIG": str(self.kubeconfig)},
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )

    async def put_back(self) -> None:
        """Edit the service in PagerDuty, and wait until it is as it was."""
        (url,) = re.findall(r"PagerDuty +(http\S+)", "".join(self.said))
        async with aiohttp.ClientSession(url, headers=_HEADERS) as pagerduty:

            async def service() -> dict[str, Any]:
                async with pagerduty.get("/services") as answer:
                    found: list[dict[str, Any]] = (await answer.json())["services"]
                return next(each for each in found if each["description"])

            before = await service()
            async with pagerduty.patch(
                f"/_simulator/objects/{before['id']}", json={"description": "mine"}
            ) as done:
                assert done.ok, await done.text()
            await until(service, lambda found: found["description"] == before["description"], every=0.5)

    def pids(self, words: str) -> list[int]:
        """The processes of this demo whose command line has these words."""
        mine = str(self.folder)
        found = []
        for each in Path("/proc").glob("[0-9]*/cmdline"):
            try:
                command = each.read_bytes().replace(b"\0", b" ").decode()
            except OSError:  # it has ended meanwhile
                continue
            if mine in command and words in command:
                found.append(int(each.parent.name))
        return found


@asynccontextmanager
async def demo(*flags: str, **environment: str) -> AsyncIterator[Demo]:
    """Run the demo until the block is left."""
    try:
        find_helm()
    except ToolError as error:
        pytest.skip(f"needs helm: {error}")
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "windlass", "demo", *flags),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
        env={**os.environ, "PYTHONUNBUFFERED": "1", **environment},
    )
    try:
        yield Demo(process)
    finally:
        if process.returncode is None:
            process.send_signal(signal.SIGINT)
        await process.communicate()


async def test_all_becomes_ready_although_the_api_server_and_the_operators_are_killed_meanwhile() -> None:
    async with demo("--exit-when-ready") as shown:
        await shown.until("EscalationPolicy ")
        for words in ("windlass up", "windlass run windlass.operators.all"):
            (pid,) = shown.pids(words)
            os.kill(pid, signal.SIGKILL)
        await shown.until("started again: control-plane was ended by SIGKILL")
        said = await shown.until("resources are ready")
        await shown.process.wait()

        ready, expected = re.findall(r"(\d+) of (\d+) resources", said)[0]
        assert ready == expected
        assert shown.process.returncode == 0
        assert not shown.folder.exists()


async def test_all_becomes_ready_on_the_real_control_plane() -> None:
    async with demo("--exit-when-ready", "--real") as shown:
        said = await shown.until("resources are ready")
        await shown.process.wait()

        ready, expected = re.findall(r"(\d+) of (\d+) resources", said)[0]
        assert ready == expected
        assert shown.process.returncode == 0


async def test_what_it_suggests_to_try_can_be_seen() -> None:
    async with demo() as shown:
        await shown.until("Ctrl-C stops all of it")
        for name in ("minimart-sample: Ready", "okta-main: Ready", "pagerdutyservice-sample: Ready"):
            await shown.seen(name)
        await shown.seen("peerpodconfig-sample: Ready")
        never = "jsonpath={.status.containerStatuses[0].restartCount}=0"
        await shown.kubectl(f"wait pods -l app=peer-pods-webhook --for {never} --timeout 0")
        scale, add_node, break_it, kill = shown.to_try

        await shown.typed(scale)
        await shown.kubectl(
            "wait deployment minimart-sample --for jsonpath={.status.readyReplicas}=3 --timeout 60s"
        )
        await shown.put_back()
        async with shown.beside(add_node):
            vms = r"jsonpath={.status.capacity.kata\.peerpods\.io/vm}"
            await shown.kubectl("wait node more-1 --for create --timeout 60s")
            await shown.kubectl(f"wait node more-1 --for '{vms}' --timeout 60s")
        await shown.typed(break_it)
        await shown.until(r"okta-main: .*configuration")
        await shown.typed(kill)
        await shown.until("started again: control-plane was ended by SIGKILL")
        again = "until kubectl wait minimart minimart-sample --for condition=Deployed; do sleep 1; done"
        await shown.typed(f"timeout 60 sh -c '{again}'")

        shown.process.send_signal(signal.SIGINT)
        await shown.until("Stopped")
        await shown.process.wait()
        assert shown.process.returncode == 0
        assert not shown.folder.exists()


@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGTERM, signal.SIGHUP], ids=lambda end: end.name)
async def test_however_it_is_ended_in_the_middle_nothing_is_left(end: signal.Signals, tmp_path: Path) -> None:
    temporary = tmp_path / "with a blank"
    temporary.mkdir()
    async with demo(TMPDIR=str(temporary)) as shown:
        await shown.until("Ctrl-C stops all of it")
        await shown.until(r"Ptemplate .*: \w+")
        assert shown.pids("windlass")

        shown.process.send_signal(end)
        await shown.process.wait()

        await until(lambda: asyncio.to_thread(list, temporary.iterdir()), lambda left: not left, patience=30)
        await until(lambda: asyncio.to_thread(shown.pids, "windlass"), lambda left: not left, patience=30)


async def test_where_nobody_reads_it_any_more_it_ends(tmp_path: Path) -> None:
    command = f"{shlex.quote(sys.executable)} -m windlass demo | head -3"
    process = await asyncio.create_subprocess_shell(
        command,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env={**os.environ, "TMPDIR": str(tmp_path)},
    )
    async with asyncio.timeout(_PATIENCE):
        said, complaint = await process.communicate()

    assert len(said.splitlines()) == 3
    assert complaint == b""
    assert await asyncio.to_thread(os.listdir, tmp_path) == []


async def test_without_helm_the_rest_becomes_ready_and_what_waits_says_so(tmp_path: Path) -> None:
    async with demo(PATH="/nowhere", WINDLASS_CACHE=str(tmp_path), HTTPS_PROXY="http://127.0.0.1:9") as shown:
        await shown.until("helm is missing, and is obtained now")
        for name in (r"Minimart .*: \w+ missing: helm", r"Collector globex/okta-main: .*missing: helm"):
            await shown.found(name)
        await shown.found("pagerdutyservice-sample: Ready")
        await shown.found("helm was not obtained")
