from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest
from typing_extensions import override

from windlass.aio import ManualClock
from windlass.apiserver.kubelet import Console
from windlass.cluster.node.shell import Shell
from windlass.cluster.node.terminal import Terminal


class Person(Console):
    """Types what they are given, and keeps what they are shown."""

    def __init__(self, *typed: bytes) -> None:
        self._typed = list(typed)
        self.shown, self.errors = b"", b""

    @override
    async def read(self) -> bytes:
        return self._typed.pop(0) if self._typed else b""

    @override
    async def write(self, data: bytes, *, error: bool = False) -> None:
        if error:
            self.errors += data
        else:
            self.shown += data

    @override
    async def resized(self) -> tuple[int, int]:
        return 80, 24


def shell(clock: ManualClock | None = None) -> Shell:
    """A shell in a container with a variable and a file."""
    return Shell("web", clock or ManualClock(), {"MODE": "fast"}, {"/etc/me/name": b"web"})


@pytest.mark.parametrize(
    ("argv", "code", "shown", "errors"),
    [
        (("echo", "a", "b"), 0, b"a b\n", b""),
        (("echo", "-n", "a"), 0, b"a", b""),
        (("echo",), 0, b"\n", b""),
        (("env",), 0, b"MODE=fast\n", b""),
        (("hostname",), 0, b"web\n", b""),
        (("/bin/cat", "/etc/me/name"), 0, b"web", b""),
        (("cat", "/none"), 1, b"", b"cat: can't open '/none': No such file or directory\n"),
        (("sh", "-c", "echo $MODE; exit 3; echo no"), 3, b"fast\n", b""),
        (("sh", "-c", "echo 'open"), 2, b"", b"sh: syntax error: No closing quotation\n"),
        (("true",), 0, b"", b""),
        (("false",), 1, b"", b""),
        (("make", "coffee"), 127, b"", b"sh: make: not found\n"),
        (("date",), 0, b"Thu Jan 01 00:00:00 UTC 2026\n", b""),
    ],
)
async def test_it_knows_a_few_commands(argv: tuple[str, ...], code: int, shown: bytes, errors: bytes) -> None:
    person = Person()
    assert await shell().run(argv, person) == code
    assert (person.shown, person.errors) == (shown, errors)


async def test_what_is_typed_is_run_line_by_line_until_exit() -> None:
    person = Person(b"echo on", b"e\rhost", b"name\rexit 4\recho two\r")
    assert await shell().run(("sh",), person, stdin=True) == 4
    assert person.shown == b"one\nweb\n"


async def test_on_a_terminal_one_sees_what_one_types_and_can_correct_it() -> None:
    person = Person(b"echo onr", b"\x7fe\r", b"oops\x03", b"\x04")
    assert await shell().run(("sh",), Terminal(person), stdin=True) == 0
    assert person.shown == b"/ # echo onr\b \be\r\none\r\n/ # oops^C\r\n/ # "


async def test_cat_without_a_file_repeats_what_is_typed() -> None:
    person = Person(b"hello", b" there")
    assert await shell().run(("cat",), person, stdin=True) == 0
    assert person.shown == b"hello there"


async def test_sleep_takes_the_time_of_the_clock() -> None:
    clock = ManualClock()
    sleeping = asyncio.ensure_future(shell(clock).run(("sleep", "60"), Person()))
    await asyncio.sleep(0)
    assert clock.sleeps == [timedelta(seconds=60)]
    await clock.advance(timedelta(seconds=60))
    assert await sleeping == 0
