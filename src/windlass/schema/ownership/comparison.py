"""What changed between two states of an object, field by field."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import orjson

from windlass.schema.ownership.atom import Unfit
from windlass.schema.ownership.extent import whole
from windlass.schema.ownership.fit import strays, told
from windlass.schema.ownership.tree import LEAF, Tree, with_self

if TYPE_CHECKING:
    from windlass.schema.ownership.atom import Atom, ListForm, MapForm


class Change(NamedTuple):
    """The fields that were added or got another value, and the fields that were removed."""

    gained: Tree
    removed: Tree


def same(one: Any, other: Any) -> bool:
    """Whether two values are equal as JSON, where `true` is not 1."""
    if one is other:
        return True
    if one != other:
        return False
    if isinstance(one, str):  # nearly always, so it is asked first
        return True
    if isinstance(one, (dict, list)):
        return orjson.dumps(one) == orjson.dumps(other) or _same_inside(one, other)
    return isinstance(one, bool) is isinstance(other, bool)


def _same_inside(one: Any, other: Any) -> bool:
    """Whether two containers that Python takes to be equal are so in each part."""
    if isinstance(one, dict):
        return all(same(value, other[name]) for name, value in one.items())
    return all(map(same, one, other))


def compared(old: dict[str, Any], new: dict[str, Any], atom: Atom) -> Change:
    """What became of an object.

    Raises:
        Unfit: one of the two does not fit the schema.
    """
    change = Change({}, {})
    if not same(old, new):
        try:
            _compare(old, new, atom, change)
        except Unfit as unfit:
            raise Unfit(told(strays(new, atom) or [("", str(unfit))])) from unfit
    return change


def _compare(old: Any, new: Any, atom: Atom, change: Change) -> bool:
    """Collect what changed inside two values that differ; whether the value itself changed as a whole."""
    before, after = atom.form(old), atom.form(new)
    changed = _compare_as(before, old, new, atom, change)
    # What had parts may have become one value, and the other way round: then both counts.
    return _compare_as(after, old, new, atom, change) or changed if after is not before else changed


def _compare_as(form: type, old: Any, new: Any, atom: Atom, change: Change) -> bool:
    if form is dict and (mapping := atom.mapping) is not None and not mapping.atomic:
        left = old if isinstance(old, dict) else {}
        right = new if isinstance(new, dict) else {}
        _compare_maps(left, right, mapping, change)
        return not left and not right
    if form is list and (listing := atom.listing) is not None and not listing.atomic:
        before = old if isinstance(old, list) else []
        after = new if isinstance(new, list) else []
        _compare_lists(before, after, listing, change)
        return not before and not after
    return True


def _compare_maps(old: dict[str, Any], new: dict[str, Any], form: MapForm, change: Change) -> None:
    fields = form.fields
    gained, removed = change
    for name in sorted(new):
        value = new[name]
        if name not in old:
            step, atom, _ = fields[name]
            gained[step] = LEAF if atom.leaf else whole(value, atom)
        elif not same(old[name], value):
            step, atom, _ = fields[name]
            _descend(step, old[name], value, atom, change)
    for name, value in old.items():
        if name not in new:
            step, atom, _ = fields[name]
            removed[step] = whole(value, atom)


def _descend(step: str, old: Any, new: Any, atom: Atom, change: Change) -> None:
    if atom.leaf:
        change.gained[step] = LEAF
        return
    below = Change({}, {})
    changed = _compare(old, new, atom, below)
    if changed:
        change.gained[step] = with_self(below.gained)
    elif below.gained:
        change.gained[step] = below.gained
    if below.removed:
        change.removed[step] = below.removed


def _compare_lists(old: list[Any], new: list[Any], form: ListForm, change: Change) -> None:
    before, after = _items(old, form), _items(new, form)
    atom = form.item
    for step, items in after.items():
        previous = before.get(step, ())
        if len(items) > 1:  # cannot be told apart: known to be there, and no more
            if len(previous) <= 1:
                _remove(step, previous, atom, change)
                change.gained[step] = LEAF
            elif not same(previous, items):
                change.gained[step] = LEAF
        elif len(previous) == 1:
            if not same(previous[0], items[0]):
                _descend(step, previous[0], items[0], atom, change)
        else:
            change.gained[step] = whole(items[0], atom)
            if previous:
                change.removed[step] = LEAF
    for step, items in before.items():
        if step not in after:
            _remove(step, items, atom, change)


def _remove(step: str, items: list[Any] | tuple[()], atom: Atom, change: Change) -> None:
    if items:
        change.removed[step] = whole(items[0], atom) if len(items) == 1 else LEAF


def _items(value: list[Any], form: ListForm) -> dict[str, list[Any]]:
    items: dict[str, list[Any]] = {}
    for item in value:
        items.setdefault(form.step(item), []).append(item)
    return items
