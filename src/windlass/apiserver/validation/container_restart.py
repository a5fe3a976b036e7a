"""When a container is started again: after it ends, and after it is resized."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.schema import Fault, Path

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    Fields = Mapping[str, Any]

_POLICIES: Final = ("Always", "Never", "OnFailure")
_ACTIONS: Final = ("Restart", "RestartAllContainers")
_MOST_RULES: Final = 20
_MOST_CODES: Final = 255
_NEEDS_POLICY: Final = "must specify restartPolicy when restart rules are used"


def validate_restart(container: Fields, path: Path) -> Iterator[Fault]:
    """The container's own restart policy and the rules for its exit codes."""
    policy, rules = container.get("restartPolicy"), container.get("restartPolicyRules", ())
    if policy is None and not rules:
        return
    if policy is None:
        yield Fault.required(path.child("restartPolicy"), _NEEDS_POLICY)
    elif policy not in _POLICIES:
        yield Fault.not_supported(path.child("restartPolicy"), policy, _POLICIES)
    if len(rules) > _MOST_RULES:
        yield Fault.too_many(path.child("restartPolicyRules"), len(rules), _MOST_RULES)
    for index, rule in enumerate(rules):
        yield from _validate_rule(rule, path.child("restartPolicyRules").index(index))


def validate_init_restart(container: Fields, path: Path) -> Iterator[Fault]:
    """The same for an init container, where rules without a policy are all that is said about."""
    if "restartPolicy" in container:
        yield from validate_restart(container, path)
    elif container.get("restartPolicyRules"):
        yield Fault.required(path.child("restartPolicy"), _NEEDS_POLICY)


def validate_resize_policy(policies: Sequence[Fields], path: Path, pod_policy: str) -> Iterator[Fault]:
    """What a change of resources means for a running container; most faults stand at the list."""
    seen: set[str] = set()
    for index, entry in enumerate(policies):
        resource, policy = entry.get("resourceName", ""), entry.get("restartPolicy", "")
        if resource in seen:
            yield Fault.duplicate(path.index(index), resource)
        seen.add(resource)
        yield from _validate_choice(resource, ("cpu", "memory"), path)
        yield from _validate_choice(policy, ("NotRequired", "RestartContainer"), path)
        if pod_policy == "Never" and policy != "NotRequired":
            detail = "must be 'NotRequired' when pod `restartPolicy` is 'Never'"
            yield Fault.invalid(path, policy, detail)


def _validate_choice(value: str, choices: tuple[str, ...], path: Path) -> Iterator[Fault]:
    if not value:
        yield Fault.required(path)
    elif value not in choices:
        yield Fault.not_supported(path, value, choices)


def _validate_rule(rule: Fields, path: Path) -> Iterator[Fault]:
    action = rule.get("action", "")
    if action not in _ACTIONS:
        yield Fault.not_supported(path.child("action"), action, _ACTIONS)
    codes = rule.get("exitCodes")
    if codes is None:
        yield Fault.required(path.child("exitCodes"), "must be specified")
        return
    operator, values = codes.get("operator", ""), codes.get("values", ())
    if operator not in ("In", "NotIn"):
        yield Fault.not_supported(path.child("exitCodes", "operator"), operator, ("In", "NotIn"))
    if len(values) > _MOST_CODES:
        yield Fault.too_many(path.child("exitCodes", "values"), len(values), _MOST_CODES)
