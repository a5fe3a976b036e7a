"""The supervision, with programs that do as little as possible in place of a control plane."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from windlass.errors import ToolError
from windlass.testing.processes import Processes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

pytestmark = pytest.mark.skipif(not Path("/proc/self").exists(), reason="finds processes through /proc")

SLEEP = ["sleep", "600"]
NOW = timedelta()
SOON = timedelta(milliseconds=20)
LONG = timedelta(seconds=30)

STARTER = """
import json, os, signal, sys
from datetime import timedelta
from windlass.testing.processes import Processes

signal.signal(signal.SIGINT, signal.default_int_handler)  # who runs the tests may have it ignored
processes = Processes()
processes.start("one", ["sleep", "600"])
processes.start("two", ["sleep", "600"])
while len(processes.pids) < 3:
    processes.check(timedelta(milliseconds=20))
holder = os.fork() if "fork" in sys.argv else 0
if "fork" in sys.argv and not holder:
    signal.pause()
print(json.dumps({"folder": str(processes.folder), "pids": processes.pids, "holder": holder}), flush=True)
signal.pause()
"""


def alive(pid: int) -> bool:
    """Whether a process runs; one that ended but was not yet collected by its parent does not."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"


def members(folder: Path) -> list[int]:
    """Every process that belongs to a folder: it was given the folder, or works in it."""
    return [
        pid
        for pid in (int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdecimal())
        if alive(pid) and of(pid, folder)
    ]


def of(pid: int, folder: Path) -> bool:
    with suppress(OSError):
        cwd = Path(f"/proc/{pid}/cwd").readlink()
        return cwd == folder or str(folder).encode() in Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
    return False


def eventually(condition: Callable[[], bool], within: timedelta = LONG) -> bool:
    deadline = time.monotonic() + within.total_seconds()
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


def started(processes: Processes, name: str) -> int:
    deadline = time.monotonic() + LONG.total_seconds()
    while name not in processes.pids and time.monotonic() < deadline:
        processes.check(SOON)
    return processes.pids[name]


def started_anew(processes: Processes, name: str, before: int) -> int:
    deadline = time.monotonic() + LONG.total_seconds()
    while processes.pids.get(name, before) == before and time.monotonic() < deadline:
        processes.check(SOON)
    return processes.pids[name]


@pytest.fixture
def processes() -> Iterator[Processes]:
    made = Processes()
    yield made
    made.stop()


@pytest.fixture
def starter() -> Iterator[Callable[..., tuple[subprocess.Popen[bytes], dict[str, Any]]]]:
    launched: list[subprocess.Popen[bytes]] = []

    def launch(*arguments: str) -> tuple[subprocess.Popen[bytes], dict[str, Any]]:
        process = subprocess.Popen([sys.executable, "-c", STARTER, *arguments], stdout=subprocess.PIPE)
        launched.append(process)
        assert process.stdout
        return process, json.loads(process.stdout.readline())

    yield launch
    for process in launched:
        process.kill()
        process.communicate()


@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT], ids=lambda end: end.name)
def test_nothing_is_left_when_the_starter_is_ended(
    end: signal.Signals, starter: Callable[..., tuple[subprocess.Popen[bytes], dict[str, Any]]]
) -> None:
    process, told = starter()
    folder = Path(told["folder"])
    assert len(members(folder)) == 4  # supervisor, heir, one, two

    process.send_signal(end)

    assert eventually(lambda: not members(folder))
    assert eventually(lambda: not any(alive(pid) for pid in told["pids"].values()))  # reaped a moment later
    assert eventually(lambda: not folder.exists())


def test_nothing_is_left_when_a_process_that_the_starter_forked_lives_on(
    starter: Callable[..., tuple[subprocess.Popen[bytes], dict[str, Any]]],
) -> None:
    process, told = starter("fork")
    folder = Path(told["folder"])
    try:
        process.kill()

        assert eventually(lambda: not any(alive(pid) for pid in told["pids"].values()))
        assert eventually(lambda: not folder.exists())
        assert alive(told["holder"])
    finally:
        os.kill(told["holder"], signal.SIGKILL)


def test_nothing_is_left_when_the_supervisor_is_killed(processes: Processes) -> None:
    processes.start("sleeper", SLEEP)
    sleeper = started(processes, "sleeper")

    os.kill(processes.pids["supervisor"], signal.SIGKILL)

    assert eventually(lambda: not alive(sleeper))
    assert eventually(lambda: not processes.folder.exists())
    assert eventually(lambda: not members(processes.folder))
    with pytest.raises(ToolError, match="the supervisor of the control plane is gone"):
        processes.check(LONG)


def test_nothing_is_left_after_a_stop(processes: Processes) -> None:
    processes.start("sleeper", SLEEP)
    sleeper = started(processes, "sleeper")

    processes.stop()

    assert not alive(sleeper)
    assert not processes.folder.exists()
    assert eventually(lambda: not members(processes.folder))


def test_stopping_again_does_nothing(processes: Processes) -> None:
    processes.stop()
    processes.stop()

    assert not processes.folder.exists()


def test_a_program_that_ignores_sigterm_is_killed(processes: Processes, tmp_path: Path) -> None:
    deaf = tmp_path / "deaf"
    processes.start("stubborn", ["sh", "-c", f"trap '' TERM; touch {deaf}; exec sleep 600"])
    stubborn = started(processes, "stubborn")
    assert eventually(deaf.exists)

    processes.stop()

    assert not alive(stubborn)
    assert not processes.folder.exists()


def test_programs_are_ended_in_the_reverse_of_their_order(processes: Processes, tmp_path: Path) -> None:
    ends = tmp_path / "ends"
    script = "trap 'echo {0} >> {1}; exit' TERM; touch {1}.{0}; while :; do sleep 0.01; done"
    for name in ("first", "second", "third"):
        processes.start(name, ["sh", "-c", script.format(name, ends)])
        assert eventually(ends.with_suffix(f".{name}").exists)

    processes.stop()

    assert ends.read_text().split() == ["third", "second", "first"]


def test_a_program_that_ends_is_reported_at_once_with_its_last_words(processes: Processes) -> None:
    processes.start("faulty", ["sh", "-c", "echo no such flag >&2; exit 3"])

    with pytest.raises(ToolError) as raised:
        processes.check(LONG)

    message = str(raised.value)
    assert message.startswith("faulty ended with exit code 3\ncommand: sh -c ")
    assert message.endswith("the end of faulty.log:\n  no such flag")


def test_a_program_that_does_not_exist_is_reported_like_one_that_failed(processes: Processes) -> None:
    processes.start("missing", ["/nowhere/missing", "--flag"])

    with pytest.raises(
        ToolError, match=r"missing ended with exit code 127\ncommand: /nowhere/missing --flag\n.*"
    ) as raised:
        processes.check(LONG)
    assert "No such file or directory" in str(raised.value)


def test_programs_run_in_the_folder_and_leave_their_output_there(processes: Processes) -> None:
    processes.start("talker", ["sh", "-c", "pwd; echo error >&2; exec sleep 600"])
    log = processes.folder / "talker.log"

    assert eventually(lambda: log.exists() and log.read_text() == f"{processes.folder.resolve()}\nerror\n")


def test_only_the_user_can_read_the_folder(processes: Processes) -> None:
    assert processes.folder.stat().st_mode & 0o777 == 0o700


def test_the_settings_of_an_etcd_elsewhere_do_not_reach_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ETCD_DATA_DIR", "/var/lib/etcd")
    monkeypatch.setenv("KEPT", "yes")
    processes = Processes()
    try:
        processes.start("env", ["sh", "-c", "env; echo done; exec sleep 600"])
        log = processes.folder / "env.log"
        assert eventually(lambda: log.exists() and log.read_text().endswith("done\n"))

        assert "KEPT=yes" in log.read_text()
        assert "ETCD_" not in log.read_text()
    finally:
        processes.stop()


def test_an_abort_from_another_thread_ends_a_wait_at_once(processes: Processes) -> None:
    processes.start("sleeper", SLEEP)
    sleeper = started(processes, "sleeper")
    abort = threading.Thread(target=processes.abort)
    abort.start()

    with pytest.raises(ToolError):
        processes.check(LONG)

    abort.join()
    assert not alive(sleeper)


def test_after_a_stop_there_is_nothing_to_check_or_to_start(processes: Processes) -> None:
    processes.stop()

    with pytest.raises(ToolError, match="was stopped"):
        processes.check(NOW)
    with pytest.raises(ToolError, match="was stopped"):
        processes.start("late", SLEEP)


def test_a_program_that_was_killed_is_gone_and_no_failure_and_can_be_started_anew(
    processes: Processes,
) -> None:
    processes.start("one", SLEEP)
    first = started(processes, "one")
    processes.start("two", SLEEP)

    processes.kill("one")
    processes.kill("one")

    assert not alive(first)
    assert "one" not in processes.pids
    processes.check(NOW)
    processes.revive("one")
    second = started(processes, "one")
    assert alive(second)
    assert second != first
    assert alive(started(processes, "two"))


def test_a_program_that_was_started_anew_may_not_end(processes: Processes) -> None:
    processes.start("one", SLEEP)
    processes.kill("one")
    processes.revive("one")
    os.kill(started(processes, "one"), signal.SIGKILL)

    with pytest.raises(ToolError, match="one was ended by SIGKILL"):
        processes.check(LONG)


def test_what_was_never_started_cannot_be_killed(processes: Processes) -> None:
    processes.start("one", SLEEP)

    with pytest.raises(ToolError, match="no program 'three', only one"):
        processes.kill("three")


def test_what_a_program_leaves_among_temporary_files_goes_with_the_folder(processes: Processes) -> None:
    processes.start("untidy", ["sh", "-c", 'echo left > "$TMPDIR/left"; exec sleep 600'])

    assert eventually(lambda: list(processes.folder.rglob("left")) != [])
    processes.stop()
    assert not processes.folder.exists()


def test_programs_have_what_the_environment_adds() -> None:
    processes = Processes("small", {"GREETING": "hello"})
    try:
        processes.start("talker", ["sh", "-c", "echo $GREETING; exec sleep 600"])
        log = processes.folder / "talker.log"

        assert eventually(lambda: log.exists() and log.read_text() == "hello\n")
        assert "small" in processes.folder.name
    finally:
        processes.stop()


def test_a_lasting_program_is_started_again_when_it_is_killed(processes: Processes) -> None:
    processes.start("one", SLEEP, lasting=True)
    first = started(processes, "one")

    os.kill(first, signal.SIGKILL)

    assert started_anew(processes, "one", first) != first
    assert processes.revived == ["one was ended by SIGKILL"]


def test_it_is_told_with_what_words_a_lasting_program_failed(processes: Processes) -> None:
    processes.start("faulty", ["sh", "-c", "echo first; echo no such flag >&2; exit 3"], lasting=True)

    while not processes.revived:
        processes.check(SOON)

    assert processes.revived[0] == "faulty ended with exit code 3: no such flag"


def test_a_lasting_program_that_ends_at_once_is_not_started_again_at_once(processes: Processes) -> None:
    processes.start("hasty", ["sh", "-c", "echo begun"], lasting=True)
    log = processes.folder / "hasty.log"
    begin = time.monotonic()

    while len(processes.revived) < 3:
        processes.check(SOON)

    assert time.monotonic() - begin >= 2.0  # two pauses lie between three starts
    assert log.read_text() == 3 * "begun\n"


def test_a_lasting_program_can_be_killed_while_it_waits_to_be_started_again(processes: Processes) -> None:
    processes.start("hasty", ["true"], lasting=True)
    while not processes.revived:
        processes.check(SOON)

    processes.kill("hasty")
    processes.check(NOW)

    assert "hasty" not in processes.pids


def test_every_program_lasts_from_the_moment_that_says_so(processes: Processes) -> None:
    processes.start("one", SLEEP)
    first = started(processes, "one")
    processes.keep_alive()

    os.kill(first, signal.SIGKILL)

    assert alive(started_anew(processes, "one", first))
