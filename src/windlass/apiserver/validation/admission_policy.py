"""ValidatingAdmissionPolicy."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.validation.admission_rule import (
    FAILURE_POLICIES,
    validate_match,
    validate_match_conditions,
)
from windlass.apiserver.validation.condition import validate_conditions
from windlass.apiserver.validation.meta import validate_plain_meta
from windlass.apiserver.validation.names import dns_1035_label, dns_subdomain, label_key
from windlass.schema import Fault, Path
from windlass.schema.cel import BOOL, NULL, STRING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from windlass.apiserver.admission.policy import Expressions

    Object = Mapping[str, Any]

_SPEC: Final = Path("spec")
_STATUS: Final = Path("status")
_REASONS: Final = ("Forbidden", "Invalid", "RequestEntityTooLarge")
_MOST_ANNOTATIONS: Final = 20
_LONGEST_VALUE: Final = 5 * 1024
_IDENTIFIER: Final = "[_a-zA-Z][_a-zA-Z0-9]*"
_RESERVED: Final = (
    " true false null in as break const continue else for function if import let loop package namespace "
    "return var void while "
)
"""Words of CEL, none of which is a name."""


def validate(obj: Object, old: Object | None) -> Iterator[Fault]:
    """A ValidatingAdmissionPolicy."""
    from windlass.apiserver.admission.policy import Expressions  # most servers have no policies

    spec = obj.get("spec", {})
    params = spec.get("paramKind") is not None
    expressions = Expressions(params=params, composed=bool(spec.get("variables")))
    yield from validate_scope(obj, old)
    yield from validate_terms(obj, old, expressions)
    yield from _validate_outcomes(spec, obj["metadata"].get("name", ""), expressions)


def validate_scope(obj: Object, old: Object | None) -> Iterator[Fault]:
    """What any policy begins with: its metadata, what it does when it fails, and what it is about."""
    yield from validate_plain_meta(obj, old, dns_subdomain, namespaced=False)
    spec = obj.get("spec", {})
    policy, match = spec.get("failurePolicy"), spec.get("matchConstraints")
    if policy is None:
        yield Fault.required(_SPEC.child("failurePolicy"))
    elif policy not in FAILURE_POLICIES:
        yield Fault.not_supported(_SPEC.child("failurePolicy"), policy, FAILURE_POLICIES)
    if spec.get("paramKind") is not None:
        yield from _validate_kind(spec["paramKind"], _SPEC.child("paramKind"))
    if match is None:
        yield Fault.required(_SPEC.child("matchConstraints"))
    else:
        yield from validate_match(match, _SPEC.child("matchConstraints"))
        if not match.get("resourceRules"):
            yield Fault.required(_SPEC.child("matchConstraints", "resourceRules"))


def validate_terms(
    obj: Object, old: Object | None, expressions: Expressions | None = None
) -> Iterator[Fault]:
    """What the expressions of any policy rest on: its conditions, if they are new, and its variables."""
    spec, before = obj.get("spec", {}), (old or {}).get("spec", {})
    same = old is not None and all(
        spec.get(name) == before.get(name) for name in ("paramKind", "matchConditions")
    )
    if not same:
        conditions, params = spec.get("matchConditions") or (), spec.get("paramKind") is not None
        yield from validate_match_conditions(conditions, _SPEC.child("matchConditions"), params=params)
    yield from _validate_variables(spec.get("variables") or (), expressions)


def validate_status(obj: Object, old: Object) -> Iterator[Fault]:
    """What was found while the expressions were checked."""
    yield from validate_plain_meta(obj, old, dns_subdomain, namespaced=False)
    status = obj.get("status", {})
    path = _STATUS.child("typeChecking", "expressionWarnings")
    warnings = (status.get("typeChecking") or {}).get("expressionWarnings") or ()
    for index, warning in enumerate(warnings):
        for name in ("warning", "fieldRef"):
            if not warning.get(name, "").strip():
                yield Fault.required(path.index(index).child(name))
    yield from validate_conditions(status.get("conditions"), _STATUS.child("conditions"))


def _validate_kind(parameters: Object, path: Path) -> Iterator[Fault]:
    version, kind = parameters.get("apiVersion", ""), parameters.get("kind", "")
    if not version:
        yield Fault.required(path.child("apiVersion"))
    else:
        yield from _validate_version(version, path.child("apiVersion"))
    if not kind:
        yield Fault.required(path.child("kind"))
    elif problems := dns_1035_label(kind.lower()):
        detail = f"may have mixed case, but should otherwise match: {','.join(problems)}"
        yield Fault.invalid(path.child("kind"), kind, detail)


def _validate_version(text: str, path: Path) -> Iterator[Fault]:
    if text.count("/") > 1:
        yield Fault.invalid(path, text, f"unexpected GroupVersion string: {text}")
        return
    group, _, version = text.rpartition("/")
    if group and (problems := dns_subdomain(group)):
        yield Fault.invalid(path, group, ",".join(problems))
    if not version:
        yield Fault.invalid(path, text, "version must be specified")
    elif problems := dns_1035_label(version):
        yield Fault.invalid(path, version, ",".join(problems))


def _validate_variables(variables: Sequence[Object], expressions: Expressions | None) -> Iterator[Fault]:
    for index, variable in enumerate(variables):
        name, path = variable.get("name", ""), _SPEC.child("variables").index(index)
        if not name.strip():
            yield Fault.required(path.child("name"), "name is not specified")
        elif not re.fullmatch(_IDENTIFIER, name) or f" {name} " in _RESERVED:
            yield Fault.invalid(path.child("name"), name, "must be a valid CEL identifier")
        expression = variable.get("expression", "")
        if not expression.strip():
            yield Fault.required(path.child("expression"), "expression is not specified")
        elif expressions is not None and (problem := expressions.declared(name, expression).problem):
            yield Fault.invalid(path.child("expression"), expression, problem)


def _validate_outcomes(spec: Object, policy: str, expressions: Expressions) -> Iterator[Fault]:
    rules, annotations = spec.get("validations") or (), spec.get("auditAnnotations") or ()
    if not rules and not annotations:
        detail = "validations or auditAnnotations must contain at least one item"
        yield Fault.required(_SPEC.child("validations"), detail)
        yield Fault.required(_SPEC.child("auditAnnotations"), detail)
    for index, rule in enumerate(rules):
        yield from _validate_rule(rule, _SPEC.child("validations").index(index), expressions)
    path = _SPEC.child("auditAnnotations")
    if len(annotations) > _MOST_ANNOTATIONS:
        detail = f"must not have more than {_MOST_ANNOTATIONS} auditAnnotations"
        yield Fault.invalid(path, annotations, detail)
    seen: set[str] = set()
    for index, annotation in enumerate(annotations):
        key = annotation.get("key", "")
        yield from _validate_annotation(annotation, policy, path.index(index), expressions)
        if key in seen:
            yield Fault.duplicate(path.index(index).child("key"), key)
        seen.add(key)


def _validate_rule(rule: Object, path: Path, expressions: Expressions) -> Iterator[Fault]:
    expression = rule.get("expression", "")
    if not expression.strip():
        yield Fault.required(path.child("expression"), "expression is not specified")
    elif problem := expressions.compiled(expression, (BOOL,)).problem:
        yield Fault.invalid(path.child("expression"), expression, problem)
    for name in ("messageExpression", "message"):
        text = rule.get(name, "")
        if text and not text.strip():
            yield Fault.invalid(path.child(name), text, "must be non-empty if specified")
        elif text and name == "messageExpression":
            if problem := expressions.compiled(text, (STRING,), authorizer=False).problem:
                yield Fault.invalid(path.child(name), text, problem)
        elif name == "message" and re.search(r"[\n\r]", text.strip()):
            yield Fault.invalid(path.child(name), text, "must not contain line breaks")
    reason = rule.get("reason")
    if reason is not None and reason not in _REASONS:
        yield Fault.not_supported(path.child("reason"), reason, _REASONS)


def _validate_annotation(
    annotation: Object, policy: str, path: Path, expressions: Expressions
) -> Iterator[Fault]:
    key, value = annotation.get("key", ""), annotation.get("valueExpression", "").strip()
    if not policy:
        yield Fault.invalid(path.child("key"), key, "requires metadata.name be non-empty")
    full = f"{policy}/{key}"
    for problem in label_key(full) if policy else ():
        yield Fault.invalid(path.child("key"), full, problem)
    where = path.child("valueExpression")
    if not value:
        yield Fault.required(where, "valueExpression is not specified")
    elif len(value.encode()) > _LONGEST_VALUE:
        yield Fault.required(where, f"must not exceed {_LONGEST_VALUE} bytes in length")
    elif problem := expressions.compiled(value, (STRING, NULL)).problem:
        yield Fault.invalid(where, annotation["valueExpression"], problem)
