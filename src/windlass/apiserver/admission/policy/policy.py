"""Policies that are bound, compiled once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.admission.derived import Derived
from windlass.apiserver.admission.match import Match
from windlass.apiserver.admission.policy.expression import Expression, Expressions
from windlass.schema.cel import BOOL, NULL, STRING, list_of, object_type

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from windlass.apiserver.store import Collection, Store

Object = dict[str, Any]

GROUP: Final = "admissionregistration.k8s.io"
POLICIES: Final = f"{GROUP}/validatingadmissionpolicies"
BINDINGS: Final = f"{GROUP}/validatingadmissionpolicybindings"
MUTATING_POLICIES: Final = f"{GROUP}/mutatingadmissionpolicies"
MUTATING_BINDINGS: Final = f"{GROUP}/mutatingadmissionpolicybindings"
PATCH_FIELDS: Final = {"ApplyConfiguration": "applyConfiguration", "JSONPatch": "jsonPatch"}
"""The types of patches, and the field that has each."""
PATCH_TYPES: Final = {
    "ApplyConfiguration": object_type("Object"),
    "JSONPatch": list_of(object_type("JSONPatch")),
}
"""What the expression of each must be."""
ANNOTATION_TYPES: Final = (STRING, NULL)


@dataclass(frozen=True, slots=True)
class Rule:
    """One validation: what must be true, and what is said where it is not."""

    expression: Expression
    message_expression: Expression | None
    message: str
    reason: str


@dataclass(frozen=True, slots=True)
class Binding:
    """What a policy is applied to, with which parameters, and what comes of a failure."""

    name: str
    match: Match
    params: Object | None
    actions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Mutation:
    """One change: an object that is merged into the one that comes in, or the operations of a JSON patch."""

    expression: Expression
    merges: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """What any policy says of when it is applied, and by which bindings."""

    name: str
    match: Match
    ignores_failure: bool
    param_kind: Object | None
    conditions: Sequence[Expression]
    variables: Mapping[str, Expression]
    bindings: Sequence[Binding]


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy(Terms):
    """A policy that judges objects."""

    rules: Sequence[Rule]
    annotations: Sequence[tuple[str, Expression]]


@dataclass(frozen=True, slots=True, kw_only=True)
class MutatingPolicy(Terms):
    """A policy that changes objects; `reinvoked` if it wants to know of changes after its own."""

    mutations: Sequence[Mutation]
    reinvoked: bool


def policies_of(store: Store) -> Sequence[Policy]:
    """Every policy that is bound and judges objects, by their names; compiled anew when they change."""
    return _POLICIES.of(store.collection(POLICIES), store.collection(BINDINGS))


def mutating_policies_of(store: Store) -> Sequence[MutatingPolicy]:
    """Every policy that is bound and changes objects, by their names; compiled anew when they change."""
    return _MUTATING.of(store.collection(MUTATING_POLICIES), store.collection(MUTATING_BINDINGS))


def _judging(policies: Collection, bindings: Collection) -> Sequence[Policy]:
    return [_policy(*each) for each in _bound(policies, bindings)]


def _mutating(policies: Collection, bindings: Collection) -> Sequence[MutatingPolicy]:
    return [_mutating_policy(*each) for each in _bound(policies, bindings)]


def _bound(policies: Collection, bindings: Collection) -> Iterator[tuple[str, Object, Sequence[Binding]]]:
    """The name and spec of each policy that is bound, and what binds it."""
    bound: dict[str, list[Binding]] = {}
    for record in bindings.page().records:
        spec = record.object()["spec"]
        bound.setdefault(spec["policyName"], []).append(_binding(record.name, spec))
    for record in policies.page().records:
        if record.name in bound:
            yield record.name, record.object()["spec"], bound[record.name]


def _binding(name: str, spec: Object) -> Binding:
    match = Match.of_policy(spec.get("matchResources") or {})
    return Binding(name, match, spec.get("paramRef"), tuple(spec.get("validationActions") or ()))


def _policy(name: str, spec: Object, bindings: Sequence[Binding]) -> Policy:
    expressions = Expressions(params=spec.get("paramKind") is not None, composed=True)
    return Policy(
        **_terms(name, spec, expressions),
        rules=[_rule(each, expressions) for each in spec.get("validations") or ()],
        annotations=[
            (each["key"], expressions.compiled(each["valueExpression"], ANNOTATION_TYPES))
            for each in spec.get("auditAnnotations") or ()
        ],
        bindings=bindings,
    )


def _mutating_policy(name: str, spec: Object, bindings: Sequence[Binding]) -> MutatingPolicy:
    expressions = Expressions(params=spec.get("paramKind") is not None, composed=True)
    return MutatingPolicy(
        **_terms(name, spec, expressions),
        mutations=[_mutation(each, expressions) for each in spec.get("mutations") or ()],
        reinvoked=spec.get("reinvocationPolicy") == "IfNeeded",
        bindings=bindings,
    )


def _terms(name: str, spec: Object, expressions: Expressions) -> Object:
    """What both kinds of policies have; their variables first, since everything else may speak of them."""
    variables = {
        each["name"]: expressions.declared(each["name"], each["expression"])
        for each in spec.get("variables") or ()
    }
    return {
        "name": name,
        "match": Match.of_policy(spec["matchConstraints"]),
        "ignores_failure": spec.get("failurePolicy") == "Ignore",
        "param_kind": spec.get("paramKind"),
        "conditions": [
            expressions.compiled(each["expression"], (BOOL,)) for each in spec.get("matchConditions") or ()
        ],
        "variables": variables,
    }


def _mutation(given: Object, expressions: Expressions) -> Mutation:
    form = given["patchType"]
    text = given[PATCH_FIELDS[form]]["expression"]
    return Mutation(expressions.patching(text, PATCH_TYPES[form]), merges=form == "ApplyConfiguration")


def _rule(given: Object, expressions: Expressions) -> Rule:
    message = given.get("messageExpression")
    return Rule(
        expressions.compiled(given["expression"], (BOOL,)),
        expressions.compiled(message, (STRING,), authorizer=False) if message else None,
        given.get("message", "").strip(),
        given.get("reason") or "Invalid",
    )


_POLICIES: Final = Derived(_judging)
_MUTATING: Final = Derived(_mutating)
