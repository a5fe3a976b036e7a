"""How it is told that a rule does not hold, or cannot be evaluated."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.schema.cel.problem import CostError
from windlass.schema.cel.rule.meter import SpentError
from windlass.schema.fault import Fault
from windlass.schema.golang import quoted, shown_unstructured

if TYPE_CHECKING:
    from windlass.schema.cel.problem import EvaluationError
    from windlass.schema.cel.rule.compile import Rule

_CONTAINERS: Final = frozenset({"object", "array"})
_END: Final = "no further validation rules will be run due to call cost exceeds limit for"


def broken(at: str, kind: str, detail: str) -> Fault:
    """That a rule could not be evaluated; the type of the value stands for the value."""
    return Fault.invalid(at or "<nil>", kind, detail)


def failed(at: str, kind: str, value: Any, rule: Rule, message: str) -> Fault:
    """That a rule does not hold, in the way that the rule asks for."""
    field = place(at, rule)
    shown = "" if kind in _CONTAINERS else f": {shown_unstructured(value)}"
    match rule.written.get("reason"):
        case "FieldValueForbidden":
            return Fault.forbidden(field, message)
        case "FieldValueRequired":
            return Fault.required(field, message)
        case "FieldValueDuplicate":
            return Fault("FieldValueDuplicate", field, f"Duplicate value{shown}")
    return Fault("FieldValueInvalid", field, f"Invalid value{shown}: {message}")


def place(at: str, rule: Rule) -> str:
    """The field that a rule blames."""
    return f"{at}.{rule.path}" if at and rule.path else at or rule.path or "<nil>"


def mistaken(rule: Rule, error: EvaluationError) -> str:
    """Why a rule could not be evaluated."""
    if isinstance(error, SpentError):
        return f"validation {error}"
    if isinstance(error, CostError):
        return f"'{error}': {_END} rule: {_name(rule)}"
    if str(error).startswith("no such overload"):
        reason = "call arguments did not match a supported operator, function or macro signature for rule"
        return f"'{error}': {reason}: {_name(rule)}"
    return f"{error} evaluating rule: {_name(rule)}"


def speechless(rule: Rule, error: CostError) -> str:
    """Why there is no message, nor any further rule."""
    if isinstance(error, SpentError):
        return f"messageExpression evaluation {error}"
    return f"{_END} messageExpression: {quoted(rule.written['messageExpression'])}"


def standing(rule: Rule) -> str:
    """The message of a rule that has no expression for it, or none that works."""
    return _name(rule) if rule.written.get("message") else f"failed rule: {_name(rule)}"


def _name(rule: Rule) -> str:
    text: str = rule.written.get("message") or rule.written["rule"]
    return text.strip()
