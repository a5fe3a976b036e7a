"""Whether a webhook or a policy wants to see a request."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.refusal import Refusal
from windlass.apiserver.validation.label import matches

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from windlass.apiserver.admission.review import Review

Object = dict[str, Any]
Rule = dict[str, Any]

_GROUP: Final = "admissionregistration.k8s.io"
_EXEMPT: Final = frozenset(
    {
        "MutatingAdmissionPolicy",
        "MutatingAdmissionPolicyBinding",
        "MutatingWebhookConfiguration",
        "ValidatingAdmissionPolicy",
        "ValidatingAdmissionPolicyBinding",
        "ValidatingWebhookConfiguration",
    }
)


def is_exempt(review: Review) -> bool:
    """Whether nobody is asked: who admits could otherwise lock everybody out for ever."""
    kind = review.operation.resource.kind
    return kind.group == _GROUP and kind.name in _EXEMPT


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """Which requests somebody wants to see. An empty selector wants everything; so do no `rules` at all.

    With `equivalent`, a rule that names another version of the resource is meant too.
    """

    rules: tuple[Rule, ...] | None
    excluded: tuple[Rule, ...] = ()
    namespaces: Object
    objects: Object
    equivalent: bool

    @classmethod
    def of_webhook(cls, given: Mapping[str, Any]) -> Match:
        """What a webhook says of it."""
        return cls._of(given, tuple(given.get("rules") or ()), ())

    @classmethod
    def of_policy(cls, given: Mapping[str, Any]) -> Match:
        """What a policy, or a binding of it, says of it."""
        rules = tuple(given.get("resourceRules") or ()) or None
        return cls._of(given, rules, tuple(given.get("excludeResourceRules") or ()))

    @classmethod
    def _of(
        cls, given: Mapping[str, Any], rules: tuple[Rule, ...] | None, excluded: tuple[Rule, ...]
    ) -> Match:
        return cls(
            rules=rules,
            excluded=excluded,
            namespaces=given.get("namespaceSelector") or {},
            objects=given.get("objectSelector") or {},
            equivalent=given.get("matchPolicy", "Equivalent") == "Equivalent",
        )

    def version(self, review: Review) -> str | None:
        """The version of the resource in which a request is wanted; `None` if it is not.

        Raises:
            Refusal: 404, its namespace does not exist, and must be known.
        """
        if self.rules is not None and not any(_concerns(rule, review) for rule in self.rules):
            return None  # most requests concern most of them not at all
        missing: Refusal | None = None
        try:
            if not _selects_namespace(self.namespaces, review):
                return None
        except Refusal as refusal:
            missing = refusal
        if self.objects and not (_selects(self.objects, review.obj) or _selects(self.objects, review.old)):
            return None
        if self.excluded and self._fitting(self.excluded, review) is not None:
            return None
        found = review.version if self.rules is None else self._fitting(self.rules, review)
        if found is not None and missing is not None:
            raise missing
        return found

    def _fitting(self, rules: Sequence[Rule], review: Review) -> str | None:
        """The version in which a rule wants a request: its own before others, earlier rules before later."""
        own = review.version
        wanting = [rule for rule in rules if _concerns(rule, review)]
        if any(_among(rule.get("apiVersions"), own) for rule in wanting):
            return own
        others = review.versions() if wanting and self.equivalent else ()
        return next(
            (each for rule in wanting for each in others if _among(rule.get("apiVersions"), each)), None
        )


def _concerns(rule: Rule, review: Review) -> bool:
    """Whether a rule wants a request in some version."""
    route = review.operation.route
    return (
        _among(rule.get("apiGroups"), route.group)
        and _among(rule.get("operations"), review.action)
        and _in_scope(rule.get("scope", "*"), review)
        and any(_names(each, route.plural, route.subresource) for each in rule.get("resources") or ())
        and (not rule.get("resourceNames") or review.name in rule["resourceNames"])
    )


def _in_scope(scope: str, review: Review) -> bool:
    if scope == "*":
        return True
    route = review.operation.route
    namespaced = bool(review.namespace) and (route.group, route.plural) != ("", "namespaces")
    return namespaced == (scope == "Namespaced")


def _among(items: Sequence[str] | None, wanted: str) -> bool:
    return items is not None and ("*" in items or wanted in items)


def _names(pattern: str, plural: str, subresource: str) -> bool:
    resource, _, part = pattern.partition("/")
    return resource in ("*", plural) and part in ("*", subresource)


def _selects_namespace(selector: Object, review: Review) -> bool:
    """Whether a selector wants the namespace of a request; what is in none is wanted by every selector."""
    namespace, route = review.namespace, review.operation.route
    if not selector or (not namespace and route.plural != "namespaces"):
        return True
    if route.plural == "namespaces" and not route.subresource and review.action in ("CREATE", "UPDATE"):
        return _selects(selector, review.obj)
    record = review.operation.world.store.collection("/namespaces").get(namespace)
    if record is None:
        raise Refusal.not_found("", "namespaces", namespace)
    return _selects(selector, record.object())


def _selects(selector: Object, obj: Object | None) -> bool:
    """Whether a selector chooses an object; what has no metadata is chosen by none."""
    if obj is None or "metadata" not in obj:
        return False
    return matches(selector, obj["metadata"].get("labels") or {})
