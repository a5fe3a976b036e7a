"""ValidatingWebhookConfiguration and MutatingWebhookConfiguration, which differ in one field."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.validation.admission_rule import (
    FAILURE_POLICIES,
    MATCH_POLICIES,
    validate_match_conditions,
    validate_operations,
)
from windlass.apiserver.validation.domain import validate_qualified
from windlass.apiserver.validation.label import has_odd_value, validate_selector
from windlass.apiserver.validation.meta import validate_plain_meta
from windlass.apiserver.validation.names import dns_1035_label, dns_subdomain
from windlass.apiserver.validation.webhook_client import validate_client
from windlass.schema import Fault, Path

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    Object = Mapping[str, Any]

_WEBHOOKS: Final = Path("webhooks")
_HARMLESS: Final = ("None", "NoneOnDryRun")
_SIDE_EFFECTS: Final = ("None", "NoneOnDryRun", "Some", "Unknown")
_REINVOCATION: Final = ("IfNeeded", "Never")
_VERSIONS: Final = ("v1", "v1beta1")
_LONGEST_TIMEOUT: Final = 30


def validate(obj: Object, old: Object | None) -> Iterator[Fault]:
    """A configuration of webhooks; an update may keep what was allowed once."""
    yield from validate_plain_meta(obj, old, dns_subdomain, namespaced=False)
    hooks, before = _hooks(obj), _hooks(old or {})
    strict_effects = all(hook.get("sideEffects") in _HARMLESS for hook in before)
    strict_versions = all(
        _is_understood(hook["admissionReviewVersions"])
        for hook in before
        if hook.get("admissionReviewVersions")
    )
    strict_names = len({hook.get("name") for hook in before}) == len(before)
    any_values = any(
        has_odd_value(hook.get(name)) for hook in before for name in ("namespaceSelector", "objectSelector")
    )
    same_conditions = old is not None and _conditions(hooks) == _conditions(before)
    seen: set[str] = set()
    for index, hook in enumerate(hooks):
        path, name = _WEBHOOKS.index(index), hook.get("name", "")
        yield from _validate_policies(hook, path, _HARMLESS if strict_effects else _SIDE_EFFECTS)
        yield from _validate_selectors(hook, path, any_values=any_values)
        yield from validate_client(hook.get("clientConfig", {}), path.child("clientConfig"))
        if not same_conditions:
            conditions = hook.get("matchConditions") or ()
            yield from validate_match_conditions(conditions, path.child("matchConditions"))
        yield from _validate_versions(hook, path, strict=strict_versions)
        if strict_names and name and name in seen:
            yield Fault.duplicate(path.child("name"), name)
        seen.add(name)


def _hooks(obj: Object) -> Sequence[Object]:
    return obj.get("webhooks") or ()


def _conditions(hooks: Sequence[Object]) -> list[Any]:
    return [hook.get("matchConditions") or () for hook in hooks]


def _is_understood(versions: Sequence[str]) -> bool:
    return any(version in _VERSIONS for version in versions)


def _validate_policies(hook: Object, path: Path, effects: Sequence[str]) -> Iterator[Fault]:
    yield from validate_qualified(hook.get("name", ""), path.child("name"))
    for index, rule in enumerate(hook.get("rules") or ()):
        yield from validate_operations(rule, path.child("rules").index(index))
    for name, known in (("failurePolicy", FAILURE_POLICIES), ("matchPolicy", MATCH_POLICIES)):
        policy = hook.get(name)
        if policy is not None and policy not in known:
            yield Fault.not_supported(path.child(name), policy, known)
    effect = hook.get("sideEffects")
    if effect is None:
        yield Fault.required(path.child("sideEffects"), f"must specify one of {', '.join(effects)}")
    elif effect not in effects:
        yield Fault.not_supported(path.child("sideEffects"), effect, effects)
    timeout = hook.get("timeoutSeconds")
    if timeout is not None and not 1 <= timeout <= _LONGEST_TIMEOUT:
        detail = "the timeout value must be between 1 and 30 seconds"
        yield Fault.invalid(path.child("timeoutSeconds"), timeout, detail)


def _validate_selectors(hook: Object, path: Path, *, any_values: bool) -> Iterator[Fault]:
    for name in ("namespaceSelector", "objectSelector"):
        yield from validate_selector(hook.get(name), path.child(name), any_values=any_values)
    policy = hook.get("reinvocationPolicy")  # only those that mutate have one
    if policy is not None and policy not in _REINVOCATION:
        yield Fault.not_supported(path.child("reinvocationPolicy"), policy, _REINVOCATION)


def _validate_versions(hook: Object, path: Path, *, strict: bool) -> Iterator[Fault]:
    versions, where = hook.get("admissionReviewVersions") or (), path.child("admissionReviewVersions")
    known = ", ".join(_VERSIONS)
    if not versions:
        yield Fault.required(where, f"must specify one of {known}")
        return
    for index, version in enumerate(versions):
        if version in versions[:index]:
            yield Fault.invalid(where.index(index), version, "duplicate version")
            continue
        for problem in dns_1035_label(version):
            yield Fault.invalid(where.index(index), version, problem)
    if strict and not _is_understood(versions):
        yield Fault.invalid(where, versions, f"must include at least one of {known}")
