from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from windlass.testing import failure

if TYPE_CHECKING:
    from pathlib import Path

COMMAND = ["/opt/etcd", "--name=a b", "--data-dir=etcd"]


def log_with(folder: Path, text: str) -> Path:
    log = folder / "etcd.log"
    log.write_text(text)
    return log


def test_a_failure_shows_the_program_its_end_its_command_and_its_last_words(tmp_path: Path) -> None:
    message = failure.ended("etcd", 1, COMMAND, log_with(tmp_path, "starting\nno such flag\n"))

    assert message.splitlines() == [
        "etcd ended with exit code 1",
        "command: /opt/etcd '--name=a b' --data-dir=etcd",
        "the end of etcd.log:",
        "  starting",
        "  no such flag",
    ]


@pytest.mark.parametrize(
    ("code", "end"),
    [(0, "ended with exit code 0"), (-9, "was ended by SIGKILL"), (-99, "was ended by signal 99")],
)
def test_the_way_in_which_a_program_ended_is_named(code: int, end: str, tmp_path: Path) -> None:
    assert failure.ended("etcd", code, COMMAND, tmp_path / "no.log").splitlines()[0] == f"etcd {end}"


def test_of_a_long_log_the_last_twenty_lines_are_shown(tmp_path: Path) -> None:
    log = log_with(tmp_path, "".join(f"line {number}\n" for number in range(100)))

    assert failure.last_words(log) == [
        "the end of etcd.log:",
        *(f"  line {number}" for number in range(80, 100)),
    ]


def test_a_line_without_end_is_cut(tmp_path: Path) -> None:
    assert failure.last_words(log_with(tmp_path, "x" * 9000)) == ["the end of etcd.log:", f"  {'x' * 500} …"]


def test_bytes_that_are_no_text_do_not_hide_the_rest(tmp_path: Path) -> None:
    log = tmp_path / "etcd.log"
    log.write_bytes(b"good\n\xff\xfe bad\n")

    assert failure.last_words(log)[1] == "  good"


def test_a_log_that_is_empty_or_missing_is_said_to_be(tmp_path: Path) -> None:
    assert failure.last_words(log_with(tmp_path, "")) == ["etcd.log: empty"]
    assert failure.last_words(tmp_path / "other.log") == ["other.log: not written"]


def test_a_start_that_takes_too_long_shows_what_was_awaited_and_every_log(tmp_path: Path) -> None:
    log = log_with(tmp_path, "still electing\n")

    message = failure.not_ready("/readyz: 500 not yet", [log, tmp_path / "kube-apiserver.log"])

    assert message.splitlines() == [
        "the control plane did not get ready in time; the last answer: /readyz: 500 not yet",
        "the end of etcd.log:",
        "  still electing",
        "kube-apiserver.log: not written",
    ]
