"""What is no resource: discovery, OpenAPI, version, health."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import orjson

from windlass.apiserver.builtin import library
from windlass.apiserver.discovery import Discovery, check_health, health_checks, release
from windlass.apiserver.exchange import Reply
from windlass.apiserver.negotiate import negotiate
from windlass.apiserver.openapi import OpenApi
from windlass.apiserver.refusal import Refusal

if TYPE_CHECKING:
    from windlass.apiserver.discovery import Document
    from windlass.apiserver.exchange import Call
    from windlass.apiserver.resource import Catalog

_MEDIA: Final = "application/json, application/yaml, application/vnd.kubernetes.protobuf"
_HEALTH: Final = ("healthz", "livez", "readyz")
_AGGREGATED: Final = "aggregated"
_AGGREGATED_TYPE: Final = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"


class Documents:
    """The documents about what is served, made anew when that changes."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._edition = -1
        self._discovery = Discovery(())
        self._openapi: OpenApi | None = None

    def answer(self, call: Call) -> Reply:
        """The answer to a path that is no resource's.

        Raises:
            Refusal: 404 or 405.
        """
        parts = [part for part in call.path.split("/") if part]
        if call.path.startswith("//"):
            return _nowhere()
        found = self._find(call, parts)
        if found is None:
            return _nowhere()
        if call.method != "GET":
            raise Refusal.no_such_method()
        return found

    def _find(self, call: Call, parts: list[str]) -> Reply | None:
        match parts:
            case []:
                return Reply.json(self.discovery.root())
            case ["version"]:
                _json_only(call)
                return Reply.json(release())
            case [endpoint, *checks] if endpoint in _HEALTH:
                return _health(call, endpoint, checks)
            case ["api" | "apis" as root]:
                return self._root(call, core=root == "api")
            case ["api", version]:
                return self._resources("", version)
            case ["apis", group]:
                return _json(self.discovery.group(group))
            case ["apis", group, version]:
                return self._resources(group, version)
            case ["openapi", *rest]:
                return self._describe(call, rest)
            case ["metrics"]:
                return _metrics()
        return None

    @property
    def discovery(self) -> Discovery:
        """Discovery as of now."""
        self._refresh()
        return self._discovery

    def _refresh(self) -> None:
        if self._edition == self._catalog.edition:
            return
        self._edition = self._catalog.edition
        resources = list(self._catalog.resources())
        self._discovery = Discovery(resources)
        self._openapi = OpenApi(resources, library(), self._openapi)

    def _root(self, call: Call, *, core: bool) -> Reply:
        wanted = _wanted(call)
        if wanted == _AGGREGATED:
            document = self.discovery.aggregated(core=core)
            reply = _document(call, document, _AGGREGATED_TYPE)
            reply.headers["cache-control"] = "public"
            return reply
        if core:
            return Reply.json(self.discovery.core_versions(call.headers.get("host", "")))
        return Reply.json(self.discovery.group_list())

    def _resources(self, group: str, version: str) -> Reply | None:
        found = self.discovery.resource_list(group, version)
        if found is None and self._catalog.serves_builtin(group):
            raise Refusal.no_such_path()
        return _json(found)

    def _describe(self, call: Call, rest: list[str]) -> Reply | None:
        self._refresh()
        openapi = self._openapi
        if openapi is None:
            return None
        match rest:
            case ["v3"]:
                return Reply.json(openapi.index())
            case ["v3", *root]:
                return _described(call, openapi, "/".join(root))
            case ["v2"]:
                return _document(call, openapi.older(), "application/json")
        return None


def _wanted(call: Call) -> str:
    """Which form of discovery is wanted.

    Raises:
        Refusal: 406, none that there is.
    """
    accept = call.headers.get("accept", "")
    for part in accept.split(","):
        parameters = dict(each.strip().partition("=")[::2] for each in part.split(";")[1:])
        if parameters.get("as") == "APIGroupDiscoveryList" and parameters.get("v") == "v2":
            return _AGGREGATED
        if "as" not in parameters:
            negotiate(part.strip())
            return ""
    raise Refusal(406, f"only the following media types are accepted: {_MEDIA}", details={})


def _described(call: Call, openapi: OpenApi, root: str) -> Reply:
    document = openapi.document(root)
    if document is None:
        return Reply(status=404)
    given = call.query.text("hash")
    if given and given != document.hash:
        return Reply(status=301, headers={"location": openapi.address(root)})
    media = _json_only(call, "application/json, application/com.github.proto-openapi.spec.v3@v1.0+protobuf")
    reply = _document(call, document, media)
    if given:
        reply.headers["cache-control"] = "public, immutable"
    return reply


def _json_only(call: Call, forms: str = "application/json") -> str:
    """JSON, where it is acceptable.

    Raises:
        Refusal: 406.
    """
    accepted = {part.split(";")[0].strip() for part in call.headers.get("accept", "").split(",")}
    if accepted & {"", "*/*", "application/*", "application/json"}:
        return "application/json"
    raise Refusal(406, f"406: Not Acceptable\n\nAvailable representations: {forms}", details={})


def _document(call: Call, document: Document, kind: str) -> Reply:
    if call.headers.get("if-none-match", "").strip('"') == document.hash:
        return Reply(status=304, headers={"etag": document.etag})
    return Reply(body=document.body, content_type=kind, headers={"etag": document.etag, "vary": "Accept"})


def _health(call: Call, endpoint: str, checks: list[str]) -> Reply | None:
    if checks:
        return Reply.text("ok") if checks[0] in health_checks(endpoint) and not checks[1:] else None
    exclude = call.query.texts("exclude")
    text = check_health(endpoint, verbose="verbose" in call.query, exclude=exclude)
    return Reply.text(text)


def _metrics() -> Reply:
    text = "# HELP apiserver_request_total Requests.\n# TYPE apiserver_request_total counter\n"
    return Reply(body=text.encode(), content_type="text/plain; version=0.0.4; charset=utf-8")


def _json(value: Any) -> Reply | None:
    return None if value is None else Reply(body=orjson.dumps(value))


def _nowhere() -> Reply:
    return Reply.text("404 page not found\n", 404)
