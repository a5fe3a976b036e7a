"""How a webhook is reached."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.validation.names import dns_subdomain
from windlass.apiserver.validation.number import port_number
from windlass.schema import Fault, Path, quoted

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    Object = Mapping[str, Any]

_FORM: Final = "; desired format: https://host[/path]"
_URL: Final = (
    r"(?:(?P<scheme>[a-zA-Z][a-zA-Z0-9+.-]*):)?(?://(?P<authority>[^/?#]*))?"
    r"(?P<path>(?!:)[^?#]*)(?:\?(?P<query>[^#]*))?(?:\#(?P<fragment>.*))?"
)


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
    parts = re.fullmatch(_URL, url, re.DOTALL)
    problem = _url_problem(url, parts)
    if parts is None or problem:
        detail = f"url must be a valid URL: parse {quoted(url)}: {problem}{_FORM}"
        yield Fault.required(path, detail)
        return
    scheme, authority = (parts["scheme"] or "").lower(), parts["authority"] or ""
    if scheme != "https":
        yield Fault.invalid(path, scheme, f"'https' is the only allowed URL scheme{_FORM}")
    user, at, host = authority.rpartition("@")
    if not host:
        yield Fault.invalid(path, "", f"host must be specified{_FORM}")
    if at:
        yield Fault.invalid(path, user, "user information is not permitted in the URL")
    if parts["fragment"]:
        yield Fault.invalid(path, parts["fragment"], "fragments are not permitted in the URL")
    if parts["query"]:
        yield Fault.invalid(path, parts["query"], "query parameters are not permitted in the URL")


def _url_problem(url: str, parts: re.Match[str] | None) -> str:
    """Why a text is no URL, in Go's words."""
    if any(character < " " or character == "\x7f" for character in url):
        return "net/url: invalid control character in URL"
    if parts is None:
        return "missing protocol scheme"
    for part in (parts["authority"], parts["path"], parts["fragment"]):
        bad_escape = re.search("%(?![0-9a-fA-F]{2}).{0,2}", part or "")
        if bad_escape:
            return f"invalid URL escape {quoted(bad_escape.group())}"
    return _host_problem((parts["authority"] or "").rpartition("@")[2])


def _host_problem(host: str) -> str:
    bad = re.search(r'[ "<>\\^`{|}]', host)
    if bad:
        return f"invalid character {quoted(bad.group())} in host name"
    name, bracket, port = host.rpartition("]")
    if host.startswith("[") and not bracket:
        return "missing ']' in host"
    if not name:
        port = host[host.index(":") :] if ":" in host else ""
    if port and not re.fullmatch(":[0-9]*", port):
        return f"invalid port {quoted(port)} after host"
    return ""


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
