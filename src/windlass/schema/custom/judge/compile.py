from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from types import NoneType
from typing import TYPE_CHECKING, Any, Final, Literal

from windlass.schema.custom.format import judge_of
from windlass.schema.custom.judge.combine import Conditions
from windlass.schema.custom.judge.complaint import Complaint, distinct
from windlass.schema.custom.judge.container import list_check, object_check
from windlass.schema.custom.judge.number import NUMBER_FORMATS, number_check
from windlass.schema.custom.judge.scalar import enum_check, format_check, text_check, type_fault
from windlass.schema.golang import LARGEST, SMALLEST

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from windlass.schema.custom.judge.check import Check, Tally
    from windlass.schema.custom.judge.ratchet import Link

_EXAMPLES: Final[Mapping[type, Any]] = {bool: True, str: "", list: [], dict: {}}
_OWN_CHECKS: Final[Mapping[type, int]] = {bool: 0, int: 2, float: 2, str: 1, list: 2, dict: 1}


@dataclass(frozen=True, slots=True)
class Reading:
    """How a schema is read: at its root or below; for objects, or for the defaults in the schema itself.

    For defaults the server takes every format at its word, and does not look at `x-kubernetes-int-or-string`.
    """

    root: bool = True
    defaults: bool = False


class Judge:
    """What a value must be, compiled from one node of a schema; what is below it is when it is first met.

    What can be checked depends on the type of the value, so the checks are sorted by that: a value of the
    right type, of which nothing else is asked, costs one look into a table.
    """

    def __init__(self, schema: Mapping[str, Any], reading: Reading) -> None:
        self._schema = schema
        self._reading = reading
        self._nullable: bool = schema.get("nullable", False)

    @cached_property
    def _types(self) -> tuple[str, ...]:
        return _types(self._schema, self._reading)

    @cached_property
    def _form(self) -> str:
        return _form(self._schema, self._types, self._reading)

    def complaints(
        self, value: Any, link: Link | None = None, tally: Tally | None = None
    ) -> Sequence[Complaint]:
        """What is wrong with a value; what was wrong with parts of it before, by the link, does not count."""
        found: Sequence[Complaint] = ()
        for check in self.checks[type(value)]:
            said = check(value, link, tally)
            if said:
                found = [*found, *said]
        if tally is not None:
            tally.count += self._count(value)
        return distinct(found) if len(found) > 1 else found

    def _count(self, value: Any) -> int:
        """How many checks the server counts for a value itself. A type that fits counts once more."""
        if value is None:
            return int(self._nullable or not self._types)
        count = 4 + _OWN_CHECKS[type(value)]
        if self._types or self._form:
            count += 1 + (type_fault(value, self._types, self._form) is None)
        return count + (type(value) is str and judge_of(self._form) is not None)

    @cached_property
    def checks(self) -> Mapping[type, Sequence[Check]]:
        """The checks by the type of the value, each type's in the server's order."""
        schema = self._schema
        joined = self._conditions()
        conditions = joined.complaints if joined else None
        enum = enum_check(schema)
        numbers = number_check(schema, self._types)
        items = _optional(schema.get("items"), replace(self._reading, root=False))
        own: Mapping[type, Sequence[Check | None]] = {
            NoneType: (enum,),
            bool: (conditions, enum),
            int: (conditions, numbers, enum),
            float: (conditions, numbers, enum),
            str: (conditions, text_check(schema), format_check(self._form), enum),
            list: (conditions, list_check(schema, items), enum),
            dict: (conditions, enum, self._object_check()),
        }
        return {
            kind: tuple(check for check in (self._type_check(kind), *checks) if check is not None)
            for kind, checks in own.items()
        }

    def _conditions(self) -> Conditions:
        schema, reading = self._schema, self._reading
        any_of, one_of, all_of = (
            tuple(Judge(each, reading) for each in schema.get(name) or ())
            for name in ("anyOf", "oneOf", "allOf")
        )
        return Conditions(any_of, one_of, all_of, _optional(schema.get("not"), reading))

    def _object_check(self) -> Check | None:
        schema, below = self._schema, replace(self._reading, root=False)
        properties = {name: Judge(each, below) for name, each in (schema.get("properties") or {}).items()}
        values = schema.get("additionalProperties")
        additional: Judge | Literal[False] | None = False if values is False else _optional(values, below)
        return object_check(schema, properties, additional, "" if self._reading.root else ".")

    def _type_check(self, kind: type) -> Check | None:
        """The check of a type; `None` where every value of the type fits."""
        types, form = self._types, self._form
        if kind is NoneType:
            wrong = bool(types) and not self._nullable
            return _refusing(",".join(types), "null") if wrong else None
        if not types and not form:
            return None
        if kind in _EXAMPLES and type_fault(_EXAMPLES[kind], types, form) is None:
            return None
        integers = "integer" in types or "number" in types

        def check(value: Any, _link: Link | None, _tally: Tally | None) -> Sequence[Complaint]:
            if integers and kind is int and SMALLEST <= value <= LARGEST:
                return ()
            found = type_fault(value, types, form)
            return () if found is None else [found]

        return check


def _optional(schema: Any, reading: Reading) -> Judge | None:
    return Judge(schema, reading) if isinstance(schema, dict) else None


def _refusing(wanted: str, got: str) -> Check:
    def check(_value: Any, _link: Link | None, _tally: Tally | None) -> Sequence[Complaint]:
        return [Complaint.wrong_type(wanted, got)]

    return check


def _types(schema: Mapping[str, Any], reading: Reading) -> tuple[str, ...]:
    if schema.get("x-kubernetes-int-or-string") and not reading.defaults:
        return ("integer", "string")
    kind = schema.get("type")
    return (kind,) if kind else ()


def _form(schema: Mapping[str, Any], types: Sequence[str], reading: Reading) -> str:
    """The format that is enforced: for objects only one that the server knows and that suits the type."""
    form: str = schema.get("format") or ""
    if reading.defaults or not form:
        return form
    kind = types[0] if len(types) == 1 else ""
    if kind in NUMBER_FORMATS:
        return form if form in NUMBER_FORMATS[kind] else ""
    return form if kind in ("", "string") and judge_of(form) else ""
