"""What a type says beyond its Python type: validation, list semantics, documentation for its schema.

Field markers stand in `Annotated`, type markers in the class line; both may stand in either place where
that makes sense. Bounds, lengths and patterns are pydantic's own (`Field(ge=0, max_length=63)`).

    class WebAppSpec(Spec, markers=(Cel("self.min <= self.max", message="min exceeds max"),)):
        min: Annotated[int, Immutable()] = 1
        max: int = 3
        ports: Annotated[list[Port], ListMap("port", "protocol")] = []
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

Reason = Literal["FieldValueInvalid", "FieldValueForbidden", "FieldValueRequired", "FieldValueDuplicate"]


def Wire(name: str) -> Any:  # noqa: N802 - reads as the marker that it is
    """The name of a field on the wire, where it is not the camelCase of its Python name."""
    return Field(alias=name)


class Marker:
    """A mark on a field or a type: an immutable value.

    Plain classes rather than dataclasses, which take a third of a millisecond each to define.
    """

    __slots__ = ()

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"{type(self).__name__} is immutable")

    def _keep(self, **fields: Any) -> None:
        for name, value in fields.items():
            object.__setattr__(self, name, value)

    def __setstate__(self, state: tuple[None, dict[str, Any]]) -> None:
        self._keep(**state[1])  # a copy is filled as the original was

    def _fields(self) -> dict[str, Any]:
        """The fields by name, in the order in which the class declares them."""
        names = [name for cls in reversed(type(self).__mro__) for name in getattr(cls, "__annotations__", ())]
        return {name: getattr(self, name) for name in names if not name.startswith("_")}

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self._fields() == other._fields()

    def __hash__(self) -> int:
        return hash(repr(self))

    def __repr__(self) -> str:
        said = ", ".join(
            f"{name}={value!r}" for name, value in self._fields().items() if value not in ("", None)
        )
        return f"{type(self).__name__}({said})"


class TypeMarker(Marker):
    """A mark that may also stand in the class line, for every use of the type."""

    __slots__ = ()


class Cel(TypeMarker):
    """A rule in the Common Expression Language that the API server enforces on every write.

    `self` is the value that the rule stands on; a rule that names `oldSelf` judges updates only, unless
    `optional_old_self` makes it an optional.
    """

    __slots__ = ("field_path", "message", "message_expression", "optional_old_self", "reason", "rule")

    rule: str
    message: str
    message_expression: str
    reason: Reason | None
    field_path: str
    optional_old_self: bool | None

    def __init__(  # noqa: PLR0913 - one rule of the API, as it is
        self,
        rule: str,
        *,
        message: str = "",
        message_expression: str = "",
        reason: Reason | None = None,
        field_path: str = "",
        optional_old_self: bool | None = None,
    ) -> None:
        self._keep(rule=rule, message=message, message_expression=message_expression)
        self._keep(reason=reason, field_path=field_path, optional_old_self=optional_old_self)


class OneOf(TypeMarker):
    """How many of some fields (Python names, all optional) may be set."""

    __slots__ = ("names",)

    names: tuple[str, ...]

    def __init__(self, *names: str) -> None:
        self._keep(names=names)


class AtMostOneOf(OneOf):
    """At most one of these fields may be set."""

    __slots__ = ()


class ExactlyOneOf(OneOf):
    """Exactly one of these fields must be set."""

    __slots__ = ()


class AtLeastOneOf(OneOf):
    """At least one of these fields must be set."""

    __slots__ = ()


class ListMap(Marker):
    """A list whose items are told apart by these fields (Python names); appliers own single items."""

    __slots__ = ("keys",)

    keys: tuple[str, ...]

    def __init__(self, *keys: str) -> None:
        self._keep(keys=keys)


class ListSet(Marker):
    """A list of scalars without duplicates; appliers own single items. `set[str]` means the same."""

    __slots__ = ()


class Atomic(TypeMarker):
    """A list, map or object that is always replaced as a whole; one applier owns all of it."""

    __slots__ = ()


class Granular(TypeMarker):
    """A map or object whose entries may have different appliers (the server's default, said aloud)."""

    __slots__ = ()


class Nullable(Marker):
    """`null` is a value of its own here, kept by the server and written by Windlass."""

    __slots__ = ()


class Immutable(Marker):
    """Set once: an update may set an absent value, but neither change nor remove a present one."""

    __slots__ = ()


class Required(Marker):
    """Must be present on the wire, although Python has a default for it."""

    __slots__ = ()


class PreserveUnknown(TypeMarker):
    """The server keeps fields that the schema does not name, here and below."""

    __slots__ = ()


class Embedded(Marker):
    """A whole Kubernetes object (apiVersion, kind, metadata) inside a field."""

    __slots__ = ()


class Schemaless(Marker):
    """No schema at all: the server accepts and keeps anything here, whatever the Python type says."""

    __slots__ = ()


class AllowFloat(Marker):
    """Accept a float although it does not round-trip between languages; prefer Quantity or an int."""

    __slots__ = ()


class Format(TypeMarker):
    """The OpenAPI format of a string or number: `ipv4`, `uri`, `int32`."""

    __slots__ = ("name",)

    name: str

    def __init__(self, name: str) -> None:
        self._keep(name=name)


class SchemaType(TypeMarker):
    """The OpenAPI type, where it is to differ from what the Python type says."""

    __slots__ = ("name",)

    name: str

    def __init__(self, name: Literal["string", "integer", "number", "boolean", "object", "array"]) -> None:
        self._keep(name=name)


class Default(Marker):
    """The server's default, where Python is to have another one or none."""

    __slots__ = ("value",)

    value: Any

    def __init__(self, value: Any) -> None:
        self._keep(value=value)


class ExternalDocs(TypeMarker):
    """A link to further reading, shown by tools that show the schema."""

    __slots__ = ("description", "url")

    url: str
    description: str

    def __init__(self, url: str, description: str = "") -> None:
        self._keep(url=url, description=description)
