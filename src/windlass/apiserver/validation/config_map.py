"""ConfigMap."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.validation.immutable import validate_seal
from windlass.apiserver.validation.meta import validate_object_meta
from windlass.apiserver.validation.names import config_key, dns_subdomain
from windlass.schema import Fault, Path

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    Object = Mapping[str, Any]

LARGEST: Final = 1024 * 1024
"""How many bytes the values of a ConfigMap or a Secret have together."""

_DATA: Final = Path("data")
_BINARY: Final = Path("binaryData")


def validate(obj: Object, old: Object | None) -> Iterator[Fault]:
    """A ConfigMap: its keys, its size, and that it stays what it is once it is immutable."""
    yield from validate_object_meta(obj, old, dns_subdomain)
    if old is not None:
        yield from validate_seal(obj, old, ("data", "binaryData"))
    texts, binaries = obj.get("data") or {}, obj.get("binaryData") or {}
    size = 0
    for key, value in texts.items():
        yield from validate_key(key, _DATA)
        if key in binaries:
            yield Fault.invalid(_DATA.key(key), key, "duplicate of key present in binaryData")
        size += len(value) if value.isascii() else len(value.encode())
    for key, value in binaries.items():
        yield from validate_key(key, _BINARY)
        size += byte_count(value)
    if size > LARGEST:
        yield Fault.too_long("[]", LARGEST)  # the path of the whole object, as the server writes it


def validate_key(key: str, path: Path) -> Iterator[Fault]:
    """A key, which must do as the name of a file."""
    for problem in config_key(key):
        yield Fault.invalid(path.key(key), key, problem)


def byte_count(encoded: str | None) -> int:
    """How many bytes a base64 text stands for."""
    if not encoded:
        return 0
    return len(encoded) * 3 // 4 - encoded[-2:].count("=")
