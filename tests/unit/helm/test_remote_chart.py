"""Charts of a `watches.yaml` that are not on disk."""

from __future__ import annotations

import json
from base64 import b64encode
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import pytest

from chart_archives import ServedWeb, answering, chart_archive, repository
from chart_registry import Registry
from windlass.errors import ChartError, ChartRefusedError, ConfigError
from windlass.helm import Chart, FetchOptions, RemoteChart, fetch_chart, read_watches

if TYPE_CHECKING:
    from pathlib import Path

BASE = "https://charts.example.com"
FILE = f"{BASE}/files/shop-1.0.0.tgz"
ARCHIVE = chart_archive("shop", "1.0.0")
DIGEST = sha256(ARCHIVE).hexdigest()
NOWHERE = ServedWeb({})


@pytest.mark.parametrize(
    ("keys", "found"),
    [
        ({"chart": "helm-charts/shop"}, None),
        ({"chart": "shop-1.0.0.tgz"}, None),
        (
            {"chart": "oci://r.example.com/charts/shop", "version": "1.0.0"},
            RemoteChart(origin="oci://r.example.com/charts", name="shop", version="1.0.0"),
        ),
        (
            {"chart": f"oci://r.example.com:5000/shop@sha256:{DIGEST}"},
            RemoteChart(origin="oci://r.example.com:5000", name="shop", digest=f"sha256:{DIGEST}"),
        ),
        (
            {"chart": "shop", "repo": f"{BASE}/", "version": "^1", "digest": DIGEST},
            RemoteChart(origin=BASE, name="shop", version="^1", digest=DIGEST),
        ),
        (
            {"chart": "shop", "repo": "oci://r.example.com/charts"},
            RemoteChart(origin="oci://r.example.com/charts", name="shop"),
        ),
        ({"chart": FILE, "digest": DIGEST}, RemoteChart(origin=FILE, digest=DIGEST)),
    ],
)
def test_the_keys_of_an_entry_say_where_a_chart_is(keys: dict[str, str], found: RemoteChart | None) -> None:
    assert RemoteChart.parse(**keys) == found


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ({"chart": "shop", "version": "1.0.0"}, "are for charts that are fetched"),
        ({"chart": "shop", "digest": DIGEST}, "are for charts that are fetched"),
        ({"chart": f"{BASE}/stable/shop"}, f"chartRepo: {BASE}/stable and chart: shop"),
        ({"chart": "oci://r.example.com/shop:1.0.0"}, "write the version as chartVersion"),
        ({"chart": f"oci://r.example.com/shop@{DIGEST}", "digest": DIGEST}, "has a digest already"),
        ({"chart": "oci://shop"}, "is no repository"),
        ({"chart": "git://example.com/shop"}, "write a path, oci://… or https://…"),
        ({"chart": "./shop", "repo": BASE}, "'./shop' is no name of a chart"),
        ({"chart": "shop", "repo": "charts.example.com"}, "'charts.example.com' is no repository"),
        ({"chart": "shop", "repo": "https://ann:secret@charts.example.com"}, "use --registry-config"),
    ],
)
def test_keys_that_make_no_sense_are_refused_with_a_remedy(keys: dict[str, str], said: str) -> None:
    with pytest.raises(ConfigError, match=said) as refused:
        RemoteChart.parse(**keys)

    assert "secret" not in str(refused.value)


@pytest.mark.parametrize(
    ("chart", "digests"),
    [
        (RemoteChart(origin=BASE, name="shop", version="1.0.0"), True),
        (RemoteChart(origin=BASE, name="shop", version="^1", digest=DIGEST), True),
        (RemoteChart(origin=BASE, name="shop", digest=DIGEST), False),
        (RemoteChart(origin=FILE, digest=f"sha256:{DIGEST}"), False),
        (RemoteChart(origin=FILE, digest=DIGEST, version="1.0.0"), False),
    ],
)
async def test_a_chart_is_fetched_and_with_a_digest_it_is_found_again_without_a_network(
    tmp_path: Path, chart: RemoteChart, *, digests: bool
) -> None:
    files = repository(BASE, {("shop", "1.0.0"): ARCHIVE}, digests=digests) | {FILE: ARCHIVE}
    options = FetchOptions(cache=tmp_path / "new" / "cache")

    path = await fetch_chart(chart, options, ServedWeb(files))

    assert path.is_relative_to(options.cache)
    assert Chart.read(path).version == "1.0.0"
    if chart.digest:
        assert await fetch_chart(chart, options, NOWHERE) == path
    else:
        with pytest.raises(ChartError, match="404"):
            await fetch_chart(chart, options, NOWHERE)


@pytest.mark.parametrize(
    ("chart", "said"),
    [
        (RemoteChart(origin=BASE, name="shop"), "there is no version, and there is no digest"),
        (RemoteChart(origin=BASE, name="shop", version="^1"), r"the version \^1 floats"),
        (RemoteChart(origin=BASE, name="shop", version="1.0.0"), "no digest to verify it by"),
        (RemoteChart(origin=FILE), "no digest to verify it by"),
    ],
)
async def test_what_nothing_fixes_is_refused_unless_that_is_allowed(
    tmp_path: Path, chart: RemoteChart, said: str
) -> None:
    web = ServedWeb(repository(BASE, {("shop", "1.0.0"): ARCHIVE}, digests=False) | {FILE: ARCHIVE})

    with pytest.raises(ChartRefusedError, match=said):
        await fetch_chart(chart, FetchOptions(cache=tmp_path), web)

    allowed = FetchOptions(cache=tmp_path, allow_without_digest=True)
    assert Chart.read(await fetch_chart(chart, allowed, web)).name == "shop"


@pytest.mark.parametrize(
    ("chart", "said"),
    [
        (RemoteChart(origin=FILE, digest="0" * 64), f"has the digest {DIGEST}, not {'0' * 64}"),
        (RemoteChart(origin=FILE, digest=DIGEST, version="^2"), r"gave version 1\.0\.0, not \^2"),
        (RemoteChart(origin=FILE, digest="abc"), "is not a SHA-256 digest"),
        (RemoteChart(origin=FILE.replace("https", "http"), digest=DIGEST), "plain HTTP"),
        (RemoteChart(origin=BASE, name="shop", version="2.0.0"), r"has no chart shop 2\.0\.0"),
    ],
)
async def test_a_chart_that_is_not_what_the_entry_names_is_refused(
    tmp_path: Path, chart: RemoteChart, said: str
) -> None:
    web = ServedWeb(repository(BASE, {("shop", "1.0.0"): ARCHIVE}) | {FILE: ARCHIVE})

    for _ in range(2):  # the second time, an archive may be kept
        with pytest.raises(ChartError, match=said):
            await fetch_chart(chart, FetchOptions(cache=tmp_path), web)


async def test_a_digest_that_is_kept_still_has_to_be_of_the_version(tmp_path: Path) -> None:
    options, web = FetchOptions(cache=tmp_path), ServedWeb({FILE: ARCHIVE})
    await fetch_chart(RemoteChart(origin=FILE, digest=DIGEST), options, web)

    with pytest.raises(ChartError, match=r"gave version 1\.0\.0, not 2\.0\.0"):
        await fetch_chart(RemoteChart(origin=FILE, digest=DIGEST, version="2.0.0"), options, NOWHERE)


async def test_an_archive_that_was_damaged_in_the_cache_is_fetched_again(tmp_path: Path) -> None:
    options, web = FetchOptions(cache=tmp_path), ServedWeb({FILE: ARCHIVE})
    chart = RemoteChart(origin=FILE, digest=DIGEST)
    path = await fetch_chart(chart, options, web)
    path.write_bytes(b"damaged")

    assert (await fetch_chart(chart, options, web)).read_bytes() == ARCHIVE


async def test_a_registry_is_asked_with_its_credentials_and_its_digests_are_kept(tmp_path: Path) -> None:
    login = f"Basic {b64encode(b'ann:secret').decode()}"
    registry = Registry(["1.0.0", "1.1.0"], login=login)
    config = tmp_path / "config.json"
    async with answering(registry) as address:
        config.write_text(json.dumps({"auths": {address: {"auth": login.removeprefix("Basic ")}}}))
        options = FetchOptions(cache=tmp_path / "cache", plain_http=True, registry_config=config)
        origin = f"oci://{address}/charts"
        exact = await fetch_chart(RemoteChart(origin=origin, name="shop", version="1.0.0"), options)
        with pytest.raises(ChartError, match="wants credentials"):
            await fetch_chart(
                RemoteChart(origin=origin, name="shop", version="1.1.0"),
                FetchOptions(cache=tmp_path / "other", plain_http=True),
            )
        pinned = [
            RemoteChart(origin=origin, name="shop", version="1.0.0", digest=digest)
            for digest in (registry.digest_of("1.0.0"), f"sha256:{exact.stem}")
        ]
        for chart in pinned:
            assert await fetch_chart(chart, options) == exact

    for chart in pinned:
        assert await fetch_chart(chart, options) == exact  # the registry is gone


@pytest.mark.parametrize("text", ["", "[]", '{"auths": {"charts.example.com": {"auth": "?"}}}'])
async def test_credentials_that_cannot_be_read_are_told_with_their_file(tmp_path: Path, text: str) -> None:
    config = tmp_path / "config.json"
    config.write_text(text)
    options = FetchOptions(cache=tmp_path, registry_config=config)

    with pytest.raises(ConfigError, match=r"config\.json has no credentials"):
        await fetch_chart(RemoteChart(origin=BASE, name="shop", version="1.0.0"), options, NOWHERE)


async def test_a_folder_that_cannot_be_written_is_told_with_the_flag(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    options = FetchOptions(cache=tmp_path / "file" / "cache")

    with pytest.raises(ChartError, match=r"cannot be kept in .*: Not a directory; .* --chart-cache"):
        await fetch_chart(RemoteChart(origin=FILE, digest=DIGEST), options, ServedWeb({FILE: ARCHIVE}))


ENTRY = "- {version: v1, kind: Shop, %s}\n"


def test_an_entry_has_the_archive_that_was_fetched(tmp_path: Path) -> None:
    archive, asked = tmp_path / "kept.tgz", []
    archive.write_bytes(ARCHIVE)
    file = tmp_path / "watches.yaml"
    file.write_text(ENTRY % f"chart: shop, chartRepo: '{BASE}', chartVersion: '1.0', chartDigest: '{DIGEST}'")

    def fetch(chart: RemoteChart) -> Path:
        asked.append(chart)
        return archive

    (watch,) = read_watches(file, fetch)

    assert watch.chart == archive
    assert asked == [watch.remote] == [RemoteChart(origin=BASE, name="shop", version="1.0", digest=DIGEST)]
    assert watch.chart_name == f"{BASE}/shop"


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        (
            f"chart: shop, chartRepo: '{BASE}', chartVersion: 1.10",
            "entry 1: chartVersion is 1.1; write it in",
        ),
        (f"chart: '{BASE}/shop'", "entry 1: chart https://charts.example.com/shop is no archive"),
        (f"chart: '{FILE}'", "entry 1: .*: not today"),
    ],
)
def test_a_chart_that_cannot_be_had_is_told_with_its_entry(tmp_path: Path, keys: str, said: str) -> None:
    file = tmp_path / "watches.yaml"
    file.write_text(ENTRY % keys)

    def fetch(chart: RemoteChart) -> Any:
        raise ChartError(f"{chart}: not today")

    with pytest.raises(ConfigError, match=said):
        read_watches(file, fetch)
