"""Nobody grants more than they have themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from windlass.apiserver.access.attempt import Attempt
from windlass.apiserver.access.binding import RoleKey
from windlass.apiserver.access.rbac import GROUP, MASTERS, not_found
from windlass.apiserver.access.rule import Rule
from windlass.apiserver.refusal import Refusal
from windlass.apiserver.validation.names import path_segment
from windlass.schema import quoted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from windlass.apiserver.verb.operation import Operation

Object = dict[str, Any]

_EVERYTHING: Final = (
    Rule({"verbs": ["*"], "apiGroups": ["*"], "resources": ["*"]}),
    Rule({"verbs": ["*"], "nonResourceURLs": ["*"]}),
)
_UNGUARDED: Final = ("ownerReferences", "finalizers", "managedFields")
"""What a garbage collector changes, though it has none of the rights that it sees."""


class Right(NamedTuple):
    """The smallest part of a rule: one verb on one resource, of which perhaps one object, or on one path."""

    verb: str
    group: str | None = None
    resource: str | None = None
    name: str | None = None
    path: str | None = None


def check_grant(operation: Operation, obj: Object, old: Object | None) -> None:
    """Refuse a role or a binding by which its author would grant what they do not have.

    Raises:
        Refusal: 403; 404, there is no such role, and its author is not allowed to bind it all the same;
            400, there cannot be one of that name.
    """
    if MASTERS in operation.call.user.groups or (old is not None and _guarded(obj) == _guarded(old)):
        return
    if operation.resource.kind.name in ("Role", "ClusterRole"):
        _check_role(operation, obj, old)
    else:
        _check_binding(operation, obj)


def _check_role(operation: Operation, role: Object, old: Object | None) -> None:
    user, route = operation.call.user, operation.route
    escalate = Attempt(
        verb="escalate", group=GROUP, resource=route.plural, namespace=route.namespace, name=route.name
    )
    if operation.gate.rbac.decide(user, escalate).allowed:
        return
    _confirm(operation, role, tuple(Rule(rule) for rule in role.get("rules") or ()))
    aggregates = _aggregates(role) or (old is not None and _aggregates(old))
    if aggregates and _excess(operation, _EVERYTHING):
        raise _forbidden(operation, role, "must have cluster-admin privileges to use the aggregationRule")


def _check_binding(operation: Operation, binding: Object) -> None:
    namespace, rbac = operation.route.namespace, operation.gate.rbac
    reference = binding["roleRef"]
    if reference.get("kind") not in ("Role", "ClusterRole"):
        raise Refusal(500, f"unsupported role reference kind: {quoted(reference.get('kind', ''))}", "")
    role = RoleKey.of(reference, namespace)
    bind = Attempt(
        verb="bind",
        group=reference.get("apiGroup", ""),
        resource=f"{role.kind.lower()}s",
        namespace=namespace,
        name=role.name,
    )
    if rbac.decide(operation.call.user, bind).allowed:
        return
    _check_name(role.name)
    rules = rbac.role(role)
    if rules is None:
        raise Refusal.not_found(GROUP, operation.route.plural, role.name)  # so says the real server
    _confirm(operation, binding, rules)


def _check_name(name: str) -> None:
    """The role is looked for before the binding is validated."""
    if not name:
        raise Refusal.bad_request("Name parameter required.")
    if problems := path_segment(name):
        raise Refusal.bad_request(f"Name parameter invalid: {quoted(name)}: {';'.join(problems)}")


def rights(rules: Iterable[Rule]) -> Iterator[Right]:
    """Every right that rules give."""
    for rule in rules:
        json = rule.json
        for group in json.get("apiGroups") or ():
            for resource in json.get("resources") or ():
                for verb in json.get("verbs") or ():
                    for name in json.get("resourceNames") or (None,):
                        yield Right(verb, group, resource, name)
        for path in rule.paths:
            for verb in json.get("verbs") or ():
                yield Right(verb, path=path)


def covers(rule: Rule, right: Right) -> bool:
    """Whether a rule gives a right."""
    if not rule.has_verb(right.verb) or (rule.names and right.name not in rule.names):
        return False
    if right.path is not None:
        return rule.has_path(right.path)
    return rule.has_group(right.group or "") and rule.has_resource(right.resource or "")


def described(missing: Iterable[Right]) -> list[str]:
    """Rights in words, the verbs on one resource together, sorted."""
    verbs: dict[Right, list[str]] = {}
    for right in missing:
        if right.path is not None:
            verbs[right] = [right.verb]  # on paths they are told one by one, as the real server does
        else:
            verbs.setdefault(right._replace(verb=""), []).append(right.verb)
    return sorted({_compact(about, found) for about, found in verbs.items()})


def _guarded(obj: Object) -> Object:
    meta = {name: value for name, value in obj["metadata"].items() if name not in _UNGUARDED}
    return {**obj, "metadata": meta}


def _confirm(operation: Operation, obj: Object, rules: Sequence[Rule]) -> None:
    excess = _excess(operation, rules)
    if excess:
        raise _forbidden(operation, obj, excess)


def _excess(operation: Operation, rules: Sequence[Rule]) -> str:
    """What an author would grant without having it, in words; empty when there is nothing."""
    user = operation.call.user
    own, unresolved = operation.gate.rbac.rules(user, operation.route.namespace)
    missing = [right for right in rights(rules) if not any(covers(rule, right) for rule in own)]
    if not missing:
        return ""
    groups = " ".join(quoted(group) for group in user.groups)
    text = (
        f"user {quoted(user.name)} (groups=[{groups}]) is attempting to grant RBAC permissions "
        "not currently held:\n" + "\n".join(described(missing))
    )
    if unresolved:
        text += f"; resolution errors: [{not_found(unresolved, operation.route.plural)}]"
    return text


def _forbidden(operation: Operation, obj: Object, why: str) -> Refusal:
    kind = operation.resource.kind
    return Refusal.forbidden(kind.group, kind.plural, obj["metadata"].get("name", ""), why)


def _aggregates(role: Object) -> bool:
    return bool((role.get("aggregationRule") or {}).get("clusterRoleSelectors"))


def _compact(about: Right, verbs: Sequence[str]) -> str:
    parts = {
        "APIGroups": None if about.group is None else [about.group],
        "Resources": None if about.resource is None else [about.resource],
        "NonResourceURLs": None if about.path is None else [about.path],
        "ResourceNames": None if about.name is None else [about.name],
        "Verbs": verbs,
    }
    said = [
        f"{name}:[{' '.join(quoted(value) for value in values)}]" for name, values in parts.items() if values
    ]
    return f"{{{', '.join(said)}}}"
