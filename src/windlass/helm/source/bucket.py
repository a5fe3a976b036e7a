"""A bucket of archives over HTTP: `charts/<name>-<version>.tgz`, listed as S3 lists objects."""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING, Final
from urllib.parse import quote, urlencode

from windlass.errors import ChartError
from windlass.helm.source.origin import Located
from windlass.helm.source.repository import missing, sent_to
from windlass.helm.source.version import highest, is_exact
from windlass.helm.source.web import answer_of, download

if TYPE_CHECKING:
    from windlass.helm.chart import Chart
    from windlass.helm.source.cache import ChartCache
    from windlass.helm.source.origin import Wanted
    from windlass.helm.source.web import Web

SCHEME: Final = "bucket+"
_FOLDER: Final = "charts/"
_KEY: Final = re.compile(r"<Key>([^<]*)</Key>")
_NEXT: Final = re.compile(r"<NextContinuationToken>([^<]*)</NextContinuationToken>")
_MOST_PAGES: Final = 100
_LARGEST_LIST: Final = 20 * 2**20  # over all pages, as of an index


async def from_bucket(wanted: Wanted, web: Web, cache: ChartCache) -> Chart:
    """Return a chart in a bucket; a whole version is taken by its name, without a list.

    A bucket lists no digests: the policy has to allow that, or `wanted.digest` names one.

    Raises:
        ChartRefusedError: the policy refuses it.
        ChartError: there is none that fits.
    """
    base = wanted.origin.removeprefix(SCHEME).rstrip("/")
    version = wanted.version if is_exact(wanted.version) else await _newest(wanted, base, web)
    address = f"{base}/{_FOLDER}{quote(f'{wanted.name}-{version}.tgz')}"
    return await cache.chart(
        wanted,
        Located(address, wanted.digest, version),
        lambda write: download(web, address, sent_to(wanted, address), wanted.policy, write),
    )


async def _newest(wanted: Wanted, base: str, web: Web) -> str:
    prefix = f"{_FOLDER}{wanted.name}-"
    names = await _keys(wanted, base, prefix, web)
    versions = [
        name.removeprefix(prefix).removesuffix(".tgz")
        for name in names
        if name.startswith(prefix) and name.endswith(".tgz")
    ]
    version = highest(versions, wanted.version)
    if version is None:
        raise missing(wanted, versions)
    return version


async def _keys(wanted: Wanted, base: str, prefix: str, web: Web) -> list[str]:
    found: list[str] = []
    size = 0
    query = {"list-type": "2", "prefix": prefix}
    for _ in range(_MOST_PAGES):
        address = f"{base}/?{urlencode(query)}"
        content = await answer_of(web, address, sent_to(wanted, address), wanted.policy)
        size += len(content)
        page = content.decode(errors="replace")
        found += map(unescape, _KEY.findall(page))
        more = _NEXT.search(page)
        if not more:
            return found
        if size > _LARGEST_LIST:
            break
        query["continuation-token"] = unescape(more[1])
    raise ChartError(f"{base} lists more objects than charts could have versions: name a version")
