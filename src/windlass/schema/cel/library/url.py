"""URLs and their parts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Final

from typing_extensions import override

from windlass.schema.cel.declare import Library
from windlass.schema.cel.library.own import Own
from windlass.schema.cel.library.remember import remembered
from windlass.schema.cel.library.signature import function, method, plain
from windlass.schema.cel.library.uri import host_and_port, parse_query, parse_request_uri, parse_url
from windlass.schema.cel.problem import EvaluationError
from windlass.schema.cel.type import BOOL, STRING, Type, list_of, map_of, object_type

if TYPE_CHECKING:
    from windlass.schema.cel.library.uri import Parts

URL: Final = object_type("kubernetes.URL")


@dataclass(frozen=True, slots=True, eq=False)
class Locator(Own):
    """A URL; two are equal that are written alike."""

    cel_type: ClassVar[Type] = URL
    parts: Parts

    @override
    def __eq__(self, other: object) -> bool:
        return isinstance(other, Locator) and self.parts.written() == other.parts.written()

    @override
    def __hash__(self) -> int:
        return hash(self.parts.written())

    @override
    def __str__(self) -> str:
        return self.parts.written()


@remembered
def _url(text: str) -> Locator:
    try:
        # A request has no fragment; the second look is for it.
        parse_request_uri(text)
        return Locator(parse_url(text))
    except EvaluationError as error:
        raise EvaluationError(f"URL parse error during conversion from string: {error}") from None


def _is_url(text: str) -> bool:
    try:
        parse_request_uri(text)
    except EvaluationError:
        return False
    return True


def _scheme(url: Locator) -> str:
    return url.parts.scheme


def _host(url: Locator) -> str:
    return url.parts.host


def _host_name(url: Locator) -> str:
    return host_and_port(url.parts.host)[0]


def _port(url: Locator) -> str:
    return host_and_port(url.parts.host)[1]


def _path(url: Locator) -> str:
    return url.parts.path


def _query(url: Locator) -> dict[str, list[str]]:
    return parse_query(url.parts.query)


URLS: Final = Library(
    "kubernetes.urls",
    (
        function("url", plain("string_to_url", (STRING,), URL, _url)),
        function("getScheme", method("url_get_scheme", (URL,), STRING, _scheme)),
        function("getHost", method("url_get_host", (URL,), STRING, _host)),
        function("getHostname", method("url_get_hostname", (URL,), STRING, _host_name)),
        function("getPort", method("url_get_port", (URL,), STRING, _port)),
        function("getEscapedPath", method("url_get_escaped_path", (URL,), STRING, _path)),
        function("getQuery", method("url_get_query", (URL,), map_of(STRING, list_of(STRING)), _query)),
        function("isURL", plain("is_url_string", (STRING,), BOOL, _is_url)),
    ),
)
