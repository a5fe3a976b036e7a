"""An HTTP repository of charts: an index, and archives wherever it says."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple
from urllib.parse import urljoin, urlsplit

from windlass.api import read_yaml
from windlass.errors import ChartError, ConfigError
from windlass.helm.source.origin import Located
from windlass.helm.source.version import highest
from windlass.helm.source.web import download

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from windlass.helm.chart import Chart
    from windlass.helm.source.cache import ChartCache
    from windlass.helm.source.origin import Wanted
    from windlass.helm.source.web import Web


_LARGEST: Final = 20 * 2**20  # the index of bitnami, as large as public ones get
_MOST_NODES: Final = 200_000  # of the chart: 3000 versions of bitnami's; 100 MB to read, the rest takes none


class Entry(NamedTuple):
    """One version of a chart, as an index lists it."""

    version: str
    url: str
    digest: str


async def from_repository(wanted: Wanted, web: Web, cache: ChartCache) -> Chart:
    """Return a chart that the index of a repository lists.

    Raises:
        ChartRefusedError: the policy refuses the repository, where its index points, or a missing digest.
        ChartError: it lists none that fits, or the archive is not the one that it lists.
    """
    base = wanted.origin.rstrip("/") + "/"
    address = urljoin(base, "index.yaml")
    too_large = f"{base}index.yaml is larger than {_LARGEST >> 20} MiB: use another repository"
    with cache.part(_LARGEST, too_large) as part:
        await download(web, address, sent_to(wanted, address), wanted.policy, part.write)
        entries = await cache.aside(_entries, part.path, wanted.name, base)  # some take seconds to read
    version = highest(entries, wanted.version)
    if version is None:
        raise missing(wanted, entries)
    entry = entries[version]
    return await cache.chart(
        wanted,
        Located(entry.url, wanted.digest or entry.digest, version),
        lambda write: download(web, entry.url, sent_to(wanted, entry.url), wanted.policy, write),
    )


async def from_address(wanted: Wanted, web: Web, cache: ChartCache) -> Chart:
    """Return the chart in the archive that is at an address.

    Raises:
        ChartRefusedError: the policy refuses the address, or the missing digest.
        ChartError: it cannot be fetched, or has another digest.
    """
    url = wanted.origin
    return await cache.chart(
        wanted,
        Located(url, wanted.digest, wanted.version),
        lambda write: download(web, url, sent_to(wanted, url), wanted.policy, write),
    )


def sent_to(wanted: Wanted, address: str) -> Mapping[str, str]:
    """The headers of a request: credentials are for the repository alone, wherever its index points."""
    there, home = urlsplit(address), urlsplit(wanted.origin.removeprefix("bucket+"))
    at_home = (there.scheme, there.netloc) == (home.scheme, home.netloc)
    return wanted.credentials.headers() if wanted.credentials and at_home else {}


def missing(wanted: Wanted, versions: Iterable[str]) -> ChartError:
    """What to say where there is no version that fits."""
    newest = highest(versions, ">=0.0.0-0")
    there = f"its newest version is {newest}" if newest else "there is none of this name"
    what = f"chart {wanted.name} {wanted.version}".rstrip()
    return ChartError(f"{wanted.origin} has no {what}: {there}")


def _entries(index_file: Path, name: str, base: str) -> dict[str, Entry]:
    """The versions of a chart that can be fetched; what is said of others does not matter."""
    try:
        found = read_yaml(
            index_file.read_bytes(), f"{base}index.yaml", most_nodes=_MOST_NODES, only=("entries", name)
        )
    except ConfigError as error:
        limit = getattr(error.__cause__, "limit", None)
        why = f"index.yaml is refused: {limit}" if limit else "its index.yaml is not YAML"
        raise ChartError(f"{base} is no repository of charts: {why}") from error
    index = found[0] if found else None
    listed = index.get("entries") if isinstance(index, dict) else None
    if not isinstance(listed, dict):
        raise ChartError(f"{base} is no repository of charts: its index.yaml lists no entries")
    versions = listed.get(name)
    each_version = versions if isinstance(versions, list) else ()
    entries = [_entry(each, base) for each in each_version if isinstance(each, dict)]
    return {entry.version: entry for entry in entries if entry}


def _entry(listed: Mapping[str, Any], base: str) -> Entry | None:
    version, urls = listed.get("version"), listed.get("urls")
    if version is None or not isinstance(urls, list) or not urls:
        return None
    return Entry(str(version), urljoin(base, str(urls[0])), str(listed.get("digest") or ""))
