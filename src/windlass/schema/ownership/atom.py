"""Schemas as merging sees them: what is one value, what has parts, and what tells the parts apart."""

from __future__ import annotations

from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from windlass.errors import WindlassError
from windlass.schema.ownership.element import json_text
from windlass.schema.shape import Shape

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_QUANTITY: Final = "io.k8s.apimachinery.pkg.api.resource.Quantity"
_RAW_EXTENSION: Final = "io.k8s.apimachinery.pkg.runtime.RawExtension"
_UNTYPED: Final = "untyped"
_SCALARS: Final = {"integer": "numeric", "number": "numeric", "boolean": "boolean", "string": "string"}
_TEXT_FORMATS: Final = ("", "byte")
_TEXT: Final = Shape({"type": "string"})


class Unfit(WindlassError):
    """An object does not fit its schema, so that nobody can tell who owns what in it."""


@contextmanager
def attempt(what: str) -> Iterator[None]:
    """Say of an object that does not fit what failed by it."""
    try:
        yield
    except Unfit as unfit:
        raise Unfit(f"{what}: {unfit}") from unfit


class Atom:
    """What a value may be: a scalar (of which type), a list, a map. Without a type it may be all three.

    `leaf`: whatever the value is, it is owned as a whole.
    """

    __slots__ = ("leaf", "listing", "mapping", "scalar")

    def __init__(
        self, scalar: str = "", listing: ListForm | None = None, mapping: MapForm | None = None
    ) -> None:
        self.scalar = scalar
        self.listing = listing
        self.mapping = mapping
        self.leaf = (listing is None or listing.atomic) and (mapping is None or mapping.atomic)

    def form(self, value: Any) -> type:
        """What a value is treated as: `dict`, `list`, or `str` for any scalar.

        A `null` says nothing, and a value of the wrong type is treated as one of the right type.
        """
        if isinstance(value, dict):
            fits: type | None = dict if self.mapping else None
        elif isinstance(value, list):
            fits = list if self.listing else None
        else:
            fits = str if self.scalar and value is not None else None
        if fits is not None:
            return fits
        if self.mapping:
            return dict
        return str if self.scalar else list


Field: TypeAlias = tuple[str, Atom, bool]
"""The step to a field, what the field holds, and whether the schema names it."""


class ListForm:
    """A list: owned as a whole, or item by item, told apart by their values (a set) or by some fields."""

    def __init__(self, shape: Shape, grammar: Grammar, *, preserves: bool) -> None:
        self._shape = shape
        self._grammar = grammar
        self._preserves = preserves
        self.keys, self.atomic = _relation(shape)

    @cached_property
    def item(self) -> Atom:
        """What each item is."""
        items = self._shape.items
        return UNTYPED if items is None else self._grammar.atom(items, preserves=self._preserves)

    @cached_property
    def _parts(self) -> tuple[tuple[str, str, str], ...]:
        """For each field of a key, in order: its name, the name as written, the default as written."""
        known = {} if self._shape.items is None else self._shape.items.properties
        defaults = {name: known[name].default for name in self.keys if name in known}
        return tuple(
            (name, json_text(name), "" if defaults.get(name) is None else json_text(defaults[name]))
            for name in sorted(self.keys)
        )

    def step(self, item: Any) -> str:
        """The step to an item.

        Raises:
            Unfit: it is not an item that could be told apart from others.
        """
        if not self.keys:
            return f"v:{json_text(_of_a_set(item))}"
        if not isinstance(item, dict):
            what = "a null element" if item is None else "non-map elements"
            raise Unfit(f"associative list with keys may not have {what}")
        parts = []
        for name, written, default in self._parts:
            if name in item:
                parts.append(f"{written}:{json_text(item[name])}")
            elif default:
                parts.append(f"{written}:{default}")
        if parts:
            return f"k:{{{','.join(parts)}}}"
        names = " ".join(json_text(name) for name in self.keys)
        raise Unfit(
            f"associative list with keys has an element that omits all key fields [{names}] "
            "(and doesn't have default values for any key fields)"
        )

    def tells(self, item: Any) -> bool:
        """Whether there is a step to an item."""
        if not self.keys:
            return item is not None and not isinstance(item, (dict, list))
        return isinstance(item, dict) and any(name in item or default for name, _, default in self._parts)

    def find(self, item: Any) -> str:
        """The step to an item, or to no item at all if it cannot be told apart."""
        try:
            return self.step(item)
        except Unfit:
            return ""


class MapForm:
    """An object or a map: fields that the schema names, and what a field that it does not name holds."""

    def __init__(
        self, shape: Shape, grammar: Grammar, named: Mapping[str, Shape], *, preserves: bool
    ) -> None:
        self._shape = shape
        self._grammar = grammar
        self._preserves = preserves
        self.named = named
        self.atomic = shape.atomic_map
        self.fields = _Fields(self)

    @cached_property
    def element(self) -> Atom | None:
        """What a field that the schema does not name holds; `None` where there cannot be one."""
        if self._shape.additional is not None:
            return self._grammar.atom(self._shape.additional, preserves=self._preserves)
        if "additionalProperties" in self._shape.schema:
            return None
        return DEDUCED if self._preserves or not self.named else None

    @cached_property
    def opaque(self) -> bool:
        """Whether the schema says nothing at all about what is inside."""
        additional = self._shape.additional
        named = additional is not None and additional.name
        return not self.named and not named and self.element is not None and self.element.scalar == _UNTYPED

    def field(self, name: str) -> Field:
        """What is known of a field, kept if the schema names it.

        Raises:
            Unfit: there cannot be such a field.
        """
        shape = self.named.get(name)
        if shape is not None:
            known = (f"f:{name}", self._grammar.atom(shape, preserves=self._preserves), True)
            self.fields[name] = known
            return known
        if self.element is None:
            raise Unfit("field not declared in schema")
        return (f"f:{name}", self.element, False)

    def below(self, step: str) -> Atom | None:
        """What a step leads to; `None` if the schema has nothing there."""
        name = step.removeprefix("f:")
        return self.fields[name][1] if name in self.named else self.element


class _Fields(dict[str, Field]):
    """Fields by name, each looked up in the schema when it is first met."""

    def __init__(self, mapping: MapForm) -> None:
        super().__init__()
        self._mapping = mapping

    def __missing__(self, name: str) -> Field:
        return self._mapping.field(name)


class Grammar:
    """Reads shapes for merging, each once. Kinds that share definitions share a grammar.

    `metadata` is the shape of ObjectMeta, for the schemas of custom resources, which do not say it: neither
    of the resource itself nor of resources that are embedded in it.
    """

    def __init__(self, metadata: Shape | None = None) -> None:
        self._meta = {} if metadata is None else {"apiVersion": _TEXT, "kind": _TEXT, "metadata": metadata}
        self._atoms: dict[tuple[Shape, bool], Atom] = {}

    def resource(self, shape: Shape) -> Atom:
        """What a whole object of a kind holds."""
        named = {**shape.properties, **self._meta}
        mapping = MapForm(shape, self, named, preserves=shape.preserves_unknown)
        return Atom(mapping=mapping)

    def atom(self, shape: Shape, *, preserves: bool = False) -> Atom:
        """What a value of a shape holds; `preserves`: something above it keeps unknown fields."""
        preserves = shape.preserves_unknown or (preserves and not shape.name)
        key = (shape, preserves)
        found = self._atoms.get(key)
        if found is None:
            found = self._atoms[key] = self._read(shape, preserves=preserves)
        return found

    def _read(self, shape: Shape, *, preserves: bool) -> Atom:
        if shape.name == _QUANTITY:
            return Atom(_UNTYPED)
        if shape.name == _RAW_EXTENSION:
            return UNTYPED
        scalar = "" if shape.type in {"object", "array"} else _SCALARS.get(shape.type, _UNTYPED)
        if scalar == "string" and shape.schema.get("format", "") not in _TEXT_FORMATS:
            scalar = _UNTYPED
        listing = ListForm(shape, self, preserves=preserves) if shape.type in {"array", ""} else None
        mapping = None
        if shape.type in {"object", ""}:
            named = {**shape.properties, **self._meta} if shape.embedded else shape.properties
            mapping = MapForm(shape, self, named, preserves=preserves)
        return Atom(scalar, listing, mapping)


def _of_a_set(item: Any) -> Any:
    if isinstance(item, dict):
        raise Unfit("associative list without keys has an element that's a map type")
    if isinstance(item, list):
        raise Unfit("not supported: associative list with lists as elements")
    if item is None:
        raise Unfit("associative list without keys has an element that's an explicit null")
    return item


def _relation(shape: Shape) -> tuple[tuple[str, ...], bool]:
    """By which fields the items of a list are told apart, and whether they are not told apart at all."""
    if "x-kubernetes-list-type" in shape.schema:
        return (shape.list_keys if shape.list_type == "map" else ()), shape.list_type == "atomic"
    if "merge" in shape.patch_strategies:
        return ((shape.merge_key,) if shape.merge_key else ()), False
    return (), True


UNTYPED: Final = Grammar().atom(Shape({"x-kubernetes-map-type": "atomic"}))
"""Any value, owned as a whole."""

DEDUCED: Final = Grammar().atom(Shape({"x-kubernetes-preserve-unknown-fields": True}))
"""Any value; maps are owned field by field, anything else as a whole."""
