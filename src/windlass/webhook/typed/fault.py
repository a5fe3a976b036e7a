"""What pydantic has against an object, in the API server's words."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from pydantic import ValidationError

from windlass.schema import Fault, Path, alike

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pydantic_core import ErrorDetails

    from windlass.api import Json, Resource

_SUBJECT: Final = re.compile(r"^(Value error|Assertion failed), |^\w+ (?=should )")
_OPTION: Final = re.compile(r"'([^']*)'|(-?\d+)")
_WRONG_TYPE: Final = re.compile(r"_(type|parsing|from_float)$")


class Finding(NamedTuple):
    """A fault, and the value that has it."""

    fault: Fault
    value: Any


def findings(of: type[Resource], body: Json) -> list[Finding]:
    """What the type of a kind has against an object without apiVersion and kind; one for each field."""
    try:
        of.model_validate(body, by_alias=True, by_name=False)
    except ValidationError as error:
        found: dict[str, Finding] = {}
        for each in error.errors(include_url=False):
            if (
                each["type"] == "default_factory_not_called"
            ):  # for want of a field that has a fault of its own
                continue
            finding = _finding(each, body)
            found.setdefault(finding.fault.field, finding)  # a union has one for each of its branches
        return list(found.values())
    return []


def new_findings(found: Sequence[Finding], old: Sequence[Finding]) -> list[Finding]:
    """Those that an object did not have before, with the same value."""
    return [
        each
        for each in found
        if not any(each.fault == other.fault and alike(each.value, other.value) for other in old)
    ]


def _finding(error: ErrorDetails, body: Json) -> Finding:
    path: Path = Path()
    value: Any = body
    for step in error["loc"]:
        if isinstance(step, int) and isinstance(value, list) and step < len(value):
            path, value = path.index(step), value[step]
        elif isinstance(value, dict) and step in value:
            path, value = path.child(str(step)), value[step]
        elif error["type"] == "missing" and step == error["loc"][-1]:
            return Finding(Fault.required(path.child(str(step))), None)
        # Any other step is none of the object: pydantic names the branch of a union, or the key of a map.
    return Finding(_fault(error, path, value), value)


def _fault(error: ErrorDetails, path: Path, value: Any) -> Fault:
    kind, context = error["type"], error.get("ctx", {})
    shown = "object" if isinstance(value, dict) else "array" if isinstance(value, list) else value
    if kind in ("literal_error", "enum"):
        options = (text or number for text, number in _OPTION.findall(context["expected"]))
        return Fault.not_supported(path, shown, options)
    if kind == "string_too_long":
        return Fault.too_long(path, context["max_length"], "character")
    if kind == "too_long" and isinstance(value, list):
        return Fault.too_many(path, len(value), context["max_length"])
    detail = _SUBJECT.sub("", error["msg"])
    if _WRONG_TYPE.search(kind):
        return Fault.type_invalid(path, shown, detail)
    return Fault.invalid(path, shown, detail)
