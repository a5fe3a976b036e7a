"""Addresses of all sorts, judged as Go's standard library judges them."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Final

from windlass.schema.regex import compiled

if TYPE_CHECKING:
    from windlass.schema.regex import Regex

_IPV4: Final = re.compile(r"0*(\d{1,3})\.0*(\d{1,3})\.0*(\d{1,3})\.0*(\d{1,3})", re.ASCII)
_PREFIX: Final = re.compile(r"0*(\d{1,3})", re.ASCII)
_PAIRS: Final = r"{0}(?:([:-]){0}(?:\1{0}){{4}}|([:-]){0}(?:\2{0}){{6}}|([:-]){0}(?:\3{0}){{18}})"
_QUADS: Final = r"|{0}{0}(?:\.{0}{0}){{2}}|{0}{0}(?:\.{0}{0}){{3}}|{0}{0}(?:\.{0}{0}){{9}}"
_MAC: Final = re.compile((_PAIRS + _QUADS).format("[0-9a-fA-F]{2}"))
_SCHEME: Final = re.compile(r"([a-zA-Z][a-zA-Z0-9+.-]*):")
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f]")
_BAD_ESCAPE: Final = re.compile(r"%(?![0-9a-fA-F]{2})")
_HOST: Final = re.compile(r"(?:[a-zA-Z0-9._~$&+,:;=!'()*\[\]<>\"-]|[^\x00-\x7f]|%25|%[89a-fA-F][0-9a-fA-F])*")
_USER: Final = re.compile(r"[a-zA-Z0-9._:~!$&'()*+,;=%@-]*")
_PORT: Final = re.compile(r"(?::[0-9]*)?")


def is_ipv4(text: str) -> bool:
    """An IPv4 address, also one in the form of an IPv6 address; leading zeros are taken."""
    return "." in text and (_is_plain_ipv4(text) or is_ipv6(_without_zeros(text)))


def is_ipv6(text: str) -> bool:
    """An IPv6 address without a zone."""
    from ipaddress import AddressValueError, IPv6Address  # loaded by those who need it

    if ":" not in text or "%" in text:
        return False
    try:
        IPv6Address(text)
    except AddressValueError:
        return False
    return True


def is_cidr(text: str) -> bool:
    """An address and the length of a prefix; leading zeros are taken."""
    address, slash, prefix = text.partition("/")
    length = _PREFIX.fullmatch(prefix)
    if not slash or length is None:
        return False
    if _is_plain_ipv4(address):
        return int(length[1]) <= 32  # noqa: PLR2004 - bits of an IPv4 address
    return is_ipv6(_without_zeros(address)) and int(length[1]) <= 128  # noqa: PLR2004 - and of an IPv6 address


def is_mac(text: str) -> bool:
    """A hardware address of 6, 8 or 20 bytes, written in one of three ways."""
    return _MAC.fullmatch(text) is not None


def is_uri(text: str) -> bool:
    """An absolute URI, or an absolute path, as a server would take it in a request."""
    if not text or _CONTROL.search(text):
        return False
    found = _SCHEME.match(text)
    scheme = found[1].lower() if found else ""
    rest = text[found.end() :] if found else text
    rest = rest.partition("?")[0]
    if not rest.startswith("/"):
        return bool(scheme) or text == "*"
    if scheme and rest.startswith("//"):
        authority, slash, path = rest[2:].partition("/")
        if not _is_authority(authority, scheme):
            return False
        rest = slash + path
    return not _BAD_ESCAPE.search(rest)


def is_email(text: str) -> bool:
    """An address as it may stand in a mail, with or without a name, a comment or a group around it."""
    if not _email().search(text):
        return False
    literal = re.search(r"@[ \t]*\[([^\]]*)\]", text)
    return literal is None or _is_strict_ip(literal[1])


@cache
def _email() -> Regex:
    atom = r"[!#-'*+\-/0-9=?A-Z^-~\x{80}-\x{10ffff}]+"
    string = r'"(?:[\t !#-\[\]-~\x{80}-\x{10ffff}]|\\[\t -~\x{80}-\x{10ffff}])*"'
    within = r"[^()\\]|\\."
    comment = rf"\((?:{within}|\((?:{within})*\))*\)"  # Go lets them nest without end
    blank = rf"(?:[ \t]|{comment})*"
    dotted = rf"{atom}(?:\.{atom})*"
    quoted = string.replace(")*", ")+")
    address = rf"[ \t]*(?:{dotted}|{quoted})@[ \t]*(?:{dotted}|\[[!-Z^-~]*\])"
    name = rf"(?:(?:(?:{atom}|\.)+|{string}){blank})"
    mailbox = rf"(?:{address}|[ \t]*{name}*<{address}>)"
    return compiled(rf"^(?:{mailbox}|[ \t]*{name}+:{mailbox}{blank};){blank}$")


def _is_plain_ipv4(text: str) -> bool:
    found = _IPV4.fullmatch(text)
    return found is not None and all(int(part) <= 255 for part in found.groups())  # noqa: PLR2004 - a byte


def _without_zeros(text: str) -> str:
    """An IPv6 address that ends in an IPv4 address, without the leading zeros of the latter."""
    begin, colon, end = text.rpartition(":")
    return begin + colon + re.sub(r"(^|\.)0+(?=[0-9])", r"\1", end) if "." in end else text


def _is_strict_ip(text: str) -> bool:
    padded = re.search(r"(?:^|\.)0[0-9]", text)
    return is_ipv6(text) or (_is_plain_ipv4(text) and not padded)


def _is_authority(text: str, scheme: str) -> bool:
    user, at, host = text.rpartition("@")
    if at and (not _USER.fullmatch(user) or _BAD_ESCAPE.search(user)):
        return False
    return _is_bracketed(host) if "[" in host else _is_host(host, scheme)


def _is_host(host: str, scheme: str) -> bool:
    first, last = host.find(":"), host.rfind(":")
    port = host[first if scheme in ("http", "https") else last :] if first >= 0 else ""
    return bool(_PORT.fullmatch(port) and _HOST.fullmatch(host))


def _is_bracketed(host: str) -> bool:
    address, closing, port = host[1:].rpartition("]")
    address, percent, zone = address.partition("%25")
    plain = host.startswith("[") and bool(closing) and "[" not in host[1:]
    return plain and bool(_PORT.fullmatch(port)) and is_ipv6(address) and _is_zone(percent + zone)


def _is_zone(zone: str) -> bool:
    return zone != "%25" and _HOST.fullmatch(zone) is not None
