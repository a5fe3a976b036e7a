from __future__ import annotations

import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self, get_args, get_origin

from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic.alias_generators import to_camel
from pydantic_core import PydanticUndefined
from typing_extensions import override

from windlass.api.marker import Nullable
from windlass.api.wire import Encoded, Json, encode

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from pydantic import GetCoreSchemaHandler
    from pydantic.fields import FieldInfo
    from pydantic_core import CoreSchema

    from windlass.api.marker import TypeMarker  # noqa: TC004 - named in a ClassVar, which pydantic does not read


class Model(BaseModel):
    """Part of a resource: snake_case in Python, camelCase on the wire.

    Unknown fields are kept and go back on the wire. Only what was set is written: fields given to the
    constructor or assigned later, fields read from the wire, and nested defaults changed in place
    (`app.metadata.labels["a"] = "b"`). A default that nobody touched stays with the server.
    `None` means absent, unless the field is marked `Nullable()`.

    A field whose wire name is not its camelCase name says so: `Annotated[str, Wire("clusterIP")]`; a whole
    class with `class Target(Model, alias_generator=None)`.
    """

    model_config = ConfigDict(
        alias_generator=to_camel,
        validate_by_alias=True,
        validate_by_name=True,
        extra="allow",
        defer_build=True,
        protected_namespaces=(),
    )

    __markers__: ClassVar[tuple[TypeMarker, ...]] = ()
    __written__: ClassVar[tuple[_Field, ...] | None] = None

    def __init_subclass__(cls, *, markers: Sequence[TypeMarker] = (), **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        cls.__markers__ = (*cls.__markers__, *markers)
        cls.__written__ = None

    @classmethod
    def from_wire(cls, data: Mapping[str, Any]) -> Self:
        """The typed form of an object that a server sent.

        As in Go, `null` counts as absent, and a required field that is absent gets its zero value (without
        counting as set): an object that is stored already must stay readable.

        Raises:
            UndecodableError: a value has the wrong type; the message names object and field.
        """
        try:
            return cls.model_validate(data, by_alias=True, by_name=False)
        except ValidationError as error:
            from windlass.api.lenient import decode  # only for objects that need it

            return decode(cls, data, error)

    def to_wire(self) -> Json:
        """What goes on the wire: what was set, and nested defaults that were changed in place."""
        wire: Json = {}
        values, assigned = self.__dict__, self.__pydantic_fields_set__
        for field in self.__written__ or _remember_fields(type(self)):
            value = values.get(field.name)
            if field.name in assigned:
                if value is not None or field.nullable:
                    wire[field.wire] = field.write(value) if value is not None else None
            elif field.mutable and (written := field.write(value)) != field.default:
                wire[field.wire] = written
        if self.__pydantic_extra__:
            wire.update(encode(self.__pydantic_extra__))
        return wire

    @classmethod
    @override
    def model_rebuild(cls, **options: Any) -> bool | None:
        """Complete the class; first load the types that its module refers to lazily."""
        namespace = _load_lazy(cls) | dict(options.pop("_types_namespace", None) or {})
        options.pop("_parent_namespace_depth", None)
        return super().model_rebuild(_types_namespace=namespace or None, **options)

    @classmethod
    @override
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Do the same where the class is only a part of the one that is completed."""
        _load_lazy(cls)
        return handler(source)


class Spec(Model):
    """What a user wants: the `spec` of a resource."""


class Status(Model):
    """What an operator saw: the `status` of a resource. Its defaults stay in Python, out of the schema."""


class _Field(NamedTuple):
    name: str
    wire: str
    write: Callable[[Any], Any]
    default: Any
    mutable: bool
    nullable: bool


def _remember_fields(cls: type[Model]) -> tuple[_Field, ...]:
    """How to write each field of a class, worked out at first use and kept on the class."""
    if not cls.__pydantic_complete__:
        cls.model_rebuild()
    cls.__written__ = tuple(_field(name, info) for name, info in cls.model_fields.items())
    return cls.__written__


def _field(name: str, info: FieldInfo) -> _Field:
    default = None if info.is_required() else info.get_default(call_default_factory=True, validated_data={})
    write = _encoder(info.annotation, info.metadata)
    return _Field(
        name=name,
        wire=info.serialization_alias or name,
        write=write,
        default=None if default in (None, PydanticUndefined) else write(default),
        mutable=isinstance(default, (Model, list, dict, set)),
        nullable=any(isinstance(mark, Nullable) for mark in info.metadata),
    )


def _encoder(annotation: Any, marks: Sequence[Any] = ()) -> Callable[[Any], Any]:
    """The writer that a type asks for, also inside `X | None`, a list or a map; otherwise the general one."""
    for mark in marks:
        if isinstance(mark, Encoded):
            return mark.write
    inner = [_encoder(option, getattr(option, "__metadata__", ())) for option in get_args(annotation)]
    special = next((write for write in inner if write is not encode), None)
    if special is None:
        return encode
    origin = get_origin(annotation)
    if origin is list:
        return lambda values: [special(value) for value in values]
    if origin is dict:
        return lambda values: {key: special(value) for key, value in values.items()}
    return lambda value: None if value is None else special(value)


def _load_lazy(cls: type[Model]) -> dict[str, Any]:
    """Load what the modules of a class and of its bases name in `__lazy__` (name -> module)."""
    loaded: dict[str, Any] = {}
    for module in {base.__module__: sys.modules.get(base.__module__) for base in cls.__mro__}.values():
        lazy: Mapping[str, str] = getattr(module, "__lazy__", {})
        for name, source in lazy.items():
            loaded[name] = getattr(import_module(source), name)
            setattr(module, name, loaded[name])
    return loaded
