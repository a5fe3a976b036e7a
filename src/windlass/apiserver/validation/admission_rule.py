"""What webhooks and admission policies look at: operations, resources and conditions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.validation.label import validate_selector
from windlass.apiserver.validation.names import label_key, path_segment
from windlass.schema import Fault, Path

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    Object = Mapping[str, Any]

FAILURE_POLICIES: Final = ("Fail", "Ignore")
MATCH_POLICIES: Final = ("Equivalent", "Exact")

_OPERATIONS: Final = ("*", "CONNECT", "CREATE", "DELETE", "UPDATE")
_SCOPES: Final = ("*", "Cluster", "Namespaced")
_MOST_CONDITIONS: Final = 64


def validate_match(match: Object, path: Path) -> Iterator[Fault]:
    """Which requests a policy looks at."""
    policy = match.get("matchPolicy")
    if policy is None:
        yield Fault.required(path.child("matchPolicy"))
    elif policy not in MATCH_POLICIES:
        yield Fault.not_supported(path.child("matchPolicy"), policy, MATCH_POLICIES)
    for name in ("namespaceSelector", "objectSelector"):
        if match.get(name) is None:
            yield Fault.required(path.child(name))
        yield from validate_selector(match.get(name), path.child(name))
    for name in ("resourceRules", "excludeResourceRules"):
        for index, rule in enumerate(match.get(name) or ()):
            where = path.child(name).index(index)
            yield from _validate_names(rule.get("resourceNames") or (), where.child("resourceNames"))
            yield from validate_operations(rule, where)


def validate_match_conditions(
    conditions: Sequence[Object], path: Path, *, params: bool = False
) -> Iterator[Fault]:
    """Conditions that a request meets, which may speak of parameters where there are any."""
    if len(conditions) > _MOST_CONDITIONS:
        yield Fault.too_many(path, len(conditions), _MOST_CONDITIONS)
    seen: set[str] = set()
    for index, condition in enumerate(conditions):
        name, where = condition.get("name", ""), path.index(index)
        expression = condition.get("expression", "").strip()
        if not expression:
            yield Fault.required(where.child("expression"))
        else:
            yield from _condition_faults(expression, where.child("expression"), params=params)
        if not name:
            yield Fault.required(where.child("name"))
            continue
        for problem in label_key(name):
            yield Fault.invalid(where.child("name"), name, problem)
        if name in seen:
            yield Fault.duplicate(where.child("name"), name)
        seen.add(name)


def _condition_faults(expression: str, path: Path, *, params: bool) -> Iterator[Fault]:
    from windlass.apiserver.admission.policy import Expressions  # most servers have no conditions
    from windlass.schema.cel import BOOL

    problem = Expressions(params=params).compiled(expression, (BOOL,)).problem
    if problem:
        yield Fault.invalid(path, expression, problem)


def validate_operations(rule: Object, path: Path) -> Iterator[Fault]:
    """Operations on resources."""
    operations, where = rule.get("operations") or (), path.child("operations")
    if not operations:
        yield Fault.required(where)
    yield from _validate_wildcard(operations, where, "operations")
    for index, operation in enumerate(operations):
        if operation not in _OPERATIONS:
            yield Fault.not_supported(where.index(index), operation, _OPERATIONS)
    for name, words in (("apiGroups", "API groups"), ("apiVersions", "API versions")):
        values = rule.get(name) or ()
        if not values:
            yield Fault.required(path.child(name))
        yield from _validate_wildcard(values, path.child(name), words)
    for index, version in enumerate(rule.get("apiVersions") or ()):
        if not version:
            yield Fault.required(path.child("apiVersions").index(index))
    yield from _validate_resources(rule.get("resources") or (), path.child("resources"))
    scope = rule.get("scope")
    if scope is not None and scope not in _SCOPES:
        yield Fault.not_supported(path.child("scope"), scope, _SCOPES)


def _validate_wildcard(values: Sequence[str], path: Path, words: str) -> Iterator[Fault]:
    if len(values) > 1 and "*" in values:
        yield Fault.invalid(path, values, f"if '*' is present, must not specify other {words}")


def _validate_names(names: Sequence[str], path: Path) -> Iterator[Fault]:
    for index, name in enumerate(names):
        for problem in path_segment(name):
            yield Fault.invalid(path.index(index), name, problem)
        if name in names[:index]:
            yield Fault.duplicate(path.index(index), name)


def _validate_resources(resources: Sequence[str], path: Path) -> Iterator[Fault]:
    if not resources:
        yield Fault.required(path)
    for index, name in enumerate(resources):
        if not name:
            yield Fault.required(path.index(index))
        resource, slash, subresource = name.partition("/")
        for wildcard in (f"{resource}/*", f"*/{subresource}") if slash else ():
            if wildcard in resources[:index]:
                detail = f"if '{wildcard}' is present, must not specify {name}"
                yield Fault.invalid(path.index(index), name, detail)
    plain = [name for name in resources if name and "/" not in name]
    if len(resources) > 1 and "*/*" in resources:
        yield Fault.invalid(path, resources, "if '*/*' is present, must not specify other resources")
    if "*" in plain and plain[-1] != "*":  # the server looks at the last one
        detail = "if '*' is present, must not specify other resources without subresources"
        yield Fault.invalid(path, resources, detail)
