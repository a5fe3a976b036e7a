"""`windlass run`: signals, exit codes, and the one line that says why."""

from __future__ import annotations

import asyncio
import signal
import sys
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from windlass.cli import main
from windlass.cli.run import operate
from windlass.errors import ConfigError, NotLeadingError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

PROGRAM = """
import asyncio, sys, time
from windlass.aio import run
from windlass.cli.run import until_signalled

class Slow:
    async def run(self):
        print("running", flush=True)
        try:
            await asyncio.Event().wait()
        finally:
            print("draining", flush=True)
            {drain}
            print("drained", flush=True)

run(until_signalled(Slow()))
"""


async def started(drain: str) -> asyncio.subprocess.Process:
    program = PROGRAM.format(drain=drain)
    running = await asyncio.create_subprocess_exec(
        sys.executable, "-c", program, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
    )
    await line_of(running, "running")
    return running


async def line_of(running: asyncio.subprocess.Process, expected: str) -> None:
    assert running.stdout is not None
    assert (await running.stdout.readline()).decode().strip() == expected


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_a_signal_lets_running_work_end_and_the_process_ends_well(number: signal.Signals) -> None:
    running = await started("await asyncio.sleep(0)")
    running.send_signal(number)
    out, err = await running.communicate()

    assert (out, err, running.returncode) == (b"draining\ndrained\n", b"", 0)


@pytest.mark.parametrize("drain", ["await asyncio.Event().wait()", "time.sleep(3600)"])
async def test_a_second_signal_ends_it_at_once_even_if_the_loop_is_blocked(drain: str) -> None:
    running = await started(drain)
    running.send_signal(signal.SIGTERM)
    await line_of(running, "draining")
    running.send_signal(signal.SIGINT)
    out, _ = await running.communicate()

    assert (out, running.returncode) == (b"", -signal.SIGINT)


class Failing:
    """A manager that cannot go on."""

    def __init__(self, error: BaseException) -> None:
        self._error = error

    async def run(self) -> None:
        raise self._error


@asynccontextmanager
async def opened(error: BaseException) -> AsyncIterator[Failing]:
    yield Failing(error)


async def test_of_several_errors_the_first_that_we_know_is_told() -> None:
    inner = BaseExceptionGroup("inner", [NotLeadingError("the lease was lost"), ConfigError("taken")])
    with pytest.raises(NotLeadingError, match="the lease was lost"):
        await operate(opened(BaseExceptionGroup("outer", [KeyError("x"), inner])))


async def test_errors_that_nobody_knows_are_raised_as_they_are() -> None:
    with pytest.raises(BaseExceptionGroup) as raised:
        await operate(opened(BaseExceptionGroup("outer", [KeyError("x")])))

    assert isinstance(raised.value.exceptions[0], KeyError)


@pytest.mark.usefixtures("own_logging")
@pytest.mark.parametrize(
    ("arguments", "text", "said"),
    [
        (["nowhere.py"], "", "Error: there is no file nowhere.py"),
        (["{file}"], "", "has no operator: write `def add_to(manager): manager.add(…)`"),
        (
            ["{file}", "--health-probe-bind-address=1"],
            "def add_to(manager): ...",
            "Error: --health-probe-bind-address: '1' is no address",
        ),
        (["{file}", "--log-level=loud"], "", "Error: there is no log level 'loud'"),
        (
            ["{file}", "--name=No Name"],
            "def add_to(manager): ...",
            "Error: 'No Name' cannot be an operator's name",
        ),
        (["{file}"], "def add_to(manager): ...", "Error: no cluster is configured"),
    ],
)
def test_what_stops_it_from_starting_is_one_line_and_exit_code_1(
    arguments: list[str], text: str, said: str, tmp_path: Path
) -> None:
    file = tmp_path / "app.py"
    file.write_text(text)
    nowhere = {"KUBECONFIG": None, "HOME": str(tmp_path), "KUBERNETES_SERVICE_HOST": None}

    result = CliRunner().invoke(main, ["run", *(each.format(file=file) for each in arguments)], env=nowhere)

    assert (result.exit_code, len(result.output.splitlines())) == (1, 1)
    assert said in result.output
