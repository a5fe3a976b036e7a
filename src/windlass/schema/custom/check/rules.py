"""What rules look like, before anybody asks what they mean."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from windlass.schema.custom.check.node import is_readable
from windlass.schema.custom.field_path import field_path
from windlass.schema.custom.rule import KEYWORD
from windlass.schema.fault import Fault

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    Schema = Mapping[str, Any]

_REASONS: Final = ("FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired")
_BREAK: Final = re.compile(r"[\n\r]")
_EMPTY: Final = "must be non-empty if specified"
_BROKEN: Final = "must not contain line breaks"


def rule_faults(schema: Schema, path: str) -> Iterator[Fault]:
    """What is wrong with the rules of a node, but for their expressions."""
    for position, rule in enumerate(schema.get(KEYWORD) or ()):
        at = f"{path}.{KEYWORD}[{position}]"
        yield from _texts(rule, at)
        if rule.get("messageExpression") and not rule["messageExpression"].strip():
            yield Fault.required(f"{at}.messageExpression", f"messageExpression {_EMPTY}")
        reason = rule.get("reason")
        if reason is not None and reason not in _REASONS:
            yield Fault.not_supported(f"{at}.reason", reason, _REASONS)
        if rule.get("fieldPath"):
            yield from _path(rule["fieldPath"], schema, f"{at}.fieldPath")


def _texts(rule: Mapping[str, Any], at: str) -> Iterator[Fault]:
    text, message = (rule.get("rule") or "").strip(), rule.get("message") or ""
    if not text:
        yield Fault.required(f"{at}.rule", "rule is not specified")
    elif message and not message.strip():
        yield Fault.invalid(f"{at}.message", message, _EMPTY)
    elif _BREAK.search(message.strip()):
        yield Fault.invalid(f"{at}.message", message, _BROKEN)
    elif _BREAK.search(text) and not message:
        yield Fault.required(f"{at}.message", "message must be specified if rule contains line breaks")


def _path(text: str, schema: Schema, at: str) -> Iterator[Fault]:
    if not text.strip():
        yield Fault.invalid(at, text, _EMPTY)
    if _BREAK.search(text):
        yield Fault.invalid(at, text, _BROKEN)
    if is_readable(schema) and field_path(text, schema) is None:
        yield Fault.invalid(at, text, "must be a valid path")
