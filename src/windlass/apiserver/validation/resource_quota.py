"""ResourceQuota."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.validation.declared import as_declared
from windlass.apiserver.validation.meta import IMMUTABLE, validate_object_meta
from windlass.apiserver.validation.names import dns_subdomain
from windlass.apiserver.validation.resource import standard_resource, validate_amount
from windlass.schema import Fault, Path

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    Object = Mapping[str, Any]

_SPEC: Final = Path("spec")
_STATUS: Final = Path("status")
_SCOPES: Final = _SPEC.child("scopes")
_SELECTOR: Final = _SPEC.child("scopeSelector", "matchExpressions")
_OF_PODS: Final = frozenset(
    {"pods", "cpu", "memory", "limits.cpu", "limits.memory", "requests.cpu", "requests.memory"}
)
_SCOPED: Final = {
    "Terminating": _OF_PODS,
    "NotTerminating": _OF_PODS,
    "NotBestEffort": _OF_PODS,
    "PriorityClass": _OF_PODS,
    "CrossNamespacePodAffinity": _OF_PODS,
    "BestEffort": frozenset({"pods"}),
    "VolumeAttributesClass": frozenset({"persistentvolumeclaims", "requests.storage"}),
}
"""The scopes, and the resources that each can count."""

_EXISTING: Final = (
    "Terminating",
    "NotTerminating",
    "BestEffort",
    "NotBestEffort",
    "CrossNamespacePodAffinity",
)
_EXCLUSIVE: Final = ({"BestEffort", "NotBestEffort"}, {"Terminating", "NotTerminating"})
_SHOWN: Final = {"matchExpressions": [{"scopeName": "", "operator": "", "values": None}]}


def validate(obj: Object, old: Object | None) -> Iterator[Fault]:
    """A ResourceQuota: what it counts, in which scopes; the scopes stay."""
    yield from validate_object_meta(obj, old, dns_subdomain)
    spec = obj.get("spec", {})
    yield from _validate_amounts(spec.get("hard") or {}, _SPEC.child("hard"))
    scopes = spec.get("scopes") or ()
    if scopes:
        yield from _validate_scopes(scopes, spec)
    if spec.get("scopeSelector") is not None:
        yield from _validate_selector(spec)
    if old is None:
        yield from _validate_status(obj)
    elif set(scopes) != set(old.get("spec", {}).get("scopes") or ()):
        yield Fault.invalid(_SCOPES, spec.get("scopes"), IMMUTABLE)


def validate_status(obj: Object, old: Object) -> Iterator[Fault]:
    """What is counted."""
    yield from validate_object_meta(obj, old, dns_subdomain)
    yield from _validate_status(obj)


def quota_resource(name: str) -> Sequence[str]:
    """A resource that can be counted: all standard ones but plain `storage`, or one with a domain."""
    problems = list(standard_resource(name))
    if "/" not in name and (problems or name == "storage"):
        problems.append("must be a standard resource for quota")
    return problems


def _validate_status(obj: Object) -> Iterator[Fault]:
    for name in ("hard", "used"):
        yield from _validate_amounts(obj.get("status", {}).get(name) or {}, _STATUS.child(name))


def _validate_amounts(amounts: Mapping[str, Any], path: Path) -> Iterator[Fault]:
    for name, value in amounts.items():
        for problem in quota_resource(name):
            yield Fault.invalid(path.key(name), name, problem)
        yield from validate_amount(name, value, path.key(name))


def _misfits(scope: str, spec: Object) -> int:
    """How many of the resources a scope cannot count."""
    counted = _SCOPED.get(scope)
    hard = spec.get("hard") or {}
    if counted is None:
        return 0
    return sum(name not in counted and "/" not in name and not quota_resource(name) for name in hard)


def _validate_scopes(scopes: Sequence[str], spec: Object) -> Iterator[Fault]:
    for scope in scopes:
        if scope not in _SCOPED:
            yield Fault.invalid(_SCOPES, scopes, "unsupported scope")
        for _ in range(_misfits(scope, spec)):
            yield Fault.invalid(_SCOPES, scopes, "unsupported scope applied to resource")
    for pair in _EXCLUSIVE:
        if pair <= set(scopes):
            yield Fault.invalid(_SCOPES, scopes, "conflicting scopes")


def _validate_selector(spec: Object) -> Iterator[Fault]:
    selector = spec["scopeSelector"]
    expressions = selector.get("matchExpressions") or ()
    for expression in expressions:
        scope = expression.get("scopeName", "")
        if scope not in _SCOPED:
            yield Fault.invalid(_SELECTOR.child("scopeName"), scope, "unsupported scope")
        for _ in range(_misfits(scope, spec)):
            shown = as_declared(selector, _SHOWN)
            yield Fault.invalid(_SELECTOR, shown, "unsupported scope applied to resource")
        yield from _validate_expression(expression, scope)
    named = {expression.get("scopeName", "") for expression in expressions}
    for pair in _EXCLUSIVE:
        if pair <= named:
            yield Fault.invalid(_SELECTOR, spec.get("scopes"), "conflicting scopes")


def _validate_expression(expression: Object, scope: str) -> Iterator[Fault]:
    operator, values = expression.get("operator", ""), expression.get("values") or ()
    path = _SELECTOR.child("operator")
    if scope in _EXISTING and operator != "Exists":
        detail = (
            "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, "
            "ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort "
            "or ResourceQuotaScopeCrossNamespacePodAffinity"
        )
        yield Fault.invalid(path, operator, detail)
    if operator in ("In", "NotIn"):
        if not values:
            detail = "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector"
            yield Fault.required(_SELECTOR.child("values"), detail)
    elif operator not in ("Exists", "DoesNotExist"):
        yield Fault.invalid(path, operator, "not a valid selector operator")
    elif values:
        detail = "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector"
        yield Fault.invalid(_SELECTOR.child("values"), values, detail)
