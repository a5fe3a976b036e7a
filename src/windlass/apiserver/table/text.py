"""The texts that cells of many kinds share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.table.age import since
from windlass.apiserver.table.layout import NONE, UNSET

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

_SET_OPERATORS: Final = {"In": "in", "NotIn": "notin"}


def name(obj: Mapping[str, Any]) -> str:
    """The name of an object."""
    return str(obj["metadata"].get("name", ""))


def age(obj: Mapping[str, Any], now: datetime) -> str:
    """How long ago an object was created."""
    return since(obj["metadata"].get("creationTimestamp"), now)


def part(obj: Mapping[str, Any], *names: str) -> Any:
    """A structure inside an object; an empty one where there is none."""
    found: Any = obj
    for each in names:
        found = found.get(each) or {}
    return found


def containers(template: Mapping[str, Any]) -> list[str]:
    """The cells with the names and the images of a pod template's containers."""
    found = part(template, "spec").get("containers", ())
    return [",".join(each.get(key, "") for each in found) for key in ("name", "image")]


def labels(found: Mapping[str, str] | None) -> str:
    """Labels as `a=1,b=2`."""
    return ",".join(sorted(f"{key}={value}" for key, value in (found or {}).items())) or NONE


def selector(found: Mapping[str, Any] | None) -> str:
    """A label selector as it is written in a query; an empty text for one without terms."""
    if not found:
        return ""
    terms = [(key, f"{key}={value}") for key, value in found.get("matchLabels", {}).items()]
    terms += [(each["key"], _term(each)) for each in found.get("matchExpressions", ())]
    return ",".join(text for _, text in sorted(terms, key=lambda term: term[0]))


def some(texts: Sequence[str], most: int, *, count: int | None = None) -> str:
    """The first few of many texts, and how many more there are."""
    total = len(texts) if count is None else count
    shown = ",".join(texts[:most])
    return f"{shown} + {total - most} more..." if len(texts) > most else shown


def flag(value: bool | None) -> str:  # noqa: FBT001 - a value to be shown, not a switch
    """A flag that may not be set."""
    return UNSET if value is None else str(value)


def condition(obj: Mapping[str, Any], kind: str) -> Mapping[str, Any] | None:
    """The condition of a type, the first if there are several."""
    found = part(obj, "status").get("conditions") or ()
    return next((each for each in found if each.get("type") == kind), None)


def _term(requirement: Mapping[str, Any]) -> str:
    key, operator = requirement["key"], requirement.get("operator", "")
    if operator in _SET_OPERATORS:
        return f"{key} {_SET_OPERATORS[operator]} ({','.join(sorted(requirement.get('values', ())))})"
    return f"!{key}" if operator == "DoesNotExist" else str(key)
