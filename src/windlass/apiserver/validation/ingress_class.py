"""IngressClass."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.validation.domain import validate_domain_path
from windlass.apiserver.validation.immutable import validate_unchanged
from windlass.apiserver.validation.ingress import validate_reference
from windlass.apiserver.validation.meta import validate_object_meta
from windlass.apiserver.validation.names import dns_label, dns_subdomain
from windlass.schema import Fault, Path

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    Object = Mapping[str, Any]

_CONTROLLER: Final = Path("spec").child("controller")
_PARAMETERS: Final = Path("spec").child("parameters")
_LONGEST: Final = 250
_SCOPES: Final = ("Cluster", "Namespace")


def validate(obj: Object, old: Object | None) -> Iterator[Fault]:
    """An IngressClass: its controller, which stays, and the parameters for it."""
    yield from validate_object_meta(obj, old, dns_subdomain, namespaced=False)
    spec = obj.get("spec", {})
    controller = spec.get("controller", "")
    if old is not None:
        yield from validate_unchanged(controller, old.get("spec", {}).get("controller", ""), _CONTROLLER)
    if len(controller.encode()) > _LONGEST:
        yield Fault.too_long(_CONTROLLER, _LONGEST)
    yield from validate_domain_path(controller, _CONTROLLER)
    if spec.get("parameters") is not None:
        yield from validate_reference(spec["parameters"], _PARAMETERS)
        yield from _validate_scope(spec["parameters"])


def _validate_scope(parameters: Object) -> Iterator[Fault]:
    scope, namespace = parameters.get("scope"), parameters.get("namespace")
    path = _PARAMETERS.child("namespace")
    if scope is None:
        yield Fault.required(_PARAMETERS.child("scope"))
    elif scope not in _SCOPES:
        yield Fault.not_supported(_PARAMETERS.child("scope"), scope, _SCOPES)
    elif scope == "Cluster":
        if namespace is not None:
            yield Fault.forbidden(path, "`parameters.scope` is set to 'Cluster'")
    elif namespace is None:
        yield Fault.required(path, "`parameters.scope` is set to 'Namespace'")
    else:
        for problem in dns_label(namespace):
            yield Fault.invalid(path, namespace, problem)
