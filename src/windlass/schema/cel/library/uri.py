"""URLs taken apart as Go's `net/url` does it, and refused in its words.

Go works on bytes. Here each character of a `_Bytes` is one of them, until a part is given out.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Final

from windlass.schema.cel.library.address import parse_address
from windlass.schema.cel.problem import EvaluationError
from windlass.schema.golang import quoted

_Bytes = str
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f]")
_SCHEME: Final = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:")
_PORT: Final = re.compile(r"(?::[0-9]*)?")
_USER: Final = re.compile(r"[a-zA-Z0-9._:~!$&'()*+,;=%@-]*")
_ESCAPE: Final = re.compile(r"%([0-9a-fA-F]{2})")
_BAD_ESCAPE: Final = re.compile(r"%(?![0-9a-fA-F]{2}).{0,2}", re.DOTALL)
_HOST_ESCAPE: Final = re.compile(r"%(?!25)[0-7].")
_HOST_CHARS: Final = "a-zA-Z0-9_.~!$&'()*+,;=:\\[\\]<>\"\\-"
_NO_HOST_CHAR: Final = re.compile(rf"[^{_HOST_CHARS}%\x80-\xff]")
_UNSAFE_IN_HOST: Final = re.compile(rf"[^{_HOST_CHARS}]")
_NO_ZONE_BYTE: Final = re.compile(rf"[^{_HOST_CHARS} %]")
_NO_PATH_CHAR: Final = re.compile(r"[^a-zA-Z0-9_.~$&+,/:;=@-]")
_VALID_PATH: Final = re.compile(r"[a-zA-Z0-9_.~!$&'()*+,;=:@\[\]%/-]*")
_NO_FRAGMENT_CHAR: Final = re.compile(r"[^a-zA-Z0-9_.~$&+,/:;=?@!()*-]")
_VALID_FRAGMENT: Final = re.compile(r"[a-zA-Z0-9_.~!$&'()*+,;=:@\[\]%/?-]*")
_NO_USER_CHAR: Final = re.compile(r"[^a-zA-Z0-9_.~$&+,;=-]")
_MOST_PARAMETERS: Final = 10_000


@dataclass(frozen=True, slots=True)
class Parts:
    """A URL as Go holds it: the host as it is, path and fragment as they were escaped."""

    scheme: str = ""
    opaque: str = ""
    user: str | None = None
    host: str = ""
    path: str = ""
    query: str = ""
    fragment: str = ""
    has_authority: bool = False
    has_empty_query: bool = False

    def written(self) -> str:
        """The whole again."""
        begin = f"{self.scheme}:" if self.scheme else ""
        if self.opaque:
            begin += self.opaque
        else:
            begin += self._behind_scheme()
        query = f"?{self.query}" if self.query or self.has_empty_query else ""
        return begin + query + (f"#{self.fragment}" if self.fragment else "")

    def _behind_scheme(self) -> str:
        authority = ""
        if self.has_authority and (self.host or self.path or self.user is not None):
            user = "" if self.user is None else f"{self.user}@"
            authority = f"//{user}{_to_text(_escaped(_to_bytes(self.host), _UNSAFE_IN_HOST))}"
        return authority + self.path


def parse_request_uri(text: str) -> Parts:
    """An absolute URL, or an absolute path, as it may stand in a request.

    Raises:
        EvaluationError: it is neither; the message is Go's.
    """
    raw = _to_bytes(text)
    try:
        return _parse(raw, in_request=True)
    except ValueError as error:
        raise EvaluationError(f"parse {_quoted(raw)}: {error}") from None


def parse_url(text: str) -> Parts:
    """Any URL, with its fragment.

    Raises:
        EvaluationError: it is none; the message is Go's.
    """
    raw, _, fragment = _to_bytes(text).partition("#")
    said = raw
    try:
        parts = _parse(raw, in_request=False)
        said = _to_bytes(text)
        shown = _kept(fragment, _NO_FRAGMENT_CHAR, _VALID_FRAGMENT)
    except ValueError as error:
        raise EvaluationError(f"parse {_quoted(said)}: {error}") from None
    return replace(parts, fragment=_to_text(shown))


def host_and_port(host: str) -> tuple[str, str]:
    """A host without brackets, and its port."""
    begin, colon, port = host.rpartition(":")
    if colon and _PORT.fullmatch(colon + port):
        host = begin
    else:
        port = ""
    if host.startswith("[") and host.endswith("]"):
        host = host[1:-1]
    return host, port


def parse_query(query: str) -> dict[str, list[str]]:
    """The parameters of a query; what is wrong in it is left out."""
    found: dict[str, list[str]] = {}
    pairs = _to_bytes(query).split("&")
    if len(pairs) > _MOST_PARAMETERS:
        return found
    for pair in pairs:
        if not pair or ";" in pair or _BAD_ESCAPE.search(pair):
            continue
        key, _, value = (_to_text(_decoded(part.replace("+", " "))) for part in pair.partition("="))
        found.setdefault(key, []).append(value)
    return found


def _to_bytes(text: str) -> _Bytes:
    return text.encode("utf-8", "surrogatepass").decode("latin-1")


def _to_text(raw: _Bytes) -> str:
    return raw.encode("latin-1").decode("utf-8", "replace")


def _quoted(raw: _Bytes) -> str:
    shown = quoted(raw.encode("latin-1").decode("utf-8", "surrogateescape"))
    return re.sub(r"\\udc([89a-f][0-9a-f])", r"\\x\1", shown)


def _decoded(raw: _Bytes) -> _Bytes:
    return _ESCAPE.sub(lambda found: chr(int(found[1], 16)), raw)


def _unescaped(raw: _Bytes) -> _Bytes:
    bad = _BAD_ESCAPE.search(raw)
    if bad:
        raise ValueError(f"invalid URL escape {_quoted(bad[0])}")
    return _decoded(raw)


def _escaped(raw: _Bytes, unsafe: re.Pattern[str]) -> _Bytes:
    return unsafe.sub(lambda found: f"%{ord(found[0]):02X}", raw)


def _kept(raw: _Bytes, unsafe: re.Pattern[str], valid: re.Pattern[str]) -> _Bytes:
    """A path or a fragment as it was escaped, if that was right; else escaped anew."""
    plain = _unescaped(raw)
    return raw if valid.fullmatch(raw) else _escaped(plain, unsafe)


def _parse(raw: _Bytes, *, in_request: bool) -> Parts:
    if _CONTROL.search(raw):
        raise ValueError("net/url: invalid control character in URL")
    if not raw and in_request:
        raise ValueError("empty url")
    if raw == "*":
        return Parts(path="*")
    if raw.startswith(":"):
        raise ValueError("missing protocol scheme")
    found = _SCHEME.match(raw)
    scheme = found[0][:-1].lower() if found else ""
    rest, mark, query = raw[found.end() if found else 0 :].partition("?")
    parts = Parts(scheme=scheme, query=_to_text(query), has_empty_query=bool(mark) and not query)
    if not rest.startswith("/"):
        if scheme:
            return replace(parts, opaque=_to_text(rest))
        if in_request:
            raise ValueError("invalid URI for request")
        if ":" in rest.partition("/")[0]:
            raise ValueError("first path segment in URL cannot contain colon")
    if rest.startswith("//") and (scheme or not (in_request or rest.startswith("///"))):
        authority, slash, rest = rest[2:].partition("/")
        rest = slash + rest
        user, host = _authority(authority, scheme)
        parts = replace(parts, user=user, host=_to_text(host), has_authority=True)
    return replace(parts, path=_to_text(_kept(rest, _NO_PATH_CHAR, _VALID_PATH)))


def _authority(authority: _Bytes, scheme: str) -> tuple[str | None, _Bytes]:
    user, at, address = authority.rpartition("@")
    host = _host(address, scheme)
    if not at:
        return None, host
    if not _USER.fullmatch(user):
        raise ValueError("net/url: invalid userinfo")
    name, colon, password = user.partition(":")
    written = [_escaped(_unescaped(part), _NO_USER_CHAR) for part in (name, password)]
    return colon.join(written), host


def _host(host: _Bytes, scheme: str) -> _Bytes:
    bracket = host.rfind("[")
    if bracket > 0:
        raise ValueError("invalid IP-literal")
    if bracket == 0:
        return _literal(host)
    first, last = host.find(":"), host.rfind(":")
    if first >= 0:
        _check_port(host[first if scheme in ("http", "https") else last :])
    return _host_part(host)


def _check_port(port: _Bytes) -> None:
    if not _PORT.fullmatch(port):
        raise ValueError(f"invalid port {_quoted(port)} after host")


def _literal(host: _Bytes) -> _Bytes:
    """An IPv6 address in brackets with its port."""
    inner, bracket, port = host[1:].rpartition("]")
    if not bracket:
        raise ValueError("missing ']' in host")
    _check_port(port)
    begin, percent, zone = inner.partition("%25")
    address = _host_part(begin) + (_zone(percent + zone) if percent else "")
    try:
        parsed = parse_address(_to_text(address))
    except EvaluationError as error:
        raise ValueError(f"invalid host: {error}") from None
    if parsed.bits == 32:  # noqa: PLR2004
        raise ValueError("invalid IP-literal")
    return f"[{address}]{port}"


def _host_part(raw: _Bytes) -> _Bytes:
    wrong = [found for each in (_BAD_ESCAPE, _HOST_ESCAPE, _NO_HOST_CHAR) if (found := each.search(raw))]
    if wrong:
        first = min(wrong, key=lambda found: found.start())
        if first[0].startswith("%"):
            raise ValueError(f"invalid URL escape {_quoted(first[0])}")
        raise ValueError(f"invalid character {_quoted(first[0])} in host name")
    return _decoded(raw)


def _zone(raw: _Bytes) -> _Bytes:
    for found in re.finditer(r"%.{0,2}|.", raw, re.DOTALL):
        escape = _ESCAPE.fullmatch(found[0])
        if escape and not _NO_ZONE_BYTE.match(_decoded(found[0])):
            continue
        if found[0].startswith("%"):
            raise ValueError(f"invalid URL escape {_quoted(found[0])}")
        if _NO_HOST_CHAR.match(found[0]):
            raise ValueError(f"invalid character {_quoted(found[0])} in host name")
    return _decoded(raw)
