"""Commands that are told to stop before they have begun to work, or while they wait."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import sys
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import click
import pytest
from click.testing import CliRunner

from windlass.cli import main
from windlass.cli.foreground import Stopped, publishing, run
from windlass.client import connect, load_config
from windlass.kinds.core.v1 import Namespace

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

PIPE = asyncio.subprocess.PIPE
STOPS = [signal.SIGINT, signal.SIGTERM]
_IMPORTED = re.compile(r"import time: .*\n")


async def started(*command: str, folder: Path) -> asyncio.subprocess.Process:
    """Start Python in a process whose temporary files lie in a folder of its own."""
    environment = {**os.environ, "TMPDIR": str(folder)}
    return await asyncio.create_subprocess_exec(
        sys.executable, *command, stdout=PIPE, stderr=PIPE, stdin=asyncio.subprocess.DEVNULL, env=environment
    )


async def ended(process: asyncio.subprocess.Process) -> tuple[str, str]:
    """What a process still says until it ends, but for the modules that it loads."""
    async with asyncio.timeout(30):
        out, err = await process.communicate()
    return out.decode(), _IMPORTED.sub("", err.decode())


def left_in(folder: Path) -> list[str]:
    """The names of the files in a folder."""
    return sorted(each.name for each in folder.iterdir())


async def reads(stream: asyncio.StreamReader | None, text: str) -> None:
    """Wait for a line that has this text."""
    assert stream is not None
    async with asyncio.timeout(30):
        async for line in stream:
            if text in line.decode():
                return
    raise AssertionError(f"it ended without saying {text!r}")


@asynccontextmanager
async def silent_server(folder: Path) -> AsyncIterator[tuple[Path, asyncio.Event]]:
    """A kubeconfig of a server that takes connections and never answers, and whether one has come."""
    asked = asyncio.Event()
    writers = []

    async def take(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writers.append(writer)
        await reader.readline()
        asked.set()

    server = await asyncio.start_server(take, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    config = {
        "apiVersion": "v1",
        "kind": "Config",
        "current-context": "c",
        "clusters": [{"name": "c", "cluster": {"server": f"http://127.0.0.1:{port}"}}],
        "contexts": [{"name": "c", "context": {"cluster": "c", "user": "u"}}],
        "users": [{"name": "u", "user": {"token": "t"}}],
    }
    file = folder / "kubeconfig"
    file.write_text(json.dumps(config))
    try:
        yield file, asked
    finally:
        for writer in writers:
            writer.close()
        server.close()


LOADED = [
    ("click", ["up"]),
    ("windlass.cli.root", ["up"]),
    ("pydantic", ["run", "windlass.operators.pagerduty"]),
    ("windlass.cluster", ["up"]),
    ("windlass.apiserver.world", ["up"]),
    ("windlass.codegen", ["run", "windlass.operators.pagerduty"]),
    ("windlass.operators.pagerduty.controllers.service", ["run", "windlass.operators.pagerduty"]),
    ("windlass.testing", ["control-plane"]),
    ("windlass.cli.demo.board", ["demo"]),
    ("windlass.cli.demo.stage", ["demo"]),
]


@pytest.mark.parametrize(("module", "command"), LOADED)
@pytest.mark.parametrize("number", STOPS)
async def test_a_signal_while_modules_are_loaded_is_a_line_and_an_exit_code(
    module: str, command: list[str], number: signal.Signals, tmp_path: Path
) -> None:
    process = await started("-X", "importtime", "-m", "windlass", *command, folder=tmp_path)
    await reads(process.stderr, f" {module}\n")
    process.send_signal(number)
    out, err = await ended(process)

    assert out + err == "Stopped.\n"
    assert process.returncode in (0, 128 + number)
    assert left_in(tmp_path) == []


@pytest.mark.parametrize("number", STOPS)
@pytest.mark.parametrize(
    ("command", "code", "said"),
    [
        (["nodes", "--count", "2"], 0, "Stopped.\n"),
        (["install", "windlass.operators.pagerduty"], None, "Stopped.\n"),
        (["run", "windlass.operators.pagerduty", "--log-format=json"], 0, ""),
        (["run", "windlass.operators.pagerduty", "--leader-elect", "--leader-election-namespace=x"], 0, ""),
    ],
    ids=["nodes", "install", "run", "run that elects"],
)
async def test_a_signal_while_the_server_does_not_answer(
    command: list[str], code: int | None, said: str, number: signal.Signals, tmp_path: Path
) -> None:
    ports = ["--metrics-bind-address=0", "--health-probe-bind-address=0"] if command[0] == "run" else []
    async with silent_server(tmp_path) as (kubeconfig, asked):
        arguments = [*command, *ports, "--kubeconfig", str(kubeconfig)]
        process = await started("-m", "windlass", *arguments, folder=tmp_path)
        async with asyncio.timeout(30):
            await asked.wait()
        process.send_signal(number)
        out, err = await ended(process)

    assert process.returncode == (128 + number if code is None else code)
    assert "Traceback" not in err
    assert "Task was destroyed" not in err
    if said:
        assert (out + err).endswith(said)
    else:
        assert "Stopped" in err
    assert left_in(tmp_path) == ["kubeconfig"]


@pytest.mark.parametrize(("options", "code"), [([], 0), (["--exit-when-ready"], None)])
@pytest.mark.parametrize("number", STOPS)
async def test_a_signal_while_the_demo_starts_leaves_nothing(
    options: list[str], code: int | None, number: signal.Signals, tmp_path: Path
) -> None:
    process = await started("-m", "windlass", "demo", "--plain", *options, folder=tmp_path)
    assert process.stdout is not None
    async with asyncio.timeout(30):
        await process.stdout.readline()
    process.send_signal(number)
    out, err = await ended(process)

    assert (out + err).endswith("Stopped.\n")
    assert "Traceback" not in err
    assert process.returncode == (128 + number if code is None else code)
    assert left_in(tmp_path) == []


SLOW = """
import time
{where}
    try:
        print("here", flush=True)
        time.sleep(3600)
    finally:
        print("undone", flush=True)
"""


@pytest.mark.parametrize("command", [["run"], ["generate", "all"]], ids=["run", "generate"])
@pytest.mark.parametrize("number", STOPS)
async def test_what_was_begun_is_undone_when_a_signal_comes_while_an_operator_is_imported(
    command: list[str], number: signal.Signals, tmp_path: Path
) -> None:
    (tmp_path / "slow.py").write_text(SLOW.format(where="if True:"))
    process = await started("-m", "windlass", *command, str(tmp_path / "slow.py"), folder=tmp_path)
    await reads(process.stdout, "here")
    process.send_signal(number)
    out, err = await ended(process)

    assert (out, err, process.returncode) == ("undone\n", "Stopped.\n", 128 + number)


@pytest.mark.parametrize("number", STOPS)
async def test_a_second_signal_ends_a_command_whose_loop_is_blocked(
    number: signal.Signals, tmp_path: Path
) -> None:
    (tmp_path / "slow.py").write_text(SLOW.format(where="def add_to(manager):"))
    async with silent_server(tmp_path) as (kubeconfig, _):
        arguments = [str(tmp_path / "slow.py"), "--kubeconfig", str(kubeconfig)]
        process = await started("-m", "windlass", "run", *arguments, folder=tmp_path)
        await reads(process.stdout, "here")
        for _ in range(200):  # the first one alone is waited for, in vain
            process.send_signal(number)
            try:
                async with asyncio.timeout(0.05):
                    await process.wait()
                break
            except TimeoutError:
                continue
        _, err = await ended(process)

    assert (err, process.returncode) == ("Stopped.\n", 128 + number)


PROGRAM = """
import asyncio, os, signal, sys
from windlass.cli.foreground import Stopped, run, stop_on_signals

async def main():
    print("began", flush=True)
    try:
        {body}
    finally:
        await asyncio.sleep(0)
        print("undone", flush=True)

{before}
try:
    run(main())
except Stopped as stopped:
    sys.exit(stopped.code)
"""


async def program(before: str, body: str, tmp_path: Path) -> tuple[str, str, int | None]:
    process = await started("-c", PROGRAM.format(before=before, body=body), folder=tmp_path)
    out, err = await ended(process)
    return out, err, process.returncode


TERM = "os.kill(os.getpid(), signal.SIGTERM)"
INT = "os.kill(os.getpid(), signal.SIGINT)"


WAIT = "await asyncio.Event().wait()"
LATER = f"asyncio.get_running_loop().call_later(0.01, lambda: {TERM})"


@pytest.mark.parametrize("body", [f"{TERM}; {WAIT}", f"{LATER}; {WAIT}"])
async def test_what_a_command_began_is_undone(body: str, tmp_path: Path) -> None:
    assert await program("stop_on_signals()", body, tmp_path) == ("began\nundone\n", "", 143)


async def test_a_signal_that_another_one_follows_is_one_stop(tmp_path: Path) -> None:
    body = f"{TERM}; {INT}; {WAIT}"
    assert await program("stop_on_signals()", body, tmp_path) == ("began\nundone\n", "", 143)


async def test_the_same_signal_twice_ends_it_at_once(tmp_path: Path) -> None:
    body = f"{INT}; {INT}; {WAIT}"
    assert await program("stop_on_signals()", body, tmp_path) == ("began\n", "Stopped.\n", 130)


async def test_a_signal_that_is_ignored_stays_so(tmp_path: Path) -> None:
    before = "signal.signal(signal.SIGINT, signal.SIG_IGN); stop_on_signals()"
    assert await program(before, f"{INT}; await asyncio.sleep(0)", tmp_path) == ("began\nundone\n", "", 0)


async def test_a_signal_before_the_coroutine_begins_lets_it_not_begin(tmp_path: Path) -> None:
    made = f"lambda new=uvloop.new_event_loop: ({TERM}, new())[1]"
    before = f"import uvloop\nuvloop.new_event_loop = {made}"  # it comes while the loop is made
    assert await program(before, "pass", tmp_path) == ("", "", 143)


def test_a_command_that_ends_by_itself_leaves_the_handlers_as_they_were() -> None:
    before = [signal.getsignal(each) for each in STOPS]

    async def main() -> int:
        return 7

    assert run(main()) == 7
    assert [signal.getsignal(each) for each in STOPS] == before
    assert Stopped(signal.SIGTERM).code == 143


async def test_the_kubeconfig_of_up_appears_whole_when_the_server_is_ready(tmp_path: Path) -> None:
    file = tmp_path / "place" / "config"
    file.parent.mkdir()
    process = await started("-m", "windlass", "up", "--bare", "--kubeconfig", str(file), folder=tmp_path)
    async with asyncio.timeout(30):
        while not file.exists():  # noqa: ASYNC110 - it is another process that makes it
            await asyncio.sleep(0)
    first = file.stat()
    async with connect(load_config(file)) as client:  # it serves already
        await client.list(Namespace)
    await reads(process.stdout, "removes everything.")
    later = file.stat()
    process.send_signal(signal.SIGTERM)
    await ended(process)

    assert first.st_mode & 0o777 == 0o600
    assert (first.st_ino, first.st_mtime_ns) == (later.st_ino, later.st_mtime_ns)
    assert left_in(file.parent) == []


@pytest.mark.parametrize("command", ["up", "control-plane"])
def test_a_kubeconfig_that_could_not_be_written_is_refused_before_anything_starts(
    command: str, tmp_path: Path
) -> None:
    nowhere = tmp_path / "nowhere" / "config"
    result = CliRunner().invoke(main, [command, "--kubeconfig", str(nowhere)])

    assert (result.exit_code, result.output) == (
        1,
        f"Error: cannot write {nowhere}: No such file or directory\n",
    )


def test_a_kubeconfig_is_never_written_over_another_and_a_failure_leaves_nothing(tmp_path: Path) -> None:
    file = tmp_path / "config"
    with publishing(file) as publish:
        file.write_text("precious")
        with pytest.raises(click.ClickException, match="exists"):
            publish("ours")
    assert (file.read_text(), left_in(tmp_path)) == ("precious", ["config"])

    file.unlink()
    with pytest.raises(UnicodeEncodeError), publishing(file) as publish:
        publish("\ud800")
    assert left_in(tmp_path) == []


def test_a_kubeconfig_that_was_not_written_is_not_removed(tmp_path: Path) -> None:
    file = tmp_path / "config"
    with publishing(file):
        file.write_text("of somebody else")
    assert file.read_text() == "of somebody else"

    with publishing(None) as publish:
        publish("nowhere")
