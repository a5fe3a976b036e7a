"""What is no resource: discovery, OpenAPI, version, health."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import orjson

from windlass.apiserver.builtin import library
from windlass.apiserver.discovery import (
    Discovery,
    answer_discovery,
    check_health,
    health_checks,
    release,
)
from windlass.apiserver.exchange import Reply
from windlass.apiserver.openapi import OpenApi, answer_openapi
from windlass.apiserver.refusal import Refusal

if TYPE_CHECKING:
    from windlass.apiserver.exchange import Call
    from windlass.apiserver.resource import Catalog

_HEALTH: Final = ("healthz", "livez", "readyz")


class Documents:
    """The documents about what is served, made anew when that changes."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._edition = -1
        self._discovery = Discovery(())
        self._openapi = OpenApi((), library())

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

    def _find(self, call: Call, parts: list[str]) -> Reply | None:  # noqa: PLR0911 - one for each document
        match parts:
            case []:
                return Reply.json(self.discovery.root())
            case ["version"]:
                _check_json(call)
                return Reply.json(release())
            case [endpoint, *checks] if endpoint in _HEALTH:
                return _health(call, endpoint, checks)
            case ["api" | "apis"]:
                return answer_discovery(call, self.discovery)
            case ["api", version]:
                return self._resources("", version)
            case ["apis", group]:
                return _json(self.discovery.group(group))
            case ["apis", group, version]:
                return self._resources(group, version)
            case ["openapi", _, *_]:
                return answer_openapi(call, self.openapi)
            case ["metrics"]:
                return _metrics()
        return None

    @property
    def discovery(self) -> Discovery:
        """Discovery as of now."""
        self._refresh()
        return self._discovery

    @property
    def openapi(self) -> OpenApi:
        """OpenAPI as of now."""
        self._refresh()
        return self._openapi

    def _refresh(self) -> None:
        if self._edition == self._catalog.edition:
            return
        self._edition = self._catalog.edition
        resources = list(self._catalog.resources())
        self._discovery = Discovery(resources)
        self._openapi = OpenApi(resources, library(), self._openapi)

    def _resources(self, group: str, version: str) -> Reply | None:
        found = self.discovery.resource_list(group, version)
        if found is None and self._catalog.serves_builtin(group):
            raise Refusal.no_such_path()
        return _json(found)


def _check_json(call: Call) -> None:
    """Refuse where JSON is not acceptable.

    Raises:
        Refusal: 406.
    """
    accepted = {part.split(";")[0].strip() for part in call.headers.get("accept", "").split(",")}
    if not accepted & {"", "*/*", "application/*", "application/json"}:
        message = "406: Not Acceptable\n\nAvailable representations: application/json"
        raise Refusal(406, message, details={})


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
