"""What expressions know of a value because of its schema."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from typing_extensions import override

from windlass.schema.cel.parse import RESERVED
from windlass.schema.cel.type import Type, list_of, map_of, object_type

if TYPE_CHECKING:
    from collections.abc import Sequence

REQUEST_SIZE: Final = 3 * 1024 * 1024
"""The bytes of the largest request that a server takes, which bounds what a schema leaves unbounded."""


@dataclass(frozen=True, slots=True)
class Declared:
    """The type and the bounds of what a schema describes.

    `type` is that of a scalar; a list has an `element`, a map a `key` too, an object has `fields` by the
    names that expressions use. `most` is how many elements or bytes there can be, `least` the bytes of the
    shortest JSON of it.
    """

    type: Type | None = None
    least: int = 2
    most: int = 0
    fields: Mapping[str, Declared] | None = None
    element: Declared | None = None
    key: Declared | None = None

    @property
    def cardinality(self) -> int:
        """How often such a value can be in a request, if it is in lists or maps without bounds."""
        return REQUEST_SIZE // (self.least + 1)

    def size(self, path: Sequence[str]) -> int | None:
        """The most elements of what a path leads to; `None` if it leads nowhere.

        The path is made of names of fields, and of `@items`, `@values` and `@keys`.
        """
        at: Declared | None = self
        for step in path:
            if at is None:
                return None
            if step in ("@items", "@values"):
                at = at.element
            elif step == "@keys":
                at = at.key
            else:
                at = (at.fields or {}).get(step)
        return None if at is None else at.most

    def scoped(self, name: str = "selfType") -> Scoped:
        """The type for use in expressions, objects under this name.

        A server makes up the name at random, so that no expression uses it.
        """
        objects = _Objects()
        return Scoped(objects.type_of(self, name), objects)


@dataclass(frozen=True, slots=True)
class Scoped:
    """A type with what an environment must know of the objects in it."""

    type: Type
    objects: Mapping[str, Mapping[str, Type]]


@dataclass(slots=True)
class _Objects(Mapping[str, Mapping[str, Type]]):
    """The fields of objects, which have their names by where they are: `selfType.spec.items.@idx`.

    They are found when they are asked for, since expressions speak of a few fields of a large schema. Nobody
    can ask for one but by a type that was found in another.
    """

    _declared: dict[str, Declared] = field(default_factory=dict)
    _found: dict[str, Mapping[str, Type]] = field(default_factory=dict)

    def type_of(self, declared: Declared, name: str) -> Type:
        """The type of what is declared, whose objects are to be found under a name."""
        made: list[Declared] = []
        at, suffix = declared, ""
        while at.element is not None:
            made.append(at)
            suffix += ".@elem" if at.key is not None else ".@idx"
            at = at.element
        name += suffix
        if at.fields is not None:
            self._declared[name] = at
        type_ = at.type or object_type(name)
        for each in reversed(made):
            key = each.key
            type_ = list_of(type_) if key is None or key.type is None else map_of(key.type, type_)
        return type_

    @override
    def __getitem__(self, name: str) -> Mapping[str, Type]:
        found = self._found.get(name)
        if found is None:
            fields = self._declared[name].fields or {}
            types = {each: self.type_of(declared, f"{name}.{each}") for each, declared in fields.items()}
            # After a dot a reserved word can be nothing but a field, so it need not be escaped.
            plain = {word: types[each] for word in RESERVED if (each := f"__{word}__") in types}
            found = self._found[name] = plain | types
        return found

    @override
    def __iter__(self) -> Iterator[str]:
        return iter(self._declared)

    @override
    def __len__(self) -> int:
        return len(self._declared)
