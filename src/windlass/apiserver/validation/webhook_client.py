"""How a webhook is reached."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.validation.names import dns_subdomain
from windlass.apiserver.validation.number import port_number
from windlass.schema import Fault, Path

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    Object = Mapping[str, Any]

_FORM: Final = "; desired format: https://host[/path]"


def validate_client(client: Object, path: Path) -> Iterator[Fault]:
    """A URL or a service, one of them."""
    url, service = client.get("url"), client.get("service")
    if (url is None) == (service is None):
        yield Fault.required(path, "exactly one of url or service is required")
    elif url is not None:
        yield from validate_url(url, path.child("url"))
    elif service is not None:
        yield from validate_service(service, path.child("service"))


def validate_url(url: str, path: Path) -> Iterator[Fault]:
    """An encrypted way to a host, without user, query and fragment."""
    from urllib.parse import urlsplit  # few webhooks have a URL

    try:
        parts = urlsplit(url)
    except ValueError as error:
        yield Fault.required(path, f"url must be a valid URL: {error}{_FORM}")
        return
    if parts.scheme != "https":
        yield Fault.invalid(path, parts.scheme, f"'https' is the only allowed URL scheme{_FORM}")
    user, at, host = parts.netloc.rpartition("@")
    if not host:
        yield Fault.invalid(path, "", f"host must be specified{_FORM}")
    if at:
        yield Fault.invalid(path, user, "user information is not permitted in the URL")
    if parts.fragment:
        yield Fault.invalid(path, parts.fragment, "fragments are not permitted in the URL")
    if parts.query:
        yield Fault.invalid(path, parts.query, "query parameters are not permitted in the URL")


def validate_service(service: Object, path: Path) -> Iterator[Fault]:
    """A service by its name, with a port and perhaps a path."""
    for absent, blamed in (
        ("namespace", "name"),
        ("name", "namespace"),
    ):  # the server takes one for the other
        if not service.get(absent):
            yield Fault.required(path.child(blamed))
    port = service.get("port", 0)
    if problems := port_number(port):
        yield Fault.invalid(path.child("port"), port, f"port is not valid: {', '.join(problems)}")
    if service.get("path", "/") not in ("", "/"):
        yield from _validate_path(service["path"], path.child("path"))


def _validate_path(text: str, path: Path) -> Iterator[Fault]:
    if text == "//":
        yield Fault.invalid(path, text, "segment[0] may not be empty")
        return
    if not text.startswith("/"):
        yield Fault.invalid(path, text, "must start with a '/'")
    for index, segment in enumerate(text[1:].removesuffix("/").split("/")):
        if not segment:
            yield Fault.invalid(path, text, f"segment[{index}] may not be empty")
        for problem in dns_subdomain(segment) if segment else ():
            yield Fault.invalid(path, text, f"segment[{index}]: {problem}")
