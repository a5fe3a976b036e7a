"""How it is told that a rule does not hold, or could not be evaluated."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.schema.cel.problem import CostError
from windlass.schema.fault import Fault
from windlass.schema.golang import shown_unstructured

if TYPE_CHECKING:
    from windlass.schema.cel.problem import EvaluationError
    from windlass.schema.cel.rule.compile import Rule
    from windlass.schema.cel.rule.node import Node

_CONTAINERS: Final = frozenset({"object", "array"})


def broken(node: Node, at: str, detail: str) -> Fault:
    """That the rules of a node could not be evaluated; the type of the value stands for the value."""
    return Fault.invalid(at or "<nil>", node.type, detail)


def failed(node: Node, rule: Rule, value: Any, at: str, message: str) -> Fault:
    """That a rule does not hold, in the way that the rule asks for."""
    field = f"{at}.{rule.path}" if at and rule.path else at or rule.path or "<nil>"
    message = message or _static(rule)
    shown = "" if node.type in _CONTAINERS else f": {shown_unstructured(value)}"
    match rule.written.get("reason"):
        case "FieldValueForbidden":
            return Fault.forbidden(field, message)
        case "FieldValueRequired":
            return Fault.required(field, message)
        case "FieldValueDuplicate":
            return Fault("FieldValueDuplicate", field, f"Duplicate value{shown}")
    return Fault("FieldValueInvalid", field, f"Invalid value{shown}: {message}")


def mistaken(rule: Rule, error: EvaluationError) -> str:
    """Why a rule could not be evaluated."""
    text = str(error)
    if text.startswith("no such overload"):
        return (
            f"'{text}': call arguments did not match a supported operator, function or macro signature for rule: "
            f"{_named(rule)}"
        )
    if isinstance(error, CostError):
        return (
            f"'{text}': no further validation rules will be run due to call cost exceeds limit for rule: "
            f"{_named(rule)}"
        )
    return f"{text} evaluating rule: {_named(rule)}"


def _named(rule: Rule) -> str:
    return (rule.written.get("message") or rule.written["rule"]).strip()


def _static(rule: Rule) -> str:
    message: str = rule.written.get("message") or ""
    return message.strip() if message else f"failed rule: {rule.written['rule'].strip()}"
