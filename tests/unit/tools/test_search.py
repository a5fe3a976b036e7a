from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from windlass.tools.cache import Cache
from windlass.tools.catalog import ETCD, HELM, KUBE_APISERVER, KUBECTL
from windlass.tools.program import Found, Origin, Program
from windlass.tools.search import search

if TYPE_CHECKING:
    from pathlib import Path


def program_file(folder: Path, name: str, says: str) -> Path:
    """A program that prints `says` to whatever it is asked."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_text(f"#!/bin/sh\necho '{says}'\n")
    path.chmod(0o755)
    return path


def refuse(line: str) -> None:
    raise AssertionError(f"nothing should be passed over: {line}")


@pytest.mark.parametrize(
    ("program", "says", "version"),
    [
        (KUBE_APISERVER, "Kubernetes v1.36.1", "1.36.1"),
        (
            ETCD,
            "etcd Version: 3.6.2\nGit SHA: 1a2b3c4\nGo Version: go1.24.1\nGo OS/Arch: linux/amd64",
            "3.6.2",
        ),
        (HELM, 'version.BuildInfo{Version:"v4.0.1", GitCommit:"abc", GoVersion:"go1.26.8"}', "4.0.1"),
        (HELM, "v4.1.0+g1234567", "4.1.0"),
        (KUBECTL, "Client Version: v1.36.2\nKustomize Version: v5.8.1", "1.36.2"),
    ],
)
def test_the_version_is_read_from_what_the_program_prints(
    program: Program, says: str, version: str, tmp_path: Path, env: dict[str, str]
) -> None:
    path = program_file(tmp_path / "bin", program.name, says)
    assert search(program, {**env, "PATH": str(path.parent)}, refuse) == Found(
        program, version, path, Origin.PATH
    )


def test_a_program_is_asked_for_its_version_in_its_own_way(tmp_path: Path, env: dict[str, str]) -> None:
    path = program_file(tmp_path / "bin", "helm", "")
    path.write_text('#!/bin/sh\n[ "$*" = version ] && echo v4.0.1\n')
    found = search(HELM, {**env, "PATH": str(path.parent)}, refuse)
    assert found is not None
    assert found.path == path


def test_the_assets_folder_goes_before_path_and_path_before_the_cache(
    tmp_path: Path, env: dict[str, str]
) -> None:
    assets = program_file(tmp_path / "assets", "etcd", "etcd Version: 3.6.1")
    on_path = program_file(tmp_path / "bin", "etcd", "etcd Version: 3.6.2")
    cached = Cache.of(env).path(ETCD)
    program_file(cached.parent, "etcd", "etcd Version: 3.6.16")

    env["PATH"] = str(on_path.parent)
    env["KUBEBUILDER_ASSETS"] = str(assets.parent)
    assert search(ETCD, env, refuse) == Found(ETCD, "3.6.1", assets, Origin.ASSETS)
    assets.unlink()
    assert search(ETCD, env, refuse) == Found(ETCD, "3.6.2", on_path, Origin.PATH)
    on_path.unlink()
    assert search(ETCD, env, refuse) == Found(ETCD, "3.6.16", cached, Origin.CACHE)
    cached.unlink()
    assert search(ETCD, env, refuse) is None


def test_a_wrong_version_on_path_is_passed_over_with_a_line_that_says_so(
    tmp_path: Path, env: dict[str, str]
) -> None:
    old = program_file(tmp_path / "old", "etcd", "etcd Version: 3.4.0")
    good = program_file(tmp_path / "good", "etcd", "etcd Version: 3.6.0")
    env["PATH"] = f"{old.parent}:{good.parent}"
    lines: list[str] = []
    found = search(ETCD, env, lines.append)
    assert found is not None
    assert found.path == good
    assert lines == [f"etcd 3.6.16: passed over {old}: it is 3.4.0, and 3.6 is needed"]


def test_helm_3_is_passed_over(tmp_path: Path, env: dict[str, str]) -> None:
    path = program_file(tmp_path / "bin", "helm", "v3.19.0+g1234567")
    lines: list[str] = []
    assert search(HELM, {**env, "PATH": str(path.parent)}, lines.append) is None
    assert lines == [f"helm 4.3.1: passed over {path}: it is 3.19.0, and 4 is needed"]


@pytest.mark.parametrize(
    ("contents", "reason"),
    [
        (b"#!/bin/sh\necho hello\n", "it is silent about its version"),
        (b"\x00\x01", "it cannot be run ([Errno 8] Exec format error"),
        (b"#!/no/such/interpreter\n", "it cannot be run ([Errno 2] No such file"),
    ],
)
def test_a_program_that_cannot_say_its_version_is_passed_over(
    contents: bytes, reason: str, tmp_path: Path, env: dict[str, str]
) -> None:
    path = program_file(tmp_path / "bin", "etcd", "")
    path.write_bytes(contents)
    lines: list[str] = []
    assert search(ETCD, {**env, "PATH": str(path.parent)}, lines.append) is None
    [line] = lines
    assert f"passed over {path}: {reason}" in line


def test_a_file_that_may_not_be_run_is_no_program(tmp_path: Path, env: dict[str, str]) -> None:
    path = program_file(tmp_path / "bin", "etcd", "etcd Version: 3.6.1")
    path.chmod(0o644)
    assert search(ETCD, {**env, "PATH": str(path.parent)}, refuse) is None


def test_relative_folders_on_path_are_not_searched(
    tmp_path: Path, env: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    program_file(tmp_path / "bin", "etcd", "etcd Version: 3.6.1")
    program_file(tmp_path, "etcd", "etcd Version: 3.6.1")
    monkeypatch.chdir(tmp_path)
    assert search(ETCD, {**env, "PATH": "bin::."}, refuse) is None


def test_a_program_reached_twice_is_asked_once(tmp_path: Path, env: dict[str, str]) -> None:
    old = program_file(tmp_path / "old", "etcd", "etcd Version: 3.4.0")
    (tmp_path / "link").symlink_to(old.parent)
    lines: list[str] = []
    search(ETCD, {**env, "PATH": f"{old.parent}:{tmp_path / 'link'}"}, lines.append)
    assert len(lines) == 1
