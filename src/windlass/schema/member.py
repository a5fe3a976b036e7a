"""Rules that concern several fields of one object, or their presence, written as CEL."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from windlass.api import AtLeastOneOf, AtMostOneOf, Cel, ExactlyOneOf, Immutable, Json, Model
from windlass.errors import SchemaError
from windlass.schema.annotation import marks_of
from windlass.schema.constrain import add_rule

if TYPE_CHECKING:
    from collections.abc import Mapping

_RESERVED = frozenset({
    "true", "false", "null", "in", "as", "break", "const", "continue", "else", "for", "function", "if",
    "import", "let", "loop", "package", "namespace", "return", "var", "void", "while",
})  # fmt: skip
_SPECIAL = (("__", "__underscores__"), (".", "__dot__"), ("-", "__dash__"), ("/", "__slash__"))
_COUNTS = {
    AtMostOneOf: ("<= 1", "at most one of {} may be set"),
    ExactlyOneOf: ("== 1", "exactly one of {} must be set"),
    AtLeastOneOf: (">= 1", "at least one of {} must be set"),
}


def escape(name: str, where: str) -> str:
    """A field's name as CEL must write it after `self.`.

    Raises:
        SchemaError: CEL cannot reach a field of this name.
    """
    if not re.fullmatch(r"[a-zA-Z_./-][a-zA-Z0-9_./-]*", name):
        raise SchemaError(f"{where}.{name}: a rule cannot reach a field of this name; rename it")
    if name in _RESERVED:
        return f"__{name}__"
    for special, word in _SPECIAL:
        name = name.replace(special, word)
    return name


def member_rules(cls: type[Model], schema: Json, names: Mapping[str, str], where: str) -> None:
    """Add the rules of the class's one-of markers and of its optional immutable fields."""
    required = set(schema.get("required", ()))
    for mark in cls.__markers__:
        if isinstance(mark, (AtMostOneOf, ExactlyOneOf, AtLeastOneOf)):
            _one_of(mark, schema, names, where)
    for name, info in cls.model_fields.items():
        wire = names[name]
        immutable = any(isinstance(mark, Immutable) for mark in marks_of(info))
        if immutable and wire not in required and "default" not in schema["properties"][wire]:
            field = escape(wire, where)
            rule = f"!has(oldSelf.{field}) || has(self.{field})"
            add_rule(schema, Cel(rule, message=f"{wire} is immutable and cannot be removed"))


def _one_of(
    mark: AtMostOneOf | ExactlyOneOf | AtLeastOneOf, schema: Json, names: Mapping[str, str], where: str
) -> None:
    unknown = [name for name in mark.names if name not in names]
    if unknown or not mark.names:
        raise SchemaError(
            f"{where}: {type(mark).__name__} names {unknown or 'no field'}, which is no field of it"
        )
    wires = [names[name] for name in mark.names]
    present = [
        wire
        for wire in wires
        if wire in schema.get("required", ()) or "default" in schema["properties"][wire]
    ]
    if present:
        raise SchemaError(
            f"{where}: {type(mark).__name__} needs optional fields without a default, not {present}"
        )
    comparison, message = _COUNTS[type(mark)]
    # Additions cost a server less than a list that is filtered: inside an unbounded list it refuses those.
    counted = " + ".join(f"(has(self.{escape(wire, where)}) ? 1 : 0)" for wire in wires)
    add_rule(schema, Cel(f"{counted} {comparison}", message=message.format(", ".join(wires))))
