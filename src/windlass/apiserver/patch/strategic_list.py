"""Strategic merge patch: lists, merged by a key or as sets, and the order of what comes out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.patch.outcome import Rejected, failed, panicked
from windlass.schema import printed, type_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from windlass.apiserver.refusal import Refusal
    from windlass.schema import Shape

    Merge = Callable[[dict[str, Any], dict[str, Any], Shape], dict[str, Any]]

DIRECTIVE: Final = "$patch"
"""The member of an object, in a patch, that says what is to be done instead of merging."""


def merge_lists(original: list[Any], patch: list[Any], field: Shape, merge: Merge) -> list[Any]:
    """Merge a list of a patch into the list of an object: by key where items are objects, else as a set.

    New items stand where the patch has them; `merge` merges the objects of one key.

    Raises:
        Refusal: 500, the patch contradicts itself or the schema.
    """
    if not original and not patch:
        return original
    if item_type(original, patch) is not dict:
        merged = list({_mark(item): item for item in (*original, *patch)}.values())
        return in_order(merged, patch, original, field.merge_key)
    if not field.merge_key:
        raise failed(f"cannot merge lists without merge key for {_go_kind(field.items)}")
    original, patch = _directed(original, patch, field.merge_key)
    merged = _merge_items(original, patch, field, merge)
    return in_order(merged, patch, original, field.merge_key)


def in_order(items: list[Any], patch: list[Any], original: list[Any], key: str) -> list[Any]:
    """Items in the order of the patch, those that it does not have woven in by the order of the object.

    Raises:
        Refusal: 500, something in the order has no merge key.
    """
    for item in items if key else ():
        _check_listed(item, patch, key)
    places, old_places = _places(patch, key), _places(original, key)
    marks = [_key_mark(item, key) for item in items]
    mine = [(mark, item) for mark, item in zip(marks, items, strict=True) if mark in places]
    others = [(mark, item) for mark, item in zip(marks, items, strict=True) if mark not in places]
    mine.sort(key=lambda pair: places[pair[0]])
    others = _sorted_by(others, old_places)
    woven: list[Any] = []
    for mark, item in mine:
        place = old_places.get(mark)
        while others and place is not None and old_places.get(others[0][0], place) < place:
            woven.append(others.pop(0)[1])
        woven.append(item)
    return [*woven, *(item for _, item in others)]


def _check_listed(item: Any, order: list[Any], key: str) -> None:
    """Look for an item in an order, where everything on the way must be an object."""
    mark = _key_mark(item, key)
    for place, position in enumerate(order):
        if not isinstance(position, dict):
            raise failed(f"value for key {place} is not a map")
        if key in position and _mark(position[key]) == mark:
            return


def server_order(original: list[Any], patch: list[Any], key: str) -> list[Any]:
    """The order that an element order leaves to the object, for the items that it does not name.

    It is that of the list as it was. But where the patch deletes items, the real server lets as many new ones
    take their places at the end, by reusing the memory of the list; `kubectl apply` shows it, so it is kept.
    """
    deleted = {
        _key_mark(item, key) for item in patch if isinstance(item, dict) and item.get(DIRECTIVE) == "delete"
    }
    if not key or not deleted:
        return original
    kept = [item for item in original if _key_mark(item, key) not in deleted]
    old = {_key_mark(item, key) for item in kept}
    new = [item for item in patch if DIRECTIVE not in item and _key_mark(item, key) not in old]
    return [*kept, *new[: len(original) - len(kept)]]


def item_type(*lists: list[Any]) -> type:
    """The type that all items have.

    Raises:
        Refusal: 422, they are lists; 500, they have none in common.
    """
    items = [item for each in lists for item in each]
    if not items:
        raise failed("no elements in any of the given slices")
    first = type(items[0])
    if first is list:
        raise Rejected("cannot merge lists of lists")
    if items[0] is None:
        raise panicked()
    if any(type(item) is not first for item in items):
        raise failed(f"list element types are not identical: {printed(list(lists))}")
    return first


def without(items: list[Any], gone: list[Any]) -> list[Any]:
    """A list of scalars without those that are to go."""
    marks = {_mark(item) for item in gone}
    return [item for item in items if _mark(item) not in marks]


def check_order(patch: list[Any], order: list[Any], key: str) -> None:
    """Check that the items of a patch stand among those of an element order, in that order.

    Raises:
        Refusal: 500, they do not.
    """
    if not patch or not order:
        return
    if key and not all(isinstance(item, dict) for item in patch):
        raise bad_type({}, next(item for item in patch if not isinstance(item, dict)))
    wanted = [item for item in patch if not (key and item.get(DIRECTIVE) == "delete")]
    found = 0
    for position in order:
        while found < len(wanted) and isinstance(wanted[found], dict) and DIRECTIVE in wanted[found]:
            found += 1
        if found == len(wanted):
            return
        if _key_mark(wanted[found], key) == _key_mark(position, key):
            found += 1
    if found < len(wanted):
        lists = f"{printed(patch)}\n doesn't match $setElementOrder list:\n{printed(order)}\n"
        raise failed(f"The order in patch list:\n{lists}")


def _directed(original: list[Any], patch: list[Any], key: str) -> tuple[list[Any], list[Any]]:
    """Both lists after the directives among the items of the patch were followed."""
    plain = [item for item in patch if DIRECTIVE not in item]
    if len(plain) == len(patch):
        return original, patch
    replace = False
    for item in patch:
        directive = item.get(DIRECTIVE, "")
        if DIRECTIVE not in item:
            continue
        if directive == "delete":
            gone = _key_mark(item, key)
            original = [kept for kept in original if key not in kept or _mark(kept[key]) != gone]
        elif directive == "replace":
            replace = True
        elif directive == "merge":
            raise failed("merging lists cannot yet be specified in the patch")
        else:
            raise unknown_directive(item)
    return (plain, []) if replace else (original, plain)


def _merge_items(original: list[Any], patch: list[Any], field: Shape, merge: Merge) -> list[Any]:
    merged = list(original)
    places: dict[Any, int] = {}
    for place, item in enumerate(merged):
        if field.merge_key in item:
            places.setdefault(_mark(item[field.merge_key]), place)
    for item in patch:
        mark = _key_mark(item, field.merge_key)
        at = places.get(mark)
        if at is None:
            places[mark] = len(merged)
            merged.append(item)
        elif field.items is not None:
            merged[at] = merge(merged[at], item, field.items)
    return merged


def _sorted_by(pairs: list[tuple[Any, Any]], places: dict[Any, int]) -> list[tuple[Any, Any]]:
    """Marked items by their places.

    An item without a place counts as smaller than any other and any other as smaller than it, which leaves
    the outcome to the way of sorting: insertion, as Go does it for short lists.
    """
    if all(mark in places for mark, _ in pairs):
        return sorted(pairs, key=lambda pair: places[pair[0]])
    done: list[tuple[Any, Any]] = []
    for mark, item in pairs:
        at = len(done)
        while at and (
            mark not in places or done[at - 1][0] not in places or places[mark] < places[done[at - 1][0]]
        ):
            at -= 1
        done.insert(at, (mark, item))
    return done


def _places(items: Iterable[Any], key: str) -> dict[Any, int]:
    places: dict[Any, int] = {}
    for place, item in enumerate(items):
        places.setdefault(_key_mark(item, key), place)
    return places


def _key_mark(item: Any, key: str) -> Any:
    """What an item is known by: the value of its merge key, or itself."""
    if not key:
        return _mark(item)
    if not isinstance(item, dict):
        raise bad_type({}, item)
    if key not in item:
        raise failed(f"map: {printed(item)} does not contain declared merge key: {key}")
    return _mark(item[key])


def _mark(value: Any) -> Any:
    """A value with its type, so that 1 is not true; an object or a list is equal to none."""
    return (type(value), id(value)) if isinstance(value, dict | list) else (type(value), value)


def _go_kind(shape: Shape | None) -> str:
    kinds = {"object": "struct", "integer": "int32", "number": "float64", "boolean": "bool"}
    return kinds.get(shape.type, "string") if shape is not None else "struct"


def bad_type(expected: Any, found: Any) -> Refusal:
    """500: a value is not of the type that it must have here."""
    received = "%!s(<nil>)" if found is None else type_name(found)
    return failed(f"expected a {type_name(expected)}, but received a {received}")


def unknown_directive(item: dict[str, Any]) -> Refusal:
    """500: `$patch` asks for something that nobody knows."""
    directive = item[DIRECTIVE]
    said = f"%!s({type_name(directive)}={printed(directive)})"
    if isinstance(directive, str):
        said = directive
    elif directive is None:
        said = "%!s(<nil>)"
    return failed(f"unknown patch type: {said} in map: {printed(item)}")
