from __future__ import annotations

import tracemalloc
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import pytest

from chart_archives import ServedWeb, chart_archive, repository
from windlass.errors import ChartError, ChartRefusedError
from windlass.helm.source import Credentials, SourcePolicy, Sources, Wanted

if TYPE_CHECKING:
    from pathlib import Path

BASE = "https://charts.example.com/stable"
BUCKET = "https://bucket.example.com"


def versions(*each: str) -> dict[tuple[str, str], bytes]:
    return {("shop", version): chart_archive("shop", version) for version in each}


UNVERIFIED = SourcePolicy(allow_without_digest=True)


def wanted(version: str = "", origin: str = BASE, **more: Any) -> Wanted:
    return Wanted(name="shop", origin=origin, version=version, **more)


@pytest.mark.parametrize(
    ("version", "found"), [("", "1.2.0"), ("latest", "1.2.0"), ("~1.1", "1.1.3"), ("1.1.0", "1.1.0")]
)
async def test_a_repository_gives_the_highest_version_that_fits(version: str, found: str) -> None:
    web = ServedWeb(repository(BASE, versions("1.1.0", "1.1.3", "1.2.0", "2.0.0-rc.1")))

    chart = await Sources(web=web).fetch(wanted(version))

    assert (chart.name, chart.version, chart.app_version) == ("shop", found, f"app-{found}")


async def test_C09_a_whole_version_that_was_fetched_is_not_asked_for_again() -> None:
    web = ServedWeb(repository(BASE, versions("1.1.0", "1.2.0")))
    sources = Sources(web=web)

    floating = await sources.fetch(wanted())
    web.files.clear()
    pinned = await sources.fetch(wanted("1.2.0"))

    assert pinned == floating
    assert len(web.asked) == 2


async def test_a_floating_version_is_asked_for_each_time() -> None:
    web = ServedWeb(repository(BASE, versions("1.1.0")))
    sources = Sources(web=web)
    first = await sources.fetch(wanted())

    web.files |= repository(BASE, versions("1.1.0", "1.2.0"))
    second = await sources.fetch(wanted())

    assert (first.version, second.version) == ("1.1.0", "1.2.0")


async def test_an_archive_on_disk_is_not_downloaded_again_by_another_process(tmp_path: Path) -> None:
    web = ServedWeb(repository(BASE, versions("1.1.0")))
    await Sources(web=web, folder=tmp_path).fetch(wanted())
    web.asked.clear()

    await Sources(web=web, folder=tmp_path).fetch(wanted())

    assert [url for url, _ in web.asked] == [f"{BASE}/index.yaml"]


async def test_an_archive_that_is_damaged_on_disk_is_downloaded_again(tmp_path: Path) -> None:
    web = ServedWeb(repository(BASE, versions("1.1.0")))
    first = await Sources(web=web, folder=tmp_path).fetch(wanted())
    first.path.write_bytes(b"damaged")

    again = await Sources(web=web, folder=tmp_path).fetch(wanted())

    assert again.digest == first.digest


async def test_an_archive_with_another_digest_than_the_index_lists_is_refused() -> None:
    files = repository(BASE, versions("1.1.0"))
    files[f"{BASE}/shop-1.1.0.tgz"] = chart_archive("shop", "1.1.0", {"evil.yaml": "a: b"})

    with pytest.raises(ChartError, match="changed or damaged"):
        await Sources(web=ServedWeb(files)).fetch(wanted())


async def test_a_digest_that_is_a_path_is_refused(tmp_path: Path) -> None:
    files = repository(BASE, versions("1.1.0"))
    index = files[f"{BASE}/index.yaml"].decode().splitlines()
    files[f"{BASE}/index.yaml"] = "\n".join([*index[:-1], "      digest: ../../etc/shadow"]).encode()

    with pytest.raises(ChartError, match="not a SHA-256 digest"):
        await Sources(web=ServedWeb(files), folder=tmp_path / "cache").fetch(wanted())


async def test_an_index_without_digests_serves_where_the_policy_allows_it() -> None:
    web = ServedWeb(repository(BASE, versions("1.1.0"), digests=False))

    assert (await Sources(web=web).fetch(wanted(policy=UNVERIFIED))).version == "1.1.0"
    with pytest.raises(ChartRefusedError, match="no digest to verify it by"):
        await Sources(web=web).fetch(wanted())


async def test_a_digest_of_the_request_wins_over_the_index() -> None:
    files = repository(BASE, versions("1.1.0"), digests=False)
    good = sha256(files[f"{BASE}/shop-1.1.0.tgz"]).hexdigest()
    listed = repository(BASE, versions("1.1.0"))

    assert (await Sources(web=ServedWeb(files)).fetch(wanted(digest=f"sha256:{good}"))).version == "1.1.0"
    with pytest.raises(ChartError, match=f"has the digest {good}, not {'0' * 64}"):
        await Sources(web=ServedWeb(listed)).fetch(wanted(digest="0" * 64))


async def test_a_chart_that_was_fetched_with_credentials_is_not_given_to_others(tmp_path: Path) -> None:
    owner = Credentials(token="t0ken")
    files = repository(BASE, versions("1.1.0"))
    web = ServedWeb(files, authorization="Bearer t0ken")
    sources = Sources(web=web, folder=tmp_path)
    await sources.fetch(wanted("1.1.0", credentials=owner))

    for other in (None, Credentials(token="guess")):
        with pytest.raises(ChartError, match="answered 401"):
            await sources.fetch(wanted("1.1.0", credentials=other))


async def test_who_knows_the_digest_of_a_private_chart_is_not_given_it(tmp_path: Path) -> None:
    private = repository(BASE, versions("1.1.0"))
    web = ServedWeb(private)
    sources = Sources(web=web, folder=tmp_path)
    await sources.fetch(wanted(credentials=Credentials(token="t0ken")))
    own = "https://attacker.example.com"
    web.files |= {f"{own}/index.yaml": private[f"{BASE}/index.yaml"]}  # the same digest, and no archive

    with pytest.raises(ChartError, match="answered 404"):
        await sources.fetch(wanted("1.1.0", own))


async def test_where_an_index_points_is_checked_too() -> None:
    inside = "https://10.0.0.7/shop-1.1.0.tgz"
    files = repository(BASE, versions("1.1.0"))
    files[inside] = files.pop(f"{BASE}/shop-1.1.0.tgz")
    files[f"{BASE}/index.yaml"] = files[f"{BASE}/index.yaml"].replace(
        b"[shop-1.1.0.tgz]", f"[{inside}]".encode()
    )
    web = ServedWeb(files)

    with pytest.raises(ChartRefusedError, match=r"10\.0\.0\.7 is refused"):
        await Sources(web=web).fetch(wanted())
    assert [url for url, _ in web.asked] == [f"{BASE}/index.yaml"]


@pytest.mark.parametrize(
    ("credentials", "header"),
    [
        (Credentials(username="ann", password="secret"), "Basic YW5uOnNlY3JldA=="),
        (Credentials(token="t0ken"), "Bearer t0ken"),
    ],
)
async def test_a_repository_is_told_who_asks(credentials: Credentials, header: str) -> None:
    web = ServedWeb(repository(BASE, versions("1.1.0")), authorization=header)

    await Sources(web=web).fetch(wanted(credentials=credentials))

    assert {sent for _, sent in web.asked} == {header}
    assert "secret" not in repr(credentials)


async def test_credentials_are_not_sent_where_an_index_points_elsewhere() -> None:
    elsewhere = "https://elsewhere.example.com/shop-1.1.0.tgz"
    files = repository(BASE, versions("1.1.0"))
    files[elsewhere] = files.pop(f"{BASE}/shop-1.1.0.tgz")
    files[f"{BASE}/index.yaml"] = files[f"{BASE}/index.yaml"].replace(
        b"[shop-1.1.0.tgz]", f"[{elsewhere}]".encode()
    )
    web = ServedWeb(files)

    await Sources(web=web).fetch(wanted(credentials=Credentials(token="t0ken")))

    assert web.asked == [(f"{BASE}/index.yaml", "Bearer t0ken"), (elsewhere, "")]


@pytest.mark.parametrize(
    ("index", "said"),
    [
        (b"a: [", "not YAML"),
        (b"", "lists no entries"),
        (b"entries: []", "lists no entries"),
        (b"entries: {}", "there is none of this name"),
        (b"entries: {shop: [{version: 1.1.0}, 7]}", "there is none of this name"),
        (b"entries: {shop: [{version: 1.0.0-rc.1, urls: [a.tgz]}]}", "its newest version is 1.0.0-rc.1"),
    ],
)
async def test_what_is_wrong_with_a_repository_is_said(index: bytes, said: str) -> None:
    with pytest.raises(ChartError, match=said):
        await Sources(web=ServedWeb({f"{BASE}/index.yaml": index})).fetch(wanted())


async def test_a_chart_of_another_name_is_refused() -> None:
    files = repository(BASE, {("shop", "1.1.0"): chart_archive("other", "1.1.0")})

    with pytest.raises(ChartError, match="gave the chart other for shop"):
        await Sources(web=ServedWeb(files)).fetch(wanted())


@pytest.mark.parametrize(
    ("version", "found"),
    [("1.1.0+a", "1.1.0+a"), ("1.1.0+b", "1.1.0+b"), ("^1", "1.1.0+b"), ("1.0.0", "1.0.0")],
)
async def test_versions_with_build_metadata_are_found_in_a_repository_and_in_a_bucket(
    version: str, found: str
) -> None:
    archives = versions("1.0.0", "1.1.0+a", "1.1.0+b")
    keys = {f"charts/shop-{each}.tgz": content for (_, each), content in archives.items()}
    bucket = {f"{BUCKET}/{key.replace('+', '%2B')}": content for key, content in keys.items()}
    web = ServedWeb(repository(BASE, archives) | bucket | {LIST: listing(*keys)})

    for origin in (BASE, f"bucket+{BUCKET}"):
        assert (await Sources(web=web).fetch(wanted(version, origin, policy=UNVERIFIED))).version == found


def listing(*keys: str, more: str = "") -> bytes:
    named = "".join(f"<Contents><Key>{key}</Key><Size>1</Size></Contents>" for key in keys)
    token = f"<NextContinuationToken>{more}</NextContinuationToken>" if more else ""
    return f"<?xml version='1.0'?><ListBucketResult>{named}{token}</ListBucketResult>".encode()


LIST = f"{BUCKET}/?list-type=2&prefix=charts%2Fshop-"


async def test_a_whole_version_is_taken_from_a_bucket_by_its_name() -> None:
    web = ServedWeb({f"{BUCKET}/charts/shop-0.0.1.tgz": chart_archive("shop", "0.0.1")})

    chart = await Sources(web=web).fetch(wanted("0.0.1", f"bucket+{BUCKET}", policy=UNVERIFIED))

    assert chart.version == "0.0.1"
    assert len(web.asked) == 1


async def test_the_highest_version_of_a_bucket_is_found_over_all_pages_of_its_list() -> None:
    web = ServedWeb(
        {
            LIST: listing("charts/shop-1.0.0.tgz", "charts/shop-front-9.0.0.tgz", more="a/b+c"),
            f"{LIST}&continuation-token=a%2Fb%2Bc": listing("charts/shop-1.1.0.tgz", "charts/shop-1.2.0.zip"),
            f"{BUCKET}/charts/shop-1.1.0.tgz": chart_archive("shop", "1.1.0"),
        }
    )

    bucket = wanted("", f"bucket+{BUCKET}", policy=UNVERIFIED)
    assert (await Sources(web=web).fetch(bucket)).version == "1.1.0"


async def test_an_archive_of_a_bucket_needs_a_digest() -> None:
    content = chart_archive("shop", "0.0.1")
    web = ServedWeb({f"{BUCKET}/charts/shop-0.0.1.tgz": content})
    named = wanted("0.0.1", f"bucket+{BUCKET}", digest=sha256(content).hexdigest())

    assert (await Sources(web=web).fetch(named)).version == "0.0.1"
    with pytest.raises(ChartRefusedError, match="no digest"):
        await Sources(web=web).fetch(wanted("0.0.1", f"bucket+{BUCKET}"))


async def test_a_bucket_without_the_chart_says_so() -> None:
    with pytest.raises(ChartError, match="there is none of this name"):
        await Sources(web=ServedWeb({LIST: listing()})).fetch(wanted("", f"bucket+{BUCKET}"))


async def test_a_folder_is_read_again_when_it_was_edited(tmp_path: Path) -> None:
    about = tmp_path / "Chart.yaml"
    about.write_text("apiVersion: v2\nname: shop\nversion: 1.0.0\n")
    sources = Sources(web=ServedWeb({}))
    first = await sources.fetch(wanted(origin=str(tmp_path)))

    about.write_text("apiVersion: v2\nname: shop\nversion: 1.0.10\n")

    assert first.version == "1.0.0"
    assert (await sources.fetch(wanted(origin=str(tmp_path)))).version == "1.0.10"


async def test_an_archive_on_disk_is_a_chart_as_well(tmp_path: Path) -> None:
    path = tmp_path / "shop.tgz"
    path.write_bytes(chart_archive("shop", "1.0.0"))

    assert (await Sources().fetch(wanted("^1", str(path)))).version == "1.0.0"
    with pytest.raises(ChartError, match=r"has version 1\.0\.0, not \^2"):
        await Sources().fetch(wanted("^2", str(path)))
    with pytest.raises(ChartError, match="has the digest"):
        await Sources().fetch(wanted("", str(path), digest="0" * 64))


async def test_a_folder_that_is_none_is_named(tmp_path: Path) -> None:
    with pytest.raises(ChartError, match="missing"):
        await Sources().fetch(wanted(origin=str(tmp_path / "missing")))


async def test_an_index_is_refused_where_it_would_take_too_much_memory() -> None:
    url = f"{BASE}/index.yaml"
    listed = b"entries:\n  shop:\n"
    for text, why in (
        (b"x: 1\n" + b"#" * 20 * 2**20, "is larger than 20 MiB"),
        (listed + b"  - x\n" * 200_001, "is refused: it has more than 200000"),
        (listed + b"  - " + b"[" * 1000, "is refused: it nests deeper"),
    ):
        with pytest.raises(ChartError, match=why):
            await Sources(web=ServedWeb({url: text})).fetch(wanted())


async def test_what_an_index_lists_of_other_charts_takes_no_memory() -> None:
    web = ServedWeb(repository(BASE, versions("1.1.0")))
    url = f"{BASE}/index.yaml"
    web.files[url] = b"other:\n" + b"- x\n" * 300_000 + web.files[url]
    tracemalloc.start()
    try:
        assert (await Sources(web=web).fetch(wanted())).version == "1.1.0"
        assert tracemalloc.get_traced_memory()[1] < 80 * 2**20
    finally:
        tracemalloc.stop()
