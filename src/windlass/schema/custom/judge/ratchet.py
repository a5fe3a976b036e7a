"""What a value was before: an update may leave alone what it does not change."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.schema.value import alike

if TYPE_CHECKING:
    from windlass.schema.shape import Shape

_NONE: Final = object()
_SCALARS: Final = (bool, int, float, str)


class Link:
    """A value of the new object, the value of the old object that it came from, and their shape.

    Values in maps and objects are found by name, items of a list by their keys if the list has keys. Where
    the old value cannot be found, there is no link.
    """

    __slots__ = ("_by_key", "_children", "_same", "old", "shape", "value")

    def __init__(self, value: Any, old: Any, shape: Shape) -> None:
        self.value = value
        self.old = old
        self.shape = shape
        self._same: bool | None = None
        self._children: dict[str | int, Link] = {}
        self._by_key: dict[Any, Any] | None = None

    def key(self, name: str) -> Link | None:
        """The link of a field, if the schema knows the field and both objects have it."""
        found = self._children.get(name)
        if found is not None:
            return found
        if type(self.value) is not dict or type(self.old) is not dict:
            return None
        shape = self.shape.properties.get(name) or values_of(self.shape)
        if shape is None or name not in self.value or name not in self.old:
            return None
        return self._child(name, self.value[name], self.old[name], shape)

    def item(self, position: int) -> Link | None:
        """The link of an item of a list with keys."""
        found = self._children.get(position)
        if found is not None:
            return found
        if type(self.value) is not list or type(self.old) is not list or self.shape.items is None:
            return None
        if self.shape.list_type != "map":
            return None
        if self._by_key is None:
            self._by_key = by_key(self.old, self.shape.list_keys)
        old = self._by_key.get(key_of(self.value[position], self.shape.list_keys), _NONE)
        if old is _NONE:
            return None
        return self._child(position, self.value[position], old, self.shape.items)

    def same(self) -> bool:
        """Whether nothing changed, as far as the schema knows the value."""
        if self._same is None:
            self._same = self._compare()
        return self._same

    def _child(self, name: str | int, value: Any, old: Any, shape: Shape) -> Link:
        child = self._children[name] = Link(value, old, shape)
        return child

    def _compare(self) -> bool:
        value, old = self.value, self.old
        if type(value) is not type(old):
            return False
        if type(value) is dict:
            return len(value) == len(old) and all(_is_same(self.key(name)) for name in value)
        if type(value) is list and self.shape.list_type == "map" and old:
            positions = range(len(value))
            return len(value) == len(old) and all(_is_same(self.item(each)) for each in positions)
        return alike(value, old)


def values_of(shape: Shape) -> Shape | None:
    """What the values of a map are, if the schema says anything about them."""
    return shape.additional if type(shape.schema.get("additionalProperties")) is dict else None


def _is_same(link: Link | None) -> bool:
    return link is not None and link.same()


def by_key(items: list[Any], keys: tuple[str, ...]) -> dict[Any, Any]:
    """The items of a list by what `key_of` tells of each."""
    found: dict[Any, Any] = {}
    for item in items:
        key = key_of(item, keys)
        if key is not None:
            found.setdefault(key, item)
    return found


def key_of(item: Any, keys: tuple[str, ...]) -> Any:
    """The values of an item's keys with their types; `None` where one is missing or no scalar."""
    if type(item) is not dict or not keys:
        return None
    values = [item.get(name) for name in keys]
    if not all(isinstance(value, _SCALARS) for value in values):
        return None
    return tuple((type(value), value) for value in values)
