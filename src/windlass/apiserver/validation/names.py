"""What names may look like; each check takes a text and returns what is wrong with it, in the server's words.

The patterns are part of the messages, so they stand here as the server prints them.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    NameRule = Callable[[str], Sequence[str]]

LABEL_LENGTH: Final = 63
SUBDOMAIN_LENGTH: Final = 253
PORT_NAME_LENGTH: Final = 15

_LABEL: Final = "[a-z0-9]([-a-z0-9]*[a-z0-9])?"
_SUBDOMAIN: Final = rf"{_LABEL}(\.{_LABEL})*"
_UNDERSCORED_LABEL: Final = "_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?"
_UNDERSCORED: Final = rf"{_UNDERSCORED_LABEL}(\.{_UNDERSCORED_LABEL})*"
_WILDCARD: Final = rf"\*\.{_SUBDOMAIN}"
_1035: Final = "[a-z]([-a-z0-9]*[a-z0-9])?"
_KEY: Final = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]"
_VALUE: Final = f"({_KEY})?"
_IDENTIFIER: Final = "[A-Za-z_][A-Za-z0-9_]*"
_CONFIG_KEY: Final = "[-._a-zA-Z0-9]+"
_HEADER: Final = "[-A-Za-z0-9]+"
_PERCENT: Final = "[0-9]+%"
_FIRST_AND_LAST: Final = "must start and end with an alphanumeric character"
_KEY_SAYS: Final = f"must consist of alphanumeric characters, '-', '_' or '.', and {_FIRST_AND_LAST}"


def dns_label(name: str) -> Sequence[str]:
    """An RFC 1123 label: `my-name`."""
    problems = _too_long(name, LABEL_LENGTH)
    if not _matches(_LABEL, name):
        if _matches(_SUBDOMAIN, name):
            return [*problems, "must not contain dots"]
        says = (
            "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', "
            f"and {_FIRST_AND_LAST}"
        )
        return [*problems, mismatch(says, _LABEL, "my-name", "123-abc")]
    return problems


def dns_subdomain(name: str) -> Sequence[str]:
    """An RFC 1123 subdomain, labels with dots between them: what most objects are named by."""
    problems = _too_long(name, SUBDOMAIN_LENGTH)
    if not _matches(_SUBDOMAIN, name):
        return [*problems, mismatch(_subdomain_says("'-' or '.'"), _SUBDOMAIN, "example.com")]
    return problems


def dns_subdomain_underscored(name: str) -> Sequence[str]:
    """An RFC 1123 subdomain that may also have underscores."""
    problems = _too_long(name, SUBDOMAIN_LENGTH)
    if not _matches(_UNDERSCORED, name):
        return [*problems, mismatch(_subdomain_says("'_', '-' or '.'"), _UNDERSCORED, "example.com")]
    return problems


def dns_subdomain_in_bytes(name: str) -> Sequence[str]:
    """The same as a subdomain in words of the server's newer rules, which measure in bytes."""
    return _in_bytes(dns_subdomain(name))


def dns_wildcard(name: str) -> Sequence[str]:
    """A subdomain after a leading `*.`."""
    problems = _too_long(name, SUBDOMAIN_LENGTH)
    if not _matches(_WILDCARD, name):
        says = (
            "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which "
            "must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric "
            "character"
        )
        return [*problems, mismatch(says, _WILDCARD, "*.example.com")]
    return problems


def dns_1035_label(name: str) -> Sequence[str]:
    """An RFC 1035 label: it starts with a letter."""
    problems = _too_long(name, LABEL_LENGTH)
    if not _matches(_1035, name):
        says = (
            "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an "
            "alphabetic character, and end with an alphanumeric character"
        )
        return [*problems, mismatch(says, _1035, "my-name", "abc-123")]
    return problems


def label_key(key: str) -> Sequence[str]:
    """A label's key, also called a qualified name: `name` or `example.com/name`."""
    prefix, slash, name = key.rpartition("/")
    if _matches(_KEY, name) and len(name) <= LABEL_LENGTH and not slash:
        return ()
    if "/" in prefix:
        says = f"a valid label key {_key_mismatch()}"
        return [f"{says} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"]
    problems = []
    if slash:
        found = _in_bytes(dns_subdomain(prefix)) if prefix else ["must be non-empty"]
        problems += [f"prefix part {problem}" for problem in found]
    if not name:
        problems.append("name part must be non-empty")
    problems += [f"name part {problem}" for problem in _in_bytes(_too_long(name, LABEL_LENGTH))]
    if not _matches(_KEY, name):
        problems.append(f"name part {_key_mismatch()}")
    return problems


def label_value(value: str) -> Sequence[str]:
    """A label's value: nothing, or a name of at most 63 bytes."""
    problems = _in_bytes(_too_long(value, LABEL_LENGTH))
    if not _matches(_VALUE, value):
        says = (
            "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', "
            f"and {_FIRST_AND_LAST}"
        )
        return [*problems, mismatch(says, _VALUE, "MyValue", "my_value", "12345")]
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
    problems = list(_too_long(name, PORT_NAME_LENGTH))
    if not _matches("[-a-z0-9]+", name):
        problems.append("must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)")
    if not _compiled("[a-z]").search(name):
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
    problems = list(_too_long(key, SUBDOMAIN_LENGTH))
    if not _matches(_CONFIG_KEY, key):
        says = "a valid config key must consist of alphanumeric characters, '-', '_' or '.'"
        problems.append(mismatch(says, _CONFIG_KEY, "key.name", "KEY_NAME", "key-name"))
    if key in (".", ".."):
        problems.append(f"must not be '{key}'")
    elif key.startswith(".."):
        problems.append("must not start with '..'")
    return problems


def identifier(name: str) -> Sequence[str]:
    """An identifier of the C language."""
    if _matches(_IDENTIFIER, name):
        return ()
    says = (
        "a valid C identifier must start with alphabetic character or '_', "
        "followed by a string of alphanumeric characters or '_'"
    )
    return [mismatch(says, _IDENTIFIER, "my_name", "MY_NAME", "MyName")]


def http_header(name: str) -> Sequence[str]:
    """The name of an HTTP header."""
    if _matches(_HEADER, name):
        return ()
    says = "a valid HTTP header must consist of alphanumeric characters or '-'"
    return [mismatch(says, _HEADER, "X-Header-Name")]


def percent(text: str) -> Sequence[str]:
    """A percentage: `25%`."""
    if _matches(_PERCENT, text):
        return ()
    says = "a valid percent string must be a numeric string followed by an ending '%'"
    return [mismatch(says, _PERCENT, "1%", "93%")]


def mismatch(says: str, pattern: str, *examples: str) -> str:
    """The message about a text that does not match a pattern."""
    if not examples:
        return f"{says} (regex used for validation is '{pattern}')"
    listed = " or ".join(f"'{example}', " for example in examples)
    return f"{says} (e.g. {listed}regex used for validation is '{pattern}')"


def _subdomain_says(besides: str) -> str:
    return (
        "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, "
        f"{besides}, and {_FIRST_AND_LAST}"
    )


def _key_mismatch() -> str:
    return mismatch(_KEY_SAYS, _KEY, "MyName", "my.name", "123-abc")


def _too_long(text: str, limit: int) -> Sequence[str]:
    if len(text) <= limit and (text.isascii() or len(text.encode()) <= limit):
        return ()
    return [f"must be no more than {limit} characters"]


def _in_bytes(problems: Sequence[str]) -> Sequence[str]:
    """The rules of labels say bytes where the others, which count bytes too, say characters."""
    return problems and [
        problem.replace(" characters", " bytes") if problem.endswith(" characters") else problem
        for problem in problems
    ]


def _matches(pattern: str, text: str) -> bool:
    return _compiled(pattern).fullmatch(text) is not None


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    """Compiled when first needed, so that importing stays cheap."""
    return re.compile(pattern)
