from __future__ import annotations

import io
import tarfile
import zipfile
from typing import TYPE_CHECKING

import pytest

from windlass.errors import ToolError
from windlass.tools.archive import extract, published_checksum

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

SUM = "0123456789abcdef" * 4
OTHER = "f" * 64


@pytest.mark.parametrize(
    ("text", "checksum"),
    [
        (SUM, SUM),
        (f"{SUM}\n", SUM),
        (SUM.upper(), SUM),
        (f"{SUM}  helm.tar.gz\n", SUM),
        (f"{SUM} *helm.tar.gz\n", SUM),
        (f"{SUM}  ./dist/helm.tar.gz\n", SUM),
        (f"{OTHER}  helm.zip\n{SUM}  helm.tar.gz\n", SUM),
        (f"{OTHER}  other-helm.tar.gz\n", None),
        (f"{SUM[:-1]}  helm.tar.gz\n", None),
        (f"{SUM}0  helm.tar.gz\n", None),
        ("<html>Please log in</html>", None),
        ("", None),
    ],
)
def test_a_checksum_is_found_in_what_projects_publish(text: str, checksum: str | None) -> None:
    assert published_checksum(text, "helm.tar.gz") == checksum


def tar(path: Path) -> None:
    with tarfile.open(path, "w:gz") as archive:
        for name in ("etcd-v3/README.md", "etcd-v3/etcd"):
            entry = tarfile.TarInfo(name)
            entry.size = len(name)
            archive.addfile(entry, io.BytesIO(name.encode()))
        folder = tarfile.TarInfo("etcd-v3/doc")
        folder.type = tarfile.DIRTYPE
        archive.addfile(folder)


def zipped(path: Path) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        for name in ("etcd-v3/README.md", "etcd-v3/etcd"):
            archive.writestr(name, name)


@pytest.mark.parametrize("pack", [tar, zipped])
def test_the_program_alone_is_taken_from_an_archive(pack: Callable[[Path], object], tmp_path: Path) -> None:
    pack(tmp_path / "archive")
    extract(tmp_path / "archive", "etcd-v3/etcd", tmp_path / "etcd")
    assert (tmp_path / "etcd").read_text() == "etcd-v3/etcd"
    assert sorted(each.name for each in tmp_path.iterdir()) == ["archive", "etcd"]


@pytest.mark.parametrize("pack", [tar, zipped, lambda path: path.write_text("no archive")])
@pytest.mark.parametrize("member", ["etcd-v3/helm", "etcd-v3/doc"])
def test_an_archive_without_the_program_is_an_error_that_names_it(
    pack: Callable[[Path], object], member: str, tmp_path: Path
) -> None:
    pack(tmp_path / "archive")
    with pytest.raises(ToolError, match=member):
        extract(tmp_path / "archive", member, tmp_path / "etcd")


def test_an_archive_that_is_cut_short_is_an_error(tmp_path: Path) -> None:
    tar(tmp_path / "archive")
    whole = (tmp_path / "archive").read_bytes()
    (tmp_path / "archive").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(ToolError, match="etcd-v3/etcd"):
        extract(tmp_path / "archive", "etcd-v3/etcd", tmp_path / "etcd")
