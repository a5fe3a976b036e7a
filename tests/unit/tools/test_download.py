from __future__ import annotations

import hashlib
import io
import tarfile
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from windlass.errors import ToolError
from windlass.tools.catalog import ETCD
from windlass.tools.download import PATIENCE, Downloads
from windlass.tools.program import Platform, Program, Release, UnavailableError
from windlass.tools.progress import Progress

if TYPE_CHECKING:
    from pathlib import Path

LINUX = Platform("linux", "amd64")
BODY = b"#!/bin/sh\necho 'etcd Version: 3.6.16'\n"


def sha256(body: bytes) -> bytes:
    return hashlib.sha256(body).hexdigest().encode()


def published_at(url: str) -> Program:
    return replace(ETCD, release=Release(url=url + "/{name}", checksums=url + "/{name}.sha256"))


@pytest.fixture
def lines() -> list[str]:
    return []


@pytest.fixture
def downloads(env: dict[str, str], lines: list[str]) -> Downloads:
    return Downloads(env, Progress(lines.append), LINUX)


def test_a_program_is_downloaded_and_verified(
    downloads: Downloads, etcd: Program, release_files: dict[str, bytes], lines: list[str], tmp_path: Path
) -> None:
    release_files |= {"/etcd": BODY, "/etcd.sha256": sha256(BODY)}
    assert downloads.download(etcd, tmp_path).read_bytes() == BODY
    [line] = lines
    assert "etcd 3.6.16: downloading http://127.0.0.1:" in line


def test_a_program_in_an_archive_is_downloaded_and_unpacked(
    downloads: Downloads, release_url: str, release_files: dict[str, bytes], tmp_path: Path
) -> None:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        entry = tarfile.TarInfo("etcd-v3.6.16-linux-amd64/etcd")
        entry.size = len(BODY)
        archive.addfile(entry, io.BytesIO(BODY))
    name = "etcd-v3.6.16-linux-amd64.tar.gz"
    release_files |= {
        f"/{name}": packed.getvalue(),
        "/SHA256SUMS": b"f" * 64 + b"  other\n" + sha256(packed.getvalue()) + f"  {name}\n".encode(),
    }
    release = Release(
        url=f"{release_url}/etcd-v{{version}}-{{os}}-{{arch}}.{{archive}}",
        checksums=f"{release_url}/SHA256SUMS",
        member="etcd-v{version}-{os}-{arch}/etcd",
    )
    assert downloads.download(replace(ETCD, release=release), tmp_path).read_bytes() == BODY


def test_a_wrong_checksum_is_refused_and_both_sums_are_named(
    downloads: Downloads, etcd: Program, release_files: dict[str, bytes], tmp_path: Path
) -> None:
    release_files |= {"/etcd": b"changed", "/etcd.sha256": sha256(BODY)}
    with pytest.raises(ToolError) as caught:
        downloads.download(etcd, tmp_path)
    # Not an UnavailableError: whoever changes files on the way should not be answered with a second attempt.
    assert type(caught.value) is ToolError
    assert sha256(b"changed").decode() in str(caught.value)
    assert sha256(BODY).decode() in str(caught.value)


def test_a_program_that_is_not_published_is_unavailable(
    downloads: Downloads, etcd: Program, tmp_path: Path
) -> None:
    with pytest.raises(UnavailableError, match=r"etcd\.sha256: the answer was 404"):
        downloads.download(etcd, tmp_path)


def test_a_page_that_is_no_checksum_is_no_reason_to_download(
    downloads: Downloads,
    etcd: Program,
    release_files: dict[str, bytes],
    release_requests: list[str],
    tmp_path: Path,
) -> None:
    release_files |= {"/etcd": BODY, "/etcd.sha256": b"<html>Please log in</html>"}
    with pytest.raises(UnavailableError, match="holds no checksum"):
        downloads.download(etcd, tmp_path)
    assert release_requests == ["/etcd.sha256"]


def test_an_answer_that_is_cut_is_not_taken_for_a_wrong_one(
    downloads: Downloads, release_url: str, release_files: dict[str, bytes], tmp_path: Path
) -> None:
    release_files |= {"/etcd-short": BODY, "/etcd.sha256": sha256(BODY)}
    release = Release(url=f"{release_url}/etcd-short", checksums=f"{release_url}/etcd.sha256")
    with pytest.raises(UnavailableError, match=f"cut after {len(BODY)} of {2 * len(BODY)} bytes"):
        downloads.download(replace(ETCD, release=release), tmp_path)


def test_a_refused_connection_is_given_up_at_once(
    downloads: Downloads, unpublished_etcd: Program, tmp_path: Path
) -> None:
    with pytest.raises(UnavailableError, match=r"there is no way to 127\.0\.0\.1:\d+ \(.*refused"):
        downloads.download(unpublished_etcd, tmp_path)


def test_patience_ends_within_five_seconds() -> None:
    assert timedelta(seconds=1) < PATIENCE <= timedelta(seconds=4)


def test_a_host_that_never_answers_is_given_up_when_patience_ends(
    env: dict[str, str], silent_url: str, lines: list[str], tmp_path: Path
) -> None:
    downloads = Downloads(env, Progress(lines.append), LINUX, patience=timedelta(milliseconds=400))
    with pytest.raises(UnavailableError, match=r"no answer within 0\.4 s"):
        downloads.download(published_at(silent_url), tmp_path)


def test_all_hosts_share_one_patience(
    env: dict[str, str],
    silent_url: str,
    release_url: str,
    release_requests: list[str],
    tmp_path: Path,
) -> None:
    downloads = Downloads(env, Progress(lambda _: None), LINUX, patience=timedelta(milliseconds=200))
    with pytest.raises(UnavailableError, match="no answer within"):
        downloads.download(published_at(silent_url), tmp_path)
    with pytest.raises(UnavailableError, match="there is no way out"):
        downloads.download(published_at(release_url), tmp_path)
    assert release_requests == []


def test_a_closed_host_is_asked_once_and_an_open_one_still_serves(
    downloads: Downloads,
    unpublished_etcd: Program,
    etcd: Program,
    release_files: dict[str, bytes],
    tmp_path: Path,
) -> None:
    reasons = []
    for _ in range(2):
        with pytest.raises(UnavailableError) as caught:
            downloads.download(unpublished_etcd, tmp_path)
        reasons.append(caught.value)
    assert str(reasons[0]) == str(reasons[1])
    assert reasons[0].__cause__ is not None
    assert reasons[1].__cause__ is None  # it came from memory
    release_files |= {"/etcd": BODY, "/etcd.sha256": sha256(BODY)}
    assert downloads.download(etcd, tmp_path).read_bytes() == BODY


def test_a_proxy_of_the_environment_is_used(
    env: dict[str, str],
    release_url: str,
    release_files: dict[str, bytes],
    release_requests: list[str],
    tmp_path: Path,
) -> None:
    url = "http://releases.invalid"
    release_files |= {f"{url}/etcd": BODY, f"{url}/etcd.sha256": sha256(BODY)}
    downloads = Downloads({**env, "http_proxy": release_url}, Progress(lambda _: None), LINUX)
    assert downloads.download(published_at(url), tmp_path).read_bytes() == BODY
    assert release_requests == [f"{url}/etcd.sha256", f"{url}/etcd"]


def test_a_slow_download_gives_signs_of_life(
    env: dict[str, str], etcd: Program, release_files: dict[str, bytes], tmp_path: Path
) -> None:
    lines: list[str] = []
    release_files |= {"/etcd": BODY, "/etcd.sha256": sha256(BODY)}
    # Starting the child that fetches takes many times longer than this beat.
    downloads = Downloads(env, Progress(lines.append, beat=timedelta(milliseconds=1)), LINUX)
    downloads.download(etcd, tmp_path)
    assert any("etcd 3.6.16: still downloading (0.0 MB so far)" in line for line in lines)
