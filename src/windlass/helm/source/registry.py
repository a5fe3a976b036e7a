"""An OCI registry of charts, by the distribution API: tags, manifest, layer.

No `helm` process: the same `SourcePolicy` and `Web` hold as for every other source.
"""

from __future__ import annotations

import re
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote, urlencode, urljoin, urlsplit

import orjson

from windlass.errors import ChartError
from windlass.helm.source.origin import Located, plain_digest
from windlass.helm.source.policy import shown
from windlass.helm.source.repository import missing
from windlass.helm.source.version import highest, is_exact

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from windlass.api import Json
    from windlass.helm.chart import Chart
    from windlass.helm.source.cache import ChartCache
    from windlass.helm.source.origin import Wanted
    from windlass.helm.source.web import Answer, Web

SCHEME: Final = "oci://"
_MANIFEST: Final = "application/vnd.oci.image.manifest.v1+json"
_CONTENT: Final = frozenset({"application/vnd.cncf.helm.chart.content.v1.tar+gzip", "application/tar+gzip"})
_PARAMETER: Final = re.compile(r'(?<!\w)(\w+)="([^"]*)"')
_NEXT: Final = re.compile(r'<([^>]+)>\s*;\s*rel="?next"?')
_OK: Final = 200
_UNAUTHORIZED: Final = 401
_MOST_PAGES: Final = 100
_LARGEST_LIST: Final = 20 * 2**20  # over all pages, as of an index


async def from_registry(wanted: Wanted, web: Web, cache: ChartCache, *, plain_http: bool = False) -> Chart:
    """Return a chart that a registry holds, verified by the digest in its manifest.

    Raises:
        ChartRefusedError: the policy refuses the registry, or where it redirects to.
        ChartError: there is none that fits, or the registry refuses.
    """
    registry = _Registry(wanted, web, plain_http=plain_http)
    tag = await registry.tag()
    manifest = await registry.manifest(tag)
    layer = _layer(manifest, registry.shown)
    expected = plain_digest(wanted.digest, registry.shown)
    found = sha256(manifest).hexdigest()
    if expected not in ("", found, layer):
        raise ChartError(
            f"{registry.shown}: {tag} has the digest {found}, its archive {layer}; neither is {expected}"
        )
    located = Located(registry.shown, layer, tag.replace("_", "+"))
    chart = await cache.chart(wanted, located, lambda write: registry.blob(layer, write))
    if expected == found:
        cache.name_also(wanted, found, chart)
    return chart


class _Registry:
    """One chart in one registry, and the token by which it is read."""

    def __init__(self, wanted: Wanted, web: Web, *, plain_http: bool) -> None:
        host, _, path = wanted.origin.removeprefix(SCHEME).rstrip("/").partition("/")
        self._base = f"{'http' if plain_http else 'https'}://{host}"
        self._name = quote("/".join(filter(None, (path, wanted.name))))
        self._wanted = wanted
        self._web = web
        self._authorization: Mapping[str, str] = {}
        self._withheld = ""

    @property
    def shown(self) -> str:
        """The chart, for messages."""
        return f"{self._wanted.origin.rstrip('/')}/{self._wanted.name}"

    async def tag(self) -> str:
        """Return the tag of the version that is wanted; tags have `_` where versions have `+`."""
        if is_exact(self._wanted.version):
            return self._wanted.version.replace("+", "_")
        versions = [each.replace("_", "+") for each in await self._tags()]
        version = highest(versions, self._wanted.version)
        if version is None:
            raise missing(self._wanted, versions)
        return version.replace("+", "_")

    async def manifest(self, tag: str) -> bytes:
        """Return the manifest of a tag."""
        return (await self._get(self._path(f"manifests/{quote(tag)}"), {"Accept": _MANIFEST})).body

    async def blob(self, digest: str, write: Callable[[bytes], None]) -> None:
        """Write a layer by its digest; who asks for it verifies it."""
        await self._get(self._path(f"blobs/sha256:{digest}"), write=write)

    async def _tags(self) -> list[str]:
        found: list[str] = []
        size = 0
        url = self._path("tags/list")
        for _ in range(_MOST_PAGES):
            answer = await self._get(url)
            size += len(answer.body)
            listed = _object(answer.body, self.shown).get("tags") or ()
            found += [each for each in listed if isinstance(each, str)]
            more = _NEXT.search(answer.headers.get("link", ""))
            if not more:
                return found
            if size > _LARGEST_LIST:
                break
            url = urljoin(url, more[1])
            if not url.startswith(f"{self._base}/"):
                raise ChartError(f"{self.shown}: the list of tags goes on at another host")
        raise ChartError(f"{self.shown} has more tags than can be listed: name a version")

    async def _get(
        self,
        url: str,
        headers: Mapping[str, str] | None = None,
        write: Callable[[bytes], None] | None = None,
    ) -> Answer:
        policy, own = self._wanted.policy, headers or {}
        answer = await self._web.get(url, {**own, **self._authorization}, policy, write)
        if answer.status == _UNAUTHORIZED and not self._authorization:
            self._authorization = await self._authorized(answer.headers.get("www-authenticate", ""))
            answer = await self._web.get(url, {**own, **self._authorization}, policy, write)
        if answer.status != _OK:
            raise ChartError(
                f"{self.shown} cannot be pulled: the registry answered {answer.status}{self._withheld}"
            )
        return answer

    async def _authorized(self, challenge: str) -> Mapping[str, str]:
        """Return the header that a registry asks for: the credentials, or a token that they are good for.

        A registry names who gives tokens (`realm`). Another host is asked without the credentials, unless the
        policy names it.
        """
        scheme, _, rest = challenge.partition(" ")
        credentials = self._wanted.credentials
        login = credentials.basic() if credentials else {}
        if scheme.lower() == "basic" and login:
            return login
        asked = dict(_PARAMETER.findall(rest))
        if scheme.lower() != "bearer" or "realm" not in asked:
            raise ChartError(f"{self.shown} cannot be pulled: the registry wants credentials (401)")
        scope = asked.get("scope") or f"repository:{self._name}:pull"
        query = {"scope": scope, **({"service": asked["service"]} if "service" in asked else {})}
        joint = "&" if "?" in asked["realm"] else "?"
        url = f"{asked['realm']}{joint}{urlencode(query)}"
        if login and not self._may_know(asked["realm"]):
            host, login = urlsplit(asked["realm"]).netloc, {}
            self._withheld = (
                f"; the credentials were not sent to {host}, which gives its tokens: the operator's "
                "configuration can allow that (tokenHosts)"
            )
        answer = await self._web.get(url, login, self._wanted.policy)
        if answer.status != _OK:
            where = shown(asked["realm"])
            raise ChartError(
                f"{self.shown} cannot be pulled: {where} gave no token ({answer.status}){self._withheld}"
            )
        found = _object(answer.body, self.shown)
        token = found.get("token") or found.get("access_token")
        return {"Authorization": f"Bearer {token}"}

    def _may_know(self, realm: str) -> bool:
        """Whether the credentials may be sent to the host that gives tokens."""
        there, home = self._wanted.policy.check_url(realm), urlsplit(self._base)
        if (there.scheme, there.netloc.lower()) == (home.scheme, home.netloc.lower()):
            return True
        is_private = there.scheme in ("https", home.scheme)
        return is_private and self._wanted.policy.allows_token_host(there.hostname or "")

    def _path(self, rest: str) -> str:
        return f"{self._base}/v2/{self._name}/{rest}"


def _layer(manifest: bytes, where: str) -> str:
    """The digest of the archive that a manifest lists."""
    layers: Any = _object(manifest, where).get("layers")
    for each in layers if isinstance(layers, list) else ():
        if isinstance(each, dict) and each.get("mediaType") in _CONTENT:
            return plain_digest(str(each.get("digest", "")), where)
    raise ChartError(f"{where} is not a Helm chart: its manifest lists no chart archive")


def _object(body: bytes, where: str) -> Json:
    try:
        found = orjson.loads(body)
    except orjson.JSONDecodeError as error:
        raise ChartError(f"{where}: the registry's answer is not JSON") from error
    if not isinstance(found, dict):
        raise ChartError(f"{where}: the registry's answer is not an object")
    return found
