from __future__ import annotations

import fcntl
import threading
from contextlib import ExitStack
from datetime import timedelta
from pathlib import Path

import pytest

from windlass.tools.cache import Cache
from windlass.tools.catalog import ETCD, HELM
from windlass.tools.progress import Progress


def silent() -> Progress:
    return Progress(lambda _: None)


@pytest.mark.parametrize(
    ("env", "folder"),
    [
        ({"WINDLASS_CACHE": "/w", "XDG_CACHE_HOME": "/x", "HOME": "/h"}, "/w"),
        ({"XDG_CACHE_HOME": "/x", "HOME": "/h"}, "/x/windlass"),
        ({"XDG_CACHE_HOME": "relative", "HOME": "/h"}, "/h/.cache/windlass"),
        ({"XDG_CACHE_HOME": "", "WINDLASS_CACHE": "", "HOME": "/h"}, "/h/.cache/windlass"),
        ({}, str(Path.home() / ".cache/windlass")),
    ],
)
def test_the_environment_chooses_the_cache(env: dict[str, str], folder: str) -> None:
    assert Cache.of(env).path(ETCD) == Path(folder, "tools/etcd-3.6.16/etcd")


def test_a_relative_cache_folder_does_not_move_with_the_working_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert Cache.of({"WINDLASS_CACHE": "here"}).path(ETCD) == tmp_path / "here/tools/etcd-3.6.16/etcd"


def test_a_program_appears_in_its_place_only_when_it_is_published(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    with cache.exclusive(ETCD, silent()), cache.workshop(ETCD) as work:
        made = work / "anything"
        made.write_text("#!/bin/sh\n")
        assert not cache.path(ETCD).exists()
        inode = made.stat().st_ino
        path = cache.publish(ETCD, made)
        assert path.stat().st_ino == inode  # renamed: a copy would be there before it is whole
    assert path == cache.path(ETCD)
    assert path.stat().st_mode & 0o777 == 0o755
    assert [each.name for each in path.parent.iterdir()] == ["etcd"]


def test_a_failed_installation_leaves_nothing_but_its_lock(tmp_path: Path) -> None:
    cache = Cache(tmp_path)

    with pytest.raises(IsADirectoryError), cache.exclusive(ETCD, silent()), cache.workshop(ETCD) as work:
        work.write_text("fails, and not before the folder was made")
    assert [each.name for each in (tmp_path / "tools").iterdir()] == ["etcd-3.6.16.lock"]


def test_a_leftover_of_a_killed_installation_is_cleared_away(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    with cache.exclusive(ETCD, silent()), ExitStack() as killed:
        leftover = killed.enter_context(cache.workshop(ETCD))
        (leftover / "half").write_text("half")
        with cache.workshop(ETCD) as work:
            assert work != leftover
            assert list(work.iterdir()) == []
            assert not leftover.exists()


def test_a_second_installation_waits_says_so_and_goes_on(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    lines: list[str] = []
    waits_twice = threading.Event()
    entered = threading.Event()

    def report(line: str) -> None:
        lines.append(line)
        if len(lines) == 2:
            waits_twice.set()

    def second() -> None:
        with cache.exclusive(ETCD, Progress(report, beat=timedelta(milliseconds=1))):
            entered.set()

    with cache.exclusive(ETCD, silent()):
        thread = threading.Thread(target=second)
        thread.start()
        assert waits_twice.wait(30)
        assert not entered.is_set()
    thread.join(30)
    assert entered.is_set()
    assert all("etcd 3.6.16: waiting for process" in line for line in lines)


def test_the_lock_is_one_per_program(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    with cache.exclusive(ETCD, silent()), cache.exclusive(HELM, Progress(pytest.fail)):
        pass


def test_the_lock_is_free_after_an_error(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    with pytest.raises(KeyError), cache.exclusive(ETCD, silent()):
        raise KeyError
    with (tmp_path / "tools/etcd-3.6.16.lock").open("ab") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
