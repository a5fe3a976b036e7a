from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import orjson

from windlass.apiserver.admission.policy.budget import OF_VALIDATIONS, Budget, Inputs, OutOfBudget
from windlass.apiserver.admission.policy.condition import Undecided, all_hold
from windlass.apiserver.admission.policy.inputs import inputs_of
from windlass.apiserver.admission.policy.invocation import Invocation, invocations, is_untouched
from windlass.apiserver.admission.policy.policy import policies_of
from windlass.apiserver.refusal import Refusal

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from windlass.apiserver.admission.policy.budget import Evaluated
    from windlass.apiserver.admission.policy.policy import Binding, Policy, Rule
    from windlass.apiserver.admission.review import Review

Object = dict[str, Any]

_CODES: Final = {"Forbidden": 403, "Unauthorized": 401, "RequestEntityTooLarge": 413}
_INVALID: Final = 422
_LONGEST_MESSAGE: Final = 5 * 1024
_LONGEST_ANNOTATION: Final = 10 * 1024
_FAILURE: Final = "validation.policy.admission.k8s.io/validation_failure"


@dataclass(frozen=True, slots=True)
class _Failure:
    """Why a policy does not let an object pass; `index` is that of the validation."""

    message: str
    reason: str = "Invalid"
    index: int = 0


def validate(review: Review) -> None:
    """Hold an object to every policy that is bound to its like.

    Raises:
        Refusal: one of them denies it.
    """
    if is_untouched(review):
        return
    denied = [
        text for policy in policies_of(review.operation.world.store) for text in _denials(policy, review)
    ]
    if denied:
        raise denied[0]


def _denials(policy: Policy, review: Review) -> Iterator[Refusal]:
    """What a policy says against an object, after it has warned and annotated as its bindings want."""
    annotations: dict[str, list[str]] = {}
    for each in invocations(policy, review):
        if isinstance(each, Invocation):
            yield from _applied(policy, each, annotations)
        elif not policy.ignores_failure:
            yield _refusal(review, policy.name, each.binding, _Failure(each.why))
    for key, values in annotations.items():
        review.operation.call.annotate(f"{policy.name}/{key}", ", ".join(values))


def _applied(policy: Policy, invocation: Invocation, annotations: dict[str, list[str]]) -> Iterator[Refusal]:
    """One application of a policy, with one set of parameters."""
    binding, seen = invocation.binding, invocation.seen
    inputs = Inputs(inputs_of(seen, invocation.params), policy.variables)
    for failure in _failures(policy, inputs):
        for action in binding.actions:
            if action == "Deny":
                yield _refusal(seen, policy.name, binding, failure)
            elif action == "Warn":
                subject = f"ValidatingAdmissionPolicy '{policy.name}' with binding '{binding.name}'"
                seen.operation.call.warn(f"Validation failed for {subject}: {failure.message}")
            else:
                seen.operation.call.annotate(_FAILURE, _annotation(policy, binding, failure))
    for key, value in _annotated(policy, inputs):
        if isinstance(value, _Failure):
            yield _refusal(seen, policy.name, binding, value)
        elif value not in annotations.setdefault(key, []):
            annotations[key].append(value)


def _failures(policy: Policy, inputs: Inputs) -> Sequence[_Failure]:
    """The validations that an object does not pass."""
    try:
        if not all_hold(policy.conditions, inputs):
            return ()
        budget = Budget(OF_VALIDATIONS)
        found = [budget.evaluate(rule.expression, inputs) for rule in policy.rules]
    except (Undecided, OutOfBudget) as error:
        return () if policy.ignores_failure else (_Failure(str(error)),)
    messages = _messages(policy, inputs, budget)
    failures = []
    for index, (rule, outcome) in enumerate(zip(policy.rules, found, strict=True)):
        problem = outcome.error or (
            "" if messages is not None else f"failed messageExpression: {OutOfBudget()}"
        )
        if problem:
            if not policy.ignores_failure:
                failures.append(_Failure(problem, index=index))
        elif outcome.value is not True:
            said = _said(rule, messages[index] if messages else None)
            failures.append(_Failure(said, rule.reason, index))
    return failures


def _messages(policy: Policy, inputs: Inputs, budget: Budget) -> Sequence[Evaluated | None] | None:
    """What the validations would say, from what is left of the budget; `None` if that is too little."""
    try:
        return [
            budget.evaluate(rule.message_expression, inputs) if rule.message_expression else None
            for rule in policy.rules
        ]
    except OutOfBudget:
        return None


def _said(rule: Rule, evaluated: Evaluated | None) -> str:
    """What is said of a validation that failed: by its expression, its text, or the validation itself."""
    said = evaluated.value.strip() if evaluated and isinstance(evaluated.value, str) else ""
    if said and len(said.encode()) <= _LONGEST_MESSAGE and "\n" not in said:
        return said
    return rule.message or f"failed expression: {rule.expression.text.strip()}"


def _annotated(policy: Policy, inputs: Inputs) -> Iterator[tuple[str, str | _Failure]]:
    """What a policy wants to have noted, or why that cannot be said."""
    budget = Budget(OF_VALIDATIONS)
    for key, expression in policy.annotations:
        try:
            found = budget.evaluate(expression, inputs)
        except OutOfBudget as error:
            if not policy.ignores_failure:
                yield key, _Failure(str(error))
            return
        if found.error:
            if not policy.ignores_failure:
                yield key, _Failure(found.error)
        elif isinstance(found.value, str) and found.value.strip():
            yield key, found.value.strip()[:_LONGEST_ANNOTATION]


def _annotation(policy: Policy, binding: Binding, failure: _Failure) -> str:
    told = {
        "message": failure.message,
        "policy": policy.name,
        "binding": binding.name,
        "expressionIndex": failure.index,
        "validationActions": binding.actions,
    }
    return orjson.dumps([told]).decode()


def _refusal(review: Review, policy: str, binding: Binding | None, failure: _Failure) -> Refusal:
    bound = f" with binding '{binding.name}'" if binding else ""
    message = f"ValidatingAdmissionPolicy '{policy}'{bound} denied request: {failure.message}"
    route = review.operation.route
    meta = (review.obj or review.old or {}).get("metadata") or {}
    name = review.name or meta.get("generateName") or "Unknown"
    refusal = Refusal.forbidden(route.group, route.plural, name, message)
    details = {**(refusal.details or {}), "causes": [{"message": message}]}
    return Refusal(_CODES.get(failure.reason, _INVALID), refusal.message, failure.reason, details)
