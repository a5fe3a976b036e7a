from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from windlass.cli import main

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

CONTROL_PLANE = ("etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler")
# A test run in the background ignores SIGINT, and so would its children.
MAIN = """
import signal
from windlass.cli import main
signal.signal(signal.SIGINT, signal.default_int_handler)
main()
"""


@pytest.fixture
def bin_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder that is all of `PATH`, with an empty cache beside it."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.setenv("WINDLASS_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("KUBEBUILDER_ASSETS", raising=False)
    return folder


@pytest.fixture
def no_way_out(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A proxy that refuses every connection: its port is taken, and nobody listens."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        for name in ("https_proxy", "HTTPS_PROXY"):
            monkeypatch.setenv(name, f"http://127.0.0.1:{taken.getsockname()[1]}")
        yield


def put(folder: Path, name: str, script: str) -> Path:
    path = folder / name
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return path


def put_control_plane(folder: Path) -> list[Path]:
    return [
        put(folder, name, "echo etcd Version: 3.6.2" if name == "etcd" else "echo Kubernetes v1.36.1")
        for name in CONTROL_PLANE
    ]


def test_list_shows_what_would_be_used_and_from_where(bin_folder: Path) -> None:
    put_control_plane(bin_folder)
    result = CliRunner().invoke(main, ["tools", "list"])
    assert result.exit_code == 0
    assert [line.split() for line in result.stdout.splitlines()] == [
        ["etcd", "3.6.2", f"{bin_folder}/etcd", "(from", "PATH)"],
        ["kube-apiserver", "1.36.1", f"{bin_folder}/kube-apiserver", "(from", "PATH)"],
        ["kube-controller-manager", "1.36.1", f"{bin_folder}/kube-controller-manager", "(from", "PATH)"],
        ["kube-scheduler", "1.36.1", f"{bin_folder}/kube-scheduler", "(from", "PATH)"],
        ["helm", "4.3.1", "missing;", "run:", "windlass", "tools", "install", "helm"],
        ["kubectl", "1.36.3", "missing;", "run:", "windlass", "tools", "install", "kubectl"],
    ]


def test_list_tells_what_is_passed_over(bin_folder: Path) -> None:
    put(bin_folder, "helm", "echo v3.19.0")
    result = CliRunner().invoke(main, ["tools", "list"])
    assert result.exit_code == 0
    assert f"passed over {bin_folder}/helm: it is 3.19.0, and 4 is needed" in result.stderr
    assert "passed over" not in result.stdout


def test_install_prints_the_paths_of_the_programs(bin_folder: Path) -> None:
    paths = put_control_plane(bin_folder)
    paths.append(put(bin_folder, "helm", "echo v4.0.0"))
    paths.append(put(bin_folder, "kubectl", "echo Client Version: v1.36.1"))
    result = CliRunner().invoke(main, ["tools", "install", "control-plane", "helm", "kubectl"])
    assert result.exit_code == 0
    assert result.stdout.splitlines() == [str(path) for path in paths]
    assert result.stderr == ""


@pytest.mark.parametrize("arguments", [[], ["etcd"]])
def test_install_wants_to_know_what(arguments: list[str]) -> None:
    result = CliRunner().invoke(main, ["tools", "install", *arguments])
    assert result.exit_code == 2
    assert "control-plane" in result.output


def test_a_failed_installation_says_what_to_do_and_exits_with_1(bin_folder: Path, no_way_out: None) -> None:
    result = CliRunner().invoke(main, ["tools", "install", "helm"])
    assert result.exit_code == 1
    assert "helm 4.3.1: no download: there is no way to get.helm.sh" in result.stderr
    assert "Error: helm 4.3.1 was not installed:" in result.stderr
    assert "there is no `go` on PATH" in result.stderr


@pytest.fixture
def waiting_go(bin_folder: Path, tmp_path: Path) -> Iterator[Path]:
    """A `go` that waits for ever, and the fifo that it holds open meanwhile."""
    for name in ("never", "started"):
        os.mkfifo(tmp_path / name)
    script = f"exec 3> '{tmp_path}/started'; echo $$ >&3; read -r word < '{tmp_path}/never'"
    put(bin_folder, "go", script)
    yield tmp_path / "started"
    with suppress(OSError):  # it waits no longer, as it should be
        os.close(os.open(tmp_path / "never", os.O_WRONLY | os.O_NONBLOCK))


@pytest.fixture
def installation(waiting_go: Path, no_way_out: None) -> Iterator[subprocess.Popen[bytes]]:
    """A process that installs Helm."""
    command = [sys.executable, "-c", MAIN, "tools", "install", "helm"]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as process:
        yield process
        process.kill()


@pytest.mark.parametrize("stop", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_signal_ends_go_too_and_leaves_nothing_unfinished(
    stop: signal.Signals, installation: subprocess.Popen[bytes], waiting_go: Path, tmp_path: Path
) -> None:
    with waiting_go.open() as started:
        assert started.readline()
        installation.send_signal(stop)
        assert started.read() == ""  # `go` has ended
    assert installation.wait() != 0
    assert [path.name for path in (tmp_path / "cache/tools").iterdir()] == ["helm-4.3.1.lock"]
