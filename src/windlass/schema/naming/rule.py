from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

LABEL_LENGTH: Final = 63
SUBDOMAIN_LENGTH: Final = 253
FIRST_AND_LAST: Final = "must start and end with an alphanumeric character"

_LABEL: Final = "[a-z0-9]([-a-z0-9]*[a-z0-9])?"
SUBDOMAIN: Final = rf"{_LABEL}(\.{_LABEL})*"
_1035: Final = "[a-z]([-a-z0-9]*[a-z0-9])?"
_KEY: Final = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]"
_VALUE: Final = f"({_KEY})?"
_KEY_SAYS: Final = f"must consist of alphanumeric characters, '-', '_' or '.', and {FIRST_AND_LAST}"


def dns_label(name: str) -> Sequence[str]:
    """An RFC 1123 label: `my-name`."""
    problems = too_long(name, LABEL_LENGTH)
    if not matches(_LABEL, name):
        if matches(SUBDOMAIN, name):
            return [*problems, "must not contain dots"]
        says = (
            "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', "
            f"and {FIRST_AND_LAST}"
        )
        return [*problems, mismatch(says, _LABEL, "my-name", "123-abc")]
    return problems


def dns_subdomain(name: str) -> Sequence[str]:
    """An RFC 1123 subdomain, labels with dots between them: what most objects are named by."""
    problems = too_long(name, SUBDOMAIN_LENGTH)
    if not matches(SUBDOMAIN, name):
        return [*problems, mismatch(subdomain_says("'-' or '.'"), SUBDOMAIN, "example.com")]
    return problems


def dns_1035_label(name: str) -> Sequence[str]:
    """An RFC 1035 label: it starts with a letter."""
    problems = too_long(name, LABEL_LENGTH)
    if not matches(_1035, name):
        says = (
            "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an "
            "alphabetic character, and end with an alphanumeric character"
        )
        return [*problems, mismatch(says, _1035, "my-name", "abc-123")]
    return problems


def label_key(key: str) -> Sequence[str]:
    """A label's key, also called a qualified name: `name` or `example.com/name`."""
    prefix, slash, name = key.rpartition("/")
    if matches(_KEY, name) and len(name) <= LABEL_LENGTH and not slash:
        return ()
    if "/" in prefix:
        says = f"a valid label key {_key_mismatch()}"
        return [f"{says} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"]
    problems = []
    if slash:
        found = in_bytes(dns_subdomain(prefix)) if prefix else ["must be non-empty"]
        problems += [f"prefix part {problem}" for problem in found]
    if not name:
        problems.append("name part must be non-empty")
    problems += [f"name part {problem}" for problem in in_bytes(too_long(name, LABEL_LENGTH))]
    if not matches(_KEY, name):
        problems.append(f"name part {_key_mismatch()}")
    return problems


def label_value(value: str) -> Sequence[str]:
    """A label's value: nothing, or a name of at most 63 bytes."""
    problems = in_bytes(too_long(value, LABEL_LENGTH))
    if not matches(_VALUE, value):
        says = (
            "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', "
            f"and {FIRST_AND_LAST}"
        )
        return [*problems, mismatch(says, _VALUE, "MyValue", "my_value", "12345")]
    return problems


def mismatch(says: str, pattern: str, *examples: str) -> str:
    """The message about a text that does not match a pattern."""
    if not examples:
        return f"{says} (regex used for validation is '{pattern}')"
    listed = " or ".join(f"'{example}', " for example in examples)
    return f"{says} (e.g. {listed}regex used for validation is '{pattern}')"


def subdomain_says(besides: str) -> str:
    """What is said of a subdomain, in which some characters are allowed besides the letters and digits."""
    return (
        "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, "
        f"{besides}, and {FIRST_AND_LAST}"
    )


def _key_mismatch() -> str:
    return mismatch(_KEY_SAYS, _KEY, "MyName", "my.name", "123-abc")


def too_long(text: str, limit: int) -> Sequence[str]:
    """What is wrong with a text that has more bytes than it may."""
    if len(text) <= limit and (text.isascii() or len(text.encode()) <= limit):
        return ()
    return [f"must be no more than {limit} characters"]


def in_bytes(problems: Sequence[str]) -> Sequence[str]:
    """The rules of labels say bytes where the others, which count bytes too, say characters."""
    return problems and [
        problem.replace(" characters", " bytes") if problem.endswith(" characters") else problem
        for problem in problems
    ]


def matches(pattern: str, text: str) -> bool:
    """Whether a whole text matches."""
    return compiled(pattern).fullmatch(text) is not None


@cache
def compiled(pattern: str) -> re.Pattern[str]:
    """A pattern, compiled when first needed, so that importing stays cheap."""
    return re.compile(pattern)
