"""Domains that are written in full, and paths below them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from windlass.apiserver.validation.names import dns_label, dns_subdomain, mismatch
from windlass.schema import Fault, Path

if TYPE_CHECKING:
    from collections.abc import Iterator

_HTTP_PATH: Final = r"[A-Za-z0-9/\-._~%!$&'()*+,;=:]+"
_NUMBERS: Final = {2: "two", 3: "three"}


def validate_qualified(name: str, path: Path) -> Iterator[Fault]:
    """The name of a webhook: a domain of at least three segments."""
    if not name:
        yield Fault.required(path)
    elif problems := dns_subdomain(name):
        yield Fault.invalid(path, name, ",".join(problems))
    else:
        yield from _validate_segments(name, 3, path)


def validate_domain(name: str, path: Path) -> Iterator[Fault]:
    """A domain of at least two segments, which may end in a dot."""
    if not name:
        yield Fault.required(path)
        return
    name = name.removesuffix(".")
    if problems := dns_subdomain(name):
        yield Fault.invalid(path, name, ",".join(problems))
        return
    faults = list(_validate_segments(name, 2, path))
    yield from faults
    for label in () if faults else name.split("."):
        if problems := dns_label(label):
            yield Fault.invalid(path, label, ",".join(problems))
            return


def validate_domain_path(text: str, path: Path) -> Iterator[Fault]:
    """A path below a domain: `example.com/controller`."""
    if not text:
        yield Fault.required(path)
        return
    host, _, below = text.partition("/")
    if not host or not below:
        yield Fault.invalid(path, text, 'must be a domain-prefixed path (such as "acme.io/foo")')
        return
    for problem in dns_subdomain(host):
        yield Fault.invalid(path, host, problem)
    if not re.fullmatch(_HTTP_PATH, below):
        yield Fault.invalid(path, below, mismatch("Invalid path", _HTTP_PATH))


def _validate_segments(name: str, least: int, path: Path) -> Iterator[Fault]:
    if name.count(".") + 1 < least:
        detail = f"should be a domain with at least {_NUMBERS[least]} segments separated by dots"
        yield Fault.invalid(path, name, detail)
