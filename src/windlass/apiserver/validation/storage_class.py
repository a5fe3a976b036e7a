"""StorageClass."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.validation.immutable import validate_unchanged
from windlass.apiserver.validation.meta import validate_object_meta
from windlass.apiserver.validation.names import dns_subdomain, label_key
from windlass.schema import Fault, Path

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    Object = Mapping[str, Any]

_RECLAIM: Final = ("Delete", "Retain")
_BINDING: Final = ("Immediate", "WaitForFirstConsumer")
_TOPOLOGIES: Final = Path("allowedTopologies")
_MOST_PARAMETERS: Final = 512
_LARGEST_PARAMETERS: Final = 256 * 1024


def validate(obj: Object, old: Object | None) -> Iterator[Fault]:
    """A StorageClass, of which only topologies, options and expansion change."""
    yield from validate_object_meta(obj, old, dns_subdomain, namespaced=False)
    yield from validate_provisioner(obj.get("provisioner", ""), Path("provisioner"))
    yield from validate_parameters(obj.get("parameters") or {}, Path("parameters"))
    policy, binding = obj.get("reclaimPolicy"), obj.get("volumeBindingMode")
    if policy and policy not in _RECLAIM:
        yield Fault.not_supported("reclaimPolicy", policy, _RECLAIM)
    if binding is None:
        yield Fault.required("volumeBindingMode")
    elif binding not in _BINDING:
        yield Fault.not_supported("volumeBindingMode", binding, _BINDING)
    yield from _validate_topologies(obj.get("allowedTopologies") or ())
    for name in ("parameters", "provisioner", "reclaimPolicy", "volumeBindingMode") if old else ():
        yield from validate_unchanged(obj.get(name), (old or {}).get(name), name)


def validate_provisioner(name: str, path: Path) -> Iterator[Fault]:
    """The name of a driver, in letters of any case."""
    if not name:
        yield Fault.required(path)
    lower = name.lower()
    for problem in label_key(lower) if name else ():
        yield Fault.invalid(path, lower, problem)


def validate_parameters(
    parameters: Mapping[str, str], path: Path, *, may_be_empty: bool = True
) -> Iterator[Fault]:
    """What a driver is told: names and values, within limits."""
    if len(parameters) > _MOST_PARAMETERS:
        yield Fault.too_long(path, _MOST_PARAMETERS)
        return
    if "" in parameters:
        yield Fault.invalid(path, "", "field can not be empty.")
    if (
        sum(len(key.encode()) + len(value.encode()) for key, value in parameters.items())
        > _LARGEST_PARAMETERS
    ):
        yield Fault.too_long(path, _LARGEST_PARAMETERS)
    if not parameters and not may_be_empty:
        yield Fault.required(path, "must contain at least one key/value pair")


def _validate_topologies(terms: Sequence[Object]) -> Iterator[Fault]:
    seen: list[Mapping[str, set[str]]] = []
    for index, term in enumerate(terms):
        path = _TOPOLOGIES.index(index).child("matchLabelExpressions")
        found: dict[str, set[str]] = {}
        for position, expression in enumerate(term.get("matchLabelExpressions") or ()):
            key, values = expression.get("key", ""), expression.get("values") or ()
            where = path.index(position)
            yield from _validate_values(values, where.child("values"))
            for problem in label_key(key):
                yield Fault.invalid(where.child("key"), key, problem)
            if key in found:
                yield Fault.duplicate(where.child("key"), key)
            found[key] = set(values)
        if found in seen or not found:  # the real server begins with a list of as many empty ones
            yield Fault.duplicate(path, "")
        seen.append(found)


def _validate_values(values: Sequence[str], path: Path) -> Iterator[Fault]:
    if not values:
        yield Fault.required(path)
    for index, value in enumerate(values):
        if value in values[:index]:
            yield Fault.duplicate(path.index(index), value)
