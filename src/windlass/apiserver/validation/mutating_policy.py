"""MutatingAdmissionPolicy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.validation.admission_policy import validate_scope, validate_terms
from windlass.schema import Fault, Path

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from windlass.apiserver.admission.policy import Expressions

    Object = Mapping[str, Any]

_SPEC: Final = Path("spec")
_OPERATIONS: Final = ("*", "CONNECT", "CREATE", "UPDATE")
_REINVOCATIONS: Final = ("IfNeeded", "Never")
_FORMS: Final = {"ApplyConfiguration": "applyConfiguration", "JSONPatch": "jsonPatch"}
"""The types of patches, and the field that has each."""


def validate(obj: Object, old: Object | None) -> Iterator[Fault]:
    """A MutatingAdmissionPolicy."""
    from windlass.apiserver.admission.policy import Expressions  # most servers have no policies

    spec = obj.get("spec", {})
    expressions = Expressions(params=spec.get("paramKind") is not None, composed=True)
    yield from validate_scope(obj, old)
    yield from validate_operations(spec.get("matchConstraints") or {}, _SPEC.child("matchConstraints"))
    yield from validate_terms(obj, old, expressions)
    mutations, policy = spec.get("mutations") or (), spec.get("reinvocationPolicy", "")
    if not mutations:
        yield Fault.required(_SPEC.child("mutations"), "mutations must contain at least one item")
    for index, mutation in enumerate(mutations):
        yield from _validate_mutation(mutation, _SPEC.child("mutations").index(index), expressions)
    if not policy:
        yield Fault.required(_SPEC.child("reinvocationPolicy"))
    elif policy not in _REINVOCATIONS:
        yield Fault.not_supported(_SPEC.child("reinvocationPolicy"), policy, _REINVOCATIONS)


def validate_operations(match: Object, path: Path) -> Iterator[Fault]:
    """What is deleted cannot be changed on the way."""
    for rule in match.get("resourceRules") or ():
        for operation in rule.get("operations") or ():
            if operation not in _OPERATIONS:
                yield Fault.not_supported(path.child("resourceRules", "operations"), operation, _OPERATIONS)


def _validate_mutation(mutation: Object, path: Path, expressions: Expressions) -> Iterator[Fault]:
    from windlass.apiserver.admission.policy import PATCH_TYPES

    kind = mutation.get("patchType", "")
    if not kind:
        yield Fault.required(path.child("patchType"))
        return
    if kind not in _FORMS:
        yield Fault.not_supported(path.child("patchType"), kind, tuple(_FORMS))
        return
    wanted = _FORMS[kind]
    found = mutation.get(wanted)
    if found is None:
        yield Fault.required(path.child(wanted), f"must be specified when patchType is {kind}")
    elif not (text := found.get("expression", "").strip()):
        yield Fault.required(path.child(wanted, "expression"))
    elif problem := expressions.patching(text, PATCH_TYPES[kind]).problem:
        yield Fault.invalid(path.child(wanted, "expression"), text, problem)
    for other in _FORMS.values():
        if other != wanted and mutation.get(other) is not None:
            detail = f"must not be specified when patchType is {kind}"
            yield Fault.invalid(path.child(other), f"{{{other}}}", detail)
