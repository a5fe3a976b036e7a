from __future__ import annotations

import sys

import pytest

from windlass.tools.catalog import ETCD, HELM, KUBE_APISERVER
from windlass.tools.program import Platform, Program

LINUX = Platform("linux", "amd64")
MAC = Platform("darwin", "arm64")


@pytest.mark.parametrize(
    ("program", "version", "serves"),
    [
        (KUBE_APISERVER, "1.36.3", True),
        (KUBE_APISERVER, "1.36.0", True),
        (KUBE_APISERVER, "1.36", True),
        (KUBE_APISERVER, "1.35.9", False),
        (KUBE_APISERVER, "1.360.0", False),
        (ETCD, "3.6.1", True),
        (ETCD, "3.5.21", False),
        (HELM, "4.0.0", True),
        (HELM, "3.19.0", False),
        (HELM, "40.0.0", False),
        (HELM, "", False),
    ],
)
def test_a_version_serves_only_within_its_series(
    program: Program,
    version: str,
    serves: bool,  # noqa: FBT001 - the answer that the table expects
) -> None:
    assert program.serves(version) is serves


@pytest.mark.parametrize(
    ("program", "platform", "url", "checksums", "member"),
    [
        (
            KUBE_APISERVER,
            LINUX,
            "https://dl.k8s.io/release/v1.36.3/bin/linux/amd64/kube-apiserver",
            "https://dl.k8s.io/release/v1.36.3/bin/linux/amd64/kube-apiserver.sha256",
            "",
        ),
        (
            ETCD,
            LINUX,
            "https://github.com/etcd-io/etcd/releases/download/v3.6.16/etcd-v3.6.16-linux-amd64.tar.gz",
            "https://github.com/etcd-io/etcd/releases/download/v3.6.16/SHA256SUMS",
            "etcd-v3.6.16-linux-amd64/etcd",
        ),
        (
            ETCD,
            MAC,
            "https://github.com/etcd-io/etcd/releases/download/v3.6.16/etcd-v3.6.16-darwin-arm64.zip",
            "https://github.com/etcd-io/etcd/releases/download/v3.6.16/SHA256SUMS",
            "etcd-v3.6.16-darwin-arm64/etcd",
        ),
        (
            HELM,
            MAC,
            "https://get.helm.sh/helm-v4.3.1-darwin-arm64.tar.gz",
            "https://get.helm.sh/helm-v4.3.1-darwin-arm64.tar.gz.sha256sum",
            "darwin-arm64/helm",
        ),
    ],
)
def test_a_program_is_looked_for_where_its_project_publishes_it(
    program: Program, platform: Platform, url: str, checksums: str, member: str
) -> None:
    release = program.release
    assert program.fill(release.url, platform) == url
    assert program.fill(release.checksums, platform) == checksums
    assert program.fill(release.member, platform) == member


def test_the_current_platform_is_named_as_go_names_it() -> None:
    platform = Platform.current()
    assert platform.arch not in {"x86_64", "aarch64"}
    assert platform.os == {"win32": "windows"}.get(sys.platform, sys.platform)
