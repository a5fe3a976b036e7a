"""What becomes of an object when a configuration is applied to it, and when parts are taken away."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from windlass.schema.ownership.tree import Tree, is_member
from windlass.schema.value import copied

if TYPE_CHECKING:
    from collections.abc import Iterator

    from windlass.schema.ownership.atom import Atom, ListForm, MapForm


def is_full(value: Any) -> bool:
    """Whether there is neither a `null` nor an empty map in a value."""
    if isinstance(value, dict):
        return bool(value) and all(map(is_full, value.values()))
    if isinstance(value, list):
        return all(map(is_full, value))
    return value is not None


def merged(live: Any, config: Any, atom: Atom) -> Any:
    """A value with a configuration laid over it, which wins where both have something.

    The result shares nothing with either.

    Raises:
        Unfit: an item of a list cannot be told from others.
    """
    form = atom.form(config)
    if form is dict and (mapping := atom.mapping) is not None and not mapping.atomic:
        left, right = (value if isinstance(value, dict) else {} for value in (live, config))
        return _merged_maps(left, right, mapping) if left or right else copied(config)
    if form is list and (listing := atom.listing) is not None and not listing.atomic:
        mine, theirs = (value if isinstance(value, list) else [] for value in (live, config))
        return _merged_lists(mine, theirs, listing) if mine or theirs else copied(config)
    return copied(config)


def _merged_maps(live: dict[str, Any], config: dict[str, Any], form: MapForm) -> dict[str, Any]:
    out = {}
    for name, value in live.items():
        if name in config:
            out[name] = merged(value, config[name], form.fields[name][1])
        else:
            out[name] = copied(value)
    out.update((name, copied(value)) for name, value in config.items() if name not in live)
    return out


def _merged_lists(live: list[Any], config: list[Any], form: ListForm) -> list[Any]:
    """Items in the order of the configuration; those that it does not have keep their places among them."""
    left = [form.step(item) for item in live]
    right = {form.step(item): item for item in config}
    known: dict[str, Any] = {}
    for step, item in zip(left, live, strict=True):
        known[step] = None if step in known else item  # items that are there twice give way as a whole
    order = list(right)
    out = []
    for side, position in _merge_order(left, order):
        if side == "live":
            out.append(copied(live[position]))
        else:
            step = order[position]
            out.append(merged(known[step], right[step], form.item) if step in known else copied(right[step]))
    return out


def _merge_order(left: list[str], right: list[str]) -> Iterator[tuple[str, int]]:
    """Which item comes next, of the live list or of the configuration.

    An item that both have is taken from the configuration, when its turn has come there. Items that only the
    live list has come before it if they stood before it.
    """
    mine, theirs = set(left), set(right)
    shared = iter([step for step in right if step in mine])
    upcoming = next(shared, None)
    done: set[str] = set()
    i = j = 0
    while i < len(left) or j < len(right):
        if i < len(left):
            step = left[i]
            if step not in theirs:
                yield "live", i
                i += 1
                continue
            if j < len(right) and step != right[j] and upcoming is not None and step != upcoming:
                i += 1
                continue
            if step in done or (j < len(right) and step == right[j]):
                i += 1
        if j < len(right):
            yield "config", j
            done.add(right[j])
            if right[j] == upcoming:
                upcoming = next(shared, None)
            j += 1


def removed(value: Any, tree: Tree, atom: Atom) -> Any:
    """A value without the items and members of a set; a container of which nothing is left becomes `null`."""
    form = atom.form(value)
    if form is dict:
        mapping = atom.mapping
        if mapping is None or mapping.atomic or not isinstance(value, dict):
            return None
        return _removed_from_map(value, tree, mapping) or None
    if form is list:
        listing = atom.listing
        if listing is None or listing.atomic or not isinstance(value, list):
            return None
        return _removed_from_list(value, tree, listing) or None
    return value


def _removed_from_map(value: dict[str, Any], tree: Tree, form: MapForm) -> dict[str, Any]:
    out = {}
    for name, held in value.items():
        step, atom, _ = form.fields[name]
        node = tree.get(step)
        if node is None:
            out[name] = held
        elif not is_member(node):
            out[name] = removed(held, node, atom)
    return out


def _removed_from_list(value: list[Any], tree: Tree, form: ListForm) -> list[Any]:
    out = []
    for item in value:
        node = tree.get(form.find(item))
        if node is None:
            out.append(item)
        elif not is_member(node):
            out.append(removed(item, node, form.item))
    return out
