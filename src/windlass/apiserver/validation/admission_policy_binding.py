"""ValidatingAdmissionPolicyBinding."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.validation.admission_rule import validate_match
from windlass.apiserver.validation.label import validate_selector
from windlass.apiserver.validation.meta import validate_plain_meta
from windlass.apiserver.validation.names import dns_subdomain, path_segment
from windlass.schema import Fault, Path

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    Object = Mapping[str, Any]

_SPEC: Final = Path("spec")
_ACTIONS: Final = ("Audit", "Deny", "Warn")
_WHEN_ABSENT: Final = ("Deny", "Allow")
_EXCLUSIVE: Final = "name and selector are mutually exclusive"


def validate(obj: Object, old: Object | None) -> Iterator[Fault]:
    """A ValidatingAdmissionPolicyBinding: its policy, its parameters, and what happens."""
    yield from validate_bound(obj, old)
    actions = obj.get("spec", {}).get("validationActions") or ()
    yield from _validate_actions(actions, _SPEC.child("validationActions"))


def validate_bound(obj: Object, old: Object | None) -> Iterator[Fault]:
    """What any binding has: its metadata, its policy, its parameters, and what it is about."""
    yield from validate_plain_meta(obj, old, dns_subdomain, namespaced=False)
    spec = obj.get("spec", {})
    policy = spec.get("policyName", "")
    if not policy:
        yield Fault.required(_SPEC.child("policyName"))
    for problem in dns_subdomain(policy) if policy else ():
        yield Fault.invalid(_SPEC.child("policyName"), policy, problem)
    if spec.get("paramRef") is not None:
        yield from _validate_parameters(spec["paramRef"], _SPEC.child("paramRef"))
    if spec.get("matchResources") is not None:
        yield from validate_match(spec["matchResources"], _SPEC.child("matchResources"))


def _validate_parameters(parameters: Object, path: Path) -> Iterator[Fault]:
    name, selector = parameters.get("name", ""), parameters.get("selector")
    for problem in path_segment(name):
        yield Fault.invalid(path.child("name"), name, problem)
    if name and selector is not None:
        yield Fault.forbidden(path.child("name"), _EXCLUSIVE)
    yield from validate_selector(selector, path.child("selector"))
    if name and selector is not None:
        yield Fault.forbidden(path.child("selector"), _EXCLUSIVE)
    if not name and selector is None:
        yield Fault.required(path, "one of name or selector must be specified")
    action, where = parameters.get("parameterNotFoundAction"), path.child("parameterNotFoundAction")
    if not action:
        yield Fault.required(where)
    elif action not in _WHEN_ABSENT:
        yield Fault.not_supported(where, action, _WHEN_ABSENT)


def _validate_actions(actions: Sequence[str], path: Path) -> Iterator[Fault]:
    for index, action in enumerate(actions):
        if action not in _ACTIONS:
            yield Fault.not_supported(path.index(index), action, _ACTIONS)
        if action in actions[:index]:
            yield Fault.duplicate(path.index(index), action)
    if "Deny" in actions and "Warn" in actions:
        detail = (
            "must not contain both Deny and Warn (repeating the same validation failure information in the "
            "API response and headers serves no purpose)"
        )
        yield Fault.invalid(path, actions, detail)
    if not actions:
        yield Fault.required(path, "at least one validation action is required")
