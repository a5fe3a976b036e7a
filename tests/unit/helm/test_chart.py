"""Charts as they lie on disk: what is part of them, what they ask, what is wrong with them."""

from __future__ import annotations

import gzip
import io
import tarfile
import tracemalloc
from typing import TYPE_CHECKING

import pytest

from windlass.errors import ChartError
from windlass.helm.chart import Chart, ChartFolder

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

ABOUT = "apiVersion: v2\nname: shop\nversion: 1.2.3\nappVersion: '4'\n"


def write(folder: Path, files: Mapping[str, str | bytes]) -> Path:
    for name, content in files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


def packed(files: Mapping[str, str | bytes], top: str = "shop") -> bytes:
    held = io.BytesIO()
    with tarfile.open(fileobj=held, mode="w:gz") as archive:
        for name, content in files.items():
            data = content if isinstance(content, bytes) else content.encode()
            member = tarfile.TarInfo(f"{top}/{name}")
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    return held.getvalue()


def digest(folder: Path) -> str:
    return Chart.read(folder).digest


def test_a_folder_is_a_chart(tmp_path: Path) -> None:
    chart = Chart.read(write(tmp_path, {"Chart.yaml": ABOUT}))

    assert (chart.path, chart.name, chart.version, chart.app_version) == (tmp_path, "shop", "1.2.3", "4")


def test_an_archive_has_the_digest_of_the_folder_that_it_was_made_of(tmp_path: Path) -> None:
    files = {"Chart.yaml": ABOUT, "templates/a.yaml": "a: {{ lookup }}", "charts/sub/Chart.yaml": "name: sub"}
    archive = tmp_path / "shop-1.2.3.tgz"
    archive.write_bytes(packed(files))
    from_archive, from_folder = Chart.read(archive), Chart.read(write(tmp_path / "shop", files))

    assert from_archive.digest == from_folder.digest
    assert from_archive.asks == from_folder.asks
    assert from_archive.asks.lookup


@pytest.mark.parametrize(
    "change",
    [
        {"templates/a.yaml": "b"},
        {"templates/b.yaml": "a"},
        {"charts/sub/templates/a.yaml": "b"},
        {"values.yaml": "replicas: 2"},
        {"templates/_helpers.tpl": ""},
    ],
)
def test_every_file_counts_in_the_digest(tmp_path: Path, change: Mapping[str, str]) -> None:
    files = {"Chart.yaml": ABOUT, "templates/a.yaml": "a", "charts/sub/templates/a.yaml": "a"}
    before = digest(write(tmp_path, files))

    assert digest(write(tmp_path, change)) != before


def test_names_and_contents_cannot_be_taken_for_each_other(tmp_path: Path) -> None:
    one = digest(write(tmp_path / "one", {"Chart.yaml": ABOUT, "a": "bc"}))

    assert one != digest(write(tmp_path / "two", {"Chart.yaml": ABOUT, "ab": "c"}))


@pytest.mark.parametrize(
    ("rules", "ignored"),
    [
        ("*.swp\n", ["a.swp", "templates/deep/b.swp"]),
        (".git/\n", [".git/config", "files/.git/config"]),
        ("# .git\n\n  /notes.txt  \n", ["notes.txt"]),
        ("files/?.bin", ["files/a.bin"]),
        ("[a-c]x", ["ax", "files/bx"]),
        ("[^a]x", ["bx"]),
        (r"\*x", ["*x"]),
        ("files", ["files/deep/er.txt"]),
        ("\ufeffREADME", ["README"]),
        ("", ["templates/.hidden", "templates/.a.swp"]),
    ],
)
def test_what_helmignore_names_is_no_part_of_the_chart(
    tmp_path: Path, rules: str, ignored: list[str]
) -> None:
    before = digest(write(tmp_path, {"Chart.yaml": ABOUT, ".helmignore": rules}))

    assert digest(write(tmp_path, dict.fromkeys(ignored, "x"))) == before


@pytest.mark.parametrize(
    ("rules", "counted"),
    [
        ("*.swp", "a.swp.yaml"),
        ("/notes.txt", "files/notes.txt"),
        ("files/*.bin", "files/deep/a.bin"),
        ("[^a]x", "ax"),
        (".git/", "files/.git"),
        ("", ".hidden"),
    ],
)
def test_what_helmignore_does_not_name_is_part_of_it(tmp_path: Path, rules: str, counted: str) -> None:
    before = digest(write(tmp_path, {"Chart.yaml": ABOUT, ".helmignore": rules}))

    assert digest(write(tmp_path, {counted: "x"})) != before


def test_a_negated_rule_drops_whatever_does_not_match_it(tmp_path: Path) -> None:
    files = {"Chart.yaml": ABOUT, ".helmignore": "!*.yaml", "a.yaml": "a"}
    before = digest(write(tmp_path, files))

    assert digest(write(tmp_path, {"a.txt": "x"})) == before
    assert digest(write(tmp_path, {"b.yaml": "x"})) != before


@pytest.mark.parametrize("rule", ["a/**/b", "[", "[-]", "[^]", "a\\"])
def test_a_helmignore_that_helm_refuses_is_an_error(tmp_path: Path, rule: str) -> None:
    write(tmp_path, {"Chart.yaml": ABOUT, ".helmignore": rule})

    with pytest.raises(ChartError, match=r"\.helmignore has"):
        Chart.read(tmp_path)


def test_a_link_is_followed_and_a_circle_of_links_ends(tmp_path: Path) -> None:
    write(tmp_path / "shared", {"a.txt": "x"})
    chart = write(tmp_path / "chart", {"Chart.yaml": ABOUT})
    (chart / "files").symlink_to(tmp_path / "shared")
    (tmp_path / "shared" / "back").symlink_to(tmp_path / "shared")
    before = digest(chart)

    assert digest(write(tmp_path / "shared", {"a.txt": "y"}).parent / "chart") != before


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"values.yaml": ""}, "is no chart: it has no Chart.yaml"),
        ({"Chart.yaml": "{"}, "Chart.yaml is not YAML"),
        ({"Chart.yaml": "- a"}, "Chart.yaml must be one mapping"),
        ({"Chart.yaml": ""}, "Chart.yaml must be one mapping"),
        ({"Chart.yaml": "version: 1.0.0"}, "Chart.yaml has no name; write name: shop"),
        ({"Chart.yaml": "name: shop"}, "Chart.yaml has no version; write version: 0.1.0"),
        ({"Chart.yaml": "name: [a]\nversion: 1"}, "Chart.yaml has no name"),
        ({"Chart.yaml": ABOUT, "charts/sub.tgz": "no"}, "sub.tgz is no .tgz archive"),
    ],
)
def test_what_is_no_chart_is_an_error_that_says_why(
    tmp_path: Path, files: Mapping[str, str], message: str
) -> None:
    with pytest.raises(ChartError, match=message) as raised:
        Chart.read(write(tmp_path, files))

    assert str(tmp_path) in str(raised.value)


@pytest.mark.parametrize(
    "content",
    [b"", b"text", b"\x1f\x8b\x08", packed({"a": "b"})[:-20]],
    ids=["empty", "text", "begun", "cut off"],
)
def test_a_file_that_is_no_archive_is_an_error_that_names_it(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "shop.tgz"
    file.write_bytes(content)

    with pytest.raises(ChartError, match=r"shop\.tgz is no"):
        Chart.read(file)


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE, tarfile.CHRTYPE])
@pytest.mark.parametrize("is_in_subchart", [False, True])
def test_a_link_in_an_archive_is_refused_since_helm_reads_nothing_there(
    tmp_path: Path, kind: bytes, *, is_in_subchart: bool
) -> None:
    """`.Files.Get` of a symbolic link in a packed chart is empty; helm package packs what it points to."""
    held = io.BytesIO()
    with tarfile.open(fileobj=held, mode="w:gz") as archive:
        about = tarfile.TarInfo("shop/Chart.yaml")
        about.size = len(ABOUT)
        archive.addfile(about, io.BytesIO(ABOUT.encode()))
        link = tarfile.TarInfo("shop/files/a.txt")
        link.type, link.linkname = kind, "Chart.yaml"
        archive.addfile(link)
    file = tmp_path / "shop.tgz"
    content = held.getvalue()
    file.write_bytes(packed({"Chart.yaml": ABOUT, "charts/s.tgz": content}) if is_in_subchart else content)

    with pytest.raises(ChartError, match=r"has the link or special file shop/files/a\.txt"):
        Chart.read(file)


@pytest.mark.parametrize("name", ["nothing", "chart", "archive.tgz", "broken"])
def test_a_label_stands_for_the_path_in_all_messages(tmp_path: Path, name: str) -> None:
    write(tmp_path, {"chart/values.yaml": "", "archive.tgz": "no", "broken/Chart.yaml": "name: ["})
    (tmp_path / "broken" / "a").symlink_to(tmp_path / "gone")

    for read in (Chart.read, lambda path, label: ChartFolder(path, label).current()):
        with pytest.raises(ChartError, match=r"shop 1\.0\.0") as raised:
            read(tmp_path / name, "shop 1.0.0")
        assert str(tmp_path) not in str(raised.value)


def test_a_chart_that_is_not_there_is_an_error_that_names_it(tmp_path: Path) -> None:
    with pytest.raises(ChartError, match=r"there is no chart at .*nothing"):
        Chart.read(tmp_path / "nothing")


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    write(tmp_path, {"Chart.yaml": ABOUT})
    (tmp_path / "templates").mkdir()
    (tmp_path / "templates" / "a.yaml").symlink_to(tmp_path / "gone")

    with pytest.raises(ChartError, match=r"a\.yaml"):
        Chart.read(tmp_path)


def test_numbers_in_chart_yaml_are_texts_as_helm_reads_them(tmp_path: Path) -> None:
    chart = Chart.read(write(tmp_path, {"Chart.yaml": "name: 12\nversion: 1.10\nappVersion: 1.0"}))

    assert (chart.name, chart.version, chart.app_version) == ("12", "1.1", "1")


@pytest.mark.parametrize(
    ("about", "asked"), [("kubeVersion: '>= 1.25'\n", True), ("description: kubeVersion\n", False)]
)
def test_a_chart_or_subchart_for_some_versions_only_asks_for_the_version(
    tmp_path: Path,
    about: str,
    asked: bool,  # noqa: FBT001
) -> None:
    one = Chart.read(write(tmp_path / "one", {"Chart.yaml": ABOUT + about}))
    sub = packed({"Chart.yaml": about}, "sub")
    two = Chart.read(write(tmp_path / "two", {"Chart.yaml": ABOUT, "charts/sub-1.tgz": sub}))

    assert (one.asks.kube_version, two.asks.kube_version) == (asked, asked)


def test_edits_of_a_folder_take_effect_and_nothing_is_read_without_one(tmp_path: Path) -> None:
    folder = ChartFolder(write(tmp_path, {"Chart.yaml": ABOUT, "templates/a.yaml": "a"}))
    first = folder.current()
    assert folder.current() is first

    write(tmp_path, {"templates/a.yaml": "b"})
    second = folder.current()
    assert second.digest != first.digest

    (tmp_path / "templates" / "a.yaml").rename(tmp_path / "templates" / "b.yaml")
    third = folder.current()
    assert third.digest not in {first.digest, second.digest}
    assert folder.current() is third


def test_a_folder_that_is_broken_for_a_while_is_a_chart_again(tmp_path: Path) -> None:
    folder = ChartFolder(write(tmp_path, {"Chart.yaml": ABOUT}))
    first = folder.current()
    write(tmp_path, {"Chart.yaml": "{"})
    for _ in range(2):
        with pytest.raises(ChartError, match="not YAML"):
            folder.current()

    write(tmp_path, {"Chart.yaml": ABOUT})
    assert folder.current() == first


def test_a_folder_that_is_not_there_yet_is_an_error_until_it_is(tmp_path: Path) -> None:
    folder = ChartFolder(tmp_path / "later")
    with pytest.raises(ChartError, match="there is no chart at"):
        folder.current()

    write(tmp_path / "later", {"Chart.yaml": ABOUT})
    assert folder.current().name == "shop"


def test_an_archive_that_is_replaced_is_read_again(tmp_path: Path) -> None:
    archive = tmp_path / "shop.tgz"
    archive.write_bytes(packed({"Chart.yaml": ABOUT}))
    folder = ChartFolder(archive)
    before = folder.current()
    archive.write_bytes(packed({"Chart.yaml": ABOUT.replace("1.2.3", "1.2.4")}))

    assert (before.version, folder.current().version) == ("1.2.3", "1.2.4")


def sparse(size: int) -> bytes:
    """A GNU sparse file without content."""
    block = bytearray(tarfile.TarInfo("shop/x").tobuf(tarfile.GNU_FORMAT))
    block[156:157] = tarfile.GNUTYPE_SPARSE
    block[386:398] = block[398:410] = b"00000000000\0"
    block[483:495] = f"{size:011o}\0".encode()
    block[148:156] = b" " * 8
    block[148:156] = f"{sum(block):06o}\0 ".encode()
    return gzip.compress(bytes(block) + bytes(1024))


def nested(depth: int) -> bytes:
    return packed({"Chart.yaml": ABOUT, **({"charts/sub.tgz": nested(depth - 1)} if depth else {})})


def with_attributes(attributes: dict[str, str]) -> bytes:
    held = io.BytesIO()
    with tarfile.open(fileobj=held, mode="w:gz", format=tarfile.PAX_FORMAT) as archive:
        member = tarfile.TarInfo("shop/x")
        member.pax_headers = attributes
        archive.addfile(member)
    return held.getvalue()


HALF = packed({"Chart.yaml": ABOUT, "x": bytes(15 * 2**20)}, "sub")


@pytest.mark.parametrize(
    ("content", "why"),
    [
        pytest.param(packed({"x": bytes(33 * 2**20)}), "is larger than 32 MiB unpacked", id="large"),
        pytest.param(
            packed({"Chart.yaml": ABOUT, **{f"charts/{at}.tgz": HALF for at in range(3)}}),
            "is larger than 32 MiB unpacked",
            id="large together",
        ),
        pytest.param(
            packed(
                {
                    "Chart.yaml": ABOUT,
                    "charts/a.tgz": packed({"charts/b.tgz": HALF, "charts/c.tgz": HALF, "d": bytes(2**22)}),
                }
            ),
            "is larger than 32 MiB unpacked",
            id="large within",
        ),
        pytest.param(sparse(3 * 2**30), "has a sparse file", id="sparse"),
        pytest.param(
            packed({"Chart.yaml": ABOUT, "charts/a.tgz": sparse(3 * 2**30)}),
            "has a sparse file",
            id="sparse within",
        ),
        pytest.param(
            with_attributes({"GNU.sparse.map": "0,1", "GNU.sparse.size": "9"}), "sparse", id="attributes"
        ),
        pytest.param(with_attributes({"comment": "9" * 100_000}), "attributes over 4096 bytes", id="header"),
        pytest.param(with_attributes({"size": "-512"}), "damaged size", id="negative"),
        pytest.param(packed(dict.fromkeys(map(str, range(10_001)), "")), "more than 10000 files", id="files"),
        pytest.param(nested(5), "nests archives deeper than 4 levels", id="deep"),
        pytest.param(
            packed({"Chart.yaml": "- x\n" * 20_000}), "Chart.yaml is refused: it has more", id="dense"
        ),
    ],
)
def test_an_archive_that_unpacks_to_too_much_is_refused(tmp_path: Path, content: bytes, why: str) -> None:
    file = tmp_path / "shop.tgz"
    file.write_bytes(content)
    tracemalloc.start()
    try:
        with pytest.raises(ChartError, match=why):
            Chart.read(file)
        assert tracemalloc.get_traced_memory()[1] < 200 * 2**20
    finally:
        tracemalloc.stop()


def test_archives_in_archives_are_read_within_the_limits(tmp_path: Path) -> None:
    file = tmp_path / "shop.tgz"
    file.write_bytes(packed({"Chart.yaml": ABOUT, "charts/a.tgz": nested(3), "charts/b.tgz": HALF}))

    assert Chart.read(file).name == "shop"
