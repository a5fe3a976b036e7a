from __future__ import annotations

import sys
from importlib import import_module
from types import UnionType
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self, Union, get_args, get_origin

from pydantic import BaseModel, ConfigDict, Field, PrivateAttr, ValidationError
from pydantic.alias_generators import to_camel
from typing_extensions import dataclass_transform, override

from windlass.api.marker import Nullable
from windlass.api.shared import extra, fields_set, owned_extra, owned_fields_set
from windlass.api.wire import Json, encode, writer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from pydantic import GetCoreSchemaHandler
    from pydantic.fields import FieldInfo
    from pydantic_core import CoreSchema

    from windlass.api.marker import TypeMarker  # noqa: TC004 - named in a ClassVar, which pydantic does not read


if TYPE_CHECKING:
    from pydantic._internal._model_construction import ModelMetaclass as _PydanticClass
else:
    _PydanticClass = type(BaseModel)  # its public name

_EMPTY: dict[type, Any] = {list: Field(default_factory=list), dict: Field(default_factory=dict)}


@dataclass_transform(kw_only_default=True, field_specifiers=(Field, PrivateAttr))
class _ModelClass(_PydanticClass):
    """Makes each `= []` and `= {}` a factory: pydantic would deep-copy them, which is dear.

    And hides the annotations of class variables such as `__markers__`: pydantic would compile and evaluate
    them again for each subclass, which took three tenths of the time to define one.
    """

    def __new__(cls, name: str, bases: tuple[type, ...], namespace: dict[str, Any], **options: Any) -> Any:
        annotations = namespace.get("__annotations__", {})
        for key, value in namespace.items():
            if (
                type(value) in _EMPTY
                and not value
                and "ClassVar" not in str(annotations.get(key, "ClassVar"))
            ):
                namespace[key] = _EMPTY[type(value)]
        for key in [key for key in annotations if key.startswith("__")]:
            if "ClassVar" in str(annotations[key]):
                del annotations[key]
        return super().__new__(cls, name, bases, namespace, **options)


class Model(BaseModel, metaclass=_ModelClass):
    """Part of a resource: snake_case in Python, camelCase on the wire.

    Unknown fields that come from the wire are kept and go back on it; in Python, an unknown name is an
    error. Only what was set is written: fields given to the
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
        hide_input_in_errors=True,  # it may be a secret
        protected_namespaces=(),
    )

    __markers__: ClassVar[tuple[TypeMarker, ...]] = ()
    __open__: ClassVar[bool] = False
    __written__: ClassVar[tuple[_Field, ...] | None] = None

    def __init_subclass__(cls, *, markers: Sequence[TypeMarker] = (), **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        inherited = (mark for base in cls.__bases__ for mark in getattr(base, "__markers__", ()))
        cls.__markers__ = tuple(dict.fromkeys((*inherited, *markers)))
        cls.__written__ = None

    def __init__(self, /, **fields: Any) -> None:
        try:
            super().__init__(**fields)
        except ValidationError:  # a field that is misspelt is missing, too; say that first
            names = {name for each, info in type(self).model_fields.items() for name in (each, info.alias)}
            if not self.__open__ and (misspelt := [name for name in fields if name not in names]):
                raise TypeError(_unknown(type(self), *misspelt)) from None
            raise
        unknown = extra(self)
        if unknown and not self.__open__:
            raise TypeError(_unknown(type(self), *unknown))

    __init__.__pydantic_base_init__ = True  # type: ignore[attr-defined] # reading need not go through it

    if not TYPE_CHECKING:
        __pydantic_fields_set__ = owned_fields_set
        __pydantic_extra__ = owned_extra

        # A type checker that sees this would let every name pass.
        def __setattr__(self, name: str, value: Any) -> None:
            known = name in type(self).__pydantic_fields__ or name.startswith("_") or hasattr(self, name)
            if not known and not self.__open__:
                raise AttributeError(_unknown(type(self), name))
            super().__setattr__(name, value)

    @classmethod
    def from_wire(cls, data: Mapping[str, Any]) -> Self:
        """The typed form of an object that a server sent.

        An object that is stored already must stay readable. So, as in Go, `null` counts as absent, and a
        required field that is absent gets its zero value (without counting as set); bounds, patterns and
        enumerations are the server's to enforce when something is written.

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
        values, assigned, unknown = self.__dict__, fields_set(self), extra(self) or {}
        for field in self.__written__ or written_fields(type(self)):
            value = values.get(field.name)
            if field.name in assigned and field.name not in unknown:
                if value is not None or field.nullable:
                    wire[field.wire] = field.write(value) if value is not None else None
            elif value is not None and (field.mutable or field.name in unknown):
                # Nobody is known to have set it: pydantic counts an unknown field of that name as set, too.
                written = field.write(value)
                if (written or None) != field.default:
                    wire[field.wire] = written
        if unknown:
            wire.update(encode(unknown))
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


def _unknown(cls: type[Model], *names: str) -> str:
    """What to say about names that are no fields, with the nearest that are."""
    from difflib import get_close_matches  # only for those who err

    near = {name: get_close_matches(name, cls.model_fields, 1) for name in names}
    hints = [f"{name} (did you mean {found[0]}?)" if found else name for name, found in near.items()]
    return f"{cls.__name__} has no field {', '.join(hints)}; from_wire() keeps what a type does not know"


class _Field(NamedTuple):
    name: str
    wire: str
    write: Callable[[Any], Any]
    default: Any
    mutable: bool
    nullable: bool


_CONTAINERS = (list, dict, set, tuple, Model)  # a tuple itself does not change, but what it holds may


def written_fields(cls: type[Model]) -> tuple[_Field, ...]:
    """How to write each field of a class, worked out at first use and kept on the class."""
    if cls.__written__ is None:
        if not cls.__pydantic_complete__:
            cls.model_rebuild()
        cls.__written__ = tuple(_field(name, info) for name, info in cls.model_fields.items())
    return cls.__written__


def _field(name: str, info: FieldInfo) -> _Field:
    # A field without a default of its own may still hold an unset value: the zero value of a lenient
    # reading, or what a factory made from the other fields. Such a value is written unless it is empty.
    derived = bool(info.default_factory_takes_validated_data)
    own = not info.is_required() and not derived
    default = info.get_default(call_default_factory=True) if own else None
    write = writer(info.annotation, info.metadata)
    return _Field(
        name=name,
        wire=info.serialization_alias or name,
        write=write,
        default=None if default is None else write(default) or None,
        mutable=isinstance(default, _CONTAINERS) if own else derived or _is_container(info.annotation),
        nullable=any(isinstance(mark, Nullable) for mark in _marks(info.annotation, info.metadata)),
    )


def _is_container(annotation: Any) -> bool:
    kind = get_origin(annotation) or annotation
    return isinstance(kind, type) and issubclass(kind, _CONTAINERS)


def _marks(annotation: Any, marks: Sequence[Any]) -> Iterator[Any]:
    """The marks of a field, also those on the branches of `X | None`."""
    yield from marks
    if get_origin(annotation) in (Union, UnionType):
        for option in get_args(annotation):
            yield from getattr(option, "__metadata__", ())


def _load_lazy(cls: type[Model]) -> dict[str, Any]:
    """Load what the modules of a class and of its bases name in `__lazy__` (name -> module)."""
    loaded: dict[str, Any] = {}
    for module in {base.__module__: sys.modules.get(base.__module__) for base in cls.__mro__}.values():
        lazy: Mapping[str, str] = getattr(module, "__lazy__", {})
        for name, source in lazy.items():
            loaded[name] = getattr(import_module(source), name)
            setattr(module, name, loaded[name])
    return loaded
