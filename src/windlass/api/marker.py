"""What a type says beyond its Python type: validation, list semantics, documentation for its schema.

Field markers stand in `Annotated`, type markers in the class line; both may stand in either place where
that makes sense. Bounds, lengths and patterns are pydantic's own (`Field(ge=0, max_length=63)`).

    class WebAppSpec(Spec, markers=(Cel("self.min <= self.max", message="min exceeds max"),)):
        min: Annotated[int, Immutable()] = 1
        max: int = 3
        ports: Annotated[list[Port], ListMap("port", "protocol")] = []
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import Any, Literal

from pydantic import Field

Reason = Literal["FieldValueInvalid", "FieldValueForbidden", "FieldValueRequired", "FieldValueDuplicate"]


def Wire(name: str) -> Any:  # noqa: N802 - reads as the marker that it is
    """The name of a field on the wire, where it is not the camelCase of its Python name."""
    return Field(alias=name)


class Marker:
    """A mark on a field or a type."""

    __slots__ = ()


class TypeMarker(Marker):
    """A mark that may also stand in the class line, for every use of the type."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Cel(TypeMarker):
    """A rule in the Common Expression Language that the API server enforces on every write.

    `self` is the value that the rule stands on; a rule that names `oldSelf` judges updates only, unless
    `optional_old_self` makes it an optional.
    """

    rule: str
    _: KW_ONLY
    message: str = ""
    message_expression: str = ""
    reason: Reason | None = None
    field_path: str = ""
    optional_old_self: bool | None = None


@dataclass(frozen=True, slots=True, init=False)
class _Members(TypeMarker):
    names: tuple[str, ...]

    def __init__(self, *names: str) -> None:
        object.__setattr__(self, "names", names)


class AtMostOneOf(_Members):
    """At most one of these fields (Python names, all optional) may be set."""


class ExactlyOneOf(_Members):
    """Exactly one of these fields (Python names, all optional) must be set."""


class AtLeastOneOf(_Members):
    """At least one of these fields (Python names, all optional) must be set."""


@dataclass(frozen=True, slots=True, init=False)
class ListMap(Marker):
    """A list whose items are told apart by these fields (Python names); appliers own single items."""

    keys: tuple[str, ...]

    def __init__(self, *keys: str) -> None:
        object.__setattr__(self, "keys", keys)


@dataclass(frozen=True, slots=True)
class ListSet(Marker):
    """A list of scalars without duplicates; appliers own single items. `set[str]` means the same."""


@dataclass(frozen=True, slots=True)
class Atomic(TypeMarker):
    """A list, map or object that is always replaced as a whole; one applier owns all of it."""


@dataclass(frozen=True, slots=True)
class Granular(TypeMarker):
    """A map or object whose entries may have different appliers (the server's default, said aloud)."""


@dataclass(frozen=True, slots=True)
class Nullable(Marker):
    """`null` is a value of its own here, kept by the server and written by Windlass."""


@dataclass(frozen=True, slots=True)
class Immutable(Marker):
    """Set once: an update may set an absent value, but neither change nor remove a present one."""


@dataclass(frozen=True, slots=True)
class Required(Marker):
    """Must be present on the wire, although Python has a default for it."""


@dataclass(frozen=True, slots=True)
class PreserveUnknown(TypeMarker):
    """The server keeps fields that the schema does not name, here and below."""


@dataclass(frozen=True, slots=True)
class Embedded(Marker):
    """A whole Kubernetes object (apiVersion, kind, metadata) inside a field."""


@dataclass(frozen=True, slots=True)
class Schemaless(Marker):
    """No schema at all: the server accepts and keeps anything here, whatever the Python type says."""


@dataclass(frozen=True, slots=True)
class Format(TypeMarker):
    """The OpenAPI format of a string or number: `ipv4`, `uri`, `int32`."""

    name: str


@dataclass(frozen=True, slots=True)
class SchemaType(TypeMarker):
    """The OpenAPI type, where it is to differ from what the Python type says."""

    name: Literal["string", "integer", "number", "boolean", "object", "array"]


@dataclass(frozen=True, slots=True)
class Default(Marker):
    """The server's default, where Python is to have another one or none."""

    value: Any


@dataclass(frozen=True, slots=True)
class ExternalDocs(TypeMarker):
    """A link to further reading, shown by tools that show the schema."""

    url: str
    description: str = ""


@dataclass(frozen=True, slots=True)
class AllowFloat(Marker):
    """Accept a float although it does not round-trip between languages; prefer Quantity or an int."""
