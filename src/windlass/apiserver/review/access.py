"""Reviews of what somebody may do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.access.attempt import Attempt
from windlass.apiserver.access.rbac import not_found
from windlass.apiserver.exchange import User
from windlass.apiserver.refusal import Refusal
from windlass.apiserver.verb.label_selector import parse_labels
from windlass.apiserver.verb.select import field_terms

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from windlass.apiserver.access.rule import Rule
    from windlass.apiserver.verb.operation import Operation

Object = dict[str, Any]

_ABOUT_RESOURCES: Final = ("verbs", "apiGroups", "resources", "resourceNames")
_ABOUT_PATHS: Final = ("verbs", "nonResourceURLs")


def review_access(operation: Operation, review: Object) -> Object:
    """Whether the user that a SubjectAccessReview names may do what it asks for.

    Raises:
        Refusal: 422.
    """
    spec = review["spec"]
    user = User(spec.get("user", ""), tuple(spec.get("groups") or ()), spec.get("uid", ""))
    return _decided(operation, review, user)


def review_own_access(operation: Operation, review: Object) -> Object:
    """Whether whoever asks may do what a SelfSubjectAccessReview asks for.

    Raises:
        Refusal: 422.
    """
    return _decided(operation, review, operation.call.user)


def list_rules(operation: Operation, review: Object) -> Object:
    """Every rule that holds for whoever asks in a namespace.

    Raises:
        Refusal: 400, no namespace is named.
    """
    namespace = review["spec"].get("namespace")
    if not namespace:
        raise Refusal.bad_request("no namespace on request")
    rules, missing = operation.gate.rbac.rules(operation.call.user, namespace)
    status: Object = {
        "resourceRules": [_shown(rule, _ABOUT_RESOURCES) for rule in rules if rule.resources],
        "nonResourceRules": [_shown(rule, _ABOUT_PATHS) for rule in rules if rule.paths],
        "incomplete": False,
    }
    if missing:
        status["evaluationError"] = not_found(missing)
    kind = {"kind": review["kind"], "apiVersion": review["apiVersion"]}
    return {**kind, "metadata": {}, "spec": {}, "status": status}


def _decided(operation: Operation, review: Object, user: User) -> Object:
    resource, spec = operation.resource, review["spec"]
    faults = list(resource.traits.validate(review, None, ""))
    if faults:
        # The real server does not know the kind here.
        raise Refusal.invalid(resource.kind.group, "", "", faults)
    verdict = operation.gate.rbac.decide(user, _attempt(spec))
    status: Object = {"allowed": verdict.allowed}
    if verdict.reason:
        status["reason"] = verdict.reason
    problems = "; ".join(_problems(spec.get("resourceAttributes") or {}))
    if problems:
        status["evaluationError"] = problems
    review["status"] = status
    return review


def _attempt(spec: Object) -> Attempt:
    asked = spec.get("resourceAttributes")
    if asked is None:
        path = spec["nonResourceAttributes"]
        return Attempt(verb=path.get("verb", ""), path=path.get("path", ""))
    fields = ("verb", "group", "resource", "subresource", "namespace", "name")
    return Attempt(**{field: asked.get(field, "") for field in fields})


def _shown(rule: Rule, fields: tuple[str, ...]) -> Object:
    return {field: rule.json[field] for field in fields if rule.json.get(field)}


def _problems(asked: Object) -> Iterator[str]:
    """Selectors that are not understood: they narrow nothing, which no rule asks for anyway."""
    for name, parse, understood in (
        ("fieldSelector", field_terms, _is_field_term),
        ("labelSelector", parse_labels, _is_label_term),
    ):
        share = _ignored(asked.get(name) or {}, parse, understood)
        if share:
            yield f"spec.resourceAttributes.{name} {share} due to parse error"


def _ignored(
    selector: Mapping[str, Any], parse: Callable[[str], object], understood: Callable[[Object], bool]
) -> str:
    if selector.get("rawSelector"):
        try:
            parse(selector["rawSelector"])
        except Refusal:
            return "ignored"
    good = [understood(term) for term in selector.get("requirements") or ()]
    if all(good):
        return ""
    return "partially ignored" if any(good) else "ignored"


def _is_field_term(term: Object) -> bool:
    return term.get("operator") in ("In", "NotIn") and len(term.get("values") or ()) == 1


def _is_label_term(term: Object) -> bool:
    return term.get("operator") in ("In", "NotIn", "Exists", "DoesNotExist")
