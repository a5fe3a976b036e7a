"""What charts from elsewhere take of the disk, whatever their repositories serve."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import tempfile
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from chart_archives import ServedWeb, chart_archive, repository
from windlass.aio import ManualClock
from windlass.errors import ChartError, ConfigError
from windlass.helm.source import CacheLimits, SourcePolicy, Sources, Wanted
from windlass.helm.source.folder import ProcessFolder
from windlass.helm.source.shelf import Shelf

if TYPE_CHECKING:
    from collections.abc import Iterator

BASE = "https://charts.example.com"
MIB = 2**20
SMALL = CacheLimits(total=32 * MIB, of_tenant=16 * MIB)


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of temporary files."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def wanted(version: str, tenant: str = "team-a", **more: Any) -> Wanted:
    return Wanted(name="shop", origin=BASE, version=version, tenant=tenant, **more)


def large(version: str) -> bytes:
    """A chart of 6 MiB, packed."""
    return chart_archive("shop", version, {"pad.txt": Random(version).randbytes(5 * MIB).hex()})


def kept(folder: Path) -> int:
    """How many bytes are in a folder."""
    return sum(each.stat().st_size for each in folder.rglob("*") if each.is_file())


async def test_what_is_no_chart_is_neither_kept_nor_downloaded_again_for_ten_minutes(temporary: Path) -> None:
    web = ServedWeb(repository(BASE, {("shop", "1.0.0"): b"no archive" * MIB}))
    sources, clock = Sources(web=web), ManualClock()
    sources._cache._clock = clock

    async def attempts() -> int:
        with pytest.raises(ChartError, match=rf"^chart shop 1\.0\.0 of {BASE} is no \.tgz archive: "):
            await sources.fetch(wanted("1.0.0"))
        return len([url for url, _ in web.asked if url.endswith(".tgz")])

    assert [await attempts() for _ in range(3)] == [1, 1, 1]
    assert kept(temporary) == 0
    await clock.advance(timedelta(minutes=11))
    assert await attempts() == 2


@pytest.mark.parametrize("digests", [True, False])
async def test_an_archive_that_is_too_large_is_neither_kept_nor_downloaded_again(
    temporary: Path, *, digests: bool
) -> None:
    web = ServedWeb(repository(BASE, {("shop", "1.0.0"): bytes(17 * MIB)}, digests=digests))
    sources, policy = Sources(web=web), SourcePolicy(allow_without_digest=True)

    for _ in range(3):
        with pytest.raises(ChartError, match=r"shop-1\.0\.0\.tgz is larger than 16 MiB"):
            await sources.fetch(wanted("1.0.0", policy=policy))

    assert [url for url, _ in web.asked].count(f"{BASE}/shop-1.0.0.tgz") == 1
    assert kept(temporary) == 0


async def test_the_charts_of_a_tenant_take_no_more_than_its_share(temporary: Path) -> None:
    versions = [f"1.0.{number}" for number in range(5)]
    web = ServedWeb(repository(BASE, {("shop", each): large(each) for each in versions}))
    sources = Sources(web=web)
    sources.limit(SMALL)
    other = await sources.fetch(wanted(versions[0], "team-b"))

    charts = [await asyncio.create_task(sources.fetch(wanted(each))) for each in versions[1:]]

    assert kept(temporary) < 24 * MIB
    assert [each.path.exists() for each in charts] == [False, False, True, True]
    assert other.path.exists()
    assert sources.known(wanted(versions[1])) is None
    assert (await sources.fetch(wanted(versions[1]))).path.exists()


async def test_a_chart_that_a_task_uses_stays_until_it_uses_another_one(temporary: Path) -> None:
    shelf = Shelf()
    shelf.limits = SMALL
    first, second, third = (temporary / each for each in "abc")
    for each in (first, second):
        each.touch()
    shelf.add(first, 10 * MIB, "team-a")
    shelf.use(first)

    with pytest.raises(
        ChartError, match=r"the cache of charts is full \(the share of the namespace, 16 MiB\)"
    ):
        shelf.add(second, 10 * MIB, "team-a")
    assert first.exists()

    shelf.add(second, 10 * MIB, "team-b")
    shelf.use(second)
    shelf.add(third, 10 * MIB, "team-a")
    assert (first.exists(), second.exists()) == (False, True)


def test_where_the_total_is_used_up_the_tenant_that_has_most_gives(temporary: Path) -> None:
    shelf = Shelf()
    shelf.limits = CacheLimits(total=40 * MIB, of_tenant=30 * MIB)
    files = {each: temporary / each for each in ("victim", "old", "new", "next")}
    for name, tenant in (("victim", "team-b"), ("old", "team-a"), ("new", "team-a")):
        files[name].touch()
        shelf.add(files[name], 10 * MIB, tenant)
    shelf.use(files["old"])

    shelf.add(files["next"], 15 * MIB, "team-c")

    assert [name for name, file in files.items() if file.exists()] == ["victim", "old"]


def test_limits_that_leave_no_room_for_a_chart_are_refused() -> None:
    for total, share in ((64 * MIB, 8 * MIB), (16 * MIB, 32 * MIB)):
        with pytest.raises(ConfigError, match="a namespace needs"):
            CacheLimits(total=total, of_tenant=share)


PROGRAM = """
import sys
from windlass.helm.source.folder import ProcessFolder
folder = ProcessFolder()
(folder.path / "archive.tgz").write_bytes(b"x")
print(folder.path, flush=True)
sys.stdin.read()
"""


@pytest.fixture
def process(temporary: Path) -> Iterator[subprocess.Popen[str]]:
    """Another process with a folder of its own."""
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM],
        env={**os.environ, "TMPDIR": str(temporary)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as started:
        yield started
        started.kill()


def test_the_folder_of_a_process_that_was_killed_is_removed_and_of_a_living_one_stays(
    process: subprocess.Popen[str],
) -> None:
    assert process.stdout
    theirs = Path(process.stdout.readline().strip())
    first = ProcessFolder()
    alive = (theirs / "archive.tgz").exists()
    process.kill()
    process.wait()
    second = ProcessFolder()

    assert alive
    assert not theirs.exists()
    assert first.path.exists()
    for each in (first, second):
        each.remove()
    assert not first.path.exists()


def test_other_folders_and_files_are_left_alone(temporary: Path) -> None:
    (temporary / "windlass-helm-x").mkdir()
    (temporary / "target").mkdir()
    (temporary / "windlass-charts-link").symlink_to(temporary / "target")
    (temporary / "windlass-charts-file").touch()

    ProcessFolder().remove()

    assert len(list(temporary.iterdir())) == 4
