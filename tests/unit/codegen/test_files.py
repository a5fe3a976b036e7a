"""Generated files: written where they changed, compared without being touched."""

from __future__ import annotations

from typing import TYPE_CHECKING

from windlass.codegen import compare_files, write_files

if TYPE_CHECKING:
    from pathlib import Path


def test_files_are_written_with_their_folders(tmp_path: Path) -> None:
    written = write_files(tmp_path / "config", {"rbac/role.yaml": "b: 2\n", "crd/bases/a.yaml": "a: ü\n"})

    assert written == [tmp_path / "config/crd/bases/a.yaml", tmp_path / "config/rbac/role.yaml"]
    assert (tmp_path / "config/crd/bases/a.yaml").read_bytes() == "a: ü\n".encode()


def test_only_what_changed_is_written(tmp_path: Path) -> None:
    write_files(tmp_path, {"a": "1\n", "b": "1\n"})
    (tmp_path / "a").chmod(0o400)
    before = (tmp_path / "a").stat()

    assert write_files(tmp_path, {"a": "1\n", "b": "2\n"}) == [tmp_path / "b"]
    assert (tmp_path / "a").stat().st_mtime_ns == before.st_mtime_ns
    assert (tmp_path / "b").read_text() == "2\n"


def test_files_that_are_as_they_should_be_do_not_differ(tmp_path: Path) -> None:
    files = {"a/b": "1\n", "c": ""}
    write_files(tmp_path, files)

    assert compare_files(tmp_path, files) == []


def test_a_missing_file_is_all_difference(tmp_path: Path) -> None:
    (difference,) = compare_files(tmp_path, {"a": "1\n2\n"})

    assert difference.path == tmp_path / "a"
    assert difference.text == f"--- /dev/null\n+++ {tmp_path}/a (from the types)\n@@ -0,0 +1,2 @@\n+1\n+2\n"


def test_a_change_and_extra_lines_are_shown_as_a_diff(tmp_path: Path) -> None:
    write_files(tmp_path, {"a": "1\n2\n3\nadded by hand\n", "b": "1\n"})

    (difference,) = compare_files(tmp_path, {"a": "1\ntwo\n3\n", "b": "1\n"})

    assert difference.text.splitlines()[2:] == ["@@ -1,4 +1,3 @@", " 1", "-2", "+two", " 3", "-added by hand"]


def test_a_line_without_its_end_is_a_difference(tmp_path: Path) -> None:
    write_files(tmp_path, {"a": "1"})

    assert [each.path for each in compare_files(tmp_path, {"a": "1\n"})] == [tmp_path / "a"]


def test_comparing_writes_nothing(tmp_path: Path) -> None:
    compare_files(tmp_path, {"a/b": "1\n"})

    assert list(tmp_path.iterdir()) == []
