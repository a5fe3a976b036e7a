from __future__ import annotations

from enum import Enum, auto
from typing import TYPE_CHECKING, Any

from windlass.schema.fault import Fault
from windlass.schema.golang import json_text, quoted, shown_unstructured

if TYPE_CHECKING:
    from collections.abc import Sequence


class Sort(Enum):
    """What is wrong; it decides how the complaint is worded."""

    REQUIRED = auto()
    TYPE = auto()
    VALUE = auto()
    ENUM = auto()
    LENGTH = auto()
    COUNT = auto()
    GENERAL = auto()
    """Said of the whole object; the path only stands in the text."""
    CONDITION = auto()
    """The same, with the path in quotes."""


class Complaint:
    """What is wrong with a value. `path` grows on the way up, so that a valid object costs no paths.

    `before` and `after` stand around the path in the text. `limit` is what would have been right.
    """

    __slots__ = ("after", "before", "limit", "path", "sort", "value")

    def __init__(self, sort: Sort, after: str = "", value: Any = "", limit: Any = None) -> None:
        self.sort = sort
        self.before = ""
        self.after = after
        self.value = value
        self.limit = limit
        self.path = ""

    @classmethod
    def general(cls, before: str) -> Complaint:
        """A complaint whose text ends with the path."""
        complaint = cls(Sort.GENERAL)
        complaint.before = before
        return complaint

    @classmethod
    def wrong_type(cls, wanted: str, got: str) -> Complaint:
        """A value of another type, or a text of another format, than is wanted."""
        return cls(Sort.TYPE, f" in body must be of type {wanted}: {quoted(got)}", got)

    @property
    def text(self) -> str:
        """The complaint as a sentence; two complaints with the same text are the same."""
        path = quoted(self.path) if self.sort is Sort.CONDITION else self.path
        return f"{self.before}{path}{self.after}"

    def fault(self, at: str) -> Fault:
        """The complaint as a field error about a value that stands somewhere; `at` is empty at the root."""
        if self.sort in (Sort.GENERAL, Sort.CONDITION):
            return Fault("FieldValueInvalid", at or "<nil>", f'Invalid value: "": {self.text}')
        name = self.path.removeprefix(".")
        field = f"{at}.{name}" if at and name else at or name or "<nil>"
        match self.sort:
            case Sort.REQUIRED:
                return Fault.required(field)
            case Sort.LENGTH:
                return Fault.too_long(field, self.limit)
            case Sort.COUNT:
                return Fault.too_many(field, self.value, self.limit)
            case Sort.ENUM:
                options = ", ".join(
                    quoted(each if isinstance(each, str) else json_text(each)) for each in self.limit
                )
                message = f"Unsupported value: {shown_unstructured(self.value)}: supported values: {options}"
                return Fault("FieldValueNotSupported", field, message)
        reason = "FieldValueTypeInvalid" if self.sort is Sort.TYPE else "FieldValueInvalid"
        return Fault(reason, field, f"Invalid value: {shown_unstructured(self.value)}: {self.text}")


def moved(complaints: Sequence[Complaint], step: str) -> Sequence[Complaint]:
    """Complaints about a child as complaints about its parent."""
    for complaint in complaints:
        complaint.path = step + complaint.path
    return complaints


def distinct(complaints: Sequence[Complaint]) -> Sequence[Complaint]:
    """Each complaint once, where it was made first."""
    found: dict[str, Complaint] = {}
    for complaint in complaints:
        found.setdefault(complaint.text, complaint)
    return list(found.values())
