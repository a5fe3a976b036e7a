"""Types, texts and enumerations."""

from __future__ import annotations

from types import NoneType
from typing import TYPE_CHECKING, Any, Final

from windlass.schema.custom.format import judge_of
from windlass.schema.custom.judge.complaint import Complaint, Sort
from windlass.schema.custom.judge.number import is_whole
from windlass.schema.golang import is_integer, printed
from windlass.schema.regex import compiled
from windlass.schema.value import alike

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from windlass.schema.custom.judge.check import Check

NAMES: Final[Mapping[type, str]] = {
    NoneType: "null",
    bool: "boolean",
    int: "integer",
    float: "number",
    str: "string",
    list: "array",
    dict: "object",
}
_NATIVE_FORMATS: Final[Mapping[str, str]] = {"integer": "int64", "number": "float64"}


def name_of(value: Any) -> str:
    """The JSON type of a value; an integer beyond 64 bits is a number."""
    name = NAMES[type(value)]
    return "number" if name == "integer" and not is_integer(value) else name


def type_fault(value: Any, types: Sequence[str], form: str) -> Complaint | None:
    """What is wrong with the type of a value that is not null, by the types and the format of its schema."""
    got = name_of(value)
    fits = (
        got in types
        or (got == "number" and "integer" in types and is_whole(float(value)))
        or (got == "integer" and "number" in types)
    )
    if fits:
        return None
    if form and got not in ("string", "array"):
        return Complaint.wrong_type(form, _NATIVE_FORMATS.get(got, ""))
    if form and not {"number", "integer"}.intersection(types):
        return None  # the server leaves texts to the format, and forgets about lists
    return Complaint.wrong_type(",".join(types), got)


def text_check(schema: Mapping[str, Any]) -> Check | None:
    """What a schema asks of the length and the letters of a text; `None` if that is nothing."""
    most, least = schema.get("maxLength"), schema.get("minLength")
    pattern = schema.get("pattern")
    expression = compiled(pattern) if pattern else None
    if most is None and least is None and expression is None:
        return None

    def check(value: Any, _link: Any, _tally: Any) -> Sequence[Complaint]:
        if most is not None and len(value) > most:
            return [Complaint(Sort.LENGTH, f" in body should be at most {most} chars long", value, most)]
        if least is not None and len(value) < least:
            return [Complaint(Sort.VALUE, f" in body should be at least {least} chars long", value)]
        if expression is not None and not expression.search(value):
            return [Complaint(Sort.VALUE, f" in body should match '{pattern}'", value)]
        return ()

    return check


def format_check(form: str) -> Check | None:
    """What a format asks of a text; `None` if that is nothing."""
    judge = judge_of(form) if form else None
    if judge is None:
        return None

    def check(value: Any, _link: Any, _tally: Any) -> Sequence[Complaint]:
        return () if judge(value) else [Complaint.wrong_type(form, value)]

    return check


def enum_check(schema: Mapping[str, Any]) -> Check | None:
    """Which values a schema lists; `None` if it lists none."""
    options = schema.get("enum")
    if not options:
        return None
    texts = frozenset(option for option in options if isinstance(option, str))

    def check(value: Any, _link: Any, _tally: Any) -> Sequence[Complaint]:
        if value in texts if type(value) is str else any(_equals(value, option) for option in options):
            return ()
        return [Complaint(Sort.ENUM, f" in body should be one of {printed(options)}", value, options)]

    return check


def _equals(value: Any, option: Any) -> bool:
    """Whether a value equals an option once it is converted to the option's type, as Go converts."""
    if value is None or option is None:
        return False
    got, wanted = name_of(value), name_of(option)
    if got in ("integer", "number") and wanted in ("integer", "number"):
        return bool((int(value) if wanted == "integer" else float(value)) == option)
    if got == "integer" and wanted == "string":
        return bool(_character(value) == option)
    return alike(value, option)


def _character(code: int) -> str:
    try:
        return chr(code) if not 0xD800 <= code < 0xE000 else "\ufffd"  # noqa: PLR2004 - the surrogates
    except (ValueError, OverflowError):
        return "\ufffd"
