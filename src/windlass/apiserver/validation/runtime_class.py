"""RuntimeClass."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.validation.declared import as_declared
from windlass.apiserver.validation.immutable import validate_unchanged
from windlass.apiserver.validation.label import validate_labels
from windlass.apiserver.validation.meta import validate_plain_meta
from windlass.apiserver.validation.names import dns_label, dns_subdomain
from windlass.apiserver.validation.pod_toleration import validate_tolerations
from windlass.apiserver.validation.resource import validate_requirements
from windlass.schema import Fault, Path

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    Object = Mapping[str, Any]

_SCHEDULING: Final = Path("scheduling")
_TOLERATION: Final = {"key": "", "operator": "", "value": "", "effect": "", "tolerationSeconds": None}


def validate(obj: Object, old: Object | None) -> Iterator[Fault]:
    """A RuntimeClass: its handler, which stays, what it costs, and where it runs."""
    yield from validate_plain_meta(obj, old, dns_subdomain, namespaced=False)
    handler = obj.get("handler", "")
    if not handler:
        yield Fault.required("handler")
    for problem in dns_label(handler) if handler else ():
        yield Fault.invalid("handler", handler, problem)
    overhead = obj.get("overhead")
    if overhead is not None:
        limits = {"limits": overhead.get("podFixed") or {}}
        yield from validate_requirements(limits, Path("overhead"), ())
    scheduling = obj.get("scheduling") or {}
    yield from validate_labels(scheduling.get("nodeSelector"), _SCHEDULING.child("nodeSelector"))
    yield from _validate_tolerations(scheduling.get("tolerations") or ())
    if old is not None:
        yield from validate_unchanged(handler, old.get("handler", ""), "handler")


def _validate_tolerations(tolerations: Sequence[Object]) -> Iterator[Fault]:
    path = _SCHEDULING.child("tolerations")
    yield from validate_tolerations(tolerations, path)
    seen: list[list[Any]] = []
    for index, toleration in enumerate(tolerations):
        key = [toleration.get(name, "") for name in ("key", "operator", "value", "effect")]
        if key in seen:
            yield Fault.duplicate(path.index(index), as_declared(toleration, _TOLERATION))
        seen.append(key)
