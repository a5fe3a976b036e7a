"""Secret."""

from __future__ import annotations

from base64 import b64decode
from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.validation.config_map import LARGEST, byte_count, validate_key
from windlass.apiserver.validation.immutable import validate_seal, validate_unchanged
from windlass.apiserver.validation.meta import METADATA, validate_object_meta
from windlass.apiserver.validation.names import dns_subdomain
from windlass.schema import Fault, Path, json_kind

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    Object = Mapping[str, Any]

_DATA: Final = Path("data")
_ACCOUNT: Final = "kubernetes.io/service-account.name"
_REGISTRIES: Final = {"dockercfg": ".dockercfg", "dockerconfigjson": ".dockerconfigjson"}


def validate(obj: Object, old: Object | None) -> Iterator[Fault]:
    """A Secret: its keys, its size, what its type asks for, and that it stays what it is once immutable."""
    yield from validate_object_meta(obj, old, dns_subdomain)
    if old is not None:
        yield from validate_unchanged(obj.get("type", ""), old.get("type", ""), "type")
        yield from validate_seal(obj, old, ("data",))
    data = obj.get("data") or {}
    size = 0
    for key, value in data.items():
        yield from validate_key(key, _DATA)
        size += byte_count(value)
    if size > LARGEST:
        yield Fault.too_long(_DATA, LARGEST)
    group, _, kind = obj.get("type", "").partition("/")
    if group == "kubernetes.io":
        yield from _validate_contents(kind, data, obj)


def _validate_contents(kind: str, data: Mapping[str, str], obj: Object) -> Iterator[Fault]:
    missing: tuple[str, ...] = ()
    if kind == "service-account-token":
        if not obj["metadata"].get("annotations", {}).get(_ACCOUNT):
            yield Fault.required(METADATA.child("annotations").key(_ACCOUNT))
    elif kind in _REGISTRIES:
        yield from _validate_registry(data, _REGISTRIES[kind])
    elif kind == "basic-auth":
        missing = () if "username" in data or "password" in data else ("username", "password")
    elif kind == "ssh-auth":
        missing = () if data.get("ssh-privatekey") else ("ssh-privatekey",)
    elif kind == "tls":
        missing = tuple(key for key in ("tls.crt", "tls.key") if key not in data)
    for key in missing:
        yield Fault.required(_DATA.key(key))


def _validate_registry(data: Mapping[str, str], key: str) -> Iterator[Fault]:
    from windlass.apiserver.go_json import NotJsonError, parse  # only registry secrets hold JSON

    if key not in data:
        yield Fault.required(_DATA.key(key))
        return
    try:
        value = parse(b64decode(data[key] or ""))
    except NotJsonError as error:
        problem = str(error)
    else:
        if value is None or isinstance(value, dict):
            return
        kind = json_kind(value)
        problem = f"json: cannot unmarshal {kind} into Go value of type map[string]interface {{}}"
    yield Fault.invalid(_DATA.key(key), "<secret contents redacted>", problem)
