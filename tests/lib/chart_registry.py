"""An OCI registry of charts, for a server on the loopback."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import TYPE_CHECKING

from aiohttp import web

from chart_archives import chart_archive

if TYPE_CHECKING:
    from collections.abc import Mapping


class Registry:
    """As much of an OCI registry as a pull of `charts/shop` needs; a `token` is handed out for the login."""

    def __init__(
        self,
        versions: list[str],
        *,
        login: str = "",
        token: str = "",
        templates: Mapping[str, str] | None = None,
    ) -> None:
        self._templates = templates
        self._login = login
        self._token = token
        self._blobs: dict[str, bytes] = {}
        self._manifests: dict[str, bytes] = {}
        for version in versions:
            self.add(version)

    def digest_of(self, version: str) -> str:
        """The digest of a manifest."""
        return _digest(self._manifests[version])

    def replace(self, digest: str, content: bytes) -> None:
        """Serve something else under a digest."""
        self._blobs[f"sha256:{digest}"] = content

    def add(self, version: str) -> None:
        """Serve another version."""
        kind = "application/vnd.cncf.helm"
        config = json.dumps({"name": "shop", "version": version, "apiVersion": "v2"}).encode()
        manifest = {
            "schemaVersion": 2,
            "mediaType": "application/vnd.oci.image.manifest.v1+json",
            "config": self._blob(config, f"{kind}.config.v1+json"),
            "layers": [
                self._blob(
                    chart_archive("shop", version, self._templates), f"{kind}.chart.content.v1.tar+gzip"
                )
            ],
        }
        content = json.dumps(manifest).encode()
        tag = version.replace("+", "_")
        self._manifests[tag] = self._manifests[_digest(content)] = content

    def _blob(self, content: bytes, kind: str) -> dict[str, object]:
        self._blobs[_digest(content)] = content
        return {"mediaType": kind, "digest": _digest(content), "size": len(content)}

    async def __call__(self, request: web.BaseRequest) -> web.Response:
        said = request.headers.get("Authorization", "")
        if request.path == "/token":
            assert request.query["scope"] == "repository:charts/shop:pull"
            good = said == self._login
            return web.json_response({"token": self._token}) if good else web.Response(status=401)
        if said != (f"Bearer {self._token}" if self._token else self._login):
            realm = f'Bearer realm="http://{request.host}/token",service="shop"'
            asks = realm if self._token else 'Basic realm="shop"'
            return web.Response(status=401, headers={"WWW-Authenticate": asks})
        last = request.path.rpartition("/")[2]
        if request.path.endswith("/tags/list"):
            tags = [each for each in self._manifests if ":" not in each]
            return web.json_response({"name": "charts/shop", "tags": tags})
        if "/manifests/" in request.path and last in self._manifests:
            content = self._manifests[last]
            headers = {"Docker-Content-Digest": _digest(content)}
            kind = "application/vnd.oci.image.manifest.v1+json"
            return web.Response(body=content, content_type=kind, headers=headers)
        if "/blobs/" in request.path and last in self._blobs:
            return web.Response(body=self._blobs[last], content_type="application/octet-stream")
        return web.Response(status=404)


def _digest(content: bytes) -> str:
    return f"sha256:{sha256(content).hexdigest()}"
