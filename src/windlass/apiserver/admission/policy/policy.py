"""Policies that are bound, compiled once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.admission.derived import Derived
from windlass.apiserver.admission.match import Match
from windlass.apiserver.admission.policy.expression import Expression, Expressions
from windlass.schema.cel import BOOL, NULL, STRING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from windlass.apiserver.store import Collection, Store

Object = dict[str, Any]

GROUP: Final = "admissionregistration.k8s.io"
POLICIES: Final = f"{GROUP}/validatingadmissionpolicies"
BINDINGS: Final = f"{GROUP}/validatingadmissionpolicybindings"
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """A policy with its bindings."""

    name: str
    match: Match
    ignores_failure: bool
    param_kind: Object | None
    conditions: Sequence[Expression]
    variables: Mapping[str, Expression]
    rules: Sequence[Rule]
    annotations: Sequence[tuple[str, Expression]]
    bindings: Sequence[Binding]


def policies_of(store: Store) -> Sequence[Policy]:
    """Every policy that is bound, by their names; compiled anew when they change."""
    return _POLICIES.of(store.collection(POLICIES), store.collection(BINDINGS))


def _compiled(policies: Collection, bindings: Collection) -> Sequence[Policy]:
    bound: dict[str, list[Binding]] = {}
    for record in bindings.page().records:
        spec = record.object()["spec"]
        bound.setdefault(spec["policyName"], []).append(_binding(record.name, spec))
    return [
        _policy(record.name, record.object()["spec"], bound[record.name])
        for record in policies.page().records
        if record.name in bound
    ]


def _binding(name: str, spec: Object) -> Binding:
    match = Match.of_policy(spec.get("matchResources") or {})
    return Binding(name, match, spec.get("paramRef"), tuple(spec.get("validationActions") or ()))


def _policy(name: str, spec: Object, bindings: Sequence[Binding]) -> Policy:
    expressions = Expressions(params=spec.get("paramKind") is not None, composed=True)
    variables = {
        each["name"]: expressions.declared(each["name"], each["expression"])
        for each in spec.get("variables") or ()
    }
    return Policy(
        name=name,
        match=Match.of_policy(spec["matchConstraints"]),
        ignores_failure=spec.get("failurePolicy") == "Ignore",
        param_kind=spec.get("paramKind"),
        conditions=[
            expressions.compiled(each["expression"], (BOOL,)) for each in spec.get("matchConditions") or ()
        ],
        variables=variables,
        rules=[_rule(each, expressions) for each in spec.get("validations") or ()],
        annotations=[
            (each["key"], expressions.compiled(each["valueExpression"], ANNOTATION_TYPES))
            for each in spec.get("auditAnnotations") or ()
        ],
        bindings=bindings,
    )


def _rule(given: Object, expressions: Expressions) -> Rule:
    message = given.get("messageExpression")
    return Rule(
        expressions.compiled(given["expression"], (BOOL,)),
        expressions.compiled(message, (STRING,), authorizer=False) if message else None,
        given.get("message", "").strip(),
        given.get("reason") or "Invalid",
    )


_POLICIES: Final = Derived(_compiled)
