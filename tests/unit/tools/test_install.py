from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from windlass.errors import ToolError
from windlass.tools.install import Installer
from windlass.tools.program import Found, Origin, Platform, Program
from windlass.tools.progress import Progress

if TYPE_CHECKING:
    from collections.abc import Iterator

BODY = b"#!/bin/sh\necho 'etcd Version: 3.6.16'\n"
INSTALL_HELM = """
import sys
from windlass.tools import install_helm
print(install_helm(lambda line: print(line, file=sys.stderr, flush=True)))
"""


@pytest.fixture
def lines() -> list[str]:
    return []


@pytest.fixture
def installer(env: dict[str, str], platform: Platform, lines: list[str]) -> Installer:
    return Installer(env, Progress(lines.append), platform)


def cached(env: dict[str, str], name: str) -> list[str]:
    """The files in the cache of one program."""
    return sorted(path.name for path in Path(env["WINDLASS_CACHE"], "tools", name).glob("*"))


def builds(go: Path) -> int:
    calls = go / "calls"
    return sum(line.startswith("build ") for line in calls.read_text().splitlines()) if calls.exists() else 0


def test_a_release_is_preferred_to_a_build(
    installer: Installer, etcd: Program, release_files: dict[str, bytes], env: dict[str, str], go: Path
) -> None:
    release_files |= {"/etcd": BODY, "/etcd.sha256": hashlib.sha256(BODY).hexdigest().encode()}
    path = Path(env["WINDLASS_CACHE"], "tools/etcd-3.6.16/etcd")
    assert installer.install(etcd) == Found(etcd, "3.6.16", path, Origin.CACHE)
    assert path.read_bytes() == BODY
    assert builds(go) == 0


def test_what_is_there_already_is_used_without_a_word(
    installer: Installer, etcd: Program, release_requests: list[str], lines: list[str], go: Path
) -> None:
    (go / "etcd").write_bytes(BODY)
    (go / "etcd").chmod(0o755)
    assert installer.install(etcd) == Found(etcd, "3.6.16", go / "etcd", Origin.PATH)
    assert lines == []
    assert release_requests == []


def test_the_second_installation_uses_the_cache(
    installer: Installer, unpublished_etcd: Program, lines: list[str], go: Path
) -> None:
    first = installer.install(unpublished_etcd)
    lines.clear()
    assert installer.install(unpublished_etcd) == first
    assert lines == []
    assert builds(go) == 1


def test_a_build_follows_where_there_is_no_way_out(
    installer: Installer, unpublished_etcd: Program, lines: list[str], env: dict[str, str], go: Path
) -> None:
    found = installer.install(unpublished_etcd)
    assert "3.6.16" in found.path.read_text()
    assert builds(go) == 1
    assert cached(env, "etcd-3.6.16") == ["etcd"]
    steps = [line.partition("etcd 3.6.16: ")[2].split()[0] for line in lines]
    assert steps == ["no", "fetching", "building", "installed"]


def test_a_host_out_of_reach_is_mentioned_once(
    installer: Installer, unpublished_etcd: Program, lines: list[str], go: Path
) -> None:
    (go / "fail").touch()
    for _ in range(2):
        with pytest.raises(ToolError):
            installer.install(unpublished_etcd)
    assert sum("there is no way to" in line for line in lines) == 1


def test_a_wrong_checksum_is_refused_and_nothing_is_left(
    installer: Installer, etcd: Program, release_files: dict[str, bytes], env: dict[str, str], go: Path
) -> None:
    release_files |= {"/etcd": b"changed", "/etcd.sha256": hashlib.sha256(BODY).hexdigest().encode()}
    with pytest.raises(ToolError, match="SHA-256"):
        installer.install(etcd)
    assert [path.name for path in Path(env["WINDLASS_CACHE"], "tools").iterdir()] == ["etcd-3.6.16.lock"]
    assert builds(go) == 0


def test_a_build_that_fails_in_the_middle_is_not_taken_for_a_finished_one(
    installer: Installer, unpublished_etcd: Program, env: dict[str, str], go: Path
) -> None:
    (go / "fail").touch()
    with pytest.raises(ToolError, match="undefined: everything"):
        installer.install(unpublished_etcd)
    assert [path.name for path in Path(env["WINDLASS_CACHE"], "tools").iterdir()] == ["etcd-3.6.16.lock"]
    (go / "fail").unlink()
    assert installer.install(unpublished_etcd).path.exists()


def test_a_result_of_another_version_is_refused(
    installer: Installer, unpublished_etcd: Program, env: dict[str, str], go: Path
) -> None:
    (go / "says").write_text("etcd Version: 3.6.15\n")
    with pytest.raises(ToolError, match=r"says that it is 3\.6\.15"):
        installer.install(unpublished_etcd)
    assert cached(env, "etcd-3.6.16") == []


def test_when_every_way_is_closed_the_error_says_what_was_tried_and_what_to_do(
    unpublished_etcd: Program, env: dict[str, str], platform: Platform
) -> None:
    installer = Installer({**env, "PATH": ""}, Progress(lambda _: None), platform)
    with pytest.raises(ToolError) as caught:
        installer.install(unpublished_etcd)
    message = str(caught.value)
    assert "etcd 3.6.16 was not installed:" in message
    assert "neither KUBEBUILDER_ASSETS, nor PATH, nor the cache has etcd 3.6" in message
    assert "downloaded: there is no way to 127.0.0.1" in message
    assert "built: there is no `go` on PATH" in message
    assert message.endswith("windlass tools install control-plane")


def test_a_cache_that_cannot_be_written_is_an_error_that_names_the_way_out(
    unpublished_etcd: Program, env: dict[str, str], platform: Platform, tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    env["WINDLASS_CACHE"] = str(tmp_path / "file")
    with pytest.raises(ToolError, match="WINDLASS_CACHE"):
        Installer(env, Progress(lambda _: None), platform).install(unpublished_etcd)


SECOND_THREAD = """
import threading
threading.Thread(target=threading.Event().wait, daemon=True).start()
"""


@pytest.fixture
def offline(env: dict[str, str], go: Path, refused_url: str) -> Iterator[dict[str, str]]:
    """An environment for whole processes that install Helm: no way out, and a `go` that waits at its gate."""
    (go / "says").write_text("v4.3.1\n")
    os.mkfifo(go / "gate")
    os.mkfifo(go / "started")
    yield {**env, "https_proxy": refused_url, "HTTPS_PROXY": refused_url}
    for gate in go.glob("gate*"):  # whoever waits there still may go home
        with suppress(OSError):
            opened = os.open(gate, os.O_WRONLY | os.O_NONBLOCK)
            os.write(opened, b"go on\n" * 3)
            os.close(opened)


class Installation:
    """A process of its own that installs Helm. With a second thread, no kernel ends its `go` with it."""

    def __init__(self, env: dict[str, str], *, second_thread: bool = False) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", (SECOND_THREAD if second_thread else "") + INSTALL_HELM],
            env=env,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )

    def line(self, part: str) -> str:
        """The next line of progress that has `part` in it, awaited."""
        assert self.process.stderr
        for line in self.process.stderr:
            if part in line:
                return line
        raise AssertionError(f"the installation ended without a line with {part!r}")

    def result(self) -> Path:
        output, errors = self.process.communicate()
        assert self.process.returncode == 0, errors
        return Path(output.strip())


@pytest.fixture
def installations(offline: dict[str, str]) -> Iterator[list[Installation]]:
    started: list[Installation] = []
    yield started
    for each in started:
        with each.process:
            each.process.kill()


def test_of_two_installations_at_once_the_second_waits_and_uses_the_first_ones_result(
    offline: dict[str, str], installations: list[Installation], go: Path
) -> None:
    first = Installation(offline)
    installations.append(first)
    with (go / "started").open() as started:
        assert started.readline()
        second = Installation(offline)
        installations.append(second)
        assert f"waiting for process {first.process.pid}" in second.line("waiting")
        (go / "gate").write_text("go on\n")
        path = first.result()
        assert second.result() == path
    assert builds(go) == 1
    assert cached(offline, "helm-4.3.1") == ["helm"]
    assert path == Path(offline["WINDLASS_CACHE"], "tools/helm-4.3.1/helm")


def test_after_a_kill_in_the_middle_of_a_build_the_next_installation_succeeds(
    offline: dict[str, str], installations: list[Installation], go: Path
) -> None:
    """Even while the orphaned `go` of the killed one lives on, and even when that finishes later."""
    killed = Installation(offline, second_thread=True)
    installations.append(killed)
    with (go / "started").open() as started:
        assert started.readline()
        killed.process.kill()
        killed.process.wait()
        [leftover] = Path(offline["WINDLASS_CACHE"], "tools/helm-4.3.1").iterdir()
        assert leftover.is_dir()
        (go / "gate").rename(go / "gate-of-the-orphan")  # the next build goes straight through
        second = Installation(offline)
        installations.append(second)
        path = second.result()
        made = path.read_bytes()
        (go / "says").write_text("v4.0.0\n")
        (go / "gate-of-the-orphan").write_text("go on\n")
        assert started.read() == ""  # the orphan has ended
    assert builds(go) == 2
    assert path.read_bytes() == made
    assert list(path.parent.iterdir()) == [path]


def test_a_waiting_installation_takes_over_when_the_first_is_killed(
    offline: dict[str, str], installations: list[Installation], go: Path
) -> None:
    first = Installation(offline)
    installations.append(first)
    with (go / "started").open() as started:
        assert started.readline()
        second = Installation(offline)
        installations.append(second)
        second.line("waiting for process")
        (go / "gate").rename(go / "gate-of-the-orphan")
        first.process.kill()
        assert second.result().exists()
    assert builds(go) == 2
