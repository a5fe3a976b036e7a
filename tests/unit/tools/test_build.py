from __future__ import annotations

import os
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from windlass.tools.build import GoTool, build_module, linker_flags
from windlass.tools.catalog import ETCD, HELM, KUBE_APISERVER
from windlass.tools.program import Platform, Program, UnavailableError
from windlass.tools.progress import Progress

if TYPE_CHECKING:
    from pathlib import Path

KUBERNETES_GO_MOD = {
    "Go": "1.26.0",
    "Replace": [
        {"Old": {"Path": "k8s.io/api"}, "New": {"Path": "./staging/src/k8s.io/api"}},
        {"Old": {"Path": "example.com/old"}, "New": {"Path": "example.com/new", "Version": "v1.0.0"}},
        {"Old": {"Path": "k8s.io/client-go"}, "New": {"Path": "./staging/src/k8s.io/client-go"}},
    ],
}


def test_staging_modules_of_kubernetes_are_replaced_by_their_published_versions() -> None:
    assert build_module(KUBE_APISERVER, KUBERNETES_GO_MOD) == (
        "module windlass.invalid/kube-apiserver\n\n"
        "go 1.26.0\n\n"
        "require k8s.io/kubernetes v1.36.3\n\n"
        "replace k8s.io/api => k8s.io/api v0.36.3\n\n"
        "replace k8s.io/client-go => k8s.io/client-go v0.36.3\n"
    )


@pytest.mark.parametrize("replaced", [None, [{"Old": {"Path": "a"}, "New": {"Path": "../a"}}]])
def test_a_module_without_staging_is_required_as_it_is(replaced: list[object] | None) -> None:
    assert build_module(ETCD, {"Go": "1.25.0", "Replace": replaced}) == (
        "module windlass.invalid/etcd\n\ngo 1.25.0\n\nrequire go.etcd.io/etcd/server/v3 v3.6.16\n"
    )


@pytest.mark.parametrize(
    ("program", "info", "flags"),
    [
        (ETCD, {}, "-s -w"),
        (HELM, {}, "-s -w -X helm.sh/helm/v4/internal/version.version=v4.3.1"),
        (
            KUBE_APISERVER,
            {"Time": "2026-07-22T18:07:38Z", "Origin": {"Hash": "0a1b2c"}},
            (
                "-s -w -X k8s.io/component-base/version.gitVersion=v1.36.3"
                " -X k8s.io/component-base/version.gitMajor=1"
                " -X k8s.io/component-base/version.gitMinor=36"
                " -X k8s.io/component-base/version.gitTreeState=clean"
                " -X k8s.io/component-base/version.gitCommit=0a1b2c"
                " -X k8s.io/component-base/version.buildDate=2026-07-22T18:07:38Z"
            ),
        ),
    ],
)
def test_the_linker_sets_the_version(program: Program, info: dict[str, object], flags: str) -> None:
    assert linker_flags(program, info) == flags


def test_what_the_module_proxy_does_not_know_is_called_unknown() -> None:
    flags = linker_flags(KUBE_APISERVER, {})
    assert "gitCommit=unknown" in flags
    assert "buildDate=1970-01-01T00:00:00Z" in flags


def build(env: dict[str, str], work: Path, progress: Progress, program: Program = ETCD) -> Path:
    work.mkdir(exist_ok=True)
    return GoTool(program, work, env, progress).build(Platform("linux", "arm64"))


def test_a_program_is_built_from_its_module(go: Path, env: dict[str, str], tmp_path: Path) -> None:
    lines: list[str] = []
    work = tmp_path / "work"
    binary = build(env, work, Progress(lines.append))
    assert "3.6.16" in binary.read_text()
    assert (go / "calls").read_text().splitlines() == [
        "mod download -json go.etcd.io/etcd/server/v3@v3.6.16",
        f"mod edit -json {go}/module/go.mod",
        f"build -mod=mod -trimpath -buildvcs=false -ldflags=-s -w -o {binary} go.etcd.io/etcd/server/v3",
    ]
    assert [line.partition(" s  ")[2] for line in lines] == [
        "etcd 3.6.16: fetching the Go module go.etcd.io/etcd/server/v3 v3.6.16",
        f"etcd 3.6.16: building go.etcd.io/etcd/server/v3 with {go}/go",
    ]


def test_the_build_depends_on_nothing_around_it(go: Path, env: dict[str, str], tmp_path: Path) -> None:
    work = tmp_path / "work"
    around = {"CGO_ENABLED": "1", "GOOS": "plan9", "GOARCH": "mips", "GOWORK": "/go.work"}
    build({**env, **around}, work, Progress(lambda _: None))
    assert (go / "settings").read_text() == "CGO_ENABLED=0 GOOS=linux GOARCH=arm64 GOWORK=off\n"
    assert (go / "gotmpdir").read_text() == f"{work / 'tmp'}\n"
    assert (go / "built-with-go.mod").read_text().startswith("module windlass.invalid/etcd\n")
    assert (go / "built-with-go.sum").read_text() == "example.com/dependency v1.0.0 h1:sum=\n"


def test_without_go_the_build_is_unavailable(env: dict[str, str], tmp_path: Path) -> None:
    with pytest.raises(UnavailableError, match="no `go` on PATH"):
        build({**env, "PATH": ""}, tmp_path / "work", Progress(pytest.fail))


def test_a_failed_build_shows_what_go_said_last(go: Path, env: dict[str, str], tmp_path: Path) -> None:
    (go / "fail").touch()
    with pytest.raises(UnavailableError, match=r"`go build` failed with exit code 1:\nundefined: everything"):
        build(env, tmp_path / "work", Progress(lambda _: None))


def test_a_module_that_cannot_be_fetched_shows_the_error_of_go(
    go: Path, env: dict[str, str], tmp_path: Path
) -> None:
    script = '#!/bin/sh\necho \'{"Error": "unrecognized import path"}\'\nexit 1\n'
    (go / "go").write_text(script)
    with pytest.raises(
        UnavailableError, match=r"`go mod` failed with exit code 1:\n.*unrecognized import path"
    ):
        build(env, tmp_path / "work", Progress(lambda _: None), replace(ETCD, version="9.9.9"))


def test_a_long_build_gives_signs_of_life_with_the_last_words_of_go(
    go: Path, env: dict[str, str], tmp_path: Path
) -> None:
    os.mkfifo(go / "gate")
    os.mkfifo(go / "started")
    started = os.open(go / "started", os.O_RDONLY | os.O_NONBLOCK)
    signs: list[str] = []

    def report(line: str) -> None:
        if "etcd 3.6.16: still at it (go: waiting at the gate)" in line:
            signs.append(line)
            if len(signs) == 2:
                (go / "gate").write_text("go on\n")

    build(env, tmp_path / "work", Progress(report, beat=timedelta(milliseconds=20)))
    os.close(started)
    assert len(signs) >= 2
