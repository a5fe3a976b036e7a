"""What names may look like; each check takes a text and returns what is wrong with it, in the server's words.

The patterns are part of the messages, so they stand here as the server prints them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from windlass.schema.naming import (
    LABEL_LENGTH,
    SUBDOMAIN,
    SUBDOMAIN_LENGTH,
    compiled,
    dns_1035_label,
    dns_label,
    dns_subdomain,
    in_bytes,
    label_key,
    label_value,
    matches,
    mismatch,
    subdomain_says,
    too_long,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    NameRule = Callable[[str], Sequence[str]]

__all__ = [
    "LABEL_LENGTH",
    "PORT_NAME_LENGTH",
    "SUBDOMAIN_LENGTH",
    "config_key",
    "dns_1035_label",
    "dns_label",
    "dns_subdomain",
    "dns_subdomain_in_bytes",
    "dns_subdomain_underscored",
    "dns_wildcard",
    "environment_name",
    "http_header",
    "identifier",
    "label_key",
    "label_value",
    "mismatch",
    "path_segment",
    "path_segment_prefix",
    "percent",
    "port_name",
]

PORT_NAME_LENGTH: Final = 15

_UNDERSCORED_LABEL: Final = "_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?"
_UNDERSCORED: Final = rf"{_UNDERSCORED_LABEL}(\.{_UNDERSCORED_LABEL})*"
_WILDCARD: Final = rf"\*\.{SUBDOMAIN}"
_IDENTIFIER: Final = "[A-Za-z_][A-Za-z0-9_]*"
_CONFIG_KEY: Final = "[-._a-zA-Z0-9]+"
_HEADER: Final = "[-A-Za-z0-9]+"
_PERCENT: Final = "[0-9]+%"


def dns_subdomain_underscored(name: str) -> Sequence[str]:
    """An RFC 1123 subdomain that may also have underscores."""
    problems = too_long(name, SUBDOMAIN_LENGTH)
    if not matches(_UNDERSCORED, name):
        return [*problems, mismatch(subdomain_says("'_', '-' or '.'"), _UNDERSCORED, "example.com")]
    return problems


def dns_subdomain_in_bytes(name: str) -> Sequence[str]:
    """The same as a subdomain in words of the server's newer rules, which measure in bytes."""
    return in_bytes(dns_subdomain(name))


def dns_wildcard(name: str) -> Sequence[str]:
    """A subdomain after a leading `*.`."""
    problems = too_long(name, SUBDOMAIN_LENGTH)
    if not matches(_WILDCARD, name):
        says = (
            "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which "
            "must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric "
            "character"
        )
        return [*problems, mismatch(says, _WILDCARD, "*.example.com")]
    return problems


def path_segment(name: str) -> Sequence[str]:
    """Whatever fits between two slashes of a path."""
    if name in (".", ".."):
        return [f"may not be '{name}'"]
    return path_segment_prefix(name)


def path_segment_prefix(name: str) -> Sequence[str]:
    """How a name that fits between two slashes may begin."""
    if "/" not in name and "%" not in name:
        return ()
    return [f"may not contain '{character}'" for character in "/%" if character in name]


def port_name(name: str) -> Sequence[str]:
    """An IANA service name: at most 15 lower-case characters, one of them a letter."""
    problems = list(too_long(name, PORT_NAME_LENGTH))
    if not matches("[-a-z0-9]+", name):
        problems.append("must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)")
    if not compiled("[a-z]").search(name):
        problems.append("must contain at least one letter (a-z)")
    if "--" in name:
        problems.append("must not contain consecutive hyphens")
    if name.startswith("-") or name.endswith("-"):
        problems.append("must not begin or end with a hyphen")
    return problems


def environment_name(name: str) -> Sequence[str]:
    """The name of an environment variable."""
    if not name:
        return ["environment variable name must be non-empty"]
    if name.isascii() and name.isprintable() and "=" not in name:
        return ()
    return [
        "a valid environment variable name must consist only of printable ASCII characters other than '='"
    ]


def config_key(key: str) -> Sequence[str]:
    """A key of a ConfigMap or a Secret, which may become the name of a file."""
    problems = list(too_long(key, SUBDOMAIN_LENGTH))
    if not matches(_CONFIG_KEY, key):
        says = "a valid config key must consist of alphanumeric characters, '-', '_' or '.'"
        problems.append(mismatch(says, _CONFIG_KEY, "key.name", "KEY_NAME", "key-name"))
    if key in (".", ".."):
        problems.append(f"must not be '{key}'")
    elif key.startswith(".."):
        problems.append("must not start with '..'")
    return problems


def identifier(name: str) -> Sequence[str]:
    """An identifier of the C language."""
    if matches(_IDENTIFIER, name):
        return ()
    says = (
        "a valid C identifier must start with alphabetic character or '_', "
        "followed by a string of alphanumeric characters or '_'"
    )
    return [mismatch(says, _IDENTIFIER, "my_name", "MY_NAME", "MyName")]


def http_header(name: str) -> Sequence[str]:
    """The name of an HTTP header."""
    if matches(_HEADER, name):
        return ()
    says = "a valid HTTP header must consist of alphanumeric characters or '-'"
    return [mismatch(says, _HEADER, "X-Header-Name")]


def percent(text: str) -> Sequence[str]:
    """A percentage: `25%`."""
    if matches(_PERCENT, text):
        return ()
    says = "a valid percent string must be a numeric string followed by an ending '%'"
    return [mismatch(says, _PERCENT, "1%", "93%")]
