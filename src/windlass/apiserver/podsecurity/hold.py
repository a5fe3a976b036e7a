"""Holding writes to what a namespace demands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.podsecurity.policy import policy_of
from windlass.apiserver.podsecurity.standard import violations
from windlass.apiserver.refusal import Refusal

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from windlass.apiserver.podsecurity.policy import Policy, Standard
    from windlass.apiserver.verb.operation import Operation

Object = dict[str, Any]

_PARTS: Final = ("", "ephemeralcontainers", "resize")
"""Where a write may change what a pod does."""
_TEMPLATES: Final[dict[str, tuple[str, ...]]] = {
    "podtemplates": ("template",),
    "cronjobs": ("spec", "jobTemplate", "spec", "template"),
}
"""Where those kinds have their pods that have them in an unusual place."""


def hold(operation: Operation, obj: Object, old: Object | None) -> None:
    """Refuse a pod that its namespace does not allow, and warn of what it would not like.

    What makes pods is only warned of: the pods will be refused. What is to be audited is noted in the call.

    Raises:
        Refusal: 403; 422, the labels of a namespace make no sense.
    """
    plural, part = operation.resource.kind.plural, operation.route.subresource
    if plural == "namespaces":
        if not part:
            _hold_namespace(operation, obj, old)
    elif plural == "pods":
        if part in _PARTS and (old is None or _is_significant(obj["spec"], old["spec"])):
            _hold_pod(operation, obj)
    elif not part:
        template = _template(obj, _TEMPLATES.get(plural, ("spec", "template")))
        if template is not None:
            policy = _policy(operation)
            _note(operation, "audit-violations", _disliked(policy.audit, template))
            _warn(operation, policy, template)


def _hold_pod(operation: Operation, pod: Object) -> None:
    policy = _policy(operation)
    _note(operation, "enforce-policy", str(policy.enforce))
    _note(operation, "audit-violations", _disliked(policy.audit, pod))
    wrong = violations(policy.enforce, pod["metadata"], pod["spec"])
    if wrong:
        why = f'violates PodSecurity "{policy.enforce}": {", ".join(map(str, wrong))}'
        raise Refusal.forbidden("", "pods", pod["metadata"].get("name", ""), why)
    _warn(operation, policy, pod)


def _warn(operation: Operation, policy: Policy, pod: Mapping[str, Any]) -> None:
    text = _disliked(policy.warn, pod)
    if text:
        operation.call.warn(text)


def _note(operation: Operation, key: str, text: str) -> None:
    """Note something in the audit trail."""
    if text:
        operation.call.annotations[f"pod-security.kubernetes.io/{key}"] = text


def _disliked(standard: Standard, pod: Mapping[str, Any]) -> str:
    """What a standard would not allow of a pod, or of the template of one; empty for nothing."""
    wrong = violations(standard, pod.get("metadata") or {}, pod.get("spec") or {})
    return f'would violate PodSecurity "{standard}": {", ".join(map(str, wrong))}' if wrong else ""


def _policy(operation: Operation) -> Policy:
    record = operation.world.store.collection("/namespaces").get(operation.route.namespace)
    labels = record.object()["metadata"].get("labels") if record else None
    return policy_of(labels or {})[0]


def _template(obj: Object, path: tuple[str, ...]) -> Object | None:
    found: Any = obj
    for step in path:
        found = (found or {}).get(step)
    template: Object | None = found
    return template


def _is_significant(spec: Object, old: Object) -> bool:
    """Whether a change of a pod may change what it does: its containers, or what runs in them."""
    for kind in ("containers", "initContainers"):
        new, before = spec.get(kind) or (), old.get(kind) or ()
        if [each.get("image") for each in new] != [each.get("image") for each in before]:
            return True
    known = {each["name"]: each.get("image") for each in old.get("ephemeralContainers") or ()}
    added = spec.get("ephemeralContainers") or ()
    return any(each["name"] not in known or known[each["name"]] != each.get("image") for each in added)


def _hold_namespace(operation: Operation, namespace: Object, old: Object | None) -> None:
    """Labels must make sense, and whoever enforces more is told which pods would not be allowed any more."""
    name = namespace["metadata"]["name"]
    policy, faults = policy_of(namespace["metadata"].get("labels") or {})
    before, known = policy_of((old or {"metadata": {}})["metadata"].get("labels") or {})
    if faults and (old is None or faults != known):
        raise Refusal.invalid("", "Namespace", name, faults)
    if old is None or policy.enforce == before.enforce or not policy.enforce.strictness:
        return
    stricter = policy.enforce.strictness > before.enforce.strictness
    if policy.enforce.minor == before.enforce.minor and not stricter:
        return
    pods = operation.world.store.collection("/pods").page(f"{name}/").records
    wrong = _sorted_out(policy.enforce, (record.object() for record in pods))
    if wrong:
        level = f'violate the new PodSecurity enforce level "{policy.enforce}"'
        operation.call.warn(f'existing pods in namespace "{name}" {level}')
    for text in wrong:
        operation.call.warn(text)


def _sorted_out(standard: Standard, pods: Iterator[Object]) -> list[str]:
    """The pods that a standard does not allow, those together that do the same."""
    found: dict[str, list[str]] = {}
    for pod in pods:
        wrong = violations(standard, pod["metadata"], pod["spec"])
        if wrong:
            reasons = ", ".join(violation.reason for violation in wrong)
            found.setdefault(reasons, []).append(pod["metadata"]["name"])
    return sorted(f"{min(names)}{_others(len(names) - 1)}: {why}" for why, names in found.items())


def _others(number: int) -> str:
    if not number:
        return ""
    return f" (and {number} other {'pod' if number == 1 else 'pods'})"
