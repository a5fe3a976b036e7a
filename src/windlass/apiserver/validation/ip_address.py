"""IPAddress."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.validation.immutable import validate_unchanged
from windlass.apiserver.validation.meta import validate_object_meta
from windlass.apiserver.validation.names import dns_subdomain, path_segment
from windlass.apiserver.validation.network import canonical_address
from windlass.schema import Fault, Path

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    Object = Mapping[str, Any]

_PARENT: Final = Path("spec").child("parentRef")


def validate(obj: Object, old: Object | None) -> Iterator[Fault]:
    """An IPAddress: its name is the address, and it belongs to somebody for good."""
    yield from validate_object_meta(obj, old, canonical_address, namespaced=False)
    parent = obj.get("spec", {}).get("parentRef")
    if old is not None:
        yield from validate_unchanged(parent, old.get("spec", {}).get("parentRef"), _PARENT)
    elif parent is None:
        yield Fault.required(_PARENT)
    else:
        yield from _validate_parent(parent)


def _validate_parent(parent: Object) -> Iterator[Fault]:
    group = parent.get("group", "")
    for problem in dns_subdomain(group) if group else ():
        yield Fault.invalid(_PARENT.child("group"), group, problem)
    for name in ("resource", "name", "namespace"):
        text = parent.get(name, "")
        if not text and name != "namespace":
            yield Fault.required(_PARENT.child(name))
        for problem in path_segment(text):
            yield Fault.invalid(_PARENT.child(name), text, problem)
