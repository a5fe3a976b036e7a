"""What is no resource: discovery, OpenAPI, version, health."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.access.openid import JWK_SET, key_set, openid_configuration
from windlass.apiserver.builtin import library
from windlass.apiserver.discovery import (
    Discovery,
    answer_discovery,
    check_health,
    health_checks,
    release,
)
from windlass.apiserver.exchange import JSON, Reply
from windlass.apiserver.negotiate import negotiate_status
from windlass.apiserver.openapi import OpenApi, answer_openapi
from windlass.apiserver.refusal import Refusal, no_such_method, no_such_path
from windlass.apiserver.verb.answer import written

if TYPE_CHECKING:
    from windlass.apiserver.access.jwt import Keyring
    from windlass.apiserver.exchange import Call
    from windlass.apiserver.resource import Catalog

_METRICS: Final = "text/plain; version=0.0.4; charset=utf-8; escaping=underscores"
_HEALTH: Final = ("healthz", "livez", "readyz")


class Documents:
    """The documents about what is served, made anew when that changes."""

    def __init__(self, catalog: Catalog, keyring: Keyring) -> None:
        self._catalog = catalog
        self._keyring = keyring
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
        found = self._find(call, parts) or self._about_tokens(call, parts)
        if found is None:
            return _nowhere()
        if call.method != "GET" and _only_read(parts):
            raise no_such_method()
        return found

    def _find(self, call: Call, parts: list[str]) -> Reply | None:  # noqa: PLR0911 - one for each document
        match parts:
            case [] | ["index.html"]:
                return Reply.json(self.discovery.root())
            case ["version"]:
                _check_accepted(call)
                return Reply.json(release())
            case [endpoint, *checks] if endpoint in _HEALTH and not call.path.endswith("/"):
                return _health(call, endpoint, checks)
            case ["api" | "apis"]:
                return answer_discovery(call, self.discovery)
            case ["api", version]:
                return self._resources(call, "", version)
            case ["apis", group]:
                return _written(call, self.discovery.group(group))
            case ["apis", group, version]:
                return self._resources(call, group, version)
            case ["openapi", _, *_]:
                return answer_openapi(call, self.openapi)
            case ["metrics"] if not call.path.endswith("/"):
                return _metrics()
        return None

    def _about_tokens(self, call: Call, parts: list[str]) -> Reply | None:
        match parts:
            case [".well-known", "openid-configuration"]:
                _check_accepted(call)
                return openid_configuration(call.headers.get("host", ""))
            case ["openid", "v1", "jwks"]:
                _check_accepted(call, JWK_SET)
                return key_set(self._keyring)
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

    def _resources(self, call: Call, group: str, version: str) -> Reply | None:
        found = self.discovery.resource_list(group, version)
        if found is None and self._catalog.serves_builtin(group):
            raise no_such_path()
        return _written(call, found)


def _only_read(parts: list[str]) -> bool:
    """Whether a document is there for GET alone; most do not look at the method, so that HEAD works too."""
    match parts:
        case ["version" | "api" | "openid" | ".well-known", *_] | ["apis", _, _]:
            return True
    return False


def _check_accepted(call: Call, media: str = JSON) -> None:
    """Refuse where the form of a document that is read is not acceptable.

    Raises:
        Refusal: 406.
    """
    accepted = {part.split(";")[0].strip() for part in call.headers.get("accept", "").split(",")}
    if call.method == "GET" and not accepted & {"", "*/*", "application/*", media}:
        raise Refusal(406, f"406: Not Acceptable\n\nAvailable representations: {media}", details={})


def _health(call: Call, endpoint: str, checks: list[str]) -> Reply | None:
    if checks:
        known = checks[0] in health_checks(endpoint) and not checks[1:]
        return Reply(body=b"ok", content_type="text/plain; charset=utf-8") if known else None
    exclude = call.query.texts("exclude")
    text = check_health(endpoint, verbose="verbose" in call.query, exclude=exclude)
    return Reply.text(text)


def _metrics() -> Reply:
    text = "# HELP apiserver_request_total Requests.\n# TYPE apiserver_request_total counter\n"
    return Reply(body=text.encode(), content_type=_METRICS)


def _written(call: Call, value: Any) -> Reply | None:
    return None if value is None else written(negotiate_status(call.headers.get("accept", "")), call, value)


def _nowhere() -> Reply:
    return Reply.text("404 page not found\n", 404)
