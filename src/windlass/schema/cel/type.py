"""Types of expressions."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from typing import Final

from typing_extensions import override


class TypeKind(Enum):
    """What a type is, apart from its parameters."""

    DYN = auto()
    ERROR = auto()
    NULL = auto()
    BOOL = auto()
    INT = auto()
    UINT = auto()
    DOUBLE = auto()
    STRING = auto()
    BYTES = auto()
    TIMESTAMP = auto()
    DURATION = auto()
    LIST = auto()
    MAP = auto()
    OBJECT = auto()
    OPAQUE = auto()
    TYPE = auto()
    PARAMETER = auto()


@dataclass(frozen=True, slots=True, eq=False)
class Type:
    """A type; `name` tells it in messages and, of objects, where the environment has its fields.

    A type is a value too, that of `type(x)`.
    """

    kind: TypeKind
    name: str
    parameters: tuple[Type, ...] = ()

    # Neither equality nor the text use recursion, since types nest as deeply as expressions do.

    @override
    def __eq__(self, other: object) -> bool:
        todo: list[tuple[object, object]] = [(self, other)]
        while todo:
            one, two = todo.pop()
            if one is two:
                continue
            if not isinstance(one, Type) or not isinstance(two, Type):
                return False
            if one.kind is not two.kind or one.name != two.name or len(one.parameters) != len(two.parameters):
                return False
            todo.extend(zip(one.parameters, two.parameters, strict=True))
        return True

    @override
    def __hash__(self) -> int:
        return hash((self.name, len(self.parameters)))

    @override
    def __str__(self) -> str:
        """As messages tell it: `list(int)`, `map(string, dyn)`, `kubernetes.Quantity`."""
        if not self.parameters:
            return self.name
        said: list[str] = []
        todo: list[Type | str] = [self]
        while todo:
            part = todo.pop()
            if isinstance(part, str):
                said.append(part)
                continue
            said.append(part.name)
            if part.parameters:
                first, *others = part.parameters
                rest = [each for other in others for each in (", ", other)]
                todo.extend(reversed(["(", first, *rest, ")"]))
        return "".join(said)


DYN: Final = Type(TypeKind.DYN, "dyn")
ERROR: Final = Type(TypeKind.ERROR, "!error!")
NULL: Final = Type(TypeKind.NULL, "null")
BOOL: Final = Type(TypeKind.BOOL, "bool")
INT: Final = Type(TypeKind.INT, "int")
UINT: Final = Type(TypeKind.UINT, "uint")
DOUBLE: Final = Type(TypeKind.DOUBLE, "double")
STRING: Final = Type(TypeKind.STRING, "string")
BYTES: Final = Type(TypeKind.BYTES, "bytes")
TIMESTAMP: Final = Type(TypeKind.TIMESTAMP, "timestamp")
DURATION: Final = Type(TypeKind.DURATION, "duration")
TYPE: Final = Type(TypeKind.TYPE, "type")


def list_of(element: Type) -> Type:
    """A list."""
    return Type(TypeKind.LIST, "list", (element,))


def map_of(key: Type, value: Type) -> Type:
    """A map."""
    return Type(TypeKind.MAP, "map", (key, value))


def optional_of(value: Type) -> Type:
    """What may be absent."""
    return Type(TypeKind.OPAQUE, "optional_type", (value,))


def unwrapped(type_: Type) -> tuple[Type, bool]:
    """The type of what an optional holds, and whether it is one."""
    if type_.kind is TypeKind.OPAQUE and type_.name == "optional_type" and type_.parameters:
        return type_.parameters[0], True
    return type_, False


def type_of_type(of: Type) -> Type:
    """The type of a type."""
    return Type(TypeKind.TYPE, "type", (of,))


def opaque(name: str) -> Type:
    """A type that only functions know: `kubernetes.Quantity`."""
    return Type(TypeKind.OPAQUE, name)


def object_type(name: str) -> Type:
    """An object, whose fields the environment knows by this name."""
    return Type(TypeKind.OBJECT, name)


def parameter(name: str) -> Type:
    """A type that a signature leaves open."""
    return Type(TypeKind.PARAMETER, name)


A: Final = parameter("A")
B: Final = parameter("B")

NAMED: Final[dict[str, Type]] = {
    "bool": BOOL,
    "bytes": BYTES,
    "double": DOUBLE,
    "google.protobuf.Duration": DURATION,
    "google.protobuf.Timestamp": TIMESTAMP,
    "int": INT,
    "list": list_of(A),
    "map": map_of(A, B),
    "null_type": NULL,
    "string": STRING,
    "type": TYPE,
    "uint": UINT,
}
"""The types that every expression can name: `type(x) == int`."""
